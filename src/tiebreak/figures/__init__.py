"""Figures: data first, drawing second. Names are imported when they are first used.

Each function makes a figure, which is plain data, from a result; a figure writes SVG and TikZ by itself and draws, and
saves PDF and PNG, through matplotlib.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

_HOMES = {
    name: f"tiebreak.figures.{module}"
    for module, names in {
        "_figure": "Figure check_ending",
        "_scene": "Scene",
        "over_accd": "AccdLines accd_lines",
        "measure_ranks": "AttributeRanks attribute_ranks",
        "profiles": "BestProfiles best_profiles",
        "choosing": "KINDS figure_of",
        "contours": "MeasureContours measure_contours",
        "control_plot": "ControlDiagram control_diagram",
        "distributions": "ScoreDistributions score_distributions",
        "learned_space": "LearnedPlane learned_plane",
        "order_arcs": "OrderGraph order_graph",
        "orders_by_measure": "MeasureOrder MeasureOrders measure_orders",
        "pair_matrix": "PairwiseMatrix pairwise_matrix",
        "places": "PlaceStability place_stability",
        "posteriors": "Posterior posterior",
        "pvalues": "PValuePlot pvalue_plot",
        "rank_diagram": "CriticalDifference critical_difference",
        "score_cost": "CostPlane cost_plane",
        "top_places": "TopNCurves top_n_curves",
    }.items()
    for name in names.split()
}
__getattr__, __dir__ = lazy_names(__name__, _HOMES)

__all__ = [  # noqa: RUF022 - the order in which a reader meets them
    "figure_of",
    "KINDS",
    "critical_difference",
    "CriticalDifference",
    "control_diagram",
    "ControlDiagram",
    "pairwise_matrix",
    "PairwiseMatrix",
    "pvalue_plot",
    "PValuePlot",
    "score_distributions",
    "ScoreDistributions",
    "order_graph",
    "OrderGraph",
    "cost_plane",
    "CostPlane",
    "place_stability",
    "PlaceStability",
    "posterior",
    "Posterior",
    "measure_contours",
    "MeasureContours",
    "learned_plane",
    "LearnedPlane",
    "measure_orders",
    "MeasureOrder",
    "MeasureOrders",
    "top_n_curves",
    "TopNCurves",
    "accd_lines",
    "AccdLines",
    "attribute_ranks",
    "AttributeRanks",
    "best_profiles",
    "BestProfiles",
    "Figure",
    "Scene",
    "check_ending",
]

if TYPE_CHECKING:
    from tiebreak.figures._figure import Figure, check_ending
    from tiebreak.figures._scene import Scene
    from tiebreak.figures.choosing import KINDS, figure_of
    from tiebreak.figures.contours import MeasureContours, measure_contours
    from tiebreak.figures.control_plot import ControlDiagram, control_diagram
    from tiebreak.figures.distributions import ScoreDistributions, score_distributions
    from tiebreak.figures.learned_space import LearnedPlane, learned_plane
    from tiebreak.figures.measure_ranks import AttributeRanks, attribute_ranks
    from tiebreak.figures.order_arcs import OrderGraph, order_graph
    from tiebreak.figures.orders_by_measure import MeasureOrder, MeasureOrders, measure_orders
    from tiebreak.figures.over_accd import AccdLines, accd_lines
    from tiebreak.figures.pair_matrix import PairwiseMatrix, pairwise_matrix
    from tiebreak.figures.places import PlaceStability, place_stability
    from tiebreak.figures.posteriors import Posterior, posterior
    from tiebreak.figures.profiles import BestProfiles, best_profiles
    from tiebreak.figures.pvalues import PValuePlot, pvalue_plot
    from tiebreak.figures.rank_diagram import CriticalDifference, critical_difference
    from tiebreak.figures.score_cost import CostPlane, cost_plane
    from tiebreak.figures.top_places import TopNCurves, top_n_curves
