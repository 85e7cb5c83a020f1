"""`tiebreak gate`: verdicts, exit codes, words, and what is refused."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.evals.gate import junit_of

from ...every import every

EXAMPLES = Path(__file__).parent.parent.parent.parent / "examples"


def answers(model: str, scores: Any, **more: Any) -> dict[str, list[Any]]:
    """One model on named items."""
    count = len(scores)
    held = {"model": [model] * count, "item": [f"q{i}" for i in range(count)], "accuracy": list(scores)}
    return held | {name: [value] * count if np.isscalar(value) else list(value) for name, value in more.items()}


def written(folder: Path, name: str, table: dict[str, list[Any]]) -> str:
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([[*table], *zip(*table.values(), strict=True)])
    return str(path)


BASE = np.array([1] * 300 + [0] * 100)


@pytest.mark.parametrize(
    ("lost", "won", "margin", "verdict", "code"),
    [
        (4, 5, 0.02, "pass", 0),
        (40, 10, 0.02, "worse", 1),
        (40, 10, 0.15, "pass", 0),  # worse, and shown to be so by less than the margin
        (20, 20, 0.02, "undecided", 3),
        (0, 60, 0.02, "pass", 0),
    ],
)
def test_verdicts_and_exit_codes(
    lost: int, won: int, margin: float, verdict: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = BASE.copy()
    base[:lost], base[300 : 300 + won] = 0, 1
    gate = tb.gate(answers("old", BASE), answers("new", base), margin=margin)
    assert (gate.verdict, gate.exit_code) == (verdict, code)
    sides = [written(tmp_path, f"{name}.csv", answers(name, scores)) for name, scores in (("old", BASE), ("new", base))]
    assert main(["gate", *sides, "--margin", str(margin), "--json"]) == code
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] == verdict and data["headline"] == gate.headline
    assert data["shortfall"] == pytest.approx((lost - won) / 400)
    assert data["caveat_codes"] == ["inferred"] * 2  # how each file was understood
    assert data["sentences"] and all(item in str(gate.document()) for item in data["sentences"])
    assert any("would decide for a candidate" in item for item in data["sentences"]) == (verdict == "undecided")
    assert data["more"] is None or verdict == "undecided"


def test_items_are_matched_by_name_and_the_rest_is_named() -> None:
    old, new = answers("old", BASE), answers("new", BASE)
    new["item"][:3] = ["x1", "x2", "x3"]
    gate = tb.gate(old, {name: column[::-1] for name, column in new.items()}, margin=0.02)
    assert gate.only_base == ("q0", "q1", "q2") and gate.only_candidate == ("x1", "x2", "x3")
    assert gate.judged.n_items == 397
    assert "3 items that only new answered left out: x1, x2 and x3." in str(gate)


def test_nothing_in_common_is_refused_with_names_of_both() -> None:
    new = answers("new", BASE)
    new["item"] = [f"other {i}" for i in range(400)]
    with pytest.raises(
        InputError, match=r"no item in common: 'q0', .* are items of the one, 'other 0', .* of the other"
    ):
        tb.gate(answers("old", BASE), new, margin=0.02)


def test_two_versions_of_one_name_are_told_apart() -> None:
    gate = tb.gate(answers("gpt", BASE), answers("gpt", BASE), margin=0.01)
    assert (gate.base, gate.candidate, gate.verdict) == ("gpt (base)", "gpt (candidate)", "pass")


def test_the_same_few_answers_show_little(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    same = written(tmp_path, "same.csv", answers("a", BASE[:100]))
    assert main(["gate", same, same, "--margin", "0.01"]) == 3
    out = " ".join(capsys.readouterr().out.split())
    assert "score the same on all of 100 items, but drops of up to 3 points are possible" in out
    assert "About 300 items in all, 200 more, would decide for a candidate that is equally good" in out


def test_one_table_needs_names() -> None:
    three = {k: v * 3 for k, v in answers("a", BASE).items()} | {"model": ["a"] * 400 + ["b"] * 400 + ["c"] * 400}
    for options, says in (
        ({}, "One table was given, of 3 models"),
        ({"base_name": "a"}, "Only 'a' was named"),
        ({"base_name": "a", "candidate_name": "a"}, "Only 'a' was named"),
        ({"base_name": "z"}, "'z'"),
    ):
        with pytest.raises(TiebreakError, match=says):
            tb.gate(three, margin=0.01, **options)
    assert tb.gate(three, base_name="a", candidate_name="c", margin=0.01).candidate == "c"
    with pytest.raises(OptionError, match="The base holds 3 models: 'a', 'b', 'c'"):
        tb.gate(three, answers("d", BASE), margin=0.01)


def test_costs_are_told_and_may_be_limited(tmp_path: Path) -> None:
    old, new = answers("old", BASE, price=2.0), answers("new", BASE, price=3.0)
    gate = tb.gate(old, new, margin=0.02, cost="price")
    assert gate.cost is not None and gate.cost.ratio == pytest.approx(1.5) and gate.verdict == "pass"
    assert "price  $2  $3  50% dearer" in re.sub(r"(?<=\S) {2,}", "  ", str(gate))
    dear = tb.gate(old, new, margin=0.02, cost="price", max_cost_ratio=1.2)
    assert (dear.verdict, dear.quality) == ("worse", "pass")
    assert dear.headline.startswith("WORSE: price is $3 instead of $2 for old, above the limit of 1.2 times;")
    suite = ET.fromstring(junit_of(dear).encode())[0]
    assert suite.get("tests") == "2" and suite.get("failures") == "1"
    (failure,) = suite[1]
    assert failure.get("message") == "price is $3 instead of $2 for old, above the limit of 1.2 times."
    with pytest.raises(OptionError, match="without a cost"):
        tb.gate(old, new, margin=0.02, max_cost_ratio=1.2)


def test_lower_may_be_better_and_scores_may_be_graded() -> None:
    rng = np.random.default_rng(1)
    loss = rng.gamma(2.0, 1.0, 300)
    table = answers("old", loss)
    table["loss"] = table.pop("accuracy")
    new = table | {"model": ["new"] * 300, "loss": list(loss + rng.normal(0.5, 0.2, 300))}
    worse = tb.gate(table, new, margin=0.1, score="loss")
    assert worse.verdict == "worse" and worse.judged.shortfall == pytest.approx(0.5, abs=0.05)
    assert tb.gate(new, table, margin=0.1, score="loss").verdict == "pass"


def test_benchmarks_count_alike_clusters_and_epochs_are_heeded() -> None:
    rng = np.random.default_rng(2)
    sets = ["a"] * 40 + ["b"] * 360
    old, new = answers("old", BASE, benchmark=sets), answers("new", BASE, benchmark=sets)
    new["accuracy"] = [0 if i < 8 else item for i, item in enumerate(new["accuracy"])]
    gate = tb.gate(old, new, margin=0.05)
    assert gate.judged.shortfall == pytest.approx((8 / 40 + 0) / 2) and [row["dataset"] for row in gate.rows()] == [
        "a", "b", "all"
    ]  # fmt: skip
    clusters = [f"d{i // 4}" for i in range(400)]
    flip = (rng.random(400) < 0.05).astype(int)
    both = [answers(name, scores, cluster=clusters) for name, scores in (("old", BASE), ("new", abs(BASE - flip)))]
    gate = tb.gate(*both, margin=0.05)
    assert gate.judged.clustered and gate.judged.n_units == 100 and "400 items in 100 clusters" in gate.evidence
    again = [{k: v * 2 for k, v in item.items()} | {"epoch": [1] * 400 + [2] * 400} for item in both]
    assert tb.gate(*again, margin=0.05).judged.pvalue == pytest.approx(gate.judged.pvalue)
    with pytest.raises(InputError, match="The candidate has no column of clusters"):
        tb.gate(both[0], answers("new", BASE), margin=0.05)


def test_totals_and_data_sets() -> None:
    totals = {"model": ["a", "b"], "passed": [180, 182], "n": [225, 225]}
    gate = tb.gate(totals, base_name="a", margin=0.1)
    assert (gate.verdict, gate.on) == ("pass", "totals") and "pairing-lost" in [caveat.code for caveat in gate.caveats]
    assert tb.gate(totals, base_name="a", margin=0.02).verdict == "undecided"
    sets = {f"d{i}": {"a": 0.8 + i / 100, "b": 0.8 + i / 100 - (i % 3 - 1) / 500} for i in range(12)}
    over = tb.gate(sets, base_name="a", margin=0.01, score="accuracy")
    assert (over.verdict, over.on, over.judged.n_items) == ("pass", "data sets", 12)
    with pytest.raises(InputError, match=r"1 data set\(s\) in common, and no items"):
        tb.gate({"d": {"a": 0.8, "b": 0.7}}, base_name="a", margin=0.01, score="accuracy")
    with pytest.raises(OptionError, match="there are no items"):
        tb.gate(totals, base_name="a", margin=0.1, anytime=True)


def test_an_anytime_verdict_takes_more_items() -> None:
    base = BASE.copy()
    base[:2], base[300:302] = 0, 1
    old, new = answers("old", BASE), answers("new", base)
    once, ever = (tb.gate(old, new, margin=0.02, anytime=item) for item in (False, True))
    assert once.judged.pvalue < ever.judged.pvalue and once.judged.bound < ever.judged.bound
    worse = BASE.copy()
    worse[:60] = 0
    assert tb.gate(old, answers("new", worse), margin=0.02, anytime=True).verdict == "worse"
    grades = [answers(name, BASE * 100) for name in ("old", "new")]
    with pytest.raises(OptionError, match="do not lie between 0 and 1"):
        tb.gate(*grades, margin=2, anytime=True)
    assert tb.gate(*grades, margin=2, anytime=True, bound=100).verdict == "pass"


@every(
    ("told", "says"),
    [
        ({"margin": -0.1}, "The margin is -0.1. Use .* of that of the base"),
        ({"margin": "100%"}, "The margin is 100% of the accuracy of the base."),
        ({"margin": "x"}, "The margin is 'x'"),
        ({"margin": 2}, "The margin is 2, and scores lie between 0 and 1"),
        ({"margin": None}, "No margin"),
        ({"margin": 0.1, "alpha": 2}, "alpha"),
        ({"margin": 0.1, "power": 1.5}, "power"),
        ({"margin": 0.1, "bound": 1}, "without"),
        ({"margin": 0.1, "cost": "price", "max_cost_ratio": -1}, "max_cost_ratio|price"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(told: dict[str, Any], says: str) -> None:
    with pytest.raises(TiebreakError, match=says):
        tb.gate(answers("old", BASE), answers("new", BASE), **told)


def test_a_relative_margin_is_a_share_of_the_base() -> None:
    gate = tb.gate(answers("old", BASE), answers("new", BASE), margin="2%")
    assert gate.judged.limit == pytest.approx(0.02 * 0.75) and gate.margin == "2%"


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "empty|no rows|nothing"), ("model,item,accuracy\n", "row|empty"), ("model,item,accuracy\na,q1,x\n", "'x'")],
)
def test_broken_files_end_with_code_2(text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.csv").write_text(text)
    good = written(tmp_path, "good.csv", answers("a", BASE))
    assert main(["gate", good, str(tmp_path / "bad.csv"), "--margin", "0.01"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("tiebreak gate:")
    assert main(["gate", good, "--margin", "0.01"]) == 2
    assert main(["gate", good, good]) == 2
    assert main(["gate", good, good, good, "--margin", "0.01"]) == 2


def test_gaps_are_no_answers_and_one_item_is_little() -> None:
    scores = [*BASE[:398].astype(float), float("nan"), float("nan")]
    gate = tb.gate(answers("old", BASE), answers("new", scores), margin=0.02)
    assert gate.only_base == ("q398", "q399") and gate.judged.n_items == 398
    assert tb.gate(answers("old", [1]), answers("new", [1]), margin=0.1).verdict == "undecided"
    with pytest.raises(InputError, match=r"no item in common|no answer|No score"):
        tb.gate(answers("old", [1.0, 0.0]), answers("new", [float("nan")] * 2), margin=0.1)


def test_hostile_names_stay_names(tmp_path: Path) -> None:
    name, item = "a|b`<script>alert(1)</script>\"'&\x0b[x](y)", "q|`<b>"
    old = answers(name, BASE)
    old["item"][0] = item
    new = answers("new\x0c]]>", BASE)
    new["accuracy"][1:60] = [0] * 59
    gate = tb.gate(old, new, margin=0.02)
    suite = ET.fromstring(junit_of(gate).encode())[0]  # parses: nothing that XML cannot hold is left
    assert suite.get("failures") == "1" and name.replace("\x0b", "\ufffd") in str(suite[0].get("name"))
    shown = gate.to_markdown()
    row = next(line for line in shown.splitlines() if line.startswith("|  | "))
    assert row.replace("\\|", "").count("|") == 5 and "<script>" not in shown
    assert "<script>" not in gate._repr_html_()
    json.dumps(gate.to_dict(), allow_nan=False)
    turned = junit_of(tb.gate(answers("a\n\u202eb", BASE), new, margin=0.02))
    assert "a\ufffd&lt;U+202E&gt;b" in turned and "\u202e" not in turned


def test_files_to_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = [str(EXAMPLES / f"gate_{side}.csv") for side in ("base", "candidate")]
    junit, out = tmp_path / "junit.xml", tmp_path / "gate.md"
    summary = tmp_path / "summary.md"
    options = ["--margin", "0.02", "--cost", "price", "--junit", str(junit), "-o", str(out)]
    assert main(["gate", *sides, *options]) == 0
    assert capsys.readouterr().out == ""
    assert main(["gate", *sides, *options[:4], "--json", "--summary", str(summary)]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "pass"
    assert summary.read_text(encoding="utf-8") == out.read_text(encoding="utf-8")
    assert "PASS: v1.5 is not worse than v1.4 by more than 2 points" in out.read_text(encoding="utf-8")
    assert ET.parse(junit).getroot()[0].get("tests") == "1"
    assert main(["gate", *sides, "--margin", "0.02", "--junit", str(tmp_path / "no" / "junit.xml")]) == 2


def test_logs_tell_which_way_is_better(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scorer called "match" tells nothing by its name; letters of Inspect do, and two folders keep that."""
    for side, right in (("main", 30), ("branch", 12)):
        (tmp_path / side).mkdir()
        rows = [{"id": i, "epoch": 1, "scores": {"match": {"value": "C" if i < right else "I"}}} for i in range(40)]
        spec = {"task": "sums", "model": "org/a", "created": "2026-01-01"}
        log = {"version": 2, "status": "success", "eval": spec, "samples": rows}
        (tmp_path / side / "log.json").write_text(json.dumps(log))
    assert main(["gate", str(tmp_path / "main"), str(tmp_path / "branch"), "--margin", "0.05"]) == 1
    assert "\nmatch" in capsys.readouterr().out
    assert main(["order", str(tmp_path / "main")]) == 0
    assert "Use org/a" in capsys.readouterr().out
    assert main(["board", str(tmp_path / "main"), "-o", str(tmp_path / "site")]) == 0


def test_a_share_of_nothing_is_no_margin() -> None:
    with pytest.raises(InputError, match="The margin is 1% of the accuracy of the base, which is 0"):
        tb.gate(answers("old", BASE * 0), answers("new", BASE), margin="1%")
    many = {f"d{i}": {"a": 0.8 + i / 100, "b": 0.8} for i in range(6)}
    with pytest.raises(OptionError, match="The margin is 2, and scores lie between 0 and 1"):
        tb.gate(many, base_name="a", margin=2, score="accuracy")


def test_over_data_sets_the_estimate_is_what_the_test_tests() -> None:
    """One data set moves the mean far, and neither the centre of the differences nor its bound."""
    sets = {f"d{i}": {"a": 50.0 + i, "b": 49.0 + i - i / 100} for i in range(12)} | {"odd": {"a": 5.0, "b": 99.0}}
    gate = tb.gate(sets, base_name="a", margin=0.5, score="accuracy")
    table = np.array([[item["a"], item["b"]] for item in sets.values()])
    intervals = tb.stats.difference_intervals(table, higher_is_better=True)
    assert gate.judged.shortfall == pytest.approx(-intervals.estimate[0]) and table[:, 0].mean() < table[:, 1].mean()
    assert (gate.judged.low, gate.judged.high) == pytest.approx((-intervals.high[0], -intervals.low[0]))
    assert gate.verdict == "worse" and gate.judged.bound < gate.judged.high


def test_costs_are_compared_on_the_items_of_both() -> None:
    """The base alone answered the dear items: they say nothing of the two."""
    old = answers("old", BASE, price=[1.0] * 200 + [9.0] * 200)
    new = {name: column[:200] for name, column in answers("new", BASE, price=1.0).items()}
    gate = tb.gate(old, new, margin=0.05, cost="price", max_cost_ratio=0.9)
    assert gate.cost is not None and gate.cost.ratio == 1.0 and gate.verdict == "worse"
    assert "price is known of both on 200 of 400 items: it is compared on these." in gate.caveats
    with pytest.raises(OptionError, match="There is no cost 'dollars'"):
        tb.gate(old, new, margin=0.05, score="accuracy", cost="dollars")


def test_a_loss_has_no_points_and_small_margins_are_written_as_they_are() -> None:
    table = answers("old", np.linspace(0.1, 0.4, 50))
    table["loss"] = table.pop("accuracy")
    gate = tb.gate(table, table | {"model": ["new"] * 50}, margin=0.05)
    assert "0.05 in loss" in gate.headline and "point" not in str(gate)
    many = answers("a", np.ones(40_000))
    gate = tb.gate(many, many, margin=0.0001)
    assert gate.verdict == "pass" and "by more than 0.01 points" in gate.headline
    assert gate.judged.bound == pytest.approx(-np.log(0.05) / 40_000, rel=0.15) and gate.judged.bound <= 0.0001


def test_items_in_all_and_more_add_up() -> None:
    few = answers("a", BASE[250:339])
    few_other = answers("b", [*few["accuracy"][8:], *few["accuracy"][:8]])
    assert "About 2,900 items in all, 2,800 more, would decide" in str(tb.gate(few, few_other, margin=0.02))
    same = answers("a", BASE[:100])
    assert "About 150 items in all, 50 more, would decide" in str(tb.gate(same, same, margin=0.02))
    one = answers("a", BASE, cluster="x")
    gate = tb.gate(one, one, margin=0.02)
    assert gate.verdict == "undecided" and gate.needed is None and "one-cluster" in gate.to_dict()["caveat_codes"]
    assert "1 item is not enough to tell" in tb.gate(answers("a", [1]), answers("b", [0]), margin=0.1).headline


@pytest.mark.parametrize(
    ("old_price", "new_price", "verdict", "ratio", "says"),
    [
        (0.5, 0.0, "pass", 0.0, "PASS: "),
        (0.0, 0.0, "pass", 1.0, "PASS: "),
        (0.0, 0.5, "worse", None, "WORSE: price is $0.50 instead of $0 for old, above the limit of 1.2 times"),
    ],
)
def test_what_is_free_gets_a_verdict(
    old_price: float, new_price: float, verdict: str, ratio: float | None, says: str
) -> None:
    old, new = answers("old", BASE, price=old_price), answers("new", BASE, price=new_price)
    gate = tb.gate(old, new, margin=0.02, cost="price", max_cost_ratio=1.2)
    assert (gate.verdict, gate.to_dict()["cost"]["ratio"]) == (verdict, ratio) and says in gate.headline
    assert "zero-costs" in [note.code for note in gate.caveats]
    with pytest.raises(InputError, match="The mean 'price' of 'new' is -1"):
        tb.gate(old, answers("new", BASE, price=-1.0), margin=0.02, cost="price")


def test_one_benchmark_that_is_free_leaves_the_sums() -> None:
    sides = [answers(name, [*BASE, *BASE], price=[0.0] * 400 + [price] * 400) for name, price in (("a", 2), ("b", 1))]
    for side in sides:
        side["dataset"] = ["x"] * 400 + ["y"] * 400
    gate = tb.gate(*sides, margin=0.02, cost="price")
    assert gate.cost is not None and gate.cost.ratio == 0.5
    assert any("is 0 on some benchmarks; sums over all of them are compared" in note for note in gate.caveats)


def test_a_candidate_that_breaks_off_on_hard_items_does_not_pass_unnoticed() -> None:
    """It lacks 40 items that the base got right, and passes on the rest: that is said, and can be counted."""
    current = [float("nan")] * 40 + [*BASE[40:].astype(float)]
    gate = tb.gate(answers("old", BASE), answers("new", current), margin=0.02)
    assert gate.verdict == "pass" and "missing-would-decide" in [note.code for note in gate.caveats]
    assert gate.headline.endswith(
        "; 40 items that it did not answer are left out, and if they were wrong it would not pass."
    )
    assert any("Were they wrong, the verdict would be 'worse'" in note for note in gate.caveats)
    counted = tb.gate(answers("old", BASE), answers("new", current), margin=0.02, unanswered="wrong")
    assert counted.verdict == "worse" and counted.judged.n_items == 400 and counted.only_base == ()
    assert counted.judged.shortfall == pytest.approx(0.1)
    assert "new has no answer to 40 items that old answered, which count as wrong, as told." in counted.caveats
    options = [[note.code for note in item.caveats].count("answers-missing") for item in (gate, counted)]
    assert options == [1, 0], "what counts as wrong is not said to be left out"
    few = [float("nan")] * 1 + [*BASE[1:].astype(float)]
    assert "missing-would-decide" not in [
        note.code for note in tb.gate(answers("old", BASE), answers("new", few), margin=0.02).caveats
    ]


def test_only_shares_say_what_wrong_is() -> None:
    table = answers("old", np.linspace(1, 4, 50))
    table["loss"] = table.pop("accuracy")
    with pytest.raises(OptionError, match="loss is no share of right answers"):
        tb.gate(table, table | {"model": ["new"] * 50}, margin=0.05, unanswered="wrong")
    with pytest.raises(OptionError, match="and there are no items"):
        tb.gate({"model": ["a", "b"], "passed": [8, 9], "n": [22, 22]}, base_name="a", margin=0.1, unanswered="wrong")
    with pytest.raises(OptionError, match="There is no policy for answers that are missing 'ignored'"):
        tb.gate(answers("old", BASE), answers("new", BASE), margin=0.02, unanswered="ignored")


def test_one_point_is_a_point() -> None:
    base = BASE.copy()
    base[:4] = 0
    assert "-1 point\n" in str(tb.gate(answers("old", BASE), answers("new", base), margin=0.05))
