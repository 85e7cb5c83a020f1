"""From votes to strengths, tests of all pairs, groups, and an order with price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, IntArray, check_alpha, check_choice, readonly
from tiebreak.caveats import distinct
from tiebreak.deciding.battles._caveats import battle_caveats, price_caveats
from tiebreak.deciding.battles._connected import connected
from tiebreak.deciding.battles._counts import count_pairs
from tiebreak.deciding.battles._fitting import Fit, fit
from tiebreak.deciding.battles._from_scores import votes_of_scores
from tiebreak.deciding.battles._models import MODELS
from tiebreak.deciding.battles._prices import Prices, prices_of
from tiebreak.deciding.battles._result import BattlePlan, Battles, centred
from tiebreak.deciding.battles._sides import side_caveats
from tiebreak.deciding.battles._testing import Tested, good_enough, tested as _tested
from tiebreak.deciding.battles._votes import Votes, check_enough, read_votes
from tiebreak.deciding.groups import maximal_cliques
from tiebreak.deciding.order import (
    FAMILIES,
    Standing,
    log_costs,
    moved,
    multitest,
    places_of,
    shown_by,
    usual_family,
    words_for,
)
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError, unknown_name
from tiebreak.stats import CORRECTIONS
from tiebreak.tables.roles import one_name
from tiebreak.wording import option


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
    margin: float | None = None,
    family: str | None = None,
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
    """Put algorithms on one scale by votes on pairs, test all pairs, and order: by strength where real, else by price.

    Hypothesis: of each pair, that both are equally strong: against the same opponents, over prompts and voters such as
    these, each is preferred as often.

    Formula: strengths b maximise the likelihood of Davidson's model, P(i beats j) = e^(b_i - b_j) / Z and P(tie) =
    nu e^((b_i - b_j)/2) / Z, or of another model of ties. Their covariance is a sandwich clustered by prompt and by
    voter, V = V_prompt + V_voter - V_both, each part a jackknife by one Newton step; a pair is tested by
    t = (b_i - b_j) / se with as many degrees of freedom as there are clusters of even size, less 1. p-values are
    corrected for all pairs. Elo is 400 / ln 10 times the strength.

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
    ties : {"davidson", "rao-kupper", "half"}
        The model of ties; "half" is Bradley and Terry's model with a tie as half a win for either.
    cluster : str or sequence of str, optional
        What votes are clustered by: "prompt", "voter", both or "none". By default both where both are known, unless
        prompts (or voters) are too few to tell so many algorithms apart: votes are then clustered by the other alone,
        the answer holds for these prompts (or voters), and a caveat says so.
    adjust : str, optional
        The correction for all pairs; by default Shaffer's, for two algorithms none.
    alpha : float, default 0.05
    margin : float, optional
        How much less often than half the cheaper may be preferred and still be good enough: 0.05 is 45 % against 55 %.
    family : {"own", "all"}, optional
        Which comparisons count when an algorithm is put behind a costlier one: its own with the others, or all pairs;
        see `tiebreak.order`. By default "own", and "all" where `adjust` does not keep the chance of any
        mistake. What is called significant is so with all pairs counted either way.
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
        How votes are read; see `tiebreak.deciding.battles.read_votes`.
    score, scores, higher_is_better, tie_within
        For a table of scores: the score, its direction, and how close scores are a tie.

    Returns
    -------
    Battles

    References
    ----------
    bradley1952
    davidson1970
    rao1967
    cameron2011
    bell2002
    carter2017
    shaffer1986
    yildiz2006
    hsu1984

    Examples
    --------
    >>> rows = [("big", "small", "left")] * 6 + [("small", "big", "left")] * 3 + [("big", "small", "tie")] * 3
    >>> votes = [{"left": a, "right": b, "winner": w, "prompt": i} for i, (a, b, w) in enumerate(rows)]
    >>> found = battles(votes, prices={"big": 10, "small": 1})
    >>> found.order, round(found.preferred("big", "small"), 3)
    (('small', 'big'), 0.625)
    """
    check_alpha(alpha)
    check_choice("model of ties", ties, MODELS)
    check_choice("rule for what is not connected", disconnected, ("refuse", "largest"))
    _check_amounts(margin, pseudo_votes)
    told = {"columns": columns, "labels": labels, "both_bad": both_bad, "duplicates": duplicates, "where": where}
    scored = {"higher_is_better": higher_is_better, "tie_within": tie_within, "score": one_name(score, scores)}
    read = _read(votes, told=told, scored=scored, cost=None if prices is not None else cost)
    chosen = check_enough(read if algorithms is None else read.only(list(algorithms)))
    chosen = connected(chosen, ties=ties, disconnected=disconnected, pseudo=pseudo_votes)
    paid = prices_of(chosen, cost, prices)
    count, adjusted = len(chosen.algorithms), _correction(adjust, len(chosen.algorithms))
    plan = BattlePlan(
        ties=ties,
        cluster=_cluster(chosen, cluster),
        as_told=cluster is not None,
        adjust=adjusted,
        alpha=alpha,
        margin=margin,
        family=check_choice("family of comparisons", family or usual_family(adjusted, count), FAMILIES),
        disconnected=disconnected,
        pseudo_votes=pseudo_votes,
        anchor=_known_anchor(anchor, chosen),
        cost=None if paid is None else paid.name,
    )
    return _decided(chosen, plan, paid)


def _read(votes: Any, *, told: dict[str, Any], scored: dict[str, Any], cost: str | None) -> Votes:
    if isinstance(votes, Votes):
        return votes
    if scored["score"] is None:
        return read_votes(votes, **told, cost=cost)
    from tiebreak.reading import as_results

    score = scored.pop("score")
    table = as_results(votes, scores=score, costs=cost, columns=told["columns"], where=told["where"], verb="battles")
    return votes_of_scores(table, score, **scored, cost=cost)


def _check_amounts(margin: float | None, pseudo: float) -> None:
    if margin is not None and not 0 < margin < 0.5:
        raise OptionError(
            f"The margin is {margin!r}.",
            why="It is how much less often than half the cheaper one may be preferred.",
            mend=f"Use {option(margin=0.05)}.",
        )
    if not 0 <= pseudo < float("inf"):
        raise OptionError(
            f"{option('pseudo_votes')} is {pseudo!r}.",
            why="It is how many votes are added for every algorithm and as many against it.",
            mend=f"Use {option(pseudo_votes=1)}, or 0 for none.",
        )


def _cluster(votes: Votes, asked: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the kinds of clusters, at the most two."""
    known = tuple(votes.clusters)
    if asked is None:
        return known
    names = tuple(asked.split(",")) if isinstance(asked, str) else tuple(asked)
    if names == ("none",):
        return ()
    for name in names:
        if name not in known:
            raise unknown_name("cluster of votes", name, (*known, "none"))
    return tuple(dict.fromkeys(names))


def _correction(adjust: str | None, count: int) -> str:
    if adjust is None:
        return "none" if count == 2 else "shaffer"
    return check_choice("correction", adjust, CORRECTIONS)


def _known_anchor(anchor: str | None, votes: Votes) -> str | None:
    if anchor is not None and anchor not in votes.algorithms:
        raise unknown_name("algorithm", anchor, votes.algorithms)
    return anchor


def _decided(votes: Votes, plan: BattlePlan, paid: Prices | None) -> Battles:
    """Fit, test and order."""
    counts, sides = count_pairs(votes.left, votes.right, votes.outcome, len(votes.algorithms))
    fitted = fit(counts, plan.ties, pseudo=plan.pseudo_votes)
    tested = _tested(votes, plan, fitted, counts, sides)
    plan, tests = tested.plan, tested.tests
    strengths, anchored = centred(fitted.beta, tested.sure.covariance[:-1, :-1], _place(plan.anchor, votes))
    standing, tied = _standing(votes, fitted, tested, paid)
    by_strength = tuple(np.lexsort((np.arange(len(strengths)), -strengths)).tolist())
    order = by_strength if standing is None else tuple(np.argsort(standing.place).tolist())
    groups, complete = _groups(tested.better, by_strength, votes.algorithms)
    notes = [*votes.caveats, *tested.notes, *battle_caveats(fitted, tested.sure.clusters, votes, plan)]
    notes += price_caveats(plan, tied=tied, complete=complete)
    notes += side_caveats(votes, fitted, counts, sides, plan.cluster, alpha=plan.alpha)
    wins, draws = counts.matrices()
    return Battles(
        order=tuple(votes.algorithms[i] for i in order),
        prior=() if standing is None else tuple(votes.algorithms[i] for i in np.argsort(standing.prior)),
        reasons=() if standing is None else standing.reasons(),
        algorithms=votes.algorithms,
        strengths=readonly(strengths),
        covariance=readonly(anchored),
        df=readonly(tested.sure.df),
        wins=readonly(wins),
        ties=readonly(draws),
        tests=tests,
        better=readonly(tested.better),
        groups=groups,
        tie=fitted.tie,
        tie_error=float(np.sqrt(tested.sure.covariance[-1, -1])) if fitted.has_tie else float("nan"),
        fitted=fitted.model,
        loglik=fitted.loglik,
        n_votes=len(votes),
        clusters=dict(tested.sure.clusters),
        plan=plan,
        standing=standing,
        prices=None if paid is None else readonly(paid.mean),
        price_unit="" if paid is None else paid.unit,
        source=votes.source,
        unit=votes.unit,
        caveats=distinct(notes),
    )


def _place(name: str | None, votes: Votes) -> int | None:
    return None if name is None else votes.algorithms.index(name)


def _standing(votes: Votes, fitted: Fit, tested: Tested, paid: Prices | None) -> tuple[Standing | None, bool]:
    """Order by MultiTest, and keep what explains every place; None without prices."""
    if paid is None:
        return None, False
    prior, tied = paid.places(fitted.beta, votes.algorithms)
    good = None if tested.plan.margin is None else good_enough(fitted, tested, prior)
    shown = shown_by(tested.tests, tested.better, tested.plan.family, tested.plan.alpha)
    moves = moved(shown, good, prior)
    sequence: IntArray = multitest(moves, prior)
    standing = Standing(
        names=votes.algorithms,
        place=places_of(sequence[None])[0],
        better=tested.better,
        shown=shown,
        moves=moves,
        good=good,
        prior=prior,
        logs=log_costs(paid.paid),
        words=words_for(places=False, given=False),
    )
    return standing, tied


def _groups(
    better: BoolArray, order: Sequence[int], names: tuple[str, ...]
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Return the maximal sets that no test tells apart, members by strength."""
    alike = ~(better | better.T)[np.ix_(order, order)]
    found, complete = maximal_cliques(alike)
    return tuple(tuple(names[order[i]] for i in clique) for clique in found), complete
