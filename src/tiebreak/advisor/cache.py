"""What many questions about one base share: held in this process while there is room, losses kept in a file."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import tiebreak
from tiebreak._checks import FloatArray
from tiebreak.advisor.knowledge import Knowledge

MOST_BYTES = 16_000_000
"""So much is held in all; what was not used for longest goes first."""
MOST = 2000
"""So many at the most, however small they are."""
_HELD: OrderedDict[tuple[object, ...], Any] = OrderedDict()
_Found = TypeVar("_Found")


def held(key: tuple[object, ...], make: Callable[[], _Found]) -> _Found:
    """Return what was made before under the same key, or make it; nobody can write to an array that is held.

    Examples
    --------
    >>> once = held(("an example",), lambda: np.array([0.5]))
    >>> held(("an example",), lambda: np.array([0.7]))
    array([0.5])
    """
    if key not in _HELD:
        found = make()
        if _size(found) > MOST_BYTES // 4:  # of a base so large, this is the smaller part of the work
            return found
        if isinstance(found, np.ndarray):
            found.flags.writeable = False
        _HELD[key] = found
        while len(_HELD) > MOST or sum(map(_size, _HELD.values())) > MOST_BYTES:
            _HELD.popitem(last=False)
        return found
    _HELD.move_to_end(key)
    again: _Found = _HELD[key]
    return again


def _size(found: object) -> int:
    return found.nbytes if isinstance(found, np.ndarray) else 0


VARIABLE = "TIEBREAK_CACHE"
"""Names the folder to keep files in; "off" keeps none."""
MOST_KEPT = 200
"""So many files are kept; the ones that were not used for longest go first."""
_HERE: dict[str, dict[str, FloatArray]] = {}


def kept(
    known: Knowledge,
    asked: Iterable[object],
    make: Callable[[], Mapping[str, FloatArray]],
    shapes: Mapping[str, tuple[int, ...]],
) -> dict[str, FloatArray]:
    """Return arrays by name as they were made before for the same base, question and program, or make them.

    Nothing depends on it but time: a file that is damaged, holds anything but arrays of these `shapes`, or cannot be
    written counts as none. Files hold numbers only; nothing in them is run when they are read.

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> once = kept(shipped_knowledge(), ["an example"], lambda: {"losses": np.array([0.5])}, {"losses": (1,)})
    >>> kept(shipped_knowledge(), ["an example"], dict, {"losses": (1,)})["losses"]
    array([0.5])
    """
    key = _key(known, asked)
    if key not in _HERE:
        found = _read(key)
        if found is None or {name: each.shape for name, each in found.items()} != dict(shapes):
            found = {name: np.asarray(each, dtype=np.float64) for name, each in make().items()}
            _write(key, found)
        while len(_HERE) >= MOST_KEPT:
            del _HERE[next(iter(_HERE))]
        _HERE[key] = found
    return dict(_HERE[key])


def folder() -> Path | None:
    """Return where files are kept: as the variable says, else with the caches of the user; None for nowhere."""
    said = os.environ.get(VARIABLE, "").strip()
    if said:
        return None if said.casefold() in ("off", "none", "0") else Path(said).expanduser()
    try:
        home = Path.home()
    except RuntimeError:  # nobody's home is known
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "tiebreak" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "tiebreak"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "tiebreak"


def mark_of(known: Knowledge) -> str:
    """Return what tells a base from others: a digest of all that judgements depend on, the program included."""
    return _key(known, ())


def _key(known: Knowledge, asked: Iterable[object]) -> str:
    """Digest everything that the arrays depend on, the program included."""
    digest = hashlib.blake2b(digest_size=20)
    for text in (
        _program(),
        repr((known.algorithms, known.datasets, known.origins, known.meta.measures)),
        repr([*asked]),
    ):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    for array in (known.accuracy, known.time, known.meta.matrix):
        digest.update(repr(None if array is None else array.shape).encode())
        digest.update(b"" if array is None else np.ascontiguousarray(array, dtype=np.float64).tobytes())
    return digest.hexdigest()


@cache
def _program() -> str:
    """Name the program: its version, that of numpy, and its files as they were, so that a changed one starts anew."""
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    state = []
    for each in files:
        with contextlib.suppress(OSError):
            state.append((each.name, each.stat().st_size, each.stat().st_mtime_ns))
    return repr((tiebreak.__version__, np.__version__, state))


def _read(key: str) -> dict[str, FloatArray] | None:
    place = folder()
    if place is None:
        return None
    path = place / f"judged-{key}.npz"
    try:
        with path.open("rb") as file, np.load(file) as opened:  # which loads no objects unless told to
            found = {name: np.asarray(opened[name], dtype=np.float64) for name in opened.files}
        os.utime(path)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return found


def _write(key: str, arrays: Mapping[str, FloatArray]) -> None:
    """Write beside, then rename: whoever reads meanwhile finds a whole file or none."""
    place = folder()
    if place is None:
        return
    with contextlib.suppress(OSError):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=place, prefix="judged-", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, **arrays)  # type: ignore[arg-type]
            Path(name).replace(place / f"judged-{key}.npz")
        finally:
            Path(name).unlink(missing_ok=True)
        _trim(place)


def _trim(place: Path) -> None:
    files = sorted(place.glob("judged-*.npz"), key=lambda each: each.stat().st_mtime)
    for each in files[:-MOST_KEPT]:
        each.unlink(missing_ok=True)
