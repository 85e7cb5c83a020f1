"""Tests at any time: evidence is a fair game under the hypothesis, by enumeration; closed tests equal brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.integrate import quad

from tiebreak.errors import InputError, OptionError
from tiebreak.stats import anytime_pairs, anytime_test, closed_evalues, holm, shaffer, wilcoxon
from tiebreak.stats.two.anytime import Evidence, sign_evidence, undecided

from ..every import every

SIZES = (
    pytest.param([0.3, 0.1, 0.2, 0.7, 0.5, 0.05, 0.4, 0.6], id="all different"),
    pytest.param([0.2, 0.2, 0.1, 0.2, 0.1, 0.1, 0.3, 0.2], id="tied sizes"),
    pytest.param([0.2, 0.0, 0.1, 0.0, 0.3, 0.1, 0.0, 0.2], id="with zeros"),
)


def every_path(sizes: list[float], bet: str) -> np.ndarray:
    """Evidence after every data set under each of the 2^n equally likely sequences of signs: (n, 3, 2^n)."""
    signs = np.array(list(product((-1.0, 1.0), repeat=len(sizes))))
    held = Evidence(len(signs), bet=bet)
    out = []
    for size, column in zip(sizes, signs.T, strict=True):
        held.take(size * column)
        out.append(np.vstack([held.sides, held.both]))
    return np.array(out)


@every("sizes", SIZES)
@every("bet", ["ranks", "signs"])
def test_the_mean_of_the_evidence_is_one_at_every_time(bet: str, sizes: list[float]) -> None:
    paths = every_path(sizes, bet)
    assert paths.min() >= 0
    np.testing.assert_allclose(paths.mean(axis=2), 1.0, rtol=1e-12)


@pytest.mark.parametrize("bet", ["ranks", "signs"])
def test_it_is_a_fair_game_from_every_point_on(bet: str) -> None:
    """Given any first five data sets, the mean over what follows is what was owned then: a martingale."""
    paths = every_path(SIZES[0].values[0], bet)  # type: ignore[arg-type]
    starts = paths.reshape(len(paths), 3, 2**5, 2**3)
    np.testing.assert_allclose(starts[-1].mean(axis=-1), starts[4, :, :, 0], rtol=1e-12)


@pytest.mark.parametrize("level", [0.2, 0.1, 0.05])
@pytest.mark.parametrize("bet", ["ranks", "signs"])
def test_it_ever_exceeds_a_level_as_rarely_as_ville_says(bet: str, level: float) -> None:
    """All 2^12 sequences, looked at after every data set."""
    sizes = np.random.default_rng(3).random(12).tolist()
    ever = every_path(sizes, bet)[:, 2].max(axis=0) >= 1 / level
    assert 0 < ever.mean() <= level


def test_bets_on_one_side_lose_where_the_other_is_better() -> None:
    """For P(win) = 0.4 the mean of the evidence for more than 1/2 falls: the one-sided hypothesis holds a half-line."""
    wins = np.array([sum(bits) for bits in product((0, 1), repeat=10)])
    weight = 0.4**wins * 0.6 ** (10 - wins)
    assert (weight * sign_evidence(wins, 10 - wins)).sum() < 1


def test_evidence_of_signs_by_quadrature_and_in_closed_form() -> None:
    for w, lost in [(3, 0), (7, 2), (2, 7), (0, 0), (11, 11)]:
        value, _ = quad(lambda p, w=w, lost=lost: 2 * (2 * p) ** w * (2 - 2 * p) ** lost, 0.5, 1, epsabs=1e-14)
        assert sign_evidence(w, lost) == pytest.approx(value, rel=1e-12)
        both = Fraction(2 ** (w + lost), (w + lost + 1) * comb(w + lost, w))
        assert (sign_evidence(w, lost) + sign_evidence(lost, w)) / 2 == pytest.approx(float(both), rel=1e-12)


def test_ranks_by_hand() -> None:
    """Sizes 2, 1, 2 with signs +, +, -: places 1/2, 1/4 of the two, and (1 + 1/2 + 1/2) / 3 of the three."""
    result = anytime_test([2.0, 1.0, -2.0], alternative="b-better", bet="ranks")
    places, signs = [1 / 2, 1 / 4, 2 / 3], [1, 1, -1]
    products = [np.prod([1 + s * np.tanh(k * u) for s, u in zip(signs, places, strict=True)]) for k in (0.5, 1, 2, 4)]
    assert result.evalue == pytest.approx(np.mean(products), rel=1e-14)


def test_a_tie_and_a_data_set_that_was_not_run_change_nothing() -> None:
    for bet in ("ranks", "signs"):
        held, other = Evidence(1, bet=bet), Evidence(1, bet=bet)
        for d in (0.3, 0.0, -0.1, np.nan, 0.2):
            held.take(np.array([d]))
        for d in (0.3, -0.1, 0.2):
            other.take(np.array([d]))
        np.testing.assert_array_equal(held.sides, other.sides)


def test_many_data_sets_do_not_overflow() -> None:
    for bet in ("ranks", "signs"):
        result = anytime_test(np.full(1200, 1.0), bet=bet)
        assert np.isfinite(result.path).all() and 0 < result.pvalue < 1e-280
        assert result.statistic > 0


def test_all_pairs_are_the_tests_of_each() -> None:
    scores = np.random.default_rng(1).normal(size=(25, 4)).round(1) + np.arange(4) / 2
    pairs = anytime_pairs(scores, adjust="shaffer")
    for k, (i, j) in enumerate(zip(pairs.a, pairs.b, strict=True)):
        one = anytime_test(scores[:, i], scores[:, j], bet="signs")
        assert pairs.pvalue[k] == pytest.approx(1 / max(one.path[-1], 1), rel=1e-10)
        assert pairs.statistic[k] == pytest.approx(one.statistic, abs=1e-10)
        assert (pairs.evalue[k], pairs.n_used[k]) == (pytest.approx(one.evalue, rel=1e-10), one.n_used)
    np.testing.assert_array_equal(pairs.adjusted, shaffer(pairs.pvalue))


def test_signs_looked_at_now_know_no_order() -> None:
    scores = np.random.default_rng(2).normal(size=(20, 3))
    for p in (anytime_pairs(scores[::-1]), anytime_pairs(np.exp(scores))):
        np.testing.assert_allclose(p.pvalue, anytime_pairs(scores).pvalue, rtol=1e-12)


def test_directions_and_sides() -> None:
    a, b = np.random.default_rng(4).random((2, 20)) + np.array([[0.0], [0.3]])
    assert anytime_test(a, b).statistic < 0 < anytime_test(a, b, higher_is_better=True).statistic
    one, other = (anytime_test(a, b, alternative=side) for side in ("a-better", "b-better"))
    assert one.evalue > 1 > other.evalue and other.pvalue <= 1
    assert anytime_test(a, b).evalue == pytest.approx((one.evalue + other.evalue) / 2)
    assert anytime_test(a, b).pvalue > wilcoxon(a, b).pvalue  # what the freedom to look costs


def test_against_a_control() -> None:
    scores = np.random.default_rng(5).normal(size=(12, 4))
    whole, some = anytime_pairs(scores), anytime_pairs(scores, control=0, adjust="holm")
    np.testing.assert_array_equal(some.pvalue, whole.pvalue[:3])
    np.testing.assert_array_equal(some.adjusted, holm(some.pvalue))


def test_degenerate_tables_and_mistakes() -> None:
    same = anytime_pairs([[1.0, 1.0], [2.0, 2.0]])
    assert same.pvalue.tolist() == [1.0] and [caveat.code for caveat in same.caveats] == ["no-difference"]
    with pytest.raises(OptionError, match="There is no bet 'luck'"):
        anytime_test([1.0, 2.0], bet="luck")


# ---- the closed test


def brute_force(evalues: np.ndarray, sets: list[tuple[int, ...]]) -> np.ndarray:
    """Adjusted e-values by their definition: the least mean over all sets that hold each."""
    return np.array([min(np.mean(evalues[list(s)]) for s in sets if i in s) for i in range(len(evalues))])


def every_set(count: int) -> list[tuple[int, ...]]:
    return [s for size in range(1, count + 1) for s in combinations(range(count), size)]


def counts_of(algorithms: int) -> set[int]:
    """The numbers of pairs inside the blocks of any partition, by trying every partition."""

    def partitions(left: int, largest: int) -> list[list[int]]:
        if left == 0:
            return [[]]
        return [[k, *rest] for k in range(1, min(left, largest) + 1) for rest in partitions(left - k, k)]

    return {sum(comb(k, 2) for k in blocks) for blocks in partitions(algorithms, algorithms)}


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_the_closed_test_is_its_definition(values: list[float]) -> None:
    e = np.array(values)
    np.testing.assert_allclose(closed_evalues(e), brute_force(e, every_set(len(e))), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("algorithms", [2, 3, 4, 5])
def test_of_all_pairs_only_sizes_count_that_can_be(algorithms: int) -> None:
    rng, pairs = np.random.default_rng(algorithms), comb(algorithms, 2)
    possible = counts_of(algorithms)
    sets = [s for s in every_set(pairs) if len(s) in possible]
    for _ in range(60):
        e = np.exp(rng.normal(0, 3, pairs)).round(int(rng.integers(0, 4)))
        np.testing.assert_allclose(closed_evalues(e, all_pairs=True), brute_force(e, sets), rtol=1e-9, atol=1e-12)


def test_closed_is_monotone_and_never_behind_holm_or_shaffer() -> None:
    rng = np.random.default_rng(6)
    for _ in range(200):
        e = np.exp(rng.normal(0, 3, 15))
        order = np.argsort(e)
        for all_pairs, correct in ((False, holm), (True, shaffer)):
            adjusted = closed_evalues(e, all_pairs=all_pairs)
            assert (np.diff(adjusted[order]) >= -1e-9).all() and (adjusted <= e * (1 + 1e-12)).all()
            assert (1 / np.maximum(adjusted, 1) <= correct(1 / np.maximum(e, 1)) * (1 + 1e-9)).all()
            more = e.copy()
            more[3] *= 5
            assert (closed_evalues(more, all_pairs=all_pairs) >= adjusted * (1 - 1e-12)).all()


def test_rows_are_families_of_their_own() -> None:
    e = np.exp(np.random.default_rng(7).normal(0, 2, (4, 2, 6)))
    rows = closed_evalues(e, all_pairs=True)
    assert rows.shape == e.shape
    np.testing.assert_array_equal(rows[2, 1], closed_evalues(e[2, 1], all_pairs=True))
    assert closed_evalues(np.empty((0, 3))).shape == (0, 3)
    assert np.isfinite(closed_evalues([np.inf, 1.0])).all()


@pytest.mark.parametrize("wrong", [3.0, [1.0, -0.5], [np.nan, 1.0]])
def test_what_is_no_evidence_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match="Pass one row of e-values per family"):
        closed_evalues(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("effects", [(0, 0, 0, 0), (0, 0, 0, 1.5), (0, 0, 1, 2)])
@pytest.mark.parametrize("bet", ["ranks", "signs"])
def test_the_family_wise_error_under_peeking_is_at_most_alpha(bet: str, effects: tuple[float, ...]) -> None:
    """400 tables of 40 data sets, looked at after each; a real alpha of 0.05 would exceed 0.0875 once in 1,000."""
    rng, alpha = np.random.default_rng(8), 0.05
    tables = rng.standard_t(3, (400, 40, 4)) + np.array(effects)
    a, b = np.triu_indices(4, 1)
    equal = np.array(effects)[a] == np.array(effects)[b]
    held = Evidence(400 * 6, bet=bet)
    wrong = np.zeros(400, dtype=bool)
    for rows in tables.transpose(1, 0, 2):
        held.take((rows[:, a] - rows[:, b]).ravel())
        decided = ~undecided(closed_evalues(held.both.reshape(400, 6), all_pairs=True), alpha)
        wrong |= decided[:, equal].any(axis=1)
    assert wrong.mean() <= 0.0875
