"""What an order says must be true: words where nothing was tested, where data sets are few, where a margin decides."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tiebreak import Results, order
from tiebreak.caveats import codes_of
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.figures import order_graph

NAMES = ["a", "b", "c"]


def folded(sets: int, *, replications: int = 1, folds: int = 10, gap: float = 0.05, seed: int = 0) -> Results:
    """Scores of three algorithms, the later the better by `gap`, and the more so the less noise."""
    noise = np.random.default_rng(seed).normal(0, 0.02, (sets, 3, replications, folds))
    scores = 0.6 + gap * np.arange(3)[:, None, None] + noise
    return Results.from_array(scores, score="accuracy", algorithms=NAMES)


@pytest.mark.parametrize(("sets", "over"), [(1, None), (8, "places"), (4, None)])
def test_the_share_of_a_hold_out_reaches_the_test_wherever_folds_are_tested(sets: int, over: str | None) -> None:
    results = folded(sets, replications=10, folds=1)
    with pytest.raises(InputError, match="There is one fold in each replication"):
        order(results, prior=NAMES, over=over)
    found = order(results, prior=NAMES, over=over, test_share=0.3)
    wider = order(results, prior=NAMES, over=over, test_share=0.5)
    assert sorted(found.order) == NAMES
    if sets == 1:  # Nadeau and Bengio: the variance is 1 / K + n_test / n_train
        assert np.allclose(found.tests.statistic / wider.tests.statistic, np.sqrt((0.1 + 1) / (0.1 + 3 / 7)))


def test_a_group_of_one_data_set_with_hold_out_splits_is_tested_too() -> None:
    results = folded(8, replications=10, folds=1)
    groups = {name: "alone" if name == "data set 1" else "rest" for name in results.datasets}
    found = order(results, prior=NAMES, test_share=0.3, groups=groups)
    assert found.by_group["alone"].tests.pvalue.min() < 0.05


def test_an_unknown_share_names_the_data_set() -> None:
    results = folded(4, replications=10, folds=1)
    with pytest.raises(InputError, match="one fold in each replication on 'data set 1'"):
        order(results, prior=NAMES)
    odd = Results.from_array(np.full((3, 3, 10, 1), 0.5), score="accuracy", algorithms=NAMES, datasets=["x", "y", "z"])
    with pytest.raises(InputError, match="one fold in each replication on 'x'"):
        order(odd, prior=NAMES)


def test_data_sets_drawn_twice_can_be_tested_on_their_folds() -> None:
    assert order(folded(4), prior=NAMES).stability(datasets=5).repetitions == 5


def test_where_nothing_was_tested_nothing_is_said_of_a_test() -> None:
    found = order(Results.from_array([[0.5, 0.6, 0.7]], score="accuracy", algorithms=NAMES), prior=NAMES)
    assert found.reasons[0].text == "before b: not tested, earlier in the given order"
    assert found.explain("a", "c") == "a stands before c: not tested, earlier in the given order. No test was made."
    assert found.best().text == "a is the first in the given order, and no test was made."


def test_the_best_of_too_few_data_sets_is_not_praised_and_not_called_firm() -> None:
    scores = np.tile([0.5, 0.6, 0.7], (4, 1)) + 0.01 * np.arange(4)[:, None]
    found = order(Results.from_array(scores, score="accuracy", algorithms=NAMES), prior=NAMES)
    assert found.best().text == "a is the first in the given order, and no test could tell any apart."
    assert found.firmness is None and found.to_dict()["firmness"] is None
    asked = order(Results.from_array(scores, score="accuracy", algorithms=NAMES), prior=NAMES, draws=50)
    assert asked.firmness is not None and asked.firmness.survived == 1.0


def test_with_a_margin_few_data_sets_can_still_show_that_one_is_good_enough() -> None:
    """Five data sets that all agree: one-sided p = 1 / 32."""
    scores = 0.6 + 0.01 * np.array([[0, 1], [1, 0], [0, 2], [2, 0], [0, 3]])
    found = order(
        Results.from_array(scores, score="accuracy", algorithms=["a", "b"]),
        prior=["a", "b"],
        margin=0.1,
        undecided="costlier",
    )
    assert [each.verdict for each in found.verdicts] == ["good enough"]
    assert "only-cost-decided" not in codes_of(found.caveats)
    note = next(each for each in found.caveats if each.code == "few-datasets")
    assert "one can be shown good enough at the most, never better. It takes 6 data sets" in note


def test_few_data_sets_are_no_caveat_where_every_pair_was_told_apart() -> None:
    scores = np.tile([0.5, 0.6, 0.7], (8, 1)) + 0.01 * np.arange(8)[:, None]
    found = order(Results.from_array(scores, score="accuracy", algorithms=NAMES), prior=NAMES)
    assert found.better.sum() == 3 and "few-datasets" not in codes_of(found.caveats)
    scores[:4] = scores[:4, ::-1]
    two = order(Results.from_array(scores[:, :2], score="accuracy", algorithms=["a", "b"]), prior=["a", "b"])
    note = next(each for each in two.caveats if each.code == "few-datasets")
    assert note == (
        "8 data sets are few: the two can be told apart only where nearly every data set agrees, and otherwise the"
        " given order decides. Add data sets."
    )


def test_an_explanation_is_the_same_from_both_sides_and_says_whom_a_zero_favours() -> None:
    scores = 0.6 + 0.01 * np.array([[0, 0], [0, 0], [0, 1], [0, 1], [1, 0], [1, 0], [9, 0], [0, 3], [0, 0], [0, 0]])
    found = order(Results.from_array(scores, score="accuracy", algorithms=["a", "b"]), prior=["b", "a"])
    assert found.explain("a", "b") == found.explain("b", "a")
    words = "difference in accuracy is 0 (from 0.04 in favour of a to 0.01 in favour of b with 95% confidence)."
    assert words in found.explain("a", "b")
    few = order(Results.from_array(scores[8:], score="accuracy", algorithms=["a", "b"]), prior=["b", "a"])
    assert "The estimated difference in accuracy is 0." in few.explain("a", "b")


def test_intervals_that_include_zero_beside_a_difference_on_the_folds_are_explained() -> None:
    """Seven data sets: on six c is better by far, on one as much worse; the folds of these decide, not their means."""
    noise = np.random.default_rng(1).normal(0, 0.001, (7, 5, 1, 10))
    scores = 0.6 + noise
    scores[:, 4] += np.array([-0.3, -0.2, 0.1, 0.2, 0.3, 0.3, 0.3])[:, None, None]
    results = Results.from_array(scores, score="accuracy", algorithms=list("abcde"))
    found = order(results, prior=list("abcde"))
    assert "on-these-datasets" in codes_of(found.caveats) and found.better[:, 4].sum() == 4
    words = "The intervals speak of data sets at large (Wilcoxon's test), the tests of the folds of these: "
    assert f"{words}4 of them include 0 where the test tells the two apart." in str(found)
    assert "with 95% confidence for data sets at large" in found.explain("a", "e")


def test_the_graph_with_a_margin_does_not_call_an_open_pair_a_difference() -> None:
    scores = 0.6 + np.random.default_rng(1).normal(0, 0.05, (20, 2))
    results = Results.from_array(scores, score="accuracy", algorithms=["a", "b"])
    found = order(results, prior=["a", "b"], margin=0.001, undecided="costlier")
    assert not found.better.any() and found.order == ("b", "a")
    words = "One arrow leads from an earlier algorithm to a later one that is put first: earlier ones are not shown"
    assert words in order_graph(found).reading()
    none = order_graph(order(results, prior=["a", "b"], margin=0.5)).reading()
    assert "No earlier algorithm has to wait for a later one" in none


def test_the_undecided_need_a_margin() -> None:
    with pytest.raises(OptionError, match="undecided='costlier' was given without a margin"):
        order(folded(8), prior=NAMES, undecided="costlier")


def test_a_margin_on_different_scales_names_its_unit_and_is_no_share() -> None:
    draw = np.random.default_rng(0)
    columns = {
        "dataset": [f"d{i}" for i in range(20) for _ in NAMES],
        "algorithm": NAMES * 20,
        "metric": [name for i in range(20) for name in ["auc" if i % 2 else "rmse"] * 3],
        "score": [x for i in range(20) for x in (0.8 if i % 2 else 90.0) * (1 + 0.01 * draw.normal(0, 1, 3))],
    }
    results = Results.from_frame(pl.DataFrame(columns))
    found = order(results, score="score", prior=NAMES, margin=0.2)
    assert "worse by less than 0.2 typical distances (one-sided" in str(found)
    assert "0.2 typical distances" in found.explain("a", "b")
    best = order(results, score="score", prior=NAMES, margin=0.2, scale="normalised")
    assert "worse by less than 0.2 of the way to the best (one-sided" in str(best)
    with pytest.raises(OptionError, match="The margin is 5%, and the scores lie on different scales"):
        order(results, score="score", prior=NAMES, margin="5%")


def test_a_given_order_is_what_lies_inside_the_places() -> None:
    found = order(folded(8, gap=0.0), prior=NAMES, over="places")
    note = next(each for each in found.caveats if each.code == "cost-inside-places")
    assert note.startswith("The given order is inside the places")


def test_names_with_commas_can_be_explained_and_given(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    table = tmp_path / "named.csv"
    lines = [f'd{d},"{name}",{0.5 + 0.1 * i + 0.001 * d}' for d in range(8) for i, name in enumerate(["x, 4h", "y"])]
    table.write_text("\n".join(["dataset,algorithm,accuracy", *lines]))
    assert main(["order", str(table), "--score", "accuracy", "--prior", "x, 4h,y", "--explain", "y, x, 4h"]) == 0
    assert capsys.readouterr().out.startswith("y stands before x, 4h: significantly better")
    assert main(["order", str(table), "--score", "accuracy", "--prior", "x, 4h,y", "--explain", "y, z"]) == 2
    assert "There is no algorithm 'z'." in capsys.readouterr().err


def test_the_table_of_places_and_the_stability_speak_of_the_same_draws(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    table = tmp_path / "scores.csv"
    scores = 0.6 + np.random.default_rng(0).normal(0, 0.05, (20, 2))
    lines = [f"d{d},{name},{scores[d, i]}" for d in range(20) for i, name in enumerate("ab")]
    table.write_text("\n".join(["dataset,algorithm,accuracy", *lines]))
    assert main(["order", str(table), "--score", "accuracy", "--prior", "a,b", "--stability", "70"]) == 0
    said = capsys.readouterr().out
    assert "firm: share of 70 resampled sets" in said and "Data sets resampled, 70 times" in said


def test_what_differs_without_a_better_one_is_not_called_untold() -> None:
    """One finds more and the other errs less: Hotelling's test tells them apart, and neither dominates."""
    draw = np.random.default_rng(0)
    columns = {
        "dataset": ["d"] * 20,
        "algorithm": ["bold"] * 10 + ["careful"] * 10,
        "fold": [*range(10)] * 2,
        "tpr": np.repeat([0.9, 0.7], 10) + draw.normal(0, 0.02, 20),
        "fpr": np.repeat([0.3, 0.1], 10) + draw.normal(0, 0.02, 20),
    }
    results = Results.from_frame(pl.DataFrame(columns))
    found = order(results, score=["tpr", "fpr"], prior=["careful", "bold"])
    assert found.tests.adjusted[0] < 0.05 and not found.better.any()
    words = "different, but neither better in every score, earlier in the given order"
    assert found.explain("bold", "careful").startswith(f"careful stands before bold: {words}.")
    assert found.reasons[0].text == f"before bold: {words}"


def test_what_is_given_up_of_right_and_wrong_answers_is_a_mean() -> None:
    """Where most answers tie, Hodges and Lehmann's estimate is 0 (from 0 to 0) beside a significant difference."""
    scores = np.zeros((100, 2))
    scores[:60] = 1.0
    scores[60:85, 1] = 1.0
    found = order(Results.from_array(scores, score="accuracy", algorithms=["a", "b"]), prior=["a", "b"])
    assert found.order == ("b", "a") and found.trade.given_up.tolist() == pytest.approx([0.25, 0.0])
    span = stats.ttest_rel(scores[:, 1], scores[:, 0]).confidence_interval(0.95)
    assert (found.trade.low[0], found.trade.high[0]) == pytest.approx(tuple(span))
    assert "(mean difference: most scores tie, 95% interval)" in str(found)
    assert "b scores better than a by an estimated 0.25 in accuracy (from 0.1636 to 0.3364" in found.explain("a", "b")


def test_a_correction_over_data_sets_has_nothing_to_do_on_one() -> None:
    found, plain = order(folded(1), prior=NAMES, posthoc="holm"), order(folded(1), prior=NAMES)
    assert found.order == plain.order
    assert next(each for each in found.caveats if each.code == "idle-posthoc") == (
        "One data set: holm corrects tests over data sets and was not used; the tests on the folds are corrected by"
        " inner_adjust."
    )
    assert "idle-posthoc" not in codes_of(plain.caveats)


def test_a_nameless_test_is_called_the_users_own() -> None:
    found = order(folded(8, folds=1), prior=NAMES, over="scores", pairwise=lambda *_: 0.5)
    assert "by the test of the user's own with Bergmann and Hommel's correction" in str(found)


@pytest.mark.parametrize(("over", "said"), [("scores", True), ("places", False)])
def test_distances_are_named_where_they_are_tested(over: str, said: bool) -> None:
    rng = np.random.default_rng(3)
    rows = [
        {"dataset": f"d{i:02}", "algorithm": name, "metric": "rmse" if i % 2 else "auc", "score": float(value)}
        for i in range(12)
        for name, value in zip(NAMES, rng.random(3) * (1000 if i % 2 else 1), strict=True)
    ]
    found = order(Results.from_frame(pl.DataFrame(rows)), prior=NAMES, over=over)
    assert ("over data sets, on distances from the median algorithm, by" in str(found)) is said
    assert any("tested on distances" in each for each in found.caveats) is said
    assert "metrics-differ" in codes_of(found.caveats)


def test_a_check_does_not_pass_what_a_caveat_calls_few() -> None:
    scores = np.random.default_rng(0).normal(0.7, 0.02, (14, 20))
    names = [f"a{i}" for i in range(20)]
    found = order(Results.from_array(scores, score="accuracy", algorithms=names), prior=names, draws=0)
    assert "few-datasets" in codes_of(found.caveats)
    check = next(each for each in found.document().checks if each.number == 11)
    assert (check.kind, check.text) == ("tip", "14 data sets for 20 algorithms: few differences can be seen.")
