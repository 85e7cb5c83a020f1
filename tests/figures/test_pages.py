"""Figures and the page: how high they are with many algorithms, what is folded, and what is said of it."""

from __future__ import annotations

import math
from pathlib import Path

import figure_examples as EX
import pytest

from tiebreak.errors import OptionError
from tiebreak.figures.drawing.axis import Scale
from tiebreak.figures.drawing.sheet import width_in_points
from tiebreak.wording import on_the_command_line

MM = 72 / 25.4
FOLDED = ["cd", "control", "matrix", "matrix of control", "scores", "forest", "order"]


@pytest.mark.parametrize("maker", FOLDED)
def test_seventy_eight_algorithms_fit_a_page_without_the_words(maker: str) -> None:
    figure = EX.figure(maker, 78, "short")
    for width in ("84mm", "174mm"):
        assert figure.scene(width=width, height="any", notes=False).height < 243 * MM, width
    assert figure.foldable() >= 77
    if maker not in ("cd", "control", "matrix"):
        return
    low = figure.no_higher(150 * MM, width="84mm")
    assert low.scene(notes=False).height <= 150 * MM
    assert "algorithms are folded" in low.reading() or "rows with dots stand for the others" in low.reading()


@pytest.mark.parametrize("maker", EX.MAKERS)
def test_a_figure_leaves_a_column_room_for_its_caption(maker: str) -> None:
    """A column of a usual article has 230 mm; the caption takes 30 of them."""
    count = 8 if maker in EX.AT_MOST_EIGHT else 60
    figure = EX.figure(maker, count, "latin" if count == 8 else "short")
    for width in ("84mm", "174mm"):
        scene = figure.scene(width=width, notes=False)
        assert scene.height <= 200 * MM, width
        assert min(text.size for text in scene.texts()) > 5.999
        whole = figure.scene(width=width, height="any", notes=False)
        message = "are folded so that the figure keeps to 200 mm; height='any' draws all of them."
        assert (message in scene.description) == (whole.height > 200 * MM), width
        assert "keeps to 200" not in whole.description
        if message in scene.description and "pairs" not in maker:
            assert any("others" in text.words for text in scene.texts()), "the picture counts those that it folds"


def test_words_count_among_the_height_of_a_figure() -> None:
    figure = EX.figure("cd", 60, "short").sized(width="84mm", height="180mm")
    drawn, bare = figure.fitted(), figure.fitted(notes=False)
    assert figure.scene().height <= 180 * MM and 8 <= len(drawn.kept) < 60 and bare is figure
    message = " ".join(text.words for text in figure.scene().texts())
    assert f"{len(drawn.kept)} of 60 algorithms are drawn" in message and "Rows are folded so that" in message


def test_what_was_chosen_is_drawn_whatever_its_height() -> None:
    comparison = EX.comparison(78, "short", posthoc="holm")
    for kind in ("cd", "matrix", "scores"):
        figure = comparison.figure(kind, top=76, width="84mm")
        assert figure.fitted(notes=False) is figure and "keeps to" not in figure.scene(notes=False).description
    screen = comparison.figure("cd").sized(width="390px")
    assert screen.fitted() is screen  # a screen scrolls
    assert comparison.figure("cd", height="any").sized(width="84mm").sheet.highest == math.inf
    low = comparison.figure("cd", width="84mm", height="120mm")
    assert low.scene(notes=False).height <= 120 * MM and "keeps to 120 mm" in low.scene(notes=False).description


def test_planes_name_fewer_where_a_key_would_be_too_high() -> None:
    figure = EX.by_worth(25, "long").figure("frontier", width="84mm", height="120mm")
    drawn = figure.fitted(notes=False)
    assert 5 <= len(drawn.kept) < 25 and "Names are folded so that" in figure.scene(notes=False).description


@pytest.mark.parametrize("height", ["tall", "-3mm", True, "0"])
def test_heights_that_are_none_are_refused(height: object) -> None:
    with pytest.raises(OptionError) as error:
        EX.figure("cd", 5, "short").scene(height=height)
    assert str(error.value) == (
        f"{height!r} is no height of a figure. It is a length in pt, in, cm, mm, px, or any. Use height='200mm'."
    )


def test_pairs_in_a_column_are_as_many_as_a_page_holds() -> None:
    figure = EX.figure("posterior", 12, "latin")
    assert figure.scene(width="84mm", height="any", notes=False).height < 240 * MM
    assert "30 pairs are" in figure.sized(width="84mm").reading() and "30 pairs are" not in figure.reading()


def test_a_figure_higher_than_a_page_says_what_makes_it_lower() -> None:
    figure = EX.figure("scores", 78, "short")
    text = (
        "Caveat: The figure is higher than a page (240 mm): top=15 draws the first 15 and counts the others;"
        " notes=False leaves the words to a caption."
    )
    assert figure.scene().description.count(text) == 1 and text not in figure.scene(notes=False).description
    with on_the_command_line("figure"):
        assert "--top 15 draws the first 15 and counts the others; --no-notes leaves" in figure.scene().description
    assert "higher than a page" not in figure.first(15).scene().description
    assert "higher than a page" not in EX.figure("scores", 25, "short").scene(width="84mm").description


def test_the_command_line_says_it_where_no_words_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tiebreak.cli import main

    rows = [f"d{d},a{a:02},{(7 * d * a) % 13 + a}" for d in range(6) for a in range(60)]
    (tmp_path / "x.csv").write_text("dataset,algorithm,error\n" + "\n".join(rows))
    call = ["figure", str(tmp_path / "x.csv"), "scores", "--no-notes", "-o"]
    assert main([*call, str(tmp_path / "a.svg")]) == 0
    assert "Caveat: The figure is higher than a page (240 mm): --top 15 draws" in capsys.readouterr().err
    assert main([*call, str(tmp_path / "a.svg"), "--top", "15"]) == 0 and capsys.readouterr().err == ""
    assert main([*call, str(tmp_path / "a.svg"), "--width", "84mm", "--height", "150mm"]) == 0
    text = "Caveat: Rows are folded so that the figure keeps to 150 mm; --height any draws all of them.\n"
    assert capsys.readouterr().err == text and "keeps to 150 mm" in (tmp_path / "a.svg").read_text()
    assert main([*call, str(tmp_path / "a.svg"), "--width", "84mm"]) == 0 and capsys.readouterr().err == ""


def test_places_are_whole_numbers() -> None:
    assert Scale(low=0.3, high=2.7, start=0, end=100, whole=True).ticks() == [1.0, 2.0]
    assert Scale(low=0.3, high=12.7, start=0, end=100, whole=True).ticks(5) == [5.0, 10.0]
    words = {text.words for text in EX.figure("order", 2, "short").scene(width="84mm", notes=False).texts()}
    assert {"1", "2"} <= words and not {"0.5", "1.5", "1.0"} & words


def test_widths_that_no_sheet_has_are_refused() -> None:
    with pytest.raises(OptionError) as error:
        width_in_points("9999999mm")
    assert str(error.value) == (
        "'9999999mm' is too wide for a figure. The limit is 1200 mm, the size of the largest sheets of paper."
        " Use width='174mm', the width of a page."
    )
    with pytest.raises(OptionError, match=r"^Less than a millimetre is too narrow for this figure: it needs \d\d mm\."):
        EX.figure("cd", 5, "short").scene(width="1pt")


# ---- several measures


def test_figures_of_several_measures_draw_the_first_and_those_named() -> None:
    multivariate = EX.multivariate(12, "short")
    for kind in ("contours", "learned"):
        figure = multivariate.figure(kind, top=2, show="a7")
        assert [cloud.algorithm for cloud in figure.panels.clouds] == [*multivariate.algorithms[:2], "a7"]
        assert any("9 of 12 algorithms are not drawn" in caveat for caveat in figure.caveats)
    with pytest.raises(OptionError, match=r"show=\['a1'\] was given alone.*Add top=8"):
        multivariate.figure("contours", show=["a1"])


def test_what_a_kind_does_not_take_is_refused_by_name() -> None:
    with pytest.raises(OptionError) as error:
        EX.multivariate(5, "short").figure("learned", single="tpr")
    assert str(error.value) == (
        "A figure of the kind 'learned' takes no single. It takes top, show, width, height, font_size, theme."
        " Leave it out."
    )
