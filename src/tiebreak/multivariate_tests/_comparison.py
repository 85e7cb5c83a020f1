"""A comparison by several measures: what was found, with everything it was found from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiebreak.caveats import Caveats
from tiebreak.comparison.groups import letters
from tiebreak.documents import Document, Row, Shown
from tiebreak.errors import unknown_name
from tiebreak.multivariate_tests._one_set import MeasuresOmnibus, MeasuresPair, SetComparison
from tiebreak.ordering import Ordering
from tiebreak.results import Metric
from tiebreak.stats.multivariate.manova_tests import LearnedMeasures
from tiebreak.stats.multivariate.per_measure import PerMeasureResult

MOST_LETTERS = 52
"""With more cliques than these the printed table counts those of an algorithm instead of naming them by letters."""

_MOST_NAMED = 10
"""Cliques that a `repr` names."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MultivariateComparison(Shown):
    """The comparison of algorithms by several measures at once; `sets` holds every data set by itself.

    `algorithms` stand by their mean rank over measures and data sets, which is for reading, not a test. With one data
    set `omnibus`, `pairs`, `cliques` and `learned` are its own; with several the p-values are combined. `cliques` are
    the maximal sets in which no two differ significantly; they may overlap. `order` is there where a cost was named.
    """

    algorithms: tuple[str, ...]
    measures: tuple[Metric, ...]
    omnibus: MeasuresOmnibus
    pairs: tuple[MeasuresPair, ...]
    cliques: tuple[tuple[str, ...], ...]
    learned: LearnedMeasures
    normality: tuple[Row, ...]
    sets: tuple[SetComparison, ...]
    alpha: float
    adjust: str
    statistic: str
    order: Ordering | None = None
    caveats: Caveats = ()
    data_papers: tuple[str, ...] = ()

    @property
    def datasets(self) -> tuple[str, ...]:
        """The names of the data sets."""
        return tuple(each.dataset for each in self.sets)

    @property
    def rejected(self) -> bool:
        """Whether the test of all algorithms and measures rejects."""
        return self.omnibus.pvalue <= self.alpha

    def on(self, dataset: str) -> SetComparison:
        """Return the comparison on one data set."""
        if dataset not in self.datasets:
            raise unknown_name("data set", dataset, self.datasets)
        return self.sets[self.datasets.index(dataset)]

    def letters(self) -> list[str]:
        """Return the cliques of each algorithm as letters: those that share one do not differ significantly."""
        place = {name: i for i, name in enumerate(self.algorithms)}
        return letters([[place[name] for name in clique] for clique in self.cliques], len(self.algorithms))

    def per_measure(self) -> PerMeasureResult:
        """Return the analysis of every measure by itself; over several data sets, of all their folds."""
        from tiebreak.multivariate_tests._over_sets import pooled_per_measure

        found = pooled_per_measure(self.sets, self.algorithms, self.measures, self.adjust)
        return found.framed(self.frame_kind)

    def rows(self) -> list[Row]:
        """Return one row per algorithm: its mean measures over folds and data sets, and its cliques."""
        stacked = np.stack(
            [each.means[[each.algorithms.index(name) for name in self.algorithms]] for each in self.sets]
        ).mean(axis=0)
        return [
            {
                "algorithm": name,
                **{each.name: float(value) for each, value in zip(self.measures, means, strict=True)},
                "clique": letter,
            }
            for name, means, letter in zip(self.algorithms, stacked, self.letters(), strict=True)
        ]

    def printed(self) -> tuple[list[str], list[list[str]], int]:
        """Return the table as it is printed: cliques as letters where those are few, or else as a number."""
        header, body, left = Shown.printed(self)
        if len(self.cliques) > MOST_LETTERS:
            counts = Counter(name for clique in self.cliques for name in clique)
            header = [*header[:-1], "cliques"]
            body = [[*row[:-1], str(counts[name])] for row, name in zip(body, self.algorithms, strict=True)]
        return header, body, left

    def title(self) -> str:
        """Say in one line what was compared."""
        sets = f"data set {self.datasets[0]!r}" if len(self.sets) == 1 else f"{len(self.sets)} data sets"
        names = ", ".join(f"{m.name} ({'higher' if m.higher_is_better else 'lower'} is better)" for m in self.measures)
        return f"{len(self.algorithms)} algorithms on {sets} by {names}"

    def brief(self) -> str:
        """Say whether the algorithms differ, and between which there is no significant difference."""
        told = "they differ" if self.rejected else "no difference found"
        some = ", ".join("{" + ", ".join(each) + "}" for each in self.cliques[:_MOST_NAMED])
        more = len(self.cliques) - _MOST_NAMED
        return f"{told}; no significant difference: {some}{f' and {more} more' if more > 0 else ''}"

    def document(self) -> Document:
        """Return what the comparison says: for text, Markdown, LaTeX, HTML and the report."""
        from tiebreak.multivariate_tests._document import document

        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data, the content of `tiebreak multivariate --json`."""
        from tiebreak.multivariate_tests._plain import as_dict

        return as_dict(self)
