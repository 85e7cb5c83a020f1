"""Scores of any size: the tests do not see the unit, and what is in the unit of the scores is refused or right."""

import numpy as np
import pytest

from tiebreak import stats
from tiebreak.errors import InputError
from tiebreak.stats.numeric.basics import SUMS, deviation, rescaled

from ..every import every

TABLE = np.random.default_rng(5).normal(0.8, 0.1, size=(12, 4)) + np.array([0.0, 0.05, 0.1, 0.3])
FOLDS = np.random.default_rng(6).normal(0.8, 0.1, size=(2, 3, 10)) + np.array([[0.0], [0.1], [0.3]])
TOP = float(np.finfo(np.float64).max / 2 ** np.frexp(TABLE.max())[1])

FREE_OF_UNIT = {
    "wilcoxon": lambda x: stats.wilcoxon(x[:, 0], x[:, 1]).pvalue,
    "wilcoxon of differences": lambda x: stats.wilcoxon(x[:, 0] - x[:, 1]).pvalue,
    "sign": lambda x: stats.sign_test(x[:, 0], x[:, 1]).pvalue,
    "wilcoxon_pairs": lambda x: stats.wilcoxon_pairs(x).pvalue,
    "sign_pairs": lambda x: stats.sign_pairs(x, higher_is_better=True).pvalue,
    "friedman": lambda x: stats.friedman(x).pvalue,
    "quade": lambda x: stats.quade(x).pvalue,
    "quade_pairs": lambda x: stats.quade_pairs(x).pvalue,
    "aligned_ranks": lambda x: stats.aligned_ranks(x).pvalue,
    "aligned_pairs": lambda x: stats.aligned_pairs(x).pvalue,
    "tukey": lambda x: stats.tukey_pairs(x).adjusted,
    "dunnett": lambda x: stats.dunnett_control(x, control=0).adjusted,
    "anderson_darling": lambda x: stats.anderson_darling(x).pvalue,
    "anderson_darling of columns": lambda x: stats.anderson_darling(x, centred=False).pvalue,
    "win_tie_loss": lambda x: stats.win_tie_loss(x).a_wins,
}


def effects(x):
    result = [stats.effect_sizes(x) for paired in (True, False)]
    return np.concatenate([[sizes.cohen_d, sizes.hedges_g, sizes.akinshin_gamma] for sizes in result])


def interval(x):
    intervals = stats.difference_intervals(x, method="t")
    return (intervals.high - intervals.low) / intervals.estimate


def hierarchical(x):
    result = stats.bayesian_hierarchical_pairs(x.swapaxes(1, 2), chains=2, warmup=5, draws=5)
    return result.a_better


IN_UNIT = {
    "paired_t": (TABLE, lambda x: stats.paired_t(x[:, 0], x[:, 1]).pvalue),
    "paired_t of differences": (TABLE, lambda x: stats.paired_t(x[:, 0] - x[:, 1]).pvalue),
    "paired_t_pairs": (TABLE, lambda x: stats.paired_t_pairs(x).pvalue),
    "rm_anova": (TABLE, lambda x: stats.rm_anova(x).pvalue),
    "rm_anova, sphericity": (TABLE, lambda x: stats.rm_anova(x).mauchly_pvalue),
    "effect_sizes": (TABLE, effects),
    "difference_intervals": (TABLE, interval),
    "bayesian_sign": (TABLE, lambda x: stats.bayesian_sign_pairs(x).a_better),
    "bayesian_signed_rank": (TABLE, lambda x: stats.bayesian_signed_rank_pairs(x, n_samples=200).a_better),
    "five_by_two_f": (FOLDS, lambda x: stats.five_by_two_f(x[0, 0], x[0, 1]).pvalue),
    "five_by_two_t": (FOLDS, lambda x: stats.five_by_two_t(x[:, 0], x[0, 1]).pvalue),
    "kfold_t": (FOLDS, lambda x: stats.kfold_t(x[0, 0], x[:, 1]).pvalue),
    "fold_pairs": (FOLDS, lambda x: stats.fold_pairs(x).pvalue),
    "bayesian_correlated_t": (FOLDS, lambda x: stats.bayesian_correlated_t_pairs(x.swapaxes(1, 2)).a_better),
    "bayesian_hierarchical": (FOLDS, hierarchical),
}


@every("unit", [1e-170, 1e-280, 1e160, 1e300, TOP])
@every("name", FREE_OF_UNIT)
def test_the_unit_of_the_scores_does_not_matter(name, unit):
    expected = FREE_OF_UNIT[name](TABLE)
    assert FREE_OF_UNIT[name](TABLE * unit) == pytest.approx(expected, rel=1e-9)


@every("unit", [1e-162, 1e-170, 1e-280, 1e140])
@every("name", IN_UNIT)
def test_small_and_large_units_give_the_same_answer(name, unit):
    scores, answer = IN_UNIT[name]
    assert answer(scores * unit) == pytest.approx(answer(scores), rel=1e-9)


@every("name", IN_UNIT)
def test_what_is_reported_in_the_unit_of_the_scores_is_refused_where_squares_overflow(name):
    scores, answer = IN_UNIT[name]
    with pytest.raises(InputError) as error:
        answer(scores * 1e160)
    assert str(error.value).endswith(", above 1e+150. Leave that algorithm out, or compare ranks over many data sets.")


@pytest.mark.parametrize("scores", [TABLE, TABLE.round(2)])
def test_powers_of_two_change_no_bit(scores):
    for answer in (lambda x: stats.rm_anova(x).pvalue, effects, lambda x: stats.paired_t_pairs(x).pvalue):
        assert np.array_equal(answer(scores), answer(np.ldexp(scores, 60)))
        assert np.array_equal(answer(scores), answer(np.ldexp(scores, -700)))


def test_values_in_the_unit_of_the_scores_come_back_in_it():
    tiny = np.ldexp(FOLDS, -700)
    for method in ("5x2cv-f", "kfold-t"):
        expected = np.ldexp(stats.fold_pairs(FOLDS, method=method).mean_difference, -700)
        assert np.array_equal(stats.fold_pairs(tiny, method=method).mean_difference, expected)
    mixed = FOLDS * [[[1.0]], [[1e-170]]]  # each data set has its own unit
    assert stats.fold_pairs(mixed).pvalue == pytest.approx(stats.fold_pairs(FOLDS).pvalue, rel=1e-9)
    result = stats.rm_anova(np.ldexp(TABLE, -400))
    assert result.error == np.ldexp(stats.rm_anova(TABLE).error, -800)


def test_rescaled():
    ordinary = np.array([[1e-90, 3.0], [1e90, 2.0]])
    (same,), exponent = rescaled(ordinary)
    assert same is ordinary and not exponent.any()
    (x, y), exponent = rescaled(np.array([1e-200, 0.0]), np.array([-3e-200, 1e-200]))
    assert np.array_equal(np.ldexp(x, exponent), [1e-200, 0.0]) and np.array_equal(y[:1] / y[1:], [-3.0])
    (zeros,), exponent = rescaled(np.zeros((2, 2)), axis=0, reach=SUMS)
    assert not zeros.any() and not exponent.any()
    values = np.array([[1.0, 2.0, 4.0], [1e-200, 2e-200, 4e-200], [1e200, 2e200, 4e200]])
    assert deviation(values, axis=1) == pytest.approx(values[0].std(ddof=1) * np.array([1, 1e-200, 1e200]), rel=1e-14)
