"""What battles tell: strengths with intervals, tests of all pairs, groups, and an order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log
from typing import Any

import numpy as np
from scipy.special import stdtrit

from tiebreak._checks import BoolArray, FloatArray
from tiebreak.caveats import Caveats, codes_of
from tiebreak.documents import Answer, Document, Framed, Row, Shown
from tiebreak.documents.words import finite, finite_rows
from tiebreak.errors import unknown_name
from tiebreak.ordering import Valuation
from tiebreak.ordering.result import Reason, Standing
from tiebreak.stats import PairwiseResult
from tiebreak.stats.votes import preferred
from tiebreak.wording import held

ELO = 400 / log(10)
"""Points of Elo for one unit of strength: 400 points are odds of ten to one."""
ELO_ANCHOR = 1000.0
_MOST_NAMED = 20


def centred(beta: FloatArray, covariance: FloatArray, anchor: int | None) -> tuple[FloatArray, FloatArray]:
    """Count strengths from their mean, or from one algorithm, and their covariance alike."""
    shift = np.eye(len(beta))
    if anchor is None:
        shift -= 1 / len(beta)
    else:
        shift[:, anchor] -= 1
    return np.asarray(shift @ beta), np.asarray(shift @ covariance @ shift.T)


def worth_row(value: Valuation, i: int) -> Row:
    """Return what the place of one algorithm is made of: win rate against the average opponent, loss, cost, worth."""
    lost = value.losses
    return {
        "expected_win_rate": float(value.scores[i]),
        "loss": float(lost.value[i]),
        "loss_low": float(lost.low[i]),
        "loss_high": float(lost.high[i]),
        "relative_cost": float(value.relative[0, i]),
        "worth": float(value.values[i] - value.values.max()),
    }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BattlePlan(Framed):
    """Every choice that was made about battles; `anchor` is None where strengths are counted from their mean.

    `fixed` are kinds of clusters that are known and were left out: what is significant is so on these alone. `trade` is
    None where the order is not by worth.
    """

    ties: str
    cluster: tuple[str, ...]
    fixed: tuple[str, ...]
    adjust: str
    alpha: float
    rule: str
    trade: str | None
    disconnected: str
    pseudo_votes: float
    anchor: str | None
    cost: str | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Battles(Shown):
    """Algorithms ordered by votes on pairs: by worth where prices are known, by strength where they are not.

    Arrays run in the order of `algorithms`. `strengths` are log odds counted from their mean or from the anchor, and
    `covariance` is theirs; `df` are degrees of freedom for every pair. `wins[i, j]` counts how often i beat j,
    `ties[i, j]` how often neither did. `better[i, j]` says that j is significantly stronger than i. `tie` is the
    parameter for ties of the model that was `fitted`: log nu of Davidson's; NaN without one. `valuation` holds worth,
    the frontier and how sure the first place is; `standing` explains an order by MultiTest; `other_rules` says who
    is first by another rule. Without prices these, `prior`, `reasons` and `prices` are empty.
    """

    order: tuple[str, ...]
    prior: tuple[str, ...]
    reasons: tuple[Reason, ...]
    algorithms: tuple[str, ...]
    strengths: FloatArray
    covariance: FloatArray
    df: FloatArray
    wins: FloatArray
    ties: FloatArray
    tests: PairwiseResult
    better: BoolArray
    groups: tuple[tuple[str, ...], ...]
    tie: float
    tie_error: float
    fitted: str
    loglik: float
    n_votes: int
    clusters: Mapping[str, int]
    plan: BattlePlan
    standing: Standing | None = None
    valuation: Valuation | None = None
    other_rules: Mapping[str, str] = field(default_factory=dict)
    prices: FloatArray | None = None
    price_unit: str = ""
    source: str = "the votes"
    unit: str = "vote"
    caveats: Caveats = ()

    @property
    def errors(self) -> FloatArray:
        """Standard errors of the strengths; 0 for the anchor."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))

    @property
    def intervals(self) -> FloatArray:
        """The ends of an interval for each strength, (algorithms, 2), each for itself at level 1 - alpha."""
        at = None if self.plan.anchor is None else self.algorithms.index(self.plan.anchor)
        df = np.diagonal(self.df) if at is None else self.df[:, at]
        reach = stdtrit(df, 1 - self.plan.alpha / 2) * self.errors
        return np.stack([self.strengths - reach, self.strengths + reach], axis=-1)

    @property
    def elo(self) -> FloatArray:
        """Strengths as Elo ratings: 1000 for the anchor, or for the mean of all."""
        return ELO_ANCHOR + ELO * self.strengths

    @property
    def by_strength(self) -> tuple[str, ...]:
        """The algorithms from the strongest to the weakest, whatever they cost."""
        return tuple(self.algorithms[i] for i in np.lexsort((np.arange(len(self.strengths)), -self.strengths)))

    @property
    def win_probabilities(self) -> FloatArray:
        """How often the row is preferred to the column by the model, a tie as half; 0.5 on the diagonal."""
        return preferred(self.fitted, self.strengths[:, None] - self.strengths[None, :], self.tie)

    @property
    def win_rates(self) -> FloatArray:
        """The share of its own votes that each won, a tie as half: whoever met weak ones has a high one."""
        points, number = self.wins.sum(axis=1) + self.ties.sum(axis=1) / 2, self.met.sum(axis=1)
        return np.asarray(points / number)

    @property
    def met(self) -> FloatArray:
        """How often each two met."""
        return np.asarray(self.wins + self.wins.T + self.ties)

    def index(self, name: str) -> int:
        """Return the place of an algorithm in the arrays."""
        if name not in self.algorithms:
            raise unknown_name("algorithm", name, self.algorithms)
        return self.algorithms.index(name)

    def preferred(self, a: str, b: str) -> float:
        """Return how often a is preferred to b by the model, a tie as half."""
        return float(self.win_probabilities[self.index(a), self.index(b)])

    def difference(self, i: int, j: int) -> tuple[float, float, float]:
        """Return by how much i is stronger than j, with an interval of its own at level 1 - alpha."""
        covariance = self.covariance
        error = float(np.sqrt(max(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j], 0.0)))
        shift = float(self.strengths[i] - self.strengths[j])
        reach = float(stdtrit(self.df[i, j], 1 - self.plan.alpha / 2)) * error
        return shift, shift - reach, shift + reach

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """Those that no other is significantly stronger than, by their places."""
        return tuple(name for name in self.order if not self.better[self.index(name)].any())

    def explain(self, a: str, b: str) -> str:
        """Say why one of two stands before the other, with the numbers."""
        from tiebreak.evals.battles.document import explained

        i, j = self.index(a), self.index(b)
        return f"{a} is one algorithm." if i == j else explained(self, i, j)

    def headline(self) -> str:
        """Give the answer in one sentence that can be repeated."""
        from tiebreak.evals.battles.document import headline

        return headline(self)

    @property
    def answer(self) -> Answer:
        """What to use, what that saves and loses, and how sure it is."""
        from tiebreak.evals.battles.document import answer

        return answer(self)

    def rows(self) -> list[Row]:
        """Return one row per algorithm, in order."""
        low_high, votes = self.intervals, self.met.sum(axis=1)
        out: list[Row] = []
        for place, name in enumerate(self.order, 1):
            i = self.algorithms.index(name)
            row: Row = {
                "place": place,
                "algorithm": name,
                "elo": float(self.elo[i]),
                "elo_low": float(ELO_ANCHOR + ELO * low_high[i, 0]),
                "elo_high": float(ELO_ANCHOR + ELO * low_high[i, 1]),
                "strength": float(self.strengths[i]),
                "error": float(self.errors[i]),
                "votes": int(votes[i]),
                "wins": int(self.wins[i].sum()),
                "ties": int(self.ties[i].sum()),
                "losses": int(self.wins[:, i].sum()),
                "win_rate": float(self.win_rates[i]),
            }
            if self.prices is not None and self.plan.cost is not None:
                row[self.plan.cost] = float(self.prices[i])
            if self.valuation is not None:
                row |= worth_row(self.valuation, i)
            out.append(row)
        return out

    def title(self) -> str:
        """Say in one line what was ordered."""
        what = "votes" if self.unit == "vote" else f"battles on {self.unit}s"
        cost = f" and {self.plan.cost}" if self.plan.cost else ""
        return f"{len(self.algorithms)} algorithms by {self.n_votes:,} {what}{cost}"

    def brief(self) -> str:
        """Give the order."""
        some, more = " > ".join(self.order[:_MOST_NAMED]), len(self.order) - _MOST_NAMED
        return f"{some} > ... ({more} more)" if more > 0 else some

    def document(self) -> Document:
        """Return what the battles say: for text, Markdown, LaTeX and HTML."""
        from tiebreak.evals.battles.document import document

        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, the content of `tiebreak battles --json`."""
        return as_dict(self)


def as_dict(battles: Battles) -> dict[str, Any]:
    """Return the result as plain data; its fields are a contract for other programs."""
    from tiebreak.evals.battles.document import sentences

    return {
        "answer": battles.answer.to_dict(),
        "order": list(battles.order),
        "by_strength": list(battles.by_strength),
        "may_be_best": list(battles.may_be_best),
        "prior": list(battles.prior),
        "headline": battles.headline(),
        **_worth(battles),
        "algorithms": finite_rows(battles.rows()),
        "pairs": _pairs(battles),
        "groups": [list(group) for group in battles.groups],
        "reasons": [
            {name: list(value) if isinstance(value, tuple) else value for name, value in held(reason).items()}
            for reason in battles.reasons
        ],
        "cost": _costs(battles),
        "tie": {"model": battles.fitted, "parameter": finite(battles.tie), "error": finite(battles.tie_error)},
        "votes": battles.n_votes,
        "clusters": dict(battles.clusters),
        "loglik": battles.loglik,
        "method": {
            **held(battles.plan),
            "cluster": list(battles.plan.cluster),
            "fixed": list(battles.plan.fixed),
            "test": battles.tests.method,
        },
        "conclusion": sentences(battles),
        "caveats": list(battles.caveats),
        "caveat_codes": codes_of(battles.caveats),
    }


def _costs(battles: Battles) -> dict[str, Any]:
    if battles.prices is None:
        return {}
    best = float(battles.prices[battles.index(battles.by_strength[0])])
    return {
        name: {
            "value": float(price),
            "unit": battles.price_unit,
            "ratio": finite(float(price) / best) if best else None,
        }
        for name, price in zip(battles.algorithms, battles.prices, strict=True)
    }


def _pairs(battles: Battles) -> list[dict[str, Any]]:
    """In `better` the row is the loser and the column the winner; `difference` is how much a is stronger than b."""
    tests, names, chance = battles.tests, battles.algorithms, battles.win_probabilities
    out = []
    for a, b, t, p, adjusted in zip(tests.a, tests.b, tests.statistic, tests.pvalue, tests.adjusted, strict=True):
        shift, low, high = battles.difference(int(a), int(b))
        out.append(
            {
                "a": names[a],
                "b": names[b],
                "difference": shift,
                "low": finite(low),
                "high": finite(high),
                "preferred": float(chance[a, b]),
                "a_wins": int(battles.wins[a, b]),
                "ties": int(battles.ties[a, b]),
                "b_wins": int(battles.wins[b, a]),
                "statistic": finite(float(t)),
                "df": float(battles.df[a, b]),
                "pvalue": float(p),
                "adjusted": float(adjusted),
                "better": names[b] if battles.better[a, b] else names[a] if battles.better[b, a] else None,
            }
        )
    return out


def _worth(battles: Battles) -> dict[str, Any]:
    """Return the trade, the frontier and how sure the first place is; empty where the order is not by worth."""
    value = battles.valuation
    if value is None:
        return {}
    return {
        "trade": float(value.trades[0]),
        "frontier": finite_rows([row for part in value.frontier for row in part.rows()]),
        "probability": value.probability,
        "regret": value.regret,
        "other_rules": dict(battles.other_rules),
    }
