"""Averages and mean ranks that a table prints are held against its numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata

from tiebreak.checking import DocumentCheck, check

NAMES = ("SVM", "tree", "forest", "net")


def drawn(digits: int = 3, rows: int = 12) -> np.ndarray:
    return np.round(np.random.default_rng(3).uniform(0.7, 0.95, (rows, len(NAMES))), digits)


def ranks(scores: np.ndarray) -> np.ndarray:
    return np.asarray(rankdata(-scores, axis=1).mean(axis=0))


def paper(folder: Path, scores: np.ndarray, *, digits: int = 3, transposed: bool = False, **lines: list[str]) -> Path:
    """Write a Markdown table of the scores, with lines such as Average under it (or to the right of it)."""
    grid = [["method" if transposed else "dataset", *NAMES]]
    grid += [[f"set{i}", *(f"{x:.{digits}f}" for x in row)] for i, row in enumerate(scores)]
    grid += [[label.replace("_", " "), *cells] for label, cells in lines.items()]
    if transposed:
        grid = [list(column) for column in zip(*grid, strict=True)]
    rows = ["| " + " | ".join(row) + " |" for row in grid]
    rows.insert(1, "|" + "---|" * len(grid[0]))
    file = folder / "paper.md"
    file.write_text("Accuracy of four methods.\n\n" + "\n".join(rows) + "\n")
    return file


def of(file: Path) -> DocumentCheck:
    return check(file, score="accuracy", claim="SVM")


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("digits", [1, 2, 3])
def test_rounded_averages_and_ranks_agree(tmp_path: Path, transposed: bool, digits: int) -> None:
    scores = drawn()
    averages = [f"{x:.{digits}f}" for x in scores.mean(axis=0)]
    mean_ranks = [f"{x:.{digits}f}" for x in ranks(scores)]
    table = of(paper(tmp_path, scores, transposed=transposed, Average=averages, Avg_rank=mean_ranks)).tables[0]
    assert [(item.label, item.algorithm) for item in table.sums] == [
        (label, name) for label in ("Average", "Avg rank") for name in sorted(NAMES)
    ]
    assert all(item.agrees for item in table.sums)
    assert "Average: agrees with the numbers of the table." in str(table)


@pytest.mark.parametrize("transposed", [False, True])
def test_a_wrong_average_and_a_wrong_rank_are_named(tmp_path: Path, transposed: bool) -> None:
    scores = drawn()
    averages, mean_ranks = scores.mean(axis=0), ranks(scores)
    averages[1] += 0.004
    mean_ranks[2] += 0.3
    file = paper(
        tmp_path, scores, transposed=transposed,
        Average=[f"{x:.3f}" for x in averages], Mean_rank=[f"{x:.2f}" for x in mean_ranks],
    )  # fmt: skip
    result = of(file)
    wrong = [(item.kind, item.algorithm) for item in result.tables[0].sums if not item.agrees]
    assert wrong == [("average", "tree"), ("mean rank", "forest")]
    assert "Average: 1 of 4 do not agree with the numbers: tree" in str(result.document())
    printed = result.to_dict()["tables"][0]["printed"]
    assert [item["expected"] for item in printed if item["algorithm"] == "tree" and item["kind"] == "average"] == [
        pytest.approx(scores.mean(axis=0)[1])
    ]


def test_what_rounding_of_the_cells_explains_is_no_error(tmp_path: Path) -> None:
    """Averages and ranks were computed before the cells were rounded to two digits, as papers do."""
    fine = drawn(digits=6, rows=20)
    file = paper(
        tmp_path, fine, digits=2,
        Average=[f"{x:.4f}" for x in fine.mean(axis=0)], Average_rank=[f"{x:.3f}" for x in ranks(fine)],
    )  # fmt: skip
    table = of(file).tables[0]
    assert len(table.sums) == 8
    assert all(item.agrees for item in table.sums)


def test_losses_are_ranked_the_other_way_round(tmp_path: Path) -> None:
    scores = drawn()
    file = paper(tmp_path, scores, Mean_rank=[f"{x:.2f}" for x in ranks(-scores)])
    assert not all(item.agrees for item in of(file).tables[0].sums)
    assert all(item.agrees for item in check(file, score="error", claim="SVM", table=1).tables[0].sums)


@pytest.mark.parametrize("label", ["Wins", "Std_dev", "Geometric_mean", "Median"])
def test_other_lines_are_left_alone(tmp_path: Path, label: str) -> None:
    tables = of(paper(tmp_path, drawn(), **{label: ["1", "2", "3", "4"]})).tables
    assert all(not item.sums for item in tables)
