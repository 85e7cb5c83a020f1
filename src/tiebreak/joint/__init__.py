"""Several measures at once: Results + MANOVA and Hotelling's test -> MultivariateComparison."""

from tiebreak.joint.api import TESTS, multivariate
from tiebreak.joint.comparison import MultivariateComparison
from tiebreak.joint.one_set import JointOmnibus, JointPair, JointSet

__all__ = ["TESTS", "JointOmnibus", "JointPair", "JointSet", "MultivariateComparison", "multivariate"]
