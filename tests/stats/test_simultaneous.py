"""Intervals of all pairs that hold together, against other programs, the tests they belong to and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as outside

import tiebreak as tb
from tiebreak import stats
from tiebreak.errors import OptionError
from tiebreak.stats import simultaneous_intervals
from tiebreak.stats.numeric.studentized_range import critical_value

from ..every import every

DEMSAR = tb.published.demsar2006().means("auc")
ULAS = tb.published.ulas2012()


def excludes(intervals: stats.DifferenceIntervals) -> list[bool]:
    return ((intervals.low > 0) | (intervals.high < 0)).tolist()


# ---- critical values


@pytest.mark.parametrize(("k", "n"), [(3, 5), (6, 4)])
def test_critical_values_are_those_of_scipy(k: int, n: int) -> None:
    """scipy's tests are for independent samples; what is the same is how many standard errors they reach."""
    samples = np.random.default_rng(k).normal(size=(k, n))
    error = np.sqrt(samples.var(axis=1, ddof=1).mean() * 2 / n)
    tukey = outside.tukey_hsd(*samples).confidence_interval(0.95)
    reach = (tukey.high - tukey.low)[0, 1] / 2 / error
    df = k * (n - 1)
    assert critical_value(0.05, k, False, df=df, adjust="sharpest")[0] == pytest.approx(reach, rel=1e-6)
    held = outside.dunnett(*samples[1:], control=samples[0], rng=1).confidence_interval(0.95)
    reach = (held.high - held.low)[0] / 2 / error
    assert critical_value(0.05, k, True, df=df, adjust="sharpest")[0] == pytest.approx(reach, rel=3e-3)
    shared = -outside.t.ppf(0.025 / (k - 1), df)
    assert critical_value(0.05, k, True, df=df, adjust="bonferroni")[0] == pytest.approx(shared)


def test_critical_values_are_those_in_print() -> None:
    """Demsar (2006), Table 5: (a) Nemenyi, (b) Bonferroni-Dunn; Dunnett (1964): 2.57 for two treatments, 10 df."""
    for k, nemenyi, dunn in ((2, 1.960, 1.960), (4, 2.569, 2.394), (10, 3.164, 2.773)):
        assert critical_value(0.05, k, False, df=np.inf, adjust="sharpest")[0] == pytest.approx(nemenyi, abs=6e-4)
        assert critical_value(0.05, k, True, df=np.inf, adjust="bonferroni")[0] == pytest.approx(dunn, abs=6e-4)
    assert critical_value(0.05, 3, True, df=10, adjust="sharpest")[0] == pytest.approx(2.57, abs=5e-3)


# ---- intervals and the tests they belong to


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999])
def test_an_interval_leaves_out_zero_where_the_test_finds_a_difference(level: float) -> None:
    scores = np.random.default_rng(3).normal(size=(14, 6)) + np.arange(6) * 0.35
    for method, settings, options in (
        ("means", stats.tukey_pairs(scores), {}),
        ("means", stats.dunnett_control(scores, control=2), {"control": 2}),
        ("ranks", stats.nemenyi(scores), {}),
        ("ranks", stats.bonferroni_dunn(scores, control=2), {"control": 2, "adjust": "bonferroni"}),
        ("t", stats.paired_t_pairs(scores, adjust="bonferroni"), {}),
    ):
        intervals = simultaneous_intervals(scores, method=method, level=level, **options)
        assert excludes(intervals) == (settings.adjusted < 1 - level).tolist()
        assert (np.sign(intervals.estimate) == np.sign(settings.statistic)).all()


def test_the_estimates_are_differences_of_means_and_of_mean_ranks() -> None:
    scores = np.random.default_rng(4).normal(5.0, 1.0, (9, 4))
    means, ranks = scores.mean(axis=0), outside.rankdata(scores, axis=1).mean(axis=0)
    for method, values in (("means", means), ("ranks", ranks)):
        intervals = simultaneous_intervals(scores, method=method)
        assert intervals.estimate == pytest.approx(
            [values[a] - values[b] for a, b in zip(intervals.a, intervals.b, strict=True)]
        )
        turned = simultaneous_intervals(-scores, method=method, higher_is_better=True)
        assert np.array_equal(turned.low, intervals.low) and np.array_equal(turned.high, intervals.high)
    cd = stats.nemenyi_cd(n_algorithms=4, n_datasets=9)
    assert intervals.high - intervals.estimate == pytest.approx(cd)


@pytest.mark.parametrize("method", ["wilcoxon", "t", "sign"])
def test_pairs_with_errors_of_their_own_share_alpha(method: str) -> None:
    intervals = simultaneous_intervals(DEMSAR, method=method, higher_is_better=True)
    alone = stats.difference_intervals(DEMSAR, method=method, level=1 - 0.05 / 6, higher_is_better=True)
    assert (
        np.array_equal(intervals.low, alone.low)
        and np.array_equal(intervals.high, alone.high)
        and intervals.level == 0.95
    )
    against = simultaneous_intervals(DEMSAR, method=method, control=1)
    alone = stats.difference_intervals(DEMSAR, method=method, level=1 - 0.05 / 3, control=1)
    assert np.array_equal(against.low, alone.low)


@pytest.mark.parametrize("method", ["means", "t", "wilcoxon"])
def test_all_intervals_hold_together_as_often_as_promised(method: str) -> None:
    """400 tables of 5 algorithms that differ; that of means is exact, the others are no shorter than needed."""
    rng, effects, held = np.random.default_rng(7), np.array([0.0, 0.0, 0.4, 1.0, 2.0]), 0
    for _ in range(400):
        intervals = simultaneous_intervals(effects + rng.normal(size=(12, 5)) + rng.normal(size=(12, 1)), method=method)
        truth = effects[intervals.a] - effects[intervals.b]
        held += bool(((intervals.low <= truth) & (truth <= intervals.high)).all())
    low, high = outside.binomtest(held, 400).proportion_ci(0.999)
    assert low <= 0.95 <= high if method == "means" else high >= 0.95


def test_the_unit_of_scores_comes_back() -> None:
    plain = simultaneous_intervals(DEMSAR, method="means")
    for unit in (1e-170, 1e140):
        intervals = simultaneous_intervals(DEMSAR * unit, method="means")
        assert intervals.low / unit == pytest.approx(plain.low) and intervals.estimate / unit == pytest.approx(
            plain.estimate
        )


def test_degenerate_tables_have_an_answer() -> None:
    same = simultaneous_intervals(np.ones((4, 3)), method="means")
    assert same.low.tolist() == same.high.tolist() == [0.0] * 3
    ties = simultaneous_intervals(np.ones((4, 3)), method="ranks")
    assert ties.low.tolist() == ties.high.tolist() == [0.0] * 3
    shifted = simultaneous_intervals([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], method="means")
    assert shifted.low.tolist() == shifted.high.tolist() == [-1.0] and shifted.caveats
    few = simultaneous_intervals(DEMSAR[:3])
    assert np.isinf(few.low).all() and "too few" in few.caveats[0]


def test_wrong_options_are_refused() -> None:
    with pytest.raises(OptionError, match=r"There is no method 'mean'.*Did you mean 'means'"):
        simultaneous_intervals(DEMSAR, method="mean")
    with pytest.raises(OptionError, match="There is no adjust 'holm'"):
        simultaneous_intervals(DEMSAR, adjust="holm")
    with pytest.raises(OptionError, match="level is 95"):
        simultaneous_intervals(DEMSAR, method="ranks", level=95)


# ---- of a comparison


@every(
    ("asked", "method", "ranks"),
    [
        ({}, "Hodges-Lehmann estimate, Walsh averages, Bonferroni over the pairs", False),
        ({"pairwise": "paired-t"}, "Mean, Student's t, Bonferroni over the pairs", False),
        ({"pairwise": "sign"}, "Median, order statistics, Bonferroni over the pairs", False),
        ({"posthoc": "tukey"}, "Difference of mean scores, pooled error, range of all of them", False),
        (
            {"posthoc": "dunnett", "control": "mlp"},
            "Difference of mean scores, pooled error, Dunnett's maximum against the control",
            False,
        ),
        ({"posthoc": "nemenyi"}, "Difference of mean ranks, range of all of them", True),
        ({"pairwise": "exact-ranks"}, "Difference of mean ranks, range of all of them", True),
        ({"posthoc": "dunn"}, "Difference of mean ranks, Bonferroni over the pairs", True),
        (
            {"posthoc": "bonferroni-dunn", "control": "mlp"},
            "Difference of mean ranks, Bonferroni over the pairs",
            True,
        ),
        (
            {"omnibus": "aligned-ranks", "pairwise": "ranks"},
            "Difference of mean aligned ranks, range of all of them",
            True,
        ),
        ({"omnibus": "quade", "pairwise": "ranks"}, "Difference of weighted mean ranks, range of all of them", True),
        ({"omnibus": "skillings-mack"}, "Difference of mean ranks, Bonferroni over the pairs", True),
    ],
)
def test_a_comparison_has_the_intervals_of_its_test(asked: dict[str, str], method: str, ranks: bool) -> None:
    compare = tb.compare(ULAS, score="accuracy", **asked)
    held = compare.simultaneous_intervals()
    assert held.method == method and compare.by_ranks is ranks and held.level == 0.95
    assert held.a.tolist() == compare.tests.a.tolist() and held.b.tolist() == compare.tests.b.tolist()
    clear = np.array(excludes(held))
    assert not (clear & (compare.tests.adjusted > compare.alpha)).any() or asked.get("pairwise") == "sign"
    if compare.plan.test.kind == "posthoc":
        assert clear.tolist() == (compare.tests.adjusted <= compare.alpha).tolist()
    if compare.critical_difference is not None:
        assert held.high - held.estimate == pytest.approx(compare.critical_difference)
    if ranks:
        assert held.estimate == pytest.approx(compare.locations[held.a] - compare.locations[held.b])


def test_gaps_that_a_test_takes_leave_intervals() -> None:
    scores = np.random.default_rng(1).normal(size=(15, 4)) + np.arange(4)
    scores[0, 0] = scores[3, 2] = np.nan
    table = tb.Results.from_array(scores, score="error")
    for policy in ("skillings-mack", "worst-rank"):
        held = tb.compare(table, missing=policy).simultaneous_intervals(level=0.9)
        assert np.isfinite(held.low).all() and (held.low < held.estimate).all() and held.level == 0.9


def test_after_an_anytime_test_it_is_said_that_the_intervals_hold_for_one_look() -> None:
    compare = tb.compare(ULAS, score="accuracy", pairwise="anytime")
    codes = [note.code for note in compare.simultaneous_intervals().caveats]
    assert "anytime-limits" in codes
    assert any("one look" in note for note in compare.figure("forest").caveats)
    plain = tb.compare(ULAS, score="accuracy").simultaneous_intervals()
    assert "anytime-limits" not in [note.code for note in plain.caveats]
