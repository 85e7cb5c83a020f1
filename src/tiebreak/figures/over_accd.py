"""What AccD does: agreement of recommendations, and loss and time of the first algorithm, for every AccD."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak._show import Row
from tiebreak.figures._axis import Scale, spread
from tiebreak.figures._figure import Figure
from tiebreak.figures._lines import Panel, Series, legend
from tiebreak.figures._metrics import shown
from tiebreak.figures._scene import Item

if TYPE_CHECKING:
    from tiebreak.advisor.evaluation import AccdCurve

WIDTH, HEIGHT, GAP = 140.0, 150.0, 56.0
COLUMNS = {
    "mean spearman": "mean Spearman with the ideal",
    "mean loss": "mean loss of the first",
    "mean share of time": "time of the first, share of all",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AccdLines(Figure):
    """Curves over AccD as data: `values[column][method]` follows `accds`."""

    accds: tuple[float, ...]
    methods: tuple[str, ...]
    values: tuple[tuple[tuple[float, ...], ...], ...]
    log_accd: bool
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"AccD: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per AccD and method."""
        return [
            {"accd": accd, "method": name} | {column: self.values[c][m][i] for c, column in enumerate(COLUMNS)}
            for i, accd in enumerate(self.accds)
            for m, name in enumerate(self.methods)
        ]

    def notes(self) -> list[str]:
        """Say what AccD is."""
        log = " The scale of AccD is logarithmic." if self.log_accd else ""
        return [
            f"{shown(self.heading)}. AccD is the share of accuracy given up for ten times the speed; the first"
            f" algorithm is the one at the head of the recommended ranking.{log}"
        ]

    def items(self) -> list[Item]:
        """Lay out three panels."""
        return _layout(self)


def accd_lines(found: AccdCurve) -> AccdLines:
    """Make the figure of recommendations over AccD.

    Parameters
    ----------
    found : AccdCurve

    Returns
    -------
    AccdLines

    References
    ----------
    Brazdil, P., Soares, C. and da Costa, J. P. (2003). doi:10.1023/A:1021713901879

    Examples
    --------
    >>> import numpy as np
    >>> from tiebreak.advisor.evaluation import over_accd
    >>> rng = np.random.default_rng(0)
    >>> curve = over_accd(rng.uniform(0.5, 1, (9, 3)), rng.uniform(1, 9, (9, 3)), distances=1 - np.eye(9), k=(2,))
    >>> accd_lines(curve).methods
    ('2 neighbours', 'all data', 'random')
    """
    rows = found.rows()
    methods = tuple(dict.fromkeys(str(row["method"]) for row in rows))
    order = sorted(range(len(found.accds)), key=found.accds.__getitem__)
    values = tuple(
        tuple(
            tuple(float([row for row in rows if row["method"] == name][i][column]) for i in order)  # type: ignore[arg-type]
            for name in methods
        )
        for column in COLUMNS
    )
    accds = tuple(found.accds[i] for i in order)
    return AccdLines(
        accds=accds,
        methods=methods,
        values=values,
        log_accd=accds[0] > 0 and accds[-1] >= 10 * accds[0],
        heading=found.title(),
        caveats=found.caveats,
    )


def _layout(figure: AccdLines) -> list[Item]:
    items: list[Item] = []
    low, high = figure.accds[0], figure.accds[-1]
    ends = (low / 1.6, high * 1.6) if figure.log_accd else spread([low, high], 0.08)
    shown_series: tuple[Series, ...] = ()
    for place, (name, table) in enumerate(zip(COLUMNS.values(), figure.values, strict=True)):
        start = place * (WIDTH + GAP)
        series = tuple(
            Series(name=method, points=tuple(zip(figure.accds, table[m], strict=True)), number=m)
            for m, method in enumerate(figure.methods)
        )
        bottom, top = spread([value for line in table for value in line], 0.07)
        items += Panel(
            across=Scale(low=ends[0], high=ends[1], start=start, end=start + WIDTH, log=figure.log_accd),
            down=Scale(low=bottom, high=top, start=HEIGHT, end=0.0),
            x_name="AccD",
            y_name=name,
            series=series,
        ).items()
        shown_series = series
    return items + legend(shown_series, HEIGHT + 43, 3 * WIDTH + 2 * GAP)
