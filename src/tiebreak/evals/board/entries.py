"""From results to a board: read, order, tier."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date as Day, datetime
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak._checks import BoolArray, IntArray
from tiebreak.comparison.trade import cost_and_trades
from tiebreak.documents import as_came_in
from tiebreak.errors import OptionError, TiebreakError
from tiebreak.evals.battles import Battles
from tiebreak.evals.board.files import badge_names
from tiebreak.evals.board.previous import Previous
from tiebreak.evals.board.result import Board, BoardEntry, Facts, Found, facts_of, known, reasons_of
from tiebreak.ordering import Ordering, order
from tiebreak.readers.loading import load_columns
from tiebreak.readers.taking import Reading, taken
from tiebreak.reporting import by_other_rules
from tiebreak.results import Results
from tiebreak.results.columns import Column
from tiebreak.results.roles import one_name
from tiebreak.wording import option


@as_came_in
def board(
    results: Any,
    *,
    name: str | None = None,
    date: str | None = None,
    since: Previous | str | Path | None = None,
    score: str | None = None,
    cost: str | Sequence[str] | None = None,
    prior: Sequence[str] | None = None,
    missing_costs: str = "costliest",
    **request: Any,
) -> Board:
    """Make a leaderboard: an order with reasons, tiers, prices, every pair explained, and what changed.

    Tiers say who is significantly worse than whom (`tiebreak.evals.board.tiers_of`): those in one tier do not differ
    significantly, which does not make them equal. Without any cost, algorithms stand by their mean score.

    Parameters
    ----------
    results : path, frame, Results, Ordering or Battles
        Whatever `tiebreak.as_results` reads is ordered first; an order, of scores or of votes, is shown as it is.
    name : str, optional
        The title of the board; by default the one data set, or the score.
    date : str, optional
        When the results are from, such as "2026-11-17". No clock is read: the same results give the same files.
    since : path or Previous, optional
        The `board.json` of an earlier build, to tell what changed; `Board.save` finds that of the folder by itself.
    score, cost, prior : optional
        As in `tiebreak.order`.
    missing_costs : optional
        As in `tiebreak.order`, but where some costs of an algorithm are unknown they count as the largest, so that
        hiding them gains nothing. An algorithm without any known cost is left out, and a caveat names it.
    **request : optional
        Further arguments of `tiebreak.order`, and how to read what is no Results yet.

    Returns
    -------
    Board
        Write it with `save("site")`.

    References
    ----------
    yildiz2006
    mogstad2024

    Examples
    --------
    >>> import tiebreak as tb
    >>> result = board(tb.published.ulas2012(), score="accuracy", cost="train_time")
    >>> result.tiers
    (('svr', 'svl'), ('lnp', 'mlp', '5nn', 'mdt', 'c45', 'sv2'))
    >>> result.entry("5nn").first_place, result.entry("5nn").last_place
    (3, 8)
    """
    also: list[Ordering] = []
    if isinstance(results, (Ordering, Battles)):
        result: Found = results
    else:
        given = {"score": score, "cost": cost, "prior": prior, "missing_costs": missing_costs}
        table, options = _table(results, given | request)
        result = order(table, **options)
        also = by_other_rules(table, options) if result.costs else []
    facts = facts_of(result)
    made = Board(
        name=name or _usual_name(result, facts),
        date=_checked_date(date),
        entries=_entries(result, facts),
        found=result,
        facts=facts,
        also=tuple(also),
        caveats=result.caveats,
    )
    made = with_profiles(made, results)
    return made if since is None else made.since(since)


def _table(results: Any, options: dict[str, Any]) -> tuple[Results, dict[str, Any]]:
    """Read what is no table yet; return what is left to ask of it."""
    reading = {key: value for key, value in options.items() if key in (*Reading.__annotations__, "scores")}
    rest = {key: value for key, value in options.items() if key not in reading}
    rest["score"] = one_name(rest["score"], reading.pop("scores", None))
    way = rest.get("higher_is_better") is not None
    costs = cost_and_trades(rest["cost"])[0]
    return taken(results, "order", reading, scores=rest["score"], costs=costs, directed=way), rest


_PROFILE = {
    "organisation": re.compile(r"organi[sz]ation|org|company|vendor|developer|lab", re.IGNORECASE),
    "link": re.compile(r"link|url|homepage|website|model[ _]?card", re.IGNORECASE),
}
_MOST_BYTES = 2**20
"""A larger file is no leaderboard with a row for each."""


def with_profiles(made: Board, source: Any) -> Board:
    """Add organisation and link from the columns of the file that are called so."""
    entries = made.entries
    if not isinstance(source, (str, Path)) or not Path(source).is_file() or Path(source).stat().st_size > _MOST_BYTES:
        return made
    try:
        columns, _ = load_columns(Path(source), score="score")
    except TiebreakError:
        return made  # no plain table
    wanted = {name: [k for k in columns if pattern.fullmatch(k.strip())][:1] for name, pattern in _PROFILE.items()}
    if not any(wanted.values()):
        return made
    cells = {name: _texts(column) for name, column in columns.items()}
    rows = next((cell for cell in cells.values() if {entry.algorithm for entry in entries} <= set(cell)), [])
    zips = {name: dict(zip(rows, cells[key[0]], strict=True)) for name, key in wanted.items() if rows and key}

    def told(name: str, algorithm: str) -> str:
        return zips.get(name, {}).get(algorithm, "")

    named = []
    for entry in entries:
        link = told("link", entry.algorithm)
        link = link if link.startswith(("https://", "http://")) else ""
        named.append(replace(entry, organisation=told("organisation", entry.algorithm), link=link))
    return replace(made, entries=tuple(named))


def _texts(column: Column) -> list[str]:
    """Return the cells of a column as texts."""
    names = column.coded()
    return ["" if code < 0 else str(names.names[code]).strip() for code in names.codes.tolist()]


def _usual_name(result: Found, facts: Facts) -> str:
    datasets = result.datasets if isinstance(result, Ordering) else ()
    return datasets[0] if len(datasets) == 1 else f"Leaderboard by {facts.score}"


def _checked_date(date: str | None) -> str:
    """Return a day, or a time with its zone, as it was written."""
    if date is None:
        return ""
    try:
        Day.fromisoformat(date) if len(date) == 10 else _with_zone(date)
    except ValueError:
        raise OptionError(
            f"{option(date=date)} is no date.", mend=f"Use {option(date='2026-11-17')}, or 2026-11-17T12:00:00Z."
        ) from None
    return date


def _with_zone(text: str) -> None:
    if datetime.fromisoformat(text).tzinfo is None or "T" not in text:
        raise ValueError


def _entries(result: Found, facts: Facts) -> tuple[BoardEntry, ...]:
    """Put together what is known of each, by places."""
    tiers, (first, last) = tiers_of(facts.better), place_ranges(facts.better)
    reasons, files, index = reasons_of(result), badge_names(facts.names), {n: i for i, n in enumerate(facts.names)}
    order = [index[name] for name in result.order]
    same = ("low", "high", "loss", "loss_low", "loss_high", "ratio", "worth")
    out = []
    for place, i in enumerate(order, start=1):
        name = facts.names[i]
        by, reason = reasons.get(name, ("", ""))
        numbers: dict[str, Any] = {field: known(getattr(facts, field)[i]) for field in same}
        out.append(
            BoardEntry(
                algorithm=name,
                place=place,
                tier=int(tiers[i]),
                first_place=int(first[i]),
                last_place=int(last[i]),
                score=known(facts.values[i]),
                cost=known(facts.paid[i]),
                **numbers,
                front=bool(facts.front[i]),
                by=by,
                reason=reason,
                badge=files[name],
                beats=tuple(facts.names[j] for j in order if facts.better[j, i]),
                beaten_by=tuple(facts.names[j] for j in order if facts.better[i, j]),
            )
        )
    return tuple(out)


def tiers_of(better: BoolArray) -> IntArray:
    """Return the tier of each algorithm, from 1, by what the tests decided.

    Tier 1 holds those that are not significantly worse than another; tier 2 those of whom that holds when tier 1 is
    taken away, and so on. Decisions of tests need not be transitive: where each of some is worse than another of
    them, in a ring, they share a tier.

    Formula: ``tier(i) = 1 + max(tier(j) : j significantly better than i)``, 1 where there is no such j; of rings the
    same with each ring as one.

    What it says: whoever stands in tier k is worse than one in tier k - 1, that one worse than one in tier k - 2, and
    so on; where the tests keep the chance of any false difference at alpha, all of that holds at once with probability
    1 - alpha. What it does not say: that those in one tier are equal, or that all of a tier are better than all of the
    next.

    Parameters
    ----------
    better : array of bool
        ``better[i, j]``: j is significantly better than i.

    Returns
    -------
    array of int

    References
    ----------
    mogstad2024

    Examples
    --------
    >>> better = np.zeros((4, 4), dtype=bool)
    >>> better[2, 0] = better[3, 2] = True  # the first beats the third, which beats the fourth; the second is open
    >>> tiers_of(better).tolist()
    [1, 1, 2, 3]
    """
    above = _closure(np.asarray(better, dtype=bool))
    ring = above & above.T
    worse = above & ~ring  # j is better than i, and not the other way round by a ring
    tiers = np.ones(len(above), dtype=np.intp)
    for i in np.argsort(worse.sum(axis=1), kind="stable"):  # whoever is above has fewer above itself
        if worse[i].any():
            tiers[i] = max(tiers[i], 1 + tiers[worse[i]].max())
    return tiers


def place_ranges(better: BoolArray) -> tuple[IntArray, IntArray]:
    """Return between which places by score each one lies, as far as the tests tell.

    Formula: from 1 + the number of significantly better ones, to the number of all less the significantly worse
    (Mogstad, Romano, Shaikh and Wilhelm 2024, the confidence sets for ranks that tests of all pairs give). Where the
    tests keep the chance of any false difference at alpha, all ranges hold at once with probability 1 - alpha.

    Parameters
    ----------
    better : array of bool
        ``better[i, j]``: j is significantly better than i.

    Returns
    -------
    low, high : array of int

    References
    ----------
    mogstad2024

    Examples
    --------
    >>> better = np.zeros((3, 3), dtype=bool)
    >>> better[2, 0] = True
    >>> [ends.tolist() for ends in place_ranges(better)]
    [[1, 1, 2], [2, 3, 3]]
    """
    decided = np.asarray(better, dtype=bool)
    return 1 + decided.sum(axis=1), len(decided) - decided.sum(axis=0)


def _closure(better: BoolArray) -> BoolArray:
    """Follow decisions over any number of steps (Warshall)."""
    reach: BoolArray = better.copy()
    for k in range(len(reach)):
        reach |= reach[:, k, None] & reach[None, k]
    return reach
