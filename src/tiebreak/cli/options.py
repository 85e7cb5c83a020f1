"""Options that several verbs share."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.documents import Shown
from tiebreak.errors import InputError, OptionError
from tiebreak.methods import choices_text
from tiebreak.methods.policies import policies_text

if TYPE_CHECKING:
    from tiebreak.tables import Results


def common() -> argparse.ArgumentParser:
    """Options of every verb."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--alpha", type=float, default=0.05, help="significance level (default 0.05)")
    shared.add_argument("--seed", type=int, default=0, help="seed of whatever is random (default 0)")
    return shared


def add_formats(verb: argparse.ArgumentParser, *, documents: bool = True) -> None:
    """Add the ways to print, of which one can be asked for."""
    one = verb.add_mutually_exclusive_group()
    one.add_argument("--json", action="store_true", help="machine output on standard output, nothing else")
    if documents:
        one.add_argument("--markdown", action="store_true", help="print Markdown")
        one.add_argument("--latex", action="store_true", help="print LaTeX")


def add_figure(
    verb: argparse.ArgumentParser, *, kinds: str = "cd, control, matrix, pvalues, scores; or order, costs"
) -> None:
    """Add the options that save a figure beside the output."""
    verb.add_argument("--figure", metavar="FILE", help="also draw: .svg, .tex (TikZ), .pdf or .png")
    verb.add_argument("--figure-kind", metavar="KIND", help=kinds)


def add_comparing(verb: argparse.ArgumentParser) -> None:
    """Add the options that choose the tests of a comparison; what there is to choose from the records say."""
    verb.add_argument("--omnibus", metavar="TEST", help=f"{choices_text('omnibus', verb='compare')}; default: by rules")
    tests = choices_text("pairs", verb="compare")
    verb.add_argument("--pairwise", metavar="TEST", help=f"what a pair is tested by: {tests}; default: by rules")
    corrections, own = choices_text("correction", verb="compare"), choices_text("posthoc", verb="compare")
    verb.add_argument(
        "--posthoc",
        metavar="TEST",
        help=f"a correction ({corrections}) or a test with its own ({own}); default: by rules",
    )
    verb.add_argument("--control", metavar="NAME", help="compare this algorithm with all others")


def add_missing(verb: argparse.ArgumentParser, name: str) -> None:
    """Add the option for gaps, with the policies that the verb takes."""
    verb.add_argument("--missing", default="refuse", metavar="POLICY", help=f"gaps: {policies_text(name)}")


def add_missing_costs(verb: argparse.ArgumentParser) -> None:
    """Add the option for missing costs."""
    policies = policies_text("costs")
    verb.add_argument("--missing-costs", default="refuse", metavar="POLICY", help=f"costs that are missing: {policies}")


def direction(arguments: argparse.Namespace) -> Any:
    """Return what was said about the direction of better: for all scores, by name in a dictionary, or None."""
    by_name = getattr(arguments, "direction", [])
    if arguments.higher_is_better or arguments.lower_is_better:
        if by_name:
            raise OptionError(
                "--direction and a direction for all measures were both given.",
                why="One says for each measure what the other says for all.",
                mend="Use --direction NAME=higher or NAME=lower for each measure.",
            )
        return bool(arguments.higher_is_better)
    out = {}
    for told in by_name:
        name, _, way = told.rpartition("=")
        if not name or way not in ("higher", "lower"):
            raise OptionError(
                f"--direction {told!r} is not of the form NAME=higher or NAME=lower.",
                why="It says which direction of one measure is better.",
                mend="Use --direction x=higher.",
            )
        out[name] = way == "higher"
    return out or None


def roles(pairs: list[str]) -> dict[str, str]:
    """Parse the values of --column."""
    out = {}
    for pair in pairs:
        role, sign, header = pair.partition("=")
        if not sign:
            raise OptionError(
                f"--column {pair!r} has no '='.",
                why="It says which header plays which role.",
                mend="Use --column dataset=task.",
            )
        out[role] = header
    return out


def emit(text: str, out: str | None) -> None:
    """Print, or write to a file and say nothing."""
    if out is None:
        print(text)
        return
    try:
        Path(out).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{error.filename or out} cannot be written: {error.strerror}.",
            why="The output goes there.",
            mend="Choose another path.",
        ) from None


def as_json(data: dict[str, Any]) -> str:
    """Write plain data as JSON; NaN and infinity never reach it."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2)


def written(each: Shown, arguments: argparse.Namespace) -> str:
    """Write a result in the format asked for."""
    if arguments.markdown:
        return each.to_markdown()
    return each.to_latex() if arguments.latex else str(each)


def stdout_utf8() -> None:
    """Names may hold any character: do not let a narrow terminal encoding break the output."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace" if sys.stdout.isatty() else "strict", encoding="utf-8")
