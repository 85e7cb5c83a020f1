"""`tiebreak board`: a leaderboard as a folder of files, for any server of files or none."""

from __future__ import annotations

import argparse
from pathlib import Path

from tiebreak.cli import options
from tiebreak.cli.helping import COMPARE, WRITE, add_verb, group
from tiebreak.cli.order import add_costs, add_tests, read_results, told_of


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "board",
        help="a leaderboard as a folder: order, tiers, prices, every pair explained, what changed, badges",
        description="Order, put algorithms without significant differences into tiers, write a static leaderboard.",
        takes="[RESULTS ...]",
        parents=[options.table(), options.common()],
        examples=[
            "examples/ulas2012.csv --score accuracy --cost train_time -o site",
            "examples/items.csv --score accuracy --cost price --cluster document --epoch answer --date 2026-11-17",
        ],
    )
    group(verb, COMPARE).add_argument("--dataset", metavar="NAME", help="a board of this data set alone")
    options.add_missing(verb, "order")
    add_tests(verb)
    add_costs(verb, missing="costliest")
    write = group(verb, WRITE)
    write.add_argument("-o", "--out", default="site", metavar="DIR", help="the folder to write to (default site)")
    write.add_argument("--title", metavar="TEXT", help="the title of the board")
    write.add_argument("--date", metavar="DATE", help="when the results are from, such as 2026-11-17; no clock is read")
    builds = write.add_mutually_exclusive_group()
    builds.add_argument(
        "--since", metavar="FILE", help="tell what changed since this board.json (default: that of the folder)"
    )
    builds.add_argument("--anew", action="store_true", help="tell nothing of earlier builds")
    options.add_formats(verb, documents=False)
    verb.set_defaults(run=run, groups=None)


def run(arguments: argparse.Namespace) -> None:
    """Read, order, write."""
    from tiebreak.boards import board

    results = read_results(arguments)
    made = board(
        results,
        name=arguments.title,
        date=arguments.date,
        since=arguments.since,
        **told_of(arguments, results),
    )
    made = made.save(arguments.out, anew=arguments.anew)
    options.stdout_utf8()
    if arguments.json:
        print(options.as_json(made.to_dict()))
        return
    count = len(made.tiers)
    tiers = (
        f"{len(made.entries)} {made.facts.noun}s in {count} tier{'s' * (count != 1)}, {made.entries[0].algorithm} first"
    )
    print(f"{made.title()}: {tiers}; written to {Path(arguments.out) / 'index.html'}")
    for sentence in () if made.changes is None else made.changes.sentences():
        print(sentence)
