"""Runs of models on benchmarks: which of several counts, by which metric, and all of them in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import OptionError, quoted
from tiebreak.readers.logs.common import MISSING, SEED, USAGE, Log, Run, Total
from tiebreak.readers.logs.prices import Price
from tiebreak.results.columns import Arrays
from tiebreak.wording import Brief, option

KEYS = ("benchmark", "model", "item", "cluster")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Summary(Brief):
    """One model on one benchmark, summed up: by the log itself, or over the items that it holds.

    `n` counts items, `passed` those that passed where that was counted or every score is 0 or 1, `epochs` the answers
    per item. `score` is the mean over items of the mean over epochs. `price` and the tokens are what answering every
    item once takes, `seconds` the mean of one answer; NaN where nobody knows.
    """

    benchmark: str
    model: str
    metric: str
    score: float
    n: int | None = None
    passed: float | None = None
    epochs: float = 1.0
    price: float = MISSING
    tokens_in: float = MISSING
    tokens_out: float = MISSING
    tokens_cached: float = MISSING
    tokens_reasoning: float = MISSING
    seconds: float = MISSING
    from_items: bool = False
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class EvalRuns(Brief):
    """Scores and costs of language models, item by item; immutable.

    Make one with `tiebreak.readers.logs.read_runs`. The columns `codes`, `epoch`, `score` and `usage` have one row per
    answer; `codes["model"][i]` is the place of its model in `models`, and so for benchmark, item and cluster, which is
    -1 where the log knows none. `usage` holds tokens_in, tokens_out, tokens_cached, tokens_reasoning, price
    (dollars) and seconds, NaN where unknown. `totals` are runs that were only logged as sums. `metrics` is the metric
    that was taken on each benchmark, `other_metrics` those that were not, `higher_is_better` what the logs say of it,
    if anything.
    """

    models: tuple[str, ...]
    benchmarks: tuple[str, ...]
    items: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    codes: Mapping[str, IntArray]
    epoch: IntArray
    score: FloatArray
    usage: Mapping[str, FloatArray]
    totals: tuple[Summary, ...] = ()
    metrics: Mapping[str, str] = field(default_factory=dict)
    other_metrics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    higher_is_better: Mapping[str, bool | None] = field(default_factory=dict)
    tools: tuple[str, ...] = ()
    caveats: Caveats = ()

    def summaries(self) -> tuple[Summary, ...]:
        """Sum every run up, in the order of benchmarks and models; those that were only logged so are among them."""
        made = [*_summed(self), *self.totals]
        place = {name: i for i, name in enumerate(self.benchmarks)}
        return tuple(sorted(made, key=lambda summary: (place[summary.benchmark], summary.model)))


def _summed(runs: EvalRuns) -> Iterator[Summary]:
    """Average over the epochs of each item, then over the items, for every benchmark and model, in one pass."""
    cell = runs.codes["benchmark"].astype(np.int64) * len(runs.models) + runs.codes["model"]
    options, first, item = np.unique(
        cell * (len(runs.items) + 1) + runs.codes["item"], return_index=True, return_inverse=True
    )
    keys, place = np.unique(cell[first], return_inverse=True)
    columns = {"score": runs.score, **runs.usage}
    means = {name: _mean(_mean(column, item, len(options)), place, len(keys)) for name, column in columns.items()}
    _, of_answer, answers = np.unique(cell, return_inverse=True, return_counts=True)
    graded = np.bincount(of_answer, weights=(runs.score != 0) & (runs.score != 1), minlength=len(keys)) > 0
    items = np.bincount(place, minlength=len(keys))
    for at, key in enumerate(keys.tolist()):
        n, score, benchmark = int(items[at]), float(means["score"][at]), runs.benchmarks[key // len(runs.models)]
        used: dict[str, Any] = {name: float(means[name][at]) * (1 if name == "seconds" else n) for name in USAGE}
        yield Summary(
            benchmark=benchmark, model=runs.models[key % len(runs.models)], metric=runs.metrics[benchmark], n=n,
            from_items=True, score=score, epochs=int(answers[at]) / n, **used,
            passed=None if graded[at] else round(score * n, 9),
        )  # fmt: skip


def _mean(values: FloatArray, place: IntArray, count: int) -> FloatArray:
    known = ~np.isnan(values)
    sums = np.bincount(place[known], weights=values[known], minlength=count)
    there = np.bincount(place[known], minlength=count)
    out: FloatArray = np.divide(sums, there, out=np.full(count, np.nan), where=there > 0)
    return out


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
    for log in logs:
        held.setdefault(_key(log), []).append(getattr(log, which))
    differ: dict[tuple[str, str], set[str]] = {}
    for (tool, model, benchmark), runs in held.items():
        names = {name for settings in runs for name in settings} - {"run"}
        changing = {name for name in names if len({settings.get(name, "") for settings in runs}) > 1}
        differ.setdefault((tool, model if what == "model" else benchmark), set()).update(changing)
    out = []
    for log in logs:
        name, settings = getattr(log, what), getattr(log, which)
        text = ", ".join(f"{key}={settings[key]}" for key in sorted(differ[log.tool, name]) if settings.get(key))
        more: dict[str, Any] = {what: f"{name} [{text}]", "named": log.written}
        out.append(replace(log, **more) if text else log)
    return out


def seeds_as_epochs(logs: Sequence[L]) -> tuple[list[L], list[Caveat]]:
    """Number runs that differ in their seed alone: they are repetitions of one model, and no models of their own.

    Sums have no answers that could be averaged item by item: of these the latest counts.
    """
    groups: dict[tuple[Any, ...], list[L]] = {}
    for log in logs:
        groups.setdefault(_but_for_seed(log), []).append(log)
    out, texts = dict[int, L](), dict[str, tuple[str, int]]()
    for group in groups.values():
        seeds = sorted({item.settings.get(SEED, "") for item in group}, key=lambda seed: (len(seed), seed))
        for log in group:
            place = seeds.index(log.settings.get(SEED, "")) + 1 if isinstance(log, Run) else 0
            rest = {name: value for name, value in log.settings.items() if name != SEED}
            out[id(log)] = replace(log, settings=rest, repetition=place)
        if isinstance(group[0], Run) and len(seeds) > texts.get(group[0].model, ("", 1))[1]:
            texts[group[0].model] = group[0].benchmark, len(seeds)
    notes = [
        Caveat("read-as", f"Runs of {model!r} with {count} seeds (such as on {benchmark!r}) differ in these"
               " alone: they are repeated answers of one model.")
        for model, (benchmark, count) in texts.items()
    ]  # fmt: skip
    return [out[id(item)] for item in logs], notes


def _but_for_seed(log: Log) -> tuple[Any, ...]:
    """Return what a run has in common with those of another seed."""
    settings = tuple(sorted((name, value) for name, value in log.settings.items() if name != SEED))
    return type(log), *_key(log), settings, tuple(sorted(log.task_settings.items()))


def latest(logs: Sequence[L]) -> tuple[list[L], list[Caveat]]:
    """Keep one run per model and benchmark: the latest of those that ended well, as its time or else its name tells."""
    best: dict[tuple[str, str, int], L] = {}
    left: dict[tuple[str, str, int], list[L]] = {}
    for entry in sorted(logs, key=lambda log: (not broken_off(log), log.when, log.source)):
        key = entry.model, entry.benchmark, entry.repetition
        if key in best:
            left.setdefault(key, []).append(best[key])
        best[key] = entry
    remaining = [item for item in logs if best[item.model, item.benchmark, item.repetition] is item]
    if not left:
        return remaining, []
    (model, benchmark, repetition), first = next(iter(left.items()))
    count = sum(map(len, left.values()))
    kept_of, left_of = best[model, benchmark, repetition].source, first[-1].source
    files = f"{kept_of} and not {left_of}, " if kept_of != left_of else ""
    earlier = "" if any(broken_off(item) for current in left.values() for item in current) else " earlier"
    which = "latest" if earlier else "latest that ended well"
    text = f"{count}{earlier} run(s) of the same model on the same benchmark are left out; the {which} counts (such as"
    text += f" {files}{model} on {benchmark})."
    return remaining, [Caveat("duplicates-settled", text)]


def broken_off(log: Log) -> bool:
    """Say whether a run did not end well."""
    return any(note.code == "runs-unfinished" for note in log.notes)


def without_items_twice(
    runs: Sequence[Run], totals: Sequence[Total], text: str | None
) -> tuple[list[Run], list[Total]]:
    """Keep one log of each run: its items, or the sums written beside them where only these have the metric asked for.

    Unasked, a run whose metrics have no number per item (perplexity) stays without, as long as others have items:
    one such benchmark would turn a test of items into one of means.
    """

    def tells(log: Run | Total) -> bool:
        return any(text is None or fits(name, text) for name in log.scores)

    options, there = {_key(item) for item in runs if tells(item)}, {_key(item) for item in runs}
    held = there if text is None and options else options
    sums = [total for total in totals if _key(total) not in held and (tells(total) or _key(total) not in there)]
    instead = {_key(total) for total in sums}
    return [item for item in runs if _key(item) not in instead], sums


def _key(log: Log) -> tuple[str, str, str]:
    return log.tool, log.model, log.benchmark


def chosen_metrics(logs: Iterable[Log], text: str | None) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Choose one metric for each benchmark, and name the others; a benchmark without the one asked for has none.

    Unasked it is the first that every run of the benchmark has, in the order of the log.
    """
    held: dict[str, list[list[str]]] = {}
    for log in logs:
        scores = getattr(log, "scores", {})
        held.setdefault(log.benchmark, []).append(list(scores))
    chosen, others = {}, {}
    for benchmark, lists in held.items():
        everywhere = [name for name in lists[0] if all(name in names for names in lists[1:])]
        known = list(dict.fromkeys([*everywhere, *(name for names in lists for name in names)]))
        texts = known[:1] if text is None else [name for name in known if fits(name, text)][:1]
        if texts:
            chosen[benchmark] = texts[0]
            others[benchmark] = tuple(name for name in known if name != texts[0])
    if not chosen:
        names = dict.fromkeys(name for lists in held.values() for names in lists for name in names)
        raise OptionError(
            f"There is no metric {text!r} in the logs.",
            why=f"Known here: {quoted(names, limit=12)}.",
            mend=f"Name one of them: {option(metric=next(iter(names), 'accuracy'))}.",
        )
    return chosen, others


def fits(name: str, text: str) -> bool:
    """Say whether a metric is the one asked for, which may leave out the filter and the scorer.

    Examples
    --------
    >>> fits("acc,none", "acc"), fits("acc_norm,none", "acc"), fits("judge/accuracy", "accuracy")
    (True, False, True)
    """
    current, wanted = name.lower(), text.lower()
    return wanted in (current, current.partition(",")[0], current.rpartition("/")[2])


class _Texts:
    """What items of a benchmark ask: the mark of each name, and the one name of each mark, "" where there are two."""

    def __init__(self) -> None:
        self.of_item: dict[str, str] = {}
        self.named: dict[str, str] = {}
        self.changed = self.found = 0

    def names_of(self, run: Run) -> Sequence[str]:
        """Return the names of items. One whose name is that of another text on the benchmark is called as its text was.

        Tools number items that have no names, after shuffling them: then only the text tells which is which. A text
        that nobody asked before, or that several items share, is another item.
        """
        if not len(run.digests):
            return run.items
        held: dict[str, str] = {}
        shared = {digest for item, digest in zip(run.items, run.digests, strict=True)
                  if held.setdefault(digest, item) != item}  # fmt: skip
        names = []
        for item, digest in zip(run.items, run.digests, strict=True):
            first = self.of_item.setdefault(item, digest)
            other = first != digest and bool(first) and bool(digest)
            known = None if digest in shared else self.named.get(digest)
            same = known if known and known != item else None
            self.found += same is not None
            self.changed += other and same is None
            names.append(same or (f"{item} @{digest[:8]}" if other else item))
        for name, digest in zip(names, run.digests, strict=True):
            if digest and self.named.setdefault(digest, name) != name:
                self.named[digest] = ""
        return names


def joined(
    runs: Sequence[Run], chosen: Mapping[str, str], prices: Mapping[str, Price], models: Sequence[str]
) -> tuple[dict[str, Any], list[Caveat]]:
    """Put runs into columns, by one metric each, ordered by benchmark, model, item and epoch."""
    benchmarks, notes = list(chosen), list[Caveat]()
    items, clusters = dict[str, int](), dict[str, int]()
    texts, last, parts = dict[str, _Texts](), dict[tuple[str, str], int](), list[dict[str, Any]]()
    for run in runs:
        metric = chosen[run.benchmark]
        score = np.asarray(run.scores[metric], dtype=np.float64)
        indices = np.flatnonzero(~np.isnan(score))
        if len(indices) < len(score):
            lost = f"{len(score) - len(indices)} answer(s) of {run.model} have no number for {metric!r}"
            notes.append(Caveat("rows-left-out", f"{run.source}: {lost} and are left out."))
        names = texts.setdefault(run.benchmark, _Texts()).names_of(run)
        of_cluster = [clusters.setdefault(cluster, len(clusters)) if cluster else -1 for cluster in run.clusters]
        epoch = np.asarray(run.epochs, dtype=np.int64)[indices] + last.get((run.model, run.benchmark), 0)
        last[run.model, run.benchmark] = int(epoch.max(initial=0))
        usage = {name: np.asarray(run.usage[name], dtype=np.float64)[indices] if name in run.usage
                 else np.full(len(indices), np.nan) for name in USAGE}  # fmt: skip
        if run.written in prices:
            usage["price"] = prices[run.written].dollars(usage)
        parts.append({
            "benchmark": np.full(len(indices), benchmarks.index(run.benchmark)),
            "model": np.full(len(indices), models.index(run.model)),
            "item": np.array([items.setdefault(text, len(items)) for text in names], dtype=np.int64)[indices],
            "cluster": np.array(of_cluster, dtype=np.int64)[indices] if of_cluster else np.full(len(indices), -1),
            "epoch": epoch, "score": score[indices], **usage,
        })  # fmt: skip
    held = {
        name: np.concatenate([np.empty(0, dtype), *(part[name] for part in parts)]) for name, dtype in _TYPES.items()
    }
    order = np.lexsort((held["epoch"], held["item"], held["model"], held["benchmark"]))
    columns = Arrays({name: column[order] for name, column in held.items()})
    for name, current in texts.items():
        for count, what in (
            (current.changed, "have the name of another and a different text: they are taken for two."),
            (current.found, "are named otherwise than in other logs: they were found by their text."),
        ):
            notes += [Caveat("items-differ", f"On {name!r} {count} item(s) {what}")] if count else []
    return {
        "items": tuple(items), "clusters": tuple(clusters), "codes": Arrays({name: columns[name] for name in KEYS}),
        "epoch": columns["epoch"], "score": columns["score"], "usage": Arrays({name: columns[name] for name in USAGE}),
    }, notes  # fmt: skip


_TYPES = {**dict.fromkeys((*KEYS, "epoch"), np.int64), **dict.fromkeys(("score", *USAGE), np.float64)}
