"""Ways in: files, stores, published tables, what scikit-learn returns and what trackers export."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.reading import published as published
    from tiebreak.reading.files import read as read
    from tiebreak.reading.sklearn import from_cross_validate as from_cross_validate, from_cv_results as from_cv_results
    from tiebreak.reading.stores import read_store as read_store
    from tiebreak.reading.trackers import from_mlflow as from_mlflow, from_openml_runs as from_openml_runs
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "": "published",
            "files": "read",
            "sklearn": "from_cross_validate from_cv_results",
            "stores": "read_store",
            "trackers": "from_mlflow from_openml_runs",
        },
    )
