"""`tiebreak order`: from best to worst, by score where the difference is worth its cost, by cost where it is not."""

from __future__ import annotations

import argparse
import csv
from typing import TYPE_CHECKING, Any

from tiebreak.cli import drawing, options
from tiebreak.cli.explaining import pair_of
from tiebreak.cli.helping import COMPARE, COSTS, TEST, WRITE, add_verb, group
from tiebreak.cli.table_reading import read_measures
from tiebreak.documents.writing import as_text
from tiebreak.errors import InputError
from tiebreak.methods import choices_text, of_kind

if TYPE_CHECKING:
    from tiebreak.tables import Results


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = add_verb(
        verbs,
        "order",
        help="from best to worst: by score where the difference is worth its cost, by cost where it is not",
        description="Order algorithms from best to worst: by score where the difference is worth its cost, by cost"
        " where it is not. The published rules are --rule multitest and --rule multi2test.",
        takes="[RESULTS ...]",
        parents=[options.table(), options.common()],
        examples=[
            "examples/ulas2012.csv --score accuracy --cost train_time",
            "examples/ulas2012.csv --score accuracy --cost train_time --rule multitest --explain svl,5nn",
        ],
    )
    _add_parts(verb)
    add_tests(verb)
    add_costs(verb)
    options.add_formats(verb)
    drawing.add_figure(verb, kinds="frontier, cd (places of Multi2Test), order or scores", top=True)
    options.add_out(verb)
    verb.set_defaults(run=run)


def _add_parts(verb: argparse.ArgumentParser) -> None:
    """Add the options that say what is ordered, and what is told beside the order."""
    part, write = group(verb, COMPARE), group(verb, WRITE)
    part.add_argument("--dataset", metavar="NAME", help="order on this data set alone")
    part.add_argument("--groups", metavar="FILE", help="csv with columns dataset and group: an order for each group")
    options.add_missing(verb, "order")
    write.add_argument("--explain", metavar="A,B", help="say why one of two algorithms stands before the other")
    write.add_argument("--full", action="store_true", help="everything: reasons, frontier, tests, caveats, references")


def add_tests(verb: argparse.ArgumentParser) -> None:
    """Add the options that choose the tests over data sets and inside them."""
    add = group(verb, TEST).add_argument
    add_rule(verb)
    inside = choices_text("folds", verb="order")
    over = ", ".join(dict.fromkeys(each.name for each in of_kind("pairs", verb="compare") if each.on_own_scores))
    on_items = choices_text("items", verb="order")
    add(
        "--pairwise",
        metavar="TEST",
        help=f"over data sets: {over} (default wilcoxon), or folds (of these data sets together); inside a data set:"
        f" {inside} (several scores), by"
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


def add_rule(verb: argparse.ArgumentParser) -> None:
    """Add the options of the rule: which one, and what ten times the cost must buy."""
    add = group(verb, COSTS).add_argument
    add("--trade", metavar="X", help="what ten times the cost must buy: 1%% of the score (default) or 0.5pt")
    add("--accd", type=float, metavar="X", help="the same as in the papers: --accd 0.01 is --trade 1%%")
    rules = "worth (default), multitest (Yildiz, Alpaydin 2006) or multi2test (Ulas, Yildiz, Alpaydin 2012)"
    add("--rule", metavar="RULE", help=rules)
    add("--variant", metavar="YEAR", help="2012 or 2008: the published variants of Multi2Test")


def add_costs(verb: argparse.ArgumentParser, *, missing: str = "refuse") -> None:
    """Add the options that say which costs there are; a verb may have its own defaults."""
    add = group(verb, COSTS).add_argument
    add("--cost", action="append", metavar="NAME", help="the cost; several times with worth: --cost price=1%% ...")
    add("--costs", metavar="FILE", help="a second file with costs per data set and algorithm")
    add("--prior", metavar="A,B,C", help="the order to use instead of costs, cheapest first")
    options.add_missing_costs(verb, default=missing)


def run(arguments: argparse.Namespace) -> None:
    """Read, order, print."""
    from tiebreak.ordering import order

    drawing.check_figure(arguments)
    results = read_results(arguments)
    ordering = order(results, **told_of(arguments, results))
    pair = pair_of(arguments, ordering.algorithms)
    if arguments.json:
        text = options.as_json(ordering.to_dict() | ({"explained": ordering.explain(*pair)} if pair else {}))
    elif pair:
        text = ordering.explain(*pair)
    elif arguments.full:
        text = as_text(ordering.document())
    else:
        text = options.written(ordering, arguments)
    drawing.save_figure(ordering, arguments)
    options.stdout_utf8()
    options.emit(text, arguments.out)


def read_results(arguments: argparse.Namespace) -> Results:
    """Read the scores and costs that were named."""
    from tiebreak.ordering import cost_and_trades

    no_more = arguments.prior or arguments.costs
    names, costs = options.names_of(arguments.score), cost_and_trades(arguments.cost)[0]
    return read_measures(arguments, names, also=costs or (() if no_more else None), costs=arguments.costs)


def told_of(arguments: argparse.Namespace, results: Results) -> dict[str, Any]:
    """Return what `tiebreak.order` is told."""
    names = options.names_of(arguments.score)
    return options.passed(
        arguments,
        "scale baseline cost trade accd rule variant pairwise test_share inner_adjust posthoc omnibus dataset alpha"
        " missing missing_costs seed",
        score=names[0] if names and len(names) == 1 else names,
        prior=options.known_names(arguments.prior, results.algorithms),
        groups=_groups(arguments.groups) if arguments.groups else None,
        higher_is_better=options.direction(arguments),
    )


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
