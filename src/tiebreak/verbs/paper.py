"""`tiebreak paper`: how to do here what a paper does, and what came out."""

from __future__ import annotations

from tiebreak.verbs import READ, WRITE, Option, Verb, groups as g

VERB = Verb(
    name="paper",
    help="a paper's tables and figures beside ours, each with its command",
    description="Show each table, figure, formula and claim of a paper, the command that reproduces it, and whether"
    " the printed value agrees. Without a name: list the papers.",
    takes="[NAME]",
    titles=(READ, WRITE),
    function="tiebreak.paper",
    options=(
        Option(
            name="name", kind="text", nargs="?", group=READ, metavar="NAME", common=True,
            words=("ulas2012", "ulas2008", "demsar2006", "yildiz2014", "brazdil2003"),
            help="ulas2012, ulas2008, demsar2006, yildiz2014 or brazdil2003",
        ),
        g.FULL,
        g.JSON,
        g.OUT,
    ),
    examples=("ulas2012", "demsar2006 --full"),
)  # fmt: skip
