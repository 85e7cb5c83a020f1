"""Results and a test in, a comparison out."""

from tiebreak.deciding.compare._compare import compare
from tiebreak.deciding.compare._comparison import Comparison, Pair
from tiebreak.deciding.compare._fold_comparison import FoldComparison
from tiebreak.deciding.compare._item_comparison import ItemComparison
from tiebreak.deciding.compare._plan import MOST_EXACT, Plan

__all__ = ["MOST_EXACT", "Comparison", "FoldComparison", "ItemComparison", "Pair", "Plan", "compare"]
