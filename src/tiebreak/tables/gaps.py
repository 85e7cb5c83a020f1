"""Gaps: which algorithm has no score where others have one, and the runs that failed."""

from __future__ import annotations

from dataclasses import dataclass

from tiebreak.caveats import Caveat
from tiebreak.documents import Framed


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Gap(Framed):
    """One missing score; `fold` and `replication` are None where the whole cell is missing."""

    dataset: str
    algorithm: str
    replication: str | None = None
    fold: str | None = None

    def __str__(self) -> str:
        place = f"{self.algorithm!r} on {self.dataset!r}"
        if self.fold is None:
            return place
        return f"{place} (replication {self.replication}, fold {self.fold})"


class FailedRun(Caveat):
    """The caveat on runs that failed; it knows whose they are, for a refusal of gaps tells why these are there."""

    __slots__ = ("algorithm",)
    algorithm: str

    def __new__(cls, algorithm: str, text: str) -> FailedRun:
        """Make the caveat for the runs of an algorithm."""
        made = super().__new__(cls, "run-failed", text)
        assert isinstance(made, cls)
        made.algorithm = algorithm
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return FailedRun, (self.algorithm, str(self))
