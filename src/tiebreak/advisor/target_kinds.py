"""Classes or a number: what a base knows about, what new data ask for, and that the two belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tiebreak._checks import FloatArray
from tiebreak.attributes import ATTRIBUTES
from tiebreak.datasets import DataSet
from tiebreak.datasets.targets import TargetKind
from tiebreak.errors import InputError
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.advisor._knowledge import Knowledge

SCORES: dict[str, str] = {"classes": "accuracy", "number": "relative_rmse"}
"""The score that is learned from unless another is named, by kind of target."""
TRADED = {"classes": "accuracy", "number": "success rate (1 - relative_rmse)"}
"""What is traded for speed."""
WORDS = {"classes": "classes", "number": "numbers to predict"}
_OF_NUMBERS = ("rmse", "mae", "mse", "r2", "median_absolute_error", "root_mean_squared_error", "mean_absolute_error")
_TURNED = "1 - "


def kind_of_score(name: str) -> TargetKind:
    """Say what kind of target a score is of, by its name.

    Examples
    --------
    >>> kind_of_score("relative_rmse"), kind_of_score("pinball_0.5"), kind_of_score("auc")
    ('number', 'number', 'classes')
    """
    plain = name.casefold().removeprefix("test_").removeprefix("relative_")
    return "number" if plain in _OF_NUMBERS or plain.startswith("pinball") else "classes"


def kind_of(given: Any, told: str | None = None) -> TargetKind:
    """Say what data, or their meta-attributes, ask for: as data have it, as told, or by measures that numbers have.

    Examples
    --------
    >>> kind_of({"n_examples": 100, "target_skewness": 0.5}), kind_of({"n_examples": 100})
    ('number', 'classes')
    """
    if isinstance(given, DataSet):
        return given.kind
    own = any(name in ATTRIBUTES and ATTRIBUTES[name].kinds == ("number",) for name in given)
    return "number" if told == "number" or (told is None and own) else "classes"


def of_one_kind(bases: Sequence[Knowledge]) -> None:
    """Refuse bases of two kinds of target: they are never merged."""
    kinds = {base.kind: base for base in bases}
    if len(kinds) > 1:
        first, second = (f"{base.sources[0]} ({WORDS[kind]})" for kind, base in kinds.items())
        raise InputError(
            f"Results on two kinds of target are put together: {first} and {second}.",
            why="No score is measured on both kinds, and no learner is run on both.",
            mend="Learn from one of them.",
        )


def check_base_kind(base: Knowledge, kind: str) -> Knowledge:
    """Return a base that is about what the data ask for; another one is refused with the way to one that is."""
    if base.kind == kind:
        return base
    wanted, other = ("a number", "classes") if kind == "number" else ("classes", "numbers")
    raise InputError(
        f"The target is {wanted}, and what is known are results on {other} ({base.title()}).",
        why="Scores, learners and measures of the two kinds differ: nothing can be learned from one for the other.",
        mend=f"Learn from results on {WORDS[kind]}: {_other_base()}; or say what the target is"
        f" ({option(kind=base.kind)}).",
    )


def _other_base() -> str:
    return either("Advisor() for the base that ships, or Advisor(store)", "leave out what was named, or use --store")


def shown_rates(score: str, rates: FloatArray) -> tuple[str, FloatArray]:
    """Return what success rates are shown as: those made of relative_rmse as that, which is what people know.

    Examples
    --------
    >>> import numpy as np
    >>> shown_rates("1 - relative_rmse", np.array([0.25])), shown_rates("accuracy", np.array([0.25]))
    (('relative_rmse', array([0.75])), ('accuracy', array([0.25])))
    """
    if score == _TURNED + SCORES["number"]:
        return SCORES["number"], 1.0 - rates
    return score, rates


def loss_unit(score: str) -> str:
    """Say in what a loss of success rate is counted.

    Examples
    --------
    >>> loss_unit("1 - relative_rmse"), loss_unit("accuracy")
    ('relative_rmse', 'accuracy')
    """
    return score.removeprefix(_TURNED)
