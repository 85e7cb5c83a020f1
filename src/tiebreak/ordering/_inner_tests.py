"""Who is significantly better on each data set, from the fold scores: the tests inside MultiTest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, check_names
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.documents import Framed, Row
from tiebreak.errors import InputError, OptionError
from tiebreak.methods import choices, find
from tiebreak.stats import CORRECTIONS, bergmann_hommel_rows, fold_pairs
from tiebreak.stats.folds.fitting import known_share
from tiebreak.stats.pairwise import correction_name, pair_indices
from tiebreak.wording import any_of, option

MOST_INNER = 14
"""Bergmann and Hommel's correction inside a data set goes up to so many algorithms."""
USUAL_INNER = 11
"""Up to so many algorithms it is the default there; it takes 20 ms for a data set, and 600 ms with 14 algorithms."""
PairTest = Callable[[FloatArray, FloatArray], float]
"""A test of the user's own: two vectors of fold scores, turned so that lower is better, in; a two-sided p-value out."""


SHARED_TRAINING = Caveat(
    "folds-share-training-data", "Folds of one data set share training data, so the test finds differences too often."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Inner(Framed):
    """Tests of all pairs on every data set: arrays (data sets, pairs); `difference` is mean error of a less b's.

    `datasets` and `algorithms` are the names of their axes, where they are known.
    """

    a: IntArray
    b: IntArray
    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    difference: FloatArray
    method: str
    signed: bool = False
    caveats: Caveats = ()
    datasets: tuple[str, ...] = ()
    algorithms: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Inner: {self.method}: {self.pvalue.shape[1]} pair(s) on each of {len(self.pvalue)} data set(s)>"

    def rows(self) -> list[Row]:
        """Return one row per data set and pair."""
        sets = check_names(self.datasets or None, len(self.pvalue), kind="data set")
        names = check_names(self.algorithms or None, int(self.b.max()) + 1, kind="algorithm")
        columns = {name: getattr(self, name) for name in _UNTESTED}
        return [
            {"dataset": dataset, "a": names[a], "b": names[b]}
            | {name: float(array[row, pair]) for name, array in columns.items()}
            for row, dataset in enumerate(sets)
            for pair, (a, b) in enumerate(zip(self.a.tolist(), self.b.tolist(), strict=True))
        ]

    def better(self, alpha: float, n_algorithms: int) -> BoolArray:
        """Return better[s, i, j]: on data set s, j is significantly better than i (p <= alpha and a lower error)."""
        out = np.zeros((len(self.pvalue), n_algorithms, n_algorithms), dtype=bool)
        significant = self.adjusted <= alpha
        if self.signed:  # a test that points one way says nothing where the mean points the other
            significant &= np.sign(self.statistic) == np.sign(self.difference)
        out[:, self.a, self.b] = significant & (self.difference > 0)
        out[:, self.b, self.a] = significant & (self.difference < 0)
        return out


def inner_tests(errors: FloatArray, *, pairwise: str | PairTest, adjust: str, test_share: float | None = None) -> Inner:
    """Test all pairs on every data set; `errors` is (data sets, algorithms, replications, folds), lower the better."""
    check_choice("inner correction", adjust, CORRECTIONS)
    if callable(pairwise):
        found = _own(errors, pairwise)
    else:
        check_choice("pairwise test", pairwise, choices("folds", verb="order"))
        paired = pairwise in choices("pairs")  # a test of paired vectors, which takes the folds as such
        found = _by_data_set(errors, pairwise) if paired else _by_folds(errors, pairwise, test_share)
    return replace(
        found,
        adjusted=_corrected(found.pvalue, adjust, errors.shape[1]),
        method=f"{found.method} {correction_name(adjust)}",
    )


def _by_folds(errors: FloatArray, pairwise: str, test_share: float | None) -> Inner:
    """Run a vectorised test of the folds, if they are of the resampling that its record asks for."""
    replications, folds = errors.shape[2:]
    record = find(pairwise, "folds")
    if record.resampling not in ((), (replications, folds)):
        needed = "{} replications of {} folds".format(*record.resampling)
        raise InputError(
            f"There are {replications} replication(s) of {folds} fold(s).",
            why=f"The test {pairwise} needs {needed}, named as such.",
            mend=f"Use {option(pairwise='corrected-t')} for other resampling, or {option(pairwise='score')} for one"
            " score per data set; if this is 5x2 cross-validation, add the column 'replication'.",
        )
    if replications * folds < 2:
        raise _one_fold(pairwise)
    share = known_share(folds, test_share) if "test_share" in record.options else None
    found = fold_pairs(errors.reshape(*errors.shape[:2], -1), method=pairwise, test_share=share)
    return Inner(
        a=found.a,
        b=found.b,
        statistic=found.statistic,
        pvalue=found.pvalue,
        adjusted=found.pvalue,
        difference=found.mean_difference,
        method=found.method,
        signed=record.symbol != "F",  # an F points to neither side
        caveats=found.caveats,
    )


def _one_fold(pairwise: str) -> InputError:
    return InputError(
        "There is one score for each data set and algorithm.",
        why=f"The test {pairwise} measures how scores vary over folds.",
        mend=f"Give the scores of the folds, or use {option(pairwise='score')} to rank without a test inside"
        " the data sets.",
    )


def _by_data_set(errors: FloatArray, pairwise: str) -> Inner:
    """Run a test of paired vectors on the folds of each data set."""
    if errors.shape[2] * errors.shape[3] < 2:
        raise _one_fold(pairwise)
    test = find(pairwise, "folds", verb="order")
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
        caveats=(SHARED_TRAINING,),
    )


def check_own(p: FloatArray) -> None:
    """Refuse what a test of the user's own returned if it is no p-value; NaN is none either."""
    if not ((p >= 0) & (p <= 1)).all():
        raise OptionError(
            "The pairwise test returned something that is not a p-value.",
            why="Decisions are made by p <= alpha.",
            mend="Return a number between 0 and 1.",
        )


def own_name(test: PairTest) -> str:
    """Name a test of the user's own; a lambda has no name that tells anything."""
    name = getattr(test, "__name__", "")
    return name if name and name != "<lambda>" else "test of the user's own"


def _own(errors: FloatArray, test: PairTest) -> Inner:
    """Run a test of the user's own on every pair and data set."""
    a, b = pair_indices(errors.shape[1])
    flat = errors.reshape(*errors.shape[:2], -1)
    p = np.array([[float(test(each[i], each[j])) for i, j in zip(a, b, strict=True)] for each in flat])
    check_own(p)
    means = flat.mean(axis=2)
    name = own_name(test)
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
                mend=f"Use {any_of('inner_adjust', ['shaffer', 'holm'])}.",
            )
        return bergmann_hommel_rows(p)
    correct: Callable[[npt.ArrayLike], FloatArray] = CORRECTIONS[adjust]
    return np.array([correct(row) for row in p])


def spread_tests(parts: Sequence[tuple[IntArray, IntArray, Inner]], shape: tuple[int, int]) -> Inner:
    """Lay tests of some algorithms on some data sets out over all; a pair that was not tested has p = 1.

    Each part holds its data sets, its algorithms and their tests; `shape` is (data sets, algorithms).
    """
    a, b = pair_indices(shape[1])
    place = np.zeros((shape[1], shape[1]), dtype=np.int64)
    place[a, b] = np.arange(len(a))
    filled: dict[str, Any] = {name: np.full((shape[0], len(a)), fill) for name, fill in _UNTESTED.items()}
    for rows, there, inner in parts:
        columns = place[there[inner.a], there[inner.b]]
        for name, array in filled.items():
            array[np.ix_(rows, columns)] = getattr(inner, name)
    first = parts[0][2]
    caveats = distinct(note for _, _, inner in parts for note in inner.caveats)
    return Inner(a=a, b=b, method=first.method, signed=first.signed, caveats=caveats, **filled)


_UNTESTED = {"statistic": 0.0, "pvalue": 1.0, "adjusted": 1.0, "difference": 0.0}
