"""Anything -> DataSet: files, frames, bundled and generated sets, OpenML."""

from __future__ import annotations

from tiebreak.datasets.bundled import bundled_data
from tiebreak.datasets.dataset import DataSet
from tiebreak.datasets.files import data_files, read_data
from tiebreak.datasets.frames import from_frame, from_xy
from tiebreak.datasets.openml import openml_data, openml_suite
from tiebreak.datasets.references import DataReference, load, suite_names

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
