"""What a report says of a comparison by several measures."""

from __future__ import annotations

from tiebreak import __version__, _show
from tiebreak._show import Shown
from tiebreak.deciding.multivariate import MultivariateComparison
from tiebreak.deciding.multivariate._words import pair_table, references, sentences
from tiebreak.figures import learned_plane, measure_contours, measure_orders
from tiebreak.reporting.context import Part, Picture, Table, picture
from tiebreak.reporting.joint_checks import multivariate_checks

_NOT_BETTER = (
    "Algorithms that differ by several measures need not have a winner: one is called better only where it dominates,"
    " nowhere worse and somewhere better."
)
_NOT_EQUAL = "Algorithms that were not told apart are not thereby equal: more folds or data sets might tell them apart."
_FISHER = "Fisher, R. A. (1936). doi:10.1111/j.1469-1809.1936.tb02137.x"


def multivariate_part(found: MultivariateComparison) -> Part:
    """Report on a comparison by several measures: the three figures, the tables, the checks."""
    names = ", ".join(each.name for each in found.measures)
    cited = (*references(found), *([_FISHER] if found.learned.eigenvalues.size else []))
    said = tuple(sentences(found))
    return Part(
        heading=f"Comparison by {names} together",
        subject=f"{found.title()}.",
        answer=said,
        pictures=tuple(_pictures(found)),
        tables=tuple(_tables(found)),
        decided=tuple(_decided(found)),
        limits=(_NOT_BETTER, _NOT_EQUAL, *found.caveats),
        checks=multivariate_checks(found),
        method=(
            f"We compared {len(found.algorithms)} algorithms on {_sets(found)} by {names} at once.",
            *said,
            f"Works: {'; '.join(cited)} Computed with Tiebreak {__version__}.",
        ),
        references=cited,
        data=found.to_dict(),
    )


def _sets(found: MultivariateComparison) -> str:
    return "one data set" if len(found.sets) == 1 else f"{len(found.sets)} data sets"


def _pictures(found: MultivariateComparison) -> list[Picture]:
    pictures = [picture("Measure contours", measure_contours(found))]
    if found.learned.eigenvalues.size:
        pictures.append(picture("Learned measures", learned_plane(found)))
    return [*pictures, picture("Orders by each measure", measure_orders(found))]


def _tables(found: MultivariateComparison) -> list[Table]:
    header, pairs = pair_table(found)
    more = len(found.pairs) - len(pairs)
    cut = f", the {len(pairs)} with the smallest p-values of {len(found.pairs)} (JSON has all)" if more else ""
    tables = [
        _table("Algorithms by mean rank over the measures; those that share a letter were not told apart", found),
        Table(caption=f"Pairs{cut}", header=tuple(header), body=tuple(map(tuple, pairs)), left=3),
    ]
    if found.learned.eigenvalues.size:
        tables.append(_table("Learned measures, with the standardised weight of every measure", found.learned))
    tables.append(_per_measure(found))
    if len(found.sets) > 1:
        tables.append(_per_set(found))
    return [*tables, *_normality(found)]


def _table(caption: str, result: Shown) -> Table:
    header, body, left = result.printed()
    return Table(caption=caption, header=tuple(header), body=tuple(map(tuple, body)), left=left)


def _per_measure(found: MultivariateComparison) -> Table:
    """List the order by each measure alone, as the figure has it."""
    figure = measure_orders(found)
    body = tuple(
        (str(row["measure"]), str(row["order"]), _show.number(row["statistic"]), _show.pvalue(order.pvalue))
        for row, order in zip(figure.rows(), figure.orders, strict=True)
    )
    header = ("measure", "order, best first", "F", "adjusted p")
    return Table(caption="Orders by each measure alone", header=header, body=body, left=2)


def _per_set(found: MultivariateComparison) -> Table:
    body = tuple(
        (
            each.dataset,
            each.decided_by,
            str(len(each.cube)),
            _show.number(each.omnibus.wilks),
            _show.pvalue(each.omnibus.pvalue),
            f"{sum(pair.differs for pair in each.pairs)} of {len(each.pairs)}",
        )
        for each in found.sets
    )
    header = ("data set", "decided by", "folds", "Wilks' lambda", "p", "pairs that differ")
    return Table(caption="Data sets one by one", header=header, body=body, left=2)


def _normality(found: MultivariateComparison) -> list[Table]:
    """List Mardia's tests where there were folds enough for them."""
    if not found.normality:
        return []
    body = tuple(
        (
            str(row["algorithm"]),
            _show.number(row["skewness"]),
            _show.pvalue(float(str(row["skewness_pvalue"]))),
            _show.number(row["kurtosis"]),
            _show.pvalue(float(str(row["kurtosis_pvalue"]))),
        )
        for row in found.normality
    )
    header = ("sample", "skewness", "p (skewness)", "kurtosis", "p (kurtosis)")
    return [Table(caption="Mardia's tests of normality", header=header, body=body)]


_WAYS = {
    "normal": "by normal theory",
    "permutation": "by permutations within the folds",
    "ranks": "by permutations of ranks",
}


def _decided(found: MultivariateComparison) -> list[str]:
    """Say step by step how the answer came about."""
    ways = list(dict.fromkeys(each.decided_by for each in found.sets))
    counts = [
        f"{_WAYS[way]}" + (f" on {sum(each.decided_by == way for each in found.sets)}" if len(ways) > 1 else "")
        for way in ways
    ]
    said = [f"All algorithms and measures at once: {found.omnibus.method}, {' and '.join(counts)}."]
    if len(found.pairs) > 1:
        said.append(f"Then every pair, with the correction {found.adjust} over the {len(found.pairs)} pairs.")
    if len(found.sets) > 1:
        said.append(
            "The data sets were tested one by one; p-values were combined by Fisher's method, and the data sets on"
            " which a pair differs were counted."
        )
    said.append("A pair differs where its adjusted p and the p of the test of all are at most alpha.")
    return said
