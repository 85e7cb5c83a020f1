"""Tables of a document: which files it is made of, the score and direction of each table, and its printed averages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import listed, number
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.readers.grids import Cell, Grid
from tiebreak.readers.settings import Settings
from tiebreak.readers.understanding.notes import Understood
from tiebreak.readers.understanding.table import results_of, understand
from tiebreak.results import Results, metric_named
from tiebreak.results.columns import Columns
from tiebreak.results.roles import WIDE_SCORE
from tiebreak.wording import Brief, option, which_way, which_way_of

ENDINGS = (".tex", ".md", ".markdown", ".html", ".htm")
"""What is looked at in a folder; a file is read whatever its ending."""

FEWEST_WORDS = 30
"""So many words beside its tables make a document of a Markdown or HTML file."""
_RESULTS = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".xlsx", ".eval")
_SECTIONS = re.compile(r"\\(documentclass|begin\s*\{document\}|section|chapter)\b")
_HTML_TABLES = re.compile(r"<table\b.*?</table>|<style\b.*?</style>|<script\b.*?</script>", re.I | re.S)
_MD_TABLES = re.compile(r"^\s*\|.*\|\s*$|<table\b.*?</table>", re.M | re.I | re.S)
_TAGS = re.compile(r"<[^>]*>")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_TAKES_IN = re.compile(r"(?<!%)\\(?:input|include|subfile)\s*\{([^}]+)\}")
_COMMENT = re.compile(r"(?<!\\)%.*")


def files_of(path: Path) -> list[Path]:
    """Return the files to look at; those that another takes in are read with it."""
    if path.is_dir():
        paths = [item for item in sorted(path.rglob("*")) if item.suffix.lower() in ENDINGS and _is_seen(item, path)]
        if not paths:
            raise InputError(
                f"{path} holds no document.",
                why=f"In a folder, files that end with {', '.join(ENDINGS)} are looked at.",
                mend="Name the file itself.",
            )
    else:
        paths = [path]
    inner = {part for item in paths for part in _parts(item, item.parent, {item.resolve()})}
    whole = [item for item in paths if item.resolve() not in inner]
    return whole or paths  # files that take in each other


def is_document(path: Path) -> bool:
    """Say whether a file is a document with prose around its tables, or a folder of nothing but documents.

    A table alone, as a spreadsheet exports it, is none.
    """
    if path.is_dir():
        kinds = {item.suffix.lower() for item in path.iterdir() if item.is_file() and _is_seen(item, path)}
        return bool(kinds & set(ENDINGS)) and not kinds & set(_RESULTS)
    kind = path.suffix.lower()
    if kind not in ENDINGS or not path.is_file():
        return False
    text = path.read_text(encoding="utf-8", errors="replace")
    if kind == ".tex":
        return _SECTIONS.search(_COMMENT.sub("", text)) is not None
    prose = _HTML_TABLES.sub(" ", text) if kind.startswith(".htm") else _MD_TABLES.sub(" ", text)
    has_table = prose != text
    return has_table and len(_WORDS.findall(_TAGS.sub(" ", prose))) >= FEWEST_WORDS


def file_of(source: str, document: Path) -> Path:
    r"""Return the file that a LaTeX document means by what its \input says."""
    named = document.parent / source
    return named if named.is_file() else named.with_name(f"{named.name}.tex")


def _is_seen(path: Path, folder: Path) -> bool:
    return path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)


def _parts(path: Path, root: Path, above: set[Path]) -> Iterator[Path]:
    r"""Follow \input, whose paths LaTeX takes from where the main file lies: what is taken in is read with that."""
    if path.suffix.lower() != ".tex" or not path.is_file():
        return
    text = _COMMENT.sub("", path.read_text(encoding="utf-8", errors="replace"))
    for name in _TAKES_IN.findall(text):
        part = file_of(name.strip(), root / path.name)
        if ".." not in name and part.is_file() and part.resolve() not in above:
            above.add(part.resolve())
            yield part.resolve()
            yield from _parts(part, root, above)


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


def read_grid(grid: Grid, settings: Settings, *, higher_is_better: Ways, alone: bool) -> Read:
    """Understand a grid; what was said for a whole document overrules no caption, unless this table alone is meant."""
    _check_size(grid)
    way, message = _way_told(settings, higher_is_better), _way_of(grid.caption)
    if not alone and None not in (way, message) and way != message:
        try:
            read = _read(grid, replace(settings, scores=None), None)
        except TiebreakError:  # the caption does not settle it, and somebody has
            return _read(grid, settings, higher_is_better)
        text = (
            f"The caption says that {'higher' if message else 'lower'} is better; the option for the whole document was"
            f" not applied. Say {option(table=...)} to apply it."
        )
        return replace(read, notes=(*read.notes, Caveat("read-as", text)))
    return _read(grid, settings, higher_is_better, alone=alone)


def _way_told(settings: Settings, higher_is_better: Ways) -> bool | None:
    """Return the direction that was said for all tables, outright or by naming the score."""
    if isinstance(higher_is_better, bool):
        return higher_is_better
    return metric_named(settings.scores[0]).higher_is_better if settings.scores else None


def _way_of(caption: str) -> bool | None:
    """Return the direction that a caption says, by the score that it names or in words."""
    word = _metric_of(caption)
    if word is not None:
        return metric_named(word).higher_is_better
    higher, lower = bool(_HIGHER.search(caption)), bool(_LOWER.search(caption))
    return higher if higher != lower else None


def _read(grid: Grid, told: Settings, higher_is_better: Ways, *, alone: bool = False) -> Read:
    """Understand a grid; its caption names the score where the table does not, and bold may tell the direction."""
    result = understand(grid, told, every_score=True)
    for role, words in (("dataset", "data sets"), ("algorithm", "algorithms")):
        if len(result.order.get(role, ())) < 2:
            raise InputError(f"It has fewer than two {words}.", why="A claim over data sets needs several of both.")
    word = _metric_of(grid.caption)
    by_caption = word is not None and told.scores is None and WIDE_SCORE in result.columns
    outright = higher_is_better if isinstance(higher_is_better, bool) else None
    if word is not None and by_caption and outright in (None, metric_named(word).higher_is_better):
        result = understand(grid, replace(told, scores=(word,)), every_score=True)
    results = results_of(result, partial(_chosen, told.scores))
    results = results.only(datasets=told.datasets, algorithms=told.algorithms)
    bold = tuple((d, a) for d, a in result.best if d in results.datasets and a in results.algorithms)
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
    return Read(understood=result, results=results, directions=directions, bold=bold, notes=tuple(notes))


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


def _chosen(texts: Sequence[str] | None, columns: Columns, _roles: object) -> list[str] | None:
    """Take the score that was named where the table has it, else whatever it has."""
    return [name for name in texts or () if name in columns] or None


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
    tried = [item for word in tried for item in (word, word.removesuffix("s"))]
    named = [metric_named(word) for word in tried]
    known = [item for item in named if item.higher_is_better is not None and not item.is_cost]
    one_way = len({item.higher_is_better for item in known}) == 1
    return next((item.name for item in known if not item.is_general), known[0].name) if known and one_way else None


def _direction(
    results: Results, bold: Bold, score: str, words: str, flag: bool | None
) -> tuple[bool | None, Caveat | None]:
    """Say which way is better: as told, by the score's name, by caption or header, by bold; None if nothing tells."""
    known = metric_named(score).higher_is_better
    if flag is not None or known is not None:
        return metric_named(score).direction(flag), None
    message = {True: bool(_HIGHER.search(words)), False: bool(_LOWER.search(words))}
    if message[True] != message[False]:
        text = f"{'Higher' if message[True] else 'Lower'} is better, as caption or header say."
        return message[True], Caveat("read-as", text)
    by_bold = _by_bold(results, bold, score)
    if by_bold is None:
        text = f"{score!r} was not judged: nothing says which way is better. Say {which_way_of(score)}."
        return None, Caveat("score-not-judged", text)
    way, extreme = ("Higher", "highest") if by_bold else ("Lower", "lowest")
    text = f"{way} is taken to be better: every result in bold is the {extreme} of its data set."
    return by_bold, Caveat("read-as", text)


def _by_bold(results: Results, bold: Bold, score: str) -> bool | None:
    """Return the direction if all results in bold agree on it, on at least two data sets."""
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


AVERAGE, RANK = "average", "mean rank"
MOST_NAMED = 3
_RANK = re.compile(r"\branks?\b", re.I)
_AVERAGE = re.compile(r"^\W*(?:(?:overall|macro|total)\W+)?(?:average|avg|mean|arithmetic mean)\b", re.I)
_NOT_PLAIN = re.compile(r"\b(?:geo\w*|harmonic|weighted|std|sd|dev\w*|error|win\w*|top)\b", re.I)
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Printed(Brief):
    """One printed number and what the table gives for it: between `low` and `high`, as its cells are rounded."""

    label: str
    kind: str
    algorithm: str
    printed: float
    low: float
    high: float

    @property
    def agrees(self) -> bool:
        """Whether rounding can explain what difference there is."""
        return self.low <= self.printed <= self.high

    @property
    def expected(self) -> float:
        """What the numbers of the table give."""
        return (self.low + self.high) / 2


def printed_sums(grid: Grid, read: Read) -> tuple[Printed, ...]:
    """Find the rows (or columns) of averages and mean ranks over the data sets, and recompute them.

    Cells are rounded, so every one may lie half a unit of its last digit to either side: an average agrees if it lies
    within that and its own rounding, a mean rank if some such numbers give it.
    """
    form, scores = read.understood.form, list(read.directions)
    if form not in ("wide", "transposed") or len(scores) != 1:
        return ()
    lines = list(grid.rows) if form == "wide" else [tuple(column) for column in zip(*grid.rows, strict=True)]
    results = read.results
    means = results.means(scores[0], partial=True)
    places = _places(lines, results.algorithms)
    half = _half_unit(lines, results.datasets, places)
    out: list[Printed] = []
    for line in lines:
        label = next((cell.text.strip() for cell in line if cell.text.strip()), "")
        kind = _kind(label)
        if not kind or label in results.datasets:
            continue
        low, high = _bounds(means, half, kind, higher=read.directions[scores[0]])
        for at, (name, place) in enumerate(zip(results.algorithms, places, strict=True)):
            shown = None if place is None else _shown(line[place])
            if shown is None or np.isnan(means[:, at]).any() or (kind == RANK and np.isnan(means).any()):
                continue
            value, current = shown
            slack = current + 1e-9 * max(1.0, abs(value))
            ends = {"low": float(low[at]) - slack, "high": float(high[at]) + slack}
            out.append(Printed(label=label, kind=kind, algorithm=name, printed=value, **ends))
    return tuple(out)


def said_of(sums: Sequence[Printed]) -> list[str]:
    """Say for every printed row whether it agrees, and name what does not."""
    out = []
    for label in dict.fromkeys(item.label for item in sums):
        row = [item for item in sums if item.label == label]
        wrong = [item for item in row if not item.agrees]
        if not wrong:
            out.append(f"{label}: agrees with the numbers of the table.")
            continue
        named = [
            f"{item.algorithm} {number(item.printed)} (the numbers give {number(item.expected)})"
            for item in wrong[:MOST_NAMED]
        ]
        more = [f"{len(wrong) - MOST_NAMED} more"] if len(wrong) > MOST_NAMED else []
        out.append(f"{label}: {len(wrong)} of {len(row)} do not agree with the numbers: {listed([*named, *more])}.")
    return out


def _kind(label: str) -> str:
    if _NOT_PLAIN.search(label):
        return ""
    return RANK if _RANK.search(label) else AVERAGE if _AVERAGE.search(label) else ""


def _places(lines: Sequence[tuple[Cell, ...]], algorithms: Sequence[str]) -> list[int | None]:
    """Find in which column each algorithm stands; None where its name stands in several, or in none."""
    out: list[int | None] = []
    for name in algorithms:
        result = {at for line in lines[:4] for at, cell in enumerate(line) if at and _plain(cell.text) == _plain(name)}
        out.append(result.pop() if len(result) == 1 else None)
    return out


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _shown(cell: Cell) -> tuple[float, float] | None:
    """Return the number of a cell, and half a unit of its last digit."""
    match = _NUMBER.search(cell.text.strip().replace("−", "-"))
    if match is None:
        return None
    text = match[0].replace(",", ".")
    scale = 0.01 if "%" in cell.text else 1.0
    return scale * float(text), scale * 0.5 * 10.0 ** -len(text.partition(".")[2])


def _half_unit(lines: Sequence[tuple[Cell, ...]], datasets: Sequence[str], places: Sequence[int | None]) -> float:
    """Return half a unit of the last digit in which the scores are printed.

    A table that drops trailing zeros is as fine as its finest cell.
    """
    known = {_plain(name) for name in datasets}
    rows = [line for line in lines if any(_plain(cell.text) in known for cell in line)]
    cells = [_shown(line[place]) for line in rows for place in places if place is not None]
    return min((cell[1] for cell in cells if cell is not None), default=0.0)


def _bounds(means: FloatArray, half: float, kind: str, *, higher: bool) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest value that unrounded numbers can give, for each algorithm."""
    if kind == AVERAGE:
        middle = means.mean(axis=0)
        return middle - half, middle + half
    errors = -means if higher else means
    apart = errors[:, :, None] - errors[:, None, :]  # positive: the second is better
    sure, slack = 2 * half * (1 + 1e-6), np.eye(errors.shape[1], dtype=bool)
    surely = ((apart > sure) & ~slack).sum(axis=2)
    possibly = ((apart >= -sure) & ~slack).sum(axis=2)
    return 1.0 + surely.mean(axis=0), 1.0 + possibly.mean(axis=0)
