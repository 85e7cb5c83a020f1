"""The data of each figure: what stands where, and why some results have no such figure."""

from __future__ import annotations

from itertools import combinations

import figure_examples as EX
import numpy as np
import pytest

import tiebreak as tb
from tiebreak import figures as fig
from tiebreak.errors import InputError, OptionError
from tiebreak.figures.cd import CriticalDifference
from tiebreak.figures.control import ControlDiagram
from tiebreak.figures.drawing.axis import Scale, round_values, spread, tick_texts
from tiebreak.figures.frontier import FrontierPlane
from tiebreak.figures.order import OrderGraph
from tiebreak.figures.posteriors import Posterior
from tiebreak.figures.scores import ScoreDistributions


def test_demsars_figure_1() -> None:
    """Figure 1a of Demsar (2006): mean ranks 3.143, 2.893, 2.000, 1.964, CD 1.25, one bar over all four."""
    compare = tb.compare(tb.published.demsar2006_ranks(), score="rank", posthoc="nemenyi", tie_correction=False)
    figure = fig.critical_difference(compare)
    assert figure.algorithms == ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    assert [round(position, 3) for position in figure.positions] == [1.964, 2.0, 2.893, 3.143]
    assert figure.groups == ((0, 1, 2, 3),) and figure.critical_difference == pytest.approx(1.25, abs=0.005)


def test_demsars_figure_1b_against_the_control() -> None:
    """Figure 1b: control C4.5, Bonferroni-Dunn at 0.10, interval 1.05; C4.5+m+cf and C4.5+m lie outside."""
    compare = tb.compare(
        tb.published.demsar2006_ranks(), control="C4.5", posthoc="bonferroni-dunn", alpha=0.1, tie_correction=False
    )
    figure = fig.control_diagram(compare)
    assert figure.verdicts == ("better", "better", "open", "control")
    assert figure.critical_difference == pytest.approx(1.05, abs=0.02)
    assert [row["adjusted"] is None for row in figure.rows()] == [False, False, False, True]


@pytest.mark.parametrize("count", [3, 8, 20, 40])
def test_bars_join_exactly_the_pairs_that_were_not_told_apart(count: int) -> None:
    comparison = EX.comparison(count, "short", posthoc="holm")
    figure = fig.critical_difference(comparison)
    joined = set().union(*(EX.all_pairs(group) for group in figure.groups)) if figure.groups else set()
    alike = {
        (int(a), int(b))
        for a, b, s in zip(comparison.tests.a, comparison.tests.b, comparison.significant, strict=True)
        if not s
    }
    assert joined == alike
    assert all(len(group) > 1 for group in figure.groups)


def test_mean_scores_are_drawn_in_their_own_sign_with_the_best_on_the_left() -> None:
    compare = tb.compare(EX.table(8, "short"), score="accuracy", omnibus="rm-anova")
    figure = fig.critical_difference(compare)
    assert not figure.low_is_best and figure.positions[0] > figure.positions[-1] > 0
    assert figure.position_name == "mean accuracy (higher is better)"
    x = {text.words: text.x for text in figure.scene().texts()}
    assert x[figure.algorithms[0]] < x[figure.algorithms[-1]]


def test_all_alike_is_one_bar_and_equal_positions_are_no_trouble() -> None:
    same = tb.Results.from_array(np.ones((6, 5)), score="accuracy", algorithms=list("abcde"))
    compare = tb.compare(same, omnibus="friedman")
    assert fig.critical_difference(compare).groups == ((0, 1, 2, 3, 4),)
    for figure in (fig.critical_difference(compare), fig.pairwise_matrix(compare)):
        assert EX.text_overlaps(figure.scene()) == []
    assert fig.score_distributions(compare).spreads[0].low == 1.0


def test_the_matrix_holds_each_pair_from_both_sides() -> None:
    comparison = EX.comparison(8, "short", posthoc="holm")
    figure = fig.pairwise_matrix(comparison)
    cells = {(cell.row, cell.column): cell for cell in figure.cells}
    assert len(cells) == 8 * 7
    for i, j in combinations(range(8), 2):
        upper, lower = cells[i, j], cells[j, i]
        assert upper.advantage == pytest.approx(comparison.locations[j] - comparison.locations[i])
        assert (upper.wins, upper.ties, upper.losses) == (lower.losses, lower.ties, lower.wins)
        assert upper.wins + upper.ties + upper.losses == len(comparison.datasets)
        assert upper.better == -lower.better and upper.adjusted == lower.adjusted
        wins = (comparison.scores[:, i] > comparison.scores[:, j]).sum()
        assert upper.wins == wins


def test_the_matrix_of_a_control_has_one_column() -> None:
    comparison = EX.comparison(8, "short", control=True, posthoc="holm")
    figure = fig.pairwise_matrix(comparison)
    assert figure.column_names == (comparison.control,) and comparison.control not in figure.row_names
    pairs = {pair.b: pair for pair in comparison.iter_pairs()}
    for cell in figure.cells:
        pair = pairs[figure.row_names[cell.row]]
        assert cell.adjusted == pair.adjusted
        assert cell.better == (0 if pair.better is None else 1 if pair.better == pair.b else -1)


def test_cell_texts_are_dropped_where_they_would_not_be_read() -> None:
    small, large = EX.figure("matrix", 8, "short"), EX.figure("matrix", 40, "short")
    assert any("/" in text.words for text in small.scene().texts())
    assert not any("/" in text.words for text in large.scene(notes=False).texts())
    assert {"row better", "row worse"} <= {text.words for text in large.scene().texts()}


def test_the_order_graph_tells_prior_places_and_arrows() -> None:
    ordering = EX.ordering(8, "short")
    figure = fig.order_graph(ordering)
    assert tuple(node.name for node in figure.nodes) == ordering.prior
    assert tuple(n.name for n in sorted(figure.nodes, key=lambda n: n.place)) == ordering.order
    assert {(ordering.prior[a.cheaper], ordering.prior[a.costlier]) for a in figure.arrows} == {
        (edge.cheaper, edge.costlier) for edge in ordering.graph()[1]
    }
    assert all(arrow.cheaper < arrow.costlier for arrow in figure.arrows) and figure.arrows


def test_an_order_without_arrows_says_so() -> None:
    order = tb.order(tb.published.ulas2012(), score="accuracy", cost="train_time", variant="2012")
    figure = fig.order_graph(order)
    assert figure.arrows == ()
    assert "No costlier algorithm is significantly better placed than a cheaper one: every place" in figure.notes()[0]


def test_over_many_data_sets_arrows_lead_to_the_better_placed() -> None:
    assert (
        "to a costlier one that is significantly better placed (alpha = 0.05)."
        in EX.figure("order", 8, "short").notes()[0]
    )
    folds = np.random.default_rng(0).normal(0.8, 0.01, (10, 2)) + np.array([0.0, 0.1])
    one = tb.Results.from_dict(
        {
            "dataset": ["d"] * 20,
            "algorithm": ["cheap", "good"] * 10,
            "fold": np.repeat(np.arange(10), 2).tolist(),
            "accuracy": folds.ravel().tolist(),
            "train_time": [1.0, 2.0] * 10,
        }
    )
    figure = fig.order_graph(
        tb.order(one, score="accuracy", cost="train_time", pairwise="corrected-t", rule="multitest")
    )
    assert (
        "One arrow leads from a cheaper algorithm to a costlier one that is significantly better ("
        in (figure.notes()[0])
    )


@pytest.mark.parametrize("count", [8, 20])
def test_a_given_order_is_not_called_a_cost(count: int) -> None:
    prior = EX.ordering(count, "short").prior
    figure = fig.order_graph(
        tb.order(EX.table(count, "short"), score="accuracy", prior=prior, pairwise="score", rule="multi2test")
    )
    words = [text.words for text in figure.scene(notes=False).texts()]
    assert {"place in the given order", "place by test"} <= set(words)
    assert not {"place by cost, cheap to costly", "place by cost", "by cost"} & set(words)
    assert "from an earlier algorithm to a later one that is significantly better placed" in figure.notes()[0]
    assert EX.text_overlaps(figure.scene()) == []
    assert not any("cheaper" in word or "costlier" in word for word in words)


def test_mean_ranks_of_a_table_with_gaps_are_called_implied() -> None:
    scores = EX.table(4, "short").means("accuracy").copy()
    scores[0, 1] = scores[3, 2] = np.nan
    results = tb.Results.from_array(scores, score="accuracy", algorithms=list("abcd"))
    text = "Mean ranks are implied by the estimated effects; they may lie outside 1 to k, the number of algorithms."
    figures = [
        fig.critical_difference(tb.compare(results, omnibus="skillings-mack")),
        fig.control_diagram(tb.compare(results, omnibus="skillings-mack", control="a")),
    ]
    assert all(figure.location_name == "implied mean rank" and text in figure.notes()[0] for figure in figures)
    assert text not in EX.figure("cd", 4, "short").notes()[0]


def test_the_axis_of_a_score_called_rank_is_not_one_of_ranks() -> None:
    scores = EX.table(4, "short").means("accuracy")
    results = tb.Results.from_array(scores, score="rank_accuracy", algorithms=list("abcd"))
    figure = fig.critical_difference(tb.compare(results, omnibus="rm-anova", higher_is_better=True))
    ends = [text.words for text in figure.scene(notes=False).texts() if text.words in ("0", "1")]
    assert figure.position_name == "mean rank_accuracy (higher is better)" and ends == []


def test_names_go_to_a_key_where_the_plane_is_too_small_for_them() -> None:
    few, many = EX.figure("frontier", 8, "short"), EX.figure("frontier", 40, "long")
    assert any(text.words.startswith("1 a") for text in few.scene().texts())
    words = [text.words for text in many.scene().texts()]
    named = [row["algorithm"] for row in many.rows() if row["place"] <= 10 or row["frontier"]]
    assert [row["algorithm"] for row in many.rows() if row["algorithm"] in words] == named
    assert words.count("9") == 2 and f"{40 - len(named)} others, without a number" in words
    whole = [text.words for text in fig.frontier_plane(EX.by_worth(20, "long")).scene().texts()]
    assert set(EX.names(20, "long")) <= set(whole) and whole.count("19") == 2


def test_distributions_agree_with_numpy() -> None:
    results = EX.table(8, "short")
    figure = fig.score_distributions(results, score="accuracy")
    means = results.means("accuracy")
    for item in figure.spreads:
        column = means[:, results.algorithms.index(item.algorithm)]
        assert np.allclose([item.first, item.median, item.third], np.quantile(column, [0.25, 0.5, 0.75]))
        assert item.low >= item.first - 1.5 * (item.third - item.first) and item.mean == pytest.approx(column.mean())
    assert [e.mean for e in figure.spreads] == sorted((e.mean for e in figure.spreads), reverse=True)
    comparison = EX.comparison(8, "short", posthoc="holm")
    assert tuple(e.algorithm for e in fig.score_distributions(comparison).spreads) == comparison.algorithms


def test_posterior_of_each_data_set() -> None:
    folds = np.random.default_rng(0).normal(0, 1, (10, 2))
    single = tb.stats.bayesian_correlated_t(folds[:, 0], folds[:, 1], rope=0.1)
    odds = fig.posterior(single).odds
    assert len(odds) == 1 and odds[0].a_better + odds[0].equivalent + odds[0].b_better == pytest.approx(1)


# ---- what cannot be drawn


def test_a_comparison_with_a_control_has_no_bars() -> None:
    with pytest.raises(OptionError) as error:
        fig.critical_difference(EX.comparison(8, "short", control=True, posthoc="holm"))
    assert str(error.value) == (
        "The comparison has a control, 'a0'. A critical-difference diagram with bars shows tests of all pairs. Use"
        " control_diagram(comparison), or compare without control."
    )


def test_a_control_diagram_needs_a_control() -> None:
    with pytest.raises(OptionError) as error:
        fig.control_diagram(EX.comparison(8, "short", posthoc="holm"))
    assert str(error.value) == (
        "The comparison has no control. Use compare(..., control=name), or"
        " critical_difference(comparison) for all pairs."
    )


def test_unknown_costs_are_named() -> None:
    with pytest.raises(OptionError, match="There is no cost 'space'"):
        fig.frontier_plane(EX.by_worth(8, "short"), cost="space")


def test_an_algorithm_without_scores_cannot_be_drawn() -> None:
    nan = float("nan")
    results = tb.Results.from_dict({"a": {"x": 1.0, "y": nan}, "b": {"x": 2.0, "y": nan}}, scores="error")
    with pytest.raises(InputError) as error:
        fig.score_distributions(results)
    assert str(error.value) == ("'y' has no score. Leave it out with `results.without(algorithms=['y'])`.")


# ---- by name


def test_every_kind_of_figure_is_made_by_its_name() -> None:
    plain, against = EX.comparison(8, "short", posthoc="holm"), EX.comparison(8, "short", control=True, posthoc="holm")
    for kind in fig.KINDS["Comparison"]:
        assert isinstance(fig.figure_of(against if kind == "control" else plain, kind), fig.Figure)
    assert isinstance(fig.figure_of(plain), CriticalDifference)
    assert isinstance(fig.figure_of(against), ControlDiagram)
    assert isinstance(fig.figure_of(EX.ordering(8, "short"), "order"), OrderGraph)
    assert fig.figure_of(EX.ordering(8, "short")).position_name.startswith("mean place")  # of Multi2Test
    assert isinstance(fig.figure_of(EX.by_worth(8, "short")), FrontierPlane)
    assert isinstance(fig.figure_of(EX.ordering(8, "short"), "frontier", cost="train_time"), FrontierPlane)
    assert isinstance(fig.figure_of(EX.table(8, "short"), score="accuracy"), ScoreDistributions)
    assert isinstance(fig.figure_of(plain.bayes()), Posterior)


def test_unknown_kinds_and_results_are_refused() -> None:
    with pytest.raises(OptionError, match=r"There is no figure 'matrx'.*Did you mean 'matrix'\?"):
        fig.figure_of(EX.comparison(8, "short", posthoc="holm"), "matrx")
    with pytest.raises(OptionError) as error:
        fig.figure_of("text")
    assert str(error.value) == (
        f"There is no figure of a str. Figures are made of these results: {', '.join(fig.KINDS)}."
        " Use figure_of(tiebreak.compare(results))."
    )


def test_every_public_name_resolves_and_is_documented() -> None:
    for name in fig.__all__:
        assert getattr(fig, name) is not None
        assert name == "KINDS" or getattr(fig, name).__doc__
    assert set(fig.__all__) == set(dir(fig))


# ---- axes


def test_ticks_are_round_and_cover_the_scale() -> None:
    assert round_values(1, 8, 10) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert Scale(low=1e-9, high=1.0, start=0, end=1, log=True).ticks() == pytest.approx([1e-8, 1e-6, 1e-4, 1e-2, 1.0])
    assert Scale(low=0.04, high=1.0, start=0, end=1, log=True).ticks() == [0.05, 0.1, 0.2, 0.5, 1.0]
    assert tick_texts([-0.5, 0.0, 0.5]) == ["−0.5", "0.0", "0.5"]
    assert tick_texts([0.50000000068, 0.5000000007]) == ["0.50000000068", "0.50000000070"]
    assert spread([2.0, 2.0]) == (1.8, 2.2) and spread([0.0, 0.0]) == (-1.0, 1.0)
