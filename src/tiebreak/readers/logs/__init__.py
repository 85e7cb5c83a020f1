"""Logs of evaluations of language models, as their tools write them: items, scores, tokens, prices."""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.readers.logs.read import holds_logs as holds_logs, read_runs as read_runs
    from tiebreak.readers.logs.runs import EvalRuns as EvalRuns
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {"read": "holds_logs read_runs", "runs": "EvalRuns"},
    )
