"""The forest plot: differences of pairs with intervals that hold together, from a reference or of all pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

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
from tiebreak.wording import Brief, either, option

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
        return [{key: getattr(difference, key) for key in keys} for difference in self.differences]

    def foldable(self) -> int:
        """Return how many rows there are."""
        return len(self.differences)

    def lower(self) -> str:
        """Say what draws fewer rows."""
        if self.reference is not None:
            return Tested.lower(self)
        return pairs_lower(
            len({name for difference in self.differences for name in (difference.algorithm, difference.reference)})
        )

    def reading(self) -> str:
        """Say what lines and marks mean, and where the intervals and the tests differ."""
        whole = f"all {self.family} pairs" if self.family > 1 else "the pair"
        sentences = [
            f"Lines are {100 * self.level:.4g}% intervals for {whole} together ({self.interval})."
            f" Filled marks: significant by {self.method}, alpha = {self.alpha:g}."
        ]
        if self.margin is not None:
            sentences.append(f"In the shaded band a difference is below {self.margin:g} and does not matter.")
        sentences += self._disagreement()
        if self.left_out:
            sentences.append(f"{self.left_out} pairs of other algorithms are not drawn.")
        if len(self.differences) > len(self._drawn()):
            sentences.append(f"The first {len(self._drawn())} of {len(self.differences)} pairs are drawn.")
        return " ".join(sentences) + ("" if self.reference is None else folded_words(len(self.differences), self.kept))

    def _disagreement(self) -> list[str]:
        """Intervals take one step, tests may take several: a line over zero beside a filled mark is no error."""
        over = sum(
            difference.verdict != "open" and difference.low <= 0 <= difference.high for difference in self.differences
        )
        clear = sum(
            difference.verdict == "open" and not difference.low <= 0 <= difference.high
            for difference in self.differences
        )
        sentences = []
        if over:
            sentences.append(
                f"{over} of the lines {'holds' if over == 1 else 'hold'} 0 where the sharper test rejects."
            )
        if clear:
            sentences.append(
                f"{clear} of the lines {'leaves' if clear == 1 else 'leave'} out 0 where the test does not."
            )
        return sentences

    def _drawn(self) -> tuple[Difference, ...]:
        """Return the lines for which the sheet has room; of pairs `kept` says how many, else whose rows are drawn."""
        return self.differences if self.reference is not None else first_pairs(self.differences, self)

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out names, lines, marks and numbers."""
        if len(self._drawn()) < len(self.differences):
            return replace(self, differences=self._drawn(), kept=()).items(room)
        names = [difference.algorithm if self.reference else _pair(difference) for difference in self.differences]
        numbers = _numbers(self, room)
        beside = 10 + max(text_width(words, TICK) for words in numbers)
        lines = 3 if self.reference else 4
        ladder, width = divided(
            names, self.kept, room=room, row=ROW, usual=WIDTH, beside=beside, least=64.0, share=0.3, most=lines
        )
        scale, bottom = self._scale(width), ladder.bottom + 2
        items = self._band(scale, bottom)
        start, limit = -GAP - ladder.wide, None if room is None else width
        items += bottom_axis(scale, bottom, self._axis(), top=-2, limit=limit, left=start)
        items.append(Line(((scale(0.0), -2), (scale(0.0), bottom)), dash=(3, 2)))
        items += ladder.texts(-GAP) + _rows(self, scale, ladder, numbers)
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
        ends = [
            end for difference in self.differences for end in (difference.low, difference.high, difference.estimate)
        ]
        low, high = reach(ends, [0.0, *([-self.margin, self.margin] if self.margin is not None else [])])
        return Scale.around([low, high], 0.03, 0.0, width)

    def _band(self, scale: Scale, bottom: float) -> list[Item]:
        if self.margin is None:
            return []
        left, right = scale(-self.margin), scale(self.margin)
        return [Area(rectangle(left, -2, right - left, bottom + 2), fill=SKY, opacity=0.25)]

    def _entries(self) -> list[tuple[list[Item], str]]:
        verdicts = {difference.verdict for difference in self.differences}
        return [([verdict_mark(kind, 0, 0)], words) for kind, words in _MARKS.items() if kind in verdicts]


@as_came_in
def forest_plot(
    comparison: Comparison,
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
    comparison : Comparison
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
    >>> [(item.algorithm, round(item.estimate, 4), item.verdict) for item in figure.differences]
    [('C4.5+m', -0.0045, 'open'), ('C4.5+cf', -0.0135, 'open'), ('C4.5', -0.02, 'worse')]
    """
    name, held = _reference(comparison, reference), comparison.simultaneous_intervals()
    lines = [item for item in _differences(comparison, held) if name in (item.reference, item.algorithm)]
    lines = sorted(
        (_turned(line, name) for line in lines),
        key=lambda difference: comparison.algorithms.index(difference.algorithm),
    )
    others = [line.algorithm for line in lines]
    named = [show] if isinstance(show, str) else list(show)
    for text in named:
        check_choice("algorithm", text, comparison.algorithms)
    counts = kept_of(others, top, [word for word in named if word != name])
    return ForestPlot(differences=tuple(lines), reference=name, kept=counts, **_common(comparison, held, margin))


@as_came_in
def forest_of_pairs(
    comparison: Comparison, *, margin: float | None = None, top: int | None = None, show: Sequence[str] = ()
) -> ForestPlot:
    """Make the forest plot of all tested pairs of a comparison, the better placed one of each pair first.

    Parameters
    ----------
    comparison : Comparison
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
    held = comparison.simultaneous_intervals()
    lines = [
        difference if comparison.control is None else _turned(difference, comparison.control)
        for difference in _differences(comparison, held)
    ]
    if top is None and not show and len(lines) > MOST_PAIRS:
        top = MOST_PAIRS if comparison.control is not None else _FIRST
    counts = kept_of(comparison.algorithms, top, show)
    wanted = {comparison.algorithms[i] for i in counts or range(len(comparison.algorithms))} | {
        comparison.control or ""
    }
    drawn = tuple(line for line in lines if {line.algorithm, line.reference} <= wanted)
    left = len(lines) - len(drawn)
    return ForestPlot(differences=drawn, reference=None, left_out=left, **_common(comparison, held, margin))


def _common(comparison: Comparison, held: DifferenceIntervals, margin: float | None) -> dict[str, Any]:
    """Return what both plots take from a comparison."""
    by_ranks = comparison.by_ranks
    unit = comparison.location_name if by_ranks else _UNITS.get(comparison.scale, comparison.score.name)
    notes = tuple(caveat for caveat in held.caveats if caveat not in comparison.caveats)
    return tested(comparison) | {
        "unit": unit,
        "higher_is_better": _upward(comparison),
        "interval": held.method,
        "level": held.level,
        "family": len(held.a),
        "margin": _checked_margin(comparison, margin),
        "caveats": (*comparison.caveats, *notes),
    }


def _upward(comparison: Comparison) -> bool:
    """Differences have the sign of the score, where they are in its unit; distances and ranks fall."""
    return comparison.higher_is_better and comparison.scale == "as they are" and not comparison.by_ranks


def _reference(comparison: Comparison, text: str | None) -> str:
    name = (
        comparison.control or comparison.algorithms[0]
        if text is None
        else check_choice("algorithm", text, comparison.algorithms)
    )
    if comparison.control is not None and name != comparison.control:
        raise OptionError(
            f"The reference is {name!r}, the comparison has the control {comparison.control!r}.",
            why="Only pairs with the control were tested.",
            mend=either(f"Use compare(..., control={name!r}), or none.", f"Use {option(control=name)}, or none."),
        )
    return name


def _checked_margin(comparison: Comparison, margin: float | None) -> float | None:
    """A margin is in units of the score, which differences of ranks do not have."""
    if margin is None:
        return None
    if isinstance(margin, bool) or not isinstance(margin, (int, float)) or not 0 < margin < math.inf:
        raise OptionError(
            f"{_asked(margin)} is no margin.",
            why="It says how small a difference does not matter, in units of the score.",
            mend=f"Use {_asked(0.01)}.",
        )
    if comparison.by_ranks:
        raise OptionError(
            f"{_asked(margin)} was given after a test on ranks.",
            why="A margin is in units of the score, and the differences drawn are those of ranks.",
            mend=f"Use {option(pairwise='wilcoxon')}, or none.",
        )
    return float(margin)


def _asked(margin: object) -> str:
    """Name the margin as it is asked for: the command line has one region of practical equivalence for all."""
    return either(f"margin={margin!r}", option(rope=margin))


def _differences(comparison: Comparison, held: DifferenceIntervals) -> list[Difference]:
    """Return the tested pairs as the better placed one less the other; with a control, the control less the other."""
    sign = -1.0 if _upward(comparison) else 1.0  # intervals are positive where b is better
    columns = (held.estimate, held.low, held.high)
    lines = []
    for pair, estimate, low, high in zip(
        comparison.iter_pairs(), *(column.tolist() for column in columns), strict=True
    ):
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


def _turned(difference: Difference, reference: str) -> Difference:
    """Return the difference from a reference, which may be either of the two."""
    if difference.reference == reference:
        return difference
    return Difference(
        algorithm=difference.reference,
        reference=difference.algorithm,
        estimate=-difference.estimate + 0.0,
        low=-difference.high + 0.0,
        high=-difference.low + 0.0,
        verdict={"better": "worse", "worse": "better"}.get(difference.verdict, "open"),
    )


def _pair(difference: Difference) -> str:
    return f"{shown(difference.algorithm)} \N{EN DASH} {shown(difference.reference)}"


def _numbers(figure: ForestPlot, room: float | None) -> list[str]:
    """Write estimate and interval, in a narrow column the estimate alone."""
    ends = [end for difference in figure.differences for end in (difference.low, difference.high) if math.isfinite(end)]
    digits = digits_of([difference.estimate for difference in figure.differences] + [0.0])
    full = [f"{digits(e.estimate)} ({_end(e.low, digits)} to {_end(e.high, digits)})" for e in figure.differences]
    if not ends or (room is not None and max(text_width(words, TICK) for words in full) > 0.3 * room):
        return [digits(difference.estimate) for difference in figure.differences]
    return full


def _end(value: float, digits: Digits) -> str:
    return digits(value) if math.isfinite(value) else "\N{INFINITY}" if value > 0 else "\N{MINUS SIGN}\N{INFINITY}"


def _rows(figure: ForestPlot, scale: Scale, ladder: Ladder, texts: list[str]) -> list[Item]:
    """Draw line, mark and numbers of every row."""
    items: list[Item] = []
    for i, y in ladder.rows():
        difference = figure.differences[i]
        items.append(Line(((scale.start, y), (scale.end, y)), colour=PALE, width=0.5))
        items += _interval(difference, scale, y, shown(f"{_pair(difference)}: {texts[i]}"))
        size = min(TICK, ladder.size)
        items.append(Text(scale.end + 10, y + 0.35 * size, texts[i], size=size, colour=MUTED))
    return items


def _interval(difference: Difference, scale: Scale, y: float, title: str) -> list[Item]:
    """An end beyond the axis is an arrow; an estimate beyond it has no mark of its own."""
    least, most = scale.low, scale.high
    start, stop = (scale(min(max(end, least), most)) for end in (difference.low, difference.high))
    items: list[Item] = [Line(((start, y), (stop, y)), width=1.1, title=title)] if stop > start else []
    for end, x in ((difference.low, start), (difference.high, stop)):
        if least <= end <= most:
            items.append(Line(((x, y - 2.4), (x, y + 2.4)), width=1.1, title=title))
        else:
            items.append(off_mark(x, y, end > most, title=title))
    if least <= difference.estimate <= most:
        items.append(verdict_mark(difference.verdict, scale(difference.estimate), y))
    return items
