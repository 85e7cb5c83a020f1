"""A scene as TikZ text for LaTeX: nothing but drawn lines and nodes, every name escaped."""

from __future__ import annotations

from tiebreak.documents.words import latex
from tiebreak.figures.drawing.palette import PAPER
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Point, Scene, Text, short

_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def to_tikz(scene: Scene) -> str:
    """Write the scene as a tikzpicture, one unit to the big point (1/72 inch), or stretched to a length of LaTeX."""
    colours = sorted({colour for item in scene.items for colour in _colours(item)})
    lines = [
        f"% {scene.title}",
        r"% needs \usepackage{tikz} and \usepackage[T1]{fontenc}; letters that are not Latin or Greek show as numbers",
        *_narrow(scene),
        rf"\begin{{tikzpicture}}[x={_unit(scene)}, y=-1bp, inner sep=0pt, outer sep=0pt]",
        *(rf"\definecolor{{{_name(colour)}}}{{HTML}}{{{colour[1:].upper()}}}" for colour in colours),
        rf"\useasboundingbox (0,0) rectangle {_at((scene.width, scene.height))};",
        *(_item(item) for item in scene.items),
        r"\end{tikzpicture}",
    ]
    return "\n".join(lines) + "\n"


def _unit(scene: Scene) -> str:
    """A length of LaTeX is divided, not multiplied by a share of few digits: that would be a hair too wide."""
    return rf"{scene.length}/{short(scene.width)}" if scene.length else "1bp"


def _narrow(scene: Scene) -> list[str]:
    """Letters do not shrink with the width: say so where the paper is narrower than the figure was laid out for."""
    if not scene.length:
        return []
    text = f"a figure laid out for {short(scene.width)}bp stands in less; its texts may meet"
    return [rf"\ifdim{scene.length}<{short(0.97 * scene.width)}bp\PackageWarning{{tiebreak}}{{{text}}}\fi"]


def _colours(item: Item) -> tuple[str, ...]:
    return (item.fill, item.colour) if isinstance(item, (Area, Circle)) else (item.colour,)


def _name(colour: str) -> str:
    return "white" if colour == PAPER else f"tb{colour[1:]}"


def _at(point: Point) -> str:
    return f"({short(point[0])},{short(point[1])})"


def _seen(opacity: float) -> str:
    return f", opacity={short(opacity)}" if opacity < 1 else ""


def _item(item: Item) -> str:
    """Lengths are in bp, the point of PDF and SVG; the pt of TeX is a little smaller."""
    if isinstance(item, Text):
        return _text(item)
    if isinstance(item, Line):
        dash = " ".join(f"{'off' if i % 2 else 'on'} {short(part)}bp" for i, part in enumerate(item.dash))
        pattern = f", dash pattern={dash}" if dash else ""
        look = f"{_name(item.colour)}, line width={short(item.width)}bp{pattern}{_seen(item.opacity)}"
        return rf"\draw[{look}] {' -- '.join(map(_at, item.points))};"
    look = f"fill={_name(item.fill)}{_seen(item.opacity)}"
    if item.edge:
        look += f", draw={_name(item.colour)}, line width={short(item.edge)}bp"
    if isinstance(item, Circle):
        return rf"\path[{look}] {_at((item.x, item.y))} circle[radius={short(item.radius)}bp];"
    return rf"\path[{look}] {' -- '.join(map(_at, item.points))} -- cycle;"


def _text(item: Text) -> str:
    """The size is set outright: LaTeX's own sizes change with the class of the document."""
    bold = r"\bfseries" if item.bold else ""
    turn = ", rotate=90" if item.upwards else ""
    font = rf"font=\fontsize{{{short(item.size)}bp}}{{{short(item.size * 1.2)}bp}}\selectfont{bold}"
    look = f"anchor={_ANCHORS[item.anchor]}, text={_name(item.colour)}, {font}{turn}"
    return rf"\node[{look}] at {_at((item.x, item.y))} {{{latex(item.words)}}};"
