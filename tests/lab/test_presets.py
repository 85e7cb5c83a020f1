"""`preset = "ulas2012"`: the protocol of the papers, filled in where a plan is silent."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.svm import SVC

import tiebreak.lab as lab
from tiebreak.cli import running
from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError
from tiebreak.lab.algorithms.building import build
from tiebreak.lab.plans import Plan, read_plan
from tiebreak.lab.splits import split
from tiebreak.readers import read_store
from tiebreak.stores import open_store

EIGHT = ["c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn"]


def blobs() -> DataSet:
    rng = np.random.default_rng(3)
    target = np.arange(120) % 2
    return DataSet.from_arrays(rng.normal(size=(120, 3)) + target[:, None], target.tolist(), name="blobs")


def test_the_protocol_fills_in_what_a_plan_leaves_out(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text('preset = "ulas2012"\ndatasets = ["builtin:iris"]\n')
    plan = read_plan(file)
    assert [algorithm.name for algorithm in plan.algorithms] == EIGHT
    assert (plan.resampling.replications, plan.resampling.folds, plan.resampling.test) == (5, 2, 1 / 3)
    assert plan.seed == 0
    space = dict(zip(EIGHT, plan.algorithms, strict=True))["svr"].settings["tune"]["space"]  # type: ignore[index]
    assert (min(space["C"]), max(space["C"])) == (1e-5, 1e5)
    assert (min(space["gamma"]), max(space["gamma"])) == (1e-3, 1e3)


def test_what_a_plan_says_itself_stays() -> None:
    plan = Plan.of(datasets=[blobs()], preset="ulas2012", algorithms=["nb"], resampling="1x2cv", seed=4)
    assert ([algorithm.name for algorithm in plan.algorithms], plan.resampling.replications, plan.seed) == (
        ["nb"],
        1,
        4,
    )
    assert plan.caveats == ()


def test_an_unknown_protocol_is_refused() -> None:
    with pytest.raises(OptionError, match=r"There is no preset 'ulas2011'.*ulas2012"):
        Plan.of(datasets=[blobs()], preset="ulas2011")


def test_machines_are_chosen_on_the_validation_fold_and_that_is_said(tmp_path: Path) -> None:
    data = blobs()
    plan = Plan.of(datasets=[data], preset="ulas2012", resampling="1x2cv")
    assert [note.code for note in plan.caveats] == ["validation-scores"]
    summary = lab.run(plan, store=tmp_path / "s.db", jobs=1)
    assert summary.counts["ok"] == 16
    assert "validation-scores" in [note.code for note in summary.caveats]
    assert running._summary_text(summary, plan, "s.db").endswith("--score test_error --cost train_time")
    read = {score: read_store(tmp_path / "s.db", scores=score).caveats for score in ("error", "test_error")}
    text = {score: [str(note) for note in notes if note.code == "validation-scores"] for score, notes in read.items()}
    assert text["test_error"] == []
    assert text["error"][0].startswith("Settings of sv2, svl, svr are chosen on the validation folds, so their scores")
    with open_store(tmp_path / "s.db") as store:
        rows = [row for row in store.rows() if row.algorithm == "svr"]
    for row in rows:
        tuned = row.details["tuned"]
        assert tuned["candidates"] == 77  # type: ignore[index]
        assert tuned["score"] == row.values["accuracy"]  # type: ignore[index]


@pytest.mark.filterwarnings("ignore:Solver terminated early")
@pytest.mark.parametrize("name", ["svl", "sv2", "svr"])
def test_a_shared_kernel_matrix_gives_the_scores_of_the_machine_itself(name: str) -> None:
    data = blobs()
    plan = Plan.of(datasets=[data], preset="ulas2012")
    fold = split(data, plan.resampling, seed=0).folds[0]
    spec = next(algorithm for algorithm in plan.algorithms if algorithm.name == name)
    search = build(spec, data, seed=1)
    rows, held = data.values[fold.train], data.values[fold.validation]
    fitted = search.fit(rows, data.target[fold.train], validation=(held, data.target[fold.validation]))
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    fixed = {"svl": {"kernel": "linear"}, "sv2": {"kernel": "poly", "degree": 2, "coef0": 0.0}, "svr": {}}[name]
    best = max(
        np.mean(
            SVC(**fixed, **settings, max_iter=100_000)
            .fit((rows - mean) / spread, data.target[fold.train])
            .predict((held - mean) / spread)
            == data.target[fold.validation]
        )
        for settings in fitted.tuning.candidates()
        if settings["C"] < 1e4  # beyond, the bound on steps ends some fits, with a warning
    )
    assert fitted.tuned_["score"] >= best
    chosen = fitted.tuned_["settings"]
    bare = SVC(**fixed, **chosen, max_iter=100_000).fit((rows - mean) / spread, data.target[fold.train])
    assert np.mean(bare.predict((held - mean) / spread) == data.target[fold.validation]) == fitted.tuned_["score"]
    assert fitted.tuned_["score"] == pytest.approx(best, abs=0.03)
