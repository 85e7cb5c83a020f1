"""`tiebreak order`: a total order, each place explained by a test or by cost."""

from __future__ import annotations

import argparse
import csv
from typing import TYPE_CHECKING, Any

from tiebreak.cli import drawing, options
from tiebreak.cli.explaining import pair_of
from tiebreak.cli.helping import COMPARE, COSTS, TEST, WRITE, add_verb, group
from tiebreak.cli.table_reading import read_measures
from tiebreak.documents import finite_rows
from tiebreak.errors import InputError, OptionError
from tiebreak.methods import choices_text, of_kind

if TYPE_CHECKING:
    from tiebreak.tables import Results


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "order",
        help="from best to worst: by tests where they decide, by cost where they do not",
        description="Order algorithms by MultiTest: on the folds of one data set, or on the scores of many.",
        takes="[RESULTS ...]",
        parents=[options.table(), options.common()],
        examples=[
            "examples/ulas2012.csv --score accuracy --cost train_time",
            "examples/ulas2012.csv --score accuracy --cost train_time --margin 1% --explain svl,5nn",
        ],
    )
    _add_parts(verb)
    add_tests(verb)
    add_costs(verb)
    options.add_formats(verb)
    drawing.add_figure(verb, top=True)
    options.add_out(verb)
    verb.set_defaults(run=run)


def _add_parts(verb: argparse.ArgumentParser) -> None:
    """Add the options that say what is ordered, and what is told beside the order."""
    part, write = group(verb, COMPARE), group(verb, WRITE)
    part.add_argument("--dataset", metavar="NAME", help="order on this data set alone")
    part.add_argument("--groups", metavar="FILE", help="csv with columns dataset and group: an order for each group")
    options.add_missing(verb, "order")
    write.add_argument("--explain", metavar="A,B", help="say why one of two algorithms stands before the other")
    firm = write.add_mutually_exclusive_group()
    firm.add_argument("--stability", type=int, default=0, metavar="N", help="resample the data sets N times")
    firm.add_argument("--stability-folds", type=int, default=0, metavar="N", help="resample inside them N times")


def add_tests(verb: argparse.ArgumentParser) -> None:
    """Add the options that choose the tests over data sets and inside them."""
    add = group(verb, TEST).add_argument
    add(
        "--over",
        metavar="WAY",
        help="over data sets: scores (default), or places (the published Multi2Test, with cost inside them); models on"
        " items: items (these benchmarks), or scores (other benchmarks like these; default where there are enough)",
    )
    add("--variant", metavar="YEAR", help="2012 or 2008: the published variants by places")
    add("--margin", metavar="X", help="so much worse is good enough: 0.01 in units of the score, or 1%%")
    add(
        "--undecided",
        default="cheaper",
        metavar="WHO",
        help="with --margin, where nothing is shown: cheaper (default), costlier or better (by score) first",
    )
    options.add_family(verb)
    inside = choices_text("folds", verb="order")
    over = ", ".join(dict.fromkeys(each.name for each in of_kind("pairs", verb="compare") if each.on_own_scores))
    on_items = choices_text("items", verb="order")
    add(
        "--pairwise",
        metavar="TEST",
        help=f"over data sets: {over} (default wilcoxon); inside a data set: {inside} (several scores), by"
        f" default the one that fits its folds; on items: {on_items}, by default the one that fits",
    )
    add("--test-share", type=float, metavar="SHARE", help="hold-out: the share of examples tested on")
    corrections, outer = choices_text("correction", verb="order"), choices_text("posthoc", "correction", verb="order")
    add("--inner-adjust", metavar="NAME", help=f"correction inside each data set: {corrections}")
    add("--posthoc", metavar="TEST", help=f"over data sets: {outer}")
    omnibus = choices_text("omnibus", verb="order")
    add(
        "--omnibus", default="friedman", metavar="TEST", help=f"of all algorithms together: {omnibus}; default friedman"
    )
    options.add_scale(verb)


def add_costs(verb: argparse.ArgumentParser, *, ties: str = "refuse", missing: str = "refuse") -> None:
    """Add the options that say which costs there are and how they count; a verb may have its own defaults."""
    add = group(verb, COSTS).add_argument
    add("--cost", action="append", metavar="NAME", help="the cost; several times: most important first")
    add("--costs", metavar="FILE", help="a second file with costs per data set and algorithm")
    add("--prior", metavar="A,B,C", help="the order to use instead of costs, cheapest first")
    rules = "several costs: lexicographic, weighted, pareto"
    add("--cost-rule", default="lexicographic", metavar="RULE", help=rules)
    add("--cost-weights", metavar="W1,W2", help="for the weighted rule, one per cost")
    equal = "costs this close are equal: 0.05, or auto for what is noise"
    add("--equal-within", type=_share, default=0.0, metavar="SHARE", help=equal)
    add("--ties", default=ties, metavar="RULE", help=f"ties of cost: refuse, mean-cost, score, name (default {ties})")
    options.add_missing_costs(verb, default=missing)


def _share(text: str) -> float | str:
    """Return a number, or the word that stands for noise."""
    return text if text == "auto" else float(text)


def run(arguments: argparse.Namespace) -> None:
    """Read, order, print."""
    from tiebreak.deciding.order import order

    drawing.check_figure(arguments)
    results = read_results(arguments)
    found = order(results, **told_of(arguments, results), draws=arguments.stability or None)  # the table says the same
    draws = {"datasets": arguments.stability, "folds": arguments.stability_folds}
    firm = found.stability(**draws, rng=arguments.seed) if any(draws.values()) else None
    pair = pair_of(arguments, found.algorithms)
    if arguments.json:
        data = found.to_dict() | ({"explained": found.explain(*pair)} if pair else {})
        if firm is not None:
            data["stability"] = {"survived": firm.survived, "places": finite_rows(firm.rows())}
        text = options.as_json(data)
    elif pair:
        text = found.explain(*pair)
    else:
        text = "\n\n".join(options.written(each, arguments) for each in (found, firm) if each is not None)
    drawing.save_figure(firm if firm is not None and arguments.figure_kind == "places" else found, arguments)
    options.stdout_utf8()
    options.emit(text, arguments.out)


def read_results(arguments: argparse.Namespace) -> Results:
    """Read the scores and costs that were named."""
    no_more = arguments.prior or arguments.costs
    names = options.names_of(arguments.score)
    return read_measures(arguments, names, also=arguments.cost or (() if no_more else None), costs=arguments.costs)


def told_of(arguments: argparse.Namespace, results: Results) -> dict[str, Any]:
    """Return what `tiebreak.order` is told."""
    names = options.names_of(arguments.score)
    return options.passed(
        arguments,
        "scale baseline cost over variant margin undecided family pairwise test_share inner_adjust posthoc omnibus"
        " dataset cost_rule equal_within ties alpha missing missing_costs seed",
        score=names[0] if names and len(names) == 1 else names,
        prior=options.known_names(arguments.prior, results.algorithms),
        groups=_groups(arguments.groups) if arguments.groups else None,
        cost_weights=_weights(arguments.cost_weights),
        higher_is_better=options.direction(arguments),
    )


def _weights(text: str | None) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(",")) if text else ()
    except ValueError:
        raise OptionError(
            f"--cost-weights {text!r} holds something that is not a number.",
            why="Each cost is multiplied by its weight.",
            mend="Use --cost-weights 2,1.",
        ) from None


def _groups(path: str) -> dict[str, str]:
    """Read which data set belongs to which group."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"{path} cannot be read: {error}.", why="It says which data set is in which group.", mend="Check the path."
        ) from None
    if not rows or not {"dataset", "group"} <= set(rows[0]):
        raise InputError(
            f"{path} has no rows with the columns dataset and group.",
            why="It says which data set is in which group.",
            mend="Write a csv file with the header dataset,group.",
        )
    return {row["dataset"]: row["group"] for row in rows}
