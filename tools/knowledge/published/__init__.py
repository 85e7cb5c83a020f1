"""Published results of other projects as knowledge bases: a record of each, the files that read them, one entry."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from published.files import missing
from published.records import BASES, BaseRecord
from tiebreak.advisor import Knowledge
from tiebreak.errors import OptionError

_MODULES = {"tabzilla-tuned": "tabzilla", "tabarena": "splits", "tabrepo": "splits"}
"""Where a base is read by a file of another name than its own."""


def read_published(address: str) -> Knowledge:
    """Return the results behind NAME:PATH; PATH is a file, or a folder with the files that the project publishes.

    Licence and citation stand in `notices`. Files that describe the data sets are looked for beside the results:
    meta-attributes that mean the same as ours come under our names, others are left out.
    """
    name, _, place = address.partition(":")
    if name.lower() not in BASES:
        raise OptionError(
            f"There is no published base {name!r}.",
            why="The word before the colon names the project whose results are read.",
            mend=f"Use one of {', '.join(BASES)}.",
        )
    record = BASES[name.lower()]
    if not place:
        raise missing(record, "")
    module = import_module(f"published.{_MODULES.get(record.name, record.name)}")
    reader: Callable[[BaseRecord, Path], Knowledge] = module.read
    return reader(record, Path(place).expanduser())
