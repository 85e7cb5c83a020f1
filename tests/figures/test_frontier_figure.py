"""Score against cost: the data are those of the ordering, and lines and names lie where they must."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import figure_examples as EX
import numpy as np
import pytest

import tiebreak as tb
from tiebreak import figures as fig
from tiebreak.cli import main
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.palette import BLUE, VERMILION
from tiebreak.figures.drawing.plane import _crosses
from tiebreak.figures.drawing.scene import Area, Circle, Line, apart
from tiebreak.figures.frontier import FrontierPlane
from tiebreak.figures.order import OrderGraph

FILE = Path(__file__).parents[2] / "examples" / "ulas2012.csv"
ULAS = tb.published.ulas2012()


def priced(scores: list[float], costs: list[float], *, score: str = "accuracy", sets: int = 8) -> tb.Results:
    noise = np.random.default_rng(0).normal(0, 1e-4, (sets, len(scores)))
    return tb.Results.from_dict(
        {
            "dataset": [f"d{i}" for i in range(sets) for _ in scores],
            "algorithm": [f"a{i}" for i in range(len(scores))] * sets,
            score: (np.array(scores) + noise).ravel().tolist(),
            "train_time": costs * sets,
        }
    )


def lines(figure: FrontierPlane, colour: str) -> list[Line]:
    """Lines of a colour in the plane; that of the legend has no length to speak of."""
    drawn = [item for item in figure.items() if isinstance(item, Line) and item.colour == colour]
    return [line for line in drawn if math.dist(line.points[0], line.points[-1]) > 20]


def marks(figure: FrontierPlane) -> dict[str, tuple[float, float]]:
    """Middles of the marks by the algorithms that their titles name."""
    drawn = [item for item in figure.items() if isinstance(item, Circle | Area) and item.title]
    boxes = {item.title.partition(":")[0]: item.box() for item in drawn}
    return {name: ((left + right) / 2, (top + bottom) / 2) for name, (left, top, right, bottom) in boxes.items()}


@pytest.mark.parametrize("trade", ["1%", "4%", "0pt"])
def test_data_are_those_of_the_ordering(trade: str) -> None:
    ordering = tb.order(ULAS, score="accuracy", cost="train_time", trade=trade)
    figure, value = fig.frontier_plane(ordering), ordering.valuation
    assert value is not None and figure.frontier == ordering.frontier
    assert [row["algorithm"] for row in figure.rows()] == list(ordering.order)
    index = [ordering.algorithms.index(name) for name in ordering.order]
    columns = {key: [row[key] for row in figure.rows()] for key in ("score", "cost", "loss", "low", "high")}
    expected = (value.scores, value.paid[0], value.losses.value, value.losses.low, value.losses.high)
    for column, values in zip(columns.values(), expected, strict=True):
        assert np.allclose(column, values[index])
    assert [row["algorithm"] for row in figure.rows() if row["frontier"]] == [
        name for name in ordering.order if name in {part.algorithm for part in ordering.frontier}
    ]


@pytest.mark.parametrize("count", [2, 8, 40])
def test_the_slope_passes_through_the_first_and_nobody_lies_above_it(count: int) -> None:
    figure = EX.figure("frontier", count, "short")
    (slope,), points = lines(figure, VERMILION), marks(figure)
    (x, y), (u, v) = slope.points
    first = points[figure.priced[0].algorithm]

    def below(point: tuple[float, float]) -> float:
        return point[1] - (y + (v - y) * (point[0] - x) / (u - x))

    assert below(first) == pytest.approx(0, abs=0.02)
    assert len(points) == count and all(below(point) > -0.02 for point in points.values())
    low, high = figure.worth_line(-math.inf, math.inf) or ((1.0, 0.0), (1.0, 0.0))
    assert (high[1] - low[1]) / math.log10(high[0] / low[0]) == pytest.approx(figure.trade)


def test_the_frontier_is_a_line_through_its_algorithms() -> None:
    figure = EX.figure("frontier", 20, "short")
    (joined,), points = lines(figure, BLUE), marks(figure)
    assert len(figure.frontier) > 2
    for corner, part in zip(joined.points, figure.frontier, strict=True):
        assert corner == pytest.approx(points[part.algorithm], abs=0.02)
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(joined.points)]
    assert slopes == sorted(slopes, reverse=True)  # ever steeper towards the cheap end


def test_losses_stand_with_the_best_on_top() -> None:
    figure = tb.order(priced([20.0, 10.0, 40.0], [1.0, 10.0, 0.1], score="rmse")).figure()
    points = marks(figure)
    assert points["a1"][1] < points["a0"][1] < points["a2"][1]
    words = [text.words for text in figure.scene(notes=False).texts()]
    assert "Mean rmse, lower is better" in words and "20" in words
    assert "% less loss" in figure.sentences()[0]


def test_several_costs_are_drawn_as_one() -> None:
    ordering = tb.order(ULAS, score="accuracy", cost=["train_time", "space"])
    figure = ordering.figure()
    assert figure.combined and figure.trade is not None and figure.frontier == ordering.frontier
    (slope,), points = lines(figure, VERMILION), marks(figure)
    (x, y), (u, v) = slope.points
    assert all(point[1] - (y + (v - y) * (point[0] - x) / (u - x)) > -0.02 for point in points.values())
    alone = ordering.figure("frontier", cost="space")
    assert alone.trade is None and not lines(alone, VERMILION) and alone.cost_name == "space"


def test_sentences_say_who_is_first_up_to_which_trade() -> None:
    figure = tb.order(ULAS, score="accuracy", cost="train_time").figure()
    assert figure.notes()[0] == (
        "svr is first if ten times the train_time must buy up to 3.1%; 5nn from 3.1% on (6.0 points worse, 1/200 of"
        " the train_time)."
    )
    points = tb.order(ULAS, score="accuracy", cost="train_time", trade="1pt").figure()
    assert "must buy up to 2.60 points; 5nn" in points.notes()[0]
    one = tb.order(priced([0.9, 0.8], [1.0, 2.0])).figure()
    assert one.sentences() == ["a0 has the best mean accuracy at the lowest cost: first at every trade."]
    assert not lines(one, BLUE)
    same = tb.order(priced([0.9, 0.8], [2.0, 2.0])).figure()
    assert same.frontier == () and same.sentences() == ["All have the same train_time: the order is by mean accuracy."]
    assert EX.text_overlaps(same.scene(width="84mm")) == []


def test_a_published_rule_has_no_slope() -> None:
    ordering = tb.order(ULAS, score="accuracy", cost="train_time", rule="multitest")
    figure = ordering.figure("frontier")
    assert figure.trade is None and not lines(figure, VERMILION) and "same worth" not in figure.to_svg()
    assert "The order is not by worth" in figure.reading() and isinstance(ordering.figure(), OrderGraph)


def test_names_are_escaped() -> None:
    figure = EX.figure("frontier", 8, "nasty")
    for text in (figure.to_svg(), figure._repr_html_()):
        assert "<script>" not in text and "&lt;script&gt;" in text
    assert r"\input{x}" not in figure.to_tikz()


def test_no_line_strikes_a_name_and_no_name_stands_on_a_mark() -> None:
    for count, width in ((5, "84mm"), (12, "84mm"), (12, "174mm"), (25, "84mm"), (25, "174mm"), (78, "84mm")):
        figure = EX.figure("frontier", count, "short")
        scene = figure.scene(notes=False, width=width)
        drawn = [item for item in scene.items if isinstance(item, Line) and item.colour in (BLUE, VERMILION)]
        segments = [pair for line in drawn for pair in pairwise(line.points)]
        boxes = [item.box() for item in scene.items if isinstance(item, Circle | Area)]
        bottom = max(item.box()[3] for item in scene.items if isinstance(item, Circle | Area) and item.title)
        labels = [text for text in scene.texts() if text.title and text.y < bottom + 12]
        assert len(labels) >= 0.8 * len(figure.labelled())
        for text in labels:
            assert not any(_crosses(segment, text.box()) for segment in segments), (count, width, text.words)
            assert all(apart(text.box(), box) for box in boxes), (count, width, text.words)


def test_orders_without_cost_or_worth_have_no_such_figure() -> None:
    with pytest.raises(OptionError, match=r"The ordering has no cost\."):
        fig.frontier_plane(replace(tb.order(ULAS, score="accuracy", cost="space"), costs={}))
    with pytest.raises(OptionError, match="several scores"):
        fig.frontier_plane(replace(tb.order(ULAS, score="accuracy", cost="space"), valuation=None))
    with pytest.raises(OptionError, match=r"There is no cost 'time'"):
        fig.frontier_plane(tb.order(ULAS, score="accuracy", cost="space"), cost="time")


def test_the_order_graph_belongs_to_the_published_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(OptionError, match='Use rule="multitest", or draw'):
        tb.order(ULAS, score="accuracy", cost="train_time").figure("order")
    options = ["--score", "accuracy", "--cost", "train_time", "-o", str(tmp_path / "f.svg")]
    assert main(["figure", str(FILE), "order", *options]) == 2
    assert "--rule multitest" in capsys.readouterr().err
    assert main(["figure", str(FILE), "frontier", *options, "--width", "column"]) == 0
    assert "same worth as svr" in (tmp_path / "f.svg").read_text()
