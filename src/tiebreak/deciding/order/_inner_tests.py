"""Who is significantly better on each data set, from the fold scores: the tests inside MultiTest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice
from tiebreak.errors import InputError, OptionError
from tiebreak.stats import CORRECTIONS, bergmann_hommel_rows, fold_pairs, sign_pairs, wilcoxon_pairs
from tiebreak.stats.pairwise import correction_name, pair_indices

FOLD_TESTS = ("5x2cv-f", "5x2cv-t", "corrected-t", "kfold-t", "wilcoxon", "sign")
"""Tests on the folds of one data set; `score` instead of them ranks by the mean score without a test."""
MOST_INNER = 14
"""Bergmann and Hommel's correction inside a data set goes up to so many algorithms."""
USUAL_INNER = 11
"""Up to so many algorithms it is the default there; it takes 20 ms for a data set, and 600 ms with 14 algorithms."""
PairTest = Callable[[FloatArray, FloatArray], float]
"""A test of the user's own: two vectors of fold scores, turned so that lower is better, in; a two-sided p-value out."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inner:
    """Tests of all pairs on every data set: arrays (data sets, pairs); `difference` is mean error of a less b's."""

    a: IntArray
    b: IntArray
    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    difference: FloatArray
    method: str
    signed: bool = False
    caveats: tuple[str, ...] = ()

    def better(self, alpha: float, n_algorithms: int) -> BoolArray:
        """Return better[s, i, j]: on data set s, j is significantly better than i (p <= alpha and a lower error)."""
        out = np.zeros((len(self.pvalue), n_algorithms, n_algorithms), dtype=bool)
        significant = self.adjusted <= alpha
        if self.signed:  # a test that points one way says nothing where the mean points the other
            significant &= np.sign(self.statistic) == np.sign(self.difference)
        out[:, self.a, self.b] = significant & (self.difference > 0)
        out[:, self.b, self.a] = significant & (self.difference < 0)
        return out


def inner_tests(errors: FloatArray, *, pairwise: str | PairTest, adjust: str) -> Inner:
    """Test all pairs on every data set; `errors` is (data sets, algorithms, replications, folds), lower the better."""
    check_choice("inner correction", adjust, CORRECTIONS)
    if callable(pairwise):
        found = _own(errors, pairwise)
    elif pairwise in ("wilcoxon", "sign"):
        found = _by_data_set(errors, pairwise)
    else:
        check_choice("pairwise test", pairwise, FOLD_TESTS)
        found = _by_folds(errors, pairwise)
    return replace(
        found,
        adjusted=_corrected(found.pvalue, adjust, errors.shape[1]),
        method=f"{found.method} {correction_name(adjust)}",
    )


def _by_folds(errors: FloatArray, pairwise: str) -> Inner:
    """Run a vectorised test of the folds."""
    replications, folds = errors.shape[2:]
    if pairwise.startswith("5x2cv") and (replications, folds) != (5, 2):
        raise InputError(
            f"There are {replications} replication(s) of {folds} fold(s).",
            why=f"The test {pairwise} needs five replications of two folds, named as such.",
            mend="Use pairwise='corrected-t' (--pairwise corrected-t) for other resampling, or 'score' for one score"
            " per data set; if this is 5x2 cross-validation, add the column 'replication'.",
        )
    if replications * folds < 2:
        raise _one_fold(pairwise)
    share = {"test_share": 1.0 / folds} if pairwise == "corrected-t" and folds > 1 else {}
    if pairwise == "corrected-t" and folds == 1:
        raise InputError(
            "There is one fold in each replication.",
            why="The share of the data that is tested on, which the corrected t test needs, is not known from it.",
            mend="Name the folds of each replication, or use pairwise='kfold-t' or 'wilcoxon'.",
        )
    found = fold_pairs(errors.reshape(*errors.shape[:2], -1), method=pairwise, **share)
    return Inner(
        a=found.a,
        b=found.b,
        statistic=found.statistic,
        pvalue=found.pvalue,
        adjusted=found.pvalue,
        difference=found.mean_difference,
        method=found.method,
        signed=not pairwise.endswith("-f"),
        caveats=found.caveats,
    )


def _one_fold(pairwise: str) -> InputError:
    return InputError(
        "There is one score for each data set and algorithm.",
        why=f"The test {pairwise} measures how scores vary over folds.",
        mend="Give the scores of the folds, or use pairwise='score' (--pairwise score) to rank without a test inside"
        " the data sets.",
    )


def _by_data_set(errors: FloatArray, pairwise: str) -> Inner:
    """Run a test of paired vectors on the folds of each data set."""
    if errors.shape[2] * errors.shape[3] < 2:
        raise _one_fold(pairwise)
    test = wilcoxon_pairs if pairwise == "wilcoxon" else sign_pairs
    tables = [test(each.reshape(each.shape[0], -1).T) for each in errors]
    a, b = pair_indices(errors.shape[1])
    means = errors.mean(axis=(2, 3))
    return Inner(
        a=a,
        b=b,
        statistic=np.array([t.statistic for t in tables]),
        pvalue=np.array([t.pvalue for t in tables]),
        adjusted=np.array([t.pvalue for t in tables]),
        difference=means[:, a] - means[:, b],
        method=f"{'Wilcoxon signed ranks' if pairwise == 'wilcoxon' else 'Sign'} test on folds",
        signed=True,
        caveats=("Folds of one data set share training data, so the test finds differences too often.",),
    )


def _own(errors: FloatArray, test: PairTest) -> Inner:
    """Run a test of the user's own on every pair and data set."""
    a, b = pair_indices(errors.shape[1])
    flat = errors.reshape(*errors.shape[:2], -1)
    p = np.array([[float(test(each[i], each[j])) for i, j in zip(a, b, strict=True)] for each in flat])
    if not ((p >= 0) & (p <= 1)).all():
        raise OptionError(
            "The pairwise test returned something that is not a p-value.",
            why="Decisions are made by p <= alpha.",
            mend="Return a number between 0 and 1.",
        )
    means = flat.mean(axis=2)
    name = getattr(test, "__name__", "a test of the user's own")
    return Inner(
        a=a, b=b, statistic=np.full(p.shape, np.nan), pvalue=p, adjusted=p,
        difference=means[:, a] - means[:, b], method=name,
    )  # fmt: skip


def _corrected(p: FloatArray, adjust: str, n_algorithms: int) -> FloatArray:
    """Correct the p-values of each data set for their number."""
    if adjust == "none":
        return p
    if adjust == "bergmann-hommel":
        if n_algorithms > MOST_INNER:
            raise OptionError(
                f"{n_algorithms} algorithms are too many for Bergmann and Hommel's correction inside a data set.",
                why=f"Its p-values come from no positions on a line, and the exact search ends at {MOST_INNER}.",
                mend="Use inner_adjust='shaffer' or 'holm' (--inner-adjust holm).",
            )
        return bergmann_hommel_rows(p)
    correct: Callable[[npt.ArrayLike], FloatArray] = CORRECTIONS[adjust]
    return np.array([correct(row) for row in p])
