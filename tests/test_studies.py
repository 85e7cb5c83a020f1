"""The study of error rates: what it measures, that it would notice a broken procedure, and that it repeats itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from tiebreak import stats
from tiebreak.cli import main
from tiebreak.errors import OptionError
from tiebreak.methods import find
from tiebreak.stats.many.rank_tests import from_mean_ranks
from tiebreak.studies import ErrorRates, error_rates
from tiebreak.studies.error_rates import BLOCK, FURTHER, Rate, in_blocks, interval, over_datasets, rates_of
from tiebreak.studies.procedures import (
    NOISES,
    PAIRS,
    TRUTHS,
    Experiment,
    corrected,
    draw_tables,
    none_or_all,
    rejections,
    signed_rank_pvalues,
    true_effects,
    with_gaps,
)
from tiebreak.studies.resampling import MODELS, SCHEMES, SIZE, splits
from tiebreak.studies.special_procedures import default_rejections, truly_good
from tiebreak.verbs.studies import STUDIES

from .every import every

ALPHA = 0.05
OnceForAll = Callable[[str, Callable[[], Any]], Any]


@pytest.fixture(scope="module")
def study(once_for_all: OnceForAll) -> ErrorRates:
    """Intervals of 99.9 %: a thousand rates are looked at, and none of them should stand out by chance."""
    return once_for_all("study", lambda: error_rates(repetitions=30, confidence=0.999, rng=20))


@pytest.fixture(scope="module")
def unequal(once_for_all: OnceForAll) -> ErrorRates:
    """One noise alone, more often: some procedures err too often there, but not by much."""

    def made() -> ErrorRates:
        rng = np.random.default_rng(20)
        rates = [
            rate
            for truth in ("null", "partial")
            for rate in rates_of(over_datasets((30, 6)), "unequal", truth, 200, rng, alpha=ALPHA, confidence=0.999)
        ]
        return replace(small("tied"), repetitions=200, rates=tuple(rates))

    return once_for_all("unequal", made)


@pytest.fixture(scope="module")
def correlated(once_for_all: OnceForAll) -> ErrorRates:
    """One data set alone, more often: it takes a moment."""

    def made() -> ErrorRates:
        rng = np.random.default_rng(20)
        rates = rates_of(MODELS, "correlated folds", "null", 400, rng, alpha=ALPHA, confidence=0.999)
        return replace(small("tied"), repetitions=400, rates=tuple(rates))

    return once_for_all("correlated", made)


@cache
def small(*noises: str) -> ErrorRates:
    """A study so small that it takes a moment, made once for all who look at the same noises."""
    return error_rates(repetitions=3, noises=noises or None, **SMALL)


def of(study: ErrorRates, question: str, procedure: str, noise: str, truth: str) -> Rate:
    return next(
        r for r in study.rates if (r.question, r.procedure, r.noise, r.truth) == (question, procedure, noise, truth)
    )


def test_every_procedure_keeps_the_error_it_promises(study: ErrorRates) -> None:
    assert study.broken() == []
    held = [r for r in study.rates if r.promised]
    assert len(held) > 300 and {r.truth for r in held} == {"null", "partial"}
    assert all(r.error is not None for r in held)


def test_every_correction_is_in_the_study(study: ErrorRates) -> None:
    names = {(r.question, r.procedure) for r in study.rates}
    for correction in stats.CORRECTIONS:
        assert ("all pairs", f"ranks z, {correction}") in names
        assert ("all pairs", f"paired t, {correction}") in names
        assert (("control", f"ranks z, {correction}") in names) == (find(correction, "correction").control != "never")


LIBERAL = [
    ("all pairs", "ranks z, none", "normal", "null"),
    ("all pairs", "paired t, none", "normal", "null"),
    ("control", "ranks z, holm", "crowd", "null"),
    ("former default", "if friedman rejects: ranks z, bergmann-hommel", "crowd", "partial"),
    ("former default, control", "if friedman rejects: ranks z, holm", "crowd", "partial"),
    ("former default", "if friedman rejects: ranks z, bergmann-hommel", "300 x 8, crowd", "partial"),
    ("good enough", "non-inferiority, none", "normal", "null"),
    ("good enough", "signed ranks alone, holm", "500 items, 0/1", "null"),
    ("one data set", "k-fold t, 10x10 folds", "nearest means", "null"),
]


LIBERAL_WHERE_UNEQUAL = [
    ("all pairs", "ranks z, none", "partial"),
    ("all pairs", "ranks z, finner", "partial"),
    ("all pairs", "ranks z, benjamini-hochberg", "partial"),
    ("control", "dunnett", "null"),
]


@every("place", LIBERAL)
def test_what_is_known_to_err_too_often_does_so_here(study: ErrorRates, place: tuple[str, str, str, str]) -> None:
    too_often(study, of(study, *place))


@pytest.mark.parametrize(("question", "procedure", "truth"), LIBERAL_WHERE_UNEQUAL)
def test_what_errs_too_often_where_spreads_differ(
    unequal: ErrorRates, question: str, procedure: str, truth: str
) -> None:
    too_often(unequal, of(unequal, question, procedure, "unequal", truth))
    assert unequal.broken() == []


@pytest.mark.parametrize("procedure", ["k-fold t, 10 folds", "5x2cv F"])
def test_what_errs_too_often_where_folds_share_examples(correlated: ErrorRates, procedure: str) -> None:
    too_often(correlated, of(correlated, "one data set", procedure, "correlated folds", "null"))
    assert correlated.broken() == []


def too_often(study: ErrorRates, rate: Rate) -> None:
    assert not rate.promised and rate.error is not None
    times = round(rate.error * study.repetitions)
    assert binomtest(times, study.repetitions).proportion_ci(0.98).low > ALPHA  # one test, not one of a thousand


def test_a_broken_promise_would_be_noticed(study: ErrorRates) -> None:
    rates = tuple(replace(r, promised=True) if r.procedure == "ranks z, none" else r for r in study.rates)
    broken = replace(study, rates=rates).broken()
    assert {r.procedure for r in broken} == {"ranks z, none"}


def test_false_discoveries_are_kept_where_the_error_is_not_promised(study: ErrorRates) -> None:
    for noise in NOISES:
        result = of(study, "all pairs", "paired t, benjamini-hochberg", noise, "partial")
        assert not result.promised
        assert result.fdr is not None and result.fdr <= ALPHA


ORDER = ("bonferroni", "holm", "shaffer", "bergmann-hommel")


@every("noise", NOISES)
@every("truth", TRUTHS)
def test_sharper_corrections_reject_all_that_blunter_ones_do(noise: str, truth: str) -> None:
    result = in_blocks(over_datasets((25, 5)), noise, truth, 8, np.random.default_rng(5), alpha=ALPHA)
    for test in ("ranks z", "paired t"):
        for blunt, sharp in pairwise(ORDER):
            assert (result[PAIRS, f"{test}, {blunt}"] <= result[PAIRS, f"{test}, {sharp}"]).all()
        assert (result[PAIRS, f"{test}, holm"] <= result[PAIRS, f"{test}, hochberg"]).all()
        assert (result[PAIRS, f"{test}, hochberg"] <= result[PAIRS, f"{test}, hommel"]).all()
        assert (result[PAIRS, f"{test}, hochberg"] <= result[PAIRS, f"{test}, rom"]).all()
        assert (result[PAIRS, f"{test}, holm"] <= result[PAIRS, f"{test}, holland"]).all()
    if noise not in ("tied", "0/1"):  # Nemenyi's published test takes no account of ties, Dunn's does
        assert (result[PAIRS, "dunn"] <= result[PAIRS, "nemenyi"]).all()


def test_power_is_ordered(study: ErrorRates) -> None:
    for test in ("ranks z", "paired t", "wilcoxon", "sign"):
        power = [of(study, "all pairs", f"{test}, {name}", "normal", "partial").found for name in ORDER[1:]]
        assert power == sorted(power) and power[0] < power[-1]
    normal = {test: of(study, "all pairs", f"{test}, holm", "normal", "partial").found for test in ("paired t", "sign")}
    assert normal["paired t"] > normal["sign"]
    heavy = {
        test: of(study, "all pairs", f"{test}, holm", "heavy", "partial").found for test in ("paired t", "wilcoxon")
    }
    assert heavy["wilcoxon"] > heavy["paired t"]
    f, t = (of(study, "one data set", name, "nearest means", "different").found for name in ("5x2cv F", "5x2cv t"))
    assert f > t


@every("setting", [*NOISES, "500 items, 0/1", "300 x 8, crowd"])
@every("truth", TRUTHS)
def test_the_default_keeps_its_promise_everywhere(study: ErrorRates, setting: str, truth: str) -> None:
    pairs = of(study, "default", "wilcoxon, bergmann-hommel", setting, truth)
    control = of(study, "default, control", "wilcoxon, holm", setting, truth)
    if truth == "different":
        assert pairs.error is control.error is None and not pairs.promised
    else:
        assert pairs.promised and control.promised and pairs.low <= ALPHA and control.low <= ALPHA


def test_the_default_finds_what_the_former_one_missed(study: ErrorRates) -> None:
    for setting, margin in (("normal", 0.03), ("tied", 0.03), ("0/1", 0.1), ("500 items, 0/1", 0.2), ("crowd", 0.1)):
        now = of(study, "default", "wilcoxon, bergmann-hommel", setting, "partial").found
        before = of(study, "former default", "if friedman rejects: ranks z, bergmann-hommel", setting, "partial").found
        assert now > before + margin, setting


def test_false_claims_of_good_enough_are_kept_and_true_ones_found(study: ErrorRates) -> None:
    for noise in (*NOISES, "500 items, 0/1"):
        null, partial, equal = (of(study, "good enough", "non-inferiority, holm", noise, truth) for truth in TRUTHS)
        assert null.promised and null.low <= ALPHA and partial.promised and partial.low <= ALPHA
        assert equal.error is None and min(equal.found, partial.found) > 0.03, noise


# The procedures that the study computes for all tables at once, against the functions that users call.


@pytest.fixture(scope="module", params=["normal", "tied"])
def tables(request: pytest.FixtureRequest) -> np.ndarray:
    return draw_tables(request.param, "partial", (25, 20, 5), np.random.default_rng(8))


def test_the_same_as_the_functions_themselves(tables: np.ndarray) -> None:
    result = rejections(tables, tables, alpha=ALPHA)
    slow = {
        ("all pairs", "tukey"): stats.tukey_pairs,
        ("control", "dunnett"): lambda x: stats.dunnett_control(x, control=0),
        ("all pairs", "nemenyi"): stats.nemenyi,
        ("all pairs", "ranks z, rom"): lambda x: stats.rank_tests(x, adjust="rom"),
        ("all pairs", "ranks z, bergmann-hommel"): lambda x: stats.rank_tests(x, adjust="bergmann-hommel"),
        ("control", "ranks z, holm"): lambda x: stats.rank_tests(x, adjust="holm", control=0),
        ("control", "ranks z, rom"): lambda x: stats.rank_tests(x, adjust="rom", control=0),
    }
    for key, test in slow.items():
        expected = np.array([test(x).adjusted <= ALPHA for x in tables])
        assert expected.any() and (result[key] == expected).all(), key


def test_signed_ranks_the_same_as_one_by_one(tables: np.ndarray) -> None:
    expected = np.array([stats.wilcoxon_pairs(x).pvalue for x in tables])
    assert signed_rank_pvalues(tables) == pytest.approx(expected, rel=1e-12)


def test_the_default_is_what_the_functions_say_together(tables: np.ndarray) -> None:
    result = default_rejections(tables, alpha=ALPHA)
    for i, x in enumerate(tables):
        now = stats.wilcoxon_pairs(x, adjust="bergmann-hommel").adjusted <= ALPHA
        assert (result["default", "wilcoxon, bergmann-hommel"][i] == now).all()
        control = stats.wilcoxon_pairs(x, adjust="holm", control=0).adjusted <= ALPHA
        assert (result["default, control", "wilcoxon, holm"][i] == control).all()
        ranks = stats.rank_rows(x).mean(axis=0)
        before = from_mean_ranks(ranks, len(x), method="bergmann-hommel", algorithms=tuple("abcde")).adjusted <= ALPHA
        before &= stats.friedman(x).pvalue <= ALPHA
        assert (result["former default", "if friedman rejects: ranks z, bergmann-hommel"][i] == before).all()
    assert now.shape == (10,) and control.shape == (4,)


def test_rom_by_critical_values_is_rom_by_adjusted_values() -> None:
    p = np.random.default_rng(3).beta(0.3, 1.5, size=(200, 6))
    assert (corrected("rom", p, 0.1) == np.array([stats.rom(row) <= 0.1 for row in p])).all()


# What is simulated.


def test_truths() -> None:
    assert true_effects("null", 4).tolist() == [0, 0, 0, 0]
    assert true_effects("partial", 3).tolist() == [0, 0, 1.5]
    assert true_effects("partial", 7).tolist() == [0, 0, 0, 0.375, 0.75, 1.125, 1.5]
    assert true_effects("different", 3).tolist() == [0, 0.375, 0.75]


@pytest.mark.parametrize("noise", ["normal", "skewed", "tied"])
def test_noise_has_mean_zero_and_the_stated_spread(noise: str) -> None:
    drawn = draw_tables(noise, "null", (100, 50, 6), np.random.default_rng(0))
    assert drawn.mean() == pytest.approx(0, abs=0.02)
    assert drawn.std() == pytest.approx(sqrt(1 + 1 / 12) if noise == "tied" else 1, abs=0.02)


def test_unequal_noise_is_wide_for_the_first_two() -> None:
    spread = draw_tables("unequal", "null", (100, 50, 4), np.random.default_rng(0)).std(axis=(0, 1))
    assert spread == pytest.approx([3, 3, 1, 1], abs=0.1)


def test_the_crowd_stands_between_the_first_two_which_are_exchangeable() -> None:
    drawn = draw_tables("crowd", "null", (100, 50, 6), np.random.default_rng(0))
    first, second, crowd = drawn[..., 0], drawn[..., 1], drawn[..., 2:]
    between = (np.minimum(first, second) < crowd.min(axis=-1)) & (crowd.max(axis=-1) < np.maximum(first, second))
    assert between.mean() > 0.97
    assert (first < second).mean() == pytest.approx(0.5, abs=0.02)
    assert np.abs(drawn.mean(axis=(0, 1))).max() < 0.2


def test_items_are_right_or_wrong_and_hard_for_all_alike() -> None:
    drawn = draw_tables("0/1", "null", (100, 50, 3), np.random.default_rng(0))
    assert set(np.unique(drawn)) == {0.0, 1.0}
    assert drawn.mean() == pytest.approx(0.2398, abs=0.01)  # P(N > 1 / sqrt 2)
    assert np.corrcoef(drawn.reshape(-1, 3).T)[0, 1] == pytest.approx(0.30, abs=0.05)
    worse = draw_tables("0/1", "partial", (100, 50, 3), np.random.default_rng(0)).mean(axis=(0, 1))
    assert worse[2] - worse[0] == pytest.approx(0.6382 - 0.2398, abs=0.02)  # P(N > (1 - 1.5) / sqrt 2)


def test_candidates_at_the_margin() -> None:
    none, some, every_one = (truly_good("good enough", "normal", truth, 5) for truth in TRUTHS)
    assert none.sum() == 0 and every_one.all() and some.tolist() == [False, False, True, True, True]


def test_a_data_set_loses_at_most_one_score() -> None:
    lost = np.isnan(with_gaps(np.zeros((50, 40, 5)), np.random.default_rng(0))).sum(axis=2)
    assert set(np.unique(lost)) == {0, 1}
    assert lost.mean() == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(("scheme", "count", "size"), [("5x2", 10, 100), ("10", 10, 20), ("10x10", 100, 20)])
def test_folds_partition_the_examples(scheme: str, count: int, size: int) -> None:
    test = splits(*SCHEMES[scheme], np.random.default_rng(0))
    assert test.shape == (count, SIZE) and (test.sum(axis=1) == size).all()
    per_replication = SIZE // size
    assert (test.reshape(-1, per_replication, SIZE).sum(axis=1) == 1).all()


@pytest.mark.parametrize(("count", "total"), [(0, 40), (3, 50), (50, 50), (101, 2000)])
def test_interval_is_that_of_scipy(count: int, total: int) -> None:
    expected = binomtest(count, total).proportion_ci(0.99, method="exact")
    assert interval(count, total, confidence=0.99) == pytest.approx((expected.low, expected.high), rel=1e-9)


# Repeatable, whatever is asked for beside it.

SMALL = {"n_datasets": 12, "n_algorithms": 3, "rng": 4}


def test_the_same_seed_gives_the_same_table_and_progress_is_told() -> None:
    texts: list[str] = []
    other = {**SMALL, "rng": np.random.default_rng(4)}
    again = error_rates(repetitions=3, noises=["tied"], progress=texts.append, **other)
    assert again.rows() == small("tied").rows() and str(again) == str(small("tied"))
    assert texts[:3] == ["tied, null", "tied, partial", "tied, different"]
    current = [name for further in FURTHER for name, _ in further.settings]
    assert len(texts) == 3 + 8 + sum(name == "tied" or name not in NOISES for name in current)
    assert {"6 data sets, 4 algorithms, null", "500 items, 0/1, partial"} <= set(texts)


def test_one_noise_does_not_depend_on_the_others() -> None:
    whole, part = small(), small("tied")
    assert [r for r in whole.rates if r.noise == "tied"] == [r for r in part.rates if r.noise == "tied"]
    assert {r.noise for r in part.rates} & set(NOISES) == {"tied"}


def test_more_repetitions_begin_with_the_fewer() -> None:
    tables = over_datasets((12, 3))
    short = in_blocks(tables, "heavy", "partial", BLOCK, np.random.default_rng(1), alpha=ALPHA)
    long = in_blocks(tables, "heavy", "partial", BLOCK + 30, np.random.default_rng(1), alpha=ALPHA)
    for key, rejected in short.items():
        assert len(long[key]) == BLOCK + 30
        assert (long[key][:BLOCK] == rejected).all()


# What is shown.


def test_rows_say_what_a_setting_does_not_define(study: ErrorRates) -> None:
    null = of(study, "all pairs", "nemenyi", "normal", "null")
    assert null.found is None and null.fdr is None and null.error is not None
    some = of(study, "all pairs", "nemenyi", "normal", "partial")
    assert None not in (some.error, some.fdr, some.found, some.found_any, some.found_all)
    assert some.found_all <= some.found <= some.found_any
    none = of(study, "all pairs", "nemenyi", "normal", "different")
    assert none.error is None and none.low is None and none.found is not None
    assert len(study.rows()) == len(study.rates)


def test_text_marks_promises_and_excesses(study: ErrorRates) -> None:
    text = str(study)
    assert text.startswith("Error rates at alpha 0.05: 6 algorithms on 30 data sets, 30 repetitions\n")
    line = next(line for line in text.splitlines() if line.startswith("all pairs  ranks z, none"))
    assert line.split()[5].startswith("(") and line.split()[5].endswith("*)")
    assert "Brackets mark an error that the procedure does not promise to keep" in text
    tables = study.tables()
    assert study.to_markdown().count("| question | procedure |") == text.count("question") == len(tables)
    assert study.to_latex().count(r"\begin{tabular}") == len(tables) >= 16
    shown = {(row[0], row[1]) for table in tables for row in table.body}
    assert shown == {(r.question, r.procedure) for r in study.rates}  # nothing is measured and not shown


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["study", "error-rates", "--datasets", "12", "--algorithms", "3", "--repetitions", "3", "--seed", "4"]
    call += ["--noise", "tied"]
    out = tmp_path / "rates.json"
    assert main([*call, "--json", "-o", str(out)]) == 0
    assert capsys.readouterr().out == ""
    data = json.loads(out.read_text())
    assert data["study"] == "error-rates" and data["repetitions"] == 3 and data["n_datasets"] == 12
    assert data["rates"] == small("tied").rows()


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (
            ["errors-rate"],
            f"There is no study 'errors-rate'. Known here: {', '.join(map(repr, STUDIES))}. Did you",
        ),
        ([], f"There is no study ''. Known here: {', '.join(map(repr, STUDIES))}."),
        (["error-rates", "--alpha", "2"], "--alpha is 2.0."),
        (["error-rates", "--repetitions", "0"], "--repetitions is 0"),
        (["error-rates", "--noise", "pink"], "There is no noise 'pink'."),
    ],
)
def test_command_line_errors(extra: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", *extra]) == 2
    readouterr = capsys.readouterr()
    assert readouterr.out == "" and readouterr.err.startswith(f"tiebreak study: {message}")


def test_errors() -> None:
    with pytest.raises(OptionError) as few:
        error_rates(n_datasets=9)
    assert str(few.value) == ("n_datasets is 9, not a whole number of at least 10. Use n_datasets=30.")
    with pytest.raises(OptionError) as many:
        error_rates(n_algorithms=15)
    assert str(many.value) == (
        "n_algorithms is 15. Bergmann and Hommel's correction for p-values of any origin ends at 14 algorithms."
        " Use n_algorithms=14 or fewer."
    )
    with pytest.raises(OptionError, match="confidence is 1"):
        error_rates(confidence=1.0)


def test_settings_that_come_later_change_no_number_of_those_before(monkeypatch: pytest.MonkeyPatch) -> None:
    def always(name: str, *rest: object, alpha: float) -> dict[tuple[str, str], np.ndarray]:
        return {("new question", "always"): np.full((rest[1], 2), True)}

    def old_and_new(name: str, *rest: object, alpha: float) -> dict:
        return (always if name == "newer" else FURTHER[0].rejections)(name, *rest, alpha=alpha)

    before = small("tied")
    longer = Experiment((*FURTHER[0].settings, ("newer", "null")), old_and_new, none_or_all)
    added = Experiment((("new", "null"), ("new", "different")), always, none_or_all)
    monkeypatch.setattr(import_module("tiebreak.studies.error_rates"), "FURTHER", (longer, *FURTHER[1:], added))
    after = error_rates(repetitions=3, noises=["tied"], **SMALL)
    assert [r for r in after.rates if r.question != "new question"] == list(before.rates)
    new = {(r.noise, r.truth): (r.error, r.found) for r in after.rates if r.question == "new question"}
    assert new == {("newer", "null"): (1, None), ("new", "null"): (1, None), ("new", "different"): (None, 1)}
    assert [table.caption for table in after.tables() if table.caption.startswith("New")] == [
        "New question: error where all null hypotheses are true",
        "New question: share of the real differences found where no null hypothesis is true",
    ]
