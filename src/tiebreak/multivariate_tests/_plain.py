"""A comparison by several measures as plain data, fit for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tiebreak.caveats import codes_of
from tiebreak.comparison.groups import measure_groups
from tiebreak.documents.words import finite, finite_rows

if TYPE_CHECKING:
    from tiebreak.multivariate_tests._comparison import MultivariateComparison
    from tiebreak.multivariate_tests._one_set import MeasuresOmnibus, MeasuresPair, SetComparison
    from tiebreak.stats.multivariate.manova_tests import LearnedMeasures


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


def _learned_list(found: LearnedMeasures) -> list[dict[str, Any]]:
    return [
        {
            "eigenvalue": finite(float(found.eigenvalues[i])),
            "share": float(found.shares[i]),
            "weights": dict(zip(found.measures, found.weights[:, i].tolist(), strict=True)),
            "standardised": dict(zip(found.measures, found.standardised[:, i].tolist(), strict=True)),
            "chi2": finite(float(found.chi2[i])),
            "pvalue": float(found.chi2_pvalue[i]),
        }
        for i in range(len(found.eigenvalues))
    ]


def _set_dict(each: SetComparison) -> dict[str, Any]:
    per = each.per_measure
    said: dict[str, Any] = {
        "omnibus": _omnibus_dict(each.omnibus),
        "pairs": [_pair_dict(pair) for pair in each.pairs],
        "cliques": [list(clique) for clique in each.cliques],
        "learned": _learned_list(each.learned),
        "measures": [
            {
                "score": name,
                "statistic": finite(float(per.statistic[j])),
                "df": per.df[j].tolist(),
                "pvalue": float(per.pvalue[j]),
                "adjusted": float(per.adjusted[j]),
                "order": [per.algorithms[i] for i in per.order[j]],
                "groups": [list(group) for group in measure_groups(per, j, alpha=each.alpha)],
            }
            for j, name in enumerate(per.measures)
        ],
        "decided_by": each.decided_by,
        "resampling": {
            "replications": each.resampling.replications,
            "folds": each.resampling.folds,
            "correction": each.resampling.correction,
            "test_share": each.resampling.test_share,
        },
        "caveats": list(each.caveats),
        "caveat_codes": codes_of(each.caveats),
    }
    if each.two is not None:
        said["difference"] = finite_rows(each.two.rows())
    elif len(each.algorithms) == 2:  # 5x2 cv has no intervals
        said["difference"] = [
            {
                "measure": name,
                "mean_difference": float(per.mean_difference[j, 0]),
                "statistic": finite(float(per.statistic[j])),
                "pvalue": float(per.pvalue[j]),
                "adjusted": float(per.adjusted[j]),
            }
            for j, name in enumerate(per.measures)
        ]
    return said


def as_dict(found: MultivariateComparison) -> dict[str, Any]:
    """Return the comparison as plain data, fit for JSON."""
    out: dict[str, Any] = {
        "omnibus": _omnibus_dict(found.omnibus),
        "pairs": [_pair_dict(pair) for pair in found.pairs],
        "cliques": [list(clique) for clique in found.cliques],
        "learned": _learned_list(found.learned),
        "normality": finite_rows(list(found.normality)),
        "means": {row["algorithm"]: {m.name: row[m.name] for m in found.measures} for row in found.rows()},
        "scores": [{"name": m.name, "higher_is_better": m.higher_is_better} for m in found.measures],
        "datasets": {each.dataset: _set_dict(each) for each in found.sets},
        "alpha": found.alpha,
        "adjust": found.adjust,
        "data_papers": list(found.data_papers),
        "caveats": list(found.caveats),
        "caveat_codes": codes_of(found.caveats),
    }
    return out if found.order is None else out | {"order": found.order.to_dict()}
