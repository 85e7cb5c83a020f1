"""`tiebreak study`: simulations and evaluations of the procedures; each study has its own options."""

from __future__ import annotations

from tiebreak.verbs import Option, Verb
from tiebreak.verbs.studies import STUDIES

WHICH = "which study"

VERB = Verb(
    name="study",
    help="simulations and evaluations: what the procedures are worth",
    description="Run a study. "
    + " ".join(f"{name}: {study.help.rstrip('.?')}." for name, study in STUDIES.items())
    + " For its options: tiebreak study NAME --help.",
    takes="NAME",
    titles=(WHICH,),
    function="tiebreak.study",
    options=(
        Option(
            name="name", nargs="?", default="", group=WHICH, metavar="NAME", common=True, words=tuple(STUDIES),
            help="which study: {words}",
        ),
        Option(name="rest", nargs="...", group=WHICH, metavar="...", common=True, help="the options of that study"),
    ),
    examples=("error-rates --algorithms 3 --repetitions 5 --noise normal", "advisor --methods arr"),
)  # fmt: skip
