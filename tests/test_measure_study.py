"""The study of single against several measures: counted again by other routes, and run once on real data."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.studies import measure_study, single_or_several
from tiebreak.tables import Results


def table(rng: np.random.Generator, shifts: list[float], folds: int = 12) -> Results:
    """Three algorithms on a data set per shift: the third trades tpr for fpr by the shift."""
    rows = []
    for number, shift in enumerate(shifts):
        for k in range(folds):
            common = rng.normal(0, 0.02)
            for name, move in (("a", 0.0), ("b", 0.0), ("c", shift)):
                tpr, fpr = 0.8 + move + common + rng.normal(0, 0.02), 0.2 + move + rng.normal(0, 0.02)
                error = (1 - tpr + fpr) / 2
                rows.append(
                    {"dataset": f"d{number}", "algorithm": name, "fold": k, "tpr": tpr, "fpr": fpr, "error": error}
                )
    return Results.from_frame(pl.DataFrame(rows))


def counted_again(results: Results, alpha: float) -> list[int]:
    """Count by scipy's paired t test and by Hotelling's formula written out."""
    counts = [0, 0, 0, 0]
    for name in results.datasets:
        one = results.only(datasets=[name])
        error, tpr, fpr = (one.cube(each)[0].reshape(3, -1) for each in ("error", "tpr", "fpr"))
        for i, j in ((0, 1), (0, 2), (1, 2)):
            alone = stats.ttest_rel(error[i], error[j]).pvalue <= alpha
            d = np.stack([tpr[i] - tpr[j], fpr[i] - fpr[j]], axis=1)
            k = len(d)
            t2 = k * d.mean(axis=0) @ np.linalg.inv(np.cov(d.T)) @ d.mean(axis=0)
            joint = stats.f.sf((k - 2) / (2 * (k - 1)) * t2, 2, k - 2) <= alpha
            counts[0 if alone and joint else 1 if joint else 2 if alone else 3] += 1
    return counts


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_counts_equal_those_of_scipy_and_the_formula(alpha: float) -> None:
    results = table(np.random.default_rng(3), [0.0, 0.05, 0.0, 0.1])
    answer = single_or_several(results, questions=[("error", ("tpr", "fpr"))], alpha=alpha).answers[0]
    found = [answer.both, answer.only_several, answer.only_single, answer.neither]
    assert found == counted_again(results, alpha) and answer.pairs == 12


def test_opposite_faults_show_in_several_measures_only() -> None:
    results = table(np.random.default_rng(5), [0.1] * 6)
    answer = single_or_several(results, questions=[("error", ("tpr", "fpr"))]).answers[0]
    assert answer.only_several >= 10 and answer.only_single <= 1 and answer.pvalue < 0.05


def test_too_few_folds_count_as_not_rejected_with_a_note() -> None:
    results = table(np.random.default_rng(5), [0.1], folds=2)
    found = single_or_several(results, questions=[("error", ("tpr", "fpr"))])
    assert found.answers[0].neither + found.answers[0].only_single == 3
    assert any(note.startswith("d0: ") and "No pair counts as rejected by tpr, fpr." in note for note in found.caveats)


def test_both_tests_see_the_same_folds_and_a_note_counts_those_left_out() -> None:
    whole = table(np.random.default_rng(5), [0.1, 0.0])
    frame = whole.to_frame("polars").with_row_index("row")
    one = (pl.col("dataset") == "d1") & (pl.col("algorithm") == "b") & (pl.col("fold").cast(pl.String) == "3")
    gap = frame.with_columns(pl.when(one).then(None).otherwise(pl.col("tpr")).alias("tpr")).drop("row")
    question = [("error", ("tpr", "fpr"))]
    found = single_or_several(Results.from_frame(gap), questions=question)
    assert "d1: 1 of 12 fold(s) lack one of error, tpr, fpr and are left out." in found.caveats
    less = frame.filter((pl.col("dataset") != "d1") | (pl.col("fold").cast(pl.String) != "3")).drop("row")
    again = single_or_several(Results.from_frame(less), questions=question)
    assert found.by_dataset.tolist() == again.by_dataset.tolist() and len(again.caveats) == 1


def test_one_algorithm_and_a_wrong_level_are_refused_before_anything_runs() -> None:
    with pytest.raises(InputError) as error:
        measure_study(data=["builtin:iris"], algorithms=["nb"])
    assert str(error.value) == (
        "There is 1 algorithm. The study counts pairs of algorithms that differ. Name two or more (--algorithm, once"
        " for each)."
    )
    with pytest.raises(InputError, match="There is 1 algorithm"):
        single_or_several(table(np.random.default_rng(5), [0.1]).only(algorithms=["a"]))
    seen: list[object] = []
    with pytest.raises(OptionError, match=r"alpha is 3\."):
        measure_study(data=["builtin:iris"], algorithms=["nb", "lda"], alpha=3.0, progress=seen.append)
    assert not seen


def test_the_study_runs_on_real_data_class_against_the_others() -> None:
    found = measure_study(data=["builtin:iris"], algorithms=["nb", "lda", "5nn"], resampling="1x5cv", jobs=1)
    assert found.datasets == ("iris: setosa", "iris: versicolor", "iris: virginica")
    assert [answer.pairs for answer in found.answers] == [9, 9] and found.by_dataset.sum() == 18


def test_the_study_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["study", "measures", "--data", "nowhere.csv"])
    assert code == 2 and "nowhere.csv" in capsys.readouterr().err
