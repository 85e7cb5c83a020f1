"""`tiebreak recommend`: an order of algorithms for new data, with the neighbours that explain it."""

from __future__ import annotations

from tiebreak.verbs import READ, TEST, WRITE, Column, Offer, Option, Verb, groups as g
from tiebreak.verbs.run import PROGRESS

LEARN, HOW, TRY = "what to learn from", "how to recommend", "how to try it out"
BASE = Option(
    name="base", flag="--base", kind="texts", group=LEARN, metavar="BASE", common=True, web=False, argument=False,
    words=("shipped", "shipped-all"),
    help="shipped, shipped-all (with artificial data sets), a knowledge file (.json) or a store; may be repeated",
)  # fmt: skip
TIME = Option(
    name="time", flag="--time", group=LEARN, metavar="A,B", argument=False,
    help="the column of seconds; several are added up; 'none' for none",
)  # fmt: skip
META = Option(
    name="meta", flag="--meta", kind="file", group=LEARN, metavar="FILE", argument=False,
    help="meta-attributes of the data sets, one row each",
)  # fmt: skip
METHOD = Option(
    name="method", flag="--method", group=HOW, metavar="NAME", words="methods - ranking",
    help="{words}; default portfolio, with a trade a3r",
)  # fmt: skip

OF_RUNS = ("run", "stop_below", "jobs", "pilot", "code", "variant")
"""Options of `recommend` that fit algorithms or write files: a server fits in the background alone, by a route of its
own."""

VERB = Verb(
    name="recommend",
    help="an order of algorithms for new data, from past results on similar data",
    description="Recommend an order of algorithms for a new data set. Past results come from --base, --store or"
    " --results, by default from the shipped bases for classification and regression.",
    takes="[DATA]",
    titles=(READ, LEARN, HOW, TRY, TEST, WRITE),
    function="tiebreak.recommend",
    result="tiebreak.advisor.Recommendation",
    offer=Offer(
        fields=("file", "learn_from", "format", "page"), most=1, brings="data set", unless=("known",),
        without=OF_RUNS,
        text="An order of algorithms for new data, from past results on similar data.",
        tool="Recommend an order of learning algorithms for a new data set, from past results on similar data.",
        file="The path of a file: csv, xlsx, parquet or arff; or builtin:iris.",
    ),
    options=(
        Option(
            name="data", kind="file", nargs="?", group=READ, metavar="DATA", common=True, web=False,
            help="the new data: csv, xlsx, parquet or arff, or builtin:NAME",
        ),
        Option(
            name="target", flag="--target", group=READ, metavar="NAME", common=True,
            help="the column to predict; by default one called class, target, ..., else the last",
        ),
        Option(
            name="kind", flag="--kind", group=READ, metavar="KIND", words=("classes", "number"), strict=True,
            help="what the target is: classes or number; by default its values tell it",
        ),
        Option(
            name="drop", flag="--drop", kind="names", group=READ, metavar="A,B", common=True,
            help="columns to leave out",
        ),
        Option(
            name="keep", flag="--keep", kind="names", group=READ, metavar="A,B",
            help="columns to keep although they look like ids, dates, text, constants; or all",
        ),
        Option(
            name="known", flag="--known", group=READ, metavar="DATASET",
            help="instead of DATA: a known data set as if it were new",
        ),
        BASE,
        Option(
            name="store", flag="--store", group=LEARN, metavar="URL", web=False, argument=False,
            help="a store: results.db, postgresql://...; 'results.db?resampling=5x2cv&seed=1' chooses",
        ),
        Option(
            name="results", flag="--results", kind="files", group=LEARN, metavar="FILE", words="published",
            argument=False, help="a table of past results, or published:NAME; may be repeated",
        ),
        g.SCORE.but(
            group=LEARN, argument=True,
            help="the score to optimise: accuracy (default), auc or log_loss; for numbers relative_rmse",
        ),
        TIME,
        *(way.but(group=LEARN, common=False, argument=False) for way in g.WAYS),
        g.COLUMN.but(group=LEARN, argument=False, help="such as dataset=task"),
        g.WHERE.but(
            group=LEARN, common=False, argument=False, help='rows to keep, such as "imputed == False"'
        ),
        META,
        Option(
            name="trade", flag="--trade", group=HOW, metavar="TEXT", common=True,
            help='accuracy traded for time, such as "1%% for 10x"; default: none',
        ),
        Option(
            name="accd", flag="--accd", kind="number", group=HOW, metavar="X",
            help="the same as in the papers: accuracy traded for ten times the speed",
        ),
        METHOD,
        Option(
            name="variant", flag="--variant", group=HOW, metavar="YEAR", words=("2003",), strict=True,
            help="a published procedure: ARR on 5 neighbours (Brazdil, Soares and Costa 2003)",
        ),
        Option(
            name="neighbours", flag="--neighbours", default="auto", group=HOW, metavar="K",
            help="how many known data sets, or all; chosen if left out",
        ),
        Option(
            name="measures", flag="--measures", kind="names", group=HOW, metavar="A,B",
            help="the meta-attributes that measure similarity; a group such as simple; all",
        ),
        Option(
            name="exclude", flag="--exclude", kind="texts", group=HOW, metavar="DATASET",
            help="a known data set to leave out",
        ),
        Option(
            name="algorithms", flag="--algorithms", kind="names", group=HOW, metavar="A,B", common=True,
            help="rank only these",
        ),
        Option(
            name="budget", flag="--budget", group=HOW, metavar="TIME", common=True,
            help="also plan what to try within this time: 10min, 90s, 2h or a number of seconds",
        ),
        Option(
            name="pilot", flag="--pilot", group=TRY, metavar="TIME", common=True, web=False,
            help="time to fit a few algorithms on the data before answering (default 5s; with --method, --trade or"
            " --budget"
            " 0); 0: past results alone",
        ),
        Option(
            name="code", flag="--code", kind="out", group=TRY, metavar="FILE", common=True, web=False, argument=False,
            help="also write Python code that fits the answer on all rows",
        ),
        Option(
            name="run", flag="--run", group=TRY, metavar="TIME", common=True,
            help="continue the pilot on all rows for this time (90s, 10min, 2h) and store every fold (--store,"
            " default results.db)",
        ),
        Option(
            name="stop_below", flag="--stop-below", kind="number", group=TRY, metavar="X",
            help="of --run: stop when the expected loss is below this (default 0.001; 0 tries all)",
        ),
        g.JOBS.but(group=TRY, help="cells at a time on this machine; default: the cores"),
        PROGRESS.but(group=TRY),
        *g.LEVEL,
        g.FULL,
        g.JSON.but(group=WRITE),
        g.OUT_OR_PAGE,
    ),
    columns=(
        g.PLACE,
        g.ALGORITHM,
        Column("", "what it adds to the best of those above it", "adds"),
        Column("{score}", "what the method ranks by"),
        Column("{rate} there", "mean on the nearest known data sets", "mean {rate}"),
        Column("predicted seconds", "time to fit it here"),
        Column("nine of ten", "interval of that time", shown="full", text=True),
        Column("measured on", "known data sets with a result of it", shown="full"),
        Column("tried", "after a pilot: the algorithm", text=True),
        Column("{unit}", "how far it is expected to be behind the first"),
        Column("folds", "folds that were run"),
        Column("seconds", "time that they took"),
        Column("{trade}", "the same once time is charged, with a trade"),
    ),
    examples=("builtin:iris --run 30s", '--known wine --trade "1% for 10x" --budget 1min'),
)  # fmt: skip
