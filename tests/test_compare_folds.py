"""Comparisons on the folds of one data set: the test that fits the resampling, and an answer for that data set."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as sp

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.comparison.folds import FoldComparison
from tiebreak.errors import TiebreakError
from tiebreak.results import Results

from .every import every

NAMES = ("forest", "linear", "svm", "tree")


def table(scores: np.ndarray, *, metric: str = "accuracy", names: tuple[str, ...] = NAMES) -> Results:
    """Make a table of one data set from (algorithms, replications, folds); NaN are left out."""
    rows: dict[str, list[object]] = {"dataset": [], "algorithm": [], "replication": [], "fold": [], metric: []}
    for (a, r, k), score in np.ndenumerate(scores):
        if not np.isnan(score):
            for role, value in zip(rows, ("iris", names[a], r + 1, k + 1, float(score)), strict=True):
                rows[role].append(value)
    return Results.from_dict(rows, scores=[metric])


def drawn(replications: int, folds: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, 0.02, (1, replications, folds))
    quality = np.array([0.90, 0.85, 0.89, 0.80])[:, None, None]
    return quality + shared + rng.normal(0, 0.012, (4, replications, folds))


def corrected_t(a: np.ndarray, b: np.ndarray, ratio: float) -> tuple[float, float]:
    """Nadeau and Bengio's test, written out: the paired t whose variance is larger by the factor 1 + n ratio."""
    t, _ = sp.ttest_rel(a, b)
    t = float(t) / np.sqrt(1 + len(a) * ratio)
    return t, float(2 * sp.t.sf(abs(t), len(a) - 1))


def five_by_two(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Alpaydin's F, written out replication by replication."""
    top, bottom = 0.0, 0.0
    for first, second in (a - b).tolist():
        middle = (first + second) / 2
        top += first**2 + second**2
        bottom += 2 * ((first - middle) ** 2 + (second - middle) ** 2)
    return top / bottom, float(sp.f.sf(top / bottom, 10, 5))


def holm(p: dict[tuple[str, str], float]) -> dict[tuple[str, str], float]:
    out, most = {}, 0.0
    for left, pair in enumerate(sorted(p, key=p.__getitem__)):
        most = max(most, min(1.0, (len(p) - left) * p[pair]))
        out[pair] = most
    return out


@pytest.mark.parametrize(
    ("shape", "share"), [((1, 10), None), ((10, 10), None), ((2, 5), None), ((1, 10), 0.3), ((15, 1), 0.2)]
)
def test_the_corrected_resampled_t_decides_on_folds(shape: tuple[int, int], share: float | None) -> None:
    scores = drawn(*shape)
    compare = tb.compare(table(scores), posthoc="holm", test_share=share)
    used = share or 1 / shape[1]
    by_name = dict(zip(NAMES, scores.reshape(4, -1), strict=True))
    assert compare.plan.pairwise == "corrected-t"
    assert compare.algorithms == ("forest", "svm", "linear", "tree")
    expected = {
        (a, b): corrected_t(by_name[a], by_name[b], used / (1 - used)) for a, b in combinations(compare.algorithms, 2)
    }
    adjusted = holm({pair: p for pair, (_, p) in expected.items()})
    for pair in compare.pairs:
        t, p = expected[pair.a, pair.b]
        assert pair.statistic == pytest.approx(-t, rel=1e-9)
        assert pair.pvalue == pytest.approx(p, rel=1e-9)
        assert pair.adjusted == pytest.approx(adjusted[pair.a, pair.b], rel=1e-9)
        assert pair.better == (pair.a if adjusted[pair.a, pair.b] <= 0.05 else None)


def test_the_five_by_two_f_decides_on_five_times_two_folds() -> None:
    scores = drawn(5, 2)
    compare = tb.compare(table(scores))
    by_name = dict(zip(NAMES, scores, strict=True))
    assert compare.plan.pairwise == "5x2cv-f"
    for pair in compare.pairs:
        f, p = five_by_two(by_name[pair.a], by_name[pair.b])
        assert (pair.statistic, pair.pvalue) == (pytest.approx(f, rel=1e-9), pytest.approx(p, rel=1e-9))
    assert {pair.better for pair in compare.pairs} == {None, "forest", "svm", "linear"}
    other = tb.compare(table(scores), pairwise="corrected-t")
    assert other.pairs[0].pvalue == pytest.approx(
        corrected_t(scores[0].ravel(), scores[2].ravel(), 1.0)[1], rel=1e-9
    )  # half of the data is tested on


@pytest.mark.parametrize("shape", [(1, 10), (5, 3)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_an_interval_ends_where_the_corrected_t_begins_to_reject(shape: tuple[int, int], level: float) -> None:
    """The second route: shift one algorithm to the end of the interval of a pair, and its p-value is alpha."""
    scores = drawn(*shape)
    compare = tb.compare(table(scores), alpha=1 - level)
    assert isinstance(compare, FoldComparison)
    tests, names = compare.pairs_tested, compare.algorithms
    for end in ("low", "high"):
        shifted = scores.copy()
        shifted[NAMES.index(names[0])] -= getattr(tests, end)[0]  # the first pair: first and second by mean
        pair = tb.compare(table(shifted), algorithms=[names[0], names[1]], pairwise="corrected-t")
        assert pair.pairs[0].pvalue == pytest.approx(1 - level, rel=1e-6)
    held = compare.intervals(level=level)  # positive where b is better
    assert np.allclose([-held.high, -held.low], [tests.low, tests.high])
    together = compare.simultaneous_intervals()
    assert np.allclose([-together.high, -together.low], [tests.low_together, tests.high_together])
    assert together.achieved == pytest.approx(1 - (1 - level) / 6)


def test_the_five_by_two_f_prints_no_interval_of_another_test() -> None:
    """These differences are significant by the F test, and the interval of the corrected t would hold 0."""
    noise = np.array([[0.11, 0.12], [0.02, 0.03], [0.10, 0.11], [0.01, 0.02], [0.12, 0.11]])
    five = table(np.stack([0.8 + noise, np.full((5, 2), 0.8)]), names=NAMES[:2])
    compare = tb.compare(five)
    assert compare.pairs[0].better == "forest"
    assert tb.compare(five, pairwise="corrected-t").pairs[0].better is None
    facts = compare.to_dict()
    assert facts["scores"]["linear"]["loss"] == {"value": pytest.approx(0.075), "low": None, "high": None}
    assert [facts["pairs"][0][end] for end in ("low", "high", "low_together", "high_together")] == [None] * 4
    assert not re.search(r"\bCI\b|interval holds", f"{compare}{compare.document()}")
    assert compare.document().pictures == ()
    assert type(compare.figure()).__name__ == "PairwiseMatrix"
    with pytest.raises(TiebreakError, match="pairwise='corrected-t'"):
        compare.intervals()
    assert np.isfinite(tb.compare(five, pairwise="corrected-t").intervals().low).all()


def test_a_loss_is_turned_round_like_a_score() -> None:
    scores = drawn(1, 10)
    up, down = tb.compare(table(scores)), tb.compare(table(1 - scores, metric="error"))
    assert up.algorithms == down.algorithms
    assert [pair.better for pair in up.pairs] == [pair.better for pair in down.pairs]
    assert [pair.pvalue for pair in up.pairs] == pytest.approx([pair.pvalue for pair in down.pairs], rel=1e-6)
    assert up.rows()[3]["loss"] == pytest.approx(down.rows()[3]["loss"])  # type: ignore[call-overload]


def test_against_a_control_holm_counts_its_pairs() -> None:
    scores = drawn(1, 10)
    compare = tb.compare(table(scores), control="linear")
    everything = {frozenset((p.a, p.b)): p.pvalue for p in tb.compare(table(scores), posthoc="none").pairs}
    raw = {(p.a, p.b): everything[frozenset((p.a, p.b))] for p in compare.pairs}
    assert [(p.a, p.b) for p in compare.pairs] == [("linear", "forest"), ("linear", "svm"), ("linear", "tree")]
    assert {(p.a, p.b): p.adjusted for p in compare.pairs} == pytest.approx(holm(raw))
    assert [p.better for p in compare.pairs] == ["forest", "svm", "linear"]


def test_ties_everywhere_are_no_difference() -> None:
    compare = tb.compare(table(np.full((4, 1, 5), 0.9)))
    assert [pair.adjusted for pair in compare.pairs] == [1.0] * 6
    assert compare.groups == (tuple(sorted(NAMES)),)
    assert "On this data set, all 4 have the same accuracy everywhere." in str(compare)


def test_a_difference_that_does_not_vary_is_significant_with_a_caveat() -> None:
    folds = np.linspace(0.5, 0.6, 5)[None, None]
    compare = tb.compare(table(folds + np.array([0.0, 0.1, 0.2, 0.3])[:, None, None]))
    assert compare.algorithms[0] == "tree"
    assert compare.significant.all()
    assert "constant-difference" in [note.code for note in compare.caveats]
    assert compare.to_dict()["pairs"][0]["statistic"] is None  # infinite


def test_two_algorithms_are_compared_without_a_correction() -> None:
    compare = tb.compare(table(drawn(1, 10)), algorithms=["forest", "tree"])
    assert [pair.pvalue for pair in compare.pairs] == [pair.adjusted for pair in compare.pairs]
    assert "forest is significantly better than tree on this data set" in str(compare)


def test_one_score_each_leaves_nothing_to_test() -> None:
    one = table(drawn(1, 1))
    with pytest.raises(TiebreakError, match="one score for each algorithm"):
        tb.compare(one)
    assert tb.order(one).order[0] == "forest"


def test_folds_that_some_lack_are_dropped_on_request() -> None:
    scores = drawn(1, 10)
    scores[1, 0, 7:] = np.nan
    with pytest.raises(TiebreakError, match=r"missing='drop-folds' or 'drop-algorithms'"):
        tb.compare(table(scores), missing="refuse")
    compare = tb.compare(table(scores), missing="drop-folds")
    whole = tb.compare(table(scores[:, :, :7]))
    assert [pair.pvalue for pair in compare.pairs] == pytest.approx([pair.pvalue for pair in whole.pairs])
    assert compare.resampling.share == pytest.approx(1 / 7)
    assert "linear" not in tb.compare(table(scores), missing="drop-algorithms").algorithms


def test_replications_of_unequal_folds_are_tested_together() -> None:
    scores = drawn(3, 10)
    scores[:, 1, 9:] = np.nan
    compare = tb.compare(table(scores))
    there = ~np.isnan(scores[0])
    a, b = scores[NAMES.index(compare.algorithms[0])][there], scores[NAMES.index(compare.algorithms[1])][there]
    assert compare.resampling.count == 29
    assert compare.pairs[0].pvalue == pytest.approx(corrected_t(a, b, 1 / 9)[1])


def test_the_share_of_hold_out_splits_must_be_known() -> None:
    splits = table(drawn(15, 1))
    with pytest.raises(TiebreakError, match=r"test_share=0\.33"):
        tb.compare(splits)
    assert not tb.compare(splits, test_share=0.33).resampling.assumed
    assert tb.order(splits).order[0] == "forest"


@every(
    "options",
    [
        {"pairwise": "wilcoxon"},
        {"omnibus": "friedman"},
        {"posthoc": "nemenyi"},
        {"scale": "distance"},
        {"pairwise": "5x2cv-f"},
        {"posthoc": "shaffer", "control": "tree"},
        {"missing": "worst-rank"},
        {"test_share": 1.5},
    ],
)
def test_what_is_for_several_data_sets_is_an_error(options: dict[str, object]) -> None:
    with pytest.raises(TiebreakError):
        tb.compare(table(drawn(1, 10)), **options)  # type: ignore[arg-type]


def test_a_share_is_an_error_with_several_data_sets() -> None:
    with pytest.raises(TiebreakError, match="test_share"):
        tb.compare(tb.published.demsar2006(), score="auc", test_share=0.1)


def test_plain_data_keep_the_contract_and_have_null_for_what_does_not_apply() -> None:
    compare = tb.compare(table(drawn(1, 10)))
    facts = json.loads(json.dumps(compare.to_dict(), allow_nan=False))
    assert facts["mean_ranks"] is facts["omnibus"] is facts["critical_difference"] is None
    assert facts["folds"] == {
        "dataset": "iris", "replications": 1, "folds": 10, "count": 10, "test_share": 0.1, "test_share_assumed": True,
    }  # fmt: skip
    assert facts["method"]["choices"] == {"omnibus": "none", "pairwise": "corrected-t", "posthoc": "bergmann-hommel"}
    assert {"a", "b", "statistic", "pvalue", "adjusted", "better", "difference", "low", "high"} <= set(
        facts["pairs"][0]
    )
    assert facts["groups"] == [["forest", "svm"], ["linear"], ["tree"]]
    assert facts["caveats"] == []


@pytest.mark.parametrize("shape", [(1, 10), (5, 2), (10, 10)])
def test_the_answer_fits_on_a_screen(
    shape: tuple[int, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cv.csv"
    lines = [f"iris,{NAMES[a]},{r},{k},{score:.5f}\n" for (a, r, k), score in np.ndenumerate(drawn(*shape))]
    file.write_text("dataset,algorithm,replication,fold,accuracy\n" + "".join(lines))
    assert main(["compare", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("On this data set, forest has the best mean score")
    assert main(["compare", str(file), "--full"]) == 0
    assert "Nadeau" in (full := capsys.readouterr().out) or "Alpaydin" in full
    page = tmp_path / "page.html"
    assert main(["report", str(file), "-o", str(page)]) == 0
    assert "On this data set, forest" in page.read_text()


def test_figures_are_drawn_from_the_folds(tmp_path: Path) -> None:
    compare = tb.compare(table(drawn(5, 2)), pairwise="corrected-t")
    for kind in ("forest", "matrix"):
        compare.figure(kind).save(tmp_path / f"{kind}.svg")
    drawn_ = {difference.algorithm: difference.estimate for difference in compare.figure("forest").differences}  # type: ignore[attr-defined]
    assert drawn_["tree"] == pytest.approx(-compare.rows()[3]["loss"])  # type: ignore[operator]


def test_equal_algorithms_are_seldom_called_different() -> None:
    """Folds that are correlated as the correction assumes (rho = 1/10): the error stays at the level."""
    rng, wrong, repeats = np.random.default_rng(4), 0, 400
    for _ in range(repeats):
        shared = rng.normal(0, np.sqrt(0.1), (3, 1, 1))
        scores = 0.8 + 0.01 * (shared + rng.normal(0, np.sqrt(0.9), (3, 1, 10)))
        wrong += bool(tb.compare(table(scores, names=NAMES[:3])).significant.any())
    assert wrong / repeats <= 0.075
