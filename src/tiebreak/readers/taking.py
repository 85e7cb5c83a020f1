"""What people hold in Python, as results: a path, a data frame, a dictionary, an array with names, or results as such.

`compare`, `order`, `multivariate` and `report` take all of these through `as_results`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from tiebreak.caveats import Caveats
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.readers.detect.account import accounted, inferred, upward
from tiebreak.readers.detect.columns import cells_of
from tiebreak.readers.files import read, read_columns, read_grids, with_one_spelling
from tiebreak.readers.loading import named_records, turned
from tiebreak.readers.settings import Settings, refuse_layout
from tiebreak.readers.sklearn import (
    ONE_DATA_SET,
    from_cross_validate,
    holds_runs,
    is_report,
    read_reports,
    searched_columns,
)
from tiebreak.results import Results, stack
from tiebreak.results.cells import dict_columns, record_columns
from tiebreak.results.columns import Columns, as_conditions
from tiebreak.results.confusion import MEASURES, with_scores
from tiebreak.results.items import asked_clusters, without_clusters
from tiebreak.results.roles import FRAME, ROLES, WIDE_SCORE, on_one_scale, one_name, score_names
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.readers.grids import Grid

_STORES = (".db", ".sqlite", ".sqlite3")


class OfFiles(TypedDict, total=False):
    """How to understand a file, as `tiebreak.read` takes it."""

    transpose: bool | None
    keep_rows: bool
    sheet: str | None
    table: int | str | None
    decimal: str | None
    plain: bool
    metric: str | None
    prices: str | Path | None


class Reading(OfFiles, total=False):
    """How to read what is no `Results` yet: the options that every verb passes on to `as_results`."""

    columns: Mapping[str, str] | None
    where: str | Sequence[str] | None
    datasets: str | Sequence[str] | None
    algorithms: str | Sequence[str] | None
    normalise_cost: str | None


class ReadingOne(Reading, total=False):
    """The same, with the other spelling of `score`, for verbs that are about one score."""

    scores: str | Sequence[str] | None


class ReadingSeveral(Reading, total=False):
    """The same, with the other spelling of `scores`, for verbs that are about several."""

    score: str | Sequence[str] | None


def as_results(
    value: Any,
    *,
    scores: str | Sequence[str] | None = None,
    costs: str | Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
    where: str | Sequence[str] | None = None,
    datasets: str | Sequence[str] | None = None,
    algorithms: str | Sequence[str] | None = None,
    normalise_cost: str | None = None,
    verb: str = "as_results",
    score: str | None = None,
    **how: Unpack[OfFiles],
) -> Results:
    """Return results from whatever holds them.

    Parameters
    ----------
    value : Results, path, frame, mapping, array or sequence
        A path (or several) is read as by `tiebreak.read`, one to a store (.db, sqlite://, postgresql://) as by
        `tiebreak.read_store`. A frame of pandas, polars or pyarrow is in long or wide form; where no column names the
        data sets, a pandas index of names does. A dictionary holds columns, or {data set: {algorithm: score or list
        of fold scores}}, or {data set: {algorithm: what cross_validate returned}}. A list holds records or paths. An
        array has the axes data sets, algorithms and, optionally, replications and folds.
    scores : str or sequence of str, optional
        The scores to read, or the name of the one score of an array or a wide table; `score` is the same.
    costs : str or sequence of str, optional
        Further columns to read; by default those with the known name of a cost.
    columns : mapping, optional
        Which header plays which role, such as {"dataset": "task", "algorithm": "framework"}; "cluster": "none" ignores
        the clusters that items have.
    where : str or sequence of str, optional
        Conditions that a row must meet, such as "imputed == False".
    datasets, algorithms : str or sequence of str, optional
        Which to keep; for an array the names along its first two axes.
    normalise_cost : {"hosts", "none"}, optional
        Times of several hosts: put on one scale by how fast each is, or taken as they are. Verbs that compare times
        refuse several hosts otherwise.
    verb : str
        Who asks, for messages.
    **how : optional
        How to understand a file, a frame or a dictionary: transpose, keep_rows, decimal, plain, and of files
        sheet and table; of logs of evaluations metric and prices; see `tiebreak.read`.

    Returns
    -------
    Results

    Examples
    --------
    >>> as_results([[0.9, 0.8], [0.7, 0.6]], scores="accuracy", algorithms=["svm", "tree"]).algorithms
    ('svm', 'tree')
    >>> as_results({"iris": {"svm": 0.9, "tree": 0.8}}, scores="accuracy", algorithms="svm").algorithms
    ('svm',)
    """
    columns, clustered = asked_clusters(columns)
    options: dict[str, Any] = dict(how)
    of_logs = {name: options.pop(name, None) for name in ("metric", "prices")}
    settings = Settings(
        scores=score_names(scores, score),
        also=_listed(costs),
        columns=columns or {},
        counts=True,
        where=as_conditions(where),
        datasets=_listed(datasets),
        algorithms=_listed(algorithms),
        stem=ONE_DATA_SET,
        **options,
    )
    results = _held(value, settings, verb, of_logs)
    return on_one_scale(results if clustered else without_clusters(results), normalise_cost)


def _held(value: Any, settings: Settings, verb: str, of_logs: Mapping[str, Any]) -> Results:
    """Tell what was given by its kind, and read it."""
    value = list(value) if isinstance(value, tuple) else value
    if callable(getattr(value, "to_csv", None)) and getattr(getattr(value, "columns", None), "nlevels", 1) > 1:
        value = value.to_csv()  # several levels of headers are read as those of a file
    is_path = _is_path(value) or (isinstance(value, list) and bool(value) and all(map(_is_path, value)))
    if is_path and not _is_store(value):
        given = {field.name: getattr(settings, field.name) for field in fields(settings) if field.name != "stem"}
        return measured(read(value, **given, **of_logs), settings)
    if is_path:
        refuse_layout(settings, "a store", **of_logs)
        from tiebreak.readers.stores import read_store

        wanted = None if settings.scores is None or settings.also is None else [*settings.scores, *settings.also]
        part: dict[str, Any] = {"datasets": settings.datasets, "algorithms": settings.algorithms}
        return read_store(value, scores=wanted, where=settings.where, **part)
    if isinstance(value, np.ndarray) or (isinstance(value, list) and value and _is_row(value[0])):
        refuse_layout(settings, "an array", **of_logs)
        _check_array(settings)
        made = Results.from_array(
            value,
            score=settings.scores[0] if settings.scores else WIDE_SCORE,
            datasets=settings.datasets,
            algorithms=settings.algorithms,
        )
        if not settings.algorithms:
            made = accounted(inferred(made, ["rows are data sets, columns algorithms"]))
        return made.where(*settings.where)
    if isinstance(value, Results) or (isinstance(value, list) and value and isinstance(value[0], Results)):
        refuse_layout(settings, "Results", **of_logs)
        if isinstance(value, list):
            value = stack(value, sources=[f"table {place}" for place, _ in enumerate(value, start=1)])
        results: Results = value.where(*settings.where)
    else:
        results = _from_object(value, settings, verb, of_logs)
    return results.only(datasets=settings.datasets, algorithms=settings.algorithms)


def one_score(score: str | None, reading: ReadingOne) -> str | None:
    """Take the other spelling out of the options of reading: where one score is meant, `scores` may name it too."""
    return one_name(score, reading.pop("scores", None))


def taken(value: Any, verb: str, reading: Mapping[str, Any], *, directed: bool = True, **options: Any) -> Results:
    """Return results for a verb; an option that is neither the verb's nor one of reading is unknown to both.

    `directed` says that which way is better need not be told by the name of the score.
    """
    for name in reading:
        if name not in (*Reading.__annotations__, *OfFiles.__annotations__):
            raise TypeError(f"{verb}() got an unexpected keyword argument {name!r}")
    with asking_for_a_name(when=not directed):
        return as_results(value, verb=verb, **options, **reading)


@contextmanager
def asking_for_a_name(*, when: bool) -> Iterator[None]:
    """Add to an error of reading that the score has no name, so that it is not said only once the table is mended."""
    try:
        yield
    except InputError as error:
        if not when or not getattr(error, "unnamed", False):
            raise
        more = f"The score has no name either: say {option(score='accuracy')}, or whatever it is."
        raise type(error)(f"{error}\n{more}") from None


def _is_row(value: object) -> bool:
    """A list of numbers, or of such lists: a row of an array."""
    return isinstance(value, (list, tuple, np.ndarray)) and not any(isinstance(cell, (str, Path)) for cell in value)


def _is_path(value: object) -> bool:
    return isinstance(value, (str, Path))


def _listed(names: str | Sequence[str] | None) -> list[str] | None:
    return None if names is None else [names] if isinstance(names, str) else [str(name) for name in names]


def _check_array(settings: Settings) -> None:
    """An array holds one score; where nobody names its columns they are numbered."""
    more = settings.also or (settings.scores or ())[1:]
    if more:
        raise OptionError(
            f"An array holds no {'cost' if settings.also else 'score'} {more[0]!r}.",
            mend="Give a data frame or dictionary with a column for each score and cost, or the order by cost:"
            " prior=[cheapest, ...].",
        )


def _is_store(value: Any) -> bool:
    """Say whether one path names a store; a text with lines is itself what is read."""
    text = "" if isinstance(value, list) else str(value)
    return "\n" not in text and ("://" in text or text.lower().endswith(_STORES))


def _from_object(value: Any, settings: Settings, verb: str, of_logs: Mapping[str, Any]) -> Results:
    """Read frames, dictionaries and records."""
    if is_report(value):
        return read_reports(value, settings.scores).where(*settings.where)
    value = value if (boards := _boards(value)) is None else boards
    if holds_runs(value):
        refuse_layout(settings, "what cross_validate returned", **of_logs)
        result = from_cross_validate(value, scores=settings.scores, own=settings.also or ())
        result = upward(result, result.scores)  # scikit-learn turns scores so that higher is better
        result = accounted(inferred(result, [""])) if result.datasets == (ONE_DATA_SET,) else result
        return result.where(*settings.where)
    value = value if (searched := searched_columns(value)) is None else searched
    raw, kind, source, caveats = _columns(value, settings, verb)
    settings = replace(settings, transpose=None) if _is_nested(value) else settings
    refuse_layout(settings, source, but=("columns", "transpose", "keep_rows", "decimal", "plain"), **of_logs)
    size = len(raw) * len(next(iter(raw.values()), ()))

    def cells(error: TiebreakError | None) -> list[Grid] | None:
        from tiebreak.readers.grids import grid_of_columns

        helps = 0 < size <= MOST_CELLS and not isinstance(error, OptionError)
        return [grid_of_columns(raw, source=source)] if helps else None

    if not settings.plain and settings.needs_cells() and (grids := cells(None)) is not None:
        results = read_grids(grids, settings, name=source)[0]
    else:
        results = read_columns(raw, None, settings, name=source, cells=cells)[0]
    results = results if settings.plain else with_one_spelling(results, source)
    results = replace(accounted(results), frame_kind=kind)
    return measured(replace(results, caveats=(*caveats, *results.caveats)), settings)


def _boards(value: Any) -> Any:
    """Return leaderboards as rows: of a predictor that has one, or of several data sets, {data set: leaderboard}."""
    from tiebreak.results.frames import is_frame, split_frame

    def board(held: Any) -> Any:
        return held.leaderboard() if callable(getattr(held, "leaderboard", None)) else held

    if not isinstance(value, Mapping):
        return board(value) if hasattr(value, "leaderboard") else None
    held = {str(name): board(item) for name, item in value.items()}
    if not held or not all(is_frame(item) and hasattr(item, "columns") for item in held.values()):
        return None
    rows = list[dict[str, Any]]()
    for name, entry in held.items():
        columns = {header: cells_of(column) for header, column in split_frame(entry, source=FRAME)[0].items()}
        rows += [
            {"dataset": name, **dict(zip(columns, row, strict=True))} for row in zip(*columns.values(), strict=True)
        ]
    return rows


def _columns(value: Any, settings: Settings, verb: str) -> tuple[Columns, str, str, Caveats]:
    """Split what was given into columns; its kind, what to call it and how it was turned come along."""
    score = settings.scores[0] if settings.scores else WIDE_SCORE
    if isinstance(value, Mapping):
        source = "the dictionary"
        if value and (named := named_records(value)) is not None:
            return named, "polars", source, ()
        caveats: Caveats = ()
        raw = dict_columns(value, score=score, source=source)
        if _is_nested(value):
            raw, caveats = turned(raw, source=source, transpose=settings.transpose, documented=True)
        return raw, "polars", source, caveats
    if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
        return record_columns(value), "polars", "the records", ()
    from tiebreak.results.frames import frame_columns, is_frame

    if is_frame(value):
        return *frame_columns(value, told=settings.columns or None, score=score), FRAME, ()
    raise _no_results(value, verb)


def _no_results(value: Any, verb: str) -> InputError:
    return InputError(
        f"{verb} was given a {type(value).__name__}.",
        why="It needs a table that knows data sets and algorithms by name: a path, a data frame, a dictionary,"
        " an array with names, or Results.",
        mend="Run it with tiebreak.compare_estimators(...)."
        if hasattr(value, "fit")
        else "Read its trials: study.trials_dataframe()."
        if hasattr(value, "trials_dataframe")
        else "Collect it first: frame.collect()."
        if hasattr(value, "collect")
        else "Use tiebreak.read(path), Results.from_frame(frame) or Results.from_array(array, ...).",
    )


def measured(results: Results, settings: Settings) -> Results:
    """Make the measures that were asked for and only counts were held of."""
    lacking = [name for name in settings.scores or () if name not in results.values]
    return with_scores(results, lacking) if lacking and all(name in MEASURES for name in lacking) else results


MOST_CELLS = 2_000_000
"""Tables beyond this size are taken as they stand: every cell of an understood one is an object of its own."""


def _is_nested(value: Any) -> bool:
    """Say whether something is a dictionary of dictionaries of scores; roles as keys betray another nesting."""
    if not isinstance(value, Mapping) or not value or not all(isinstance(item, Mapping) for item in value.values()):
        return False
    return not any(key in ROLES for item in (value, *value.values()) for key in item)
