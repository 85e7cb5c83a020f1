"""Meta-attributes: hand-made examples, other programs' values, second routes, invariances, degenerate data."""

from __future__ import annotations

import pickle
from math import log2, sqrt

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.attributes import ATTRIBUTES, catalogue, characterise
from tiebreak.attributes.catalogue import (
    DEFAULT_MEASURES,
    GROUPS,
    META_VERSION,
    PAPER_MEASURES,
    groups_of,
)
from tiebreak.attributes.class_measures import Summaries, decile_codes, entropy, shared_entropies
from tiebreak.attributes.measuring import MetaAttributes
from tiebreak.attributes.numeric_columns import kept_ranks, numeric_columns
from tiebreak.datasets import DataSet
from tiebreak.errors import InputError, OptionError

SEEDS = st.integers(0, 2**32 - 1)
EXACT_GROUPS = ("paper", "simple")
CAREFULLY = settings(derandomize=True, deadline=None, max_examples=25)


def mixed(rows: int = 60, *, seed: int = 0, gaps: float = 0.1) -> DataSet:
    """Three numeric and two symbolic attributes, three classes, some gaps."""
    rng = np.random.default_rng(seed)
    target = np.arange(rows) % 3
    numbers = rng.normal(size=(rows, 3)) + target[:, None] * [1.0, 0.0, -0.5]
    symbols = np.stack([(target + rng.integers(0, 2, rows)) % 4, rng.integers(0, 3, rows)], axis=1)
    values = np.concatenate([numbers, symbols.astype(float)], axis=1)
    values[rng.random(values.shape) < gaps] = np.nan
    return DataSet.from_arrays(values, target, symbolic=[False] * 3 + [True] * 2, name="mixed")


def numeric(values, target) -> DataSet:
    return DataSet.from_arrays(values, target)


def applying(data: DataSet, groups=EXACT_GROUPS) -> dict[str, float]:
    """Return the meta-attributes that apply, those that do not as -1."""
    return {name: -1.0 if value is None else value for name, value in characterise(data, groups=groups).items()}


# What is documented ---------------------------------------------------------------------------------------------------


def test_every_attribute_of_every_group_is_documented_and_nothing_else():
    attributes = characterise(mixed(), groups="all")
    assert tuple(attributes) == tuple(name for name, one in ATTRIBUTES.items() if "classes" in one.kinds)
    assert {one.group for one in ATTRIBUTES.values()} == set(GROUPS)
    described = str(catalogue.__doc__)
    assert [line.split(":")[0][2:] for line in described.splitlines() if line.startswith("- ")] == list(ATTRIBUTES)


@pytest.mark.parametrize("group", groups_of("classes"))
def test_a_group_gives_its_own_attributes_and_its_time(group):
    attributes = characterise(mixed(), groups=(group,))
    current = {name: one for name, one in ATTRIBUTES.items() if "classes" in one.kinds}
    assert tuple(attributes) == tuple(name for name, one in current.items() if one.group == group)
    assert attributes.groups == (group,)
    assert dict(attributes.seconds)[group] >= 0
    assert attributes.version == META_VERSION


def test_the_seven_and_the_default_five():
    assert PAPER_MEASURES == (
        "n_examples",
        "prop_symbolic",
        "prop_missing",
        "prop_outliers",
        "class_entropy",
        "mutual_information",
        "canonical_correlation",
    )
    assert DEFAULT_MEASURES == (
        "n_examples",
        "prop_symbolic",
        "prop_outliers",
        "class_entropy",
        "canonical_correlation",
    )


# By hand --------------------------------------------------------------------------------------------------------------


def test_the_seven_by_hand():
    data = DataSet.from_arrays(
        [[1.0, 0], [2.0, 0], [np.nan, 1], [4.0, 1], [5.0, np.nan]], list("aabbb"), symbolic=[False, True]
    )
    attributes = characterise(data)
    # attribute 1 with its gap at the mean 3: class means 1.5 and 4, B = 2 * 1.5^2 + 3 * 1 = 7.5, W = 0.5 + 2 = 2.5
    assert dict(attributes) == pytest.approx(
        {
            "n_examples": 5.0,
            "prop_symbolic": 0.5,
            "prop_missing": 0.2,
            "prop_outliers": 0.0,
            "class_entropy": -(0.4 * log2(0.4) + 0.6 * log2(0.6)),
            "mutual_information": 1.0,  # on the four rows where it is present the symbol is the class
            "canonical_correlation": sqrt(3.0 / 4.0),  # l = B / W = 3
        },
        rel=1e-12,
    )
    assert attributes.reasons == ()


def test_mutual_information_is_a_mean_over_symbolic_attributes():
    values = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]]
    attributes = characterise(DataSet.from_arrays(values, list("aabb"), symbolic=[True] * 3))
    assert attributes["mutual_information"] == pytest.approx(1 / 3)  # one tells all, one nothing, one is constant


@pytest.mark.parametrize(
    ("count", "kept"),
    [(1, (1, 1)), (19, (1, 19)), (20, (2, 19)), (21, (2, 20)), (39, (2, 38)), (40, (3, 38)), (41, (3, 39))],
)
def test_which_ranks_trimming_keeps(count, kept):
    v, integer = (count // 20, True) if count % 20 == 0 else (-(-count // 20), False)
    by_rule = (v + 1, count - v) if integer else (v, count - v + 1)
    first, last = kept_ranks(count)
    assert (first + 1, last + 1) == by_rule == kept


def test_outliers_by_the_rule_of_the_tool():
    calm = np.arange(40.0)
    wild = calm.copy()
    wild[[0, 7]] = -300.0, 400.0  # both are trimmed: ranks 3 to 38 stay
    attributes = characterise(numeric(np.stack([calm, wild], axis=1), np.arange(40) % 2))
    assert attributes["prop_outliers"] == 0.5


def test_outlier_ratio_equals_sorting_and_cutting():
    rng = np.random.default_rng(3)
    values = np.stack([rng.normal(size=333), rng.standard_cauchy(333), rng.exponential(size=333) ** 3], axis=1)
    values[rng.random(values.shape) < 0.07] = np.nan
    columns = numeric_columns(values, np.zeros(3, dtype=bool))
    for place, column in enumerate(values.T):
        ordered = np.sort(column[~np.isnan(column)])
        first, last = kept_ranks(len(ordered))
        ratio = ordered[first : last + 1].std(ddof=1) / ordered.std(ddof=1)
        assert columns.trimmed_ratio[place] == pytest.approx(ratio, rel=1e-11)
        assert columns.mean[place] == pytest.approx(ordered.mean(), rel=1e-11)
        assert columns.sd[place] == pytest.approx(ordered.std(ddof=1), rel=1e-11)
    assert columns.outliers.tolist() == [False, True, True]


# Other programs -------------------------------------------------------------------------------------------------------
# pymfe 0.4.4 with scikit-learn 1.9.1, Python 3.11:
#   MFE(features=["class_ent", "can_cor"], summary=["max"]).fit(X, y, transform_num=False).extract()
# can_cor comes from an iteration (scikit-learn's CCA) that stops at 1e-6.
PYMFE = {
    "iris": (1.584962500721156, 0.9848208927389822),
    "wine": (1.5668222768551812, 0.9491076329690068),
    "breast_cancer": (0.9526351224018599, 0.8799571879598335),
    "digits": (3.3217753538402386, 0.9399500306439311),
}


@pytest.mark.parametrize("name", PYMFE)
def test_equals_pymfe(name):
    datasets = pytest.importorskip("sklearn.datasets", reason="scikit-learn brings the data")
    values, target = getattr(datasets, f"load_{name}")(return_X_y=True)
    attributes = characterise(numeric(values, target))
    class_entropy, correlation = PYMFE[name]
    assert (attributes["n_examples"], attributes["prop_symbolic"]) == (len(values), 0.0)
    assert attributes["class_entropy"] == pytest.approx(class_entropy, rel=1e-14)
    assert attributes["canonical_correlation"] == pytest.approx(correlation, abs=1e-5)


def test_equals_pymfe_on_symbols():
    rng = np.random.default_rng(7)
    values = rng.integers(0, 4, (200, 3))
    target = (values[:, 0] + rng.integers(0, 3, 200)) % 3
    attributes = characterise(DataSet.from_arrays(values, target, symbolic=[True] * 3), groups=("paper",))
    # scikit-learn 1.9: numpy.mean([mutual_info_score(X[:, i], y) for i in range(3)]) / numpy.log(2)
    assert attributes["mutual_information"] == pytest.approx(0.01800527834304775, rel=1e-12)
    # pymfe: MFE(features=["class_ent"]).fit(X.astype(str).astype(object), y, cat_cols=[0, 1, 2]).extract()
    assert attributes["class_entropy"] == pytest.approx(1.5808786445478213, rel=1e-12)


def test_the_canonical_correlations_of_iris_are_the_printed_ones():
    datasets = pytest.importorskip("sklearn.datasets", reason="scikit-learn brings the data")
    canonical = Summaries(numeric(*datasets.load_iris(return_X_y=True))).canonical
    # SAS/STAT User's Guide, The CANDISC Procedure, example "Fisher iris data": 0.984821 and 0.471197.
    assert canonical.round(6).tolist() == [0.984821, 0.471197]


# Second routes --------------------------------------------------------------------------------------------------------


def brute_force_correlation(values, target) -> float:
    """Solve for the largest eigenvalue of W^-1 B, attributes as they are."""
    within = np.zeros((values.shape[1],) * 2)
    between = np.zeros_like(within)
    for one in np.unique(target):
        part = values[target == one]
        inner = part - part.mean(axis=0)
        shift = part.mean(axis=0) - values.mean(axis=0)
        within += inner.T @ inner
        between += len(part) * np.outer(shift, shift)
    root = float(np.linalg.eigvals(np.linalg.solve(within, between)).real.max())
    return sqrt(root / (1 + root))


@CAREFULLY
@given(seed=SEEDS, attributes=st.integers(1, 6), classes=st.integers(2, 5))
def test_canonical_correlation_by_brute_force(seed, attributes, classes):
    rng = np.random.default_rng(seed)
    target = np.arange(50) % classes
    values = rng.normal(size=(50, attributes)) * 10.0 ** rng.integers(-3, 4, attributes) + 5.0
    values[:, 0] += target * values[:, 0].std()
    correlation = characterise(numeric(values, target))["canonical_correlation"]
    assert correlation == pytest.approx(brute_force_correlation(values, target), rel=1e-8)


def test_more_attributes_than_rows_takes_the_other_matrix_and_gives_the_same():
    rng = np.random.default_rng(5)
    target = np.arange(12) % 2
    narrow = rng.normal(size=(12, 3)) + target[:, None]
    wide = narrow @ rng.normal(size=(3, 20))  # rank three, so nothing is fitted by chance
    expected = characterise(numeric(narrow, target))["canonical_correlation"]
    attributes = characterise(numeric(wide, target))
    assert attributes["canonical_correlation"] == pytest.approx(expected, rel=1e-9)
    assert attributes.caveats == (
        "20 numeric attributes that vary and 12 rows: some combination of the attributes fits any class, so the"
        " canonical correlation says nothing (it is 1 unless attributes depend on each other).",
    )


def test_dependent_attributes_change_nothing():
    rng = np.random.default_rng(6)
    target = np.arange(40) % 3
    values = rng.normal(size=(40, 3)) + target[:, None]
    more = np.concatenate([values, values[:, :1] * 3 - 1, values.sum(axis=1, keepdims=True)], axis=1)
    assert characterise(numeric(more, target))["canonical_correlation"] == pytest.approx(
        characterise(numeric(values, target))["canonical_correlation"], rel=1e-9
    )


def test_a_perfect_separation_is_correlation_one():
    target = np.arange(20) % 2
    assert characterise(numeric(target[:, None] * 7.0, target))["canonical_correlation"] == pytest.approx(1.0)


def test_blocks_change_nothing(monkeypatch):
    data = mixed(700, gaps=0.05)
    whole = characterise(data, groups=EXACT_GROUPS)
    monkeypatch.setattr("tiebreak.attributes.numeric_columns._BLOCK", 1)
    monkeypatch.setattr("tiebreak.attributes.numeric_columns._BLOCK", 1)
    assert dict(characterise(data, groups=EXACT_GROUPS)) == pytest.approx(dict(whole), rel=1e-10)


def test_many_classes_take_the_other_sums():
    rng = np.random.default_rng(8)
    target = np.arange(400) % 80
    values = rng.normal(size=(400, 3)) + rng.normal(size=80)[target][:, None]
    correlation = characterise(numeric(values, [f"{i:02}" for i in target]))["canonical_correlation"]
    assert correlation == pytest.approx(brute_force_correlation(values, target), rel=1e-9)


def test_entropy_of_rare_pairs_needs_no_table():
    rng = np.random.default_rng(9)
    codes, target = rng.permutation(3000).astype(float), rng.integers(0, 500, 3000)
    entropies = shared_entropies(codes, target, np.bincount(target))
    assert entropies is not None
    assert entropies.joint == pytest.approx(log2(3000), rel=1e-12)
    assert entropies.information == pytest.approx(entropy(np.bincount(target)), rel=1e-12)


def test_deciles_count_the_tenths_below():
    rng = np.random.default_rng(10)
    column = np.round(rng.normal(size=237), 1)
    column[::9] = np.nan
    known = column[~np.isnan(column)]
    expected = [np.nan if np.isnan(x) else int(10 * np.sum(known < x) // len(known)) for x in column]
    np.testing.assert_array_equal(decile_codes(column), expected)


def test_simple_by_hand():
    data = DataSet.from_arrays(
        [[1.0, 0, 5], [2.0, 0, 5], [np.nan, 1, np.nan], [4.0, 2, 5], [5.0, 2, 5]], list("aabbb"), symbolic=[0, 1, 0]
    )
    assert dict(characterise(data, groups=("simple",))) == pytest.approx(
        {
            "n_attributes": 3,
            "n_numeric": 2,
            "n_symbolic": 1,
            "n_classes": 2,
            "log_n_examples": 0.6989700043360189,
            "dimensionality": 0.6,
            "default_accuracy": 0.6,
            "minority_share": 0.4,
            "class_imbalance": 1.5,
            "rows_with_missing": 0.2,
            "attributes_with_missing": 2 / 3,
            "mean_categories": 3,
        }
    )


# Invariances ----------------------------------------------------------------------------------------------------------


@CAREFULLY
@given(seed=SEEDS)
def test_the_order_of_rows_does_not_matter(seed):
    data = mixed(seed=seed)
    order = np.random.default_rng(seed).permutation(data.n_rows)
    other = DataSet.from_arrays(data.values[order], data.target[order], symbolic=data.symbolic)
    before, after = (applying(one) for one in (data, other))
    assert after == pytest.approx(before, rel=1e-8)


@CAREFULLY
@given(seed=SEEDS, scale=st.sampled_from([-1e-150, 1e-6, 3.0, 1e9, 1e200]), shift=st.sampled_from([0.0, 1.0]))
def test_the_unit_of_a_numeric_attribute_does_not_matter(seed, scale, shift):
    data = mixed(seed=seed)
    values = data.values.copy()
    values[:, ~data.symbolic] = (values[:, ~data.symbolic] + shift) * scale
    other = DataSet.from_arrays(values, data.target, symbolic=data.symbolic)
    before, after = (applying(one) for one in (data, other))
    assert after == pytest.approx(before, rel=1e-8)


@CAREFULLY
@given(seed=SEEDS)
def test_the_names_of_symbols_and_classes_do_not_matter(seed):
    data = mixed(seed=seed)
    rng = np.random.default_rng(seed)
    values = data.values.copy()
    values[:, 3:] = np.concatenate([rng.permutation(9), [np.nan]])[
        np.where(np.isnan(values[:, 3:]), 9, values[:, 3:]).astype(int)
    ]
    other = DataSet.from_arrays(values, rng.permutation(3)[data.target], symbolic=data.symbolic)
    before, after = (applying(one) for one in (data, other))
    assert after == pytest.approx(before, rel=1e-8)


# Landmarkers ----------------------------------------------------------------------------------------------------------


def grouped(values, target, groups) -> DataSet:
    return DataSet(
        name="grouped",
        values=values,
        symbolic=np.zeros(values.shape[1], dtype=bool),
        attributes=tuple(f"a{i}" for i in range(values.shape[1])),
        categories=((),) * values.shape[1],
        target=target,
        classes=("0", "1"),
        groups=groups,
    )


# Degenerate -----------------------------------------------------------------------------------------------------------


def reasons(attributes: MetaAttributes) -> dict[str, str]:
    assert [name for name, value in attributes.items() if value is None] == [name for name, _ in attributes.reasons]
    return dict(attributes.reasons)


def test_one_class():
    attributes = characterise(numeric([[1.0], [2.0], [4.0]], list("aaa")), groups="all")
    assert attributes["class_entropy"] == 0.0
    options = reasons(attributes)
    assert options["canonical_correlation"] == "one class"


def test_no_numeric_attributes():
    attributes = characterise(DataSet.from_arrays([[1], [2], [1]], list("aba"), symbolic=[True]), groups="all")
    options = reasons(attributes)
    assert options["prop_outliers"] == options["canonical_correlation"] == "no numeric attributes"
    assert attributes["prop_symbolic"] == 1.0


def test_constant_and_empty_attributes():
    nan = float("nan")
    values = [[7.0, nan, 1, nan], [7.0, nan, 1, nan], [7.0, nan, 1, nan], [nan, nan, 1, nan]]
    attributes = characterise(
        DataSet.from_arrays(values, list("abab"), symbolic=[False, False, True, True]), groups="all"
    )
    assert attributes["prop_outliers"] == 0.0  # the constant one; the empty one is left out
    assert attributes["mutual_information"] == 0.0
    assert attributes["prop_missing"] == 9 / 16
    assert reasons(attributes)["canonical_correlation"] == "every numeric attribute is constant or empty"
    assert attributes.caveats == (
        "2 attribute(s) without any value: counted as attributes and as missing, nowhere else.",
    )


def test_only_empty_attributes():
    nan = float("nan")
    attributes = characterise(DataSet.from_arrays([[nan, nan]] * 3, list("aba"), symbolic=[False, True]), groups="all")
    options = reasons(attributes)
    assert options["prop_outliers"] == "every numeric attribute is empty"
    assert options["mutual_information"] == "every symbolic attribute is empty"
    assert attributes["prop_missing"] == 1.0


@pytest.mark.parametrize("rows", [0, 1])
@pytest.mark.parametrize("columns", [0, 2])
def test_no_rows_one_row_no_attributes(rows, columns):
    data = DataSet(
        name="small",
        values=np.zeros((rows, columns)),
        symbolic=np.array([True, False][:columns], dtype=bool),
        attributes=("s", "n")[:columns],
        categories=(("0",), ())[:columns],
        target=np.zeros(rows, dtype=np.int64),
        classes=("a",),
    )
    attributes = characterise(data, groups="all")
    assert attributes["n_examples"] == rows
    options = reasons(attributes)
    assert ("class_entropy" in options) == (rows == 0)
    assert ("prop_symbolic" in options) == (columns == 0)
    assert all(np.isfinite(value) for value in attributes.values() if value is not None)


def test_a_class_without_rows_plays_no_part():
    data = mixed()
    parts = {name: getattr(data, name) for name in ("name", "values", "symbolic", "attributes", "categories")}
    other = DataSet(**parts, target=data.target * 2, classes=tuple("abcdef"))
    before, after = (applying(one) for one in (data, other))
    assert after == pytest.approx(before, rel=1e-12)


def test_magnitudes_at_the_end_of_the_numbers():
    rng = np.random.default_rng(16)
    target = np.arange(30) % 2
    plain = rng.uniform(-1, 1, size=(30, 2)) + 0.5 * target[:, None]
    extreme = np.stack([plain[:, 0] * 1.1e308, plain[:, 1] * 1e-300], axis=1)
    before, after = (applying(numeric(one, target)) for one in (plain, extreme))
    assert after == pytest.approx(before, rel=1e-8)


# The result -----------------------------------------------------------------------------------------------------------


def test_it_can_be_pickled_and_printed_and_not_changed():
    attributes = characterise(mixed())
    assert dict(pickle.loads(pickle.dumps(attributes))) == dict(attributes)
    with pytest.raises(AttributeError):
        attributes.version = 2
    text = str(characterise(numeric([[1.0], [2.0], [4.0], [5.0]], list("aabb"))))
    assert "Meta-attributes of data (version 1)" in text
    assert "no symbolic attributes" in text


def test_unknown_group():
    with pytest.raises(OptionError) as caught:
        characterise(mixed(), groups=("papers",))
    assert str(caught.value) == (
        "There is no group of meta-attributes 'papers'. Known here: 'paper', 'simple', 'target', 'all'."
        " Did you mean 'paper'?"
    )


def test_not_a_data_set():
    with pytest.raises(InputError) as caught:
        characterise(np.ones((3, 2)))
    assert str(caught.value) == (
        "The data are a ndarray, not a DataSet. Which attributes are symbolic and where values are missing must be"
        " known. Make one with tiebreak.datasets.DataSet.from_arrays(values, classes)."
    )
