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
from typing import TYPE_CHECKING, Any

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
    return (
        f"{error.name} is not installed. Parquet, large files and data frames are read with it."
        f" Install it: pip install {error.name}"
    )


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
    if result.verb == "run":
        return _ask(result, rest)
    from tiebreak.documents.layout import below

    with below(result.title.count("\n") + 2):
        return main([*replace(result, options=options).arguments(), *rest])


def _is_file(name: str) -> bool:
    return Path(name).exists() or any(mark in name for mark in "./\\:") or name == "-"


def _found(files: list[str], rest: list[str]) -> Obvious:
    """Read as the options say that are passed on."""
    from tiebreak.cli.sources import OF_FILES, chosen_part, roles_of
    from tiebreak.obvious import obvious

    how: dict[str, Any] = {}
    if rest:
        known, _ = parser("read").parse_known_args(["read", *files, *rest])
        part, where = chosen_part(known)
        how = {name: getattr(known, name, None) for name in OF_FILES if name != "normalise_cost"} | part
        how |= {"scores": known.score, "columns": roles_of(known) or None, "where": where or None}
    return obvious(files, **{name: value for name, value in how.items() if value not in (None, False)})


def _ask(obvious: Obvious, rest: list[str]) -> int:
    """Say what a plan would run, and run it only if somebody says so: it may take hours."""
    if (code := main([obvious.verb, *obvious.files, "--dry-run", *rest])) != 0:
        return code
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(f"\nTo run it: {obvious.command()}")
        return 0
    if input("\nRun it? [y/N] ").strip().lower() not in ("y", "yes"):
        return 0
    return main([obvious.verb, *obvious.files, *rest])


# ---- which direction is better


_WAYS = {"h": "--higher-is-better", "l": "--lower-is-better"}


def ask_direction(words: Sequence[str]) -> str | None:
    """Return the option that answers the question; None where nobody is there to answer it."""
    commands = {key: shlex.join(["tiebreak", *words, option]) for key, option in _WAYS.items()}
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        print(f"If higher is better: {commands['h']}\nIf lower is better: {commands['l']}", file=sys.stderr)
        return None
    print("Which score is better, a higher (h) or a lower one (l)? ", end="", file=sys.stderr, flush=True)
    key = _key().lower()
    print(key if key in _WAYS else "", file=sys.stderr)
    if key not in _WAYS:
        return None
    print(f"Next time: {commands[key]}\n", file=sys.stderr)
    return _WAYS[key]


def _key() -> str:
    """Read one key; a line where the terminal gives no single keys."""
    try:
        import termios
        import tty
    except ImportError:
        return sys.stdin.readline().strip()[:1]
    place = sys.stdin.fileno()
    before = termios.tcgetattr(place)
    try:
        tty.setcbreak(place)
        return sys.stdin.read(1)
    finally:
        termios.tcsetattr(place, termios.TCSADRAIN, before)
