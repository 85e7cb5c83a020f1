"""How often each correction rejects two equal learners by (tpr, fpr): the table of docs/multivariate.md.

Two copies of a learner are cross-validated on 200 examples; each copy sees ten features of its own, equally
informative, so that both have the same expected rates. Run: python benchmarks/multivariate_size.py [repetitions]
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy import stats

from tiebreak.stats.multivariate.five_by_two import five_by_two_pairs

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
SIZE, FEATURES, SHIFT, ALPHA = 200, 10, 0.25, 0.05
SCHEMES = ((1, 10), (5, 2), (5, 10), (10, 10))


def test_parts(replications: int, folds: int, positive: Bools, rng: np.random.Generator) -> Bools:
    """Return stratified test parts, (splits, examples)."""
    parts = []
    for _ in range(replications):
        fold = np.empty(len(positive), dtype=int)
        for members in (positive, ~positive):
            fold[members] = rng.permutation(np.arange(members.sum()) % folds)
        parts += [fold == k for k in range(folds)]
    return np.array(parts)


def nearest_mean(x: Floats, y: Bools, train: Bools) -> Bools:
    """Predict the class with the nearer mean."""
    first, second = x[train & y].mean(axis=0), x[train & ~y].mean(axis=0)
    return np.asarray((x - (first + second) / 2) @ (first - second) > 0)


def lda(x: Floats, y: Bools, train: Bools) -> Bools:
    """Predict by Fisher's linear discriminant."""
    first, second = x[train & y].mean(axis=0), x[train & ~y].mean(axis=0)
    rest = np.vstack([x[train & y] - first, x[train & ~y] - second])
    return np.asarray((x - (first + second) / 2) @ np.linalg.solve(rest.T @ rest, first - second) > 0)


def neighbours(count: int) -> Callable[[Floats, Bools, Bools], Bools]:
    """Return a learner that predicts the majority class of the nearest neighbours."""

    def predict(x: Floats, y: Bools, train: Bools) -> Bools:
        known = x[train]
        distance = (known**2).sum(axis=1) - 2 * x @ known.T
        nearest = np.argpartition(distance, count, axis=1)[:, :count]
        return np.asarray(y[train][nearest].mean(axis=1) > 0.5)

    return predict


def stump(x: Floats, y: Bools, train: Bools) -> Bools:
    """Predict by the best threshold of a single feature: an unstable learner."""
    order = np.argsort(x, axis=0)
    signs = np.where(train, np.where(y, 1, -1), 0)
    score = signs.sum() - 2 * np.cumsum(signs[order], axis=0)
    row, column = np.unravel_index(np.argmax(np.abs(score)), score.shape)
    above = x[:, column] > x[order[row, column], column]
    return np.asarray(above if score[row, column] > 0 else ~above)


LEARNERS: dict[str, Callable[[Floats, Bools, Bools], Bools]] = {
    "nearest mean": nearest_mean,
    "LDA": lda,
    "1 neighbour": neighbours(1),
    "5 neighbours": neighbours(5),
    "stump": stump,
}


def differences(learner: str, scheme: tuple[int, int], repetitions: int, rng: np.random.Generator) -> Floats:
    """Return the differences of (tpr, fpr), (repetitions, splits, 2)."""
    y = np.arange(SIZE) % 2 == 0
    out = []
    for _ in range(repetitions):
        tests = test_parts(*scheme, y, rng)
        rates = []
        for _ in range(2):
            x = rng.standard_normal((SIZE, FEATURES)) + np.where(y, SHIFT, -SHIFT)[:, None]
            predicted = np.array([LEARNERS[learner](x, y, ~test) for test in tests])
            rates.append(
                [[row[test & y].mean(), row[test & ~y].mean()] for row, test in zip(predicted, tests, strict=True)]
            )
        out.append(np.subtract(*np.array(rates)))
    return np.array(out)


def size(d: Floats, variance: float) -> float:
    """Return the share of repetitions that Hotelling's test rejects, `variance` times S being that of the mean."""
    _, folds, p = d.shape
    mean = d.mean(axis=1)
    rest = d - mean[:, None]
    s = np.einsum("rki,rkj->rij", rest, rest) / (folds - 1)
    t2 = np.einsum("ri,rij,rj->r", mean, np.linalg.pinv(s), mean) / variance
    return float((stats.f.sf((folds - p) / (p * (folds - 1)) * t2, p, folds - p) <= ALPHA).mean())


def sizes(learner: str, scheme: tuple[int, int], repetitions: int, seed: int = 1) -> dict[str, float]:
    """Return the size of every test on one scheme."""
    (replications, folds), count = scheme, scheme[0] * scheme[1]
    d = differences(learner, scheme, repetitions, np.random.default_rng(seed))
    ratio = 1 / (folds - 1)
    result = {"1/K": size(d, 1 / count), "r": size(d, ratio), "1/K + r": size(d, 1 / count + ratio)}
    if (replications, folds) == (5, 2):
        cubes = np.stack([d, np.zeros_like(d)], axis=2)
        p = [five_by_two_pairs(cube, adjust="none").pvalue[0] for cube in cubes]
        result["5x2 cv"] = float((np.array(p) <= ALPHA).mean())
    return result


def main() -> None:
    """Print the table; r is n_test / n_train."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("| folds | learner | 1/K (published) | r | 1/K + r | 5x2 cv |\n|---|---|---|---|---|---|")
    for scheme in SCHEMES:
        for learner in LEARNERS:
            runs = repetitions if scheme[0] * scheme[1] == 10 else repetitions // 2
            result = sizes(learner, scheme, runs)
            cells = [f"{result[name]:.3f}" if name in result else "-" for name in ("1/K", "r", "1/K + r", "5x2 cv")]
            print(f"| {scheme[0]}x{scheme[1]} | {learner} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
