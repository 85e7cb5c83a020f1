"""Which reader a source needs."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from tiebreak.reading.grids.grid import Grid
from tiebreak.reading.grids.latex import latex

def find(source: Path | str | bytes | IO[str], *, name: str, sheet: str | None) -> list[Grid]:
    """Find every table in a source."""
    return latex(Path(source).read_text(), name=name)
