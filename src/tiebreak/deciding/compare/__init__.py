"""Results and a test in, a comparison out."""

from tiebreak.deciding.compare._compare import compare
from tiebreak.deciding.compare._comparison import Comparison

__all__ = ["Comparison", "compare"]
