"""Comparisons by the difference of each pair, on the folds of one data set or on items: intervals, page, plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tiebreak.comparison.document import MOST_PAIRS, last_facts, method_facts, pair_facts, pictures, too_many_pairs
from tiebreak.comparison.on_items import ScoreUnit
from tiebreak.comparison.result import Comparison
from tiebreak.documents import Document, Table, table_of_verb
from tiebreak.documents.parts import published_in, with_data
from tiebreak.documents.words import confidence, finite, pvalue
from tiebreak.errors import OptionError
from tiebreak.methods import papers_of
from tiebreak.stats import DifferenceIntervals
from tiebreak.stats.results import DifferencePairs, frozen
from tiebreak.wording import option


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairedComparison(Comparison):
    """A comparison whose tests estimate the difference of each pair, with an interval (`DifferencePairs`).

    `scores` hold the means; `compared` and `turned` are lower the better.
    """

    OVER: ClassVar[str] = ""
    """What the differences are means over."""

    @property
    def pairs_tested(self) -> DifferencePairs:
        """The tests, with differences and intervals."""
        assert isinstance(self.tests, DifferencePairs)
        return self.tests

    @property
    def unit(self) -> ScoreUnit:
        """How differences of the score are written."""
        raise NotImplementedError

    def tested_at(self, level: float) -> DifferencePairs:
        """Return the tests with another confidence of their intervals."""
        raise NotImplementedError

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        raise NotImplementedError

    def sentences(self) -> list[str]:
        """Say what came out and how it was tested."""
        raise NotImplementedError

    def table(self) -> Table:
        """Lay out the algorithms, best first."""
        raise NotImplementedError

    def simultaneous_intervals(self, *, level: float | None = None) -> DifferenceIntervals:
        """Return the differences with intervals that hold together (Bonferroni); `level` is by default 1 - alpha."""
        return self._intervals(self.pairs_tested.level if level is None else level, "_together", "Bonferroni")

    def intervals(self, *, level: float = 0.95, method: str = "") -> DifferenceIntervals:
        """Return the differences with intervals that hold each by itself."""
        return self._intervals(level, "", method or "each by itself")

    def _intervals(self, level: float, which: str, how: str) -> DifferenceIntervals:
        if not self.has_intervals:
            raise OptionError("The 5x2 cv F test gives no interval.", mend=f"Use {option(pairwise='corrected-t')}.")
        tests = self.pairs_tested if abs(level - self.pairs_tested.level) <= 1e-12 else self.tested_at(level)
        sign = -1.0 if self.higher_is_better else 1.0
        low, high = np.sort([sign * getattr(tests, f"{end}{which}") for end in ("low", "high")], axis=0) + 0.0
        return DifferenceIntervals(
            **frozen(a=tests.a, b=tests.b, estimate=sign * tests.difference + 0.0, low=low, high=high),
            level=level,
            achieved=1.0 - (1.0 - level) / len(tests.a) if which else level,
            algorithms=self.algorithms,
            n_datasets=len(self.datasets),
            method=f"mean difference {self.OVER}, {how}",
        ).framed(self.frame_kind)

    def page(self, **parts: Any) -> Document:
        """Put a document together; `parts` are those that folds and items do not share."""
        total, texts = len(self.significant), self.sentences()
        held = total > 1 and self.has_intervals
        together = f"; the intervals of pairs hold for all {total:,} together" if held else ""
        points = ", in points" if self.unit.points else ""
        papers = papers_of(method for method in self.plan.methods if method.name != "none")
        return Document(
            title=self.title(),
            points=self.answer.points(),
            said=tuple(texts),
            tables=(self.table(), self._pair_table()),
            notes=(f"difference: {self.score.name} of a less that of b{points}{together}.",),
            pictures=pictures(self, ""),
            decided=self.plan.path,
            papers=with_data(papers, self.data_papers),
            caveats=self.caveats,
            method=(parts.pop("method"), *published_in(self.data_papers), *texts),
            **parts,
        )

    def _pair_table(self) -> Table:
        """Lay out the pairs: differences with intervals that hold together, and the corrected tests."""
        tests, total = self.pairs_tested, len(self.significant)
        shown = list(self.iter_pairs()) if total <= MOST_PAIRS else []
        cells = {
            "a": [pair.a for pair in shown],
            "b": [pair.b for pair in shown],
            "difference": [self.unit.bare(float(tests.difference[at])) for at in range(len(shown))],
            "better": [pair.better or "-" for pair in shown],
            "pvalue": [pvalue(pair.pvalue) for pair in shown],
            "adjusted": [pvalue(pair.adjusted) for pair in shown],
        }
        if self.has_intervals:
            low, high = tests.low_together, tests.high_together
            ends = [self.ends(low[at], high[at]) or "-" for at in range(len(shown))]
            cells[f"{confidence(1 - tests.level)} interval"] = ends
        return table_of_verb("compare", cells, full=True, note=too_many_pairs(total))

    def ends(self, low: float, high: float) -> str:
        """Write an interval without its unit; nothing where there is none."""
        return f"{self.unit.bare(float(low))} to {self.unit.bare(float(high))}" if np.isfinite(low) else ""

    def plain(self, **more: Any) -> dict[str, Any]:
        """Return plain data, whose fields are a contract for other programs; `more` is what folds or items add."""
        tests, ends = self.pairs_tested, ("difference", "low", "high", "low_together", "high_together")
        pairs = [
            pair_facts(pair) | {name: finite(float(getattr(tests, name)[at])) for name in ends}
            for at, pair in enumerate(self.iter_pairs())
        ]
        return {
            "answer": self.answer.to_dict(),
            "headline": self.headline,
            "algorithms": list(self.algorithms),
            "mean_ranks": None,
            "omnibus": None,
            "pairs": pairs,
            "groups": [list(group) for group in self.groups],
            "critical_difference": None,
            "method": method_facts(self, omnibus="none", posthoc=tests.method),
            **last_facts(self, self.sentences(), self.document().references()),
            **more,
        }
