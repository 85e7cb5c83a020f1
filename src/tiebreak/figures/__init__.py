"""Figures: data first, drawing second. Names are imported when they are first used.

Each function makes a figure, which is plain data, from a result; a figure writes SVG and TikZ by itself and draws, and
saves PDF and PNG, through matplotlib. Modules are called after the kinds of figure.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.figures.cd import critical_difference as critical_difference, place_diagram as place_diagram
    from tiebreak.figures.contours import learned_plane as learned_plane, measure_contours as measure_contours
    from tiebreak.figures.control import control_diagram as control_diagram
    from tiebreak.figures.drawing.svg import page_style as page_style
    from tiebreak.figures.figure import Figure as Figure, check_ending as check_ending
    from tiebreak.figures.forest import forest_plot as forest_plot
    from tiebreak.figures.frontier import frontier_plane as frontier_plane
    from tiebreak.figures.kinds import KINDS as KINDS, figure_of as figure_of
    from tiebreak.figures.matrices import pairwise_matrix as pairwise_matrix
    from tiebreak.figures.order import order_graph as order_graph
    from tiebreak.figures.posteriors import posterior as posterior
    from tiebreak.figures.scores import score_distributions as score_distributions
    from tiebreak.figures.strengths import strength_plot as strength_plot
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "cd": "critical_difference place_diagram",
            "contours": "learned_plane measure_contours",
            "control": "control_diagram",
            "figure": "Figure check_ending",
            "forest": "forest_plot",
            "frontier": "frontier_plane",
            "kinds": "KINDS figure_of",
            "matrices": "pairwise_matrix",
            "order": "order_graph",
            "posteriors": "posterior",
            "scores": "score_distributions",
            "strengths": "strength_plot",
            "drawing.svg": "page_style",
        },
    )
