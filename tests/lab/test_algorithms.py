"""Encoding inside the fold, the catalogue, specifications, and the small learners of our own."""

from __future__ import annotations

import subprocess
import sys
import warnings
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

pytest.importorskip("sklearn", reason="the lab's learners are scikit-learn estimators")

from scipy.stats import multivariate_normal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from tiebreak.datasets import DataSet
from tiebreak.errors import TiebreakError
from tiebreak.lab.algorithms import catalogue
from tiebreak.lab.algorithms.base import EmptyToZero
from tiebreak.lab.algorithms.building import build
from tiebreak.lab.algorithms.encoding import encoder
from tiebreak.lab.algorithms.generative import MixedNaiveBayes, RegularisedDiscriminant
from tiebreak.lab.algorithms.learners import describe
from tiebreak.lab.algorithms.perceptrons import SizedPerceptron
from tiebreak.lab.algorithms.specs import fingerprint, spec_of, spec_text
from tiebreak.lab.algorithms.trees import RuleList
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.papers import keys

from ..every import every

NAMES = [entry.name for entry in catalogue() if not entry.extra or find_spec(entry.learner.partition(":")[0])]


def mixed_data(n: int = 120, *, seed: int = 0) -> DataSet:
    """Numbers, symbols, gaps; a symbol with a value per row, a constant, an empty column of either kind."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    columns = [
        rng.normal(size=n) + y,
        (y + (rng.random(n) < 0.3)) % 4,
        np.arange(n),
        np.full(n, np.nan),
        np.full(n, np.nan),
        np.full(n, 2.5),
        rng.integers(0, 2, n),
    ]
    values = np.column_stack(columns).astype(float)
    values[rng.random(values.shape) < 0.08] = np.nan
    return DataSet.from_arrays(values, y, symbolic=[False, True, True, True, False, False, True])


# -- encoding ------------------------------------------------------------------------------------------------------


def test_what_the_encoder_knows_comes_from_the_rows_it_was_fitted_on() -> None:
    data = mixed_data()
    train = np.arange(40)
    fitted = encoder(data).fit(data.values[train])
    impute, scale = fitted.named_transformers_["numeric"]
    numbers = data.values[np.ix_(train, [0, 4, 5])]
    assert impute.statistics_[0] == np.nanmedian(numbers[:, 0])
    filled = np.where(np.isnan(numbers[:, 0]), impute.statistics_[0], numbers[:, 0])
    assert scale.mean_[0] == pytest.approx(filled.mean(), rel=1e-12)
    seen = fitted.named_transformers_["symbolic"].categories_
    for place, column in enumerate([1, 2, 3, 6]):
        np.testing.assert_array_equal(seen[place], np.unique(data.values[train, column]))


def test_changing_unseen_rows_changes_nothing() -> None:
    data = mixed_data()
    train = np.arange(40)
    values = data.values.copy()
    values[40:] = 99.0
    other = encoder(data).fit(values[train]).transform(data.values[train])
    np.testing.assert_array_equal(encoder(data).fit(data.values[train]).transform(data.values[train]), other)


def test_numbers_symbols_gaps_and_unseen_values() -> None:
    data = DataSet.from_arrays([[1, 0], [3, 1], [np.nan, np.nan], [5, 2]], "abab", symbolic=[False, True])
    transform = encoder(data, scale=False).fit(data.values[:3]).transform(data.values)
    assert transform.tolist() == [[1, 1, 0, 0], [3, 0, 1, 0], [2, 0, 0, 1], [5, 0, 0, 0]]
    codes = encoder(data, symbolic="codes").fit(data.values[:2]).transform(data.values)
    np.testing.assert_array_equal(codes, [[1, 0], [3, 1], [np.nan, np.nan], [5, np.nan]])


def test_constant_and_empty_columns_become_zero_and_are_finite() -> None:
    data = mixed_data()
    transform = encoder(data).fit(data.values[:60]).transform(data.values)
    assert np.isfinite(transform).all()
    assert (transform[:, 1:3] == 0).all()


def test_a_symbol_with_many_values_is_spread_over_a_bounded_number_of_columns() -> None:
    data = DataSet.from_arrays(np.arange(1000.0).reshape(-1, 1), np.arange(1000) % 2, symbolic=[True])
    assert encoder(data).fit(data.values).transform(data.values).shape == (1000, 100)
    codes = encoder(data, symbolic="codes").fit(data.values).transform(data.values)
    assert np.nanmax(codes) < 250


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(TiebreakError) as caught:
        encoder(mixed_data(), symbolic="ordinal")
    assert str(caught.value) == "There is no encoding 'ordinal'. Known here: 'onehot', 'codes'."


# -- the catalogue --------------------------------------------------------------------------------------------------


def test_every_entry_says_what_it_is() -> None:
    for entry in catalogue():
        assert entry.description.endswith(".") and entry.papers and entry.encoding
        assert set(entry.papers) <= set(keys())
        assert all(setting.accepts(setting.default) for setting in entry.settings.values())
        assert bool(entry.grid) == ("tune" in entry.settings)
        assert all(name in str(entry) for name in entry.settings)


@pytest.mark.parametrize("name", NAMES)
def test_every_learner_takes_numbers_symbols_gaps_and_empty_columns(name: str) -> None:
    data = mixed_data()
    model = build(spec_of(name), data, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(data.values[:80], data.target[:80])
    least = 0.35 if name == "mlp-online" else 0.4  # 50 epochs at its small steps teach little on 80 rows
    assert (model.predict(data.values[80:]) == data.target[80:]).mean() > least


@pytest.mark.parametrize("name", NAMES)
def test_every_learner_learns_what_is_easy(name: str) -> None:
    rng = np.random.default_rng(2)
    y = np.arange(150) % 3
    data = DataSet.from_arrays(rng.normal(size=(150, 3)) + 4 * np.eye(3)[y], y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = build(spec_of(name), data, seed=1).fit(data.values[:100], y[:100])
    least = 0.4 if name == "sv2-homogeneous" else 0.9  # it cannot distinguish x from -x
    assert (model.predict(data.values[100:]) == y[100:]).mean() > least


@every("name", [entry.name for entry in catalogue() if entry.grid and not entry.extra])
def test_tuning_searches_the_documented_grid_with_the_encoder_inside(name: str) -> None:
    data = mixed_data()
    search = build(spec_of({"name": name, "settings": {"tune": True}}), data, seed=3)
    grid = describe(name).grid
    tried = {key.removeprefix("learn__"): tuple(values) for key, values in search.param_grid.items()}
    renamed = {"prune": "ccp_alpha", "k": "n_neighbors"}
    most = data.n_rows // 6
    assert tried == {
        renamed.get(key, key): tuple(v for v in values if key != "k" or v <= most) for key, values in grid.items()
    }
    assert [step for step, _ in search.estimator.steps] == ["encode", "learn"]
    assert search.n_jobs == 1


def test_the_svm_ranges_are_those_of_the_libsvm_guide() -> None:
    """Hsu, Chang and Lin (2003), section 3.2: C = 2^-5 to 2^15, gamma = 2^-15 to 2^3."""
    grid = describe("svr").grid
    assert (min(grid["C"]), max(grid["C"])) == (2**-5, 2**15)
    assert (min(grid["gamma"]), max(grid["gamma"])) == (2**-15, 2**3)


def test_margins_become_probabilities_on_demand() -> None:
    data = mixed_data()
    model = build(spec_of({"name": "svr", "settings": {"probabilities": True}}), data, seed=1)
    shares = model.fit(data.values, data.target).predict_proba(data.values)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert not hasattr(build(spec_of("svr"), data, seed=1), "predict_proba")


def test_the_hidden_layer_has_half_of_columns_and_classes() -> None:
    data = DataSet.from_arrays(
        np.column_stack([np.arange(60.0), np.arange(60) % 5]), np.arange(60) % 2, symbolic=[False, True]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = build(spec_of("mlp"), data, seed=1).fit(data.values, data.target)
    assert model["learn"].model_.hidden_layer_sizes == (4,)  # D = 1 + 5, K = 2


# -- specifications -------------------------------------------------------------------------------------------------


class Thrower(ClassifierMixin, BaseEstimator):
    def __init__(self, side=None, random_state=None):
        self.side = side
        self.random_state = random_state

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_what_a_plan_may_hold() -> None:
    assert spec_of("c45") == AlgorithmSpec(name="c45", path="c45")
    assert spec_of({"name": "svr", "settings": {"C": 10.0}}).settings == {"C": 10.0}
    assert spec_of({"algorithm": "svr", "name": "svr 10"}).path == "svr"
    path = "sklearn.ensemble:ExtraTreesClassifier"
    assert spec_of({"import": path, "name": "xt"}) == AlgorithmSpec(name="xt", source="import", path=path)
    assert spec_of(SVC()).name == "SVC" and spec_of(SVC()).source == "object"
    assert spec_of({"object": SVC(), "name": "mine", "settings": {"scale": False}}).name == "mine"
    assert spec_of(AlgorithmSpec(name="c45")).name == "c45"


@every(
    ("value", "message"),
    [
        (
            "c4.5",
            "There is no learner 'c4.5'. Known here: 'c45', 'mdt', 'mlp', 'lnp', 'svl', 'sv2', 'svr', '5nn' and 19 "
            "more. Did you mean 'c45'? Any scikit-learn estimator can be given by import path: "
            '{"import": "package.module:Class"}.',
        ),
        (
            {"name": "knn", "settings": {"tuned": True}},
            "There is no 'knn' setting 'tuned'. Known here: 'k', 'tune'. Did you mean 'tune'?",
        ),
        (
            {"name": "5nn", "settings": {"k": 3}},
            "There is no '5nn' setting 'k'. It has none. Leave the settings out.",
        ),
        (
            {"name": "rf", "settings": {"trees": 0}},
            "The setting 'trees' of 'rf' is 0. It is how many trees: a whole number from 1. Leave it out for 100.",
        ),
        (
            {"nmae": "rf"},
            "There is no key of an algorithm 'nmae'. Known here: 'name', 'algorithm', 'import', 'object', 'settings'. "
            "Did you mean 'name'?",
        ),
        (
            {"settings": {}},
            "An algorithm is given as {'settings': {}}. Nothing in it says which one is meant. "
            'Name it, as in {"name": "svr"}, or give its path: {"import": "package.module:Class"}.',
        ),
        (
            {"name": "rf", "settings": [1]},
            "The settings of 'rf' are [1]. Settings are names with values. "
            'Write them as a table: {"name": "svr", "settings": {"C": 10.0}}.',
        ),
        (
            {"import": "sklearn.svm.SVC"},
            "The import path of 'sklearn.svm.SVC' is 'sklearn.svm.SVC'. A module and a class, with a colon between "
            'them, are needed. Write it as "sklearn.ensemble:ExtraTreesClassifier".',
        ),
        (
            {"import": "sklearn.svm:SVX"},
            "'sklearn.svm:SVX' cannot be imported: module 'sklearn.svm' has no attribute 'SVX'. The algorithm 'SVX' "
            "is to be found there. Install the package, or correct the path (package.module:Class).",
        ),
        (
            {"import": "tiebreak.lab.algorithms:RuleList", "settings": {"bin": 3}},
            "There is no 'tiebreak.lab.algorithms:RuleList' setting 'bin'. Known here: 'bins', 'max_conditions', "
            "'max_rules', 'random_state', 'encode', 'scale', 'tune'. Did you mean 'bins'?",
        ),
        (
            {"import": "fractions:Fraction"},
            "'fractions:Fraction' is not a learner. An estimator has fit, predict and get_params, as in "
            "scikit-learn. Give the path of such a class.",
        ),
        (
            {"import": "sklearn.svm:SVC", "settings": {"encode": "no"}},
            "The setting 'encode' of 'SVC' is 'no'. It says whether attributes are encoded, or scaled, before the "
            "learner sees them. Use encode=True or encode=False.",
        ),
        (
            {"object": SVC(), "settings": {"C": 1.0}},
            "There is no setting of ours for objects 'C'. Known here: 'encode', 'scale', 'tune'. "
            "Set its own parameters on the object.",
        ),
        (
            7,
            "An algorithm is given as 7. A learner is a name, a table, or an estimator object with fit, predict and "
            'get_params. Pass "c45", {"import": "package.module:Class"}, or an instance such as SVC().',
        ),
    ],
)
def test_what_is_wrong_is_said_before_anything_runs(value: object, message: str) -> None:
    with pytest.raises(TiebreakError) as caught:
        spec_of(value)
    assert str(caught.value) == message


def test_fingerprints_tell_learners_apart_and_nothing_else() -> None:
    same = [
        ("svr", {"name": "svr", "settings": {"C": 1.0}}),
        ("svr", {"algorithm": "svr", "name": "another name"}),
        (SVC(C=2.0), SVC(C=2.0)),
        (SVC(C=2.0), {"object": SVC(C=2.0), "name": "x"}),
    ]
    for one, other in same:
        assert fingerprint(spec_of(one)) == fingerprint(spec_of(other))
    different = [
        "svr",
        "svl",
        {"name": "svr", "settings": {"C": 2.0}},
        SVC(),
        SVC(C=2.0),
        {"object": SVC(), "settings": {"encode": False}},
        {"import": "sklearn.svm:SVC"},
        {"import": "sklearn.svm:SVC", "settings": {"C": 2.0}},
        make_pipeline(StandardScaler(), SVC()),
        make_pipeline(StandardScaler(), SVC(C=2.0)),
    ]
    assert len({fingerprint(spec_of(value)) for value in different}) == len(different)


def test_arrays_functions_and_sets_have_stable_texts() -> None:
    long = np.arange(5000.0)
    changed = long.copy()
    changed[2500] = -1
    assert fingerprint(spec_of(Thrower(side=long))) == fingerprint(spec_of(Thrower(side=long.copy())))
    assert fingerprint(spec_of(Thrower(side=long))) != fingerprint(spec_of(Thrower(side=changed)))
    assert "0x" not in spec_text(spec_of(Thrower(side=len)))
    code = (
        "from sklearn.svm import SVC; from tiebreak.lab.algorithms import spec_of;"
        "from tiebreak.lab.algorithms.specs import fingerprint;"
        "print(fingerprint(spec_of(SVC(class_weight={0: 1, 1: 2}))), fingerprint(spec_of('knn')))"
    )
    seed = {"PYTHONHASHSEED": "1"}  # sets have another order there than here
    stdout = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=seed).stdout
    assert stdout.split() == [fingerprint(spec_of(SVC(class_weight={0: 1, 1: 2}))), fingerprint(spec_of("knn"))]


def test_foreign_learners_are_put_behind_the_encoder_unless_they_need_none() -> None:
    data = mixed_data()
    numbers = DataSet.from_arrays([[0.0], [np.nan], [1.0]], [0, 1, 0])
    plain = {"import": "sklearn.linear_model:LogisticRegression"}
    assert build(spec_of(plain), data, seed=1).steps[0][0] == "encode"
    assert isinstance(build(spec_of({**plain, "settings": {"encode": False}}), data, seed=1), LogisticRegression)
    boosted = HistGradientBoostingClassifier()
    assert isinstance(build(spec_of(boosted), numbers, seed=1), HistGradientBoostingClassifier)
    assert build(spec_of(boosted), data, seed=1).steps[0][0] == "encode"


def test_every_random_state_left_open_gets_the_seed() -> None:
    data = mixed_data()
    open_one = build(spec_of(ExtraTreesClassifier(n_estimators=3)), data, seed=11)
    assert open_one.get_params()["learn__random_state"] == 11
    fixed = build(spec_of(ExtraTreesClassifier(random_state=5)), data, seed=11)
    assert fixed.get_params()["learn__random_state"] == 5
    nested = build(spec_of(make_pipeline(StandardScaler(), SVC())), data, seed=2**32 + 3)
    assert nested.get_params()["learn__svc__random_state"] == 3
    assert build(spec_of("rf"), data, seed=4).get_params()["learn__random_state"] == 4


def test_importing_names_and_specs_loads_no_library() -> None:
    code = (
        "import sys, tiebreak.lab.algorithms as a; from tiebreak.lab.algorithms.specs import fingerprint;"
        "a.catalogue(); a.spec_of('c45'); fingerprint(a.spec_of('c45'));"
        "import tiebreak.lab.one_cell; print([m for m in ('sklearn', 'pandas', 'scipy.stats') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


# -- learners of our own --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator",
    [RuleList(), MixedNaiveBayes(), RegularisedDiscriminant(), SizedPerceptron(), EmptyToZero()],
    ids=lambda e: type(e).__name__,
)
def test_scikit_learns_estimator_checks_pass_whole(estimator: BaseEstimator) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks warn about checks they skip, and train too briefly
        results = check_estimator(estimator, on_fail=None)
    assert [result["check_name"] for result in results if result["status"] not in {"passed", "skipped"}] == []
    assert {result["check_name"] for result in results if result["status"] == "skipped"} <= {"check_array_api_input"}


def test_naive_bayes_equals_scikit_learns_on_numbers_and_on_counts() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 200)
    numbers = rng.normal(size=(200, 4)) + y[:, None]
    proba = MixedNaiveBayes(floor=1e-12).fit(numbers, y).predict_proba(numbers)
    np.testing.assert_allclose(proba, GaussianNB(var_smoothing=1e-12).fit(numbers, y).predict_proba(numbers), rtol=1e-8)
    symbols = rng.integers(0, 4, size=(200, 3)).astype(float)
    symbols[:4] = np.arange(4)[:, None]
    proba = MixedNaiveBayes(symbolic=[True] * 3).fit(symbols, y).predict_proba(symbols)
    np.testing.assert_allclose(proba, CategoricalNB().fit(symbols, y).predict_proba(symbols), rtol=1e-10)


def test_naive_bayes_leaves_missing_and_unseen_values_out() -> None:
    rows = np.array([[0.0, 0], [0.2, 0], [3.0, 1], [3.3, 1]])
    model = MixedNaiveBayes(symbolic=[False, True]).fit(rows, [0, 0, 1, 1])
    np.testing.assert_allclose(model.predict_proba([[np.nan, np.nan], [np.nan, 7]]), 0.5)
    alone = MixedNaiveBayes().fit(rows[:, :1], [0, 0, 1, 1]).predict_proba([[0.1]])
    np.testing.assert_allclose(model.predict_proba([[0.1, np.nan]]), alone)


def test_the_discriminant_is_bayes_rule_with_normal_densities() -> None:
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], [80, 40])
    x = rng.normal(size=(120, 3)) * np.where(y == 1, 2.0, 0.5)[:, None] + y[:, None]
    parts = [x[y == k] for k in (0, 1)]
    joint = [
        np.log(len(p) / 120) + multivariate_normal(p.mean(axis=0), np.cov(p.T, bias=True)).logpdf(x) for p in parts
    ]
    expected = 1 / (1 + np.exp(joint[0] - joint[1]))
    current = RegularisedDiscriminant(pooling=0.0, ridge=0.0).fit(x, y).predict_proba(x)[:, 1]
    np.testing.assert_allclose(current, expected, rtol=1e-9)


def test_the_discriminant_stays_regular_with_a_class_of_one_row_and_copies_of_columns() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(41, 2))
    x = np.column_stack([x, x, np.zeros(41)])
    y = np.r_[np.arange(40) % 2, 2]
    assert np.isfinite(RegularisedDiscriminant().fit(x, y).predict_proba(x)).all()
    with pytest.raises(TiebreakError) as caught:
        RegularisedDiscriminant(ridge=0.0).fit(x, y)
    assert str(caught.value) == (
        "The covariance of a class is singular (pooling=0.01, ridge=0.0). Its density would be infinite in some "
        "direction. Use a ridge above 0, such as ridge=0.01."
    )


def test_rules_find_a_conjunction() -> None:
    rng = np.random.default_rng(6)
    x = rng.random((600, 6))
    y = (x[:, 1] > 0.5) & (x[:, 4] <= 0.4)
    model = RuleList(random_state=0).fit(x, y)
    fresh = rng.random((2000, 6))
    assert model.score(fresh, (fresh[:, 1] > 0.5) & (fresh[:, 4] <= 0.4)) > 0.96
    column, value, above = max(model.rules_[0])
    assert (column, above) == (4, False) and value == pytest.approx(0.4, abs=0.05)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.integers(0, 1000))
def test_rules_do_not_depend_on_monotone_scales(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 12, (80, 3)).astype(float), rng.integers(0, 3, 80)
    one = RuleList(random_state=1).fit(x, y).predict(x)
    other = RuleList(random_state=1).fit(np.exp(x / 3), y).predict(np.exp(x / 3))
    assert (one == other).all()


def test_rules_on_pure_noise_are_few_and_no_better_than_chance() -> None:
    rng = np.random.default_rng(7)
    x, y = rng.random((1000, 5)), rng.integers(0, 2, 1000)
    fresh = rng.random((4000, 5))
    score = RuleList(random_state=0).fit(x, y).score(fresh, rng.integers(0, 2, 4000))
    assert abs(score - 0.5) < 0.03


@pytest.mark.parametrize(("name", "low", "usual"), [("bins", 2, 32), ("max_rules", 1, 50), ("max_conditions", 1, 12)])
def test_rule_settings_that_mean_nothing_are_refused(name: str, low: int, usual: int) -> None:
    with pytest.raises(TiebreakError) as caught:
        RuleList(**{name: low - 1}).fit([[0.0], [1.0]], [0, 1])
    assert str(caught.value) == f"{name} is {low - 1}. At least {low} is needed to learn anything. Use {name}={usual}."
