"""Power and replicability of tests over data sets, drawn as Demsar (2006) draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from math import lgamma, sqrt
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import numpy as np

from tiebreak import stats
from tiebreak._checks import FloatArray, check_alpha, readonly
from tiebreak.caveats import TABLES, Caveat, Caveats, distinct
from tiebreak.comparison import Comparison, compare
from tiebreak.comparison.gaps import check_left, check_policy, settled
from tiebreak.documents import Document, Row, Table, as_came_in
from tiebreak.documents.parts import table_of
from tiebreak.errors import InputError, OptionError, unknown_name
from tiebreak.readers.taking import one_score, taken
from tiebreak.results.metrics import Told
from tiebreak.stats.numeric.basics import (
    average_ranks,
    check_count,
    chi2_upper,
    f_upper,
    floor_pvalue,
    half_binomial_lower,
    mean_outcome,
    normal_two_sided,
    ratio,
    snap,
    squared_length,
)
from tiebreak.stats.numeric.studentized_range import range_upper
from tiebreak.stats.results import pair_indices
from tiebreak.studies.procedures import Key, adjusted_rows, signed_rank_pvalues
from tiebreak.studies.result import StudyResult
from tiebreak.wording import either, option

if TYPE_CHECKING:
    from tiebreak.figures import Figure

TWO, TOGETHER, PAIRS, CONTROL = "two algorithms", "all together", "all pairs", "control"
QUESTIONS = (TWO, TOGETHER, PAIRS, CONTROL)
CORRECTIONS, WITH_CONTROL = ("holm", "shaffer", "hochberg", "hommel"), ("holm", "hochberg", "hommel")
"""What follows tests of pairs; Shaffer's uses how pairs hang together, of which a control leaves nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """Tables of drawn data sets (draws, data sets, algorithms), lower the better, and their ranks within data sets.

    `first` and `second` are the pair in question; `first` is the control where there is one.
    """

    errors: FloatArray
    ranks: FloatArray
    first: int
    second: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """Draws, data sets, algorithms."""
        draws, n_datasets, count = self.errors.shape
        return draws, n_datasets, count


def drawn_pvalues(drawn: Drawn) -> dict[Key, FloatArray]:
    """Return by question and test the p-value of the pair, or of all algorithms together, in every draw."""
    if drawn.shape[2] == 2:
        return _two(drawn, signed_rank_pvalues(drawn.errors)[:, 0])
    a, b = pair_indices(drawn.shape[2])
    signed = signed_rank_pvalues(drawn.errors)
    low, high = sorted((drawn.first, drawn.second))
    place = int(np.flatnonzero((a == low) & (b == high))[0])
    return {
        **_two(drawn, signed[:, place]),
        **_together(drawn),
        **_after(drawn, signed, place),
        **_with_control(drawn, signed),
    }


def _two(drawn: Drawn, signed: FloatArray) -> dict[Key, FloatArray]:
    x, y = drawn.errors[:, :, drawn.first].T, drawn.errors[:, :, drawn.second].T
    ahead = drawn.ranks[:, :, drawn.second] - drawn.ranks[:, :, drawn.first]
    wins, losses = (ahead > 0).sum(axis=1), (ahead < 0).sum(axis=1)
    half = (drawn.shape[1] - wins - losses) // 2
    out = {
        (TWO, "paired t"): _mean_test(x, y),
        (TWO, "wilcoxon"): signed,
        (TWO, "sign"): floor_pvalue(
            2.0 * half_binomial_lower(np.minimum(wins, losses) + half, wins + losses + 2 * half)
        ),
    }
    if (drawn.errors > 0).all() or (drawn.errors < 0).all():
        middle = np.abs(x + y) / 2  # Demsar 2006, section 3.1.2: the difference over the mean of the two
        out[TWO, "paired t, relative"] = _mean_test(x / middle, y / middle)
    return out


def _mean_test(x: FloatArray, y: FloatArray) -> FloatArray:
    """P-values of paired t tests; data sets lie along the first axis."""
    return mean_outcome(x - y, squared_length(x) + squared_length(y), factor=1 / len(x)).pvalue


def _together(drawn: Drawn) -> dict[Key, FloatArray]:
    _, n_datasets, count = drawn.shape
    df = (count - 1, (count - 1) * (n_datasets - 1))
    means, error = _means_and_error(drawn.errors)
    between = n_datasets * np.square(means - means.mean(axis=1, keepdims=True)).sum(axis=1) / df[0]
    sums = drawn.ranks.sum(axis=1) - n_datasets * (count + 1) / 2
    spread = np.square(drawn.ranks - (count + 1) / 2).sum(axis=(1, 2))  # ties and all
    with np.errstate(divide="ignore", invalid="ignore"):
        chi2 = np.where(spread > 0, (count - 1) * np.square(sums).sum(axis=1) / spread, 0.0)
        f = (n_datasets - 1) * chi2 / np.maximum(n_datasets * (count - 1) - chi2, 0.0)
        anova = np.where(between > 0, between / error, 0.0)
    least = floor_pvalue(np.exp(-(n_datasets - 1) * lgamma(count + 1)))  # no table is less likely than agreement
    return {
        (TOGETHER, "rm-anova"): f_upper(anova, *df),
        (TOGETHER, "friedman F"): np.maximum(f_upper(f, *df), least),
        (TOGETHER, "friedman chi2"): np.maximum(chi2_upper(chi2, df[0]), least),
    }


def _after(drawn: Drawn, signed: FloatArray, place: int) -> dict[Key, FloatArray]:
    """Post hoc tests of all pairs: what each says of the pair in question."""
    _, n_datasets, count = drawn.shape
    z = _rank_z(drawn.ranks)
    p = normal_two_sided(z)
    t = _pooled_t(drawn)
    out = {
        (PAIRS, "nemenyi"): range_upper(sqrt(2) * np.abs(_rank_z(drawn.ranks, tie_correction=False)[:, place]), count),
        (PAIRS, "tukey"): stats.studentized_range_upper(sqrt(2) * t, k=count, df=(n_datasets - 1) * (count - 1)),
    }
    for name in CORRECTIONS:
        out[PAIRS, f"ranks z, {name}"] = adjusted_rows(name, p)[:, place]
        out[PAIRS, f"wilcoxon, {name}"] = adjusted_rows(name, signed)[:, place]
    return out


def _with_control(drawn: Drawn, signed: FloatArray) -> dict[Key, FloatArray]:
    """Tests against the first of the pair as control: what each says of the second."""
    _, n_datasets, count = drawn.shape
    a, b = pair_indices(count)
    ours = np.flatnonzero((a == drawn.first) | (b == drawn.first))
    others = np.where(a[ours] == drawn.first, b[ours], a[ours])
    place = int(np.flatnonzero(others == drawn.second)[0])
    p = normal_two_sided(_rank_z(drawn.ranks)[:, ours])
    published = normal_two_sided(_rank_z(drawn.ranks, tie_correction=False)[:, ours])
    t = _pooled_t(drawn)
    out = {
        (CONTROL, "bonferroni-dunn"): np.minimum((count - 1) * published[:, place], 1.0),
        (CONTROL, "dunnett"): stats.dunnett_upper(t, k=count, df=(n_datasets - 1) * (count - 1)),
    }
    for name in WITH_CONTROL:
        out[CONTROL, f"ranks z, {name}"] = adjusted_rows(name, p)[:, place]
        out[CONTROL, f"wilcoxon, {name}"] = adjusted_rows(name, signed[:, ours])[:, place]
    return out


def _rank_z(ranks: FloatArray, *, tie_correction: bool = True) -> FloatArray:
    """Differences of mean ranks over their standard error, which ties shrink if corrected for, (draws, pairs)."""
    draws, n_datasets, count = ranks.shape
    a, b = pair_indices(count)
    means = ranks.mean(axis=1)
    if tie_correction:
        spread = np.square(ranks - (count + 1) / 2).sum(axis=(1, 2))
    else:
        spread = np.full(draws, n_datasets * count * (count**2 - 1) / 12)
    return ratio(means[:, a] - means[:, b], (2 * spread / ((count - 1) * n_datasets**2))[:, None])


def _means_and_error(errors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Means of the algorithms, and the mean square of what neither they nor the data sets explain."""
    _, n_datasets, count = errors.shape
    means = errors.mean(axis=1)
    rest = errors - means[:, None, :] - errors.mean(axis=2, keepdims=True) + means.mean(axis=1)[:, None, None]
    return means, np.square(rest).sum(axis=(1, 2)) / ((n_datasets - 1) * (count - 1))


def _pooled_t(drawn: Drawn) -> FloatArray:
    """Size of the pair's difference of means over its standard error."""
    means, error = _means_and_error(drawn.errors)
    return np.abs(ratio(means[:, drawn.first] - means[:, drawn.second], 2 * error / drawn.shape[1]))


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
MOST_COLUMNS = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Replicability(StudyResult):
    """How often each test rejects, and how alike it decides, on data sets that were drawn over and over.

    `values` has the axes test, pair, bias and `MEASURES`: mean p-value, number of rejections, R(p) and R(e). A pair
    is (favoured, other).
    """

    STUDY = "replicability"
    SETTINGS = ("n_datasets", "drawn", "repeats", "alpha", "unit", "score", "biases")

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
            "by_pair": list(self._of_pairs()),
        }

    def _of_pairs(self) -> Iterator[Row]:
        for (question, name), block in zip(self.tests, self.values, strict=True):
            for (first, second), line in zip(self.pairs, block, strict=True):
                lists = {measure: line[:, place].tolist() for place, measure in enumerate(MEASURES)}
                yield {"question": question, "test": name, "favoured": first, "other": second, **lists}

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

    def figures(self) -> dict[str, Figure]:
        """Return a figure for each question that was asked, by its first word; two algorithms ask the first alone."""
        options = dict.fromkeys(question for question, _ in self.tests)
        return {SHORT[question]: self.figure(question=question) for question in options}

    def document(self) -> Document:
        """Return for each question the tests in the mean over biases, and their rejections at each bias."""
        tables = []
        for question in QUESTIONS:
            ranked = [row for row in self.ranking() if row["question"] == question]
            if ranked:
                tables += [self._over_biases(question, ranked), self._by_bias(question, [r["test"] for r in ranked])]
        papers = ("demsar2006", "bouckaert2004")
        return Document(title=self.title(), tables=tuple(tables), caveats=self.caveats, papers=papers)

    def _over_biases(self, question: str, ranked: list[Row]) -> Table:
        header = dict(zip(MEASURES, ("mean p", f"rejections of {self.repeats}", "R(p)", "R(e)"), strict=True))
        rows = [{"test": row["test"]} | {name: row[key] for key, name in header.items()} for row in ranked]
        return table_of(rows, f"{CAPTIONS[question]}, in the mean over biases")

    def _by_bias(self, question: str, names: list[object]) -> Table:
        """Show some of the biases where they are many; the figure and the rows have all."""
        count = min(MOST_COLUMNS, len(self.biases))
        shown = np.unique(np.linspace(0, len(self.biases) - 1, count).round().astype(int))
        lines = dict(zip(self.tests, self.means(), strict=True))
        digits = 0 if len(self.pairs) == 1 else 1
        body = tuple(
            (str(name), *(f"{lines[question, str(name)][place, 1]:.{digits}f}" for place in shown)) for name in names
        )
        header = ("test", *(f"k = {self.biases[place]:g}" for place in shown))
        return Table(caption=f"The same: rejections of {self.repeats}, by bias", header=header, body=body)


def never_rejects(count: int, drawn: int, alpha: float) -> list[Caveat]:
    """Say where signed ranks cannot reject whatever the scores: n signs have a smallest p-value of 2^(1 - n)."""
    least = 2.0 ** (1 - drawn)
    if least > alpha:
        text = (
            f"With {drawn} data sets the p-values of Wilcoxon's and the sign test are at least {least:.2g}: neither"
            f" can reject at {alpha:g}, whatever the scores. Draw at least {int(np.ceil(1 - np.log2(alpha)))}."
        )
        return [Caveat("least-pvalue", text)]
    out = []
    smallest = (("all pairs", count * (count - 1) // 2, "holm, shaffer"), ("a control", count - 1, "holm"))
    for what, tests, names in smallest:  # these multiply the smallest p-value by the number of all tests
        if count > 2 and tests * least > alpha:
            text = (
                f"With {drawn} data sets Wilcoxon's p-value is at least {least:.2g}; corrected for {tests} tests of"
                f" {what} ({names}) it can never reject, whatever the scores."
            )
            out.append(Caveat("least-pvalue", text))
    return out


def how_to_read(result: dict[str, Any], n_datasets: int) -> Caveats:
    """Say what bias and replicability mean, and that draws overlap."""
    drawn: int = result["drawn"]
    shared = drawn**2 / n_datasets
    unit = (
        "in shares of 1 (a percentage is divided by 100)" if result["unit"] == "share" else "in its standard deviations"
    )
    text = (
        f"A data set is drawn with a probability proportional to 1 / (1 + exp(-k d)), d being by how much the first of"
        f" the pair is better than the other, {unit}. Choosing data sets by their results is a simulation, not a way to"
        " compare.",
        "Rejections are of the two-sided test, whichever of the two is better; no post hoc test waits for the omnibus"
        " test. Against a control, the first of the pair is the control.",
        "R(p) is 1 less twice the variance of p, R(e) the share of pairs of draws that decide alike. A test that"
        " always or never rejects has R(e) = 1 as well: read it beside the rejections.",
    )
    overlap = (
        f"Without bias two draws of {drawn} from {n_datasets} data sets share {shared:.1f} in the mean, so p-values"
        " vary less than they would over new data sets, and less still as the bias grows."
    )
    return (*(Caveat("how-to-read", name) for name in text), Caveat("dependent-blocks", overlap))


VERB = "study"
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
    biases : sequence of float, optional
        Values of k. Of scores that are shares, such as accuracy, d is in shares of 1, as in the source, and the default
        is 0, 2, ..., 20; of others it is in standard deviations of d over the data sets: 0, 0.2, ..., 2.
    drawn : int, default 10
    repeats : int, default 1000
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
    >>> result = replicability(pair=("svl", "c45"), biases=[0, 20], repeats=50)
    >>> rejections = dict(zip(result.tests, result.means()[:, :, 1], strict=True))
    >>> rejections["two algorithms", "wilcoxon"][1] > rejections["two algorithms", "wilcoxon"][0]
    np.True_
    """
    level = check_alpha(alpha)
    check_count("repeats", repeats, least=2, usual=1000)
    check_count("jobs", jobs, usual=1)
    whole = _compared(results, score, missing, reading, higher_is_better=higher_is_better, scale=scale, alpha=level)
    check_drawn(drawn, len(whole.datasets))
    measured, size = _unit(whole)
    chosen = _biases(biases, measured)
    errors = snap(whole.compared)
    pairs = _pairs(errors, whole.algorithms, pair)
    names = whole.algorithms
    streams = np.random.default_rng(rng).spawn(len(pairs))
    shared: dict[str, Any] = {"biases": chosen, "drawn": int(drawn), "repeats": int(repeats), "alpha": level}
    works = [
        _Work(errors=errors, pair=both, gain=_gain(errors, both, size), rng=stream, **shared)
        for both, stream in zip(pairs, streams, strict=True)
    ]
    named = tuple((names[first], names[second]) for first, second in pairs)
    result = _run(works, int(jobs), named, progress or (lambda _: None))
    tests = tuple(sorted(result[0], key=lambda key: QUESTIONS.index(key[0])))
    options: dict[str, Any] = {"drawn": int(drawn), "unit": measured}
    notes = [*_of_the_table(whole), *never_rejects(len(names), drawn, level), *how_to_read(options, len(errors))]
    return Replicability(
        tests=tests,
        pairs=named,
        values=readonly(np.array([[record[key] for record in result] for key in tests])),
        n_datasets=len(errors),
        score=whole.score.name,
        caveats=distinct(notes),
        **(shared | options),
    )


def _compared(results: Any, score: str | None, missing: str, reading: dict[str, Any], **options: Any) -> Comparison:
    """Settle gaps and let `compare` put scores on one scale: the tests here are on what it would test."""
    if results is None:
        from tiebreak.readers import published

        results, score = published.ulas2012(), score or "accuracy"
    check_policy(missing, VERB)
    name = one_score(score, reading)  # type: ignore[arg-type]
    table = taken(results, VERB, reading, scores=name)
    remaining, notes = settled(table, table.only_score() if name is None else name, policy=missing, verb=VERB)
    check_left(remaining, dropped=remaining is not table, verb=VERB, least_sets=2)
    comparison = compare(remaining, score=name, posthoc="holm", **options)
    return replace(comparison, caveats=(*notes, *comparison.caveats))


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Work:
    """What one process needs to know of one pair."""

    errors: FloatArray
    pair: tuple[int, int]
    gain: FloatArray
    biases: tuple[float, ...]
    drawn: int
    repeats: int
    alpha: float
    rng: np.random.Generator


def _run(works: list[_Work], jobs: int, named: Sequence[tuple[str, str]], say: Say) -> list[dict[Key, FloatArray]]:
    """Each pair has a stream of its own, so that it does not matter where it is computed."""
    result = []
    if jobs == 1 or len(works) == 1:
        for work, both in zip(works, named, strict=True):
            result.append(_of_pair(work))
            say("{} against {}".format(*both))
        return result
    # a forked child of a process with threads may hang, hence fresh ones
    with ProcessPoolExecutor(min(jobs, len(works)), mp_context=get_context("spawn")) as pool:
        for record, both in zip(pool.map(_of_pair, works), named, strict=True):
            result.append(record)
            say("{} against {}".format(*both))
    return result


def _of_pair(work: _Work) -> dict[Key, FloatArray]:
    """Return the measures of every test, (biases, measures)."""
    ranks = average_ranks(work.errors)
    noise = work.rng.gumbel(size=(work.repeats, len(work.errors)))
    parts = []
    for bias in work.biases:
        rows = draws(work.gain, bias, noise, work.drawn)
        drawn = Drawn(errors=work.errors[rows], ranks=ranks[rows], first=work.pair[0], second=work.pair[1])
        parts.append(
            {key: measures(p, work.alpha) for key, p in drawn_pvalues(drawn).items()},
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
    number = count - rejected
    alike = (number * (number - 1) + rejected * (rejected - 1)) / (count * (count - 1))
    spread = float(np.var(pvalues, ddof=1))
    return np.array([pvalues.mean(), rejected, 1 - 2 * spread, alike])  # Demsar 2006, section 4.1.2; see MEASURES
