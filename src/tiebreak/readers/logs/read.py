"""Find logs of evaluations, recognise their tools by how files begin, and settle which run of a model counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiebreak.caveats import Caveat
from tiebreak.errors import InputError, quoted
from tiebreak.readers.logs import aider, helm, inspect, lm_eval, openai_evals, promptfoo, swe_bench
from tiebreak.readers.logs.common import SEED, Reader, Run, Unreadable, head_of

FORMATS: tuple[Callable[[str, bytes], Reader | None], ...] = (
    inspect.reader_of,
    promptfoo.reader_of,
    openai_evals.reader_of,
    swe_bench.reader_of,
    helm.reader_of,
    lm_eval.reader_of,
    aider.reader_of,
)
"""Each returns a reader if a file, by its name in lower case and how it begins, is of its format."""
ENDINGS = (".eval", ".json", ".jsonl", ".yml", ".yaml")
"""What is looked at; each may be packed by gzip."""
BESIDE = re.compile(
    r"run_spec|scenario(?:_state)?|instances|stats|display_(?:requests|predictions)|predictions|costs|schema|patch|metadata"
    r"|resolved_by_(?:repo|time)|eval-set|logs|package(?:-lock)?|summary|groups.*|run_specs|runs|general_information",
    re.I,
)
"""Files that tools write beside their logs, and that are passed over without a word."""
_TOOLS = "Inspect, lm-evaluation-harness, promptfoo, SWE-bench, Aider, HELM and OpenAI evals"


def reader_of(path: Path) -> Reader | None:
    """Return the reader of a log; None where a file is none.

    Examples
    --------
    >>> reader_of(Path("results.csv")) is None
    True
    """
    name = path.name.lower().removesuffix(".gz")
    if not name.endswith(ENDINGS) or not path.is_file():
        return None
    head = head_of(path)
    return next((reader for known in FORMATS if (reader := known(name, head)) is not None), None)


def holds_logs(path: str | Path) -> bool:
    """Say whether a path is a log of an evaluation, or a folder with one; nothing is read but how files begin.

    Examples
    --------
    >>> holds_logs("results.csv")
    False
    """
    place = Path(path)
    try:
        return any(reader_of(file) is not None for file in (_files(place) if place.is_dir() else [place]))
    except (OSError, ValueError):  # a text that is no path
        return False


def _files(folder: Path) -> Iterator[Path]:
    """Yield what lies in a folder, sorted, without what is hidden."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def runs_at(paths: Sequence[Path]) -> tuple[list[Run], list[Caveat]]:
    """Read every log; in a folder what is broken or is none is named, alone it is an error."""
    runs: list[Run] = []
    others: list[str] = []
    broken: list[Unreadable] = []
    for path in paths:
        alone = not path.is_dir()
        for file in [path] if alone else _files(path):
            name = file.name if alone else file.relative_to(path).as_posix()
            reader = reader_of(file)
            try:
                runs += [] if reader is None else reader(file, name)
            except Unreadable as error:
                if alone:
                    raise
                broken.append(error)
            if reader is None and not BESIDE.fullmatch(file.name.partition(".")[0]):
                others.append(name)
    if broken and not runs:
        raise broken[0]
    if not runs:
        raise InputError(
            f"{' and '.join(map(str, paths))} holds no log of an evaluation.",
            why=f"Read are those of {_TOOLS}.",
            mend="Name the folder that the tool wrote its logs to.",
        )
    text = f"{len(others)} file(s) are no logs that are known and were passed over: {quoted(others, limit=3)}."
    texts = [*([text] if others else []), *(f"{error.what} It is left out." for error in broken)]
    return runs, [Caveat("sources-left-out", text) for text in texts]


# ---- which run counts


def settled(runs: Sequence[Run], metric: str | None) -> tuple[list[Run], list[Caveat]]:
    """Return one run for each model, benchmark and repetition, under names that distinguish settings."""
    whole, notes = list(runs), list[Caveat]()
    for settle in (promptfoo.settle, swe_bench.settle):
        whole, inferred = settle(whole)
        notes += inferred
    numbered, seeded = _numbered_by_seed(_in_one_form(whole, metric))
    named = _with_settings(_with_settings(numbered, "benchmark", "task_settings"), "model", "settings")
    remaining, repeated = _latest(named)
    return remaining, [*notes, *seeded, *repeated]


def _key(run: Run) -> tuple[str, str, str]:
    return run.tool, run.model, run.benchmark


def _in_one_form(runs: Sequence[Run], metric: str | None) -> list[Run]:
    """Keep one log of each run: its items, or the sums written beside them where only these have the metric asked for.

    Unasked, a run whose metrics have no number per item (perplexity) stays without, as long as others have items:
    one such benchmark would turn a test of items into one of means.
    """
    usable = {id(run) for run in runs if any(metric is None or fits(name, metric) for name in run.scores)}
    there = {_key(run) for run in runs if run.items}
    items = {_key(run) for run in runs if run.items and id(run) in usable}
    items = there if metric is None and items else items
    sums = {_key(run) for run in runs if not run.items and (id(run) in usable or _key(run) not in there)} - items
    return [run for run in runs if (_key(run) in sums) != bool(run.items)]


def fits(name: str, text: str) -> bool:
    """Say whether a metric is the one asked for, which may leave out the filter and the scorer.

    Examples
    --------
    >>> fits("acc,none", "acc"), fits("acc_norm,none", "acc"), fits("judge/accuracy", "accuracy")
    (True, False, True)
    """
    known = name.lower()
    return text.lower() in (known, known.partition(",")[0], known.rpartition("/")[2])


def _numbered_by_seed(runs: Sequence[Run]) -> tuple[list[Run], list[Caveat]]:
    """Number runs that differ in their seed alone: they are repetitions of one model, and no models of their own.

    Sums have no answers that could be averaged item by item: of these the latest counts.
    """

    def rest(run: Run) -> tuple[Any, ...]:
        settings = sorted((name, value) for name, value in run.settings.items() if name != SEED)
        return bool(run.items), *_key(run), tuple(settings), tuple(sorted(run.task_settings.items()))

    seeds: dict[tuple[Any, ...], list[str]] = {}
    for run in runs:
        held = seeds.setdefault(rest(run), [])
        held += [seed] if (seed := run.settings.get(SEED, "")) not in held else []
    out, texts = [], dict[str, str]()
    for run in runs:
        held = sorted(seeds[rest(run)], key=lambda seed: (len(seed), seed))
        place = held.index(run.settings.get(SEED, "")) + 1 if run.items else 0
        settings = {name: value for name, value in run.settings.items() if name != SEED}
        out.append(replace(run, settings=settings, repetition=place))
        if run.items and len(held) > 1:
            text = f"Runs of {run.model!r} with {len(held)} seeds (such as on {run.benchmark!r}) differ in these"
            texts.setdefault(run.model, f"{text} alone: they are repeated answers of one model.")
    return out, [Caveat("read-as", text) for text in texts.values()]


def _with_settings(runs: Sequence[Run], what: str, which: str) -> list[Run]:
    """Add to names of models or benchmarks the settings in which runs of one model on one benchmark differ."""
    held: dict[tuple[str, str, str], list[Mapping[str, str]]] = {}
    for run in runs:
        held.setdefault(_key(run), []).append(getattr(run, which))
    differ: dict[tuple[str, str], set[str]] = {}
    for (tool, model, benchmark), current in held.items():
        names = {name for settings in current for name in settings} - {"run"}
        changing = {name for name in names if len({settings.get(name, "") for settings in current}) > 1}
        differ.setdefault((tool, model if what == "model" else benchmark), set()).update(changing)
    out = []
    for run in runs:
        name, settings = getattr(run, what), getattr(run, which)
        text = ", ".join(f"{key}={settings[key]}" for key in sorted(differ[run.tool, name]) if settings.get(key))
        more: dict[str, Any] = {what: f"{name} [{text}]", "named": run.named or run.model}
        out.append(replace(run, **more) if text else run)
    return out


def _latest(runs: Sequence[Run]) -> tuple[list[Run], list[Caveat]]:
    """Keep one run per model and benchmark: the latest of those that ended well, as its time or else its name tells."""
    best: dict[tuple[str, str, int], Run] = {}
    left: list[tuple[Run, tuple[str, str, int]]] = []
    for run in sorted(runs, key=lambda run: (not run.broken_off, run.when, run.source)):
        key = run.model, run.benchmark, run.repetition
        left += [(best[key], key)] if key in best else []
        best[key] = run
    if not left:
        return list(runs), []
    first, key = left[0]
    files = f"{best[key].source} and not {first.source}, " if best[key].source != first.source else ""
    well = any(run.broken_off for run, _ in left)
    text = f"{len(left)}{'' if well else ' earlier'} run(s) of the same model on the same benchmark are left out; the"
    text += f" latest{' that ended well' if well else ''} counts (such as {files}{first.model} on {first.benchmark})."
    kept = {id(run) for run in best.values()}
    return [run for run in runs if id(run) in kept], [Caveat("duplicates-settled", text)]
