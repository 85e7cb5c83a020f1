"""One cell measured: values against scikit-learn, no leak, the same seed the same scores, wrong answers refused."""

from __future__ import annotations

import json
import pickle
import random
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

pytest.importorskip("sklearn", reason="the lab's learners are scikit-learn estimators")
pytest.importorskip("cloudpickle", reason="estimator objects travel as cloudpickles")

import sklearn.metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from tiebreak.datasets import DataSet
from tiebreak.errors import InputError
from tiebreak.lab import warm_up
from tiebreak.lab.algorithms import catalogue
from tiebreak.lab.algorithms.building import build
from tiebreak.lab.algorithms.specs import spec_of
from tiebreak.lab.one_cell import measure_cell, model_space
from tiebreak.lab.scores import auc, log_loss
from tiebreak.lab.splits import Fold, Split
from tiebreak.lab.warm_up import collected_warnings

from ..every import every

CLOCKS = {"train_time", "train_wall", "predict_time", "predict_wall"}


def parts_of(data: DataSet, *, test: bool = True, seed: int = 0) -> tuple[Split, Fold]:
    rows = np.random.default_rng(seed).permutation(data.n_rows)
    third = data.n_rows // 3
    fold = Fold(replication=1, fold=1, train=rows[: third + 20], validation=rows[third + 20 : 2 * third + 10])
    return Split(folds=(fold,), test=rows[2 * third + 10 :] if test else np.arange(0)), fold


def classes_apart(n: int = 240, *, k: int = 3, distance: float = 1.5, seed: int = 1) -> DataSet:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    return DataSet.from_arrays(rng.normal(size=(n, 4)) + distance * np.eye(max(k, 4))[y][:, :4], y, name="apart")


class Fixed(ClassifierMixin, BaseEstimator):
    """Answers with what it was told to."""

    def __init__(self, answer=0, shares=None, noisy=False, draw=False):
        self.answer = answer
        self.shares = shares
        self.noisy = noisy
        self.draw = draw

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        self.drawn_ = float(np.random.rand()) + random.random() if self.draw else 0.0  # noqa: NPY002
        if self.noisy:
            for number in (1, 1, 2):
                warnings.warn(f"number  {number}\n is odd", UserWarning, stacklevel=1)
        return self

    def predict(self, X):
        if self.draw:
            return (X[:, 0] > self.drawn_ - 1).astype(int)
        return self.answer if isinstance(self.answer, np.ndarray) else np.full(len(X), self.answer)


class Told(Fixed):
    """With probabilities too."""

    def predict_proba(self, X):
        return np.tile(np.asarray(self.shares, dtype=float), (len(X), 1))


class Margined(Fixed):
    """With margins too."""

    def decision_function(self, X):
        return np.full(len(X), np.nan)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", ["lnp", "svr", "mdt"])
def test_values_equal_scikit_learns(name: str, k: int) -> None:
    data = classes_apart(k=k)
    split, fold = parts_of(data)
    values, details = measure_cell(data, split, fold, spec_of(name), seed=5)
    model = build(spec_of(name), data, seed=5).fit(data.values[fold.train], data.target[fold.train])
    for prefix, rows in (("", fold.validation), ("test_", split.test)):
        x, y = data.values[rows], data.target[rows]
        expected = model.predict(x)
        assert values[prefix + "accuracy"] == sklearn.metrics.accuracy_score(y, expected)
        assert values[prefix + "error"] == pytest.approx(1 - values[prefix + "accuracy"], abs=1e-15)
        assert details[prefix + "confusion"] == sklearn.metrics.confusion_matrix(y, expected).tolist()
        scores = model.predict_proba(x) if hasattr(model, "predict_proba") else model.decision_function(x)
        if hasattr(model, "predict_proba"):
            assert values[prefix + "log_loss"] == pytest.approx(sklearn.metrics.log_loss(y, scores), rel=1e-12)
            scores = scores[:, 1] if k == 2 else scores
        else:
            assert prefix + "log_loss" not in values
        if k == 2:
            area = sklearn.metrics.roc_auc_score(y, scores)
        else:
            area = np.mean([sklearn.metrics.roc_auc_score(y == c, scores[:, c]) for c in range(k)])
        assert values[prefix + "auc"] == pytest.approx(area, rel=1e-12)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=40))
def test_the_area_equals_scikit_learns_with_ties(pairs: list[tuple[bool, int]]) -> None:
    truth = np.array([int(side) for side, _ in pairs])
    margin = np.array([float(value) for _, value in pairs])
    current = auc(truth, np.column_stack([-margin, margin]))
    if truth.min() == truth.max():
        assert current is None
    else:
        assert current == pytest.approx(sklearn.metrics.roc_auc_score(truth, margin), abs=1e-12)


def test_a_class_without_training_rows_costs_the_clipped_log_and_half_an_area() -> None:
    y = np.array([0, 1] * 20 + [2] * 4)
    data = DataSet.from_arrays(np.column_stack([y + 0.01 * np.arange(44), np.ones(44)]), y)
    fold = Fold(replication=1, fold=1, train=np.arange(24), validation=np.arange(24, 44))
    values, details = measure_cell(data, Split(folds=(fold,), test=np.arange(0)), fold, spec_of("lnp"), seed=1)
    assert np.array(details["confusion"]).shape == (3, 3)
    assert np.array(details["confusion"])[:, 2].sum() == 0
    assert values["log_loss"] > 4 / 20 * -np.log(1e-15)
    assert "test_accuracy" not in values and "test_confusion" not in details
    alone = np.tile([0.5, 0.5, 0.0], (6, 1))
    assert auc(np.array([0, 0, 1, 1, 2, 2]), alone) == 0.5
    assert log_loss(np.array([2]), np.array([[0.5, 0.5, 0.0]])) == pytest.approx(34.538776394910684, rel=1e-12)


def test_margins_with_fewer_classes_in_training_than_in_the_data() -> None:
    y = np.array([0, 2] * 20 + [1] * 4)
    data = DataSet.from_arrays((y + 0.01 * np.arange(44)).reshape(-1, 1), y)
    fold = Fold(replication=1, fold=1, train=np.arange(24), validation=np.arange(24, 44))
    values, _ = measure_cell(data, Split(folds=(fold,), test=np.arange(0)), fold, spec_of("svl"), seed=1)
    assert 0.5 <= values["auc"] <= 1.0


def test_an_undefined_area_has_no_key() -> None:
    data = classes_apart(k=2)
    ones = np.flatnonzero(data.target == 1)
    fold = Fold(replication=1, fold=1, train=np.arange(60), validation=ones[ones >= 60])
    values, _ = measure_cell(data, Split(folds=(fold,), test=np.arange(0)), fold, spec_of("lnp"), seed=1)
    assert "auc" not in values and "log_loss" in values


@every("name", ["c45", "mdt", "lnp", "svl", "5nn", "lda", "qda", "rf", "nb", "boost", "rules"])
def test_nothing_leaks_from_the_rows_measured_on(name: str) -> None:
    """A number per row as symbol, and classes drawn at random: any knowledge of validation rows would show."""
    rng = np.random.default_rng(8)
    n = 900
    values = np.column_stack([np.arange(n), rng.normal(size=n)]).astype(float)
    data = DataSet.from_arrays(values, rng.integers(0, 2, n), symbolic=[True, False])
    fold = Fold(replication=1, fold=1, train=np.arange(300), validation=np.arange(300, 900))
    result, _ = measure_cell(data, Split(folds=(fold,), test=np.arange(0)), fold, spec_of(name), seed=1)
    assert abs(result["accuracy"] - 0.5) < 0.07  # three standard errors of 600 tosses
    assert abs(result["auc"] - 0.5) < 0.08


@pytest.mark.parametrize("name", ["c45", "knn", "lnp", "boost"])
def test_rows_and_classes_outside_the_training_part_cannot_change_the_model(name: str) -> None:
    data = classes_apart()
    split, fold = parts_of(data)
    outside = np.setdiff1d(np.arange(data.n_rows), np.concatenate([fold.train, fold.validation]))
    values, target = data.values.copy(), data.target.copy()
    values[outside] *= 1000.0
    target[outside] = (target[outside] + 1) % 3
    other = DataSet.from_arrays(values, target)
    one, _ = measure_cell(data, split, fold, spec_of(name), seed=3)
    two, _ = measure_cell(other, split, fold, spec_of(name), seed=3)
    for key in ("accuracy", "log_loss", "auc", "model_bytes"):
        assert one[key] == two[key]


@pytest.mark.parametrize("name", [e.name for e in catalogue() if not e.extra or find_spec(e.learner.partition(":")[0])])
def test_the_same_seed_gives_the_same_values_to_the_bit(name: str) -> None:
    data = classes_apart(150, distance=0.8)
    split, fold = parts_of(data)
    runs = [measure_cell(data, split, fold, spec_of(name), seed=9) for _ in range(2)]
    first, second = ({key: v for key, v in values.items() if key not in CLOCKS} for values, _ in runs)
    assert first == second
    first, second = ({key: part for key, part in details.items() if key != "timing"} for _, details in runs)
    assert first == second


@pytest.mark.parametrize(
    ("first", "times", "count"),
    [
        (0.5, [], 0),  # not short
        (0.004, [0.001, 0.001, 0.001], 3),
        (0.004, [0.001, 0.0014, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001], 8),  # until the error is below 5 %
        (0.004, [0.009, 0.001, 0.009, 0.004], 4),  # until 20 ms are spent
    ],
)
def test_short_times_are_measured_until_their_mean_is_known(
    first: float, times: list[float], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter([*times, *[0.0011] * 50])
    monkeypatch.setattr(warm_up, "timed", lambda call: (call(), seconds := next(left), 2 * seconds))
    cpu, wall = warm_up.repeated(lambda: lambda: None, first, first)
    assert (cpu, wall) == (times, [2 * time for time in times])
    assert len(cpu) == count


def test_repeated_fits_change_no_score_and_are_told() -> None:
    data = classes_apart(60)
    split, fold = parts_of(data)
    _, details = measure_cell(data, split, fold, spec_of("nb"), seed=1)
    assert details["timing"]["train"]["times"] >= 3 and details["timing"]["predict"]["relative_error"] >= 0
    drawn = spec_of(Fixed(draw=True))  # draws from the global generator in fit
    assert len({measure_cell(data, split, fold, drawn, seed=4)[0]["accuracy"] for _ in range(3)}) == 1


def test_data_and_learners_that_travelled_give_the_same_values_to_the_bit() -> None:
    data = classes_apart(150, distance=0.8)
    split, fold = parts_of(data)
    for spec in (spec_of("5nn"), spec_of("lnp"), spec_of(DecisionTreeClassifier())):
        here, _ = measure_cell(data, split, fold, spec, seed=9)
        there, _ = measure_cell(*pickle.loads(pickle.dumps((data, split, fold, spec))), seed=9)
        assert {k: v for k, v in here.items() if k not in CLOCKS} == {k: v for k, v in there.items() if k not in CLOCKS}


def test_learners_that_draw_from_the_global_generators_are_repeatable_and_leave_them_alone() -> None:
    data = classes_apart(k=2, distance=0.5)
    split, fold = parts_of(data)
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    expected = (np.random.RandomState(1).rand(), random.Random(1).random())
    one, other = (measure_cell(data, split, fold, spec_of(Fixed(draw=True)), seed=s)[0] for s in (4, 4))
    assert one["accuracy"] == other["accuracy"]
    assert (np.random.rand(), random.random()) == expected  # noqa: NPY002


def test_times_and_space_are_told() -> None:
    data = classes_apart()
    split, fold = parts_of(data)
    result = {
        name: measure_cell(data, split, fold, spec_of(name), seed=1)[0]
        for name in ("c45", "lnp", "svr", "mdt", "rules")
    }
    for values in result.values():
        assert set(values) >= CLOCKS and all(values[clock] >= 0 for clock in CLOCKS)
        assert values["model_bytes"] > 100
        assert all(type(value) is float for value in values.values())
    assert result["lnp"]["model_parameters"] == 3 * (4 + 1)
    assert result["c45"]["model_nodes"] % 2 == 1 and result["mdt"]["model_nodes"] % 2 == 1
    assert result["svr"]["support_vectors"] <= fold.train.size
    assert "model_nodes" not in result["lnp"] and "support_vectors" not in result["c45"]


def test_details_are_ready_for_json() -> None:
    data = classes_apart()
    split, fold = parts_of(data)
    _, details = measure_cell(data, split, fold, spec_of(Fixed(noisy=True)), seed=1)
    assert json.loads(json.dumps(details)) == details
    assert details["warnings"] == ["UserWarning: number 1 is odd", "UserWarning: number 2 is odd"]


def test_warnings_of_the_learner_are_collected_not_shown() -> None:
    data = classes_apart(distance=0.3)
    split, fold = parts_of(data)
    with warnings.catch_warnings(record=True) as shown:
        _, details = measure_cell(data, split, fold, spec_of({"name": "mlp", "settings": {"max_iter": 2}}), seed=1)
    assert shown == []
    assert [text.split(":")[0] for text in details["warnings"]] == ["ConvergenceWarning"]


def test_garbage_of_others_is_no_warning_of_the_learner(tmp_path: Path) -> None:
    with collected_warnings() as texts:
        open(tmp_path / "left", "w")  # noqa: SIM115
        warnings.warn("kept", UserWarning, stacklevel=1)
    assert texts == ["UserWarning: kept"]


def test_space_is_summed_over_the_parts_of_a_model() -> None:
    x, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 3
    forest = RandomForestClassifier(5, random_state=0).fit(x, y)
    assert model_space(forest)["model_nodes"] == sum(tree.tree_.node_count for tree in forest.estimators_)
    boosted = GradientBoostingClassifier(n_estimators=4, random_state=0).fit(x, y)
    assert model_space(boosted)["model_nodes"] == sum(t.tree_.node_count for t in boosted.estimators_.ravel())
    bag = BaggingClassifier(SVC(), n_estimators=3, random_state=0).fit(x, y)
    assert model_space(bag)["support_vectors"] == sum(m.n_support_.sum() for m in bag.estimators_)
    perceptron = build(spec_of("mlp"), classes_apart(), seed=0).set_params(learn__hidden=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        perceptron.fit(np.column_stack([x, x[:, 0]]), y)
    assert model_space(perceptron)["model_parameters"] == (4 + 1) * 2 + (2 + 1) * 3
    tuned = build(spec_of({"name": "c45", "settings": {"tune": True}}), classes_apart(), seed=0)
    tuned.fit(np.column_stack([x, x[:, 0]]), y)
    assert model_space(tuned)["model_nodes"] == tuned.best_estimator_["learn"].tree_.node_count


@every(
    ("learner", "message"),
    [
        (
            Fixed(answer=7),
            "'Fixed' predicted '7', which no training row has as its class. The classes it was taught are 0 to 2. "
            "Use a classifier: its predict returns labels it was fitted on.",
        ),
        (
            Fixed(answer=0.5),
            "'Fixed' predicted '0.5', which no training row has as its class. The classes it was taught are 0 to 2. "
            "Use a classifier: its predict returns labels it was fitted on.",
        ),
        (
            Fixed(answer=float("nan")),
            "'Fixed' predicted 'nan', which no training row has as its class. The classes it was taught are 0 to 2. "
            "Use a classifier: its predict returns labels it was fitted on.",
        ),
        (
            Fixed(answer=np.zeros(3)),
            "'Fixed' predicted an array of shape (3,) for 70 rows. Every row needs one answer. "
            "Correct its predict method.",
        ),
        (
            Told(shares=[np.nan, 0.5, 0.5]),
            "'Told' gave probabilities of which 70 are NaN or infinite. No score can be computed from them. "
            "Scale its inputs or correct its settings.",
        ),
        (
            Told(shares=[0.5, 0.9, 0.5]),
            "'Told' gave probabilities that are negative or do not add up to 1. Their log loss would be meaningless. "
            "Correct its predict_proba method, or remove it: log loss is then left out.",
        ),
        (
            Told(shares=[0.5, 0.5]),
            "'Told' gave probabilities of shape (70, 2) for 70 rows and 3 classes. Every row needs one number per "
            "class it was taught. Correct that method of the estimator.",
        ),
        (
            Margined(),
            "'Margined' gave margins of which 70 are NaN or infinite. No score can be computed from them. "
            "Scale its inputs or correct its settings.",
        ),
    ],
)
def test_answers_that_are_none_are_refused(learner: Fixed, message: str) -> None:
    data = classes_apart()
    split, fold = parts_of(data)
    with pytest.raises(InputError) as caught:
        measure_cell(data, split, fold, spec_of(learner), seed=1)
    assert str(caught.value) == message


def test_folds_with_rows_on_both_sides_are_refused() -> None:
    data = classes_apart()
    both = Fold(replication=1, fold=1, train=np.arange(10), validation=np.arange(9, 20))
    with pytest.raises(InputError) as caught:
        measure_cell(data, Split(folds=(both,), test=np.arange(0)), both, spec_of("c45"), seed=1)
    assert str(caught.value) == (
        "1 row(s) of data set 'apart' are both learned from and measured on. The score would be too good. "
        "Split the rows with tiebreak.lab's resampling, which keeps the parts apart."
    )
