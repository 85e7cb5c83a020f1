"""`tiebreak board`: a leaderboard as a folder of files, for any server of files or none."""

from __future__ import annotations

from tiebreak.verbs import COMPARE, WRITE, Offer, Option, Verb, groups as g

VERB = Verb(
    name="board",
    help="a leaderboard as a folder: order, tiers, prices, every pair explained, what changed, badges",
    description="Order, put algorithms without significant differences into tiers, write a static leaderboard.",
    takes="[RESULTS ...]",
    function="tiebreak.board",
    result="tiebreak.evals.board.Board",
    offer=Offer(
        fields=("file", "store"), writes={"out": "site"},
        example={"file": "published:ulas2012", "score": "accuracy", "cost": ["train_time"], "title": "Ours"},
        text="A leaderboard: order, tiers without a significant difference, costs, what changed since an earlier"
        " board.json; the page is kept, feed and badges are given back.",
        tool="Make a leaderboard: order with reasons, tiers without a significant difference, scores with intervals,"
        " costs, what changed since an earlier board.json. Nothing is written.",
    ),
    options=(
        *g.TABLE,
        g.PRICES,
        g.missing("order").but(group=COMPARE),
        g.TRADE,
        g.RULE,
        g.COST,
        *g.LEVEL,
        Option(
            name="out", flag="--out", short="-o", kind="folder", default="site", group=WRITE, metavar="DIR",
            common=True, web=False, argument=False, help="the folder to write to (default site)",
        ),
        g.TITLE.but(help="the title of the board"),
        Option(
            name="date", flag="--date", group=WRITE, metavar="DATE",
            help="when the results are from, such as 2026-11-17; no clock is read",
        ),
        Option(
            name="since", flag="--since", kind="file", group=WRITE, metavar="FILE",
            help="say what changed since this board.json (default: that of the folder; none: nothing)",
        ),
        g.JSON,
    ),
    examples=(
        "examples/ulas2012.csv --score accuracy --cost train_time -o site",
        "examples/items.csv --score accuracy --cost price --column cluster=document --column epoch=answer",
    ),
)  # fmt: skip
