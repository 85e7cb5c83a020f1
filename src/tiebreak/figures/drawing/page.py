"""The page: items with a margin around them and notes under them, as wide as they like or as wide as a sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tiebreak.errors import OptionError
from tiebreak.figures.drawing.metrics import DESCENT, PLAIN, Ruler, drawn_size, measured, shown, wrapped
from tiebreak.figures.drawing.palette import MUTED, in_theme
from tiebreak.figures.drawing.scene import NAME, Area, Circle, Item, Scene, Text, bounds
from tiebreak.figures.drawing.sheet import LEAST_TEXT, POINTS, Sheet
from tiebreak.wording import option

NOTE, NOTE_LINE, MARGIN, LEAST_WIDTH = 7.0, 9.6, 6.0, 300.0
SIDE, GROUND_SIDE, OVERHANG, MOST = 1.0, 4.0, 24.0, 5000.0
"""The margin of a figure that fills a given width: the document around it has one of its own, but a dark ground ends
at the figure's edge, where letters must not touch it; how far a layout may reach out to be tried again in less room;
where the search for a least width ends."""
Lay = Callable[[float | None], list[Item]]
"""Lays items out in so much room, None for as much as they like; what has no room at all comes out wider."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is said of a figure: its title, the notes that stand under it, and its description for who cannot see it."""

    title: str
    notes: Sequence[str] = ()
    description: str = ""


def page(items: Sequence[Item], *, title: str, notes: Sequence[str] = (), description: str = "") -> Scene:
    """Put a margin around the items and the notes under them, and make the canvas as large as that needs."""
    left, _, right, _ = bounds(items)
    wide = max(right - left, LEAST_WIDTH if notes else 0.0)
    return _page(items, wide, MARGIN, Told(title=title, notes=notes, description=description))


def fitted_page(lay: Lay, sheet: Sheet, told: Told, ruler: Ruler = PLAIN) -> Scene:
    """Lay a figure out on a sheet: names have the size of its font, no text is smaller than six points.

    Where no size was given, names become smaller before the sheet is called too narrow. `ruler` knows the letters.
    """
    scene: Scene | None = None
    for size in sheet.sizes():
        scale = size / NAME
        with measured(replace(ruler, least=LEAST_TEXT / scale if sheet.width else 0.0, scale=scale)):
            scene = _free(lay, told) if sheet.width is None else _within(lay, sheet.width / scale, _side(sheet), told)
            if scene is not None:
                return _on(sheet, _scaled(scene, scale))
    raise _too_narrow(lay, sheet, ruler)


def _free(lay: Lay, told: Told) -> Scene:
    return page(lay(None), title=told.title, notes=told.notes, description=told.description)


def _side(sheet: Sheet) -> float:
    return GROUND_SIDE if sheet.theme in ("dark", "auto") else SIDE


def _within(lay: Lay, width: float, side: float, told: Told) -> Scene | None:
    """Return the page if the items keep to the width."""
    items = _fitted(lay, width - 2 * side)
    return None if items is None else _page(items, width - 2 * side, side, told)


def _fitted(lay: Lay, room: float) -> list[Item] | None:
    """Return items that keep to the room: a number at the end of an axis that reaches out is given a little of it."""
    asked = room
    for _ in range(3):
        items = lay(asked)
        left, _, right, _ = bounds(items)
        if right - left <= room + 1e-6:
            return items
        if right - left > room + OVERHANG:
            break
        asked -= right - left - room + 0.01
    return None


def _too_narrow(lay: Lay, sheet: Sheet, ruler: Ruler) -> OptionError:
    """Say which width would do, with the smallest letters or with those that were asked for."""
    size = sheet.sizes()[-1]
    scale, need = size / NAME, (sheet.width or 0.0) / (size / NAME)
    with measured(replace(ruler, least=LEAST_TEXT / scale, scale=scale)):
        need = _least(lay, need, _side(sheet))
        least = -(-need * scale / POINTS["mm"] // 1)
        # a little more room may be laid out otherwise, and not fit: what is promised is tried
        while _fitted(lay, least * POINTS["mm"] / scale - 2 * _side(sheet)) is None and need < MOST:
            least, need = least + 1, need + POINTS["mm"]
    smaller = " or smaller letters" if sheet.font_size is not None and sheet.font_size > LEAST_TEXT else ""
    return OptionError(
        f"{_millimetres(sheet.width or 0.0)} too narrow for this figure: it needs {least:.0f} mm.",
        why=f"Its texts would overlap or be smaller than {LEAST_TEXT:g} points, which nobody can read in print.",
        mend=f"Use {option(width=f'{least:.0f}mm')}{smaller}, or draw fewer algorithms.",
    )


def _millimetres(points: float) -> str:
    """Say how wide a sheet is; what is under a millimetre is not called nothing."""
    wide = points / POINTS["mm"]
    return "Less than a millimetre is" if wide < 1 else f"{wide:.0f} mm {'is' if round(wide) == 1 else 'are'}"


def _least(lay: Lay, need: float, side: float) -> float:
    """Find about the least width that will do: grow until one does, then halve the way back to where none did."""
    low = need
    while _fitted(lay, need - 2 * side) is None and need < MOST:
        low, need = need, need * 1.2
    for _ in range(5):
        middle = (low + need) / 2
        low, need = (middle, need) if _fitted(lay, middle - 2 * side) is None else (low, middle)
    return need


def _page(items: Sequence[Item], width: float, margin: float, told: Told) -> Scene:
    left, top, right, bottom = bounds(items)
    spare = (width - (right - left)) / 2
    placed = [item.moved(margin - left + spare, margin - top) for item in items]
    size = drawn_size(NOTE)
    line = NOTE_LINE * size / NOTE
    y = margin + bottom - top + (2 * size if told.notes else 0.0)
    for note in told.notes:
        for words in wrapped(note, NOTE, width):
            placed.append(Text(margin, y, words, size=NOTE, colour=MUTED))
            y += line
        y += 1.5
    height = (y - line - 1.5 + size * DESCENT if told.notes else y) + margin
    return Scene(
        width=round(width + 2 * margin, 4),
        height=round(height, 2),
        items=tuple(placed),
        title=shown(told.title),
        description=shown(told.description),
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
    """Give the scene the font, the length and, where they are fixed, the colours of the sheet."""
    made = replace(scene, font=sheet.font, length=sheet.length if sheet.width else "", theme=sheet.theme)
    if sheet.theme != "dark":
        return made
    return replace(made, items=tuple(_dark(item) for item in scene.items))


def _dark(item: Item) -> Item:
    look = {"colour": in_theme(item.colour, "dark")}
    if isinstance(item, (Area, Circle)):
        look["fill"] = in_theme(item.fill, "dark")
    return replace(item, **look)  # type: ignore[arg-type]
