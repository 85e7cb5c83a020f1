"""What Python holds in columns, as results: frames, dictionaries, records, and what other packages return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError
from tiebreak.readers.detect import Detected
from tiebreak.readers.detect.account import accounted, as_items, inferred, upward
from tiebreak.readers.detect.columns import cells_of
from tiebreak.readers.files import chosen, needs_understanding, read_columns, understood_grids
from tiebreak.readers.loading import named_records
from tiebreak.readers.sklearn import ONE_DATA_SET, from_skore, holds_runs, holds_searches, read_runs, read_searches
from tiebreak.results import Results
from tiebreak.results.cells import dict_columns, record_columns
from tiebreak.results.columns import Columns, ListColumn
from tiebreak.results.confusion import MEASURES, with_scores
from tiebreak.results.roles import FRAME, ROLES, SYNONYMS, WIDE_SCORE
from tiebreak.wording import option

_OPTIONS = ("transpose", "keep_rows", "decimal", "names", "sheet", "table", "algorithms", "datasets", "plain", "where")


def from_object(
    value: Any,
    names: list[str] | None,
    also: list[str] | None,
    columns: Mapping[str, str] | None,
    verb: str,
    told: Mapping[str, Any],
) -> Results:
    """Read frames, dictionaries and records; `told` is how to understand them, and which rows to keep."""
    where = told["where"]
    if _is_report(value):
        return from_skore({ONE_DATA_SET: value}, scores=names).where(*where)
    value = value if (boards := _boards(value)) is None else boards
    if holds_runs(value):
        refuse_columns(columns, "what cross_validate returned")
        return _said(read_runs(value, names, own=also or ())).where(*where)
    if holds_searches(value):
        refuse_columns(columns, "cv_results_")
        return _said(read_searches(value, names, own=also or ())).where(*where)
    said: Caveats = ()
    if isinstance(value, Mapping) and value and (records := named_records(value)) is not None:
        value = {name: cells_of(column) for name, column in records.items()}
    if is_nested(value):
        value, said = turned(value, told.get("transpose"))
        told = {**told, "transpose": None}
    raw, kind, source = _columns(value, names, columns, verb)
    raw = with_named_rows(raw, told.get("datasets")) if not columns else raw
    refuse_how({name: told.get(name) for name in ("sheet", "table", "metric", "prices")}, source)
    told = {**dict.fromkeys(_OPTIONS), **told, "stem": ONE_DATA_SET, "also": also}
    plain, size = bool(told["plain"]), len(raw) * len(next(iter(raw.values()), ()))
    options: dict[str, Any] = {"scores": names, "columns": columns or {}, "told": told}
    options["pick"] = partial(chosen, scores=names, also=also, counts=True)

    def understood(*, read: Results | None = None, detected: Detected | None = None, **_: Any) -> tuple[Results, Any]:
        from tiebreak.readers.understanding.opening import grid_of_columns, settle_names

        if read is not None and size > MOST_CELLS:
            return settle_names(read, told["names"], source), None
        grids = [] if detected else [grid_of_columns(raw, source=source)]
        return understood_grids(grids, detected, name=source, **options)

    if not plain and needs_understanding(columns or {}, told) and 0 < size <= MOST_CELLS:
        results = as_items(understood()[0])
    else:
        may_be = partial(_may_be_understood, size)
        results = read_columns(raw, None, name=source, plain=plain, understood=understood, may_be=may_be, **options)[0]
    results = replace(accounted(results), frame_kind=kind)
    return measured(replace(results, caveats=(*said, *results.caveats)) if said else results, names)


def _may_be_understood(size: int, error: Exception) -> bool:
    """Say whether cells that were not read as they stand may be understood; every understood cell is an object."""
    return isinstance(error, InputError) and 0 < size <= MOST_CELLS


def _said(results: Results) -> Results:
    """Say what was read, where nothing names the data set; scikit-learn turns scores so that higher is better."""
    results = upward(results, results.scores)
    return accounted(inferred(results, [""])) if results.datasets == (ONE_DATA_SET,) else results


def _boards(value: Any) -> Any:
    """Return leaderboards as rows: of a predictor that has one, or of several data sets, {data set: leaderboard}."""
    from tiebreak.results.frames import is_frame, split_frame

    def board(held: Any) -> Any:
        return held.leaderboard() if callable(getattr(held, "leaderboard", None)) else held

    if not isinstance(value, Mapping):
        return board(value) if hasattr(value, "leaderboard") else None
    held = {str(name): board(each) for name, each in value.items()}
    if not held or not all(is_frame(each) and hasattr(each, "columns") for each in held.values()):
        return None
    rows = list[dict[str, Any]]()
    for name, each in held.items():
        columns = {header: cells_of(column) for header, column in split_frame(each, source=FRAME)[0].items()}
        rows += [
            {"dataset": name, **dict(zip(columns, row, strict=True))} for row in zip(*columns.values(), strict=True)
        ]
    return rows


def _is_report(value: Any) -> bool:
    """Say whether something is a report of skore."""
    return type(value).__module__.partition(".")[0] == "skore" and not isinstance(value, Mapping)


def _columns(
    value: Any, names: list[str] | None, told: Mapping[str, str] | None, verb: str
) -> tuple[Columns, str, str]:
    """Split what was given into columns; its kind and what to call it come along."""
    score = names[0] if names else WIDE_SCORE
    if isinstance(value, Mapping):
        return dict_columns(value, score=score, source="the dictionary"), "polars", "the dictionary"
    if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
        return record_columns(value), "polars", "the records"
    from tiebreak.results.frames import frame_columns, is_frame

    if is_frame(value):
        return *frame_columns(value, told=told, score=score), FRAME
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


def measured(found: Results, names: list[str] | None) -> Results:
    """Make the measures that were asked for and only counts were held of."""
    lacking = [name for name in names or () if name not in found.values]
    return with_scores(found, lacking) if lacking and all(name in MEASURES for name in lacking) else found


def refuse_columns(columns: object, what: str) -> None:
    """Refuse roles of headers where there are no headers."""
    if columns:
        raise OptionError(
            f"columns={columns!r} was given with {what}.",
            why="It says which header plays which role, and there are no headers left to read.",
            mend="Leave it out.",
        )


def refuse_how(how: Mapping[str, Any], what: str) -> None:
    """Refuse options that nothing would be done with, instead of passing them over."""
    given = [name for name, value in how.items() if value not in (None, False)]
    if given:
        raise OptionError(
            f"{given[0]}={how[given[0]]!r} was given with {what}.",
            why="It says how to understand a file; here nothing is left to be understood.",
            mend="Leave it out.",
        )


MOST_CELLS = 2_000_000
"""Tables beyond this size are taken as they stand: every cell of an understood one is an object of its own."""


def is_nested(value: Any) -> bool:
    """Say whether something is a dictionary of dictionaries of scores; roles as keys betray another nesting."""
    if not isinstance(value, Mapping) or not value or not all(isinstance(each, Mapping) for each in value.values()):
        return False
    return not any(key in ROLES for each in (value, *value.values()) for key in each)


def turned(
    value: Mapping[Any, Mapping[Any, Any]], told: bool | None
) -> tuple[Mapping[Any, Mapping[Any, Any]], Caveats]:
    """Return {data set: {algorithm: scores}}, turned around where it was told or where the names say so clearly.

    Examples
    --------
    >>> turned({"RF": {"iris": 0.9, "wine": 0.8}, "SVM": {"iris": 0.7, "wine": 0.6}}, None)[0]
    {'iris': {'RF': 0.9, 'SVM': 0.7}, 'wine': {'RF': 0.8, 'SVM': 0.6}}
    """
    if told is False:
        return value, ()
    from tiebreak.readers.understanding.words import axes_of

    inner = dict.fromkeys(key for each in value.values() for key in each)
    axes = axes_of(corner="", rows=list(map(str, value)), columns=list(map(str, inner)))
    if not (told or axes.transposed):
        return value, ()
    around = {key: {outer: each[key] for outer, each in value.items() if key in each} for key in inner}
    if told:
        return around, ()
    text = f"The dictionary was read as {{algorithm: {{data set: score}}}}: {'; '.join(axes.said(transposed=True))}."
    return around, (Caveat("read-as", f"{text} If it is the other way round: {option(transpose=False)}."),)


def with_named_rows(raw: Columns, names: Sequence[str] | None) -> Columns:
    """Return columns of numbers alone, whose rows have no names, with the data sets that were told, one a row.

    Examples
    --------
    >>> list(with_named_rows({"svm": ListColumn([0.9, 0.8]), "tree": ListColumn([0.7, 0.6])}, ["iris", "wine"]))
    ['dataset', 'svm', 'tree']
    """
    known = {word for words in SYNONYMS.values() for word in words}
    if names is None or any(header.strip().lower() in known for header in raw):
        return raw
    fits = {len(column) for column in raw.values()} == {len(names)} and len(set(names)) == len(names)
    return {"dataset": ListColumn(list(names)), **raw} if fits and all(c.is_number() for c in raw.values()) else raw
