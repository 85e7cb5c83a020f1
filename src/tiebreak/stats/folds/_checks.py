"""What the fold tests share besides arithmetic: their names, the shapes they take, and their caveats."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, as_floats, check_finite, check_shape
from tiebreak.errors import InputError, OptionError
from tiebreak.stats.folds._sums import Outcome
from tiebreak.stats.numeric.scale import check_squares

METHODS = {
    "5x2cv-f": "5x2 cv F test",
    "5x2cv-t": "5x2 cv t test",
    "kfold-t": "k-fold paired t test",
    "corrected-t": "corrected resampled t test",
}


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


def size_ratio(test_share: float | None, train_size: float | None, test_size: float | None) -> float:
    """Return n_test / n_train from the share or from both sizes."""
    if test_share is not None and train_size is None and test_size is None:
        if not 0.0 < test_share < 1.0:
            raise OptionError(
                f"test_share is {test_share!r}.",
                why="A share of the examples lies strictly between 0 and 1.",
                mend="Use test_share=0.1 for ten folds.",
            )
        return test_share / (1.0 - test_share)
    if test_share is None and train_size is not None and test_size is not None:
        if not (train_size > 0 and test_size > 0):
            raise OptionError(
                f"train_size is {train_size!r} and test_size is {test_size!r}.",
                why="Both parts hold examples.",
                mend="Pass the numbers of examples in the training and in the test part.",
            )
        return test_size / train_size
    raise OptionError(
        "The sizes of the test and training parts are not given once.",
        why="The correction for their overlap needs the ratio of the two.",
        mend="Pass test_share=..., or both train_size=... and test_size=....",
    )


def degrees_of_freedom(method: str, n_folds: int) -> tuple[int, ...]:
    """Return those of the named test."""
    return {"5x2cv-f": (10, 5), "5x2cv-t": (5,)}.get(method, (n_folds - 1,))


def plain_df(df: tuple[int, ...]) -> str:
    """Print degrees of freedom."""
    return f"({', '.join(str(d) for d in df)})"


def fold_caveats(outcome: Outcome, method: str) -> tuple[str, ...]:
    """Say what makes these numbers doubtful."""
    found = []
    total = outcome.pvalue.size
    identical, endless = int(outcome.identical.sum()), int(np.isinf(outcome.statistic).sum())
    if identical:
        found.append(f"{identical} of {total} test(s) found no difference in any fold: p = 1.")
    if endless:
        found.append(
            f"{endless} of {total} test(s) found a difference that does not vary: the statistic is infinite"
            " and p is the smallest number that is reported."
        )
    if method == "kfold-t":
        found.append(
            "The training parts of the folds overlap, which the k-fold t test ignores: it rejects too often."
            " The corrected resampled t test on the same folds allows for it."
        )
    return tuple(found)


def _folds_first(scores: FloatArray, *, what: str, method: str) -> FloatArray:
    """Check one array of fold scores and move its folds to the first axis."""
    check_finite(scores, what=what)
    check_squares(scores, what=what)
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
    return all(m == n or 1 in (m, n) for m, n in zip(first, second, strict=True))
