"""Columns that nothing can be learned from are left out, said, and kept where the user says so."""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tiebreak.caveats import codes_of
from tiebreak.datasets import from_frame, from_xy, load, read_data
from tiebreak.datasets.columns import nothing_in
from tiebreak.datasets.references import DataReference
from tiebreak.errors import InputError, OptionError
from tiebreak.results.columns import Names

from ..every import every

RNG = np.random.default_rng(0)
ROWS = 60
DAYS = [datetime.date(2020, 1, 1) + datetime.timedelta(days=7 * i) for i in range(ROWS)]
COLUMNS: dict[str, list[object]] = {
    "nr": list(range(1, ROWS + 1)),
    "patient_id": (RNG.permutation(40).tolist() + list(range(20))),
    "when": [str(day) for day in DAYS],
    "remark": [f"the patient number {i} was sent home early" for i in range(ROWS)],
    "code": [f"X{i:03d}" for i in range(ROWS)],
    "ward": [3] * ROWS,
    "size": (RNG.normal(size=ROWS).round(3)).tolist(),
    "colour": ["red", "blue", "green"] * 20,
    "class": ["ill", "well"] * 30,
}


def written(folder: Path, columns: dict[str, list[object]] = COLUMNS) -> Path:
    path = folder / "ward.csv"
    pl.DataFrame({key: [str(value) for value in values] for key, values in columns.items()}).write_csv(path)
    return path


def test_each_is_left_out_with_its_reason(tmp_path: Path) -> None:
    data = read_data(written(tmp_path))
    assert data.attributes == ("size", "colour")
    assert data.values.shape == (ROWS, 2)
    assert [(item.column, item.reason) for item in data.left_out] == [
        ("nr", "row-numbers"),
        ("patient_id", "id"),
        ("when", "date"),
        ("remark", "text"),
        ("code", "id"),
        ("ward", "constant"),
    ]
    assert data.caveats == (
        "Left out: 'nr' (it counts the rows, 1 to 60), 'patient_id' (called an id, 40 different whole numbers in 60"
        " rows), 'when' (dates or times, such as '2020-01-01'), 'remark' (free text, 60 different), 'code' (60"
        " different names or codes in 60 rows), 'ward' (3 in every row). They stay with keep=['nr', 'patient_id',"
        " 'when', 'remark', 'code', 'ward'].",
    )
    assert codes_of(data.caveats) == ["columns-left-out"]


def test_what_the_user_calls_an_attribute_stays(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert read_data(path, keep=["nr", "ward"]).attributes == ("nr", "ward", "size", "colour")
    assert read_data(path, keep="all").left_out == ()
    assert len(read_data(path, keep="all").attributes) == 8
    assert "patient_id" in read_data(path, symbolic=["patient_id"]).attributes
    (tmp_path / "TYPES.json").write_text('{"ward": {"code": "symbolic"}}')
    assert "code" in read_data(path).attributes
    with pytest.raises(OptionError, match=r"There is no column in 'ward.csv' 'nrr'.*Did you mean 'nr'"):
        read_data(path, keep=["nrr"])
    with pytest.raises(OptionError, match=r"keep is the text 'nr'. Use keep="):
        read_data(path, keep="nr")


def test_what_is_dropped_is_told_apart(tmp_path: Path) -> None:
    data = read_data(written(tmp_path), drop=["size", "nr"])
    assert {item.column for item in data.left_out if item.reason == "told"} == {"size", "nr"}
    assert "'size'" not in data.caveats[0]


def test_frames_and_references_follow_the_same_rule(tmp_path: Path) -> None:
    frame = pd.DataFrame(COLUMNS).assign(when=pd.to_datetime(DAYS))
    assert from_frame(frame).attributes == ("size", "colour")
    assert from_frame(pl.DataFrame({**COLUMNS, "when": DAYS})).left_out[2].why == "dates"
    path = written(tmp_path)
    assert load(path).attributes == ("size", "colour")
    assert load(path, keep=["nr"]).attributes == ("nr", "size", "colour")
    options = DataReference.of({"source": str(path), "keep": "all"})
    assert DataReference.of(options.as_dict()) == options and len(options.load().attributes) == 8


def test_pairs_keep_their_columns_unless_asked() -> None:
    x = np.column_stack([np.arange(40.0), RNG.normal(size=40), np.full(40, 2.0)])
    y = ["p", "q"] * 20
    assert from_xy(x, y).attributes == ("a1", "a2", "a3")
    data = from_xy(x, y, keep=[])
    assert (data.attributes, [item.reason for item in data.left_out]) == (("a2",), ["row-numbers", "constant"])
    assert from_xy(x, y, keep=["a1"], drop=["a3"]).attributes == ("a1", "a2")
    with pytest.raises(InputError) as caught:
        from_xy(x[:, :1], y, keep=[])
    assert str(caught.value) == (
        "Data set 'data' has no attribute to learn from; left out were 'a1' (it counts the rows, 0 to"
        " 39). Add attributes, or keep some of these with keep=['a1']."
    )


@every(
    ("header", "values", "reason"),
    [
        ("x", RNG.permutation(100) + 500.0, "id"),  # shuffled numbers, each once
        ("x", RNG.integers(1, 10**6, 100) * 1.0, None),  # incomes
        ("customer", 10_000_000.0 + RNG.choice(10**6, 100, replace=False) * 7, "id"),  # account numbers
        ("PassengerId", np.array([*range(70), *range(30)], dtype=float), "id"),
        ("store_id", np.arange(100.0) % 12, None),  # few stores: an attribute
        ("year", np.arange(1900.0, 2000.0), None),
        ("sample code number", RNG.choice(10**6, 100, replace=False) * 1.0, "id"),
        ("day", np.array([20240101.0, 20240115, 20231231] * 30), "date"),
        ("timestamp", 1.7e9 + RNG.integers(0, 10**6, 100), "date"),
        ("amount", 1.7e9 + RNG.integers(0, 50, 100), None),
        ("size", np.arange(100) / 4, None),
        ("half", np.where(np.arange(100) % 2, 1.0, np.nan), None),  # that it is missing may tell something
        ("none", np.full(100, np.nan), "empty"),
        ("few", np.arange(1.0, 10.0), None),  # nine rows tell nothing
        ("x", np.arange(1_000_000.0) % 1000, None),
    ],
)
def test_numbers(header: str, values: np.ndarray, reason: str | None) -> None:
    result = nothing_in(header, np.asarray(values, dtype=np.float64))
    assert (None if result is None else result.reason) == reason


@every(
    ("names", "reason"),
    [
        ([f"{i % 12 + 1}/{i % 28 + 1}/2019" for i in range(100)], "date"),
        ([f"{i % 24:02d}:{i % 60:02d}" for i in range(100)], "date"),
        ([f"{i % 28 + 1} Jan 2019" for i in range(100)], "date"),
        (["10-19", "20-29", "30-39"] * 30, None),
        (["jan", "feb", "mar"] * 30, None),
        ([f"w{i}" for i in range(60)] * 2, None),  # exactly half the rows
        ([f"w{i}" for i in range(61)] * 2 + ["w1"], None),
        ([f"w{i}" for i in range(90)] + ["w1"] * 10, "id"),
        (["I agree very much with it", "not at all with any of it"] * 50, None),
        ([f"we liked it for reason {i % 40} of ours" for i in range(100)], "text"),
        (["a"] * 50 + [None] * 50, None),
        (["a"] * 50, "constant"),
    ],
)
def test_names(names: list[str | None], reason: str | None) -> None:
    result = nothing_in("x", Names.of(names))
    assert (None if result is None else result.reason) == reason


def test_many_columns_are_counted(tmp_path: Path) -> None:
    columns = {f"c{i}": [i] * ROWS for i in range(12)} | {"x": COLUMNS["size"], "class": COLUMNS["class"]}
    data = read_data(written(tmp_path, columns))
    assert data.caveats[0].endswith("'c7' (7 in every row) and 4 more. They stay with keep='all'.")
    assert len(data.left_out) == 12


def test_dates_of_arff_files_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "d.arff"
    path.write_text(
        "@relation r\n@attribute t date 'yyyy'\n@attribute a numeric\n@attribute c {p,q}\n@data\n1999,1,p\n"
    )
    assert [str(item) for item in read_data(path).left_out] == ["'t' (dates)"]
    with pytest.raises(InputError, match=r"Attribute 't' of 'd.arff' has the type date"):
        read_data(path, keep=["t"])
