"""Text of matplotlib that is as wide at every resolution; loaded by `mpl` alone, since it needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from matplotlib import rcParams
from matplotlib.text import Text

if TYPE_CHECKING:
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


class PlainText(Text):
    """A text that is measured and drawn without hinting, so that it fills the room that the layout gave it."""

    def draw(self, renderer: Any) -> None:
        """Draw the text; matplotlib asks for its setting of hinting then, and not when the text is made."""
        with unhinted():
            super().draw(renderer)

    def get_window_extent(self, renderer: Any = None, dpi: float | None = None) -> Bbox:
        """Return the box that the text fills, in pixels."""
        with unhinted():
            return super().get_window_extent(renderer, dpi)
