"""One policy for gaps: every verb takes what it offers, refuses the rest, and says what was done."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from tiebreak import Ordering, Results, compare, multivariate, order, with_costs
from tiebreak.cli import main
from tiebreak.errors import InputError, MissingScores, OptionError
from tiebreak.methods.policies import OF_VERB, POLICIES

NAMES = ["a", "b", "c", "d"]


def folds(seed: int = 0, sets: int = 12) -> np.ndarray:
    """Errors of four algorithms in 5x2 folds; each is clearly worse than the one before it."""
    rng = np.random.default_rng(seed)
    return 0.1 * np.arange(1, 5)[:, None, None] + rng.normal(0, 0.01, (sets, 4, 5, 2))


def results(errors: np.ndarray) -> Results:
    return Results.from_array(
        errors, score="error", algorithms=NAMES, datasets=[f"d{i:02d}" for i in range(len(errors))]
    )


def test_every_verb_refuses_by_name_and_offers_what_it_takes() -> None:
    errors = folds()
    errors[2:8, 1] = np.nan
    table = results(errors)
    calls = {
        "compare": lambda **o: compare(table, **o),
        "order": lambda **o: order(table, prior=NAMES, pairwise="score", **o),
        "multivariate": lambda **o: multivariate(table, scores=["error"], **o),
    }
    for verb, call in calls.items():
        with pytest.raises(MissingScores, match="'b' has no error on data set 'd02' ") as refused:
            call()
        for policy in POLICIES:
            assert (repr(policy) in str(refused.value)) == (
                policy in OF_VERB[verb] and policy not in ("auto", "refuse", "drop-folds")
            )
            if policy not in OF_VERB[verb]:
                with pytest.raises(OptionError, match=f"There is no policy for missing scores {policy!r}"):
                    call(missing=policy)
            elif policy not in ("auto", "refuse"):
                assert any(note.code.startswith("gaps-") for note in call(missing=policy).caveats)


# ---- the default


def test_what_is_complete_is_compared_while_enough_of_it_remains() -> None:
    errors = folds(sets=20)
    errors[:4, 1] = np.nan
    result = compare(results(errors))
    assert result.to_dict()["mean_ranks"] == compare(results(errors), missing="drop-datasets").to_dict()["mean_ranks"]
    assert [note.code for note in result.caveats if note.code.startswith("gaps-")] == ["gaps-left-out"]
    errors[4, 1] = np.nan
    with pytest.raises(MissingScores, match="drop-datasets leaves 15 of 20 data sets; drop-algorithms 3 of 4"):
        compare(results(errors))


def test_failed_runs_count_as_the_worst_of_their_data_set() -> None:
    errors = folds(sets=20)
    errors[:9, 1] = np.nan
    table = results(errors)
    failed_runs = replace(table, failures=frozenset((name, "b") for name in table.datasets[:9]))
    worst = np.nanmax(errors, axis=tuple(range(1, errors.ndim)), keepdims=True)
    filled = results(np.where(np.isnan(errors), worst, errors))
    result = compare(failed_runs)
    assert result.to_dict()["mean_ranks"] == compare(filled).to_dict()["mean_ranks"]
    assert "failures-worst" in [note.code for note in result.caveats]


# ---- failed runs rank last


def failed(cells: list[tuple[int, int]], sets: int = 12, **options: object) -> Ordering:
    errors = folds(sets=sets)
    for cell in cells:
        errors[cell] = np.nan
    settings = {"rule": "multi2test", **options}
    return order(results(errors), prior=NAMES[::-1], missing="worst-rank", **settings)  # type: ignore[arg-type]


def test_a_failed_run_takes_the_last_place_and_the_others_close_up() -> None:
    whole, result = failed([]), failed([(0, 0)])
    assert whole.ranks[0].tolist() == [1, 2, 3, 4] and result.ranks[0].tolist() == [4, 1, 2, 3]
    assert result.ranks[1:].tolist() == whole.ranks[1:].tolist()
    note = next(note for note in result.caveats if note.code == "gaps-worst-rank")
    assert note == "1 cell(s) with gaps were ranked worst on their data sets, as failures."


def test_two_failed_runs_share_the_last_places() -> None:
    result = failed([(3, 0), (3, 2), (5, 3)])
    assert result.ranks[3].tolist() == [3.5, 1, 3.5, 2]  # b and d ran; a and c share places three and four
    assert result.ranks[5].tolist() == [1, 2, 3, 4]
    assert result.inner is not None and result.inner.pvalue.shape == (12, 6)
    a, b = result.inner.a, result.inner.b
    untested = np.isin(a, [0, 2]) | np.isin(b, [0, 2])
    assert (result.inner.adjusted[3, untested] == 1).all() and (result.inner.adjusted[3, ~untested] < 0.05).all()


def test_a_run_that_lacks_one_fold_has_failed() -> None:
    errors = folds()
    errors[4, 1, 2, 0] = np.nan
    for rule in ("multi2test", "multitest"):
        result = order(results(errors), prior=NAMES[::-1], missing="worst-rank", rule=rule)
        assert result.ranks[4].tolist() == [1, 4, 2, 3]
    assert "(1 of them lack only some folds)" in result.caveats[0]


def test_one_left_alone_stands_first() -> None:
    assert failed([(7, 0), (7, 1), (7, 3)]).ranks[7].tolist() == [3, 3, 1, 3]


def test_places_by_score_rank_failures_last_too() -> None:
    assert failed([(2, 0)], pairwise="score").ranks[2].tolist() == [4, 1, 2, 3]


def test_failures_count_against_the_algorithm() -> None:
    """Half of its runs failed: the best algorithm is no longer significantly before the second."""
    assert failed([], sets=40).order == ("a", "b", "c", "d")
    half = failed([(row, 0) for row in range(20)], sets=40)
    assert half.mean_ranks[0] == 2.5 and half.order[0] == "b"


def test_by_scores_a_failure_counts_as_the_worst_score() -> None:
    assert failed([], sets=40, rule="multitest").order == ("a", "b", "c", "d")
    half = failed([(row, 0) for row in range(20)], sets=40, rule="multitest")
    assert half.mean_ranks[0] == 2.5 and half.order[0] == "b"
    assert half.table.compared[3, 0] == half.table.compared[3, 3] == half.scores[3, 3]
    assert "In the tests of pairs a failed run counts as the worst score of its data set." in half.caveats
    assert failed([(7, 0), (7, 1), (7, 3)], rule="multitest").ranks[7].tolist() == [3, 3, 1, 3]
    nobody = failed([(2, j) for j in range(4)], rule="multitest")
    assert "d02" not in nobody.datasets and nobody.order == ("a", "b", "c", "d")  # where nobody ran nothing is compared


def test_by_worth_a_failure_counts_as_the_worst_score_in_the_mean() -> None:
    """By hand: the mean of a with the largest error of its data set in place of the failed run."""
    errors = folds()
    errors[0, 0] = np.nan
    result = order(results(errors), missing="worst-rank")
    means = errors.mean(axis=(2, 3))
    means[0, 0] = means[0, 1:].max()
    row = next(row for row in result.rows() if row["algorithm"] == "a")
    assert row["mean error"] == pytest.approx(means[:, 0].mean(), rel=1e-12)
    assert str(result) and result.report().to_html()


def test_several_scores_fail_together() -> None:
    errors, rng = folds(), np.random.default_rng(1)
    rows = {
        "dataset": np.repeat([f"d{i}" for i in range(12)], 40),
        "algorithm": np.tile(np.repeat(NAMES, 10), 12),
        "fold": np.tile(np.arange(10), 48),
        "error": errors.ravel(),
        "fpr": errors.ravel() + rng.normal(0, 0.01, 480),
    }
    rows["fpr"][:5] = np.nan
    result = order(Results.from_dict(rows), score=["error", "fpr"], prior=NAMES[::-1], missing="worst-rank")
    assert result.ranks[0, 0] == 4


def test_a_failed_run_on_the_only_data_set_is_refused() -> None:
    errors = folds(sets=1)
    errors[0, 0, 0, 0] = np.nan
    errors = np.concatenate([errors, folds(1, sets=1)])
    with pytest.raises(InputError, match=r"'a' has no complete error on any data set\..*missing='drop-algorithms'"):
        order(results(errors), prior=NAMES, missing="worst-rank", dataset="d00")


def test_an_algorithm_that_never_ran_is_refused() -> None:
    errors = folds()
    errors[:, 2] = np.nan
    errors[0, 2, 0, 0] = 0.1  # so that its name is known
    with pytest.raises(InputError, match="'c' has no complete error on any data set"):
        order(results(errors), prior=NAMES, missing="worst-rank")


# ---- missing costs


def priced(holes: list[tuple[int, int]]) -> Results:
    costs = np.arange(1.0, 5.0)[::-1] + np.zeros((12, 1))
    for hole in holes:
        costs[hole] = np.nan
    names = [f"d{i:02d}" for i in range(12)]
    return with_costs(results(folds()), Results.from_array(costs, score="train_time", algorithms=NAMES, datasets=names))


def test_a_missing_cost_is_refused_unless_a_policy_is_named() -> None:
    table = priced([(1, 3)])
    with pytest.raises(InputError, match="'d' has no train_time on data set 'd01'"):
        order(table, cost="train_time")
    assert len(order(table, cost="train_time", missing_costs="drop-datasets").datasets) == 11
    assert order(table, cost="train_time", missing_costs="drop-algorithms").algorithms == ("a", "b", "c")
    result = order(table, cost="train_time", missing_costs="costliest")
    assert result.costs["train_time"][3] == pytest.approx((11 * 0.25 + 1) / 12)
    assert result.valuation is not None
    assert result.valuation.paid[0, 3] == pytest.approx(4 ** (1 / 12))  # d costs 1, the costliest there 4
    note = next(note for note in result.caveats if "count as" in note)
    assert note == "1 missing value(s) of train_time count as the largest of their data sets."
    assert result.to_dict()["method"]["missing_costs"] == "costliest"


def test_a_data_set_without_any_cost_cannot_be_filled() -> None:
    table = priced([(1, i) for i in range(4)])
    with pytest.raises(InputError, match="has no train_time on data set 'd01'"):
        order(table, cost="train_time", missing_costs="costliest")


def test_command_line(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    path = f"{tmp_path}/r.csv"
    errors = folds()
    errors[0, 0] = np.nan
    cost = [[1.0, np.nan, 3.0, 4.0]]
    costs = Results.from_array(cost, score="train_time", algorithms=NAMES, datasets=["*"])
    table = with_costs(results(errors), costs)
    table.to_frame("polars").write_csv(path)
    call = ["order", path, "--score", "error", "--missing", "worst-rank"]
    assert main(call) == 0 and "No train_time is known for b: not in the order." in capsys.readouterr().out
    published = [*call, "--rule", "multitest"]
    assert main(published) == 0 and "No train_time is known for b: not in the order." in capsys.readouterr().out
    assert main([*published, "--missing-costs", "costliest", "--json"]) == 0
    assert {"gaps-worst-rank", "costs-missing"} <= set(json.loads(capsys.readouterr().out)["caveat_codes"])
    report = ["report", path, "--score", "error", "--missing", "worst-rank", "-o", f"{tmp_path}/r.html"]
    assert main(report) == 0


def test_report_offers_what_both_of_its_parts_take(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    path, errors = f"{tmp_path}/r.csv", folds()
    errors[:5, 0] = np.nan
    costs = Results.from_array([[1.0, 2.0, 3.0, 4.0]], score="train_time", algorithms=NAMES, datasets=["*"])
    with_costs(results(errors), costs).to_frame("polars").write_csv(path)
    call = ["report", path, "--score", "error", "-o", f"{tmp_path}/r.json"]
    assert main(call) == 2 and "or skillings-mack." in capsys.readouterr().err
    priced_call = [*call, "--cost", "train_time"]
    assert main(priced_call) == 2 and "skillings-mack" not in capsys.readouterr().err
    assert main([*priced_call, "--missing", "skillings-mack"]) == 2
    assert "There is no policy for missing scores 'skillings-mack'" in capsys.readouterr().err
    for policy in OF_VERB["order"][2:]:
        assert main([*priced_call, "--missing", policy]) == 0
