"""What an order on items says in its own words: the sentence to repeat, the question, the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.caveats import codes_of
from tiebreak.deciding.headlines import ModelBeside, alone_of, headline, margin_evidence
from tiebreak.deciding.on_items import TOO_FEW, ScoreUnit, evidence, item_facts, of_benchmark, question_of
from tiebreak.deciding.order._family import OWN, family_sentences
from tiebreak.deciding.order._margins import UNDECIDED_WORDS
from tiebreak.deciding.order._trade import beside, mean_log_ratio
from tiebreak.documents import finite, listed, with_article
from tiebreak.methods import Method, find
from tiebreak.stats import ItemPairs

if TYPE_CHECKING:
    from tiebreak.deciding.order._ordering import Ordering


def is_on_items(found: Ordering) -> bool:
    """Whether pairs were tested on items, or by totals of items."""
    return found.table.tested is not None


def unit_of(found: Ordering) -> ScoreUnit:
    """Say how differences of the score are written."""
    return ScoreUnit.of(found.score, found.table.items)


def evidence_of(found: Ordering, i: int | None = None, j: int | None = None) -> str:
    """Say on how many items the answer rests, of one pair where it is named."""
    tested, items = found.table.tested, found.table.items
    assert tested is not None
    if not isinstance(tested, ItemPairs):
        counts = tested.n_items if i is None or j is None else tested.n_items[[i, j]]
        low, high = int(counts.min()), int(counts.max())
        return evidence(low, 0, 1) if low == high else f"{low:,} to {high:,} items"
    at = slice(None) if i is None or j is None else pair_at(found, i, j)
    count = int(np.min(tested.n_items[at]))
    clusters = int(np.min(tested.n_units[at])) if tested.clustered else 0
    assert items is not None
    return evidence(count, clusters, len(items.benchmarks))


def pair_at(found: Ordering, i: int, j: int) -> int:
    """Return where a pair stands among the tests."""
    tests = found.tests
    return int(np.flatnonzero(((tests.a == i) & (tests.b == j)) | ((tests.a == j) & (tests.b == i)))[0])


def beside_of(found: Ordering, i: int, j: int) -> ModelBeside:
    """Put one model beside another, with the interval for all pairs together.

    Where only the comparisons of one tell the two apart, the interval is that of the pair alone.
    """
    tested, table = found.table.tested, found.table
    assert tested is not None
    shown = found.standing.shown
    told = -1 if shown[j, i] else 1 if shown[i, j] else 0
    by_own = bool(told) and not (found.better[i, j] or found.better[j, i])
    shortfall, low, high = (float(each[i]) for each in beside(table, j, together=not by_own))
    return ModelBeside(
        first=found.algorithms[i],
        other=found.algorithms[j],
        shortfall=shortfall,
        low=low,
        high=high,
        told=told,
        items=evidence_of(found, i, j),
        level=tested.level,
        together=len(tested.a),
        by_own=by_own,
        own=len(found.algorithms) - 1 if found.plan.family == OWN and len(found.algorithms) > 2 else 0,
        ratio=_ratio(found, i, j),
        cost=found.plan.choice.names[0] if found.costs else "",
        able=TOO_FEW not in codes_of(tested.caveats),
        alone=alone_of(tested, pair_at(found, i, j), told=told),
        pair=margin_evidence(table.items, table.totals, i, j, upward=bool(found.score.higher_is_better)),
    )


def _ratio(found: Ordering, i: int, j: int) -> float | None:
    """Return the cost of one over that of the other; 0 or infinite where one of them is free."""
    if found.standing.logs is None:
        return None
    ratio = float(np.exp(mean_log_ratio(found.standing.logs, i, j)))
    paid = found.table.paid[0].mean(axis=0)
    if ratio != ratio and (paid[i] == 0) != (paid[j] == 0):
        return 0.0 if paid[i] == 0 else float("inf")
    return ratio


def headline_of(found: Ordering) -> str:
    """Say how the first stands to the best-scoring one, or, where it is that one, to the next."""
    if not is_on_items(found):
        return ""
    first, best = found.algorithms.index(found.order[0]), found.trade.best
    other = best if best != first else found.algorithms.index(found.order[1])
    margin = found.plan.margin
    size = None
    if margin is not None:
        reference = abs(float(found.table.scores[:, other].mean()))
        size = margin.size * reference if margin.relative else margin.size
    return headline(beside_of(found, first, other), unit_of(found), size)


def title_of(found: Ordering) -> str:
    """Say in one line what was ordered."""
    costs = " and ".join(found.costs) or found.words.without
    direction = "higher" if found.score.higher_is_better else "lower"
    where = of_benchmark(found.datasets)
    return (
        f"{len(found.algorithms)} models on {evidence_of(found)}{where} by {found.score.name} ({direction} is better)"
        f" and {costs}"
    )


def method_sentences_of(found: Ordering) -> list[str]:
    """Name the question and the test of the pairs."""
    tested = found.table.tested
    assert tested is not None
    how = "by their totals" if not isinstance(tested, ItemPairs) else "on the items that both answered"
    alike = ", every benchmark counting alike," if len(found.datasets) > 1 else ""
    said = [
        f"The question: {question_of(len(found.datasets))}",
        f"Pairs were tested {how}{alike} by {with_article(tested.method)}.",
    ]
    if found.plan.margin is not None:
        rule = UNDECIDED_WORDS[found.plan.undecided]
        said.append(
            f"A cheaper model is good enough where it is shown to be worse by less than {found.plan.margin} (the test"
            f" of a gate, with Holm's correction); where nothing is shown, {rule} stands first."
        )
    return [*said, *family_sentences(found.plan.family, found.plan.posthoc, len(found.algorithms), found.plan.alpha)]


def methods_of(found: Ordering) -> list[Method]:
    """Name the methods of an order on items."""
    used = [find("multitest", "ordering"), find(found.plan.pairwise, "items"), find(found.plan.posthoc, "correction")]
    used += [find("own-comparisons", "ordering")] if found.plan.family == OWN and len(found.algorithms) > 2 else []
    within = "item-non-inferiority" if found.table.items is not None else "total-non-inferiority"
    used += [find(within, "items")] if found.plan.margin is not None else []
    return [each for each in used if each.name != "none"]


def holds_of(found: Ordering) -> str:
    """Say for what the answer holds."""
    if len(found.datasets) == 1:
        return f"It rests on {evidence_of(found)} and holds for other items like these; other benchmarks may differ."
    return f"It rests on {evidence_of(found)} and holds for these benchmarks: {listed(found.datasets)}."


def intervals_of(found: Ordering) -> str:
    """Name the intervals that are printed."""
    tested = found.table.tested
    named = "Newcombe's" if not isinstance(tested, ItemPairs) or tested.intervals == "Newcombe" else "by t"
    return f"The intervals ({named}) stand each for itself, without the correction for many pairs"


def plain_pair(found: Ordering, at: int) -> dict[str, Any]:
    """Return what JSON holds of a pair on items beside its test: the difference of a less b, with its intervals."""
    tested = found.table.tested
    if tested is None:
        return {}
    out: dict[str, Any] = {
        name: finite(float(getattr(tested, name)[at]))
        for name in ("difference", "low", "high", "low_together", "high_together")
    }
    if isinstance(tested, ItemPairs):
        counts = {"items": "n_items", "units": "n_units", "ahead_a": "ahead_a", "ahead_b": "ahead_b"}
        out |= {name: int(getattr(tested, field)[at]) for name, field in counts.items()}
        out["how"] = tested.how[at]
    return out


def plain_items(found: Ordering) -> dict[str, Any]:
    """Return what JSON holds of items: the sentence to repeat, the question, and the evidence."""
    from tiebreak.deciding.order._over_items import question

    asked = question(found)
    if not asked:
        return {}
    facts = item_facts(found.table.items, found.table.tested) if found.table.tested is not None else None
    return {"headline": headline_of(found), "question": asked, "items": facts}
