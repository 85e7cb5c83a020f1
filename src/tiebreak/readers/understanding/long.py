"""A table in long form, with a row per run, whose cells are not plain."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.guard import fold_of
from tiebreak.readers.understanding.layout import (
    FAILURE,
    GAP,
    NUMBER,
    Item,
    Layout,
    Style,
    column_place,
    holds_results,
    is_numbering,
    style_of,
)
from tiebreak.readers.understanding.notes import (
    Failure,
    LeftOut,
    Notes,
    Told,
    Understood,
    ambiguous,
    unclear,
    unreadable,
)
from tiebreak.results.columns import Column, ListColumn, TextColumn, check_headers
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import WIDE_SCORE
from tiebreak.wording import option


def understand_long(layout: Layout, roles: Mapping[str, int], told: Told, notes: Notes) -> Understood:
    """Read a table with a row per run; `roles` are the places of its keys."""
    headers = layout.headers
    check_headers([header for header in headers if header], layout.grid.source)
    kept, spreads = _scores(layout, roles, told, notes)
    rows = _rows(layout, roles, told, notes)
    style = style_of([[row[place] for row in rows] for place in kept], told.decimal)
    _check(layout, rows, kept, style, notes)
    for role, kind in (("dataset", "data sets"), ("algorithm", "algorithms")):
        if role in roles:
            place = roles[role]
            notes.same_names([(row[place].text, notes.at(row[place].cell.line)) for row in rows], kind, told)
    if notes.problems:
        raise unclear(layout.grid.source, notes.problems)
    folds = {place: fold for place in kept if (fold := fold_of(headers[place])) is not None}
    if len(folds) > 1 and len(folds) == len(kept) and len({role for role, _ in folds.values()}) == 1:
        return _melted(layout, roles, rows, folds, style, told, notes)
    columns: dict[str, Column] = {
        headers[place]: TextColumn([row[place].text for row in rows]) for place in roles.values()
    }
    for place in kept:
        column = [row[place].parsed for row in rows]
        base = spreads.get(place)
        columns[headers[place] if base is None else f"{base}_sd"] = ListColumn(
            np.array([style.value(each) for each in column])
        )
        sds = np.array([style.sd(each) for each in column])
        if not np.isnan(sds).all():
            columns[f"{headers[place]}_sd"] = ListColumn(sds)
    return _made(layout, roles, rows, kept, style, columns, notes)


def _melted(
    layout: Layout,
    roles: Mapping[str, int],
    rows: Sequence[tuple[Item, ...]],
    folds: Mapping[int, tuple[str, str]],
    style: Style,
    told: Told,
    notes: Notes,
) -> Understood:
    """Put columns of folds under one another."""
    score = told.scores[0] if told.scores else WIDE_SCORE
    role = next(iter(folds.values()))[0]
    pairs = [(row, place) for row in rows for place in folds]
    columns: dict[str, Column] = {
        layout.headers[place]: TextColumn([row[place].text for row, _ in pairs]) for place in roles.values()
    }
    columns[role] = TextColumn([folds[place][1] for _, place in pairs])
    columns[score] = ListColumn(np.array([style.value(row[place].parsed) for row, place in pairs]))
    notes.folds([layout.headers[place] for place in folds], role)
    made = _made(layout, roles, rows, list(folds), style, columns, notes)
    lines = [row[0].cell.line for row, _ in pairs]
    return replace(made, line_of=lambda row: lines[row])


def _made(
    layout: Layout,
    roles: Mapping[str, int],
    rows: Sequence[tuple[Item, ...]],
    kept: Sequence[int],
    style: Style,
    columns: dict[str, Column],
    notes: Notes,
) -> Understood:
    items = [row[place] for row in rows for place in kept]
    notes.numbers(items[0] if items else None, items, style)
    lines = [row[0].cell.line for row in rows]

    def name(row: Sequence[Item], role: str) -> str:
        return row[roles[role]].text if role in roles else ""

    failures = [
        Failure(dataset=name(row, "dataset"), algorithm=name(row, "algorithm"), word=row[place].text)
        for row in rows
        for place in kept
        if row[place].kind == FAILURE
    ]
    best = [(name(row, "dataset"), name(row, "algorithm")) for row in rows if any(row[p].parsed.bold for p in kept)]
    order = {role: tuple(dict.fromkeys(row[place].text for row in rows)) for role, place in roles.items()}
    return notes.understood(
        layout,
        form="long",
        columns=columns,
        line_of=lambda row: lines[row],
        roles={role: layout.headers[place] for role, place in roles.items()},
        gaps=sum(item.kind == GAP for item in items),
        failures=tuple(failures),
        best=tuple(dict.fromkeys(best)),
        order=order,
        evidence=("its columns name data sets and algorithms",),
    )


def _scores(layout: Layout, roles: Mapping[str, int], told: Told, notes: Notes) -> tuple[list[int], dict[int, str]]:
    """Choose the columns of scores and costs; return with them which are the standard deviation of which."""
    headers, kept, spreads = layout.headers, [], {}
    for place, header in enumerate(headers):
        column = layout.column(place)
        if place in roles.values() or place in notes.taken:
            continue
        named = told.scores is not None and header in told.scores
        what = "row numbers" if words.is_index(header) and is_numbering(column) else "column"
        why = ""
        if not named and (what == "row numbers" or not header):
            why = "it numbers the rows" if what == "row numbers" else "it has no name"
        elif not named and not holds_results(header, column):
            why = "it holds text and is no known key"
        elif not named and words.is_description(header) and not _known(header) and _describes(layout, place, roles):
            why = "it describes the rows and holds no results"
        if why:
            keep = option(scores=[...]) if why.startswith("it describes") else ""
            if "text" in why:
                keep = f"{option(columns={'replication': header})} if it distinguishes runs"
            notes.left.append(LeftOut(what=what, name=header, place=column_place(layout, place), why=why, keep=keep))
            continue
        kept.append(place)
        base = _base(header, headers)
        if base is not None and not named:
            spreads[place] = base
    return kept, spreads


def _describes(layout: Layout, place: int, roles: Mapping[str, int]) -> bool:
    """A single letter or a common word describes only where its numbers are whole and the others are not."""
    if not words.is_weak(layout.headers[place]):
        return True
    others = [i for i in range(len(layout.headers)) if i != place and i not in roles.values()]
    rest = [item.parsed.value for i in others for item in layout.column(i) if item.kind == NUMBER]
    own = [item.parsed.value for item in layout.column(place) if item.kind == NUMBER]
    return all(map(str.isdigit, own)) and bool(rest) and not all(map(str.isdigit, rest))


def _known(header: str) -> bool:
    return metric_named(header).higher_is_better is not None or metric_named(header).is_general


def _base(header: str, headers: Sequence[str]) -> str | None:
    """Return the score whose standard deviation a column holds, such as accuracy of accuracy_std."""
    found = re.fullmatch(r"(?:(?:std|sd)[ _.-])?(.+?)(?:[ _.-]\(?(?:std|sd|stdev)\)?)?", header, re.IGNORECASE)
    base = found[1] if found else header
    return base if base != header and base in headers else None


def _rows(layout: Layout, roles: Mapping[str, int], told: Told, notes: Notes) -> list[tuple[Item, ...]]:
    """Return the rows of runs: names that a merged cell gives once are filled in, summaries left out."""
    rows = filled(layout, roles, notes)
    if told.keep_rows:
        return rows
    places = [roles[role] for role in ("dataset", "fold", "replication") if role in roles]
    out = []
    for row in rows:
        name = next(
            (row[p].text for p in places if words.is_summary(row[p].text) and not told.named(row[p].text)), None
        )
        if name is None:
            out.append(row)
        else:
            line, keep = notes.at(row[0].cell.line), option(keep_rows=True)
            notes.left.append(LeftOut(what="row", name=name, place=line, why="it sums up the others", keep=keep))
    return out


def filled(layout: Layout, roles: Mapping[str, int], notes: Notes) -> list[tuple[Item, ...]]:
    """Fill names down where every row then is a run of its own; elsewhere a missing name stays an error."""
    rows = [list(row) for row in layout.body]
    for role in ("dataset", "algorithm"):
        if role not in roles or not rows or rows[0][roles[role]].empty:
            continue
        place, last = roles[role], rows[0][roles[role]]
        trial = []
        for row in rows:
            last = last if row[place].empty else row[place]
            trial.append([*row[:place], last, *row[place + 1 :]])
        keys = {tuple(row[other].text for other in roles.values()) for row in trial}
        if len(keys) == len(trial) and any(row[place].empty for row in rows):
            rows = trial
            notes.filled(role)
    return [tuple(row) for row in rows]


def _check(
    layout: Layout,
    rows: Sequence[tuple[Item, ...]],
    kept: Sequence[int],
    style: Style,
    notes: Notes,
) -> None:
    placed = [(row[p], f"column {layout.headers[p]!r}, {notes.at(row[p].cell.line)}") for p in kept for row in rows]
    notes.problems.extend(found for found in (unreadable(placed), ambiguous(placed, style)) if found is not None)
    for place in kept:
        header = layout.headers[place]
        notes.units([row[place] for row in rows], header)
