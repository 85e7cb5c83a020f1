"""What to try within a budget of time: trials, schedules made for a budget, and whether they are worth it."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.schedules._compare_budgets import *
    from tiebreak.advisor.schedules._plan import *
    from tiebreak.advisor.schedules._trials import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_compare_budgets": "BudgetComparison compare_budgets",
            "_plan": "BudgetPlan plan_budget",
            "_trials": "Trial trial_from",
        },
    )
