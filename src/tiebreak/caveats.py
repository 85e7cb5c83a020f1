"""Caveats: sentences that qualify a result, each with a code that programs can rely on.

What a code means stands here once; the sentence that carries it is written where the numbers are known. No behaviour
hangs on the words of a sentence: whoever needs to know whether something was said asks for its code.
"""

from __future__ import annotations

from collections.abc import Iterable

TABLES: dict[str, str] = {
    "answers-missing": "models lack answers to some items; a pair is compared on those that both have",
    "read-as": "what was inferred of a table that its header does not say outright, in one line",
    "column-taken-for": "a column was taken for a role that its header does not name exactly",
    "zero-costs": "a cost of zero has no ratio and counts as a small one",
    "large-trade": "the trade is larger than what the best score leaves to gain",
    "costs-unknown": "algorithms without any cost are not in the order",
    "costs-missing": "some cells have no cost",
    "costs-unmatched": "the costs name data sets or algorithms that the results do not hold",
    "direction-as-told": "scores by some metric were taken to be better the other way round, as told",
    "measure-set-to-zero": "a measure of confusion matrices is not defined in some cells and set to 0 by convention",
    "measure-undefined": "a measure of confusion matrices is not defined in some cells, which are gaps",
    "measures-held-already": "the table holds some measures as such, which were not made from its counts",
    "classes-of-measures": "for which class, or over which classes, measures of confusion matrices are",
    "run-failed": "an algorithm failed on a data set, with the reason",
    "more-runs-failed": "further failures, counted only",
    "failures-worst": "failed runs count as the worst score and the largest cost of their data set",
    "runs-unfinished": "runs that have not ended well, or not yet, are gaps",
    "unfinished-left-out": "data sets, or replications, that not every algorithm has finished yet were left out",
    "runs-as-replications": "several runs of one setup are read as replications",
    "validation-scores": "scores are on validation data, by which models were chosen",
    "best-of-trials": "a value is that of the best of many trials",
    "resamplings-mixed": "results of several resamplings stand side by side",
    "matched-by-name": "imported results are taken to be on data sets of the same name, unchecked",
    "printed-rounding": "a published table is rounded, or corrected, so that ranks may differ from those printed",
    "rows-filtered": "only the rows that meet a condition were kept",
    "duplicates-settled": "several rows for one cell were made one, or numbered as folds",
    "read-as-latin-1": "a file is not UTF-8 and was read as Latin-1",
    "short-rows": "rows of a text have fewer cells than the others, filled with empty ones at the end",
    "uneven-rows": "rows have more cells than the others, which may stand in wrong columns",
    "sheets-left-out": "sheets of a workbook were not read: hidden ones, or all but one of a data set",
    "row-numbers-left-out": "an unnamed first column of row numbers was left out",
    "rows-without-class": "rows without a class, or without the number to predict, were dropped",
    "target-not-named": "no target was named, and a column was taken for it",
    "target-taken-for": "a target of many different numbers was taken for a number to predict, or for classes",
    "target-unsure": "a target may be classes or a number, and was taken for classes",
    "target-not-last": "the target was taken by its name, and is not the last column",
    "columns-left-out": "columns from which nothing can be learned were left out: ids, dates, free text, constants",
    "levels-as-names": "numbers with open ends among them, such as 3+, were read as names",
    "clusters-ignored": "clusters that items have were left out of account, as told",
    "epochs-unequal": "items have different numbers of repeated answers; each counts once, by their mean",
    "empty-attributes": "attributes without a single value",
    "maybe-items": "every score is 0 or 1, or there are very many folds: data sets or folds may be items",
    "items-left-out": "items that no model answered were left out",
    "identifiers": "symbolic attributes with more different values than half the rows",
    "read-transposed": "a table was read with algorithms in its rows and data sets in its columns",
    "nesting-read": "nested names were read as data sets and, inside them, algorithms, which their words do not tell",
    "rows-left-out": "rows that sum up others, repeat the header or hold no results were left out",
    "table-columns-left-out": "columns that describe data sets, sum up others or hold text were left out",
    "percentages-read": "scores of a knowledge base are percentages and were divided by 100",
    "words-as-scores": "answers written as words, such as yes and no, were read as 1 and 0",
    "percent-as-share": "cells with a percent sign were read as shares of 1",
    "commas-read": "commas in numbers were read as decimal points or as thousands marks",
    "sd-kept": "standard deviations beside scores were kept in a column of their own",
    "marks-left-out": "ranks, units and other marks beside numbers were left out",
    "outside-its-range": "so many values lie outside the range of their metric that it is not what its name says",
    "names-filled-down": "names that merged cells give once were filled in",
    "columns-as-folds": "columns named fold1, fold2 and so on were read as folds or replications of one score",
    "names-merged": "names that differ by spaces or case alone were made one, as told",
    "one-of-many-tables": "a file holds several tables, of which one was read",
    "loader-warning": "a warning of the library that downloaded the data",
    "host-busy": "cells ran while their host had more to do than it has cores",
    "host-speed-varied": "a host was not always equally fast while cells ran",
    "hosts-mixed": "times of several hosts were taken as they are, as told",
    "hosts-normalised": "times of several hosts were put on one scale by how fast each is",
    "hosts-unknown": "of some times the host is not known",
    "versions-mixed": "cells were run with different versions of libraries",
    "answers-failed": "answers that ended with an error count as failed, as the tool counts them",
    "answers-left-out": "answers without a score were left out of a log, as the tool does",
    "costs-of-logs": "what price, tokens and seconds are of: one answer, or every item once",
    "files-passed-over": "files of a folder that are no logs of an evaluation",
    "items-differ": "models did not answer the same items of a benchmark",
    "items-inferred": "items that a log does not list were taken from other logs",
    "log-cut-off": "the last line of a log breaks off and was left out",
    "log-unreadable": "a broken log of a folder was left out",
    "metric-taken": "which metric of a log was taken, where it has several",
    "metrics-without-items": "metrics of a log that have no number per item",
    "items-summed": "only some of the logs have items, so that totals or means are compared",
    "one-benchmark": "logs of one benchmark have one mean per model, which no test over benchmarks can compare",
    "price-unknown": "what some answers cost is not known",
    "run-incomplete": "a run did not end well, or is not at its end",
    "runs-repeated": "of several runs of one model on one benchmark the latest counts",
    "epochs-averaged": "repeated answers are averaged, where the tool sums them up in another way",
    "seeds-as-epochs": "runs of a model that differ in their seed alone are its repeated answers",
    "usage-of-others": "tokens of other models, such as one that grades, are not counted",
}
"""What reading and selecting can say."""

STATS: dict[str, str] = {
    "all-tied": "every data set ties all algorithms, so that nothing distinguishes them",
    "arbitrary-direction": "a learned direction that the data do not determine",
    "chains-disagree": "the chains of a simulation do not agree yet",
    "clusters-cross-benchmarks": "clusters of items lie in several benchmarks, which are then tested together",
    "constant-difference": "a difference that does not vary: the statistic is infinite and p the smallest number",
    "dependent-measures": "measures that follow from others; the dimensions that they span are compared",
    "design-effect": "clusters make a variance larger or smaller than that of independent items",
    "extreme-pvalues": "p-values of exactly 0 or 1 were combined",
    "filled-results": "what is missing was filled in by what its row and column are like elsewhere",
    "few-clusters": "too few clusters of items for intervals by t",
    "few-items": "too few items for intervals by t",
    "few-datasets": "too few data sets for an approximation, or for much to be found",
    "few-examples": "too few examples, or errors among them, for an approximation",
    "few-folds": "too few folds for an approximation, or for much to be found",
    "fewer-dimensions": "algorithms that differ in fewer directions than there are measures; those are compared",
    "folds-share-training-data": "a test that takes folds for independent, although they share training data",
    "gaps-left-out": "gaps were left out, as if they said nothing about the missing scores",
    "items-differ": "models do not have the same items; a pair is tested on those that both have",
    "least-pvalue": "no p-value below some number is possible with so few data sets, folds, items or clusters",
    "many-ties": "many data sets tie algorithms, which costs power",
    "measure-left-out": "a measure without differences was left out",
    "no-difference": "algorithms that score the same everywhere: p is 1",
    "no-folds": "data sets with one score for each algorithm were left out of a test of folds",
    "no-margin": "the margin is a share of a score that is 0 on some data set",
    "no-variation": "values that do not vary, of which nothing can be said",
    "not-spherical": "the differences of algorithms do not share one variance, as the test assumes",
    "odd-ties": "of an odd number of ties one was dropped, the others were split",
    "one-cluster": "all items are of one cluster, so that nothing tells how much clusters vary",
    "one-scale": "the test compares sizes between data sets, so all scores need one scale",
    "only-ties-join": "sets of algorithms that only ties join are not compared",
    "optimistic": "a statistic of a direction that was chosen from the same folds",
    "pairing-lost": "only totals are known, so that differences which the items would show may be missed",
    "pairing-ignored": "the test does not use that the algorithms were run on the same folds",
    "perfect-agreement": "all data sets agree perfectly: the statistic is infinite and p is exact",
    "printed-variance": "the variance printed in the papers is not that of a difference",
    "significant-wins": "only wins that are significant inside their data set count",
    "spread-evenly": "a plan takes a difference to be spread evenly over clusters",
    "simulated-power": "a power that was simulated, with its error",
    "sphericity-unknown": "a test or estimate of sphericity is not defined here",
    "tested-on-means-too": "scores tie so often that a mean was tested too, and the larger p-value counts",
    "too-many-measures": "as many measures as the folds have room for: p is 1 whatever the data",
    "uneven-clusters": "one cluster holds a large share of the items, so that intervals by t are rough",
    "upper-bound": "the p-value is only a lower bound",
    "zero-error": "the error is zero, so that any difference gets the smallest p-value",
}
"""What the tests on plain arrays can say."""

DECIDING: dict[str, str] = {
    "beaten-but-before": "an algorithm stands before one that beats it, as decisions are not transitive",
    "baseline-missing": "the baseline has no score on some data sets; the median algorithm stands in for it",
    "blocked-disagrees": "the analysis blocked by fold would decide otherwise than the one-way analysis",
    "cannot-reject": "with so few folds no permutation test can reject, however large the differences",
    "combined-over-datasets": "a p-value combined over data sets says that a pair differs somewhere",
    "cost-inside-places": "an order by places, which counts cost on every data set and again over them",
    "cost-of-zero": "something costs nothing: it is free, or what it costs is not known",
    "cost-noise": "neighbours in the order whose costs differ by no more than noise, where cost decided",
    "costs-costliest": "missing costs count as the largest of their data set",
    "costs-drop-algorithms": "algorithms with a missing cost were left out",
    "costs-drop-datasets": "data sets with a missing cost were left out",
    "dominance": "with several scores one algorithm is preferred only where it dominates",
    "gate-over-datasets": "a gate without items: the verdict is on other data sets like these",
    "missing-would-decide": "a candidate passes without answers that it lacks, and would not if these were wrong",
    "unanswered-wrong": "answers that the candidate lacks count as wrong, as told",
    "same-shares-at-looks": "an anytime verdict on several benchmarks needs the same shares of items at every look",
    "false-discovery": "the correction bounds the share of false differences, not the chance of any",
    "five-by-two": "5x2 cross-validation is tested by the 5x2 cv F test for several measures",
    "folds-far-out": "some folds lie far out from the others of their algorithm",
    "folds-without-replications": "many folds without replications are taken for one cross-validation",
    "gaps-drop-algorithms": "algorithms with gaps were left out",
    "gaps-drop-datasets": "data sets with gaps were left out",
    "gaps-drop-folds": "folds that some algorithm lacks were left out",
    "gaps-worst-rank": "failed runs were ranked last",
    "groups-cut": "there are too many groups to list",
    "idle-posthoc": "a test over data sets was asked for, and there is one data set",
    "items-averaged": "items were averaged, and their benchmarks tested as data sets",
    "many-groups": "there are too many groups for letters",
    "more-of-this-kind": "more caveats of the same kind were left out",
    "normality-rejected": "the measures are not normal together",
    "normality-unjudged": "there are too few folds to judge normality",
    "metrics-differ": "scores are by different metrics, so that they are never averaged nor ranked by size together",
    "no-distance": "on some data sets no algorithm is better than the baseline, so that shares of the way say little",
    "not-corrected": "p-values of many pairs are not corrected for their number",
    "omnibus-hides-pairs": "pairs with a small p-value are not called different, as the omnibus test does not reject",
    "on-these-datasets": "the answer holds for these data sets, not for others",
    "one-dataset": "the answer holds for one data set alone",
    "only-cost-decided": "no test could decide anything: the order is that of cost, or the given one",
    "ordered-by-score": "no cost was given: where no test decides, the mean score does",
    "order-by-cost": "no test decided: the order is that of cost, or the given one",
    "order-tests-pairs": "the order tests pairs on every data set, whatever the test of all algorithms says",
    "intervals-for-one-look": "intervals hold for one look at the results, though the test may look again and again",
    "other-unit": "differences are not in the unit of the scores, but in one that all data sets share",
    "pairs-against-ranks": "pairs whose better one by their own scores has the worse mean rank",
    "ranked-by-score": "places inside the data sets are those of mean scores, without a test",
    "ranks-and-scores-disagree": "pairs that mean ranks among all and the two algorithms' own scores judge differently",
    "ranks-of-two": "ranks of two algorithms ignore how large differences are",
    "scales-as-told": "pairs are tested on other numbers than the scores, as told, although these lie on one scale",
    "target-units": "an error in the unit of the target was taken as it stands over data sets whose units may differ",
    "scales-differ": "scores lie on scales of different size, detected and not told",
    "statistic-beside": "the statistic that was asked for does not decide here",
    "stopped-early": "algorithms were stopped by what their scores showed, which tests of a fixed size do not know",
    "tied-costs": "costs tie and were ordered by a rule",
    "variance-corrected": "the variance of a mean over folds allows for the training data that they share",
    "weak-correction": "the correction does not keep the family-wise error where some differences are real",
}
"""What comparing and ordering can say."""

BATTLES: dict[str, str] = {
    "votes-left-out": "rows without a vote, or algorithms without a battle, were left out",
    "self-battles": "battles of an algorithm with itself were left out",
    "both-bad-votes": "votes that call both bad were counted as ties, or left out",
    "repeated-votes": "votes repeat prompt, voter, pair and winner of another",
    "clusters-unknown": "some votes have no prompt or no voter, and count each as one by itself",
    "votes-independent": "votes were taken for independent of each other",
    "few-clusters": "there are few prompts, voters or data sets, so that little can be told of others",
    "too-few-clusters": "prompts, or voters, are too few for a claim about others",
    "no-tie-model": "without ties, or with ties alone, the plain model of Bradley and Terry was fitted",
    "pseudo-votes": "votes against an average algorithm were added, which draws strengths together",
    "algorithms-left-out": "algorithms that votes do not hold together with the others were left out",
    "battles-not-fought": "algorithms did not meet on data sets where one of them has no score",
    "side-preferred": "the side on which an answer is shown sways the votes",
}
"""What battles can say."""

ADVISOR: dict[str, str] = {
    "algorithms-left-out": "algorithms without the results that are needed take no part",
    "all-alike": "nothing makes one known data set nearer than another, so all count alike",
    "best-nowhere": "algorithms that are best on no data set",
    "best-of-many": "chosen as the best of many tries, so its score is too good",
    "columns-left-out": "columns that cannot be meta-attributes were not read",
    "counted-as-worst": "what is missing counts as the worst result of its data set",
    "datasets-left-out": "data sets without what is needed take no part",
    "dependent-blocks": "blocks of a test are not independent: folds of one data set, data sets of one origin",
    "different-folds": "data sets have different folds, each tested on its own",
    "errors-clipped": "errors worse than those of predicting the mean count as that",
    "errors-turned": "success rates were made from errors",
    "estimated-machine-factors": "the slowness of machines is estimated from the times themselves",
    "faster-correction": "a faster correction of p-values stands for one that takes too long",
    "few-rows": "fewer rows than numeric attributes: some of what was measured says nothing",
    "fewer-neighbours": "more neighbours were asked for than there are",
    "floored-success-rates": "success rates below the floor count as the floor",
    "floored-times": "times below the resolution of the clock count as it",
    "folds-missing": "some means are over a part of the folds",
    "guessed-column": "which column plays a role was not told but found",
    "known-by-name": "a neighbour has the name of the data and may be the same data",
    "known-by-look": "a known data set has the rows and classes of the data and may be the same data",
    "known-itself": "the data set is among the known ones, so its own results count",
    "known-twice": "data sets that another base covers were not added",
    "machines-not-tied": "no result ties two machines together, so their seconds are not comparable",
    "measured-before": "data sets were stored before such data were measured, and lack meta-attributes",
    "measures-not-applicable": "measures that do not apply to the data count as farther",
    "mixed-scores": "success rates are different scores on different data sets",
    "mixed-versions": "meta-attributes of different versions are mixed",
    "no-meta-attributes": "there are no meta-attributes to find neighbours by",
    "no-significant-win": "no difference is significant anywhere, so all tie",
    "no-test-inside-datasets": "mean scores alone rank inside a data set, without a test",
    "omnibus-not-rejected": "the test over all does not reject, so single pairs prove little",
    "one-origin": "all neighbours are of one origin",
    "optimistic-losses": "the best is chosen by the scores that are reported",
    "other-measures": "the usual measures are not known, so others serve",
    "outside-known-range": "a measure of the data lies outside what is known",
    "pairs-on-common-datasets": "results are missing: two algorithms are compared where both were measured",
    "rarely-measured": "algorithms with results on few of the neighbours",
    "read-under-our-names": "columns of other collections were read as our meta-attributes",
    "sampled": "computed on a sample of the data, not on all of them",
    "several-machines": "times come from several machines",
    "shipped-base": "what is known comes from the base that ships with the package",
    "repeated-errors": "results of a published base may be those of the setting before, which stand in for failures",
    "few-shared-measures": "of the measures that usually tell which data sets are alike, a base has some only",
    "times-missing": "a base has no times although it could have",
    "small-arr-divisors": "times differ so much that ARR rewards the fast more than AccD says",
    "spelled-differently": "names of data sets differ in case between two tables",
    "tied-neighbours": "data sets tie at the distance of the last neighbour",
    "tied-ranks": "algorithms with equal scores share a rank",
    "times-beyond-measured": "times are predicted for data larger, or smaller, than all that was timed",
    "times-measured": "times measured on known data sets stand for those of the new one, which could not be predicted",
    "times-unknown": "of some algorithms no time is known, so that none can be predicted",
    "too-slow-here": "algorithms that are predicted to take too long on data larger than all known are not ranked",
    "times-without-size": "times are predicted without the size of the data",
    "times-left-out": "times of data sets without the reference are left out",
    "worth-not-judged": "what advice by a method that tests is worth was not judged, as it takes long",
    "unlike-anything-known": "the data are farther from all known ones than those from each other",
    "unranked-algorithms": "algorithms that could not be compared with the others are not ranked",
    "unranked-datasets": "data sets with fewer than two ranked algorithms are left out of means",
    "untested-datasets": "data sets without folds cannot show a significant win",
    "weights-ignored": "the method takes no weights, so data sets count alike",
    "which-time": "which columns of time were taken",
    "zero-errors": "errors of 0 count as half the least positive one",
}
"""What recommending, and judging recommendations, can say."""

LAB: dict[str, str] = {
    "class-not-tested": "the test part holds no row of some class",
    "class-not-trained": "some training part holds no row of some class",
    "class-not-validated": "no validation part holds a row of some class",
    "empty-test-part": "no rows could be spared for the test part",
    "failed-cells-kept": "failed cells stay as they are until they are retried",
    "budget-over": "the budget of a run ended before its plan; what is left, and what can be compared already",
    "weights-not-taken": "some algorithms take no weights of rows and learn as if all counted alike",
    "other-runner": "another runner has claimed cells of the plan",
}
"""What preparing data sets and running learners can say."""

TRYING: dict[str, str] = {
    "best-of-tried": "the best of several tried algorithms: its score is a little too good",
    "library-missing": "algorithms were not tried because their libraries are not installed",
    "no-such-learner": "recommended algorithms that the lab has no learner for were not tried",
    "target-given-away": "the attributes tell the number to predict almost exactly: one may be made of it",
    "not-above-majority": "no algorithm is better than always answering the most frequent class",
    "not-below-mean": "no algorithm has a smaller error than always predicting the mean",
    "order-and-advice-differ": "another algorithm is advised than the one that stands first by tests and cost",
    "package-missing": "the lines of code need packages that are not installed here",
    "trial-cut": "trials were cut by the end of the time; their finished folds are kept",
    "trial-failed": "an algorithm failed on the data, with the reason",
    "trials-not-begun": "trials that would take longer than the time that was left were not begun",
}
"""What trying a recommendation out can say."""

STUDIES: dict[str, str] = {
    "how-to-read": "how the tables of a study are to be read",
    "draws-overlap": "draws from one table share data sets, so that they agree more than new data sets would",
    "not-testable": "a data set could not be tested and counts as showing nothing",
    "measures-named": "measures were named, perhaps after trying several on the same results",
    "method-left-out": "a method that the results do not allow was left out",
    "no-folds": "there is one score per data set and algorithm, so there is no ceiling",
    "no-times": "there are no times, so runs are counted",
    "cost-on-both-parts": "cost is the same on both parts that are compared, so orders that rest on it agree",
    "run-elsewhere": "why results of a published experiment come out differently here",
    "one-held-out-part": "all models of a data set are scored on one held-out part, which is no new data each time",
    "other-yardstick": "a method is measured by what it does not aim at",
}
"""What the studies can say."""

FIGURES: dict[str, str] = {
    "algorithms-not-drawn": "some algorithms are left out of the figure",
    "cliques-without-colour": "there are more cliques than colours; the smallest have none",
    "folds-not-drawn": "not every fold is a point of its own",
    "folds-taken-as-independent": "folds of all data sets count as independent blocks, which they are not",
    "groups-not-drawn": "some groups have no bar or line of their own",
    "folded-to-height": "the last algorithms or pairs are folded, so that the figure keeps to its height",
    "higher-than-a-page": "the figure is higher than a page; drawing fewer algorithms makes it lower",
    "letters-not-in-font": "some characters are not in the font that draws the figure",
}
"""What figures can say of what they leave out."""

CHECKING: dict[str, str] = {
    "bold-not-best": "a result in bold is not the best of its data set, or the best is not in bold",
    "direction-from-bold": "which way is better was told by the results in bold",
    "direction-from-caption": "which way is better was told by the caption",
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


def distinct(caveats: Iterable[Caveat]) -> Caveats:
    """Return each caveat once, in the order of first appearance."""
    return tuple(dict.fromkeys(caveats))


def codes_of(caveats: Iterable[Caveat]) -> list[str]:
    """Return the codes, each once, as JSON gives them beside the sentences."""
    return list(dict.fromkeys(caveat.code for caveat in caveats))
