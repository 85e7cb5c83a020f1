"""Effect sizes, probabilities and planning, the distributions behind the tests, orders and rankings."""

from __future__ import annotations

from functools import partial

from tiebreak.methods.record import Method, any_test, each_test, nothing, recorded

_POSTERIOR = nothing("it gives probabilities of what is true, under a prior")
_DESCRIBES = nothing("it describes")

_size = partial(recorded, kind="size", takes="paired scores", verbs=())

SIZES = (
    _size(
        "bayesian-sign",
        "How probable is it that each is better on the next data set, or neither?",
        "bayesian_sign bayesian_sign_pairs",
        _POSTERIOR,
        "benavoli2017",
        kind="bayes",
    ),
    _size(
        "bayesian-signed-rank",
        "The same by the median of the differences?",
        "bayesian_signed_rank_pairs bayesian_signed_rank",
        _POSTERIOR,
        "benavoli2014 benavoli2017",
        kind="bayes",
        verbs=("compare",),
    ),
    _size(
        "bayesian-correlated-t",
        "The same on one data set, from folds that share training data?",
        "bayesian_correlated_t bayesian_correlated_t_pairs",
        _POSTERIOR,
        "corani2015 nadeau2003",
        kind="bayes",
        takes="fold scores",
    ),
    _size(
        "bayesian-hierarchical",
        "The same over data sets, from the folds of all of them?",
        "bayesian_hierarchical bayesian_hierarchical_pairs",
        _POSTERIOR,
        "corani2017",
        kind="bayes",
        takes="fold scores",
    ),
    _size(
        "effect-sizes",
        "How large is the difference beside its spread?",
        "effect_sizes effect_size",
        _DESCRIBES,
        "cohen1988 hedges1981 cliff1993 vargha2000 akinshin2020",
        verbs=("compare",),
    ),
    _size(
        "intervals",
        "Within which bounds does the difference lie?",
        "difference_intervals difference_interval",
        each_test(
            "data sets are independent; differences are symmetric about their middle", "normal", "heavy", partly=True
        ),
        "hodges1963 hollander2014",
        verbs=("compare",),
        label="interval, wilcoxon",
    ),
    _size(
        "simultaneous-intervals",
        "Within which bounds do all the differences lie at once?",
        "simultaneous_intervals",
        any_test(
            "as for the test of the same name: for the scores of each pair, differences are symmetric about"
            " their middle",
            "normal",
            partly=True,
        ),
        "dunn1961 tukey1949 dunnett1955 nemenyi1963",
        verbs=("compare",),
        label="simultaneous intervals",
    ),
    _size(
        "wins", "On how many data sets is each better?", "win_tie_loss", _DESCRIBES, "demsar2006", verbs=("compare",)
    ),
    _size(
        "shares",
        "Within which bounds does the share of items lie that a model passes, or the difference of two shares?",
        "wilson_interval paired_interval unpaired_interval",
        _DESCRIBES,
        "wilson1927 newcombepaired1998 newcombe1998",
        takes="numbers",
    ),
    _size(
        "power",
        "How many data sets, or items, does it take to see a difference?",
        "datasets_needed power_of_test detectable_effect items_needed detectable_difference power_of_items",
        nothing("it plans; the effect is assumed"),
        "cohen1988 noether1987 demsar2006 connor1987",
        kind="planning",
        takes="numbers",
    ),
    _size(
        "distributions",
        "How large are ranges of normals, studentized ranges and the largest difference from a control by chance?",
        "range_upper range_quantile studentized_range_upper dunnett_upper",
        nothing("it computes a distribution"),
        "nemenyi1963 copenhaver1988 dunnett1955 dunnett1964",
        kind="distribution",
        takes="numbers",
    ),
)


_NONE = nothing("it orders; what is certain about it the tests inside it say")
_TRADE = "time accd weights"


def _ranking(
    name: str, question: str, function: str, papers: str, options: str, takes: str = "success rates"
) -> Method:
    """Write the record of a way to rank algorithms by past results."""
    about = {"kind": "ranking", "takes": takes, "home": "tiebreak.advisor.rankings", "verbs": ("recommend",)}
    return recorded(name, question, function, _NONE, papers, options=tuple(options.split()), **about)


def _ordering(name: str, question: str, function: str, papers: str) -> Method:
    """Write the record of a way to order algorithms by tests and cost."""
    about = {"kind": "ordering", "takes": "places", "home": "tiebreak.ordering", "verbs": ("order",)}
    return recorded(name, question, function, _NONE, papers, **about)


ORDERS = (
    _ordering("worth", "Which is best once ten times the cost must buy the trade?", "order", "brazdil2003"),
    _ordering(
        "multitest",
        "Which is best, the cheaper first unless a costlier one is significantly better?",
        "multitest",
        "yildiz2006",
    ),
    _ordering(
        "multi2test",
        "Which is best over data sets, by the places that MultiTest gives on each?",
        "order",
        "yildiz2006 ulas2012",
    ),
    _ranking(
        "portfolio", "Which adds most to the best of those before?", "rank_by_portfolio", "nemhauser1978", "weights"
    ),
    _ranking("arr", "Which has the best success rates for its time?", "rank_by_arr", "brazdil2003", _TRADE),
    _ranking("a3r", "The same, falling with time at any ratio?", "rank_by_a3r", "brazdil2003 abdulrahman2018", _TRADE),
    _ranking("srr", "Which has the best ratios of success rates?", "rank_by_srr", "brazdil2003", "weights"),
    _ranking("mean-rank", "Which has the best mean rank?", "rank_by_mean_rank", "brazdil2003", "weights"),
    _ranking(
        "wins", "Which wins most often by a test on the folds?", "rank_by_wins", "brazdil2003", "weights", "fold scores"
    ),
)
