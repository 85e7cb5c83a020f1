"""What the experiment of Ulas, Yildiz and Alpaydin gave here, beside what they printed, and the tables that show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Document, Row, Shown, Table
from tiebreak.studies._beside_printed import COSTS, EACH, OURS, PRINTED, Beside, Found, Inside
from tiebreak.studies._order_changes import Told, told_apart

REASONS: dict[str, str] = {
    "": "Folds are drawn anew, so accuracies differ by chance; data sets were taken from public repositories years"
    " later and need not have every row or attribute as it was. Seconds are those of another machine and other"
    " programs, and space is the bytes of the stored model here, so the order by cost differs by itself.",
    "svl": "svl, sv2 and svr choose C, and svr its width, on the validation fold by steps of ten, as in the papers;"
    " which solver they used and when it ended is not said.",
    "sv2": "What constant the kernel of sv2 held in the papers is not said. Here it holds none, (gamma x.y)^2, unless"
    " coef0 = 1 was asked for: without one it cannot distinguish x from -x, and on twonorm, whose classes mirror each"
    " other, it can only guess, as printed.",
    "mlp": "With which weights lnp and mlp began is not said in the papers; after 50 epochs on few rows it matters.",
    "mdt": "c45 and mdt are programs of our own from their descriptions; how the papers' trees treat symbolic"
    " attributes and when they stop is told in part only.",
}
"""Why results differ, by the learner that a reason is about; nobody's name for all of them."""
FAR, NEAR = 5.0, 2.0
"""Points of accuracy: beyond the one a difference is large, within the other it is small."""
LISTED = 12
"""Differences of single data sets that are printed; the JSON has all."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ulas2012Study(Shown):
    """What `ulas2012_study` found: both runs (`beside`), and the orders by the scores and the costs of either."""

    beside: Beside
    n_printed: int
    cells: int
    cpu_seconds: float
    inside: Mapping[str, Inside]
    found: tuple[Found, ...]
    caveats: Caveats = ()

    def title(self) -> str:
        """Say in one line what was run."""
        both = self.beside
        return (
            f"The experiment of Ulas, Yildiz and Alpaydin (2012) here and in print: {len(both.datasets)} of its"
            f" {self.n_printed} data sets, {len(both.algorithms)} algorithms, {self.cells} cells,"
            f" {_spent(self.cpu_seconds)}alpha {both.alpha:g}"
        )

    def rows(self) -> list[Row]:
        """Return one row per algorithm: accuracy, ranks, places and significant wins, printed and here."""
        both = self.beside
        sides = {PRINTED: both.printed.means.mean(axis=0), OURS: both.ours.means.mean(axis=0)}
        ranks, wins = both.ranks(), self._wins()
        places = {cost: self.inside[cost].places for cost in COSTS}
        return [
            {
                "algorithm": name,
                "accuracy printed": float(sides[PRINTED][i]),
                "accuracy here": float(sides[OURS][i]),
                "accuracy held out": float(both.held_out[:, i].mean()),
                "rank printed": float(ranks.first[:, i].mean()),
                "rank here": float(ranks.second[:, i].mean()),
                **{
                    f"place by {cost} {whose}": float(getattr(places[cost], part)[:, i].mean())
                    for cost in COSTS
                    for whose, part in ((PRINTED, "first"), (OURS, "second"))
                },
                "wins printed": wins[0][i],
                "wins here": wins[1][i],
            }
            for i, name in enumerate(both.algorithms)
        ]

    def _wins(self) -> tuple[list[int], list[int]]:
        """Count the significant F tests that each algorithm wins."""
        tests = self.inside[COSTS[0]]  # the same by either cost
        return tests.printed.sum(axis=(0, 1)).tolist(), tests.ours.sum(axis=(0, 1)).tolist()

    def decisions(self) -> list[tuple[str, str, Told, Found | None]]:
        """Return the significant differences in print and here: on each data set, and by every way over them."""
        tests = self.inside[COSTS[0]]
        inside = (EACH, "", told_apart(tests.printed, tests.ours), None)
        kept = [each for each in self.found if each.way != "by scores" or each.cost == COSTS[0]]  # cost decides none
        return [inside, *((each.way, "" if each.way == "by scores" else each.cost, each.told, each) for each in kept)]

    def accuracies(self) -> list[Row]:
        """Return one row per algorithm: how far accuracies lie from the printed ones, in points."""
        both, rows = self.beside, self.beside.differences()
        out: list[Row] = []
        for name in both.algorithms:
            own = [row for row in rows if row["algorithm"] == name]
            sizes = np.array([row["difference"] for row in own], dtype=np.float64)
            out.append(
                {
                    "algorithm": name,
                    "mean difference": float(sizes.mean()),
                    "mean size": float(np.abs(sizes).mean()),
                    f"within {NEAR:g}": int((np.abs(sizes) <= NEAR).sum()),
                    f"beyond {FAR:g}": int((np.abs(sizes) > FAR).sum()),
                    "inside": sum(bool(row["inside"]) for row in own),
                    "farthest": own[0]["dataset"],
                }
            )
        return out

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, as `tiebreak study ulas2012 --json` prints it."""
        both = self.beside
        return {
            "study": "ulas2012",
            "title": self.title(),
            "datasets": list(both.datasets),
            "algorithms": _plain_rows(self.rows()),
            "alpha": both.alpha,
            "cells": self.cells,
            "cpu_seconds": self.cpu_seconds if np.isfinite(self.cpu_seconds) else None,
            "accuracies": _plain_rows(self.accuracies()),
            "differences": both.differences(),
            "decisions": [
                {"way": way, "cost": cost, "printed": told.first, "here": told.second, "both": told.again}
                | {"contrary": told.contrary, "only_printed": list(found.alone[0]) if found else None}
                | {"only_here": list(found.alone[1]) if found else None}
                for way, cost, told, found in self.decisions()
            ],
            "orders": [
                {"way": each.way, "cost": each.cost, "scores_of": scores, "costs_of": costs}
                | {"order": list(made.order), "turned": each.turned(scores, costs)}
                for each in self.found
                for (scores, costs), made in each.orders.items()
            ],
            "places": {cost: self._place_dict(cost) for cost in COSTS},
            "costs": {whose: {cost: list(both.prior(whose, cost)) for cost in COSTS} for whose in (PRINTED, OURS)},
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }

    def _place_dict(self, cost: str) -> dict[str, Any]:
        places = self.inside[cost].places
        counted = {"alike": places.equal, "first": places.same_first, "moved": places.mean_size}
        return {
            "printed": places.first.tolist(),
            "here": places.second.tolist(),
            **counted,
            "turned": places.turned,
        }

    # ---- what is printed

    def document(self) -> Document:
        """Return what came out alike and what did not, then the tables, then why they differ."""
        counted = "printed: from the printed fold accuracies and costs of the same data sets; here: this run."
        tables = Document(title=counted, tables=tuple(self._tables()), caveats=self.caveats)
        return Document(
            title=self.title(), said=tuple(self._said()), tables=(), papers=("ulas2012", "ulas2008"), more=(tables,)
        )

    def _said(self) -> Iterator[str]:
        both = self.beside
        sizes = np.abs(both.ours.means - both.printed.means).ravel()
        inside = sum(bool(row["inside"]) for row in both.differences())
        yield (
            f"Mean accuracies lie {np.median(sizes):.1f} points from the printed ones (median of {len(sizes)} cells),"
            f" and {inside} of {len(sizes)} among the ten printed fold accuracies of their cell."
        )
        way, _, told, _ = self.decisions()[0]
        if not told.first:
            yield f"No pair differs significantly on the printed folds ({way}); {told.second or 'none'} here."
        else:
            yield (
                f"Of {told.first} pairs that differ significantly on the printed folds ({way}),"
                f" {told.again} differ alike here and {told.contrary} the other way round{self._mostly()};"
                f" {told.second} differ significantly here."
            )
        for each in self.found:
            pairs = len(both.algorithms) * (len(both.algorithms) - 1) // 2
            parts = (each.turned(OURS, OURS), each.turned(OURS, PRINTED), each.turned(PRINTED, OURS))
            yield (
                f"Ordered {each.way} and {each.cost}, {parts[0]} of {pairs} pairs stand the other way round than in"
                f" print; with our scores and the printed costs {parts[1]}, with the printed scores and our costs"
                f" {parts[2]}."
            )

    def _mostly(self) -> str:
        """Name the algorithm of most pairs that were decided the other way round."""
        tests = self.inside[COSTS[0]]
        contrary = (tests.printed & tests.ours.swapaxes(-1, -2)).sum(axis=0)
        of = contrary.sum(axis=0) + contrary.sum(axis=1)
        most = int(of.argmax())
        return f" ({of[most]} of these with {self.beside.algorithms[most]})" if of[most] else ""

    def _tables(self) -> Iterator[Table]:
        yield self._algorithms()
        yield self._differences()
        yield self._farthest()
        yield self._decided()
        if self.found:
            yield self._orders()

    def _algorithms(self) -> Table:
        """Printed and here side by side in one cell, which keeps the table narrow."""
        header = ("algorithm", "accuracy", "held out", "rank", "place, train_time", "place, space", "wins")
        body = tuple(
            (
                str(row["algorithm"]),
                f"{row['accuracy printed']:.1f}, {row['accuracy here']:.1f}",
                f"{row['accuracy held out']:.1f}",
                f"{row['rank printed']:.2f}, {row['rank here']:.2f}",
                *(f"{row[f'place by {cost} printed']:.2f}, {row[f'place by {cost} here']:.2f}" for cost in COSTS),
                f"{row['wins printed']}, {row['wins here']}",
            )
            for row in self.rows()
        )
        caption = "Means over data sets, printed and here: accuracy, its rank, the place by MultiTest, significant wins"
        return Table(caption=caption, header=header, body=body)

    def _differences(self) -> Table:
        rows, count = self.accuracies(), len(self.beside.datasets)
        near, far = f"within {NEAR:g}", f"beyond {FAR:g}"
        body = tuple(
            (
                str(row["algorithm"]),
                f"{row['mean difference']:+.1f}",
                f"{row['mean size']:.1f}",
                *(f"{row[name]} of {count}" for name in (near, far, "inside")),
                str(row["farthest"]),
            )
            for row in rows
        )
        header = ("algorithm", "difference", "size", near, far, "inside", "farthest on")
        caption = "Accuracy here less printed, in points; inside: our mean lies among the ten printed folds"
        return Table(caption=caption, header=header, body=body, texts=frozenset({0, 6}))

    def _farthest(self) -> Table:
        body = tuple(
            (
                str(row["dataset"]),
                str(row["algorithm"]),
                f"{row['printed']:.1f}",
                f"{row['here']:.1f}",
                f"{row['difference']:+.1f}",
            )
            for row in self.beside.differences()[:LISTED]
        )
        header = ("data set", "algorithm", "printed", "here", "difference")
        return Table(caption="The largest differences in accuracy", header=header, body=body, left=2)

    def _decided(self) -> Table:
        body = []
        for way, cost, told, found in self.decisions():
            alone = tuple(_listed(pairs) for pairs in found.alone) if found else ("", "")
            counts = (str(told.first), str(told.second), str(told.again), str(told.contrary))
            body.append((way, cost, *counts, *alone))
        header = ("decided", "cost", "printed", "here", "both", "contrary", "only printed", "only here")
        caption = "Pairs that differ significantly, better > worse"
        return Table(caption=caption, header=header, body=tuple(body), texts=frozenset({0, 1, 6, 7}))

    def _orders(self) -> Table:
        body = tuple(
            (each.way, each.cost, scores, costs, " ".join(made.order), str(each.turned(scores, costs)))
            for each in self.found
            for (scores, costs), made in each.orders.items()
        )
        header = ("ordered", "cost", "scores", "costs", "order, best first", "turned")
        caption = "Orders over data sets by the scores and costs of either run; turned: pairs unlike the printed order"
        return Table(caption=caption, header=header, body=body, left=5)


def _spent(seconds: float) -> str:
    """Write CPU time in the unit that suits it; nothing where it is not known."""
    for unit, name in ((3600.0, "hours"), (60.0, "minutes"), (1.0, "seconds")):
        if seconds >= unit:
            return f"{seconds / unit:.2g} CPU {name}, "
    return ""


def _plain_rows(rows: list[Row]) -> list[Row]:
    return [{name.replace(" ", "_"): value for name, value in row.items()} for row in rows]


def _listed(pairs: tuple[str, ...]) -> str:
    """Name a few pairs and count the rest."""
    shown = ", ".join(pairs[:4])
    return f"{shown} and {len(pairs) - 4} more" if len(pairs) > 4 else shown
