"""Evidence that grows with every data set: what a gambler owns who bets that one algorithm is better than another.

Who bets on fair coins does not get richer in the mean, whenever the betting stops. So what is owned, one unit at first,
is evidence against the coins being fair: if they are, it ever reaches 20 with a chance of at most 1/20 (Ville 1939).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from tiebreak._checks import BoolArray, FloatArray, check_choice
from tiebreak.errors import InputError

BETS = ("ranks", "signs", "mean")

STAKES = np.array([0.5, 1.0, 2.0, 4.0])
"""How fast the stake of "ranks" grows with the rank, tanh(stake x rank): from slight differences to large ones."""

SHARES = (np.arange(20) + 0.5) / 20
"""The shares of what is owned that "mean" stakes, evenly between none and all."""

MOST = 1e290
"""Larger evidence is counted as this, so that sums of it stay finite."""


class Evidence:
    """What is owned for each of many pairs by betting on b, and by betting on a, from one data set to the next.

    Parameters
    ----------
    pairs : int
    bet : {"ranks", "signs", "mean"}
        See `tiebreak.stats.anytime_pairs`.
    bound : float, default 1
        The largest difference there can be, for "mean".
    """

    def __init__(self, pairs: int, *, bet: str = "ranks", bound: float = 1.0) -> None:
        self.bet = check_choice("bet", bet, BETS)
        self.bound = bound
        self._sizes = np.empty((0, pairs))  # of the differences so far; grown by doubling
        self._taken = 0
        self._used = np.zeros(pairs)
        stakes = {"ranks": len(STAKES), "mean": len(SHARES), "signs": 0}[bet]
        self._owned = np.ones((2, pairs, stakes))  # what each stake has made of its unit, on b and on a
        self._wins = np.zeros((2, pairs))

    def take(self, toward_b: FloatArray) -> None:
        """Bet on one data set; differences are positive where b is better, and NaN where a pair was not run."""
        d = np.nan_to_num(toward_b, nan=0.0, posinf=np.inf, neginf=-np.inf)
        sign = np.sign(d)
        self._wins += [sign > 0, sign < 0]
        self._used += sign != 0
        if self.bet == "signs":
            return
        stakes = np.tanh(self._ranks(np.abs(d))[:, None] * STAKES) if self.bet == "ranks" else self._shares(d)
        gain = sign[:, None] * stakes
        self._owned *= [1 + gain, 1 - gain]
        np.minimum(self._owned, MOST, out=self._owned)

    def _ranks(self, size: FloatArray) -> FloatArray:
        """Place each difference among those of its pair so far, between 0 and 1; ties share their place.

        Signs are fair coins whatever the sizes are, so a stake may depend on the size that it is placed on.
        """
        if self._taken == len(self._sizes):
            more = np.full((max(16, self._taken), size.size), np.nan)
            self._sizes = np.concatenate([self._sizes, more])
        past = self._sizes[: self._taken]
        below = np.count_nonzero(past < size, axis=0) + np.count_nonzero(past <= size, axis=0)
        self._sizes[self._taken] = np.where(size > 0, size, np.nan)  # a tie has no place
        self._taken += 1
        return np.asarray((below + 1) / 2 / np.maximum(self._used, 1))

    def _shares(self, d: FloatArray) -> FloatArray:
        """Scale the differences to the bound; a larger one would make debts."""
        x = np.abs(d) / self.bound
        if float(x.max(initial=0.0)) > 1:
            raise InputError(
                f"A difference of {float(np.abs(d).max()):g} exceeds the bound {self.bound:g}.",
                why="A bet on the mean can lose no more than the stake only where differences are bounded.",
                mend="Pass bound=..., the largest difference that the score allows, or use bet='ranks'.",
            )
        return x[:, None] * SHARES

    @property
    def sides(self) -> FloatArray:
        """E-values of "b is better" and of "a is better", shape (2, pairs)."""
        if self.bet == "signs":
            return np.stack([sign_evidence(*self._wins), sign_evidence(*self._wins[::-1])])
        return np.asarray(self._owned.mean(axis=-1))

    @property
    def both(self) -> FloatArray:
        """E-values of "they differ": half of the unit is bet on each side."""
        return np.asarray(self.sides.mean(axis=0))

    def toward_b(self) -> FloatArray:
        """Decimal logarithm of the evidence for b over that for a: positive where b is better."""
        return log_ratio(*self.sides)


def sign_evidence(wins: npt.ArrayLike, losses: npt.ArrayLike) -> FloatArray:
    """E-value of "the chance of a win exceeds 1/2", with all such chances weighted alike; ties are left out.

    2^n x 2 x integral of p^wins (1 - p)^losses from 1/2 to 1, for n = wins + losses.

    Examples
    --------
    >>> sign_evidence([3, 0], [0, 3]).round(4)
    array([3.75, 0.25])
    """
    won, lost = np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    share = special.betainc(lost + 1, won + 1, 0.5)  # of the chances above 1/2, by symmetry a lower tail
    with np.errstate(divide="ignore"):
        log = (won + lost + 1) * np.log(2) + special.betaln(won + 1, lost + 1) + np.log(share)
    return np.asarray(np.exp(np.minimum(log, np.log(MOST))))


def log_ratio(b: FloatArray, a: FloatArray) -> FloatArray:
    """Decimal logarithm of b over a, either of which may have shrunk to nothing."""
    tiny = np.finfo(np.float64).tiny
    return np.asarray(np.log10(np.maximum(b, tiny)) - np.log10(np.maximum(a, tiny)))


def undecided(evalues: FloatArray, alpha: float) -> BoolArray:
    """Say which e-values have not reached 1 / alpha; rounding does not keep one from it."""
    return np.asarray(evalues * alpha < 1 - 1e-12)
