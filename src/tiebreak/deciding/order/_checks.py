"""The checks of an ordering: whether the evidence is enough, whether costs tie, and what the tests speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiebreak.caveats import codes_of
from tiebreak.deciding.order._costs import TIE_WORDS
from tiebreak.deciding.order._item_words import evidence_of, is_on_items
from tiebreak.deciding.promises import enough_check
from tiebreak.documents import Check

if TYPE_CHECKING:
    from tiebreak.deciding.order._ordering import Ordering

_ON_SCORES = "Each pair was tested on its own scores over data sets; cost decided only where no test did."

ONLY_COST = "No test could decide anything: the order is that of cost alone."


def _item_checks(found: Ordering) -> tuple[Check, ...]:
    """Check an order on items: enough of them, costs, and for what the tests speak."""
    codes = codes_of(found.caveats)
    few = [code for code in ("few-items", "few-clusters", "one-cluster", "uneven-clusters") if code in codes]
    kind, text = ("tip", "Items or clusters are few, or of very unequal size: intervals are rough.") if few else (
        "passed", f"{evidence_of(found)}: not too few for the tests used."
    )  # fmt: skip
    if "only-cost-decided" in codes:
        kind, text = "issue", ONLY_COST
    tied = f"Costs tie; they were told apart by {TIE_WORDS[found.plan.choice.ties]}."
    ties = ("tip", tied) if found.tied_costs else ("passed", "No two models cost the same.")
    if not found.costs:
        ties = ("tip", "The prior order was given, not measured.")
    lost = "pairing-lost" in codes
    paired = (
        ("tip", "Only totals are known: pairing is lost.") if lost else ("passed", "Pairs were tested item by item.")
    )
    return tuple(
        Check(number=number, kind=kind, text=text)
        for number, (kind, text) in enumerate(((kind, text), ties, paired), start=11)
    )


def ordering_checks(found: Ordering) -> tuple[Check, ...]:
    """Check an ordering; the numbers go on where those of a comparison end."""
    if is_on_items(found):
        return _item_checks(found)
    kind, text = "passed", "No two algorithms cost the same."
    if not found.costs:
        kind, text = "tip", "The prior order was given, not measured."
    elif found.tied_costs:
        kind, text = "tip", f"Costs tie; they were told apart by {TIE_WORDS[found.plan.choice.ties]}."
    ties = Check(number=12, kind=kind, text=text)
    kind, text = "passed", "Differences were tested on the folds."
    codes = codes_of(found.caveats)
    if "only-cost-decided" in codes:
        kind, text = "issue", ONLY_COST
    elif found.over == "scores":
        folds = "on-these-datasets" in codes
        kind, text = ("tip", "The tests speak of these data sets alone.") if folds else ("passed", _ON_SCORES)
    elif found.inner is None:
        kind, text = "issue", "Inside the data sets nothing was tested: places are those of the mean scores."
    elif found.plan.inner_adjust == "none":
        kind, text = "tip", "The tests on the folds are not corrected for their number."
    return _evidence(found), ties, Check(number=13, kind=kind, text=text)


def _evidence(found: Ordering) -> Check:
    """Judge whether there are data sets enough; what a caveat calls few is not passed."""
    count = len(found.datasets)
    if count == 1:
        return Check(number=11, kind="tip", text="One data set: the order says nothing about other data.")
    enough = enough_check(11, count)
    if enough.kind != "passed" or "few-datasets" not in codes_of(found.caveats):
        return enough
    text = f"{count} data sets for {len(found.algorithms)} algorithms: few differences can be seen."
    return Check(number=11, kind="tip", text=text)
