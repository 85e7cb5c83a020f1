"""What a child does for one cell: the split, the fold, the fit and its measures."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiebreak.datasets import DataSet
    from tiebreak.lab.tasks import Cell, Fold, Resampling, Split, Task


def run_cell(data: DataSet, task: Task, cell: Cell) -> tuple[Mapping[str, float], Mapping[str, object]]:
    """Fit and measure one cell; returns its numbers and its details.

    The learner's seed comes from the plan's seed, the data and the fold alone, so a score depends neither on the other
    algorithms of the plan nor on where and when the cell runs.
    """
    from tiebreak.lab.measuring import measure_cell

    parts = _splits(data, task.resampling, task.seed)
    seed = cell_seed(task.seed, data.fingerprint, cell.replication, cell.fold)
    return measure_cell(data, parts, _fold_of(parts, cell), task.algorithm, seed=seed)


def cell_seed(seed: int, fingerprint: str, replication: int, fold: int) -> int:
    """Return the learner's seed for one fold of one data set, the same for every algorithm, below 2**32.

    Examples
    --------
    >>> cell_seed(1, "00ff", 0, 0) == cell_seed(1, "00ff", 0, 1)
    False
    """
    text = f"tiebreak cell {int(seed)} {fingerprint} {int(replication)} {int(fold)}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _fold_of(parts: Split, cell: Cell) -> Fold:
    for fold in parts.folds:
        if (fold.replication, fold.fold) == (cell.replication, cell.fold):
            return fold
    raise LookupError(f"the split has no fold {cell.fold} in replication {cell.replication}")


_kept: dict[tuple[str, Resampling, int], Split] = {}


def _splits(data: DataSet, resampling: Resampling, seed: int) -> Split:
    """Return the split of a data set, made once per child."""
    from tiebreak.lab.splits import split

    key = (data.fingerprint, resampling, seed)
    if key not in _kept:
        _kept.clear()
        _kept[key] = split(data, resampling, seed=seed)
    return _kept[key]
