"""How large, how probable, how many data sets it takes; and the distributions behind the tests."""

from functools import partial

from tiebreak.methods._record import Promise, recorded

_POSTERIOR = Promise(keeps="nothing", premises="it gives probabilities of what is true, under a prior")
_DESCRIBES = Promise(keeps="nothing", premises="it describes")
_PLANS = Promise(keeps="nothing", premises="it plans; the effect is assumed")
_COMPUTES = Promise(keeps="nothing", premises="it computes a distribution")

record = partial(recorded, kind="size", takes="paired scores", verbs=())

RECORDS = (
    record(
        "bayesian-sign",
        "How probable is it that each is better on the next data set, or neither?",
        "bayesian_sign bayesian_sign_pairs",
        _POSTERIOR,
        "benavoli2017",
        kind="bayes",
    ),
    record(
        "bayesian-signed-rank",
        "The same by the median of the differences?",
        "bayesian_signed_rank_pairs bayesian_signed_rank",
        _POSTERIOR,
        "benavoli2014 benavoli2017",
        kind="bayes",
        verbs=("compare",),
    ),
    record(
        "bayesian-correlated-t",
        "The same on one data set, from folds that share training data?",
        "bayesian_correlated_t bayesian_correlated_t_pairs",
        _POSTERIOR,
        "corani2015 nadeau2003",
        kind="bayes",
        takes="fold scores",
    ),
    record(
        "bayesian-hierarchical",
        "The same over data sets, from the folds of all of them?",
        "bayesian_hierarchical bayesian_hierarchical_pairs",
        _POSTERIOR,
        "corani2017",
        kind="bayes",
        takes="fold scores",
    ),
    record(
        "effect-sizes",
        "How large is the difference beside its spread?",
        "effect_sizes effect_size",
        _DESCRIBES,
        "cohen1988 hedges1981 cliff1993 vargha2000 akinshin2020",
        verbs=("compare",),
    ),
    record(
        "intervals",
        "Within which bounds does the difference lie?",
        "difference_intervals difference_interval",
        Promise(
            keeps="each test",
            premises="data sets are independent; differences are symmetric about their middle",
            under=("normal", "heavy"),
            partly=True,
        ),
        "hodges1963 hollander2014",
        verbs=("compare",),
        label="interval, wilcoxon",
    ),
    record(
        "simultaneous-intervals",
        "Within which bounds do all the differences lie at once?",
        "simultaneous_intervals",
        Promise(
            keeps="any test",
            premises="as for the test of the same name: for the scores of each pair, differences are symmetric about"
            " their middle",
            under=("normal",),
            partly=True,
        ),
        "dunn1961 tukey1949 dunnett1955 nemenyi1963",
        verbs=("compare",),
        label="simultaneous intervals",
    ),
    record(
        "contrasts",
        "By how much do algorithms differ, from the medians of all pairs together?",
        "contrast_estimation",
        _DESCRIBES,
        "doksum1967 garcia2010",
    ),
    record(
        "wins", "On how many data sets is each better?", "win_tie_loss", _DESCRIBES, "demsar2006", verbs=("compare",)
    ),
    record(
        "shares",
        "Within which bounds does the share of items lie that a model passes, or the difference of two shares?",
        "wilson_interval paired_interval unpaired_interval",
        _DESCRIBES,
        "wilson1927 newcombepaired1998 newcombe1998",
        takes="numbers",
    ),
    record(
        "power-of-items",
        "How many items does it take to see a difference of two models?",
        "items_needed detectable_difference power_of_items",
        _PLANS,
        "connor1987",
        kind="planning",
        takes="numbers",
    ),
    record(
        "power",
        "How many data sets does it take to see a difference?",
        "datasets_needed power_of_test detectable_effect",
        _PLANS,
        "cohen1988 noether1987",
        kind="planning",
        takes="numbers",
    ),
    record(
        "power-by-simulation",
        "The same for many algorithms and a post hoc test, by drawing scores?",
        "datasets_needed_by_simulation power_by_simulation",
        _PLANS,
        "cohen1988 demsar2006",
        kind="planning",
        takes="numbers",
    ),
    record(
        "normal-range",
        "How large is the range of many normals?",
        "range_upper range_quantile",
        _COMPUTES,
        "nemenyi1963 copenhaver1988",
        kind="distribution",
        takes="numbers",
    ),
    record(
        "studentized-range",
        "How large is that range beside an estimated deviation?",
        "studentized_range_upper",
        _COMPUTES,
        "copenhaver1988",
        kind="distribution",
        takes="numbers",
    ),
    record(
        "dunnett-distribution",
        "How far does the farthest of several means lie from that of a control?",
        "dunnett_upper",
        _COMPUTES,
        "dunnett1955 dunnett1964",
        kind="distribution",
        takes="numbers",
    ),
)
