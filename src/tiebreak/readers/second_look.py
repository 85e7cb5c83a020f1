"""A second look at frames, dictionaries and records that were read as they stand, as files get it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tiebreak.errors import InputError
from tiebreak.results import Results
from tiebreak.results.columns import Columns

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
    from tiebreak.readers.understanding.told import Told

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
