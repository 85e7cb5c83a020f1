"""`tiebreak read`: how a file is understood, and the same table as clean csv or parquet."""

from __future__ import annotations

from tiebreak.verbs import WRITE, Column, Offer, Option, Verb, groups as g

VERB = Verb(
    name="read",
    help="how a file is understood; writes it as clean csv or parquet",
    description="Show how a file is read: its first rows, the roles of columns, gaps, failures, what is left out"
    " and why, and the options that change it. Other verbs read its output as 'clean.csv?plain'.",
    takes="FILE",
    function="tiebreak.read",
    result="tiebreak.Results",
    offer=Offer(
        fields=("file", "format", "clean", "long"),
        text="How a file is understood; the same table as clean csv or parquet.",
        tool="Show how a table of results is understood: names, scores, costs, gaps, what is left out. Ask this"
        " first.",
    ),
    options=(
        g.RESULTS,
        g.WHERE,
        *g.UNDERSTANDING,
        *g.of_web(g.PARTS),
        g.PRICES,
        g.SCORE.but(name="scores"),
        g.COLUMN,
        *(way.but(argument=False) for way in g.WAYS),
        g.DIRECTION.but(argument=False),
        Option(
            name="out", flag="--out", short="-o", kind="out", group=WRITE, metavar="FILE", common=True, web=False,
            argument=False, help="write the table there: .csv or .parquet",
        ),
        Option(
            name="long", flag="--long", kind="switch", group=WRITE, web=False, argument=False,
            help="with -o: one row per run, also where one row per data set would do",
        ),
        g.JSON,
    ),
    columns=(
        Column("dataset", "data set", text=True),
        Column("{algorithm}", "mean of the first score of this algorithm"),
    ),
    examples=("examples/demsar2006.csv --score auc", "examples/ulas2012.csv -o clean.csv --json"),
)  # fmt: skip
