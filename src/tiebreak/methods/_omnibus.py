"""More than two algorithms over many data sets: do they differ at all?"""

from functools import partial

from tiebreak.methods._record import Promise, recorded

EXCHANGEABLE = ("normal", "skewed", "heavy", "tied", "0/1", "500 items, 0/1")
"""Noises of the error-rate study under which algorithms without a difference are exchangeable within a data set."""

_ORDERS = "{who} are exchangeable in {score}, each order of them as likely as any other,"
"""What every test on ranks within or between data sets holds to be true until the data speak against it."""

_RANKED = Promise(
    keeps="each test",
    premises="data sets are independent; where no algorithm differs, scores are exchangeable within a data set",
    under=EXCHANGEABLE,
)
_BOTH = ("compare", "order")

record = partial(
    recorded, kind="omnibus", verbs=("compare",), takes="errors", options=("tie_correction",), null=_ORDERS
)

RECORDS = (
    record(
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
    record(
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
    record(
        "friedman-exact",
        "The same where data sets are few, by counting or drawing the orders that chance gives?",
        "friedman_exact",
        Promise(
            keeps="each test",
            premises="data sets are independent; where no algorithm differs, scores are exchangeable within a data set",
            under=("6 data sets, 4 algorithms",),
        ),
        "friedman1937 phipson2010",
        takes="ranks",
        verbs=_BOTH,
        gaps=("worst-rank",),
        options=(),
        few_datasets=True,
    ),
    record(
        "aligned-ranks",
        "Do scores differ once the level of each data set is taken out and all are ranked together?",
        "aligned_ranks",
        _RANKED,
        "hodges1962",
        label="aligned ranks",
    ),
    record(
        "quade", "Do ranks differ when data sets with larger differences count for more?", "quade", _RANKED, "quade1979"
    ),
    record(
        "skillings-mack",
        "Do ranks differ where some scores are missing?",
        "skillings_mack",
        _RANKED,
        "skillings1981",
        takes="gapped errors",
        gaps=("skillings-mack",),
        label="skillings-mack with gaps",
    ),
    record(
        "rm-anova",
        "Do mean scores differ, by the analysis of variance with data sets as blocks?",
        "rm_anova",
        Promise(
            keeps="each test",
            premises="scores less the level of their data set are normal; differences of algorithms have one variance,"
            " unless corrected for sphericity",
            under=("normal",),
        ),
        "girden1992",
        takes="scores",
        options=("correction",),
        null="{who} have the same expected {score}",
    ),
    record(
        "none",
        "Is the smallest adjusted p-value of the pairs at most alpha?",
        "",
        Promise(keeps="nothing", premises="it promises what the correction of the pairs promises"),
        "",
        takes="paired scores",
        options=(),
        null="",
    ),
)

ON_RANKS = tuple(each.name for each in RECORDS if each.takes == "ranks")
"""The omnibus tests on ranks within data sets, which tests of mean ranks may follow."""
