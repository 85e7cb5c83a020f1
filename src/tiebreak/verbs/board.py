"""`tiebreak board`: a leaderboard as a folder of files, for any server of files or none."""

from __future__ import annotations

from tiebreak.verbs import COMPARE, WRITE, Column, Offer, Option, Verb, groups as g

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
    columns=(
        g.PLACE,
        g.ALGORITHM,
        Column("tier", "1 is the best; no significant difference inside a tier"),
        Column("score", "mean score", "{score}"),
        *g.ENDS,
        *g.LOSS,
        Column("cost", "mean cost", "{cost}"),
        Column("ratio", "cost beside that of the best-scoring one", "relative cost"),
        Column("worth", "distance to the first, once cost is charged"),
        Column("first_place", "the best place by score that the tests leave open", "places by score"),
        Column("last_place", "the worst one", shown="rows"),
        Column("front", "whether none is as good in score and cost and better in one", shown="rows"),
        Column("by", "what decided its place", shown="rows", text=True),
        Column("badge", "its mark in a word", shown="rows", text=True),
        Column("organisation", "of the table, where it has such a column", "Organization", text=True),
        Column("link", "likewise", "Link", text=True),
        g.REASON,
    ),
    examples=(
        "examples/ulas2012.csv --score accuracy --cost train_time -o site",
        "examples/items.csv --score accuracy --cost price --column cluster=document --column epoch=answer",
    ),
)  # fmt: skip
