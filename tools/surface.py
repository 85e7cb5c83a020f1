"""Print how large the surface of the package is: options of every verb, exported names, codes of caveats.

`python tools/surface.py`; `tests/test_surface.py` holds each of them below a ceiling.
"""

from __future__ import annotations

import importlib
import pkgutil

import tiebreak
from tiebreak.caveats import CODES
from tiebreak.verbs import VERBS, every_verb

INSIDE = ("tiebreak.stats",)
"""Packages whose names are not counted: one function for every statistical question."""


def options() -> dict[str, int]:
    """Return how many options every verb has, and every study."""
    return {verb.name: len(verb.flags) for verb in every_verb()}


def names() -> dict[str, int]:
    """Return how many names every public package exports."""
    result = {"tiebreak": len(tiebreak.__all__)}
    for package in pkgutil.walk_packages(tiebreak.__path__, "tiebreak."):
        if package.ispkg and "._" not in package.name and not package.name.startswith(INSIDE):
            held = getattr(importlib.import_module(package.name), "__all__", ())
            result[package.name] = len(held)
    return {name: count for name, count in result.items() if count}


def main() -> None:
    """Print the table."""
    of_verbs, exported = options(), names()
    for name, count in (of_verbs | exported).items():
        print(f"{name:32} {count:5}")
    print(f"{'options of all verbs':32} {sum(of_verbs[verb] for verb in VERBS):5}")
    print(f"{'options of all studies':32} {sum(n for name, n in of_verbs.items() if name not in VERBS):5}")
    print(f"{'exported names':32} {sum(exported.values()):5}")
    print(f"{'codes of caveats':32} {len(CODES):5}")


if __name__ == "__main__":
    main()
