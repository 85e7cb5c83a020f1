"""Headers of a wide table: which column is which algorithm (or data set), and which of its scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tiebreak.errors import quoted
from tiebreak.readers.settings import Settings
from tiebreak.readers.understanding import words
from tiebreak.readers.understanding.layout import NUMBER, Item, Layout, readings, spread
from tiebreak.readers.understanding.notes import LeftOut, Notes, Problem, problem
from tiebreak.results.metrics import metric_named
from tiebreak.wording import option


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """One column of numbers: its name, the score it holds ('' for the one score of the table), whether it is an sd."""

    place: int
    name: str
    metric: str = ""
    sd: bool = False


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


def heads_of(
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
    read = _one_level(layout, places, remaining[0], settings, notes)
    return (read if len(remaining) == 1 else _two(layout, places, remaining[-2:], settings, notes)), tuple(titles)


def _two(
    layout: Layout, places: Sequence[int], levels: Sequence[tuple[str, ...]], settings: Settings, notes: Notes
) -> list[Head]:
    """Read two header rows: names over scores, scores over names, or families over names."""
    upper, lower = levels
    lower = tuple(low or up for up, low in zip(upper, lower, strict=True))
    options = set(settings.scores or ())
    for names, scores in ((upper, lower), (lower, upper)):
        distinct = set(scores)
        if options & distinct or sum(map(is_metric, distinct)) * 2 > len(distinct):
            return _product(layout, places, names, scores, notes)
    if len(set(lower)) == len(lower):
        families = ", ".join(dict.fromkeys(text for text in upper if text))
        why = "groups of the names below it, each of which is there once"
        notes.left.append(LeftOut(what="header row", name=families, place="above the names", why=why))
        return _one_level(layout, places, lower, settings, notes)
    shown = f"{quoted(dict.fromkeys(upper), limit=3)} over {quoted(dict.fromkeys(lower), limit=3)}"
    what = f"{notes.source} has two header rows ({shown}), and neither names known scores."
    remaining = problem(
        what,
        what,
        [""],
        why="It is not clear which of them names the algorithms.",
        mend="Write one header row with whole names.",
        ways={"Or, if the lower one names scores": option(scores=Counter(lower).most_common(1)[0][0])},
    )
    notes.problems.append(remaining)
    return []


def _product(
    layout: Layout, places: Sequence[int], names: Sequence[str], scores: Sequence[str], notes: Notes
) -> list[Head]:
    columns = []
    for place, name, score in zip(places, names, scores, strict=True):
        if words.is_rank(score):
            notes.left.append(_left(layout, place, f"{name} {score}", "ranks of the scores beside it"))
        else:
            word = metric_word(score)
            sd = words.is_sd(word)
            columns.append(Head(place=place, name=name, metric="" if sd or words.is_mean(word) else word, sd=sd))
    metrics = {head.metric for head in columns if not head.sd} - {""}
    if len(metrics) == 1:  # the standard deviation beside a named score is of that score
        columns = [replace(head, metric=next(iter(metrics))) if head.sd else head for head in columns]
    return columns


def _one_level(
    layout: Layout, places: Sequence[int], names: Sequence[str], settings: Settings, notes: Notes
) -> list[Head]:
    """Read one header row, in which sd and rank columns may stand beside those they belong to."""
    split = None if any(map(settings.named, names)) else _split(names)
    if split is not None:
        return _product(layout, places, *split, notes)
    columns = list[Head]()
    count = Counter(names)
    for place, name in zip(places, names, strict=True):
        base = words.deviation_of(name, count)
        beside = words.is_sd(name) and (count[name] > 1 or len(places) == 2)
        if settings.named(name):
            columns.append(Head(place=place, name=name))
        elif columns and (beside or (not name and _is_spread(layout, place))):
            columns.append(Head(place=place, name=columns[-1].name, sd=True))
        elif base is not None:
            columns.append(Head(place=place, name=base, sd=True))
        elif words.is_rank(name) and count[name] > 1:
            notes.left.append(_left(layout, place, name, "ranks of the column beside it"))
        elif (pair := of_metric(name)) is not None and pair[0] in count:
            columns.append(Head(place=place, name=pair[0], metric=pair[1]))
        else:
            columns.append(Head(place=place, name=name))
    return columns


def _is_spread(layout: Layout, place: int) -> bool:
    """Say whether the cells of a column without a name begin with ±, as where a table was aligned by it."""
    cells = [item.text for item in layout.column(place) if not item.empty]
    return bool(cells) and all(text.startswith(("±", "+/-", "(")) for text in cells)


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
    turned = [re.fullmatch(r"(.+?)[ _./:|-]+(.+)", name) for name in names]
    before = [(part[2].strip(), part[1].strip()) for part in turned if part and is_metric(part[1].strip())]
    for pairs in ([pair for name in names if (pair := of_metric(name))], before):
        kinds, who = {item for _, item in pairs}, {item for item, _ in pairs}
        if len(kinds) > 1 and len(who) > 1 and len(set(pairs)) == len(kinds) * len(who) == len(names):
            return [item for item, _ in pairs], [item for _, item in pairs]
    return None


def _left(layout: Layout, place: int, name: str, why: str) -> LeftOut:
    return LeftOut(what="column", name=name, place=layout.place(place), why=why, keep=option(algorithms=[...]))


def results_among(layout: Layout, heads: Sequence[Head], settings: Settings, notes: Notes) -> list[Head]:
    """Return the columns of results: those that were named, or all that neither describe data sets nor sum up."""
    wanted = set(settings.algorithms or ())
    if wanted and settings.transpose is not True and wanted <= {head.name for head in heads}:
        return [head for head in heads if head.name in wanted]
    numbers = {head: _values(layout.column(head.place)) for head in heads if not head.sd}
    gone, names = set[str](), list[str]()
    for head in numbers:
        if settings.named(head.name):
            continue
        why: str | None = ""
        if words.is_summary(head.name) and not words.is_description(head.name):
            why = "summary of the others"
        elif words.is_description(head.name):
            why = _of_description(head, numbers)
        elif metric_named(head.name).higher_is_better is not None and not head.metric:
            why = "name of a score or cost"
        elif not head.metric:
            why = _of_size(head, numbers, settings)
        if why is None:
            names.append(head.name)
        elif why:
            notes.left.append(_left(layout, head.place, head.name, why))
            gone.add(head.name)
    remaining = [head for head in heads if head.name not in gone]
    if names:
        notes.problems.append(_asked(names, list(dict.fromkeys(head.name for head in remaining)), notes.source))
    return remaining


def _asked(texts: Sequence[str], every: list[str], source: str) -> Problem:
    """Ask whether columns such as 'n' are algorithms, where their numbers do not tell."""
    rest = [name for name in every if name not in texts]
    ways = {"If it describes them": option(algorithms=rest)} if rest else {}
    return problem(
        f"It is not clear whether column {{place}} of {source} is an algorithm or describes the data sets.",
        f"It is not clear whether columns of {source} are algorithms or describe the data sets: {{places}}.",
        [*map(repr, texts)],
        why="Such whole numbers could be sizes, and could be results.",
        ways={**ways, "If all are algorithms": option(algorithms=every)},
    )


def _of_description(head: Head, numbers: dict[Head, list[float]]) -> str | None:
    """A single letter or a common word describes only where the column holds other numbers than the rest.

    None where that cannot be told, as all are whole.
    """
    current, why = numbers[head], "description of the rows"
    if not words.is_weak(head.name):
        return why
    rest = [value for other, values in numbers.items() if other is not head for value in values]
    if not current or not rest:
        return why if rest and not _whole(rest) else ""
    if not _whole(current):
        return why if min(current) >= 1 < max(current) and max(rest) <= 1 else ""
    if not _whole(rest) or min(current) > max(rest):
        return why
    return None if words.is_size(head.name) else ""


def _of_size(head: Head, numbers: dict[Head, list[float]], settings: Settings) -> str | None:
    """Leave out whole numbers among fractions that no known algorithm names, as sizes; None where it must be asked.

    Beside shares of 1, or of 100 where the score is known to be one, nobody would take what goes beyond 100 for
    results. What may be percent, or a score without a limit, is asked about; a known one such as a time has none.
    """
    known, current = metric_named(settings.scores[0] if settings.scores else ""), numbers[head]
    limited = known.higher_is_better is None or known.is_share or known.is_general
    rest = [v for other, values in numbers.items() if not other.metric and not _whole(values) for v in values]
    sized = bool(current) and _whole(current) and min(current) >= 0 and words.known_as(head.name) != "algorithm"
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
