"""Two algorithms on one data set: do they differ, by the scores of its folds or by their predictions?"""

from functools import partial

from tiebreak.methods._record import Promise, recorded

_OVERLAP = "fold scores are as good as independent, which those of one data set are not: they share training data"

record = partial(recorded, kind="folds", verbs=("order",), takes="fold scores")

RECORDS = (
    record(
        "5x2cv-f",
        "Is the difference over five times two folds large beside its own spread, by an F?",
        "five_by_two_f fold_pairs",
        Promise(
            keeps="each test",
            premises="five replications of two folds; differences are normal",
            under=("independent folds", "nearest means"),
        ),
        "alpaydin1999",
        resampling=(5, 2),
        symbol="F",
        label="5x2cv F",
    ),
    record(
        "5x2cv-t",
        "The same by Dietterich's t, which looks at the first difference only?",
        "five_by_two_t",
        Promise(
            keeps="each test",
            premises="five replications of two folds; differences are normal",
            under=("independent folds", "nearest means"),
        ),
        "dietterich1998",
        resampling=(5, 2),
        symbol="t",
        label="5x2cv t",
    ),
    record(
        "corrected-t",
        "Is the mean difference large, with a variance that allows for shared training data?",
        "corrected_resampled_t",
        Promise(
            keeps="each test",
            premises="differences are normal, any two correlated by the share of the data that is tested on",
            under=("independent folds", "correlated folds"),
        ),
        "nadeau2003",
        options=("test_share",),
        symbol="t",
        label="corrected t",
    ),
    record(
        "kfold-t",
        "Is the mean difference over the folds large, as if they were independent?",
        "kfold_t",
        Promise(keeps="each test", premises=_OVERLAP, under=("independent folds",)),
        "dietterich1998",
        symbol="t",
        label="k-fold t",
    ),
    record(
        "wilcoxon",
        "Are the differences of the folds symmetric about zero, as if folds were independent?",
        "wilcoxon_pairs",
        Promise(keeps="each test", premises=_OVERLAP, under=("independent folds",)),
        "wilcoxon1945",
        label="wilcoxon on folds",
    ),
    record(
        "sign",
        "Is each as likely to be better on a fold, as if folds were independent?",
        "sign_pairs",
        Promise(keeps="each test", premises=_OVERLAP, under=("independent folds",)),
        "dixon1946",
        label="sign on folds",
    ),
    record(
        "folds-together",
        "Do two algorithms differ on some of these few data sets, by the folds of all of them?",
        "folds_together fitting_test",
        Promise(
            keeps="each test",
            premises="data sets are independent, and the premises of the test on the folds of each are true",
            under=("folds of 3 data sets",),
        ),
        "stouffer1949 nadeau2003 alpaydin1999",
        options=("test_share",),
        label="folds together",
        verbs=(),
    ),
    record(
        "score",
        "Which mean score is better, without a test?",
        "",
        Promise(keeps="nothing", premises="it tests nothing"),
        "",
    ),
    record(
        "hotelling",
        "Do two algorithms differ in several scores at once?",
        "hotelling_pairs",
        Promise(keeps="each test", premises=_OVERLAP, under=("several measures, normal",)),
        "hotelling1931",
        takes="fold measures",
        home="tiebreak.stats.multivariate",
        label="hotelling on folds",
    ),
    record(
        "mcnemar",
        "Of the examples on which only one of two is right, is each as often the one?",
        "mcnemar mcnemar_from_predictions",
        Promise(keeps="each test", premises="examples are independent", under=("given classifiers",)),
        "mcnemar1947 dietterich1998",
        takes="predictions",
        label="mcnemar, exact",
        verbs=(),
    ),
    record(
        "two-proportions",
        "Do two error rates on different examples differ?",
        "two_proportions",
        Promise(keeps="nothing", premises="examples are many and independent; the normal z is approximate"),
        "dietterich1998",
        takes="predictions",
        label="two proportions",
        verbs=(),
    ),
)
