"""Tiebreak orders learning algorithms: by error where the difference is real, by cost where it is not.

Names are imported when they are first used, so `import tiebreak` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

__version__ = "0.1.0"

_HOMES = {
    "Comparison": "tiebreak.comparison",
    "InputError": "tiebreak.errors",
    "Metric": "tiebreak.results",
    "MissingScores": "tiebreak.errors",
    "OptionError": "tiebreak.errors",
    "Results": "tiebreak.results",
    "TiebreakError": "tiebreak.errors",
    "compare": "tiebreak.comparison",
    "Ordering": "tiebreak.ordering",
    "order": "tiebreak.ordering",
    "MultivariateComparison": "tiebreak.joint",
    "multivariate": "tiebreak.joint",
    "Plan": "tiebreak.lab",
    "run": "tiebreak.lab",
    "DataSet": "tiebreak.data",
    "Advisor": "tiebreak.meta",
    "Recommendation": "tiebreak.meta",
    "Knowledge": "tiebreak.meta",
    "from_cross_validate": "tiebreak.sources",
    "from_cv_results": "tiebreak.sources",
    "from_mlflow": "tiebreak.sources",
    "from_openml_runs": "tiebreak.sources",
    "open_store": "tiebreak.store",
    "read_store": "tiebreak.sources",
    "published": "tiebreak.sources",
    "read": "tiebreak.sources",
    "Report": "tiebreak.reporting",
    "report": "tiebreak.reporting",
    "figures": "",
    "stats": "",
    "stack": "tiebreak.results",
    "with_costs": "tiebreak.results",
}
__getattr__, __dir__ = lazy_names(__name__, _HOMES)

__all__ = [  # noqa: RUF022 - the order in which a reader meets them
    "read",
    "Results",
    "compare",
    "Comparison",
    "order",
    "Ordering",
    "multivariate",
    "MultivariateComparison",
    "run",
    "Plan",
    "DataSet",
    "Advisor",
    "Recommendation",
    "Knowledge",
    "report",
    "Report",
    "published",
    "stats",
    "figures",
    "stack",
    "with_costs",
    "from_cross_validate",
    "from_cv_results",
    "from_mlflow",
    "from_openml_runs",
    "read_store",
    "open_store",
    "Metric",
    "TiebreakError",
    "InputError",
    "MissingScores",
    "OptionError",
]

if TYPE_CHECKING:
    from tiebreak import figures, stats
    from tiebreak.comparison import Comparison, compare
    from tiebreak.data import DataSet
    from tiebreak.errors import InputError, MissingScores, OptionError, TiebreakError
    from tiebreak.joint import MultivariateComparison, multivariate
    from tiebreak.lab.plans import Plan
    from tiebreak.lab.running import run
    from tiebreak.meta import Advisor, Knowledge, Recommendation
    from tiebreak.ordering import Ordering, order
    from tiebreak.reporting import Report, report
    from tiebreak.results import Metric, Results, stack, with_costs
    from tiebreak.sources import (
        from_cross_validate,
        from_cv_results,
        from_mlflow,
        from_openml_runs,
        published,
        read,
        read_store,
    )
    from tiebreak.store import open_store
