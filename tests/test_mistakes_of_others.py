"""Mistakes found in other tools, each by running that tool: what it computes, and that ours differs and is right.

Each test computes the mistaken value itself; no other tool is needed to run it.
"""

from __future__ import annotations

import itertools
import json
from math import comb, isnan, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import special, stats

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.methods import of_kind

from .every import every

NAN = float("nan")
DEMSAR_C45 = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .94, .619, .972, .957]  # fmt: skip
DEMSAR_C45M = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]  # fmt: skip


def table(scores: object, *names: str, score: str = "accuracy") -> tb.Results:
    return tb.Results.from_array(np.asarray(scores, dtype=float), score=score, algorithms=names or None)


def uneven() -> np.ndarray:
    """12 data sets, 4 algorithms, one of which varies three times as much as the others."""
    rng = np.random.default_rng(5)
    return np.round(rng.normal(size=(12, 4)) * [1, 1, 3, 1] + [0, 0.9, 0.6, 0.1], 3)


def different(comparison: tb.Comparison) -> set[frozenset[str]]:
    return {frozenset((pair.a, pair.b)) for pair in comparison.pairs if pair.better}


def partitions(count: int) -> np.ndarray:
    """All partitions of `count` algorithms: whether each pair shares a block."""
    rows = [[0]]
    for _ in range(1, count):
        rows = [[*row, label] for row in rows for label in range(max(row) + 2)]
    labels = np.array(rows)
    a, b = np.triu_indices(count, 1)
    return labels[:, a] == labels[:, b]


# ---- autorank


def test_autorank_rejects_on_a_missing_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """autorank 1.3: one NaN makes p = nan, which is not >= alpha, so 'we reject the null hypothesis (p=nan)'."""
    scores = np.random.default_rng(0).normal(size=(10, 3))
    scores[4, 1] = NAN
    p = stats.friedmanchisquare(*scores.T).pvalue
    assert isnan(p) and not p >= 0.05
    with pytest.raises(tb.MissingScores, match="'b' has no accuracy on data set 'data set 5'"):
        tb.compare(table(scores, "a", "b", "c"), missing="refuse")
    file = tmp_path / "scores.csv"
    lines = [f"d{i},{','.join('' if isnan(x) else f'{x:.4f}' for x in row)}" for i, row in enumerate(scores.tolist())]
    file.write_text("\n".join(["dataset,a,b,c", *lines]))
    call = ["compare", f"{file}?plain", "--score", "accuracy", "--missing", "refuse"]
    assert main(call) == 2  # these are no real accuracies
    readouterr = capsys.readouterr()
    assert readouterr.out == "" and "'b' has no accuracy on data set 'd4'" in readouterr.err
    compare = tb.compare(table(scores), missing="drop-datasets")
    assert compare.omnibus.pvalue == pytest.approx(tb.stats.friedman(np.delete(scores, 4, axis=0)).pvalue)


def test_autorank_tests_one_sided_in_the_observed_direction() -> None:
    """autorank 1.3: Wilcoxon for two algorithms with alternative='greater' for the one of the larger median."""
    scores = np.array([[5.1, 4.0], [3.2, 3.6], [6.4, 5.0], [7.7, 6.1], [2.0, 2.3], [8.3, 6.4], [4.8, 4.6], [9.9, 9.4]])
    mistaken = stats.wilcoxon(scores[:, 0], scores[:, 1], alternative="greater").pvalue
    compare = tb.compare(table(scores), pairwise="wilcoxon")
    assert mistaken <= 0.05 < compare.omnibus.pvalue
    assert compare.omnibus.pvalue == pytest.approx(2 * mistaken) and compare.pairs[0].better is None


def test_autorank_has_twice_the_type_one_error() -> None:
    """autorank 1.3: two equal algorithms differ significantly too often at 0.05 (9.7 % of the time on 20 data sets)."""
    signs = np.array(list(itertools.product((-1, 1), repeat=10)))  # equally likely if the two are equal
    ours = np.array([tb.stats.wilcoxon(sign * np.arange(1.0, 11)).pvalue for sign in signs])
    mistaken = ours / 2  # the tail on the side that was observed
    assert (mistaken <= 0.05).mean() == pytest.approx(0.084, abs=0.0005)
    assert (ours <= 0.05).mean() == pytest.approx(0.0488, abs=0.00005)


def test_autorank_tukey_forgets_the_pairing() -> None:
    """autorank 1.3: after repeated-measures ANOVA a Tukey test for independent samples."""
    rng = np.random.default_rng(2)
    scores = rng.normal(scale=0.5, size=(12, 3)) + [0, 1, 2] + 20 * rng.normal(size=(12, 1))
    compare = tb.compare(table(scores), omnibus="rm-anova", posthoc="tukey")
    mistaken = stats.tukey_hsd(*scores.T).pvalue[np.triu_indices(3, 1)]
    assert mistaken.min() > 0.9 and compare.tests.adjusted.max() < 0.05
    assert len(different(compare)) == 3
    # by hand: the error mean square after data sets and algorithms are taken out
    rest = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    q = np.ptp(scores.mean(axis=0)) / sqrt((rest**2).sum() / 22 / 12)
    assert compare.tests.adjusted.min() == pytest.approx(stats.studentized_range.sf(q, 3, 22), rel=1e-6)


def test_autorank_gives_no_p_value_of_a_pair(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """autorank 1.3: a critical difference, but for no pair a statistic, a p-value or an adjusted p-value."""
    file = tmp_path / "scores.csv"
    file.write_text("dataset,a,b,c\n" + "".join(f"d{i},0.{90 - i},0.{80 - i},0.{60 + i % 7}\n" for i in range(9)))
    assert main(["compare", str(file), "--score", "accuracy", "--pairwise", "ranks", "--json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    assert [(pair["a"], pair["b"]) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    for pair in pairs:  # mean ranks 1, 2, 3 of three algorithms on nine data sets
        z = -sqrt(4.5) * (1 if pair["b"] != "c" or pair["a"] == "b" else 2)
        assert pair["statistic"] == pytest.approx(z)
        assert pair["pvalue"] == pytest.approx(2 * special.ndtr(z))
        assert pair["pvalue"] <= pair["adjusted"] <= 1


@pytest.mark.parametrize(("score", "best"), [("accuracy", "high"), ("error", "low")])
def test_autorank_lists_the_worst_first(score: str, best: str) -> None:
    """autorank 1.3: the first row of its table is the worst algorithm where higher is better."""
    scores = np.arange(10)[:, None] + np.array([[1.0, 0.0, 2.0]])
    compare = tb.compare(table(scores, "middle", "low", "high", score=score))
    mistaken = sorted(zip(scores.mean(axis=0), ["middle", "low", "high"], strict=True))[0][1]
    assert mistaken == "low"
    assert compare.algorithms[0] == best == compare.rows()[0]["algorithm"]
    assert compare.pairs[0].better == best and f"{best} is significantly better than" in str(compare.document())


# ---- scmamp


def test_scmamp_wilcoxon_has_one_tail() -> None:
    """scmamp 0.3.2: wilcoxonSignedTest takes T, the smaller rank sum, and reports Phi(z): never above one half."""
    a, b = np.random.default_rng(3).normal(size=(2, 30))
    ranks = stats.rankdata(np.abs(a - b))
    smaller = min(ranks[a > b].sum(), ranks[a < b].sum())
    mistaken = special.ndtr((smaller - 30 * 31 / 4) / sqrt(30 * 31 * 61 / 24))
    assert tb.stats.wilcoxon(a, b, method="asymptotic").pvalue == pytest.approx(2 * mistaken)
    balanced = [1.0, -1.0, 2.0, -2.0]
    assert tb.stats.wilcoxon(balanced).pvalue == tb.stats.wilcoxon(balanced, method="asymptotic").pvalue == 1


def test_scmamp_ranks_a_missing_score_worst_in_silence() -> None:
    """scmamp 0.3.2: NA is given the worst rank on its data set, and nothing says so."""
    scores = np.array([[3.0, 2, 1], [2, 3, 1], [3, 2, 1], [NAN, 3, 1], [3, 2, 1], [NAN, 3, 1], [3, 1, 2], [NAN, 2, 1]])
    mistaken = tb.stats.friedman(np.nan_to_num(scores, nan=-1), higher_is_better=True)
    results = table(scores, "a", "b", "c")
    with pytest.raises(tb.MissingScores, match="3 gaps in all"):
        tb.compare(results)
    observed = tb.compare(results, missing="skillings-mack")
    assert mistaken.mean_ranks.argmin() == 1 and observed.algorithms[0] == "a"
    assert observed.omnibus.pvalue != pytest.approx(mistaken.pvalue, rel=0.01)
    compare = tb.compare(results, missing="worst-rank")
    assert compare.omnibus.pvalue == pytest.approx(mistaken.pvalue)
    assert any("ranked worst on their data sets" in caveat for caveat in compare.caveats)


def test_scmamp_nemenyi_has_finite_degrees_of_freedom() -> None:
    """scmamp 0.3.2: getNemenyiCD takes the studentized range with k (S - 1) degrees of freedom."""
    error = sqrt(4 * 5 / (6 * 14))
    mistaken = stats.studentized_range.ppf(0.95, 4, 4 * 13) / sqrt(2) * error
    ours = tb.stats.nemenyi_cd(n_algorithms=4, n_datasets=14)
    assert ours == pytest.approx(stats.studentized_range.ppf(0.95, 4, np.inf) / sqrt(2) * error, rel=1e-6)
    assert ours == pytest.approx(1.25, abs=0.005)  # Demsar (2006), section 3.2.4
    assert mistaken > 1.295
    p = tb.stats.nemenyi([[1, 2, 3, 4]] * 5).adjusted
    assert p[0] == pytest.approx(stats.studentized_range.sf(sqrt(2) / sqrt(4 * 5 / 30), 4, np.inf), rel=1e-6)


@every("posthoc", [m.name for m in of_kind("posthoc", "correction", verb="compare") if m.control != "always"])
def test_scmamp_all_pairs_crashes_at_two_algorithms(posthoc: str) -> None:
    """scmamp 0.3.2: the corrections for all pairs stop with an R error where there is one pair."""
    scores = np.column_stack([DEMSAR_C45, DEMSAR_C45M])
    compare = tb.compare(table(scores, "C4.5", "C4.5+m"), posthoc=posthoc)
    assert len(compare.pairs) == 1
    assert compare.pairs[0].adjusted == pytest.approx(compare.pairs[0].pvalue, rel=1e-6)


def test_scmamp_stops_bergmann_hommel_at_nine() -> None:
    """scmamp 0.3.2: exhaustive sets only up to 9 algorithms."""
    rng = np.random.default_rng(4)
    for count, exact in ((10, True), (12, True), (40, False)):
        scores = rng.normal(size=(30, count)) + np.linspace(0, 2, count)
        raw = tb.stats.rank_tests(scores, adjust="none").pvalue
        adjusted = tb.stats.rank_tests(scores, adjust="bergmann-hommel").adjusted
        if exact:  # by another way, that knows nothing of ranks
            assert adjusted == pytest.approx(tb.stats.bergmann_hommel(raw), rel=1e-9)
        sharp = tb.stats.shaffer(raw)
        assert (adjusted <= sharp * (1 + 1e-9)).all() and (adjusted < 0.9 * sharp).any()
    with pytest.raises(tb.TiebreakError, match="shaffer"):
        tb.stats.bergmann_hommel(rng.random(comb(15, 2)))


# ---- aeon and the multi-comparison matrix


def test_aeon_nemenyi_takes_the_quantile_of_one_algorithm_more() -> None:
    """aeon 1.6: the list of quantiles starts at one algorithm but is indexed by k, so that k + 1 is read."""
    rows = [[1, 2, 3]] * 6 + [[2, 1, 3], [3, 2, 1], [2, 1, 3], [3, 1, 2]]
    error = sqrt(3 * 4 / (6 * 10))
    mistaken = stats.studentized_range.ppf(0.95, 4, np.inf) / sqrt(2) * error
    compare = tb.compare(table(rows, "a", "b", "c", score="error"), posthoc="nemenyi")
    assert compare.critical_difference == pytest.approx(2.343 * error, abs=0.0005)  # Demsar (2006), Table 5
    apart = compare.mean_ranks[2] - compare.mean_ranks[0]
    assert compare.critical_difference < apart < mistaken and apart == pytest.approx(1.1)
    assert different(compare) == {frozenset("ac")}


def test_aeon_calls_alpha_by_k_less_one_holm() -> None:
    """aeon 1.6: correction='holm' compares all k (k - 1) / 2 p-values with alpha / (k - 1)."""
    compare = tb.compare(table(uneven()), pairwise="wilcoxon", posthoc="holm")
    p, ours = compare.tests.pvalue, compare.tests.adjusted <= 0.05
    mistaken = p <= 0.05 / 3
    assert (mistaken & ~ours).any() and not (ours & ~mistaken).any()
    steps = 6 - np.arange(6)
    expected = np.empty(6)
    expected[np.argsort(p)] = np.minimum(np.maximum.accumulate(np.sort(p) * steps), 1)
    assert compare.tests.adjusted == pytest.approx(expected)


def test_mcm_holm_never_stops() -> None:
    """Multi-comparison matrix (aeon 1.6 has it too): each p has its own threshold, whatever became of smaller ones."""
    p = np.array([0.04, 0.001, 0.026])
    mistaken = p < 0.05 / np.array([1, 3, 2])
    assert mistaken.tolist() == [True, True, False]  # the largest is significant, the middle one is not
    assert tb.stats.holm(p) == pytest.approx([0.052, 0.003, 0.052])
    assert (tb.stats.holm(p) <= 0.05).tolist() == [False, True, False]


# ---- critdd and cd-diagram


@pytest.mark.parametrize("zeros", ["split", "drop", "pratt"])
def test_critdd_tells_an_algorithm_from_its_own_copy(zeros: str) -> None:
    """critdd 0.0.5: the exact Wilcoxon test of 12 differences of zero has T = 0 and p = 2 / 2^12 = 0.0005."""
    rng = np.random.default_rng(6)
    scores = rng.normal(size=(12, 2))
    copied = scores[:, [0, 1, 0]]
    mistaken = 2 * 0.5**12
    assert mistaken < 0.0005
    assert tb.stats.wilcoxon(scores[:, 0], scores[:, 0], zeros=zeros).pvalue == 1
    assert tb.stats.wilcoxon_pairs(copied, zeros=zeros).pvalue[1] == 1
    compare = tb.compare(table(copied, "a", "b", "copy"), omnibus="none", pairwise="wilcoxon", posthoc="holm")
    pair = next(pair for pair in compare.pairs if {pair.a, pair.b} == {"a", "copy"})
    assert (pair.pvalue, pair.adjusted, pair.better) == (1, 1, None)


def test_critdd_bars_join_pairs_that_differ() -> None:
    """critdd 0.0.5: a group is widened to all algorithms whose mean rank lies between those of its members."""
    compare = tb.compare(table(uneven()), pairwise="wilcoxon", posthoc="holm")
    apart = different(compare)
    place = {name: i for i, name in enumerate(compare.algorithms)}
    mistaken = [compare.algorithms[place[group[0]] : place[group[-1]] + 1] for group in compare.groups]
    assert any(frozenset(pair) in apart for group in mistaken for pair in itertools.combinations(group, 2))
    for group in compare.groups:
        assert not any(frozenset(pair) in apart for pair in itertools.combinations(group, 2))


def test_cd_diagram_pairs_rows_by_their_place_in_the_file(tmp_path: Path) -> None:
    """cd-diagram (1b48b4b): the scores of two classifiers are paired in file order, not by data set."""
    rng = np.random.default_rng(7)
    base = rng.normal(size=10)
    scores = {"a": base, "b": base + 0.1 * rng.random(10) + 0.01}
    lines = [f"a,d{i},{scores['a'][i]:.4f}" for i in range(10)] + [
        f"b,d{i},{scores['b'][i]:.4f}" for i in range(10)[::-1]
    ]
    file = tmp_path / "results.csv"
    file.write_text("\n".join(["classifier_name,dataset_name,accuracy", *lines]))
    results = tb.read(str(file), columns={"algorithm": "classifier_name", "dataset": "dataset_name"}, plain=True)
    compare = tb.compare(results, pairwise="wilcoxon")
    mistaken = stats.wilcoxon(scores["a"], scores["b"][::-1], zero_method="pratt").pvalue
    assert mistaken > 0.5
    assert compare.omnibus.pvalue == pytest.approx(2 / 2**10) and compare.pairs[0].better == "b"


# ---- corrections and the sign test


def test_statds_hochberg_takes_the_largest() -> None:
    """StaTDS 1.1.6: Hochberg's adjusted p is the maximum of (m + 1 - j) p_j over j >= i instead of the minimum."""
    p = np.array([0.01, 0.02, 0.03, 0.04])
    mistaken = np.maximum.accumulate((p * [4, 3, 2, 1])[::-1])[::-1]
    assert mistaken == pytest.approx([0.06, 0.06, 0.06, 0.04])
    assert tb.stats.hochberg(p) == pytest.approx([0.04] * 4)
    assert (tb.stats.hochberg(p) <= tb.stats.holm(p) + 1e-15).all()  # it never rejects less than Holm


@pytest.mark.parametrize(("wins", "losses"), [(9, 1), (8, 2), (12, 3), (6, 0)])
def test_stac_and_jmetalpy_sign_test_leaves_out_the_observed_count(wins: int, losses: int) -> None:
    """STAC (a123815) and jMetalPy: p = 2 P(X > wins) instead of 2 P(X >= wins); zero if all are won."""
    count = wins + losses
    mistaken = 2 * (1 - stats.binom.cdf(wins, count, 0.5))
    ours = tb.stats.sign_test([1.0] * wins + [-1.0] * losses).pvalue
    assert ours == pytest.approx(2 * sum(comb(count, k) for k in range(wins, count + 1)) / 2**count)
    assert ours == pytest.approx(stats.binomtest(wins, count).pvalue)
    assert mistaken < ours / 2
    scores = np.column_stack([np.r_[np.ones(wins), np.zeros(losses)], np.r_[np.zeros(wins), np.ones(losses)]])
    assert tb.compare(table(scores), pairwise="sign").omnibus.pvalue == pytest.approx(ours)


def test_keel_stops_bergmann_hommel_at_eight() -> None:
    """KEEL: Bergmann and Hommel's procedure only up to 8 algorithms; here 9, against all 21,147 partitions."""
    scores = np.random.default_rng(8).normal(size=(25, 9)) + np.linspace(0, 1.5, 9)
    compare = tb.compare(table(scores), posthoc="bergmann-hommel", omnibus="friedman")
    p, inside = compare.tests.pvalue, partitions(9)
    value = inside.sum(axis=1) * np.where(inside, p, 2.0).min(axis=1)
    assert inside.shape == (21_147, 36)
    expected = np.minimum(np.where(inside, value[:, None], 0.0).max(axis=0), 1)
    assert compare.tests.adjusted == pytest.approx(expected, rel=1e-9)


def test_mlxtend_refits_models() -> None:
    """mlxtend: its 5x2 cv tests fit the models anew and take no stored scores; ours take nothing else."""
    cube = tb.published.ulas2012().cube("accuracy")
    folds = cube.reshape(len(cube), cube.shape[1], 5, 2)
    result = tb.stats.fold_pairs(folds)
    d = folds[3, 0] - folds[3, 4]
    f = (d**2).sum() / (2 * ((d - d.mean(axis=1, keepdims=True)) ** 2).sum())
    k = int(np.flatnonzero((result.a == 0) & (result.b == 4))[0])
    assert result.statistic[3, k] == pytest.approx(f) == tb.stats.five_by_two_f(folds[3, 0], folds[3, 4]).statistic
    assert result.pvalue[3, k] == pytest.approx(stats.f.sf(f, 10, 5))
    assert result.pvalue.shape == (38, 28) and (tb.stats.fold_pairs(folds).pvalue == result.pvalue).all()


# ---- several measures


def test_pingouin_counts_dependent_measures_as_dimensions() -> None:
    """pingouin 0.7: a measure that is the sum of the others adds a degree of freedom: p = .9225, where .8088 is right.

    Its T2 is right (it takes a pseudo-inverse), but F has the number of columns where the rank belongs.
    """
    a = "737 788 973 151 941 165 525 718 539 589 545 151"
    b = "275 994 571 623 818 795 498 427 918 735 711 698"
    a, b = (np.array([list(row) for row in text.split()], dtype=float) for text in (a, b))
    d = np.column_stack([a - b, (a - b).sum(axis=1)])
    n, p = d.shape
    t2 = n * d.mean(axis=0) @ np.linalg.pinv(np.cov(d.T)) @ d.mean(axis=0)
    mistaken, right = (stats.f.sf((n - k) / (k * (n - 1)) * t2, k, n - k) for k in (p, p - 1))
    assert (mistaken, right) == (pytest.approx(0.9225, abs=1e-4), pytest.approx(0.8088, abs=1e-4))
    cells = [("d", name, k, *row, sum(row)) for name, x in (("a", a), ("b", b)) for k, row in enumerate(x.tolist())]
    names = ("dataset", "algorithm", "fold", "x", "y", "z", "sum")
    results = tb.Results.from_dict(
        {name: list(column) for name, column in zip(names, zip(*cells, strict=True), strict=True)}
    )
    options = {"higher_is_better": True, "test": "normal", "resampling_correction": "none"}
    multivariate = tb.multivariate(results, scores=["x", "y", "z", "sum"], **options)  # type: ignore[arg-type]
    assert (multivariate.omnibus.pvalue, multivariate.omnibus.df) == (pytest.approx(right, rel=1e-9), (3.0, 9.0))


# ---- what their users ask for


@pytest.mark.parametrize(
    ("policy", "datasets", "algorithms", "words"),
    [
        ("drop-datasets", 11, 4, "1 data set(s) with gaps were dropped; 11 remain."),
        ("drop-algorithms", 12, 3, "Algorithms with gaps were dropped: b."),
        ("worst-rank", 12, 4, "ranked worst on their data sets, as failures."),
        ("skillings-mack", 12, 4, "Gaps are left to the Skillings-Mack test."),
    ],
)
def test_missing_results(policy: str, datasets: int, algorithms: int, words: str) -> None:
    """Asked for in autorank #45 and #49, automlbenchmark #582."""
    scores = uneven()
    scores[2, 1] = NAN
    compare = tb.compare(table(scores, "a", "b", "c", "d"), missing=policy)
    assert (len(compare.datasets), len(compare.algorithms)) == (datasets, algorithms)
    assert 0 < compare.omnibus.pvalue <= 1 and words in str(compare.document())


def test_groups_are_all_maximal_cliques() -> None:
    """Asked for in scikit-posthocs #82, #86 and #91, autorank #10, aeon #3098."""
    rng = np.random.default_rng(9)
    compare = tb.compare(table(rng.normal(size=(15, 7)) + np.linspace(0, 2.5, 7)), posthoc="holm")
    apart, names = different(compare), compare.algorithms
    alike = [
        set(group)
        for size in range(1, 8)
        for group in itertools.combinations(names, size)
        if not any(frozenset(pair) in apart for pair in itertools.combinations(group, 2))
    ]
    maximal = [group for group in alike if not any(group < other for other in alike)]
    assert len(maximal) > 1
    assert sorted(map(sorted, maximal)) == sorted(map(sorted, compare.groups))


def test_direction_of_better() -> None:
    """Asked for in mlr3benchmark #29 and autorank #46: known by name or told, never guessed."""
    scores = uneven()
    names = ("a", "b", "c", "d")
    with pytest.raises(tb.OptionError, match="higher"):
        tb.compare(table(scores, *names, score="points"))
    up = tb.compare(table(scores, *names, score="points"), higher_is_better=True, pairwise="wilcoxon", posthoc="holm")
    down = tb.compare(table(-scores, *names, score="error"), pairwise="wilcoxon", posthoc="holm")
    assert up.algorithms == down.algorithms == tb.compare(table(scores, *names)).algorithms
    assert [(pair.better, pair.adjusted) for pair in up.pairs] == [(pair.better, pair.adjusted) for pair in down.pairs]
    wrong = tb.compare(table(scores, *names, score="points"), higher_is_better=False)
    assert wrong.mean_ranks[::-1] == pytest.approx(5 - up.mean_ranks)


def test_statistics_beside_p_values() -> None:
    """Asked for in scikit-posthocs #41, where only the matrix of p-values comes back."""
    scores = uneven()
    wilcoxon = tb.stats.wilcoxon_pairs(scores)
    ranks = stats.rankdata(np.abs(scores[:, 0] - scores[:, 1]))
    plus = ranks[scores[:, 0] > scores[:, 1]].sum()
    assert (wilcoxon.r_plus[0], wilcoxon.r_minus[0]) == (plus, 78 - plus)
    for result in (wilcoxon, tb.stats.nemenyi(scores), tb.stats.conover_pairs(scores), tb.stats.sign_pairs(scores)):
        assert set(result.rows()[0]) >= {"a", "b", "statistic", "pvalue", "adjusted"}


def test_nadeau_bengio() -> None:
    """Asked for in mlxtend #376: the t test that allows for overlapping training parts, ten times ten folds."""
    rng = np.random.default_rng(10)
    a, b = rng.normal(0.80, 0.03, size=(2, 100))
    b += 0.012
    d = a - b
    t = d.mean() / sqrt((1 / 100 + 1 / 9) * d.var(ddof=1))
    ours = tb.stats.corrected_resampled_t(a, b, test_share=0.1)
    assert (ours.statistic, ours.df) == (pytest.approx(t), (99,))
    assert ours.pvalue == pytest.approx(2 * stats.t.sf(abs(t), 99))
    naive = stats.ttest_rel(a, b).pvalue
    assert naive < 0.05 < ours.pvalue


def test_ties_in_wilcoxon() -> None:
    """Asked for in scipy #10223: exact with ties and zeros, by all signs; and ties that rounding noise hides."""
    d = np.array([1.0, 1, 1, -1, 2, 2, 3, 3, 4, 0])
    ranks = stats.rankdata(np.abs(d[:-1]))
    signs = np.array(list(itertools.product((0, 1), repeat=9)))
    sums, seen = signs @ ranks, ranks[d[:-1] > 0].sum()
    expected = (np.abs(sums - 22.5) >= abs(seen - 22.5)).mean()
    ours = tb.stats.wilcoxon(d, zeros="drop")
    assert ours.exact and ours.pvalue == pytest.approx(expected)
    assert ours.pvalue != pytest.approx(tb.stats.wilcoxon(d, zeros="drop", method="asymptotic").pvalue, rel=0.01)
    a = np.array([0.3, 0.4, 0.9, 0.3, 0.7, 0.6])
    b = np.array([0.2, 0.3, 0.8, 0.4, 0.6, 0.5])  # all differences are 0.1 on paper
    noisy = stats.rankdata(np.abs(a - b))
    assert len(set(noisy)) > 1
    assert (tb.stats.wilcoxon(a, b).r_plus, tb.stats.wilcoxon(a, b).r_minus) in ((3.5, 17.5), (17.5, 3.5))
