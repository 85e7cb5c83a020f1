"""Measure contours: one measure alone as histograms, beside two measures together with lines of equal probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak._show import Row
from tiebreak.errors import OptionError, unknown_name
from tiebreak.figures._clouds import Panels, chosen_algorithms, make_panels, sets_of
from tiebreak.figures._figure import Figure
from tiebreak.figures._metrics import shown
from tiebreak.figures._panels import lay_out, stride
from tiebreak.figures._scene import Item

if TYPE_CHECKING:
    from tiebreak._checks import FloatArray
    from tiebreak.deciding.multivariate._comparison import MultivariateComparison
    from tiebreak.deciding.multivariate._one_set import JointSet
    from tiebreak.tables import Results


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MeasureContours(Figure):
    """Measure contours as data; `centred` says whether values are counted from the mean of their data set.

    `x`, `y` and `single` are the measures of the axes and of the histograms; `y` is empty where there is one measure.
    """

    panels: Panels
    x: str
    y: str
    single: str
    centred: bool
    heading: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"Measure contours: {self.heading}"

    def rows(self) -> list[Row]:
        """Return one row per algorithm: means, standard deviations and correlation over the folds."""
        return self.panels.rows(self.x, self.y, self.single)

    def notes(self) -> list[str]:
        """Say what points and contours are."""
        return [f"{shown(self.heading)}. {reading(self.panels)}{centring(centred=self.centred)}"]

    def items(self) -> list[Item]:
        """Lay out histograms and clouds."""
        return lay_out(self.panels)


def reading(panels: Panels) -> str:
    """Say what is seen, for the notes of both figures that are made of two panels."""
    fitted = "the normal distribution fitted to each algorithm's folds"
    lines = "points on a line have an interval along it, points that do not vary have none"
    what = "Dotted lines in the histograms are means. "
    if not panels.clouds[0].ys:
        return what + f"Intervals hold half and 95% of {fitted}; values that do not vary have none."
    return what + f"Contours hold half and 95% of {fitted}; {lines}."


def centring(*, centred: bool) -> str:
    """Say that data sets were brought together by their means, where they were."""
    return " From each value the mean of all algorithms on its data set is subtracted." if centred else ""


def thinned(panels: Panels) -> list[str]:
    """Say that not every fold is a point, where there are too many."""
    step = stride(panels)
    return [f"One of {step} folds is drawn as a point; contours and histograms use all."] if step > 1 else []


def measure_contours(
    found: MultivariateComparison,
    *,
    x: str | None = None,
    y: str | None = None,
    single: str | None = None,
    dataset: str | None = None,
    algorithms: Sequence[str] | None = None,
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
    names, notes = chosen_algorithms(found, algorithms)
    sets = sets_of(found, dataset)
    alone = found.measures[0].name if single is None else single
    centred = len(sets) > 1
    columns = [_values(sets, found, names, each) for each in (across, down) if each]
    if alone in _names(found):
        third, better = _values(sets, found, names, alone), _better(found, alone)
    else:
        third, better = _from_table(sets, names, alone, found, results)
    words = [_axis_words(each, _better(found, each), centred=centred) if each else "" for each in (across, down)]
    panels = make_panels(
        names,
        columns[0],
        columns[1] if down else None,
        third,
        (words[0], words[1], _axis_words(alone, better, centred=centred)),
    )
    kept = sets[0].caveats if dataset is not None else found.caveats
    return MeasureContours(
        panels=panels,
        x=across,
        y=down,
        single=alone,
        centred=centred,
        heading=heading_of(found, dataset),
        caveats=(*notes, *thinned(panels), *kept),
    )


def heading_of(found: MultivariateComparison, dataset: str | None) -> str:
    """Return the title of the comparison, with the one data set that is drawn."""
    if dataset is None or len(found.sets) == 1:
        return found.title()
    return f"{found.title()}; data set {dataset!r} alone"


def _names(found: MultivariateComparison) -> tuple[str, ...]:
    return tuple(each.name for each in found.measures)


def _axes(found: MultivariateComparison, x: str | None, y: str | None) -> tuple[str, str]:
    names = _names(found)
    for name in (x, y):
        if name is not None and name not in names:
            raise unknown_name("measure", name, names)
    across = x if x is not None else next(name for name in names if name != y or len(names) == 1)
    down = y if y is not None else next((name for name in names if name != across), "")
    if across == down:
        raise OptionError(
            f"x and y are both {across!r}.",
            why="All points would lie on one line.",
            mend="Name two measures, or look at the histograms.",
        )
    return across, down


def _better(found: MultivariateComparison, name: str) -> bool | None:
    return next(each.higher_is_better for each in found.measures if each.name == name)


def _axis_words(name: str, better: bool | None, *, centred: bool) -> str:
    side = "" if better is None else f" ({'higher' if better else 'lower'} is better)"
    return f"{shown(name)}{' minus the mean of its data set' if centred else ''}{side}"


def _values(sets: Sequence[JointSet], found: MultivariateComparison, names: Sequence[str], name: str) -> FloatArray:
    """Return the values (folds, algorithms) of a measure, centred by data set where there are several."""
    import numpy as np

    place = _names(found).index(name)
    parts = []
    for each in sets:
        values = each.cube[:, :, place]
        centre = values.mean() if len(sets) > 1 else 0.0
        parts.append(values[:, [each.algorithms.index(algorithm) for algorithm in names]] - centre)
    return np.concatenate(parts)


def _from_table(
    sets: Sequence[JointSet],
    names: Sequence[str],
    name: str,
    found: MultivariateComparison,
    results: Results | None,
) -> tuple[FloatArray, bool | None]:
    """Take a measure that is not of the comparison from the table that the comparison was made of."""
    import numpy as np

    from tiebreak.tables import with_measures

    if results is None:
        raise OptionError(
            f"The comparison does not hold the measure {name!r}.",
            why=f"It holds {', '.join(_names(found))}.",
            mend=f"Give the table too: figure('contours', single={name!r}, results=results).",
        )
    table = results if name in results.values else with_measures(results, measures=[name])
    parts = []
    for each in sets:
        one = table.only(datasets=[each.dataset], algorithms=list(found.algorithms))
        values = one.cube(name)[0].reshape(len(one.algorithms), -1).T
        values = values[~np.isnan(values).any(axis=1)]
        centre = values.mean() if len(sets) > 1 else 0.0
        parts.append(values[:, [one.algorithms.index(algorithm) for algorithm in names]] - centre)
    return np.concatenate(parts), table.metric(name).higher_is_better
