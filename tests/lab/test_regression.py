"""Numbers to predict, end to end: splits, scores, learners, plans, comparisons."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn import metrics
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB

import tiebreak as tb
from tiebreak.advisor import shipped_knowledge, store_knowledge
from tiebreak.attributes import characterise
from tiebreak.attributes.catalogue import NUMBER_META_VERSION
from tiebreak.cli import main
from tiebreak.datasets import DataSet, from_frame, load
from tiebreak.errors import InputError, OptionError
from tiebreak.lab import Plan, run
from tiebreak.lab.algorithms import catalogue
from tiebreak.lab.algorithms.learners import describe
from tiebreak.lab.algorithms.specs import fingerprint, spec_of
from tiebreak.lab.one_cell import measure_cell
from tiebreak.lab.prepared import check_plan, specs_for
from tiebreak.lab.resampling import Resampling
from tiebreak.lab.scores import NUMBER_SCORES, QUANTILES, number_scores_of
from tiebreak.lab.splits import split, strata_of
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.readers import read_store
from tiebreak.results import metric_named
from tiebreak.stores import open_store
from tiebreak.stores.records import NUMBER_TARGET, AlgorithmRow, CellKey, CellOutcome, DataSetRow

from ..every import every

LEARNERS = [entry.name for entry in catalogue("number") if not entry.extra]


def numbers(rows: int = 120, seed: int = 0, **more: Any) -> DataSet:
    """Make a small set: a number, a symbol and a gap decide the target."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 3))
    x[:, 2] = rng.integers(0, 3, rows)
    y = 1000 + 50 * x[:, 0] + 30 * (x[:, 2] == 1) + rng.normal(size=rows)
    x[::10, 1] = np.nan
    return DataSet.from_arrays(x, y, name="small", symbolic=[False, False, True], kind="number", **more)


def scores_on(data: DataSet, spec: AlgorithmSpec) -> dict[str, float]:
    parts = split(data, Resampling(replications=1), seed=1)
    return measure_cell(data, parts, parts.folds[0], spec, seed=3)[0]


# ---- splits


@pytest.mark.parametrize("folds", [2, 5, 10])
def test_every_part_has_the_whole_range(folds: int) -> None:
    data = numbers(403)
    strata = strata_of(data)
    assert np.bincount(strata).tolist() == [41, 40, 40, 41, 40, 40, 41, 40, 40, 40]
    parts = split(data, Resampling(replications=2, folds=folds), seed=1)
    assert abs(len(parts.test) - 403 / 3) < 1
    assert np.ptp(np.bincount(strata[parts.test], minlength=10)) <= 1
    for fold in parts.folds:
        counts = np.bincount(strata[fold.validation], minlength=10)
        assert np.ptp(counts) <= 2
        assert not np.intersect1d(fold.train, np.concatenate([fold.validation, parts.test])).size
    again = split(data, Resampling(replications=1, folds=folds), seed=1)
    assert [fold.train.tolist() for fold in again.folds] == [f.train.tolist() for f in parts.folds[:folds]]
    other = split(data, Resampling(replications=1, folds=folds), seed=2)
    assert other.folds[0].train.tolist() != again.folds[0].train.tolist()


def test_equal_numbers_lie_together_and_none_is_lost() -> None:
    """Most are 0, as with rain or claims: the one rare number must be measured too."""
    y = [0.0] * 150 + [float(i) for i in range(1, 51)]
    data = DataSet.from_arrays(np.arange(200.0).reshape(-1, 1), y, kind="number")
    strata = strata_of(data)
    assert len(set(strata[:150])) == 1
    parts = split(data, Resampling(replications=1, test=0), seed=0)
    assert sorted(np.concatenate([fold.validation for fold in parts.folds]).tolist()) == list(range(200))


def test_groups_stay_together() -> None:
    data = numbers(120, groups=np.arange(120) // 6)
    for fold in split(data, Resampling(), seed=0).folds:
        assert data.groups is not None
        assert not np.intersect1d(data.groups[fold.train], data.groups[fold.validation]).size


def test_what_cannot_be_split() -> None:
    flat = DataSet.from_arrays([[0.0]] * 30, [2.5] * 30, name="flat", kind="number")
    with pytest.raises(InputError) as caught:
        split(flat, Resampling(), seed=0)
    assert str(caught.value) == (
        "The target of data set 'flat' is 2.5 in every row. There is nothing to predict. Check the target column, or"
        " leave the data set out."
    )
    tiny = DataSet.from_arrays([[0.0]] * 3, [1.0, 2.0, 3.0], name="tiny", kind="number")
    with pytest.raises(InputError, match=r"'tiny' is too small: replication 1.*two different numbers to learn from"):
        split(tiny, Resampling(), seed=0)


# ---- scores


@pytest.mark.parametrize("size", [1.0, 1e-9, 1e160])
def test_scores_are_those_of_scikit_learn(size: float) -> None:
    rng = np.random.default_rng(5)
    truth, predicted = size * rng.normal(3, 2, 57), size * rng.normal(3, 2, 57)
    scores = number_scores_of(truth, predicted, 2.0 * size)
    assert scores["mae"] == pytest.approx(metrics.mean_absolute_error(truth, predicted), rel=1e-12)
    assert scores["median_absolute_error"] == pytest.approx(metrics.median_absolute_error(truth, predicted), rel=1e-12)
    for quantile in QUANTILES:
        loss = metrics.mean_pinball_loss(truth, predicted, alpha=quantile)
        assert scores[f"pinball_{quantile:g}"] == pytest.approx(loss, rel=1e-12)
    plain = number_scores_of(truth / size, predicted / size, 2.0)
    assert plain["rmse"] == pytest.approx(metrics.root_mean_squared_error(truth / size, predicted / size), rel=1e-12)
    assert scores["rmse"] == pytest.approx(size * plain["rmse"], rel=1e-9)
    assert scores["r2"] == pytest.approx(metrics.r2_score(truth / size, predicted / size), rel=1e-9)
    constant = metrics.root_mean_squared_error(truth / size, np.full(57, 2.0))
    assert scores["relative_rmse"] == pytest.approx(plain["rmse"] / constant, rel=1e-9)


def test_what_is_undefined_is_absent() -> None:
    scores = number_scores_of(np.array([2.0, 2.0]), np.array([1.0, 3.0]), 2.0)
    assert "r2" not in scores
    assert "relative_rmse" not in scores
    assert scores["rmse"] == 1.0


def test_directions_and_units_are_known() -> None:
    for name in ("rmse", "mae", "median_absolute_error", "relative_rmse", *(f"pinball_{q:g}" for q in QUANTILES)):
        for part in ("", "test_"):
            assert metric_named(part + name).higher_is_better is False
            assert metric_named(part + name).of_targets == (name != "relative_rmse")
    assert metric_named("test_r2").higher_is_better is True


class Odd(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts what it should not."""

    def __init__(self, answer: str = "nan") -> None:
        self.answer = answer

    def fit(self, X: Any, y: Any) -> Odd:  # noqa: ARG002
        """Learn nothing."""
        self.fitted_ = True
        return self

    def predict(self, X: Any) -> Any:
        """Answer as told."""
        rows = len(X)
        return {
            "nan": np.full(rows, np.nan),
            "inf": np.full(rows, np.inf),
            "short": np.zeros(rows - 1),
            "wide": np.zeros((rows, 2)),
            "text": np.full(rows, "a"),
            "column": np.full((rows, 1), 1000.0),
        }[self.answer]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("nan", r"'Odd' predicted numbers of which \d+ are NaN or infinite"),
        ("inf", r"'Odd' predicted numbers of which \d+ are NaN or infinite"),
        ("short", r"'Odd' predicted an array of shape \(\d+,\) for \d+ rows"),
        ("wide", r"'Odd' predicted an array of shape \(\d+, 2\) for \d+ rows"),
        ("text", "'Odd' predicted something that is not a number"),
    ],
)
def test_answers_that_are_none(answer: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        scores_on(numbers(), spec_of(Odd(answer)))
    assert scores_on(numbers(), spec_of(Odd("column")))["rmse"] > 0


# ---- learners


@every("name", LEARNERS)
def test_every_learner_beats_the_mean_in_any_unit(name: str) -> None:
    """The same data in millionths and in millions give the same relative error: no setting hangs on the unit."""
    data = numbers(200)
    scores = scores_on(data, spec_of(name))
    small, large = (
        DataSet.from_arrays(data.values, (data.target - 900) * unit, symbolic=data.symbolic, kind="number")
        for unit in (1e-6, 1e6)
    )
    if name == "mean":
        assert scores["relative_rmse"] == pytest.approx(1)
        return
    assert scores["relative_rmse"] < 0.9
    assert scores["r2"] > 0.2
    assert scores["test_rmse"] > 0
    parts = split(data, Resampling(replications=1), seed=1)
    low, high = (measure_cell(item, parts, parts.folds[0], spec_of(name), seed=3)[0] for item in (small, large))
    assert low["relative_rmse"] == pytest.approx(high["relative_rmse"], rel=0.02)


def test_a_named_learner_equals_a_bare_script() -> None:
    data = load("builtin:friedman1", rows=200)
    parts = split(data, Resampling(replications=1), seed=1)
    fold = parts.folds[0]
    train, held = data.values[fold.train], data.values[fold.validation]
    centre, width = train.mean(axis=0), train.std(axis=0)
    bare = Ridge().fit((train - centre) / width, data.target[fold.train])
    error = metrics.root_mean_squared_error(data.target[fold.validation], bare.predict((held - centre) / width))
    values, details = measure_cell(data, parts, fold, spec_of("ridge"), seed=3)
    assert values["rmse"] == pytest.approx(error, rel=1e-9)
    assert values["model_parameters"] == 11
    assert "confusion" not in details


def test_searches_and_quantiles() -> None:
    data = load("builtin:friedman1", rows=300)
    grid = {"algorithm": "svr", "settings": {"tune": {"space": {"C": [0.01, 10.0], "epsilon": [0.1]}}}}
    parts = split(data, Resampling(replications=1), seed=1)
    values, details = measure_cell(data, parts, parts.folds[0], spec_of(grid), seed=3)
    assert details["tuned"]["settings"]["C"] == 10.0  # type: ignore[index]
    assert values["r2"] > 0.5
    tuned = scores_on(data, spec_of({"algorithm": "ridge", "settings": {"tune": True}}))
    assert tuned["r2"] > 0.5
    high = scores_on(data, spec_of({"algorithm": "boost", "settings": {"quantile": 0.9}}))
    mean = scores_on(data, spec_of("boost"))
    assert high["pinball_0.9"] < mean["pinball_0.9"]
    assert high["pinball_0.1"] > mean["pinball_0.1"]


def test_forms_of_one_name_are_told_apart() -> None:
    one = spec_of("rf")
    (other,) = specs_for([one], [numbers()])
    assert fingerprint(one) != fingerprint(other)
    assert describe("svr").learner.endswith(":SVC")
    assert describe("svr", kind="number").learner.endswith(":SVR")
    assert "epsilon" in str(describe("svr", kind="number"))


def test_nothing_is_undocumented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    part = page[page.index("## Regression") : page.index("## Resampling")]
    for name in (*NUMBER_SCORES, *(entry.name for entry in catalogue("number"))):
        assert f"`{name}`" in part, name
    settings = {setting for entry in catalogue("number") if not entry.extra for setting in entry.settings}
    assert all(setting in page for setting in settings)


# ---- plans


def test_what_does_not_go_together() -> None:
    data, classes = numbers(), load("builtin:monks1")
    with pytest.raises(InputError) as caught:
        check_plan(Plan.of(datasets=[classes, data], algorithms=["5nn"]))
    assert str(caught.value) == (
        "The plan mixes kinds of target: that of 'monks1' is classes, that of 'small' a number. Scores of the two"
        " cannot be compared, and learners are of one kind or the other. Make two plans, each with a store of its own;"
        ' or say what a target is: {source = ..., kind = "classes"} or "number".'
    )
    frame = pl.DataFrame({"x": [i % 7 for i in range(60)], "price": [i / 7 for i in range(60)]})
    column = from_frame(frame, name="homes")
    with pytest.raises(InputError, match=r"that of 'homes' \('price', the last column\) a number\. "):
        check_plan(Plan.of(datasets=[classes, column], algorithms=["5nn"]))
    for algorithm, several, text in (
        ("nb", data, "The learner 'nb' predicts classes, and the target of data set 'small' is a number"),
        ("ridge", classes, "The learner 'ridge' predicts a number, and the target of data set 'monks1' is classes"),
        (LogisticRegression(), data, "'LogisticRegression' is a classifier, and the target of data set 'small' is a"),
        (
            {"import": "sklearn.svm:SVR"},
            classes,
            "'sklearn.svm:SVR' is a regressor, and the target of data set 'monks1'",
        ),
        ({"algorithm": "svr", "settings": {"epsilon": 0.1}}, classes, "There is no 'svr' setting 'epsilon'"),
        ({"algorithm": "svr", "settings": {"probabilities": True}}, data, "There is no 'svr' setting 'probabilities'"),
    ):
        with pytest.raises(OptionError, match=text):
            check_plan(Plan.of(datasets=[several], algorithms=[algorithm]))
    with pytest.raises(OptionError, match="There is no 'svr' setting 'epsilen'"):
        spec_of({"algorithm": "svr", "settings": {"epsilen": 0.1}})


def test_from_toml_to_an_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(90, 2))
    lines = [f"{a:.4f},{b:.4f},{500 + 40 * a + rng.normal():.3f}" for a, b in x]
    (tmp_path / "homes.csv").write_text("\n".join(["size,age,price", *lines]) + "\n")
    (tmp_path / "plan.toml").write_text(
        'datasets = ["homes.csv", "sklearn:diabetes", {source = "builtin:friedman3", rows = 100}]\n'
        'algorithms = ["mean", "ridge", {import = "sklearn.linear_model:HuberRegressor"}]\nresampling = "2x2cv"\n'
    )

    monkeypatch.chdir(tmp_path)

    def told(*words: str) -> str:
        assert main(list(words)) == 0
        return capsys.readouterr().out

    dry = told("run", "plan.toml", "--dry-run")
    assert "price (the last column): a number" in dry
    noted = "homes: target 'price', the last column, 90 different numbers: a regression; for another column say"
    assert noted in " ".join(dry.split())
    ran = told("run", "plan.toml", "--jobs", "1")
    assert "Next: tiebreak order --store results.db --score relative_rmse --cost train_time" in ran
    assert "all 36 cells" in told("run", "plan.toml", "--jobs", "1")
    results = read_store(tmp_path / "results.db", scores=["relative_rmse", "test_rmse", "r2"])
    means = dict(zip(results.algorithms, results.means("relative_rmse").mean(axis=0).tolist(), strict=True))
    assert means["mean"] == pytest.approx(1)
    assert max(means["ridge"], means["HuberRegressor"]) < 0.9
    order = json.loads(told("order", "--store", "results.db", "--score", "rmse", "--cost", "train_time", "--json"))
    assert "scales-differ" not in order["caveat_codes"]  # losses are averaged by their logarithms
    assert "--column metric" not in " ".join(order["caveats"])
    data = json.loads(told("compare", "--store", "results.db", "--score", "relative_rmse", "--json"))
    assert "scales-differ" not in data["caveat_codes"]
    assert main(["recommend", "builtin:iris", "--store", "results.db"]) == 2
    assert "The targets of the data sets in the store results.db are numbers" in capsys.readouterr().err


def test_jobs_do_not_change_scores(tmp_path: Path) -> None:
    plan = Plan.of(datasets=[numbers()], algorithms=["rf", "mlp"], resampling="1x2cv", seed=4)
    for jobs in (1, 2):
        summary = run(plan, store=tmp_path / f"{jobs}.db", jobs=jobs)
        assert (summary.counts["ok"], summary.kind) == (4, "number")
    one, two = (read_store(tmp_path / f"{jobs}.db", scores="rmse").values["rmse"] for jobs in (1, 2))
    assert one.tolist() == two.tolist()


def test_errors_in_one_unit_of_targets_say_so() -> None:
    rows = [
        (d, a, v)
        for d, current in {"a": (2.0, 3.0), "b": (5.0, 6.0)}.items()
        for a, v in zip("xy", current, strict=True)
    ]
    table = tb.Results.from_dict(dict(zip(("dataset", "algorithm", "rmse"), zip(*rows, strict=True), strict=True)))
    compare = tb.compare(table, score="rmse")
    assert "metrics-differ" in {note.code for note in compare.caveats}
    options = tb.compare(table, score="rmse", scale="as-is")
    assert "metrics-differ" not in {note.code for note in options.caveats}


# ---- in Python


def test_estimators_of_numbers() -> None:
    data = load("builtin:friedman1", rows=150)
    estimators = {"mean": DummyRegressor(), "linear": LinearRegression()}
    result = tb.compare_estimators(estimators, data.values, data.target, jobs=1)
    assert isinstance(result, tb.Ordering)
    assert result.order[0] == "linear"
    whole = np.round(data.target)  # few different whole numbers: regressors say what they are
    results = tb.run_estimators(estimators, data.values, whole, resampling="1x2cv", jobs=1)
    assert "rmse" in results.values
    assert "accuracy" not in results.values
    named = tb.run_estimators(["ridge"], data.values, data.target, resampling="1x2cv", jobs=1)
    assert any(note.code == "target-taken-for" for note in named.caveats)
    with pytest.raises(OptionError, match="'bayes' is a classifier, and the target of data set 'data' is a number"):
        tb.compare_estimators({"bayes": GaussianNB(), **estimators}, data.values, data.target)


def test_regressors_are_recommended_for_numbers(tmp_path: Path) -> None:
    file = tmp_path / "homes.csv"
    file.write_text("size,price\n" + "".join(f"{i % 9},{i * 1.37}\n" for i in range(60)))
    recommend = tb.Advisor().recommend(file)
    assert recommend.kind == "number" and "ridge" in recommend.algorithms and "lda" not in recommend.algorithms
    assert recommend.target == "Target 'price', the last column: a number to predict"
    assert "relative_rmse there" in recommend.rows()[0]
    with pytest.raises(InputError, match=r"^The target is a number, and what is known are results on classes"):
        tb.Advisor(shipped_knowledge()).recommend(file)
    recommend = tb.Advisor().recommend(file, target="size")
    assert recommend.target == "Target 'size': 9 classes" and recommend.kind == "classes"
    assert "Target 'size', named by the user: 9 classes" in str(recommend.document())


def test_a_run_stores_what_describes_numbers(tmp_path: Path) -> None:
    store = tmp_path / "numbers.db"
    plan = Plan.of(
        datasets=[{"source": "builtin:friedman1", "rows": 60}], algorithms=["mean", "linear"], resampling="1x2cv"
    )
    run(plan, store=store)
    with open_store(store) as opened:
        row = opened.data_sets()[0]
    data = load("builtin:friedman1", rows=60)
    assert row.meta_version == str(NUMBER_META_VERSION)
    assert row.meta == {NUMBER_TARGET: 1, **characterise(data, groups="all")}
    with open_store(store) as opened:  # as an older version left it
        opened.add_data_set(replace(row, meta={NUMBER_TARGET: 1}, meta_version="1"))
    assert store_knowledge(store).meta.measures == ()
    run(plan, store=store)
    assert "linear_r2" in store_knowledge(store).meta.measures


def test_a_store_with_both_kinds_of_targets_is_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "both.db"
    with open_store(path) as store:
        for mark, options in (
            ("c", {"classes": ("no", "yes")}),
            ("n", {"meta": {NUMBER_TARGET: 1}, "meta_version": "1"}),
        ):
            for name in (f"{mark}1", f"{mark}2"):
                store.add_data_set(DataSetRow(name=name, fingerprint=name, **options))  # type: ignore[arg-type]
            for name in (f"a{mark}", f"b{mark}"):
                store.add_algorithm(AlgorithmRow(name=name, fingerprint=name))
            keys = [CellKey(f"{mark}{i}", f"{item}{mark}", "cv", 0, 1, 1) for i in (1, 2) for item in "ab"]
            score = "error" if mark == "c" else "rmse"
            ids = store.add_cells(keys)
            store.finish([CellOutcome(cell=cell, status="ok", values={score: 0.1 + cell / 10}) for cell in ids])
    for verb in (tb.compare, tb.order):
        with pytest.raises(OptionError) as caught:
            verb(str(path), score="error", **({"prior": ["ac", "bc"]} if verb is tb.order else {}))
        assert str(caught.value) == (
            f"The store {path} holds data sets of two kinds: 2 with classes ('c1', 'c2') and 2 with a number to "
            "predict ('n1', 'n2'). Choose"
            " one kind: datasets=['c1', 'c2'], or the others."
        )
    assert tb.compare(str(path), score="rmse", datasets=["n1", "n2"]).algorithms == ("an", "bn")
    assert tb.compare(str(path), score="error", algorithms=["ac", "bc"]).datasets == ("c1", "c2")
