"""What every method is, once: question, input, what it goes with, what it promises, its papers, its function.

The choices and the help of the command line, the validity of a combination, caveats, the checks of a report, references
and the table in the docs are derived from these records. A combination that no record allows is refused.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from tiebreak.errors import OptionError, unknown_name
from tiebreak.methods import one_dataset, other, over_datasets
from tiebreak.methods.policies import DROPPING
from tiebreak.methods.record import Kind, Method
from tiebreak.wording import option

__all__ = ["METHODS", "Kind", "Method", "choices", "choices_text", "find", "goes_with", "of_kind", "papers_of"]

METHODS: tuple[Method, ...] = (
    *over_datasets.OMNIBUS,
    *over_datasets.PAIRS,
    *over_datasets.CORRECTIONS,
    *one_dataset.FOLDS,
    *one_dataset.ITEMS,
    *one_dataset.MEASURES,
    *other.SIZES,
    *other.ORDERS,
)
"""Every method."""


def of_kind(*kinds: Kind, verb: str | None = None) -> tuple[Method, ...]:
    """Return the methods of some kinds, those that a verb offers."""
    return _of_kinds(kinds, verb)


@cache
def _of_kinds(kinds: tuple[Kind, ...], verb: str | None) -> tuple[Method, ...]:
    """Look through the records once for each question: one comparison asks some fifty times."""
    return tuple(method for method in METHODS if method.kind in kinds and (verb is None or verb in method.verbs))


def choices(*kinds: Kind, verb: str | None = None) -> tuple[str, ...]:
    """Return the names to choose from, each once.

    Examples
    --------
    >>> choices("omnibus", verb="order")
    ('friedman', 'friedman-chi2', 'friedman-exact')
    """
    return tuple(dict.fromkeys(method.name for method in of_kind(*kinds, verb=verb)))


def choices_text(*kinds: Kind, verb: str | None = None) -> str:
    """List the names to choose from in words, as help texts do.

    Examples
    --------
    >>> choices_text("pairs", verb="compare")
    'ranks, conover, exact-ranks, wilcoxon, sign, wins, significant-wins, paired-t or anytime'
    """
    names = choices(*kinds, verb=verb)
    return f"{', '.join(names[:-1])} or {names[-1]}"


def find(name: str, *kinds: Kind, after: str | None = None, verb: str | None = None, what: str = "method") -> Method:
    """Return the method of that name; `after` picks the one that follows an omnibus test.

    Examples
    --------
    >>> find("ranks", "pairs", after="quade").functions
    ('quade_pairs',)
    """
    named = [method for method in of_kind(*kinds, verb=verb) if method.name == name]
    if not named:
        raise unknown_name(what, str(name), choices(*kinds, verb=verb))
    fitting = [method for method in named if after is None or after in method.follows]
    if not fitting:
        fits = tuple(dict.fromkeys(other for method in named for other in method.follows))
        others = following(after, *kinds, verb=verb)
        instead = f"another {what}: {listed(others)}" if others else f"a correction such as {option(posthoc='holm')}"
        raise OptionError(
            f"The {what} {name} does not go with the omnibus test {after}.",
            why=f"It goes with {listed(fits)} only.",
            mend=f"Use {option(omnibus=fits[0])}, or {instead}.",
        )
    return fitting[0]


def following(omnibus: str | None, *kinds: Kind, verb: str | None = None) -> tuple[str, ...]:
    """Return the names of what may follow an omnibus test."""
    return tuple(dict.fromkeys(method.name for method in of_kind(*kinds, verb=verb) if omnibus in method.follows))


def goes_with(method: Method, policy: str) -> bool:
    """Say whether a method can take what a policy for gaps leaves in the table; the ones that drop leave nothing."""
    return policy in (*method.gaps, "refuse", *DROPPING)


def papers_of(methods: Iterable[Method]) -> tuple[str, ...]:
    """Return the keys of the papers behind some methods, each once."""
    return tuple(dict.fromkeys(key for method in methods for key in method.papers))


def listed(names: Sequence[str]) -> str:
    """List names as a sentence does, with or."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}" if names else "none"
