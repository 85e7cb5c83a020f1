"""Costs that differ by no more than noise: called so at the stated rate, said as a caveat, taken for equal if told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tiebreak import Results, order
from tiebreak.cli import main
from tiebreak.deciding.order._noise import cost_noise, noise_levels
from tiebreak.errors import OptionError


def costs(
    rng: np.random.Generator, shape: tuple[int, ...], means: Any = 1.0, *, sd: float = 0.1, sets: float = 0.0
) -> Any:
    """Draw costs of (data sets, algorithms, replications, folds): sizes of data sets, their own ratios, and noise."""
    size = np.exp(rng.normal(0.0, 1.5, (shape[0], 1, 1, 1)))
    own = np.exp(rng.normal(0.0, sets, (*shape[:2], 1, 1)))
    return size * own * np.reshape(means, (1, -1, 1, 1)) * np.exp(rng.normal(0.0, sd, shape))


def table(folds: Any, errors: Any = None, *, cost: str = "train_time") -> Results:
    """Make a table of those costs; all algorithms have the same errors unless told."""
    places = list(np.ndindex(folds.shape))
    flat = np.broadcast_to(0.1 if errors is None else errors, folds.shape)
    return Results.from_dict(
        {
            "dataset": [f"d{place[0]:02d}" for place in places],
            "algorithm": ["abcdefgh"[place[1]] for place in places],
            "replication": [place[2] for place in places],
            "fold": [place[3] for place in places],
            "error": [float(flat[place]) for place in places],
            cost: [float(folds[place]) for place in places],
        }
    )


@pytest.mark.parametrize(
    ("shape", "sets"), [((1, 5, 5, 2), 0.0), ((4, 5, 5, 2), 0.0), ((6, 4, 1, 10), 0.0), ((12, 5, 1, 1), 0.3)]
)
def test_noise_is_called_a_difference_no_more_often_than_stated(shape: tuple[int, ...], sets: float) -> None:
    """Of 1,000 tables of equal expected costs at most 5 % (6.4 % with the error of counting) may show a difference."""
    rng = np.random.default_rng(20)
    wrong = 0
    for _ in range(1000):
        folds = costs(rng, shape, sets=sets)
        found = cost_noise(folds, np.exp(np.log(folds).mean(axis=(2, 3))), alpha=0.05, timed=True)
        assert found is not None
        wrong += bool(found.apart.any())
    assert wrong <= 64


def test_real_differences_are_found() -> None:
    rng = np.random.default_rng(3)
    found = cost_noise(*both(costs(rng, (3, 4, 5, 2), [1.0, 1.02, 1.5, 9.0])), alpha=0.05, timed=True)
    assert found is not None
    assert found.apart.astype(int).tolist() == [[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]
    assert found.over == "folds"
    np.testing.assert_allclose(found.ratio[0, 3], 1 / 9, rtol=0.1)
    assert found.low[0, 3] < found.ratio[0, 3] < found.high[0, 3] < 1
    np.testing.assert_allclose(found.low[0, 3], 1 / found.high[3, 0])


def both(folds: Any) -> tuple[Any, Any]:
    return folds, folds.mean(axis=(2, 3))


def test_two_algorithms_over_data_sets_are_the_paired_t_test_of_logs() -> None:
    rng = np.random.default_rng(4)
    folds = costs(rng, (15, 2, 1, 1), [1.0, 1.2], sets=0.2)
    found = cost_noise(*both(folds), alpha=0.05, timed=True)
    logs = np.log(folds[:, :, 0, 0])
    for alpha in (0.9, 0.5, 0.1, 0.01, 0.001):
        judged = cost_noise(*both(folds), alpha=alpha, timed=True)
        assert judged is not None
        assert judged.apart[0, 1] == (stats.ttest_rel(logs[:, 0], logs[:, 1]).pvalue <= alpha)
    interval = stats.ttest_rel(logs[:, 0], logs[:, 1]).confidence_interval(0.95)
    assert found is not None
    np.testing.assert_allclose([found.low[0, 1], found.high[0, 1]], np.exp([interval.low, interval.high]))
    one = costs(rng, (1, 2, 5, 2))
    found = cost_noise(*both(one), alpha=0.05, timed=True)
    logs = np.log(one[0].reshape(2, -1))
    interval = stats.ttest_rel(logs[0], logs[1]).confidence_interval(0.95)
    assert found is not None
    np.testing.assert_allclose([found.low[0, 1], found.high[0, 1]], np.exp([interval.low, interval.high]))


def test_costs_without_noise_and_costs_of_zero() -> None:
    steady = np.broadcast_to(np.array([10.0, 20.0, 20.0])[None, :, None, None], (2, 3, 2, 2)).copy()
    found = cost_noise(*both(steady), alpha=0.05, timed=False)
    assert found is not None
    assert found.apart.astype(int).tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 0]], "sizes of models are facts"
    copied = cost_noise(*both(steady), alpha=0.05, timed=True)
    assert copied is not None
    assert copied.over == "data sets", "a time that is the same in all folds was measured once"
    steady[:, 0] = 0.0
    found = cost_noise(*both(steady), alpha=0.05, timed=False)
    assert found is not None
    assert found.apart.astype(int).tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert cost_noise(*both(np.ones((1, 3, 1, 1))), alpha=0.05, timed=True) is None


def test_no_two_of_a_level_differ_although_equality_is_not_transitive() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        count = int(rng.integers(2, 7))
        apart = np.triu(rng.random((count, count)) < 0.4, 1)
        apart |= apart.T
        row = rng.random((3, count))
        for level, cost in zip(noise_levels(row, apart), row, strict=True):
            same = level[:, None] == level[None, :]
            assert not (apart & same).any()
            ordered = level[np.argsort(cost)]
            assert (np.diff(ordered) >= 0).all() and (np.diff(ordered) <= 1).all() and ordered[0] == 0
            first = [
                np.flatnonzero(level == each)[np.argmin(cost[level == each])] for each in range(1, level.max() + 1)
            ]
            for each, start in enumerate(first, start=1):
                assert apart[start, level == each - 1].any(), "a new level begins only where something differs"


def test_an_order_by_noise_is_said_and_auto_lets_the_score_decide() -> None:
    rng = np.random.default_rng(6)
    folds = costs(rng, (3, 3, 5, 2), [1.0, 1.01, 4.0])
    errors = np.array([0.12, 0.10, 0.11])[None, :, None, None] + rng.normal(0, 0.02, folds.shape)
    results = table(folds, errors)
    plain = order(results, score="error", cost="train_time")
    cheaper, dearer = plain.prior[:2]
    (note,) = [each for each in plain.caveats if each.code == "cost-noise"]
    start = "In 1 of 2 neighbouring places cost decided by no more than the noise of train_time over folds: "
    assert note.startswith(f"{start}{cheaper} 0.9") and f" times {dearer} (0." in note
    assert note.endswith(
        "; 95% intervals of all pairs together. equal_within='auto' takes such costs for equal"
        " and lets the score decide."
    )
    auto = order(results, score="error", cost="train_time", equal_within="auto")
    assert auto.prior == ("b", "a", "c"), "b scores better, and c costs more"
    assert {"cost-noise"} & {each.code for each in auto.caveats} == set()
    assert "Costs that differ by no more than noise" in str(auto)
    assert order(results, score="error", cost="train_time", equal_within="auto", ties="name").prior == ("a", "b", "c")
    assert auto.to_dict()["method"]["equal_within"] == "auto"
    assert auto.firmness is None or auto.firmness.places.shape == (3, 3)


def test_auto_by_places_on_one_data_set_and_with_several_costs() -> None:
    rng = np.random.default_rng(7)
    folds = costs(rng, (4, 3, 5, 2), [1.0, 1.01, 4.0])
    errors = 0.1 + rng.normal(0, 0.02, folds.shape)
    results = table(folds, errors)
    assert order(results, score="error", cost="train_time", equal_within="auto", over="places").prior[2] == "c"
    assert order(results, score="error", cost="train_time", equal_within="auto", dataset="d01").prior[2] == "c"
    told = {"cost_rule": "weighted", "cost_weights": [1], "equal_within": "auto"}
    assert order(results, score="error", cost=["train_time"], **told).prior[2] == "c"
    many = table(costs(rng, (12, 3, 2, 1), [1.0, 1.01, 4.0]), 0.1 + rng.normal(0, 0.02, (12, 3, 2, 1)))
    firm = order(many, score="error", cost="train_time", equal_within="auto", draws=50)
    assert firm.prior[2] == "c" and firm.firmness is not None
    one = table(np.ones((1, 2, 1, 1)) * [[[[1.0]], [[2.0]]]])
    with pytest.raises(
        OptionError, match=r"^equal_within='auto' was given, and nothing tells the noise of the costs on data set"
    ):
        order(one, score="error", cost="train_time", equal_within="auto")


def test_sizes_of_models_and_few_data_sets_without_folds_are_not_called_noise() -> None:
    rng = np.random.default_rng(8)
    sizes = order(table(costs(rng, (3, 3, 5, 2)), cost="model_bytes"), score="error", cost="model_bytes")
    few = order(table(costs(rng, (5, 3, 1, 1))), score="error", cost="train_time")
    for found in (sizes, few):
        assert "cost-noise" not in [each.code for each in found.caveats]


def test_the_command_line_takes_auto_and_a_column_of_hosts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(9)
    frame = table(costs(rng, (3, 3, 5, 2), [1.0, 1.01, 4.0])).to_frame("pandas")
    frame.to_csv(tmp_path / "one.csv", index=False)
    asked = ["--score", "error", "--cost", "train_time", "--json"]
    assert not main(["order", str(tmp_path / "one.csv"), *asked, "--equal-within", "auto"])
    assert json.loads(capsys.readouterr().out)["method"]["equal_within"] == "auto"
    frame["host"] = np.where(frame["algorithm"] == "a", "slow", "fast")
    frame["host_kernel"] = np.where(frame["algorithm"] == "a", 3.0, 1.0)
    frame.loc[frame["algorithm"] == "a", "train_time"] *= 3
    frame = frame.sample(frac=1.0, random_state=1)
    frame.to_csv(tmp_path / "two.csv", index=False)
    assert main(["order", str(tmp_path / "two.csv"), *asked]) == 2
    assert "train_time comes from 2 hosts: 'fast' (60 rows), 'slow' (30 rows)." in capsys.readouterr().err
    costs_of = {}
    for way in ("hosts", "none"):
        assert not main(["order", str(tmp_path / "two.csv"), *asked, "--normalise-cost", way])
        costs_of[way] = json.loads(capsys.readouterr().out)["cost"]
    assert not main(["order", str(tmp_path / "one.csv"), *asked])
    alone = json.loads(capsys.readouterr().out)["cost"]
    np.testing.assert_allclose(costs_of["hosts"]["a"]["value"], alone["a"]["value"])
    np.testing.assert_allclose(costs_of["none"]["a"]["value"], 3 * alone["a"]["value"])
    part = order(frame, score="error", cost="train_time", where="host == fast")
    assert part.algorithms == ("b", "c")
    with pytest.raises(OptionError, match=r"^Costs are to be normalised by host, and no host is known\."):
        order(str(tmp_path / "one.csv"), score="error", cost="train_time", normalise_cost="hosts")
