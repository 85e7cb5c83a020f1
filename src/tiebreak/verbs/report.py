"""`tiebreak report`: one page on a table of results."""

from __future__ import annotations

from tiebreak.verbs import Column, Offer, Verb, groups as g

VERB = Verb(
    name="report",
    help="one page: comparison, and order where there is a cost; html, md, tex or json",
    description="Compare, order where a cost is named, and write one self-contained report.",
    takes="[RESULTS ...]",
    function="tiebreak.report",
    result="tiebreak.reporting.Report",
    offer=Offer(
        fields=("file", "store"),
        writes={"out": "report.html"},
        text="Comparison, and order where there is a cost, as one living page.",
    ),
    options=(
        *g.TABLE,
        g.PRICES,
        g.CONTROL,
        g.missing("compare"),
        g.COST.but(help="a cost to order by; several times: a part each"),
        g.COST_FILE,
        g.TRADE,
        g.RULE,
        *g.LEVEL,
        g.PAIRWISE,
        g.POSTHOC,
        g.OUT.but(default="report.html", help="report.html, .md or .json"),
        g.TITLE.but(help="the title of the report"),
        g.JSON,
    ),
    columns=(
        Column("part", "the result that answers", text=True),
        Column("question", "what a reader asks first", text=True),
        Column("answer", "in one sentence", text=True),
    ),
    examples=(
        "examples/demsar2006.csv --score auc",
        "examples/ulas2012.csv --score accuracy --cost train_time --cost space -o ulas.html",
    ),
)  # fmt: skip
