"""Logs of every tool, as it writes them.

`sums_large.eval` was written by inspect-ai 0.3.285 with its mock model on a task of four sums. The other files are made
here, in the shape that the tools were seen to write: inspect-ai 0.3.285, lm-eval 0.4.13 with its dummy model on a local
task, promptfoo with its echo provider and one of our own. The shapes of the others are from their sources:
swebench/harness/reporting.py, helm/benchmark/runner.py with metrics/metric.py, and evals/record.py of openai/evals.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak as tb

from .rows import clusters, codes, column, rows

HERE = Path(__file__).parent
NAN = float("nan")


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = isinstance(content, list) and path.suffix == ".jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in content) if lines else json.dumps(content))
    return path


# ---- Inspect


def test_an_archive_of_inspect_itself_packed_by_zstandard(tmp_path: Path) -> None:
    runs = tb.read(HERE / "sums_large.eval")
    assert rows(runs) == [("sums", "mockllm/large", 0.75, 4)]  # the log's own accuracy
    assert runs.scores == ("match",) and [str(note) for note in runs.caveats] == [
        "Prices, tokens and seconds of the logs are means of one answer."
    ]
    assert runs.folds == ("sum-0", "sum-1", "sum-2", "sum-3") and clusters(runs) == ("page-0", "page-1")
    assert column(runs) == [1, 1, 1, 0] and runs.clusters is not None and runs.clusters.codes.tolist() == [0, 0, 1, 1]
    assert column(runs, "input_tokens") == [10, 11, 12, 13] and "price" not in runs.costs
    assert runs.metric("match").higher_is_better is True
    (tmp_path / "prices.csv").write_text("model,input,output,cached,reasoning\nmockllm/large,0,0,3,5\n")
    priced = tb.read(HERE / "sums_large.eval", prices=tmp_path / "prices.csv")
    assert column(priced, "price") == pytest.approx([(2 * 3 + 1 * 5) / 1e6] * 4)


def inspect_log(model: str = "org/a", task: str = "sums", **more: Any) -> dict[str, Any]:
    spec = {"task": task, "model": model, "created": "2026-01-01T00:00:00+00:00", "config": {"epochs": 1}, **more}
    metrics = {"accuracy": {"name": "accuracy", "value": 0.5}, "stderr": {"name": "stderr", "value": 0.1}}
    scores = [{"name": "match", "scorer": "match", "metrics": metrics}]
    return {"version": 2, "status": "success", "eval": spec, "plan": {"steps": [{"solver": "generate"}]},
            "results": {"total_samples": 2, "completed_samples": 2, "scores": scores}}  # fmt: skip


def sample(name: object, value: Any, *, epoch: int = 1, scorer: str = "match", **more: Any) -> dict[str, Any]:
    return {"id": name, "epoch": epoch, "input": "q", "target": "a", "scores": {scorer: {"value": value}}, **more}


def test_letters_words_and_numbers_of_inspect(tmp_path: Path) -> None:
    values = ["C", "I", "P", "N", "yes", 0.25, True, "0.75", "A", None, NAN, [1], "1e999"]
    rows = [sample(place, value) for place, value in enumerate(values)]
    runs = tb.read(write(tmp_path / "x.json", {**inspect_log(), "samples": rows}))
    assert column(runs) == [1, 0, 0.5, 0, 1, 0.25, 1, 0.75]
    assert [str(note) for note in runs.caveats] == [
        "x.json: 5 answer(s) of org/a have no number for 'match' and are left out."
    ]


def test_epochs_are_averaged_within_items_and_a_dictionary_holds_several_scores(tmp_path: Path) -> None:
    samples = [
        sample("x", {"right": "C", "style": 3}, epoch=1, scorer="judge"),
        sample("x", {"right": "I", "style": 5}, epoch=2, scorer="judge"),
        sample("y", {"right": "C", "style": 1}, epoch=1, scorer="judge"),
    ]
    path = write(tmp_path / "x.json", {**inspect_log(), "samples": samples})
    runs = tb.read(path)
    assert rows(runs) == [("sums", "org/a", 0.75, 2)]  # (1/2 + 1) / 2, not 2/3
    assert runs.replications == ("1", "2") and len(runs) == 3
    assert [str(note) for note in runs.caveats] == [
        "On 'sums' the metric is 'judge/right'; there is also 'judge/style': metric='judge/style'."
    ]
    graded = tb.read(path, metric="style")
    assert rows(graded) == [("sums", "org/a", 2.5, 2)] and graded.metric("judge/style").higher_is_better is None


def test_the_cluster_of_a_standard_error_goes_before_a_known_name(tmp_path: Path) -> None:
    options = {"name": "inspect_ai/stderr", "options": {"cluster": "family"}}
    log = inspect_log(scorers=[{"name": "match", "metrics": [options]}])
    samples = [sample("x", "C", metadata={"document": "d", "family": "f"})]
    assert clusters(tb.read(write(tmp_path / "x.json", {**log, "samples": samples}))) == ("f",)


def test_errors_of_inspect_are_left_out_and_a_judge_is_not_paid_by_the_model(tmp_path: Path) -> None:
    used = {
        "org/a": {"input_tokens": 7, "output_tokens": 1, "input_tokens_cache_write": 3},
        "judge": {"input_tokens": 99},
    }
    rows = [sample("x", "C", model_usage=used, working_time=2.0, total_time=9.0)]
    rows.append({"id": "y", "epoch": 1, "scores": {}, "error": "RuntimeError('boom')"})
    runs = tb.read(write(tmp_path / "x.json", {**inspect_log(), "status": "error", "samples": rows}))
    assert column(runs, "input_tokens") == [10] and column(runs, "seconds") == [2.0]
    assert [str(note) for note in runs.caveats] == [
        "x.json ended with status 'error': only what it holds is read.",
        "x.json: 1 sample(s) ended with an error and are left out, as Inspect does: 'y'.",
        "x.json: tokens of 'judge' are not counted as those of org/a.",
        "Prices, tokens and seconds of the logs are means of one answer.",
    ]


def archive(path: Path, members: dict[str, Any]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in members.items():
            out.writestr(name, json.dumps(content))
    return path


def test_a_run_that_was_broken_off_has_its_journal_and_one_without_samples_its_reductions(tmp_path: Path) -> None:
    start = {"version": 2, "eval": inspect_log()["eval"]}
    path = archive(tmp_path / "a.eval", {"_journal/start.json": start, "_journal/summaries/1.json": [sample("x", "C")]})
    runs = tb.read(path)
    assert rows(runs) == [("sums", "org/a", 1.0, 1)] and codes(runs) == ["runs-unfinished"]
    values = [{"sample_id": "x", "value": 0.5}, {"sample_id": "y", "value": 1.0}]
    members = {
        "header.json": inspect_log(),
        "summaries.json": [],
        "reductions.json": [{"scorer": "match", "samples": values}],
    }
    assert rows(tb.read(archive(tmp_path / "b.eval", members))) == [("sums", "org/a", 0.75, 2)]
    bare = tb.read(archive(tmp_path / "c.eval", {"header.json": inspect_log(), "summaries.json": []}))
    assert rows(bare) == [("sums", "org/a", 0.5, 2)] and bare.unit == "total"


# ---- lm-evaluation-harness


def lm_eval(folder: Path, model: str, scores: list[float], when: str = "2026-01-01T00-00-00.5", **more: Any) -> Path:
    """Write what `lm_eval run --log_samples --output_path` writes for one task with two filters."""
    place = folder / model.replace("/", "__")
    lines = [
        {"doc_id": i, "doc": {"q": i}, "target": "1", "arguments": {}, "resps": [["1"]], "filtered_resps": ["1"],
         "filter": way, "metrics": ["exact_match", "ppl"], "doc_hash": f"{i:064x}",
         "exact_match": score if way == "strict" else 1.0, "ppl": [0.5, 3]}
        for way in ("strict", "flexible") for i, score in enumerate(scores)
    ]  # fmt: skip
    write(place / f"samples_toy_gen_{when}.jsonl", lines)
    content = {
        "results": {"toy_gen": {"alias": "toy_gen", "exact_match,strict": float(np.mean(scores)),
                                "exact_match_stderr,strict": 0.1, "exact_match,flexible": 1.0}},
        "group_subtasks": {}, "n-shot": {"toy_gen": 0}, "higher_is_better": {"toy_gen": {"exact_match": True}},
        "n-samples": {"toy_gen": {"original": 9, "effective": len(scores)}},
        "config": {"model": "dummy", "model_args": {"pretrained": model}}, "model_name": model, **more,
    }  # fmt: skip
    return write(place / f"results_{when}.json", content)


def test_samples_of_the_harness_with_filters(tmp_path: Path) -> None:
    lm_eval(tmp_path, "org/a", [1.0, 0.0, 1.0, 1.0])
    lm_eval(tmp_path, "org/b", [0.0, 0.0, 1.0, 0.0])
    runs = tb.read(tmp_path)
    assert rows(runs) == [("toy_gen", "org/a", 0.75, 4), ("toy_gen", "org/b", 0.25, 4)]
    assert runs.scores == ("exact_match,strict",) and runs.folds == ("0", "1", "2", "3")
    assert runs.unit == "item" and runs.metric("exact_match,strict").higher_is_better is True
    assert [str(note) for note in runs.caveats if note.code == "sources-left-out"] == [
        "org__a/samples_toy_gen_2026-01-01T00-00-00.5.jsonl: 'ppl' of lm-evaluation-harness has no number per item.",
        "org__b/samples_toy_gen_2026-01-01T00-00-00.5.jsonl: 'ppl' of lm-evaluation-harness has no number per item.",
    ]
    assert {row[2] for row in rows(tb.read(tmp_path, metric="exact_match,flexible"))} == {1.0}


def test_results_of_the_harness_without_samples_and_without_groups(tmp_path: Path) -> None:
    path = lm_eval(tmp_path, "org/a", [1.0, 0.0], group_subtasks={"mmlu": ["toy_gen"], "toy_gen": []})
    content = json.loads(path.read_text())
    content["results"]["mmlu"] = {"alias": "mmlu", "exact_match,strict": 0.9}
    write(path, content)
    next(path.parent.glob("samples*")).unlink()
    runs = tb.read(tmp_path)
    assert rows(runs) == [("toy_gen", "org/a", 0.5, 2)] and runs.scores == ("exact_match,strict",)


def test_samples_alone_are_named_by_their_folder(tmp_path: Path) -> None:
    lm_eval(tmp_path, "org/a", [1.0]).unlink()
    assert tb.read(tmp_path).algorithms == ("org/a",)


def test_items_of_one_number_and_another_text_are_two(tmp_path: Path) -> None:
    lm_eval(tmp_path, "org/a", [1.0, 0.0])
    lm_eval(tmp_path, "org/b", [1.0, 0.0])
    path = next((tmp_path / "org__b").glob("samples*"))
    path.write_text(path.read_text().replace(f"{1:064x}", "f" * 64))
    runs = tb.read(tmp_path)
    assert runs.folds == ("0", "1", "1 @ffffffff")
    assert [str(note) for note in runs.caveats if note.code == "items-differ"] == [
        "On 'toy_gen' 1 item(s) have the name of another and a different text: they are taken for two.",
    ]


# ---- promptfoo


def foo(provider: str, test: int, *, success: bool, prompt: str = "Say {{x}}", **more: Any) -> dict[str, Any]:
    case = {"vars": {"x": test // 2}, "metadata": {"conversationId": f"c{test // 4}"}}
    usage = {"total": 30, "prompt": 20, "completion": 10}
    return {"provider": {"id": provider, "label": provider}, "promptIdx": 0, "promptId": prompt, "testIdx": test,
            "prompt": {"raw": "...", "label": prompt}, "testCase": case, "vars": case["vars"], "success": success,
            "score": 1 if success else 0.5, "namedScores": {}, "latencyMs": 500, "cost": 0.002, "failureReason": 0,
            "response": {"output": "...", "tokenUsage": usage, "cost": 0.002}, **more}  # fmt: skip


def output(path: Path, rows: list[dict[str, Any]]) -> Path:
    results = {"version": 3, "timestamp": "2026-01-01T00:00:00Z", "prompts": [], "results": rows}
    return write(path, {"evalId": "eval-1", "results": results, "config": {"description": "toy"}})


def test_repeated_tests_of_promptfoo_are_epochs(tmp_path: Path) -> None:
    answers = [foo("a", test, success=test != 3) for test in range(4)]  # as --repeat 2 numbers two tests
    runs = tb.read(output(tmp_path / "out.json", answers))
    assert rows(runs) == [("toy", "a", 0.75, 2)] and runs.replications == ("1", "2")
    assert runs.folds == ("test 0", "test 2") and runs.clusters is None  # one conversation parts nothing
    costs = {"price": 0.002, "input_tokens": 20, "output_tokens": 10, "seconds": 0.5}
    assert {name: set(column(runs, name)) for name in runs.costs} == {name: {cost} for name, cost in costs.items()}
    assert rows(tb.read(tmp_path / "out.json", metric="score")) == [("toy", "a", 0.875, 2)]


def test_errors_of_promptfoo_fail_and_its_cache_costs_nothing_that_is_known(tmp_path: Path) -> None:
    cached = {"output": "...", "cached": True, "tokenUsage": {"cached": 30, "total": 30}}
    rows = [
        foo("a", 0, success=False, failureReason=2, error="boom", response=None, cost=0),
        foo("a", 2, success=True, response=cached, cost=0),
        foo("a", 4, success=True),
    ]
    runs = tb.read(output(tmp_path / "out.json", rows))
    assert column(runs) == [0, 1, 1]
    np.testing.assert_array_equal(column(runs, "price"), [NAN, NAN, 0.002])
    assert codes(runs) == ["read-as", "answers-failed", "costs-missing", "read-as"]
    for row in rows[1:]:
        row["namedScores"] = {"tone": 0.5}
    rows += [foo("a", 0, success=False, prompt="other", failureReason=2, error="boom")]
    texts = [
        str(note) for note in tb.read(output(tmp_path / "out.json", rows)).caveats if note.code == "answers-failed"
    ]
    failed = "ended with an error and count as failed, as in promptfoo"
    assert texts[0].endswith(f"1 answer(s) of a (Say {{{{x}}}}) {failed}; 'tone' has none of them.")
    assert texts[1].endswith(f"1 answer(s) of a (other) {failed}.")


def test_prompts_of_promptfoo_are_told_apart_and_other_forms_say_the_same(tmp_path: Path) -> None:
    rows = [foo(name, 0, success=name == "a", prompt=prompt) for name in "ab" for prompt in ("one", "two " * 20)]
    whole = tb.read(output(tmp_path / "out.json", rows))
    assert whole.algorithms == ("a [prompt=one]", "a [prompt=prompt 1]", "b [prompt=one]", "b [prompt=prompt 1]")
    write(tmp_path / "out.jsonl", rows)
    again = tb.read(tmp_path)
    assert again.datasets == ("toy",) and len(again) == len(whole)  # the lines tell the same again
    assert column(tb.read(tmp_path / "out.jsonl")) == column(whole)


# ---- SWE-bench


def report(folder: Path, model: str, resolved: list[str], **more: list[str]) -> Path:
    """Write the report that swebench.harness.reporting writes."""
    names = [f"django__django-{i}" for i in range(1, 4)] + ["sympy__sympy-9"]
    kinds = {"resolved_ids": resolved, "unresolved_ids": [name for name in names if name not in resolved], **more}
    content = {"total_instances": 5, "submitted_instances": 4, "submitted_ids": names, "schema_version": 2, **kinds}
    return write(folder / f"{model}.run1.json", content)


def test_a_report_of_swe_bench_counts_errors_as_failures(tmp_path: Path) -> None:
    more = {"error_ids": ["django__django-2"], "empty_patch_ids": ["django__django-3"], "incomplete_ids": ["a__b-7"]}
    report(tmp_path, "org__model-1.5", ["django__django-1", "sympy__sympy-9"], unresolved_ids=[], **more)
    runs = tb.read(tmp_path)
    assert rows(runs) == [("SWE-bench", "org/model-1.5", 0.5, 4)]
    assert clusters(runs) == ("django/django", "sympy/sympy")
    assert [str(note) for note in runs.caveats] == [
        "org__model-1.5.run1.json: 1 with an error and 1 with an empty patch count as not resolved, as on the"
        " leaderboard.",
        "org__model-1.5.run1.json: 1 instance(s) without a prediction, or whose prediction was not judged, are left"
        " out.",
    ]


def test_reports_of_instances_are_put_together_by_model(tmp_path: Path) -> None:
    base = tmp_path / "logs" / "run_evaluation" / "run1"
    for model, good in (("a", True), ("b", False)):
        for name in ("django__django-1", "django__django-2"):
            told_of = {"patch_is_None": False, "patch_successfully_applied": True, "resolved": good}
            write(base / model / name / "report.json", {name: told_of})
        (base / model / "django__django-1" / "run_instance.log").write_text("...")
    runs = tb.read(tmp_path)
    assert rows(runs) == [("SWE-bench", "a", 1.0, 2), ("SWE-bench", "b", 0.0, 2)]
    assert codes(runs) == ["sources-left-out"]
    names = {"submitted_ids": ["django__django-1", "django__django-2", "x__y-3"], "resolved_ids": ["x__y-3"]}
    write(tmp_path / "a.run1.json", names)  # the report of the same run knows more
    assert rows(tb.read(tmp_path))[0] == ("SWE-bench", "a", round(1 / 3, 6), 3)


def test_submissions_to_the_leaderboard(tmp_path: Path) -> None:
    base = tmp_path / "evaluation" / "verified"
    for model, good in (("20240101_a", ["d__d-1", "d__d-2"]), ("20240202_b", ["d__d-3"])):
        write(base / model / "results" / "results.json", {"no_generation": [], "no_logs": ["d__d-9"], "resolved": good})
    runs = tb.read(tmp_path)
    assert rows(runs) == [("SWE-bench Verified", "a", 0.5, 4), ("SWE-bench Verified", "b", 0.25, 4)]
    assert codes(runs) == ["items-differ"]
    details = {"d__d-1": {"cost": 0.5, "api_calls": 3, "resolved": True}, "d__d-2": {"cost": 0.25, "resolved": False}}
    runs = tb.read(write(tmp_path / "bash-only" / "20250101_c" / "per_instance_details.json", details))
    assert rows(runs) == [("SWE-bench Verified", "c", 0.5, 2)] and column(runs, "price") == [0.5, 0.25]


def test_submissions_of_one_scaffold_are_on_the_same_set_and_list_all_of_it(tmp_path: Path) -> None:
    """Those of the folder bash-only judge all 500 of Verified, so that levels of the others are known too."""
    base = tmp_path / "evaluation"
    names = [f"d__d-{i}" for i in range(500)]
    lists = {"no_generation": [], "no_logs": [], "resolved": names[:400]}
    write(base / "verified" / "20240101_a" / "results" / "results.json", lists)
    assert "levels are too high where none lists all" in tb.read(tmp_path).caveats[0]
    details = {name: {"cost": 0.5, "resolved": i % 2 == 0} for i, name in enumerate(names)}
    write(base / "bash-only" / "20250101_c" / "per_instance_details.json", details)
    runs = tb.read(tmp_path)
    assert rows(runs) == [("SWE-bench Verified", "a", 0.8, 500), ("SWE-bench Verified", "c", 0.5, 500)]


def test_likely_failures_of_the_machine_count_and_are_told(tmp_path: Path) -> None:
    """Reports since SWE-bench 5 tell them; they stay among those that are not resolved."""
    report = {"submitted_ids": ["d__d-1", "d__d-2"], "completed_ids": ["d__d-1", "d__d-2"], "incomplete_ids": [],
              "resolved_ids": ["d__d-1"], "unresolved_ids": ["d__d-2"], "infra_failure_ids": ["d__d-2"],
              "ambiguous_failure_ids": [], "empty_patch_ids": [], "error_ids": []}  # fmt: skip
    runs = tb.read(write(tmp_path / "m.run.json", report))
    assert rows(runs) == [("SWE-bench", "m", 0.5, 2)]
    assert "1 with a likely failure of the machine count as not resolved, as on the leaderboard." in runs.caveats[0]


# ---- HELM


def test_runs_of_helm(tmp_path: Path) -> None:
    def stat(name: str, mean: float, **more: Any) -> dict[str, Any]:
        return {
            "name": {"name": name, "split": "test", "sub_split": "s1", **more},
            "count": 1,
            "sum": mean,
            "mean": mean,
        }

    run = tmp_path / "runs" / "v1" / "mmlu:subject=anatomy,method=joint,model=openai_gpt2"
    write(run / "run_spec.json", {"name": run.name, "adapter_spec": {"model": "openai/gpt2"}})
    entries = [
        {"instance_id": name, "train_trial_index": trial, "stats": stats}
        for name, trial, good in (("id1", 0, 1.0), ("id1", 1, 0.0), ("id2", 0, 1.0))
        for stats in ([stat("num_prompt_tokens", 9.0), stat("inference_runtime", 0.5)],
                      [stat("ifeval", 0.1), stat("quasi_exact_match", 1.0), stat("exact_match", good)])
    ]  # fmt: skip
    entries.append({"instance_id": "id1", "train_trial_index": 0, "perturbation": {"name": "typos"}, "stats": []})
    write(run / "per_instance_stats.json", entries)
    write(run / "stats.json", [stat("exact_match", 0.75)])
    write(run / "display_predictions.json", [{"instance_id": "id1", "stats": {"exact_match": 0.0}}])
    runs = tb.read(tmp_path)
    assert rows(runs) == [("mmlu:subject=anatomy,method=joint", "openai/gpt2", 0.75, 2)]
    assert runs.scores == ("exact_match",) and runs.clusters is None
    assert column(runs, "input_tokens") == [9, 9, 9] and column(runs, "seconds") == [0.5] * 3
    assert codes(runs) == ["read-as", "rows-left-out", "read-as"]


def test_other_splits_of_a_run_of_helm_are_left_out_as_in_its_tables(tmp_path: Path) -> None:
    run = tmp_path / "mmlu:subject=anatomy,model=openai_gpt2"
    splits = {"id1": "valid", "id2": "test", "id3": "test"}
    entries = [
        {"instance_id": name, "train_trial_index": 0,
         "stats": [{"name": {"name": "exact_match", "split": split}, "mean": float(split == "valid")}]}
        for name, split in splits.items()
    ]  # fmt: skip
    write(run / "per_instance_stats.json", entries)
    runs = tb.read(tmp_path)
    assert rows(runs) == [("mmlu:subject=anatomy", "openai/gpt2", 0.0, 2)]
    assert "1 instance(s) of other splits than 'test' are left out, as in HELM's tables." in runs.caveats[0]


@pytest.mark.parametrize(
    ("metrics", "taken", "way"),
    [(["wildbench_score", "wildbench_score_rescaled"], "wildbench_score_rescaled", True),
     (["other", "medalign_accuracy"], "medalign_accuracy", True), (["wer_score"], "wer_score", False)],
)  # fmt: skip
def test_metrics_of_newer_scenarios_of_helm(tmp_path: Path, metrics: list[str], taken: str, way: bool) -> None:
    stats = [{"name": {"name": name, "split": "test"}, "mean": 0.5} for name in metrics]
    run = tmp_path / "wild:model=a_b"
    write(run / "per_instance_stats.json", [{"instance_id": "id1", "train_trial_index": 0, "stats": stats}])
    runs = tb.read(tmp_path)
    assert runs.scores == (taken,) and runs.metric(taken).higher_is_better is way


# ---- OpenAI evals


def test_a_record_of_openai_evals(tmp_path: Path) -> None:
    spec = {"completion_fns": ["gpt-4"], "eval_name": "sums.s1.v0", "base_eval": "sums", "created_at": "2026-01-01"}

    def event(name: str, kind: str, **data: Any) -> dict[str, Any]:
        return {"run_id": "r", "event_id": 0, "sample_id": name, "type": kind, "data": data, "created_by": ""}

    lines = [
        {"spec": spec},
        event("s.1", "sampling", prompt="...", usage={"prompt_tokens": 7, "completion_tokens": 2}),
        event("s.1", "sampling", prompt="...", usage={"prompt_tokens": 5, "completion_tokens": 1}),
        event("s.1", "match", correct=True, expected="1", picked="1"),
        event("s.2", "match", correct=False),
        event("s.3", "error", message="timeout"),
        {"final_report": {"accuracy": 0.5}},
    ]
    runs = tb.read(write(tmp_path / "x.jsonl", lines))
    assert rows(runs) == [("sums.s1.v0", "gpt-4", 0.5, 2)] and codes(runs) == ["rows-left-out", "read-as"]
    np.testing.assert_array_equal(column(runs, "input_tokens"), [12, NAN])
    bare = tb.read(write(tmp_path / "y.jsonl", [lines[0], lines[-1]]))
    assert rows(bare) == [("sums.s1.v0", "gpt-4", 0.5, None)] and bare.scores == ("accuracy",)


# ---- Aider


BOARD = """
- dirname: 2025-01-01--a
  test_cases: 225
  model: big model
  edit_format: diff
  command: "aider --model big # via somebody"
  date: 2025-01-01
  pass_rate_1: 20.4
  pass_rate_2: 35.6
  pass_num_2: 80
  seconds_per_case: 34.8
  total_cost: 6.5

- dirname: 2025-02-01--b
  test_cases: 133
  model: small
  edit_format: whole
  date: 2025-02-01
  pass_rate_1: 10.0
  pass_rate_2: 50.4
  total_cost: 0 # incorrect: 6.3
"""


def test_a_board_of_aider(tmp_path: Path) -> None:
    (tmp_path / "polyglot_leaderboard.yml").write_text(BOARD)
    runs = tb.read(tmp_path)
    assert runs.algorithms == ("big model", "small") and runs.datasets == ("aider polyglot",)
    assert column(runs) == [80 / 225, 67 / 133] and column(runs, "n") == [225, 133]
    np.testing.assert_array_equal(column(runs, "price"), [6.5 / 225, NAN])
    np.testing.assert_array_equal(column(runs, "seconds"), [34.8, NAN])
    assert [str(note) for note in runs.caveats][::-1][1:] == [
        "polyglot_leaderboard.yml: total_cost is 0 or missing for 1 of 2 rows, which are not free but of unknown price:"
        " 'small'.",
        "On 'aider polyglot' the metric is 'pass_rate_2'; there is also 'pass_rate_1': metric='pass_rate_1'.",
    ]


def test_a_board_of_one_try(tmp_path: Path) -> None:
    one = BOARD.replace("pass_rate_2: 35.6", "x: 1").replace("pass_rate_2: 50.4", "x: 1")
    (tmp_path / "refactor_leaderboard.yml").write_text(one)
    runs = tb.read(tmp_path)
    assert runs.scores == ("pass_rate_1",) and column(runs) == [46 / 225, 13 / 133]
    (tmp_path / "refactor_leaderboard.yml").write_text(
        BOARD.replace("model: small", "model: big model").replace(": diff", ": whole")
    )
    assert "(such as big model on aider refactor)" in str(tb.read(tmp_path).caveats)


def test_rows_of_one_model_with_other_settings_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "x.yml").write_text(BOARD.replace("model: small", "model: big model"))
    assert tb.read(tmp_path).algorithms == ("big model [edit_format=diff]", "big model [edit_format=whole]")


@pytest.mark.parametrize("text", ["a: 1\npass_rate_1: 2\n- dirname: x\n", "- dirname: x\n  pass_rate_1: 1\n  [oops\n"])
def test_yaml_that_is_no_flat_list_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.yml").write_text(text)
    with pytest.raises(ValueError, match=r"x.yml cannot be read: line \d is no part of a flat list of rows"):
        tb.read(tmp_path / "x.yml")
