"""Two versions in, a verdict for continuous integration out: shown not worse by a margin, worse, or undecided."""

from tiebreak.evals.gate._gate import gate
from tiebreak.evals.gate._junit import junit_of
from tiebreak.evals.gate._result import Gate

__all__ = ["Gate", "gate", "junit_of"]
