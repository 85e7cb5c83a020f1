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
