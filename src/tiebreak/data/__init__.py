"""Anything -> DataSet: files, frames, bundled and generated sets, OpenML."""

from __future__ import annotations

from tiebreak.data.bundled import bundled_data
from tiebreak.data.dataset import DataSet
from tiebreak.data.files import data_files, read_data
from tiebreak.data.frames import from_frame, from_xy
from tiebreak.data.openml import openml_data, openml_suite
from tiebreak.data.references import DataReference, load, suite_names

__all__ = [
    "DataReference",
    "DataSet",
    "bundled_data",
    "data_files",
    "from_frame",
    "from_xy",
    "load",
    "openml_data",
    "openml_suite",
    "read_data",
    "suite_names",
]
