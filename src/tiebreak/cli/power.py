"""`tiebreak power`: how many items it takes to see a difference, and how small a difference so many items show."""

from __future__ import annotations

import argparse
from dataclasses import replace

from tiebreak.caveats import codes_of, distinct
from tiebreak.cli import options
from tiebreak.cli.helping import COMPARE, TEST, add_verb, group
from tiebreak.cli.table_reading import read_measures
from tiebreak.errors import OptionError


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "power",
        help="how many items it takes to see a difference of two models",
        description="Plan a comparison on items: the smallest difference that so many items can show, or how many items"
        " a difference needs; from a table of items, or from how far answers of two models differ.",
        takes="[RESULTS ...]",
        parents=[options.table(), options.common()],
        examples=["--items 500 --discordant 0.2", "--difference 0.01 --discordant 0.1 --pairs 15"],
    )
    plan, test = group(verb, COMPARE), group(verb, TEST)
    plan.add_argument("--items", type=int, metavar="N", help="so many items: which difference can they show?")
    plan.add_argument("--difference", type=float, metavar="X", help="this difference: how many items does it take?")
    plan.add_argument(
        "--discordant", type=float, metavar="SHARE", help="share of items that exactly one of two models gets right"
    )
    plan.add_argument("--sd", type=float, metavar="X", help="graded scores: deviation of the difference on an item")
    plan.add_argument("--design-effect", type=float, default=1.0, metavar="X", help="what clusters do to the variance")
    plan.add_argument("--pairs", type=int, default=1, metavar="N", help="pairs that are tested at once (default 1)")
    test.add_argument("--power", type=float, default=0.8, metavar="X", help="the power asked for (default 0.8)")
    options.add_formats(verb)
    options.add_out(verb)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Plan from a table, or from numbers, and print."""
    text = _from_table(arguments) if arguments.results or arguments.store else _from_numbers(arguments)
    options.stdout_utf8()
    options.emit(text, arguments.out)


def _from_table(arguments: argparse.Namespace) -> str:
    from tiebreak.deciding.planning import plan_items
    from tiebreak.tables.item_table import item_table

    for name in ("items", "discordant", "sd"):
        if getattr(arguments, name) is not None:
            raise OptionError(
                f"--{name} was given with a table.",
                why="The table tells how many items there are and how far answers differ.",
                mend="Leave it out, or leave the table out.",
            )
    results = read_measures(arguments, None if arguments.score is None else [arguments.score])
    table = item_table(results, arguments.score)
    found = plan_items(table, difference=arguments.difference, power=arguments.power, alpha=arguments.alpha)
    found = replace(found, caveats=distinct([*results.caveats, *found.caveats]))
    return options.as_json(found.to_dict()) if arguments.json else options.written(found, arguments)


def _from_numbers(arguments: argparse.Namespace) -> str:
    from tiebreak.deciding.planning import check_planned, describe
    from tiebreak.stats import detectable_difference, items_needed

    check_planned(arguments.items, arguments.difference)
    told = options.passed(arguments, "discordant sd power alpha pairs design_effect")
    if arguments.items is not None:
        found = detectable_difference(arguments.items, **told)
    else:
        found = items_needed(arguments.difference, **told)
    if arguments.json:
        from tiebreak.documents.words import finite_rows

        notes = {"caveats": list(found.caveats), "caveat_codes": codes_of(found.caveats)}
        return options.as_json({**finite_rows(found.rows())[0], "text": describe(found), **notes})
    return "\n".join([describe(found), *(f"- {note}" for note in found.caveats)])
