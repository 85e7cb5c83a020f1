"""Several measures at once: Results + MANOVA and Hotelling's test -> MultivariateComparison.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from tiebreak.multivariate_tests.comparison import MultivariateComparison, multivariate
from tiebreak.multivariate_tests.one_set import SetComparison

__all__ = ["MultivariateComparison", "SetComparison", "multivariate"]
