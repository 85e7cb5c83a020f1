"""The level below the data set: which columns name items, repeated answers and clusters, and totals of items.

In a table of items a data set is a benchmark, an algorithm a model; items stand where folds stand elsewhere, repeated
answers (epochs) where replications do. `Results.unit` says which, so that nobody averages the one as the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._brief import Brief
from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.results.cells import Cells
    from tiebreak.results.columns import Names
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
COUNTS = ("n", "passed")
"""The columns of totals that count and are no scores."""
SHARE = "pass_rate"
"""The score that is made of totals."""
ONE_BENCHMARK = "benchmark"
"""The name of the one benchmark where no column names it."""
NO_CLUSTERS = "none"
"""What is said in place of a column of clusters so that those that are known do not count."""
_SLOT = "\x00cluster"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Clusters(Brief):
    """The cluster of every row: `names[codes[i]]`, such as the document that an item is about."""

    codes: npt.NDArray[np.int32]
    names: tuple[str, ...]

    def take(self, keep: BoolArray) -> Clusters:
        """Return the clusters of some of the rows."""
        return replace(self, codes=self.codes[keep])


def with_item_roles(
    found: Mapping[str, str], headers: Sequence[str], told: Mapping[str, str], word: Callable[[str], str]
) -> tuple[dict[str, str], Caveats]:
    """Find the columns of items or of totals beside those that were told, and let items play the part of folds."""
    out, notes = dict(found), list[Caveat]()

    def look(role: str) -> None:
        free = [header for header in headers if header not in out.values()]
        matches = [header for header in free if word(header).lower() in NAMED[role]]
        exact = [header for header in matches if header == role]
        if role not in out and (exact or len(matches) == 1):
            out[role] = (exact or matches)[0]
            if out[role] != role:
                notes.append(Caveat("read-as", f"Column {out[role]!r} was read as the {role}."))

    if "fold" not in told:
        look("item")
    if "item" in out:
        for role in ("epoch", "cluster", *(() if _has_dataset(out, headers, word) else ("dataset",))):
            look(role)
        return _as_folds(out, headers, word), tuple(notes)
    if "n" in told or "passed" in told or {"passed"} <= {word(header).lower() for header in headers}:
        look("n")
        if "n" in out:
            look("passed")
            if not _has_dataset(out, headers, word):
                look("dataset")
    if "passed" in out and "n" not in out:
        if "passed" in told:
            raise InputError(
                f"Column {out['passed']!r} says how many items were passed, and none says of how many.",
                why="A share needs both.",
                mend="Name the column of all items as well: the role 'n'.",
            )
        del out["passed"]
    return out, tuple(notes)


def _has_dataset(found: Mapping[str, str], headers: Sequence[str], word: Callable[[str], str]) -> bool:
    from tiebreak.results.roles import SYNONYMS

    return "dataset" in found or any(word(header).lower() in SYNONYMS["dataset"] for header in headers)


def _as_folds(found: dict[str, str], headers: Sequence[str], word: Callable[[str], str]) -> dict[str, str]:
    """Items stand where folds do and epochs where replications do; a column of folds beside them is no score."""
    if found["item"] != found.get("fold"):
        beside = [h for h in headers if word(h).lower() == "fold" and h not in found.values()]
        found |= {"beside": beside[0]} if beside else {}
    found["fold"] = found["item"]
    if "epoch" in found:
        found["replication"] = found["epoch"]
    return found


def sorted_along(clusters: Names | Clusters | None) -> dict[str, FloatArray]:
    """Return what is sorted with the scores so that `clustered` finds it."""
    return {} if clusters is None else {_SLOT: clusters.codes.astype(np.float64)}


def clustered(cells: Cells, clusters: Names | Clusters | None) -> Cells:
    """Give sorted cells the clusters of their rows, which were sorted with them."""
    if clusters is None:
        return cells
    values = dict(cells.values)
    codes = values.pop(_SLOT).astype(np.int32)
    return replace(cells, values=values, clusters=Clusters(codes=codes, names=clusters.names))


def joined_units(tables: Sequence[Results]) -> tuple[str, Clusters | None]:
    """Return the unit and the clusters of tables under one another; folds and items do not go together."""
    units = {table.unit for table in tables}
    if len(units) > 1:
        raise InputError(
            f"The tables are of different kinds: rows are {' and '.join(f'{unit}s' for unit in sorted(units))}.",
            why="An item is no fold of a data set; what is tested on one is not tested on the other.",
            mend="Compare them one at a time, or name the column of items in each.",
        )
    held = [table.clusters for table in tables]
    if all(each is None for each in held):
        return units.pop(), None
    if any(each is None for each in held):
        raise InputError(
            "Some of the tables have clusters, others have none.",
            why="Items without a cluster would count as one.",
            mend=f"Add the column of clusters to all of them, or leave clusters out: {ignoring_clusters()}.",
        )
    known: dict[str, int] = {}
    parts = []
    for each in held:
        assert each is not None
        place = np.array([known.setdefault(name, len(known)) for name in each.names], dtype=np.int32)
        parts.append(place[each.codes])
    return units.pop(), Clusters(codes=np.concatenate(parts), names=tuple(known))


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
            why="A share lies between 0 and 1.",
            mend="Correct the row, or name the columns the other way round.",
        )
    return np.asarray(np.divide(passed, n, out=np.full(len(n), np.nan), where=n > 0))
