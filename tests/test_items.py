"""Tables of items, and what compare, order and power say of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import fisher_exact

import tiebreak as tb
from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import codes_of
from tiebreak.cli import main
from tiebreak.comparison.items import LIKE_ONE, ItemComparison
from tiebreak.errors import InputError, OptionError
from tiebreak.evals.planning import plan_items
from tiebreak.results import Results, columns as columns_module
from tiebreak.results.items import ItemTable, item_table
from tiebreak.stats import item_pairs

from .every import every


def answers(
    models: tuple[str, ...] = ("big", "mid", "small"),
    n: int = 120,
    sets: tuple[str, ...] = ("bench",),
    seed: int = 0,
    rates: tuple[float, ...] = (0.9, 0.86, 0.5),
) -> dict[str, list[object]]:
    """Right and wrong answers with prices, by hard and easy items."""
    rng = np.random.default_rng(seed)
    rows: dict[str, list[object]] = {k: [] for k in ("benchmark", "model", "item", "cluster", "accuracy", "price")}
    for name in sets:
        hard = rng.random(n)
        for place, (model, rate) in enumerate(zip(models, rates, strict=True)):
            right = hard + rng.normal(0, 0.15, n) < rate
            rows["benchmark"] += [name] * n
            rows["model"] += [model] * n
            rows["item"] += [f"q{i}" for i in range(n)]
            rows["cluster"] += [f"{name} d{i // 4}" for i in range(n)]
            rows["accuracy"] += [int(item) for item in right]
            rows["price"] += [float(10.0 / (place + 1) ** 2)] * n
    return rows


def without(rows: dict[str, list[object]], *names: str) -> Results:
    return Results.from_dict({name: column for name, column in rows.items() if name not in names})


# ---- tables


def test_columns_of_items_are_known_by_their_names() -> None:
    table = without(answers())
    assert table.unit == "item" and table.datasets == ("bench",) and len(table.folds) == 120
    assert table.clusters is not None and len(table.clusters.names) == 30
    items = item_table(table, "accuracy")
    assert items.scores.shape == (120, 3) and items.n_clusters == 30 and items.is_binary
    assert items.items[0] == "q0" and items.benchmarks == ("bench",)


def test_epochs_are_averaged_within_items_whatever_their_number() -> None:
    rows = {
        "model": ["a", "a", "a", "b", "b"],
        "item": ["q1", "q1", "q2", "q1", "q2"],
        "epoch": [1, 2, 1, 1, 1],
        "accuracy": [1.0, 0.0, 1.0, 1.0, float("nan")],
    }
    items = item_table(Results.from_dict(rows), "accuracy")
    assert items.scores[:, 0].tolist() == [0.5, 1.0] and np.isnan(items.scores[1, 1])
    assert codes_of(items.caveats) == ["epochs-averaged", "answers-missing"]


def test_a_wide_table_of_items(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text("item,cluster,a,b\nq1,d1,1,0\nq2,d1,1,1\nq3,d2,0,1\n")
    table = tb.read(file, scores="accuracy")
    assert table.unit == "item" and table.algorithms == ("a", "b")
    assert item_table(table, "accuracy").scores.tolist() == [[1, 0], [1, 1], [0, 1]]


def test_a_column_of_another_name_is_told(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("dataset,algorithm,fold,accuracy\nz,a,7,1\nz,b,7,0\nz,a,8,1\nz,b,8,1\n")
    assert tb.read(file).unit == "fold"
    assert tb.read(file, columns={"item": "fold"}).unit == "item"


def test_repeated_answers_without_epochs_are_refused() -> None:
    rows = {"model": ["a", "a", "b"], "item": ["q", "q", "q"], "accuracy": [1, 0, 1]}
    with pytest.raises(InputError) as raised:
        Results.from_dict(rows)
    assert "Two scores for one cell (dataset 'benchmark', algorithm 'a')" in str(raised.value)
    assert "name or add the column that counts them" in str(raised.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Column 'page' of t.csv does not hold numbers and is not a known key."),
        (
            ("--column", "cluster=page"),
            "If 'turn' distinguishes them, name its role: --column epoch=turn where these are repeated",
        ),
        (
            ("--score", "accuracy"),
            "If 'turn', 'page' distinguishes them, name its role: --column epoch=turn where these",
        ),
        (("--column", "epoch=turn"), "or its role (--column cluster=page or --column dataset=page)."),
    ],
)
def test_a_file_of_items_is_told_what_is_not_understood(
    options: tuple[str, ...], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has no data set, and needs none: that is not what is wrong with it."""
    rows = [f"{model},q{k},p{k},{t},{k % 2}" for model in "ab" for k in range(4) for t in (1, 2)]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["model,item,page,turn,accuracy", *rows, ""]))
    assert main(["read", str(file), *options]) == 2
    assert words in capsys.readouterr().err
    assert main(["read", str(file), "--column", "cluster=page", "--column", "epoch=turn", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["unit"], data["items"], data["clusters"]) == ("item", 4, 4)


def test_a_column_that_numbers_answers_is_found_where_rows_repeat() -> None:
    rows = [
        {"model": model, "item": f"q{k}", "try": answer, "accuracy": k * answer % 2}
        for model in "ab"
        for k in range(4)
        for answer in (1, 2)
    ]
    result, named = tb.as_results(rows), tb.as_results(rows, columns={"epoch": "try"})
    assert result.rows() == named.rows() and item_table(result, "accuracy").epochs == (2, 2)
    assert any("'try' was read as the epoch" in note for note in result.caveats)
    once = tb.as_results([row for row in rows if row["try"] == 1])
    assert not any("epoch" in note for note in once.caveats)  # nothing repeats, so that it may be anything
    with pytest.raises(InputError, match="Two scores for one cell"):
        tb.as_results([*rows, rows[0]])


def test_one_model_with_totals_is_refused_in_words() -> None:
    columns = {"model": ["a"], "passed": [3], "n": [10]}
    with pytest.raises(InputError, match=r"There is 1 model on these items. Add another model"):
        tb.compare(columns)


def test_an_item_in_two_clusters_is_refused_by_name() -> None:
    rows = {"model": ["a", "b"], "item": ["q1", "q1"], "cluster": ["x", "y"], "accuracy": [1, 0]}
    with pytest.raises(InputError, match=r"Item 'q1' is in cluster 'x' and in 'y' \(1 such row"):
        item_table(Results.from_dict(rows), "accuracy")


def test_tables_of_items_are_stacked_with_their_clusters() -> None:
    one, two = (without(answers(models=(name,), rates=(0.8,))) for name in "ab")
    both = tb.stack([one, two])
    assert both.unit == "item" and item_table(both, "accuracy").n_clusters == 30
    folds = Results.from_dict({"iris": {"a": 0.9}}, scores="accuracy")
    with pytest.raises(InputError, match="different kinds"):
        tb.stack([without(answers(), "price"), folds])


# ---- order and compare


def test_an_order_on_items_is_multitest_with_their_tests() -> None:
    table = without(answers(n=60, seed=3), "cluster")
    order = tb.order(table, score="accuracy", cost="price", rule="multitest")
    assert order.over == "items" and order.plan.pairwise == "mcnemar"
    tests = item_pairs(item_table(table, "accuracy").scores, adjust="bergmann-hommel")
    assert order.tests.pvalue == pytest.approx(tests.pvalue) and order.tests.adjusted == pytest.approx(tests.adjusted)
    assert order.order == ("mid", "big", "small")  # small is worse; mid and big do not differ, and mid is cheaper
    data = order.to_dict()
    assert data["items"]["count"] == 60 and data["items"]["test"] == "mcnemar"
    assert {"difference", "low", "high", "low_together", "items"} <= set(data["pairs"][0])
    assert "no significant difference of their scores (p = 0.453" in order.explain("mid", "big")
    assert json.loads(json.dumps(data, allow_nan=False)) == data


@pytest.mark.parametrize("trade", ["0.5pt", "4pt", "60pt"])
def test_an_order_on_items_by_worth_is_mean_less_trade_times_log_cost(trade: str) -> None:
    """By hand; big is 2.6 points better than mid at 4 times the price, and small far worse."""
    table = without(answers(n=2000), "cluster")
    order = tb.order(table, score="accuracy", cost="price", trade=trade)
    means, size = item_table(table, "accuracy").means()[0], float(trade[:-2]) / 100
    prices = dict(zip(("big", "mid", "small"), (10.0, 10.0 / 4, 10.0 / 9), strict=True))
    worth = {name: means[i] - size * np.log10(prices[name]) for i, name in enumerate(table.algorithms)}
    assert order.order == tuple(sorted(worth, key=lambda name: -worth[name]))
    assert order.to_dict()["worth"] == pytest.approx(worth)


def test_clusters_and_benchmarks_are_in_the_answer() -> None:
    table = without(answers(sets=("x", "y"), n=80))
    order = tb.order(table, score="accuracy", cost="price")
    assert order.plan.pairwise == "sign-flip"
    assert any("like these 160 of 2 benchmarks in 40 clusters" in line for line in order.document().said)
    published = tb.order(table, score="accuracy", cost="price", rule="multitest")
    assert "on-these-datasets" in codes_of(published.caveats)
    items = item_table(table, "accuracy")
    by_hand = item_pairs(items.scores, clusters=items.clusters, strata=items.strata, adjust="none")
    assert order.tests.pvalue == pytest.approx(by_hand.pvalue)


def test_enough_benchmarks_are_data_sets_and_few_are_items() -> None:
    many = without(answers(sets=tuple("abcdefgh"), n=12), "cluster")
    over = tb.order(many, score="accuracy", cost="price")
    assert over.over == "scores" and "items-averaged" in codes_of(over.caveats)
    assert any("on data sets like these 8;" in line for line in over.document().said)
    few = tb.order(without(answers(sets=("a", "b"), n=12), "cluster"), score="accuracy", cost="price")
    assert few.over == "items"
    assert any("on items like these 24 of 2 benchmarks;" in line for line in few.document().said)


def test_a_comparison_on_items_says_who_differs_and_by_how_much() -> None:
    compare = tb.compare(without(answers(), "cluster"), score="accuracy")
    assert isinstance(compare, ItemComparison) and compare.algorithms[-1] == "small" and compare.shares is not None
    assert {pair.better for pair in compare.pairs if pair.b == "small"} == {
        compare.algorithms[0],
        compare.algorithms[1],
    }
    options = compare.to_dict()
    assert options["over"] == "items" and options["scores"]["small"]["low"] < options["scores"]["small"]["mean"]
    assert {"mean_ranks", "omnibus", "pairs", "groups", "critical_difference", "method", "caveats"} <= set(options)
    text = str(compare.document())
    assert "95% interval" in text and LIKE_ONE in text and "McNemar's test (exact)" in text
    assert len(compare.figure("forest").differences) == 2
    held = compare.simultaneous_intervals()
    assert (held.low <= held.estimate).all() and (held.estimate <= held.high).all()


def test_against_a_control_and_by_a_named_test() -> None:
    compare = tb.compare(without(answers()), score="accuracy", control="small", pairwise="cluster-t")
    assert compare.control == "small" and compare.plan.pairwise == "cluster-t" and compare.plan.posthoc == "holm"
    assert len(compare.pairs) == 2 and {pair.better for pair in compare.pairs} == {"big", "mid"}


def test_what_is_over_data_sets_is_refused_on_items_and_intervals_are_not() -> None:
    compare = tb.compare(without(answers(), "cluster"), score="accuracy")
    for ask in (compare.effects, compare.bayes):
        with pytest.raises(OptionError, match="folds or items are compared"):
            ask()
    alone, together = compare.intervals(), compare.simultaneous_intervals()
    assert (alone.low > together.low).all() and (compare.intervals(level=0.8).low > alone.low).all()


def test_shares_outside_their_range_are_said() -> None:
    rows = {"model": ["a", "a", "b", "b"], "item": ["p", "q"] * 2, "accuracy": [1.0, 3.5, -2.0, 0.0]}
    assert "outside-its-range" in codes_of(tb.compare(Results.from_dict(rows), score="accuracy").caveats)


def test_losses_are_better_when_lower() -> None:
    rows = answers()
    rows["log_loss"] = [1.0 - float(str(item)) + 0.1 for item in rows.pop("accuracy")]
    order = tb.order(without(rows, "cluster"), score="log_loss", cost="price")
    loss = order.to_dict()["loss"]
    assert order.order == ("big", "mid", "small") and loss["big"]["value"] == 0
    assert loss["small"]["value"] > loss["mid"]["value"] > 0 and loss["small"]["low"] > 0.1


def test_models_with_other_items_are_compared_on_those_of_both() -> None:
    rows = answers(n=60)
    keep = [not (model == "big" and str(item) < "q2") for model, item in zip(rows["model"], rows["item"], strict=True)]
    part = {
        name: [item for item, remaining in zip(column, keep, strict=True) if remaining] for name, column in rows.items()
    }
    compare = tb.compare(Results.from_dict(part), score="accuracy")
    assert {"answers-missing", "items-differ"} <= set(codes_of(compare.caveats))


def test_models_without_common_items_are_refused() -> None:
    rows = {"model": ["a", "b"], "item": ["q1", "q2"], "accuracy": [1, 0]}
    with pytest.raises(InputError, match="'a' and 'b' have no item in common"):
        tb.compare(Results.from_dict(rows), score="accuracy")


def test_all_answers_alike() -> None:
    rows = answers()
    rows["accuracy"] = [1] * len(rows["accuracy"])
    order = tb.order(without(rows, "cluster"), score="accuracy", cost="price")
    assert order.order == ("small", "mid", "big") and "no-difference" in codes_of(order.caveats)
    assert order.headline == "Use small: all 3 have the same accuracy, and it is the cheapest."


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rule": "multi2test"}, "Multi2Test was named for an order on items."),
        ({"variant": "2012"}, "variant was given for a table of items."),
        ({"pairwise": "wilcoxon"}, "There is no pairwise test 'wilcoxon'."),
        ({"pairwise": max}, "A test of the user's own was given for items."),
    ],
)
def test_options_of_folds_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises((InputError, OptionError)) as raised:
        tb.order(without(answers()), score="accuracy", cost="price", **options)  # type: ignore[arg-type]
    assert str(raised.value).startswith(words)


# ---- totals


def totals() -> Results:
    rows = {"model": ["x", "y", "z"], "passed": [80, 78, 20], "n": [225, 225, 225], "total_cost": [9.0, 1.5, 0.5]}
    return Results.from_dict(rows)


def test_totals_are_tested_as_shares_and_pairing_is_said_to_be_lost() -> None:
    order = tb.order(totals(), cost="total_cost")
    assert order.order == ("x", "y", "z") and order.plan.pairwise == "fisher"
    assert "pairing-lost" in codes_of(order.caveats) and order.other_rules == {"multitest": "y"}
    assert order.headline == "Use x: 35.6 pass_rate, the best of 3. y is 6.0 times cheaper but 0.9 points worse."
    assert tb.order(totals(), cost="total_cost", trade="2pt").order == ("y", "x", "z")  # 0.9 points at 6 times
    compared = tb.compare(totals())
    assert compared.algorithms == ("x", "y", "z") and compared.to_dict()["items"]["paired"] is False


def test_a_share_beside_its_number_of_items_is_counted() -> None:
    rows = {"model": ["x", "y"], "pass_rate": [35.6, 20.4], "test_cases": [225, 225]}
    compare = tb.compare(Results.from_dict(rows, columns={"n": "test_cases"}), score="pass_rate")
    assert [round(float(score) * 225) for score in compare.scores[0]] == [80, 46]


def test_more_passed_than_there_are() -> None:
    with pytest.raises(InputError, match="226 of 225 items were passed"):
        Results.from_dict({"model": ["x", "y"], "passed": [226, 3], "n": [225, 225]})


# ---- words


def right(models: dict[str, int], n: int = 400) -> Results:
    """Answers of models, right on the first items."""
    rows = {"model": [name for name in models for _ in range(n)], "item": [*range(n)] * len(models)}
    return Results.from_dict(rows | {"accuracy": [float(i < k) for k in models.values() for i in range(n)]})


def test_the_sentence_to_repeat() -> None:
    """Two models that never differ: 400 such items show a margin of 0.8 points, as 0.992^400 < 0.05 < 0.993^400."""

    def said(a: int, b: int, n: int = 400) -> str:
        compare = tb.compare(right({"A": a, "B": b}, n), score="accuracy")
        assert isinstance(compare, ItemComparison)
        return compare.headline

    assert said(320, 320) == "B: as good as A within 0.8 points on 400 items."
    assert re.fullmatch(
        r"A: significantly better than B by 5 points on 400 items \(95 % interval .* to .*\)\.", said(320, 300)
    )
    assert said(320, 300).replace("A", "x").replace("B", "A").replace("x", "B") == said(300, 320)
    text = r"B: no significant difference from A on 40 items \(5 points worse, 95 % interval -.* to .*\)\."
    assert re.fullmatch(text, said(34, 32, 40))


def test_a_difference_has_one_unit_and_one_interval_in_a_comparison() -> None:
    compare = tb.compare(answers(("big", "mid", "low"), n=60, rates=(0.9, 0.7, 0.4)), score="accuracy")
    assert isinstance(compare, ItemComparison)
    row = compare.document().tables[1].body[0]
    low, high = (
        100 * float(item[0]) for item in (compare.pairs_tested.low_together, compare.pairs_tested.high_together)
    )
    assert row[3] == f"{low:.1f} to {high:.1f}".replace(".0", "")
    assert f"together {row[3]}" in compare.headline and f"{row[2]} points" in compare.headline


def test_points_are_for_shares_and_other_scores_are_named() -> None:
    rows = answers(("big", "mid"), n=40, rates=(0.9, 0.7))
    del rows["cluster"]
    rng = np.random.default_rng(0)
    loss = {**rows, "brier": [round(0.3 * (1 - float(str(x))) + 0.1 * rng.random(), 3) for x in rows["accuracy"]]}
    del loss["accuracy"]
    headline = tb.compare(loss, score="brier", higher_is_better=False).headline
    assert " in brier" in headline and "point" not in headline
    far = {**loss, "length": [1000.0 * float(str(x)) for x in loss.pop("brier")]}
    assert "e+" not in tb.compare(far, score="length", higher_is_better=True).headline
    assert "points" in tb.compare(rows, score="accuracy").headline


def test_so_few_clusters_or_items_can_tell_nothing_and_no_order_is_called_the_best_of_a_test() -> None:
    rows = answers(("big", "small"), n=20, rates=(0.95, 0.2))
    assert tb.order(rows, score="accuracy", cost="price").order == ("big", "small")
    order = tb.order(rows, score="accuracy", cost="price", rule="multitest")
    assert order.order == ("small", "big")
    alone = "To ask of further items of these clusters alone, ignore them: columns={'cluster': 'none'}."
    few = "With 5 clusters no two models can differ significantly at alpha = 0.05, whatever their scores: it takes 6."
    assert f"{few} {alone}" in (texts := [str(caveat) for caveat in order.caveats])
    assert "No pair can differ significantly: cost decided alone." in texts
    assert "cost decided alone." in " ".join(str(order.document()).split())
    less_strict = tb.order(rows, score="accuracy", cost="price", alpha=0.07, rule="multitest")
    assert "least-pvalue" not in codes_of(less_strict.caveats)
    six = answers(("big", "mid", "small"), n=24)  # three pairs need 7 clusters, one pair 6
    assert "it takes 7." in " ".join(str(caveat) for caveat in tb.compare(six, score="accuracy").caveats)
    assert "least-pvalue" not in codes_of(tb.compare(six, score="accuracy", posthoc="none").caveats)


def test_a_plan_knows_that_a_few_signs_show_nothing() -> None:
    rows = answers(("big", "small"), n=20, rates=(0.95, 0.2))
    plan = plan_items(item_table(tb.Results.from_dict(rows, scores=["accuracy"])), difference=0.9)
    assert plan.needed == (24,) and codes_of(plan.caveats) == ["least-pvalue"]  # 6 clusters of 4
    del rows["cluster"]
    plan = plan_items(item_table(tb.Results.from_dict(rows, scores=["accuracy"])), difference=0.9)
    assert plan.needed is not None and plan.needed[0] >= 6 and plan.caveats == ()


def wide(scores: FloatArray, score: str, names: list[str], **more: IntArray) -> ItemTable:
    columns = {"item": np.arange(len(scores)), **more, **dict(zip(names, scores.T, strict=True))}
    return item_table(tb.Results.from_dict(columns, scores=score))


def test_a_plan_of_many_pairs_lists_those_that_take_most_and_counts_the_others() -> None:
    rng = np.random.default_rng(3)
    scores = (rng.random((400, 11)) < [*[0.97] * 9, 0.5, 0.5]).astype(float)  # 55 pairs, the last varies most
    names = [f"m{k:02d}" for k in range(11)]
    plan = plan_items(wide(scores, "accuracy", names), difference=0.02)
    text, worst = str(plan.document()), int(np.argmax(plan.shown))
    assert worst >= 45 and f"{names[plan.a[worst]]}  {names[plan.b[worst]]}" in text
    assert "The 45 pairs that take most; the other 10 take less (all: rows())." in text
    assert f"To show 2 points between any two takes {max(n for n in plan.needed or () if n):,} items." in text
    assert len(plan.to_dict()["pairs"]) == 55


def test_a_plan_in_few_clusters_keeps_its_promise() -> None:
    rng, result, promised = np.random.default_rng(5), 0, []

    def drawn(difference: float) -> tuple[FloatArray, IntArray]:
        cluster = np.repeat(np.arange(14), 8)
        return (rng.normal(size=(14, 2))[cluster] + rng.normal(size=(112, 2)) + [difference, 0.0]), cluster

    for _ in range(100):
        scores, cluster = drawn(0.0)
        table = wide(scores, "r2", ["a", "b"], cluster=cluster)
        promised.append(float(plan_items(table, alpha=0.01).shown[0]))
    for _ in range(200):
        scores, cluster = drawn(float(np.mean(promised)))
        result += item_pairs(scores, algorithms=["a", "b"], clusters=cluster).pvalue[0] <= 0.01
    assert 0.7 <= result / 200 <= 0.9  # 0.64 by the normal distribution


WIDE = {"model": [f"m{i:02d}" for i in range(30)], "passed": [198, 167, *range(100, 128)], "n": [225] * 30,
        "price": [2.0, 1.0, *(3.0 + i for i in range(28))]}  # fmt: skip
"""A board as people publish it: the second is 14 points below the first, at half the price."""


def test_on_a_wide_board_the_best_is_first_however_many_pairs_are_tested() -> None:
    """Fisher's test of the two alone is significant; corrected over 435 pairs it is not, and MultiTest goes by cost."""
    p = fisher_exact([[198, 27], [167, 58]]).pvalue
    assert p < 0.001 < 0.05 < 435 * p
    order = tb.order(WIDE, cost="price")
    assert order.order[:2] == ("m00", "m01") and order.other_rules == {"multitest": "m01"}
    pair = next(item for item in order.to_dict()["pairs"] if {item["a"], item["b"]} == {"m00", "m01"})
    assert pair["pvalue"] == pytest.approx(p) and pair["better"] is None
    explain = order.explain("m01", "m00")
    assert explain.startswith("m00 stands before m01: 13.8 points better, 2.0 times the cost.")
    assert "no significant difference of their scores (p = 2.7e-04" in explain


def test_a_comparison_says_that_all_pairs_hide_what_an_order_shows() -> None:
    """Where the second is significantly worse in an order, "no significant difference" alone would contradict it."""
    text = str(tb.compare(WIDE).document())
    assert "no significant difference from m01 after the correction for 435 pairs." in text
    few = {"model": ["a", "b", "c"], "passed": [80, 79, 20], "n": [100] * 3}
    assert "no significant difference from b." in str(tb.compare(few).document())


def test_a_model_without_a_price_beside_one_with() -> None:
    rows = answers(("big", "free"), n=60, rates=(0.9, 0.88))
    rows["price"] = [0.0 if model == "free" else 1.0 for model in rows["model"]]
    order = tb.order(rows, score="accuracy", cost="price")
    assert "zero-costs" in codes_of(order.caveats) and "1 price of 0 counts as" in str(order.document())


def test_hundreds_of_folds_of_one_data_set_are_items(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = answers(("big", "mid"), n=150, rates=(0.9, 0.86))
    columns = {"dataset": rows["benchmark"], "algorithm": rows["model"], "fold": rows["item"],
               "accuracy": rows["accuracy"], "price": rows["price"]}  # fmt: skip
    file = write(columns, tmp_path / "folds.csv")
    assert main(["compare", file, "--score", "accuracy"]) == 0
    assert "on 150 items" in capsys.readouterr().out
    assert main(["order", file, "--score", "accuracy"]) == 0
    out = capsys.readouterr().out
    assert "on items like these 150;" in " ".join(out.split())
    assert "folds" not in out.partition("Note: Read as:")[0]


def test_long_runs_are_averaged_as_short_ones_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=3600) * 10.0 ** rng.integers(-8, 8, 3600)
    values[5] = np.nan
    starts, counts = np.array([0, 1200, 1200]), np.array([1200, 0, 2400])
    for partial in (False, True):
        long = columns_module.fold_means(values, starts, counts, partial=partial)
        with monkeypatch.context() as patch:
            patch.setattr(columns_module, "_LONG", 10**9)
            short = columns_module.fold_means(values, starts, counts, partial=partial)
            np.testing.assert_allclose(long, short, rtol=1e-15)
    huge = columns_module.fold_means(np.full(1001, 1e308), np.array([0]), np.array([1001]), partial=True)
    assert huge[0] > 1e307  # no error, whatever the sum


# ---- the command line


def write(rows: dict[str, list[object]], file: Path) -> str:
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def test_verbs_on_a_file_of_items(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = answers(n=40)
    rows["question"] = rows.pop("item")
    file = write(rows, tmp_path / "items.csv")
    assert main(["order", file, "--item", "question", "--score", "accuracy", "--cost", "price", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["method"]["over"] == "items" and data["items"]["clusters"] == 10 and data["headline"]
    assert main(["compare", file, "--item", "question", "--score", "accuracy", "--full"]) == 0
    assert "3 models on 40 items in 10 clusters of bench by accuracy" in capsys.readouterr().out
    assert (
        main(["power", file, "--column", "item=question", "--score", "accuracy", "--difference", "0.02", "--json"]) == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert data["needed"] > 40 and data["caveats"] and data["caveat_codes"] == ["read-as"]
    assert main(["report", file, "--column", "item=question", "--score", "accuracy", "--cost", "price", "-o",
                 str(tmp_path / "r.html")]) == 0  # fmt: skip
    page = (tmp_path / "r.html").read_text()
    assert "40 items in 10 clusters" in page
    assert "ratio on a data set" not in page, "a price on one benchmark is no mean over data sets"


def test_power_from_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "--items", "500", "--discordant", "0.2"]) == 0
    assert capsys.readouterr().out == "500 items show a difference of 0.0574 with power 0.80 (alpha 0.05, 1 pair).\n"
    assert main(["power", "--items", "500", "--discordant", "0.2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["caveat_codes"] == []
    assert main(["power", "--discordant", "0.2"]) == 2
    assert "Neither or both of the number of items and the difference" in capsys.readouterr().err


@pytest.mark.parametrize("over", ["items", "scores"])
def test_a_direction_that_only_was_told_counts(over: str) -> None:
    """A name that tells nothing was taken for one whose lower values are better."""
    sets = ("bench",) if over == "items" else tuple(f"b{k}" for k in range(8))
    options = answers(sets=sets)
    options["points"] = options.pop("accuracy")
    order = tb.order(options, score="points", cost="price", higher_is_better=True)
    assert order.over == over and order.score.higher_is_better and order.order[-1] == "small"
    assert order.better[order.algorithms.index("small"), order.algorithms.index("big")]
    turned = tb.order(options, score="points", cost="price", higher_is_better=False)
    assert turned.order[0] == "small" and not turned.score.higher_is_better


def test_benchmarks_of_both_directions_are_not_added_up() -> None:
    options = answers(sets=("one", "two"))
    options["score"] = options.pop("accuracy")
    options["metric"] = ["accuracy" if name == "one" else "log_loss" for name in options["benchmark"]]
    with pytest.raises(InputError, match="A higher 'score' is better on some benchmarks and worse on others"):
        tb.order(options, score="score", cost="price", columns={"metric": "metric"})


@every("header", ["dataset", "benchmark", "suite"])
@every(("passed", "n"), [(300, 225), (3, 0), (-1, 10)])
def test_totals_that_cannot_be_are_told_by_their_row(tmp_path: Path, header: str, passed: int, n: int) -> None:
    path = tmp_path / "totals.csv"
    path.write_text(f"model,{header},passed,n\na,sums,80,225\nb,sums,70,225\n")
    assert tb.read(path).unit == "total" and tb.read(path).datasets == ("sums",)
    path.write_text(f"model,{header},passed,n\na,sums,80,225\nb,sums,{passed},{n}\n")
    with pytest.raises(InputError, match=rf"{passed} of {n} items were passed\. Correct the row"):
        tb.read(path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("True", "False", ""), None),
        (("yes", "no", "NA"), "Column 'correct' says yes and no, which was read as 1 and 0."),
        (("Correct", "Incorrect", ""), "Column 'correct' says Correct and Incorrect, which was read as 1 and 0."),
        (("100%", "0 %", ""), "Percentages of column 'correct' were read as shares of 1."),
    ],
)
def test_answers_may_be_written_as_words(words: tuple[str, str, str], said: str | None, tmp_path: Path) -> None:
    good, bad, none = words
    cells = {"a": [good, good, bad, none], "b": [bad, good, bad, good]}
    rows = [f"{model},q{k},{cell}" for model, current in cells.items() for k, cell in enumerate(current)]
    (tmp_path / "t.csv").write_text("\n".join(["model,question_id,correct", *rows, ""]))
    result = tb.read(tmp_path / "t.csv")
    np.testing.assert_array_equal(item_table(result).scores, [[1, 0], [1, 1], [0, 0], [np.nan, 1]])
    assert result.metric("correct").higher_is_better is True
    assert [str(caveat) for caveat in result.caveats if "correct'" in caveat] == ([said] if said else [])


def test_words_that_are_no_pair_are_no_scores() -> None:
    rows = {"model": ["a", "a", "b", "b"], "item": [1, 2, 1, 2], "accuracy": [1, 0, 1, 1]}
    with pytest.raises(InputError, match="Column 'said' of the dictionary does not hold numbers"):
        Results.from_dict(rows | {"said": ["yes", "no", "maybe", "yes"]})
    with pytest.raises(InputError, match="Column 'said' of the dictionary does not hold numbers"):
        Results.from_dict(rows | {"said": ["yes", "false", "yes", "yes"]})


def test_lines_of_json_are_answers(tmp_path: Path) -> None:
    rows = [{"prompt_id": f"p{k}", "model": model, "is_correct": (k + n) % 3 > 0, "text": "so", "turns": [1, 2]}
            for n, model in enumerate("ab") for k in range(6)]  # fmt: skip
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    result = tb.read(path, scores="is_correct")
    assert (result.unit, result.algorithms, len(result.folds)) == ("item", ("a", "b"), 6)
    assert item_table(result).scores[:3].tolist() == [[0, 1], [1, 1], [1, 0]]
    assert tb.read(path).scores == ("is_correct",)  # text and lists that nobody named are passed over
    path.write_text('{"id": "p1", "model": "a", "is_correct": true}\n{"id": "p1", "model": "b", "is_correct": true}\n')
    assert (tb.read(path).unit, tb.read(path).algorithms) == ("item", ("a", "b"))
    path.write_text('{"item": "p1", "model": "a", "is_correct": true}\n[1]\n')
    with pytest.raises(InputError, match=r"Line 2 of answers\.jsonl is no record"):
        tb.read(path)
    path.write_text('{"item": "p1", "model": "a", "is_correct": true}\n{"item": \n')
    with pytest.raises(InputError, match=r"answers\.jsonl is not JSON: line 2: "):
        tb.read(path)


def test_ids_beside_right_and_wrong_answers_are_items(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,model,correct\nq1,a,1\nq1,b,0\nq2,a,1\nq2,b,1\n")
    result = tb.read(path)
    assert (result.unit, result.algorithms, result.folds) == ("item", ("a", "b"), ("q1", "q2"))
    assert item_table(result).scores.tolist() == [[1, 0], [1, 1]]


def test_a_wide_table_of_nothing_but_0_and_1_holds_items(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"q{k},{k % 2},{k % 3 > 0:d}" for k in range(30)]
    path.write_text("\n".join(["id,svm,tree", *rows, ""]))
    result = tb.read(path, scores="accuracy")
    assert (result.unit, result.algorithms, len(result.folds)) == ("item", ("svm", "tree"), 30)
    assert [note.code for note in result.caveats if note.code == "inferred"] == ["inferred"]


def test_pairs_with_different_items_are_counted_from_the_fewest_to_the_most() -> None:
    rows = answers(n=60)
    rows["accuracy"] = [None if model == "small" and place % 5 == 0 else score for place, (model, score) in
                        enumerate(zip(rows["model"], rows["accuracy"], strict=True))]  # fmt: skip
    compare = tb.compare(rows, score="accuracy", columns={"cluster": "none"})
    assert compare.title().startswith("3 models on 48 to 60 items") and compare.evidence(0) == "60 items"
