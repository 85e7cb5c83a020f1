"""From results to what a report says of them."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from tiebreak import __version__, _show
from tiebreak.comparison import Comparison
from tiebreak.comparison.references import papers
from tiebreak.comparison.words import sentences as comparison_sentences
from tiebreak.errors import InputError
from tiebreak.figures import control_diagram, cost_plane, critical_difference, order_graph, pairwise_matrix
from tiebreak.ordering import Ordering
from tiebreak.ordering.words import sentences as ordering_sentences
from tiebreak.reporting.checks import comparison_checks, ordering_checks
from tiebreak.reporting.context import Part, Picture, Report, Table

MOST_IN_MATRIX = 60
"""Comparisons of more algorithms are reported without the matrix of pairs."""
MOST_ROWS = 60
"""Tables of pairs are cut after so many rows, the ones with the smallest p-values; --json holds them all."""
_EQUAL = "Algorithms that were not told apart are not thereby equal: more data sets might tell them apart."
_LIBRARIES = ("numpy", "scipy", "polars", "narwhals")


def report(*results: Comparison | Ordering, name: str | None = None, seed: int | None = None) -> Report:
    """Report on comparisons and orderings, each a part of one page.

    Parameters
    ----------
    *results : Comparison or Ordering
    name : str, optional
        The title of the report.
    seed : int, optional
        Printed, where something was random.

    Returns
    -------
    Report
        Write it with `save("report.html")`, or .md, .tex, .json.

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = report(tb.compare(tb.published.demsar2006()))
    >>> found.parts[0].heading
    'Comparison by auc'
    >>> "<script" in found.to_html()
    False
    """
    if not results:
        raise InputError("There is nothing to report.", why="A report is about results.", mend="Pass a comparison.")
    parts = tuple(_part(each) for each in results)
    return Report(
        name=name or results[0].title(),
        parts=parts,
        versions=_versions(),
        seed=seed,
        caveats=tuple(dict.fromkeys(caveat for each in results for caveat in each.caveats)),
    )


def _part(result: Comparison | Ordering) -> Part:
    if isinstance(result, Comparison):
        return _comparison_part(result)
    if isinstance(result, Ordering):
        return _ordering_part(result)
    raise InputError(
        f"A {type(result).__name__} cannot be reported.",
        why="Reports are about comparisons and orderings.",
        mend="Pass what tiebreak.compare or tiebreak.order returned.",
    )


def _versions() -> tuple[tuple[str, str], ...]:
    out = [("tiebreak", __version__), ("Python", platform.python_version())]
    for library in _LIBRARIES:
        try:
            out.append((library, version(library)))
        except PackageNotFoundError:
            continue
    return tuple(out)


def _comparison_part(found: Comparison) -> Part:
    said = comparison_sentences(found)
    diagram = critical_difference(found) if found.control is None else control_diagram(found)
    pictures = [
        Picture(
            name="Diagram of mean ranks",
            caption="Where the algorithms lie; bars join those that were not told apart."
            if found.control is None
            else f"Every algorithm against {_show.one_line(found.control)}.",
            figure=diagram,
        )
    ]
    if found.control is None and 2 < len(found.algorithms) <= MOST_IN_MATRIX:
        pictures.append(
            Picture(
                name="Matrix of pairs",
                caption="Every pair: difference and significance.",
                figure=pairwise_matrix(found),
            )
        )
    return Part(
        heading=f"Comparison by {found.score.name}",
        subject=f"{found.title()}.",
        answer=tuple(said),
        pictures=tuple(pictures),
        tables=(_algorithms(found), _pairs(found)),
        decided=found.plan.path,
        limits=(_EQUAL, *found.caveats),
        checks=comparison_checks(found),
        method=_comparison_method(found),
        references=papers(found.plan),
        data=found.to_dict(),
    )


def _algorithms(found: Comparison) -> Table:
    rows = found.rows()
    header = ("algorithm", "mean rank", f"mean {found.score.name}", "group")
    body = tuple(
        (
            str(row["algorithm"]),
            f"{row['mean_rank']:.3f}",
            _show.number(row[f"mean {found.score.name}"]),
            str(row["group"]),
        )
        for row in rows
    )
    return Table(
        caption="Algorithms, best first; those that share a letter were not told apart", header=header, body=body
    )


def _pairs(found: Comparison) -> Table:
    pairs = sorted(found.iter_pairs(), key=lambda pair: (pair.adjusted, pair.a, pair.b))
    cut = "" if len(pairs) <= MOST_ROWS else f", the {MOST_ROWS} with the smallest p-values of {len(pairs)}"
    body = tuple(
        (
            pair.a,
            pair.b,
            pair.better or "-",
            _show.number(pair.statistic),
            _show.pvalue(pair.pvalue),
            _show.pvalue(pair.adjusted),
        )
        for pair in pairs[:MOST_ROWS]
    )
    return Table(caption=f"Pairs{cut}", header=("a", "b", "better", "statistic", "p", "adjusted p"), body=body, left=3)


def _comparison_method(found: Comparison) -> tuple[str, ...]:
    return (
        f"We compared {len(found.algorithms)} algorithms on {len(found.datasets)} data sets by {found.score.name}.",
        "Scores of folds were averaged for each data set.",
        *comparison_sentences(found)[:2],
        f"Works: {'; '.join(papers(found.plan))}. Computed with Tiebreak {__version__}.",
    )


_ULAS = "Ulas, Yildiz and Alpaydin (2012), doi:10.1016/j.patcog.2011.10.005"
_YILDIZ = "Yildiz and Alpaydin (2006), doi:10.1109/TPAMI.2006.61"


def _ordering_part(found: Ordering) -> Part:
    said = ordering_sentences(found)
    costs = " and ".join(found.costs) or "a given prior order"
    pictures = [
        Picture(
            name="Order graph",
            caption="From cheap to costly; arrows where a test overrode cost.",
            figure=order_graph(found),
        )
    ]
    if found.costs:
        pictures.append(
            Picture(
                name="Cost plane",
                caption="Score against cost; numbers are places in the order.",
                figure=cost_plane(found),
            )
        )
    return Part(
        heading=f"Order by {found.score.name} and {costs}",
        subject=f"{found.title()}.",
        answer=(f"From best to worst: {', '.join(found.order)}.", said[-1]),
        pictures=tuple(pictures),
        tables=(_places(found),),
        decided=tuple(said),
        limits=(_EQUAL, *found.caveats),
        checks=ordering_checks(found),
        method=(
            f"We ordered {len(found.algorithms)} algorithms on {len(found.datasets)} data set(s) by {found.score.name},"
            f" with {costs} deciding where no test did.",
            *said[:3],
        ),
        references=(_ULAS, _YILDIZ),
        data=found.to_dict(),
    )


def _places(found: Ordering) -> Table:
    header = ("algorithm", "reason", "place", "mean rank", f"mean {found.score.name}", *found.costs)
    body = tuple(
        (
            str(row["algorithm"]),
            str(row["reason"]),
            str(row["place"]),
            f"{row['mean_rank']:.2f}",
            _show.number(row[f"mean {found.score.name}"]),
            *(_show.number(row[f"cost {name}"], 3) for name in found.costs),
        )
        for row in found.rows()
    )
    return Table(caption="Places, best first, each with its reason", header=header, body=body, left=2)
