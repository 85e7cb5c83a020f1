"""Hotelling's paired T2, all pairs, MANOVA and learned measures: oracles, second routes, invariances, dependence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import CORRECTIONS, kfold_t, rm_anova
from tiebreak.stats.multivariate.hotelling_tests import hotelling, hotelling_pairs
from tiebreak.stats.multivariate.manova_tests import MANOVA_STATISTICS, learned_measures, manova
from tiebreak.stats.numeric.basics import TINY

from ..every import every

SEEDS = st.integers(0, 2**32 - 1)
COUNTS = ["tp", "fp", "tn", "fn"]

# pingouin's data set "multivariate": Fever, Pressure, Aches of 18 patients with the drug, then 18 with placebo
PINGOUIN = (
    "38.4 73 18/36.8 85 14/40.0 58 20/39.8 80 20/38.6 68 25/39.1 52 27/38.9 79 26/36.8 100 8/40.4 64 21/39.4 53 22/"
    "38.0 70 15/38.6 75 14/40.1 48 28/38.1 57 22/37.2 78 16/39.5 65 18/37.3 77 13/39.1 67 16/40.9 54 14/39.5 75 18/"
    "39.4 57 24/38.2 71 24/39.7 65 22/38.9 49 30/38.6 58 25/39.9 52 17/41.3 62 18/38.1 57 20/39.6 78 19/37.1 92 15/"
    "39.5 63 13/40.3 52 25/41.5 46 27/39.3 56 14/37.6 86 16/40.6 48 21"
)
TABLE = np.array([row.split() for row in PINGOUIN.split("/")], dtype=float)
DRUG, PLACEBO = TABLE[:18], TABLE[18:]
MATLAB = np.array([[[1, 2], [3, 4], [8, 6]], [[3, 4], [6, 8], [9, 10]], [[6, 7], [10, 23], [2, 78]]]).swapaxes(0, 1)


def counts(seed: int, n_folds: int = 10, n_algorithms: int = 3) -> np.ndarray:
    """Confusion counts with 50 positives and 70 negatives per fold: tp + fn and fp + tn are constant."""
    rng = np.random.default_rng(seed)
    tp, fp = rng.binomial(50, 0.8, (n_folds, n_algorithms)), rng.binomial(70, 0.2, (n_folds, n_algorithms))
    return np.stack([tp, fp, 70 - fp, 50 - tp], axis=2).astype(float)


def normal(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def affine(seed: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    """A change of measures: a mixing matrix that is not too flat, then units from 1e-3 to 1e6."""
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(p, p)))[0]
    return turn @ np.diag(rng.uniform(0.2, 5.0, p)) @ turn.T, 10.0 ** rng.uniform(-3, 6, p)


# Oracles


def test_hotelling_pingouin():
    """pingouin 0.7.0, docstring of multivariate_ttest, paired=True."""
    result = hotelling(DRUG, PLACEBO, measure_names=["Fever", "Pressure", "Aches"])
    assert result.t2 == pytest.approx(4.468456, abs=5e-7)
    assert result.statistic == pytest.approx(1.314252, abs=5e-7)
    assert result.pvalue == pytest.approx(0.306542, abs=5e-7)
    assert (result.df, result.rank, result.n_folds, result.caveats) == ((3, 15), 3, 18, ())


def test_hotelling_authors():
    """hotellingt of the authors' MATLAB code (olcaytaner/StatisticalTests)."""
    result = hotelling([[1, 2], [3, 4], [6, 5], [10, 7]], [[3, 5], [6, 2], [5, 7], [8, 6]])
    assert result.t2 == pytest.approx(0.375, rel=1e-12)
    assert result.statistic == pytest.approx(0.125, rel=1e-12)
    assert result.pvalue == pytest.approx(8 / 9, rel=1e-12)


def test_manova_authors():
    """manova of the authors' MATLAB code, chi-squared; R summary(manova(...), test="Wilks"): F 1.1456, p .3899."""
    result = manova(MATLAB, statistic="bartlett")
    assert result.wilks == pytest.approx(0.470256752, abs=5e-10)
    assert result.statistic == pytest.approx(4.149620489, abs=5e-10)
    assert result.pvalue == pytest.approx(0.386135454, abs=5e-10)
    rao = result.test("wilks")
    assert (round(rao.statistic, 4), rao.df, round(rao.pvalue, 4)) == (1.1456, (4, 10), 0.3899)


# statsmodels 0.15.0:
#   MANOVA.from_formula("y1 + y2 ~ g", frame).mv_test()                      the authors' three groups of three
#   MANOVA.from_formula("Fever + Pressure + Aches ~ g", frame).mv_test()     the 36 rows above as four groups of nine
#   MANOVA.from_formula("Fever + Pressure + Aches ~ g + C(k)", frame).mv_test()   and k the place in the group
# Its F for Hotelling-Lawley is another approximation (McKeon), so that its value alone is compared.
FOUR = TABLE.reshape(4, 9, 3).swapaxes(0, 1)
STATSMODELS = [
    (MATLAB, False, "wilks", 0.470256752015, 1.145629154645, (4, 10), 0.389923699786),
    (MATLAB, False, "pillai", 0.555868230618, 1.154745520602, (4, 12), 0.378078891789),
    (MATLAB, False, "roy", 1.016278319618, 3.048834958854, (2, 6), 0.121996833666),
    (FOUR, False, "wilks", 0.689510767262, 1.34166669638, (9, 73.162722864004), 0.230896070395),
    (FOUR, False, "pillai", 0.339438506659, 1.360869656057, (9, 96), 0.216747540248),
    (FOUR, False, "roy", 0.261844414934, 2.793007092632, (3, 32), 0.056163766458),
    (FOUR, True, "wilks", 0.615732152156, 1.315460031308, (9, 53.692824993781), 0.250979701223),
    (FOUR, True, "pillai", 0.43453096094, 1.355014476725, (9, 72), 0.224834386995),
    (FOUR, True, "roy", 0.314496762976, 2.515974103812, (3, 24), 0.082310943476),
]


@every(("data", "blocked", "name", "value", "f", "df", "pvalue"), STATSMODELS)
def test_manova_statsmodels(data, blocked, name, value, f, df, pvalue):
    result = manova(data, blocked=blocked, statistic=name)
    test = result.test(name)
    assert (test.value, test.statistic, test.pvalue) == pytest.approx((value, f, pvalue), rel=1e-10)
    assert test.df == pytest.approx(df, rel=1e-12)
    assert (result.statistic, result.pvalue, result.df) == (test.statistic, test.pvalue, test.df)


@pytest.mark.parametrize(
    ("data", "blocked", "value"),
    [(MATLAB, False, 1.070943188362), (FOUR, False, 0.408915689106), (FOUR, True, 0.544260620533)],
)
def test_hotelling_lawley(data, blocked, value):
    """The value as in statsmodels; F by the formula of R's summary.manova, from m and n."""
    result = manova(data, blocked=blocked)
    test = result.test("hotelling-lawley")
    p, h = data.shape[2], result.df_hypothesis
    s, m, n = min(p, h), (abs(p - h) - 1) / 2, (result.df_error - p - 1) / 2
    df = (s * (2 * m + s + 1), 2 * (s * n + 1))
    assert test.value == pytest.approx(value, rel=1e-10)
    assert test.df == pytest.approx(df)
    f = df[1] * value / s**2 / (2 * m + s + 1)
    assert (test.statistic, test.pvalue) == pytest.approx((f, stats.f.sf(f, *df)), rel=1e-9)


def test_dependent_measures_are_counted_once():
    """pingouin 0.7.0 counts the fourth measure, the sum of the others, as a dimension: p = .922563, not .808778.

    pg.multivariate_ttest(with_sum(a), with_sum(b), paired=True) gives T2 1.184512, F .215366 on (4, 8), p .922563.
    """
    a = "737 788 973 151 941 165 525 718 539 589 545 151"
    b = "275 994 571 623 818 795 498 427 918 735 711 698"
    a, b = (np.array([list(row) for row in text.split()], dtype=float) for text in (a, b))
    result = hotelling(*(np.column_stack([x, x.sum(axis=1)]) for x in (a, b)), measure_names=["a", "b", "c", "sum"])
    assert result.t2 == pytest.approx(1.184511847, rel=1e-9)
    assert result.df == (3, 9)
    assert result.pvalue == pytest.approx(0.8087778636, rel=1e-9)
    assert result.pvalue == pytest.approx(hotelling(a, b).pvalue, rel=1e-12)
    assert result.caveats == (
        "The 4 measures span 3 dimension(s): up to a constant, 'sum' can be computed from the others."
        " The test uses those dimensions and counts no others.",
    )


# Second routes


def test_one_measure_is_the_paired_t_test():
    a, b = normal(1, 12, 1), normal(2, 12, 1)
    result, t = hotelling(a, b), stats.ttest_rel(a[:, 0], b[:, 0])
    assert result.t2 == pytest.approx(t.statistic**2, rel=1e-12)
    assert result.pvalue == pytest.approx(t.pvalue, rel=1e-12)
    assert result.t[0] == pytest.approx(t.statistic, rel=1e-12)
    interval = t.confidence_interval(0.95)
    assert [result.t2_low[0], result.t2_high[0]] == pytest.approx(list(interval), rel=1e-10)
    assert [result.bonferroni_low[0], result.bonferroni_high[0]] == pytest.approx(list(interval), rel=1e-10)
    assert result.pvalue == pytest.approx(kfold_t(a[:, 0], b[:, 0]).pvalue, rel=1e-12)


def test_one_measure_is_analysis_of_variance():
    x = normal(3, 8, 4, 1)
    one_way, f = manova(x), stats.f_oneway(*x[:, :, 0].T)
    assert (one_way.statistic, one_way.pvalue) == pytest.approx((f.statistic, f.pvalue), rel=1e-11)
    assert one_way.df == (3, 28)
    repeated = rm_anova(x[:, :, 0])
    for name in ("wilks", "pillai", "hotelling-lawley", "roy"):
        blocked = manova(x, blocked=True, statistic=name)
        assert (blocked.statistic, blocked.pvalue) == pytest.approx((repeated.statistic, repeated.pvalue), rel=1e-11)
        assert blocked.df == repeated.df


def test_two_algorithms_blocked_is_hotelling():
    x = normal(4, 11, 2, 3)
    pair = hotelling(x[:, 0], x[:, 1])
    for name in ("wilks", "pillai", "hotelling-lawley", "roy"):
        blocked = manova(x, blocked=True, statistic=name)
        assert (blocked.statistic, blocked.pvalue) == pytest.approx((pair.statistic, pair.pvalue), rel=1e-11)
        assert blocked.df == pair.df
    weights = learned_measures(x, blocked=True).weights[:, 0]
    assert np.abs(weights / pair.direction) == pytest.approx(np.full(3, abs(weights[0] / pair.direction[0])))


def test_hotelling_from_the_formula():
    d = DRUG - PLACEBO
    result = hotelling(DRUG, PLACEBO)
    mean, inverse = d.mean(axis=0), np.linalg.inv(np.cov(d.T))
    assert result.t2 == pytest.approx(18 * mean @ inverse @ mean, rel=1e-10)
    assert result.direction == pytest.approx(inverse @ mean, rel=1e-9)
    assert result.direction @ result.mean_difference == pytest.approx(result.t2 / 18)
    error = d.std(axis=0, ddof=1) / np.sqrt(18)
    wide = np.sqrt(3 * 17 / 15 * stats.f.ppf(0.95, 3, 15)) * error
    assert result.t2_low == pytest.approx(mean - wide) and result.t2_high == pytest.approx(mean + wide)
    narrow = stats.t.ppf(1 - 0.05 / 6, 17) * error
    assert result.bonferroni_low == pytest.approx(mean - narrow)
    assert result.adjusted == pytest.approx(CORRECTIONS["holm"](stats.ttest_rel(DRUG, PLACEBO).pvalue), rel=1e-9)


@pytest.mark.parametrize("blocked", [False, True])
def test_manova_from_determinants(blocked):
    result = manova(FOUR, blocked=blocked)
    e, h = result.error, result.hypothesis
    assert result.wilks == pytest.approx(np.linalg.det(e) / np.linalg.det(e + h), rel=1e-9)
    values = np.sort(np.linalg.eigvals(np.linalg.solve(e, h)).real)[::-1]
    assert result.eigenvalues == pytest.approx(values, rel=1e-8)
    assert result.means == pytest.approx(FOUR.mean(axis=0))


@pytest.mark.parametrize("kind", ["normal", "counts", "rates", "mixed"])
def test_pairs_equal_single_tests(kind):
    x = {"normal": normal(5, 12, 6, 3), "counts": counts(6, 12, 6)}.get(kind, counts(7, 12, 6) / 120)
    if kind == "mixed":  # an equal pair, a shifted pair, and one that differs in a single measure
        x[:, 1] = x[:, 0]
        x[:, 2] = x[:, 0] + 0.25
        x[:, 4, 1:] = x[:, 3, 1:]
    result = hotelling_pairs(x)
    assert np.array_equal([result.a, result.b], np.triu_indices(6, 1))
    for k, (i, j) in enumerate(zip(result.a, result.b, strict=True)):
        one = hotelling(x[:, i], x[:, j])
        assert (result.rank[k], tuple(result.df[k])) == (one.rank, one.df)
        assert result.t2[k] == pytest.approx(one.t2, rel=1e-9)
        assert result.pvalue[k] == pytest.approx(one.pvalue, rel=1e-9)
        assert result.mean_difference[k] == pytest.approx(one.mean_difference, abs=1e-12)
        assert result.direction[k] == pytest.approx(one.direction, rel=1e-7, abs=1e-9 * np.abs(one.direction).max())


def test_pairs_in_blocks_are_the_same(monkeypatch):
    x = counts(8, 12, 7)
    x[:, 3] = x[:, 2]
    whole = hotelling_pairs(x)
    monkeypatch.setattr("tiebreak.stats.multivariate.hotelling_tests.BLOCK", 30)
    parts = hotelling_pairs(x)
    for name in ("t2", "pvalue", "rank", "certain"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name))
    assert parts.direction == pytest.approx(whole.direction, rel=1e-12)


@every("name", sorted(CORRECTIONS))
def test_pairs_take_every_correction(name):
    result = hotelling_pairs(normal(9, 10, 4, 2), adjust=name, alpha=0.3)
    assert result.adjusted == pytest.approx(CORRECTIONS[name](result.pvalue))
    assert np.array_equal(result.rejected, result.adjusted <= 0.3)


# Invariances


@settings(derandomize=True, deadline=None, max_examples=25)
@given(SEEDS)
def test_affine_changes_leave_the_tests_alone(seed):
    x = normal(seed, 9, 4, 3)
    mix, units = affine(seed, 3)
    y = (x @ mix) * units + 7 * units
    assert hotelling(y[:, 0], y[:, 1]).t2 == pytest.approx(hotelling(x[:, 0], x[:, 1]).t2, rel=1e-9)
    assert hotelling_pairs(y).t2 == pytest.approx(hotelling_pairs(x).t2, rel=1e-9)
    for blocked in (False, True):
        assert manova(y, blocked=blocked).wilks == pytest.approx(manova(x, blocked=blocked).wilks, rel=1e-9)
        learned = [learned_measures(part, blocked=blocked) for part in (x, y)]
        assert learned[1].eigenvalues == pytest.approx(learned[0].eigenvalues, rel=1e-8, abs=1e-12)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(SEEDS)
def test_adding_dependent_measures_changes_nothing(seed):
    x = normal(seed, 9, 4, 2)
    mix = np.random.default_rng(seed).uniform(0.5, 2.0, (2, 2))
    y = np.concatenate([x, 1e4 * (1 - x @ mix)], axis=2)
    for blocked in (False, True):
        whole, part = manova(y, blocked=blocked), manova(x, blocked=blocked)
        assert (whole.rank, whole.df) == (2, part.df)
        assert whole.pvalue == pytest.approx(part.pvalue, rel=1e-8)
    assert hotelling_pairs(y).pvalue == pytest.approx(hotelling_pairs(x).pvalue, rel=1e-8)
    assert hotelling(y[:, 0], y[:, 1]).pvalue == pytest.approx(hotelling(x[:, 0], x[:, 1]).pvalue, rel=1e-8)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(SEEDS, st.booleans())
def test_order_of_folds_and_algorithms_does_not_matter(seed, blocked):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(8, 4, 3)) + rng.normal(size=(4, 3))
    folds, turn = rng.permutation(8), rng.permutation(4)
    y = x[folds][:, turn]
    assert manova(y, blocked=blocked).pvalue == pytest.approx(manova(x, blocked=blocked).pvalue, rel=1e-9)
    one, other = (learned_measures(part, blocked=blocked) for part in (x, y))
    assert other.weights[:, 0] == pytest.approx(one.weights[:, 0], rel=1e-6, abs=1e-8)
    assert other.projections[:, :, 0] == pytest.approx(one.projections[folds][:, turn, 0], rel=1e-6, abs=1e-7)
    swapped = hotelling(x[folds, 1], x[folds, 0])
    assert swapped.t2 == pytest.approx(hotelling(x[:, 0], x[:, 1]).t2, rel=1e-10)
    assert swapped.direction == pytest.approx(-hotelling(x[:, 0], x[:, 1]).direction, rel=1e-7, abs=1e-10)


@pytest.mark.parametrize("factor", [1e-200, 1e-3, 1e140])
def test_any_unit(factor):
    x = normal(10, 9, 3, 2)
    y = x * np.array([factor, 1.0])
    assert hotelling_pairs(y).t2 == pytest.approx(hotelling_pairs(x).t2, rel=1e-9)
    assert manova(y).wilks == pytest.approx(manova(x).wilks, rel=1e-9)
    result = hotelling(y[:, 0], y[:, 1])
    assert result.mean_difference == pytest.approx((y[:, 0] - y[:, 1]).mean(axis=0), rel=1e-9)


# Size under the null


def test_hotelling_size():
    rng = np.random.default_rng(11)
    full = hotelling_pairs(rng.normal(size=(8, 120, 3)))
    assert np.mean(full.pvalue <= 0.05) == pytest.approx(0.05, abs=0.012)  # pairs share algorithms


def test_size_with_dependent_measures():
    """Four counts of two dimensions: rejections stay at the level for the pair, MANOVA one-way and blocked."""
    result = []
    for seed in range(600):
        x = counts(seed, 10, 3)
        pair = hotelling(x[:, 0], x[:, 1])
        assert pair.rank == 2
        result.append((pair.pvalue, manova(x).pvalue, manova(x, blocked=True).pvalue))
    rates = np.mean(np.array(result) <= 0.05, axis=0)
    assert rates == pytest.approx([0.05] * 3, abs=0.027)  # three standard errors


def test_blocked_uses_what_the_folds_share():
    rng = np.random.default_rng(12)
    x = rng.normal(size=(10, 3, 2)) + 10 * rng.normal(size=(10, 1, 2)) + np.array([0.0, 1.5, 0.0])[:, None]
    assert manova(x, blocked=True).pvalue < 0.05 < manova(x).pvalue


# Learned measures


@pytest.mark.parametrize("blocked", [False, True])
def test_learned_measures_are_canonical(blocked):
    result, test = learned_measures(FOUR, blocked=blocked), manova(FOUR, blocked=blocked)
    e, h, w = test.error, test.hypothesis, result.weights
    assert w.T @ e @ w / test.df_error == pytest.approx(np.eye(3), abs=1e-9)
    assert w.T @ h @ w / test.df_error == pytest.approx(np.diag(result.eigenvalues), abs=1e-9)
    assert result.shares.sum() == pytest.approx(1.0)
    assert result.standardised == pytest.approx(w * np.sqrt(np.diag(e) / test.df_error)[:, None])
    assert (result.chi2[0], result.chi2_pvalue[0]) == pytest.approx(
        (test.test("bartlett").statistic, test.test("bartlett").pvalue)
    )
    assert result.chi2_df.tolist() == [9, 4, 1]
    assert result.projections.mean(axis=(0, 1)) == pytest.approx(np.zeros(3), abs=1e-9)


def test_learned_measures_analysis_of_variance():
    result = learned_measures(FOUR)
    for i in range(3):
        f = stats.f_oneway(*result.projections[:, :, i].T)
        assert (result.f[i], result.f_pvalue[i]) == pytest.approx((f.statistic, f.pvalue), rel=1e-8)
    repeated = rm_anova(learned_measures(FOUR, blocked=True).projections[:, :, 0])
    assert learned_measures(FOUR, blocked=True).f[0] == pytest.approx(repeated.statistic, rel=1e-9)


def test_learned_signs():
    for seed in range(20):
        weights = learned_measures(normal(seed, 8, 4, 3)).standardised
        assert (weights[np.abs(weights).argmax(axis=0), np.arange(3)] > 0).all()
        tied = learned_measures(counts(seed), measure_names=COUNTS).standardised  # tp and fn weigh the same
        assert tied[0] == pytest.approx(-tied[3]) and tied[1] == pytest.approx(-tied[2])
        assert (np.max(tied[:2], axis=0) >= np.abs(tied).max(axis=0) * (1 - 1e-9)).all()


def test_learned_rank_deficiency_is_explained():
    result = learned_measures(counts(13), measure_names=COUNTS)
    assert result.rank == 2 and result.weights.shape == (4, 2) and result.projections.shape == (10, 3, 2)
    assert result.caveats == (
        "The 4 measures span 2 dimension(s): up to a constant, 'tn', 'fn' can be computed from the others."
        " The test uses those dimensions and counts no others.",
        "The folds are taken for independent samples of each algorithm; blocked=True uses that they are shared.",
        "F of a learned measure is optimistic: its direction was chosen from the same folds.",
    )


# Degenerate input


def test_identical_algorithms():
    x = np.repeat(counts(15)[:, :1], 3, axis=1)
    pair = hotelling(x[:, 0], x[:, 1])
    assert (pair.t2, pair.pvalue, pair.rank, pair.direction.any()) == (0.0, 1.0, 0, False)
    assert (pair.t2_low == 0).all() and (pair.bonferroni_high == 0).all() and (pair.adjusted == 1).all()
    assert pair.caveats == ("The two algorithms have the same measures in every fold: nothing distinguishes them.",)
    pairs = hotelling_pairs(x)
    assert pairs.t2.tolist() == [0.0] * 3 and pairs.pvalue.tolist() == [1.0] * 3 and pairs.rank.tolist() == [0] * 3
    assert pairs.caveats[-1] == "3 of 3 pair(s) have the same measures in every fold: p = 1."
    for blocked in (False, True):
        result = manova(x, blocked=blocked)
        assert (result.wilks, result.pvalue) == (1.0, 1.0)
        learned = learned_measures(x, blocked=blocked)
        assert learned.eigenvalues.tolist() == ([] if blocked else [0.0, 0.0])
        assert str(learned)
    assert result.caveats == ("All algorithms have the same measures in every fold: nothing distinguishes them.",)


def test_constant_measure_is_left_out():
    x = normal(16, 9, 3, 3)
    x[:, :, 1] = 0.1
    result, without = hotelling(x[:, 0], x[:, 1]), hotelling(x[:, 0, ::2], x[:, 1, ::2])
    assert (result.t2, result.df) == (pytest.approx(without.t2), without.df)
    assert (result.direction[1], result.t[1], result.t_pvalue[1]) == (0.0, 0.0, 1.0)
    assert result.caveats == ("No difference at all in 'measure 2': left out of the test.",)
    assert manova(x).wilks == pytest.approx(manova(x[:, :, ::2]).wilks)
    assert hotelling_pairs(x).t2 == pytest.approx(hotelling_pairs(x[:, :, ::2]).t2)
    assert learned_measures(x).weights[1].tolist() == [0.0, 0.0]


def test_certain_difference_in_one_measure():
    a = counts(17, 10, 2)[:, :, :2]
    a[:, 1, 0] = a[:, 0, 0] + 1
    result = hotelling(a[:, 0], a[:, 1], measure_names=["tp", "fp"])
    assert (result.t2, result.statistic, result.pvalue) == (np.inf, np.inf, TINY)
    assert result.direction == pytest.approx([-1.0, 0.0])
    assert result.t[0] == -np.inf
    assert result.caveats == (
        "'tp' differs by the same amount in all 10 folds: T2 is infinite and p the smallest number written, which is"
        " certainty about these folds, not about others.",
    )
    assert hotelling_pairs(a).certain.all() and hotelling_pairs(a).pvalue[0] == TINY
    test = manova(a, blocked=True)
    assert (test.wilks, test.pvalue, test.eigenvalues[0]) == (0.0, TINY, np.inf)
    assert all(part.pvalue == TINY for part in test.tests)


def test_certain_difference_in_a_combination():
    x = normal(18, 9, 2, 2)
    d = x[:, 0] - x[:, 1]
    third = np.stack([d.sum(axis=1) + 0.5, np.zeros(9)], axis=1)
    y = np.concatenate([x, third[:, :, None]], axis=2)
    result = hotelling(y[:, 0], y[:, 1])
    assert (result.t2, result.pvalue, result.rank) == (np.inf, TINY, 2)
    assert (y[:, 0] - y[:, 1]) @ result.direction == pytest.approx(np.ones(9))
    assert result.caveats[-1].startswith("A combination of 'measure 1', 'measure 2', 'measure 3' differs by the same")
    learned = learned_measures(y, blocked=True)
    assert np.isfinite(learned.weights).all()
    assert "The learned measures are those of the combinations that vary" in str(learned)


def test_too_few_folds():
    x = normal(19, 4, 3, 4)
    with pytest.raises(InputError) as caught:
        hotelling(x[:, 0], x[:, 1])
    assert str(caught.value) == ("4 folds are too few for 4 measures. Use at most 3 measures, or at least 5 folds.")
    with pytest.raises(InputError) as caught:
        hotelling_pairs(x, algorithms=["knn", "svm", "tree"])
    assert str(caught.value).startswith("4 folds are too few for 4 measures, as for 'knn' and 'svm'. Use at most 3")
    with pytest.raises(InputError) as caught:
        manova(x[:2])
    assert str(caught.value).startswith("2 folds are too few for 4 measures. ")
    assert str(caught.value).endswith("Use at most 3 measures, or at least 3 folds.")
    assert np.isfinite(manova(x[:3]).pvalue)
    with pytest.raises(InputError):
        learned_measures(x[:2], blocked=True)


def test_few_folds_for_measures_that_depend_are_enough():
    x = counts(20, 3, 2)  # 3 folds, 4 measures of 2 dimensions
    result = hotelling(x[:, 0], x[:, 1], measure_names=COUNTS)
    assert result.df == (2, 1)
    assert result.pvalue == pytest.approx(hotelling(x[:, 0, :2], x[:, 1, :2]).pvalue, rel=1e-9)
    assert result.caveats[-1] == (
        "3 folds for 2 dimension(s) leave 1 degree(s) of freedom: only a very large difference can be found."
    )


def test_totals_that_vary_from_fold_to_fold():
    """Tp + fn is shared by the algorithms of a fold, not by the folds: the differences are singular all the same."""
    x = counts(21)
    x[:, :, 3] += np.arange(10)[:, None]
    x[:, :, 2] += np.arange(10)[::-1, None] ** 2
    assert hotelling(x[:, 0], x[:, 1]).rank == 2 and manova(x, blocked=True).rank == 2
    assert manova(x).rank == 4


def test_hotelling_lawley_needs_more_folds():
    x = normal(22, 2, 4, 4)
    assert np.isnan(manova(x).test("hotelling-lawley").pvalue)
    assert manova(x).caveats[-1] == "Too few folds for the F approximation of 'hotelling-lawley': not defined."
    with pytest.raises(OptionError) as caught:
        manova(x, statistic="hotelling-lawley")
    assert str(caught.value) == (
        "The statistic hotelling-lawley has -1 degrees of freedom in its F approximation. Use statistic='wilks',"
        " or more folds."
    )


# Words


def test_undefined_measures_are_named():
    x = normal(23, 5, 2, 2)
    x[3, 1, 0] = np.nan
    with pytest.raises(InputError) as caught:
        manova(x)
    assert str(caught.value) == (
        "measures[3, 1, 0] is nan (1 such value(s) in all). Drop that fold for all algorithms, or the measure, or"
        " define its value there."
    )


def test_shapes_and_options():
    with pytest.raises(InputError) as caught:
        hotelling(np.zeros((4, 2)), np.zeros((5, 2)))
    assert str(caught.value) == (
        "a has shape (4, 2) and b has shape (5, 2). Pass two arrays of the same shape (folds, measures)."
    )
    with pytest.raises(OptionError) as caught:
        hotelling(DRUG, PLACEBO, adjust="shaffer")
    assert str(caught.value) == ("The correction shaffer is for two-sided tests of all pairs. Use adjust='holm'.")
    for bad in (np.zeros((4, 2)), np.zeros((1, 2, 2)), np.zeros((4, 1, 2)), np.zeros((4, 2, 0))):
        with pytest.raises(InputError):
            manova(bad)
    with pytest.raises(OptionError):
        manova(FOUR, statistic="wilk")
    with pytest.raises(OptionError):
        hotelling_pairs(FOUR, adjust="holme")


def test_results_print_and_cannot_be_written_to():
    x = counts(24)
    names = {"algorithms": ["knn", "svm", "tree"], "measure_names": COUNTS}
    results = [hotelling_pairs(x, **names), manova(x, **names), learned_measures(x, **names)]
    results.append(hotelling(x[:, 0], x[:, 1], algorithms=["knn", "svm"], measure_names=COUNTS))
    for result in results:
        assert result.title() in str(result) and result.caveats[0] in str(result)
    assert [row["test"] for row in results[1].rows()] == list(MANOVA_STATISTICS)
    assert results[3].title().startswith("Hotelling's paired T2 test, knn minus svm: T2 ")
    with pytest.raises(ValueError, match="read-only"):
        results[0].t2[0] = 1.0
    assert "Roy's F is an upper bound: its p-value is too small." in manova(x, statistic="roy").caveats


@pytest.mark.parametrize("slack", [1.0, 0.02, 0.005, 1e-4, 0.0])
def test_pairs_are_the_tests_of_two_whatever_their_measures_have_in_common(slack):
    """In one table: pairs of measures that hang together by degrees, that are equal, constant or nearly so."""
    rng = np.random.default_rng(21)
    x = rng.normal(size=(12, 5, 3))
    x[:, :3, 2] = x[:, :3, 0] + slack * x[:, :3, 2]  # the algorithms 0 to 2 by how far a measure follows another
    x[:, 4] = x[:, 3] + [0.0, 0.5, 0.0]  # the pair 3, 4 by a constant
    pairs = hotelling_pairs(x, test_share=0.1)
    for k, (i, j) in enumerate(zip(pairs.a, pairs.b, strict=True)):
        one = hotelling(x[:, i], x[:, j], test_share=0.1)
        assert pairs.rank[k] == one.rank and pairs.df[k].tolist() == list(one.df)
        assert (pairs.t2[k], pairs.pvalue[k]) == pytest.approx((one.t2, one.pvalue), rel=1e-7)
        assert pairs.direction[k] == pytest.approx(one.direction, rel=1e-5, abs=1e-9)
