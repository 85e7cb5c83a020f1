"""A wide table, either way round: names in the first column and in the header, one score or several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tiebreak.errors import InputError, quoted
from tiebreak.readers.settings import Settings
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.layout import (
    EMPTY,
    NUMBER,
    Item,
    Layout,
    holds_results,
    readings,
    spread,
    style_of,
)
from tiebreak.readers.understanding.notes import CellColumn, Notes, Understood, account
from tiebreak.readers.understanding.words import Axes, axes_of
from tiebreak.results.columns import Column, TextColumn
from tiebreak.results.metrics import metric_named
from tiebreak.results.roles import METRIC, WIDE_SCORE
from tiebreak.wording import option


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """One column of numbers: its name, the score it holds ('' for the one score of the table), whether it is an sd."""

    place: int
    name: str
    metric: str = ""
    sd: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Row:
    """One row of the body with its name, the keys that stand beside it, and the line of the file."""

    name: str
    items: tuple[Item, ...]
    keys: tuple[tuple[str, str], ...] = ()
    metric: str = ""
    line: int = 0


def understand_wide(layout: Layout, names: int, keys: dict[str, int], settings: Settings, notes: Notes) -> Understood:
    """Read a wide table whose rows are named by column `names`; `keys` are the columns of folds and the like."""
    numbers = []
    for place, header in enumerate(layout.headers):
        if place in (names, *keys.values()):
            continue
        if holds_results(header, layout.column(place)):
            numbers.append(place)
        else:
            notes.leave("column", header, layout.place(place), "text, no results")
    heads, titles = _heads(layout, numbers, settings, notes)
    _say_beside(layout, heads, notes)
    columns = _results_among(layout, heads, settings, notes)
    if not columns and not notes.problems:
        left = f" ({quoted([item.name for item in notes.left])} left out)" if notes.left else ""
        raise InputError(
            f"{layout.grid.source} has no column with results beside {layout.headers[names]!r}{left}.",
            mend=f"Add the algorithms as columns, or name those that are there: {option(algorithms=[...])}.",
        )
    rows = _rows(layout, names, keys, columns, settings, notes)
    axes = _axes(layout.headers[names], titles, rows, columns, notes)
    transposed = axes.transposed if settings.transpose is None else settings.transpose
    if transposed is None and columns and rows:
        _ask_axes(axes, rows, columns, notes)
    if transposed:
        rows = _turned(rows, axes, settings, notes)
    return _long(layout, rows, columns, titles, settings, notes, axes, transposed=bool(transposed))


# ---- the header


def _is_metric(name: str) -> bool:
    """Say whether a header names a score, a cost, or what stands for one beside a standard deviation."""
    bare = _metric_word(name)
    known = metric_named(bare)
    return known.higher_is_better is not None or known.is_general or words.is_sd(bare) or words.is_mean(bare)


def _metric_word(name: str) -> str:
    """Return the name of a score without its unit and arrow.

    Examples
    --------
    >>> _metric_word("Accuracy (%) ↑"), _metric_word("Time [s]")
    ('Accuracy', 'Time')
    """
    return re.sub(r"\s*[(\[][%\w]{0,4}[)\]]|[↑↓]|\s+%$", "", name).strip() or name


def _heads(
    layout: Layout, places: Sequence[int], settings: Settings, notes: Notes
) -> tuple[list[Head], tuple[str, ...]]:
    """Settle what the header says about the columns of numbers; titles over all of them come along."""
    levels = [tuple(level[place] for place in places) for level in map(spread, layout.levels[:-1])]
    levels.append(tuple(layout.levels[-1][place] for place in places))
    titles, remaining = list[str](), list[tuple[str, ...]]()
    for level in levels:
        distinct = {text for text in level if text}
        if len(distinct) == 1 and len(places) > 1:
            titles.extend(distinct)
        elif distinct:
            remaining.append(level)
    if not remaining:
        return [Head(place=p, name=words.plain(n)) for p, n in zip(places, levels[-1], strict=True)], ()
    read = _two if len(remaining) > 1 else _one
    return read(layout, places, remaining[-2:], settings, notes), tuple(titles)


def _two(
    layout: Layout, places: Sequence[int], levels: Sequence[tuple[str, ...]], settings: Settings, notes: Notes
) -> list[Head]:
    """Read two header rows: names over scores, scores over names, or families over names."""
    upper, lower = levels
    lower = tuple(low or up for up, low in zip(upper, lower, strict=True))
    options = set(settings.scores or ())
    for names, scores in ((upper, lower), (lower, upper)):
        distinct = set(scores)
        if options & distinct or sum(map(_is_metric, distinct)) * 2 > len(distinct):
            return _product(layout, places, names, scores, notes)
    if len(set(lower)) == len(lower):
        families = ", ".join(dict.fromkeys(text for text in upper if text))
        why = "groups of the names below it, each of which is there once"
        notes.leave("header row", families, "above the names", why)
        return _one(layout, places, [lower], settings, notes)
    shown = f"{quoted(dict.fromkeys(upper), limit=3)} over {quoted(dict.fromkeys(lower), limit=3)}"
    raise InputError(
        f"{notes.source} has two header rows ({shown}), and neither names known scores.",
        mend="Write one header row with whole names. Or, if the lower one names scores:"
        f" {option(scores=Counter(lower).most_common(1)[0][0])}.",
    )


def _product(
    layout: Layout, places: Sequence[int], names: Sequence[str], scores: Sequence[str], notes: Notes
) -> list[Head]:
    """Read every column as one score of one name; ranks are left out."""
    columns = []
    for place, name, score in zip(places, names, scores, strict=True):
        if words.is_rank(score):
            _leave(layout, place, f"{name} {score}", "ranks of the scores beside it", notes)
        else:
            word = _metric_word(score)
            sd = words.is_sd(word)
            columns.append(Head(place=place, name=name, metric="" if sd or words.is_mean(word) else word, sd=sd))
    metrics = {head.metric for head in columns if not head.sd} - {""}
    if len(metrics) == 1:  # the standard deviation beside a named score is of that score
        columns = [replace(head, metric=next(iter(metrics))) if head.sd else head for head in columns]
    return columns


def _one(
    layout: Layout, places: Sequence[int], levels: Sequence[tuple[str, ...]], settings: Settings, notes: Notes
) -> list[Head]:
    """Read one header row, in which sd and rank columns may stand beside those they belong to."""
    names = levels[-1]
    split = None if any(map(settings.named, names)) else _split(names)
    if split is not None:
        return _product(layout, places, *split, notes)
    columns = list[Head]()
    count = Counter(names)
    for place, name in zip(places, names, strict=True):
        base = words.deviation_of(name, count)
        beside = words.is_sd(name) and (count[name] > 1 or len(places) == 2)
        pair = _of_metric(name)
        if settings.named(name):
            columns.append(Head(place=place, name=name))
        elif columns and (beside or (not name and _is_spread(layout, place))):
            columns.append(Head(place=place, name=columns[-1].name, sd=True))
        elif base is not None:
            columns.append(Head(place=place, name=base, sd=True))
        elif words.is_rank(name) and count[name] > 1:
            _leave(layout, place, name, "ranks of the column beside it", notes)
        elif pair is not None and pair[0] in count:
            columns.append(Head(place=place, name=pair[0], metric=pair[1]))
        else:
            columns.append(Head(place=place, name=name))
    return columns


def _is_spread(layout: Layout, place: int) -> bool:
    """Say whether the cells of a column without a name begin with ±, as where a table was aligned by it."""
    cells = [item.text for item in layout.column(place) if not item.empty]
    return bool(cells) and all(text.startswith(("±", "+/-", "(")) for text in cells)


def _of_metric(name: str) -> tuple[str, str] | None:
    """Split a name such as RF_accuracy or SVM-RBF (time) into a name and a known score or cost; None where it is none.

    Examples
    --------
    >>> _of_metric("SVM-RBF_train_time"), _of_metric("RF (acc)"), _of_metric("SVM-RBF")
    (('SVM-RBF', 'train_time'), ('RF', 'acc'), None)
    """
    for part in re.finditer(r"[ _./:|-]+\(?|\(", name):
        base, word = name[: part.start()].strip(), name[part.end() :].strip()
        word = word.removesuffix(")") if "(" in part[0] else word
        if base and word and _is_metric(word):
            return base, word
    return None


def _split(names: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Split names such as RF_accuracy, RF_time into two levels, where all are of that form, or acc_RF, time_RF."""
    turned = [re.fullmatch(r"(.+?)[ _./:|-]+(.+)", name) for name in names]
    before = [(part[2].strip(), part[1].strip()) for part in turned if part and _is_metric(part[1].strip())]
    for pairs in ([pair for name in names if (pair := _of_metric(name))], before):
        kinds, who = {item for _, item in pairs}, {item for item, _ in pairs}
        if len(kinds) > 1 and len(who) > 1 and len(set(pairs)) == len(kinds) * len(who) == len(names):
            return [item for item, _ in pairs], [item for _, item in pairs]
    return None


def _leave(layout: Layout, place: int, name: str, why: str, notes: Notes) -> None:
    notes.leave("column", name, layout.place(place), why, option(algorithms=[...]))


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


# ---- which columns and rows hold results


def _results_among(layout: Layout, heads: Sequence[Head], settings: Settings, notes: Notes) -> list[Head]:
    """Return the columns of results: those that were named, or all that neither describe data sets nor sum up."""
    wanted = set(settings.algorithms or ())
    if wanted and settings.transpose is not True and wanted <= {head.name for head in heads}:
        return [head for head in heads if head.name in wanted]
    numbers = {head: _values(layout.column(head.place)) for head in heads if not head.sd}
    reasons = {head: "" if settings.named(head.name) else _no_result(head, numbers, settings) for head in numbers}
    for head, why in reasons.items():
        if why:
            _leave(layout, head.place, head.name, why, notes)
    gone = {head.name for head, why in reasons.items() if why}
    remaining = [head for head in heads if head.name not in gone]
    unclear_names = [head.name for head, why in reasons.items() if why is None]
    if unclear_names:
        every = list(dict.fromkeys(head.name for head in remaining))
        rest = [name for name in every if name not in unclear_names]
        ways = {"If it describes them": option(algorithms=rest)} if rest else {}
        notes.ask(
            f"It is not clear whether column {{place}} of {notes.source} is an algorithm or describes the data sets.",
            f"It is not clear whether columns of {notes.source} are algorithms or describe the data sets: {{places}}.",
            [*map(repr, unclear_names)],
            ways={**ways, "If all are algorithms": option(algorithms=every)},
        )
    return remaining


def _no_result(head: Head, numbers: dict[Head, list[float]], settings: Settings) -> str | None:
    """Say why a column holds no results of an algorithm; empty where it does, None where its numbers do not tell.

    Single letters and common words describe only where the column holds other numbers than the rest. So do whole
    numbers among fractions that no known algorithm names: beside shares of 1, or of 100 where the score is known to be
    one, nobody would take what goes beyond 100 for results; what may be percent, or a score without limit, is unclear.
    """
    name, current = head.name, numbers[head]
    rest = [value for other, values in numbers.items() if other is not head for value in values]
    described, weak = "description of the rows", words.is_weak(name)
    if words.is_description(name) and not weak:
        return described
    if weak and not all(words.is_weak(other.name) for other in numbers):  # algorithms may be called a, b and c
        if not _whole(current) or not rest:
            return ""
        sized = words.is_size(name) and min(current) <= max(rest)
        return described if not _whole(rest) or min(current) > max(rest) else None if sized else ""
    if words.is_summary(name):
        return "summary of the others"
    if head.metric or weak:
        return ""
    if metric_named(name).higher_is_better is not None:
        return "name of a score or cost"
    known = metric_named(settings.scores[0] if settings.scores else "")
    rest = [v for other, values in numbers.items() if not other.metric and not _whole(values) for v in values]
    limited = known.higher_is_better is None or known.is_share or known.is_general
    sized = _whole(current) and min(current) >= 0 and words.known_as(name) != "algorithm"
    if not limited or not sized or not rest or not all(0 <= value <= 100 for value in rest):
        return ""
    if max(current) > 100:
        return "whole numbers far beyond the results beside it" if max(rest) <= 1 or known.is_share else None
    return None if max(rest) <= 1 <= min(current) and len(set(current)) > 1 else ""


def _whole(values: Sequence[float]) -> bool:
    return bool(values) and all(map(float.is_integer, values))


def _values(items: Sequence[Item]) -> list[float]:
    """Return the numbers of a column whose commas leave nothing open."""
    result = [set(readings(item.parsed.value).values()) for item in items if item.kind == NUMBER]
    values = [float(decimals.pop()) for decimals in result if len(decimals) == 1]
    return values if len(values) == len(result) else []


def _rows(
    layout: Layout, names: int, keys: dict[str, int], columns: Sequence[Head], settings: Settings, notes: Notes
) -> list[Row]:
    """Return the rows that hold results; sections, repeated headers and summaries are left out and said."""
    out: list[Row] = []
    for items in layout.body:
        name, line = items[names].text, items[0].cell.line
        full = [items[head.place] for head in columns if not items[head.place].empty]
        why = keep = ""
        if tuple(item.text for item in items) == layout.headers:
            why = "repeated header"
        elif not full or (name and len(full) > 1 and {item.text for item in full} == {name}):
            why = "no results"
        elif not settings.keep_rows and not settings.named(name):
            why, keep = "summary of the others" if words.is_summary(name) else "", option(keep_rows=True)
        if why:
            notes.leave("row", name, notes.at(line), why, keep)
        else:
            held = tuple((role, items[place].text) for role, place in keys.items())
            out.append(Row(name=name, items=items, keys=held, line=line))
    seen = [(row.name, metric) for row in out if (metric := dict(row.keys).get(METRIC))]
    if len({name for name, _ in seen}) == len(set(seen)):
        return out
    # where a data set has a row for each of several metrics, these are scores of their own
    return [
        replace(row, keys=tuple(key for key in row.keys if key[0] != METRIC), metric=dict(row.keys)[METRIC])
        for row in out
    ]


# ---- which way it lies


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


def _ask_axes(axes: Axes, rows: Sequence[Row], columns: Sequence[Head], notes: Notes) -> None:
    """Word the question which way a table lies, with both answers as commands."""
    names = [*(f"{text} (data sets in rows)" for text, _ in axes.datasets)]
    names += [f"{text} (algorithms in rows)" for text, _ in axes.algorithms]
    why = f"What there is speaks for both: {'; '.join(names)}." if names else "No name and no title tells which."
    shown = quoted([row.name for row in rows], limit=3), quoted([head.name for head in columns], limit=3)
    what = f"It is not clear whether the rows of {notes.source} are data sets or algorithms ({{place}})."
    ways = {
        "If rows are data sets and columns algorithms": option(transpose=False),
        "If rows are algorithms and columns data sets": option(transpose=True),
    }
    place = f"rows {shown[0]}; columns {shown[1]}"
    notes.ask(what, what, [place], why=why, ways=ways)


def _turned(rows: Sequence[Row], axes: Axes, settings: Settings, notes: Notes) -> list[Row]:
    """Of a table with data sets in columns, leave out the rows that describe them."""
    if settings.transpose is None:
        because = "; ".join(text for text, _ in axes.algorithms)
        notes.say(
            f"rows were read as algorithms and columns as data sets, because {because}. If it is the other way round:"
            f" {option(transpose=False)}."
        )
    usual, turned = option(algorithms=[...]), option(datasets=[...])
    notes.left = [replace(item, keep=turned) if item.keep == usual else item for item in notes.left]
    keeps_all = settings.keep_rows
    described = [
        row for row in rows if words.describes_data(row.name) and not keeps_all and not settings.named(row.name)
    ]
    for row in described:
        notes.leave("row", row.name, notes.at(row.line), "description of the data sets", option(keep_rows=True))
    return [row for row in rows if row not in described]


# ---- the table in long form


def _long(
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
    """Lay the cells out with one row per data set and algorithm."""
    score = _score_name(settings, titles, columns)
    _check_names(rows, columns, notes)
    keys: dict[tuple[tuple[str, str], ...], dict[str, Item]] = {}
    for row in rows:
        for head in columns:
            pair = (head.name, row.name) if transposed else (row.name, head.name)
            key = (*zip(("dataset", "algorithm"), pair, strict=True), *row.keys)
            metric = f"{head.metric or row.metric or score}{'_sd' if head.sd else ''}"
            if metric in keys.get(key, {}):
                key = (*key, ("", str(row.line)))  # a repeated row: the table itself refuses it, with both lines
            keys.setdefault(key, {})[metric] = row.items[head.place]
    groups = [[row.items[head.place] for head in columns] for row in rows]
    style = style_of([list(group) for group in zip(*groups, strict=True)] if transposed else groups, settings.decimal)
    roles = [role for role, _ in next(iter(keys)) if role] if keys else ["dataset", "algorithm"]
    made: dict[str, Column] = {role: TextColumn([dict(key)[role] for key in keys]) for role in roles}
    metrics = dict.fromkeys(metric for cells in keys.values() for metric in cells)
    for metric in sorted(metrics, key=lambda name: name.endswith("_sd")):
        made[metric] = CellColumn([cells.get(metric, EMPTY) for cells in keys.values()], style)
    because = axes.algorithms if transposed else axes.datasets
    return account(
        layout,
        made,
        notes,
        form="transposed" if transposed else "wide",
        roles={role: role for role in roles},
        unnamed=score == WIDE_SCORE,
        evidence=tuple(text for text, _ in because) if settings.transpose is None else ("as told",),
    )


def _score_name(settings: Settings, titles: Sequence[str], columns: Sequence[Head]) -> str:
    """Name the one score: the requested one, by a title over all columns, or by the general name."""
    taken = {head.metric for head in columns if not head.sd}
    free = [name for name in settings.scores or () if name not in taken]
    if free and "" in taken:
        return free[0]
    named = [_metric_word(text) for text in titles if _is_metric(text)]
    return next((name for name in named if metric_named(name).higher_is_better is not None), WIDE_SCORE)


def _check_names(rows: Sequence[Row], columns: Sequence[Head], notes: Notes) -> None:
    """Note names that are missing or there twice."""
    source = notes.source
    nameless = [f"column {head.place + 1}" for head in columns if not head.name]
    nameless += [notes.at(row.line) for row in rows if not row.name]
    if nameless:
        notes.ask(
            f"{{place}} of {source}: the name is missing.",
            f"{{count}} rows and columns of {source} have no name: {{places}}.",
            nameless,
            mend="Fill it in, or delete it.",
        )
    count = Counter((head.name, head.metric, head.sd) for head in columns if head.name)
    twice = list(dict.fromkeys(repr(name) for (name, _, _), number in count.items() if number > 1))
    if twice:
        notes.ask(
            f"Two columns of {source} are named {{place}}.",
            f"Several columns of {source} share a name: {{places}}.",
            twice,
            mend="Rename one of the columns.",
        )
