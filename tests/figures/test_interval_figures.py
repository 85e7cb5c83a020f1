"""Forest plots, ratios, scores with their spread: numbers, verdicts, words, and nothing struck."""

from __future__ import annotations

import math
from pathlib import Path

import figure_examples as EX
import numpy as np
import pytest
from scipy import stats as outside

import tiebreak as tb
from tiebreak import figures as fig
from tiebreak.cli import main
from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import Scale, ratio_ticks, reach
from tiebreak.figures.drawing.scene import Area, Circle, Line, Scene, bounds

FILE = Path(__file__).parents[2] / "examples" / "ulas2012.csv"
ULAS, DEMSAR = tb.published.ulas2012(), tb.published.demsar2006()


def sound(scene: Scene) -> None:
    assert EX.text_overlaps(scene) == []
    left, top, right, bottom = bounds(scene.items)
    assert left > -0.01 and top > -0.01 and right < scene.width + 0.01 and bottom < scene.height + 0.01
    assert min(text.size for text in scene.texts()) > 5.999


def words(figure: fig.Figure, **sizes: object) -> list[str]:
    return [text.words for text in figure.scene(notes=False, **sizes).texts()]


def table(scores: np.ndarray, score: str = "accuracy", **costs: list[float]) -> tb.Results:
    sets, count = scores.shape
    columns: dict[str, list[object]] = {
        "dataset": [f"d{i}" for i in range(sets) for _ in range(count)],
        "algorithm": [f"a{j}" for j in range(count)] * sets,
        score: scores.ravel().tolist(),
    }
    return tb.Results.from_dict(columns | {name: cost * sets for name, cost in costs.items()})


# ---- forest plots


def test_a_forest_shows_differences_from_the_best_in_the_sign_of_the_score() -> None:
    compare = tb.compare(DEMSAR, score="auc")
    figure = fig.forest_plot(compare)
    assert figure.reference == compare.algorithms[0] and figure.family == 6 and figure.higher_is_better
    for item in figure.differences:
        a, b = (compare.scores[:, compare.algorithms.index(name)] for name in (item.algorithm, item.reference))
        averages = np.add.outer(a - b, a - b)[np.triu_indices(14)] / 2
        assert item.estimate == pytest.approx(np.median(averages))  # Hodges and Lehmann's, by its definition
        # the interval holds the shifts that Wilcoxon's exact test does not reject at alpha / 6
        inside, beyond = item.low + 1e-9, item.low - 1e-9
        p = [outside.wilcoxon(a - b - shift, mode="exact").pvalue for shift in (inside, beyond)]
        assert p[0] > 0.05 / 6 >= p[1]
    lower = tb.Results.from_array(1 - compare.scores, score="error", algorithms=compare.algorithms)
    turned = fig.forest_plot(tb.compare(lower))
    assert not turned.higher_is_better and "(lower is better)" in " ".join(words(turned))
    assert [difference.estimate for difference in turned.differences] == pytest.approx(
        [-e.estimate for e in figure.differences]
    )
    assert [difference.low for difference in turned.differences] == pytest.approx(
        [-difference.high for difference in figure.differences]
    )


def test_marks_say_what_the_test_of_the_comparison_says() -> None:
    compare = tb.compare(ULAS, score="accuracy", control="mlp")
    figure = compare.figure("forest")
    verdicts = {difference.algorithm: difference.verdict for difference in figure.differences}
    for pair in compare.pairs:
        text = "open" if pair.better is None else "better" if pair.better == pair.b else "worse"
        assert verdicts[pair.b] == text
    assert figure.reference == "mlp" and figure.family == 7 and {"better", "open"} <= set(verdicts.values())
    with pytest.raises(OptionError) as error:
        fig.forest_plot(compare, reference="svl")
    assert str(error.value) == (
        "The reference is 'svl', the comparison has the control 'mlp'. Only pairs with the control were tested."
        " Use compare(..., control='svl'), or none."
    )


def test_another_reference_takes_the_intervals_of_all_pairs() -> None:
    compare = tb.compare(ULAS, score="accuracy")
    best, other = fig.forest_plot(compare), fig.forest_plot(compare, reference="mlp")
    mine = next(difference for difference in best.differences if difference.algorithm == "mlp")
    back = next(difference for difference in other.differences if difference.algorithm == best.reference)
    assert (back.estimate, back.low, back.high) == (-mine.estimate, -mine.high, -mine.low)
    assert (mine.verdict, back.verdict) == ("worse", "better") and other.family == best.family == 28


def test_ranks_are_called_ranks_and_have_the_critical_difference() -> None:
    compare = tb.compare(ULAS, score="accuracy", posthoc="nemenyi")
    figure = fig.forest_plot(compare)
    assert figure.unit == "mean rank" and not figure.higher_is_better
    assert any("mean rank less that of svr (lower is better)" in line for line in words(figure))
    for difference in figure.differences:
        assert difference.high - difference.estimate == pytest.approx(compare.critical_difference)
        assert difference.estimate == pytest.approx(
            compare.mean_ranks[compare.algorithms.index(difference.algorithm)] - compare.mean_ranks[0]
        )
    with pytest.raises(OptionError) as error:
        fig.forest_plot(compare, margin=1.0)
    assert str(error.value) == (
        "margin=1.0 was given after a test on ranks. A margin is in units of the score, and the differences drawn are"
        " those of ranks. Use pairwise='wilcoxon', or none."
    )


def test_the_margin_is_shaded_to_scale() -> None:
    figure = fig.forest_plot(tb.compare(ULAS, score="accuracy"), margin=1.5)
    band = next(item for item in figure.items() if isinstance(item, Area) and item.opacity < 1)
    zero = next(item for item in figure.items() if isinstance(item, Line) and item.dash)
    left, _, right, _ = band.box()
    assert (left + right) / 2 == pytest.approx(zero.points[0][0])
    scale = figure._scale(300.0)
    assert right - left == pytest.approx(scale(1.5) - scale(-1.5))
    assert "below 1.5 and does not matter" in figure.notes()[0]
    for wrong in (0, -1.0, math.inf, True, "1%"):
        with pytest.raises(OptionError, match="is no margin"):
            fig.forest_plot(tb.compare(ULAS, score="accuracy"), margin=wrong)  # type: ignore[arg-type]


def test_what_lies_far_out_is_an_arrow_with_its_number() -> None:
    rng = np.random.default_rng(0)
    scores = 0.8 + rng.normal(0, 0.01, (20, 9))
    scores[:, 8] -= 0.6
    figure = fig.forest_plot(tb.compare(table(scores)))
    scale, worst = figure._scale(300.0), figure.differences[-1]
    assert worst.algorithm == "a8" and worst.high < min(scale.low, scale.high) and scale.high - scale.low < 0.2
    assert any(line.startswith("\N{MINUS SIGN}0.60") for line in words(figure))
    assert reach([1.0, 1.1, 1.2, 1.3, 9.0], [0.0]) == (0.0, 1.3) and reach([2.0] * 5 + [9.0]) == (2.0, 9.0)
    assert reach([-math.inf, math.inf]) == (0.0, 0.0)


def test_too_few_data_sets_have_lines_without_ends() -> None:
    figure = tb.compare(tb.Results.from_array(EX.table(4, "short").means("accuracy")[:4], score="accuracy")).figure(
        "forest"
    )
    assert all(math.isinf(difference.low) and math.isinf(difference.high) for difference in figure.differences)
    assert any("too few" in str(note) for note in figure.caveats)
    sound(figure.scene(width="84mm"))


def test_many_rows_are_folded() -> None:
    comparison = EX.comparison(40, "short", posthoc="holm")
    figure = comparison.figure(
        "forest", top=5, show=[comparison.algorithms[30], comparison.algorithms[0]], width="84mm"
    )
    assert {"\N{HORIZONTAL ELLIPSIS} 24 others", comparison.algorithms[30]} <= set(words(figure))
    assert comparison.algorithms[20] not in words(figure) and "6 of 39 algorithms are drawn" in figure.notes()[0]
    sound(figure.scene())


def test_forests_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--score", "accuracy", "-o", str(tmp_path / "f.svg")]
    assert main(["figure", str(FILE), "forest", *options, "--top", "3"]) == 0
    assert "3 of 7 algorithms are drawn" in (tmp_path / "f.svg").read_text()
    drawn = tb.compare(FILE, score="accuracy").figure("forest", margin=1.5)
    assert any("below 1.5 and does not matter" in str(note) for note in drawn.notes())


# ---- ratios


def test_ratios_are_written_as_people_say_them() -> None:
    def ticks(low: float, high: float, width: float = 200.0) -> list[str]:
        return [text for _, text in ratio_ticks(Scale(low=low, high=high, start=0.0, end=width, log=True))]

    assert ticks(0.05, 0.5) == ["1/20", "1/10", "1/5", "1/2"] or "1/10" in ticks(0.05, 0.5)
    assert "1" in ticks(1e-6, 1e5) and ticks(1e-6, 1e5)[0].startswith("1/")
    assert ticks(0.6, 1.6) == ["1/1.5", "1/1.2", "1", "1.2", "1.5"]
    assert len(ticks(1e-9, 1e9, 100.0)) <= 5


# ---- scores with their spread


@pytest.mark.parametrize("count", [2, 5, 6, 14, 30])
def test_the_interval_of_the_median_is_that_of_scipy(count: int) -> None:
    scores = np.random.default_rng(count).normal(size=(count, 2))
    for spread in fig.score_distributions(tb.Results.from_array(scores, score="error")).spreads:
        held = outside.quantile_test(spread.values, p=0.5).confidence_interval(0.95)
        ends = [math.copysign(math.inf, i - 0.5) if math.isnan(end) else end for i, end in enumerate(held)]
        assert [spread.median_low, spread.median_high] == ends
        assert math.isinf(spread.median_low) == (count < 6)


def test_scores_of_an_order_stand_in_its_order() -> None:
    order = tb.order(ULAS, score="accuracy", cost="train_time")
    figure = order.figure("scores")
    assert [spread.algorithm for spread in figure.spreads] == list(order.order)
    assert figure.rows()[0]["mean"] == pytest.approx(ULAS.means("accuracy")[:, ULAS.algorithms.index("svr")].mean())
    assert figure.axis == "linear" and "the bar its 95% interval" in figure.notes()[0]


def test_scores_that_run_off_stand_on_another_axis() -> None:
    rng = np.random.default_rng(1)
    scores = np.abs(rng.normal(1.0, 0.1, (40, 3)))
    scores[0, 1] = 60.0
    cut = fig.score_distributions(tb.Results.from_array(scores, score="rmse"))
    assert cut.axis == "cut" and cut.beyond == 1 and cut.limits[1] < 2
    assert "Arrows stand for 1 score farther out." in cut.notes()[0]
    assert max(item.box()[2] for item in cut.items() if isinstance(item, Circle)) <= 340
    scores[0, 1] = 6000.0
    log = fig.score_distributions(tb.Results.from_array(scores, score="rmse"))
    assert log.axis == "log" and "rmse (logarithmic scale)" in words(log)
    for figure in (cut, log):
        for width in ("84mm", "174mm"):
            sound(figure.scene(width=width))
