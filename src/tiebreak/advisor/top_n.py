"""Running the first N of a ranking, rankings without their ties, and meta-attributes beside the ranks of algorithms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, check_choice, check_names
from tiebreak.advisor.agreement import spearman
from tiebreak.advisor.leave_one_out import Evaluation, leave_one_out, neighbour_weights
from tiebreak.advisor.rankings import scorer
from tiebreak.advisor.rankings.by_tests import significant_wins
from tiebreak.advisor.rankings.ranking import fold_cube, measured, row_means
from tiebreak.caveats import Caveats, caveats_of, distinct
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.results import frozen, rows_of

SINGLE = "single best on average"
SINGLE_BEST = ("accuracy", "mean-rank")
"""By what the single best on average is the best on the other data sets."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TopN(Shown):
    """Accuracy lost and time spent by running the first N algorithms; arrays are (methods, data sets, N).

    `loss` is the best success rate of the data set less that of the algorithm kept; `time` is in the unit given,
    `share` the part of the time of running all. The last N runs all, whatever the method.
    """

    methods: tuple[str, ...]
    loss: FloatArray
    time: FloatArray
    share: FloatArray
    datasets: tuple[str, ...]
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return (
            f"Loss of accuracy and share of time of the first N algorithms, means over {len(self.datasets)} data sets"
        )

    def rows(self) -> list[Row]:
        """Return one row per method and N, means over data sets; the single best on average has N = 1 only."""
        ends = [1 if name == SINGLE else self.loss.shape[2] for name in self.methods]
        places = [(i, n) for i, end in enumerate(ends) for n in range(end)]
        loss, time, share = ([part[i, :, n] for i, n in places] for part in (self.loss, self.time, self.share))
        columns: dict[str, list[Any]] = {
            "method": [self.methods[i] for i, _ in places],
            "n": [n + 1 for _, n in places],
            "mean loss": [float(row_means(each)) for each in loss],
            "worst loss": [float(np.nanmax(each)) for each in loss],
            "mean time": [float(row_means(each)) for each in time],
            "mean share of time": [float(row_means(each)) for each in share],
        }
        return rows_of(**columns)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AccdCurve(Shown):
    """Agreement and top-N trade-off of the recommended rankings for several values of AccD."""

    accds: tuple[float, ...]
    evaluations: tuple[Evaluation, ...]
    tops: tuple[TopN, ...]
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"Recommended rankings for {len(self.accds)} values of AccD"

    def rows(self) -> list[Row]:
        """Return one row per AccD and method: agreement, and loss and time of the first algorithm."""
        out: list[Row] = []
        for accd, found, top in zip(self.accds, self.evaluations, self.tops, strict=True):
            first = {row["method"]: row for row in top.rows() if row["n"] == 1}
            for row in found.rows():
                spent = {name: first[row["method"]][name] for name in ("mean loss", "mean share of time")}
                out.append({"accd": accd, "method": row["method"], "mean spearman": row["mean spearman"], **spent})
        return out


@as_came_in
def top_n(
    recommended: Mapping[str, npt.ArrayLike],
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike,
    *,
    validation: npt.ArrayLike | None = None,
    origins: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    single_best: str = "accuracy",
    training: npt.ArrayLike | None = None,
) -> TopN:
    """Run the first N of each recommended ranking, keep the best of them, and count what is lost and what it takes.

    Formula: on each data set, loss(N) = max over all algorithms of SR - SR of the one kept among the first N; time(N)
    the sum of their times. N = m is cross-validating all. "single best on average" is the algorithm with the best
    mean success rate on the other data sets (those of other origins), as in the source, run alone. Where results are
    missing, every two algorithms are compared on the data sets where both were measured.

    Assumptions: the one kept is the best by `validation`; without it by the success rates themselves, which makes
    every loss optimistic and that of running all 0.
    When not to use it: where algorithms can be stopped early; then time is not a sum. Where success rates are on
    different scales, their mean says nothing: use `single_best="mean-rank"`.

    Parameters
    ----------
    recommended : mapping from method to array_like, shape (data sets, algorithms)
        Scores, higher the better, as in `Evaluation.recommended`. Algorithms without a score come last. Those without
        a result on the data set are skipped.
    accuracy, time : array_like, shape (data sets, algorithms) or (data sets, algorithms, folds)
    validation : array_like, same shapes, optional
        Success rates on other folds than those of `accuracy`, by which the best is kept.
    origins, datasets : sequence of str, optional
    single_best : {"accuracy", "mean-rank"}
        By what the single best is chosen.
    training : array_like, same shapes, optional
        The success rates it is chosen by, such as those of all folds; by default `accuracy`.

    Returns
    -------
    TopN

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> found = top_n({"5 neighbours": [[3, 2, 1], [1, 3, 2]]}, [[0.8, 0.9, 0.7], [0.7, 0.8, 0.9]], [[1, 2, 3]] * 2)
    >>> found.loss[0].round(2)
    array([[0.1, 0. , 0. ],
           [0.1, 0. , 0. ]])
    >>> found.share[0].round(2)
    array([[0.17, 0.5 , 1.  ],
           [0.33, 0.83, 1.  ]])
    """
    table = measured(accuracy, time, datasets=datasets)
    seconds = table.time if table.time is not None else np.empty(0)
    chosen_by = table.success if validation is None else row_means(fold_cube(validation, "validation"))
    there = table.mask & np.isfinite(chosen_by)
    if not there.any(axis=1).all():
        raise InputError(
            f"Data set {table.datasets[int(np.flatnonzero(~there.any(axis=1))[0])]!r} has no result with its time.",
            why="Nothing can be run and kept on it.",
            mend="Leave that data set out.",
        )
    orders = {name: _order(np.asarray(scores, dtype=np.float64), there) for name, scores in recommended.items()}
    if len(there) > 1:
        weights = neighbour_weights(np.ones((len(there), len(there))), k=None, origins=origins)
        known = table.success if training is None else row_means(fold_cube(training, "training"))
        orders[SINGLE] = _order(_averages(known, weights, single_best), there)
    curves = [_curve(order, table.success, seconds, chosen_by, there) for order in orders.values()]
    spent = np.array([time for _, time in curves])
    note = "The best of the first N is kept by the success rates that are reported, so losses are optimistic."
    return TopN(
        methods=tuple(orders),
        **frozen(loss=np.array([loss for loss, _ in curves]), time=spent, share=spent / spent[:, :, -1:]),
        datasets=table.datasets,
        caveats=table.caveats + caveats_of((validation is None, "optimistic", note)),
    )


@as_came_in
def over_accd(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike,
    *,
    accds: Sequence[float] = (0.001, 0.01, 0.1),
    k: Sequence[int] = (5,),
    origins: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    single_best: str = "accuracy",
    **options: Any,
) -> AccdCurve:
    """Leave one out for several values of AccD: agreement with the ideal ranking, and what its first places cost.

    Parameters
    ----------
    accuracy, time, k, origins, datasets, **options
        As in `leave_one_out`; `distances` must be given.
    accds : sequence of float, default (0.001, 0.01, 0.1)
        Those of the source.
    single_best : {"accuracy", "mean-rank"}
        As in `top_n`.

    Returns
    -------
    AccdCurve

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> curve = over_accd(rng.uniform(0.5, 1, (9, 3)), rng.uniform(1, 9, (9, 3)), distances=1 - np.eye(9), k=(2,))
    >>> len(curve.rows())
    9
    """
    names = check_names(datasets, np.shape(accuracy)[0], kind="data set")
    given: dict[str, Any] = {"origins": origins, "datasets": names}
    found = [leave_one_out(accuracy, time, k=k, accd=accd, **given, **options) for accd in accds]
    tops = [top_n(each.by_method(), accuracy, time, single_best=single_best, **given) for each in found]
    parts: list[Evaluation | TopN] = [*found, *tops]
    caveats = distinct(note for part in parts for note in part.caveats)
    return AccdCurve(accds=tuple(map(float, accds)), evaluations=tuple(found), tops=tuple(tops), caveats=caveats)


def _averages(success: FloatArray, weights: FloatArray, rule: str) -> FloatArray:
    """Score every algorithm by what it achieved on other data sets, (weightings, algorithms).

    The mean difference from each other algorithm where both were measured, averaged over these: without gaps that is
    the mean success rate less a constant, and with gaps nobody gains by having been run on easy data sets alone.
    """
    if check_choice("rule for the single best", rule, SINGLE_BEST) == "mean-rank":
        return scorer("mean-rank", success)(weights)
    there = np.isfinite(success)
    rates, seen = np.where(there, success, 0.0), there.astype(np.float64)
    out = np.empty((len(weights), success.shape[1]))
    for place, row in enumerate(weights):
        own, both = (row[:, None] * rates).T @ seen, (row[:, None] * seen).T @ seen
        np.fill_diagonal(both, 0.0)
        mean = np.divide(own - own.T, both, out=np.zeros_like(own), where=both > 0)
        partners = (both > 0).sum(axis=1)
        out[place] = np.divide(mean.sum(axis=1), partners, out=np.full(len(own), np.nan), where=partners > 0)
    return out


def _order(scores: FloatArray, there: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Order algorithms: measured and scored first, by falling score; ties by column."""
    if scores.shape != there.shape:
        raise InputError(
            f"A recommended ranking has shape {scores.shape} for results of shape {there.shape}.",
            why="Every data set needs a score for every algorithm.",
            mend="Pass an array (data sets, algorithms).",
        )
    losses = np.where(np.isnan(scores), np.finfo(np.float64).max, -scores)
    return np.argsort(np.where(there, losses, np.inf), axis=1, kind="stable")


def _curve(
    order: npt.NDArray[np.intp],
    success: FloatArray,
    seconds: FloatArray,
    chosen_by: FloatArray,
    there: npt.NDArray[np.bool_],
) -> tuple[FloatArray, FloatArray]:
    """Return loss and time for N = 1..m; what was not measured adds nothing to either."""
    ran = np.take_along_axis(there, order, axis=1)
    guess = np.where(ran, np.take_along_axis(np.where(there, chosen_by, 0.0), order, axis=1), -np.inf)
    true = np.take_along_axis(np.where(there, success, -np.inf), order, axis=1)
    fresh = np.ones(guess.shape, dtype=bool)
    fresh[:, 1:] = guess[:, 1:] > np.maximum.accumulate(guess, axis=1)[:, :-1]  # a tie keeps the earlier one
    kept = np.maximum.accumulate(np.where(fresh, np.arange(guess.shape[1]), 0), axis=1)
    spent = np.cumsum(np.where(ran, np.take_along_axis(np.where(there, seconds, 0.0), order, axis=1), 0.0), axis=1)
    return true.max(axis=1, keepdims=True) - np.take_along_axis(true, kept, axis=1), spent


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Reduction(Shown):
    """A ranking without its redundant algorithms; `because` names for each dropped one the kept one that covers it."""

    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    because: tuple[str, ...]
    rule: str
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was dropped."""
        return f"{len(self.kept)} of {len(self.kept) + len(self.dropped)} algorithms kept; dropped: {self.rule}"

    def rows(self) -> list[Row]:
        """Return the kept ones in their order, then the dropped ones with the reason."""
        kept = ["yes"] * len(self.kept) + ["no"] * len(self.dropped)
        because = (*["-"] * len(self.kept), *self.because)
        return rows_of(**{"algorithm": (*self.kept, *self.dropped), "kept": kept, "covered by": because})


@as_came_in
def reduce_ranking(
    ranking: Sequence[str],
    accuracy: npt.ArrayLike,
    *,
    algorithms: Sequence[str],
    margin: float | None = None,
    test: str | None = None,
    alpha: float = 0.05,
) -> Reduction:
    """Drop from a ranking the algorithms that are redundant after those before them.

    Hypothesis: on each data set, that two algorithms have the same expected success rate (with folds).

    Formula: from the top, an algorithm is dropped if for one that was kept before it there is no data set on which
    both were measured and it is significantly better; without folds, or with `margin`, better by more than the margin
    times the other's success rate. An algorithm that shares no data set with any kept one is kept.

    Assumptions: those of the test. The p-values are not corrected for their number: doubt keeps an algorithm.
    When not to use it: on few data sets, where a rarely needed algorithm has had no chance to show itself.

    Parameters
    ----------
    ranking : sequence of str
        Names, best first.
    accuracy : array_like, shape (data sets, algorithms), (..., folds) or (..., replications, folds)
    algorithms : sequence of str
        The names of the columns.
    margin : float, optional
        0.01 by default where there are no folds.
    test, alpha
        As in `rank_by_wins`.

    Returns
    -------
    Reduction

    References
    ----------
    brazdil2001
    The idea is theirs; the rule is the one above.

    Examples
    --------
    >>> success = [[0.90, 0.89, 0.50], [0.80, 0.80, 0.95]]
    >>> found = reduce_ranking(["a", "b", "c"], success, algorithms=["a", "b", "c"])
    >>> found.kept, found.dropped, found.because
    (('a', 'c'), ('b',), ('a',))
    """
    cube = fold_cube(accuracy, "accuracy")
    names = check_names(algorithms, cube.shape[1], kind="algorithm")
    order = [names.index(check_choice("algorithm (in the ranking)", name, names)) for name in ranking]
    if cube.shape[2] > 1 and margin is None:
        better, both, used = _by_test(accuracy, test, alpha)
        rule = f"never significantly better than a kept one ({' or '.join(used)})"
    else:
        limit = _check_margin(0.01 if margin is None else margin)
        better, both = _by_margin(cube, limit)
        rule = f"never better than a kept one by more than {100 * limit:g} %"
    return _reduced(order, better, both, names, rule)


def _by_test(accuracy: npt.ArrayLike, test: str | None, alpha: float) -> tuple[BoolArray, BoolArray, tuple[str, ...]]:
    """Return who is ever significantly better than whom, and who was ever measured beside whom."""
    table = measured(accuracy, whole=True)
    wins, tests, _ = significant_wins(table, test=test, alpha=alpha)
    both = table.mask[:, :, None] & table.mask[:, None, :]
    return np.asarray(wins.any(axis=0)), np.asarray(both.any(axis=0)), tests


def _by_margin(cube: npt.NDArray[np.float64], margin: float) -> tuple[BoolArray, BoolArray]:
    """The same by a relative margin, for scores without folds."""
    means = row_means(cube)
    ahead = means[:, :, None] > means[:, None, :] + margin * np.abs(means[:, None, :])  # NaN is never ahead
    both = np.isfinite(means[:, :, None]) & np.isfinite(means[:, None, :])
    return np.asarray(ahead.any(axis=0)), np.asarray(both.any(axis=0))


def _reduced(order: list[int], better: BoolArray, both: BoolArray, names: tuple[str, ...], rule: str) -> Reduction:
    """Go down the ranking; the first kept algorithm that covers another is the reason to drop it."""
    kept: list[int] = []
    dropped: dict[str, str] = {}
    for j in order:
        cover = next((i for i in kept if both[j, i] and not better[j, i]), None)
        if cover is None:
            kept.append(j)
        else:
            dropped[names[j]] = names[cover]
    return Reduction(
        kept=tuple(names[j] for j in kept), dropped=tuple(dropped), because=tuple(dropped.values()), rule=rule
    )


def _check_margin(margin: float) -> float:
    if not 0 <= margin < float("inf"):
        raise OptionError(
            f"margin is {margin!r}.",
            why="It is the relative difference of success rates that matters, zero or more.",
            mend="Use margin=0.01 for one per cent.",
        )
    return float(margin)


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
