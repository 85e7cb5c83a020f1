"""What the routes of one server share: its settings, its folder, its children, its answers, its runs and its log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.requests import Request

from tiebreak.web.answers import Answers
from tiebreak.web.logs import Log
from tiebreak.web.runs import Runs
from tiebreak.web.settings import Settings
from tiebreak.web.uploads import Folder
from tiebreak.web.work.pool import Pool


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
    from tiebreak.store import open_store

    open_store(url, create=True).close()


def server_of(request: Request) -> Server:
    """Return the server that a request came to."""
    found: Server = request.app.state.server
    return found
