"""What following advice is expected to lose, and the recipes among which the best is followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray
from tiebreak.advisor.cache import held
from tiebreak.advisor.knowledge import Knowledge
from tiebreak.advisor.leave_one_out import neighbour_weights
from tiebreak.advisor.neighbours import distance_table
from tiebreak.advisor.rankings.portfolios import filled, rarely
from tiebreak.advisor.success_rates import loss_unit
from tiebreak.attributes.catalogue import DEFAULT_MEASURES, NUMBER_MEASURES
from tiebreak.caveats import Caveats
from tiebreak.documents import Row, Shown, listed
from tiebreak.stats.results import frozen, rows_of
from tiebreak.wording import Brief

NEIGHBOURS = (5, 10, 20)
"""How many neighbours are tried beside all data."""
METHOD, TRADING = "portfolio", "a3r"
"""The ranking method where accuracy alone counts, and where it is traded for time; `tiebreak study advice` compares
them with the others."""

_SIZE = ("n_examples", "n_attributes", "n_classes")
PAPER, OF_NUMBERS, _SIZE_OF_NUMBERS = "the five of the paper", "the usual ones of numbers", "rows and attributes"
"""The sets that are used where nothing is chosen."""
MEASURE_SETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        PAPER: DEFAULT_MEASURES,
        OF_NUMBERS: NUMBER_MEASURES,
        "size": _SIZE,
        _SIZE_OF_NUMBERS: ("n_examples", "n_attributes"),
        "size and kind": (*_SIZE, "prop_symbolic", "prop_missing", "default_accuracy", "class_entropy"),
    }
)
"""Sets of measures that are tried; beside them all that the base knows."""


PUBLISHED: Mapping[str, Mapping[str, Any]] = {
    "2003": {"method": "arr", "neighbours": 5, "scaling": "plain", "times": "measured", "accd": 0.01}
}
"""Options of `Advisor.recommend` that make a published procedure: Brazdil, Soares and Costa (2003)."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Recipe(Brief):
    """One way to recommend: `neighbours` of None are all known data sets, alike where there are no `measures`.

    `scaling` is that of the distance.
    """

    method: str
    neighbours: int | None = None
    measures: tuple[str, ...] = ()
    alike_by: str = ""
    scaling: str = "log"

    @property
    def label(self) -> str:
        """Name the choice of method, neighbours and measures."""
        if not self.measures:
            return f"{self.method} on all data"
        return f"{self.method} on {self.neighbours} neighbours by {self.alike_by}"

    def weights(self, apart: Sequence[str], distances: FloatArray) -> FloatArray:
        """Return for every data set what the others count; those with the same label in `apart` count nothing."""
        return neighbour_weights(distances, k=self.neighbours, origins=apart)

    def distances(self, known: Knowledge, apart: Sequence[str]) -> FloatArray:
        """Return the distances by its measures, all alike without any; scales leave out what is left out."""
        table = known.meta.of(self.measures).matrix
        return distance_table(table, apart, measures=self.measures, scaling=self.scaling)


def recipes_for(
    known: Knowledge, method: str = METHOD, *, measures: Mapping[str, tuple[str, ...]] | None = None
) -> tuple[Recipe, ...]:
    """Return the recipes to be judged on a base, the plain one first: the method on all data.

    Neighbours are 5, 10 or 20.

    Parameters
    ----------
    known : Knowledge
    method : str
        A ranking method.
    measures : mapping of str to tuple of str, optional
        Sets of measures by name; by default `MEASURE_SETS` and all that the base knows.

    Returns
    -------
    tuple of Recipe

    Examples
    --------
    >>> from tiebreak.advisor import shipped_knowledge
    >>> [item.label for item in recipes_for(shipped_knowledge())][:3]
    ['portfolio on all data', 'portfolio on 5 neighbours by the five of the paper', 'portfolio on 5 neighbours by size']
    """
    sets = measure_sets(known) if measures is None else dict(measures)
    few = len(set(known.origins)) - 1
    out = [Recipe(method=method)]
    for k in NEIGHBOURS:
        for alike, chosen in sets.items():
            if chosen and k < few:
                out.append(Recipe(method=method, neighbours=k, measures=chosen, alike_by=alike))
    return tuple(out)


def measure_sets(known: Knowledge) -> dict[str, tuple[str, ...]]:
    """Return the sets of measures that a base knows, each once."""
    there = known.meta.measures
    other = {"classes": (OF_NUMBERS, _SIZE_OF_NUMBERS), "number": (PAPER, "size", "size and kind")}[known.kind]
    sets = {name: names for name, names in MEASURE_SETS.items() if name not in other and set(names) <= set(there)}
    if there and there not in sets.values():
        sets["all measures"] = there
    return sets


DRAWS = 2000
LEVEL = 0.95
LEAST_GAIN = 0.05


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Expected(Brief):
    """A mean loss over origins with its 95 % interval, and the loss that nine of ten origins stay within."""

    mean: float
    low: float
    high: float
    most: float

    def __str__(self) -> str:
        return f"{self.mean:.4f} ({self.low:.4f} to {self.high:.4f})"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Worth(Shown):
    """Losses of the best of the first 1, 2, ... algorithms on data sets that were left out.

    Parameters
    ----------
    recipes : tuple of Recipe
        The plain one first.
    loss : FloatArray
        (recipes, origins, N), means over the data sets of an origin.
    honest : FloatArray
        (origins, N): of the recipe chosen without the losses on that origin.
    single, chance : FloatArray
        (origins, N): of the best on average, second best, ... by the mean success rate on other origins; of
        algorithms drawn at random.
    chosen : int
        The place of the recipe that is followed.
    best : str
        The algorithm with the best mean success rate over all origins, of those measured often enough.
    origins, algorithms : tuple of str
    accd : float or None
    seed : int
    unit : str
        What losses are counted in: relative_rmse where that is what success rates were made of.
    caveats : tuple of Caveat
    """

    recipes: tuple[Recipe, ...]
    loss: FloatArray
    honest: FloatArray
    single: FloatArray
    chance: FloatArray
    chosen: int
    best: str
    origins: tuple[str, ...]
    algorithms: tuple[str, ...]
    accd: float | None = None
    seed: int = 0
    unit: str = "success rate"
    caveats: Caveats = ()

    @classmethod
    def of(
        cls,
        base: Knowledge,
        *,
        recipes: tuple[Recipe, ...],
        loss: FloatArray,
        single: FloatArray,
        random: FloatArray,
        **about: Any,
    ) -> Worth:
        """Average over the data sets of an origin, choose a recipe, and choose it again without each origin."""
        labels = tuple(dict.fromkeys(base.origins))
        at = np.array([labels.index(origin) for origin in base.origins])
        shares = (at[None, :] == np.arange(len(labels))[:, None]) / np.bincount(at)[:, None]
        by_origin = shares @ loss
        best = best_on_average(base.means()[0], shares)
        return cls(
            recipes=recipes,
            **frozen(loss=by_origin, honest=_inside(by_origin), single=shares @ single, chance=shares @ random),
            chosen=choose(by_origin.mean(axis=2)),
            best=base.algorithms[best],
            origins=labels,
            algorithms=base.algorithms,
            unit=loss_unit(base.score) if base.kind == "number" else "success rate",
            **about,
        )

    @property
    def recipe(self) -> Recipe:
        """The recipe that is followed."""
        return self.recipes[self.chosen]

    @property
    def picked(self) -> list[int]:
        """The place of the recipe that is followed on each origin, chosen by the losses on the others."""
        return _picked(self.loss)

    def title(self) -> str:
        """Say in one line what was judged."""
        return (
            f"{len(self.recipes)} recipes judged on {len(self.origins)} origins, a part of them left out at a time;"
            f" followed: {self.recipe.label}"
        )

    def expected(self, n: int = 1) -> Expected:
        """Return what the best of the first n loses, the choice of the recipe made inside the loop."""
        return self._summary(self.honest[:, n - 1])

    def best_on_average(self, n: int = 1) -> Expected:
        """Return what the n best by mean success rate elsewhere lose."""
        return self._summary(self.single[:, n - 1])

    def saved(self, n: int = 1) -> Expected:
        """Return how much less the best of the first n loses than the n best on average, origin by origin."""
        return self._summary(self.single[:, n - 1] - self.honest[:, n - 1])

    def random(self, n: int = 1) -> Expected:
        """Return what n algorithms drawn at random lose."""
        return self._summary(self.chance[:, n - 1])

    def _summary(self, losses: FloatArray) -> Expected:
        """Draw origins with replacement; the interval holds the middle 95 % of the means."""
        return held(("expected", self.seed, losses.tobytes()), lambda: _expected(losses, self.seed))

    def written(self, expected: Expected, *, interval: bool = True, unit: bool = True) -> str:
        """Write a loss in points, or in per cent of the error of the mean predictor, with its 95 % interval."""
        mean, low, high = (
            f"{round(100 * value, 1) + 0.0:.1f}" for value in (expected.mean, expected.low, expected.high)
        )
        words = "% of the mean predictor's RMSE" if self.unit == "relative_rmse" else " points"
        return f"{mean}{words if unit else ''}{f' ({low} to {high})' if interval else ''}"

    def sentences(self, order: tuple[str, ...]) -> list[str]:
        """Say what following an order is expected to lose, beside the best on average and chance."""
        last = min(self.loss.shape[2], len(order))
        chance, chances = (self.written(self.random(n), interval=False) for n in (1, last))
        several = f"the best of the first {last} ({listed(order[:last])})"
        return [
            f"On known data left out the first ({order[0]}) lost {self.written(self.expected(1))} against the best of"
            f" {len(self.algorithms)}, {several} {self.written(self.expected(last))}; 95 % intervals.",
            f"The best on average elsewhere ({self.best}) lost {self.written(self.best_on_average(1))}, the {last} best"
            f" {self.written(self.best_on_average(last))}; drawn at random {chance} and"
            f" {chances}. {self._beside(last)}",
            f"Followed: {self.recipe.label}, {self._why()}.",
        ]

    def _beside(self, last: int) -> str:
        """Say how much less the advice loses than the best on average: the differences that are tested."""
        parts = []
        for n in dict.fromkeys((1, last)):
            saved, name = self.saved(n), "the first" if n == 1 else f"the best of the first {n}"
            clear = saved.low > 0 or saved.high < 0
            parts.append(f"{name} {self.written(saved)}{'' if clear else ', not significant'}")
        return f"Advice loses less by: {'; '.join(parts)}."

    def _why(self) -> str:
        """Say why this recipe."""
        if len(self.recipes) == 1:
            return "the only way asked for or possible"
        if self.chosen:
            plain, taken = (float(self.loss[place].mean()) for place in (0, self.chosen))
            return (
                f"which lost {100 * taken:.2f} on data left out, {self.recipes[0].label} {100 * plain:.2f}"
                f" (means of the best of 1 to {self.loss.shape[2]})"
            )
        return f"as none of {len(self.recipes) - 1} choices of neighbours was clearly better on data left out"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        last = self.loss.shape[2]

        def both(of: Callable[[int], Expected]) -> dict[str, Any]:
            return {"first": asdict(of(1)), "first_three" if last == 3 else f"first_{last}": asdict(of(last))}

        return {
            "recipe": self.recipe.label,
            "judged_on": len(self.origins),
            "unit": self.unit,
            "expected_loss": both(self.expected),
            "best_on_average": both(self.best_on_average),
            "saved_beside_best_on_average": both(self.saved),
            "random": both(self.random),
            "recipes": self.rows(),
        }

    def rows(self) -> list[Row]:
        """Return one row per recipe, and the simpler ways below: mean losses with intervals, and how they differ."""
        ways: list[tuple[str, FloatArray]] = [(recipe.label, self.loss[i]) for i, recipe in enumerate(self.recipes)]
        ways += [("chosen inside the loop", self.honest), ("best on average", self.single), ("random", self.chance)]
        last = self.loss.shape[2]
        out = []
        for place, (name, losses) in enumerate(ways):
            first, several = self._summary(losses[:, 0]), self._summary(losses[:, -1])
            out.append(
                {
                    "recipe": name,
                    "followed": "yes" if place == self.chosen else "",
                    "first": first.mean,
                    "first low": first.low,
                    "first high": first.high,
                    f"best of {last}": several.mean,
                    f"best of {last} low": several.low,
                    f"best of {last} high": several.high,
                }
            )
        return rows_of(**{key: [row[key] for row in out] for key in out[0]})


def _expected(losses: FloatArray, seed: int) -> Expected:
    count = len(losses)
    drawn = held(("origins", seed, count), lambda: np.random.default_rng(seed).integers(0, count, (DRAWS, count)))
    low, high = np.quantile(losses[drawn].mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Expected(
        mean=float(losses.mean()),
        low=float(low),
        high=float(high),
        most=float(np.quantile(losses, 0.9, method="higher")),
    )


def best_on_average(success: FloatArray, shares: FloatArray) -> int:
    """Return the algorithm with the best mean over origins, gaps filled, of those measured often enough."""
    few = rarely(np.ones((1, len(success))), np.isfinite(success))[0]
    return int(np.argmax(np.where(few, -np.inf, (shares @ filled(success)).mean(axis=0))))


def choose(losses: FloatArray) -> int:
    """Choose among (recipes, origins): the first, unless one is clearly better; of those the best.

    Clearly: by more than a standard error of the paired difference, and by more than a twentieth of what is lost.
    """
    gain = losses[0] - losses
    error = gain.std(axis=1, ddof=1) / np.sqrt(losses.shape[1])
    mean = gain.mean(axis=1)
    better = np.flatnonzero((mean > error) & (mean > LEAST_GAIN * losses[0].mean()))
    return int(better[np.argmax(mean[better])]) if len(better) else 0


def _inside(losses: FloatArray) -> FloatArray:
    """Return (origins, N): of every origin the losses of the recipe chosen on the others."""
    return np.array([losses[place, i] for i, place in enumerate(_picked(losses))])


def _picked(losses: FloatArray) -> list[int]:
    judged = losses.mean(axis=2)
    return [choose(np.delete(judged, i, axis=1)) for i in range(judged.shape[1])]
