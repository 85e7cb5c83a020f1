"""A badge for each algorithm: a small SVG with its tier, to stand in somebody's README."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from html import escape

from tiebreak.evals.board._previous import MARK
from tiebreak.figures.drawing.metrics import fitted, shown, text_width

FOLDER = "badges"
SIZE, HIGH, PAD = 11.0, 20.0, 7.0
LONGEST_LABEL = 220.0
"""Longer titles are cut, in points."""
MOST_LETTERS = 60
COLOURS = ("#116329", "#0550ae", "#57606a")
"""Of tier 1, of tier 2, and of all below; white letters have a contrast of more than 4.5 on each."""
OURS = re.compile(r"([a-z0-9-]+-)?[0-9a-f]{8,64}\.svg")
"""Names that badges have."""


def badge_names(names: Sequence[str]) -> dict[str, str]:
    """Return a file name for each name: letters that are harmless everywhere, and a digest that keeps them distinct.

    The file of a name does not hang on the others, so that a link to a badge keeps; where two digests began alike,
    which nobody has seen, more of them would be written.

    Examples
    --------
    >>> list(badge_names(["gpt-5 (high)", "../../etc/passwd"]).values())
    ['gpt-5-high-8aacfebb.svg', 'etc-passwd-3754d6cb.svg']
    """
    digests = {name: hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest() for name in names}
    for digits in range(8, 65, 8):
        found = {name: f"{_stem(name)}{digest[:digits]}.svg" for name, digest in digests.items()}
        if len(set(found.values())) == len(found):
            break
    return found


def _stem(name: str) -> str:
    """Keep letters that mean nothing to a shell, a server or a file system, none of them large."""
    kept = re.sub(r"[^a-z0-9]+", "-", name.lower())[:MOST_LETTERS].strip("-")
    return f"{kept}-" if kept else ""


def badge(title: str, tier: int, tiers: int, *, name: str) -> str:
    """Draw the badge of one algorithm.

    Examples
    --------
    >>> badge("Polyglot", 1, 7, name="gpt-5").count("tier 1 of 7")
    3
    """
    label, value = fitted(title, SIZE, LONGEST_LABEL), f"tier {tier} of {tiers}"
    left, right = (text_width(words, SIZE) + 2 * PAD for words in (label, value))
    wide, colour = left + right, COLOURS[min(tier, len(COLOURS)) - 1]
    said = escape(f"{shown(name)} on {shown(title)}: {value}")
    texts = "".join(
        f'<text x="{middle:.1f}" y="14">{escape(words)}</text>'
        for middle, words in ((left / 2, label), (left + right / 2, value))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.1f}" height="{HIGH:.0f}"'
        f' viewBox="0 0 {wide:.1f} {HIGH:.0f}" role="img" aria-label="{said}">\n<!-- made by {MARK} -->\n'
        f'<title>{said}</title>\n<rect width="{wide:.1f}" height="{HIGH:.0f}" rx="3" fill="#24292f"/>\n'
        f'<path d="M{left:.1f} 0h{right - 3:.1f}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right - 3:.1f}z" fill="{colour}"/>\n'
        f'<g fill="#fff" text-anchor="middle" font-family="Verdana, DejaVu Sans, sans-serif" font-size="{SIZE:.0f}">'
        f"{texts}</g>\n</svg>\n"
    )
