"""Numbered checks of a comparison: what a careful reviewer would ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tiebreak.comparison._judging import fewest_datasets, too_few
from tiebreak.comparison.promises import enough_check, promise_check
from tiebreak.documents import Check
from tiebreak.methods import find, goes_with
from tiebreak.stats.numeric.ranks import average_ranks, snap, tie_sums
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.comparison._comparison import Comparison


def comparison_checks(found: Comparison) -> tuple[Check, ...]:
    """Check a comparison; the numbers stay the same from report to report."""
    return (
        enough_check(1, len(found.datasets), len(found.algorithms), exact=_exact(found)),
        _gaps(2, found),
        _ties(3, found),
        promise_check(4, found.plan.test, found.plan.correction, len(found.tests.a)),
        _conclusive(5, found),
        _influence(6, found),
        _sample_size(7, found),
    )


def _exact(found: Comparison) -> bool:
    """Say whether no test of the plan approximates: such tests are made for few data sets."""
    return found.plan.omnibus_method.few_datasets and (found.plan.test.few_datasets or found.plan.test.on_own_scores)


def _gaps(number: int, found: Comparison) -> Check:
    """A policy that dropped something is a tip even when no gap is left: the table is then not the one given."""
    gaps = int(np.isnan(found.scores).sum())
    if gaps:
        text = f"{gaps} score(s) are missing and were settled by the policy {found.plan.missing}."
        return Check(number=number, kind="issue", text=text)
    if found.plan.missing != "refuse":
        text = f"No gap is left after the policy {found.plan.missing}; see the caveats for what it dropped."
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="passed", text="Every algorithm has a score on every data set.")


def _ties(number: int, found: Comparison) -> Check:
    """Ties are counted on complete rows only, after snapping, so that they are the ties the tests saw."""
    complete = found.turned[~np.isnan(found.turned).any(axis=1)]
    share = float((tie_sums(average_ranks(snap(complete))) > 0).mean()) if len(complete) else 0.0
    if share == 1.0 and bool((complete == complete[:, :1]).all()):
        return Check(number=number, kind="issue", text="All algorithms have the same score on every data set.")
    if share > 0.3:
        text = f"{share:.0%} of the data sets tie algorithms: scores with more decimals would show more."
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="passed", text=f"Ties are rare ({share:.0%} of the data sets).")


def _conclusive(number: int, found: Comparison) -> Check:
    """Nothing found is a tip and no issue: it may be the truth, and no option would mend it."""
    pairs = len(found.significant)
    if found.significant.any():
        return Check(number=number, kind="passed", text="The tests single out pairs that differ.")
    if too_few(found.plan, len(found.datasets), pairs, found.alpha):
        text = f"No pair can differ significantly with fewer than {fewest_datasets(found.plan, pairs, found.alpha)}"
        return Check(number=number, kind="issue", text=f"{text} data sets; there are {len(found.datasets)}.")
    if found.rejected:
        text = "The omnibus test rejects but no pair differs significantly: more data sets might say which."
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="tip", text="The data do not show that the algorithms differ.")


def _influence(number: int, found: Comparison) -> Check:
    """Judge by the record of the test whether other algorithms in the table bear on what is said of a pair."""
    made = found.scale in ("distances", "normalised") and found.plan.reads_sizes
    if found.plan.test.on_own_scores and made and len(found.algorithms) > 2:
        what = "distances" if found.scale == "distances" else "normalised scores"
        text = (
            f"Pairs are tested on {what}, whose unit is made from all algorithms on a data set; {option(scale='sign')}"
            " tests each on its own scores."
        )
        return Check(number=number, kind="tip", text=text)
    if found.plan.test.on_own_scores or len(found.algorithms) == 2:
        return Check(number=number, kind="passed", text="Each pair is tested on its own scores.")
    compared = "all scores" if found.plan.test.takes == "scores" else "ranks"
    own = goes_with(find("wilcoxon", "pairs"), found.plan.missing) and found.plan.omnibus != "skillings-mack"
    instead = f"; {option(pairwise='wilcoxon')} tests each on its own scores" if own else ""
    text = f"How two algorithms compare on {compared} depends on which others are in the table{instead}."
    return Check(number=number, kind="tip", text=text)


def _sample_size(number: int, found: Comparison) -> Check:
    """Judge by one pair and Wilcoxon's test whatever was run: a yardstick that does not move with the plan."""
    from tiebreak.stats import datasets_needed

    needed = datasets_needed(0.5, alpha=found.alpha, method="wilcoxon").n_datasets
    have = len(found.datasets)
    text = f"A difference of half its standard deviation is seen in four of five studies with {needed} data sets"
    kind = "passed" if have >= needed else "tip"
    return Check(number=number, kind=kind, text=f"{text} (Wilcoxon, one pair); there are {have}.")
