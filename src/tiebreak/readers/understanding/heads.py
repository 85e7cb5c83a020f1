"""Headers of a wide table: which column is which algorithm (or data set), and which of its scores."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tiebreak.errors import quoted
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.layout import NUMBER, Item, Layout, column_place, readings, spread
from tiebreak.readers.understanding.notes import LeftOut, Problem, Told, Way
from tiebreak.results.metrics import metric_named
from tiebreak.wording import option


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
        return replace(_flat(layout, places, kept[0], told), titles=tuple(titles))
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
        flat = _flat(layout, places, lower, told)
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
        ways=(Way(when="Or, if the lower one names scores", say=option(scores=first)),),
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


def _flat(layout: Layout, places: Sequence[int], names: Sequence[str], told: Told) -> Heads:
    """Read one header row, in which sd and rank columns may stand beside those they belong to."""
    split = None if any(map(told.named, names)) else _split(names)
    if split is not None:
        return _product(layout, places, *split)
    columns: list[Head] = []
    left = []
    count = Counter(names)
    for place, name in zip(places, names, strict=True):
        if told.named(name):
            columns.append(Head(place=place, name=name))
            continue
        base = _sd_of(name, names)
        beside = words.is_sd(name) and (count[name] > 1 or len(places) == 2)
        if columns and (beside or (not name and _spread(layout, place))):
            columns.append(Head(place=place, name=columns[-1].name, sd=True))
        elif base is not None:
            columns.append(Head(place=place, name=base, sd=True))
        elif words.is_rank(name) and count[name] > 1:
            left.append(_left(layout, place, name, "it holds ranks of the column beside it"))
        elif (pair := of_metric(name)) is not None and pair[0] in count:
            columns.append(Head(place=place, name=pair[0], metric=pair[1]))
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


def of_metric(name: str) -> tuple[str, str] | None:
    """Split a name such as RF_accuracy or SVM-RBF (time) into a name and a known score or cost; None where it is none.

    Examples
    --------
    >>> of_metric("SVM-RBF_train_time"), of_metric("RF (acc)"), of_metric("SVM-RBF")
    (('SVM-RBF', 'train_time'), ('RF', 'acc'), None)
    """
    for part in re.finditer(r"[ _./:|-]+\(?|\(", name):
        base, word = name[: part.start()].strip(), name[part.end() :].strip()
        word = word.removesuffix(")") if "(" in part[0] else word
        if base and word and is_metric(word):
            return base, word
    return None


def _split(names: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Split names such as RF_accuracy, RF_time into two levels, where all are of that form, or acc_RF, time_RF."""
    turned = [re.fullmatch(r"(.+?)[ _./:|-]+(.+)", each) for each in names]
    before = [(part[2].strip(), part[1].strip()) for part in turned if part and is_metric(part[1].strip())]
    for pairs in ([pair for each in names if (pair := of_metric(each))], before):
        kinds, who = {each for _, each in pairs}, {each for each, _ in pairs}
        if len(kinds) > 1 and len(who) > 1 and len(set(pairs)) == len(kinds) * len(who) == len(names):
            return [each for each, _ in pairs], [each for _, each in pairs]
    return None


def _left(layout: Layout, place: int, name: str, why: str) -> LeftOut:
    keep = option(algorithms=[...])
    return LeftOut(what="column", name=name, place=column_place(layout, place), why=why, keep=keep)


def describing(layout: Layout, heads: Sequence[Head], told: Told) -> tuple[list[LeftOut], list[Problem]]:
    """Find the columns that describe data sets or sum up algorithms; those that were named stay."""
    found, asked = list[LeftOut](), list[Head]()
    beyond, doubtful = _sizes(layout, [head for head in heads if not head.sd], told)
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
                asked.append(head)
        elif known.higher_is_better is not None and not head.metric:
            found.append(_left(layout, head.place, head.name, "its name is that of a score or cost"))
        elif head in beyond:
            found.append(
                _left(layout, head.place, head.name, "it holds whole numbers far beyond the results beside it")
            )
        elif head in doubtful:
            asked.append(head)
    gone = {each.name for each in found}
    return found, [_asked(asked, [head.name for head in heads if head.name not in gone])] if asked else []


def _sizes(layout: Layout, heads: Sequence[Head], told: Told) -> tuple[set[Head], set[Head]]:
    """Find columns of whole numbers among fractions that no known algorithm names: sizes, or what may be sizes.

    Beside shares of 1, or of 100 where the score is known to be one, nobody would take what goes beyond 100 for
    results. What may be percent, or a score without a limit, is asked about; a known one such as a time has none.
    """
    known = metric_named(told.scores[0] if told.scores else "")
    if known.higher_is_better is not None and not known.is_share and not known.is_general:
        return set(), set()
    numbers = {head: _values(layout.column(head.place)) for head in heads if not head.metric}
    whole = {head for head, own in numbers.items() if own and all(value == int(value) for value in own)}
    rest = [value for head, own in numbers.items() if head not in whole for value in own]
    if not rest or not all(0 <= value <= 100 for value in rest):
        return set(), set()
    whole = {head for head in whole if words.known_as(head.name) != "algorithm" and min(numbers[head]) >= 0}
    beyond = {head for head in whole if max(numbers[head]) > 100}
    others = {head for head in whole - beyond if max(rest) <= 1 <= min(numbers[head])}
    if max(rest) > 1 and not known.is_share:
        return set(), beyond
    return beyond, {head for head in others if len(set(numbers[head])) > 1}


def _values(items: Sequence[Item]) -> list[float]:
    """Return the numbers of a column whose commas leave nothing open."""
    found = [set(readings(item.parsed.value).values()) for item in items if item.kind == NUMBER]
    values = [float(each.pop()) for each in found if len(each) == 1]
    return values if len(values) == len(found) and all(map(math.isfinite, values)) else []


def _asked(asked: Sequence[Head], names: Sequence[str]) -> Problem:
    """Ask whether columns such as 'n' are algorithms, where their numbers do not tell."""
    every = list(dict.fromkeys(names))
    rest = [name for name in every if name not in {head.name for head in asked}]
    one = len(asked) == 1
    return Problem(
        one="It is not clear whether column {place} of {source} is an algorithm or describes the data sets.",
        many="It is not clear whether columns of {source} are algorithms or describe the data sets: {places}.",
        places=tuple(repr(head.name) for head in asked),
        why="Such whole numbers could be sizes, and could be results.",
        ways=(
            *(
                [
                    Way(
                        when=f"If {'it is a description' if one else 'they are descriptions'}",
                        say=option(algorithms=rest),
                    )
                ]
                if rest
                else []
            ),
            Way(when=f"If {'it is an algorithm' if one else 'they are algorithms'}", say=option(algorithms=every)),
            *_totals(names),
        ),
    )


def _totals(names: Sequence[str]) -> tuple[Way, ...]:
    """Where columns count wins or passes of a total, offer to read totals, with the call."""
    counts = [name for name in names if name.lower().startswith("n_")]
    whole = [name for name in counts if name.lower() in ("n_total", "n_items", "n_cases", "n_all")]
    if not whole or len(counts) < 2:
        return ()
    passed = next(name for name in counts if name != whole[0])
    told = option(columns={"algorithm": "HEADER", "passed": passed, "n": whole[0]})
    return (Way(when="If they count items, and a column (its HEADER may be empty) names the models", say=told),)


def _unlike(layout: Layout, head: Head, heads: Sequence[Head]) -> bool | None:
    """A single letter or a common word describes only where the column holds other numbers than the rest.

    None where that cannot be told, as all are whole.
    """
    if not words.is_weak(head.name):
        return True
    own = layout.column(head.place)
    rest = [item for other in heads if other is not head for item in layout.column(other.place)]
    if not _whole(own):
        sizes, others = _values(own), _values(rest)
        return bool(sizes and others) and min(sizes) >= 1 < max(sizes) and max(others) <= 1
    if not _whole(rest):
        return True
    sizes, others = _numbers(own), _numbers(rest)
    return True if sizes and others and min(sizes) > max(others) else None


def _numbers(items: Sequence[Item]) -> list[float]:
    return [float(item.parsed.value) for item in items if item.parsed.value]


def _whole(items: Sequence[Item]) -> bool:
    return all(item.parsed.value.isdigit() for item in items if item.parsed.value)
