"""Figures as data: what every kind shares, and the page it is drawn on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Row, Shown
from tiebreak.errors import InputError, OptionError
from tiebreak.figures.drawing.palette import MUTED, in_theme
from tiebreak.figures.drawing.scene import NAME, Area, Circle, Item, Scene, Text, bounds
from tiebreak.figures.drawing.sheet import ANY_SHEET, FLOAT_HIGH, LEAST_TEXT, PAGE_HIGH, POINTS, WIDEST, Sheet
from tiebreak.figures.drawing.text import (
    DESCENT,
    PAPER_LETTERS,
    PLAIN,
    Ruler,
    drawn_size,
    measured,
    shown,
    wrapped,
)
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = list[Row]
FEWEST, FEWER = 15, 8
"""How many of the first a message proposes to draw, and how many are drawn at the least to make a figure fit."""
ENDINGS = (".svg", ".tex", ".tikz", ".pdf", ".png")


def check_ending(target: Path) -> str:
    """Return the ending of a path if a figure can be written so."""
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise OptionError(
            f"A figure cannot be saved as {target.name!r}.",
            why=f"The ending says what to write, and must be one of {', '.join(ENDINGS)}.",
            mend=f"Use {target.with_suffix('.svg').name if target.name else 'figure.svg'}.",
        )
    return ending


def rows_of(**columns: Sequence[object]) -> Rows:
    """Return the rows of a table that is given by its columns.

    Examples
    --------
    >>> rows_of(name=("a", "b"), place=(1, 2))
    [{'name': 'a', 'place': 1}, {'name': 'b', 'place': 2}]
    """
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def titled(result: Shown) -> dict[str, Any]:
    """Return what every figure takes from its result: the title, and the caveats, which hold for the figure too."""
    return {"heading": result.title(), "caveats": result.caveats}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Figure(Shown):
    """A figure: plain data that can be laid out and drawn; `heading` is the title of what it was made of.

    A figure supplies `KIND`, `rows()`, `items()` and `reading()`; the rest follows. Whatever draws it takes the same
    sizes: `width`, a number of points, a length such as "84mm" (pt, in, cm, mm, px), "column" (84 mm) or "page"
    (174 mm), None as wide as the figure likes; `height`, how high it may be, "any" as high as it likes: with a width on
    paper usually 200 mm, which leaves a column room for a caption, and the last of many algorithms are folded;
    `font_size`, the size of names in points; `theme`, "paper" (usual), "dark", "page" (follows
    the page around it) or "auto" (follows the reader's system). What is not given is that of `sized()`. `kept` are the
    positions of the algorithms that are drawn where others are folded; empty where all are.
    """

    KIND: ClassVar[str] = ""
    FOLDED: ClassVar[str] = "Rows"
    """What is folded where all of it is too high."""
    heading: str
    caveats: Caveats = ()
    sheet: Sheet = ANY_SHEET
    kept: tuple[int, ...] = ()

    def title(self) -> str:
        """Say in one line what the figure shows."""
        return f"{self.KIND}: {self.heading}" if self.KIND else self.heading

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out what is drawn, without the notes under it, in so much room; None: as much as it likes."""
        raise TypeError(f"{type(self).__name__} draws nothing in {room}")  # every subclass gives its own

    def reading(self) -> str:
        """Say how the figure is to be read."""
        raise TypeError(f"{type(self).__name__} has no notes")  # every subclass gives its own

    def foldable(self) -> int:
        """Return how many rows there are, of algorithms or of pairs, of which some can be folded; 0 where none can."""
        return 0

    def first(self, count: int) -> Self:
        """Return the figure with the first so many rows drawn and the others folded; itself where they are fewer."""
        if self.kept or not count < self.foldable():
            return self
        return replace(self, kept=tuple(range(count)))

    def no_higher(self, height: float, **sizes: Any) -> Self:
        """Return the figure, folded to as many of the first rows as keep to a height in points, without notes."""
        made = self.sized(**sizes, height="any")
        return made._folded(height, lambda made: made.scene(notes=False).height, fewest=FEWEST)

    def chosen(self) -> bool:
        """Say whether somebody chose which algorithms are drawn: then no others are folded."""
        return bool(self.kept)

    def fewest(self) -> int:
        """Return how many of the first are drawn at the least to make the figure lower."""
        return FEWER

    def _folded(self, most: float, height: Callable[[Self], float], *, fewest: int) -> Self:
        """Return the figure folded to as many of the first rows as keep to a height."""
        made, count = self, self.foldable()
        while count > fewest and (high := height(made)) > most:
            count = max(fewest, min(count * 9 // 10, int(1.1 * count * most / high)))
            made = self.first(count)
        return made

    def fitted(self, *, notes: bool = True, **sizes: Any) -> Self:
        """Return the figure as it is drawn: folded to the height of its sheet, with its words or without them."""
        made = self.sized(**sizes) if sizes else self
        options: dict[str, Any] = {"notes": notes, "ruler": PLAIN}
        return made._fitted(made._as_it_is(**options).height, **options)

    def _fitted(self, high: float, *, notes: bool, ruler: Ruler, more: Sequence[str] = ()) -> Self:
        """Fold what is too high, where nobody chose what is drawn; the words that say so take room as well."""
        if high <= self.sheet.highest or self.chosen() or self.foldable() <= self.fewest():
            return self
        options: dict[str, Any] = {"notes": notes, "ruler": ruler, "more": (*more, self.for_height())}
        return self._folded(self.sheet.highest, lambda made: made._as_it_is(**options).height, fewest=self.fewest())

    def left_out_of(self, drawn: Self) -> list[Caveat]:
        """Say what was folded in the figure as it is drawn; nothing where all of it is there."""
        return [] if drawn is self or len(drawn.kept) == self.foldable() else [self.for_height()]

    def for_height(self) -> Caveat:
        """Say why rows are folded that nobody asked to fold, and what draws them all."""
        high = f"{self.sheet.highest / POINTS['mm']:.0f} mm"
        text = f"{self.FOLDED} are folded so that the figure keeps to {high}; {option(height='any')} draws all of them."
        return Caveat("not-drawn", text)

    def notes(self) -> list[str]:
        """Return what stands under the figure before its caveats: what it shows, and how it is to be read."""
        return [f"{shown(self.heading)}. {self.reading()}"]

    def sized(self, **sizes: Any) -> Self:
        """Return the figure with other sizes (`width`, `height`, `font_size`, `theme`), wherever it goes.

        Examples
        --------
        >>> import tiebreak as tb
        >>> figure = tb.compare(tb.published.demsar2006(), score="auc").figure()
        >>> figure.scene().width > 300, round(figure.sized(width="84mm").scene().width, 1)
        (True, 238.1)
        """
        return replace(self, sheet=self.sheet.over(**sizes))

    def scene(self, *, notes: bool = True, more: Sequence[str] = (), **sizes: Any) -> Scene:
        """Lay the figure out; `notes=False` leaves out how to read it and the caveats, for a caption of your own.

        `more` are caveats that only the way of drawing knows.
        """
        return self._laid_out(self.sheet.over(**sizes), notes=notes, more=more)

    def _laid_out(self, sheet: Sheet, *, notes: bool, ruler: Ruler = PLAIN, more: Sequence[str] = ()) -> Scene:
        here = self if sheet is self.sheet else replace(self, sheet=sheet)  # notes tell of the layout that is drawn
        scene = here._as_it_is(notes=notes, ruler=ruler, more=more)
        folded = here._fitted(scene.height, notes=notes, ruler=ruler, more=more)
        if folded is not here:
            here, more = folded, (*more, *here.left_out_of(folded))
            scene = here._as_it_is(notes=notes, ruler=ruler, more=more)
        high = here.too_high(scene) if notes else None
        return scene if high is None else here._as_it_is(notes=notes, ruler=ruler, more=(*more, high))

    def _as_it_is(self, *, notes: bool, ruler: Ruler, more: Sequence[str] = ()) -> Scene:
        """Lay the figure out on its sheet, as high as it comes out."""
        under = [*self.notes(), *(f"Caveat: {caveat}" for caveat in (*self.caveats, *more))]
        drawn = under if notes else ()
        return fitted_page(self.items, self.sheet, ruler, title=self.title(), notes=drawn, description=" ".join(under))

    def lower(self) -> str:
        """Say what draws less of the figure, which is then lower; nothing where all of it is needed."""
        return f"{option(top=FEWEST)} draws the first {FEWEST} and counts the others" if self.foldable() else ""

    def too_high(self, scene: Scene, *, notes: bool = True) -> Caveat | None:
        """Say that the figure is higher than its sheet, and what makes it lower; `notes`: whether words are drawn."""
        most = min(self.sheet.highest, PAGE_HIGH * POINTS["mm"])
        if scene.height <= most + 0.01:
            return None
        words = f"{either('notes=False', '--no-notes')} leaves the words to a caption" if notes else ""
        ways = "; ".join(way for way in (self.lower(), words) if way) or "it needs shorter names, or fewer of them"
        sheet = "a page" if most > FLOAT_HIGH * POINTS["mm"] else "a column has room for beside a caption"
        return Caveat("not-drawn", f"The figure is higher than {sheet} ({most / POINTS['mm']:.0f} mm): {ways}.")

    def to_svg(self, *, notes: bool = True, **sizes: Any) -> str:
        """Return the figure as SVG text; the theme "page" has no background, for pages that may be light or dark."""
        from tiebreak.figures.drawing.svg import to_svg

        return to_svg(self.scene(notes=notes, **sizes))

    def to_tikz(self, *, notes: bool = True, **sizes: Any) -> str:
        r"""Return the figure as TikZ text, to be read by \input in LaTeX; letters are those of the paper.

        The widths "column" and "page" are \columnwidth and \textwidth there: coordinates stretch to them.
        """
        from tiebreak.figures.drawing.tikz import to_tikz

        return to_tikz(self._scene_in_paper(self.sheet.over(**sizes), notes=notes))

    def _scene_in_paper(self, sheet: Sheet, *, notes: bool) -> Scene:
        """Lay the figure out for LaTeX, whose usual letters are wide where they are small."""
        return self._laid_out(sheet, notes=notes, ruler=PAPER_LETTERS)

    def draw(self, ax: Axes | None = None, *, notes: bool = True, **sizes: Any) -> Axes:
        """Draw with matplotlib and return the axes, new ones in a figure of their own if none are given.

        Given axes are used up to their present size; the settings of matplotlib are not changed.
        """
        from tiebreak.figures.drawing.mpl import draw

        return draw(self._scene_in_font(self.sheet.over(**sizes), notes=notes), ax)

    def _scene_in_font(self, sheet: Sheet, *, notes: bool) -> Scene:
        """Lay the figure out for matplotlib, with a caveat where its font lacks letters."""
        from tiebreak.figures.drawing.mpl import LACKING, lacks_letters

        plain = self._laid_out(sheet, notes=notes)
        return self._laid_out(sheet, notes=notes, more=(LACKING,)) if lacks_letters(plain) else plain

    def save(self, path: str | Path, *, notes: bool = True, **sizes: Any) -> None:
        """Write a file; its ending says what: .svg, .tex or .tikz, .pdf, .png (the last two by matplotlib).

        Missing folders are made.
        """
        target = Path(path)
        ending = check_ending(target)
        sheet = self.sheet.over(**sizes)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._write(target, ending, sheet, notes=notes)
        except OSError as error:
            raise InputError(
                f"{error.filename or path} cannot be written: {error.strerror}.", mend="Choose another path."
            ) from None

    def _write(self, target: Path, ending: str, sheet: Sheet, *, notes: bool) -> None:
        """Only PDF and PNG need matplotlib; SVG and TikZ are text that is written without it."""
        if ending in (".pdf", ".png"):
            from tiebreak.figures.drawing.mpl import save

            save(self._scene_in_font(sheet, notes=notes), target)
        else:
            here = replace(self, sheet=sheet)
            text = here.to_svg(notes=notes) if ending == ".svg" else here.to_tikz(notes=notes)
            target.write_text(text, encoding="utf-8")

    def _repr_html_(self) -> str:
        """No background: a notebook may be dark, and a wide figure scrolls by itself and not with the page."""
        from tiebreak.figures.drawing.svg import notebook_style

        drawn = self.to_svg(theme="page")
        return f'<div class="tb-notebook" style="max-width:100%;overflow-x:auto">{notebook_style()}{drawn}</div>'


NOTE, NOTE_LINE, MARGIN, LEAST_WIDTH = 7.0, 9.6, 6.0, 300.0
SIDE, GROUND_SIDE, OVERHANG = 1.0, 4.0, 24.0
"""The margin of a figure that fills a given width: the document around it has one of its own, but a dark ground ends
at the figure's edge, where letters must not touch it; how far a layout may reach out to be tried again in less room."""
Lay = Callable[[float | None], list[Item]]
"""Lays items out in so much room, None for as much as they like; what has no room at all comes out wider."""


def fitted_page(
    lay: Lay, sheet: Sheet, ruler: Ruler = PLAIN, *, title: str, notes: Sequence[str] = (), description: str = ""
) -> Scene:
    """Lay a figure out on a sheet: names have the size of its font, no text is smaller than six points.

    Where no size was given, names become smaller before the sheet is called too narrow. `ruler` knows the letters;
    `notes` stand under the figure, `description` is for who cannot see it.
    """
    for size in sheet.sizes():
        scale = size / NAME
        with measured(replace(ruler, least=LEAST_TEXT / scale if sheet.width else 0.0, scale=scale)):
            scene = _free(lay, notes) if sheet.width is None else _within(lay, sheet.width / scale, sheet, notes)
            if scene is not None:
                return replace(_on(sheet, _scaled(scene, scale)), title=shown(title), description=shown(description))
    raise _too_narrow(lay, sheet, ruler)


def _free(lay: Lay, notes: Sequence[str]) -> Scene:
    """Put a margin around the items and the notes under them, and make the canvas as large as that needs."""
    items = lay(None)
    left, _, right, _ = bounds(items)
    return _page(items, max(right - left, LEAST_WIDTH if notes else 0.0), MARGIN, notes)


def _side(sheet: Sheet) -> float:
    return GROUND_SIDE if sheet.theme in ("dark", "auto") else SIDE


def _within(lay: Lay, width: float, sheet: Sheet, notes: Sequence[str]) -> Scene | None:
    """Return the page if the items keep to the width."""
    side = _side(sheet)
    items = _fitted(lay, width - 2 * side)
    return None if items is None else _page(items, width - 2 * side, side, notes)


def _fitted(lay: Lay, room: float) -> list[Item] | None:
    """Return items that keep to the room: a number at the end of an axis that reaches out is given a little of it."""
    value = room
    for _ in range(3):
        items = lay(value)
        left, _, right, _ = bounds(items)
        if right - left <= room + 1e-6:
            return items
        if right - left > room + OVERHANG:
            break
        value -= right - left - room + 0.01
    return None


def _too_narrow(lay: Lay, sheet: Sheet, ruler: Ruler) -> OptionError:
    """Say which width would do, with the smallest letters or with those that were asked for."""
    scale, least = sheet.sizes()[-1] / NAME, int((sheet.width or 0.0) / POINTS["mm"]) + 1
    with measured(replace(ruler, least=LEAST_TEXT / scale, scale=scale)):
        while least < WIDEST and _fitted(lay, least * POINTS["mm"] / scale - 2 * _side(sheet)) is None:
            least += 1
    smaller = " or smaller letters" if sheet.font_size is not None and sheet.font_size > LEAST_TEXT else ""
    return OptionError(
        f"{_millimetres(sheet.width or 0.0)} too narrow for this figure: it needs {least} mm.",
        why=f"Its texts would overlap or be smaller than {LEAST_TEXT:g} points, which nobody can read in print.",
        mend=f"Use {option(width=f'{least}mm')}{smaller}, or draw fewer algorithms.",
    )


def _millimetres(points: float) -> str:
    """Say how wide a sheet is; what is under a millimetre is not called nothing."""
    wide = points / POINTS["mm"]
    return "Less than a millimetre is" if wide < 1 else f"{wide:.0f} mm {'is' if round(wide) == 1 else 'are'}"


def _page(items: Sequence[Item], width: float, margin: float, notes: Sequence[str]) -> Scene:
    left, top, right, bottom = bounds(items)
    spare = (width - (right - left)) / 2
    placed = [item.moved(margin - left + spare, margin - top) for item in items]
    size = drawn_size(NOTE)
    line = NOTE_LINE * size / NOTE
    y = margin + bottom - top + (2 * size if notes else 0.0)
    for note in notes:
        for words in wrapped(note, NOTE, width):
            placed.append(Text(margin, y, words, size=NOTE, colour=MUTED))
            y += line
        y += 1.5
    height = (y - line - 1.5 + size * DESCENT if notes else y) + margin
    return Scene(
        width=round(width + 2 * margin, 4),
        height=round(height, 2),
        items=tuple(placed),
        title="",
    )


def _scaled(scene: Scene, scale: float) -> Scene:
    """Make everything so much larger or smaller; texts that would be too small get the least size."""
    if scale == 1.0 and drawn_size(0.0) <= 0.0:
        return scene
    items = tuple(_scaled_item(item, scale) for item in scene.items)
    return replace(scene, width=round(scene.width * scale, 2), height=round(scene.height * scale, 2), items=items)


def _scaled_item(item: Item, by: float) -> Item:
    look: dict[str, Any] = {}
    if isinstance(item, Text):
        return replace(item, x=item.x * by, y=item.y * by, size=round(drawn_size(item.size) * by, 4))
    if isinstance(item, Circle):
        return replace(item, x=item.x * by, y=item.y * by, radius=item.radius * by, edge=item.edge * by)
    look["points"] = tuple((x * by, y * by) for x, y in item.points)
    if isinstance(item, Area):
        return replace(item, edge=item.edge * by, **look)
    return replace(item, width=max(item.width * by, min(item.width, 0.4)), **look)


def _on(sheet: Sheet, scene: Scene) -> Scene:
    """Give the scene the length and, where they are fixed, the colours of the sheet."""
    made = replace(scene, length=sheet.length if sheet.width else "", theme=sheet.theme)
    if sheet.theme != "dark":
        return made
    return replace(made, items=tuple(_dark(item) for item in scene.items))


def _dark(item: Item) -> Item:
    look = {"colour": in_theme(item.colour, "dark")}
    if isinstance(item, (Area, Circle)):
        look["fill"] = in_theme(item.fill, "dark")
    return replace(item, **look)  # type: ignore[arg-type]
