"""The results that the options name: files or a store, and the measures that were asked for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from tiebreak.cli.options import ITEM_HELP, picked, told_roles
from tiebreak.cli.reading import check_reading, needs_direction, reading
from tiebreak.errors import OptionError
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.tables import Results


def read_measures(
    arguments: argparse.Namespace, names: list[str] | None, *, also: Sequence[str] | None = (), costs: str | None = None
) -> Results:
    """Read the scores that were named; one that a file lacks is made from its counts tp, fp, tn and fn."""
    found = read_table(arguments, scores=names, also=also, costs=costs, counts=True)
    if arguments.store or all(name in found.values for name in names or ()):
        return found
    from tiebreak.tables.confusion_table import with_scores

    return with_scores(found, names or ())


def read_table(
    arguments: argparse.Namespace,
    *,
    scores: str | Sequence[str] | None,
    also: Sequence[str] | None = (),
    costs: str | None = None,
    counts: bool = False,
) -> Results:
    """Read the files that were named, or the store; with `counts` as `tiebreak.read` does."""
    if bool(arguments.results) == bool(arguments.store):
        raise OptionError(
            "Files and a store were named." if arguments.store else "No file and no store was named.",
            why="Results come from one of them.",
            mend="Leave out --store, or the files."
            if arguments.store
            else "Give a file, such as results.csv, or --store results.db.",
        )
    _check_choices(arguments)
    scale = getattr(arguments, "normalise_cost", None)
    if arguments.store:
        return on_one_scale(_read_store(arguments, scores=scores, also=also, costs=costs), scale)
    from tiebreak.reading import read
    from tiebreak.reading.taking import asking_for_a_name

    told = told_roles(arguments)
    how = {**reading(arguments), **picked(arguments), "where": arguments.where}
    with asking_for_a_name(when=needs_direction(arguments)):
        found = read(arguments.results, scores=scores, also=also, costs=costs, columns=told, counts=counts, **how)
        lacking = [name for name in also or () if name not in found.values]
        if lacking and costs is None:
            whole = read(arguments.results, scores=scores, also=None, columns=told, counts=counts, **how)
            raise _no_cost(lacking[0], whole.costs)
    return on_one_scale(found, scale)


def _no_cost(name: str, costs: Sequence[str]) -> OptionError:
    """Make the error for a cost that is no column, with the one that was meant."""
    close = get_close_matches(name, costs, n=1)
    if close:
        mend = f"Did you mean {option(cost=close[0])}?"
    elif costs:
        mend = f"Use {option(cost=costs[0])}, or read costs from a second file ({option(costs=...)})."
    else:
        mend = (
            f"The file has no cost: leave {option('cost')} out, or read costs from a second file ({option(costs=...)})."
        )
    return OptionError(f"There is no column {name!r} to be a cost.", mend=mend)


def _check_choices(arguments: argparse.Namespace) -> None:
    """Refuse options that what is read has no use for, instead of passing them over."""
    of_stores = {"resampling": "resampling", "run_seed": "run-seed", "origin": "origin", "positive_class": "positive"}
    of_stores["unfinished"] = "unfinished"
    for name, spelled in of_stores.items():
        if not arguments.store and getattr(arguments, name, None) is not None:
            raise OptionError(
                f"--{spelled} was given without --store.",
                why="It chooses among the results of a store; a file has no such column.",
                mend=f"Leave it out, or read a store: --store results.db --{spelled} ...",
            )
    if arguments.store:
        check_reading(arguments)
    told = [f"--column {each!r}" for each in arguments.column]
    told += [f"--{role} {header!r}" for role in ITEM_HELP if (header := getattr(arguments, role, None)) is not None]
    if arguments.store and told:
        raise OptionError(
            f"{told[0]} was given with --store.",
            why="It says which column of a file plays which role; a store knows its own.",
            mend="Leave it out.",
        )


def on_one_scale(found: Results, how: str | None) -> Results:
    """Put the times of several hosts on one scale, if that was asked for."""
    if how is None:
        return found
    from tiebreak.tables.hosts import on_one_scale as scaled

    return scaled(found, how)


def _read_store(
    arguments: argparse.Namespace,
    *,
    scores: str | Sequence[str] | None,
    also: Sequence[str] | None,
    costs: str | None,
) -> Results:
    """Costs from a file are joined last, to what the options chose of the store."""
    from tiebreak.reading import read, read_store
    from tiebreak.tables import with_costs

    named, chosen = [scores] if isinstance(scores, str) else scores, picked(arguments)
    found = read_store(
        arguments.store,
        scores=None if named is None or also is None else [*named, *also],
        resampling=arguments.resampling,
        seed=arguments.run_seed,
        origin=arguments.origin,
        unfinished=arguments.unfinished or "leave-out",
        positive=getattr(arguments, "positive_class", None) or getattr(arguments, "positive", None),
        datasets=chosen["datasets"],
        algorithms=chosen["algorithms"],
        where=arguments.where,
    )
    return found if costs is None else with_costs(found, read(costs))
