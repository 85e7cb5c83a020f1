"""Wins over data sets, by averages and significantly: the study, the test of `stats`, and `compare --pairwise wins`."""

from __future__ import annotations

import json
from math import comb

import numpy as np
import pytest

import tiebreak as tb
from tiebreak import stats
from tiebreak.cli import main
from tiebreak.documents.layout import Bold, html_table, latex_table, markdown_table, text_table
from tiebreak.errors import InputError
from tiebreak.methods import find
from tiebreak.studies import win_matrices
from tiebreak.studies.procedures import differing, promised
from tiebreak.studies.special_procedures import FOLDS, WIN_SHAPE, win_rejections
from tiebreak.studies.win_study import WinMatrices

from .every import every

ORDER = ["c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn"]
PRINTED = np.array(
    [
        [0, 5, 3, 4, 2, 5, 0, 4],
        [5, 0, 0, 2, 0, 10, 0, 7],
        [11, 7, 0, 6, 3, 10, 3, 9],
        [7, 3, 1, 0, 0, 9, 0, 5],
        [9, 6, 4, 6, 0, 13, 2, 12],
        [7, 9, 8, 6, 5, 0, 1, 8],
        [14, 14, 10, 10, 8, 16, 0, 16],
        [6, 4, 4, 3, 1, 10, 1, 0],
    ]
)
"""Ulas, Yildiz and Alpaydin (2012): significant wins by the 5x2 cv F test over 38 data sets, rows beat columns."""


@pytest.fixture(scope="module")
def found() -> WinMatrices:
    return win_matrices()


def binomial(wins: int, losses: int) -> float:
    """Two-sided exact p-value of the sign test, by summing what is as extreme."""
    n, low = wins + losses, min(wins, losses)
    return min(1.0, 2 * sum(comb(n, k) for k in range(low + 1)) / 2**n)


def test_significant_wins_are_those_of_the_paper(found: WinMatrices) -> None:
    place = [found.algorithms.index(name) for name in ORDER]
    assert (found.counts("significant")[np.ix_(place, place)] == PRINTED).all()


def test_wins_by_the_average_are_a_plain_count(found: WinMatrices) -> None:
    """Accuracies have two decimals, so that sums of ten folds are whole hundredths."""
    cube = tb.published.ulas2012().cube("accuracy").reshape(38, 8, 10)
    sums = np.rint(cube * 100).astype(int).sum(axis=2)
    assert (found.counts() == (sums[:, :, None] > sums[:, None, :]).sum(axis=0)).all()


@pytest.mark.parametrize("ties", ["split", "drop"])
@pytest.mark.parametrize("kind", ["averages", "significant"])
def test_bold_is_where_the_binomial_says_so(ties: str, kind: str) -> None:
    matrices = win_matrices(win_ties=ties)
    wins, bold = matrices.counts(kind), matrices.bold(kind)
    for row in (item for item in matrices.rows() if item["wins_by"] == kind):
        a, b = matrices.algorithms.index(row["a"]), matrices.algorithms.index(row["b"])
        assert wins[a, b] + wins[b, a] + row["ties"] == 38
        half = row["ties"] // 2 if ties == "split" else 0
        assert row["pvalue"] == pytest.approx(binomial(wins[a, b] + half, wins[b, a] + half), rel=1e-12)
        assert bold[a, b] == (row["better"] == row["a"]) == (row["pvalue"] <= 0.05 and wins[a, b] > wins[b, a])
        assert bold[b, a] == (row["better"] == row["b"])


def test_splitting_ties_hides_what_dropping_them_shows() -> None:
    split, drop = win_matrices(), win_matrices(win_ties="drop")
    assert (int(split.bold("significant").sum()), int(drop.bold("significant").sum())) == (4, 9)
    corrected = win_matrices(win_ties="drop", posthoc="holm")
    assert int(corrected.bold("significant").sum()) < 9
    assert "weak-correction" in {note.code for note in drop.caveats}
    assert "weak-correction" not in {note.code for note in corrected.caveats}


def test_without_folds_there_is_one_matrix() -> None:
    matrices = win_matrices(tb.published.demsar2006())
    assert list(matrices.kinds) == ["averages"]
    assert matrices.significant is None
    assert matrices.to_dict()["significant"] is None
    assert "no-folds" in matrices.to_dict()["caveat_codes"]
    pair = next(row for row in matrices.rows() if (row["a"], row["b"]) == ("C4.5", "C4.5+m"))
    assert (pair["wins_a"], pair["ties"], pair["wins_b"]) == (2, 2, 10)  # Demsar (2006), Table 2


# ---- bold cells


def test_bold_in_every_format() -> None:
    header, body = ["a", "b"], [["x", Bold("14")], ["y", "2"], ["z", Bold("3")]]
    assert text_table(header, body) == "a   b\nx  14*\ny   2\nz   3*"
    assert "| x | **14** |" in markdown_table(header, body)
    assert r"x & \textbf{14} \\" in latex_table(header, body)
    assert "<td><b>14</b></td>" in html_table(header, body)
    assert text_table(header, [["x", "14"]]) == "a   b\nx  14"


def test_the_matrices_are_printed(found: WinMatrices) -> None:
    assert "svr    16*   14*   10   14*   10   16*    8" in str(found)
    assert "| svr | **16** | **14** | 10 | **14** | 10 | **16** | 8 |  |" in found.to_markdown()


# ---- the test on plain arrays


def folds(seed: int = 0, shape: tuple[int, ...] = (20, 3, 5, 2)) -> np.ndarray:
    rng = np.random.default_rng(seed)
    level = rng.normal(size=(*shape[:2], 1, 1)) + np.arange(shape[1])[:, None, None]
    return level + rng.normal(size=shape)


@pytest.mark.parametrize("test", ["5x2cv-f", "5x2cv-t", "corrected-t", "kfold-t"])
def test_wins_are_counted_data_set_by_data_set(test: str) -> None:
    cube = folds()
    pairs = stats.significant_win_pairs(cube, test=test, alpha=0.1)
    share = {"test_share": 0.5} if test == "corrected-t" else {}
    inner = stats.fold_pairs(cube.reshape(20, 3, 10), method=test, **share)
    for k, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        wins = [0, 0]
        for s in range(20):
            gap = cube[s, a].mean() - cube[s, b].mean()
            points = test == "5x2cv-f" or inner.statistic[s, k] * gap > 0
            if inner.pvalue[s, k] <= 0.1 and points:
                wins[int(gap > 0)] += 1
        assert [pairs.wins_a[k], pairs.wins_b[k]] == wins
        assert pairs.pvalue[k] == pytest.approx(binomial(*wins), rel=1e-12)
        assert pairs.statistic[k] == wins[1] - wins[0]


def test_direction_control_and_correction() -> None:
    cube = folds()
    down, up = stats.significant_win_pairs(cube), stats.significant_win_pairs(-cube, higher_is_better=True)
    assert (down.wins_a == up.wins_a).all()
    control = stats.significant_win_pairs(cube, control=2, adjust="holm", algorithms=list("abc"))
    assert [row["a"] for row in control.rows()] == ["c", "c"]
    assert control.wins_b.tolist() == down.wins_a[[1, 2]].tolist()
    assert control.adjusted == pytest.approx(stats.holm(control.pvalue))
    inner = stats.significant_win_pairs(cube, inner_adjust="holm")
    assert ((inner.wins_a + inner.wins_b) <= (down.wins_a + down.wins_b)).all()


def test_data_sets_with_other_folds_are_tested_on_their_own() -> None:
    cube = np.full((12, 3, 5, 4), np.nan)
    cube[:6, :, :, :2] = folds(1, (6, 3, 5, 2))
    cube[6:, :, 0] = folds(2, (6, 3, 1, 4))[:, :, 0]
    both = stats.significant_win_pairs(cube)
    parts = stats.significant_win_pairs(cube[:6, :, :, :2]), stats.significant_win_pairs(cube[6:, :, 0])
    assert (both.wins_a == parts[0].wins_a + parts[1].wins_a).all()
    cube[6:, :, 0, 1:] = np.nan
    one = stats.significant_win_pairs(cube)
    assert (one.wins_a == parts[0].wins_a).all()
    assert "no-folds" in {note.code for note in one.caveats}


def test_what_cannot_be_tested_is_refused() -> None:
    with pytest.raises(InputError, match="one score for each data set and algorithm"):
        stats.significant_win_pairs(np.ones((5, 3, 1)))
    with pytest.raises(InputError, match="lacks folds"):
        stats.significant_win_pairs(np.where(np.arange(4) == np.arange(3)[:, None], np.nan, np.ones((5, 3, 4))))
    with pytest.raises(InputError, match="5x2cv-f needs 5 replications of 2 folds"):
        stats.significant_win_pairs(folds(0, (5, 3, 1, 10)), test="5x2cv-f")
    with pytest.raises(InputError, match="scores has shape"):
        stats.significant_win_pairs(np.ones((5, 3)))
    assert stats.significant_win_pairs(np.ones((5, 3, 5, 2))).pvalue.tolist() == [1, 1, 1]


# ---- compare


def test_compare_counts_significant_wins() -> None:
    table = tb.published.ulas2012()
    compare = tb.compare(table, score="accuracy", pairwise="significant-wins")
    assert compare.plan.pairwise == "significant-wins"
    assert not compare.gated
    by_hand = stats.significant_win_pairs(
        table.cube("accuracy"), higher_is_better=True, algorithms=table.algorithms, adjust="bergmann-hommel"
    )
    expected = {frozenset((row["a"], row["b"])): row["adjusted"] for row in by_hand.rows()}
    assert {frozenset((pair.a, pair.b)): pair.adjusted for pair in compare.pairs} == pytest.approx(expected)
    assert {pair.better for pair in compare.pairs} == {None, "svr"}
    assert "ties dropped" in compare.tests.method
    with pytest.raises(InputError, match="one score for each data set"):
        tb.compare(tb.published.demsar2006(), pairwise="significant-wins")


def test_wins_alone_stay_wins_by_the_average() -> None:
    table = tb.published.ulas2012()
    old = tb.compare(table, score="accuracy", pairwise="wins")
    assert old.plan.pairwise == "wins"
    pair = old.pairs[0]
    assert pair.pvalue == pytest.approx(binomial(21, 17))


@every("control", [None, "mlp"])
@every("pairwise", ["sign", "wins", "significant-wins", "wilcoxon", "paired-t", "anytime"])
def test_every_number_of_a_pair_follows_the_order_best_first(pairwise: str, control: str | None) -> None:
    """Wins and rank sums of a pair stood beside the names of another one."""
    table = tb.published.ulas2012()
    tests = tb.compare(table, score="accuracy", pairwise=pairwise, control=control, posthoc="holm").tests
    order = [table.algorithms.index(name) for name in tests.algorithms]
    data = table.cube("accuracy") if pairwise == "significant-wins" else table.means("accuracy")
    place = None if control is None else tests.algorithms.index(control)
    again = find(pairwise, "pairs")(data[:, order], higher_is_better=True, adjust="holm", control=place)
    for name in (*again.COLUMNS, "a", "b"):
        assert getattr(tests, name) == pytest.approx(getattr(again, name)), name


def test_equal_pairs_differ_seldom_and_means_find_more() -> None:
    """The setting of the error-rate study; at most 13 of 120 tables are what an error of 0.05 leaves, at 0.99."""
    key, by_means = ("significant wins", "significant wins, shaffer"), ("significant wins", "by means: sign, shaffer")
    for truth in ("null", "partial"):
        rejections = win_rejections(FOLDS, truth, 120, np.random.default_rng(3), alpha=0.05)
        false = rejections[key][:, ~differing(WIN_SHAPE[1])("significant wins", FOLDS, truth, 10)]
        assert int(false.any(axis=1).sum()) <= 13
        assert promised(key)[truth] == (FOLDS,)
    rejections = win_rejections(FOLDS, "different", 120, np.random.default_rng(3), alpha=0.05)
    assert rejections[key].mean() < rejections[by_means].mean()


# ---- the command line


def test_the_commands(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    assert main(["study", "wins", "--where", "algorithm in svr,svl,5nn", "--win-ties", "drop", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["algorithms"] == ["5nn", "svl", "svr"]
    assert data["significant"]["wins"] == [[0, 1, 1], [12, 0, 2], [16, 8, 0]]
    assert data["significant"]["bold"][1] == [True, False, False]
    assert data["averages"]["pairs"][0]["better"] == "svl"
    path = tmp_path / "folds.csv"
    lines = [
        f"{s},{a},{r},{f},{x}"
        for s, block in enumerate(folds().round(3))
        for a, cells in zip("xyz", block, strict=True)
        for r, line in enumerate(cells, 1)
        for f, x in enumerate(line, 1)
    ]
    path.write_text("\n".join(["dataset,algorithm,replication,fold,error", *lines]), encoding="utf-8")
    assert main(["compare", str(path), "--score", "error", "--pairwise", "significant-wins"]) == 0
    assert "wins by the 5x2 cv F test" in capsys.readouterr().out
    assert main(["study", "wins", str(path), "--score", "error", "--win-test", "corrected-t"]) == 0
    assert "corrected resampled t" in capsys.readouterr().out.lower()
    assert main(["study", "wins", str(path), "--score", "error", "--win-test", "guess"]) == 2
    assert "guess" in capsys.readouterr().err
