from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats as scipy_stats

from tiebreak.errors import InputError
from tiebreak.stats import rank_rows
from tiebreak.stats.numeric.basics import snap, tie_sums

TABLES = hnp.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(2, 6)), elements=st.integers(-3, 3).map(float))


@given(TABLES)
def test_equal_to_scipy(table: np.ndarray) -> None:
    assert np.array_equal(rank_rows(table), scipy_stats.rankdata(table, axis=1))


@given(TABLES)
def test_flipping_the_direction_mirrors_the_ranks(table: np.ndarray) -> None:
    assert np.allclose(rank_rows(table) + rank_rows(table, higher_is_better=True), table.shape[1] + 1)


@given(TABLES)
def test_tie_sums_by_counting(table: np.ndarray) -> None:
    counted = [sum(int(t) ** 3 - int(t) for t in np.unique(row, return_counts=True)[1]) for row in table]
    assert np.allclose(tie_sums(rank_rows(table)), counted)


def test_binary_noise_does_not_break_a_tie() -> None:
    row = snap(np.array([[0.1 + 0.2, 1e300, 0.3, 1 - 0.7, -0.0, 0.0, 1e-300, np.nan, 0.3000000001]]))[0]
    assert row[0] == row[2] == row[3] < row[8]
    assert row[4] == row[5] < row[6]
    assert row[1] == 1e300 and np.isnan(row[7])


def test_noise_is_removed_wherever_it_falls() -> None:
    values = np.random.default_rng(0).random(20_000)
    pairs = snap(np.stack([values, np.nextafter(values, 2)], axis=1))
    assert (pairs[:, 0] == pairs[:, 1]).all()
    assert np.array_equal(snap(values[:, None]), values[:, None])


def test_nan_is_refused_with_its_place() -> None:
    with pytest.raises(InputError) as caught:
        rank_rows([[1.0, np.nan]])
    assert str(caught.value) == (
        "scores[0, 1] is nan (1 such value(s) in all). Drop those data sets, or choose a policy for gaps with"
        " tiebreak.compare(..., missing=...)."
    )


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ([1.0, 2.0], "scores has 1 dimension(s). Pass one row per data set"),
        ([["a", "b"]], "scores holds something that is not a number."),
        ([[1.0]], "scores has 1 algorithm(s). "),
    ],
)
def test_other_shapes_are_refused(bad: object, words: str) -> None:
    with pytest.raises(InputError) as caught:
        rank_rows(bad)  # type: ignore[arg-type]
    assert words in str(caught.value)
