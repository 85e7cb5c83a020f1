"""Draw how the time of Bergmann and Hommel's correction grows, docs/bergmann-hommel-growth.svg.

Run: python benchmarks/growth.py (about a minute)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from math import log10
from pathlib import Path

import bergmann_hommel

OUT = Path(__file__).parent.parent / "docs" / "bergmann-hommel-growth.svg"
SIZES = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20, 30, 40, 50, 70, 100]
ENUMERATE_TO = 11
WIDTH, HEIGHT = 760, 486
LEFT, RIGHT, TOP, BOTTOM = 86, 30, 100, 64
X_RANGE, Y_RANGE = (3.5, 115.0), (1e-5, 1e1)
X_TICKS = (4, 5, 7, 10, 14, 20, 30, 50, 70, 100)
Y_TICKS = (
    (1e-5, "0.01 ms"),
    (1e-4, "0.1 ms"),
    (1e-3, "1 ms"),
    (1e-2, "10 ms"),
    (1e-1, "0.1 s"),
    (1e0, "1 s"),
    (1e1, "10 s"),
)
INK, PALE, GRID = "#1b1f24", "#5d6670", "#dfe3e7"


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One way to compute the correction; `label` stands at `(x, y)`, in algorithms and seconds."""

    label: tuple[str, ...]
    colour: str
    mark: str
    points: list[tuple[int, float]]
    x: float
    y: float


def measured() -> list[Curve]:
    rows = [bergmann_hommel.measure(count, ENUMERATE_TO) for count in SIZES]
    line = [(int(row["algorithms"]), row["line"]) for row in rows]
    any_origin = [(int(row["algorithms"]), row["any first"]) for row in rows if row["any first"] is not None]
    plain = [(int(row["algorithms"]), row["listing"] + row["evaluating"]) for row in rows if row["listing"] is not None]
    return [
        Curve(
            label=("plain enumeration", "of all partitions"), colour="#c1440e", mark="square", points=plain, x=4.1, y=1
        ),
        Curve(
            label=("tiebreak, p-values", "of any origin"),
            colour="#00795c",
            mark="diamond",
            points=any_origin,
            x=15,
            y=0.9,
        ),
        Curve(label=("tiebreak, p-values", "on ranks"), colour="#0060a8", mark="circle", points=line, x=42, y=0.013),
    ]


def at_x(count: float) -> float:
    low, high = map(log10, X_RANGE)
    return LEFT + (log10(count) - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def at_y(seconds: float) -> float:
    low, high = map(log10, Y_RANGE)
    return HEIGHT - BOTTOM - (log10(seconds) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)


def draw(curves: list[Curve]) -> str:
    title = "Time of Bergmann and Hommel's exact correction for all pairs"
    parts = [
        _text(20, 30, title, size=17, weight=600),
        _text(
            20, 52, "mean ranks on 100 data sets, best of several runs on one core; both axes in log scale", fill=PALE
        ),
        *_axes(),
        *(part for curve in curves for part in _curve(curve)),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" width="{WIDTH}">'
        f"<title>{escape(title)}, against the number of algorithms</title>"
        f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n'
    )


def _axes() -> Iterator[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for count in X_TICKS:
        yield _line(at_x(count), TOP, at_x(count), bottom, GRID)
        yield _text(at_x(count), bottom + 20, str(count), anchor="middle", fill=PALE)
    for seconds, words in Y_TICKS:
        yield _line(LEFT, at_y(seconds), right, at_y(seconds), GRID)
        yield _text(LEFT - 10, at_y(seconds) + 5, words, anchor="end", fill=PALE)
    yield _text((LEFT + right) / 2, bottom + 46, "number of algorithms (log scale)", anchor="middle")
    yield _text(LEFT - 66, TOP - 12, "time (ms and s, log scale)")


def _curve(curve: Curve) -> Iterator[str]:
    places = [(at_x(count), at_y(seconds)) for count, seconds in curve.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield f'<polyline points="{path}" fill="none" stroke="{curve.colour}" stroke-width="2"/>'
    for x, y in places:
        yield _mark(curve.mark, x, y, curve.colour)
    for number, words in enumerate(curve.label):
        yield _text(at_x(curve.x), at_y(curve.y) + 18 * number, words, fill=curve.colour, weight=600)


def _mark(kind: str, x: float, y: float, colour: str) -> str:
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>'
    turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if kind == "diamond" else ""
    return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{colour}"{turn}/>'


def _text(
    x: float, y: float, words: str, *, size: int = 14, anchor: str = "start", fill: str = INK, weight: int = 400
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="sans-serif" font-size="{size}" font-weight="{weight}"'
        f' fill="{fill}" text-anchor="{anchor}">{escape(words)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" stroke-width="1"/>'


def main() -> None:
    curves = measured()
    for curve in curves:
        print(" ".join(curve.label), *(f"{count}: {seconds:.3g} s" for count, seconds in curve.points), sep="\n  ")
    OUT.write_text(draw(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
