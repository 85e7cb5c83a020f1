"""Options that say how a file is to be understood; every verb that reads results has them."""

from __future__ import annotations

import argparse
from typing import Any

from tiebreak.errors import OptionError

OPTIONS = ("transpose", "keep_rows", "sheet", "table", "decimal", "names", "metric", "prices", "plain")


def add_reading(shared: argparse._ActionsContainer) -> None:
    """Add the options."""
    shared.add_argument(
        "--transpose",
        action=argparse.BooleanOptionalAction,
        help="the rows of a wide table are algorithms; with --no-transpose data sets; by default names and titles tell",
    )
    shared.add_argument("--keep-rows", action="store_true", help="keep rows that sum up others (average, rank, wins)")
    shared.add_argument("--sheet", metavar="NAME", help="of a workbook: this sheet; of an archive: this file")
    shared.add_argument("--table", metavar="N", help="of a file with several tables: this one, by number or caption")
    shared.add_argument(
        "--decimal", metavar="MARK", help="the decimal mark, where numbers like 1,234 leave it open: . or ,"
    )
    shared.add_argument("--names", metavar="RULE", help="names that differ by spaces or case alone: exact or merge")
    shared.add_argument("--metric", metavar="NAME", help="of logs of evaluations: the metric to take")
    prices = "of logs of evaluations: csv with model, input, output in dollars per million tokens, or the JSON of"
    prices += " LiteLLM or OpenRouter"
    shared.add_argument("--prices", metavar="FILE", help=prices)
    shared.add_argument(
        "--plain", action="store_true", help="read every cell as it stands; nothing is understood or left out"
    )


def reading(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what was said, as `tiebreak.read` takes it."""
    return {name: getattr(arguments, name, None) for name in OPTIONS[:-1]} | {
        "keep_rows": bool(getattr(arguments, "keep_rows", False)),
        "plain": bool(getattr(arguments, "plain", False)),
    }


def check_reading(arguments: argparse.Namespace) -> None:
    """Refuse these options with a store, which needs no understanding."""
    for name in OPTIONS:
        if getattr(arguments, name, None) not in (None, False):
            option = name.replace("_", "-")
            raise OptionError(
                f"--{option} was given with --store.",
                why="It says how to understand a file; a store knows what it holds.",
                mend="Leave it out.",
            )


def needs_direction(arguments: argparse.Namespace) -> bool:
    """Say whether the verb compares scores, and only their name tells which way is better."""
    told = arguments.higher_is_better or arguments.lower_is_better or arguments.direction
    return hasattr(arguments, "missing") and not told
