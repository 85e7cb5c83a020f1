"""What an ordering says: the document of its sentences, tables, notes and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tiebreak.caveats import codes_of
from tiebreak.deciding.order._answer import lay, points
from tiebreak.deciding.order._checks import ordering_checks
from tiebreak.deciding.order._family import OWN
from tiebreak.deciding.order._item_words import evidence_of, intervals_of, is_on_items, methods_of
from tiebreak.deciding.order._sentences import method_sentences, outcome_sentences, sentences
from tiebreak.deciding.order._trade import Trade, mostly_tied
from tiebreak.documents import Document, Picture, Table, amount, confidence, number, published_in, with_data
from tiebreak.methods import Method, choices, find, papers_of

if TYPE_CHECKING:
    from tiebreak.deciding.order._ordering import Ordering

MOST_IN_ORDER = 25
"""So many algorithms the sentence with the order names."""
_EQUAL = "Algorithms that were not told apart are not thereby equal: more data sets might tell them apart."
_EQUAL_ON_ONE = "Algorithms that were not told apart are not thereby equal; and other data may order them otherwise."


def document(found: Ordering) -> Document:
    """Put together what an ordering says."""
    costs = " and ".join(found.costs) or "a given order"
    sets = f"{len(found.datasets)} data sets" if len(found.datasets) > 1 else "one data set"
    sets = evidence_of(found) if is_on_items(found) else sets
    said = tuple(sentences(found))
    return Document(
        title=found.title(),
        heading=f"Order by {found.score.name} and {costs}{_where(found)}",
        points=points(found),
        lay=lay(found),
        said=said,
        answer=(f"From best to worst: {_in_order(found)}.", outcome_sentences(found)[-1]),
        tables=(_places(found), _reasons(found), *([_groups(found)] if found.by_group else [])),
        notes=tuple(_notes(found)),
        pictures=tuple(_pictures(found)),
        decided=said,
        limits=(_limit(found),),
        checks=ordering_checks(found),
        papers=with_data(papers_of(_methods(found)), found.data_papers),
        caveats=found.caveats,
        method=(
            f"We ordered {len(found.algorithms)} algorithms on {sets} by {found.score.name}; where no test decided,"
            f" {costs} did.",
            *published_in(found.data_papers),
            *method_sentences(found),
        ),
    )


def _limit(found: Ordering) -> str:
    """Say what the order does not say."""
    if is_on_items(found):
        return "Models that were not told apart are not thereby equal: more items might tell them apart."
    return _EQUAL if len(found.datasets) > 1 else _EQUAL_ON_ONE


def _pictures(found: Ordering) -> list[Picture]:
    """What is given up against what is saved comes first: whoever has to choose looks no further."""
    traded = next(iter(found.costs), None) if found.table.measures is None else None
    first = [Picture(name="Given up against saved", kind="trade", options={"cost": traded}, first=True)]
    return [
        *(first if traded is not None else []),
        Picture(name="Order graph", kind="order"),
        *(Picture(name=f"Cost plane, {name}", kind="costs", options={"cost": name}) for name in found.costs),
    ]


def _in_order(found: Ordering) -> str:
    """Name the algorithms from the first on; of very many the table tells the rest."""
    more = len(found.order) - MOST_IN_ORDER
    return ", ".join(found.order[:MOST_IN_ORDER]) + (f" and {more} more" if more > 0 else "")


def _where(found: Ordering) -> str:
    """Tell orders of one report apart: on one data set, or by places."""
    if is_on_items(found):
        return f" on {evidence_of(found)}"
    return f" on {found.datasets[0]}" if found.over == "folds" else ", by places" if found.over == "places" else ""


def _notes(found: Ordering) -> list[str]:
    """Say what the columns mean that a reader would otherwise have to guess."""
    said = []
    trade, best, several = found.trade, found.algorithms[found.trade.best], len(found.datasets) > 1
    if found.table.measures is None:
        said.append(
            f"given up: {found.score.name} given up against {best}, the best-scoring one ({_estimated(found)})."
        )
        said += _uncorrected(found)
    if trade.paid is not None:
        name = found.plan.choice.names[0]
        kinds = [f"{own}, {kind}" for own, kind in zip(found.plan.choice.names, found.table.kinds, strict=True) if kind]
        said += [f"Cost used: {'; '.join(kinds)}."] if kinds else []
        what = f"{name}: mean over data sets; times" if several else "times"
        how = f", geometric mean{_zeros(found)}" if several else ""
        said.append(f"{what} best's: the ratio of {name} to {best}'s{how}.")
    if found.costs and several:
        said.append("The order of cost is that of the mean share of the largest cost on each data set.")
    if len(found.costs) > 1:
        said.append(f"share: of the largest cost on {'each' if several else 'the'} data set.")
    if found.firmness is not None:
        said.append(f"firm: share of {found.firmness.repetitions:,} resampled sets of data sets that keep the place.")
    if found.plan.margin is not None:
        said.append("shown: of how many behind it a test shows that it is better or good enough; the rest are open.")
    return said


def _estimated(found: Ordering) -> str:
    """Say how the score given up was estimated, and whether there is an interval."""
    if is_on_items(found):
        alike = ", benchmarks counting alike" if len(found.datasets) > 1 else ""
        return f"mean difference over items{alike}, {confidence(found.plan.alpha)} interval"
    several = found.table.errors.shape[2] * found.table.errors.shape[3] > 1
    one = "mean difference over the folds" if several else "the difference of the two scores"
    over = "mean difference: most scores tie" if mostly_tied(found.table.valued) else "Hodges-Lehmann estimate"
    how = one if len(found.datasets) == 1 else over
    others = np.arange(len(found.algorithms)) != found.trade.best
    known = np.isfinite(found.trade.low[others]).any()
    return f"{how}, {confidence(found.plan.alpha)} interval" if known else how


def _uncorrected(found: Ordering) -> list[str]:
    """An interval that leaves out 0 beside "not told apart" would look like a mistake."""
    if found.over == "places":
        return []
    low, told = found.trade.low, found.standing.shown[:, found.trade.best]
    without, within = int(((low > 0) & ~told).sum()), int((np.isfinite(low) & (low <= 0) & told).sum())
    what = []
    if without:
        what.append(f"{without} of them {'excludes' if without == 1 else 'exclude'} 0 where the corrected test tells")
        what[-1] += " nothing apart"
    if within:
        what.append(f"{within} of them {'includes' if within == 1 else 'include'} 0 where the test tells the two apart")
    return [f"{_intervals_of(found)}: {' and '.join(what)}."] if what else []


def _intervals_of(found: Ordering) -> str:
    """Name the test whose intervals are printed; the order may have been decided by another."""
    if is_on_items(found):
        return intervals_of(found)
    alone = ", each for itself, without the correction for many pairs"
    if found.over == "folds":
        return f"The intervals are those of the corrected resampled t test{alone}"
    if "on-these-datasets" in codes_of(found.caveats):
        return "The intervals speak of data sets at large (Wilcoxon's test), the tests of the folds of these"
    if mostly_tied(found.table.valued):
        return f"The intervals are those of the paired t test{alone}"
    if found.plan.pairwise == "wilcoxon":
        return "Each interval stands for itself, without the correction for many pairs"
    return f"The intervals are those of Wilcoxon's test{alone}"


def _zeros(found: Ordering) -> str:
    """Costs of zero have no ratio; data sets on which one of a pair is zero are left out of theirs."""
    return " where neither is zero" if (found.table.paid[0] == 0).any() else ""


def _methods(found: Ordering) -> list[Method]:
    """Name the procedure and every test that it used."""
    plan = found.plan
    if is_on_items(found):
        return methods_of(found)
    used = [find("multitest", "ordering")]
    if found.over == "scores":
        used += _score_methods(found)
        return [each for each in used if each.name != "none"]
    if found.inner is not None:
        own = plan.pairwise in choices("folds")  # not so a test of the user's own
        used += [find(plan.pairwise, "folds")] if own else []
        used += [find(plan.inner_adjust, "correction")]
    if found.omnibus is not None:
        used += [find("multi2test", "ordering"), find(plan.omnibus, "omnibus")]
        used += [find(plan.posthoc, "posthoc", "correction")] if found.rejected else []
    return [each for each in used if each.name != "none"]


def _score_methods(found: Ordering) -> list[Method]:
    """Name the tests of an order by scores."""
    plan = found.plan
    on_folds = "on-these-datasets" in codes_of(found.caveats)
    used = [find("folds-together", "folds")] if on_folds else []
    used += [find(plan.pairwise, "pairs", verb="compare")] if plan.pairwise in choices("pairs") and not on_folds else []
    used += [find("own-comparisons", "ordering")] if plan.family == OWN and len(found.algorithms) > 2 else []
    used += [find("non-inferiority", "pairs")] if plan.margin is not None else []
    return [*used, find(plan.posthoc, "correction"), find(plan.omnibus, "omnibus")]


def _places(found: Ordering) -> Table:
    """The reasons have a table of their own: beside the numbers they would leave the page."""
    columns = [column for column in _columns(found) if any(column[1])]
    body = tuple(
        (str(reason.place), reason.algorithm, *cells, reason.by)
        for reason, *cells in zip(found.reasons, *(column[1] for column in columns), strict=True)
    )
    header = ("place", "algorithm", *(name for name, _ in columns), "by")
    words = frozenset({1, len(header) - 1})
    return Table(caption="Places, best first", header=header, body=body, texts=words, first=True)


def _reasons(found: Ordering) -> Table:
    body = tuple((str(reason.place), reason.algorithm, reason.text) for reason in found.reasons)
    return Table(
        caption="The reason of every place",
        header=("place", "algorithm", "reason"),
        body=body,
        texts=frozenset({1, 2}),
        first=True,
    )


def _columns(found: Ordering) -> list[tuple[str, list[str]]]:
    """Return the columns of numbers, best first; one that says nothing is left empty."""
    rows, trade, firm = found.rows(), found.trade, found.firmness
    index = [found.algorithms.index(reason.algorithm) for reason in found.reasons]
    mean = f"mean {found.score.name}"
    given_up = [_span(trade, i) for i in index] if found.table.measures is None else []
    paid = found.plan.choice.names[0] if trade.paid is not None else ""
    unit = f", {found.units[paid]}" if paid and found.units.get(paid) else ""
    times_best = [] if trade.ratio is None else [_ratio(trade.ratio[i]) for i in index]
    return [
        ("mean rank", [f"{row['mean_rank']:.2f}" for row in rows] if len(found.datasets) > 1 else []),
        (mean, [number(row[mean]) for row in rows]),
        ("given up", given_up),
        (f"{paid}{unit}", [] if trade.paid is None else [amount(trade.paid[i]) for i in index]),
        ("times best's", times_best),
        *((f"{name}, share", [number(row[f"cost {name}"], 3) for row in rows]) for name in list(found.costs)[1:]),
        ("firm", [] if firm is None else [f"{share:.0%}" for share in np.diagonal(firm.places)]),
        ("shown", [] if found.plan.margin is None else [_shown(found, i) for i in index]),
    ]


def _span(trade: Trade, i: int) -> str:
    """Write what is given up with its interval; the best-scoring one gives up nothing."""
    if i == trade.best:
        return "0"
    ends = f" ({number(trade.low[i], 2)} to {number(trade.high[i], 2)})" if np.isfinite(trade.low[i]) else ""
    return f"{number(trade.given_up[i], 2)}{ends}"


def _ratio(ratio: float) -> str:
    return (
        "-" if not np.isfinite(ratio) else f"{float(f'{ratio:.2g}'):,.0f}" if 100 <= ratio < 1e9 else number(ratio, 2)
    )


def _shown(found: Ordering, i: int) -> str:
    """Say whether a test shows it to be better than, or good enough beside, all behind it, or how many are open."""
    standing = found.standing
    assert standing.good is not None  # asked for only with a margin
    behind = standing.place > standing.place[i]
    open_ = int((behind & ~standing.good[i] & ~standing.shown[:, i]).sum())
    return "-" if not behind.any() else f"all but {open_}" if open_ else "all"


def _groups(found: Ordering) -> Table:
    body = tuple(
        (group, ", ".join(each.order), str(len(each.datasets))) for group, each in sorted(found.by_group.items())
    )
    return Table(caption="Orders of the groups", header=("group", "order", "data sets"), body=body, left=2, first=True)
