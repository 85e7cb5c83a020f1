"""Two versions in, a verdict for continuous integration out: shown not worse by a margin, worse, or undecided."""

from tiebreak.deciding.gate._gate import gate
from tiebreak.deciding.gate._junit import junit_of
from tiebreak.deciding.gate._result import EXIT_CODES, Gate, GateCost
from tiebreak.deciding.gate._sides import two_sides

__all__ = ["EXIT_CODES", "Gate", "GateCost", "gate", "junit_of", "two_sides"]
