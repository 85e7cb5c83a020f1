"""Models on the same items: other programs' values, brute force, invariances, degenerate input."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats as scipy_stats

from tiebreak.caveats import codes_of
from tiebreak.errors import InputError, OptionError
from tiebreak.stats import (
    detectable_difference,
    item_non_inferiority,
    item_pairs,
    items_needed,
    paired_interval,
    power_of_items,
    proportion_pairs,
    unpaired_interval,
    wilson_interval,
)
from tiebreak.stats.items import flips
from tiebreak.stats.items.non_inferiority import unit_pair
from tiebreak.stats.items.units import check_codes

A = [1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1]
B = [1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0]
CLUSTERS = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5]
TWO = np.array([A, B], dtype=float).T

# ---- oracles


def test_right_and_wrong_against_statsmodels() -> None:
    # statsmodels 0.15.0: mcnemar([[11, 7], [1, 5]], exact=True).pvalue; OLS(A - B, ones).fit(use_t=True)
    pairs = item_pairs(TWO)
    assert pairs.test == "mcnemar" and (int(pairs.ahead_a[0]), int(pairs.ahead_b[0])) == (7, 1)
    assert pairs.pvalue[0] == pytest.approx(0.0703125, rel=1e-14)
    assert pairs.pvalue[0] == pytest.approx(scipy_stats.binomtest(1, 8).pvalue)
    assert pairs.difference[0] == 0.25 and pairs.statistic[0] < 0  # a is the better one
    t = item_pairs(TWO, method="cluster-t")
    assert (t.error[0], t.pvalue[0]) == pytest.approx((0.10851434153530391, 0.03060770959471841), rel=1e-12)


def test_clusters_against_the_sandwich_of_statsmodels() -> None:
    # statsmodels 0.15.0: OLS(A - B, ones).fit(cov_type="cluster", cov_kwds={"groups": CLUSTERS}, use_t=True)
    pairs = item_pairs(TWO, clusters=CLUSTERS, method="cluster-t")
    assert pairs.error[0] == pytest.approx(0.07905694150420953, rel=1e-12)
    assert pairs.pvalue[0] == pytest.approx(0.02503101581845298, rel=1e-10)
    assert (pairs.low[0], pairs.high[0]) == pytest.approx((0.04677766, 0.45322234), abs=5e-9)
    assert pairs.df[0] == 5 and pairs.n_units[0] == 6 and codes_of(pairs.caveats) == ["few-clusters"]


def test_intervals_of_shares() -> None:
    # statsmodels 0.15.0: proportion_confint(80, 225, method="wilson"), confint_proportions_2indep(56, 70, 48, 80,
    # method="newcomb", compare="diff"). Newcombe (1998), paired data, table II: 36, 12, 2, 0 by method 10.
    assert wilson_interval(80, 225) == pytest.approx([0.2959135483884876, 0.4200470107909138], rel=1e-12)
    assert unpaired_interval(56, 70, 48, 80) == pytest.approx([0.05243147240236498, 0.33387265403690614], rel=1e-12)
    assert paired_interval(36, 12, 2, 50) == pytest.approx([0.0569, 0.3404], abs=5e-5)
    assert wilson_interval([0, 10], [10, 10]).tolist()[0][0] == 0.0
    assert wilson_interval([0, 10], [10, 10]).tolist()[1][1] == 1.0
    n = 24
    ends = paired_interval(11, 7, 1, n)
    pairs = item_pairs(TWO)
    assert (pairs.low[0], pairs.high[0]) == pytest.approx(tuple(ends), rel=1e-12)


def by_listing(parts: list[float]) -> float:
    seen = abs(sum(parts))
    sums = [abs(sum(s * p for s, p in zip(signs, parts, strict=True))) for signs in product((-1, 1), repeat=len(parts))]
    return float(np.mean([item >= seen - 1e-9 for item in sums]))


def test_graded_scores_against_scipy_and_listing() -> None:
    rng = np.random.default_rng(3)
    scores = np.round(rng.random((11, 2)), 2)
    pairs = item_pairs(scores)
    assert pairs.test == "sign-flip" and pairs.how == ("exact",)
    gaps = scores[:, 0] - scores[:, 1]
    theirs = scipy_stats.permutation_test(
        (gaps,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", vectorized=True, n_resamples=10**6
    )
    assert pairs.pvalue[0] == pytest.approx(theirs.pvalue, abs=1e-12)
    assert pairs.pvalue[0] == pytest.approx(by_listing(gaps.tolist()), abs=1e-12)


def test_signs_of_a_cluster_flip_together() -> None:
    sums = np.bincount(CLUSTERS, weights=TWO[:, 0] - TWO[:, 1])
    pairs = item_pairs(TWO, clusters=CLUSTERS)
    assert pairs.test == "sign-flip" and pairs.pvalue[0] == pytest.approx(by_listing(sums.tolist()), abs=1e-12)


def test_the_clustered_error_by_hand_and_over_benchmarks() -> None:
    rng = np.random.default_rng(8)
    scores, clusters, strata = rng.random((60, 3)), np.repeat(np.arange(12), 5), np.repeat([0, 1, 2], [20, 10, 30])
    pairs = item_pairs(scores, clusters=clusters, strata=strata, method="cluster-t")
    for place, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        means, variances = [], []
        for k in range(3):
            d = (scores[:, i] - scores[:, j])[strata == k]
            cluster = clusters[strata == k]
            sums = [((d - d.mean())[cluster == g]).sum() for g in np.unique(cluster)]
            count = len(sums)
            means.append(d.mean())
            variances.append(count / (count - 1) * np.square(sums).sum() / len(d) ** 2)
        assert pairs.difference[place] == pytest.approx(np.mean(means))
        assert pairs.error[place] == pytest.approx(np.sqrt(np.sum(variances)) / 3)
    assert pairs.n_strata == 3


def test_benchmarks_without_clusters_are_averaged_whatever_their_sizes() -> None:
    strata = np.repeat([0, 1], [90, 10])
    scores = np.zeros((100, 2))
    scores[90:, 0] = 1.0
    pairs = item_pairs(scores, strata=strata)
    assert pairs.difference[0] == 0.5 and pairs.pvalue[0] == pytest.approx(2.0**-9)


def test_totals_against_fisher_of_scipy() -> None:
    passed, n = [80, 46, 8, 0, 225], 225
    pairs = proportion_pairs(passed, [n] * 5)
    for a, b, p in zip(pairs.a, pairs.b, pairs.pvalue, strict=True):
        table = [[passed[a], n - passed[a]], [passed[b], n - passed[b]]]
        assert p == pytest.approx(scipy_stats.fisher_exact(table).pvalue, rel=1e-8)
    assert codes_of(pairs.caveats) == ["pairing-lost"]
    z = proportion_pairs([30, 20], [100, 100], method="score")
    assert abs(z.statistic[0]) == pytest.approx(1.633, abs=5e-4) and z.statistic[0] < 0


# ---- second routes


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.lists(st.integers(-4, 4), min_size=15, max_size=40), st.sampled_from([1.0, 1 / 3, 0.05]))
def test_the_saddle_point_comes_close_to_the_exact_distribution(parts: list[int], step: float) -> None:
    whole = np.array(parts, dtype=float)
    if np.count_nonzero(whole) <= flips.FEW:
        return
    (p,), (how,) = flips.flip_pvalues(whole[None] * step)
    assert how == "exact"
    jittered = np.abs(whole[whole != 0]) * (1 + 1e-4 * np.sqrt(np.arange(np.count_nonzero(whole))))
    exact_twice = 0.5 * (p + flips.flip_pvalues(whole[None] * step)[0][0])
    near = flips._saddle(jittered, max(abs(whole.sum()) - 0.5, 1e-9)) if whole.sum() else 1.0
    assert near == pytest.approx(exact_twice, rel=0.25, abs=0.06)


def test_the_saddle_point_far_out_and_for_graded_scores() -> None:
    rng = np.random.default_rng(5)
    for shift in (0.0, 0.3, 0.8):
        parts = rng.normal(shift, 1.0, 18)
        exact = by_fast_listing(parts)
        assert flips.flip_pvalues(parts[None])[1] == ["saddle point"]
        assert flips.flip_pvalues(parts[None])[0][0] == pytest.approx(exact, rel=0.03)
    assert flips._saddle(np.ones(40) + 1e-4 * np.arange(40), 40.78) == pytest.approx(2.0**-39, rel=1e-6)


def by_fast_listing(parts: np.ndarray) -> float:
    sums = np.zeros(1)
    for part in parts:
        sums = np.concatenate([sums - part, sums + part])
    return float((np.abs(sums) >= abs(parts.sum()) - 1e-9).mean())


def test_flips_of_right_and_wrong_are_mcnemars_test() -> None:
    right = (np.random.default_rng(1).random((200, 5)) < 0.7).astype(float)
    assert item_pairs(right, method="sign-flip").pvalue == pytest.approx(item_pairs(right).pvalue, rel=1e-9)
    midp = item_pairs(right, method="mcnemar-midp")
    assert (midp.pvalue <= item_pairs(right).pvalue).all()


def test_clusters_of_one_item_are_no_clusters() -> None:
    scores = np.random.default_rng(2).random((50, 3))
    alone, clustered = item_pairs(scores), item_pairs(scores, clusters=np.arange(50))
    assert alone.pvalue == pytest.approx(clustered.pvalue) and alone.low == pytest.approx(clustered.low)


def test_blocks_of_pairs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, clusters = np.random.default_rng(2).random((50, 5)), np.repeat(np.arange(10), 5)
    whole = item_pairs(scores, clusters=clusters)
    monkeypatch.setattr("tiebreak.stats.items.pairs.BLOCK", 25)
    parts = item_pairs(scores, clusters=clusters)
    for name in ("pvalue", "low", "high", "low_together", "statistic"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name), rel=1e-12), name


# ---- invariance


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.integers(0, 10_000), st.booleans())
def test_order_of_items_models_and_direction_do_not_matter(seed: int, clustered: bool) -> None:
    rng = np.random.default_rng(seed)
    scores, codes = rng.integers(0, 4, (30, 3)) / 3, rng.integers(0, 9, 30)
    pairs = item_pairs(scores, clusters=codes if clustered else None)
    shuffled = rng.permutation(30)
    again = item_pairs(scores[shuffled], clusters=codes[shuffled] if clustered else None)
    turned = item_pairs(-scores, clusters=codes if clustered else None, higher_is_better=False)
    swapped = item_pairs(scores[:, ::-1], clusters=codes if clustered else None)
    assert again.pvalue == pytest.approx(pairs.pvalue, rel=1e-9) and again.low == pytest.approx(pairs.low)
    assert turned.pvalue == pytest.approx(pairs.pvalue) and turned.statistic == pytest.approx(pairs.statistic)
    assert swapped.pvalue[::-1] == pytest.approx(pairs.pvalue) and swapped.difference[::-1] == pytest.approx(
        -pairs.difference
    )


# ---- gaps and degenerate input


def test_a_pair_is_tested_on_the_items_that_both_have() -> None:
    scores = np.random.default_rng(4).random((40, 3))
    scores[:10, 0] = np.nan
    scores[35:, 2] = np.nan
    pairs = item_pairs(scores)
    assert pairs.n_items.tolist() == [30, 25, 35] and "items-differ" in codes_of(pairs.caveats)
    alone = item_pairs(scores[10:, :2])
    assert pairs.pvalue[0] == pytest.approx(alone.pvalue[0]) and pairs.low[0] == pytest.approx(alone.low[0])


def test_models_without_a_common_item_are_refused_by_name() -> None:
    scores = np.array([[1.0, np.nan], [np.nan, 0.0]])
    with pytest.raises(InputError) as raised:
        item_pairs(scores, algorithms=["alpha", "beta"])
    assert str(raised.value) == (
        "'alpha' and 'beta' have no item in common. Leave one of them out, or"
        " give their totals (passed and n) to compare them unpaired."
    )


def test_all_equal_one_item_and_one_cluster() -> None:
    same = item_pairs(np.ones((12, 3)))
    assert same.pvalue.tolist() == [1.0] * 3 and same.statistic.tolist() == [0.0] * 3
    assert (same.low < 0).all() and (same.high > 0).all()  # twelve equal answers do not show equal models
    graded = item_pairs(np.full((12, 2), 0.4))
    assert graded.pvalue[0] == 1.0 and (graded.low[0], graded.high[0]) == (0.0, 0.0)
    one = item_pairs([[0.3, 0.9]])
    assert one.pvalue[0] == 1.0 and np.isinf(one.high[0])
    single = item_pairs(np.random.default_rng(0).random((9, 2)), clusters=[1] * 9)
    assert single.pvalue[0] == 1.0 and np.isinf(single.low[0]) and "one-cluster" in codes_of(single.caveats)


def test_a_cluster_that_lies_in_several_benchmarks_joins_them() -> None:
    scores = np.random.default_rng(4).random((40, 2))
    pairs = item_pairs(scores, clusters=np.tile(np.arange(10), 4), strata=np.repeat([0, 1], 20), method="cluster-t")
    assert "clusters-cross-benchmarks" in codes_of(pairs.caveats) and pairs.n_units[0] == 10
    d = scores[:, 0] - scores[:, 1]
    rest = np.concatenate([part - part.mean() for part in (d[:20], d[20:])]) / 40
    sums = np.bincount(np.tile(np.arange(10), 4), weights=rest)
    assert pairs.error[0] == pytest.approx(np.sqrt(10 / 9 * np.square(sums).sum()))


def test_one_cluster_that_holds_much_is_said() -> None:
    scores = np.random.default_rng(4).random((60, 2))
    pairs = item_pairs(scores, clusters=[*range(30), *[99] * 30])
    assert "few-clusters" in codes_of(pairs.caveats)


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        ([1.0, 2.0], {}, "scores has 1 dimension(s)."),
        ([[1.0], [2.0]], {}, "scores has 1 algorithm(s)."),
        ([[1.0, np.inf]], {}, "scores holds an infinite value."),
        ([[0.5, 1.0]], {"method": "mcnemar"}, "McNemar's test was asked for, and scores are not all 0 or 1."),
        ([[0.0, 1.0]], {"clusters": [1], "method": "mcnemar"}, "McNemar's test was asked for, and items come in"),
        ([[0.0, 1.0]], {"clusters": [1, 2]}, "clusters has shape (2,) for 1 item(s)."),
        ([[0.0, 1.0]], {"strata": [np.nan]}, "strata holds NaN."),
    ],
)
def test_what_cannot_be_tested_is_refused(scores: object, options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError) as raised:
        item_pairs(scores, **options)  # type: ignore[arg-type]
    assert str(raised.value).startswith(words)


@pytest.mark.parametrize("passed", [[3, 12], [-1, 3]])
def test_totals_that_cannot_be(passed: list[int]) -> None:
    with pytest.raises(InputError):
        proportion_pairs(passed, [10, 10])


# ---- planning


def test_power_is_that_of_mcnemars_exact_test() -> None:
    n, share, difference, binom = 60, 0.3, 0.2, scipy_stats.binom
    power = 0.0
    for m in range(1, n + 1):
        x = np.arange(m + 1)
        rejects = 2 * binom.cdf(np.minimum(x, m - x), m, 0.5) <= 0.05
        power += binom.pmf(m, n, share) * (binom.pmf(x, m, (share + difference) / (2 * share)) * rejects).sum()
    assert power_of_items(difference, n_items=n, discordant=share) == pytest.approx(power, rel=1e-9)


def test_the_number_of_items_and_the_smallest_difference_answer_each_other() -> None:
    needed = items_needed(0.03, discordant=0.2)
    assert needed.power >= 0.8 > power_of_items(0.03, n_items=needed.n_items - 5, discordant=0.2) - 0.01
    shown = detectable_difference(needed.n_items, discordant=0.2)
    assert shown.difference == pytest.approx(0.03, rel=0.02)
    graded = items_needed(0.02, sd=0.5)
    assert graded.n_items == pytest.approx(((1.959964 + 0.841621) * 0.5 / 0.02) ** 2, abs=1.5)
    assert items_needed(0.02, sd=0.5, pairs=15).n_items > graded.n_items
    assert items_needed(0.02, sd=0.5, design_effect=2.0).n_items == pytest.approx(2 * graded.n_items, abs=2)
    assert detectable_difference(4, discordant=0.5).difference == np.inf


def test_power_with_few_clusters_is_that_of_the_noncentral_t() -> None:
    for n, difference in ((60, 0.15), (60, 0.2), (100, 0.1), (120, 0.12)):
        df, shift = n / 10 - 1, difference * np.sqrt(n / 1.5) / 0.4
        exact = scipy_stats.nct.sf(scipy_stats.t.ppf(0.975, df), df, shift)
        power = power_of_items(difference, n_items=n, sd=0.4, design_effect=1.5, cluster_size=10)
        assert power == pytest.approx(exact, abs=0.012)


@pytest.mark.parametrize("options", [{}, {"discordant": 0.2, "sd": 0.4}, {"discordant": 0.001}, {"sd": -1.0}])
def test_plans_need_to_know_how_far_answers_differ(options: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        items_needed(0.02, **options)  # type: ignore[arg-type]


def test_a_relative_margin_is_a_share_of_the_reference() -> None:
    inferiority = item_non_inferiority(TWO, [[1, 0]], margin=0.1, relative=True)
    assert inferiority.limits[0] == pytest.approx(0.1 * np.mean(A))


def test_a_large_cluster_and_other_items_are_named() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(40, 2))
    pairs = item_pairs(scores, clusters=[*range(20), *[20] * 20])
    assert "One cluster holds 50% of the items" in str(pairs.caveats)
    gaps = rng.normal(size=(30, 3))
    gaps[:5, 0] = np.nan
    assert "pairs have 25 to 30 in common" in str(item_pairs(gaps).caveats)


def test_degrees_of_freedom_without_spread_are_those_of_the_units() -> None:
    pairs = item_pairs(np.array([[0.5, 0.25]] * 30), method="cluster-t")
    assert pairs.df[0] == 29 and (pairs.low[0], pairs.high[0]) == (0.25, 0.25)


def test_clusters_may_have_names_of_several_kinds() -> None:
    assert check_codes(np.array([1, "a", 1, 2], dtype=object), 4, what="clusters").tolist() == [0, 2, 0, 1]


def test_the_step_of_differences_is_their_common_divisor() -> None:
    current, other = np.array([0.5, 0.25, 1.0, 0.0] * 5), np.array([0.0, 0.25, 0.25, 0.5] * 5)
    pair = unit_pair(current, other)
    assert pair.step * len(current) == pytest.approx(0.25)  # of gains 0.5, 0, 0.75 and -0.5, each over the items


# ---- size, small; the study of error rates has it at length


@pytest.mark.parametrize("name", ["items, 0/1", "items in clusters", "items, repeated answers"])
def test_false_alarms_are_rare(name: str) -> None:
    from tiebreak.studies.special_procedures import BY_ITEM, item_rejections

    rejections = item_rejections(name, "null", 80, np.random.default_rng(11), alpha=0.05)
    false = rejections[BY_ITEM, "sign flips, holm"].any(axis=1).sum()
    assert false <= scipy_stats.binom.ppf(0.999, 80, 0.05)


def test_repeated_answers_are_means_of_three() -> None:
    from tiebreak.studies.special_procedures import REPEATED, drawn_answers

    answers, clusters, strata = drawn_answers(REPEATED, "null", 2, np.random.default_rng(0))
    assert {0, 1, 2, 3} == set(np.rint(3 * answers).ravel().tolist()) and clusters is strata is None
