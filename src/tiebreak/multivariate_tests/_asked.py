"""What is asked of every data set, and what decides there: normal theory or permutations."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from math import ceil

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.caveats import Caveat
from tiebreak.documents import listed
from tiebreak.methods import find
from tiebreak.multivariate_tests._resampling import Resampling, check_fits
from tiebreak.results import Metric
from tiebreak.stats.multivariate.measured import EXACT_FOLDS
from tiebreak.stats.multivariate.normality import MardiaResult
from tiebreak.wording import option


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of every data set."""

    metrics: tuple[Metric, ...]
    algorithms: tuple[str, ...]
    blocked: bool | None
    statistic: str
    adjust: str
    test: str
    alpha: float
    seed: int
    n_permutations: int
    correction: str = "auto"
    test_share: float | None = None

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(each.name for each in self.metrics)

    def blocked_on(self, made: Resampling) -> bool:
        """Say whether the test of all algorithms is blocked by fold; by default unless folds count as independent."""
        return made.correction != "none" if self.blocked is None else self.blocked

    def seed_for(self, dataset: str) -> int:
        """Return the seed of the permutations on one data set, whatever other data sets there are."""
        return int.from_bytes(sha256(f"{self.seed} {dataset}".encode()).digest()[:8], "big")


def chosen(
    cube: FloatArray, normality: MardiaResult | None, asked: Asked, made: Resampling
) -> tuple[str, list[Caveat]]:
    """Decide between normal theory and permutations, and say why."""
    check_fits(asked.test, made)
    wanted = "normal" if asked.test == "auto" else asked.test
    in_vain = [] if wanted == "normal" else _in_vain(len(cube), asked)
    if normality is None:
        few = Caveat("few-folds", f"{len(cube)} folds are too few to judge normality.")
        return wanted, [few, *in_vain]
    judged = slice(2, 3) if len(asked.algorithms) == 2 else slice(None)
    least = np.minimum(normality.skewness_pvalue, normality.kurtosis_pvalue)[judged] * 2
    names = [normality.samples[judged][i] for i in np.flatnonzero(least * len(least) <= asked.alpha)]
    if not names or asked.test in ("permutation", "ranks"):
        return wanted, in_vain
    said = f"Mardia's tests reject normality for {listed(names)}"
    if asked.test == "normal":
        return "normal", [Caveat("normality-rejected", f"{said}.")]
    if made.correction != "none":
        text = (
            f"{said}. Permutations would take the folds for independent, and are no remedy while folds share training"
            " data: normal theory decides; read p-values near alpha with care."
        )
        return "normal", [Caveat("normality-rejected", text)]
    return _if_permutations_can(said, len(cube), asked)


def _if_permutations_can(said: str, n_folds: int, asked: Asked) -> tuple[str, list[Caveat]]:
    """Let permutations decide, unless the least p-value they can give is too large to reject any pair."""
    count, pairs, can = _reach(n_folds, asked)
    if can:
        text = f"{said}: permutations decide instead of normal theory."
        return "permutation", [Caveat("normality-rejected", text)]
    text = (
        f"{said}, but with {n_folds} folds no permutation test of {pairs} pair(s) can reject (the least p is"
        f" {1 / count:.2g}): normal theory decides; read it with care."
    )
    return "normal", [Caveat("normality-rejected", text)]


def _reach(n_folds: int, asked: Asked) -> tuple[int, int, bool]:
    """Return the number of permutations, of pairs, and whether the least p-value rejects after the correction."""
    count = 2 ** (n_folds - 1) if n_folds <= EXACT_FOLDS else asked.n_permutations + 1
    pairs = len(asked.algorithms) * (len(asked.algorithms) - 1) // 2
    least = find(asked.adjust, "correction")(np.full(pairs, 1 / count))  # what is left if all have the least p
    return count, pairs, bool(least.min() <= asked.alpha)


def _in_vain(n_folds: int, asked: Asked) -> list[Caveat]:
    """Say where the permutations that were asked for cannot reject any pair, whatever the measures are."""
    count, pairs, can = _reach(n_folds, asked)
    if can:
        return []
    mend = f"more folds, fewer algorithms or {option(test='normal')}"
    if n_folds > EXACT_FOLDS:
        mend = f"{option(n_permutations=10 * ceil(pairs / asked.alpha))} or {option(test='normal')}"
    text = (
        f"No permutation test of {pairs} pair(s) can reject here, however much they differ: the least p is"
        f" {1 / count:.2g}, and the correction over the pairs lifts it above alpha. Use {mend}."
    )
    return [Caveat("few-folds", text)]
