"""Why an algorithm stands where it does: the test that moved it, or cost alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiebreak._checks import BoolArray, IntArray
from tiebreak.documents import listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why one algorithm has its place.

    `by` is "cost" where its place among all others follows from cost alone, "test" where it stands before a cheaper
    one or behind a costlier one. `ahead_of` are the cheaper ones it stands before, `behind` the costlier ones before
    it, and `beats` and `beaten_by` those among all others that a test tells apart from it.
    """

    algorithm: str
    place: int
    by: str
    text: str
    ahead_of: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    beats: tuple[str, ...] = ()
    beaten_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """How an ordering speaks: of what its tests compare, and of what decides where they do not."""

    better: str = "better"
    cheaper: str = "cheaper"
    costlier: str = "costlier"
    cheapest: str = "the cheapest"
    prior: str = "cost"


def words_for(n_datasets: int, *, given: bool) -> Words:
    """Choose the words: errors on one data set, places over many; cost, or a prior order that was given."""
    better = "better" if n_datasets == 1 else "better placed"
    if not given:
        return Words(better=better)
    return Words(
        better=better,
        cheaper="earlier in the given order",
        costlier="later in the given order",
        cheapest="the first in the given order",
        prior="the given order",
    )


def reasons(
    order: IntArray, better: BoolArray, prior: IntArray, names: Sequence[str], *, words: Words
) -> tuple[Reason, ...]:
    """Explain every place of an order; `better[i, j]` says that j is significantly better, `prior` places by cost."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(1, len(order) + 1)
    return tuple(_reason(int(i), place, better, prior, names, words) for i in order)


def _reason(i: int, place: IntArray, better: BoolArray, prior: IntArray, names: Sequence[str], words: Words) -> Reason:
    """Whoever stands against the prior order got there by a test; all others stand where cost put them."""
    others = [j for j in np.argsort(place, kind="stable") if j != i]
    ahead = [j for j in others if prior[j] < prior[i] and place[j] > place[i]]
    behind = [j for j in others if prior[j] > prior[i] and place[j] < place[i]]
    parts = [_ahead_text(i, ahead, place, better, prior, names, words), _behind_text(i, behind, better, names, words)]
    text = "; ".join(part for part in parts if part)
    if not text:
        text = f"no test moved it past one {words.cheaper} or behind one {words.costlier}"
    return Reason(
        algorithm=names[i],
        place=int(place[i]),
        by="test" if ahead or behind else "cost",
        text=text,
        ahead_of=tuple(names[j] for j in ahead),
        behind=tuple(names[j] for j in behind),
        beats=tuple(names[j] for j in others if better[j, i]),
        beaten_by=tuple(names[j] for j in others if better[i, j]),
    )


def _ahead_text(
    i: int, ahead: list[int], place: IntArray, better: BoolArray, prior: IntArray, names: Sequence[str], words: Words
) -> str:
    """Passing one that it does not beat needs the longer reason: that one waits for a third."""
    direct = [j for j in ahead if better[j, i]]
    parts = []
    if direct:
        parts.append(f"{words.costlier} than {_listed(names, direct)}, but significantly {words.better}")
    for j in ahead:
        if j in direct:
            continue
        held = _held(j, i, place, better, prior)
        parts.append(
            f"before {names[j]}, which waits behind {_listed(names, held)} (significantly {words.better} than it)"
        )
    return "; ".join(parts)


def _behind_text(i: int, behind: list[int], better: BoolArray, names: Sequence[str], words: Words) -> str:
    """`through` are those it loses to in no test: they came forward while it waited for another."""
    direct = [j for j in behind if better[i, j]]
    through = [j for j in behind if j not in direct]
    parts = []
    if direct:
        verb = "which is" if len(direct) == 1 else "which are"
        parts.append(f"behind {_listed(names, direct)}, {verb} {words.costlier} but significantly {words.better}")
    if through:
        parts.append(f"while it waits, {_listed(names, through)} {'comes' if len(through) == 1 else 'come'} before it")
    return "; ".join(parts)


def _held(waiting: int, placed: int, place: IntArray, better: BoolArray, prior: IntArray) -> list[int]:
    """Name those for which one algorithm still waited when the other was placed, in the order they were placed."""
    held = [
        k for k in range(len(place)) if better[waiting, k] and prior[k] > prior[waiting] and place[k] > place[placed]
    ]
    return sorted(held, key=lambda k: int(place[k]))


def _listed(names: Sequence[str], which: Sequence[int]) -> str:
    """Unlike elsewhere no name is cut: a reason with "and 3 more" explains nothing."""
    return listed([names[i] for i in which], most=len(which))


def explain_pair(
    i: int, j: int, *, order: IntArray, better: BoolArray, prior: IntArray, names: Sequence[str], words: Words
) -> str:
    """Say why one of two algorithms stands before the other."""
    sequence = order.tolist()
    first, second = (i, j) if sequence.index(i) < sequence.index(j) else (j, i)
    x, y = names[first], names[second]
    if prior[first] < prior[second]:
        if better[second, first]:
            return f"{x} stands before {y}: it is {words.cheaper} and significantly {words.better}."
        return f"{x} stands before {y}: no test tells them apart, and it is {words.cheaper}."
    if better[second, first]:
        return f"{x} stands before {y}: it is {words.costlier} but significantly {words.better}."
    place = np.empty(len(sequence), dtype=np.int64)
    place[sequence] = np.arange(len(sequence))
    held = _held(second, first, place, better, prior)
    apart = f"{y} is {words.cheaper}" + (f" and significantly {words.better}" if better[first, second] else "")
    told = "" if better[first, second] else "no test tells them apart and "
    return (
        f"{x} stands before {y}: {told}{apart}, but {y} waits behind {_listed(names, held)}, significantly"
        f" {words.better} than it, and {x} comes before {'that' if len(held) == 1 else 'those'}."
    )
