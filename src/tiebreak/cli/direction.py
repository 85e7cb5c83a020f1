"""Which way of a score is better: asked on a terminal with one key, else with both commands written out."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence

_OPTIONS = {"h": "--higher-is-better", "l": "--lower-is-better"}


def ask(told: Sequence[str]) -> str | None:
    """Return the option that answers the question; None where nobody is there to answer it."""
    commands = {key: shlex.join(["tiebreak", *told, option]) for key, option in _OPTIONS.items()}
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        print(f"If higher is better: {commands['h']}\nIf lower is better: {commands['l']}", file=sys.stderr)
        return None
    print("Which score is better, a higher (h) or a lower one (l)? ", end="", file=sys.stderr, flush=True)
    key = _key().lower()
    print(key if key in _OPTIONS else "", file=sys.stderr)
    if key not in _OPTIONS:
        return None
    print(f"Next time: {commands[key]}\n", file=sys.stderr)
    return _OPTIONS[key]


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
