"""Several measures at once: Results + MANOVA and Hotelling's test -> MultivariateComparison."""

from tiebreak.multivariate_tests._comparison import MultivariateComparison
from tiebreak.multivariate_tests._multivariate import multivariate
from tiebreak.multivariate_tests._one_set import SetComparison

__all__ = ["MultivariateComparison", "SetComparison", "multivariate"]
