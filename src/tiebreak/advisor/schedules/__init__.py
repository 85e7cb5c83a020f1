"""What to try within a budget of time: trials, schedules made for a budget, and whether they are worth it."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.schedules._plan import BudgetPlan as BudgetPlan, plan_budget as plan_budget
    from tiebreak.advisor.schedules._trials import Trial as Trial, trial_from as trial_from
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_plan": "BudgetPlan plan_budget",
            "_trials": "Trial trial_from",
        },
    )
