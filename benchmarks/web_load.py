"""Many users compare the published table at the same time, over the loopback: times of answers, errors, memory.

Starts a server of its own, lets users ask without a pause between their questions, and prints one line of JSON for each
kind of question: `same` is what the page of the published table asks (computed once, then remembered), `thinking` the
same with a second between the questions of a user, `new` a level of significance that nobody asked for before, and
`thinking-new` that with a second between. What the processor spends on an answer is told apart: in the server, in its
children, and here; the sum of the three says what two cores can do when nothing else works on them.

    python benchmarks/web_load.py --users 50 --seconds 60
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

PORT = 8765
FIRST = {"new": 0.01, "thinking-new": 0.06}
"""From where levels that nobody asked for before go up."""
TOLD = {"file": "published:ulas2012", "score": "accuracy"}


async def ask(body: dict[str, object]) -> tuple[int, float]:
    """Send one request over a connection of its own, as a browser without keep-alive would."""
    began = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    data = json.dumps(body).encode()
    head = f"POST /api/compare HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode() + data)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1]), time.perf_counter() - began


async def user(number: int, end: float, kind: str, seen: list[tuple[int, float]]) -> None:
    """Ask again and again until the time is over."""
    count = 0
    while time.perf_counter() < end:
        count += 1
        level = 0.05 if not kind.endswith("new") else FIRST[kind] + (number * 10_000 + count) * 1e-7
        seen.append(await ask(TOLD | {"alpha": level}))
        if kind.startswith("thinking"):
            await asyncio.sleep(1)


async def measure(kind: str, users: int, seconds: float) -> dict[str, Any]:
    seen: list[tuple[int, float]] = []
    end = time.perf_counter() + seconds
    await asyncio.gather(*(user(number, end, kind, seen) for number in range(users)))
    times = sorted(taken for status, taken in seen if status == 200)
    statuses = {str(status): sum(item == status for item, _ in seen) for status in sorted({s for s, _ in seen})}
    cuts = statistics.quantiles(times, n=100)
    shown = {"p50_ms": cuts[49], "p95_ms": cuts[94], "p99_ms": cuts[98]}
    rounds = {name: round(1000 * value, 1) for name, value in shown.items()}
    return {"kind": kind, "users": users, "answers": len(seen), "a_second": round(len(seen) / seconds, 1)} | rounds | {
        "statuses": statuses
    }  # fmt: skip


def spent(process: psutil.Process) -> dict[str, float]:
    """Seconds of the processor so far: of the server, of its children (those that ended too), and of this program."""
    total = sum(process.cpu_times()[:2])
    children = sum(sum(child.cpu_times()[:4]) for child in process.children(recursive=True))
    return {"server": total, "children": children, "load": sum(os.times()[:2])}


def memory(process: psutil.Process) -> float:
    return round(process.memory_info().rss / 1e6, 1)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--kinds", default="same,thinking,thinking-new,new")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        command = [sys.executable, "-m", "tiebreak", "serve", "--port", str(PORT), "--store", str(place / "r.db")]
        with (place / "log").open("w") as log:
            server = subprocess.Popen([*command, "--folder", str(place / "state")], stderr=log, env=dict(os.environ))
        try:
            while True:
                try:
                    await ask(TOLD)
                    break
                except OSError:
                    await asyncio.sleep(0.2)
            watched = psutil.Process(server.pid)
            for kind in args.kinds.split(","):
                before, began = memory(watched), spent(watched)
                result = await measure(kind, args.users, args.seconds)
                taken = {name: value - began[name] for name, value in spent(watched).items()}
                cpu = {f"cpu_ms_{name}": round(1000 * item / result["answers"], 2) for name, item in taken.items()}
                load = round(os.getloadavg()[0], 1)
                more = {"mb_before": before, "mb_after": memory(watched), "load": load}
                print(json.dumps(result | cpu | more), flush=True)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    asyncio.run(main())
