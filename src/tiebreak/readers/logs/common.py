"""What every reader of logs uses: the record of a run, values of JSON as numbers and texts, files and archives."""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.errors import InputError
from tiebreak.results.text import TooDeep, UnsoundFile, file_bytes, gathered, most_bytes, no_memory, too_large
from tiebreak.wording import Brief

MISSING = float("nan")
SEED = "seed"
"""The setting in which repetitions of one run differ."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Run(Brief):
    """One run of a model on a benchmark: of every score and cost a number per answer, NaN where it is not known.

    Without `items` only their sums are known: every score and cost is one number, the mean over `n` answers.
    `usage` holds tokens_in (without those read from a cache), tokens_out, tokens_cached, tokens_reasoning (a part of
    tokens_out), price (dollars) and seconds. `digests` tell whether items of one name are the same text. `settings`
    distinguish runs of one model, `task_settings` those of one benchmark; both are used only where they differ. `when`
    is a text that sorts by time. `higher` says which scores are better when higher, where the log does. `named` is the
    model without settings that were added to distinguish runs, `repetition` numbers runs that differ in their seed.
    """

    tool: str
    source: str
    model: str
    benchmark: str
    scores: Mapping[str, Sequence[float]]
    usage: Mapping[str, Sequence[float]] = field(default_factory=dict)
    items: Sequence[str] = ()
    epochs: Sequence[int] = ()
    clusters: Sequence[str] = ()
    digests: Sequence[str] = ()
    n: int | None = None
    when: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    task_settings: Mapping[str, str] = field(default_factory=dict)
    higher: Mapping[str, bool] = field(default_factory=dict)
    notes: tuple[Caveat, ...] = ()
    named: str = ""
    repetition: int = 0

    @property
    def broken_off(self) -> bool:
        """Whether the run did not end well."""
        return any(note.code == "runs-unfinished" for note in self.notes)


Reader = Callable[[Path, str], list[Run]]
"""Read a file, which messages call by the second argument."""


def run_of(answers: Iterable[Mapping[str, Any]], **about: Any) -> Run:
    """Make a run of answers: each has an item and scores, and may have an epoch, a cluster, a digest and its usage.

    Answers to an item that have one epoch are repetitions, and numbered anew.
    """
    rows = list(answers)
    seen, last, epochs = set[tuple[str, int]](), dict[str, int](), []
    for row in rows:
        item, epoch = row["item"], row.get("epoch", 1)
        if (item, epoch) in seen:
            epoch = last[item] + 1
        seen.add((item, epoch))
        last[item] = max(epoch, last.get(item, 0))
        epochs.append(epoch)
    texts = {name: [row.get(name, "") for row in rows] for name in ("cluster", "digest")}
    return Run(
        items=[row["item"] for row in rows], epochs=epochs, scores=_columns(rows, "scores"),
        usage=_columns(rows, "usage"), clusters=texts["cluster"] if any(texts["cluster"]) else (),
        digests=texts["digest"] if any(texts["digest"]) else (), **about,
    )  # fmt: skip


def _columns(rows: Sequence[Mapping[str, Any]], which: str) -> dict[str, array[float]]:
    names = dict.fromkeys(name for row in rows for name in row.get(which, ()))
    return {name: array("d", [row.get(which, {}).get(name, MISSING) for row in rows]) for name in names}


def sum_of(
    scores: Mapping[str, float], *, n: float = MISSING, usage: Mapping[str, float] | None = None, **about: Any
) -> Run:
    """Make a run of which only means over `n` items are known; NaN stands for a number that is not."""
    held = {name: (value,) for name, value in scores.items() if value == value}
    return Run(scores=held, usage={name: (value,) for name, value in (usage or {}).items()},
               n=round(n) if n >= 1 else None, **about)  # fmt: skip


LARGEST = 1e150
"""Numbers beyond this are no scores: the sum of their squares would overflow."""
_WORDS = {"c": 1.0, "correct": 1.0, "yes": 1.0, "true": 1.0, "pass": 1.0, "passed": 1.0, "p": 0.5, "partial": 0.5}
_WORDS |= dict.fromkeys(("i", "incorrect", "n", "noanswer", "no", "false", "fail", "failed"), 0.0)
"""Inspect's letters (correct, incorrect, partial, no answer) and words of the same meaning."""


def number_of(value: Any) -> float:
    """Return a number, NaN where something is none or is too large to be a score; true is 1.

    Examples
    --------
    >>> number_of(True), number_of("0.5"), number_of(None), number_of(10**400), number_of("high")
    (1.0, 0.5, nan, nan, nan)
    """
    if not isinstance(value, (bool, int, float, str)):
        return MISSING
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return MISSING
    return number if math.isfinite(number) and abs(number) <= LARGEST else MISSING


def score_of(value: Any) -> float:
    """Return a score that may be written as a letter or a word.

    Examples
    --------
    >>> score_of("C"), score_of("I"), score_of("P"), score_of("N"), score_of(0.25), score_of("A")
    (1.0, 0.0, 0.5, 0.0, 0.25, nan)
    """
    word = value.strip().lower() if isinstance(value, str) else value
    return _WORDS[word] if isinstance(word, str) and word in _WORDS else number_of(word)


def amount_of(value: Any) -> float:
    """Return a count or a price, which is never negative; NaN where it is none."""
    number = number_of(value) if not isinstance(value, (bool, str)) else MISSING
    return number if number >= 0 else MISSING


def mapping_at(value: Any, *path: str) -> dict[str, Any]:
    """Return the dictionary at a path of keys, an empty one where there is none.

    Examples
    --------
    >>> mapping_at({"eval": {"config": {"epochs": 2}}}, "eval", "config"), mapping_at({"eval": 3}, "eval", "config")
    ({'epochs': 2}, {})
    """
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def mappings_at(value: Any, *path: str) -> list[dict[str, Any]]:
    """Return the dictionaries of the list at a path of keys, none where there is no list."""
    held = mapping_at(value, *path[:-1]).get(path[-1]) if path else value
    return [mapping_at(item) for item in list_of(held)]


def list_of(value: Any) -> list[Any]:
    """Return a list of a log, an empty one where something else stands there."""
    return value if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """Return a name of a log as one line of text; empty where it is none."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return " ".join(value.split()) if isinstance(value, str) else ""


def digest_of(*parts: Any) -> str:
    """Return a short mark of a text, by which items of one name are told to be the same, and the same under two names.

    64 bits: among a hundred thousand texts two share a mark once in four billion tables.
    """
    return blake2b(repr(parts).encode(errors="replace"), digest_size=8).hexdigest()


def flat_settings(value: Any, *, leave: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the settings of a run as short texts; what is nested or long tells nobody anything in a name.

    How a run was sent off changes no answer, and what opens a door is nobody's business: neither becomes a name.

    Examples
    --------
    >>> flat_settings({"temperature": 0.5, "system": "x" * 99, "stop": None, "extra": {}})
    {'temperature': '0.5'}
    >>> flat_settings({"max_tokens": 10, "max_retries": 3, "api_key": "sk-1", "base_url": "http://x"})
    {'max_tokens': '10'}
    """
    texts = {
        str(name): text_of(item) or str(item).lower()
        for name, item in mapping_at(value).items()
        if isinstance(item, (str, int, float, bool)) and name not in leave and not _OF_NO_ANSWER.search(name.lower())
    }
    return {name: text for name, text in texts.items() if 0 < len(text) <= _LONGEST}


_LONGEST = 40
_OF_NO_ANSWER = re.compile(
    r"key|secret|password|credential|authorization|(?:^|_)token$|url|endpoint|header|timeout|retries|connections"
    r"|concurrent|batch|parallel_size|data_parallel|parallelize|memory_util|send_delay|^(?:device|cache|cache_prompt)$"
)
"""Settings that say where and how fast a run was made, or that must not be told."""


# ---- files


class Unreadable(InputError):
    """A file that is no sound log: in a folder it is named and passed over, alone it is an error."""


def unreadable(source: str, what: str) -> Unreadable:
    """Make the error for a file that cannot be read."""
    return Unreadable(f"{source} cannot be read: {what}.", mend="Write it again, or leave it out.")


def bytes_of(path: Path) -> bytes:
    """Return what a file holds, unpacked."""
    try:
        return file_bytes(path)
    except (OSError, UnsoundFile) as error:
        raise unreadable(path.name, getattr(error, "strerror", None) or str(error)) from None


def head_of(path: Path, size: int = 65_536) -> bytes:
    """Return how a file begins, by which it is told what it is; empty where it cannot be read."""
    try:
        with path.open("rb") as stream:
            data = stream.read(size)
        if data.startswith(b"\x1f\x8b"):
            data = zlib.decompressobj(31).decompress(data, size)
    except (OSError, zlib.error):
        return b""
    return data.removeprefix(b"\xef\xbb\xbf")


def json_at(path: Path) -> dict[str, Any]:
    """Read a file of JSON that holds a dictionary; an empty one where it holds something else."""
    return mapping_at(json_in(bytes_of(path), path.name))


def json_in(data: bytes, source: str) -> Any:
    """Read bytes of JSON."""
    try:
        return json.loads(data)
    except UnicodeDecodeError:
        raise unreadable(source, "it is not written in UTF-8") from None
    except RecursionError:
        raise unreadable(source, str(TooDeep())) from None
    except MemoryError:
        raise no_memory(source) from None
    except ValueError as error:
        raise unreadable(source, f"it is not JSON ({error})") from None


class Lines:
    """Lines of JSON, one after the other; a last line that breaks off is left out, which `notes` says.

    `short` may parse what is needed of a line, and returns None where it must be parsed as a whole.
    """

    def __init__(self, path: Path, short: Callable[[bytes], dict[str, Any] | None] | None = None) -> None:
        self.path, self._short = path, short
        self.notes: tuple[Caveat, ...] = ()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        broken: tuple[int, Unreadable] | None = None
        for number, line in enumerate(_lines(self.path), start=1):
            if not line.strip():
                continue
            if broken is not None:
                raise broken[1]
            data = None if self._short is None else self._short(line)
            try:
                data = json_in(line, self.path.name) if data is None else data
            except Unreadable as error:
                what = error.what.partition(": it ")[2].rstrip(".")
                broken = number, unreadable(self.path.name, f"line {number} {what}")
                continue
            if isinstance(data, dict):
                yield data
        if broken is not None:
            self.notes = (Caveat("rows-left-out", f"{self.path.name}: line {broken[0]} breaks off and is left out."),)


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file; one that is not packed is never held whole."""
    if path.suffix.lower() == ".gz":
        yield from bytes_of(path).splitlines()
        return
    try:
        with path.open("rb") as stream:
            yield stream.readline().removeprefix(b"\xef\xbb\xbf")
            yield from stream
    except OSError as error:
        raise unreadable(path.name, error.strerror or str(error)) from None


_STEP = 1 << 20
_ZSTD = 93
_BROKEN = (EOFError, OSError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError)


class Archive:
    """A zip archive of JSON files, of which all together may hold no more than an archive of its size may."""

    def __init__(self, path: Path) -> None:
        self.path, self._taken = path, 0
        try:
            self._packed = path.stat().st_size
            self._zip = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise unreadable(path.name, f"it is not a valid zip archive ({error})") from None
        self.names = tuple(info.filename for info in self._zip.infolist())

    def json(self, name: str) -> Any:
        """Read one file of the archive."""
        info = self._zip.getinfo(name)
        source = f"{self.path.name}:{name}"
        try:
            if info.compress_type == _ZSTD:
                data = unpacked(self._raw(info), packed=self._packed, source=source)
            else:
                with self._zip.open(name) as stream:
                    data = gathered(iter(lambda: stream.read(_STEP), b""), packed=self._packed, source=source)
        except InputError:
            raise
        except _BROKEN as error:
            raise unreadable(source, f"it is broken ({error})") from None
        self._taken += len(data)
        if self._taken > (limit := most_bytes(self._packed)):
            raise too_large(self.path.name, limit, self._packed)
        return json_in(data, source)

    def _raw(self, info: zipfile.ZipInfo) -> bytes:
        """Return what the archive holds as it is packed: Python's zip module knows no Zstandard before 3.14."""
        with self.path.open("rb") as stream:
            stream.seek(info.header_offset + 26)
            head = stream.read(4)
            stream.seek(int.from_bytes(head[:2], "little") + int.from_bytes(head[2:], "little"), 1)
            return stream.read(info.compress_size)

    def close(self) -> None:
        """Close the file."""
        self._zip.close()


_MAGIC = b"\x28\xb5\x2f\xfd"
_BLOCK = 1 << 17  # no block holds more
_REPEATED, _PACKED = 1, 2


def unpacked(data: bytes, *, packed: int, source: str) -> bytes:
    """Return what a member of an archive holds that is packed by Zstandard; `ValueError` where it is broken.

    Only text without the letter 1 of ASCII (a control character, which JSON must escape) comes back as it was.
    """
    if most_held(data) > (limit := most_bytes(packed)):
        raise too_large(source, limit, packed)
    import polars as pl

    options: dict[str, Any] = {"has_header": False, "separator": "\x01", "quote_char": None, "infer_schema": False}
    try:
        frame = pl.read_csv(io.BytesIO(data), new_columns=["line"], **options)
    except pl.exceptions.PolarsError as error:
        raise ValueError(str(error).splitlines()[0]) from None
    return "\n".join(frame["line"].fill_null("").to_list()).encode()


def most_held(data: bytes) -> int:
    r"""Count the bytes that frames of Zstandard can give at most; `ValueError` where they break off.

    Examples
    --------
    >>> frame = bytes.fromhex("28b52ffd") + b"\x20\x05" + (5 << 3 | 1).to_bytes(3, "little") + b"hello"
    >>> most_held(frame)
    5
    """
    place, total = 0, 0
    while place < len(data):
        if data[place : place + 4] != _MAGIC:
            raise ValueError("it is not packed as its archive says")
        flags = data[place + 4]
        single = flags >> 5 & 1
        place += 5 + (not single) + (0, 1, 2, 4)[flags & 3] + (single, 2, 4, 8)[flags >> 6]
        last = False
        while not last:
            head = int.from_bytes(data[place : place + 3], "little")
            if place + 3 > len(data):
                raise ValueError("it breaks off")
            last, kind, size = bool(head & 1), head >> 1 & 3, head >> 3
            total += _BLOCK if kind == _PACKED else size
            place += 3 + (1 if kind == _REPEATED else size)
        place += 4 * (flags >> 2 & 1)
    return total
