"""How many items it takes: from what is known of two models, or from a table of items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, inf, isfinite
from typing import Any, Unpack

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveats, codes_of, distinct
from tiebreak.comparison.groups import fewest_signs
from tiebreak.comparison.on_items import ScoreUnit, named_item_tests, pairs_on_items, too_few
from tiebreak.documents import Answer, Document, Row, Shown, listed, number, table_of_verb
from tiebreak.documents.words import finite
from tiebreak.errors import OptionError
from tiebreak.readers.taking import Reading, taken
from tiebreak.results.items import ItemTable, item_table
from tiebreak.stats import ItemPlan, detectable_difference, items_needed
from tiebreak.wording import either, option

MOST_NAMED = 45
"""So many pairs a text lists."""
MOST_SHOWN = 10
"""Pairs in the short answer."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemPlans(Shown):
    """For every pair of models: the smallest difference that its items can show, and how many items would be needed.

    `shown` are the differences, infinite where so few items or clusters can show none, `needed` the numbers of items
    for `difference`: None where none was asked about, and of a pair whose items are all of one cluster.
    `spread` is the standard deviation of the difference on an item, `design_effect` what clusters do to the variance.
    """

    algorithms: tuple[str, ...]
    a: tuple[int, ...]
    b: tuple[int, ...]
    n_items: tuple[int, ...]
    spread: FloatArray
    design_effect: FloatArray
    shown: FloatArray
    needed: tuple[int | None, ...] | None
    difference: float | None
    power: float
    alpha: float
    unit: ScoreUnit
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was asked."""
        worst = float(self.shown.max())
        few = min(self.n_items)
        what = f"differences of {self.unit.size(worst)}" if isfinite(worst) else "no difference"
        return (
            f"{few:,} items show {what} of any two of {len(self.algorithms)} models"
            f" (power {self.power:g}, alpha {self.alpha:g} over {len(self.a)} pair{'' if len(self.a) == 1 else 's'})"
        )

    def rows(self) -> list[Row]:
        """Return one row per pair."""
        out: list[Row] = []
        for k, (i, j) in enumerate(zip(self.a, self.b, strict=True)):
            row: Row = {
                "a": self.algorithms[i],
                "b": self.algorithms[j],
                "items": self.n_items[k],
                "sd": float(self.spread[k]),
                "design_effect": float(self.design_effect[k]),
                "shown": float(self.shown[k]),
            }
            out.append(row if self.needed is None else row | {"needed": self.needed[k]})
        return out

    @property
    def answer(self) -> Answer:
        """The smallest difference that these items show between any two models, and how many items more would take."""
        worst, few = float(self.shown.max()), min(self.n_items)
        who = listed(self.algorithms) if len(self.a) == 1 else f"any two of {len(self.algorithms)} models"
        text = f"{few:,} items can show a difference of {self.unit.size(worst)} between {who}."
        if not isfinite(worst):
            text = f"{few:,} items are too few to show any difference between {who}."
        document = self.document()
        table = replace(document.tables[0], body=document.tables[0].body[:MOST_SHOWN])
        pairs = f"{len(self.a)} pair{'' if len(self.a) == 1 else 's'}"
        level = f"Power {self.power:g} at alpha {self.alpha:g}, corrected for {pairs}."
        rest = len(self.a) - MOST_SHOWN
        return Answer(
            headline=text,
            rests_on=level,
            table=table,
            facts=(
                *([f"{rest} more pairs: {either('.rows()', '--json')}."] if rest > 0 else []),
                *document.notes[:1],
                level,
            ),
            notes=tuple(str(note) for note in self.caveats if note.code != "inferred"),
            more=(f"More: {either('.document()', '--json')}",),
        )

    def document(self) -> Document:
        """Return the pairs as a table."""
        rows = self.rows()
        left_out, notes = len(rows) - MOST_NAMED, tuple[str, ...]()
        if left_out > 0:  # the smallest differences are those that a plan must be made for
            rows = sorted(rows, key=lambda row: -float(str(row["shown"])))[:MOST_NAMED]
            every = either("rows()", "--json")
            notes = (f"The {MOST_NAMED} pairs that take most; the other {left_out:,} take less (all: {every}).",)
        cells = {
            "a": [str(row["a"]) for row in rows],
            "b": [str(row["b"]) for row in rows],
            "items": [f"{row['items']:,}" for row in rows],
            "shown": [self._size(float(str(row["shown"]))) for row in rows],
        }
        if self.needed is not None:
            cells["needed"] = ["-" if row["needed"] is None else f"{row['needed']:,}" for row in rows]
        most = max((index for index in self.needed or () if index is not None), default=0)
        if most:
            notes = (f"To show {self.unit.size(self.difference or 0)} between any two takes {most:,} items.", *notes)
        return Document(
            title=self.title(),
            tables=(table_of_verb("power", cells, units={"needed": f"for {self.unit.size(self.difference or 0)}"}),),
            notes=notes,
            caveats=self.caveats,
        )

    def _size(self, difference: float) -> str:
        return self.unit.size(difference) if isfinite(difference) else "none"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, the content of `tiebreak power --json`."""
        return {
            "answer": self.answer.to_dict(),
            "difference": self.difference,
            "text": f"{self.title()}.",
            "power": self.power,
            "alpha": self.alpha,
            "pairs": [{name: finite(value) for name, value in row.items()} for row in self.rows()],
            "shown": finite(float(self.shown.max())),
            "needed": max((index for index in self.needed or () if index is not None), default=None),
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }


def power(
    results: Any = None,
    *,
    items: int | None = None,
    difference: float | None = None,
    discordant: float | None = None,
    sd: float | None = None,
    design_effect: float = 1.0,
    pairs: int = 1,
    alpha: float = 0.05,
    power: float = 0.8,
    score: str | None = None,
    **reading: Unpack[Reading],
) -> ItemPlans | ItemPlan:
    """Plan a comparison on items: which difference so many items can show, or how many items a difference takes.

    Parameters
    ----------
    results : path, frame or Results, optional
        Answers of models to items; they tell how many items there are and how far two models differ on one. Without
        them, give `items` or `difference`, and `discordant` or `sd`.
    items : int, optional
        How many items there are: which difference can they show?
    difference : float, optional
        The smallest difference that would matter: how many items does it take?
    discordant : float, optional
        The share of items that exactly one of two models gets right.
    sd : float, optional
        The standard deviation of the difference on an item, for graded scores.
    design_effect : float, default 1.0
        What clusters do to the variance.
    pairs : int, default 1
        How many pairs are tested at once.
    alpha, power : float
        The significance level and the power to reach.
    score : str, optional
        The score, where the table holds several.
    **reading : optional
        How to read what is no Results yet; see `tiebreak.as_results`.

    Returns
    -------
    ItemPlans or ItemPlan
        Of a table a plan for every pair of models, of numbers a single one.

    Examples
    --------
    >>> import tiebreak as tb
    >>> round(tb.power(items=500, discordant=0.2).difference, 3)
    0.057
    """
    if results is None:
        check_planned(items, difference)
        options: dict[str, Any] = {"discordant": discordant, "sd": sd, "power": power, "alpha": alpha, "pairs": pairs}
        options |= {"design_effect": design_effect}
        return (
            detectable_difference(items, **options) if items is not None else items_needed(difference or 0.0, **options)
        )
    for name, value in (("items", items), ("discordant", discordant), ("sd", sd)):
        if value is not None:
            raise OptionError(f"{option(name)} was given with a table.", mend="Leave it out, or leave the table out.")
    table = taken(results, "power", reading, scores=score)
    plans = plan_items(item_table(table, score), difference=difference, power=power, alpha=alpha)
    return replace(plans, caveats=distinct([*table.caveats, *plans.caveats]))


def plan_items(
    table: ItemTable, *, difference: float | None = None, power: float = 0.8, alpha: float = 0.05
) -> ItemPlans:
    """Plan by the answers that are there: how far two models differ on an item, and how clusters hang together.

    Further clusters are taken to be like these, and a difference to be spread evenly over them: one that lies in a few
    of them takes more items.

    Examples
    --------
    >>> from tiebreak.results import Results
    >>> from tiebreak.results.items import item_table
    >>> answers = {"item": range(200), "a": [1, 1, 0, 0, 1] * 40, "b": [1, 0, 0, 1, 1] * 40}
    >>> result = plan_items(item_table(Results.from_dict(answers, scores="accuracy")), difference=0.02)
    >>> round(float(result.shown[0]), 3), result.needed
    (0.129, (7944,))
    """
    test = "cluster-t" if "cluster-t" in named_item_tests() else None
    tests = pairs_on_items(table, test=test, adjust="none", alpha=alpha)
    pairs, unit = len(tests.a), ScoreUnit.of(table.metric, table)
    shown, needed, spreads, effects = [], list[int | None](), [], []
    for k in range(pairs):
        gaps = table.scores[:, tests.a[k]] - table.scores[:, tests.b[k]]
        gaps = gaps[~np.isnan(gaps)]
        options, effect = _spread_of(gaps, table, float(tests.error[k]))
        common: dict[str, Any] = {**options, "power": power, "alpha": alpha, "pairs": pairs, "design_effect": effect}
        if tests.clustered:
            common["cluster_size"] = _cluster_size(table, tests.a[k], tests.b[k], effect)
        units, fewest = max(int(tests.n_units[k]), 1), fewest_signs(pairs, alpha)
        result = detectable_difference(len(gaps), **common).difference
        shown.append(inf if (tests.clustered and units < fewest) or (unit.points and result > 1.0) else result)
        if difference is not None:
            least, known = ceil(fewest * tests.n_items[k] / units), units > 1 or not tests.clustered
            needed.append(max(_needed(difference, common), least) if known else None)
        spreads.append(float(gaps.std()))
        effects.append(effect)
    return ItemPlans(
        algorithms=table.algorithms,
        a=tuple(tests.a.tolist()),
        b=tuple(tests.b.tolist()),
        n_items=tuple(tests.n_items.tolist()),
        spread=np.array(spreads),
        design_effect=np.array(effects),
        shown=np.array(shown),
        needed=tuple(needed) if difference is not None else None,
        difference=difference,
        power=power,
        alpha=alpha,
        unit=unit,
        caveats=(*table.caveats, *too_few(tests, pairs)),
    ).framed(table.frame_kind)


def _spread_of(gaps: FloatArray, table: ItemTable, error: float) -> tuple[dict[str, float], float]:
    """Return how far two models differ on an item, and what clusters and benchmarks make of the variance."""
    plain = table.is_binary and table.clusters is None and len(table.benchmarks) == 1
    if plain:
        share = float((gaps != 0).mean())
        return {"discordant": min(1.0, max(share, 1.0 / len(gaps)))}, 1.0
    spread = float(gaps.std(ddof=1)) if len(gaps) > 1 else 0.0
    spread = spread or 1.0 / len(gaps)
    effect = float(error**2 * len(gaps) / spread**2) if np.isfinite(error) and error > 0 else 1.0
    return {"sd": spread}, effect


def _cluster_size(table: ItemTable, a: int, b: int, effect: float) -> float:
    """Return items over clusters, counting as many as clusters of like size would be worth (Carter and others 2017).

    What a cluster of s items adds to the variance is s + r s (s - 1), with the correlation r that makes the effect.
    """
    assert table.clusters is not None
    both = ~np.isnan(table.scores[:, a] - table.scores[:, b])
    sizes = np.bincount(table.clusters[both]).astype(float)
    total, squares = sizes.sum(), (sizes**2).sum()
    alike = min(1.0, max(0.0, (effect - 1.0) * total / (squares - total))) if squares > total else 0.0
    adds = sizes + alike * sizes * (sizes - 1.0)
    return float(total * (adds**2).sum() / adds.sum() ** 2)


def _needed(difference: float, common: dict[str, Any]) -> int:
    """Return the number of items; a difference beyond what answers differ by is taken to come with more of them."""
    if "discordant" in common:
        common = {**common, "discordant": max(common["discordant"], min(1.0, abs(difference)))}
    plan: ItemPlan = items_needed(difference, **common)
    return plan.n_items


def check_planned(items: int | None, difference: float | None) -> None:
    """Refuse a question without any number in it."""
    if (items is None) == (difference is None):
        raise OptionError(
            "Neither or both of the number of items and the difference were given.",
            mend=f"Give {option(items=500)} or {option(difference=0.02)}, or a table of items.",
        )


def describe(plan: ItemPlan) -> str:
    """Say a plan in one sentence.

    Examples
    --------
    >>> describe(items_needed(0.05, discordant=0.2))
    '658 items show a difference of 0.05 with power 0.80 (alpha 0.05, 1 pair).'
    """
    pairs = f"{plan.pairs} pair{'' if plan.pairs == 1 else 's'}"
    known = np.isfinite(plan.difference)
    what = f"a difference of {number(plan.difference, 3)}" if known else "no difference"
    power = plan.power if known else plan.target
    return f"{plan.n_items:,} items show {what} with power {power:.2f} (alpha {plan.alpha:g}, {pairs})."
