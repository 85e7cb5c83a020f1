"""What a comparison on one data set says: the short answer, the document behind it, plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.comparison import _document as usual
from tiebreak.comparison.gaps import folds_as_items
from tiebreak.comparison.groups import too_many_letters
from tiebreak.comparison.on_items import ScoreUnit
from tiebreak.comparison.promises import promise_check
from tiebreak.documents import Check, Document, Table, listed, number
from tiebreak.documents.answer import Answer
from tiebreak.documents.parts import Picture, published_in, with_data
from tiebreak.documents.words import confidence, finite, pvalue, with_article
from tiebreak.methods import papers_of
from tiebreak.stats.results import correction_name
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.comparison._comparison import Pair
    from tiebreak.comparison._fold_comparison import FoldComparison

HERE = "on this data set"
EQUAL = "No significant difference does not mean equal: more folds or replications might show one."
OTHERS = "This holds for this data set; it says nothing about others."


def answer(found: FoldComparison) -> Answer:
    """Return the answer: who is better on this data set, the table behind it, the test, and where to find more."""
    codes = ("maybe-items", "constant-difference", "not-corrected", "false-discovery", "weak-correction", "gaps-")
    best, name = found.algorithms[0], found.score.name
    return Answer(
        headline=headline(found),
        use=best if found.control is None and _beats_all(found) else "",
        sure=f"It rests on {found.resampling} of one data set. {OTHERS}",
        next_best="" if found.control is not None else f"{best} has the best mean {name}: {_mean(found, 0)}.",
        rests_on=_how(found),
        table=_algorithms(found),
        facts=(*_legend(found), _how(found), *_assumed(found), OTHERS),
        notes=tuple(str(note) for note in found.caveats if note.code.startswith(codes)),
        more=(either("More: .document()   Page: .report()", "More: --full   Page: tiebreak report ... -o page.html"),),
    )


def _beats_all(found: FoldComparison) -> bool:
    best = found.algorithms[0]
    return all(pair.better == best for pair in found.iter_pairs() if best in (pair.a, pair.b))


# ---- the answer


def headline(found: FoldComparison) -> str:
    """Say who is significantly better than whom on this data set."""
    if bool((found.turned == found.turned[:, :1]).all()):
        return f"All {len(found.algorithms)} have the same {found.score.name} in every fold of this data set."
    if found.control is not None:
        return _beside_control(found)
    if len(found.algorithms) == 2:
        return _of_two(found)
    best, others = found.algorithms[0], len(found.algorithms) - 1
    beaten = [pair.b for pair in found.iter_pairs() if pair.a == best and pair.better == best]
    open_ = [pair.b for pair in found.iter_pairs() if pair.a == best and pair.better is None]
    if not open_:
        return f"{best} is significantly better than {'both' if others == 2 else f'all {others}'} others {HERE}."
    if beaten:
        but = f"no significant difference from {listed(open_, most=5)}"
        return f"{_first(found)} and is significantly better than {listed(beaten, most=5)} {HERE}; {but}."
    if found.significant.any():
        said = [f"{pair.a} is better than {pair.b}" for pair in found.iter_pairs() if pair.better == pair.a]
        return (
            f"{_first(found)}, not significantly better than any other {HERE}; significantly, {listed(said, most=3)}."
        )
    return f"No significant differences {HERE}. {_first(found)} ({_mean(found, 0)})."


def _first(found: FoldComparison) -> str:
    """Name the best mean, and those that share it."""
    means = found.locations
    near = 1e-12 * max(1.0, float(np.abs(means).max()))
    tied = [name for name, mean in zip(found.algorithms, means.tolist(), strict=True) if mean - means[0] <= near]
    return f"{listed(tied)} {'has' if len(tied) == 1 else 'have'} the best mean {found.score.name}"


def _mean(found: FoldComparison, at: int) -> str:
    unit, mean = unit_of(found), float(found.scores[0, at])
    return f"{100 * mean:.1f}%" if unit.points else number(mean)


def _of_two(found: FoldComparison) -> str:
    a, b = found.algorithms
    unit, (loss, low, high) = unit_of(found), losses(found)[1]
    span = f" ({confidence(found.alpha)} CI {unit.bare(low)} to {unit.bare(high)})" if np.isfinite(low) else ""
    if found.significant[0]:
        return f"{a} is significantly better than {b} {HERE}, by {unit.size(loss)}{span}."
    if loss == 0:
        return f"No significant difference between {a} and {b} {HERE}: their means are the same{span}."
    return f"No significant difference between {a} and {b} {HERE}: {a} is {unit.size(loss)} better{span}."


def _beside_control(found: FoldComparison) -> str:
    pairs = list(found.iter_pairs())
    parts = [
        f"{word} than {found.control}, the control: {listed(names)}"
        for word, names in (
            ("Significantly better", [pair.b for pair in pairs if pair.better == pair.b]),
            ("significantly worse", [pair.b for pair in pairs if pair.better == found.control]),
        )
        if names
    ]
    if not parts:
        return f"None differs significantly from {found.control}, the control, {HERE}."
    said = "; ".join(parts)
    return f"{said[0].upper()}{said[1:]} ({HERE})."


def unit_of(found: FoldComparison) -> ScoreUnit:
    """Write differences in points where scores are shares of 1."""
    share = bool(found.higher_is_better and np.abs(found.turned).max() <= 1 and (found.turned <= 0).all())
    return ScoreUnit(name=found.score.name, points=share)


def losses(found: FoldComparison) -> list[tuple[float, float, float]]:
    """Return, for each algorithm, how much worse it scores than the first (or the control), with its interval."""
    tests, names = found.pairs_tested, found.algorithms
    reference = 0 if found.control is None else names.index(found.control)
    out = [(0.0, 0.0, 0.0)] * len(names)
    sign = 1.0 if found.higher_is_better else -1.0
    for at in np.flatnonzero(tests.a == reference).tolist():
        low, high = sorted((sign * float(tests.low[at]), sign * float(tests.high[at])))
        out[int(tests.b[at])] = (sign * float(tests.difference[at]) + 0.0, low + 0.0, high + 0.0)
    return out


def _legend(found: FoldComparison) -> list[str]:
    if found.control is not None or len(found.algorithms) == 2 or too_many_letters(found.groups):
        return []
    return ["No significant difference between algorithms that share a letter."]


def _how(found: FoldComparison) -> str:
    """Name the test, the correction and the level."""
    test = "5x2 cv F tests" if found.plan.pairwise == "5x2cv-f" else "corrected resampled t tests"
    pairs = len(found.significant)
    how = f", {correction_name(found.plan.posthoc)} for {pairs} pairs" if pairs > 1 else ""
    level = f"{100 * found.alpha:g}% level"
    by = "by the corrected t " if found.plan.pairwise == "5x2cv-f" else ""
    each = f"; each interval holds {by}by itself" if pairs > 1 else ""
    return f"{found.resampling} of {found.datasets[0]}; {test}{how}, {level}{each}."


def _assumed(found: FoldComparison) -> list[str]:
    """Say what the test took the splits to be, where nobody named the share."""
    made = found.resampling
    if not made.assumed:
        return []
    share = f"1/{made.folds}"
    return [
        f"Assumed: cross-validation, so that each fold tests {share} of the data; else give {option('test_share')}."
    ]


# ---- the document


def document(found: FoldComparison) -> Document:
    """Put together what a comparison on one data set says."""
    said = tuple(sentences(found))
    return Document(
        title=found.title(),
        heading=f"Comparison by {found.score.name} {HERE}",
        points=answer(found).points(),
        lay=_lay(found),
        said=said,
        tables=(_algorithms(found), _pairs(found)),
        notes=(_note(found),),
        pictures=tuple(_pictures(found)),
        decided=found.plan.path,
        limits=(EQUAL, OTHERS),
        checks=_checks(found),
        papers=with_data(papers_of(each for each in found.plan.methods if each.name != "none"), found.data_papers),
        caveats=found.caveats,
        method=(
            f"We compared {len(found.algorithms)} algorithms on {found.resampling} of {found.datasets[0]} by"
            f" {found.score.name}.",
            *published_in(found.data_papers),
            *said,
        ),
    )


def sentences(found: FoldComparison) -> list[str]:
    """Say what came out and how it was tested."""
    count, total = int(found.significant.sum()), len(found.significant)
    counted = f"{count} of {total} pairs differ{'s' if count == 1 else ''} significantly {HERE}"
    tested = f"Pairs were tested on {found.resampling} by {with_article(found.tests.method)}"
    return [
        headline(found),
        *([f"{counted} (alpha = {found.alpha:g})."] if total > 1 else []),
        f"{tested}.",
        *_assumed(found),
        OTHERS,
    ]


def _lay(found: FoldComparison) -> tuple[str, ...]:
    return (
        f"Every algorithm was scored ({found.score.name}) on the same {found.resampling} of {found.datasets[0]}.",
        "Folds share training data, so their scores are not independent; the test allows for that.",
        "Significantly better: the difference is so steady over the folds that chance would rarely make it. The level,"
        f" alpha = {found.alpha:g}, says how rarely.",
        "No significant difference: the folds do not show which of the two is better, nor that they are equal.",
        "Interval: the differences that the folds leave possible.",
    )


def _algorithms(found: FoldComparison) -> Table:
    """Lay out the algorithms, best first, with what they lose against the best one or the control."""
    unit, control = unit_of(found), found.control
    heading = f"{found.score.name} (%)" if unit.points else f"mean {found.score.name}"
    beside = f"{'loss vs best' if control is None else f'loss vs {control}'} ({confidence(found.alpha)} CI)"
    column, told, marks = usual._marks(found)
    reference = 0 if control is None else found.algorithms.index(control)
    lost = losses(found)
    spans = ["" if at == reference else _span(unit, low, high) for at, (_, low, high) in enumerate(lost)]
    wide = max(map(len, spans))
    body = []
    for at, (row, span, mark) in enumerate(zip(found.rows(), spans, marks, strict=True)):
        mean = float(found.scores[0, at])
        loss = "-" if at == reference else f"{_cell(unit, lost[at][0])} {span:<{wide}}".rstrip(" " * (not wide))
        body.append((str(row["algorithm"]), f"{100 * mean:.1f}" if unit.points else number(mean), loss, mark))
    return Table(
        first=True,
        caption=f"Algorithms, best first; {told}",
        header=("algorithm", heading, beside, column),
        body=tuple(body),
    )


def _cell(unit: ScoreUnit, value: float) -> str:
    return f"{100 * value:.1f}".replace("-0.0", "0.0") if unit.points else number(value, 3)


def _span(unit: ScoreUnit, low: float, high: float) -> str:
    return f"({_cell(unit, low)} to {_cell(unit, high)})" if np.isfinite(low) else ""


def _pairs(found: FoldComparison) -> Table:
    """Lay out the pairs: differences with intervals that hold together, and the corrected tests."""
    tests, total, unit = found.pairs_tested, len(found.significant), unit_of(found)
    shown = list(found.iter_pairs()) if total <= usual.MOST_PAIRS else []
    more = "" if shown else f"{total} pairs were tested; {either('`rows()`', '--json')} lists them all."
    body = tuple(
        (
            *(pair.a, pair.b, _cell(unit, float(tests.difference[at]))),
            _span(unit, float(tests.low_together[at]), float(tests.high_together[at])).strip("()") or "-",
            *(number(pair.statistic), pvalue(pair.pvalue), pvalue(pair.adjusted), pair.better or "-"),
        )
        for at, pair in enumerate(shown)
    )
    span = f"{confidence(found.alpha)} interval"
    header = ("a", "b", "difference", span, found.plan.test.symbol, "p", "adjusted p", "better")
    return Table(header=header, body=body, left=2, note=more)


def _note(found: FoldComparison) -> str:
    unit = ", in points" if unit_of(found).points else ""
    total = len(found.significant)
    together = f"; the intervals of pairs hold for all {total:,} together (Bonferroni)" if total > 1 else ""
    return f"difference: {found.score.name} of a less that of b{unit}{together}."


def _pictures(found: FoldComparison) -> list[Picture]:
    folded = {"top": usual.FIRST_ROWS} if len(found.algorithms) > usual.MOST_LINES else {}
    pictures = [Picture(name="Differences with intervals", kind="forest", options=folded)]
    if found.control is None and 2 < len(found.algorithms) <= usual.MOST_IN_MATRIX:
        pictures.append(Picture(name="Matrix of pairs", kind="matrix"))
    return pictures


def _checks(found: FoldComparison) -> tuple[Check, ...]:
    made = found.resampling
    few = made.count < 5
    text = f"{made.count} scores for each algorithm: {'few; repeat the cross-validation' if few else 'not too few'}."
    hint = folds_as_items(made.count)
    return (
        Check(number=1, kind="tip" if few else "passed", text=text),
        Check(number=2, kind="tip" if hint else "passed", text=hint.strip() or "The folds are not too many for folds."),
        promise_check(3, found.plan.test, found.plan.correction, len(found.tests.a)),
    )


# ---- plain data


def as_dict(found: FoldComparison) -> dict[str, Any]:
    """Return plain data; its fields are a contract for other programs."""
    made, rows = found.resampling, found.rows()
    loss = [
        {name: finite(each) for name, each in zip(("value", "low", "high"), row, strict=True)} for row in losses(found)
    ]
    references = document(found).references()
    return {
        "answer": answer(found).to_dict(),
        "headline": headline(found),
        "over": "folds",
        "folds": {
            "dataset": found.datasets[0],
            "replications": made.replications,
            "folds": made.folds,
            "count": made.count,
            "test_share": made.share,
            "test_share_assumed": made.assumed,
        },
        "algorithms": list(found.algorithms),
        "scores": {
            name: {"mean": row[f"mean {found.score.name}"], "loss": lost}
            for name, row, lost in zip(found.algorithms, rows, loss, strict=True)
        },
        "mean_ranks": None,
        "omnibus": None,
        "pairs": [_pair(found, at, pair) for at, pair in enumerate(found.iter_pairs())],
        "groups": [list(group) for group in found.groups],
        "critical_difference": None,
        "method": usual.method_facts(found, omnibus="none", posthoc=found.tests.method),
        **usual.last_facts(found, sentences(found), references),
    }


def _pair(found: FoldComparison, at: int, pair: Pair) -> dict[str, Any]:
    tests = found.pairs_tested
    ends = ("difference", "low", "high", "low_together", "high_together")
    return usual.pair_facts(pair) | {name: finite(float(getattr(tests, name)[at])) for name in ends}
