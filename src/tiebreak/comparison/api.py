"""From results to a comparison: gaps settled, omnibus test, post hoc test, groups, caveats."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_alpha, check_choice, readonly
from tiebreak.comparison.cliques import MOST_GROUPS, maximal_cliques
from tiebreak.comparison.comparison import Comparison, Omnibus
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.results import POLICIES, Results, refusal
from tiebreak.stats import (
    PairwiseResult,
    bonferroni_dunn_cd,
    nemenyi_cd,
    skillings_mack,
    skillings_mack_pairs,
)
from tiebreak.stats.friedman import friedman_from_ranks
from tiebreak.stats.missing import SkillingsMackResult
from tiebreak.stats.posthoc import ADJUSTMENTS, from_mean_ranks
from tiebreak.stats.ranks import average_ranks, snap

OMNIBUS = ("friedman", "friedman-chi2", "skillings-mack")
POSTHOC = ("nemenyi", "bonferroni-dunn", *ADJUSTMENTS)


def compare(
    results: Results,
    *,
    score: str | None = None,
    omnibus: str | None = None,
    posthoc: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    missing: str = "refuse",
    tie_correction: bool = True,
    higher_is_better: bool | None = None,
) -> Comparison:
    """Compare algorithms over many data sets: who differs from whom.

    Hypothesis: first that all algorithms have the same expected rank; if that is rejected, for each pair that the two
    have the same.

    Formula: ranks within each data set (1 the best, ties share the average; means that agree to 13 significant
    digits count as tied), the omnibus test on them, then the post hoc test on all pairs or against the control.
    See `tiebreak.stats.friedman`, `nemenyi`, `rank_tests`, `bonferroni_dunn` and `skillings_mack`.

    Assumptions:

    1. The data sets are independent of each other.
    2. Each score is a fair estimate on its data set; folds are averaged first and play no further part.

    When not to use it: on one data set (its folds are not independent data sets).

    If the omnibus test does not reject, no pair is called different, whatever its own p-value, and a caveat says so.

    Parameters
    ----------
    results : Results
    score : str, optional
        The score to compare; needed where there are several.
    omnibus : {"friedman", "friedman-chi2", "skillings-mack"}, optional
        "friedman" (the default) is decided by Iman and Davenport's F.
    posthoc : str, optional
        nemenyi, bonferroni-dunn, bonferroni, sidak, holm, hochberg or hommel. By default nemenyi for all pairs,
        bonferroni-dunn against a control, and holm after Skillings-Mack.
    control : str, optional
        Compare this algorithm with all others instead of all pairs.
    alpha : float, default 0.05
    missing : str, default "refuse"
        What to do about gaps: refuse, drop-datasets, drop-algorithms, drop-folds, worst-rank or skillings-mack.
    tie_correction : bool, default True
        False reproduces Demsar (2006).
    higher_is_better : bool, optional
        Needed where the name of the score does not tell.

    Returns
    -------
    Comparison

    References
    ----------
    Demsar, J. (2006). JMLR 7, 1-30. https://www.jmlr.org/papers/v7/demsar06a.html (no DOI)
    Garcia, S. and Herrera, F. (2008). JMLR 9, 2677-2694 (no DOI).

    Examples
    --------
    >>> from tiebreak.sources import published
    >>> found = compare(published.ulas2012(), score="accuracy")
    >>> found.algorithms[0], found.rejected, len(found.groups)
    ('svr', True, 3)
    """
    plan = _plan(results, score, omnibus, posthoc, control, alpha, missing, higher_is_better)
    table = _table(results, plan)
    if control is not None and control not in table.algorithms:
        raise unknown_name("algorithm (for the control)", control, table.algorithms)
    found, tests = _tested(table, plan, control, tie_correction)
    order = _best_first(found.mean_ranks, table.algorithms)
    found, tests = _reordered(found, tests, order)
    return _comparison(table, plan, control, found, tests, order)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """The choices of one comparison, all of them made."""

    score: str
    omnibus: str
    posthoc: str
    missing: str
    alpha: float
    higher_is_better: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Table:
    """The matrix that is tested, and what was done to get it."""

    scores: FloatArray
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    caveats: tuple[str, ...]


def _plan(
    results: Results,
    score: str | None,
    omnibus: str | None,
    posthoc: str | None,
    control: str | None,
    alpha: float,
    missing: str,
    higher_is_better: bool | None,
) -> _Plan:
    name = score if score is not None else results.only_score()
    check_choice("policy for missing scores", missing, POLICIES)
    with_gaps = "skillings-mack" in (missing, omnibus)
    chosen = omnibus or ("skillings-mack" if with_gaps else "friedman")
    check_choice("omnibus test", chosen, OMNIBUS)
    after = posthoc or ("holm" if with_gaps else "bonferroni-dunn" if control is not None else "nemenyi")
    check_choice("post hoc test", after, POSTHOC)
    _check_fit(chosen, after, control, missing)
    return _Plan(
        score=name,
        omnibus=chosen,
        posthoc=after,
        missing="skillings-mack" if chosen == "skillings-mack" and missing == "refuse" else missing,
        alpha=check_alpha(alpha),
        higher_is_better=results.metric(name).direction(higher_is_better),
    )


def _check_fit(omnibus: str, posthoc: str, control: str | None, missing: str) -> None:
    """Refuse combinations that mean nothing."""
    if missing == "skillings-mack" and omnibus != "skillings-mack":
        raise OptionError(
            f"The policy skillings-mack does not go with the omnibus test {omnibus}.",
            why="It leaves the gaps to the Skillings-Mack test.",
            mend="Use omnibus='skillings-mack', or another policy.",
        )
    if omnibus == "skillings-mack" and posthoc not in ADJUSTMENTS:
        raise OptionError(
            f"The post hoc test {posthoc} does not go with the Skillings-Mack test.",
            why="With gaps the pairs have different standard errors, so there is no single critical difference.",
            mend="Use posthoc='holm'.",
        )
    if posthoc == "nemenyi" and control is not None:
        raise OptionError(
            "The Nemenyi test compares all pairs and takes no control.",
            why="Against a control fewer hypotheses are tested, which it could not use.",
            mend="Use posthoc='bonferroni-dunn' or 'holm', or drop the control.",
        )
    if posthoc == "bonferroni-dunn" and control is None:
        raise OptionError(
            "The Bonferroni-Dunn test needs a control.",
            why="It compares one algorithm with all others.",
            mend="Name it: control='...' (--control NAME), or use posthoc='nemenyi'.",
        )


def _table(results: Results, plan: _Plan) -> _Table:
    """Settle the gaps by the chosen policy and average the folds."""
    gaps = results.gaps(plan.score)
    if gaps and plan.missing == "refuse":
        raise refusal(gaps, plan.score)
    kept, note = results, ""
    if gaps and plan.missing == "drop-datasets":
        kept = results.complete(plan.score)
        gone = len(results.datasets) - len(kept.datasets)
        note = f"{gone} data set(s) with gaps were dropped; {len(kept.datasets)} remain."
    elif gaps and plan.missing == "drop-algorithms":
        kept = results.complete_algorithms(plan.score)
        gone_names = ", ".join(name for name in results.algorithms if name not in kept.algorithms)
        note = f"Algorithms with gaps were dropped: {gone_names}."
    elif gaps and plan.missing == "drop-folds":
        kept = results.complete_folds(plan.score)
        note = "Folds that some algorithm lacks were dropped for all algorithms on that data set."
        lost = len(results.datasets) - len(kept.datasets)
        note += f" {lost} data set(s) had no fold left and are gone." if lost else ""
    elif gaps and plan.missing == "worst-rank":
        note = f"{len(gaps)} gap(s) were ranked worst on their data sets, as failures."
    _check_left(kept, plan)
    scores = kept.means(plan.score)
    return _Table(
        scores=scores,
        datasets=kept.datasets,
        algorithms=kept.algorithms,
        caveats=(*results.caveats, *([note] if note else [])),
    )


def _check_left(kept: Results, plan: _Plan) -> None:
    if len(kept.algorithms) < 2:
        raise InputError(
            f"{len(kept.algorithms)} algorithm(s) are left to compare.",
            why="A comparison needs at least two.",
            mend="Add another algorithm, or choose another policy for gaps."
            if plan.missing != "refuse"
            else "Add another algorithm.",
        )
    if len(kept.datasets) < 2:
        raise InputError(
            f"{len(kept.datasets)} data set(s) are left to compare on.",
            why="A comparison over data sets draws its evidence from them and needs at least two; the folds of one data"
            " set are not independent data sets.",
            mend="Add data sets"
            + (", or choose another policy for gaps (missing='worst-rank')." if plan.missing != "refuse" else "."),
        )


def _tested(table: _Table, plan: _Plan, control: str | None, tie_correction: bool) -> tuple[Omnibus, PairwiseResult]:
    errors = snap(-table.scores if plan.higher_is_better else table.scores)
    place = None if control is None else table.algorithms.index(control)
    if plan.omnibus == "skillings-mack":
        found = skillings_mack(errors, tie_correction=tie_correction, algorithms=table.algorithms)
        return found, skillings_mack_pairs(found, adjust=plan.posthoc, control=place)
    ranks = average_ranks(np.where(np.isnan(errors), np.inf, errors))
    statistic = "chi2" if plan.omnibus == "friedman-chi2" else "iman-davenport"
    friedman = friedman_from_ranks(
        ranks, tie_correction=tie_correction, statistic=statistic, algorithms=table.algorithms
    )
    tests = from_mean_ranks(
        friedman.mean_ranks, len(ranks), method=plan.posthoc, control=place, algorithms=table.algorithms
    )
    return friedman, tests


def _best_first(mean_ranks: FloatArray, names: tuple[str, ...]) -> list[int]:
    """Order by mean rank; equal ones by name."""
    rounded = snap(mean_ranks)
    return sorted(range(len(names)), key=lambda i: (rounded[i], names[i]))


def _reordered(found: Omnibus, tests: PairwiseResult, order: list[int]) -> tuple[Omnibus, PairwiseResult]:
    """Put algorithms, and the pairs with them, into the order best first."""
    names = tuple(found.algorithms[i] for i in order)
    changed: dict[str, object] = {"algorithms": names, "mean_ranks": readonly(found.mean_ranks[order])}
    if isinstance(found, SkillingsMackResult):
        changed["effects"] = readonly(found.effects[order])
        changed["covariance"] = readonly(found.covariance[np.ix_(order, order)])
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    a, b = place[tests.a], place[tests.b]
    swap = (a > b) & (tests.a[0] != tests.a[-1] if len(tests.a) > 1 else False)
    a, b, sign = np.where(swap, b, a), np.where(swap, a, b), np.where(swap, -1.0, 1.0)
    sequence = np.lexsort((b, a))
    moved = replace(
        tests,
        a=readonly(a[sequence]),
        b=readonly(b[sequence]),
        statistic=readonly((tests.statistic * sign)[sequence]),
        pvalue=readonly(tests.pvalue[sequence]),
        adjusted=readonly(tests.adjusted[sequence]),
        algorithms=names,
    )
    return replace(found, **changed), moved  # type: ignore[arg-type]


def _comparison(
    table: _Table,
    plan: _Plan,
    control: str | None,
    found: Omnibus,
    tests: PairwiseResult,
    order: list[int],
) -> Comparison:
    from tiebreak.results import Metric

    rejected = found.pvalue <= plan.alpha
    significant = (tests.adjusted <= plan.alpha) & rejected
    groups, complete = _groups(tests, significant, control)
    size = {"n_algorithms": len(order), "n_datasets": len(table.datasets)}
    cd = {"nemenyi": nemenyi_cd, "bonferroni-dunn": bonferroni_dunn_cd}.get(plan.posthoc)
    metric = Metric(name=plan.score, higher_is_better=plan.higher_is_better)
    return Comparison(
        algorithms=found.algorithms,
        mean_ranks=found.mean_ranks,
        groups=groups,
        omnibus=found,
        tests=tests,
        significant=readonly(significant),
        alpha=plan.alpha,
        score=metric,
        higher_is_better=plan.higher_is_better,
        datasets=table.datasets,
        scores=readonly(table.scores[:, order]),
        posthoc=plan.posthoc,
        missing=plan.missing,
        critical_difference=None if cd is None else cd(**size, alpha=plan.alpha),
        control=control,
        caveats=(*table.caveats, *found.caveats, *_caveats(found, tests, plan, complete)),
    )


def _groups(
    tests: PairwiseResult, significant: BoolArray, control: str | None
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    names = tests.algorithms
    if control is not None:
        different = {names[b] for b in tests.b[significant]}
        return (tuple(name for name in names if name not in different),), True
    alike = np.ones((len(names), len(names)), dtype=bool)
    a, b = tests.a[significant], tests.b[significant]
    alike[a, b] = alike[b, a] = False
    cliques, complete = maximal_cliques(alike)
    return tuple(tuple(names[i] for i in clique) for clique in cliques), complete


def _caveats(found: Omnibus, tests: PairwiseResult, plan: _Plan, complete: bool) -> list[str]:
    notes = []
    hidden = int((tests.adjusted <= plan.alpha).sum()) if found.pvalue > plan.alpha else 0
    if hidden:
        notes.append(
            f"The omnibus test does not reject, so no pair is called different, although {hidden} adjusted p-value(s)"
            " lie at or below alpha."
        )
    if len(found.algorithms) == 2:
        notes.append("Two algorithms: on ranks this is a sign test, which ignores how large the differences are.")
    if not complete:
        notes.append(f"There are more than {MOST_GROUPS} groups; only the first are listed.")
    return [*notes, *tests.caveats]
