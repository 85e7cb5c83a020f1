"""Figures: data first, drawing second. Names are imported when they are first used.

Each function makes a figure, which is plain data, from a result; a figure writes SVG and TikZ by itself and draws, and
saves PDF and PNG, through matplotlib. The module of a figure is called after its function.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.figures._accd_lines import AccdLines as AccdLines, accd_lines as accd_lines
    from tiebreak.figures._attribute_ranks import AttributeRanks as AttributeRanks, attribute_ranks as attribute_ranks
    from tiebreak.figures._best_profiles import BestProfiles as BestProfiles, best_profiles as best_profiles
    from tiebreak.figures._budget_curve import BudgetCurve as BudgetCurve, budget_curve as budget_curve
    from tiebreak.figures._control_diagram import ControlDiagram as ControlDiagram, control_diagram as control_diagram
    from tiebreak.figures._critical_difference import (
        CriticalDifference as CriticalDifference,
        critical_difference as critical_difference,
    )
    from tiebreak.figures._figure import *
    from tiebreak.figures._figure_of import *
    from tiebreak.figures._forest_plot import (
        ForestPlot as ForestPlot,
        forest_of_pairs as forest_of_pairs,
        forest_plot as forest_plot,
    )
    from tiebreak.figures._frontier_plane import FrontierPlane as FrontierPlane, frontier_plane as frontier_plane
    from tiebreak.figures._learned_plane import *
    from tiebreak.figures._measure_contours import *
    from tiebreak.figures._measure_orders import (
        MeasureOrder as MeasureOrder,
        MeasureOrders as MeasureOrders,
        measure_orders as measure_orders,
    )
    from tiebreak.figures._order_graph import OrderGraph as OrderGraph, order_graph as order_graph
    from tiebreak.figures._pairwise_matrix import PairwiseMatrix as PairwiseMatrix, pairwise_matrix as pairwise_matrix
    from tiebreak.figures._posterior import Posterior as Posterior, posterior as posterior
    from tiebreak.figures._printed_ranks import PrintedRanks as PrintedRanks, printed_ranks as printed_ranks
    from tiebreak.figures._pvalue_plot import PValuePlot as PValuePlot, pvalue_plot as pvalue_plot
    from tiebreak.figures._rank_changes import (
        RankChanges as RankChanges,
        algorithm_changes as algorithm_changes,
        way_changes as way_changes,
    )
    from tiebreak.figures._replicability_curves import (
        ReplicabilityCurves as ReplicabilityCurves,
        replicability_curves as replicability_curves,
    )
    from tiebreak.figures._score_distributions import (
        ScoreDistributions as ScoreDistributions,
        score_distributions as score_distributions,
    )
    from tiebreak.figures._share_curves import ShareCurves as ShareCurves, share_curves as share_curves
    from tiebreak.figures._strength_plot import StrengthPlot as StrengthPlot, strength_plot as strength_plot
    from tiebreak.figures._top_n_curves import TopNCurves as TopNCurves, top_n_curves as top_n_curves
    from tiebreak.figures._win_probabilities import (
        WinProbabilities as WinProbabilities,
        win_probabilities as win_probabilities,
    )
    from tiebreak.figures._win_tables import WinTables as WinTables, win_tables as win_tables
    from tiebreak.figures.drawing.scene import Scene as Scene
    from tiebreak.figures.drawing.sheet import Sheet as Sheet
    from tiebreak.figures.drawing.svg import page_style as page_style
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_accd_lines": "AccdLines accd_lines",
            "_attribute_ranks": "AttributeRanks attribute_ranks",
            "_best_profiles": "BestProfiles best_profiles",
            "_budget_curve": "BudgetCurve budget_curve",
            "_control_diagram": "ControlDiagram control_diagram",
            "_critical_difference": "CriticalDifference critical_difference",
            "_figure": "Figure check_ending",
            "_figure_of": "KINDS figure_of",
            "_forest_plot": "ForestPlot forest_of_pairs forest_plot",
            "_frontier_plane": "FrontierPlane frontier_plane",
            "_learned_plane": "LearnedPlane learned_plane",
            "_measure_contours": "MeasureContours measure_contours",
            "_measure_orders": "MeasureOrder MeasureOrders measure_orders",
            "_order_graph": "OrderGraph order_graph",
            "_pairwise_matrix": "PairwiseMatrix pairwise_matrix",
            "_posterior": "Posterior posterior",
            "_printed_ranks": "PrintedRanks printed_ranks",
            "_pvalue_plot": "PValuePlot pvalue_plot",
            "_rank_changes": "RankChanges algorithm_changes way_changes",
            "_replicability_curves": "ReplicabilityCurves replicability_curves",
            "_score_distributions": "ScoreDistributions score_distributions",
            "_share_curves": "ShareCurves share_curves",
            "_strength_plot": "StrengthPlot strength_plot",
            "_top_n_curves": "TopNCurves top_n_curves",
            "_win_probabilities": "WinProbabilities win_probabilities",
            "_win_tables": "WinTables win_tables",
            "drawing.scene": "Scene",
            "drawing.sheet": "Sheet",
            "drawing.svg": "page_style",
        },
    )
