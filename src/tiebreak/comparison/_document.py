"""What a comparison says: sentences, tables, checks, and plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.caveats import codes_of
from tiebreak.comparison._checks import comparison_checks
from tiebreak.comparison._judging import few_of
from tiebreak.comparison._plan import WINS
from tiebreak.comparison._words import lay, too_few_words
from tiebreak.comparison.groups import too_many_letters
from tiebreak.documents import Document, Table, listed, number, p_is
from tiebreak.documents.parts import Picture, published_in, with_data
from tiebreak.documents.words import finite, pvalue, with_article
from tiebreak.methods import papers_of
from tiebreak.papers import paper
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.comparison._comparison import Comparison, Pair

MOST_PAIRS = 45
"""Texts list so many pairs (all of ten algorithms); larger comparisons name the way to the rest."""
MOST_ROWS = 60
"""A report lists so many, the ones with the smallest p-values; --json holds them all."""
MOST_IN_MATRIX = 60
"""Comparisons of more algorithms are reported without the matrix of pairs."""
MOST_LINES, FIRST_ROWS = 25, 20
"""Of more algorithms than the first a report draws so many differences, and counts the others."""
EQUAL = "No significant difference does not mean equal: more data sets might show one."


BESIDE = (
    "That the omnibus test does not reject takes nothing from this: the pairs are corrected for their number by"
    " themselves, and a test of all algorithms at once can miss what a pair shows."
)


def document(found: Comparison) -> Document:
    """Put together what a comparison says."""
    said = tuple(sentences(found))
    averaged = ["Scores of folds were averaged for each data set."] if found.averaged else []
    return Document(
        title=found.title(),
        heading=f"Comparison by {found.score.name}",
        points=found.answer.points(),
        lay=lay(found),
        said=said,
        tables=(_algorithms(found), *_pairs(found)),
        pictures=tuple(_pictures(found)),
        decided=found.plan.path,
        limits=(EQUAL,),
        checks=comparison_checks(found),
        papers=_papers(found),
        caveats=found.caveats,
        method=(
            f"We compared {len(found.algorithms)} algorithms on {len(found.datasets)} data sets by {found.score.name}.",
            *averaged,
            *published_in(found.data_papers),
            *said,
        ),
    )


def _papers(found: Comparison) -> tuple[str, ...]:
    """Return the works behind the methods, and those that published the data."""
    papers = papers_of(each for each in found.plan.methods if each.name != "none")
    return with_data((*papers[:1], *_sphericity(found), *papers[1:]), found.data_papers)


def _sphericity(found: Comparison) -> tuple[str, ...]:
    """The correction has no record of its own among the methods, so its paper is named here."""
    return ("greenhouse1959",) if found.plan.sphericity == "greenhouse-geisser" else ()


def _pictures(found: Comparison) -> list[Picture]:
    """Choose what can be read: with two algorithms, or with very many, the matrix shows nothing."""
    folded = {"top": FIRST_ROWS} if len(found.algorithms) > MOST_LINES else {}
    forest = Picture(name="Differences with intervals", kind="forest", options=folded)
    if found.control is not None:
        return [Picture(name="Diagram against the control", kind="control"), forest]
    pictures = [Picture(name=f"Diagram of {found.location_name}s", kind="cd"), forest]
    if 2 < len(found.algorithms) <= MOST_IN_MATRIX:
        pictures.append(Picture(name="Matrix of pairs", kind="matrix"))
    return pictures


def sentences(found: Comparison) -> list[str]:
    """Say what can be concluded and what cannot, in the words a paper would use."""
    return [_omnibus_sentence(found), *_found_sentences(found), *_upset_sentence(found)]


def _found_sentences(found: Comparison) -> list[str]:
    """Say what the tests of the pairs found; where they and the omnibus test part ways, that too."""
    anything = bool(found.significant.any())
    if not found.rejected and not anything:
        few = too_few_words(found)
        why = f": {few}" if few else ""
        return [f"The data do not show that the algorithms differ{why}; this is not evidence that they are equal."]
    if len(found.algorithms) == 2:
        return [_two_sentence(found)]
    said = _pair_sentences(found) if found.control is None else _control_sentences(found)
    return [*said, BESIDE] if anything and not found.rejected else said


def _omnibus_sentence(found: Comparison) -> str:
    """Name the hypothesis, not only the verdict: what is held to be true depends on the test."""
    verdict = "is rejected" if found.rejected else "is not rejected"
    return (
        f"{_omnibus_name(found)}, {_statistic(found)}, over {len(found.datasets)} data sets: the hypothesis that"
        f" {_null(found)} {verdict} at alpha = {found.alpha:g}."
    )


def _null(found: Comparison) -> str:
    """Say what the hypothesis holds to be true; without an omnibus test it is that of every pair."""
    two, plan = len(found.algorithms) == 2, found.plan
    who = "both algorithms" if two else f"all {len(found.algorithms)} algorithms"
    sized = {"distances": "distance from the median algorithm", "signs": "rank"}.get(found.scale, found.score.name)
    if plan.omnibus != "none":
        name = sized if plan.omnibus_method.takes in ("scores", "errors") else found.score.name
        return plan.omnibus_method.null.format(who=who, score=name)
    of_pair = plan.test.null.format(score=sized if plan.reads_sizes else found.score.name)
    return of_pair if two else f"in every pair {of_pair}"


def _omnibus_name(found: Comparison) -> str:
    """Name the omnibus test: 'The Friedman test (Iman-Davenport F, corrected for ties)'."""
    head, comma, rest = found.omnibus.method.partition(", ")
    name = f"{head} ({rest})" if comma and "(" not in found.omnibus.method else found.omnibus.method
    named = with_article(name)
    return named[0].upper() + named[1:]


def _statistic(found: Comparison) -> str:
    """The degrees of freedom tell the statistic: two make an F, one a chi-squared, none a z, t or count."""
    df, symbol = found.omnibus.df, found.omnibus.symbol
    inside = f"({', '.join(number(d) for d in df)})" if df and np.isfinite(df).all() else ""
    return f"{symbol}{inside} = {number(found.omnibus.statistic)}, {p_is(found.omnibus.pvalue)}"


def _two_sentence(found: Comparison) -> str:
    """With two algorithms the omnibus test is the pair's, so the sentences about all pairs would say it twice."""
    pair = next(found.iter_pairs())
    if pair.better is None:
        return "The test of the pair finds no significant difference; this is not evidence that the two are equal."
    return f"{pair.better} is significantly better than {pair.a if pair.better == pair.b else pair.b}."


def _pair_sentences(found: Comparison) -> list[str]:
    """Say most about the best algorithm, and never that no significant difference means equal."""
    how, total, count = f"By {_method(found)}", len(found.significant), int(found.significant.sum())
    if not count:
        return [
            f"{how}, no pair differs significantly: the omnibus test says that the algorithms are not all alike, but"
            f" {_why_none(found)}."
        ]
    said = [f"{how}, {count} of {total} pairs differ{'s' if count == 1 else ''} significantly.", *_best(found)]
    shared = len(found.groups) > 1 and any(len(group) > 1 for group in found.groups)
    if shared and not too_many_letters(found.groups):
        said.append("Algorithms that share a group letter do not differ significantly, which does not make them equal.")
    return said


def _why_none(found: Comparison) -> str:
    """Few data sets are the reason only where no scores could have made a pair significant."""
    return too_few_words(found) or "the tests of the pairs do not show which of them differ"


def _best(found: Comparison) -> list[str]:
    """Say whom the first algorithm beats; by its own scores another can beat it that stands behind it."""
    best, others = found.algorithms[0], len(found.algorithms) - 1
    with_best = [pair for pair in found.iter_pairs() if pair.a == best]
    won = sum(pair.better == best for pair in with_best)
    lost = [pair.b for pair in with_best if pair.better == pair.b]
    tied = [pair.b for pair in with_best if pair.better is None]
    if won == others:
        return [f"First: {best}, with the best {found.location_name}, significantly better than every other algorithm."]
    said = [
        f"First: {best}, with the best {found.location_name}, significantly better than {won or 'none'} of the"
        f" {others} others" + (f"; no significant difference from {listed(tied)}." if tied else ".")
    ]
    if lost:
        said.append(f"On the scores of the pair alone, {listed(lost)} {_is(lost)} significantly better than {best}.")
    return said


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _upset_sentence(found: Comparison) -> list[str]:
    """Say of how many pairs the verdict hangs on another algorithm; nothing where it was not asked for."""
    if found.upset_by is None or len(found.algorithms) == 2:
        return []
    upset, total = sum(map(bool, found.upset_by)), len(found.upset_by)
    if not upset:
        return [f"Whichever one other algorithm is left out, the verdicts on all {total} pairs stay the same."]
    named = [
        f"{pair.a} and {pair.b} without {listed(pair.upset_by, most=3)}" for pair in found.iter_pairs() if pair.upset_by
    ]
    some = few_of(named)
    return [f"Of {total} pairs, {upset} would be judged otherwise if some one other algorithm were left out: {some}."]


def _control_sentences(found: Comparison) -> list[str]:
    """Three lists, of which the empty ones are left out: better, worse, and no significant difference."""
    pairs = list(found.iter_pairs())
    said = [f"By {_method(found)}, with {found.control} as control."]
    for begin, names in (
        ("Significantly better than the control:", [pair.b for pair in pairs if pair.better == pair.b]),
        ("Significantly worse than the control:", [pair.b for pair in pairs if pair.better == found.control]),
        (
            "No significant difference from the control:",
            [name for name in found.groups[0] if name != found.control],
        ),
    ):
        if names:
            said.append(f"{begin} {listed(names)}.")
    return [" ".join(said)]


def _method(found: Comparison) -> str:
    """Name the post hoc test as it stands after 'by', with its critical difference where it has one.

    What it was run on is said where tables show something else.
    """
    name, cd = with_article(found.tests.method), found.critical_difference
    if cd is None:
        on_distances = found.scale == "distances" and found.plan.test_reads_sizes
        return f"{name} on distances from the median algorithm" if on_distances else name
    inside = f"critical difference {cd:.3f}"
    return f"{name[:-1]}; {inside})" if name.endswith(")") else f"{name} ({inside})"


def _algorithms(found: Comparison) -> Table:
    """Lay out the algorithms, best first, with their groups, or with a mark of those like the control."""
    extra = [found.location_name] if found.location_name not in ("mean rank", "mean score") else []
    column, told, marks = _marks(found)
    return Table(
        first=True,
        caption=f"Algorithms, best first; {told}",
        header=("algorithm", "mean rank", f"mean {found.score.name}", *extra, column),
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


def _marks(found: Comparison) -> tuple[str, str, list[str]]:
    """Return what tells groups: the name of the column, what it means, and the mark of each algorithm."""
    if found.control is not None:
        alike = [*found.groups[0]]
        marks = ["control" if name == found.control else "=" if name in alike else "" for name in found.algorithms]
        return "as control", "= marks no significant difference from the control", marks
    if not too_many_letters(found.groups):
        return "group", "those that share a letter do not differ significantly", found.letters()
    told = np.zeros(len(found.algorithms), dtype=np.int64)
    for side in (found.tests.a, found.tests.b):
        np.add.at(told, side[found.significant], 1)
    marks = [str(len(found.algorithms) - 1 - each) for each in told.tolist()]
    return "not different", "the last column counts the others without a significant difference", marks


def _pairs(found: Comparison) -> list[Table]:
    """Lay out the pairs: as tested for a text that has room for them, the most different first for a report."""
    pairs = list(found.iter_pairs()) if len(found.significant) <= MOST_PAIRS else []
    note = (
        "" if pairs else f"{len(found.significant)} pairs were tested; {either('`rows()`', '--json')} lists them all."
    )
    body = tuple(
        (
            *(each.a, each.b, number(each.statistic), pvalue(each.pvalue), pvalue(each.adjusted), each.better or "-"),
            *_survival(each),
        )
        for each in pairs
    )
    header = ("a", "b", "statistic", "p", "adjusted p", "better", *_survives(found))
    shown = found.rejected or bool(found.significant.any()) or found.upset_by is not None
    in_text = [Table(header=header, body=body, left=2, note=note)] if shown else []
    return [*in_text, _sorted_pairs(found)]


def _survives(found: Comparison) -> tuple[str, ...]:
    """The column is there only where it was asked for."""
    return () if found.upset_by is None else ("hangs on",)


def _survival(pair: Pair) -> tuple[str, ...]:
    """Name whose absence changes the verdict."""
    if pair.upset_by is None:
        return ()
    return (listed(pair.upset_by, most=3) if pair.upset_by else "-",)


def _sorted_pairs(found: Comparison) -> Table:
    """List by adjusted p-value, then by name, so that equal p-values come in the same order every time."""
    pairs = sorted(found.iter_pairs(), key=lambda pair: (pair.adjusted, pair.a, pair.b))
    more = len(pairs) > MOST_ROWS
    cut = f", the {MOST_ROWS} with the smallest p-values of {len(pairs)} (JSON has all)" if more else ""
    none = found.gated and not found.rejected
    closed = "; none is called different, because the omnibus test does not reject" if none else ""
    return Table(
        caption=f"Pairs{cut}{closed}",
        header=("a", "b", "better", "statistic", "p", "adjusted p", *_survives(found)),
        body=tuple(
            (
                *(each.a, each.b, each.better or "-"),
                *(number(each.statistic), pvalue(each.pvalue), pvalue(each.adjusted)),
                *_survival(each),
            )
            for each in pairs[:MOST_ROWS]
        ),
        left=3,
        in_text=False,
    )


def as_dict(found: Comparison) -> dict[str, Any]:
    """Return the comparison as plain data; its fields are a contract for other programs."""
    return {
        "answer": found.answer.to_dict(),
        "algorithms": list(found.algorithms),
        "mean_ranks": dict(zip(found.algorithms, found.mean_ranks.tolist(), strict=True)),
        "omnibus": found.omnibus.to_dict()
        | {"df": [finite(each) for each in found.omnibus.df]}
        | {"rejected": found.rejected, "comes_first": found.gated},
        "pairs": [
            pair_facts(pair)
            | ({} if pair.upset_by is None else {"survives": pair.survives, "upset_by": list(pair.upset_by)})
            for pair in found.iter_pairs()
        ],
        "groups": [list(group) for group in found.groups],
        "critical_difference": found.critical_difference,
        "method": method_facts(found, omnibus=found.omnibus.method, posthoc=found.tests.method),
        **last_facts(found, sentences(found), [paper(key).short for key in _papers(found)]),
    }


def pair_facts(pair: Pair) -> dict[str, Any]:
    """Return what every comparison tells of a pair."""
    return {
        "a": pair.a,
        "b": pair.b,
        "statistic": finite(pair.statistic),
        "pvalue": pair.pvalue,
        "adjusted": pair.adjusted,
        "better": pair.better,
    }


def method_facts(found: Comparison, *, omnibus: str, posthoc: str) -> dict[str, Any]:
    """Return what was asked and chosen, with the names of the tests as they were computed."""
    plan = found.plan
    return {
        "omnibus": omnibus,
        "posthoc": posthoc,
        "alpha": found.alpha,
        "score": found.score.name,
        "higher_is_better": found.higher_is_better,
        "control": found.control,
        "missing": plan.missing,
        "datasets": len(found.datasets),
        "scale": found.scale,
        "choices": {
            "omnibus": plan.omnibus,
            "pairwise": plan.pairwise,
            "posthoc": plan.posthoc,
            **({"win_test": plan.win_test, "win_ties": plan.win_ties} if plan.pairwise == WINS else {}),
        },
    }


def last_facts(found: Comparison, said: list[str], references: list[str]) -> dict[str, Any]:
    """Return what stands at the end: how it was decided, what is concluded, whose work it is, and the caveats."""
    return {
        "path": list(found.plan.path),
        "conclusion": said,
        "references": references,
        "data_papers": list(found.data_papers),
        "caveats": list(found.caveats),
        "caveat_codes": codes_of(found.caveats),
    }
