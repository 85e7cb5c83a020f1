"""How far places move between two parts of the data: a table of shades, ways of ordering or algorithms down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tiebreak.documents import as_came_in
from tiebreak.figures._figure import Figure, Rows, titled
from tiebreak.figures.drawing.axis import TICK
from tiebreak.figures.drawing.metrics import drawn_size, fitted, shown, text_width, wrapped
from tiebreak.figures.drawing.names import LEADING, name_lines, stacked
from tiebreak.figures.drawing.palette import MUTED, PALE, shade, text_on
from tiebreak.figures.drawing.scene import Area, Item, Text, rectangle

if TYPE_CHECKING:
    from tiebreak.studies import ValidationStudy

SIDE, HIGH, NAME, SMALL, LONGEST = 28.0, 15.0, 8.5, 7.0, 300.0
MOST = 15
"""Columns that are drawn at the most; steps beyond them count in the last one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RankChanges(Figure):
    """Changes of place as data: `shares[i][k]` is how often row i moves `steps[k]` places; `said[i]` stands beside."""

    KIND = "Changes of place"
    names: tuple[str, ...]
    steps: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]
    said: tuple[str, ...]
    across: str
    beside: str
    explained: str

    def rows(self) -> Rows:
        """Return one row per way of ordering, or per algorithm."""
        return [
            {"name": name, **dict(zip(self.steps, shares, strict=True)), self.beside: said}
            for name, shares, said in zip(self.names, self.shares, self.said, strict=True)
        ]

    def reading(self) -> str:
        """Say what the shades mean."""
        return self.explained

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out cells, names and what stands beside them; under the names where there is little room."""
        if room is not None:
            return self._narrow(room)
        items: list[Item] = []
        right = SIDE * len(self.steps) + 8
        for i, (name, shares, said) in enumerate(zip(self.names, self.shares, self.said, strict=True)):
            base = (i + 0.5) * HIGH + 0.35 * NAME
            items.append(Text(-6, base, fitted(name, NAME, LONGEST), size=NAME, anchor="end", title=shown(name)))
            items.append(Text(right, base, said, size=TICK, colour=MUTED))
            for k, share in enumerate(shares):
                items += _cell((k * SIDE, i * HIGH, SIDE, HIGH), share, f"{shown(name)}, {self.steps[k]}: {share:.1%}")
        heads: list[Item] = [
            Text((k + 0.5) * SIDE, -5, step, size=TICK, anchor="middle") for k, step in enumerate(self.steps)
        ]
        heads += [Text(0, -17, self.across, size=TICK, colour=MUTED)]
        start = max(right, text_width(self.across, TICK) + 8)
        heads += [Text(right, -5 if start == right else -29, self.beside, size=TICK, colour=MUTED)]
        return items + heads

    def _narrow(self, room: float) -> list[Item]:
        """Each name stands above its cells, with what is said of it: both may be long."""
        columns = len(self.steps)
        wide = min(room / columns, 60.0)
        items: list[Item] = []
        top = 0.0
        for i, (name, said) in enumerate(zip(self.names, self.said, strict=True)):
            lines, _ = name_lines(f"{shown(name)} \N{EN DASH} {said}", NAME, room, 1000)
            items += stacked(lines, 0.0, top, size=NAME, title=shown(name))
            top += LEADING * drawn_size(NAME) * len(lines) + 1.5
            for k, share in enumerate(self.shares[i]):
                words = f"{shown(name)}, {self.steps[k]}: {share:.1%}"
                items += _cell((k * wide, top, wide, HIGH - 3), share, words)
            top += HIGH + 1
        heads = list(self.steps)
        if any(text_width(step, TICK) + 2 > wide for step in heads):
            heads = [step.replace("stays", "0") for step in heads]
        items += [Text((k + 0.5) * wide, -4, step, size=TICK, anchor="middle") for k, step in enumerate(heads)]
        told = wrapped(f"{self.across}; beside the names: {self.beside}", TICK, room)
        for line, words in enumerate(reversed(told)):
            items.append(Text(0, -15 - 10 * line, words, size=TICK, colour=MUTED))
        return items


@as_came_in
def way_changes(found: ValidationStudy) -> RankChanges:
    """Make the figure of how far algorithms move between validation folds and held-out part, by every way of ordering.

    Parameters
    ----------
    found : ValidationStudy
        From `tiebreak.studies.validation_study`.

    Returns
    -------
    RankChanges
    """
    ways = [way for way in found.ways if way.changes.orders == len(found.datasets) and way.over == "each data set"]
    steps = [way.changes.steps().tolist() for way in ways]
    reach = min(max((k for row in steps for k, share in enumerate(row) if share), default=0) + 1, MOST)
    return RankChanges(
        names=tuple(way.label for way in ways),
        steps=("stays", *map(str, range(1, reach))) if reach < MOST else _to_last(reach),
        shares=tuple(_folded(row, reach) for row in steps),
        said=tuple(f"{way.changes.equal} of {way.changes.orders}{_again(way)}" for way in ways),
        across="places that an algorithm moves (shares in per cent)",
        beside="orders alike; pairs again",
        explained="A row is a way of ordering each data set by itself; the shade is the share of algorithms and data"
        " sets that move so many places from the validation folds to the held-out part. Beside it: on how many data"
        " sets no algorithm moves, and how many significant differences on the validation folds are significant again.",
        **_titled(found),
    )


@as_came_in
def algorithm_changes(found: ValidationStudy, way: str | None = None) -> RankChanges:
    """Make the figure of how far every algorithm moves, forward or back, by one way of ordering.

    Parameters
    ----------
    found : ValidationStudy
    way : str, optional
        The label of a way, such as "mean score"; by default the first.

    Returns
    -------
    RankChanges
    """
    chosen = found.way(way)
    shares = chosen.changes.signed_steps()
    middle = len(found.algorithms) - 1
    used = [abs(k - middle) for row in shares.tolist() for k, share in enumerate(row) if share]
    reach = min(max(used, default=0), (MOST - 1) // 2)
    kept = [_both_ends(row, middle, reach) for row in shares.tolist()]
    means = chosen.changes.moved.mean(axis=0).tolist()
    return RankChanges(
        names=found.algorithms,
        steps=tuple("stays" if step == 0 else _signed(f"{step:+d}") for step in range(-reach, reach + 1)),
        shares=tuple(kept),
        said=tuple(_signed(f"{mean:+.2f}") for mean in means),
        across="places forward (\N{MINUS SIGN}) or back (+) on the held-out part (shares in per cent)",
        beside="mean",
        explained=f"Ordered by {chosen.label}. The shade is the share of data sets on which the algorithm moves so many"
        " places from the validation folds to the held-out part.",
        **_titled(found),
    )


def _again(way: Any) -> str:
    return "" if way.told is None else f"; {way.told.again} of {way.told.first}"


def _titled(found: ValidationStudy) -> dict[str, Any]:
    """How to read the tables of a study does not help with its figure."""
    kept = tuple(note for note in found.caveats if getattr(note, "code", "") != "how-to-read")
    return titled(found) | {"caveats": kept}


def _signed(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def _to_last(reach: int) -> tuple[str, ...]:
    return ("stays", *map(str, range(1, reach - 1)), f"{reach - 1}+")


def _folded(row: Sequence[float], reach: int) -> tuple[float, ...]:
    return (*row[: reach - 1], float(sum(row[reach - 1 :])))


def _both_ends(row: Sequence[float], middle: int, reach: int) -> tuple[float, ...]:
    """Steps beyond the last column count in it, on either side."""
    if not reach:
        return (float(sum(row)),)
    low, high = float(sum(row[: middle - reach + 1])), float(sum(row[middle + reach :]))
    return (low, *row[middle - reach + 1 : middle + reach], high)


def _cell(frame: tuple[float, float, float, float], share: float, words: str) -> list[Item]:
    x, y, wide, high = frame
    corners = rectangle(x, y, wide, high)
    if share == 0:
        return [Area(corners, fill=PALE, opacity=0.25)]
    fill = shade(0.08 + 0.92 * share)  # the rarest share still differs from none
    items: list[Item] = [Area(corners, fill=fill, title=words)]
    said = f"{share * 100:.0f}"
    if share >= 0.005 and text_width(said, SMALL) <= wide:
        middle, base = x + wide / 2, y + high / 2 + 0.35 * SMALL
        items.append(Text(middle, base, said, size=SMALL, anchor="middle", colour=text_on(fill)))
    return items
