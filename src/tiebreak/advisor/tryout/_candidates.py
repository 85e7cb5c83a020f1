"""Which of the recommended algorithms can be run here, and why the others cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tiebreak.caveats import Caveat, Caveats
from tiebreak.datasets import DataSet
from tiebreak.errors import OptionError, quoted
from tiebreak.lab.algorithms import catalogue
from tiebreak.lab.algorithms.regressors import describe
from tiebreak.lab.algorithms.specs import spec_of
from tiebreak.lab.tasks import AlgorithmSpec
from tiebreak.wording import either


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The algorithms to try, in the recommended order, and what is to be said of the others."""

    specs: Mapping[str, AlgorithmSpec]
    caveats: Caveats


def candidates(names: Sequence[str], data: DataSet, learners: Mapping[str, Any] | None = None) -> Candidates:
    """Find the learner behind every recommended name: as told in `learners`, or the one of the catalogue.

    Nothing that a store says of an algorithm is turned back into one: a store is data, and a learner a program.
    """
    told, known = dict(learners or {}), {entry.name for entry in catalogue(data.kind)}
    specs: dict[str, AlgorithmSpec] = {}
    strange, missing, extras = [], [], set()
    for name in names:
        if name not in told and name not in known:
            strange.append(name)
            continue
        try:
            specs[name] = replace(spec_of(told.get(name, name)), name=name, kind=data.kind)
        except OptionError:
            if name in told or not describe(name, kind=data.kind).extra:
                raise
            missing.append(name)
            extras.add(describe(name, kind=data.kind).extra)
    notes = [*_strange(strange), *_missing(missing, extras)]
    if not specs:
        raise OptionError(
            f"None of the recommended algorithms can be run here: {quoted(names)}.",
            why="Those of the catalogue can, whose libraries are installed." + "".join(f" {note}" for note in notes),
            mend=either(
                "Say what the names stand for, learners={name: estimator}, or take the shipped base: Advisor().",
                "Take another base, such as the shipped one.",
            ),
        )
    return Candidates(specs=specs, caveats=tuple(notes))


def _strange(names: Sequence[str]) -> list[Caveat]:
    if not names:
        return []
    mend = either(" Say what they stand for: learners={name: estimator}.", "")
    text = f"Not tried, as the lab has no learner of the name: {quoted(names)}.{mend}"
    return [Caveat("algorithms-left-out", text)]


def _missing(names: Sequence[str], extras: set[str]) -> list[Caveat]:
    if not names:
        return []
    text = f"Not tried, as their libraries are not installed: {quoted(names)}. To try them too:"
    return [Caveat("algorithms-left-out", f"{text} pip install 'tiebreak[{','.join(['lab', *sorted(extras)])}]'")]
