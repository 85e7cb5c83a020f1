"""Several measures at once: do algorithms differ, in which measures, and is normal theory to be trusted?"""

from typing import Any

from tiebreak.methods._record import Method, Promise, recorded

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
    own = {"kind": kind, "takes": "fold measures", "home": "tiebreak.stats.multivariate", "verbs": ("multivariate",)}
    return recorded(name, question, functions, promise, papers, **own, **rest)


_THEORY = f"{_FOLDS}; the measures are normal together, with one covariance"
_PERMUTED = f"{_FOLDS}; where algorithms do not differ, their measures are exchangeable within a fold"
_CORRECTED = "any two folds are correlated by the share of the data that is tested on"

RECORDS = (
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
    _measures("ranks", "The same on ranks?", "rank_manova", "gerig1969 jensen1974 puri1971", _PERMUTED, _ANY),
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
        "fisher1932 stouffer1949 tippett1931",
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
    _measures(
        "outliers",
        "Does a fold lie far out from the others?",
        "multivariate_outliers",
        "wilks1963 gnanadesikan1972",
        f"{_FOLDS}; the measures are normal together",
        _NORMAL,
        "premise",
    ),
    recorded(
        "anderson-darling",
        "Are the scores of an algorithm normal about the level of their data set?",
        "anderson_darling",
        Promise(keeps="each test", premises="data sets are independent", under=("normal",)),
        "anderson1954 dagostino1986",
        kind="premise",
        takes="scores",
        verbs=("compare",),
    ),
)
