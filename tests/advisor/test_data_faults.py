"""Faults in data are named, one line each, and clean data have none."""

from __future__ import annotations

import numpy as np
import pytest

from tiebreak.advisor.new_data import data_faults, duplicates_together
from tiebreak.datasets import DataSet
from tiebreak.lab.resampling import Resampling
from tiebreak.lab.splits import split

RNG = np.random.default_rng(4)
ROWS = 200
TARGET = RNG.integers(0, 2, ROWS)
NOISE = RNG.normal(size=ROWS)


def data_with(column: np.ndarray, name: str = "x", **about: object) -> DataSet:
    values = np.column_stack([NOISE, column])
    return DataSet.from_arrays(values, TARGET.tolist(), attributes=["size", name], **about)  # type: ignore[arg-type]


def lines(data: DataSet) -> list[str]:
    caveats = data_faults(data)
    assert {note.code for note in caveats} <= {"data-suspicious"}
    return [str(item) for item in caveats]


def test_clean_data_have_no_fault() -> None:
    assert lines(data_with(TARGET + RNG.normal(size=ROWS))) == []


@pytest.mark.parametrize(
    "column",
    [TARGET * 3.0, 1.0 - TARGET, TARGET * 2 + RNG.integers(0, 2, ROWS), TARGET * 10 + RNG.uniform(0, 5, ROWS)],
    ids=["copy", "flip", "code", "thresholds"],
)
def test_a_column_that_tells_the_target_is_named(column: np.ndarray) -> None:
    (line,) = lines(data_with(column.astype(float), "paid"))
    assert line.startswith("'paid' predicts the target by itself") and "drop=['paid']" in line


def test_a_number_that_is_another_column_in_other_units_is_named() -> None:
    values = np.column_stack([NOISE, 3.0 * NOISE - 2.0 + 0.0 * NOISE])
    data = DataSet.from_arrays(values, (5.0 * NOISE).tolist(), attributes=["a", "b"], kind="number")
    assert "'a' and 'b' predict the target" in lines(data)[0]
    other = DataSet.from_arrays(values + RNG.normal(size=values.shape), (5.0 * NOISE).tolist(), kind="number")
    assert lines(other) == []


def test_one_rare_class_does_not_make_every_column_suspicious() -> None:
    data = DataSet.from_arrays(RNG.integers(0, 3, (500, 2)).astype(float), [0] * 497 + [1] * 3)
    assert not any("predict" in line for line in lines(data))


def test_copies_are_counted_and_kept_on_one_side() -> None:
    values = np.vstack([NOISE[:, None], NOISE[:50, None]])
    data = DataSet.from_arrays(values, [*TARGET.tolist(), *TARGET[:50].tolist()])
    assert lines(data) == ["50 rows repeat others exactly: copies are kept on one side of every split."]
    together = duplicates_together(data)
    for fold in split(together, Resampling(replications=1, folds=5, test=0.2), seed=0).folds:
        assert not set(values[fold.train, 0]) & set(values[fold.validation, 0])
    few = DataSet.from_arrays(RNG.integers(0, 3, (300, 2)).astype(float), RNG.integers(0, 2, 300).tolist())
    assert duplicates_together(few) is few and lines(few) == []  # equal by coincidence
    assert duplicates_together(together) is together


def test_labels_sentinels_codes_and_near_constants_are_named() -> None:
    labels = np.array(["yes", "no"])[TARGET].tolist()
    labels[:3] = ["Yes ", "NO", "yes"]
    (line,) = lines(DataSet.from_arrays(NOISE[:, None], labels))
    assert line.startswith("Classes: ") and "differ by case or spaces only" in line
    odd = np.where(np.arange(ROWS) % 20 == 0, -999.0, np.abs(NOISE))
    assert "-999 in 'age' may stand for a missing value" in lines(data_with(odd, "age"))[0]
    assert lines(data_with(np.where(np.arange(ROWS) % 20 == 0, 99.0, RNG.uniform(0, 98, ROWS)), "age")) == []
    assert "symbolic=['zip_code']" in lines(data_with(RNG.integers(10_000, 99_999, ROWS).astype(float), "zip_code"))[0]
    flat = np.zeros(ROWS)
    flat[7] = 1.0
    assert lines(data_with(flat, "rare")) == ["'rare' nearly constant: kept; drop=['rare']."]
