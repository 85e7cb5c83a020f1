"""The command line: derived from the records of the verbs."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from difflib import get_close_matches

from tiebreak.cli.answering import finish, runner
from tiebreak.cli.parsing import parser as parser
from tiebreak.errors import TiebreakError, UnknownDirection, not_installed
from tiebreak.verbs import VERBS as VERBS, verb_of
from tiebreak.wording import on_the_command_line

gc.set_threshold(100_000)  # imports make no garbage to look for
atexit.register(gc.freeze)  # the end of the process frees all memory at once


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; an error of the user's making goes to standard error with exit code 2."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] not in VERBS and not words[0].startswith("-"):
        from tiebreak.cli.no_verb import run_obvious

        if (code := run_obvious(words)) is not None:
            return code
    built = parser(*(words[:1] if words and words[0] in VERBS else ()))
    values, unknown = built.parse_known_args(words)
    if unknown:
        built.error(_unknown(values.verb, unknown))
    try:
        with on_the_command_line(values.verb, source=source_of(values)):
            code = finish(runner(verb_of(values.verb))(values), values)
        sys.stdout.flush()
    except UnknownDirection as error:
        from tiebreak.cli.no_verb import ask_direction

        print(f"tiebreak {values.verb}: {error.what} {error.why}", file=sys.stderr)
        option = ask_direction(words)
        return 2 if option is None else main([*words, option])
    except TiebreakError as error:
        print(f"tiebreak {values.verb}: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(f"tiebreak {values.verb}: {_not_installed(error)}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("tiebreak: interrupted", file=sys.stderr)
        return 130
    return code


def source_of(values: Namespace) -> str:
    """Return what is read, as messages name it."""
    results = getattr(values, "results", None)
    first = results[0] if isinstance(results, list) and results else results
    return getattr(values, "store", None) or first or getattr(values, "paper", None) or ""


def _unknown(verb: str, unknown: Sequence[str]) -> str:
    """Say which arguments a verb does not know, and which option was meant."""
    known = [each.flag.strip("-") for each in verb_of(verb).flags]
    wrong = [each.partition("=")[0].strip("-") for each in unknown if each.startswith("--")]
    close = [
        (each, [name for name in known if sorted(name) == sorted(each)] or get_close_matches(each, known, cutoff=0.7))
        for each in wrong
    ]
    meant = next((f" There is no --{each}. Did you mean --{right[0]}?" for each, right in close if right), "")
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
