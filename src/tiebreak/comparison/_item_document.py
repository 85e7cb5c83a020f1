"""What a comparison on items says: the sentence to repeat, the question, tables of models and pairs, plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.caveats import codes_of
from tiebreak.comparison import _document as usual
from tiebreak.comparison.headlines import headline
from tiebreak.comparison.on_items import item_facts
from tiebreak.comparison.promises import promise_check
from tiebreak.documents import Check, Document, Table, listed, number
from tiebreak.documents.parts import Picture, published_in, with_data
from tiebreak.documents.words import confidence, finite, pvalue, with_article
from tiebreak.methods import papers_of
from tiebreak.stats import ItemPairs
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.comparison._item_comparison import ItemComparison

EQUAL = "No significant difference does not mean equal: more items might show one."


def document(found: ItemComparison) -> Document:
    """Put together what a comparison on items says."""
    said = tuple(sentences(found))
    papers = papers_of(each for each in found.plan.methods if each.name != "none")
    return Document(
        title=found.title(),
        heading=f"Comparison by {found.score.name} on {found.evidence()}",
        points=found.answer.points(),
        lay=_lay(found),
        said=said,
        tables=(_models(found), _pairs(found)),
        notes=(_note(found),),
        pictures=tuple(_pictures(found)),
        decided=found.plan.path,
        limits=(EQUAL,),
        checks=_checks(found),
        papers=with_data(papers, found.data_papers),
        caveats=found.caveats,
        method=(
            f"We compared {len(found.algorithms)} models on {found.evidence()} by {found.score.name}.",
            *published_in(found.data_papers),
            *said,
        ),
    )


def _pictures(found: ItemComparison) -> list[Picture]:
    folded = {"top": usual.FIRST_ROWS} if len(found.algorithms) > usual.MOST_LINES else {}
    pictures = [Picture(name="Differences with intervals", kind="forest", options=folded)]
    if found.control is None and 2 < len(found.algorithms) <= usual.MOST_IN_MATRIX:
        pictures.append(Picture(name="Matrix of pairs", kind="matrix"))
    return pictures


def sentences(found: ItemComparison) -> list[str]:
    """Say what was asked, how it was tested, and what came out."""
    tests = found.pairs_tested
    how = "on the items that both answered" if isinstance(tests, ItemPairs) else "by their totals"
    alike = ", every benchmark counting alike," if len(found.datasets) > 1 else ""
    count, total = int(found.significant.sum()), len(found.significant)
    return [
        found.headline,
        f"The question: {found.question}",
        f"Pairs were tested {how}{alike} by {with_article(tests.method)}.",
        f"{count} of {total} pair{'' if total == 1 else 's'} differ{'s' if count == 1 else ''} significantly.",
        *(f"First: {each}" for each in _best(found)),
    ]


def _best(found: ItemComparison) -> list[str]:
    """Say whom the first is significantly better than."""
    if found.control is not None or len(found.algorithms) == 2:
        return []
    best, mine = found.algorithms[0], [pair for pair in found.iter_pairs() if pair.a == found.algorithms[0]]
    open_ = [pair.b for pair in mine if pair.better is None]
    if not open_:
        return [f"{best}, with the best mean {found.score.name}, significantly better than every other model."]
    hidden = any(pair.better is None and pair.pvalue <= found.alpha for pair in mine)
    counted = f" after the correction for {len(found.significant):,} pairs" if hidden else ""
    return [f"{best}, with the best mean {found.score.name}; no significant difference from {listed(open_)}{counted}."]


def _lay(found: ItemComparison) -> tuple[str, ...]:
    items = f"Every model answered the same items ({found.evidence()}), and each pair is compared on the items of both."
    totals = f"Of every model it is known how many of {found.evidence()} it got right, not which ones."
    return (
        items if found.items is not None else totals,
        "Significantly better: on the items the difference is so steady that chance would rarely make it. The level,"
        f" alpha = {found.alpha:g}, says how rarely.",
        "No significant difference: the items do not show which of the two is better, nor that they are equal.",
        "Interval: the differences that the items leave possible.",
    )


def _models(found: ItemComparison) -> Table:
    """Lay out the models, best first."""
    mean = f"mean {found.score.name}"
    held = found.shares is not None
    header = ("model", mean, *((f"{confidence(found.alpha)} interval",) if held else ()), "group")
    body = []
    for row in found.rows():
        ends = (f"{number(row['low'], 3)} to {number(row['high'], 3)}",) if held else ()
        body.append((str(row["algorithm"]), number(row[mean]), *ends, str(row["group"])))
    caption = "Models, best first; those that share a letter do not differ significantly"
    return Table(first=True, caption=caption, header=header, body=tuple(body))


def _pairs(found: ItemComparison) -> Table:
    """Lay out the pairs: differences and intervals as in the headline, and the corrected tests."""
    tests, total, unit = found.pairs_tested, len(found.significant), found.unit
    shown = range(total) if total <= usual.MOST_PAIRS else range(0)
    more = "" if len(shown) else f"{total} pairs were tested; {either('`rows()`', '--json')} lists them all."
    pairs = list(found.iter_pairs())
    body = tuple(
        (
            *(pairs[at].a, pairs[at].b, unit.bare(float(tests.difference[at]))),
            f"{unit.bare(float(tests.low_together[at]))} to {unit.bare(float(tests.high_together[at]))}",
            *(pvalue(pairs[at].pvalue), pvalue(pairs[at].adjusted), pairs[at].better or "-"),
        )
        for at in shown
    )
    span = f"{confidence(1 - tests.level)} interval"
    return Table(header=("a", "b", "difference", span, "p", "adjusted p", "better"), body=body, left=2, note=more)


def _note(found: ItemComparison) -> str:
    """Say what the differences and their intervals are."""
    unit = ", in points" if found.unit.points else ""
    together = f"; the intervals hold for all {len(found.significant):,} pairs together" * (len(found.significant) > 1)
    return f"difference: {found.score.name} of a less that of b{unit}{together}."


def _checks(found: ItemComparison) -> tuple[Check, ...]:
    codes = codes_of(found.caveats)
    few = any(code in codes for code in ("few-items", "few-clusters", "one-cluster"))
    kind, text = "passed", f"{found.evidence()}: not too few for the tests used."
    if few:
        kind, text = "tip", "Items or clusters are few, or of very unequal size: intervals are rough."
    paired = Check(number=2, kind="passed", text="Each pair is tested on its own items.")
    if "pairing-lost" in codes:
        paired = Check(number=2, kind="tip", text="Only totals are known: pairing is lost.")
    promise = promise_check(4, found.plan.test, found.plan.correction, len(found.tests.a))
    return (Check(number=1, kind=kind, text=text), paired, promise)


def as_dict(found: ItemComparison) -> dict[str, Any]:
    """Return plain data; its fields are a contract for other programs."""
    tests, means = found.pairs_tested, found.scores.mean(axis=0)
    return {
        "answer": found.answer.to_dict(),
        "headline": found.headline,
        "question": found.question,
        "items": item_facts(found.items, tests),
        "over": "items",
        "algorithms": list(found.algorithms),
        "scores": {
            name: {"mean": float(means[i]), **({} if found.shares is None else _ends(found.shares[i]))}
            for i, name in enumerate(found.algorithms)
        },
        "mean_ranks": dict(zip(found.algorithms, found.mean_ranks.tolist(), strict=True)),
        "omnibus": found.omnibus.to_dict() | {"df": [], "rejected": found.rejected, "comes_first": False},
        "pairs": [_pair(found, at, pair) for at, pair in enumerate(found.iter_pairs())],
        "groups": [list(group) for group in found.groups],
        "critical_difference": None,
        "method": usual.method_facts(found, omnibus="none", posthoc=tests.method),
        **usual.last_facts(found, sentences(found), document(found).references()),
    }


def _ends(share: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, float]:
    return {"low": float(share[0]), "high": float(share[1])}


def _pair(found: ItemComparison, at: int, pair: Any) -> dict[str, Any]:
    tests = found.pairs_tested
    out = usual.pair_facts(pair)
    ends = ("difference", "low", "high", "low_together", "high_together")
    out |= {name: finite(float(getattr(tests, name)[at])) for name in ends}
    if isinstance(tests, ItemPairs):
        counts = {"items": "n_items", "units": "n_units", "ahead_a": "ahead_a", "ahead_b": "ahead_b"}
        out |= {name: int(getattr(tests, field)[at]) for name, field in counts.items()}
        out["how"] = tests.how[at]
    return out | {"text": headline(found.beside(at), found.unit)}
