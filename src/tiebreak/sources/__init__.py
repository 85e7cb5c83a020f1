"""Ways in: files, published tables, and what scikit-learn returns."""

from tiebreak.sources import published
from tiebreak.sources.files import read
from tiebreak.sources.sklearn import from_cross_validate, from_cv_results

__all__ = ["from_cross_validate", "from_cv_results", "published", "read"]
