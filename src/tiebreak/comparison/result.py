"""A comparison: what was found, with everything it was found from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.comparison.groups import letters
from tiebreak.comparison.scales import Kind
from tiebreak.comparison.testing import Plan
from tiebreak.documents import Answer, Document, Framed, Row, Shown
from tiebreak.errors import OptionError
from tiebreak.results import Metric
from tiebreak.stats import OmnibusResult, PairwiseResult
from tiebreak.stats.numeric.basics import NOISE, average_ranks
from tiebreak.stats.results import frozen
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.stats import BayesianResult, DifferenceIntervals, EffectSizes, WinTieLoss

MEAN_TESTS = ("tukey", "dunnett")
"""Tests of pairs by mean scores with one error for all; all others that are not on a pair's own scores are on ranks."""
T = TypeVar("T", "BayesianResult", "DifferenceIntervals", "EffectSizes")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Pair(Framed):
    """One pair of algorithms; `better` is None where no significant difference was found."""

    a: str
    b: str
    statistic: float
    pvalue: float
    adjusted: float
    better: str | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Shown):
    """The comparison of algorithms over many data sets; `algorithms` stand from best to worst.

    They are ordered by `locations`, what the tests compare (mean ranks, aligned ranks, mean scores), turned so that
    lower is better. `plan` holds every choice that was made, and its `path` why.

    `groups` are the maximal sets in which no two algorithms differ significantly; with a control, the one set of the
    control and those that do not differ from it. `significant` runs over the pairs of `tests`.

    `scores` are what tables show, `compared` what is tested and `turned` the scores themselves, both lower the better;
    `scale` says how the last two differ. `given` are the scores as they came, named `given_name`, where `scores` are
    others; `dataset_metrics` names the metric of each data set, where a column of the table does.
    """

    algorithms: tuple[str, ...]
    mean_ranks: FloatArray
    groups: tuple[tuple[str, ...], ...]
    omnibus: OmnibusResult
    tests: PairwiseResult
    significant: BoolArray
    alpha: float
    score: Metric
    higher_is_better: bool
    datasets: tuple[str, ...]
    scores: FloatArray
    compared: FloatArray
    turned: FloatArray
    plan: Plan
    locations: FloatArray
    location_name: str
    scale: Kind = "as they are"
    given: FloatArray | None = None
    given_name: str = ""
    dataset_metrics: tuple[str, ...] = ()
    averaged: bool = False
    critical_difference: float | None = None
    caveats: Caveats = ()
    data_papers: tuple[str, ...] = ()
    """Keys of the works that the results were published in."""

    @property
    def rejected(self) -> bool:
        """Whether the omnibus test rejects its hypothesis about all algorithms."""
        return self.omnibus.pvalue <= self.alpha

    @property
    def gated(self) -> bool:
        """Whether no pair is called different unless the omnibus test rejects."""
        return self.plan.gated(len(self.tests.a))

    @property
    def control(self) -> str | None:
        """The algorithm that all others were compared with, if there is one."""
        return self.plan.control

    @property
    def by_ranks(self) -> bool:
        """Whether pairs are tested by mean ranks, of whatever kind, so that differences are those of ranks."""
        return not self.plan.test.on_own_scores and self.plan.test.name not in MEAN_TESTS

    @property
    def has_intervals(self) -> bool:
        """Whether the test of the pairs gives intervals; the 5x2 cv F test on the folds of one data set does not."""
        return self.plan.pairwise != "5x2cv-f"

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Every tested pair, the better placed one as `a` (the control where there is one)."""
        return tuple(self.iter_pairs())

    def iter_pairs(self) -> Iterator[Pair]:
        """Yield the tested pairs one at a time."""
        tests = self.tests
        columns = (tests.a, tests.b, tests.statistic, tests.pvalue, tests.adjusted, self.significant)
        for a, b, statistic, p, adjusted, differs in zip(*(column.tolist() for column in columns), strict=True):
            better = None if not differs else tests.algorithms[b if statistic > 0 else a]
            yield Pair(
                a=tests.algorithms[a],
                b=tests.algorithms[b],
                statistic=statistic,
                pvalue=p,
                adjusted=adjusted,
                better=better,
                frame_kind=self.frame_kind,
            )

    def letters(self) -> list[str]:
        """Return the groups of each algorithm as letters: those that share one do not differ significantly."""
        place = {name: i for i, name in enumerate(self.algorithms)}
        return letters([[place[name] for name in group] for group in self.groups], len(self.algorithms))

    def rows(self) -> list[Row]:
        """Return one row per algorithm, best first."""
        with np.errstate(invalid="ignore"):
            means = [float(np.nanmean(column)) if np.isfinite(column).any() else np.nan for column in self.scores.T]
        return [
            {"algorithm": name, "mean_rank": float(rank), f"mean {self.score.name}": mean, "group": letter}
            for name, rank, mean, letter in zip(self.algorithms, self.mean_ranks, means, self.letters(), strict=True)
        ]

    def title(self) -> str:
        """Say in one line what was compared."""
        direction = "higher" if self.higher_is_better else "lower"
        return (
            f"{len(self.algorithms)} algorithms on {len(self.datasets)} data sets by {self.score.name}"
            f" ({direction} is better)"
        )

    def brief(self) -> str:
        """Name the best (or the control), and those that do not differ significantly from it."""
        first = self.control or self.algorithms[0]
        near = {name for group in self.groups if first in group for name in group} - {first}
        equals = [name for name in self.algorithms if name in near]
        some = ", ".join(equals[:5]) + (f" and {len(equals) - 5} more" if len(equals) > 5 else "")
        text = f"no significant difference from {some}" if equals else "significantly different from all others"
        return f"{'control' if self.control else 'first'}: {first}, {text}"

    def document(self) -> Document:
        """Return what the comparison says: for text, Markdown, LaTeX, HTML and the report."""
        from tiebreak.comparison.document import document

        return document(self)

    def to_latex(self) -> str:
        """Return the comparison as LaTeX: the table of all scores for a paper, then what was found."""
        from tiebreak.comparison.document import paper_table

        latex = Shown.to_latex(self)
        first, _, rest = latex.partition("\n")  # what the preamble needs
        return f"{first}\n{paper_table(self)}\n\n{rest}" if len(self.datasets) > 1 else latex

    @property
    def answer(self) -> Answer:
        """The answer: who is significantly better than whom, and how sure that is."""
        from tiebreak.comparison.document import answer

        return answer(self)

    def effects(self) -> EffectSizes:
        """Measure how large the differences are; see `tiebreak.stats.effect_sizes`."""
        from tiebreak.stats import effect_sizes

        self._check_over_data_sets("Effect sizes")
        return self._with_unit(effect_sizes(self._complete(), **self._settings()))

    def intervals(self, *, level: float = 0.95, method: str = "wilcoxon") -> DifferenceIntervals:
        """Estimate the differences with intervals; see `tiebreak.stats.difference_intervals`."""
        from tiebreak.stats import difference_intervals

        return self._with_unit(difference_intervals(self._complete(), level=level, method=method, **self._settings()))

    def simultaneous_intervals(self, *, level: float | None = None) -> DifferenceIntervals:
        """Estimate the differences with intervals that hold together, by the method of the test of the pairs.

        `level` is that of all together, by default 1 - alpha; see `tiebreak.stats.simultaneous_intervals`. After a test
        on mean ranks the differences are those of ranks.
        """
        level = 1 - self.alpha if level is None else level
        if not self.by_ranks:
            return self._with_unit(_of_scores(self, level))
        made = _of_ranks(self, level) if self.plan.test.takes == "ranks" else _of_statistics(self, level)
        return made.framed(self.frame_kind)

    def wins(self) -> WinTieLoss:
        """Count wins, ties and losses; see `tiebreak.stats.win_tie_loss`."""
        from tiebreak.stats import win_tie_loss

        loss = win_tie_loss(self.turned[~np.isnan(self.turned).any(axis=1)], **self._settings())
        return loss.framed(self.frame_kind)

    def bayes(self, *, rope: float = 0.0, rng: int | np.random.Generator = 0) -> BayesianResult:
        """Return how probable it is that each is better; see `tiebreak.stats.bayesian_signed_rank_pairs`."""
        from tiebreak.stats import bayesian_signed_rank_pairs

        self._check_over_data_sets("Bayesian tests")
        return self._with_unit(bayesian_signed_rank_pairs(self._complete(), rope=rope, rng=rng, **self._settings()))

    def _check_over_data_sets(self, what: str) -> None:
        """Refuse what is estimated over data sets where folds of one, or items, are compared."""
        if self.plan.test.kind in ("folds", "items"):
            raise OptionError(
                f"{what} need several data sets, and folds or items are compared.",
                mend=either("Use `intervals()`.", "Leave the option out: every pair has its difference and interval."),
            )

    def _with_unit(self, framed: T) -> T:
        """Say what differences are counted in, where it is not the unit of the scores; a rope is in it as well."""
        framed = framed.framed(self.frame_kind)
        if self.scale == "as they are":
            return framed
        unit = "Differences are those of distances: 1 is how far an algorithm typically lies from the median one on a"
        return replace(framed, caveats=(*framed.caveats, Caveat("other-unit", f"{unit} data set.")))

    def _complete(self) -> FloatArray:
        """Return what the tests compare, of the data sets without gaps."""
        return self.compared[~np.isnan(self.compared).any(axis=1)]

    def _settings(self) -> dict[str, Any]:
        """The arguments by which effect sizes and intervals of `stats` look in the direction of this comparison."""
        control = None if self.control is None else self.algorithms.index(self.control)
        return {"control": control, "higher_is_better": False, "algorithms": self.algorithms}

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data, the content of `tiebreak compare --json`."""
        from tiebreak.comparison.document import as_dict

        return as_dict(self)


# ---- intervals that hold together, by the method of the test of the pairs

_INTERVALS = {"wilcoxon": "wilcoxon", "paired-t": "t"}
"""The interval that belongs to a test on the scores of a pair; the others count who is better: the median's."""
_ONE_LOOK = "The intervals hold for one look at the results, not for a look after every data set as the test does."


def _of_scores(comparison: Comparison, level: float) -> DifferenceIntervals:
    from tiebreak.stats import simultaneous_intervals

    test = comparison.plan.test
    method = _INTERVALS.get(test.name, "sign") if test.on_own_scores else "means"
    made = simultaneous_intervals(comparison._complete(), method=method, level=level, **comparison._settings())
    once = (Caveat("anytime-limits", _ONE_LOOK),) if test.name == "anytime" else ()
    return replace(made, caveats=(*made.caveats, *once))


def _of_ranks(comparison: Comparison, level: float) -> DifferenceIntervals:
    from tiebreak.stats import simultaneous_intervals

    turned, plan = comparison.turned, comparison.plan
    ranks = average_ranks(np.where(np.isnan(turned), np.inf, turned), tolerance=NOISE)
    adjust = "bonferroni" if plan.test.name in ("dunn", "bonferroni-dunn") else "sharpest"
    given = {"adjust": adjust, "tie_correction": plan.corrects_ties, **comparison._settings()}
    return simultaneous_intervals(ranks, method="ranks", level=level, **given)


def _of_statistics(comparison: Comparison, level: float) -> DifferenceIntervals:
    """The statistic is the difference of locations over its error, so the error is the one over the other.

    With gaps every pair has an error of its own, and alpha is shared equally.
    """
    from tiebreak.stats import DifferenceIntervals
    from tiebreak.stats.numeric.studentized_range import critical_value

    a, b, statistic = comparison.tests.a, comparison.tests.b, comparison.tests.statistic
    estimate = comparison.locations[a] - comparison.locations[b]
    adjust = "sharpest" if comparison.plan.test.on_a_line else "bonferroni"
    count, against = len(comparison.algorithms), comparison.control is not None
    times, label = critical_value(1 - level, count, against, df=np.inf, adjust=adjust)
    known = (statistic != 0) & np.isfinite(statistic)
    errors = np.divide(estimate, statistic, out=np.zeros_like(estimate), where=known)
    # where a difference is zero its error is not known by it: the largest of the others is taken
    half = times * np.where(known | np.isinf(statistic), errors, errors.max(initial=0.0))
    return DifferenceIntervals(
        **frozen(a=a, b=b, estimate=estimate, low=estimate - half, high=estimate + half),
        level=level,
        achieved=level,
        algorithms=comparison.algorithms,
        n_datasets=len(comparison.datasets),
        method=f"Difference of {comparison.location_name}s, {label}",
    )
