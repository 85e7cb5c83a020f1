"""A scene as TikZ text for LaTeX: nothing but drawn lines and nodes, every name escaped."""

from __future__ import annotations

from tiebreak._show import latex
from tiebreak.figures._palette import PAPER
from tiebreak.figures._scene import Area, Circle, Curve, Item, Line, Point, Scene, Text

_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}
_SIGNS = {"\N{MINUS SIGN}": "$-$", "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}", "\N{EN DASH}": "--"}


def to_tikz(scene: Scene) -> str:
    """Write the scene as a tikzpicture, one unit to the big point (1/72 inch)."""
    colours = sorted({colour for item in scene.items for colour in _colours(item)})
    lines = [
        f"% {scene.title}",
        r"% needs \usepackage{tikz} and \usepackage[T1]{fontenc}; names beyond Latin letters need XeLaTeX or LuaLaTeX",
        r"\begin{tikzpicture}[x=1bp, y=-1bp, inner sep=0pt, outer sep=0pt, font=\sffamily]",
        *(rf"\definecolor{{{_name(colour)}}}{{HTML}}{{{colour[1:].upper()}}}" for colour in colours),
        rf"\useasboundingbox (0,0) rectangle {_at((scene.width, scene.height))};",
        *(_item(item) for item in scene.items),
        r"\end{tikzpicture}",
    ]
    return "\n".join(lines) + "\n"


def _colours(item: Item) -> tuple[str, ...]:
    return (item.fill, item.colour) if isinstance(item, (Area, Circle)) else (item.colour,)


def _name(colour: str) -> str:
    return "white" if colour == PAPER else f"tb{colour[1:]}"


def _n(value: float) -> str:
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short in ("-0", "") else short


def _at(point: Point) -> str:
    return f"({_n(point[0])},{_n(point[1])})"


def _seen(opacity: float) -> str:
    return f", opacity={_n(opacity)}" if opacity < 1 else ""


def _item(item: Item) -> str:
    if isinstance(item, Text):
        return _text(item)
    if isinstance(item, Line):
        dash = "".join(f" {'off' if i % 2 else 'on'} {_n(part)}bp" for i, part in enumerate(item.dash))
        pattern = f", dash pattern={dash.strip()}" if dash else ""
        look = f"{_name(item.colour)}, line width={_n(item.width)}bp{pattern}{_seen(item.opacity)}"
        return rf"\draw[{look}] {' -- '.join(map(_at, item.points))};"
    if isinstance(item, Curve):
        a, b, c, d = map(_at, item.points)
        look = f"{_name(item.colour)}, line width={_n(item.width)}bp{_seen(item.opacity)}"
        return rf"\draw[{look}] {a} .. controls {b} and {c} .. {d};"
    look = f"fill={_name(item.fill)}{_seen(item.opacity)}"
    if item.edge:
        look += f", draw={_name(item.colour)}, line width={_n(item.edge)}bp"
    if isinstance(item, Circle):
        return rf"\path[{look}] {_at((item.x, item.y))} circle[radius={_n(item.radius)}bp];"
    return rf"\path[{look}] {' -- '.join(map(_at, item.points))} -- cycle;"


def _text(item: Text) -> str:
    bold = r"\bfseries" if item.bold else ""
    turn = ", rotate=90" if item.upwards else ""
    font = rf"font=\sffamily\fontsize{{{_n(item.size)}bp}}{{{_n(item.size * 1.2)}bp}}\selectfont{bold}"
    words = "".join(_SIGNS.get(char, char) for char in latex(item.words))
    look = f"anchor={_ANCHORS[item.anchor]}, text={_name(item.colour)}, {font}{turn}"
    return rf"\node[{look}] at {_at((item.x, item.y))} {{{words}}};"
