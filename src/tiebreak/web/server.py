"""What the routes of one server share: settings, folder, children, runs, log; and answers, each computed once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.requests import Request

from tiebreak.web.pool import Job, Pool
from tiebreak.web.requests import Call
from tiebreak.web.runs import Runs
from tiebreak.web.settings import Log, Settings
from tiebreak.web.uploads import Folder, make

MOST_BYTES = 32_000_000
"""How much is kept of answers in all; the oldest go first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a verb printed, and the files that it wrote."""

    out: str
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes, about."""
        return len(self.out) + sum(map(len, self.files.values()))


class Answers:
    """Lets children answer, or remembers what they answered."""

    def __init__(self, pool: Pool, empty: Path, *, most: int = MOST_BYTES) -> None:
        self.pool, self.empty, self.most = pool, empty, most
        self._held: OrderedDict[tuple[str, ...], Answer] = OrderedDict()
        self._size = 0

    async def get(self, call: Call, folder: Path) -> Answer:
        """Return the answer to a call whose files lie in a folder."""
        key = call.key()
        if key is None:
            return await self._compute(call, folder)
        if key in self._held:
            self._held.move_to_end(key)
            return self._held[key]
        answer = await self._compute(call, folder)
        if answer.size <= self.most // 8 and key not in self._held:
            self._held[key] = answer
            self._size += answer.size
            while self._size > self.most:
                self._size -= self._held.popitem(last=False)[1].size
        return answer

    async def _compute(self, call: Call, folder: Path) -> Answer:
        """Let a child run it."""
        outputs = call.writes.values()
        job = Job(
            verb=call.verb.name,
            values=call.values(),
            form=call.form,
            folder=make(folder) if call.has_files or outputs else self.empty,
            harmless=[name for name in outputs if name.endswith(".csv")],
        )
        out = await self.pool.run(job)
        return Answer(out=out, files={name: data for text in outputs for name, data in _written(folder, text)})


def _written(folder: Path, name: str) -> Iterable[tuple[str, bytes]]:
    """Read a file that a verb wrote, or every file of a folder, by name."""
    place = folder / name
    paths = sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place]
    return ((path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths)


class Server:
    """One server, from its start to its end."""

    def __init__(self, settings: Settings, log: Log) -> None:
        self.settings, self.log = settings, log
        self.loop: asyncio.AbstractEventLoop | None = None
        self.folder = Folder(settings.folder, settings.limits)
        self.pool = Pool(settings.workers, settings.limits, log)
        self.answers = Answers(self.pool, self.folder.empty)
        self.runs = Runs(settings, self.folder.runs, log)
        self._prepared = False

    def prepare(self) -> None:
        """Take the folder and look at the store; what cannot be had is refused before anything is promised."""
        if self._prepared:
            return
        self.folder.open()
        try:
            _check_store(self.settings.store)
        except BaseException:
            self.folder.close()
            raise
        self._prepared = True

    @asynccontextmanager
    async def living(self, _: Any = None) -> AsyncIterator[None]:
        """Open the folder, warm the children while requests already come, and leave nothing of clients behind."""
        self.loop = asyncio.get_running_loop()
        await asyncio.to_thread(self.prepare)
        warming = asyncio.get_running_loop().create_task(self.pool.start())
        await self.runs.start()
        sweeping = asyncio.get_running_loop().create_task(self._sweep())
        try:
            yield
        finally:
            for task in (warming, sweeping):
                task.cancel()
            await asyncio.gather(warming, sweeping, return_exceptions=True)
            await self.runs.stop()
            await self.pool.stop()
            self.folder.close()
            self._prepared = False

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(60)
            self.folder.sweep()


def _check_store(url: str) -> None:
    """Make the store where there is none, and refuse one that cannot be read before anybody asks for it."""
    from tiebreak.stores import open_store

    open_store(url, create=True).close()


def server_of(request: Request) -> Server:
    """Return the server that a request came to."""
    server: Server = request.app.state.server
    return server
