"""From raw columns to cells: long form or wide, every column read as what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from tiebreak._checks import FloatArray, check_choices
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.answer_words import answers_as_numbers
from tiebreak.results.cells import Cells, check_size, order_cells
from tiebreak.results.columns import Columns, LineOf, Names, Where
from tiebreak.results.hosts import hosts_in, placed
from tiebreak.results.item_columns import (
    FOLD,
    ITEM,
    ONE_BENCHMARK,
    SHARE,
    TOTAL,
    clustered,
    shares_of,
    sorted_along,
)
from tiebreak.results.metric_column import METRIC, metric_header, metrics_by_dataset
from tiebreak.results.metrics import described, metric_named
from tiebreak.results.roles import FRAME, ROLES, WIDE_SCORE, find_roles
from tiebreak.wording import option

_MANY = 1_000_000  # rows from which the key columns are coded in parallel


_MANY_ROWS = 20
"""So many rows of nothing but 0 and 1 are rather items than data sets."""


class NoDataset(InputError):
    """Rows name the algorithm and no data set."""


def build_cells(
    columns: Columns,
    *,
    scores: Sequence[str] | None = None,
    roles: Mapping[str, str] | None = None,
    source: str = "the table",
    line_of: LineOf | None = None,
) -> Cells:
    """Read columns in long form if one of them names the algorithm, in wide form otherwise."""
    if not columns or not len(next(iter(columns.values()))):
        raise InputError(
            f"{source} holds no rows.", why="There is nothing to compare.", mend="Give a table with results in it."
        )
    found, notes = find_roles(columns, roles or {}, source)
    if "item" in found:
        columns, more = answers_as_numbers(columns, found, scores)
        notes = (*notes, *more)
    header = found.get(METRIC) or metric_header(columns, [*found.values(), *(scores or ())])
    if header is not None and _needs_metric(header, columns, found, scores):
        found[METRIC] = header
    reader = _Reader(columns=columns, found=found, source=source, line_of=line_of)
    cells = reader.long(scores) if "algorithm" in found else reader.wide(scores)
    return replace(cells, notes=(*notes, *cells.notes))


def _needs_metric(header: str, columns: Columns, found: Mapping[str, str], scores: Sequence[str] | None) -> bool:
    """Say whether some score leaves open by which metric it is: a column that was named for others is refused."""
    free = [name for name in columns if name not in (header, *found.values())]
    names = scores if scores is not None else free if "algorithm" in found else [WIDE_SCORE]
    needs = bool(described(map(metric_named, names)))
    if not needs and METRIC in found:
        raise OptionError(
            f"Column {header!r} was said to name the metric, but {quoted(names)} says it already.",
            why="It is not clear which of them says by what metric the scores are.",
            mend="Leave the metric out, or call the column of scores 'score'.",
        )
    return needs


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    """Reads one set of columns whose roles are known."""

    columns: Columns
    found: Mapping[str, str]
    source: str
    line_of: LineOf | None

    def where(self, header: str, *, mend: str = "") -> Where:
        return Where(column=header, source=self.source, line_of=self.line_of, mend=mend)

    def keys(self, roles: Sequence[str]) -> dict[str, Names]:
        """Code the key columns; a role without a column has the one name '1'."""
        length = len(next(iter(self.columns.values())))
        single = Names(codes=np.zeros(length, dtype=np.int32), names=("1",))

        def coded(role: str) -> Names:
            header = self.found.get(role)
            if header is None and role == "dataset":
                return Names(codes=single.codes, names=(ONE_BENCHMARK,))
            return single if header is None else self.columns[header].as_names(self.where(header))

        if length < _MANY:
            return {role: coded(role) for role in roles}
        with ThreadPoolExecutor(len(roles)) as pool:  # the libraries release the interpreter lock
            return dict(zip(roles, pool.map(coded, roles), strict=True))

    def long(self, scores: Sequence[str] | None) -> Cells:
        if "dataset" not in self.found and self.unit == FOLD:
            raise NoDataset(
                f"{self.source} has a column for the algorithm but none for the data set.",
                why="A score belongs to an algorithm on a data set.",
                mend=f"Name it: {option(columns={'dataset': ...})}; or, of models on items, the column of these:"
                f" {option(columns={'item': self._items()})}. The columns are {quoted(self.columns)}.",
            )
        free = [header for header in self.columns if header not in self.found.values()]
        wanted = self._wanted(free, scores)
        keys = self.keys(ROLES)
        values = {header: self._finite(self.where(header)) for header in wanted} | self._totals()
        hosts, slot = hosts_in(self.columns, free, wanted)
        unread = [header for header in free if header not in wanted]
        if self.unit == ITEM:  # a number that is no known measure may count answers
            unread += [header for header in wanted if len(wanted) > 1 and metric_named(header).higher_is_better is None]
            unread.sort(key=lambda header: not self.columns[header].is_number())
        metrics, clusters = self._metrics(keys["dataset"]), self._clusters()
        at = self.where(self.found.get("dataset", self.found["algorithm"])).at
        plain = self.source if self.unit == FOLD and not slot else ""
        cells = order_cells(
            keys, values | slot | sorted_along(clusters), at=at, unread=unread, unit=self.unit, source=plain
        )
        cells = replace(clustered(cells, clusters), metrics=metrics, unit=self.unit)
        return placed(cells, hosts)

    @property
    def unit(self) -> str:
        """What a row is, by the roles that columns play."""
        return ITEM if "item" in self.found else TOTAL if "n" in self.found else FOLD

    def _clusters(self) -> Names | None:
        header = self.found.get("cluster")
        return None if header is None or self.unit != ITEM else self.columns[header].as_names(self.where(header))

    def _totals(self) -> dict[str, FloatArray]:
        """Read totals: how many items, how many of them passed, and the share where both are there."""
        if self.unit != TOTAL:
            return {}
        held = {role: self._finite(self.where(self.found[role])) for role in ("passed", "n") if role in self.found}
        if "passed" in held:
            held[SHARE] = shares_of(held["passed"], held["n"], self.where(self.found["passed"]).at)
        return held

    def _metrics(self, datasets: Names) -> dict[str, str]:
        """Read the column of metrics before rows are identified: a row for each metric is the likelier mistake."""
        header = self.found.get(METRIC)
        return {} if header is None else metrics_by_dataset(self.columns, header, datasets, self.where(header))

    def _wanted(self, free: list[str], scores: Sequence[str] | None) -> list[str]:
        """Return the columns to read: all, and then text among them is refused, or those that were named."""
        check_choices("column", scores or (), free, mend=f"It was asked for as a score of {self.source}.")
        wanted = list(scores) if scores is not None else free
        if not wanted and "passed" in self.found:
            return []
        if not wanted:
            raise InputError(
                f"{self.source} has no column with scores.",
                why=f"Beside {quoted(self.found.values())} nothing is left.",
                mend="Add a column such as accuracy.",
            )
        self._check_named(wanted)
        if scores is None:
            for header in wanted:
                if not self.columns[header].is_number():
                    raise InputError(
                        f"Column {header!r} of {self.source} does not hold numbers and is not a known key.",
                        why="Left in, it might distinguish rows; left out silently, results might be lost.",
                        mend=f"Name the columns to read ({option(scores=[...])}), or its role"
                        f" ({self._as_role(header)}).",
                    )
        return wanted

    def _items(self) -> str:
        """Guess the column of items for a message: the one with most different names that is no score."""
        others = [h for h in self.columns if h not in self.found.values() and metric_named(h).higher_is_better is None]
        return max(others, key=lambda header: len(self.columns[header].coded().names), default="...")

    def _as_role(self, header: str) -> str:
        if self.unit != ITEM:
            return option(columns={"replication": header})
        others = [role for role in ("epoch", "dataset") if role not in self.found]
        return " or ".join(option(columns={role: header}) for role in ("cluster", *others))

    def _check_named(self, headers: Iterable[str]) -> None:
        """Refuse a nameless column: it is nearly always the index that pandas wrote along."""
        for header in headers:
            if not header.strip() or re.fullmatch(r"Unnamed: \d+", header):  # the latter: pandas on reading
                raise InputError(
                    f"Column {list(self.columns).index(header) + 1} of {self.source} has no name (its header is"
                    f" {header!r}).",
                    why="Its numbers would be taken for results.",
                    mend="Name it or delete it; pandas writes its index as such a column unless told"
                    " frame.to_csv(..., index=False).",
                )

    def _finite(self, where: Where) -> FloatArray:
        values = self.columns[where.column].as_numbers(where)
        check_size(values, lambda row: f"{where.at(row)}: {where.column}")
        return values

    def wide(self, scores: Sequence[str] | None) -> Cells:
        found = dict(self.found)
        if "dataset" not in found and self.unit == FOLD:
            found["dataset"] = self._first_text_column()
        headers = [header for header in self.columns if header not in found.values()]
        self._check_wide(headers, scores or ())
        if scores is not None and len(scores) > 1:
            raise OptionError(
                f"{len(scores)} scores were named for {self.source}, which is in wide form.",
                why="A wide table (rows data sets, columns algorithms) holds one score.",
                mend="Name one, or give a table in long form with a column 'algorithm'.",
            )
        cells = replace(self, found=found)._melt(headers, scores[0] if scores else WIDE_SCORE)
        return replace(cells, notes=(*cells.notes, *self._maybe_items(cells, found)))

    def _maybe_items(self, cells: Cells, found: Mapping[str, str]) -> Caveats:
        """Ask whether rows are items, where every score is right or wrong."""
        rows = len(next(iter(self.columns.values())))
        values = np.concatenate(list(cells.values.values()))
        known = values[~np.isnan(values)]
        if self.unit != FOLD or rows < _MANY_ROWS or not bool(((known == 0) | (known == 1)).all()):
            return ()
        told = option(columns={"item": found["dataset"]})
        text = f"Every score is 0 or 1: are the {rows:,} data sets items, such as questions? Then name them so: {told}."
        return (Caveat("maybe-items", text),)

    def _check_wide(self, headers: list[str], scores: Sequence[str]) -> None:
        """Refuse a table in long form whose column of algorithms goes by an unknown name."""
        self._check_named(headers)
        telling = [name for name in headers if name in scores or metric_named(name).higher_is_better is not None]
        if telling:
            others = [name for name in headers if name not in telling]
            texts = [name for name in others if not self.columns[name].is_number()]
            guess = (texts or others or ["..."])[0]
            raise InputError(
                f"{self.source} has a column {telling[0]!r} but none that names the algorithms.",
                why="In wide form every column beside the data set is an algorithm, and this one is a score or cost.",
                mend=f"Name it: {option(columns={'algorithm': guess})}; or rename {telling[0]!r} if it is an"
                " algorithm.",
            )

    def _first_text_column(self) -> str:
        """Guess the data sets of a wide table, but never from numbers: they may be scores."""
        first = next(header for header in self.columns if header != self.found.get(METRIC))
        if self.columns[first].is_number():
            index = " (frame.reset_index() if the index of the frame names them)" if self.source == FRAME else ""
            raise InputError(
                f"No column of {self.source} names the data sets: the first one, {first!r}, holds numbers.",
                why="Rows are identified by the name of their data set.",
                mend=f"Add a first column 'dataset'{index}, or say {option(columns={'dataset': first})} if these"
                " numbers are the names.",
            )
        return first

    def _melt(self, headers: list[str], score: str) -> Cells:
        """Turn the wide form into cells without a Python object a cell: keys repeat, algorithms alternate."""
        if not headers:
            raise InputError(
                f"{self.source} has no column beside {quoted(self.found.values())}.",
                why="In wide form every other column is an algorithm.",
                mend="Add the algorithms as columns, or a column 'algorithm' for long form.",
            )
        keys = self.keys(("dataset", "replication", "fold"))
        rows, count = len(next(iter(self.columns.values()))), len(headers)
        order = sorted(range(count), key=lambda i: headers[i])
        spread = {role: Names(codes=np.repeat(key.codes, count), names=key.names) for role, key in keys.items()}
        spread["algorithm"] = Names(
            codes=np.tile(np.arange(count, dtype=np.int32), rows), names=tuple(headers[i] for i in order)
        )
        wheres = [self.where(headers[i], mend=_of_text(headers[i])) for i in order]
        block = np.stack([self._finite(where) for where in wheres], axis=1)
        where, clusters = self.where(self.found.get("dataset", self.found.get("item", ""))), self._clusters()
        if clusters is not None:
            clusters = Names(codes=np.repeat(clusters.codes, count), names=clusters.names)
        values = {score: block.ravel()} | sorted_along(clusters)
        cells = order_cells(spread, values, at=lambda cell: where.at(cell // count), unit=self.unit)
        return replace(clustered(cells, clusters), metrics=self._metrics(keys["dataset"]), unit=self.unit)


def _of_text(header: str) -> str:
    """Say what to do about text in a column of a wide table."""
    say = option(columns={"algorithm": header})
    return f"Correct the cell, or, if {header!r} names the algorithms, say {say}."
