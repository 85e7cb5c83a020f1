"""Figures of the advisor's evaluation: what they hold, and that nothing overlaps or leaves the canvas."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import figure_examples as EX
import numpy as np

from tiebreak import figures as fig
from tiebreak.advisor.top_n import TopN, top_n
from tiebreak.figures import Figure
from tiebreak.figures.curves import top_n_curves
from tiebreak.figures.drawing.scene import bounds


def data(count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(count)
    return rng.uniform(0.5, 1, (30, count)), np.exp(rng.normal(0, 2, (30, count)))


@cache
def top(count: int, kind: str) -> TopN:
    rates, times = data(count)
    ranked = np.random.default_rng(1).random((min(count, 12), 30, count))
    names = EX.names(len(ranked), kind)
    return top_n({**dict(zip(names, ranked, strict=True)), "random": ranked[0]}, rates, times)


@cache
def figure(count: int, kind: str) -> Figure:
    return top_n_curves(top(count, kind), ranking="arr")


def test_no_texts_overlap_and_nothing_leaves_the_canvas() -> None:
    for width, (count, kind) in product((None, "84mm"), EX.cases(0)[:-2]):
        if width and (count > 8 or kind in ("long", "nasty")):  # a column has no room for them
            continue
        scene = figure(count, kind).scene(width=width)
        assert EX.text_overlaps(scene) == [], count
        left, top_, right, bottom = bounds(scene.items)
        assert left >= 0 and top_ >= 0 and right <= scene.width and bottom <= scene.height, count


def test_svg_and_tikz_hold_names_as_text_only() -> None:
    made = figure(8, "nasty")
    ElementTree.fromstring(made.to_svg())
    body = [line for line in made.to_tikz().splitlines() if not line.startswith("%")]
    assert "<script>" not in made.to_svg() and not any(r"\input{x}" in line for line in body)
    assert made.to_svg() == top_n_curves(top(8, "nasty"), ranking="arr").to_svg()
    assert made.rows() and made.title() and made.notes()


def test_matplotlib_draws_it(tmp_path: Path) -> None:
    figure(8, "short").save(tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_the_kind_is_made_by_its_name() -> None:
    assert fig.KINDS["TopN"] == ("top-n",)
    assert type(top(8, "short").figure()) is type(figure(8, "short"))


def test_top_n_holds_the_means_and_leaves_the_random_order_out() -> None:
    result = top(3, "short")
    made = top_n_curves(result)
    assert [line.name for line in made.panels[0].series] == ["a0", "a1", "a2", "single best on average"]
    columns = [[row[name] for row in made.rows()] for name in ("mean loss", "mean share of time")]
    np.testing.assert_allclose(columns[0][:3], result.loss[0].mean(axis=0))
    np.testing.assert_allclose(columns[1][3:6], result.share[1].mean(axis=0))
    assert [row["n"] for row in made.rows()] == [1, 2, 3] * 3 + [1]


def test_the_scale_of_time_is_logarithmic_where_shares_span_a_decade() -> None:
    rates, times = np.array([[0.9, 0.8], [0.7, 0.8]]), np.array([[1.0, 99.0], [1.0, 99.0]])
    ranked = {"fast first": np.array([[2.0, 1.0]] * 2)}
    assert top_n_curves(top_n(ranked, rates, times)).panels[1].across.log
    assert "logarithmic" in top_n_curves(top_n(ranked, rates, times)).notes()[0]
    assert not top_n_curves(top_n(ranked, rates, np.ones((2, 2)))).panels[1].across.log


def test_a_loss_of_nothing_at_all_can_be_drawn() -> None:
    made = top_n_curves(top_n({"x": np.ones((3, 2))}, np.ones((3, 2)), np.ones((3, 2))))
    assert made.to_svg() and {row["mean loss"] for row in made.rows()} == {0.0}
