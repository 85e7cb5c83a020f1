"""Gaps and missing arguments: what may be done about missing scores and costs, once for every verb.

A missing cell is never silent: what is left out, or counted as a failure, is said in a caveat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_choice
from tiebreak.caveats import Caveat
from tiebreak.documents import listed
from tiebreak.errors import InputError, MissingScores, NotSaid, OptionError, unknown_name
from tiebreak.methods.policies import AUTO, COST_POLICIES, DROPPING, OF_VERB
from tiebreak.results import Metric, Results
from tiebreak.results.columns import Arrays
from tiebreak.results.confusion import MEASURES, has_counts
from tiebreak.results.items import FOLD, SHARE, TOTAL
from tiebreak.results.metrics import Told, open_directions
from tiebreak.results.table import Gap
from tiebreak.wording import any_of, either, option


def check_policy(policy: str, verb: str) -> str:
    """Return a policy that the verb takes."""
    return check_choice("policy for missing scores", policy, OF_VERB[verb])


ENOUGH = 0.8
"""At least this share of the data sets, and all algorithms, must remain for gaps to be left out by default."""
_SHOWN = 3


def completed(
    results: Results,
    scores: Sequence[str],
    *,
    policy: str,
    verb: str,
    told: bool | Mapping[str, bool] | None = None,
    costs: Sequence[str] = (),
) -> tuple[Results, str]:
    """Return a table without gaps and "refuse", where the policy is "auto"; the table as it is and the policy else.

    Runs that failed count as the worst score, and the largest cost, of their data set. Other gaps are left out with
    their data set, or with their fold, while enough remains; an error says what each policy would leave otherwise.
    """
    check_policy(policy, verb)
    if policy in (AUTO, "worst-rank") and results.unit == FOLD:
        results = _measured_somewhere(results, scores)
    if policy != AUTO or results.unit != FOLD:
        return results, "refuse" if policy == AUTO else policy
    results = with_failures(results, scores, told, costs)
    gaps = np.any([np.isnan(results.means(name)) for name in scores], axis=0)
    if not gaps.any():
        return results, "refuse"
    whole, lacking = len(results.datasets), np.flatnonzero(gaps.any(axis=1))
    if whole - len(lacking) >= max(2, ENOUGH * whole):
        names = [results.datasets[place] for place in lacking]
        lack = "lacks a score of some algorithm and is" if len(names) == 1 else "lack a score of some algorithm and are"
        text = f"{len(names)} of {whole} data sets {lack} left out: {_few(names)}."
        return _noted(results.without(datasets=names), "gaps-left-out", text), "refuse"
    folds = results
    for name in scores:
        folds = folds.complete_folds(name)
    same = len(folds.algorithms) == len(results.algorithms) and len(folds.datasets) >= ENOUGH * whole
    if same and len(folds) >= ENOUGH * len(results) and not np.isnan(folds.means(scores[0])).any():
        text = f"{len(results) - len(folds)} of {len(results)} rows are of folds that some algorithm lacks: left out."
        return _noted(folds, "gaps-left-out", text), "refuse"
    name = next(score for score in scores if results.gaps(score))
    raise refusal(results.gaps(name), name, verb=verb, notes=results.caveats, results=results)


def _measured_somewhere(results: Results, scores: Sequence[str]) -> Results:
    """Leave out data sets on which no algorithm has a score, as those of another task that another metric measures."""
    empty = np.any([np.isnan(results.means(name, partial=True)).all(axis=1) for name in scores], axis=0)
    whole, gone = len(empty), int(empty.sum())
    if not gone or whole - gone < 2:
        return results
    names = [name for name, lacks in zip(results.datasets, empty, strict=True) if lacks]
    have, are = ("has", "is") if gone == 1 else ("have", "are")
    text = f"{gone} of {whole} data sets {have} no {listed(scores)} and {are} left out: {_few(names)}."
    return _noted(results.without(datasets=names), "gaps-left-out", text)


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (" and others" if len(names) > _SHOWN else "")


def may_be_completed(results: Results, score: str) -> bool:
    """Say whether gaps of a score need no policy: failures are counted, and enough is complete without the others."""
    results = _measured_somewhere(results, [score])
    whole = len(results.datasets)
    return bool(results.failures) or len(results.complete(score).datasets) >= max(2, ENOUGH * whole)


def with_failures(
    results: Results, scores: Sequence[str], options: bool | Mapping[str, bool] | None, costs: Sequence[str]
) -> Results:
    """Give runs that failed the worst score and the largest cost of their data set."""
    if not results.failures:
        return results
    places = {name: place for place, name in enumerate(results.datasets)}
    columns = {name: place for place, name in enumerate(results.algorithms)}
    mark = np.zeros((len(places), len(columns)), dtype=bool)
    for dataset, algorithm in results.failures:
        if dataset in places and algorithm in columns:
            mark[places[dataset], columns[algorithm]] = True
    sets = results.codes["dataset"]
    failed = mark[sets, results.codes["algorithm"]]
    values, count = dict(results.values), 0
    for name in (*scores, *costs):
        value = values[name].copy()
        lost = failed & np.isnan(value)
        if name in costs:
            up = np.zeros(len(places), dtype=bool)
        else:
            up = np.array([bool(metric.direction(options)) for metric in results.metrics_on(name)])
        turned = np.where(up[sets], value, -value)
        worst = np.full(len(places), np.inf)
        np.fmin.at(worst, sets, turned)
        fill = np.where(up, worst, -worst)[sets]
        value[lost] = np.where(np.isfinite(fill), fill, np.nan)[lost]
        values[name] = value
        count += int(lost.sum()) if name in scores[:1] else 0
    if not count:
        return results
    runs = "1 failed run counts" if count == 1 else f"{count} failed runs count"
    paid = " and the largest cost" if costs else ""
    held = sorted((a, d) for d, a in results.failures if d in places and a in columns)
    shown = _few([f"{a} on {d}" for a, d in held])
    others = tuple(note for note in results.caveats if note.code != "run-failed")
    text = f"{runs} as the worst score{paid} of {'its' if count == 1 else 'their'} data set: {shown}."
    return _noted(replace(results, values=Arrays(values), caveats=others), "failures-worst", text)


def _noted(results: Results, code: str, text: str) -> Results:
    return replace(results, caveats=(*results.caveats, Caveat(code, text)))


def settled(results: Results, score: str, *, policy: str, verb: str) -> tuple[Results, list[Caveat]]:
    """Return the table after the policy for one score, and what the policy did; some leave gaps in it."""
    check_policy(policy, verb)
    gaps = results.gaps(score)
    if not gaps:
        return results, []
    if policy in ("refuse", AUTO):
        raise refusal(gaps, score, verb=verb, notes=results.caveats)
    if policy in DROPPING:
        remaining, sentence = _dropped(results, score, policy)
        return remaining, [Caveat("gaps-left-out", sentence)]
    cells = {(gap.dataset, gap.algorithm) for gap in gaps}
    partial = {(gap.dataset, gap.algorithm) for gap in gaps if gap.fold is not None}
    some = f" ({len(partial)} of them lack only some folds)" if partial else ""
    if policy == "worst-rank":
        text = f"{len(cells)} cell(s) with gaps{some} were ranked worst on their data sets, as failures."
        return results, [Caveat("gaps-worst-rank", text)]
    return _left_to_the_test(results, score, f"{len(cells)} cell(s) with gaps{some} are left out.")


def _dropped(results: Results, score: str, policy: str) -> tuple[Results, str]:
    """Every policy returns a sentence of its own: a drop that is not told would change the data in silence."""
    if policy == "drop-datasets":
        complete = results.complete(score)
        gone = len(results.datasets) - len(complete.datasets)
        return complete, f"{gone} data set(s) with gaps were dropped; {len(complete.datasets)} remain."
    if policy == "drop-algorithms":
        complete = results.complete_algorithms(score)
        names = ", ".join(name for name in results.algorithms if name not in complete.algorithms)
        return complete, f"Algorithms with gaps were dropped: {names}."
    complete = results.complete_folds(score)
    lost = len(results.datasets) - len(complete.datasets)
    rows = len(results) - len(complete)
    text = f"Folds that some algorithm lacks were dropped for all algorithms on that data set ({rows} rows)."
    return complete, text + (f" {lost} data set(s) had no fold left and are gone." if lost else "")


def _left_to_the_test(results: Results, score: str, text: str) -> tuple[Results, list[Caveat]]:
    """Keep the gaps, but drop data sets with scores of fewer than two algorithms."""
    met = np.isfinite(results.means(score)).sum(axis=1) >= 2
    if met.all():
        return results, [Caveat("gaps-left-out", text)]
    remaining = results.only(datasets=[name for name, there in zip(results.datasets, met, strict=True) if there])
    lost = len(results.datasets) - len(remaining.datasets)
    more = f" {lost} data set(s) with fewer than two scores compare nothing and are left out."
    return remaining, [Caveat("gaps-left-out", text + more)]


def refusal(
    gaps: Sequence[Gap],
    score: str,
    *,
    verb: str,
    notes: Sequence[Caveat] = (),
    results: Results | None = None,
    ways: Sequence[str] = (),
) -> MissingScores:
    """Make the error that names the first gaps and the ways out; `notes` of the table may tell why they are there.

    With the table it says what each policy would leave; `ways` are the policies to name, by default all of the verb.
    """
    first, *others = gaps[:3]
    inside = f", replication {first.replication}, fold {first.fold}" if first.fold is not None else ""
    more = "; ".join(map(str, others)) + (f" and {len(gaps) - 3} more" if len(gaps) > 3 else "")
    also = f" Also: {more}." if others else ""
    reasons = [note for note in notes if note.code == "run-failed"][:3]
    none = (AUTO, "refuse", *(["drop-folds"] if all(gap.fold is None for gap in gaps) else []))
    policies = any_of("missing", ways or [policy for policy in OF_VERB[verb] if policy not in none])
    left = "" if results is None else f" {_leaving(results, score, verb)}"
    return MissingScores(
        f"{first.algorithm!r} has no {score} on data set {first.dataset!r}{inside}"
        f" ({len(gaps)} gap{'s' if len(gaps) > 1 else ''} in all).{also}" + "".join(f" {note}" for note in reasons),
        mend=either(
            "Drop those data sets with `results.complete()` or those algorithms with `results.without(...)`, or name",
            "Name",
        )
        + f" a policy: {policies}.{left}",
    )


def _leaving(results: Results, score: str, verb: str) -> str:
    """Say what each policy would leave of a table."""
    sets, algorithms = len(results.datasets), len(results.algorithms)
    out = [
        f"drop-datasets leaves {len(results.complete(score).datasets)} of {sets} data sets",
        f"drop-algorithms {len(results.complete_algorithms(score).algorithms)} of {algorithms} algorithms",
    ]
    if any(gap.fold is not None for gap in results.gaps(score)):
        out.append(f"drop-folds {len(results.complete_folds(score))} of {len(results)} rows")
    out += [f"{policy} all" for policy in ("worst-rank", "skillings-mack") if policy in OF_VERB[verb]]
    return f"{'; '.join(out)}."


def folds_as_items(count: int) -> str:
    """Say how the folds of one data set are read as items, where they are far more than anybody makes folds."""
    if count <= _MANY_FOLDS:
        return ""
    text = option(columns={"item": "fold"})
    return f" Or are its {count:,} folds items, such as questions or tasks? Then name them so: {text}."


_MANY_FOLDS = 100
"""Nobody resamples one data set so often; ten times ten folds are the most that is usual."""


def check_left(results: Results, *, dropped: bool, verb: str, least_sets: int) -> None:
    """Refuse fewer than two algorithms, or fewer data sets than the verb needs."""
    left = " left" if dropped else ""
    other = f", or choose another policy for gaps ({option(missing=...)})." if dropped else "."
    if len(results.datasets) < least_sets:
        more = folds_as_items(len(results.replications) * len(results.folds)) if results.datasets else ""
        raise InputError(
            f"There are {len(results.datasets)} data set(s){left} to {verb} on.",
            why="The folds of one data set are not independent data sets." if least_sets > 1 else "",
            mend=f"Add data sets{other}{more}",
        )
    if len(results.algorithms) < 2:
        raise InputError(
            f"There are {len(results.algorithms)} algorithm(s){left} to {verb}.", mend=f"Add another algorithm{other}"
        )


def check_measured(means: FloatArray, algorithms: Sequence[str], score: str) -> None:
    """Refuse an algorithm that has a complete score on no data set; `means` is (data sets, algorithms)."""
    empty = np.isnan(means).all(axis=0)
    if empty.any():
        name = algorithms[int(np.argmax(empty))]
        raise InputError(
            f"{name!r} has no complete {score} on any data set.",
            mend=either(f"Leave it out with `results.without(algorithms=[{name!r}])`, or use", "Use")
            + f" {option(missing='drop-algorithms')}.",
        )


def settled_costs(results: Results, names: Sequence[str], *, policy: str) -> tuple[Results, list[Caveat]]:
    """Return the table after the policy for missing costs, and what the policy did."""
    check_choice("policy for missing costs", policy, COST_POLICIES)
    notes: list[Caveat] = []
    for name in names:
        gaps = np.isnan(results.means(name, partial=True))
        if not gaps.any() or policy == "refuse":  # a gap that is left is refused where costs are checked
            continue
        if policy == "costliest":
            text = f"{int(gaps.sum())} missing value(s) of {name} count as the largest of their data sets."
        else:
            axis, what = (1, "datasets") if policy == "drop-datasets" else (0, "algorithms")
            known = getattr(results, what)
            gone = [known[i] for i in np.flatnonzero(gaps.any(axis=axis))]
            results = results.without(**{what: gone})
            text = f"{len(gone)} {'data set(s)' if axis else 'algorithm(s)'} without {name} were dropped."
        notes.append(Caveat("costs-missing", text))
    return results, notes


def unpriced(results: Results, names: Sequence[str], *, policy: str) -> BoolArray | None:
    """Say whose first cost is known on no data set, and counts as the largest by the policy; None where all are."""
    if policy != "costliest" or not names:
        return None
    unknown = np.asarray(np.isnan(results.means(names[0], partial=True)).all(axis=0))
    return unknown if unknown.any() else None


def filled_costs(costs: FloatArray) -> FloatArray:
    """Take missing costs for the largest of their data set; where all are missing they stay so."""
    known = np.where(np.isnan(costs), -np.inf, costs)
    largest = known.max(axis=1, keepdims=True)
    return np.where(np.isnan(costs) & np.isfinite(largest), largest, costs)


def with_costs_known(results: Results, names: Sequence[str]) -> Results:
    """Leave out, and name, the algorithms of which no cost is known; the others can be ordered."""
    for name in names:
        unknown = np.isnan(results.means(name, partial=True)).all(axis=0)
        if unknown.any() and not unknown.all():
            absent = [results.algorithms[i] for i in np.flatnonzero(unknown)]
            text = f"No {name} is known for {listed(absent)}: not in the order."
            results = _noted(results.without(algorithms=absent), "costs-unknown", text)
    return results


def check_costs(costs: FloatArray, name: str, datasets: Sequence[str], algorithms: Sequence[str]) -> None:
    """Refuse missing and negative costs."""
    if costs.size and np.isnan(costs).all():  # no policy can help
        raise InputError(
            f"No value of {name} is known, of any algorithm on any data set.",
            mend=f"Complete the costs, name another one ({option(cost=...)}), or give the prior order yourself"
            f" ({option(prior=[...])}).",
        )
    unknown = bool(np.isnan(costs).any())
    wrong = np.argwhere(np.isnan(costs) if unknown else costs < 0)
    if len(wrong):
        d, a = wrong[0]
        policies = f"name a policy ({any_of('missing_costs', list(COST_POLICIES)[1:])}), " if unknown else ""
        raise InputError(
            f"{algorithms[a]!r} has {'no' if unknown else 'a negative'} {name} on data set {datasets[d]!r}"
            f" ({len(wrong)} such cell(s) in all).",
            mend=f"Correct the costs, {policies}or give the prior order yourself ({option(prior=[...])}).",
        )


def filled_scores(errors: FloatArray) -> FloatArray:
    """Let a failed run count as the worst of its data set; lower is better. Where all failed, they are alike."""
    failed = np.isnan(errors)
    if not failed.any():
        return errors
    worst = np.where(failed, -np.inf, errors).max(axis=1, keepdims=True)
    return np.where(failed, np.where(np.isfinite(worst), worst, 0.0), errors)


def check_said(
    results: Results, score: str | Sequence[str] | None, *check: Callable[[], object], missing: str, verb: str
) -> None:
    """Run the checks that a verb makes of what it was told, and raise what they miss as one error.

    Gaps are looked for only where something else is missing: that takes a look at every cell, and alone they are
    refused where they are settled.
    """
    lacking: list[NotSaid | MissingScores] = []
    for function in check:
        try:
            function()
        except NotSaid as error:
            lacking.append(error)
    if not lacking:
        return
    names = results.scores if score is None else (score,) if isinstance(score, str) else tuple(score)
    names = tuple(name for name in names if missing != AUTO or not may_be_completed(results, name))
    if missing in (AUTO, "refuse") and (score is not None or len(results.scores) == 1):
        gaps = (refusal(result, name, verb=verb, results=results) for name in names if (result := results.gaps(name)))
        lacking += [*gaps][:1]  # other scores mostly lack the same cells
    if len(lacking) == 1:
        raise lacking[0]
    lines = [f"{number}. {error.what} {error.mend}" for number, error in enumerate(lacking, 1)]
    raise NotSaid("\n".join([f"{len(lacking)} {either('arguments', 'options')} are missing:", *lines]))


def score_metrics(results: Results, score: str | Sequence[str] | None, options: Told = None) -> tuple[Metric, ...]:
    """Return the metrics that were named, each with its direction.

    Of one score that has a metric of its own on each data set the direction is left open: it may differ.
    """
    names = (results.only_score(),) if score is None else (score,) if isinstance(score, str) else tuple(score)
    if not names or len(set(names)) != len(names):
        raise OptionError(
            "No score was named." if not names else f"A score was named twice: {', '.join(names)}.",
            mend=f"Name each score once, such as {option(score=['tpr', 'fpr'])}.",
        )
    by_name: Mapping[str, bool] = options if isinstance(options, Mapping) else {}
    for name in by_name if len(names) > 1 else ():
        if name not in names:
            raise unknown_name(f"score (in {either('higher_is_better', '--direction')})", str(name), names)
    metrics, unknown = [], []
    for name in names:
        if name not in results.values and name in MEASURES and has_counts(results):
            mend = "It can be made from the counts: tiebreak.results.confusion.with_scores(results, [...])."
            raise unknown_name("score", name, results.values, mend=mend)
        metric = results.metric(name)
        if len(names) == 1:  # its direction may differ between data sets
            return (metric,)
        given = by_name.get(name) if isinstance(options, Mapping) else options
        if metric.higher_is_better is None and given is None:
            unknown.append(name)
            continue
        known = metric.higher_is_better is not None and not by_name
        metrics.append(replace(metric, higher_is_better=metric.direction(None if known else given)))
    if unknown:
        raise open_directions(unknown, "measures")
    return tuple(metrics)


def score_of_totals(results: Results, score: str | Sequence[str] | None) -> str | Sequence[str] | None:
    """Order totals by the share that was passed, or the one score beside them, unless another one was named."""
    if score is not None or results.unit != TOTAL:
        return score
    scores = results.scores
    return SHARE if SHARE in results.values else scores[0] if len(scores) == 1 else None
