"""From two versions to a verdict: read, matched, judged, priced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from tiebreak._checks import check_alpha, check_choice, check_within
from tiebreak.caveats import distinct
from tiebreak.comparison.gaps import score_of_totals
from tiebreak.comparison.on_items import directed_score
from tiebreak.errors import InputError, OptionError, quoted, unknown_name
from tiebreak.evals.gate.judging import WORSE
from tiebreak.evals.gate.kinds import LEFT_OUT, WRONG, Margin, by_totals, cost_of, on_items, over_datasets, read_margin
from tiebreak.evals.gate.result import Gate
from tiebreak.readers.taking import ReadingOne, taken
from tiebreak.results import Metric, Results, stack
from tiebreak.results.items import ITEM, TOTAL, ignoring_clusters
from tiebreak.wording import option

VERB = "gate"


def gate(
    base: Any,
    candidate: Any = None,
    *,
    margin: float | str,
    base_name: str | None = None,
    candidate_name: str | None = None,
    score: str | None = None,
    cost: str | None = None,
    max_cost_ratio: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    anytime: bool = False,
    bound: float | None = None,
    unanswered: str = LEFT_OUT,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    **reading: Unpack[ReadingOne],
) -> Gate:
    """Say whether a candidate may take the place of a base: shown not worse by a margin, worse, or undecided.

    Hypothesis: for "pass", that the candidate is worse by the margin or more; for "worse", that the two do not differ.

    Formula: on items by `item_non_inferiority` and `item_pairs`, by totals by `total_non_inferiority` and
    `proportion_pairs`, over data sets by `non_inferiority_pairs` and `wilcoxon_pairs`, with the estimate of
    `difference_intervals`; with `anytime` by `anytime_items`. The verdict is "pass" where the first test rejects at
    alpha, else "worse" where the second, which is two-sided, rejects at alpha and the candidate has the worse estimate,
    else "undecided". For a margin of 0 it is "pass" where the second rejects and the candidate has the better estimate.

    Assumptions: those of the tests; the margin was chosen before the scores were seen, and unless `anytime` is asked
    for, the items are looked at once.
    When not to use it: to choose among many candidates, each of which may pass wrongly; use `tiebreak.order`.

    Parameters
    ----------
    base, candidate : Results, path, frame, mapping or sequence
        What `tiebreak.order` takes: answers to items, totals (passed and n), logs of evaluations or folders of them,
        scores over data sets. Items are matched by name. Without `candidate`, one table of both models.
    margin : float or str
        How much worse still passes: 0.01 in units of the score, or "1%" of that of the base. With 0 the candidate
        passes only if it is significantly better (two-sided test).
    base_name, candidate_name : str, optional
        Which model is meant where there are several.
    score : str, optional
    cost : str, optional
        A cost that is told beside the verdict.
    max_cost_ratio : float, optional
        The verdict is "worse" where the candidate costs more than so many times what the base does.
    alpha : float, default 0.05
    power : float, default 0.8
        For how many items would decide, and which drop is caught.
    anytime : bool, default False
        Whether the verdict is to hold however often one looks while items are added. It takes more items.
    bound : float, optional
        With `anytime`, the largest difference that the score allows; 1 for scores between 0 and 1.
    unanswered : {"left-out", "wrong"}, default "left-out"
        What becomes of items that only the base answered: they take no part, or count as wrong answers.
    higher_is_better : bool or mapping, optional
        Where the name of the score does not tell.
    **reading
        How to read what is no `Results` yet, as for `tiebreak.order`: columns, where, datasets, ...

    Returns
    -------
    Gate

    References
    ----------
    nam1997
    tango1998
    farrington1990
    owen1988
    wellek2010
    hodges1963

    Examples
    --------
    >>> right = {"model": ["old"] * 400 + ["new"] * 400, "item": [*range(400)] * 2, "accuracy": [1] * 300 + [0] * 100}
    >>> right["accuracy"] += [1] * 299 + [0] * 99 + [1] * 2
    >>> result = gate(right, base_name="old", margin=0.02)
    >>> result.verdict, result.exit_code, round(result.judged.bound, 3)
    ('pass', 0, 0.007)
    """
    within = read_margin(margin)
    _check_numbers(within, alpha, power, max_cost_ratio, cost, bound, anytime=anytime)
    assert within is not None
    score = reading.pop("scores", None) if score is None else score  # type: ignore[assignment]
    settings: dict[str, Any] = {"scores": score, "costs": cost, "directed": higher_is_better is not None}
    first = taken(base, VERB, reading, **settings)
    second = None if candidate is None else taken(candidate, VERB, reading, **settings)
    results, one, other = two_sides(first, second, base_name=base_name, candidate_name=candidate_name)
    name = score_of_totals(results, score) or results.only_score()
    metric = directed_score(results, str(name), higher_is_better)
    check_choice("policy for answers that are missing", unanswered, (LEFT_OUT, WRONG))
    options = {"margin": within, "alpha": alpha, "power": power, "unanswered": unanswered}
    parts = _parts(results, metric, (one, other), options, bound, anytime=anytime)
    paid, more = (None, ()) if cost is None else cost_of(results, cost, (one, other), max_cost_ratio)
    quality = parts["judged"].verdict
    notes = distinct([*results.caveats, *parts.pop("caveats"), *more])
    return Gate(
        verdict=WORSE if paid is not None and paid.too_high else quality,
        quality=quality,
        base=one,
        candidate=other,
        score=metric,
        margin=str(within),
        alpha=alpha,
        power=power,
        anytime=anytime,
        cost=paid,
        caveats=notes,
        **parts,
    ).framed(results.frame_kind)


def _parts(
    results: Results,
    metric: Metric,
    names: tuple[str, str],
    options: dict[str, Any],
    bound: float | None,
    *,
    anytime: bool,
) -> dict[str, Any]:
    """Judge by what is known of the two."""
    if results.unit == ITEM:
        return on_items(results, metric, names, options, _bound(bound) if anytime else None, anytime=anytime)
    if anytime or options["unanswered"] == WRONG:
        given = option(anytime=True) if anytime else option(unanswered=WRONG)
        raise OptionError(
            f"{given} was given, and there are no items.", mend="Give the answers to each item, or leave it out."
        )
    judge = by_totals if results.unit == TOTAL else over_datasets
    return judge(results, metric, names, options)


def _check_numbers(
    margin: Margin | None,
    alpha: float,
    power: float,
    ratio: float | None,
    cost: str | None,
    bound: float | None,
    *,
    anytime: bool,
) -> None:
    """Refuse what has no answer before anything is read."""
    if margin is None:
        raise OptionError(
            "No margin was given.",
            mend=f"Use {option(margin=0.01)}, in units of the score, or {option(margin='1%')} of that of the base.",
        )
    check_alpha(alpha)
    check_within(option("power"), power, 0.0, 1.0, mend=f"Use {option(power=0.8)}.")
    if bound is not None and not anytime:
        raise OptionError(
            f"{option('bound')} was given without {option(anytime=True)}.",
            mend="Leave it out, or ask for an anytime verdict.",
        )
    if ratio is None:
        return
    check_within(option("max_cost_ratio"), ratio, 0.0, np.inf, mend=f"Use {option(max_cost_ratio=1.2)}.")
    if cost is None:
        raise OptionError(
            f"{option('max_cost_ratio')} was given without a cost.", mend=f"Name the cost: {option(cost='price')}."
        )


def _bound(bound: float | None) -> float:
    return 1.0 if bound is None else check_within(option("bound"), bound, 0.0, np.inf, mend="Use a number.")


BASE, CANDIDATE = "base", "candidate"


def two_sides(
    base: Results, candidate: Results | None, *, base_name: str | None = None, candidate_name: str | None = None
) -> tuple[Results, str, str]:
    """Return a table of both models and their names, that of the base first.

    Sources may hold further models; which one is meant is then told by its name. Two models of one name, such as those
    of two commits, are distinguished by their side.
    """
    if candidate is None:
        return _of_one_table(base, base_name, candidate_name)
    first, second = _chosen(base, base_name, BASE), _chosen(candidate, candidate_name, CANDIDATE)
    one, other = first.algorithms[0], second.algorithms[0]
    if one == other:
        one, other = f"{one} ({BASE})", f"{other} ({CANDIDATE})"
        first, second = replace(first, algorithms=(one,)), replace(second, algorithms=(other,))
    first, second = _same_clusters(first, second)
    return stack([first, second], sources=["the base", "the candidate"]), one, other


def _of_one_table(table: Results, base: str | None, candidate: str | None) -> tuple[Results, str, str]:
    """Take two models of one table; where there are two, one name tells both."""
    names = table.algorithms
    for name in (base, candidate):
        if name is not None and name not in names:
            raise unknown_name("algorithm", name, names)
    if len(names) < 2:
        raise OptionError(
            f"One table was given, of one model: {quoted(names)}.",
            mend="Give a second one, with the results of the candidate.",
        )
    if base is None and candidate is None:
        raise OptionError(
            f"One table was given, of {len(names)} models: {quoted(names)}.",
            mend=f"Give a second one, or name both: {option(base_name=names[0])} {option(candidate_name=names[-1])}.",
        )
    if len(names) == 2:
        other = {names[0]: names[1], names[1]: names[0]}
        base, candidate = base or other[str(candidate)], candidate or other[str(base)]
    if base is None or candidate is None or base == candidate:
        raise OptionError(
            f"Only {base or candidate!r} was named, and the table holds {len(names)} models: {quoted(names)}.",
            mend=f"Name both: {option(base_name=names[0])} {option(candidate_name=names[-1])}.",
        )
    return table.only(algorithms=[base, candidate]), base, candidate


def _chosen(side: Results, name: str | None, what: str) -> Results:
    """Take the one model of a source, or the one that was named."""
    names = side.algorithms
    if name is not None:
        if name not in names:
            raise unknown_name(f"algorithm (of the {what})", name, names)
        return side.only(algorithms=[name])
    if len(names) == 1:
        return side
    options = {f"{what}_name": names[0]}
    raise OptionError(
        f"The {what} holds {len(names)} models: {quoted(names)}.", mend=f"Say which is meant: {option(**options)}."
    )


def _same_clusters(first: Results, second: Results) -> tuple[Results, Results]:
    """Refuse clusters on one side only in words of this verb."""
    if (first.clusters is None) == (second.clusters is None):
        return first, second
    side = BASE if first.clusters is None else CANDIDATE
    raise InputError(
        f"The {side} has no column of clusters, the other side has one.",
        mend=f"Add the column to it, or leave clusters out of both: {ignoring_clusters()}.",
    )
