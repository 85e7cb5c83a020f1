"""What a comparison says: the table of `test_compare_edges.py`, whose numbers are counted there by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tiebreak import Comparison, Results, compare

SCORES = np.array([[0.9, 0.8, 0.7]] * 9 + [[0.8, 0.9, 0.7]] * 3)
OMNIBUS = (
    "The Friedman test (Iman-Davenport F, corrected for ties), F(2, 22) = 47.67, p = 1.0e-08, over 12 data sets: the"
    " hypothesis that all 3 algorithms are exchangeable in accuracy, each order of them as likely as any other, is"
    " rejected at alpha = 0.05."
)


def made(scores: np.ndarray = SCORES, **options: object) -> Comparison:
    names = list("abcdefghijklmnopqrstuvwxyz"[: scores.shape[1]])
    return compare(Results.from_array(scores, score="accuracy", algorithms=names), **options)  # type: ignore[arg-type]


def test_the_text_of_all_pairs() -> None:
    assert str(made(pairwise="ranks", posthoc="holm").document()).split("\nReferences:")[0] == (
        "3 algorithms on 12 data sets by accuracy (higher is better)\n"
        "\n"
        f"{OMNIBUS}\n"
        "By the z tests on mean ranks with Holm's correction, 2 of 3 pairs differ significantly.\n"
        "a and b are significantly better than c; nothing else differs.\n"
        "No significant difference between algorithms that share a letter.\n"
        "\n"
        "algorithm  mean rank  mean accuracy (%)  group\n"
        "a              1.250               87.5  a\n"
        "b              1.750               82.5  a\n"
        "c              3.000                 70  b\n"
        "\n"
        "a  b  better  statistic        p  adjusted p\n"
        "a  c  a          -4.287  1.8e-05     5.4e-05\n"
        "b  c  b          -3.062   0.0022      0.0044\n"
        "a  b  -          -1.225    0.221       0.221\n"
        "\n"
        "How it was decided:\n"
        "- 3 algorithms on 12 data sets, no gaps.\n"
        "- Asked for: ranks, holm.\n"
    )


def test_the_text_of_a_control() -> None:
    lines = str(made(control="b", omnibus="aligned-ranks", pairwise="ranks").document()).splitlines()
    assert lines[3] == (
        "By the z tests on mean aligned ranks (permutation variance) with Holm's correction, with b as control:"
        " c is significantly worse than b; no other differs."
    )
    assert lines[5:13] == [
        "algorithm  mean rank  mean accuracy (%)  mean aligned rank  as control",
        "a              1.250               87.5              9.500  =",
        "b              1.750               82.5             15.500  control",
        "c              3.000                 70             30.500",
        "",
        "a  b  better  statistic       p  adjusted p",
        "b  c  b          -3.062  0.0022      0.0044",
        "b  a  -           1.225   0.221       0.221",
    ]
    better = str(made(control="c", posthoc="bonferroni-dunn").document()).splitlines()[3]
    assert better == (
        "By the Bonferroni-Dunn test against the control (critical difference 0.915), with c as control: a and b are"
        " significantly better than c."
    )


def test_the_tables_in_markdown_and_latex() -> None:
    result = made(pairwise="ranks", posthoc="holm")
    assert (
        "| a | b | better | statistic | p | adjusted p |\n"
        "| :-- | :-- | :-- | --: | --: | --: |\n"
        "| a | c | a | -4.287 | 1.8e-05 | 5.4e-05 |\n"
        "| b | c | b | -3.062 | 0.0022 | 0.0044 |\n"
        "| a | b | - | -1.225 | 0.221 | 0.221 |\n"
    ) in result.to_markdown()
    assert "| algorithm | mean rank | mean accuracy (%) | group |\n| :-- | --: | --: | :-- |\n" in result.to_markdown()
    latex = result.to_latex()
    assert "\\begin{tabular}{lrrl}" in latex and "\\begin{tabular}{lllrrr}" in latex
    assert "a & c & a & -4.287 & 1.8e-05 & 5.4e-05 \\\\" in latex
    assert "$F$(2, 22) = 47.67, $p$ = 1.0e-08, over 12 data sets" in latex and r"at $\alpha$ = 0.05." in latex
    chi2 = made(omnibus="friedman-chi2", posthoc="holm")
    assert r"$\chi^2$(2) = 19.5, $p$ = 5.8e-05" in chi2.to_latex() and "chi2(2) = 19.5, p = 5.8e-05" in str(
        chi2.document()
    )
    assert (
        '<td>1.750</td><td>82.5</td><td class="text">a</td>' in result._repr_html_()
        and "<ul>" not in result._repr_html_()
    )
    two = made(SCORES[:, :2], omnibus="friedman-chi2", pairwise="ranks")
    assert "<ul><li>Two algorithms: on ranks" in two._repr_html_()


def test_no_pairs_are_shown_where_nothing_is_rejected() -> None:
    quiet = made(SCORES[[0, 0, 9, 9, 1, 11], :2], omnibus="friedman")
    for text in (str(quiet.document()), quiet.to_markdown(), quiet.to_latex()):
        assert "adjusted p" not in text and "is not rejected" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "The Wilcoxon signed ranks test (zeros split, exact), z = -1.732, p = 0.146, over 12 data sets: the"
             " hypothesis that the differences in accuracy are symmetric about 0 is not rejected"),
        ({"pairwise": "sign"}, "The sign test (exact binomial, ties split), wins less losses = -6, p = 0.146, over 12"
                               " data sets: the hypothesis that each algorithm is as likely as the other to be the"
                               " better one in accuracy is not rejected"),
        ({"pairwise": "wins"}, "The sign test (exact binomial, ties dropped), wins less losses = -6, p = 0.146, over"),
        ({"pairwise": "paired-t"}, "The paired t test over data sets, t = -1.915, p = 0.0819, over 12 data sets: the"
                                   " hypothesis that the two algorithms have the same expected accuracy is not"),
    ],
)  # fmt: skip
def test_two_algorithms_in_words(options: dict[str, str], words: str) -> None:
    assert str(made(SCORES[:, :2], **options).document()).splitlines()[2].startswith(words)


def test_two_algorithms_told_apart_in_words() -> None:
    result = made(SCORES[:, [2, 0]])
    assert str(result.document()).splitlines()[3] == "b is significantly better than a."
    backward = made(SCORES[:, [0, 2]], control="b")
    assert str(backward.document()).splitlines()[3] == "a is significantly better than b."


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"posthoc": "dunn"}, "By Dunn's test on ranks, Bonferroni over 6 one-sided comparisons, 2 of 3 pairs"),
        ({"pairwise": "conover"}, "By Conover's t tests on ranks (22 degrees of freedom) with Bergmann and Hommel's"),
        (
            {"posthoc": "nemenyi"},
            "By the Nemenyi test (infinite degrees of freedom; critical difference 0.957), 2 of 3",
        ),
        (
            {"pairwise": "sign", "posthoc": "holm"},
            "By the sign test (exact binomial, ties split) with Holm's correction",
        ),
    ],
)
def test_a_test_that_somebody_owns_has_no_article(options: dict[str, str], words: str) -> None:
    assert str(made(**options).document()).splitlines()[3].startswith(words)


def test_no_omnibus_test_in_words() -> None:
    lines = str(made(omnibus="none", posthoc="holm").document()).splitlines()
    assert lines[2] == (
        "The smallest adjusted p-value of the Wilcoxon signed ranks test (zeros split, exact) with Holm's correction,"
        " z = -3.217, p = 0.0015, over 12 data sets: the hypothesis that in every pair the differences in accuracy are"
        " symmetric about 0 is rejected at alpha = 0.05."
    )
    anova = made(omnibus="rm-anova", posthoc="holm")
    assert "that all 3 algorithms have the same expected accuracy is" in str(anova.document())


def test_a_best_that_differs_from_all_and_groups_of_one() -> None:
    """Twenty data sets agree on three algorithms: each differs from each, and no letter is shared."""
    result = made(np.tile([0.9, 0.8, 0.7], (20, 1)), posthoc="holm")
    assert result.groups == (("a",), ("b",), ("c",))
    text = str(result.document())
    assert "differs significantly" not in text and "share a letter" not in text


def test_one_group_of_all_says_nothing_of_letters() -> None:
    """Six of ten data sets rank a b c, two each b c a and c a b: mean ranks 1.6, 2.0, 2.4.

    F rejects at 0.21 (p = 0.208); the largest difference, z = 0.8 / sqrt(12 / 60), has p = 0.074, times three 0.221.
    """
    scores = np.array([[0.9, 0.8, 0.7]] * 6 + [[0.7, 0.9, 0.8]] * 2 + [[0.8, 0.7, 0.9]] * 2)
    result = made(scores, pairwise="ranks", posthoc="bonferroni", alpha=0.21)
    assert result.rejected and not result.significant.any() and len(result.groups) == 1
    assert (
        "no pair differs significantly: the omnibus test says that the algorithms are not all alike, but the tests of"
        " the pairs do not show which of them differ."
    ) in str(result.document())


def test_plain_data_has_the_numbers() -> None:
    data = made(pairwise="ranks", posthoc="holm").to_dict()
    assert data["mean_ranks"] == {"a": 1.25, "b": 1.75, "c": 3.0}
    assert data["groups"] == [["a", "b"], ["c"]] and data["critical_difference"] is None
    omnibus = data["omnibus"]
    assert (omnibus["df"], omnibus["rejected"], omnibus["tie_factor"]) == ([2, 22], True, 1.0)
    assert omnibus["chi2"] == pytest.approx(19.5)
    assert [pair["better"] for pair in data["pairs"]] == [None, "a", "b"]
    method = data["method"]
    assert (method["datasets"], method["control"], method["higher_is_better"], method["alpha"]) == (
        12,
        None,
        True,
        0.05,
    )
    assert method["choices"] == {"omnibus": "friedman", "pairwise": "ranks", "posthoc": "holm"}
    assert data["path"] == ["3 algorithms on 12 data sets, no gaps.", "Asked for: ranks, holm."]
    assert data["omnibus"]["comes_first"] is True and made().to_dict()["omnibus"]["comes_first"] is False
    assert data["conclusion"][0] == OMNIBUS and len(data["conclusion"]) == 4


def test_letters_go_on_after_the_alphabet() -> None:
    """Sixty algorithms in one row, far apart: sixty groups of one, with fifty-two letters."""
    result = compare(
        Results.from_array(np.tile(np.arange(60.0), (9000, 1)), score="accuracy"), omnibus="friedman", posthoc="holm"
    )
    letters = result.letters()
    assert len(result.groups) == 60
    assert (letters[0], letters[25], letters[26], letters[51], letters[52], letters[59]) == (
        "a",
        "z",
        "A",
        "Z",
        "a1",
        "h1",
    )
