"""Pairs on the folds of several data sets together, and which test fits a resampling."""

from __future__ import annotations

import itertools
from math import sqrt

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tiebreak import stats
from tiebreak._checks import FloatArray
from tiebreak.errors import InputError, OptionError

RNG = np.random.default_rng(20)
ERRORS = [
    RNG.normal(0.2, 0.03, (4, *shape)) + np.linspace(0, 0.03, 4)[:, None, None] for shape in ((1, 10), (5, 2), (3, 4))
]


def z_of(d: FloatArray, share: float | None = None) -> float:
    """Return the signed z of one data set by the formulas of the papers, written out with scipy's distributions."""
    replications, folds = d.shape
    if (replications, folds) == (5, 2):
        f = (d**2).sum() / (2 * ((d - d.mean(axis=1, keepdims=True)) ** 2).sum())
        return float(np.sign(d.mean()) * scipy_stats.norm.isf(scipy_stats.f.sf(f, 10, 5) / 2))
    share = 1 / folds if share is None else share
    n = d.size
    t = d.mean() / sqrt((1 / n + share / (1 - share)) * d.var(ddof=1))
    return float(np.sign(t) * scipy_stats.norm.isf(scipy_stats.t.sf(abs(t), n - 1)))


def test_it_is_stouffers_sum_of_the_corrected_tests() -> None:
    together = stats.folds_together(ERRORS)
    for place, (i, j) in enumerate(itertools.combinations(range(4), 2)):
        z = [z_of(error[i] - error[j]) for error in ERRORS]
        assert together.z[:, place] == pytest.approx(z, abs=1e-12)
        assert together.statistic[place] == pytest.approx(sum(z) / sqrt(3), abs=1e-12)
        assert together.pvalue[place] == pytest.approx(2 * scipy_stats.norm.sf(abs(sum(z)) / sqrt(3)))
        assert together.mean_difference[:, place] == pytest.approx([(x[i] - x[j]).mean() for x in ERRORS])
    assert together.tests == ("corrected resampled t test", "5x2 cv F test", "corrected resampled t test")
    assert (
        together.method
        == "Folds of 3 data set(s) together (corrected resampled t test and 5x2 cv F test) without correction"
    )
    assert not together.caveats


def test_one_data_set_has_the_p_values_of_its_own_test() -> None:
    for error, method, share in zip(ERRORS, ("corrected-t", "5x2cv-f", "corrected-t"), (0.1, None, 0.25), strict=True):
        one = stats.folds_together([error])
        alone = stats.fold_pairs(error[None], method=method, test_share=share)
        assert one.pvalue == pytest.approx(alone.pvalue[0], rel=1e-12)


def test_the_better_one_direction_control_and_correction() -> None:
    together = stats.folds_together(ERRORS, adjust="holm", algorithms=list("abcd"), datasets=["x", "y", "z"])
    higher = stats.folds_together([-error for error in ERRORS], adjust="holm", higher_is_better=True)
    assert together.statistic == pytest.approx(higher.statistic)
    assert together.statistic[2] < 0  # a is better than d
    assert together.adjusted == pytest.approx(stats.holm(together.pvalue))
    assert together.datasets == ("x", "y", "z") and together.rows()[0]["a"] == "a"
    control = stats.folds_together(ERRORS, control=3)
    assert control.statistic == pytest.approx(-together.statistic[[2, 4, 5]])
    with pytest.raises(OptionError, match="takes no control"):
        stats.folds_together(ERRORS, control=3, adjust="shaffer")


def test_hold_out_needs_the_share_and_uses_it() -> None:
    splits = RNG.normal(size=(2, 30, 1))
    with pytest.raises(InputError) as error:
        stats.folds_together([ERRORS[0][:2], splits], datasets=["iris", "wine"])
    assert str(error.value) == (
        "There is one fold in each replication on 'wine'. How much hold-out splits overlap depends on the share of"
        " the data that is tested on. Give it: test_share=0.33 if a third is tested on."
    )
    together = stats.folds_together([ERRORS[0][:2], splits], test_share=[None, 0.33])
    assert together.z[:, 0] == pytest.approx([z_of(ERRORS[0][0] - ERRORS[0][1]), z_of(splits[0] - splits[1], 0.33)])
    assert stats.folds_together([splits], test_share=0.33).z[0] == pytest.approx(together.z[1])
    with pytest.raises(OptionError, match=r"test_share has 1 value\(s\) for 2 data set\(s\)"):
        stats.folds_together([splits, splits], test_share=[0.3])
    with pytest.raises(OptionError, match=r"test_share is 1.5"):
        stats.folds_together([splits], test_share=1.5)


def test_degenerate_folds_have_an_answer() -> None:
    same, shifted = np.full((2, 1, 10), 0.5), np.full((2, 1, 10), 0.5)
    shifted[1] += 0.25
    nothing = stats.folds_together([same, same])
    assert nothing.statistic[0] == 0.0 and nothing.pvalue[0] == 1.0
    assert [caveat.code for caveat in nothing.caveats] == ["no-difference"]
    opposed = stats.folds_together([shifted, shifted[::-1]])
    assert opposed.statistic[0] == 0.0 and opposed.pvalue[0] == 1.0
    assert [caveat.code for caveat in opposed.caveats] == ["constant-difference"]
    once = stats.folds_together([shifted, same])
    assert 26 < -once.statistic[0] < 27 and np.isfinite(once.pvalue).all() and 0 < once.pvalue[0] < 1e-150
    huge = stats.folds_together([error * 1e140 for error in ERRORS])
    assert huge.statistic == pytest.approx(stats.folds_together(ERRORS).statistic)


def test_data_sets_without_folds_are_left_out_and_named() -> None:
    one = RNG.normal(size=(4, 1, 1))
    together = stats.folds_together([*ERRORS, one], datasets=["x", "y", "z", "w"])
    assert together.statistic == pytest.approx(stats.folds_together(ERRORS).statistic)
    assert together.datasets == ("x", "y", "z")
    assert [(caveat.code, str(caveat)) for caveat in together.caveats] == [
        (
            "no-folds",
            "1 data set(s) with one score for each algorithm have no folds to test on and were left out: w.",
        )
    ]
    with pytest.raises(InputError, match="There is one score for each data set and algorithm"):
        stats.folds_together([one, one])


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([], "scores holds no data set"),
        ([np.ones((2, 10))], r"scores\[0\] has shape \(2, 10\)"),
        ([np.ones((2, 1, 10)), np.ones((3, 1, 10))], r"scores\[1\] has shape \(3, 1, 10\)"),
        ([np.ones((1, 1, 10))], r"scores\[0\] has 1 algorithm"),
        ([np.full((2, 1, 10), np.nan)], r"scores\[0\]\[0, 0, 0\] is nan"),
    ],
)
def test_what_does_not_fit_is_refused(scores: list[FloatArray], message: str) -> None:
    with pytest.raises(InputError, match=message):
        stats.folds_together(scores)


def test_the_order_of_data_sets_algorithms_and_folds_does_not_matter() -> None:
    statistic = stats.folds_together(ERRORS).statistic
    assert stats.folds_together(ERRORS[::-1]).statistic == pytest.approx(statistic)
    turned = stats.folds_together([error[::-1] for error in ERRORS]).statistic
    assert turned == pytest.approx(-statistic[::-1][[0, 1, 3, 2, 4, 5]])
    assert stats.folds_together([error[:, ::-1, ::-1] for error in ERRORS]).statistic == pytest.approx(statistic)


def test_equal_algorithms_are_told_apart_in_alpha_of_all_runs() -> None:
    """Correlated folds of three data sets, 5x10: 12 algorithms at once, neighbours as pairs."""
    rng = np.random.default_rng(5)
    rejected = []
    for _ in range(60):
        cubes = [
            (sqrt(0.1) * rng.normal(size=(12, 1)) + sqrt(0.9) * rng.normal(size=(12, 50))).reshape(12, 5, 10)
            for _ in range(3)
        ]
        p = stats.folds_together(cubes).pvalue
        a, _ = np.triu_indices(12, 1)
        neighbours = [int(np.flatnonzero(a == i)[0]) for i in range(0, 12, 2)]
        rejected += list(p[neighbours] <= 0.05)
    low, high = scipy_stats.binom.ppf([0.001, 0.999], len(rejected), 0.05)
    assert low <= sum(rejected) <= high


@pytest.mark.parametrize(
    ("replications", "folds", "name"),
    [
        (5, 2, "5x2cv-f"), (1, 2, "corrected-t"), (1, 10, "corrected-t"), (10, 10, "corrected-t"),
        (2, 5, "corrected-t"), (30, 1, "corrected-t"), (1, 1, None),
    ],
)  # fmt: skip
def test_the_fitting_test(replications: int, folds: int, name: str | None) -> None:
    assert stats.fitting_test(replications, folds) == name


def test_the_fitting_test_takes_counts() -> None:
    with pytest.raises(OptionError, match=r"folds is 0"):
        stats.fitting_test(5, 0)
