"""The study of single against several measures: counted again by other routes, and run once on real data."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.results import Results
from tiebreak.stats import corrected_resampled_t, five_by_two_f
from tiebreak.stats.multivariate.five_by_two import five_by_two_pairs
from tiebreak.studies import measure_study
from tiebreak.studies.single_several import Answer, single_or_several

QUESTION = [("error", ("tpr", "fpr"))]


def table(rng: np.random.Generator, shifts: list[float], folds: int = 12, replications: int = 1) -> Results:
    """Three algorithms on a data set per shift: the third trades tpr for fpr by the shift."""
    rows = []
    for number, shift in enumerate(shifts):
        for k in range(replications * folds):
            common = rng.normal(0, 0.02)
            for name, move in (("a", 0.0), ("b", 0.0), ("c", shift)):
                tpr, fpr = 0.8 + move + common + rng.normal(0, 0.02), 0.2 + move + rng.normal(0, 0.02)
                error = (1 - tpr + fpr) / 2
                place = {"dataset": f"d{number}", "algorithm": name, "replication": k // folds, "fold": k % folds}
                rows.append(place | {"tpr": tpr, "fpr": fpr, "error": error})
    return Results.from_frame(pl.DataFrame(rows))


def pvalue_of(d: np.ndarray, overlap: float = 1.0) -> float:
    """Hotelling's formula written out for differences (folds, measures), T2 divided by what folds share."""
    k, p = d.shape
    t2 = k * d.mean(axis=0) @ np.linalg.inv(np.cov(d.T).reshape(p, p)) @ d.mean(axis=0) / overlap
    return float(stats.f.sf((k - p) / (p * (k - 1)) * t2, p, k - p))


def differences(results: Results) -> list[np.ndarray]:
    """Of every data set and pair the differences in error, tpr and fpr, (replications, folds, 3)."""
    out = []
    for name in results.datasets:
        cube = np.stack([results.only(datasets=[name]).cube(item)[0] for item in ("error", "tpr", "fpr")], axis=-1)
        out += [cube[i] - cube[j] for i, j in combinations(range(len(cube)), 2)]
    return out


def sorted_out(rows: list[tuple[bool, bool]]) -> list[int]:
    """Count (single rejects, several reject) in the order of the outcomes."""
    return [rows.count(item) for item in ((True, True), (False, True), (True, False), (False, False))]


def counts_of(answer: Answer) -> list[int]:
    return [answer.both, answer.only_several, answer.only_single, answer.neither]


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_default_tests_fit_the_folds(alpha: float) -> None:
    results = table(np.random.default_rng(4), [0.0, 0.01, 0.02, 0.03], folds=10, replications=5)
    several = single_or_several(results, questions=QUESTION, alpha=alpha)
    flat = [d.reshape(-1, 3) for d in differences(results)]
    overlap = 1 + 50 / 9
    corrected = [(pvalue_of(d[:, :1], overlap) <= alpha, pvalue_of(d[:, 1:], overlap) <= alpha) for d in flat]
    assert counts_of(several.answers[0]) == sorted_out(corrected) and several.answers[0].pairs == 12
    t = corrected_resampled_t(flat[0][:, 0], np.zeros(50), test_share=0.1)
    assert t.pvalue == pytest.approx(pvalue_of(flat[0][:, :1], overlap))


def test_five_by_two_has_its_own_test() -> None:
    results = table(np.random.default_rng(4), [0.0, 0.05], folds=2, replications=5)
    several = single_or_several(results, questions=QUESTION, alpha=0.2)
    rows = []
    for d in differences(results):
        alone = five_by_two_f(d[..., 0], np.zeros((5, 2))).pvalue <= 0.2
        cube = np.stack([d[..., 1:], np.zeros((5, 2, 2))], axis=2)
        rows.append((bool(alone), bool(five_by_two_pairs(cube).pvalue[0] <= 0.2)))
    assert counts_of(several.answers[0]) == sorted_out(rows)


def test_equal_algorithms_are_not_told_apart_by_more_folds_of_the_same_data() -> None:
    """Folds correlated as in Nadeau and Bengio's model, 5x10 of them: tests of independent folds find many."""
    rng, rows = np.random.default_rng(6), []
    for number in range(60):
        for name in ("a", "b"):
            shared = rng.normal(size=2)
            for k in range(50):
                tpr, fpr = np.sqrt(0.1) * shared + np.sqrt(0.9) * rng.normal(size=2)
                place = {"dataset": f"d{number:02}", "algorithm": name, "replication": k // 10, "fold": k % 10}
                rows.append(place | {"tpr": tpr, "fpr": fpr, "error": (fpr - tpr) / 2})
    results = Results.from_frame(pl.DataFrame(rows))
    answer = single_or_several(results, questions=QUESTION).answers[0]
    assert answer.both + answer.only_several <= 9  # 9 of 60 or more have a chance of 1 in 500 at 5 %
    assert sum(pvalue_of(d.reshape(-1, 3)[:, 1:]) <= 0.05 for d in differences(results)) >= 20


def test_opposite_faults_show_in_several_measures_only() -> None:
    results = table(np.random.default_rng(5), [0.1] * 6)
    answer = single_or_several(results, questions=QUESTION).answers[0]
    assert answer.only_several >= 10 and answer.only_single <= 1 and answer.pvalue < 0.05


def test_too_few_folds_count_as_not_rejected_with_a_note() -> None:
    results = table(np.random.default_rng(5), [0.1], folds=2)
    several = single_or_several(results, questions=QUESTION)
    assert several.answers[0].neither + several.answers[0].only_single == 3
    assert any(
        note.startswith("d0: ") and "No pair counts as rejected by tpr, fpr." in note for note in several.caveats
    )


def test_both_tests_see_the_same_folds_and_a_note_counts_those_left_out() -> None:
    whole = table(np.random.default_rng(5), [0.1, 0.0])
    frame = whole.to_frame("polars").with_row_index("row")
    one = (pl.col("dataset") == "d1") & (pl.col("algorithm") == "b") & (pl.col("fold").cast(pl.String) == "3")
    gap = frame.with_columns(pl.when(one).then(None).otherwise(pl.col("tpr")).alias("tpr")).drop("row")
    several = single_or_several(Results.from_frame(gap), questions=QUESTION)
    assert "d1: 1 of 12 fold(s) lack one of error, tpr, fpr and are left out." in several.caveats
    less = frame.filter((pl.col("dataset") != "d1") | (pl.col("fold").cast(pl.String) != "3")).drop("row")
    again = single_or_several(Results.from_frame(less), questions=QUESTION)
    assert several.by_dataset.tolist() == again.by_dataset.tolist() and len(again.caveats) == 0


def test_one_algorithm_and_a_wrong_level_are_refused_before_anything_runs() -> None:
    with pytest.raises(InputError) as error:
        measure_study(data=["builtin:iris"], algorithms=["nb"])
    assert str(error.value) == (
        "There is 1 algorithm. The study counts pairs of algorithms that differ. Name two or more: algorithms=[...]."
    )
    with pytest.raises(InputError, match="There is 1 algorithm"):
        single_or_several(table(np.random.default_rng(5), [0.1]).only(algorithms=["a"]))
    with pytest.raises(OptionError, match=r"alpha is 3\."):
        single_or_several(table(np.random.default_rng(5), [0.1]), alpha=3.0)


def test_the_study_runs_on_real_data_class_against_the_others() -> None:
    several = measure_study(data=["builtin:iris"], algorithms=["nb", "lda", "5nn"], resampling="1x5cv")
    assert several.datasets == ("iris: setosa", "iris: versicolor", "iris: virginica")
    assert [answer.pairs for answer in several.answers] == [9] * 2 and several.by_dataset.sum() == 18
    assert len(several.to_dict()["datasets"]) == 6


def test_the_study_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["study", "measures", "--data", "nowhere.csv"])
    assert code == 2 and "nowhere.csv" in capsys.readouterr().err
