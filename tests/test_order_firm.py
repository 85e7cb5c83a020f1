"""How firm an order is: draws all at once against tests of copied data; and reasons that stay short."""

from __future__ import annotations

import numpy as np
import pytest

from tiebreak import Ordering, Results, order, with_costs
from tiebreak.deciding.order._draws import (
    QUICK_EXACT,
    adjusted_rows,
    good_rows,
    pair_differences,
    sign_draws,
    signed_rank_draws,
)
from tiebreak.deciding.order._margins import Margin, good_enough
from tiebreak.deciding.order._stability import FEWEST_DRAWS, USUAL_DRAWS, USUAL_WORK, usual_draws
from tiebreak.errors import OptionError
from tiebreak.stats import CORRECTIONS, sign_test, wilcoxon, wilcoxon_pairs
from tiebreak.stats.pairwise import pair_indices


def priced(scores: np.ndarray, costs: np.ndarray, **options: object) -> Ordering:
    names = [f"a{i:02d}" for i in range(scores.shape[1])]
    results = Results.from_array(scores, score="error", algorithms=names)
    return order(with_costs(results, Results.from_array(costs, score="train_time", algorithms=names)), **options)  # type: ignore[arg-type]


def sample(seed: int, sets: int, count: int, digits: int = 3, **options: object) -> Ordering:
    rng = np.random.default_rng(seed)
    scores = 0.3 + 0.02 * rng.normal(size=count) + rng.normal(0, 0.03, (sets, count))
    return priced(np.round(scores, digits), rng.random((sets, count)), **options)


def drawn_counts(rng: np.random.Generator, sets: int, draws: int) -> np.ndarray:
    return rng.multinomial(sets, np.full(sets, 1 / sets), size=draws).astype(float)


# ---- the tests of a draw are those of the copied data


@pytest.mark.parametrize("digits", [9, 1, 0])
@pytest.mark.parametrize("sets", [5, 8, 20, 38, 85])
def test_signed_ranks_of_draws_are_those_of_the_copied_data(sets: int, digits: int) -> None:
    """z agrees to the last digit, zeros and ties included; p is near the exact one wherever it could decide."""
    rng = np.random.default_rng([sets, digits])
    near = 1.0 if digits == 0 or sets < 10 else 0.45  # few or tied ranks make great steps, and the series is smooth
    for _ in range(12):
        d = np.round(rng.normal(rng.uniform(0, 4) / np.sqrt(sets), 1, sets), digits) + 0.0
        counts = drawn_counts(rng, sets, 5)
        two, one = signed_rank_draws(d[None], counts, sides=2), signed_rank_draws(d[None], counts, sides=1)
        for k, row in enumerate(counts.astype(int)):
            copies = np.repeat(d, row)
            exact = wilcoxon(copies, method="exact")
            assert two[0][k, 0] == one[0][k, 0] == exact.z
            if 1e-4 <= exact.pvalue < 0.1:
                assert abs(np.log(two[1][k, 0] / exact.pvalue)) < near
            elif exact.pvalue < 1e-4:
                assert two[1][k, 0] < 10 * exact.pvalue
            else:
                assert two[1][k, 0] > 0.05
            if exact.pvalue == 2.0 * 0.5**exact.n_used:  # all signs agree
                assert two[1][k, 0] == exact.pvalue
            greater = wilcoxon(copies, method="exact", alternative="b-better").pvalue
            assert one[1][k, 0] == pytest.approx(greater, abs=0.3 if digits == 0 or sets < 10 else 0.06)


def test_signed_ranks_without_any_difference() -> None:
    z, p = signed_rank_draws(np.zeros((1, 6)), drawn_counts(np.random.default_rng(0), 6, 3), sides=2)
    assert z.tolist() == [[0.0]] * 3 and p.tolist() == [[1.0]] * 3
    # the one data set with a difference was not drawn
    z, p = signed_rank_draws(np.array([[0.0, 0.0, 2.0]]), np.array([[2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]), sides=1)
    assert z[0, 0] == 0.0 and p[:, 0].tolist() == [1.0, 0.125]


@pytest.mark.parametrize("digits", [2, 0])
def test_sign_tests_of_draws_are_those_of_the_copied_data(digits: int) -> None:
    rng = np.random.default_rng(digits)
    for sets in (1, 5, 12, 40):
        d = np.round(rng.normal(0.3, 1, (3, sets)), digits) + 0.0
        counts = drawn_counts(rng, sets, 6)
        wins, p = sign_draws(d, counts)
        for k, row in enumerate(counts.astype(int)):
            for i in range(3):
                copies = np.repeat(d[i], row)
                assert p[k, i] == pytest.approx(sign_test(copies).pvalue)
                assert wins[k, i] == (copies > 0).sum() - (copies < 0).sum()


def test_differences_of_pairs_point_to_the_better_second() -> None:
    compared = np.round(np.random.default_rng(1).random((15, 4)), 2)
    a, b = pair_indices(4)
    z, _ = signed_rank_draws(pair_differences(compared, a, b), np.ones((1, 15)), sides=2)
    assert np.sign(z[0]).tolist() == np.sign(wilcoxon_pairs(compared).statistic).tolist()
    assert pair_differences(np.array([[0.3, 0.1 + 0.2]]), a[:1], b[:1]).tolist() == [[0.0]]


@pytest.mark.parametrize("adjust", ["none", "bonferroni", "holm", "hochberg", "shaffer", "bergmann-hommel"])
@pytest.mark.parametrize("count", [2, 3, 5, QUICK_EXACT, QUICK_EXACT + 1])
def test_rows_are_corrected_as_one_by_one(adjust: str, count: int) -> None:
    p = np.random.default_rng(count).random((20, count * (count - 1) // 2)) ** 4
    used = "shaffer" if adjust == "bergmann-hommel" and count > QUICK_EXACT else adjust
    expected = np.array([CORRECTIONS[used](row) for row in p])
    assert adjusted_rows(p, count, adjust) == pytest.approx(expected)


@pytest.mark.parametrize("margin", [Margin(size=0.02), Margin(size=0.1, relative=True)])
def test_good_enough_in_draws_is_that_of_the_copied_data(margin: Margin) -> None:
    rng = np.random.default_rng(7)
    errors = 0.3 + 0.01 * rng.normal(size=5) + rng.normal(0, 0.05, (40, 5))
    counts = drawn_counts(rng, 40, 40)
    prior = np.array([rng.permutation(5) for _ in counts])
    rows = good_rows(errors, counts, prior, margin, 0.05)
    copied = np.array([
        good_enough(np.repeat(errors, row.astype(int), axis=0), own, margin, alpha=0.05)
        for row, own in zip(counts, prior, strict=True)
    ])  # fmt: skip
    assert 0.2 < copied.sum() / (40 * 10) < 0.9
    assert (rows == copied).mean() > 0.995 and not rows[prior[:, :, None] > prior[:, None, :]].any()


# ---- the whole


@pytest.mark.parametrize("family", ["all", "own"])
def test_draws_order_as_the_copied_data_would(family: str) -> None:
    """Each draw, made into a table of its own, is ordered by the exact tests; nearly all orders are the same."""
    found = sample(0, 38, 5, family=family)
    firm = found.stability(datasets=60, rng=3)
    counts = np.random.default_rng(3).multinomial(38, np.full(38, 1 / 38), size=60)
    same = []
    for row in counts:
        copied = found.procedure.ordering(found.table.take(np.repeat(np.arange(38), row)))
        same.append(copied.order)
    share = np.array([[np.mean([o[p] == name for o in same]) for p in range(5)] for name in found.order])
    assert firm.places == pytest.approx(share, abs=0.05)
    assert firm.survived == pytest.approx(np.mean([o == found.order for o in same]), abs=0.05)


@pytest.mark.parametrize(
    "options",
    [{}, {"margin": 0.02}, {"margin": 0.02, "undecided": "costlier"}, {"margin": 0.02, "undecided": "better"},
     {"pairwise": "sign"}, {"pairwise": "paired-t"},
     {"posthoc": "hommel"}, {"family": "own"}],
)  # fmt: skip
def test_shares_add_up_and_come_out_again(options: dict[str, object]) -> None:
    found = sample(1, 20, 4, **options)
    firm = found.stability(datasets=50, rng=1)
    for axis in (0, 1):
        assert firm.places.sum(axis=axis) == pytest.approx(np.ones(4))
    assert firm.algorithms == found.order and firm.repetitions == 50
    assert firm.before is not None
    assert firm.before + firm.before.T == pytest.approx(1 - np.eye(4))
    again = found.stability(datasets=50, rng=1)
    assert (again.places == firm.places).all() and again.orders == firm.orders
    assert sum(share for _, share in firm.orders) <= 1 + 1e-12


def test_draws_made_unasked() -> None:
    found = sample(2, 30, 4)
    assert usual_draws(found) == USUAL_DRAWS and found.firmness is not None
    assert found.firmness.repetitions == USUAL_DRAWS and found.firmness is found.firmness
    assert found.to_dict()["firmness"] == dict(zip(found.order, np.diagonal(found.firmness.places), strict=True))
    assert priced(found.scores, found.table.paid[0], seed=5).firmness.places.tolist() != found.firmness.places.tolist()  # type: ignore[union-attr]
    many = sample(3, 100, 18)  # 153 pairs on 100 data sets: fewer draws
    assert usual_draws(many) == USUAL_WORK // (153 * 100) < USUAL_DRAWS
    assert usual_draws(sample(3, 100, 18, margin=0.01)) == USUAL_WORK // (3 * 153 * 100)
    most = sample(3, 100, 40)
    assert USUAL_WORK // (780 * 100) < FEWEST_DRAWS and usual_draws(most) == 0 and most.firmness is None
    assert most.to_dict()["firmness"] is None and "firm" not in most.document().tables[0].header
    assert usual_draws(sample(2, 30, 4, posthoc="hommel")) == 0  # no quick correction of many rows
    assert usual_draws(sample(2, 30, 4, pairwise="score")) == 0  # by places
    assert usual_draws(sample(2, 30, 4, draws=0)) == 0 and usual_draws(sample(2, 30, 4, draws=7)) == 7


def test_draws_that_cannot_be_made() -> None:
    for wrong in (-1, True, 2.5):
        with pytest.raises(OptionError) as caught:
            sample(2, 8, 3, draws=wrong)
        assert str(caught.value) == (
            f"draws is {wrong!r}. It says how often data sets are drawn again, to see how firm the places are. Use"
            " draws=1000, 0 for none, or leave it out."
        )
    one = sample(2, 1, 3, draws=20)
    assert one.firmness is None and str(one)


def test_an_order_that_all_data_sets_agree_on_is_firm() -> None:
    """Eight data sets are the fewest for four algorithms: every draw must still reach significance."""
    scores = np.tile([0.4, 0.3, 0.2, 0.1], (8, 1)) + 0.001 * np.arange(8)[:, None]
    found = priced(scores, np.tile([1.0, 2, 3, 4], (8, 1)))
    assert found.order == ("a03", "a02", "a01", "a00")
    assert found.stability(datasets=50).survived == 1.0


# ---- reasons


@pytest.mark.parametrize("options", [{}, {"margin": 0.01}, {"margin": 0.01, "undecided": "costlier"},
                                     {"over": "places", "pairwise": "score"}, {"family": "own"}])  # fmt: skip
def test_reasons_stay_short_and_speak_of_neighbours(options: dict[str, object]) -> None:
    rng = np.random.default_rng(0)
    quality = rng.normal(0, 0.05, 60)
    names = [f"{i:02d}" + "long_name_" * 20 for i in range(60)]
    scores = 0.3 + quality + rng.normal(0, 0.03, (40, 60))
    results = with_costs(
        Results.from_array(scores, score="error", algorithms=names),
        Results.from_array(rng.lognormal(0, 2, 60) * rng.lognormal(0, 0.2, (40, 60)), score="space", algorithms=names),
    )
    found = order(results, **options)  # type: ignore[arg-type]
    for given in (found, order(results, prior=found.order[::-1], **options)):  # type: ignore[arg-type]
        assert max(len(reason.text) for reason in given.reasons) <= 400
        for k, reason in enumerate(given.reasons):
            if k + 1 < 60:
                assert f"before {given.order[k + 1][:10]}" in reason.text
            if k:
                assert f"behind {given.order[k - 1][:10]}" in reason.text
        assert len({reason.text for reason in given.reasons}) == 60
        assert max((len(note) for note in given.caveats), default=0) < 1000
    assert len(found.explain(*found.order[:2])) < 700


def test_short_names_are_never_cut() -> None:
    found = sample(4, 30, 8)
    assert not any("…" in reason.text for reason in found.reasons)
