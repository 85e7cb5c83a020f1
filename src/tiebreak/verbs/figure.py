"""`tiebreak figure`: one figure of a result, in the size and look that a paper or a page needs."""

from __future__ import annotations

from tiebreak.verbs import READ, WRITE, Option, Verb, groups as g

VERB = Verb(
    name="figure",
    help="draw one figure of a table: which kind, how wide, in which letters and theme",
    description="Compare, order or compare by several measures, and draw: cd, control, matrix, scores"
    " and forest show a comparison; frontier and order an order; contours and learned several measures;"
    " strengths votes.",
    takes="RESULTS KIND",
    function="tiebreak.figure",
    result="tiebreak.figures.Figure",
    options=(
        Option(
            name="results", kind="file", nargs="+", group=READ, metavar="RESULTS", common=True, words="published",
            web=False, help="a table, as for compare; or votes, as for battles",
        ),
        Option(
            name="kind", group=READ, metavar="KIND", common=True, web=False, argument=False,
            words="figures Comparison Ordering MultivariateComparison Battles", help="{words}",
        ),
        g.WHERE,
        g.SCORE.but(help="the score to use; several, separated by commas, for contours and learned"),
        g.COLUMN,
        *g.WAYS,
        g.CONTROL,
        g.missing("compare"),
        g.COST.but(help="the cost of an order"),
        g.TRADE,
        g.RULE,
        g.ALPHA,
        Option(
            name="out", flag="--out", short="-o", kind="out", default="figure.svg", group=WRITE, metavar="FILE",
            common=True, web=False, argument=False, help=".svg, .tex (TikZ), .pdf or .png (default figure.svg)",
        ),
        *g.LOOKS,
    ),
    examples=(
        "examples/demsar2006.csv cd --score auc --width column -o cd.svg",
        "examples/ulas2012.csv frontier --score accuracy --cost train_time --top 5 --no-notes -o frontier.svg",
    ),
)  # fmt: skip
