"""One plan, one kind of target: data sets that mix kinds are refused, and so are learners of the other kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tiebreak.errors import InputError, OptionError
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.datasets import DataSet
    from tiebreak.datasets.targets import TargetKind
    from tiebreak.lab.tasks import AlgorithmSpec

WORDS = {"classes": "classes", "number": "a number"}
_OTHER = {"classes": "number", "number": "classes"}


def kind_of(data: Iterable[DataSet]) -> TargetKind:
    """Return what the targets of a plan are; a plan that mixes them is refused, naming one of each."""
    first: dict[str, DataSet] = {}
    for each in data:
        first.setdefault(each.kind, each)
    if len(first) > 1:
        raise InputError(
            f"The plan mixes kinds of target: that of {_named(first['classes'])} is classes, that of"
            f" {_named(first['number'])} a number.",
            why="Scores of the two cannot be compared, and learners are of one kind or the other.",
            mend="Make two plans, each with a store of its own; or say what a target is: {source = ..., kind ="
            ' "classes"} or "number".',
        )
    return next(iter(first.values())).kind


def _named(data: DataSet) -> str:
    """Name a data set with the column that was taken for its target: often that is the mistake."""
    column = [repr(data.target_name), *([data.target_why] if data.target_why else [])]
    return f"{data.name!r}" + (f" ({', '.join(column)})" if data.target_name else "")


def specs_for(specs: Sequence[AlgorithmSpec], data: Sequence[DataSet]) -> tuple[AlgorithmSpec, ...]:
    """Return the algorithms of a plan as they are for the targets of its data; those of the other kind are refused."""
    kind = kind_of(data)
    for spec in specs:
        _check_named(spec, kind, data[0]) if spec.source == "named" else _check_own(spec, kind, data[0])
    return tuple(replace(spec, kind=kind) for spec in specs)


def _check_named(spec: AlgorithmSpec, kind: TargetKind, data: DataSet) -> None:
    from tiebreak.lab.algorithms.lookup import catalogue, describe

    name, known = spec.path or spec.name, [entry.name for entry in catalogue(kind)]
    if name not in known:
        raise OptionError(
            f"The learner {name!r} predicts {WORDS[_OTHER[kind]]}, and the target of data set {data.name!r} is"
            f" {WORDS[kind]}.",
            why="It cannot be taught there.",
            mend=f"Use one of {', '.join(known)}{_reread(kind)}.",
        )
    describe(name, kind=kind).chosen(spec.settings)


def _check_own(spec: AlgorithmSpec, kind: TargetKind, data: DataSet) -> None:
    """Refuse an imported class or an object of the other kind before it fails in every cell."""
    from tiebreak.lab.algorithms.specs import imported, unpacked

    found = predicts(unpacked(spec) if spec.source == "object" else imported(spec))
    if found is not None and found != kind:
        own = "regressor" if found == "number" else "classifier"
        raise OptionError(
            f"{spec.path or spec.name!r} is a {own}, and the target of data set {data.name!r} is {WORDS[kind]}.",
            why=f"A {own} predicts {WORDS[found]}.",
            mend=f"Give a {'classifier' if found == 'number' else 'regressor'}{_reread(kind)}.",
        )


def _reread(kind: TargetKind) -> str:
    return f", or say that the target is {WORDS[_OTHER[kind]]}: {option(kind=_OTHER[kind])}"


def predicts(learner: Any) -> TargetKind | None:
    """Say what a learner predicts, by scikit-learn's tags; None where it does not tell.

    Examples
    --------
    >>> from sklearn.svm import SVC, SVR
    >>> predicts(SVC()), predicts(SVR()), predicts(object())
    ('classes', 'number', None)
    """
    from sklearn.base import is_classifier, is_regressor

    try:
        return "number" if is_regressor(learner) else "classes" if is_classifier(learner) else None
    except Exception:  # a foreign estimator without tags says nothing about what it predicts
        return None
