"""Make mutants of the deciding code, one at a time, and see which of them the tests notice.

    make mutants                                        every target, every mutant
    python tools/mutants/run.py ordering --sample 40    a seeded sample of one target
    python tools/mutants/run.py comparison --file '*cliques*' --list

The tree is never touched: mutants live in a copy of `src`. First all tests of a target run once, and it is noted which
test runs which line; a mutant then meets only the tests that run its line, the quickest first, until one fails. Each
runs in a process of its own, forked from this one after the heavy libraries are loaded, with a time limit. Mutants that
no test can tell from the original stand in `equivalent.toml` with the reason and are left out of the share.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import hypothesis
import pytest
from mutations import Mutant, mutants_of, mutated

ROOT = Path(__file__).resolve().parents[2]
DECIDING = "tests/test_order*.py tests/test_compar*.py tests/test_multitest.py tests/test_checks.py tests/test_gaps.py"
ORDERING = (
    "tests/test_order*.py tests/test_worth.py tests/test_multitest.py tests/test_checks.py tests/test_gaps.py"
    " tests/test_items.py tests/test_mistakes_of_others.py"
)
TARGETS = {
    "multitest": ("ordering/multitest.py", ORDERING),
    "ordering": ("ordering/*.py stats/selection.py", ORDERING),
    "comparison": ("comparison/*.py", f"{DECIDING} tests/test_choices.py tests/test_mistakes_of_others.py"),
    "adjust": (
        "stats/adjust/*.py",
        "tests/stats/test_adjust*.py tests/stats/test_shaffer.py tests/stats/test_bergmann_hommel.py"
        " tests/stats/test_posthoc.py tests/test_comparison.py",
    ),
    "items": (
        "stats/items/*.py",
        "tests/stats/test_item*.py tests/evals/gate/test_gate.py tests/evals/gate/test_margin*.py tests/test_items.py",
    ),
    "gate": ("evals/gate/*.py", "tests/evals/gate/*.py"),
    "rankings": (
        "advisor/rankings/*.py",
        "tests/advisor/test_ranking*.py tests/advisor/test_evaluation.py tests/advisor/test_advisor.py"
        " tests/advisor/test_portfolio.py tests/advisor/test_few_results.py",
    ),
}
"""The modules of a target under src/tiebreak, and the tests that should notice."""
HEAVY = (
    "pytest", "hypothesis", "hypothesis.strategies", "numpy", "numpy.random", "scipy.stats", "scipy.special",
    "scipy.optimize", "scipy.spatial.distance", "polars", "narwhals", "xdist",
)  # fmt: skip
LEAST_SECONDS = 20.0


@dataclass(slots=True)
class Job:
    """One mutant on its way: its module, what became of it, and the process that tests it."""

    path: str
    mutant: Mutant
    state: str = ""
    tests: list[str] = field(default_factory=list)
    limit: float = LEAST_SECONDS
    slot: int = -1
    started: float = 0.0


def main() -> int:
    """Run the targets that were named, or all."""
    options = _options()
    known = _known_equivalent()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        slots = [_copy(Path(folder) / f"copy{number}") for number in range(options.workers + 1)]
        if not options.list:
            _load_heavy()
        shares = [_target(name, options, known, slots) for name in options.targets or TARGETS]
    stale = known.keys() - _made()
    if stale:
        print(f"\n{len(stale)} known as equivalent are not made any more; take them out of equivalent.toml:")
        print("\n".join(f"    {function}: {becomes}" for function, _, becomes in sorted(stale)))
    if not options.list:
        print("\n" + "\n".join(shares))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="target", help=f"any of {', '.join(TARGETS)}; by default all")
    parser.add_argument("--sample", type=int, default=0, help="so many mutants of each target, by default all")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the sample")
    parser.add_argument("--file", default="*", help="only modules whose path fits this pattern")
    parser.add_argument("--line", default="", help="only mutants whose original line holds this text")
    parser.add_argument("--quick", type=float, default=1e9, help="leave out tests that take more seconds than this")
    parser.add_argument("--workers", type=int, default=2, help="how many at a time")
    parser.add_argument("--equivalent", action="store_true", help="run those known as equivalent: none may be killed")
    parser.add_argument("--list", action="store_true", help="list the mutants and run nothing")
    options = parser.parse_args()
    for name in options.targets:
        if name not in TARGETS:
            parser.error(f"there is no target {name!r}; known are {', '.join(TARGETS)}")
    return options


def _known_equivalent() -> dict[tuple[str, str, str], str]:
    path = Path(__file__).parent / "equivalent.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", []) if path.exists() else []
    return {(entry["function"], entry["line"], entry["becomes"]): entry["reason"] for entry in entries}


def _modules(patterns: str) -> list[Path]:
    return [path for pattern in patterns.split() for path in (ROOT / "src/tiebreak").glob(pattern)]


def _made() -> set[tuple[str, str, str]]:
    """Return the keys of all mutants of all targets."""
    paths = {path for modules, _ in TARGETS.values() for path in _modules(modules)}
    return {mutant.key for path in paths for mutant in mutants_of(path.read_bytes())}


def _copy(folder: Path) -> Path:
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "src"


def _load_heavy() -> None:
    """Load what every test run loads, once; forked processes have it at no cost."""
    for name in HEAVY:
        importlib.import_module(name)


def _target(name: str, options: argparse.Namespace, known: dict[tuple[str, str, str], str], slots: list[Path]) -> str:
    modules, tests = TARGETS[name]
    paths = sorted(path.relative_to(ROOT / "src") for path in _modules(modules))
    chosen = [str(path) for path in paths if fnmatch.fnmatch(str(path), f"*{options.file}*")]
    every = [Job(path, mutant) for path in chosen for mutant in mutants_of((ROOT / "src" / path).read_bytes())]
    jobs = [job for job in every if options.line in job.mutant.original]
    if options.sample and options.sample < len(jobs):
        jobs = random.Random(options.seed).sample(jobs, options.sample)
    if options.list:
        print("\n".join(_shown(job) for job in jobs))
        return ""
    for job in jobs:
        job.state = "equivalent" if (job.mutant.key in known) != options.equivalent else ""
    print(f"{name}: {len(jobs)} mutants of {len(every)} in {len(chosen)} modules", flush=True)
    _choose_tests([job for job in jobs if not job.state], _covered(slots[-1], chosen, tests), options)
    _run_all([job for job in jobs if not job.state], slots[:-1], options)
    return _summary(name, jobs)


def _summary(name: str, jobs: list[Job]) -> str:
    count = Counter(job.state for job in jobs)
    noticed, total = count["killed"] + count["timeout"], len(jobs) - count["equivalent"]
    share = f"{noticed / total:.1%}" if total else "nothing"
    return (
        f"{name}: {share} of {total} mutants noticed ({count['killed']} killed, {count['timeout']} timeouts;"
        f" {count['survived']} survived, {count['unreached']} reached by no test; {count['equivalent']} equivalent)"
    )


def _shown(job: Job) -> str:
    mutant = job.mutant
    return f"{job.state:10} {job.path}:{mutant.line} {mutant.function}\n    - {mutant.original}\n    + {mutant.mutated}"


# ---- which test runs which line


def _covered(source: Path, modules: list[str], tests: str) -> dict[str, dict[str, object]]:
    """Run the tests once without a mutant; return for each its seconds and the lines it runs."""
    files = list(dict.fromkeys(str(p) for part in tests.split() for p in sorted(ROOT.glob(part))))
    files += dict.fromkeys(str((source / path).parent) for path in modules)  # the examples in their docstrings
    report = source.parent / "lines.json"
    pid = os.fork()
    if pid == 0:
        _child(source, [*files], Recorder([str(source / path) for path in modules], report))
    _, status = os.waitpid(pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        print((source.parent / "output.txt").read_text(encoding="utf-8")[-4000:])
        raise SystemExit("The tests fail without a mutant.")
    data: dict[str, dict[str, object]] = json.loads(report.read_text(encoding="utf-8"))
    return data


class Recorder:
    """Notes while pytest runs which lines of some files each test runs, and how long it takes."""

    def __init__(self, files: list[str], report: Path) -> None:
        self.files, self.report = {name: n for n, name in enumerate(files)}, report
        self.names = {str(name): Path(name).relative_to(report.parent / "src") for name in files}
        self.lines: set[tuple[str, int]] = set()
        self.shared: dict[str, set[tuple[str, int]]] = {}
        self.found: dict[str, dict[str, object]] = {}

    def _trace(self, frame: object, *_: object) -> object:
        name = frame.f_code.co_filename  # type: ignore[attr-defined]
        if name not in self.files:
            return None
        self.lines.add((name, frame.f_lineno))  # type: ignore[attr-defined]
        return self._trace

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Trace one test, with nothing left in memory by those before it."""
        self.lines = set()
        _forget()
        begin = time.perf_counter()
        sys.settrace(self._trace)  # type: ignore[arg-type]
        result = yield
        sys.settrace(None)
        lines = self.lines | self.shared.get(item.location[0], set())  # type: ignore[attr-defined]
        where = [(str(self.names[name]), line) for name, line in sorted(lines)]
        self.found[_name(item)] = {"seconds": time.perf_counter() - begin, "lines": where}
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: object, request: object) -> Iterator[None]:
        """Give the lines of a fixture that tests share to all of them."""
        before = set(self.lines)
        result = yield
        if fixturedef.scope != "function":  # type: ignore[attr-defined]
            self.shared.setdefault(request.node.nodeid.split("::")[0], set()).update(self.lines - before)  # type: ignore[attr-defined]
        return result

    def pytest_sessionfinish(self) -> None:
        """Write what was found."""
        self.report.write_text(json.dumps(self.found), encoding="utf-8")


def _forget() -> None:
    """Empty the caches of the package: what one test left in them would hide the lines that another needs."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tiebreak"):
            for value in list(vars(module).values()):
                if callable(getattr(value, "cache_clear", None)):
                    value.cache_clear()


def _choose_tests(jobs: list[Job], covered: dict[str, dict[str, object]], options: argparse.Namespace) -> None:
    """Give each mutant the tests that run its line, the quickest first; of a module's own lines, all that enter it."""
    seconds = {test: float(item["seconds"]) for test, item in covered.items()}  # type: ignore[arg-type]
    by_line: dict[tuple[str, int], set[str]] = {}
    for test, entry in covered.items():
        for path, line in entry["lines"]:  # type: ignore[attr-defined]
            by_line.setdefault((path, line), set()).add(test)
            by_line.setdefault((path, 0), set()).add(test)
    for job in jobs:
        first, last = job.mutant.reach if job.mutant.function != "module" else (0, 0)
        tests = set().union(*(by_line.get((job.path, line), set()) for line in range(first, last + 1)))
        if job.mutant.function != "module" and _is_class_level(job, by_line):
            tests = by_line.get((job.path, 0), set())
        job.tests = sorted((test for test in tests if seconds[test] <= options.quick), key=lambda test: seconds[test])
        job.limit = LEAST_SECONDS + 4 * options.workers * sum(seconds[test] for test in job.tests)


def _is_class_level(job: Job, by_line: dict[tuple[str, int], set[str]]) -> bool:
    """Say whether a mutant stands in the body of a class, which runs when its module is loaded."""
    return job.mutant.function.rpartition(".")[2][:1].isupper() and (job.path, 0) in by_line


# ---- running


class Chosen:
    """Lets pytest run the chosen tests alone, in their order, and hypothesis search without shrinking."""

    def __init__(self, tests: list[str]) -> None:
        self.place = {test: n for n, test in enumerate(tests)}

    def pytest_collection(self) -> None:
        """Load a profile that stops at the first failing example, after the one of the tests was loaded."""
        usual = hypothesis.settings.get_profile("steady")
        phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        hypothesis.settings.register_profile("mutants", usual, phases=phases, max_examples=25)
        hypothesis.settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the chosen, the quickest first."""
        remaining = [item for item in items if _name(item) in self.place]
        items[:] = sorted(remaining, key=lambda item: self.place[_name(item)])


def _name(item: pytest.Item) -> str:
    """Name a test; the examples in docstrings by their module, in whichever copy of the package it lies."""
    path = str(item.path)
    return item.nodeid if path.startswith(str(ROOT)) else f"copy/{path.partition('/src/')[2]}::{item.name}"


def _child(source: Path, files: list[str], plugin: object) -> None:
    """Run pytest in this process on a copy of the package, and end the process."""
    code = 3
    try:
        os.setsid()
        os.chdir(ROOT)
        out = os.open(source.parent / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(out, stream)
        sys.path.insert(0, str(source))
        os.environ["PYTHONPATH"] = str(source)
        sys.dont_write_bytecode = isinstance(plugin, Chosen)
        quiet = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "--tb=line", "--rootdir", str(ROOT)]
        quiet += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        code = int(pytest.main([*quiet, "-c", str(ROOT / "pyproject.toml"), *files], plugins=[plugin]))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _run_all(jobs: list[Job], slots: list[Path], options: argparse.Namespace) -> None:
    """Run the mutants, as many at a time as there are copies of the package."""
    waiting = list(reversed(jobs))
    running: dict[int, Job] = {}
    done = 0
    while waiting or running:
        free = [number for number in range(len(slots)) if number not in {job.slot for job in running.values()}]
        while free and waiting:
            job = waiting.pop()
            if not job.tests:
                job.state, done = "unreached", done + 1
                print(_shown(job), flush=True)
                continue
            job.slot = free.pop()
            running[_start(job, slots[job.slot])] = job
        for pid in [pid for pid, job in running.items() if _ended(pid, job)]:
            job = running.pop(pid)
            _restore(job, slots[job.slot])
            done += 1
            if (job.state == "killed") == options.equivalent:
                print(_shown(job), flush=True)
            if done % 50 == 0:
                print(f"... {done} of {len(jobs)}", flush=True)
        time.sleep(0.02)


def _start(job: Job, source: Path) -> int:
    path = source / job.path
    path.write_bytes(mutated((ROOT / "src" / job.path).read_bytes(), job.mutant))
    job.started = time.monotonic()
    pid = os.fork()
    if pid == 0:
        files = dict.fromkeys(test.split("::")[0] for test in job.tests)
        places = [(source / name[5:]).parent if name.startswith("copy") else ROOT / name for name in files]
        _child(source, list(dict.fromkeys(map(str, places))), Chosen(job.tests))
    return pid


def _ended(pid: int, job: Job) -> bool:
    """Say whether a mutant's process has ended, and note how; one that takes too long is ended."""
    result, status = os.waitpid(pid, os.WNOHANG)
    if result:
        job.state = {0: "survived", 5: "unreached"}.get(os.waitstatus_to_exitcode(status), "killed")
        return True
    if time.monotonic() - job.started > job.limit:
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        job.state = "timeout"
        return True
    return False


def _restore(job: Job, source: Path) -> None:
    shutil.copyfile(ROOT / "src" / job.path, source / job.path)


if __name__ == "__main__":
    sys.exit(main())
