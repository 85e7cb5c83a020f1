"""Measure contours: one measure alone as histograms, beside two measures together with lines of equal probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures._figure import Rows
from tiebreak.figures._folds import FoldClouds, chosen_algorithms, heading_of, sets_of, thinned
from tiebreak.figures.drawing.clouds import make_panels
from tiebreak.figures.drawing.metrics import shown
from tiebreak.multivariate_tests import MultivariateComparison, SetComparison
from tiebreak.results import Results
from tiebreak.results.confusion import with_measures


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
    found: MultivariateComparison,
    *,
    x: str | None = None,
    y: str | None = None,
    single: str | None = None,
    dataset: str | None = None,
    algorithms: Sequence[str] | None = None,
    top: int | None = None,
    show: Sequence[str] = (),
    results: Results | None = None,
) -> MeasureContours:
    """Make the figure of one measure alone beside two measures together.

    Formula: contours are those of the normal distribution with the mean and covariance of an algorithm's folds,
    (m - mean)' S^-1 (m - mean) = -2 ln(1 - share). Where S is singular the folds lie on a line, and the interval of
    the normal distribution along it is drawn; where nothing varies, the mean alone.

    Parameters
    ----------
    found : MultivariateComparison
    x, y : str, optional
        The two measures; the first two by default. With one measure there is a row of points per algorithm instead.
    single : str, optional
        The measure of the histograms; the first by default.
    dataset : str, optional
        Only this data set. By default all, each measure counted from the mean of all algorithms on its data set.
    algorithms : sequence of str, optional
        At most eight; by default the first eight.
    top, show : int and sequence of str, optional
        The first so many and those named, in place of `algorithms`.
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
    across, down = _axes(found, x, y)
    names, notes = chosen_algorithms(found, algorithms, top, show)
    sets = sets_of(found, dataset)
    alone = found.measures[0].name if single is None else single
    xs, x_name = _values(sets, names, across, found, None)
    ys, y_name = _values(sets, names, down, found, None) if down else (None, "")
    singles, single_name = _values(sets, names, alone, found, results)
    panels = make_panels(names, xs, ys, singles, (x_name, y_name, single_name))
    kept = sets[0].caveats if dataset is not None else found.caveats
    return MeasureContours(
        panels=panels,
        x=across,
        y=down,
        single=alone,
        centred=len(sets) > 1,
        heading=heading_of(found, dataset),
        caveats=(*notes, *thinned(panels), *kept),
    )


def _axes(found: MultivariateComparison, x: str | None, y: str | None) -> tuple[str, str]:
    """What is not named is the first measure that is still free, so that naming one axis is enough."""
    names = [each.name for each in found.measures]
    for name in (x, y):
        if name is not None:
            check_choice("measure", name, names)
    across = x if x is not None else next(name for name in names if name != y or len(names) == 1)
    down = y if y is not None else next((name for name in names if name != across), "")
    if across == down:
        raise OptionError(
            f"x and y are both {across!r}.",
            why="All points would lie on one line.",
            mend="Name two measures, or look at the histograms.",
        )
    return across, down


def _values(
    sets: Sequence[SetComparison],
    names: Sequence[str],
    name: str,
    found: MultivariateComparison,
    results: Results | None,
) -> tuple[FloatArray, str]:
    """Return the values (folds, algorithms) of a measure and the words of its axis.

    With several data sets, values are counted from the mean of their data set: raw ones would show how hard the data
    sets are, not how the algorithms differ.
    """
    known = {each.name: j for j, each in enumerate(found.measures)}
    if name in known:
        better = found.measures[known[name]].higher_is_better
        tables = [(each.cube[:, :, known[name]], each.algorithms) for each in sets]
    else:
        tables, better = _from_table(sets, name, found, results)
    centred = len(sets) > 1
    parts = [
        values[:, [algorithms.index(each) for each in names]] - (values.mean() if centred else 0.0)
        for values, algorithms in tables
    ]
    side = "" if better is None else f" ({'higher' if better else 'lower'} is better)"
    return np.concatenate(parts), f"{shown(name)}{' minus the mean of its data set' if centred else ''}{side}"


def _from_table(
    sets: Sequence[SetComparison], name: str, found: MultivariateComparison, results: Results | None
) -> tuple[list[tuple[FloatArray, tuple[str, ...]]], bool | None]:
    """Take a measure that is not of the comparison from the table that the comparison was made of."""
    if results is None:
        raise OptionError(
            f"The comparison does not hold the measure {name!r}.",
            why=f"It holds {', '.join(each.name for each in found.measures)}.",
            mend=f"Give the table too: figure('contours', single={name!r}, results=results).",
        )
    table = results if name in results.values else with_measures(results, measures=[name])
    tables = []
    for each in sets:
        one = table.only(datasets=[each.dataset], algorithms=list(found.algorithms))
        values = one.cube(name)[0].reshape(len(one.algorithms), -1).T
        tables.append((values[~np.isnan(values).any(axis=1)], one.algorithms))
    return tables, table.metric(name).higher_is_better
