"""Results and a test in, a comparison out."""

from tiebreak.comparison.api import compare
from tiebreak.comparison.choices import OMNIBUS, PAIRWISE, POSTHOC, Plan
from tiebreak.comparison.cliques import maximal_cliques
from tiebreak.comparison.comparison import Comparison, Pair

__all__ = ["OMNIBUS", "PAIRWISE", "POSTHOC", "Comparison", "Pair", "Plan", "compare", "maximal_cliques"]
