"""Two algorithms from fold scores: k-fold t, corrected resampled t, 5x2 cv F and t; which fits, and all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import (
    FloatArray,
    IntArray,
    as_floats,
    check_choice,
    check_finite,
    check_names,
    check_shape,
    check_within,
    readonly,
    wrong_shape,
)
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import Row, as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.numeric.basics import (
    NOISE,
    Kernel,
    Outcome,
    check_count,
    check_squares,
    every_pair,
    exact_sum,
    floor_pvalue,
    mean_outcome,
    ratio,
    rescaled,
    squared_length,
    t_two_sided,
)
from tiebreak.stats.results import OverDatasets, Told, counted_note, pair_indices, rows_of
from tiebreak.wording import option

FIVE_BY_TWO = (5, 2)


def fitting_test(replications: int, folds: int) -> str | None:
    """Name the test of two algorithms that fits the folds of one data set.

    Hypothesis: none is tested here; that of the named test is that two algorithms have the same expected score.

    Formula: five replications of two folds, the 5x2 cv F test ("5x2cv-f"); any other folds, once or repeated, and
    repeated hold-out (one fold in each replication), the corrected resampled t test ("corrected-t"); one score, None.

    Assumptions: those of the named test, `five_by_two_f` or `corrected_resampled_t`.
    When not to use it: where the splits are of another kind, such as a test part that stays the same; then no test of
    the folds speaks of new training data.

    Parameters
    ----------
    replications : int
        How often the data set was split anew.
    folds : int
        In each replication; 1 for hold-out, whose share of the examples in the test part a test must be told.

    Returns
    -------
    str or None

    References
    ----------
    alpaydin1999
    nadeau2003
    bouckaert2004

    Examples
    --------
    >>> fitting_test(5, 2), fitting_test(10, 10), fitting_test(30, 1), fitting_test(1, 1)
    ('5x2cv-f', 'corrected-t', 'corrected-t', None)
    """
    shape = (check_count("replications", replications, usual=5), check_count("folds", folds, usual=2))
    if shape == FIVE_BY_TWO:
        return "5x2cv-f"
    return "corrected-t" if shape[0] * shape[1] > 1 else None


def known_share(folds: int, test_share: float | None, *, where: str = "") -> float:
    """Return the share of the examples in the test part: as given, or one of several folds; otherwise it is asked for.

    `where` names the data set in the error, as in " on 'iris'".
    """
    if test_share is not None:
        return _checked_share(test_share)
    if folds > 1:
        return 1.0 / folds
    raise InputError(
        f"There is one fold in each replication{where}.",
        why="How much hold-out splits overlap depends on the share of the data that is tested on.",
        mend=f"Give it: {option(test_share=0.33)} if a third is tested on.",
    )


def size_ratio(test_share: float | None) -> float:
    """Return n_test / n_train."""
    if test_share is None:
        raise OptionError(
            "The share of the examples in the test part is not given.",
            mend=f"Use {option(test_share=0.1)} for ten folds.",
        )
    share = _checked_share(test_share)
    return share / (1.0 - share)


def _checked_share(test_share: float) -> float:
    return check_within(option("test_share"), test_share, 0.0, 1.0, mend=f"Use {option(test_share=0.1)} for ten folds.")


def half_widths(differences: FloatArray, *, share: float, level: float) -> FloatArray:
    """Return how far the interval of each mean difference reaches; `differences` is (folds, pairs).

    Formula: t(level; n - 1) sqrt((1 / n + share / (1 - share)) s^2), the differences that the corrected resampled t
    test does not reject, where each of the n folds tests this share of the examples. The 5x2 cv F test has no
    interval: the shifts that it does not reject may be none at all.

    Examples
    --------
    >>> d = np.array([[0.01], [0.03], [0.02], [0.02]])
    >>> half_widths(d, share=0.25, level=0.95).round(4).tolist()
    [0.0198]
    """
    count = len(differences)
    variance = np.square(differences - differences.mean(axis=0)).sum(axis=0) / (count - 1)
    return np.asarray(
        special.stdtrit(count - 1, (1 + level) / 2) * np.sqrt((1 / count + share / (1 - share)) * variance)
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ManyAtOnce(Told):
    """What the tests of two algorithms on one data set return: plain numbers for one test, arrays for many."""

    statistic: FloatArray | float
    pvalue: FloatArray | float

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {np.size(self.pvalue)} test(s)"

    def rows(self) -> list[Row]:
        """Return one row per test, in the order of the raveled arrays."""
        return rows_of(**{name: np.ravel(values) for name, values in self.columns().items()})


def counts(values: npt.ArrayLike, *, what: str) -> FloatArray:
    """Return whole nonnegative numbers as floats."""
    array = as_floats(values, what=what)
    bad = array[~((array >= 0) & (array == np.floor(array)) & np.isfinite(array))]
    if bad.size:
        raise InputError(f"{what} holds {bad.flat[0]}.", mend="Pass numbers of examples, not rates.")
    return array


def broadcast(arrays: Any, names: tuple[str, ...]) -> tuple[FloatArray, ...]:
    """Return arrays of one shape, or say which shapes do not fit."""
    try:
        return tuple(np.array(array) for array in np.broadcast_arrays(*arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(names, arrays, strict=True))
        raise InputError(f"The shapes do not fit together: {shapes}.", mend="Pass arrays of one shape.") from None


def settled(values: FloatArray) -> FloatArray | float:
    """Return a plain number for one test, a read-only array for many."""
    return readonly(values) if values.ndim else float(values)


def settled_counts(values: FloatArray) -> IntArray | int:
    """Do the same with counts."""
    return readonly(values.astype(np.int64)) if values.ndim else int(values)


FOLD_TESTS = {
    "5x2cv-f": "5x2 cv F test",
    "5x2cv-t": "5x2 cv t test",
    "kfold-t": "k-fold paired t test",
    "corrected-t": "corrected resampled t test",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldResult(ManyAtOnce):
    """Tests of two algorithms on the folds of a data set: plain numbers for one test, arrays for many.

    `mean_difference` is that of `a` minus `b` over the folds; t statistics have its sign.
    """

    COLUMNS = ("statistic", "pvalue", "mean_difference")

    mean_difference: FloatArray | float
    df: tuple[int, ...]
    n_folds: int

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{ManyAtOnce.title(self)}, df {plain_df(self.df)}"


def paired_folds(a: npt.ArrayLike, b: npt.ArrayLike, *, method: str) -> tuple[FloatArray, FloatArray]:
    """Return the scores of two algorithms with the folds on the first axis."""
    x = _folds_first(as_floats(a, what="a"), what="a", method=method)
    y = _folds_first(as_floats(b, what="b"), what="b", method=method)
    x, y = _aligned(x, y.ndim), _aligned(y, x.ndim)
    if len(x) == len(y) and _broadcast(x.shape, y.shape):
        return x, y
    raise InputError(
        f"a has shape {np.shape(a)} and b has shape {np.shape(b)}.",
        mend="Pass arrays with the same folds and leading axes that broadcast.",
    )


def cube_folds(scores: npt.ArrayLike, *, method: str) -> FloatArray:
    """Return a (folds, data sets, algorithms) array from a (data sets, algorithms, folds) one."""
    cube = as_floats(scores, what="scores")
    repeated = cube.ndim == 4 and not method.startswith("5x2cv")  # then all folds are alike to the test
    flat = cube.reshape(*cube.shape[:2], -1) if repeated else cube
    x = _folds_first(flat, what="scores", method=method)
    if x.ndim != 3:
        raise wrong_shape("scores", cube, FOLDS_LAST)
    check_shape(x.shape[1], x.shape[2], what="scores", min_rows=1)
    return np.ascontiguousarray(x)


def fold_result(x: FloatArray, y: FloatArray, kernel: Kernel, *, method: str) -> FoldResult:
    """Run a test on two arrays with the folds first, and put its result together."""
    (x, y), exponent = rescaled(x, y, axis=0)
    outcome = kernel(x - y, squared_length(x) + squared_length(y))
    return FoldResult(
        statistic=settled(outcome.statistic),
        pvalue=settled(outcome.pvalue),
        mean_difference=settled(np.ldexp(outcome.mean, exponent[0])),
        df=degrees_of_freedom(method, len(x)),
        n_folds=len(x),
        method=FOLD_TESTS[method],
        caveats=fold_caveats(outcome, method),
    )


def degrees_of_freedom(method: str, n_folds: int) -> tuple[int, ...]:
    """Return those of the named test."""
    return {"5x2cv-f": (10, 5), "5x2cv-t": (5,)}.get(method, (n_folds - 1,))


def plain_df(df: tuple[int, ...]) -> str:
    """Print degrees of freedom."""
    return f"({', '.join(str(d) for d in df)})"


FOLDS_LAST = "an array of shape (data sets, algorithms, folds) or (data sets, algorithms, replications, folds)"


def fold_caveats(outcome: Outcome, method: str) -> Caveats:
    """Say what makes these numbers doubtful."""
    constant = "found a difference that does not vary: the statistic is infinite and p is the smallest number"
    endless = np.isinf(outcome.statistic)
    overlap = "The training parts of the folds overlap, which the k-fold t test ignores: it rejects too often."
    better = "The corrected resampled t test on the same folds allows for it."
    return caveats_of(
        counted_note(outcome.identical, "no-difference", "found no difference in any fold: p = 1.", of="test(s)"),
        counted_note(endless, "constant-difference", f"{constant} that is reported.", of="test(s)"),
        (method == "kfold-t", "folds-share-training-data", f"{overlap} {better}"),
    )


def _folds_first(scores: FloatArray, *, what: str, method: str) -> FloatArray:
    """Check one array of fold scores and move its folds to the first axis."""
    check_finite(scores, what=what)
    check_squares(scores, what=what)
    # The order within replications matters to these two tests alone: a flat axis runs replication by replication.
    if method.startswith("5x2cv"):
        if scores.shape[-2:] == (5, 2):
            scores = scores.reshape(*scores.shape[:-2], 10)
        wrong = scores.ndim == 0 or scores.shape[-1] != 10
        mend = "Pass the folds as (..., 5, 2) or (..., 10), or use the corrected resampled t test."
    else:
        wrong = scores.ndim == 0 or scores.shape[-1] < 2
        mend = "Pass two folds or more, on the last axis."
    if wrong:
        raise InputError(f"{what} has shape {scores.shape}.", mend=mend)
    return np.moveaxis(scores, -1, 0)


def _aligned(scores: FloatArray, ndim: int) -> FloatArray:
    """Insert axes after the folds, so that leading axes meet from the right as they were given."""
    return scores.reshape(len(scores), *(1,) * (ndim - scores.ndim), *scores.shape[1:])


def _broadcast(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """NumPy's rule, asked beforehand: its own error would name neither argument."""
    return all(m == n or 1 in (m, n) for m, n in zip(first, second, strict=True))


@as_came_in
def kfold_t(a: npt.ArrayLike, b: npt.ArrayLike) -> FoldResult:
    """Test by a paired t test over the folds whether two algorithms differ.

    Hypothesis: on this data set the two algorithms have the same expected score.
    Formula: t = dbar / sqrt(s^2 / k) over the k fold differences, on k - 1 degrees of freedom; two-sided.

    Assumptions:

    1. The differences are normal.
    2. The folds are independent. They are not: any two share most of their training data.

    When not to use it: as the last word. Because of assumption 2 it rejects too often, which every result
    says in a caveat; `corrected_resampled_t` on the same folds does not.

    Degenerate input: no difference in any fold gives t = 0 and p = 1; the same difference, not zero, in all
    folds gives an infinite t and the smallest p-value that is reported, with a caveat. Rounding noise counts
    as zero, as in `five_by_two_f`.

    Parameters
    ----------
    a, b : array_like, shape (..., folds)
        Fold scores of the two algorithms. Leading axes broadcast, so that many tests run at once.

    Returns
    -------
    FoldResult

    References
    ----------
    dietterich1998, section 3.4

    Examples
    --------
    >>> result = kfold_t([0.9, 0.8, 0.85, 0.9], [0.8, 0.75, 0.85, 0.85])
    >>> round(result.statistic, 4), round(result.pvalue, 4), result.df
    (2.4495, 0.0917, (3,))
    """
    x, y = paired_folds(a, b, method="kfold-t")
    return fold_result(x, y, partial(mean_outcome, factor=1 / len(x)), method="kfold-t")


@as_came_in
def corrected_resampled_t(a: npt.ArrayLike, b: npt.ArrayLike, *, test_share: float | None = None) -> FoldResult:
    """Test over repeated splits whether two algorithms differ, allowing for overlapping training parts.

    Hypothesis: on this data set the two algorithms have the same expected score.

    Formula: t = dbar / sqrt((1 / n + n_test / n_train) s^2) over n splits, on n - 1 degrees of freedom; for r
    times k-fold n = r k and n_test / n_train = 1 / (k - 1).

    Assumptions:

    1. The differences are normal.
    2. Any two of them are correlated by n_test / (n_test + n_train), which is a heuristic.

    When not to use it: for 5x2 cv, where `five_by_two_f` is made for the scheme; over many data sets.

    Degenerate input: as for `kfold_t`.

    Parameters
    ----------
    a, b : array_like, shape (..., splits)
        Scores of the two algorithms; for r times k-fold all r k folds on one axis, in any order. Leading axes
        broadcast.
    test_share : float
        Share of the examples in the test part: 0.1 for ten folds, however often repeated.

    Returns
    -------
    FoldResult

    References
    ----------
    nadeau2003
    bouckaert2004

    Examples
    --------
    >>> result = corrected_resampled_t([0.9, 0.8, 0.85, 0.9], [0.8, 0.75, 0.85, 0.85], test_share=0.25)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.6036, 0.2071)
    """
    ratio = size_ratio(test_share)
    x, y = paired_folds(a, b, method="corrected-t")
    # Nadeau and Bengio 2003: 1/n + n_test/n_train in the place of 1/n.
    return fold_result(x, y, partial(mean_outcome, factor=1 / len(x) + ratio), method="corrected-t")


@as_came_in
def five_by_two_f(a: npt.ArrayLike, b: npt.ArrayLike) -> FoldResult:
    """Test by five replications of two-fold cross-validation whether two algorithms differ (combined F).

    Hypothesis: on this data set the two algorithms have the same expected score.

    Formula: with p_rf the difference in fold f of replication r and s2_r the variance estimate
    (p_r1 - p_r2)^2 / 2, F = sum p_rf^2 / (2 sum s2_r), on 10 and 5 degrees of freedom; two-sided.

    Assumptions:

    1. The differences are normal with mean zero under the hypothesis.
    2. Replications, and the two folds within one, are close enough to independent.

    When not to use it: with any other scheme than 5x2 (use `corrected_resampled_t`); over many data sets (use
    `tiebreak.stats.wilcoxon` or `tiebreak.stats.friedman` on the means).

    Degenerate input: no difference in any fold gives F = 0 and p = 1. Differences that are equal within every
    replication and not all zero give F = inf and the smallest p-value that is reported, with a caveat.
    Differences below the twelfth digit of the scores are rounding noise and count as zero.

    Parameters
    ----------
    a, b : array_like, shape (..., 5, 2) or (..., 10)
        Fold scores of the two algorithms; a flat axis of ten runs replication by replication. Leading axes
        broadcast, so that many tests run at once.

    Returns
    -------
    FoldResult

    References
    ----------
    alpaydin1999

    Examples
    --------
    >>> c45 = [[6.667, 4.0], [6.667, 5.333], [5.333, 6.667], [8.0, 2.667], [5.333, 5.333]]
    >>> lda = [[5.333, 0.0], [1.333, 2.667], [1.333, 2.667], [4.0, 0.0], [2.667, 4.0]]
    >>> result = five_by_two_f(c45, lda)
    >>> round(result.statistic, 4), round(result.pvalue, 4), round(result.mean_difference, 4)
    (6.5995, 0.0252, 3.2)
    """
    x, y = paired_folds(a, b, method="5x2cv-f")
    return fold_result(x, y, five_by_two_f_outcome, method="5x2cv-f")


@as_came_in
def five_by_two_t(a: npt.ArrayLike, b: npt.ArrayLike) -> FoldResult:
    """Test by five replications of two-fold cross-validation whether two algorithms differ (Dietterich's t).

    Hypothesis: on this data set the two algorithms have the same expected score.
    Formula: t = p_11 / sqrt((1 / 5) sum s2_r), in the notation of `five_by_two_f`, on 5 degrees of freedom.
    Assumptions: as for `five_by_two_f`.
    When not to use it: its numerator is the difference of the first fold alone, so the answer depends on the
    order of the folds, and its sign may disagree with `mean_difference`; `five_by_two_f` uses all ten and has
    more power.

    Degenerate input: as for `five_by_two_f`, with the first difference in the place of all.

    Parameters
    ----------
    a, b : array_like, shape (..., 5, 2) or (..., 10)
        As for `five_by_two_f`.

    Returns
    -------
    FoldResult

    References
    ----------
    dietterich1998

    Examples
    --------
    >>> c45 = [[6.667, 4.0], [6.667, 5.333], [5.333, 6.667], [8.0, 2.667], [5.333, 5.333]]
    >>> lda = [[5.333, 0.0], [1.333, 2.667], [1.333, 2.667], [4.0, 0.0], [2.667, 4.0]]
    >>> result = five_by_two_t(c45, lda)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.0004, 0.363)
    """
    x, y = paired_folds(a, b, method="5x2cv-t")
    return fold_result(x, y, five_by_two_t_outcome, method="5x2cv-t")


def five_by_two_f_outcome(d: FloatArray, size: FloatArray) -> Outcome:
    """Alpaydin's F from differences with the ten folds on the first axis; `size` is that of both scores."""
    top, bottom, mean, noise = _five_by_two_sums(d, size)
    identical = top <= noise
    top[identical], bottom[identical | (bottom <= noise)] = 0.0, 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        f = np.where(identical, 0.0, top / bottom)  # Alpaydin 1999, the combined F
    total = np.where(identical, 1.0, bottom + 2.0 * top)
    share = np.where(identical, 1.0, bottom / total)
    pvalue = floor_pvalue(f_10_5_upper(share, 2.0 * top / total))
    return Outcome(statistic=f, pvalue=pvalue, mean=mean, identical=identical)


def five_by_two_t_outcome(d: FloatArray, size: FloatArray) -> Outcome:
    """Dietterich's t from differences with the ten folds on the first axis."""
    _, bottom, mean, noise = _five_by_two_sums(d, size)
    first = np.where(np.square(d[0]) <= noise, 0.0, d[0])
    t = ratio(first, np.where(bottom <= noise, 0.0, bottom / 10))  # Dietterich 1998, section 3.5
    identical = (first == 0.0) & (bottom <= noise)
    return Outcome(statistic=t, pvalue=t_two_sided(t, 5), mean=mean, identical=identical)


def f_10_5_upper(share: FloatArray, rest: FloatArray) -> FloatArray:
    """P(F(10, 5) >= f) with share = 5 / (5 + 10 f) and rest = 1 - share, in closed form.

    The incomplete beta function I(share; 5/2, 5) is a polynomial in `rest` times share^(5/2) because its
    second parameter is whole; all terms are positive, so no digit is lost in either tail.
    """
    # rising factorials of 5/2 over factorials, by Horner's rule
    series = 1.0 + 2.5 * rest * (1.0 + 3.5 / 2 * rest * (1.0 + 4.5 / 3 * rest * (1.0 + 5.5 / 4 * rest)))
    return np.asarray(np.square(share) * np.sqrt(share) * series)


def _five_by_two_sums(d: FloatArray, size: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Sum of squares, of squared gaps within replications (twice the variances), mean, and noise level."""
    noise = NOISE**2 * size
    mean = exact_sum(d) / len(d)
    mean = np.where(len(d) * np.square(mean) <= noise, 0.0, mean)
    return squared_length(d), squared_length(d[0::2] - d[1::2]), mean, noise


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldPairsResult(OverDatasets):
    """Tests of every pair of algorithms on every data set; arrays are (data sets, pairs).

    `a` and `b` index `algorithms`; `mean_difference` is that of `a` minus `b`.
    """

    COLUMNS = ("statistic", "pvalue", "mean_difference")

    statistic: FloatArray
    pvalue: FloatArray
    mean_difference: FloatArray
    df: tuple[int, ...]
    n_folds: int

    def title(self) -> str:
        """Say in one line what was computed."""
        shape = f"{len(self.datasets)} data set(s), {len(self.a)} pair(s)"
        return f"{self.method}: {shape}, df {plain_df(self.df)}"


@as_came_in
def fold_pairs(
    scores: npt.ArrayLike,
    *,
    method: str = "5x2cv-f",
    test_share: float | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> FoldPairsResult:
    """Test every pair of algorithms on every data set from the fold scores.

    Hypothesis: for each data set and pair, the two algorithms have the same expected score on it.
    Formula, assumptions and when not to use it: those of the chosen test: `five_by_two_f`, `five_by_two_t`,
    `kfold_t` or `corrected_resampled_t`. The p-values are two-sided and not corrected for their number.

    Parameters
    ----------
    scores : array_like, shape (data sets, algorithms, folds) or (data sets, algorithms, replications, folds)
        For the 5x2 cv tests ten folds on the last axis, or 5 and 2 on the last two.
    method : {"5x2cv-f", "5x2cv-t", "kfold-t", "corrected-t"}
    test_share : float, optional
        For "corrected-t" only, as in `corrected_resampled_t`.
    algorithms, datasets : sequence of str, optional

    Returns
    -------
    FoldPairsResult
        Pairs are in the order of `np.triu_indices(algorithms, 1)`.

    References
    ----------
    alpaydin1999
    dietterich1998
    nadeau2003

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> result = fold_pairs(rng.normal(0.8, 0.05, size=(7, 4, 10)))
    >>> result.pvalue.shape, result.method
    ((7, 6), '5x2 cv F test')
    """
    check_choice("method", method, FOLD_TESTS)
    x = cube_folds(scores, method=method)
    algorithm_names = check_names(algorithms, x.shape[2], kind="algorithm")
    dataset_names = check_names(datasets, x.shape[1], kind="data set")
    a, b = pair_indices(x.shape[2])
    outcome = tested_pairs(x, a, b, method=method, test_share=test_share)
    return FoldPairsResult(
        a=readonly(a),
        b=readonly(b),
        statistic=readonly(outcome.statistic),
        pvalue=readonly(outcome.pvalue),
        mean_difference=readonly(outcome.mean),
        df=degrees_of_freedom(method, len(x)),
        algorithms=algorithm_names,
        datasets=dataset_names,
        n_folds=len(x),
        method=FOLD_TESTS[method],
        caveats=fold_caveats(outcome, method),
    )


def tested_pairs(x: FloatArray, a: IntArray, b: IntArray, *, method: str, test_share: float | None) -> Outcome:
    """Run a test on pairs of algorithms; `x` is (folds, data sets, algorithms), the outcome (data sets, pairs)."""
    kernel = _kernel(method, len(x), test_share)
    # Each data set has its own scale, so that huge scores on one cannot drown the others.
    (near,), exponent = rescaled(x, axis=(0, 2))
    outcome = every_pair(near, a, b, kernel)
    return replace(outcome, mean=np.ldexp(outcome.mean, exponent[0]))


def _kernel(method: str, n_folds: int, test_share: float | None) -> Kernel:
    """Choose the test; a share given to a test that ignores it is a mistake."""
    if method == "corrected-t":
        return partial(mean_outcome, factor=1 / n_folds + size_ratio(test_share))
    if test_share is not None:
        raise OptionError(
            f"{option('test_share')} is given for method={method!r}.", mend="Leave it out, or use method='corrected-t'."
        )
    if method == "kfold-t":
        return partial(mean_outcome, factor=1 / n_folds)
    return five_by_two_f_outcome if method == "5x2cv-f" else five_by_two_t_outcome
