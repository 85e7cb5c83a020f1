"""`tiebreak battles`: votes on pairs -> strengths, groups, and an order with price."""

from __future__ import annotations

from tiebreak.verbs import COMPARE, READ, TEST, Column, Offer, Option, Verb, groups as g

VERB = Verb(
    name="battles",
    help="votes on pairs: who is stronger, and which is worth its price",
    description="Fit Bradley and Terry's model with ties to votes on pairs, with errors clustered by prompt and"
    " voter; test all pairs; order by win rate where the difference is worth its price, by price where it is not.",
    takes="VOTES",
    function="tiebreak.battles",
    result="tiebreak.evals.battles.Battles",
    offer=Offer(
        fields=("file", "format", "figure"), most=1, brings="file of votes",
        text="Votes on pairs: who is significantly stronger, and who is first once cost counts.",
        tool="Turn votes on pairs of models (model_a, model_b, winner) into strengths, groups, and an order with"
        " price.",
        file="The path of a file of votes: csv, tsv, json, jsonl or parquet; with a score, of a table of results.",
    ),
    options=(
        Option(
            name="votes", kind="file", group=READ, metavar="VOTES", common=True, web=False,
            help="csv, tsv, json, jsonl or parquet of votes, - for standard input; or of scores",
        ),
        g.COLUMN.but(
            help="which column plays which role: left, right, winner, prompt, voter; or, with --score, as for compare"
        ),
        Option(
            name="labels", flag="--label", kind="texts", group=READ, metavar="LABEL=MEANING",
            help="the meaning of a label of the winner column: left, right, tie, both-bad or drop; may be repeated",
        ),
        g.WHERE,
        g.SCORE.but(help="read a table of scores: on each data set the better score wins"),
        *g.WAYS,
        Option(
            name="tie_within", flag="--tie-within", cli=False, kind="number", default=0.0, group=READ, metavar="X",
            help="scores no further apart are a tie (default 0)",
        ),
        Option(
            name="disconnected", flag="--disconnected", cli=False, default="refuse", group=COMPARE, metavar="RULE",
            words=("refuse", "largest"), help="parts that no votes join: refuse (default) or largest",
        ),
        g.ALPHA,
        Option(
            name="ties", flag="--ties", default="davidson", group=TEST, metavar="MODEL",
            words=("davidson", "half"), help="davidson (default), or half: half a win each",
        ),
        Option(
            name="cluster", flag="--cluster", group=TEST, metavar="KINDS",
            words=("prompt", "voter", "prompt,voter", "none"),
            help="how votes are clustered: prompt, voter, prompt,voter (default where known) or none",
        ),
        Option(
            name="adjust", flag="--posthoc", group=TEST, metavar="NAME", words="methods compare correction",
            help="correction for all pairs: {words}; default shaffer",
        ),
        Option(
            name="pseudo_votes", flag="--pseudo-votes", cli=False, kind="number", default=0.0, group=TEST, metavar="X",
            help="prior votes for and against every algorithm (default 0)",
        ),
        Option(
            name="both_bad", flag="--both-bad", cli=False, default="tie", group=READ, metavar="RULE",
            words=("tie", "drop"),
            help="votes that call both bad: tie (default) or drop",
        ),
        g.COST.but(
            kind="text", help="the cost: a column of --prices (default price), or NAME_a and NAME_b beside votes"
        ),
        g.PRICES.but(help="a file with the price of each algorithm", common=True),
        g.TRADE.but(help="what ten times the price must buy: 1%% of the best win rate (default) or 0.5pt"),
        g.RULE.but(words=("worth", "multitest"), help="worth (default) or multitest (Yildiz, Alpaydin 2006)"),
        g.EXPLAIN,
        g.FULL,
        g.JSON,
        g.OUT,
        *g.drawn("Battles"),
    ),
    columns=(
        g.PLACE,
        g.ALGORITHM,
        Column("expected_win_rate", "against the average opponent, in %", "win rate"),
        *g.LOSS,
        Column("relative_cost", "cost beside that of the best win rate", "{cost}"),
        Column("{cost}", "cost of one answer"),
        Column("worth", "win rate less the price of its cost; printed as the distance to the first"),
        Column("elo", "400 points are odds of ten to one, the mean has 1000", "Elo"),
        Column("elo_low", "lower end of its interval", shown="rows"),
        Column("elo_high", "its upper end", shown="rows"),
        Column("", "both ends", "{level} interval"),
        Column("strength", "strength in the model, on the log scale", shown="rows"),
        Column("error", "its standard error", shown="rows"),
        Column("win_rate", "share of its votes that it won, a tie as half", "share won"),
        Column("votes", "votes that it was in", "battles", shown="full"),
        Column("wins", "votes won; printed with ties and losses", "W/T/L", shown="full"),
        Column("ties", "votes tied", shown="rows"),
        Column("losses", "votes lost", shown="rows"),
        g.GROUP,
        Column("by", "with a price: what decided its place", text=True),
        g.REASON,
    ),
    examples=(
        "examples/votes.csv --prices examples/prices.csv --cost price",
        "examples/ulas2012.csv --score accuracy --cost train_time --explain svl,5nn",
    ),
)  # fmt: skip
