"""`tiebreak paper`: how to do here what a paper does, and what came out."""

from __future__ import annotations

from tiebreak.verbs import READ, WRITE, Column, Option, Verb, groups as g

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
    columns=(
        Column("paper", "without a name: each paper of the ledger", text=True),
        Column("about", "what it is about", text=True),
        Column("{verdict}", "number of its values with this verdict"),
        Column("id", "of one paper: name of the record", text=True),
        Column("where", "table, figure or page", text=True),
        Column("what", "what is printed there", text=True),
        Column("printed", "the value of the paper", text=True),
        Column("command", "how to compute it", text=True),
        Column("ours", "the value that comes out", text=True),
        Column("verdict", "same, same after rounding, differs or cannot be checked", text=True),
        Column("reason", "why, where they are not the same", text=True),
    ),
    examples=("ulas2012", "demsar2006 --full"),
)  # fmt: skip
