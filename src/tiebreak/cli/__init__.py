"""The command line: glue only, a file per verb."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

from tiebreak import __version__
from tiebreak.errors import TiebreakError, UnknownDirection, not_installed
from tiebreak.wording import on_the_command_line

VERBS = tuple(
    (
        "demo read check compare order multivariate power battles gate run store recommend report board study paper"
        " serve mcp completion"
    ).split()
)
"""Every verb, in the order of the help; each is a module of that name here, with `add_to` and `run`."""


def parser(*named: str) -> argparse.ArgumentParser:
    """Build the parser of the verbs that are named, or of all: a call needs one, and the others cost time to load."""
    top = argparse.ArgumentParser(
        prog="tiebreak",
        description="Order learning algorithms from best to worst: by score where the difference is worth its cost,"
        " by cost where it is not.",
        epilog="tiebreak VERB --help says what a verb takes, with examples. tiebreak FILE does the obvious thing.",
    )
    top.add_argument("--version", action="version", version=f"tiebreak {__version__}")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in named or VERBS:
        import_module(f"tiebreak.cli.{verb}").add_to(verbs)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; an error of the user's making goes to standard error with exit code 2."""
    told = list(sys.argv[1:] if argv is None else argv)
    if told and told[0] not in VERBS and not told[0].startswith("-"):
        from tiebreak.cli.no_verb import run_obvious

        if (code := run_obvious(told)) is not None:
            return code
    made = parser(*(told[:1] if told and told[0] in VERBS else ()))
    arguments, unknown = made.parse_known_args(told)
    if unknown:
        made.error(_unknown(made, arguments.verb, unknown))
    try:
        with on_the_command_line(arguments.verb):
            code = arguments.run(arguments)
        sys.stdout.flush()
    except UnknownDirection as error:
        from tiebreak.cli.direction import ask

        print(f"tiebreak {arguments.verb}: {error.what} {error.why}", file=sys.stderr)
        option = ask(told)
        return 2 if option is None else main([*told, option])
    except TiebreakError as error:
        print(f"tiebreak {arguments.verb}: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(f"tiebreak {arguments.verb}: {_not_installed(error)}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("tiebreak: interrupted", file=sys.stderr)
        return 130
    return code or 0


def _unknown(made: argparse.ArgumentParser, verb: str, unknown: Sequence[str]) -> str:
    """Say which arguments a verb does not know, and which option was meant."""
    verbs = next(each for each in made._actions if isinstance(each, argparse._SubParsersAction))
    known = verbs.choices[verb]._option_string_actions
    close = [(each, get_close_matches(each.partition("=")[0], known, n=1)) for each in unknown if each.startswith("--")]
    meant = next((f" There is no {wrong}. Did you mean {right[0]}?" for wrong, right in close if right), "")
    return f"unrecognized arguments: {' '.join(unknown)}.{meant}"


def _not_installed(error: ModuleNotFoundError) -> str:
    """Say what to install in an environment made for less, such as that of the demo; our own mistakes go on up."""
    if (known := not_installed(str(error.name))) is not None:
        return str(known)
    if error.name not in ("polars", "narwhals"):
        raise error
    return (
        f"{error.name} is not installed. Parquet, large files and data frames are read with it."
        f" Install it: pip install {error.name}"
    )
