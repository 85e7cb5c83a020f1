"""A scene as SVG text: one self-contained file, every name escaped."""

from __future__ import annotations

from html import escape

from tiebreak.figures.drawing.palette import (
    INK,
    MUTED,
    PALE,
    PAPER,
    PROPERTIES,
    STRONG,
    Tint,
    custom_properties,
    in_theme,
)
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Scene, Text, short

FONT = "Helvetica, Arial, sans-serif"
# ink and greys follow the text around the figure, distinguished by how much is seen of them
_SEEN = {INK: 1.0, MUTED: 0.7, PALE: 0.25}
_LACKING = {PAPER: "none", STRONG: "var(--tb-ink,currentColor)"}
"""What stands in for a colour that the page does not set."""
_JUPYTER = ".tb-notebook{--tb-paper:var(--jp-layout-color0,var(--vscode-notebook-editorBackground))}"
_LIGHT_NOTEBOOKS = ('[data-jp-theme-light="true"]', ".vscode-light", '[theme="light"]')
_DARK_NOTEBOOKS = ('[data-jp-theme-light="false"]', ".vscode-dark", '[theme="dark"]')


def page_style(dark: str = "") -> str:
    """Return the CSS that gives figures of the theme "page" their colours: light ones, and dark ones on dark systems.

    `dark` is a selector under which they are dark too, such as '[data-theme="dark"]'. Without any CSS such figures
    take the colour of the text around them and the colours of paper; a page may set `--tb-ink`, `--tb-paper`,
    `--tb-blue` and so on as it likes.

    Examples
    --------
    >>> page_style().startswith(":root{--tb-ink:#1b1f24;")
    True
    """
    night = custom_properties("dark")
    more = f"{dark}{{{night}}}" if dark else ""
    return f":root{{{custom_properties('paper')}}}@media(prefers-color-scheme:dark){{:root{{{night}}}}}{more}"


def notebook_style() -> str:
    """Return the CSS of figures in a notebook, whose theme need not be that of the system."""
    # ink and paper are those of the notebook
    night = ";".join(
        part for part in custom_properties("dark").split(";") if "ink:" not in part and "paper:" not in part
    )
    light, dark = (
        ",".join(f"{theme} .tb-notebook" for theme in themes) for themes in (_LIGHT_NOTEBOOKS, _DARK_NOTEBOOKS)
    )
    return f"<style>{_JUPYTER}{light}{{--tb-strong:{STRONG}}}{dark}{{{night}}}</style>"


def to_svg(scene: Scene) -> str:
    """Write the scene; in the theme "page" lines and names take the text colour of the page around them."""
    plain = scene.theme in ("page", "auto")
    body = "".join(f"{_tag(item, plain)}\n" for item in scene.items)
    more = f"<desc>{escape(scene.description)}</desc>\n" if scene.description else ""
    wide, high = short(scene.width), short(scene.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide}pt" height="{high}pt"'
        f' viewBox="0 0 {wide} {high}" font-family="{FONT}">\n'
        f"<title>{escape(scene.title)}</title>\n{more}{_ground(scene.theme)}{body}</svg>\n"
    )


def _ground(theme: str) -> str:
    """Fill the canvas, unless the page around the figure does."""
    if theme == "page":
        return ""
    if theme == "auto":
        day, night = (custom_properties(name) for name in ("paper", "dark"))
        style = f"svg{{{day}}}@media(prefers-color-scheme:dark){{svg{{{night}}}}}"
        return f'<style>{style}</style>\n<rect width="100%" height="100%" fill="var(--tb-paper)"/>\n'
    return f'<rect width="100%" height="100%" fill="{in_theme(PAPER, theme)}"/>\n'


def _tag(item: Item, plain: bool) -> str:
    """Write one item; its title is the text that a pointer shows."""
    name, look = _look(item, plain)
    inside = f"<title>{escape(item.title)}</title>" if item.title else ""
    if isinstance(item, Text):
        return f"<text {look}>{inside}{escape(item.words)}</text>"
    return f"<{name} {look}>{inside}</{name}>" if inside else f"<{name} {look}/>"


def _colour(kind: str, colour: str, opacity: float, plain: bool) -> str:
    """On a page of its own colours everything asks the page first, and nothing is filled with white: it would shine."""
    named, seen = str(colour), opacity
    if plain and isinstance(colour, Tint):
        named, seen = colour.of, opacity * colour.share
    elif plain and colour in _SEEN:
        named, seen = "var(--tb-ink,currentColor)", opacity * _SEEN[colour]
    elif plain and colour in PROPERTIES:
        named = f"var(--tb-{PROPERTIES[colour]},{_LACKING.get(colour, colour)})"
    return f' {kind}="{named}"' + (f' {kind}-opacity="{short(seen)}"' if seen < 1 else "")


def _stroke(item: Line | Area | Circle, width: float, plain: bool) -> str:
    return _colour("stroke", item.colour, item.opacity, plain) + f' stroke-width="{short(width)}"' if width else ""


def _look(item: Item, plain: bool) -> tuple[str, str]:
    """Return the name of the tag and its attributes."""
    if isinstance(item, Text):
        return "text", _text(item, plain)
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
