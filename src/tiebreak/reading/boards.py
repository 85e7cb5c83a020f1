"""Boards of models: a row per model, a column per benchmark, and columns of costs (sizes, prices) beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import quoted
from tiebreak.tables import metric_named
from tiebreak.tables.columns import Columns, TextColumn
from tiebreak.tables.roles import WIDE_SCORE
from tiebreak.wording import option

_LEAST = 2
"""So many columns must have the name of a known benchmark: else the columns are measures of one data set."""


def melted(raw: Columns, roles: Mapping[str, str], *, score: str | None, source: str) -> tuple[Columns, Caveats] | None:
    """Return a board in long form, with its costs, and what was made of its columns; None where it is none.

    Only a table that has costs and known benchmarks is a board: without costs it is an ordinary transposed table.
    """
    model = roles.get("algorithm")
    if model is None or "dataset" in roles or not all(isinstance(each, TextColumn) for each in raw.values()):
        return None
    numbers = [name for name in raw if name not in roles.values() and raw[name].is_number()]
    costs = [name for name in numbers if metric_named(name).is_cost]
    benchmarks = [name for name in numbers if name not in costs]
    from tiebreak.reading.understanding.words import known_as

    if not costs or sum(known_as(name) == "dataset" for name in benchmarks) < _LEAST:
        return None
    cells = {name: _cells(raw[name]) for name in (model, *numbers)}
    columns: dict[str, Any] = {
        "dataset": [name for name in benchmarks for _ in cells[model]],
        "algorithm": cells[model] * len(benchmarks),
        score or WIDE_SCORE: [cell for name in benchmarks for cell in cells[name]],
    }
    columns |= {name: cells[name] * len(benchmarks) for name in costs}
    said = [f"{source}: rows were read as algorithms and columns as data sets; {quoted(costs)} are costs."]
    said[0] += f" If they are data sets too: {option(transpose=True)}."
    notes = [Caveat("read-as", said[0])]
    if texts := [name for name in raw if name not in (model, *numbers)]:
        notes.append(Caveat("columns-left-out", f"{source}: {quoted(texts)} left out: no numbers."))
    return {name: TextColumn(column) for name, column in columns.items()}, tuple(notes)


def _cells(column: Any) -> list[str]:
    coded = column.coded()
    return [coded.names[code] if code >= 0 else "" for code in coded.codes.tolist()]
