"""Files of clients: in a private folder, under harmless names, removed after use, after a while, and at start."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from tiebreak.errors import OptionError
from tiebreak.obvious import STORES
from tiebreak.web.messages import Problem
from tiebreak.web.settings import Limits

_OUTPUTS = frozenset(
    "clean.csv clean.parquet store.csv result.json run.json progress.jsonl output.txt report.html page.html"
    " figure.svg figure.tex figure.pdf figure.png gate.md gate.xml site".split()
)
"""What the server or a verb writes into the folder of a job; no upload may have such a name there."""
_PLAIN = " _-.+()"
"""What a name of a file may hold beside letters and figures."""
_LM_EVAL = re.compile(r"(samples|results)_.*\d{4}-\d\d-\d\dT")
"""Files of lm-evaluation-harness, whose folder names the model."""


def plain_name(name: str, taken: Callable[[str], bool] = lambda _: False) -> str:
    r"""Return the name under which a client's file lies here: as the client calls it, as far as that does no harm.

    Sentences and calls name the file by it. It begins with a letter or a figure, holds no mark of a path, an option or
    an address, is not the name of a store, and is no name that is `taken`.

    Examples
    --------
    >>> [plain_name(item) for item in ("my results.CSV", "--store=x.db", "../../etc/passwd", "C:\\photo.jpg", "...")]
    ['my results.CSV', 'store_x.db.txt', 'passwd.txt', 'photo.jpg', 'table.txt']
    >>> plain_name("a.csv", {"a.csv"}.__contains__), plain_name("clean.csv")
    ('a-2.csv', 'clean-2.csv')
    >>> plain_name("runs/org__small/samples_gsm8k_2025-01-31T10-00-00.jsonl")
    'org__small_samples_gsm8k_2025-01-31T10-00-00.jsonl'
    """
    folder, _, last = name.replace("\\", "/").rpartition("/")
    if folder and _LM_EVAL.match(last):
        last = f"{folder.rpartition('/')[2]}_{last}"
    marked = "".join(letter if letter.isalnum() or letter in _PLAIN else "_" for letter in last).lstrip(f"{_PLAIN}_")
    stem, _, ending = marked.partition(".")
    if not ending.strip(".") or ending.lower().endswith(tuple(end[1:] for end in STORES)):
        ending = f"{ending.strip('.')}.txt".lstrip(".")
    stem = stem[:60].rstrip() or "table"
    names = (f"{stem}{more}.{ending[-20:]}" for more in ("", *(f"-{place}" for place in range(2, 1000))))
    return next(item for item in names if item.lower() not in _OUTPUTS and not taken(item))


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A file of a client, as it lies here: where, what it is called, its size and the digest of its bytes."""

    path: Path
    name: str
    size: int
    digest: str


def received(stream: IO[bytes], name: str, folder: Path) -> Received:
    """Write what a client sent into a folder, under a harmless name."""
    path = make(folder) / plain_name(name, lambda text: (folder / text).exists())
    with path.open("wb") as target:
        shutil.copyfileobj(stream, target)
    with path.open("rb") as written:
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    return Received(path=path, name=path.name, size=path.stat().st_size, digest=digest)


@dataclass(slots=True, kw_only=True)
class Kept:
    """An upload or a page that is kept for further requests; `used` is when it was last asked for."""

    key: str
    file: Received
    is_page: bool = False
    used: float = field(default_factory=time.monotonic)


class Folder:
    """The private folder of a server: `work/` for one request each, `kept/` for a while, `runs/` until deleted."""

    def __init__(self, root: Path, limits: Limits) -> None:
        self.root, self.limits = root, limits
        self.work, self.kept, self.runs, self.empty = root / "work", root / "kept", root / "runs", root / "empty"
        self._held: dict[str, Kept] = {}
        self._lock: IO[bytes] | None = None
        self._secret = secrets.token_bytes(32)

    def open(self) -> None:
        """Make the folder, take it for this server alone, and remove what another left behind; runs stay."""
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            _check_private(self.root)
            self._lock = (self.root / "lock").open("wb")
        except OSError as error:
            raise OptionError(
                f"The folder {self.root} cannot be made or written: {error.strerror}.",
                why="What clients upload is kept there.",
                mend="Choose a folder of your own: --folder DIR.",
            ) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise OptionError(
                f"Another server uses the folder {self.root}.",
                why="Each removes at its start what the last one left there.",
                mend="Stop the other one, or give this one a place of its own: --folder DIR.",
            ) from None
        for part in (self.work, self.kept):
            shutil.rmtree(part, ignore_errors=True)
        for part in (self.work, self.kept, self.runs):
            part.mkdir(mode=0o700, exist_ok=True)
        self.empty.mkdir(mode=0o500, exist_ok=True)

    def close(self) -> None:
        """Remove what clients left, and let others have the folder."""
        self._held.clear()
        for part in (self.work, self.kept):
            shutil.rmtree(part, ignore_errors=True)
        if self._lock is not None:
            self._lock.close()

    @contextmanager
    def job(self, *, at_need: bool = False) -> Iterator[Path]:
        """Give a folder for one request, and remove it with all that is in it; `at_need` who writes there makes it.

        Most questions bring no file and write none: to make and remove a folder for each cost as much as its answer.
        """
        place = self.work / secrets.token_hex(16)
        try:
            yield place if at_need else make(place)
        finally:
            if place.exists():
                shutil.rmtree(place, ignore_errors=True)

    def keep(self, file: Received) -> Kept:
        """Keep a file of a request for further ones, under a key that cannot be guessed."""
        self._make_room(file.size)
        place = self.kept / secrets.token_hex(16)
        shutil.move(file.path, place)
        return self._hold(secrets.token_urlsafe(18), replace(file, path=place))

    def keep_page(self, data: bytes, name: str = "report.html") -> Kept:
        """Keep a written page; the same page is kept once, under one key that cannot be guessed either."""
        key = hashlib.blake2b(data, key=self._secret, digest_size=18).hexdigest()
        if key not in self._held:
            self._make_room(len(data))
            place = self.kept / f"{secrets.token_hex(16)}.html"
            place.write_bytes(data)
            self._hold(key, Received(path=place, name=name, size=len(data), digest=""), is_page=True)
        return self.find(key, "page")

    def _hold(self, key: str, file: Received, *, is_page: bool = False) -> Kept:
        held = self._held[key] = Kept(key=key, file=file, is_page=is_page)
        return held

    def _make_room(self, size: int) -> None:
        """Let pages go that were not looked at for longest, since they can be asked for anew; uploads stay."""
        self.sweep()
        pages = sorted((item for item in self._held.values() if item.is_page), key=lambda entry: entry.used)
        while sum(item.file.size for item in self._held.values()) + size > self.limits.kept:
            if not pages:
                raise Problem(
                    503,
                    "no-room",
                    "The server keeps as many uploads as it has room for.",
                    mend="Delete some, or try again later.",
                    retry=60,
                )
            self.drop(pages.pop(0).key)

    def find(self, key: str, what: str = "upload") -> Kept:
        """Return what is kept under a key, and keep it on."""
        self.sweep()
        if key not in self._held or self._held[key].is_page != (what == "page"):
            raise Problem(
                404,
                "not-found",
                f"There is no such {what} any more.",
                why=f"What is not used for {self.limits.kept_seconds / 60:.4g} minutes is removed.",
                mend="Ask for it again." if what == "page" else "Upload the file again.",
            )
        self._held[key].used = time.monotonic()
        return self._held[key]

    def drop(self, key: str) -> None:
        """Remove what is kept under a key."""
        held = self._held.pop(key, None)
        if held is not None:
            held.file.path.unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove what nobody asked for in a while."""
        old = time.monotonic() - self.limits.kept_seconds
        for key in [key for key, item in self._held.items() if item.used < old]:
            self.drop(key)


def make(place: Path) -> Path:
    """Make the folder of a request where it is not there yet."""
    place.mkdir(mode=0o700, exist_ok=True)
    return place


def _check_private(place: Path) -> None:
    """Refuse a folder that others can look into or put files into."""
    stat = place.stat()
    if stat.st_uid != os.getuid():
        raise OptionError(
            f"The folder {place} belongs to somebody else.",
            why="What clients upload is kept there.",
            mend="Choose a folder of your own: --folder DIR.",
        )
    if stat.st_mode & 0o077:
        os.chmod(place, 0o700)
