"""What a comparison over data sets says: the short answer, the document behind it, plain data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak.caveats import codes_of
from tiebreak.comparison.groups import too_many_letters
from tiebreak.comparison.testing import fewest_datasets, too_few
from tiebreak.comparison.trade import scale_of
from tiebreak.documents import Document, Table, listed, number, p_is, table_of_verb
from tiebreak.documents.layout import Bold, latex_table
from tiebreak.documents.parts import Picture, published_in, with_data
from tiebreak.documents.shown import Answer
from tiebreak.documents.words import confidence, finite, heading as for_people, latex, pvalue, with_article
from tiebreak.methods import papers_of
from tiebreak.papers import paper
from tiebreak.wording import either

if TYPE_CHECKING:
    from tiebreak.comparison.result import Comparison, Pair

MOST_NAMED = 4
"""Algorithms that a headline names before it counts them."""
MOST_PAIRS = 45
"""Texts list so many pairs (all of ten algorithms); larger comparisons name the way to the rest."""
MOST_ROWS = 60
"""A report lists so many, the ones with the smallest p-values; --json holds them all."""
MOST_IN_MATRIX = 60
"""Comparisons of more algorithms are reported without the matrix of pairs."""
MOST_LINES, FIRST_ROWS = 25, 20
"""Of more algorithms than the first a report draws so many differences, and counts the others."""
EQUAL = "No significant difference does not mean equal: more {} might show one."
LETTERS = "No significant difference between algorithms that share a letter."
BESIDE = (
    "That the omnibus test does not reject takes nothing from this: the pairs are corrected for their number by"
    " themselves, and a test of all algorithms at once can miss what a pair shows."
)


# ---- the answer


def answer(comparison: Comparison) -> Answer:
    """Return the answer of a comparison over data sets."""
    facts = _facts(comparison)
    return Answer(
        headline=headline(comparison),
        use=best_of_all(comparison),
        sure=_sure(comparison),
        next_best=_by_how_much(comparison),
        rests_on=next(fact for fact in facts if " data sets" in fact),
        table=_algorithms(comparison),
        facts=tuple(facts),
        notes=tuple(str(note) for note in comparison.caveats if note.code != "many-ties"),
        more=more(diagram=comparison.control is None),
    )


def more(*, diagram: bool) -> tuple[str, ...]:
    """Name the ways to everything else."""
    return (
        f"More: {either('.document()', '--full')}",
        *([f"Diagram: {either('.figure()', '--figure cd.svg')}"] if diagram else []),
        f"For a paper: {either('.to_latex()', '--latex')}",
    )


def best_of_all(comparison: Comparison) -> str:
    """Name the algorithm that is significantly better than every other; empty where nothing shows one."""
    best = comparison.algorithms[0]
    with_best = [pair for pair in comparison.iter_pairs() if best in (pair.a, pair.b)]
    return best if comparison.control is None and all(pair.better == best for pair in with_best) else ""


def headline(comparison: Comparison) -> str:
    """Say who is significantly better than whom; never that no significant difference means equal."""
    if all_equal(comparison):
        count = len(comparison.algorithms)
        return f"{'Both' if count == 2 else f'All {count}'} have the same {comparison.score.name} everywhere."
    if not comparison.significant.any():
        return _nothing(comparison)
    if comparison.control is not None:
        return beside_control(comparison)
    return _all_pairs(comparison) or _first(comparison)


def all_equal(comparison: Comparison) -> bool:
    """Whether all algorithms have the same score on every data set, so that none is the best."""
    return bool((comparison.compared == comparison.compared[:, :1]).all())


def _too_few_words(comparison: Comparison) -> str:
    """Say how many data sets a significant difference takes where these are too few; empty otherwise."""
    count, pairs = len(comparison.datasets), len(comparison.significant)
    if comparison.location_name == "mean score" or not too_few(comparison.plan, count, pairs, comparison.alpha):
        return ""
    fewest = fewest_datasets(comparison.plan, pairs, comparison.alpha)
    return f"with {count} data sets no difference can be significant, it takes at least {fewest}"


def _nothing(comparison: Comparison) -> str:
    names, reason = comparison.algorithms, _too_few_words(comparison)
    why = f": {reason}" if reason else ""
    if comparison.control is not None:
        return f"No algorithm differs significantly from {comparison.control}{why}."
    who = f"between {names[0]} and {names[1]}" if len(names) == 2 else f"among the {len(names)} algorithms"
    return f"No significant difference {who}{why}."


def beside_control(comparison: Comparison, where: str = "") -> str:
    """Say who is significantly better, and worse, than the control."""
    pairs, control = list(comparison.iter_pairs()), comparison.control
    better = [pair.b for pair in pairs if pair.better == pair.b]
    worse = [pair.b for pair in pairs if pair.better == control]
    parts = [
        f"{_named(names)} {_is(names)} significantly {word} than {control}{where}"
        for names, word in ((better, "better"), (worse, "worse"))
        if names
    ]
    rest = len(pairs) - len(better) - len(worse)
    return "; ".join([*parts, *(["no other differs"] if rest else [])]) + "."


def _all_pairs(comparison: Comparison) -> str:
    """Name every significant pair in one sentence; empty where that takes more than one set of beaten algorithms."""
    beaten: dict[str, set[str]] = {}
    for pair in comparison.iter_pairs():
        if pair.better is not None:
            beaten.setdefault(pair.better, set()).add(pair.a if pair.better == pair.b else pair.b)
    sets = list(beaten.values())
    if any(names != sets[0] for names in sets):
        return ""
    winners = [name for name in comparison.algorithms if name in beaten]
    losers = [name for name in comparison.algorithms if name in sets[0]]
    others = len(comparison.algorithms) - len(winners) - len(losers)
    whole = not others and len(winners) == len(losers) == 1
    rest = "" if whole or (len(winners) == 1 and not others and len(losers) < 2) else "; nothing else differs"
    all_others = len(winners) == 1 and not others and len(losers) > 1
    whom = f"all {len(losers)} others" if all_others and len(losers) > MOST_NAMED else _named(losers)
    return f"{_named(winners)} {_is(winners)} significantly better than {whom}{rest}."


def _first(comparison: Comparison) -> str:
    """Say whom the first one beats, and from whom it does not differ; by its own scores another can beat it."""
    best, others = comparison.algorithms[0], len(comparison.algorithms) - 1
    pairs = [pair for pair in comparison.iter_pairs() if pair.a == best]
    won = sum(pair.better == best for pair in pairs)
    lost = [pair.b for pair in pairs if pair.better == pair.b]
    tied = [pair.b for pair in pairs if pair.better is None]
    if won == others:
        whom = _named(comparison.algorithms[1:]) if others <= MOST_NAMED else f"all {others} others"
        return f"{best} is significantly better than {whom}."
    beats = f"significantly better than {won} of the {others} others" if won else "significantly better than none"
    alike = f"; no significant difference from {_named(tied)}" if tied else ""
    text = f"{best} has the best {comparison.location_name}, {beats}{alike}."
    if lost:
        text += f" On the scores of the pair alone, {_named(lost)} {_is(lost)} significantly better than {best}."
    return text


def _named(names: Sequence[str]) -> str:
    return listed(names, most=MOST_NAMED)


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _sure(comparison: Comparison) -> str:
    """Count the pairs that differ significantly, and say on what evidence."""
    rests = f"at alpha = {comparison.alpha:g}, over {len(comparison.datasets)} data sets; data unlike these may differ."
    return f"{counted(comparison)} {rests}"


def counted(comparison: Comparison) -> str:
    """Count the pairs that differ significantly."""
    count, total = int(comparison.significant.sum()), len(comparison.significant)
    if total == 1:
        return "The difference is significant" if count else "The difference may be chance"
    return f"{count or 'None'} of {total} pairs differ{'s' if count == 1 else ''} significantly"


def _by_how_much(comparison: Comparison) -> str:
    """Estimate how far the best lies before the next; nothing where differences have no common unit."""
    table = comparison._complete()
    unlike = comparison.control is not None or comparison.scale != "as they are"
    if unlike or len(table) < 2 or all_equal(comparison):
        return ""
    pairs = len(comparison.significant)
    if comparison.plan.test.name == "wilcoxon":  # what the figure shows, without the intervals of all other pairs
        from tiebreak.stats import difference_interval

        interval, at = difference_interval(table[:, 0], table[:, 1], level=1 - comparison.alpha / pairs), 0
    else:
        interval = comparison.simultaneous_intervals()
        at = int(np.flatnonzero((interval.a == 0) & (interval.b == 1))[0])
    points = not comparison.by_ranks and in_hundredths(comparison)
    factor = -100.0 if points else -1.0
    shift, low, high = (factor * float(item[at]) for item in (interval.estimate, interval.high, interval.low))
    together = f" for all {pairs:,} pairs together" if pairs > 1 else ""
    ends = f"from {number(low, 2)} to {number(high, 2)}, {confidence(comparison.alpha)} interval{together}"
    unit = comparison.location_name if comparison.by_ranks else comparison.score.name
    span = f" ({ends})" if np.isfinite(low) else ""
    ahead = f"{number(shift + 0.0, 2)} {'points of' if points else 'in'} {unit}"
    return f"{ahead} beside {comparison.algorithms[1]}, the next{span}."


def _facts(comparison: Comparison) -> list[str]:
    """Return the lines under the table: how to read the groups, the tests, and the test of all together."""
    method, critical = plain_method(comparison.tests.method), comparison.critical_difference
    distance = f"; critical difference {critical:.3f}" if critical is not None else ""
    level = f"{100 * comparison.alpha:.4g}% level"
    if len(comparison.algorithms) == 2:
        return [f"{len(comparison.datasets)} data sets; {method}: {_statistic(comparison)}, {level}."]
    facts = [*legend(comparison), f"{len(comparison.datasets)} data sets; {method}, {level}{distance}."]
    if comparison.plan.omnibus != "none":
        name = plain_method(comparison.omnibus.method).split(",")[0]
        facts.append(f"{name[0].upper()}{name[1:]}: {_statistic(comparison)}.")
    if comparison.significant.any() and not comparison.rejected:
        facts.append("The test of all algorithms at once does not reject; the pairs are corrected on their own.")
    return facts


def legend(comparison: Comparison) -> list[str]:
    """Explain the letters where some algorithms share one."""
    if comparison.control is not None:
        return ["= marks no significant difference from the control."]
    shared = any(len(group) > 1 for group in comparison.groups)
    return [LETTERS] if len(comparison.algorithms) > 2 and shared and not too_many_letters(comparison.groups) else []


def plain_method(method: str) -> str:
    """Shorten the name of a method: no details in brackets, "Holm correction" for "with Holm's correction"."""
    bare = re.sub(r"\s*\([^)]*\)", "", method)
    return re.sub(r" with (.+)'s correction", r", \1 correction", bare).replace(
        "Bergmann and Hommel", "Bergmann-Hommel"
    )


# ---- the document


def document(comparison: Comparison) -> Document:
    """Put together what a comparison says."""
    sentences_ = tuple(sentences(comparison))
    algorithms, score = len(comparison.algorithms), comparison.score.name
    return Document(
        title=comparison.title(),
        heading=f"Comparison by {score}",
        points=comparison.answer.points(),
        lay=_lay(comparison),
        said=sentences_,
        tables=(_algorithms(comparison), _pairs(comparison)),
        pictures=pictures(comparison),
        decided=comparison.plan.path,
        limits=(EQUAL.format("data sets"),),
        papers=_papers(comparison),
        caveats=comparison.caveats,
        method=(
            f"We compared {algorithms} algorithms on {len(comparison.datasets)} data sets by {score}.",
            *(["Scores of folds were averaged for each data set."] if comparison.averaged else []),
            *published_in(comparison.data_papers),
            *sentences_,
        ),
    )


def _papers(comparison: Comparison) -> tuple[str, ...]:
    """Return the works behind the methods, and those that published the data."""
    papers = papers_of(method for method in comparison.plan.methods if method.name != "none")
    corrected = ("greenhouse1959",) if comparison.plan.sphericity == "greenhouse-geisser" else ()
    return with_data((*papers[:1], *corrected, *papers[1:]), comparison.data_papers)


def pictures(comparison: Comparison, diagram: str = "cd") -> tuple[Picture, ...]:
    """Choose what can be read: with two algorithms, or with very many, the matrix shows nothing."""
    folded = {"top": FIRST_ROWS} if len(comparison.algorithms) > MOST_LINES else {}
    shown = [Picture(name="Differences with intervals", kind="forest", options=folded)] * comparison.has_intervals
    if diagram and comparison.control is not None:
        return (Picture(name="Diagram against the control", kind="control"), *shown)
    if diagram:
        shown.insert(0, Picture(name=f"Diagram of {comparison.location_name}s", kind=diagram))
    if comparison.control is None and 2 < len(comparison.algorithms) <= MOST_IN_MATRIX:
        shown.append(Picture(name="Matrix of pairs", kind="matrix"))
    return tuple(shown)


def _lay(comparison: Comparison) -> tuple[str, ...]:
    """Explain the words of a comparison to a reader without statistics."""
    return (
        f"Every algorithm was scored ({comparison.score.name}) on the same {len(comparison.datasets)} data sets. On"
        " each of them the best has rank 1; the mean rank is the mean of these places.",
        "Significantly better: over the data sets the difference is so steady that chance would rarely make it. The"
        f" level, alpha = {comparison.alpha:g}, says how rarely: the smaller, the more proof is asked for.",
        "No significant difference: the results do not show which of the two is better. They may differ all the same;"
        " this is no evidence that they are equal. Between algorithms that share a letter or a bar there is none.",
        "p-value: how often chance alone would give a difference at least as large. Adjusted: made larger, because many"
        " pairs were looked at and one of them might stand out by luck.",
    )


def sentences(comparison: Comparison) -> list[str]:
    """Say what can be concluded and what cannot, in the words a paper would use."""
    first, anything = _omnibus_sentence(comparison), bool(comparison.significant.any())
    few = _too_few_words(comparison)
    if not comparison.rejected and not anything:
        why = f": {few}" if few else ""
        nothing = f"The data do not show that the algorithms differ{why}; this is not evidence that they are equal."
        return [first, nothing]
    if len(comparison.algorithms) == 2:
        return [first, headline(comparison)]
    how, against = f"By {_method(comparison)}", comparison.control is not None
    if against:
        out = [f"{how}, with {comparison.control} as control: {headline(comparison)}"]
    elif anything:
        shared = legend(comparison) and len(comparison.groups) > 1
        out = [f"{how}, {counted(comparison)}.", headline(comparison), *([LETTERS] if shared else [])]
    else:
        reason = few or "the tests of the pairs do not show which of them differ"
        alike = "the omnibus test says that the algorithms are not all alike"
        out = [f"{how}, no pair differs significantly: {alike}, but {reason}."]
    return [first, *out, *([BESIDE] if anything and not comparison.rejected else [])]


def _omnibus_sentence(comparison: Comparison) -> str:
    """Name the hypothesis, not only the verdict: what is held to be true depends on the test."""
    head, comma, rest = comparison.omnibus.method.partition(", ")
    bracketed = comma and "(" not in comparison.omnibus.method
    name = with_article(f"{head} ({rest})" if bracketed else comparison.omnibus.method)
    verdict = "is rejected" if comparison.rejected else "is not rejected"
    return (
        f"{name[0].upper()}{name[1:]}, {_statistic(comparison)}, over {len(comparison.datasets)} data sets: the"
        f" hypothesis that {_null(comparison)} {verdict} at alpha = {comparison.alpha:g}."
    )


def _null(comparison: Comparison) -> str:
    """Say what the hypothesis holds to be true; without an omnibus test it is that of every pair."""
    two, plan, score = len(comparison.algorithms) == 2, comparison.plan, comparison.score.name
    who = "both algorithms" if two else f"all {len(comparison.algorithms)} algorithms"
    sized = "distance from the median algorithm" if comparison.scale == "distances" else score
    if plan.omnibus != "none":
        name = sized if plan.omnibus_method.takes in ("scores", "errors") else score
        return plan.omnibus_method.null.format(who=who, score=name)
    of_pair = plan.test.null.format(score=sized if plan.reads_sizes else score)
    return of_pair if two else f"in every pair {of_pair}"


def _statistic(comparison: Comparison) -> str:
    """The degrees of freedom tell the statistic: two make an F, one a chi-squared, none a z, t or count."""
    df, symbol = comparison.omnibus.df, comparison.omnibus.symbol
    inside = f"({', '.join(number(d) for d in df)})" if df and np.isfinite(df).all() else ""
    return f"{symbol}{inside} = {number(comparison.omnibus.statistic)}, {p_is(comparison.omnibus.pvalue)}"


def _method(comparison: Comparison) -> str:
    """Name the post hoc test as it stands after 'by', with its critical difference where it has one."""
    name, critical = with_article(comparison.tests.method), comparison.critical_difference
    if critical is None:
        on_distances = comparison.scale == "distances" and comparison.plan.test_reads_sizes
        return f"{name} on distances from the median algorithm" if on_distances else name
    inside = f"critical difference {critical:.3f}"
    return f"{name[:-1]}; {inside})" if name.endswith(")") else f"{name} ({inside})"


# ---- tables


def _algorithms(comparison: Comparison) -> Table:
    """Lay out the algorithms, best first, with their groups, or with a mark of those like the control."""
    heading, factor = heading_of_means(comparison)
    mean = f"mean {comparison.score.name}"
    column, meaning, group_marks = marks(comparison)
    rows = comparison.rows()
    cells = {
        "algorithm": [str(row["algorithm"]) for row in rows],
        "mean_rank": [f"{row['mean_rank']:.3f}" for row in rows],
        column: group_marks,
    }
    if mean != "mean rank":  # scores may be ranks already
        cells[heading] = [number(factor * float(str(row[mean]))) for row in rows]
    if comparison.location_name not in ("mean rank", "mean score"):
        cells[comparison.location_name] = [f"{location:.3f}" for location in comparison.locations.tolist()]
    return table_of_verb("compare", cells, first=True, caption=f"Algorithms, best first; {meaning}")


def heading_of_means(comparison: Comparison) -> tuple[str, float]:
    """Return the heading of the column of means and their factor: shares are shown in per cent, as `order` does."""
    factor = 100.0 if in_hundredths(comparison) else 1.0
    return f"mean {comparison.score.name}{' (%)' if factor == 100.0 else ''}", factor


def in_hundredths(comparison: Comparison) -> bool:
    """Whether the scores are shares or error rates between 0 and 1, so that a hundredth is a point."""
    scale = scale_of(comparison.score, comparison.turned)
    return scale.kind in ("bounded", "error") and scale.factor == 100.0


def marks(comparison: Comparison) -> tuple[str, str, list[str]]:
    """Return what tells groups: the name of the column, what it means, and the mark of each algorithm."""
    names = comparison.algorithms
    if comparison.control is not None:
        alike = [*comparison.groups[0]]
        signs = ["control" if name == comparison.control else "=" if name in alike else "" for name in names]
        return "as control", "= marks no significant difference from the control", signs
    if not too_many_letters(comparison.groups):
        return "group", "those that share a letter do not differ significantly", comparison.letters()
    differ = np.zeros(len(names), dtype=np.int64)
    for side in (comparison.tests.a, comparison.tests.b):
        np.add.at(differ, side[comparison.significant], 1)
    counts = [str(len(names) - 1 - index) for index in differ.tolist()]
    return "not different", "the last column counts the others without a significant difference", counts


def _pairs(comparison: Comparison) -> Table:
    """List the pairs by adjusted p-value, then by name, so that equal p-values come in the same order every time."""
    pairs, total = (
        sorted(comparison.iter_pairs(), key=lambda pair: (pair.adjusted, pair.a, pair.b)),
        len(comparison.tests.a),
    )
    cut = f", the {MOST_ROWS} with the smallest p-values of {total} (JSON has all)" if total > MOST_ROWS else ""
    none = comparison.gated and not comparison.rejected
    closed = "; none is called different, because the omnibus test does not reject" if none else ""
    shown = pairs[:MOST_ROWS]
    cells = {
        "a": [item.a for item in shown],
        "b": [item.b for item in shown],
        "better": [item.better or "-" for item in shown],
        "statistic": [number(item.statistic) for item in shown],
        "pvalue": [pvalue(item.pvalue) for item in shown],
        "adjusted": [pvalue(item.adjusted) for item in shown],
    }
    return table_of_verb(
        "compare",
        cells,
        full=True,
        caption=f"Pairs{cut}{closed}",
        in_text=comparison.rejected or bool(comparison.significant.any()),
        note=too_many_pairs(total),
    )


def too_many_pairs(total: int) -> str:
    """Say in a text where the pairs are, where they are too many for it."""
    return "" if total <= MOST_PAIRS else f"{total} pairs were tested; {either('`rows()`', '--json')} lists them all."


def paper_table(comparison: Comparison) -> str:
    """Lay out the scores for a paper: data sets by algorithms, the best of each data set in bold, mean ranks below."""
    heading, factor = heading_of_means(comparison)
    name, percent, _ = heading.removeprefix("mean ").partition(" (%)")
    shown = factor * comparison.scores
    in_points = scale_of(comparison.score, comparison.turned).kind in ("bounded", "error")
    decimals = 1 if np.allclose(shown, shown.round(1), rtol=0, atol=1e-9, equal_nan=True) else 2
    body = []
    for dataset, scores, turned in zip(comparison.datasets, shown.tolist(), comparison.turned, strict=True):
        cells = [f"{score:.{decimals}f}" if in_points and np.isfinite(score) else number(score) for score in scores]
        best = cells[int(np.nanargmin(turned))] if np.isfinite(turned).any() else ""
        body.append((dataset, *(Bold(cell) if cell == best else cell for cell in cells)))
    ranks = [f"{rank:.2f}" for rank in comparison.mean_ranks.tolist()]
    first = min(ranks, key=float)
    last = ("mean rank", *(Bold(rank) if rank == first else rank for rank in ranks))
    rows = latex_table(("data set", *comparison.algorithms), (*body, last)).split("\n")
    rows.insert(-3, r"\midrule")
    of = f"{for_people(name)}{percent} of {len(comparison.algorithms)} algorithms"
    caption = latex(f"{of} on {len(comparison.datasets)} data sets; the best of each data set in bold, and mean ranks.")
    label = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    top = [r"\begin{table}", r"\centering", rf"\caption{{{caption}}}", rf"\label{{tab:{label}}}"]
    return "\n".join([*top, *rows, r"\end{table}"])


# ---- plain data


def as_dict(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as plain data; its fields are a contract for other programs."""
    omnibus = comparison.omnibus
    return {
        "answer": comparison.answer.to_dict(),
        "algorithms": list(comparison.algorithms),
        "mean_ranks": dict(zip(comparison.algorithms, comparison.mean_ranks.tolist(), strict=True)),
        "omnibus": omnibus.to_dict()
        | {"df": [finite(item) for item in omnibus.df]}
        | {"rejected": comparison.rejected, "comes_first": comparison.gated},
        "pairs": [pair_facts(pair) for pair in comparison.iter_pairs()],
        "groups": [list(group) for group in comparison.groups],
        "critical_difference": comparison.critical_difference,
        "method": method_facts(comparison, omnibus=omnibus.method, posthoc=comparison.tests.method),
        **last_facts(comparison, sentences(comparison), [paper(key).short for key in _papers(comparison)]),
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


def method_facts(comparison: Comparison, *, omnibus: str, posthoc: str) -> dict[str, Any]:
    """Return the choices, with the names of the tests as they were computed."""
    plan = comparison.plan
    return {
        "omnibus": omnibus,
        "posthoc": posthoc,
        "alpha": comparison.alpha,
        "score": comparison.score.name,
        "higher_is_better": comparison.higher_is_better,
        "control": comparison.control,
        "missing": plan.missing,
        "datasets": len(comparison.datasets),
        "scale": comparison.scale,
        "choices": {"omnibus": plan.omnibus, "pairwise": plan.pairwise, "posthoc": plan.posthoc},
    }


def last_facts(comparison: Comparison, conclusion: list[str], references: list[str]) -> dict[str, Any]:
    """Return what stands at the end: how it was decided, what is concluded, whose work it is, and the caveats."""
    return {
        "path": list(comparison.plan.path),
        "conclusion": conclusion,
        "references": references,
        "data_papers": list(comparison.data_papers),
        "caveats": list(comparison.caveats),
        "caveat_codes": codes_of(comparison.caveats),
    }
