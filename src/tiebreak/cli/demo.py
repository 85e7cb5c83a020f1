"""`tiebreak demo`: the main job on the published results that the package carries."""

from __future__ import annotations

import argparse
from pathlib import Path

from tiebreak.cli import options


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser(
        "demo",
        help="the published results of 8 algorithms on 38 data sets, compared",
        description="Compare the published results of Ulas, Yildiz and Alpaydin (2012): 8 algorithms, 38 data sets.",
        parents=[options.common()],
    )
    verb.add_argument("--out", metavar="DIR", help="also write the comparison there as Markdown")
    options.add_formats(verb, documents=False)
    verb.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Compare the published table and print."""
    from tiebreak.comparison import compare
    from tiebreak.sources import published

    found = compare(published.ulas2012(), score="accuracy", alpha=arguments.alpha)
    if arguments.out:
        folder = Path(arguments.out)
        folder.mkdir(parents=True, exist_ok=True)
        options.emit(found.to_markdown(), str(folder / "comparison.md"))
    options.stdout_utf8()
    options.emit(options.as_json(found.to_dict()) if arguments.json else str(found), None)
