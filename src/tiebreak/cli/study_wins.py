"""`tiebreak study wins`: who beats whom on how many data sets, and is that more than chance?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tiebreak.cli import drawing, options
from tiebreak.cli.helping import TEST, group
from tiebreak.cli.study_replicability import read_or_published
from tiebreak.methods import choices_text

if TYPE_CHECKING:
    from tiebreak.studies.win_study import WinMatrices


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    options.add_missing(parser, "study")
    test = group(parser, TEST).add_argument
    inner = (
        "what calls a win significant: 5x2cv-f, 5x2cv-t, corrected-t, kfold-t, or auto (default): what fits the folds"
    )
    test("--win-test", default="auto", metavar="TEST", help=inner)
    test("--win-ties", default="split", metavar="WAY", help="data sets without a win: split (default) or drop")
    corrections = choices_text("correction")
    test("--posthoc", default="none", metavar="NAME", help=f"correction for the number of pairs: {corrections}")
    drawing.add_figure(parser, kinds="wins")
    parser.set_defaults(verb="study")  # whose policies for gaps messages offer


def study(arguments: argparse.Namespace) -> WinMatrices:
    """Read, count, test."""
    drawing.check_figure(arguments)
    from tiebreak.studies import win_matrices

    told = options.passed(arguments, "score win_test win_ties posthoc alpha missing")
    found = win_matrices(read_or_published(arguments), higher_is_better=options.direction(arguments), **told)
    drawing.save_figure(found, arguments)
    return found
