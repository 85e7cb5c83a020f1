"""The study of replicability: how often does a test reject, and would it decide alike on other data sets?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from multiprocessing import get_context
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, check_alpha, check_choice, readonly
from tiebreak.caveats import TABLES, Caveat, distinct
from tiebreak.comparison import Comparison, compare
from tiebreak.comparison.gaps import check_left, check_policy, settled
from tiebreak.documents import as_came_in
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.methods import choices
from tiebreak.readers.taking import one_score, taken
from tiebreak.results.metrics import Told
from tiebreak.stats.numeric.differences import check_count
from tiebreak.stats.numeric.ranks import average_ranks, snap
from tiebreak.studies._drawn_tests import QUESTIONS, Drawn, drawn_pvalues
from tiebreak.studies._procedures import Key
from tiebreak.studies._replicated import Replicability, how_to_read, never_rejects
from tiebreak.wording import either, option

VERB = "study"
ABOUT = ("gaps-", "scales-", "metrics-", "other-unit")
"""How the codes of caveats begin that are about gaps and scales."""
BY = ("pair", "others")
UNITS = ("auto", "share", "deviation")
USUAL_BIASES = {"share": tuple(float(k) for k in range(0, 21, 2)), "deviation": tuple(k / 5 for k in range(11))}
"""How far the bias goes by default: to where Demsar's figures end, and to about the same in standard deviations."""
USUAL_CORRECTIONS = ("holm", "shaffer", "hochberg", "hommel")
Say = Callable[[str], object]


@as_came_in
def replicability(
    results: Any = None,
    *,
    score: str | None = None,
    pair: Sequence[str] | None = None,
    by: str = "pair",
    biases: Sequence[float] | None = None,
    unit: str = "auto",
    drawn: int = 10,
    repeats: int = 1000,
    corrections: Sequence[str] = USUAL_CORRECTIONS,
    alpha: float = 0.05,
    missing: str = "refuse",
    higher_is_better: Told = None,
    scale: str = "auto",
    rng: int | np.random.Generator = 0,
    jobs: int = 1,
    progress: Say | None = None,
    **reading: Any,
) -> Replicability:
    """Measure on drawn data sets how often each test rejects, and how alike it decides.

    Hypothesis: of each test its own; here its p-values are collected.

    Formula: `drawn` data sets are drawn without replacement, one after the other, with a probability proportional to
    1 / (1 + exp(-k d_i)), where d_i is by how much one algorithm is better than another on data set i and k the bias.
    Over n = `repeats` draws, R(p) = 1 - 2 sum (p_i - mean p)^2 / (n - 1), and R(e) = (q (q - 1) + r (r - 1)) / (n
    (n - 1)) for r rejections and q = n - r: the share of pairs of draws that decide alike. The same random numbers
    serve every bias, so that curves differ by the bias alone.

    Assumptions: the table holds what there is to draw from. Draws share data sets, so that replicability over new
    data sets is lower.

    When not to use it: to choose the test that rejects what one hopes for. A test that rejects more often is better
    only if it keeps its error, which `error_rates` measures.

    Parameters
    ----------
    results : optional
        Any table that `tiebreak.compare` takes. By default the published one of 38 data sets and 8 algorithms.
    score : str, optional
        The score to compare; needed where there are several.
    pair : two names, optional
        The algorithm that the draw favours, which is the control too, and the other one. By default all pairs, each
        favouring the one with the better mean, and what is shown is their mean.
    by : {"pair", "others"}
        Whether d is the difference of the pair, or of its first and the mean of all others.
    biases : sequence of float, optional
        Values of k. By default 0, 2, ..., 20 for shares, and 0, 0.2, ..., 2 for standard deviations.
    unit : {"auto", "share", "deviation"}
        What d is measured in: shares of 1, as in the source, percentages being divided by 100; or standard deviations
        of the differences over the data sets. "auto" is "share" for scores that are shares, such as accuracy.
    drawn : int, default 10
    repeats : int, default 1000
    corrections : sequence of str
        Which follow the tests of pairs, on mean ranks and on the pair's own signed ranks.
    alpha : float, default 0.05
    missing : str, default "refuse"
        What to do about gaps: refuse, drop-datasets, drop-algorithms or drop-folds.
    higher_is_better, scale
        As in `tiebreak.compare`.
    rng : int or numpy.random.Generator, default 0
    jobs : int, default 1
        Processes among which pairs are shared out; numbers do not depend on it.
    progress : callable, optional
        Called with a line of text after each pair.
    **reading : optional
        How to read what is no Results yet; see `tiebreak.compare`.

    Returns
    -------
    Replicability

    References
    ----------
    demsar2006, section 4
    bouckaert2004

    Examples
    --------
    >>> found = replicability(pair=("svl", "c45"), biases=[0, 20], repeats=50)
    >>> rejections = dict(zip(found.tests, found.means()[:, :, 1], strict=True))
    >>> rejections["two algorithms", "wilcoxon"][1] > rejections["two algorithms", "wilcoxon"][0]
    np.True_
    """
    level = check_alpha(alpha)
    check_choice("by", by, BY)
    check_choice("unit", unit, UNITS)
    asked = [check_choice("correction", name, choices("correction")) for name in corrections]
    check_count("repeats", repeats, least=2, usual=1000)
    check_count("jobs", jobs, usual=1)
    whole = _compared(results, score, missing, reading, higher_is_better=higher_is_better, scale=scale, alpha=level)
    check_drawn(drawn, len(whole.datasets))
    measured, size = _unit(whole, unit)
    chosen = _biases(biases, measured)
    errors = snap(whole.compared)
    pairs = _pairs(errors, whole.algorithms, pair)
    names = whole.algorithms
    streams = np.random.default_rng(rng).spawn(len(pairs))
    shared: dict[str, Any] = {"biases": chosen, "drawn": int(drawn), "repeats": int(repeats), "alpha": level}
    works = [
        _Work(errors=errors, pair=both, gain=gain, corrections=tuple(asked), rng=stream, **shared)
        for both, stream in zip(pairs, streams, strict=True)
        for gain in (_gain(errors, both, by=by, size=size),)
    ]
    named = tuple((names[first], names[second]) for first, second in pairs)
    found = _run(works, int(jobs), named, progress or (lambda _: None))
    tests = tuple(sorted(found[0], key=lambda key: QUESTIONS.index(key[0])))
    told: dict[str, Any] = {"drawn": int(drawn), "by": by, "unit": measured}
    notes = [*_of_the_table(whole), *never_rejects(len(names), drawn, asked, level), *how_to_read(told, len(errors))]
    return Replicability(
        tests=tests,
        pairs=named,
        values=readonly(np.array([[each[key] for each in found] for key in tests])),
        n_datasets=len(errors),
        score=whole.score.name,
        caveats=distinct(notes),
        **(shared | told),
    )


def _compared(results: Any, score: str | None, missing: str, reading: dict[str, Any], **told: Any) -> Comparison:
    """Settle gaps and let `compare` put scores on one scale: the tests here are on what it would test."""
    if results is None:
        from tiebreak.readers import published

        results, score = published.ulas2012(), score or "accuracy"
    check_policy(missing, VERB)
    name = one_score(score, reading)  # type: ignore[arg-type]
    table = taken(results, VERB, reading, scores=name)
    kept, notes = settled(table, table.only_score() if name is None else name, policy=missing, verb=VERB)
    check_left(kept, dropped=kept is not table, verb=VERB, least_sets=2)
    found = compare(kept, score=name, posthoc="holm", **told)
    return replace(found, caveats=(*notes, *found.caveats))


def _of_the_table(whole: Comparison) -> list[Caveat]:
    """Return what a comparison says of its table and of the scale, not what it says of its own tests."""
    return [note for note in whole.caveats if note.code in TABLES or note.code.startswith(ABOUT)]


def check_drawn(drawn: int, available: int) -> None:
    """Refuse draws that leave nothing to chance."""
    check_count("drawn", drawn, least=3, usual=10)
    if drawn >= available:
        raise InputError(
            f"{drawn} data sets are to be drawn, and there are {available}.",
            why="Every draw would be the whole table.",
            mend=f"Use {option(drawn=max(3, available // 2))}, or a table with more data sets.",
        )


def _unit(whole: Comparison, unit: str) -> tuple[str, float | None]:
    """Return what differences are measured in, and how large the unit is; None is their own deviation."""
    top = float(np.abs(whole.compared).max())
    shares = whole.score.is_share and whole.scale == "as they are" and top <= 100
    if unit == "deviation" or (unit == "auto" and not shares):
        return "deviation", None
    if not shares and top > 1:
        raise OptionError(
            f"unit is 'share', and {whole.score.name!r} is none: it reaches {top:g}.",
            why="The bias is per unit of the score, which would say nothing here.",
            mend=f"Use {option(unit='deviation')}.",
        )
    return "share", 100.0 if top > 1 else 1.0


def _biases(biases: Sequence[float] | None, unit: str) -> tuple[float, ...]:
    chosen = USUAL_BIASES[unit] if biases is None else tuple(float(k) for k in biases)
    if not chosen or not np.isfinite(chosen).all():
        raise OptionError(
            f"biases is {list(biases or ())!r}.",
            why="The study needs at least one finite value of k.",
            mend=f"Use {either('biases=[0, 5, 10, 15, 20]', '--bias 0,5,10,15,20')}.",
        )
    return tuple(sorted(set(chosen)))


def _pairs(errors: FloatArray, names: tuple[str, ...], pair: Sequence[str] | None) -> list[tuple[int, int]]:
    """Return the pairs as columns, the favoured one first."""
    if pair is None:
        means = errors.mean(axis=0)
        return [(i, j) if means[i] <= means[j] else (j, i) for i, j in combinations(range(len(names)), 2)]
    told = [pair] if isinstance(pair, str) else list(pair)
    if len(told) != 2 or told[0] == told[1]:
        raise OptionError(
            f"pair is {told!r}.",
            why="It names the algorithm that is favoured and one other.",
            mend=f"Use {option(pair=[*names[:2]])}.",
        )
    for name in told:
        if name not in names:
            raise unknown_name("algorithm (for the pair)", name, names)
    return [(names.index(told[0]), names.index(told[1]))]


def _gain(errors: FloatArray, pair: tuple[int, int], *, by: str, size: float | None) -> FloatArray:
    """By how much the first of the pair is better on each data set; equal differences have no deviation to share."""
    first, second = pair
    other = errors[:, second] if by == "pair" else np.delete(errors, first, axis=1).mean(axis=1)
    d = other - errors[:, first]
    unit = (float(d.std(ddof=1)) or 1.0) if size is None else size
    return np.asarray(d / unit)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Work:
    """What one process needs to know of one pair."""

    errors: FloatArray
    pair: tuple[int, int]
    gain: FloatArray
    biases: tuple[float, ...]
    drawn: int
    repeats: int
    corrections: tuple[str, ...]
    alpha: float
    rng: np.random.Generator


def _run(works: list[_Work], jobs: int, named: Sequence[tuple[str, str]], say: Say) -> list[dict[Key, FloatArray]]:
    """Each pair has a stream of its own, so that it does not matter where it is computed."""
    found = []
    if jobs == 1 or len(works) == 1:
        for work, both in zip(works, named, strict=True):
            found.append(_of_pair(work))
            say("{} against {}".format(*both))
        return found
    # a forked child of a process with threads may hang, hence fresh ones
    with ProcessPoolExecutor(min(jobs, len(works)), mp_context=get_context("spawn")) as pool:
        for each, both in zip(pool.map(_of_pair, works), named, strict=True):
            found.append(each)
            say("{} against {}".format(*both))
    return found


def _of_pair(work: _Work) -> dict[Key, FloatArray]:
    """Return the measures of every test, (biases, measures)."""
    ranks = average_ranks(work.errors)
    noise = work.rng.gumbel(size=(work.repeats, len(work.errors)))
    parts = []
    for bias in work.biases:
        rows = draws(work.gain, bias, noise, work.drawn)
        drawn = Drawn(errors=work.errors[rows], ranks=ranks[rows], first=work.pair[0], second=work.pair[1])
        parts.append(
            {key: measures(p, work.alpha) for key, p in drawn_pvalues(drawn, work.corrections).items()},
        )
    return {key: np.array([part[key] for part in parts]) for key in parts[0]}


def draws(gain: FloatArray, bias: float, noise: FloatArray, count: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Draw data sets without replacement: those with the largest log weight plus Gumbel noise.

    That is the same as drawing one after the other with probabilities proportional to the weights of those left.
    """
    keys = -np.logaddexp(0.0, -bias * gain) + noise
    return np.asarray(np.argpartition(-keys, count - 1, axis=1)[:, :count])


def measures(pvalues: FloatArray, alpha: float) -> FloatArray:
    """Return mean p, rejections, R(p) and R(e) of the p-values of all draws."""
    count, rejected = len(pvalues), int((pvalues <= alpha).sum())
    kept = count - rejected
    alike = (kept * (kept - 1) + rejected * (rejected - 1)) / (count * (count - 1))
    spread = float(np.var(pvalues, ddof=1))
    return np.array([pvalues.mean(), rejected, 1 - 2 * spread, alike])  # Demsar 2006, section 4.1.2; see MEASURES
