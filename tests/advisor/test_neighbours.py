"""Neighbours: distances by hand, measures that do not apply, ties, weights, selection of measures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak.advisor import MetaTable
from tiebreak.advisor.neighbours import contributions, nearest
from tiebreak.attributes import characterise
from tiebreak.attributes.catalogue import DEFAULT_MEASURES
from tiebreak.datasets import DataSet
from tiebreak.errors import InputError, OptionError

from ..every import every

CAREFULLY = settings(derandomize=True, deadline=None, max_examples=30)
BASE = {
    "a": {"x": 0.0, "y": 10.0, "z": None},
    "b": {"x": 4.0, "y": 10.0, "z": 3.0},
    "c": {"x": 8.0, "y": 10.0, "z": 5.0},
}
XYZ = ("x", "y", "z")


def test_distance_by_hand():
    neighbours = nearest({"x": 2.0, "y": 10.0, "z": 4.0}, BASE, measures=XYZ)
    # x: 2/8, 2/8, 6/8; y: equal, range 0; z: does not apply to a, 1/2, 1/2
    assert neighbours.names == ("b", "a", "c")
    assert neighbours.distance.tolist() == [0.75, 1.25, 1.25]
    assert neighbours.contribution.tolist() == [[0.25, 0, 0.5], [0.25, 0, 1], [0.75, 0, 0.5]]
    assert neighbours.weight.tolist() == pytest.approx([1 / 3] * 3)
    assert neighbours.base_values[0].tolist() == [4.0, 10.0, 3.0]
    assert neighbours.rows()[0] == {
        "dataset": "b",
        "distance": 0.75,
        "weight": pytest.approx(1 / 3),
        "x": 0.25,
        "y": 0.0,
        "z": 0.5,
    }


def test_a_measure_that_applies_to_neither_counts_nothing():
    neighbours = nearest({"x": 0.0, "y": 10.0, "z": None}, BASE, measures=XYZ, k=None)
    assert neighbours.names == ("a", "b", "c")
    assert neighbours.contribution[:, 2].tolist() == [0, 1, 1]


def test_a_range_of_zero_counts_one_unless_equal():
    neighbours = nearest({"x": 0.0, "y": 11.0, "z": None}, BASE, measures=XYZ, k=None)
    assert neighbours.contribution[:, 1].tolist() == [1, 1, 1]


def test_a_query_beyond_the_range_gets_more_than_one_as_in_the_paper():
    neighbours = nearest({"x": 16.0}, BASE, measures=["x"], k=1, scaling="plain")
    assert (neighbours.names, neighbours.distance.tolist()) == (("c",), [1.0])
    assert nearest({"x": 24.0}, BASE, measures=["x"], k=1, scaling="plain").distance.tolist() == [2.0]


def test_a_query_beyond_the_range_counts_as_its_end():
    neighbours = nearest({"x": 24.0}, BASE, measures=["x"], k=3)
    assert neighbours.distance.tolist() == nearest({"x": 8.0}, BASE, measures=["x"], k=3).distance.tolist()
    assert neighbours.distance.max() <= 1 and neighbours.query_values.tolist() == [24.0]


def test_counts_are_compared_by_their_logarithms():
    base = {"a": {"n_examples": 99}, "b": {"n_examples": 999}, "c": {"n_examples": 999_999}}
    neighbours = nearest({"n_examples": 9_999}, base, measures=["n_examples"], k=3)
    np.testing.assert_allclose(
        neighbours.distance, [0.25, 0.5, 0.5], atol=1e-12
    )  # log10(1 + n) is 4; 3, 2 and 6 over 4
    assert neighbours.names == ("b", "a", "c")
    plain = nearest({"n_examples": 9_999}, base, measures=["n_examples"], k=3, scaling="plain")
    assert plain.distance[0] < 0.01 and plain.names[-1] == "c"  # one huge set makes all others look alike


def test_attributes_per_example_are_compared_by_their_logarithms():
    base = {"a": {"dimensionality": 1e-5}, "b": {"dimensionality": 1e-3}, "c": {"dimensionality": 0.1}}
    neighbours = nearest({"dimensionality": 1e-4}, base, measures=["dimensionality"], k=3)
    np.testing.assert_allclose(neighbours.distance, [0.25, 0.25, 0.75])


def test_the_range_is_that_of_the_data_sets_left():
    neighbours = nearest({"x": 0.0}, BASE, measures=["x"], exclude=["c"])
    assert neighbours.distance.tolist() == [0.0, 1.0]
    assert nearest({"x": 0.0}, BASE, measures=["x"], exclude="c").names == ("a", "b")


def test_ties_go_by_name():
    base = {name: {"x": float(value)} for name, value in zip("dcab", (1, 3, 3, 3), strict=True)}
    neighbours = nearest({"x": 2.0}, base, measures=["x"], k=2)
    assert neighbours.names == ("a", "b")


def test_nothing_applies_to_the_query():
    neighbours = nearest({"x": None, "y": float("nan"), "z": None}, BASE, measures=XYZ, k=1)
    assert neighbours.names == ("a", "b", "c")
    assert neighbours.weight.tolist() == pytest.approx([1 / 3] * 3)
    assert neighbours.caveats == (
        "None of the measures applies to the query, so no data set is nearer than another: all of them are returned,"
        " with equal weight.",
    )


def test_nothing_applies_to_anyone():
    neighbours = nearest({"x": None}, {"a": {"x": None}, "b": {"x": None}}, measures=["x"])
    assert neighbours.distance.tolist() == [0.0, 0.0]


def test_a_measure_the_query_lacks_is_told():
    neighbours = nearest({"x": 1.0}, BASE, measures=["x", "z"], k=1)
    assert neighbours.caveats == ("The query has no z: counted as a measure that does not apply.",)


def test_one_data_set():
    neighbours = nearest({"x": 3.0}, {"only": {"x": 4.0}}, measures=["x"], k=1)
    assert (neighbours.names, neighbours.distance.tolist(), neighbours.weight.tolist()) == (("only",), [1.0], [1.0])


def test_characterised_data_sets_and_a_mix_of_versions():
    rng = np.random.default_rng(0)
    sets = {
        f"d{rows}": characterise(DataSet.from_arrays(rng.normal(size=(rows, 3)), np.arange(rows) % 2))
        for rows in (20, 50, 90)
    }
    neighbours = nearest(sets["d50"], sets)
    assert neighbours.measures == DEFAULT_MEASURES
    assert (neighbours.names[0], neighbours.distance[0]) == ("d50", 0.0)
    old = type(sets["d20"])(dataset="old", fingerprint="", version=0, numbers=sets["d20"].numbers)
    mixed = nearest(sets["d50"], {**sets, "old": old}, k=1)
    assert mixed.caveats == ("Meta-attributes of versions 0, 1 are mixed: characterise the older data sets again.",)


def plain_distance(query, row, base) -> float:
    """Follow the rule measure by measure."""
    total = 0.0
    for j, (mine, other) in enumerate(zip(query, row, strict=True)):
        known = base[:, j][~np.isnan(base[:, j])]
        spread = known.max() - known.min() if len(known) else 0.0
        if np.isnan(mine) or np.isnan(other):
            total += float(np.isnan(mine) != np.isnan(other))
        elif spread > 0:
            total += abs(mine - other) / spread
        else:
            total += float(mine != other)
    return total


@CAREFULLY
@given(seed=st.integers(0, 2**32 - 1))
def test_distance_by_plain_loops(seed):
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 4, (9, 5)).astype(float)
    base[rng.random(base.shape) < 0.3] = np.nan
    query = rng.integers(-1, 5, 5).astype(float)
    query[rng.random(5) < 0.3] = np.nan
    expected = [plain_distance(query, row, base) for row in base]
    assert contributions(query, base).sum(axis=1) == pytest.approx(expected)


@CAREFULLY
@given(seed=st.integers(0, 2**32 - 1))
def test_order_of_the_base_and_units_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 5, (12, 3)).astype(float)
    names = tuple(f"d{i:02}" for i in range(12))
    query = dict(zip(XYZ, rng.integers(0, 5, 3).astype(float), strict=True))
    order = rng.permutation(12)
    one = nearest(query, MetaTable(names=names, measures=XYZ, matrix=matrix), measures=XYZ)
    other = nearest(
        {name: value * 10 + 3 for name, value in query.items()},
        MetaTable(names=tuple(names[i] for i in order), measures=XYZ, matrix=matrix[order] * 10 + 3),
        measures=XYZ,
    )
    assert one.names == other.names
    assert one.distance == pytest.approx(other.distance)
    assert one.caveats == other.caveats


def test_nothing_can_be_written_to():
    neighbours = nearest({"x": 1.0}, BASE, measures=["x"], k=1)
    for array in (
        neighbours.distance,
        neighbours.weight,
        neighbours.contribution,
        neighbours.query_values,
        neighbours.base_values,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


# Selection of measures ------------------------------------------------------------------------------------------------


# Words ----------------------------------------------------------------------------------------------------------------


@every(
    ("options", "kind", "words"),
    [
        (
            {"k": 0},
            OptionError,
            "k is 0. It is the number of neighbours. Use a whole number from 1 on, or k=None for all data sets.",
        ),
        (
            {"measures": ["w"]},
            OptionError,
            "There is no measure 'w'. Known here: 'x', 'y', 'z'. The base must hold every measure in use.",
        ),
        (
            {"measures": []},
            OptionError,
            "No measures are given. A distance needs at least one, and each of them once. Leave measures out for the"
            " default set.",
        ),
        (
            {"exclude": ["a", "b", "c"]},
            InputError,
            "No data set is left to be a neighbour (3 in the base, all excluded). A recommendation rests on results"
            " for other data sets. Add data sets to the base, or exclude fewer.",
        ),
    ],
)
def test_errors(options, kind, words):
    with pytest.raises(kind) as caught:
        nearest({"x": 1.0}, BASE, **{"measures": ["x"], **options})
    assert str(caught.value) == words


def test_an_empty_base():
    with pytest.raises(InputError, match=r"^The base holds no data sets\. A recommendation rests"):
        nearest({"x": 1.0}, {}, measures=["x"])


def test_tables_are_checked():
    with pytest.raises(InputError, match=r"^The matrix is 1 x 2 for 1 data sets and 1 measures\."):
        MetaTable(names=("a",), measures=("x",), matrix=np.ones((1, 2)))
    with pytest.raises(InputError, match=r"^The data set 'a' occurs twice\."):
        MetaTable(names=("a", "a"), measures=("x",), matrix=np.ones((2, 1)))
    with pytest.raises(InputError, match=r"^The measure 'x' of data set 'a' is infinite\."):
        MetaTable.from_mapping({"a": {"x": float("inf")}})
    with pytest.raises(InputError, match=r"^The measure 'x' of the query is infinite\."):
        nearest({"x": float("inf")}, BASE, measures=["x"])
