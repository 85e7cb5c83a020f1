"""How far the multivariate tests reach: folds that are too few, and permutations that can be counted out."""

from __future__ import annotations

from tiebreak.errors import InputError, OptionError
from tiebreak.wording import option

EXACT_FOLDS = 14
"""Up to this many folds all 2^(K - 1) sign flips are counted out."""
EXACT_SHUFFLES = 20_000
"""Up to this many orders (L!)^(K - 1) all are counted out."""


def check_permutations(n_permutations: int) -> int:
    """Return the number of random permutations, at least 1."""
    if isinstance(n_permutations, bool) or int(n_permutations) != n_permutations or n_permutations < 1:
        raise OptionError(
            f"{option('n_permutations')} is {n_permutations!r}.",
            why="The p-value is a share of that many random permutations.",
            mend=f"Use {option(n_permutations=9999)}.",
        )
    return int(n_permutations)


def too_few_folds(n_folds: int, n_measures: int, df: int, folds_needed: int, *, where: str = "") -> InputError:
    """Make the error for a covariance that the folds are too few to estimate."""
    return InputError(
        f"{n_folds} folds are too few for {n_measures} measures{where}.",
        why=f"They leave {df} degree(s) of freedom for the covariance of the measures, which do not depend on each"
        " other: in some direction every difference would look certain.",
        mend=f"Use at most {df} measures, or at least {folds_needed} folds.",
    )
