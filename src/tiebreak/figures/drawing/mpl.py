"""Draw a scene through matplotlib."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import Caveat
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.palette import PAPER, in_theme
from tiebreak.figures.drawing.scene import Area, Circle, Item, Line, Scene, Text

try:
    from matplotlib import rc_context, rcParams
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties, findfont, get_font
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle as Round, Polygon
    from matplotlib.text import Text as MplText
except ImportError:
    raise OptionError(
        "matplotlib is not installed.",
        why="It draws into axes and writes PDF and PNG; SVG and TikZ are written without it.",
        mend="Install it with `pip install 'tiebreak[figures]'`, or save as .svg or .tex.",
    ) from None

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
LACKING = Caveat(
    "not-drawn",
    "Some characters are not in the font that matplotlib draws with and show as \N{REPLACEMENT CHARACTER}; a figure"
    " saved as .svg holds them.",
)
_HA = {"start": "left", "middle": "center", "end": "right"}


def draw(scene: Scene, ax: Axes | None = None) -> Axes:
    """Draw into the axes, scaled to their present size, or into a new figure of the size of the scene."""
    # settings of the user that would draw something else than the scene says
    with rc_context({"text.usetex": False, "path.sketch": None, "path.effects": []}):
        axes = _new_axes(scene) if ax is None else ax
        scale = _prepare(axes, scene)
        for order, item in enumerate(scene.items):
            _add(axes, item, scale, 2 + order / len(scene.items))  # one above the other, whatever their kind
    return axes


def save(scene: Scene, path: Path) -> None:
    """Write a PDF or PNG."""
    # without the time and the version of the program, the same figure is the same file
    stamp = {"CreationDate": None} if path.suffix.lower() == ".pdf" else {"Software": None}
    with rc_context({"savefig.bbox": None, "pdf.fonttype": 42}):
        figure = draw(scene).figure
        figure.savefig(path, dpi=RESOLUTION, metadata=stamp)  # type: ignore[union-attr]


def lacks_letters(scene: Scene) -> bool:
    """Say whether the scene holds characters that the font cannot draw."""
    return any(_in_font(text.words, bold=text.bold) != text.words for text in scene.texts())


def _in_font(words: str, *, bold: bool) -> str:
    """Matplotlib warns of every letter that it lacks; here it is told once, in a caveat."""
    known = _letters(bold)
    return "".join(c if ord(c) in known else "\N{REPLACEMENT CHARACTER}" for c in words)


@cache
def _letters(bold: bool) -> frozenset[int]:
    """Return the characters of the font, by number."""
    file = findfont(FontProperties(family=FONT, weight="bold" if bold else "normal"))
    return frozenset(get_font(file).get_charmap())


def _new_axes(scene: Scene) -> Axes:
    """Not pyplot: it would load a backend and keep the figure alive in its global list."""
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


def _add(axes: Axes, item: Item, scale: float, order: float) -> None:
    """No clipping: a line along the edge would lose half of its width."""
    if isinstance(item, Text):
        _text(axes, item, scale, order)
        return
    artist = _artist(item, scale)
    artist.set(zorder=order, clip_on=False)
    axes.add_artist(artist)


def _artist(item: Line | Area | Circle, scale: float) -> Any:
    look: dict[str, Any] = {"alpha": item.opacity}
    if isinstance(item, Line):
        # butt ends and mitred corners, as SVG and TikZ draw them by default
        look |= {"solid_capstyle": "butt", "solid_joinstyle": "miter", "dash_capstyle": "butt"}
        look |= {"linestyle": (0, tuple(part / item.width for part in item.dash))} if item.dash else {}
        xs, ys = zip(*item.points, strict=True)
        return Line2D(xs, ys, color=item.colour, linewidth=item.width * scale, **look)
    edge = item.colour if item.edge else "none"
    look |= {"facecolor": item.fill, "edgecolor": edge, "linewidth": item.edge * scale}
    if isinstance(item, Circle):
        return Round((item.x, item.y), item.radius, **look)
    return Polygon(item.points, closed=True, **look)


def _text(axes: Axes, item: Text, scale: float, order: float) -> None:
    """`parse_math=False`: a dollar sign in the name of an algorithm is a dollar sign."""
    look: dict[str, Any] = {"family": FONT, "color": item.colour, "fontsize": item.size * scale, "zorder": order}
    look |= {"ha": _HA[item.anchor], "va": "baseline", "rotation_mode": "anchor", "rotation": 90 * item.upwards}
    weight, words = "bold" if item.bold else "normal", _in_font(item.words, bold=item.bold)
    axes.add_artist(PlainText(item.x, item.y, words, fontweight=weight, parse_math=False, **look))
