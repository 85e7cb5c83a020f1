"""Recommend with a pilot: past results say what to fit first, a few fits on the rows themselves which one to use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak.advisor import Advisor, Knowledge, Recommendation
from tiebreak.advisor.tryout._asked import given
from tiebreak.advisor.tryout._pilot import TRIVIAL, Fits, Pilot, prepared
from tiebreak.advisor.tryout._piloted import Piloted, PilotedRecommendation
from tiebreak.budgets import budget_from
from tiebreak.caveats import Caveat, distinct
from tiebreak.datasets import DataSet
from tiebreak.datasets.building import texts, without_columns
from tiebreak.datasets.references import DataReference
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.lab.algorithms import catalogue, describe, spec_of
from tiebreak.lab.algorithms.specs import fingerprint
from tiebreak.lab.engines import LocalEngine
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.wording import option

LAB = ("sklearn", "sqlalchemy", "cloudpickle", "psutil")
"""What the extra `lab` installs."""
USUAL = "5s"
"""The length of a pilot."""
_OF_RANKINGS = ("method", "accd", "budget")
"""Options that ask for a ranking by past results: with them nothing is fitted unless a pilot is asked for."""
_HEAD_START = 0.05
"""Seconds to send a helper what it needs: it loads its libraries while the data are described."""
_COLUMNS = ("symbolic", "drop", "keep")


@as_came_in
def recommend(
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
    gradient per predicted second, the answer by the largest posterior mean among those that were fitted. The most
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
        Seconds that the fits may take; 0 leaves the pilot out. By default 5 s, and none where a ranking `method`, a
        trade `accd` or a `budget` is given. Without the packages of the extra `lab` there is none.
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
    >>> found = recommend(None, "builtin:wine", pilot="5s", algorithms=["lda", "c45"], exclude=["wine"])
    >>> found.best, found.held_out > found.trivial_held_out
    ('lda', True)
    """
    seconds = _seconds_of(pilot, options)
    own = advisor if isinstance(advisor, Advisor) else Advisor(advisor)
    about_data: dict[str, Any] = {"target": target, "name": name, "kind": kind}
    about_data |= {key: options.pop(key) for key in _COLUMNS if key in options}
    if y is None and isinstance(X, Mapping):  # meta-attributes: there are no rows to fit on
        return own.recommend(X, **about_data, **options)
    absent = [each for each in LAB if find_spec(each) is None]
    if seconds == 0 or absent:
        found = own.recommend(_loaded(X, y, about_data)[0], **options)
        why, mend = f"{', '.join(absent)} not installed", "pip install 'tiebreak[lab]'"
        return found if seconds == 0 else _unpiloted(found, why, mend)
    engine = LocalEngine(jobs=1)
    with engine:
        engine.start(_HEAD_START)
        data, read_from = _loaded(X, y, about_data)
        found = own.recommend(data, **options)
        known = _known(own, data, found)
        specs, missing, install = _installed(known, data, learners or {})
        try:
            race = prepared(data, found, known, specs, seed=seed)
        except InputError as error:
            return _unpiloted(found, str(error).partition("\n")[0], "")
        engine.start()
        race.go(engine, seconds)
    about = {"source": source or read_from, "missing": missing, "install": install, "budget": seconds}
    return _answer(race, data, found, **about)  # type: ignore[arg-type]


def _seconds_of(pilot: str | float | None, options: Mapping[str, Any]) -> float:
    """Return the seconds of a pilot as given, else those that go with the other options."""
    if pilot is None:
        return 0.0 if any(options.get(name) is not None for name in _OF_RANKINGS) else pilot_seconds(USUAL)
    seconds = pilot_seconds(pilot)
    if seconds and options.get("accd"):
        raise OptionError(
            f"{option('pilot')} was given with a trade.",
            why="A pilot chooses by the score alone.",
            mend=f"Leave the trade out, or use {option(pilot='0')}.",
        )
    return seconds


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


def _loaded(X: Any, y: Sequence[object] | None, about: Mapping[str, Any]) -> tuple[DataSet, DataReference | None]:
    """Return the data, without the columns to leave out, and where they can be read again."""
    data, read_from = given(X, y, about)
    if isinstance(X, DataSet) and about.get("drop"):
        data = without_columns(data, texts(about["drop"], what="drop"), "all")
    return data, read_from


def _unpiloted(found: Recommendation, why: str, mend: str) -> Recommendation:
    """Say in one line what a pilot would add, and why there is none."""
    text = f"No fits on your rows were made ({why}): they halve what a first choice loses."
    return replace(found, caveats=(Caveat("not-piloted", f"{text} {mend}".strip()), *found.caveats))


def _known(own: Advisor, data: DataSet, found: Recommendation) -> Knowledge:
    """Return past results on other data with the ranked algorithms."""
    base = own.knowledge(data.kind).only(algorithms=found.algorithms)
    others = np.flatnonzero([mark != data.fingerprint for mark in base.fingerprints])
    return base.datasets_at(others) if 0 < len(others) < len(base.datasets) else base


def _installed(
    known: Knowledge, data: DataSet, learners: Mapping[str, Any]
) -> tuple[dict[str, AlgorithmSpec], tuple[str, ...], str]:
    """Return the learners that can be fitted here, those whose libraries are missing, and how to install them."""
    entries = {entry.name for entry in catalogue(data.kind)}
    specs: dict[str, AlgorithmSpec] = {}
    missing, extras = [], set()
    for name in known.algorithms:
        if name not in learners and name not in entries:
            continue
        try:
            specs[name] = replace(spec_of(learners.get(name, name)), name=name, kind=data.kind)
            fingerprint(specs[name])
        except OptionError:
            if name in learners or not describe(name, kind=data.kind).extra:
                raise
            missing.append(name)
            extras.add(describe(name, kind=data.kind).extra)
    install = f"pip install 'tiebreak[{','.join(['lab', *sorted(extras)])}]'" if missing else ""
    return specs, tuple(missing), install


def _answer(
    pilot: Pilot,
    data: DataSet,
    found: Recommendation,
    *,
    source: DataReference | None,
    missing: tuple[str, ...],
    install: str,
    budget: float,
) -> PilotedRecommendation | Recommendation:
    """Put the answer together from what was measured."""
    race, judged = pilot.race, pilot.judged
    if not race.fitted:
        why = "; ".join(f"{name}: {text}" for name, text in list(pilot.failed.items())[:2])
        return _unpiloted(
            found, f"none ended in {budget:g} s{f', {why}' if why else ''}", f"Try {option(pilot='1min')}."
        )
    now = race.posterior()
    trivial = float(np.mean(pilot.trivial))
    expected = now.score()
    above = tuple(i for i in race.fitted if expected[i] > judged.success(trivial) and pilot.beats_trivial(i))
    better = bool(above)
    chosen = now.best(above or race.fitted)
    mean, most = now.loss(chosen, race.alive)
    name = pilot.names[chosen]
    fits = pilot.fits[name]
    from tiebreak.lab.fitting_code import (
        fitting_code,  # needs scikit-learn, which a recommendation without a pilot does not
    )

    code = fitting_code(pilot.specs[name], data, source=source, seed=pilot.seed) if better else None
    order = sorted(range(len(pilot.names)), key=lambda i: (i not in race.fitted, -round(float(now.relative[i]), 12), i))
    rows = [_row(pilot, i, float(expected[i])) for i in order if i not in race.failed]
    held = float(np.mean(fits.held_out)) if fits.held_out and better else None
    return PilotedRecommendation(
        recommendation=found,
        best=name if better else None,
        algorithms=tuple(rows),
        trivial=trivial,
        held_out=held,
        held_out_rows=len(pilot.parts.test),
        trivial_held_out=pilot.trivial_held_out,
        expected_loss=mean,
        loss_at_most=most,
        fits=len(race.measured),
        n_rows=pilot.data.n_rows,
        known=pilot.known,
        limited=pilot.limited,
        untried=tuple(each.algorithm for each in rows if not each.folds),
        missing=tuple(each for each in missing if each not in TRIVIAL),
        install=install,
        failed=dict(pilot.failed),
        code=code,
        judged=judged,
        seconds=pilot.spent,
        budget=budget,
        caveats=distinct((*pilot.parts.caveats, *found.caveats)),
    )


def _row(pilot: Pilot, place: int, expected: float) -> Piloted:
    """Return what is known of one algorithm; success rates are turned back into the score."""
    name = pilot.names[place]
    fits = pilot.fits.get(name, Fits())
    predicted = float(pilot.race.seconds[place])
    return Piloted(
        algorithm=name,
        expected=expected if pilot.judged.kind == "classes" else 1.0 - expected,
        score=float(np.mean(fits.scores)) if fits.scores else None,
        folds=len(fits.scores),
        held_out=float(np.mean(fits.held_out)) if fits.held_out else None,
        seconds=float(np.mean(fits.seconds)) if fits.seconds else None,
        predicted=predicted if np.isfinite(predicted) else None,
    )
