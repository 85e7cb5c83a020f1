"""Two versions in, a verdict for continuous integration out: shown not worse by a margin, worse, or undecided.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak.evals.gate.result import Gate, junit_of
from tiebreak.evals.gate.verdict import gate

__all__ = ["Gate", "gate", "junit_of"]
