"""Logs of evaluations of language models, as their tools write them: items, scores, tokens, prices."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.readers.logs._finding import holds_logs as holds_logs
    from tiebreak.readers.logs._read import read_runs as read_runs
    from tiebreak.readers.logs._result import EvalRuns as EvalRuns
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_finding": "holds_logs",
            "_read": "read_runs",
            "_result": "EvalRuns",
        },
    )
