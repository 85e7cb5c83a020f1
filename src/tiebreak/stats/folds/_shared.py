"""What the tests of two algorithms on one data set share: results, the shapes and counts they take, and caveats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray, as_floats, check_finite, check_shape, readonly
from tiebreak.caveats import Caveats
from tiebreak.documents import Row
from tiebreak.errors import InputError
from tiebreak.stats.numeric.pair_sums import Kernel, Outcome, squared_length
from tiebreak.stats.numeric.scale import check_squares, rescaled
from tiebreak.stats.telling import Told, caveats_of, rows_of


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
        raise InputError(
            f"{what} holds {bad.flat[0]}.",
            why="A count is a whole number, zero or more.",
            mend="Pass numbers of examples, not rates.",
        )
    return array


def broadcast(arrays: Any, names: tuple[str, ...]) -> tuple[FloatArray, ...]:
    """Return arrays of one shape, or say which shapes do not fit."""
    try:
        return tuple(np.array(array) for array in np.broadcast_arrays(*arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(names, arrays, strict=True))
        raise InputError(
            f"The shapes do not fit together: {shapes}.",
            why="Each test needs one number of each.",
            mend="Pass arrays of one shape.",
        ) from None


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
        why="The scores are paired fold by fold.",
        mend="Pass arrays with the same folds and leading axes that broadcast.",
    )


def cube_folds(scores: npt.ArrayLike, *, method: str) -> FloatArray:
    """Return a (folds, data sets, algorithms) array from a (data sets, algorithms, folds) one."""
    cube = as_floats(scores, what="scores")
    repeated = cube.ndim == 4 and not method.startswith("5x2cv")  # then all folds are alike to the test
    flat = cube.reshape(*cube.shape[:2], -1) if repeated else cube
    x = _folds_first(flat, what="scores", method=method)
    if x.ndim != 3:
        raise InputError(
            f"scores has shape {cube.shape}.",
            why="Data sets, algorithms and folds are needed, in this order.",
            mend="Pass an array of shape (data sets, algorithms, folds) or (data sets, algorithms, repetitions,"
            " folds).",
        )
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


def fold_caveats(outcome: Outcome, method: str) -> Caveats:
    """Say what makes these numbers doubtful."""
    total = outcome.pvalue.size
    identical, endless = int(outcome.identical.sum()), int(np.isinf(outcome.statistic).sum())
    constant = "found a difference that does not vary: the statistic is infinite and p is the smallest number"
    overlap = "The training parts of the folds overlap, which the k-fold t test ignores: it rejects too often."
    better = "The corrected resampled t test on the same folds allows for it."
    return caveats_of(
        (identical, "no-difference", f"{identical} of {total} test(s) found no difference in any fold: p = 1."),
        (endless, "constant-difference", f"{endless} of {total} test(s) {constant} that is reported."),
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
        needs = "Five replications of two folds are needed."
        mend = "Pass the folds as (..., 5, 2) or (..., 10), or use the corrected resampled t test."
    else:
        wrong = scores.ndim == 0 or scores.shape[-1] < 2
        needs = "The variance over the folds needs at least two of them."
        mend = "Pass the folds on the last axis."
    if wrong:
        raise InputError(f"{what} has shape {scores.shape}.", why=needs, mend=mend)
    return np.moveaxis(scores, -1, 0)


def _aligned(scores: FloatArray, ndim: int) -> FloatArray:
    """Insert axes after the folds, so that leading axes meet from the right as they were given."""
    return scores.reshape(len(scores), *(1,) * (ndim - scores.ndim), *scores.shape[1:])


def _broadcast(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """NumPy's rule, asked beforehand: its own error would name neither argument."""
    return all(m == n or 1 in (m, n) for m, n in zip(first, second, strict=True))
