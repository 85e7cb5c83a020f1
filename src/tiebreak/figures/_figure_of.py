"""Which figure belongs to which result: what `.figure()` and the command line ask for by name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tiebreak._checks import check_choice
from tiebreak.errors import OptionError
from tiebreak.figures._figure import Figure

_OF_COMPARISON = {
    "cd": "rank_diagram.critical_difference",
    "control": "control_plot.control_diagram",
    "matrix": "pair_matrix.pairwise_matrix",
    "pvalues": "pvalues.pvalue_plot",
    "scores": "distributions.score_distributions",
}
_OF_BAYES = {"posterior": "posteriors.posterior"}
_KINDS = {
    "Comparison": _OF_COMPARISON,
    "Ordering": {"order": "order_arcs.order_graph", "costs": "score_cost.cost_plane"},
    "Stability": {"places": "places.place_stability"},
    "MultivariateComparison": {
        "contours": "contours.measure_contours",
        "learned": "learned_space.learned_plane",
        "measures": "orders_by_measure.measure_orders",
    },
    "TopN": {"top-n": "top_places.top_n_curves"},
    "AccdCurve": {"accd": "over_accd.accd_lines"},
    "AttributeAgainstRank": {"attribute": "measure_ranks.attribute_ranks"},
    "CharacteristicsByBest": {"characteristics": "profiles.best_profiles"},
    "Results": {"scores": "distributions.score_distributions"},
    "BayesianResult": _OF_BAYES,
    "BayesianTResult": _OF_BAYES,
    "HierarchicalResult": _OF_BAYES,
}
KINDS = {result: tuple(kinds) for result, kinds in _KINDS.items()}
"""The kinds of figure of each kind of result, its usual one first."""


def figure_of(found: object, kind: str | None = None, **options: Any) -> Figure:
    """Make a figure of a result by the name of its kind.

    Parameters
    ----------
    found : Comparison, Ordering, MultivariateComparison, Stability, Results, BayesianResult, BayesianTResult or \
HierarchicalResult
    kind : str, optional
        One of `KINDS`; by default the usual one: for a comparison "cd", or "control" if it has one.
    **options
        What the function of that kind takes, such as `cost` or `score`.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure_of(tb.compare(tb.published.demsar2006(), score="auc"), "matrix").row_names[0]
    'C4.5+m+cf'
    """
    kinds = _KINDS.get(type(found).__name__)
    if kinds is None:
        raise OptionError(
            f"There is no figure of a {type(found).__name__}.",
            why=f"Figures are made of these results: {', '.join(_KINDS)}.",
            mend="Use figure_of(tiebreak.compare(results)).",
        )
    name = check_choice("figure", kind, kinds) if kind is not None else _usual(found, kinds)
    module, _, function = kinds[name].partition(".")
    figure: Figure = getattr(import_module(f"tiebreak.figures.{module}"), function)(found, **options)
    return figure


def _usual(found: object, kinds: dict[str, str]) -> str:
    return "control" if getattr(found, "control", None) is not None else next(iter(kinds))
