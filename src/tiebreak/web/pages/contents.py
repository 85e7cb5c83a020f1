"""What each page is given beside the menu: forms, examples, and what scripts must know of options."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from tiebreak.datasets.references import suite_names
from tiebreak.methods.policies import POLICIES
from tiebreak.papers import paper
from tiebreak.readers.published import TABLES
from tiebreak.web.offers import OFFERS
from tiebreak.web.pages.fields import fields_of, kinds_of
from tiebreak.web.pages.labels import label_of
from tiebreak.web.server import Server
from tiebreak.web.verbs import verb_of

QUESTIONS = {
    "compare": ("Who differs?", "Which algorithms differ, over many data sets."),
    "order": (
        "Which one to use?",
        "From best to worst: by score where the difference is worth its cost, by cost where it is not.",
    ),
    "multivariate": ("Several measures at once", "Who differs by, say, true and false positives together."),
    "battles": (
        "Votes on pairs",
        "Two answers side by side, one preferred: who is stronger, and who is worth its price.",
    ),
    "power": ("How many items?", "Which difference the items can show, or how many a difference takes."),
}
"""The verbs of the comparison page, as questions."""
COMPARING = ("read", *QUESTIONS, "report")
"""Every verb that it asks."""
_SHOWN = {
    "compare": ("score", "alpha", "missing"),
    "order": ("score", "cost", "trade", "rule", "alpha", "missing"),
    "multivariate": ("scores", "cost", "alpha", "missing"),
    "battles": ("trade", "rule", "alpha"),
    "power": ("score", "difference", "items", "discordant", "sd", "power", "alpha"),
    "gate": ("score", "cost", "margin", "max_cost_ratio", "base", "candidate", "alpha"),
    "recommend": ("target", "kind", "accd", "budget", "known", "run", "stop_below", "jobs"),
}
"""Options that a page shows by fields of its own."""
_FILES = {
    "costs": (label_of("costs"), "costs of the algorithms, where the table has none"),
    "prices": (label_of("prices"), "of logs of evaluations: model, input and output, in dollars per million tokens"),
}
"""Further files that a question can take, and what they hold."""


def tables() -> list[dict[str, str]]:
    """Return the published tables, as examples."""
    return [
        {
            "file": each.reference,
            "name": each.name,
            "holds": each.holds,
            "paper": f"{paper(each.papers[0]).short.partition(')')[0]})",
            "cost": each.costs[0] if each.costs else "",
        }
        for each in TABLES
    ]


def start(_: Server | None) -> dict[str, Any]:
    """Return what the first page shows."""
    return {"tables": tables(), "data": suite_names()}


def comparing(_: Server | None) -> dict[str, Any]:
    """Return what the comparison page shows; it needs no server."""
    forms = {verb: fields_of(verb, without=_SHOWN[verb]) for verb in QUESTIONS}
    known = kinds_of(*COMPARING)
    return {
        "tables": tables(),
        "questions": QUESTIONS,
        "forms": forms,
        "policies": {verb: _words(verb, "missing") for verb in QUESTIONS if "missing" in verb_of(verb).options},
        "files": {
            verb: {slot: _FILES[slot] for slot in verb_of(verb).slots} for verb in QUESTIONS if verb != "battles"
        },
        "told": {
            "kinds": known,
            "slots": _slots(),
            "policies": POLICIES,
        },
    }


def _words(verb: str, name: str) -> tuple[str, ...]:
    return verb_of(verb).options[name].words


def _slots() -> dict[str, list[str]]:
    return {verb: list(verb_of(verb).slots) for verb in COMPARING}


def gating(_: Server) -> dict[str, Any]:
    """Return what the gate shows; its example is that of the description of the API."""
    example = {("base_file" if name == "file" else name): value for name, value in OFFERS["gate"].example.items()}
    paper_of = {each["file"]: each["paper"] for each in tables()}[example["base_file"]]
    return {
        "form": fields_of("gate", without=_SHOWN["gate"]),
        "example": urlencode(example),
        "words": "{candidate} against {base} of {paper}, margin {margin}".format(**example, paper=paper_of),
        "told": {"kinds": kinds_of("gate", "read")},
    }


def recommending(_: Server) -> dict[str, Any]:
    """Return what the page of recommendations shows."""
    return {
        "data": suite_names(),
        "form": fields_of("recommend", without=_SHOWN["recommend"]),
        "told": {"kinds": kinds_of("recommend")},
    }


def storing(server: Server) -> dict[str, Any]:
    """Return what the page of the store shows before its scripts ask for more."""
    return {"store": server.settings.store_name, "policies": _words("order", "missing")}
