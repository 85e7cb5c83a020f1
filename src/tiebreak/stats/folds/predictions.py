"""Two classifiers on one test set, from their predictions or counts: McNemar's test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, unmasked, wrong_shape
from tiebreak.caveats import Caveats, caveats_of
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError
from tiebreak.stats.folds.fold_tests import ManyAtOnce, broadcast, counts, settled, settled_counts
from tiebreak.stats.numeric.basics import chi2_upper, floor_pvalue, half_binomial_lower

MCNEMAR_METHODS = {
    "exact": "McNemar's test, exact binomial",
    "mid-p": "McNemar's test, mid-p",
    "corrected": "McNemar's test, chi-squared with continuity correction",
    "uncorrected": "McNemar's test, chi-squared without continuity correction",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class McNemarResult(ManyAtOnce):
    """What McNemar's test found; plain numbers for one test, arrays for many.

    `only_a` and `only_b` count the examples that one classifier alone got right. `statistic` is chi-squared
    for the methods "corrected" and "uncorrected", otherwise the smaller of the two counts.
    """

    COLUMNS = ("only_a", "only_b", "statistic", "pvalue")

    only_a: IntArray | int
    only_b: IntArray | int


@as_came_in
def mcnemar(only_a: npt.ArrayLike, only_b: npt.ArrayLike | None = None, *, method: str = "exact") -> McNemarResult:
    """Test whether two classifiers err equally often on the same test examples.

    Hypothesis: an example that only one of the two gets right is as likely to be a's as b's.

    Formula: of n = only_a + only_b such examples the smaller count k is binomial(n, 1/2). exact:
    p = min(1, 2 P(X <= k)); mid-p: 2 P(X <= k) - P(X = k); uncorrected: (only_a - only_b)^2 / n is
    chi-squared with one degree of freedom; corrected: ``max(0, |only_a - only_b| - 1)^2 / n``.

    Assumptions:

    1. The test examples are independent.
    2. Both classifiers were trained once, on data without the test examples: the variation between training
       sets is not tested.

    When not to use it: on cross-validated predictions pooled over folds or repetitions (use the fold tests);
    chi-squared with fewer than about 25 such examples (use "exact" or "mid-p").

    Degenerate input: where the two are right on the same examples, p = 1. The correction cannot make equal counts
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
    mcnemar1947
    edwards1948
    fagerland2013

    Examples
    --------
    >>> print(round(mcnemar([[101, 121], [59, 33]], method="corrected").statistic, 4))
    20.6722
    >>> print(round(mcnemar(10, 2).pvalue, 5))
    0.03857
    """
    check_choice("method", method, MCNEMAR_METHODS)
    a, b = _discordant(only_a, only_b)
    statistic, pvalue = _statistic(a, b, method)
    return McNemarResult(
        statistic=settled(statistic),
        pvalue=settled(floor_pvalue(pvalue)),
        only_a=settled_counts(a),
        only_b=settled_counts(b),
        method=MCNEMAR_METHODS[method],
        caveats=_discordant_caveats(a + b, method),
    )


@as_came_in
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
    mcnemar1947

    Examples
    --------
    >>> result = mcnemar_from_predictions([1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 1], [0, 0, 0, 0, 0, 0])
    >>> result.only_a, result.only_b, result.pvalue
    (3, 1, 0.625)
    """
    true_class, guess_a, guess_b = unmasked(truth), unmasked(a), unmasked(b)
    _check_examples(true_class, guess_a, guess_b)
    right_a = _right(true_class, guess_a, what="a")
    right_b = _right(true_class, guess_b, what="b")
    only_a = np.count_nonzero(right_a & ~right_b, axis=-1)
    only_b = np.count_nonzero(right_b & ~right_a, axis=-1)
    return mcnemar(only_a, only_b, method=method)


def _statistic(a: FloatArray, b: FloatArray, method: str) -> tuple[FloatArray, FloatArray]:
    """Return the statistic and its p-value."""
    n = a + b
    if method in ("exact", "mid-p"):
        return np.minimum(a, b), mcnemar_pvalues(a, b, midp=method == "mid-p")
    # Edwards 1948; cut at zero, for the square of a negative gap would make equal counts look different.
    gap = np.abs(a - b) - (1.0 if method == "corrected" else 0.0)
    chi2 = np.divide(np.square(np.maximum(gap, 0.0)), n, out=np.zeros_like(n), where=n > 0)
    return chi2, chi2_upper(chi2, 1)


def mcnemar_pvalues(only_a: FloatArray, only_b: FloatArray, *, midp: bool = False) -> FloatArray:
    """Return the two-sided p-values of counts: binomial with one half, all of the outcome seen, or half of it."""
    n, smaller = only_a + only_b, np.minimum(only_a, only_b)
    upto = half_binomial_lower(smaller, n)
    if not midp:
        return np.minimum(2.0 * upto, 1.0)
    below = np.where(smaller > 0, half_binomial_lower(np.maximum(smaller - 1.0, 0.0), n), 0.0)
    return np.where(only_a == only_b, 1.0, below + upto)  # Fagerland et al. 2013


def _discordant_caveats(n: FloatArray, method: str) -> Caveats:
    """Twenty-five discordant examples, not examples: the others say nothing about the difference."""
    nothing, few = int((n == 0).sum()), int((n < 25).sum())
    doubtful = few > nothing and method in ("corrected", "uncorrected")
    rough = "rest on fewer than 25 examples that only one of the two gets right: the chi-squared approximation is rough"
    return caveats_of(
        (nothing, "no-difference", f"{nothing} of {n.size} test(s): both are right on the same examples, p = 1."),
        (doubtful, "few-items", f'{few} of {n.size} test(s) {rough}, use method="exact".'),
    )


def _discordant(only_a: npt.ArrayLike, only_b: npt.ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Read the two counts, given as such or as tables."""
    if only_b is not None:
        both = counts(only_a, what="only_a"), counts(only_b, what="only_b")
        a, b = broadcast(both, ("only_a", "only_b"))
        return a, b
    tables = counts(only_a, what="table")
    if tables.shape[-2:] != (2, 2):
        needed = "[[both right, only a right], [only b right, both wrong]], or mcnemar(only_a, only_b)"
        raise wrong_shape("The table", tables, needed)
    return tables[..., 0, 1], tables[..., 1, 0]


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
            mend="Pass one prediction per example, on the last axis.",
        )
    if any(array.dtype.kind in "fO" and bool((array != array).any()) for array in arrays):  # NaN alone is not itself
        raise InputError("truth, a or b holds NaN.", mend="Drop those examples for both classifiers.")


def _right(truth: npt.NDArray[Any], guess: npt.NDArray[Any], *, what: str) -> BoolArray:
    """Say which predictions equal the truth, refusing kinds that can never be equal."""
    kinds = truth.dtype.kind, guess.dtype.kind
    if "O" not in kinds and (kinds[0] in "US") != (kinds[1] in "US"):
        raise InputError(
            f"truth holds {truth.dtype} and {what} holds {guess.dtype}.", mend="Use the same class labels in both."
        )
    return np.asarray(truth == guess, dtype=bool)
