"""A table of a document as results: which score it holds, and which way is better."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tiebreak._brief import Brief
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.readers.grids import Grid
from tiebreak.readers.understanding.notes import Told, Understood
from tiebreak.readers.understanding.opening import results_of
from tiebreak.readers.understanding.table import understand
from tiebreak.results import Results, metric_named
from tiebreak.results.columns import Columns
from tiebreak.results.roles import WIDE_SCORE
from tiebreak.wording import option, which_way, which_way_of

_NOT_SCORES = re.compile(
    r"standard (?:errors?|deviations?)|errors? bars?|loss functions?|(?:mixed|floating.point|half) precision"
    r"|(?:mean|average|avg\.?)? ?ranks?\b",
    re.I,
)
_HIGHER = re.compile(r"↑|\b(?:higher|larger|bigger|greater) is better|the (?:higher|larger) the better", re.I)
_LOWER = re.compile(r"↓|\b(?:lower|smaller|less) is better|the (?:lower|smaller) the better", re.I)


Bold = tuple[tuple[str, str], ...]
Ways = bool | Mapping[str, bool] | None
"""What was said about the direction: for all tables, by the name of a score, or nothing."""


class OpenDirection(OptionError):
    """Nothing says which way is better."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Read(Brief):
    """A table that was understood: its numbers, the scores to judge with their directions, and what was said.

    `bold` are the results in bold, by data set and algorithm.
    """

    understood: Understood
    results: Results
    directions: dict[str, bool]
    bold: Bold = ()
    notes: Caveats = ()


def read_grid(grid: Grid, told: Told, *, higher_is_better: Ways, alone: bool) -> Read:
    """Understand a grid; what was said for a whole document overrules no caption, unless this table alone is meant."""
    _check_size(grid)
    way, said = _way_told(told, higher_is_better), _way_of(grid.caption)
    if not alone and None not in (way, said) and way != said:
        try:
            read = _read(grid, replace(told, scores=None), None)
        except TiebreakError:  # the caption does not settle it, and somebody has
            return _read(grid, told, higher_is_better)
        text = (
            f"The caption says that {'higher' if said else 'lower'} is better; what was told for the whole document was"
            f" not applied. Say {option(table=...)} to apply it."
        )
        return replace(read, notes=(*read.notes, Caveat("read-as", text)))
    return _read(grid, told, higher_is_better, alone=alone)


def _way_told(told: Told, higher_is_better: Ways) -> bool | None:
    """Return the direction that was said for all tables, outright or by naming the score."""
    if isinstance(higher_is_better, bool):
        return higher_is_better
    return metric_named(told.scores[0]).higher_is_better if told.scores else None


def _way_of(caption: str) -> bool | None:
    """Return the direction that a caption says, by the score that it names or in words."""
    word = _metric_of(caption)
    if word is not None:
        return metric_named(word).higher_is_better
    higher, lower = bool(_HIGHER.search(caption)), bool(_LOWER.search(caption))
    return higher if higher != lower else None


def _read(grid: Grid, told: Told, higher_is_better: Ways, *, alone: bool = False) -> Read:
    """Understand a grid; its caption names the score where the table does not, and bold may tell the direction."""
    found = understand(grid, told)
    for role, words in (("dataset", "data sets"), ("algorithm", "algorithms")):
        if len(found.order.get(role, ())) < 2:
            raise InputError(f"It has fewer than two {words}.", why="A claim over data sets needs several of both.")
    word = _metric_of(grid.caption)
    by_caption = word is not None and told.scores is None and WIDE_SCORE in found.columns
    outright = higher_is_better if isinstance(higher_is_better, bool) else None
    if word is not None and by_caption and outright in (None, metric_named(word).higher_is_better):
        found = understand(grid, replace(told, scores=(word,)))
    results = results_of(found, choose=partial(_chosen, told.scores), roles=told.roles)
    results = results.only(datasets=told.datasets, algorithms=told.algorithms)
    bold = tuple((d, a) for d, a in found.best if d in results.datasets and a in results.algorithms)
    scores = _scores_of(results)
    words = f"{grid.caption} {_arrows_of(grid)}" if len(scores) == 1 else grid.caption
    ways = {
        score: _direction(results, bold, score, words, _told_of(score, higher_is_better, alone=alone))
        for score in scores
    }
    directions = {score: way for score, (way, _) in ways.items() if way is not None}
    if not directions:
        raise _open_direction(next(iter(ways), WIDE_SCORE))
    notes = [note for _, note in ways.values() if note]
    if word is not None and by_caption and word in directions:
        notes.append(_by_word(results, bold, word, told=outright is not None))
    return Read(understood=found, results=results, directions=directions, bold=bold, notes=tuple(notes))


def _check_size(grid: Grid) -> None:
    """Refuse what is too small for two methods on two data sets before anybody wonders what it means."""
    rows = [row for row in grid.rows if any(cell.text.strip() for cell in row)]
    width = sum(any(cell.text.strip() for cell in column) for column in zip(*rows, strict=True))
    if len(rows) < 3 or width < 3:
        raise InputError(
            f"It has {len(rows)} rows and {width} columns.",
            why="Results of two methods on two data sets take three of each.",
        )


def _by_word(results: Results, bold: Bold, word: str, *, told: bool) -> Caveat:
    """Say that the caption named the score; where all results in bold speak against it, one of the two is misread."""
    higher = bool(metric_named(word).higher_is_better)
    marked = _by_bold(results, bold, word)
    if marked is not None and marked != higher and not told:
        way, extreme = ("higher", "lowest") if higher else ("lower", "highest")
        raise OptionError(
            f"The caption speaks of {word}, where {way} is better, but every result in bold is the {extreme} there.",
            why="The best algorithm would come out as the worst if one of them were believed wrongly.",
            mend=f"Name the score with {option(score=...)}, or say {which_way()}.",
        )
    text = f"The score is taken to be {word} ({'higher' if higher else 'lower'} is better), as the caption says."
    return Caveat("read-as", text)


def _arrows_of(grid: Grid) -> str:
    """Return the arrows of the header that are about all results: in its first cell, or in all others."""
    first, *others = [cell.text for cell in grid.rows[0] if cell.text.strip()] or [""]
    arrows = [re.sub(r"[^↑↓]", "", text) for text in (first, *others)]
    return arrows[0] or ("".join(arrows) if all(arrows[1:]) else "")


def _told_of(score: str, higher_is_better: Ways, *, alone: bool) -> bool | None:
    """Return what was said of one score; what was said of all tables fills in where its name tells nothing."""
    if isinstance(higher_is_better, Mapping):
        return higher_is_better.get(score)
    known = metric_named(score).higher_is_better is not None
    return None if known and not alone else higher_is_better


def _scores_of(results: Results) -> list[str]:
    """Return the scores that are judged: neither costs nor standard deviations."""
    return [name for name in results.scores if name not in results.spreads]


def _chosen(asked: tuple[str, ...] | None, columns: Columns, _roles: object) -> list[str] | None:
    """Take the score that was named where the table has it, else whatever it has."""
    return [name for name in asked or () if name in columns] or None


def _metric_of(caption: str) -> str | None:
    """Return the one known score that a caption speaks of, None where it speaks of none or of both kinds.

    Examples
    --------
    >>> _metric_of("Test accuracies (mean and standard error) of all methods")
    'accuracy'
    >>> _metric_of("Accuracy and error") is None
    True
    """
    words = re.findall(r"[A-Za-z][\w-]*", _NOT_SCORES.sub(" ", caption))
    tried = [re.sub(r"ies$", "y", word.lower()) for word in words]
    tried = [each for word in tried for each in (word, word.removesuffix("s"))]
    named = [metric_named(word) for word in tried]
    known = [each for each in named if each.higher_is_better is not None and not each.is_cost]
    one_way = len({each.higher_is_better for each in known}) == 1
    return next((each.name for each in known if not each.is_general), known[0].name) if known and one_way else None


def _direction(
    results: Results, bold: Bold, score: str, words: str, told: bool | None
) -> tuple[bool | None, Caveat | None]:
    """Say which way is better: as told, by the score's name, by caption or header, by bold; None if nothing tells."""
    known = metric_named(score).higher_is_better
    if told is not None or known is not None:
        return metric_named(score).direction(told), None
    said = {True: bool(_HIGHER.search(words)), False: bool(_LOWER.search(words))}
    if said[True] != said[False]:
        text = f"{'Higher' if said[True] else 'Lower'} is better, as caption or header say."
        return said[True], Caveat("read-as", text)
    by_bold = _by_bold(results, bold, score)
    if by_bold is None:
        text = f"{score!r} was not judged: nothing says which way is better. Say {which_way_of(score)}."
        return None, Caveat("score-not-judged", text)
    way, extreme = ("Higher", "highest") if by_bold else ("Lower", "lowest")
    text = f"{way} is taken to be better: every result in bold is the {extreme} of its data set."
    return by_bold, Caveat("read-as", text)


def _by_bold(results: Results, bold: Bold, score: str) -> bool | None:
    """Tell the direction where all results in bold agree about it, on two data sets or more."""
    means = results.means(score, partial=True)
    votes = set()
    datasets = {dataset for dataset, _ in bold}
    for dataset, algorithm in bold:
        row = means[results.datasets.index(dataset)]
        value = row[results.algorithms.index(algorithm)]
        top, bottom = value == np.nanmax(row), value == np.nanmin(row)
        votes.add(None if bool(top) == bool(bottom) else bool(top))
    return votes.pop() if len(votes) == 1 and len(datasets) > 1 else None


def _open_direction(score: str) -> OpenDirection:
    return OpenDirection(
        f"Nothing says whether a higher {score!r} is better.",
        why="The best algorithm would come out as the worst if it were guessed wrongly.",
        mend=f"Name the score, such as {option(score='accuracy')}, or say {which_way()}. With {option(table=...)} that"
        " is said of one table alone.",
    )
