"""What a run may stop early: decisions, who is run next, failed runs, and the error of repeated looks."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

from tiebreak import Results, compare, order, stats
from tiebreak.caveats import codes_of
from tiebreak.errors import InputError, OptionError
from tiebreak.lab.early_stopping import Settling, random_order, still_needed
from tiebreak.studies.special_procedures import PEEKING, peeking_rejections

NAMES = ("a", "b", "c", "d")


def drawn(effects: tuple[float, ...], count: int = 60, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, len(effects))) + np.array(effects)


def followed(run: Settling, table: np.ndarray) -> list[tuple[str, ...]]:
    return [run.take(dict(zip(run.algorithms, row.tolist(), strict=True))) for row in table]


def test_decisions_are_those_of_the_closed_test_of_e_values() -> None:
    """While all are run, by the public functions: e-values after each data set, adjusted, decided once and for all."""
    table = drawn((0, 0.2, 1.5, 2.5))
    run = Settling(NAMES, until="settled")
    active = followed(run, table)
    whole = next(i for i, item in enumerate(active) if len(item) < 4)
    first: dict[tuple[int, int], int] = {}
    for count in range(1, whole + 2):
        pairs = stats.anytime_pairs(table[:count], bet="ranks", looks="every")
        adjusted = stats.closed_evalues(pairs.evalue, all_pairs=True)
        for k, pair in enumerate(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)):
            if adjusted[k] >= 20:
                first.setdefault(pair, count)
    decided = dict(zip(combinations(range(4), 2), run.after, strict=True))
    assert {pair: after for pair, after in decided.items() if 0 < after <= whole + 1} == first


def test_an_algorithm_is_run_until_each_of_its_pairs_is_decided() -> None:
    run = Settling(NAMES, until="settled", total=60)
    active = followed(run, drawn((0, 0, 3, 6)))
    assert active[-1] == ("a", "b")  # these two never differ
    assert run.better[2, 0] and run.better[3, 2] and not run.better[0, 1]
    gone = next(i for i, item in enumerate(active) if "d" not in item) + 1
    pairs = [after for (i, j), after in zip(combinations(range(4), 2), run.after, strict=True) if j == 3]
    assert max(pairs) == gone
    assert run.found().runs.tolist()[:2] == [60, 60] and run.found().runs[3] == gone
    assert run.found().saved == pytest.approx(1 - (120 + run.found().runs[2] + gone) / 240)


def test_until_best_drops_who_is_beaten_by_anybody() -> None:
    table = drawn((0, 0, 1, 1))
    best, settled = Settling(NAMES, until="best"), Settling(NAMES, until="settled")
    active = followed(best, table)
    followed(settled, table)
    assert active[-1] == ("a", "b") and best.found().runs.sum() < settled.found().runs.sum()
    assert best.better[2].any() and best.better[3].any() and not best.better[[0, 1]].any()
    one = Settling(("a", "b"), until="best")
    assert followed(one, drawn((0, 9), 20))[-1] == ()


def test_who_is_still_needed() -> None:
    every, none = np.ones(3, dtype=bool), np.zeros((3, 3), dtype=bool)
    open_pairs = np.array([True, False, False])
    np.testing.assert_array_equal(still_needed(every, none, open_pairs, "settled"), [True, True, False])
    better = none.copy()
    better[1, 2] = True
    np.testing.assert_array_equal(still_needed(every, better, open_pairs, "settled"), [True, True, False])
    np.testing.assert_array_equal(still_needed(every, better, open_pairs, "best"), [False, False, False])


def test_a_replay_is_the_run_and_stopped_algorithms_are_not_read() -> None:
    table = drawn((0, 0, 2, 4))
    run, again = Settling(NAMES, until="best"), Settling(NAMES, until="best")
    followed(run, table)
    for row in table:  # only what a store holds after such a run
        again.take({name: row[NAMES.index(name)] for name in again.active})
    np.testing.assert_array_equal(run.better, again.better)
    np.testing.assert_array_equal(run.after, again.after)
    assert run.found().to_dict() == again.found().to_dict()


def test_higher_scores_can_be_better_and_sizes_ignored() -> None:
    table = drawn((0, 0.5, 1, 2))
    for bet in ("ranks", "signs"):
        low, high = Settling(NAMES, bet=bet), Settling(NAMES, bet=bet, higher_is_better=True)
        followed(low, table)
        followed(high, -table)
        np.testing.assert_array_equal(low.better, high.better)
    odd = Settling(NAMES, bet="signs")
    followed(odd, np.exp(3 * table))
    np.testing.assert_array_equal(odd.better, low.better)


def test_a_failed_run_is_worse_than_any_score_and_as_bad_as_another() -> None:
    run = Settling(("a", "b", "c"), until="settled")
    for i in range(15):
        run.take({"a": i / 10, "b": None, "c": float("nan")})
    assert run.better[1, 0] and run.better[2, 0] and not run.better[1, 2] and not run.better[2, 1]


def test_the_order_by_decisions_and_cost() -> None:
    run = Settling(NAMES)
    followed(run, drawn((0, 0, 3, 6)))
    assert run.order({"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}) == ("b", "a", "c", "d")
    assert run.order({"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}) == ("a", "b", "c", "d")


def test_what_is_said() -> None:
    run = Settling(("a", "b", "c"), until="best", total=40)
    followed(run, drawn((0, 0, 4), 40))
    text = str(run.found())
    runs = run.found().runs
    assert f"2 of 3 pairs are decided after 40 data sets. {runs.sum()} of 120 runs were made" in text
    assert "the probability of any false difference, at any time, is at most 0.05" in text
    assert [caveat.code for caveat in run.found().caveats] == ["stopped-early"]
    rows = run.found().rows()
    assert rows[2]["stopped"] and rows[2]["worse_than"] == ["a", "b"] and rows[0]["better_than"] == ["c"]
    json.dumps(run.found().to_dict())
    assert Settling(("a", "b")).found().title() == "0 of 1 pairs are decided after 0 data sets"


def test_mistakes_are_told() -> None:
    with pytest.raises(InputError, match="The data set has no score of 'b'"):
        Settling(("a", "b")).take({"a": 1.0})
    with pytest.raises(InputError, match=r"1 algorithm\(s\) were given"):
        Settling(("a",))
    with pytest.raises(OptionError, match="There is no until 'bored'"):
        Settling(("a", "b"), until="bored")


def test_the_random_order_hangs_on_names_and_seed_alone() -> None:
    names = [f"data {i}" for i in range(30)]
    assert random_order(names, 1) == random_order(names[::-1], 1) != random_order(names, 2)
    remaining = [name for name in random_order([*names, "new"], 1) if name != "new"]
    assert tuple(remaining) == random_order(names, 1)


# ---- tables that grow


def test_compare_and_order_take_the_test_that_may_be_repeated() -> None:
    table = Results.from_array(drawn((0, 0.2, 1, 2), 30), score="error", algorithms=list(NAMES))
    result = compare(table, pairwise="anytime")
    tests = stats.anytime_pairs(result.compared, algorithms=result.algorithms)
    np.testing.assert_allclose(result.tests.pvalue, tests.pvalue)
    np.testing.assert_allclose(result.tests.adjusted, stats.bergmann_hommel(tests.pvalue))
    assert "By the Anytime test (bets on who is better) with Bergmann and Hommel's correction" in str(result.document())
    assert not result.plan.test_reads_sizes and "1939" in str(result.document())
    better = order(table, prior=list(NAMES), pairwise="anytime").better
    np.testing.assert_array_equal(better.sum(), result.significant.sum())


def test_how_many_data_sets_a_test_at_any_time_takes_at_least() -> None:
    """Eight wins of eight have p = 9/256 = 0.035; for three pairs it takes ten, 3 x 11/1024 = 0.032."""
    for algorithms, fewest in ((2, 8), (3, 10)):
        scores = np.arange(fewest * algorithms, dtype=float).reshape(fewest, algorithms)
        for count in (fewest - 1, fewest):
            table = Results.from_array(scores[:count], score="error", algorithms=list(NAMES[:algorithms]))
            result = compare(table, pairwise="anytime")
            assert bool(result.significant.all()) == (count == fewest) != ("least-pvalue" in codes_of(result.caveats))


def test_repeating_the_usual_test_errs_and_those_made_for_it_do_not() -> None:
    rejections = peeking_rejections((f"{PEEKING}, normal", "null"), 400, np.random.default_rng(2), alpha=0.05)
    errors = {name: rejected.any(axis=1).mean() for (_, name), rejected in rejections.items()}
    assert errors.pop("after every data set: wilcoxon, shaffer") > 0.12
    assert max(errors.values()) <= 0.085  # 400 tables: a real 0.05 would exceed that once in 1,000
