"""Several measures at once: Results + MANOVA and Hotelling's test -> MultivariateComparison."""

from tiebreak.deciding.multivariate._comparison import MultivariateComparison
from tiebreak.deciding.multivariate._multivariate import TESTS, multivariate
from tiebreak.deciding.multivariate._one_set import MeasuresOmnibus, MeasuresPair, SetComparison

__all__ = [
    "TESTS",
    "MeasuresOmnibus",
    "MeasuresPair",
    "MultivariateComparison",
    "SetComparison",
    "multivariate",
]
