"""The records of methods: complete, derived from everywhere, and nothing reachable that they do not allow."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from tiebreak import Results, compare, multivariate as several, order, stats
from tiebreak.advisor.rankings import RANKING_METHODS
from tiebreak.cli.parsing import parser_of
from tiebreak.comparison import comparison as comparing
from tiebreak.errors import OptionError
from tiebreak.methods import METHODS, Method, choices, choices_text, find, following, goes_with, of_kind
from tiebreak.methods.policies import COST_POLICIES, OF_VERB, POLICIES
from tiebreak.papers import keys
from tiebreak.stats import multivariate
from tiebreak.studies import ErrorRates, error_rates
from tiebreak.studies.procedures import promised, records_of

from .every import every

OnceForAll = Callable[[str, Callable[[], Any]], Any]
BY_NAME = [pytest.param(method, id=f"{method.kind} {method.name} {'/'.join(method.follows[:1])}") for method in METHODS]
PROMISING = [method for method in METHODS if method.promise.keeps != "nothing"]


@every("method", BY_NAME)
def test_every_record_is_complete(method: Method) -> None:
    assert method.question.endswith("?") and method.promise.premises
    if not method.functions:  # a choice that stands for the lack of a method
        assert method.name in ("none", "score")
        return
    assert method.papers and set(method.papers) <= set(keys())
    for name in method.functions:
        assert callable(getattr(import_module(method.home), name))
    assert method.function() is getattr(import_module(method.home), method.functions[0])
    assert set(method.follows) <= set(choices("omnibus"))
    assert set(method.gaps) <= set(POLICIES)
    signature = inspect.signature(method.function()).parameters
    assert set(method.settings) | set(method.options) <= set(signature)


@pytest.mark.parametrize("module", [stats, multivariate], ids=lambda m: m.__name__)
def test_every_public_function_of_stats_belongs_to_a_record(module: object) -> None:
    named = {name for method in METHODS if method.home == module.__name__ for name in method.functions}  # type: ignore[attr-defined]
    public = {name for name in module.__all__ if inspect.isfunction(getattr(module, name))}  # type: ignore[attr-defined]
    assert public == named & public and public <= named, public - named


def test_names_are_told_apart_by_kind_and_omnibus_test() -> None:
    for kind in {method.kind for method in METHODS}:
        places = [(item.name, after) for item in of_kind(kind) for after in item.follows or ("",)]
        assert len(places) == len(set(places)), kind


# ---- promises are measured


@pytest.fixture(scope="module")
def measured(once_for_all: OnceForAll) -> ErrorRates:
    """The procedures and settings of the error-rate study; what they did does not matter here."""
    return once_for_all("small study", lambda: error_rates(repetitions=2, n_algorithms=4, n_datasets=12))


@pytest.mark.parametrize("method", PROMISING, ids=lambda m: f"{m.kind} {m.name} {'/'.join(m.follows[:1])}")
def test_every_promise_has_a_measured_error_rate(method: Method, measured: ErrorRates) -> None:
    assert any(method in records_of(procedure) for procedure in {rate.procedure for rate in measured.rates})


def test_every_premise_of_a_test_is_a_setting_of_the_study(measured: ErrorRates) -> None:
    settings = {rate.noise for rate in measured.rates}
    for method in PROMISING:
        assert method.kind == "correction" or method.promise.under, method.name
        assert set(method.promise.under) <= settings, method.name


def test_what_the_study_holds_a_procedure_to_follows_from_the_records() -> None:
    exchangeable = ("normal", "skewed", "heavy", "tied", "0/1", "500 items, 0/1")
    everywhere = (*exchangeable, "unequal", "crowd", "300 x 8, crowd")
    assert promised(("all pairs", "wilcoxon, holm")) == {"null": everywhere, "partial": everywhere}
    assert promised(("good enough", "non-inferiority, holm")) == {"null": everywhere, "partial": everywhere}
    assert promised(("good enough", "signed ranks alone, holm")) == {}
    assert promised(("all pairs", "wilcoxon, benjamini-hochberg")).keys() == {"null"}
    assert promised(("all pairs", "ranks z, holm")) == {"null": exchangeable}
    assert promised(("former default", "if friedman rejects: ranks z, holm")) == {"null": exchangeable}
    assert promised(("all pairs", "ranks z, li")) == promised(("all pairs", "paired t, none")) == {}
    assert promised(("all pairs", "tukey")) == {"null": ("normal",), "partial": ("normal",)}
    assert promised(("omnibus", "rm-anova, huynh-feldt")) == {"null": ("normal", "unequal")}
    assert promised(("one data set", "mcnemar, mid-p")) == {}


def named(keeps: str, *kinds: str) -> set[str]:
    return {method.name for method in METHODS if method.promise.keeps == keeps and method.kind in kinds}


def test_promises_are_those_of_the_literature() -> None:
    """Written down a second time on purpose: a promise that is changed by mistake must not pass unseen."""
    strong = "bonferroni sidak holm hochberg hommel holland rom shaffer bergmann-hommel"
    assert named("any test", "correction") == set(strong.split())
    assert named("share", "correction") == {"benjamini-hochberg", "benjamini-yekutieli"}
    assert named("any test if none is real", "correction") == {"finner"}
    assert named("nothing", "correction") == {"none", "li"}
    assert {item.name for item in of_kind("correction") if item.promise.needs} == {
        *("sidak", "hochberg", "hommel", "holland", "rom", "benjamini-hochberg")
    }
    safe = {item.name for item in of_kind("pairs", "posthoc") if item.promise.partly}
    assert safe == {
        *("wilcoxon", "sign", "wins", "significant-wins", "paired-t", "tukey", "dunnett", "non-inferiority"),
        *("anytime", "closed-e-values"),
    }
    assert named("nothing", "folds") == {"score"}
    assert named("each test", "pairs") == set(choices("pairs")) and named("any test", "posthoc") == set(
        choices("posthoc")
    )
    assert {method.name for method in METHODS if method.control == "never"} == {
        *("nemenyi", "dunn", "tukey", "shaffer", "bergmann-hommel")
    }
    papers = {item.name: item.papers for item in of_kind("correction")}
    assert papers["holm"] == ("holm1979",) and papers["bergmann-hommel"] == ("bergmann1988",)


def test_corrections_of_stats_are_those_of_the_records() -> None:
    assert tuple(stats.CORRECTIONS) == choices("correction")
    assert all(stats.CORRECTIONS[item.name] is item for item in of_kind("correction"))


# ---- combinations: denied unless stated


def allowed(omnibus: str, pairwise: str | None, posthoc: str | None, control: bool, missing: str) -> bool:
    """Say from the records alone whether a combination may be asked for; the omnibus test is named."""
    current = find(posthoc, "posthoc", "correction") if posthoc else None
    if current is not None and current.kind == "posthoc":
        tests = [] if pairwise else [current]
    else:
        ranks = omnibus == "skillings-mack" or missing == "worst-rank"
        default = "paired-t" if omnibus == "rm-anova" else "ranks" if ranks else "wilcoxon"
        tests = [item for item in of_kind("pairs", verb="compare") if item.name == (pairwise or default)]
    fitting = [test for test in tests if omnibus in test.follows]
    if not fitting:
        return False
    if current is not None and current.control == ("never" if control else "always"):
        return False
    policy = "skillings-mack" if omnibus == "skillings-mack" and missing == "refuse" else missing
    return goes_with(find(omnibus, "omnibus"), policy) and goes_with(fitting[0], policy)


COMBINATIONS = list(
    itertools.product(
        choices("omnibus", verb="compare"),
        (None, *choices("pairs", verb="compare")),
        (None, *choices("posthoc", verb="compare"), "holm", "shaffer"),
        (False, True),
        ("refuse", "drop-datasets", "worst-rank", "skillings-mack"),
    )
) + [("friedman", None, name, control, "refuse") for name in choices("correction") for control in (False, True)]
"""Corrections differ only in whether they take a control: two go with everything, each with one test."""


class Reached(Exception):
    """A combination has passed every check and is about to be tested."""


def test_nothing_is_reachable_that_no_record_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """All are asked for. Of those that are allowed every fifteenth is tested to the end, so that each test meets many
    corrections and each correction many tests; the others end where the tests begin, which cost most of the time."""
    scores = np.random.default_rng(0).random((7, 3, 5, 2)) + np.arange(3)[:, None, None] / 9
    scores[3, 1] = np.nan
    folds, means = (
        Results.from_array(item, score="error", algorithms=list("abc")) for item in (scores, scores.mean(axis=(2, 3)))
    )
    with_folds, without = (folds, folds.complete()), (means, means.complete())
    turn, whole_way = itertools.cycle(range(15)), comparing.run_omnibus

    may: set[tuple[int, object]] = set()
    did: set[tuple[int, object]] = set()

    def to_the_end_now_and_then(*options: Any) -> Any:
        if expected and next(turn) and did.issuperset(enumerate(case)):
            raise Reached
        did.update(enumerate(case))
        return whole_way(*options)

    monkeypatch.setattr(comparing, "run_omnibus", to_the_end_now_and_then)
    for omnibus, pairwise, posthoc, control, missing in COMBINATIONS:
        case = (omnibus, pairwise, posthoc, control, missing)
        expected = allowed(*case)
        may.update(enumerate(case) if expected else ())
        gapped, whole = with_folds if pairwise == "significant-wins" else without
        table = whole if missing == "refuse" and omnibus != "skillings-mack" else gapped
        try:
            compare(
                table,
                omnibus=omnibus,
                pairwise=pairwise,
                posthoc=posthoc,
                control="a" if control else None,
                missing=missing,
            )
            accepted = True
        except Reached:
            accepted = True
        except OptionError:
            accepted = False
        assert accepted == expected, case
    assert did == may


def test_order_and_multivariate_take_what_their_records_say_and_nothing_else() -> None:
    folds = np.random.default_rng(0).normal(size=(6, 3, 5, 2)) + np.arange(3)[:, None, None]
    table = Results.from_array(folds, score="error", algorithms=list("abc"))
    options = {"omnibus": ("omnibus",), "posthoc": ("posthoc", "correction"), "inner_adjust": ("correction",)}
    for option, kinds in options.items():
        for name in {method.name for method in METHODS}:
            offered = name in choices(*kinds, verb="order")  # type: ignore[arg-type]
            try:
                order(table, prior=list("abc"), **{option: name})  # type: ignore[arg-type]
                assert offered, (option, name)
            except OptionError:
                assert not offered, (option, name)
    for omnibus, posthoc in itertools.product(choices("omnibus", verb="order"), choices("posthoc", verb="order")):
        assert omnibus in find(posthoc, "posthoc").follows
        assert order(table, prior=list("abc"), omnibus=omnibus, posthoc=posthoc).order
    for name in choices("correction"):
        assert several(table, scores=["error"], adjust=name, dataset="data set 1").adjust == name
    with pytest.raises(OptionError, match="There is no correction 'nemenyi'"):
        several(table, scores=["error"], adjust="nemenyi", dataset="data set 1")


def test_a_method_that_is_not_stated_is_refused_with_what_fits() -> None:
    with pytest.raises(OptionError) as error:
        find("conover", "pairs", after="quade", verb="compare", what="pairwise test")
    assert str(error.value) == (
        "The pairwise test conover does not go with the omnibus test quade. It goes with friedman, friedman-chi2 or"
        " friedman-exact only. Use omnibus='friedman', or another pairwise test: ranks, wilcoxon, sign, wins,"
        " significant-wins, paired-t or anytime."
    )
    assert following("skillings-mack", "pairs", verb="compare") == ("ranks",)


# ---- what is derived


def help_of(verb: str) -> str:
    return " ".join(parser_of(verb, shown="all").format_help().split())


def test_the_command_line_offers_what_the_records_say() -> None:
    for kinds in (("omnibus",), ("pairs",), ("correction", "posthoc")):
        assert choices_text(*kinds, verb="compare") in help_of("compare").replace("- ", "-")
    assert all(name in help_of("order") for name in choices("folds", verb="order"))
    for verb in ("compare", "order", "multivariate"):
        text = help_of(verb).replace("- ", "-")
        for policy in POLICIES:
            assert (f" {policy}" in text.split("--missing POLICY")[-1]) == (policy in OF_VERB[verb]), (verb, policy)
    assert all(policy in help_of("order") for policy in COST_POLICIES)


def test_the_names_of_the_verbs_take_no_others() -> None:
    table = Results.from_array(np.random.default_rng(1).random((12, 3)), score="error", algorithms=list("abc"))
    with pytest.raises(OptionError, match="There is no omnibus test 'quade'"):
        order(table, prior=list("abc"), pairwise="score", omnibus="quade")
    assert set(choices("ranking")) == set(RANKING_METHODS)
