"""From votes to strengths, tests of all pairs, groups, and an order with price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, IntArray, check_alpha, check_choice, check_choices, readonly
from tiebreak.caveats import Caveat, distinct
from tiebreak.comparison.groups import named_groups
from tiebreak.comparison.trade import Trade, read_accd, read_trade
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError
from tiebreak.evals.battles.result import BattlePlan, Battles, centred
from tiebreak.evals.battles.testing import (
    Tested,
    battle_caveats,
    connected,
    price_caveats,
    reasons_of,
    side_caveats,
    tested as _tested,
    value_of_votes,
)
from tiebreak.evals.battles.votes import Prices, Votes, check_enough, prices_of, read_votes
from tiebreak.ordering import Valuation, multitest
from tiebreak.ordering.multitest import places_of
from tiebreak.ordering.result import Standing, Words
from tiebreak.results import Results
from tiebreak.results.items import ITEM, item_table
from tiebreak.results.metrics import directions
from tiebreak.results.roles import one_name
from tiebreak.stats import CORRECTIONS
from tiebreak.stats.numeric.basics import snap
from tiebreak.stats.results import pair_indices
from tiebreak.stats.votes import MODELS, Fit, count_pairs, fit
from tiebreak.wording import option

RULES = ("worth", "multitest")


@as_came_in
def battles(
    votes: Any,
    *,
    cost: str | None = None,
    prices: Any = None,
    ties: str = "davidson",
    cluster: str | Sequence[str] | None = None,
    adjust: str | None = None,
    alpha: float = 0.05,
    trade: str | None = None,
    accd: float | None = None,
    rule: str | None = None,
    disconnected: str = "refuse",
    pseudo_votes: float = 0.0,
    anchor: str | None = None,
    algorithms: Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    both_bad: str = "tie",
    duplicates: str = "keep",
    where: str | Sequence[str] | None = None,
    score: str | None = None,
    scores: str | None = None,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    tie_within: float = 0.0,
) -> Battles:
    """Put algorithms on one scale by votes on pairs, test all pairs, and order them by worth.

    Hypothesis: of each pair, that both are equally strong: against the same opponents, over prompts and voters such as
    these, each is preferred as often.

    Formula: strengths b maximise the likelihood of Davidson's model, P(i beats j) = e^(b_i - b_j) / Z and P(tie) =
    nu e^((b_i - b_j)/2) / Z, or of another model of ties. Their covariance is a sandwich clustered by prompt and by
    voter, V = V_prompt + V_voter - V_both, each part a jackknife by one Newton step; a pair is tested by
    t = (b_i - b_j) / se with as many degrees of freedom as there are clusters of even size, less 1. p-values are
    corrected for all pairs. Elo is 400 / ln 10 times the strength. With prices the order is by worth: the probability
    of being preferred to the average opponent, a tie as half, less the trade times log10 of the price.

    Assumptions: prompts are independent of each other, and so are voters; one number describes an algorithm, so that
    who beats whom is transitive on the whole; which pairs meet does not depend on how the votes would turn out.

    When not to use it: where all algorithms have scores on the same items, which `compare` and `order` use more fully;
    where preference runs in circles; with a handful of prompts or voters for a claim about others.

    Parameters
    ----------
    votes : str, Path, data frame, mapping, sequence of mappings, Votes, or a table of scores
        A file or table of votes with columns left (model_a), right (model_b), winner and, if known, prompt and voter;
        with `score`, anything that `tiebreak.compare` takes: every data set is then a battle of every two algorithms.
    cost : str, optional
        The cost: a column of `prices` (default "price"), two columns beside the votes (price_a, price_b), or a column
        of the table of scores.
    prices : mapping of str to float, str, Path or data frame, optional
        What each algorithm costs.
    ties : {"davidson", "half"}
        The model of ties; "half" is Bradley and Terry's model with a tie as half a win for either.
    cluster : str or sequence of str, optional
        What votes are clustered by: "prompt", "voter", both or "none". By default both where both are known. What is
        left out is taken as given: differences are then significant on these prompts, or with these voters, only.
    adjust : str, optional
        The correction for all pairs; by default Shaffer's, for two algorithms none.
    alpha : float, default 0.05
    trade : str, optional
        What ten times the price must buy: "1%" of the best win rate (default), or "0.5pt" for half a point of it.
    accd : float, optional
        The same as in the papers: 0.01 is "1%".
    rule : {"worth", "multitest"}, optional
        Order by worth (default), or by MultiTest: the cheaper first unless a costlier one is significantly stronger.
    disconnected : {"refuse", "largest"}
        What to do where votes do not hold all algorithms together: refuse and name the parts, or keep the largest part.
    pseudo_votes : float, default 0
        Add so many votes won, and as many lost, by every algorithm against an average one: a prior that holds
        together what votes do not, and draws strengths together.
    anchor : str, optional
        The algorithm whose Elo is 1000; by default the mean of all is.
    algorithms : sequence of str, optional
        Only battles between these.
    columns, labels, both_bad, duplicates, where
        How votes are read; see `tiebreak.evals.battles.read_votes`.
    score, scores, higher_is_better, tie_within
        For a table of scores: the score, its direction, and how close scores are a tie.

    Returns
    -------
    Battles

    References
    ----------
    bradley1952
    davidson1970
    cameron2011
    bell2002
    carter2017
    shaffer1986
    brazdil2003
    yildiz2006

    Examples
    --------
    >>> rows = [("big", "small", "left")] * 6 + [("small", "big", "left")] * 3 + [("big", "small", "tie")] * 3
    >>> votes = [{"left": a, "right": b, "winner": w, "prompt": i} for i, (a, b, w) in enumerate(rows)]
    >>> result = battles(votes, prices={"big": 10, "small": 1})
    >>> result.order, round(result.preferred("big", "small"), 3)
    (('big', 'small'), 0.625)
    """
    check_alpha(alpha)
    check_choice("model of ties", ties, MODELS)
    check_choice("rule for what is not connected", disconnected, ("refuse", "largest"))
    _check_size("pseudo_votes", pseudo_votes, f"{option(pseudo_votes=1)}, or 0 for none")
    options = {"columns": columns, "labels": labels, "both_bad": both_bad, "duplicates": duplicates, "where": where}
    scored = {"higher_is_better": higher_is_better, "tie_within": tie_within, "score": one_name(score, scores)}
    read = _read(votes, told=options, scored=scored, cost=None if prices is not None else cost)
    chosen = check_enough(read if algorithms is None else read.only(list(algorithms)))
    chosen = connected(chosen, ties=ties, disconnected=disconnected, pseudo=pseudo_votes)
    paid = prices_of(chosen, cost, prices)
    clusters = _cluster(chosen, cluster)
    by, given = _rule(rule, trade, accd, priced=paid is not None)
    plan = BattlePlan(
        ties=ties,
        cluster=clusters,
        fixed=tuple(name for name in chosen.clusters if name not in clusters),
        adjust=_correction(adjust, len(chosen.algorithms)),
        alpha=alpha,
        rule=by,
        trade=None if given is None else str(given),
        disconnected=disconnected,
        pseudo_votes=pseudo_votes,
        anchor=None if anchor is None else check_choice("algorithm", anchor, chosen.algorithms),
        cost=None if paid is None else paid.name,
    )
    return _decided(chosen, plan, paid, given)


def _read(votes: Any, *, told: dict[str, Any], scored: dict[str, Any], cost: str | None) -> Votes:
    if isinstance(votes, Votes):
        return votes
    if scored["score"] is None:
        return read_votes(votes, **told, cost=cost)
    from tiebreak.readers import as_results

    score = scored.pop("score")
    table = as_results(votes, scores=score, costs=cost, columns=told["columns"], where=told["where"], verb="battles")
    return votes_of_scores(table, score, **scored, cost=cost)


def _rule(rule: str | None, trade: str | None, accd: float | None, *, priced: bool) -> tuple[str, Trade | None]:
    """Return the rule, and the trade where there is one."""
    chosen = check_choice("rule", rule or "worth", RULES)
    if trade is not None and accd is not None:
        raise OptionError(f"Both {option('trade')} and {option('accd')} were given.", mend="Give one of them.")
    given = read_accd(accd) if accd is not None else read_trade(trade)
    if priced and chosen == "worth":
        return chosen, given
    if not given.default:
        raise OptionError(
            "A trade was given, and " + ("MultiTest of votes has none." if priced else "no prices."),
            mend="Leave it out" + (", or order by worth." if priced else f", or give {option(prices='prices.csv')}."),
        )
    return chosen, None


def _check_size(name: str, value: float, usual: str) -> None:
    if not 0 <= value < float("inf"):
        raise OptionError(f"{option(name)} is {value!r}.", mend=f"Use {usual}.")


def _cluster(votes: Votes, options: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the kinds of clusters, at the most two."""
    known = tuple(votes.clusters)
    if options is None:
        return known
    names = tuple(options.split(",")) if isinstance(options, str) else tuple(options)
    if names == ("none",):
        return ()
    check_choices("cluster of votes", [name for name in names if name not in known], (*known, "none"))
    return tuple(dict.fromkeys(names))


def _correction(adjust: str | None, count: int) -> str:
    if adjust is None:
        return "none" if count == 2 else "shaffer"
    return check_choice("correction", adjust, CORRECTIONS)


def _decided(votes: Votes, plan: BattlePlan, paid: Prices | None, trade: Trade | None) -> Battles:
    """Fit, test and order."""
    counts, sides = count_pairs(votes.left, votes.right, votes.outcome, len(votes.algorithms))
    fitted = fit(counts, plan.ties, pseudo=plan.pseudo_votes)
    tested = _tested(votes, plan, fitted, counts, sides)
    anchor = None if plan.anchor is None else votes.algorithms.index(plan.anchor)
    strengths, anchored = centred(fitted.beta, tested.sure.covariance[:-1, :-1], anchor)
    standing, tied = _standing(votes, fitted, tested, paid)
    value: Valuation | None = None
    if paid is not None and trade is not None:
        value = value_of_votes(fitted, tested.sure, paid, trade, votes.algorithms, alpha=plan.alpha)
    by_strength = tuple(np.lexsort((np.arange(len(strengths)), -strengths)).tolist())
    by_tests = by_strength if standing is None else tuple(np.argsort(standing.place).tolist())
    order = by_tests if value is None else tuple(value.sequence.tolist())
    reasons = () if standing is None else standing.reasons() if value is None else reasons_of(value, votes.algorithms)
    groups, complete = named_groups(tested.better, by_strength, votes.algorithms)
    notes = [*votes.caveats, *tested.notes, *battle_caveats(tested.sure.clusters, votes, plan)]
    notes += price_caveats(plan, tied=tied and value is None, complete=complete)
    notes += [] if value is None else value.caveats
    notes += side_caveats(votes, fitted, counts, sides, plan.cluster, alpha=plan.alpha)
    wins, draws = counts.matrices()
    return Battles(
        order=tuple(votes.algorithms[i] for i in order),
        prior=() if standing is None else tuple(votes.algorithms[i] for i in np.argsort(standing.prior)),
        reasons=reasons,
        algorithms=votes.algorithms,
        strengths=readonly(strengths),
        covariance=readonly(anchored),
        df=readonly(tested.sure.df),
        wins=readonly(wins),
        ties=readonly(draws),
        tests=tested.tests,
        better=readonly(tested.better),
        groups=groups,
        tie=fitted.tie,
        tie_error=float(np.sqrt(tested.sure.covariance[-1, -1])) if fitted.has_tie else float("nan"),
        fitted=fitted.model,
        loglik=fitted.loglik,
        n_votes=len(votes),
        clusters=dict(tested.sure.clusters),
        plan=plan,
        standing=standing if value is None else None,
        valuation=value,
        other_rules={} if value is None else {"multitest": votes.algorithms[by_tests[0]]},
        prices=None if paid is None else readonly(paid.mean if value is None or len(paid.paid) == 1 else value.paid[0]),
        price_unit="" if paid is None else paid.unit,
        source=votes.source,
        unit=votes.unit,
        caveats=distinct(notes),
    )


def _standing(votes: Votes, fitted: Fit, tested: Tested, paid: Prices | None) -> tuple[Standing | None, bool]:
    """Order by MultiTest, and keep what explains every place; None without prices."""
    if paid is None:
        return None, False
    prior, tied = paid.places(fitted.beta, votes.algorithms)
    sequence: IntArray = multitest(tested.better, prior)
    standing = Standing(
        names=votes.algorithms,
        place=places_of(sequence[None])[0],
        better=tested.better,
        prior=prior,
        paid=paid.paid,
        words=Words(),
    )
    return standing, tied


MOST_BATTLES = 50_000_000


def votes_of_scores(
    results: Results,
    score: str,
    *,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    tie_within: float = 0.0,
    cost: str | None = None,
) -> Votes:
    """Let every two algorithms meet once on every data set where both have a score; folds are averaged first.

    Of a table of items they meet on every item, its epochs averaged, and clusters are those of the items.

    Examples
    --------
    >>> import tiebreak as tb
    >>> votes = votes_of_scores(tb.published.demsar2006(), "auc")
    >>> len(votes), votes.algorithms[0], votes.unit
    (84, 'C4.5', 'data set')
    """
    _check_size("tie_within", tie_within, f"{option(tie_within=0.005)}, in units of the score")
    higher, notes = directions(results, score, higher_is_better)
    scores, upward, clusters, unit = _laid_out(results, score, np.ravel(higher))
    errors = np.where(upward[:, None], -scores, scores)
    a, b = pair_indices(len(results.algorithms))
    if len(errors) * len(a) > MOST_BATTLES:
        raise InputError(
            f"{len(errors):,} {unit}s with {len(a):,} pairs each are {len(errors) * len(a):,} battles.",
            why="That many do not fit into memory.",
            mend=f"Choose some of the algorithms: {option(algorithms=[...])}.",
        )
    ahead = errors[:, b] - errors[:, a]
    there = ~np.isnan(ahead)
    slack = tie_within + 1e-12 * np.nanmax(np.abs(scores), initial=0.0) * (tie_within > 0)
    outcome = np.where(np.abs(ahead) <= slack, 0, np.sign(np.nan_to_num(ahead))).astype(np.int64)
    where, pair = np.nonzero(there)
    gaps = int((~there).sum())
    if gaps:
        text = f"{gaps:,} of {there.size:,} battles were not fought: one of the two has no score on that {unit}."
        notes = (*notes, Caveat("gaps-left-out", text))
    return Votes(
        algorithms=results.algorithms,
        left=readonly(a[pair]),
        right=readonly(b[pair]),
        outcome=readonly(outcome[where, pair]),
        clusters={name: readonly(cluster[where].astype(np.int64)) for name, cluster in clusters.items()},
        source="the table",
        unit=unit,
        costs={} if cost is None else {cost: np.asarray(results.means(cost, partial=results.unit == ITEM), float)},
        caveats=distinct([*results.caveats, *notes]),
    )


def _laid_out(
    results: Results, score: str, higher: BoolArray
) -> tuple[FloatArray, BoolArray, dict[str, IntArray], str]:
    """Return scores, a row for each battlefield, which way is better there, its cluster, and what it is called."""
    if results.unit != ITEM:
        scores = snap(results.means(score))
        return scores, np.broadcast_to(higher, len(scores)), {"dataset": np.arange(len(scores))}, "data set"
    table = item_table(results, score)
    way = dict(zip(results.datasets, np.broadcast_to(higher, len(results.datasets)).tolist(), strict=True))
    upward = np.array([way[name] for name in table.benchmarks])[table.strata]
    clusters = {"item": np.arange(len(table))} if table.clusters is None else {"cluster": table.clusters}
    return snap(table.scores), upward, clusters, "item"
