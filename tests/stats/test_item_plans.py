"""Plans on items by simulation and by textbook, intervals by a second route, and counts that cannot be."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tiebreak.errors import InputError
from tiebreak.stats import item_pairs, items_needed, paired_interval, power_of_items, wilson_interval
from tiebreak.stats.items.anytime import BetPair, bet_pair
from tiebreak.stats.items.flips import flip_pvalues
from tiebreak.stats.items.non_inferiority import CountedPair, TotalsPair, UnitPair, unit_pair
from tiebreak.stats.items.planning import chance_to_show, drop_caught, items_to_show


def wilson(passed: float, n: float, z: float) -> tuple[float, float]:
    """Solve (p - share)^2 = z^2 p (1 - p) / n for p."""
    roots = np.roots([1 + z * z / n, -(2 * passed / n + z * z / n), (passed / n) ** 2])
    return float(roots.min()), float(roots.max())


@pytest.mark.parametrize(("passed", "n"), [(0, 1), (0, 20), (1, 20), (20, 20), (7, 9)])
def test_wilsons_interval_solves_its_equation(passed: int, n: int) -> None:
    z = scipy_stats.norm.ppf(0.975)
    assert wilson_interval(passed, n) == pytest.approx(wilson(passed, n, z), abs=1e-9)


@pytest.mark.parametrize(
    ("both", "only_a", "only_b", "neither"), [(20, 12, 2, 16), (18, 1, 5, 26), (2, 12, 9, 2), (5, 2, 1, 1)]
)
def test_newcombes_method_10_step_by_step(both: int, only_a: int, only_b: int, neither: int) -> None:
    """Newcombe (1998), paired data: phi is corrected only where positive, and never below 0 by the correction."""
    n, z = both + only_a + only_b + neither, scipy_stats.norm.ppf(0.975)
    a, b = both + only_a, both + only_b
    (l1, u1), (l2, u2) = wilson(a, n, z), wilson(b, n, z)
    product = both * neither - only_a * only_b
    if product > 0:
        product = max(product - n / 2, 0)
    phi = product / np.sqrt(a * (n - a) * b * (n - b))
    p, q = a / n, b / n
    low = p - q - np.sqrt((p - l1) ** 2 - 2 * phi * (p - l1) * (u2 - q) + (u2 - q) ** 2)
    high = p - q + np.sqrt((q - l2) ** 2 - 2 * phi * (q - l2) * (u1 - p) + (u1 - p) ** 2)
    assert paired_interval(both, only_a, only_b, n) == pytest.approx([low, high], abs=1e-9)
    scores = np.repeat([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], [both, only_a, only_b, neither], axis=0)
    pairs = item_pairs(scores)
    assert pairs.both is not None and pairs.both.tolist() == [both]
    assert (pairs.low[0], pairs.high[0]) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("counts", [(5, 3, 3, 10), (0, 11, 0, 10), (0, 0, 11, 10), (0, 0, 0, 0)])
def test_more_items_than_there_are_and_none_are_errors(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(InputError, match=r"both \+ only_a \+ only_b exceeds n, or n is 0"):
        paired_interval(*counts)


def test_nothing_to_flip_has_a_p_value_of_1() -> None:
    assert flip_pvalues(np.array([[0.0, 0.0], [1.0, -1.0]]))[0].tolist() == [1.0, 1.0]


def equal_totals(passed: int, n: int) -> TotalsPair:
    return TotalsPair(n=n, passed=passed, n_own=n, own=passed)


def test_totals_need_as_many_items_as_the_textbook_says() -> None:
    """Two shares of 0.7 and a margin of 0.1: 2 x 0.21 x (1.645 + 0.842)^2 / 0.1^2 = 259.7 items each."""
    pair = equal_totals(70, 100)
    assert items_to_show(pair, 0.1) == 260
    assert items_to_show(pair, 0.1, alpha=0.025, power=0.9) == 442  # (1.960 + 1.282)^2
    assert items_to_show(equal_totals(50, 50), 0.1) == 25  # a fiftieth at least


def test_the_critical_value_of_few_items_keeps_the_level() -> None:
    """No simulation: where nothing is lost or won but by the margin, the chance to show it is at most alpha."""
    for n, margin in ((60, 0.08), (300, 0.03)):
        lost = np.linspace(margin, 0.5, 40)
        assert max(chance_to_show(n, share, share - margin, margin, 0.05) for share in lost) <= 0.0502
        assert chance_to_show(n, margin, 0.0, margin / 2, 0.05) < 0.05


def units(rng: np.random.Generator, drop: float, *, n: int = 400, size: int = 4) -> UnitPair:
    """Draw answers in clusters of one size; the candidate gets fewer right."""
    code = np.repeat(np.arange(n // size), size)
    base, candidate = rng.random(n) < 0.7, rng.random(n) < 0.7 - drop
    return unit_pair(candidate.astype(float), base.astype(float), clusters=code)


def test_the_drop_that_units_catch_is_the_one_that_their_test_catches() -> None:
    rng = np.random.default_rng(5)
    drop = float(np.mean([drop_caught(units(rng, 0.0)) for _ in range(20)]))
    seen = []
    for _ in range(300):
        pair = units(rng, drop)
        parts = pair.gains + pair.shortfall * pair.sizes
        error = np.sqrt(np.square(parts).sum() * pair.n_units / (pair.n_units - 1))
        t = pair.gains.sum() / error
        seen.append(t < scipy_stats.t.ppf(0.025, pair.n_units - 1))
    assert (
        0.75 <= np.mean(seen) <= 0.92
    )  # independent answers differ more than the drop assumes: a little more is caught


def test_few_units_catch_less_than_the_normal_quantile_promises() -> None:
    gains = np.array([0.02, -0.02, 0.01, -0.01, 0.0])
    pair = UnitPair(gains=gains, sizes=np.full(5, 0.2), largest=0.2, span=1.0, step=0.0, n_items=50, reference=0.7,
                    clustered=True)  # fmt: skip
    drop = drop_caught(pair)
    rest = np.square(gains).sum()
    variance = rest * 5 / 4 + drop * rest / np.abs(gains).sum()
    power = scipy_stats.norm.cdf(drop / np.sqrt(variance) + scipy_stats.t.ppf(0.025, 4))
    assert power == pytest.approx(0.8, abs=1e-3)
    uneven = UnitPair(gains=gains, sizes=np.array([0.8, 0.05, 0.05, 0.05, 0.05]), largest=0.8, span=1.0, step=0.0,
                      n_items=50, reference=0.7, clustered=True)  # fmt: skip
    assert drop_caught(uneven) > drop


def test_bets_show_it_on_the_items_they_ask_for() -> None:
    """The number of items is found again by bets on drawn items: about four of five show it by then."""
    rng = np.random.default_rng(11)
    kinds = np.array([-1.0, 0.0, 1.0])
    seen = rng.choice(kinds, p=[0.05, 0.9, 0.05], size=400)

    def pair(gain: np.ndarray) -> BetPair:
        return bet_pair(unit_pair(0.5 + gain / 2, 0.5 - gain / 2), 1.0)

    count = int(items_to_show(pair(seen), 0.1))
    shown = [pair(rng.choice(kinds, p=[0.05, 0.9, 0.05], size=count)).pvalue(0.1) <= 0.05 for _ in range(200)]
    assert 0.6 <= np.mean(shown) <= 0.97
    assert int(items_to_show(pair(seen), 0.05)) > 2 * count


def test_power_takes_the_better_of_the_two_for_granted_on_neither_side() -> None:
    for n, discordant, difference in ((30, 0.3, 0.1), (80, 0.2, 0.12)):
        k = np.arange(n + 1)
        by_hand = 0.0
        for m, weight in zip(k, scipy_stats.binom.pmf(k, n, discordant), strict=True):
            wins = np.arange(m + 1)
            significant = np.array([scipy_stats.binomtest(int(w), int(m)).pvalue <= 0.05 if m else False for w in wins])
            share = (discordant + difference) / (2 * discordant)
            by_hand += weight * scipy_stats.binom.pmf(wins, m, share)[significant].sum()
        assert power_of_items(difference, n_items=n, discordant=discordant) == pytest.approx(by_hand, rel=1e-6)


def test_a_plan_names_its_design_effect() -> None:
    plain = items_needed(0.05, discordant=0.2)
    clustered = items_needed(0.05, discordant=0.2, design_effect=2.0)
    assert "design effect 2" in str(clustered) and "design effect" not in str(plain)
    assert clustered.n_items == pytest.approx(2 * plain.n_items, rel=0.05)


def test_what_never_differs_needs_the_items_of_the_rule_of_three() -> None:
    assert items_to_show(CountedPair(lost=0, won=0, n=50, reference=0.9), 0.01) == pytest.approx(299, abs=1)
