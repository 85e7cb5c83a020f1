"""The study of choices: truth that is known, a second route to P, coverage, and the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tiebreak.cli import main
from tiebreak.errors import OptionError
from tiebreak.stats.selection import Sample, certainty
from tiebreak.studies import study_choices
from tiebreak.studies.choices import (
    Collection,
    default_trade,
    drawn_cells,
    expected_accuracy,
    growth_paths,
    multitest_first,
    planted_folds,
    planted_items,
    row_coverage,
)


def collection(gap: float = 0.2, count: int = 60) -> Collection:
    """A constant predictor, a good one at ten times its cost, one a point better at a hundred times."""
    rng = np.random.default_rng(1)
    scores = np.array([0.8 - gap, 0.8, 0.81]) + rng.normal(0.0, 0.05, (count, 1)) + rng.normal(0.0, 0.01, (count, 3))
    logs = np.broadcast_to([0.0, 1.0, 2.0], scores.shape)
    return Collection("planted", ("constant", "cheap", "costly"), scores, logs, 0.01)


def test_regrets_are_those_of_the_planted_truth() -> None:
    cells = list(drawn_cells(collection(), [5, 20], repetitions=30, rng=np.random.default_rng(0)))
    few, many = (next(cell for cell in cells if cell.size == size and cell.price == 3.0) for size in (5, 20))
    assert few.worth == pytest.approx(0.0, abs=1e-9) and many.worth == pytest.approx(0.0, abs=1e-9)
    # Five data sets cannot reach significance by Wilcoxon's test, so that MultiTest keeps the cheapest: 20 - 3 points.
    assert few.multitest == few.cheapest == pytest.approx(17.0, abs=0.5)
    # Twenty often show the costly one to be better, which MultiTest then takes at any price: 3 - 1 points.
    assert 0.5 < many.multitest <= many.best_mean
    assert many.best_mean == pytest.approx(2.0, abs=0.5)
    assert many.true_probability == 1.0 and many.stated_probability > 0.99


def test_probability_is_that_of_a_simulation_with_a_flat_prior_where_nothing_is_shrunk() -> None:
    rng = np.random.default_rng(3)
    scores = np.array([0.0, -1.0]) + rng.normal(0.0, 2.0, (40, 2))
    sample = Sample(scores=scores, logs=np.zeros((1, 1, 2)))
    moments = sample.moments(np.zeros(1))
    assert moments is not None
    known = certainty(moments, first=int(np.argmax(scores.mean(axis=0))))
    difference = scores[:, 0] - scores[:, 1]
    draws = abs(difference.mean()) + rng.standard_normal(200_000) * difference.std(ddof=1) / np.sqrt(len(scores))
    assert known is not None
    assert abs(difference.mean()) > 2 * difference.std(ddof=1) / np.sqrt(len(scores))  # one contender: no shrinkage
    assert known.probability == pytest.approx((draws > 0).mean(), abs=0.01)
    assert known.regret == pytest.approx(np.maximum(-draws, 0).mean(), abs=0.01)


def test_intervals_of_the_loss_cover_planted_truth() -> None:
    rng = np.random.default_rng(5)
    draws = [planted_items(10, 200, rng) for _ in range(150)]
    covered = np.mean([row_coverage(draw.sample, draw.true_scores) for draw in draws])
    assert 0.93 <= covered <= 0.985


def test_planted_items_have_the_accuracy_that_is_called_true() -> None:
    draw = planted_items(5, 40_000, np.random.default_rng(2))
    assert draw.sample.mean_scores == pytest.approx(draw.true_scores, abs=0.012)


@pytest.mark.parametrize("scheme", ["10 folds", "5x2 folds"])
def test_learners_reach_their_expected_accuracy(scheme: str) -> None:
    rng = np.random.default_rng(4)
    draws = [planted_folds(scheme, rng, learned=True) for _ in range(150)]
    error = np.mean([draw.sample.mean_scores - draw.true_scores for draw in draws])
    assert abs(error) < 0.004
    assert draws[0].sample.inflation == pytest.approx({"10 folds": 1 + 10 / 9, "5x2 folds": 11.0}[scheme])
    assert expected_accuracy(np.array([0.2]), 10) < expected_accuracy(np.array([0.2]), 1000)


def test_multitest_takes_the_cheapest_unless_a_costlier_one_is_significantly_better() -> None:
    rng = np.random.default_rng(0)
    equal = rng.normal(size=(30, 3))
    assert multitest_first(equal, np.array([2.0, 1.0, 3.0])) == 1
    assert multitest_first(equal + np.array([3.0, 0.0, 0.0]), np.array([2.0, 1.0, 3.0])) == 0
    answers = (rng.random((500, 2)) < [0.9, 0.5]).astype(float)
    assert multitest_first(answers, np.array([5.0, 1.0]), binary=True) == 0


def test_a_constant_predictor_stays_below_as_data_sets_are_added() -> None:
    paths = growth_paths(collection(), rng=np.random.default_rng(0), paths=20)
    assert paths.baseline_high == 0.0 and paths.jumps == 0.0
    assert growth_paths(collection(gap=-0.1), rng=np.random.default_rng(0), paths=2).baseline_high == 1.0
    assert default_trade(0.8, 0.01) == pytest.approx(0.008)
    assert default_trade(0.998, 0.01) == pytest.approx(0.0002)


def test_the_command_line_gives_the_numbers_of_the_function(capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "published:ulas2012",
        "--score",
        "accuracy",
        "--cost",
        "train_time",
        "--sizes",
        "12",
        "--repetitions",
        "4",
    ]
    assert main(["study", "choices", *options, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    tables = {"published:ulas2012": "published:ulas2012"}
    study = study_choices(tables, score="accuracy", cost="train_time", sizes=[12], repetitions=4)
    assert data["cells"] == study.rows() and len(data["growth"]) == 1
    assert study.rows() == [row for cell in study.cells for row in cell.rows()]


def test_sizes_must_be_numbers() -> None:
    with pytest.raises(OptionError):
        study_choices(sizes=[1], repetitions=2)
    assert main(["study", "choices", "--sizes", "few"]) == 2
