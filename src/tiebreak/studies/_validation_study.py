"""What the study of validation folds found, and the tables that show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Document, Row, Shown, Table
from tiebreak.errors import unknown_name
from tiebreak.studies._order_changes import NEAR, Told
from tiebreak.studies._validation_ways import OVER_SETS, PER_SET, Way

FAR = 0.5
"""An algorithm that moves by so many places on average is named."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ValidationStudy(Shown):
    """What `validation_study` found: every way of ordering, with the places on both parts; prints as a row of tables.

    Of a way, `changes.first` are the places on the validation folds and `changes.second` those on the held-out part,
    (orders, algorithms); orders are those of `datasets`, or the one over all of them.
    """

    ways: tuple[Way, ...]
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    score: str
    held_out: str
    costs: tuple[str, ...]
    alpha: float
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was held against what."""
        return (
            f"Orders of {len(self.algorithms)} algorithms by {self.score} on validation folds beside {self.held_out},"
            f" {len(self.datasets)} data set(s), alpha {self.alpha:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per way and cost."""
        return [row for way in self.ways for row in way.rows()]

    def by_algorithm(self) -> list[Row]:
        """Return one row per way, cost and algorithm: by how many places it moves from one part to the other."""
        return [
            {"over": way.over, "ordered by": way.name, "cost": way.cost, **row}
            for way in self.ways
            for row in way.changes.by_algorithm()
        ]

    def way(self, label: str | None = None) -> Way:
        """Return a way by its label, such as "MultiTest, 5x2cv-f, uncorrected; train_time"; the first by default."""
        if label is None:
            return self.ways[0]
        known = {
            way.label: way for way in reversed(self.ways)
        }  # of equal labels the one of each data set, which is first
        if label not in known:
            raise unknown_name("way of ordering", label, list(dict.fromkeys(way.label for way in self.ways)))
        return known[label]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, as `tiebreak study validation --json` prints it."""
        return {
            "study": "validation",
            "title": self.title(),
            "score": self.score,
            "held_out": self.held_out,
            "costs": list(self.costs),
            "alpha": self.alpha,
            "datasets": list(self.datasets),
            "algorithms": list(self.algorithms),
            "ways": [_way_dict(way) for way in self.ways],
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }

    # ---- what is printed

    def document(self) -> Document:
        """Return the conclusion, then the tables under their captions, with how to read them."""
        counted = f"{len(self.ways)} ways of ordering, each on the validation folds and on the held-out part:"
        tables = Document(title=counted, tables=tuple(self._tables()), caveats=self.caveats)
        return Document(title=self.title(), said=tuple(self._said()), tables=(), papers=("ulas2012",), more=(tables,))

    def _said(self) -> Iterator[str]:
        """Say it of the first test, which is the usual one, with its last correction, and of the mean score."""
        sets, count = [way for way in self.ways if way.over == PER_SET], len(self.datasets)
        usual = {way.cost: way for way in sets if way.told is not None and way.test == sets[0].test}
        for way in usual.values():
            told = way.told
            assert told is not None  # so they were chosen
            yield (
                f"{way.name}, with {way.cost}: {way.changes.equal} of {count} data sets are ordered alike on both"
                f" parts, an algorithm moves {way.changes.mean_size:.2f} places on average, and {_again(told)}."
            )
        plain = next(way for way in sets if not way.cost)
        yield (
            f"By mean score alone {plain.changes.equal} of {count} are ordered alike, and an algorithm moves"
            f" {plain.changes.mean_size:.2f} places."
        )
        moved = list(zip(self.algorithms, plain.changes.moved.mean(axis=0).tolist(), strict=True))
        back = sorted((each for each in moved if each[1] >= FAR), key=lambda each: -each[1])
        if back:
            named = ", ".join(f"{name} {change:.1f}" for name, change in back)
            yield f"Further back on the held-out part by mean score, in places on average: {named}."

    def _tables(self) -> Iterator[Table]:
        yield _counts("Orders of each data set", [way for way in self.ways if way.over == PER_SET])
        yield self._moved()
        over = [way for way in self.ways if way.over == OVER_SETS]
        if over:
            yield _counts("Orders over all data sets", over)
            yield self._orders(over)

    def _moved(self) -> Table:
        """Ways down, algorithms across."""
        body = tuple(
            (way.name, way.cost, *(f"{value:+.2f}" for value in way.changes.moved.mean(axis=0)))
            for way in self.ways
            if way.over == PER_SET
        )
        caption = "Mean change of place on a data set: + is further back on the held-out part"
        return Table(caption=caption, header=("ordered by", "cost", *self.algorithms), body=body, left=2)

    def _orders(self, over: Sequence[Way]) -> Table:
        body = tuple(
            (way.name, way.cost, part, order_text(places[0], self.algorithms))
            for way in over
            for part, places in (("validation", way.changes.first), ("held out", way.changes.second))
        )
        header = ("ordered by", "cost", "part", "order")
        return Table(caption="The orders over all data sets", header=header, body=body, left=4)


def order_text(places: FloatArray, algorithms: Sequence[str]) -> str:
    """Write places as an order; what shares a place is joined by an equals sign."""
    ordered = sorted(range(len(algorithms)), key=lambda i: (float(places[i]), algorithms[i]))
    parts = [algorithms[ordered[0]]]
    for before, i in pairwise(ordered):
        parts += [" = " if abs(places[i] - places[before]) < NEAR else " > ", algorithms[i]]
    return "".join(parts)


def _counts(caption: str, ways: Sequence[Way]) -> Table:
    header = ("ordered by", "cost", "alike", "first", "moved", "farthest", "turned", "significant", "again", "contrary")
    body = []
    for way in ways:
        changes, told = way.changes, way.told
        decided = ("", "", "")
        if told is not None:
            decided = (f"{told.first}, {told.second}", str(told.again), str(told.contrary))
        body.append(
            (
                way.name,
                way.cost,
                _of(changes.equal, changes.orders),
                _of(changes.same_first, changes.orders),
                f"{changes.mean_size:.2f}",
                f"{changes.largest:g}",
                f"{changes.turned:.1%}",
                *decided,
            )
        )
    return Table(caption=caption, header=header, body=tuple(body), left=2)


_DECIDED = ("significant", "significant held out", "again", "contrary")


def _of(count: int, orders: int) -> str:
    """Write a count of orders; of a single one only whether."""
    return f"{count} of {orders}" if orders > 1 else "yes" if count else "no"


def _way_dict(way: Way) -> dict[str, Any]:
    """`places` are in the order of the algorithms, one row for each data set or the one order over all."""
    changes, told = way.changes, way.rows()[0]
    return {
        **{name.replace(" ", "_"): value for name, value in told.items() if not name.startswith(("told", "again"))},
        "significant": None if way.told is None else way.told.rows()[0],
        "steps": changes.steps().tolist(),
        "algorithms": [
            {name.replace(" ", "_"): value for name, value in row.items()} for row in changes.by_algorithm()
        ],
        "places": {"validation": changes.first.tolist(), "held_out": changes.second.tolist()},
    }


def _again(told: Told) -> str:
    """Where nothing differs significantly, orders agree by cost alone, which is no success."""
    if not told.first:
        return "no pair differs significantly on the validation folds: there cost alone orders them"
    return (
        f"of {told.first} pairs that differ significantly on the validation folds {told.again} do so again,"
        f" {told.contrary} the other way round"
    )
