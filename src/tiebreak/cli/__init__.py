"""The command line: glue only, a file per verb."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from tiebreak import __version__
from tiebreak.errors import TiebreakError, UnknownDirection
from tiebreak.wording import on_the_command_line

VERBS = tuple(
    (
        "demo read check compare order multivariate power battles gate run store recommend report board study serve mcp"
        " completion"
    ).split()
)
"""Every verb, in the order of the help; each is a module of that name here, with `add_to` and `run`."""


def parser(*named: str) -> argparse.ArgumentParser:
    """Build the parser of the verbs that are named, or of all: a call needs one, and the others cost time to load."""
    top = argparse.ArgumentParser(
        prog="tiebreak",
        description="Order learning algorithms from best to worst: by score where the difference is worth its cost,"
        " by cost where it is not.",
        epilog="tiebreak VERB --help says what a verb takes, with examples.",
    )
    top.add_argument("--version", action="version", version=f"tiebreak {__version__}")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in named or VERBS:
        import_module(f"tiebreak.cli.{verb}").add_to(verbs)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; an error of the user's making goes to standard error with exit code 2."""
    told = sys.argv[1:] if argv is None else argv
    arguments = parser(*(told[:1] if told and told[0] in VERBS else ())).parse_args(told)
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


def _not_installed(error: ModuleNotFoundError) -> str:
    """Say what to install in an environment made for less, such as that of the demo; our own mistakes go on up."""
    if error.name not in ("polars", "narwhals"):
        raise error
    return (
        f"{error.name} is not installed. Parquet, large files and data frames are read with it."
        f" Install it: pip install {error.name}"
    )
