"""`tiebreak check`: which claims of a document its tables support."""

from __future__ import annotations

from tiebreak.verbs import COMPARE, READ, WRITE, Column, Offer, Option, Verb, groups as g

VERB = Verb(
    name="check",
    help="which claims of a paper its tables support",
    description="Find the tables of results in a document (LaTeX, Markdown, HTML, or a folder), and test whether"
    " each method that is called best is significantly better than its rivals.",
    takes="PAPER",
    function="tiebreak.check",
    result="tiebreak.checking.DocumentCheck",
    offer=Offer(
        text="Which claims of a paper its tables support.", fields=("file", "format"), most=1, brings="document",
        without=("strict",),
    ),
    options=(
        Option(
            name="paper", kind="file", group=READ, metavar="PAPER", common=True, web=False,
            help="a .tex, .md or .html file, any other with tables, or a folder",
        ),
        g.SCORE.but(help="the score, if neither a table nor its caption names it"),
        *g.WAYS,
        Option(
            name="table", flag="--table", kind="integer", group=READ, metavar="N", common=True,
            help="only this table of each file, by its number",
        ),
        Option(
            name="claim", flag="--claim", kind="texts", group=COMPARE, metavar="NAME", common=True,
            help="judge this method instead of those in bold; may be repeated",
        ),
        g.missing("compare"),
        g.ALPHA,
        g.FULL,
        g.JSON,
        g.OUT,
        Option(
            name="strict", flag="--strict", kind="switch", group=WRITE, common=True, argument=False,
            help="exit with 1 unless there is a claim and all claims are supported",
        ),
    ),
    columns=(
        Column("table", "number of the table in the document"),
        Column("source", "its file", shown="rows", text=True),
        Column("claim", "the method that is called best", text=True),
        Column("score", "by which score", shown="rows", text=True),
        Column("rival", "the method beside it", shown="rows", text=True),
        Column("verdict", "whether the numbers support the claim; in rows, against the rival", text=True),
        Column("", "rivals that the claim does not beat", "not significantly better than", text=True),
        Column("estimate", "difference of the two", shown="rows"),
        *g.ENDS,
        Column("pvalue", "p-value of the test against the rival", shown="rows"),
        Column("adjusted", "the same after Holm's correction", shown="rows"),
        Column("datasets_needed", "data sets that would decide it", shown="rows"),
    ),
    examples=("examples/paper.tex", "examples/paper.tex --claim svr -o check.md"),
)  # fmt: skip
