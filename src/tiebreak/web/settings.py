"""What a server is told when it starts: where it listens, who may ask, where things are kept, how much is let in."""

from __future__ import annotations

import json
import os
import re
import secrets
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import IO, Any

from tiebreak.budgets import budget_from
from tiebreak.errors import OptionError
from tiebreak.wording import option

MB = 1_000_000
TOKEN_NAME = "TIEBREAK_TOKEN"
"""The environment variable that holds the token: unlike an option, other users of the machine cannot see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one request may bring and take, and how many may wait.

    `upload` and `memory` are bytes (memory beyond what an idle child has), `seconds` is by the clock and of CPU time,
    `kept_seconds` how long a kept upload or page lies unused, `run_seconds` the longest background run, and
    `idle_seconds` how long an upload may lag behind 10 kB a second.
    """

    upload: int = 50 * MB
    seconds: float = 30.0
    memory: int = 1500 * MB
    queue: int = 64
    kept: int = 500 * MB
    kept_seconds: float = 3600.0
    run_seconds: float = 4 * 3600.0
    idle_seconds: float = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where a server listens and what it may use.

    Parameters
    ----------
    host, port
        Where it listens; beyond this machine only with a `token`.
    token : str
        What every request must show; empty on this machine, where only changes need `change_token`.
    store : str
        The store that pages show and runs write to.
    folder : Path
        Private: uploads, kept pages and background runs.
    names : tuple of str
        Further names under which the server may be asked for.
    workers, runs : int
        Child processes that answer, and background runs at a time.
    jobs : int, optional
        Cells at a time of a background run; by default one per core.
    limits : Limits
    change_token : str
        What requests that change something must show; made anew for every start unless there is a `token`.

    Examples
    --------
    >>> Settings().host, Settings(host="0.0.0.0", token="a" * 20).local
    ('127.0.0.1', False)
    """

    host: str = "127.0.0.1"
    port: int = 8000
    token: str = ""
    store: str = "results.db"
    folder: Path = field(default_factory=lambda: usual_folder())
    names: tuple[str, ...] = ()
    workers: int = field(default_factory=lambda: max(2, os.cpu_count() or 1))
    runs: int = 1
    jobs: int | None = None
    limits: Limits = field(default_factory=Limits)
    change_token: str = ""

    def __post_init__(self) -> None:
        """Refuse to listen to strangers without a token, and to take one that can be guessed."""
        if not self.local and not self.token:
            raise OptionError(
                f"The server would listen on {self.host} without a token.",
                why="Everybody in the network could read the store and run things on this machine.",
                mend=f"Set {TOKEN_NAME} or --token to a secret of 16 letters or more, or leave --host out.",
            )
        if self.token and len(self.token) < 16:
            raise OptionError(
                f"The token has {len(self.token)} of the 16 letters that it needs.",
                why="A short one can be guessed.",
                mend="Give 16 or more, such as what openssl rand -hex 16 prints.",
            )
        if not (self.token.isascii() and self.token.isprintable()) or " " in self.token:
            raise OptionError(
                "The token holds spaces, or letters beyond those of English.",
                why="Browsers and programs send it in a header, which takes no others.",
                mend="Give one such as what openssl rand -hex 16 prints.",
            )
        if not 0 <= self.port <= 65535:
            raise OptionError(
                f"There is no port {self.port}.", why="Ports are numbers from 1 to 65535.", mend="Use --port 8000."
            )
        if "://" not in self.store:  # children work in folders of their own
            object.__setattr__(self, "store", str(Path(self.store).expanduser().resolve()))
        made = self.change_token or self.token or secrets.token_urlsafe(24)
        object.__setattr__(self, "change_token", made)

    @property
    def local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def store_name(self) -> str:
        """The name of the store for people: no folder of this machine, and no address, which may hold a password."""
        return Path(self.store).name if "://" not in self.store else self.store.partition("://")[0] + "://..."

    def without_places(self, text: str) -> str:
        """Put the name of the store where JSON or a sentence says where it lies.

        Examples
        --------
        >>> Settings(store="/srv/secret/results.db").without_places('{"store": "/srv/secret/results.db"}')
        '{"store": "results.db"}'
        """
        return text.replace(json.dumps(self.store)[1:-1], self.store_name).replace(self.store, self.store_name)


def settings_from(
    *,
    token: str = "",
    folder: str | Path | None = None,
    allow_host: Sequence[str] = (),
    limit: Sequence[str] = (),
    **options: Any,
) -> Settings:
    """Make settings of what `tiebreak.serve` takes; the token may stand in the environment."""
    given = _limits(limit)
    options |= {name: given.pop(name) for name in ("workers", "jobs") if name in given}
    if folder:
        options["folder"] = Path(folder).expanduser().resolve()
    token = token or os.environ.get(TOKEN_NAME, "")
    return Settings(token=token, names=tuple(allow_host), limits=Limits(**given), **options)


_UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(|kb|mb|gb)")
_LIMITED = ("upload", "seconds", "memory", "queue", "run", "workers", "jobs")


def _limits(pairs: Sequence[str]) -> dict[str, Any]:
    """Read limits: counts, seconds, sizes such as 50MB, and the time of a run."""
    result: dict[str, Any] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        size = _SIZE.fullmatch(text.strip().lower())
        if name == "run" and text:
            budget = budget_from(text)
            result["run_seconds"] = budget.seconds if budget else 0.0
        elif name in _LIMITED and size and (not size[2] or name in ("upload", "memory")):
            value = float(size[1]) * _UNITS[size[2]]
            result[name] = value if name == "seconds" else int(value)
        else:
            raise OptionError(
                f"{option('limit')} {pair!r} names no limit, or has no value that it takes.",
                why="It says how much is let in.",
                mend=f"Use {option(limit=['upload=50MB'])}; the names are {', '.join(_LIMITED)}.",
            )
    return result


def is_loopback(host: str) -> bool:
    """Tell whether a name or address is that of this machine for itself.

    Examples
    --------
    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def usual_folder() -> Path:
    """Return where the user's programs keep their state."""
    options = os.environ.get("XDG_STATE_HOME", "")
    return (Path(options) if options else Path.home() / ".local" / "state") / "tiebreak"


ALLOWED = frozenset(
    "time event method route status ms bytes verb code type where seconds host port state runs workers version".split()
)
"""What a line may hold; anything else would be a mistake, and is left out."""


class Log:
    """Writes events to a stream.

    Examples
    --------
    >>> import sys
    >>> Log(sys.stdout, clock=lambda: 0.0)("request", route="/api/compare", status=200, name="secret.csv")
    {"time": 0.0, "event": "request", "route": "/api/compare", "status": 200}
    """

    def __init__(self, stream: IO[str] | None = None, *, clock: Any = time.time) -> None:
        self._stream, self._clock = stream, clock

    def __call__(self, event: str, **options: Any) -> None:
        """Write one event; the route is the pattern of the path, never the path itself."""
        values = {name: value for name, value in options.items() if name in ALLOWED}
        line = json.dumps({"time": round(self._clock(), 3), "event": event} | values)
        print(line, file=self._stream or sys.stderr, flush=True)
