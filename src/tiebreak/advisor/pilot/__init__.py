"""First choice for new data: a prior from past results, and a pilot of a few fits that corrects it.

`prior` turns past results into what is expected of every algorithm, and chooses the few to fit; `race` holds what was
measured, says what to fit next, and which algorithm is best at any moment; `replay` races on stored folds. Arrays in,
arrays out: nothing here fits anything.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.pilot.prior import *
    from tiebreak.advisor.pilot.race import *
    from tiebreak.advisor.pilot.replay import *
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "prior": "Prior distance_weights fit_noise greedy_list prior_from",
            "race": "FOLDS Posterior Race",
            "replay": "replay",
        },
    )
