"""The demo: the published results that the package carries, ordered by worth and by the published rules."""

from __future__ import annotations

from typing import Any

from tiebreak.comparison import compare
from tiebreak.ordering import order
from tiebreak.readers import published
from tiebreak.reporting._asking import report
from tiebreak.reporting._report import Report

NAME = "Eight algorithms on 38 data sets (Ulas, Yildiz and Alpaydin 2012)"


def demo() -> Report:
    """Report on the published results of 8 algorithms on 38 data sets.

    Returns
    -------
    Report
        The orders by worth, by training time and by space; by Multi2Test; by MultiTest on one data set; and the
        comparison. Write it with `save("report.html")`.

    Examples
    --------
    >>> import tiebreak as tb
    >>> tb.demo().name
    'Eight algorithms on 38 data sets (Ulas, Yildiz and Alpaydin 2012)'
    """
    results = published.ulas2012()
    options: dict[str, Any] = {"score": "accuracy", "seed": 0}
    worth = [order(results, cost=cost, **options) for cost in ("train_time", "space")]
    places = order(results, cost="train_time", variant="2012", **options)
    one = order(results, cost="train_time", dataset="optdigits", rule="multitest", inner_adjust="none", **options)
    comparison = compare(results, score="accuracy")
    return report(*worth, places, one, comparison, name=NAME)  # the first order is what the page answers
