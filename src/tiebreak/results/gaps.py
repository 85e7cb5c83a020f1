"""Gaps: which algorithm has no score where others have one, and the runs that failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tiebreak.caveats import Caveat
from tiebreak.documents import Framed

if TYPE_CHECKING:
    from tiebreak.results.table import Results


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


def gaps_of(results: Results, name: str) -> tuple[Gap, ...]:
    """List the missing scores of a table; `Results.gaps` is the same.

    Examples
    --------
    >>> from tiebreak import Results
    >>> table = Results.from_dict({"iris": {"svm": [0.9, float("nan")], "tree": [0.7, 0.6]},
    ...                            "wine": {"svm": [0.9, 0.8]}}, scores="accuracy")
    >>> [str(gap) for gap in gaps_of(table, "accuracy")]
    ["'svm' on 'iris' (replication 1, fold 2)", "'tree' on 'wine'"]
    """
    missing = np.argwhere(np.isnan(results.means(name)))
    slot, values = results._slot(), results.values[name]
    starts, counts = results._pairs()
    found: list[Gap] = []
    for d, a in missing:
        pair = int(d) * len(results.algorithms) + int(a)
        rows = slice(starts[pair], starts[pair] + counts[pair])
        present = set(slot[rows][~np.isnan(values[rows])].tolist())
        names = {"dataset": results.datasets[d], "algorithm": results.algorithms[a], "frame_kind": results.frame_kind}
        if not present:
            found.append(Gap(**names))
            continue
        first, last = np.searchsorted(results.codes["dataset"], [d, d + 1])
        expected = set(slot[first:last].tolist())
        for place in sorted(expected - present):
            r, f = divmod(place, len(results.folds))
            found.append(Gap(**names, replication=results.replications[r], fold=results.folds[f]))
    return tuple(found)


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
