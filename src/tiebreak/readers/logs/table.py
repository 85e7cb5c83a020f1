"""Runs of models on benchmarks as a table of results: answers to items, else totals of models, else means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import FloatArray, IntArray
from tiebreak.caveats import Caveat, Caveats, distinct, few
from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.readers.logs.common import MISSING, Run
from tiebreak.readers.logs.prices import Price, prices_of, read_prices
from tiebreak.readers.logs.read import fits, runs_at, settled
from tiebreak.results import Metric, Results, metric_named
from tiebreak.results.cells import order_cells
from tiebreak.results.columns import Names, as_conditions, coded_integers, sorted_names
from tiebreak.results.items import FOLD, ITEM, ITEM_ROLES, SHARE, TOTAL
from tiebreak.results.roles import ROLES
from tiebreak.wording import option

SCORE = "score"
COSTS = {
    "price": ("price", "total_cost", "cost", "costs", "usd", "total_cost_usd", "cost_usd", "dollars"),
    "tokens_in": ("input_tokens",),
    "tokens_out": ("output_tokens",),
    "seconds": ("seconds", "seconds_per_case", "time", "latency", "duration", "runtime", "total_time", "time_s"),
}
"""What a table calls the costs of an answer: dollars, tokens and seconds; and the other names that people have."""
_TAKEN = (*ROLES, *ITEM_ROLES, SHARE, *(names[0] for names in COSTS.values()))
_SHOWN = 3
Columns = dict[str, npt.NDArray[Any]]


def read_logs(
    paths: Sequence[Any],
    *,
    scores: Sequence[str] | None = None,
    also: Sequence[str] | None = (),
    metric: str | None = None,
    prices: str | Path | None = None,
    where: str | Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    elsewhere: bool = False,
) -> Results:
    r"""Read logs of evaluations of language models as their tools wrote them: files, a folder, or several of both.

    Read are Inspect (.eval, .json), lm-evaluation-harness (samples_*.jsonl, results_*.json), promptfoo (output.json,
    .jsonl), SWE-bench (reports of runs, of instances and of submissions), Aider (leaderboards in YAML), HELM
    (per_instance_stats.json) and OpenAI evals (.jsonl). Files are told by what they hold.

    An answer that the tool counts as failed counts as failed, one that it leaves out is left out; caveats say which.
    Of several runs of a model on a benchmark with the same settings the latest counts; settings that differ become
    part of the name. Repeated answers within a run are epochs, and so are those of runs that differ in their seed.
    Costs are those of one answer.

    Parameters
    ----------
    paths : sequence of str or Path
        Files, or folders that are searched for logs.
    scores : sequence of str, optional
        The metric to take, or a name for the one that is taken by default.
    also : sequence of str, optional
        The costs to read; None reads all, and so does naming neither scores nor costs.
    metric : str, optional
        The metric to take; by default the first of each benchmark that all its runs have. The part before a comma,
        which names a filter of lm-evaluation-harness, is enough.
    prices : str or Path, optional
        A csv of dollars per million tokens: columns model or pattern, input, output and optionally cached and
        reasoning; or the JSON of LiteLLM or OpenRouter, in dollars per token. By default the price is what the log
        says, if anything.
    where : str or sequence of str, optional
        Conditions that a row must meet.
    datasets : sequence of str, optional
        Read these benchmarks alone, as long as all of them are there; only they decide whether there are items to
        compare, and a common scale.
    elsewhere : bool, default False
        Whether costs that the logs lack may stand in another file.

    Returns
    -------
    Results

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for model, good in (("large", [1, 2, 3]), ("small", [2])):
    ...     names = [f"django__django-{i}" for i in (1, 2, 3, 4)]
    ...     report = {"submitted_ids": names, "resolved_ids": [names[i] for i in good]}
    ...     _ = (folder / f"{model}.run1.json").write_text(json.dumps(report))
    >>> result = read_logs([folder])
    >>> result.algorithms, result.datasets, result.unit, result.means("resolved").tolist()
    (('large', 'small'), ('SWE-bench',), 'item', [[0.75, 0.25]])
    """
    if scores is not None and len(scores) > 1:
        raise OptionError(
            f"{len(scores)} scores were named for logs of evaluations: {quoted(scores)}.",
            mend=f"Name one: {option(metric=scores[0])}.",
        )
    logs, notes = runs_at([Path(path) for path in paths])
    name = scores[0] if scores else None
    if metric is None and any(fits(known, name) for run in logs for known in run.scores if name):
        metric = name
    runs, inferred = settled(logs, metric)
    if datasets is not None and set(datasets) <= {run.benchmark for run in runs}:
        runs = [run for run in runs if run.benchmark in datasets]
    chosen, others = chosen_metrics(runs, metric)
    sums = [run for run in logs if not run.items]
    lacking = sorted({run.benchmark for run in runs} - set(chosen))
    notes += [*inferred, *_lacking(lacking, sums, metric), *([] if metric else _other_metrics(chosen, others))]
    runs = [run for run in runs if chosen.get(run.benchmark) in run.scores]
    notes += [note for run in runs for note in run.notes]
    runs = runs if prices is None else _priced(runs, prices)
    every = None if also is None or (scores is None and not also) else also
    return _table(runs, chosen, name, every, elsewhere=elsewhere, notes=notes).where(*as_conditions(where))


def chosen_metrics(runs: Sequence[Run], text: str | None) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Choose one metric for each benchmark, and name the others; a benchmark without the one asked for has none.

    Unasked it is the first that every run of the benchmark has, in the order of the log.
    """
    held: dict[str, list[list[str]]] = {}
    for run in runs:
        held.setdefault(run.benchmark, []).append(list(run.scores))
    chosen, others = {}, {}
    for benchmark, lists in sorted(held.items()):
        everywhere = [name for name in lists[0] if all(name in names for names in lists[1:])]
        known = list(dict.fromkeys([*everywhere, *(name for names in lists for name in names)]))
        names = known if text is None else [name for name in known if fits(name, text)]
        if names:
            chosen[benchmark] = names[0]
            others[benchmark] = tuple(name for name in known if name != names[0])
    if not chosen:
        names = list(dict.fromkeys(name for run in runs for name in run.scores))
        raise OptionError(
            f"There is no metric {text!r} in the logs.",
            why=f"Known here: {quoted(names, limit=12)}.",
            mend=f"Name one of them: {option(metric=names[0] if names else 'accuracy')}.",
        )
    return chosen, others


def _lacking(names: Sequence[str], sums: Sequence[Run], text: str | None) -> list[Caveat]:
    """Say which benchmarks lack what was asked for, or anything with a number per item."""
    if not names:
        return []
    has, are = ("has", "is") if len(names) == 1 else ("have", "are")
    what = "metric with a number per item" if text is None else f"metric {text!r}"
    held = next((name for run in sums if run.benchmark in names for name in run.scores), None)
    more = "" if text or held is None else f" Means of whole runs are compared by {option(metric=held)}."
    return [Caveat("read-as", f"{quoted(names, limit=_SHOWN)} {has} no {what} and {are} left out.{more}")]


def _other_metrics(chosen: Mapping[str, str], others: Mapping[str, tuple[str, ...]]) -> list[Caveat]:
    """Say what was taken where there was a choice."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name, metric in chosen.items():
        if others[name]:
            groups.setdefault((metric, others[name]), []).append(name)
    return [
        Caveat("read-as", f"On {quoted(names, limit=_SHOWN)} the metric is {metric!r}; there"
               f" {'is' if len(rest) == 1 else 'are'} also {quoted(rest, limit=5)}: {option(metric=rest[0])}.")
        for (metric, rest), names in groups.items()
    ]  # fmt: skip


def _priced(runs: Sequence[Run], path: str | Path) -> list[Run]:
    """Put the tokens of every run in dollars."""
    has_tokens = [np.any(np.asarray(run.usage.get("tokens_in", ())) >= 0) for run in runs]
    models = {run.named or run.model for run, has in zip(runs, has_tokens, strict=True) if has}
    if not models:
        raise OptionError(
            f"{option(prices=str(path))} was given, but no log holds tokens.",
            mend="Leave it out, or read logs with token usage.",
        )
    prices: Mapping[str, Price] = prices_of(sorted(models), read_prices(path), Path(path).name)
    return [
        replace(run, usage={**run.usage, "price": prices[run.named or run.model].dollars(run.usage)}) if has else run
        for run, has in zip(runs, has_tokens, strict=True)
    ]


# ---- items


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

    def notes(self, benchmark: str) -> list[Caveat]:
        """Say how many items were not what their names say."""
        texts = (
            (self.changed, "have the name of another and a different text: they are taken for two."),
            (self.found, "are named otherwise than in other logs: they were found by their text."),
        )
        return [Caveat("items-differ", f"On {benchmark!r} {n} item(s) {what}") for n, what in texts if n]


class _Answers:
    """The answers to items of all runs, as columns: benchmark, model, item and cluster are numbers of names."""

    def __init__(self, runs: Sequence[Run], chosen: Mapping[str, str], models: Sequence[str]) -> None:
        self.items: dict[str, int] = {}
        self.clusters: dict[tuple[int, int], str] = {}
        self.notes: list[Caveat] = []
        texts, last, parts = {name: _Texts() for name in chosen}, dict[tuple[str, str], int](), list[Columns]()
        for run in runs:
            score = np.asarray(run.scores[chosen[run.benchmark]], dtype=np.float64)
            rows = np.flatnonzero(~np.isnan(score))
            if lost := len(score) - len(rows):
                text = f"{run.source}: {lost} answer(s) of {run.model} have no number for {chosen[run.benchmark]!r}"
                self.notes.append(Caveat("rows-left-out", f"{text} and are left out."))
            names, benchmark = texts[run.benchmark].names_of(run), list(chosen).index(run.benchmark)
            item = [self.items.setdefault(name, len(self.items)) for name in names]
            for code, cluster in zip(item, run.clusters, strict=False):
                if cluster:
                    self.clusters.setdefault((benchmark, code), cluster)
            epoch = np.asarray(run.epochs, dtype=np.int64)[rows] + last.get((run.model, run.benchmark), 0)
            last[run.model, run.benchmark] = int(epoch.max(initial=0))
            unknown = np.full(len(score), MISSING)
            parts.append({
                "benchmark": np.full(len(rows), benchmark), "model": np.full(len(rows), models.index(run.model)),
                "item": np.array(item, dtype=np.int64)[rows], "epoch": epoch, SCORE: score[rows],
                **{name: np.asarray(run.usage.get(name, unknown), dtype=np.float64)[rows] for name in COSTS},
            })  # fmt: skip
        empty = dict.fromkeys((*_KEYS, "epoch"), np.empty(0, np.int64)) | dict.fromkeys((SCORE, *COSTS), np.empty(0))
        self.columns: Columns = {name: np.concatenate([e, *(p[name] for p in parts)]) for name, e in empty.items()}
        self.notes += [note for name, asked in texts.items() for note in asked.notes(name)]

    def means(self, n_models: int) -> Columns:
        """Average over the epochs of each item, then over the items, for every benchmark and model."""
        columns = self.columns
        cell = columns["benchmark"] * n_models + columns["model"]
        _, first, item = np.unique(
            cell * (len(self.items) + 1) + columns["item"], return_index=True, return_inverse=True
        )
        cells, place, n = np.unique(cell[first], return_inverse=True, return_counts=True)
        means = {name: _mean(_mean(columns[name], item), place) for name in (SCORE, *COSTS)}
        return {"benchmark": cells // n_models, "model": cells % n_models, "n": n, **means}

    def cluster_names(self, benchmarks: Sequence[str]) -> Names | None:
        """Name the cluster of every answer; an item without one among others that have one is its own."""
        if not self.clusters:
            return None
        width, names = len(self.items), list(self.items)
        keys, codes = np.unique(self.columns["benchmark"] * width + self.columns["item"], return_inverse=True)
        places = [divmod(key, width) for key in keys.tolist()]
        held = Names.of(self.clusters.get(at) or f"{benchmarks[at[0]]}: {names[at[1]]}" for at in places)
        return Names(codes=held.codes[codes], names=held.names)


_KEYS = ("benchmark", "model", "item")


def _mean(values: FloatArray, place: IntArray) -> FloatArray:
    """Average values by place, those that are known; NaN where none is."""
    known = ~np.isnan(values)
    count = int(place.max(initial=-1)) + 1
    sums = np.bincount(place[known], weights=values[known], minlength=count)
    there = np.bincount(place[known], minlength=count)
    out: FloatArray = np.divide(sums, there, out=np.full(count, np.nan), where=there > 0)
    return out


# ---- the table


def _table(
    runs: Sequence[Run],
    chosen: Mapping[str, str],
    name: str | None,
    wanted: Sequence[str] | None,
    *,
    elsewhere: bool,
    notes: Sequence[Caveat],
) -> Results:
    """Make a table of items where all runs have them, else of totals, else of means.

    Totals need the number of items of every run and shares that are better when higher. Items are dropped where only
    some runs have them, or where benchmarks are not on one scale.
    """
    benchmarks, models = list(chosen), sorted({run.model for run in runs})
    sums = [run for run in runs if not run.items]
    answers = _Answers([run for run in runs if run.items], chosen, models)
    means = _with_sums(answers.means(len(models)), sums, chosen, models)
    if not len(means[SCORE]):
        raise InputError("No answer in the logs has a score.", mend=f"Name another metric: {option(metric=...)}.")
    metrics = [
        Metric(name=metric.removesuffix(",none"), higher_is_better=_way(benchmark, metric, runs))
        for benchmark, metric in chosen.items()
    ]
    one = len({metric.name for metric in metrics}) == 1
    score = name or (metrics[0].name if one else SCORE)
    score = SCORE if score in _TAKEN else score
    shares = bool(((means[SCORE] >= 0) & (means[SCORE] <= 1)).all())
    alike = len({metric.higher_is_better for metric in metrics}) == 1 and (one or shares)
    metric = replace(metric_named(score), higher_is_better=metrics[0].higher_is_better)
    metric = metric_named(score) if metric.higher_is_better is None else metric
    countable = shares and metric.higher_is_better and bool((means["n"] > 0).all())
    unit = FOLD if not alike else ITEM if not sums else TOTAL if countable else FOLD
    columns = answers.columns if unit == ITEM else means
    costs = _costs(columns, wanted, elsewhere=elsewhere)
    values = {score: columns[SCORE], **({"n": columns["n"].astype(float)} if unit == TOTAL else {}), **costs}
    level = _level(unit, len(means[SCORE]), len(sums), benchmarks)
    paid = [Caveat("read-as", "Prices, tokens and seconds of the logs are means of one answer.")] if costs else []
    cells = order_cells(
        _keys(columns, benchmarks, models, list(answers.items) if unit == ITEM else None),
        values,
        clusters=answers.cluster_names(benchmarks) if unit == ITEM else None,
        unit=unit,
    )
    results = Results.from_cells(replace(cells, notes=(*_few([*level, *notes, *answers.notes]), *paid)))
    if not alike:  # each data set has its own
        return replace(results, dataset_metrics=tuple(metrics))
    directed = replace(results.metric(score), higher_is_better=metric.higher_is_better)
    return replace(results, metrics=tuple(directed if item.name == score else item for item in results.metrics))


def _few(notes: Sequence[Caveat]) -> list[Caveat]:
    """Keep the first notes of each kind, and count the rest."""
    kinds: dict[str, list[Caveat]] = {}
    for note in distinct(notes):
        kinds.setdefault(note.code, []).append(note)
    return [note for kind in kinds.values() for note in few(kind, _SHOWN)]


def _keys(
    columns: Columns, benchmarks: Sequence[str], models: Sequence[str], items: Sequence[str] | None
) -> dict[str, Names]:
    """Return the keys of the table: a row is an answer to one of the items, or a whole run."""
    everywhere = np.ones(len(columns[SCORE]), dtype=bool)
    names = {"dataset": ("benchmark", benchmarks), "algorithm": ("model", models)}
    if items is not None:
        names["fold"] = "item", items
    keys = {role: sorted_names(columns[key], texts).take(everywhere) for role, (key, texts) in names.items()}
    if items is not None:
        return keys | {"replication": coded_integers(columns["epoch"])}
    return keys | dict.fromkeys(("replication", "fold"), Names.of("1" for _ in everywhere))


def _with_sums(means: Columns, sums: Sequence[Run], chosen: Mapping[str, str], models: Sequence[str]) -> Columns:
    """Add the runs of which only sums are known."""
    more: dict[str, list[Any]] = {
        "benchmark": [list(chosen).index(run.benchmark) for run in sums],
        "model": [models.index(run.model) for run in sums],
        "n": [run.n or 0 for run in sums],
        SCORE: [run.scores[chosen[run.benchmark]][0] for run in sums],
        **{name: [run.usage.get(name, (MISSING,))[0] for run in sums] for name in COSTS},
    }
    return {name: np.concatenate([column, np.array(more[name], dtype=column.dtype)]) for name, column in means.items()}


def _way(benchmark: str, metric: str, runs: Sequence[Run]) -> bool | None:
    """Return which way is better: as the logs say, else as the name of the metric does."""
    flags = {run.higher[metric] for run in runs if run.benchmark == benchmark and metric in run.higher}
    if flags:
        return flags.pop() if len(flags) == 1 else None
    return metric_named(metric.partition(",")[0]).higher_is_better


def _costs(columns: Columns, wanted: Sequence[str] | None, *, elsewhere: bool) -> Columns:
    """Return the costs that were asked for, all for None, under the names by which they were."""
    known = {
        next((name for name in wanted or () if name in names), names[0]): columns[key]
        for key, names in COSTS.items()
        if not np.isnan(columns[key]).all()
    }
    lacking = [] if elsewhere else [name for name in wanted or () if name not in known]
    if "price" in lacking and {"input_tokens", "output_tokens"} & set(known):
        raise InputError(
            "The logs hold no price.",
            mend=f"Give a table of dollars per million tokens (model,input,output): {option(prices='prices.csv')}.",
        )
    if lacking:
        mend = f"A file with costs is given by {option(costs=...)}."
        raise unknown_name("cost", lacking[0], list(known), mend=mend)
    return {name: column for name, column in known.items() if wanted is None or name in wanted}


def _level(unit: str, n_runs: int, n_sums: int, benchmarks: Sequence[str]) -> Caveats:
    """Say what of the logs is compared, where it is not their items."""
    if unit == ITEM:
        return ()
    items = n_runs - n_sums
    some = f"{items} of {n_runs} runs have items, the others only sums: " if items and n_sums else ""
    if unit == TOTAL:
        text = "models are compared by their totals, which says less than the same items would." if some else ""
    elif len(benchmarks) == 1:
        text = f"one mean per model of one benchmark, {benchmarks[0]!r}, cannot be tested, and an order is"
        text += " that of cost alone, whatever the scores."
    else:
        text = "benchmarks are compared by their means, not by items." if items else ""
    sentence = f"{some}{text}"
    return (Caveat("no-items", sentence[0].upper() + sentence[1:]),) if text else ()
