"""Gaps: which algorithm has no score where others have one, and what the named policies do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak.errors import MissingScores

POLICIES = ("refuse", "drop-datasets", "drop-algorithms", "drop-folds", "worst-rank", "skillings-mack")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
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


def refusal(gaps: Sequence[Gap], score: str, *, notes: Sequence[str] = ()) -> MissingScores:
    """Make the error that names the first gaps and the ways out; `notes` of the table may tell why they are there."""
    first = gaps[0]
    inside = f", replication {first.replication}, fold {first.fold}" if first.fold is not None else ""
    more = "".join(f"; {gap}" for gap in gaps[1:5])
    rest = f" and {len(gaps) - 5} more" if len(gaps) > 5 else ""
    also = f" Also: {more[2:]}{rest}." if more else ""
    reasons = [note for note in notes if any(note.startswith(f"{gap.algorithm!r} failed") for gap in gaps)][:3]
    return MissingScores(
        f"{first.algorithm!r} has no {score} on data set {first.dataset!r}{inside}"
        f" ({len(gaps)} gap{'s' if len(gaps) > 1 else ''} in all).{also}" + "".join(f" {note}" for note in reasons),
        why="The test needs a complete table, and filling a gap silently would invent a result.",
        mend="Drop those data sets with `results.complete()` or those algorithms with `results.without(...)`, or name a"
        " policy: missing='drop-datasets', 'drop-algorithms', 'drop-folds', 'worst-rank' or 'skillings-mack'"
        " (--missing on the command line).",
    )
