"""What comparisons on the folds of one data set, or on items, say: answers, documents, plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.comparison import document as usual
from tiebreak.comparison.items import pair_sentence
from tiebreak.comparison.on_items import ScoreUnit, item_facts
from tiebreak.comparison.trade import rounded
from tiebreak.documents import Document, Table, listed, number
from tiebreak.documents.parts import published_in, with_data
from tiebreak.documents.shown import Answer
from tiebreak.documents.words import confidence, finite, pvalue, with_article
from tiebreak.methods import papers_of
from tiebreak.stats import ItemPairs
from tiebreak.stats.results import correction_name
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.comparison.folds import FoldComparison
    from tiebreak.comparison.items import ItemComparison

HERE = "on this data set"
OTHERS = "This holds for this data set; it says nothing about others."


def _document(comparison: FoldComparison | ItemComparison, texts: list[str], **parts: Any) -> Document:
    """Put a document together; `parts` are those that folds and items do not share."""
    total, unit = len(comparison.significant), comparison.unit
    held = total > 1 and comparison.has_intervals
    together = f"; the intervals of pairs hold for all {total:,} together" if held else ""
    points = ", in points" if unit.points else ""
    papers = papers_of(method for method in comparison.plan.methods if method.name != "none")
    first, *rest = parts.pop("method"), *published_in(comparison.data_papers), *texts
    return Document(
        title=comparison.title(),
        points=comparison.answer.points(),
        said=tuple(texts),
        tables=(parts.pop("table"), _pairs(comparison)),
        notes=(f"difference: {comparison.score.name} of a less that of b{points}{together}.",),
        pictures=usual.pictures(comparison, ""),
        decided=comparison.plan.path,
        papers=with_data(papers, comparison.data_papers),
        caveats=comparison.caveats,
        method=(first, *rest),
        **parts,
    )


def _pairs(comparison: FoldComparison | ItemComparison) -> Table:
    """Lay out the pairs: differences with intervals that hold together, and the corrected tests."""
    tests, total, unit = comparison.pairs_tested, len(comparison.significant), comparison.unit
    shown = list(comparison.iter_pairs()) if total <= usual.MOST_PAIRS else []
    held = comparison.has_intervals
    body = tuple(
        (
            *(pair.a, pair.b, unit.bare(float(tests.difference[at]))),
            *([_ends(unit, float(tests.low_together[at]), float(tests.high_together[at])) or "-"] if held else []),
            *(pvalue(pair.pvalue), pvalue(pair.adjusted), pair.better or "-"),
        )
        for at, pair in enumerate(shown)
    )
    interval = [f"{confidence(1 - tests.level)} interval"] if held else []
    header = ("a", "b", "difference", *interval, "p", "adjusted p", "better")
    return Table(header=header, body=body, left=2, note=usual.too_many_pairs(total))


def _ends(unit: ScoreUnit, low: float, high: float) -> str:
    return f"{unit.bare(low)} to {unit.bare(high)}" if np.isfinite(low) else ""


def _pair_facts(comparison: FoldComparison | ItemComparison) -> list[dict[str, Any]]:
    tests, ends = comparison.pairs_tested, ("difference", "low", "high", "low_together", "high_together")
    return [
        usual.pair_facts(pair) | {name: finite(float(getattr(tests, name)[at])) for name in ends}
        for at, pair in enumerate(comparison.iter_pairs())
    ]


# ---- on the folds of one data set


def answer_of_folds(comparison: FoldComparison) -> Answer:
    """Return the answer: who is better on this data set, the table behind it, the test, and where to find more."""
    codes = (
        *("inferred", "failures-worst", "outside-its-range", "maybe-items", "constant-difference", "not-corrected"),
        *("false-discovery", "weak-correction", "gaps-"),
    )
    best, name, mean = comparison.algorithms[0], comparison.score.name, _mean(comparison, 0)
    percent = "%" if comparison.unit.points else ""
    two = len(comparison.algorithms) == 2
    return Answer(
        headline=comparison.headline,
        use=usual.best_of_all(comparison),
        sure=f"It rests on {comparison.resampling} of one data set. {OTHERS}",
        next_best="" if comparison.control is not None else f"{best} has the best mean {name}: {mean}{percent}.",
        rests_on=_how(comparison),
        table=_algorithms(comparison),
        facts=(*([] if two else usual.legend(comparison)), _how(comparison), *_assumed(comparison), OTHERS),
        notes=tuple(str(note) for note in comparison.caveats if note.code.startswith(codes)),
        more=(either("More: .document()   Page: .report()", "More: --full   Page: tiebreak report ... -o page.html"),),
    )


def headline_of_folds(comparison: FoldComparison) -> str:
    """Say who is significantly better than whom on this data set; of two, by how much."""
    names, unit = comparison.algorithms, comparison.unit
    if len(names) > 2 or comparison.control is not None or usual.all_equal(comparison):
        text = usual.headline(comparison)
        plain = text.startswith(("No ", "All ", "Both "))
        return f"On this data set, {text[0].lower()}{text[1:]}" if plain else f"On this data set, {text}"
    loss, low, high = comparison.losses()[1]
    span = f" ({confidence(comparison.alpha)} CI {_ends(unit, low, high)})" if np.isfinite(low) else ""
    if comparison.significant[0]:
        return f"{names[0]} is significantly better than {names[1]} {HERE}, by {unit.size(loss)}{span}."
    apart = f"{names[0]} is {unit.size(loss)} better" if loss else "their means are the same"
    return f"No significant difference between {names[0]} and {names[1]} {HERE}: {apart}{span}."


def _mean(comparison: FoldComparison, at: int) -> str:
    mean = float(comparison.scores[0, at])
    unit = comparison.unit
    return f"{unit.factor * mean:.1f}" if unit.points else number(mean)


def _how(comparison: FoldComparison) -> str:
    """Name the test, the correction and the level."""
    held, pairs = comparison.has_intervals, len(comparison.significant)
    test = "corrected resampled t tests" if held else "5x2 cv F tests (no intervals)"
    how = f", {correction_name(comparison.plan.posthoc)} for {pairs} pairs" if pairs > 1 else ""
    text = "; each interval holds by itself" if pairs > 1 and held else ""
    level = f"{100 * comparison.alpha:g}% level"
    return f"{comparison.resampling} of {comparison.datasets[0]}; {test}{how}, {level}{text}."


def _assumed(comparison: FoldComparison) -> list[str]:
    """Say what the test took the splits to be, where nobody named the share."""
    if not comparison.resampling.assumed:
        return []
    share = f"each fold tests 1/{comparison.resampling.folds} of the data"
    return [f"Assumed: cross-validation, so that {share}; else give {option('test_share')}."]


def document_of_folds(comparison: FoldComparison) -> Document:
    """Put together what a comparison on one data set says."""
    made, name = comparison.resampling, comparison.score.name
    where = f"{made} of {comparison.datasets[0]}"
    return _document(
        comparison,
        _sentences_of_folds(comparison),
        heading=f"Comparison by {name} {HERE}",
        lay=(
            f"Every algorithm was scored ({name}) on the same {where}.",
            "Folds share training data, so their scores are not independent; the test allows for that.",
            "Significantly better: the difference is so steady over the folds that chance would rarely make it. The"
            f" level, alpha = {comparison.alpha:g}, says how rarely.",
            "No significant difference: the folds do not show which of the two is better, nor that they are equal.",
            *(["Interval: the differences that the folds leave possible."] if comparison.has_intervals else []),
        ),
        table=_algorithms(comparison),
        limits=(usual.EQUAL.format("folds or replications"), OTHERS),
        method=f"We compared {len(comparison.algorithms)} algorithms on {where} by {name}.",
    )


def _sentences_of_folds(comparison: FoldComparison) -> list[str]:
    """Say what came out and how it was tested."""
    tested = f"Pairs were tested on {comparison.resampling} by {with_article(comparison.tests.method)}."
    many = len(comparison.significant) > 1
    counted = [f"{usual.counted(comparison)} {HERE} (alpha = {comparison.alpha:g})."] if many else []
    return [comparison.headline, *counted, tested, *_assumed(comparison), OTHERS]


def _algorithms(comparison: FoldComparison) -> Table:
    """Lay out the algorithms, best first, with what they lose against the best one or the control."""
    unit, control = comparison.unit, comparison.control
    percent = " (%)" if unit.factor == 100.0 else ""
    heading = f"{comparison.score.name}{percent}" if unit.points else f"mean {comparison.score.name}"
    interval = f" ({confidence(comparison.alpha)} CI)" if comparison.has_intervals else ""
    beside = f"loss vs {control or 'best'}{interval}"
    column, meaning, marks = usual.marks(comparison)
    reference = 0 if control is None else comparison.algorithms.index(control)

    def cell(value: float) -> str:
        return rounded(unit.factor * value, 1) if unit.points else number(value, 3)

    losses = comparison.losses()
    spans = [
        f"({cell(low)} to {cell(high)})" if at != reference and np.isfinite(low) else ""
        for at, (_, low, high) in enumerate(losses)
    ]
    wide = max(map(len, spans))
    body = []
    for at, (name, span, mark) in enumerate(zip(comparison.algorithms, spans, marks, strict=True)):
        loss = "-" if at == reference else f"{cell(losses[at][0])} {span:<{wide}}".rstrip(" " * (not wide))
        body.append((name, _mean(comparison, at), loss, mark))
    return Table(
        first=True,
        caption=f"Algorithms, best first; {meaning}",
        header=("algorithm", heading, beside, column),
        body=tuple(body),
        texts=frozenset({0, 3}),
    )


def folds_as_dict(comparison: FoldComparison) -> dict[str, Any]:
    """Return plain data; its fields are a contract for other programs."""
    made, name = comparison.resampling, f"mean {comparison.score.name}"
    rows, ends = comparison.rows(), {"value": "loss", "low": "low", "high": "high"}
    references = document_of_folds(comparison).references()
    return {
        "answer": comparison.answer.to_dict(),
        "headline": comparison.headline,
        "over": "folds",
        "folds": {
            "dataset": comparison.datasets[0],
            "replications": made.replications,
            "folds": made.folds,
            "count": made.count,
            "test_share": made.share,
            "test_share_assumed": made.assumed,
        },
        "algorithms": list(comparison.algorithms),
        "scores": {
            str(row["algorithm"]): {
                "mean": row[name], "loss": {side: finite(float(str(row[field]))) for side, field in ends.items()}
            }
            for row in rows
        },
        "mean_ranks": None,
        "omnibus": None,
        "pairs": _pair_facts(comparison),
        "groups": [list(group) for group in comparison.groups],
        "critical_difference": None,
        "method": usual.method_facts(comparison, omnibus="none", posthoc=comparison.tests.method),
        **usual.last_facts(comparison, _sentences_of_folds(comparison), references),
    }  # fmt: skip


# ---- on items


def answer_of_items(comparison: ItemComparison) -> Answer:
    """Return the answer: who is significantly better than whom on these items."""
    two, evidence = len(comparison.algorithms) == 2, comparison.evidence()
    method = with_article(usual.plain_method(comparison.pairs_tested.method))
    tested = f"{evidence}; tested by {method}."
    return Answer(
        headline=comparison.headline if two else usual.headline(comparison),
        use=usual.best_of_all(comparison),
        sure=f"It rests on {evidence} and holds for other items like these; others may differ.",
        next_best="" if two else comparison.headline,
        rests_on=tested,
        table=_models(comparison),
        facts=(*([] if two else [comparison.headline]), *usual.legend(comparison), tested),
        notes=tuple(map(str, comparison.caveats)),
        more=usual.more(diagram=False),
    )


def document_of_items(comparison: ItemComparison) -> Document:
    """Put together what a comparison on items says."""
    evidence, name = comparison.evidence(), comparison.score.name
    answered = f"Every model answered the same items ({evidence}), and each pair is compared on the items of both."
    totals = f"Of every model it is known how many of {evidence} it got right, not which ones."
    return _document(
        comparison,
        sentences_of_items(comparison),
        heading=f"Comparison by {name} on {evidence}",
        lay=(
            answered if comparison.items is not None else totals,
            "Significantly better: on the items the difference is so steady that chance would rarely make it. The"
            f" level, alpha = {comparison.alpha:g}, says how rarely.",
            "No significant difference: the items do not show which of the two is better, nor that they are equal.",
            "Interval: the differences that the items leave possible.",
        ),
        table=_models(comparison),
        limits=(usual.EQUAL.format("items"),),
        method=f"We compared {len(comparison.algorithms)} models on {evidence} by {name}.",
    )


def sentences_of_items(comparison: ItemComparison) -> list[str]:
    """Say what was asked, how it was tested, and what came out."""
    tests = comparison.pairs_tested
    how = "on the items that both answered" if isinstance(tests, ItemPairs) else "by their totals"
    alike = ", every benchmark counting alike," if len(comparison.datasets) > 1 else ""
    return [
        comparison.headline,
        f"The question: {comparison.question}",
        f"Pairs were tested {how}{alike} by {with_article(tests.method)}.",
        f"{usual.counted(comparison)}.",
        *_best(comparison),
    ]


def _best(comparison: ItemComparison) -> list[str]:
    """Say whom the first is significantly better than."""
    if comparison.control is not None or len(comparison.algorithms) == 2:
        return []
    best = f"First: {comparison.algorithms[0]}, with the best mean {comparison.score.name}"
    pairs = [pair for pair in comparison.iter_pairs() if pair.a == comparison.algorithms[0]]
    undecided = [pair for pair in pairs if pair.better is None]
    if not undecided:
        return [f"{best}, significantly better than every other model."]
    hidden = any(pair.pvalue <= comparison.alpha for pair in undecided)
    corrected = f" after the correction for {len(comparison.significant):,} pairs" if hidden else ""
    return [f"{best}; no significant difference from {listed([pair.b for pair in undecided])}{corrected}."]


def _models(comparison: ItemComparison) -> Table:
    """Lay out the models, best first."""
    mean, held = f"mean {comparison.score.name}", comparison.shares is not None
    percent, factor = (" (%)", 100.0) if comparison.unit.points else ("", 1.0)
    header = ("model", f"{mean}{percent}", *((f"{confidence(comparison.alpha)} interval",) if held else ()), "group")
    body = []
    for row in comparison.rows():
        ends = (
            (f"{number(factor * float(str(row['low'])), 3)} to {number(factor * float(str(row['high'])), 3)}",)
            if held
            else ()
        )
        body.append((str(row["algorithm"]), number(factor * float(str(row[mean]))), *ends, str(row["group"])))
    caption = "Models, best first; those that share a letter do not differ significantly"
    texts = frozenset({0, len(header) - 1})
    return Table(first=True, caption=caption, header=header, body=tuple(body), texts=texts)


def items_as_dict(comparison: ItemComparison) -> dict[str, Any]:
    """Return plain data; its fields are a contract for other programs."""
    tests, means, shares = comparison.pairs_tested, comparison.scores.mean(axis=0), comparison.shares
    pairs = _pair_facts(comparison)
    for at, pair in enumerate(pairs):
        if isinstance(tests, ItemPairs):
            counts = {"items": "n_items", "units": "n_units", "ahead_a": "ahead_a", "ahead_b": "ahead_b"}
            pair |= {name: int(getattr(tests, field)[at]) for name, field in counts.items()}
            pair["how"] = tests.how[at]
        pair["text"] = pair_sentence(comparison, at)
    references = document_of_items(comparison).references()
    return {
        "answer": comparison.answer.to_dict(),
        "headline": comparison.headline,
        "question": comparison.question,
        "items": item_facts(comparison.items, tests),
        "over": "items",
        "algorithms": list(comparison.algorithms),
        "scores": {
            name: {
                "mean": float(means[i]),
                **({} if shares is None else {"low": float(shares[i, 0]), "high": float(shares[i, 1])}),
            }
            for i, name in enumerate(comparison.algorithms)
        },
        "mean_ranks": dict(zip(comparison.algorithms, comparison.mean_ranks.tolist(), strict=True)),
        "omnibus": comparison.omnibus.to_dict() | {"df": [], "rejected": comparison.rejected, "comes_first": False},
        "pairs": pairs,
        "groups": [list(group) for group in comparison.groups],
        "critical_difference": None,
        "method": usual.method_facts(comparison, omnibus="none", posthoc=tests.method),
        **usual.last_facts(comparison, sentences_of_items(comparison), references),
    }
