"""Results and a test in, a comparison out."""

from tiebreak.deciding.compare._compare import compare
from tiebreak.deciding.compare._comparison import Comparison, Pair
from tiebreak.deciding.compare._plan import OMNIBUS, PAIRWISE, POSTHOC, Plan
from tiebreak.deciding.compare.cliques import maximal_cliques

__all__ = ["OMNIBUS", "PAIRWISE", "POSTHOC", "Comparison", "Pair", "Plan", "compare", "maximal_cliques"]
