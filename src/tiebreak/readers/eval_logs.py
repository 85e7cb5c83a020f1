"""Logs of evaluations as a table of results: answers to items, else totals of models, else means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.results import Metric, Results, metric_named
from tiebreak.results.cells import Cells, order_cells
from tiebreak.results.columns import Arrays, Names, as_conditions, coded_integers, sorted_names
from tiebreak.results.items import FOLD, ITEM, ITEM_ROLES, SHARE, TOTAL
from tiebreak.results.roles import ROLES
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.readers.logs import EvalRuns

SCORE = "score"
COSTS = {"price": "price", "tokens_in": "input_tokens", "tokens_out": "output_tokens", "seconds": "seconds"}
"""What a table calls the costs of a run: dollars, tokens and seconds."""
_TAKEN = (*ROLES, *ITEM_ROLES, SHARE, *COSTS.values())


def read_logs(
    paths: Sequence[Any],
    *,
    scores: Sequence[str] | None = None,
    also: Sequence[str] | None = (),
    metric: str | None = None,
    prices: str | Path | None = None,
    where: str | Sequence[str] | None = None,
    told: Mapping[str, Any] | None = None,
    elsewhere: bool = False,
    datasets: Sequence[str] | None = None,
) -> Results:
    """Read logs as a table; a score that no metric is called by names the one that is taken.

    Only the benchmarks that are asked for decide whether there are items to compare, and a common scale. A cost that
    is not in the logs is refused, unless it may stand `elsewhere`.
    """
    _refuse(told or {})
    runs, name = _runs(paths, scores, metric, prices=prices, benchmarks=datasets)
    results = results_of(runs, score=name)
    held = [item.name for item in results.metrics]
    options = [text for text in also or () if text not in held]
    names = {  # a cost is called as it was asked for, where that is another name of it
        ours: next((text for text in options if text in others and ours not in (also or ())), ours)
        for ours, others in _SAME.items()
        if ours in held
    }
    wanted = set(held)
    if scores is not None or also:
        count = {"n"} if results.unit == TOTAL else set()
        wanted = {results.scores[0], *count, *(results.costs if also is None else also)}
    remaining = [item for item in results.metrics if {item.name, names.get(item.name)} & wanted]
    values = {names.get(item.name, item.name): results.values[item.name] for item in remaining}
    metrics = tuple(replace(item, name=names.get(item.name, item.name)) for item in remaining)
    if not elsewhere:
        _check_costs([*dict.fromkeys([*results.costs, *names.values()])], also or ())
    results = replace(results, metrics=metrics, values=Arrays(values))
    return replace(results, caveats=(*results.caveats, *_priced(results))).where(*as_conditions(where))


def _runs(
    paths: Sequence[Any], scores: Sequence[str] | None, metric: str | None, **options: Any
) -> tuple[EvalRuns, str | None]:
    """Read the metric that was asked for; a score that is none names the one that is taken."""
    from tiebreak.readers.logs import read_runs

    if scores is not None and len(scores) > 1:
        raise OptionError(
            f"{len(scores)} scores were named for logs of evaluations: {quoted(scores)}.",
            why="One metric is taken from them at a time.",
            mend=f"Name one: {option(metric=scores[0])}.",
        )
    score = scores[0] if scores else None
    try:
        return read_runs(paths, metric=metric or score, **options), score
    except OptionError:
        if metric is not None or score is None:
            raise
        return read_runs(paths, **options), score


def results_of(runs: EvalRuns, *, score: str | None = None) -> Results:
    """Make a table of results: of items where all runs have them, else of totals, else of means.

    Totals need the number of items of every run and shares that are better when higher. Items are dropped where only
    some runs have them, or where benchmarks are not on one scale.
    """
    metrics = {name: runs.metrics[name].removesuffix(",none") for name in runs.benchmarks}
    one = len(set(metrics.values())) == 1
    name = score or (next(iter(metrics.values())) if one else SCORE)
    name = SCORE if name in _TAKEN else name
    unit = _unit(runs, name, one_metric=one)
    cells = _answers(runs, name) if unit == ITEM else _sums(runs, unit, name)
    results = Results.from_cells(replace(cells, notes=(*_level(runs, unit), *runs.caveats)))
    return _directed(results, runs, metrics, name)


def _unit(runs: EvalRuns, name: str, *, one_metric: bool) -> str:
    """Say what a row of the table is to be."""
    ways = set(runs.higher_is_better.values())
    rows = runs.summaries()
    shares = all(0 <= row.score <= 1 for row in rows)
    if len(ways) > 1 or not (one_metric or shares):
        return FOLD
    if not runs.totals:
        return ITEM
    way = ways.pop()
    upward = metric_named(name).higher_is_better if way is None else way
    return TOTAL if upward and shares and all(row.n for row in rows) else FOLD


def _answers(runs: EvalRuns, score: str) -> Cells:
    """Return a cell for each answer to an item; costs that no log holds are left out."""
    every = np.ones(len(runs.score), dtype=bool)
    parts = {
        "dataset": ("benchmark", runs.benchmarks),
        "algorithm": ("model", runs.models),
        "fold": ("item", runs.items),
    }
    keys = {role: sorted_names(runs.codes[key], names).take(every) for role, (key, names) in parts.items()}
    keys["replication"] = coded_integers(runs.epoch)
    values = {score: runs.score, **{cost: runs.usage[key] for key, cost in COSTS.items()}}
    return order_cells(keys, _known(values), clusters=_clusters(runs) if runs.clusters else None, unit=ITEM)


def _sums(runs: EvalRuns, unit: str, score: str) -> Cells:
    """Return a cell for each run: its total or its mean.

    Costs are those of one answer; beside means, prices and tokens are those of answering every item once.
    """
    rows = [summary for summary in runs.summaries() if summary.n or unit == FOLD]
    keys = {"dataset": Names.of(row.benchmark for row in rows), "algorithm": Names.of(row.model for row in rows)}
    keys |= dict.fromkeys(("replication", "fold"), Names.of("1" for _ in rows))
    columns = {score: [row.score for row in rows], **({"n": [row.n for row in rows]} if unit == TOTAL else {})}
    for key, cost in COSTS.items():
        shared = unit == TOTAL and key != "seconds"
        columns[cost] = [getattr(row, key) / ((shared and row.n) or 1) for row in rows]
    values = {name: np.array(column, dtype=np.float64) for name, column in columns.items()}
    return order_cells(keys, _known(values), unit=unit)


def _known(values: dict[str, FloatArray]) -> dict[str, FloatArray]:
    return {name: column for name, column in values.items() if not np.isnan(column).all()}


def _clusters(runs: EvalRuns) -> Names:
    """Name the cluster of every answer: where the log of one model knows none, that of another does.

    An item without a cluster among others that have one is a cluster of its own.
    """
    count, cluster = len(runs.items), runs.codes["cluster"]
    item = runs.codes["benchmark"] * count + runs.codes["item"]
    known = np.full(len(runs.benchmarks) * count, -1, dtype=np.int64)
    known[item[cluster >= 0]] = cluster[cluster >= 0]
    codes = np.where(cluster >= 0, cluster, known[item])
    alone, place = np.unique(item[codes < 0], return_inverse=True)
    codes[codes < 0] = len(runs.clusters) + place
    names = [f"{runs.benchmarks[key // count]}: {runs.items[key % count]}" for key in alone.tolist()]
    return sorted_names(codes, [*runs.clusters, *names])


def _level(runs: EvalRuns, unit: str) -> Caveats:
    """Say what of the logs is compared, where it is not their items."""
    if unit == ITEM:
        return ()
    rows = runs.summaries()
    items = sum(summary.from_items for summary in rows)
    some = f"{items} of {len(rows)} runs have items, the others only sums: " if items and runs.totals else ""
    if unit == TOTAL:
        text = "models are compared by their totals, which says less than the same items would." if some else ""
    elif len(runs.benchmarks) == 1:
        text = f"one mean per model of one benchmark, {runs.benchmarks[0]!r}, cannot be tested, and an order is"
        text += " that of cost alone, whatever the scores."
    else:
        text = "benchmarks are compared by their means, not by items." if items else ""
    sentence = f"{some}{text}"
    return (Caveat("no-items", sentence[0].upper() + sentence[1:]),) if text else ()


def _priced(results: Results) -> Caveats:
    """Say what costs are of."""
    if not set(COSTS.values()) & set(results.costs):
        return ()
    if results.unit == FOLD:
        text = "Prices and tokens of the logs are those of answering every item once, seconds those of one answer."
    else:
        text = "Prices, tokens and seconds of the logs are means of one answer."
    return (Caveat("read-as", text),)


def _directed(results: Results, runs: EvalRuns, metrics: Mapping[str, str], name: str) -> Results:
    """Give the score the direction that the logs tell; where metrics differ in it, each data set has its own."""
    ways = set(runs.higher_is_better.values())
    shares = all(0 <= summary.score <= 1 for summary in runs.summaries())
    if len(ways) == 1 and (len(set(metrics.values())) == 1 or shares):
        way = ways.pop()
        held = [
            replace(metric, higher_is_better=way) if metric.name == name and way is not None else metric
            for metric in results.metrics
        ]
        return replace(results, metrics=tuple(held))
    current = tuple(
        Metric(name=metrics[dataset], higher_is_better=runs.higher_is_better[dataset]) for dataset in results.datasets
    )
    return replace(results, dataset_metrics=current)


_SAME = {
    "price": ("total_cost", "cost", "costs", "usd", "total_cost_usd", "cost_usd", "dollars"),
    "seconds": ("seconds_per_case", "time", "latency", "duration", "runtime", "total_time", "time_s"),
}
"""The names that logs themselves, and people, have for the costs that are read of them."""


def _check_costs(held: Sequence[str], texts: Sequence[str]) -> None:
    """Refuse a cost that no log holds; a price can be made of tokens."""
    lacking = [name for name in texts if name not in held]
    if "price" in lacking:
        tokens = bool({"input_tokens", "output_tokens"} & set(held))
        raise InputError(
            "The logs hold no price.",
            why="They hold tokens, which cost what your provider asks." if tokens else "They hold no tokens either.",
            mend=f"Give a table of dollars per million tokens (model,input,output): {option(prices='prices.csv')}."
            if tokens
            else f"Name another cost ({quoted(held)}), or a file with costs: {option(costs=...)}."
            if held
            else f"Give a file with costs: {option(costs=...)}.",
        )
    if lacking:
        raise unknown_name("cost", lacking[0], held, mend="These are the costs that the logs hold.")


def _refuse(options: Mapping[str, Any]) -> None:
    """Refuse options that say how to understand a table."""
    given = [name for name, value in options.items() if value not in (None, False, {}, [])]
    if given:
        raise OptionError(
            f"{option(**{given[0]: options[given[0]]})} was given with logs of evaluations.",
            why="It says how to understand a table; logs say themselves what they hold.",
            mend="Leave it out.",
        )
