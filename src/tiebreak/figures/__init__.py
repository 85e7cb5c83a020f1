"""Figures: data first, drawing second. Names are imported when they are first used.

Each function makes a figure, which is plain data, from a result; a figure writes SVG and TikZ by itself and draws, and
saves PDF and PNG, through matplotlib.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.figures._figure import Figure as Figure, check_ending as check_ending
    from tiebreak.figures._figure_of import KINDS as KINDS, figure_of as figure_of
    from tiebreak.figures._scene import Scene as Scene
    from tiebreak.figures.contours import MeasureContours as MeasureContours, measure_contours as measure_contours
    from tiebreak.figures.control_plot import ControlDiagram as ControlDiagram, control_diagram as control_diagram
    from tiebreak.figures.distributions import (
        ScoreDistributions as ScoreDistributions,
        score_distributions as score_distributions,
    )
    from tiebreak.figures.learned_space import LearnedPlane as LearnedPlane, learned_plane as learned_plane
    from tiebreak.figures.measure_ranks import AttributeRanks as AttributeRanks, attribute_ranks as attribute_ranks
    from tiebreak.figures.order_arcs import OrderGraph as OrderGraph, order_graph as order_graph
    from tiebreak.figures.orders_by_measure import (
        MeasureOrder as MeasureOrder,
        MeasureOrders as MeasureOrders,
        measure_orders as measure_orders,
    )
    from tiebreak.figures.over_accd import AccdLines as AccdLines, accd_lines as accd_lines
    from tiebreak.figures.pair_matrix import PairwiseMatrix as PairwiseMatrix, pairwise_matrix as pairwise_matrix
    from tiebreak.figures.places import PlaceStability as PlaceStability, place_stability as place_stability
    from tiebreak.figures.posteriors import Posterior as Posterior, posterior as posterior
    from tiebreak.figures.profiles import BestProfiles as BestProfiles, best_profiles as best_profiles
    from tiebreak.figures.pvalues import PValuePlot as PValuePlot, pvalue_plot as pvalue_plot
    from tiebreak.figures.rank_diagram import (
        CriticalDifference as CriticalDifference,
        critical_difference as critical_difference,
    )
    from tiebreak.figures.score_cost import CostPlane as CostPlane, cost_plane as cost_plane
    from tiebreak.figures.top_places import TopNCurves as TopNCurves, top_n_curves as top_n_curves
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_figure": "Figure check_ending",
            "_figure_of": "KINDS figure_of",
            "_scene": "Scene",
            "contours": "MeasureContours measure_contours",
            "control_plot": "ControlDiagram control_diagram",
            "distributions": "ScoreDistributions score_distributions",
            "learned_space": "LearnedPlane learned_plane",
            "measure_ranks": "AttributeRanks attribute_ranks",
            "order_arcs": "OrderGraph order_graph",
            "orders_by_measure": "MeasureOrder MeasureOrders measure_orders",
            "over_accd": "AccdLines accd_lines",
            "pair_matrix": "PairwiseMatrix pairwise_matrix",
            "places": "PlaceStability place_stability",
            "posteriors": "Posterior posterior",
            "profiles": "BestProfiles best_profiles",
            "pvalues": "PValuePlot pvalue_plot",
            "rank_diagram": "CriticalDifference critical_difference",
            "score_cost": "CostPlane cost_plane",
            "top_places": "TopNCurves top_n_curves",
        },
    )
