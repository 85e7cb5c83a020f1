"""A recommendation: algorithms from best to worst for one data set, with the neighbours that explain it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor.budget_plan import BudgetPlan, duration
from tiebreak.advisor.neighbours import Neighbours
from tiebreak.advisor.new_data import Understood
from tiebreak.advisor.rankings import Ranking
from tiebreak.advisor.success_rates import shown_rates
from tiebreak.advisor.times import PredictedTimes
from tiebreak.advisor.worth import METHOD, Worth
from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Answer, Document, Row, Shown, Table, listed, table_of_verb
from tiebreak.documents.parts import table_of
from tiebreak.documents.words import amount, finite, finite_rows, number
from tiebreak.methods import find
from tiebreak.stats.results import rows_of
from tiebreak.wording import either

SHOWN_NEIGHBOURS = 20
"""Printed neighbours; `neighbour_rows()` and JSON hold all."""


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
    kind : {"classes", "number"}
        What is to be predicted.
    spent_on : tuple of (str, float)
        Seconds that describing the data took, by group of meta-attributes: what a recommendation costs.
    origins, sources : tuple of str
        Of the neighbours.
    knowledge : str
        What the recommendation was drawn from, in one line.
    worth : Worth or None
        What following such recommendations cost on known data sets left out, beside simpler ways; None where too little
        is known to say.
    target : str
        Which column of the data was taken for the target, and why; empty where it has no name.
    meanings : mapping of str to str
        What ranked algorithms are, in a sentence each, where the base says it.
    notices : tuple of str
        Licence and citation of the published results that the recommendation rests on.
    about : Understood or None
        What was understood of the data; None where only meta-attributes were given. `understood` says it in sentences.
    times : PredictedTimes or None
        What every algorithm is expected to take on this data set; None where the base holds no times.
    times_used : str
        Which times accuracy was weighed against, "predicted" or "measured"; empty where time does not count.
    budget : BudgetPlan or None
        What to try within a budget of time, where one was given.
    caveats : tuple of Caveat
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
    worth: Worth | None = None
    target: str = ""
    kind: str = "classes"
    spent_on: tuple[tuple[str, float], ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    about: Understood | None = None
    times: PredictedTimes | None = None
    times_used: str = ""
    budget: BudgetPlan | None = None
    caveats: Caveats = ()

    @property
    def answer(self) -> Answer:
        """What to try, in which order, and what that is expected to lose."""
        firsts = ", ".join(self.algorithms[:3])
        order = f"Try {firsts} in this order" if len(self.algorithms) > 1 else f"Try {firsts}"
        count, plan = self.n_counted(), self.budget
        alike = f"{count} similar data set{'s' * (count != 1)}"
        sure = "" if self.worth is None else f"{self._lost(self.worth)}."
        data = [] if self.about is None else [self.about.brief()]
        return Answer(
            headline=f"{order}: best on {alike}; nothing was fitted on yours." if plan is None else f"{plan.title()}.",
            use=self.algorithms[0],
            sure=sure,
            next_best=listed(self.algorithms[1:3]) if len(self.algorithms) > 1 else "",
            rests_on=f"From past results on {alike}; nothing was fitted on these data.",
            table=self._short_table() if plan is None or not plan.algorithms else plan.table(),
            facts=(
                *([f"How sure: {sure}"] if sure and plan is None else []),
                *data,
                *([f"{self.sentence}."] if self.sentence else []),
            ),
            notes=tuple(map(str, self.caveats)),
            more=(f"More: {either('.document()', '--full')}", f"Try them: {either('try_out', '--run 5min')}"),
        )

    def _lost(self, worth: Worth) -> str:
        """Write what the first alone, and the best of the first three, lost on known data sets left out."""
        last = min(worth.loss.shape[2], len(self.algorithms))
        alone, few = (worth.written(worth.expected(n), interval=False, unit=n == 1) for n in (1, last))
        best = f"behind the best of {len(worth.algorithms)} learners"
        more = f", the best of the first {last} about {few}" if last > 1 else ""
        return f"On data left out the first alone was about {alone} {best}{more}"

    def _short_table(self) -> Table:
        """Lay out the order with what it is by; of a portfolio what each adds to the best of those above it."""
        rows, name = self.rows(), self.ranking.score_name
        called = next(key for key in rows[0] if key.endswith(" there") and key != name)
        adding = self.ranking.name == METHOD
        unit = "points" if self.kind == "classes" else "%"
        scores = self.ranking.scores.tolist()
        adds = ["-", *(f"{round(100 * (before - now), 1) + 0.0:.1f}" for before, now in pairwise(scores))]
        cells = {
            "place": [number(row["place"]) for row in rows],
            "algorithm": [str(row["algorithm"]) for row in rows],
            called: ["-" if row[called] is None else f"{float(str(row[called])):.3f}" for row in rows],
        }
        if adding:
            cells["adds"] = adds
        elif name != "place":
            cells[name] = [number(row[name]) for row in rows]
        if self.times is not None:
            cells["predicted seconds"] = [_seconds(row["predicted seconds"]) for row in rows]
        return table_of_verb("recommend", cells, units={"adds": unit})

    @property
    def understood(self) -> tuple[str, ...]:
        """What was understood of the data: target, classes, rows, attributes, and the columns that were left out."""
        return () if self.about is None else self.about.sentences()

    @property
    def spent_seconds(self) -> float:
        """The seconds that describing the data took."""
        return float(sum(seconds for _, seconds in self.spent_on))

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The ranked algorithms, best first."""
        return self.ranking.algorithms

    def title(self) -> str:
        """Say in one line what is recommended and why."""
        count = self.n_counted()
        what = "the nearest known data set" if count == 1 else f"{count} known data sets"
        text = f": {self.sentence}" if self.sentence else ""
        return f"Try first on {self.dataset!r}: {self.algorithms[0]} ({self.ranking.method} on {what}{text})"

    def n_counted(self) -> int:
        """Count the neighbours that have a part in the order; exact matches may leave the others without weight."""
        parts = (self.neighbours.weight > 0) | (self.ranking.contributions != 0).any(axis=1)
        return int(parts.sum())

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first: its score, its mean rate there, and its predicted seconds here."""
        (rates, _), (seconds, low, high) = self.expected(), self.predicted()
        called, shown = shown_rates(self.score, rates)
        columns = {
            "place": self.ranking.ranks,
            "algorithm": self.algorithms,
            self.ranking.score_name: self.ranking.scores,
            f"{called} there": shown,
            "predicted seconds": seconds,
            "nine of ten": [_range(*ends) for ends in zip(low.tolist(), high.tolist(), strict=True)],
            "measured on": np.isfinite(self.accuracy).sum(axis=0),
        }
        return rows_of(**columns)

    def expected(self) -> tuple[FloatArray, FloatArray]:
        """Return for every algorithm the weighted mean success rate and geometric mean time on the neighbours."""
        weight = self.neighbours.weight[:, None]
        rates = _weighted(self.accuracy, weight)
        with np.errstate(divide="ignore", invalid="ignore"):
            return rates, np.exp(_weighted(np.log(np.where(self.time > 0, self.time, np.nan)), weight))

    def predicted(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return predicted seconds of the ranked algorithms on this data set, with low and high; NaN where unknown."""
        nothing = (float("nan"),) * 3
        algorithms = [nothing if self.times is None else self.times.of(name) for name in self.algorithms]
        seconds, low, high = np.array(algorithms, dtype=np.float64).reshape(-1, 3).T
        return seconds, low, high

    def neighbour_rows(self) -> list[Row]:
        """Return one row per neighbour: distance, weight, who did best there, and how it moved the first place."""
        columns = {
            "dataset": self.neighbours.names,
            "source": self.sources,
            "distance": self.neighbours.distance,
            "weight": self.neighbours.weight,
            "best there": self._best(),
            f"for {self.algorithms[0]}": self.ranking.contributions[:, 0],
        }
        return rows_of(**columns)

    def _best(self) -> list[str]:
        """Name the best algorithm on each neighbour alone, by the method of the ranking; none without weight."""
        silent = (self.neighbours.weight == 0) & (self.ranking.contributions == 0).all(axis=1)
        losses = -self.ranking.contributions if self.ranking.higher_is_better else self.ranking.contributions
        filled = np.where(np.isfinite(self.accuracy) & ~silent[:, None] & ~np.isnan(losses), losses, np.inf)
        firsts = filled.argmin(axis=1)
        return [self.algorithms[j] if np.isfinite(row[j]) else "" for row, j in zip(filled, firsts, strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """Return the recommendation as plain data, the content of `tiebreak recommend --json`."""
        rates, seconds = self.expected()
        scores = {
            "algorithm": self.algorithms,
            "score": self.ranking.scores,
            "rank": self.ranking.ranks,
            "accuracy_there": rates,
            "seconds_there": seconds,
            **dict(zip(("predicted_seconds", "predicted_low", "predicted_high"), self.predicted(), strict=True)),
        }
        return {
            "answer": self.answer.to_dict(),
            "dataset": self.dataset,
            "target": self.target or None,
            "understood": None if self.about is None else self.about.to_dict(),
            "kind": self.kind,
            "ranking": finite_rows(rows_of(**scores)),
            "neighbours": self._neighbour_dicts(),
            "meta_attributes": dict(self.meta_attributes),
            "measures": list(self.neighbours.measures),
            "method": {
                "name": self.ranking.method,
                "score": self.ranking.score_name,
                "higher_is_better": self.ranking.higher_is_better,
                "accd": self.ranking.accd,
                "trade_off": self.sentence,
                "times": self.times_used or None,
                "distance": self.neighbours.method,
            },
            "worth": None if self.worth is None else self.worth.to_dict(),
            "unranked": list(self.ranking.unranked),
            "budget": None if self.budget is None else self.budget.to_dict(),
            "knowledge": self.knowledge,
            "meanings": dict(self.meanings),
            "notices": list(self.notices),
            "timing": {"describing": self.spent_seconds, "groups": dict(self.spent_on)},
            "caveats": list(self.caveats),
            "caveat_codes": codes_of(self.caveats),
        }

    def _neighbour_dicts(self) -> list[Row]:
        """Return one plain dictionary per neighbour, with every term of its distance."""
        neighbours = self.neighbours
        columns = {
            "dataset": neighbours.names,
            "distance": neighbours.distance,
            "weight": neighbours.weight,
            "origin": self.origins,
            "source": self.sources,
            "best": self._best(),
            "contributions": [_named(self.algorithms, row) for row in self.ranking.contributions],
            "terms": [_named(neighbours.measures, row) for row in neighbours.contribution],
        }
        return rows_of(**columns)

    def document(self) -> Document:
        """Return the order, the neighbours that explain it, what the data look like, and what to mistrust."""
        neighbours = self.neighbours
        used = listed(neighbours.measures, most=8) if neighbours.measures else "no measures"
        text = (
            f"From best to worst by {self.ranking.method}: {listed(self.algorithms)}.",
            *([] if self.worth is None else self.worth.sentences(self.algorithms)),
            *([] if self.budget is None else self.budget.sentences()),
            f"Because of these known data sets ({neighbours.method} over {used}): {listed(neighbours.names, most=8)}.",
        )
        return Document(
            title=self.title(),
            heading=f"Which algorithm to try first on {self.dataset!r}",
            first=self.understood,
            points=self.answer.points(),
            said=text,
            answer=text[:-1],
            decided=text,
            tables=tuple(self._tables()),
            method=(f"Algorithms were ranked by {self.ranking.method} on similar data sets.", f"{self.knowledge}."),
            papers=find(self.ranking.name, "ranking").papers,
            notes=(*self._first_ones(), *self._explained(), *self.notices),
            caveats=self.caveats,
        )

    def _first_ones(self) -> tuple[str, ...]:
        """Say what the first ones are: the names of a base are short."""
        return tuple(f"{name}: {self.meanings[name]}" for name in self.algorithms[:3] if name in self.meanings)

    def _explained(self) -> tuple[str, ...]:
        """Explain the columns whose names do not."""
        name, what = self.ranking.score_name, shown_rates(self.score, np.empty(0))[0]
        moved = f"for {self.algorithms[0]}: what each data set adds to its {name}."
        if self.ranking.name != METHOD:
            return (moved,)
        lost = f"{name}: what the best of an algorithm and those above it loses there, against the best of all."
        return (
            f"{lost} Algorithms that add nothing follow by their mean.",
            f"{what} there: the mean on these data sets.",
            moved,
        )

    def _tables(self) -> Iterator[Table]:
        result, near, order = self.neighbours, self.neighbour_rows(), self.rows()
        if self.times is None:
            order = [{key: row[key] for key in row if key not in ("predicted seconds", "nine of ten")} for row in order]
        yield table_of(order, "Algorithms, best first", left=2)
        if self.budget is not None and self.budget.algorithms:
            yield self.budget.printed_table("Within the budget")
        rest = len(near) - SHOWN_NEIGHBOURS
        if rest > 0:  # a page has room for all, a terminal has not
            more: Row = {**dict.fromkeys(near[0], ""), "dataset": f"... {rest} more"}
            yield table_of([*near[:SHOWN_NEIGHBOURS], more], left=2)
        yield table_of(near, "Neighbours", left=2, in_text=rest <= 0)
        terms = rows_of(dataset=result.names, **dict(zip(result.measures, result.contribution.T, strict=True)))
        yield table_of(terms, "Distance by meta-attribute", in_text=False)
        if self.meta_attributes:
            columns: dict[str, list[Any]] = {
                "meta-attribute": list(self.meta_attributes),
                "value": list(self.meta_attributes.values()),
            }
            yield table_of(rows_of(**columns), "Meta-attributes", in_text=False)


def _seconds(value: object) -> str:
    seconds = float(str(value))
    return amount(seconds) if np.isfinite(seconds) else "-"


def _weighted(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Average rows by weight over what is there; NaN where nothing is."""
    there = np.isfinite(values)
    total = (np.where(there, values, 0.0) * weight).sum(axis=0)
    rest = (there * weight).sum(axis=0)
    return np.asarray(np.divide(total, rest, out=np.full(total.shape, np.nan), where=rest > 0))


def _range(low: float, high: float) -> str:
    """Write the range of a predicted time as people say it; nothing where there is none."""
    return "" if np.isnan(low) else f"{duration(low)} to {duration(high)}"


def _named(names: tuple[str, ...], values: FloatArray) -> Row:
    return dict(zip(names, map(finite, values.tolist()), strict=True))
