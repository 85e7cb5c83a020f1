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
        "choosing": "KINDS figure_of",
        "control_plot": "ControlDiagram control_diagram",
        "distributions": "ScoreDistributions score_distributions",
        "order_arcs": "OrderGraph order_graph",
        "pair_matrix": "PairwiseMatrix pairwise_matrix",
        "places": "PlaceStability place_stability",
        "posteriors": "Posterior posterior",
        "pvalues": "PValuePlot pvalue_plot",
        "rank_diagram": "CriticalDifference critical_difference",
        "score_cost": "CostPlane cost_plane",
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
    "Figure",
    "Scene",
    "check_ending",
]

if TYPE_CHECKING:
    from tiebreak.figures._figure import Figure, check_ending
    from tiebreak.figures._scene import Scene
    from tiebreak.figures.choosing import KINDS, figure_of
    from tiebreak.figures.control_plot import ControlDiagram, control_diagram
    from tiebreak.figures.distributions import ScoreDistributions, score_distributions
    from tiebreak.figures.order_arcs import OrderGraph, order_graph
    from tiebreak.figures.pair_matrix import PairwiseMatrix, pairwise_matrix
    from tiebreak.figures.places import PlaceStability, place_stability
    from tiebreak.figures.posteriors import Posterior, posterior
    from tiebreak.figures.pvalues import PValuePlot, pvalue_plot
    from tiebreak.figures.rank_diagram import CriticalDifference, critical_difference
    from tiebreak.figures.score_cost import CostPlane, cost_plane
