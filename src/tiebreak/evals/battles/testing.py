"""Tests of all pairs by the difference of their strengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri, stdtrit

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.caveats import Caveat, Caveats
from tiebreak.comparison.groups import MOST_GROUPS
from tiebreak.comparison.trade import ScoreScale, Trade
from tiebreak.documents import p_is
from tiebreak.documents.words import relative_cost
from tiebreak.errors import InputError, quoted
from tiebreak.evals.battles.result import BattlePlan
from tiebreak.evals.battles.votes import Prices, Votes
from tiebreak.ordering import Valuation
from tiebreak.ordering.result import Reason
from tiebreak.ordering.valuation import value_of
from tiebreak.stats import PairwiseResult
from tiebreak.stats.numeric.basics import floor_pvalue, t_two_sided
from tiebreak.stats.results import decided, pair_indices, pairs_result
from tiebreak.stats.selection import Sample
from tiebreak.stats.votes import (
    MODELS,
    Fit,
    PairCounts,
    Sides,
    Spread,
    count_pairs,
    crossed,
    even_number,
    one_sided,
    parts,
    preferred,
    spread,
    ties_leave_open,
)
from tiebreak.wording import option

WORDS = {"dataset": "data set"}
TOO_FEW = 1.5
"""Clusters are too few where they ask for differences so many times larger than any number of them would."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tested:
    """Tests of all pairs, with the standard error of every difference; `better[i, j]`: j is stronger than i.

    `notes` say where clusters are too few for a claim about others.
    """

    sure: Spread
    tests: PairwiseResult
    error: FloatArray
    better: BoolArray
    notes: Caveats = ()


def _notes(votes: Votes, plan: BattlePlan) -> Caveats:
    """Say which clusters are too few for a claim about others, and how many it takes.

    Told by their number and that of the pairs, never by what came out.
    """
    count = len(votes.algorithms)
    level = plan.alpha / (count * (count - 1))
    most = TOO_FEW * -float(ndtri(level))
    enough = next(number for number in range(2, 1000) if -float(stdtrit(number - 1, level)) <= most)
    out = []
    for name in plan.cluster:
        many = even_number(votes.clusters[name])
        if many < enough:
            word = WORDS.get(name, name)
            few = f"{many:.0f} {word}s are" if round(many) > 1 else f"One {word} is"
            text = f"{few} too few to compare {count} algorithms for {word}s at large: it takes about {enough}."
            out.append(Caveat("too-few-clusters", text))
    return tuple(out)


def tested(votes: Votes, plan: BattlePlan, fit: Fit, counts: PairCounts, sides: Sides) -> Tested:
    """Test every pair by t."""
    names = votes.algorithms
    sure = spread(fit, counts, sides, {name: votes.clusters[name] for name in plan.cluster})
    covariance = sure.covariance[:-1, :-1]
    values = np.diagonal(covariance)
    error = np.sqrt(np.maximum(values[:, None] + values[None, :] - 2 * covariance, 0.0))
    a, b = pair_indices(len(names))
    ahead = fit.beta[b] - fit.beta[a]
    t = np.where(np.abs(ahead) < 1e-9, 0.0, _ratio(ahead, error[a, b]))
    p = floor_pvalue(t_two_sided(t, sure.df[a, b]))
    tests = pairs_result((a, b, t), p, method="t test of strengths", adjust=plan.adjust, algorithms=names)
    better = decided(a, b, tests.adjusted <= plan.alpha, t, len(names))
    return Tested(notes=_notes(votes, plan), sure=sure, tests=tests, error=error, better=better)


def _ratio(difference: FloatArray, error: FloatArray) -> FloatArray:
    """An unknown error, as that of a single cluster, shows nothing."""
    out = np.zeros_like(difference)
    known = ~np.isnan(error)
    with np.errstate(divide="ignore", invalid="ignore"):
        np.divide(difference, error, out=out, where=known)
    return np.nan_to_num(out, nan=0.0, posinf=np.inf, neginf=-np.inf)  # 0/0 shows nothing either


FEWEST = 10
"""Clusters without which nothing is said of sides."""


def side_caveats(
    votes: Votes, fit: Fit, counts: PairCounts, sides: Sides, cluster: tuple[str, ...], *, alpha: float
) -> list[Caveat]:
    """Say by how much the left side is preferred between equals, where that is significant.

    Formula: one Newton step from no advantage, sum z s / sum z^2 h, where s and h are slope and bend of a vote and z is
    1 or -1, for either way round, less the mean of its pair: only pairs that were shown both ways tell. Its standard
    error is clustered as that of the strengths, and no smaller than that of one kind of clusters.
    """
    kinds = [votes.clusters[name] for name in cluster] or [np.arange(len(votes))]
    if votes.unit != "vote" or min(len(np.unique(kind)) for kind in kinds) < FEWEST:
        return []
    endings = MODELS[fit.model](fit.beta[counts.i] - fit.beta[counts.j], fit.tie if fit.has_tie else 0.0)
    way = np.where(votes.left < votes.right, 1.0, -1.0)
    way -= (np.bincount(sides.pair, way) / np.bincount(sides.pair))[sides.pair]
    slope = way * endings.by_d[sides.pair, sides.ending]
    room = float((way**2 * endings.bend_dd[sides.pair]).sum())
    if room < 1e-6 * len(votes):
        return []  # every pair is shown one way round only
    parts = [_variance(slope, kind) for kind in ([*kinds, crossed(kinds)] if len(kinds) > 1 else kinds)]
    variance = parts[0] if len(parts) == 1 else max(parts[0] + parts[1] - parts[2], *parts[:2])
    df = min(len(np.unique(kind)) for kind in kinds) - 1
    p = float(t_two_sided(slope.sum() / np.sqrt(variance), df)) if variance > 0 else 1.0
    return [] if p > alpha else [_said(float(preferred(fit.model, slope.sum(keepdims=True) / room, fit.tie)[0]), p)]


def _variance(slope: FloatArray, codes: IntArray) -> float:
    values = np.bincount(np.unique(codes, return_inverse=True)[1], slope)
    return float(values @ values * len(values) / (len(values) - 1))


def _said(chance: float, p: float) -> Caveat:
    side, chance = ("left", chance) if chance >= 0.5 else ("right", 1 - chance)
    text = (
        f"The {side} side is preferred in {chance:.1%} of battles between equals ({p_is(p)}). That cancels where sides"
        " are drawn at random; otherwise whoever stands there more often looks stronger."
    )
    return Caveat("side-preferred", text)


def connected(votes: Votes, *, ties: str, disconnected: str, pseudo: float) -> Votes:
    """Return votes for which the likelihood has a maximum, or refuse and name what stands apart.

    It has one where from every algorithm there is a way of wins or ties to every other (Ford 1957) and, with a model of
    ties, some ring of battles has more wins, all one way round, than ties.

    References
    ----------
    ford1957
    """
    if pseudo:
        return votes
    counts = _counted(votes)
    result = parts(counts)
    if len(result) > 1:
        if disconnected == "refuse" or len(result[0]) < 2:
            raise _apart(votes, counts, result)
        algorithms = [votes.algorithms[i] for i in result[0]]
        out = [name for name in votes.algorithms if name not in set(algorithms)]
        text = f"Left out because no votes connect them to the rest: {quoted(out)}."
        votes = votes.only(algorithms)
        votes = replace(votes, caveats=(*votes.caveats, Caveat("algorithms-left-out", text)))
        counts = _counted(votes)
    any_won, any_tied = counts.won.sum() + counts.lost.sum() > 0, counts.tied.sum() > 0
    if ties != "half" and any_won and any_tied and ties_leave_open(counts):
        raise _open(ties)
    return votes


def _counted(votes: Votes) -> PairCounts:
    return count_pairs(votes.left, votes.right, votes.outcome, len(votes.algorithms))[0]


def _apart(votes: Votes, counts: PairCounts, result: Sequence[Sequence[int]]) -> InputError:
    """Name who never lost, who never won, and the parts that are left."""
    names, shown = votes.algorithms, []
    never_lost, never_won = one_sided(counts)
    if never_lost:
        shown.append(f"never lost: {quoted(names[i] for i in never_lost)}")
    if never_won:
        shown.append(f"never won: {quoted(names[i] for i in never_won)}")
    rest = [part for part in result if not (len(part) == 1 and part[0] in (*never_lost, *never_won))]
    if len(rest) > 1:
        shown.append("parts: " + "; ".join(quoted((names[i] for i in part), limit=4) for part in rest[:4]))
        shown[-1] += f" and {len(rest) - 4} more" if len(rest) > 4 else ""
    mend = f"add pseudo votes, which draw all together: {option(pseudo_votes=1)}."
    largest = f"{len(result[0])} of {len(names)}: {option(disconnected='largest')}"
    if len(result[0]) > 1 and never_lost:  # who never lost is no one to leave out lightly
        mend = f"{mend.removesuffix('.')}; or keep the largest part, without those that never lost, {largest}."
    elif len(result[0]) > 1:
        mend = f"Keep the largest part, {len(result[0])} of {len(names)}: {option(disconnected='largest')}; or {mend}"
    return InputError(
        f"The votes of {votes.source} do not hold all algorithms together ({'; '.join(shown)}).",
        why="Between parts all wins point one way, or there are none: how far apart they are is infinite or unknown.",
        mend=mend[0].upper() + mend[1:],
    )


def _open(ties: str) -> InputError:
    return InputError(
        f"The votes leave the strengths open under the model of ties {ties}: no ring of battles has more wins than"
        " ties.",
        why="Ever larger differences with ever more ties would fit ever better.",
        mend=f"Count ties as half a win ({option(ties='half')}), or add pseudo votes ({option(pseudo_votes=1)}).",
    )


SCALE = ScoreScale(kind="bounded", name="win rate", maximum=1.0)
FEWEST_CLUSTERS = 5
"""With fewer clusters only the expected regret is stated."""
_STEP = 1e-5


def value_of_votes(
    fit: Fit, sure: Spread, paid: Prices, trade: Trade, names: tuple[str, ...], *, alpha: float
) -> Valuation:
    """Value algorithms by fitted strengths and their prices."""
    rates, covariance = win_rates(fit, sure.covariance)
    logs, notes = paid.logs()
    known = bool(np.isfinite(covariance).all()) and float(np.trace(covariance)) > 1e-20
    groups = int(sure.df.min() + 1.5)  # clusters as if of one size
    sample = Sample(
        scores=rates[None], logs=logs[None, None], covariance=covariance if known else None, groups=max(groups, 2)
    )
    return value_of(sample, SCALE, [trade], names, probable=groups >= FEWEST_CLUSTERS, alpha=alpha, caveats=notes)


def win_rates(fit: Fit, covariance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the probability of being preferred to the average opponent, a tie as half, and its covariance.

    Formula: p_i = mean over j != i of P(i beats j) + P(tie) / 2; covariance J V J' with J the derivatives by strengths
    and by the tie parameter.

    Examples
    --------
    >>> fit = Fit(model="half", beta=np.array([0.5, -0.5]), tie=float("nan"), bend=np.eye(3), loglik=0.0)
    >>> win_rates(fit, np.diag([0.1, 0.1, 0.0]))[0].round(3).tolist()
    [0.731, 0.269]
    """
    gaps = fit.beta[:, None] - fit.beta[None, :]
    share = (1.0 - np.eye(len(gaps))) / (len(gaps) - 1)
    by_gap = (preferred(fit.model, gaps + _STEP, fit.tie) - preferred(fit.model, gaps - _STEP, fit.tie)) / (2 * _STEP)
    slopes = np.zeros((len(gaps), len(gaps) + 1))
    slopes[:, :-1] = np.diag((share * by_gap).sum(axis=1)) - share * by_gap
    if fit.has_tie:
        by_tie = preferred(fit.model, gaps, fit.tie + _STEP) - preferred(fit.model, gaps, fit.tie - _STEP)
        slopes[:, -1] = (share * by_tie).sum(axis=1) / (2 * _STEP)
    rates = (share * preferred(fit.model, gaps, fit.tie)).sum(axis=1)
    return rates, np.asarray(slopes @ covariance @ slopes.T)


def reasons_of(value: Valuation, names: tuple[str, ...]) -> tuple[Reason, ...]:
    """Say of every place what puts it before the next: win rate, price, or both."""
    sequence = value.sequence.tolist()
    out = []
    for place, i in enumerate(sequence):
        last = place + 1 == len(sequence)
        other = sequence[place - 1 if last else place + 1]
        text = f"{'behind' if last else 'before'} {names[other]}: {relation(value, i, other)}"
        out.append(Reason(algorithm=names[i], place=place + 1, by=_by(value, i, other, last=last), text=text))
    return tuple(out)


def _by(value: Valuation, i: int, other: int, *, last: bool) -> str:
    scores, logs, sign = value.sample.mean_scores, value.sample.mean_logs[0], -1 if last else 1
    better, cheaper = sign * (scores[i] - scores[other]) > 0, sign * (logs[other] - logs[i]) > 0
    return "score and cost" if better and cheaper else "cost" if cheaper else "score"


def relation(value: Valuation, i: int, other: int) -> str:
    """Say how the win rate and the price of one compare with those of another."""
    gap = float(value.sample.mean_scores[i] - value.sample.mean_scores[other])
    ratio = float(10 ** (value.sample.mean_logs[0, i] - value.sample.mean_logs[0, other]))
    score = f"{value.scale.difference(abs(gap))} {'better' if gap > 0 else 'worse'}" if abs(gap) > 1e-12 else "as good"
    if 1 / 1.005 < ratio < 1.005:
        return f"{score}, at the same cost"
    return f"{score}, {relative_cost(ratio)} {'of' if ratio < 1 else 'times'} the cost"


FEW_CLUSTERS = 10
"""With fewer clusters than these a caveat warns."""


def battle_caveats(clusters: Mapping[str, int], votes: Votes, plan: BattlePlan) -> list[Caveat]:
    """Say what was not clustered, how few clusters there are, and that all votes are ties."""
    caveats = []
    if not plan.cluster:
        text = "Votes count as independent; those on one prompt or of one voter rarely are, and say less than"
        caveats.append(Caveat("votes-independent", f"{text} their number."))
    for name, count in clusters.items():
        if count < FEW_CLUSTERS:
            word = {"dataset": "data set"}.get(name, name)
            few = f"There {'are' if count > 1 else 'is'} {count} {word}{'s' * (count > 1)}"
            so = "what holds for others is hardly known" if count > 1 else "nothing shows how sure strengths are"
            alone = "" if count > 1 else f" To count votes as independent: {option(cluster='none')}."
            caveats.append(Caveat("few-clusters", f"{few}: {so}.{alone}"))
    if not votes.outcome.any():
        caveats.append(Caveat("no-difference", "All votes are ties: nothing shows how sure strengths are."))
    return caveats


def price_caveats(plan: BattlePlan, *, tied: bool, complete: bool) -> list[Caveat]:
    """Say what broke ties of price, and that groups were cut."""
    caveats = []
    if tied:
        caveats.append(Caveat("tied-costs", f"Some have the same {plan.cost}; of those the stronger comes first."))
    if not complete:
        caveats.append(Caveat("groups-cut", f"There are more than {MOST_GROUPS} groups; only the first are listed."))
    return caveats
