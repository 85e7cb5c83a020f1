"""The forest plot: differences of pairs with intervals that hold together, from a reference or of all pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tiebreak._brief import Brief
from tiebreak._checks import check_choice
from tiebreak.comparison import Comparison
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures.control import _mark as verdict_mark
from tiebreak.figures.drawing.axis import TICK, Digits, Scale, bottom_axis, digits_of, legend_line, off_mark, reach
from tiebreak.figures.drawing.ladder import GAP, Ladder, divided
from tiebreak.figures.drawing.palette import MUTED, PALE, SKY
from tiebreak.figures.drawing.scene import Area, Item, Line, Text, bounds, rectangle
from tiebreak.figures.drawing.text import shown, text_width
from tiebreak.figures.figure import Rows
from tiebreak.figures.members import Tested, first_pairs, folded_words, kept_of, pairs_lower, tested
from tiebreak.stats import DifferenceIntervals
from tiebreak.wording import either, option

ROW, WIDTH, MOST_PAIRS = 14.0, 300.0, 66
"""All pairs of twelve algorithms are drawn; of more, those of the first eleven."""
_FIRST = 11
_MARKS = {"better": "significantly better", "worse": "significantly worse", "open": "no significant difference"}
_UNITS = {
    "distances": "distance from the median algorithm",
    "normalised": "normalised score",
    "signs": "rank within a data set",
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Difference(Brief):
    """One line: `algorithm` less `reference`, in the sign of the score (or of ranks), with its interval and verdict.

    `verdict` is what the test of the comparison says of the algorithm: better, worse or open.
    """

    algorithm: str
    reference: str
    estimate: float
    low: float
    high: float
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ForestPlot(Tested):
    """A forest plot as data; `reference` is None where all pairs are drawn.

    Differences are in the unit `unit`, `higher_is_better` or not; `level` is that of all intervals together, `family`
    the number of pairs that they cover. `margin` is how small a difference does not matter, None where none was given.
    """

    KIND = "Differences"
    differences: tuple[Difference, ...]
    reference: str | None
    unit: str
    higher_is_better: bool
    interval: str
    level: float
    family: int
    margin: float | None = None
    left_out: int = 0

    def rows(self) -> Rows:
        """Return one row per line."""
        keys = ("algorithm", "reference", "estimate", "low", "high", "verdict")
        return [{key: getattr(each, key) for key in keys} for each in self.differences]

    def foldable(self) -> int:
        """Return how many rows there are."""
        return len(self.differences)

    def lower(self) -> str:
        """Say what draws fewer rows."""
        if self.reference is not None:
            return Tested.lower(self)
        return pairs_lower(len({name for each in self.differences for name in (each.algorithm, each.reference)}))

    def reading(self) -> str:
        """Say what lines and marks mean, and where the intervals and the tests differ."""
        whole = f"all {self.family} pairs" if self.family > 1 else "the pair"
        said = [
            f"Lines are {100 * self.level:.4g}% intervals for {whole} together ({self.interval})."
            f" Filled marks: significant by {self.method}, alpha = {self.alpha:g}."
        ]
        if self.margin is not None:
            said.append(f"In the shaded band a difference is below {self.margin:g} and does not matter.")
        said += self._disagreement()
        if self.left_out:
            said.append(f"{self.left_out} pairs of other algorithms are not drawn.")
        if len(self.differences) > len(self._drawn()):
            said.append(f"The first {len(self._drawn())} of {len(self.differences)} pairs are drawn.")
        return " ".join(said) + ("" if self.reference is None else folded_words(len(self.differences), self.kept))

    def _disagreement(self) -> list[str]:
        """Intervals take one step, tests may take several: a line over zero beside a filled mark is no error."""
        over = sum(each.verdict != "open" and each.low <= 0 <= each.high for each in self.differences)
        clear = sum(each.verdict == "open" and not each.low <= 0 <= each.high for each in self.differences)
        said = []
        if over:
            said.append(f"{over} of the lines {'holds' if over == 1 else 'hold'} 0 where the sharper test rejects.")
        if clear:
            said.append(f"{clear} of the lines {'leaves' if clear == 1 else 'leave'} out 0 where the test does not.")
        return said

    def _drawn(self) -> tuple[Difference, ...]:
        """Return the lines for which the sheet has room; of pairs `kept` says how many, else whose rows are drawn."""
        return self.differences if self.reference is not None else first_pairs(self.differences, self)

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out names, lines, marks and numbers."""
        if len(self._drawn()) < len(self.differences):
            return replace(self, differences=self._drawn(), kept=()).items(room)
        names = [each.algorithm if self.reference else _pair(each) for each in self.differences]
        told = _numbers(self, room)
        beside = 10 + max(text_width(words, TICK) for words in told)
        lines = 3 if self.reference else 4
        ladder, width = divided(
            names, self.kept, room=room, row=ROW, usual=WIDTH, beside=beside, least=64.0, share=0.3, most=lines
        )
        scale, bottom = self._scale(width), ladder.bottom + 2
        items = self._band(scale, bottom)
        start, limit = -GAP - ladder.wide, None if room is None else width
        items += bottom_axis(scale, bottom, self._axis(), top=-2, limit=limit, left=start)
        items.append(Line(((scale(0.0), -2), (scale(0.0), bottom)), dash=(3, 2)))
        items += ladder.texts(-GAP) + _rows(self, scale, ladder, told)
        left = start if room is not None else 0.0
        whole = width + (0.0 if room is None else beside) - left
        items += legend_line(self._entries(), left, bounds(items)[3] + 15, whole)
        return items + ladder.key(left, bounds(items)[3] + 5, whole)

    def _axis(self) -> str:
        way = "higher" if self.higher_is_better else "lower"
        if self.reference is None:
            return f"{shown(self.unit)}, the first less the second ({way}: the first is better)"
        return f"{shown(self.unit)} less that of {shown(self.reference)} ({way} is better)"

    def _scale(self, width: float) -> Scale:
        """All lines lie inside, unless a few reach out so far that the others could not be read."""
        ends = [end for each in self.differences for end in (each.low, each.high, each.estimate)]
        low, high = reach(ends, [0.0, *([-self.margin, self.margin] if self.margin is not None else [])])
        return Scale.around([low, high], 0.03, 0.0, width)

    def _band(self, scale: Scale, bottom: float) -> list[Item]:
        if self.margin is None:
            return []
        left, right = scale(-self.margin), scale(self.margin)
        return [Area(rectangle(left, -2, right - left, bottom + 2), fill=SKY, opacity=0.25)]

    def _entries(self) -> list[tuple[list[Item], str]]:
        found = {each.verdict for each in self.differences}
        return [([verdict_mark(kind, 0, 0)], words) for kind, words in _MARKS.items() if kind in found]


@as_came_in
def forest_plot(
    found: Comparison,
    *,
    reference: str | None = None,
    margin: float | None = None,
    top: int | None = None,
    show: Sequence[str] = (),
) -> ForestPlot:
    """Make the forest plot of a comparison: the difference of each algorithm from a reference, with its interval.

    The intervals hold together for all pairs that the comparison tested: with a control for those of the control,
    otherwise for all pairs, because the best one was chosen by looking at the data.

    Parameters
    ----------
    found : Comparison
    reference : str, optional
        From whom differences are taken; the control, or the best. A comparison with a control takes no other.
    margin : float, optional
        A difference up to so much, in units of the score, does not matter; it is shaded.
    top, show : int and sequence of str, optional
        Draw the first so many and those named, and fold the others.

    Returns
    -------
    ForestPlot

    See Also
    --------
    tiebreak.stats.simultaneous_intervals : the intervals, by the method of the test of the pairs.

    References
    ----------
    dunn1961
    tukey1949

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = forest_plot(tb.compare(tb.published.demsar2006(), score="auc"))
    >>> [(each.algorithm, round(each.estimate, 4), each.verdict) for each in figure.differences]
    [('C4.5+m', -0.0045, 'open'), ('C4.5+cf', -0.0135, 'open'), ('C4.5', -0.02, 'worse')]
    """
    name, held = _reference(found, reference), found.simultaneous_intervals()
    lines = [each for each in _differences(found, held) if name in (each.reference, each.algorithm)]
    lines = sorted((_turned(each, name) for each in lines), key=lambda each: found.algorithms.index(each.algorithm))
    others = [each.algorithm for each in lines]
    named = [show] if isinstance(show, str) else list(show)
    for each in named:
        check_choice("algorithm", each, found.algorithms)
    kept = kept_of(others, top, [each for each in named if each != name])
    return ForestPlot(differences=tuple(lines), reference=name, kept=kept, **_common(found, held, margin))


@as_came_in
def forest_of_pairs(
    found: Comparison, *, margin: float | None = None, top: int | None = None, show: Sequence[str] = ()
) -> ForestPlot:
    """Make the forest plot of all tested pairs of a comparison, the better placed one of each pair first.

    Parameters
    ----------
    found : Comparison
    margin : float, optional
        A difference up to so much, in units of the score, does not matter; it is shaded.
    top, show : int and sequence of str, optional
        Only pairs of the first so many algorithms and of those named; of more than 66 pairs by default those of the
        first eleven algorithms.

    Returns
    -------
    ForestPlot

    References
    ----------
    dunn1961
    tukey1949

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = forest_of_pairs(tb.compare(tb.published.demsar2006(), score="auc"), margin=0.01)
    >>> len(figure.differences), figure.differences[0].reference, figure.margin
    (6, 'C4.5+m', 0.01)
    """
    held = found.simultaneous_intervals()
    lines = [each if found.control is None else _turned(each, found.control) for each in _differences(found, held)]
    if top is None and not show and len(lines) > MOST_PAIRS:
        top = MOST_PAIRS if found.control is not None else _FIRST
    kept = kept_of(found.algorithms, top, show)
    wanted = {found.algorithms[i] for i in kept or range(len(found.algorithms))} | {found.control or ""}
    drawn = tuple(each for each in lines if {each.algorithm, each.reference} <= wanted)
    left = len(lines) - len(drawn)
    return ForestPlot(differences=drawn, reference=None, left_out=left, **_common(found, held, margin))


def _common(found: Comparison, held: DifferenceIntervals, margin: float | None) -> dict[str, Any]:
    """Return what both plots take from a comparison."""
    by_ranks = found.by_ranks
    unit = found.location_name if by_ranks else _UNITS.get(found.scale, found.score.name)
    notes = tuple(each for each in held.caveats if each not in found.caveats)
    return tested(found) | {
        "unit": unit,
        "higher_is_better": _upward(found),
        "interval": held.method,
        "level": held.level,
        "family": len(held.a),
        "margin": _checked_margin(found, margin),
        "caveats": (*found.caveats, *notes),
    }


def _upward(found: Comparison) -> bool:
    """Differences have the sign of the score, where they are in its unit; distances and ranks fall."""
    return found.higher_is_better and found.scale == "as they are" and not found.by_ranks


def _reference(found: Comparison, asked: str | None) -> str:
    name = found.control or found.algorithms[0] if asked is None else check_choice("algorithm", asked, found.algorithms)
    if found.control is not None and name != found.control:
        raise OptionError(
            f"The reference is {name!r}, the comparison has the control {found.control!r}.",
            why="Only pairs with the control were tested.",
            mend=either(f"Use compare(..., control={name!r}), or none.", f"Use --control {name}, or none."),
        )
    return name


def _checked_margin(found: Comparison, margin: float | None) -> float | None:
    """A margin is in units of the score, which differences of ranks do not have."""
    if margin is None:
        return None
    if isinstance(margin, bool) or not isinstance(margin, (int, float)) or not 0 < margin < math.inf:
        raise OptionError(
            f"{_asked(margin)} is no margin.",
            why="It says how small a difference does not matter, in units of the score.",
            mend=f"Use {_asked(0.01)}.",
        )
    if found.by_ranks:
        raise OptionError(
            f"{_asked(margin)} was given after a test on ranks.",
            why="A margin is in units of the score, and the differences drawn are those of ranks.",
            mend=f"Use {option(pairwise='wilcoxon')}, or none.",
        )
    return float(margin)


def _asked(margin: object) -> str:
    """Name the margin as it is asked for: the command line has one region of practical equivalence for all."""
    return either(f"margin={margin!r}", f"--rope {margin}")


def _differences(found: Comparison, held: DifferenceIntervals) -> list[Difference]:
    """Return the tested pairs as the better placed one less the other; with a control, the control less the other."""
    sign = -1.0 if _upward(found) else 1.0  # intervals are positive where b is better
    columns = (held.estimate, held.low, held.high)
    lines = []
    for pair, estimate, low, high in zip(found.iter_pairs(), *(column.tolist() for column in columns), strict=True):
        ends = sorted((sign * low, sign * high))
        verdict = "open" if pair.better is None else "better" if pair.better == pair.a else "worse"
        lines.append(
            Difference(
                algorithm=pair.a,
                reference=pair.b,
                estimate=sign * estimate + 0.0,
                low=ends[0] + 0.0,
                high=ends[1] + 0.0,
                verdict=verdict,
            )
        )
    return lines


def _turned(each: Difference, reference: str) -> Difference:
    """Return the difference from a reference, which may be either of the two."""
    if each.reference == reference:
        return each
    return Difference(
        algorithm=each.reference,
        reference=each.algorithm,
        estimate=-each.estimate + 0.0,
        low=-each.high + 0.0,
        high=-each.low + 0.0,
        verdict={"better": "worse", "worse": "better"}.get(each.verdict, "open"),
    )


def _pair(each: Difference) -> str:
    return f"{shown(each.algorithm)} \N{EN DASH} {shown(each.reference)}"


def _numbers(figure: ForestPlot, room: float | None) -> list[str]:
    """Write estimate and interval, in a narrow column the estimate alone."""
    ends = [end for each in figure.differences for end in (each.low, each.high) if math.isfinite(end)]
    digits = digits_of([each.estimate for each in figure.differences] + [0.0])
    full = [f"{digits(e.estimate)} ({_end(e.low, digits)} to {_end(e.high, digits)})" for e in figure.differences]
    if not ends or (room is not None and max(text_width(words, TICK) for words in full) > 0.3 * room):
        return [digits(each.estimate) for each in figure.differences]
    return full


def _end(value: float, digits: Digits) -> str:
    return digits(value) if math.isfinite(value) else "\N{INFINITY}" if value > 0 else "\N{MINUS SIGN}\N{INFINITY}"


def _rows(figure: ForestPlot, scale: Scale, ladder: Ladder, told: list[str]) -> list[Item]:
    """Draw line, mark and numbers of every row."""
    items: list[Item] = []
    for i, y in ladder.rows():
        each = figure.differences[i]
        items.append(Line(((scale.start, y), (scale.end, y)), colour=PALE, width=0.5))
        items += _interval(each, scale, y, shown(f"{_pair(each)}: {told[i]}"))
        size = min(TICK, ladder.size)
        items.append(Text(scale.end + 10, y + 0.35 * size, told[i], size=size, colour=MUTED))
    return items


def _interval(each: Difference, scale: Scale, y: float, title: str) -> list[Item]:
    """An end beyond the axis is an arrow; an estimate beyond it has no mark of its own."""
    least, most = scale.low, scale.high
    start, stop = (scale(min(max(end, least), most)) for end in (each.low, each.high))
    items: list[Item] = [Line(((start, y), (stop, y)), width=1.1, title=title)] if stop > start else []
    for end, x in ((each.low, start), (each.high, stop)):
        if least <= end <= most:
            items.append(Line(((x, y - 2.4), (x, y + 2.4)), width=1.1, title=title))
        else:
            items.append(off_mark(x, y, end > most, title=title))
    if least <= each.estimate <= most:
        items.append(verdict_mark(each.verdict, scale(each.estimate), y))
    return items
