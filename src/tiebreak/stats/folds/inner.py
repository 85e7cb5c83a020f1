"""Tests of all pairs inside every data set, each corrected for its own pairs: what MultiTest reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_names
from tiebreak.caveats import Caveat, distinct
from tiebreak.errors import InputError, OptionError
from tiebreak.methods import choices, find
from tiebreak.stats.adjust.bergmann_hommel import bergmann_hommel_rows
from tiebreak.stats.folds.fold_tests import fold_pairs, known_share
from tiebreak.stats.results import CORRECTIONS, OverDatasets, correction_name, decided, pair_indices
from tiebreak.wording import any_of, option

MOST_INNER = 14
"""Bergmann and Hommel's correction inside a data set goes up to so many algorithms."""
USUAL_INNER = 11
"""Up to so many algorithms it is the default there; it takes 20 ms for a data set, and 600 ms with 14 algorithms."""
PairTest = Callable[[FloatArray, FloatArray], float]
"""A test of the user's own: two vectors of fold scores, turned so that lower is better, in; a two-sided p-value out."""
UNTESTED = {"statistic": 0.0, "pvalue": 1.0, "adjusted": 1.0, "difference": 0.0}
"""What stands for a pair that was not tested."""
SHARED_TRAINING = Caveat(
    "folds-share-training-data", "Folds of one data set share training data, so the test finds differences too often."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class InnerTests(OverDatasets):
    """Tests of all pairs on every data set: arrays (data sets, pairs); `difference` is mean error of a less b's.

    `signed` says that the statistic points one way, so that it decides nothing where the means point the other.
    """

    COLUMNS = ("statistic", "pvalue", "adjusted", "difference")

    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    difference: FloatArray
    signed: bool = False

    def title(self) -> str:
        """Say in one line what was computed."""
        return f"{self.method}: {self.pvalue.shape[1]} pair(s) on each of {len(self.pvalue)} data set(s)"

    def better(self, alpha: float) -> BoolArray:
        """Return better[s, i, j]: on data set s, j is significantly better than i (p <= alpha and a lower error)."""
        significant = self.adjusted <= alpha
        if self.signed:
            significant &= np.sign(self.statistic) == np.sign(self.difference)
        return decided(self.a, self.b, significant, self.difference, len(self.algorithms))


def inner_tests(
    errors: FloatArray,
    *,
    pairwise: str | PairTest,
    adjust: str,
    test_share: float | None = None,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> InnerTests:
    """Test all pairs on every data set; `errors` is (data sets, algorithms, replications, folds), lower the better."""
    check_choice("inner correction", adjust, CORRECTIONS)
    a, b = pair_indices(errors.shape[1])
    means = errors.mean(axis=(2, 3))
    difference = means[:, a] - means[:, b]
    if callable(pairwise):
        fields = _by_own_test(errors, pairwise, a, b)
    else:
        record = find(pairwise, "folds", verb="order", what="pairwise test")
        _check_folds(errors.shape[2:], pairwise, record.resampling)
        if pairwise in choices("pairs"):  # a test of paired vectors, which takes the folds as such
            tables = [record(folds.reshape(len(folds), -1).T) for folds in errors]
            fields = {name: np.array([getattr(table, name) for table in tables]) for name in ("statistic", "pvalue")}
            fields["method"] = f"{'Wilcoxon signed ranks' if pairwise == 'wilcoxon' else 'Sign'} test on folds"
            fields |= {"signed": True, "caveats": (SHARED_TRAINING,)}
        else:
            share = known_share(errors.shape[3], test_share) if "test_share" in record.options else None
            tested = fold_pairs(errors.reshape(*errors.shape[:2], -1), method=pairwise, test_share=share)
            names = ("statistic", "pvalue", "method", "caveats")
            fields = {name: getattr(tested, name) for name in names}
            fields["signed"] = record.symbol != "F"  # an F points to neither side
            difference = tested.mean_difference
    fields["method"] = f"{fields['method']} {correction_name(adjust)}"
    return InnerTests(
        a=a,
        b=b,
        difference=difference,
        adjusted=_corrected(fields["pvalue"], adjust, errors.shape[1]),
        algorithms=check_names(algorithms, errors.shape[1], kind="algorithm"),
        datasets=check_names(datasets, len(errors), kind="data set"),
        **fields,
    )


def _check_folds(shape: tuple[int, ...], pairwise: str, resampling: tuple[int, ...]) -> None:
    """Refuse folds of another resampling than the record of a test asks for, and single ones."""
    replications, folds = shape
    if resampling not in ((), (replications, folds)):
        needed = "{} replications of {} folds".format(*resampling)
        raise InputError(
            f"The test {pairwise} needs {needed}, and there are {replications} of {folds}.",
            mend=f"Use {option(pairwise='corrected-t')} for other resampling, or {option(pairwise='score')} for one"
            " score per data set; if this is 5x2 cross-validation, add the column 'replication'.",
        )
    if replications * folds < 2:
        raise InputError(
            "There is one score for each data set and algorithm.",
            mend=f"Give the scores of the folds, or use {option(pairwise='score')} to rank without a test inside"
            " the data sets.",
        )


def _by_own_test(errors: FloatArray, test: PairTest, a: IntArray, b: IntArray) -> dict[str, Any]:
    flat = errors.reshape(*errors.shape[:2], -1)
    p = np.array([own_pvalues(test, folds, a, b) for folds in flat])
    return {"statistic": np.full(p.shape, np.nan), "pvalue": p, "method": own_name(test)}


def own_pvalues(test: PairTest, vectors: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Run a test of the user's own on pairs of vectors; NaN is no p-value either."""
    p = np.array([float(test(vectors[i], vectors[j])) for i, j in zip(a, b, strict=True)])
    if not ((p >= 0) & (p <= 1)).all():
        raise OptionError(
            "The pairwise test returned something that is not a p-value.", mend="Return a number between 0 and 1."
        )
    return p


def own_name(test: PairTest) -> str:
    """Name a test of the user's own; a lambda has no name that says anything."""
    name = getattr(test, "__name__", "")
    return name if name and name != "<lambda>" else "test of the user's own"


def _corrected(p: FloatArray, adjust: str, count: int) -> FloatArray:
    """Correct the p-values of each data set for their number."""
    if adjust == "none":
        return p
    if adjust == "bergmann-hommel":
        if count > MOST_INNER:
            raise OptionError(
                f"{count} algorithms are too many for Bergmann and Hommel's correction inside a data set (at most"
                f" {MOST_INNER}).",
                mend=f"Use {any_of('inner_adjust', ['shaffer', 'holm'])}.",
            )
        return bergmann_hommel_rows(p)
    return np.array([CORRECTIONS[adjust](row) for row in p])


def spread_tests(
    parts: Sequence[tuple[IntArray, IntArray, InnerTests]], datasets: tuple[str, ...], algorithms: tuple[str, ...]
) -> InnerTests:
    """Lay tests of some algorithms on some data sets out over all; a pair that was not tested has p = 1.

    Each part holds the places of its data sets, those of its algorithms, and their tests.
    """
    a, b = pair_indices(len(algorithms))
    place = np.zeros((len(algorithms), len(algorithms)), dtype=np.int64)
    place[a, b] = np.arange(len(a))
    arrays: dict[str, Any] = {name: np.full((len(datasets), len(a)), value) for name, value in UNTESTED.items()}
    for rows, columns, tests in parts:
        pairs = place[columns[tests.a], columns[tests.b]]
        for name, array in arrays.items():
            array[np.ix_(rows, pairs)] = getattr(tests, name)
    caveats = distinct(note for _, _, tests in parts for note in tests.caveats)
    return replace(parts[0][2], a=a, b=b, caveats=caveats, datasets=datasets, algorithms=algorithms, **arrays)
