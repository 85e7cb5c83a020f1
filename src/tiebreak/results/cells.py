"""Raw columns, dictionaries and arrays to cells: read in long or wide form, checked, and put into canonical order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_choices, check_names
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.results.columns import (
    NO_NUMBER,
    Column,
    Columns,
    LineOf,
    ListColumn,
    Names,
    Where,
    check_headers,
    full_codes,
    sorted_names,
)
from tiebreak.results.items import FOLD, ITEM, ONE_BENCHMARK, SHARE, TOTAL, shares_of, with_epochs
from tiebreak.results.metrics import described, metric_named
from tiebreak.results.roles import (
    FRAME,
    METRIC,
    ROLES,
    WIDE_SCORE,
    Hosts,
    find_roles,
    hosts_in,
    metric_header,
    metrics_by_dataset,
    score_names,
)
from tiebreak.wording import option

LARGEST = 1e150
"""Scores beyond this are refused: the sum of their squares would overflow."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """Checked cells in canonical order: by data set, algorithm, replication, fold."""

    keys: Mapping[str, Names]
    values: Mapping[str, FloatArray]
    notes: Caveats = ()
    metrics: Mapping[str, str] = field(default_factory=dict)
    """The metric of each data set, where a column names it."""
    hosts: Hosts | None = None
    """Where every cell was measured, if a column says so and there is a time among the values."""
    unit: str = FOLD
    """What a row is: a fold, an item, or a total."""
    clusters: Names | None = None
    """The cluster of every cell, where items have some."""


def check_text(names: Iterable[str]) -> None:
    """Refuse a name that cannot be written in UTF-8, such as half a character from a broken JSON file."""
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"The name {name!r} is not proper text.", mend="Correct it where it was written."
            ) from None


def check_size(values: FloatArray, at: Callable[[int], str]) -> None:
    """Refuse infinite and overlarge values."""
    huge = (values > LARGEST) | (values < -LARGEST)
    if huge.any():
        row = int(np.argmax(huge))
        raise InputError(
            f"{at(row)} is {values[row]}.",
            why=f"Sums and squares of values beyond {LARGEST:g} overflow, so it cannot be averaged or tested.",
            mend="Correct it, or leave it missing (an empty cell, NaN) if the run failed.",
        )


def order_cells(
    keys: Mapping[str, Names],
    values: Mapping[str, FloatArray],
    *,
    hosts: Hosts | None = None,
    clusters: Names | None = None,
    at: Callable[[int], str] = str,
    unread: Sequence[str] = (),
    unit: str = FOLD,
    source: str = "",
) -> Cells:
    """Put cells into canonical order and refuse two values for one cell; `at` says where a cell was read.

    With a source, the few data sets that are there several times as a whole are averaged instead.
    """
    place = cell_places(keys)
    if len(place) < 2 or bool((place[1:] > place[:-1]).all()):
        return Cells(keys=keys, values=values, hosts=hosts, clusters=clusters, unit=unit)
    sizes = [len(keys[role].names) for role in ROLES]
    room = int(np.prod(sizes, dtype=object))
    sort = _sorter(place, room)
    if sort is None:
        if source and (twice := _measured_twice(keys, place)):
            return _averaged(keys, values, place, twice, source)
        raise _duplicate(keys, place, at, unread, unit)
    codes = full_codes(ROLES, sizes) if room == len(place) else {role: sort(keys[role].codes) for role in ROLES}
    return Cells(
        keys={role: Names(codes=codes[role], names=keys[role].names) for role in ROLES},
        values={name: sort(column) for name, column in values.items()},
        hosts=None if hosts is None else replace(hosts, codes=sort(hosts.codes)),
        clusters=None if clusters is None else replace(clusters, codes=sort(clusters.codes)),
        unit=unit,
    )


def cell_places(keys: Mapping[str, Names]) -> IntArray:
    """Number the cells that rows belong to, in canonical order; a role without names counts for nothing."""
    place = np.zeros(len(keys["dataset"].codes), dtype=np.int64)
    for role in ROLES:
        if role in keys and len(keys[role].names) > 1:
            place *= len(keys[role].names)
            place += keys[role].codes
    return place


def _sorter(place: IntArray, room: int) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]] | None:
    """Return what sorts columns by the places of their rows, or None where two places are equal."""
    if room > 4 * len(place) + 1_000_000:
        order = np.argsort(place, kind="stable")
        return None if bool((np.diff(place[order]) == 0).any()) else lambda column: column[order]
    taken = np.zeros(room, dtype=bool)
    taken[place] = True
    if np.count_nonzero(taken) < len(place):
        return None

    def sort(
        column: npt.NDArray[Any],
    ) -> npt.NDArray[Any]:  # into slots: faster than a permutation where most are taken
        slots = np.empty(room, dtype=column.dtype)
        slots[place] = column
        return slots if room == len(place) else slots[taken]

    return sort


_FEW = 0.05
"""At most this share of the data sets may be there several times for their rows to be averaged unasked."""


def _measured_twice(keys: Mapping[str, Names], place: IntArray) -> list[str]:
    """Name the data sets of which every cell is there equally often, if no other is there twice and they are few."""
    _, cell, counts = np.unique(place, return_inverse=True, return_counts=True)
    often, sets = counts[cell], keys["dataset"]
    names = []
    for code in np.unique(sets.codes[often > 1]).tolist():
        if len(np.unique(often[sets.codes == code])) > 1:
            return []
        names.append(sets.names[code])
    return names if len(names) <= _FEW * len(sets.names) else []


def _averaged(
    keys: Mapping[str, Names], values: Mapping[str, FloatArray], place: IntArray, twice: Sequence[str], source: str
) -> Cells:
    """Average the rows of each cell; all readings of so few data sets give the same answer but for a trifle."""
    _, first, cell = np.unique(place, return_index=True, return_inverse=True)
    means = {}
    for name, column in values.items():
        order = np.lexsort((column, cell))  # sums that do not depend on the order of the rows
        means[name] = np.bincount(cell[order], weights=column[order]) / np.bincount(cell)
    several = f"{len(twice)} data sets are" if len(twice) > 1 else "1 data set is"
    text = f"{source}: {several} there several times for every algorithm; the rows are averaged: {quoted(twice)}."
    return Cells(
        keys={role: Names(codes=key.codes[first], names=key.names) for role, key in keys.items()},
        values=means,
        notes=(Caveat("duplicates-settled", text),),
    )


def _duplicate(
    keys: Mapping[str, Names], place: IntArray, at: Callable[[int], str], unread: Sequence[str], unit: str
) -> InputError:
    """An unread column may be what distinguishes the rows, such as a seed, so it is named before deleting is."""
    order = np.argsort(place, kind="stable")
    second = int(np.argmax(np.diff(place[order]) == 0)) + 1
    rows = sorted((int(order[second - 1]), int(order[second])))
    repeated = len(place) - len(np.unique(place))
    called = {"fold": "item", "replication": "epoch"} if unit == ITEM else {}
    cell = ", ".join(
        f"{called.get(role, role)} {keys[role].at(rows[0])!r}"
        for role in ROLES
        if role in ("dataset", "algorithm") or len(keys[role].names) > 1
    )
    hint = (
        f"If one of the unread columns {quoted(unread)} distinguishes them, name its role:"
        f" {option(columns={'replication': unread[0]})}."
        if unread
        else "Delete one of them, or add a column 'fold' or 'replication' that distinguishes them."
    )
    if unit == ITEM:
        hint = (
            f"If these are repeated answers, name or add the column that counts them: {option(columns={'epoch': ...})};"
            " otherwise delete one."
        )
        if unread:
            roles = [option(columns={role: unread[0]}) for role in ("epoch", "dataset")]
            hint = (
                f"If {quoted(unread, limit=3)} distinguishes them, name its role: {roles[0]} where these are repeated"
                f" answers, {roles[1]} where items are of several benchmarks; otherwise delete one."
            )
    hint += f" If they are of several settings, such as budgets, read one: {option(where='COLUMN == value')}."
    return InputError(
        f"Two scores for one cell ({cell}): {at(rows[0])} and {at(rows[1])} ({repeated} repeated in all).", mend=hint
    )


def dict_columns(data: Mapping[Any, Any], *, score: str, source: str) -> Columns:
    """Split a dictionary of columns, or {data set: {algorithm: score or list of fold scores}}, into columns.

    Examples
    --------
    >>> list(dict_columns({"iris": {"svm": [0.9, 0.8]}}, score="accuracy", source="the dictionary"))
    ['dataset', 'algorithm', 'fold', 'accuracy']
    """
    if data and all(isinstance(value, Mapping) for value in data.values()):
        return _unnested(data, score, source)
    for name, value in data.items():
        flat = hasattr(value, "__len__") and getattr(value, "ndim", 1) == 1
        if not flat or isinstance(value, (str, bytes, Mapping, set, frozenset)):
            raise InputError(
                f"{source} holds a value of type {type(value).__name__} under {name!r}, which is no column.",
                mend="Write it as {'dataset': [...], 'algorithm': [...], 'accuracy': [...]}.",
            )
    lengths = {name: len(column) for name, column in data.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"The columns of {source} have different lengths: {lengths}.", mend="Make them equally long.")
    check_headers(list(data), source)
    return {str(name): ListColumn(column) for name, column in data.items()}


def record_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    """Turn records into columns; what a record lacks is missing."""
    names = dict.fromkeys(key for row in rows for key in row)
    return {name: ListColumn([row.get(name) for row in rows]) for name in names}


def _unnested(data: Mapping[Any, Mapping[Any, Any]], score: str, source: str) -> Columns:
    """The roles as keys betray records that were nested another way, as pandas writes them by default."""
    rows: dict[str, list[Any]] = {"dataset": [], "algorithm": [], "fold": [], score: []}
    for dataset, inner in data.items():
        if not inner or dataset in ROLES or any(role in inner for role in ROLES):
            raise InputError(
                f"{source} is nested, but {dataset!r} does not hold scores by algorithm.",
                mend="Write the rows as records: [{'dataset': ..., 'algorithm': ..., 'accuracy': ...}, ...]"
                " (in pandas frame.to_json(orient='records')).",
            )
        for algorithm, scores in inner.items():
            folds = list(scores) if isinstance(scores, (list, tuple, np.ndarray)) else [scores]
            if not folds:
                raise InputError(
                    f"{source} holds an empty list of scores for {algorithm!r} on {dataset!r}.",
                    mend="Delete the entry, or write NaN (null in JSON) if the run failed.",
                )
            rows["dataset"] += [str(dataset)] * len(folds)
            rows["algorithm"] += [str(algorithm)] * len(folds)
            rows["fold"] += range(1, len(folds) + 1)
            rows[score] += folds
    return {key: ListColumn(column) for key, column in rows.items()}


def array_cells(
    array: npt.ArrayLike,
    *,
    score: str | None,
    scores: str | None = None,
    algorithms: Sequence[str] | None,
    datasets: Sequence[str] | None,
) -> Cells:
    """Turn an array (data sets, algorithms), with folds or (replications, folds) as further axes, into cells."""
    if scores is not None:
        score = (score_names(scores, score) or [None])[0]  # type: ignore[list-item]
    if not isinstance(score, str) or score in ROLES:
        raise OptionError(f"score is {score!r}.", mend="Use a name such as score='accuracy'.")
    cube = as_floats(array, what="array")
    if not 2 <= cube.ndim <= 4 or 0 in cube.shape:
        raise InputError(
            f"array has shape {cube.shape}.", mend="Pass an array with two to four axes, none of them empty."
        )
    check_size(cube.ravel(), lambda cell: f"array[{', '.join(map(str, np.unravel_index(cell, cube.shape)))}]")
    cube = cube[:, :, None, :] if cube.ndim == 3 else cube.reshape(*cube.shape, 1, 1) if cube.ndim == 2 else cube
    names = {
        "dataset": check_names(datasets, cube.shape[0], kind="data set"),
        "algorithm": check_names(algorithms, cube.shape[1], kind="algorithm"),
        "replication": tuple(str(i + 1) for i in range(cube.shape[2])),
        "fold": tuple(str(i + 1) for i in range(cube.shape[3])),
    }
    grid = np.indices(cube.shape, dtype=np.int32).reshape(4, -1)
    keys = {role: sorted_names(grid[i], names[role]) for i, role in enumerate(ROLES)}
    return order_cells(keys, {score: cube.ravel()})


_MANY = 1_000_000  # rows from which the key columns are coded in parallel


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
        raise InputError(f"{source} holds no rows.", mend="Give a table with results in it.")
    result, notes = find_roles(columns, roles or {}, source)
    if "item" in result:
        columns, more = answers_as_numbers(columns, result, scores)
        result, epochs = with_epochs(columns, result, scores)
        notes = (*notes, *more, *epochs)
    header = result.get(METRIC) or metric_header(columns, [*result.values(), *(scores or ())])
    if header is not None and _needs_metric(header, columns, result, scores):
        result[METRIC] = header
    reader = _Reader(columns=columns, found=result, source=source, line_of=line_of)
    cells = reader.long(scores) if "algorithm" in result else reader.wide(scores)
    return replace(cells, notes=(*notes, *cells.notes))


def _needs_metric(header: str, columns: Columns, result: Mapping[str, str], scores: Sequence[str] | None) -> bool:
    """Say whether some score leaves open by which metric it is: a column that was named for others is refused."""
    free = [name for name in columns if name not in (header, *result.values())]
    names = scores if scores is not None else free if "algorithm" in result else [WIDE_SCORE]
    needs = bool(described(map(metric_named, names)))
    if not needs and METRIC in result:
        raise OptionError(
            f"Column {header!r} was given as the metric column, but {quoted(names)} says it already.",
            mend="Leave the metric out, or call the column of scores 'score'.",
        )
    return needs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
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
                mend=f"If the rows of each algorithm are folds of one data set: {option(columns={'fold': '#'})}; if"
                f" they are data sets, in the same order: {option(columns={'dataset': '#'})}.{self._items()}",
            )
        free = [header for header in self.columns if header not in self.found.values()]
        wanted = self._wanted(free, scores)
        keys = self.keys(ROLES)
        values = {header: self._finite(self.where(header)) for header in wanted} | self._totals()
        hosts = hosts_in(self.columns, free, wanted)
        unread = [header for header in free if header not in wanted]
        if self.unit == ITEM:  # a number that is no known measure may count answers
            unread += [header for header in wanted if len(wanted) > 1 and metric_named(header).higher_is_better is None]
            unread.sort(key=lambda header: not self.columns[header].is_number())
        metrics = self._metrics(keys["dataset"])
        cells = order_cells(
            keys, values, hosts=hosts, clusters=self._clusters(), unread=unread, unit=self.unit,
            at=self.where(self.found.get("dataset", self.found["algorithm"])).at,
            source=self.source if self.unit == FOLD and hosts is None else "",
        )  # fmt: skip
        return replace(cells, metrics=metrics)

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
        check_choices("column", scores or (), free, mend=f"It was requested as a score of {self.source}.")
        wanted = list(scores) if scores is not None else free
        if not wanted and "passed" in self.found:
            return []
        if not wanted:
            raise InputError(f"{self.source} has no column with scores.", mend="Add a column such as accuracy.")
        self._check_named(wanted)
        if scores is None:
            for header in wanted:
                if not self.columns[header].is_number():
                    raise InputError(
                        f"Column {header!r} of {self.source} does not hold numbers and is not a known key.",
                        mend=f"Name the columns to read ({option(scores=[...])}), or its role"
                        f" ({self._as_role(header)}).",
                    )
        return wanted

    def _items(self) -> str:
        """Guess the column of items for a message: the one with most different names that is no score."""
        others = [h for h in self.columns if h not in self.found.values() and metric_named(h).higher_is_better is None]
        if not others:
            return ""
        best = max(others, key=lambda header: len(self.columns[header].coded().names))
        return f" If they are answers to items, name the column of these: {option(columns={'item': best})}."

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
                    mend="Name it or delete it; pandas writes its index as such a column unless told"
                    " frame.to_csv(..., index=False).",
                )

    def _finite(self, where: Where) -> FloatArray:
        values = self.columns[where.column].as_numbers(where)
        check_size(values, lambda row: f"{where.at(row)}: {where.column}")
        return values

    def wide(self, scores: Sequence[str] | None) -> Cells:
        result = dict(self.found)
        if "dataset" not in result and self.unit == FOLD:
            result["dataset"] = self._first_text_column()
        headers = [header for header in self.columns if header not in result.values()]
        self._check_wide(headers, scores or ())
        if scores is not None and len(scores) > 1:
            raise OptionError(
                f"{len(scores)} scores were named for {self.source}, which is in wide form.",
                mend="Name one, or give a table in long form with a column 'algorithm'.",
            )
        return replace(self, found=result)._melt(headers, scores[0] if scores else WIDE_SCORE)

    def _check_wide(self, headers: list[str], scores: Sequence[str]) -> None:
        """Refuse a table in long form whose column of algorithms goes by an unknown name."""
        self._check_named(headers)
        telling = [name for name in headers if name in scores or metric_named(name).higher_is_better is not None]
        if telling:
            others = [name for name in headers if name not in telling]
            texts = [name for name in others if not self.columns[name].is_number()]
            several = [n for n in texts if len(self.columns[n].coded().names) > 1]
            texts = sorted(several, key=lambda n: len(self.columns[n].coded().names)) or texts
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
                mend=f"Add a first column 'dataset'{index}, or say {option(columns={'dataset': first})} if these"
                " numbers are the names.",
            )
        return first

    def _melt(self, headers: list[str], score: str) -> Cells:
        """Turn the wide form into cells without a Python object a cell: keys repeat, algorithms alternate."""
        if not headers:
            raise InputError(
                f"{self.source} has no column beside {quoted(self.found.values())}.",
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
        cells = order_cells(
            spread, {score: block.ravel()}, clusters=clusters, at=lambda cell: where.at(cell // count), unit=self.unit
        )
        return replace(cells, metrics=self._metrics(keys["dataset"]))


def _of_text(header: str) -> str:
    """Say what to do about text in a column of a wide table."""
    say = option(columns={"algorithm": header})
    return f"Correct the cell, or, if {header!r} names the algorithms, say {say}."


WORDS = {
    ("true", "false"), ("yes", "no"), ("y", "n"), ("pass", "fail"), ("passed", "failed"), ("correct", "incorrect"),
    ("right", "wrong"), ("success", "failure"), ("resolved", "unresolved"), ("solved", "unsolved"),
}  # fmt: skip
"""Pairs of words, the first for an answer that is right."""
_PERCENT = re.compile(r"[-+]?\d+(?:\.\d+)?\s*%")


def answers_as_numbers(
    columns: Columns, result: Mapping[str, str], scores: Sequence[str] | None
) -> tuple[Columns, Caveats]:
    """Turn columns that hold one pair of words, or percentages, into numbers; others stay as they are.

    Only the columns that may hold scores are looked at: those that were named, or all that play no role.

    Examples
    --------
    >>> held = {"item": ListColumn(["a", "b"]), "correct": ListColumn(["yes", "no"])}
    >>> from tiebreak.results.columns import Where
    >>> columns, notes = answers_as_numbers(held, {"item": "item"}, None)
    >>> columns["correct"].as_numbers(Where(column="correct")).tolist(), str(notes[0])
    ([1.0, 0.0], "Column 'correct' says yes and no, which was read as 1 and 0.")
    """
    options = set(columns) if scores is None or "algorithm" not in result else set(scores)
    out, notes = dict(columns), list[Caveat]()
    for header, column in columns.items():
        if header not in options or header in result.values() or column.is_number():
            continue
        named = column.coded()
        if (reading := _numbers(header, named.names)) is None:
            continue
        values, sentence = reading
        out[header] = ListColumn(np.append(np.array(values), np.nan)[named.codes])  # the last is that of missing cells
        notes += [Caveat("read-as", sentence)] if sentence else []
    return out, tuple(notes)


def _numbers(header: str, names: Sequence[str]) -> tuple[list[float], str] | None:
    """Return what every word stands for, NaN for none, and a sentence on it; None where some word is of no one pair."""
    words = [name.strip().lower() for name in names]
    there = {word for word in words if word not in NO_NUMBER}
    if there and all(_PERCENT.fullmatch(word) for word in there):
        shares = [np.nan if word in NO_NUMBER else float(word.rstrip("% ")) / 100.0 for word in words]
        return shares, f"Percentages of column {header!r} were read as shares of 1."
    pair = next((pair for pair in WORDS if there and there <= set(pair)), None)
    if pair is None:
        return None
    values = [np.nan if word in NO_NUMBER else float(word == pair[0]) for word in words]
    held = sorted((-value, name) for value, name in zip(values, names, strict=True) if value == value)
    numbers = " and ".join(f"{-value:g}" for value, _ in held)
    text = f"Column {header!r} says {' and '.join(name for _, name in held)}, which was read as {numbers}."
    return values, "" if pair == ("true", "false") else text
