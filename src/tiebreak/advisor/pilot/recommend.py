"""`tiebreak.recommend`: past results say what to fit first, a few fits on the rows themselves which one to use."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tiebreak.advisor import (
    Advisor,
    Knowledge,
    Recommendation,
    merge_knowledge,
    open_base,
    shipped_knowledge,
)
from tiebreak.advisor.advisor import loaded
from tiebreak.advisor.bases import is_store
from tiebreak.advisor.meta_table import names_of
from tiebreak.advisor.pilot.fits import TRIVIAL, Contest, Fits, JudgedBy, prepared
from tiebreak.advisor.pilot.piloted import SAME, Piloted, PilotedRecommendation
from tiebreak.advisor.pilot.variants import variants
from tiebreak.advisor.rankings import accd_from
from tiebreak.advisor.success_rates import SCORES, kind_of_score
from tiebreak.advisor.worth import PUBLISHED
from tiebreak.budgets import budget_from
from tiebreak.caveats import Caveat, distinct
from tiebreak.datasets import DataSet
from tiebreak.datasets.references import DataReference
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.lab.algorithms import catalogue, describe, spec_of
from tiebreak.lab.algorithms.specs import fingerprint
from tiebreak.lab.engines import LocalEngine
from tiebreak.lab.fitting import fitting_code
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.advisor.pilot.tried_out import TriedOut

LAB = ("sklearn", "sqlalchemy", "cloudpickle", "psutil")
"""What the extra `lab` installs."""
USUAL = "5s"
"""The length of a pilot."""
_OF_RANKINGS = ("method", "budget")
"""Options that ask for a ranking by past results: with them nothing is fitted unless a pilot is asked for."""
_HEAD_START = 0.05
"""Seconds to send a helper what it needs: it loads its libraries while the data are described."""
_COLUMNS = ("symbolic", "drop", "keep")


@as_came_in
def recommend_piloted(
    advisor: Advisor | Knowledge | str | Path | None,
    X: DataSet | DataReference | str | Path | Any,
    y: Sequence[object] | None = None,
    *,
    pilot: str | float | None = None,
    seed: int = 0,
    learners: Mapping[str, Any] | None = None,
    target: str | None = None,
    name: str | None = None,
    kind: str | None = None,
    source: DataReference | None = None,
    **options: Any,
) -> Recommendation | PilotedRecommendation:
    """Recommend an algorithm for data, after a pilot of a few fits on their rows.

    Formula: that of `tiebreak.advisor.pilot.Race`: a prior from past results, the next fit by the largest knowledge
    gradient per predicted second, the answer by the largest posterior mean among those that were fitted. With a trade
    `accd` all of that is of score - AccD log10(seconds): measured seconds, predicted ones before a fit. The most
    frequent class (or the mean) is compared at no cost: an algorithm that is not expected to be better is not the
    answer. A fifth of the rows is held out; no choice sees it, and the score that is printed is measured there.

    Assumptions: rows are exchangeable, or the data name their groups. Of data above 5,000 rows a sample is fitted.
    When not to use it: for a final estimate of a tuned model.

    Parameters
    ----------
    advisor : Advisor, Knowledge, path or None
        What to learn from; None: the base that ships with the package.
    X, y
        The data, as in `Advisor.recommend`.
    pilot : str or float, optional
        Seconds that the fits may take; 0 leaves the pilot out. By default 5 s, and none where a ranking `method` or a
        `budget` is given. Without the packages of the extra `lab` there is none.
    seed : int, default 0
        Of sample, splits and learners.
    learners : mapping, optional
        What names of the base stand for, where the lab has no learner of the name.
    target, name, kind
        As in `Advisor.recommend`.
    source : DataReference, optional
        Where a `DataSet` was read from, so that the code can read it again.
    **options
        Further options of `Advisor.recommend`.

    Returns
    -------
    PilotedRecommendation, or Recommendation without a pilot
        With a caveat that says why, where one was asked for and could not be made.

    References
    ----------
    frazier2009

    Examples
    --------
    >>> result = recommend_piloted(None, "builtin:wine", pilot="5s", algorithms=["lda", "c45"], exclude=["wine"])
    >>> result.best, result.held_out > result.trivial_held_out
    ('lda', True)
    """
    seconds = _seconds_of(pilot, options)
    current = advisor if isinstance(advisor, Advisor) else Advisor(advisor)
    about_data: dict[str, Any] = {"target": target, "name": name, "kind": kind}
    about_data |= {key: options.pop(key) for key in _COLUMNS if key in options}
    if y is None and isinstance(X, Mapping):  # meta-attributes: there are no rows to fit on
        return current.recommend(X, **about_data, **options)
    absent = [item for item in LAB if find_spec(item) is None]
    if seconds == 0 or absent:
        result = current.recommend(loaded(X, y, about_data)[0], **options)
        why, mend = f"{', '.join(absent)} not installed", "pip install 'tiebreak[lab]'"
        return result if seconds == 0 else _unpiloted(result, why, mend)
    engine = LocalEngine(jobs=1)
    with engine:
        engine.start(_HEAD_START)
        data, read_from = loaded(X, y, about_data)
        gone = [*names_of(options.pop("exclude", ())), *_itself(current, data)]
        result = current.recommend(data, exclude=gone, **options)
        known = current.knowledge(data.kind).only(algorithms=result.algorithms).without(datasets=gone)
        there = installed(known.algorithms, data, learners)
        try:
            pilot_run = prepared(data, result, known, there.specs, seed=seed, accd=float(options.get("accd") or 0.0))
        except InputError as error:
            return _unpiloted(result, str(error).partition("\n")[0], "")
        engine.start()
        pilot_run.go(engine, seconds)
    if not pilot_run.race.fitted:
        why = "; ".join(f"{name}: {text}" for name, text in list(pilot_run.failed.items())[:2])
        why = f"none ended in {seconds:g} s{f', {why}' if why else ''}"
        return _unpiloted(result, why, f"Try {option(pilot='1min')}.")
    parts = pilot_run.parts
    about = {"source": source or read_from, "trivial_held_out": pilot_run.trivial_held_out}
    fields = answer_fields(pilot_run, result, there, data, **about)  # type: ignore[arg-type]
    folds = len(pilot_run.fits[fields["best"]].scores) if fields["best"] else 0
    return PilotedRecommendation(
        **fields,
        held_out_rows=len(parts.test),
        measured_rows=sum(len(fold.validation) for fold in parts.folds[:folds]),
        n_rows=pilot_run.data.n_rows,
        seconds=pilot_run.spent,
        budget=seconds,
        caveats=distinct((*parts.caveats, *result.caveats)),
    )


def _seconds_of(pilot: str | float | None, options: Mapping[str, Any]) -> float:
    """Return the seconds of a pilot as given, else those that go with the other options."""
    if pilot is None:
        return 0.0 if any(options.get(name) is not None for name in _OF_RANKINGS) else pilot_seconds(USUAL)
    return pilot_seconds(pilot)


def pilot_seconds(pilot: str | float) -> float:
    """Return the seconds of a pilot; a bare number is seconds, and 0 means none.

    Examples
    --------
    >>> pilot_seconds("5s"), pilot_seconds(0), pilot_seconds("1min")
    (5.0, 0.0, 60.0)
    """
    if pilot in (0, "0", "0s", "none"):
        return 0.0
    try:
        budget = budget_from(float(pilot) if isinstance(pilot, (int, float)) else pilot)
    except OptionError:
        budget = None
    if isinstance(pilot, bool) or budget is None or budget.kind == "cpu":
        raise OptionError(
            f"{option('pilot')} is {pilot!r}.",
            why="It is the time that fits on your rows may take.",
            mend=f"Use {option(pilot='5s')}, or {option(pilot='0')} for none.",
        )
    return float(budget.seconds)


def _unpiloted(recommendation: Recommendation, why: str, mend: str) -> Recommendation:
    """Say in one line what a pilot would add, and why there is none."""
    text = f"No fits on your rows were made ({why}): they halve what a first choice loses."
    return replace(recommendation, caveats=(Caveat("not-piloted", f"{text} {mend}".strip()), *recommendation.caveats))


def _itself(advisor: Advisor, data: DataSet) -> list[str]:
    """Name the data themselves in the base: a pilot measures what they would tell; none where nothing else is known."""
    base = advisor.knowledge(data.kind)
    names = [name for name, mark in zip(base.datasets, base.fingerprints, strict=True) if mark == data.fingerprint]
    return names if len(names) < len(base.datasets) else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The learners that can be fitted here, the names whose libraries are missing, what installs them, other names."""

    specs: dict[str, AlgorithmSpec]
    missing: tuple[str, ...]
    install: str
    strange: tuple[str, ...]


def installed(names: Sequence[str], data: DataSet, learners: Mapping[str, Any] | None) -> Installed:
    """Find the learner behind every name: as given in `learners`, or the one or the variant of the catalogue.

    Nothing that a store says of an algorithm is turned back into one: a store is data, and a learner a program.
    """
    entries: dict[str, Any] = {entry.name: entry.name for entry in catalogue(data.kind)}
    for name in tuple(entries):
        entries |= variants(name)
    entries |= learners or {}
    specs: dict[str, AlgorithmSpec] = {}
    missing, extras = [], set()
    for name in names:
        if name not in entries:
            continue
        try:
            specs[name] = replace(spec_of(entries[name]), name=name, kind=data.kind)
            fingerprint(specs[name])
        except OptionError:
            extra = "" if name in (learners or {}) else describe(name.partition(" (")[0], kind=data.kind).extra
            if not extra:
                raise
            missing.append(name)
            extras.add(extra)
    return Installed(
        specs=specs,
        missing=tuple(missing),
        install=f"pip install 'tiebreak[{','.join(['lab', *sorted(extras)])}]'" if missing else "",
        strange=tuple(name for name in names if name not in entries),
    )


def answer_fields(
    contest: Contest,
    recommendation: Recommendation,
    there: Installed,
    data: DataSet,
    *,
    source: DataReference | None,
    trivial_held_out: float | None = None,
) -> dict[str, Any]:
    """Return what every answer holds: the algorithm to use, what it is expected to lose, and the rest."""
    race, judged, trivial = contest.race, contest.judged, float(np.mean(contest.trivial))
    now, expected = race.posterior(), race.expected()
    above = tuple(i for i in race.fitted if expected[i] > judged.success(trivial) and contest.beats_trivial(i))
    chosen = now.best(above or race.fitted or race.listed)
    mean, most = race.loss(chosen) if race.fitted else (math.nan, math.nan)
    name = contest.names[chosen]
    fits = contest.fits.get(name, Fits())
    held = float(np.mean(fits.held_out)) if fits.held_out else None
    better = bool(above) and not _below(held, trivial_held_out, judged)
    places = range(len(contest.names))
    order = sorted(places, key=lambda i: (i not in race.fitted, -round(float(now.relative[i]), 12), i))
    if above and not better:
        order = [chosen, *(i for i in order if i != chosen)]
    rows = [
        _row(contest, i, float(expected[i]), float(now.relative[i] - now.relative[chosen]))
        for i in order
        if i not in race.failed
    ]
    if fits.errors and held:  # what is printed are errors on the held-out rows, in their own unit
        judged = replace(judged, trivial_error=float(np.mean(fits.errors)) / held)
    return {
        "recommendation": recommendation,
        "best": name if better else None,
        "algorithms": tuple(rows),
        "trivial": trivial,
        "held_out": held if better else None,
        "trivial_held_out": trivial_held_out,
        "expected_loss": mean,
        "loss_at_most": most,
        "fits": len(race.measured),
        "known": contest.known,
        "limited": contest.limited,
        "untried": tuple(row.algorithm for row in rows if not row.folds),
        "missing": tuple(item for item in there.missing if item not in TRIVIAL),
        "install": there.install,
        "failed": dict(contest.failed),
        "code": fitting_code(contest.specs[name], data, source=source, seed=contest.seed) if better else None,
        "judged": judged,
    }


def _below(held: float | None, trivial: float | None, judged: JudgedBy) -> bool:
    """Tell whether an answer is worse than the trivial one on rows that no choice saw: then it is none."""
    return held is not None and trivial is not None and judged.ahead(held, trivial) < -SAME


def _row(contest: Contest, place: int, expected: float, ahead: float) -> Piloted:
    """Return what is known of one algorithm; success rates are turned back into the score."""
    name, race = contest.names[place], contest.race
    fits = contest.fits.get(name, Fits())
    predicted = contest.predicted[place] if place < len(contest.predicted) else math.nan
    return Piloted(
        algorithm=name,
        expected=contest.judged.score_of(expected),
        after_trade=ahead if race.accd else None,
        score=float(np.mean(fits.scores)) if fits.scores else None,
        folds=len(fits.scores),
        held_out=float(np.mean(fits.held_out)) if fits.held_out else None,
        seconds=float(np.mean(fits.seconds)) if fits.seconds else None,
        predicted=predicted if np.isfinite(predicted) else None,
    )


Base: TypeAlias = Knowledge | str | Path


def recommend(
    data: DataSet | DataReference | str | Path | Any = None,
    y: Sequence[object] | None = None,
    *,
    target: str | None = None,
    kind: str | None = None,
    drop: Sequence[str] | None = None,
    keep: Sequence[str] | str | None = None,
    known: str | None = None,
    base: Base | Sequence[Base] = (),
    score: str | None = None,
    trade: str | None = None,
    accd: float | None = None,
    method: str | None = None,
    neighbours: int | str | None = "auto",
    measures: str | Sequence[str] | None = None,
    exclude: str | Sequence[str] = (),
    algorithms: Sequence[str] | None = None,
    budget: str | float | None = None,
    pilot: str | float | None = None,
    variant: str | None = None,
    run: str | float | None = None,
    stop_below: float | None = None,
    jobs: int | None = None,
    alpha: float = 0.05,  # noqa: ARG001  every verb takes it; nothing is tested here
    seed: int = 0,
    **more: Any,
) -> Recommendation | PilotedRecommendation | TriedOut:
    """Recommend an order of algorithms for new data, from past results on similar data; with `run`, try it out.

    Parameters
    ----------
    data : path, frame or DataSet
        The new data; a path may be anything that a plan can name, such as "builtin:iris".
    y : sequence, optional
        The target, where `data` does not hold it.
    target, kind, drop, keep : optional
        The column to predict, what it is ("classes" or "number"), columns to leave out, and to keep.
    known : str, optional
        A known data set as if it were new, instead of `data`.
    base : Knowledge, address, or a sequence of them
        What to learn from, as `tiebreak.advisor.open_base` takes it; by default the base that ships.
    score : str, optional
        What the base that ships is about, and what data are judged by: "accuracy", "auc" or "log_loss".
    trade : str, optional
        Accuracy traded for time, in words: "1% for 10x".
    accd : float, optional
        The same as in the papers: 0.01.
    method, neighbours, measures, exclude, algorithms, budget : optional
        As in `Advisor.recommend`.
    pilot : str or float, optional
        Fit a few on the data for so long before answering: 5 s by default, 0 for past results alone; see
        `tiebreak.advisor.pilot.recommend_piloted`.
    variant : str, optional
        "2003" stands for the published procedure of Brazdil, Soares and Costa.
    run : str or float, optional
        Run the list on the data for so long, learning from each result; see `tiebreak.advisor.pilot.try_out`.
    stop_below, jobs, alpha, seed : optional
        Of `run`.
    **more : optional
        Further arguments of `Advisor.recommend`, and with `run` of `tiebreak.advisor.pilot.try_out`.

    Returns
    -------
    Recommendation, PilotedRecommendation or TriedOut

    Examples
    --------
    >>> import tiebreak as tb
    >>> tb.recommend(known="wine", method="mean-rank", algorithms=["svr", "c45"]).algorithms
    ('svr', 'c45')
    """
    if (data is None) == (known is None):
        raise OptionError(
            "No data were named." if data is None else "Data and a known data set were named.",
            why="A recommendation is for one data set.",
            mend=f"Give a file, such as data.csv, or {option(known=...)} for one of the known data sets.",
        )
    if run is not None and known is not None:
        raise OptionError(
            f"{option('run')} was given for the known data set {known!r}.",
            why="Algorithms are run on rows, and of a known data set only its measures and results are kept.",
            mend=f"Give the file of the data instead of {option('known')}.",
        )
    choices: dict[str, Any] = {"method": method, "neighbours": neighbours, "measures": measures, "exclude": exclude}
    choices |= {"algorithms": algorithms} | more
    if variant is not None:
        choices = _published(variant, choices)
        accd = choices.pop("accd", accd) if accd is None and trade is None else accd
        choices.pop("accd", None)
    if trade is not None and accd is not None:
        raise OptionError(
            f"{option('trade')} and {option('accd')} were both given.",
            why="They say the same.",
            mend="Leave one out.",
        )
    choices["accd"] = accd if trade is None else accd_from(trade)
    bases = [base] if isinstance(base, (Knowledge, str, Path)) else list(base)
    if score is not None:
        bases = _scored(bases, score, kind)
    if known is not None:
        return Advisor(_knowledge(bases, kind, known)).recommend_known(known, budget=budget, **choices)
    about: dict[str, Any] = {"target": target, "kind": kind, "drop": drop, "keep": keep}
    about |= {name: choices.pop(name) for name in ("symbolic", "name") if name in choices}
    about = {name: value for name, value in about.items() if value is not None}
    reference = None
    if isinstance(data, (DataReference, str, Path)):  # goes through a reference: all that a plan can name can be named
        data, reference = loaded(data, None, about)
        about = {}
    what = data.kind if isinstance(data, DataSet) else kind
    if run is None:
        known_base = _knowledge(bases, what) if bases or what else None
        choices |= {"budget": budget, "source": reference} | about
        return recommend_piloted(known_base, data, y, pilot=pilot, seed=seed, **choices)
    from tiebreak.advisor.pilot.run import try_out  # with the lab, which is loaded for this alone

    alone = bases[0] if len(bases) == 1 and not isinstance(bases[0], Knowledge) and is_store(bases[0]) else None
    choices |= {} if stop_below is None else {"stop_below": stop_below}
    choices |= {"time": run, "jobs": jobs, "seed": seed, "source": reference} | about
    return try_out(alone or (_knowledge(bases, what) if bases else None), data, y, **choices)


def _published(variant: str, choices: dict[str, Any]) -> dict[str, Any]:
    """Fill in the options of a published procedure that were not given."""
    if variant not in PUBLISHED:
        raise OptionError(
            f"{variant!r} is no published procedure.",
            mend=f"Use {option(variant=next(iter(PUBLISHED)))}, or leave it out.",
        )
    unset = {"neighbours": "auto", "scaling": "log", "times": "predicted"}
    published = PUBLISHED[variant]
    return choices | {name: published[name] for name in published if choices.get(name) in (None, unset.get(name))}


def _scored(bases: Sequence[Base], score: str, kind: str | None) -> list[Base]:
    """Return the base that ships with another score than the usual one; other bases have the score they have."""
    if bases:
        raise OptionError(
            f"{option('score')} was given with {option('base')}.",
            why="It chooses what is learned from the base that ships; another base has one score.",
            mend="Leave one out.",
        )
    usual = kind == "number" or score in SCORES.values()
    return (
        []
        if usual and score == SCORES[kind or kind_of_score(score)]
        else [shipped_knowledge(kind or "classes", by=score)]
    )


def _knowledge(bases: Sequence[Base], kind: str | None, known: str = "") -> Knowledge:
    """Open every base; without any, the one that ships, of the kind of the target."""
    opened = [base if isinstance(base, Knowledge) else open_base(base, kind=kind) for base in bases]
    if not opened:
        number = kind is None and known in shipped_knowledge("number").datasets
        opened = [shipped_knowledge(kind or ("number" if number else "classes"))]
    return merge_knowledge(opened)
