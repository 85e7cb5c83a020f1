"""What advice is worth: recipes for a recommendation, judged by leaving data sets out, and the choice among them."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.worth._worth import *
    from tiebreak.advisor.worth.judging import *
    from tiebreak.advisor.worth.recipes import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "judging": "judge_recipes",
            "recipes": "MEASURE_SETS Recipe recipes_for",
            "_worth": "Expected Worth",
        },
    )
