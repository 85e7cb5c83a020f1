"""Worth of algorithms by votes: the win rate against the average opponent, less the trade times log10 of the price."""

from __future__ import annotations

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.comparison.score_scale import ScoreScale
from tiebreak.comparison.trade import Trade
from tiebreak.documents.words import relative_cost
from tiebreak.evals.battles._prices import Prices
from tiebreak.ordering import Valuation
from tiebreak.ordering.result import Reason
from tiebreak.ordering.valuation import value_of
from tiebreak.stats.selection import Sample
from tiebreak.stats.votes.clusters import Spread
from tiebreak.stats.votes.strengths import Fit, preferred

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
