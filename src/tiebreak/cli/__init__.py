"""The command line: glue only, a file per verb."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from tiebreak import __version__
from tiebreak.cli import compare, demo, multivariate, order, read, recommend, report, run, store, study
from tiebreak.errors import TiebreakError

VERBS = (demo, read, compare, order, multivariate, run, store, recommend, report, study)


def parser() -> argparse.ArgumentParser:
    """Build the parser of all verbs."""
    top = argparse.ArgumentParser(
        prog="tiebreak",
        description="Order learning algorithms: by error where the difference is real, by cost where it is not.",
    )
    top.add_argument("--version", action="version", version=f"tiebreak {__version__}")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in VERBS:
        verb.add_to(verbs)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; an error of the user's making goes to standard error with exit code 2."""
    arguments = parser().parse_args(argv)
    try:
        code = arguments.run(arguments)
        sys.stdout.flush()
    except TiebreakError as error:
        said = getattr(error, "command", None) or error  # in the words of the command line where there are such
        print(f"tiebreak {arguments.verb}: {said}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("tiebreak: interrupted", file=sys.stderr)
        return 130
    return code or 0
