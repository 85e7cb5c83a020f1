"""The study of error rates: how often does each procedure claim what is not so, and find what is?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tiebreak._checks import BoolArray, check_alpha, check_choice
from tiebreak.errors import OptionError
from tiebreak.stats.numeric.differences import check_count
from tiebreak.stats.results import pair_indices
from tiebreak.studies import _defaults, _fold_wins, _item_tests, _margins, _mixed_scales, _peeking, _several_measures
from tiebreak.studies._cross_validation import MODELS, ONE, fold_rejections
from tiebreak.studies._own import Own, Setting, name_and_truth
from tiebreak.studies._procedures import CONTROL, INTERVALS, OMNIBUS, PREMISES, Key, promised, rejections
from tiebreak.studies._rates import ErrorRates, Rate, rate, settings_caveats
from tiebreak.studies._scores import FIRST_NOISES, NOISES, TRUTHS, draw_tables, real_differences, with_gaps
from tiebreak.wording import either

BLOCK = 100
"""Repetitions that share a stream of random numbers; a run of more repetitions begins with those of a shorter one."""

OWN = (
    Own(_several_measures.SETTINGS, _several_measures.other_rejections),
    Own(_defaults.SETTINGS, _defaults.larger_rejections, _defaults.larger_real),
    Own(_margins.SETTINGS, _margins.margin_rejections, _margins.truly_good),
    Own(_mixed_scales.SETTINGS, _mixed_scales.scale_rejections, _mixed_scales.scale_differences),
    Own(_peeking.SETTINGS, _peeking.peeking_rejections, _peeking.peeking_differences),
    Own(_fold_wins.SETTINGS, _fold_wins.win_rejections, _fold_wins.win_differences),
    Own(_item_tests.SETTINGS, _item_tests.item_rejections, _item_tests.item_differences),
)
"""Settings that only some procedures are made for. More are appended, which changes no number of those before."""

FIRST_OWN = 3
"""So many of the first of them have their streams of random numbers beside those of the first noises."""

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
    When not to use it: to plan an experiment (use `tiebreak.stats.datasets_needed_by_simulation`).

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
    >>> found = error_rates(n_datasets=20, n_algorithms=4, repetitions=10, noises=["normal"])
    >>> rates = {r.procedure: r for r in found.rates if r.question == "all pairs" and r.truth == "different"}
    >>> rates["wilcoxon, shaffer"].found >= rates["wilcoxon, holm"].found
    True
    """
    shape = (check_count("n_datasets", n_datasets, least=10, usual=30), _check_algorithms(n_algorithms))
    check_count("repetitions", repetitions, usual=2000)
    level, certainty = check_alpha(alpha), _check_confidence(confidence)
    chosen = list(NOISES) if noises is None else [check_choice("noise", noise, NOISES) for noise in noises]
    streams = _Streams(rng)
    say = progress or (lambda _: None)
    rates: list[Rate] = []
    for noise, truth, stream in streams.noises:
        if noise in chosen:
            say(f"{noise} noise, {truth}")
            rates += _over_datasets(noise, truth, (repetitions, *shape), stream, level, certainty)
    for own, setting, stream in streams.own:
        name, truth = name_and_truth(setting)
        if name in NOISES and name not in chosen:
            continue
        say(f"{name}, {truth}")
        rates += _in_own_setting(own, setting, repetitions, stream, alpha=level, confidence=certainty)
    for model, differ, stream in streams.models:
        say(f"one data set, {model}, {'different' if differ else 'null'}")
        rates += _on_one(model, repetitions, stream, differ=differ, alpha=level, confidence=certainty)
    return ErrorRates(
        rates=tuple(rates),
        n_datasets=shape[0],
        n_algorithms=shape[1],
        repetitions=int(repetitions),
        alpha=level,
        confidence=certainty,
        caveats=settings_caveats(int(repetitions), certainty),
    )


class _Streams:
    """Every setting with a stream of random numbers of its own.

    Streams are numbered, so the order here keeps the numbers of old settings as they were: what was there first, then
    one stream per group of settings that came later.
    """

    def __init__(self, rng: int | np.random.Generator) -> None:
        root = np.random.default_rng(rng)
        first = iter(root.spawn(len(FIRST_NOISES) * len(TRUTHS) + 2 * len(MODELS) + FIRST_OWN))
        added, *groups = root.spawn(1 + len(OWN))
        later = iter(added.spawn((len(NOISES) - len(FIRST_NOISES)) * len(TRUTHS)))
        self.noises = [
            (noise, truth, next(first if noise in FIRST_NOISES else later)) for noise in NOISES for truth in TRUTHS
        ]
        self.models = [(model, differ, next(first)) for model in MODELS for differ in (False, True)]
        self.own = [
            (own, setting, next(first, None) or group.spawn(1)[0])
            for own, group in zip(OWN, groups, strict=True)
            for setting in own.settings
        ]


def simulate(
    noise: str, truth: str, shape: tuple[int, int, int], rng: np.random.Generator, *, alpha: float
) -> dict[Key, BoolArray]:
    """Draw (repetitions, data sets, algorithms) and return what every procedure rejects, by blocks of repetitions."""

    def block(size: int, stream: np.random.Generator) -> dict[Key, BoolArray]:
        tables = draw_tables(noise, truth, (size, *shape[1:]), stream)
        found = rejections(tables, with_gaps(tables, stream), alpha=alpha)
        return found | _defaults.default_rejections(tables, found[OMNIBUS, "friedman F"], alpha=alpha)

    return _in_blocks(block, shape[0], rng)


def _in_blocks(
    block: Callable[[int, np.random.Generator], dict[Key, BoolArray]], repetitions: int, rng: np.random.Generator
) -> dict[Key, BoolArray]:
    """Blocks bound the memory; each has a stream of its own, so that none depends on what another drew."""
    sizes = [min(BLOCK, repetitions - start) for start in range(0, repetitions, BLOCK)]
    parts = [block(size, stream) for size, stream in zip(sizes, rng.spawn(len(sizes)), strict=True)]
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


def _over_datasets(
    noise: str, truth: str, shape: tuple[int, int, int], rng: np.random.Generator, alpha: float, confidence: float
) -> list[Rate]:
    """What is a false rejection depends on the question: with control and interval only some pairs count."""
    count = shape[2]
    pairs = real_differences(truth, *pair_indices(count), count)
    anything = np.array([truth != "null"])
    out = []
    for key, rejected in simulate(noise, truth, shape, rng, alpha=alpha).items():
        real = {
            OMNIBUS: anything,
            CONTROL: pairs[: count - 1],
            INTERVALS: pairs[:1],
            PREMISES: np.array([noise != "normal"]),
        }.get(key[0], pairs[: count - 1] if key[0].endswith(_defaults.WITH_CONTROL) else pairs)
        keeps = noise in promised(key).get(truth, ())
        table = rejected.reshape(len(rejected), -1)
        out.append(rate(table, real, confidence=confidence, promised=keeps, labels=(*key, noise, truth)))
    return out


def _on_one(
    model: str, repetitions: int, rng: np.random.Generator, *, differ: bool, alpha: float, confidence: float
) -> list[Rate]:
    """Where the learners differ nothing is promised: the rate is power, not error."""

    def block(size: int, stream: np.random.Generator) -> dict[Key, BoolArray]:
        return fold_rejections(model, size, stream, differ=differ, alpha=alpha)

    real, truth = np.array([differ]), "different" if differ else "null"
    return [
        rate(
            rejected[:, None],
            real,
            confidence=confidence,
            promised=not differ and model in promised((ONE, name)).get("null", ()),
            labels=(ONE, name, model, truth),
        )
        for (_, name), rejected in _in_blocks(block, repetitions, rng).items()
    ]


def _in_own_setting(
    own: Own, setting: Setting, repetitions: int, rng: np.random.Generator, *, alpha: float, confidence: float
) -> list[Rate]:
    """Measure procedures that have a setting of their own: several measures, few data sets, a margin."""

    def block(size: int, stream: np.random.Generator) -> dict[Key, BoolArray]:
        return own.rejections(setting, size, stream, alpha=alpha)

    name, truth = name_and_truth(setting)
    out = []
    for key, rejected in _in_blocks(block, repetitions, rng).items():
        real = own.real(setting, rejected.shape[1])
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


def _check_confidence(confidence: float) -> float:
    if not 0.0 < confidence < 1.0:
        raise OptionError(
            f"confidence is {confidence!r}.",
            why="The confidence of an interval lies strictly between 0 and 1.",
            mend="Use confidence=0.99.",
        )
    return float(confidence)
