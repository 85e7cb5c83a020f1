"""Shapes in which one table is kept: deviations and costs beside it, notes around it, units behind numbers, JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tiebreak.errors import InputError
from tiebreak.readers import read
from tiebreak.readers.understanding import words
from tiebreak.results import Results

from ..every import every

ALGORITHMS = ("RF", "SVM-RBF", "XGBoost", "kNN")
DATASETS = ("abalone", "credit-g", "glass", "iris", "vowel", "zoo")
TABLE = np.round(np.random.default_rng(7).uniform(0.6, 0.99, (6, 4)), 3)
Rows = list[list[str]]


def rows(written: Callable[[float], str] = lambda value: f"{value:.3f}", corner: str = "Dataset") -> Rows:
    return [[corner, *ALGORITHMS], *([d, *map(written, row)] for d, row in zip(DATASETS, TABLE.tolist(), strict=True))]


def beside(head: Callable[[str], list[str]], cells: Callable[[float], list[str]]) -> Rows:
    """Write several columns for each algorithm."""
    top = ["Dataset", *(name for algorithm in ALGORITHMS for name in head(algorithm))]
    body = zip(DATASETS, TABLE.tolist(), strict=True)
    return [top, *([d, *(text for value in row for text in cells(value))] for d, row in body)]


def text(table: Rows, mark: str = ",") -> str:
    return "\n".join(mark.join(row) for row in table) + "\n"


def same(results: Results, score: str = "accuracy", values: np.ndarray = TABLE) -> bool:
    names = (results.datasets, results.algorithms) == (DATASETS, ALGORITHMS)
    return names and np.allclose(results.means(score), values, rtol=0, atol=1e-12, equal_nan=True)


def put(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "head",
    [
        lambda name: [name, f"{name}_std"],
        lambda name: [f"{name} mean", f"{name} std"],
        lambda name: [f"{name}_mean", f"{name}_std"],
        lambda name: [f"mean_{name}", f"std_{name}"],
        lambda name: [name, f"{name} (sd)"],
    ],
)
def test_deviations_beside_an_algorithm_are_no_algorithms(tmp_path: Path, head: Callable[[str], list[str]]) -> None:
    table = text(beside(head, lambda value: [f"{value:.3f}", "0.010"]))
    result = read(put(tmp_path, "t.csv", table), scores="accuracy")
    assert same(result)
    assert result.means("accuracy_sd").tolist() == np.full(TABLE.shape, 0.01).tolist()


def test_scores_and_costs_beside_an_algorithm_are_no_algorithms(tmp_path: Path) -> None:
    times = text(beside(lambda name: [name, f"{name}_time"], lambda value: [f"{value:.3f}", "0.5"]))
    result = read(put(tmp_path, "t.csv", times), scores="accuracy", also=None)
    assert same(result)
    assert result.costs == ("time",)
    assert any("columns such as 'RF_time' were read as the time of 'RF'" in note for note in result.caveats)
    options = ["RF", "RF_time", "kNN"]
    assert read(tmp_path / "t.csv", scores="accuracy", algorithms=options).algorithms == tuple(options)
    both = text(beside(lambda name: [f"{name}_acc", f"{name}_train_time"], lambda value: [f"{value:.3f}", "0.5"]))
    assert same(read(put(tmp_path, "t.csv", both), scores="acc"), "acc")


@pytest.mark.parametrize(
    "above",
    ["Table 3: accuracy, ten folds, four methods\n", "# made by run.py, 2024\n# seed 1\n", "Results, all\n\n"],
)
@pytest.mark.parametrize("below", ["", "\n* best of three\nSource: own runs, 10-fold CV\n"])
def test_sentences_around_a_table_are_no_rows(tmp_path: Path, above: str, below: str) -> None:
    assert same(read(put(tmp_path, "t.csv", above + text(rows()) + below), scores="accuracy"))


def test_a_header_that_is_too_short_is_still_refused(tmp_path: Path) -> None:
    short = [list(ALGORITHMS), *rows()[1:]]
    with pytest.raises(InputError, match=r"has 5 cells, the header has 4|more cells than the header"):
        read(put(tmp_path, "t.csv", text(short)), scores="accuracy")


@every(
    ("word", "failed"),
    [
        ("nan ± nan", False),
        ("- ± -", False),
        ("-(-)", False),
        ("NaN%", False),
        ("—*", False),
        ("(OOM)", True),
        ("DNF (2h)", True),
        ("memout", True),
    ],
)
def test_gaps_and_failures_with_marks(word: str, failed: bool) -> None:
    table = rows()
    table[2][1] = word
    result = read(text(table, ";"), scores="accuracy")
    expected = TABLE.copy()
    expected[1, 0] = np.nan
    assert same(result, values=expected)
    assert any("failed" in note for note in result.caveats) == failed


@every(
    "written",
    [
        lambda value: f"({value:.3f} ± 0.010)",
        lambda value: f"{value:.3f} [0.010]",
        lambda value: f"{value:.3f} [0.100, 0.990]",
        lambda value: f"{value:.3f} &plusmn; 0.010",
        lambda value: f"{value:.3f}{{\\tiny (0.010)}}",
        lambda value: f"🥇 {value:.3f}",
        lambda value: f"'{value:.3f}'",
        lambda value: f"{value:.3f}^1",
    ],
)
def test_more_ways_to_write_a_cell(written: Callable[[float], str]) -> None:
    assert same(read(text(rows(written), "\t"), scores="accuracy"))


def test_a_broken_deviation_is_named() -> None:
    table = rows(lambda value: f"{value:.3f} ± 0.01")
    table[1][1] = "0.90 ± 0.0.1"
    with pytest.raises(InputError, match=r"line 2 of the text: '0.90 ± 0.0.1' is not a number"):
        read(text(table), scores="accuracy")


def test_one_unit_is_read_and_said_and_two_are_refused() -> None:
    result = read(text(rows(lambda value: f"{value:.3f} sec")), scores="latency")
    assert same(result, "latency")
    assert "the text: the unit 'sec' behind numbers is left out." in result.caveats
    table = rows(lambda value: f"{value:.3f}s")
    table[3][2] = "12 ms"
    with pytest.raises(InputError, match=r"have different units: 's' \('.*s'\); 'ms' \('12 ms'\)"):
        read(text(table), scores="latency")


SUMMARIES = (
    "Average", "Avg.", "Ave.", "Mean ± std", "Arithmetic mean", "Geo. mean", "p-value", "p (Wilcoxon)", "Ø", "Avg↑",
    "mean rank ↓", "Rel. improvement", "Avg. UCI", "All", "Top-1 count", "1st count", "Win count", "CD", "Best on",
    "Score", "(v/ /*)", "Δ",
)  # fmt: skip


@every("name", SUMMARIES)
def test_summaries_are_known_and_looked_for(tmp_path: Path, name: str) -> None:
    assert words.is_summary(name)
    table = text([*rows(), [name, "0.81", "0.82", "0.83", "0.84"]])
    result = read(put(tmp_path, "t.csv", table), scores="accuracy")
    assert same(result)
    assert any(f"row {name!r} (line 8) left out" in note for note in result.caveats)


@pytest.mark.parametrize("name", ["Delta", "mean-shift", "average pooling", "Alpha", "allbp", "scored", "cd4"])
def test_names_that_only_look_like_summaries(name: str) -> None:
    assert not words.is_summary(name)


def test_columns_of_sizes_are_known_by_their_numbers(tmp_path: Path) -> None:
    sizes = ["Vocabulary", "150", "768", "4177", "20", "3", "1000"]
    table = text([[*row, size] for row, size in zip(rows(), sizes, strict=True)])
    for score in ("accuracy", "my_score"):
        result = read(put(tmp_path, "t.csv", table), scores=score)
        assert same(result, score)
        assert any("'Vocabulary' (column 6) left out: whole numbers far" in note for note in result.caveats)
    small = ["Horizon", "12", "24", "48", "12", "24", "96"]
    table = text([[*row, size] for row, size in zip(rows(), small, strict=True)])
    with pytest.raises(InputError, match=r"It is not clear whether column 'Horizon' of t.csv is an algorithm or descr"):
        read(put(tmp_path, "t.csv", table), scores="accuracy")
    assert same(read(tmp_path / "t.csv", scores="accuracy", algorithms=ALGORITHMS))


def test_a_score_without_a_limit_may_be_whole_for_one_algorithm(tmp_path: Path) -> None:
    slow = ["Slow", "1203", "450", "9000", "310", "77", "5000"]
    table = put(tmp_path, "t.csv", text([[*row, size] for row, size in zip(rows(), slow, strict=True)]))
    assert "Slow" in read(table, scores="train_time").algorithms


def test_numbers_in_the_header_are_no_names(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"The first row of t.csv \(line 1\) holds numbers"):
        read(put(tmp_path, "t.csv", text(rows()[1:])), scores="accuracy")


@pytest.mark.parametrize(("corner", "turned"), [("Dataset / Method", False), (r"Method \ Dataset", True)])
def test_a_corner_with_two_titles_names_rows_first(corner: str, turned: bool) -> None:
    unknown = [[corner, "u", "v"], ["w1x", "0.9", "0.8"], ["x2y", "0.7", "0.6"], ["y3z", "0.9", "0.5"]]
    result = read(text(unknown), scores="accuracy")
    assert result.algorithms == (("w1x", "x2y", "y3z") if turned else ("u", "v"))
    macro = "\\diagbox{Dataset}{Method}" if not turned else "\\diagbox{Method}{Dataset}"
    body = " \\\\\n".join(" & ".join(row) for row in [[macro, *unknown[0][1:]], *unknown[1:]])
    tex = f"\\begin{{tabular}}{{lcc}}\n{body}\n\\end{{tabular}}\n"
    assert read(tex, scores="accuracy").algorithms == result.algorithms


def nested(first: tuple[str, ...], inner: tuple[str, ...], values: np.ndarray) -> dict[str, dict[str, float]]:
    return {a: dict(zip(inner, row, strict=True)) for a, row in zip(first, values.tolist(), strict=True)}


def test_nested_json_lies_as_its_names_say(tmp_path: Path) -> None:
    usual = put(tmp_path, "usual.json", json.dumps(nested(DATASETS, ALGORITHMS, TABLE)))
    assert same(result := read(usual, scores="accuracy"))
    assert result.caveats == ()
    other = put(tmp_path, "other.json", json.dumps(nested(ALGORITHMS, DATASETS, TABLE.T)))
    assert same(result := read(other, scores="accuracy"))
    assert "outer names were read as algorithms and the inner ones as data sets, because 'RF'" in result.caveats[0]
    assert read(other, scores="accuracy", transpose=False).algorithms == DATASETS
    assert read(other, scores="accuracy", plain=True).algorithms == DATASETS
    unknown = put(tmp_path, "unknown.json", '{"u": {"v": 0.9, "w": 0.8}, "x": {"v": 0.7, "w": 0.6}}')
    assert (result := read(unknown, scores="accuracy")).algorithms == ("v", "w")
    assert "(no name tells which). If it is the other way round: transpose=True." in result.caveats[0]
    assert read(unknown, scores="accuracy", transpose=True).algorithms == ("u", "x")


def test_json_of_other_shapes(tmp_path: Path) -> None:
    records = [
        {"dataset": d, **dict(zip(ALGORITHMS, row, strict=True))}
        for d, row in zip(DATASETS, TABLE.tolist(), strict=True)
    ]
    long = [
        {"dataset": r["dataset"], "model": a, "metrics": {"accuracy": r[a], "f1": 0.5}}
        for r in records
        for a in ALGORITHMS
    ]
    frame = {key: {str(i): record[key] for i, record in enumerate(records)} for key in records[0]}
    deep = {
        d: {a: {"accuracy": v, "f1": 0.5} for a, v in item.items()}
        for d, item in nested(DATASETS, ALGORITHMS, TABLE).items()
    }
    for shape in (records, long, frame, deep, {"results": records}, {"made": "today", "results": records}):
        assert same(read(put(tmp_path, "t.json", json.dumps(shape)), scores="accuracy"))


def test_rows_of_one_metric_are_chosen_by_its_name(tmp_path: Path) -> None:
    runs = [(d, a, TABLE[i, j]) for i, d in enumerate(DATASETS) for j, a in enumerate(ALGORITHMS)]
    table = [["model", "dataset", "metric", "value"]]
    table += [
        [a, d, metric, f"{value + more:.3f}"]
        for d, a, value in runs
        for metric, more in (("accuracy", 0.0), ("f1", -0.1))
    ]
    result = read(put(tmp_path, "t.csv", text(table)), scores="accuracy")
    assert same(result)
    assert "every metric is a column of its own" in result.caveats[0]


def test_many_values_outside_a_share_are_no_slips(tmp_path: Path) -> None:
    values = np.round(np.random.default_rng(1).normal(0, 1, TABLE.shape), 3)
    table = [rows()[0], *([d, *map(str, row)] for d, row in zip(DATASETS, values.tolist(), strict=True))]
    result = read(put(tmp_path, "t.csv", text(table)), scores="accuracy")
    assert same(result, values=values)


def test_a_size_of_many_digits_is_no_crash(tmp_path: Path) -> None:
    table = put(tmp_path, "t.csv", f"dataset,n,RF,SVM\niris,{'9' * 5000},1,2\nwine,3,4,5\n")
    with pytest.raises(InputError):
        read(table, scores="accuracy")
