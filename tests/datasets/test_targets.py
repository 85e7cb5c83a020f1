"""What a target is taken for: classes or a number, and what is said about it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tiebreak.datasets import DataSet, from_frame, from_xy, load, read_data
from tiebreak.datasets.targets import reading_of
from tiebreak.errors import InputError, OptionError

from ..every import every


def written(folder: Path, values: list[object]) -> Path:
    file = folder / "homes.csv"
    file.write_text("size,price\n" + "".join(f"{i % 7},{value}\n" for i, value in enumerate(values)))
    return file


@every(
    ("values", "kind", "doubtful"),
    [
        ([0, 1] * 50, "classes", False),
        ([0.5, 1.5, 2.5] * 50, "classes", True),
        (list(range(10)) * 20, "classes", False),
        ([i / 3 for i in range(11)] * 10, "number", True),
        (list(range(1, 41)) * 10, "classes", True),  # may be codes or ages
        (list(range(100)) * 10, "classes", True),  # numbered without a gap: a hundred species
        ([i * i for i in range(100)] * 10, "number", True),
        (list(range(30)) + list(range(10)), "number", True),  # more than half the rows differ
    ],
)
def test_the_rule(values: list[float], kind: str, doubtful: bool) -> None:
    reading = reading_of(np.array(values, dtype=np.float64))
    assert (reading.kind, reading.doubtful) == (kind, doubtful)


def test_a_number_is_said_to_be_one(tmp_path: Path) -> None:
    file = written(tmp_path, [1000.5 + 7 * i for i in range(60)])
    data = read_data(file)
    assert (data.kind, data.classes, data.target_name) == ("number", (), "price")
    assert data.target.dtype == np.float64
    assert repr(data) == "DataSet('homes', 60 rows, 1 numeric and 0 symbolic attributes, a number to predict)"
    assert data.caveats == (
        "target 'price', the last column, 60 different numbers: a regression; for another column say target=...,"
        " for classes kind='classes'.",
    )
    assert data.caveats[0].code == "target-taken-for"
    assert data.target_words == "Target 'price', the last column: a number to predict"
    assert read_data(file, kind="number").caveats == ()
    assert read_data(file, kind="number").fingerprint == data.fingerprint
    assert read_data(file, target="size").kind == "classes"


def test_what_may_be_either_is_classes_and_said(tmp_path: Path) -> None:
    file = written(tmp_path, list(range(1, 31)) * 5)
    data = read_data(file)
    assert (data.kind, len(data.classes)) == ("classes", 30)
    assert data.caveats == (
        "target 'price', the last column, 30 different whole numbers: taken for classes; for a regression say"
        " kind='number'.",
    )
    options = read_data(file, kind="classes")
    assert (options.caveats, options.fingerprint) == ((), data.fingerprint)
    number = read_data(file, kind="number")
    assert (number.kind, number.target[:2].tolist()) == ("number", [1.0, 2.0])
    assert number.fingerprint != data.fingerprint
    assert read_data(file, symbolic=["price"]).caveats == ()


def test_row_numbers_and_text_are_no_number(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has 40 different values in 40 rows"):
        read_data(written(tmp_path, list(range(1, 41))))
    labels: list[object] = ["a", "b"] * 20
    with pytest.raises(InputError) as caught:
        read_data(written(tmp_path, labels), kind="number")
    assert str(caught.value) == (
        "The target 'price' of 'homes.csv' is not a number: Column 'price', row 1 of 'homes.csv': 'a' is not a number"
        " (no numbers in 40 of 40 rows: 'a', 'b'). kind='number' needs numbers. Correct the cells, leave"
        " them empty, or use kind='classes'."
    )
    with pytest.raises(OptionError, match="There is no kind of target 'numbers'"):
        load({"source": "homes.csv", "kind": "numbers"})


def test_rows_without_a_number_are_dropped(tmp_path: Path) -> None:
    values: list[object] = ["?" if i == 3 else i / 7 for i in range(40)]
    data = read_data(written(tmp_path, values), kind="number")
    assert data.n_rows == 39
    assert data.caveats == ("1 row(s) without a target were dropped.",)
    with pytest.raises(InputError, match="holds an infinite number"):
        from_xy([[0.0]] * 30, [float("inf"), *range(29)], kind="number")


def test_frames_and_pairs() -> None:
    y = np.linspace(0, 5, 40)
    frame = pd.DataFrame({"a": np.arange(40) / 4, "y": y})
    assert from_frame(frame).kind == "number"
    assert from_xy(frame[["a"]], frame["y"]).kind == "number"
    assert from_xy(np.ones((40, 1)), y).target.tolist() == y.tolist()
    assert from_xy(np.ones((40, 1)), pd.Series(y)).kind == "number"
    assert from_xy(np.ones((40, 1)), [True, False] * 20).kind == "classes"
    assert from_xy(np.ones((40, 1)), y, kind="classes").kind == "classes"
    assert DataSet.from_arrays(np.ones((40, 1)), y).kind == "classes"  # labels unless told
    categories = frame.assign(y=(frame["a"] * 1.5).astype(str).astype("category"))
    with pytest.raises(InputError, match="a quantity or a name"):
        from_frame(categories)
    with pytest.raises(InputError, match="It has no classes"):
        _ = from_frame(frame).class_counts


def test_fingerprints_of_classes_stay() -> None:
    """Stores and the shipped base know data sets by them; computed before targets could be numbers."""
    assert load("builtin:monks1").fingerprint == MONKS1
    data = DataSet.from_arrays([[0.5, 1], [0.1, 2], [0.3, 1]], ["no", "yes", "no"], symbolic=[False, True])
    digest = hashlib.sha256()
    for part in (data.attributes, data.categories, data.classes):
        digest.update(repr(part).encode())
    for array, kind in ((data.values, "<f8"), (data.symbolic, "<i8"), (data.target, "<i8")):
        digest.update(np.ascontiguousarray(array, dtype=kind).tobytes())
    assert data.fingerprint == digest.hexdigest()[:32]


MONKS1 = "551833680c3ece7687330b6a67cb1ff3"


def test_sets_with_numbers() -> None:
    diabetes = load("sklearn:diabetes")
    assert (diabetes.n_rows, diabetes.n_attributes, diabetes.kind) == (442, 10, "number")
    first = load("builtin:friedman1", rows=20_000)
    x, y = first.values, first.target
    truth = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    assert abs(float((y - truth).std()) - 1) < 0.02
    for name in ("friedman2", "friedman3"):
        data = load(f"builtin:{name}", rows=100)
        assert (data.kind, data.n_attributes, data.name) == ("number", 4, f"{name}-100")
