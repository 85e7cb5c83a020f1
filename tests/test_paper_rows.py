"""Rows of the ledger by a route of their own: scipy, loops and enumeration instead of the package."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations, permutations
from math import comb, log10, prod, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import linalg, stats

import tiebreak as tb
from tiebreak.advisor import shipped_knowledge
from tiebreak.cli import main
from tiebreak.stats import multivariate
from tiebreak.stats.adjust.bergmann_hommel import bergmann_hommel
from tiebreak.studies.papers import brazdil2003, yildiz2014
from tiebreak.studies.papers.ledger import PaperLedger, printed, records

NAMES = ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")
TABLE = tb.published.ulas2012()
PLACE = [TABLE.algorithms.index(name) for name in NAMES]
PAIRS = list(combinations(range(8), 2))
CORRECTIONS = {
    "2008": lambda p: p,
    "2012": bergmann_hommel,
    "2012, monotone": lambda p: bergmann_hommel(p, monotone=True),
}


def ours(row: str) -> Any:
    """What the ledger computes for a row."""
    paper = tb.paper(row.partition("/")[0])
    assert isinstance(paper, PaperLedger)
    return next(item["ours"] for item in paper.data() if item["id"] == row)


# ---- Ulas, Yildiz and Alpaydin (2008, 2012)


@cache
def pvalues() -> np.ndarray:
    """The 5x2 cv F test of all pairs on all data sets; errors that never differ give 1."""
    errors = -TABLE.cube("accuracy")[:, PLACE]
    out = np.ones((38, len(PAIRS)))
    for s in range(38):
        for k, (i, j) in enumerate(PAIRS):
            gap = errors[s, i] - errors[s, j]  # (replications, folds)
            below = 2 * ((gap - gap.mean(axis=1, keepdims=True)) ** 2).sum()
            above = (gap**2).sum()
            if above > 1e-18:
                out[s, k] = stats.f.sf(above / below, 10, 5) if below > 1e-18 else 0.0
    return out


def beaten(s: int, correction: str) -> set[tuple[int, int]]:
    """Pairs (worse, better) that differ significantly on a data set."""
    means, adjusted = TABLE.means("accuracy")[s, PLACE], CORRECTIONS[correction](pvalues()[s])
    return {
        (i, j) if means[j] > means[i] else (j, i)
        for (i, j), p in zip(PAIRS, adjusted, strict=True)
        if p <= 0.05 and means[i] != means[j]
    }


def multitest(prior: list[int], worse_better: set[tuple[int, int]]) -> list[int]:
    """Of those that no remaining costlier one beats, the cheapest comes next."""
    left, out = list(prior), []
    while left:
        free = [a for a in left if not any((a, b) in worse_better and prior.index(b) > prior.index(a) for b in left)]
        out.append(free[0])
        left.remove(free[0])
    return out


@cache
def places(cost: str, correction: str) -> np.ndarray:
    costs = TABLE.means(cost)[:, PLACE]
    out = np.empty((38, 8))
    for s in range(38):
        order = multitest(sorted(range(8), key=lambda j: costs[s, j]), beaten(s, correction))
        out[s, order] = np.arange(1, 9)
    return out


def differing(ranks: np.ndarray, alpha: float = 0.05, *, nemenyi: bool) -> str:
    """Which mean ranks differ, as a matrix of zeros and ones."""
    means, count = ranks.mean(axis=0), len(ranks)
    z = np.array([abs(means[i] - means[j]) for i, j in PAIRS]) / sqrt(8 * 9 / (6 * count))
    p = stats.studentized_range.sf(z * sqrt(2), 8, np.inf) if nemenyi else bergmann_hommel(2 * stats.norm.sf(z))
    square = [["0"] * 8 for _ in range(8)]
    for (i, j), value in zip(PAIRS, p, strict=True):
        if value <= alpha:
            square[i][j] = square[j][i] = "1"
    return " ".join(map("".join, square))


@pytest.mark.parametrize("cost", ["train_time", "space"])
@pytest.mark.parametrize("variant", ["2008", "2012"])
def test_multi2test(cost: str, variant: str) -> None:
    number = {"train_time": {"2008": "4.4", "2012": "7"}, "space": {"2008": "4.5", "2012": "8"}}[cost][variant]
    row, result = f"ulas{variant}/table-{number}", places(cost, variant)
    assert list(ours(f"{row}a").values()) == pytest.approx(result.mean(axis=0))
    pairs = differing(result, nemenyi=variant == "2008")
    assert ours(f"{row}c") == pairs
    means, mean_costs = result.mean(axis=0), TABLE.means(cost)[:, PLACE].mean(axis=0)
    edges = {
        (i, j) for i in range(8) for j in range(8) if pairs.split()[i][j] == "1" and means[j] < means[i]
    }  # (worse, better)
    order = multitest(sorted(range(8), key=lambda j: mean_costs[j]), edges)
    assert ours(f"{row}d")["order"] == " ".join(NAMES[j] for j in order)


@pytest.mark.parametrize("cost", ["train_time", "space"])
def test_the_places_of_the_report(cost: str) -> None:
    row = {"train_time": "ulas2008/table-a.12", "space": "ulas2008/table-a.13"}[cost]
    assert np.array_equal(ours(row), places(cost, "2008"))


@pytest.mark.parametrize("cost", ["train_time", "space"])
def test_the_monotone_form_changes_no_place(cost: str) -> None:
    assert np.array_equal(places(cost, "2012"), places(cost, "2012, monotone"))


def test_wins_and_the_sign_test() -> None:
    means = TABLE.means("accuracy")[:, PLACE]
    wins = [[int((means[:, i] > means[:, j] + 1e-9).sum()) for j in range(8)] for i in range(8)]
    assert ours("ulas2012/table-4") == wins
    significant = np.zeros((8, 8), dtype=int)
    for s in range(38):
        for worse, better in beaten(s, "2008"):
            significant[better, worse] += 1
    assert ours("ulas2012/table-6") == significant.tolist() == ours("ulas2008/table-4.3")
    bold = [
        f"{NAMES[i]}>{NAMES[j]}"
        for i in range(8)
        for j in range(8)
        if (w := significant[i, j]) > (lost := significant[j, i])
        and stats.binomtest(int(w), int(w + lost)).pvalue <= 0.05
    ]
    assert ours("ulas2008/table-4.3-bold") == " ".join(bold)


def test_ranks_of_accuracy() -> None:
    ranks = stats.rankdata(-TABLE.means("accuracy")[:, PLACE].round(9), axis=1)
    assert list(ours("ulas2012/table-5a").values()) == pytest.approx(ranks.mean(axis=0))
    assert ours("ulas2012/table-5c") == differing(ranks, nemenyi=False)
    assert ours("ulas2008/table-4.2c") == differing(ranks, nemenyi=True)


def test_optdigits() -> None:
    s = TABLE.datasets.index("optdigits")
    for row, correction in (("ulas2012/table-1", "2012"), ("ulas2008/table-3.1", "2008")):
        square = [["0"] * 8 for _ in range(8)]
        for worse, better in beaten(s, correction):
            square[better][worse] = "1"
        assert ours(row) == " ".join(map("".join, square))


def test_whoever_follows_is_not_always_worse_or_costlier() -> None:
    ranks, costs = places("train_time", "2012"), TABLE.means("train_time")[:, PLACE]

    def fits(s: int) -> bool:
        edges = beaten(s, "2012")
        return all(
            ranks[s, i] < ranks[s, j] or (i, j) in edges or (costs[s, i] > costs[s, j] and (j, i) not in edges)
            for i in range(8)
            for j in range(8)
            if i != j
        )

    assert ours("ulas2012/whoever-follows") == {"data sets": sum(map(fits, range(38)))} == {"data sets": 28}


def test_formulas_of_the_report_give_what_is_recorded() -> None:
    ranks = stats.rankdata(-TABLE.means("accuracy")[:, PLACE].round(9), axis=1).mean(axis=0)
    chi2 = 12 * 38 / (8 * 9) * ((ranks**2).sum() - 8 * 81 / 4)
    for row in ("ulas2012/friedman", "ulas2008/formula-2.1"):
        assert printed(row) == pytest.approx({"statistic": chi2, "df": 7.0})
    for row, count in (("ulas2012/sign-test", 38), ("ulas2008/sign-test", 37)):
        tail = sum(comb(count, k) for k in range(26, count + 1)) / 2 ** (count - 1)
        assert printed(row) == pytest.approx({"p": tail})
    assert printed("ulas2008/cd") == pytest.approx({"CD": 3.031 * sqrt(8 * 9 / (6 * 38))})
    cells = TABLE.cube("accuracy")[TABLE.datasets.index("optdigits"), PLACE]
    gap = cells[NAMES.index("c45")] - cells[NAMES.index("svl")]
    f = (gap**2).sum() / (2 * ((gap - gap.mean(axis=1, keepdims=True)) ** 2).sum())
    assert printed("ulas2008/a.1") == pytest.approx({"f": f, "p": stats.f.sf(f, 10, 5)})


# ---- Demsar (2006)

AUC = tb.published.demsar2006().means("auc")[:, [0, 2, 1, 3]]  # C4.5, C4.5+m, C4.5+cf, C4.5+m+cf
RANKS = tb.published.demsar2006_ranks().means("rank")[:, [0, 2, 1, 3]]


def test_wilcoxon_of_table_2() -> None:
    gap = AUC[:, 1] - AUC[:, 0]
    ranks = stats.rankdata(np.abs(gap))
    half = ranks[gap == 0].sum() / 2
    plus, minus = ranks[gap > 0].sum() + half, ranks[gap < 0].sum() + half
    assert ours("demsar2006/table-2") == {"R+": plus, "R-": minus, "T": min(plus, minus)}
    assert (plus, minus) == (93, 12)


def test_table_3_is_one_sided() -> None:
    for level, printed_wins in printed("demsar2006/table-3").items():
        tails = [(stats.binom.sf(np.arange(n + 1) - 1, n, 0.5), n) for n in range(5, 26)]
        least = [[next((w for w in range(n + 1) if k * p[w] <= float(level)), 0) for p, n in tails] for k in (1, 2)]
        one_sided, two_sided = least
        assert ours("demsar2006/table-3")[level] == two_sided
        assert sum(map(int.__eq__, one_sided, printed_wins)) == {"0.05": 19, "0.10": 21}[level]


def test_replicability_of_table_7() -> None:
    for test, counts in printed("demsar2006/table-7").items():
        by_hand = [(q * (q - 1) + (1000 - q) * (999 - q)) / (1000 * 999) for q in counts]
        assert ours("demsar2006/table-7-r")[test] == pytest.approx(by_hand)
    rows = printed("demsar2006/table-7")
    assert np.mean(rows["paired t"]) == pytest.approx(printed("demsar2006/wilcoxon-rejections")["paired t"], abs=0.5)
    assert np.mean(rows["wilcoxon"]) == pytest.approx(printed("demsar2006/wilcoxon-rejections")["wilcoxon"], abs=0.5)


def test_tables_5() -> None:
    for k, values in ours("demsar2006/table-5a").items():
        q = stats.studentized_range.isf([0.05, 0.10], int(k), np.inf) / sqrt(2)
        assert values == pytest.approx(q, abs=1e-5)
    for k, values in ours("demsar2006/table-5b").items():
        assert values == pytest.approx(stats.norm.isf(np.array([0.05, 0.10]) / (2 * (int(k) - 1))), abs=1e-9)


def test_friedman_of_table_6() -> None:
    for row, ranks in (("friedman", RANKS), ("friedman-auc", stats.rankdata(-AUC, axis=1))):
        chi2 = 12 * 14 / (4 * 5) * ((ranks.mean(axis=0) ** 2).sum() - 4 * 25 / 4)
        f = 13 * chi2 / (14 * 3 - chi2)
        assert ours(f"demsar2006/{row}") == pytest.approx({"chi2": chi2, "F": f})


def test_critical_differences_and_pairs() -> None:
    unit = sqrt(4 * 5 / (6 * 14))
    cd = {name: stats.studentized_range.isf(float(name), 4, np.inf) / sqrt(2) * unit for name in ("0.05", "0.10")}
    assert ours("demsar2006/cd-nemenyi") == pytest.approx(cd, abs=1e-6)
    names = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
    means = RANKS.mean(axis=0)
    for level, least in cd.items():
        pairs = [f"{names[i]}/{names[j]}" for i, j in combinations(range(4), 2) if abs(means[i] - means[j]) >= least]
        assert ours("demsar2006/nemenyi-pairs")[level] == " ".join(pairs)
    dunn = stats.norm.isf(0.05 / 6) * unit
    assert ours("demsar2006/cd-dunn")["CD"] == pytest.approx(dunn)
    assert ours("demsar2006/figure-1b") == " ".join(n for n, m in zip(names, means, strict=True) if means[0] - m > dunn)


def test_holm_against_the_control() -> None:
    z = np.abs(RANKS.mean(axis=0)[1:] - RANKS.mean(axis=0)[0]) / sqrt(4 * 5 / (6 * 14))
    p = 2 * stats.norm.sf(z)
    rejected = []
    for step, i in enumerate(np.argsort(p)):
        if p[i] > 0.05 / (3 - step):
            break
        rejected.append(("C4.5+m", "C4.5+cf", "C4.5+m+cf")[i])
    assert ours("demsar2006/control-steps")["holm"] == " ".join(sorted(rejected))
    table = ours("demsar2006/control-table")
    values = np.array([table[name] for name in ("C4.5+m", "C4.5+cf", "C4.5+m+cf")])
    assert values == pytest.approx(np.array([z, p]).T)


# ---- Yildiz and Alpaydin (2014)


def test_hotelling_and_its_direction() -> None:
    gap = yildiz2014._example()[:, 0] - yildiz2014._example()[:, 1]
    s = sum(np.outer(row - gap.mean(axis=0), row - gap.mean(axis=0)) for row in gap) / 9
    t2 = 10 * gap.mean(axis=0) @ np.linalg.inv(s) @ gap.mean(axis=0)
    f = 8 / (2 * 9) * t2
    assert ours("yildiz2014/hotelling") == pytest.approx({"T2": t2, "F": f, "p": stats.f.sf(f, 2, 8)})
    assert printed("yildiz2014/hotelling") == pytest.approx(ours("yildiz2014/hotelling"))
    direction = np.linalg.solve(s, gap.mean(axis=0))
    assert printed("yildiz2014/direction") == pytest.approx({"tpr : fpr": direction[0] / direction[1]})
    angles = np.linspace(0, np.pi, 200_001)
    along = gap @ np.array([np.cos(angles), np.sin(angles)])  # the largest |t| is along the direction
    t = np.abs(along.mean(axis=0)) / along.std(axis=0, ddof=1)
    best = angles[t.argmax()]
    assert ours("yildiz2014/direction")["tpr : fpr"] == pytest.approx(np.cos(best) / np.sin(best), rel=1e-3)


def test_manova() -> None:
    cube = yildiz2014._example()
    total = (cube - cube.mean(axis=(0, 1))).reshape(-1, 2)
    within = (cube - cube.mean(axis=0)).reshape(-1, 2)
    wilks = np.linalg.det(within.T @ within) / np.linalg.det(total.T @ total)  # E + H is the scatter of all
    result = ours("yildiz2014/manova")
    assert result["Wilks"] == pytest.approx(wilks)
    chi2 = -(27 - (2 - 2 + 1) / 2) * np.log(wilks)
    assert (result["chi2"], result["p"]) == pytest.approx((chi2, stats.chi2.sf(chi2, 4)))
    assert printed("yildiz2014/manova") == pytest.approx({"Wilks": wilks, "chi2": chi2, "p": stats.chi2.sf(chi2, 4)})


def test_one_measure_is_anova() -> None:
    rates = yildiz2014._example()[..., 0]
    assert multivariate.manova(rates[..., None]).pvalue == pytest.approx(stats.f_oneway(*rates.T).pvalue)
    assert ours("yildiz2014/one-measure-anova")["p - p"] == pytest.approx(0, abs=1e-12)


def test_equal_error_and_opposite_faults() -> None:
    cube = yildiz2014._example()
    error = (1 - cube[..., 0] + cube[..., 1]) / 2
    assert stats.ttest_rel(error[:, 0], error[:, 1]).pvalue > 0.05
    assert stats.ttest_rel(cube[:, 0, 0], cube[:, 1, 0]).pvalue < 0.05
    assert ours("yildiz2014/only-together") == {"error": False, "tpr and fpr": True}


@pytest.mark.parametrize("table", [1, 2])
def test_no_counts_of_840_give_the_printed_shares(table: int) -> None:
    shares = {1: (7.80, 14.75, 1.52, 75.93), 2: (7.46, 24.07, 1.69, 66.78)}[table]
    possible = {round(100 * count / 840, 2) for count in range(841)}
    assert not all(share in possible for share in shares)
    assert tuple(ours(f"yildiz2014/table-{table}-of-840").values()) != pytest.approx(shares, abs=0.005)
    if table == 2:
        assert [round(100 * count / 590, 2) for count in (44, 142, 10, 394)] == list(shares)


def test_learned_measures_are_not_orthogonal() -> None:
    cube = yildiz2014._counts()
    within = (cube - cube.mean(axis=0)).reshape(-1, 4)
    between = cube.mean(axis=0) - cube.mean(axis=(0, 1))
    e, h = within.T @ within, len(cube) * between.T @ between
    vectors = linalg.eigh(h, e)[1][:, ::-1][:, :2]
    cosine = vectors[:, 0] @ vectors[:, 1] / np.linalg.norm(vectors, axis=0).prod()
    assert abs(cosine) > 0.01 and abs(vectors[:, 0] @ e @ vectors[:, 1]) < 1e-9
    assert ours("yildiz2014/orthogonal") == {"orthogonal": False}


# ---- Brazdil, Soares and Costa (2003)


def test_spearman_and_its_table() -> None:
    recommended, ideal = [4, 1, 6, 2, 5, 3], [4, 1, 6, 2.5, 2.5, 5]
    total = sum((a - b) ** 2 for a, b in zip(recommended, ideal, strict=True))
    assert ours("brazdil2003/table-4") == pytest.approx({"sum": total, "r": 1 - 6 * total / (6**3 - 6)})
    assert ours("brazdil2003/table-3") == pytest.approx([6 * e * e / 990 for e in range(1, 10)])
    swapped = 1 - 6 * (2 * 2**2) / 990
    assert ours("brazdil2003/swap") == pytest.approx({"loss": 1 - swapped, "r": swapped})


def test_friedman_and_dunn_of_the_example() -> None:
    table = np.array(brazdil2003.TABLE_VI).T
    ranks = stats.rankdata(-table, axis=1)
    spread = ((ranks.mean(axis=0) - 2.5) ** 2).sum()
    assert ours("brazdil2003/table-6") == pytest.approx({"S": spread, "M": stats.friedmanchisquare(*table.T).statistic})
    unit = sqrt(3 * 4 * 5 / 6)
    sums = ranks.sum(axis=0)
    expected = {"T12": (sums[0] - sums[1]) / unit, "T14": (sums[0] - sums[3]) / unit, "sd": unit}
    assert ours("brazdil2003/dunn-example") == pytest.approx(expected)
    tied = table.copy()
    tied[0, 1:], tied[1, 2:] = 0.314, -0.401
    assert ours("brazdil2003/table-6-ties")["corrected M"] == pytest.approx(stats.friedmanchisquare(*tied.T).statistic)


def test_critical_values() -> None:
    rows = list(permutations(range(1, 5)))
    counts: dict[float, int] = {}
    for second in rows:
        for third in rows:
            sums = [i + 1 + second[i] + third[i] for i in range(4)]
            m = round(12 * 3 / 20 * sum((x / 3 - 2.5) ** 2 for x in sums), 9)
            counts[m] = counts.get(m, 0) + 1
    tail = {m: sum(c for other, c in counts.items() if other >= m) / 576 for m in counts}
    assert ours("brazdil2003/table-6-critical")["M"] == pytest.approx(min(m for m, p in tail.items() if p <= 0.05))
    assert ours("brazdil2003/dunn-critical-4")["T"] == pytest.approx(stats.norm.isf(0.25 / 12))
    assert ours("brazdil2003/dunn-critical-3")["T"] == pytest.approx(stats.norm.isf(0.25 / 6))
    assert ours("brazdil2003/table-7-critical")["M"] == pytest.approx(stats.chi2.isf(0.01, 2))


def test_the_published_procedure_on_wine(capsys: pytest.CaptureFixture[str]) -> None:
    """The nearest five by five measures over their ranges, then ARR on what was measured there, all written out."""
    command = next(row for row in records("brazdil2003") if row.id == "procedure").command
    assert main([*command.split()[1:], "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    base = shipped_knowledge()
    rows = [base.datasets.index(item["dataset"]) for item in data["neighbours"]]
    accuracy, time = (
        np.nanmean(item[rows].reshape(len(rows), len(base.algorithms), -1), axis=-1)
        for item in (base.accuracy, base.time)
    )
    count = len(base.algorithms)
    values = {}
    for p in range(count):
        means = [
            prod((accuracy[d, p] / accuracy[d, q]) / (1 + 0.01 * log10(time[d, p] / time[d, q])) for d in range(5))
            ** 0.2
            for q in range(count)
        ]
        values[base.algorithms[p]] = sum(means) / count
    assert {row["algorithm"]: row["score"] for row in data["ranking"]} == pytest.approx(values)
    assert [row["algorithm"] for row in data["ranking"]] == sorted(values, key=lambda name: -values[name])


def test_arr_by_its_formula() -> None:
    accuracy, time = brazdil2003._made_up()
    values = []
    for p in range(5):
        ratios = (accuracy[:, [p]] / accuracy) / (1 + 0.01 * np.log10(time[:, [p]] / time))
        values.append(np.exp(np.log(ratios).mean(axis=0)).mean())
    assert printed("brazdil2003/formula-1-2") == pytest.approx(sorted(values, reverse=True))


def test_m_and_t_determine_each_other() -> None:
    """Three methods: the mean ranks follow from two T, and M from the mean ranks."""
    for name, (one_all, five_all, _) in printed("brazdil2003/table-8").items():
        unit = sqrt(530 * 3 * 4 / 6) / 530
        gaps = one_all * unit, five_all * unit  # mean rank of all data less that of the other
        all_ = 2 + sum(gaps) / 3
        ranks = (all_ - gaps[0], all_ - gaps[1], all_)
        assert ranks == pytest.approx(printed("brazdil2003/table-7")[name][:3], abs=0.006)
        m = 12 * 530 / 12 * sum((rank - 2) ** 2 for rank in ranks)
        assert ours("brazdil2003/table-8-and-7")[name] == pytest.approx(m, abs=0.05)
