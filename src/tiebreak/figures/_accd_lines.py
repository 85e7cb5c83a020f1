"""What AccD does: agreement of recommendations, and loss and time of the first algorithm, for every AccD."""

from __future__ import annotations

from dataclasses import dataclass

from tiebreak.advisor.evaluation.top_n import AccdCurve
from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Figure, Rows, titled
from tiebreak.figures.drawing.axis import Scale, spread
from tiebreak.figures.drawing.lines import Panel, Series, side_by_side
from tiebreak.figures.drawing.scene import Item

WIDTH, HEIGHT, GAP = 140.0, 150.0, 56.0
COLUMNS = {
    "mean spearman": "mean Spearman with the ideal",
    "mean loss": "mean loss of the first",
    "mean share of time": "time of the first, share of all",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AccdLines(Figure):
    """Curves over AccD as data: `values[column][method]` follows `accds`."""

    KIND = "AccD"
    accds: tuple[float, ...]
    methods: tuple[str, ...]
    values: tuple[tuple[tuple[float, ...], ...], ...]
    log_accd: bool

    def rows(self) -> Rows:
        """Return one row per AccD and method."""
        return [
            {"accd": accd, "method": name} | {column: self.values[c][m][i] for c, column in enumerate(COLUMNS)}
            for i, accd in enumerate(self.accds)
            for m, name in enumerate(self.methods)
        ]

    def reading(self) -> str:
        """Say what AccD is."""
        log = " The scale of AccD is logarithmic." if self.log_accd else ""
        return (
            f"AccD is the share of accuracy traded for ten times the speed; the first"
            f" algorithm is the one at the head of the recommended ranking.{log}"
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out three panels."""
        low, high = self.accds[0], self.accds[-1]
        ends = (low / 1.6, high * 1.6) if self.log_accd else spread([low, high], 0.08)
        panels = []
        for place, (name, table) in enumerate(zip(COLUMNS.values(), self.values, strict=True)):
            start = place * (WIDTH + GAP)
            series = [
                Series(name=method, points=tuple(zip(self.accds, table[m], strict=True)), number=m)
                for m, method in enumerate(self.methods)
            ]
            across = Scale(low=ends[0], high=ends[1], start=start, end=start + WIDTH, log=self.log_accd)
            down = Scale.around([value for line in table for value in line], 0.07, HEIGHT, 0.0)
            panels.append(Panel(across=across, down=down, x_name="AccD", y_name=name, series=tuple(series)))
        return side_by_side(panels, room)


@as_came_in
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
    brazdil2003

    Examples
    --------
    >>> import numpy as np
    >>> from tiebreak.advisor.evaluation.top_n import over_accd
    >>> rng = np.random.default_rng(0)
    >>> curve = over_accd(rng.uniform(0.5, 1, (9, 3)), rng.uniform(1, 9, (9, 3)), distances=1 - np.eye(9), k=(2,))
    >>> accd_lines(curve).methods
    ('2 neighbours', 'all data', 'random')
    """
    rows = found.rows()
    methods = tuple(dict.fromkeys(str(row["method"]) for row in rows))
    order = sorted(range(len(found.accds)), key=found.accds.__getitem__)
    of = {name: [row for row in rows if row["method"] == name] for name in methods}
    values = tuple(
        tuple(tuple(float(of[name][i][column]) for i in order) for name in methods)  # type: ignore[arg-type]
        for column in COLUMNS
    )
    accds = tuple(found.accds[i] for i in order)
    log_accd = accds[0] > 0 and accds[-1] >= 10 * accds[0]
    return AccdLines(accds=accds, methods=methods, values=values, log_accd=log_accd, **titled(found))
