"""The long answers: why one algorithm stands before another, and which is best."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import codes_of
from tiebreak.deciding.headlines import headline
from tiebreak.deciding.order._best import Best, best_of_groups
from tiebreak.deciding.order._family import own_adjusted
from tiebreak.deciding.order._item_words import beside_of, evidence_of, is_on_items, pair_at, unit_of
from tiebreak.deciding.order._margins import verdict_of
from tiebreak.deciding.order._trade import mean_shift, mostly_tied, shifts_of, without_noise
from tiebreak.documents import confidence, listed, number, p_is

if TYPE_CHECKING:
    from tiebreak.deciding.order._ordering import Ordering


Shift = tuple[float, float, float]
"""An estimated difference with the ends of its interval, what the first has more; lower is better."""


def all_explained(found: Ordering, first: int | None = None) -> tuple[str, ...]:
    """Explain every pair, by places; differences are estimated for all at once, which takes a tenth of the time."""
    places = [found.algorithms.index(name) for name in found.order[:first]]
    known = sorted(places)
    shifts = None if is_on_items(found) or not _has_shifts(found) else _all_shifts(found, known)
    at, count, out = {i: k for k, i in enumerate(known)}, len(known), []
    for k, i in enumerate(places):
        for j in places[k + 1 :]:
            low, high = sorted((at[i], at[j]))
            pair = low * (2 * count - low - 1) // 2 + high - low - 1
            shift = None if shifts is None else (float(shifts[0][pair]), float(shifts[1][pair]), float(shifts[2][pair]))
            out.append(explained(found, i, j, shift if shift is None or i < j else _turned(shift)))
    return tuple(out)


def _all_shifts(found: Ordering, known: list[int]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Estimate the differences among some of the algorithms, as if all were there."""
    left_out = np.ones(len(found.algorithms), dtype=bool)
    left_out[known] = False
    tied = mostly_tied(found.table.valued)
    return shifts_of(found.table.without(left_out), found.plan.alpha, tied=tied)


def _turned(shift: Shift) -> Shift:
    size, low, high = shift
    return -size, -high, -low


def explained(found: Ordering, i: int, j: int, shift: Shift | None = None) -> str:
    """Say why one of two stands before the other: what decided, the test, the difference, the cost, the resamples.

    `shift` is the difference of the two where it is known already; i stands before j then.
    """
    said = [found.standing.explain(i, j)]
    if found.gated:
        said.append(f"The omnibus test does not reject, so {found.words.prior} decides every place.")
    return " ".join(
        [
            *said,
            _test(found, i, j),
            *_own(found, i, j),
            *_difference(found, i, j, shift),
            *_verdict(found, i, j),
            *_firm(found, i, j),
        ]
    )


def _test(found: Ordering, i: int, j: int) -> str:
    """Give the p-value of the pair, before and after its correction."""
    if found.over == "folds" and found.inner is None:
        return "No test was made."
    tests, at = found.tests, pair_at(found, i, j)
    what = {"scores": "over data sets", "places": "of their mean places", "folds": "on the folds"}.get(found.over, "")
    if is_on_items(found):
        what = f"on {evidence_of(found, i, j)}"
        return f"The test {what}: {p_is(float(tests.pvalue[at]))}, corrected {p_is(float(tests.adjusted[at]))}."
    if "on-these-datasets" in codes_of(found.caveats):
        what = "on the folds of these data sets"
    return f"The test {what}: {p_is(float(tests.pvalue[at]))}, corrected {p_is(float(tests.adjusted[at]))}."


def _own(found: Ordering, i: int, j: int) -> list[str]:
    """Give the p-value with the comparisons of one algorithm counted, where only that tells the two apart."""
    standing, others = found.standing, len(found.algorithms) - 1
    for one, other in ((i, j), (j, i)):
        if standing.shown[one, other] and not standing.better[one, other]:
            p = own_adjusted(found.tests.pvalue[pair_at(found, i, j)], others + 1)
            return [f"With the {others} comparisons of {standing.name(one)} alone counted {p_is(float(p))}."]
    return []


def _has_shifts(found: Ordering) -> bool:
    return len(found.datasets) > 1 and found.table.measures is None


def _shift(found: Ordering, i: int, j: int) -> Shift:
    """Estimate one difference; `shifts_of` does the same for all pairs."""
    from tiebreak.stats import difference_interval

    compared = found.table.valued
    if mostly_tied(compared):
        ends3 = mean_shift((compared[:, i] - compared[:, j])[:, None], found.plan.alpha)
    else:
        interval = difference_interval(compared[:, i], compared[:, j], level=1 - found.plan.alpha)
        ends3 = interval.estimate, interval.low, interval.high
    shift, low, high = (float(without_noise(each, compared)[0]) for each in ends3)
    return shift, low, high


def _difference(found: Ordering, i: int, j: int, known: Shift | None = None) -> list[str]:
    """Estimate by how much the scores of the pair differ, where there is more than one data set."""
    if is_on_items(found):
        first, second = (i, j) if found.standing.place[i] < found.standing.place[j] else (j, i)
        return [headline(beside_of(found, first, second), unit_of(found))]
    if not _has_shifts(found):
        return []
    level = 1 - found.plan.alpha
    i, j = (i, j) if found.standing.place[i] < found.standing.place[j] else (j, i)
    shift, low, high = _shift(found, i, j) if known is None else known
    ahead, behind, sign = (i, j, 1.0) if shift <= 0 else (j, i, -1.0)
    ends = sorted((0.0 - sign * low, 0.0 - sign * high))
    x, y = found.standing.name(ahead), found.standing.name(behind)
    sure = f"with {confidence(1 - level)} confidence"
    if "on-these-datasets" in codes_of(found.caveats):
        sure += " for data sets at large"
    span = f" (from {number(ends[0])} to {number(ends[1])} {sure})" if isfinite(low) else ""
    if shift == 0 and span and ends[0] < 0 < ends[1]:
        span = f" (from {number(-ends[0])} in favour of {y} to {number(ends[1])} in favour of {x} {sure})"
    if shift == 0:
        return [f"The estimated difference in {found.score.name} is 0{span}."]
    return [f"{x} scores better than {y} by an estimated {number(abs(shift))} in {found.score.name}{span}."]


def _verdict(found: Ordering, i: int, j: int) -> list[str]:
    """With a margin, say which of the three verdicts the pair has."""
    good = found.standing.good
    if good is None:
        return []
    margin = f"{found.plan.margin} {found.table.margin_unit}".strip()
    cheap, dear = (i, j) if found.prior_places[i] < found.prior_places[j] else (j, i)
    shown = found.standing.shown
    if shown[dear, cheap]:
        return []  # the cheaper one is the better one, which was said
    verdict = verdict_of(bool(shown[cheap, dear]), bool(good[cheap, dear]))
    how = "significantly" if found.better[cheap, dear] else "shown to be"
    x, y = found.standing.name(cheap), found.standing.name(dear)
    return {
        "good enough": [f"{x} is shown to be worse than {y} by less than {margin}, if at all: good enough."],
        "better": [f"{y} is {how} better, and {x} is not shown to be within {margin} of it."],
        "undecided": [f"Undecided: neither is {y} significantly better, nor {x} shown to be within {margin} of it."],
    }[verdict]


def _firm(found: Ordering, i: int, j: int) -> list[str]:
    """Say in how many of the resampled sets of data sets the two stand as they do."""
    firm = found.firmness
    if firm is None or firm.before is None:
        return []
    first, second = (i, j) if found.standing.place[i] < found.standing.place[j] else (j, i)
    share = float(firm.before[found.standing.place[first] - 1, found.standing.place[second] - 1])
    name = found.standing.name
    return [f"{name(first)} stands before {name(second)} in {share:.0%} of {firm.repetitions:,} resamples."]


def best_of(found: Ordering) -> Best:
    """The first is the best; of an order by places the groups may not be able to say so."""
    first = found.order[0]
    if "only-cost-decided" in codes_of(found.caveats) and found.standing.good is None:
        could = "was made" if found.over == "folds" else "could tell any apart"
        return Best(algorithm=first, text=f"{first} is {found.words.cheapest}, and no test {could}.")
    if found.over != "places":
        return Best(algorithm=first, text=f"{first} {_why_first(found)}.")
    by_rank = sorted(found.algorithms, key=lambda name: (float(found.mean_ranks[found.algorithms.index(name)]), name))
    grouped = best_of_groups(found.groups, by_rank=by_rank, by_cost=found.prior, cheapest=found.words.cheapest)
    if grouped.algorithm in (first, None):
        return grouped
    text = (
        f"{first} stands first; the groups of the post hoc test would name {grouped.algorithm}, so that which is best"
        " cannot be told."
    )
    return Best(algorithm=None, text=text)


def _why_first(found: Ordering) -> str:
    """Say what the first has before the others: nobody better, or only costlier ones that are."""
    i, names, words = found.algorithms.index(found.order[0]), found.algorithms, found.words
    beats = int(found.better[:, i].sum())
    if beats == len(names) - 1:
        return f"is significantly {words.better} than every other algorithm"
    told = f"is significantly {words.better} than {beats} of the {len(names) - 1} others and " if beats else ""
    shown = found.standing.shown[i]
    better = [names[j] for j in np.flatnonzero(shown)]
    if better:  # good enough within the margin, or decisions that are not transitive
        how = "significantly" if found.better[i, shown].all() else "shown to be"
        are = f"{listed(better, most=3)} {'is' if len(better) == 1 else 'are'} {how} {words.better}"
        good = found.standing.good
        enough = good is not None and bool(good[i, shown].all())
        return f"{told}stands first, although {are}{': it is good enough' if enough else ''}"
    is_ = "" if told else "is "
    if found.standing.good is not None and found.plan.undecided == "better":
        those = f"shown good enough beside all that score better and are {words.costlier}"
        return f"{told}{is_}{words.cheapest} of those {those}"
    if found.standing.good is not None and found.plan.undecided == "costlier":
        if found.prior_places[i] == len(names) - 1:
            last = f"the last in the order of cost: nothing {words.cheaper} is shown good enough beside all that are"
            return f"{told}{is_}{last} {words.costlier}"
        return f"{told}{is_}{words.cheapest} of those shown good enough beside all that are {words.costlier}"
    return f"{told}{is_}{words.cheapest} of those that no test shows to be worse than another"
