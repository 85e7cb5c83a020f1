"""How long a run may take; budgets are read in `tiebreak.budgets`, as the advisor knows them too."""

from tiebreak.budgets import Budget as Budget, budget_from as budget_from
