"""Figures of a comparison by several measures: contours against chi-squared, degenerate clouds, orders, options."""

from __future__ import annotations

import math
from pathlib import Path

import figure_examples as EX
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

import tiebreak as tb
from tiebreak import figures as fig
from tiebreak.errors import InputError, OptionError
from tiebreak.figures.contours import MeasureContours
from tiebreak.figures.drawing.panels import COLOURS, mark, stride
from tiebreak.figures.drawing.plane import MOST, SHARES, contours_of, make_panels
from tiebreak.figures.drawing.scene import Circle, bounds
from tiebreak.multivariate_tests import MultivariateComparison

KINDS = ("contours", "learned")


def table(values: np.ndarray, measures: tuple[str, ...] = ("tpr", "fpr")) -> tb.Results:
    """A table of one data set from an array (folds, algorithms, measures)."""
    folds, count, _ = values.shape
    keys = {"dataset": ["d"] * (folds * count), "algorithm": [f"a{i}" for i in range(count)] * folds}
    keys["fold"] = [k for k in range(folds) for _ in range(count)]
    return tb.Results.from_dict(keys | {m: values[..., j].ravel().tolist() for j, m in enumerate(measures)})


def compared(values: np.ndarray, measures: tuple[str, ...] = ("tpr", "fpr")) -> MultivariateComparison:
    return tb.multivariate(table(values, measures), scores=measures)


# ---- contours


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.floats(-0.99, 0.99), st.floats(1e-9, 1e6), st.floats(1e-9, 1e6), st.floats(-1e3, 1e3))
def test_every_point_of_a_contour_has_the_distance_of_its_share(r: float, sx: float, sy: float, shift: float) -> None:
    """Squared Mahalanobis distance on the ellipse is the quantile of chi-squared on 2 degrees of freedom."""
    covariance = np.array([[sx * sx, r * sx * sy], [r * sx * sy, sy * sy]])
    lines = contours_of((shift * sx, -shift * sy), (sx, sy), r)
    for share, line in zip(SHARES, lines, strict=True):
        away = (np.array(line) - [shift * sx, -shift * sy]) / [sx, sy]
        scaled = covariance / np.outer([sx, sy], [sx, sy])
        distance = np.einsum("ij,jk,ik->i", away, np.linalg.inv(scaled), away)
        assert distance == pytest.approx(stats.chi2.ppf(share, 2), rel=1e-6)
        assert line[0] == line[-1]


def test_contours_hold_their_share_of_many_folds() -> None:
    rng = np.random.default_rng(0)
    points = rng.multivariate_normal([0.8, 0.2], [[4e-4, -3e-4], [-3e-4, 9e-4]], size=4000)
    cloud = make_panels(["a"], points[:, :1], points[:, 1:], points[:, :1], ("x", "y", "x")).clouds[0]
    assert cloud.correlation == pytest.approx(np.corrcoef(points.T)[0, 1])
    assert cloud.deviation == pytest.approx(points.std(axis=0, ddof=1))
    from matplotlib.path import Path as Outline

    for share, line in zip(SHARES, cloud.contours, strict=True):
        assert Outline(line).contains_points(points).mean() == pytest.approx(share, abs=0.015)


def test_points_on_a_line_have_an_interval_along_it() -> None:
    x = np.random.default_rng(1).normal(0.5, 0.1, (12, 1))
    cloud = make_panels(["a"], x, 1 - 2 * x, x, ("x", "y", "x")).clouds[0]
    assert cloud.correlation == -1.0
    for z, line in zip((0.6745, 1.96), cloud.contours, strict=True):
        assert len(line) == 2
        assert line[1][0] - line[0][0] == pytest.approx(2 * z * x.std(ddof=1), rel=1e-4)
        assert [y for _, y in line] == pytest.approx([1 - 2 * u for u, _ in line])


def test_one_measure_that_does_not_vary_gives_a_level_segment_and_none_gives_a_point() -> None:
    x = np.random.default_rng(1).normal(0.5, 0.1, (12, 1))
    flat = np.full((12, 1), 0.3)
    level = make_panels(["a"], x, flat, x, ("x", "y", "x")).clouds[0]
    assert level.correlation is None and all(y == pytest.approx(0.3) for line in level.contours for _, y in line)
    point = make_panels(["a"], flat, flat, flat, ("x", "y", "x")).clouds[0]
    assert point.contours == () and point.deviation == (0.0, 0.0)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(
    st.lists(st.floats(-100, 100).map(lambda v: round(v, 3)), min_size=4, max_size=60),
    st.sampled_from([1e-6, 1.0, 1e6]),
    st.sampled_from([0.0, 1.0]),
)
def test_bins_hold_every_fold_once(values: list[float], scale: float, shift: float) -> None:
    column = np.array(values)[:, None] * scale + shift
    panels = make_panels(["a"], column, None, column, ("x", "", "x"))
    assert sum(panels.counts[0]) == len(values)
    assert panels.edges[0] <= column.min() * (1 + 1e-9 * np.sign(column.min())) and panels.edges[-1] > column.max()
    assert len(panels.edges) <= 80
    steps = np.diff(panels.edges)
    assert steps == pytest.approx(steps[0], rel=1e-4)


# ---- the figure "contours"


def test_contours_are_the_usual_figure_and_show_the_folds() -> None:
    multivariate = EX.multivariate(4, "short")
    figure = multivariate.figure()
    assert isinstance(figure, MeasureContours) and fig.KINDS["MultivariateComparison"] == KINDS
    assert (figure.x, figure.y, figure.single) == ("tpr", "fpr", "tpr") and not figure.centred
    cube = multivariate.sets[0].cube
    for i, cloud in enumerate(figure.panels.clouds):
        assert cloud.algorithm == multivariate.algorithms[i]
        assert cloud.xs == tuple(cube[:, i, 0]) and cloud.ys == tuple(cube[:, i, 1])
    row = figure.rows()[0]
    assert row["folds"] == 10 and row["mean tpr"] == pytest.approx(cube[:, 0, 0].mean())
    assert figure.notes()[0].startswith(
        "4 algorithms on data set 'd0' by tpr (higher is better), fpr (lower is better). Dotted lines"
    )


def test_axes_can_be_chosen() -> None:
    multivariate = EX.multivariate(3, "short", measures=("tpr", "fpr", "precision"))
    figure = multivariate.figure("contours", x="precision", single="fpr")
    assert (figure.x, figure.y, figure.single) == ("precision", "tpr", "fpr")
    assert multivariate.figure("contours", y="tpr").x == "fpr"
    with pytest.raises(OptionError, match=r"x and y are both 'tpr'\. Name two measures"):
        multivariate.figure("contours", x="tpr", y="tpr")
    with pytest.raises(OptionError, match="'recall'"):
        multivariate.figure("contours", x="recall")


def test_the_single_measure_can_come_from_the_table() -> None:
    rng = np.random.default_rng(5)
    counts = {"dataset": [], "algorithm": [], "fold": [], "tp": [], "fn": [], "fp": [], "tn": []}
    for k in range(8):
        for name in ("a", "b"):
            tp, fp = int(rng.integers(30, 50)), int(rng.integers(0, 20))
            for key, value in zip(counts, ("d", name, k, tp, 50 - tp, fp, 50 - fp), strict=True):
                counts[key].append(value)
    results = tb.Results.from_dict(counts)
    multivariate = tb.multivariate(results, scores=["tpr", "fpr"])
    figure = multivariate.figure("contours", single="error", results=results)
    place = figure.panels.clouds[0].algorithm
    rows = [i for i, name in enumerate(counts["algorithm"]) if name == place]
    errors = sorted((counts["fn"][i] + counts["fp"][i]) / 100 for i in rows)
    assert sorted(figure.panels.clouds[0].singles) == pytest.approx(errors)
    assert figure.panels.single_name == "error (lower is better)"
    with pytest.raises(OptionError) as error:
        multivariate.figure("contours", single="error")
    assert str(error.value) == (
        "The comparison does not hold the measure 'error'. It holds tpr, fpr. Give the table too:"
        " figure('contours', single='error', results=results)."
    )


def test_several_data_sets_are_brought_together_by_their_means() -> None:
    multivariate = EX.multivariate(3, "short", sets=5)
    figure = multivariate.figure()
    assert figure.centred and "the mean of all algorithms on its data set is subtracted" in figure.notes()[0]
    assert figure.panels.x_name == "tpr minus the mean of its data set (higher is better)"
    everything = [x for cloud in figure.panels.clouds for x in cloud.xs]
    assert len(everything) == 150 and math.fsum(everything) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("kind", ["contours", "learned"])
def test_more_algorithms_than_colours_are_left_out_with_a_caveat(kind: str) -> None:
    multivariate = EX.multivariate(20, "short")
    figure = multivariate.figure(kind)
    assert [cloud.algorithm for cloud in figure.panels.clouds] == list(multivariate.algorithms[:MOST])
    assert figure.caveats[0] == "12 of 20 algorithms are not drawn; choose with top=1, show=['A', 'B']."
    assert figure.caveats[0].code == "not-drawn"
    with pytest.raises(OptionError) as error:
        multivariate.figure(kind, top=9)
    assert str(error.value) == (
        "9 algorithms are to be drawn. At most 8 can be distinguished by colour and shape. Use top=8."
    )
    with pytest.raises(OptionError, match="'zzz'"):
        multivariate.figure(kind, top=1, show=["zzz"])


def test_marks_differ_in_colour_and_in_shape() -> None:
    assert len(set(COLOURS)) == MOST
    shapes = set()
    for i in range(MOST):
        items = mark(i, 0.0, 0.0, 3.0)
        shapes.add(tuple((type(item).__name__, item.box(), getattr(item, "fill", "") == "#ffffff") for item in items))
    assert len(shapes) == MOST


def test_too_many_folds_are_thinned_with_a_caveat() -> None:
    values = np.random.default_rng(0).normal(0.5, 0.1, (1200, 3, 2))
    figure = compared(values).figure()
    assert stride(figure.panels) == 2
    assert "One of 2 folds is drawn as a point; contours and histograms use all." in figure.caveats
    assert sum(map(sum, figure.panels.counts)) == 3600
    dots = [item for item in figure.items() if isinstance(item, Circle) and item.radius == 1.9]
    assert 600 <= len(dots) <= 602


# ---- the figure "learned"


def test_the_learned_plane_shows_the_projections() -> None:
    multivariate = EX.multivariate(4, "short", resampling_correction="none")
    figure = multivariate.figure("learned")
    projected = multivariate.learned.projections
    within = EX.multivariate(4, "short")
    centred = within.learned.projections - within.learned.projections.mean(axis=1, keepdims=True)
    assert within.figure("learned").panels.clouds[0].xs == pytest.approx(centred[:, 0, 0])
    for i, cloud in enumerate(figure.panels.clouds):
        assert cloud.xs == pytest.approx(projected[:, i, 0]) and cloud.ys == pytest.approx(projected[:, i, 1])
        assert cloud.singles == cloud.xs
    share = multivariate.learned.shares[0]
    assert figure.panels.x_name in (f"M1 ({share:.0%})", "M1 (more than 99%)")
    weights = multivariate.learned.standardised[:, 0]
    sign = "−" if weights[1] < 0 else "+"
    assert figure.formulas()[0] == (
        f"M1 = {weights[0]:.3g} tpr {sign} {abs(weights[1]):.3g} fpr (measures in residual standard deviations)"
    )
    words = [text.words for text in figure.scene(notes=False).texts()]
    assert figure.formulas()[0] in words and figure.formulas()[1] in words


def test_a_formula_may_start_with_a_minus() -> None:
    from tiebreak.figures.contours import _sum

    assert _sum(("a", "b"), (-0.5, 0.25)) == "−0.5 a + 0.25 b" and _sum(("a", "b"), (0.5, -2.0)) == "0.5 a − 2 b"


def test_blocked_projections_lose_what_is_common_to_a_fold() -> None:
    multivariate = EX.multivariate(3, "short", sets=5)
    figure = multivariate.figure("learned")
    assert figure.blocked and "the mean of all algorithms on its fold is subtracted." in figure.notes()[0]
    sums = np.sum([cloud.xs for cloud in figure.panels.clouds], axis=0)
    assert sums == pytest.approx(0, abs=1e-9)


def test_one_learned_measure_is_a_row_of_points_per_algorithm() -> None:
    figure = EX.multivariate(2, "short").figure("learned")
    first, second = figure.panels.clouds
    assert first.ys == () and len(figure.formulas()) == 1 and figure.panels.x_name == "M1 (100%)"
    assert first.xs == pytest.approx([-x for x in second.xs])
    assert "two algorithms mirror each other" in figure.notes()[0]
    one = EX.multivariate(3, "short", measures=("error",)).figure()
    assert one.y == "" and all(len(line) == 2 for cloud in one.panels.clouds for line in cloud.contours)


def test_nothing_learned_is_an_error_that_says_what_to_draw() -> None:
    result = compared(np.full((10, 3, 2), 0.5))
    with pytest.raises(InputError) as error:
        result.figure("learned")
    assert str(error.value) == ("There is no learned measure. Draw the measures themselves: figure('contours').")
    assert EX.text_overlaps(result.figure("contours").scene()) == []


# ---- both


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("measures", [("tpr",), ("tpr", "fpr", "precision", "mcc")])
def test_one_and_four_measures_and_five_data_sets_have_room(kind: str, measures: tuple[str, ...]) -> None:
    for count, names, sets in ((2, "long", 1), (5, "nasty", 5), (8, "latin", 1)):
        scene = EX.multivariate(count, names, sets=sets, measures=measures).figure(kind).scene()
        assert EX.text_overlaps(scene) == []
        left, top, right, bottom = bounds(scene.items)
        assert left >= 0 and top >= 0 and right <= scene.width and bottom <= scene.height


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_fits_the_width_of_a_report(kind: str) -> None:
    """704 pixels wide there: letters of 8 points stay at least 8 pixels tall up to 704 points."""
    for names in ("short", "long", "nasty"):
        assert EX.multivariate(8, names).figure(kind).scene(notes=False).width <= 704


def test_identical_algorithms_are_drawn() -> None:
    values = np.random.default_rng(2).normal(0.5, 0.05, (10, 1, 2)).repeat(8, axis=1)
    assert EX.text_overlaps(compared(values).figure("contours").scene()) == []


@pytest.mark.parametrize("factor", [1e-9, 1.0, 1e9])
def test_measures_of_any_size_have_room(factor: float) -> None:
    values = np.random.default_rng(2).normal(0.5, 0.05, (10, 4, 2)) * factor
    for kind in KINDS:
        assert EX.text_overlaps(compared(values).figure(kind).scene()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_line_draws_each_kind(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tiebreak.cli import main

    rows = ["dataset,algorithm,fold,tpr,fpr"]
    rng = np.random.default_rng(0)
    rows += [f"d,a{i},{k},{rng.normal(0.8, 0.05):.4f},{rng.normal(0.2, 0.05):.4f}" for k in range(8) for i in range(3)]
    (tmp_path / "m.csv").write_text("\n".join(rows))
    options = ["--score", "tpr,fpr", "-o", str(tmp_path / "f.svg")]
    assert main(["figure", str(tmp_path / "m.csv"), kind, *options]) == 0
    assert (tmp_path / "f.svg").read_text().startswith("<svg")
    assert main(["figure", str(tmp_path / "m.csv"), "pie", *options]) == 2
    assert "contours, learned" in capsys.readouterr().err
