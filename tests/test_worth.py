"""Order by worth: against plain arithmetic, dense grids of trades and simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats as scipy_stats

import tiebreak as tb
from tiebreak import Ordering, Results, order, published
from tiebreak.caveats import codes_of
from tiebreak.comparison.trade import read_trade
from tiebreak.errors import InputError, OptionError
from tiebreak.ordering.valuation import envelope
from tiebreak.stats.selection import Sample, certainty, losses, standard_errors

from .every import every


def table(scores: Any, costs: Any = None, score: str = "accuracy", **more: Any) -> Results:
    """Data sets x algorithms, named a, b, c, ..., with a training time."""
    scores = np.asarray(scores, dtype=float)
    sets, count = scores.shape
    rows: dict[str, list[Any]] = {
        "dataset": [f"d{d}" for d in range(sets) for _ in range(count)],
        "algorithm": [chr(97 + a) for _ in range(sets) for a in range(count)],
        score: scores.ravel().tolist(),
    }
    if costs is not None:
        rows["train_time"] = np.broadcast_to(costs, scores.shape).ravel().tolist()
    rows |= {name: np.asarray(values).ravel().tolist() for name, values in more.items()}
    return Results.from_dict(rows)


def random_table(seed: int, sets: int = 9, count: int = 6) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    scores = 0.7 + rng.normal(0, 0.05, count) + rng.normal(0, 0.05, (sets, count))
    return scores.clip(0, 1), 10 ** rng.uniform(-2, 3, count) * rng.lognormal(0, 0.3, (sets, count))


def by_hand(scores: np.ndarray, costs: np.ndarray, trade: float) -> np.ndarray:
    return scores.mean(axis=0) - trade * np.log10(costs).mean(axis=0)


def test_the_published_table() -> None:
    result = order(published.ulas2012(), score="accuracy", cost="train_time")
    assert result.order == ("svr", "svl", "lnp", "mlp", "5nn", "mdt", "c45", "sv2")
    assert [part.algorithm for part in result.frontier] == ["svr", "5nn"]
    assert result.frontier[0].high == pytest.approx(2.6, abs=0.02)
    assert result.other_rules == {"multitest": "svl", "multi2test": "5nn"}
    for rule in ("multitest", "multi2test"):
        published_rule = order(published.ulas2012(), score="accuracy", cost="train_time", rule=rule)
        assert {**published_rule.other_rules, rule: published_rule.order[0]} == {"worth": "svr", **result.other_rules}
    assert result.valuation is not None and result.valuation.probability is not None
    assert result.valuation.probability > 0.95


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.floats(0.0, 0.2))
def test_worth_is_the_formula_and_nobody_is_beaten_on_both_columns(seed: int, trade: float) -> None:
    scores, costs = random_table(seed)
    result = order(table(scores, costs), cost="train_time", trade=f"{100 * trade:.6f}pt")
    size = float(f"{100 * trade:.6f}") / 100
    expected = by_hand(scores, costs, size)
    assert result.valuation is not None
    assert result.valuation.values == pytest.approx(expected, abs=1e-12)
    assert result.order == tuple("abcdef"[i] for i in np.argsort(-expected, kind="stable"))
    means, logs = scores.mean(axis=0), np.log10(costs).mean(axis=0)
    index = [ord(name) - 97 for name in result.order]
    for place, i in enumerate(index):
        assert not any(means[j] > means[i] and logs[j] < logs[i] for j in index[place + 1 :])


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_the_frontier_is_that_of_a_dense_grid(seed: int) -> None:
    scores, costs = random_table(seed)
    means, logs = scores.mean(axis=0), np.log10(costs).mean(axis=0)
    segments = envelope(means, logs)
    assert segments[0][1] == 0.0 and segments[-1][2] == np.inf
    for trade in np.concatenate([[0.0], np.geomspace(1e-4, 10, 300)]):
        first = int(np.argmax(means - trade * logs))
        holding = [i for i, low, high in segments if low - 1e-9 <= trade <= high + 1e-9]
        assert first in holding


def test_the_default_trade_by_kind_of_score() -> None:
    scores = np.array([[0.9, 0.8], [0.9, 0.8], [0.8, 0.8]])
    costs = [10.0, 1.0]
    trade = {}
    for name, values in {"accuracy": scores, "percent": 100 * scores}.items():
        result = order(table(values, costs), cost="train_time")
        assert result.valuation is not None
        trade[name] = float(result.valuation.trades[0])
    best = float(scores.mean(axis=0).max())
    assert trade["accuracy"] == pytest.approx(0.01 * best) and trade["percent"] == pytest.approx(best)
    near = order(table([[0.998, 0.99], [0.998, 0.99]], costs), cost="train_time").valuation
    assert near is not None and float(near.trades[0]) == pytest.approx(0.1 * 0.002)
    typed = order(table([[0.998, 0.99], [0.998, 0.99]], costs), cost="train_time", trade="1%").valuation
    assert typed is not None and float(typed.trades[0]) == pytest.approx(0.00998)
    loss = order(table([[2.0, 3.0], [1.0, 2.0]], costs, "rmse"), score="rmse", cost="train_time").valuation
    assert loss is not None and float(loss.trades[0]) == 0.10


def test_errors_order_as_the_accuracies_they_leave() -> None:
    scores, costs = random_table(3)
    by_accuracy = order(table(scores, costs), cost="train_time")
    by_error = order(table(1 - scores, costs, "error_rate"), score="error_rate", cost="train_time")
    assert by_error.order == by_accuracy.order
    assert by_error.valuation is not None and by_accuracy.valuation is not None
    assert by_error.valuation.trades == pytest.approx(by_accuracy.valuation.trades)
    assert by_error.valuation.losses.value == pytest.approx(by_accuracy.valuation.losses.value)


def test_percent_and_share_agree() -> None:
    scores, costs = random_table(4)
    share, percent = (order(table(f * scores, costs), cost="train_time") for f in (1, 100))
    assert share.order == percent.order and share.valuation is not None and percent.valuation is not None
    assert share.valuation.probability == pytest.approx(percent.valuation.probability)
    assert [100 * p.low for p in share.frontier] == pytest.approx([p.low for p in percent.frontier])


def test_losses_have_no_unit() -> None:
    rng = np.random.default_rng(0)
    values, costs = rng.lognormal(0, 0.3, (8, 5)), 10 ** rng.uniform(0, 3, 5)
    scaled = values * np.array([1, 1000, 1, 0.001, 1, 1, 1, 1])[:, None]
    orders = [order(table(v, costs, "rmse"), score="rmse", cost="train_time", scale="as-is") for v in (values, scaled)]
    assert orders[0].order == orders[1].order
    expected = -np.log(values).mean(axis=0) - 0.10 * np.log10(costs)
    assert orders[0].order == tuple("abcde"[i] for i in np.argsort(-expected))


def test_r2_is_unexplained_variance() -> None:
    rng = np.random.default_rng(1)
    values, costs = rng.uniform(0.2, 0.9, (8, 4)), 10 ** rng.uniform(0, 3, 4)
    result = order(table(values, costs, "r2"), score="r2", cost="train_time")
    expected = -np.log(1 - values).mean(axis=0) - 0.10 * np.log10(costs)
    assert result.order == tuple("abcd"[i] for i in np.argsort(-expected))


def test_equal_costs_order_by_score_without_a_frontier() -> None:
    result = order(table([[0.9, 0.8, 0.85]] * 4, 2.0), cost="train_time")
    assert result.order == ("a", "c", "b") and result.frontier == ()


def test_zero_costs_count_as_small_ones() -> None:
    result = order(table([[0.9, 0.8], [0.9, 0.7]], [[0.0, 1.0], [2.0, 3.0]]), cost="train_time")
    assert "zero-costs" in codes_of(result.caveats)
    assert result.valuation is not None
    assert result.valuation.sample.logs[0, 0, 0] == pytest.approx(0.0)  # the least other one


def test_negative_costs_are_errors() -> None:
    with pytest.raises(InputError, match="negative train_time"):
        order(table([[0.9, 0.8], [0.9, 0.7]], [[-1.0, 1.0], [2.0, 3.0]]), cost="train_time")


def test_algorithms_without_any_cost_are_left_out_and_named() -> None:
    costs = np.array([[1.0, np.nan, 10.0]] * 3)
    result = order(table([[0.9, 0.99, 0.8]] * 3, costs), cost="train_time")
    assert result.order == ("a", "c")
    assert any("No train_time is known for b" in note for note in result.caveats)


def test_without_costs_the_mean_score_orders() -> None:
    scores, _ = random_table(5)
    result = order(table(scores))
    assert result.order == tuple("abcdef"[i] for i in np.argsort(-scores.mean(axis=0)))
    assert result.frontier == () and "No cost" in str(result)


def test_one_data_set() -> None:
    alone = order(table([[0.9, 0.8]], [[1.0, 2.0]]), cost="train_time")
    assert alone.order == ("a", "b") and alone.valuation is not None and alone.valuation.sure is None
    rows: dict[str, list[Any]] = {"dataset": [], "algorithm": [], "fold": [], "accuracy": [], "train_time": []}
    rng = np.random.default_rng(0)
    for name, level, cost in (("a", 0.9, 5.0), ("b", 0.8, 1.0)):
        for fold in range(10):
            for column, value in zip(rows, ("d", name, fold, level + rng.normal(0, 0.01), cost), strict=True):
                rows[column].append(value)
    folds = order(Results.from_dict(rows), cost="train_time")
    assert folds.order == ("a", "b") and folds.valuation is not None
    assert folds.valuation.regret is not None and folds.valuation.probability is None  # not calibrated on folds


def test_constant_scores_leave_the_order_to_cost() -> None:
    result = order(table([[0.8, 0.8, 0.8]] * 6, [3.0, 1.0, 2.0]), cost="train_time")
    assert result.order == ("b", "c", "a") and result.valuation is not None and result.valuation.probability is None
    certain = order(table([[0.8, 0.7]] * 6, [1.0, 1.0]), cost="train_time").valuation
    assert certain is not None and certain.probability == 1.0 and certain.regret == 0.0


def test_ties_of_worth_go_to_score_then_cost_then_name() -> None:
    result = order(table([[0.5, 0.5, 0.6]] * 3, [1.0, 1.0, 10.0]), cost="train_time", trade="10pt")
    assert result.order == ("c", "a", "b")  # all worth 0.5


def test_rows_in_any_order_give_the_same() -> None:
    scores, costs = random_table(6)
    rows = table(scores, costs).to_frame("polars").to_dicts()
    rng = np.random.default_rng(0)
    answers = []
    for _ in range(3):
        shuffled = [rows[i] for i in rng.permutation(len(rows))]
        again = Results.from_dict(
            {name: [row[name] for row in shuffled] for name in ("dataset", "algorithm", "accuracy", "train_time")}
        )
        answers.append(order(again, cost="train_time").to_dict())
    assert answers[0]["order"] == answers[1]["order"] == answers[2]["order"]
    assert answers[0]["probability"] == answers[1]["probability"] == answers[2]["probability"]
    assert answers[0]["loss"]["a"]["high"] == pytest.approx(answers[1]["loss"]["a"]["high"])


@pytest.mark.parametrize("bad", ["1", 1, "x%", "-1%", "", "1 %%"])
def test_a_trade_without_a_unit_names_both_forms(bad: object) -> None:
    with pytest.raises(OptionError, match=r"trade='.*%' or trade='.*pt'"):
        read_trade(bad)


def test_accd_is_the_trade_of_the_papers() -> None:
    scores, costs = random_table(7)
    one, other = (order(table(scores, costs), cost="train_time", **how) for how in ({"accd": 0.02}, {"trade": "2%"}))
    assert one.valuation is not None and other.valuation is not None
    assert one.valuation.trades.tolist() == other.valuation.trades.tolist() and one.order == other.order


def test_several_costs_each_with_its_trade() -> None:
    scores, costs = random_table(8)
    size = np.broadcast_to(10 ** np.random.default_rng(2).uniform(0, 4, 6), scores.shape)
    result = order(table(scores, costs, space=size), cost=["train_time=1%", "space=0.5%"])
    best = scores.mean(axis=0).max()
    expected = by_hand(scores, costs, 0.01 * best) - 0.005 * best * np.log10(size).mean(axis=0)
    assert result.valuation is not None and result.valuation.values == pytest.approx(expected)
    with pytest.raises(OptionError, match="2 costs were named"):
        order(table(scores, costs, space=size), cost=["train_time", "space"], rule="multitest")


def test_the_majority_class_is_never_in_the_upper_half() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        level = rng.uniform(0.6, 0.95, (12, 1))
        good = (level + rng.normal(0, 0.02, (12, 12))).clip(0, 1)
        scores = np.concatenate([good, level - rng.uniform(0.1, 0.4, (12, 1))], axis=1)
        costs = np.concatenate([10 ** rng.uniform(-1, 2, 12), [1e-4]])
        result = order(table(scores, costs), cost="train_time")
        assert result.order.index("m") >= 7


def test_certainty_is_that_of_a_long_simulation() -> None:
    rng = np.random.default_rng(3)
    truth = np.array([0.02, 0.01, 0.0])
    stated, right, regrets, true_regrets = [], [], [], []
    for seed in range(300):
        scores = truth + rng.normal(0, 0.03, (12, 3))
        sample = Sample(scores=scores, logs=np.zeros((0, 1, 3)))
        first = int(np.argmax(scores.mean(axis=0)))
        known = certainty(sample.moments(np.zeros(0)), first=first, seed=seed)
        assert known is not None
        stated.append(known.probability)
        right.append(first == 0)
        regrets.append(known.regret)
        true_regrets.append(truth.max() - truth[first])
    assert np.mean(stated) == pytest.approx(np.mean(right), abs=0.1)
    assert np.mean(regrets) == pytest.approx(np.mean(true_regrets), abs=0.003)


def test_loss_intervals_cover() -> None:
    rng = np.random.default_rng(4)
    truth, covered, rows = np.array([0.03, 0.02, 0.0, 0.0]), 0, 0
    for seed in range(200):
        sample = Sample(scores=truth + rng.normal(0, 0.04, (15, 4)), logs=np.zeros((0, 1, 4)))
        result = losses(sample, seed=seed)
        for i in range(4):
            if i != result.best:
                true = max(truth[result.best] - truth[i], 0.0)
                covered += bool(result.low[i] - 1e-12 <= true <= result.high[i])
                rows += 1
    assert 0.92 <= covered / rows <= 0.99


def test_multitest_with_a_trade_tests_scores_less_the_price() -> None:
    from scipy import stats

    rng = np.random.default_rng(5)
    scores = np.stack([0.7 + rng.normal(0, 0.02, 15), 0.75 + rng.normal(0, 0.02, 15)], axis=1)
    costs = np.array([1.0, 10.0])
    for trade, moved in (("1pt", True), ("8pt", False)):
        ordering: Ordering = order(table(scores, costs), cost="train_time", rule="multitest", trade=trade)
        charged = scores - float(trade[:-2]) / 100 * np.log10(costs)
        p = stats.wilcoxon(charged[:, 1] - charged[:, 0]).pvalue
        assert (p <= 0.05 and charged[:, 1].mean() > charged[:, 0].mean()) == moved
        assert ordering.order[0] == ("b" if moved else "a")
        assert ordering.tests.pvalue[0] == pytest.approx(p, rel=0.2)


def test_items_and_totals_are_ordered_by_worth() -> None:
    rng = np.random.default_rng(6)
    right = rng.random((400, 3)) < np.array([0.9, 0.89, 0.5])
    rows = {
        "model": [m for _ in range(400) for m in "abc"],
        "item": [f"q{i}" for i in range(400) for _ in range(3)],
        "accuracy": right.astype(float).ravel().tolist(),
        "price": [p for _ in range(400) for p in (10.0, 0.01, 0.001)],
    }
    result = order(Results.from_dict(rows), score="accuracy", cost="price")
    assert result.order[0] == "b" and result.valuation is not None and result.valuation.probability is not None
    assert result.valuation.sample.mean_scores == pytest.approx(right.mean(axis=0))


def test_json_fields() -> None:
    data = tb.order(published.ulas2012(), score="accuracy", cost="train_time").to_dict()
    fields = (
        "order rule trade other_rules worth frontier loss cost prior ranks mean_ranks omnibus pairs reasons caveats"
    )
    assert set(fields.split()) <= set(data) and data["prior"] is None and data["ranks"] is None
    assert set(data["frontier"][0]) == {
        "algorithm", "from", "to", "score", "relative_cost", "probability", "regret",
    }  # fmt: skip
    assert data["cost"]["svr"]["relative"] == 1.0 and data["loss"]["svr"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    assert data["trade"] == pytest.approx(0.01 * 85.11, abs=0.01)


@pytest.mark.parametrize("trades", [("0%", "3%"), ("2%", "2%"), ("1%", "4%"), ("0%", "0%")])
def test_the_frontier_of_several_costs_scales_all_trades_together(trades: tuple[str, str]) -> None:
    results = published.ulas2012()
    costs = dict(zip(("train_time", "space"), trades, strict=True))
    result = order(results, score="accuracy", cost=costs)
    value = result.valuation
    assert value is not None
    in_force = value.in_force
    assert in_force == float(value.trades.max() if "0%" in trades else value.trades[0])
    holding = [part for part in result.frontier if part.holds(in_force)]
    assert [part.algorithm for part in holding] == [result.order[0]] and holding[0].regret == value.regret
    weights = value.trades / in_force if in_force else np.ones(2)
    for part in result.frontier:
        values = value.sample.values(part.middle * weights)
        assert result.algorithms[int(np.argmax(values))] == part.algorithm
    for part, following in zip(result.frontier, result.frontier[1:], strict=False):
        values = value.sample.values(part.high * weights)
        i, j = (result.algorithms.index(name.algorithm) for name in (part, following))
        assert values[i] == pytest.approx(values[j], abs=1e-9)
    if trades == ("2%", "2%"):
        assert "only if 1.1 points justify ten times the train_time, with the other" in result.headline
    if trades == ("0%", "3%"):
        assert "of the space" in result.headline and "train_time" not in result.headline


RATES = "error err test_error top1_error error_mean misclassification ber error_rate mmce hamming_loss fpr".split()


@every("name", RATES)
def test_error_rates_under_any_name_order_alike(name: str) -> None:
    scores, costs = random_table(11)
    by_accuracy = order(table(scores, costs), cost="train_time")
    result = order(table(1 - scores, costs, name), score=name, cost="train_time")
    assert result.order == by_accuracy.order and result.valuation is not None and by_accuracy.valuation is not None
    assert result.valuation.trades == pytest.approx(by_accuracy.valuation.trades)
    assert f"of 1 - {name} (" in str(result)


@pytest.mark.parametrize("name", ["wer", "cer", "log_loss", "zeal"])
def test_losses_that_may_exceed_one_enter_by_their_logarithm_and_the_answer_says_so(name: str) -> None:
    scores, costs = random_table(11)
    result = order(table(1 - scores, costs, name), score=name, cost="train_time", higher_is_better=False)
    assert result.valuation is not None and float(result.valuation.trades[0]) == 0.10
    assert f"10% less loss (the logarithm of {name} is averaged)" in " ".join(str(result).split())
    assert result.valuation.values == pytest.approx(
        -np.log(1 - scores).mean(axis=0) - 0.10 * np.log10(costs).mean(axis=0)
    )


def test_a_loss_of_data_sets_in_other_units_keeps_the_log_scale() -> None:
    rng = np.random.default_rng(5)
    losses, costs = rng.lognormal(0, 0.3, (12, 5)), 10 ** rng.uniform(0, 3, 5)
    units = 10.0 ** rng.integers(-3, 4, (12, 1))
    plain, other = (order(table(part, costs, "rmse"), cost="train_time") for part in (losses, losses * units))
    assert plain.valuation is not None and other.valuation is not None
    assert other.order == plain.order and other.score.name == "rmse"
    assert np.ptp(other.valuation.values - plain.valuation.values) < 1e-9  # a unit moves all by the same
    assert not {"scales-differ", "metrics-differ"} & set(codes_of(other.caveats))
    as_is = order(table(losses * units, costs, "rmse"), cost="train_time", scale="as-is")
    assert as_is.order == plain.order and not {"scales-differ", "metrics-differ"} & set(codes_of(as_is.caveats))


def test_a_column_of_one_metric_tells_the_scale() -> None:
    scores, costs = random_table(11)
    named = table(1 - scores, costs, "score", metric=["error_rate"] * scores.size)
    by_error = order(named, score="score", cost="train_time").valuation
    by_accuracy = order(table(scores, costs), cost="train_time").valuation
    assert by_error is not None and by_accuracy is not None
    assert by_error.values - by_error.values.max() == pytest.approx(by_accuracy.values - by_accuracy.values.max())
    result = order(table(30 * (1 - scores), costs, "score", metric=["rmse"] * scores.size), score="score")
    assert result.valuation is not None and result.valuation.scale.kind == "loss"


@pytest.mark.parametrize("clustered", [False, True, "crossing"])
def test_items_of_several_benchmarks_vary_around_the_means_of_each(clustered: bool | str) -> None:
    rng = np.random.default_rng(8)
    sizes, gains = (300, 120, 60), (0.25, 0.0, -0.2)  # the difference of b to a changes from benchmark to benchmark
    rows: dict[str, list[Any]] = {name: [] for name in ("dataset", "model", "item", "accuracy", "document")}
    for bench, (size, gain) in enumerate(zip(sizes, gains, strict=True)):
        for item in range(size):
            document = f"{item // 4}" if clustered == "crossing" else f"{bench}-{item // 4}"
            for model, share in (("a", 0.5), ("b", 0.5 + gain)):
                cells = (f"b{bench}", model, f"{bench}-{item}", int(rng.random() < share), document)
                for name, cell in zip(rows, cells, strict=True):
                    rows[name].append(cell)
    if not clustered:
        del rows["document"]
    columns = {"cluster": "document"} if clustered else {}
    result = order(rows, score="accuracy", columns=columns, rule="worth")
    value, tests = result.valuation, result.item_tests
    assert value is not None and tests is not None
    moments = value.sample.moments(np.zeros(0))
    assert moments is not None
    named = order(rows, score="accuracy", columns=columns, rule="multitest", prior=["a", "b"], pairwise="cluster-t")
    pair = named.item_tests
    assert pair is not None
    error = standard_errors(moments.covariance, 0)[1]
    t = abs(float(tests.difference[0])) / error
    assert t == pytest.approx(abs(float(pair.statistic[0])), rel=1e-9)
    if not clustered:  # by hand: the variance of a mean of independent means
        answers = np.array(rows["accuracy"]).reshape(-1, 2)
        parts = np.split(answers[:, 1] - answers[:, 0], np.cumsum(sizes)[:-1])
        assert error == pytest.approx(np.sqrt(sum(part.var(ddof=1) / len(part) for part in parts)) / 3)


def test_measured_costs_stay_and_a_zero_is_never_above_what_was_paid_beside_it() -> None:
    scores = [[0.9, 0.8, 0.7], [0.9, 0.8, 0.7]]
    result = order(table(scores, [[1000.0, 1e-6, 0.0], [1000.0, 2000.0, 0.0]]), cost="train_time")
    assert result.valuation is not None
    paid = 10 ** result.valuation.sample.logs[0]
    assert paid == pytest.approx(np.array([[1000, 1e-6, 1e-6], [1000, 2000, 1.0]]))  # the median / 1000 is 1
    assert [note for note in result.caveats if note.code == "zero-costs"] == [
        "2 train_time of 0 count as 1e-06 to 1: a zero has no ratio."
    ]


@pytest.mark.parametrize("cost", [0.01, np.nan, 900.0])
def test_a_failed_run_has_the_worst_score_and_the_largest_cost_of_its_data_set(cost: float) -> None:
    scores = np.array([[0.9, 0.8, 0.7], [0.9, 0.85, np.nan], [0.8, 0.8, 0.7]])
    costs = np.array([[100.0, 10.0, 1.0], [200.0, 20.0, cost], [100.0, 10.0, 1.0]])
    result = order(table(scores, costs), cost="train_time", missing="worst-rank")
    assert result.valuation is not None
    expected = max(200.0, cost) if cost == cost else 200.0
    assert 10 ** result.valuation.sample.logs[0, 1] == pytest.approx([200.0, 20.0, expected])
    assert result.valuation.sample.scores[1] == pytest.approx([0.9, 0.85, 0.85])
    assert "gaps-costliest" in codes_of(result.caveats)


@every("score", ["accuracy", "rmse", "elo"])
@every("trade", [None, "0.5%", "3%", "40%"])
def test_the_first_by_multitest_is_who_is_first_when_that_is_applied(score: str, trade: str | None) -> None:
    scores, costs = random_table(21, sets=20)
    costs[:, 5] = np.nan  # of one algorithm no cost is known
    results = table(1500 * scores if score == "elo" else scores, costs, score)
    result = order(results, cost="train_time", trade=trade)
    named = order(results, cost="train_time", trade=trade, rule="multitest")
    assert named.order[0] == result.other_rules["multitest"]
    assert set(named.order) == set("abcde") and "costs-unknown" in codes_of(named.caveats)
    two = order(published.ulas2012(), score="accuracy", cost=["train_time", "space"])
    assert not two.other_rules and "--rule" not in str(two)


def test_multitest_with_a_trade_for_losses_tests_what_the_trade_is_a_price_in() -> None:
    scores, costs = random_table(22, sets=20)
    result = order(table(1 + scores, costs, "rmse"), cost="train_time", trade="5%", rule="multitest")
    worth = np.log(1 + scores) + 0.05 * np.log10(costs)
    for a, b, p in zip(result.tests.a, result.tests.b, result.tests.pvalue, strict=True):
        expected = scipy_stats.wilcoxon(worth[:, a], worth[:, b], method="exact").pvalue
        assert p == pytest.approx(expected, rel=1e-9)
    assert "mean worth rank" in result.document().tables[0].header


@pytest.mark.parametrize("given_trade", [{"trade": "1%"}, {"accd": 0.01}])
def test_a_trade_without_a_cost_is_an_error(given_trade: dict[str, Any]) -> None:
    scores, costs = random_table(3)
    with pytest.raises(OptionError, match="without a cost"):
        order(table(scores), **given_trade)
    with pytest.raises(OptionError, match="A trade was given without a cost"):
        order(table(scores, costs), prior=list("abcdef"), **given_trade)


@pytest.mark.parametrize("rule", ["worth", "multitest", "multi2test"])
def test_one_algorithm_is_printed_without_a_probability(rule: str) -> None:
    result = order(table([[0.9], [0.8]], [[1.0], [2.0]]), cost="train_time", rule=rule)
    facts = result.to_dict()
    assert result.order == ("a",) and facts["probability"] is None and facts["regret"] is None and facts["pairs"] == []
    assert result.headline == "Use a: 85.0 accuracy, the only one." and "explain" not in str(result)
    assert len(result.rows()) == 1 and "85.0" in str(result.document())


def test_one_model_on_items_or_with_a_total_is_printed() -> None:
    answers = {"model": ["m"] * 4, "item": list("abcd"), "accuracy": [1, 0, 1, 1], "price": [1.0, 2.0, 3.0, 4.0]}
    total = {"model": ["m"], "passed": [3], "n": [4], "price": [2.5]}
    for part in (answers, total):
        result = order(part)
        assert result.headline.startswith("Use m: 75.0") and result.to_dict()["probability"] is None


@pytest.mark.parametrize("score", ["accuracy", "profit"])
def test_scores_that_are_all_zero_leave_the_order_to_cost(score: str) -> None:
    results = table(np.zeros((4, 3)), [3.0, 1.0, 2.0], score)
    result = order(results, score=score, cost="train_time", higher_is_better=True)
    assert result.order == ("b", "c", "a") and result.to_dict()["probability"] is None


def test_the_variant_of_2008_names_its_report() -> None:
    orders = [order(published.ulas2012(), score="accuracy", cost="train_time", variant=v) for v in ("2008", "2012")]
    assert [v in str(item) for item, v in zip(orders, ("2008)", "2012)"), strict=True)] == [True, True]
    assert "FBE/CMPE-01/2008-04" in str(orders[0].document()) and "2012)" not in str(orders[0])
    without = published.ulas2012().means("accuracy") / 100
    plain = table(without, published.ulas2012().means("train_time"))
    assert "no pair was tested inside" in " ".join(str(order(plain, cost="train_time", rule="multi2test")).split())


def test_the_document_holds_the_groups_and_all_tests_of_pairs() -> None:
    result = order(published.ulas2012(), score="accuracy", cost="train_time")
    tables = {part.caption.partition(":")[0]: part for part in result.document().tables}
    tests, reasons = tables["Tests of pairs"], tables["Reasons"]
    assert len(tests.body) == 28 and reasons.header[2] == "group"
    better = {(row[0], row[1]): row[2] for row in tests.body}
    marks = {row[1]: set(row[2]) for row in reasons.body}
    for (a, b), winner in better.items():
        assert (winner == "-") == bool(marks[a] & marks[b])


def test_a_cost_named_twice_or_negative_is_an_error_that_can_be_mended() -> None:
    scores, costs = random_table(3)
    with pytest.raises(OptionError, match="'train_time' was named twice"):
        order(table(scores, costs), cost=["train_time", "train_time=2%"])
    with pytest.raises(InputError) as raised:
        order(table(scores, -costs), cost="train_time")
    assert "missing_costs" not in str(raised.value)


def test_totals_of_unequal_numbers_of_items_say_so() -> None:
    result = order({"model": ["a", "b"], "passed": [30, 100], "n": [33, 133], "price": [1.0, 2.0]})
    assert "on items like these 33 to 133;" in " ".join(str(result).split())


def test_very_many_algorithms_are_as_sure_as_by_the_root_of_the_covariance() -> None:
    rng = np.random.default_rng(6)
    scores = rng.normal(0, 0.05, (40, 250)) + np.append([0.02, 0.01], np.full(248, -0.05))
    moments = Sample(scores=scores, logs=np.zeros((0, 1, 250))).moments(np.zeros(0))
    assert moments is not None and moments.root is not None
    assert moments.root.T @ moments.root == pytest.approx(moments.covariance)
    first = int(np.argmax(moments.means))
    by_units, by_root = certainty(moments, first=first), certainty(replace(moments, root=None), first=first)
    assert by_units is not None and by_root is not None
    assert by_units.probability == pytest.approx(by_root.probability, abs=0.03)
    assert by_units.regret == pytest.approx(by_root.regret, rel=0.15, abs=1e-4)


def test_noise_of_times_that_could_change_the_order_is_named() -> None:
    """b scores as c; a fold of 10 % more or less decides which of them is cheaper, and nothing else is that close."""
    times = {"a": (1.0, 1.1), "b": (10.0, 12.0), "c": (10.5, 12.2)}
    rows = [
        {"dataset": f"d{d}", "algorithm": name, "fold": fold, "error": 0.1, "train_time": seconds[fold - 1]}
        for d in range(3)
        for name, seconds in times.items()
        for fold in (1, 2)
    ]
    result = order(pl.DataFrame(rows), score="error", cost="train_time")
    (note,) = (caveat for caveat in result.caveats if caveat.code == "cost-noise")
    assert result.order == ("a", "b", "c") and note.endswith("could change places: b before c.")
    steady = [{**row, "train_time": times[str(row["algorithm"])][0]} for row in rows]
    assert "cost-noise" not in codes_of(order(pl.DataFrame(steady), score="error", cost="train_time").caveats)


def test_noise_of_times_is_named_for_the_order_by_mean_shares_too() -> None:
    """By geometric means x and y tie; by mean shares x costs half of y, far beyond the noise of their folds."""
    times = {"x": [(1.0, 1.02)] * 2, "y": [(0.1, 0.101), (10.0, 10.2)], "z": [(20.0, 20.2), (20.0, 20.2)]}
    rows = [
        {"dataset": f"d{d}", "algorithm": name, "fold": fold, "error": 0.1, "train_time": times[name][d % 2][fold - 1]}
        for d in range(8)
        for name in times
        for fold in (1, 2)
    ]
    result = order(pl.DataFrame(rows), score="error", cost="train_time", rule="multitest")
    assert result.order == ("x", "y", "z") and "cost-noise" not in codes_of(result.caveats)
    by_worth = order(pl.DataFrame(rows), score="error", cost="train_time")
    assert "cost-noise" in codes_of(by_worth.caveats)


def test_the_published_rules_show_the_cost_that_they_sort_by() -> None:
    result = order("published:ulas2012", cost="space", rule="multitest")
    table = result.answer.table
    assert table is not None and table.header[-2:] == ("space share", "by")
    shown = {row[1]: float(row[-2].rstrip("%")) for row in table.body}
    exact = dict(zip(result.algorithms, 100 * result.costs["space"], strict=True))
    assert shown == pytest.approx(exact, rel=5e-3)
    assert list(result.prior) == sorted(shown, key=lambda name: shown[name])
