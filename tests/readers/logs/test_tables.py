"""Logs as tables of results: prices, directions, and what the verbs answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.results.items import item_table

from ...every import every
from .rows import column, rows

USED = {"input_tokens": 1000, "output_tokens": 300, "input_tokens_cache_read": 500, "reasoning_tokens": 100}


def logs(folder: Path, skill: dict[str, int], *, tasks: int = 7, items: int = 20, **more: Any) -> Path:
    """Write logs of Inspect; the first `skill` of the items of each task are right, one less on every other task."""
    folder.mkdir(exist_ok=True)
    for model, good in skill.items():
        for task in range(tasks):
            spec = {"task": f"t{task}", "model": model, "created": "2026-01-01", **more}
            rows = [
                {"id": i, "epoch": 1, "input": f"q{i}", "model_usage": {model: USED},
                 "scores": {"match": {"value": "C" if i < good - task % 2 else "I"}}}
                for i in range(items)
            ]  # fmt: skip
            log = {"version": 2, "status": "success", "eval": spec, "samples": rows}
            (folder / f"{task}-{model.replace('/', '_')}.json").write_text(json.dumps(log))
    return folder


def prices(folder: Path, text: str) -> Path:
    path = folder / "prices.csv"
    path.write_text(text)
    return path


def test_dollars_are_tokens_times_prices(tmp_path: Path) -> None:
    runs = logs(tmp_path / "runs", {"org/a": 3, "org/b-mini": 3}, tasks=1, items=4)
    table = prices(tmp_path, "Model;Pattern;Input ($/M);Output;Cached;Reasoning\norg/a;;10;$30;1;50\n;*mini*;2;4;;\n")
    result = tb.read(runs, prices=table)
    dear = (1000 * 10 + 500 * 1 + 200 * 30 + 100 * 50) / 1e6
    cheap = (1000 * 2 + 500 * 2 + 300 * 4) / 1e6
    np.testing.assert_allclose(column(result, "price"), [dear] * 4 + [cheap] * 4, rtol=1e-15)


@every(
    ("text", "said"),
    [
        (
            "model,input,output\norg/a,1,2\n",
            "prices.csv has no price for 'org/b'. Add a row for each",
        ),
        ("model,input\norg/a,1\n", "prices.csv has no columns model, input and output."),
        ("model,input,output\norg/a,1,much\n", "prices.csv, line 2: the price of output is 'much'."),
        ("model,input,output\norg/a,-1,2\n", "prices.csv, line 2: the price of input is '-1'."),
        ("model,input,output\norg/a,nan,2\n", "prices.csv, line 2: the price of input is 'nan'."),
        ("model,input,output\norg/a,1,2\norg/a,1,3\n", "prices.csv has two prices for 'org/a'."),
        ("model,input,output\n,1,2\n", "prices.csv, line 2: neither model nor pattern is given."),
        ("model,input,output\n", "prices.csv has no row."),
        ("", "prices.csv is empty."),
    ],
)
def test_prices_that_are_none_are_refused(tmp_path: Path, text: str, said: str) -> None:
    runs = logs(tmp_path / "runs", {"org/a": 3, "org/b": 3}, tasks=1)
    with pytest.raises(InputError) as error:
        tb.read(runs, prices=prices(tmp_path, text))
    assert str(error.value).startswith(said)


def test_prices_without_tokens_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.run1.json").write_text('{"submitted_ids": ["a__b-1"], "resolved_ids": []}')
    with pytest.raises(OptionError, match=r"was given, but no log holds tokens. Leave it out"):
        tb.read(tmp_path, prices=prices(tmp_path, "model,input,output\na,1,2\n"))


def test_settings_that_tell_runs_apart_are_no_part_of_the_name_that_is_priced(tmp_path: Path) -> None:
    runs = logs(tmp_path / "runs", {"org/a": 3}, tasks=1)
    logs(tmp_path / "runs", {"org/a": 5}, tasks=1, model_generate_config={"reasoning_effort": "high"}).joinpath(
        "0-org_a.json"
    ).rename(tmp_path / "runs" / "high.json")
    logs(tmp_path / "runs", {"org/a": 3}, tasks=1)
    result = tb.read(runs, prices=prices(tmp_path, "model,input,output\norg/a,1,2\n"))
    assert result.algorithms == ("org/a", "org/a [reasoning_effort=high]") and min(column(result, "price")) > 0


def test_a_table_has_items_and_costs_with_directions(tmp_path: Path) -> None:
    table = tb.read(logs(tmp_path / "runs", {"a": 16, "b": 8}, tasks=2))
    assert table.algorithms == ("a", "b") and table.datasets == ("t0", "t1") and table.unit == "item"
    np.testing.assert_allclose(table.means("match"), [[0.8, 0.4], [0.75, 0.35]])
    assert table.metric("match").higher_is_better is True and table.scores == ("match",)
    assert table.costs == ("input_tokens", "output_tokens")
    assert table.means("output_tokens").tolist() == [[300.0] * 2] * 2


def test_one_benchmark_is_tested_on_its_items_and_not_ordered_by_cost_alone(tmp_path: Path) -> None:
    runs = logs(tmp_path / "runs", {"good": 70, "bad": 20}, tasks=1, items=100)
    order = tb.order(runs, cost="price", prices=prices(tmp_path, "model,input,output\ngood,10,30\nbad,1,3\n"))
    assert order.order == ("good", "bad")
    assert order.headline == "Use good: 70.0 match, the best of 2. bad is 10 times cheaper but 50.0 points worse."
    codes = [caveat.code for caveat in order.caveats]
    assert "no-items" not in codes and codes.count("read-as") == 1
    assert order.table.paid[0].tolist() == [pytest.approx([(1500 + 900) / 1e6, (15000 + 9000) / 1e6])]


def test_epochs_and_clusters_of_logs_are_tested_as_such(tmp_path: Path) -> None:
    for model, good in (("a", 24), ("b", 12)):
        rows = [
            {"id": i, "epoch": epoch, "input": f"q{i}", "scores": {"match": {"value": "C" if i < good else "I"}},
             "metadata": {"document": f"d{i % 6}"} if model == "a" and i < 18 else {}}
            for i in range(30) for epoch in (1, 2)
        ]  # fmt: skip
        log = {"version": 2, "status": "success", "eval": {"task": "t", "model": model}, "samples": rows}
        (tmp_path / f"{model}.json").write_text(json.dumps(log))
    compare = tb.compare(tmp_path)
    assert compare.to_dict()["items"]["epochs"] == [2, 2]
    # six documents, told by the log of one model alone, and twelve items that are clusters of their own
    assert compare.to_dict()["items"]["clusters"] == 18 and compare.question.startswith(
        "Is it better on this benchmark"
    )


def test_answers_that_are_all_the_same_are_no_evidence_of_being_as_good(tmp_path: Path) -> None:
    runs = logs(tmp_path / "runs", {"a": 4, "b": 4}, tasks=2, items=6)
    headline = tb.compare(runs).headline
    assert "as good as" not in headline and "no interval can be given" in headline


def test_how_far_totals_differ_cannot_be_planned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "x_leaderboard.yml"
    board.write_text("\n".join(BOARD.format(model=m, n=100, rate=50, cost=1) for m in "ab"))
    assert main(["power", str(board)]) == 2
    assert "The table has totals of models and no items." in capsys.readouterr().err


BOARD = """- model: {model}
  test_cases: {n}
  pass_rate_1: 10.0
  pass_rate_2: {rate}
  total_cost: {cost}
"""


def test_a_board_is_tested_by_totals_and_priced_by_the_case(tmp_path: Path) -> None:
    rows = [("good", 200, 60.0, 20.0), ("fair", 100, 58.0, 5.0), ("bad", 200, 10.0, 2.0)]
    text = "\n".join(BOARD.format(model=m, n=n, rate=r, cost=c) for m, n, r, c in rows)
    (tmp_path / "x_leaderboard.yml").write_text(text)
    table = tb.read(tmp_path)
    assert table.unit == "total" and table.scores == ("pass_rate_2",)
    assert "direction unknown" not in table.title()
    order = tb.order(tmp_path, cost="price")
    assert order.order == ("good", "fair", "bad")  # 2 points for twice the price, where 1% would do
    published = tb.order(tmp_path, cost="price", rule="multitest")
    assert published.order == ("fair", "good", "bad")  # the cheapest is significantly worse
    assert order.table.paid[0].tolist() == [[0.01, 0.05, 0.1]]
    assert order.table.totals is not None and order.table.totals[0].tolist() == [20.0, 58.0, 120.0]
    assert tb.compare(tmp_path, score="accuracy").score.name == "accuracy"


def test_totals_of_several_benchmarks_are_compared_as_data_sets(tmp_path: Path) -> None:
    for board in range(7):
        text = "\n".join(BOARD.format(model=m, n=100, rate=r + board, cost=1) for m, r in (("a", 60), ("b", 40)))
        (tmp_path / f"x{board}_leaderboard.yml").write_text(text)
    compare = tb.compare(tmp_path)
    assert len(compare.datasets) == 7 and compare.algorithms == ("a", "b")
    assert "totals of 7 benchmarks" in " ".join(map(str, compare.caveats))
    assert tb.order(tmp_path, prior=["b", "a"]).order == ("a", "b")
    one = tb.compare(tmp_path, datasets=["aider x0"])
    assert one.question.startswith("Is it better on this benchmark")
    two = tb.order(tmp_path, prior=["b", "a"], datasets=["aider x0", "aider x1"])
    assert two.order == ("b", "a") and "It takes 6 data sets." in " ".join(str(two).split())
    assert tb.order(tmp_path, datasets=["aider x0", "aider x1"]).order == ("a", "b")


def test_where_only_some_runs_have_items_totals_are_compared_and_that_is_said(tmp_path: Path) -> None:
    logs(tmp_path, {"a": 16, "b": 8}, tasks=1)
    (tmp_path / "0-b.json").write_text(json.dumps({
        "version": 2, "status": "success", "eval": {"task": "t0", "model": "b"},
        "results": {"total_samples": 20, "completed_samples": 20, "scores": [
            {"name": "match", "scorer": "match", "metrics": {"accuracy": {"name": "accuracy", "value": 0.4}}}]},
    }))  # fmt: skip
    table = tb.read(tmp_path)
    assert table.unit == "total"
    assert str(table.caveats[0]).startswith("1 of 2 runs have items, the others only sums: models are compared by")


def test_metrics_without_a_common_scale_are_compared_by_means(tmp_path: Path) -> None:
    for model in ("a", "b"):
        content = {"results": {"t": {"alias": "t", "word_perplexity,none": 12.0}}, "model_name": model,
                   "n-samples": {"t": {"original": 50, "effective": 50}}}  # fmt: skip
        (tmp_path / f"results_{model}_2026-01-01T00-00-00.json").write_text(json.dumps(content))
    table = tb.read(tmp_path)
    assert table.unit == "fold" and table.caveats[0].code == "no-items"


def test_benchmarks_of_several_metrics_keep_their_directions(tmp_path: Path) -> None:
    names = {"acc,none": 0.5, "word_perplexity,none": 12.0}
    for model in ("a", "b"):
        content = {
            "results": {f"task_{name[:3]}": {"alias": "x", name: value} for name, value in names.items()},
            "higher_is_better": {"task_acc": {"acc": True}, "task_wor": {"word_perplexity": False}},
            "model_name": model,
        }
        (tmp_path / f"results_{model}_2026-01-01T00-00-00.json").write_text(json.dumps(content))
    table = tb.read(tmp_path)
    assert [(metric.name, metric.higher_is_better) for metric in table.dataset_metrics] == [
        ("acc", True),
        ("word_perplexity", False),
    ]
    assert table.scores == ("score",)


def test_every_verb_takes_a_folder_of_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = str(logs(tmp_path / "runs", {"org/large": 17, "org/mid": 15, "org/small": 8}))
    table = str(prices(tmp_path, "model,input,output\norg/large,10,30\norg/mid,1,3\norg/small,0.1,0.3\n"))
    assert main(["order", runs, "--cost", "price", "--prices", table, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["order"] == ["org/large", "org/mid", "org/small"] and data["prior"] is None
    assert [data["cost"][name]["relative"] for name in data["order"]] == pytest.approx([1, 0.1, 0.01])
    assert main(["order", runs, "--cost", "price", "--prices", table, "--rule", "multitest", "--json"]) == 0
    published = json.loads(capsys.readouterr().out)
    assert published["order"] == data["order"] and published["prior"] == data["order"][::-1]
    assert main(["compare", f"{runs}?metric=match", "--full"]) == 0
    assert "3 models on 140 items of 7 benchmarks by match (higher is better)" in capsys.readouterr().out
    assert "3 algorithms on 7 data sets by match (higher is better)" in repr(tb.compare(runs, over="scores"))
    assert main(["order", runs, "--where", "dataset in t0,t1", "--cost", "price", "--prices", table]) == 0
    assert "on items like these 40 of 2 benchmarks;" in " ".join(capsys.readouterr().out.split())
    assert main(["power", runs, "--difference", "0.05"]) == 0
    assert capsys.readouterr().out.startswith("140 items can show a difference of")
    page = str(tmp_path / "r.html")
    assert main(["report", runs, "--cost", "price", "--prices", table, "-o", page]) == 0
    assert "3 models on 140 items of 7 benchmarks" in capsys.readouterr().out
    assert main(["compare", runs, "--score", "accuracy", "--full"]) == 0  # a name for the one score
    assert "by accuracy (higher is better)" in capsys.readouterr().out
    assert main(["read", runs, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["form"] == "logs"
    chosen = ("--where", "dataset in t0,t1,t2", "--where", "algorithm in org/large,org/small")
    assert main(["compare", runs, *chosen, "--full"]) == 0
    assert "2 models on 60 items of 3 benchmarks" in capsys.readouterr().out


def test_python_takes_them_too(tmp_path: Path) -> None:
    runs = logs(tmp_path / "runs", {"a": 17, "b": 15})
    order = tb.order(runs, cost="price", prices=prices(tmp_path, "model,input,output\na,10,30\nb,1,3\n"))
    assert order.order == ("a", "b") and list(order.costs) == ["price"]
    with pytest.raises(OptionError, match=r"metric='f1' was given, but no log of an evaluation."):
        tb.read("dataset,a,b\nx,1,2\ny,2,1\n", metric="f1", scores="accuracy")


def test_columns_for_a_table_of_items_and_of_totals(tmp_path: Path) -> None:
    rows = [
        {"id": i, "input": f"q{i}", "scores": {"match": {"value": "C"}}, "metadata": {"document": d}}
        for i, d in ((1, "x"), (2, ""))
    ]
    log = {"version": 2, "status": "success", "eval": {"task": "t", "model": "a"}, "samples": rows}
    (tmp_path / "a.json").write_text(json.dumps(log))
    board = "- dirname: x\n  model: b\n  test_cases: 10\n  pass_rate_1: 10.0\n  pass_rate_2: 40.0\n  total_cost: 2.5\n"
    (tmp_path / "x.yml").write_text(board)
    items = tb.read(tmp_path / "a.json")
    assert (items.unit, items.datasets, items.algorithms) == ("item", ("t",), ("a",))
    assert items.clusters is not None and sorted(items.clusters.names) == ["t: 2", "x"]
    totals = tb.read(tmp_path)
    assert totals.unit == "total" and totals.datasets == ("aider x", "t") and totals.algorithms == ("a", "b")
    assert totals.values["n"].tolist() == [10, 2] and totals.values["price"].tolist()[0] == 0.25


def test_costs_that_logs_lack(tmp_path: Path) -> None:
    runs = logs(tmp_path / "runs", {"a": 17, "b": 15})
    with pytest.raises(OptionError, match=r"There is no cost 'seconds'. Known here: 'input_tokens', 'output_tokens'."):
        tb.order(runs, cost="seconds")
    (tmp_path / "costs.csv").write_text("algorithm,price\na,2\nb,1\n")
    result = tb.read(runs, scores="match", also=["price"], costs=tmp_path / "costs.csv")
    assert result.means("price").tolist() == [[2.0, 1.0]] * 7


def seeded(folder: Path, model: str, right: dict[str, list[int]], **settings: Any) -> None:
    """Write a log of Inspect for each seed, "" for none, with the samples that were right."""
    for seed, current in right.items():
        config = {**settings, **({"seed": int(seed)} if seed else {})}
        rows = [{"id": i, "epoch": 1, "scores": {"match": {"value": "C" if i in current else "I"}}} for i in range(6)]
        spec = {"task": "sums", "model": model, "created": f"2026-01-0{len(seed) + 1}", "model_generate_config": config}
        log = {"version": 2, "status": "success", "eval": spec, "samples": rows}
        name = "-".join([model, seed, *map(str, settings.values())])
        (folder / f"{name}.json").write_text(json.dumps(log))


def test_runs_that_differ_in_their_seed_alone_are_repeated_answers(tmp_path: Path) -> None:
    seeded(tmp_path, "a", {"": [0, 1], "7": [1, 2], "11": [1]})
    seeded(tmp_path, "b", {"7": [0, 1, 2]})
    seeded(tmp_path, "b", {"7": [0], "8": [1, 2, 3]}, temperature=0.5)
    runs = tb.read(tmp_path)
    assert runs.algorithms == ("a", "b", "b [temperature=0.5]")
    assert rows(runs) == [
        ("sums", "a", pytest.approx(5 / 18, abs=1e-6), 6),
        ("sums", "b", 0.5, 6),
        ("sums", "b [temperature=0.5]", pytest.approx(4 / 12, abs=1e-6), 6),
    ]
    notes = [caveat for caveat in runs.caveats if caveat.code == "read-as"]
    assert notes[0] == (
        "Runs of 'a' with 3 seeds (such as on 'sums') differ in these alone: they are repeated answers of one model."
    )
    assert item_table(tb.read(tmp_path)).epochs == (1, 3)


def test_seeds_of_other_tools(tmp_path: Path) -> None:
    for seed in (1, 2):
        folder = tmp_path / "lm" / f"run{seed}" / "org__a"
        folder.mkdir(parents=True)
        config = {"model": "hf", "random_seed": 0, "numpy_seed": seed, "torch_seed": 3, "fewshot_seed": 4}
        lines = [
            {"doc_id": i, "doc": {}, "filter": "none", "metrics": ["acc"], "acc": float(i < seed)} for i in range(4)
        ]
        (folder / f"samples_t_2026-01-0{seed}T00-00-00.jsonl").write_text("\n".join(map(json.dumps, lines)))
        (folder / f"results_2026-01-0{seed}T00-00-00.json").write_text(
            json.dumps({"model_name": "org/a", "config": config, "results": {"t": {"acc,none": seed / 4}}})
        )
        spec = {
            "completion_fns": ["m"],
            "eval_name": "e",
            "run_config": {"seed": seed},
            "created_at": f"2026-01-0{seed}",
        }
        events = [{"type": "match", "sample_id": f"e.{i}", "data": {"correct": i < seed}} for i in range(4)]
        (tmp_path / "evals").mkdir(exist_ok=True)
        (tmp_path / "evals" / f"{seed}.jsonl").write_text("\n".join(map(json.dumps, [{"spec": spec}, *events])))
    for name in ("lm", "evals"):
        runs = tb.read(tmp_path / name)
        assert [row[2:] for row in rows(runs)] == [(0.375, 4)] and runs.replications == ("1", "2")


def test_clusters_that_logs_bring_can_be_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All instances of one repository are one cluster: nothing is shown, and each verb says what would help."""
    names = [f"django__django-{i}" for i in range(60)]
    for model, right in (("large", 50), ("small", 20)):
        report = {"submitted_ids": names, "resolved_ids": names[:right]}
        (tmp_path / f"{model}.run1.json").write_text(json.dumps(report))
    one, other = (str(tmp_path / f"{model}.run1.json") for model in ("large", "small"))
    gate = ["gate", one, other, "--margin", "0.05"]
    assert main(gate) == 3
    assert "UNDECIDED: all 60 items belong to one cluster, which says nothing about others." in capsys.readouterr().out
    published = ["order", one, other, "--prior", "small,large"]
    for verb in (["compare", one, other], ["order", one, other], published, ["power", one, other]):
        assert main(verb) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert "To ask of further items of this cluster alone, ignore them: --column cluster=none." in out
        assert main([*verb, "--column", "cluster=none"]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert "All items are of one cluster, 'django/django', which is ignored as requested" in out
        assert "in 1 cluster" not in out
    assert main([*gate, "--cluster", "none"]) == 1
    assert "WORSE: small is worse than large by 50 points." in capsys.readouterr().out
    assert main(["power", one, other, "--difference", "0.1", "--json"]) == 0
    planned = json.loads(capsys.readouterr().out)
    assert planned["shown"] is None and planned["needed"] is None and "show no difference" in planned["text"]


def test_clusters_of_a_table_can_be_ignored() -> None:
    table = {"model": ["a"] * 6 + ["b"] * 6, "item": [*range(6)] * 2, "accuracy": [1] * 6 + [0] * 6}
    table["cluster"] = ["x", "x", "y", "y", "z", "z"] * 2
    for given in (table, tb.Results.from_dict(table)):
        compare = tb.compare(given, columns={"cluster": "none"})
        assert compare.pairs_tested.pvalue[0] == pytest.approx(2 / 64)
        assert any(note.code == "clusters-ignored" and "The 3 clusters" in note for note in compare.caveats)
    assert tb.compare(table).pairs_tested.pvalue[0] == 0.25


def test_a_later_run_that_was_broken_off_does_not_count_before_a_whole_one(tmp_path: Path) -> None:
    whole = logs(tmp_path, {"a": 20}, tasks=1) / "0-a.json"
    log = json.loads(whole.read_text())
    log |= {"status": "cancelled", "eval": log["eval"] | {"created": "2026-02-01"}, "samples": log["samples"][:2]}
    (tmp_path / "later.json").write_text(json.dumps(log))
    runs = tb.read(tmp_path)
    assert [row[3] for row in rows(runs)] == [20]
    assert [str(caveat) for caveat in runs.caveats][:1] == [
        "1 run(s) of the same model on the same benchmark are left out; the latest that ended well counts (such as"
        " 0-a.json and not later.json, a on t0)."
    ]


def test_epochs_that_inspect_does_not_average_are_told(tmp_path: Path) -> None:
    logs(tmp_path, {"a": 20}, tasks=1, config={"epochs": 3, "epochs_reducer": ["at_least_2", "max"]})
    assert [str(caveat) for caveat in tb.read(tmp_path).caveats][:1] == [
        "0-a.json: Inspect reduces epochs by 'at_least_2', 'max'; here the answers to an item are averaged."
    ]


def test_arguments_of_a_task_count_whether_passed_or_left_as_they_are(tmp_path: Path) -> None:
    """Logs hold what was passed, and all arguments: only the latter tell that two runs were asked the same."""
    for number, (model, passed, size) in enumerate((("a", {}, 5), ("a", {"size": 9}, 9), ("b", {"size": 5}, 5))):
        logs(tmp_path / str(number), {model: 9}, tasks=1, task_args_passed=passed, task_args={"size": size})
    runs = tb.read(tmp_path)
    assert [row[:2] for row in rows(runs)] == [("t0 [size=5]", "a"), ("t0 [size=5]", "b"), ("t0 [size=9]", "a")]


def test_only_what_is_compared_is_spoken_of(tmp_path: Path) -> None:
    whole = logs(tmp_path, {"a": 20, "b": 10}, tasks=2) / "1-b.json"
    log = json.loads(whole.read_text())
    log["status"] = "error"
    for row in log["samples"]:
        row["scores"] = {"other": {"value": 1}}
    whole.write_text(json.dumps(log))
    assert "runs-unfinished" in [caveat.code for caveat in tb.read(tmp_path, metric="other").caveats]
    assert "runs-unfinished" not in [caveat.code for caveat in tb.read(tmp_path, metric="match").caveats]
