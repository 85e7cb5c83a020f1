"""Measures from confusion matrices, as arrays and as scores of a results table."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.errors import InputError, OptionError
from tiebreak.results import Results, metric_named
from tiebreak.results.confusion import MEASURES, derive, derive_binary, positive_place, undefined_notes, with_scores

few = settings(derandomize=True, deadline=None, max_examples=20)
LOWER = {"fp", "fn", "fpr", "fnr", "error"}


def labels_of(matrix):
    pairs = [(t, p) for t in range(len(matrix)) for p in range(len(matrix)) for _ in range(int(matrix[t, p]))]
    return np.array(pairs).T


# ---- arrays


def measures_of(counts, positive=None):
    return derive(np.asarray(counts, dtype=float), positive)


def test_two_classes_by_hand():
    """Truth in rows: 60 negatives of which 10 raise a false alarm, 40 positives of which 5 are missed."""
    values = measures_of([[50, 10], [5, 35]], 1).values
    expected = {
        "tp": 35, "fp": 10, "tn": 50, "fn": 5, "tpr": 35 / 40, "fpr": 10 / 60, "tnr": 50 / 60, "fnr": 5 / 40,
        "precision": 35 / 45, "recall": 35 / 40, "sensitivity": 35 / 40, "specificity": 50 / 60, "f1": 70 / 85,
        "error": 0.15, "accuracy": 0.85, "mcc": (35 * 50 - 10 * 5) / np.sqrt(45 * 40 * 60 * 55),
    }  # fmt: skip
    assert set(values) == set(MEASURES) == set(expected)
    for name, value in expected.items():
        assert float(values[name]) == pytest.approx(value, rel=1e-12), name


@pytest.mark.parametrize("seed", range(5))
def test_two_classes_against_scikit_learn(seed):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is the second route")
    matrix = np.random.default_rng(seed).integers(1, 30, size=(2, 2))
    truth, predicted = labels_of(matrix)
    assert metrics.confusion_matrix(truth, predicted).tolist() == matrix.tolist()
    result = {name: float(v) for name, v in measures_of(matrix, 1).values.items()}
    assert result["precision"] == pytest.approx(metrics.precision_score(truth, predicted))
    assert result["recall"] == pytest.approx(metrics.recall_score(truth, predicted))
    assert result["specificity"] == pytest.approx(metrics.recall_score(truth, predicted, pos_label=0))
    assert result["f1"] == pytest.approx(metrics.f1_score(truth, predicted))
    assert result["accuracy"] == pytest.approx(metrics.accuracy_score(truth, predicted))
    assert result["mcc"] == pytest.approx(metrics.matthews_corrcoef(truth, predicted))


@pytest.mark.parametrize("seed", range(5))
def test_several_classes_against_scikit_learn(seed):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is the second route")
    matrix = np.random.default_rng(seed).integers(0, 20, size=(4, 4)) + np.eye(4, dtype=int)
    truth, predicted = labels_of(matrix)
    result = {name: float(v) for name, v in measures_of(matrix).values.items()}
    assert result["precision"] == pytest.approx(metrics.precision_score(truth, predicted, average="macro"))
    assert result["recall"] == pytest.approx(metrics.recall_score(truth, predicted, average="macro"))
    assert result["f1"] == pytest.approx(metrics.f1_score(truth, predicted, average="macro"))
    assert result["error"] == pytest.approx(1 - metrics.accuracy_score(truth, predicted))
    assert result["mcc"] == pytest.approx(metrics.matthews_corrcoef(truth, predicted))
    item = metrics.multilabel_confusion_matrix(truth, predicted)
    assert result["tn"] == pytest.approx(item[:, 0, 0].mean())
    assert result["fpr"] == pytest.approx((item[:, 0, 1] / item[:, 0].sum(axis=1)).mean())
    third = measures_of(matrix, 2).values
    assert [float(third[k]) for k in ("tn", "fp", "fn", "tp")] == item[2].ravel().tolist()
    assert float(third["mcc"]) == pytest.approx(metrics.matthews_corrcoef(truth == 2, predicted == 2))


@few
@given(st.integers(0, 2**32 - 1))
def test_invariances(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 50, size=(3, 4, 3, 3))
    order = rng.permutation(3)
    macro = measures_of(counts)
    moved = measures_of(counts[..., order, :][..., order])
    for name in MEASURES:
        assert moved.values[name] == pytest.approx(macro.values[name], rel=1e-9)
        assert macro.values[name].shape == (3, 4)
    larger = measures_of(7 * counts)
    for name in ("tpr", "fpr", "precision", "f1", "mcc", "error"):
        assert larger.values[name] == pytest.approx(macro.values[name], rel=1e-9)
    two, other = (measures_of(counts[..., :2, :2], place).values for place in (0, 1))
    assert two["error"] == pytest.approx(1 - two["accuracy"])
    assert two["tpr"] + two["fnr"] == pytest.approx(np.ones((3, 4)))
    assert two["tpr"] == pytest.approx(other["tnr"])
    for mcc in (other["mcc"], measures_of(counts[..., :2, :2]).values["mcc"]):  # one, whatever the average
        assert two["mcc"] == pytest.approx(mcc)


def test_four_counts_equal_the_matrix():
    counts = np.random.default_rng(2).integers(0, 9, size=(20, 2, 2)).astype(float)
    tn, fp, fn, tp = counts.reshape(20, 4).T
    one, two = measures_of(counts, 1), derive_binary(tp, fp, tn, fn)
    for name in MEASURES:
        np.testing.assert_array_equal(one.values[name], two.values[name])


def test_no_positive_predictions():
    measures = measures_of([[[60, 0], [40, 0]], [[50, 10], [5, 35]]], 1)
    assert measures.values["precision"].tolist() == [0.0, 35 / 45]
    assert (measures.values["mcc"][0], measures.values["f1"][0], measures.values["recall"][0]) == (0, 0, 0)
    assert undefined_notes(measures, "cell {}".format) == (
        "precision is set to 0 in 1 cell(s), such as cell 0: no positive predictions.",
        "mcc is set to 0 in 1 cell(s), such as cell 0: one class only among the examples or the predictions.",
    )


def test_no_positive_examples():
    measures = measures_of([[[55, 5], [0, 0]], [[60, 0], [0, 0]]], 1)
    for name in ("tpr", "recall", "sensitivity", "fnr"):
        assert np.isnan(measures.values[name]).all()
    assert measures.values["precision"][0] == 0  # five predictions, none right
    assert np.isnan(measures.values["precision"][1]) and np.isnan(measures.values["f1"][1])
    assert measures.values["mcc"].tolist() == [0, 0]
    assert undefined_notes(measures, "cell {}".format)[0] == (
        "tpr, recall, sensitivity and fnr are not defined in 2 cell(s), such as cell 0: no positive examples."
    )


def test_no_examples_at_all_and_no_negatives():
    empty = measures_of(np.zeros((2, 2)), 1)
    assert all(np.isnan(empty.values[name]) for name in MEASURES[4:])
    assert np.isnan(measures_of([[0, 0], [1, 4]], 1).values["fpr"])


def test_a_class_that_a_fold_lacks_is_a_gap_of_the_macro_average():
    measures = measures_of([[5, 1, 0], [1, 5, 0], [0, 0, 0]])
    assert np.isnan(measures.values["recall"]) and np.isnan(measures.values["precision"])
    assert float(measures.values["accuracy"]) == pytest.approx(10 / 12)


def test_the_positive_class_is_told():
    assert positive_place("well", ("ill", "well"), "binary") == 1
    with pytest.raises(OptionError, match="Nothing says which of the classes 'ill', 'well' is the positive one"):
        positive_place(None, ("ill", "well"), "binary")
    assert positive_place("a", ("a", "b", "c"), "binary") == 0
    with pytest.raises(OptionError, match=r"Nothing says.*For means over all classes say average='macro'"):
        positive_place(None, ("a", "b", "c"), "binary")
    with pytest.raises(OptionError, match="was given with average='macro'"):
        positive_place("a", ("a", "b", "c"), "macro")


# ---- tables


def counted(**more):
    columns = {
        "dataset": ["d"] * 4,
        "algorithm": ["svm", "svm", "tree", "tree"],
        "fold": [1, 2, 1, 2],
        "tp": [8, 9, 7, 0],
        "fp": [2, 1, 2, 0],
        "tn": [18, 19, 18, 20],
        "fn": [2, 1, 3, 10],
    }
    return Results.from_dict({**columns, **more})


def matrix_table(extra=()):
    names = {
        ("cat", "cat"): [5, 4],
        ("cat", "dog"): [1, 2],
        ("dog", "cat"): [0, 3],
        ("dog", "dog"): [9, 6],
        **dict(extra),
    }
    return Results.from_dict(
        {"dataset": ["d", "d"], "algorithm": ["a", "b"], **{f"confusion[{t}, {p}]": v for (t, p), v in names.items()}}
    )


def test_counts_become_scores_with_their_direction():
    table = with_scores(counted(), MEASURES)
    assert set(table.scores) == set(MEASURES)
    assert {name for name in MEASURES if not table.metric(name).higher_is_better} == LOWER
    assert table.means("tpr") == pytest.approx(np.array([[0.85, 0.35]]))
    assert table.means("precision") == pytest.approx(np.array([[0.85, 7 / 18]]))
    assert table.caveats == (
        "precision is set to 0 in 1 cell(s), such as 'tree' on 'd', fold '2': no positive predictions.",
        "mcc is set to 0 in 1 cell(s), such as 'tree' on 'd', fold '2': one class only among the examples or the"
        " predictions.",
    )
    assert with_scores(counted(), ["tpr", "fpr"]).scores == ("fn", "fp", "fpr", "tn", "tp", "tpr")
    assert with_scores(counted(), ["mcc"]).metric("mcc").higher_is_better is True


def test_every_measure_has_a_known_direction():
    assert {name for name in MEASURES if metric_named(name).higher_is_better is False} == LOWER
    assert all(metric_named(name).higher_is_better is not None for name in MEASURES)
    for name, higher in (("f1_score", True), ("ppv", True), ("false_positive_rate", False), ("precision_macro", True)):
        assert metric_named(name).higher_is_better is higher


def test_other_columns_stay():
    held = with_scores(counted(accuracy=[0.9] * 4, train_time=[1.0] * 4), ["accuracy", "tpr"])
    assert held.costs == ("train_time",)
    assert held.means("accuracy") == pytest.approx(np.array([[0.9, 0.9]]))
    assert "accuracy stand(s) in the table as such; tpr made from its counts." in held.caveats
    assert "tpr" in with_scores(Results.from_dict({"dataset": ["d"], "algorithm": ["a"], "TP": [1], "FP": [1],
                                                    "TN": [2], "FN": [0]}), ["tpr"]).scores  # fmt: skip


def test_a_missing_count_is_a_gap_and_not_an_undefined_measure():
    table = counted()
    values = {name: array.copy() for name, array in table.values.items()}
    frame = {"dataset": ["d"] * 4, "algorithm": ["svm", "svm", "tree", "tree"], "fold": [1, 2, 1, 2]}
    values["tp"][0] = np.nan
    measures = with_scores(Results.from_dict({**frame, **values}), ["recall", "tnr"])
    assert np.isnan(measures.values["recall"]).tolist() == [True, False, False, False]
    assert measures.caveats == ()
    assert [gap.fold for gap in measures.gaps("recall")] == ["1"]


def test_matrices_of_named_cells():
    table = with_scores(matrix_table(), MEASURES, positive="dog")
    assert set(table.scores) == set(MEASURES)
    direct = measures_of([[[5, 1], [0, 9]], [[4, 2], [3, 6]]], 1)
    for name in MEASURES:
        assert table.values[name] == pytest.approx(direct.values[name])
    assert table.caveats == ("The measures are those of the positive class 'dog'.",)
    macro = with_scores(matrix_table(), ["f1"], average="macro")
    assert macro.caveats == ("The measures are means over the 2 classes, each against the rest.",)
    assert macro.scores == ("f1",)


def test_each_data_set_has_its_own_classes():
    gap = np.nan
    table = Results.from_dict(
        {
            "dataset": ["animals", "mood"],
            "algorithm": ["a", "a"],
            "confusion[cat,cat]": [5, gap],
            "confusion[cat,dog]": [1, gap],
            "confusion[dog,cat]": [2, gap],
            "confusion[dog,dog]": [9, gap],
            "confusion[sad,sad]": [gap, 3],
            "confusion[sad,happy]": [gap, 4],
            "confusion[happy,sad]": [gap, 5],
            "confusion[happy,happy]": [gap, 8],
        }
    )
    measures = with_scores(table, ["tpr"], positive={"animals": "cat", "mood": "sad"})
    assert measures.means("tpr")[:, 0] == pytest.approx([5 / 6, 3 / 7])
    assert measures.caveats == ("The measures are those of the positive class 'cat', 'sad'.",)
    with pytest.raises(OptionError, match="Nothing says which of the classes 'happy', 'sad' is the positive one"):
        with_scores(table, ["tpr"], positive={"animals": "cat"})


def test_three_classes_in_a_table():
    more = {
        ("cat", "eel"): [1, 0],
        ("dog", "eel"): [0, 1],
        ("eel", "cat"): [2, 0],
        ("eel", "dog"): [0, 1],
        ("eel", "eel"): [4, 4],
    }
    table = with_scores(matrix_table(more), MEASURES, positive="eel")
    assert table.values["tp"].tolist() == [4, 4]
    assert table.values["fp"].tolist() == [1, 1]
    assert table.caveats == ("The measures are those of the positive class 'eel', against all others.",)


def test_tables_are_refused():
    plain = Results.from_dict({"d": {"a": 0.9, "b": 0.8}}, scores="accuracy")
    columns = {"dataset": ["d"], "algorithm": ["a"]}
    for table in (plain, Results.from_dict({**columns, "tp": [1], "fp": [1]})):
        with pytest.raises(OptionError, match="Measures such as tpr are made where the table holds tp, fp, tn and fn"):
            with_scores(table, ["tpr"])
    with pytest.raises(InputError, match="does not name a true and a predicted class"):
        with_scores(Results.from_dict({**columns, "confusion[a,b,c]": [1]}), ["tpr"])
    with pytest.raises(InputError, match=r"Data set 'd' lacks the column\(s\) 'confusion\[eel,cat\]'"):
        with_scores(
            matrix_table(
                {("cat", "eel"): [1, 1], ("dog", "eel"): [1, 1], ("eel", "dog"): [1, 1], ("eel", "eel"): [1, 1]}
            ),
            ["tpr"],
        )
    with pytest.raises(InputError, match=r"tp is -1\.0 for 'a' on 'd'"):
        with_scores(Results.from_dict({**columns, "tp": [-1], "fp": [1], "tn": [1], "fn": [1]}), ["tpr"])
    with pytest.raises(OptionError, match="average='macro' was given"):
        with_scores(counted(), ["tpr"], average="macro")
    with pytest.raises(OptionError, match="positive='ill' was given"):
        with_scores(counted(), ["tpr"], positive="ill")
    with pytest.raises(InputError, match="and confusion matrices"):
        with_scores(counted(**{"confusion[a,b]": [1] * 4}), ["tpr"])


def test_a_cell_in_two_columns_is_refused():
    names = [*(f"confusion[{t},{p}]" for t in "ab" for p in "ab"), "confusion[a, b]"]
    columns = {name: [8.0, 9.0] for name in names}
    table = Results.from_dict({"dataset": ["d", "d"], "algorithm": ["svm", "svm"], "fold": [1, 2], **columns})
    with pytest.raises(InputError, match=r"'confusion\[a, b\]' does not name .* or the same as another column"):
        with_scores(table, ["tpr"])
