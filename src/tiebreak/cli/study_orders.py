"""`tiebreak study orders`: which orders are found as true errors move apart?"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from tiebreak.cli import drawing
from tiebreak.cli.helping import TEST, group
from tiebreak.methods import choices_text, of_kind

if TYPE_CHECKING:
    from tiebreak.studies import OrderShares

SIMULATE = "what to simulate"


def fold_tests() -> tuple[str, ...]:
    """Name the tests of single scores of folds: what the study takes of what an order takes."""
    return tuple(m.name for m in of_kind("folds", verb="order") if m.takes == "fold scores" and m.functions)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    add = group(parser, SIMULATE).add_argument
    add("--repeats", type=int, default=1000, metavar="N", help="runs at each step (default 1000)")
    add("--steps", type=int, default=11, metavar="N", help="steps of l, from 0 to the largest (default 11)")
    add("--largest", type=float, default=0.1, metavar="X", help="the last l, at most 0.15 (default 0.1)")
    add(
        "--examples",
        type=int,
        default=100,
        metavar="N",
        help="draws that the error of a fold is a mean of (default 100)",
    )
    add("--datasets", type=int, default=30, metavar="N", help="data sets of Multi2Test and of scores (default 30)")
    add("--jobs", type=int, metavar="N", help="threads; default: the cores. The result does not depend on it")
    test = group(parser, TEST).add_argument
    tests = f"inside a data set: {', '.join(fold_tests())}; default: 5x2cv-f"
    test("--pairwise", default="5x2cv-f", metavar="TEST", help=tests)
    inner = choices_text("correction", verb="order")
    usual = "bergmann-hommel"
    test("--inner-adjust", default=usual, metavar="NAME", help=f"inside a data set: {inner}; default: {usual}")
    test("--posthoc", default=usual, metavar="NAME", help=f"over data sets: the same, or nemenyi; default: {usual}")
    drawing.add_figure(parser, kinds="orders")


def study(arguments: argparse.Namespace, progress: Callable[[str], None] | None) -> OrderShares:
    """Simulate, order, draw."""
    drawing.check_figure(arguments)
    from tiebreak.studies import order_shares

    plain = ("repeats", "steps", "largest", "pairwise", "inner_adjust", "posthoc", "alpha", "jobs")
    found = order_shares(
        **{name: getattr(arguments, name) for name in plain},
        n_examples=arguments.examples,
        n_datasets=arguments.datasets,
        rng=arguments.seed,
        progress=progress,
    )
    drawing.save_figure(found, arguments)
    return found
