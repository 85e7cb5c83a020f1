"""A wide table, either way round: names in the first column and in the header, one score or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiebreak.errors import InputError, quoted
from tiebreak.readers.settings import Settings
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.heads import Head, heads_of, is_metric, metric_word, results_among
from tiebreak.readers.understanding.layout import FAILURE, NUMBER, Item, Layout, Style, holds_results, style_of
from tiebreak.readers.understanding.notes import Failure, LeftOut, Notes, Problem, Understood, problem, unclear
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
    """One value: its row, its column, its score, and its standard deviation if that has a cell of its own."""

    row: Row
    head: Head
    item: Item
    metric: str
    sd: Item | None = None

    def deviation(self, style: Style) -> float:
        """Return the standard deviation, NaN where there is none."""
        return style.sd(self.item.parsed) if self.sd is None else style.value(self.sd.parsed)


def understand_wide(layout: Layout, names: int, keys: dict[str, int], settings: Settings, notes: Notes) -> Understood:
    """Read a wide table whose rows are named by column `names`; `keys` are the columns of folds and the like."""
    numbers = []
    for place, header in enumerate(layout.headers):
        if place in (names, *keys.values()):
            continue
        if holds_results(header, layout.column(place)):
            numbers.append(place)
        else:
            notes.left.append(LeftOut(what="column", name=header, place=layout.place(place), why="text, no results"))
    heads, titles = heads_of(layout, numbers, settings, notes)
    _say_beside(layout, heads, notes)
    columns = results_among(layout, heads, settings, notes)
    if not columns and not notes.problems:
        left = f" ({quoted([item.name for item in notes.left])} left out)" if notes.left else ""
        raise InputError(
            f"{layout.grid.source} has no column with results beside {layout.headers[names]!r}{left}.",
            why="In wide form every other column is an algorithm.",
            mend=f"Add the algorithms as columns, or name those that are there: {option(algorithms=[...])}.",
        )
    rows = _rows(layout, names, keys, columns, settings, notes)
    rows = _by_metric(rows) if METRIC in keys else rows
    axes = _axes(layout.headers[names], titles, rows, columns, notes)
    transposed = axes.transposed if settings.transpose is None else settings.transpose
    if transposed is None and columns and rows:
        notes.problems.append(_unclear_axes(axes, rows, columns, notes.source))
    if transposed:
        rows = _turned(rows, axes, settings, notes)
    return _gathered(layout, rows, columns, titles, settings, notes, axes, transposed=bool(transposed))


def _say_beside(layout: Layout, heads: Sequence[Head], notes: Notes) -> None:
    """Say which columns hold a cost, a score or a deviation of an algorithm, instead of being one."""
    beside = [(layout.headers[head.place], head) for head in heads if layout.headers[head.place] != head.name]
    if beside and len(layout.levels) == 1:
        header, head = next((pair for pair in beside if pair[1].sd or pair[1].metric), beside[0])
        what = "standard deviation" if head.sd else head.metric or "score"
        notes.say(
            f"columns such as {header!r} were read as the {what} of {head.name!r}. If they are algorithms:"
            f" {option(algorithms=[header, ...])}."
        )


def _rows(
    layout: Layout, names: int, keys: dict[str, int], columns: Sequence[Head], settings: Settings, notes: Notes
) -> list[Row]:
    """Return the rows that hold results; sections, repeated headers and summaries are left out and said."""
    out: list[Row] = []
    for items in layout.body:
        name = items[names].text
        row = Row(name=name, items=items, keys=tuple((role, items[place].text) for role, place in keys.items()))
        cells = [items[head.place] for head in columns]
        full = [item for item in cells if not item.empty]
        last = len(layout.body) > 3 and items is layout.body[-1]
        why = keep = ""
        if tuple(item.text for item in items) == layout.headers:
            why = "repeated header"
        elif not full or (name and len(full) > 1 and {item.text for item in full} == {name}):
            why = "no results"
        elif not settings.keep_rows and not settings.named(name):
            mean = last and _is_mean(cells, out, columns)
            why = "summary of the others" if words.is_summary(name) else "means of the rows above" if mean else ""
            keep = option(keep_rows=True)
        if why:
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


def _turned(rows: Sequence[Row], axes: Axes, settings: Settings, notes: Notes) -> list[Row]:
    """Of a table with data sets in columns, leave out the rows that describe them."""
    if settings.transpose is None:
        because = "; ".join(axes.said(transposed=True))
        notes.say(
            f"rows were read as algorithms and columns as data sets, because {because}. If it is the other way round:"
            f" {option(transpose=False)}."
        )
    usual, turned = option(algorithms=[...]), option(datasets=[...])
    notes.left = [replace(item, keep=turned) if item.keep == usual else item for item in notes.left]
    described = [
        row
        for row in rows
        if words.describes_data(row.name) and not settings.keep_rows and not settings.named(row.name)
    ]
    why, keep = "description of the data sets", option(keep_rows=True)
    notes.left += [
        LeftOut(what="row", name=row.name, place=notes.at(row.line), why=why, keep=keep) for row in described
    ]
    return [row for row in rows if row not in described]


def _axes(corner: str, titles: Sequence[str], rows: Sequence[Row], columns: Sequence[Head], notes: Notes) -> Axes:
    left = {kind: [item.name for item in notes.left if item.what == kind] for kind in ("row", "column")}
    return axes_of(
        corner=corner,
        rows=list(dict.fromkeys(row.name for row in rows)),
        columns=list(dict.fromkeys(head.name for head in columns)),
        above=titles,
        summary_rows=[*filter(words.is_summary, left["row"])],
        summary_columns=[*filter(words.is_summary, left["column"])],
        descriptions=[*filter(words.describes_data, left["column"])],
    )


def _by_metric(rows: list[Row]) -> list[Row]:
    """Where a data set has a row for each of several metrics, these are scores of their own."""
    seen = [(row.name, dict(row.keys).get(METRIC)) for row in rows]
    if len({name for name, metric in seen if metric}) == len({pair for pair in seen if pair[1]}):
        return rows
    return [
        replace(row, keys=tuple(key for key in row.keys if key[0] != METRIC), metric=dict(row.keys)[METRIC])
        for row in rows
    ]


def _gathered(
    layout: Layout,
    rows: Sequence[Row],
    columns: Sequence[Head],
    titles: Sequence[str],
    settings: Settings,
    notes: Notes,
    axes: Axes,
    *,
    transposed: bool,
) -> Understood:
    """Lay the values out with one row per data set and algorithm, or raise one error of all problems."""
    score = _score_name(settings, titles, columns)
    spreads = {(head.name, head.metric): head.place for head in columns if head.sd}
    entries = []
    for row in rows:
        for head in columns:
            if not head.sd:
                place, metric = spreads.get((head.name, head.metric)), head.metric or row.metric or score
                sd = None if place is None else row.items[place]
                entries.append(Entry(row=row, head=head, item=row.items[head.place], metric=metric, sd=sd))
    groups = [[row.items[head.place] for head in columns] for row in rows]
    style = style_of([list(group) for group in zip(*groups, strict=True)] if transposed else groups, settings.decimal)
    _check_names(rows, columns, notes)
    placed = [(entry.item, f"column {entry.head.name!r}, {notes.at(entry.row.line)}") for entry in entries]
    placed += [(e.sd, f"column {e.head.place + 2}, {notes.at(e.row.line)}") for e in entries if e.sd is not None]
    notes.cells(placed, style)
    for metric in dict.fromkeys(entry.metric for entry in entries):
        notes.units([entry.item for entry in entries if entry.metric == metric], metric)
    kinds = ("algorithms", "data sets") if transposed else ("data sets", "algorithms")
    notes.same_names([row.name for row in rows], kinds[0], settings)
    notes.same_names([head.name for head in columns if not head.sd], kinds[1], settings)
    if notes.problems:
        error = unclear(layout.grid.source, notes.problems)
        error.unnamed = score == WIDE_SCORE
        raise error
    notes.numbers([entry.item for entry in entries], style)
    return _long(layout, entries, style, settings, notes, axes, transposed=transposed)


def _score_name(settings: Settings, titles: Sequence[str], columns: Sequence[Head]) -> str:
    """Name the one score: as asked for, by a title over all columns, or by the general name."""
    taken = {head.metric for head in columns if not head.sd}
    free = [name for name in settings.scores or () if name not in taken]
    if free and "" in taken:
        return free[0]
    named = [metric_word(text) for text in titles if is_metric(text)]
    return next((name for name in named if metric_named(name).higher_is_better is not None), WIDE_SCORE)


def _check_names(rows: Sequence[Row], columns: Sequence[Head], notes: Notes) -> None:
    seen: dict[tuple[str, str, bool], int] = {}
    twice = []
    for head in columns:
        first = seen.setdefault((head.name, head.metric, head.sd), head.place)
        if head.name and first != head.place:
            twice.append(f"{head.name!r} (columns {first + 1} and {head.place + 1})")
    source = notes.source
    for places, one, many, why, mend in (
        (
            [notes.at(row.line) for row in rows if not row.name],
            f"{{place}} of {source}: the name is missing.",
            f"{{count}} rows of {source} have no name: {{places}}.",
            "Every row must say to which data set, algorithm and fold it belongs.",
            "Fill it in, or delete the row.",
        ),
        (
            twice,
            f"Two columns of {source} are named {{place}}.",
            f"Several columns of {source} share a name: {{places}}.",
            "Results are identified by name, so one of them would be lost.",
            "Rename one of the columns.",
        ),
        (
            [f"column {head.place + 1}" for head in columns if not head.name],
            f"{{place}} of {source} holds numbers but has no name.",
            f"{{count}} columns of {source} hold numbers but have no name: {{places}}.",
            "Its numbers would be taken for results.",
            "Name it or delete it.",
        ),
    ):
        notes.problems += [problem(one, many, places, why=why, mend=mend)] if places else []


def _long(
    layout: Layout,
    entries: Sequence[Entry],
    style: Style,
    settings: Settings,
    notes: Notes,
    axes: Axes,
    *,
    transposed: bool,
) -> Understood:
    keys: dict[tuple[tuple[str, str], ...], dict[str, Entry]] = {}
    failures, best = list[Failure](), dict[tuple[str, str], None]()
    for entry in entries:
        pair = (entry.head.name, entry.row.name) if transposed else (entry.row.name, entry.head.name)
        key = (*zip(("dataset", "algorithm"), pair, strict=True), *entry.row.keys)
        if entry.metric in keys.get(key, {}):
            key = (*key, ("", str(entry.row.line)))  # a repeated row: the table itself refuses it, with both lines
        keys.setdefault(key, {})[entry.metric] = entry
        if entry.item.kind == FAILURE:
            failures.append(Failure(dataset=pair[0], algorithm=pair[1], word=entry.item.text))
        elif entry.item.parsed.bold and entry.item.kind == NUMBER:
            best[pair] = None
    roles = [role for role, _ in next(iter(keys)) if role] if keys else ["dataset", "algorithm"]
    columns: dict[str, ListColumn] = {role: TextColumn([dict(key)[role] for key in keys]) for role in roles}
    for metric in dict.fromkeys(item.metric for item in entries):
        result = [cells.get(metric) for cells in keys.values()]
        columns[metric] = ListColumn(np.array([np.nan if e is None else style.value(e.item.parsed) for e in result]))
        deviations = np.array([np.nan if item is None else item.deviation(style) for item in result])
        if not np.isnan(deviations).all():
            columns[f"{metric}_sd"] = ListColumn(deviations)
    lines = [min(cell.row.line for cell in cells.values()) for cells in keys.values()]
    return notes.understood(
        layout,
        form="transposed" if transposed else "wide",
        columns=columns,
        line_of=lambda row: lines[row],
        failures=tuple(failures),
        best=tuple(best),
        order={role: tuple(dict.fromkeys(columns[role].values)) for role in ("dataset", "algorithm")},
        evidence=axes.said(transposed=transposed) if settings.transpose is None else ("as told",),
    )


def _unclear_axes(axes: Axes, rows: Sequence[Row], columns: Sequence[Head], source: str) -> Problem:
    """Word the question which way a table lies, with both answers as commands."""
    names = [*(f"{text} (data sets in rows)" for text, _ in axes.datasets)]
    names += [f"{text} (algorithms in rows)" for text, _ in axes.algorithms]
    why = f"What there is speaks for both: {'; '.join(names)}." if names else "No name and no title tells which."
    shown = quoted([row.name for row in rows], limit=3), quoted([head.name for head in columns], limit=3)
    what = f"It is not clear whether the rows of {source} are data sets or algorithms ({{place}})."
    return problem(
        what,
        what,
        [f"rows {shown[0]}; columns {shown[1]}"],
        why=f"{why} The answer would be another one.",
        ways={
            "If rows are data sets and columns algorithms": option(transpose=False),
            "If rows are algorithms and columns data sets": option(transpose=True),
        },
    )
