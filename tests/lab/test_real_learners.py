"""Learners as people use them: each named one held against a bare script, categories native, tuned, stopped early."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tiebreak.lab as lab
from tiebreak.datasets import DataSet, from_frame
from tiebreak.errors import OptionError
from tiebreak.lab.algorithms import catalogue
from tiebreak.lab.algorithms.base import framed
from tiebreak.lab.algorithms.building import build
from tiebreak.lab.algorithms.learners import describe
from tiebreak.lab.algorithms.specs import fingerprint, spec_of
from tiebreak.lab.one_cell import cell_seed, measure_cell
from tiebreak.lab.plans import Plan, read_plan
from tiebreak.lab.splits import split
from tiebreak.stores import open_store

from ..every import every

BOOSTERS = ("xgboost", "lightgbm", "catboost")
HERE = [name for name in BOOSTERS if importlib.util.find_spec(name)]
needs_all = pytest.mark.skipif(len(HERE) < 3, reason="the extra `boosting` is not installed")
pd = pytest.importorskip("pandas")
OLD = {
    "c45": "016bb667a49b7c68849466a6e6d96ea7",
    "mdt": "acda9b7989a8b06ccaa4456cc731e5e0",
    "mlp": "ff9fdbab632464297a4347c50e171068",
    "lnp": "257464a0374982cbc2942e37be630682",
    "svl": "c51df96854a7d819e996363b7e208d8a",
    "sv2": "e04eff9e801eac3b4b4117ec5be5c5fc",
    "svr": "9727b88d0e334612a476bb5ec9eafe2f",
    "5nn": "3188caae138d870da721570a6ae8b2ef",
    "lda": "97cd5edfafd7d9fc95b7cd5ea0f6a45d",
    "qda": "8e0be323e74f085fe22ae3d22d4aa889",
    "knn": "72ac8c8810506895ab2d06e049cca920",
    "rf": "e79d7be32395c3dad3dc85d176c85e21",
    "nb": "a595ff367cbcb128d7815d94b2ab3745",
    "boost": "84f07f14cabbd6084fa589a56f92ccd5",
    "rules": "ff454720f30cec9bc6795a1b7f8ffa1c",
}


def pets(rows: int = 240) -> DataSet:
    """Two numbers and two symbols, all with gaps, in columns with awkward names; three classes."""
    rng = np.random.default_rng(8)
    kind, place = rng.integers(0, 4, rows), rng.integers(0, 6, rows)
    size = rng.normal(size=rows) + kind
    frame = pd.DataFrame(
        {
            "size [m]": np.where(rng.random(rows) < 0.1, np.nan, size),
            "age, <years>": rng.normal(size=rows),
            "kind": np.where(rng.random(rows) < 0.1, None, np.array(["cat", "dog", "eel", "fox"])[kind]),
            "place": np.array([f"p{number}" for number in place]),
            "class": np.array(["a", "b", "c"])[(kind + place + (rng.random(rows) < 0.15)) % 3],
        }
    )
    return from_frame(frame, name="pets", target="class")


def raw_frame(data: DataSet, gap: str | None = None) -> Any:
    """Return the attributes as somebody would write them down with pandas alone."""
    columns: dict[str, Any] = {}
    for place, name in enumerate(data.attributes):
        column = data.values[:, place]
        if data.symbolic[place]:
            words = [data.categories[place][int(code)] if code == code else gap for code in column]
            known = [*data.categories[place], *([gap] if gap else [])]
            columns[f"x{place}"] = pd.Categorical(words, categories=known)
        else:
            columns[f"x{place}"] = column
        assert name
    return pd.DataFrame(columns)


def bare(name: str, seed: int) -> Any:
    if name == "xgboost":
        from xgboost import XGBClassifier

        return XGBClassifier(n_estimators=30, enable_categorical=True, random_state=seed, n_jobs=1)
    if name == "lightgbm":
        from lightgbm import LGBMClassifier

        quick = {"deterministic": True, "force_row_wise": True, "verbose": -1}
        return LGBMClassifier(n_estimators=30, random_state=seed, n_jobs=1, **quick)
    from catboost import CatBoostClassifier

    options = {"cat_features": [2, 3], "verbose": False, "allow_writing_files": False, "thread_count": 1}
    return CatBoostClassifier(iterations=30, random_seed=seed, **options)


@pytest.mark.parametrize("name", HERE)
def test_a_booster_scores_as_a_bare_script_on_the_same_rows(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    data = pets()
    parts = split(data, Plan.of(datasets=[data], algorithms=["nb"]).resampling, seed=3)
    spec = spec_of({"name": name, "settings": {"trees": 30}})
    frame = raw_frame(data, gap="missing" if name == "catboost" else None)
    for fold in parts.folds[:3]:
        seed = cell_seed(3, data.fingerprint, fold.replication, fold.fold)
        values, _ = measure_cell(data, parts, fold, spec, seed=seed)
        learner = bare(name, seed).fit(frame.iloc[fold.train], data.target[fold.train])
        answers = np.asarray(learner.predict(frame.iloc[fold.validation])).reshape(-1)
        assert values["accuracy"] == np.mean(answers == data.target[fold.validation])
        shares = learner.predict_proba(frame.iloc[fold.validation])
        given = shares[np.arange(len(answers)), data.target[fold.validation]]
        assert values["log_loss"] == pytest.approx(-np.log(given).mean(), rel=1e-6)
    assert list(tmp_path.iterdir()) == []  # CatBoost would write files


def encoded(data: DataSet, train: Any, held: Any, *, scale: bool) -> tuple[Any, Any]:
    numbers, symbols = ~data.symbolic, data.symbolic
    fill = SimpleImputer(strategy="median").fit(data.values[train][:, numbers])
    spread = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(data.values[train][:, symbols])
    standard = StandardScaler().fit(fill.transform(data.values[train][:, numbers]))

    def rows(places: Any) -> Any:
        filled = fill.transform(data.values[places][:, numbers])
        whole = standard.transform(filled) if scale else filled
        return np.hstack([whole, spread.transform(data.values[places][:, symbols])])

    return rows(train), rows(held)


@pytest.mark.parametrize("name", ["extratrees", "logistic", "elasticnet"])
def test_other_named_learners_score_as_a_bare_script(name: str) -> None:
    data = pets()
    parts = split(data, Plan.of(datasets=[data], algorithms=["nb"]).resampling, seed=3)
    for fold in parts.folds[:2]:
        values, _ = measure_cell(data, parts, fold, spec_of(name), seed=11)
        train, held = encoded(data, fold.train, fold.validation, scale=name != "extratrees")
        learner = {
            "extratrees": ExtraTreesClassifier(random_state=11),
            "logistic": LogisticRegression(max_iter=1000),
            "elasticnet": LogisticRegression(solver="saga", l1_ratio=0.5, max_iter=1000, random_state=11),
        }[name].fit(train, data.target[fold.train])
        assert values["accuracy"] == np.mean(learner.predict(held) == data.target[fold.validation])


@needs_all
def test_boosters_tuned_with_native_categories_from_a_file(tmp_path: Path) -> None:
    frame = raw_frame(pets(120)).assign(kind=pets(120).target)
    frame.to_csv(tmp_path / "pets.csv", index=False)
    (tmp_path / "plan.toml").write_text(
        """
        datasets = [{source = "pets.csv", target = "kind"}]
        resampling = {scheme = "1x2cv", test = 0}
        [[algorithms]]
        name = "xgboost"
        [algorithms.settings]
        trees = 20
        tune = {space = {depth = [2, 4], learning_rate = [0.05, 0.1, 0.5]}}
        [[algorithms]]
        name = "lightgbm"
        settings = {trees = 20, min_leaf = 5, tune = {space = {leaves = [4, 8]}, folds = 2}}
        [[algorithms]]
        name = "catboost"
        [algorithms.settings]
        trees = 20
        early_stopping = {share = 0.2, rounds = 5}
        tune = {space = {depth = [2, 4]}}
        """
    )
    summary = lab.run(read_plan(tmp_path / "plan.toml"), store=tmp_path / "s.db", jobs=1)
    assert summary.counts["ok"] == 6
    with open_store(tmp_path / "s.db") as store:
        tuned = {row.algorithm: row.details.get("tuned") for row in store.rows()}
    assert set(tuned["xgboost"]["settings"]) == {"depth", "learning_rate"}  # type: ignore[index]
    assert tuned["lightgbm"]["candidates"] == 2  # type: ignore[index]
    assert tuned["catboost"]["settings"]["depth"] in (2, 4)  # type: ignore[index]


def test_categories_are_those_of_the_data_set_whatever_the_rows() -> None:
    data = pets()
    one, other = (framed(data).fit_transform(data.values[places]) for places in (slice(0, 5), slice(5, 9)))
    assert (one.dtypes == other.dtypes).all()
    assert list(one.columns) == ["size__m_", "age___years_", "kind", "place"]
    assert str(one["kind"].dtype) == "category" and one["kind"].cat.categories.tolist() == ["cat", "dog", "eel", "fox"]
    assert framed(data, gap=True).fit_transform(data.values)["kind"].isna().sum() == 0


@pytest.mark.parametrize("name", HERE)
def test_the_same_seed_gives_the_same_booster_and_seeds_go_deep(name: str) -> None:
    data = pets(90)
    model = build(spec_of(name), data, seed=77)
    seeds = {key: value for key, value in model.get_params(deep=True).items() if key.endswith(("_state", "_seed"))}
    assert seeds and set(seeds.values()) == {77}


@pytest.mark.parametrize("name", HERE)
def test_early_stopping_holds_training_rows_back_and_adds_fewer_trees(name: str) -> None:
    data = pets()
    options = {"trees": 300, "learning_rate": 0.5, "early_stopping": {"rounds": 5}}
    model = build(spec_of({"name": name, "settings": options}), data, seed=1).fit(data.values, data.target)
    booster = model.named_steps["learn"]
    held = booster._held(data.target)
    assert np.bincount(data.target[held]).tolist() == [round(0.1 * count) for count in data.class_counts]
    inner = booster.model_
    trees = {"xgboost": "best_iteration", "lightgbm": "best_iteration_", "catboost": "tree_count_"}[name]
    assert 0 < getattr(inner, trees) < 300
    assert model.predict(data.values).shape == (240,)


def test_rare_classes_are_never_held_back() -> None:
    pytest.importorskip("xgboost")
    from xgboost import XGBClassifier

    from tiebreak.lab.algorithms.boosters import Boosted

    held = Boosted(estimator=XGBClassifier(), share=0.5, random_state=0)._held(np.array([0] * 10 + [1]))
    assert (held[:10].sum(), held[10]) == (5, False)


def test_a_library_that_is_missing_is_named_with_its_extra(monkeypatch: Any) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "xgboost", None)
    with pytest.raises(OptionError) as caught:
        spec_of("xgboost")
    assert str(caught.value) == "xgboost is not installed. Install it: pip install 'tiebreak[boosting]'"


@pytest.mark.skipif("xgboost" not in HERE, reason="xgboost is not installed")
def test_settings_that_a_class_passes_on_are_taken_and_slips_are_not() -> None:
    path = {"import": "xgboost:XGBClassifier"}
    spec_of({**path, "settings": {"n_estimators": 50, "eta": 0.1}})
    with pytest.raises(OptionError, match=r"setting 'n_estimator'.*Did you mean 'n_estimators'"):
        spec_of({**path, "settings": {"n_estimator": 50}})


def test_parts_of_a_learner_are_set_from_a_plan() -> None:
    tree = {"import": "sklearn.tree:DecisionTreeClassifier"}
    bag = {"import": "sklearn.ensemble:BaggingClassifier"}
    spec = spec_of({**bag, "settings": {"estimator": tree, "estimator__max_depth": 2, "n_estimators": 3}})
    data = pets(90)
    model = build(spec, data, seed=5).fit(data.values, data.target)
    inner = model.named_steps["learn"]
    assert [estimator.get_depth() <= 2 for estimator in inner.estimators_] == [True] * 3
    with pytest.raises(OptionError, match="Did you mean 'estimator__max_depth'"):
        spec_of({**bag, "settings": {"estimator": tree, "estimator__max_deph": 2}})


def test_a_pipeline_from_a_plan_with_a_search_in_it() -> None:
    steps = [["scale", {"import": "sklearn.preprocessing:StandardScaler"}], ["svc", {"import": "sklearn.svm:SVC"}]]
    tune = {"space": {"svc__C": [0.1, 1.0, 10.0]}, "folds": 2}
    spec = spec_of(
        {"import": "sklearn.pipeline:Pipeline", "settings": {"steps": steps, "svc__gamma": 0.1, "tune": tune}}
    )
    data = pets(90)
    model = build(spec, data, seed=5).fit(data.values, data.target)
    assert (model.tuned_["candidates"], set(model.tuned_["settings"])) == (3, {"svc__C"})
    assert model.best_estimator_.named_steps["learn"].named_steps["svc"].gamma == 0.1


def test_a_search_tries_what_it_may_and_the_cheapest_of_equals_wins() -> None:
    data = pets(90)
    spec = spec_of({"name": "5nn", "settings": {}})
    assert fingerprint(spec) == fingerprint(spec_of("5nn"))
    tuned = spec_of({"algorithm": "nb", "settings": {"tune": {"space": {"smoothing": [1.0, 1.0000001]}}}})
    assert build(tuned, data, seed=1).fit(data.values, data.target).tuned_["settings"] == {"smoothing": 1.0}


def test_a_search_is_the_same_every_time_and_gives_one_fingerprint() -> None:
    data = pets(90)
    options = {"space": {"C": [0.01, 1.0, 100.0]}, "folds": 2}
    spec = spec_of({"algorithm": "svl", "settings": {"tune": options}})
    fits = [build(spec, data, seed=3).fit(data.values, data.target).tuned_ for _ in range(2)]
    assert fits[0] == fits[1]
    assert fingerprint(spec) == fingerprint(
        spec_of({"algorithm": "svl", "settings": {"tune": {**options, "on": "training"}}})
    )


@every(
    ("algorithm", "tune", "words"),
    [
        ("svl", {"folds": 5}, "The setting 'tune' of 'svl' is {'folds': 5}. Give a table whose `space`"),
        ("svl", {"space": {"c": [1.0]}}, "There is no 'svl' setting 'c'."),
        ("svl", {"space": {"C": [0.0]}}, "The setting 'C' of 'svl' is 0.0."),
        ("svl", {"space": {"tune": [True]}}, "'tune' of 'svl' lists 'tune'."),
        ("svl", {"space": {"C": 1.0}}, "'tune' of 'svl' tries 1.0 for 'C'."),
        ("svl", {"space": {"C": [1.0]}, "folds": 1}, "In 'tune' of 'svl' folds is 1."),
        ("svl", {"space": {"C": [1.0]}, "on": "test"}, "There is no place to search ('on' in 'tune' of 'svl') 'test'."),
        ("svl", {"space": {"C": [1.0]}, "second": 3}, "There is no key of 'tune' of 'svl' 'second'."),
        ("5nn", {"space": {"k": [3]}}, "There is no '5nn' setting 'k'. It has none."),
    ],
)
def test_a_search_without_sense_is_refused(algorithm: str, tune: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError) as caught:
        spec_of({"algorithm": algorithm, "settings": {"tune": tune}})
    assert str(caught.value).startswith(words)


def test_a_search_over_candidates_that_all_fail_raises_what_they_raised() -> None:
    data = pets(90)
    tune = {"space": {"n_neighbors": [1000, 2000]}, "folds": 2}
    spec = spec_of({"import": "sklearn.neighbors:KNeighborsClassifier", "settings": {"tune": tune}})
    with pytest.raises(ValueError, match="n_neighbors"):
        build(spec, data, seed=1).fit(data.values, data.target)


def test_a_class_with_few_rows_does_not_end_a_search_of_a_booster() -> None:
    pytest.importorskip("xgboost")
    rng = np.random.default_rng(0)
    target = np.array([0] * 20 + [1] * 2 + [2] * 20)
    data = DataSet.from_arrays(rng.normal(size=(42, 2)), target.tolist())
    spec = spec_of({"name": "xgboost", "settings": {"trees": 5, "tune": {"space": {"depth": [1, 2]}}}})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn says that a class has fewer rows than folds
        assert build(spec, data, seed=1).fit(data.values, data.target).tuned_["failed"] == 0


def test_the_fingerprints_of_older_learners_are_what_they_were() -> None:
    """Results in stores, and the base that ships, are kept by these."""
    assert {name: fingerprint(spec_of(name)) for name in OLD} == OLD
    assert {entry.name for entry in catalogue()} >= set(OLD)


def test_settings_of_boosters_are_those_of_the_libraries() -> None:
    assert describe("catboost").settings["trees"].default == 1000


@pytest.mark.parametrize("name", HERE)
def test_boosters_of_numbers_are_tuned_and_stopped_early_on_native_categories(name: str) -> None:
    frame, rng = raw_frame(pets()), np.random.default_rng(3)
    frame["price"] = 100 + 3 * frame.iloc[:, 0].fillna(0) + rng.normal(size=len(frame)) / 10
    data = from_frame(frame, name="prices", target="price")
    assert data.kind == "number" and data.symbolic.any()
    tune = {"space": {"depth" if name != "lightgbm" else "leaves": [2, 4]}, "folds": 2}
    tuned = build(spec_of({"algorithm": name, "settings": {"trees": 20, "tune": tune}}), data, seed=1)
    tuned.fit(data.values, data.target)
    assert tuned.tuned_["failed"] == 0
    assert r2(tuned, data) > 0.7
    stopping = {"trees": 300, "early_stopping": {"share": 0.2, "rounds": 5}}
    stopped = build(spec_of({"algorithm": name, "settings": stopping}), data, seed=1)
    assert r2(stopped.fit(data.values, data.target), data) > 0.7


def r2(fitted: Any, data: DataSet) -> float:
    return float(1 - np.mean((fitted.predict(data.values) - data.target) ** 2) / np.var(data.target))


class Plain(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Keeps what it learned under names of its own."""

    def fit(self, X: Any, y: Any) -> Plain:
        self.most, self.width = np.bincount(y).argmax(), X.shape[1]
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.most)


def test_a_learner_need_not_name_its_attributes_as_scikit_learn_does() -> None:
    data = pets()
    fitted = build(spec_of(Plain()), data, seed=1).fit(data.values, data.target)
    assert set(fitted.predict(data.values)) == {np.bincount(data.target).argmax()}
