"""Recommendations for numbers to predict: what is learned from, what is refused, and what is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.advisor import (
    Advisor,
    Knowledge,
    knowledge_text,
    merge_knowledge,
    shipped_knowledge,
    store_knowledge,
)
from tiebreak.advisor.bases import knowledge_from_text
from tiebreak.advisor.success_rates import kind_of, kind_of_score, success_rates
from tiebreak.attributes import characterise
from tiebreak.attributes.catalogue import default_measures
from tiebreak.cli import main
from tiebreak.datasets import DataSet, load
from tiebreak.errors import InputError
from tiebreak.results import Results, metric_named
from tiebreak.stores import open_store
from tiebreak.stores.records import NUMBER_TARGET, AlgorithmRow, CellKey, CellOutcome, DataSetRow


def errors(**scores: dict[str, float]) -> Results:
    return Results.from_dict(scores, scores="relative_rmse")


def data_of(kind: str, seed: int, rows: int = 60) -> DataSet:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 3))
    target = x[:, 0] + rng.normal(size=rows)
    label = f"{kind[0]}{seed}"
    return DataSet.from_arrays(x, target if kind == "number" else (target > 0).astype(int), name=label, kind=kind)


def fill(path: Path, *kinds: str, described: bool = True) -> None:
    """Fill a store with two data sets of each kind and two algorithms, as the lab does."""
    with open_store(path) as store:
        for kind in kinds:
            for name in (f"a-{kind}", f"b-{kind}"):
                store.add_algorithm(AlgorithmRow(name=name, fingerprint=name))
            for seed in (1, 2, 3):
                data = data_of(kind, seed)
                meta: dict[str, Any] = dict(characterise(data, groups="all")) if described else {}
                meta |= {NUMBER_TARGET: 1} if kind == "number" else {}
                about = {"name": data.name, "fingerprint": data.fingerprint, "classes": data.classes}
                store.add_data_set(DataSetRow(**about, meta=meta, meta_version="2" if described else "1"))
                keys = [CellKey(data.fingerprint, f"{item}-{kind}", "cv", 0, 1, 1) for item in "ab"]
                ids = store.add_cells(keys)
                score = "accuracy" if kind == "classes" else "relative_rmse"
                outcomes = [{score: 0.5 + 0.1 * place, "train_time": 1.0 + place} for place, _ in enumerate(ids)]
                store.finish([CellOutcome(cell=c, status="ok", values=v) for c, v in zip(ids, outcomes, strict=True)])


# ---- success rates


def test_errors_relative_to_the_mean_become_success_rates_from_0_to_1() -> None:
    base = Knowledge.from_results(errors(d={"x": 0.4, "y": 1.7, "z": 1.0}, e={"x": 0.2, "y": 0.1, "z": 0.3}))
    assert base.kind == "number" and base.score == "1 - relative_rmse"
    assert base.accuracy[:, :, 0, 0].tolist() == pytest.approx(np.array([[0.6, 0.0, 0.0], [0.8, 0.9, 0.7]]))
    caveats = {str(note) for note in base.caveats}
    assert "1 mean(s) of 'relative_rmse' above 1 count as 1, which is predicting the mean." in caveats
    assert [row["relative_rmse"] for row in base.rows()] == pytest.approx([0.4, 0.1])  # shown as what people know


def test_a_fold_that_goes_wrong_counts_in_the_mean_and_leaves_no_negative_rate() -> None:
    folds = np.array([[[0.2, 1.4], [0.5, 0.7], [0.9, 2.0], [np.nan, 0.4]]])
    metric = metric_named("relative_rmse")
    result, called, notes = success_rates(folds, metric, datasets=("d",))
    assert called == "1 - relative_rmse"
    assert np.nanmean(result, axis=2)[0] == pytest.approx([1 - 0.8, 1 - 0.6, 0.0, 0.6])  # not 0.4, 0.4, 0.05, 0.6
    assert result[0, 0] == pytest.approx([0.4, 0.0]) and result[0, 2].tolist() == [0.0, 0.0]
    assert np.isnan(result[0, 3, 0]) and (result[~np.isnan(result)] >= 0).all()
    assert str(notes[1]) == "1 mean(s) of 'relative_rmse' above 1 count as 1, which is predicting the mean."


@pytest.mark.parametrize(
    ("name", "kind"),
    [("accuracy", "classes"), ("RMSE", "number"), ("test_r2", "number"), ("pinball_0.9", "number"), ("auc", "classes")],
)
def test_a_score_tells_what_is_predicted(name: str, kind: str) -> None:
    assert kind_of_score(name) == kind


def test_measures_tell_what_is_predicted() -> None:
    assert kind_of(characterise(load("sklearn:diabetes"), groups="all")) == "number"
    assert kind_of(characterise(load("builtin:iris"))) == "classes"
    assert kind_of({"n_examples": 5.0}) == "classes" and kind_of({"n_examples": 5.0}, "number") == "number"
    assert kind_of(load("sklearn:diabetes"), "classes") == "number"  # data know it themselves


# ---- the base that ships


def test_the_shipped_base_of_numbers() -> None:
    base = shipped_knowledge("number")
    assert base.kind == "number" and base.score == "1 - relative_rmse"
    assert {"mean", "ridge", "rf"} <= set(base.algorithms)
    assert not {"lda", "nb"} & set(base.algorithms)
    assert set(default_measures("number")) <= set(base.meta.measures)
    assert not {"class_entropy", "n_classes"} & set(base.meta.measures)
    assert ((base.accuracy >= 0) & (base.accuracy <= 1) | np.isnan(base.accuracy)).all()
    mean = base.means()[0][:, base.algorithms.index("mean")]
    assert mean == pytest.approx(0.0, abs=0.02)  # nobody learns anything by predicting the mean
    assert shipped_knowledge().kind == "classes"


def test_a_base_keeps_its_kind_in_a_file() -> None:
    base = shipped_knowledge("number")
    again = knowledge_from_text(knowledge_text(base, made={}))
    assert again.kind == "number" and again.datasets == base.datasets
    np.testing.assert_allclose(again.accuracy, base.accuracy, atol=1e-6)


def test_an_order_of_regressors_for_numbers() -> None:
    recommend = Advisor().recommend(load("sklearn:diabetes"))
    assert recommend.kind == "number"
    assert set(recommend.algorithms) <= set(shipped_knowledge("number").algorithms)
    assert set(recommend.meta_attributes) >= set(default_measures("number"))
    assert "class_entropy" not in recommend.meta_attributes
    rows = recommend.rows()
    assert "relative_rmse there" in rows[0] and "accuracy there" not in rows[0]
    assert all(0 < float(str(row["relative_rmse there"])) <= 1 for row in rows)
    text = recommend.to_dict()
    assert text["kind"] == "number"
    json.dumps(text, allow_nan=False)


def test_who_predicts_the_mean_is_not_tried_first() -> None:
    base = shipped_knowledge("number")
    for name in base.datasets[::4]:
        order = Advisor(base).recommend_known(name).algorithms
        assert order.index("mean") >= len(order) // 2, name


def test_a_known_data_set_is_found_whatever_its_kind() -> None:
    assert Advisor().recommend_known("iris").kind == "classes"
    name = shipped_knowledge("number").datasets[0]
    recommendation = Advisor().recommend_known(name)
    assert recommendation.kind == "number" and name not in recommendation.neighbours.names
    with pytest.raises(tb.errors.OptionError, match="There is no known data set 'nobody'"):
        Advisor().recommend_known("nobody")


# ---- what is not mixed


def test_bases_of_two_kinds_are_never_merged() -> None:
    with pytest.raises(InputError) as caught:
        merge_knowledge([shipped_knowledge(), shipped_knowledge("number")])
    assert str(caught.value) == (
        "Results on two kinds of target are put together: shipped (classes) and shipped (numbers to predict). No score"
        " is measured on both kinds, and no learner is run on both. Learn from one of them."
    )


def test_a_base_of_the_other_kind_is_refused_with_the_way_out() -> None:
    with pytest.raises(InputError) as caught:
        Advisor(shipped_knowledge()).recommend(load("sklearn:diabetes"))
    text = str(caught.value)
    assert text.startswith("The target is a number, and what is known are results on classes (")
    assert text.endswith(
        "Learn from results on numbers to predict: Advisor() for the base that ships, or Advisor(store); or say what"
        " the target is (kind='classes')."
    )
    with pytest.raises(InputError, match=r"^The target is classes, and what is known are results on numbers"):
        Advisor(shipped_knowledge("number")).recommend(load("builtin:iris"))


# ---- stores


def test_a_store_of_numbers_is_a_base_of_numbers(tmp_path: Path) -> None:
    fill(tmp_path / "n.db", "number")
    base = store_knowledge(tmp_path / "n.db")
    assert base.kind == "number" and base.score == "1 - relative_rmse" and base.algorithms == ("a-number", "b-number")
    assert NUMBER_TARGET not in base.meta.measures and set(default_measures("number")) <= set(base.meta.measures)
    recommend = Advisor(tmp_path / "n.db").recommend(data_of("number", 9))
    assert recommend.algorithms == ("a-number", "b-number") and recommend.kind == "number"
    with pytest.raises(InputError) as caught:
        Advisor(tmp_path / "n.db").recommend(load("builtin:iris"))
    assert str(caught.value) == (
        f"The targets of the data sets in the store {tmp_path / 'n.db'} are numbers ('n1', 'n2', 'n3')."
        " Recommendations for classes are made from results on classes. Use a store of results on classes, or the base"
        " that ships with the package: `tiebreak.advisor.shipped_knowledge()`."
    )


def test_in_a_store_of_both_the_new_target_decides(tmp_path: Path) -> None:
    path = tmp_path / "both.db"
    fill(path, "classes", "number")
    numbers, classes = (Advisor(path).recommend(data_of(kind, 9)) for kind in ("number", "classes"))
    assert numbers.algorithms == ("a-number", "b-number") and classes.algorithms == ("b-classes", "a-classes")
    assert {*numbers.neighbours.names} == {"n1", "n2", "n3"} and {*classes.neighbours.names} == {"c1", "c2", "c3"}
    assert "3 data set(s) with classes are left out: 'c1', 'c2', 'c3'." in map(str, numbers.caveats)
    assert "3 data set(s) with a number to predict are left out: 'n1', 'n2', 'n3'." in map(str, classes.caveats)
    assert store_knowledge(path).kind == "classes" and store_knowledge(path, kind="number").kind == "number"
    assert store_knowledge(path, score="relative_rmse").kind == "number"
    assert Advisor(path).recommend_known("n1").kind == "number"


def test_a_store_without_numbers_is_refused_for_a_number(tmp_path: Path) -> None:
    fill(tmp_path / "c.db", "classes")
    with pytest.raises(InputError, match=r"^The targets of the data sets in the store .* are classes \('c1', 'c2'"):
        Advisor(tmp_path / "c.db").recommend(load("sklearn:diabetes"))


def test_data_sets_that_were_not_described_count_alike(tmp_path: Path) -> None:
    fill(tmp_path / "old.db", "number", described=False)
    recommend = Advisor(tmp_path / "old.db").recommend(data_of("number", 9))
    assert "all-alike" in {note.code for note in recommend.caveats}
    assert recommend.neighbours.weight.tolist() == pytest.approx([1 / 3] * 3)  # nothing distinguishes them


# ---- the edges


def test_one_number_in_all_rows_is_nothing_to_learn() -> None:
    x = np.random.default_rng(0).normal(size=(40, 2))
    constant = DataSet.from_arrays(x, [2.5] * 40, kind="number")
    with pytest.raises(InputError) as caught:
        Advisor().recommend(constant)
    assert str(caught.value) == (
        "The target of data set 'data' is 2.5 in all 40 rows. There is nothing to learn: every"
        " algorithm would predict the same. Name another target with target=..., or add rows with other values."
    )


@pytest.mark.parametrize("target", [np.arange(40) % 2, np.arange(40) ** 9.0])
def test_two_distinct_values_and_extreme_ones_are_answered(target: np.ndarray) -> None:
    x = np.random.default_rng(0).normal(size=(40, 1))
    recommend = Advisor().recommend(x, target.astype(float), kind="number")
    assert recommend.kind == "number" and len(recommend.algorithms) > 2


def test_rows_without_a_number_are_left_out_and_infinite_ones_refused() -> None:
    x = np.random.default_rng(0).normal(size=(40, 1))
    target = x[:, 0] * 2
    target[3] = np.nan
    assert Advisor().recommend(x, target, kind="number").meta_attributes["n_examples"] == 39
    target[3] = np.inf
    with pytest.raises(InputError, match="holds an infinite number"):
        Advisor().recommend(x, target, kind="number")


# ---- the command line


def test_the_command_line_takes_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recommend", "sklearn:diabetes", "--pilot", "0", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["kind"] == "number" and data["timing"]["describing"] > 0
    fill(tmp_path / "c.db", "classes")
    assert main(["recommend", "sklearn:diabetes", "--store", str(tmp_path / "c.db")]) == 2
    assert "are classes ('c1', 'c2', 'c3')" in capsys.readouterr().err
    assert main(["recommend", "--known", shipped_knowledge("number").datasets[0], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "number"
