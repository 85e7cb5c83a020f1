"""From results to a comparison: gaps settled, tests chosen and run, groups, caveats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_alpha, check_choice, readonly
from tiebreak.deciding.compare._comparison import Comparison
from tiebreak.deciding.compare._plan import Asked, Plan, check_asked, choose
from tiebreak.deciding.compare._testing import Tested, run_tests
from tiebreak.deciding.compare.cliques import MOST_GROUPS, maximal_cliques
from tiebreak.errors import InputError, unknown_name
from tiebreak.stats import PairwiseResult, bonferroni_dunn_cd, nemenyi_cd
from tiebreak.stats.numeric.ranks import snap
from tiebreak.tables import POLICIES, Gap, Metric, Results, refusal


def compare(
    results: Results,
    *,
    score: str | None = None,
    omnibus: str | None = None,
    pairwise: str | None = None,
    posthoc: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    missing: str = "refuse",
    tie_correction: bool = True,
    higher_is_better: bool | None = None,
) -> Comparison:
    """Compare algorithms over many data sets: who differs from whom.

    Hypothesis: first that all algorithms perform alike; if that is rejected, for each pair that the two do.

    Formula: folds are averaged; then the omnibus test, the tests of pairs and their correction, as asked for or by the
    rules in `tiebreak.deciding.compare._plan`, which are printed with the result. For ranks, means that agree to 13
    significant digits count as tied.

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
    omnibus : str, optional
        friedman (decided by Iman and Davenport's F), friedman-chi2, aligned-ranks, quade, skillings-mack, rm-anova, or
        none.
    pairwise : str, optional
        What a pair is tested by: ranks (z on the ranks of the omnibus test), conover, wilcoxon, sign or paired-t.
    posthoc : str, optional
        A correction: bergmann-hommel, shaffer, holm, hochberg, hommel, holland, rom, finner, li, bonferroni, sidak,
        benjamini-hochberg, benjamini-yekutieli or none; or a test that brings its own: nemenyi, bonferroni-dunn, dunn,
        tukey or dunnett.
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
    >>> from tiebreak.reading import published
    >>> found = compare(published.ulas2012(), score="accuracy", posthoc="nemenyi")
    >>> found.algorithms[0], found.rejected, len(found.groups)
    ('svr', True, 3)
    """
    asked = Asked(
        omnibus=omnibus,
        pairwise=pairwise,
        posthoc=posthoc,
        control=control,
        missing=missing,
        tie_correction=tie_correction,
    )
    if not isinstance(results, Results):
        raise InputError(
            f"compare was given a {type(results).__name__}.",
            why="It needs a table that knows data sets and algorithms by name.",
            mend="Use tiebreak.read(path), Results.from_frame(frame) or Results.from_array(array, ...).",
        )
    check_choice("policy for missing scores", missing, POLICIES)
    check_asked(asked)
    name = score if score is not None else results.only_score()
    metric = results.metric(name)
    metric = Metric(name=name, higher_is_better=metric.direction(higher_is_better), unit=metric.unit)
    level = check_alpha(alpha)
    table = _table(results, name, "skillings-mack" if omnibus == "skillings-mack" and missing == "refuse" else missing)
    if control is not None and control not in table.algorithms:
        raise unknown_name("algorithm (for the control)", control, table.algorithms)
    plan = choose(table.scores, asked)
    tested = run_tests(
        table.scores,
        plan,
        size=table.sizes,
        higher_is_better=bool(metric.higher_is_better),
        algorithms=table.algorithms,
    )
    return _comparison(table, plan, tested, metric, level)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Table:
    """The matrix that is tested, and what was done to get it."""

    scores: FloatArray
    sizes: FloatArray
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    averaged: bool
    caveats: tuple[str, ...]


def _table(results: Results, score: str, missing: str) -> _Table:
    """Settle the gaps by the chosen policy and average the folds."""
    gaps = results.gaps(score)
    if gaps and missing == "refuse":
        raise refusal(gaps, score, notes=results.caveats)
    kept, note = _settled(results, score, missing, gaps) if gaps else (results, "")
    _check_left(kept, dropped=kept is not results)
    scores = kept.means(score)
    empty = np.isnan(scores).all(axis=0)
    if empty.any():
        name = kept.algorithms[int(np.argmax(empty))]
        raise InputError(
            f"{name!r} has no complete {score} on any data set.",
            why="Nothing is known about it.",
            mend=f"Leave it out with `results.without(algorithms=[{name!r}])`.",
        )
    sizes = replace(kept, values={score: np.abs(kept.values[score])}).means(score, partial=True)
    return _Table(
        scores=scores,
        sizes=np.nan_to_num(sizes),
        datasets=kept.datasets,
        algorithms=kept.algorithms,
        averaged=len(kept) > len(kept.datasets) * len(kept.algorithms),
        caveats=(*results.caveats, *([note] if note else [])),
    )


def _settled(results: Results, score: str, missing: str, gaps: Sequence[Gap]) -> tuple[Results, str]:
    """Return the table after the policy, and the caveat that says what was done."""
    if missing == "drop-datasets":
        kept = results.complete(score)
        gone = len(results.datasets) - len(kept.datasets)
        return kept, f"{gone} data set(s) with gaps were dropped; {len(kept.datasets)} remain."
    if missing == "drop-algorithms":
        kept = results.complete_algorithms(score)
        names = ", ".join(name for name in results.algorithms if name not in kept.algorithms)
        return kept, f"Algorithms with gaps were dropped: {names}."
    if missing == "drop-folds":
        kept = results.complete_folds(score)
        lost = len(results.datasets) - len(kept.datasets)
        rows = len(results) - len(kept)
        note = f"Folds that some algorithm lacks were dropped for all algorithms on that data set ({rows} rows)."
        return kept, note + (f" {lost} data set(s) had no fold left and are gone." if lost else "")
    cells = {(gap.dataset, gap.algorithm) for gap in gaps}
    partial = {(gap.dataset, gap.algorithm) for gap in gaps if gap.fold is not None}
    some = f" ({len(partial)} of them lack only some folds)" if partial else ""
    if missing == "worst-rank":
        return results, f"{len(cells)} cell(s) with gaps{some} were ranked worst on their data sets, as failures."
    met = np.isfinite(results.means(score)).sum(axis=1) >= 2
    kept = results.only(datasets=[name for name, there in zip(results.datasets, met, strict=True) if there])
    lost = len(results.datasets) - len(kept.datasets)
    lonely = f" {lost} data set(s) with fewer than two scores compare nothing and are left out." if lost else ""
    return (kept if lost else results), f"{len(cells)} cell(s) with gaps{some} are left out.{lonely}"


def _check_left(kept: Results, *, dropped: bool) -> None:
    """Refuse fewer than two data sets or algorithms."""
    left = " left" if dropped else ""
    other = ", or choose another policy for gaps (missing='worst-rank')." if dropped else "."
    if len(kept.datasets) < 2:
        raise InputError(
            f"There are {len(kept.datasets)} data set(s){left} to compare on.",
            why="A comparison over data sets draws its evidence from them and needs at least two; the folds of one data"
            " set are not independent data sets.",
            mend=f"Add data sets{other}",
        )
    if len(kept.algorithms) < 2:
        raise InputError(
            f"There are {len(kept.algorithms)} algorithm(s){left} to compare.",
            why="A comparison needs at least two.",
            mend=f"Add another algorithm{other}",
        )


def _best_first(locations: FloatArray, names: tuple[str, ...]) -> list[int]:
    """Order by location; equal ones by name."""
    settled = snap(locations)
    return sorted(range(len(names)), key=lambda i: (settled[i], names[i]))


def _reordered(tests: PairwiseResult, order: list[int], *, control: bool) -> PairwiseResult:
    """Put algorithms, and the pairs with them, into the order best first; a control stays the first of its pairs."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    a, b = place[tests.a], place[tests.b]
    swap = (a > b) & (not control)
    a, b, sign = np.where(swap, b, a), np.where(swap, a, b), np.where(swap, -1.0, 1.0)
    sequence = np.lexsort((b, a))
    return PairwiseResult(
        a=readonly(a[sequence]),
        b=readonly(b[sequence]),
        statistic=readonly((tests.statistic * sign + 0.0)[sequence]),
        pvalue=readonly(tests.pvalue[sequence]),
        adjusted=readonly(tests.adjusted[sequence]),
        algorithms=tuple(tests.algorithms[i] for i in order),
        method=tests.method,
        critical_value=tests.critical_value,
        caveats=tests.caveats,
    )


def _comparison(table: _Table, plan: Plan, tested: Tested, metric: Metric, alpha: float) -> Comparison:
    order = _best_first(tested.locations, table.algorithms)
    tests = _reordered(tested.tests, order, control=plan.control is not None)
    found = tested.omnibus
    significant = (tests.adjusted <= alpha) & (found.pvalue <= alpha) & (tests.statistic != 0)
    groups, complete = _groups(tests, significant, plan.control)
    cd = {"nemenyi": nemenyi_cd, "bonferroni-dunn": bonferroni_dunn_cd}.get(plan.posthoc)
    size = {"n_algorithms": len(order), "n_datasets": len(table.datasets)}
    return Comparison(
        algorithms=tests.algorithms,
        mean_ranks=readonly(tested.mean_ranks[order]),
        groups=groups,
        omnibus=found,
        tests=tests,
        significant=readonly(significant),
        alpha=alpha,
        score=metric,
        higher_is_better=bool(metric.higher_is_better),
        datasets=table.datasets,
        scores=readonly(table.scores[:, order]),
        plan=plan,
        critical_difference=None if cd is None else cd(**size, alpha=alpha),
        locations=readonly(tested.locations[order]),
        location_name=tested.location_name,
        averaged=table.averaged,
        caveats=tuple(
            dict.fromkeys([*table.caveats, *found.caveats, *_caveats(found.pvalue, tests, plan, alpha, complete)])
        ),
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


def _caveats(omnibus_p: float, tests: PairwiseResult, plan: Plan, alpha: float, complete: bool) -> list[str]:
    notes = []
    hidden = int((tests.adjusted <= alpha).sum()) if omnibus_p > alpha else 0
    if hidden:
        notes.append(
            f"The omnibus test does not reject, so no pair is called different, although {hidden} adjusted p-value(s)"
            " lie at or below alpha."
        )
    if len(tests.algorithms) == 2 and plan.pairwise == "ranks":
        notes.append("Two algorithms: on ranks this is a sign test, which ignores how large the differences are.")
    notes += correction_caveats(plan.posthoc, len(tests.a))
    if not complete:
        notes.append(f"There are more than {MOST_GROUPS} groups; only the first are listed.")
    return [*notes, *tests.caveats]


def correction_caveats(correction: str, pairs: int) -> list[str]:
    """Say what a correction does not promise."""
    if pairs < 2:
        return []
    if correction == "none":
        return [f"The p-values of {pairs} pairs are not corrected: some differences will be chance."]
    if correction in ("benjamini-hochberg", "benjamini-yekutieli"):
        return ["The correction keeps the share of false among the declared differences, not the chance of any."]
    if correction in ("finner", "li"):
        return [f"The correction {correction} does not keep the family-wise error where some differences are real."]
    return []
