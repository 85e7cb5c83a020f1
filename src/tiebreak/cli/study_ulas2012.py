"""`tiebreak study ulas2012`: the published experiment once more, beside what was printed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tiebreak.cli import drawing, options
from tiebreak.cli.helping import COMPARE, READ, WRITE, group
from tiebreak.cli.run_progress import Meter

if TYPE_CHECKING:
    from tiebreak.studies import Ulas2012Study

EXAMPLES = (
    "--datasets iris --algorithms c45,5nn --store few.db",
    "--datasets iris --algorithms c45,5nn --store few.db --no-run --figure ranks.svg --json",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this study."""
    read, part, write = group(parser, READ), group(parser, COMPARE), group(parser, WRITE)
    files = "a folder of data files, named as in the paper; default: iris, wine, balance, monks, tictactoe and titanic"
    read.add_argument("folder", nargs="?", metavar="DIR", help=files + ", which need no file")
    whole = "all data sets of the folder, 30 CPU minutes for all 38 of the paper; default: those of up to 1,000 rows"
    part.add_argument("--full", action="store_true", help=whole)
    part.add_argument("--datasets", metavar="A,B", help="only these, whatever their size")
    part.add_argument("--algorithms", metavar="A,B", help="only these of c45, mdt, mlp, lnp, svl, sv2, svr and 5nn")
    kernel = "of the kernel of sv2, (gamma x.y + coef0)^2: 0 (default), as the printed accuracies suggest, or 1"
    part.add_argument("--coef0", type=int, choices=(0, 1), default=0, help=kernel)
    part.add_argument("--jobs", type=int, metavar="N", help="cells at a time; default: the cores")
    kept = "keep the runs there, and run only what it lacks (default ulas2012.db)"
    write.add_argument("--store", default="ulas2012.db", metavar="URL", help=kept)
    write.add_argument("--no-run", action="store_true", help="run nothing; read what the store holds")
    drawing.add_figure(parser, kinds="", what="also draw the mean ranks")


def study(arguments: argparse.Namespace) -> Ulas2012Study:
    """Run what is missing, read, draw; the meter is handed in and ended here."""
    drawing.check_figure(arguments)
    from tiebreak.studies import ulas2012_study

    meter = Meter()
    try:
        found = ulas2012_study(
            arguments.folder,
            full=arguments.full,
            algorithms=options.names_of(arguments.algorithms),
            datasets=options.names_of(arguments.datasets),
            store=arguments.store,
            run=not arguments.no_run,
            coef0=arguments.coef0,
            alpha=arguments.alpha,
            seed=arguments.seed,
            jobs=arguments.jobs,
            progress=meter,
        )
    finally:
        meter.end()
    drawing.save_figure(found, arguments)
    return found
