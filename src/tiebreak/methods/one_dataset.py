"""Algorithms on one data set: by the scores of its folds, by predictions, on the same items, in several measures."""

from __future__ import annotations

from functools import partial
from typing import Any

from tiebreak.methods.record import Method, Promise, each_test, nothing, recorded

_OVERLAP = "fold scores are as good as independent, which those of one data set are not: they share training data"

_folds = partial(recorded, kind="folds", verbs=("order",), takes="fold scores")

FOLDS = (
    _folds(
        "5x2cv-f",
        "Is the difference over five times two folds large beside its own spread, by an F?",
        "five_by_two_f fold_pairs",
        each_test("five replications of two folds; differences are normal", "independent folds", "nearest means"),
        "alpaydin1999",
        resampling=(5, 2),
        symbol="F",
        label="5x2cv F",
    ),
    _folds(
        "5x2cv-t",
        "The same by Dietterich's t, which looks at the first difference only?",
        "five_by_two_t",
        each_test("five replications of two folds; differences are normal", "independent folds", "nearest means"),
        "dietterich1998",
        resampling=(5, 2),
        symbol="t",
        label="5x2cv t",
    ),
    _folds(
        "corrected-t",
        "Is the mean difference large, with a variance that allows for shared training data?",
        "corrected_resampled_t",
        each_test(
            "differences are normal, any two correlated by the share of the data that is tested on",
            "independent folds",
            "correlated folds",
        ),
        "nadeau2003",
        options=("test_share",),
        symbol="t",
        label="corrected t",
    ),
    _folds(
        "kfold-t",
        "Is the mean difference over the folds large, as if they were independent?",
        "kfold_t",
        each_test(_OVERLAP, "independent folds"),
        "dietterich1998",
        symbol="t",
        label="k-fold t",
    ),
    _folds(
        "wilcoxon",
        "Are the differences of the folds symmetric about zero, as if folds were independent?",
        "wilcoxon_pairs",
        each_test(_OVERLAP, "independent folds"),
        "wilcoxon1945",
        label="wilcoxon on folds",
    ),
    _folds(
        "sign",
        "Is each as likely to be better on a fold, as if folds were independent?",
        "sign_pairs",
        each_test(_OVERLAP, "independent folds"),
        "dixon1946",
        label="sign on folds",
    ),
    _folds(
        "folds-together",
        "Do two algorithms differ on some of these few data sets, by the folds of all of them?",
        "folds_together fitting_test",
        each_test(
            "data sets are independent, and the premises of the test on the folds of each are true",
            "folds of 3 data sets",
        ),
        "stouffer1949 nadeau2003 alpaydin1999",
        options=("test_share",),
        label="folds together",
        verbs=(),
    ),
    _folds(
        "score",
        "Which mean score is better, without a test?",
        "",
        nothing("it tests nothing"),
        "",
    ),
    _folds(
        "hotelling",
        "Do two algorithms differ in several scores at once?",
        "hotelling_pairs",
        each_test(_OVERLAP, "several measures, normal"),
        "hotelling1931",
        takes="fold measures",
        home="tiebreak.stats.multivariate",
        label="hotelling on folds",
    ),
    _folds(
        "mcnemar",
        "Of the examples on which only one of two is right, is each as often the one?",
        "mcnemar mcnemar_from_predictions",
        each_test("examples are independent", "given classifiers"),
        "mcnemar1947 dietterich1998",
        takes="predictions",
        label="mcnemar, exact",
        verbs=(),
    ),
)


_ALONE, _CLUSTERS = "items, 0/1", "items in clusters"
_EVERYWHERE = (_ALONE, _CLUSTERS, "items, repeated answers", "items of 3 benchmarks")
_NULL = "an item is as likely to favour one of the two in {score} as the other"

_item = partial(recorded, kind="items", verbs=("compare", "order"), takes="items", null=_NULL)

ITEMS = (
    _item(
        "mcnemar",
        "Of the items that only one of two models got right, is each as often the one?",
        "item_pairs",
        each_test("items are independent, scores are 0 or 1", _ALONE, partly=True),
        "mcnemar1947 newcombepaired1998",
        settings={"method": "mcnemar"},
        label="mcnemar on items",
    ),
    _item(
        "mcnemar-midp",
        "The same, with half of the outcome that was seen?",
        "item_pairs",
        nothing("items are independent; its level is kept on average, not always"),
        "fagerland2013",
        settings={"method": "mcnemar-midp"},
        label="mcnemar mid-p on items",
    ),
    _item(
        "sign-flip",
        "How large is the difference of two models among those that other signs of items, or clusters, would give?",
        "item_pairs",
        each_test(
            "clusters (or items) are independent; a difference is as likely to favour either of the two",
            *_EVERYWHERE,
            partly=True,
        ),
        "kolassa2011 winkler2015",
        settings={"method": "sign-flip"},
        label="sign flips",
    ),
    _item(
        "cluster-t",
        "Is the mean difference large beside its error, which allows for clusters?",
        "item_pairs",
        nothing("clusters are many, independent and of like size; t is approximate"),
        "liang1986 miller2024",
        settings={"method": "cluster-t"},
        symbol="t",
        label="cluster t",
    ),
    _item(
        "item-non-inferiority",
        "Is a model non-inferior to another within a margin, on the same items?",
        "item_non_inferiority",
        nothing("clusters (or items) are independent; exact for right and wrong answers, by simulation elsewhere"),
        "nam1997 tango1998 owen1988 wellek2010",
        label="non-inferiority on items",
        verbs=(),
        null="the candidate is worse by the margin or more",
    ),
    _item(
        "total-non-inferiority",
        "Is a model non-inferior to another within a margin, by totals?",
        "total_non_inferiority",
        nothing("items are independent, and those of one model of those of the other; exact"),
        "farrington1990 wellek2010",
        takes="totals",
        label="non-inferiority by totals",
        verbs=(),
        null="the candidate is worse by the margin or more",
    ),
    _item(
        "anytime-items",
        "Is a model worse than another, or non-inferior within a margin, while items are added?",
        "anytime_items",
        nothing("items (or clusters) come in random order, with differences within a bound"),
        "ville1939 waudbysmith2024",
        label="bets on items",
        verbs=(),
        null="the candidate is worse by the margin or more; or, for the other side, not worse",
    ),
    _item(
        "fisher",
        "Do two models pass a different share of items, by their totals alone?",
        "proportion_pairs",
        each_test(
            "items are independent, and those of one model independent of those of the other",
            "totals of 225 items",
            partly=True,
        ),
        "fisher1922 newcombe1998",
        settings={"method": "fisher"},
        takes="totals",
        label="fisher on totals",
        null="both pass an item with the same probability",
    ),
    _item(
        "score-test",
        "The same by the z of the two shares?",
        "proportion_pairs",
        nothing("items are many and independent; the normal z is approximate"),
        "dietterich1998 newcombe1998",
        settings={"method": "score"},
        takes="totals",
        label="score test on totals",
        null="both pass an item with the same probability",
    ),
)


_FOLDS = "folds are as good as independent"
_NORMAL = ("several measures, normal",)
_SHARED = ("several measures, correlated folds",)
_ANY = ("several measures, normal", "several measures, skewed")


def _measures(
    name: str,
    question: str,
    functions: str,
    papers: str,
    premises: str,
    under: tuple[str, ...],
    kind: str = "measures",
    **rest: Any,
) -> Method:
    """Write the record of a test of several measures, or of what such a test assumes."""
    promise = Promise(keeps="each test" if under else "nothing", premises=premises, under=under)
    settings = {
        "kind": kind,
        "takes": "fold measures",
        "home": "tiebreak.stats.multivariate",
        "verbs": ("multivariate",),
    }
    return recorded(name, question, functions, promise, papers, **settings, **rest)


_THEORY = f"{_FOLDS}; the measures are normal together, with one covariance"
_PERMUTED = f"{_FOLDS}; where algorithms do not differ, their measures are exchangeable within a fold"
_CORRECTED = "any two folds are correlated by the share of the data that is tested on"

MEASURES = (
    _measures(
        "hotelling",
        "Do two algorithms differ in any combination of the measures?",
        "hotelling hotelling_pairs",
        "hotelling1931 yildiz2014",
        _THEORY,
        _NORMAL,
    ),
    _measures(
        "bartlett",
        "Do several algorithms differ, by Wilks' lambda and Bartlett's chi-squared?",
        "manova",
        "wilks1932 bartlett1947 yildiz2014",
        _THEORY,
        _NORMAL,
    ),
    _measures("wilks", "The same by Rao's F?", "manova", "wilks1932 rao1951", _THEORY, _NORMAL),
    _measures(
        "pillai", "The same by the sum of the shares that groups explain?", "manova", "pillai1955", _THEORY, _NORMAL
    ),
    _measures("hotelling-lawley", "The same by the sum of the eigenvalues?", "manova", "pillai1955", _THEORY, _NORMAL),
    _measures(
        "roy",
        "The same by the largest eigenvalue?",
        "manova",
        "pillai1955",
        "its F is a lower bound of p: it rejects too often",
        (),
    ),
    _measures(
        "permutation",
        "The same without assuming normal measures?",
        "permuted_manova permuted_pairs",
        "chung1958 phipson2010",
        _PERMUTED,
        _ANY,
    ),
    _measures(
        "anova-per-measure",
        "In which measure do they differ?",
        "anova_per_measure",
        "fisher1925 yildiz2014",
        f"{_FOLDS}; each measure is normal",
        _NORMAL,
    ),
    _measures(
        "corrected-hotelling",
        "Do two algorithms differ in the measures, with a variance that allows for shared training data?",
        "hotelling hotelling_pairs",
        "hotelling1931 nadeau2003 yildiz2014",
        f"{_CORRECTED}; the measures are normal together",
        _SHARED,
        options=("test_share",),
    ),
    _measures(
        "corrected-manova",
        "Do several algorithms differ in them, with such a variance?",
        "manova",
        "wilks1932 nadeau2003 yildiz2014",
        f"{_CORRECTED}; the measures are normal together, with one covariance",
        _SHARED,
        options=("test_share",),
    ),
    _measures(
        "corrected-permutation",
        "The same by permutations, with a found statistic that allows for shared training data?",
        "permuted_manova permuted_pairs",
        "chung1958 phipson2010 nadeau2003",
        f"{_CORRECTED}; it is not exact",
        _SHARED,
        options=("test_share",),
    ),
    _measures(
        "corrected-anova-per-measure",
        "In which measure do they differ, with such a variance?",
        "anova_per_measure",
        "fisher1925 nadeau2003",
        f"{_CORRECTED}; each measure is normal",
        _SHARED,
        options=("test_share",),
    ),
    _measures(
        "5x2cv-measures",
        "Do two or more algorithms differ in the measures, by five replications of two folds?",
        "five_by_two_pairs five_by_two_manova",
        "alpaydin1999 wilks1932 rao1951",
        "five replications of two folds, as good as independent; the measures are normal together",
        ("several measures, 5x2 folds", "several measures, nearest means"),
        resampling=(5, 2),
        symbol="F",
    ),
    _measures(
        "learned-measures",
        "Which combination of the measures separates the algorithms best?",
        "learned_measures",
        "fisher1936 bartlett1947 yildiz2014",
        "it describes; its chi-squared is that of Bartlett's test, step by step",
        (),
    ),
    _measures(
        "combine-datasets",
        "Do they differ on any of several data sets?",
        "combine_datasets",
        "fisher1932",
        "data sets are independent, and so are the p-values of their tests",
        _NORMAL,
    ),
    _measures(
        "mardia",
        "Are the measures normal together, by skewness and kurtosis?",
        "mardia",
        "mardia1970 mardia1974",
        _FOLDS,
        _NORMAL,
        "premise",
    ),
    recorded(
        "anderson-darling",
        "Are the scores of an algorithm normal about the level of their data set?",
        "anderson_darling",
        each_test("data sets are independent", "normal"),
        "anderson1954 dagostino1986",
        kind="premise",
        takes="scores",
        verbs=("compare",),
    ),
)
