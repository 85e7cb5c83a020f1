from __future__ import annotations

import copy
import datetime
import pickle
import random
from dataclasses import FrozenInstanceError
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from tiebreak import Metric, Results, stack, with_costs
from tiebreak.errors import InputError, OptionError
from tiebreak.results import metric_named
from tiebreak.results.table import split_by_metric

from .every import every

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


def test_numbers_of_every_type() -> None:
    keys = {"dataset": ["a", "b"], "algorithm": ["x", "x"]}
    frames = [
        pd.DataFrame({**keys, "error": pd.Series([Decimal("0.5"), pd.NA], dtype=object)}),
        pd.DataFrame({**keys, "error": pd.Series(["0.5", None], dtype=object)}),
        pd.DataFrame({**keys, "error": pd.Categorical([0.5, None])}),
        pl.DataFrame({**keys, "error": [" 0.5", "n/a"]}),
        pl.DataFrame({**keys, "error": [Decimal("0.5"), None]}),
        pa.table({**keys, "error": [0.5, None]}),
    ]
    for frame in frames:
        assert Results.from_frame(frame).values["error"] == pytest.approx([0.5, np.nan], nan_ok=True)
    mixed = Results.from_dict({**keys, "error": ["0.5", Fraction(1, 4)]})
    assert mixed.values["error"].tolist() == [0.5, 0.25]
    large = pl.DataFrame({**keys, "error": [1, 2**100]}, schema_overrides={"error": pl.Int128})
    assert Results.from_frame(large).values["error"].tolist() == [1.0, 2.0**100]


def test_whole_numbers_of_every_width_are_names() -> None:
    for kind, names in ((np.int8, (-128, 127)), (np.uint64, (2**64 - 2, 2**64 - 1))):
        frame = pd.DataFrame({"dataset": np.array(names, dtype=kind), "algorithm": ["x", "x"], "error": [1.0, 2.0]})
        assert Results.from_frame(frame).datasets == tuple(map(str, names))
    wide = pl.DataFrame({"dataset": [7, 2**100], "a": [1.0, 2.0]}, schema_overrides={"dataset": pl.Int128})
    assert Results.from_frame(wide).datasets == ("7", str(2**100))


@every(
    "column",
    [
        pd.Series([True, False]),
        pd.Series(pd.to_datetime(["2020-01-01", "2020-01-02"])),
        pd.Series([1j, 2j]),
        pd.Series([[1], [2]], dtype=object),
        pl.Series([datetime.timedelta(1)] * 2),
        pl.Series([{"a": 1}] * 2),
        pl.Series([object(), object()], dtype=pl.Object),
        pa.chunked_array([[{"a": 1}, {"a": 2}]]),
    ],
)
def test_what_holds_no_numbers_is_refused_as_such(column: Any) -> None:
    keys = {"dataset": ["a", "b"], "algorithm": ["x", "x"]}
    make = {"pd": pd.DataFrame, "pl": pl.DataFrame, "pa": pa.table}
    kind = "pd" if isinstance(column, pd.Series) else "pl" if isinstance(column, pl.Series) else "pa"
    frame = make[kind]({**keys, "when": column})
    with pytest.raises(InputError, match="Column 'when' of the frame does not hold numbers and is not a known key"):
        Results.from_frame(frame)
    with pytest.raises(InputError, match=r"column 'when', row 1 of the frame: .* is not a number"):
        Results.from_frame(frame, scores="when")


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


def test_its_arrays_cannot_be_made_writable() -> None:
    results = Results.from_dict(LONG)
    for held in (results, pickle.loads(pickle.dumps(results)), results.only(algorithms="svm")):
        with pytest.raises(ValueError, match="WRITEABLE"):
            held.values["accuracy"].flags.writeable = True


def test_it_can_be_pickled_and_copied() -> None:
    results = Results.from_dict(LONG)
    for again in (pickle.loads(pickle.dumps(results)), copy.deepcopy(results), copy.copy(results)):
        assert again.names == results.names and again.metrics == results.metrics
        assert np.array_equal(again.means("accuracy"), results.means("accuracy"))
    assert repr(results.values).startswith("Arrays({'accuracy': array([")


def test_the_frame_that_came_in_stays_as_it_was() -> None:
    source = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.6, 0.7, 0.8])
    results = Results.from_dict({**LONG, "accuracy": source})
    before = results.values["accuracy"].copy()
    source[:] = 0.0  # still the caller's to write
    assert np.array_equal(results.values["accuracy"], before) and before.min() > 0


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


def test_a_string_is_one_name() -> None:
    results = Results.from_dict({"d": {"svm": 1.0, "nb": 2.0}, "e": {"svm": 1.0, "nb": 2.0}}, scores="error")
    assert results.without(algorithms="svm").algorithms == ("nb",)
    assert results.only(datasets="d").datasets == ("d",)
    with pytest.raises(OptionError, match="There is no algorithm 'sv'"):
        results.only(algorithms="sv")


def test_tables_with_nothing_left() -> None:
    nan = float("nan")
    results = Results.from_dict({"a": {"x": 1.0, "y": nan}, "b": {"x": nan, "y": 3.0}}, scores="error")
    for empty in (results.complete(), results.complete_algorithms(), results.without(datasets=["a", "b"])):
        assert len(empty) == 0 and empty.datasets == () and empty.algorithms == ()
        assert empty.means("error").shape == (0, 0) and empty.gaps("error") == ()
        assert str(empty).splitlines()[0] == "0 data sets x 0 algorithms, 0 scores per cell: error (lower is better)"


def test_many_gaps_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(0).random((300, 4))
    scores[::3, 0] = np.nan
    results = Results.from_array(scores, score="error")
    calls, find = [], Results.gaps
    monkeypatch.setattr(Results, "gaps", lambda self, name: calls.append(name) or find(self, name))
    assert len(results.complete().datasets) == 200
    assert results.complete_algorithms().algorithms == ("algorithm 2", "algorithm 3", "algorithm 4")
    assert calls == ["error", "error"]


def test_complete_folds_keeps_the_pairing() -> None:
    nan = float("nan")
    results = Results.from_dict({"a": {"x": [1.0, 2.0], "y": [nan, 4.0]}}, scores="error")
    folds = results.complete_folds("error")
    assert folds.means("error").tolist() == [[2.0, 4.0]]
    with pytest.raises(OptionError, match=r"There is no score 'zz'\. Known here: 'error'"):
        results.complete_folds("zz")


# ---- joining


def test_costs_from_a_second_table() -> None:
    results = Results.from_dict(LONG)
    costs = Results.from_dict({"iris": {"svm": 9.0, "tree": 1.0}, "wine": {"svm": 8.0}}, scores="space")
    priced = with_costs(results, costs)
    assert priced.costs == ("space", "train_time")
    assert priced.metric("space") == Metric(name="space", higher_is_better=False, is_cost=True)
    assert priced.means("space")[0].tolist() == [9.0, 1.0]
    assert np.isnan(priced.means("space")[1, 1])
    assert priced.caveats == ("space is missing in 1 of 4 cells, such as 'tree' on 'wine'.",)
    with pytest.raises(InputError) as caught:
        with_costs(priced, costs)
    assert str(caught.value) == ("Both tables hold a column 'space'. Rename it in one of them.")


def test_costs_that_do_not_match_are_noted() -> None:
    results = Results.from_dict(LONG)
    rows = {
        "task": ["iris", "iris", "iris", "moon"],
        "algorithm": ["svm", "svm", "tree", "forest"],
        "fold": [1, 2, 1, 1],
        "space": [1.0, 2.0, 3.0, 4.0],
    }
    assert with_costs(results, Results.from_dict(rows)).caveats == (
        "Column 'task' was read as the dataset.",
        "The costs name data sets that the results do not hold: 'moon'.",
        "The costs name algorithms that the results do not hold: 'forest'.",
        "space is missing in 3 of 4 cells, such as 'tree' on 'iris'.",  # it lacks fold 2
    )
    per_algorithm = Results.from_dict({"*": {"svm": 1.0, "tree": 2.0}}, scores="space")
    assert with_costs(results, per_algorithm).caveats == ()


def test_two_tables_without_named_scores() -> None:
    wide = Results.from_dict({"iris": {"svm": 9.0}})
    with pytest.raises(InputError) as caught:
        with_costs(wide, wide)
    assert str(caught.value) == (
        "Both tables hold a column 'score'. Name what each table holds when reading it: scores='accuracy', "
        "scores='train_time'."
    )


def test_stacking() -> None:
    one = Results.from_dict({"iris": {"svm": 0.9}}, scores="accuracy")
    two = Results.from_dict({"iris": {"tree": 0.8}}, scores="accuracy")
    assert stack([one, two]).algorithms == ("svm", "tree")
    with pytest.raises(InputError) as caught:
        stack([one, two, one])
    assert str(caught.value).startswith(
        "Two scores for one cell (dataset 'iris', algorithm 'svm'): table 1 and table 3 (1 repeated in all)."
    )
    with pytest.raises(OptionError, match=r"No table was given\."):
        stack([])
    with pytest.raises(InputError, match=r"do not hold the same columns: 'accuracy', 'error' in one only"):
        stack([one, Results.from_dict({"iris": {"svm": 0.9}}, scores="error")])


# ---- what is refused


def test_duplicate_cells() -> None:
    rows = {key: [*column, column[0]] for key, column in LONG.items()}
    with pytest.raises(InputError) as caught:
        Results.from_dict(rows)
    assert str(caught.value) == (
        "Two scores for one cell (dataset 'iris', algorithm 'svm', fold '1'): column 'dataset', row 1"
        " of the dictionary and column 'dataset', row 9 of the dictionary (1 repeated in all). Delete"
        " one of them, or add a column 'fold' or 'replication' that distinguishes them. If they are"
        " of several settings, such as budgets, read one: where='COLUMN == value'."
    )


def test_duplicate_cells_told_apart_by_an_unread_column() -> None:
    rows = {"dataset": ["a", "a"], "algorithm": ["x", "x"], "seed": [1, 2], "error": [0.1, 0.2]}
    with pytest.raises(InputError, match=r"name its role: columns=\{'replication': 'seed'\}"):
        Results.from_dict(rows, scores="error")
    assert len(Results.from_dict(rows, scores="error", columns={"replication": "seed"})) == 2


@every(
    ("data", "words"),
    [
        ({"dataset": [], "algorithm": [], "error": []}, "the dictionary holds no rows."),
        (
            {"dataset": ["a"], "algorithm": ["x"], "error": ["much"]},
            "Column 'error' of the dictionary does not hold numbers and is not a known key.",
        ),
        (
            {"dataset": ["a", "b"], "algorithm": ["x", "x"], "error": [0.5, float("inf")]},
            "column 'error', row 2 of the dictionary: error is inf. Sums and squares of values beyond 1e+150 overflow,"
            " so it cannot be averaged or tested. Correct it, or leave it missing (an empty cell, NaN) if the run"
            " failed.",
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
        (
            {"a": 1.0},
            "the dictionary holds a value of type float under 'a', which is no column.",
        ),
        ({"a": "xyz"}, "the dictionary holds a value of type str under 'a', which is no column."),
        ({"a": {1, 2}}, "the dictionary holds a value of type set under 'a', which is no column."),
        ({"a": np.eye(2)}, "the dictionary holds a value of type ndarray under 'a', which is no column."),
        ({"a": {"x": 1.0}, "b": [2.0]}, "the dictionary holds a value of type dict under 'a', which is no column."),
        ({"dataset": ["a"], 1: [1.0], "1": [2.0]}, "Two columns of the dictionary are named '1'."),
        (
            {"a": {"x": [], "y": [0.2]}},
            "the dictionary holds an empty list of scores for 'x' on 'a'. Delete the entry, or write NaN (null in"
            " JSON) if the run failed.",
        ),
        ({"a": {}}, "the dictionary is nested, but 'a' does not hold scores by algorithm."),
        ({"0": {"dataset": 1, "error": 2}}, "the dictionary is nested, but '0' does not hold scores by algorithm."),
        ({"dataset": {"0": 1}}, "the dictionary is nested, but 'dataset' does not hold scores by algorithm."),
        ({"a": {"x": 10**400}}, "column 'score', row 1 of the dictionary: score is inf."),
        ({"a": {"x": -(10**400)}}, "column 'score', row 1 of the dictionary: score is -inf."),
        ({"a": {"x": [1.7e308, 1.7e308]}}, "column 'score', row 1 of the dictionary: score is 1.7e+308."),
        ({"a": {"x\ud800": 1.0}}, "The name 'x\\ud800' is not proper text."),
        ({"dataset": ["a"], "x": [1.0], "Unnamed: 0": [1]}, "Column 3 of the dictionary has no name (its header is"),
    ],
)
def test_bad_tables(data: dict[str, list[object]], words: str) -> None:
    with pytest.raises((InputError, OptionError)) as caught:
        Results.from_dict(data)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scores": ["error", "auc"]}, "There is no column 'auc'."),
        ({"scores": "error", "columns": {"replication": "seed"}}, "There is no column (for the replication) 'seed'."),
        ({"scores": "fold"}, "A score cannot be named 'fold'."),
        ({"scores": [None]}, "A score cannot be named None."),
    ],
)
def test_options_that_nested_dictionaries_cannot_meet(options: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError) as caught:
        Results.from_dict({"a": {"x": 1.0}}, **options)
    assert str(caught.value).startswith(words)


def test_an_array_needs_a_named_score() -> None:
    with pytest.raises(OptionError) as caught:
        Results.from_array([[1.0, 2.0]], score=None)  # type: ignore[arg-type]
    assert str(caught.value) == ("score is None. Use a name such as score='accuracy'.")


@pytest.mark.parametrize(
    ("data", "scores", "said", "guess"),
    [
        ({"algo": [1, 2], "zeal": [0.1, 0.2]}, "zeal", "zeal", "algo"),
        ({"algo": [1, 2], "accuracy": [0.1, 0.2]}, None, "accuracy", "algo"),
        ({"seed": [1, 2], "id": ["x", "y"], "train_time": [0.1, 0.2]}, None, "train_time", "id"),
        ({"accuracy": [0.1, 0.2]}, ["accuracy", "auc"], "accuracy", "..."),
    ],
)
def test_a_long_table_is_not_read_as_wide(data: dict[str, Any], scores: Any, said: str, guess: str) -> None:
    with pytest.raises(InputError) as caught:
        Results.from_dict({"dataset": ["a", "b"], **data}, scores=scores)
    assert str(caught.value) == (
        f"the dictionary has a column {said!r} but none that names the algorithms. In wide form every column beside the"
        f" data set is an algorithm, and this one is a score or cost. Name it: columns={{'algorithm': {guess!r}}};"
        f" or rename {said!r} if it is an algorithm."
    )


def test_text_in_a_wide_table_may_be_the_algorithms() -> None:
    with pytest.raises(InputError) as caught:
        Results.from_dict({"dataset": ["a"], "system": ["svm"], "zeal": [0.5]})
    assert str(caught.value).endswith(
        "Correct the cell, or, if 'system' names the algorithms, say columns={'algorithm': 'system'}."
    )


def test_text_in_a_named_score_is_named_with_its_row() -> None:
    with pytest.raises(InputError) as caught:
        Results.from_dict({"dataset": ["a"], "algorithm": ["x"], "error": ["much"]}, scores="error")
    assert str(caught.value) == (
        "column 'error', row 1 of the dictionary: 'much' is not a number. A score or cost must be one, with a decimal"
        " point; a missing score is an empty cell, NA or NaN. Correct the cell, or leave the column out by naming the"
        " ones to read (scores=[...]) if 'error' is not a score."
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
    with pytest.raises(InputError, match=r"array\[0, 1\] is inf\."):
        Results.from_array([[1, np.inf]], score="error")
    with pytest.raises(OptionError, match="There is no frame kind 'spark'"):
        Results.from_dict(LONG).to_frame("spark")
    with pytest.raises(InputError, match=r"A LazyFrame is not .* Results\.from_frame\(frame\.collect\(\)\)"):
        Results.from_frame(pl.LazyFrame(LONG))
    with pytest.raises(InputError, match=r"holds numbers.*frame\.reset_index\(\) if the index of the frame names them"):
        Results.from_frame(pd.DataFrame({"x": [1.0], "y": [2.0]}))
    for twice in (
        pd.DataFrame([["a", 1, 2]], columns=["dataset", "x", "x"]),
        pd.DataFrame([["a", 1, 2]], columns=["dataset", 1, "1"]),
        pa.table([["a"], [1], [2]], names=["dataset", "x", "x"]),
    ):
        with pytest.raises(InputError, match=r"Two columns of the frame are named '[x1]'\."):
            Results.from_frame(twice)


# ---- metrics


def test_directions() -> None:
    from tiebreak.results import metric_named

    assert metric_named("Log-Loss").higher_is_better is False
    assert metric_named("neg_mean_squared_error").higher_is_better is True
    with pytest.raises(OptionError) as caught:
        metric_named("zeal").direction()
    assert str(caught.value) == (
        "Nothing says whether a higher 'zeal' is better. Say higher_is_better=True or False, or name"
        " the score by a known word: score='accuracy'."
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
    assert repr(Results.from_dict(LONG)) == f"<Results: {text.splitlines()[0]}>"
    assert "&lt;i&gt;" in Results.from_dict({"a": {"<i>": 1.0}}, scores="error")._repr_html_()


# ---- a column that names the metric of each data set

MIXED = {
    "dataset": ["iris", "iris", "cars", "cars"],
    "algorithm": ["svm", "tree", "svm", "tree"],
    "metric": ["auc", "auc", "rmse", "rmse"],
    "score": [0.9, 0.8, 1300.0, 1200.0],
    "train_time": [1.0, 2.0, 3.0, 4.0],
}


def named(results: Results) -> dict[str, str]:
    return {name: metric.name for name, metric in results.metric_of.items()}


@pytest.mark.parametrize("kind", MAKERS)
def test_a_column_of_metrics_in_and_out(kind: str) -> None:
    results = Results.from_frame(MAKERS[kind](MIXED))
    assert results.scores == ("score",) and results.costs == ("train_time",)
    assert named(results) == {"cars": "rmse", "iris": "auc"}
    assert [metric.higher_is_better for metric in results.metrics_on("score")] == [False, True]
    assert {metric.name for metric in results.metrics_on("train_time")} == {"train_time"}
    assert named(Results.from_frame(results.to_frame())) == named(results)
    assert named(pickle.loads(pickle.dumps(results))) == named(copy.deepcopy(results)) == named(results)


def test_a_table_without_metrics_is_as_it_was() -> None:
    results = Results.from_dict(LONG)
    assert results.dataset_metrics == () and results.metric_of == {}
    assert {metric.name for metric in results.metrics_on("accuracy")} == {"accuracy"}
    assert "metric" not in results.to_frame("polars").columns


def test_metrics_follow_their_data_sets() -> None:
    results = Results.from_dict(MIXED)
    assert named(results.only(datasets="iris")) == {"iris": "auc"}
    assert named(results.without(datasets="iris")) == {"cars": "rmse"}
    assert named(results.only(algorithms="svm")) == named(results.complete()) == {"cars": "rmse", "iris": "auc"}
    assert results.without(datasets=["iris", "cars"]).dataset_metrics == ()
    assert named(with_costs(results, Results.from_dict({"*": {"svm": 3.0, "tree": 1.0}}, scores="memory"))) == named(
        results
    )
    more = Results.from_dict(
        {**MIXED, "dataset": ["wine", "wine", "cars", "cars"], "algorithm": ["svm", "tree", "x", "y"]}
    )
    assert named(stack([results, more])) == {"cars": "rmse", "iris": "auc", "wine": "auc"}


def test_metrics_of_several_tables_must_agree() -> None:
    results = Results.from_dict(MIXED)
    other = Results.from_dict({**MIXED, "algorithm": ["x", "y", "x", "y"], "metric": ["auc", "auc", "mae", "mae"]})
    with pytest.raises(InputError) as raised:
        stack([results, other], sources=["a.csv", "b.csv"])
    assert str(raised.value) == (
        "Data set 'cars' has the metric 'mae' in b.csv and 'rmse' elsewhere. Correct the column, or give one "
        "of the data sets another name."
    )
    silent = Results.from_dict({key: column for key, column in MIXED.items() if key != "metric"})
    with pytest.raises(InputError) as raised:
        stack([silent, results], sources=["a.csv", "b.csv"])
    assert str(raised.value) == ("b.csv has a column of metrics, a.csv has none. Add the column to a.csv.")


def test_which_scores_a_column_of_metrics_speaks_of() -> None:
    keys = {key: MIXED[key] for key in ("dataset", "algorithm", "metric")}
    values = {
        "metric_error": [0.1, 0.2, 5.0, 4.0],
        "accuracy": [0.9, 0.8, 0.7, 0.6],
        "seconds_spent": [1.0, 2.0, 3.0, 4.0],
    }
    results = Results.from_dict({**keys, **values})
    assert [metric.name for metric in results.metrics_on("metric_error")] == ["rmse", "auc"]
    assert [metric.name for metric in results.metrics_on("seconds_spent")] == ["seconds_spent"] * 2
    alone = Results.from_dict({**keys, "zeal": values["metric_error"]})
    assert [metric.name for metric in alone.metrics_on("zeal")] == ["rmse", "auc"]
    options = Results.from_dict(
        {**keys, **values, "kind": ["x", "x", "y", "y"]}, scores=["metric_error"], columns={"metric": "kind"}
    )
    assert named(options) == {"cars": "y", "iris": "x"}


def test_metrics_that_nothing_asks_for_are_not_read() -> None:
    """Scores that name their own metric need no column, which may hold anything, even several metrics a data set."""
    columns = {**MIXED, "metric": ["a", "b", "c", "d"], "accuracy": MIXED["score"]}
    assert Results.from_dict(columns, scores="accuracy").dataset_metrics == ()
    numbers = Results.from_dict({"dataset": ["a", "b"], "algorithm": ["x", "x"], "metric": [0.5, 0.25]})
    assert numbers.scores == ("metric",) and numbers.dataset_metrics == ()
    with pytest.raises(OptionError) as raised:
        Results.from_dict(columns, scores="accuracy", columns={"metric": "metric"})
    assert str(raised.value) == (
        "Column 'metric' was given as the metric column, but 'accuracy' says it already. Leave the"
        " metric out, or call the column of scores 'score'."
    )


def test_two_metrics_on_one_data_set() -> None:
    rows = {"dataset": ["iris"] * 4, "algorithm": ["svm", "svm", "tree", "tree"], "metric": ["auc", "f1"] * 2}
    with pytest.raises(InputError) as raised:
        Results.from_dict({**rows, "value": [0.9, 0.8, 0.7, 0.6]})
    assert str(raised.value) == (
        "Data set 'iris' has 2 metrics in column 'metric', row 1 of the dictionary: 'auc', 'f1'. Keep the "
        "rows of one metric for each data set, or give every metric a column of its own and name one "
        "(scores='auc')."
    )


def test_a_failed_run_need_not_name_its_metric() -> None:
    nan = float("nan")
    rows = {**MIXED, "metric": ["auc", None, "", "rmse"], "score": [0.9, nan, nan, 1200.0]}
    assert named(Results.from_dict(rows)) == {"cars": "rmse", "iris": "auc"}
    with pytest.raises(InputError) as raised:
        Results.from_dict({**MIXED, "metric": ["auc", "auc", "", "NA"]})
    assert str(raised.value) == (
        "Data set 'cars' has no metric: column 'metric' of the dictionary is empty there. Fill the column in."
    )


def test_metrics_in_wide_form() -> None:
    frame = pl.DataFrame(
        {"metric": ["auc", "rmse"], "name": ["iris", "cars"], "svm": [0.9, 1300.0], "tree": [0.8, 1200.0]}
    )
    results = Results.from_frame(frame)
    assert results.algorithms == ("svm", "tree") and named(results) == {"cars": "rmse", "iris": "auc"}
    other = Results.from_frame(frame.rename({"metric": "scorer"}), columns={"metric": "scorer", "dataset": "name"})
    assert named(other) == named(results)


def test_how_a_table_of_several_metrics_prints() -> None:
    assert str(Results.from_dict(MIXED)).splitlines() == [
        "2 data sets x 2 algorithms, 1 score per cell: score (rmse on 1, auc on 1), train_time (lower is better)",
        "algorithm  mean rank by score  train_time",
        "svm                       1.5           2",
        "tree                      1.5           3",
    ]
    unknown = Results.from_dict({**MIXED, "metric": ["zeal", "zeal", "rmse", "rmse"]})
    assert list(unknown.rows()[0]) == ["algorithm", "train_time"]
    one = Results.from_dict({**MIXED, "metric": ["ROC AUC", "ROC AUC", "auc", "auc"]})
    assert one.rows()[0]["score"] == pytest.approx(650.45)  # one metric in two spellings


def test_mean_ranks_are_those_of_scipy() -> None:
    from scipy.stats import rankdata

    from tiebreak.results.metrics import mean_ranks

    scores = np.random.default_rng(1).integers(0, 5, (20, 7)).astype(float)
    higher = np.arange(20) % 3 == 0
    expected = np.array([rankdata(-row if up else row) for row, up in zip(scores, higher, strict=True)]).mean(axis=0)
    assert mean_ranks(scores, higher) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "key", "higher"),
    [
        ("ROC AUC", "auc", True),
        ("auroc", "auc", True),
        ("neg_logloss", "neg_log_loss", True),
        ("neg_root_mean_squared_error", "neg_rmse", True),
        ("test_acc", "accuracy", True),
        ("metric_error", "metric_error", False),
        ("zeal", "zeal", None),
    ],
)
def test_one_metric_in_several_spellings(name: str, key: str, higher: bool | None) -> None:
    metric = metric_named(name)
    assert (metric.key, metric.higher_is_better) == (key, higher)


def test_a_direction_told_by_name() -> None:
    assert metric_named("zeal").direction({"zeal": True}) is True
    assert metric_named("error").direction({"zeal": True}) is False
    with pytest.raises(OptionError, match="Nothing says whether a higher 'zeal' is better"):
        metric_named("zeal").direction({"other": True})


def test_every_metric_a_score_of_its_own() -> None:
    split = split_by_metric(Results.from_dict(MIXED))
    assert split.scores == ("score (auc)", "score (rmse)") and split.dataset_metrics == ()
    assert split.means("score (auc)")[1].tolist() == [0.9, 0.8]
    assert np.isnan(split.means("score (auc)")[0]).all()
    assert split.means("train_time").tolist() == [[3.0, 4.0], [1.0, 2.0]]
    plain = Results.from_dict(LONG)
    assert split_by_metric(plain) is plain
