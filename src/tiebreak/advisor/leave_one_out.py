"""Every known data set left out in turn: the ranking from its neighbours beside the ideal one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, as_floats, check_choice, check_names
from tiebreak.advisor.agreement import (
    RankerComparison,
    compare_blocks,
    ideal_rankings,
    spearman,
)
from tiebreak.advisor.rankings import RANKING_METHODS, scorer
from tiebreak.advisor.rankings.ranking import row_means
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, Shown, as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.results import frozen, rows_of

ALL, RANDOM = "all data", "random"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Evaluation(Shown):
    """How well recommendations agree with the ideal rankings; arrays are (methods, data sets, folds).

    `recommended` holds the scores from which each method ranked, (methods, data sets, algorithms), higher the better.
    """

    methods: tuple[str, ...]
    spearman: FloatArray
    recommended: FloatArray
    ideal: FloatArray
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    ranked_by: str
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was evaluated."""
        folds = self.ideal.shape[1]
        return (
            f"Recommended rankings of {len(self.algorithms)} algorithms ({self.ranked_by}) against the ideal ones on"
            f" {len(self.datasets)} data sets x {folds} fold(s)"
        )

    def rows(self) -> list[Row]:
        """Return one row per method: mean coefficients, and on how many data sets it is better and worse than all."""
        per_set = row_means(self.spearman)
        base = per_set[self.methods.index(ALL)] if ALL in self.methods else per_set[0]
        columns = {
            "method": self.methods,
            "mean spearman": row_means(per_set),
            "better": (per_set > base + 1e-12).sum(axis=1),
            "worse": (per_set < base - 1e-12).sum(axis=1),
        }
        return rows_of(**columns)

    def by_method(self) -> dict[str, FloatArray]:
        """Return the recommended scores of every method, as `top_n` takes them."""
        return dict(zip(self.methods, self.recommended, strict=True))

    @as_came_in
    def compare(self, *, unit: str = "folds", alpha: float = 0.25) -> RankerComparison:
        """Compare the methods by Friedman's test and Dunn's; `unit` is one block per fold or per data set."""
        check_choice("unit", unit, ("folds", "datasets"))
        return compare_blocks(self.blocks(unit), self.methods, alpha=alpha)

    def blocks(self, unit: str) -> FloatArray:
        """Return Spearman's coefficients (methods, data sets, folds), or their means over folds."""
        return self.spearman if unit == "folds" else row_means(self.spearman)[:, :, None]


def neighbour_weights(
    distances: npt.ArrayLike,
    *,
    k: int | None = 5,
    origins: Sequence[str] | None = None,
) -> FloatArray:
    """Return for every data set the weights of the others from which a ranking is recommended to it.

    Formula: the k nearest count alike, all others nothing, nor data sets of the same origin. Rows sum to 1.
    Data sets as far as the k-th are all taken, so that no order of rows decides.

    Parameters
    ----------
    distances : array_like, shape (data sets, data sets)
        distances[i, j] from the data set that is left out to another; infinity or NaN for one never to be used.
    k : int or None, default 5
        None takes all.
    origins : sequence of str, optional
        One label per data set.

    Returns
    -------
    ndarray, shape (data sets, data sets)

    Examples
    --------
    >>> neighbour_weights([[0, 1, 2], [1, 0, 3], [2, 3, 0]], k=1)
    array([[0., 1., 0.],
           [1., 0., 0.],
           [1., 0., 0.]])
    """
    if k is not None and (isinstance(k, bool) or k < 1):
        raise OptionError(f"k is {k!r}.", why="It counts neighbours.", mend="Use k=5, or k=None for all data sets.")
    table = _distance_table(distances)
    table = np.where(_same_origin(origins, len(table)), np.inf, np.where(np.isnan(table), np.inf, table))
    usable = np.isfinite(table)
    if not usable.any(axis=1).all():
        raise InputError(
            f"Data set {int(np.flatnonzero(~usable.any(axis=1))[0])} (counted from 0) has no other to learn from.",
            why="All other data sets share its origin or have an unknown distance.",
            mend="Add data sets of other origins.",
        )
    reach = min(k or len(table), len(table))
    limit = np.sort(table, axis=1)[:, reach - 1 : reach]
    chosen = usable & (table <= limit * (1 + 1e-12))
    return np.asarray(chosen / chosen.sum(axis=1, keepdims=True))


@as_came_in
def leave_one_out(
    accuracy: npt.ArrayLike,
    time: npt.ArrayLike | None = None,
    *,
    distances: npt.ArrayLike,
    k: Sequence[int] = (1, 5),
    by: str = "arr",
    accd: float = 0.01,
    origins: Sequence[str] | None = None,
    seed: int = 0,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Evaluation:
    """Leave each data set out, recommend a ranking from the others, and compare it with its ideal rankings.

    Formula: for each k the ranking on the k nearest data sets, beside that on all data (the default ranking) and a
    random one; the score is Spearman's coefficient with the order of every fold. The ideal order is that of ARR or
    A3R where the ranking is, of the success rate otherwise.

    Assumptions: data sets that share an origin are left out together; say which with `origins`.
    When not to use it: to choose k or the measures and to report the score of the choice; that is optimistic.

    Parameters
    ----------
    accuracy, time : array_like
        As in `rank_by_arr`, with folds where they are known.
    distances : array_like
        As in `neighbour_weights`.
    k : sequence of int, default (1, 5)
    by : str, default "arr"
        A method of `RANKING_METHODS`.
    accd
        As in `rank_by_arr`.
    origins
        As in `neighbour_weights`.
    seed : int, default 0
        Of the random rankings.
    algorithms, datasets : sequence of str, optional

    Returns
    -------
    Evaluation

    References
    ----------
    brazdil2003

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(size=40)
    >>> success = 0.6 + np.outer(x, [0.1, 0.2, 0.3]) + np.outer(1 - x, [0.3, 0.2, 0.1])
    >>> result = leave_one_out(success, distances=np.abs(x[:, None] - x), by="srr")
    >>> [round(row["mean spearman"], 2) for row in result.rows()]
    [0.95, 1.0, 0.2, -0.07]
    """
    given: dict[str, Any] = {"accd": accd, "algorithms": algorithms, "datasets": datasets}
    score = scorer(by, accuracy, time, **given)
    count, m = np.shape(accuracy)[:2]
    ideal = ideal_rankings(accuracy, time, by=RANKING_METHODS[by].yardstick, **given)
    table = _distance_table(distances)
    recommended = {
        f"{size} neighbour{'s' if size > 1 else ''}": score(neighbour_weights(table, k=size, origins=origins))
        for size in k
    }
    recommended[ALL] = score(neighbour_weights(table, k=None, origins=origins))
    recommended[RANDOM] = np.random.default_rng(seed).permuted(np.tile(np.arange(float(m)), (count, 1)), axis=1)
    return evaluate(recommended, ideal, ranked_by=by, algorithms=algorithms, datasets=datasets, caveats=score.caveats)


@as_came_in
def evaluate(
    recommended: Mapping[str, FloatArray],
    ideal: FloatArray,
    *,
    ranked_by: str = "given",
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    caveats: Caveats = (),
) -> Evaluation:
    """Compare recommended scores (data sets, algorithms), higher the better, with ideal ranks per fold."""
    scores = np.array([recommended[name] for name in recommended])
    agreed = spearman(-scores[:, :, None, :], ideal[None])
    unknown = int(np.isnan(agreed).any(axis=(0, 2)).sum())
    note = f"{unknown} data set(s) or folds of theirs leave fewer than two ranked algorithms; left out of the means."
    return Evaluation(
        methods=tuple(recommended),
        **frozen(spearman=agreed, recommended=scores, ideal=ideal),
        datasets=check_names(datasets, ideal.shape[0], kind="data set"),
        algorithms=check_names(algorithms, ideal.shape[2], kind="algorithm"),
        ranked_by=ranked_by,
        caveats=caveats + caveats_of((unknown, "datasets-left-out", note)),
    )


def _distance_table(distances: npt.ArrayLike) -> FloatArray:
    table = as_floats(distances, what="distances")
    if table.ndim != 2 or table.shape[0] != table.shape[1] or len(table) < 2:
        raise InputError(
            f"distances has shape {table.shape}.",
            why="The distance of every data set to every other is needed.",
            mend="Pass a square array in the order of the data sets.",
        )
    if (table < 0).any():
        raise InputError("A distance is negative.", why="The nearest would be unknown.", mend="Pass distances.")
    return table


def _same_origin(origins: Sequence[str] | None, count: int) -> npt.NDArray[np.bool_]:
    """Return who must not learn from whom; without origins only a data set from itself."""
    if origins is None:
        return np.eye(count, dtype=bool)
    labels = np.array([str(label) for label in origins])
    if len(labels) != count:
        raise InputError(
            f"{len(labels)} origins for {count} data sets.",
            why="Data sets of one origin are left out together.",
            mend="Pass one label per data set.",
        )
    return np.asarray(labels[:, None] == labels[None, :])
