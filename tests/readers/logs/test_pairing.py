"""Which answers are answers to the same item: what logs of several runs, formats and versions have in common.

The shapes are those that inspect-ai 0.3.40, 0.3.90, 0.3.130 and 0.3.285, lm-eval 0.4.13 and promptfoo 0.121.20 were
seen to write; of SWE-bench that of swebench/harness/reporting.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.results import Results

from ...every import every
from .rows import codes, column, rows


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.suffix == ".jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in content) if lines else json.dumps(content))
    return path


def inspect_log(model: str, rows: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    spec = {"task": "quiz", "model": model, "created": "2026-01-01"}
    return {"version": 2, "status": "success", "eval": spec, "samples": rows, **more}


def sample(name: object, text: Any, value: Any = "C", **more: Any) -> dict[str, Any]:
    return {"id": name, "epoch": 1, "input": text, "target": "yes", "scores": {"match": {"value": value}}, **more}


def items_of(runs: Results, model: str) -> dict[str, float]:
    """Return the score of each item of a model."""
    here = runs.codes["algorithm"] == runs.algorithms.index(model)
    names = np.array(runs.folds)[runs.codes["fold"][here]].tolist()
    return dict(zip(names, runs.values[runs.scores[0]][here].tolist(), strict=True))


def test_messages_with_other_identifiers_cut_texts_and_shuffled_choices_are_the_same_items(tmp_path: Path) -> None:
    def asked(mark: str, text: str, image: dict[str, str]) -> list[dict[str, Any]]:
        parts = [{"type": "text", "text": text}, image]
        return [{"id": mark, "role": "system", "content": "sys"}, {"id": f"{mark}u", "role": "user", "content": parts}]

    long = "x" * 6000
    whole = asked("1", long, {"type": "image", "image": "data:..."})
    short = asked("2", long[:5120] + "...\n(content truncated)", {"type": "text", "text": "(Image)"})
    write(tmp_path / "a.json", inspect_log("a", [sample(1, whole), sample(2, "q")]))
    write(tmp_path / "b.json", inspect_log("b", [sample(1, short, "I", target="C"), sample(2, "q")]))
    runs = tb.read(tmp_path)
    assert runs.folds == ("1", "2") and codes(runs) == []


def test_numbers_given_after_shuffling_are_told_by_the_text(tmp_path: Path) -> None:
    texts = ["one", "two", "three"]
    write(tmp_path / "a.json", inspect_log("a", [sample(n + 1, text, "I") for n, text in enumerate(texts)]))
    rows = [sample(n + 1, text, "C" if text == "two" else "I") for n, text in enumerate(["two", "new", "one"])]
    write(tmp_path / "b.json", inspect_log("b", [*rows, sample(9, "three", "C")]))
    runs = tb.read(tmp_path)
    scores = items_of(runs, "b")
    assert list(items_of(runs, "a")) == ["1", "2", "3"]
    assert [scores[name] for name in ("1", "2", "3")] == [0, 1, 1] and len(scores) == 4
    assert [str(caveat) for caveat in runs.caveats] == [
        "On 'quiz' 1 item(s) have the name of another and a different text: they are taken for two.",
        "On 'quiz' 3 item(s) are named otherwise than in other logs: they were found by their text.",
    ]


def test_a_text_that_several_items_share_tells_nothing(tmp_path: Path) -> None:
    write(tmp_path / "a.json", inspect_log("a", [sample(1, "same"), sample(2, "same"), sample(3, "other")]))
    write(tmp_path / "b.json", inspect_log("b", [sample(1, "other"), sample(2, "same"), sample(3, "same")]))
    runs = tb.read(tmp_path)
    assert len(runs.folds) == 4 and len(runs) == 6  # 3 of b is none of a's two
    assert {"2", "3"} < set(items_of(runs, "b"))  # "other" is 3 of a


def harness(folder: Path, *, items: bool = True) -> Path:
    """Write two models on a task with scores of items and on one that has only its perplexity."""
    when = "2026-01-01T00-00-00.000001"
    for model, good in (("one", 10), ("two", 14)):
        tasks = {
            "mc": {"alias": "mc", "acc,none": good / 30, "brier_score,none": 0.5 + good / 100},
            "ppl": {"alias": "ppl", "word_perplexity,none": float(good), "bits_per_byte,none": good / 10},
        }
        ways = {"mc": {"acc": True, "brier_score": False}, "ppl": {"word_perplexity": False, "bits_per_byte": False}}
        counts = {task: {"original": 30, "effective": 30} for task in tasks}
        write(folder / model / f"results_{when}.json", {"results": tasks, "higher_is_better": ways, "n-samples": counts,
                                                        "config": {"model": "dummy"}})  # fmt: skip
        if items:
            for task in tasks:
                none = {"word_perplexity": [-0.5, 2], "bits_per_byte": [-0.5, 9]}
                scores = [
                    {"acc": float(n < good), "brier_score": [0, "x"]} if task == "mc" else none for n in range(30)
                ]
                lines = [{"doc_id": n, "doc": {}, "resps": [], "filter": "none", "metrics": list(score), **score}
                         for n, score in enumerate(scores)]  # fmt: skip
                write(folder / model / f"samples_{task}_{when}.jsonl", lines)
    return folder


def test_metrics_without_items_are_read_from_the_sums_when_they_are_asked_for(tmp_path: Path) -> None:
    folder = harness(tmp_path / "runs")
    result = tb.read(folder)
    assert result.datasets == ("mc",) and len(result) == 60
    notes = " ".join(map(str, result.caveats))
    assert "'ppl' has no metric with a number per item and is left out. Means of whole runs are compared by" in notes
    assert "metric='word_perplexity,none'" in notes
    for metric, benchmark, values in (("bits_per_byte", "ppl", (1.0, 1.4)), ("brier_score", "mc", (0.6, 0.64))):
        runs = tb.read(folder, metric=metric)
        assert runs.datasets == (benchmark,) and runs.metric(runs.scores[0]).higher_is_better is False
        assert tuple(column(runs)) == values and runs.unit == "fold"
    for file in folder.rglob("samples_mc*"):
        file.unlink()
    metrics = [metric.name for metric in tb.read(folder).dataset_metrics]
    assert metrics == ["acc", "word_perplexity"]  # nobody has items now


def test_only_the_benchmarks_asked_for_decide_what_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = harness(tmp_path / "runs", items=False)
    assert tb.read(folder).unit == "fold"  # perplexities and shares have no common scale
    assert main(["compare", str(folder), "--where", "dataset in mc", "--full"]) == 0
    assert capsys.readouterr().out.startswith("2 models on 30 items of mc by acc (higher is better)")
    assert main(["compare", str(folder), "--where", "dataset in mc,other"]) == 2
    assert "There is no data set 'other'" in capsys.readouterr().err


def foo(provider: str, test: int, details: dict[str, int] | None = None) -> dict[str, Any]:
    usage = {"total": 30, "prompt": 20, "completion": 10, "completionDetails": details or {}}
    return {"provider": {"id": provider}, "testIdx": test, "testCase": {"vars": {"x": test}}, "success": True,
            "score": 1, "response": {"output": "...", "tokenUsage": usage}}  # fmt: skip


def output(path: Path, rows: list[dict[str, Any]]) -> Path:
    return write(path, {"evalId": "e", "results": {"version": 3, "results": rows}, "config": {}})


def test_tokens_read_from_a_cache_are_a_part_of_the_prompt_in_promptfoo(tmp_path: Path) -> None:
    rows = [foo("a", 0, {"cacheReadInputTokens": 15, "reasoning": 4}), foo("a", 1, {"cacheReadInputTokens": 99})]
    runs = tb.read(output(tmp_path / "out.json", rows))
    assert column(runs, "input_tokens") == [5, 0]
    (tmp_path / "prices.csv").write_text("model,input,output,cached,reasoning\na,10,30,1,60\n")
    priced = column(tb.read(tmp_path / "out.json", prices=tmp_path / "prices.csv"), "price")
    assert priced == pytest.approx([(5 * 10 + 15 * 1 + 6 * 30 + 4 * 60) / 1e6, (20 * 1 + 10 * 30) / 1e6])


def test_a_file_of_promptfoo_for_each_model_is_one_benchmark_where_they_ask_the_same(tmp_path: Path) -> None:
    for model in ("large", "small"):
        output(tmp_path / f"run-{model}.json", [foo(model, test) for test in range(4)])
    output(tmp_path / "other.json", [foo("small", test) for test in range(40, 44)])
    runs = tb.read(tmp_path)
    assert runs.datasets == ("other", "run")
    assert rows(runs) == [("other", "small", 1.0, 4), ("run", "large", 1.0, 4), ("run", "small", 1.0, 4)]
    (tmp_path / "run-large.json").rename(tmp_path / "large.json")
    assert tb.read(tmp_path).datasets == ("other", "promptfoo")


def test_predictions_that_were_not_judged_are_not_failures(tmp_path: Path) -> None:
    names = [f"d__d-{n}" for n in range(6)]
    judged = {"completed_ids": names[:2], "resolved_ids": names[:1], "unresolved_ids": names[1:2], "error_ids": []}
    report = {"total_instances": 2, "submitted_instances": 6, "submitted_ids": names, "incomplete_ids": [], **judged}
    runs = tb.read(write(tmp_path / "m.run.json", report))
    assert rows(runs) == [("SWE-bench", "m", 0.5, 2)]
    assert [str(caveat) for caveat in runs.caveats] == [
        "m.run.json: 4 instance(s) without a prediction, or whose prediction was not judged, are left out."
    ]


def test_runs_that_were_only_sent_off_otherwise_are_runs_of_one_model_and_no_key_is_told(tmp_path: Path) -> None:
    for place, (key, speed, heat) in enumerate((("sk-one", 10, 0.1), ("sk-two", 20, 0.1), ("sk-two", 20, 0.9))):
        log = inspect_log("a", [sample(1, "q")], plan={"config": {"max_connections": speed, "temperature": heat}})
        log["eval"] |= {
            "model_args": {"api_key": key, "base_url": f"http://{place}"},
            "created": f"2026-01-0{place + 1}",
        }
        write(tmp_path / f"{place}.json", log)
    runs = tb.read(tmp_path)
    assert runs.algorithms == ("a [temperature=0.1]", "a [temperature=0.9]") and codes(runs) == ["duplicates-settled"]
    assert not any("sk-" in str(note) for note in runs.caveats)


@every("layout", ["folders", "prefixed", "numbered"])
@every("results", ["model_name", "model_args", "none"])
def test_models_evaluated_at_once_stay_two_models_on_one_benchmark(tmp_path: Path, layout: str, results: str) -> None:
    """Equal time stamps made data sets of the files, and one model of both."""
    if (layout, results) == ("numbered", "none"):
        return  # nothing names the models then
    stamp = "2026-01-02T03-04-05.123"
    for place, model in enumerate(("org/a", "org/b")):
        folder = tmp_path / model.replace("/", "__") if layout == "folders" else tmp_path
        folder.mkdir(exist_ok=True)
        before = f"{model.replace('/', '__')}_" if layout == "prefixed" else ""
        behind = f"-{place + 1}" if layout == "numbered" and place else ""
        rows = [
            {"doc_id": k, "doc": {}, "target": "x", "filter": "none", "acc": float(k % (3 + place) > 0)}
            for k in range(30)
        ]
        lines = "\n".join(map(json.dumps, rows))
        (folder / f"{before}samples_gsm8k_{stamp}{behind}.jsonl").write_text(lines)
        content = {"results": {"gsm8k": {"acc,none": 0.5}}, "config": {"model_args": f"pretrained={model}"}}
        content |= {"model_name": model} if results == "model_name" else {}
        if results != "none":
            (folder / f"{before}results_{stamp}{behind}.json").write_text(json.dumps(content))
    result = tb.read(tmp_path, scores="acc")
    assert (result.unit, result.algorithms, result.datasets) == ("item", ("org/a", "org/b"), ("gsm8k",))
    assert result.means("acc").round(3).tolist() == [[0.667, 0.733]]
