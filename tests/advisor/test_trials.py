"""What to try next: expected gains by hand, what they must not depend on, and whether following them helps."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tiebreak.advisor import Knowledge, MetaTable, read_knowledge, shipped_knowledge
from tiebreak.advisor.trials import expected_gains
from tiebreak.advisor.trials._trial_losses import trial_losses
from tiebreak.errors import InputError, OptionError

KNOWN = np.array([[0.90, 0.80, 0.95], [0.70, 0.80, 0.70], [0.90, 0.70, 0.93]])
FAR = float("inf")


def test_the_gain_is_the_weighted_mean_of_what_is_added() -> None:
    """By hand: the best of the tried are 0.9, 0.8 and 0.9, so the third adds 0.05, 0 and 0.03."""
    found = expected_gains(KNOWN, [0.85, 0.75, np.nan], width=FAR)
    assert found.weight.tolist() == [1 / 3] * 3
    assert found.gain[2] == pytest.approx((0.05 + 0 + 0.03) / 3)
    assert found.best == found.gain[2] == pytest.approx(found.together)
    assert np.isnan(found.gain[:2]).all()


def test_what_was_seen_weighs_the_data_sets() -> None:
    """The first is ahead of the second by 0.1: as on the first data set, unlike on the second."""
    found = expected_gains(KNOWN, [0.60, 0.50, np.nan])
    centred = KNOWN[:, :2] - KNOWN[:, :2].mean(axis=1, keepdims=True)
    rms = np.sqrt(((centred - [0.05, -0.05]) ** 2).mean(axis=1))
    kernel = np.exp(-0.5 * (rms / 0.03) ** 2)
    assert found.weight == pytest.approx(kernel / kernel.sum())
    assert found.weight.argmax() == 0 and found.weight[1] < 0.01


def test_distance_and_origins_weigh_before_anything_is_seen() -> None:
    found = expected_gains(KNOWN, [np.nan] * 3, distance=[0.0, 1.0, 1.0], origins=["a", "b", "b"])
    kernel = np.array([1.0, 0.5 * np.exp(-0.5 * 0.25), 0.5 * np.exp(-0.5 * 0.25)])
    assert found.weight == pytest.approx(kernel / kernel.sum())
    assert found.gain == pytest.approx(found.weight @ KNOWN)  # nothing is tried: what each reaches


def test_nothing_can_be_added_to_a_perfect_score() -> None:
    assert expected_gains(KNOWN, [1.0, 0.9, np.nan]).best == 0.0
    assert expected_gains(KNOWN, [0.99, 0.9, np.nan], width=FAR).gain[2] == pytest.approx((0.01 + 0 + 0.01) / 3)


def test_gaps_count_where_there_is_something_to_compare() -> None:
    holes = KNOWN.copy()
    holes[0, 2] = np.nan  # the third was not measured there
    holes[1, :2] = np.nan  # none of the tried was measured there
    found = expected_gains(holes, [0.85, 0.75, np.nan], width=FAR)
    assert found.gain[2] == pytest.approx(0.03)
    assert np.isnan(expected_gains(np.where(np.arange(3) == 2, np.nan, KNOWN), [0.8, 0.7, np.nan]).gain).all()


@given(st.integers(0, 2**32 - 1))
def test_neither_the_order_of_data_sets_nor_the_level_of_the_new_one_matters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known, seen = rng.uniform(0.3, 0.7, (6, 4)), rng.uniform(0.3, 0.5, 4)
    seen[2:] = np.nan
    shuffled = rng.permutation(6)
    one, other = expected_gains(known, seen), expected_gains(known[shuffled], seen + 0.1)
    assert one.gain[2:] == pytest.approx(other.gain[2:])
    assert one.weight[shuffled] == pytest.approx(other.weight)
    assert one.best <= one.together + 1e-12


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match=r"shape \(3, 3\) stand beside \(2,\) seen ones"):
        expected_gains(KNOWN, [0.5, np.nan])
    with pytest.raises(
        OptionError, match=r"width is 0\. It is the width of a kernel\. Use a number above 0, width=1\."
    ):
        expected_gains(KNOWN, [0.5, np.nan, np.nan], width=0)


def two_kinds(sets: int = 24, seed: int = 3) -> Knowledge:
    """Data sets of two kinds: on one x and then y are best, on the other z; w is never the best, and cheap."""
    rng = np.random.default_rng(seed)
    kinds = np.arange(sets) % 2
    level = np.where(kinds[:, None] == 0, [0.85, 0.90, 0.70, 0.75], [0.75, 0.70, 0.95, 0.60])
    success = level + rng.uniform(-0.05, 0.05, (sets, 1)) + rng.normal(0, 0.003, (sets, 4))
    names = tuple(f"d{i}" for i in range(sets))
    return Knowledge(
        datasets=names,
        algorithms=("x", "y", "z", "w"),
        accuracy=success[:, :, None, None],
        time=np.broadcast_to(np.array([1.0, 5.0, 5.0, 0.1]), success.shape)[:, :, None, None],
        meta=MetaTable(names=names, measures=("n_examples",), matrix=rng.uniform(100, 200, (sets, 1))),
        origins=names,
        machines=("m",) * sets,
        sources=("made",) * sets,
        fingerprints=("",) * sets,
    )


def test_where_two_show_all_there_is_the_trials_end() -> None:
    """The kind of a data set shows in the first two: nothing more is promised, and nothing more was to be had."""
    found = trial_losses(two_kinds())
    after = {row["order"]: row for row in found.rows()}
    assert after["active testing"]["after 2"] == pytest.approx(0.0, abs=1e-3)
    assert after["active testing"]["after 2"] < min(after[each]["after 2"] for each in ("mean ranks", "random"))
    assert found.stops.tolist() == [2] * 24
    idle, promising = found.calibration(edges=(0.01,))
    assert idle["promised"] < 0.001 and idle["gained"] < 0.001 and promising["gained"] > 0.05


def test_losses_fall_to_nothing_and_time_adds_up() -> None:
    found = trial_losses(shipped_knowledge())
    assert (np.diff(found.loss, axis=2) <= 1e-12).all()
    assert found.loss[:, :, -1].max() == pytest.approx(0.0, abs=1e-12)
    assert found.share[:, :, -1] == pytest.approx(np.ones(found.share.shape[:2]))
    assert found.stops.min() >= 2
    means = f"Loss of the best algorithm tried, means over {len(found.datasets)} data sets; below a gain of 0.0005"
    assert str(found).startswith(means)


def test_without_times_nothing_is_rated_by_them() -> None:
    base = two_kinds()
    bare = Knowledge(**{name: getattr(base, name) for name in base.__slots__} | {"time": None})
    found = trial_losses(bare)
    assert found.orders == ("active testing", "greedy portfolio", "mean ranks", "random")
    assert "at 10% of the time" not in found.rows()[0]


def test_one_origin_says_nothing_about_itself() -> None:
    base = two_kinds(4)
    alone = Knowledge(**{name: getattr(base, name) for name in base.__slots__} | {"origins": ("a",) * 4})
    with pytest.raises(InputError, match=r"^4 data set\(s\) of the base have results of every algorithm\."):
        trial_losses(alone)


@pytest.mark.skipif("TIEBREAK_SHARED" not in os.environ, reason="TIEBREAK_SHARED names a folder with Oboe's results")
def test_on_oboe_active_testing_is_better_than_fixed_orders_and_promises_what_it_gains() -> None:
    folder = Path(os.environ["TIEBREAK_SHARED"]) / "metadata"
    base = read_knowledge(
        folder / "oboe_12algorithms_long.csv",
        score="ber",
        time="runtime_s",
        higher_is_better=False,
        columns={"dataset": "openml_dataset_id"},
    )
    found = trial_losses(base)
    rows = {row["order"]: row for row in found.rows()}
    for rival in ("greedy portfolio", "mean ranks", "random"):
        assert rows["active testing"]["after 5"] < rows[rival]["after 5"]
    for row in found.calibration()[1:]:
        assert row["gained"] == pytest.approx(row["promised"], rel=0.35)
