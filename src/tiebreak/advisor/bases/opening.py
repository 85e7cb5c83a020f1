"""One base by its address: what ships, a knowledge file, a store, or the published results of a project."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from tiebreak.advisor._knowledge import Knowledge
from tiebreak.advisor._merge_knowledge import merge_knowledge
from tiebreak.advisor._read_knowledge import store_knowledge
from tiebreak.advisor._shipped import ALL_SHIPPED, SHIPPED, knowledge_from_text, shipped_knowledge
from tiebreak.advisor.bases.files import missing
from tiebreak.advisor.bases.records import BASES, BaseRecord
from tiebreak.errors import InputError, OptionError
from tiebreak.results.text import file_bytes
from tiebreak.wording import either

_MODULES = {"tabzilla-tuned": "tabzilla", "tabarena": "splits", "tabrepo": "splits"}
"""Where a base is read by a file of another name than its own."""
_NAMED = re.compile(r"([A-Za-z][A-Za-z0-9_-]+):(?!//)(.*)")
_FILES = (".json", ".json.gz")


def open_base(address: str | Path, *, kind: str | None = None) -> Knowledge:
    r"""Return the base behind an address.

    Parameters
    ----------
    address : str or Path
        "shipped" for the base of the package, "shipped-all" with its artificial data sets; NAME:PATH for the published
        results of a project of `BASES`, such as
        "oboe:downloads/oboe", PATH a file or a folder with the files that the project publishes; the path of a
        knowledge file (.json, see `knowledge_text`); anything else is a store, such as "results.db".
    kind : {"classes", "number"}, optional
        What is predicted, where there is a choice: the package has a base of each kind, and a store may hold both.

    Returns
    -------
    Knowledge
        With the licence and citation of a published base in `notices`. Files that describe its data sets are looked
        for beside the results: meta-attributes that mean the same as ours come under our names, others are left out.

    References
    ----------
    yang2019, mcelfresh2023, erickson2025, salinas2023, gijsbers2024, gijsbers2019, wainer2022

    Examples
    --------
    >>> open_base("shipped").sources[0]
    'shipped'
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "ll10.csv"
    >>> _ = file.write_text("db,rf,svm\niris,0.9,0.8\niris,1.0,0.9\nwine,0.7,0.9\nwine,0.8,0.9\n")
    >>> base = open_base(f"bbtcomp:{file}")
    >>> base.datasets, base.accuracy[0, :, 0].tolist(), base.notices[0][:18]
    (('iris', 'wine'), [[0.9, 1.0], [0.8, 0.9]], 'Results of bbtcomp')
    """
    text = str(address)
    if text in (SHIPPED, ALL_SHIPPED):
        return shipped_knowledge(kind or "classes", artificial=text == ALL_SHIPPED)
    if text in BASES:
        raise missing(BASES[text], "")
    found = None if isinstance(address, Path) else _NAMED.fullmatch(text)
    if found is not None:
        record = _record(found[1], text)
        if record is not None:
            return _importer(record)(record, Path(found[2]).expanduser())
    if text.endswith(_FILES):
        return _file(Path(text).expanduser())
    return store_knowledge(text, kind=kind)


def is_store(address: str | Path) -> bool:
    """Tell whether an address is that of a store, which may not be there yet."""
    text = str(address)
    named = None if isinstance(address, Path) else _NAMED.fullmatch(text)
    published = text in BASES or (named is not None and named[1].lower() in BASES)
    return not (published or text in (SHIPPED, ALL_SHIPPED) or text.endswith(_FILES))


def open_bases(addresses: Sequence[str | Path]) -> Knowledge:
    """Return several bases as one, by the rules of `merge_knowledge`; the first has precedence.

    Parameters
    ----------
    addresses : sequence of str or Path
        As in `open_base`.

    Returns
    -------
    Knowledge
    """
    return merge_knowledge([open_base(each) for each in addresses])


def _record(name: str, address: str) -> BaseRecord | None:
    """Return the record of a name before a colon, None where the whole is the path of something that is there."""
    if name.lower() in BASES:
        return BASES[name.lower()]
    if Path(address).exists():
        return None
    raise OptionError(
        f"There is no base {name!r}.",
        why="The word before the colon names the project whose results are read.",
        mend=f"Use one of {', '.join(BASES)}, {SHIPPED!r}, or the path of a knowledge file or a store.",
    )


def _importer(record: BaseRecord) -> Callable[[BaseRecord, Path], Knowledge]:
    module = import_module(f"tiebreak.advisor.bases.{_MODULES.get(record.name, record.name)}")
    reader: Callable[[BaseRecord, Path], Knowledge] = module.read
    return reader


def _file(path: Path) -> Knowledge:
    """Read a knowledge file."""
    if not path.is_file():
        raise InputError(
            f"There is no file {str(path)!r}.",
            why="A base is read from it.",
            mend=f"Give the path of a knowledge file, or use {either(f'open_base({SHIPPED!r})', f'--base {SHIPPED}')}.",
        )
    return knowledge_from_text(file_bytes(path).decode("utf-8", errors="replace"), where=path.name)
