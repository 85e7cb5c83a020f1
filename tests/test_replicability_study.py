"""The study of replicability: its draws, its tests beside those of `stats`, its measures, its words."""

from __future__ import annotations

import json
from itertools import combinations, permutations
from math import exp

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tiebreak import stats
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.readers import published
from tiebreak.stats.numeric.basics import average_ranks
from tiebreak.studies import Replicability, replicability, win_matrices
from tiebreak.studies.procedures import adjusted_rows
from tiebreak.studies.replicability_study import (
    CORRECTIONS,
    WITH_CONTROL,
    drawn_pvalues,
    draws,
    measures,
)


@pytest.fixture(scope="module")
def tables() -> np.ndarray:
    """Tables with ties, as accuracies of two decimals have them; lower the better, one sign."""
    rng = np.random.default_rng(5)
    return np.round(rng.normal(-0.8, 0.05, size=(60, 10, 5)) + np.array([0, 0, 0.02, 0.05, 0.08]), 2)


@pytest.fixture(scope="module")
def found(tables: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    ranks = average_ranks(tables.reshape(-1, 5)).reshape(tables.shape)
    return drawn_pvalues(tables, ranks, 4, 1)


def test_the_tests_of_two_are_those_of_stats_and_scipy(tables: np.ndarray, found: dict) -> None:
    for i, table in enumerate(tables):
        a, b = table[:, 4], table[:, 1]
        assert found["two algorithms", "paired t"][i] == pytest.approx(stats.paired_t(a, b).pvalue, rel=1e-9)
        assert found["two algorithms", "paired t"][i] == pytest.approx(scipy_stats.ttest_rel(a, b).pvalue, rel=1e-9)
        assert found["two algorithms", "wilcoxon"][i] == pytest.approx(stats.wilcoxon(a, b).pvalue, rel=1e-12)
        assert found["two algorithms", "sign"][i] == pytest.approx(stats.sign_test(a, b).pvalue, rel=1e-12)
        relative = (a - b) / (np.abs(a + b) / 2)
        expected = scipy_stats.ttest_1samp(relative, 0).pvalue
        assert found["two algorithms", "paired t, relative"][i] == pytest.approx(expected, rel=1e-9)


def test_the_tests_of_all_together_are_those_of_stats_and_scipy(tables: np.ndarray, found: dict) -> None:
    for i, table in enumerate(tables):
        friedman = stats.friedman(table)
        assert found["all together", "friedman F"][i] == pytest.approx(friedman.pvalue, rel=1e-9)
        assert found["all together", "friedman chi2"][i] == pytest.approx(friedman.chi2_pvalue, rel=1e-9)
        other = scipy_stats.friedmanchisquare(*table.T).pvalue
        assert found["all together", "friedman chi2"][i] == pytest.approx(other, rel=1e-9)
        assert found["all together", "rm-anova"][i] == pytest.approx(stats.rm_anova(table).pvalue, rel=1e-9)


def test_post_hoc_tests_are_those_of_stats(tables: np.ndarray, found: dict) -> None:
    place = list(combinations(range(5), 2)).index((1, 4))
    for i, table in enumerate(tables[:20]):
        expected = {
            ("all pairs", "nemenyi"): stats.nemenyi(table).adjusted[place],
            ("all pairs", "tukey"): stats.tukey_pairs(table).adjusted[place],
            ("control", "bonferroni-dunn"): stats.bonferroni_dunn(table, control=4).adjusted[1],
            ("control", "dunnett"): stats.dunnett_control(table, control=4).adjusted[1],
        }
        for name in CORRECTIONS:
            pairs = stats.rank_tests(table, adjust=name)
            expected["all pairs", f"ranks z, {name}"] = pairs.adjusted[place]
            current = stats.wilcoxon_pairs(table, adjust=name)
            expected["all pairs", f"wilcoxon, {name}"] = current.adjusted[place]
            if name in WITH_CONTROL:
                with_control = stats.rank_tests(table, adjust=name, control=4)
                expected["control", f"ranks z, {name}"] = with_control.adjusted[1]
                signed = stats.wilcoxon_pairs(table, adjust=name, control=4)
                expected["control", f"wilcoxon, {name}"] = signed.adjusted[1]
        for key, p in expected.items():
            assert found[key][i] == pytest.approx(p, rel=1e-8), key


@pytest.mark.parametrize("name", [*CORRECTIONS, "bergmann-hommel", "li"])
def test_corrections_of_rows_are_those_of_single_vectors(name: str) -> None:
    p = np.random.default_rng(1).uniform(size=(50, 10)) ** 3
    expected = [stats.CORRECTIONS[name](row) for row in p]
    assert adjusted_rows(name, p) == pytest.approx(np.array(expected), rel=1e-12)


def test_draws_are_successive_draws_without_replacement() -> None:
    """Brute force: the chance of a set is the sum over its orders of products of w / (sum of what is left)."""
    gain, bias = np.array([-0.3, -0.1, 0.0, 0.2, 0.5]), 4.0
    weight = [1 / (1 + exp(-bias * d)) for d in gain]  # Demsar 2006, section 4.1.1
    chance = {}
    for chosen in combinations(range(5), 2):
        chance[chosen] = sum(
            weight[i] / sum(weight) * weight[j] / (sum(weight) - weight[i]) for i, j in permutations(chosen)
        )
    repeats = 40_000
    rows = np.sort(draws(gain, bias, np.random.default_rng(0).gumbel(size=(repeats, 5)), 2), axis=1)
    for chosen, expected in chance.items():
        share = float((rows == chosen).all(axis=1).mean())
        assert share == pytest.approx(expected, abs=4 * (expected * (1 - expected) / repeats) ** 0.5)


def test_measures_are_shares_of_pairs_of_experiments() -> None:
    """Demsar (2006), section 4.1.2: R(e) counts pairs that decide alike, R(p) is 1 - mean squared difference."""
    p = np.random.default_rng(2).uniform(size=40) ** 2
    mean, rejected, by_p, by_decision = measures(p, 0.2)
    pairs = list(combinations(p, 2))
    assert mean == pytest.approx(p.mean())
    assert rejected == (p <= 0.2).sum()
    assert by_p == pytest.approx(1 - np.mean([(x - y) ** 2 for x, y in pairs]))
    assert by_decision == pytest.approx(np.mean([(x <= 0.2) == (y <= 0.2) for x, y in pairs]))


def test_decisions_that_part_evenly_are_least_replicable() -> None:
    half = np.array([0.0] * 500 + [1.0] * 500)
    assert measures(half, 0.05)[2:] == pytest.approx([0.5, 0.5], abs=1e-3)  # the minimum, by the paper
    assert measures(np.full(10, 0.3), 0.05).tolist() == pytest.approx([0.3, 0, 1, 1])


@pytest.fixture(scope="module")
def small() -> Replicability:
    return replicability(pair=("svr", "mdt"), biases=[20, 0, 10], repeats=200)


def test_power_grows_with_the_bias(small: Replicability) -> None:
    assert small.biases == (0.0, 10.0, 20.0)
    rejections = small.means()[:, :, 1]
    strong = [i for i, key in enumerate(small.tests) if key in {("two algorithms", t) for t in ("wilcoxon", "sign")}]
    assert (np.diff(rejections[strong], axis=1) > 0).all()
    assert small.values.shape == (len(small.tests), 1, 3, 4)


def test_the_sign_test_is_the_weakest_and_ranking_says_so(small: Replicability) -> None:
    """What Demsar (2006), section 4.2, found of two algorithms."""
    two = [row["test"] for row in small.ranking() if row["question"] == "two algorithms"]
    assert two[0] == "wilcoxon"
    assert two[-1] == "sign"
    many = [row["test"] for row in small.ranking() if row["question"] == "all together"]
    assert many == ["friedman F", "friedman chi2", "rm-anova"]


def test_numbers_depend_on_the_seed_alone() -> None:
    table = published.ulas2012().only(algorithms=["c45", "svl", "5nn"])
    options = {"score": "accuracy", "biases": [0, 10], "repeats": 20}
    one, two = replicability(table, **options), replicability(table, jobs=2, **options)
    assert (one.values == two.values).all()
    assert len(one.pairs) == 3
    assert not (replicability(table, rng=1, **options).values == one.values).all()


def test_who_is_better_in_the_mean_is_favoured_by_default() -> None:
    table = published.ulas2012().only(algorithms=["c45", "svr"])
    result = replicability(table, score="accuracy", biases=[0], repeats=5)
    assert result.pairs == (("svr", "c45"),)
    assert {question for question, _ in result.tests} == {"two algorithms"}


def test_units() -> None:
    """A percentage divided by 100, a share, and the same differences in their own deviations."""
    table = published.ulas2012(costs=False).only(algorithms=["c45", "svr"]).means("accuracy")
    options = {"score": "accuracy", "algorithms": ["c45", "svr"], "pair": ("svr", "c45"), "repeats": 50}
    percent, share = (replicability(x, biases=[0, 8], **options) for x in (table, table / 100))
    assert percent.unit == share.unit == "share"
    assert (percent.means()[:, :, 1] == share.means()[:, :, 1]).all()
    deviation = np.std((table[:, 1] - table[:, 0]) / 100, ddof=1)
    settings = {**options, "score": "rmse"}  # an error: the lower the better
    other = replicability(-table, scale="as-is", biases=[0, 8 * deviation], **settings)
    assert other.unit == "deviation"
    two = [i for i, (_, name) in enumerate(other.tests) if name in ("paired t", "wilcoxon", "sign")]
    assert (other.means()[two, :, 1] == share.means()[two, :, 1]).all()


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(InputError, match="14 data sets are to be drawn, and there are 14"):
        replicability(published.demsar2006(), drawn=14)
    with pytest.raises(OptionError, match="pair is"):
        replicability(pair=("svr",))
    with pytest.raises(OptionError, match="svx"):
        replicability(pair=("svr", "svx"))
    with pytest.raises(OptionError, match="biases is"):
        replicability(biases=[])


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    figure = tmp_path / "power.svg"
    call = ["study", "replicability", "--pair", "svl,c45", "--bias", "0,20", "--repeats", "20"]
    assert main([*call, "--json", "--figure", str(figure), "--question", "control"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["pairs"] == [["svl", "c45"]]
    assert {"question", "test", "bias", "mean_p", "rejections", "replicability_p", "replicability_e"} == set(
        data["curves"][0]
    )
    assert len(data["by_pair"][0]["rejections"]) == 2
    assert "dependent-blocks" in data["caveat_codes"]
    assert "bonferroni-dunn" in figure.read_text(encoding="utf-8")
    assert main(call) == 0
    assert "rejections of 20" in capsys.readouterr().out
    assert main([*call[:-2], "--bias", "x"]) == 2


def test_curves_are_the_means(small: Replicability) -> None:
    curves = small.figure(question="all together")
    lines = curves.panels[1].series
    assert [line.name for line in lines] == ["rm-anova", "friedman F", "friedman chi2"]
    assert lines[1].points[2][1] == small.means()[small.tests.index(("all together", "friedman F")), 2, 1]
    assert len(curves.rows()) == 9
    assert small.to_frame("pandas").shape == (3 * len(small.tests), 7)


def test_data_sets_with_gaps_are_left_out() -> None:
    scores = np.random.default_rng(0).normal(size=(14, 3)) + np.arange(3)
    scores[2, 1] = np.nan
    options = {"score": "error", "algorithms": list("abc")}
    result = replicability(scores, repeats=5, biases=[0], drawn=5, **options)
    assert result.n_datasets == win_matrices(scores, **options).n_datasets == 13
    assert "gaps-left-out" in {note.code for note in result.caveats}


def test_what_can_never_reject_is_said() -> None:
    notes = replicability(repeats=3, biases=[0], pair=("svl", "c45")).caveats
    text = [note for note in notes if note.code == "least-pvalue"]
    assert text == [
        "With 10 data sets Wilcoxon's p-value is at least 0.002: corrected for 28 test(s) of all pairs it can never"
        " reject at 0.05, whatever the scores. That takes 11 data sets."
    ]
