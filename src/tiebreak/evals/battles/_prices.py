"""What each algorithm costs: from a mapping, a second file, columns beside the votes, or a table of results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveats
from tiebreak.comparison.zero_costs import logs_of_costs
from tiebreak.errors import InputError, NotSaid, OptionError, quoted
from tiebreak.evals.battles._columns import plain
from tiebreak.evals.battles._votes import Votes, columns_of
from tiebreak.results import metric_named
from tiebreak.results.columns import Columns, Where
from tiebreak.wording import option

USUAL = "price"
_NAMES = ("algorithm", "model", "name", "system", "player")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prices:
    """One cost: `paid` has a row for each data set, or one row; `mean` is what the prior order goes by."""

    name: str
    unit: str
    paid: FloatArray

    @property
    def mean(self) -> FloatArray:
        """The mean over data sets."""
        return np.asarray(np.nanmean(self.paid, axis=0))

    @property
    def share(self) -> FloatArray:
        """The mean share of the largest cost on a data set, by which algorithms are ordered."""
        top = np.nanmax(self.paid, axis=1, keepdims=True)
        return np.asarray(np.nanmean(self.paid / np.where(top > 0, top, 1.0), axis=0))

    def logs(self) -> tuple[FloatArray, Caveats]:
        """Return log10 of the cost, its mean over data sets; a zero, which has no ratio, counts as a small cost."""
        logs, notes = logs_of_costs(self.paid, self.name)
        return np.asarray(np.nanmean(logs, axis=0)), notes

    def places(self, strengths: FloatArray, names: tuple[str, ...]) -> tuple[IntArray, bool]:
        """Place algorithms by price, 0 the cheapest, and say whether some cost the same: the stronger is then first."""
        order = sorted(range(len(names)), key=lambda i: (self.share[i], -strengths[i], names[i]))
        places = np.empty(len(names), dtype=np.int64)
        places[order] = np.arange(len(names))
        return places, len(np.unique(self.share)) < len(names)


def prices_of(votes: Votes, cost: str | None, prices: Any) -> Prices | None:
    """Return what the algorithms cost, complete; None where nothing was said of it."""
    if prices is None and cost is None:
        return None
    name = cost or USUAL
    if prices is not None:
        known = _known(prices, cost)
        paid = np.array([[known.get(each, float("nan")) for each in votes.algorithms]])
    elif name in votes.costs:
        paid = np.atleast_2d(votes.costs[name])
    else:
        raise NotSaid(
            f"Nothing in {votes.source} says the {name} of an algorithm.",
            why="An order by worth weighs the win rate against the price.",
            mend=f"Give a file of algorithms and prices ({option(prices='prices.csv')}),"
            f" or columns {name}_a and {name}_b beside the votes.",
        )
    _check(paid, name, votes.algorithms)
    return Prices(name=name, unit=metric_named(name, is_cost=True).unit or "", paid=paid)


_NAMED = 12
"""So many algorithms that have a price are named, to be copied."""


def _check(paid: FloatArray, name: str, algorithms: tuple[str, ...]) -> None:
    lacking = [each for each, column in zip(algorithms, paid.T, strict=True) if np.isnan(column).all()]
    if lacking:
        known = [each for each in algorithms if each not in lacking]
        named = known if 2 <= len(known) <= _NAMED else [...]
        raise InputError(
            f"{quoted(lacking)} {'has' if len(lacking) == 1 else 'have'} no {name}.",
            why="Without it the place that cost would decide is unknown.",
            mend=f"Add {'it' if len(lacking) == 1 else 'them'}, or leave those algorithms out:"
            f" {option(algorithms=named)}.",
        )
    wrong = np.argwhere((paid < 0) | np.isinf(paid))
    if len(wrong):
        row, column = wrong[0]
        raise InputError(
            f"The {name} of {algorithms[column]!r} is {paid[row, column]:g}.",
            why="A cost is paid; it is 0 or more.",
            mend="Correct it.",
        )


def _known(prices: Any, cost: str | None) -> dict[str, float]:
    """Read prices by the name of the algorithm."""
    if isinstance(prices, Mapping) and not any(isinstance(each, (list, tuple, np.ndarray)) for each in prices.values()):
        try:
            return {str(name): float(price) for name, price in prices.items()}
        except (TypeError, ValueError):
            raise InputError(
                "A price is no number.",
                why="An order by worth weighs the win rate against the price.",
                mend="Use {'model': 1.5, ...}.",
            ) from None
    columns, source = columns_of(prices)
    named, priced = _headers(columns, cost, source)
    names = columns[named].as_names(Where(column=named, source=source))
    values = columns[priced].as_numbers(Where(column=priced, source=source))
    found: dict[str, float] = {}
    for code, value in zip(names.codes.tolist(), values.tolist(), strict=True):
        name = names.names[code]
        if found.setdefault(name, value) != value:
            raise InputError(
                f"{source} has two prices for {name!r}: {found[name]:g} and {value:g}.",
                why="Only one of them can be its price.",
                mend="Delete one of the rows.",
            )
    return found


def _headers(columns: Columns, cost: str | None, source: str) -> tuple[str, str]:
    """Find the column of names and that of prices."""
    named = next((header for each in _NAMES for header in columns if plain(header) == each), next(iter(columns)))
    numbers = [header for header in columns if header != named and columns[header].is_number()]
    wanted = cost or USUAL
    if wanted in columns and wanted != named:
        return named, wanted
    if cost is None and len(numbers) == 1:
        return named, numbers[0]
    close = get_close_matches(wanted, list(columns), n=1)
    raise OptionError(
        f"{Path(source).name} has no column {wanted!r} beside the names in {named!r}; its columns are"
        f" {quoted(columns)}.",
        why="It says what each algorithm costs.",
        mend=f"Did you mean {option(cost=close[0])}?" if close else f"Name the column: {option(cost=...)}.",
    )
