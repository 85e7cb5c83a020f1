"""From grids of text to a table of results: the one that holds them, in long form, wide form, or transposed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.readers.detect import Detected, detect
from tiebreak.readers.grids import Grid
from tiebreak.readers.settings import NUMBER_SIGN, Settings, kept
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.layout import (
    NUMBER,
    Item,
    Layout,
    is_numbering,
    is_numeric,
    lay_out,
    parse,
    spread,
    style_of,
)
from tiebreak.readers.understanding.notes import CellColumn, Notes, UnclearTable, Understood, account, problem
from tiebreak.readers.understanding.wide import understand_wide
from tiebreak.results import Results
from tiebreak.results.columns import (
    Column,
    Columns,
    Names,
    TextColumn,
    check_headers,
    take,
)
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import METRIC, ROLES, SYNONYMS, word
from tiebreak.wording import option


def understand(grid: Grid, settings: Settings | None = None, *, every_score: bool = False) -> Understood:
    """Understand one grid, or raise one error that names all that is wrong with it.

    In long form columns of numbers that nobody asked for are left out, unless `every_score` is wanted.

    Examples
    --------
    >>> from tiebreak.readers.grids import Cell, Grid
    >>> text = [["", "iris", "wine", "Average"], ["RF", "95.1%", "**97 %**", "96"], ["SVM", "OOM", "-", "-"]]
    >>> rows = tuple(tuple(Cell(text=cell, line=i + 1) for cell in row) for i, row in enumerate(text))
    >>> result = understand(Grid(rows=rows, source="t.csv", kind="csv"))
    >>> result.form, [left.name for left in result.left_out], result.failures[0].word
    ('transposed', ['Average'], 'OOM')
    """
    settings = settings or Settings()
    layout = _flat(lay_out(grid))
    notes = Notes(source=grid.source, kind=grid.kind)
    if layout.headless:
        raise _headless(layout)
    if not layout.body:
        raise InputError(f"{grid.source} holds no rows.", mend="Give a table with results in it.")
    if settings.where:
        layout = _filtered(layout, settings, notes)
    if NUMBER_SIGN in settings.columns.values():
        layout, settings = _numbered(layout, settings)
    roles = _roles(layout, settings)
    if _may_be_of_a_tool(layout, roles, settings) and (inferred := _inferred(layout, settings, notes)) is not None:
        return inferred
    if "algorithm" in roles and ("dataset" in roles or not _may_be_transposed(layout, roles["algorithm"])):
        return _long(layout, roles, settings, notes, every_score=every_score)
    layout = _without_numbering(layout, roles, notes)
    roles = _roles(layout, settings)
    keys = {role: place for role, place in roles.items() if role in ("replication", "fold", METRIC)}
    names = roles.get("dataset", roles.get("algorithm"))
    names = _names(layout, set(keys.values())) if names is None else names
    error = _nameless(layout) if names is None else _of_scores(layout, names, roles, settings)
    if error is not None:
        if (inferred := _inferred(layout, settings, notes)) is None:
            raise error
        return inferred
    assert names is not None
    return understand_wide(layout, names, keys, settings, notes)


def _inferred(layout: Layout, settings: Settings, notes: Notes) -> Understood | None:
    """Understand a table in a shape of some tool, whose cells are not plain; None where it has none."""
    if len(layout.levels) > 1 or settings.transpose is not None or len(set(layout.headers)) < len(layout.headers):
        return None
    columns = cell_columns(layout, settings.decimal)
    try:
        detected = detect(columns, settings, source=layout.grid.source)
    except InputError:
        return None  # a cell that is named where the table is understood without it
    if detected is None or "algorithm" not in detected.roles or "item" in detected.roles:
        return None
    return _made(layout, detected.columns, detected.roles, detected, settings, replace(notes, left=list(notes.left)))


def _may_be_of_a_tool(layout: Layout, roles: Mapping[str, int], settings: Settings) -> bool:
    """Say whether headers call for a look at shapes of tools before the table is read by its titles."""
    headers = layout.headers
    if "algorithm" in roles:
        of_one_set = "dataset" not in roles and not _may_be_transposed(layout, roles["algorithm"])
        return of_one_set or (len(roles) > 1 and not set(settings.scores or headers) & set(headers))
    texts = [header for header, numeric in zip(headers, layout.numeric, strict=True) if not numeric]
    kinds = {word(header) for header in headers}
    return any(words.role_of(header) == "algorithm" for header in texts) or bool(
        kinds & {*words.METRICS} and kinds & {*words.VALUES}
    )


def _flat(layout: Layout) -> Layout:
    """Write accuracy over mean and std, as pandas writes what it aggregated, as accuracy and accuracy_sd."""
    levels = list(layout.levels)
    keys = next((place for place, text in enumerate(levels[-1]) if not text), 0) if levels else 0
    if len(levels) > 2 and keys and not any(levels[-1][keys:]):  # a row of the names of the index
        levels[-2:] = [(*levels[-1][:keys], *levels[-2][keys:])]
    if len(levels) != 2:
        return layout
    pairs = [(up, low) for up, low in zip(spread(levels[0]), levels[1], strict=True) if up]
    if not pairs or not all(_is_score(up) and (words.is_mean(low) or words.is_sd(low)) for up, low in pairs):
        return layout
    names = [f"{up}{'_sd' if words.is_sd(low) else ''}" for up, low in pairs]
    heads = [low for up, low in zip(spread(levels[0]), levels[1], strict=True) if not up]
    return replace(layout, levels=((*heads, *names),)) if len(set(names)) == len(names) else layout


def _filtered(layout: Layout, settings: Settings, notes: Notes) -> Layout:
    """Keep the rows that meet the conditions, before anything is made of them; a column that only chose rows goes."""
    headers, roles = layout.headers, _roles(layout, settings)
    if "algorithm" in roles and "dataset" in roles:  # a condition on a name holds for the rows of its merged cell
        layout = _filled(layout, roles, notes)
    columns = cell_columns(layout, settings.decimal)
    keys = {role: headers[place] for role, place in roles.items()}
    names = [*(settings.scores or ()), *(settings.algorithms or ())]
    left, row_of, caveats = kept(columns, int, settings.where, source=layout.grid.source, roles=keys, asked=names)
    notes.said.extend(caveats)
    rows = [layout.body[row_of(row)] for row in range(len(next(iter(left.values()), ())))] if row_of else []
    return replace(layout, body=tuple(rows)).only([i for i, header in enumerate(headers) if header in left])


def _roles(layout: Layout, settings: Settings) -> dict[str, int]:
    """Find the places of the key columns: as told, or by their headers."""
    headers = list(layout.headers)
    indexes = {role: headers.index(header) for role, header in settings.columns.items() if header in headers}
    for role in (*ROLES, METRIC):
        if role in indexes:
            continue
        known = SYNONYMS.get(role, [METRIC])
        free = [place for place in range(len(headers)) if place not in indexes.values()]
        places = [place for place in free if headers[place].strip().lower() in known]
        exact = [place for place in places if headers[place] == role]
        if len(exact or places) == 1:
            indexes[role] = (exact or places)[0]
    if METRIC in indexes and is_numeric(layout.column(indexes[METRIC])) and METRIC not in settings.columns:
        del indexes[METRIC]
    return indexes


def _may_be_transposed(layout: Layout, place: int) -> bool:
    """Say whether a table that names algorithms but no data sets has those in its header, instead of scores."""
    numeric = layout.numeric
    others = [header for i, header in enumerate(layout.headers) if i != place and numeric[i]]
    results = [header for header in others if not words.is_summary(header) and not words.is_description(header)]
    scored = not results or any(map(_is_score, results))
    return all(numeric[:place]) and (not scored or len(layout.levels) > 1)


def _is_score(header: str) -> bool:
    return metric_named(header).higher_is_better is not None


def _without_numbering(layout: Layout, roles: Mapping[str, int], notes: Notes) -> Layout:
    """Leave out a column that numbers the rows, where another one names them."""
    gone = [
        place
        for place, header in enumerate(layout.headers)
        if words.is_index(header) and is_numbering(layout.column(place)) and place not in roles.values()
    ]
    if not gone or (all(layout.numeric) and "dataset" not in roles):
        return layout
    for place in gone:
        notes.leave("column", layout.headers[place], layout.place(place), "row numbers")
    return layout.only([place for place in range(len(layout.headers)) if place not in gone])


def _names(layout: Layout, taken: set[int]) -> int | None:
    """Choose the column that names the rows: the one that says so, else the first of text."""
    texts = [place for place, numeric in enumerate(layout.numeric) if not numeric and place not in taken]
    if texts:
        titled = [place for place in texts if words.titled(layout.headers[place]) is not None]
        telling = [place for place in texts if len({item.text for item in layout.column(place)}) == len(layout.body)]
        return (titled or telling or texts)[0]
    named = words.titled(layout.headers[0]) is not None and 0 not in taken
    return 0 if named and all(not item.empty for item in layout.column(0)) else None


def _of_scores(layout: Layout, names: int, roles: Mapping[str, int], settings: Settings) -> UnclearTable | None:
    """Make the error for a table whose columns are scores while nothing names the algorithms: it is in long form."""
    if len(layout.levels) > 1 or settings.algorithms is not None:
        return None
    columns = enumerate(zip(layout.headers, layout.numeric, strict=True))
    others = {header: numeric for i, (header, numeric) in columns if i not in (names, *roles.values())}
    numbers = [header for header, numeric in others.items() if numeric and not words.is_summary(header)]
    scores = [header for header in numbers if _is_score(header)]
    if not scores or len(scores) * 2 < len(numbers):
        return None
    guess = next((header for header, numeric in others.items() if not numeric), "...")
    return UnclearTable(
        f"{layout.grid.source} has a column {scores[0]!r} but none that names the algorithms.",
        why="In wide form every column beside the data set is an algorithm, and this one is a score or cost.",
        mend=f"Name it: {option(columns={'algorithm': guess})}; or rename {scores[0]!r} if it is an algorithm.",
    )


def _numbered(layout: Layout, settings: Settings) -> tuple[Layout, Settings]:
    """Number the rows, for a table without names whose rows were said to be data sets or folds."""
    role = next(role for role, header in settings.columns.items() if header == NUMBER_SIGN)
    index = [words.is_index(header) and is_numbering(layout.column(i)) for i, header in enumerate(layout.headers)]
    layout = layout.only([i for i, numbering in enumerate(index) if not numbering])
    titles = (settings.columns.get("algorithm"), *(h for h in layout.headers if words.titled(h) == "algorithm"))
    named = next((i for i, header in enumerate(layout.headers) if header in titles), None)
    seen = Counter[str]()
    body = []
    for row in layout.body:  # in long form the rows of each algorithm
        name = "" if named is None else row[named].text
        seen[name] += 1
        new = [f"row {seen[name]}"] if role == "dataset" else ["all rows", str(seen[name])]
        made = (Item(cell=replace(row[0].cell, text=text, column=""), parsed=parse(text)) for text in new)
        body.append((*made, *row))
    heads = ["dataset"] if role == "dataset" else ["dataset", role]
    levels = tuple((*(heads if level is layout.levels[-1] else [""] * len(heads)), *level) for level in layout.levels)
    roles = {name: header for name, header in settings.columns.items() if header != NUMBER_SIGN}
    return replace(layout, body=tuple(body), levels=levels), replace(settings, columns=roles)


def _nameless(layout: Layout) -> UnclearTable:
    """Rows without names may be data sets, or folds of one: the answers differ, so it is asked."""
    first, source = layout.headers[0], layout.grid.source
    ways = {
        "If every row is a data set": option(columns={"dataset": "#"}),
        "If rows are folds of one data set": option(columns={"fold": "#"}),
    }
    ways |= {"If the numbers are the names": option(columns={"dataset": first})} if first else {}
    place = f", {first!r}," if first else ", which has no name,"
    what = f"No column of {source} names the data sets: the first one{place} holds numbers."
    why, mend = "Rows are identified by the name of their data set.", "Add a first column 'dataset'."
    return problem(what, what, [""], why=why, mend=mend, ways=ways)


def _headless(layout: Layout) -> InputError:
    row = layout.body[0]
    return InputError(
        f"The first row of {layout.grid.source} (line {row[0].cell.line}) holds numbers:"
        f" {quoted([item.text for item in row], limit=4)}.",
        mend="Add a first line with names, such as dataset,RF,SVM.",
    )


def understand_one(grids: Sequence[Grid], *, name: str, settings: Settings) -> Understood:
    """Understand the table that was named, or the only one that can hold results."""
    if settings.table is not None:
        return understand(_named(grids, settings.table, name), settings)
    if len(grids) == 1:
        return understand(grids[0], settings)
    results: dict[int, Understood | UnclearTable] = {}
    reasons = []
    for number, grid in enumerate(grids, 1):
        try:
            one: Understood | UnclearTable = understand(grid, settings)
        except UnclearTable as error:
            one = error
        except (InputError, OptionError) as error:  # of these, a condition on a column that this table lacks
            reasons.append(f"{_title(grid, number)}: {error.what}")
            continue
        if isinstance(one, UnclearTable) and len(grid.rows[0]) < 3:
            reasons.append(f"{_title(grid, number)}: it has one column of numbers")
        elif isinstance(one, Understood) and min(len(one.order.get(r, ())) for r in ("dataset", "algorithm")) < 2:
            reasons.append(f"{_title(grid, number)}: it has fewer than two data sets or algorithms")
        else:
            results[number] = one
    if len(results) != 1:
        titles = [_title(grids[number - 1], number) for number in results] or reasons
        ways = (f"For table {number}: {option(table=number)}." for number in [*results][:8])
        raise UnclearTable(
            f"{name} holds {len(results) or 'no'} tables of results: {'; '.join(titles[:8])}.",
            mend=" ".join(ways) or "Correct one of them.",
        )
    [(number, only)] = results.items()
    if isinstance(only, UnclearTable):
        raise only
    text = f"{name}: table {number} of {len(grids)} was read, the only one that can hold results."
    return replace(only, notes=(*only.notes, Caveat("sources-left-out", text)))


def _title(grid: Grid, number: int) -> str:
    size = f"{len(grid.rows)} x {len(grid.rows[0]) if grid.rows else 0} cells"
    return f"table {number} ({grid.caption + ', ' if grid.caption else ''}{size})"


def _named(grids: Sequence[Grid], table: int | str, name: str) -> Grid:
    """Return the table of a number, or of words of its caption."""
    text = str(table).strip()
    matches = [grid for grid in grids if text and text.lower() in grid.caption.lower()]
    if text.isdigit() and 1 <= int(text) <= len(grids):
        return grids[int(text) - 1]
    if len(matches) != 1:
        what = f"{len(matches)} tables of {name} match {text!r}" if matches else f"There is no table {text!r} in {name}"
        titles = (_title(grid, number) for number, grid in enumerate(grids, 1))
        raise OptionError(
            f"{what}.", why=f"It holds {', '.join(titles)}.", mend=f"Name one by its number: {option(table=1)}."
        )
    return matches[0]


Choose = Callable[[Columns, Mapping[str, str]], list[str] | None]


def results_of(result: Understood, choose: Choose) -> Results:
    """Make the table; `choose` says which columns to read, given what there is."""
    roles = {role: header for role, header in result.roles.items() if header in result.columns}
    wanted = choose(result.columns, roles)
    if wanted is not None:
        spreads = (f"{name}_sd" for name in wanted if f"{name}_sd" in result.columns)
        wanted = list(dict.fromkeys((*wanted, *spreads)))
    results = Results.from_columns(
        result.columns, scores=wanted, roles=roles, source=result.source, line_of=result.line_of
    )
    known = set(results.caveats)
    failures = frozenset((failure.dataset, failure.algorithm) for failure in result.failures)
    notes = (note for note in result.notes if note not in known)
    return replace(results, failures=failures, caveats=(*results.caveats, *notes))


def cell_columns(layout: Layout, decimal: str | None) -> dict[str, Column]:
    """Return the columns of a table by their headers."""
    held = {header: layout.column(place) for place, header in enumerate(layout.headers)}
    numeric = {header: is_numeric(column) and any(i.kind == NUMBER for i in column) for header, column in held.items()}
    style = style_of([column for header, column in held.items() if numeric[header]], decimal)
    return {
        header: CellColumn(column, style) if numeric[header] else TextColumn([item.text for item in column])
        for header, column in held.items()
    }


def _long(
    layout: Layout, roles: Mapping[str, int], settings: Settings, notes: Notes, *, every_score: bool
) -> Understood:
    """Read a table with a row per run; `roles` are the keys that its headers name."""
    headers = layout.headers
    check_headers([header for header in headers if header], layout.grid.source)
    layout = _filled(layout, roles, notes)
    columns = cell_columns(layout, settings.decimal)
    options = {role: headers[place] for role, place in roles.items()}
    if every_score and settings.scores is None:
        gone = {header for header in columns if words.is_description(header)} - {*options.values()}
        free = {header: column for header, column in columns.items() if header not in gone}
        return _made(layout, free, options, None, settings, notes)
    detected = detect(columns, settings, source=layout.grid.source)
    if detected is None:
        return _made(layout, columns, options, None, settings, notes)
    return _made(layout, detected.columns, detected.roles, detected, settings, notes)


def _made(
    layout: Layout,
    columns: Columns,
    roles: Mapping[str, str],
    detected: Detected | None,
    settings: Settings,
    notes: Notes,
) -> Understood:
    """Leave out summaries, and text that plays no role."""
    columns = dict(_without_summaries(columns, roles, settings, notes))
    for header in [h for h in columns if h not in roles.values() and h.lower() not in ("host", "cluster", METRIC)]:
        if not columns[header].is_number():
            place = layout.headers.index(header) if header in layout.headers else 0
            keep = f"{option(columns={'replication': header})} if it distinguishes runs"
            notes.leave("column", header, layout.place(place), "text, no known key", keep)
            del columns[header]
    return account(layout, columns, notes, form="long", roles=roles, detected=detected)


def _without_summaries(columns: Columns, roles: Mapping[str, str], settings: Settings, notes: Notes) -> Columns:
    """Leave out rows that sum up others, such as the mean of the folds."""
    if settings.keep_rows:
        return columns
    for role in ("dataset", "fold", "replication"):
        coded = columns[roles[role]].coded() if role in roles else Names.of(())
        sums = [words.is_summary(name) and not settings.named(name) for name in coded.names]
        if len(sums) > 1 and any(sums) and not all(sums):
            gone = np.array([*sums, False])[coded.codes]
            column = columns[next(iter(columns))]
            cell = next((c.values for c in columns.values() if isinstance(c, CellColumn)), None)
            for row in np.flatnonzero(gone).tolist():
                line = notes.at(cell[row].cell.line if cell else row + 1)
                notes.leave("row", coded.at(row), line, "summary of the others", option(keep_rows=True))
            columns = take(columns, np.flatnonzero(~gone[: len(column)]))
    return columns


def _filled(layout: Layout, roles: Mapping[str, int], notes: Notes) -> Layout:
    """Fill names down where every row then is a run of its own; elsewhere a missing name stays an error."""
    rows = layout.body
    for role in ("dataset", "algorithm"):
        if role not in roles or not rows or rows[0][roles[role]].empty:
            continue
        place, last = roles[role], rows[0][roles[role]]
        trial = []
        for row in rows:
            last = last if row[place].empty else row[place]
            trial.append((*row[:place], last, *row[place + 1 :]))
        keys = {tuple(row[other].text for other in roles.values()) for row in trial}
        if len(keys) == len(trial) and any(row[place].empty for row in rows):
            rows = tuple(trial)
            notes.say(f"empty cells of the {role} were filled with the name above them.")
    return replace(layout, body=rows)
