"""From results to what a report says of them."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from tiebreak import __version__, _show
from tiebreak._show import Shown, finite_rows
from tiebreak.deciding.compare import Comparison
from tiebreak.deciding.compare._references import PAPERS, papers
from tiebreak.deciding.compare._words import algorithm_table, sentences as comparison_sentences
from tiebreak.deciding.multivariate import MultivariateComparison
from tiebreak.deciding.order import Ordering
from tiebreak.deciding.order._words import method_sentences, outcome_sentences, sentences as ordering_sentences
from tiebreak.errors import InputError
from tiebreak.figures import (
    KINDS,
    Figure,
    control_diagram,
    cost_plane,
    critical_difference,
    figure_of,
    order_graph,
    pairwise_matrix,
)
from tiebreak.reporting.checks import comparison_checks, ordering_checks
from tiebreak.reporting.context import Part, Report, Table, picture
from tiebreak.reporting.joint_part import multivariate_part

MOST_IN_MATRIX = 60
"""Comparisons of more algorithms are reported without the matrix of pairs."""
MOST_ROWS = 60
"""Tables of pairs are cut after so many rows, the ones with the smallest p-values; --json holds them all."""
_EQUAL = "Algorithms that were not told apart are not thereby equal: more data sets might tell them apart."
_EQUAL_ON_ONE = "Algorithms that were not told apart are not thereby equal; and other data may order them otherwise."
_LIBRARIES = ("numpy", "scipy", "polars", "narwhals")


def report(*results: Shown, name: str | None = None, seed: int | None = None) -> Report:
    """Report on comparisons, orderings and any other results, each a part of one page.

    Parameters
    ----------
    *results : Comparison, Ordering, MultivariateComparison or any other result
        The order that belongs to a comparison by several measures is a part of its own.
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
    parts = tuple(part for each in results for part in _parts(each))
    return Report(
        name=name or results[0].title(),
        parts=parts,
        versions=_versions(),
        seed=seed,
        caveats=tuple(dict.fromkeys(caveat for each in results for caveat in each.caveats)),
    )


def _parts(result: Shown) -> list[Part]:
    """Return the part of a result, and that of the order it holds."""
    order = result.order if isinstance(result, MultivariateComparison) else None
    return [_part(result), *([] if order is None else [_ordering_part(order)])]


def _part(result: Shown) -> Part:
    if isinstance(result, Comparison):
        return _comparison_part(result)
    if isinstance(result, Ordering):
        return _ordering_part(result)
    if isinstance(result, MultivariateComparison):
        return multivariate_part(result)
    if isinstance(result, Shown) and not isinstance(result, (Figure, Report)):
        return _plain_part(result)
    raise InputError(
        f"A {type(result).__name__} cannot be reported.",
        why="Reports are about results.",
        mend="Pass what tiebreak.compare, tiebreak.order or a function of tiebreak.stats returned.",
    )


def _plain_part(result: Shown) -> Part:
    """Report on any other result: its title, its table, its figure where it has one."""
    header, body, left = result.printed()
    drawn = type(result).__name__ in KINDS
    return Part(
        heading=result.title(),
        subject="",
        answer=(result.title(),),
        pictures=(picture("Figure", figure_of(result)),) if drawn else (),
        tables=(Table(caption="All values", header=tuple(header), body=tuple(map(tuple, body)), left=left),),
        decided=(),
        limits=result.caveats,
        checks=(),
        method=(f"{result.title()}. Computed with Tiebreak {__version__}.",),
        references=(),
        data={"title": result.title(), "rows": finite_rows(result.rows()), "caveats": list(result.caveats)},
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
    against = found.control is not None
    kind = "Diagram against the control" if against else f"Diagram of {found.location_name}s"
    pictures = [picture(kind, control_diagram(found) if against else critical_difference(found))]
    if not against and 2 < len(found.algorithms) <= MOST_IN_MATRIX:
        pictures.append(picture("Matrix of pairs", pairwise_matrix(found)))
    return Part(
        heading=f"Comparison by {found.score.name}",
        subject=f"{found.title()}.",
        answer=tuple(comparison_sentences(found)),
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
    header, body = algorithm_table(found)
    caption = "Algorithms, best first; those that share a letter were not told apart"
    if found.control is not None:
        caption = "Algorithms, best first; = marks those not told apart from the control"
    return Table(caption=caption, header=tuple(header), body=tuple(tuple(row) for row in body))


def _pairs(found: Comparison) -> Table:
    pairs = sorted(found.iter_pairs(), key=lambda pair: (pair.adjusted, pair.a, pair.b))
    cut = (
        ""
        if len(pairs) <= MOST_ROWS
        else f", the {MOST_ROWS} with the smallest p-values of {len(pairs)} (JSON has all)"
    )
    closed = "" if found.rejected else "; none is called different, because the omnibus test does not reject"
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
    header = ("a", "b", "better", "statistic", "p", "adjusted p")
    return Table(caption=f"Pairs{cut}{closed}", header=header, body=body, left=3)


def _comparison_method(found: Comparison) -> tuple[str, ...]:
    averaged = ["Scores of folds were averaged for each data set."] if found.averaged else []
    return (
        f"We compared {len(found.algorithms)} algorithms on {len(found.datasets)} data sets by {found.score.name}.",
        *averaged,
        *comparison_sentences(found),
        f"Works: {'; '.join(papers(found.plan))}. Computed with Tiebreak {__version__}.",
    )


_MULTITEST = "Yildiz and Alpaydin (2006), doi:10.1109/TPAMI.2006.61"
_MULTI2TEST = "Ulas, Yildiz and Alpaydin (2012), doi:10.1016/j.patcog.2011.10.005"
_INNER = {
    "5x2cv-f": "Alpaydin (1999), doi:10.1162/089976699300016007",
    "5x2cv-t": "Dietterich (1998), doi:10.1162/089976698300017197",
    "corrected-t": "Nadeau and Bengio (2003), doi:10.1023/A:1024068626366",
    "kfold-t": "Dietterich (1998), doi:10.1162/089976698300017197",
    "wilcoxon": PAPERS["wilcoxon"],
}


def _ordering_papers(found: Ordering) -> tuple[str, ...]:
    """Name the papers of the procedure and of every test it used."""
    plan = found.plan
    cited = [_MULTITEST]
    if found.inner is not None:
        cited += [paper for paper in (_INNER.get(plan.pairwise), PAPERS.get(plan.inner_adjust)) if paper]
    if found.omnibus is not None:
        cited += [_MULTI2TEST, PAPERS["friedman"]]
        cited += [PAPERS["iman-davenport"]] if plan.omnibus == "friedman" else []
        cited += [PAPERS[plan.posthoc]] if found.rejected and plan.posthoc in PAPERS else []
    return tuple(dict.fromkeys(cited))


def _ordering_part(found: Ordering) -> Part:
    costs = " and ".join(found.costs) or "a given order"
    sets = f"{len(found.datasets)} data sets" if len(found.datasets) > 1 else "one data set"
    cited = _ordering_papers(found)
    pictures = [picture("Order graph", order_graph(found))]
    pictures += [picture(f"Cost plane, {name}", cost_plane(found, cost=name)) for name in found.costs]
    return Part(
        heading=f"Order by {found.score.name} and {costs}",
        subject=f"{found.title()}.",
        answer=(f"From best to worst: {', '.join(found.order)}.", outcome_sentences(found)[-1]),
        pictures=tuple(pictures),
        tables=(_places(found), *([_groups(found)] if found.by_group else [])),
        decided=tuple(ordering_sentences(found)),
        limits=(_EQUAL if len(found.datasets) > 1 else _EQUAL_ON_ONE, *found.caveats),
        checks=ordering_checks(found),
        method=(
            f"We ordered {len(found.algorithms)} algorithms on {sets} by {found.score.name}; where no test decided,"
            f" {costs} did.",
            *method_sentences(found),
            f"Works: {'; '.join(cited)}. Computed with Tiebreak {__version__}.",
        ),
        references=cited,
        data=found.to_dict(),
    )


def _groups(found: Ordering) -> Table:
    body = tuple(
        (group, ", ".join(each.order), str(len(each.datasets))) for group, each in sorted(found.by_group.items())
    )
    return Table(caption="Orders of the groups", header=("group", "order", "data sets"), body=body, left=2)


def _places(found: Ordering) -> Table:
    header: tuple[str, ...] = ("algorithm", "reason", "place", "mean rank", f"mean {found.score.name}")
    header += tuple(found.costs)
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
    shares = "; costs are mean shares of the largest on each data set" if found.costs else ""
    return Table(caption=f"Places, best first, each with its reason{shares}", header=header, body=body, left=2)
