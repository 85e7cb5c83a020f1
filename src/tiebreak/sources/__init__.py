"""Ways in: files, stores, published tables, what scikit-learn returns and what trackers export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

_HOMES = {
    "from_cross_validate": "tiebreak.sources.sklearn",
    "from_cv_results": "tiebreak.sources.sklearn",
    "from_mlflow": "tiebreak.sources.trackers",
    "from_openml_runs": "tiebreak.sources.trackers",
    "published": "",
    "read": "tiebreak.sources.files",
    "read_store": "tiebreak.sources.stores",
}
__all__ = [
    "from_cross_validate",
    "from_cv_results",
    "from_mlflow",
    "from_openml_runs",
    "published",
    "read",
    "read_store",
]
__getattr__, __dir__ = lazy_names(__name__, _HOMES)

if TYPE_CHECKING:
    from tiebreak.sources import published
    from tiebreak.sources.files import read
    from tiebreak.sources.sklearn import from_cross_validate, from_cv_results
    from tiebreak.sources.stores import read_store
    from tiebreak.sources.trackers import from_mlflow, from_openml_runs
