"""`tiebreak power`: how many items it takes to see a difference, and how small a difference so many items show."""

from __future__ import annotations

from tiebreak.verbs import COMPARE, TEST, Column, Offer, Option, Verb, groups as g

VERB = Verb(
    name="power",
    help="how many items it takes to see a difference of two models",
    description="Plan a comparison on items: the smallest difference that a number of items can show, or the number"
    " of items that a difference needs, from a table of items or from how often two models disagree.",
    takes="[RESULTS ...]",
    function="tiebreak.power",
    result="tiebreak.evals.planning.ItemPlans",
    offer=Offer(
        fields=("file", "store", "format"), unless=("items", "difference"),
        text="How many items it takes to see a difference of two models; from a table of items, or from numbers.",
        tool="Compute how many items a difference of two models needs, or which difference a number of items"
        " can show.",
    ),
    options=(
        *g.without(g.TABLE, "--store", "--higher-is-better", "--lower-is-better", "--normalise-cost"),
        Option(
            name="items", flag="--items", kind="integer", group=COMPARE, metavar="N", common=True,
            help="the difference that this many items can show",
        ),
        Option(
            name="difference", flag="--difference", kind="number", group=COMPARE, metavar="X", common=True,
            help="the number of items that this difference needs",
        ),
        Option(
            name="discordant", flag="--discordant", kind="number", group=COMPARE, metavar="SHARE", common=True,
            help="share of items that exactly one of two models gets right",
        ),
        Option(
            name="sd", flag="--sd", kind="number", group=COMPARE, metavar="X",
            help="graded scores: deviation of the difference on an item",
        ),
        Option(
            name="design_effect", flag="--design-effect", cli=False, kind="number", default=1.0, group=COMPARE,
            metavar="X",
            help="what clusters do to the variance",
        ),
        Option(
            name="pairs", flag="--pairs", kind="integer", default=1, group=COMPARE, metavar="N",
            help="pairs that are tested at once (default 1)",
        ),
        g.ALPHA,
        Option(
            name="power", flag="--power", kind="number", default=0.8, group=TEST, metavar="X",
            help="the power to reach (default 0.8)",
        ),
        g.JSON,
        g.OUT,
    ),
    columns=(
        Column("a", "first of a pair", text=True),
        Column("b", "second of a pair", text=True),
        Column("items", "items that both answered"),
        Column("sd", "standard deviation of the difference on an item", shown="rows"),
        Column("design_effect", "what clusters do to the variance", shown="rows"),
        Column("shown", "the smallest difference that the items show", "smallest difference shown"),
        Column("needed", "items that the named difference needs", "items needed"),
    ),
    examples=("--items 500 --discordant 0.2", "--difference 0.01 --discordant 0.1 --pairs 15"),
)  # fmt: skip
