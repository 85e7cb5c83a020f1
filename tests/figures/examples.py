"""Results, figures and measures that the tests of figures share."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

import tiebreak as tb
from tiebreak import figures as fig
from tiebreak.evals.battles import Battles
from tiebreak.figures import Figure
from tiebreak.figures.cd import CriticalDifference
from tiebreak.figures.drawing.scene import Box, Scene, apart
from tiebreak.multivariate_tests import MultivariateComparison

NASTY = r"<script>alert(1)</script> & 100%_\input{x}"
NAMES = {
    "short": "a{}",
    "long": "gradient boosting, depth {0}, tuned (v{0}.0)",
    "unicode": "Überwälder-Ярус λ{} é決定木",
    "latin": "Überwälder naïve Bayes, Größe {}",
    "nasty": "{0:02}" + NASTY.replace("{", "{{").replace("}", "}}"),
}
COUNTS = (2, 3, 4, 8, 20, 40, 60)


def cases(turn: int) -> list[tuple[int, str]]:
    """Every number of algorithms with one kind of names; over the turns every number meets every kind."""
    kinds = list(NAMES)
    return [(count, kinds[(turn + i) % len(kinds)]) for i, count in enumerate((*COUNTS, 8, 20))]


def names(count: int, kind: str) -> list[str]:
    made = [NAMES[kind].format(i) for i in range(count)]
    return [NASTY, *made[1:]] if kind == "nasty" else made


@cache
def table(count: int, kind: str, *, datasets: int = 25, seed: int = 0) -> tb.Results:
    rng = np.random.default_rng(seed)
    cost = np.exp(rng.normal(0, 1.6, count))
    quality = 0.3 * np.log(cost) + rng.normal(0, 0.6, count)
    scores = 0.7 + 0.02 * quality + rng.normal(0, 0.02, (datasets, count))
    return tb.Results.from_dict(
        {
            "dataset": [f"d{i:02}" for i in range(datasets) for _ in range(count)],
            "algorithm": names(count, kind) * datasets,
            "accuracy": scores.ravel().tolist(),
            "train_time": np.tile(cost, datasets).tolist(),
        }
    )


@cache
def comparison(count: int, kind: str, *, control: bool = False, posthoc: str | None = None) -> tb.Comparison:
    name = names(count, kind)[0] if control else None
    omnibus = "friedman" if count > 2 else None
    return tb.compare(table(count, kind), score="accuracy", control=name, posthoc=posthoc, omnibus=omnibus)


@cache
def ordering(count: int, kind: str) -> tb.Ordering:
    """By Multi2Test, whose graph has arrows."""
    return tb.order(table(count, kind), score="accuracy", cost="train_time", pairwise="score", rule="multi2test")


@cache
def by_worth(count: int, kind: str) -> tb.Ordering:
    return tb.order(table(count, kind), score="accuracy", cost="train_time")


@cache
def multivariate(
    count: int,
    kind: str,
    *,
    sets: int = 1,
    folds: int = 10,
    measures: tuple[str, ...] = ("tpr", "fpr"),
    resampling_correction: str = "auto",
) -> MultivariateComparison:
    rng = np.random.default_rng(3)
    size = (sets, folds, count, len(measures))
    effect, base = rng.normal(0, 0.05, size[2:]), rng.uniform(0.3, 0.8, (sets, 1, 1, len(measures)))
    noise = rng.normal(0, 0.02, size)
    noise[..., 1:] += 0.6 * noise[..., :1]
    values = base + effect + noise
    columns = {name: values[..., j].ravel().tolist() for j, name in enumerate(measures)}
    rows = [(f"d{s}", name, k) for s in range(sets) for k in range(folds) for name in names(count, kind)]
    keys = dict(zip(("dataset", "algorithm", "fold"), map(list, zip(*rows, strict=True)), strict=True))
    results = tb.Results.from_dict(keys | columns)
    return tb.multivariate(results, scores=measures, resampling_correction=resampling_correction)


@cache
def battles(count: int, kind: str) -> Battles:
    return tb.battles(table(count, kind), score="accuracy", cost="train_time", pseudo_votes=1)


MAKERS = {
    "cd": lambda k, kind: fig.critical_difference(comparison(k, kind, posthoc="holm" if k > 2 else None)),
    "cd with bar": lambda k, kind: fig.critical_difference(comparison(max(k, 3), kind, posthoc="nemenyi")),
    "places": lambda k, kind: fig.place_diagram(ordering(k, kind)),
    "control": lambda k, kind: fig.control_diagram(
        comparison(max(k, 3), kind, control=True, posthoc="bonferroni-dunn")
    ),
    "matrix": lambda k, kind: fig.pairwise_matrix(comparison(k, kind, posthoc="holm" if k > 2 else None)),
    "matrix of control": lambda k, kind: fig.pairwise_matrix(comparison(max(k, 3), kind, control=True, posthoc="holm")),
    "scores": lambda k, kind: fig.score_distributions(table(k, kind), score="accuracy"),
    "forest": lambda k, kind: fig.forest_plot(comparison(k, kind, posthoc="holm" if k > 2 else None), margin=0.005),
    "frontier": lambda k, kind: fig.frontier_plane(by_worth(k, kind)),
    "order": lambda k, kind: fig.order_graph(ordering(k, kind)),
    "posterior": lambda k, kind: fig.posterior(_bayes(k, kind)),
    "contours": lambda k, kind: fig.measure_contours(multivariate(k, kind)),
    "learned": lambda k, kind: fig.learned_plane(multivariate(k, kind, sets=2)),
    "strengths": lambda k, kind: fig.strength_plot(battles(k, kind)),
}


AT_MOST_EIGHT = ("contours", "learned")
"""Kinds that draw at most so many of the algorithms: more of them change nothing but the time that it takes."""


def _bayes(count: int, kind: str) -> tb.stats.BayesianResult:
    scores = table(count, kind).means("accuracy")[:, : min(count, 12)]
    return tb.stats.bayesian_sign_pairs(scores, rope=0.01, algorithms=names(count, kind)[:12])


@cache
def figure(maker: str, count: int, kind: str) -> Figure:
    return MAKERS[maker](count, kind)


def overlaps(boxes: list[Box]) -> list[tuple[int, int]]:
    """Pairs of boxes that overlap; sorted by their tops so that far ones are not compared."""
    order = sorted(range(len(boxes)), key=lambda i: boxes[i][1])
    result = []
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            if boxes[j][1] >= boxes[i][3]:
                break
            if not apart(boxes[i], boxes[j]):
                result.append((i, j))
    return result


def text_overlaps(scene: Scene) -> list[tuple[str, str]]:
    texts = [text for text in scene.texts() if text.words]
    return [(texts[i].words, texts[j].words) for i, j in overlaps([text.box() for text in texts])]


def measured_by_matplotlib(figure: Figure, **sizes: Any) -> tuple[list[Box], float, float]:
    """The boxes of the texts as matplotlib draws them, and the size of the picture; marks are left out for speed."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from tiebreak.figures.drawing.mpl import draw

    scene = figure._scene_in_font(figure.sheet.over(**sizes), notes=True)
    axes = draw(replace(scene, items=tuple(text for text in scene.texts() if text.words)))
    renderer = FigureCanvasAgg(axes.figure).get_renderer()
    extents = [text.get_window_extent(renderer) for text in axes.texts]
    boxes = [(box.x0, box.y0, box.x1, box.y1) for box in extents]
    return boxes, axes.figure.bbox.width, axes.figure.bbox.height


def thick_bars(figure: CriticalDifference) -> list[tuple[float, float, float]]:
    """The thick parts of the group bars of a diagram, as left, right and height."""
    from tiebreak.figures.drawing.scene import Line

    return [
        (item.points[0][0], item.points[1][0], item.points[0][1])
        for item in figure.items()
        if isinstance(item, Line) and item.title and len(item.points) == 2
    ]


def all_pairs(group: tuple[int, ...]) -> set[tuple[int, int]]:
    return set(combinations(group, 2))
