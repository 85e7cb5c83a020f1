"""Orders by several scores at once, orders made again from resamples, and tables that have to be settled first."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from scipy import stats

from tiebreak import Results, multivariate, stack, with_costs
from tiebreak.errors import InputError, MissingScores, OptionError
from tiebreak.stats.multivariate.five_by_two import five_by_two_pairs

from .published_rules import order

NAMES = ["a", "b", "c"]
RATES = ["tpr", "fpr"]


def measured(cubes: Mapping[str, np.ndarray], measures: Sequence[str] = RATES, replications: int = 1) -> Results:
    """A table of (folds, algorithms, measures) arrays, one for each data set."""
    rows = [
        [dataset, NAMES[i], k % replications, k // replications, *cube[k, i]]
        for dataset, cube in cubes.items()
        for k, i in itertools.product(range(len(cube)), range(cube.shape[1]))
    ]
    header = ["dataset", "algorithm", "replication", "fold", *measures]
    return Results.from_dict({name: [row[j] for row in rows] for j, name in enumerate(header)})


def rates(seed: int, shifts: Sequence[Sequence[float]], folds: int = 10) -> np.ndarray:
    """Noise of folds around exact means: 0.5 and the shift of each algorithm and measure."""
    noise = np.random.default_rng(seed).normal(0, 0.02, (folds, len(shifts), len(shifts[0])))
    return 0.5 + noise - noise.mean(axis=0) + np.array(shifts)


def hotelling(d: np.ndarray) -> float:
    """The p-value of Hotelling's T2 on the paired differences of n folds, the variance of a mean (1/n + 1/(n-1)) s2."""
    n, p = d.shape
    t2 = d.mean(axis=0) @ np.linalg.inv(np.cov(d.T)) @ d.mean(axis=0) / (1 / n + 1 / (n - 1))
    return float(stats.f.sf((n - p) / (p * (n - 1)) * t2, p, n - p))


# ---- several scores


@pytest.mark.parametrize(
    ("shifts", "side", "first"),
    [
        ([[0.0, 0.0], [0.1, -0.1]], 1, "b"),  # higher tpr and lower fpr: b dominates
        ([[0.1, -0.1], [0.0, 0.0]], -1, "a"),
        ([[0.0, 0.0], [0.1, 0.0]], 1, "b"),  # one better, the other equal
        ([[0.0, 0.0], [0.0, 0.1]], -1, "a"),
        ([[0.0, 0.0], [0.1, 0.1]], 0, "a"),  # a trade: different, nobody dominates, cost decides
    ],
)
def test_one_is_preferred_where_it_dominates(shifts: list[list[float]], side: int, first: str) -> None:
    cube = rates(0, shifts)
    result = order(measured({"d": cube}), score=RATES, prior=["a", "b"])
    assert result.inner is not None
    assert result.inner.difference.tolist() == [[side]]
    assert result.inner.pvalue[0, 0] == pytest.approx(hotelling(cube[:, 0] - cube[:, 1]))
    assert result.inner.pvalue[0, 0] < 0.01
    assert result.order[0] == first
    assert result.plan.pairwise == "hotelling"


def test_pairs_and_data_sets_keep_their_places() -> None:
    """c dominates a and b on the first data set, a and b dominate c on the second, a and c dominate b on the third."""
    same, up = [0.0, 0.0], [0.2, -0.2]
    cubes = {
        "one": rates(1, [same, same, up]),
        "three": rates(3, [up, same, up]),
        "two": rates(2, [up, up, same], folds=7),
    }
    result = order(measured(cubes), score=RATES, prior=NAMES, inner_adjust="none")
    assert result.inner is not None
    assert result.inner.difference.tolist() == [[0, 1, 1], [-1, 0, 1], [0, -1, -1]]
    for s, cube in enumerate(cubes.values()):  # the last has three folds fewer
        for k, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
            assert result.inner.pvalue[s, k] == pytest.approx(hotelling(cube[:, i] - cube[:, j]))
    assert result.inner.adjusted == pytest.approx(result.inner.pvalue)
    assert result.ranks[:, 2].tolist() == [1, 2, 3]
    assert result.score.name == "place in tpr and fpr" and result.score.higher_is_better is False
    assert result.scores.tolist() == result.ranks.tolist()
    assert "One is preferred where it differs and dominates" in result.document().method[2]
    assert "folds-share-training-data" not in {caveat.code for caveat in result.caveats}


def test_groups_of_data_sets_keep_their_scores() -> None:
    """Over all, the two kinds of data sets contradict each other; each group is ordered by its own."""
    up, down = [[0.0, 0.0], [0.2, -0.2]], [[0.2, -0.2], [0.0, 0.0]]
    cubes = {f"d{i:02d}": rates(i, up if i < 8 else down) for i in range(16)}
    groups = {name: "up" if name < "d08" else "down" for name in cubes}
    result = order(measured(cubes), score=RATES, prior=["a", "b"], groups=groups)
    assert result.by_group["up"].order == ("b", "a") and result.by_group["down"].order == ("a", "b")
    assert result.by_group["up"].ranks.tolist() == [[2, 1]] * 8 and result.order == ("a", "b")


def test_the_correction_is_made_inside_each_data_set() -> None:
    cubes = {"one": rates(1, [[0, 0], [0.01, 0], [0.02, 0]]), "two": rates(2, [[0, 0], [0.01, 0], [0, 0.02]])}
    raw = order(measured(cubes), score=RATES, prior=NAMES, inner_adjust="none").inner
    paid = order(measured(cubes), score=RATES, prior=NAMES, inner_adjust="bonferroni").inner
    assert raw is not None and paid is not None
    assert paid.adjusted == pytest.approx(np.minimum(3 * raw.pvalue, 1))


def test_several_scores_of_5x2_folds_have_their_own_test() -> None:
    cube = rates(3, [[0, 0], [0.05, -0.05]])
    result = order(measured({"d": cube}, replications=5), score=RATES, prior=["a", "b"])
    crossed = result.inner
    assert crossed is not None and result.table.measures is not None
    folds = result.table.measures[0].transpose(1, 2, 0, 3).reshape(10, 2, 2)  # both folds of a replication together
    assert crossed.pvalue[0] == pytest.approx(five_by_two_pairs(folds).pvalue)
    assert crossed.pvalue[0, 0] != pytest.approx(hotelling(cube[:, 0] - cube[:, 1]))


def test_an_error_of_one_data_set_names_it() -> None:
    cubes = {"long": rates(1, [[0, 0], [0.1, 0]]), "tiny": rates(2, [[0, 0], [0.1, 0]], folds=1)}
    with pytest.raises(InputError, match=r"^Data set 'tiny': "):
        order(measured(cubes), score=RATES, prior=["a", "b"])


def test_many_notes_of_data_sets_are_cut_after_five() -> None:
    """tpr = 1 - fnr: the two measures span one direction, and each data set says so."""
    for count in (5, 6, 7):
        cubes = {f"d{i}": rates(i, [[0, 0], [0.1, 0]]) for i in range(count)}
        doubled = {name: np.stack([cube[:, :, 0], 1 - cube[:, :, 0]], axis=-1) for name, cube in cubes.items()}
        result = order(measured(doubled, ["tpr", "fnr"]), score=["tpr", "fnr"], prior=["a", "b"])
        named = [caveat for caveat in result.caveats if caveat.startswith("Data set 'd")]
        assert [caveat[:13] for caveat in named] == [f"Data set 'd{i}'" for i in range(5)]
        more = [caveat for caveat in result.caveats if caveat.startswith("... and ")]
        assert more == ([] if count == 5 else [f"... and {count - 5} more notes of this kind."])


def test_the_words_of_three_scores() -> None:
    cube = rates(0, [[0, 0, 0], [0.1, -0.1, 0.1]])
    result = order(measured({"d": cube}, ["tpr", "fpr", "f1"]), score=["tpr", "fpr", "f1"], prior=["a", "b"])
    assert result.score.name == "place in tpr, fpr and f1"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"score": []}, "No score was named. "),
        ({"score": ["tpr", "tpr"]}, "A score was named twice: tpr, tpr."),
        ({"score": RATES, "pairwise": "sign"}, "2 scores were named, and the pairwise test 'sign'."),
        ({"score": "tpr", "pairwise": "hotelling"}, "There is no pairwise test 'hotelling'."),
        ({"score": RATES, "higher_is_better": {"auc": True}}, "There is no score (in higher_is_better) 'auc'."),
        ({"score": "fpr", "higher_is_better": True}, "'fpr' was said to be better when higher."),
        ({"score": RATES, "higher_is_better": {"fpr": True}}, "'fpr' was said to be better when higher."),
    ],
)
def test_choices_of_several_scores_that_mean_nothing(options: dict[str, object], words: str) -> None:
    results = measured({"d": rates(0, [[0, 0], [0.1, 0]])})
    with pytest.raises(OptionError) as caught:
        order(results, prior=["a", "b"], **options)  # type: ignore[arg-type]
    assert str(caught.value).startswith(words)


def test_a_score_that_is_not_there_but_could_be_made() -> None:
    """A table of counts, or of a confusion matrix, could give tpr; it could not give `speed`."""
    counts = measured({"d": np.full((2, 2, 4), 5.0)}, ["tp", "fp", "tn", "fn"])
    cells = ["confusion[no,no]", "confusion[no,yes]", "confusion[yes,no]", "confusion[yes,yes]"]
    matrix = measured({"d": np.full((2, 2, 5), 5.0)}, ["error", *cells])
    for results in (counts, matrix):
        with pytest.raises(OptionError, match="It can be made from the counts"):
            order(results, score="tpr", prior=["a", "b"])
        with pytest.raises(OptionError, match=r"There is no score 'speed'") as caught:
            order(results, score="speed", prior=["a", "b"])
        assert "from the counts" not in str(caught.value)
    plain = measured({"d": rates(0, [[0, 0], [0.1, 0]])})
    with pytest.raises(OptionError, match=r"There is no score 'precision'") as caught:
        order(plain, score="precision", prior=["a", "b"])
    assert "from the counts" not in str(caught.value)
    both = measured({"d": np.full((3, 2, 5), 5.0)}, ["tp", "fp", "tn", "fn", "tpr"])
    assert order(both, score="tpr", prior=["a", "b"], pairwise="sign").order == ("a", "b")


def test_several_measures_say_which_were_made() -> None:
    """tpr is in the table, fpr is not: it is made from the counts, and both are said."""
    rng = np.random.default_rng(2)
    mixed = measured({"d": rng.integers(1, 50, (10, 3, 5)).astype(float)}, ["tp", "fp", "tn", "fn", "tpr"])
    assert "tpr stand(s) in the table as such; fpr made from its counts." in multivariate(mixed, scores=RATES).caveats
    ready = measured({"d": rates(0, [[0, 0], [0.1, 0]])})
    with pytest.raises(OptionError, match="There is no score 'precision'") as caught:
        multivariate(ready, scores=["tpr", "precision"])
    assert "Measures such as tpr are made where the table holds tp, fp, tn and fn." in str(caught.value)


def test_the_score_keeps_its_unit() -> None:
    results = measured({"d": rates(0, [[0, 0], [0.1, 0]])}, ["train_time", "space"])
    result = order(results, score="train_time", prior=["a", "b"], pairwise="sign", higher_is_better=False)
    assert result.score.unit == results.metric("train_time").unit != ""


def test_a_direction_for_all_is_for_those_that_do_not_tell() -> None:
    """fpr is known to be better when lower; `ours` is not known, and takes what was said."""
    cube = rates(0, [[0, 0], [-0.1, 0.1]])
    results = measured({"d": cube}, ["fpr", "ours"])
    for text in (True, {"ours": True}):
        result = order(results, score=["fpr", "ours"], prior=["a", "b"], higher_is_better=text)
        assert result.order == ("b", "a")
    lower = order(results, score=["fpr", "ours"], prior=["a", "b"], higher_is_better=False)
    assert lower.inner is not None and lower.inner.difference.tolist() == [[0]]  # lower fpr, higher `ours`: a trade
    assert order(results, score=["fpr", "ours"], prior=["a", "b"], higher_is_better=True, pairwise="hotelling").order


def test_gaps_of_every_score_are_settled() -> None:
    cubes = {f"d{i}": rates(i, [[0, 0], [0.1, -0.1]]) for i in range(4)}
    cubes["d0"][3, 0, 1] = np.nan
    cubes["d1"][2, 1, 0] = np.nan
    with pytest.raises(MissingScores, match="has no tpr on data set 'd1'"):
        order(measured(cubes), score=RATES, prior=["a", "b"], missing="refuse")
    result = order(measured(cubes), score=RATES, prior=["a", "b"], missing="drop-datasets")
    assert result.datasets == ("d2", "d3")
    text = "1 data set(s) with gaps were dropped; 3 remain."
    assert result.caveats[0] == text  # the same words for either score are said once


# ---- gaps and tables


def holes() -> Results:
    """Three data sets of two folds; a lacks a fold on the first."""
    errors = np.random.default_rng(0).random((3, 3, 1, 2))
    errors[0, 0, 0, 1] = np.nan
    return Results.from_array(errors, score="error", algorithms=NAMES)


@pytest.mark.parametrize(
    ("policy", "sets", "algorithms", "words"),
    [
        ("drop-datasets", 2, 3, "1 data set(s) with gaps were dropped; 2 remain."),
        ("drop-algorithms", 3, 2, "Algorithms with gaps were dropped: a."),
        (
            "drop-folds",
            3,
            3,
            "Folds that some algorithm lacks were dropped for all algorithms on that data set (3 rows).",
        ),
        (
            "worst-rank",
            3,
            3,
            "1 cell(s) with gaps (1 of them lack only some folds) were ranked worst on their data sets, as failures.",
        ),
    ],
)
def test_what_a_policy_did_is_said(policy: str, sets: int, algorithms: int, words: str) -> None:
    result = order(holes(), prior=NAMES, pairwise="score", missing=policy)
    assert (len(result.datasets), len(result.algorithms)) == (sets, algorithms)
    assert words in result.caveats


def test_what_is_left_must_be_an_algorithm_and_a_data_set() -> None:
    errors = np.random.default_rng(0).random((2, 2, 1, 2))
    errors[:, 0, 0, 0] = np.nan
    results = Results.from_array(errors, score="error", algorithms=["a", "b"])
    assert order(results, prior=["a", "b"], pairwise="score", missing="drop-algorithms").order == ("b",)
    with pytest.raises(InputError, match=r"There are \d algorithm\(s\) on 0 data set\(s\) to order|no data set"):
        order(results, prior=["a", "b"], pairwise="score", missing="drop-datasets")


def test_data_sets_with_other_folds_are_counted() -> None:
    rng = np.random.default_rng(0)
    full = Results.from_array(rng.random((2, 2, 1, 4)), score="error", algorithms=["a", "b"], datasets=["v", "w"])
    few = Results.from_array(rng.random((2, 2, 1, 3)), score="error", algorithms=["a", "b"], datasets=["x", "y"])
    with pytest.raises(InputError, match=r"Data set 'x' lacks folds that others have \(2 such data set"):
        order(stack([full, few]), prior=["a", "b"], pairwise="sign", rule="multi2test")
    assert order(stack([full, few]), prior=["a", "b"], pairwise="sign").over == "scores"
    assert order(stack([full, few]), prior=["a", "b"], pairwise="sign", dataset="x").datasets == ("x",)


def test_costs_may_have_gaps_in_folds_but_none_in_cells() -> None:
    """A cost that one fold lacks is the mean of the others."""
    cubes = {"d": np.array([[[0.5, 1.0], [0.5, 5.0]], [[0.5, 2.0], [0.5, 5.0]], [[0.5, np.nan], [0.5, 5.0]]])}
    results = measured(cubes, ["error", "train_time"])
    assert order(results, pairwise="kfold-t").costs["train_time"].tolist() == [1.5 / 5, 1]


def test_any_column_can_be_a_cost_unless_it_is_better_when_higher() -> None:
    cubes = {"d": np.array([[[0.5, 2.0, 0.9], [0.5, 1.0, 0.8]]] * 3)}
    results = measured(cubes, ["error", "depth", "auc"])
    assert order(results, score="error", cost="depth", pairwise="sign").prior == ("b", "a")
    with pytest.raises(OptionError, match="'auc' was named as a cost"):
        order(results, score="error", cost="auc", pairwise="sign")


def test_the_one_cost_of_the_table_is_the_cost() -> None:
    errors = Results.from_array(np.full((2, 2, 5, 2), 0.5), score="error", algorithms=["a", "b"])
    priced = with_costs(errors, Results.from_array([[2.0, 1.0]] * 2, score="space", algorithms=["a", "b"]))
    assert order(priced).prior == ("b", "a") and order(priced).plan.costs == ("space",)
    assert order(priced, cost="space").to_dict() == order(priced).to_dict()


# ---- stability
