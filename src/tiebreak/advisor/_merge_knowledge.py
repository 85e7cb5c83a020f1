"""Several bases as one: what is known twice, and what a second of another machine is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.advisor._knowledge import PER_SET, Knowledge
from tiebreak.advisor._meta_table import MetaTable, looks_of
from tiebreak.advisor.target_kinds import of_one_kind
from tiebreak.caveats import Caveat, Caveats, caveats_of, distinct
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError


@as_came_in
def merge_knowledge(bases: Sequence[Knowledge]) -> Knowledge:
    """Put several bases side by side.

    Rule: results of one data set from two bases stay two rows, so that algorithms are compared only where they ran
    side by side, on one machine and the same splits; the later row gets the name of its source in brackets and
    shares the origin of the first, as does a data set of another name with the same rows, classes and share of the
    largest class. A row is dropped where an earlier base has results of the same data set (the same
    digest, or the same name where none is known) for all its algorithms. Ratios of times never mix machines. To show
    seconds, those of a later base are divided by its slowness: the median ratio of its times to the earlier ones over
    the data sets and algorithms that both measured. Where there are none they are shown as measured, with a caveat.
    Bases of different kinds of target are refused.

    Parameters
    ----------
    bases : sequence of Knowledge
        The first has precedence.

    Returns
    -------
    Knowledge

    Examples
    --------
    >>> from tiebreak.results import Results
    >>> def base(scores, source):
    ...     return Knowledge.from_results(Results.from_dict(scores, scores="accuracy"), source=source)
    >>> one = base({"a": {"x": 0.9, "y": 0.8}}, "mine")
    >>> two = base({"a": {"x": 0.9, "z": 0.7}, "b": {"x": 0.7, "z": 0.6}}, "theirs")
    >>> merge_knowledge([one, two]).datasets
    ('a', 'a (theirs)', 'b')
    """
    if not bases:
        raise InputError("No base is given.", why="There is nothing to merge.", mend="Pass at least one Knowledge.")
    of_one_kind(bases)
    whole = bases[0]
    for other in bases[1:]:
        whole = _joined(whole, other)
    return whole


def _joined(first: Knowledge, second: Knowledge) -> Knowledge:
    """Put the rows of the second base under those of the first, which keep their names and their seconds."""
    twins = _twins(first, second)
    kept = _not_covered(first, second, twins)
    dropped = len(second.datasets) - len(kept)
    told = f"{dropped} data set(s) of {second.sources[0]} are known already with all their algorithms."
    notes = caveats_of((dropped, "duplicates-settled", told))
    if not len(kept):
        return replace(first, caveats=distinct((*first.caveats, *notes)))
    factor, said = _slowness(first, second, twins)
    rest = second.datasets_at(kept)
    names = _fresh_names(first, rest)
    algorithms = tuple(sorted({*first.algorithms, *second.algorithms}))
    times = [None if part.time is None else part.time / by for part, by in ((first, 1.0), (rest, factor))]
    space = [first.sizes, rest.sizes]
    mixed = f"Success rates are {first.score!r} on some data sets and {second.score!r} on others."
    notes += (*said, *caveats_of((first.score != second.score, "metrics-differ", mixed)))
    labels: dict[str, Any] = {part: (*getattr(first, part), *getattr(rest, part)) for part in PER_SET}
    labels["origins"] = (*first.origins, *_origins(first, rest))
    return Knowledge(
        datasets=(*first.datasets, *names),
        algorithms=algorithms,
        accuracy=_stacked([first.accuracy, rest.accuracy], [first, rest], algorithms),
        time=_stacked(times, [first, rest], algorithms) if any(part is not None for part in times) else None,
        sizes=_stacked(space, [first, rest], algorithms) if any(part is not None for part in space) else None,
        meta=_meta(first.meta, rest.meta, names),
        **labels,
        kind=first.kind,
        score=first.score if second.score in first.score else f"{first.score} or {second.score}",
        made=_made(first, second),
        meanings={**second.meanings, **first.meanings},
        notices=tuple(dict.fromkeys((*first.notices, *second.notices))),
        caveats=distinct((*first.caveats, *second.caveats, *notes)),
        frame_kind=first.frame_kind or second.frame_kind,
    )


def _made(first: Knowledge, second: Knowledge) -> dict[str, str]:
    """Say how both came about; what the second says of itself is marked with its source, where it differs."""
    own = {key: text for key, text in second.made.items() if first.made.get(key) != text}
    return {**first.made, **{f"{key} ({second.sources[0]})": text for key, text in own.items()}}


def _twins(first: Knowledge, second: Knowledge) -> dict[int, int]:
    """Return for data sets of the second base the same one of the first: by digest, or by name where one has none."""
    by_mark = {mark: i for i, mark in reversed(list(enumerate(first.fingerprints))) if mark}
    by_name = {name: i for i, name in enumerate(first.datasets)}
    found = {}
    for i, (name, mark) in enumerate(zip(second.datasets, second.fingerprints, strict=True)):
        same = by_mark.get(mark) if mark else None
        if same is None and name in by_name and not (mark and first.fingerprints[by_name[name]]):
            same = by_name[name]
        if same is not None:
            found[i] = same
    return found


def _not_covered(first: Knowledge, second: Knowledge, twins: dict[int, int]) -> IntArray:
    """Return the data sets of which the second base knows an algorithm that the first does not."""
    ours, theirs = first.measured(timed=False), second.measured(timed=False)
    shared = np.array([[name == each for each in first.algorithms] for name in second.algorithms])

    def covered(i: int) -> bool:
        return i in twins and bool((shared[theirs[i]] & ours[twins[i]]).any(axis=1).all())

    return np.array([i for i in range(len(second.datasets)) if not covered(i)], dtype=np.int64)


def _slowness(first: Knowledge, second: Knowledge, twins: dict[int, int]) -> tuple[float, Caveats]:
    """Return how many times slower the machine of the second base is, and what is to be said about it."""
    (_, ours), (_, theirs) = first.means(), second.means()
    if ours is None or theirs is None or set(first.machines) == set(second.machines):
        return 1.0, ()
    common = sorted(set(first.algorithms) & set(second.algorithms))
    a = [first.algorithms.index(name) for name in common]
    b = [second.algorithms.index(name) for name in common]
    ratios = [theirs[i, b] / np.where(ours[j, a] > 0, ours[j, a], np.nan) for i, j in twins.items()]
    known = np.concatenate([*ratios, np.empty(0)])
    known = known[np.isfinite(known) & (known > 0)]
    if not known.size:
        told = (
            f"Seconds of {second.sources[0]} are shown as measured there: no data set and algorithm tie its machine to"
            f" that of {first.sources[0]}. Rankings use ratios of times on one machine only."
        )
        return 1.0, (Caveat("hosts-mixed", told),)
    factor = float(np.median(known))
    told = f"Seconds of {second.sources[0]} are divided by {factor:.3g}, the slowness of its machine."
    return factor, (Caveat("hosts-mixed", told),)


def _fresh_names(first: Knowledge, rest: Knowledge) -> tuple[str, ...]:
    """Name rows whose name is taken after their source, with a number where that is taken too."""
    taken = {*first.datasets, *rest.datasets}
    names = []
    for name, source in zip(rest.datasets, rest.sources, strict=True):
        tried = chain((f"{name} ({source})",), (f"{name} ({source}, {number})" for number in count(2)))
        names.append(next(each for each in tried if each not in taken) if name in first.datasets else name)
        taken.add(names[-1])
    return tuple(names)


def _origins(first: Knowledge, rest: Knowledge) -> list[str]:
    """Return the origin of every row: that of its name in the first base, or of a set there that must be the same."""
    by_name = dict(zip(first.datasets, first.origins, strict=True))
    by_look = {look: origin for look, origin in zip(looks_of(first.meta), first.origins, strict=True) if look}
    rows = zip(rest.datasets, looks_of(rest.meta), rest.origins, strict=True)
    return [by_name.get(name) or by_look.get(look) or origin for name, look, origin in rows]


def _stacked(parts: Sequence[FloatArray | None], bases: Sequence[Knowledge], algorithms: tuple[str, ...]) -> FloatArray:
    """Lay cubes of different algorithms and folds out in one, NaN where there is nothing."""
    shape = tuple(max(base.accuracy.shape[axis] for base in bases) for axis in (2, 3))
    blocks = []
    for part, base in zip(parts, bases, strict=True):
        block = np.full((len(base.datasets), len(algorithms), *shape), np.nan)
        if part is not None:
            columns = [algorithms.index(name) for name in base.algorithms]
            block[:, columns, : part.shape[2], : part.shape[3]] = part
        blocks.append(block)
    return np.concatenate(blocks)


def _meta(first: MetaTable, second: MetaTable, names: tuple[str, ...]) -> MetaTable:
    """Stack tables of different measures: what one of them lacks does not apply there."""
    measures = tuple(dict.fromkeys([*first.measures, *second.measures]))
    matrix = np.full((len(first.names) + len(names), len(measures)), np.nan)
    for table, rows in ((first, slice(len(first.names))), (second, slice(len(first.names), None))):
        matrix[rows, [measures.index(name) for name in table.measures]] = table.matrix
    return MetaTable(
        names=(*first.names, *names),
        measures=measures,
        matrix=matrix,
        versions=tuple(sorted({*first.versions, *second.versions})),
    )
