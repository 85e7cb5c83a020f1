"""First choice for new data: a prior from past results, a pilot of a few fits that corrects it, a run in the lab.

`race` holds what is expected and what was measured, says what to fit next, and which algorithm is best at any moment:
arrays in, arrays out. `fits` fits within a few seconds, `piloted` is the answer, `recommend` the entry. A run has more
time: `run` is its entry, `loop` fits in the lab and goes round until a rule ends it, `tried_out` is the answer.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.pilot.recommend import recommend_piloted as recommend_piloted
    from tiebreak.advisor.pilot.run import holds_results as holds_results, try_out as try_out
    from tiebreak.advisor.pilot.tried_out import Trial as Trial, TriedOut as TriedOut
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "recommend": "recommend_piloted",
            "run": "holds_results try_out",
            "tried_out": "Trial TriedOut",
        },
    )
