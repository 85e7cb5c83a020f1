"""Items: columns of items, epochs, clusters and totals, and the scores of models laid out as items x models.

In a table of items a data set is a benchmark and an algorithm is a model; items take the place of folds, repeated
answers (epochs) that of replications. `Results.unit` says which, so that neither is averaged as the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError
from tiebreak.results.columns import Names, stacked
from tiebreak.wording import Brief, option

if TYPE_CHECKING:
    from tiebreak.results.columns import Columns
    from tiebreak.results.metrics import Metric
    from tiebreak.results.table import Results

FOLD, ITEM, TOTAL = "fold", "item", "total"
"""What a row of a table is: a fold of a data set, an answer to an item, or the total of a model."""
ITEM_ROLES = ("item", "epoch", "cluster", "passed", "n")
NAMED = {
    "item": (
        "item, item_id, question_id, sample_id, instance_id, example_id, prompt_id, query_id, qid, doc_id, case_id,"
        " question"
    ).split(", "),
    "epoch": ["epoch"],
    "cluster": ["cluster", "cluster_id"],
    "passed": ["passed"],
    "n": ["n", "n_items", "test_cases"],
    "dataset": "benchmark eval suite".split(),
}
"""Headers by which a column of items or totals is known; all but the first only beside such a column."""
ANSWERS = (
    "answer attempt completion generation iteration rep repeat repetition replication response rollout run sample seed"
    " trial try"
).split()
"""Headers of columns that number the answers to an item, where numbers in them distinguish repeated rows."""
COUNTS = ("n", "passed")
"""The columns of totals that count and are no scores."""
SHARE = "pass_rate"
"""The score that is made of totals."""
ONE_BENCHMARK = "benchmark"
"""The name of the one benchmark where no column names it."""
NO_CLUSTERS = "none"
"""What is said in place of a column of clusters so that those that are known do not count."""


def with_item_roles(
    result: Mapping[str, str], headers: Sequence[str], options: Mapping[str, str], word: Callable[[str], str]
) -> tuple[dict[str, str], Caveats]:
    """Find the columns of items or of totals beside those that were told, and let items play the part of folds."""
    out, notes = dict(result), list[Caveat]()

    def look(role: str) -> None:
        free = [header for header in headers if header not in out.values()]
        matches = [header for header in free if word(header).lower() in NAMED[role]]
        exact = [header for header in matches if header == role]
        if role not in out and (exact or len(matches) == 1):
            out[role] = (exact or matches)[0]
            if out[role] != role:
                notes.append(Caveat("read-as", f"Column {out[role]!r} was read as the {role}."))

    if "fold" not in options:
        look("item")
    if "item" in out:
        for role in ("epoch", "cluster", *(() if _has_dataset(out, headers, word) else ("dataset",))):
            look(role)
        return _as_folds(out, headers, word), tuple(notes)
    if "n" in options or "passed" in options or {"passed"} <= {word(header).lower() for header in headers}:
        look("n")
        if "n" in out:
            look("passed")
            if not _has_dataset(out, headers, word):
                look("dataset")
    if "passed" in out and "n" not in out:
        if "passed" in options:
            raise InputError(
                f"Column {out['passed']!r} says how many items were passed, and none says of how many.",
                mend="Name the column of all items as well: the role 'n'.",
            )
        del out["passed"]
    return out, tuple(notes)


def with_epochs(
    columns: Columns, result: Mapping[str, str], scores: Sequence[str] | None
) -> tuple[dict[str, str], Caveats]:
    """Find the column that numbers repeated answers, where models have several for an item and nobody named it."""
    free = [column for column in columns if column not in result.values() and column not in (scores or ())]
    free = [name for name in free if name.strip().lower() in ANSWERS and columns[name].is_number()]
    if not free or "item" not in result or "replication" in result:
        return dict(result), ()
    keys = [columns[result[role]].coded().codes for role in ("dataset", "algorithm", "fold") if role in result]
    numbering = [name for name in free if _distinct([*keys, columns[name].coded().codes])]
    if not numbering or _distinct(keys):
        return dict(result), ()
    note = Caveat("read-as", f"Column {numbering[0]!r} was read as the epoch: it numbers repeated answers to an item.")
    return {**result, "epoch": numbering[0], "replication": numbering[0]}, (note,)


def _distinct(keys: Sequence[npt.NDArray[np.int32]]) -> bool:
    """Say whether no two rows agree in all keys."""
    place = np.zeros(len(keys[0]), dtype=np.int64)
    for codes in keys:
        place = place * (int(codes.max(initial=0)) + 2) + codes + 1  # -1 is missing
    return len(np.unique(place)) == len(place)


def _has_dataset(result: Mapping[str, str], headers: Sequence[str], word: Callable[[str], str]) -> bool:
    from tiebreak.results.roles import SYNONYMS

    return "dataset" in result or any(word(header).lower() in SYNONYMS["dataset"] for header in headers)


def _as_folds(result: dict[str, str], headers: Sequence[str], word: Callable[[str], str]) -> dict[str, str]:
    """Items stand where folds do and epochs where replications do; a column of folds beside them is no score."""
    if result["item"] != result.get("fold"):
        beside = [h for h in headers if word(h).lower() == "fold" and h not in result.values()]
        result |= {"beside": beside[0]} if beside else {}
    result["fold"] = result["item"]
    if "epoch" in result:
        result["replication"] = result["epoch"]
    return result


def joined_units(tables: Sequence[Results]) -> tuple[str, Names | None]:
    """Return the unit and the clusters of tables under one another; folds and items do not go together."""
    units = {table.unit for table in tables}
    if len(units) > 1:
        raise InputError(
            f"The tables are of different kinds: rows are {' and '.join(f'{unit}s' for unit in sorted(units))}.",
            mend="Compare them one at a time, or name the column of items in each.",
        )
    known = [table.clusters for table in tables if table.clusters is not None]
    if not known:
        return units.pop(), None
    if len(known) < len(tables):
        raise InputError(
            "Some of the tables have clusters, others have none.",
            mend=f"Add the column of clusters to all of them, or leave clusters out: {ignoring_clusters()}.",
        )
    return units.pop(), stacked(known)


def asked_clusters(columns: Mapping[str, str] | None) -> tuple[Mapping[str, str] | None, bool]:
    """Return which header plays which role, and whether clusters count; "none" in place of their header says no."""
    if columns is None or columns.get("cluster") != NO_CLUSTERS:
        return columns, True
    return {role: header for role, header in columns.items() if role != "cluster"} or None, False


def without_clusters(results: Results) -> Results:
    """Take items for independent whatever cluster they are of, and say so."""
    if results.clusters is None:
        return results
    held = [results.clusters.names[code] for code in np.unique(results.clusters.codes).tolist()]
    text = (
        f"The {len(held):,} clusters of the items are ignored, as told: items that hang together count as if they did"
        " not, and p-values and intervals are too small for items of other clusters."
    )
    if len(held) == 1:
        text = (
            f"All items are of one cluster, {held[0]!r}, which is ignored as requested: the answer is about further"
            " items of it."
        )
    notes = (*results.caveats, Caveat("clusters-ignored", text))
    return replace(results, clusters=None, caveats=notes)


def ignoring_clusters() -> str:
    """Word what leaves clusters out."""
    return option(columns={"cluster": "none"})


class ImpossibleTotals(InputError):
    """More items were passed than there are: the columns are known, so no other reading of the file is tried."""


def shares_of(passed: FloatArray, n: FloatArray, at: Callable[[int], str]) -> FloatArray:
    """Return the shares of totals, checked row by row."""
    bad = ~((n > 0) & (passed >= 0) & (passed <= n)) & ~(np.isnan(passed) | np.isnan(n))
    if bad.any():
        row = int(np.argmax(bad))
        raise ImpossibleTotals(
            f"{at(row)}: {passed[row]:g} of {n[row]:g} items were passed.",
            mend="Correct the row, or name the columns the other way round.",
        )
    return np.asarray(np.divide(passed, n, out=np.full(len(n), np.nan), where=n > 0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemTable(Brief):
    """Scores of models on items, dense; make one with `item_table`.

    `scores` is (items, models), NaN where a model has no answer; `strata` holds the place of each item's benchmark in
    `benchmarks`, `clusters` a number for its cluster or None. Items stand by benchmark and then by name. `epochs` are
    the fewest and the most answers of a model to an item.
    """

    scores: FloatArray
    strata: IntArray
    benchmarks: tuple[str, ...]
    algorithms: tuple[str, ...]
    clusters: IntArray | None = None
    n_clusters: int = 0
    names: tuple[str, ...] = ()
    name_codes: IntArray | None = None
    epochs: tuple[int, int] = (1, 1)
    metric: Metric
    caveats: Caveats = ()
    frame_kind: str = "polars"

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def items(self) -> tuple[str, ...]:
        """The names of the items."""
        if self.name_codes is None:
            return tuple(str(place + 1) for place in range(len(self.scores)))
        return tuple(self.names[code] for code in self.name_codes.tolist())

    @property
    def there(self) -> BoolArray:
        """Which model answered which item."""
        return ~np.isnan(self.scores)

    @property
    def is_binary(self) -> bool:
        """Whether every score is 0 or 1."""
        return bool((np.isnan(self.scores) | (self.scores == 0.0) | (self.scores == 1.0)).all())

    @property
    def in_unit_range(self) -> bool:
        """Whether every score lies between 0 and 1, so that a hundredth is a point."""
        return not bool(((self.scores < 0.0) | (self.scores > 1.0)).any())

    @property
    def n_items(self) -> IntArray:
        """The number of items of each benchmark."""
        return np.bincount(self.strata, minlength=len(self.benchmarks)).astype(np.int64)

    def means(self) -> FloatArray:
        """Return the mean of each model on each benchmark, (benchmarks, models), over the items that all answered.

        Where no item of a benchmark was answered by all, means are over a model's own items; NaN where it has none.
        """
        common = self.there.all(axis=1)
        shared = np.bincount(self.strata, weights=common, minlength=len(self.benchmarks)) > 0
        used = self.there & (common | ~shared[self.strata])[:, None]
        return np.stack([self._means_of(used[:, model], model) for model in range(len(self.algorithms))], axis=1)

    def _means_of(self, used: BoolArray, model: int) -> FloatArray:
        count = np.bincount(self.strata[used], minlength=len(self.benchmarks))
        total = np.bincount(self.strata[used], weights=self.scores[used, model], minlength=len(self.benchmarks))
        return np.asarray(np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0))


def item_table(results: Results, score: str | None = None) -> ItemTable:
    """Lay out the scores of a table of items as items x models.

    Repeated answers (epochs) are averaged within items first, those that are there. A score that is missing is no
    answer, not a wrong one.

    Parameters
    ----------
    results : Results
        A table with a column of items (`Results.unit` is "item").
    score : str, optional
        Which score; needed where there are several.

    Returns
    -------
    ItemTable

    Examples
    --------
    >>> from tiebreak import Results
    >>> table = Results.from_dict({"model": ["a", "a", "b", "b"], "item": ["q1", "q2", "q1", "q2"],
    ...                            "accuracy": [1, 0, 1, 1]})
    >>> item_table(table).scores
    array([[1., 1.],
           [0., 1.]])
    """
    name = results.only_score() if score is None else score
    metric = results.metric(name)
    _check_items(results)
    place, first = _places(results)
    values, count, models = results.values[name], len(first), len(results.algorithms)
    scores, epochs = _averaged(values, place * models + results.codes["algorithm"], count * models)
    matrix = scores.reshape(count, models)
    clusters = _clusters(results, place, first)
    remaining = ~np.isnan(matrix).all(axis=1)
    codes = None if clusters is None else np.unique(clusters[remaining], return_inverse=True)[1].astype(np.int64)
    notes = (*_notes(matrix[remaining], epochs, int((~remaining).sum())), *_beyond(matrix[remaining], metric))
    strata = results.codes["dataset"][first][remaining].astype(np.int64)
    held, strata = np.unique(strata, return_inverse=True)
    return ItemTable(
        scores=readonly(matrix[remaining]),
        strata=readonly(strata.astype(np.int64)),
        benchmarks=tuple(results.datasets[code] for code in held.tolist()),
        algorithms=results.algorithms,
        clusters=codes if codes is None else readonly(codes),
        n_clusters=0 if codes is None else int(codes.max(initial=-1)) + 1,
        names=results.folds,
        name_codes=readonly(results.codes["fold"][first][remaining].astype(np.int64)),
        epochs=epochs,
        metric=metric,
        caveats=notes,
        frame_kind=results.frame_kind,
    )


def _check_items(results: Results) -> None:
    if results.unit != ITEM:
        raise InputError(
            f"The table has {'totals of models' if results.unit == TOTAL else 'scores of data sets'} and no items.",
            mend=f"Give the answers to each item, and name their column: {option(columns={'item': ...})}.",
        )


def _places(results: Results) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Number the items of all benchmarks: the item of every row, and the first row of every item."""
    room = len(results.datasets) * len(results.folds)
    key = results.codes["dataset"].astype(np.int64) * len(results.folds) + results.codes["fold"]
    if room > 4 * len(key) + 1_000_000:
        _, first, place = np.unique(key, return_index=True, return_inverse=True)
        return place, first
    first_at = np.full(room, -1, dtype=np.intp)
    first_at[key[::-1]] = np.arange(len(key) - 1, -1, -1)
    held = first_at >= 0
    return (np.cumsum(held) - 1)[key], first_at[held]


def _averaged(values: FloatArray, slot: npt.NDArray[np.intp], room: int) -> tuple[FloatArray, tuple[int, int]]:
    """Average the answers of a model to an item; return also the fewest and most of them."""
    there = ~np.isnan(values)
    rows = slot if there.all() else slot[there]
    held = values if there.all() else values[there]
    count = np.bincount(rows, minlength=room)
    most = int(count.max(initial=0))
    if most <= 1:
        out = np.full(room, np.nan)
        out[rows] = held
        return out, (1, 1)
    total = np.bincount(rows, weights=held, minlength=room)
    mean = np.divide(total, count, out=np.full(room, np.nan), where=count > 0)
    return mean, (int(count[count > 0].min()), most)


def _clusters(
    results: Results, place: npt.NDArray[np.intp], first: npt.NDArray[np.intp]
) -> npt.NDArray[np.int32] | None:
    """Return the cluster of every item; an item in two clusters is refused by name."""
    if results.clusters is None:
        return None
    codes = results.clusters.codes
    code = codes[first]
    wrong = codes != code[place]
    if wrong.any():
        row = int(np.argmax(wrong))
        item, names = results.folds[int(results.codes["fold"][row])], results.clusters.names
        raise InputError(
            f"Item {item!r} is in cluster {names[code[place[row]]]!r} and in {names[codes[row]]!r}"
            f" ({int(wrong.sum())} such row(s) in all).",
            mend="Correct the column of clusters, or give different names to different items.",
        )
    return code


def _beyond(scores: FloatArray, metric: Metric) -> Caveats:
    """Say of a share that it is none: points of a hundred would be written wrongly, and the column may be another."""
    top = 100.0 if bool((scores > 1.0).any()) and bool((scores[scores == scores] % 1.0 == 0.0).mean() > 0.5) else 1.0
    outside = int(((scores < 0.0) | (scores > top)).sum())
    if not metric.is_share or not outside:
        return ()
    text = f"{outside:,} of {scores.size:,} values of {metric.name} lie outside 0 to {top:g}: is it what its name says?"
    return (Caveat("outside-its-range", text),)


def _notes(scores: FloatArray, epochs: tuple[int, int], empty: int) -> Caveats:
    """Say what was averaged and what is missing."""
    gaps = int(np.isnan(scores).sum())
    caveats = []
    if epochs[0] != epochs[1]:
        text = (
            f"Items have {epochs[0]} to {epochs[1]} answers of a model; each item counts once, by the mean of its own."
        )
        caveats.append(Caveat("epochs-averaged", text))
    if gaps:
        text = f"{gaps:,} of {scores.size:,} answers are missing: a pair is compared on the items that both answered."
        caveats.append(Caveat("answers-missing", text))
    if empty:
        caveats.append(Caveat("rows-left-out", f"{empty:,} item(s) that no model answered were left out."))
    return tuple(caveats)
