"""A recommendation: an order of algorithms for new data, the neighbours it rests on, and what to mistrust."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak._show import Row, Shown, finite_rows, markdown, markdown_table, number, one_line, text_table
from tiebreak.advisor.neighbours import Neighbours
from tiebreak.advisor.rankings import Ranking
from tiebreak.advisor.words import some
from tiebreak.errors import unknown_name

SHOWN_NEIGHBOURS = 20
"""Printed neighbours; `rows_of_neighbours()` and JSON hold all."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Recommendation(Shown):
    """Algorithms from best to worst for one data set, by past results on its neighbours.

    Parameters
    ----------
    dataset : str
        The data set it is for.
    ranking : Ranking
        The order, with the score of every algorithm and what each neighbour contributed to it.
    neighbours : Neighbours
        The known data sets it rests on, with distances and weights, in the order of the rows of `accuracy`.
    meta_attributes : mapping of str to float or None
        What was measured of the data set; None where a measure does not apply.
    sentence : str
        The trade of accuracy for time in words; empty where time does not count.
    accuracy, time : FloatArray
        Mean success rates and seconds (neighbours, ranked algorithms), in the order of `ranking.algorithms`; NaN where
        there are none.
    score : str
        What the success rates are.
    origins, sources : tuple of str
        Of the neighbours.
    knowledge : str
        What the recommendation was drawn from, in one line.
    caveats : tuple of str
    """

    dataset: str
    ranking: Ranking
    neighbours: Neighbours
    meta_attributes: Mapping[str, float | None]
    sentence: str
    accuracy: FloatArray
    time: FloatArray
    score: str
    origins: tuple[str, ...]
    sources: tuple[str, ...]
    knowledge: str
    caveats: tuple[str, ...] = ()

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The ranked algorithms, best first."""
        return self.ranking.algorithms

    def title(self) -> str:
        """Say in one line what is recommended and why."""
        count = self.n_counted()
        what = "the nearest known data set" if count == 1 else f"{count} known data sets"
        said = f": {self.sentence}" if self.sentence else ""
        return f"Try first on {self.dataset!r}: {self.algorithms[0]} ({self.ranking.method} on {what}{said})"

    def n_counted(self) -> int:
        """Count the neighbours that have a part in the order; exact matches may leave the others without weight."""
        parts = (self.neighbours.weight > 0) | (self.ranking.contributions != 0).any(axis=1)
        return int(parts.sum())

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first: its score, and its mean results on the neighbours."""
        rates, seconds = self.expected()
        return [
            {
                "place": float(self.ranking.ranks[j]),
                "algorithm": name,
                self.ranking.score_name: float(self.ranking.scores[j]),
                f"{self.score} there": float(rates[j]),
                "seconds there": float(seconds[j]),
                "measured on": int(np.isfinite(self.accuracy[:, j]).sum()),
            }
            for j, name in enumerate(self.algorithms)
        ]

    def expected(self) -> tuple[FloatArray, FloatArray]:
        """Return for every algorithm the weighted mean success rate and geometric mean time on the neighbours."""
        weight = self.neighbours.weight[:, None]
        rates = _weighted(self.accuracy, weight)
        with np.errstate(divide="ignore", invalid="ignore"):
            return rates, np.exp(_weighted(np.log(np.where(self.time > 0, self.time, np.nan)), weight))

    def neighbour_rows(self) -> list[Row]:
        """Return one row per neighbour: distance, weight, who did best there, and how it moved the first place."""
        best = self._best()
        moved = f"for {self.algorithms[0]}"
        return [
            {
                "dataset": name,
                "source": self.sources[i],
                "distance": float(self.neighbours.distance[i]),
                "weight": float(self.neighbours.weight[i]),
                "best there": best[i],
                moved: float(self.ranking.contributions[i, 0]),
            }
            for i, name in enumerate(self.neighbours.names)
        ]

    def explain(self, algorithm: str) -> list[Row]:
        """Return what every neighbour contributed to the score of one algorithm, and its results there."""
        if algorithm not in self.algorithms:
            raise unknown_name("ranked algorithm", algorithm, self.algorithms)
        j = self.algorithms.index(algorithm)
        return [
            {
                "dataset": name,
                "weight": float(self.neighbours.weight[i]),
                self.score: float(self.accuracy[i, j]),
                "seconds": float(self.time[i, j]),
                "contribution": float(self.ranking.contributions[i, j]),
            }
            for i, name in enumerate(self.neighbours.names)
        ]

    def _best(self) -> list[str]:
        """Name the best algorithm on each neighbour alone, by the method of the ranking; none without weight."""
        silent = (self.neighbours.weight == 0) & (self.ranking.contributions == 0).all(axis=1)
        parts = np.where(np.isfinite(self.accuracy) & ~silent[:, None], self.ranking.contributions, np.nan)
        losses = -parts if self.ranking.higher_is_better else parts
        filled = np.where(np.isnan(losses), np.inf, losses)
        return [
            self.algorithms[int(j)] if np.isfinite(filled[i, j]) else "" for i, j in enumerate(filled.argmin(axis=1))
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the recommendation as plain data, the content of `tiebreak recommend --json`."""
        rates, seconds = self.expected()
        scores = [
            {
                "algorithm": name,
                "score": float(self.ranking.scores[j]),
                "rank": float(self.ranking.ranks[j]),
                "expected_accuracy": float(rates[j]),
                "expected_time": float(seconds[j]),
            }
            for j, name in enumerate(self.algorithms)
        ]
        return {
            "dataset": self.dataset,
            "ranking": finite_rows(scores),
            "neighbours": self._neighbour_dicts(),
            "meta_attributes": dict(self.meta_attributes),
            "measures": list(self.neighbours.measures),
            "method": {
                "name": self.ranking.method,
                "score": self.ranking.score_name,
                "higher_is_better": self.ranking.higher_is_better,
                "accd": self.ranking.accd,
                "trade_off": self.sentence,
                "distance": self.neighbours.method,
            },
            "unranked": list(self.ranking.unranked),
            "knowledge": self.knowledge,
            "caveats": list(self.caveats),
        }

    def _neighbour_dicts(self) -> list[Row]:
        best, found = self._best(), self.neighbours
        return [
            {
                "dataset": name,
                "distance": float(found.distance[i]),
                "weight": float(found.weight[i]),
                "origin": self.origins[i],
                "source": self.sources[i],
                "best": best[i],
                "contributions": _named(self.algorithms, self.ranking.contributions[i]),
                "terms": _named(found.measures, found.contribution[i]),
            }
            for i, name in enumerate(found.names)
        ]

    # ---- printed

    def __str__(self) -> str:
        header, body, left = self.printed()
        head, rows = self._printed_neighbours()
        parts = [one_line(self.title()), text_table(header, body, left=left), "", self._why()]
        parts += [text_table(head, rows, left=2), ""]
        return "\n".join([*parts, *(f"- {one_line(note)}" for note in self.caveats)]).rstrip()

    def to_markdown(self) -> str:
        """Return the ranking, the neighbours and the caveats as Markdown."""
        header, body, left = self.printed()
        head, rows = self._printed_neighbours()
        notes = [f"- {markdown(note)}" for note in self.caveats]
        tables = [
            markdown_table(header, body, left=left),
            "",
            markdown(self._why()),
            "",
            markdown_table(head, rows, left=2),
        ]
        return "\n".join([markdown(self.title()), "", *tables, "", *notes]).rstrip()

    def printed(self) -> tuple[list[str], list[list[str]], int]:
        """Return header and printed cells of the ranking."""
        rows = self.rows()
        keep = [key for key in rows[0] if key != "seconds there" or np.isfinite(self.time).any()]
        return keep, [[number(row[key]) for key in keep] for row in rows], 2

    def _printed_neighbours(self) -> tuple[list[str], list[list[str]]]:
        rows = self.neighbour_rows()
        header = list(rows[0])
        body = [[number(row[key]) for key in header] for row in rows[:SHOWN_NEIGHBOURS]]
        rest = len(rows) - SHOWN_NEIGHBOURS
        return header, body + ([[f"... {rest} more", *[""] * (len(header) - 1)]] if rest > 0 else [])

    def _why(self) -> str:
        used = some(self.neighbours.measures) or "no measures"
        return f"Because of these known data sets ({self.neighbours.method} over {used}):"


def _weighted(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Average rows by weight over what is there; NaN where nothing is."""
    there = np.isfinite(values)
    total = (np.where(there, values, 0.0) * weight).sum(axis=0)
    rest = (there * weight).sum(axis=0)
    return np.asarray(np.divide(total, rest, out=np.full(total.shape, np.nan), where=rest > 0))


def _named(names: tuple[str, ...], values: FloatArray) -> dict[str, float | None]:
    return {name: float(v) if np.isfinite(v) else None for name, v in zip(names, values, strict=True)}
