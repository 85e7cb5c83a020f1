"""`tiebreak store`: what a store holds; tables out of it and into it."""

from __future__ import annotations

from tiebreak.verbs import READ, WRITE, Column, Option, Verb, groups as g

BRING = "what to bring in"

VERB = Verb(
    name="store",
    help="say what a store holds; export it, or import the results of others",
    description="Show what a store holds: data sets, algorithms, plans, cells by status, and failures.",
    takes="URL",
    function="tiebreak.store",
    result="tiebreak.lab.contents.StoreContents",
    titles=(READ, BRING, WRITE),
    options=(
        Option(
            name="store", kind="file", group=READ, metavar="URL", common=True, web=False,
            help="results.db, sqlite:///..., postgresql://...",
        ),
        Option(
            name="source", flag="--import", kind="file", group=BRING, metavar="FILE", words="published", common=True,
            web=False,
            help="add results to the store: a table, another store (other.db), or published:NAME",
        ),
        Option(
            name="origin", flag="--origin", group=BRING, metavar="NAME", common=True,
            help="the source of imported results, such as 'Demsar 2006'",
        ),
        Option(
            name="score", flag="--score", kind="texts", group=BRING, metavar="NAME", common=True,
            help="import this score only; may be repeated",
        ),
        g.COLUMN.but(group=BRING, help="as for compare"),
        g.WHERE.but(group=BRING, common=False),
        Option(
            name="calibrate", flag="--calibrate", kind="switch", group=BRING, web=False,
            help="measure the speed of this host, to put times of several hosts on one scale",
        ),
        Option(
            name="export", flag="--export", kind="out", group=WRITE, metavar="FILE", common=True, web=False,
            help="write every cell to a .parquet or .csv file",
        ),
        Option(
            name="coverage", flag="--coverage", kind="switch", group=WRITE, common=True,
            help="also list the number of cells, and of successful ones, by algorithm and data set",
        ),
        g.JSON,
    ),
    columns=(
        Column("name", "algorithm", "algorithm", text=True),
        Column("cells", "cells in the store"),
        Column("ok", "cells that succeeded"),
    ),
    examples=(
        "results.db --import examples/demsar2006.csv --origin Demsar --score auc",
        "results.db --export all.csv",
    ),
)  # fmt: skip
