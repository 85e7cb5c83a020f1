"""Comparing tables that mix metrics: what is said of the tests is what was tested."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tiebreak import Comparison, Results, compare, stats
from tiebreak.comparison.scales import distances

from .every import every

NAMES = ["a", "b", "c", "d"]
METRICS = ["auc", "rmse", "log_loss"]


def errors(n_datasets: int = 18, n_algorithms: int = 4) -> np.ndarray:
    """Draw errors in units that differ a thousandfold; a failed run now and then is cut off by normalised scores."""
    rng = np.random.default_rng(3)
    out = rng.normal(size=(n_datasets, n_algorithms)) + 0.6 * np.arange(n_algorithms)
    out[::5, 2:] += 20 * rng.random((len(out[::5]), n_algorithms - 2))
    return out


def table(drawn: np.ndarray) -> Results:
    rows = []
    for i, row in enumerate(drawn.tolist()):
        metric = METRICS[i % 3]
        scores = {"auc": [0.8 - 0.01 * e for e in row], "rmse": [5000 + 100 * e for e in row]}
        for j, score in enumerate(scores.get(metric, [3 + 0.1 * e for e in row])):
            rows.append((f"set{i:02d}", "abcdef"[j], metric, score))
    keys = ("dataset", "algorithm", "metric", "score")
    return Results.from_dict(dict(zip(keys, map(list, zip(*rows, strict=True)), strict=True)))


ERRORS = errors()
MIXED = table(ERRORS)


def by_pair(comparison: Comparison) -> dict[tuple[str, str], float]:
    return {(min(pair.a, pair.b), max(pair.a, pair.b)): pair.pvalue for pair in comparison.pairs}


def of_code(comparison: Comparison, code: str) -> str:
    return next(str(caveat) for caveat in comparison.caveats if caveat.code == code)


def test_pairs_are_tested_on_distances_and_the_words_say_so() -> None:
    result = compare(MIXED)
    pairs = stats.wilcoxon_pairs(distances(ERRORS), higher_is_better=False, adjust="none")
    assert list(dict(sorted(by_pair(result).items())).values()) == pytest.approx(pairs.pvalue)
    assert result.scale == "distances" and result.to_dict()["method"]["scale"] == "distances"
    assert "for each pair on its distances from the median algorithm." in result.plan.path[1]
    assert "correction on distances from the median algorithm, " in result.document().said[1]
    without = compare(MIXED, omnibus="none")
    assert "the differences in distance from the median algorithm are symmetric about 0" in without.document().said[0]


@every("asked", [{"posthoc": "nemenyi"}, {"pairwise": "ranks"}, {"pairwise": "sign"}, {"pairwise": "wins"}])
@every("scale", ["auto", "distance"])
def test_tests_within_data_sets_are_the_same_on_every_scale(asked: dict[str, str], scale: str) -> None:
    result = compare(MIXED, scale=scale, **asked)  # type: ignore[arg-type]
    plain = compare(Results.from_array(ERRORS, score="rmse", algorithms=NAMES), scale="as-is", **asked)  # type: ignore[arg-type]
    assert by_pair(result) == pytest.approx(by_pair(plain))
    assert result.mean_ranks == pytest.approx(plain.mean_ranks)
    code = of_code(result, "metrics-differ")
    assert "The tests compare algorithms within each data set, which takes no common unit." in code
    assert "tested on" not in code
    assert "large numbers decide" not in of_code(compare(MIXED, scale="as-is", **asked), "metrics-differ")  # type: ignore[arg-type]


def test_scores_that_are_cut_off_are_no_ties() -> None:
    many = table(errors(n_algorithms=6))
    result = compare(many)
    assert (result.scores == -1).sum(axis=1).max() > 1
    assert result.wins().ties.sum() == 0


def test_two_algorithms_have_nothing_but_a_sign_left() -> None:
    result = compare(MIXED.without(algorithms=["c", "d"]))
    wins = int((ERRORS[:, 0] < ERRORS[:, 1]).sum())
    assert result.tests.pvalue[0] == pytest.approx(scipy_stats.binomtest(wins, len(ERRORS)).pvalue)
    assert of_code(result, "ranks-and-scores-disagree").startswith("Two algorithms lie equally far from their middle")
    assert "ranks-and-scores-disagree" not in [caveat.code for caveat in compare(MIXED).caveats]


def test_means_of_distances_have_their_own_column() -> None:
    result = compare(MIXED, omnibus="rm-anova")
    assert result.location_name == "mean distance"
    assert result.document().tables[0].header[3] == "mean distance"
    assert "the same expected distance from the median algorithm" in result.document().said[0]


def test_sizes_of_differences_name_their_unit() -> None:
    result = compare(MIXED)
    for item in (result.effects(), result.intervals(), result.bayes(rope=0.1)):
        assert [note.code for note in item.caveats][-1] == "other-unit"
    plain = compare(Results.from_array(ERRORS, score="rmse", algorithms=NAMES), scale="as-is")
    assert "other-unit" not in [note.code for note in plain.effects().caveats]


def test_few_data_sets_without_a_correction() -> None:
    few = Results.from_array(np.array([[0.1, 0.2, 0.3]] * 5) + np.arange(5)[:, None], score="rmse")
    code = of_code(compare(few, posthoc="none"), "least-pvalue")
    assert code.endswith("whatever its scores: it takes at least 6.")
    assert of_code(compare(few), "least-pvalue").endswith("after the correction for 3 pairs it takes at least 7.")


def test_scores_without_variation_are_valid_json() -> None:
    same = Results.from_array(np.full((10, 3), 0.5), score="accuracy")
    result = compare(same, omnibus="rm-anova", control=same.algorithms[0])
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["omnibus"]["df"] == [None, None]
    assert "F = 0, p = 1" in result.document().said[0]


def test_two_spellings_are_one_metric() -> None:
    columns = {"dataset": ["x", "x", "y", "y"], "algorithm": ["a", "b"] * 2, "score": [0.9, 0.8, 5.0, 4.0]}
    options = Results.from_dict({**columns, "metric": ["ROC AUC", "auc", "rmse", ""]})
    assert [metric.key for metric in options.metrics_on("score")] == ["auc", "rmse"]
