"""What Python holds in columns, as results: frames, dictionaries, records, and what other packages return."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError
from tiebreak.readers.detect import Detected, detect
from tiebreak.readers.detect.account import accounted, as_items, inferred, upward
from tiebreak.readers.detect.columns import cells_of
from tiebreak.readers.loading import named_records
from tiebreak.readers.raw_tables import kept
from tiebreak.readers.sklearn import ONE_DATA_SET, from_skore, holds_runs, holds_searches, read_runs, read_searches
from tiebreak.results import Results, metric_named
from tiebreak.results.cells import dict_columns, record_columns
from tiebreak.results.columns import Columns, ListColumn
from tiebreak.results.confusion import MEASURES, is_count, with_scores
from tiebreak.results.roles import FRAME, ROLES, SYNONYMS, WIDE_SCORE, find_roles
from tiebreak.wording import option


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
    pick = partial(_wanted, names=names, also=also)
    roles: Mapping[str, str] = {}
    found: Results | InputError | None = None
    if not told.get("plain") and told.get("transpose") is None:
        rows, _, notes = kept(
            raw, None, where, source=source, roles=columns or {}, asked=[*(names or ()), *(also or ())]
        )
        detected = detect(
            rows, source=source, stem=ONE_DATA_SET, wanted=names, also=also, told=columns, named=told.get("algorithms")
        )
        if detected is not None:
            result = _of_detected(detected, names, pick, kind, source, told)
            return measured(replace(result, caveats=(*said, *notes, *result.caveats)), names)
    if told.get("plain") or "#" not in (columns or {}).values():  # it stands for the number of a row
        roles, _ = find_roles(raw, columns or {}, source)
        found = _as_it_stands(raw, roles, pick(raw, roles), columns, where, kind, source)
    told = {**told, "scores": names, "frame_kind": kind}
    seen = accounted(as_items(looked_at(raw, found, source=source, roles=roles, columns=columns, pick=pick, told=told)))
    return measured(replace(seen, caveats=(*said, *seen.caveats)) if said else seen, names)


def _of_detected(
    detected: Detected,
    names: list[str] | None,
    pick: Callable[[Columns, Mapping[str, str]], list[str] | None],
    kind: str,
    source: str,
    told: Mapping[str, Any],
) -> Results:
    """Return the table whose roles were found, by its cells as they stand or as they are understood."""
    roles = dict(detected.roles)
    wanted = [detected.score] if detected.score and names is None else pick(detected.columns, roles)
    found = _as_it_stands(detected.columns, roles, wanted, roles, (), kind, source)
    if "algorithm" in roles or isinstance(found, InputError):
        told = {**told, "scores": names, "frame_kind": kind, "where": ()}
        keys = {role: header for role, header in roles.items() if role in ROLES}
        if not isinstance(found, InputError) or set(roles) <= set(ROLES):
            found = looked_at(detected.columns, found, source=source, roles=roles, columns=keys, pick=pick, told=told)
    if isinstance(found, InputError):
        raise found
    results = replace(found, failures=found.failures | detected.failures, caveats=(*detected.notes, *found.caveats))
    return accounted(inferred(upward(results, detected.upward), detected.facts))


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


def looked_at(
    raw: Columns,
    found: Results | InputError | None,
    *,
    source: str,
    roles: Mapping[str, str],
    columns: Mapping[str, str] | None,
    pick: Callable[[Columns, Mapping[str, str]], list[str] | None],
    told: Mapping[str, Any],
) -> Results:
    """Return what was read, or what understanding makes of it where that failed or something about it is odd.

    Nothing was read (None) where only understanding can: rows that have a number for a name.
    """
    size = len(raw) * len(next(iter(raw.values()), ()))
    as_it_stands = told.get("plain") or not 0 < size <= MOST_CELLS
    if found is not None and (as_it_stands or not _needs_it(raw, found, roles, told)):
        if isinstance(found, InputError):
            raise found
        return found
    from tiebreak.readers.understanding import opening
    from tiebreak.readers.understanding.notes import Told

    asked = opening.check_told(
        Told(
            roles=columns or {},
            keep_rows=bool(told.get("keep_rows")),
            where=tuple(told.get("where") or ()),
            transpose=told.get("transpose"),
            decimal=told.get("decimal"),
            names=told.get("names"),
            **{role: _tuple(told.get(role)) for role in ("scores", "algorithms", "datasets")},
        )
    )
    grid = opening.grid_of_columns(raw, source=source)
    results = opening.results_of(
        opening.understand_one([grid], name=source, told=asked), choose=pick, roles=asked.roles
    )
    return replace(opening.settle_names(results, asked.names, source), frame_kind=told["frame_kind"])


def _tuple(names: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _needs_it(raw: Columns, found: Results | InputError, roles: Mapping[str, str], told: Mapping[str, Any]) -> bool:
    if isinstance(found, InputError) or told.get("keep_rows") or told.get("decimal"):
        return True
    if told.get("transpose") is not None or told.get("names") is not None:
        return True
    from tiebreak.readers.understanding.guard import alike, is_odd

    close = alike(found.datasets) or alike(found.algorithms)
    corner = roles.get("dataset") or next(iter(raw))
    return bool(close) or is_odd(found, wide="algorithm" not in roles, corner=corner)


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
