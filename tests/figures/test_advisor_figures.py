"""Figures of the advisor's evaluation: what they hold, and that nothing overlaps or leaves the canvas."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import figure_examples as EX
import numpy as np
import pytest

from tiebreak import figures as fig
from tiebreak.advisor.leave_one_out import leave_one_out
from tiebreak.advisor.top_n import (
    AccdCurve,
    TopN,
    top_n,
)
from tiebreak.figures import Figure
from tiebreak.figures.curves import accd_lines, top_n_curves
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


def over_accd(accds: tuple[float, ...], count: int, distances: np.ndarray, k: tuple[int, ...]) -> AccdCurve:
    rates, times = data(count)
    evaluations = [leave_one_out(rates, times, distances=distances, k=k, accd=accd) for accd in accds]
    return AccdCurve(
        accds=accds,
        evaluations=tuple(evaluations),
        tops=tuple(top_n(item.by_method(), rates, times) for item in evaluations),
    )


@cache
def curve(count: int, kind: str) -> AccdCurve:
    del kind
    distances = np.random.default_rng(2).random((30, 30))
    return over_accd((0.001, 0.01, 0.05), count, distances, tuple(range(1, min(count, 8))))


MAKERS = {
    "top-n": lambda count, kind: top_n_curves(top(count, kind), ranking="arr"),
    "accd": lambda count, kind: accd_lines(curve(count, kind)),
}


@cache
def figure(maker: str, count: int, kind: str) -> Figure:
    return MAKERS[maker](count, kind)


@pytest.mark.parametrize("maker", MAKERS)
def test_no_texts_overlap_and_nothing_leaves_the_canvas(maker: str) -> None:
    for width, (count, kind) in product((None, "84mm"), EX.cases(list(MAKERS).index(maker))[:-2]):
        if width and (count > 8 or kind in ("long", "nasty")):  # a column has no room for them
            continue
        scene = figure(maker, count, kind).scene(width=width)
        assert EX.text_overlaps(scene) == [], count
        left, top_, right, bottom = bounds(scene.items)
        assert left >= 0 and top_ >= 0 and right <= scene.width and bottom <= scene.height, count


@pytest.mark.parametrize("maker", MAKERS)
def test_svg_and_tikz_hold_names_as_text_only(maker: str) -> None:
    made = figure(maker, 8, "nasty")
    ElementTree.fromstring(made.to_svg())
    body = [line for line in made.to_tikz().splitlines() if not line.startswith("%")]
    assert "<script>" not in made.to_svg() and not any(r"\input{x}" in line for line in body)
    assert made.to_svg() == MAKERS[maker](8, "nasty").to_svg()
    assert made.rows() and made.title() and made.notes()


@pytest.mark.parametrize("maker", MAKERS)
def test_matplotlib_draws_it(maker: str, tmp_path: Path) -> None:
    figure(maker, 8, "short").save(tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_every_kind_is_made_by_its_name() -> None:
    for kind, result in (
        ("top-n", top(8, "short")),
        ("accd", curve(8, "short")),
    ):
        assert fig.KINDS[type(result).__name__] == (kind,)
        assert type(result.figure()) is type(figure(kind, 8, "short"))


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


def test_accd_curves_run_from_the_least_accd() -> None:
    result = over_accd((0.05, 0.001), 4, 1 - np.eye(30), (3,))
    made = accd_lines(result)
    assert [x for x, _ in made.panels[0].series[0].points] == [0.001, 0.05]
    rows = {(row["accd"], row["method"]): row for row in result.rows()}
    for row in made.rows():
        assert row["mean spearman"] == rows[row["accd"], row["method"]]["mean spearman"]
    one = accd_lines(over_accd((0.01,), 4, 1 - np.eye(30), (3,)))
    assert not one.panels[0].across.log and one.to_svg()
