"""The learned plane: folds on the two learned measures that separate algorithms best, and histograms of the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak._checks import FloatArray
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.figures._figure import Rows
from tiebreak.figures._folds import FoldClouds, chosen_algorithms, heading_of, sets_of, thinned
from tiebreak.figures.drawing.axis import TICK, number_text
from tiebreak.figures.drawing.clouds import make_panels
from tiebreak.figures.drawing.metrics import shown, wrapped
from tiebreak.figures.drawing.panels import lay_out
from tiebreak.figures.drawing.scene import Item, Text, bounds
from tiebreak.multivariate_tests import MultivariateComparison
from tiebreak.stats.multivariate.manova_tests import LearnedMeasures
from tiebreak.wording import either


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LearnedPlane(FoldClouds):
    """A learned plane as data; `weights[j]` are the standardised weights of learned measure j on `measures`.

    `blocked` says that the mean of all algorithms on the fold is subtracted, as the learned measures were found.
    """

    KIND = "Learned measures"
    shares: tuple[float, ...]
    measures: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]
    blocked: bool

    def rows(self) -> Rows:
        """Return one row per algorithm: means, standard deviations and correlation over the folds."""
        return self.panels.rows("M1", "M2", "M1")

    def reading(self) -> str:
        """Say what learned measures, points and contours are."""
        less = " From each value the mean of all algorithms on its fold is subtracted" if self.blocked else ""
        if less:
            less += ", so that two algorithms mirror each other." if len(self.panels.clouds) == 2 else "."
        return (
            "Learned measures are the combinations of measures along which the algorithms differ most beside their"
            " spread over folds; the unit is the residual standard deviation, and the per cent are the share of what"
            f" all of them separate. {self._seen()}{less}"
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out histograms and clouds, and the weights under them."""
        items = lay_out(self.panels, room)
        left, _, right, y = bounds(items)
        for words in self.formulas():
            for line in wrapped(words, TICK, right - left):
                y += 12.0
                items.append(Text(left, y, line, size=TICK))
        return items

    def formulas(self) -> list[str]:
        """Write each learned measure as a sum of standardised measures."""
        return [
            f"M{j + 1} = {_sum(self.measures, weights)} (measures in residual standard deviations)"
            for j, weights in enumerate(self.weights)
        ]


def _sum(measures: Sequence[str], weights: Sequence[float]) -> str:
    """Write a sum: the sign of the first term stands close to it, and a plus there is not written."""
    signs = ["\N{MINUS SIGN}" if weight < 0 else "+" for weight in weights]
    terms = [f"{number_text(abs(weight), 3)} {shown(name)}" for name, weight in zip(measures, weights, strict=True)]
    rest = "".join(f" {sign} {term}" for sign, term in zip(signs[1:], terms[1:], strict=True))
    return f"{signs[0].removeprefix('+')}{terms[0]}{rest}"


@as_came_in
def learned_plane(
    found: MultivariateComparison,
    *,
    dataset: str | None = None,
    algorithms: Sequence[str] | None = None,
    top: int | None = None,
    show: Sequence[str] = (),
) -> LearnedPlane:
    """Make the figure of the folds on the learned measures M1 and M2, with the histograms of M1.

    With two algorithms, or one measure, there is M1 alone: a row of points per algorithm takes the place of the plane.

    Parameters
    ----------
    found : MultivariateComparison
    dataset : str, optional
        The learned measures of this data set. By default those of the comparison: with several data sets, learned
        from all folds together, each a block of its own.
    algorithms : sequence of str, optional
        At most eight; by default the first eight.
    top, show : int and sequence of str, optional
        The first so many and those named, in place of `algorithms`.

    Returns
    -------
    LearnedPlane

    Examples
    --------
    >>> import numpy as np, tiebreak as tb
    >>> folds = np.random.default_rng(1).normal(0.8, 0.03, size=(10, 3, 2)) + [[0, 0], [0, 0], [0.1, -0.1]]
    >>> rows = {"dataset": ["iris"] * 30, "algorithm": ["tree", "svm", "knn"] * 10,
    ...         "fold": np.repeat(range(10), 3), "tpr": folds[..., 0].ravel(), "tnr": folds[..., 1].ravel()}
    >>> figure = learned_plane(tb.multivariate(tb.Results.from_dict(rows), scores=["tpr", "tnr"]))
    >>> figure.formulas()[0]
    'M1 = 0.746 tpr − 0.681 tnr (measures in residual standard deviations)'
    """
    names, notes = chosen_algorithms(found, algorithms, top, show)
    sets = sets_of(found, dataset)
    learned = found.learned if dataset is None else sets[0].learned
    count = min(len(learned.eigenvalues), 2)
    if count == 0:
        raise InputError(
            "There is no learned measure.",
            why="No combination of the measures varies over the folds, so that none can be learned.",
            mend="Draw the measures themselves: " + either("figure('contours').", "`tiebreak figure FILE contours`."),
        )
    columns = _projected(learned, names)
    words = [f"M{j + 1} ({_share(float(learned.shares[j]))})" for j in range(count)]
    second, second_name = (columns[1], words[1]) if count == 2 else (None, "")
    panels = make_panels(names, columns[0], second, columns[0], (words[0], second_name, words[0]))
    kept = found.caveats if dataset is None else (*sets[0].caveats, *learned.caveats)
    return LearnedPlane(
        panels=panels,
        shares=tuple(learned.shares[:count].tolist()),
        measures=learned.measures,
        weights=tuple(tuple(learned.standardised[:, j].tolist()) for j in range(count)),
        blocked=learned.blocked,
        heading=heading_of(found, dataset),
        caveats=tuple(dict.fromkeys([*notes, *thinned(panels), *kept])),
    )


def _projected(learned: LearnedMeasures, names: Sequence[str]) -> list[FloatArray]:
    """Return the projections (folds, algorithms) on each learned measure, without fold effects where blocked."""
    kept, columns = [learned.algorithms.index(name) for name in names], []
    for j in range(learned.projections.shape[2]):
        values = learned.projections[:, :, j]
        centred = values - values.mean(axis=1, keepdims=True) if learned.blocked else values
        columns.append(centred[:, kept])
    return columns


def _share(value: float) -> str:
    """Write a share in per cent, never all or nothing where it is not."""
    if 0 < value < 0.005:
        return "less than 1%"
    return f"{value:.0%}" if not 0.995 <= value < 1 else "more than 99%"
