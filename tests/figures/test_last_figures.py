"""What figures do at the edges of their room: pairs that fold, figures higher than a page, names that had to be cut."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from figure_examples import comparison, multivariate, names, table

import tiebreak as tb
from tiebreak import figures as fig
from tiebreak.errors import OptionError
from tiebreak.figures import Figure
from tiebreak.figures.drawing.ladder import MANY_LEAST, make_ladder, name_lines, whole_size
from tiebreak.figures.drawing.scene import Area, Scene
from tiebreak.figures.drawing.text import evenly, text_width
from tiebreak.figures.posteriors import Posterior


def _posterior(**options: Any) -> Posterior:
    scores = table(8, "long").means("accuracy")
    result = tb.stats.bayesian_sign_pairs(scores, rope=0.01, algorithms=names(8, "long"))
    return fig.posterior(result, **options)


def test_pairs_are_folded_to_a_height_and_counted() -> None:
    figure = _posterior()
    low = figure.no_higher(320.0, width="page")
    drawn = len(low.kept)
    assert figure.foldable() == 28 and 15 <= drawn < 28
    assert low.scene(notes=False).height < figure.scene(notes=False, width="page").height
    text = f" {28 - drawn} pairs "
    assert text in low.reading() and text not in figure.reading()


def test_a_posterior_of_some_algorithms_counts_the_other_pairs() -> None:
    few = _posterior(top=2, show=[names(8, "long")[7]])
    assert {name for odds in few.odds for name in (odds.a, odds.b)} == {names(8, "long")[i] for i in (0, 1, 7)}
    assert few.folded == 25 and few.reading().endswith("25 pairs of other algorithms are folded.")
    with pytest.raises(OptionError, match=r"top=1 leaves no pair to draw\. Bars are of pairs"):
        _posterior(top=1)


@pytest.mark.parametrize(
    ("figure", "lower"),
    [
        (_posterior(), "top=6 draws the pairs of the first 6"),
        (fig.measure_contours(multivariate(8, "short")), "top=4 draws the first 4"),
        (fig.measure_contours(multivariate(3, "short")), ""),
    ],
)
def test_a_figure_higher_than_a_page_says_what_makes_it_lower(figure: Figure, lower: str) -> None:
    scene = figure.scene(notes=False, width="column")
    assert figure.too_high(scene) is None or scene.height > 680
    tall = Scene(**{name: getattr(scene, name) for name in scene.__slots__} | {"height": 700.0})
    high = figure.too_high(tall)
    assert high is not None and high.code == "not-drawn"
    start = "The figure is higher than a page (240 mm): "
    ways = [*([lower] if lower else []), "notes=False leaves the words to a caption"]
    assert str(high) == f"{start}{'; '.join(ways)}."
    bare = figure.too_high(tall, notes=False)
    assert str(bare) == f"{start}{lower or 'it needs shorter names, or fewer of them'}."


def test_names_over_histograms_that_are_cut_stand_whole_in_a_key() -> None:
    figure = fig.measure_contours(multivariate(3, "nasty"))
    words = [text.words for text in figure.scene(notes=False, width="page").texts()]
    cut = [word for word in words if "…" in word and "=" not in word]
    assert cut and all(any(word.startswith(f"{short} =") for word in words) for short in cut)


def test_two_long_names_do_not_stand_upright_over_a_small_matrix() -> None:
    for width in (None, "page", "column"):
        texts = comparison(2, "long").figure("matrix").scene(notes=False, width=width).texts()
        assert not any(text.upwards for text in texts) and {"1", "2"} <= {text.words for text in texts}
    one = fig.pairwise_matrix(comparison(4, "long", control=True, posthoc="holm")).scene(notes=False, width="column")
    assert not any(text.upwards for text in one.texts())


def test_the_legend_of_a_matrix_shows_the_marks_of_its_cells() -> None:
    figure = comparison(60, "short", posthoc="holm").figure("matrix")
    marks = [item for item in figure.scene(notes=False, width="column").items if isinstance(item, Area)]
    assert "upper half" in figure.reading() and not any(len(item.points) == 3 for item in marks)


def test_lines_of_a_title_are_about_as_long_as_each_other() -> None:
    words = "distance from the median algorithm less that of a (lower is better)"
    for limit in (90.0, 160.0, 200.0, 400.0):
        lines = evenly(words, 8.0, limit)
        assert " ".join(lines) == words and all(text_width(line, 8.0) <= limit for line in lines)
        assert len(lines) == 1 or text_width(lines[-1], 8.0) > 0.4 * text_width(lines[0], 8.0)


def test_the_longest_of_many_names_is_not_broken_by_rounding() -> None:
    """The size is the largest in which the longest name has room: widths are rounded, and it must still fit."""
    listed = [f"{'x' * 7}{'il' * (i % 17)} {i:.3f}" for i in range(60)]
    least = max(text_width(name, MANY_LEAST) for name in listed)
    for step in range(1, 40):
        limit = least * (1 + step / 160)
        rungs = make_ladder(listed, row=11.0, limit=limit, most=2, size=whole_size(listed, 9.0, limit)).rungs
        assert {len(rung.lines) for rung in rungs} == {1}, limit


def test_each_name_of_a_pair_is_shortened_by_itself() -> None:
    pair = "a first name that is very long indeed \N{EN DASH} a second name that is as long as the first"
    lines, cut = name_lines(pair, 9.0, 60.0, 4)
    assert cut and len(lines) == 4 and lines[1].endswith("\N{EN DASH}") and lines[2].startswith("a second")
    assert "".join(lines).count("\N{HORIZONTAL ELLIPSIS}") == 2


def test_texts_of_a_dark_figure_keep_clear_of_its_edge() -> None:
    for kind in ("cd", "matrix"):
        scene = comparison(5, "long", posthoc="holm").figure(kind).scene(width="column", theme="dark")
        boxes = [text.box() for text in scene.texts()]
        assert round(scene.width, 1) == 238.1
        assert min(box[0] for box in boxes) > 2.5 and max(box[2] for box in boxes) < scene.width - 2.5
        assert min(box[1] for box in boxes) > 1.5 and max(box[3] for box in boxes) < scene.height - 1.5


def test_an_order_that_no_test_moved_counts_nothing() -> None:
    order = tb.order(table(4, "short"), score="accuracy", cost="train_time", alpha=1e-9, rule="multitest")
    words = [text.words for text in order.figure("order").scene(width="column").texts()]
    assert not {"past", "behind"} & set(words) and not any(word.endswith("  by cost") for word in words)
    assert any("every place is by cost" in " ".join(words[i : i + 3]) for i in range(len(words)))


def test_p_values_beside_a_control_stand_under_a_head_in_a_column() -> None:
    figure = comparison(8, "short", control=True, posthoc="bonferroni-dunn").figure("control")
    narrow, free = ([text.words for text in figure.scene(notes=False, **w).texts()] for w in ({"width": "column"}, {}))
    assert "p" in narrow and not any(item.startswith("p ") for item in narrow)
    assert "p" not in free and sum(item.startswith("p ") for item in free) == 7


def test_costs_over_many_orders_of_magnitude_are_powers_of_ten() -> None:
    scores = np.linspace(0.6, 0.9, 6) + np.random.default_rng(0).normal(0, 0.01, (12, 6))
    costs = 10.0 ** np.arange(-6, 6, 2) * np.ones((12, 1))
    both = [
        tb.Results.from_array(item, score=name, algorithms=list("abcdef"))
        for item, name in ((scores, "accuracy"), (costs, "train_time"))
    ]
    figure = tb.order(tb.with_costs(*both), score="accuracy", cost="train_time").figure("frontier")
    words = [text.words for text in figure.scene(width="84mm", notes=False).texts()]
    assert "1e−05" in words and not any("e+" in word for word in words)


def test_two_that_differ_are_not_every_pair() -> None:
    scores = np.random.default_rng(0).normal([0.6, 0.9], 0.01, (12, 2))
    compare = tb.compare(tb.Results.from_array(scores, score="accuracy", algorithms=["a", "b"]), omnibus=None)
    assert compare.figure("cd").reading().startswith("The two differ significantly (")
