"""Headers of a wide table: which column is which algorithm (or data set), and which of its scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tiebreak.errors import quoted
from tiebreak.reading.understanding import words
from tiebreak.reading.understanding.layout import Item, Layout, spread
from tiebreak.reading.understanding.problems import Problem, Way
from tiebreak.reading.understanding.told import LeftOut, Told
from tiebreak.tables.metrics import metric_named

ALGORITHMS = "algorithms=[...] (--algorithms A,B,C)"
"""How to keep columns that were left out."""
DATASETS = "datasets=[...] (--datasets A,B,C)"
"""The same where columns are data sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """One column of numbers: its name, the score it holds ('' for the one score of the table), whether it is an sd."""

    place: int
    name: str
    metric: str = ""
    sd: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """The columns of a table, what was left out of its header, and what is not clear about it."""

    columns: tuple[Head, ...]
    titles: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    problems: tuple[Problem, ...] = ()


def column_place(layout: Layout, place: int) -> str:
    """Name a column by its place in the file."""
    cell = layout.grid.rows[0][0] if not layout.body else layout.body[0][place].cell
    return f"column {cell.column}" if cell.column else f"column {place + 1}"


def is_metric(name: str) -> bool:
    """Say whether a header names a score, a cost, or what stands for one beside a standard deviation."""
    bare = metric_word(name)
    known = metric_named(bare)
    return known.higher_is_better is not None or known.is_general or words.is_sd(bare) or words.is_mean(bare)


def metric_word(name: str) -> str:
    """Return the name of a score without its unit and arrow.

    Examples
    --------
    >>> metric_word("Accuracy (%) ↑"), metric_word("Time [s]")
    ('Accuracy', 'Time')
    """
    return re.sub(r"\s*[(\[][%\w]{0,4}[)\]]|[↑↓]|\s+%$", "", name).strip() or name


def heads_of(layout: Layout, places: Sequence[int], told: Told) -> Heads:
    """Settle what the header says about the columns of numbers."""
    levels = [tuple(level[place] for place in places) for level in map(spread, layout.levels[:-1])]
    levels.append(tuple(layout.levels[-1][place] for place in places))
    titles: list[str] = []
    kept: list[tuple[str, ...]] = []
    for level in levels:
        distinct = {text for text in level if text}
        if len(distinct) == 1 and len(places) > 1:
            titles.extend(distinct)
        elif distinct:
            kept.append(level)
    if not kept:
        names = [words.plain(text) for text in (levels[-1] if levels else ())]
        return Heads(columns=tuple(Head(place=p, name=n) for p, n in zip(places, names, strict=True)), titles=())
    if len(kept) == 1:
        return replace(_flat(layout, places, kept[0]), titles=tuple(titles))
    return replace(_two(layout, places, kept[-2:], told), titles=tuple(titles))


def _two(layout: Layout, places: Sequence[int], levels: Sequence[tuple[str, ...]], told: Told) -> Heads:
    """Read two header rows: names over scores, scores over names, or families over names."""
    upper, lower = levels
    lower = tuple(low or up for up, low in zip(upper, lower, strict=True))
    asked = set(told.scores or ())
    for names, scores in ((upper, lower), (lower, upper)):
        distinct = set(scores)
        if asked & distinct or sum(map(is_metric, distinct)) * 2 > len(distinct):
            return _product(layout, places, names, scores)
    if len(set(lower)) == len(lower):
        flat = _flat(layout, places, lower)
        families = list(dict.fromkeys(text for text in upper if text))
        why = "it groups the names below it, each of which is there once"
        header = LeftOut(what="header row", name=", ".join(families), place="above the names", why=why)
        return replace(flat, left_out=(header, *flat.left_out))
    first = next(iter(Counter(lower).most_common(1)))[0]
    problem = Problem(
        one="{source} has two header rows (" + "{place}), and neither names known scores.",
        many="{places}",
        places=(f"{quoted(dict.fromkeys(upper), limit=3)} over {quoted(dict.fromkeys(lower), limit=3)}",),
        why="It is not clear which of them names the algorithms.",
        mend="Write one header row with whole names.",
        ways=(Way(when="Or, if the lower one names scores", python=f"scores={first!r}", command=f"--score {first}"),),
    )
    return Heads(columns=(), problems=(problem,))


def _product(layout: Layout, places: Sequence[int], names: Sequence[str], scores: Sequence[str]) -> Heads:
    columns, left = [], []
    for place, name, score in zip(places, names, scores, strict=True):
        if words.is_rank(score):
            left.append(_left(layout, place, f"{name} {score}", "it holds ranks of the scores beside it"))
        else:
            word = metric_word(score)
            sd = words.is_sd(word)
            columns.append(Head(place=place, name=name, metric="" if sd or words.is_mean(word) else word, sd=sd))
    metrics = {head.metric for head in columns if not head.sd} - {""}
    if len(metrics) == 1:  # the standard deviation beside a named score is of that score
        [only] = metrics
        columns = [replace(head, metric=only) if head.sd else head for head in columns]
    return Heads(columns=tuple(columns), left_out=tuple(left))


def _flat(layout: Layout, places: Sequence[int], names: Sequence[str]) -> Heads:
    """Read one header row, in which sd and rank columns may stand beside those they belong to."""
    split = _split(names)
    if split is not None:
        return _product(layout, places, *split)
    columns: list[Head] = []
    left = []
    count = Counter(names)
    for place, name in zip(places, names, strict=True):
        base = _sd_of(name, names)
        beside = words.is_sd(name) and (count[name] > 1 or len(places) == 2)
        if columns and (beside or (not name and _spread(layout, place))):
            columns.append(Head(place=place, name=columns[-1].name, sd=True))
        elif base is not None:
            columns.append(Head(place=place, name=base, sd=True))
        elif words.is_rank(name) and count[name] > 1:
            left.append(_left(layout, place, name, "it holds ranks of the column beside it"))
        else:
            columns.append(Head(place=place, name=name))
    return Heads(columns=tuple(columns), left_out=tuple(left))


def _spread(layout: Layout, place: int) -> bool:
    """Say whether the cells of a column without a name begin with ±, as where a table was aligned by it."""
    cells = [item.text for item in layout.column(place) if not item.empty]
    return bool(cells) and all(text.startswith(("±", "+/-", "(")) for text in cells)


def _sd_of(name: str, names: Sequence[str]) -> str | None:
    """Return the column whose standard deviation this one holds by its name, such as RF of RF_std."""
    found = re.fullmatch(
        r"(?:(?P<before>std|sd|stdev|se)[ _.-])?(?P<name>.+?)(?:[ _.-]?\(?(?P<after>std|sd|stdev|std\.? ?dev|se)\)?)?",
        name,
        re.I,
    )
    if found and (found["before"] or found["after"]):
        base = found["name"].strip(" _.-")
        return next((each for each in names if each in (base, f"{base}_mean", f"{base} mean")), None)
    return None


def _split(names: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Split names such as RF_accuracy, RF_time into two levels, where all are of that form."""
    for pattern, name, score in ((r"(.+?)[ _./:|-]+\(?([^()]+)\)?", 1, 2), (r"(.+?)[ _./:|-]+(.+)", 2, 1)):
        parts = [re.fullmatch(pattern, each) for each in names]
        pairs = [(part[name].strip(), part[score].strip()) for part in parts if part]
        whole = len(pairs) == len(names) and all(is_metric(each) for _, each in pairs)
        kinds, who = {each for _, each in pairs}, {each for each, _ in pairs}
        if whole and len(kinds) > 1 and len(who) > 1 and len(set(pairs)) == len(kinds) * len(who) == len(names):
            return [each for each, _ in pairs], [each for _, each in pairs]
    return None


def _left(layout: Layout, place: int, name: str, why: str) -> LeftOut:
    return LeftOut(what="column", name=name, place=column_place(layout, place), why=why, keep=ALGORITHMS)


def describing(layout: Layout, heads: Sequence[Head], told: Told) -> tuple[list[LeftOut], list[Problem]]:
    """Find the columns that describe data sets or sum up algorithms; those that were named stay."""
    found, problems = [], []
    for head in heads:
        if told.named(head.name) or head.sd:
            continue
        known = metric_named(head.name)
        if words.is_summary(head.name) and not words.is_description(head.name):
            found.append(_left(layout, head.place, head.name, "it sums up the others"))
        elif words.is_description(head.name):
            unlike = _unlike(layout, head, heads)
            if unlike:
                found.append(_left(layout, head.place, head.name, "it describes the rows and holds no results"))
            elif unlike is None and words.is_size(head.name):
                problems.append(_asked(head, heads))
        elif known.higher_is_better is not None and not head.metric:
            found.append(_left(layout, head.place, head.name, "its name is that of a score or cost"))
    return found, problems


def _asked(head: Head, heads: Sequence[Head]) -> Problem:
    """Ask whether a column such as 'n' is an algorithm, where its numbers do not tell."""
    rest = ",".join(dict.fromkeys(each.name for each in heads if each is not head))
    return Problem(
        one="It is not clear whether column {place} of {source} is an algorithm or describes the data sets.",
        many="",
        places=(repr(head.name),),
        why="Its name is that of a size, its numbers could be results.",
        ways=(
            Way(
                when="If it is a description",
                python=f"algorithms={rest.split(',')!r}",
                command=f"--algorithms {rest!r}",
            ),
            Way(
                when="If it is an algorithm",
                python=f"algorithms={[head.name, *rest.split(',')]!r}",
                command=f"--algorithms {head.name + ',' + rest!r}",
            ),
        ),
    )


def _unlike(layout: Layout, head: Head, heads: Sequence[Head]) -> bool | None:
    """A single letter or a common word describes only where the column holds other numbers than the rest.

    None where that cannot be told, as all are whole.
    """
    if not words.is_weak(head.name):
        return True
    own = layout.column(head.place)
    rest = [item for other in heads if other is not head for item in layout.column(other.place)]
    if not _whole(own):
        return False
    if not _whole(rest):
        return True
    sizes, others = _numbers(own), _numbers(rest)
    return True if sizes and others and min(sizes) > max(others) else None


def _numbers(items: Sequence[Item]) -> list[int]:
    return [int(item.parsed.value) for item in items if item.parsed.value]


def _whole(items: Sequence[Item]) -> bool:
    return all(item.parsed.value.isdigit() for item in items if item.parsed.value)
