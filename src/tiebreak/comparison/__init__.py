"""Results and a test in, a comparison out."""

from tiebreak.comparison.api import OMNIBUS, POSTHOC, compare
from tiebreak.comparison.cliques import maximal_cliques
from tiebreak.comparison.comparison import Comparison, Pair

__all__ = ["OMNIBUS", "POSTHOC", "Comparison", "Pair", "compare", "maximal_cliques"]
