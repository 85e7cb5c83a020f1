"""Error rates and power of the procedures under known truths, by simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from scipy import special

from tiebreak._checks import BoolArray, check_alpha, check_choice, check_within
from tiebreak.caveats import Caveat, Caveats
from tiebreak.documents import Document, Framed, Row, Table, number
from tiebreak.errors import OptionError
from tiebreak.stats.numeric.basics import check_count
from tiebreak.studies.procedures import (
    FIRST_NOISES,
    NOISES,
    OMNIBUS,
    TRUTHS,
    Experiment,
    Key,
    differing,
    draw_tables,
    promised,
    rejections,
    with_gaps,
)
from tiebreak.studies.resampling import MODELS, ONE, OTHERS
from tiebreak.studies.result import StudyResult
from tiebreak.studies.special_procedures import (
    DEFAULT,
    FORMER,
    ITEMS,
    LARGER,
    LOOKS,
    MARGINS,
    SCALES,
    WIN_COUNTS,
    WITH_CONTROL,
    default_rejections,
)
from tiebreak.wording import either

SECTIONS = {
    "The default and the former one": tuple(
        f"{rule}{control}" for rule in (DEFAULT, FORMER) for control in ("", WITH_CONTROL)
    ),
    "Over data sets": ("all pairs", "control", "omnibus", "intervals", "premises"),
    "One data set": (ONE,),
}
"""Questions that share tables; every other one has tables of its own."""
MEASURED = (
    ("error where all null hypotheses are true", "null", "error"),
    ("error where some null hypotheses are true", "partial", "error"),
    ("share of false discoveries where some null hypotheses are true", "partial", "fdr"),
    ("share of the real differences found where some null hypotheses are true", "partial", "found"),
    ("share of the real differences found where no null hypothesis is true", "different", "found"),
)
"""What is printed of every question: its caption, truth and measure."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rate(Framed):
    """What one procedure did in one setting.

    `error` is the share of repetitions with a rejected true hypothesis (the family-wise error), `low` and `high` its
    confidence interval, `fdr` the mean share of true hypotheses among the rejected, `found` the mean share of false
    hypotheses that are rejected, `found_any` and `found_all` the shares of repetitions in which some or all of them
    are. What the setting does not define is None. `promised` says whether the error is meant to be at most alpha.
    """

    question: str
    procedure: str
    noise: str
    truth: str
    promised: bool
    error: float | None
    low: float | None
    high: float | None
    fdr: float | None
    found: float | None
    found_any: float | None
    found_all: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ErrorRates(StudyResult):
    """What the study of error rates found; `rates` has one entry per procedure, noise and truth."""

    STUDY = "error-rates"
    SETTINGS = ("n_datasets", "n_algorithms", "repetitions", "alpha", "confidence")

    rates: tuple[Rate, ...]
    n_datasets: int
    n_algorithms: int
    repetitions: int
    alpha: float
    confidence: float

    def title(self) -> str:
        """Say in one line what was simulated."""
        return (
            f"Error rates at alpha {self.alpha:g}: {self.n_algorithms} algorithms on {self.n_datasets} data sets,"
            f" {self.repetitions} repetitions"
        )

    def rows(self) -> list[Row]:
        """Return one row per procedure, noise and truth."""
        return [row for rate in self.rates for row in rate.rows()]

    def broken(self) -> list[Rate]:
        """Return the rates that break a promise: the whole confidence interval lies above alpha."""
        return [rate for rate in self.rates if rate.promised and rate.low is not None and rate.low > self.alpha]

    def measured(self) -> dict[str, Any]:
        """Return every rate."""
        return {"rates": self.rows()}

    def document(self) -> Document:
        """Return the tables, each with its heading."""
        return Document(title=self.title(), tables=self.tables(), caveats=self.caveats)

    def tables(self) -> tuple[Table, ...]:
        """Return a table per truth and measure, procedures down and settings across."""
        named = {question for questions in SECTIONS.values() for question in questions}
        others = dict.fromkeys(rate.question for rate in self.rates if rate.question not in named)
        sections = SECTIONS | {f"{name[0].upper()}{name[1:]}": (name,) for name in others}
        made = []
        for section, questions in sections.items():
            for caption, truth, measure in MEASURED:
                rates = [rate for rate in self.rates if rate.truth == truth and rate.question in questions]
                header, body = _pivot(rates, measure, self.alpha)
                if body:
                    caption = f"{section}: {caption}"
                    made.append(Table(caption=caption, header=tuple(header), body=tuple(map(tuple, body)), left=2))
        return tuple(made)


def rate(
    rejected: BoolArray, real: BoolArray, *, confidence: float, promised: bool, labels: tuple[str, str, str, str]
) -> Rate:
    """Summarise (repetitions, hypotheses) of rejections; `real` marks the false hypotheses, the real differences."""
    question, procedure, noise, truth = labels
    wrong, right = rejected[:, ~real], rejected[:, real]
    errors, n = int(wrong.any(axis=1).sum()), len(rejected)
    low, high = interval(errors, n, confidence=confidence)
    share = wrong.sum(axis=1) / np.maximum(rejected.sum(axis=1), 1)
    has_true, has_real = not real.all(), bool(real.any())
    return Rate(
        question=question,
        procedure=procedure,
        noise=noise,
        truth=truth,
        promised=promised,
        error=errors / n if has_true else None,
        low=low if has_true else None,
        high=high if has_true else None,
        fdr=float(share.mean()) if has_true and has_real else None,
        found=float(right.mean()) if has_real else None,
        found_any=float(right.any(axis=1).mean()) if has_real else None,
        found_all=float(right.all(axis=1).mean()) if has_real else None,
    )


def interval(count: int, total: int, *, confidence: float) -> tuple[float, float]:
    """Return Clopper and Pearson's interval of a proportion (clopper1934).

    Examples
    --------
    >>> low, high = interval(5, 100, confidence=0.95)
    >>> round(low, 4), round(high, 4)
    (0.0164, 0.1128)
    """
    tail = (1 - confidence) / 2
    low = 0.0 if count == 0 else float(special.betaincinv(count, total - count + 1, tail))
    high = 1.0 if count == total else float(special.betaincinv(count + 1, total - count, 1 - tail))
    return low, high


def _pivot(rates: list[Rate], measure: str, alpha: float) -> tuple[list[str], list[list[str]]]:
    """Procedures down, settings across."""
    shown = [rate for rate in rates if getattr(rate, measure) is not None]
    noises = list(dict.fromkeys(rate.noise for rate in shown))
    cells = {(rate.question, rate.procedure, rate.noise): _cell(rate, measure, alpha) for rate in shown}
    keys = list(dict.fromkeys((rate.question, rate.procedure) for rate in shown))
    body = [[*key, *(cells.get((*key, noise), "-") for noise in noises)] for key in keys]
    return ["question", "procedure", *noises], body


def _cell(rate: Rate, measure: str, alpha: float) -> str:
    """Write a number; an error without a promise in brackets, one that is surely above alpha with a star."""
    text = f"{getattr(rate, measure):.3f}"
    if measure != "error":
        return text
    star = "*" if rate.low is not None and rate.low > alpha else ""
    return text + star if rate.promised else f"({text}{star})"


def settings_caveats(repetitions: int, confidence: float) -> Caveats:
    """Say how the tables are to be read."""
    low, high = interval(repetitions // 20, repetitions, confidence=confidence)
    text = (
        f"A star marks an error whose whole {number(confidence * 100)} % confidence interval lies above alpha. The"
        f" interval of a rate of 0.05 is {low:.3f} to {high:.3f}.",
        "Brackets mark an error that the procedure does not promise to keep in that setting.",
        "Every number holds for the simulated settings, not for all settings.",
    )
    return tuple(Caveat("how-to-read", name) for name in text)


BLOCK = 100
"""Repetitions that share a stream of random numbers; a run of more repetitions begins with those of a shorter one."""

FURTHER = (OTHERS, LARGER, MARGINS, SCALES, LOOKS, WIN_COUNTS, ITEMS)
"""Experiments that only some procedures are made for. More are appended, which changes no number of those before."""

FIRST_FURTHER = 3
"""So many of their first settings have their streams of random numbers beside those of the first noises."""

Say = Callable[[str], object]


def error_rates(
    *,
    n_datasets: int = 30,
    n_algorithms: int = 6,
    repetitions: int = 2000,
    alpha: float = 0.05,
    noises: Sequence[str] | None = None,
    confidence: float = 0.99,
    rng: int | np.random.Generator = 0,
    progress: Say | None = None,
) -> ErrorRates:
    """Measure by simulation the family-wise error and the power of every procedure of `tiebreak.stats`.

    Hypothesis: for procedures that promise it, that the chance of rejecting any true hypothesis is at most alpha.

    Formula: scores are an effect of the algorithm plus noise. In the truth "null" all effects are 0; in "partial" those
    of the first half of the algorithms (at least two) are 0 and the others rise in equal steps to 1.5 standard
    deviations of the noise; in "different" all rise in equal steps from 0 to 0.75. What all algorithms share on a data
    set touches no procedure and is left out. The share of repetitions in which a true hypothesis is rejected estimates
    the error, with Clopper and Pearson's interval. The control is the first algorithm.

    The noises: "normal"; "skewed", exponential; "heavy", t with 3 degrees of freedom; "tied", normal with scores
    rounded to whole standard deviations; "unequal", normal with three times the standard deviation for the first two
    algorithms; "crowd", normal with the first two 4 standard deviations to either side of all others, a coin telling
    on every data set which of them is above; "0/1", wrong (1) where effect, normal noise and a normal difficulty that
    all share exceed 1. For the Skillings-Mack test every second data set, at random, loses one score at random.

    The default of `compare` and `order` (signed ranks of each pair, corrected by Bergmann and Hommel or, against a
    control, Holm) stands beside the former one (z tests on mean ranks if Friedman's test rejects), also on 500 items
    of four models and on 300 data sets of eight algorithms. "Good enough": five candidates against a reference on 30
    data sets by `tiebreak.stats.non_inferiority_pairs` with a margin of half a standard deviation (on 500 items a fifth
    of one); in "null" all are worse by exactly the margin, in "partial" two of them, the others not at all.

    Items: four models on 300 items, right or wrong, alone ("items, 0/1"), in 40 clusters of 1 to 30 items with an
    effect of their own on every model ("items in clusters"), with three answers to each ("items, repeated answers"), or
    of three benchmarks of 200, 70 and 30 ("items of 3 benchmarks"); and four models by totals of 225 items each.

    One data set, two learners: in "independent folds" the fold differences are independent and normal; in "correlated
    folds" any two are correlated by the share of examples in the test part (Nadeau and Bengio's model: 0.1 for ten
    folds, 0.5 for two); in "nearest means" two classifiers that see 10 features each, equally informative, are really
    cross-validated on 200 examples, training on the rest and predicting by the nearer class mean; in "given
    classifiers" they are fixed beforehand. In the truth "different" the second one is better.

    Assumptions: those of the simulated settings; no number here speaks of another one.
    When not to use it: to plan an experiment (use `tiebreak.stats.datasets_needed`).

    Parameters
    ----------
    n_datasets : int, default 30
        At least 10.
    n_algorithms : int, default 6
        From 3 to 14, where Bergmann and Hommel's correction ends for p-values of any origin.
    repetitions : int, default 2000
    alpha : float, default 0.05
    noises : sequence of str, optional
        Some of "normal", "skewed", "heavy", "tied", "unequal", "crowd", "0/1"; all by default. The numbers of one noise
        do not depend on which others are asked for.
    confidence : float, default 0.99
        Of the intervals of the errors.
    rng : int or numpy.random.Generator, default 0
    progress : callable, optional
        Called with a line of text before each setting.

    Returns
    -------
    ErrorRates

    References
    ----------
    clopper1934
    benavoli2016
    nadeau2003
    dietterich1998

    Examples
    --------
    >>> result = error_rates(n_datasets=20, n_algorithms=4, repetitions=10, noises=["normal"])
    >>> rates = {r.procedure: r for r in result.rates if r.question == "all pairs" and r.truth == "different"}
    >>> rates["wilcoxon, shaffer"].found >= rates["wilcoxon, holm"].found
    True
    """
    shape = (check_count("n_datasets", n_datasets, least=10, usual=30), _check_algorithms(n_algorithms))
    check_count("repetitions", repetitions, usual=2000)
    level = check_alpha(alpha)
    certainty = check_within("confidence", confidence, 0.0, 1.0, mend="Use confidence=0.99.")
    chosen = list(NOISES) if noises is None else [check_choice("noise", noise, NOISES) for noise in noises]
    say = progress or (lambda _: None)
    rates: list[Rate] = []
    for experiment, name, truth, stream in _streams(over_datasets(shape), np.random.default_rng(rng)):
        if name not in NOISES or name in chosen:
            say(f"{name}, {truth}")
            rates += rates_of(experiment, name, truth, repetitions, stream, alpha=level, confidence=certainty)
    return ErrorRates(
        rates=tuple(rates),
        n_datasets=shape[0],
        n_algorithms=shape[1],
        repetitions=int(repetitions),
        alpha=level,
        confidence=certainty,
        caveats=settings_caveats(int(repetitions), certainty),
    )


def _streams(
    tables: Experiment, root: np.random.Generator
) -> Iterator[tuple[Experiment, str, str, np.random.Generator]]:
    """Yield every setting with a stream of random numbers of its own.

    Streams are numbered, so the order here keeps the numbers of old settings as they were: what was there first, then
    one stream per group of settings that came later.
    """
    early = len(FIRST_NOISES) * len(TRUTHS)
    first = iter(root.spawn(early + len(MODELS.settings) + FIRST_FURTHER))
    added, *groups = root.spawn(1 + len(FURTHER))
    of_tables = [*islice(first, early), *added.spawn(len(tables.settings) - early)]
    of_models = list(islice(first, len(MODELS.settings)))
    yield from ((tables, *setting, stream) for setting, stream in zip(tables.settings, of_tables, strict=True))
    for experiment, group in zip(FURTHER, groups, strict=True):
        for setting in experiment.settings:
            yield experiment, *setting, next(first, None) or group.spawn(1)[0]
    yield from ((MODELS, *setting, stream) for setting, stream in zip(MODELS.settings, of_models, strict=True))


def over_datasets(shape: tuple[int, int]) -> Experiment:
    """Return the experiment with tables of so many data sets and algorithms, on which most procedures are tried."""

    def all_rejections(
        noise: str, truth: str, size: int, rng: np.random.Generator, *, alpha: float
    ) -> dict[Key, BoolArray]:
        tables = draw_tables(noise, truth, (size, *shape), rng)
        result = rejections(tables, with_gaps(tables, rng), alpha=alpha)
        return result | default_rejections(tables, result[OMNIBUS, "friedman F"], alpha=alpha)

    settings = tuple((noise, truth) for noise in NOISES for truth in TRUTHS)
    return Experiment(settings, all_rejections, differing(shape[1]))


def in_blocks(
    experiment: Experiment, name: str, truth: str, repetitions: int, rng: np.random.Generator, *, alpha: float
) -> dict[Key, BoolArray]:
    """Blocks bound the memory; each has a stream of its own, so that none depends on what another drew."""
    sizes = [min(BLOCK, repetitions - start) for start in range(0, repetitions, BLOCK)]
    streams = zip(sizes, rng.spawn(len(sizes)), strict=True)
    parts = [experiment.rejections(name, truth, size, stream, alpha=alpha) for size, stream in streams]
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


def rates_of(
    experiment: Experiment,
    name: str,
    truth: str,
    repetitions: int,
    rng: np.random.Generator,
    *,
    alpha: float,
    confidence: float,
) -> list[Rate]:
    """Measure every procedure of an experiment in one setting."""
    out = []
    for key, rejected in in_blocks(experiment, name, truth, repetitions, rng, alpha=alpha).items():
        real = experiment.real(key[0], name, truth, rejected.shape[1])
        keeps = name in promised(key).get(truth, ())
        out.append(rate(rejected, real, confidence=confidence, promised=keeps, labels=(*key, name, truth)))
    return out


def _check_algorithms(count: int) -> int:
    """Fewer than three would leave the corrections for all pairs nothing to do."""
    check_count("n_algorithms", count, least=3, usual=6)
    if count > 14:
        raise OptionError(
            f"{either('n_algorithms', '--algorithms')} is {count}.",
            why="Bergmann and Hommel's correction for p-values of any origin ends at 14 algorithms.",
            mend=f"Use {either('n_algorithms=14', '--algorithms 14')} or fewer.",
        )
    return int(count)
