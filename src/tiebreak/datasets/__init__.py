"""Anything -> DataSet: files, frames, bundled and generated sets, OpenML.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from __future__ import annotations

from tiebreak.datasets.building import from_frame, from_xy
from tiebreak.datasets.dataset import DataSet
from tiebreak.datasets.files import read_data
from tiebreak.datasets.references import load

__all__ = ["DataSet", "from_frame", "from_xy", "load", "read_data"]
