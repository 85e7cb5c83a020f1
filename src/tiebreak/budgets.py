"""Budgets of wall-clock or CPU time."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

from tiebreak.errors import OptionError

_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}
_FORM = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*(s|min|h)(?:[\s-]?(cpu|wall))?")
_GRACE = (1.0, 0.1, 60.0)
"""The least seconds of grace, its share of the budget, and the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The most the cells of a run may take: seconds by the clock ("wall"), or CPU seconds of all of them ("cpu").

    A `strict` one has no grace: what still runs at its end is cut at once.

    Examples
    --------
    >>> budget_from("30min-cpu")
    Budget(seconds=1800.0, kind='cpu', strict=False)
    >>> str(budget_from("90s")), budget_from("5s").grace
    ('90 s', 1.0)
    """

    seconds: float
    kind: Literal["wall", "cpu"] = "wall"
    strict: bool = False

    @property
    def grace(self) -> float:
        """Seconds that cells may go on when the budget is used up, so that what is nearly done is not lost."""
        if self.strict:
            return 0.0
        least, share, most = _GRACE
        return min(most, max(least, share * self.seconds))

    def __str__(self) -> str:
        unit = next(unit for unit in ("h", "min", "s") if self.seconds >= 2 * _UNITS[unit] or unit == "s")
        return f"{self.seconds / _UNITS[unit]:g} {unit}{' of CPU time' if self.kind == 'cpu' else ''}"


def budget_from(given: Budget | str | float | None) -> Budget | None:
    """Return a budget from what names one: "30min", "2h-cpu", or seconds as a number; None stays None.

    Examples
    --------
    >>> str(budget_from("1.5h")), budget_from(20).seconds
    ('90 min', 20.0)
    """
    if given is None or isinstance(given, Budget):
        return given
    if isinstance(given, str):
        match = _FORM.fullmatch(given.strip().lower())
        if match is not None and float(match[1]) > 0:
            return Budget(seconds=float(match[1]) * _UNITS[match[2]], kind="cpu" if match[3] == "cpu" else "wall")
    elif not isinstance(given, bool) and math.isfinite(given) and given > 0:
        return Budget(seconds=float(given))
    raise OptionError(
        f"The budget is {given!r}.",
        why="A budget is a time with its unit: s, min or h; with -cpu behind it, CPU time of the cells.",
        mend="Use 90s, 30min, 2h or 30min-cpu.",
    )
