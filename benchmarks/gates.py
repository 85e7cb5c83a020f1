"""Simulated gates: how often a candidate passes wrongly, is called worse wrongly, and is caught, by setting.

    python benchmarks/gates.py [--repetitions 1000] [--seed 0] [--only TEXT]

Three truths in every setting: worse by the margin exactly (a pass is false), equal (a call of "worse" is false), and
worse by the drop that the gate says it catches with power 0.8, the median of what 15 tables of the setting plan. A
fourth draws as many items as the gate says would show an equal candidate with power 0.8. Rates above alpha by more than
two standard errors are marked. The table stands in docs/gate.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tiebreak.evals.gate.judging import judge_items
from tiebreak.stats.items.non_inferiority import margin_pair
from tiebreak.stats.items.planning import drop_caught, items_to_show

Floats = NDArray[np.float64]
ALPHA, POWER = 0.05, 0.8


@dataclass(frozen=True)
class Suite:
    """Answers of two models: base, candidate, and what their items belong to."""

    base: Floats
    candidate: Floats
    clusters: NDArray[np.int64] | None = None
    strata: NDArray[np.int64] | None = None


Draw = Callable[[np.random.Generator, float, int], Suite]
"""A setting: random numbers, by how much the candidate is worse, and the number of items."""


def answers(rng: np.random.Generator, lost: Floats, won: Floats, right: float = 0.7) -> tuple[Floats, Floats]:
    """Draw right and wrong answers of which some are lost, or won, by the candidate."""
    u = rng.random(len(lost))
    both = rng.random(len(lost)) < right
    base = np.where(u < lost, 1.0, np.where(u < lost + won, 0.0, both))
    candidate = np.where(u < lost, 0.0, np.where(u < lost + won, 1.0, both))
    return base, candidate


def plain(differ: float) -> Draw:
    """Items by themselves; so many answers differ beside the drop."""

    def draw(rng: np.random.Generator, drop: float, n: int) -> Suite:
        lost, won = np.full(n, differ / 2 + drop), np.full(n, differ / 2)
        return Suite(*answers(rng, lost, won))

    return draw


def clusters(count: int, *, differ: float, spread: float, uneven: bool = True) -> Draw:
    """Clusters whose chances to be lost and won vary, so that items of one hang together."""

    def draw(rng: np.random.Generator, drop: float, n: int) -> Suite:
        sizes = rng.integers(1, 31, count) if uneven else np.full(count, 8)
        whole = np.repeat(np.arange(count), sizes)
        groups = max(1, round(n / len(whole)))  # more items come as more clusters
        code = np.concatenate([whole + count * g for g in range(groups)])
        weight = (1 - spread) / spread
        shares = np.array([differ / 2 + drop, differ / 2, 1 - differ - drop])
        chance = rng.dirichlet(np.maximum(shares * weight, 1e-6), size=count * groups)[code]
        return Suite(*answers(rng, chance[:, 0], chance[:, 1]), clusters=code)

    return draw


def epochs(count: int) -> Draw:
    """Repeated answers to each item, averaged; items are hard or easy."""

    def draw(rng: np.random.Generator, drop: float, n: int) -> Suite:
        ease = rng.beta(1.0, 0.5, n)
        current = ease * (1.0 - drop / (2.0 / 3.0))
        return Suite(rng.binomial(count, ease, n) / count, rng.binomial(count, current, n) / count)

    return draw


def benchmarks(shares: tuple[float, ...], differ: float) -> Draw:
    """Benchmarks of different size, each counting alike."""

    def draw(rng: np.random.Generator, drop: float, n: int) -> Suite:
        sizes = np.maximum(2, np.rint(np.array(shares) * n)).astype(int)
        code = np.repeat(np.arange(len(sizes)), sizes)
        lost, won = np.full(len(code), differ / 2 + drop), np.full(len(code), differ / 2)
        return Suite(*answers(rng, lost, won), strata=code)

    return draw


def graded() -> Draw:
    """Marks between 0 and 1 that differ a little on every item."""

    def draw(rng: np.random.Generator, drop: float, n: int) -> Suite:
        ease = rng.beta(4.0, 2.0, n)
        base, current = (np.clip(ease + rng.normal(0, 0.1, n), 0, 1) for _ in range(2))
        return Suite(base, current - drop)

    return draw


SETTINGS: dict[str, tuple[Draw, int, float]] = {
    "0/1, 300 items, 20 % differ": (plain(0.2), 300, 0.05),
    "0/1, 1,000 items, 10 % differ": (plain(0.1), 1000, 0.02),
    "0/1, 100 items, 4 % differ": (plain(0.04), 100, 0.05),
    "0/1, 100 items, nothing else differs": (plain(0.0), 100, 0.04),
    "0/1, 30 items, nothing else differs": (plain(0.0), 30, 0.1),
    "40 clusters of 1 to 30, spread 0.1": (clusters(40, differ=0.2, spread=0.1), 600, 0.05),
    "40 clusters of 1 to 30, spread 0.5": (clusters(40, differ=0.3, spread=0.5), 600, 0.1),
    "15 clusters of 1 to 30, spread 0.2": (clusters(15, differ=0.3, spread=0.2), 230, 0.1),
    "100 clusters of 8, few differ": (clusters(100, differ=0.02, spread=0.2, uneven=False), 800, 0.03),
    "three answers to each of 200": (epochs(3), 200, 0.05),
    "graded marks, 150 items": (graded(), 150, 0.02),
    "three benchmarks of 60, 150, 300": (benchmarks((60 / 510, 150 / 510, 300 / 510), 0.2), 510, 0.05),
    "three benchmarks, few differ": (benchmarks((60 / 510, 150 / 510, 300 / 510), 0.02), 510, 0.03),
}
"""Name, number of items and margin."""


def judged(suite: Suite, margin: float, **options: float | None) -> str:
    """Return the verdict of one gate."""
    judgement = judge_items(
        suite.base, suite.candidate, clusters=suite.clusters, strata=suite.strata, margin=margin, alpha=ALPHA, **options
    )
    return judgement.verdict


def rates(
    draw: Draw, n: int, margin: float, drop: float, reps: int, rng: np.random.Generator, **options: float
) -> dict:
    """Return how often each verdict comes."""
    seen = [judged(draw(rng, drop, n), margin, power=None, **options) for _ in range(reps)]
    return {name: seen.count(name) / reps for name in ("pass", "worse", "undecided")}


def planned(draw: Draw, n: int, margin: float, rng: np.random.Generator) -> tuple[int, float]:
    """Return how many items the gate asks for, and the drop it says it catches: medians over 15 tables."""
    result = []
    for _ in range(15):
        suite = draw(rng, 0.0, n)
        pair = margin_pair(suite.candidate, suite.base, clusters=suite.clusters, strata=suite.strata)
        options = items_to_show(pair, margin, alpha=ALPHA, power=POWER), drop_caught(pair, alpha=ALPHA, power=POWER)
        result.append(options)
    needed, caught = np.median(np.array(result), axis=0)
    return int(needed), float(caught)


def peeked(draw: Draw, n: int, margin: float, drop: float, reps: int, rng: np.random.Generator) -> dict[str, float]:
    """Return how often an anytime gate ever gives a verdict, looked at after every 20 items."""
    seen: list[set[str]] = []
    for _ in range(reps):
        suite = draw(rng, drop, n)
        looks = (Suite(suite.base[:k], suite.candidate[:k]) for k in range(20, n + 1, 20))
        seen.append({judged(look, margin, power=None, bound=1.0) for look in looks})
    return {name: sum(name in item for item in seen) / reps for name in ("pass", "worse")}


def print_peeking(reps: int, rng: np.random.Generator) -> None:
    """Print what looking again and again does to bets."""
    print("\n| anytime, looked at after every 20 items | margin | ever false passes | ever false alarms |")
    print("|---|---|---|---|")
    for name in ("0/1, 300 items, 20 % differ", "0/1, 100 items, 4 % differ", "three answers to each of 200"):
        draw, n, margin = SETTINGS[name]
        wrong = peeked(draw, 2 * n, margin, margin, reps, rng)["pass"]
        alarms = peeked(draw, 2 * n, margin, 0.0, reps, rng)["worse"]
        print(f"| {name} | {margin:g} | {wrong:.3f} | {alarms:.3f} |", flush=True)


def main() -> None:
    """Print the tables."""
    parse = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parse.add_argument("--repetitions", type=int, default=1000)
    parse.add_argument("--seed", type=int, default=0)
    parse.add_argument("--only", default="")
    args = parse.parse_args()
    reps, rng = args.repetitions, np.random.default_rng(args.seed)
    limit = ALPHA + 2 * sqrt(ALPHA * (1 - ALPHA) / reps)
    print("| setting | margin | false passes | false alarms | equal passes | drop caught | share | asked for | share |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, (draw, n, margin) in SETTINGS.items():
        if args.only not in name:
            continue
        false = rates(draw, n, margin, margin, reps, rng)["pass"]
        equal = rates(draw, n, margin, 0.0, reps, rng)
        needed, caught = planned(draw, n, margin, rng)
        drop = rates(draw, n, margin, caught, reps, rng)["worse"]
        enough = rates(draw, needed, margin, 0.0, reps // 4, rng)["pass"]
        mark = "**" if max(false, equal["worse"]) > limit else ""
        alarms = f"{mark}{equal['worse']:.3f}{mark}"
        print(
            f"| {name} | {margin:g} | {mark}{false:.3f}{mark} | {alarms} | {equal['pass']:.3f} |"
            f" {caught:.3f} | {drop:.2f} | {needed:,} | {enough:.2f} |",
            flush=True,
        )
    print_peeking(reps, rng)


if __name__ == "__main__":
    main()
