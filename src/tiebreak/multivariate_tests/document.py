"""What a comparison by several measures says: sentences, tables, checks, how it was decided, plain data."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tiebreak.caveats import codes_of
from tiebreak.comparison.groups import measure_groups
from tiebreak.documents import Answer, Document, Table, listed, number, p_is, table_of_verb
from tiebreak.documents.parts import Picture, published_in, with_data
from tiebreak.documents.words import finite, finite_rows, pvalue
from tiebreak.methods import Method, find, papers_of
from tiebreak.stats.results import correction_name
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.multivariate_tests.comparison import MultivariateComparison
    from tiebreak.multivariate_tests.one_set import MeasuresOmnibus, MeasuresPair, SetComparison
    from tiebreak.stats.multivariate.manova_tests import LearnedMeasures


MOST_PAIRS = 45
"""Texts list so many pairs; --json holds them all."""
MOST_SETS = 20
"""Sets without a significant difference by one measure which the text lists; all are in the plain data."""
_LIMITS = (
    "Algorithms that differ by several measures need not have a winner: one is called better only where it dominates,"
    " nowhere worse and somewhere better.",
    "No significant difference does not mean equal: more folds or data sets might show one.",
)


def document(comparison: MultivariateComparison) -> Document:
    """Put together what a comparison by several measures says."""
    names = ", ".join(measure.name for measure in comparison.measures)
    sets = "one data set" if len(comparison.sets) == 1 else f"{len(comparison.sets)} data sets"
    lines = tuple(sentences(comparison))
    return Document(
        title=comparison.title(),
        heading=f"Comparison by {names} together",
        points=comparison.answer.points(),
        lay=_lay(comparison),
        said=lines,
        tables=tuple(_tables(comparison)),
        pictures=tuple(_pictures(comparison)),
        decided=tuple(_decided(comparison)),
        limits=_LIMITS,
        papers=with_data(papers_of(_methods(comparison)), comparison.data_papers),
        caveats=comparison.caveats,
        method=(
            f"We compared {len(comparison.algorithms)} algorithms on {sets} by {names} at once.",
            *published_in(comparison.data_papers),
            *lines,
        ),
        more=() if comparison.order is None else (comparison.order.document(),),
    )


def answer(comparison: MultivariateComparison) -> Answer:
    """Return who dominates whom, the means, and the test that it rests on."""
    names = listed([measure.name for measure in comparison.measures])
    differ = [pair for pair in comparison.pairs if pair.differs]
    won = Counter(pair.better for pair in differ if pair.better)
    best, wins = max(won.items(), key=lambda item: item[1], default=("", 0))
    others = len(comparison.algorithms) - 1
    if not comparison.rejected:
        headline = f"No significant difference in {names} together."
    elif not wins:
        headline = f"The algorithms differ, but none dominates another: it depends on which of {names} counts more."
    elif wins == others:
        headline = f"Use {best}: significantly better than every other, nowhere worse in {names}."
    else:
        headline = f"{best} dominates {wins} of the {others} others: better, and nowhere worse in {names}."
    omnibus = comparison.omnibus
    test = f"{omnibus.method}: {p_is(omnibus.pvalue)}"
    verb = "differs" if len(differ) == 1 else "differ"
    pairs = f"{len(differ)} of {len(comparison.pairs)} pairs {verb} significantly{_where(comparison)}"
    dominated = f"in {sum(won.values())} of them one dominates" if differ else ""
    correction = "" if len(comparison.pairs) == 1 else f" {correction_name(comparison.adjust)}"
    return Answer(
        headline=headline,
        use=best if comparison.rejected and wins == others else "",
        sure=f"{pairs}{correction}.",
        rests_on=f"{test}.",
        table=comparison.printed_table(),
        facts=(
            "No significant difference between algorithms that share a letter.",
            f"{pairs}{correction}{f'; {dominated}' if dominated else ''}.",
            f"{test}.",
        ),
        notes=tuple(map(str, comparison.caveats)),
        more=(f"More: {either('.document()', '--full')}", f"For a paper: {either('.to_latex()', '--latex')}"),
    )


def _lay(comparison: MultivariateComparison) -> tuple[str, ...]:
    """Explain the words to a reader without statistics."""
    names = listed([measure.name for measure in comparison.measures])
    return (
        f"The algorithms are judged by {names} together: two may differ although each measure alone does not show it.",
        "Dominates: no worse in any of the measures, and better in at least one. Two algorithms may differ and neither"
        " dominate: then it depends on which measure counts more.",
        "The learned measure is the mixture of the measures that separates the algorithms best.",
    )


def sentences(comparison: MultivariateComparison) -> list[str]:
    """Say what can be concluded and what cannot."""
    omnibus, names = comparison.omnibus, listed([measure.name for measure in comparison.measures])
    verdict = "is rejected" if comparison.rejected else "is not rejected"
    many = "both" if len(comparison.algorithms) == 2 else f"all {len(comparison.algorithms)}"
    df = f"({', '.join(number(d) for d in omnibus.df)})" if omnibus.df else ""
    lines = [
        f"{omnibus.method}: statistic{df} = {number(omnibus.statistic)}, Wilks' lambda"
        f" {number(omnibus.wilks)}, {p_is(omnibus.pvalue)}. The hypothesis that {many} algorithms"
        f" have the same expected {names} {verdict} at alpha = {comparison.alpha:g}."
    ]
    if not comparison.rejected:
        return [*lines, "The data do not show that the algorithms differ; this is not evidence that they are equal."]
    differ = [pair for pair in comparison.pairs if pair.differs]
    won = [pair for pair in differ if pair.better]
    lines.append(
        f"{len(differ)} of {len(comparison.pairs)} pairs differ significantly{_where(comparison)}"
        + ("" if len(comparison.pairs) == 1 else f" {correction_name(comparison.adjust)}")
        + f"; in {len(won)} of them one dominates ({_rule(comparison)})."
    )
    if comparison.learned.eigenvalues.size and comparison.learned.eigenvalues[0] > 0:
        lines.append(_learned_sentence(comparison))
    return lines


def _where(comparison: MultivariateComparison) -> str:
    """Folds of one data set are evidence about that data set alone."""
    return " on this data set" if len(comparison.sets) == 1 else ""


def _rule(comparison: MultivariateComparison) -> str:
    """The words of what `better` means here, printed wherever a pair has one."""
    rule = "no mean worse, one better"
    return rule if len(comparison.sets) == 1 else f"{rule}, on more than half of the data sets on which the two differ"


def _learned_sentence(comparison: MultivariateComparison) -> str:
    """Standardised weights are shown: raw ones depend on the units of the measures."""
    learned = comparison.learned
    weights = " ".join(
        f"{'-' if w < 0 else '+'} {number(abs(float(w)), 3)} {name}"
        for name, w in zip(learned.measures, learned.standardised[:, 0], strict=True)
    ).removeprefix("+ ")
    return (
        f"The learned measure that separates them best is {weights} (standardised); it holds"
        f" {float(learned.shares[0]):.0%} of what the learned measures separate."
    )


def _methods(comparison: MultivariateComparison) -> list[Method]:
    """Name every method that had a part in the answer."""
    decided, many = comparison.sets[0].decided_by, len(comparison.algorithms) > 2
    more = [comparison.statistic] if many else []
    by_fit = {
        ("normal", "none"): ["hotelling", *more],
        ("normal", "variance"): ["corrected-hotelling", *more, *["corrected-manova"] * many],
        ("normal", "5x2cv"): ["5x2cv-measures"],
        ("permutation", "none"): ["permutation"],
        ("permutation", "variance"): ["corrected-permutation"],
    }
    fits = {(decided, set_comparison.resampling.correction) for set_comparison in comparison.sets}
    names = list(dict.fromkeys(name for fit, used in by_fit.items() if fit in fits for name in used))
    names += ["combine-datasets"] if len(comparison.sets) > 1 else []
    names += ["learned-measures"] if comparison.learned.eigenvalues.size else []
    used = [find(name, "measures") for name in names]
    used += [find(comparison.adjust, "correction")] if len(comparison.pairs) > 1 and comparison.adjust != "none" else []
    return [*used, *([find("mardia", "premise")] if comparison.normality else [])]


def _pictures(comparison: MultivariateComparison) -> list[Picture]:
    """Learned measures are drawn only where there is one: with nothing that varies there is no direction."""
    learned = [Picture(name="Learned measures", kind="learned")] if comparison.learned.eigenvalues.size else []
    return [Picture(name="Measure contours", kind="contours"), *learned]


def _tables(comparison: MultivariateComparison) -> list[Table]:
    """What a reader looks for first comes first: who, which pairs, by which combination, then the premises."""
    letters = "Algorithms by mean rank over the measures; those that share a letter do not differ significantly"
    tables = [comparison.printed_table(letters), _pairs(comparison)]
    if comparison.learned.eigenvalues.size:
        caption = "Learned measures, with the standardised weight of every measure"
        tables.append(comparison.learned.printed_table(caption, in_text=False))
    tables.append(_per_set(comparison) if len(comparison.sets) > 1 else _per_measure(comparison.sets[0]))
    return [*tables, *_normality(comparison)]


def _pairs(comparison: MultivariateComparison) -> Table:
    """Lay out the pairs, the most different first."""
    pairs = sorted(comparison.pairs, key=lambda pair: (pair.adjusted, pair.pvalue))[:MOST_PAIRS]
    more = len(comparison.pairs) - len(pairs)
    cut = f", the {len(pairs)} with the smallest p-values of {len(comparison.pairs)} (JSON has all)" if more else ""
    cells = {
        "a": [pair.a for pair in pairs],
        "b": [pair.b for pair in pairs],
        "better": [pair.better or ("neither dominates" if pair.differs else "no difference found") for pair in pairs],
        "statistic": [number(pair.statistic) for pair in pairs],
        "pvalue": [pvalue(pair.pvalue) for pair in pairs],
        "adjusted": [pvalue(pair.adjusted) for pair in pairs],
    }
    if len(comparison.sets) > 1:
        cells["sets"] = [f"{pair.sets} of {len(comparison.sets)}" for pair in pairs]
    after = f"{more} more pairs: {either('`comparison.pairs`', '--json')}." if more else ""
    return table_of_verb("multivariate", cells, full=True, caption=f"Pairs{cut}", after=after)


def _per_measure(comparison: SetComparison) -> Table:
    """Lay out the order by every measure by itself, and the sets without a significant difference, best first."""
    per = comparison.per_measure
    body = []
    for j, name in enumerate(per.measures):
        groups = measure_groups(per, j, alpha=comparison.alpha)
        shown = " | ".join(", ".join(group) for group in groups[:MOST_SETS])
        if len(groups) > MOST_SETS:
            shown += f" | and {len(groups) - MOST_SETS:,} more sets: {either('`to_dict()`', '--json')}"
        order = ", ".join(per.algorithms[i] for i in per.order[j])
        body.append((name, order, shown, number(float(per.statistic[j])), pvalue(float(per.adjusted[j]))))
    return Table(
        caption="Orders by each measure alone, and the sets without a significant difference",
        header=("measure", "order, best first", "not significant", "F", "adjusted p"),
        body=tuple(body),
        left=3,
    )


def _per_set(comparison: MultivariateComparison) -> Table:
    """For reports only: on a terminal it would be longer than the answer."""
    body = tuple(
        (
            set_comparison.dataset,
            set_comparison.resampling.name.removesuffix(" folds"),
            number(set_comparison.omnibus.wilks),
            pvalue(set_comparison.omnibus.pvalue),
            f"{sum(pair.differs for pair in set_comparison.pairs)} of {len(set_comparison.pairs)}",
        )
        for set_comparison in comparison.sets
    )
    header = ("data set", "folds", "Wilks' lambda", "p", "pairs that differ")
    return Table(caption="Data sets one by one", header=header, body=body, left=1, in_text=False)


def _normality(comparison: MultivariateComparison) -> list[Table]:
    """List Mardia's tests where there were folds enough for them."""
    if not comparison.normality:
        return []
    body = tuple(
        (
            ": ".join(str(row[key]) for key in ("dataset", "algorithm") if key in row),
            number(row["skewness"]),
            pvalue(float(str(row["skewness_pvalue"]))),
            number(row["kurtosis"]),
            pvalue(float(str(row["kurtosis_pvalue"]))),
        )
        for row in comparison.normality[:MOST_PAIRS]
    )
    header = ("sample", "skewness", "p (skewness)", "kurtosis", "p (kurtosis)")
    return [Table(caption="Mardia's tests of normality", header=header, body=body, in_text=False)]


_WAYS = {"normal": "by normal theory", "permutation": "by permutations within the folds"}
_FITS = {
    "variance": "the variance of a mean allows for the training data that folds share",
    "5x2cv": "the 5x2 cv F test for several measures",
    "none": "folds count as independent, which those of one data set are not",
}


def _folds(comparison: MultivariateComparison) -> list[str]:
    """Say how the folds were made and what fits them, the data sets that are alike together."""
    kinds = Counter(
        (set_comparison.resampling.name, set_comparison.resampling.correction) for set_comparison in comparison.sets
    )
    lines = []
    for (name, correction), count in kinds.items():
        where = "" if len(kinds) == 1 else f" on {count} data set(s)"
        lines.append(f"{name[0].upper()}{name[1:]}{where}: {_FITS[correction]}.")
    return lines[:3] + ([f"... and {len(lines) - 3} more kinds of folds."] if len(lines) > 3 else [])


def _decided(comparison: MultivariateComparison) -> list[str]:
    """Say step by step how the answer came about."""
    way = _WAYS[comparison.sets[0].decided_by]
    lines = [f"All algorithms and measures at once: {comparison.omnibus.method}, {way}."]
    lines += _folds(comparison)
    if len(comparison.pairs) > 1:
        lines.append(
            f"Then every pair, with the correction {comparison.adjust} over the {len(comparison.pairs)} pairs."
        )
    if len(comparison.sets) > 1:
        lines.append(
            "The data sets were tested one by one; p-values were combined by Fisher's method, and the data sets on"
            " which a pair differs were counted."
        )
    lines.append("A pair differs where its adjusted p and the p of the test of all are at most alpha.")
    return lines


def _omnibus_dict(omnibus: MeasuresOmnibus) -> dict[str, Any]:
    return {
        "wilks": omnibus.wilks,
        "statistic": finite(omnibus.statistic),
        "df": list(omnibus.df),
        "pvalue": omnibus.pvalue,
        "method": omnibus.method,
        "others": [{key: finite(value) for key, value in row.items()} for row in omnibus.others],
    }


def _pair_dict(pair: MeasuresPair) -> dict[str, Any]:
    """`t2` and the counts over data sets are left out where they have no meaning, not written as null."""
    plain = {
        "a": pair.a,
        "b": pair.b,
        "statistic": finite(pair.statistic),
        "pvalue": pair.pvalue,
        "adjusted": pair.adjusted,
        "better": pair.better,
        "differs": pair.differs,
    }
    if pair.t2 is not None:
        plain["t2"] = finite(pair.t2)
    if pair.sets is None or pair.dominates is None:
        return plain
    return plain | {"datasets": pair.sets, "dominates": dict(zip((pair.a, pair.b), pair.dominates, strict=True))}


def _learned_list(comparison: LearnedMeasures) -> list[dict[str, Any]]:
    return [
        {
            "eigenvalue": finite(float(comparison.eigenvalues[i])),
            "share": float(comparison.shares[i]),
            "weights": dict(zip(comparison.measures, comparison.weights[:, i].tolist(), strict=True)),
            "standardised": dict(zip(comparison.measures, comparison.standardised[:, i].tolist(), strict=True)),
            "chi2": finite(float(comparison.chi2[i])),
            "pvalue": float(comparison.chi2_pvalue[i]),
        }
        for i in range(len(comparison.eigenvalues))
    ]


def _set_dict(comparison: SetComparison) -> dict[str, Any]:
    per = comparison.per_measure
    texts: dict[str, Any] = {
        "omnibus": _omnibus_dict(comparison.omnibus),
        "pairs": [_pair_dict(pair) for pair in comparison.pairs],
        "cliques": [list(clique) for clique in comparison.cliques],
        "learned": _learned_list(comparison.learned),
        "measures": [
            {
                "score": name,
                "statistic": finite(float(per.statistic[j])),
                "df": per.df[j].tolist(),
                "pvalue": float(per.pvalue[j]),
                "adjusted": float(per.adjusted[j]),
                "order": [per.algorithms[i] for i in per.order[j]],
                "groups": [list(group) for group in measure_groups(per, j, alpha=comparison.alpha)],
            }
            for j, name in enumerate(per.measures)
        ],
        "decided_by": comparison.decided_by,
        "resampling": {
            "replications": comparison.resampling.replications,
            "folds": comparison.resampling.folds,
            "correction": comparison.resampling.correction,
            "test_share": comparison.resampling.test_share,
        },
        "caveats": list(comparison.caveats),
        "caveat_codes": codes_of(comparison.caveats),
    }
    if comparison.two is not None:
        texts["difference"] = finite_rows(comparison.two.rows())
    elif len(comparison.algorithms) == 2:  # 5x2 cv has no intervals
        texts["difference"] = [
            {
                "measure": name,
                "mean_difference": float(per.mean_difference[j, 0]),
                "statistic": finite(float(per.statistic[j])),
                "pvalue": float(per.pvalue[j]),
                "adjusted": float(per.adjusted[j]),
            }
            for j, name in enumerate(per.measures)
        ]
    return texts


def as_dict(comparison: MultivariateComparison) -> dict[str, Any]:
    """Return the comparison as plain data, fit for JSON."""
    out: dict[str, Any] = {
        "answer": answer(comparison).to_dict(),
        "omnibus": _omnibus_dict(comparison.omnibus),
        "pairs": [_pair_dict(pair) for pair in comparison.pairs],
        "cliques": [list(clique) for clique in comparison.cliques],
        "learned": _learned_list(comparison.learned),
        "normality": finite_rows(list(comparison.normality)),
        "means": {row["algorithm"]: {m.name: row[m.name] for m in comparison.measures} for row in comparison.rows()},
        "scores": [{"name": m.name, "higher_is_better": m.higher_is_better} for m in comparison.measures],
        "datasets": {set_comparison.dataset: _set_dict(set_comparison) for set_comparison in comparison.sets},
        "alpha": comparison.alpha,
        "adjust": comparison.adjust,
        "data_papers": list(comparison.data_papers),
        "caveats": list(comparison.caveats),
        "caveat_codes": codes_of(comparison.caveats),
    }
    return out if comparison.order is None else out | {"order": comparison.order.to_dict()}
