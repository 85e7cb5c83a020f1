"""Weights of rows, the positive class, and answers that are none."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import tiebreak.lab as lab
from tiebreak.datasets import DataSet, from_frame, load
from tiebreak.datasets.dataset import weighted, with_positive
from tiebreak.errors import InputError, OptionError, TiebreakError
from tiebreak.lab.algorithms.building import build, weights_of
from tiebreak.lab.algorithms.specs import spec_of
from tiebreak.lab.one_cell import measure_cell
from tiebreak.lab.plans import Plan
from tiebreak.lab.prepared import check_plan
from tiebreak.lab.splits import Split, split
from tiebreak.readers import read_store

HERE = [name for name in ("xgboost", "lightgbm", "catboost") if importlib.util.find_spec(name)]


def three_classes() -> DataSet:
    frame = pd.DataFrame({"kind": ["cat", "dog", "eel"] * 4, "size": range(12), "class": ["a", "b", "c"] * 4})
    return from_frame(frame, name="pets", target="class")


def weighed(rows: int = 120) -> DataSet:
    """Return rows whose class says nothing but for those that count."""
    rng = np.random.default_rng(4)
    size, sound = rng.normal(size=rows), rng.random(rows) < 0.5
    label = np.where(sound, size > 0, rng.random(rows) < 0.5)
    frame = pd.DataFrame({"size": size, "count": np.where(sound, 1.0, 0.0), "class": np.where(label, "yes", "no")})
    return weighted(from_frame(frame, name="weighed", target="class"), "count")


@pytest.mark.parametrize("spec", ["c45", {"name": "c45", "settings": {"tune": True}}, "svl", *HERE])
def test_weights_reach_the_learner(spec: Any) -> None:
    data = weighed()
    options = spec_of(spec)
    name = weights_of(build(options, data, seed=1))
    assert name is not None and name.endswith("__sample_weight")
    model = build(options, data, seed=1)
    model.fit(data.values, data.target, **{name: data.weights})
    plain = build(options, data, seed=1).fit(data.values, data.target)
    counts = data.weights == 1.0
    hits, without = ((item.predict(data.values) == data.target)[counts].mean() for item in (model, plain))
    assert hits >= without and hits > 0.9


def test_a_cell_gives_the_weights_of_its_training_rows() -> None:
    data = weighed()
    fold = split(data, Plan.of(datasets=[data], algorithms=["nb"]).resampling, seed=0).folds[0]
    values, _ = measure_cell(data, Split(folds=(fold,), test=np.arange(0)), fold, spec_of("logistic"), seed=1)
    train = StandardScaler().fit(data.values[fold.train])
    bare_one = LogisticRegression(max_iter=1000).fit(
        train.transform(data.values[fold.train]), data.target[fold.train], sample_weight=data.weights[fold.train]
    )
    shares = bare_one.predict_proba(train.transform(data.values[fold.validation]))
    given = shares[np.arange(len(shares)), data.target[fold.validation]]
    assert values["log_loss"] == pytest.approx(-np.log(given).mean())


def test_learners_without_weights_are_named() -> None:
    plan = Plan.of(datasets=[weighed()], algorithms=["c45", "5nn", "lda"])
    notes = [note for note in check_plan(plan).caveats if note.code == "weights-ignored"]
    assert [str(note) for note in notes] == ["weighed: '5nn', 'lda' learn without the weights of its rows."]


def test_weights_change_the_identity_of_a_data_set_and_their_absence_does_not() -> None:
    data = DataSet.from_arrays([[0.5], [0.1]], ["a", "b"])
    heavy = DataSet.from_arrays([[0.5, 1.0], [0.1, 2.0]], ["a", "b"], attributes=["a1", "w"])
    assert weighted(heavy, "w").fingerprint != data.fingerprint
    assert data.fingerprint == "a93b34ddb0a20dd205734419c2e86c22"


@pytest.mark.parametrize(
    ("column", "words"),
    [("kind", "The column 'kind' of data set 'pets' does not hold the weight"), ("kinds", "There is no attribute of")],
)
def test_weights_that_are_none_are_refused(column: str, words: str) -> None:
    with pytest.raises(TiebreakError, match=words):
        weighted(three_classes(), column)


def test_the_positive_class_of_a_plan_is_the_one_of_its_measures(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    size = rng.normal(size=90)
    frame = pd.DataFrame({"size": size, "kind": np.where(size + rng.normal(size=90) > 1, "ill", "well")})
    frame.to_csv(tmp_path / "people.csv", index=False)
    file = str(tmp_path / "people.csv")
    result = {}
    for positive in ("ill", "well"):
        data = load({"source": file, "positive": positive})
        assert data.classes[-1] == positive
        plan = Plan.of(datasets=[{"source": file, "positive": positive}], algorithms=["nb"], resampling="1x2cv")
        lab.run(plan, store=tmp_path / f"{positive}.db", jobs=1)
        result[positive] = read_store(tmp_path / f"{positive}.db", scores=["precision", "auc"])
    notes = {key: [str(n) for n in item.caveats if n.code == "read-as"] for key, item in result.items()}
    assert "for the class 'ill', the positive one of the data set" in notes["ill"][0]
    assert "for the class 'well', the last by name" in notes["well"][0]
    with pytest.raises(OptionError, match="has 3 classes and the positive class 'a'"):
        with_positive(three_classes(), "a")


class Answers:
    """A learner whose answers are what it is told."""

    def __init__(self, answers: Any = None) -> None:
        self.answers = answers

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        return {"answers": self.answers}

    def set_params(self, **options: Any) -> Answers:
        self.answers = options["answers"]
        return self

    def fit(self, X: Any, y: Any) -> Answers:  # noqa: ARG002
        return self

    def predict(self, X: Any) -> Any:
        return self.answers(len(X))


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (lambda n: np.array([pd.NA] * n, dtype=object), "predicted '<NA>'"),
        (lambda n: np.array([None] * n, dtype=object), "predicted 'None'"),
        (lambda n: np.full(n, np.nan), "predicted 'nan'"),
        (lambda n: np.array(["a"] * n, dtype=object), "predicted 'a'"),
        (lambda n: np.zeros((n, 2)), r"predicted an array of shape \(\d+, 2\)"),
        (lambda n: np.zeros(n - 1), "predicted an array of shape"),
        (lambda n: np.full(n, 0.5), "predicted '0.5'"),
    ],
)
def test_answers_that_are_none_are_refused(answers: Any, words: str) -> None:
    data = weighed(60)
    fold = split(data, Plan.of(datasets=[data], algorithms=["nb"]).resampling, seed=0).folds[0]
    spec = spec_of({"object": Answers(answers), "settings": {"encode": False}})
    with pytest.raises(InputError, match=words):
        measure_cell(data, Split(folds=(fold,), test=np.arange(0)), fold, spec, seed=1)
