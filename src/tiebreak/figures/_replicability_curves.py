"""Power and replicability of tests: mean p, rejections, R(p) and R(e) over the bias of the draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak._checks import check_choice
from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Figure, Rows, titled
from tiebreak.figures.drawing.axis import Scale
from tiebreak.figures.drawing.lines import Panel, Series, side_by_side
from tiebreak.figures.drawing.scene import Item

if TYPE_CHECKING:
    from tiebreak.studies import Replicability

WIDTH, HEIGHT, GAP, LOWER = 225.0, 130.0, 62.0, 48.0
NAMES = ("mean p", "rejections", "R(p)", "R(e)")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ReplicabilityCurves(Figure):
    """Curves as data: for each test and bias the mean p-value, the rejections, R(p) and R(e)."""

    KIND = "Replicability"
    tests: tuple[str, ...]
    biases: tuple[float, ...]
    curves: tuple[tuple[tuple[float, ...], ...], ...]
    repeats: int
    question: str

    def rows(self) -> Rows:
        """Return one row per test and bias."""
        return [
            {"test": name, "bias": bias, **dict(zip(NAMES, cell, strict=True))}
            for name, line in zip(self.tests, self.curves, strict=True)
            for bias, cell in zip(self.biases, line, strict=True)
        ]

    def reading(self) -> str:
        """Say what is shown."""
        return (
            f"Tests of the question '{self.question}'. Above: what the test finds, by its mean p-value and by its"
            f" rejections of {self.repeats}; below: how alike it decides on other draws."
            " k = 0 draws all data sets alike."
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out power above and replicability below; the lower panels come first, as the legend stands under them."""
        rows = [(2, 0.0, HEIGHT + LOWER), (3, WIDTH + GAP, HEIGHT + LOWER), (0, 0.0, 0.0), (1, WIDTH + GAP, 0.0)]
        if room is not None:
            return side_by_side([self._panel(measure, 0.0, 0.0) for measure in range(4)], room)
        return side_by_side([self._panel(*place) for place in rows])

    def _panel(self, measure: int, left: float, top: float) -> Panel:
        values = [cell[measure] for line in self.curves for cell in line]
        series = tuple(
            Series(
                name=name,
                points=tuple((bias, cell[measure]) for bias, cell in zip(self.biases, line, strict=True)),
                number=number,
            )
            for number, (name, line) in enumerate(zip(self.tests, self.curves, strict=True))
        )
        return Panel(
            across=Scale.around(self.biases, 0.03, left, left + WIDTH),
            down=Scale.around(values, 0.06, top + HEIGHT, top),
            x_name="bias k",
            y_name=NAMES[measure],
            series=series,
        )


@as_came_in
def replicability_curves(found: Replicability, *, question: str = "two algorithms") -> ReplicabilityCurves:
    """Make the figure of power and replicability over the bias, a curve for each test of one question.

    Parameters
    ----------
    found : Replicability
    question : {"two algorithms", "all together", "all pairs", "control"}

    Returns
    -------
    ReplicabilityCurves

    References
    ----------
    demsar2006, section 4

    Examples
    --------
    >>> from tiebreak.studies import replicability
    >>> found = replicability(pair=("svl", "c45"), biases=[0, 20], repeats=20)
    >>> replicability_curves(found).tests
    ('paired t', 'wilcoxon', 'sign', 'paired t, relative')
    """
    asked = tuple(dict.fromkeys(each for each, _ in found.tests))
    chosen = check_choice("question", question, asked)
    kept = [i for i, (each, _) in enumerate(found.tests) if each == chosen]
    means = found.means()
    return ReplicabilityCurves(
        tests=tuple(found.tests[i][1] for i in kept),
        biases=found.biases,
        curves=tuple(tuple(map(tuple, means[i].tolist())) for i in kept),
        repeats=found.repeats,
        question=chosen,
        **titled(found),
    )
