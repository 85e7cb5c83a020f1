"""What people hold in Python, as results: a path, a data frame, a dictionary, an array with names, or results as such.

`compare`, `order`, `multivariate` and `report` take all of these through `as_results`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np

from tiebreak.errors import InputError, OptionError
from tiebreak.readers.detect.account import accounted, inferred
from tiebreak.readers.python_objects import from_object, measured, refuse_columns, refuse_how
from tiebreak.readers.sklearn import holds_runs, holds_searches
from tiebreak.results import Results, stack
from tiebreak.results.conditions import as_conditions
from tiebreak.results.hosts import on_one_scale
from tiebreak.results.items import asked_clusters, without_clusters
from tiebreak.results.roles import WIDE_SCORE, one_name, score_names
from tiebreak.wording import option

_STORES = (".db", ".sqlite", ".sqlite3")


class OfFiles(TypedDict, total=False):
    """How to understand a file, as `tiebreak.read` takes it."""

    transpose: bool | None
    keep_rows: bool
    sheet: str | None
    table: int | str | None
    decimal: str | None
    names: str | None
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
        Which to keep; for an array the names along its first two axes, and for a table of numbers alone, whose rows
        have no names, the data sets of its rows.
    normalise_cost : {"hosts", "none"}, optional
        Times of several hosts: put on one scale by how fast each is, or taken as they are. Verbs that compare times
        refuse several hosts otherwise.
    verb : str
        Who asks, for messages.
    **how : optional
        How to understand a file, a frame or a dictionary: transpose, keep_rows, decimal, names, plain, and of files
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
    told: dict[str, Any] = {"scores": score_names(scores, score), "costs": costs, "columns": columns, "where": where}
    told |= {"datasets": datasets, "algorithms": algorithms, "verb": verb}
    found = _held(value, how=how, **told)
    return on_one_scale(found if clustered else without_clusters(found), normalise_cost)


def _held(
    value: Any,
    *,
    scores: str | Sequence[str] | None,
    costs: str | Sequence[str] | None,
    columns: Mapping[str, str] | None,
    where: str | Sequence[str] | None,
    datasets: str | Sequence[str] | None,
    algorithms: str | Sequence[str] | None,
    verb: str,
    how: OfFiles,
) -> Results:
    """Tell what was given by its kind, and read it."""
    names = score_names(scores)
    also = None if costs is None else [costs] if isinstance(costs, str) else list(costs)
    value = list(value) if isinstance(value, tuple) else value
    is_path = _is_path(value) or (isinstance(value, list) and bool(value) and all(map(_is_path, value)))
    if is_path and not _is_store(value):
        part = {"datasets": _listed(datasets), "algorithms": _listed(algorithms)}
        return _from_files(value, names, also, columns, where, {**how, **part})
    if is_path or not _is_table(value):
        refuse_how(how, "a store" if is_path else f"a {type(value).__name__}")
    if isinstance(value, np.ndarray) or (isinstance(value, list) and value and _is_row(value[0])):
        _check_array(names, also, columns)
        score, rows, held = names[0] if names else WIDE_SCORE, _listed(datasets), _listed(algorithms)
        made = Results.from_array(value, score=score, datasets=rows, algorithms=held)
        made = made if held else accounted(inferred(made, ["rows are data sets, columns algorithms"]))
        return made.where(*as_conditions(where))
    if isinstance(value, Results):
        refuse_columns(columns, "Results")
        found = value.where(*as_conditions(where))
    elif is_path:
        part = {"datasets": _listed(datasets), "algorithms": _listed(algorithms)}
        return _from_store(value, names, also, columns, where, **part)
    elif isinstance(value, list) and value and all(isinstance(each, Results) for each in value):
        found = stack(value, sources=[f"table {place}" for place in range(1, len(value) + 1)])
        found = found.where(*as_conditions(where))
    else:
        part = {"datasets": _listed(datasets), "algorithms": _listed(algorithms)}
        found = from_object(value, names, also, columns, verb, {**how, **part, "where": as_conditions(where)})
    return found.only(datasets=datasets, algorithms=algorithms)


def one_score(score: str | None, reading: ReadingOne) -> str | None:
    """Take the other spelling out of the options of reading: where one score is meant, `scores` may name it too."""
    return one_name(score, reading.pop("scores", None))


def taken(value: Any, verb: str, reading: Mapping[str, Any], *, directed: bool = True, **told: Any) -> Results:
    """Return results for a verb; an option that is neither the verb's nor one of reading is unknown to both.

    `directed` says that which way is better need not be told by the name of the score.
    """
    for name in reading:
        if name not in (*Reading.__annotations__, *OfFiles.__annotations__):
            raise TypeError(f"{verb}() got an unexpected keyword argument {name!r}")
    with asking_for_a_name(when=not directed):
        return as_results(value, verb=verb, **told, **reading)


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


def _is_table(value: object) -> bool:
    """Say whether something holds cells that may need to be understood: a frame, a dictionary, records."""
    numbers = isinstance(value, list) and bool(value) and not isinstance(value[0], Mapping)
    return not (numbers or isinstance(value, (Results, np.ndarray)) or holds_runs(value) or holds_searches(value))


def _is_path(value: object) -> bool:
    return isinstance(value, (str, Path))


def _listed(names: str | Sequence[str] | None) -> list[str] | None:
    return None if names is None else [names] if isinstance(names, str) else [str(each) for each in names]


def _check_array(names: list[str] | None, also: list[str] | None, columns: object) -> None:
    """An array holds one score; where nobody names its columns they are numbered."""
    refuse_columns(columns, "an array")
    if len(names or ()) > 1 or also:
        raise OptionError(
            f"{len(names or ())} scores were named for an array."
            if not also
            else f"An array holds no cost {also[0]!r}.",
            why="An array holds one score.",
            mend="Give a data frame or dictionary with a column for each score"
            + (" and cost, or the order by cost: prior=[cheapest, ...]." if also else "."),
        )


def _is_store(value: Any) -> bool:
    """Say whether one path names a store; a text with lines is itself what is read."""
    text = "" if isinstance(value, list) else str(value)
    return "\n" not in text and ("://" in text or text.lower().endswith(_STORES))


def _from_store(
    value: Any,
    names: list[str] | None,
    also: list[str] | None,
    columns: Mapping[str, str] | None,
    where: str | Sequence[str] | None,
    **part: Any,
) -> Results:
    """What is finished, and what may stand together, depends on the part of the store that is asked for."""
    from tiebreak.readers.stores import read_store

    refuse_columns(columns, "a store")
    wanted = None if names is None or also is None else [*names, *also]
    return read_store(value, scores=wanted, where=where, **part)


def _from_files(
    value: Any,
    names: list[str] | None,
    also: list[str] | None,
    columns: Mapping[str, str] | None,
    where: str | Sequence[str] | None,
    how: Mapping[str, Any],
) -> Results:
    """Read files; a score that they lack is made from their counts, as on the command line."""
    from tiebreak.readers.files import read

    return measured(read(value, scores=names, also=also, columns=columns, where=where, counts=True, **how), names)
