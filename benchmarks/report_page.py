"""How large a report is, how soon its page can be used, and how long a step of a slider takes, in Chromium.

    python benchmarks/report_page.py [--algorithms 78] [--datasets 51] [RESULTS.csv --score NAME --cost NAME]

Without a file the results are generated. Times are processor time of the thread that runs the page, which other work
on the machine hardly lengthens: to load it, scripts and all, for one step of a slider until the rows in sight are
painted again, and until all rows are.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tiebreak as tb

LATER = "const now = setTimeout; window.setTimeout = (act, wait = 0) => now(act, wait + 150);"
"""Rows out of sight are written by a timer; this puts them off, so that they are not counted with those in sight."""
STEP = """([id, value]) => new Promise((done) => {
  const each = document.getElementById(id), channel = new MessageChannel();
  each.value = value;
  each.dispatchEvent(new Event("input"));
  channel.port1.onmessage = done;
  requestAnimationFrame(() => channel.port2.postMessage(0));
})"""
REST = """() => new Promise((done) => {
  const look = () => (document.querySelector("#live tbody").ariaBusy === "true" ? requestAnimationFrame(look) : done());
  look();
})"""


def main() -> None:
    options = _asked()
    results, settings = _results(options)
    start = time.perf_counter()
    report = tb.report(
        tb.compare(results, **settings),
        *(tb.order(results, cost=item, ties="score", **settings) for item in options.cost),
    )
    page = report.to_html()
    print(f"{report.title()}: made in {time.perf_counter() - start:.1f} s, {len(page.encode()) / 1e6:.2f} MB")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_text(page, encoding="utf-8")
        for name, values in _measured(path, options.repeat).items():
            most = sorted(values)[int(0.95 * (len(values) - 1))]
            print(f"{name}: median {statistics.median(values):.0f} ms, 95% in {most:.0f}, at most {max(values):.0f}")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?")
    parser.add_argument("--score", default="accuracy")
    parser.add_argument("--cost", action="append")
    parser.add_argument("--lower-is-better", action="store_true")
    parser.add_argument("--algorithms", type=int, default=78)
    parser.add_argument("--datasets", type=int, default=51)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    args.cost = args.cost or ["train_time"]
    return args


def _results(options: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    if options.results:
        settings = {"higher_is_better": False} if options.lower_is_better else {}
        return tb.read(options.results, scores=options.score, also=options.cost), {"score": options.score, **settings}
    rng = np.random.default_rng(0)
    names = [f"algorithm {i}" for i in range(options.algorithms)]
    scores = (
        rng.normal(0.7, 0.05, (options.datasets, 1))
        + rng.normal(0, 0.03, len(names))
        + rng.normal(0, 0.03, (options.datasets, len(names)))
    )
    table = tb.Results.from_array(np.clip(scores, 0.05, 0.99), score="accuracy", algorithms=names)
    times = tb.Results.from_array(rng.lognormal(0, 3, scores.shape), score="train_time", algorithms=names)
    return tb.with_costs(table, times), {"score": "accuracy"}


def _measured(path: Path, repeat: int) -> dict[str, list[float]]:
    from playwright.sync_api import sync_playwright

    program = os.environ.get("TIEBREAK_CHROMIUM") or shutil.which("chromium")
    out: dict[str, list[float]] = {"loaded and ready": [], "step, rows in sight": [], "step, all rows": []}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(repeat):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.add_init_script(LATER)
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            out["loaded and ready"].append(_spent(session, lambda page=page: page.goto(path.as_uri())))
            for k in range(10):
                for move in (("alpha", k), ("margin", k % 9)):
                    step = _spent(session, lambda page=page, move=move: page.evaluate(STEP, list(move)))
                    rest = _spent(session, lambda page=page: page.evaluate(REST))
                    out["step, rows in sight"].append(step)
                    out["step, all rows"].append(step + rest)
            page.close()
        browser.close()
    return out


def _spent(session: Any, act: Callable[[], Any]) -> float:
    """Return the milliseconds of the page's thread that an act took."""
    before = _clock(session)
    act()
    return 1000 * (_clock(session) - before)


def _clock(session: Any) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(item["value"]) for item in metrics if item["name"] == "TaskDuration")


if __name__ == "__main__":
    main()
