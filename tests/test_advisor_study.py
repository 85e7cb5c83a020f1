"""The study of the advisor: against plain loops, on made data with known answers, and on the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import friedmanchisquare, rankdata, spearmanr

from tiebreak.advisor import Knowledge, MetaTable, knowledge_text
from tiebreak.advisor.neighbours import distance_table
from tiebreak.attributes.catalogue import DEFAULT_MEASURES
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.studies import AdvisorStudy, evaluate_advisor
from tiebreak.studies.advisor_evaluation import usable

N, M, FOLDS = 40, 5, 4


def world(*, seed: int = 0, folds: int = FOLDS, gaps: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Success rates and times that depend on the measure x and not on the measure noise."""
    rng = np.random.default_rng(seed)
    x, noise = rng.uniform(size=N), rng.uniform(size=N)
    slopes = np.linspace(-0.2, 0.2, M)
    rates = 0.7 + np.outer(x - 0.5, slopes)[:, :, None] + rng.normal(0, 0.01, (N, M, folds))
    times = np.exp(np.arange(M) + rng.normal(0, 0.1, (N, M)))[:, :, None] * np.ones(folds)
    lost = rng.random((N, M)) < gaps
    rates[lost] = np.nan
    return rates, times, np.column_stack([x, noise])


def base(
    rates: np.ndarray, times: np.ndarray | None, meta: np.ndarray | None, origins: list[str] | None = None
) -> Knowledge:
    names = tuple(f"d{i:02}" for i in range(len(rates)))
    table = MetaTable(
        names=names,
        measures=("x", "noise")[: meta.shape[1]] if meta is not None else (),
        matrix=meta if meta is not None else np.empty((len(rates), 0)),
    )
    blank = ("",) * len(names)
    return Knowledge(
        datasets=names,
        algorithms=tuple("abcdefg"[: rates.shape[1]]),
        accuracy=rates[:, :, None, :],
        time=None if times is None else times[:, :, None, :],
        meta=table,
        origins=tuple(origins or names),
        machines=blank,
        sources=blank,
        fingerprints=blank,
    )


def by_x(rates: np.ndarray, times: np.ndarray, meta: np.ndarray) -> Knowledge:
    """The base with the measure that tells alone."""
    return base(rates, times, meta[:, :1])


@pytest.fixture(scope="module")
def study() -> AdvisorStudy:
    return evaluate_advisor(by_x(*world()), accds=(0.01, 0.1))


def test_mean_rank_agrees_with_a_plain_loop() -> None:
    rates, times, meta = world(seed=3)
    result = evaluate_advisor(base(rates, times, meta), methods=["mean-rank"], neighbours=[5])
    means = rates.mean(axis=2)
    ranks = np.array([rankdata(-row) for row in means])
    spread = [np.ptp(np.delete(meta, i, axis=0), axis=0) for i in range(N)]
    expected = []
    for i in range(N):
        distance = np.abs(meta - meta[i]) @ (1 / spread[i])
        near = [j for j in np.argsort(distance) if j != i][:5]
        score = ranks[near].mean(axis=0)
        expected.append(np.mean([spearmanr(rankdata(score), -rates[i, :, f]).statistic for f in range(FOLDS)]))
    got = result.runs[0].evaluation.spearman[0].mean(axis=1)
    untied = [i for i in range(N) if len(np.unique(_near_scores(ranks, meta, spread, i))) == M]
    assert len(untied) > 20
    np.testing.assert_allclose(got[untied], np.array(expected)[untied], atol=1e-12)


def _near_scores(ranks: np.ndarray, meta: np.ndarray, spread: list[np.ndarray], i: int) -> np.ndarray:
    near = [j for j in np.argsort(np.abs(meta - meta[i]) @ (1 / spread[i])) if j != i][:5]
    return np.asarray(ranks[near].mean(axis=0).round(9))


def test_neighbours_beat_all_data_where_the_measure_tells(study: AdvisorStudy) -> None:
    rows = {(row["ranking"], row["from"]): row for row in study.rows()}
    assert [run.label() for run in study.runs] == ["arr, AccD 0.01", "arr, AccD 0.1", "mean-rank"]
    for run in study.runs:
        near, everything, random, current = (
            rows[run.label(), name]["mean spearman"]
            for name in ("5 neighbours", "all data", "random", "half of its own folds")
        )
        assert random < 0.3 and everything < near and 0.7 < current < 1
    assert rows["mean-rank", "5 neighbours"]["mean spearman"] > 0.8
    assert rows["mean-rank", "all data"]["better"] == rows["mean-rank", "all data"]["worse"] == 0


def test_the_significance_table_is_friedmans_test_without_the_random_order(study: AdvisorStudy) -> None:
    run = study.runs[-1]
    assert run.by_folds is not None and run.by_datasets is not None
    assert run.by_folds.methods == ("1 neighbour", "5 neighbours", "all data")
    assert run.by_folds.n_blocks == N * FOLDS and run.by_datasets.n_blocks == N
    values = run.evaluation.spearman[:3].mean(axis=2)
    assert run.by_datasets.m_corrected == pytest.approx(friedmanchisquare(*values).statistic)
    best = run.by_datasets.pairs()[2]
    assert (best["a"], best["b"], best["significant"]) == ("5 neighbours", "all data", True)
    assert best["plus"] == int((values[1] > values[2]).sum()) and best["t"] < 0


def test_with_folds_the_best_is_kept_by_other_folds_than_its_loss_is_counted_on(study: AdvisorStudy) -> None:
    rates = world()[0]
    kept_by, counted = rates[:, :, 1::2].mean(axis=2), rates[:, :, 0::2].mean(axis=2)
    everything = counted.max(axis=1) - counted[np.arange(N), kept_by.argmax(axis=1)]
    np.testing.assert_allclose(study.runs[0].top.loss[0, :, -1], everything, atol=1e-12)
    assert everything.max() > 0


def test_data_sets_of_one_origin_are_left_out_together() -> None:
    rates, times, meta = world(folds=1)
    twice = [np.concatenate([part, part]) for part in (rates, times, meta)]
    alone = evaluate_advisor(base(*twice), methods=["mean-rank"], neighbours=[1])
    origins = [f"origin {i % N}" for i in range(2 * N)]
    together = evaluate_advisor(base(*twice, origins), methods=["mean-rank"], neighbours=[1])
    assert alone.rows()[0]["mean spearman"] == pytest.approx(1)  # the copy is the neighbour
    single = evaluate_advisor(base(rates, times, meta), methods=["mean-rank"], neighbours=[1])
    got, expected = (result.runs[0].evaluation.spearman[0, :N] for result in (together, single))
    assert together.rows()[0]["mean spearman"] < 0.95
    np.testing.assert_allclose(np.mean(got), np.mean(expected), atol=0.05)
    assert "one origin (40) left out at a time" in together.title()


def test_without_measures_times_or_folds_less_is_said() -> None:
    rates, _, _ = world(folds=1)
    result = evaluate_advisor(base(rates, None, None))
    assert [run.label() for run in result.runs] == ["srr", "mean-rank"]
    assert [row["from"] for row in result.rows()] == ["all data", "random"] * 2
    assert result.runs[0].by_folds is None and result.runs[0].ceiling is None
    assert "There are no times: the share of time in top-N is the share of runs." in result.caveats
    share = result.runs[0].top.share[0, 0]
    np.testing.assert_allclose(share, np.arange(1, M + 1) / M)


def test_gaps_are_handled_by_the_stated_rule() -> None:
    rates, times, meta = world(gaps=0.3)
    rates[0, 1:] = np.nan  # one algorithm only: nothing to rank
    result = evaluate_advisor(by_x(rates, times, meta), methods=["arr", "mean-rank", "wins"])
    assert len(result.datasets) <= N - 1 and "d00" not in result.datasets
    assert any("fewer than two algorithms and are left out" in note for note in result.caveats)
    assert any("are missing: every two algorithms are compared" in note for note in result.caveats)
    assert result.rows()[1]["mean spearman"] > result.rows()[2]["mean spearman"]
    json.dumps(result.to_dict(), allow_nan=False)
    assert "nan" not in str(result)


def test_an_algorithm_measured_once_is_left_out() -> None:
    rates, times, meta = world()
    rates[1:, 4] = np.nan
    result = evaluate_advisor(by_x(rates, times, meta), methods=["srr"])
    assert result.algorithms == ("a", "b", "c", "d")
    assert "Measured on fewer than two of the data sets and left out: e." in result.caveats


def test_a_method_that_the_times_forbid_is_an_error() -> None:
    rates, times, meta = world()
    times[:, 0] /= 1e12
    with pytest.raises(InputError, match="divides by"):
        evaluate_advisor(base(rates, times, meta), methods=["arr"], accds=(0.1,))
    assert evaluate_advisor(base(rates, times, meta), methods=["a3r"], accds=(0.1,)).runs[0].accd == 0.1


@settings(derandomize=True, deadline=None, max_examples=10)
@given(st.permutations(range(N)))
def test_the_order_of_data_sets_does_not_matter(order: list[int]) -> None:
    rates, times, meta = world(folds=1)
    plain = evaluate_advisor(base(rates, times, meta), methods=["arr"], accds=(0.01,), neighbours=[3])
    mixed = evaluate_advisor(
        base(rates[order], times[order], meta[order]), methods=["arr"], accds=(0.01,), neighbours=[3]
    )
    for i in (0, 1):  # neighbours and all data; the random order is drawn by place
        np.testing.assert_allclose(
            mixed.runs[0].evaluation.spearman[i], plain.runs[0].evaluation.spearman[i][order], atol=1e-12
        )


# ---- measures


def test_distances_follow_the_rule_for_what_does_not_apply() -> None:
    nan = np.nan
    matrix = np.array([[0.0, nan, 1.0], [2.0, nan, 1.0], [4.0, 1.0, 1.0], [1.0, 3.0, 5.0]])
    values = distance_table(matrix, list("abcd"))
    # from the first: ranges over the others are 3, 2, 4; the second measure applies to neither, then to one of two
    np.testing.assert_allclose(values[0], [np.inf, 2 / 3, 4 / 3 + 1, 1 / 3 + 1 + 1])
    same = distance_table(matrix, ["a", "a", "b", "c"])
    assert np.isinf(same[0, 1]) and np.isinf(same[1, 0])
    constant = distance_table(np.array([[1.0], [2.0], [2.0]]), list("abc"))
    np.testing.assert_allclose(constant[0], [np.inf, 1, 1])


def test_the_papers_measures_are_the_default_where_they_are_known_and_ids_never() -> None:
    rates, times, _ = world()
    names = (*DEFAULT_MEASURES, "did", "extra")
    table = MetaTable(
        names=tuple(f"d{i:02}" for i in range(N)),
        measures=names,
        matrix=np.random.default_rng(0).random((N, len(names))),
    )
    known = base(rates, times, None)
    object.__setattr__(known, "meta", table)
    assert usable(known)[0].meta.measures == DEFAULT_MEASURES
    object.__setattr__(known, "meta", table.of(("did", "extra")))
    data, notes = usable(known)
    assert data.meta.measures == ("extra",) and notes == ["Ids or empty, and so no measures: did."]


# ---- errors


def test_errors() -> None:
    known = base(*world())
    with pytest.raises(OptionError, match="There is no ranking method 'ar'"):
        evaluate_advisor(known, methods=["ar"])
    with pytest.raises(OptionError, match="No ranking method is given"):
        evaluate_advisor(known, methods=[])
    with pytest.raises(OptionError) as timeless:
        evaluate_advisor(base(world()[0], None, None), methods=["arr"])
    assert str(timeless.value) == (
        "The ranking method 'arr' was asked for without times. It weighs accuracy against time. Use 'srr', 'mean-rank'"
        " or 'wins'."
    )
    with pytest.raises(OptionError, match="neighbours is 0"):
        evaluate_advisor(known, neighbours=[0])
    with pytest.raises(InputError) as one:
        evaluate_advisor(base(*world(), ["same"] * N))
    assert str(one.value) == (
        "All 40 data sets are of one origin, 'same'. Data sets of one origin are left out together, and others must"
        " remain. Add data sets of another origin."
    )
    rates = np.full((4, 3, 1), np.nan)
    rates[:, 0] = 0.5
    with pytest.raises(InputError) as few:
        evaluate_advisor(base(rates, None, None))
    assert str(few.value) == (
        "0 data set(s) and 0 algorithm(s) have results that can be compared. A ranking needs two algorithms, and"
        " leaving one data set out needs two others. Add results."
    )


# ---- printed


def test_tables_json_and_figures(study: AdvisorStudy) -> None:
    text = str(study)
    assert "blocks are data sets x folds" in text
    assert study.to_markdown().count("| a | b | t |") == 6 and r"\begin{tabular}" in study.to_latex()
    assert "% Agreement with the ideal rankings\n" in study.to_latex()
    assert "<caption>Agreement with the ideal rankings</caption>" in study._repr_html_()
    assert all(text.count(f"- {note}") == 1 for note in study.document().caveats)
    data = json.loads(json.dumps(study.to_dict(), allow_nan=False))
    assert data["study"] == "advisor" and len(data["runs"]) == 3 and data["measures"] == ["x"]
    assert len(data["runs"][0]["spearman_by_dataset"]["5 neighbours"]) == N
    assert data["runs"][0]["significance"]["folds"]["blocks"] == N * FOLDS
    assert data["runs"][0]["ceiling"] > 0.5
    assert study.figure().to_svg().startswith("<svg")
    assert "ranked by arr, AccD 0.1" in study.figure("top-n", run=1).title()
    with pytest.raises(OptionError, match="There is no figure 'top'"):
        study.figure("top")


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "base.json").write_text(knowledge_text(base(*world())))
    call = ["study", "advisor", "--base", str(tmp_path / "base.json"), "--methods", "mean-rank"]
    picture = tmp_path / "picture.svg"
    assert main([*call, "--json", "--figure", str(picture)]) == 0
    data = json.loads(capsys.readouterr().out)
    expected = evaluate_advisor(base(*world()), methods=["mean-rank"])
    got = [row for run in data["runs"] for row in run["agreement"]]
    for row, wanted in zip(got, expected.rows(), strict=True):
        assert (row["ranking"], row["from"]) == (wanted["ranking"], wanted["from"])
        assert row["from"] == "random" or row["mean spearman"] == pytest.approx(wanted["mean spearman"], abs=1e-3)
    assert "Top-N" in picture.read_text()


def test_what_ships_with_the_package_can_be_studied(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "advisor", "--methods", "arr,mean-rank", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["measures"] == list(DEFAULT_MEASURES)
    assert data["origins"] < len(data["datasets"]) and data["folds"] > 1
    for run in data["runs"]:
        assert [row["from"] for row in run["agreement"]][:2] == ["1 neighbour", "5 neighbours"]


def test_folds_without_times_do_not_shift_the_others():
    rates, times, meta = world()
    folds = np.repeat(rates.reshape(*rates.shape[:2], -1)[:, :, :1, None], 3, axis=3)
    seconds = np.ones(folds.shape)
    seconds[..., 2] = np.nan
    known = by_x(rates, times, meta)
    changed = replace(known, accuracy=folds, time=seconds)
    result = evaluate_advisor(changed, methods=["arr"], accds=[0.01])
    assert result.n_folds == 3
