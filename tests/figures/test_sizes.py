"""Figures for a width: laid out, not shrunk; no text overlaps, leaves the sheet or is too small to read."""

from __future__ import annotations

from pathlib import Path

import figure_examples as EX
import pytest

import tiebreak as tb
from tiebreak import figures as fig
from tiebreak.errors import OptionError
from tiebreak.figures.cd import lanes_of
from tiebreak.figures.drawing.ladder import MANY_LEAST, divided, name_lines, slots, whole_size
from tiebreak.figures.drawing.palette import ON_DARK, PAPER
from tiebreak.figures.drawing.plane import place_labels
from tiebreak.figures.drawing.scene import Area, Circle, Line, Scene, bounds
from tiebreak.figures.drawing.sheet import Sheet, width_in_points
from tiebreak.figures.drawing.text import text_width

from ..every import every

WIDTHS = {"84mm": 238.11, "390px": 292.5, "174mm": 493.23}
CASES = {
    "84mm": ((2, "latin"), (12, "nasty"), (25, "latin"), (40, "nasty"), (78, "short")),
    "390px": ((5, "latin"), (25, "nasty")),
    "174mm": ((12, "latin"), (60, "nasty")),
}
"""Every layout is met: across and in rows, bars and bands, names whole, broken and shortened, few and many."""


def sound(scene: Scene) -> None:
    assert EX.text_overlaps(scene) == []
    left, top, right, bottom = bounds(scene.items)
    assert left > -0.01 and top > -0.01 and right < scene.width + 0.01 and bottom < scene.height + 0.01
    assert min(text.size for text in scene.texts()) > 5.999


@pytest.mark.parametrize("width", CASES)
@pytest.mark.parametrize("maker", EX.MAKERS)
def test_every_kind_fits_every_width_at_every_number_of_algorithms(maker: str, width: str) -> None:
    for count, kind in CASES[width]:
        if count > 25 and maker in EX.AT_MOST_EIGHT:
            continue
        scene = EX.figure(maker, count, kind).scene(width=width)
        assert scene.width == pytest.approx(WIDTHS[width], abs=0.02)
        sound(scene)


@pytest.mark.parametrize("maker", EX.MAKERS)
def test_matplotlib_measures_no_overlap_at_a_width_either(maker: str) -> None:
    for count, width in ((12, "174mm"), (25, "84mm")):
        boxes, wide, high = EX.measured_by_matplotlib(EX.figure(maker, count, "latin"), width=width)
        assert EX.overlaps(boxes) == [], (count, width)
        assert all(x > -1 and y > -1 and u < wide + 1 and v < high + 1 for x, y, u, v in boxes), (count, width)


def test_texts_of_matplotlib_are_as_wide_at_every_resolution() -> None:
    from matplotlib import rcParams
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    axes, before = EX.figure("cd", 5, "latin").draw(width="84mm"), rcParams["text.hinting"]
    longest = max(axes.texts, key=lambda text: len(text.get_text()))
    wide = []
    for dpi in (72, 100, 200):
        axes.figure.set_dpi(dpi)
        wide.append(longest.get_window_extent(FigureCanvasAgg(axes.figure).get_renderer()).width / dpi * 72)
    assert max(wide) - min(wide) < 1.0 and rcParams["text.hinting"] == before


@pytest.mark.parametrize("maker", ["cd", "control", "matrix", "order", "frontier", "posterior"])
def test_other_sizes_of_letters_fit_too(maker: str) -> None:
    for size in (6, 7, 8.5):
        figure = EX.figure(maker, 12, "latin").sized(width="page", font_size=size)
        sound(figure.scene())
        names = max(text.size for text in figure.scene(notes=False).texts())
        assert 0.8 * size <= names <= size + 0.01  # many rows have smaller names


def test_studies_fit_a_column() -> None:
    from tiebreak.studies import order_shares, replicability

    made = [
        order_shares(repeats=20, steps=3).figure(),
        replicability(pair=("svl", "c45"), biases=[0, 20], repeats=20).figure(),
    ]
    for figure in made:
        for width in WIDTHS:
            sound(figure.scene(width=width))


# ---- what a width is


def test_widths_have_units_and_names() -> None:
    assert width_in_points("25.4mm")[0] == pytest.approx(72) == width_in_points("2.54 cm")[0]
    assert width_in_points("1in") == (72.0, "") == width_in_points(72) == width_in_points("72pt")
    assert width_in_points("390px")[0] == 292.5 and width_in_points("page")[1] == r"\textwidth"
    figure = EX.figure("cd", 5, "short")
    assert figure.scene(width="column").width == figure.scene(width="84mm").width
    assert figure.scene().width > 300


@pytest.mark.parametrize("width", ["84", "wide", "-3mm", 0, True, "84furlongs", float("nan")])
def test_what_is_no_width_is_refused(width: object) -> None:
    if width == "84":
        assert width_in_points("84")[0] == 84
        return
    with pytest.raises(OptionError) as error:
        EX.figure("cd", 5, "short").scene(width=width)
    assert str(error.value) == (
        f"{width!r} is no width of a figure. It is a length in pt, in, cm, mm, px, or the name of one: column, page."
        " Use width='84mm'."
    )


def test_sizes_and_themes_are_checked() -> None:
    figure = EX.figure("cd", 5, "short")
    with pytest.raises(OptionError, match=r"5 is no size of letters. Names are from 6 to 36 points high"):
        figure.sized(font_size=5)
    with pytest.raises(OptionError, match=r"There is no theme 'drak'.*Did you mean 'dark'"):
        figure.sized(theme="drak")
    assert Sheet().over(width=100).over(font_size=7) == Sheet(width=100.0, font_size=7.0)


@pytest.mark.parametrize("maker", ["cd", "matrix"])
def test_too_narrow_a_width_is_refused_with_the_least(maker: str) -> None:
    figure = EX.figure(maker, {"matrix": 8}.get(maker, 12), "latin")
    with pytest.raises(OptionError) as error:
        figure.scene(width="20mm")
    text = str(error.value)
    assert text.startswith("20 mm are too narrow for this figure: it needs ")
    least = int(text.partition("it needs ")[2].partition(" mm")[0])
    assert 25 < least <= 84 and f"Use width='{least}mm', or draw fewer algorithms." in text
    sound(figure.scene(width=f"{least}mm"))
    with pytest.raises(OptionError):
        figure.scene(width=f"{0.9 * least}mm")


def test_a_result_and_a_file_take_the_same_sizes(tmp_path: Path) -> None:
    comparison = EX.comparison(5, "short", posthoc="holm")
    made = comparison.figure("matrix", width="84mm", font_size=7)
    assert made.to_svg() == comparison.figure("matrix").to_svg(width="84mm", font_size=7)
    comparison.figure("matrix").save(tmp_path / "a.svg", width="84mm", font_size=7)
    assert (tmp_path / "a.svg").read_text() == made.to_svg()
    assert made.sized(width="page").scene().width == pytest.approx(493.23, abs=0.01)


# ---- names


def test_names_are_broken_and_what_is_shortened_stands_whole_in_a_key() -> None:
    assert name_lines("k-nearest_neighbours", 9, 60, 3) == (("k-nearest_", "neighbours"), False)
    assert name_lines("1.25", 9, 100, 1) == (("1.25",), False)
    name = "a name of many words that " * 6 + "ends"
    results = {f"d{i}": {name: 0.5 + i / 50, "b": 0.6 + i / 40, "c": 0.4 + i / 30} for i in range(9)}
    compare = tb.compare(tb.Results.from_dict(results, scores="accuracy"))
    for kind in ("cd", "scores"):
        scene = compare.figure(kind, width="84mm").scene(notes=False)
        message = "".join(text.words for text in scene.texts()).replace(" ", "")
        assert "\N{HORIZONTAL ELLIPSIS}" in message and f"={name.replace(' ', '')}" in message
        sound(scene)


def test_lines_of_a_name_are_even_and_a_pair_is_broken_between_the_two() -> None:
    assert name_lines("AutoGluon 1.5 (extreme, 4h)", 9, 110, 3) == (("AutoGluon 1.5", "(extreme, 4h)"), False)
    pair = "naive Bayes \N{EN DASH} gradient boosting"
    assert name_lines(pair, 9, 100, 3) == (("naive Bayes \N{EN DASH}", "gradient boosting"), False)


def test_columns_of_a_matrix_have_numbers_where_their_names_would_be_tall_or_cut() -> None:
    words = [text.words for text in EX.figure("matrix", 12, "latin").scene(width="84mm", notes=False).texts()]
    assert {str(i) for i in range(1, 13)} <= set(words)
    assert not any("\N{HORIZONTAL ELLIPSIS}" in word for word in words)
    upright = [text for text in EX.figure("matrix", 12, "latin").scene(notes=False).texts() if text.upwards]
    assert len(upright) == 12, "without a width names stand above their columns"


# ---- many algorithms


def test_of_many_rows_letters_become_smaller_before_names_are_broken() -> None:
    names = [f"gradient boosting, v{i}" for i in range(40)]
    narrow = text_width(names[-1], 7.0)
    assert whole_size(names, 9.0, narrow) == pytest.approx(7.0, abs=0.01) and whole_size(names, 9.0, 500) == 9.0
    assert whole_size(names, 9.0, 20.0) == MANY_LEAST
    ladder, _ = divided(names, room=200.0, row=13.0, usual=100.0)
    assert all(len(rung.lines) == 1 for rung in ladder.rungs) and ladder.size < 9.0 and not ladder.cuts


def test_many_bars_are_a_band_in_a_column_and_the_words_say_so() -> None:
    figure = fig.critical_difference(EX.comparison(25, "latin", posthoc="holm"))
    assert lanes_of(figure) > 6 and "Bars join" in figure.notes()[0]
    narrow = figure.sized(width="84mm")
    assert "A row's band covers the places" in narrow.notes()[0]
    assert any(
        "no significant difference from" in item.title for item in narrow.scene().items if isinstance(item, Area)
    )


def test_of_many_algorithms_every_pair_that_was_not_told_apart_is_in_the_band() -> None:
    comparison = EX.comparison(60, "short", posthoc="holm")
    figure = fig.critical_difference(comparison)
    assert len(figure.groups) == sum(len(group) > 1 for group in comparison.groups)
    assert not any(getattr(note, "code", "") == "not-drawn" for note in figure.caveats)
    alike = {(pair.a, pair.b) for pair in comparison.iter_pairs() if pair.better is None}
    shown = {(a, figure.algorithms[j]) for i, a in enumerate(figure.algorithms) for j in figure.others(i)}
    assert shown == alike | {(b, a) for a, b in alike}
    bands = [
        item
        for item in figure.items(260.0)
        if isinstance(item, Area) and "no significant difference from" in item.title
    ]
    dark = [item for item in figure.items(260.0) if isinstance(item, Area) and item.title in figure.algorithms]
    cell = min(item.box()[2] - item.box()[0] for item in bands)
    covered = sum(round((item.box()[2] - item.box()[0]) / cell) for item in bands)
    assert len(dark) == 60 and covered == 2 * len(alike) + 60
    assert f"together they are {len(figure.groups)} groups" in figure.notes()[0]


def test_letters_are_written_in_ranges() -> None:
    figure = EX.figure("cd with bar", 60, "short")
    assert all(figure.rows()[i]["letters"] == letters for i, letters in enumerate(figure.letters))
    assert any("\N{EN DASH}" in letter for letter in figure.letters)
    words = {text.words for text in figure.scene(notes=False).texts()}
    assert set(figure.letters) <= words


@pytest.mark.parametrize("kind", ["cd", "scores", "matrix", "control"])
def test_the_first_and_those_named_are_drawn_and_the_others_counted(kind: str) -> None:
    comparison = EX.comparison(40, "short", posthoc="holm", control=kind == "control")
    named = comparison.algorithms[30]
    figure = comparison.figure(kind, top=5, show=(named,), width="84mm")
    sound(figure.scene())
    words = [text.words for text in figure.scene(notes=False).texts()]
    last = comparison.algorithms[39]
    assert last not in words
    assert named in words
    message = " ".join(figure.notes())
    assert ("algorithms are folded" if kind == "matrix" else "of 40 algorithms are drawn") in message
    if kind in ("cd", "scores"):
        assert "… 25 others" in words and "… 9 others" in words


def test_folded_orders_and_planes() -> None:
    ordering = EX.ordering(40, "short")
    graph = ordering.figure("order", top=8, show=[ordering.order[-1]])
    words = [text.words for text in graph.scene(notes=False, width="84mm").texts()]
    assert "… 31 others" in words and ordering.order[-1] in words and ordering.order[20] not in words
    plane = ordering.figure("frontier", top=8)
    assert "32 others, without a number" in [text.words for text in plane.scene(notes=False).texts()]


def test_folding_is_checked() -> None:
    comparison = EX.comparison(8, "short", posthoc="holm")
    with pytest.raises(OptionError) as error:
        comparison.figure(show=["a1"])
    assert str(error.value) == ("show=['a1'] was given alone. Without a limit all algorithms are drawn. Add top=15.")
    with pytest.raises(OptionError, match="top=0 draws no algorithm"):
        comparison.figure(top=0)
    with pytest.raises(OptionError, match="There is no algorithm 'zz'"):
        comparison.figure(top=3, show=["zz"])
    assert comparison.figure(top=20).kept == () and slots(3, (0, 2)) == [(0, 0, 1), (None, 1, 1), (2, 2, 1)]


def test_the_arrows_that_are_drawn_decide_the_order_alone() -> None:
    figure = EX.figure("order", 60, "short")
    deciding = [(arrow.cheaper, arrow.costlier) for arrow in figure.arrows if arrow.decides]
    assert len(deciding) < len(figure.arrows) and len({a for a, _ in deciding}) == len(deciding)
    waits = dict(deciding)
    placed: list[int] = []
    while len(placed) < 60:  # the cheapest of those that need not wait, again and again
        placed.append(next(i for i in range(60) if i not in placed and waits.get(i, -1) in (-1, *placed)))
    assert [figure.nodes[i].place for i in placed] == list(range(1, 61))
    assert f"{len(deciding)} of {len(figure.arrows)} arrows are drawn" in figure.notes()[0]


def test_no_line_strikes_a_label_of_the_plane() -> None:
    from tiebreak.figures.drawing.plane import _crosses

    for count in (12, 25, 40, 78):
        for width in WIDTHS:
            scene = EX.figure("frontier", count, "short").scene(notes=False, width=width)
            lines = [item for item in scene.items if isinstance(item, Line) and item.colour in ("#0072b2", "#d55e00")]
            segments = [pair for line in lines for pair in zip(line.points, line.points[1:], strict=False)]
            marks = [item for item in scene.items if isinstance(item, Circle)]
            low = max(mark.y for mark in marks[:count])
            for text in scene.texts():
                if text.y <= low + 3 and text.anchor == "start" and not text.upwards:
                    assert not any(_crosses(segment, text.box()) for segment in segments), text.words


def test_labels_without_a_place_are_left_out_and_not_struck() -> None:
    crowd = [(10.0, 10.0)] * 3
    assert place_labels(crowd, [15.0] * 3, 8.5, (0, 0, 20, 20), radius=4) is None
    placed = place_labels(crowd, [15.0] * 3, 8.5, (0, 0, 20, 20), radius=4, patient=True)
    assert placed is not None and None in placed


# ---- on the command line


ULAS = str(Path(__file__).parents[2] / "examples" / "ulas2012.csv")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    from tiebreak.cli import main

    code = main(["figure", ULAS, "cd", "--score", "accuracy", *words])
    return code, capsys.readouterr().err


def test_the_command_line_draws_for_a_width(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cd.tex"
    words = ("-o", str(path), "--width", "column", "--no-notes", "--top", "3", "--show", "c45")
    assert run(capsys, *words)[0] == 0
    text = path.read_text()
    assert r"x=\columnwidth/238.11" in text and "3 others" in text and "Caveat" not in text
    path = tmp_path / "cd.svg"
    assert run(capsys, "-o", str(path), "--width", "390px", "--font-size", "7")[0] == 0
    assert 'width="292.5pt"' in path.read_text() and 'font-size="7"' in path.read_text()
    assert run(capsys, "-o", str(path), "--theme", "dark")[0] == 0 and ON_DARK[PAPER] in path.read_text()


def test_the_command_line_refuses_in_its_own_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = ("-o", str(tmp_path / "a.svg"))
    code, text = run(capsys, *drawn, "--width", "20mm")
    assert code == 2 and "20 mm are too narrow for this figure" in text and "Use --width " in text
    code, text = run(capsys, *drawn, "--width", "wide")
    assert code == 2 and "'wide' is no width of a figure" in text and "Use --width 84mm." in text
    code, text = run(capsys, *drawn, "--show", "c45")
    assert code == 2 and "Add --top 15." in text


# ---- read without colour


def test_marks_and_lines_differ_where_colours_are_not_printed() -> None:
    from tiebreak.figures.drawing.lines import Series
    from tiebreak.figures.drawing.palette import luma, two_sided

    series = [Series(name="s", points=((0.0, 0.0),), number=i) for i in range(6)]
    looks = {(type(item.mark(0, 0)), item.number % 2, len(getattr(item.mark(0, 0), "points", ()))) for item in series}
    assert len(looks) == 6 and len({item.dash() for item in series}) == 6
    assert luma(two_sided(1)) + 40 < luma(two_sided(-1)) < luma(two_sided(0)) - 40
    matrix = EX.figure("matrix", 40, "short")
    triangles = [item for item in matrix.items() if isinstance(item, Area) and len(item.points) == 3]
    ups = sum(item.points[2][1] < item.points[0][1] for item in triangles)
    assert ups * 2 == len(triangles) == sum(cell.better != 0 for cell in matrix.cells) + 2


@every("maker", EX.MAKERS)
def test_the_least_width_that_is_promised_will_do(maker: str) -> None:
    figure = EX.figure(maker, 2, "latin")
    try:
        figure.scene(width="25mm")
    except OptionError as error:
        figure.scene(width=f"{str(error).split('it needs ')[1].split(' ')[0]}mm")
