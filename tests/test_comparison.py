from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tiebreak import Results, compare, published
from tiebreak.comparison.groups import maximal_cliques
from tiebreak.errors import InputError, MissingScores, OptionError

NAN = float("nan")


def table(scores: object, algorithms: list[str] | None = None) -> Results:
    return Results.from_array(np.asarray(scores, dtype=float), score="accuracy", algorithms=algorithms)


def random_table(seed: int, datasets: int = 20, algorithms: int = 5, effect: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(datasets, algorithms)) - effect * np.arange(algorithms)


# ---- published numbers


def test_demsar_at_both_levels() -> None:
    ranks = published.demsar2006_ranks()
    strict = compare(ranks, tie_correction=False, posthoc="nemenyi")
    assert strict.omnibus.statistic == pytest.approx(3.69, abs=5e-3)
    assert strict.critical_difference == pytest.approx(1.25, abs=5e-3)
    assert strict.rejected and strict.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"),)
    loose = compare(ranks, tie_correction=False, alpha=0.10, posthoc="nemenyi")
    assert loose.critical_difference == pytest.approx(1.12, abs=5e-3)
    assert loose.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))
    control = compare(ranks, control="C4.5", tie_correction=False, posthoc="bonferroni-dunn")
    assert control.critical_difference == pytest.approx(1.17, abs=5e-3)
    assert control.groups == (("C4.5+m", "C4.5+cf", "C4.5"),)
    holm = compare(ranks, control="C4.5", pairwise="ranks", posthoc="holm", tie_correction=False)
    assert [pair.b for pair in holm.pairs if pair.better] == ["C4.5+m+cf", "C4.5+m"]


def test_demsars_post_hoc_tests_decide_as_printed_from_the_rounded_table() -> None:
    """Demsar 2006, section 3.2.2: Nemenyi at 0.05 detects nothing, Bonferroni-Dunn only C4.5+m+cf."""
    results = published.demsar2006()
    pairs = compare(results, score="auc", posthoc="nemenyi")
    assert pairs.critical_difference == pytest.approx(1.25, abs=5e-3)
    assert not pairs.significant.any()
    loose = compare(results, score="auc", posthoc="nemenyi", alpha=0.10)
    assert loose.critical_difference == pytest.approx(1.12, abs=5e-3)
    assert {pair.better for pair in loose.pairs if pair.better} == {"C4.5+m", "C4.5+m+cf"}
    control = compare(results, score="auc", posthoc="bonferroni-dunn", control="C4.5")
    assert control.critical_difference == pytest.approx(1.17, abs=5e-3)
    assert [pair.better for pair in control.pairs if pair.better] == ["C4.5+m+cf"]
    assert any("not corrected for ties" in sentence for sentence in control.plan.path)
    corrected = compare(results, score="auc", posthoc="bonferroni-dunn", control="C4.5", tie_correction=True)
    assert [pair.better for pair in corrected.pairs if pair.better] == ["C4.5+m+cf", "C4.5+m"]


def test_the_ranks_of_the_eight_algorithms_and_their_nemenyi_matrix() -> None:
    """Technical report FBE/CMPE-01/2008-04: average MultiTest ranks with training time, Nemenyi at 0.05."""
    result = compare(published.ulas2012_ranks(), posthoc="nemenyi")
    means = dict(zip(result.algorithms, result.mean_ranks.round(2), strict=True))
    assert means == {
        "5nn": 3.21, "lnp": 3.39, "c45": 3.66, "mlp": 4.53, "svr": 5.00, "svl": 5.05, "mdt": 5.21, "sv2": 5.95
    }  # fmt: skip
    # CD = 3.031 sqrt(8 * 9 / (6 * 38)) = 1.703; the pairs farther apart than that:
    better = {(pair.better, pair.b if pair.better == pair.a else pair.a) for pair in result.pairs if pair.better}
    assert result.critical_difference == pytest.approx(1.7032, abs=5e-5)
    assert better == {
        ("5nn", "svr"), ("5nn", "svl"), ("5nn", "mdt"), ("5nn", "sv2"), ("lnp", "mdt"), ("lnp", "sv2"), ("c45", "sv2")
    }  # fmt: skip


def test_the_demo_table() -> None:
    """The same ten pairs by Holm, Shaffer, and Bergmann and Hommel; sv2 varies too much to be told from svl."""
    result = compare(published.ulas2012(), score="accuracy")
    assert result.groups == (("svr", "svl"), ("svl", "mlp", "sv2"), ("mlp", "lnp", "sv2", "5nn", "c45", "mdt"))
    for posthoc in ("holm", "shaffer", "bergmann-hommel"):
        other = compare(published.ulas2012(), score="accuracy", posthoc=posthoc)
        assert int(other.significant.sum()) == 10 and other.groups == result.groups
    by_ranks = compare(published.ulas2012(), score="accuracy", pairwise="ranks", posthoc="bergmann-hommel")
    assert by_ranks.groups == (("svr", "svl"), ("svl", "mlp"), ("mlp", "lnp", "sv2", "5nn", "c45", "mdt"))


# ---- degenerate tables, each with its documented answer


def test_one_nan_is_refused_with_its_cell() -> None:
    scores = random_table(1)
    scores[3, 2] = NAN
    with pytest.raises(MissingScores) as caught:
        compare(table(scores), missing="refuse")
    assert str(caught.value) == (
        "'algorithm 3' has no accuracy on data set 'data set 4' (1 gap in all). Drop those data sets with"
        " `results.complete()` or those algorithms with `results.without(...)`, or name a policy:"
        " missing='drop-datasets', 'drop-algorithms', 'worst-rank' or 'skillings-mack'."
    )


def test_many_gaps_are_counted() -> None:
    scores = random_table(1, datasets=10)
    scores[:8, 0] = NAN
    with pytest.raises(MissingScores, match=r"\(8 gaps in all\)\. Also: .* and 5 more\."):
        compare(table(scores))


def test_an_algorithm_against_its_own_copy() -> None:
    scores = random_table(2, effect=1.0)
    result = compare(table(np.column_stack([scores, scores[:, 0]]), ["a", "b", "c", "d", "e", "a again"]))
    pair = next(p for p in result.pairs if {p.a, p.b} == {"a", "a again"})
    assert (pair.statistic, pair.pvalue, pair.adjusted, pair.better) == (0.0, 1.0, 1.0, None)
    assert all(("a" in group) == ("a again" in group) for group in result.groups)


def test_two_algorithms() -> None:
    result = compare(table([[0.9, 0.5]] * 9 + [[0.5, 0.9]], ["good", "bad"]))
    assert result.pairs[0].better == "good"
    assert result.groups == (("good",), ("bad",))
    assert result.plan.pairwise == "wilcoxon"
    assert "good is significantly better than bad." in str(result.document())
    on_ranks = compare(table([[0.9, 0.5]] * 9 + [[0.5, 0.9]], ["good", "bad"]), pairwise="ranks")
    assert any("Two algorithms" in caveat for caveat in on_ranks.caveats)


def test_perfect_agreement() -> None:
    result = compare(table([[0.9, 0.8, 0.7]] * 12, ["a", "b", "c"]))
    assert result.omnibus.statistic == float("inf")
    assert result.omnibus.pvalue == pytest.approx(6.0**-11)
    assert result.to_dict()["omnibus"]["statistic"] is None
    assert not any("rough" in caveat for caveat in result.omnibus.caveats)
    assert result.algorithms == ("a", "b", "c")


def test_all_ties() -> None:
    result = compare(table(np.full((12, 3), 0.5), ["c", "b", "a"]))
    assert not result.rejected and result.omnibus.pvalue == 1.0
    assert result.algorithms == ("a", "b", "c")
    assert result.groups == (("a", "b", "c"),)


def test_ties_are_ties_despite_binary_noise() -> None:
    folds = np.array([[[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.2, 0.2]]] * 12)
    result = compare(Results.from_array(folds, score="accuracy"))
    assert result.mean_ranks.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([[0.5, 0.6]], "There is one score for each algorithm, on one data set"),
        ([[0.5], [0.6]], "There are 1 algorithm(s) to compare."),
    ],
)
def test_too_little(scores: list[list[float]], words: str) -> None:
    with pytest.raises(InputError) as caught:
        compare(table(scores))
    assert str(caught.value).startswith(words)


# ---- policies for gaps


@pytest.fixture
def with_gaps() -> Results:
    scores = random_table(7, datasets=30, algorithms=4, effect=0.8)
    scores[0, 1] = scores[1, 3] = NAN
    return table(scores, ["a", "b", "c", "d"])


def test_drop_datasets(with_gaps: Results) -> None:
    result = compare(with_gaps, missing="drop-datasets")
    assert len(result.datasets) == 28
    assert "2 data set(s) with gaps were dropped; 28 remain." in result.caveats


def test_drop_algorithms(with_gaps: Results) -> None:
    result = compare(with_gaps, missing="drop-algorithms")
    assert set(result.algorithms) == {"a", "c"}
    assert "Algorithms with gaps were dropped: b, d." in result.caveats


def test_worst_rank(with_gaps: Results) -> None:
    result = compare(with_gaps, missing="worst-rank")
    filled = with_gaps.means("accuracy").copy()
    filled[np.isnan(filled)] = -1e9
    assert result.mean_ranks.tolist() == compare(table(filled, ["a", "b", "c", "d"])).mean_ranks.tolist()
    assert "2 cell(s) with gaps were ranked worst on their data sets, as failures." in result.caveats


def test_skillings_mack(with_gaps: Results) -> None:
    by_policy = compare(with_gaps, missing="skillings-mack")
    by_test = compare(with_gaps, omnibus="skillings-mack")
    assert by_policy.omnibus.method.startswith("Skillings-Mack test")
    assert by_policy.to_dict() == by_test.to_dict()
    assert by_policy.algorithms[0] == "a"
    assert any("assumes that a gap says nothing" in caveat for caveat in by_policy.caveats)


def test_drop_folds() -> None:
    folds = np.random.default_rng(3).random((15, 3, 4))
    folds[2, 1, 0] = NAN
    result = compare(Results.from_array(folds, score="accuracy"), missing="drop-folds")
    place = list(result.algorithms).index("algorithm 1")
    assert result.scores[list(result.datasets).index("data set 3"), place] == pytest.approx(folds[2, 0, 1:].mean())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"missing": "ignore"}, "There is no policy for missing scores 'ignore'."),
        ({"omnibus": "anova"}, "There is no omnibus test 'anova'."),
        ({"pairwise": "z"}, "There is no pairwise test 'z'."),
        (
            {"omnibus": "quade", "posthoc": "nemenyi"},
            "The post hoc test nemenyi does not go with the omnibus test quade.",
        ),
        ({"pairwise": "sign", "posthoc": "tukey"}, "The post hoc test tukey takes no pairwise test."),
        (
            {"omnibus": "quade", "pairwise": "conover"},
            "The pairwise test conover does not go with the omnibus test quade.",
        ),
        ({"omnibus": "rm-anova", "pairwise": "ranks"}, "The pairwise test ranks does not go with the omnibus test"),
        (
            {"missing": "worst-rank", "pairwise": "wilcoxon"},
            "The policy worst-rank does not go with the test wilcoxon.",
        ),
        ({"control": "a", "posthoc": "shaffer"}, "The post hoc test shaffer compares all pairs and takes no control."),
        ({"posthoc": "tuckey"}, "There is no post hoc test 'tuckey'."),
        ({"posthoc": "nemenyi", "control": "a"}, "The post hoc test nemenyi compares all pairs and takes no control."),
        ({"posthoc": "bonferroni-dunn"}, "The post hoc test bonferroni-dunn needs a control."),
        ({"omnibus": "skillings-mack", "posthoc": "nemenyi"}, "The post hoc test nemenyi does not go with"),
        ({"omnibus": "friedman", "missing": "skillings-mack"}, "The policy skillings-mack does not go with"),
        ({"control": "z", "missing": "worst-rank"}, "There is no algorithm (for the control) 'z'."),
        ({"alpha": 1.5}, "alpha is 1.5. It must be above 0 and below 1."),
        ({"alpha": "x"}, "alpha is 'x'."),
        ({"score": "auc"}, "There is no score 'auc'."),
        ({"higher_is_better": False}, "'accuracy' was said to be better when lower."),
    ],
)
def test_choices_that_mean_nothing(with_gaps: Results, options: dict[str, object], words: str) -> None:
    with pytest.raises(OptionError) as caught:
        compare(with_gaps, **options)  # type: ignore[arg-type]
    assert str(caught.value).startswith(words)


# ---- invariances


@given(st.integers(0, 10_000))
def test_order_and_names_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = random_table(seed, datasets=12, effect=0.5).round(1)
    names = ["e", "a", "d", "b", "c"]
    base = compare(table(scores, names))
    rows, columns = rng.permutation(12), rng.permutation(5)
    moved = compare(table(scores[rows][:, columns], [names[i] for i in columns]))
    assert moved.algorithms == base.algorithms
    assert moved.groups == base.groups
    assert moved.to_dict()["pairs"] == base.to_dict()["pairs"]


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_direction_and_monotone_change(seed: int) -> None:
    scores = random_table(seed, datasets=12, effect=0.5).round(1)
    names = list("abcde")
    for options in ({"pairwise": "ranks"}, {"pairwise": "sign"}, {"posthoc": "nemenyi"}):
        base = compare(table(scores, names), **options)  # type: ignore[arg-type]
        as_loss = Results.from_array(np.exp(-scores), score="log_loss", algorithms=names)
        assert compare(as_loss, **options).to_dict()["pairs"] == base.to_dict()["pairs"]  # type: ignore[arg-type]
    turned = Results.from_array(-scores, score="error", algorithms=names)
    assert compare(turned).to_dict()["pairs"] == compare(table(scores, names)).to_dict()["pairs"]


@pytest.mark.parametrize("posthoc", ["nemenyi", "holm", "hommel", "hochberg", "bonferroni", "sidak"])
def test_pairs_are_consistent_with_their_statistic(posthoc: str) -> None:
    pairwise = None if posthoc == "nemenyi" else "ranks"
    result = compare(table(random_table(11, datasets=40, effect=0.4)), pairwise=pairwise, posthoc=posthoc)
    ranks = dict(zip(result.algorithms, result.mean_ranks, strict=True))
    for pair in result.pairs:
        assert (pair.statistic > 0) == (ranks[pair.a] > ranks[pair.b])
        assert pair.better in (None, pair.a if ranks[pair.a] < ranks[pair.b] else pair.b)
        assert pair.pvalue <= pair.adjusted <= 1


def test_no_pair_is_called_different_when_the_omnibus_test_does_not_reject() -> None:
    rng = np.random.default_rng(0)
    for _ in range(3000):
        scores = rng.normal(size=(10, 12)) + 0.8 * np.eye(12)[0]
        result = compare(table(scores), pairwise="ranks", posthoc="holm")
        if not result.rejected and (result.tests.adjusted <= 0.05).any():
            assert result.gated and result.to_dict()["omnibus"]["comes_first"]
            assert not result.significant.any()
            assert any("although" in caveat for caveat in result.caveats)
            return
    pytest.fail("no such table was drawn")


# ---- groups


def brute_force_cliques(alike: np.ndarray) -> list[list[int]]:
    n = len(alike)
    cliques = [
        set(subset)
        for size in range(1, n + 1)
        for subset in itertools.combinations(range(n), size)
        if all(alike[i, j] for i, j in itertools.combinations(subset, 2))
    ]
    return sorted(sorted(c) for c in cliques if not any(c < other for other in cliques))


@given(st.integers(1, 7), st.integers(0, 2**21 - 1))
def test_cliques_equal_brute_force(n: int, bits: int) -> None:
    alike = np.eye(n, dtype=bool)
    for number, (i, j) in enumerate(itertools.combinations(range(n), 2)):
        alike[i, j] = alike[j, i] = bool(bits >> number & 1)
    assert maximal_cliques(alike) == (brute_force_cliques(alike), True)


def test_too_many_groups_are_cut_with_a_word() -> None:
    n = 30  # the complement of ten triangles has 3 ** 10 maximal cliques
    alike = np.ones((n, n), dtype=bool)
    for start in range(0, n, 3):
        alike[start : start + 3, start : start + 3] = np.eye(3, dtype=bool)
    result, complete = maximal_cliques(alike, limit=100)
    assert len(result) == 100 and not complete


def test_gaps_are_counted_by_cells_and_folds() -> None:
    folds = np.random.default_rng(3).random((15, 3, 4))
    folds[2, 1, 0] = folds[2, 1, 1] = NAN
    folds[5, 0] = NAN
    results = Results.from_array(folds, score="accuracy")
    worst = compare(results, missing="worst-rank")
    text = "2 cell(s) with gaps (1 of them lack only some folds) were ranked worst on their data sets, as failures."
    assert text in worst.caveats


def test_skillings_mack_counts_only_what_it_uses() -> None:
    scores = random_table(8, datasets=12, algorithms=3, effect=1.0)
    scores[0, 1:] = NAN  # one score: compares nothing
    scores[1, 2] = NAN
    result = compare(table(scores, ["a", "b", "c"]), missing="skillings-mack")
    assert len(result.datasets) == result.omnibus.n_datasets == 11
    assert any("1 data set(s) with fewer than two scores" in caveat for caveat in result.caveats)
    assert result.location_name == "implied mean rank" and (result.mean_ranks <= 3).all()
    assert "implied mean rank" in str(result.document())


def test_means_that_are_noise_about_zero_tie() -> None:
    folds = np.array([[[0.1, 0.2, -0.3], [0.0, 0.0, 0.0], [0.3, -0.2, -0.1]]] * 12)
    assert compare(Results.from_array(folds, score="r2")).mean_ranks.tolist() == [2.0, 2.0, 2.0]


# ---- words


def test_latex_names_that_look_like_options_or_formulas() -> None:
    scores = random_table(4, datasets=30, algorithms=3, effect=1.0)
    latex = compare(table(scores, ["[a]", "*b", "p = 3, alpha = 2"])).to_latex()
    assert "{}[a] &" in latex and "{}*b &" in latex
    assert "p = 3, alpha = 2 &" in latex


def test_a_p_value_below_the_smallest_number_is_not_printed_as_measured() -> None:
    rng = np.random.default_rng(0)
    scores = np.tile(np.arange(8.0), (400, 1)) + 0.01 * rng.random((400, 8))
    result = compare(table(scores), omnibus="friedman", posthoc="nemenyi")
    assert "p < 2.3e-308" in str(result.document())


def test_every_result_names_its_papers() -> None:
    result = compare(published.demsar2006())
    for output in (
        str(result.document()),
        result.to_markdown(),
        result.to_latex(),
        str(result.to_dict()["references"]),
    ):
        assert "Bergmann and Hommel" in output and "Iman and Davenport" in output


def test_what_is_no_table() -> None:
    with pytest.raises(ValueError, match="Nothing says whether a higher"):
        compare(np.eye(3))


def test_the_sentences() -> None:
    text = str(compare(published.ulas2012(), score="accuracy").document())
    assert (
        "The Friedman test (Iman-Davenport F, corrected for ties), F(7, 259) = 9.948, p = 5.3e-11, over 38 data sets:"
        " the hypothesis that all 8 algorithms are exchangeable in accuracy, each order of them as likely as any other,"
        " is rejected at alpha = 0.05."
    ) in text
    assert "no significant difference from svl" in text
    quiet = str(compare(table(random_table(0))).document())
    assert "is not rejected" in quiet and "this is not evidence that they are equal" in quiet


def test_names_cannot_break_any_output() -> None:
    nasty = r"<script>alert(1)</script> & 100%_\input{x} | $y$ 'q' " + '"z"\n# h'
    scores = random_table(4, datasets=30, algorithms=3, effect=1.0)
    result = compare(table(scores, ["a", nasty, "c"]))
    latex, markdown, html = result.to_latex(), result.to_markdown(), result._repr_html_()
    assert r"\input" not in latex.replace(r"\textbackslash{}input", "")
    assert "<script>" not in markdown and "<script>" not in html
    assert "100%" not in latex.replace(r"100\%", "")
    assert all(
        line.startswith("|")
        for line in markdown.splitlines()
        if "alert" in line and "mean rank" not in line and "By the" not in line and "The Fr" not in line
    )
    assert {p["a"] for p in result.to_dict()["pairs"]} == {"a", nasty}


def test_a_comparison_of_many_algorithms_lists_no_pairs_in_text() -> None:
    result = compare(table(random_table(5, datasets=30, algorithms=15, effect=0.3)))
    assert "105 pairs were tested; `rows()` lists them all." in str(result.document())
    assert len(result.to_dict()["pairs"]) == 105
    assert "105 pairs" in result.to_markdown() and "105 pairs" in result.to_latex()


def test_nothing_found_after_a_rejection_is_said() -> None:
    text = str(compare(published.demsar2006_ranks(), tie_correction=False, posthoc="nemenyi").document())
    assert "no pair differs significantly: the omnibus test says that the algorithms are not all alike" in text
