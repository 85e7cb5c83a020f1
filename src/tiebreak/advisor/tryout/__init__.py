"""From a recommendation to an answer: its algorithms are tried in the lab, within a time, learning from every result.

A pilot is the short way: `_recommend` is its entry, `_pilot` fits, `_piloted` is the answer. The way of a trial:
`_candidates` says what can be run here, `_choosing` which comes next, `_bench` runs it in the lab and reads what the
store has of it, `_loop` goes round until a rule ends it, `_verdict` says which one to use.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.advisor.tryout._beside import holds_results as holds_results
    from tiebreak.advisor.tryout._recommend import recommend as recommend
    from tiebreak.advisor.tryout._tried_out import Trial as Trial, TriedOut as TriedOut
    from tiebreak.advisor.tryout._try_out import try_out as try_out
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_beside": "holds_results",
            "_recommend": "recommend",
            "_tried_out": "Trial TriedOut",
            "_try_out": "try_out",
        },
    )
