"""What is not said: `tiebreak FILE` without a verb is the obvious one, and a direction is asked for on a terminal."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.errors import TiebreakError
from tiebreak.wording import shell

if TYPE_CHECKING:
    from tiebreak.obvious import Obvious

_QUIET = ("--json", "--latex", "-o", "--out")
"""With these the first line goes to standard error, so that the output is the answer alone."""


def run_obvious(told: Sequence[str]) -> int | None:
    """Run the obvious verb for the files that are named first; options after them are passed on.

    None where the first is no file and like no verb either.
    """
    from tiebreak.cli import VERBS, main

    first = next((place for place, each in enumerate(told) if each.startswith("-")), len(told))
    files, rest = list(told[:first]), list(told[first:])
    if not _is_file(files[0]):
        close = get_close_matches(files[0], VERBS, n=1)
        if not close:
            return None
        meant = " ".join(["tiebreak", close[0], *map(shell, told[1:])])
        print(f"tiebreak: there is no verb and no file {files[0]!r}. Did you mean {meant}?", file=sys.stderr)
        return 2
    try:
        found = _found(files, rest)
    except TiebreakError as error:
        print(f"tiebreak: {error}", file=sys.stderr)
        return 2
    named = {part.split("=", 1)[0] for part in rest}
    options = {name: value for name, value in found.options.items() if f"--{name.replace('_', '-')}" not in named}
    stream = sys.stderr if named & {*_QUIET} else sys.stdout
    print(f"{found.title}\n", file=stream, flush=True)
    if found.verb == "run":
        return _ask(found, rest)
    arguments = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    return main([found.verb, *found.files, *arguments, *rest])


def _is_file(name: str) -> bool:
    return Path(name).exists() or any(mark in name for mark in "./\\:") or name == "-"


def _found(files: list[str], rest: list[str]) -> Obvious:
    """Read as the options say that are passed on."""
    from tiebreak.cli.parsing import parser
    from tiebreak.cli.sources import OF_FILES, chosen_part, roles_of
    from tiebreak.obvious import obvious

    how: dict[str, Any] = {}
    if rest:
        known, _ = parser("read").parse_known_args(["read", *files, *rest])
        part, where = chosen_part(known)
        how = {name: getattr(known, name, None) for name in OF_FILES if name != "normalise_cost"} | part
        how |= {"scores": known.score, "columns": roles_of(known) or None, "where": where or None}
    return obvious(files, **{name: value for name, value in how.items() if value not in (None, False)})


def _ask(found: Obvious, rest: list[str]) -> int:
    """Say what a plan would run, and run it only if somebody says so: it may take hours."""
    from tiebreak.cli import main

    if (code := main([found.verb, *found.files, "--dry-run", *rest])) != 0:
        return code
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(f"\nTo run it: {found.command()}")
        return 0
    if input("\nRun it? [y/N] ").strip().lower() not in ("y", "yes"):
        return 0
    return main([found.verb, *found.files, *rest])


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
