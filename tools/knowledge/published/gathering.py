"""From rows of a published table to a knowledge base: cubes, names, origins, descriptions and notices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from published.descriptions import Known
from published.origins import origin_labels
from published.records import BaseRecord, measures_notice
from tiebreak._checks import FloatArray, IntArray
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.meta_table import MetaTable
from tiebreak.attributes import ATTRIBUTES
from tiebreak.attributes.catalogue import DEFAULT_MEASURES
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.documents import listed
from tiebreak.errors import InputError, quoted

LEAST_DESCRIBED = 0.4
"""Where fewer of the data sets than this share have meta-attributes, none is used: most results would be left out."""
BESIDE = (
    "OpenML data sets are described by data_feats_featurized.csv of pmf-automl and task_metadata_289.csv of TabRepo,"
    " laid beside the results."
)
LEAST_KNOWN = 0.75
"""A measure is used where so many of the described data sets have it: what is unknown would count as unlike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What a data set is called, its number at OpenML and that of its task, and its size if the base tells it."""

    name: str
    number: int | None = None
    task: int | None = None
    size: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """Results in long form: one entry per data set, algorithm and fold; NaN is a run that failed."""

    datasets: Sequence[str]
    algorithms: Sequence[str]
    folds: Sequence[str]
    rates: FloatArray
    seconds: FloatArray | None


def cubes(rows: Rows, source: str) -> tuple[tuple[str, ...], tuple[str, ...], FloatArray, FloatArray | None]:
    """Lay rows out as data sets x algorithms x 1 x folds; two results for one fold are refused."""
    sets, algorithms, folds = (
        sorted(set(item), key=_in_order) for item in (rows.datasets, rows.algorithms, rows.folds)
    )
    pairs = ((sets, rows.datasets), (algorithms, rows.algorithms), (folds, rows.folds))
    shape = (len(sets), len(algorithms), 1, len(folds))
    flat = np.ravel_multi_index([_places(*pair) for pair in pairs], (shape[0], shape[1], shape[3]))
    counts = np.bincount(flat, minlength=int(np.prod(shape)))
    if (counts > 1).any():
        row = int(np.flatnonzero(counts[flat] > 1)[0])
        raise InputError(
            f"{source} has two results of {rows.algorithms[row]!r} on {rows.datasets[row]!r}, fold {rows.folds[row]}.",
            why="Only one of them can be learned from.",
            mend="Remove one of the rows.",
        )
    rates = _filled(shape, flat, rows.rates)
    return tuple(sets), tuple(algorithms), rates, None if rows.seconds is None else _filled(shape, flat, rows.seconds)


def _places(names: Sequence[str], column: Sequence[str]) -> IntArray:
    place = {name: i for i, name in enumerate(names)}
    return np.array([place[item] for item in column], dtype=np.int64)


def _in_order(name: str) -> tuple[int, float, str]:
    """Numbers by value, before names."""
    return (0, float(name), name) if name.isdigit() else (1, 0.0, name)


def _filled(shape: tuple[int, ...], flat: IntArray, values: FloatArray) -> FloatArray:
    cube = np.full(int(np.prod(shape)), np.nan)
    cube[flat] = values
    return cube.reshape(shape)


def gathered(
    record: BaseRecord,
    rows: Rows,
    identities: dict[str, Identity],
    known: Known,
    *,
    source: str,
    score: str,
    train_share: float | dict[str, float],
    caveats: Caveats = (),
    made: dict[str, str] | None = None,
) -> Knowledge:
    """Join results, descriptions and origins; data sets are named by their identity."""
    keys, algorithms, rates, seconds = cubes(rows, source)
    ids = [identities[key] for key in keys]
    names = _distinct(ids)
    described = [known.of(number=item.number, task=item.task, name=item.name) for item in ids]
    numbers = [known.number(item.number, item.task, item.name) for item in ids]
    sizes = [item.size or _size(about) for item, about in zip(ids, described, strict=True)]
    meta, left, text = _meta(record, names, described)
    shares = [train_share if isinstance(train_share, float) else train_share[key] for key in keys]
    base = Knowledge(
        datasets=names,
        algorithms=algorithms,
        accuracy=rates,
        time=seconds,
        meta=meta,
        origins=origin_labels(names, numbers, sizes),
        machines=(record.name,) * len(names),
        sources=(record.name,) * len(names),
        fingerprints=("",) * len(names),
        score=score,
        train_share=tuple(shares),
        data_from=tuple("" if number is None else f"openml.org/d/{number}" for number in numbers),
        made={"source": record.title, "file": source, **(made or {})},
        notices=(record.notice, *((measures_notice(),) if meta.measures and known.of_pmf & set(numbers) else ())),
        caveats=(*caveats, *text),
    )
    return base.datasets_at(left) if len(left) < len(names) else base


def _distinct(ids: Sequence[Identity]) -> tuple[str, ...]:
    """Two data sets of one name are distinguished by their tasks or numbers."""
    names = [item.name for item in ids]
    return tuple(
        item.name if names.count(item.name) == 1 else f"{item.name} (openml {item.task or item.number})" for item in ids
    )


def _size(described: dict[str, float]) -> tuple[float, ...] | None:
    names = ("n_examples", "n_attributes")
    return tuple(described[name] for name in names) if set(names) <= set(described) else None


def _meta(
    record: BaseRecord, names: tuple[str, ...], described: Sequence[dict[str, float]]
) -> tuple[MetaTable, IntArray, Caveats]:
    """Return the meta-attributes, the places of the data sets that stay, and what is to be said about it."""
    have = np.array([bool(item) for item in described])
    everything = np.arange(len(names))
    if have.mean() < LEAST_DESCRIBED:
        text = (
            f"{record.name}: meta-attributes are known of {int(have.sum())} of {len(names)} data sets, too few to find"
            f" neighbours among them: all data sets count alike. {BESIDE}"
        )
        table = MetaTable(names=names, measures=(), matrix=np.empty((len(names), 0)))
        return table, everything, (Caveat("all-alike", text),)
    count = {name: sum(name in item for item in described) for name in ATTRIBUTES}
    measures = tuple(name for name in ATTRIBUTES if count[name] >= LEAST_KNOWN * have.sum())
    matrix = np.array([[item.get(name, np.nan) for name in measures] for item in described])
    lost = [name for name, there in zip(names, have, strict=True) if not there]
    usual = [name for name in DEFAULT_MEASURES if name in measures]
    few = f"{record.name}: of the five usual measures of likeness its data sets have {listed(usual) or 'none'}."
    gone = f"{record.name}: {len(lost)} data set(s) without meta-attributes are left out: {quoted(lost, limit=4)}."
    notes = caveats_of(
        (lost, "datasets-left-out", gone),
        (len(usual) < len(DEFAULT_MEASURES), "few-measures", few),
    )
    return MetaTable(names=names, measures=measures, matrix=matrix), np.flatnonzero(have), notes
