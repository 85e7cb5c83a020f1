"""The forest plot: differences from a reference, with intervals that hold together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak._checks import check_choice
from tiebreak.comparison import Comparison
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import TICK, Digits, Scale, digits_of, reach
from tiebreak.figures.drawing.ladder import Ladder, divided
from tiebreak.figures.drawing.palette import MUTED, PALE, SKY
from tiebreak.figures.drawing.scene import Area, Item, Line, Text, rectangle
from tiebreak.figures.drawing.text import shown, text_width
from tiebreak.figures.figure import Rows
from tiebreak.figures.members import Tested, beside_names, folded_words, interval_line, kept_of, mark_of, tested
from tiebreak.stats import DifferenceIntervals
from tiebreak.wording import Brief, either, option

ROW, WIDTH = 14.0, 300.0
_MARKS = {"better": "significantly better", "worse": "significantly worse", "open": "no significant difference"}
_DISTANCE = "distance from the median algorithm"


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
    """A forest plot as data.

    Differences are in the unit `unit`, `higher_is_better` or not; `level` is that of all intervals together, `family`
    the number of pairs that they cover. `margin` is how small a difference does not matter, None where none was given.
    """

    KIND = "Differences"
    differences: tuple[Difference, ...]
    reference: str
    unit: str
    higher_is_better: bool
    interval: str
    level: float
    family: int
    margin: float | None = None

    def rows(self) -> Rows:
        """Return one row per line."""
        keys = ("algorithm", "reference", "estimate", "low", "high", "verdict")
        return [{key: getattr(difference, key) for key in keys} for difference in self.differences]

    def foldable(self) -> int:
        """Return how many rows there are."""
        return len(self.differences)

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
        return " ".join(sentences) + folded_words(len(self.differences), self.kept)

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

    def items(self, room: float | None = None) -> list[Item]:
        """Lay out names, lines, marks and numbers."""
        names, numbers = [difference.algorithm for difference in self.differences], _numbers(self, room)
        beside = 10 + max(text_width(words, TICK) for words in numbers)
        ladder, width = divided(names, self.kept, room=room, row=ROW, usual=WIDTH, beside=beside, least=64.0, share=0.3)
        scale = self._scale(width)
        verdicts = {difference.verdict for difference in self.differences}
        way = "higher" if self.higher_is_better else "lower"
        return self._band(scale, ladder.bottom + 2) + beside_names(
            ladder,
            scale,
            _rows(self, scale, ladder, numbers),
            axis=f"{shown(self.unit)} less that of {shown(self.reference)} ({way} is better)",
            zero=0.0,
            words={kind: words for kind, words in _MARKS.items() if kind in verdicts},
            room=room,
            beside=beside,
        )

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
        Draw the first `top` and those named, and fold the rest.

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
    notes = tuple(caveat for caveat in held.caveats if caveat not in comparison.caveats)
    return ForestPlot(
        differences=tuple(lines),
        reference=name,
        kept=counts,
        unit=comparison.location_name
        if comparison.by_ranks
        else _DISTANCE
        if comparison.scale == "distances"
        else comparison.score.name,
        higher_is_better=_upward(comparison),
        interval=held.method,
        level=held.level,
        family=len(held.a),
        margin=_checked_margin(comparison, margin),
        **tested(comparison) | {"caveats": (*comparison.caveats, *notes)},
    )


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
        raise OptionError(f"{_asked(margin)} is no margin.", mend=f"Use {_asked(0.01)}.")
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
        title = shown(f"{difference.algorithm} \N{EN DASH} {difference.reference}: {texts[i]}")
        items += interval_line(difference.low, difference.high, scale, y, title)
        if scale.low <= difference.estimate <= scale.high:
            items.append(mark_of(difference.verdict, scale(difference.estimate), y))
        size = min(TICK, ladder.size)
        items.append(Text(scale.end + 10, y + 0.35 * size, texts[i], size=size, colour=MUTED))
    return items
