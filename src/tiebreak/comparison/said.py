"""What must be said before anything is decided: all that is missing in one message, whichever interface asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tiebreak.comparison.gaps import may_be_completed, refusal
from tiebreak.errors import MissingScores, NotSaid, OptionError, unknown_name
from tiebreak.methods.policies import AUTO
from tiebreak.results import Metric, Results
from tiebreak.results.confusion import MEASURES, has_counts
from tiebreak.results.metrics import Told, open_directions
from tiebreak.wording import either, option


def check_said(
    results: Results,
    score: str | Sequence[str] | None,
    *check: Callable[[], object],
    missing: str,
    verb: str,
) -> None:
    """Run the checks that a verb makes of what it was told, and raise what they miss as one error.

    Gaps are looked for only where something else is missing: that takes a look at every cell, and alone they are
    refused where they are settled.
    """
    lacking: list[NotSaid | MissingScores] = []
    for each in check:
        try:
            each()
        except NotSaid as error:
            lacking.append(error)
    if not lacking:
        return
    names = results.scores if score is None else (score,) if isinstance(score, str) else tuple(score)
    names = tuple(name for name in names if missing != AUTO or not may_be_completed(results, name))
    if missing in (AUTO, "refuse") and (score is not None or len(results.scores) == 1):
        gaps = (refusal(found, name, verb=verb) for name in names if (found := results.gaps(name)))
        lacking += [*gaps][:1]  # other scores mostly lack the same cells
    if len(lacking) == 1:
        raise lacking[0]
    lines = [f"{number}. {error.what} {error.mend}" for number, error in enumerate(lacking, 1)]
    raise NotSaid("\n".join([f"{len(lacking)} {either('arguments', 'options')} are missing:", *lines]))


def score_metrics(results: Results, score: str | Sequence[str] | None, told: Told = None) -> tuple[Metric, ...]:
    """Return the metrics that were named, each with its direction.

    Of one score that has a metric of its own on each data set the direction is left open: it may differ.
    """
    names = (results.only_score(),) if score is None else (score,) if isinstance(score, str) else tuple(score)
    if not names or len(set(names)) != len(names):
        raise OptionError(
            "No score was named." if not names else f"A score was named twice: {', '.join(names)}.",
            why="Each measure counts once.",
            mend=f"Name each score once, such as {option(score=['tpr', 'fpr'])}.",
        )
    by_name: Mapping[str, bool] = told if isinstance(told, Mapping) else {}
    for name in by_name if len(names) > 1 else ():
        if name not in names:
            raise unknown_name(f"score (in {either('higher_is_better', '--direction')})", str(name), names)
    metrics, unknown = [], []
    for name in names:
        if name not in results.values and name in MEASURES and has_counts(results):
            mend = "It can be made from the counts: tiebreak.results.with_measures(results)."
            raise unknown_name("score", name, results.values, mend=mend)
        metric = results.metric(name)
        if len(names) == 1:  # its direction may differ between data sets
            return (metric,)
        given = by_name.get(name) if isinstance(told, Mapping) else told
        if metric.higher_is_better is None and given is None:
            unknown.append(name)
            continue
        known = metric.higher_is_better is not None and not by_name
        metrics.append(replace(metric, higher_is_better=metric.direction(None if known else given)))
    if unknown:
        raise open_directions(unknown, "measures")
    return tuple(metrics)
