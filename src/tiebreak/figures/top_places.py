"""Following a recommendation: accuracy lost against the number of algorithms tried, and against time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._show import Row
from tiebreak.figures._axis import Scale
from tiebreak.figures._figure import Figure
from tiebreak.figures._lines import Panel, Series, legend
from tiebreak.figures._metrics import shown
from tiebreak.figures._scene import Item

if TYPE_CHECKING:
    from tiebreak.advisor.evaluation import TopN

WIDTH, HEIGHT, GAP = 225.0, 190.0, 62.0
SINGLE, RANDOM = "single best on average", "random"
DECADE = 10.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TopNCurves(Figure):
    """Top-N as data: for each method the mean loss and the mean share of time for N = 1, 2, ...

    The single best on average has N = 1 only; the last N of the others is running all. A random order is left out.
    """

    methods: tuple[str, ...]
    losses: tuple[tuple[float, ...], ...]
    shares: tuple[tuple[float, ...], ...]
    log_time: bool
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Top-N: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per method and N."""
        return [
            {"method": name, "n": n + 1, "mean loss": loss, "mean share of time": share}
            for name, losses, shares in zip(self.methods, self.losses, self.shares, strict=True)
            for n, (loss, share) in enumerate(zip(losses, shares, strict=True))
        ]

    def notes(self) -> list[str]:
        """Say what is kept and what is lost."""
        log = " The scale of time is logarithmic." if self.log_time else ""
        return [
            f"{shown(self.heading)}. Marks from left to right: the first 1, 2, ... algorithms of the recommended"
            f" ranking are run and the best of them is kept; the last mark is running all of them.{log}"
        ]

    def items(self) -> list[Item]:
        """Lay out two panels: against N, and against time."""
        return _layout(self)


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
    Brazdil, P., Soares, C. and da Costa, J. P. (2003), section 5. doi:10.1023/A:1021713901879

    Examples
    --------
    >>> from tiebreak.advisor.evaluation import top_n
    >>> found = top_n({"5 neighbours": [[3, 2, 1], [1, 3, 2]]}, [[0.8, 0.9, 0.7], [0.7, 0.8, 0.9]], [[1, 2, 3]] * 2)
    >>> [round(loss, 3) for loss in top_n_curves(found).losses[0]]
    [0.1, 0.0, 0.0]
    """
    kept = [i for i, name in enumerate(found.methods) if name != RANDOM]
    length = [1 if found.methods[i] == SINGLE else found.loss.shape[2] for i in kept]
    losses = [tuple(np.nanmean(found.loss[i], axis=0)[:n].tolist()) for i, n in zip(kept, length, strict=True)]
    shares = [tuple(np.nanmean(found.share[i], axis=0)[:n].tolist()) for i, n in zip(kept, length, strict=True)]
    low = min(share for each in shares for share in each)
    return TopNCurves(
        methods=tuple(found.methods[i] for i in kept),
        losses=tuple(losses),
        shares=tuple(shares),
        log_time=0 < low < 1 / DECADE,
        heading=found.title() if ranking is None else f"{found.title()}; ranked by {ranking}",
        caveats=found.caveats,
    )


def _layout(figure: TopNCurves) -> list[Item]:
    many = max(len(each) for each in figure.losses)
    top = max(loss for each in figure.losses for loss in each) or 1.0
    down = Scale(low=-0.03 * top, high=1.06 * top, start=HEIGHT, end=0.0)
    by_count = Scale(low=0.6, high=many + 0.4, start=0.0, end=WIDTH)
    left, right = WIDTH + GAP, 2 * WIDTH + GAP
    low = min(share for each in figure.shares for share in each)
    log = figure.log_time
    by_time = Scale(low=low / 1.3 if log else -0.03, high=1.25 if log else 1.03, start=left, end=right, log=log)
    name = "share of the time of running all" + (", logarithmic scale" if log else "")
    counts, times = _series(figure, figure.shares, counted=True), _series(figure, figure.shares, counted=False)
    items = Panel(
        across=by_count, down=down, x_name="algorithms run (N)", y_name="mean loss", series=counts, count=min(many, 12)
    ).items()
    items += Panel(across=by_time, down=down, x_name=name, y_name="mean loss", series=times).items()
    return items + legend(counts, HEIGHT + 43, right)


def _series(figure: TopNCurves, shares: tuple[tuple[float, ...], ...], *, counted: bool) -> tuple[Series, ...]:
    out = []
    for number, (name, losses, times) in enumerate(zip(figure.methods, figure.losses, shares, strict=True)):
        across = range(1, len(losses) + 1) if counted else times
        points = tuple((float(x), loss) for x, loss in zip(across, losses, strict=True))
        out.append(Series(name=name, points=points, number=number, alone=name == SINGLE))
    return tuple(out)
