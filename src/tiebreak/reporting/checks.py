"""Numbered checks of a comparison and an ordering: what a careful reviewer would ask."""

from __future__ import annotations

import numpy as np

from tiebreak.deciding.compare import Comparison
from tiebreak.deciding.order import Ordering
from tiebreak.deciding.order._costs import TIE_WORDS
from tiebreak.reporting.context import Check
from tiebreak.stats import datasets_needed
from tiebreak.stats.numeric.ranks import average_ranks, snap, tie_sums


def comparison_checks(found: Comparison) -> tuple[Check, ...]:
    """Check a comparison; the numbers stay the same from report to report."""
    return (
        _enough(1, len(found.datasets), len(found.algorithms)),
        _gaps(2, found),
        _ties(3, found),
        _correction(4, found),
        _conclusive(5, found),
        _influence(6, found),
        _sample_size(7, found),
    )


def _enough(number: int, count: int, algorithms: int = 0) -> Check:
    if count < algorithms and count >= 10:
        text = f"{count} data sets for {algorithms} algorithms: few differences can be seen."
        return Check(number=number, kind="tip", text=text)
    if count < 10:
        text = f"{count} data sets: approximations are rough below ten, and few differences can be seen."
        return Check(number=number, kind="issue", text=text)
    return Check(number=number, kind="passed", text=f"{count} data sets: not too few for the tests used.")


def _gaps(number: int, found: Comparison) -> Check:
    gaps = int(np.isnan(found.scores).sum())
    if gaps:
        text = f"{gaps} score(s) are missing and were settled by the policy {found.plan.missing}."
        return Check(number=number, kind="issue", text=text)
    if found.plan.missing != "refuse":
        text = f"No gap is left after the policy {found.plan.missing}; see the caveats for what it dropped."
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="passed", text="Every algorithm has a score on every data set.")


def _ties(number: int, found: Comparison) -> Check:
    complete = found.scores[~np.isnan(found.scores).any(axis=1)]
    share = float((tie_sums(average_ranks(snap(complete))) > 0).mean()) if len(complete) else 0.0
    if share == 1.0 and bool((complete == complete[:, :1]).all()):
        return Check(number=number, kind="issue", text="All algorithms have the same score on every data set.")
    if share > 0.3:
        text = f"{share:.0%} of the data sets tie algorithms: scores with more decimals would show more."
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="passed", text=f"Ties are rare ({share:.0%} of the data sets).")


def _correction(number: int, found: Comparison) -> Check:
    if (
        found.plan.posthoc in ("none", "finner", "li", "benjamini-hochberg", "benjamini-yekutieli")
        and len(found.tests.a) > 1
    ):
        text = f"The correction {found.plan.posthoc} does not keep the chance of any false difference at alpha."
        return Check(number=number, kind="issue", text=text)
    if found.plan.posthoc in ("hochberg", "hommel", "rom", "holland", "sidak"):
        text = f"The correction {found.plan.posthoc} keeps alpha where tests are independent or positively dependent."
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="passed", text="The correction keeps the chance of any false difference at alpha.")


def _conclusive(number: int, found: Comparison) -> Check:
    if not found.rejected:
        text = "The data do not show that the algorithms differ."
        return Check(number=number, kind="tip", text=text)
    if not found.significant.any():
        text = "The omnibus test rejects but no pair differs significantly: more data sets would say which."
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="passed", text="The tests single out pairs that differ.")


def _influence(number: int, found: Comparison) -> Check:
    if found.plan.pairwise in ("ranks", "conover") and len(found.algorithms) > 2:
        instead = "" if found.plan.omnibus == "skillings-mack" else "; --pairwise wilcoxon tests each on its own scores"
        text = f"How two algorithms compare on ranks depends on which others are in the table{instead}."
        return Check(number=number, kind="tip", text=text)
    return Check(number=number, kind="passed", text="Each pair is tested on its own scores.")


def _sample_size(number: int, found: Comparison) -> Check:
    needed = datasets_needed(0.5, alpha=found.alpha, method="wilcoxon").n_datasets
    have = len(found.datasets)
    text = f"A difference of half its standard deviation is seen in four of five studies with {needed} data sets"
    kind = "passed" if have >= needed else "tip"
    return Check(number=number, kind=kind, text=f"{text} (Wilcoxon, one pair); there are {have}.")


def ordering_checks(found: Ordering) -> tuple[Check, ...]:
    """Check an ordering; the numbers go on where those of a comparison end."""
    one = len(found.datasets) == 1
    evidence = (
        Check(number=11, kind="tip", text="One data set: the order says nothing about other data.")
        if one
        else _enough(11, len(found.datasets))
    )
    kind, text = "passed", "No two algorithms cost the same."
    if not found.costs:
        kind, text = "tip", "The prior order was given, not measured."
    elif found.tied_costs:
        kind, text = "tip", f"Costs tie; they were told apart by {TIE_WORDS[found.plan.ties]}."
    ties = Check(number=12, kind=kind, text=text)
    kind, text = "passed", "Differences were tested on the folds."
    if found.inner is None:
        kind, text = "issue", "Inside the data sets nothing was tested: places are those of the mean scores."
    elif found.plan.inner_adjust == "none":
        kind, text = "tip", "The tests on the folds are not corrected for their number."
    return evidence, ties, Check(number=13, kind=kind, text=text)
