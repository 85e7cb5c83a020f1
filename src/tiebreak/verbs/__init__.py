"""The verbs as records: what each takes, which function does it, and what comes back; a file per verb.

Everything that shows, checks or documents an option is derived from these. They name functions by dotted names and
import no other package, so that building one verb loads one record.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from tiebreak.verbs.records import Offer as Offer, Option as Option, Verb as Verb

VERBS = tuple(
    (
        "demo read check compare order multivariate power battles gate run store recommend report board figure study"
        " paper serve mcp completion"
    ).split()
)
"""Every verb, in the order of the help."""


@cache
def verb_of(name: str) -> Verb:
    """Return the record of a verb, or of a study, such as "study wins".

    Examples
    --------
    >>> verb_of("compare").function, [item.flag for item in verb_of("compare").flags][:3]
    ('tiebreak.compare', ['--store', '--where', '--score'])
    >>> verb_of("study wins").named("win_ties").words
    ('split', 'drop')
    """
    verb, _, study = name.partition(" ")
    module = import_module(f"tiebreak.verbs.{'studies' if study else verb}")
    result: Verb = module.STUDIES[study] if study else module.VERB
    return result


def every_verb() -> tuple[Verb, ...]:
    """Return the records of all verbs, then of all studies."""
    from tiebreak.verbs.studies import STUDIES

    return (*map(verb_of, VERBS), *STUDIES.values())
