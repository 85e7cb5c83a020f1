"""Votes: who met whom, who was preferred, on which prompt and by whom."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, IntArray, check_choice, readonly
from tiebreak.caveats import Caveat, Caveats
from tiebreak.comparison.trade import logs_of_costs
from tiebreak.errors import InputError, NotSaid, OptionError, quoted, unknown_name
from tiebreak.evals.battles.columns import NO_VOTE, outcomes, plain, roles_of
from tiebreak.results import metric_named, text
from tiebreak.results.columns import Column, Columns, Names, Where, met, take
from tiebreak.wording import Brief, option


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Votes(Brief):
    """Votes on pairs of algorithms; all arrays run over the votes.

    `left` and `right` index `algorithms`; `outcome` is 1 where the left one won, -1 where the right one did, 0 for a
    tie. `clusters` holds, for the prompt and the voter where they are known, a number for each vote. `columns` are the
    columns of the votes, for prices.
    """

    algorithms: tuple[str, ...]
    left: IntArray
    right: IntArray
    outcome: IntArray
    clusters: Mapping[str, IntArray]
    source: str = "the votes"
    unit: str = "vote"
    costs: Mapping[str, FloatArray] = field(default_factory=dict)
    caveats: Caveats = ()

    def __len__(self) -> int:
        return len(self.outcome)

    def only(self, names: Sequence[str]) -> Votes:
        """Return the votes between these algorithms alone."""
        for name in names:
            if name not in self.algorithms:
                raise unknown_name("algorithm", name, self.algorithms)
        lines = [name for name in self.algorithms if name in set(names)]
        place = np.full(len(self.algorithms), -1)
        place[[self.algorithms.index(name) for name in lines]] = np.arange(len(lines))
        left, right = place[self.left], place[self.right]
        rows = np.flatnonzero((left >= 0) & (right >= 0))
        return replace(
            self,
            algorithms=tuple(lines),
            left=readonly(left[rows]),
            right=readonly(right[rows]),
            outcome=readonly(self.outcome[rows]),
            clusters={name: readonly(codes[rows]) for name, codes in self.clusters.items()},
            costs={name: cost[..., place >= 0] for name, cost in self.costs.items()},
        )


def read_votes(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    both_bad: str = "tie",
    duplicates: str = "keep",
    where: str | Sequence[str] | None = None,
    cost: str | None = None,
) -> Votes:
    """Read votes from a file, a data frame, a dictionary of columns or a list of records.

    Parameters
    ----------
    source : str, Path, data frame, mapping or sequence of mappings
        A csv, tsv, json, jsonl or parquet file (also .gz), "-" for csv on standard input, or the table itself.
    columns : mapping, optional
        Which header plays which role: left, right, winner, prompt, voter.
    labels : mapping, optional
        What unusual labels of the winner column mean: left, right, tie, both-bad or drop.
    both_bad : {"tie", "drop"}
        Votes that call both bad are ties, or are left out.
    duplicates : {"keep", "drop"}
        Rows that repeat prompt, voter, pair and winner of another are kept and counted, or left out.
    where : str or sequence of str, optional
        Conditions that a row must meet, as `tiebreak.read` takes them.
    cost : str, optional
        A cost that two columns hold, one for each side, such as price_a and price_b.

    Returns
    -------
    Votes

    Examples
    --------
    >>> votes = read_votes({"model_a": ["x", "y"], "model_b": ["y", "x"], "winner": ["model_a", "tie"]})
    >>> votes.algorithms, votes.outcome.tolist()
    (('x', 'y'), [1, 0])
    """
    check_choice("rule for duplicates", duplicates, ("keep", "drop"))
    raw, name = columns_of(source)
    roles, notes = roles_of(raw, columns or {}, name)
    if where:
        keep, caveats = met(raw, where, source=name)
        raw, notes = take(raw, np.flatnonzero(keep)), (*notes, *caveats)
    left, right, names = _both_sides(raw, roles, name)
    outcome, both_bad_votes = outcomes(
        raw[roles["winner"]].coded(),
        (roles["left"], left),
        (roles["right"], right),
        names,
        told=labels or {},
        both_bad=both_bad,
        source=name,
    )
    clusters, unknown = _clusters(raw, roles)
    costs = {} if cost is None else _side_costs(raw, cost, left, right, len(names), name)
    votes = Votes(
        algorithms=names, left=left, right=right, outcome=outcome, clusters=clusters, source=name, costs=costs
    )
    notes = (*notes, *unknown, *_bad_note(both_bad_votes, both_bad))
    return _cleaned(votes, notes, duplicates)


def columns_of(source: Any) -> tuple[Columns, str]:
    """Split whatever holds votes into columns."""
    if isinstance(source, (str, Path)):
        return _file_columns(source)
    if isinstance(source, Mapping) or (isinstance(source, Sequence) and all(isinstance(r, Mapping) for r in source)):
        from tiebreak.results.cells import dict_columns, record_columns

        name = "the dictionary" if isinstance(source, Mapping) else "the records"
        if isinstance(source, Mapping):
            return dict_columns(source, score="score", source=name), name
        if not source:
            raise text.empty_file(name)
        return record_columns(source), name
    from tiebreak.results.frames import is_frame, split_frame

    if not is_frame(source):
        raise InputError(
            f"A {type(source).__name__} holds no votes.",
            mend="Use battles('votes.csv'), battles(frame) or battles([{'left': ..., 'right': ..., 'winner': ...}]).",
        )
    return split_frame(source, source="the data frame")[0], "the data frame"


def _file_columns(source: str | Path) -> tuple[Columns, str]:
    """Read a file; lines of JSON are records."""
    from tiebreak.readers.loading import load_columns

    if str(source) == "-":
        data = sys.stdin.buffer.read()
        return text.text_columns(data, separator=",", source="standard input", large=False)[0], "standard input"
    path = Path(source)
    if not {".jsonl", ".ndjson"} & {suffix.lower() for suffix in path.suffixes[-2:]}:
        return load_columns(path, score="score")[0], path.name
    return _json_lines(path), path.name


def _json_lines(path: Path) -> Columns:
    from tiebreak.results.cells import record_columns
    from tiebreak.results.text import json_of

    try:
        lines = text.file_bytes(path).decode().splitlines()
        rows = [json_of(line) for line in lines if line.strip()]
    except (OSError, text.UnsoundFile, ValueError) as error:
        raise text.unreadable(path, error, f"it holds no lines of JSON ({error})") from None
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise InputError(f"{path.name} holds no records.", mend="Check the path.")
    return record_columns(rows)


def _both_sides(raw: Columns, roles: Mapping[str, str], source: str) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    """Number the algorithms of both sides together, in the order of their names."""
    sides = [raw[roles[side]].as_names(Where(column=roles[side], source=source)) for side in ("left", "right")]
    names = Names.of([*sides[0].names, *sides[1].names])
    place, first = names.codes.astype(np.int64), len(sides[0].names)
    return place[:first][sides[0].codes], place[first:][sides[1].codes], names.names


def _clusters(raw: Columns, roles: Mapping[str, str]) -> tuple[dict[str, IntArray], Caveats]:
    """Number prompts and voters; a vote whose prompt or voter is not known is a cluster of its own."""
    out, notes = {}, []
    for role in ("prompt", "voter"):
        if role not in roles:
            continue
        values = _known(raw[roles[role]])
        missing = values < 0
        count = int(missing.sum())
        codes = values.astype(np.int64)
        codes[missing] = int(codes.max(initial=-1)) + 1 + np.arange(count)
        out[role] = codes
        if count:
            sentence = (
                f"{count:,} votes have no {role}: each counts as one by itself, which makes strengths look too sure."
            )
            notes.append(Caveat("votes-independent", sentence))
    return out, tuple(notes)


def _known(column: Column) -> IntArray:
    """Return codes, -1 where the cell is empty or says that nothing is known."""
    names = column.coded()
    empty = np.array([name.strip().lower() in ("", "nan", "none", "null", "na") for name in names.names] + [True])
    return np.where(empty[names.codes], -1, names.codes).astype(np.int64)


def _side_costs(
    raw: Columns, cost: str, left: IntArray, right: IntArray, count: int, source: str
) -> dict[str, FloatArray]:
    """Average a cost that stands beside either side; empty where no two columns hold it."""
    for one, other in (("_a", "_b"), ("_left", "_right"), ("_1", "_2")):
        pair = [f"{cost}{one}", f"{cost}{other}"]
        turned = [f"{one[1:]}_{cost}", f"{other[1:]}_{cost}"]
        headers = next((names for names in (pair, turned) if all(header in raw for header in names)), None)
        if headers is None:
            continue
        values = np.concatenate([raw[h].as_numbers(Where(column=h, source=source)) for h in headers])
        who = np.concatenate([left, right])
        there = ~np.isnan(values)
        total, number = (np.bincount(who[there], w, count) for w in (values[there], np.ones(int(there.sum()))))
        return {cost: np.divide(total, number, out=np.full(count, np.nan), where=number > 0)}
    return {}


def _bad_note(count: int, rule: str) -> Caveats:
    if not count:
        return ()
    ties, out = f"counted as ties; {option(both_bad='drop')} leaves them out", "left out"
    so = ties if rule == "tie" else out
    return (Caveat("votes-left-out", f"{count:,} votes call both bad: {so}."),)


def _cleaned(votes: Votes, notes: Caveats, duplicates: str) -> Votes:
    """Leave out rows without a vote, battles of one with itself and, if asked, rows that repeat others."""
    void, current = votes.outcome == NO_VOTE, votes.left == votes.right
    caveats = list(notes)
    if void.any():
        caveats.append(Caveat("votes-left-out", f"{int(void.sum()):,} rows without a vote were left out."))
    if (current & ~void).any():
        names = quoted(dict.fromkeys(votes.algorithms[i] for i in votes.left[current & ~void]), limit=3)
        text_ = (
            f"{int((current & ~void).sum()):,} battles of one with itself were left out ({names}): they tell nothing."
        )
        caveats.append(Caveat("votes-left-out", text_))
    repeats, remaining = _repeats(votes), ~void & ~current
    if (repeats & remaining).any():
        so = "left out" if duplicates == "drop" else f"kept; {option(duplicates='drop')} leaves them out"
        text_ = f"{int((repeats & remaining).sum()):,} votes repeat prompt, voter, pair and winner of another: {so}."
        caveats.append(Caveat("duplicates-settled", text_))
        remaining = remaining & ~repeats if duplicates == "drop" else remaining
    rows = np.flatnonzero(remaining)
    if not len(rows):
        raise InputError(f"{votes.source} holds no votes.", mend="Check the file and the conditions on its rows.")
    return replace(
        votes,
        left=readonly(votes.left[rows].astype(np.int64)),
        right=readonly(votes.right[rows].astype(np.int64)),
        outcome=readonly(votes.outcome[rows].astype(np.int64)),
        clusters={name: readonly(codes[rows]) for name, codes in votes.clusters.items()},
        caveats=tuple(caveats),
    )


def _repeats(votes: Votes) -> Any:
    """Say which votes repeat an earlier one; known only where prompt and voter are."""
    if not {"prompt", "voter"} <= set(votes.clusters):
        return np.zeros(len(votes), dtype=bool)
    first, second = np.minimum(votes.left, votes.right), np.maximum(votes.left, votes.right)
    winner = np.where(votes.outcome > 0, votes.left, np.where(votes.outcome < 0, votes.right, -1))
    keys = np.stack([votes.clusters["prompt"], votes.clusters["voter"], first, second, winner])
    order = np.lexsort(keys[::-1])
    same = (np.diff(keys[:, order], axis=1) == 0).all(axis=0)
    out = np.zeros(len(votes), dtype=bool)
    out[order[1:][same]] = True
    return out


def check_enough(votes: Votes) -> Votes:
    """Refuse fewer than two algorithms, and forget those that no vote is about."""
    held = np.union1d(votes.left, votes.right)
    if len(held) < 2:
        raise OptionError(
            f"{votes.source} holds battles of {len(held)} algorithm(s).",
            mend="Check the columns, and the names that were chosen.",
        )
    if len(held) == len(votes.algorithms):
        return votes
    algorithms = [votes.algorithms[i] for i in held]
    out = quoted(name for name in votes.algorithms if name not in set(algorithms))
    note = Caveat("votes-left-out", f"Left out, as no vote that counts is about them: {out}.")
    return replace(votes.only(algorithms), caveats=(*votes.caveats, note))


USUAL = "price"
_NAMES = ("algorithm", "model", "name", "system", "player")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prices:
    """One cost: `paid` has a row for each data set, or one row; `mean` is what the prior order goes by."""

    name: str
    unit: str
    paid: FloatArray

    @property
    def mean(self) -> FloatArray:
        """The mean over data sets."""
        return np.asarray(np.nanmean(self.paid, axis=0))

    @property
    def share(self) -> FloatArray:
        """The mean share of the largest cost on a data set, by which algorithms are ordered."""
        top = np.nanmax(self.paid, axis=1, keepdims=True)
        return np.asarray(np.nanmean(self.paid / np.where(top > 0, top, 1.0), axis=0))

    def logs(self) -> tuple[FloatArray, Caveats]:
        """Return log10 of the cost, its mean over data sets; a zero, which has no ratio, counts as a small cost."""
        logs, notes = logs_of_costs(self.paid, self.name)
        return np.asarray(np.nanmean(logs, axis=0)), notes

    def places(self, strengths: FloatArray, names: tuple[str, ...]) -> tuple[IntArray, bool]:
        """Place algorithms by price, 0 the cheapest, and say whether some cost the same: the stronger is then first."""
        order = sorted(range(len(names)), key=lambda i: (self.share[i], -strengths[i], names[i]))
        places = np.empty(len(names), dtype=np.int64)
        places[order] = np.arange(len(names))
        return places, len(np.unique(self.share)) < len(names)


def prices_of(votes: Votes, cost: str | None, prices: Any) -> Prices | None:
    """Return what the algorithms cost, complete; None where nothing was said of it."""
    if prices is None and cost is None:
        return None
    name = cost or USUAL
    if prices is not None:
        known = _known_prices(prices, cost)
        paid = np.array([[known.get(algorithm, float("nan")) for algorithm in votes.algorithms]])
    elif name in votes.costs:
        paid = np.atleast_2d(votes.costs[name])
    else:
        raise NotSaid(
            f"Nothing in {votes.source} says the {name} of an algorithm.",
            mend=f"Give a file of algorithms and prices ({option(prices='prices.csv')}),"
            f" or columns {name}_a and {name}_b beside the votes.",
        )
    _check(paid, name, votes.algorithms)
    return Prices(name=name, unit=metric_named(name, is_cost=True).unit or "", paid=paid)


_NAMED = 12
"""So many algorithms that have a price are named, to be copied."""


def _check(paid: FloatArray, name: str, algorithms: tuple[str, ...]) -> None:
    lacking = [algorithm for algorithm, column in zip(algorithms, paid.T, strict=True) if np.isnan(column).all()]
    if lacking:
        known = [algorithm for algorithm in algorithms if algorithm not in lacking]
        named = known if 2 <= len(known) <= _NAMED else [...]
        raise InputError(
            f"{quoted(lacking)} {'has' if len(lacking) == 1 else 'have'} no {name}.",
            mend=f"Add {'it' if len(lacking) == 1 else 'them'}, or leave those algorithms out:"
            f" {option(algorithms=named)}.",
        )
    wrong = np.argwhere((paid < 0) | np.isinf(paid))
    if len(wrong):
        row, column = wrong[0]
        raise InputError(f"The {name} of {algorithms[column]!r} is {paid[row, column]:g}.", mend="Correct it.")


def _known_prices(prices: Any, cost: str | None) -> dict[str, float]:
    """Read prices by the name of the algorithm."""
    if isinstance(prices, Mapping) and not any(
        isinstance(price, (list, tuple, np.ndarray)) for price in prices.values()
    ):
        try:
            return {str(name): float(price) for name, price in prices.items()}
        except (TypeError, ValueError):
            raise InputError("A price is no number.", mend="Use {'model': 1.5, ...}.") from None
    columns, source = columns_of(prices)
    named, priced = _headers(columns, cost, source)
    names = columns[named].as_names(Where(column=named, source=source))
    values = columns[priced].as_numbers(Where(column=priced, source=source))
    result: dict[str, float] = {}
    for code, value in zip(names.codes.tolist(), values.tolist(), strict=True):
        name = names.names[code]
        if result.setdefault(name, value) != value:
            raise InputError(
                f"{source} has two prices for {name!r}: {result[name]:g} and {value:g}.", mend="Delete one of the rows."
            )
    return result


def _headers(columns: Columns, cost: str | None, source: str) -> tuple[str, str]:
    """Find the column of names and that of prices."""
    named = next((header for name in _NAMES for header in columns if plain(header) == name), next(iter(columns)))
    numbers = [header for header in columns if header != named and columns[header].is_number()]
    wanted = cost or USUAL
    if wanted in columns and wanted != named:
        return named, wanted
    if cost is None and len(numbers) == 1:
        return named, numbers[0]
    close = get_close_matches(wanted, list(columns), n=1)
    raise OptionError(
        f"{Path(source).name} has no column {wanted!r} beside the names in {named!r}; its columns are"
        f" {quoted(columns)}.",
        mend=f"Did you mean {option(cost=close[0])}?" if close else f"Name the column: {option(cost=...)}.",
    )
