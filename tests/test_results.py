from __future__ import annotations

import random
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiebreak import Metric, Results, stack, with_costs
from tiebreak.errors import InputError, OptionError

LONG = {
    "dataset": ["iris", "iris", "wine", "wine"] * 2,
    "algorithm": ["svm"] * 4 + ["tree"] * 4,
    "fold": [1, 2] * 4,
    "accuracy": [0.9, 0.8, 0.7, 0.6, 0.5, 0.6, 0.7, 0.8],
    "train_time": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
}
MEANS = [[0.85, 0.55], [0.65, 0.75]]
MAKERS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("kind", MAKERS)
def test_long_frames_in_and_the_same_kind_out(kind: str) -> None:
    results = Results.from_frame(MAKERS[kind](LONG))
    assert results.means("accuracy") == pytest.approx(np.array(MEANS))
    assert (results.scores, results.costs) == (("accuracy",), ("train_time",))
    back = results.to_frame()
    assert type(back) is type(MAKERS[kind](LONG))
    again = Results.from_frame(back)
    assert np.array_equal(again.values["accuracy"], results.values["accuracy"])
    assert again.datasets == results.datasets


@pytest.mark.parametrize("kind", MAKERS)
def test_wide_frames(kind: str) -> None:
    frame = MAKERS[kind]({"dataset": ["iris", "wine"], "tree": [0.55, 0.75], "svm": [0.85, 0.65]})
    results = Results.from_frame(frame, scores="accuracy")
    assert results.algorithms == ("svm", "tree")
    assert results.means("accuracy").tolist() == MEANS


def test_wide_with_folds() -> None:
    frame = pl.DataFrame({"DB": ["x", "x"], "Rep": [1, 2], "svm": [0.8, 0.6], "tree": [0.5, 0.7]})
    results = Results.from_frame(frame, scores="accuracy", columns={"dataset": "DB"})
    assert results.replications == ("1", "2")
    assert results.means("accuracy") == pytest.approx(np.array([[0.7, 0.6]]))
    assert results.caveats == ("Column 'Rep' was read as the replication.",)


def test_pandas_categories_index_and_nullable_columns() -> None:
    frame = pd.DataFrame(LONG)
    frame["dataset"] = frame["dataset"].astype("category")
    frame["accuracy"] = frame["accuracy"].astype("Float64")
    frame.loc[0, "accuracy"] = pd.NA
    results = Results.from_frame(frame)
    assert np.isnan(results.means("accuracy")[0, 0])
    assert [str(gap) for gap in results.gaps("accuracy")] == ["'svm' on 'iris' (replication 1, fold 1)"]


def test_dictionaries_and_arrays() -> None:
    nested = Results.from_dict(
        {"iris": {"svm": [0.9, 0.8], "tree": [0.5, 0.6]}, "wine": {"svm": [0.7, 0.6], "tree": [0.7, 0.8]}},
        scores="accuracy",
    )
    cube = np.array([[[0.9, 0.8], [0.5, 0.6]], [[0.7, 0.6], [0.7, 0.8]]])
    array = Results.from_array(cube, score="accuracy", algorithms=["svm", "tree"], datasets=["iris", "wine"])
    for results in (nested, array, Results.from_dict(LONG)):
        assert results.means("accuracy") == pytest.approx(np.array(MEANS))
    assert np.array_equal(nested.cube("accuracy"), cube[:, :, None, :])


@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_and_columns_changes_nothing(shuffler: random.Random) -> None:
    order = list(range(8))
    shuffler.shuffle(order)
    names = list(LONG)
    shuffler.shuffle(names)
    shuffled = Results.from_dict({name: [LONG[name][i] for i in order] for name in names})
    straight = Results.from_dict(LONG)
    assert shuffled.datasets == straight.datasets
    assert shuffled.algorithms == straight.algorithms
    for name in ("accuracy", "train_time"):
        assert np.array_equal(shuffled.values[name], straight.values[name])


def test_the_mean_does_not_depend_on_the_order_of_folds() -> None:
    folds = [0.1, 0.2, 0.3, 1e16, -1e16, 0.7, 1 / 3]
    forwards = Results.from_array([[folds, folds]], score="error").means("error")
    backwards = Results.from_array([[folds[::-1], folds]], score="error").means("error")
    assert np.array_equal(forwards, backwards)
    assert forwards[0, 0] == pytest.approx((0.1 + 0.2 + 0.3 + 0.7 + 1 / 3) / 7, rel=1e-12)


def test_sparse_tables_are_sorted_too() -> None:
    rng = np.random.default_rng(0)
    names = [f"d{i}" for i in range(3000)]
    rows = {
        "dataset": names * 2,
        "algorithm": ["a"] * 3000 + ["b"] * 3000,
        "fold": names * 2,
        "error": rng.random(6000),
    }
    results = Results.from_dict(rows)
    assert results.means("error").shape == (3000, 2)
    assert not results.gaps("error")
    order = rng.permutation(6000)
    moved = Results.from_dict({key: [column[i] for i in order] for key, column in rows.items()})
    assert np.array_equal(moved.means("error"), results.means("error"))


def test_names_are_kept_exactly() -> None:
    names = [" leading", "naïve Bayes", "決定木", "a,b", 'q"uote', "<b>&amp;</b>", "A", "a", "tab\there"]
    results = Results.from_dict({"x": dict.fromkeys(names, 1.0)}, scores="error")
    assert set(results.algorithms) == set(names)


def test_numbers_as_names_sort_as_numbers() -> None:
    frame = pl.DataFrame({"dataset": [10, 9, 2], "a": [0.1, 0.2, 0.3], "b": [1.0, 2.0, 3.0]})
    assert Results.from_frame(frame, scores="error").datasets == ("2", "9", "10")


def test_it_cannot_be_changed() -> None:
    results = Results.from_dict(LONG)
    with pytest.raises(FrozenInstanceError):
        results.datasets = ()  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        results.values["accuracy"][0] = 1
    with pytest.raises(TypeError):
        results.values["accuracy"] = np.ones(8)  # type: ignore[index]


def test_the_frame_that_came_in_stays_as_it_was() -> None:
    source = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.6, 0.7, 0.8])
    Results.from_dict({**LONG, "accuracy": source})
    source[0] = 0.0  # still ours to write


# ---- gaps


def test_a_missing_row_and_a_nan_are_both_gaps() -> None:
    rows = {key: column[:-1] for key, column in LONG.items()}  # tree on wine lacks fold 2
    rows["accuracy"] = [float("nan"), *rows["accuracy"][1:]]
    results = Results.from_dict(rows)
    assert [str(gap) for gap in results.gaps("accuracy")] == [
        "'svm' on 'iris' (replication 1, fold 1)",
        "'tree' on 'wine' (replication 1, fold 2)",
    ]
    assert np.isnan(results.means("accuracy")).tolist() == [[True, False], [False, True]]
    assert results.means("accuracy", partial=True)[0, 0] == 0.8


def test_selections() -> None:
    nan = float("nan")
    results = Results.from_dict({"a": {"x": 1.0, "y": nan}, "b": {"x": 2.0, "y": 3.0}}, scores="error")
    assert results.complete().datasets == ("b",)
    assert results.complete_algorithms().algorithms == ("x",)
    assert results.without(algorithms=["y"]).algorithms == ("x",)
    assert results.only(datasets=["a"]).datasets == ("a",)
    with pytest.raises(OptionError) as caught:
        results.without(datasets=["c"])
    assert str(caught.value) == "There is no data set 'c'. Known here: 'a', 'b'."


def test_complete_folds_keeps_the_pairing() -> None:
    nan = float("nan")
    results = Results.from_dict({"a": {"x": [1.0, 2.0], "y": [nan, 4.0]}}, scores="error")
    kept = results.complete_folds("error")
    assert kept.means("error").tolist() == [[2.0, 4.0]]


# ---- joining


def test_costs_from_a_second_table() -> None:
    results = Results.from_dict(LONG)
    costs = Results.from_dict({"iris": {"svm": 9.0, "tree": 1.0}, "wine": {"svm": 8.0}}, scores="space")
    priced = with_costs(results, costs)
    assert priced.costs == ("space", "train_time")
    assert priced.metric("space") == Metric(name="space", higher_is_better=False, is_cost=True)
    assert priced.means("space")[0].tolist() == [9.0, 1.0]
    assert np.isnan(priced.means("space")[1, 1])
    with pytest.raises(InputError) as caught:
        with_costs(priced, costs)
    assert str(caught.value) == (
        "Both tables hold a column 'space'. It is not clear which one counts. Rename it in one of them."
    )


def test_stacking() -> None:
    one = Results.from_dict({"iris": {"svm": 0.9}}, scores="accuracy")
    two = Results.from_dict({"iris": {"tree": 0.8}}, scores="accuracy")
    assert stack([one, two]).algorithms == ("svm", "tree")
    with pytest.raises(InputError, match=r"Two scores for one cell \(dataset 'iris', algorithm 'svm'\)"):
        stack([one, one])
    with pytest.raises(InputError, match=r"do not hold the same columns: 'accuracy', 'error' in one only"):
        stack([one, Results.from_dict({"iris": {"svm": 0.9}}, scores="error")])


# ---- what is refused


def test_duplicate_cells() -> None:
    rows = {key: [*column, column[0]] for key, column in LONG.items()}
    with pytest.raises(InputError) as caught:
        Results.from_dict(rows)
    assert str(caught.value) == (
        "Two scores for one cell (dataset 'iris', algorithm 'svm', fold '1'): column 'dataset', row 1 of the dictionary"
        " and column 'dataset', row 9 of the dictionary (1 repeated in all). Averaging or dropping one silently would"
        " change the result. Delete one of them, or add a column 'fold' or 'replication' that tells them apart."
    )


def test_duplicate_cells_told_apart_by_an_unread_column() -> None:
    rows = {"dataset": ["a", "a"], "algorithm": ["x", "x"], "seed": [1, 2], "error": [0.1, 0.2]}
    with pytest.raises(InputError, match=r"name its role: columns=\{'replication': 'seed'\}"):
        Results.from_dict(rows, scores="error")
    assert len(Results.from_dict(rows, scores="error", columns={"replication": "seed"})) == 2


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"dataset": [], "algorithm": [], "error": []}, "the dictionary holds no rows. There is nothing to compare."),
        (
            {"dataset": ["a"], "algorithm": ["x"], "error": ["much"]},
            "Column 'error' of the dictionary holds text and is not a known key.",
        ),
        (
            {"dataset": ["a", "b"], "algorithm": ["x", "x"], "error": [0.5, float("inf")]},
            "column 'error', row 2 of the dictionary: error is inf. An infinite value cannot be averaged or tested.",
        ),
        (
            {"dataset": ["a", None], "algorithm": ["x", "x"], "error": [0.5, 0.5]},
            "column 'dataset', row 2 of the dictionary: the name is missing.",
        ),
        (
            {"algorithm": ["x"], "error": [0.5]},
            "the dictionary has a column for the algorithm but none for the data set.",
        ),
        ({"dataset": ["a"], "algorithm": ["x"]}, "the dictionary has no column with scores."),
        ({"dataset": ["a"]}, "the dictionary has no column beside 'dataset'."),
        (
            {"x": [0.5], "y": [0.6]},
            "No column of the dictionary names the data sets: the first one, 'x', holds numbers.",
        ),
        ({"dataset": ["a"], "x": [1, 2]}, "The columns of the dictionary have different lengths"),
        (
            {"dataset": ["a"], "method": ["x"], "model": ["y"], "error": [1.0]},
            "Columns 'method', 'model' of the dictionary could all name the algorithm.",
        ),
    ],
)
def test_bad_tables(data: dict[str, list[object]], words: str) -> None:
    with pytest.raises((InputError, OptionError)) as caught:
        Results.from_dict(data)
    assert str(caught.value).startswith(words)


def test_text_in_a_named_score_is_named_with_its_row() -> None:
    with pytest.raises(InputError) as caught:
        Results.from_dict({"dataset": ["a"], "algorithm": ["x"], "error": ["much"]}, scores="error")
    assert str(caught.value) == (
        "column 'error', row 1 of the dictionary: 'much' is not a number. A score or cost must be one; a missing score"
        " is an empty cell, NA or NaN. Correct the cell, or leave the column out by naming the ones to read"
        " (scores=[...]) if 'error' is not a score."
    )


def test_an_unknown_column_asked_for() -> None:
    with pytest.raises(OptionError, match=r"There is no column 'acuracy'.*Did you mean 'accuracy'\?"):
        Results.from_dict(LONG, scores="acuracy")
    with pytest.raises(OptionError, match=r"There is no role 'data'"):
        Results.from_dict(LONG, columns={"data": "dataset"})
    with pytest.raises(OptionError, match=r"There is no column \(for the dataset\) 'task'"):
        Results.from_dict(LONG, columns={"dataset": "task"})


def test_what_is_no_table() -> None:
    with pytest.raises(InputError, match="A list is not a table of results"):
        Results.from_frame([1, 2])
    with pytest.raises(InputError, match=r"array has shape \(3,\)"):
        Results.from_array([1, 2, 3], score="error")
    with pytest.raises(InputError, match="array holds an infinite value"):
        Results.from_array([[1, np.inf]], score="error")
    with pytest.raises(OptionError, match="There is no frame kind 'spark'"):
        Results.from_dict(LONG).to_frame("spark")
    twice = pd.DataFrame([["a", 1, 2]], columns=["dataset", "x", "x"])
    with pytest.raises((InputError, ValueError), match="x"):
        Results.from_frame(twice)


# ---- metrics


def test_directions() -> None:
    from tiebreak.results import metric_named

    assert metric_named("Log-Loss").higher_is_better is False
    assert metric_named("neg_mean_squared_error").higher_is_better is True
    with pytest.raises(OptionError) as caught:
        metric_named("zeal").direction()
    assert str(caught.value) == (
        "Nothing says whether a higher 'zeal' is better. The best algorithm would come out as the worst if it were"
        " guessed wrongly. Say higher_is_better=True or False (--higher-is-better, --lower-is-better on the command"
        " line), or name the score by a known word (--score accuracy)."
    )
    assert metric_named("zeal").direction(True) is True
    with pytest.raises(OptionError, match="known as a measure where higher is better"):
        metric_named("accuracy").direction(False)


def test_the_score_must_be_chosen_where_there_are_several() -> None:
    several = Results.from_dict({**LONG, "auc": LONG["accuracy"]})
    with pytest.raises(OptionError, match=r"The table holds 2 scores: 'accuracy', 'auc'"):
        several.only_score()
    wide = Results.from_dict({"iris": {"svm": 0.9}})
    with pytest.raises(
        OptionError, match=r"read in wide form without naming its score: read it with scores='accuracy'"
    ):
        wide.metric("accuracy")


def test_how_it_prints() -> None:
    text = str(Results.from_dict(LONG))
    assert text.splitlines()[0] == (
        "2 data sets x 2 algorithms, 2 scores per cell: accuracy (higher is better), train_time (lower is better)"
    )
    assert "&lt;i&gt;" in Results.from_dict({"a": {"<i>": 1.0}}, scores="error")._repr_html_()
