"""Several measures at once: the journey, in the library and on the command line; the array statistics are in stats/."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.comparison.gaps import score_metrics
from tiebreak.multivariate_tests import multivariate
from tiebreak.results.confusion import with_scores
from tiebreak.stats.multivariate.over_datasets import dominance, dominance_tests
from tiebreak.wording import on_the_command_line

NAMES = ("svm", "tree", "knn", "mlp", "nb")
RATES = ("tpr", "fpr")
PLAIN = {"resampling_correction": "none"}
"""Folds as if they were independent, as in the published analysis."""


def table(
    cubes: Mapping[str, np.ndarray],
    *,
    names: Sequence[str] = NAMES,
    measures: Sequence[str] = RATES,
    costs: Sequence[float] = (),
    replications: int = 1,
    shuffle: int | None = None,
) -> tb.Results:
    """Make a table of (folds, algorithms, measures) arrays, one for each data set."""
    rows = [
        [dataset, names[i], k % replications, k // replications, *cube[k, i], *(costs[i : i + 1])]
        for dataset, cube in cubes.items()
        for k in range(len(cube))
        for i in range(cube.shape[1])
    ]
    if shuffle is not None:
        rows = [rows[i] for i in np.random.default_rng(shuffle).permutation(len(rows))]
    header = ["dataset", "algorithm", "replication", "fold", *measures, *(["train_time"] if costs else [])]
    return tb.Results.from_dict({name: [row[j] for row in rows] for j, name in enumerate(header)})


def folds(seed: int = 0, shifts: object = 0.0, size: tuple[int, int, int] = (10, 3, 2)) -> np.ndarray:
    """Normal measures of folds with the means of the algorithms shifted."""
    return np.random.default_rng(seed).normal(0.8, 0.03, size=size) + np.asarray(shifts)


def heavy(seed: int = 1, size: tuple[int, int, int] = (12, 2, 2)) -> np.ndarray:
    """Measures whose differences Mardia's tests reject."""
    return np.random.default_rng(seed).standard_cauchy(size)


def t_squared(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Hotelling's paired F and its p-value from first principles."""
    d = a - b
    n, p = d.shape
    t2 = n * d.mean(axis=0) @ np.linalg.inv(np.cov(d.T).reshape(p, p)) @ d.mean(axis=0)
    f = (n - p) / (p * (n - 1)) * t2
    return float(f), float(stats.f.sf(f, p, n - p))


def wilks(cube: np.ndarray) -> tuple[float, float, float]:
    """Wilks' lambda of the one-way layout, Bartlett's chi-squared and its p-value."""
    n_folds, count, p = cube.shape
    means = cube.mean(axis=0)
    away, between = (cube - means).reshape(-1, p), means - means.mean(axis=0)
    e, h = away.T @ away, n_folds * between.T @ between
    value = float(np.linalg.det(e) / np.linalg.det(e + h))
    chi2 = -(n_folds * count - 1 - (p + count) / 2) * np.log(value)
    return value, float(chi2), float(stats.chi2.sf(chi2, p * (count - 1)))


# ---- second routes


def test_one_pair_is_hotellings_test() -> None:
    cube = folds(3, [[0, 0], [0.02, 0.01]], (10, 2, 2))
    result = multivariate(table({"d": cube}), scores=RATES, test="normal", **PLAIN)
    f, p = t_squared(cube[:, 0], cube[:, 1])
    assert (result.omnibus.statistic, result.omnibus.pvalue) == pytest.approx((f, p), rel=1e-9)
    assert result.omnibus.df == (2.0, 8.0)
    assert (result.pairs[0].statistic, result.pairs[0].pvalue) == pytest.approx((f, p), rel=1e-9)
    assert result.omnibus.wilks == pytest.approx(1 / (1 + result.pairs[0].t2 / 9), rel=1e-9)


def test_more_algorithms_are_wilks_lambda_then_hotelling_with_holm() -> None:
    cube = folds(4, [[0, 0], [0, 0], [0.05, -0.05], [0.02, 0.02]], (12, 4, 2))
    result = multivariate(table({"d": cube}), scores=RATES, test="normal", **PLAIN)
    assert (result.omnibus.wilks, result.omnibus.statistic, result.omnibus.pvalue) == pytest.approx(
        wilks(cube), rel=1e-9
    )
    raw = {
        frozenset((NAMES[i], NAMES[j])): t_squared(cube[:, i], cube[:, j])[1]
        for i, j in itertools.combinations(range(4), 2)
    }
    sorted_p = sorted(raw, key=lambda key: raw[key])
    holm = np.minimum(np.maximum.accumulate([(6 - k) * raw[key] for k, key in enumerate(sorted_p)]), 1)
    adjusted = dict(zip(sorted_p, holm, strict=True))
    for pair in result.pairs:
        key = frozenset((pair.a, pair.b))
        assert (pair.pvalue, pair.adjusted) == pytest.approx((raw[key], adjusted[key]), rel=1e-9)
        assert pair.differs == (pair.adjusted <= 0.05)


def test_the_authors_example() -> None:
    """Three samples in the MATLAB code of Yildiz and Alpaydin: Wilks .470257, chi2 4.149620, p .386135."""
    cube = np.array([[[1, 2], [3, 4], [6, 7]], [[3, 4], [6, 8], [10, 23]], [[8, 6], [9, 10], [2, 78]]], dtype=float)
    results = table({"d": cube}, names="abc", measures="xy")
    result = multivariate(results, scores=["x", "y"], higher_is_better=True, test="normal", **PLAIN)
    omnibus = result.omnibus
    assert (omnibus.wilks, omnibus.statistic, omnibus.pvalue) == pytest.approx((0.470257, 4.149620, 0.386135), abs=1e-6)
    assert omnibus.df == (4.0,) and omnibus.method == "One-way MANOVA, Wilks' lambda by Bartlett's chi-squared"


def test_one_measure_is_the_paired_t_test_and_the_analysis_of_variance() -> None:
    cube = folds(5, [[0], [0.02], [0.03]], (10, 3, 1))
    two = multivariate(table({"d": cube[:, :2]}, measures=["tpr"]), scores="tpr", test="normal", **PLAIN)
    t = stats.ttest_rel(cube[:, 0, 0], cube[:, 1, 0])
    assert (two.omnibus.statistic, two.omnibus.pvalue) == pytest.approx((t.statistic**2, t.pvalue), rel=1e-9)
    three = multivariate(table({"d": cube}, measures=["tpr"]), scores="tpr", statistic="wilks", test="normal", **PLAIN)
    f = stats.f_oneway(*cube[:, :, 0].T)
    assert (three.omnibus.statistic, three.omnibus.pvalue) == pytest.approx((f.statistic, f.pvalue), rel=1e-9)


def test_permutations_of_one_pair_are_counted_out() -> None:
    cube = heavy()
    result = multivariate(table({"d": cube}), scores=RATES, test="permutation", **PLAIN)
    assert result.sets[0].decided_by == "permutation"
    d = cube[:, 0] - cube[:, 1]
    flips = np.array(list(itertools.product([1.0, -1.0], repeat=len(d))))
    sums = flips @ d
    q = np.einsum("ij,jk,ik->i", sums, np.linalg.inv(d.T @ d), sums)
    share = float((q >= q[0] * (1 - 1e-9)).mean())
    assert result.omnibus.pvalue == pytest.approx(share, rel=1e-12)
    assert result.pairs[0].pvalue == result.omnibus.pvalue
    assert result.omnibus.method == "Sign-flip test of T2 on differences"


def test_with_two_algorithms_the_test_of_all_is_the_test_of_the_pair() -> None:
    """Random permutations would otherwise give one hypothesis two p-values."""
    cube, drawn = heavy(2, (30, 2, 2)), {"test": "permutation", "n_permutations": 199}
    result = multivariate(table({"d": cube}), scores=RATES, **drawn, **PLAIN)  # type: ignore[arg-type]
    assert result.omnibus.pvalue == result.pairs[0].pvalue


def test_over_data_sets_pvalues_are_combined_by_fisher() -> None:
    cubes = {f"d{i}": folds(i, [[0, 0], [0.02, -0.02], [0.03, 0.02]]) for i in range(4)}
    result = multivariate(table(cubes), scores=RATES, test="normal")
    multivariates = [multivariate(table({name: cube}), scores=RATES, test="normal") for name, cube in cubes.items()]
    statistic, p = stats.combine_pvalues([one.omnibus.pvalue for one in multivariates])
    assert (result.omnibus.statistic, result.omnibus.pvalue) == pytest.approx((statistic, p), rel=1e-9)
    assert result.omnibus.df == (8.0,)
    for pair in result.pairs:
        there = [next(q for q in one.pairs if {q.a, q.b} == {pair.a, pair.b}) for one in multivariates]
        assert pair.pvalue == pytest.approx(stats.combine_pvalues([q.pvalue for q in there])[1], rel=1e-9)
        assert pair.sets == sum(q.differs for q in there)
        assert pair.dominates == tuple(sum(q.better == name for q in there) for name in (pair.a, pair.b))


def test_the_test_of_the_data_sets_is_named_with_its_number() -> None:
    cubes = {"five": resampled(5, 2, rho=0.0)[:, :2], "ten": folds(7, 0.0, (10, 2, 2))}
    result = multivariate(of_folds({"five": cubes["five"]}, 2), scores=RATES)
    assert result.omnibus.method == "5x2 cv multivariate F test"
    both = multivariate(table({"a": cubes["ten"], "b": cubes["ten"]}), scores=RATES, **PLAIN)
    assert both.omnibus.method == "Fisher's combination over 2 data sets (Hotelling's paired T2 test on each)"


# ---- dominance and the order


def test_dominance_by_hand() -> None:
    means = np.array([[0.1, 0.2], [0.1, 0.3], [0.0, 0.9], [0.1 + 1e-17, 0.2]])
    assert dominance(means).tolist() == [-1, 0, 0, 0, 1, 0]


def dominated() -> dict[str, np.ndarray]:
    """The third algorithm has the higher tpr and the lower fpr on every data set; the first two are alike."""
    return {f"d{i}": folds(i, [[0, 0], [0, 0], [0.15, -0.15]]) for i in range(12)}


def traded() -> dict[str, np.ndarray]:
    """The third algorithm has the higher tpr and the higher fpr: different, but nobody dominates."""
    return {f"d{i}": folds(i, [[0, 0], [0, 0], [0.15, 0.15]]) for i in range(12)}


def test_one_that_dominates_everywhere_comes_first_although_it_is_costly() -> None:
    result = multivariate(table(dominated(), costs=[1, 2, 3]), scores=RATES, cost="train_time")
    assert result.order is not None
    assert result.order.order == ("knn", "svm", "tree")
    assert {(pair.a, pair.b): pair.better for pair in result.pairs if pair.differs} == {
        ("knn", "svm"): "knn",
        ("knn", "tree"): "knn",
    }
    assert result.cliques == (("knn",), ("svm", "tree"))
    alone = tb.order(table(dominated(), costs=[1, 2, 3]), score=RATES, cost="train_time", inner_adjust="holm")
    assert alone.order == result.order.order and alone.plan.pairwise == "hotelling"


def test_where_nobody_dominates_cost_decides() -> None:
    result = multivariate(table(traded(), costs=[1, 2, 3]), scores=RATES, cost="train_time")
    assert [(pair.differs, pair.better) for pair in result.pairs if "knn" in (pair.a, pair.b)] == [(True, None)] * 2
    assert result.order is not None and result.order.order == ("svm", "tree", "knn")
    prior = multivariate(table(traded()), scores=RATES, prior=["knn", "tree", "svm"])
    assert prior.order is not None and prior.order.order == ("knn", "tree", "svm")


def test_better_over_data_sets_needs_more_than_half_of_those_that_differ() -> None:
    better, worse, trade = (folds(1, [[0, 0], shift], (10, 2, 2)) for shift in ([0.2, -0.2], [-0.2, 0.2], [0.2, 0.2]))
    for cubes, expected in [
        ([better, better, trade], "tree"),
        ([better, trade], None),
        ([better, worse], None),
        ([worse, worse, better], "svm"),
    ]:
        result = multivariate(table({f"d{i}": cube for i, cube in enumerate(cubes)}), scores=RATES, test="normal")
        assert (result.pairs[0].differs, result.pairs[0].better) == (True, expected)


def test_tests_of_an_order_leave_out_folds_that_a_data_set_lacks() -> None:
    cube = folds(2, [[0, 0], [0, 0], [0.1, 0.1]])
    measures = np.full((2, 3, 1, 10, 2), np.nan)
    measures[0, :, 0] = cube.transpose(1, 0, 2)
    measures[1, :, 0, :7] = cube[:7].transpose(1, 0, 2)
    inner = dominance_tests(measures, adjust="none", datasets=["long", "short"], algorithms=NAMES[:3])
    for row, n in zip(inner.pvalue, (10, 7), strict=True):
        smaller = 1 + n / (n - 1)  # (1/n + 1/(n-1)) s2 in place of s2/n
        f = [t_squared(cube[:n, i], cube[:n, j])[0] / smaller for i, j in ((0, 1), (0, 2), (1, 2))]
        assert row == pytest.approx(stats.f.sf(f, 2, n - 2), rel=1e-9)


# ---- what does not matter


@given(seed=st.integers(0, 10_000), order=st.permutations(range(3)))
@settings(derandomize=True, deadline=None, max_examples=8)
def test_neither_the_order_of_rows_nor_that_of_algorithms_matters(seed: int, order: list[int]) -> None:
    cubes = {"d": folds(seed, [[0, 0], [0.02, 0], [0, 0.03]]), "e": heavy(seed, (10, 3, 2))}
    one = multivariate(table(cubes, costs=[1, 2, 3]), scores=RATES, cost="train_time", n_permutations=99)
    turned = {name: cube[:, order] for name, cube in cubes.items()}
    names, costs = [NAMES[i] for i in order], [1 + i for i in order]
    other = multivariate(
        table(turned, names=names, costs=costs, shuffle=seed), scores=RATES, cost="train_time", n_permutations=99
    )
    assert one.to_dict()["pairs"] == other.to_dict()["pairs"]
    assert (one.algorithms, one.cliques, one.omnibus.pvalue) == (other.algorithms, other.cliques, other.omnibus.pvalue)
    assert one.order is not None and other.order is not None and one.order.order == other.order.order


def test_a_data_set_is_judged_alike_whatever_others_there_are() -> None:
    cubes = {"d": heavy(1, (20, 3, 2)), "e": heavy(2, (20, 3, 2))}
    both = multivariate(table(cubes), scores=RATES, test="permutation", n_permutations=99)
    alone = multivariate(table({"e": cubes["e"]}), scores=RATES, test="permutation", n_permutations=99)
    assert both.on("e").pairs == alone.pairs and both.on("e").omnibus == alone.omnibus
    again = multivariate(table(cubes), scores=RATES, test="permutation", n_permutations=99, seed=1)
    assert [pair.pvalue for pair in again.pairs] != [pair.pvalue for pair in both.pairs]


def test_replications_and_folds_are_all_folds_where_they_count_as_independent() -> None:
    cube = folds(6, [[0, 0], [0, 0], [0.03, 0]])
    plain = multivariate(table({"d": cube}), scores=RATES, test="normal", **PLAIN)
    crossed = multivariate(table({"d": cube}, replications=5), scores=RATES, test="normal", **PLAIN)
    assert crossed.omnibus.pvalue == pytest.approx(plain.omnibus.pvalue, rel=1e-12)


def test_counts_give_the_same_as_ready_measures() -> None:
    rng = np.random.default_rng(2)
    tp, fp = rng.integers(30, 50, (10, 3)), rng.integers(0, 20, (10, 3))
    counts = np.stack([tp, fp, 50 - fp, 50 - tp], axis=-1).astype(float)
    made = multivariate(table({"d": counts}, measures=["tp", "fp", "tn", "fn"]), scores=RATES)
    ready = multivariate(table({"d": np.stack([tp / 50, fp / 50], axis=-1)}), scores=RATES)
    assert made.to_dict()["pairs"] == ready.to_dict()["pairs"]
    with pytest.raises(tb.OptionError, match=r"^positive='yes' was given\. The table holds the measures"):
        multivariate(table({"d": folds()}), scores=RATES, positive="yes")
    with pytest.raises(tb.OptionError) as error:
        multivariate(table({"d": folds()}), scores=RATES, average="macro")
    assert str(error.value) == (
        "average='macro' was given. The table holds the measures, or tp, fp, tn and fn; they were made for some"
        " positive class. Leave it out, or give the whole matrices as columns confusion[truth,prediction]."
    )
    with pytest.raises(tb.OptionError, match=r"^There is no average 'mean'\."):
        multivariate(table({"d": folds()}), scores=RATES, average="mean")


def test_a_score_that_the_counts_give_is_named_with_the_way_to_make_it() -> None:
    rng = np.random.default_rng(2)
    counts = table({"d": rng.integers(1, 50, (10, 3, 4)).astype(float)}, measures=["tp", "fp", "tn", "fn"])
    assert with_scores(counts, RATES).means("tpr").shape == (1, 3)
    mixed = table({"d": rng.integers(1, 50, (10, 3, 5)).astype(float)}, measures=["tp", "fp", "tn", "fn", "tpr"])
    note = "tpr stand(s) in the table as such; fpr made from its counts."
    assert note in multivariate(mixed, scores=RATES).caveats and note not in with_scores(mixed, ["tpr"]).caveats
    with pytest.raises(tb.OptionError) as error:
        score_metrics(counts, RATES, None)
    assert str(error.value) == (
        "There is no score 'tpr'. Known here: 'tp', 'fp', 'tn', 'fn'. Did you mean 'tp'? It can be made from the"
        " counts: tiebreak.results.confusion.with_scores(results, [...])."
    )


def test_all_four_counts_are_singular_and_compared_in_the_two_directions_there_are() -> None:
    rng = np.random.default_rng(2)
    tp, fp = rng.integers(30, 50, (10, 3)), rng.integers(0, 20, (10, 3))
    counts = np.stack([tp, fp, 50 - fp, 50 - tp], axis=-1).astype(float)
    four = multivariate(
        table({"d": counts}, measures=["tp", "fp", "tn", "fn"]), scores=["tp", "fp", "tn", "fn"], test="normal"
    )
    two = multivariate(table({"d": counts}, measures=["tp", "fp", "tn", "fn"]), scores=["tp", "fp"], test="normal")
    assert four.omnibus.pvalue == pytest.approx(two.omnibus.pvalue, rel=1e-9)
    assert any("The 4 measures span 2 dimension(s)" in note for note in four.caveats)


# ---- degenerate input


def test_identical_algorithms_have_p_1() -> None:
    cube = np.repeat(folds(1)[:, :1], 3, axis=1)
    for test in ("normal", "permutation"):
        for cubes in ({"d": cube}, {"d": cube, "e": cube}):
            result = multivariate(table(cubes), scores=RATES, test=test, **PLAIN)
            assert result.omnibus.pvalue == 1 and result.cliques == (("knn", "svm", "tree"),)
            assert all(pair.pvalue == 1 and pair.better is None for pair in result.pairs)
            json.dumps(result.to_dict(), allow_nan=False)


def test_a_constant_measure_is_left_out_with_a_caveat() -> None:
    cube = folds(1)
    cube[:, :, 1] = 0.3
    result = multivariate(table({"d": cube}), scores=RATES, test="normal")
    alone = multivariate(table({"d": cube[..., :1]}, measures=["tpr"]), scores=["tpr"], test="normal")
    assert result.omnibus.pvalue == pytest.approx(alone.omnibus.pvalue, rel=1e-12)
    assert "No difference at all in 'fpr': left out of the test." in result.caveats


def test_a_difference_that_is_the_same_in_every_fold_is_certain_and_said_to_be() -> None:
    cube = folds(1, 0.0, (10, 2, 2))
    cube[:, 1] = cube[:, 0] + [0.25, -0.25]
    result = multivariate(table({"d": cube}), scores=RATES)
    assert result.pairs[0].better == "tree" and 0 < result.omnibus.pvalue < 1e-300
    assert "p < 2.3e-308" in str(result)
    assert any("which is certainty about these folds, not about others" in note for note in result.caveats)
    assert result.to_dict()["omnibus"]["statistic"] is None  # infinite
    json.dumps(result.to_dict(), allow_nan=False)


def test_undefined_precision_is_zero_and_said_to_be() -> None:
    rng = np.random.default_rng(2)
    tp, fp = rng.integers(30, 50, (10, 3)), rng.integers(1, 20, (10, 3))
    tp[4, 1] = fp[4, 1] = 0
    counts = np.stack([tp, fp, 50 - fp, 50 - tp], axis=-1).astype(float)
    result = multivariate(table({"d": counts}, measures=["tp", "fp", "tn", "fn"]), scores=["precision", "recall"])
    assert any(note.startswith("precision is set to 0 in 1 cell(s), such as 'tree' on 'd'") for note in result.caveats)


def test_two_algorithms_with_a_correction_made_for_pairs() -> None:
    for adjust in ("bergmann-hommel", "shaffer", "none"):
        result = multivariate(table({"d": folds(1, 0.0, (10, 2, 2))}), scores=RATES, adjust=adjust)
        assert result.pairs[0].adjusted == result.pairs[0].pvalue


def test_permutations_that_cannot_reject_say_so() -> None:
    test = "permutation"
    shifts = 10.0 * np.arange(5)[:, None]
    few = multivariate(table({"d": folds(1, shifts, (7, 5, 2))}), scores=RATES, test=test, **PLAIN)
    assert not any(pair.differs for pair in few.pairs)
    assert (
        "No permutation test of 10 pair(s) can reject here: the least p is 0.016 before correction. Use more folds,"
        " fewer algorithms or test='normal'." in few.caveats
    )
    many = table({"d": folds(1, shifts, (15, 5, 2))})
    result = multivariate(many, scores=RATES, test=test, n_permutations=99, **PLAIN)
    assert not any(pair.differs for pair in result.pairs)
    assert any("Use n_permutations=2000 or test='normal'" in note for note in result.caveats)
    enough = multivariate(many, scores=RATES, test=test, n_permutations=2000, **PLAIN)
    assert all(pair.differs for pair in enough.pairs)
    assert not any(note.startswith("No permutation test") for note in enough.caveats)
    kind = multivariate(table({"d": folds(1, shifts, (7, 5, 2))}), scores=RATES, test=test, adjust="hochberg", **PLAIN)
    assert any(pair.differs for pair in kind.pairs)


def test_three_folds_are_too_few_to_judge_normality() -> None:
    result = multivariate(table({"d": folds()[:3]}), scores=RATES)
    assert result.normality == () and "3 folds are too few to judge normality." in result.caveats


def test_data_sets_may_have_different_numbers_of_folds() -> None:
    result = multivariate(table({"long": folds(1), "short": folds(2)[:6]}), scores=RATES, test="normal")
    assert [len(item.cube) for item in result.sets] == [10, 6]


def test_notes_that_data_sets_share_are_written_once() -> None:
    result = multivariate(table({f"d{i}": folds(i) for i in range(20)}), scores=RATES, test="normal", blocked=False)
    note = "The folds are taken for independent samples of each algorithm; blocked=True uses that they are shared."
    assert f"On all 20 data sets: {note}" in result.caveats
    assert sum(note in caveat for caveat in result.caveats) == 1


# ---- refusals


def refused(call: object) -> str:
    with pytest.raises(tb.TiebreakError) as caught:
        call()  # type: ignore[operator]
    return str(caught.value)


def test_too_few_folds_are_refused_by_the_name_of_the_data_set() -> None:
    results = table({"fine": folds(1), "short": folds(2)[:2]})
    assert refused(lambda: multivariate(results, scores=RATES)) == (
        "Data set 'short': 2 folds are too few for 2 measures, as for 'tree' and 'knn'. Use at most 1 measures,"
        " or at least 3 folds."
    )
    short = table({"short": heavy(1, (2, 3, 2))})
    message = refused(lambda: multivariate(short, scores=RATES, test="permutation", **PLAIN))
    assert message.startswith("Data set 'short': 2 folds are too few for 2 measures, as for ")
    results = table({"fine": folds(1), "single": folds(2)[:1]})
    assert refused(lambda: multivariate(results, scores=RATES)) == (
        "Data set 'single' has 1 fold(s) on which every algorithm has every measure. Give the measures of each"
        " fold, with a column 'fold'."
    )


def test_unknown_names_are_refused_with_the_nearest() -> None:
    results = table({"d": folds()})
    assert refused(lambda: multivariate(results, scores=["tpr", "fprr"])) == (
        "There is no score 'fprr'. Known here: 'tpr', 'fpr'. Did you mean 'fpr'? Measures such as tpr are made where"
        " the table holds tp, fp, tn and fn."
    )
    assert refused(lambda: multivariate(results, scores=RATES, test="permutations")) == (
        "There is no test 'permutations'. Known here: 'normal', 'permutation'. Did you mean 'permutation'?"
    )
    assert refused(lambda: multivariate(results, scores=RATES, dataset="dd")).startswith("There is no data set 'dd'.")
    assert refused(lambda: multivariate(results, scores=["tpr", "tpr"])).startswith(
        "A score was named twice: tpr, tpr."
    )
    assert refused(lambda: multivariate(results, scores=[])).startswith("No score was named.")
    assert refused(lambda: multivariate(results, scores=RATES, prior=["svm", "tree"])) == (
        "The prior order lacks 'knn'. Name each algorithm once, cheapest first."
    )


def test_values_that_mean_nothing_are_refused() -> None:
    results = table({"d": folds()})
    assert refused(lambda: multivariate(results, scores=RATES, seed=-1)) == (
        "seed is -1, not a whole number of at least 0. Use seed=0."
    )
    assert refused(lambda: multivariate(results, scores=RATES, n_permutations=0)).startswith("n_permutations is 0")
    assert refused(lambda: multivariate(7, scores=RATES)) == (
        "multivariate was given a int. It needs a table that knows data sets and algorithms by name: a path, a data"
        " frame, a dictionary, an array with names, or Results. Use tiebreak.read(path), Results.from_frame(frame) or"
        " Results.from_array(array, ...)."
    )
    assert refused(lambda: multivariate([[1]], scores=RATES)).startswith("An array holds no score")
    assert refused(lambda: multivariate(table({"d": folds()[:, :1]}), scores=RATES)).startswith("There are 1 algorithm")
    unknown = table({"d": folds()}, measures=["x", "y"])
    assert refused(lambda: multivariate(unknown, scores=["x", "y"])).startswith("Nothing says whether a higher 'x'")
    options = multivariate(unknown, scores=["x", "y"], higher_is_better={"x": True, "y": False})
    assert [m.higher_is_better for m in options.measures] == [True, False]


def test_gaps() -> None:
    cube = folds(1)
    cube[3, 1, 0] = np.nan
    results = table({"d": cube, "e": folds(2)})
    message = refused(lambda: multivariate(results, scores=RATES, missing="refuse"))
    assert message.startswith("'tree' has no tpr on data set 'd', replication 0, fold 3 (1 gap in all).")
    assert message.endswith("name a policy: missing='drop-datasets', 'drop-algorithms' or 'drop-folds'.")
    assert multivariate(results, scores=RATES, missing="drop-datasets").datasets == ("e",)
    assert set(multivariate(results, scores=RATES, missing="drop-algorithms").algorithms) == {"svm", "knn"}
    remaining = multivariate(results, scores=RATES, missing="drop-folds")
    assert [len(item.cube) for item in remaining.sets] == [9, 10]
    assert "gaps-left-out" in [note.code for note in remaining.caveats]


# ---- the result


def test_the_contract_of_the_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, dominated(), costs=[1, 2, 3])
    assert main(["multivariate", path, "--scores", "tpr,fpr", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert set(data) >= {"omnibus", "pairs", "cliques", "learned", "normality", "caveats"}
    assert set(data["omnibus"]) >= {"wilks", "statistic", "df", "pvalue", "method"}
    assert set(data["pairs"][0]) >= {"a", "b", "statistic", "pvalue", "adjusted", "better"}
    assert data["pairs"][0]["dominates"] == {"knn": 12, "svm": 0}
    assert set(data["learned"][0]) >= {"eigenvalue", "share", "weights"}
    assert set(data["learned"][0]["weights"]) == {"tpr", "fpr"}
    assert sum(item["share"] for item in data["learned"]) == pytest.approx(1)
    assert data["pairs"][0]["datasets"] == 12 and data["pairs"][0]["better"] == "knn"
    assert {row["algorithm"] for row in data["normality"]} == {"knn", "svm", "tree"}
    keys = {"algorithm", "skewness", "skewness_pvalue", "kurtosis", "kurtosis_pvalue"}
    assert all(set(row) == keys | {"dataset"} for row in data["normality"])
    assert set(data["datasets"]) == {f"d{i}" for i in range(12)} and "order" not in data
    assert main(["multivariate", path, "--scores", "tpr,fpr", "--cost", "train_time", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["order"]["order"] == ["knn", "svm", "tree"]


def test_with_two_algorithms_their_difference_is_judged_too() -> None:
    for count in (1, 3):
        cubes = {f"d{i}": folds(i, [[0.1, -0.1], [0, 0]], (10, 2, 2)) for i in range(count)}
        result = multivariate(table(cubes), scores=RATES)
        assert [row["algorithm"] for row in result.normality] == ["svm", "tree", "svm - tree"] * count
        assert all(0 < float(row["skewness_pvalue"]) <= 1 for row in result.normality)  # type: ignore[arg-type]
    assert result.sets[0].two is not None and "difference" in result.to_dict()["datasets"]["d0"]


def test_names_are_escaped_everywhere() -> None:
    names = ['a"b<i>', "x_{%}&\\n", "c\nd, e"]
    results = table({"d": folds(1, [[0, 0], [0, 0], [0.2, -0.2]])}, names=names, costs=[1, 2, 3])
    result = multivariate(results, scores=RATES, cost="train_time")
    assert "<i>" not in result._repr_html_() and "&lt;i&gt;" in result._repr_html_()
    assert "<i>" not in result.to_markdown()
    assert r"x\_\{\%\}\&\textbackslash{}n" in result.to_latex()
    assert json.loads(json.dumps(result.to_dict()))["cliques"][0] == ["c\nd, e"]
    assert repr(result) and result.letters() == ["a", "b", "b"]


def test_text_says_what_was_found() -> None:
    text = str(multivariate(table({"d": dominated()["d0"]}), scores=RATES, test="normal").document())
    assert text.startswith("3 algorithms on data set 'd' by tpr (higher is better), fpr (lower is better)\n")
    assert (
        "2 of 3 pairs differ significantly on this data set with Holm's correction; in 2 of them one dominates (no"
        " mean worse, one better)." in text
    )
    assert (
        "The hypothesis that all 3 algorithms have the same expected tpr and fpr is rejected at alpha = 0.05." in text
    )
    quiet = str(multivariate(table({"d": folds(1)}), scores=RATES, test="normal").document())
    assert "The data do not show that the algorithms differ; this is not evidence that they are equal." in quiet


def test_very_many_cliques_are_counted_and_said_to_be_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    means = np.random.default_rng(4).normal(0, 0.04, size=(60, 2))
    names = [f"a{i}" for i in range(60)]
    result = multivariate(table({"d": folds(4, means, (20, 60, 2))}, names=names), scores=RATES, test="normal")
    count = len(result.cliques)
    assert 52 < count < 10_000
    assert [int(row) for row in result.letters()] == [
        sum(name in clique for clique in result.cliques) for name in result.algorithms
    ]
    groups = len(result.to_dict()["datasets"]["d"]["measures"][0]["groups"])
    assert groups > 20 and f" | and {groups - 20} more sets: `to_dict()`" in str(result.document())
    monkeypatch.setattr("tiebreak.multivariate_tests.one_set.MOST_GROUPS", count)  # as if the listing had stopped there
    cut = multivariate(table({"d": folds(4, means, (20, 60, 2))}, names=names), scores=RATES, test="normal")
    assert f"There are {count} cliques or more; only the first are listed." in cut.caveats


def test_the_blocked_analysis_finds_what_the_one_way_analysis_misses() -> None:
    """Large differences between folds, shared by the algorithms, hide a small steady one from the one-way analysis."""
    common = np.random.default_rng(1).normal(0, 1, size=(10, 1, 2))
    cube = common + folds(2, [[0, 0], [0, 0], [0.1, 0.1]])
    result = multivariate(table({"d": cube}), scores=RATES, test="normal", blocked=False)
    assert not result.rejected
    assert any(note.startswith("The omnibus test does not reject, so no pair") for note in result.caveats)
    assert multivariate(table({"d": cube}), scores=RATES, test="normal", blocked=True).rejected
    usual, published = (
        multivariate(table({"d": cube}), scores=RATES),
        multivariate(table({"d": cube}), scores=RATES, **PLAIN),
    )
    assert usual.rejected and usual.omnibus.method.startswith("Corrected blocked MANOVA")
    assert not published.rejected and published.omnibus.method.startswith("One-way MANOVA")
    layouts = {row["layout"] for row in usual.omnibus.others}
    assert layouts == {"one-way", "blocked by fold"}
    assert multivariate(table({"d": cube}), scores=RATES, test="permutation").rejected


# ---- size


@pytest.mark.parametrize(("algorithms", "test"), [(2, "normal"), (3, "normal"), (2, "permutation")])
def test_size_under_the_null(algorithms: int, test: str) -> None:
    """Of 100 data sets without a difference about 5 % are rejected: 1 to 12 hold all but 1 in 140 such counts."""
    rng = np.random.default_rng(11)
    cubes = {f"d{i:03}": rng.normal(size=(10, algorithms, 2)) @ [[1, 0.7], [0, 0.7]] for i in range(100)}
    result = multivariate(table(cubes), scores=RATES, test=test, **PLAIN)
    assert 1 <= sum(item.omnibus.pvalue <= 0.05 for item in result.sets) <= 12
    assert sum(any(pair.differs for pair in item.pairs) for item in result.sets) <= 12
    assert result.omnibus.pvalue > 0.01


# ---- the command line


def write(folder: Path, cubes: Mapping[str, np.ndarray], costs: Sequence[float] = ()) -> str:
    lines = ["dataset,algorithm,fold,tpr,fpr" + (",train_time" if costs else "")]
    for dataset, cube in cubes.items():
        for k, i in np.ndindex(*cube.shape[:2]):
            cells = [dataset, NAMES[i], k, *cube[k, i], *costs[i : i + 1]]
            lines.append(",".join(map(str, cells)))
    path = folder / "folds.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def counts_csv(folder: Path) -> str:
    rng = np.random.default_rng(3)
    lines = ["dataset,algorithm,fold,tp,fp,tn,fn"]
    for k, name in itertools.product(range(10), NAMES[:3]):
        tp, fp = rng.integers(30, 50), rng.integers(0, 20)
        lines.append(f"d,{name},{k},{tp},{fp},{50 - fp},{50 - tp}")
    path = folder / "counts.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_command_says_what_the_library_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, dominated(), costs=[1, 2, 3])
    with on_the_command_line("multivariate"):
        result = multivariate(tb.read(path), scores=RATES, cost="train_time")
    with on_the_command_line("multivariate"):
        printed = [([], str(result)), (["--full"], str(result.document())), (["--latex"], result.to_latex())]
    for flag, text in printed:
        assert main(["multivariate", path, "--scores", "tpr,fpr", "--cost", "train_time", *flag]) == 0
        assert capsys.readouterr().out == text + "\n"
    out = tmp_path / "out.txt"
    prior = ["--prior", "tree, svm, knn", "--dataset", "d0", "--test", "normal", "--posthoc", "none"]
    assert main(["multivariate", path, "--scores", "tpr,fpr", *prior, "--full", "-o", str(out)]) == 0
    assert capsys.readouterr().out == "" and "Corrected blocked MANOVA" in out.read_text()


def test_measures_are_made_from_counts_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["multivariate", counts_csv(tmp_path), "--scores", "precision,recall", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [score["name"] for score in data["scores"]] == ["precision", "recall"]


def test_counts_beside_a_column_of_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(counts_csv(tmp_path))
    call = ["multivariate", str(path), "--scores", "tpr,fpr", "--json"]
    assert main(call) == 0
    plain = json.loads(capsys.readouterr().out)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([f"{lines[0]},comment", *(f"{line},fine" for line in lines[1:])]))
    assert main(call) == 0
    assert json.loads(capsys.readouterr().out) == plain
    path.write_text("\n".join(line.rpartition(",")[0] for line in lines))
    assert main(call) == 2
    assert capsys.readouterr().err == (
        "tiebreak multivariate: There is no score 'tpr'. Known here: 'tp', 'fp', 'tn'. Did you mean 'tp'? Measures such"
        " as tpr are made where the table holds tp, fp, tn and fn.\n"
    )


def test_the_positive_class_of_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sqlalchemy", reason="the store needs SQLAlchemy (tiebreak[lab])")
    plan, store = tmp_path / "plan.toml", str(tmp_path / "r.db")
    plan.write_text('datasets = ["builtin:titanic"]\nalgorithms = ["nb", "lda"]\nresampling = "1x5cv"\n')
    assert main(["run", str(plan), "--store", store, "--jobs", "1"]) == 0
    capsys.readouterr()
    call = ["multivariate", "--store", store, "--scores", "tpr,fpr", "--dataset", "titanic", "--json"]
    assert main([*call, "--positive", "yes"]) == 0
    yes = json.loads(capsys.readouterr().out)["means"]["nb"]
    assert main([*call, "--positive", "no"]) == 0
    no = json.loads(capsys.readouterr().out)["means"]["nb"]
    assert (no["tpr"], no["fpr"]) == (pytest.approx(1 - yes["fpr"]), pytest.approx(1 - yes["tpr"]))
    assert main([*call, "--average", "macro"]) == 2
    assert capsys.readouterr().err == (
        "tiebreak multivariate: --average macro was given with --store. Leave it out; --positive CLASS --dataset NAME"
        " compares one class with all others.\n"
    )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            ["--scores", "tpr,fprr"],
            "There is no column 'fprr'. Known here: 'tpr', 'fpr'. Did you mean 'fpr'? It was requested as a score of"
            " folds.csv.",
        ),
        (
            ["--scores", "tpr,,fpr"],
            "--scores 'tpr,,fpr' holds an empty name. Use --scores tpr,fpr.",
        ),
        (
            ["--scores", "tpr,fpr", "--seed", "-1"],
            "--seed is -1, not a whole number of at least 0. Use --seed 0.",
        ),
        (
            ["--scores", "tpr,fpr", "--direction", "tpr=up"],
            "--direction 'tpr=up' is not of the form NAME=higher or NAME=lower.",
        ),
        (
            ["--scores", "tpr,fpr", "--direction", "tpr=higher", "--higher-is-better"],
            "--direction and a direction for all measures were both given. Leave one out.",
        ),
        (
            ["--scores", "tpr,fpr", "--figure", "f.gif"],
            "A figure cannot be saved as 'f.gif'. The ending says what to write, and must be one of .svg, .tex, .tikz,"
            " .pdf, .png. Use f.svg.",
        ),
    ],
)
def test_errors_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    assert main(["multivariate", write(tmp_path, {"d": folds()}), *more]) == 2
    readouterr = capsys.readouterr()
    assert (readouterr.out, readouterr.err) == ("", f"tiebreak multivariate: {message}\n")


def test_a_wide_table_and_a_wrong_measure_of_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wide = tmp_path / "wide.csv"
    wide.write_text("dataset,svm,tree\nx,0.1,0.2\ny,0.3,0.2\n")
    assert main(["multivariate", str(wide), "--scores", "tpr,fpr"]) == 2
    assert capsys.readouterr().err == (
        "tiebreak multivariate: 2 scores were named for wide.csv, which is in wide form. Name one, or give a"
        " table in long form with a column 'algorithm'.\n"
    )
    assert main(["multivariate", counts_csv(tmp_path), "--scores", "tpr,fprr"]) == 2
    assert "no column 'fprr'" in (error := capsys.readouterr().err) and "Did you mean 'fpr'?" in error


def test_directions_are_told_one_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "xy.csv"
    path.write_text(Path(write(tmp_path, {"d": folds()})).read_text().replace("tpr,fpr", "x,y"))
    call = ["multivariate", str(path), "--scores", "x,y", "--json"]
    assert main(call) == 2
    assert capsys.readouterr().err.startswith(
        "tiebreak multivariate: Nothing says whether a higher 'x' is better, nor 'y'."
    )
    assert main([*call, "--direction", "x=higher", "--direction", "y=lower"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert scores == [{"name": "x", "higher_is_better": True}, {"name": "y", "higher_is_better": False}]


def test_order_by_two_scores_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, dominated(), costs=[1, 2, 3])
    call = ["order", path, "--score", "tpr,fpr", "--cost", "train_time"]
    assert main([*call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["order"] == ["knn", "svm", "tree"]
    assert main([*call, "--pairwise", "wilcoxon"]) == 2
    assert capsys.readouterr().err == (
        "tiebreak order: 2 scores were named, and the pairwise test 'wilcoxon'. Leave --pairwise out,"
        " or say --pairwise hotelling, or name one score.\n"
    )


# ---- tests that fit the resampling


def resampled(
    replications: int, count: int, *, rho: float, seed: int = 0, algorithms: int = 3, shifts: object = 0.0
) -> np.ndarray:
    """Measures of (replications x folds, algorithms, 2) of which any two folds are correlated by rho."""
    rng = np.random.default_rng(seed)
    normal = rng.normal(0, 0.03, size=(replications * count, algorithms, 2))
    return 0.8 + np.sqrt(rho) * rng.normal(0, 0.03, size=(1, algorithms, 2)) + np.sqrt(1 - rho) * normal + shifts


def of_folds(cubes: Mapping[str, np.ndarray], count: int, **more: object) -> tb.Results:
    """Make a table whose rows run replication by replication, `count` folds in each."""
    rows = [
        [dataset, NAMES[i], k // count, k % count, *cube[k, i]]
        for dataset, cube in cubes.items()
        for k in range(len(cube))
        for i in range(cube.shape[1])
    ]
    header = ["dataset", "algorithm", "replication", "fold", *RATES]
    return tb.Results.from_dict({name: [row[j] for row in rows] for j, name in enumerate(header)}, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("replications", "count"), [(1, 10), (5, 10), (3, 4)])
def test_the_variance_is_that_of_the_corrected_resampled_t_test(replications: int, count: int) -> None:
    cube = resampled(replications, count, rho=0.0, algorithms=2, shifts=[[0, 0], [0.02, 0.01]])
    result = multivariate(of_folds({"d": cube}, count), scores=RATES)
    f, _ = t_squared(cube[:, 0], cube[:, 1])
    factor = 1 + len(cube) / (count - 1)
    assert result.omnibus.statistic == pytest.approx(f / factor, rel=1e-9)
    assert result.omnibus.pvalue == pytest.approx(stats.f.sf(f / factor, 2, len(cube) - 2), rel=1e-9)
    assert result.pairs[0].pvalue == pytest.approx(result.omnibus.pvalue, rel=1e-9)
    assert result.omnibus.method == "Hotelling's corrected paired T2 test"
    assert result.sets[0].resampling.correction == "variance"
    one = multivariate(of_folds({"d": cube}, count), scores=["tpr"])
    t = tb.stats.corrected_resampled_t(cube[:, 0, 0], cube[:, 1, 0], test_share=1 / count)
    assert (one.omnibus.statistic, one.omnibus.pvalue) == pytest.approx((float(t.statistic) ** 2, t.pvalue), rel=1e-9)


def test_more_algorithms_are_corrected_alike_in_all_that_is_said() -> None:
    cube = resampled(5, 10, rho=0.1, shifts=[[0, 0], [0, 0], [0.06, -0.06]])
    results = of_folds({"d": cube}, 10)
    result = multivariate(results, scores=RATES)
    plain = multivariate(results, scores=RATES, test="normal", blocked=True, **PLAIN)
    factor = 1 + 50 / 9
    assert result.learned.eigenvalues == pytest.approx(plain.learned.eigenvalues / factor)
    assert result.sets[0].per_measure.statistic == pytest.approx(plain.sets[0].per_measure.statistic / factor)
    assert result.sets[0].per_measure.pair_statistic == pytest.approx(
        plain.sets[0].per_measure.pair_statistic / np.sqrt(factor)
    )
    assert result.omnibus.wilks == pytest.approx(float(np.prod(1 / (1 + result.learned.eigenvalues))))
    assert [pair.statistic * factor for pair in result.pairs] == pytest.approx([pair.statistic for pair in plain.pairs])
    assert result.omnibus.method == "Corrected blocked MANOVA, Wilks' lambda by Bartlett's chi-squared"
    notes = [note for note in result.caveats if note.code == "folds-share-training-data"]
    assert notes == [
        "The test is Nadeau and Bengio's correction: folds share training data, so the variance of a mean is"
        " (1/K + n_test/n_train) s2 in place of s2/K (5x10 folds: 6.56 times that of independent folds)."
        " resampling_correction='none' gives the published test."
    ]
    options = [note for note in plain.caveats if note.code == "folds-share-training-data"]
    assert options == [
        "The tests take folds for independent. Those of one data set share training data, so that differences are found"
        " too often: with 5x10 folds in more than half of all comparisons of equal algorithms."
    ]
    data = result.to_dict()["datasets"]["d"]["resampling"]
    assert data == {"replications": 5, "folds": 10, "correction": "variance", "test_share": 0.1}


def test_five_by_two_has_its_own_test() -> None:
    cube = resampled(5, 2, rho=0.0, shifts=[[0, 0], [0, 0], [0.2, -0.2]])
    result = multivariate(of_folds({"d": cube}, 2), scores=RATES)
    order = [NAMES.index(name) for name in result.sets[0].algorithms]
    tests = tb.stats.multivariate.five_by_two_pairs(cube[:, order])
    assert [pair.pvalue for pair in result.pairs] == pytest.approx(tests.pvalue.tolist())
    assert result.omnibus.pvalue == pytest.approx(tb.stats.multivariate.five_by_two_manova(cube).pvalue)
    assert result.omnibus.method == "5x2 cv MANOVA, Wilks' lambda by Rao's F"
    assert "5x2 cross-validation is tested by the 5x2 cv F test for several measures, which is cautious." in (
        result.caveats
    )
    assert result.sets[0].per_measure.pair_method == "5x2 cv F test with Holm's correction"
    assert result.cliques == (("knn",), ("svm", "tree")) and result.pairs[0].t2 is None
    assert "t2" not in result.to_dict()["pairs"][0]
    two = multivariate(of_folds({"d": cube[:, 1:]}, 2), scores=RATES, statistic="pillai")
    assert two.omnibus.method == "5x2 cv multivariate F test" and two.omnibus.pvalue == two.pairs[0].pvalue
    assert set(two.to_dict()["datasets"]["d"]["difference"][0]) == {
        "measure", "mean_difference", "statistic", "pvalue", "adjusted",
    }  # fmt: skip
    alone = multivariate(of_folds({"d": cube[:, 1:]}, 2), scores=["tpr"])
    f = tb.stats.five_by_two_f(cube[:, 1, 0], cube[:, 2, 0])
    assert (alone.omnibus.statistic, alone.omnibus.pvalue) == pytest.approx((f.statistic, f.pvalue), rel=1e-9)
    share = multivariate(of_folds({"d": cube}, 2), scores=RATES, test_share=0.5)
    assert share.sets[0].resampling.correction == "variance"


def test_repeated_hold_out_needs_its_share() -> None:
    results = of_folds({"d": resampled(30, 1, rho=0.0)}, 1)
    assert refused(lambda: multivariate(results, scores=RATES)) == (
        "Data set 'd': There is one fold in each replication. How much hold-out splits overlap depends on the"
        " share of the data that is tested on. Give it: test_share=0.33 if a third is tested on. For"
        " runs on data of their own: resampling_correction='none'."
    )
    result = multivariate(results, scores=RATES, test_share=1 / 3)
    assert result.sets[0].resampling.overlap == pytest.approx(1 + 30 / 2)
    assert any("(30 hold-out splits: 16 times that of independent folds)" in note for note in result.caveats)


def test_tests_without_a_corrected_form_are_refused() -> None:
    ten, five = of_folds({"d": resampled(1, 10, rho=0.0)}, 10), of_folds({"d": resampled(5, 2, rho=0.0)}, 2)
    assert "test='permutation' was asked for on 5x2 folds" in refused(
        lambda: multivariate(five, scores=RATES, test="permutation")
    )
    assert multivariate(five, scores=RATES, test="permutation", **PLAIN).sets[0].decided_by == "permutation"
    permuted = multivariate(ten, scores=RATES, test="permutation", n_permutations=99)
    assert permuted.omnibus.method == "Corrected permutation test of Pillai's trace, blocked by fold"
    assert refused(lambda: multivariate(ten, scores=RATES, resampling_correction="no")).startswith(
        "There is no correction for resampling 'no'."
    )


def test_normality_is_judged() -> None:
    result = multivariate(table({"d": heavy()}), scores=RATES)
    assert result.sets[0].decided_by == "normal" and "normality-rejected" in [note.code for note in result.caveats]


def test_many_folds_without_replications_are_asked_about() -> None:
    note = (
        "50 folds without replications are taken for one cross-validation of 50 folds. If they are repeated ones, such"
        " as 5x10, name the column 'replication', or say test_share=0.1: the correction is too small"
        " otherwise."
    )
    cubes = {"d": resampled(1, 50, rho=0.0)}
    assert note in multivariate(table(cubes), scores=RATES).caveats
    assert note not in multivariate(table(cubes), scores=RATES, test_share=0.1).caveats
    assert note not in multivariate(of_folds(cubes, 10), scores=RATES).caveats


def test_data_sets_may_be_resampled_each_in_its_own_way() -> None:
    """Three tables of their own, joined: ten folds, 5x10 and 5x2."""
    parts = {"a": (1, 10), "b": (5, 10), "c": (5, 2)}
    rows: dict[str, list[object]] = {name: [] for name in ("dataset", "algorithm", "replication", "fold", *RATES)}
    item = []
    for seed, (name, (replications, count)) in enumerate(parts.items()):
        cube = resampled(replications, count, rho=0.0, seed=seed, shifts=[[0, 0], [0, 0], [0.03, 0.03]])
        item.append(multivariate(of_folds({name: cube}, count), scores=RATES))
        for k, i in np.ndindex(*cube.shape[:2]):
            for column, value in zip(rows, (name, NAMES[i], k // count, k % count, *cube[k, i]), strict=True):
                rows[column].append(value)
    result = multivariate(tb.Results.from_dict(rows), scores=RATES)
    assert [one.resampling.correction for one in result.sets] == ["variance", "variance", "5x2cv"]
    assert [one.omnibus.pvalue for one in result.sets] == pytest.approx([one.omnibus.pvalue for one in item])
    assert json.dumps(result.to_dict(), allow_nan=False) and result.to_markdown()
    assert "10 folds on 1 data set(s): the variance of a mean allows for the training data that folds share." in (
        result.document().decided
    )


@pytest.mark.parametrize(("algorithms", "count", "replications"), [(3, 10, 5), (2, 10, 1), (2, 2, 5)])
def test_size_on_folds_that_share_training_data(algorithms: int, count: int, replications: int) -> None:
    """Of 60 equal comparisons on correlated folds about 5 % are rejected, not the half; 5x2 cv is cautious."""
    five = count == 2
    cubes = {
        f"d{i:03}": resampled(replications, count, rho=0.0 if five else 1 / count, seed=i, algorithms=algorithms)
        for i in range(60)
    }
    result = multivariate(of_folds(cubes, count), scores=RATES)
    rejected = sum(item.omnibus.pvalue <= 0.05 for item in result.sets)
    assert rejected <= 9
    assert sum(any(pair.differs for pair in item.pairs) for item in result.sets) <= 9
    if replications == 5 and not five:
        plain = multivariate(of_folds(cubes, count), scores=RATES, test="normal", **PLAIN)
        assert sum(item.omnibus.pvalue <= 0.05 for item in plain.sets) > 27


def test_the_resampling_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hold.csv"
    lines = ["dataset,algorithm,replication,fold,tpr,fpr"]
    cube = resampled(20, 1, rho=0.0)
    lines += [f"d,{NAMES[i]},{k},0,{cube[k, i, 0]},{cube[k, i, 1]}" for k, i in np.ndindex(20, 3)]
    path.write_text("\n".join(lines) + "\n")
    call = ["multivariate", str(path), "--scores", "tpr,fpr", "--json"]
    assert main(call) == 2 and "--test-share 0.33" in capsys.readouterr().err
    assert main([*call, "--test-share", "0.33"]) == 0
    assert json.loads(capsys.readouterr().out)["datasets"]["d"]["resampling"]["test_share"] == 0.33
    assert main([*call, "--resampling-correction", "none"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["datasets"]["d"]["resampling"]["correction"] == "none"
    assert "folds-share-training-data" in data["caveat_codes"]
