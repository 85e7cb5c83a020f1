"""What one log says, before anybody chooses a metric: one model on one benchmark, item by item or summed up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tiebreak._brief import Brief
from tiebreak.caveats import Caveat

USAGE = ("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning", "price", "seconds")
"""What an answer cost. `tokens_in` are those not read from a cache, `tokens_reasoning` a part of `tokens_out`."""
MISSING = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Log(Brief):
    """What is known of a run, whether its items are or not.

    `settings` distinguish runs of one model, `task_settings` those of one benchmark; both are used only where they
    differ. `when` is a text that sorts by time. `higher` says which way is better, where the log does. `repetition`
    numbers runs that differ in their seed alone.
    """

    tool: str
    source: str
    model: str
    benchmark: str
    when: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    task_settings: Mapping[str, str] = field(default_factory=dict)
    higher: Mapping[str, bool] = field(default_factory=dict)
    notes: tuple[Caveat, ...] = ()
    named: str = ""
    repetition: int = 0

    @property
    def written(self) -> str:
        """The model as the log names it, without settings that were added to distinguish runs."""
        return self.named or self.model


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Run(Log):
    """Scores item by item: of each metric a number per row, NaN where it has none.

    Empty lists stand for what the tool does not know. `digests` tell whether items of one name are the same text.
    """

    items: Sequence[str]
    scores: Mapping[str, Sequence[float]]
    clusters: Sequence[str] = ()
    epochs: Sequence[int] = ()
    digests: Sequence[str] = ()
    usage: Mapping[str, Sequence[float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Total(Log):
    """Scores summed up over `n` items: of each metric the mean, and how many passed where that was counted.

    `usage` is of all items together, but for `seconds`, which is that of one.
    """

    scores: Mapping[str, float]
    n: int | None = None
    passed: Mapping[str, int] = field(default_factory=dict)
    usage: Mapping[str, float] = field(default_factory=dict)
