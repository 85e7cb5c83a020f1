"""From two versions to a verdict: read, matched, judged, priced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np

from tiebreak._checks import FloatArray, check_alpha, check_within
from tiebreak.caveats import Caveat, Caveats, distinct
from tiebreak.deciding.gate._judging import PASS, WORSE, Judgement, judge_datasets, judge_items, judge_totals
from tiebreak.deciding.gate._result import DATASETS, ITEMS, TOTALS, Gate, GateCost
from tiebreak.deciding.gate._sides import two_sides
from tiebreak.deciding.on_items import check_enough, directed_score, score_of_totals, totals_of
from tiebreak.deciding.order import Margin, read_margin
from tiebreak.errors import InputError, OptionError, quoted
from tiebreak.reading.taking import ReadingOne, taken
from tiebreak.tables import ItemTable, Metric, Results, item_table
from tiebreak.tables.item_columns import ITEM, TOTAL
from tiebreak.wording import option

VERB = "gate"
FEW_UNITS = 20


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
    higher_is_better: bool | Mapping[str, bool] | None = None,
    **reading: Unpack[ReadingOne],
) -> Gate:
    """Say whether a candidate may take the place of a base: shown not worse by a margin, worse, or undecided.

    Hypothesis: for "pass", that the candidate is worse by the margin or more; for "worse", that the two do not differ.

    Formula: on items by `item_non_inferiority` and `item_pairs`, by totals by `total_non_inferiority` and
    `proportion_pairs`, over data sets by `non_inferiority_pairs` and `wilcoxon_pairs`; with `anytime` by
    `anytime_items`. The verdict is "pass" where the first test rejects at alpha, else "worse" where the second, which is
    two-sided, rejects at alpha and the candidate has the worse mean, else "undecided".

    Assumptions: those of the tests; the margin was chosen before the scores were seen, and unless `anytime` is asked
    for, the items are looked at once.
    When not to use it: to choose among many candidates, each of which may pass wrongly; use `tiebreak.order`.

    Parameters
    ----------
    base, candidate : Results, path, frame, mapping or sequence
        What `tiebreak.order` takes: answers to items, totals (passed and n), logs of evaluations or folders of them,
        scores over data sets. Items are matched by name. Without `candidate`, one table of both models.
    margin : float or str
        How much worse still passes: 0.01 in units of the score, or "1%" of that of the base.
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

    Examples
    --------
    >>> right = {"model": ["old"] * 400 + ["new"] * 400, "item": [*range(400)] * 2, "accuracy": [1] * 300 + [0] * 100}
    >>> right["accuracy"] += [1] * 299 + [0] * 99 + [1] * 2
    >>> found = gate(right, base_name="old", margin=0.02)
    >>> found.verdict, found.exit_code, round(found.judged.bound, 3)
    ('pass', 0, 0.008)
    """
    within = read_margin(margin)
    _check_numbers(within, alpha, power, max_cost_ratio, cost, bound, anytime=anytime)
    assert within is not None
    score = reading.pop("scores", None) if score is None else score  # type: ignore[assignment]
    told = {"scores": score, "costs": cost, "directed": higher_is_better is not None}
    first = taken(base, VERB, reading, **told)
    second = None if candidate is None else taken(candidate, VERB, reading, **told)
    results, one, other = two_sides(first, second, base_name=base_name, candidate_name=candidate_name)
    name = score_of_totals(results, score) or results.only_score()
    metric = directed_score(results, str(name), higher_is_better)
    asked = {"margin": within, "alpha": alpha, "power": power}
    if results.unit == ITEM:
        parts = _on_items(results, metric, (one, other), asked, _bound(bound) if anytime else None, anytime=anytime)
    elif anytime:
        raise OptionError(
            "An anytime verdict was asked for, and there are no items.",
            why="Bets are placed on one item after the other.",
            mend="Give the answers to each item, or leave it out.",
        )
    else:
        parts = (
            _by_totals(results, metric, (one, other), asked)
            if results.unit == TOTAL
            else _over(results, metric, (one, other), asked)
        )
    paid = None if cost is None else _cost(results, cost, (one, other), max_cost_ratio)
    quality = parts["judged"].verdict
    notes = distinct([*results.caveats, *parts.pop("caveats")])
    return Gate(
        verdict=WORSE if quality == PASS and paid is not None and paid.too_high else quality,
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
            why="A gate says whether a candidate is worse by less than a margin.",
            mend=f"Use {option(margin=0.01)}, in units of the score, or {option(margin='1%')} of that of the base.",
        )
    check_alpha(alpha)
    why = "It is the probability to decide, strictly between 0 and 1."
    check_within(option("power"), power, 0.0, 1.0, why=why, mend=f"Use {option(power=0.8)}.")
    if bound is not None and not anytime:
        raise OptionError(
            f"{option('bound')} was given without {option(anytime=True)}.",
            why="It is the largest difference that bets have to reckon with.",
            mend="Leave it out, or ask for an anytime verdict.",
        )
    if ratio is None:
        return
    why = "It is how many times the cost of the base the candidate may cost."
    check_within(option("max_cost_ratio"), ratio, 0.0, np.inf, why=why, mend=f"Use {option(max_cost_ratio=1.2)}.")
    if cost is None:
        raise OptionError(
            f"{option('max_cost_ratio')} was given without a cost.",
            why="It limits what the candidate costs beside the base.",
            mend=f"Name the cost: {option(cost='price')}.",
        )


def _bound(bound: float | None) -> float:
    why = "It is the largest difference that the score allows."
    return 1.0 if bound is None else check_within(option("bound"), bound, 0.0, np.inf, why=why, mend="Use a number.")


def _on_items(
    results: Results,
    metric: Metric,
    names: tuple[str, str],
    asked: dict[str, Any],
    bound: float | None,
    *,
    anytime: bool,
) -> dict[str, Any]:
    """Judge by the items that both answered."""
    table = item_table(results, metric.name)
    places = [table.algorithms.index(name) for name in names]
    base, own = (table.scores[:, place] for place in places)
    _check_matched(table, base, own, names)
    check_enough(table)
    if anytime and not table.in_unit_range and bound == 1.0:
        bound = None
    if anytime and bound is None:
        raise OptionError(
            f"Values of {metric.name} do not lie between 0 and 1.",
            why="An anytime verdict needs the largest difference that the score allows.",
            mend=f"Give it: {option(bound=100)} for scores between 0 and 100.",
        )
    _check_margin(asked["margin"], table.in_unit_range)
    strata = table.strata if len(table.benchmarks) > 1 else None
    judged = judge_items(
        base,
        own,
        clusters=table.clusters,
        strata=strata,
        upward=bool(metric.higher_is_better),
        bound=bound,
        names=names,
        **_numbers(asked),
    )
    common = ~(np.isnan(base) | np.isnan(own))
    codes, count = table.strata[common], len(table.benchmarks)
    n = np.bincount(codes, minlength=count)
    means = [np.bincount(codes, weights=each[common], minlength=count) / n for each in (base, own)]
    labels = np.array(table.items, dtype=object)
    return {
        "judged": judged,
        "on": ITEMS,
        "points": table.in_unit_range,
        "datasets": table.benchmarks,
        "scores": tuple(zip(*(each.tolist() for each in means), strict=True)),
        "n_per_dataset": tuple(n.tolist()),
        "only_base": tuple(map(str, labels[~np.isnan(base) & np.isnan(own)])),
        "only_candidate": tuple(map(str, labels[np.isnan(base) & ~np.isnan(own)])),
        "caveats": (
            *table.caveats,
            *_item_notes(judged, base[common], own[common], anytime=anytime, several=count > 1),
        ),
    }


def _numbers(asked: dict[str, Any]) -> dict[str, Any]:
    margin: Margin = asked["margin"]
    return {"margin": margin.size, "relative": margin.relative, "alpha": asked["alpha"], "power": asked["power"]}


def _check_margin(margin: Margin, in_unit_range: bool) -> None:
    """Refuse a margin that nothing could miss: points were meant."""
    if in_unit_range and not margin.relative and margin.size >= 1.0:
        raise OptionError(
            f"The margin is {margin.size:g}, and scores lie between 0 and 1.",
            why="No candidate could be worse by that much.",
            mend=f"For {margin.size:g} points of a hundred use {option(margin=margin.size / 100)}.",
        )


def _check_matched(table: ItemTable, base: FloatArray, own: FloatArray, names: tuple[str, str]) -> None:
    """Refuse sides that share no item, with names of both so that one sees why."""
    if bool((~np.isnan(base) & ~np.isnan(own)).any()):
        return
    labels = np.array(table.items, dtype=object)
    shown = [quoted([*map(str, labels[~np.isnan(each)][:3])]) or "none" for each in (base, own)]
    raise InputError(
        f"{names[0]!r} and {names[1]!r} have no item in common: {shown[0]} are items of the one, {shown[1]} of the other.",
        why="Items are matched by their names, and by the benchmark they belong to.",
        mend=f"Name items alike in both, or name the column that does: {option(columns={'item': 'item'})}.",
    )


def _item_notes(judged: Judgement, base: FloatArray, own: FloatArray, *, anytime: bool, several: bool) -> Caveats:
    """Say what a reader of the verdict alone would get wrong."""
    notes = []
    if bool((base == own).all()):
        notes.append(Caveat("no-difference", f"The two score the same on all {len(base):,} items."))
    if judged.clustered and judged.n_units < FEW_UNITS:
        text = f"{judged.n_units} clusters are few: much would have to be the same in all of them to be shown."
        notes.append(Caveat("few-clusters", text))
    if anytime and several:
        text = "The verdict holds at every look only if the benchmarks have the same shares of the items at each."
        notes.append(Caveat("same-shares-at-looks", text))
    return tuple(notes)


def _by_totals(results: Results, metric: Metric, names: tuple[str, str], asked: dict[str, Any]) -> dict[str, Any]:
    """Judge by totals of one benchmark."""
    passed, n = totals_of(results, metric)
    places = [results.algorithms.index(name) for name in names]
    _check_margin(asked["margin"], in_unit_range=True)
    held, of = ([float(each[place]) for place in places] for each in (passed, n))
    judged = judge_totals((held[0], held[1]), (of[0], of[1]), **_numbers(asked))
    text = (
        "Only totals are known, not the answers to each item: if both had the same items, pairing is lost, and it takes"
        " more of them to decide."
    )
    return {
        "judged": judged,
        "on": TOTALS,
        "points": True,
        "datasets": results.datasets,
        "scores": ((held[0] / of[0], held[1] / of[1]),),
        "n_per_dataset": (judged.n_items,),
        "caveats": (Caveat("pairing-lost", text),),
    }


def _over(results: Results, metric: Metric, names: tuple[str, str], asked: dict[str, Any]) -> dict[str, Any]:
    """Judge by scores over data sets that both have."""
    means = results.means(metric.name, partial=True)
    places = [results.algorithms.index(name) for name in names]
    pair = means[:, places]
    common = ~np.isnan(pair).any(axis=1)
    if int(common.sum()) < 2:
        raise InputError(
            f"{names[0]!r} and {names[1]!r} have {int(common.sum())} data set(s) in common, and no items.",
            why="A gate needs items that both answered, totals of them, or several data sets.",
            mend=f"Name the column of items: {option(columns={'item': 'item'})}; or add data sets.",
        )
    if len({each.name for each in results.dataset_metrics}) > 1:
        raise InputError(
            f"Data sets are scored by different metrics: {quoted(sorted({each.name for each in results.dataset_metrics}))}.",
            why="One margin in units of the score cannot hold for all of them.",
            mend=f"Choose data sets of one metric: {option(datasets=[...])}.",
        )
    judged = judge_datasets(pair[common], upward=bool(metric.higher_is_better), **_numbers(asked))
    kept = [name for name, there in zip(results.datasets, common.tolist(), strict=True) if there]
    one_sided = [~np.isnan(pair[:, k]) & np.isnan(pair[:, 1 - k]) for k in range(2)]
    alone = [tuple(np.array(results.datasets, dtype=object)[each].tolist()) for each in one_sided]
    text = "The verdict is on other data sets like these; scores are means of each."
    return {
        "judged": judged,
        "on": DATASETS,
        "points": bool(((pair[common] >= 0) & (pair[common] <= 1)).all()),
        "datasets": tuple(kept),
        "scores": tuple((float(a), float(b)) for a, b in pair[common]),
        "n_per_dataset": (1,) * len(kept),
        "only_base": alone[0],
        "only_candidate": alone[1],
        "caveats": (Caveat("gate-over-datasets", text),),
    }


def _cost(results: Results, name: str, names: tuple[str, str], limit: float | None) -> GateCost:
    """Put the mean costs side by side, over the benchmarks where both are known."""
    paid = results.means(name, partial=True)[:, [results.algorithms.index(each) for each in names]]
    known = ~np.isnan(paid).any(axis=1)
    if not known.any():
        raise InputError(
            f"No benchmark has the {name!r} of both {names[0]!r} and {names[1]!r}.",
            why="What the candidate costs is said beside the base.",
            mend="Add the column to both, or leave the cost out.",
        )
    base, own = (float(each) for each in paid[known].mean(axis=0))
    if not (paid[known] > 0).all():
        raise InputError(
            f"{name!r} is {float(paid[known].min()):g} somewhere.",
            why="A ratio of costs needs costs above zero.",
            mend="Correct it, or leave the cost out.",
        )
    ratio = float(np.exp(np.log(paid[known][:, 1] / paid[known][:, 0]).mean()))
    return GateCost(name=name, base=base, candidate=own, ratio=ratio, unit=results.metric(name).unit or "", limit=limit)
