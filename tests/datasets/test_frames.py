"""Frames of every library give the same data set; arrays and pairs as scikit-learn takes them."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import polars as pl
import pytest

from tiebreak.datasets import DataSet, from_frame, from_xy
from tiebreak.errors import InputError, OptionError

pandas = pytest.importorskip("pandas", reason="pandas is not installed: its frames cannot be tried")
pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: its tables cannot be tried")

COLUMNS: dict[str, list[Any]] = {
    "size": [1.5, None, 2.0, 3.0],
    "count": [3, 1, 2, 2],
    "colour": ["red", "blue", None, "red"],
    "tame": [True, False, True, True],
    "kind": ["b", "a", "b", "a"],
}


def frames() -> dict[str, Any]:
    frame = pl.DataFrame(COLUMNS)
    current = pandas.DataFrame(COLUMNS)
    return {
        "polars": frame,
        "polars categorical": frame.with_columns(pl.col("colour").cast(pl.Categorical)),
        "pandas": current,
        "pandas categorical": current.astype({"colour": "category", "kind": "category"}),
        "pandas nullable": current.convert_dtypes(),
        "pyarrow": pyarrow.table(COLUMNS),
    }


@pytest.mark.parametrize("kind", frames())
def test_all_libraries_agree(kind: str) -> None:
    data = from_frame(frames()[kind], target="kind", name="n")
    assert data.symbolic.tolist() == [False, False, True, True]
    assert data.categories == ((), (), ("blue", "red"), ("false", "true"))
    np.testing.assert_array_equal(data.values[:, 0], [1.5, np.nan, 2, 3])
    assert data.fingerprint == from_frame(frames()["polars"]).fingerprint


@pytest.mark.parametrize("kind", frames())
def test_pairs_agree_with_frames(kind: str) -> None:
    frame = frames()[kind]
    rest = frame.drop_columns(["kind"]) if kind == "pyarrow" else frame[["size", "count", "colour", "tame"]]
    assert from_xy(rest, COLUMNS["kind"]).fingerprint == from_frame(frame).fingerprint


def test_arrays_as_pairs() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    x = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 3.0]])
    data = from_xy(x, np.array([1.0, 0.0, 1.0]), symbolic=["a2"])
    assert data.classes == ("0", "1")
    assert data.categories == ((), ("0", "1", "3"))
    assert from_xy(sparse.csr_matrix(x), [1, 0, 1]).fingerprint == DataSet.from_arrays(x, [1, 0, 1]).fingerprint
    with pytest.raises(InputError, match="X holds something that is not a number"):
        from_xy([["a"], ["b"]], [0, 1])
    with pytest.raises(InputError, match="has 4 rows and 1 classes"):
        from_xy(pl.DataFrame(COLUMNS), ["a"])
    with pytest.raises(InputError, match="1 dimension"):
        from_xy([1.0, 2.0], [0, 1])


def test_numbers_named_symbolic_groups_and_dropped_columns() -> None:
    data = from_frame(pl.DataFrame(COLUMNS), symbolic=["count"], groups="tame", drop=["colour"])
    assert data.attributes == ("size", "count")
    assert data.categories == ((), ("1", "2", "3"))
    assert data.groups is not None
    assert data.groups.tolist() == [1, 0, 1, 1]


def test_text_that_is_mostly_numbers_is_refused() -> None:
    cells = [str(i / 2) for i in range(30)]
    cells[7] = "n/a"
    frame = pl.DataFrame({"x": cells, "y": ["p", "q"] * 15})
    with pytest.raises(InputError) as caught:
        from_frame(frame)
    assert str(caught.value) == (
        "Column 'x' of the frame 'data' is text, but mostly numbers; row 8 holds 'n/a'. Turn the"
        " column into numbers, or say symbolic=['x']."
    )
    assert from_frame(frame, symbolic=["x"]).symbolic[0]
    few = from_frame(pl.DataFrame({"x": ["1", "2", "?"] * 10, "y": ["p", "q", "p"] * 10}))
    assert few.categories == (("1", "2"),)
    assert np.isnan(few.values).sum() == 10


def test_object_columns() -> None:
    frame = pandas.DataFrame({"n": np.array([1, 2.5, None], dtype=object), "m": np.array([1, "a", None], dtype=object)})
    data = from_frame(frame.assign(y=["p", "q", "p"]))
    assert data.symbolic.tolist() == [False, True]
    assert data.categories[1] == ("1", "a")


def test_dates_lists_and_other_things_are_refused() -> None:
    day = datetime.date(2020, 1, 1)
    with pytest.raises(InputError, match="Column 'd' of the frame 'data' has the type Date"):
        from_frame(pl.DataFrame({"d": [day, day], "x": [1, 2], "y": ["a", "b"]}), keep=["d"])
    with pytest.raises(InputError, match="has the type List"):
        from_frame(pl.DataFrame({"d": [[1], [2]], "y": ["a", "b"]}))
    with pytest.raises(OptionError, match="A dict is not a data frame"):
        from_frame({"x": [1]})
    with pytest.raises(OptionError, match="A LazyFrame is not a data frame"):
        from_frame(pl.LazyFrame({"x": [1]}))
    with pytest.raises(InputError, match="Two columns of the frame 'data'"):
        from_frame(pandas.DataFrame([[1, 2, "a"]], columns=["x", "x", "y"]))
    with pytest.raises(OptionError, match="Did you mean 'kind'"):
        from_frame(pl.DataFrame(COLUMNS), target="kin")
