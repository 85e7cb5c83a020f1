"""`tiebreak compare`: who differs from whom."""

from __future__ import annotations

from tiebreak.verbs import TEST, WRITE, Column, Offer, Option, Verb, groups as g

VERB = Verb(
    name="compare",
    help="who differs from whom, over many data sets or on the folds of one",
    description="Compare algorithms over many data sets, or on the folds of one: tests of pairs, groups.",
    takes="[RESULTS ...]",
    function="tiebreak.compare",
    result="tiebreak.Comparison",
    offer=Offer(
        text="Who differs from whom, over many data sets, or over many items.",
        tool="Say which learning algorithms differ significantly over many data sets, by omnibus and post hoc test;"
        " or which language models differ on the same items (columns model, item, score; or logs of evaluations).",
    ),
    options=(
        *g.TABLE,
        *g.ITEMS,
        g.DIRECTION,
        g.CONTROL,
        g.missing("compare"),
        g.ALPHA,
        g.SEED.but(argument=False, help="seed of the tests of --rope (default 0)"),
        g.OMNIBUS,
        g.PAIRWISE,
        g.POSTHOC,
        g.SCALE,
        Option(
            name="over", flag="--over", cli=False, group=TEST, metavar="WAY", words=("scores", "items"),
            help="models on items: items (these benchmarks, default) or scores (benchmarks as data sets); places are"
            " of order",
        ),
        Option(
            name="test_share", flag="--test-share", kind="number", group=TEST, metavar="SHARE",
            help="one data set: the share of examples that each fold tests (default 1/k of k folds)",
        ),
        Option(
            name="rope", flag="--rope", kind="number", group=WRITE, metavar="WIDTH", argument=False,
            help="add Bayesian signed rank tests with this region of practical equivalence, in units of the score",
        ),
        *g.FORMS,
        *g.drawn("Comparison ItemComparison"),
    ),
    columns=(
        g.ALGORITHM,
        Column("", "its name, of models on items", "model", text=True),
        Column("mean_rank", "mean rank over data sets, 1 is the best", "mean rank"),
        Column("mean {score}", "mean score over data sets, items or folds"),
        Column("", "what the tests compare, if not mean ranks", "{location}"),
        Column("loss", "on folds: how much worse than the best", "loss vs best"),
        Column("", "on folds: how much worse than the control", "loss vs {control}"),
        *g.ENDS,
        *g.PAIRS[:2],
        Column("difference", "of a pair: score of a less that of b", shown="full"),
        Column("", "interval, of the score or of the difference", "{level} interval"),
        g.GROUP,
        Column("", "= marks no significant difference from the control", "as control", text=True),
        Column("", "with too many groups: the number without a significant difference", "not different", text=True),
        g.PAIRS[2],
        Column("statistic", "the statistic of its test", shown="full"),
        *g.PAIRS[3:],
    ),
    examples=(
        "examples/demsar2006.csv --score auc",
        "examples/ulas2012.csv --score accuracy --control 5nn --full --figure ulas.svg",
    ),
)  # fmt: skip
