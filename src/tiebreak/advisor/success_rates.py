"""Scores as success rates: which way is better, their scale, what they and losses are called for each target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.attributes import ATTRIBUTES
from tiebreak.caveats import Caveat, Caveats, caveats_of
from tiebreak.datasets import DataSet
from tiebreak.datasets.targets import TargetKind
from tiebreak.errors import InputError, quoted
from tiebreak.results import Metric
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.advisor.knowledge import Knowledge

SLACK = 1e-6
"""A share may exceed 1 by so much: the rounding of another program."""
_ERROR_RATES = ("error_rate", "misclassification_rate", "misclassification_error", "zero_one_loss")


def on_one_scale(scores: FloatArray, metric: Metric, datasets: tuple[str, ...]) -> tuple[FloatArray, Caveats]:
    """Return scores (data sets first) as shares of 1, and what was done; other scores are left as they are.

    Rule, for scores that are shares by their name, and for names that leave the metric open:

    - no value above 1: shares of 1, as they are;
    - every data set has values above 1, up to 100, and none between 0 and 1: percentages, divided by 100 where the
      name says a share;
    - both, on different data sets or on one: refused.

    Examples
    --------
    >>> accuracy = Metric(name="accuracy", higher_is_better=True)
    >>> on_one_scale(np.array([[90.0, 80.0], [55.0, 60.0]]), accuracy, ("a", "b"))
    (array([[0.9 , 0.8 ],
           [0.55, 0.6 ]]), ("'accuracy' holds percentages, which were divided by 100.",))
    """
    share = metric.is_share or metric.name in _ERROR_RATES
    flat = scores.reshape(len(scores), -1)
    known = flat[~np.isnan(flat)]
    beyond = known[known > 1 + SLACK]
    if not (share or metric.is_general) or not beyond.size or known.min() < 0 or known.max() > 100:
        return scores, ()
    above = np.asarray((flat > 1 + SLACK).any(axis=1))
    below = np.asarray(((flat > 0) & (flat <= 1 + SLACK)).any(axis=1))
    if not below.any():
        text = f"{metric.name!r} holds percentages, which were divided by 100."
        return (scores / 100, (Caveat("read-as", text),)) if share else (scores, ())
    if share or not (above & below).any():  # an open name may stand for anything that is small here and large there
        _refuse(flat, metric, above & below, above, below, datasets)
    return scores, ()


def _refuse(
    flat: FloatArray,
    metric: Metric,
    both: BoolArray,
    above: BoolArray,
    below: BoolArray,
    datasets: tuple[str, ...],
) -> None:
    """Name the data sets of either scale, or those that mix them."""
    names = np.array(datasets, dtype=object)
    if both.any():
        row = flat[np.argmax(both)]
        small, large = np.nanmin(np.where(row > 0, row, np.nan)), np.nanmax(row)
        first, more = names[both][0], int(both.sum()) - 1
        what = f"from {small:g} to {large:g} on data set {first!r}" + (f" (and on {more} more)" if more else "")
    else:
        what = (
            f"from 0 to 1 on {_counted(below)} ({quoted(names[below], limit=4)}) and beyond 1, as percentages are, on"
            f" {_counted(above)} ({quoted(names[above], limit=4)})"
        )
    raise InputError(
        f"{metric.name!r} is {what}.",
        why="Shares of 1 and percentages cannot be averaged, nor one divided by the other.",
        mend="Divide the percentages by 100, or leave those data sets out"
        f" ({option(where=f'dataset != {names[both if both.any() else above][0]}')}).",
    )


def _counted(marks: BoolArray) -> str:
    count = int(marks.sum())
    return f"{count} data set{'' if count == 1 else 's'}"


def success_rates(
    scores: FloatArray,
    metric: Metric,
    *,
    higher_is_better: bool | None = None,
    datasets: tuple[str, ...],
) -> tuple[FloatArray, str, Caveats]:
    """Turn scores (data sets first) into success rates; return them, what they are called, and what was done.

    Formula: a score where higher is better is taken as it is. An error e is turned into 1 - e, which needs errors from
    0 to 1; relative_rmse into 1 - e, at least 0: an error above 1 is worse than predicting the mean, which anybody can
    fall back on (the mean over the folds is what is clipped; folds below 0 are 0 and the others are made smaller by one
    factor, so that a fold that goes wrong still counts).

    Examples
    --------
    >>> from tiebreak.results import Metric
    >>> error = Metric(name="error", higher_is_better=False)
    >>> success_rates(np.array([[0.1, 0.3]]), error, datasets=("a",))
    (array([[0.9, 0.7]]), '1 - error', ("Success rates are 1 - 'error'.",))
    """
    name = metric.name
    scores, read = on_one_scale(scores, metric, datasets)
    if metric.direction(higher_is_better):
        return scores, name, read
    if name != SCORES["number"]:
        _refuse_rates(scores, (scores < 0) | (scores > 1), name, datasets)
        return 1.0 - scores, f"1 - {name}", (*read, Caveat("read-as", f"Success rates are 1 - {name!r}."))
    _refuse_rates(scores, scores < 0, name, datasets)
    rates, worse = _clipped(scores)
    more = f"{worse} mean(s) of {name!r} above 1 count as 1, which is predicting the mean."
    turned = Caveat("read-as", f"Success rates are 1 - {name!r}, at least 0.")
    return rates, f"1 - {name}", (turned, *caveats_of((worse, "values-filled", more)))


def _clipped(errors: FloatArray) -> tuple[FloatArray, int]:
    """Return rates of 0 or more whose means over folds are 1 less the mean errors, and how many means had to be 0."""
    rates = 1.0 - errors
    folds = tuple(range(2, rates.ndim))
    sums, mask = np.nansum(rates, axis=folds, keepdims=True), np.maximum(rates, 0.0)
    whole = np.nansum(mask, axis=folds, keepdims=True)
    factor = np.divide(np.maximum(sums, 0.0), whole, out=np.zeros_like(whole), where=whole > 0)
    return np.asarray(mask * factor), int((sums < 0).sum())


def _refuse_rates(scores: FloatArray, bad: BoolArray, name: str, sets: tuple[str, ...]) -> None:
    """Refuse errors that the rule cannot turn into success rates, naming the first data set."""
    if not bad.any():
        return
    place = np.argwhere(bad)[0]
    value, where = float(scores[tuple(place)]), sets[int(place[0])]
    count = int(bad.reshape(len(bad), -1).any(axis=1).sum())
    raise InputError(
        f"{name!r} is {value:g} on data set {where!r} ({count} such data set(s)).",
        why="The success rate 1 - error needs errors from 0 to 1."
        if value > 0
        else "No success rate can be made of a negative error.",
        mend=f"Leave those data sets out ({option(where=f'dataset != {where}')}), or use another score.",
    )


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


def kind_of(given: Any, text: str | None = None) -> TargetKind:
    """Say what data, or their meta-attributes, ask for: as data have it, as told, or by measures that numbers have.

    Examples
    --------
    >>> kind_of({"n_examples": 100, "linear_r2": 0.5}), kind_of({"n_examples": 100})
    ('number', 'classes')
    """
    if isinstance(given, DataSet):
        return given.kind
    separate = any(name in ATTRIBUTES and ATTRIBUTES[name].kinds == ("number",) for name in given)
    return "number" if text == "number" or (text is None and separate) else "classes"


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
    if score == "exp(-log_loss)":
        with np.errstate(divide="ignore"):
            return "log_loss", -np.log(rates)
    return score, rates


def loss_unit(score: str) -> str:
    """Say in what a loss of success rate is counted.

    Examples
    --------
    >>> loss_unit("1 - relative_rmse"), loss_unit("accuracy")
    ('relative_rmse', 'accuracy')
    """
    return score.removeprefix(_TURNED)
