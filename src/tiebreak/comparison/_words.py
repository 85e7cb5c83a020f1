"""Words of the answer of a comparison: who is best, by how much, how sure that is, what the terms mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tiebreak.comparison._judging import fewest_datasets, too_few
from tiebreak.documents import number
from tiebreak.documents.words import confidence

if TYPE_CHECKING:
    from tiebreak.comparison._comparison import Comparison


def use(found: Comparison) -> str:
    """Name the algorithm that is significantly better than every other; empty where nothing shows one."""
    best = found.algorithms[0]
    with_best = [pair for pair in found.iter_pairs() if best in (pair.a, pair.b)]
    return best if all(pair.better == best for pair in with_best) else ""


def too_few_words(found: Comparison) -> str:
    """Say how many data sets a significant difference takes where these are too few; empty otherwise."""
    count, pairs = len(found.datasets), len(found.significant)
    if not too_few(found.plan, count, pairs, found.alpha):
        return ""
    fewest = fewest_datasets(found.plan, pairs, found.alpha)
    return f"with {count} data sets no difference can be significant, it takes at least {fewest}"


def all_equal(found: Comparison) -> bool:
    """Whether every algorithm has the same score on every data set, so that nobody is the best."""
    return bool((found.compared == found.compared[:, :1]).all())


def by_how_much(found: Comparison) -> str:
    """Estimate how far the best lies before the next; nothing where differences have no common unit."""
    table = found.compared[~np.isnan(found.compared).any(axis=1)]
    if found.control is not None or found.scale != "as they are" or len(table) < 2 or all_equal(found):
        return ""
    pairs = len(found.significant)
    if found.plan.test.name == "wilcoxon":  # what the figure shows, without the intervals of all other pairs
        from tiebreak.stats import difference_interval

        interval, at = difference_interval(table[:, 0], table[:, 1], level=1 - found.alpha / pairs), 0
    else:
        interval = found.simultaneous_intervals()
        at = int(np.flatnonzero((interval.a == 0) & (interval.b == 1))[0])
    shift, low, high = (-float(each[at]) for each in (interval.estimate, interval.high, interval.low))
    together = f" for all {pairs:,} pairs together" if pairs > 1 else ""
    ends = f"from {number(low, 2)} to {number(high, 2)}, {confidence(found.alpha)} interval{together}"
    unit = found.location_name if found.by_ranks else found.score.name
    span = f" ({ends})" if np.isfinite(low) else ""
    return f"{number(shift + 0.0, 2)} in {unit} beside {found.algorithms[1]}, the next{span}."


def sure(found: Comparison) -> str:
    """Count the pairs that differ significantly, and say on what evidence."""
    count, total = int(found.significant.sum()), len(found.significant)
    if total == 1:
        told = "The difference is significant" if count else "The difference may be chance"
    else:
        told = f"{count or 'None'} of {total} pairs differ{'s' if count == 1 else ''} significantly"
    rest = f"{told} at alpha = {found.alpha:g}, over {len(found.datasets)} data sets; data unlike these may differ."
    return rest if total == 1 or not count or found.control is not None else f"{_of_the_best(found)} {rest}"


def _of_the_best(found: Comparison) -> str:
    """Count those that the first is significantly better than."""
    best, others = found.algorithms[0], len(found.algorithms) - 1
    beaten = sum(pair.better == best for pair in found.iter_pairs())
    whom = f"all {others}" if beaten == others else f"{beaten or 'none'} of the {others}"
    return f"{best} is significantly better than {whom} others."


def lay(found: Comparison) -> tuple[str, ...]:
    """Explain the words of a comparison to a reader without statistics."""
    return (
        f"Every algorithm was scored ({found.score.name}) on the same {len(found.datasets)} data sets. On each of them"
        " the best has rank 1; the mean rank is the mean of these places.",
        "Significantly better: over the data sets the difference is so steady that chance would rarely make it. The"
        f" level, alpha = {found.alpha:g}, says how rarely: the smaller, the more proof is asked for.",
        "No significant difference: the results do not show which of the two is better. They may differ all the same;"
        " this is no evidence that they are equal. Between algorithms that share a letter or a bar there is none.",
        "p-value: how often chance alone would give a difference at least as large. Adjusted: made larger, because many"
        " pairs were looked at and one of them might stand out by luck.",
    )
