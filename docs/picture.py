"""Draw the picture of the README, docs/compare.svg, from the published results: mean ranks and groups.

python docs/picture.py
"""

from __future__ import annotations

from html import escape
from pathlib import Path

import tiebreak as tb

WIDTH, LEFT, RIGHT, ROW, TOP = 760, 90, 60, 26, 92
INK, PALE, BLUE = "#1b1f24", "#8a939c", "#0060a8"


def draw(found: tb.Comparison) -> str:
    """One row per algorithm, its mean rank as a dot; groups as bars on the right of the scale."""
    count = len(found.algorithms)
    span = WIDTH - LEFT - RIGHT - 24 * len(found.groups)
    worst = float(found.mean_ranks.max()) + 0.3

    def x(rank: float) -> float:
        return LEFT + (rank - 1) / (worst - 1) * span

    parts = [_text(20, 28, "8 algorithms on 38 data sets: mean rank of accuracy (1 is best)", size=17, weight=600)]
    parts.append(
        _text(20, 50, "bars join algorithms that the Nemenyi test does not tell apart (alpha = 0.05)", fill=PALE)
    )
    bottom = TOP + ROW * count
    for tick in range(1, int(worst) + 1):
        parts.append(_line(x(tick), TOP - 14, x(tick), bottom, "#dfe3e7", 1))
        parts.append(_text(x(tick), TOP - 20, str(tick), anchor="middle", fill=PALE))
    for row, (name, rank) in enumerate(zip(found.algorithms, found.mean_ranks, strict=True)):
        y = TOP + ROW * row + 12
        parts.append(_text(LEFT - 14, y + 5, name, anchor="end", weight=600))
        parts.append(_line(x(1), y, x(rank), y, "#c9d1d9", 2))
        parts.append(f'<circle cx="{x(rank):.1f}" cy="{y}" r="6" fill="{BLUE}"/>')
        parts.append(_text(x(rank) + 11, y + 5, f"{rank:.2f}", fill=PALE))
    place = {name: row for row, name in enumerate(found.algorithms)}
    for number, group in enumerate(found.groups):
        rows = [place[name] for name in group]
        at = WIDTH - RIGHT - 24 * (len(found.groups) - 1 - number)
        parts.append(_line(at, TOP + ROW * min(rows) + 4, at, TOP + ROW * max(rows) + 20, INK, 5))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 20}" role="img" width="{WIDTH}">'
        "<title>Mean ranks of eight algorithms with groups</title>"
        f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n'
    )


def _text(
    x: float, y: float, words: str, *, size: int = 14, anchor: str = "start", fill: str = INK, weight: int = 400
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="sans-serif" font-size="{size}" font-weight="{weight}"'
        f' fill="{fill}" text-anchor="{anchor}">{escape(words)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: int) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" stroke-width="{width}"'
        ' stroke-linecap="round"/>'
    )


if __name__ == "__main__":
    Path(__file__).with_name("compare.svg").write_text(
        draw(tb.compare(tb.published.ulas2012(), score="accuracy")), encoding="utf-8"
    )
