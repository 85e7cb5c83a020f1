"""Scores and costs: known names, the direction that is better (on each data set), and units."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from tiebreak._checks import BoolArray, FloatArray, check_choices
from tiebreak.caveats import Caveat, Caveats
from tiebreak.errors import InputError, NotSaid, OptionError, UnknownDirection, quoted
from tiebreak.results.columns import present_mean
from tiebreak.wording import either, option, which_way, which_way_of

if TYPE_CHECKING:
    from tiebreak.results.table import Results

PARTS = tuple(f"{part}_" for part in "test testing validation valid val train training dev holdout cv oof oob".split())
"""A score on a part of the data has the direction of the score; a cost has not: test_size is no cost."""
PART = re.compile(rf"^(?:mean_|split\d+_)?(?:{'|'.join(PARTS)})")
"""A part, also as `cv_results_` of scikit-learn writes it: mean_test_, split0_test_."""
_BEHIND = tuple(f"_{part.removesuffix('_')}" for part in PARTS)
_MEANS = ("mean_", "average_", "avg_", "median_", "total_", "overall_", "macro_", "micro_", "weighted_")
"""A mean of a score or a cost has its direction."""
_KINDS = ("_macro", "_micro", "_weighted", "_samples", "_ovr", "_ovo", "_mean", "_avg", "_median")
_TASKS = ("classif.", "regr.", "metrics.", "metrics/", "metrics_", "metric_", "metric.", "eval_", "eval/")
"""What mlr3, MLflow, Comet and trainers of neural networks put before the name."""
_MLR = re.compile(r"[_.](test|train)[_.](mean|median|aggr)$")
"""What mlr puts behind the name: acc.test.mean."""
_AT = re.compile(r"(@|\^|_at_)_?(k|\.?\d[\d.:_]*k?(tpr)?)$")
"""At which k, which overlap, which rate: ndcg@10, pass^8, mAP@[.5:.95], fpr@95tpr."""
_RANKS = ("rank", "mean_rank", "average_rank", "avg_rank")
_NO_SCORES = (*_RANKS, "regret", "error", "err", "loss")
"""What a score made of them would mean is open: a rank score, an error score."""
_AVERAGED = re.compile(r"[_.](mean|avg|average|median)\d*$")
"""Suffixes of names in a table of means: time_mean, train_s_mean10."""
_TIMED = frozenset("train training fit infer inference predict prediction pred eval wall build elapsed".split())
"""Names that make a time if a unit follows: train_s, infer_ms."""
_UNITS = {
    **dict.fromkeys("s sec secs seconds".split(), "s"),
    **dict.fromkeys("ms msec millis milliseconds".split(), "ms"),
    **dict.fromkeys("min mins minutes".split(), "min"),
    **dict.fromkeys("h hr hrs hours".split(), "h"),
    **dict.fromkeys("usd $ dollars".split(), "usd"),
    **{unit.lower(): unit for unit in "bytes kB MB GB kWh Wh J".split()},
}
"""Units that may follow the name of a cost, as in latency_ms or "Time (s)"."""
_TIMES = ("s", "ms", "min", "h")
_COUNTS = {"k": "k", "m": "M", "million": "M", "b": "B", "billion": "B", "g": "G", "t": "T"}
"""In what parameters and operations are counted: "params (M)", "FLOPs (G)"."""
_POWER = re.compile(r"1e\d{1,2}")
"""A power of ten, as in "FLOPs (1E21)"."""
_DIRECTIONS = str.maketrans("", "", "↑↓⬆⬇\ufe0f")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Known:
    """What is known of a name: `key` is one for all its spellings.

    The kind is share, rate (of errors), target, general, cost or empty.
    """

    name: str
    higher_is_better: bool | None
    kind: str
    unit: str
    key: str
    source: str


@cache
def known_names() -> Mapping[str, Known]:
    """Return the table.

    Examples
    --------
    >>> known_names()["wer"].higher_is_better, known_names()["wer"].source
    (False, 'hf-evaluate')
    """
    lines = Path(__file__).with_name("known_names.csv").read_text(encoding="utf-8").splitlines()[1:]
    result = {}
    for name, better, kind, unit, key, source in (line.split(",") for line in lines):
        higher = better == "higher" if better else None
        result[name] = Known(name, higher, kind, unit, key or name, source)
    return MappingProxyType(result)


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """Write a name as the table does: small letters, one underscore between words, no percent sign, no arrow.

    A minus before the name turns its sign, as neg_ does; before a logarithm it may be part of the name.

    Examples
    --------
    >>> plain("ROC-AUC (%)"), plain("Time (s)"), plain("FID ↓"), plain("R²"), plain("#params"), plain("-RMSE")
    ('roc_auc', 'time_s', 'fid', 'r2', 'n_params', 'neg_rmse')
    """
    text = unicodedata.normalize("NFKC", name).strip().lower().translate(_DIRECTIONS).replace("%", " ")
    text = re.sub(r"[\u2010-\u2015\u2212]", "-", text)
    text = re.sub(r"^-\s*(?=[a-z])", lambda _: "minus_" if re.match(r"-\s*log", text) else "neg_", text)
    text = re.sub(rf"^({'|'.join(part.removesuffix('_') for part in PARTS)})[/.](?=\w)", r"\1_", text)
    text = re.sub(r"^#\s*(?=[a-z])", "n_", re.sub(r"['’`´]|\.(?=[\s_]|$)", "", text))
    return re.sub(r"[\s_\-()\[\]]+", "_", text).strip("_.")


@lru_cache(maxsize=4096)
def look_up(name: str) -> Known | None:
    """Return what is known of a name, in whatever spelling; None where nothing is.

    Examples
    --------
    >>> look_up("Hits@10").name, look_up("acc,none").key, look_up("latency_ms").unit, look_up("acc_stderr,none")
    ('hits', 'accuracy', 'ms', None)
    >>> look_up("trainTime").name, look_up("latency_score")
    ('train_time', None)
    """
    result = _found(plain(name))
    if result is None and (words := re.sub(r"(?<=[a-z][a-z\d])(?=[A-Z])", "_", name)) != name:
        result = _found(plain(words))
    if result is None and "." in (key := plain(name)):  # R writes dots between words
        result = _found(key.replace(".", "_"))
    return result


def _found(key: str) -> Known | None:
    """Find a name as it stands, then in other spellings, then by what has its direction, then with its unit."""
    for form in (*spellings(key), *_kin(key)):
        name = known_names().get(form)
        if name is not None and (form == key or _may_stand_for(name, key)):
            return name
    return _with_unit(key) or _with_unit(_AVERAGED.sub("", key))


def _may_stand_for(result: Known, key: str) -> bool:
    """Say whether a name may stand for a longer one.

    A size is a cost and a test size none; a latency score may be better when higher; rank@1 is a share of hits.
    """
    scored = key.endswith("_score")
    if result.kind != "cost":
        return not (scored and result.name in _NO_SCORES) and not (result.name in _RANKS and _AT.search(key))
    before = PART.match(key) and not PART.match(result.name)
    behind = key.endswith(_BEHIND) and not result.name.endswith(_BEHIND)
    return not (scored or before or behind)


def spellings(key: str) -> Iterator[str]:
    """Return the name, and the names that mean the very same by another convention."""
    bare = _without(_MLR.sub("", key.partition(",")[0]), _TASKS)
    bare = PART.sub("", bare)
    for form in dict.fromkeys(
        (key, bare, next((bare.removesuffix(part) for part in _BEHIND if bare.endswith(part)), bare))
    ):
        yield form
        yield form.removesuffix("_score")


def _kin(key: str) -> Iterator[str]:
    """Return the names of what has the same direction: the same at another k, or averaged in another way."""
    for form in spellings(key):
        bare = _AT.sub("", form)
        yield bare
        yield next((bare.removesuffix(kind) for kind in _KINDS if bare.endswith(kind)), bare)
        bare = re.sub(r"^p\d\d_|_p\d\d$|(?<=_mean)\d+$|(?<=_median)\d+$", "", _without(bare, _MEANS))
        yield bare
        bare = next((bare.removesuffix(kind) for kind in _KINDS if bare.endswith(kind)), bare)
        yield bare
        yield bare.removesuffix("_score")


def _with_unit(key: str) -> Known | None:
    """Find a cost whose name ends with its unit; tokens and operations by the second are no cost but a speed."""
    name, _, written = key.rpartition("_")
    unit = _UNITS.get(written) or _COUNTS.get(written) or (written if _POWER.fullmatch(written) else None)
    if not name or unit is None:
        return None
    result = next((known_names()[form] for form in (name, *_kin(name)) if form in known_names()), None)
    if result is None and name in _TIMED and unit in _TIMES:
        return Known(key, False, "cost", unit, key, "common")
    if result is None or result.kind != "cost" or not (result.name == name or _may_stand_for(result, name)):
        return None
    counted = result.unit in ("", "tokens") or result.name == "model_size"  # of a language model: parameters
    if (unit in _TIMES and counted and not result.name.endswith("cost")) or (written in _COUNTS and not counted):
        return None
    return Known(key, False, "cost", unit, key, result.source)


def _without(text: str, prefixes: tuple[str, ...]) -> str:
    return next((text.removeprefix(prefix) for prefix in prefixes if text.startswith(prefix)), text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One column of numbers: a score or a cost.

    Parameters
    ----------
    name : str
        As the table spells it.
    higher_is_better : bool or None
        None where nobody has said; such a score cannot be compared.
    unit : str
        Empty where there is none.
    is_cost : bool
        Costs are always better when lower.
    what : str
        How it was measured, where that is known, such as "CPU seconds".
    by_convention : bool
        Whether a convention of a tool tells the direction, which a user may know better.

    Examples
    --------
    >>> metric_named("accuracy").higher_is_better, metric_named("train_time").unit
    (True, 's')
    >>> metric_named("neg_log_loss").higher_is_better  # scikit-learn's sign convention
    True
    >>> metric_named("test_error").higher_is_better  # on the test part
    False
    >>> metric_named("zeal").higher_is_better is None
    True
    """

    name: str
    higher_is_better: bool | None = None
    unit: str = ""
    is_cost: bool = False
    what: str = ""
    by_convention: bool = False

    @property
    def key(self) -> str:
        """The metric whatever its spelling: 'ROC AUC' and 'auc' are one."""
        sign, bare = _signed(self.name)
        forms = list(spellings(bare))
        return sign + next((known_names()[form].key for form in forms if form in known_names()), forms[-1])

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1, or 0 and 100 percent, and is good near the top."""
        return _kind(look_up(self.name)) == "share"

    @property
    def is_error_rate(self) -> bool:
        """Whether it lies between 0 and 1, or 0 and 100 percent, and is good near zero."""
        known = look_up(_signed(self.name)[1])
        return _kind(known) == "rate" or (known is not None and known.key == "error")

    @property
    def of_targets(self) -> bool:
        """Whether it has the unit of what is predicted, which differs from data set to data set."""
        return _kind(look_up(_signed(self.name)[1])) == "target"

    @property
    def is_general(self) -> bool:
        """Whether the name leaves open by which metric the scores are."""
        return _kind(look_up(self.name)) == "general"

    def direction(self, stated: bool | Mapping[str, bool] | None = None) -> bool:
        """Return whether higher is better: as told now, for all or by name, or as known, or an error."""
        if isinstance(stated, Mapping):
            stated = stated.get(self.name)
        if stated is not None and self.higher_is_better is (not stated) and not self.by_convention:
            known = "higher" if self.higher_is_better else "lower"
            raise OptionError(
                f"{self.name!r} was said to be better when {'higher' if stated else 'lower'}.",
                why=f"It is known as a measure where {known} is better.",
                mend=f"Leave that out, or rename the column if it is not {self.name!r}.",
            )
        answer = self.higher_is_better if stated is None else stated
        if answer is None:
            raise UnknownDirection(
                f"Nothing says whether a higher {self.name!r} is better.",
                mend=f"Say {which_way()}, or name the score by a known word: {option(score='accuracy')}.",
            )
        return answer


def metric_named(name: str, *, is_cost: bool = False) -> Metric:
    """Look up what is known about a name; see `Metric` for examples, `known_names.csv` for the names."""
    known = look_up(name)
    if is_cost or _kind(known) == "cost":
        unit = known.unit if known is not None and known.kind == "cost" else ""
        return Metric(name=name, higher_is_better=False, unit=unit, is_cost=True)
    sign, bare = _signed(name)
    if sign:
        known = look_up(bare)
        return Metric(name=name, higher_is_better=True if known and known.higher_is_better is False else None)
    return Metric(name=name, higher_is_better=_agreed(name, known))


def _agreed(name: str, known: Known | None) -> bool | None:
    """Return the direction that the name or an arrow behind it tells; None where the two contradict each other."""
    arrows = {"↑": True, "⬆": True, "↓": False, "⬇": False}
    flags = {arrows[letter] for letter in name if letter in arrows}
    if known is not None and known.higher_is_better is not None:
        flags.add(known.higher_is_better)
    return flags.pop() if len(flags) == 1 else None


def _signed(name: str) -> tuple[str, str]:
    """Split off scikit-learn's mark of a loss whose sign is turned."""
    key = plain(name)
    head, sign, bare = key.rpartition("neg_")
    whole = not head or PART.fullmatch(head)
    return (sign, head + bare) if sign and whole and key not in known_names() else ("", key)


def _kind(known: Known | None) -> str:
    return "" if known is None else known.kind


def described(metrics: Iterable[Metric]) -> frozenset[str]:
    """Return the scores that a column of metrics speaks of: those of a general name, else those of an unknown one.

    Examples
    --------
    >>> sorted(described(map(metric_named, ["result", "accuracy", "seed", "train_time"])))
    ['result']
    >>> sorted(described(map(metric_named, ["zeal", "accuracy", "train_time"])))
    ['zeal']
    """
    scores = [metric for metric in metrics if not metric.is_cost]
    general = frozenset(metric.name for metric in scores if metric.is_general)
    return general or frozenset(metric.name for metric in scores if metric.higher_is_better is None)


Told = bool | Mapping[str, bool] | None
"""What was said about the direction: for all, for some metrics by name, or nothing."""


def directions(results: Results, score: str, stated: Told = None) -> tuple[BoolArray, Caveats]:
    """Return for each data set whether a higher score is better there, and what is odd about it.

    What was told for all data sets holds for the column as it stands, whatever its metrics usually are: many tables
    hold 1 - auc beside log loss, or negative log loss beside auc. Otherwise the name of the column decides (an
    'error' is better when lower), and where it says nothing the metric of each data set.

    Examples
    --------
    >>> from tiebreak import Results
    >>> table = Results.from_dict({"dataset": ["iris", "cars"], "algorithm": ["svm", "svm"],
    ...                            "metric": ["auc", "rmse"], "score": [0.9, 1200.0]})
    >>> dict(zip(table.datasets, directions(table, "score")[0].tolist()))
    {'cars': False, 'iris': True}
    """
    current, metrics = results.metric(score), results.metrics_on(score)
    if isinstance(stated, Mapping):
        known = {score, *(metric.name for metric in metrics)}
        check_choices(
            f"metric (in {either('higher_is_better', '--direction')})", sorted(set(stated) - known), sorted(known)
        )
    if all(metric is current for metric in metrics):
        return np.full(len(metrics), current.direction(stated)), ()
    if isinstance(stated, bool) or (stated is None and current.higher_is_better is not None):
        higher = current.direction(stated)
        notes = _odd(results, score, metrics, higher=higher) if current.higher_is_better is None else ()
        return np.full(len(metrics), higher), notes
    result = {metric.name: _one(metric, current, stated or {}) for metric in metrics}
    unknown = [name for name, higher in result.items() if higher is None]
    if unknown:
        raise open_directions(unknown, "data sets")
    return np.array([result[metric.name] for metric in metrics], dtype=bool), ()


def open_directions(names: Sequence[str], all_of: str) -> NotSaid:
    """Make the error for metrics of unknown direction; `all_of` is what one answer would be for."""
    return UnknownDirection(
        f"Nothing says whether a higher {names[0]!r} is better" + (f", nor {quoted(names[1:])}." if names[1:] else "."),
        mend=f"Say {which_way_of(names[0])}, or {which_way()} for all {all_of}.",
    )


def _one(metric: Metric, current: Metric, stated: Mapping[str, bool]) -> bool | None:
    """Return the direction of one metric: as told for it, as told for or known of the column, or as known of it."""
    if metric.name in stated:
        return metric.direction(stated)
    if current.name in stated or current.higher_is_better is not None:
        return current.direction(stated)
    return metric.higher_is_better


def _odd(results: Results, score: str, metrics: Sequence[Metric], *, higher: bool) -> Caveats:
    """Refuse a loss that was said to be better when higher unless it is negative, as a loss turned around is."""
    turned = {metric.name for metric in metrics if metric.higher_is_better is (not higher)}
    if higher:
        values, codes = results.values[score], results.codes["dataset"]
        losses = np.array([metric.name in turned for metric in metrics])[codes] & (values > 0)
        if losses.any():
            place = int(codes[int(np.argmax(losses))])
            raise InputError(
                f"Scores were said to be better when higher, but data set {results.datasets[place]!r} is scored by"
                f" {metrics[place].name!r} and its scores are above 0.",
                why="A lower loss is better unless its sign was turned: the best algorithm would come out last.",
                mend="Leave the direction out, so that each metric tells its own, or tell those that are not known:"
                f" {option(higher_is_better={'...': True})}.",
            )
    if not turned:
        return ()
    names, way = quoted(sorted(turned)), "higher" if higher else "lower"
    text = f"Scores by {names} were taken to be better when {way}, as told: {score!r} must hold them turned around."
    return (Caveat("read-as", text),)


def mean_ranks(scores: FloatArray, higher: BoolArray) -> list[float]:
    """Average the ranks of each algorithm over the data sets where it has a score; ties share the mean of their ranks.

    Examples
    --------
    >>> mean_ranks(np.array([[0.9, 0.8, np.nan], [5.0, 2.0, 2.0]]), np.array([True, False]))
    [2.0, 1.75, 1.5]
    """
    errors = np.where(higher[:, None], -scores, scores)
    ranks = np.full(scores.shape, np.nan)
    for row, rank in zip(errors, ranks, strict=True):
        there = np.flatnonzero(~np.isnan(row))
        below = (row[there] < row[there, None]).sum(axis=1)
        tied = (row[there] == row[there, None]).sum(axis=1)
        rank[there] = below + (tied + 1) / 2
    return [present_mean(ranks[:, i]) for i in range(scores.shape[1])]
