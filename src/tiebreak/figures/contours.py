"""Folds by two measures, with contours, as measured or in the plane that separates algorithms best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.figures.drawing.axis import TICK, number_text
from tiebreak.figures.drawing.panels import lay_out, stride
from tiebreak.figures.drawing.plane import MOST, Panels, make_panels
from tiebreak.figures.drawing.scene import Item, Text, bounds
from tiebreak.figures.drawing.text import shown, wrapped
from tiebreak.figures.figure import Figure, Rows
from tiebreak.figures.members import kept_of
from tiebreak.multivariate_tests import MultivariateComparison, SetComparison
from tiebreak.results import Results
from tiebreak.results.confusion import with_scores
from tiebreak.stats.multivariate.manova_tests import LearnedMeasures
from tiebreak.wording import either, option


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldClouds(Figure):
    """A figure of two panels: histograms, and the clouds of the folds beside them."""

    panels: Panels

    def lower(self) -> str:
        """Say that fewer algorithms have fewer histograms."""
        few = MOST // 2
        return f"{option(top=few)} draws the first {few}" if len(self.panels.clouds) > few else ""

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out histograms and clouds."""
        return lay_out(self.panels, room)

    def _seen(self) -> str:
        """Say what is seen in the two panels."""
        fitted = "the normal distribution fitted to each algorithm's folds"
        lines = "points on a line have an interval along it, points that do not vary have none"
        what = "Dotted lines in the histograms are means. "
        if not self.panels.clouds[0].ys:
            return what + f"Intervals hold half and 95% of {fitted}; values that do not vary have none."
        return what + f"Contours hold half and 95% of {fitted}; {lines}."


def chosen_algorithms(
    comparison: MultivariateComparison, top: int | None, show: Sequence[str] | str
) -> tuple[tuple[str, ...], Caveats]:
    """Return which algorithms are drawn, the first so many and those named; a caveat where some are not."""
    drawn = kept_of(comparison.algorithms, top, show, usual=MOST)
    names = tuple(comparison.algorithms[i] for i in drawn) or comparison.algorithms[:MOST]
    if len(names) > MOST:
        raise OptionError(
            f"{len(names)} algorithms are to be drawn.",
            why=f"At most {MOST} can be distinguished by colour and shape.",
            mend=f"Use {option(top=MOST)}.",
        )
    left = len(comparison.algorithms) - len(names)
    why = ", as chosen." if drawn else f"; choose with {option(top=1, show=['A', 'B'])}."
    note = f"{left} of {len(comparison.algorithms)} algorithms are not drawn{why}"
    return names, (Caveat("not-drawn", note),) if left else ()


def thinned(panels: Panels) -> Caveats:
    """Say that not every fold is a point, where there are too many."""
    note = f"One of {stride(panels)} folds is drawn as a point; contours and histograms use all."
    return (Caveat("not-drawn", note),) if stride(panels) > 1 else ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MeasureContours(FoldClouds):
    """Measure contours as data; `centred` says whether values are counted from the mean of their data set.

    `x`, `y` and `single` are the measures of the axes and of the histograms; `y` is empty where there is one measure.
    """

    KIND = "Measure contours"
    x: str
    y: str
    single: str
    centred: bool

    def rows(self) -> Rows:
        """Return one row per algorithm: means, standard deviations and correlation over the folds."""
        return self.panels.rows(self.x, self.y, self.single)

    def reading(self) -> str:
        """Say what points and contours are."""
        less = " From each value the mean of all algorithms on its data set is subtracted." if self.centred else ""
        return f"{self._seen()}{less}"


@as_came_in
def measure_contours(
    comparison: MultivariateComparison,
    *,
    x: str | None = None,
    y: str | None = None,
    single: str | None = None,
    top: int | None = None,
    show: Sequence[str] = (),
    results: Results | None = None,
) -> MeasureContours:
    """Make the figure of one measure alone beside two measures together.

    With several data sets each measure is counted from the mean of all algorithms on its data set.

    Formula: contours are those of the normal distribution with the mean and covariance of an algorithm's folds,
    (m - mean)' S^-1 (m - mean) = -2 ln(1 - share). Where S is singular the folds lie on a line, and the interval of
    the normal distribution along it is drawn; where nothing varies, the mean alone.

    Parameters
    ----------
    comparison : MultivariateComparison
    x, y : str, optional
        The two measures; the first two by default. With one measure there is a row of points per algorithm instead.
    single : str, optional
        The measure of the histograms; the first by default.
    top, show : int and sequence of str, optional
        Draw the first `top` and those named, at most eight; by default the first eight.
    results : Results, optional
        Where `single` is no measure of the comparison, such as error, it is taken from this table, or made from the
        counts in it.

    Returns
    -------
    MeasureContours

    Examples
    --------
    >>> import numpy as np, tiebreak as tb
    >>> folds = np.random.default_rng(1).normal(0.8, 0.03, size=(10, 3, 2)) + [[0, 0], [0, 0], [0.1, -0.1]]
    >>> rows = {"dataset": ["iris"] * 30, "algorithm": ["tree", "svm", "knn"] * 10,
    ...         "fold": np.repeat(range(10), 3), "tpr": folds[..., 0].ravel(), "tnr": folds[..., 1].ravel()}
    >>> figure = measure_contours(tb.multivariate(tb.Results.from_dict(rows), scores=["tpr", "tnr"]))
    >>> figure.x, figure.y, round(figure.panels.clouds[0].mean[0], 2)
    ('tpr', 'tnr', 0.8)
    """
    across, down = _axes(comparison, x, y)
    names, notes = chosen_algorithms(comparison, top, show)
    sets = comparison.sets
    alone = comparison.measures[0].name if single is None else single
    xs, x_name = _values(sets, names, across, comparison, None)
    ys, y_name = _values(sets, names, down, comparison, None) if down else (None, "")
    singles, single_name = _values(sets, names, alone, comparison, results)
    panels = make_panels(names, xs, ys, singles, (x_name, y_name, single_name))
    return MeasureContours(
        panels=panels,
        x=across,
        y=down,
        single=alone,
        centred=len(sets) > 1,
        heading=comparison.title(),
        caveats=(*notes, *thinned(panels), *comparison.caveats),
    )


def _axes(comparison: MultivariateComparison, x: str | None, y: str | None) -> tuple[str, str]:
    """What is not named is the first measure that is still free, so that naming one axis is enough."""
    names = [measure.name for measure in comparison.measures]
    for name in (x, y):
        if name is not None:
            check_choice("measure", name, names)
    across = x if x is not None else next(name for name in names if name != y or len(names) == 1)
    down = y if y is not None else next((name for name in names if name != across), "")
    if across == down:
        raise OptionError(f"x and y are both {across!r}.", mend="Name two measures, or look at the histograms.")
    return across, down


def _values(
    sets: Sequence[SetComparison],
    names: Sequence[str],
    name: str,
    comparison: MultivariateComparison,
    results: Results | None,
) -> tuple[FloatArray, str]:
    """Return the values (folds, algorithms) of a measure and the words of its axis.

    With several data sets, values are counted from the mean of their data set: raw ones would show how hard the data
    sets are, not how the algorithms differ.
    """
    known = {measure.name: j for j, measure in enumerate(comparison.measures)}
    if name in known:
        better = comparison.measures[known[name]].higher_is_better
        tables = [(set_comparison.cube[:, :, known[name]], set_comparison.algorithms) for set_comparison in sets]
    else:
        tables, better = _from_table(sets, name, comparison, results)
    centred = len(sets) > 1
    parts = [
        values[:, [algorithms.index(text) for text in names]] - (values.mean() if centred else 0.0)
        for values, algorithms in tables
    ]
    side = "" if better is None else f" ({'higher' if better else 'lower'} is better)"
    return np.concatenate(parts), f"{shown(name)}{' minus the mean of its data set' if centred else ''}{side}"


def _from_table(
    sets: Sequence[SetComparison], name: str, multivariate_comparison: MultivariateComparison, results: Results | None
) -> tuple[list[tuple[FloatArray, tuple[str, ...]]], bool | None]:
    """Take a measure that is not of the comparison from the table that the comparison was made of."""
    if results is None:
        raise OptionError(
            f"The comparison does not hold the measure {name!r}.",
            why=f"It holds {', '.join(measure.name for measure in multivariate_comparison.measures)}.",
            mend=f"Give the table too: figure('contours', single={name!r}, results=results).",
        )
    table = results if name in results.values else with_scores(results, [name])
    tables = []
    for comparison in sets:
        one = table.only(datasets=[comparison.dataset], algorithms=list(multivariate_comparison.algorithms))
        values = one.cube(name)[0].reshape(len(one.algorithms), -1).T
        tables.append((values[~np.isnan(values).any(axis=1)], one.algorithms))
    return tables, table.metric(name).higher_is_better


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
    comparison: MultivariateComparison,
    *,
    top: int | None = None,
    show: Sequence[str] = (),
) -> LearnedPlane:
    """Make the figure of the folds on the learned measures M1 and M2, with the histograms of M1.

    With two algorithms, or one measure, there is M1 alone: a row of points per algorithm takes the place of the plane.

    Parameters
    ----------
    comparison : MultivariateComparison
    top, show : int and sequence of str, optional
        Draw the first `top` and those named, at most eight; by default the first eight.

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
    names, notes = chosen_algorithms(comparison, top, show)
    learned = comparison.learned
    count = min(len(learned.eigenvalues), 2)
    if count == 0:
        raise InputError(
            "There is no learned measure.",
            mend="Draw the measures themselves: " + either("figure('contours').", "`tiebreak figure FILE contours`."),
        )
    columns = _projected(learned, names)
    words = [f"M{j + 1} ({_share(float(learned.shares[j]))})" for j in range(count)]
    second, second_name = (columns[1], words[1]) if count == 2 else (None, "")
    panels = make_panels(names, columns[0], second, columns[0], (words[0], second_name, words[0]))
    return LearnedPlane(
        panels=panels,
        shares=tuple(learned.shares[:count].tolist()),
        measures=learned.measures,
        weights=tuple(tuple(learned.standardised[:, j].tolist()) for j in range(count)),
        blocked=learned.blocked,
        heading=comparison.title(),
        caveats=tuple(dict.fromkeys([*notes, *thinned(panels), *comparison.caveats])),
    )


def _projected(learned: LearnedMeasures, names: Sequence[str]) -> list[FloatArray]:
    """Return the projections (folds, algorithms) on each learned measure, without fold effects where blocked."""
    remaining, columns = [learned.algorithms.index(name) for name in names], []
    for j in range(learned.projections.shape[2]):
        values = learned.projections[:, :, j]
        centred = values - values.mean(axis=1, keepdims=True) if learned.blocked else values
        columns.append(centred[:, remaining])
    return columns


def _share(value: float) -> str:
    """Write a share in per cent, never all or nothing where it is not."""
    if 0 < value < 0.005:
        return "less than 1%"
    return f"{value:.0%}" if not 0.995 <= value < 1 else "more than 99%"
