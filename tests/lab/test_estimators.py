"""Estimators and data in, an answer out: the same as a plan and a store give, with nothing left on disk."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest

import tiebreak as tb

pytest.importorskip("sklearn", reason="the lab is not installed")
pytest.importorskip("sqlalchemy", reason="the lab is not installed")

from sklearn.datasets import load_iris, load_wine
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.naive_bayes import GaussianNB

ESTIMATORS = {"bayes": GaussianNB(), "majority": DummyClassifier()}


def test_one_data_set_is_ordered_on_its_folds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    x, y = load_iris(return_X_y=True)
    estimators = tb.compare_estimators(ESTIMATORS, x, y, cost="train_time", seed=3, jobs=1)
    assert isinstance(estimators, tb.Ordering)
    assert estimators.order == ("bayes", "majority")
    assert estimators.over == "folds"
    assert estimators.plan.pairwise == "5x2cv-f"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("tiebreak-")] == []


def test_the_scores_are_those_of_a_plan(tmp_path: Path) -> None:
    x, y = load_iris(return_X_y=True)
    data = tb.DataSet.from_arrays(x, y, name="iris")
    results = tb.run_estimators(ESTIMATORS, {"iris": (x, y)}, resampling="1x2cv", seed=5, jobs=1)
    algorithms = [{"object": estimator, "name": name} for name, estimator in ESTIMATORS.items()]
    plan = tb.Plan.of(datasets=[data], algorithms=algorithms, resampling="1x2cv", seed=5)
    tb.run(plan, store=tmp_path / "r.db", jobs=1)
    expected = tb.read_store(tmp_path / "r.db")
    assert results.datasets == expected.datasets == ("iris",)
    np.testing.assert_array_equal(results.cube("accuracy"), expected.cube("accuracy"))


def test_several_data_sets_in_every_form() -> None:
    iris, wine = load_iris(), load_wine(return_X_y=True)
    options = {"resampling": "1x2cv", "jobs": 1}
    named = tb.compare_estimators(ESTIMATORS, {"iris": iris, "wine": wine}, cost=None, **options)  # type: ignore[arg-type]
    assert isinstance(named, tb.Comparison)
    assert named.datasets == ("iris", "wine")
    listed = tb.compare_estimators(
        [GaussianNB(), "5nn"],
        [iris, wine, "builtin:monks1", tb.DataSet.from_arrays(wine[0][::2], wine[1][::2], name="half")],
        cost="train_time",
        **options,  # type: ignore[arg-type]
    )
    assert listed.datasets == ("data set 1", "data set 2", "half", "monks1")
    assert set(listed.algorithms) == {"GaussianNB", "5nn"}
    x, y = load_iris(return_X_y=True, as_frame=True)
    framed = tb.run_estimators({"bayes": GaussianNB(), "near": "5nn"}, x, y, **options)  # type: ignore[arg-type]
    assert framed.algorithms == ("bayes", "near")


def test_what_is_refused() -> None:
    x, y = load_iris(return_X_y=True)
    with pytest.raises(tb.OptionError, match=r"There is one data set, and no cost was named.*cost=\"train_time\""):
        tb.compare_estimators(ESTIMATORS, x, y, cost=None, resampling="1x2cv", jobs=1)
    with pytest.raises(tb.OptionError, match="'data' is a ndarray without classes"):
        tb.compare_estimators(ESTIMATORS, x)
    with pytest.raises(tb.OptionError, match="'mean' is a regressor, and the target of data set 'data' is classes"):
        tb.compare_estimators({"mean": DummyRegressor(), "bayes": GaussianNB()}, x, y)
    with pytest.raises(tb.OptionError, match="'mean' is a regressor, and the target of data set 'data' is classes"):
        tb.run_estimators({"mean": DummyRegressor()}, x, y.astype(str))
    with pytest.raises(tb.OptionError, match="There is no score 'acuracy'"):
        tb.compare_estimators(ESTIMATORS, x, y, score="acuracy")
    with pytest.raises(tb.OptionError, match="There is no cost 'traintime'"):
        tb.compare_estimators(ESTIMATORS, x, y, cost="traintime")


class NeverFits(DummyClassifier):  # type: ignore[misc]
    def fit(self, *_: object, **__: object) -> NeverFits:
        raise ValueError("not today")


def test_slips_are_found_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    from tiebreak.lab import estimators as module

    def never(*_: object, **__: object) -> None:
        raise AssertionError("ran")

    monkeypatch.setattr(module, "run", never)
    x, y = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match=r"compare_estimators\(\) got an .*'cv'"):
        tb.compare_estimators(ESTIMATORS, x, y, cv=2)
    with pytest.raises(tb.OptionError, match=r"There is one estimator.*tiebreak\.run_estimators"):
        tb.compare_estimators({"bayes": GaussianNB()}, x, y)
    with pytest.raises(tb.OptionError, match="There are no estimators"):
        tb.compare_estimators({}, x, y)
    with pytest.raises(tb.OptionError, match="There is one data set, and no cost was named"):
        tb.compare_estimators(ESTIMATORS, x, y, cost=None)
    with pytest.raises(tb.OptionError, match=r"Two estimators are called 'DummyClassifier'.*\{\"first\""):
        tb.compare_estimators([DummyClassifier(), DummyClassifier(strategy="uniform")], x, y)
    with pytest.raises(tb.OptionError, match=r"'data' are 21 different numbers in 150 rows.*y\.astype\(str\)"):
        tb.compare_estimators(ESTIMATORS, x, np.arange(150) % 21 + 0.5)
    with pytest.raises(tb.OptionError, match="75 different numbers in 150 rows"):
        tb.compare_estimators(ESTIMATORS, {"data": (x, np.arange(150) // 2)})
    with pytest.raises(tb.OptionError, match="The target of 'data' has 2 columns"):
        tb.compare_estimators(ESTIMATORS, x, np.column_stack([y == 0, y == 1]))
    with pytest.raises(tb.OptionError, match="An algorithm is given as <class"):
        tb.compare_estimators({"a": GaussianNB, "b": DummyClassifier}, x, y)


def test_names_of_scikit_learn_are_understood() -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    x, y = load_iris(return_X_y=True)
    options = {"resampling": "1x2cv", "jobs": 1}
    pairs = [("bayes", GaussianNB()), ("majority", DummyClassifier())]
    frame = pd.DataFrame(x, columns=list("abcd")).assign(kind=np.array(["s", "e", "i"])[y])
    estimators = tb.compare_estimators(pairs, frame, "kind", scores="roc_auc", cost="train_time", **options)  # type: ignore[arg-type]
    assert isinstance(estimators, tb.Ordering)
    assert "by auc (higher is better) and train_time" in estimators.title()
    assert set(estimators.algorithms) == {"bayes", "majority"}


def test_what_failed_is_named_with_its_reason() -> None:
    x, y = load_iris(return_X_y=True)
    options = {"resampling": "1x2cv", "jobs": 1}
    with pytest.raises(tb.InputError, match=r"All 2 runs failed.*'never' on 'data': ValueError: not today"):
        tb.run_estimators({"never": NeverFits()}, x, y, **options)  # type: ignore[arg-type]
    three = {**ESTIMATORS, "never": NeverFits()}
    with pytest.raises(tb.MissingScores, match=r"not today.*missing='drop-algorithms'.*run_estimators"):
        tb.compare_estimators(three, x, y, **options)  # type: ignore[arg-type]
    estimators = tb.compare_estimators(three, x, y, missing="drop-algorithms", **options)  # type: ignore[arg-type]
    assert set(estimators.algorithms) == {"bayes", "majority"}
