"""Find words of our own where plain English has a better one: phrases in prose, and vague words as names.

`python tools/dialect.py` counts them in the package, the tests and the documentation, and fails where there are more
than there were; `python tools/dialect.py PHRASE` lists the places of one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
AREAS = {"src": ("src/**/*.py",), "tests": ("tests/**/*.py",), "docs": ("docs/*.md", "*.md")}
PHRASES = {
    "told apart": "significantly different",
    "tell apart": "be significantly different",
    "given up": "loss vs best",
    "best's": "relative to the best",
    "firm 80 %": "80 % sure",
    "was said": "options",
    "was asked": "arguments",
    "was told": "settings",
    "was understood": "detected format",
    "is refused": "is not supported, is invalid",
    "are refused": "are not supported, are invalid",
    "so many": "a number",
    "the others": "a name",
    "of which": "a name",
    "advice is worth": "expected loss",
}
"""Phrases of comments, docstrings, messages and pages, each with what to write instead."""
NAMES = ("found", "told", "said", "kept", "asked", "each", "own")
"""Names of variables, arguments and attributes that say nothing: the noun is better, as `comparison` or `row`."""
CEILINGS: dict[str, dict[str, int]] = {
    "src": {
        "was said": 23, "was asked": 58, "was told": 6, "was understood": 11, "is refused": 43, "are refused": 21,
        "so many": 171, "the others": 129, "of which": 60, "advice is worth": 2, "found": 54, "told": 86, "said": 68,
        "kept": 75, "asked": 27, "each": 2, "own": 40,
    },
    "tests": {
        "told apart": 4, "was said": 9, "was asked": 16, "was told": 3, "was understood": 1, "is refused": 10,
        "are refused": 1, "so many": 6, "the others": 35, "of which": 10, "advice is worth": 2, "found": 148,
        "told": 122, "said": 107, "kept": 11, "asked": 51, "each": 5, "own": 2,
    },
    "docs": {
        "the others": 3,
    },
}  # fmt: skip
"""How often each area may still have one; lower these numbers, never raise them."""
_PHRASE = re.compile(r"\b(" + "|".join(name.replace(" ", r"\s+") for name in PHRASES) + r")(?!\w)", re.IGNORECASE)


def in_prose(text: str) -> Iterator[tuple[str, int]]:
    """Yield every phrase of a text, with its line."""
    for match in _PHRASE.finditer(text):
        yield " ".join(match[1].lower().split()), 1 + text.count("\n", 0, match.start())


def in_module(text: str) -> Iterator[tuple[str, int]]:
    """Yield every phrase and every vague name of a module, with its line."""
    yield from in_prose(text)
    for node in ast.walk(ast.parse(text)):
        for field in ("id", "arg", "attr", "name", "asname"):
            if getattr(node, field, None) in NAMES:
                yield getattr(node, field), getattr(node, "lineno", 1)


def places(area: str) -> Iterator[tuple[str, str]]:
    """Yield every phrase and name of an area with its place, as `file:line`."""
    for path in sorted({path for pattern in AREAS[area] for path in ROOT.glob(pattern)}):
        look = in_module if path.suffix == ".py" else in_prose
        for phrase, line in look(path.read_text(encoding="utf-8")):
            yield phrase, f"{path.relative_to(ROOT)}:{line}"


def new(counts: dict[str, Counter[str]]) -> list[str]:
    """Return what there is more of than there was."""
    return [
        f"{area}: {phrase!r} {count} times, not {CEILINGS[area].get(phrase, 0)}"
        for area, counted in counts.items()
        for phrase, count in counted.items()
        if count > CEILINGS[area].get(phrase, 0)
    ]


def main(phrase: str = "") -> int:
    """Print the counts and what is new, or the places of one phrase; return the exit code."""
    if phrase:
        print("\n".join(place for area in AREAS for used, place in places(area) if used == phrase))
        return 0
    counts = {area: Counter(used for used, _ in places(area)) for area in AREAS}
    print(f"{'':20}" + "".join(f"{area:>8}" for area in AREAS) + "  instead")
    for name in (*PHRASES, *NAMES):
        numbers = "".join(f"{counts[area][name]:8}" for area in AREAS)
        print(f"{name:20}{numbers}  {PHRASES.get(name, 'the noun')}")
    more = new(counts)
    print("\n".join(["", *more, *(["`python tools/dialect.py PHRASE` lists the places."] if more else [])]))
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
