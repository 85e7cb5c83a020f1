"""From logs to one run per model and benchmark: what identifies a run, which of several counts, by which metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from tiebreak.caveats import Caveat
from tiebreak.errors import OptionError, quoted
from tiebreak.readers.logs._logs import Log, Run, Total
from tiebreak.wording import either, option

SEED = "seed"
"""The setting that makes of a run a repetition of it."""
L = TypeVar("L", bound=Log)


def told_apart(logs: Sequence[L]) -> list[L]:
    """Name models and benchmarks by the settings that differ, where one name would stand for several.

    Settings of the task count before those of the model: the same questions must be asked of all.
    """
    named = _named(logs, "benchmark", "task_settings")
    return _named(named, "model", "settings")


def _named(logs: Sequence[L], what: str, which: str) -> list[L]:
    """Add to names the settings in which runs of one model on one benchmark differ."""
    held: dict[tuple[str, str, str], list[Mapping[str, str]]] = {}
    for each in logs:
        held.setdefault((each.tool, each.model, each.benchmark), []).append(getattr(each, which))
    differ: dict[tuple[str, str], set[str]] = {}
    for (tool, model, benchmark), told in held.items():
        names = {name for settings in told for name in settings}
        changing = {name for name in names if len({settings.get(name, "") for settings in told}) > 1} - {"run"}
        differ.setdefault((tool, model if what == "model" else benchmark), set()).update(changing)
    out = []
    for each in logs:
        own = getattr(each, which)
        changing_here = sorted(differ[each.tool, getattr(each, what)])
        said = ", ".join(f"{name}={own[name]}" for name in changing_here if own.get(name))
        more: dict[str, Any] = {what: f"{getattr(each, what)} [{said}]", "named": each.written}
        out.append(replace(each, **more) if said else each)
    return out


def seeds_as_epochs(logs: Sequence[L]) -> tuple[list[L], list[Caveat]]:
    """Number runs that differ in their seed alone: they are repetitions of one model, and no models of their own.

    Sums have no answers that could be averaged item by item: of these the latest counts.
    """
    groups: dict[tuple[Any, ...], list[L]] = {}
    for each in logs:
        groups.setdefault(_but_for_seed(each), []).append(each)
    out, said = dict[int, L](), dict[str, tuple[str, int]]()
    for own in groups.values():
        seeds = sorted({each.settings.get(SEED, "") for each in own}, key=lambda seed: (len(seed), seed))
        for each in own:
            place = seeds.index(each.settings.get(SEED, "")) + 1 if isinstance(each, Run) else 0
            rest = {name: value for name, value in each.settings.items() if name != SEED}
            out[id(each)] = replace(each, settings=rest, repetition=place)
        if isinstance(own[0], Run) and len(seeds) > said.get(own[0].model, ("", 1))[1]:
            said[own[0].model] = own[0].benchmark, len(seeds)
    apart = either("seeds_apart=True, or columns={'epoch': 'none'}", "--column epoch=none")
    notes = [
        Caveat("read-as", f"Runs of {model!r} with {count} seeds (such as on {benchmark!r}) differ in these"
               f" alone: they are repeated answers of one model. To keep them apart: {apart}.")
        for model, (benchmark, count) in said.items()
    ]  # fmt: skip
    return [out[id(each)] for each in logs], notes


def _but_for_seed(log: Log) -> tuple[Any, ...]:
    """Return what a run has in common with those of another seed."""
    settings = tuple(sorted((name, value) for name, value in log.settings.items() if name != SEED))
    return type(log), *_key(log), settings, tuple(sorted(log.task_settings.items()))


def latest(logs: Sequence[L]) -> tuple[list[L], list[Caveat]]:
    """Keep one run per model and benchmark: the latest of those that ended well, as its time or else its name tells."""
    best: dict[tuple[str, str, int], L] = {}
    left: dict[tuple[str, str, int], list[L]] = {}
    for each in sorted(logs, key=lambda log: (not broken_off(log), log.when, log.source)):
        key = each.model, each.benchmark, each.repetition
        if key in best:
            left.setdefault(key, []).append(best[key])
        best[key] = each
    kept = [each for each in logs if best[each.model, each.benchmark, each.repetition] is each]
    if not left:
        return kept, []
    (model, benchmark, repetition), first = next(iter(left.items()))
    count = sum(map(len, left.values()))
    kept_of, left_of = best[model, benchmark, repetition].source, first[-1].source
    files = f"{kept_of} and not {left_of}, " if kept_of != left_of else ""
    earlier = "" if any(broken_off(each) for own in left.values() for each in own) else " earlier"
    which = "latest" if earlier else "latest that ended well"
    text = f"{count}{earlier} run(s) of the same model on the same benchmark are left out; the {which} counts (such as"
    text += f" {files}{model} on {benchmark})."
    return kept, [Caveat("duplicates-settled", text)]


def broken_off(log: Log) -> bool:
    """Say whether a run did not end well."""
    return any(note.code == "runs-unfinished" for note in log.notes)


def without_items_twice(
    runs: Sequence[Run], totals: Sequence[Total], asked: str | None
) -> tuple[list[Run], list[Total]]:
    """Keep one log of each run: its items, or the sums written beside them where only these have the metric asked for.

    Unasked, a run whose metrics have no number per item (perplexity) stays without, as long as others have items:
    one such benchmark would turn a test of items into one of means.
    """

    def tells(log: Run | Total) -> bool:
        return any(asked is None or fits(name, asked) for name in log.scores)

    told, there = {_key(each) for each in runs if tells(each)}, {_key(each) for each in runs}
    held = there if asked is None and told else told
    sums = [each for each in totals if _key(each) not in held and (tells(each) or _key(each) not in there)]
    instead = {_key(each) for each in sums}
    return [each for each in runs if _key(each) not in instead], sums


def _key(log: Log) -> tuple[str, str, str]:
    return log.tool, log.model, log.benchmark


def chosen_metrics(logs: Iterable[Log], asked: str | None) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Choose one metric for each benchmark, and name the others; a benchmark without the one asked for has none.

    Unasked it is the first that every run of the benchmark has, in the order of the log.
    """
    held: dict[str, list[list[str]]] = {}
    for each in logs:
        scores = getattr(each, "scores", {})
        held.setdefault(each.benchmark, []).append(list(scores))
    chosen, others = {}, {}
    for benchmark, lists in held.items():
        everywhere = [name for name in lists[0] if all(name in names for names in lists[1:])]
        known = list(dict.fromkeys([*everywhere, *(name for names in lists for name in names)]))
        found = known[:1] if asked is None else [name for name in known if fits(name, asked)][:1]
        if found:
            chosen[benchmark] = found[0]
            others[benchmark] = tuple(name for name in known if name != found[0])
    if not chosen:
        names = dict.fromkeys(name for lists in held.values() for names in lists for name in names)
        raise OptionError(
            f"There is no metric {asked!r} in the logs.",
            why=f"Known here: {quoted(names, limit=12)}.",
            mend=f"Name one of them: {option(metric=next(iter(names), 'accuracy'))}.",
        )
    return chosen, others


def fits(name: str, asked: str) -> bool:
    """Say whether a metric is the one asked for, which may leave out the filter and the scorer.

    Examples
    --------
    >>> fits("acc,none", "acc"), fits("acc_norm,none", "acc"), fits("judge/accuracy", "accuracy")
    (True, False, True)
    """
    own, wanted = name.lower(), asked.lower()
    return wanted in (own, own.partition(",")[0], own.rpartition("/")[2])
