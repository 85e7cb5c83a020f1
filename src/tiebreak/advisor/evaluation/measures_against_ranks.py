"""What the measures of a data set say about its ranking: the data of two plots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_choice, check_names
from tiebreak.advisor.evaluation.rank_agreement import spearman
from tiebreak.advisor.rankings.measured import row_means
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.results import frozen, rows_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AttributeAgainstRank(Shown):
    """One measure of the data sets against the rank of one algorithm: points, and means in bins of equal counts."""

    attribute: str
    algorithm: str
    values: FloatArray
    ranks: FloatArray
    datasets: tuple[str, ...]
    bin_values: FloatArray
    bin_ranks: FloatArray
    bin_counts: IntArray
    correlation: float
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what is shown."""
        return (
            f"Rank of {self.algorithm} against {self.attribute} on {len(self.values)} data sets (Spearman"
            f" {self.correlation:.3f})"
        )

    def rows(self) -> list[Row]:
        """Return one row per bin."""
        means = {f"mean {self.attribute}": self.bin_values, "mean rank": self.bin_ranks}
        return rows_of(**(means | {"datasets": self.bin_counts}))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CharacteristicsByBest(Shown):
    """Standardised measures of the data sets on which each algorithm is best; arrays are (algorithms, measures).

    `kind` is what is best: an algorithm, or a ranking method, which then stand for the algorithms.
    """

    algorithms: tuple[str, ...]
    measures: tuple[str, ...]
    means: FloatArray
    standard_errors: FloatArray
    counts: IntArray
    kind: str = "algorithm"
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what is shown."""
        return f"Mean standardised measures of the data sets on which each {self.kind} is best"

    def rows(self) -> list[Row]:
        """Return one row per algorithm, or per ranking method."""
        counts = self.counts.max(axis=1, initial=0)
        return rows_of(best=self.algorithms, datasets=counts, **dict(zip(self.measures, self.means.T, strict=True)))


@as_came_in
def attribute_against_rank(
    values: npt.ArrayLike,
    ranks: npt.ArrayLike,
    *,
    algorithm: str,
    attribute: str = "attribute",
    algorithms: Sequence[str],
    datasets: Sequence[str] | None = None,
    bins: int = 8,
) -> AttributeAgainstRank:
    """Set a measure of the data sets against the rank of an algorithm on them.

    Parameters
    ----------
    values : array_like, shape (data sets,)
        The measure; data sets where it is NaN are left out, with a caveat.
    ranks : array_like, shape (data sets, algorithms) or (data sets, folds, algorithms)
        Of `ideal_rankings`; folds are averaged.
    algorithm : str
    attribute : str
        The name of the measure.
    algorithms, datasets : sequence of str
    bins : int, default 8
        Of equal numbers of data sets, as far as that goes: data sets with one value share a bin.

    Returns
    -------
    AttributeAgainstRank

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> shown = attribute_against_rank([1, 2, 3, 4], [[1, 2], [1, 2], [2, 1], [2, 1]], algorithm="a",
    ...                                algorithms=["a", "b"], bins=2)
    >>> shown.bin_values, shown.bin_ranks
    (array([1.5, 3.5]), array([1., 2.]))
    """
    x, table, names = _checked(values, ranks, algorithms)
    sets = check_names(datasets, len(table), kind="data set")
    check_choice("algorithm", algorithm, names)
    _check_length(x, len(table), attribute)
    y = table[:, names.index(algorithm)]
    there = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    order = there[np.argsort(x[there], kind="stable")]
    parts = _bins(order, x[order], max(1, min(bins, len(order))))
    lost = len(x) - len(there)
    note = f"{lost} data set(s) have no value of {attribute} or no rank and are left out."
    return AttributeAgainstRank(
        attribute=attribute,
        algorithm=algorithm,
        **frozen(values=x[there], ranks=y[there], bin_counts=np.array([len(part) for part in parts], dtype=np.int64)),
        **frozen(bin_values=_means(x, parts), bin_ranks=_means(y, parts)),
        datasets=tuple(sets[i] for i in there),
        correlation=float(spearman(x[there], y[there], tie_correction=True)) if len(there) > 1 else float("nan"),
        caveats=caveats_of((lost, "datasets-left-out", note)),
    )


@as_came_in
def characteristics_by_best(
    values: npt.ArrayLike,
    ranks: npt.ArrayLike,
    *,
    measures: Sequence[str],
    algorithms: Sequence[str],
) -> CharacteristicsByBest:
    """Average the standardised measures of the data sets on which each algorithm is best.

    Formula: each measure less its mean over its standard deviation over the data sets (0 where it is constant), then
    the mean over the data sets where the algorithm has the lowest rank, shared firsts counting for each.

    Parameters
    ----------
    values : array_like, shape (data sets, measures)
        NaN where a measure does not apply.
    ranks : array_like, shape (data sets, algorithms) or (data sets, folds, algorithms)
    measures, algorithms : sequence of str

    Returns
    -------
    CharacteristicsByBest
        NaN for an algorithm that is best nowhere.

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> shown = characteristics_by_best([[1.0], [3.0]], [[1, 2], [2, 1]], measures=["size"], algorithms=["a", "b"])
    >>> shown.means.ravel()
    array([-1.,  1.])
    """
    x, table, names = _checked(values, ranks, algorithms)
    _check_length(x, len(table), "values")
    kinds = check_names(measures, x.shape[-1], kind="measure")
    z = _standardised(x)
    first = table <= np.nanmin(np.where(np.isnan(table), np.inf, table), axis=1, keepdims=True)
    groups = [z[first[:, j]] for j in range(len(names))]
    counts = np.array([np.isfinite(group).sum(axis=0) for group in groups], dtype=np.int64)
    means = np.array([row_means(group.T) for group in groups])
    spread = np.array([row_means(((group - mean) ** 2).T) for group, mean in zip(groups, means, strict=True)])
    errors = np.sqrt(np.divide(spread, counts - 1, out=np.full(spread.shape, np.nan), where=counts > 1))
    absent = [name for j, name in enumerate(names) if not first[:, j].any()]
    return CharacteristicsByBest(
        algorithms=names,
        measures=kinds,
        **frozen(means=means, standard_errors=errors, counts=counts),
        caveats=caveats_of((absent, "algorithms-left-out", f"Best on no data set: {', '.join(absent)}.")),
    )


@as_came_in
def characteristics_by_ranking_method(
    values: npt.ArrayLike, agreement: npt.ArrayLike, *, measures: Sequence[str], methods: Sequence[str]
) -> CharacteristicsByBest:
    """Average the standardised measures of the data sets on which each ranking method agrees best with the truth.

    It asks for which data neighbours are worth having: whether the data sets on which one neighbour, five or all data
    gave the best ranking are of a kind.

    Hypothesis: none; this describes, and tests nothing.

    Formula: as `characteristics_by_best`, with the highest mean agreement over the folds in the place of the lowest
    rank; shared firsts count for each.

    Assumptions: measures and agreement are of the same data sets, in the same order.
    When not to use it: to conclude anything from groups of a few data sets; their means lie far off by chance.

    Parameters
    ----------
    values : array_like, shape (data sets, measures)
        NaN where a measure does not apply.
    agreement : array_like, shape (methods, data sets) or (methods, data sets, folds)
        Such as `Evaluation.spearman`; folds are averaged. A data set without any agreement belongs to no method.
    measures, methods : sequence of str

    Returns
    -------
    CharacteristicsByBest
        NaN for a method that is best nowhere.

    References
    ----------
    brazdil2003, Figure 3

    Examples
    --------
    >>> shown = characteristics_by_ranking_method([[1.0], [3.0]], [[0.9, 0.1], [0.2, 0.4]], measures=["size"],
    ...                                           methods=["5 neighbours", "all data"])
    >>> shown.means.ravel(), shown.title()
    (array([-1.,  1.]), 'Mean standardised measures of the data sets on which each ranking method is best')
    """
    told = as_floats(agreement, what="agreement")
    names = check_names(methods, len(told), kind="ranking method")
    means = row_means(told) if told.ndim == 3 else told
    found = characteristics_by_best(values, -means.T, measures=measures, algorithms=names)
    absent = [name for j, name in enumerate(names) if not found.counts[j].any()]
    text = f"Best on no data set: {', '.join(absent)}."
    return replace(found, kind="ranking method", caveats=caveats_of((absent, "algorithms-left-out", text)))


def _checked(
    values: npt.ArrayLike, ranks: npt.ArrayLike, algorithms: Sequence[str]
) -> tuple[FloatArray, FloatArray, tuple[str, ...]]:
    """Return values, ranks averaged over folds, and the names of the algorithms."""
    x, table = as_floats(values, what="values"), as_floats(ranks, what="ranks")
    table = row_means(np.moveaxis(table, 1, 2)) if table.ndim == 3 else table
    return x, table, check_names(algorithms, table.shape[-1], kind="algorithm")


def _means(values: FloatArray, parts: Iterable[IntArray]) -> FloatArray:
    return np.array([float(values[part].mean()) for part in parts])


def _standardised(x: FloatArray) -> FloatArray:
    """A measure that is the same everywhere becomes 0, not NaN: it is known and tells nothing."""
    rest = x - row_means(x.T)
    spread = np.sqrt(row_means((rest**2).T))
    return np.asarray(np.divide(rest, spread, out=np.where(np.isnan(rest), np.nan, 0.0), where=spread > 0))


def _bins(order: npt.NDArray[np.intp], values: FloatArray, bins: int) -> list[npt.NDArray[np.intp]]:
    """Cut data sets in the order of their values into bins, never between equal values."""
    sizes = np.array([len(part) for part in np.array_split(order, bins) if len(part)], dtype=np.int64)
    ends = np.unique(np.searchsorted(values, values[np.cumsum(sizes) - 1], side="right"))
    return np.split(order, ends[:-1]) if len(order) else []


def _check_length(x: FloatArray, count: int, what: str) -> None:
    if x.ndim == 0 or len(x) != count:
        raise InputError(
            f"{what} has shape {x.shape} for {count} data sets.",
            why="Every data set has its own value.",
            mend="Pass one value per data set, NaN where it does not apply.",
        )
