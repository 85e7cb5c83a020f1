"""`tiebreak study advice`: what does following a recommendation cost, beside simpler ways to choose?"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from tiebreak.cli import drawing
from tiebreak.cli.helping import TEST, group
from tiebreak.cli.study_advisor import add_sources, listed, read
from tiebreak.methods import choices_text

if TYPE_CHECKING:
    from tiebreak.studies.advice_study import AdviceStudy

EXAMPLES = ("--methods portfolio", "--methods portfolio,mean-rank --always svr --figure advice.svg")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    add_sources(parser)
    add = group(parser, TEST).add_argument
    add("--methods", metavar="A,B", help=f"{choices_text('ranking')}; default: all that the base can serve")
    add("--always", default="rf", metavar="NAME", help="the algorithm that is always chosen, to compare with (rf)")
    add("--fixed", default="rf,boost,svr", metavar="A,B,C", help="the fixed list to compare with (rf,boost,svr)")
    add("--piloted", metavar="A,B,C", help="a fixed list to pilot too (rf,lightgbm,logistic; of numbers ridge)")
    add("--beside", default="catboost,boost", metavar="A,B", help="further algorithms that pilots are compared with")
    add("--floor", type=float, default=0.001, metavar="X", help="success rates below it count as it (default 0.001)")
    drawing.add_figure(parser, kinds="top-n")


def study(arguments: argparse.Namespace, progress: Callable[[str], None] | None) -> AdviceStudy:
    """Read, leave out, count."""
    drawing.check_figure(arguments)
    from tiebreak.studies import study_advice

    found = study_advice(
        read(arguments),
        methods=listed(arguments.methods),
        always=arguments.always,
        fixed=listed(arguments.fixed) or (),
        piloted=listed(arguments.piloted),
        beside=listed(arguments.beside) or (),
        floor=arguments.floor,
        seed=arguments.seed,
        progress=progress,
    )
    drawing.save_figure(found, arguments)
    return found
