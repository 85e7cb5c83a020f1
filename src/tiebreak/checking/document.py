"""From a document to what its tables support."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tiebreak._checks import check_alpha
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.checking.claims import Claim, DocumentCheck, TableCheck, best_of, claims_of, matching
from tiebreak.checking.reading import (
    AVERAGE,
    OpenDirection,
    Printed,
    Read,
    Ways,
    file_of,
    files_of,
    printed_sums,
    read_grid,
)
from tiebreak.comparison.gaps import check_policy
from tiebreak.errors import InputError, OptionError, TiebreakError, quoted
from tiebreak.readers.grids import Grid, grids_of
from tiebreak.readers.published import table_named
from tiebreak.readers.settings import Settings, is_published
from tiebreak.results.roles import one_name
from tiebreak.wording import either, option, which_way

_SHOWN = 3
"""So many results in bold that are not the best are named; the rest is counted."""
_UNMARKED = "No result is in bold"


def check(
    path: str | Path,
    *,
    claim: str | Sequence[str] | None = None,
    score: str | None = None,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    alpha: float = 0.05,
    missing: str = "auto",
    table: int | None = None,
    scores: str | None = None,
    **options: Any,
) -> DocumentCheck:
    r"""Find every table of results in a document, and say which of its claims the numbers support.

    Rows or columns of averages and of mean ranks over the data sets are recomputed; what rounding cannot explain is
    named.

    A method is called best by its bold name, by having most results in bold, or by `claim`. Each is compared with every
    other method of its table, over the data sets of that table, as `tiebreak.compare(..., control=method)` does.

    Hypothesis: of each pair, that the differences over data sets are symmetric about 0.

    Formula: Wilcoxon's signed ranks test with Holm's correction over the rivals; differences are Hodges-Lehmann
    estimates with 95% intervals. How many data sets it would take is Noether's count for differences like those of the
    table, with their own variance, at the level at which Holm's correction stopped, with a power of 0.8.

    Assumptions: the data sets of a table are independent of each other, and its scores fair estimates. What the table
    gives beside means, such as standard deviations over folds, plays no part: they say nothing of other data sets.

    When not to use it: for claims about one data set, which a table of means cannot show; nor to search among many
    tables for one that is significant. The number of data sets is a hint for planning and says of the present table
    nothing that the p-value does not say.

    Parameters
    ----------
    path : str or Path
        A LaTeX file (with those that it takes in by `\input`), Markdown, HTML, any other file with tables, or a folder.
    claim : str or sequence of str, optional
        The method or methods whose claim is judged, instead of those in bold.
    score : str, optional
        The name of the score, where neither the table nor its caption says it; `scores` is the same.
    higher_is_better : bool or mapping of str to bool, optional
        Needed where neither the name of the score, the caption nor the results in bold tell; for scores of both kinds
        by their names. Neither this nor `score` overrules a caption, unless `table` is given.
    alpha : float, default 0.05
    missing : str, default "auto"
        What to do about gaps, as `tiebreak.compare` takes it.
    table : int, optional
        Judge this table of each file alone, by its number.
    **told
        How tables are read, as `tiebreak.read` takes it: columns, algorithms, datasets, transpose, keep_rows, decimal,
        names.

    Returns
    -------
    DocumentCheck

    References
    ----------
    wilcoxon1945
    holm1979
    demsar2006
    benavoli2016
    noether1987

    Examples
    --------
    >>> import tempfile, pathlib
    >>> paper = pathlib.Path(tempfile.mkdtemp()) / "paper.md"
    >>> rows = [f"| set{i} | **{0.8 + i / 100:.2f}** | {0.79 + i / 150:.2f} |" for i in range(8)]
    >>> _ = paper.write_text("\n".join(["Accuracy:", "", "| dataset | SVM | tree |", "|---|---|---|", *rows]))
    >>> result = check(paper, score="accuracy")
    >>> [(item.algorithm, item.verdict) for item in result.claims]
    [('SVM', 'supported')]
    """
    check_policy(missing, "compare")
    check_alpha(alpha)
    place = Path(path)
    _refuse_published(path)
    claims = (claim,) if isinstance(claim, str) else tuple(claim or ())
    named = one_name(score, scores)
    how = Settings(scores=None if named is None else (named,), **options)
    tables: list[TableCheck] = []
    without: list[InputError] = []
    written: set[str] = set()
    count = 0
    files = files_of(place)
    for file in files:
        name = str(file.relative_to(place)) if place.is_dir() else file.name
        try:
            grids = grids_of(file, name=name)
            count = max(count, len(grids))
        except InputError as error:
            without.append(error)
            continue
        numbers = Counter[str]()
        for grid in grids:
            numbers[grid.source] += 1
            if table in (None, numbers[grid.source]):
                about = {"number": numbers[grid.source], "source": _source(grid, name, file, place)}
                texts = {"higher_is_better": higher_is_better, "alone": table is not None}
                tables.append(_checked(grid, about, how, claims, texts, alpha=alpha, missing=missing))
                written |= _words_of(grid) if tables[-1].read is None else set(tables[-1].read.results.scores)
    if not tables:
        raise without[0] if len(files) == len(without) == 1 else _nothing(place, len(files), table, count)
    _check_names(higher_is_better, tables, written)
    return DocumentCheck(
        path=place.name or place.resolve().name,
        tables=tuple(tables),
        without=tuple(str(input_error.what) for input_error in without),
        alpha=alpha,
    )


def _refuse_published(path: str | Path) -> None:
    """A published table is numbers alone: what its paper claims is not among them."""
    if is_published(path):
        name = table_named(path).reference
        raise OptionError(
            f"{name} is a table of results, not a document.",
            why="What is checked are claims, and it makes none.",
            mend="Compare one method with the others: "
            + either(f"tiebreak.compare({name!r}, control='...').", f"tiebreak compare {name} --control NAME."),
        )


def _source(grid: Grid, name: str, file: Path, place: Path) -> str:
    """Name the file that a table stands in, which may be one that a LaTeX document takes in."""
    if grid.source == name:
        return name
    path = file_of(grid.source, file)
    return str(path.relative_to(place)) if place.is_dir() else path.name


def _words_of(grid: Grid) -> set[str]:
    return {cell.text.strip() for row in grid.rows for cell in row}


def _check_names(higher_is_better: Ways, tables: Sequence[TableCheck], written: set[str]) -> None:
    """Refuse a direction of a score that no table has; of a table that was not read the reason says more."""
    if not isinstance(higher_is_better, Mapping):
        return
    names = sorted({name for table in tables if table.read for name in table.read.results.scores})
    unknown = [name for name in higher_is_better if name not in written]
    if unknown:
        raise OptionError(
            f"No table has a score {quoted(unknown)}.",
            why="A direction is said of a score by its name.",
            mend=f"The scores are {quoted(names)}." if names else f"Say it of all scores: {which_way()}.",
        )


def _nothing(path: Path, files: int, table: int | None, count: int) -> InputError:
    what = "a table" if table is None else f"a table {table}"
    return InputError(
        f"{path.name} does not hold {what}."
        if files == 1
        else f"None of the {files} documents in {path} holds {what}.",
        why="Claims are held against the numbers of tables.",
        mend=f"The last one is {option(table=count)}." if count else "Name a document with tables.",
    )


def _checked(
    grid: Grid,
    about: dict[str, Any],
    settings: Settings,
    claims: Sequence[str],
    texts: dict[str, Any],
    **options: Any,
) -> TableCheck:
    """Read and judge one table; whatever stands in the way is the reason why it is not judged."""
    about = {**about, "line": grid.rows[0][0].line, "caption": grid.caption}
    something = _claims_something(grid, claims)
    try:
        read = read_grid(grid, settings, **texts)
    except TiebreakError as error:
        reason = _reason(error) if something else _idle_reason(error, claims)
        sums = _sums_without_direction(grid, settings, texts) if isinstance(error, OpenDirection) else ()
        return TableCheck(**about, reason=reason, claims_something=something, caveats=grid.notes, sums=sums)
    notes = distinct((*read.results.caveats, *read.notes, *_bold_notes(read)))
    try:
        result = [claim for one in claims or (None,) for claim in claims_of(read, grid, claim=one, **options)]
    except TiebreakError as error:
        left: dict[str, Any] = {"reason": _reason(error), "claims_something": something, "caveats": notes}
        return TableCheck(**about, read=read, sums=printed_sums(grid, read), **left)
    reason = "" if result else _no_claim(read, claims)
    notes = distinct((*notes, *_compared_notes(result)))
    rest: dict[str, Any] = {"reason": reason, "claims_something": something, "caveats": notes}
    return TableCheck(**about, read=read, claims=tuple(result), sums=printed_sums(grid, read), **rest)


def _sums_without_direction(grid: Grid, settings: Settings, texts: Mapping[str, Any]) -> tuple[Printed, ...]:
    """Check averages, which are the same whichever way is better."""
    read = read_grid(grid, settings, **{**texts, "higher_is_better": True})
    return tuple(item for item in printed_sums(grid, read) if item.kind == AVERAGE)


def _compared_notes(claims: Sequence[Claim]) -> Caveats:
    """Say whose comparison a caveat is about, where it is not one of all claims."""
    counts = Counter(note for claim in claims for note in claim.comparison.caveats)
    return tuple(
        note if counts[note] == len(claims) else note.prefixed(f"{claim.algorithm}, {claim.score}: ")
        for claim in claims
        for note in claim.comparison.caveats
        if not _of_friedman(note, claim)
    )


def _of_friedman(note: Caveat, claim: Claim) -> bool:
    """Say whether a caveat is about Friedman's F alone, which is not shown, and on which no claim hangs."""
    return note.code in ("few-datasets", "constant-difference") and note in claim.comparison.omnibus.caveats


def _claims_something(grid: Grid, claims: Sequence[str]) -> bool:
    cells = [cell for row in grid.rows for cell in row]
    if claims:
        names = tuple(_words_of(grid))
        return any(matching(claim, names) is not None for claim in claims)
    return any(cell.bold and any(letter.isdigit() for letter in cell.text) for cell in cells)


def _reason(error: TiebreakError) -> str:
    """Return an error as one line, without a fix where a table holds no results."""
    if type(error) is InputError:
        return f"{error.what} {error.why}".strip()
    return " ".join(str(error).split())


def _idle_reason(error: TiebreakError, claims: Sequence[str]) -> str:
    """Ask for the direction of a table that claims nothing only together with what else it would take."""
    if not isinstance(error, OpenDirection):
        return _reason(error)
    if claims:
        return f"It has no method {quoted(claims)}."
    return f"{_UNMARKED}, so nobody is called best. Say {option(claim=...)} to judge a method. {_reason(error)}"


def _no_claim(read: Read, claims: Sequence[str]) -> str:
    names = quoted(read.results.algorithms)
    if claims:
        return f"It has no method {quoted(claims)}. Its methods are {names}."
    why = "Bold sets no method apart" if read.bold else _UNMARKED
    return f"{why}, so nobody is called best. Name a method with {option(claim=...)}: {names}."


def _bold_notes(read: Read) -> Caveats:
    """Say which results are in bold though they are not the best; with several scores nobody knows which is meant."""
    scores = list(read.directions)
    if len(scores) != 1:
        return ()
    wrong = []
    for dataset, algorithm in read.bold:
        best = best_of(read, scores[0], dataset)
        if best and algorithm not in best:
            wrong.append(f"{algorithm} on {dataset}, where {best[0]} is better")
    if not wrong:
        return ()
    more = f"; and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
    text = f"In bold, but not the best of its data set: {'; '.join(wrong[:_SHOWN])}{more}."
    return (Caveat("bold-not-best", text),)
