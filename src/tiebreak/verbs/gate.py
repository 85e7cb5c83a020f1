"""`tiebreak gate`: may a candidate take the place of a base? For continuous integration, by its exit code."""

from __future__ import annotations

from tiebreak.verbs import COMPARE, COSTS, TEST, WRITE, Column, Offer, Option, Verb, groups as g

VERB = Verb(
    name="gate",
    help="is a candidate non-inferior to a base within a margin? For continuous integration",
    description="Test whether a candidate is non-inferior to a base. The exit code is 0 if it is, 1 if it is worse,"
    " 3 if there are too few items to decide (the output says how many would), 2 for errors. Give two"
    " sources with one model each, or one table and two names.",
    takes="BASE [CANDIDATE]",
    function="tiebreak.gate",
    result="tiebreak.evals.gate.Gate",
    offer=Offer(
        fields=("file", "store", "format"), most=2, needs=("margin",), sides=True,
        writes={"summary": "gate.md", "junit": "gate.xml"},
        example={"file": "published:ulas2012", "base": "svr", "candidate": "svl", "margin": "5%",
        "score": "accuracy", "cost": "train_time"},
        text="May a candidate take the place of a base: shown not worse by a margin, worse, or undecided. The first"
        " file is the base, the second the candidate; or one table, and the names of both. Every verdict is a 200.",
        tool="Say whether a candidate may take the place of a base: shown not to be worse by a margin, worse, or"
        " undecided with how many more items would decide. The first file is the base, the second the candidate; or"
        " one file, and the names of both.",
        file="BASE and CANDIDATE, or one table of both. {table}",
    ),
    options=(
        *g.TABLE,
        *g.ITEMS,
        g.PRICES,
        Option(
            name="base_name", flag="--base", group=COMPARE, metavar="NAME",
            help="the model of BASE, where it holds several",
        ),
        Option(
            name="candidate_name", flag="--candidate", group=COMPARE, metavar="NAME",
            help="the model of CANDIDATE, likewise",
        ),
        Option(
            name="margin", flag="--margin", group=TEST, metavar="X", common=True,
            help="how much worse may pass: 0.01 in units of the score, 1%% of the base's score, or 0: it must be"
            " better",
        ),
        g.ALPHA,
        Option(
            name="power", flag="--power", kind="number", default=0.8, group=TEST, metavar="X",
            help="power for the number of items needed and the detectable drop (default 0.8)",
        ),
        Option(
            name="anytime", flag="--anytime", kind="switch", default=False, group=TEST,
            help="a verdict that stays valid under repeated looks; it needs more items",
        ),
        Option(
            name="bound", flag="--bound", cli=False, kind="number", group=TEST, metavar="X",
            help="with --anytime: the largest difference that the score allows, if not 1",
        ),
        Option(
            name="unanswered", flag="--unanswered", default="left-out", group=TEST, metavar="POLICY",
            words=("left-out", "wrong"),
            help="items that only the base answered: left-out (default) or wrong",
        ),
        g.COST.but(kind="text", help="a cost to show beside the verdict"),
        Option(
            name="max_cost_ratio", flag="--max-cost-ratio", kind="number", group=COSTS, metavar="X",
            help="also fail if the candidate costs more than this multiple of the base",
        ),
        g.FULL,
        g.JSON,
        g.OUT,
        Option(
            name="summary", flag="--summary", kind="out", group=WRITE, metavar="FILE", web=False, argument=False,
            help="write Markdown there as well",
        ),
        Option(
            name="junit", flag="--junit", kind="out", group=WRITE, metavar="FILE", web=False, argument=False,
            help="write JUnit XML there as well",
        ),
    ),
    columns=(
        Column("dataset", "benchmark or data set, or all", shown="rows", text=True),
        Column("n", "its items", shown="rows"),
        Column("base", "mean of the base", "{base}"),
        Column("candidate", "mean of the candidate", "{candidate}"),
        Column("difference", "candidate less base; printed with its interval", "change"),
    ),
    examples=(
        "examples/gate_base.csv examples/gate_candidate.csv --margin 0.02 --cost price",
        "examples/items.csv --base large --candidate medium --margin 0.1 --cluster document --column epoch=answer"
        " --score accuracy",
    ),
)  # fmt: skip
