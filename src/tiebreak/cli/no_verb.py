"""`tiebreak FILE` without a verb: the obvious one, named on the first line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.errors import TiebreakError
from tiebreak.wording import shell

if TYPE_CHECKING:
    from tiebreak.obvious import Obvious

_QUIET = ("--json", "--markdown", "--latex", "-o", "--out")
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
    from tiebreak.cli import options, parser
    from tiebreak.cli.reading import reading
    from tiebreak.obvious import obvious

    how: dict[str, Any] = {}
    if rest:
        known, _ = parser("read").parse_known_args(["read", *files, *rest])
        how = reading(known) | options.picked(known)
        how |= {"scores": known.score, "columns": options.told_roles(known) or None, "where": known.where or None}
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
