"""What a score or a cost is: its name, which direction is better, and its unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tiebreak.errors import OptionError, UnknownDirection
from tiebreak.results.known_names import PART, Known, known_names, look_up, plain, spellings
from tiebreak.wording import option, which_way


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One column of numbers: a score or a cost.

    Parameters
    ----------
    name : str
        As the table spells it.
    higher_is_better : bool or None
        None where nobody has said; such a score cannot be compared.
    unit : str
        Empty where there is none.
    is_cost : bool
        Costs are always better when lower.
    what : str
        How it was measured, where that is known, such as "CPU seconds".
    by_convention : bool
        Whether a convention of a tool tells the direction, which a user may know better.

    Examples
    --------
    >>> metric_named("accuracy").higher_is_better, metric_named("train_time").unit
    (True, 's')
    >>> metric_named("neg_log_loss").higher_is_better  # scikit-learn's sign convention
    True
    >>> metric_named("test_error").higher_is_better  # on the test part
    False
    >>> metric_named("zeal").higher_is_better is None
    True
    """

    name: str
    higher_is_better: bool | None = None
    unit: str = ""
    is_cost: bool = False
    what: str = ""
    by_convention: bool = False

    @property
    def key(self) -> str:
        """The metric whatever its spelling: 'ROC AUC' and 'auc' are one."""
        sign, bare = _signed(self.name)
        forms = list(spellings(bare))
        return sign + next((known_names()[form].key for form in forms if form in known_names()), forms[-1])

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1, or 0 and 100 percent, and is good near the top."""
        return _kind(look_up(self.name)) == "share"

    @property
    def is_error_rate(self) -> bool:
        """Whether it lies between 0 and 1, or 0 and 100 percent, and is good near zero."""
        known = look_up(_signed(self.name)[1])
        return _kind(known) == "rate" or (known is not None and known.key == "error")

    @property
    def of_targets(self) -> bool:
        """Whether it has the unit of what is predicted, which differs from data set to data set."""
        return _kind(look_up(_signed(self.name)[1])) == "target"

    @property
    def is_general(self) -> bool:
        """Whether the name leaves open by which metric the scores are."""
        return _kind(look_up(self.name)) == "general"

    def direction(self, told: bool | Mapping[str, bool] | None = None) -> bool:
        """Return whether higher is better: as told now, for all or by name, or as known, or an error."""
        if isinstance(told, Mapping):
            told = told.get(self.name)
        if told is not None and self.higher_is_better is (not told) and not self.by_convention:
            known = "higher" if self.higher_is_better else "lower"
            raise OptionError(
                f"{self.name!r} was said to be better when {'higher' if told else 'lower'}.",
                why=f"It is known as a measure where {known} is better.",
                mend=f"Leave that out, or rename the column if it is not {self.name!r}.",
            )
        answer = self.higher_is_better if told is None else told
        if answer is None:
            raise UnknownDirection(
                f"Nothing says whether a higher {self.name!r} is better.",
                why="The best algorithm would come out as the worst if it were guessed wrongly.",
                mend=f"Say {which_way()}, or name the score by a known word: {option(score='accuracy')}.",
            )
        return answer


def metric_named(name: str, *, is_cost: bool = False) -> Metric:
    """Look up what is known about a name; see `Metric` for examples, `known_names.csv` for the names."""
    known = look_up(name)
    if is_cost or _kind(known) == "cost":
        unit = known.unit if known is not None and known.kind == "cost" else ""
        return Metric(name=name, higher_is_better=False, unit=unit, is_cost=True)
    sign, bare = _signed(name)
    if sign:
        known = look_up(bare)
        return Metric(name=name, higher_is_better=True if known and known.higher_is_better is False else None)
    return Metric(name=name, higher_is_better=_agreed(name, known))


def _agreed(name: str, known: Known | None) -> bool | None:
    """Return the direction that the name or an arrow behind it tells; None where the two contradict each other."""
    arrows = {"↑": True, "⬆": True, "↓": False, "⬇": False}
    told = {arrows[letter] for letter in name if letter in arrows}
    if known is not None and known.higher_is_better is not None:
        told.add(known.higher_is_better)
    return told.pop() if len(told) == 1 else None


def _signed(name: str) -> tuple[str, str]:
    """Split off scikit-learn's mark of a loss whose sign is turned."""
    key = plain(name)
    head, sign, bare = key.rpartition("neg_")
    whole = not head or PART.fullmatch(head)
    return (sign, head + bare) if sign and whole and key not in known_names() else ("", key)


def _kind(known: Known | None) -> str:
    return "" if known is None else known.kind


def described(metrics: Iterable[Metric]) -> frozenset[str]:
    """Return the scores that a column of metrics speaks of: those of a general name, else those of an unknown one.

    Examples
    --------
    >>> sorted(described(map(metric_named, ["result", "accuracy", "seed", "train_time"])))
    ['result']
    >>> sorted(described(map(metric_named, ["zeal", "accuracy", "train_time"])))
    ['zeal']
    """
    scores = [metric for metric in metrics if not metric.is_cost]
    general = frozenset(metric.name for metric in scores if metric.is_general)
    return general or frozenset(metric.name for metric in scores if metric.higher_is_better is None)
