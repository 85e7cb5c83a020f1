"""Draw a scene through matplotlib."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib import rcParams
from matplotlib.text import Text as MplText

from tiebreak.caveats import Caveat
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.palette import PAPER, in_theme
from tiebreak.figures.drawing.scene import Area, Circle, Curve, Item, Line, Scene, Text
from tiebreak.figures.drawing.text import Widths
from tiebreak.wording import option

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox


@contextmanager
def unhinted() -> Iterator[None]:
    """Hinting rounds each letter to whole pixels: at 100 dots per inch a line of six points grows by eight per cent."""
    before = rcParams["text.hinting"]
    rcParams["text.hinting"] = "no_hinting"
    try:
        yield
    finally:
        rcParams["text.hinting"] = before


class PlainText(MplText):
    """A text that is measured and drawn without hinting, so that it fills the room that the layout gave it."""

    def draw(self, renderer: Any) -> None:
        """Draw the text; matplotlib asks for its setting of hinting then, and not when the text is made."""
        with unhinted():
            super().draw(renderer)

    def get_window_extent(self, renderer: Any = None, dpi: float | None = None) -> Bbox:
        """Return the box that the text fills, in pixels."""
        with unhinted():
            return super().get_window_extent(renderer, dpi)


RESOLUTION = 200
FONT = "DejaVu Sans"
"""It comes with matplotlib, so that a figure looks the same everywhere."""
GENERIC = {"sans": "DejaVu Sans", "sans-serif": "DejaVu Sans", "serif": "DejaVu Serif", "mono": "DejaVu Sans Mono"}
"""Kinds of fonts, and which of those that come with matplotlib stands for each."""
MOST_NAMED = 12
LACKING = Caveat(
    "not-drawn",
    "Some characters are not in the font that matplotlib draws with and show as \N{REPLACEMENT CHARACTER}; a figure"
    " saved as .svg holds them.",
)
_HA = {"start": "left", "middle": "center", "end": "right"}


def draw(scene: Scene, ax: Axes | None = None) -> Axes:
    """Draw into the axes, scaled to their present size, or into a new figure of the size of the scene."""
    matplotlib = _library()
    # settings of the user that would draw something else than the scene says
    with matplotlib.rc_context({"text.usetex": False, "path.sketch": None, "path.effects": []}):
        axes = _new_axes(scene) if ax is None else ax
        scale, font = _prepare(axes, scene), scene.font or FONT
        for order, item in enumerate(scene.items):
            _add(axes, item, scale, 2 + order / len(scene.items), font)  # one above the other, whatever their kind
    return axes


def save(scene: Scene, path: Path) -> None:
    """Write a PDF or PNG."""
    matplotlib = _library()
    # without the time and the version of the program, the same figure is the same file
    stamp = {"CreationDate": None} if path.suffix.lower() == ".pdf" else {"Software": None}
    with matplotlib.rc_context({"savefig.bbox": None, "pdf.fonttype": 42}):
        figure = draw(scene).figure
        figure.savefig(path, dpi=RESOLUTION, metadata=stamp)  # type: ignore[union-attr]


def lacks_letters(scene: Scene) -> bool:
    """Say whether the scene holds characters that the font cannot draw."""
    _library()
    font = scene.font or FONT
    return any(_in_font(text.words, font, bold=text.bold) != text.words for text in scene.texts())


def _in_font(words: str, font: str, *, bold: bool) -> str:
    """Matplotlib warns of every letter that it lacks; here it is told once, in a caveat."""
    known = _letters(font, bold)
    return "".join(c if ord(c) in known else "\N{REPLACEMENT CHARACTER}" for c in words)


@cache
def _letters(font: str, bold: bool) -> frozenset[int]:
    """Return the characters of the font, by number."""
    from matplotlib.font_manager import get_font

    return frozenset(get_font(_file(font, bold)).get_charmap())


def _file(font: str, bold: bool) -> str:
    """Find the file of a font; a family that is not on the machine is not replaced in silence."""
    from matplotlib.font_manager import FontProperties, findfont

    wanted = FontProperties(family=GENERIC.get(font.lower(), font), weight="bold" if bold else "normal")
    try:
        return str(findfont(wanted, fallback_to_default=False))
    except ValueError:
        raise _unknown_font(font) from None


def _unknown_font(font: str) -> OptionError:
    from matplotlib.font_manager import fontManager

    there = sorted({entry.name for entry in fontManager.ttflist})
    near = get_close_matches(font, there, n=3, cutoff=0.5)
    first = [*near, *(name for name in there if name not in near)][:MOST_NAMED]
    more = f" and {len(there) - len(first)} more" if len(there) > len(first) else ""
    return OptionError(
        f"There is no font {font!r} on this machine.",
        why=f"Matplotlib draws with fonts that are installed: {', '.join(first)}{more}.",
        mend=f"Use {option(font=near[0] if near else FONT)}, or save as .svg, which only names the font.",
    )


@cache
def widths_of(font: str) -> Widths | None:
    """Return the advance widths of a chosen font; the usual one is what texts are measured by anyway."""
    if not font or font == FONT:
        return None
    _library()
    return {bold: _advances(font, bold) for bold in (False, True)}


def _advances(font: str, bold: bool) -> dict[str, float]:
    """Matplotlib gives lengths in 1/64 of a pixel; without hinting a letter is as wide in every size."""
    from matplotlib.font_manager import get_font
    from matplotlib.ft2font import LoadFlags

    face = get_font(_file(font, bold))
    face.set_size(100.0, 72.0)
    widths = {}
    for number in (*range(32, 127), *range(160, 384)):
        if number in face.get_charmap():
            widths[chr(number)] = face.load_char(number, flags=LoadFlags.NO_HINTING).linearHoriAdvance / 65536 / 100
    return widths


def _library() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise OptionError(
            "matplotlib is not installed.",
            why="It draws into axes and writes PDF and PNG; SVG and TikZ are written without it.",
            mend="Install it with `pip install 'tiebreak[figures]'`, or save as .svg or .tex.",
        ) from None
    return matplotlib


def _new_axes(scene: Scene) -> Axes:
    """Not pyplot: it would load a backend and keep the figure alive in its global list."""
    from matplotlib.figure import Figure

    paper = in_theme(PAPER, scene.theme)
    figure = Figure(figsize=(scene.width / 72, scene.height / 72), facecolor=paper)
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


def _prepare(axes: Axes, scene: Scene) -> float:
    """Make the data units of the axes the points of the scene; return how many real points one of them is."""
    box = axes.get_window_extent()
    dpi = axes.get_figure(root=True).dpi  # type: ignore[union-attr]
    scale = min(box.width * 72 / dpi / scene.width, box.height * 72 / dpi / scene.height)
    axes.set_axis_off()
    axes.set(xlim=(0, scene.width), ylim=(scene.height, 0))
    axes.set_aspect("equal", adjustable="box")
    return scale


def _add(axes: Axes, item: Item, scale: float, order: float, font: str) -> None:
    """No clipping: a line along the edge would lose half of its width."""
    if isinstance(item, Text):
        _text(axes, item, scale, order, font)
        return
    artist = _artist(item, scale)
    artist.set(zorder=order, clip_on=False)
    axes.add_artist(artist)


def _artist(item: Line | Curve | Area | Circle, scale: float) -> Any:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle as Round, PathPatch, Polygon
    from matplotlib.path import Path as Track

    look: dict[str, Any] = {"alpha": item.opacity}
    if isinstance(item, Line):
        # butt ends and mitred corners, as SVG and TikZ draw them by default
        look |= {"solid_capstyle": "butt", "solid_joinstyle": "miter", "dash_capstyle": "butt"}
        look |= {"linestyle": (0, tuple(part / item.width for part in item.dash))} if item.dash else {}
        xs, ys = zip(*item.points, strict=True)
        return Line2D(xs, ys, color=item.colour, linewidth=item.width * scale, **look)
    if isinstance(item, Curve):
        track = Track(item.points, [Track.MOVETO, Track.CURVE4, Track.CURVE4, Track.CURVE4])
        return PathPatch(track, fill=False, edgecolor=item.colour, linewidth=item.width * scale, **look)
    edge = item.colour if item.edge else "none"
    look |= {"facecolor": item.fill, "edgecolor": edge, "linewidth": item.edge * scale}
    if isinstance(item, Circle):
        return Round((item.x, item.y), item.radius, **look)
    return Polygon(item.points, closed=True, **look)


def _text(axes: Axes, item: Text, scale: float, order: float, font: str) -> None:
    """`parse_math=False`: a dollar sign in the name of an algorithm is a dollar sign."""
    family = GENERIC.get(font.lower(), font)
    look: dict[str, Any] = {"family": family, "color": item.colour, "fontsize": item.size * scale, "zorder": order}
    look |= {"ha": _HA[item.anchor], "va": "baseline", "rotation_mode": "anchor", "rotation": 90 * item.upwards}
    weight, words = "bold" if item.bold else "normal", _in_font(item.words, font, bold=item.bold)
    axes.add_artist(PlainText(item.x, item.y, words, fontweight=weight, parse_math=False, **look))
