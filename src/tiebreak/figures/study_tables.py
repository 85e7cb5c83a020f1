"""Figures of the published studies: ranks beside the printed ones, changes of place, and wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tiebreak.documents import as_came_in
from tiebreak.figures.drawing.axis import TICK, Scale, bottom_axis, legend_line
from tiebreak.figures.drawing.ladder import LEADING, Ladder, make_ladder, name_lines, stacked
from tiebreak.figures.drawing.palette import BLUE, MUTED, PALE, PAPER, shade, text_on
from tiebreak.figures.drawing.scene import LONGEST, Area, Circle, Item, Line, Text, bounds, rectangle
from tiebreak.figures.drawing.text import drawn_size, fitted, shown, text_width, wrapped
from tiebreak.figures.figure import Figure, Rows, titled
from tiebreak.figures.matrices import column_heads, grid_of

if TYPE_CHECKING:
    from tiebreak.studies import Ulas2012Study, ValidationStudy
    from tiebreak.studies.win_study import WinMatrices

WIDTH, GAP, HIGH, NAME, REACH, LEAST = 150.0, 34.0, 16.0, 9.0, 3.6, 90.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrintedRanks(Figure):
    """Mean ranks as data: `before[k][i]` (printed) and `after[k][i]` are of panel k and algorithm i, 1 the best."""

    KIND = "Printed and here"
    algorithms: tuple[str, ...]
    panels: tuple[str, ...]
    before: tuple[tuple[float, ...], ...]
    after: tuple[tuple[float, ...], ...]

    def rows(self) -> Rows:
        """Return one row per panel and algorithm."""
        return [
            {"panel": panel, "algorithm": name, "printed": self.before[k][i], "here": self.after[k][i]}
            for k, panel in enumerate(self.panels)
            for i, name in enumerate(self.algorithms)
        ]

    def reading(self) -> str:
        """Say what the marks are."""
        return "A row is an algorithm; open marks are means of the printed results, filled ones those of this run."

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out the panels side by side, or one under the other with the names beside each."""
        items: list[Item] = []
        wide = max(text_width(shown(name), NAME) for name in self.algorithms)
        columns = len(self.panels)
        if room is not None:
            columns = max(1, min(columns, int((room - wide - 10 + GAP) / (LEAST + GAP))))
        width = WIDTH if room is None else (room - min(wide, 0.4 * room) - 10 - 8) / columns - GAP * (columns > 1)
        ladder = make_ladder(self.algorithms, row=HIGH, limit=LONGEST if room is None else 0.4 * room, most=3)
        top = 0.0
        for start in range(0, len(self.panels), columns):
            part = ladder.texts(-10)
            for at, k in enumerate(range(start, min(start + columns, len(self.panels)))):
                part += self._panel(k, at * (width + GAP), width, ladder)
            items += [item.moved(0.0, top - bounds(part)[1] if room is not None else 0.0) for item in part]
            top = bounds(items)[3] + 10
        left, limit = (0.0, 3 * WIDTH) if room is None else (bounds(items)[0], room)
        entries = [([_mark(0, 0, filled=False)], "printed"), ([_mark(0, 0, filled=True)], "here")]
        items += legend_line(entries, left, bounds(items)[3] + 16, limit)
        return items + ladder.key(left, bounds(items)[3] + 5, limit)

    def _panel(self, k: int, left: float, width: float, ladder: Ladder) -> list[Item]:
        scale = Scale(low=1.0, high=max(len(self.algorithms), 2), start=left, end=left + width)
        items = bottom_axis(scale, ladder.bottom, "mean rank", top=0.0, count=5)
        panel = self.panels[k]
        for line, words in enumerate(reversed(wrapped(panel, TICK, width + GAP - 6))):
            items.append(Text(left + width / 2, -8 - 10 * line, words, size=TICK, anchor="middle", colour=MUTED))
        for i, y in ladder.rows():
            items += self._pair(scale, k, i, y, f"{shown(self.algorithms[i])}, {panel}")
        return items

    def _pair(self, scale: Scale, k: int, i: int, y: float, words: str) -> list[Item]:
        before, after = self.before[k][i], self.after[k][i]
        title = f"{words}: {before:.2f} printed, {after:.2f} here"
        return [
            Line(((scale.start, y), (scale.end, y)), colour=PALE, width=0.4),
            Line(((scale(before), y), (scale(after), y)), colour=BLUE, width=1.4),
            _mark(scale(before), y, filled=False, title=title),
            _mark(scale(after), y, filled=True, title=title),
        ]


@as_came_in
def printed_ranks(found: Ulas2012Study) -> PrintedRanks:
    """Make the figure of mean ranks in print and here.

    Parameters
    ----------
    found : Ulas2012Study
        From `tiebreak.studies.ulas2012_study`.

    Returns
    -------
    PrintedRanks
    """
    rows = found.rows()
    panels = {"accuracy": "rank", "MultiTest, train_time": "place by train_time", "MultiTest, space": "place by space"}
    sides = [
        tuple(tuple(float(str(row[f"{key} {whose}"])) for row in rows) for key in panels.values())
        for whose in ("printed", "here")
    ]
    kept = tuple(
        note for note in found.caveats if getattr(note, "code", "") != "printed-rounding"
    )  # the page tells why
    return PrintedRanks(
        algorithms=found.beside.algorithms,
        panels=tuple(panels),
        before=sides[0],
        after=sides[1],
        **(titled(found) | {"caveats": kept}),
    )


def _mark(x: float, y: float, *, filled: bool, title: str = "") -> Item:
    return Circle(x, y, REACH, fill=BLUE if filled else PAPER, colour=BLUE, edge=1.2, title=title)


SIDE, CHANGES_HIGH, CHANGES_NAME, SMALL, CHANGES_LONGEST = 28.0, 15.0, 8.5, 7.0, 300.0
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
            base = (i + 0.5) * CHANGES_HIGH + 0.35 * CHANGES_NAME
            items.append(
                Text(
                    -6,
                    base,
                    fitted(name, CHANGES_NAME, CHANGES_LONGEST),
                    size=CHANGES_NAME,
                    anchor="end",
                    title=shown(name),
                )
            )
            items.append(Text(right, base, said, size=TICK, colour=MUTED))
            for k, share in enumerate(shares):
                items += _cell(
                    (k * SIDE, i * CHANGES_HIGH, SIDE, CHANGES_HIGH),
                    share,
                    f"{shown(name)}, {self.steps[k]}: {share:.1%}",
                )
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
            lines, _ = name_lines(f"{shown(name)} \N{EN DASH} {said}", CHANGES_NAME, room, 1000)
            items += stacked(lines, 0.0, top, size=CHANGES_NAME, title=shown(name))
            top += LEADING * drawn_size(CHANGES_NAME) * len(lines) + 1.5
            for k, share in enumerate(self.shares[i]):
                words = f"{shown(name)}, {self.steps[k]}: {share:.1%}"
                items += _cell((k * wide, top, wide, CHANGES_HIGH - 3), share, words)
            top += CHANGES_HIGH + 1
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


WINS_SIDE, WINS_HIGH, WINS_GAP, WINS_NAME, WINS_LONGEST = 26.0, 15.0, 26.0, 8.5, 130.0
MOST_BESIDE = 12
"""Algorithms up to which both tables stand side by side; those of more would be too wide for a page."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WinTables(Figure):
    """Wins as data: `wins[t][i][j]` is on how many data sets algorithm i beats j in table t; `bold` where told."""

    KIND = "Wins"
    algorithms: tuple[str, ...]
    tables: tuple[str, ...]
    wins: tuple[tuple[tuple[int, ...], ...], ...]
    bold: tuple[tuple[tuple[bool, ...], ...], ...]
    n_datasets: int

    def rows(self) -> Rows:
        """Return one row per table and ordered pair."""
        return [
            {"table": table, "row": row, "column": column, "wins": self.wins[t][i][j], "bold": self.bold[t][i][j]}
            for t, table in enumerate(self.tables)
            for i, row in enumerate(self.algorithms)
            for j, column in enumerate(self.algorithms)
            if i != j
        ]

    def reading(self) -> str:
        """Say what a cell holds."""
        return (
            "A cell says on how many data sets the row beats the column, in a stronger colour the more they are; bold"
            " where the sign test says that it does so more often than chance would."
        )

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out the tables side by side, below each other where they are wide."""
        count = len(self.algorithms)
        size = min(WINS_NAME, TICK + 1)
        if room is not None:
            return self._narrow(room)
        heads = max(text_width(fitted(name, size, WINS_LONGEST), size) for name in self.algorithms)
        level = heads <= WINS_SIDE - 4
        above, beside = (size if level else heads) + 10, heads + WINS_GAP
        items: list[Item] = []
        for t in range(len(self.tables)):
            left, top = (
                (t * (count * WINS_SIDE + beside), 0.0)
                if count <= MOST_BESIDE
                else (0.0, t * (count * WINS_HIGH + above + 30))
            )
            items.append(Text(left, top - above - 2, self.tables[t], size=TICK, colour=MUTED))
            items += self._names(left, top, size, level=level) + self._cells(t, left, top)
        return items

    def _narrow(self, room: float) -> list[Item]:
        """Lay out the tables one under the other, their cells as wide as the room allows."""
        items: list[Item] = []
        count, top = len(self.algorithms), 0.0
        least = text_width(str(self.n_datasets), TICK, bold=True) + 2
        for t, words in enumerate(self.tables):
            grid = grid_of(self.algorithms, count, room, wide=WINS_SIDE, high=WINS_HIGH, least=least, named=True)
            table: list[Item] = [*grid.ladder.texts(-6), *column_heads(grid, self.algorithms, room)]
            for i, rung in enumerate(grid.ladder.rungs):
                frame = (rung.middle - rung.high / 2, grid.wide, rung.high)
                table += [item for j in range(count) for item in self._cell(t, i, j, 0.0, frame)]
            left, high, _, _ = bounds(table)
            for line, part in enumerate(reversed(wrapped(words, TICK, room))):
                table.append(Text(left, high - 5 - 10 * line, part, size=TICK, colour=MUTED))
            table += grid.ladder.key(left, bounds(table)[3] + 4, room)
            items += [item.moved(0.0, top - bounds(table)[1]) for item in table]
            top = bounds(items)[3] + 14
        return items

    def _names(self, left: float, top: float, size: float, *, level: bool) -> list[Item]:
        items: list[Item] = []
        for i, name in enumerate(self.algorithms):
            words, title = fitted(name, size, WINS_LONGEST), shown(name)
            base = top + (i + 0.5) * WINS_HIGH + 0.35 * size
            items.append(Text(left - 6, base, words, size=size, anchor="end", title=title))
            x = left + (i + 0.5) * WINS_SIDE
            if level:
                items.append(Text(x, top - 5, words, size=size, anchor="middle", title=title))
            else:
                items.append(Text(x + 0.35 * size, top - 5, words, size=size, upwards=True, title=title))
        return items

    def _cells(self, t: int, left: float, top: float) -> list[Item]:
        places = range(len(self.algorithms))
        return [
            item
            for i in places
            for j in places
            for item in self._cell(t, i, j, left, (top + i * WINS_HIGH, WINS_SIDE, WINS_HIGH))
        ]

    def _cell(self, t: int, i: int, j: int, left: float, frame: tuple[float, float, float]) -> list[Item]:
        y, wide, high = frame
        x, won = left + j * wide, self.wins[t][i][j]
        corners = rectangle(x, y, wide, high)
        if i == j:
            return [Area(corners, fill=PALE, opacity=0.5)]
        fill, told = shade(won / self.n_datasets), self.bold[t][i][j]
        words = f"{shown(self.algorithms[i])} beats {shown(self.algorithms[j])} on {won} of {self.n_datasets}"
        base = y + 0.5 * high + 0.35 * TICK
        mark = Text(x + wide / 2, base, str(won), size=TICK, anchor="middle", colour=text_on(fill), bold=told)
        return [Area(corners, fill=fill, title=words), mark]


@as_came_in
def win_tables(found: WinMatrices) -> WinTables:
    """Make the figure of who beats whom on how many data sets.

    Parameters
    ----------
    found : WinMatrices
        From `tiebreak.studies.win_matrices`.

    Returns
    -------
    WinTables

    References
    ----------
    ulas2012

    Examples
    --------
    >>> from tiebreak.studies import win_matrices
    >>> win_tables(win_matrices(algorithms=["5nn", "svr"])).wins
    (((0, 5), (33, 0)), ((0, 1), (16, 0)))
    """
    kinds = found.kinds()
    return WinTables(
        algorithms=found.algorithms,
        tables=tuple(f"{found.caption(kind)}, of {found.n_datasets} data sets" for kind in kinds),
        wins=tuple(tuple(map(tuple, found.counts(kind).tolist())) for kind in kinds),
        bold=tuple(tuple(map(tuple, found.bold(kind).tolist())) for kind in kinds),
        n_datasets=found.n_datasets,
        **(titled(found) | {"caveats": tuple(note for note in found.caveats if note.code != "how-to-read")}),
    )
