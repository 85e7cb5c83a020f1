"""A scene as SVG text: one self-contained file, every name escaped."""

from __future__ import annotations

from html import escape

from tiebreak.figures.drawing.palette import INK, MUTED, PALE, PAPER
from tiebreak.figures.drawing.scene import Area, Circle, Curve, Item, Line, Scene, Text, short

FONT = "Helvetica, Arial, sans-serif"
# on a page of unknown colour, ink and greys follow the text around the figure, told apart by how much is seen of them
_ON_NOTHING = {INK: ("currentColor", 1.0), MUTED: ("currentColor", 0.7), PALE: ("currentColor", 0.25)}


def to_svg(scene: Scene, *, background: str | None = PAPER) -> str:
    """Write the scene; with no background, lines and names take the text colour of the page around them."""
    plain = background is None
    body = "".join(f"{_tag(item, plain)}\n" for item in scene.items)
    ground = "" if background is None else f'<rect width="100%" height="100%" fill="{escape(background)}"/>\n'
    more = f"<desc>{escape(scene.description)}</desc>\n" if scene.description else ""
    wide, high = short(scene.width), short(scene.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide}pt" height="{high}pt"'
        f' viewBox="0 0 {wide} {high}" font-family="{FONT}">\n'
        f"<title>{escape(scene.title)}</title>\n{more}{ground}{body}</svg>\n"
    )


def _tag(item: Item, plain: bool) -> str:
    """Write one item; its title is the text that a pointer shows."""
    name, look = _look(item, plain)
    inside = f"<title>{escape(item.title)}</title>" if item.title else ""
    if isinstance(item, Text):
        return f"<text {look}>{inside}{escape(item.words)}</text>"
    return f"<{name} {look}>{inside}</{name}>" if inside else f"<{name} {look}/>"


def _colour(kind: str, colour: str, opacity: float, plain: bool) -> str:
    """Without a background nothing may be filled with paper: on a dark page it would shine."""
    if plain and colour == PAPER:
        return f' {kind}="none"'
    named, factor = _ON_NOTHING.get(colour, (colour, 1.0)) if plain else (colour, 1.0)
    seen = opacity * factor
    return f' {kind}="{named}"' + (f' {kind}-opacity="{short(seen)}"' if seen < 1 else "")


def _stroke(item: Line | Curve | Area | Circle, width: float, plain: bool) -> str:
    return _colour("stroke", item.colour, item.opacity, plain) + f' stroke-width="{short(width)}"' if width else ""


def _look(item: Item, plain: bool) -> tuple[str, str]:
    """Return the name of the tag and its attributes."""
    if isinstance(item, Text):
        return "text", _text(item, plain)
    if isinstance(item, Curve):
        a, b, c, d = (f"{short(x)} {short(y)}" for x, y in item.points)
        return "path", f'd="M{a}C{b} {c} {d}" fill="none"{_stroke(item, item.width, plain)}'
    if isinstance(item, Line):
        dash = f' stroke-dasharray="{" ".join(map(short, item.dash))}"' if item.dash else ""
        return "polyline", f'points="{_points(item)}" fill="none"{_stroke(item, item.width, plain)}{dash}'
    look = _colour("fill", item.fill, item.opacity, plain) + _stroke(item, item.edge, plain)
    if isinstance(item, Circle):
        return "circle", f'cx="{short(item.x)}" cy="{short(item.y)}" r="{short(item.radius)}"{look}'
    return "polygon", f'points="{_points(item)}"{look}'


def _points(item: Line | Area) -> str:
    return " ".join(f"{short(x)},{short(y)}" for x, y in item.points)


def _text(item: Text, plain: bool) -> str:
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    bold = ' font-weight="bold"' if item.bold else ""
    turn = f' transform="rotate(-90 {short(item.x)} {short(item.y)})"' if item.upwards else ""
    look = f'{_colour("fill", item.colour, 1.0, plain)} font-size="{short(item.size)}"{anchor}{bold}{turn}'
    return f'x="{short(item.x)}" y="{short(item.y)}"{look}'
