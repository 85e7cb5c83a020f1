"""The rules by which `compare` chooses its tests, and that every choice can be overridden."""

from __future__ import annotations

import numpy as np
import pytest

from tiebreak import Results, compare
from tiebreak.comparison import Comparison
from tiebreak.methods import choices, find
from tiebreak.stats import (
    aligned_pairs,
    anderson_darling,
    bergmann_hommel,
    conover_pairs,
    dunnett_control,
    holm,
    paired_t_pairs,
    quade_pairs,
    rank_tests,
    rm_anova,
    sign_pairs,
    tukey_pairs,
    wilcoxon_pairs,
)

from .every import every


def table(scores: np.ndarray, score: str = "accuracy") -> Results:
    names = [f"a{i:03d}" for i in range(scores.shape[1])]
    return Results.from_array(scores, score=score, algorithms=names, datasets=[f"d{i:04d}" for i in range(len(scores))])


def normal_scores(seed: int, datasets: int, algorithms: int, effect: float = 0.5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(datasets, algorithms)) + effect * np.arange(algorithms) + rng.normal(size=(datasets, 1))


def chosen(comparison: Comparison) -> tuple[str, str, str]:
    return comparison.plan.omnibus, comparison.plan.pairwise, comparison.plan.posthoc


@pytest.mark.parametrize("sets", [20, 60])
def test_pairs_are_tested_on_their_own_scores_however_many_data_sets(sets: int) -> None:
    result = compare(table(normal_scores(0, sets, 4)))
    assert chosen(result) == ("friedman", "wilcoxon", "bergmann-hommel")
    assert result.plan.path == (
        f"4 algorithms on {sets} data sets, no gaps.",
        "More than two algorithms: the Friedman test for all together, Wilcoxon signed ranks for each pair on its own"
        " scores.",
        "All pairs: Bergmann and Hommel's exact correction.",
    )
    assert all(f"- {step}" in str(result.document()) for step in result.plan.path)
    assert result.to_dict()["path"] == list(result.plan.path)


def test_what_is_not_asked_for_follows_from_what_is() -> None:
    results = table(normal_scores(0, 20, 4))
    assert chosen(compare(results, posthoc="holm")) == ("friedman", "wilcoxon", "holm")
    assert chosen(compare(results, omnibus="quade")) == ("quade", "wilcoxon", "bergmann-hommel")
    assert chosen(compare(results, pairwise="ranks")) == ("friedman", "ranks", "bergmann-hommel")
    assert chosen(compare(results, posthoc="nemenyi")) == ("friedman", "ranks", "nemenyi")
    assert chosen(compare(results, posthoc="dunn")) == ("friedman", "ranks", "dunn")
    assert chosen(compare(results, posthoc="bonferroni-dunn", control="a000"))[1] == "ranks"
    assert chosen(compare(results, posthoc="tukey")) == ("rm-anova", "paired-t", "tukey")
    assert compare(results, omnibus="quade").plan.path[1:3] == (
        "Asked for: quade.",
        "More than two algorithms: Wilcoxon signed ranks for each pair on its own scores.",
    )


def test_spherical_scores_go_from_anova_to_tukey() -> None:
    scores = normal_scores(1, 60, 4)
    result = compare(table(scores), omnibus="rm-anova")
    assert result.plan.path[-1].startswith("Mauchly's test does not reject sphericity (p = ")
    assert chosen(result) == ("rm-anova", "paired-t", "tukey")
    assert result.omnibus.pvalue == rm_anova(scores).pvalue
    assert result.algorithms[0] == "a003"  # ordered by mean score
    with_control = compare(table(scores), omnibus="rm-anova", control="a000")
    assert chosen(with_control)[2] == "dunnett"
    two = compare(table(scores[:, :2]), omnibus="rm-anova")
    assert chosen(two) == ("rm-anova", "paired-t", "none") and two.plan.sphericity == "none"


def test_means_without_sphericity_are_corrected() -> None:
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(80, 4)) * np.array([1.0, 1.0, 1.0, 8.0]) + np.array([0, 1, 2, 3.0])
    result = compare(table(scores), omnibus="rm-anova")
    assert chosen(result) == ("rm-anova", "paired-t", "bergmann-hommel")
    assert result.plan.sphericity == "greenhouse-geisser"
    assert result.omnibus.pvalue == rm_anova(scores).gg_pvalue
    few = compare(table(scores[:3]), omnibus="rm-anova")  # as many data sets as degrees of freedom: nothing to test
    assert few.plan.path[-2] == "Sphericity cannot be tested here: Greenhouse and Geisser's correction."


def test_two_algorithms() -> None:
    assert chosen(compare(table(normal_scores(3, 20, 2)))) == ("none", "wilcoxon", "none")
    assert chosen(compare(table(normal_scores(3, 50, 2)))) == ("none", "wilcoxon", "none")
    assert chosen(compare(table(normal_scores(3, 50, 2)), pairwise="paired-t")) == ("none", "paired-t", "none")


def test_many_algorithms_go_to_shaffer() -> None:
    assert chosen(compare(table(normal_scores(4, 20, 101)), pairwise="ranks"))[2] == "shaffer"
    assert chosen(compare(table(normal_scores(4, 20, 15)), pairwise="wilcoxon"))[2] == "shaffer"
    assert chosen(compare(table(normal_scores(4, 20, 14)), pairwise="wilcoxon"))[2] == "bergmann-hommel"


def test_a_control_gets_holm() -> None:
    assert chosen(compare(table(normal_scores(4, 20, 5)), control="a001")) == ("friedman", "wilcoxon", "holm")


def test_gaps_with_policies() -> None:
    scores = normal_scores(6, 50, 4)
    scores[0, 0] = np.nan
    assert chosen(compare(table(scores), missing="skillings-mack")) == ("skillings-mack", "ranks", "bergmann-hommel")
    assert chosen(compare(table(scores), missing="worst-rank")) == ("friedman", "ranks", "bergmann-hommel")
    assert chosen(compare(table(scores[:, :2]), missing="worst-rank")) == ("friedman", "ranks", "none")
    assert chosen(compare(table(scores), missing="drop-datasets"))[:2] == ("friedman", "wilcoxon")
    text = "Gaps take the worst rank, and a failed run has no score: tests on mean ranks."
    assert text in compare(table(scores), missing="worst-rank").plan.path


# ---- every choice can be asked for


@pytest.mark.parametrize("omnibus", choices("omnibus", verb="compare"))
@pytest.mark.parametrize("control", [None, "a001"])
def test_every_omnibus_test(omnibus: str, control: str | None) -> None:
    result = compare(table(normal_scores(7, 25, 5)), omnibus=omnibus, control=control)
    assert result.plan.omnibus == omnibus
    assert result.rejected and 0 < result.omnibus.pvalue <= 1e-4
    assert len(result.pairs) == (10 if control is None else 4)
    assert str(result.document()) and result.to_latex() and result.to_markdown() and result._repr_html_()


@every("posthoc", choices("posthoc", "correction", verb="compare"))
def test_every_post_hoc_test(posthoc: str) -> None:
    record = find(posthoc, "posthoc", "correction")
    control = "a001" if record.control == "always" else None
    result = compare(table(normal_scores(8, 25, 5)), posthoc=posthoc, control=control)
    assert result.plan.posthoc == posthoc
    assert result.plan.omnibus == (record.follows or ("friedman",))[0]
    for pair in result.pairs:
        assert 0 < pair.pvalue <= 1 and 0 < pair.adjusted <= 1
        assert pair.better in (None, pair.a, pair.b)
    if record.control != "never":
        against = compare(table(normal_scores(8, 25, 5)), posthoc=posthoc, control="a001")
        assert {pair.a for pair in against.pairs} == {"a001"}


@every("pairwise", choices("pairs", verb="compare"))
@every("control", [None, "a002"])
def test_every_pairwise_test_points_to_the_better_one(pairwise: str, control: str | None) -> None:
    scores = normal_scores(9, 40, 4, effect=1.5)
    if pairwise == "significant-wins":  # five times two folds that lie close together
        scores = scores[:, :, None, None] + np.random.default_rng(9).normal(0, 0.1, size=(40, 4, 5, 2))
    result = compare(table(scores), pairwise=pairwise, control=control)
    for pair in result.pairs:
        assert pair.better == max(pair.a, pair.b)  # a later name is better by construction
    as_error = compare(table(-scores, "error"), pairwise=pairwise, control=control)
    assert as_error.to_dict()["pairs"] == result.to_dict()["pairs"]


def by_name(comparison: Comparison) -> dict[frozenset[str], float]:
    return {frozenset((pair.a, pair.b)): pair.adjusted for pair in comparison.pairs}


@every(
    ("options", "expected"),
    [
        ({"pairwise": "wilcoxon", "posthoc": "holm"}, lambda e: holm(wilcoxon_pairs(e).pvalue)),
        ({"pairwise": "wilcoxon"}, lambda e: bergmann_hommel(wilcoxon_pairs(e).pvalue)),
        ({"pairwise": "paired-t", "posthoc": "holm"}, lambda e: holm(paired_t_pairs(e).pvalue)),
        ({}, lambda e: bergmann_hommel(wilcoxon_pairs(e).pvalue)),
        ({"omnibus": "quade"}, lambda e: bergmann_hommel(wilcoxon_pairs(e).pvalue)),
        ({"pairwise": "wins"}, lambda e: bergmann_hommel(sign_pairs(e, ties="drop").pvalue)),
        ({"pairwise": "ranks"}, lambda e: bergmann_hommel(rank_tests(e, adjust="none").pvalue)),
        (
            {"omnibus": "aligned-ranks", "pairwise": "ranks", "posthoc": "holm"},
            lambda e: aligned_pairs(e, adjust="holm").adjusted,
        ),
        (
            {"omnibus": "aligned-ranks", "pairwise": "ranks"},
            lambda e: bergmann_hommel(aligned_pairs(e, adjust="none").pvalue),
        ),
        (
            {"omnibus": "quade", "pairwise": "ranks", "posthoc": "hommel"},
            lambda e: quade_pairs(e, adjust="hommel").adjusted,
        ),
        ({"omnibus": "quade", "pairwise": "ranks"}, lambda e: bergmann_hommel(quade_pairs(e, adjust="none").pvalue)),
        ({"pairwise": "conover"}, lambda e: bergmann_hommel(conover_pairs(e, adjust="none").pvalue)),
        ({"posthoc": "tukey"}, lambda e: tukey_pairs(e).adjusted),
        ({"posthoc": "dunnett", "control": "a000"}, lambda e: dunnett_control(e, control=0).adjusted),
    ],
)
def test_the_comparison_is_what_the_array_functions_give(options: dict[str, str], expected: object) -> None:
    errors = normal_scores(10, 22, 5).round(2)
    result = compare(table(errors, "error"), **options)  # type: ignore[arg-type]
    names = [f"a{i:03d}" for i in range(5)]
    a, b = (np.zeros(4, dtype=int), np.arange(1, 5)) if "control" in options else np.triu_indices(5, 1)
    values = expected(errors)  # type: ignore[operator]
    wanted = {frozenset((names[i], names[j])): p for i, j, p in zip(a, b, values, strict=True)}
    assert by_name(result) == pytest.approx(wanted, rel=1e-9)


def test_effects_intervals_wins_and_bayes() -> None:
    results = compare(table(normal_scores(11, 25, 3)), posthoc="holm")
    for result in (results.effects(), results.intervals(), results.wins(), results.bayes(rope=0.1, rng=1)):
        rows = result.rows()
        assert [(row["a"], row["b"]) for row in rows] == [(pair.a, pair.b) for pair in results.pairs]
        assert str(result) and result.to_markdown() and result.to_latex()
    against = compare(table(normal_scores(11, 25, 3)), control="a001")
    assert {row["a"] for row in against.effects().rows()} == {"a001"}


# ---- normality


def test_anderson_darling_equals_scipys_statistic() -> None:
    import warnings

    from scipy import stats as scipy_stats

    values = np.random.default_rng(3).normal(size=(40, 3))
    result = anderson_darling(values, centred=False)
    for column, a2 in zip(values.T, result.statistic, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            raw = scipy_stats.anderson(column, "norm").statistic
        assert a2 == pytest.approx(raw * (1 + 0.75 / 40 + 2.25 / 1600), rel=1e-10)


def test_anderson_darling_has_the_printed_quantiles() -> None:
    # D'Agostino and Stephens 1986, Table 4.7, case 3: modified A2 at 10, 5, 2.5 and 1 per cent
    from tiebreak.stats.many.rm_anova import _anderson_darling_pvalue

    assert _anderson_darling_pvalue(np.array([0.631, 0.752, 0.873, 1.035])) == pytest.approx(
        [0.10, 0.05, 0.025, 0.01], rel=0.02
    )


def test_anderson_darling_keeps_its_level() -> None:
    rng = np.random.default_rng(12)
    p = anderson_darling(rng.normal(size=(35, 4000)), centred=False).pvalue
    assert abs((p <= 0.05).mean() - 0.05) < 3 * (0.05 * 0.95 / 4000) ** 0.5
    assert (anderson_darling(rng.exponential(size=(60, 500)), centred=False).pvalue <= 0.05).mean() > 0.95
