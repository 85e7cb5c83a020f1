"""Tables as public benchmarks publish them: what they imply is inferred, and a wrong direction is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tiebreak as tb
from tiebreak import InputError


def written(folder: Path, name: str, rows: list[str]) -> Path:
    path = folder / name
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_data_set_that_is_there_twice_as_a_whole_is_averaged_where_it_is_one_of_many(tmp_path: Path) -> None:
    rows = [f"d{i},{a},{0.5 + i / 100 + j / 10}" for i in range(30) for j, a in enumerate(("lr", "rf"))]
    rows += ["d3,lr,0.63", "d3,rf,0.73"]
    path = written(tmp_path, "bmr.csv", ["task.id,learner.id,acc.test.mean", *rows])
    result = tb.read(path, score="acc")
    assert result.means("acc")[result.datasets.index("d3")] == pytest.approx([0.58, 0.68])
    assert "d3" in next(str(note) for note in result.caveats if note.code == "duplicates-settled")


@pytest.mark.parametrize("more", [["d3,lr,0.63"], ["d3,lr,0.63", "d3,rf,0.7", "d4,lr,0.6", "d4,rf,0.6"]])
def test_other_duplicates_stay_an_error(tmp_path: Path, more: list[str]) -> None:
    rows = [f"d{i},{a},{0.5 + i / 100 + j / 10}" for i in range(30) for j, a in enumerate(("lr", "rf"))]
    path = written(tmp_path, "bmr.csv", ["task.id,learner.id,acc.test.mean", *rows, *more])
    with pytest.raises(InputError, match="Two scores for one cell"):
        tb.read(path, score="acc")


def test_a_score_that_repeats_auc_or_log_loss_has_the_direction_of_each(tmp_path: Path) -> None:
    rows = [f"b{i},x,{0.8 + i / 100},{0.8 + i / 100},,1" for i in range(4)]
    rows += [f"b{i},y,{0.7 + i / 100},{0.7 + i / 100},,1" for i in range(4)]
    rows += [f"m{i},{a},{loss + i / 10},,{loss + i / 10},1" for i in range(4) for a, loss in (("x", 0.2), ("y", 0.9))]
    path = written(tmp_path, "amlb.csv", ["task,framework,result,auc,logloss,duration", *rows])
    assert tb.compare(path, score="result").mean_ranks.tolist() == [1.0, 2.0]
    # one log loss stands in the column of auc
    slip = ["task,framework,result,auc,logloss,duration,fold", *(f"{row},{k}" for row in rows for k in range(4))]
    slip[-1] = f"m3,y,{0.9 + 0.3},{0.9 + 0.3},,1,3"
    assert tb.compare(written(tmp_path, "slip.csv", slip), score="result").mean_ranks.tolist() == [1.0, 2.0]
    with pytest.raises(InputError, match="logloss"):
        tb.compare(path, score="result", higher_is_better=True)
    # as newer versions write it
    turned = [",".join((*row.split(",")[:2], f"-{row.split(',')[2]}", *row.split(",")[3:])) for row in rows[8:]]
    path = written(tmp_path, "amlb.csv", ["task,framework,result,auc,logloss,duration", *rows[:8], *turned])
    assert tb.compare(path, score="result").mean_ranks.tolist() == [1.0, 2.0]


def test_data_sets_of_another_task_lack_the_score_without_a_gap(tmp_path: Path) -> None:
    rows = [f"b{i},{a},{0.8 + i / 100 + j / 10},0.5,1" for i in range(4) for j, a in enumerate("xy")]
    rows += [f"m{i},{a},,0.5,1" for i in range(4) for a in "xy"]
    path = written(tmp_path, "amlb.csv", ["task,framework,auc,acc,duration", *rows])
    compare = tb.compare(path, score="auc")
    assert compare.datasets == ("b0", "b1", "b2", "b3")
    assert any("m0, m1, m2" in note for note in compare.caveats)


def test_a_failed_run_that_took_time_is_a_failure(tmp_path: Path) -> None:
    rows = [f"b{i},{a},{0.8 + i / 100 + j / 10},9," for i in range(5) for j, a in enumerate("xy")]
    rows[1] = "b0,y,,28800,Missing predictions."
    rows[3] = "b1,y,,,missing"
    path = written(tmp_path, "amlb.csv", ["task,framework,auc,duration,info", *rows])
    assert tb.read(path, score="auc").failures == {("b0", "y"), ("b1", "y")}


def test_imputed_results_count_as_the_benchmark_filled_them_in(tmp_path: Path) -> None:
    rows = [f"d{i},{a},{0.1 + i / 100 + j / 10},False" for i in range(6) for j, a in enumerate(("pfn", "rf", "new"))]
    rows[0] = "d0,pfn,0.2,True"
    rows = [row.replace("False", "True") if ",new," in row and not row.startswith("d0") else row for row in rows]
    path = written(tmp_path, "arena.csv", ["dataset,method,metric_error,imputed", *rows])
    result = tb.read(path, score="metric_error")
    assert result.algorithms == ("pfn", "rf")
    assert not result.failures
    assert result.means("metric_error")[0].tolist() == [0.2, 0.2]
    assert tb.read(path, score="metric_error", algorithms=["new", "rf"]).algorithms == ("new", "rf")


def test_ids_of_openml_name_the_data_sets_of_a_wide_table(tmp_path: Path) -> None:
    path = written(tmp_path, "wide.csv", ["openml_dataset_id,a,b", "3,0.1,0.2", "1461,0.3,0.1", "31,0.2,0.2"])
    assert tb.read(path, score="error").datasets == ("3", "31", "1461")


def test_a_search_is_better_when_higher_by_the_convention_of_scikit_learn(tmp_path: Path) -> None:
    head = "mean_fit_time,mean_score_time,param_C,params,mean_test_score,std_test_score,rank_test_score"
    rows = [f"0.1,0.01,{c},{{'C': {c}}},{score},0.1,1" for c, score in ((1, 0.7), (10, 0.8))]
    order = tb.order(written(tmp_path, "search.csv", [head, *rows]), cost="mean_fit_time")
    assert order.order[0] == "C=10"
    lower = tb.order(tmp_path / "search.csv", cost="fit_time", higher_is_better=False)
    assert lower.order[0] == "C=1"  # who knows better may say so


@pytest.mark.parametrize("index", [True, False])
def test_frames_of_cross_validate_under_one_another_are_folds(tmp_path: Path, index: bool) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(-5, 1, (3, 5))
    rows = [
        f"{f'{i},' if index else ''}{model},0.1,0.01,{values[m, i]}" for m, model in enumerate("abc") for i in range(5)
    ]
    path = written(tmp_path, "cv.csv", [f"{',' if index else ''}model,fit_time,score_time,test_neg_zeal", *rows])
    result = tb.read(path)
    assert np.allclose(result.cube("test_neg_zeal")[0, :, 0], values)
    assert result.metric("test_neg_zeal").higher_is_better is True
