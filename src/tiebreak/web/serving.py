"""Start the server, and HTTP for clients that may be slow on purpose."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Sequence

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tiebreak.errors import OptionError
from tiebreak.web.app import make_app
from tiebreak.web.openapi import description
from tiebreak.web.settings import Settings, settings_from
from tiebreak.wording import option


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    token: str = "",
    allow_host: Sequence[str] = (),
    store: str = "results.db",
    folder: str | None = None,
    limit: Sequence[str] = (),
) -> None:
    """Serve pages and a REST API until interrupted.

    Parameters
    ----------
    host, port : str and int
        The address to listen on; beyond this machine only with a `token`.
    token : str, optional
        What every request must show; or as TIEBREAK_TOKEN in the environment.
    allow_host : sequence of str, optional
        Further names under which the server may be asked for.
    store : str
        The store that pages show and runs fill.
    folder : str, optional
        Where uploads and runs are kept, private; by default the user's state.
    limit : sequence of str, optional
        "upload=50MB", "seconds=30" and others, as `tiebreak serve --help-all` lists them.
    """
    settings = settings_from(
        host=host, port=port, token=token, allow_host=allow_host, store=store, folder=folder, limit=limit
    )
    with listening(settings) as door:
        app = make_app(settings)
        app.state.server.prepare()
        print(welcome(settings), file=sys.stderr, flush=True)
        config = uvicorn.Config(
            app,
            http=Impatient,
            host=settings.host,
            port=settings.port,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=10,
            limit_concurrency=1000,
            h11_max_incomplete_event_size=64_000,
        )
        uvicorn.Server(config).run(sockets=[door])


def listening(settings: Settings) -> socket.socket:
    """Take the address before anything is promised: uvicorn would end without a word of ours."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        raise _no_door(settings, error) from None


def _no_door(settings: Settings, error: OSError) -> OptionError:
    """Say why an address cannot be had; errors of looking up a name have numbers below 0."""
    number = error.errno or 0
    where = f"The server cannot listen on {settings.host}, port {settings.port}"
    if number <= 0:
        why = "No address is known by that name."
        return OptionError(f"{where}.", why=why, mend=f"Use one of this machine: {option(host='127.0.0.1')}.")
    return OptionError(
        f"{where}: {os.strerror(number)}.",
        why="Another program may have it, such as a server that was started before.",
        mend=f"Use another one: {option(port=settings.port % 65535 + 1)}.",
    )


def welcome(settings: Settings) -> str:
    """Say where the pages are, and which token changes need."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    lines = [f"Tiebreak listens on http://{host}:{settings.port}/ (Ctrl-C ends it)."]
    if settings.token:
        lines.append("Every request must show the token that was given; pages ask for it at /signin.")
    else:
        lines.append(f"Programs that change something send the header X-Tiebreak-Token: {settings.change_token}")
    return "\n".join(lines)


def checked(settings: Settings) -> str:
    """Say what would be started, once everything that it needs is known to be here."""
    limits, count = settings.limits, sum(map(len, description()["paths"].values()))
    lines = [
        f"Would listen on {settings.host}, port {settings.port}, with uvicorn {uvicorn.__version__}: {count} routes.",
        f"Store: {settings.store if '://' not in settings.store else 'as told'}. Folder: {settings.folder}.",
        f"Limits: {limits.upload / 1e6:.6g} MB, {limits.seconds:g} s,"
        f" {limits.memory / 1e6:.6g} MB of memory; {limits.queue} may wait for {settings.workers} workers.",
    ]
    return "\n".join(lines)


PATIENCE = 20.0
"""Seconds that the head of a request may take to come, and that an answer may lie without being read."""


class Impatient(H11Protocol):
    """uvicorn's protocol, which waits without end for the rest of a head, and for a client that reads nothing."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait on where the head is not whole, or nobody waits for the rest of a body any more."""
        super().data_received(data)
        answered = self.cycle is not None and self.cycle.response_complete
        if self.conn.their_state is h11.IDLE or answered:
            self._wait()
        else:
            self._rest()

    def pause_writing(self) -> None:
        """Begin to wait for the client to read."""
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        """The client reads."""
        super().resume_writing()
        self._rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._rest()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(PATIENCE, self.transport.abort)

    def _rest(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
