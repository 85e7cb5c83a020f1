"""What is known beside the data that are tried: without their own results, and never nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tiebreak.advisor import Knowledge, shipped_knowledge
from tiebreak.advisor.data_faults import duplicates_together
from tiebreak.caveats import Caveat, Caveats

if TYPE_CHECKING:
    from tiebreak.datasets import DataSet
    from tiebreak.store import Store


_ALONE = "No results on other data are known there"


def known_beside(
    data: DataSet, read: Callable[[], Knowledge], store: str | Path | Store | None = None
) -> tuple[Knowledge, Caveats]:
    """Return what is known of other data sets: what `read` gives, or the shipped base where that is nothing.

    The results of the data themselves are left out, so that a run that is taken up again decides as it would have
    without the pause. `store`, if it is what is read, may be empty or not there yet.
    """
    if store is not None and not holds_results(store, but=_marks(data)):
        empty = not holds_results(store, least=1)
        return _shipped(data, f"{store} holds no results yet" if empty else _ALONE)
    found = _others(read(), data)
    return _shipped(data, _ALONE) if found is None else (found, ())


def _others(known: Knowledge, data: DataSet) -> Knowledge | None:
    """Leave out what is known of the data themselves; None where that is all."""
    own = _marks(data)
    places = np.flatnonzero([mark not in own for mark in known.fingerprints])
    if not len(places):
        return None
    return known if len(places) == len(known.datasets) else known.datasets_at(places)


def _marks(data: DataSet) -> frozenset[str]:
    """Return the fingerprints under which results of the data are kept: as they are, and with copies in one group."""
    return frozenset({data.fingerprint, duplicates_together(data).fingerprint})


def _shipped(data: DataSet, why: str) -> tuple[Knowledge, Caveats]:
    base = shipped_knowledge(data.kind)
    note = Caveat("shipped-base", f"{why}: the base that ships with the package says what to try.")
    return _others(base, data) or base, (note,)


def holds_results(store: str | Path | Store, *, but: Collection[str] = (), least: int = 2) -> bool:
    """Tell whether a store can be learned from: some data set, `but` these, has results of `least` algorithms.

    Only what was run here counts. Imported results have no data that could be like others, and often another score.

    Examples
    --------
    >>> holds_results("not-there.db")
    False
    """
    from tiebreak.store import open_store
    from tiebreak.store.errors import NoStore

    if not isinstance(store, (str, Path)):
        return _has(store, but, least)
    try:
        with open_store(store, create=False) as opened:
            return _has(opened, but, least)
    except NoStore:
        return False


def _has(store: Store, but: Collection[str], least: int) -> bool:
    from tiebreak.store.records import LAB

    found: dict[str, set[str]] = {}
    for each in store.tally():
        if each.status == "ok" and each.origin == LAB and each.dataset not in but:
            found.setdefault(each.dataset, set()).add(each.algorithm)
    return any(len(algorithms) >= least for algorithms in found.values())
