"""`tiebreak order`: from best to worst, by score where the difference is worth its cost, by cost where it is not."""

from __future__ import annotations

from tiebreak.verbs import COMPARE, TEST, Column, Offer, Option, Verb, groups as g

INNER = Option(
    name="inner_adjust", flag="--inner-adjust", group=TEST, metavar="NAME", words="methods order correction",
    help="correction inside each data set: {words}",
)  # fmt: skip
PAIRWISE = Option(
    name="pairwise", flag="--pairwise", group=TEST, metavar="TEST", words="order-pairs",
    help="over data sets, inside a data set, or on items: {words}; by default the one that fits",
)  # fmt: skip
POSTHOC = Option(
    name="posthoc", flag="--posthoc", group=TEST, metavar="TEST", words="methods order posthoc correction",
    help="over data sets: {words}",
)  # fmt: skip
SHARE = Option(
    name="test_share", flag="--test-share", kind="number", group=TEST, metavar="SHARE",
    help="hold-out: the share of examples tested on",
)  # fmt: skip

VERB = Verb(
    name="order",
    help="from best to worst: by score where the difference is worth its cost, by cost where it is not",
    description="Order algorithms from best to worst: by score where the difference is worth its cost, by cost"
    " where it is not. The published rules are --rule multitest and --rule multi2test.",
    takes="[RESULTS ...]",
    function="tiebreak.order",
    result="tiebreak.Ordering",
    offer=Offer(
        text="From best to worst: by score where the difference is worth its cost, by cost where it is not.",
        tool="Order learning algorithms, or language models on items, from best to worst: by score where the"
        " difference is worth its cost (trade), by cost where it is not; or by the published rules (rule).",
    ),
    options=(
        *g.TABLE,
        *g.ITEMS,
        g.DIRECTION,
        g.PRICES,
        g.DATASET,
        g.missing("order").but(group=COMPARE),
        g.TRADE,
        g.ACCD,
        g.RULE,
        g.VARIANT,
        g.COST,
        g.COST_FILE,
        g.PRIOR,
        g.MISSING_COSTS,
        *g.LEVEL,
        PAIRWISE,
        SHARE,
        INNER,
        POSTHOC,
        g.EXPLAIN,
        *g.FORMS,
        *g.drawn("Ordering"),
    ),
    columns=(
        g.PLACE,
        g.ALGORITHM,
        Column("", "first for trades from here", "from", shown="full"),
        Column("", "up to here", "to", shown="full"),
        Column("mean_rank", "published rules: mean place over data sets", "mean rank"),
        Column("", "the same, with a trade charged", "mean worth rank"),
        Column("mean {score}", "mean score over data sets, items or folds", "{score}"),
        *g.LOSS,
        Column("cost {cost}", "published rules: mean of the cost as a share of the largest of each data set",
               "{cost} share"),
        Column("relative {cost}", "geometric mean of the cost, beside that of the best-scoring one", "{cost}"),
        Column("{cost}", "geometric mean of the cost", shown="rows"),
        Column("worth", "score less the price of its cost; printed as the distance to the first"),
        Column("by", "published rules: what decided its place", text=True),
        Column("", "the probability that it is first there", "sure", shown="full"),
        g.GROUP,
        g.REASON,
        *g.PAIRS,
    ),
    examples=(
        "examples/ulas2012.csv --score accuracy --cost train_time",
        "examples/ulas2012.csv --score accuracy --cost train_time --rule multitest --explain svl,5nn",
    ),
)  # fmt: skip
