"""What is judged, by what is known of the two: answers to items, totals of them, or scores over data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveat, Caveats, codes_of
from tiebreak.comparison.on_items import ScoreUnit, check_enough, totals_of
from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.evals.gate.judging import PASS, Judgement, judge_datasets, judge_items, judge_totals
from tiebreak.evals.gate.result import DATASETS, ITEMS, TOTALS, GateCost
from tiebreak.results import Metric, Results
from tiebreak.results.items import ITEM, ItemTable, ignoring_clusters, item_table
from tiebreak.wording import option

FEW_UNITS = 20
LEFT_OUT, WRONG = "left-out", "wrong"
"""What becomes of items that only the base answered."""


def on_items(
    results: Results,
    metric: Metric,
    names: tuple[str, str],
    options: dict[str, Any],
    bound: float | None,
    *,
    anytime: bool,
) -> dict[str, Any]:
    """Judge by the items that both answered."""
    table = item_table(results, metric.name)
    places = [table.algorithms.index(name) for name in names]
    base, values = (table.scores[:, place] for place in places)
    _check_matched(table, base, values, names)
    check_enough(table)
    if anytime and not table.in_unit_range and bound == 1.0:
        bound = None
    if anytime and bound is None:
        raise OptionError(
            f"Values of {metric.name} do not lie between 0 and 1.",
            why="An anytime verdict needs the largest difference that the score allows.",
            mend=f"Give it: {option(bound=100)} for scores between 0 and 100.",
        )
    lacking = ~np.isnan(base) & np.isnan(values)
    shares = bool(metric.higher_is_better) and table.in_unit_range
    if options["unanswered"] == WRONG:
        values = _as_wrong(values, lacking, metric, shares=shares)
    common = ~(np.isnan(base) | np.isnan(values))
    _check_margin(options["margin"], metric, base[common], in_unit_range=table.in_unit_range)
    strata = table.strata if len(table.benchmarks) > 1 else None
    settings: dict[str, Any] = {"clusters": table.clusters, "strata": strata, "upward": bool(metric.higher_is_better)}
    settings |= {"bound": bound, "names": names, **_numbers(options)}
    judged = judge_items(base, values, **settings)
    unanswered = _unanswered(judged, base, values, lacking, names, settings) if shares else ()
    codes, count = table.strata[common], len(table.benchmarks)
    n = np.bincount(codes, minlength=count)
    means = [np.bincount(codes, weights=row[common], minlength=count) / n for row in (base, values)]
    labels = np.array(table.items, dtype=object)
    return {
        "judged": judged,
        "on": ITEMS,
        "points": ScoreUnit.of(metric, table).points,
        "datasets": table.benchmarks,
        "scores": tuple(zip(*(mean.tolist() for mean in means), strict=True)),
        "n_per_dataset": tuple(n.tolist()),
        "only_base": tuple(map(str, labels[~np.isnan(base) & np.isnan(values)])),
        "only_candidate": tuple(map(str, labels[np.isnan(base) & ~np.isnan(values)])),
        "caveats": (
            *_of_table(table.caveats, unanswered),
            *unanswered,
            *_item_notes(judged, base[common], values[common], anytime=anytime, several=count > 1),
        ),
    }


def _of_table(caveats: Caveats, unanswered: Caveats) -> Caveats:
    """Leave out that a pair is compared on what both answered, where what one lacks was counted as wrong."""
    counted = "unanswered-wrong" in codes_of(unanswered)
    return tuple(note for note in caveats if not (counted and note.code == "answers-missing"))


def _as_wrong(values: FloatArray, lacking: BoolArray, metric: Metric, *, shares: bool) -> FloatArray:
    """Count answers that the candidate lacks as wrong; only a score of 0 to 1 says what wrong is."""
    if not shares:
        raise OptionError(
            f"Answers that are missing were to count as wrong, and {metric.name} is no share of right answers.",
            mend=f"Leave it out, or write a score for them; {option(unanswered=LEFT_OUT)} leaves such items out.",
        )
    return np.where(lacking, 0.0, values)


def _unanswered(
    judged: Judgement,
    base: FloatArray,
    values: FloatArray,
    lacking: BoolArray,
    names: tuple[str, str],
    options: Mapping[str, Any],
) -> Caveats:
    """Say what becomes of items that only the base answered: a suite that breaks off on the hard ones must not pass."""
    count = int(lacking.sum())
    items = f"{count:,} item{'' if count == 1 else 's'} that {names[0]} answered"
    if count and not np.isnan(values[lacking]).any():
        return (Caveat("unanswered-wrong", f"{names[1]} has no answer to {items}, which count as wrong, as told."),)
    if not count or judged.verdict != PASS:
        return ()
    worst = judge_items(base, np.where(lacking, 0.0, values), **{**options, "power": None}).verdict
    if worst == PASS:
        return ()
    text = (
        f"{names[1]} has no answer to {items}. Were they wrong, the verdict would be {worst!r}: see why they are"
        f" missing, or count them so: {option(unanswered=WRONG)}."
    )
    return (Caveat("missing-would-decide", text),)


def _numbers(options: dict[str, Any]) -> dict[str, Any]:
    margin: Margin = options["margin"]
    return {"margin": margin.size, "relative": margin.relative, "alpha": options["alpha"], "power": options["power"]}


def _check_margin(margin: Margin, metric: Metric, base: FloatArray, *, in_unit_range: bool) -> None:
    """Refuse a margin that nothing could miss, as where points were meant, and one that is a share of nothing."""
    if margin.relative and not base.mean():
        raise InputError(
            f"The margin is {margin} of the {metric.name} of the base, which is 0.",
            why="A share of nothing leaves no margin.",
            mend=f"Give it in units of the score: {option(margin=0.01)}.",
        )
    if in_unit_range and margin.relative and metric.higher_is_better and margin.size >= 1.0:
        raise OptionError(
            f"The margin is {margin} of the {metric.name} of the base.",
            mend=f"Use a share of it, such as {option(margin='1%')}.",
        )
    if in_unit_range and not margin.relative and margin.size >= 1.0:
        raise OptionError(
            f"The margin is {margin.size:g}, and scores lie between 0 and 1.",
            mend=f"For {margin.size:g} points of a hundred use {option(margin=margin.size / 100)}.",
        )


def _check_matched(table: ItemTable, base: FloatArray, rows: FloatArray, names: tuple[str, str]) -> None:
    """Refuse sides that share no item, with names of both so that one sees why."""
    if bool((~np.isnan(base) & ~np.isnan(rows)).any()):
        return
    labels = np.array(table.items, dtype=object)
    for name, values in zip(names, (base, rows), strict=True):
        if bool(np.isnan(values).all()):
            raise InputError(
                f"{name!r} has no answer: every {table.metric.name} of it is missing.",
                mend="Check how it ran, and the column of its scores.",
            )
    shown = [quoted([*map(str, labels[~np.isnan(row)][:3])]) for row in (base, rows)]
    raise InputError(
        f"{names[0]!r} and {names[1]!r} have no item in common: {shown[0]} are items of the one,"
        f" {shown[1]} of the other.",
        mend=f"Name items alike in both, or name the column that does: {option(columns={'item': 'item'})}.",
    )


def _item_notes(judged: Judgement, base: FloatArray, values: FloatArray, *, anytime: bool, several: bool) -> Caveats:
    """Say what a reader of the verdict alone would get wrong."""
    notes = []
    if bool((base == values).all()):
        notes.append(Caveat("no-difference", f"The two score the same on all {len(base):,} items."))
    if judged.clustered and judged.n_units < FEW_UNITS:
        text = f"{judged.n_units} clusters are few: much would have to be the same in all of them to be shown."
        one = (
            "All items are of one cluster: nothing tells how much clusters vary, so that no verdict is possible, with"
            " however many items. Add items of other clusters, or, to ask of further items of this one alone, ignore"
            f" clusters: {ignoring_clusters()}."
        )
        notes.append(Caveat("one-cluster", one) if judged.n_units == 1 else Caveat("few-clusters", text))
    if anytime and several:
        text = "The verdict holds at every look only if the benchmarks have the same shares of the items at each."
        notes.append(Caveat("anytime-limits", text))
    return tuple(notes)


def by_totals(results: Results, metric: Metric, names: tuple[str, str], options: dict[str, Any]) -> dict[str, Any]:
    """Judge by totals of one benchmark."""
    passed, n = totals_of(results, metric)
    places = [results.algorithms.index(name) for name in names]
    held, of = ([float(values[place]) for place in places] for values in (passed, n))
    _check_margin(options["margin"], metric, np.array(held[:1]), in_unit_range=True)
    judged = judge_totals((held[0], held[1]), (of[0], of[1]), **_numbers(options))
    text = (
        "Only totals are known, not the answers to each item: if both had the same items, pairing is lost, and it takes"
        " more of them to decide."
    )
    return {
        "judged": judged,
        "on": TOTALS,
        "points": True,
        "datasets": results.datasets,
        "scores": ((held[0] / of[0], held[1] / of[1]),),
        "n_per_dataset": (judged.n_items,),
        "caveats": (Caveat("pairing-lost", text),),
    }


def over_datasets(results: Results, metric: Metric, names: tuple[str, str], options: dict[str, Any]) -> dict[str, Any]:
    """Judge by scores over data sets that both have."""
    means = results.means(metric.name, partial=True)
    places = [results.algorithms.index(name) for name in names]
    pair = means[:, places]
    common: BoolArray = ~np.asarray(np.isnan(pair).any(axis=1))
    if int(common.sum()) < 2:
        raise InputError(
            f"{names[0]!r} and {names[1]!r} have {int(common.sum())} data set(s) in common, and no items.",
            mend=f"Name the column of items: {option(columns={'item': 'item'})}; or add data sets.",
        )
    metrics = sorted({item.name for item in results.dataset_metrics})
    if len(metrics) > 1:
        raise InputError(
            f"Data sets are scored by different metrics: {quoted(metrics)}.",
            mend=f"Choose data sets of one metric: {option(datasets=[...])}.",
        )
    shares = bool(((pair[common] >= 0) & (pair[common] <= 1)).all())
    _check_margin(options["margin"], metric, pair[common, 0], in_unit_range=shares)
    judged = judge_datasets(pair[common], upward=bool(metric.higher_is_better), **_numbers(options))
    lines = [name for name, there in zip(results.datasets, common.tolist(), strict=True) if there]
    one_sided = [~np.isnan(pair[:, k]) & np.isnan(pair[:, 1 - k]) for k in range(2)]
    alone = [tuple(np.array(results.datasets, dtype=object)[values].tolist()) for values in one_sided]
    return {
        "judged": judged,
        "on": DATASETS,
        "points": shares and bool(metric.higher_is_better),
        "datasets": tuple(lines),
        "scores": tuple((float(a), float(b)) for a, b in pair[common]),
        "n_per_dataset": (1,) * len(lines),
        "only_base": alone[0],
        "only_candidate": alone[1],
        "caveats": (),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """How much worse still counts as good enough: `size` in units of the score, or as a share of that of the base."""

    size: float
    relative: bool = False

    def __str__(self) -> str:
        """Write it as it was given."""
        return f"{100 * self.size:g}%" if self.relative else f"{self.size:g}"


def read_margin(given: float | str | Margin | None) -> Margin | None:
    """Read a margin: 0.01 in units of the score, or "1%" of the score of the base; 0 asks for a better candidate.

    Examples
    --------
    >>> str(read_margin("1%")), read_margin(0.02).relative
    ('1%', False)
    """
    if given is None or isinstance(given, Margin):
        return given
    text = str(given).strip()
    relative = text.endswith("%")
    try:
        size = float(text.removesuffix("%")) / (100 if relative else 1)
    except ValueError:
        size = float("nan")
    if isinstance(given, bool) or not 0 <= size < float("inf"):
        raise OptionError(
            f"The margin is {given!r}.",
            mend=f"Use {option(margin=0.01)}, in units of the score, {option(margin='1%')} of that of the base, or"
            f" {option(margin=0)} to ask whether it is better.",
        )
    return Margin(size=size, relative=relative)


def cost_of(results: Results, name: str, names: tuple[str, str], limit: float | None) -> tuple[GateCost, Caveats]:
    """Put the mean costs side by side: over the items, or the benchmarks, where both are known."""
    if name not in results.values:
        raise unknown_name("cost", name, results.costs)
    paid, notes = _paid(results, name, [results.algorithms.index(text) for text in names])
    if not len(paid):
        what = "item" if results.unit == ITEM else "benchmark"
        raise InputError(
            f"No {what} has the {name!r} of both {names[0]!r} and {names[1]!r}.",
            mend="Add the column to both, or leave the cost out.",
        )
    if (paid < 0).any():
        raise InputError(
            f"The mean {name!r} of {names[int(paid.argmin()) % 2]!r} is {float(paid.min()):g}.",
            mend="Correct it, or leave the cost out.",
        )
    base, value = (float(item) for item in paid.mean(axis=0))
    unit = results.metric(name).unit or ""
    cost = GateCost(name=name, base=base, candidate=value, ratio=_ratio(paid), unit=unit, limit=limit)
    return cost, (*notes, *_free(name, paid, names))


def _ratio(paid: FloatArray) -> float:
    """Return how many times the cost of the base the candidate costs: the geometric mean over benchmarks.

    Where something is free there is none, and the sums are compared: infinite beside a base that costs nothing at all,
    1 where both do not.
    """
    if (paid > 0).all():
        return float(np.exp(np.log(paid[:, 1] / paid[:, 0]).mean()))
    base, value = (float(item) for item in paid.sum(axis=0))
    return value / base if base > 0 else 1.0 if value == 0 else np.inf


def _free(name: str, paid: FloatArray, names: tuple[str, str]) -> Caveats:
    """Ask about costs of nothing: they are those of a model of one's own, or of a log that knew no price."""
    free: BoolArray = np.asarray((paid == 0).any(axis=0))
    if not free.any():
        return ()
    who = " and ".join(repr(text) for text, zero in zip(names, free.tolist(), strict=True) if zero)
    part = "" if (paid[:, free] == 0).all() else " on some benchmarks; sums over all of them are compared"
    return (Caveat("zero-costs", f"The {name} of {who} is 0{part}: is that free, or is the {name} not known?"),)


def _paid(results: Results, name: str, places: list[int]) -> tuple[FloatArray, Caveats]:
    """Return the mean costs of both on each benchmark; on items those that are known of both, lest they differ."""
    if results.unit != ITEM:
        paid = results.means(name, partial=True)[:, places]
        return paid[~np.isnan(paid).any(axis=1)], ()
    table = item_table(results, name)
    paid = table.scores[:, places]
    known: BoolArray = ~np.asarray(np.isnan(paid).any(axis=1))
    codes, count = table.strata[known], len(table.benchmarks)
    n = np.bincount(codes, minlength=count)
    sums = [np.bincount(codes, weights=paid[known, k], minlength=count) for k in range(2)]
    text = f"{name} is known of both on {int(known.sum()):,} of {len(known):,} items: it is compared on these."
    notes = () if known.all() else (Caveat("costs-missing", text),)
    return np.stack(sums, axis=1)[n > 0] / n[n > 0, None], notes
