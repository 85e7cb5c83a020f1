"""A wide table, either way round: names in the first column and in the header, one score or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiebreak.errors import InputError, quoted
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.heads import (
    Head,
    describing,
    heads_of,
    is_metric,
    metric_word,
)
from tiebreak.readers.understanding.layout import FAILURE, GAP, NUMBER, Item, Layout, Style, holds_results, style_of
from tiebreak.readers.understanding.notes import (
    Failure,
    LeftOut,
    Notes,
    Problem,
    Told,
    Understood,
    Way,
    ambiguous,
    unclear,
    unreadable,
)
from tiebreak.readers.understanding.words import Axes, axes_of
from tiebreak.results.columns import ListColumn, TextColumn
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import METRIC, WIDE_SCORE
from tiebreak.wording import option


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Row:
    """One row of the body with its name and the keys that stand beside it."""

    name: str
    items: tuple[Item, ...]
    keys: tuple[tuple[str, str], ...] = ()
    metric: str = ""

    @property
    def line(self) -> int:
        """The line of the file."""
        return self.items[0].cell.line


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entry:
    """One value: its row, its column, and the cell with its standard deviation if it has one of its own."""

    row: Row
    head: Head
    item: Item
    metric: str = ""
    sd: Item | None = None


def understand_wide(layout: Layout, names: int, keys: dict[str, int], told: Told, notes: Notes) -> Understood:
    """Read a wide table whose rows are named by column `names`; `keys` are the columns of folds and the like."""
    taken = {names, *keys.values(), *notes.taken}
    places = [place for place in range(len(layout.headers)) if place not in taken]
    numbers = [place for place in places if holds_results(layout.headers[place], layout.column(place))]
    notes.texts(layout, [place for place in places if place not in numbers])
    heads = heads_of(layout, numbers, told)
    notes.left.extend(heads.left_out)
    notes.problems.extend(heads.problems)
    if len(layout.levels) == 1:
        notes.beside([(layout.headers[head.place], head) for head in heads.columns])
    columns = _columns(layout, heads.columns, told, notes)
    if not columns and not notes.problems:
        raise _no_results(layout, names, notes)
    rows = _rows(layout, names, keys, columns, told, notes)
    rows = _by_metric(rows) if METRIC in keys else rows
    axes = _axes(layout, names, heads.titles, rows, columns, notes)
    transposed = axes.transposed if told.transpose is None else told.transpose
    if transposed is None and columns and rows:
        notes.problems.append(
            unclear_axes(axes, rows=[row.name for row in rows], columns=[head.name for head in columns])
        )
    if transposed and told.transpose is None:
        notes.transposed(axes.said(transposed=True))
    if transposed:
        usual, turned = option(algorithms=[...]), option(datasets=[...])
        notes.left = [replace(each, keep=turned) if each.keep == usual else each for each in notes.left]
        rows = list(_described_rows(rows, told, notes))
    return _gathered(layout, rows, columns, heads.titles, told, notes, axes, transposed=bool(transposed))


def _columns(layout: Layout, heads: Sequence[Head], told: Told, notes: Notes) -> list[Head]:
    """Return the columns of results: those that were named, or all that neither describe nor sum up."""
    wanted = set(told.algorithms or ())
    if wanted and told.transpose is not True and wanted <= {head.name for head in heads}:
        return [head for head in heads if head.name in wanted]
    outside, asked = describing(layout, heads, told)
    notes.left.extend(outside)
    notes.problems.extend(asked)
    gone = {left.name for left in outside}
    return [head for head in heads if head.name not in gone]


def _no_results(layout: Layout, names: int, notes: Notes) -> InputError:
    left = f" ({quoted([each.name for each in notes.left])} left out)" if notes.left else ""
    return InputError(
        f"{layout.grid.source} has no column with results beside {layout.headers[names]!r}{left}.",
        why="In wide form every other column is an algorithm.",
        mend=f"Add the algorithms as columns, or name those that are there: {option(algorithms=[...])}.",
    )


def _rows(
    layout: Layout, names: int, keys: dict[str, int], columns: Sequence[Head], told: Told, notes: Notes
) -> list[Row]:
    """Return the rows that hold results; sections, repeated headers and summaries are left out and said."""
    out: list[Row] = []
    header = tuple(layout.headers)
    for items in layout.body:
        name = items[names].text
        row = Row(name=name, items=items, keys=tuple((role, items[place].text) for role, place in keys.items()))
        cells = [items[head.place] for head in columns]
        filled = [item for item in cells if not item.empty]
        why = ""
        if tuple(item.text for item in items) == header:
            why = "it repeats the header"
        elif not filled or (name and len(filled) > 1 and {item.text for item in filled} == {name}):
            why = "it holds no results"
        elif words.is_summary(name) and not told.keep_rows and not told.named(name):
            why = "it sums up the others"
        elif not told.keep_rows and len(layout.body) > 3 and items is layout.body[-1] and _is_mean(cells, out, columns):
            why = "its cells are the means of those above"
        if why:
            keep = option(keep_rows=True) if "others" in why or "means" in why else ""
            notes.left.append(LeftOut(what="row", name=name, place=notes.at(row.line), why=why, keep=keep))
        else:
            out.append(row)
    return out


def _is_mean(cells: Sequence[Item], rows: Sequence[Row], columns: Sequence[Head]) -> bool:
    """Say whether the last row is the mean of the others, to the digits that it holds."""
    if len(columns) < 2 or len(rows) < 3 or any(item.kind != NUMBER for item in cells):
        return False
    style = style_of([cells, *(row.items for row in rows)], None)
    varied = False
    for item, head in zip(cells, columns, strict=True):
        above = [style.value(row.items[head.place].parsed) for row in rows]
        digits = len(item.parsed.value.replace(",", ".").partition(".")[2])
        mean = float(np.nanmean(above)) if not np.isnan(above).all() else np.nan
        unit = 10.0**-digits * (0.01 if item.parsed.percent else 1.0)
        if not abs(mean - style.value(item.parsed)) <= 0.51 * unit:
            return False
        varied = varied or len(set(above)) > 1
    return varied and len({item.text for item in cells}) > 1


def _described_rows(rows: Sequence[Row], told: Told, notes: Notes) -> Iterator[Row]:
    """Of a table with data sets in columns, leave out the rows that describe them."""
    for row in rows:
        if words.describes_data(row.name) and not told.keep_rows and not told.named(row.name):
            why = "it describes the data sets and holds no results"
            keep = option(keep_rows=True)
            notes.left.append(LeftOut(what="row", name=row.name, place=notes.at(row.line), why=why, keep=keep))
        else:
            yield row


def _axes(
    layout: Layout, names: int, titles: Sequence[str], rows: Sequence[Row], columns: Sequence[Head], notes: Notes
) -> Axes:
    left = notes.left
    return axes_of(
        corner=layout.headers[names],
        rows=list(dict.fromkeys(row.name for row in rows)),
        columns=list(dict.fromkeys(head.name for head in columns)),
        above=titles,
        summary_rows=[each.name for each in left if each.what == "row" and words.is_summary(each.name)],
        summary_columns=[each.name for each in left if each.what == "column" and words.is_summary(each.name)],
        descriptions=[each.name for each in left if each.what == "column" and words.describes_data(each.name)],
    )


def _gathered(
    layout: Layout,
    rows: Sequence[Row],
    columns: Sequence[Head],
    titles: Sequence[str],
    told: Told,
    notes: Notes,
    axes: Axes,
    *,
    transposed: bool,
) -> Understood:
    """Make the long columns, or one error of all problems."""
    entries = _entries(rows, columns)
    groups = [[row.items[head.place] for head in columns] for row in rows]
    style = style_of([list(group) for group in zip(*groups, strict=True)] if transposed else groups, told.decimal)
    score = _score_name(told, titles, columns)
    _check_names(rows, columns, notes)
    _check_cells(entries, style, score, notes)
    notes.same_names(
        [(row.name, notes.at(row.line)) for row in rows], "algorithms" if transposed else "data sets", told
    )
    across = [(head.name, f"column {head.place + 1}") for head in columns if not head.sd]
    notes.same_names(across, "data sets" if transposed else "algorithms", told)
    if notes.problems:
        error = unclear(layout.grid.source, notes.problems)
        error.unnamed = score == WIDE_SCORE
        raise error
    return _long(layout, entries, style, score, told, notes, axes, transposed=transposed)


def _entries(rows: Sequence[Row], columns: Sequence[Head]) -> list[Entry]:
    """Pair rows with columns; the score is that of the column, or of the row where a data set has one for each."""
    spreads = {(head.name, head.metric): head.place for head in columns if head.sd}
    out = []
    for row in rows:
        for head in columns:
            if not head.sd:
                place = spreads.get((head.name, head.metric))
                sd = None if place is None else row.items[place]
                out.append(
                    Entry(row=row, head=head, item=row.items[head.place], metric=head.metric or row.metric, sd=sd)
                )
    return out


def _by_metric(rows: list[Row]) -> list[Row]:
    """Where a data set has a row for each of several metrics, these are scores of their own."""
    seen = [(row.name, dict(row.keys).get(METRIC)) for row in rows]
    if len({name for name, metric in seen if metric}) == len({pair for pair in seen if pair[1]}):
        return rows
    return [
        replace(row, keys=tuple(key for key in row.keys if key[0] != METRIC), metric=dict(row.keys)[METRIC])
        for row in rows
    ]


def _score_name(told: Told, titles: Sequence[str], columns: Sequence[Head]) -> str:
    """Name the one score: as told, by a title over all columns, or by the general name."""
    taken = {head.metric for head in columns if not head.sd}
    free = [name for name in told.scores or () if name not in taken]
    if free and "" in taken:
        return free[0]
    named = [
        metric_word(text)
        for text in titles
        if is_metric(text) and metric_named(metric_word(text)).higher_is_better is not None
    ]
    return named[0] if named else WIDE_SCORE


def _check_names(rows: Sequence[Row], columns: Sequence[Head], notes: Notes) -> None:
    nameless = [notes.at(row.line) for row in rows if not row.name]
    if nameless:
        notes.problems.append(
            Problem(
                one="{place} of {source}: the name is missing.",
                many="{count} rows of {source} have no name: {places}.",
                places=tuple(nameless),
                why="Every row must say to which data set, algorithm and fold it belongs.",
                mend="Fill it in, or delete the row.",
            )
        )
    seen: dict[tuple[str, str, bool], int] = {}
    twice = []
    for head in columns:
        key = (head.name, head.metric, head.sd)
        if key in seen and head.name:
            twice.append(f"{head.name!r} (columns {seen[key] + 1} and {head.place + 1})")
        seen.setdefault(key, head.place)
    if twice:
        why = "Results are identified by name, so one of them would be lost."
        one, many = "Two columns of {source} are named {place}.", "Several columns of {source} share a name: {places}."
        notes.problems.append(
            Problem(one=one, many=many, places=tuple(twice), why=why, mend="Rename one of the columns.")
        )
    empty = [f"column {head.place + 1}" for head in columns if not head.name]
    if empty:
        notes.problems.append(
            Problem(
                one="{place} of {source} holds numbers but has no name.",
                many="{count} columns of {source} hold numbers but have no name: {places}.",
                places=tuple(empty),
                why="Its numbers would be taken for results.",
                mend="Name it or delete it.",
            )
        )


def _check_cells(entries: Sequence[Entry], style: Style, score: str, notes: Notes) -> None:
    placed = [(each.item, f"column {each.head.name!r}, {notes.at(each.row.line)}") for each in entries]
    placed += [
        (each.sd, f"column {each.head.place + 2}, {notes.at(each.row.line)}") for each in entries if each.sd is not None
    ]
    notes.problems.extend(found for found in (unreadable(placed), ambiguous(placed, style)) if found is not None)

    for metric in dict.fromkeys(each.metric for each in entries):
        notes.units([each.item for each in entries if each.metric == metric], metric or score)


def _long(
    layout: Layout,
    entries: Sequence[Entry],
    style: Style,
    score: str,
    told: Told,
    notes: Notes,
    axes: Axes,
    *,
    transposed: bool,
) -> Understood:
    """Lay the values out with one row per data set and algorithm."""
    keys: dict[tuple[tuple[str, str], ...], dict[str, Entry]] = {}
    for each in entries:
        names = (each.row.name, each.head.name)
        dataset, algorithm = reversed(names) if transposed else names
        key = (("dataset", dataset), ("algorithm", algorithm), *each.row.keys)
        if (each.metric or score) in keys.get(key, {}):
            key = (*key, ("", str(each.row.line)))  # a repeated row: the table itself refuses it, with both lines
        keys.setdefault(key, {})[each.metric or score] = each
    metrics = list(dict.fromkeys(each.metric or score for each in entries))
    roles = [role for role, _ in next(iter(keys)) if role] if keys else ["dataset", "algorithm"]
    columns: dict[str, ListColumn] = {role: TextColumn([dict(key)[role] for key in keys]) for role in roles}
    for metric in metrics:
        found = [cells.get(metric) for cells in keys.values()]
        columns[metric] = ListColumn(
            np.array([np.nan if each is None else style.value(each.item.parsed) for each in found])
        )
        sds = np.array([np.nan if each is None else _sd(each, style) for each in found])
        if not np.isnan(sds).all():
            columns[f"{metric}_sd"] = ListColumn(sds)
    lines = [min(each.row.line for each in cells.values()) for cells in keys.values()]
    failures, best = _marked(keys)
    notes.numbers(entries[0].item if entries else None, [each.item for each in entries], style)
    order = {
        role: tuple(dict.fromkeys(column.values))
        for role, column in columns.items()
        if role in ("dataset", "algorithm")
    }
    rows_are, columns_are = ("algorithm", "dataset") if transposed else ("dataset", "algorithm")
    return notes.understood(
        layout,
        form="transposed" if transposed else "wide",
        columns=columns,
        line_of=lambda row: lines[row],
        roles={rows_are: "the first column with names", columns_are: "the header"},
        gaps=sum(each.item.kind == GAP for each in entries),
        failures=tuple(failures),
        best=tuple(best),
        order=order,
        evidence=axes.said(transposed=transposed) if told.transpose is None else ("it was told",),
    )


def _marked(
    keys: Mapping[tuple[tuple[str, str], ...], Mapping[str, Entry]],
) -> tuple[list[Failure], list[tuple[str, str]]]:
    """Return the runs that failed, and the cells that were printed in bold."""
    failures: list[Failure] = []
    best: list[tuple[str, str]] = []
    for key, cells in keys.items():
        dataset, algorithm = key[0][1], key[1][1]
        lost = [each.item.text for each in cells.values() if each.item.kind == FAILURE]
        failures += [Failure(dataset=dataset, algorithm=algorithm, word=word) for word in lost]
        if any(each.item.parsed.bold and each.item.kind == NUMBER for each in cells.values()):
            best.append((dataset, algorithm))
    return failures, best


def _sd(each: Entry, style: Style) -> float:
    return style.sd(each.item.parsed) if each.sd is None else style.value(each.sd.parsed)


def unclear_axes(axes: Axes, *, rows: Sequence[str], columns: Sequence[str]) -> Problem:
    """Word the question which way a table lies, with both answers as commands."""
    told = [*(f"{text} (data sets in rows)" for text, _ in axes.datasets)]
    told += [f"{text} (algorithms in rows)" for text, _ in axes.algorithms]
    why = f"What there is speaks for both: {'; '.join(told)}." if told else "No name and no title tells which."
    return Problem(
        one="It is not clear whether the rows of {source} are data sets or algorithms (" + "{place}).",
        many="{source}: {places}.",
        places=(f"rows {quoted(rows, limit=3)}; columns {quoted(columns, limit=3)}",),
        why=f"{why} The answer would be another one.",
        ways=(
            Way(when="If rows are data sets and columns algorithms", say=option(transpose=False)),
            Way(when="If rows are algorithms and columns data sets", say=option(transpose=True)),
        ),
    )
