"""What is decided on items, whichever verb asks: which test, which correction, which question, in which words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak._checks import FloatArray, check_choice
from tiebreak.caveats import Caveat
from tiebreak.comparison.groups import TIMES_ALL, fewest_signs
from tiebreak.documents import number
from tiebreak.errors import InputError, OptionError
from tiebreak.methods import of_kind
from tiebreak.results import Metric, Results, directions
from tiebreak.results.items import FOLD, ITEM, SHARE, ItemTable, ignoring_clusters, item_table
from tiebreak.results.metrics import Told
from tiebreak.wording import Brief, option

if TYPE_CHECKING:
    from tiebreak.stats import ItemPairs, ProportionPairs

MOST_EXACT = 14
"""Up to so many models Bergmann and Hommel's correction is exact for p-values of any origin."""
TOO_FEW = "least-pvalue"
_BY_SIGNS = ("mcnemar", "sign-flip")
LEAST = 1e-9
"""A difference of shares below this is a rounding error."""


def named_item_tests() -> tuple[str, ...]:
    """Name the tests of pairs on items."""
    return tuple(item.name for item in of_kind("items", verb="order") if item.takes == "items")


def named_total_tests() -> tuple[str, ...]:
    """Name the tests of pairs by totals."""
    return tuple(item.name for item in of_kind("items", verb="order") if item.takes == "totals")


def usual_item_test(table: ItemTable) -> str:
    """Name the test that fits: McNemar's for right and wrong on one benchmark without clusters, else changed signs."""
    return "mcnemar" if table.is_binary and table.clusters is None and len(table.benchmarks) == 1 else "sign-flip"


def usual_correction(models: int, *, control: bool = False) -> str:
    """Name the sharpest correction that can be computed for so many models."""
    return "holm" if control else "none" if models == 2 else "bergmann-hommel" if models <= MOST_EXACT else "shaffer"


def pairs_on_items(
    table: ItemTable,
    *,
    test: str | None = None,
    adjust: str | None = None,
    control: str | None = None,
    higher_is_better: bool = True,
    alpha: float = 0.05,
) -> ItemPairs:
    """Test all pairs of models of a table of items; several benchmarks count alike, whatever their numbers of items.

    `test` is one of `named_item_tests`, by default the one that fits; `adjust` a correction, by default the sharpest.
    """
    from tiebreak.stats import item_pairs  # here, for a quick start where there are no items

    if test is not None:
        check_choice("pairwise test", test, named_item_tests())
    check_enough(table)
    count = len(table.algorithms)
    column = None if control is None else table.algorithms.index(control)
    correction = adjust or usual_correction(count, control=control is not None)
    pairs: ItemPairs = item_pairs(
        table.scores,
        clusters=table.clusters,
        strata=table.strata if len(table.benchmarks) > 1 else None,
        method=test or "auto",
        adjust=correction,
        control=column,
        higher_is_better=higher_is_better,
        level=1.0 - alpha,
        algorithms=table.algorithms,
    )
    too_few = _too_few(pairs, correction)
    text = "few-items" if too_few and pairs.intervals == "Newcombe" else ""  # that so few items show nothing
    caveats = [caveat for caveat in pairs.caveats if caveat.code != text]
    return replace(pairs, caveats=(*caveats, *too_few))


def _too_few(tested: ItemPairs, correction: str) -> list[Caveat]:
    """Say that no pair can differ significantly, whatever its scores, where the test is one of signs."""
    if tested.test not in _BY_SIGNS or not len(tested.a):
        return []
    return too_few(tested, len(tested.a) if correction in TIMES_ALL else 1)


def too_few(tested: ItemPairs, times: int) -> list[Caveat]:
    """Say that so few items or clusters can show no difference by their signs, if the smallest p counts `times`."""
    alpha, units = 1.0 - tested.level, int(tested.n_units.max())
    needed = fewest_signs(times, alpha)
    if units >= needed:
        return []
    what = "cluster" if tested.clustered else "item"
    few = f"With {units} {what}{'' if units == 1 else 's'}"
    text = f"{few} no two models can differ significantly at alpha = {alpha:.3g},"
    of_these = "this cluster" if units == 1 else "these clusters"
    further = f" To ask of further items of {of_these} alone, ignore them: {ignoring_clusters()}."
    further = further if tested.clustered else ""
    return [Caveat(TOO_FEW, f"{text} whatever their scores: it takes {needed}.{further}")]


def pairs_of_models(
    table: ItemTable | None,
    totals: tuple[FloatArray, FloatArray] | None,
    names: tuple[str, ...],
    *,
    test: str | None,
    adjust: str,
    control: str | None = None,
    higher_is_better: bool = True,
    alpha: float = 0.05,
) -> ItemPairs | ProportionPairs:
    """Test all pairs of models on the items of a table, or by totals where nothing else is known."""
    if table is not None:
        options: dict[str, Any] = {"control": control, "higher_is_better": higher_is_better, "alpha": alpha}
        return pairs_on_items(table, test=test, adjust=adjust, **options)
    from tiebreak.stats import proportion_pairs

    if test is not None:
        check_choice("pairwise test", test, named_total_tests())
    check_two_models(len(names))
    assert totals is not None
    pairs: ProportionPairs = proportion_pairs(
        *totals,
        method="score" if test == "score-test" else "fisher",
        adjust=adjust,
        control=None if control is None else names.index(control),
        level=1.0 - alpha,
        algorithms=names,
    )
    return pairs


def check_two_models(count: int) -> None:
    """Refuse a single model."""
    if count < 2:
        raise InputError(
            f"There is {count} model on these items.",
            mend="Add another model: its totals, or its answers with the same names of items.",
        )


def check_enough(table: ItemTable) -> None:
    """Refuse fewer than two models, and a model without any answer on a benchmark that is to count like the others."""
    check_two_models(len(table.algorithms))
    held = np.stack(
        [np.bincount(table.strata[current], minlength=len(table.benchmarks)) for current in table.there.T], axis=1
    )
    lacking = np.argwhere(held == 0)
    if len(lacking):
        benchmark, model = (int(item) for item in lacking[0])
        raise InputError(
            f"{table.algorithms[model]!r} has no answer to any item of {table.benchmarks[benchmark]!r}"
            f" ({len(lacking)} such gap(s) in all).",
            mend=f"Leave out the model ({option(algorithms=[...])}) or the benchmark ({option(datasets=[...])}).",
        )


def item_facts(table: ItemTable | None, tested: ItemPairs | ProportionPairs) -> dict[str, Any]:
    """Return as plain data what the tests rest on: items, benchmarks, clusters, epochs, the test and its intervals."""
    from tiebreak.stats import ItemPairs

    if table is None or not isinstance(tested, ItemPairs):
        counts = tested.n_items.tolist()
        return {
            "count": int(max(counts)),
            "paired": False,
            "counts": {name: int(count) for name, count in zip(tested.algorithms, counts, strict=True)},
            "test": tested.method,
            "intervals": "Newcombe, unpaired",
            "level": tested.level,
        }
    return {
        "count": len(table),
        "paired": True,
        "benchmarks": dict(zip(table.benchmarks, table.n_items.tolist(), strict=True)),
        "clusters": table.n_clusters or None,
        "epochs": list(table.epochs),
        "binary": table.is_binary,
        "test": tested.test,
        "intervals": tested.intervals,
        "level": tested.level,
    }


def share_intervals(items: ItemTable | None, tests: ItemPairs | ProportionPairs) -> FloatArray | None:
    """Return the ends of Wilson's interval of the share that each model got right; None where it would not hold.

    It holds for right and wrong answers to independent items of one benchmark, and for totals.
    """
    from tiebreak.stats import ItemPairs
    from tiebreak.stats.items.proportions import wilson_interval

    if not isinstance(tests, ItemPairs):
        return np.stack([tests.share_low, tests.share_high], axis=1)
    if items is None or not items.is_binary or items.clusters is not None or len(items.benchmarks) > 1:
        return None
    there = items.there
    return wilson_interval(np.nansum(items.scores, axis=0), there.sum(axis=0), level=tests.level)


# ---- words


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScoreUnit(Brief):
    """How differences of a score are written: in points of a hundred where it is a share, else as they are.

    `factor` is how many points one unit of the score is: 1 where the score is a percentage.
    """

    name: str
    points: bool
    factor: float = 100.0

    @classmethod
    def of(cls, metric: Metric, items: ItemTable | None) -> ScoreUnit:
        """Take for shares what was right or wrong, and what lies between 0 and 1 and is better when higher.

        A loss, or a time in seconds, may lie there too, and nobody calls a hundredth of it a point.
        """
        share = items is None or items.is_binary or (items.in_unit_range and metric.higher_is_better is not False)
        return cls(name=metric.name, points=share)

    def size(self, value: float) -> str:
        """Write a difference with its unit."""
        shown = self.bare(value)
        if not self.points:
            return f"{shown} in {self.name}"
        return f"{shown} point{'' if shown in ('1', '-1') else 's'}"

    def bare(self, value: float) -> str:
        """Write a difference without its unit; points with one digit behind the point, two digits if that is 0."""
        if not isfinite(value):
            return "unknown"
        if not self.points:
            return f"{value:,.0f}" if abs(value) >= 100.0 else number(float(value), 2)
        shown = round(self.factor * value, 1) + 0.0
        if shown == 0.0 and abs(value) >= LEAST:
            return number(self.factor * value, 2)
        return f"{shown:g}"

    def within(self, bound: float) -> str:
        """Format an upper bound, rounded up to a tenth of a point or to two digits."""
        if self.points and LEAST <= bound < 0.001:
            shown = self._up(100.0 * bound)
            return f"{number(shown, 2)} points"
        if self.points:
            shown = ceil(round(1000.0 * bound, 6)) / 10.0
            return f"{shown:g} point{'' if shown == 1.0 else 's'}"
        return f"{number(self._up(bound), 3)} in {self.name}"

    @staticmethod
    def _up(bound: float) -> float:
        step = 10.0 ** (np.floor(np.log10(bound)) - 1.0) if bound > 0 else 1.0
        return float(ceil(bound / step - 1e-9) * step)


def evidence(n_items: int, n_clusters: int, n_benchmarks: int, *, most: int = 0) -> str:
    """Say on what a statement rests: so many items (up to `most`), in so many clusters, of so many benchmarks.

    Examples
    --------
    >>> evidence(1200, 30, 2), evidence(48, 0, 1, most=60)
    ('1,200 items of 2 benchmarks in 30 clusters', '48 to 60 items')
    """
    upto = f" to {most:,}" if most > n_items else ""
    of = f" of {n_benchmarks} benchmarks" if n_benchmarks > 1 else ""
    grouped = f" in {n_clusters:,} cluster{'' if n_clusters == 1 else 's'}" if n_clusters else ""
    return f"{n_items:,}{upto} item{'' if n_items == 1 and not upto else 's'}{of}{grouped}"


def check_over(over: str | None, results: Results) -> None:
    """Refuse a way that a table does not have: items where there are none, other benchmarks where there is one."""
    if over is not None:
        check_choice("way to compare", over, ("items", "scores"))
    if results.unit == FOLD and over == "items":
        raise OptionError(
            f"{option(over='items')} was asked for, and the table has no column of items.",
            mend=f"Name the column: {option(columns={'item': ...})}; or leave {option('over')} out.",
        )
    if results.unit != FOLD and over == "scores" and len(results.datasets) == 1:
        raise OptionError(
            f"{option(over='scores')} was asked for, and there is one benchmark.",
            mend=f"Use {option(over='items')}, or leave it out.",
        )


# ---- from results


def directed_score(results: Results, name: str, options: Told) -> Metric:
    """Return a score of items with the direction that its name tells, or that was told; one for all benchmarks."""
    upward = directions(results, name, options)[0]
    if upward.any() != upward.all():
        raise InputError(
            f"A higher {name!r} is better on some benchmarks and worse on others.",
            mend=f"Choose benchmarks of one kind ({option(datasets=[...])}), or reverse the other scores.",
        )
    return replace(results.metric(name), higher_is_better=bool(upward.all()))


def refuse_of_folds(**given: object) -> None:
    """Refuse options that belong to folds of data sets, instead of passing them over."""
    for name, value in given.items():
        if value is not None:
            what = "Several scores were named" if name == "scores" else f"{option(name)} was given"
            raise OptionError(
                f"{what} for a table of items.", mend="Name one score." if name == "scores" else "Leave it out."
            )


def totals_of(results: Results, metric: Metric) -> tuple[FloatArray, FloatArray]:
    """Return how many of how many items each model passed, of the one benchmark there is."""
    if len(results.datasets) > 1:
        raise InputError(
            f"There are totals of {len(results.datasets)} benchmarks.",
            mend=f"Name one: {option(datasets=[results.datasets[0]])}; or give the answers to each item.",
        )
    n = results.means("n", partial=True)[0]
    if metric.name == SHARE and "passed" in results.values:
        return results.means("passed", partial=True)[0], n
    share = results.means(metric.name, partial=True)[0]
    return counted(share, n, results.algorithms), n


def counted(share: FloatArray, n: FloatArray, names: tuple[str, ...]) -> FloatArray:
    """Make counts of rounded shares: the whole number whose share comes closest."""
    scale = 100.0 if float(np.nanmax(share)) > 1.0 else 1.0
    bad = ~((share >= 0.0) & (share <= scale) & (n > 0))
    if bad.any():
        place = int(np.argmax(bad))
        raise InputError(
            f"{names[place]!r} passed {share[place]:g} of {n[place]:g} items.",
            mend="Correct it, or give the number of items that were passed.",
        )
    return np.rint(share / scale * n)


def of_means(results: Results, metric: Metric, costs: Sequence[str]) -> Results:
    """Return the means of items as scores of benchmarks, which are then data sets as any others."""
    items = item_table(results, metric.name) if results.unit == ITEM else None
    scores = results.means(metric.name) if items is None else items.means()
    means = {metric.name: scores} | {name: results.means(name, partial=True) for name in costs}
    rows: dict[str, list[Any]] = {"dataset": [], "algorithm": [], **{name: [] for name in means}}
    for d, dataset in enumerate(results.datasets):
        for a, algorithm in enumerate(results.algorithms):
            rows["dataset"].append(dataset)
            rows["algorithm"].append(algorithm)
            for name, table in means.items():
                rows[name].append(float(table[d, a]))
    made = Results.from_dict(rows, scores=list(means))
    text = f"Scores are means over the items of {len(results.datasets)} benchmarks, which are tested as data sets."
    if items is None:
        text = f"Scores are the totals of {len(results.datasets)} benchmarks, which are tested as data sets."
    notes = (*results.caveats, *(() if items is None else items.caveats), Caveat("items-averaged", text))
    known = {item.name: item for item in (*results.metrics, metric)}
    return replace(
        made,
        metrics=tuple(known[item.name] for item in made.metrics),
        caveats=notes,
        frame_kind=results.frame_kind,
        data_papers=results.data_papers,
    )
