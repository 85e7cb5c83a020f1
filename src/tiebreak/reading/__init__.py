"""Ways in: files, stores, published tables, what Python holds, and what other packages return and export."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.reading import published as published
    from tiebreak.reading.files import *
    from tiebreak.reading.leaderboards import *
    from tiebreak.reading.sklearn import *
    from tiebreak.reading.stores import *
    from tiebreak.reading.taking import *
    from tiebreak.reading.trackers import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "": "published",
            "files": "read",
            "leaderboards": "from_autogluon from_optuna from_pycaret from_skore",
            "sklearn": "from_cross_validate from_cv_results",
            "stores": "read_store",
            "taking": "as_results",
            "trackers": "from_mlflow from_openml_runs",
        },
    )
