"""Meta-attributes of data with a number to predict: oracles from numpy, scipy and scikit-learn, invariances, edges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

from tiebreak.attributes import ATTRIBUTES, characterise, target_numbers
from tiebreak.attributes.catalogue import (
    NUMBER_MEASURES,
    NUMBER_META_VERSION,
    default_measures,
    groups_of,
)
from tiebreak.datasets import DataSet, load
from tiebreak.errors import InputError, OptionError

NUMBERS = tuple(name for name, about in ATTRIBUTES.items() if "number" in about.kinds)


def mixed(rows: int = 200, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Three numeric attributes, the third with gaps, and two symbolic ones, the second with gaps."""
    rng = np.random.default_rng(seed)
    values = np.column_stack([rng.normal(size=(rows, 3)), rng.integers(0, 4, size=(rows, 2))]).astype(float)
    target = 0.5 * values[:, 0] + values[:, 1] ** 2 + values[:, 3] + rng.normal(size=rows)
    values[rng.uniform(size=rows) < 0.2, 2] = np.nan
    values[rng.uniform(size=rows) < 0.1, 4] = np.nan
    return values, target


def numbers(values: Any, target: Any, symbolic: Any = None, **more: Any) -> DataSet:
    return DataSet.from_arrays(values, target, symbolic=symbolic, kind="number", **more)


SYMBOLIC = [False, False, False, True, True]


@pytest.fixture(scope="module")
def found() -> Any:
    return characterise(numbers(*mixed(), SYMBOLIC), groups="all")


def test_what_is_measured_of_numbers_is_what_the_catalogue_says(found: Any) -> None:
    assert tuple(found) == NUMBERS
    assert found.groups == groups_of("number")
    assert found.version == NUMBER_META_VERSION
    assert "class_entropy" not in found and "landmark_bayes" not in found
    assert set(NUMBER_MEASURES) <= set(NUMBERS) and default_measures("number") == NUMBER_MEASURES
    classes = characterise(DataSet.from_arrays([[0.0], [1.0]] * 10, ["a", "b"] * 10), groups="all")
    assert tuple(classes) == tuple(name for name, about in ATTRIBUTES.items() if "classes" in about.kinds)
    assert not [name for name in classes if ATTRIBUTES[name].group == "target"]


def test_the_shape_of_the_target_by_scipy(found: Any) -> None:
    target = mixed()[1]
    assert found["target_kurtosis"] == pytest.approx(stats.kurtosis(target, fisher=False), rel=1e-12)


def _epsilon_squared(codes: np.ndarray, target: np.ndarray) -> float:
    """Return the adjusted share by the F statistic of the one-way analysis of variance, as scipy computes it."""
    groups = [target[codes == code] for code in np.unique(codes)]
    between, within = len(groups) - 1, len(target) - len(groups)
    statistic = stats.f_oneway(*groups).statistic
    return max(0.0, between * (statistic - 1) / (between * statistic + within))


def test_what_deciles_explain_by_the_analysis_of_variance(found: Any) -> None:
    values, target = mixed()
    deciles = []
    for column in values.T[:3]:
        there = ~np.isnan(column)
        ranks = stats.rankdata(column[there], method="min") - 1
        deciles.append(_epsilon_squared(np.floor(10 * ranks / there.sum()), target[there]))
    assert found["max_decile_share"] == pytest.approx(max(deciles), rel=1e-10)


def test_the_linear_fit_by_scikit_learn(found: Any) -> None:
    values, target = mixed()
    filled = np.where(np.isnan(values[:, :3]), np.nanmean(values[:, :3], axis=0), values[:, :3])
    scale = np.nanstd(values[:, :3], axis=0, ddof=1)
    columns = [(filled - np.nanmean(values[:, :3], axis=0)) / scale]
    columns += [StandardScaler().fit_transform((values[:, [i]] == np.arange(4)).astype(float)) for i in (3, 4)]
    design = np.concatenate(columns, axis=1)
    fit = Ridge(alpha=0.001 * len(target)).fit(design, target)
    inner = design - design.mean(axis=0)
    hat = inner @ np.linalg.solve(inner.T @ inner + 0.001 * len(target) * np.eye(design.shape[1]), inner.T)
    rest = np.sum((target - fit.predict(design)) ** 2) / (len(target) - 1 - np.trace(hat))
    assert found["linear_r2"] == pytest.approx(1 - rest / target.var(ddof=1), rel=1e-9)


def test_attributes_alone_are_described_as_if_all_rows_were_of_one_class(found: Any) -> None:
    values, _ = mixed()
    assert found["n_examples"] == 200 and found["prop_symbolic"] == 0.4
    assert found["prop_missing"] == np.isnan(values).mean()
    assert found["rows_with_missing"] == np.isnan(values).any(axis=1).mean()
    one = characterise(DataSet.from_arrays(values, ["a"] * 200, symbolic=SYMBOLIC), groups="all")
    shared = [name for name, about in ATTRIBUTES.items() if about.kinds == ("classes", "number")]
    assert {name: found[name] for name in shared} == {name: one[name] for name in shared}


# ---- invariances


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.001, 1000.0), st.floats(-1e4, 1e4))
def test_neither_the_unit_of_the_target_nor_the_order_of_rows_and_columns_counts(
    seed: int, factor: float, shift: float
) -> None:
    values, target = mixed(60, seed)
    before = characterise(numbers(values, target, SYMBOLIC), groups=("paper", "simple", "target"))
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(60), rng.permutation(5)
    moved = numbers(values[rows][:, columns], (factor * target + shift)[rows], [SYMBOLIC[i] for i in columns])
    after = characterise(moved, groups=("paper", "simple", "target"))
    assert dict(after) == pytest.approx(dict(before), rel=1e-6, abs=1e-7)


def test_more_rows_than_are_looked_at_change_little(monkeypatch: pytest.MonkeyPatch) -> None:
    values, target = mixed(3000)
    data = numbers(values, target, SYMBOLIC)
    whole = characterise(data, groups=("target",))
    monkeypatch.setattr(target_numbers, "MOST_ROWS", 1500)
    part = characterise(data, groups=("target",))
    for name in ("max_decile_share", "linear_r2"):
        assert part[name] != whole[name]
        assert part[name] == pytest.approx(whole[name], abs=0.05)
    assert part["target_kurtosis"] == whole["target_kurtosis"]


# ---- the edges


def test_a_constant_target_has_values_and_nothing_that_tells_about_it() -> None:
    attributes = characterise(numbers(np.arange(20.0)[:, None], [3.0] * 20), groups="all")
    silent = [name for name in attributes if attributes.why(name) == "the target is constant"]
    assert set(silent) == {"target_kurtosis", "max_decile_share", "linear_r2"}


def test_one_symbolic_attribute_with_a_value_per_row() -> None:
    rows = np.arange(12.0)[:, None]
    attributes = characterise(numbers(rows, np.arange(12.0) ** 2, [True]), groups="all")
    assert attributes.why("max_decile_share") == "no numeric attributes"


def test_attributes_that_say_nothing() -> None:
    empty = np.full((10, 2), np.nan)
    attributes = characterise(numbers(empty, np.arange(10.0), [False, True]), groups="all")
    assert attributes.why("linear_r2") == "every attribute is constant or empty"
    assert attributes.why("max_decile_share") == "every attribute of the kind is empty or has a value per row"
    none = characterise(numbers(np.empty((10, 0)), np.arange(10.0)), groups="all")
    assert none.why("linear_r2") == "no attributes"


def test_as_many_columns_as_rows_explain_any_target() -> None:
    rng = np.random.default_rng(0)
    attributes = characterise(numbers(rng.normal(size=(8, 40)), rng.normal(size=8)), groups=("target",))
    assert attributes.why("linear_r2") == "as many columns as rows: a linear fit explains any target"


def test_no_rows_and_one_row() -> None:
    one = characterise(numbers(np.zeros((1, 2)), np.zeros(1)), groups="all")
    assert one["n_examples"] == 1 and one["linear_r2"] is None
    with pytest.raises(InputError, match=r"^Data set 'data' has no row with a target\."):
        numbers(np.zeros((0, 2)), np.zeros(0))
    empty = replace(numbers(np.zeros((1, 2)), np.zeros(1)), values=np.zeros((0, 2)), target=np.zeros(0))
    none = characterise(empty, groups=("target",))
    assert {none.why(name) for name in none} == {"no rows"}


def test_rows_without_a_number_are_dropped_and_infinite_ones_refused() -> None:
    data = numbers([[1.0], [2.0], [4.0]], [1.0, np.nan, 3.0])
    assert characterise(data)["n_examples"] == 2
    assert "1 row(s) without a target were dropped." in map(str, data.caveats)
    with pytest.raises(InputError, match="holds an infinite number"):
        numbers([[1.0], [2.0]], [1.0, np.inf])


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_numbers_of_extreme_size_are_described_like_others(size: float) -> None:
    values, target = mixed(80)
    plain = characterise(numbers(values, target, SYMBOLIC), groups="all")
    attributes = characterise(numbers(values, target * size, SYMBOLIC), groups="all")
    same = [name for name in attributes if not name.startswith("landmark_")]  # other contents draw another sample
    assert [attributes[name] for name in same] == pytest.approx([plain[name] for name in same], rel=1e-9)
    assert all(0 <= (attributes[name] or 0) <= 2 for name in attributes if name.startswith("landmark_"))


def test_a_perfect_line_and_pure_noise() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(300, 4))
    line = characterise(numbers(x, x @ [1.0, 2.0, 3.0, 4.0]), groups=("target",))
    assert line["linear_r2"] == pytest.approx(1.0, abs=1e-4)
    noise = [characterise(numbers(x, rng.normal(size=300)), groups=("target",)) for _ in range(20)]
    assert np.mean([float(one["linear_r2"] or 0) for one in noise]) < 0.02
    assert np.mean([float(one["max_decile_share"] or 0) for one in noise]) < 0.05  # the largest of four


def test_classes_have_no_measures_of_numbers() -> None:
    with pytest.raises(OptionError) as caught:
        characterise(load("builtin:iris"), groups=("target",))
    assert str(caught.value) == (
        "The group 'target' of meta-attributes was asked for, and the target of data set 'iris' is classes. It"
        " describes a number to predict. Leave it out, or say that the target is a number (kind='number')."
    )
