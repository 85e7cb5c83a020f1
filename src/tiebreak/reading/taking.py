"""What people hold in Python, as results: a path, a data frame, a dictionary, an array with names, or results as such.

`compare`, `order`, `multivariate` and `report` take all of these through `as_results`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np

from tiebreak.caveats import Caveats
from tiebreak.errors import InputError, OptionError
from tiebreak.reading.nested import is_nested, turned, with_named_rows
from tiebreak.reading.raw_tables import kept
from tiebreak.reading.second_look import looked_at
from tiebreak.reading.sklearn import from_cv_results, holds_runs, holds_searches, read_runs
from tiebreak.tables import MEASURES, Results, metric_named, stack, with_scores
from tiebreak.tables.columns import Columns
from tiebreak.tables.conditions import as_conditions
from tiebreak.tables.confusion_table import is_count
from tiebreak.tables.hosts import on_one_scale
from tiebreak.tables.objects import dict_columns, record_columns
from tiebreak.tables.roles import FRAME, WIDE_SCORE, find_roles, one_name, score_names
from tiebreak.wording import option

_STORES = (".db", ".sqlite", ".sqlite3")
_MLFLOW = "metrics."
_READERS = {
    "optuna": "from_optuna",
    "autogluon": "from_autogluon",
    "pycaret": "from_pycaret",
    "skore": "from_skore",
    "mlflow": "from_mlflow",
    "openml": "from_openml_runs",
}
"""Which function reads what a package returns."""


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
        Which header plays which role, such as {"dataset": "task", "algorithm": "framework"}.
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
    told: dict[str, Any] = {"scores": score_names(scores, score), "costs": costs, "columns": columns, "where": where}
    told |= {"datasets": datasets, "algorithms": algorithms, "verb": verb}
    return on_one_scale(_held(value, how=how, **told), normalise_cost)


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
        _refuse_how(how, "a store" if is_path else f"a {type(value).__name__}")
    if isinstance(value, np.ndarray) or (isinstance(value, list) and value and _is_row(value[0])):
        _check_array(value, names, also, columns, algorithms, verb)
        score, rows, held = names[0] if names else WIDE_SCORE, _listed(datasets), _listed(algorithms)
        return Results.from_array(value, score=score, datasets=rows, algorithms=held).where(*as_conditions(where))
    if isinstance(value, Results):
        _refuse_columns(columns, "Results")
        found = value.where(*as_conditions(where))
    elif is_path:
        part = {"datasets": _listed(datasets), "algorithms": _listed(algorithms)}
        return _from_store(value, names, also, columns, where, **part)
    elif isinstance(value, list) and value and all(isinstance(each, Results) for each in value):
        found = stack(value, sources=[f"table {place}" for place in range(1, len(value) + 1)])
        found = found.where(*as_conditions(where))
    else:
        part = {"datasets": _listed(datasets), "algorithms": _listed(algorithms)}
        found = _from_object(value, names, also, columns, verb, {**how, **part, "where": as_conditions(where)})
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


def _check_array(
    value: object, names: list[str] | None, also: list[str] | None, columns: object, algorithms: object, verb: str
) -> None:
    """An array says nothing by itself: who its columns are must be told, and what its one score is."""
    _refuse_columns(columns, "an array")
    if algorithms is None:
        measured = "" if names else 'what it measures: score="accuracy"; '
        raise InputError(
            f"{verb} was given a {type(value).__name__} without the names of the algorithms.",
            why="The answer is about algorithms, and nobody could say which is which.",
            mend=f"Name its columns: algorithms=[...]; {measured}and, if you like, its rows: datasets=[...].",
        )
    if len(names or ()) > 1 or also:
        raise OptionError(
            f"{len(names or ())} scores were named for an array."
            if not also
            else f"An array holds no cost {also[0]!r}.",
            why="An array holds one score.",
            mend="Give a data frame or dictionary with a column for each score"
            + (" and cost, or the order by cost: prior=[cheapest, ...]." if also else "."),
        )


def _refuse_columns(columns: object, what: str) -> None:
    if columns:
        raise OptionError(
            f"columns={columns!r} was given with {what}.",
            why="It says which header plays which role, and there are no headers left to read.",
            mend="Leave it out.",
        )


def _refuse_how(how: Mapping[str, Any], what: str) -> None:
    """Refuse options that nothing would be done with, instead of passing them over."""
    given = [name for name, value in how.items() if value not in (None, False)]
    if given:
        raise OptionError(
            f"{given[0]}={how[given[0]]!r} was given with {what}.",
            why="It says how to understand a file; here nothing is left to be understood.",
            mend="Leave it out.",
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
    from tiebreak.reading.stores import read_store

    _refuse_columns(columns, "a store")
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
    from tiebreak.reading.files import read

    return _measured(read(value, scores=names, also=also, columns=columns, where=where, counts=True, **how), names)


def _measured(found: Results, names: list[str] | None) -> Results:
    """Make the measures that were asked for and only counts were held of."""
    lacking = [name for name in names or () if name not in found.values]
    return with_scores(found, lacking) if lacking and all(name in MEASURES for name in lacking) else found


def _from_object(
    value: Any,
    names: list[str] | None,
    also: list[str] | None,
    columns: Mapping[str, str] | None,
    verb: str,
    told: Mapping[str, Any],
) -> Results:
    """Read frames, dictionaries and records; `told` is how to understand them, and which rows to keep."""
    where = told["where"]
    if (other := _of_a_package(value)) is not None:
        raise _no_results(other, verb)
    if holds_runs(value):
        _refuse_columns(columns, "what cross_validate returned")
        return read_runs(value, names, own=also or ()).where(*where)
    if holds_searches(value):
        _refuse_columns(columns, "cv_results_")
        return from_cv_results(value, scores=names).where(*where)
    said: Caveats = ()
    if is_nested(value):
        value, said = turned(value, told.get("transpose"))
        told = {**told, "transpose": None}
    raw, kind, source = _columns(value, names, columns, verb)
    raw = with_named_rows(raw, told.get("datasets")) if not columns else raw
    if any(header.startswith(_MLFLOW) for header in raw):
        from tiebreak.reading.trackers import from_mlflow

        return from_mlflow(
            value, scores=None if names is None else [*names, *(also or ())], columns=columns, where=where
        )
    _refuse_how({name: told.get(name) for name in ("sheet", "table", "metric", "prices")}, source)
    pick = partial(_wanted, names=names, also=also)
    roles: Mapping[str, str] = {}
    found: Results | InputError | None = None
    if told.get("plain") or "#" not in (columns or {}).values():  # it stands for the number of a row
        roles, _ = find_roles(raw, columns or {}, source)
        found = _as_it_stands(raw, roles, pick(raw, roles), columns, where, kind, source)
    told = {**told, "scores": names, "frame_kind": kind}
    seen = looked_at(raw, found, source=source, roles=roles, columns=columns, pick=pick, told=told)
    return _measured(replace(seen, caveats=(*said, *seen.caveats)) if said else seen, names)


def _as_it_stands(
    raw: Columns,
    roles: Mapping[str, str],
    wanted: list[str] | None,
    columns: Mapping[str, str] | None,
    where: Sequence[str],
    kind: str,
    source: str,
) -> Results | InputError:
    """Return what columns hold cell by cell, or what is wrong with them."""
    rows, _, notes = kept(raw, None, where, source=source, roles=roles, asked=wanted or ())
    try:
        found = Results.from_columns(rows, scores=wanted, roles=columns, frame_kind=kind, source=source)
    except InputError as error:
        return error
    return replace(found, caveats=(*notes, *found.caveats)) if notes else found


def _columns(
    value: Any, names: list[str] | None, told: Mapping[str, str] | None, verb: str
) -> tuple[Columns, str, str]:
    """Split what was given into columns; its kind and what to call it come along."""
    score = names[0] if names else WIDE_SCORE
    if isinstance(value, Mapping):
        return dict_columns(value, score=score, source="the dictionary"), "polars", "the dictionary"
    if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
        return record_columns(value), "polars", "the records"
    from tiebreak.tables.frames import frame_columns, is_frame

    if is_frame(value):
        return *frame_columns(value, told=told, score=score), FRAME
    raise _no_results(value, verb)


def _of_a_package(value: Any) -> Any:
    """Return what a package with a reader of its own returned, if a dictionary holds it by data set or algorithm."""
    while isinstance(value, Mapping) and value:
        value = next(iter(value.values()))
    return value if type(value).__module__.partition(".")[0] in _READERS else None


def _no_results(value: Any, verb: str) -> InputError:
    package = type(value).__module__.partition(".")[0]
    reader = "compare_estimators" if hasattr(value, "fit") else _READERS.get(package)
    return InputError(
        f"{verb} was given a {type(value).__name__}.",
        why="It needs a table that knows data sets and algorithms by name: a path, a data frame, a dictionary,"
        " an array with names, or Results.",
        mend=f"{'Run' if reader == 'compare_estimators' else 'Read'} it with tiebreak.{reader}(...)."
        if reader
        else "Collect it first: frame.collect()."
        if hasattr(value, "collect")
        else "Use tiebreak.read(path), Results.from_frame(frame) or Results.from_array(array, ...).",
    )


def _wanted(
    raw: Columns, roles: Mapping[str, str], names: list[str] | None, also: Iterable[str] | None
) -> list[str] | None:
    """Return the columns to read; costs come along unasked where a score was named, as an order may need them."""
    if names is None or "algorithm" not in roles:  # a wide table holds one score, whatever it is called
        return names
    free = [name for name in raw if name not in roles.values()]
    if any(map(is_count, free)) and any(name not in free and name in MEASURES for name in names):
        return None
    more = [name for name in free if metric_named(name).is_cost] if also is None else [n for n in also if n in raw]
    return [*names, *(name for name in more if name not in names)]
