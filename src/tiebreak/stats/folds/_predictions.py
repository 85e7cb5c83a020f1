"""One test set, two classifiers, from predictions or counts: McNemar's test and the test of two proportions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, IntArray, as_floats, check_choice, readonly
from tiebreak._show import Row, Shown
from tiebreak.errors import InputError
from tiebreak.stats.numeric.tails import chi2_upper, floor_pvalue, normal_two_sided

METHODS = ("exact", "mid-p", "corrected", "uncorrected")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class McNemarResult(Shown):
    """What McNemar's test found; plain numbers for one test, arrays for many.

    `only_a` and `only_b` count the examples that one classifier alone got right. `statistic` is chi-squared
    for the methods "corrected" and "uncorrected", otherwise the smaller of the two counts.
    """

    statistic: FloatArray | float
    pvalue: FloatArray | float
    only_a: IntArray | int
    only_b: IntArray | int
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {np.size(self.pvalue)} test(s)"

    def rows(self) -> list[Row]:
        """Return one row per test, in the order of the raveled arrays."""
        return _rows(only_a=self.only_a, only_b=self.only_b, statistic=self.statistic, pvalue=self.pvalue)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ProportionsResult(Shown):
    """What the test of two proportions found; `difference` is the error rate of a minus that of b."""

    statistic: FloatArray | float
    pvalue: FloatArray | float
    difference: FloatArray | float
    method: str
    caveats: tuple[str, ...] = ()

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {np.size(self.pvalue)} test(s)"

    def rows(self) -> list[Row]:
        """Return one row per test, in the order of the raveled arrays."""
        return _rows(difference=self.difference, statistic=self.statistic, pvalue=self.pvalue)


def mcnemar(only_a: npt.ArrayLike, only_b: npt.ArrayLike | None = None, *, method: str = "exact") -> McNemarResult:
    """Test whether two classifiers err equally often on the same test examples.

    Hypothesis: an example that only one of the two gets right is as likely to be a's as b's.

    Formula: of n = only_a + only_b such examples the smaller count k is binomial(n, 1/2). exact:
    p = min(1, 2 P(X <= k)); mid-p: 2 P(X <= k) - P(X = k); uncorrected: (only_a - only_b)^2 / n is
    chi-squared with one degree of freedom; corrected: max(0, |only_a - only_b| - 1)^2 / n.

    Assumptions:

    1. The test examples are independent.
    2. Both classifiers were trained once, on data without the test examples: the variation between training
       sets is not tested.

    When not to use it: on cross-validated predictions pooled over folds or repetitions (use the fold tests);
    chi-squared with fewer than about 25 such examples (use "exact" or "mid-p").

    Degenerate input: where no example tells the two apart, p = 1. The correction cannot make equal counts
    look different, as it does in programs that square a negative number.

    Parameters
    ----------
    only_a : array_like of counts, or array_like of shape (..., 2, 2) where `only_b` is left out
        Examples that only a got right; or tables [[both right, only a right], [only b right, both wrong]].
    only_b : array_like of counts, optional
        Examples that only b got right. Broadcasts with `only_a`.
    method : {"exact", "mid-p", "corrected", "uncorrected"}
        "exact" keeps the level; "mid-p" comes closer to it on average and may exceed it slightly.

    Returns
    -------
    McNemarResult

    References
    ----------
    McNemar, Q. (1947). doi:10.1007/BF02295996
    Edwards, A. L. (1948). The correction. doi:10.1007/BF02289261
    Fagerland, M. W., Lydersen, S. and Laake, P. (2013). The mid-p test. doi:10.1186/1471-2288-13-91

    Examples
    --------
    >>> print(round(mcnemar([[101, 121], [59, 33]], method="corrected").statistic, 4))
    20.6722
    >>> print(round(mcnemar(10, 2).pvalue, 5))
    0.03857
    """
    check_choice("method", method, METHODS)
    a, b = _discordant(only_a, only_b)
    statistic, pvalue = _mcnemar(a, b, method)
    return McNemarResult(
        statistic=_settled(statistic),
        pvalue=_settled(floor_pvalue(pvalue)),
        only_a=_settled_counts(a),
        only_b=_settled_counts(b),
        method=_mcnemar_label(method),
        caveats=_mcnemar_caveats(a + b, method),
    )


def mcnemar_from_predictions(
    truth: npt.ArrayLike, a: npt.ArrayLike, b: npt.ArrayLike, *, method: str = "exact"
) -> McNemarResult:
    """Test from the predictions themselves whether two classifiers err equally often.

    Hypothesis: an example that only one of the two gets right is as likely to be a's as b's.
    Formula, assumptions and when not to use it: as for `mcnemar`.

    Parameters
    ----------
    truth, a, b : array_like, shape (..., examples)
        The true classes and the two predictions, of one kind (numbers or text). Leading axes broadcast.
    method : {"exact", "mid-p", "corrected", "uncorrected"}

    Returns
    -------
    McNemarResult

    References
    ----------
    McNemar, Q. (1947). doi:10.1007/BF02295996

    Examples
    --------
    >>> result = mcnemar_from_predictions([1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 1], [0, 0, 0, 0, 0, 0])
    >>> result.only_a, result.only_b, result.pvalue
    (3, 1, 0.625)
    """
    true_class, guess_a, guess_b = np.asarray(truth), np.asarray(a), np.asarray(b)
    _check_examples(true_class, guess_a, guess_b)
    right_a = _right(true_class, guess_a, what="a")
    right_b = _right(true_class, guess_b, what="b")
    only_a = np.count_nonzero(right_a & ~right_b, axis=-1)
    only_b = np.count_nonzero(right_b & ~right_a, axis=-1)
    return mcnemar(only_a, only_b, method=method)


def two_proportions(
    errors_a: npt.ArrayLike, n_a: npt.ArrayLike, errors_b: npt.ArrayLike, n_b: npt.ArrayLike
) -> ProportionsResult:
    """Test whether two classifiers err equally often on separate test sets.

    Hypothesis: the two error probabilities are equal.

    Formula: z = (p_a - p_b) / sqrt(p (1 - p) (1 / n_a + 1 / n_b)) with p the error rate of both together;
    two-sided normal.

    Assumptions:

    1. The two test sets are independent of each other. On the same examples use `mcnemar`, which has more
       power there.
    2. Enough errors and enough right answers for the normal approximation: about five of each.

    When not to use it: on one test set, or on pooled cross-validation folds.

    Degenerate input: all right or all wrong on both sides gives z = 0 and p = 1.

    Parameters
    ----------
    errors_a, n_a, errors_b, n_b : array_like of counts
        Errors and examples. Broadcast together.

    Returns
    -------
    ProportionsResult

    References
    ----------
    Dietterich, T. G. (1998). Section 3.2. doi:10.1162/089976698300017197

    Examples
    --------
    >>> result = two_proportions(30, 100, 20, 100)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.633, 0.1025)
    """
    names = ("errors_a", "n_a", "errors_b", "n_b")
    counts = [_counts(value, what=name) for name, value in zip(names, (errors_a, n_a, errors_b, n_b), strict=True)]
    x_a, m_a, x_b, m_b = _broadcast(counts, names)
    _check_errors(x_a, m_a, side="a")
    _check_errors(x_b, m_b, side="b")
    pooled = (x_a + x_b) / (m_a + m_b)
    variance = pooled * (1.0 - pooled) * (1.0 / m_a + 1.0 / m_b)
    difference = x_a / m_a - x_b / m_b
    equal = x_a * m_b == x_b * m_a
    z = np.divide(difference, np.sqrt(variance), out=np.zeros_like(pooled), where=(variance > 0) & ~equal)
    return ProportionsResult(
        statistic=_settled(z),
        pvalue=_settled(normal_two_sided(z)),
        difference=_settled(np.where(equal, 0.0, difference)),
        method="Two proportions, z test with pooled variance",
        caveats=_proportion_caveats(pooled, m_a, m_b),
    )


def half_binomial_lower(k: FloatArray, n: FloatArray) -> FloatArray:
    """P(X <= k) for X binomial with n trials of probability one half."""
    inside = np.asarray(special.betainc(np.maximum(n - k, 1.0), k + 1.0, 0.5))
    return np.where(k >= n, 1.0, inside)


def _mcnemar(a: FloatArray, b: FloatArray, method: str) -> tuple[FloatArray, FloatArray]:
    n, smaller = a + b, np.minimum(a, b)
    if method == "exact":
        return smaller, np.minimum(2.0 * half_binomial_lower(smaller, n), 1.0)
    if method == "mid-p":
        below = np.where(smaller > 0, half_binomial_lower(np.maximum(smaller - 1.0, 0.0), n), 0.0)
        return smaller, np.where(a == b, 1.0, below + half_binomial_lower(smaller, n))
    gap = np.abs(a - b) - (1.0 if method == "corrected" else 0.0)
    chi2 = np.divide(np.square(np.maximum(gap, 0.0)), n, out=np.zeros_like(n), where=n > 0)
    return chi2, chi2_upper(chi2, 1)


def _mcnemar_label(method: str) -> str:
    return {
        "exact": "McNemar's test, exact binomial",
        "mid-p": "McNemar's test, mid-p",
        "corrected": "McNemar's test, chi-squared with continuity correction",
        "uncorrected": "McNemar's test, chi-squared without continuity correction",
    }[method]


def _mcnemar_caveats(n: FloatArray, method: str) -> tuple[str, ...]:
    found = []
    nothing, few = int((n == 0).sum()), int((n < 25).sum())
    if nothing:
        found.append(f"{nothing} of {n.size} test(s): no example tells the two apart, p = 1.")
    if few > nothing and method in ("corrected", "uncorrected"):
        found.append(
            f"{few} of {n.size} test(s) rest on fewer than 25 examples that tell the two apart: the chi-squared"
            ' approximation is rough, use method="exact".'
        )
    return tuple(found)


def _proportion_caveats(pooled: FloatArray, n_a: FloatArray, n_b: FloatArray) -> tuple[str, ...]:
    expected = np.minimum(pooled, 1.0 - pooled) * np.minimum(n_a, n_b)
    rough = int((expected < 5).sum())
    if not rough:
        return ()
    return (
        f"{rough} of {expected.size} test(s) expect fewer than five errors or five right answers on one side: the"
        " normal approximation is rough.",
    )


def _discordant(only_a: npt.ArrayLike, only_b: npt.ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Read the two counts, given as such or as tables."""
    if only_b is not None:
        both = _counts(only_a, what="only_a"), _counts(only_b, what="only_b")
        a, b = _broadcast(both, ("only_a", "only_b"))
        return a, b
    tables = _counts(only_a, what="table")
    if tables.shape[-2:] != (2, 2):
        raise InputError(
            f"The table has shape {tables.shape}.",
            why="Without only_b, tables of 2 x 2 counts are needed.",
            mend="Pass [[both right, only a right], [only b right, both wrong]], or mcnemar(only_a, only_b).",
        )
    return tables[..., 0, 1], tables[..., 1, 0]


def _counts(values: npt.ArrayLike, *, what: str) -> FloatArray:
    """Return whole nonnegative numbers as floats."""
    array = as_floats(values, what=what)
    bad = array[~((array >= 0) & (array == np.floor(array)) & np.isfinite(array))]
    if bad.size:
        raise InputError(
            f"{what} holds {bad.flat[0]}.",
            why="A count is a whole number, zero or more.",
            mend="Pass numbers of examples, not rates.",
        )
    return array


def _broadcast(arrays: Any, names: tuple[str, ...]) -> tuple[FloatArray, ...]:
    try:
        return tuple(np.array(array) for array in np.broadcast_arrays(*arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(names, arrays, strict=True))
        raise InputError(
            f"The shapes do not fit together: {shapes}.",
            why="Each test needs one number of each.",
            mend="Pass arrays of one shape.",
        ) from None


def _check_errors(errors: FloatArray, n: FloatArray, *, side: str) -> None:
    if bool((errors > n).any()) or bool((n == 0).any()):
        raise InputError(
            f"errors_{side} exceeds n_{side}, or n_{side} is 0.",
            why="A share of the examples cannot be formed.",
            mend="Pass the number of errors first, then the number of examples.",
        )


def _check_examples(*arrays: npt.NDArray[Any]) -> None:
    """Refuse arrays that do not pair example by example, and gaps."""
    shapes = [array.shape for array in arrays]
    try:
        fits = all(shapes) and len({shape[-1] for shape in shapes}) == 1 and bool(np.broadcast_shapes(*shapes))
    except ValueError:
        fits = False
    if not fits:
        raise InputError(
            f"truth has shape {shapes[0]}, a has shape {shapes[1]} and b has shape {shapes[2]}.",
            why="Predictions are compared example by example.",
            mend="Pass one prediction per example, on the last axis.",
        )
    if any(array.dtype.kind == "f" and bool(np.isnan(array).any()) for array in arrays):
        raise InputError(
            "truth, a or b holds NaN.",
            why="A missing label is neither right nor wrong.",
            mend="Drop those examples for both classifiers.",
        )


def _right(truth: npt.NDArray[Any], guess: npt.NDArray[Any], *, what: str) -> BoolArray:
    """Say which predictions equal the truth, refusing kinds that can never be equal."""
    kinds = truth.dtype.kind, guess.dtype.kind
    if "O" not in kinds and (kinds[0] in "US") != (kinds[1] in "US"):
        raise InputError(
            f"truth holds {truth.dtype} and {what} holds {guess.dtype}.",
            why="Text and numbers are never equal, so every prediction would count as wrong.",
            mend="Use the same class labels in both.",
        )
    return np.asarray(truth == guess, dtype=bool)


def _settled(values: FloatArray) -> FloatArray | float:
    return readonly(values) if values.ndim else float(values)


def _settled_counts(values: FloatArray) -> IntArray | int:
    return readonly(values.astype(np.int64)) if values.ndim else int(values)


def _rows(**columns: FloatArray | IntArray | float) -> list[Row]:
    lists = [np.ravel(column).tolist() for column in columns.values()]
    return [dict(zip(columns, values, strict=True)) for values in zip(*lists, strict=True)]
