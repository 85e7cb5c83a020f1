"""Prior orders: from costs to who comes first when no test says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_choice, readonly
from tiebreak.deciding.order._noise import AUTO, noise_levels
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.methods.policies import COST_POLICIES
from tiebreak.wording import any_of, option

TIE_RULES = ("refuse", "mean-cost", "score", "name")
TIE_WORDS = {
    "refuse": "nothing",
    "mean-cost": "the mean cost over all data sets, then by name",
    "score": "the mean score, then by name",
    "name": "name",
}
"""The rules for ties in words."""
COST_RULES = ("lexicographic", "weighted", "pareto")


@dataclass(frozen=True, slots=True, kw_only=True)
class CostChoice:
    """How costs become a prior order.

    Parameters
    ----------
    names : tuple of str
        The costs, the most important first; empty where the prior order is given.
    rule : {"lexicographic", "weighted", "pareto"}
        With several costs: the first decides and the next break its ties; or their weighted sum; or layers of
        algorithms that no other beats on all costs, the first cost deciding within a layer.
    weights : tuple of float
        For "weighted", one per cost.
    equal_within : float or "auto"
        Costs count as equal where the larger is at most 1 + this times the smallest of its level. "auto": where they
        differ by no more than noise, told over ten or more data sets by a t test of the mean log ratio, with fewer by
        the folds, corrected for all pairs by Holm's rule at alpha; ties are then broken by the score unless told.
    ties : {"refuse", "mean-cost", "score", "name"}
        What breaks the ties that are left: nothing (an error); the mean costs over all data sets, exactly, even where
        `equal_within` makes them equal; the better mean score; the alphabetical order of the names. Each but the first
        is followed by the name, and said in a caveat.
    """

    names: tuple[str, ...] = ()
    rule: str = "lexicographic"
    weights: tuple[float, ...] = ()
    equal_within: float | str = 0.0
    ties: str = "refuse"

    @property
    def by_noise(self) -> bool:
        """Whether costs are equal where they differ by no more than noise."""
        return self.equal_within == AUTO

    def checked(self) -> CostChoice:
        """Return the choice, checked; where noise makes costs equal, the score breaks ties unless something else does.

        Nobody asks for equals and then refuses them.
        """
        self.check()
        return replace(self, ties="score") if self.by_noise and self.ties == "refuse" else self

    def check(self) -> None:
        """Refuse rules that mean nothing."""
        check_choice("rule for several costs", self.rule, COST_RULES)
        check_choice("rule for ties of cost", self.ties, TIE_RULES)
        if not self.by_noise and not (_is_number(self.equal_within) and 0 <= float(self.equal_within) < float("inf")):
            raise OptionError(
                f"{option('equal_within')} is {self.equal_within!r}.",
                why="It is the relative difference up to which costs count as equal.",
                mend="Use 0 for none, 0.05 for five per cent, or auto for what is noise.",
            )
        if self.weights and self.rule != "weighted":
            raise OptionError(
                f"Weights were given for the rule {self.rule}.",
                why="Only the weighted rule adds costs.",
                mend=f"Use {option(cost_rule='weighted')}, or leave the weights out.",
            )
        if self.rule == "weighted" and (
            len(self.weights) != len(self.names)
            or not all(_is_number(w) and 0 < w < float("inf") for w in self.weights)
        ):
            raise OptionError(
                f"{len(self.weights)} weight(s) for {len(self.names)} cost(s).",
                why="The weighted rule adds the costs, each times its own positive weight.",
                mend=f"Give one positive weight per cost: {option(cost_weights=(2, 1))}.",
            )


def _is_number(value: object) -> bool:
    """True and False are numbers to Python, and as a weight they are a mistake."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def check_costs(costs: FloatArray, name: str, datasets: Sequence[str], algorithms: Sequence[str]) -> FloatArray:
    """Return a complete table of costs, none negative."""
    if costs.size and np.isnan(costs).all():  # no policy can help
        raise InputError(
            f"No value of {name} is known, of any algorithm on any data set.",
            why="Without it the places that cost would decide are unknown.",
            mend=f"Complete the costs, name another one ({option(cost=...)}), or give the prior order yourself"
            f" ({option(prior=[...])}).",
        )
    for wrong, what, why in (
        (np.isnan(costs), "has no", "Without it the place that cost would decide is unknown."),
        (costs < 0, "has a negative", "A cost is paid; a negative one would be a gain."),
    ):
        if wrong.any():
            d, a = np.argwhere(wrong)[0]
            count = int(wrong.sum())
            raise InputError(
                f"{algorithms[a]!r} {what} {name} on data set {datasets[d]!r} ({count} such cell(s) in all).",
                why=why,
                mend=f"Complete the costs, name a policy ({any_of('missing_costs', list(COST_POLICIES)[1:])}), or give"
                f" the prior order yourself ({option(prior=[...])}).",
            )
    return costs


def normalised(costs: FloatArray) -> FloatArray:
    """Divide the costs of each data set by the largest there; where all are zero they stay zero."""
    top = costs.max(axis=1, keepdims=True)
    return np.asarray(np.divide(costs, top, out=np.zeros_like(costs), where=top > 0))


def levels(costs: FloatArray, *, equal_within: float) -> IntArray:
    """Number the levels of cost in each row, 0 the cheapest; a level holds what is close enough to its least."""
    order = np.argsort(costs, axis=-1, kind="stable")
    ordered = np.take_along_axis(costs, order, axis=-1)
    number = np.zeros(costs.shape, dtype=np.int64)
    least = ordered[..., 0].copy()
    for column in range(1, costs.shape[-1]):
        fresh = ordered[..., column] > least * (1 + equal_within) * (1 + 1e-13)
        number[..., column] = number[..., column - 1] + fresh
        least = np.where(fresh, ordered[..., column], least)
    out = np.empty_like(number)
    np.put_along_axis(out, order, number, axis=-1)
    return out


def joined(costs: Sequence[FloatArray], choice: CostChoice) -> list[FloatArray]:
    """Return the costs that are compared: their weighted sum, or each of them."""
    if choice.rule != "weighted":
        return list(costs)
    share = np.array(choice.weights) / sum(choice.weights)
    return [np.asarray(sum(w * cost for w, cost in zip(share, costs, strict=True)))]


def prior_keys(costs: Sequence[FloatArray], choice: CostChoice, apart: Sequence[BoolArray] = ()) -> list[FloatArray]:
    """Turn normalised costs, each (rows, algorithms), into keys to sort by, the first deciding.

    `apart` says for each of them which pairs differ by more than noise, where that decides.
    """
    costs = joined(costs, choice)
    if choice.by_noise:
        by_cost = [noise_levels(cost, own).astype(np.float64) for cost, own in zip(costs, apart, strict=True)]
    else:
        by_cost = [levels(cost, equal_within=float(choice.equal_within)).astype(np.float64) for cost in costs]
    return [_fronts(by_cost), *by_cost] if choice.rule == "pareto" and len(costs) > 1 else by_cost


def _fronts(by_cost: Sequence[FloatArray]) -> FloatArray:
    """Number the layers of algorithms that none of the rest beats on every cost."""
    stacked: FloatArray = np.array(by_cost)  # costs, rows, algorithms
    no_worse = (stacked[:, :, :, None] <= stacked[:, :, None, :]).all(axis=0)
    beats = no_worse & (stacked[:, :, :, None] < stacked[:, :, None, :]).any(axis=0)  # row, winner, loser
    front: FloatArray = np.full(by_cost[0].shape, -1.0)
    for layer in range(front.shape[1]):
        open_ = front < 0
        if not open_.any():
            break
        beaten = (beats & open_[:, :, None]).any(axis=1)
        front[open_ & ~beaten] = layer
    return front


def prior_places(
    keys: Sequence[FloatArray], tie_breakers: Sequence[FloatArray], *, names: Sequence[str], rows: Sequence[str]
) -> tuple[IntArray, int]:
    """Place algorithms by the keys, 0 the first; return the places and how many rows needed a tie-breaker.

    Without tie-breakers a tie is an error that names the row and the two algorithms.
    """
    tied = _tied_rows(keys)
    if tied.any() and not tie_breakers:
        row = int(np.argmax(tied))
        raise _tie_error(keys, row, names=names, where=rows[row], count=int(tied.sum()))
    alphabetical = np.broadcast_to(np.argsort(np.argsort(np.array(names, dtype=object))), keys[0].shape)
    order = np.lexsort([alphabetical, *reversed(tie_breakers), *reversed(keys)], axis=-1)
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.broadcast_to(np.arange(len(names)), order.shape), axis=-1)
    return readonly(places), int(tied.sum())


def _tied_rows(keys: Sequence[FloatArray]) -> BoolArray:
    """Say for each row whether two algorithms agree in every key."""
    order = np.lexsort(list(reversed(keys)), axis=-1)
    same = np.ones((keys[0].shape[0], keys[0].shape[1] - 1), dtype=bool)
    for key in keys:
        ordered = np.take_along_axis(key, order, axis=-1)
        same &= ordered[:, 1:] == ordered[:, :-1]
    tied: BoolArray = np.asarray(same.any(axis=1))
    return tied


def _tie_error(keys: Sequence[FloatArray], row: int, *, names: Sequence[str], where: str, count: int) -> InputError:
    """Name one pair that ties, and where: a count alone would not say what to look at."""
    found: dict[tuple[float, ...], str] = {}
    pair: list[str] = []
    for i, name in enumerate(names):
        key = tuple(float(k[row, i]) for k in keys)
        if key in found:
            pair = [found[key], name]
            break
        found[key] = name
    return InputError(
        f"{quoted(pair)} cost the same on {where} ({count} such case(s) in all).",
        why="Where no test tells them apart, cost must, and an order made silently by the input would be no answer.",
        mend=f"Name a rule: {any_of('ties', TIE_RULES[1:])}, or a second cost: {option(cost=['a', 'b'])}.",
    )
