"""`tiebreak study`: each study reads its own options, runs, draws, and is printed or written into a folder."""

from __future__ import annotations

import csv
import io
import os
import sys
from argparse import Namespace
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiebreak.cli.answering import Answer, as_json, check_figure, emit, form_of, save, stdout_utf8
from tiebreak.cli.parsing import parser_of
from tiebreak.cli.progress import Meter
from tiebreak.cli.sources import OF_FILES, OF_STORES, arguments_of, part_of, read_scores, settings_of
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.verbs.studies import STUDIES
from tiebreak.wording import on_the_command_line

if TYPE_CHECKING:
    from tiebreak.documents import Row, Shown
    from tiebreak.figures import Figure

_RUNNING = ("measures", "ulas2012")
"""Studies that run learners, and show how far they are as a run does."""


def study(values: Namespace) -> Answer | None:
    """Read the options of the study that was named, run it, and print what it found."""
    name = values.name
    if name not in STUDIES:
        raise unknown_name("study", name, STUDIES, limit=len(STUDIES))
    options = parser_of(f"study {name}").parse_args(values.rest)
    options.verb = f"study {name}"
    if options.seed < 0:
        raise OptionError(
            f"--seed is {options.seed}.", why="Random numbers are drawn from a seed of 0 or more.", mend="Use --seed 0."
        )
    if hasattr(options, "figure"):
        check_figure(options)
    with on_the_command_line(options.verb):
        result = _run(name, options)
        stdout_utf8()
        if is_folder(options.out):
            write_folder(result, name, options.out)
        else:
            answer = Answer(shown=(result,))
            emit(answer.in_form(form_of(options, answer)), options.out)
    return None


def _run(name: str, values: Namespace) -> Any:
    """Run the study with what it is about and its options, and draw the figure that was asked for."""
    from tiebreak.studies.result import study as function

    options = arguments_of(values)
    question = options.pop("question", None)
    if options.pop("no_run", False):
        options["run"] = False
    if name == "replicability":
        options.setdefault("jobs", os.cpu_count() or 1)
    meter = Meter() if name in _RUNNING else None
    if name == "wins":
        del options["seed"]  # nothing in it is random
    else:
        options["progress"] = meter or _steps(name)
    try:
        about, reading = _about(name, values)
        result = function(name, *about, **options, **reading)
    finally:
        if meter is not None:
            meter.end()
    if getattr(values, "figure", None):
        from tiebreak.studies.replicability_study import SHORT

        drawn = {} if question is None else {"question": dict(zip(SHORT.values(), SHORT, strict=True))[question]}
        save(result.figure(**drawn), values)
    return result


def _steps(what: str) -> Callable[[str], None] | None:
    """Return what reports the steps on standard error, where a terminal is."""
    return (lambda text: print(f"{what}: {text}", file=sys.stderr)) if sys.stderr.isatty() else None


def _about(name: str, values: Namespace) -> tuple[list[Any], dict[str, Any]]:
    """Return what a study is about, and how to read it; without, each takes what the package carries."""
    if name in ("advisor", "advice"):
        return _bases(values.base), {}
    if name == "ulas2012":
        return [values.folder] if values.folder else [], {}
    if name == "validation":
        return _validated(values)
    if name == "choices":
        tables = {
            result if ":" in result else Path(result).name.split(".")[0]: _read(values, result)
            for result in values.results
        }
        return [tables or ({"store": _read(values)} if values.store else None)], {}
    if name in ("wins", "replicability") and (values.results or values.store or values.where):
        return [_read(values)], {}
    return [], {}


def _read(values: Namespace, path: str | None = None) -> Any:
    """Read one table, or all that was named; the published one where nothing was."""
    one = copy(values)
    if path is not None or not (values.results or values.store):
        one.results, one.score = [path or "published:ulas2012"], values.score or (None if path else "accuracy")
    cost = getattr(values, "cost", None)
    return read_scores(one, None if one.score is None else [one.score], also=[cost] if cost else ())


def _bases(addresses: list[str]) -> list[Any]:
    from tiebreak.advisor import merge_knowledge, open_base

    return [merge_knowledge([open_base(address) for address in addresses])] if addresses else []


def _validated(values: Namespace) -> tuple[list[Any], dict[str, Any]]:
    from tiebreak.readers import read_store

    if not values.results:
        raise OptionError(
            "No store and no table was named.",
            why="The study compares scores of runs on two parts of the data.",
            mend="Give a store that `tiebreak run` filled, such as results.db.",
        )
    part, where = part_of(values.where)
    reading: dict[str, Any] = {**part, **({"where": where} if where else {})}
    address, which = settings_of(values.results, (*OF_STORES, *OF_FILES))
    if set(which) & set(OF_STORES):
        return [read_store(address, **which, **reading)], {}
    return [address], reading | which


# ---- into a folder


def is_folder(out: str | None) -> bool:
    """Say whether a path names a folder: one that is there, or one that ends as folders do.

    Examples
    --------
    >>> is_folder("found/"), is_folder("found.txt"), is_folder(None)
    (True, False, False)
    """
    ends = tuple(filter(None, (os.sep, os.altsep, "/")))
    return out is not None and (out.endswith(ends) or Path(out).is_dir())


def write_folder(result: Shown, name: str, out: str) -> None:
    """Write text, Markdown, JSON, the rows as CSV, and a figure for each kind that there is."""
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{error.filename or out} cannot be made: {error.strerror}.",
            why="The output goes into that folder.",
            mend="Choose another path.",
        ) from None
    data = as_json(result.to_dict())  # type: ignore[attr-defined]
    texts = {"txt": str(result), "md": result.to_markdown(), "json": data, "csv": _csv(result.rows())}
    for ending, text in texts.items():
        emit(text, str(folder / f"{name}.{ending}"))
    for kind, figure in _figures(result).items():
        stem = name if kind == name else f"{name}-{kind}"
        figure.save(folder / f"{stem}.svg")


def _figures(result: Shown) -> dict[str, Figure]:
    """A study whose figures hang on its arguments names those it has; others have one of each kind."""
    from tiebreak.figures import KINDS

    function: Callable[[], dict[str, Figure]] | None = getattr(result, "figures", None)
    return function() if function else {kind: result.figure(kind) for kind in KINDS.get(type(result).__name__, ())}


def _csv(rows: list[Row]) -> str:
    """Columns are those of the first row; a study's rows all have the same."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().rstrip("\n")
