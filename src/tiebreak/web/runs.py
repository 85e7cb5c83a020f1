"""Background runs: `tiebreak recommend --run` in processes of their own, whose results go into the store as they come.

A run is a folder: what was asked (`run.json`), the data, the events (`progress.jsonl`), what was said, and the answer.
So a server that starts again knows every run, goes on watching those that still work, and offers to go on with others.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import shutil
import signal
import sys
import time
from asyncio.subprocess import DEVNULL
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tiebreak.advisor.pilot import holds_results
from tiebreak.web.messages import Problem
from tiebreak.web.pool import package_path
from tiebreak.web.settings import TOKEN_NAME, Log, Settings

MOST_RUNS = 200
"""Runs that are listed; older ones that have ended must be deleted before more can begin."""
WAITING, RUNNING = "waiting", "running"
_LOOK = 0.5
"""Seconds between two looks at a run that works."""
_ASK_AGAIN = 15.0
"""Seconds after which a run that was asked to end, and goes on, is asked again."""
_LEAVE = 20.0
"""Seconds that a server which ends waits for its runs."""
_HEARING = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
    " from tiebreak.cli import main; sys.exit(main())"
)
"""`tiebreak` that hears an interrupt, also where a shell started the server in its background and lets it ignore it."""


class Runs:
    """All runs of a server, those that wait, and those that work."""

    def __init__(self, settings: Settings, root: Path, log: Log) -> None:
        self.settings, self.root, self._log = settings, root, log
        self._watching: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Semaphore(settings.runs)
        self._stopping = False

    # ---- the life of the server

    async def start(self) -> None:
        """Take up the runs of a server before: those that still work are watched, those that waited wait again."""
        for key in self.known():
            options = self._read(key)
            if options["state"] in (WAITING, RUNNING):
                self._watch(key)

    async def stop(self) -> None:
        """Ask every run that works to end; what it has finished is stored, and it can go on later."""
        self._stopping = True
        for key, task in list(self._watching.items()):
            with suppress(Problem):
                if self._read(key)["state"] == WAITING:
                    task.cancel()
            self._signal(key)
        waiting = list(self._watching.values())
        if waiting:
            await asyncio.wait(waiting, timeout=_LEAVE)
        for task in waiting:
            task.cancel()

    # ---- what routes call

    def known(self) -> list[str]:
        """Return the keys of all runs, the newest first."""
        if not self.root.is_dir():
            return []
        names = [path.name for path in self.root.iterdir() if (path / "run.json").is_file()]
        return sorted(names, reverse=True)

    def at_work(self) -> int:
        """Return how many runs wait or work."""
        return len(self._watching)

    def begin(self, folder: Path, options: dict[str, Any]) -> str:
        """Begin a run whose data lie in a folder, which is taken over; returns its key."""
        if len(self.known()) >= MOST_RUNS:
            raise Problem(
                503, "too-many-runs", f"There are {MOST_RUNS} runs.", mend="Delete some that have ended.", retry=60
            )
        key = f"{int(time.time()):010d}-{secrets.token_hex(6)}"
        place = self.root / key
        place.mkdir(mode=0o700)
        for path in folder.iterdir():
            shutil.move(path, place / path.name)
        self._write(key, options | {"run": key, "state": WAITING, "created": time.time(), "pid": None})
        self._watch(key)
        return key

    def again(self, key: str) -> None:
        """Go on with a run that ended before its time; what the store has is not repeated."""
        options = self._read(key)
        if options["state"] in (WAITING, RUNNING):
            raise Problem(409, "still-running", "The run has not finished.", mend="Cancel it first, or wait.")
        for name in ("result.json", "said.txt", "progress.jsonl"):
            (self.root / key / name).unlink(missing_ok=True)
        self._write(key, options | {"state": WAITING, "pid": None})
        self._watch(key)

    def cancel(self, key: str) -> None:
        """End a run; what it has finished stays in the store, and it still gives an answer."""
        options = self._read(key)
        if options["state"] == WAITING:
            self._write(key, options | {"state": "cancelled"})
            if key in self._watching:
                self._watching[key].cancel()
        elif options["state"] == RUNNING:
            self._write(key, options | {"cancelled": True})
            self._signal(key)

    def delete(self, key: str) -> None:
        """Forget a run that is over, with its data; its results stay in the store."""
        if self._read(key)["state"] in (WAITING, RUNNING):
            raise Problem(409, "still-running", "The run has not finished.", mend="Cancel it first.")
        shutil.rmtree(self.root / key, ignore_errors=True)

    def state(self, key: str, *, whole: bool = True) -> dict[str, Any]:
        """Return how far a run is: what was tried, what is left and in which order now, and the answer at the end."""
        options = self._read(key)
        shown = {name: options.get(name) for name in ("run", "state", "created", "data", "time", "command", "ended")}
        events = list(self._events(key))
        news = [event for event in events if event["event"] == "trial"]
        trials = list({record["algorithm"]: record for record in news}.values())  # one that goes on is told again
        cells = [event["progress"] for event in events if "progress" in event and options["argv"][0] == "run"]
        shown |= {"tried": cells[-1]["done"] if cells else len(trials), "error": options.get("error")}
        shown["cells"] = cells[-1]["total"] if cells else None
        shown["best"] = next((trial for trial in trials if _is_best(trial, news[-1])), None)
        if not whole:
            return shown
        return shown | {
            "trials": trials,
            "next": news[-1]["then"] if news else [],
            "progress": next((event for event in reversed(events) if event["event"] != "trial"), None),
            "result": self._result(key),
        }

    # ---- one run

    def _watch(self, key: str) -> None:
        task = asyncio.get_running_loop().create_task(self._go(key))
        self._watching[key] = task
        task.add_done_callback(lambda _: self._watching.pop(key, None))

    async def _go(self, key: str) -> None:
        """Wait for a turn, start the process unless it still works, and look after it until it ends."""
        async with self._turn:
            options = self._read(key)
            if options["state"] not in (WAITING, RUNNING) or self._stopping:
                return
            if not _alive(options.get("pid")):
                if options["state"] == RUNNING:  # the server ended, and the process with it
                    self._write(key, options | self._outcome(key, options, interrupted=True))
                    return
                await self._spawn(key, options)
            await self._until_it_ends(key)
            options = self._read(key)
            self._write(key, options | self._outcome(key, options, interrupted=self._stopping))
            self._log("run-ended", state=self._read(key)["state"])

    async def _until_it_ends(self, key: str) -> None:
        """Look at a run now and then; one that was asked to end and did not is asked again, as a person would.

        Python drops an interrupt that falls into the middle of an import.
        """
        look = 0.0
        while _alive((options := self._read(key)).get("pid")):
            await asyncio.sleep(_LOOK)
            look = look + _LOOK if options.get("cancelled") or self._stopping else 0.0
            if look >= _ASK_AGAIN:
                self._signal(key)
                look = 0.0

    async def _spawn(self, key: str, options: dict[str, Any]) -> None:
        place = self.root / key
        beside = options["shipped"] and await asyncio.to_thread(holds_results, self.settings.store)
        shipped = ["--base=shipped"] if beside else []
        command = [sys.executable, "-c", _HEARING, *options["argv"], *shipped]
        known = {name: value for name, value in os.environ.items() if name != TOKEN_NAME}
        known["PYTHONPATH"] = package_path()
        with (place / "said.txt").open("wb") as writer:
            process = await asyncio.create_subprocess_exec(
                *command, cwd=place, env=known, stdin=DEVNULL, stdout=writer, stderr=writer, start_new_session=True
            )
        self._write(key, options | {"state": RUNNING, "pid": [process.pid, _born(process.pid)]})
        self._log("run-started")

    def _outcome(self, key: str, told: dict[str, Any], *, interrupted: bool) -> dict[str, Any]:
        """Tell from what a run left how it ended."""
        result = self._result(key)
        ended = {"pid": None, "ended": time.time()}
        through = any(event["event"] == "end" and not event["ended"] for event in self._events(key))  # a plan
        if through or (result is not None and result["run"]["stopped"] != "interrupted"):
            return ended | {"state": "done"}
        if told.get("cancelled"):
            return ended | {"state": "cancelled", "cancelled": False}
        if interrupted or result is not None or any(event["event"] == "end" for event in self._events(key)):
            return ended | {"state": "interrupted"}
        return ended | {"state": "failed", "error": self._said(key)}

    def _said(self, key: str) -> str:
        """Return the last thing that a run said: why it failed."""
        with suppress(OSError):
            lines = (self.root / key / "said.txt").read_text(encoding="utf-8", errors="replace").splitlines()
            texts = [re.sub(r"^tiebreak \w+: ", "", line) for line in lines if line.strip()]
            if texts and not any(line.startswith("Traceback") for line in lines):
                return self.settings.without_places(texts[-1])[:2000]
        return "The run ended without an answer. What it had finished is in the store."

    def _signal(self, key: str) -> None:
        """Interrupt a run as Ctrl-C would: it ends by itself, with an answer."""
        with suppress(Problem, OSError):
            pid = self._read(key)["pid"]
            if _alive(pid):
                os.kill(pid[0], signal.SIGINT)

    # ---- files

    def _result(self, key: str) -> dict[str, Any] | None:
        with suppress(OSError, ValueError):
            text = (self.root / key / "result.json").read_text(encoding="utf-8")
            data: dict[str, Any] = json.loads(self.settings.without_places(text))
            return data
        return None

    def _events(self, key: str) -> Iterator[dict[str, Any]]:
        """Yield the events so far; the last line may be on its way."""
        with suppress(OSError), (self.root / key / "progress.jsonl").open(encoding="utf-8") as stream:
            for line in stream:
                with suppress(ValueError):
                    yield json.loads(line)

    def _read(self, key: str) -> dict[str, Any]:
        known = set(self.known())
        if key not in known:
            raise Problem(404, "not-found", "There is no such run.", mend="See the list of runs.")
        data: dict[str, Any] = json.loads((self.root / key / "run.json").read_text(encoding="utf-8"))
        return data

    def _write(self, key: str, options: dict[str, Any]) -> None:
        """Write anew beside the old file and put it in its place, so that no end of the server leaves half a file."""
        beside = self.root / key / "run.tmp"
        beside.write_text(json.dumps(options), encoding="utf-8")
        beside.replace(self.root / key / "run.json")


def _is_best(trial: dict[str, Any], last: dict[str, Any]) -> bool:
    """Tell whether a trial has the best score up to the last one, which way round better may be."""
    return trial["score"] is not None and trial["score"] == last["best_so_far"]


def _born(pid: int) -> str:
    """Return when a process began, by which its number is told from the same number given again."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[19]
    return ""


def _alive(options: Any) -> bool:
    """Tell whether a process that was started by this server, or one before, still works."""
    if not options or not options[1]:
        return False
    with suppress(OSError):
        fields = Path(f"/proc/{options[0]}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return fields[19] == options[1] and fields[0] != "Z"
    return False
