"""Tables without names: dictionaries in dictionaries, which may be the other way round, and rows named apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.results.columns import Columns, ListColumn
from tiebreak.results.roles import ROLES, SYNONYMS
from tiebreak.wording import option


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
    from tiebreak.readers.understanding.axes import axes_of

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
