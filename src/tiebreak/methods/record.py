"""What a method is: one frozen record, from which choices, checks, caveats, references and docs are derived."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

Kind = Literal[
    "omnibus", "pairs", "posthoc", "correction", "folds", "measures", "premise", "bayes", "size", "planning",
    "distribution", "ranking", "ordering", "items",
]  # fmt: skip
"""What a method answers: do they differ at all, which pairs, with which correction, on the folds of a data set, ..."""

Takes = Literal[
    "scores", "paired scores", "paired folds", "ranks", "errors", "gapped errors", "p-values", "p-values of all pairs",
    "fold scores", "predictions", "items", "totals", "fold measures", "e-values", "numbers", "success rates", "places",
]  # fmt: skip
"""What it computes from. "ranks" may stand for scores that are not there (a failed run ranks last), "errors" are scores
turned so that lower is better, "gapped errors" may have gaps; "paired folds" are the fold scores of all data sets."""

Keeps = Literal["each test", "any test", "any test if none is real", "share", "nothing"]
"""Which error rate stays at most alpha: of each test by itself; of any among all (family-wise); of any, but only where
no difference is real; the share of false ones among those found (false discovery); none."""

Control = Literal["either", "never", "always"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Promise:
    """What a method promises of its mistakes, and under which premises.

    `under` names the settings of the error-rate study in which the premises are true; `partly` says whether a true
    hypothesis is safe also where others are false; `needs` is a premise about the tests among each other.
    """

    keeps: Keeps
    premises: str
    under: tuple[str, ...] = ()
    partly: bool = False
    needs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Method:
    """One method; what is not stated here is not allowed.

    Parameters
    ----------
    name : str
        As the command line and the plain data spell it. Methods of one kind may share a name if they follow different
        omnibus tests.
    kind, takes
        What it answers and what it computes from.
    question : str
        In one sentence, as it ends with a question mark.
    functions : tuple of str
        The public functions that compute it, the main one first; looked up when called, so that nothing loads early.
    promise : Promise
    papers : tuple of str
        Keys of `tiebreak.papers`.
    verbs : tuple of str
        The verbs that offer it.
    follows : tuple of str
        The omnibus tests after which it may be used; for a correction, nothing: it goes with every test of pairs.
    gaps : tuple of str
        The policies that leave gaps in the table which it can take.
    control : {"either", "never", "always"}
        Whether it compares with a control.
    settings : mapping
        Arguments that make the function this method.
    options : tuple of str
        Arguments of the function that a plan decides.
    home : str
        The package that holds the functions.
    critical_difference : str
        The function that computes one, if there is one.
    on_a_line : bool
        Whether its p-values fall with a distance of positions on a line, which the sharpest correction can use.
    few_datasets : bool
        Whether it is made for few data sets, and too slow or of no use with many.
    resampling : tuple of int
        The replications and folds that a test on folds needs; empty where it takes any.
    symbol : str
        The letter of its statistic in a sentence.
    label : str
        What the error-rate study calls it; its name where empty.
    null : str
        Its hypothesis as a sentence says it after "the hypothesis that", with {score} for the name of the score; for an
        omnibus test {who} stands for the algorithms, a test of pairs speaks of one pair.
    """

    name: str
    kind: Kind
    question: str
    takes: Takes
    functions: tuple[str, ...]
    promise: Promise
    papers: tuple[str, ...]
    verbs: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    control: Control = "either"
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    home: str = "tiebreak.stats"
    critical_difference: str = ""
    on_a_line: bool = False
    few_datasets: bool = False
    resampling: tuple[int, ...] = ()
    symbol: str = "z"
    label: str = ""
    null: str = ""

    def function(self) -> Callable[..., Any]:
        """Return the main function."""
        function: Callable[..., Any] = getattr(import_module(self.home), self.functions[0])
        return function

    def __call__(self, *data: Any, **options: Any) -> Any:
        """Compute it, by the main function with the settings that make it this method."""
        return self.function()(*data, **self.settings, **options)

    @property
    def on_own_scores(self) -> bool:
        """Whether a pair is judged by its own two algorithms alone, whoever else is in the table."""
        return self.takes in ("paired scores", "paired folds", "fold scores", "items", "totals")


def each_test(premises: str, *under: str, partly: bool = False) -> Promise:
    """Promise that each test errs with probability alpha at most."""
    return Promise(keeps="each test", premises=premises, under=under, partly=partly)


def any_test(premises: str, *under: str, partly: bool = False) -> Promise:
    """Promise that the probability of any error among all tests is alpha at most."""
    return Promise(keeps="any test", premises=premises, under=under, partly=partly)


def nothing(premises: str) -> Promise:
    """Promise nothing of errors."""
    return Promise(keeps="nothing", premises=premises)


def recorded(name: str, question: str, functions: str, promise: Promise, papers: str, **rest: Any) -> Method:
    """Write a record, with functions and papers as names with blanks between."""
    return Method(
        name=name,
        question=question,
        functions=tuple(functions.split()),
        promise=promise,
        papers=tuple(papers.split()),
        **rest,
    )
