"""Votes between pairs: counts by pair, strengths by maximum likelihood, and how sure they are.

Every model of endings is concave in the distance d = b_i - b_j of two strengths and in its own parameter t for ties, so
Newton's method with halved steps finds the one maximum. Votes on one prompt share what the prompt asks, votes of one
voter share a taste; the covariance of strengths is a sandwich over prompts, over voters, or over both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, log_expit

from tiebreak._checks import FloatArray, IntArray
from tiebreak.errors import InputError

LEFT, TIE, RIGHT = 1, 0, -1
"""How a battle ended: the left model won, neither did, the right one won."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairCounts:
    """Every pair that met: `i` and `j` (i < j) index models, `won` counts wins of i, `lost` wins of j."""

    n_models: int
    i: IntArray
    j: IntArray
    won: FloatArray
    lost: FloatArray
    tied: FloatArray

    @property
    def total(self) -> FloatArray:
        """How often each pair met."""
        return self.won + self.lost + self.tied

    def matrices(self) -> tuple[FloatArray, FloatArray]:
        """Return wins[i, j], how often i beat j, and ties[i, j], which is symmetric."""
        wins, ties = (np.zeros((self.n_models, self.n_models)) for _ in range(2))
        wins[self.i, self.j], wins[self.j, self.i] = self.won, self.lost
        ties[self.i, self.j] = ties[self.j, self.i] = self.tied
        return wins, ties


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sides:
    """Of every vote the pair that it is of and how that ended: 0 the first model won, 1 the second, 2 a tie."""

    pair: IntArray
    ending: IntArray


def count_pairs(left: IntArray, right: IntArray, outcome: IntArray, n_models: int) -> tuple[PairCounts, Sides]:
    """Add votes up by pair, and say of every vote which pair it is of and how that ended.

    Examples
    --------
    >>> result, _ = count_pairs(np.array([0, 1, 0]), np.array([1, 0, 2]), np.array([1, 1, 0]), 3)
    >>> result.i.tolist(), result.j.tolist(), result.won.tolist(), result.lost.tolist(), result.tied.tolist()
    ([0, 0], [1, 2], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0])
    """
    first, second = np.minimum(left, right).astype(np.int64), np.maximum(left, right)
    met, pair = np.unique(first * n_models + second, return_inverse=True)
    ending = np.array([1, 2, 0])[np.where(left < right, outcome, -outcome) + 1]
    tally = np.bincount(pair * 3 + ending, minlength=3 * len(met)).reshape(-1, 3).astype(np.float64)
    won, lost, tied = tally.T
    counts = PairCounts(n_models=n_models, i=met // n_models, j=met % n_models, won=won, lost=lost, tied=tied)
    return counts, Sides(pair=pair, ending=ending)


def parts(counts: PairCounts) -> list[list[int]]:
    """Return the strongly connected parts of "has beaten, or tied with", the largest first.

    Between two parts all wins point one way, or there is no battle at all: their distance is infinite or unknown.

    References
    ----------
    ford1957
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    wins, ties = counts.matrices()
    _, label = connected_components(csr_array(wins + ties), directed=True, connection="strong")
    tolists = [np.flatnonzero(label == item).tolist() for item in np.unique(label)]
    return sorted(tolists, key=lambda part: (-len(part), part))


def ties_leave_open(counts: PairCounts) -> bool:
    """Say whether ever more ties and ever larger differences fit ever better, so that no estimate exists.

    That is so where strengths can be found with b_i - b_j >= 1 for every win of i over j and |b_i - b_j| <= 1 for every
    tie: exactly where no ring of battles has more wins, all one way round, than ties. Bellman and Ford's search for
    such a ring decides.
    """
    beat = np.concatenate([counts.won > 0, counts.lost > 0])
    source = np.concatenate([counts.i, counts.j])[beat]
    target = np.concatenate([counts.j, counts.i])[beat]
    tied = counts.tied > 0
    start = np.concatenate([source, counts.i[tied], counts.j[tied]])
    end = np.concatenate([target, counts.j[tied], counts.i[tied]])
    length = np.concatenate([np.full(len(source), -1.0), np.ones(2 * int(tied.sum()))])
    at = np.zeros(counts.n_models)
    for _ in range(counts.n_models):
        new = at.copy()
        np.minimum.at(new, end, at[start] + length)
        if (new == at).all():
            return True
        at = new
    return False


def one_sided(counts: PairCounts, members: Sequence[int] | None = None) -> tuple[list[int], list[int]]:
    """Return who never lost or tied, and who never won or tied, of those who fought."""
    wins, ties = counts.matrices()
    held = range(counts.n_models) if members is None else members
    won, lost, tied = wins.sum(axis=1), wins.sum(axis=0), ties.sum(axis=1)
    never_lost = [i for i in held if lost[i] + tied[i] == 0]
    never_won = [i for i in held if won[i] + tied[i] == 0]
    return never_lost, never_won


MOST_STEPS, CLOSE = 100, 1e-10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Endings:
    """Of every pair the endings won, lost, tied, in this order along the last axis.

    `logp` are their log probabilities, `by_d` and `by_t` the slopes of these, `bend_dd`, `bend_dt` and `bend_tt` minus
    the second derivatives, which are the same for every ending.
    """

    logp: FloatArray
    by_d: FloatArray
    by_t: FloatArray
    bend_dd: FloatArray
    bend_dt: FloatArray
    bend_tt: FloatArray


def davidson(d: FloatArray, t: float) -> Endings:
    """Davidson's model: odds e^(d/2) : e^(-d/2) : e^t, so a tie is likeliest between equals.

    References
    ----------
    davidson1970
    """
    scaled = np.stack([d / 2, -d / 2, np.full_like(d, t)], axis=-1)
    logp = scaled - np.logaddexp.reduce(scaled, axis=-1, keepdims=True)  # Davidson 1970, eq. 2.3
    p = np.exp(logp)
    mean = (p[:, 0] - p[:, 1]) / 2
    spread = (p[:, 0] + p[:, 1]) / 4 - mean**2
    return Endings(
        logp=logp,
        by_d=np.array([0.5, -0.5, 0.0]) - mean[:, None],
        by_t=np.array([0.0, 0.0, 1.0]) - p[:, 2:],
        bend_dd=spread,
        bend_dt=-mean * p[:, 2],
        bend_tt=p[:, 2] * (1 - p[:, 2]),
    )


def half_wins(d: FloatArray, _: float) -> Endings:
    """Bradley and Terry's model; a tie is half a win for either.

    References
    ----------
    bradley1952
    """
    p, flat = expit(d), np.zeros_like(d)
    logp = np.stack([log_expit(d), log_expit(-d), (log_expit(d) + log_expit(-d)) / 2], axis=-1)
    return Endings(
        logp=logp,
        by_d=np.stack([1 - p, -p, 0.5 - p], axis=-1),
        by_t=np.zeros_like(logp),
        bend_dd=p * (1 - p),
        bend_dt=flat,
        bend_tt=flat,
    )


MODELS = {"davidson": davidson, "half": half_wins}
"""What becomes of ties: a model of them, or half a win for either."""


def preferred(model: str, d: FloatArray, t: float) -> FloatArray:
    """Return the chance that the first is preferred: that of its win, and half that of a tie."""
    flat = np.ravel(d)
    if model == "half":
        return np.asarray(expit(d))
    p = np.exp(MODELS[model](flat, t).logp)
    return np.asarray((p[:, 0] + p[:, 2] / 2).reshape(np.shape(d)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Strengths `beta` with mean 0, the parameter `tie` (NaN where the model has none), and the bend at the maximum.

    `bend` is minus the second derivative of the log likelihood by all strengths and then by the tie parameter, with a
    constant added that makes the strengths' mean 0; its inverse is the covariance that independent votes would give.
    """

    model: str
    beta: FloatArray
    tie: float
    bend: FloatArray
    loglik: float

    @property
    def has_tie(self) -> bool:
        """Whether the model has a parameter for ties."""
        return not np.isnan(self.tie)


def fit(counts: PairCounts, model: str, *, pseudo: float = 0.0) -> Fit:
    """Maximise the likelihood, with `pseudo` votes won and as many lost by every model against one of strength 0.

    Without ties, or with nothing but ties, the parameter for them runs to an end of its range: the plain model of
    Bradley and Terry is then the limit, and is what is fitted.
    """
    if model != "half" and (counts.tied.sum() == 0 or counts.won.sum() + counts.lost.sum() == 0):
        model = "half"
    ended = np.stack([counts.won, counts.lost, counts.tied], axis=-1)
    at = np.zeros(counts.n_models + 1)
    at[-1] = _first_tie(counts, model)
    value, slope, bend = _look(counts, model, ended, at, pseudo)
    for _ in range(MOST_STEPS):
        move: FloatArray = np.asarray(np.linalg.solve(bend, slope), dtype=np.float64)
        if float(slope @ move) < CLOSE * CLOSE * max(1.0, ended.sum()):
            break
        at, (value, slope, bend) = _step(counts, model, ended, at, move, value, pseudo)
    else:
        raise _no_end()
    beta = at[:-1] - at[:-1].mean()
    tie = float("nan") if model == "half" else float(at[-1])
    return Fit(model=model, beta=beta, tie=tie, bend=bend, loglik=value)


Look = tuple[float, FloatArray, FloatArray]


def _step(
    counts: PairCounts, model: str, ended: FloatArray, at: FloatArray, move: FloatArray, value: float, pseudo: float
) -> tuple[FloatArray, Look]:
    """Take the step, or half of it, or a quarter, until the likelihood does not fall."""
    share = 1.0
    for _ in range(60):
        new = at + share * move
        result = _look(counts, model, ended, new, pseudo)
        if result[0] >= value - 1e-12 * abs(value):
            return new, result
        share /= 2
    raise _no_end()


def _no_end() -> InputError:
    return InputError(
        "The strengths could not be fitted: the likelihood has no maximum that Newton's method finds.",
        mend="Count ties as half a win, or add pseudo votes.",
    )


def _first_tie(counts: PairCounts, model: str) -> float:
    """Start where models of equal strength would have the share of ties that there is."""
    share = float(counts.tied.sum() / counts.total.sum())
    return float(np.log(2 * share / (1 - share))) if model == "davidson" else 0.0


def _look(counts: PairCounts, model: str, ended: FloatArray, at: FloatArray, pseudo: float) -> Look:
    """Return log likelihood, slope and bend; the direction in which all strengths move together is held by a 1."""
    beta, k = at[:-1], counts.n_models
    endings = MODELS[model](beta[counts.i] - beta[counts.j], float(at[-1]))
    slope = np.zeros(k + 1)
    by_d = (ended * endings.by_d).sum(axis=1)
    slope[:-1] = np.bincount(counts.i, by_d, k) - np.bincount(counts.j, by_d, k)
    slope[-1] = (ended * endings.by_t).sum()
    bend = bent(counts, endings, ended)
    value = float((ended * endings.logp).sum())
    if model == "half":
        bend[-1, -1] = 1.0
    if pseudo:
        p = expit(beta)
        slope[:-1] += pseudo * (1 - 2 * p)
        bend[np.arange(k), np.arange(k)] += 2 * pseudo * p * (1 - p)
        return value + pseudo * float((log_expit(beta) + log_expit(-beta)).sum()), slope, bend
    bend[:-1, :-1] += max(float(np.trace(bend[:-1, :-1])) / k, 1e-12) / k
    return value, slope, bend


def bent(counts: PairCounts, endings: Endings, ended: FloatArray) -> FloatArray:
    """Add up the bends of all pairs: by strengths, and by the parameter for ties in the last row and column."""
    k = counts.n_models
    bend = np.zeros((k + 1, k + 1))
    total = ended.sum(axis=1)
    dd, dt = total * endings.bend_dd, total * endings.bend_dt
    bend[counts.i, counts.j] = bend[counts.j, counts.i] = -dd
    bend[np.arange(k), np.arange(k)] = np.bincount(counts.i, dd, k) + np.bincount(counts.j, dd, k)
    bend[:-1, -1] = bend[-1, :-1] = np.bincount(counts.i, dt, k) - np.bincount(counts.j, dt, k)
    bend[-1, -1] = (total * endings.bend_tt).sum()
    return bend


MOST_WORK, MOST_LEFT_OUT, LEAST_SHARE = 2e9, 500, 0.01
"""Clusters that hold at least this share of the votes on some algorithm are left out one by one.

So many of them, in so many multiplications, at the most: those with the largest shares.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spread:
    """The covariance of strengths, and of the tie parameter in the last row.

    `df` are degrees of freedom of t for every pair, `clusters` counts the clusters of each kind.
    """

    covariance: FloatArray
    df: FloatArray
    clusters: Mapping[str, int]
    repaired: bool = False


def spread(fit: Fit, counts: PairCounts, sides: Sides, clusters: Mapping[str, IntArray]) -> Spread:
    """Estimate the covariance: of one kind of clusters, or of two together by Cameron, Gelbach and Miller's sum.

    Formula: V = V_prompt + V_voter - V_both, where V_both is over the votes of one voter on one prompt. Each V is a
    jackknife, (G - 1)/G sum_c D_c D_c' with D_c = (H - H_c)^-1 g_c: one Newton step from leaving cluster c out. g_c is
    the slope of the cluster's votes, H_c their bend; clusters with a tiny share of the votes take H^-1 g_c.

    References
    ----------
    cameron2011
    bell2002
    """
    votes = _Votes(fit=fit, counts=counts, sides=sides, endings=_endings(fit, counts))
    kinds = dict(clusters) or {"vote": np.arange(len(sides.pair))}
    numbered = {name: np.unique(codes, return_inverse=True)[1] for name, codes in kinds.items()}
    shares = {name: _taken(counts, sides, codes) for name, codes in numbered.items()}
    total = sum((votes.covariance(codes, shares[name]) for name, codes in numbered.items()), np.zeros_like(fit.bend))
    repaired = False
    if len(numbered) > 1:
        total, repaired = _positive(total - votes.covariance(crossed(list(numbered.values()))))
    return Spread(
        covariance=total,
        df=np.minimum.reduce([_freedom(share) for share in shares.values()]),
        clusters={name: int(codes.max()) + 1 for name, codes in numbered.items()},
        repaired=repaired,
    )


def even_number(codes: IntArray) -> float:
    """Return the number of clusters, as if they were of one size.

    Examples
    --------
    >>> even_number(np.array([0, 0, 1, 1])), even_number(np.array([0, 0, 0, 1]))
    (2.0, 1.6)
    """
    sizes = np.unique(codes, return_counts=True)[1].astype(np.float64)
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def _sound(bend: FloatArray) -> bool:
    """Say whether a bend can be inverted: every direction is held by some vote."""
    try:
        pivots = np.diagonal(np.linalg.cholesky(bend))
    except np.linalg.LinAlgError:
        return False
    return bool(pivots.min() > 1e-5 * pivots.max())


def _taken(counts: PairCounts, sides: Sides, codes: IntArray) -> Any:
    """Count the votes of every cluster on every algorithm, a sparse matrix."""
    from scipy.sparse import coo_array

    where = np.concatenate([counts.i[sides.pair], counts.j[sides.pair]])
    shape = int(codes.max()) + 1, counts.n_models
    return coo_array((np.ones(len(where)), (np.tile(codes, 2), where)), shape=shape).tocsr()


def _freedom(taken: Any) -> FloatArray:
    """Return degrees of freedom for every pair: the number of clusters, as if they were of one size, less 1.

    Formula: (sum_c m_c)^2 / sum_c m_c^2 - 1, where m_c counts the votes of cluster c that either algorithm has a part
    in, after Carter, Schnepel and Steigerwald; a few large clusters are few, however many small ones stand beside them.

    References
    ----------
    carter2017
    """
    together = (taken.T @ taken).toarray()
    rows, values = np.diagonal(together), np.asarray(taken.sum(axis=0)).ravel()
    square = rows[:, None] + rows[None, :] + 2 * together
    return np.asarray(np.maximum((values[:, None] + values[None, :]) ** 2 / square - 1, 1.0))


def _largest(taken: Any, most: int) -> IntArray:
    """Return the clusters with the largest shares of the votes on some algorithm."""
    shares = taken.multiply(1 / np.asarray(taken.sum(axis=0)).ravel()[None, :]).max(axis=1).toarray().ravel()
    order = np.argsort(-shares, kind="stable")[:most]
    return np.asarray(order[shares[order] >= LEAST_SHARE])


def crossed(codes: Sequence[IntArray]) -> IntArray:
    """Number the combinations of two kinds of clusters."""
    first, second = codes
    return np.asarray(np.unique(first * (int(second.max()) + 1) + second, return_inverse=True)[1])


def _positive(matrix: FloatArray) -> tuple[FloatArray, bool]:
    """The sum of two-way clustering may have negative eigenvalues; they are set to 0 (Cameron et al. 2011, 2.3)."""
    if not np.isfinite(matrix).all():  # one cluster of a kind: nothing can be estimated
        return matrix, False
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    if values[0] >= -1e-9 * max(values[-1], 0.0):
        return matrix, False
    return np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T), True


def _endings(fit: Fit, counts: PairCounts) -> Endings:
    return MODELS[fit.model](fit.beta[counts.i] - fit.beta[counts.j], 0.0 if not fit.has_tie else fit.tie)


def clustered_slopes(fit: Fit, counts: PairCounts, sides: Sides, endings: Endings, codes: IntArray) -> Any:
    """Add the slopes of every cluster's votes, a sparse matrix of clusters by parameters."""
    from scipy.sparse import coo_array

    pair, width = sides.pair, len(fit.bend)
    by_d, by_t = endings.by_d[pair, sides.ending], endings.by_t[pair, sides.ending]
    values = np.concatenate([by_d, -by_d, by_t])
    columns = np.concatenate([counts.i[pair], counts.j[pair], np.full(len(pair), width - 1)])
    shape = int(codes.max()) + 1, width
    return coo_array((values, (np.tile(codes, 3), columns)), shape=shape).tocsr()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Votes:
    """The slopes and bends of all votes."""

    fit: Fit
    counts: PairCounts
    sides: Sides
    endings: Endings

    def covariance(self, codes: IntArray, taken: Any = None) -> FloatArray:
        """Return the covariance by one kind of clusters; the largest, by what they took, are left out one by one."""
        number, width = int(codes.max()) + 1, len(self.fit.bend)
        if number < 2:
            return np.full((width, width), np.nan)
        slopes = clustered_slopes(self.fit, self.counts, self.sides, self.endings, codes)
        most = 0 if taken is None or number == len(codes) else min(MOST_LEFT_OUT, max(int(MOST_WORK / width**3), 1))
        moved = self._left_out(codes, slopes, _largest(taken, most)) if most else {}
        rest = slopes[np.setdiff1d(np.arange(number), list(moved))]
        inverse = np.linalg.inv(self.fit.bend)
        total = inverse @ (rest.T @ rest).toarray() @ inverse
        far = np.array(list(moved.values())).reshape(-1, width)
        share = (number - 1) / number if moved else number / (number - 1)
        return np.asarray(share * (total + far.T @ far))

    def _left_out(self, codes: IntArray, slopes: Any, which: IntArray) -> dict[int, FloatArray]:
        """Return how far one Newton step without each of some clusters leads.

        A cluster that alone holds others together cannot be left out; it counts like a small one.
        """
        order, sizes = np.argsort(codes, kind="stable"), np.bincount(codes)
        ends, moved = np.cumsum(sizes), {}
        for cluster in which.tolist():
            rest = self.fit.bend - self._bend_of(order[ends[cluster] - sizes[cluster] : ends[cluster]])
            if _sound(rest):
                moved[cluster] = np.linalg.solve(rest, slopes[[cluster]].toarray()[0])
        return moved

    def _bend_of(self, votes: IntArray) -> FloatArray:
        """Add up the bends of some votes."""
        place = self.sides.pair[votes] * 3 + self.sides.ending[votes]
        ended = np.bincount(place, minlength=3 * len(self.counts.i)).reshape(-1, 3).astype(np.float64)
        return bent(self.counts, self.endings, ended)
