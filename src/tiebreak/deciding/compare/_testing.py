"""Run the tests of a plan: the omnibus test, the pairs, and where the algorithms lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tiebreak._checks import FloatArray, readonly
from tiebreak.deciding.compare._plan import Plan
from tiebreak.stats import (
    CORRECTIONS,
    OmnibusResult,
    PairwiseResult,
    SkillingsMackResult,
    aligned_pairs,
    aligned_ranks,
    bergmann_hommel,
    conover_pairs,
    dunn_pairs,
    dunnett_control,
    paired_t_pairs,
    quade,
    quade_pairs,
    rm_anova,
    sign_pairs,
    skillings_mack,
    skillings_mack_pairs,
    tukey_pairs,
    wilcoxon_pairs,
)
from tiebreak.stats.many._friedman import friedman_from_ranks
from tiebreak.stats.many._rank_tests import from_mean_ranks
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.stats.pairwise import correction_name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairOmnibus(OmnibusResult):
    """Stands in for the omnibus test where the pairs are tested without one.

    For two algorithms it is their test; for more, the smallest adjusted p-value of the pairs, which is the p-value of
    the hypothesis that all are alike.
    """


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tested:
    """What the tests found. `locations` are what they compare, lower the better, with their name."""

    omnibus: OmnibusResult
    tests: PairwiseResult
    locations: FloatArray
    location_name: str
    mean_ranks: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Data:
    """One comparison's numbers: `errors` are the scores turned so that lower is better."""

    scores: FloatArray
    errors: FloatArray
    higher_is_better: bool
    algorithms: tuple[str, ...]
    control: int | None


def run_tests(
    scores: FloatArray, plan: Plan, *, size: FloatArray, higher_is_better: bool, algorithms: tuple[str, ...]
) -> Tested:
    """Run the omnibus test and the tests of the pairs; `size` is that of the fold scores behind each mean."""
    data = _Data(
        scores=scores,
        errors=snap(-scores if higher_is_better else scores, size=size),
        higher_is_better=higher_is_better,
        algorithms=algorithms,
        control=None if plan.control is None else algorithms.index(plan.control),
    )
    ranks = average_ranks(np.where(np.isnan(data.errors), np.inf, data.errors))
    if plan.omnibus == "none":
        tests = _corrected(_own_pairs(data, plan), plan, None)
        return Tested(
            omnibus=_stand_in(tests, ranks, algorithms),
            tests=tests,
            locations=ranks.mean(axis=0),
            location_name="mean rank",
            mean_ranks=readonly(ranks.mean(axis=0)),
        )
    omnibus, locations, name = _omnibus(data, plan, ranks)
    tests = _pairs(data, plan, omnibus, ranks)
    gaps = np.isnan(data.errors)
    there = np.where(gaps, np.nan, ranks) if plan.omnibus == "skillings-mack" else ranks
    return Tested(
        omnibus=omnibus,
        tests=tests,
        locations=locations,
        location_name=name,
        mean_ranks=readonly(np.nanmean(there, axis=0)),
    )


def _omnibus(data: _Data, plan: Plan, ranks: FloatArray) -> tuple[OmnibusResult, FloatArray, str]:
    """Run the omnibus test; return it with what it compares."""
    ties = {"tie_correction": plan.tie_correction}
    if plan.omnibus == "skillings-mack":
        mack = skillings_mack(data.errors, algorithms=data.algorithms, **ties)
        return mack, mack.mean_ranks, "implied mean rank" if np.isnan(data.errors).any() else "mean rank"
    if plan.omnibus == "aligned-ranks":
        aligned = aligned_ranks(data.errors, algorithms=data.algorithms, **ties)
        return aligned, aligned.mean_ranks, "mean aligned rank"
    if plan.omnibus == "quade":
        weighted = quade(data.errors, algorithms=data.algorithms, **ties)
        return weighted, weighted.mean_ranks, "weighted mean rank"
    if plan.omnibus == "rm-anova":
        anova = rm_anova(
            data.scores,
            higher_is_better=data.higher_is_better,
            correction=plan.sphericity,
            algorithms=data.algorithms,
        )
        return anova, -anova.means if data.higher_is_better else anova.means, "mean score"
    friedman = friedman_from_ranks(
        ranks,
        statistic="chi2" if plan.omnibus == "friedman-chi2" else "iman-davenport",
        algorithms=data.algorithms,
        **ties,
    )
    return friedman, friedman.mean_ranks, "mean rank"


def _pairs(data: _Data, plan: Plan, omnibus: OmnibusResult, ranks: FloatArray) -> PairwiseResult:
    """Test the pairs; a single-step test brings its own correction."""
    if plan.posthoc in ("nemenyi", "bonferroni-dunn"):
        return from_mean_ranks(
            omnibus.mean_ranks,
            len(ranks),
            method=plan.posthoc,
            control=data.control,
            algorithms=data.algorithms,
        )
    if plan.posthoc == "dunn":
        return dunn_pairs(ranks, algorithms=data.algorithms)
    paired = {"higher_is_better": data.higher_is_better, "algorithms": data.algorithms}
    if plan.posthoc == "tukey":
        return tukey_pairs(data.scores, **paired)  # type: ignore[arg-type]
    if plan.posthoc == "dunnett":
        return dunnett_control(data.scores, control=data.control or 0, **paired)  # type: ignore[arg-type]
    if plan.pairwise in ("wilcoxon", "sign", "paired-t"):
        return _corrected(_own_pairs(data, plan), plan, None)
    return _corrected(_rank_pairs(data, plan, omnibus, ranks), plan, omnibus)


def _rank_pairs(data: _Data, plan: Plan, omnibus: OmnibusResult, ranks: FloatArray) -> PairwiseResult:
    """Test pairs on the ranks of the omnibus test, not yet corrected."""
    options = {"adjust": "none", "control": data.control}
    if isinstance(omnibus, SkillingsMackResult):
        return skillings_mack_pairs(omnibus, **options)  # type: ignore[arg-type]
    if plan.pairwise == "conover":
        return conover_pairs(ranks, algorithms=data.algorithms, **options)  # type: ignore[arg-type]
    if plan.omnibus == "aligned-ranks":
        return aligned_pairs(data.errors, algorithms=data.algorithms, **options)  # type: ignore[arg-type]
    if plan.omnibus == "quade":
        return quade_pairs(data.errors, algorithms=data.algorithms, **options)  # type: ignore[arg-type]
    return from_mean_ranks(
        omnibus.mean_ranks, len(ranks), method="none", control=data.control, algorithms=data.algorithms
    )


def _own_pairs(data: _Data, plan: Plan) -> PairwiseResult:
    """Test pairs each by a test of two algorithms, not yet corrected."""
    options = {"higher_is_better": data.higher_is_better, "algorithms": data.algorithms}
    found: PairwiseResult
    if plan.pairwise == "wilcoxon":
        found = wilcoxon_pairs(data.scores, **options)  # type: ignore[arg-type]
    elif plan.pairwise == "sign":
        found = sign_pairs(data.scores, **options)  # type: ignore[arg-type]
    else:
        found = paired_t_pairs(data.scores, **options)  # type: ignore[arg-type]
    return found if data.control is None else _with_control(found, data.control)


def _with_control(found: PairwiseResult, control: int) -> PairwiseResult:
    """Keep the pairs of the control, with the control as `a`."""
    keep = (found.a == control) | (found.b == control)
    turned = found.b[keep] == control
    sign = np.where(turned, -1.0, 1.0)
    return PairwiseResult(
        a=readonly(np.full(int(keep.sum()), control, dtype=np.int64)),
        b=readonly(np.where(turned, found.a[keep], found.b[keep])),
        statistic=readonly(found.statistic[keep] * sign + 0.0),
        pvalue=readonly(found.pvalue[keep]),
        adjusted=readonly(found.pvalue[keep]),
        algorithms=found.algorithms,
        method=found.method,
        caveats=found.caveats,
    )


def _corrected(tests: PairwiseResult, plan: Plan, line: OmnibusResult | None) -> PairwiseResult:
    """Correct the p-values; `line` is the omnibus test whose mean ranks the p-values depend on, if they do."""
    if plan.posthoc == "bergmann-hommel" and line is not None and not isinstance(line, SkillingsMackResult):
        adjusted = bergmann_hommel(tests.pvalue, positions=line.mean_ranks)
    else:
        adjusted = CORRECTIONS[plan.posthoc](tests.pvalue)
    method = _bracketed(tests.method.removesuffix(f" {correction_name('none')}"))
    label = method if plan.posthoc == "none" and len(tests.a) == 1 else f"{method} {correction_name(plan.posthoc)}"
    return replace(tests, adjusted=readonly(adjusted), method=label)


def _bracketed(method: str) -> str:
    """Put what follows a comma into brackets, so that a correction can follow."""
    head, comma, rest = method.partition(", ")
    return f"{head} ({rest})" if comma else method


def _stand_in(tests: PairwiseResult, ranks: FloatArray, algorithms: tuple[str, ...]) -> PairOmnibus:
    first = int(np.argmin(tests.adjusted))
    return PairOmnibus(
        statistic=float(tests.statistic[first]),
        pvalue=float(tests.adjusted[first]),
        df=(),
        mean_ranks=readonly(ranks.mean(axis=0)),
        algorithms=algorithms,
        n_datasets=len(ranks),
        method=tests.method if len(tests.a) == 1 else f"Smallest adjusted p-value of the {tests.method}",
    )
