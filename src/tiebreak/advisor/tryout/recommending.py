"""`tiebreak.recommend`: an order of algorithms for new data in one call, tried out where there is time for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tiebreak.advisor import (
    Advisor,
    Knowledge,
    Recommendation,
    merge_knowledge,
    open_base,
    shipped_knowledge,
)
from tiebreak.advisor.rankings import accd_from
from tiebreak.caveats import distinct
from tiebreak.datasets import DataSet
from tiebreak.datasets.references import DataReference
from tiebreak.errors import OptionError
from tiebreak.wording import option

if TYPE_CHECKING:
    from tiebreak.advisor.tryout._piloted import PilotedRecommendation
    from tiebreak.advisor.tryout._tried_out import TriedOut

Base: TypeAlias = Knowledge | str | Path


def recommend(
    data: DataSet | DataReference | str | Path | Any = None,
    y: Sequence[object] | None = None,
    *,
    target: str | None = None,
    kind: str | None = None,
    drop: Sequence[str] | None = None,
    keep: Sequence[str] | str | None = None,
    known: str | None = None,
    base: Base | Sequence[Base] = (),
    trade: str | None = None,
    accd: float | None = None,
    method: str | None = None,
    neighbours: int | str | None = "auto",
    measures: str | Sequence[str] | None = None,
    exclude: str | Sequence[str] = (),
    algorithms: Sequence[str] | None = None,
    budget: str | float | None = None,
    pilot: str | float | None = None,
    variant: str | None = None,
    run: str | float | None = None,
    stop_below: float | None = None,
    jobs: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    **more: Any,
) -> Recommendation | PilotedRecommendation | TriedOut:
    """Recommend an order of algorithms for new data, from past results on similar data; with `run`, try it out.

    Parameters
    ----------
    data : path, frame or DataSet
        The new data; a path may be anything that a plan can name, such as "builtin:iris".
    y : sequence, optional
        The target, where `data` does not hold it.
    target, kind, drop, keep : optional
        The column to predict, what it is ("classes" or "number"), columns to leave out, and to keep.
    known : str, optional
        A known data set as if it were new, instead of `data`.
    base : Knowledge, address, or a sequence of them
        What to learn from, as `tiebreak.advisor.open_base` takes it; by default the base that ships.
    trade : str, optional
        Accuracy traded for time, in words: "1% for 10x".
    accd : float, optional
        The same as in the papers: 0.01.
    method, neighbours, measures, exclude, algorithms, budget : optional
        As in `Advisor.recommend`.
    pilot : str or float, optional
        Fit a few on the data for so long before answering: 5 s by default, 0 for past results alone; see
        `tiebreak.advisor.tryout.recommend`.
    variant : str, optional
        "2003" stands for the published procedure of Brazdil, Soares and Costa.
    run : str or float, optional
        Run the list on the data for so long, learning from each result; see `tiebreak.advisor.tryout.try_out`.
    stop_below, jobs, alpha, seed : optional
        Of `run`.
    **more : optional
        Further arguments of `Advisor.recommend`, and with `run` of `tiebreak.advisor.tryout.try_out`.

    Returns
    -------
    Recommendation, PilotedRecommendation or TriedOut

    Examples
    --------
    >>> import tiebreak as tb
    >>> tb.recommend(known="wine", method="mean-rank", algorithms=["svr", "c45"]).algorithms
    ('svr', 'c45')
    """
    if (data is None) == (known is None):
        raise OptionError(
            "No data were named." if data is None else "Data and a known data set were named.",
            why="A recommendation is for one data set.",
            mend=f"Give a file, such as data.csv, or {option(known=...)} for one of the known data sets.",
        )
    if run is not None and known is not None:
        raise OptionError(
            f"{option('run')} was given for the known data set {known!r}.",
            why="Algorithms are run on rows, and of a known data set only its measures and results are kept.",
            mend=f"Give the file of the data instead of {option('known')}.",
        )
    choices: dict[str, Any] = {"method": method, "neighbours": neighbours, "measures": measures, "exclude": exclude}
    choices |= {"algorithms": algorithms} | more
    if variant is not None:
        choices = _published(variant, choices)
        accd = choices.pop("accd", accd) if accd is None and trade is None else accd
        choices.pop("accd", None)
    if trade is not None and accd is not None:
        raise OptionError(
            f"{option('trade')} and {option('accd')} were both given.",
            why="They say the same.",
            mend="Leave one out.",
        )
    choices["accd"] = accd if trade is None else accd_from(trade)
    bases = [base] if isinstance(base, (Knowledge, str, Path)) else list(base)
    if known is not None:
        return Advisor(_knowledge(bases, kind, known)).recommend_known(known, **choices, **_planned(budget))
    about: dict[str, Any] = {"target": target, "kind": kind, "drop": drop, "keep": keep}
    about |= {name: choices.pop(name) for name in ("symbolic", "name") if name in choices}
    about = {name: value for name, value in about.items() if value is not None}
    reference = _reference(data, about)
    if reference is not None:
        data, about = reference.load(), {}
    what = data.kind if isinstance(data, DataSet) else kind
    if run is None:
        from tiebreak.advisor.tryout._recommend import recommend as piloted

        known_base = _knowledge(bases, what) if bases or what else None
        choices |= _planned(budget)
        return piloted(known_base, data, y, pilot=pilot, seed=seed, source=reference, **choices, **about)
    choices |= {} if stop_below is None else {"stop_below": stop_below}
    choices |= {"time": run, "jobs": jobs, "alpha": alpha, "seed": seed} | about
    return _tried(bases, data, y, what, reference, choices)


def _tried(
    bases: list[Base],
    data: Any,
    y: Sequence[object] | None,
    kind: str | None,
    reference: DataReference | None,
    choices: dict[str, Any],
) -> TriedOut:
    """Try the list out in the lab, which is loaded for this alone."""
    from tiebreak.advisor.tryout._beside import known_beside
    from tiebreak.advisor.tryout._try_out import try_out

    if not isinstance(data, DataSet):
        return try_out(_knowledge(bases, kind) if bases else None, data, y, **choices)
    alone = bases[0] if len(bases) == 1 and not isinstance(bases[0], Knowledge) and _is_store(bases[0]) else None
    learned, notes = known_beside(data, lambda: _knowledge(bases, kind), alone)
    choices = ({} if alone is None else {"store": alone}) | choices
    found = try_out(learned, data, source=reference, **choices)
    return replace(found, caveats=distinct((*notes, *found.caveats)))


def _published(variant: str, choices: dict[str, Any]) -> dict[str, Any]:
    """Fill in the options of a published procedure that were not given."""
    from tiebreak.advisor.worth.recipes import PUBLISHED

    if variant not in PUBLISHED:
        raise OptionError(
            f"{variant!r} is no published procedure.",
            mend=f"Use {option(variant=next(iter(PUBLISHED)))}, or leave it out.",
        )
    unset = {"neighbours": "auto", "scaling": "log", "times": "predicted"}
    published = PUBLISHED[variant]
    return choices | {name: published[name] for name in published if choices.get(name) in (None, unset.get(name))}


def _planned(budget: str | float | None) -> dict[str, Any]:
    return {} if budget is None else {"budget": budget}


def _is_store(address: str | Path) -> bool:
    text = str(address).lower()
    return "://" in text or text.endswith((".db", ".sqlite", ".sqlite3"))


def _knowledge(bases: Sequence[Base], kind: str | None, known: str = "") -> Knowledge:
    """Open every base; without any, the one that ships, of the kind of the target."""
    opened = [each if isinstance(each, Knowledge) else open_base(each, kind=kind) for each in bases]
    if not opened:
        number = kind is None and known in shipped_knowledge("number").datasets
        opened = [shipped_knowledge(kind or ("number" if number else "classes"))]
    return merge_knowledge(opened)


def _reference(data: Any, about: dict[str, Any]) -> DataReference | None:
    """A path goes through a reference, so that all that a plan can name can be named here."""
    if isinstance(data, DataReference):
        return data
    return DataReference.of({"source": str(data), **about}) if isinstance(data, (str, Path)) else None
