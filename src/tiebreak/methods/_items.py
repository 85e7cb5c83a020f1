"""Models on the same items, such as questions or tasks: do two differ, item by item or by their totals?"""

from functools import partial

from tiebreak.methods._record import Promise, recorded

_ALONE, _CLUSTERS = "items, 0/1", "items in clusters"
_EVERYWHERE = (_ALONE, _CLUSTERS, "items, repeated answers", "items of 3 benchmarks")
_NULL = "an item is as likely to favour one of the two in {score} as the other"

record = partial(recorded, kind="items", verbs=("compare", "order"), takes="items", null=_NULL)

RECORDS = (
    record(
        "mcnemar",
        "Of the items that only one of two models got right, is each as often the one?",
        "item_pairs",
        Promise(keeps="each test", premises="items are independent, scores are 0 or 1", under=(_ALONE,), partly=True),
        "mcnemar1947 newcombepaired1998",
        settings={"method": "mcnemar"},
        label="mcnemar on items",
    ),
    record(
        "mcnemar-midp",
        "The same, with half of the outcome that was seen?",
        "item_pairs",
        Promise(keeps="nothing", premises="items are independent; its level is kept on average, not always"),
        "fagerland2013",
        settings={"method": "mcnemar-midp"},
        label="mcnemar mid-p on items",
    ),
    record(
        "sign-flip",
        "How large is the difference of two models among those that other signs of items, or clusters, would give?",
        "item_pairs",
        Promise(
            keeps="each test",
            premises="clusters (or items) are independent; a difference is as likely to favour either of the two",
            under=_EVERYWHERE,
            partly=True,
        ),
        "kolassa2011 winkler2015",
        settings={"method": "sign-flip"},
        label="sign flips",
    ),
    record(
        "sign-flip-drawn",
        "The same by random signs?",
        "item_pairs",
        Promise(keeps="nothing", premises="as for sign-flip; p-values vary with the draw, by a hundredth or so"),
        "winkler2015",
        settings={"method": "sign-flip-drawn"},
        options=("rng",),
        label="sign flips, drawn",
    ),
    record(
        "cluster-t",
        "Is the mean difference large beside its error, which allows for clusters?",
        "item_pairs",
        Promise(keeps="nothing", premises="clusters are many, independent and of like size; t is approximate"),
        "liang1986 miller2024",
        settings={"method": "cluster-t"},
        symbol="t",
        label="cluster t",
    ),
    record(
        "item-non-inferiority",
        "Is a model non-inferior to another within a margin, on the same items?",
        "item_non_inferiority",
        Promise(
            keeps="nothing",
            premises="clusters (or items) are independent; exact for right and wrong answers, by simulation elsewhere",
        ),
        "nam1997 tango1998 owen1988 wellek2010",
        label="non-inferiority on items",
        verbs=(),
        null="the candidate is worse by the margin or more",
    ),
    record(
        "total-non-inferiority",
        "Is a model non-inferior to another within a margin, by totals?",
        "total_non_inferiority",
        Promise(keeps="nothing", premises="items are independent, and those of one model of those of the other; exact"),
        "farrington1990 wellek2010",
        takes="totals",
        label="non-inferiority by totals",
        verbs=(),
        null="the candidate is worse by the margin or more",
    ),
    record(
        "anytime-items",
        "Is a model worse than another, or non-inferior within a margin, while items are added?",
        "anytime_items",
        Promise(keeps="nothing", premises="items (or clusters) come in random order, with differences within a bound"),
        "ville1939 waudbysmith2024",
        label="bets on items",
        verbs=(),
        null="the candidate is worse by the margin or more; or, for the other side, not worse",
    ),
    record(
        "fisher",
        "Do two models pass a different share of items, by their totals alone?",
        "proportion_pairs",
        Promise(
            keeps="each test",
            premises="items are independent, and those of one model independent of those of the other",
            under=("totals of 225 items",),
            partly=True,
        ),
        "fisher1922 newcombe1998",
        settings={"method": "fisher"},
        takes="totals",
        label="fisher on totals",
        null="both pass an item with the same probability",
    ),
    record(
        "score-test",
        "The same by the z of the two shares?",
        "proportion_pairs",
        Promise(keeps="nothing", premises="items are many and independent; the normal z is approximate"),
        "dietterich1998 newcombe1998",
        settings={"method": "score"},
        takes="totals",
        label="score test on totals",
        null="both pass an item with the same probability",
    ),
)
