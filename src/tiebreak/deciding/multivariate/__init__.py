"""Several measures at once: Results + MANOVA and Hotelling's test -> MultivariateComparison."""

from tiebreak.deciding.multivariate._comparison import MultivariateComparison
from tiebreak.deciding.multivariate._multivariate import multivariate
from tiebreak.deciding.multivariate._one_set import SetComparison

__all__ = ["MultivariateComparison", "SetComparison", "multivariate"]
