"""What a comparison by several measures says: sentences, tables and how it was decided."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tiebreak.comparison.groups import measure_groups
from tiebreak.documents import Document, Table, listed, number, p_is
from tiebreak.documents.parts import USE, Picture, Point, published_in, with_data
from tiebreak.documents.words import pvalue
from tiebreak.methods import Method, find, papers_of
from tiebreak.multivariate_tests._checks import multivariate_checks
from tiebreak.stats.results import correction_name
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.multivariate_tests._comparison import MultivariateComparison

MOST_PAIRS = 45
"""Texts list so many pairs; --json holds them all."""
MOST_SETS = 20
"""Sets without a significant difference by one measure which the text lists; all are in the plain data."""
_LIMITS = (
    "Algorithms that differ by several measures need not have a winner: one is called better only where it dominates,"
    " nowhere worse and somewhere better.",
    "No significant difference does not mean equal: more folds or data sets might show one.",
)


def document(found: MultivariateComparison) -> Document:
    """Put together what a comparison by several measures says."""
    names = ", ".join(each.name for each in found.measures)
    sets = "one data set" if len(found.sets) == 1 else f"{len(found.sets)} data sets"
    said = tuple(sentences(found))
    return Document(
        title=found.title(),
        heading=f"Comparison by {names} together",
        points=_points(found, said),
        lay=_lay(found),
        said=said,
        tables=tuple(_tables(found)),
        pictures=tuple(_pictures(found)),
        decided=tuple(_decided(found)),
        limits=_LIMITS,
        checks=multivariate_checks(found),
        papers=with_data(papers_of(_methods(found)), found.data_papers),
        caveats=found.caveats,
        method=(
            f"We compared {len(found.algorithms)} algorithms on {sets} by {names} at once.",
            *published_in(found.data_papers),
            *said,
        ),
        more=() if found.order is None else (found.order.document(),),
    )


def _points(found: MultivariateComparison, said: tuple[str, ...]) -> tuple[Point, ...]:
    """Answer first in plain words; the statistic comes later."""
    first, rest = found.printed_table().body[0][0], said[1:]
    best = f"{first} has the best mean rank over {listed([each.name for each in found.measures])}."
    best += " Whom it dominates, the table of pairs says." if found.rejected else " That may be chance."
    evidence = "one data set" if len(found.sets) == 1 else f"{len(found.sets)} data sets"
    return (
        Point(label=USE, text=best),
        Point(label="What was found", text=" ".join(rest)),
        Point(label="How sure", text=f"Decided at alpha = {found.alpha:g} on {evidence}; other data may differ."),
    )


def _lay(found: MultivariateComparison) -> tuple[str, ...]:
    """Explain the words to a reader without statistics."""
    names = listed([each.name for each in found.measures])
    return (
        f"The algorithms are judged by {names} together: two may differ although each measure alone does not show it.",
        "Dominates: no worse in any of the measures, and better in at least one. Two algorithms may differ and neither"
        " dominate: then it depends on which measure counts more.",
        "The learned measure is the mixture of the measures that separates the algorithms best.",
    )


def sentences(found: MultivariateComparison) -> list[str]:
    """Say what can be concluded and what cannot."""
    omnibus, names = found.omnibus, listed([each.name for each in found.measures])
    verdict = "is rejected" if found.rejected else "is not rejected"
    many = "both" if len(found.algorithms) == 2 else f"all {len(found.algorithms)}"
    df = f"({', '.join(number(d) for d in omnibus.df)})" if omnibus.df else ""
    said = [
        f"{omnibus.method}: statistic{df} = {number(omnibus.statistic)}, Wilks' lambda"
        f" {number(omnibus.wilks)}, {p_is(omnibus.pvalue)}. The hypothesis that {many} algorithms"
        f" have the same expected {names} {verdict} at alpha = {found.alpha:g}."
    ]
    if not found.rejected:
        return [*said, "The data do not show that the algorithms differ; this is not evidence that they are equal."]
    differ = [pair for pair in found.pairs if pair.differs]
    won = [pair for pair in differ if pair.better]
    said.append(
        f"{len(differ)} of {len(found.pairs)} pair(s) differ significantly{_where(found)}"
        + ("" if len(found.pairs) == 1 else f" {correction_name(found.adjust)}")
        + f"; in {len(won)} of them one dominates ({_rule(found)})."
    )
    if found.learned.eigenvalues.size and found.learned.eigenvalues[0] > 0:
        said.append(_learned_sentence(found))
    return said


def _where(found: MultivariateComparison) -> str:
    """Folds of one data set are evidence about that data set alone."""
    return " on this data set" if len(found.sets) == 1 else ""


def _rule(found: MultivariateComparison) -> str:
    """The words of what `better` means here, printed wherever a pair has one."""
    rule = "no mean worse, one better"
    return rule if len(found.sets) == 1 else f"{rule}, on more than half of the data sets on which the two differ"


def _learned_sentence(found: MultivariateComparison) -> str:
    """Standardised weights are shown: raw ones depend on the units of the measures."""
    learned = found.learned
    weights = " ".join(
        f"{'-' if w < 0 else '+'} {number(abs(float(w)), 3)} {name}"
        for name, w in zip(learned.measures, learned.standardised[:, 0], strict=True)
    ).removeprefix("+ ")
    return (
        f"The learned measure that separates them best is {weights} (standardised); it holds"
        f" {float(learned.shares[0]):.0%} of what the learned measures separate."
    )


def _methods(found: MultivariateComparison) -> list[Method]:
    """Name every method that had a part in the answer."""
    ways = {(each.decided_by, each.resampling.correction) for each in found.sets}
    more = [found.statistic] if len(found.algorithms) > 2 else []
    names = ["hotelling", *more] if ("normal", "none") in ways else []
    names += ["corrected-hotelling", *more, *["corrected-manova"] * len(more)] if ("normal", "variance") in ways else []
    names += ["5x2cv-measures"] if ("normal", "5x2cv") in ways else []
    names += [way for way in ("permutation", "ranks") if (way, "none") in ways]
    names += ["corrected-permutation"] if ("permutation", "variance") in ways else []
    names = list(dict.fromkeys(names))
    names += ["combine-datasets"] if len(found.sets) > 1 else []
    names += ["learned-measures"] if found.learned.eigenvalues.size else []
    used = [find(name, "measures") for name in names]
    used += [find(found.adjust, "correction")] if len(found.pairs) > 1 and found.adjust != "none" else []
    return [*used, *([find("mardia", "premise")] if found.normality else [])]


def _pictures(found: MultivariateComparison) -> list[Picture]:
    """Learned measures are drawn only where there is one: with nothing that varies there is no direction."""
    learned = [Picture(name="Learned measures", kind="learned")] if found.learned.eigenvalues.size else []
    contours, orders = (
        Picture(name="Measure contours", kind="contours"),
        Picture(name="Orders by each measure", kind="measures"),
    )
    return [contours, *learned, orders]


def _tables(found: MultivariateComparison) -> list[Table]:
    """What a reader looks for first comes first: who, which pairs, by which combination, then the premises."""
    letters = "Algorithms by mean rank over the measures; those that share a letter do not differ significantly"
    tables = [found.printed_table(letters), _pairs(found)]
    if found.learned.eigenvalues.size:
        caption = "Learned measures, with the standardised weight of every measure"
        tables.append(found.learned.printed_table(caption, in_text=False))
    tables.append(_per_measure(found))
    if len(found.sets) > 1:
        tables.append(_per_set(found))
    return [*tables, *_normality(found)]


def _pairs(found: MultivariateComparison) -> Table:
    """Lay out the pairs, the most different first."""
    many = len(found.sets) > 1
    pairs = sorted(found.pairs, key=lambda pair: (pair.adjusted, pair.pvalue))[:MOST_PAIRS]
    more = len(found.pairs) - len(pairs)
    cut = f", the {len(pairs)} with the smallest p-values of {len(found.pairs)} (JSON has all)" if more else ""
    return Table(
        caption=f"Pairs{cut}",
        header=("a", "b", "better", "statistic", "p", "adjusted p", *(["data sets"] if many else [])),
        body=tuple(
            (
                pair.a,
                pair.b,
                pair.better or ("neither dominates" if pair.differs else "no difference found"),
                number(pair.statistic),
                pvalue(pair.pvalue),
                pvalue(pair.adjusted),
                *([f"{pair.sets} of {len(found.sets)}"] if many else []),
            )
            for pair in pairs
        ),
        left=3,
        after=f"{more} more pairs: {either('`found.pairs`', '--json')}." if more else "",
    )


def _per_measure(found: MultivariateComparison) -> Table:
    """Lay out the order by every measure by itself, and the sets without a significant difference, best first."""
    per = found.per_measure()
    body = []
    for j, name in enumerate(per.measures):
        groups = measure_groups(per, j, alpha=found.alpha)
        shown = " | ".join(", ".join(group) for group in groups[:MOST_SETS])
        if len(groups) > MOST_SETS:
            shown += f" | and {len(groups) - MOST_SETS:,} more sets: {either('`to_dict()`', '--json')}"
        order = ", ".join(per.algorithms[i] for i in per.order[j])
        body.append((name, order, shown, number(float(per.statistic[j])), pvalue(float(per.adjusted[j]))))
    return Table(
        caption="Orders by each measure alone, and the sets without a significant difference",
        header=("measure", "order, best first", "not significant", per.symbol, "adjusted p"),
        body=tuple(body),
        left=3,
        in_text=len(found.sets) == 1,
    )


def _per_set(found: MultivariateComparison) -> Table:
    """For reports only: on a terminal it would be longer than the answer."""
    body = tuple(
        (
            each.dataset,
            each.decided_by,
            each.resampling.name.removesuffix(" folds"),
            number(each.omnibus.wilks),
            pvalue(each.omnibus.pvalue),
            f"{sum(pair.differs for pair in each.pairs)} of {len(each.pairs)}",
        )
        for each in found.sets
    )
    header = ("data set", "decided by", "folds", "Wilks' lambda", "p", "pairs that differ")
    return Table(caption="Data sets one by one", header=header, body=body, left=2, in_text=False)


def _normality(found: MultivariateComparison) -> list[Table]:
    """List Mardia's tests where there were folds enough for them."""
    if not found.normality:
        return []
    body = tuple(
        (
            str(row["algorithm"]),
            number(row["skewness"]),
            pvalue(float(str(row["skewness_pvalue"]))),
            number(row["kurtosis"]),
            pvalue(float(str(row["kurtosis_pvalue"]))),
        )
        for row in found.normality
    )
    header = ("sample", "skewness", "p (skewness)", "kurtosis", "p (kurtosis)")
    return [Table(caption="Mardia's tests of normality", header=header, body=body, in_text=False)]


_WAYS = {
    "normal": "by normal theory",
    "permutation": "by permutations within the folds",
    "ranks": "by permutations of ranks",
}


_FITS = {
    "variance": "the variance of a mean allows for the training data that folds share",
    "5x2cv": "the 5x2 cv F test for several measures",
    "none": "folds count as independent, which those of one data set are not",
}


def _folds(found: MultivariateComparison) -> list[str]:
    """Say how the folds were made and what fits them, the data sets that are alike together."""
    kinds = Counter((each.resampling.name, each.resampling.correction) for each in found.sets)
    said = []
    for (name, correction), count in kinds.items():
        where = "" if len(kinds) == 1 else f" on {count} data set(s)"
        said.append(f"{name[0].upper()}{name[1:]}{where}: {_FITS[correction]}.")
    return said[:3] + ([f"... and {len(said) - 3} more kinds of folds."] if len(said) > 3 else [])


def _decided(found: MultivariateComparison) -> list[str]:
    """Say step by step how the answer came about."""
    ways = list(dict.fromkeys(each.decided_by for each in found.sets))
    counts = [
        f"{_WAYS[way]}" + (f" on {sum(each.decided_by == way for each in found.sets)}" if len(ways) > 1 else "")
        for way in ways
    ]
    said = [f"All algorithms and measures at once: {found.omnibus.method}, {' and '.join(counts)}."]
    said += _folds(found)
    if len(found.pairs) > 1:
        said.append(f"Then every pair, with the correction {found.adjust} over the {len(found.pairs)} pairs.")
    if len(found.sets) > 1:
        said.append(
            "The data sets were tested one by one; p-values were combined by Fisher's method, and the data sets on"
            " which a pair differs were counted."
        )
    said.append("A pair differs where its adjusted p and the p of the test of all are at most alpha.")
    return said
