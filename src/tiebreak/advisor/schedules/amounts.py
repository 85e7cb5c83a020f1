"""Amounts of time as they are given and written, and the gain that time must be worth."""

from __future__ import annotations

from tiebreak.budgets import Budget, budget_from
from tiebreak.errors import OptionError
from tiebreak.wording import option

LEAST_GAIN = 0.001
"""What the whole budget must be worth in success rate; a trial must gain its share of it."""


def seconds_of(budget: Budget | str | float) -> float:
    """Return a budget in seconds; a text that is a plain number is seconds too.

    Examples
    --------
    >>> seconds_of("10min"), seconds_of("90"), seconds_of(5)
    (600.0, 90.0, 5.0)
    """
    plain = isinstance(budget, str) and budget.strip().replace(".", "", 1).isdigit()
    found = budget_from(float(budget) if plain else budget)  # type: ignore[arg-type]
    if found is None:
        raise OptionError(
            "No budget is given.", why="A schedule is made for one.", mend=f"Use {option(budget='10min')}."
        )
    if found.kind == "cpu":
        raise OptionError(
            f"{option('budget')} is {budget!r}.", why="Trials are planned by the clock.", mend="Use 90s, 10min or 2h."
        )
    return found.seconds


def duration(seconds: float) -> str:
    """Write seconds as people say them.

    Examples
    --------
    >>> duration(0.0123), duration(75), duration(5400), duration(3e5)
    ('0.012 s', '75 s', '90 min', '3.5 days')
    """
    for unit, size in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{_short(seconds / size)} {unit}"
    return f"{_short(seconds)} s"


def _short(amount: float) -> str:
    """Two digits are enough, and none is written as a power of ten for it."""
    return f"{amount:.2g}" if amount < 99.5 else f"{amount:.0f}"
