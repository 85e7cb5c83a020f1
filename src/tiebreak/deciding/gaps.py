"""Gaps: what may be done about missing scores and costs, once for every verb.

A missing cell is never silent: without a policy it is refused by name; a policy leaves a caveat that says what it did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_choice
from tiebreak.caveats import Caveat
from tiebreak.documents import listed
from tiebreak.errors import InputError, MissingScores
from tiebreak.methods.policies import COST_POLICIES, DROPPING, OF_VERB
from tiebreak.tables import Results
from tiebreak.tables.gaps import Gap
from tiebreak.wording import any_of, either, option


def check_policy(policy: str, verb: str) -> str:
    """Return a policy that the verb takes."""
    return check_choice("policy for missing scores", policy, OF_VERB[verb])


def settled(results: Results, score: str, *, policy: str, verb: str) -> tuple[Results, list[Caveat]]:
    """Return the table after the policy for one score, and what the policy did; some leave gaps in it."""
    check_policy(policy, verb)
    gaps = results.gaps(score)
    if not gaps:
        return results, []
    if policy == "refuse":
        raise refusal(gaps, score, verb=verb, notes=results.caveats)
    if policy in DROPPING:
        kept, said = _dropped(results, score, policy)
        return kept, [Caveat("gaps-left-out", said)]
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
        kept = results.complete(score)
        gone = len(results.datasets) - len(kept.datasets)
        return kept, f"{gone} data set(s) with gaps were dropped; {len(kept.datasets)} remain."
    if policy == "drop-algorithms":
        kept = results.complete_algorithms(score)
        names = ", ".join(name for name in results.algorithms if name not in kept.algorithms)
        return kept, f"Algorithms with gaps were dropped: {names}."
    kept = results.complete_folds(score)
    lost = len(results.datasets) - len(kept.datasets)
    said = (
        f"Folds that some algorithm lacks were dropped for all algorithms on that data set ({len(results) - len(kept)}"
    )
    return kept, f"{said} rows)." + (f" {lost} data set(s) had no fold left and are gone." if lost else "")


def _left_to_the_test(results: Results, score: str, said: str) -> tuple[Results, list[Caveat]]:
    """Leave the gaps, but not data sets on which fewer than two algorithms meet: those compare nothing."""
    met = np.isfinite(results.means(score)).sum(axis=1) >= 2
    if met.all():
        return results, [Caveat("gaps-left-out", said)]
    kept = results.only(datasets=[name for name, there in zip(results.datasets, met, strict=True) if there])
    lost = len(results.datasets) - len(kept.datasets)
    more = f" {lost} data set(s) with fewer than two scores compare nothing and are left out."
    return kept, [Caveat("gaps-left-out", said + more)]


def refusal(
    gaps: Sequence[Gap], score: str, *, verb: str, notes: Sequence[Caveat] = (), ways: Sequence[str] = ()
) -> MissingScores:
    """Make the error that names the first gaps and the ways out; `notes` of the table may tell why they are there.

    `ways` are the policies to name, by default all of the verb.
    """
    first, *others = gaps
    inside = f", replication {first.replication}, fold {first.fold}" if first.fold is not None else ""
    more = "; ".join(map(str, others[:4])) + (f" and {len(others) - 4} more" if len(others) > 4 else "")
    also = f" Also: {more}." if others else ""
    reasons = [note for note in notes if note.code == "run-failed"][:3]
    policies = any_of("missing", ways or [policy for policy in OF_VERB[verb] if policy != "refuse"])
    return MissingScores(
        f"{first.algorithm!r} has no {score} on data set {first.dataset!r}{inside}"
        f" ({len(gaps)} gap{'s' if len(gaps) > 1 else ''} in all).{also}" + "".join(f" {note}" for note in reasons),
        why="The test needs a complete table, and filling a gap silently would invent a result.",
        mend=either(
            "Drop those data sets with `results.complete()` or those algorithms with `results.without(...)`, or name",
            "Name",
        )
        + f" a policy: {policies}.",
    )


def folds_as_items(count: int) -> str:
    """Say how the folds of one data set are read as items, where they are far more than anybody makes folds."""
    if count <= _MANY_FOLDS:
        return ""
    told = option(columns={"item": "fold"})
    return f" Or are its {count:,} folds items, such as questions or tasks? Then name them so: {told}."


_MANY_FOLDS = 100
"""Nobody resamples one data set so often; ten times ten folds are the most that is usual."""


def check_left(results: Results, *, dropped: bool, verb: str, least_sets: int) -> None:
    """Refuse fewer than two algorithms, or fewer data sets than the verb needs."""
    left = " left" if dropped else ""
    other = f", or choose another policy for gaps ({option(missing=...)})." if dropped else "."
    if len(results.datasets) < least_sets:
        over = " over data sets draws its evidence from them and needs at least two; the folds of one data"
        over += " set are not independent data sets." if least_sets > 1 else ""
        more = folds_as_items(len(results.replications) * len(results.folds)) if results.datasets else ""
        raise InputError(
            f"There are {len(results.datasets)} data set(s){left} to {verb} on.",
            why=f"A comparison{over}" if least_sets > 1 else "Nothing can be said without data.",
            mend=f"Add data sets{other}{more}",
        )
    if len(results.algorithms) < 2:
        raise InputError(
            f"There are {len(results.algorithms)} algorithm(s){left} to {verb}.",
            why="It takes two to differ.",
            mend=f"Add another algorithm{other}",
        )


def check_measured(means: FloatArray, algorithms: Sequence[str], score: str) -> None:
    """Refuse an algorithm that has a complete score on no data set; `means` is (data sets, algorithms)."""
    empty = np.isnan(means).all(axis=0)
    if empty.any():
        name = algorithms[int(np.argmax(empty))]
        raise InputError(
            f"{name!r} has no complete {score} on any data set.",
            why="Nothing is known about it.",
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
            said = f"{int(gaps.sum())} missing value(s) of {name} count as the largest of their data sets."
        else:
            axis, what = (1, "datasets") if policy == "drop-datasets" else (0, "algorithms")
            known = getattr(results, what)
            gone = [known[i] for i in np.flatnonzero(gaps.any(axis=axis))]
            results = results.without(**{what: gone})
            said = f"{len(gone)} {'data set(s)' if axis else 'algorithm(s)'} without {name} were dropped."
        notes.append(Caveat("costs-missing", said))
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
            results = results.without(algorithms=absent)
            results = replace(results, caveats=(*results.caveats, Caveat("costs-unknown", text)))
    return results


def check_costs(costs: FloatArray, name: str, datasets: Sequence[str], algorithms: Sequence[str]) -> None:
    """Refuse missing and negative costs."""
    if costs.size and np.isnan(costs).all():  # no policy can help
        raise InputError(
            f"No value of {name} is known, of any algorithm on any data set.",
            why="Without it the places that cost would decide are unknown.",
            mend=f"Complete the costs, name another one ({option(cost=...)}), or give the prior order yourself"
            f" ({option(prior=[...])}).",
        )
    for wrong, what, why in (
        (np.isnan(costs), "has no", "Without it the place that cost would decide is unknown."),
        (costs < 0, "has a negative", "A cost is paid; a negative one would be a gain."),
    ):
        if wrong.any():
            d, a = np.argwhere(wrong)[0]
            count = int(wrong.sum())
            raise InputError(
                f"{algorithms[a]!r} {what} {name} on data set {datasets[d]!r} ({count} such cell(s) in all).",
                why=why,
                mend=f"Complete the costs, name a policy ({any_of('missing_costs', list(COST_POLICIES)[1:])}), or give"
                f" the prior order yourself ({option(prior=[...])}).",
            )


def filled_scores(errors: FloatArray) -> FloatArray:
    """Let a failed run count as the worst of its data set; lower is better. Where all failed, they are alike."""
    failed = np.isnan(errors)
    if not failed.any():
        return errors
    worst = np.where(failed, -np.inf, errors).max(axis=1, keepdims=True)
    return np.where(failed, np.where(np.isfinite(worst), worst, 0.0), errors)
