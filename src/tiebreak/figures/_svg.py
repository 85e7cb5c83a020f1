"""A scene as SVG text: one self-contained file, every name escaped."""

from __future__ import annotations

from html import escape

from tiebreak.figures._palette import INK, MUTED, PALE, PAPER
from tiebreak.figures._scene import Area, Circle, Curve, Item, Line, Scene, Text, short

FONT = "Helvetica, Arial, sans-serif"
_ON_NOTHING = {INK: ("currentColor", 1.0), MUTED: ("currentColor", 0.7), PALE: ("currentColor", 0.25)}


def to_svg(scene: Scene, *, background: str | None = PAPER) -> str:
    """Write the scene; with no background, lines and names take the text colour of the page around them."""
    plain = background is None
    body = "".join(f"{_with_title(_item(item, plain), item)}\n" for item in scene.items)
    ground = "" if background is None else f'<rect width="100%" height="100%" fill="{escape(background)}"/>\n'
    more = f"<desc>{escape(scene.description)}</desc>\n" if scene.description else ""
    wide, high = short(scene.width), short(scene.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide}pt" height="{high}pt"'
        f' viewBox="0 0 {wide} {high}" font-family="{FONT}">\n'
        f"<title>{escape(scene.title)}</title>\n{more}{ground}{body}</svg>\n"
    )


def _with_title(tag: str, item: Item) -> str:
    """Put the text that a pointer shows into a tag, which ends in '/>' or holds text."""
    if not item.title:
        return tag
    inside = f"<title>{escape(item.title)}</title>"
    if isinstance(item, Text):
        head, _, rest = tag.partition(">")
        return f"{head}>{inside}{rest}"
    name = tag[1:].partition(" ")[0]
    return f"{tag[:-2]}>{inside}</{name}>"


def _colour(kind: str, colour: str, opacity: float, plain: bool) -> str:
    if plain and colour == PAPER:
        return f' {kind}="none"'
    named, factor = _ON_NOTHING.get(colour, (colour, 1.0)) if plain else (colour, 1.0)
    seen = opacity * factor
    return f' {kind}="{named}"' + (f' {kind}-opacity="{short(seen)}"' if seen < 1 else "")


def _item(item: Item, plain: bool) -> str:
    if isinstance(item, Text):
        return _text(item, plain)
    if isinstance(item, Line):
        return _line(item, plain)
    if isinstance(item, Curve):
        a, b, c, d = (f"{short(x)} {short(y)}" for x, y in item.points)
        stroke = _colour("stroke", item.colour, item.opacity, plain)
        return f'<path d="M{a}C{b} {c} {d}" fill="none"{stroke} stroke-width="{short(item.width)}"/>'
    look = _colour("fill", item.fill, item.opacity, plain) + _outline(item, plain)
    if isinstance(item, Circle):
        return f'<circle cx="{short(item.x)}" cy="{short(item.y)}" r="{short(item.radius)}"{look}/>'
    return f'<polygon points="{_points(item.points)}"{look}/>'


def _points(points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{short(x)},{short(y)}" for x, y in points)


def _outline(item: Area | Circle, plain: bool) -> str:
    if not item.edge:
        return ""
    return _colour("stroke", item.colour, item.opacity, plain) + f' stroke-width="{short(item.edge)}"'


def _line(item: Line, plain: bool) -> str:
    dash = f' stroke-dasharray="{" ".join(short(part) for part in item.dash)}"' if item.dash else ""
    stroke = _colour("stroke", item.colour, item.opacity, plain)
    return f'<polyline points="{_points(item.points)}" fill="none"{stroke} stroke-width="{short(item.width)}"{dash}/>'


def _text(item: Text, plain: bool) -> str:
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    bold = ' font-weight="bold"' if item.bold else ""
    turn = f' transform="rotate(-90 {short(item.x)} {short(item.y)})"' if item.upwards else ""
    look = f'{_colour("fill", item.colour, 1.0, plain)} font-size="{short(item.size)}"{anchor}{bold}{turn}'
    return f'<text x="{short(item.x)}" y="{short(item.y)}"{look}>{escape(item.words)}</text>'
