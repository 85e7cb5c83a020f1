"""Caveats: sentences that qualify a result, each with a code that programs can rely on.

What a code means stands here once; the sentence that carries it is written where the numbers are known. No behaviour
hangs on the words of a sentence: whoever needs to know whether something was said asks for its code.

Experimental: names and options of this module that `tiebreak` does not export may change in a minor release.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

TABLES: dict[str, str] = {
    "no-items": "some or all logs have no scores of items, so only totals or means are compared",
    "read-as": "what was inferred about columns, names, marks, spellings, encoding or scores while reading",
    "sources-left-out": "parts of a source were not read: sheets, tables, files, metrics, broken logs",
    "inferred": "what was inferred of a table that its header does not say outright, in one line",
    "failures-worst": "failed runs count as the worst score and the largest cost of their data set",
    "answers-missing": "models lack answers to some items; a pair is compared on those that both have",
    "zero-costs": "a cost of zero: it counts as a small one, and may be an unknown one",
    "large-trade": "the trade is larger than what the best score leaves to gain",
    "costs-unknown": "algorithms without any cost are not in the order",
    "costs-missing": "some costs or times are not known; what was done about them",
    "costs-unmatched": "the costs name data sets or algorithms that the results do not hold",
    "measure-undefined": "a measure of confusion matrices is not defined in some cells: gaps, or 0 by convention",
    "run-failed": "an algorithm failed on a data set",
    "runs-unfinished": "runs that have not ended well, or not yet, are gaps or are read as far as they go",
    "unfinished-left-out": "data sets, or replications, that not every algorithm has finished yet were left out",
    "validation-scores": "scores are on validation data, by which models were chosen",
    "resamplings-mixed": "results of several resamplings stand side by side",
    "matched-by-name": "imported results are taken to be on data sets of the same name, unchecked",
    "printed-rounding": "published numbers are rounded, corrected, or differ from those computed here",
    "rows-filtered": "only the rows that meet a condition were kept",
    "duplicates-settled": "several rows, runs or votes for one cell were made one, numbered, or kept",
    "uneven-rows": "rows have more cells than the others, which may stand in wrong columns",
    "target-taken-for": "a target of many different numbers was taken for a number to predict, or for classes",
    "target-unsure": "a target may be classes or a number, and was taken for classes",
    "target-not-last": "the target was taken by its name, and is not the last column",
    "columns-left-out": "columns were left out, or hold nothing to learn from: ids, dates, text, constants, summaries",
    "clusters-ignored": "clusters that items have were left out of account, as told",
    "maybe-items": "every score is 0 or 1, or there are very many folds: data sets or folds may be items",
    "rows-left-out": "rows, items or answers that cannot be used were left out",
    "outside-its-range": "values outside the range of the metric: the name may be wrong",
    "host-busy": "a host was busy, or not always equally fast, while cells ran",
    "hosts-mixed": "times of several or unknown hosts, as they are or put on one scale",
    "versions-mixed": "cells, or meta-attributes, were made with different versions",
    "answers-failed": "answers that ended with an error count as failed, as the tool counts them",
    "items-differ": "models do not have the same items, or which they have was inferred",
    "epochs-averaged": "repeated answers to an item are averaged",
}
"""What reading and selecting can say."""

STATS: dict[str, str] = {
    "arbitrary-direction": "a learned direction that the data do not determine",
    "chains-disagree": "the chains of a simulation do not agree yet",
    "clusters-cross-benchmarks": "clusters of items lie in several benchmarks, which are then tested together",
    "constant-difference": "values or differences that do not vary: the statistic is infinite, or says nothing",
    "dependent-measures": "measures follow from others or do not vary; the dimensions that they span are compared",
    "few-clusters": "few clusters, or one with a large share of the items, so that intervals are rough",
    "few-items": "too few items, examples or rows for an approximation or for intervals by t",
    "few-datasets": "too few data sets for an approximation, or for much to be shown",
    "few-folds": "too few folds for a test, for so many measures, or to judge normality",
    "folds-share-training-data": "folds share training data; whether and how the test allows for it",
    "gaps-left-out": "data sets, algorithms, folds or cells with gaps were left out",
    "least-pvalue": "no p-value below some number is possible with so few data sets, folds, items or clusters",
    "many-ties": "data sets tie algorithms: what that costs, and how ties were split",
    "no-difference": "algorithms that score the same everywhere: p is 1",
    "no-folds": "data sets with one score for each algorithm were left out of a test of folds, or show nothing",
    "no-margin": "the margin is a share of a score that is 0 on some data set",
    "not-spherical": "the differences of algorithms do not share one variance, or nothing shows whether they do",
    "one-cluster": "all items are of one cluster, so that nothing tells how much clusters vary",
    "optimistic": "a score or an agreement is too good, as something was chosen by it",
    "pairing-lost": "a test does not use that scores are paired, so that differences may be missed",
    "upper-bound": "the p-value is only a lower bound",
}
"""What the tests on plain arrays can say."""

DECIDING: dict[str, str] = {
    "beaten-but-before": "an algorithm stands before one that beats it, as decisions are not transitive",
    "cost-inside-places": "an order by places, which counts cost on every data set and again over them",
    "cost-noise": "neighbours in the order could change places, so much do measured times vary",
    "missing-would-decide": "a candidate passes without answers that it lacks, and would not if these were wrong",
    "unanswered-wrong": "answers that the candidate lacks count as wrong, as told",
    "gaps-costliest": "failed runs have the largest cost of their data set",
    "gaps-worst-rank": "failed runs were ranked last",
    "groups-cut": "there are too many groups to list or for letters",
    "idle-posthoc": "a test over data sets was asked for, and there is one data set",
    "items-averaged": "items were averaged, and their benchmarks tested as data sets",
    "more-of-this-kind": "more caveats of the same kind were left out",
    "normality-rejected": "the measures are not normal together",
    "metrics-differ": "scores are by different metrics or in different units over data sets",
    "omnibus-hides-pairs": "the test over all does not reject, so that single pairs prove little",
    "on-these-datasets": "the answer holds for these data sets, not for others",
    "only-cost-decided": "no test could decide anything: the order is that of cost, or the given one",
    "other-unit": "pairs are tested on, or differences counted in, other numbers than the scores",
    "anytime-limits": "what does not hold at every look at the results, where a test may look again and again",
    "ranks-and-scores-disagree": "mean ranks among all and the two algorithms' own scores judge a pair differently",
    "scales-differ": "scores lie on scales of different size, detected and not told",
    "tied-costs": "costs tie and were ordered by a rule",
    "weak-correction": "the family-wise error rate is not controlled",
}
"""What comparing and ordering can say."""

BATTLES: dict[str, str] = {
    "votes-left-out": "rows without a vote or of one with itself, or votes for none, were left out or made ties",
    "votes-independent": "votes, or those without a prompt or voter, were taken for independent of each other",
    "too-few-clusters": "prompts, or voters, are too few for a claim about others",
    "algorithms-left-out": "algorithms without what is needed take no part, or are not ranked",
    "side-preferred": "the side on which an answer is shown sways the votes",
}
"""What battles can say."""

ADVISOR: dict[str, str] = {
    "few-measures": "measures that tell which data sets are alike are missing, or do not apply",
    "times-guessed": "times are predicted beyond what was measured, or are those of other data sets",
    "values-filled": "missing values were filled in, or impossible ones set to a bound",
    "all-alike": "nothing makes one known data set nearer than another, so all count alike",
    "datasets-left-out": "data sets without what is needed take no part",
    "dependent-blocks": "blocks, draws or parts that are compared are not independent of each other",
    "one-dataset": "the answer holds for one data set alone",
    "known-itself": "the data set is among the known ones, or one that may be the same by its name or its size",
    "outside-known-range": "the data, or a measure of them, are unlike all known data sets",
    "data-suspicious": "a fault in the data: a column that gives the target away, copies, codes, sentinels, labels",
    "shipped-base": "what is known comes from the base that ships with the package",
    "small-arr-divisors": "times differ so much that ARR rewards the fast more than AccD says",
    "worth-not-judged": "what advice by a method that tests is worth was not judged, as it takes long",
}
"""What recommending, and judging recommendations, can say."""

LAB: dict[str, str] = {
    "class-missing": "a training, validation or test part lacks some class, or is empty",
    "failed-cells-kept": "failed cells stay as they are until they are retried",
    "budget-over": "the budget of a run ended before its plan; what is left, and what can be compared already",
    "other-runner": "another runner has claimed cells of the plan",
}
"""What preparing data sets and running learners can say."""

TRYING: dict[str, str] = {
    "trials-unfinished": "trials were cut, or not begun, as the time ended",
    "target-given-away": "the attributes tell the number to predict almost exactly: one may be made of it",
    "not-piloted": "no algorithm was fitted on the data, with the reason: the answer rests on past results alone",
}
"""What trying a recommendation out can say."""

STUDIES: dict[str, str] = {
    "how-to-read": "how the tables of a study are to be read",
    "method-left-out": "a method, or a test, that the results do not allow was left out",
}
"""What the studies can say."""

FIGURES: dict[str, str] = {
    "not-drawn": "what a figure leaves out, folds away, or cannot show",
}
"""What figures can say of what they leave out."""

CHECKING: dict[str, str] = {
    "bold-not-best": "a result in bold is not the best of its data set, or the best is not in bold",
    "score-not-judged": "a score of a table was not judged: nothing says which way is better",
}
"""What the check of a document can say."""

CODES: dict[str, str] = {
    **TABLES,
    **STATS,
    **DECIDING,
    **BATTLES,
    **CHECKING,
    **ADVISOR,
    **LAB,
    **TRYING,
    **STUDIES,
    **FIGURES,
}
"""Every code with what it means."""


class Caveat(str):
    """One caveat: a sentence, with its code.

    Examples
    --------
    >>> CODES["example"] = "an example"
    >>> note = Caveat("example", "Only 4 data sets.")
    >>> note, note.code, note == "Only 4 data sets."
    ('Only 4 data sets.', 'example', True)
    >>> del CODES["example"]
    """

    __slots__ = ("code",)
    code: str

    def __new__(cls, code: str, text: str) -> Caveat:
        """Make a caveat; the code must be one that `CODES` explains."""
        if code not in CODES:
            raise KeyError(f"no caveat has the code {code!r}: add it to tiebreak.caveats with what it means")
        made = super().__new__(cls, text)
        made.code = code
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return Caveat, (self.code, str(self))

    def prefixed(self, words: str) -> Caveat:
        """Return the same caveat with words before it, such as the data set it is about."""
        return Caveat(self.code, f"{words}{self}")


Caveats = tuple[Caveat, ...]
"""What a result holds."""


def validation_scores(names: Iterable[str]) -> Caveat:
    """Say that some algorithms chose their settings on the rows that their scores are from."""
    return Caveat(
        "validation-scores",
        f"Settings of {', '.join(names)} are chosen on the validation folds, so their scores there are too good; those"
        " of the test part (test_accuracy, test_error, ...) are not.",
    )


def caveats_of(*candidates: tuple[object, str, str]) -> Caveats:
    """Return the caveats that hold, of candidates with a condition, a code and a text."""
    return tuple(Caveat(code, text) for holds, code, text in candidates if holds)


def distinct(caveats: Iterable[Caveat]) -> Caveats:
    """Return each caveat once, in the order of first appearance."""
    return tuple(dict.fromkeys(caveats))


def codes_of(caveats: Iterable[Caveat]) -> list[str]:
    """Return the codes, each once, as JSON gives them beside the sentences."""
    return list(dict.fromkeys(caveat.code for caveat in caveats))


def few(caveats: Sequence[Caveat], most: int = 5) -> list[Caveat]:
    """Keep the first of many caveats of one kind, and say how many there are."""
    rest = len(caveats) - most
    if rest <= 0:
        return list(caveats)
    return [*caveats[:most], Caveat("more-of-this-kind", f"... and {rest} more notes of this kind.")]
