"""Predicted times: curves with known exponents, other programs' fits, ranges that hold, bases that say little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize

from tiebreak.advisor import Advisor, Knowledge, MetaTable, shipped_knowledge
from tiebreak.advisor.times import (
    FAR,
    LEAST,
    MOST,
    N_FIXED,
    NOISE,
    PULL,
    USUAL,
    Sizes,
    TwoParts,
    fit_times,
    fit_two_parts,
    log_times,
    model_of,
    row_powers,
    size_of,
    sizes_of,
    train_shares,
)
from tiebreak.documents.words import amount
from tiebreak.errors import InputError, OptionError

Array = npt.NDArray[np.float64]


@cache
def few() -> Knowledge:
    """A part of the shipped base, so that tests stay quick."""
    names = ["5nn", "boost", "c45", "lda", "mlp", "nb", "rf", "sv2", "svl", "svr"]
    base = shipped_knowledge().only(algorithms=names)
    return base.datasets_at(np.arange(0, len(base.datasets), 3))


def known(
    seconds: npt.ArrayLike,
    rows: npt.ArrayLike | None,
    *,
    columns: npt.ArrayLike = 8.0,
    classes: npt.ArrayLike = 2.0,
    algorithms: Sequence[str] | None = None,
    **more: npt.ArrayLike,
) -> Knowledge:
    """A base of times (data sets, algorithms), each measured once on all rows."""
    times = np.asarray(seconds, dtype=np.float64)
    count, width = times.shape
    named = {"n_attributes": columns, "n_classes": classes, **more}
    if rows is not None:
        named = {"n_examples": rows, **named}
    matrix = np.column_stack([np.broadcast_to(np.asarray(v, dtype=float), (count,)) for v in named.values()])
    sets = tuple(f"d{i:03}" for i in range(count))
    cube = np.where(np.isnan(times), np.nan, 0.8)[:, :, None, None]
    return Knowledge(
        datasets=sets,
        algorithms=tuple(algorithms or (f"a{j}" for j in range(width))),
        accuracy=cube,
        time=times[:, :, None, None],
        meta=MetaTable(names=sets, measures=tuple(named), matrix=matrix),
        origins=sets,
        machines=("m",) * count,
        sources=("s",) * count,
        fingerprints=("",) * count,
    )


def drawn(count: int, seed: int = 0) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(seed)
    rows = np.exp(rng.uniform(np.log(100), np.log(20000), count)).round()
    return rows, rng.integers(3, 60, count).astype(float), rng.integers(2, 12, count).astype(float)


def asked(rows: float, columns: float = 8.0, classes: float = 2.0) -> dict[str, float]:
    return {"n_examples": rows, "n_attributes": columns, "n_classes": classes}


# ---- what is recovered


@pytest.mark.parametrize("power", [1.0, 1.4, 2.0])
def test_an_overhead_and_a_power_of_the_rows_are_told_apart(power: float) -> None:
    rows, columns, classes = drawn(80)

    def true(n: Array, p: Array, k: Array) -> Array:
        return np.asarray(0.02 + 1e-6 * n**power * p**0.8 * k**0.5)

    model = fit_times(
        known(np.column_stack([true(rows, columns, classes)] * 2), rows, columns=columns, classes=classes)
    )
    for size in (150, 3000, 20000, 200000):
        result = model.predict(asked(size, 20, 4)).seconds[0]
        assert result == pytest.approx(float(true(*(np.array(float(v)) for v in (size, 20, 4)))), rel=0.12), size


def test_a_straight_line_through_logarithms_would_say_too_little_for_large_data() -> None:
    """The reason for two parts: by plain least squares of the same made times, 200,000 rows look cheap."""
    rows, columns, classes = drawn(80)
    seconds = 0.5 + 1e-6 * rows**1.5 * columns**0.8 * classes**0.5
    logs = np.column_stack([np.ones(80), np.log(rows), np.log(columns), np.log(classes)])
    line = np.linalg.lstsq(logs, np.log(seconds), rcond=None)[0]
    true = 0.5 + 1e-6 * 2e5**1.5 * 20**0.8 * 4**0.5
    straight = float(np.exp(np.array([1.0, np.log(2e5), np.log(20), np.log(4)]) @ line))
    model = fit_times(known(np.column_stack([seconds] * 2), rows, columns=columns, classes=classes))
    assert straight < true / 3
    assert model.predict(asked(2e5, 20, 4)).seconds[0] == pytest.approx(true, rel=0.25)


def test_without_an_overhead_it_is_the_line_that_numpy_fits() -> None:
    rows, columns, classes = drawn(120, seed=3)
    rng = np.random.default_rng(4)
    seconds = 1e-5 * rows**1.2 * columns**0.6 * classes**0.9 * np.exp(rng.normal(0, 0.1, 120))
    logs = np.column_stack([np.ones(120), np.log(rows), np.log(columns), np.log(classes)])
    line = np.linalg.lstsq(logs, np.log(seconds), rcond=None)[0]
    model = fit_times(known(np.column_stack([seconds] * 2), rows, columns=columns, classes=classes))
    for n, p, k in ((300, 10, 2), (2000, 30, 5), (15000, 50, 10)):
        plain = float(np.exp(np.array([1.0, np.log(n), np.log(p), np.log(k)]) @ line))
        assert model.predict(asked(n, p, k)).seconds[0] == pytest.approx(plain, rel=0.06)


def test_no_other_program_finds_a_lower_cost() -> None:
    """The documented cost (Huber's, with the pull to usual slopes), minimised by scipy from the end and from afar."""
    base = few()
    logs = np.log(base.means()[1].T)  # type: ignore[union-attr]
    model = fit_times(base)
    full = model.sizes.filled()
    fixed, growing = full.overhead(), full.growth()
    for j in (4, 9):
        usual = USUAL.copy()
        usual[N_FIXED + 1] = row_powers(base.algorithms)[0][j]
        usual[0] = np.median(logs[j] - fixed[:, 1:] @ usual[1:N_FIXED])
        usual[N_FIXED] = np.median(logs[j] - growing[:, 1:] @ usual[N_FIXED + 1 :]) - 3.5

        def cost(c: Array, j: int = j, usual: Array = usual) -> float:
            off = np.abs(logs[j] - np.logaddexp(fixed @ c[:N_FIXED], growing @ c[N_FIXED:]))
            return float(np.where(off < FAR, off**2, FAR * (2 * off - FAR)).sum() + (PULL * (c - usual) ** 2).sum())

        coefficient = model.curves.coefficients[j]
        bounds = list(zip(LEAST, MOST, strict=True))
        ends = [minimize(cost, start, bounds=bounds, method="L-BFGS-B").fun for start in (coefficient, usual)]
        assert cost(coefficient) <= min(ends) + 1e-3
        assert (coefficient >= LEAST - 1e-12).all() and (coefficient <= MOST + 1e-12).all()


def test_one_odd_time_does_not_bend_a_curve() -> None:
    rows, columns, classes = drawn(60, seed=5)
    seconds = 0.01 + 1e-6 * rows**1.3 * columns**0.7
    odd = seconds.copy()
    odd[int(np.argmax(rows))] *= 1000
    plain, bent = (
        fit_times(known(np.column_stack([seconds, odd]), rows, columns=columns, classes=classes))
        .predict(asked(20000, 20, 4))
        .seconds
    )
    assert bent == pytest.approx(plain, rel=0.5)


# ---- the range


def test_nine_of_ten_new_times_lie_in_their_range() -> None:
    rng = np.random.default_rng(8)
    held = []
    for draw in range(12):
        rows, columns, classes = drawn(60, seed=draw)
        middle = 0.01 + 2e-6 * rows**1.2 * columns**0.7 * classes**0.4
        seconds = middle[:, None] * np.exp(rng.normal(0, 0.35, (60, 5)))
        model = fit_times(known(seconds[:40], rows[:40], columns=columns[:40], classes=classes[:40]))
        for i in range(40, 60):
            predict = model.predict(asked(rows[i], columns[i], classes[i]))
            held += ((seconds[i] >= predict.low) & (seconds[i] <= predict.high)).tolist()
    assert 0.86 < np.mean(held) < 0.95


def test_beyond_what_was_measured_it_is_said_and_the_range_is_wider() -> None:
    rows, columns, classes = drawn(60)
    seconds = 0.01 + 2e-6 * rows**1.2 * columns**0.7 * np.exp(np.random.default_rng(1).normal(0, 0.2, 60))
    model = fit_times(known(np.column_stack([seconds] * 2), rows, columns=columns, classes=classes))
    inside, far, wide = (model.predict(asked(*size)) for size in ((5000, 20, 4), (1e6, 20, 4), (1e6, 500, 40)))
    assert (inside.beyond, far.beyond, wide.beyond) == ((), ("rows",), ("rows", "columns", "classes"))
    assert not inside.caveats and far.caveats[0].code == "times-guessed"
    low, high = amount(rows.min()), amount(rows.max())
    assert "e+" not in high
    assert far.caveats[0] == (
        f"Times are predicted beyond what was measured in rows (measured: {low} to {high} rows); their ranges are wider"
        " for it."
    )
    reach = [float(item.high[0] / item.low[0]) for item in (inside, far, wide)]
    assert reach[0] * 3 < reach[1] < reach[2]


# ---- slopes that make sense


def test_times_never_fall_with_rows_and_beyond_them_grow_with_them_at_least() -> None:
    rng = np.random.default_rng(2)
    rows, columns, classes = drawn(30)
    seconds = np.exp(rng.normal(-3, 0.5, (30, 4))) / np.sqrt(rows)[:, None]  # as if more rows took less time
    model = fit_times(known(seconds, rows, columns=columns, classes=classes))
    sizes = np.geomspace(50, 1e7, 25)
    values = np.array([model.predict(asked(n, 20, 4)).seconds for n in sizes])
    assert (np.diff(values, axis=0) >= 0).all()
    ten, hundred = (model.predict(asked(n, 20, 4)).seconds for n in (1e9, 1e10))
    assert (hundred / ten > 9.5).all()


def test_kernel_machines_go_on_with_the_square_of_the_rows() -> None:
    rows, columns, _ = drawn(40)
    seconds = 1e-5 * rows * np.ones(40)  # easy data: all but linear
    model = fit_times(known(np.column_stack([seconds] * 2), rows, columns=columns, algorithms=["svr", "rf"]))
    far, farther = (model.predict(asked(n, 20, 2)).seconds for n in (1e7, 1e8))
    np.testing.assert_allclose(farther / far, [100.0, 10.0], rtol=0.15)


def test_what_kind_an_algorithm_is_of_is_told_by_its_name() -> None:
    names = ("svl", "SVC", "kSVM_28", "SMO", "LinearSVC", "lSVM_05", "gaussian process", "KNN_default", "5nn", "IBk")
    usual, _ = row_powers(names)
    assert usual.tolist() == [2, 2, 2, 2, 1.2, 1.2, 2.5, 1.5, 1.5, 1.5]
    others = ("rf", "boost", "mlp", "c45", "nb", "xgboost", "RandomForest", "svd tree", "DANet_default", "cnn2")
    assert row_powers(others)[0].tolist() == [1.0] * len(others)


# ---- invariance


def test_neither_order_nor_unit_matters() -> None:
    base = few()
    query = asked(700, 9, 3)
    plain = fit_times(base).predict(query)
    rng = np.random.default_rng(0)
    turned = fit_times(base.datasets_at(rng.permutation(len(base.datasets)))).predict(query)
    np.testing.assert_allclose(turned.seconds, plain.seconds, rtol=1e-3)
    order = rng.permutation(len(base.algorithms))
    mixed = fit_times(base.algorithms_at(order)).predict(query)
    np.testing.assert_allclose(mixed.seconds, plain.seconds[order], rtol=1e-6)
    assert base.time is not None
    slower = fit_times(replace(base, time=base.time * 1000)).predict(query)
    for part in ("seconds", "low", "high"):
        np.testing.assert_allclose(getattr(slower, part), 1000 * getattr(plain, part), rtol=1e-6)


BLOCK = 4_000_000
"""Derivatives held at a time: origins are left out in groups."""


def times_left_out(known: Knowledge, labels: np.ndarray) -> dict[str, np.ndarray]:
    """Predict the times of every data set from those with another label.

    Returned are (data sets, algorithms): what is "predicted", the "low" and "high" ends of its range, and the "middle",
    the geometric mean of the algorithm's times there.
    """
    logs, sizes = log_times(known), sizes_of(known.meta, train_shares(known))
    out = {name: np.full(logs.shape, np.nan) for name in ("predicted", "low", "high", "middle")}
    for group, curves in _refitted(logs, sizes, labels, row_powers(known.algorithms)[0]):
        for at, label in enumerate(group):
            _fill(out, known, logs, sizes, labels == label, _part(curves, at, len(known.algorithms)))
    return out


def _refitted(logs: np.ndarray, sizes: Sizes, labels: np.ndarray, power: np.ndarray) -> list[tuple[range, TwoParts]]:
    """Fit without each origin, several origins at a time."""
    count, algorithms = logs.shape
    full, there = sizes.filled(), np.isfinite(logs).T.astype(np.float64)
    fixed, growing = full.overhead(), full.growth()
    step = max(1, BLOCK // (9 * count * algorithms))
    out = []
    for start in range(0, int(labels.max()) + 1, step):
        group = range(start, min(start + step, int(labels.max()) + 1))
        weight = np.concatenate([there * (labels != origin) for origin in group])
        many = np.tile(np.nan_to_num(logs.T), (len(group), 1)), weight, np.tile(power, len(group))
        out.append((group, fit_two_parts(fixed, growing, *many)))
    return out


def _part(curves: TwoParts, at: int, count: int) -> TwoParts:
    rows = slice(at * count, (at + 1) * count)
    return TwoParts(**{name: getattr(curves, name)[rows] for name in TwoParts.__slots__})


def _fill(
    out: dict[str, np.ndarray], known: Knowledge, logs: np.ndarray, sizes: Sizes, gone: np.ndarray, curves: TwoParts
) -> None:
    """Predict the data sets that are gone from those that are left."""
    there = np.isfinite(logs).T & ~gone
    left = Sizes(**{name: np.where(gone, np.nan, getattr(sizes, name)) for name in Sizes.__slots__})
    model = replace(model_of(known.algorithms, curves, sizes, there.astype(np.float64)), sizes=left)
    total = np.where(there, np.nan_to_num(logs.T), 0.0).sum(axis=1)
    mean = np.divide(total, there.sum(axis=1), out=np.full(len(total), np.nan), where=there.any(axis=1))
    for place in np.flatnonzero(gone):
        one = Sizes(**{name: getattr(sizes, name)[[place]] for name in Sizes.__slots__})
        middle, reach = model.at(one)
        for name, value in (("predicted", middle), ("low", middle - reach), ("high", middle + reach), ("middle", mean)):
            out[name][place] = np.exp(value)


def left_out(base: Knowledge) -> dict[str, np.ndarray]:
    return times_left_out(base, np.unique(np.array(base.origins), return_inverse=True)[1])


def test_leaving_out_equals_fitting_without() -> None:
    base = few()
    result = left_out(base)
    origin = base.origins[3]
    gone = [name for name, item in zip(base.datasets, base.origins, strict=True) if item == origin]
    model = fit_times(base.without(datasets=gone))
    row = dict(zip(base.meta.measures, base.meta.matrix[3].tolist(), strict=True))
    alone = model.predict(row, share=float(train_shares(base)[3]))
    np.testing.assert_allclose(result["predicted"][3], alone.seconds, rtol=1e-3)
    np.testing.assert_allclose(result["high"][3], alone.high, rtol=1e-2)
    left = np.array([item != origin for item in base.origins])
    seconds = base.means()[1]
    assert seconds is not None
    np.testing.assert_allclose(result["middle"][3], np.exp(np.log(seconds[left]).mean(axis=0)))


def test_on_the_shipped_base_nine_of_ten_cells_left_out_are_within_a_factor_of_three() -> None:
    base = shipped_knowledge()
    result, seconds = left_out(base), base.means()[1]
    assert seconds is not None
    curve, middle = (np.exp(np.abs(np.log(result[name] / seconds))) for name in ("predicted", "middle"))
    assert np.nanmean(curve <= 3) >= 0.9 and np.nanmedian(curve) < 1.28 and np.nanquantile(curve, 0.9) < 2.2
    assert np.nanmedian(curve) < np.nanmedian(middle) and np.nanquantile(curve, 0.9) < np.nanquantile(middle, 0.9)
    inside = (seconds >= result["low"]) & (seconds <= result["high"])
    assert 0.85 <= inside[np.isfinite(curve)].mean() <= 0.97


# ---- bases that hardly say anything


def test_one_data_set_gives_its_times_and_usual_slopes() -> None:
    model = fit_times(known([[0.5, 2.0]], [1000.0]))
    same, larger = (model.predict(asked(n)) for n in (1000, 100000))
    np.testing.assert_allclose(same.seconds, [0.5, 2.0], rtol=0.1)
    assert (larger.seconds > same.seconds).all() and (larger.seconds < 1000 * same.seconds).all()
    assert (same.high / same.low > 3).all()


def test_sizes_that_do_not_vary_and_times_of_zero() -> None:
    model = fit_times(known([[0.0, 1.0], [0.001, 2.0], [0.001, 1.5]], [500.0, 500.0, 500.0]))
    seconds = model.predict(asked(500)).seconds
    np.testing.assert_allclose(seconds, [0.001, np.exp(np.log([1, 2, 1.5]).mean())], rtol=0.1)


def test_rows_that_nobody_counted_give_middle_values_with_a_caveat() -> None:
    model = fit_times(known([[1.0, 4.0], [4.0, 4.0]], None))
    predict = model.predict({"n_attributes": 8.0, "n_classes": 2.0})
    np.testing.assert_allclose(predict.seconds, [2.0, 4.0], rtol=0.1)
    assert not predict.sized and [note.code for note in predict.caveats] == ["times-guessed"]


def test_an_algorithm_without_a_time_has_none_predicted() -> None:
    predict = fit_times(known([[1.0, np.nan], [2.0, np.nan]], [100.0, 200.0])).predict(asked(150))
    assert np.isfinite(predict.seconds[0]) and np.isnan(predict.seconds[1])
    assert np.isnan(predict.of("a1")[0]) and np.isnan(predict.of("unheard of")[0])


def test_no_times_and_bad_shares_are_refused() -> None:
    base = few()
    for none in (replace(base, time=None), replace(base, time=np.zeros_like(base.accuracy))):
        with pytest.raises(InputError) as caught:
            fit_times(none)
        assert str(caught.value) == (
            "The known results hold no times, or none above 0. Times of new data are predicted from them. Name the"
            " column of times (time=...)."
        )
    with pytest.raises(OptionError, match="share is 0"):
        fit_times(base).predict(asked(100), share=0)


def test_folds_tell_how_many_rows_were_trained_on() -> None:
    assert set(train_shares(few()).tolist()) == {0.5}  # two folds
    assert train_shares(replace(few(), train_share=())).tolist() == [0.5] * len(few().datasets)
    assert train_shares(known([[1.0, 1.0]], [10.0])).tolist() == [1.0]


def test_columns_are_counted_with_a_column_per_symbolic_value() -> None:
    sizes = size_of({"n_examples": 100, "n_numeric": 2, "n_symbolic": 3, "mean_categories": 4, "n_classes": 2})
    assert np.exp(sizes.columns[0]) == pytest.approx(5)
    assert np.exp(sizes.spread[0]) == pytest.approx((2 + 3 * 4) / 5)
    assert np.exp(size_of({"log_n_examples": 3.0}).rows[0]) == pytest.approx(1000)


def test_many_fits_at_once_equal_single_ones() -> None:
    rng = np.random.default_rng(0)
    fixed = np.column_stack([np.ones(25), rng.normal(2, 1, (25, 2)), rng.integers(0, 2, 25)])
    growing = np.column_stack([np.ones(25), rng.normal(6, 1.5, 25), fixed[:, 1:3], rng.uniform(0, 1, 25)])
    logs, weight = rng.normal(-3, 1, (6, 25)), (rng.uniform(size=(6, 25)) < 0.8).astype(float)
    weight[4] = 0.0
    power = np.linspace(1, 2, 6)
    together = fit_two_parts(fixed, growing, logs, weight, power)
    for b in range(6):
        one = slice(b, b + 1)
        alone = fit_two_parts(fixed, growing, logs[one], weight[one], power[one])
        np.testing.assert_allclose(together.coefficients[one], alone.coefficients, rtol=1e-6)
        np.testing.assert_allclose(together.spread[one], alone.spread, rtol=1e-6)
    assert np.isnan(together.spread[4]) and np.isfinite(together.spread[:4]).all() and NOISE > 0


# ---- in a recommendation


def test_for_a_million_rows_nobody_is_told_that_a_kernel_machine_takes_milliseconds() -> None:
    query = {**asked(1e6, 11, 2), "prop_symbolic": 0.0, "prop_outliers": 0.0, "class_entropy": 1.0}
    recommend = Advisor().recommend(
        {**query, "canonical_correlation": 0.7}, accd=0.01, algorithms=["boost", "nb", "svr", "svl"]
    )
    seconds = dict(zip(recommend.algorithms, recommend.predicted()[0].tolist(), strict=True))
    assert seconds["svr"] > 1000 and seconds["svr"] > 100 * seconds["nb"] > 1
    assert recommend.algorithms[0] not in ("svl", "sv2", "svr")
    assert "times-guessed" in recommend.to_dict()["caveat_codes"]
    assert "predicted seconds" in str(recommend) and "seconds there" not in str(recommend)
