"""Algorithms over many data sets: do they differ at all, which pairs differ, and corrections of the pairs."""

from __future__ import annotations

from functools import partial
from typing import Any

from tiebreak.methods.record import Keeps, Method, Promise, any_test, each_test, nothing, recorded

EXCHANGEABLE = ("normal", "skewed", "heavy", "tied", "0/1", "500 items, 0/1")
"""Noises of the error-rate study under which algorithms without a difference are exchangeable within a data set."""

_ORDERS = "{who} are exchangeable in {score}, each order of them as likely as any other,"
"""What every test on ranks within or between data sets holds to be true until the data speak against it."""

_RANKED = each_test(
    "data sets are independent; where no algorithm differs, scores are exchangeable within a data set", *EXCHANGEABLE
)
_BOTH = ("compare", "order")

_omnibus = partial(
    recorded, kind="omnibus", verbs=("compare",), takes="errors", options=("tie_correction",), null=_ORDERS
)

OMNIBUS = (
    _omnibus(
        "friedman",
        "Are all orders of the algorithms equally likely, by the spread of mean ranks and Iman and Davenport's F?",
        "friedman rank_rows",
        _RANKED,
        "friedman1937 iman1980 demsar2006",
        takes="ranks",
        verbs=_BOTH,
        gaps=("worst-rank",),
        settings={"statistic": "iman-davenport"},
        label="friedman F",
    ),
    _omnibus(
        "friedman-chi2",
        "Are all orders of the algorithms equally likely, by the spread of mean ranks and Friedman's chi-squared?",
        "friedman",
        _RANKED,
        "friedman1937 demsar2006",
        takes="ranks",
        verbs=_BOTH,
        gaps=("worst-rank",),
        settings={"statistic": "chi2"},
        label="friedman chi2",
    ),
    _omnibus(
        "friedman-exact",
        "The same where data sets are few, by counting or drawing the orders that chance gives?",
        "friedman_exact",
        each_test(
            "data sets are independent; where no algorithm differs, scores are exchangeable within a data set",
            "6 data sets, 4 algorithms",
        ),
        "friedman1937 phipson2010",
        takes="ranks",
        verbs=_BOTH,
        gaps=("worst-rank",),
        options=(),
        few_datasets=True,
    ),
    _omnibus(
        "aligned-ranks",
        "Do scores differ once the level of each data set is taken out and all are ranked together?",
        "aligned_ranks",
        _RANKED,
        "hodges1962",
        label="aligned ranks",
    ),
    _omnibus(
        "quade", "Do ranks differ when data sets with larger differences count for more?", "quade", _RANKED, "quade1979"
    ),
    _omnibus(
        "skillings-mack",
        "Do ranks differ where some scores are missing?",
        "skillings_mack",
        _RANKED,
        "skillings1981",
        takes="gapped errors",
        gaps=("skillings-mack",),
        label="skillings-mack with gaps",
    ),
    _omnibus(
        "rm-anova",
        "Do mean scores differ, by the analysis of variance with data sets as blocks?",
        "rm_anova",
        each_test(
            "scores less the level of their data set are normal; differences of algorithms have one variance,"
            " unless corrected for sphericity",
            "normal",
        ),
        "girden1992",
        takes="scores",
        options=("correction",),
        null="{who} have the same expected {score}",
    ),
    _omnibus(
        "none",
        "Is the smallest adjusted p-value of the pairs at most alpha?",
        "",
        nothing("it promises what the correction of the pairs promises"),
        "",
        takes="paired scores",
        options=(),
        null="",
    ),
)

ON_RANKS = tuple(omnibu.name for omnibu in OMNIBUS if omnibu.takes == "ranks")
"""The omnibus tests on ranks within data sets, which tests of mean ranks may follow."""


_COMPLETE = (*ON_RANKS, "aligned-ranks", "quade", "rm-anova", "none")
_EVERYWHERE = (*EXCHANGEABLE, "unequal", "crowd", "300 x 8, crowd")
_PEEKING = tuple(f"peeking, {noise}" for noise in ("normal", "skewed", "heavy", "tied", "unequal", "crowd", "0/1"))
_WORST = ("worst-rank",)

_RANKED_PAIRS = each_test(
    "where no algorithm differs, all scores of a data set are exchangeable; ten data sets or more", *EXCHANGEABLE
)
_SYMMETRIC = each_test(
    "data sets are independent; the differences of an equal pair are symmetric about zero", *_EVERYWHERE, partly=True
)
_EITHER = each_test(
    "data sets are independent; of an equal pair each is as likely as the other to be the better one",
    *_EVERYWHERE,
    partly=True,
)
_EITHER_WINS = each_test(
    "data sets are independent; of an equal pair each is as likely as the other to win significantly",
    "5x2 folds",
    partly=True,
)
_WHENEVER = each_test(
    "data sets are independent; of an equal pair each is as likely as the other to be the better one; one may"
    " look after every data set",
    *_EVERYWHERE,
    *_PEEKING,
    partly=True,
)
_SINGLE_STEP = any_test(
    "where no algorithm differs, all scores of a data set are exchangeable; ten data sets or more", *EXCHANGEABLE
)
_NORMAL = any_test(
    "scores less the level of their data set are normal; differences of algorithms have one variance",
    "normal",
    partly=True,
)

_pair = partial(recorded, kind="pairs", verbs=("compare",), takes="ranks")

PAIRS = (
    _pair(
        "ranks",
        "Is the difference of two mean ranks larger than chance allows, by a normal z?",
        "rank_tests",
        _RANKED_PAIRS,
        "demsar2006",
        verbs=("compare", "order"),
        follows=ON_RANKS,
        gaps=_WORST,
        on_a_line=True,
        options=("tie_correction",),
        label="ranks z",
    ),
    _pair(
        "ranks",
        "Is the difference of two mean aligned ranks larger than chance allows?",
        "aligned_pairs",
        _RANKED_PAIRS,
        "hodges1962",
        takes="errors",
        follows=("aligned-ranks",),
        on_a_line=True,
        label="aligned ranks z",
    ),
    _pair(
        "ranks",
        "Is the difference of two weighted mean ranks larger than chance allows?",
        "quade_pairs",
        _RANKED_PAIRS,
        "quade1979",
        takes="errors",
        follows=("quade",),
        on_a_line=True,
        label="quade z",
    ),
    _pair(
        "ranks",
        "Do two algorithms differ in rank where some scores are missing?",
        "skillings_mack_pairs",
        _RANKED_PAIRS,
        "skillings1981",
        takes="gapped errors",
        follows=("skillings-mack",),
        gaps=("skillings-mack",),
        label="skillings-mack z with gaps",
    ),
    _pair(
        "conover",
        "Is the difference of two mean ranks larger than their spread after Friedman's test allows, by a t?",
        "conover_pairs",
        _RANKED_PAIRS,
        "conover1999",
        follows=ON_RANKS,
        gaps=_WORST,
        on_a_line=True,
        label="conover t",
        symbol="t",
    ),
    _pair(
        "exact-ranks",
        "Is the difference of two rank sums larger than chance allows, by its exact distribution?",
        "exact_rank_tests",
        each_test("where no algorithm differs, all scores of a data set are exchangeable", "6 data sets, 4 algorithms"),
        "eisinga2017",
        symbol="difference of rank sums",
        follows=ON_RANKS,
        gaps=_WORST,
        on_a_line=True,
        few_datasets=True,
    ),
    _pair(
        "wilcoxon",
        "Are the differences of two algorithms symmetric about zero, by Wilcoxon's signed ranks?",
        "wilcoxon_pairs wilcoxon",
        _SYMMETRIC,
        "wilcoxon1945 benavoli2016",
        takes="paired scores",
        follows=_COMPLETE,
        null="the differences in {score} are symmetric about 0",
    ),
    _pair(
        "sign",
        "Is each of two algorithms as likely as the other to be the better one, ties shared by both?",
        "sign_pairs sign_test",
        _EITHER,
        "dixon1946",
        takes="paired scores",
        follows=_COMPLETE,
        symbol="wins less losses",
        null="each algorithm is as likely as the other to be the better one in {score}",
    ),
    _pair(
        "wins",
        "The same by the data sets on which they differ alone, which for scores of 0 and 1 is McNemar's exact test?",
        "sign_pairs sign_test",
        _EITHER,
        "mcnemar1947 dixon1946",
        takes="paired scores",
        follows=_COMPLETE,
        settings={"ties": "drop"},
        label="wins without ties",
        symbol="wins less losses",
        null="each algorithm is as likely as the other to be the better one in {score}",
    ),
    _pair(
        "significant-wins",
        "Is each of two algorithms as likely as the other to be significantly better on a data set, by its folds?",
        "significant_win_pairs",
        _EITHER_WINS,
        "dixon1946 ulas2012 demsar2006",
        takes="paired folds",
        follows=_COMPLETE,
        options=("alpha",),
        label="significant wins",
        symbol="wins less losses",
        null="each algorithm is as likely as the other to be significantly better in {score} on a data set",
    ),
    _pair(
        "paired-t",
        "Do two algorithms have the same mean score, by Student's paired t?",
        "paired_t_pairs paired_t",
        _SYMMETRIC,
        "student1908",
        takes="paired scores",
        follows=_COMPLETE,
        label="paired t",
        symbol="t",
        null="the two algorithms have the same expected {score}",
    ),
    _pair(
        "anytime",
        "The same where one may look after every data set, by bets on who is better?",
        "anytime_pairs anytime_test",
        _WHENEVER,
        "ville1939 waudbysmith2024",
        takes="paired scores",
        follows=_COMPLETE,
        label="bets on signs",
        symbol="log10 of the evidence",
        null="each algorithm is as likely as the other to be the better one in {score}",
    ),
    _pair(
        "nemenyi",
        "Which mean ranks differ by more than the range of all of them allows?",
        "nemenyi nemenyi_cd",
        _SINGLE_STEP,
        "nemenyi1963",
        kind="posthoc",
        verbs=("compare", "order"),
        follows=ON_RANKS,
        gaps=_WORST,
        control="never",
        options=("tie_correction",),
        critical_difference="nemenyi_cd",
    ),
    _pair(
        "bonferroni-dunn",
        "Which mean ranks differ from that of the control?",
        "bonferroni_dunn bonferroni_dunn_cd",
        _SINGLE_STEP,
        "dunn1961",
        kind="posthoc",
        follows=ON_RANKS,
        gaps=_WORST,
        control="always",
        options=("tie_correction",),
        critical_difference="bonferroni_dunn_cd",
    ),
    _pair(
        "dunn",
        "Which sums of ranks differ, at a level shared equally among the pairs?",
        "dunn_pairs",
        _SINGLE_STEP,
        "neave1988",
        kind="posthoc",
        follows=ON_RANKS,
        gaps=_WORST,
        control="never",
        options=("alpha", "tie_correction"),
    ),
    _pair(
        "tukey",
        "Which mean scores differ by more than the studentized range allows?",
        "tukey_pairs",
        _NORMAL,
        "tukey1949",
        kind="posthoc",
        takes="scores",
        follows=("rm-anova",),
        control="never",
    ),
    _pair(
        "dunnett",
        "Which mean scores differ from that of the control?",
        "dunnett_control",
        _NORMAL,
        "dunnett1955",
        kind="posthoc",
        takes="scores",
        follows=("rm-anova",),
        control="always",
    ),
    _pair(
        "closed-e-values",
        "Which pairs differ by the mean evidence of every set of pairs that can be equal, whenever one looks?",
        "closed_evalues",
        any_test(
            "data sets are independent and come in random order; the differences of an equal pair are"
            " symmetric about zero; one may look after every data set",
            *_PEEKING,
            partly=True,
        ),
        "vovk2021 vovk2024 reynolds1975",
        kind="posthoc",
        takes="e-values",
        verbs=(),
        label="bets on ranks, closed",
    ),
    _pair(
        "non-inferiority",
        "Is the candidate worse than the reference by less than a margin, by signed ranks?",
        "non_inferiority_pairs",
        each_test(
            "data sets are independent; the shortfalls of a candidate lie evenly about their middle",
            *_EVERYWHERE,
            partly=True,
        ),
        "wellek2010 wilcoxon1945 berger1982",
        takes="paired scores",
        verbs=(),
    ),
)


_ANY = "any dependence of the tests"
_POSITIVE = "tests are independent or positively dependent"


def _correction(name: str, question: str, papers: str, keeps: Keeps, *, needs: str = "", **rest: Any) -> Method:
    """Write a record; a correction goes with every test of pairs, so that only its promise tells it from others."""
    promise = Promise(keeps=keeps, premises=needs or _ANY, partly=keeps == "any test", needs=needs)
    functions = rest.pop("functions", name.replace("-", "_"))
    about = {"kind": "correction", "takes": "p-values", "verbs": ("compare", "order", "multivariate")}
    return recorded(name, question, functions, promise, papers, **about | rest)


CORRECTIONS = (
    _correction(
        "none", "Is this p-value small, whatever the others are?", "rothman1990", "nothing", functions="unadjusted"
    ),
    _correction("bonferroni", "Is p small enough for the number of tests?", "dunn1961", "any test"),
    _correction(
        "sidak", "Is p small enough for that number of independent tests?", "sidak1967", "any test", needs=_POSITIVE
    ),
    _correction("holm", "Is p small enough for the tests not decided yet, stepping down?", "holm1979", "any test"),
    _correction("hochberg", "The same stepping up?", "hochberg1988", "any test", needs=_POSITIVE),
    _correction(
        "hommel",
        "Is p small in every set of tests that holds it, by Simes' test of the set?",
        "hommel1988",
        "any test",
        needs=_POSITIVE,
    ),
    _correction(
        "holland",
        "Is p small enough, stepping down, for independent tests?",
        "holland1987",
        "any test",
        needs=_POSITIVE,
    ),
    _correction(
        "rom",
        "Is p small enough, stepping up, by levels that are exact for independent tests?",
        "rom1990",
        "any test",
        functions="rom rom_critical_values",
        needs=_POSITIVE,
    ),
    _correction(
        "finner", "Is p small for its place among all, stepping down?", "finner1993", "any test if none is real"
    ),
    _correction("li", "Is p small beside the largest one?", "li2008", "nothing"),
    _correction(
        "benjamini-hochberg",
        "How many of those found will be false, in the mean?",
        "benjamini1995",
        "share",
        needs=_POSITIVE,
    ),
    _correction("benjamini-yekutieli", "The same whatever the dependence of the tests?", "benjamini2001", "share"),
    _correction(
        "shaffer",
        "Is p small enough for the pairs that can still all be equal?",
        "shaffer1986",
        "any test",
        takes="p-values of all pairs",
        control="never",
    ),
    _correction(
        "bergmann-hommel",
        "Is p small in every set of pairs that can be equal together?",
        "bergmann1988",
        "any test",
        takes="p-values of all pairs",
        control="never",
        functions="bergmann_hommel bergmann_hommel_rows",
    ),
)
