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
    found = tb.compare_estimators(ESTIMATORS, x, y, cost="train_time", seed=3, jobs=1)
    assert isinstance(found, tb.Ordering)
    assert found.order == ("bayes", "majority")
    assert found.over == "folds"
    assert found.plan.pairwise == "5x2cv-f"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("tiebreak-")] == []


def test_the_scores_are_those_of_a_plan(tmp_path: Path) -> None:
    x, y = load_iris(return_X_y=True)
    data = tb.DataSet.from_arrays(x, y, name="iris")
    found = tb.run_estimators(ESTIMATORS, {"iris": (x, y)}, resampling="1x2cv", seed=5, jobs=1)
    algorithms = [{"object": each, "name": name} for name, each in ESTIMATORS.items()]
    plan = tb.Plan.of(datasets=[data], algorithms=algorithms, resampling="1x2cv", seed=5)
    tb.run(plan, store=tmp_path / "r.db", jobs=1)
    expected = tb.read_store(tmp_path / "r.db")
    assert found.datasets == expected.datasets == ("iris",)
    np.testing.assert_array_equal(found.cube("accuracy"), expected.cube("accuracy"))


def test_several_data_sets_in_every_form() -> None:
    iris, wine = load_iris(), load_wine(return_X_y=True)
    told = {"resampling": "1x2cv", "jobs": 1}
    named = tb.compare_estimators(ESTIMATORS, {"iris": iris, "wine": wine}, cost=None, **told)  # type: ignore[arg-type]
    assert isinstance(named, tb.Comparison)
    assert named.datasets == ("iris", "wine")
    listed = tb.compare_estimators(
        [GaussianNB(), "5nn"],
        [iris, wine, "builtin:monks1", tb.DataSet.from_arrays(wine[0][::2], wine[1][::2], name="half")],
        cost="train_time",
        **told,  # type: ignore[arg-type]
    )
    assert listed.datasets == ("data set 1", "data set 2", "half", "monks1")
    assert set(listed.algorithms) == {"GaussianNB", "5nn"}
    x, y = load_iris(return_X_y=True, as_frame=True)
    framed = tb.run_estimators({"bayes": GaussianNB(), "near": "5nn"}, x, y, **told)  # type: ignore[arg-type]
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
        tb.compare_estimators({"mean": DummyRegressor()}, x, y.astype(str))
    with pytest.raises(tb.OptionError, match="There is no score 'acuracy'"):
        tb.compare_estimators(ESTIMATORS, x, y, score="acuracy")
    with pytest.raises(tb.OptionError, match="There is no cost 'traintime'"):
        tb.compare_estimators(ESTIMATORS, x, y, cost="traintime")
