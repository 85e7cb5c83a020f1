"""Figures: data first, drawing second. Names are imported when they are first used.

Each function makes a figure, which is plain data, from a result; a figure writes SVG and TikZ by itself and draws, and
saves PDF and PNG, through matplotlib. The module of a figure is called after its function.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.figures._control_diagram import control_diagram as control_diagram
    from tiebreak.figures._critical_difference import critical_difference as critical_difference
    from tiebreak.figures._figure import Figure as Figure, check_ending as check_ending
    from tiebreak.figures._figure_of import KINDS as KINDS, figure_of as figure_of
    from tiebreak.figures._forest_plot import forest_of_pairs as forest_of_pairs, forest_plot as forest_plot
    from tiebreak.figures._frontier_plane import frontier_plane as frontier_plane
    from tiebreak.figures._learned_plane import learned_plane as learned_plane
    from tiebreak.figures._measure_contours import measure_contours as measure_contours
    from tiebreak.figures._measure_orders import measure_orders as measure_orders
    from tiebreak.figures._order_graph import order_graph as order_graph
    from tiebreak.figures._pairwise_matrix import pairwise_matrix as pairwise_matrix
    from tiebreak.figures._place_diagram import place_diagram as place_diagram
    from tiebreak.figures._posterior import posterior as posterior
    from tiebreak.figures._pvalue_plot import pvalue_plot as pvalue_plot
    from tiebreak.figures._score_distributions import score_distributions as score_distributions
    from tiebreak.figures._strength_plot import strength_plot as strength_plot
    from tiebreak.figures._win_probabilities import win_probabilities as win_probabilities
    from tiebreak.figures.drawing.svg import page_style as page_style
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_control_diagram": "control_diagram",
            "_critical_difference": "critical_difference",
            "_figure": "Figure check_ending",
            "_figure_of": "KINDS figure_of",
            "_forest_plot": "forest_of_pairs forest_plot",
            "_frontier_plane": "frontier_plane",
            "_learned_plane": "learned_plane",
            "_measure_contours": "measure_contours",
            "_measure_orders": "measure_orders",
            "_order_graph": "order_graph",
            "_place_diagram": "place_diagram",
            "_pairwise_matrix": "pairwise_matrix",
            "_posterior": "posterior",
            "_pvalue_plot": "pvalue_plot",
            "_score_distributions": "score_distributions",
            "_strength_plot": "strength_plot",
            "_win_probabilities": "win_probabilities",
            "drawing.svg": "page_style",
        },
    )
