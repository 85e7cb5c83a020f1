"""The command line: derived from the records of the verbs."""

from __future__ import annotations

import atexit
import gc
import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from tiebreak.cli.answering import check_out, finish, runner
from tiebreak.cli.parsing import parser as parser
from tiebreak.errors import TiebreakError, UnknownDirection, not_installed
from tiebreak.verbs import VERBS as VERBS, verb_of
from tiebreak.wording import on_the_command_line, shell

if TYPE_CHECKING:
    from tiebreak.obvious import Obvious

gc.set_threshold(100_000)  # imports make no garbage to look for
atexit.register(gc.freeze)  # the end of the process frees all memory at once


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; an error of the user's making goes to standard error with exit code 2."""
    words = list(sys.argv[1:] if argv is None else argv)
    named = bool(words) and (words[0] in VERBS or words[0].startswith("-"))
    if words and not named and (code := run_obvious(words)) is not None:
        return code
    built = parser(*(words[:1] if words and words[0] in VERBS else ()))
    values, unknown = built.parse_known_args(words)
    if unknown:
        built.error(_unknown(values.verb, unknown))
    try:
        with on_the_command_line(values.verb, source=source_of(values)):
            check_out(values)
            code = finish(runner(values.verb)(values), values)
        sys.stdout.flush()
    except UnknownDirection as error:
        print(f"tiebreak {values.verb}: {error.what} {error.why}", file=sys.stderr)
        option = _ask_direction(words)
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
    known = [flag.flag.strip("-") for flag in verb_of(verb).flags]
    wrong = [item.partition("=")[0].strip("-") for item in unknown if item.startswith("--")]
    close = [
        (item, [name for name in known if sorted(name) == sorted(item)] or get_close_matches(item, known, cutoff=0.7))
        for item in wrong
    ]
    meant = next((f" There is no --{item}. Did you mean --{right[0]}?" for item, right in close if right), "")
    return f"unrecognized arguments: {' '.join(unknown)}.{meant}"


def _not_installed(error: ModuleNotFoundError) -> str:
    """Say what to install in an environment made for less, such as that of the demo; our own mistakes go on up."""
    if (known := not_installed(str(error.name))) is not None:
        return str(known)
    if error.name not in ("polars", "narwhals"):
        raise error
    return f"{error.name}, which reads Parquet and data frames, is not installed: pip install {error.name}"


# ---- questions to somebody at a terminal


def _ask_direction(words: Sequence[str]) -> str | None:
    """Print the command for each direction, and return the option that a key chooses."""
    options = {way[0]: f"--{way}-is-better" for way in ("higher", "lower")}
    commands = {key: shlex.join(["tiebreak", *words, option]) for key, option in options.items()}
    key = _key("Is a higher (h) or a lower (l) score better?")
    if key in options:
        print(f"Next time: {commands[key]}\n", file=sys.stderr)
        return options[key]
    print(f"If higher is better: {commands['h']}\nIf lower is better: {commands['l']}", file=sys.stderr)
    return None


def _key(question: str) -> str:
    """Ask for one key; empty where nobody is at a terminal, or the question is interrupted."""
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        return ""
    try:
        import termios
        import tty
    except ImportError:  # on Windows a line is read
        print(question, end=" ", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().lower()[:1]
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        print(question, end=" ", file=sys.stderr, flush=True)
        key = sys.stdin.read(1).lower()
    except KeyboardInterrupt:
        key = ""
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
    print(key if key.isprintable() else "", file=sys.stderr, flush=True)
    return key


# ---- no verb: the obvious one


_QUIET = ("--json", "--latex", "-o", "--out")
"""With these the first line goes to standard error, so that the output is the answer alone."""


def run_obvious(texts: Sequence[str]) -> int | None:
    """Run the obvious verb for the files that are named first; options after them are passed on.

    None where the first is no file and like no verb either.
    """
    first = next((place for place, item in enumerate(texts) if item.startswith("-")), len(texts))
    files, rest = list(texts[:first]), list(texts[first:])
    if not _is_file(files[0]):
        close = get_close_matches(files[0], VERBS, n=1)
        if not close:
            return None
        meant = " ".join(["tiebreak", close[0], *map(shell, texts[1:])])
        print(f"tiebreak: there is no verb and no file {files[0]!r}. Did you mean {meant}?", file=sys.stderr)
        return 2
    try:
        result = _found(files, rest)
    except TiebreakError as error:
        print(f"tiebreak: {error}", file=sys.stderr)
        return 2
    named = {part.split("=", 1)[0] for part in rest}
    options = {name: value for name, value in result.options.items() if f"--{name.replace('_', '-')}" not in named}
    stream = sys.stderr if named & {*_QUIET} else sys.stdout
    print(f"{result.title}\n", file=stream, flush=True)
    if result.verb == "run":  # which may take hours: say what would run, and how
        code = main([result.verb, *result.files, "--dry-run", *rest])
        if code != 0:
            return code
        print(f"\nTo run it: {result.command()}", file=stream, flush=True)
        if "--dry-run" in rest or _key("Run it now (y, n)?") != "y":
            return 0
    from tiebreak.documents.layout import below

    with below(result.title.count("\n") + 2):
        return main([*replace(result, options=options).arguments(), *rest])


def _is_file(name: str) -> bool:
    return Path(name).exists() or any(mark in name for mark in "./\\:") or name == "-"


def _found(files: list[str], rest: list[str]) -> Obvious:
    """Read as the options say that are passed on."""
    from tiebreak.cli.sources import ways_to_read
    from tiebreak.obvious import obvious

    return obvious(files, **(ways_to_read(parser("read").parse_known_args(["read", *files, *rest])[0]) if rest else {}))
