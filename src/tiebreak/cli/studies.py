"""`tiebreak study`: each study reads its own options, runs, draws, and is printed or written into a folder."""

from __future__ import annotations

import csv
import io
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tiebreak.cli.advising import from_files, names_of, times_of
from tiebreak.cli.answering import Answer, as_json, check_figure, emit, form_of, runner, save, stdout_utf8
from tiebreak.cli.parsing import parser_of
from tiebreak.cli.progress import Meter
from tiebreak.cli.sources import OF_FILES, OF_STORES, direction, part_of, read_scores, settings_of
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.verbs import verb_of
from tiebreak.verbs.studies import STUDIES
from tiebreak.wording import on_the_command_line

if TYPE_CHECKING:
    from tiebreak.advisor import Knowledge
    from tiebreak.documents import Row, Shown
    from tiebreak.figures import Figure

QUESTIONS = {"two": "two algorithms", "together": "all together", "pairs": "all pairs", "control": "control"}
Number = TypeVar("Number", int, float)


def study(values: Namespace) -> Answer | None:
    """Read the options of the study that was named, run it, and print what it found."""
    name = values.name
    if name not in STUDIES:
        raise unknown_name("study", name, STUDIES, limit=len(STUDIES))
    own = parser_of(f"study {name}").parse_args(values.rest)
    own.verb = f"study {name}"
    if own.seed < 0:
        raise OptionError(
            f"--seed is {own.seed}.", why="Random numbers are drawn from a seed of 0 or more.", mend="Use --seed 0."
        )
    if hasattr(own, "figure"):
        check_figure(own)
    with on_the_command_line(own.verb):
        answer = runner(verb_of(own.verb))(own)
        assert answer is not None
        stdout_utf8()
        if is_folder(own.out):
            write_folder(answer.shown[0], name, own.out)
        else:
            emit(answer.in_form(form_of(own, answer)), own.out)
    return None


def _told(values: Namespace, **more: Any) -> dict[str, Any]:
    """Return the arguments of the study that are plain values of its options."""
    skipped = ("results", "columns", "where", "higher_is_better", "seed", "plain", "prices", *more)
    found: dict[str, Any] = {}
    for each in verb_of(values.verb).options:
        if each.argument and each.flag and each.name not in skipped and each.cli:
            value = getattr(values, each.key)
            found[each.name] = names_of(value) if each.kind == "names" else value
    return found | more


def _steps(what: str) -> Callable[[str], None] | None:
    """Return what reports the steps on standard error, where a terminal is."""
    return (lambda text: print(f"{what}: {text}", file=sys.stderr)) if sys.stderr.isatty() else None


def _answer(found: Any, values: Namespace, **more: Any) -> Answer:
    """Draw the figure that was asked for; return the result."""
    if getattr(values, "figure", None):
        save(found.figure(*([values.figure_kind] if values.figure_kind else []), **more), values)
    return Answer(data=found.to_dict, shown=(found,))


# ---- simulations


def error_rates(values: Namespace) -> Answer:
    """Simulate tables, count rejections."""
    from tiebreak.studies import error_rates as function

    told = _told(values, rng=values.seed, noises=values.noise or None)
    return _answer(function(progress=_steps("simulating"), **told), values)


def orders(values: Namespace) -> Answer:
    """Simulate, order."""
    from tiebreak.studies import order_shares

    return _answer(order_shares(progress=_steps("ordering"), **_told(values, rng=values.seed)), values)


# ---- runs


def measures(values: Namespace) -> Answer:
    """Run what is missing, compare; the meter is ended here."""
    from tiebreak.studies import measure_study
    from tiebreak.studies.single_several import LEARNERS, USUAL

    meter = Meter()
    told = _told(values, algorithms=values.algorithm or LEARNERS, tests=values.tests or USUAL, seed=values.seed)
    found = measure_study(progress=meter, **told)
    meter.end()
    return _answer(found, values)


def ulas2012(values: Namespace) -> Answer:
    """Run what is missing, read."""
    from tiebreak.studies import ulas2012_study

    meter = Meter()
    told = _told(values, run=not values.no_run, seed=values.seed)
    told.pop("no_run")
    try:
        found = ulas2012_study(values.folder, progress=meter, **told)
    finally:
        meter.end()
    return _answer(found, values)


def paper(values: Namespace) -> Answer:
    """Look a paper up in the ledger."""
    from tiebreak.studies import paper as function
    from tiebreak.studies.papers.ledger import PaperLedger

    ledger = function(values.name)
    text = ledger.full() if values.full and isinstance(ledger, PaperLedger) else None
    return Answer(data=ledger.to_dict, text=text, shown=(ledger,))


# ---- studies of tables


def choices(values: Namespace) -> Answer:
    """Read every table by itself, then choose and judge."""
    from tiebreak.studies import study_choices

    def read(path: str | None) -> Any:
        one = copy(values)
        one.results = [] if path is None else [path]
        scores = None if values.score is None else [values.score]
        return read_scores(one, scores, also=[values.cost] if values.cost else ())

    tables = {each if ":" in each else Path(each).name.split(".")[0]: read(each) for each in values.results}
    tables |= {"store": read(None)} if values.store and not values.results else {}
    sizes = None if values.sizes is None else _numbers(values.sizes, int, "--sizes 8,12,20")
    told = _told(values, rng=values.seed, sizes=sizes)
    found = study_choices(tables, higher_is_better=direction(values), progress=_steps("choosing"), **told)
    return _answer(found, values)


def validation(values: Namespace) -> Answer:
    """Order on both parts."""
    from tiebreak.readers import read_store
    from tiebreak.studies import validation_study

    if not values.results:
        raise OptionError(
            "No store and no table was named.",
            why="The study compares scores of runs on two parts of the data.",
            mend="Give a store that `tiebreak run` filled, such as results.db.",
        )
    part, where = part_of(values.where)
    reading: dict[str, Any] = {**part, **({"where": where} if where else {})}
    results: Any = values.results
    address, which = settings_of(results, (*OF_STORES, *OF_FILES))
    if set(which) & set(OF_STORES):
        results, reading = read_store(address, **which, **reading), {}
    elif which:
        results, reading = address, reading | which
    told = _told(values, costs=values.cost or None, seed=values.seed)
    progress = _steps("ordering")
    found = validation_study(results, higher_is_better=direction(values), progress=progress, **told, **reading)
    return _answer(found, values)


def wins(values: Namespace) -> Answer:
    """Read, count, test."""
    from tiebreak.studies import win_matrices

    found = win_matrices(_read_or_published(values), higher_is_better=direction(values), **_told(values))
    return _answer(found, values)


def replicability(values: Namespace) -> Answer:
    """Read, draw, test."""
    from tiebreak.lab.engines import usable_cores
    from tiebreak.studies import replicability as function

    if values.question not in QUESTIONS:
        raise OptionError(
            f"--question {values.question!r} is unknown.",
            why="It says of which tests the figure is.",
            mend=f"Use one of {', '.join(QUESTIONS)}.",
        )
    told = _told(
        values,
        rng=values.seed,
        biases=None if values.bias is None else _numbers(values.bias, float, "--bias 0,5,10"),
        jobs=usable_cores() if values.jobs is None else values.jobs,
    )
    told.pop("question")
    if told["corrections"] is None:
        told.pop("corrections")
    results = _read_or_published(values)
    found = function(results, higher_is_better=direction(values), progress=_steps("drawn"), **told)
    return _answer(found, values, question=QUESTIONS[values.question])


def _read_or_published(values: Namespace) -> Any:
    """Read what was named; None where nothing was, which stands for the published table."""
    if values.results or values.store:
        return read_scores(values, None if values.score is None else [values.score])
    part, rest = part_of(values.where)
    if rest or values.column:
        raise OptionError(
            f"{'--where' if rest else '--column'} was given, and no table was named.",
            why="The published table that is taken by default is known.",
            mend="Name a table, such as results.csv, or --store results.db.",
        )
    if not any(part.values()):
        return None
    from tiebreak.readers import published

    return published.ulas2012().only(**part)


# ---- studies of advice


def advisor(values: Namespace) -> Answer:
    """Read, evaluate."""
    from tiebreak.studies import evaluate_advisor

    told = _told(
        values,
        measures="all" if values.measures == "all" else names_of(values.measures),
        neighbours=_numbers(values.neighbours, int, "--neighbours 1,5"),
        accds=_numbers(values.accd, float, "--accd 0.01,0.1"),
        alpha=values.dunn_alpha,
        seed=values.seed,
    )
    told = {name: value for name, value in told.items() if name not in ("score", "time", "meta", "origins")}
    return _answer(evaluate_advisor(_learned(values), progress=_steps("evaluating"), **told), values)


def advice(values: Namespace) -> Answer:
    """Read, leave out, count."""
    from tiebreak.studies import study_advice

    told = _told(values, fixed=names_of(values.fixed) or (), seed=values.seed)
    return _answer(study_advice(_base(values), progress=_steps("leaving out"), **told), values)


def _learned(values: Namespace) -> Knowledge:
    """Read files, or bases by name, or what ships with the package."""
    if not values.results:
        _check_alone(values)
        return _base(values)
    if values.base:
        raise OptionError("A base was named beside files.", why="The study is of one of them.", mend="Drop --base.")
    return from_files(values, time=() if values.time == "none" else times_of(values.time))


def _base(values: Namespace) -> Knowledge:
    from tiebreak.advisor import merge_knowledge, open_base, shipped_knowledge

    return merge_knowledge([open_base(each) for each in values.base]) if values.base else shipped_knowledge()


def _check_alone(values: Namespace) -> None:
    """Refuse options that say how to read files where no file is read."""
    names = ("where", "column", "higher_is_better", "lower_is_better", "meta", "origins", "score", "time")
    given = [f"--{name.replace('_', '-')}" for name in names if getattr(values, name)]
    if given:
        raise OptionError(
            f"{', '.join(given)} was given without --results.",
            why="It says how to read a table of results.",
            mend="Add --results results.csv.",
        )


def _numbers(text: str, kind: Callable[[str], Number], example: str) -> Sequence[Number]:
    """An empty list is refused as well: a study over no value would be an empty table."""
    try:
        found = [kind(part) for part in names_of(text) or ()]
    except ValueError:
        found = []
    if not found:
        raise OptionError(f"{text!r} is no list of numbers.", why="It names the values to try.", mend=f"Use {example}.")
    return found


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


def write_folder(found: Shown, name: str, out: str) -> None:
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
    data = as_json(found.to_dict())  # type: ignore[attr-defined]
    texts = {"txt": str(found), "md": found.to_markdown(), "json": data, "csv": _csv(found.rows())}
    for ending, text in texts.items():
        emit(text, str(folder / f"{name}.{ending}"))
    for kind, figure in _figures(found).items():
        stem = name if kind == name else f"{name}-{kind}"
        figure.save(folder / f"{stem}.svg")


def _figures(found: Shown) -> dict[str, Figure]:
    """A study whose figures hang on its arguments names those it has; others have one of each kind."""
    from tiebreak.figures import KINDS

    own: Callable[[], dict[str, Figure]] | None = getattr(found, "figures", None)
    return own() if own else {kind: found.figure(kind) for kind in KINDS.get(type(found).__name__, ())}


def _csv(rows: list[Row]) -> str:
    """Columns are those of the first row; a study's rows all have the same."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().rstrip("\n")
