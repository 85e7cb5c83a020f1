"""What a comparison says: sentences, tables, checks, and plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tiebreak.caveats import codes_of
from tiebreak.deciding.compare._checks import comparison_checks
from tiebreak.documents import Document, Picture, Table, finite, listed, number, p_is, pvalue, with_article
from tiebreak.methods import papers_of

if TYPE_CHECKING:
    from tiebreak.deciding.compare._comparison import Comparison

MOST_PAIRS = 45
"""Texts list so many pairs (all of ten algorithms); larger comparisons name the way to the rest."""
MOST_ROWS = 60
"""A report lists so many, the ones with the smallest p-values; --json holds them all."""
MOST_IN_MATRIX = 60
"""Comparisons of more algorithms are reported without the matrix of pairs."""
EQUAL = "Algorithms that were not told apart are not thereby equal: more data sets might tell them apart."


def document(found: Comparison) -> Document:
    """Put together what a comparison says."""
    said = tuple(sentences(found))
    averaged = ["Scores of folds were averaged for each data set."] if found.averaged else []
    papers = papers_of(each for each in found.plan.methods if each.name != "none")
    return Document(
        title=found.title(),
        heading=f"Comparison by {found.score.name}",
        said=said,
        tables=(_algorithms(found), *_pairs(found)),
        pictures=tuple(_pictures(found)),
        decided=found.plan.path,
        limits=(EQUAL,),
        checks=comparison_checks(found),
        papers=(*papers[:1], *_sphericity(found), *papers[1:]),
        caveats=found.caveats,
        method=(
            f"We compared {len(found.algorithms)} algorithms on {len(found.datasets)} data sets by {found.score.name}.",
            *averaged,
            *said,
        ),
    )


def _sphericity(found: Comparison) -> tuple[str, ...]:
    """The correction has no record of its own among the methods, so its paper is named here."""
    return ("greenhouse1959",) if found.plan.sphericity == "greenhouse-geisser" else ()


def _pictures(found: Comparison) -> list[Picture]:
    """Choose what can be read: with two algorithms, or with very many, the matrix shows nothing."""
    if found.control is not None:
        return [Picture(name="Diagram against the control", kind="control")]
    pictures = [Picture(name=f"Diagram of {found.location_name}s", kind="cd")]
    if 2 < len(found.algorithms) <= MOST_IN_MATRIX:
        pictures.append(Picture(name="Matrix of pairs", kind="matrix"))
    return pictures


def sentences(found: Comparison) -> list[str]:
    """Say what can be concluded and what cannot, in the words a paper would use."""
    said = [_omnibus_sentence(found)]
    if not found.rejected:
        return [*said, "The data do not show that the algorithms differ; this is not evidence that they are equal."]
    if len(found.algorithms) == 2:
        return [*said, _two_sentence(found)]
    return [*said, *(_pair_sentences(found) if found.control is None else _control_sentences(found))]


def _omnibus_sentence(found: Comparison) -> str:
    """Name the hypothesis, not only the verdict: what is "the same" depends on what the test ranks or averages."""
    verdict = "is rejected" if found.rejected else "is not rejected"
    many = "both" if len(found.algorithms) == 2 else f"all {len(found.algorithms)}"
    return (
        f"{_omnibus_name(found)}, {_statistic(found)}, over {len(found.datasets)} data sets: the hypothesis that {many}"
        f" algorithms have the same {_alike(found)} {found.score.name} {verdict} at alpha = {found.alpha:g}."
    )


def _alike(found: Comparison) -> str:
    """Say what the hypothesis holds to be the same."""
    if found.plan.omnibus != "none":
        return "expected" if found.plan.omnibus_method.takes == "scores" else "expected rank of"
    return "expected" if found.plan.pairwise == "paired-t" else "distribution of"


def _omnibus_name(found: Comparison) -> str:
    """Name the omnibus test: 'The Friedman test (Iman-Davenport F, corrected for ties)'."""
    head, comma, rest = found.omnibus.method.partition(", ")
    name = f"{head} ({rest})" if comma and "(" not in found.omnibus.method else found.omnibus.method
    named = with_article(name)
    return named[0].upper() + named[1:]


def _statistic(found: Comparison) -> str:
    """The degrees of freedom tell the statistic: two make an F, one a chi-squared, none a z, t or count."""
    df, symbol = found.omnibus.df, found.omnibus.symbol
    inside = f"({', '.join(number(d) for d in df)})" if df else ""
    return f"{symbol}{inside} = {number(found.omnibus.statistic)}, {p_is(found.omnibus.pvalue)}"


def _two_sentence(found: Comparison) -> str:
    """With two algorithms the omnibus test is the pair's, so the sentences about all pairs would say it twice."""
    pair = next(found.iter_pairs())
    if pair.better is None:
        return "The pair itself is not told apart; this is not evidence that the two are equal."
    return f"{pair.better} is significantly better than {pair.a if pair.better == pair.b else pair.b}."


def _pair_sentences(found: Comparison) -> list[str]:
    """Say most about the best algorithm, and never that those not told apart are equal."""
    how, total, count = f"By {_method(found)}", len(found.significant), int(found.significant.sum())
    if not count:
        return [
            f"{how}, no pair differs significantly: the omnibus test says that the algorithms are not all alike, but"
            " there are too few data sets to say which of them differ."
        ]
    best, others = found.algorithms[0], len(found.algorithms) - 1
    alike = {name for group in found.groups if best in group for name in group} - {best}
    tied = [name for name in found.algorithms if name in alike]
    said = [f"{how}, {count} of {total} pairs differ significantly."]
    first = f"{best} has the best {found.location_name} and differs significantly from"
    if not tied:
        said.append(f"{first} every other algorithm.")
    else:
        beaten = f"{others - len(tied)} of the {others} others"
        said.append(f"{first} {beaten}; a difference from {listed(tied)} cannot be concluded.")
    if len(found.groups) > 1 and any(len(group) > 1 for group in found.groups):
        said.append("Algorithms that share a group letter were not told apart, which does not make them equal.")
    return said


def _control_sentences(found: Comparison) -> list[str]:
    """Three lists, of which the empty ones are left out: better, worse, and what cannot be concluded."""
    pairs = list(found.iter_pairs())
    said = [f"By {_method(found)}, with {found.control} as control."]
    for begin, names in (
        ("Significantly better than the control:", [pair.b for pair in pairs if pair.better == pair.b]),
        ("Significantly worse than the control:", [pair.b for pair in pairs if pair.better == found.control]),
        (
            "No difference from the control can be concluded for",
            [name for name in found.groups[0] if name != found.control],
        ),
    ):
        if names:
            said.append(f"{begin} {listed(names)}.")
    return [" ".join(said)]


def _method(found: Comparison) -> str:
    """Name the post hoc test as it stands after 'by', with its critical difference where it has one."""
    name, cd = with_article(found.tests.method), found.critical_difference
    if cd is None:
        return name
    inside = f"critical difference {cd:.3f}"
    return f"{name[:-1]}; {inside})" if name.endswith(")") else f"{name} ({inside})"


def _algorithms(found: Comparison) -> Table:
    """Lay out the algorithms, best first, with their groups, or with who was not told apart from the control."""
    against = found.control is not None
    extra = [found.location_name] if found.location_name not in ("mean rank", "mean score") else []
    marks = found.letters()
    if against:
        marks = [
            "control" if n == found.control else "=" if m else "" for n, m in zip(found.algorithms, marks, strict=True)
        ]
    told = (
        "= marks those not told apart from the control" if against else "those that share a letter were not told apart"
    )
    return Table(
        caption=f"Algorithms, best first; {told}",
        header=("algorithm", "mean rank", f"mean {found.score.name}", *extra, "as control" if against else "group"),
        body=tuple(
            (
                str(row["algorithm"]),
                f"{row['mean_rank']:.3f}",
                number(row[f"mean {found.score.name}"]),
                *([f"{location:.3f}"] if extra else []),
                mark,
            )
            for row, mark, location in zip(found.rows(), marks, found.locations.tolist(), strict=True)
        ),
    )


def _pairs(found: Comparison) -> list[Table]:
    """Lay out the pairs: as tested for a text that has room for them, the most different first for a report."""
    pairs = list(found.iter_pairs()) if len(found.significant) <= MOST_PAIRS else []
    note = "" if pairs else f"{len(found.significant)} pairs were tested; --json lists them all."
    body = tuple(
        (each.a, each.b, number(each.statistic), pvalue(each.pvalue), pvalue(each.adjusted), each.better or "-")
        for each in pairs
    )
    header = ("a", "b", "statistic", "p", "adjusted p", "better")
    in_text = [Table(header=header, body=body, left=2, note=note)] if found.rejected else []
    return [*in_text, _sorted_pairs(found)]


def _sorted_pairs(found: Comparison) -> Table:
    """List by adjusted p-value, then by name, so that equal p-values come in the same order every time."""
    pairs = sorted(found.iter_pairs(), key=lambda pair: (pair.adjusted, pair.a, pair.b))
    more = len(pairs) > MOST_ROWS
    cut = f", the {MOST_ROWS} with the smallest p-values of {len(pairs)} (JSON has all)" if more else ""
    closed = "" if found.rejected else "; none is called different, because the omnibus test does not reject"
    return Table(
        caption=f"Pairs{cut}{closed}",
        header=("a", "b", "better", "statistic", "p", "adjusted p"),
        body=tuple(
            (each.a, each.b, each.better or "-", number(each.statistic), pvalue(each.pvalue), pvalue(each.adjusted))
            for each in pairs[:MOST_ROWS]
        ),
        left=3,
        in_text=False,
    )


def as_dict(found: Comparison) -> dict[str, Any]:
    """Return the comparison as plain data; its fields are a contract for other programs."""
    plan = found.plan
    return {
        "algorithms": list(found.algorithms),
        "mean_ranks": dict(zip(found.algorithms, found.mean_ranks.tolist(), strict=True)),
        "omnibus": found.omnibus.to_dict() | {"rejected": found.rejected},
        "pairs": [
            {
                "a": pair.a,
                "b": pair.b,
                "statistic": finite(pair.statistic),
                "pvalue": pair.pvalue,
                "adjusted": pair.adjusted,
                "better": pair.better,
            }
            for pair in found.iter_pairs()
        ],
        "groups": [list(group) for group in found.groups],
        "critical_difference": found.critical_difference,
        "method": {
            "omnibus": found.omnibus.method,
            "posthoc": found.tests.method,
            "alpha": found.alpha,
            "score": found.score.name,
            "higher_is_better": found.higher_is_better,
            "control": found.control,
            "missing": plan.missing,
            "datasets": len(found.datasets),
            "choices": {"omnibus": plan.omnibus, "pairwise": plan.pairwise, "posthoc": plan.posthoc},
        },
        "path": list(plan.path),
        "conclusion": sentences(found),
        "references": document(found).references(),
        "caveats": list(found.caveats),
        "caveat_codes": codes_of(found.caveats),
    }
