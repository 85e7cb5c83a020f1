"""Power and replicability of tests over data sets, drawn as Demsar (2006) draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product
from math import ceil, log2, sqrt
from multiprocessing import get_context
from typing import Any

import numpy as np

from tiebreak._checks import FloatArray, check_alpha, readonly
from tiebreak.caveats import TABLES, Caveat, Caveats, distinct
from tiebreak.comparison import Comparison, compare
from tiebreak.documents import Row, Table, as_came_in
from tiebreak.documents.parts import table_of
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.results.metrics import Told
from tiebreak.stats.numeric.basics import (
    average_ranks,
    check_count,
    f_upper,
    floor_pvalue,
    half_binomial_lower,
    mean_outcome,
    normal_two_sided,
    snap,
    squared_length,
)
from tiebreak.stats.numeric.studentized_range import range_upper
from tiebreak.stats.results import pair_indices
from tiebreak.studies.procedures import (
    Key,
    adjusted_rows,
    dunnett_pvalues,
    friedman_pvalues,
    means_and_error,
    pooled_t,
    rank_z,
    signed_rank_pvalues,
    tukey_pvalues,
)
from tiebreak.studies.result import StudyResult, complete_table
from tiebreak.wording import either, option

TWO, TOGETHER, PAIRS, CONTROL = "two algorithms", "all together", "all pairs", "control"
QUESTIONS = (TWO, TOGETHER, PAIRS, CONTROL)
CORRECTIONS, WITH_CONTROL = ("holm", "shaffer", "hochberg", "hommel"), ("holm", "hochberg", "hommel")
"""What follows tests of pairs; Shaffer's uses how pairs hang together, of which a control leaves nothing."""


def drawn_pvalues(errors: FloatArray, ranks: FloatArray, first: int, second: int) -> dict[Key, FloatArray]:
    """Return by question and test the p-value of the pair, or of all algorithms together, in every draw.

    Errors and their ranks within data sets are (draws, data sets, algorithms). `first` and `second` are the pair in
    question; `first` is the control where there is one.
    """
    a, b = pair_indices(errors.shape[2])
    signed = signed_rank_pvalues(errors)
    pair = int(np.flatnonzero((a == min(first, second)) & (b == max(first, second)))[0])
    out = _two(errors, ranks, first, second, signed[:, pair])
    if errors.shape[2] == 2:
        return out
    t, published = pooled_t(errors)[:, pair], rank_z(ranks, tie_correction=False)[:, pair]
    count = errors.shape[2]
    out |= _together(errors, ranks) | {
        (PAIRS, "nemenyi"): range_upper(sqrt(2) * np.abs(published), count),
        (PAIRS, "tukey"): tukey_pvalues(t, errors.shape),
        (CONTROL, "bonferroni-dunn"): np.minimum((count - 1) * normal_two_sided(published), 1.0),
        (CONTROL, "dunnett"): dunnett_pvalues(t, errors.shape),
    }
    tests = {"ranks z": normal_two_sided(rank_z(ranks)), "wilcoxon": signed}
    against = np.flatnonzero((a == first) | (b == first))
    for question, hypotheses, names in ((PAIRS, np.arange(len(a)), CORRECTIONS), (CONTROL, against, WITH_CONTROL)):
        place = int(np.flatnonzero(hypotheses == pair)[0])
        for name, (test, p) in product(names, tests.items()):
            out[question, f"{test}, {name}"] = adjusted_rows(name, p[:, hypotheses])[:, place]
    return out


def _two(errors: FloatArray, ranks: FloatArray, first: int, second: int, signed: FloatArray) -> dict[Key, FloatArray]:
    x, y = errors[:, :, first].T, errors[:, :, second].T
    ahead = ranks[:, :, second] - ranks[:, :, first]
    wins, losses = (ahead > 0).sum(axis=1), (ahead < 0).sum(axis=1)
    half = (errors.shape[1] - wins - losses) // 2
    signs = half_binomial_lower(np.minimum(wins, losses) + half, wins + losses + 2 * half)
    out = {(TWO, "paired t"): _mean_test(x, y), (TWO, "wilcoxon"): signed, (TWO, "sign"): floor_pvalue(2.0 * signs)}
    if (errors > 0).all() or (errors < 0).all():
        middle = np.abs(x + y) / 2  # Demsar 2006, section 3.1.2: the difference over the mean of the two
        out[TWO, "paired t, relative"] = _mean_test(x / middle, y / middle)
    return out


def _mean_test(x: FloatArray, y: FloatArray) -> FloatArray:
    """P-values of paired t tests; data sets lie along the first axis."""
    return mean_outcome(x - y, squared_length(x) + squared_length(y), factor=1 / len(x)).pvalue


def _together(errors: FloatArray, ranks: FloatArray) -> dict[Key, FloatArray]:
    _, n_datasets, count = errors.shape
    means, error = means_and_error(errors)
    between = n_datasets * np.square(means - means.mean(axis=1, keepdims=True)).sum(axis=1) / (count - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        anova = np.where(between > 0, between / error, 0.0)
    pvalues = {"rm-anova": f_upper(anova, count - 1, (count - 1) * (n_datasets - 1))} | friedman_pvalues(ranks)
    return {(TOGETHER, name): p for name, p in pvalues.items()}


MEASURES = ("mean_p", "rejections", "replicability_p", "replicability_e")
"""What is measured of every test at every bias; the last axis of `Replicability.values`."""

CAPTIONS = {
    TWO: "Two algorithms: tests of the pair alone",
    TOGETHER: "All algorithms together",
    PAIRS: "All pairs: the pair in the post hoc test",
    CONTROL: "With a control: the pair in the post hoc test",
}
SHORT = {TWO: "two", TOGETHER: "together", PAIRS: "pairs", CONTROL: "control"}
"""What each question is called where it is chosen and in the names of files."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Replicability(StudyResult):
    """How often each test rejects, and how alike it decides, on data sets that were drawn over and over.

    `values` has the axes test, pair, bias and `MEASURES`: mean p-value, number of rejections, R(p) and R(e). A pair
    is (favoured, other).
    """

    STUDY = "replicability"
    SETTINGS = ("n_datasets", "drawn", "repeats", "alpha", "unit", "score", "biases")
    PAPERS = ("demsar2006", "bouckaert2004")

    tests: tuple[Key, ...]
    biases: tuple[float, ...]
    pairs: tuple[tuple[str, str], ...]
    values: FloatArray
    n_datasets: int
    drawn: int
    repeats: int
    alpha: float
    unit: str
    score: str

    def title(self) -> str:
        """Say in one line what was done."""
        who = "{} against {}".format(*self.pairs[0]) if len(self.pairs) == 1 else f"{len(self.pairs)} pairs"
        return (
            f"Power and replicability, {who} by {self.score}: {self.drawn} of {self.n_datasets} data sets drawn"
            f" {self.repeats} times, alpha {self.alpha:g}"
        )

    def means(self) -> FloatArray:
        """Return the values in the mean over pairs: test, bias, measure."""
        return np.asarray(self.values.mean(axis=1))

    def rows(self) -> list[Row]:
        """Return one row per test and bias, in the mean over pairs."""
        return [
            {"question": question, "test": name, "bias": bias, **dict(zip(MEASURES, cell.tolist(), strict=True))}
            for (question, name), line in zip(self.tests, self.means(), strict=True)
            for bias, cell in zip(self.biases, line, strict=True)
        ]

    def measured(self) -> dict[str, Any]:
        """Return every curve, the tests by their rejections, and the numbers of each pair."""
        return {
            "pairs": [list(pair) for pair in self.pairs],
            "curves": self.rows(),
            "ranking": self.ranking(),
            "by_pair": [
                {"question": question, "test": name, "favoured": first, "other": second}
                | dict(zip(MEASURES, line.T.tolist(), strict=True))
                for (question, name), block in zip(self.tests, self.values, strict=True)
                for (first, second), line in zip(self.pairs, block, strict=True)
            ],
        }

    def ranking(self) -> list[Row]:
        """Return the tests of each question, most rejections first, each in the mean over biases and pairs."""
        over_all = self.means().mean(axis=1)
        out: list[Row] = []
        for question in QUESTIONS:
            places = [i for i, (text, _) in enumerate(self.tests) if text == question]
            for i in sorted(places, key=lambda i: (-over_all[i, 1], over_all[i, 0])):
                cells = dict(zip(MEASURES, over_all[i].tolist(), strict=True))
                out.append({"question": question, "test": self.tests[i][1], **cells})
        return out

    def tables(self) -> Iterator[Table]:
        """Return for each question the tests in the mean over biases."""
        header = dict(zip(MEASURES, ("mean p", f"rejections of {self.repeats}", "R(p)", "R(e)"), strict=True))
        for question in dict.fromkeys(question for question, _ in self.tests):
            ranked = [row for row in self.ranking() if row["question"] == question]
            rows = [{"test": row["test"]} | {name: row[key] for key, name in header.items()} for row in ranked]
            yield table_of(rows, f"{CAPTIONS[question]}, in the mean over biases")


def never_rejects(count: int, drawn: int, alpha: float) -> list[Caveat]:
    """Say where signed ranks cannot reject whatever the scores: n signs have a smallest p-value of 2^(1 - n)."""
    least, out = 2.0 ** (1 - drawn), []
    families = {"one pair": 1, "all pairs": count * (count - 1) // 2, "a control": count - 1}
    for what, tests in families.items():  # corrections multiply the smallest p-value by the number of tests
        if tests * least > alpha and (tests > 1 or what == "one pair"):
            text = (
                f"With {drawn} data sets Wilcoxon's p-value is at least {least:.2g}: corrected for {tests} test(s) of"
                f" {what} it can never reject at {alpha:g}, whatever the scores. That takes"
                f" {ceil(1 + log2(tests / alpha))} data sets."
            )
            out.append(Caveat("least-pvalue", text))
    return out


def how_to_read(drawn: int, unit: str, n_datasets: int) -> Caveats:
    """Say what bias and replicability mean, and that draws overlap."""
    units = "in shares of 1 (a percentage is divided by 100)" if unit == "share" else "in its standard deviations"
    text = (
        f"A data set is drawn with a probability proportional to 1 / (1 + exp(-k d)), d being by how much the first of"
        f" the pair is better than the other, {units}. Choosing data sets by their results is a simulation, not a way"
        " to compare.",
        "Rejections are of the two-sided test, whichever of the two is better; no post hoc test waits for the omnibus"
        " test. Against a control, the first of the pair is the control.",
        "R(p) is 1 less twice the variance of p, R(e) the share of pairs of draws that decide alike. A test that"
        " always or never rejects has R(e) = 1 as well: read it beside the rejections.",
    )
    overlap = (
        f"Without bias two draws of {drawn} from {n_datasets} data sets share {drawn**2 / n_datasets:.1f} in the mean,"
        " so p-values vary less than they would over new data sets, and less still as the bias grows."
    )
    return (*(Caveat("how-to-read", name) for name in text), Caveat("dependent-blocks", overlap))


ABOUT = ("gaps-", "scales-", "metrics-", "other-unit")
"""How the codes of caveats begin that are about gaps and scales."""
USUAL_BIASES = {"share": tuple(float(k) for k in range(0, 21, 2)), "deviation": tuple(k / 5 for k in range(11))}
"""How far the bias goes by default: to where Demsar's figures end, and to about the same in standard deviations."""
Say = Callable[[str], object]


@as_came_in
def replicability(
    results: Any = None,
    *,
    score: str | None = None,
    pair: Sequence[str] | None = None,
    biases: Sequence[float] | None = None,
    drawn: int = 10,
    repeats: int = 1000,
    alpha: float = 0.05,
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
        Any table that `tiebreak.compare` takes; data sets with gaps are left out. By default the published one of 38
        data sets and 8 algorithms.
    score : str, optional
        The score to compare; needed where there are several.
    pair : two names, optional
        The algorithm that the draw favours, which is the control too, and the other one. By default all pairs, each
        favouring the one with the better mean, and what is shown is their mean.
    biases : sequence of float, optional
        Values of k. Of scores that are shares, such as accuracy, d is in shares of 1, as in the source, and the default
        is 0, 2, ..., 20; of others it is in standard deviations of d over the data sets: 0, 0.2, ..., 2.
    drawn : int, default 10
    repeats : int, default 1000
    alpha : float, default 0.05
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
    >>> result = replicability(pair=("svl", "c45"), biases=[0, 20], repeats=50)
    >>> rejections = dict(zip(result.tests, result.means()[:, :, 1], strict=True))
    >>> rejections["two algorithms", "wilcoxon"][1] > rejections["two algorithms", "wilcoxon"][0]
    np.True_
    """
    level = check_alpha(alpha)
    check_count("repeats", repeats, least=2, usual=1000)
    check_count("jobs", jobs, usual=1)
    whole = _compared(results, score, reading, higher_is_better=higher_is_better, scale=scale, alpha=level)
    check_drawn(drawn, len(whole.datasets))
    unit, size = _unit(whole)
    chosen, errors, names = _biases(biases, unit), snap(whole.compared), whole.algorithms
    pairs = _pairs(errors, names, pair)
    measure = partial(_of_pair, errors, biases=chosen, drawn=int(drawn), repeats=int(repeats), alpha=level)
    works = (pairs, [_gain(errors, both, size) for both in pairs], np.random.default_rng(rng).spawn(len(pairs)))
    named = tuple((names[first], names[second]) for first, second in pairs)
    result = []
    with _mapper(min(int(jobs), len(pairs))) as mapped:  # each pair has a stream of its own, wherever it is computed
        for both, record in zip(named, mapped(measure, *works), strict=True):
            result.append(record)
            (progress or (lambda _: None))("{} against {}".format(*both))
    tests = tuple(sorted(result[0], key=lambda key: QUESTIONS.index(key[0])))
    table = [note for note in whole.caveats if note.code in TABLES or note.code.startswith(ABOUT)]
    notes = [*table, *never_rejects(len(names), drawn, level), *how_to_read(drawn, unit, len(errors))]
    return Replicability(
        tests=tests,
        pairs=named,
        values=readonly(np.array([[record[key] for record in result] for key in tests])),
        n_datasets=len(errors),
        score=whole.score.name,
        biases=chosen,
        drawn=int(drawn),
        repeats=int(repeats),
        alpha=level,
        unit=unit,
        caveats=distinct(notes),
    )


@contextmanager
def _mapper(jobs: int) -> Iterator[Callable[..., Iterable[Any]]]:
    """Yield `map`, or that of a pool; a forked child of a process with threads may hang, hence fresh processes."""
    if jobs == 1:
        yield map
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield pool.map


def _compared(results: Any, score: str | None, reading: dict[str, Any], **options: Any) -> Comparison:
    """Leave out gaps and let `compare` put scores on one scale: the tests here are on what it would test."""
    remaining, name, notes = complete_table(results, score, reading)
    comparison = compare(remaining, score=name, posthoc="holm", **options)
    return replace(comparison, caveats=(*notes, *comparison.caveats))


def check_drawn(drawn: int, available: int) -> None:
    """Refuse draws that leave nothing to chance."""
    check_count("drawn", drawn, least=3, usual=10)
    if drawn >= available:
        raise InputError(
            f"{drawn} data sets are to be drawn, and there are {available}.",
            why="Every draw would be the whole table.",
            mend=f"Use {option(drawn=max(3, available // 2))}, or a table with more data sets.",
        )


def _unit(whole: Comparison) -> tuple[str, float | None]:
    """Return what differences are measured in, and how large the unit is; None is their own deviation."""
    top = float(np.abs(whole.compared).max())
    if whole.score.is_share and whole.scale == "as they are" and top <= 100:
        return "share", 100.0 if top > 1 else 1.0
    return "deviation", None


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
    texts = [pair] if isinstance(pair, str) else list(pair)
    if len(texts) != 2 or texts[0] == texts[1]:
        raise OptionError(
            f"pair is {texts!r}.",
            why="It names the algorithm that is favoured and one other.",
            mend=f"Use {option(pair=[*names[:2]])}.",
        )
    for name in texts:
        if name not in names:
            raise unknown_name("algorithm (for the pair)", name, names)
    return [(names.index(texts[0]), names.index(texts[1]))]


def _gain(errors: FloatArray, pair: tuple[int, int], size: float | None) -> FloatArray:
    """By how much the first of the pair is better on each data set; equal differences have no deviation to share."""
    d = errors[:, pair[1]] - errors[:, pair[0]]
    return np.asarray(d / ((float(d.std(ddof=1)) or 1.0) if size is None else size))


def _of_pair(
    errors: FloatArray,
    pair: tuple[int, int],
    gain: FloatArray,
    rng: np.random.Generator,
    *,
    biases: Sequence[float],
    drawn: int,
    repeats: int,
    alpha: float,
) -> dict[Key, FloatArray]:
    """Return the measures of every test, (biases, measures)."""
    ranks = average_ranks(errors)
    noise = rng.gumbel(size=(repeats, len(errors)))
    parts = []
    for bias in biases:
        rows = draws(gain, bias, noise, drawn)
        parts.append({key: measures(p, alpha) for key, p in drawn_pvalues(errors[rows], ranks[rows], *pair).items()})
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
    number = count - rejected
    alike = (number * (number - 1) + rejected * (rejected - 1)) / (count * (count - 1))
    spread = float(np.var(pvalues, ddof=1))
    return np.array([pvalues.mean(), rejected, 1 - 2 * spread, alike])  # Demsar 2006, section 4.1.2; see MEASURES
