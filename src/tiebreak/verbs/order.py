"""`tiebreak order`: from best to worst, by score where the difference is worth its cost, by cost where it is not."""

from __future__ import annotations

from tiebreak.verbs import COMPARE, TEST, Offer, Option, Verb, groups as g

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
    examples=(
        "examples/ulas2012.csv --score accuracy --cost train_time",
        "examples/ulas2012.csv --score accuracy --cost train_time --rule multitest --explain svl,5nn",
    ),
)
