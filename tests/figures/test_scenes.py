"""Layout, measured by our own metrics and by matplotlib's: nothing overlaps, nothing leaves the canvas."""

from __future__ import annotations

import re
from itertools import pairwise

import figure_examples as EX
import pytest
from hypothesis import given, strategies as st

import tiebreak as tb
from tiebreak import figures as fig
from tiebreak.figures.cd import PAD, CriticalDifference
from tiebreak.figures.drawing.axis import digits_of
from tiebreak.figures.drawing.bars import bar_rows, runs, set_apart
from tiebreak.figures.drawing.plane import place_labels
from tiebreak.figures.drawing.scene import Text, apart, bounds
from tiebreak.figures.drawing.text import fitted, shown, text_width, wrapped


@pytest.mark.parametrize("maker", EX.MAKERS)
def test_no_texts_overlap_and_nothing_leaves_the_canvas(maker: str) -> None:
    for count, kind in EX.cases(list(EX.MAKERS).index(maker)):
        if count > 20 and maker in EX.AT_MOST_EIGHT:
            continue
        scene = EX.figure(maker, count, kind).scene()
        assert EX.text_overlaps(scene) == [], (count, kind)
        left, top, right, bottom = bounds(scene.items)
        assert left >= 0 and top >= 0 and right <= scene.width and bottom <= scene.height, (count, kind)


@pytest.mark.parametrize("maker", EX.MAKERS)
def test_matplotlib_measures_no_overlap_either(maker: str) -> None:
    # its font lacks some letters of "unicode"
    cases = [case for case in EX.cases(list(EX.MAKERS).index(maker))[:-1] if case[1] != "unicode"]
    for count, kind in [case for case in cases if case[0] in (4, 8, 60)]:
        if count > 20 and maker in EX.AT_MOST_EIGHT:
            continue
        boxes, wide, high = EX.measured_by_matplotlib(EX.figure(maker, count, kind))
        assert EX.overlaps(boxes) == [], (count, kind)
        assert all(x >= 0 and y >= 0 and u <= wide and v <= high for x, y, u, v in boxes), (count, kind)


def test_text_is_measured_as_wide_as_matplotlib_draws_it() -> None:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    for words in ("gradient boosting", EX.NASTY, "Überwälder naïve", "WWWiii", "λ, Я", "12.5e−07 …"):
        for bold in (False, True):
            font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
            drawn = TextPath((0, 0), words, size=10, prop=font).get_extents().width
            assert drawn - 1 <= text_width(words, 10, bold=bold) <= 1.75 * drawn


def test_a_name_is_shortened_in_its_middle_and_kept_whole_for_the_pointer() -> None:
    name = "a very long name " * 8 + "end"
    figure = CriticalDifference(
        algorithms=(name, "b"),
        positions=(1.0, 2.0),
        position_name="mean rank of x (lower is better)",
        location_name="mean rank",
        low_is_best=True,
        groups=(),
        critical_difference=None,
        method="some test",
        alpha=0.05,
        heading="two",
    )
    text = next(text for text in figure.scene().texts() if "…" in text.words)
    assert text.words.startswith("a very long name") and text.words.endswith("end") and name in text.title


@given(st.text(max_size=60), st.floats(20, 300))
def test_fitted_and_wrapped_texts_keep_to_their_width(text: str, limit: float) -> None:
    assert text_width(fitted(text, 9, limit), 9) <= limit
    lines = wrapped(text, 9, limit)
    assert all(text_width(line, 9) <= limit for line in lines)
    assert "".join(lines).replace(" ", "") == shown(text).replace(" ", "")


def test_characters_that_no_document_may_hold_are_replaced() -> None:
    assert shown("a\nb\x00c\ud800d\ufffee\u202ef") == "a�b�c�d�e<U+202E>f"


def test_a_name_of_which_nothing_is_seen_is_written_by_number() -> None:
    assert shown("\u200b") == "<U+200B>" and shown("\u2060\ufeff") == "<U+2060><U+FEFF>"
    assert shown("\u200d") == "<U+200D>" and shown("\u3164") == "<U+3164>" and shown("\xa0") == "<U+00A0>"
    assert shown("a\u200db") == "a\u200db" and shown("") == "" and shown(" ") == " " and shown("e\u0301") == "e\u0301"


def scaled(factor: float, shift: float, *, control: bool) -> tb.Comparison:
    scores = shift + factor * EX.table(8, "short").means("accuracy")
    results = tb.Results.from_array(scores, score="error", algorithms=[f"a{i}" for i in range(8)])
    return tb.compare(results, omnibus="rm-anova", control="a0" if control else None)


@pytest.mark.parametrize(("factor", "shift"), [(1e-9, 0), (1e-9, 0.5), (1e6, 0), (1e6, -2e6), (1e3, 1e6), (1e12, 0)])
def test_scores_of_any_size_are_told_apart_and_have_room(factor: float, shift: float) -> None:
    result = scaled(factor, shift, control=False)
    against = scaled(factor, shift, control=True)
    figures = [fig.critical_difference(result), fig.pairwise_matrix(result)]
    figures += [fig.control_diagram(against), fig.pairwise_matrix(against)]
    for figure in figures:
        assert EX.text_overlaps(figure.scene()) == []
    for figure in (figures[0], figures[2]):
        words = {text.words for text in figure.scene(notes=False).texts()}
        positions = [digits_of(figure.positions)(position) for position in figure.positions]
        assert len(set(positions)) == 8 and set(positions) <= words
    assert not any(re.fullmatch(r"0\.0+", text.words) for figure in figures for text in figure.scene().texts())


def test_equal_values_and_zero_have_digits() -> None:
    assert digits_of((0.0, 0.0))(0.0) == "0.00" and digits_of((2.0, 2.0))(2.0) == "2.00"
    assert digits_of((2e-9, 2e-9))(2e-9) == "2.00e−09" and digits_of((0.0, -2e-9))(0.0) == "0"
    assert digits_of((1e-9, -2e-9))(-2e-9) == "−2.00e−09" and digits_of((1e12, 3e12))(3e12) == "3.00e12"


# ---- critical-difference diagrams


@pytest.mark.parametrize("count", [3, 8, 20, 25])
def test_bars_cover_their_members_and_touch_no_other(count: int) -> None:
    figure = EX.figure("cd", count, "short")
    spots = _spots(figure)
    assert all(b - a > 2 * PAD + 1 for a, b in pairwise(spots))
    bars = EX.thick_bars(figure)
    rows = bar_rows(figure.groups)
    for group, row in zip(figure.groups, rows, strict=True):
        height = bars[0][2] + 6.0 * (row - rows[0])
        mine = [bar for bar in bars if abs(bar[2] - height) < 1e-6]
        low, high = spots[group[0]] - PAD, spots[group[-1]] + PAD
        mine = [bar for bar in mine if bar[0] >= low - 1e-6 and bar[1] <= high + 1e-6]
        touched = {i for i, x in enumerate(spots) for a, b, _ in mine if a <= x <= b}
        assert touched == set(group)


def _spots(figure: CriticalDifference) -> list[float]:
    """Where the leader lines of the algorithms run through the bars."""
    return [item.points[3][0] for item in figure.items() if type(item).__name__ == "Line" and len(item.points) == 5]


def broken() -> CriticalDifference:
    return CriticalDifference(
        algorithms=tuple("abcdef"),
        positions=(1.0, 2.0, 2.0, 2.0, 4.0, 5.0),
        position_name="mean rank of x (lower is better)",
        location_name="mean rank",
        low_is_best=True,
        groups=((0, 1, 3), (2, 4), (4, 5)),
        critical_difference=None,
        method="some test",
        alpha=0.05,
        heading="six",
    )


def test_a_group_that_is_not_contiguous_is_broken_over_non_members() -> None:
    figure = broken()
    spots = _spots(figure)
    everything = [item for item in figure.items() if getattr(item, "title", "") == "a, b, d"]
    assert len(everything) > 3
    for item in everything:
        left, _, right, _ = item.box()
        assert not left <= spots[2] <= right, "c is not in the group"
    assert "A broken bar joins only" in figure.notes()[0]
    assert {round(item.box()[1], 3) for item in figure.items() if getattr(item, "title", "") == "e, f"}


def test_equal_positions_fan_out_to_lines_of_their_own() -> None:
    spots = _spots(broken())
    assert spots == sorted(spots) and min(b - a for a, b in pairwise(spots)) > 5


def test_names_stand_left_for_the_better_half_and_right_for_the_others() -> None:
    figure = EX.figure("cd", 8, "short")
    at = {text.words: text for text in figure.scene().texts()}
    assert [at[name].anchor for name in figure.algorithms] == ["end"] * 4 + ["start"] * 4


def test_the_critical_difference_is_drawn_to_scale() -> None:
    figure = EX.figure("cd with bar", 8, "short")
    axis = next(item for item in figure.items() if getattr(item, "width", 0) == 1.0)
    bar = next(item for item in figure.items() if getattr(item, "width", 0) == 1.4)
    spots = [item.points[0][0] for item in figure.items() if type(item).__name__ == "Line" and len(item.points) == 5]
    unit = (spots[-1] - spots[0]) / (figure.positions[-1] - figure.positions[0])
    assert bar.points[1][0] - bar.points[0][0] == pytest.approx(unit * figure.critical_difference)
    assert bar.points[1][0] <= axis.points[1][0]


# ---- helpers of layout


@given(st.lists(st.lists(st.integers(0, 20), min_size=2, max_size=6, unique=True).map(sorted), max_size=12))
def test_bars_use_as_few_rows_as_can_be(groups: list[list[int]]) -> None:
    rows = bar_rows(groups)
    for i, a in enumerate(groups):
        for j, b in enumerate(groups[:i]):
            assert rows[i] != rows[j] or a[-1] < b[0] or b[-1] < a[0]
    crowd = max((sum(g[0] <= x <= g[-1] for g in groups) for x in range(21)), default=0)
    assert max(rows, default=-1) + 1 == crowd


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30).map(sorted))
def test_places_set_apart_keep_order_distance_and_limits(places: list[float]) -> None:
    moved = set_apart(places, 3.0, 0.0, 100.0)
    assert all(b - a >= 3.0 - 1e-9 for a, b in pairwise(moved))
    assert moved[0] >= -1e-9 and moved[-1] <= 100 + 1e-9


def test_runs_of_neighbours() -> None:
    assert runs((0, 1, 3, 5, 6)) == [(0, 1), (3, 3), (5, 6)]


def test_labels_collide_with_nothing_or_are_given_up() -> None:
    points = [(50.0 + 9 * (i % 5), 50.0 + 11 * (i // 5)) for i in range(25)]
    placed = place_labels(points, [12.0] * 25, 8.0, (0, 0, 300, 300), radius=2, patient=True)
    assert placed is not None
    boxes = [Text(p.x, p.y, "nn", size=8).box() for p in placed if p is not None]
    assert len(boxes) >= 20, "those without a place are left out"
    assert all(apart(a, b) for i, a in enumerate(boxes) for b in boxes[:i])
    close = [(150.0 + i % 3, 150.0) for i in range(40)]
    assert place_labels(close, [12.0] * 40, 8.0, (0, 0, 300, 300), radius=2, patient=True) is not None
    assert place_labels(points, [12.0] * 25, 8.0, (0, 0, 300, 300), radius=2) is None
    assert place_labels(points, [90.0] * 25, 8.0, (0, 0, 120, 80), radius=3) is None
