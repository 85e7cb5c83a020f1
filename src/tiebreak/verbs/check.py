"""`tiebreak check`: which claims of a document its tables support."""

from __future__ import annotations

from tiebreak.verbs import COMPARE, READ, WRITE, Offer, Option, Verb, groups as g

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
    examples=("examples/paper.tex", "examples/paper.tex --claim svr -o check.md"),
)  # fmt: skip
