"""`--explain A,B` of `order` and `battles`: why one of two stands before the other."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tiebreak.cli import options
from tiebreak.errors import OptionError


def pair_of(arguments: argparse.Namespace, known: Sequence[str]) -> tuple[str, str] | None:
    """Read the two names; None where nothing is to be explained."""
    text = arguments.explain
    if text is None:
        return None
    names = options.known_names(text, known) or []
    if len(names) != 2:
        raise OptionError(
            f"--explain {text!r} names {len(names)} algorithm(s).",
            why="It says why one of two stands before the other.",
            mend="Use --explain a,b.",
        )
    return names[0], names[1]
