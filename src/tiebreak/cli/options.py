"""Options that several verbs share."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from tiebreak.cli.helping import COMPARE, COSTS, READ, TEST, WRITE, group, titled
from tiebreak.cli.reading import add_reading
from tiebreak.documents import Shown
from tiebreak.errors import InputError, OptionError
from tiebreak.methods import choices_text
from tiebreak.methods.policies import OF_VERB, policies_text


def common() -> argparse.ArgumentParser:
    """Options of every verb."""
    parent = titled()
    shared = group(parent, TEST)
    shared.add_argument("--alpha", type=float, default=0.05, metavar="X", help="significance level (default 0.05)")
    shared.add_argument("--seed", type=int, default=0, metavar="N", help="seed of whatever is random (default 0)")
    return parent


def add_formats(verb: argparse.ArgumentParser, *, documents: bool = True) -> None:
    """Add the ways to print, of which one can be asked for."""
    one = group(verb, WRITE).add_mutually_exclusive_group()
    one.add_argument("--json", action="store_true", help="machine output on standard output, nothing else")
    if documents:
        one.add_argument("--markdown", action="store_true", help="print Markdown")
        one.add_argument("--latex", action="store_true", help="print LaTeX")


def add_out(verb: argparse.ArgumentParser) -> None:
    """Add the option that names the file to write to."""
    group(verb, WRITE).add_argument("-o", "--out", metavar="FILE", help="write there instead of to standard output")


def add_comparing(verb: argparse.ArgumentParser) -> None:
    """Add the options that choose the tests of a comparison; what there is to choose from the records say."""
    test = group(verb, TEST)
    first, tests = choices_text("omnibus", verb="compare"), choices_text("pairs", verb="compare")
    test.add_argument("--omnibus", metavar="TEST", help=f"of all algorithms together: {first}; default: friedman")
    test.add_argument("--pairwise", metavar="TEST", help=f"what a pair is tested by: {tests}; default: wilcoxon")
    corrections, own = choices_text("correction", verb="compare"), choices_text("posthoc", verb="compare")
    test.add_argument(
        "--posthoc",
        metavar="TEST",
        help=f"a correction ({corrections}) or a test with its own ({own}); default: bergmann-hommel or shaffer,"
        " holm against a control",
    )
    group(verb, COMPARE).add_argument("--control", metavar="NAME", help="compare this algorithm with all others")


def add_wins(verb: argparse.ArgumentParser) -> None:
    """Add the options that say which wins count, where wins are counted."""
    add = group(verb, TEST).add_argument
    inner = (
        "count only wins that a test of the folds calls significant: 5x2cv-f, 5x2cv-t, corrected-t, kfold-t, or auto"
        " (what fits the folds)"
    )
    add("--win-test", metavar="TEST", help=inner)
    add("--win-ties", metavar="WAY", help="data sets without a win: split between both, or drop")


def add_missing(verb: argparse.ArgumentParser, name: str) -> None:
    """Add the option for gaps, with the policies that the verb takes."""
    gaps = f"gaps: {policies_text(name)}"
    group(verb, COMPARE).add_argument("--missing", default=OF_VERB[name][0], metavar="POLICY", help=gaps)


def add_missing_costs(verb: argparse.ArgumentParser, *, default: str = "refuse") -> None:
    """Add the option for missing costs."""
    gaps = f"costs that are missing: {policies_text('costs')}"
    gaps += "" if default == "refuse" else f"; default {default}"
    group(verb, COSTS).add_argument("--missing-costs", default=default, metavar="POLICY", help=gaps)


def add_scale(verb: argparse.ArgumentParser) -> None:
    """Add the options that say how scores of different data sets are put side by side."""
    test = group(verb, TEST)
    test.add_argument(
        "--scale",
        default="auto",
        metavar="KIND",
        help="what pairs are tested on over data sets: as-is, distance, normalised or sign; auto (default): distance"
        " where metrics or scales differ, else as-is",
    )
    test.add_argument(
        "--baseline", metavar="NAME", help="the algorithm whose normalised score is 0 (default: the median one)"
    )


def table(*, one_score: bool = True) -> argparse.ArgumentParser:
    """Options that say how to read a table of results."""
    parent = titled()
    shared = group(parent, READ)
    kinds = "csv, xlsx, ods, json, parquet, LaTeX, Markdown, HTML or text, in long or wide form; - is standard input;"
    kinds += " logs of Inspect, lm-eval, promptfoo, SWE-bench, HELM, Aider or OpenAI evals; folders of logs or tables"
    carried = "published:ulas2012 and published:demsar2006 are tables that the package carries (published: lists them)"
    shared.add_argument("results", nargs="*", metavar="RESULTS", help=f"{kinds}; {carried}")
    shared.add_argument(
        "--store", metavar="URL", help="read a store instead: results.db, sqlite:///..., postgresql://..."
    )
    _add_choices(parent)
    add_reading(shared)
    if one_score:
        shared.add_argument("--score", metavar="NAME", help="the score to use; names the one score of a wide table")
        shared.add_argument(
            "--positive",
            dest="positive_class",
            metavar="CLASS",
            help="of a store: the positive class of scores that are made from confusion matrices, such as tpr",
        )
    shared.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="ROLE=HEADER",
        help="which column plays which role, such as dataset=task, algorithm=framework, replication=seed; metric=HEADER"
        " names the metric of each data set's scores",
    )
    _add_items(shared)
    shared.add_argument("--higher-is-better", action="store_true", help="needed where the score's name does not tell")
    shared.add_argument("--lower-is-better", action="store_true", help="the same for losses and errors")
    shared.add_argument(
        "--direction",
        action="append",
        default=[],
        metavar="NAME=higher|lower",
        help="the same for one measure, or for one metric of the metric column; may be repeated",
    )
    return parent


def _add_items(shared: argparse._ActionsContainer) -> None:
    """Add the options that name the columns of items; those of that very name are found without."""
    for role, text in ITEM_HELP.items():
        shared.add_argument(f"--{role}", metavar="HEADER", help=text)


ITEM_HELP = {
    "item": "models on the same items: the column that names these (question, task); one called item needs no word",
    "cluster": "of items: the column of their cluster (document, repository, prompt); none ignores known ones",
    "epoch": "of items: the column that counts repeated answers, which are averaged; none keeps seeds of logs apart",
}


def told_roles(arguments: argparse.Namespace) -> dict[str, str]:
    """Return which header plays which role, by --column and by the options of items."""
    named = {role: getattr(arguments, role, None) for role in ITEM_HELP}
    return roles(arguments.column) | {role: header for role, header in named.items() if header is not None}


def add_where(shared: argparse._ActionsContainer) -> None:
    """Add the option that chooses rows."""
    shared.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="CONDITION",
        help='only rows that meet it, such as "imputed == False"; also !=, <, <=, >, >=, in; repeat it for more',
    )


def _add_choices(parent: argparse.ArgumentParser) -> None:
    """Add the options that choose a part of what a table or a store holds."""
    shared, part = group(parent, READ), group(parent, COMPARE)
    add_where(shared)
    part.add_argument("--datasets", metavar="A,B", help="only these data sets; in a store also by fingerprint")
    part.add_argument("--algorithms", metavar="A,B", help="only these algorithms; in a store also by fingerprint")
    hosts = "times of several hosts: hosts (put on one scale by how fast each is) or none (taken as they are)"
    shared.add_argument("--normalise-cost", metavar="WAY", help=hosts)
    shared.add_argument("--resampling", metavar="TEXT", help="which resampling of a store that holds several")
    shared.add_argument(
        "--run-seed", type=int, metavar="N", help="the runs with this seed, where a store holds several"
    )
    shared.add_argument(
        "--origin", action="append", metavar="NAME", help="whose results of a store: lab, or an import; repeatable"
    )
    not_run = "data sets of a store that are not run to the end: leave-out (default) or gaps"
    shared.add_argument("--unfinished", metavar="WAY", help=not_run)


def picked(arguments: argparse.Namespace) -> dict[str, list[str] | None]:
    """Return the data sets and algorithms that were named, None where all are meant."""
    told = {"datasets": arguments.datasets, "algorithms": arguments.algorithms}
    found = {role: None if text is None else [part.strip() for part in text.split(",")] for role, text in told.items()}
    for role, names in found.items():
        if names is not None and not all(names):
            raise OptionError(
                f"--{role} {told[role]!r} holds an empty name.",
                why="Each is named once, with commas between.",
                mend=f"Use --{role} NAME,NAME.",
            )
    return found


def passed(arguments: argparse.Namespace, names: str, **more: Any) -> dict[str, Any]:
    """Return the options that a function takes under their own names, and what it takes under others."""
    return {name: getattr(arguments, name) for name in names.split()} | more


def names_of(text: str | None) -> list[str] | None:
    """Split names with commas between; None where none were given."""
    return [name.strip() for name in text.split(",")] if text else None


def known_names(text: str | None, known: Sequence[str]) -> list[str] | None:
    """Read names with commas between them; a known name may hold commas itself, as in "AutoGluon (best, 4h)"."""
    parts, names = (text or "").split(","), []
    while parts:
        joined = (",".join(parts[:count]).strip() for count in range(len(parts), 0, -1))
        longest = next((name for name in joined if name in known), None)
        if longest is None:
            return names_of(text)  # a name that is not known is refused where it is used
        names.append(longest)
        parts = parts[longest.count(",") + 1 :]
    return names


def direction(arguments: argparse.Namespace) -> Any:
    """Return what was said about the direction of better: for all scores, by name in a dictionary, or None."""
    by_name = getattr(arguments, "direction", [])
    if arguments.higher_is_better and arguments.lower_is_better:
        raise OptionError(
            "--higher-is-better and --lower-is-better were both given.",
            why="Only one of them can be true.",
            mend="Leave one out; for measures of both kinds use --direction NAME=higher or NAME=lower.",
        )
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
                mend=f"Use --direction {name or told}=higher or --direction {name or told}=lower.",
            )
        out[name] = way == "higher"
    return out or None


def roles(pairs: list[str]) -> dict[str, str]:
    """Parse the values of --column."""
    return split_pairs(
        "--column", pairs, str.partition, why="It says which header plays which role.", such_as="dataset=task"
    )


def split_pairs(
    option: str, pairs: list[str], split: Callable[[str, str], tuple[str, str, str]], *, why: str, such_as: str
) -> dict[str, str]:
    """Split values of the form NAME=VALUE; `split` says at which of several signs, the first or the last."""
    out = {}
    for pair in pairs:
        name, sign, value = split(pair, "=")
        if not sign:
            raise OptionError(
                f"{option} {pair!r} has no '='.", why=why, mend=f"Use {option} {such_as}, or leave it out."
            )
        out[name] = value
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


_INDENT: ContextVar[int | None] = ContextVar("_INDENT", default=2)


def as_json(data: dict[str, Any]) -> str:
    """Write plain data as JSON; NaN and infinity never reach it."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=_INDENT.get())


@contextmanager
def json_on_one_line() -> Iterator[None]:
    """Write JSON for a program that reads it itself: without lines it is written six times as fast."""
    before = _INDENT.set(None)
    try:
        yield
    finally:
        _INDENT.reset(before)


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
