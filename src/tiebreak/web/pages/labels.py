"""What pages call the options of the command line: one table, for labels of fields, clicks, and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tiebreak.methods.policies import COST_POLICIES, POLICIES
from tiebreak.web.offers import OFFERS
from tiebreak.web.verbs import verb_of

LABELS = {
    "score": "Score",
    "scores": "Scores",
    "cost": "Cost",
    "trade": "Trade",
    "rule": "Rule",
    "margin": "Margin",
    "max_cost_ratio": "Cost at most",
    "alpha": "Alpha",
    "missing": "Gaps",
    "items": "Items",
    "difference": "Difference",
    "discordant": "Discordant",
    "sd": "Standard deviation",
    "power": "Power",
    "target": "Target",
    "kind": "Its kind",
    "accd": "Accuracy against time",
    "budget": "Time to try in",
    "run": "Time",
    "base": "Name of the base",
    "candidate": "Name of the candidate",
    "costs": "File of costs",
    "prices": "File of prices",
    "column": "role of a column",
}
"""Options whose field is not called as they are."""


def label_of(name: str) -> str:
    """Return what a page calls an option, or the file of an option.

    Examples
    --------
    >>> label_of("missing"), label_of("missing_costs")
    ('Gaps', 'missing costs')
    """
    return LABELS.get(name, name.replace("_", " "))


def spoken(verbs: Sequence[str] = ()) -> dict[str, Any]:
    """Return what scripts must know to speak of fields where a sentence of the command line names options.

    `verbs` are those whose options the page has, by default all. `labels` are the names of the fields, `words` the
    values that an option is known to take, `meanings` what some of them do, `switches` options that take none.
    """
    held = [verb_of(name) for name in verbs or (*OFFERS, "store")]
    options = {each.name: each for verb in held for each in verb.options.values()}
    slots = {slot for verb in held for slot in verb.slots}
    return {
        "labels": {name: label_of(name) for name in sorted({*options, *slots})},
        "words": {name: each.choices or each.words for name, each in options.items() if each.choices or each.words},
        "meanings": {"missing": POLICIES, "missing_costs": COST_POLICIES},
        "switches": [name for name, each in options.items() if each.kind in ("switch", "either")],
    }
