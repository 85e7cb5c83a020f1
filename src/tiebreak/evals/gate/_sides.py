"""One table of two models out of what was named as base and candidate: two sources with a model each, or one table."""

from __future__ import annotations

from dataclasses import replace

from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.results import Results, stack
from tiebreak.results.items import ignoring_clusters
from tiebreak.wording import option

BASE, CANDIDATE = "base", "candidate"


def two_sides(
    base: Results, candidate: Results | None, *, base_name: str | None = None, candidate_name: str | None = None
) -> tuple[Results, str, str]:
    """Return a table of both models and their names, that of the base first.

    Sources may hold further models; which one is meant is then told by its name. Two models of one name, such as those
    of two commits, are distinguished by their side.
    """
    if candidate is None:
        return _of_one_table(base, base_name, candidate_name)
    first, second = _chosen(base, base_name, BASE), _chosen(candidate, candidate_name, CANDIDATE)
    one, other = first.algorithms[0], second.algorithms[0]
    if one == other:
        one, other = f"{one} ({BASE})", f"{other} ({CANDIDATE})"
        first, second = replace(first, algorithms=(one,)), replace(second, algorithms=(other,))
    first, second = _same_clusters(first, second)
    return stack([first, second], sources=["the base", "the candidate"]), one, other


def _of_one_table(table: Results, base: str | None, candidate: str | None) -> tuple[Results, str, str]:
    """Take two models of one table; where there are two, one name tells both."""
    names = table.algorithms
    for name in (base, candidate):
        if name is not None and name not in names:
            raise unknown_name("algorithm", name, names)
    if len(names) < 2:
        raise OptionError(
            f"One table was given, of one model: {quoted(names)}.",
            why="A gate holds a candidate against a base.",
            mend="Give a second one, with the results of the candidate.",
        )
    if base is None and candidate is None:
        raise OptionError(
            f"One table was given, of {len(names)} models: {quoted(names)}.",
            why="A gate holds a candidate against a base.",
            mend=f"Give a second one, or name both: {option(base_name=names[0])} {option(candidate_name=names[-1])}.",
        )
    if len(names) == 2:
        other = {names[0]: names[1], names[1]: names[0]}
        base, candidate = base or other[str(candidate)], candidate or other[str(base)]
    if base is None or candidate is None or base == candidate:
        told = base if base is not None else candidate
        raise OptionError(
            f"Only {told!r} was named, and the table holds {len(names)} models: {quoted(names)}.",
            why="A gate holds a candidate against a base, which is another one.",
            mend=f"Name both: {option(base_name=names[0])} {option(candidate_name=names[-1])}.",
        )
    return table.only(algorithms=[base, candidate]), base, candidate


def _chosen(side: Results, name: str | None, what: str) -> Results:
    """Take the one model of a source, or the one that was named."""
    names = side.algorithms
    if name is not None:
        if name not in names:
            raise unknown_name(f"algorithm (of the {what})", name, names)
        return side.only(algorithms=[name])
    if len(names) == 1:
        return side
    told = {f"{what}_name": names[0]}
    raise OptionError(
        f"The {what} holds {len(names)} models: {quoted(names)}.",
        why="A gate holds one model, or one version of it, against another.",
        mend=f"Say which is meant: {option(**told)}.",
    )


def _same_clusters(first: Results, second: Results) -> tuple[Results, Results]:
    """Refuse clusters on one side only in words of this verb."""
    if (first.clusters is None) == (second.clusters is None):
        return first, second
    side = BASE if first.clusters is None else CANDIDATE
    raise InputError(
        f"The {side} has no column of clusters, the other side has one.",
        why="Which items hang together must be known of the items of both.",
        mend=f"Add the column to it, or leave clusters out of both: {ignoring_clusters()}.",
    )
