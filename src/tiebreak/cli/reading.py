"""Options that say how a file is to be understood; every verb that reads results has them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tiebreak.errors import InputError, OptionError
from tiebreak.methods.policies import OF_VERB

if TYPE_CHECKING:
    from tiebreak.tables import Results

OPTIONS = ("transpose", "keep_rows", "sheet", "table", "decimal", "names", "plain")


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


def named_too(error: InputError, arguments: argparse.Namespace) -> None:
    """Add to an error of reading that the score has no name, so that it is not said only once the table is mended."""
    told = getattr(arguments, "score", None) or _has_direction(arguments)
    if hasattr(arguments, "missing") and getattr(error, "unnamed", False) and not told:
        more = "The score has no name either: add --score accuracy, or whatever it is."
        error.command = f"{getattr(error, 'command', error)}\n{more}"  # type: ignore[attr-defined]


def check_needed(results: Results, arguments: argparse.Namespace) -> None:
    """Name all options that are missing where there are several; one alone is refused where it is needed."""
    if not hasattr(arguments, "missing") or len(results.scores) != 1:
        return
    score = results.scores[0]
    needed = []
    unknown = results.metric(score).higher_is_better is None and not results.dataset_metrics
    if unknown and not _has_direction(arguments):
        text = (
            f"Nothing says whether a higher {score!r} is better: --higher-is-better or --lower-is-better, or name the"
        )
        needed.append(f"{text} score by a known word, such as --score accuracy.")
    gaps = (
        results.gaps(score)
        if arguments.missing == "refuse" and getattr(arguments, "omnibus", "") != "skillings-mack"
        else ()
    )
    if gaps:
        verb = arguments.verb if arguments.verb in OF_VERB else "compare"
        *most, last = (policy for policy in OF_VERB[verb] if policy != "refuse")
        many = f"are {len(gaps)} gaps" if len(gaps) > 1 else "is 1 gap"
        needed.append(
            f"There {many} ({gaps[0]}{', ...' if len(gaps) > 1 else ''}): --missing {', '.join(most)} or {last}."
        )
    if len(needed) > 1:
        lines = [f"{number}. {text}" for number, text in enumerate(needed, 1)]
        raise OptionError("\n".join([f"{len(needed)} options are missing:", *lines]))


def _has_direction(arguments: argparse.Namespace) -> bool:
    return bool(arguments.higher_is_better or arguments.lower_is_better or arguments.direction)
