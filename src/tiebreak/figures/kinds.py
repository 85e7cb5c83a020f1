"""Which figure belongs to which result: what `.figure()` and the command line ask for by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any

from tiebreak import figures
from tiebreak._checks import check_choice
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError, unknown_name
from tiebreak.figures.figure import Figure
from tiebreak.wording import option

SIZES = ("width", "height", "font_size", "theme")
"""What every figure takes, whatever it is made of."""
_OF_BAYES = {"posterior": "posterior"}
_FIGURES = {
    "Comparison": {
        "cd": "critical_difference",
        "control": "control_diagram",
        "matrix": "pairwise_matrix",
        "scores": "score_distributions",
        "forest": "forest_plot",
    },
    "ItemComparison": {
        "forest": "forest_plot",
        "matrix": "pairwise_matrix",
        "cd": "critical_difference",
    },
    "FoldComparison": {
        "forest": "forest_plot",
        "matrix": "pairwise_matrix",
    },
    "Ordering": {
        "frontier": "frontier_plane",
        "cd": "place_diagram",
        "order": "order_graph",
        "scores": "score_distributions",
    },
    "Battles": {"strengths": "strength_plot"},
    "MultivariateComparison": {
        "contours": "measure_contours",
        "learned": "learned_plane",
    },
    "TopN": {"top-n": "curves.top_n_curves"},
    "OrderShares": {"orders": "curves.share_curves"},
    "Replicability": {"replicability": "curves.replicability_curves"},
    "Results": {"scores": "score_distributions"},
    "BayesianResult": _OF_BAYES,
    "BayesianTResult": _OF_BAYES,
    "HierarchicalResult": _OF_BAYES,
}
"""The class of a result, and its figures: kind, function of this package, or module and function. A new figure is one
entry here."""
KINDS = {result: tuple(kinds) for result, kinds in _FIGURES.items()}
"""The kinds of figure of each kind of result, its usual one first."""


@as_came_in
def figure_of(result: object, kind: str | None = None, **options: Any) -> Figure:
    """Make a figure of a result by the name of its kind.

    Parameters
    ----------
    result : Comparison, Ordering, MultivariateComparison, Battles, Results, BayesianResult, BayesianTResult \
or HierarchicalResult
    kind : str, optional
        One of `KINDS`; by default the usual one: for a comparison "cd", or "control" if it has one; for an ordering by
        worth "frontier", or "scores" without costs, by Multi2Test "cd" (its mean places), and by MultiTest "order".
    **options
        What the function of that kind takes, such as `cost` or `score`; and `width`, `height`, `font_size` and `theme`,
        which every figure takes.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure_of(tb.compare(tb.published.demsar2006(), score="auc"), "matrix").row_names[0]
    'C4.5+m+cf'
    """
    kinds = _FIGURES.get(type(result).__name__)
    if kinds is None:
        raise OptionError(
            f"There is no figure of a {type(result).__name__}.",
            why=f"Figures are made of these results: {', '.join(_FIGURES)}.",
            mend="Use figure_of(tiebreak.compare(results)).",
        )
    name = check_choice("figure", kind, kinds) if kind is not None else _usual(result, kinds)
    sizes = {key: options.pop(key) for key in SIZES if key in options}
    module, _, function = kinds[name].rpartition(".")
    make = getattr(import_module(f"tiebreak.figures.{module}") if module else figures, function)
    _check_taken(name, make, options)
    figure: Figure = make(result, **options)
    return figure.sized(**sizes) if sizes else figure


_VERBS = {
    "Comparison": "tiebreak.comparison.compare",
    "Ordering": "tiebreak.ordering.order",
    "MultivariateComparison": "tiebreak.multivariate_tests.multivariate",
    "Battles": "tiebreak.evals.battles.battles",
}
"""Results that have figures, and the functions that compute them from a table."""


def figure(source: Any, kind: str | None = None, **options: Any) -> Figure:
    """Draw a result, or compute it from a table and draw it.

    Parameters
    ----------
    source : Comparison, Ordering, MultivariateComparison, Battles, Results, path, frame or dictionary
        A result; or a table, which is compared, ordered or, for votes, fitted, as the kind needs.
    kind : str, optional
        "cd", "control", "matrix", "scores" or "forest" show a comparison; "frontier" and "order" an
        order; "contours" and "learned" several measures; "strengths" votes. A table needs one; a result has a
        usual one.
    **options
        What the kind takes, such as `top`, `width` or `theme`; for a table also what its function takes, such as
        `score`, `cost` or `alpha`.

    Returns
    -------
    Figure
        Write it with `save("cd.svg")`; `draw()` draws it on matplotlib axes.

    Examples
    --------
    >>> import tiebreak as tb
    >>> tb.figure(tb.published.demsar2006(), "cd", score="auc", width="column").algorithms[0]
    'C4.5+m+cf'
    """
    if type(source).__name__ in _FIGURES and (type(source).__name__ != "Results" or kind is None):
        return figure_of(source, kind, **options)
    homes = {name: home for name, home in _VERBS.items() if kind in _FIGURES[name]}
    if not homes:
        names = list(dict.fromkeys(item for name in _VERBS for item in _FIGURES[name]))
        if kind is None:
            raise OptionError("No kind of figure was named.", mend=f"Use one of {', '.join(names)}.")
        raise unknown_name("kind of figure", kind, names, limit=len(names))
    name = "Ordering" if "Ordering" in homes and "cost" in options else next(iter(homes))
    home, _, verb = homes[name].rpartition(".")
    drawn = {*_OF_LOOKS, *SIZES} & set(options)
    compute = {key: value for key, value in options.items() if key not in drawn}
    result = getattr(import_module(home), verb)(source, **compute)
    return figure_of(result, kind, **{key: options[key] for key in drawn})


_OF_LOOKS = ("top", "show", "margin")
"""Options of drawing, which no function that computes takes."""


def _check_taken(kind: str, make: Callable[..., Figure], options: dict[str, Any]) -> None:
    taken = list(signature(make).parameters)[1:]
    for name in options:
        if name not in taken:
            raise OptionError(
                f"A figure of the kind {kind!r} takes no {option(name)}.",
                why=f"It takes {', '.join((*taken, *SIZES))}.",
                mend="Leave it out.",
            )


def _usual(result: object, kinds: dict[str, str]) -> str:
    """By worth show score against cost, or the scores alone; by MultiTest the graph, by Multi2Test the places."""
    if "frontier" in kinds:
        if getattr(result, "over", "") == "places":
            return "cd"
        if getattr(result, "rule", "") != "worth":
            return "order"
        return "frontier" if getattr(result, "costs", None) else "scores"
    if "control" in kinds and getattr(result, "control", None) is not None:
        return "control"
    return next(iter(kinds)) if getattr(result, "has_intervals", True) else "matrix"
