"""Following a recommendation: accuracy lost against the number of algorithms tried, and against time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak.advisor.evaluation.top_n import TopN
from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Figure, Rows
from tiebreak.figures.drawing.axis import Scale
from tiebreak.figures.drawing.lines import Panel, Series, side_by_side
from tiebreak.figures.drawing.scene import Item

WIDTH, HEIGHT, GAP = 225.0, 190.0, 62.0
SINGLE, RANDOM, COUNT = "single best on average", "random", "algorithms run (N)"
DECADE = 10.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TopNCurves(Figure):
    """Top-N as data: for each method the mean loss and the mean share of time for N = 1, 2, ...

    The single best on average has N = 1 only; the last N of the others is running all. A random order is left out.
    """

    KIND = "Top-N"
    methods: tuple[str, ...]
    losses: tuple[tuple[float, ...], ...]
    shares: tuple[tuple[float, ...], ...]
    log_time: bool

    def rows(self) -> Rows:
        """Return one row per method and N."""
        return [
            {"method": name, "n": n + 1, "mean loss": loss, "mean share of time": share}
            for name, losses, shares in zip(self.methods, self.losses, self.shares, strict=True)
            for n, (loss, share) in enumerate(zip(losses, shares, strict=True))
        ]

    def reading(self) -> str:
        """Say what is kept and what is lost."""
        log = " The scale of time is logarithmic." if self.log_time else ""
        return (
            f"Marks from left to right: the first 1, 2, ... algorithms of the recommended"
            f" ranking are run and the best of them is kept; the last mark is running all of them.{log}"
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out two panels: against N, and against time."""
        many = max(len(each) for each in self.losses)
        top = max(loss for each in self.losses for loss in each) or 1.0
        down = Scale(low=-0.03 * top, high=1.06 * top, start=HEIGHT, end=0.0)
        by_count = Scale(low=0.6, high=many + 0.4, start=0.0, end=WIDTH)
        left, right, log = WIDTH + GAP, 2 * WIDTH + GAP, self.log_time
        low = min(share for each in self.shares for share in each)
        by_time = Scale(low=low / 1.3 if log else -0.03, high=1.25 if log else 1.03, start=left, end=right, log=log)
        name = "share of the time of running all" + (", logarithmic scale" if log else "")
        counts = self._series([range(1, len(each) + 1) for each in self.losses])
        times, y_name = self._series(self.shares), "mean loss"
        panels = [
            Panel(across=by_count, down=down, x_name=COUNT, y_name=y_name, series=counts, count=min(many, 12)),
            Panel(across=by_time, down=down, x_name=name, y_name=y_name, series=times),
        ]
        return side_by_side(panels, room)

    def _series(self, across: Sequence[Sequence[float]]) -> tuple[Series, ...]:
        """Return the losses of every method against what stands across."""
        columns = zip(self.methods, across, self.losses, strict=True)
        return tuple(
            Series(name=name, points=tuple(zip(map(float, xs), ys, strict=True)), number=i, alone=name == SINGLE)
            for i, (name, xs, ys) in enumerate(columns)
        )


@as_came_in
def top_n_curves(found: TopN, *, ranking: str | None = None) -> TopNCurves:
    """Make the figure of what following a recommendation loses and takes.

    Parameters
    ----------
    found : TopN
    ranking : str, optional
        By which method the algorithms were ranked, for the heading.

    Returns
    -------
    TopNCurves

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> from tiebreak.advisor.evaluation.top_n import top_n
    >>> found = top_n({"5 neighbours": [[3, 2, 1], [1, 3, 2]]}, [[0.8, 0.9, 0.7], [0.7, 0.8, 0.9]], [[1, 2, 3]] * 2)
    >>> [round(loss, 3) for loss in top_n_curves(found).losses[0]]
    [0.1, 0.0, 0.0]
    """
    kept = [i for i, name in enumerate(found.methods) if name != RANDOM]
    losses, shares = (
        [tuple(np.nanmean(table[i], axis=0)[: 1 if found.methods[i] == SINGLE else None].tolist()) for i in kept]
        for table in (found.loss, found.share)
    )
    low = min(share for each in shares for share in each)
    return TopNCurves(
        methods=tuple(found.methods[i] for i in kept),
        losses=tuple(losses),
        shares=tuple(shares),
        log_time=0 < low < 1 / DECADE,
        heading=found.title() if ranking is None else f"{found.title()}; ranked by {ranking}",
        caveats=found.caveats,
    )
