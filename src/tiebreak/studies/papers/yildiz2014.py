"""Yildiz and Alpaydin (2014), multivariate comparison of classification algorithms."""

from __future__ import annotations

from functools import cache
from math import log

import numpy as np
from scipy.special import chdtrc, fdtrc

from tiebreak import stats
from tiebreak._checks import FloatArray
from tiebreak.stats import multivariate
from tiebreak.studies.papers.long_runs import long_run
from tiebreak.studies.papers.record import DIFFERS, SAME, UNKNOWN, PaperRow

TABLE_1 = {"neither": 7.80, "only several": 14.75, "only single": 1.52, "both": 75.93}
TABLE_2 = {"neither": 7.46, "only several": 24.07, "only single": 1.69, "both": 66.78}
M1, M2 = (-0.379, 0.733, -0.206, -0.525), (-0.098, 0.323, -0.573, 0.746)
FOLDS_LOST = (
    "The confusion matrices of the folds are not printed, and no copy is known to us; without them and their splits"
    " the table cannot be made again from the sequences."
)
COMMAND = "tiebreak multivariate examples/breast_cancer.csv --scores tpr,fpr --resampling-correction none"
OWN_DATA = "On other data: the paper's folds are not printed."


@cache
def _example() -> FloatArray:
    """Ten folds of 50 and 50 examples, three algorithms, tpr and fpr: two of equal error and opposite faults."""
    rng = np.random.default_rng(7)
    rates = ((0.70, 0.10), (0.90, 0.30), (0.95, 0.05))
    return np.array([[[rng.binomial(50, rate) / 50 for rate in pair] for pair in rates] for _ in range(10)])


@cache
def _counts() -> FloatArray:
    """The same as tp, fp, tn, fn, in folds of different sizes, so that no sum of counts is constant."""
    rates = _example()
    positive, negative = np.arange(50, 60)[:, None], np.array([53, 51, 54, 51, 55, 59, 52, 56, 55, 53])[:, None]
    tp, fp = rates[..., 0] * positive, rates[..., 1] * negative
    return np.stack([tp, fp, negative - fp, positive - tp], axis=-1)


def _t2_by_formula(a: FloatArray, b: FloatArray) -> tuple[float, FloatArray]:
    gap = a - b
    mean, spread = gap.mean(axis=0), np.atleast_2d(np.cov(gap, rowvar=False))
    direction = np.linalg.solve(spread, mean)
    return float(len(gap) * mean @ direction), direction


def _hotelling_by_formula() -> dict[str, float]:
    t2, _ = _t2_by_formula(_example()[:, 0], _example()[:, 1])
    k, p = 10, 2
    f = (k - p) / (p * (k - 1)) * t2
    return {"T2": t2, "F": f, "p": float(fdtrc(p, k - p, f))}


def _hotelling() -> dict[str, float]:
    found = multivariate.hotelling(_example()[:, 0], _example()[:, 1])
    return {"T2": float(found.t2), "F": float(found.statistic), "p": float(found.pvalue)}


def _direction() -> dict[str, float]:
    """The ratio of the two weights, by formula (2) and by our function."""
    _, direction = _t2_by_formula(_example()[:, 0], _example()[:, 1])
    return {"tpr : fpr": float(direction[0] / direction[1])}


def _our_direction() -> dict[str, float]:
    found = multivariate.hotelling(_example()[:, 0], _example()[:, 1])
    return {"tpr : fpr": float(found.direction[0] / found.direction[1])}


def _scatter() -> tuple[FloatArray, FloatArray]:
    cube = _example()
    within = (cube - cube.mean(axis=0)).reshape(-1, 2)
    between = cube.mean(axis=0) - cube.mean(axis=(0, 1))
    return len(cube) * between.T @ between, within.T @ within


def _manova_by_formula() -> dict[str, float]:
    """Wilks' lambda as in formula (3), and the chi-squared of footnote 3."""
    h, e = _scatter()
    wilks = float(np.linalg.det(e) / np.linalg.det(e + h))
    p, m, n = 2, 3 * 9, 2
    chi2 = ((p - n + 1) / 2 - m) * log(wilks)
    return {"Wilks": wilks, "chi2": chi2, "p": float(chdtrc(n * p, chi2))}


def _manova() -> dict[str, float]:
    found = multivariate.manova(_example(), statistic="bartlett")
    return {"Wilks": float(found.wilks), "chi2": float(found.statistic), "p": float(found.pvalue)}


def _one_measure() -> dict[str, float]:
    a, b = _example()[:, 0, :1], _example()[:, 1, :1]
    found = stats.kfold_t(a[:, 0], b[:, 0])
    return {"T2 - t2": float(multivariate.hotelling(a, b).t2 - found.statistic**2)}


def _sums(shares: dict[str, float]) -> dict[str, float]:
    """The totals of a table: rows of the single measure, columns of several, and all."""
    return {
        "single does not reject": shares["neither"] + shares["only several"],
        "single rejects": shares["only single"] + shares["both"],
        "several do not reject": shares["neither"] + shares["only single"],
        "several reject": shares["only several"] + shares["both"],
    }


def _of_840(shares: dict[str, float]) -> dict[str, float]:
    """The nearest share of 840 comparisons to each printed one."""
    return {name: 100 * round(share * 8.4) / 840 for name, share in shares.items()}


def _only_together() -> dict[str, bool]:
    """Careful and bold: do tests of error, and of both rates, find a difference?"""
    cube = _example()
    error = (1 - cube[..., 0] + cube[..., 1]) / 2
    single = stats.kfold_t(error[:, 0], error[:, 1]).pvalue
    return {"error": bool(single <= 0.05), "tpr and fpr": bool(_hotelling()["p"] <= 0.05)}


def _learned_angle() -> dict[str, bool]:
    weights = multivariate.learned_measures(_counts()).weights[:, :2]
    lengths = np.linalg.norm(weights, axis=0)
    cosine = abs(float(weights[:, 0] @ weights[:, 1] / lengths.prod()))
    return {"orthogonal": cosine < 0.01}


def _more(shares: dict[str, float]) -> bool:
    return shares["only several"] > shares["only single"]


ROWS = (
    PaperRow(
        id="only-together",
        part="two algorithms, several measures: Hotelling's test (2.1)",
        where="Section 1, Figure 1",
        what="equal error and opposite faults: which test rejects",
        printed={"error": False, "tpr and fpr": True},
        command=COMMAND,
        ours=_only_together,
        verdict=SAME,
        reason="On simulated folds of that kind.",
    ),
    PaperRow(
        id="hotelling",
        part="two algorithms, several measures: Hotelling's test (2.1)",
        where="Formula (1), footnote 2",
        what="Hotelling's paired T2 and its F, on ten simulated folds",
        printed=_hotelling_by_formula(),
        command="tiebreak.stats.multivariate.hotelling(a, b)",
        ours=_hotelling,
        digits=9,
        verdict=SAME,
        reason="No value is printed: the formula is put beside our function.",
    ),
    PaperRow(
        id="one-measure",
        part="two algorithms, several measures: Hotelling's test (2.1)",
        where="Section 2.1",
        what="with one measure T2 is the square of the paired t",
        printed={"T2 - t2": 0.0},
        command="tiebreak.stats.multivariate.hotelling(a, b)",
        ours=_one_measure,
        digits=9,
        verdict=SAME,
    ),
    PaperRow(
        id="direction",
        part="two algorithms, several measures: Hotelling's test (2.1)",
        where="Formula (2)",
        what="direction of the largest difference, ratio of the weights",
        printed=_direction(),
        command="tiebreak.stats.multivariate.hotelling(a, b).direction",
        ours=_our_direction,
        digits=9,
        verdict=SAME,
        reason="No value is printed: the formula is put beside our function.",
    ),
    PaperRow(
        id="figure-4",
        part="three or more: MANOVA, then cliques (2.2, Figure 4)",
        where="Figure 4, section 3.5",
        what="polyadenylation, five algorithms: cliques",
        printed="c45; lda rf; qda; knn",
        command=f"{COMMAND} --json",
        verdict=UNKNOWN,
        reason=FOLDS_LOST,
    ),
    PaperRow(
        id="manova",
        part="three or more: MANOVA, then cliques (2.2, Figure 4)",
        where="Formula (3), footnote 3",
        what="Wilks' lambda and its chi-squared, three algorithms",
        printed=_manova_by_formula(),
        command="tiebreak.stats.multivariate.manova(measures, statistic='bartlett')",
        ours=_manova,
        digits=9,
        verdict=SAME,
        reason="No value is printed: the formula is put beside our function.",
    ),
    PaperRow(
        id="figure-1",
        part="histograms and contours (Figures 1 to 3)",
        where="Figure 1",
        what="donors, qda and svm2: histograms of error, scatter of (tpr, fpr)",
        printed="a figure",
        command=f"{COMMAND} --figure contours.svg",
        verdict=UNKNOWN,
        reason=FOLDS_LOST,
    ),
    PaperRow(
        id="figure-2",
        part="histograms and contours (Figures 1 to 3)",
        where="Figure 2",
        what="arabidopsis, svm1 and rf: histograms of F, scatter of (precision, recall)",
        printed="a figure",
        command="tiebreak multivariate examples/breast_cancer.csv --scores precision,recall --figure contours.svg",
        verdict=UNKNOWN,
        reason=FOLDS_LOST,
    ),
    PaperRow(
        id="figure-3",
        part="histograms and contours (Figures 1 to 3)",
        where="Figure 3, section 3.4",
        what="ec, two kernels: histograms of error, scatter of (tpr, fpr)",
        printed="a figure",
        command=f"{COMMAND} --figure contours.svg",
        verdict=UNKNOWN,
        reason=FOLDS_LOST,
    ),
    PaperRow(
        id="finding-error",
        part="error against tpr and fpr (Table 1)",
        where="Section 3.2, conclusion",
        what="several measures alone reject more often than error alone",
        printed={"more often": True},
        command="tiebreak study measures --data FILE ...",
        ours=lambda: {"more often": _more(long_run("yildiz2014/finding-error"))},
        long=True,
        verdict=SAME,
        reason="19.5 % against 3.2 % of 616 pairs on 22 sets of the UCI collection (corrected tests). On the eight"
        " small sets that ship 7.1 % against 3.1 %, which may be chance. " + OWN_DATA,
    ),
    PaperRow(
        id="table-1",
        part="error against tpr and fpr (Table 1)",
        where="Table 1",
        what="error against (tpr, fpr): decisions over 840 comparisons, per cent",
        printed=TABLE_1,
        command="tiebreak study measures",
        verdict=UNKNOWN,
        reason=FOLDS_LOST,
    ),
    PaperRow(
        id="table-1-totals",
        part="error against tpr and fpr (Table 1)",
        where="Table 1",
        what="its totals",
        printed={
            "single does not reject": 22.55,
            "single rejects": 77.45,
            "several do not reject": 9.32,
            "several reject": 90.68,
        },
        command="",
        ours=lambda: _sums(TABLE_1),
        digits=2,
        verdict=SAME,
    ),
    PaperRow(
        id="table-1-of-840",
        part="error against tpr and fpr (Table 1)",
        where="Table 1, section 3.2",
        what="the shares as counts of 840 comparisons",
        printed=TABLE_1,
        command="",
        ours=lambda: _of_840(TABLE_1),
        digits=2,
        verdict=DIFFERS,
        reason="No counts of 840 give the printed shares (7.74 or 7.86 for 7.80), so another number was compared.",
    ),
    PaperRow(
        id="comparisons",
        part="error against tpr and fpr (Table 1)",
        where="Section 3.2",
        what="pairs of seven algorithms on four data sets, ten times",
        printed={"pairs": 84, "results": 840},
        command="",
        ours=lambda: {"pairs": 4 * 7 * 6 // 2, "results": 10 * 4 * 7 * 6 // 2},
        verdict=SAME,
    ),
    PaperRow(
        id="finding-f",
        part="F against precision and recall (Table 2)",
        where="Section 3.3, conclusion",
        what="several measures alone reject more often than F alone",
        printed={"more often": True},
        command="tiebreak study measures --data FILE ...",
        ours=lambda: {"more often": _more(long_run("yildiz2014/finding-f"))},
        long=True,
        verdict=SAME,
        reason="18.3 % against 3.2 % of 616 pairs on 22 sets of the UCI collection (corrected tests). " + OWN_DATA,
    ),
    PaperRow(
        id="finding-f-shipped",
        part="F against precision and recall (Table 2)",
        where="Section 3.3, conclusion",
        what="the same on the sets that ship",
        printed={"more often": True},
        command="tiebreak study measures",
        ours=lambda: {"more often": _more(long_run("yildiz2014/finding-f-shipped"))},
        long=True,
        verdict=DIFFERS,
        reason="3.6 % against 4.9 % of 224 pairs: on small and easy sets the second measure costs more power than it"
        " brings. " + OWN_DATA,
    ),
    PaperRow(
        id="power",
        part="F against precision and recall (Table 2)",
        where="Sections 2.1, 4",
        what="the multivariate test has more power than the univariate one",
        printed={"always": True},
        command="tiebreak study measures",
        ours=lambda: {"always": _more(long_run("yildiz2014/finding-f-shipped"))},
        long=True,
        verdict=DIFFERS,
        reason="It has where faults are opposite; where the measures say the same, each further one costs a degree of"
        " freedom: see the row before.",
    ),
    PaperRow(
        id="table-2",
        part="F against precision and recall (Table 2)",
        where="Table 2",
        what="F against (precision, recall): decisions over 840 comparisons, per cent",
        printed=TABLE_2,
        command="tiebreak study measures",
        verdict=UNKNOWN,
        reason=FOLDS_LOST,
    ),
    PaperRow(
        id="table-2-totals",
        part="F against precision and recall (Table 2)",
        where="Table 2",
        what="its totals",
        printed={
            "single does not reject": 31.53,
            "single rejects": 68.47,
            "several do not reject": 9.15,
            "several reject": 90.85,
        },
        command="",
        ours=lambda: _sums(TABLE_2),
        digits=2,
        verdict=SAME,
    ),
    PaperRow(
        id="table-2-of-840",
        part="F against precision and recall (Table 2)",
        where="Table 2, section 3.3",
        what="the shares as counts of 840 comparisons",
        printed=TABLE_2,
        command="",
        ours=lambda: _of_840(TABLE_2),
        digits=2,
        verdict=DIFFERS,
        reason="No counts of 840 give them; 44, 142, 10 and 394 of 590 do.",
    ),
    PaperRow(
        id="normality",
        part="normality by Mardia's test (3.1)",
        where="Section 3.1",
        what="Mardia's test never rejects normality",
        printed={"rejections": 0},
        command="tiebreak.stats.multivariate.mardia(folds)",
        verdict=UNKNOWN,
        reason="The test is here; " + FOLDS_LOST[0].lower() + FOLDS_LOST[1:],
    ),
    PaperRow(
        id="figure-5",
        part="learned measures (3.6, Figure 5)",
        where="Figure 5, section 3.6",
        what="donors, three algorithms: learned measures and their eigenvalues",
        printed={"M1": list(M1), "M2": list(M2), "eigenvalues": [19.995, 7.731]},
        command="tiebreak multivariate examples/breast_cancer.csv --scores tp,fp,tn,fn --resampling-correction none",
        verdict=UNKNOWN,
        reason=FOLDS_LOST,
    ),
    PaperRow(
        id="share",
        part="learned measures (3.6, Figure 5)",
        where="Section 3.6",
        what="share of the first eigenvalue, per cent",
        printed={"share": 73},
        command="tiebreak multivariate examples/breast_cancer.csv --scores tp,fp,tn,fn --json",
        ours=lambda: {"share": 100 * 19.995 / (19.995 + 7.731)},
        verdict=DIFFERS,
        reason="A slip: 19.995 of 27.726 is 72.1 per cent.",
    ),
    PaperRow(
        id="unit-length",
        part="learned measures (3.6, Figure 5)",
        where="Section 3.6",
        what="the printed weights have length 1 and are orthogonal",
        printed={"M1": 1.0, "M2": 1.0, "product": 0.0},
        command="",
        ours=lambda: {
            "M1": float(np.linalg.norm(M1)),
            "M2": float(np.linalg.norm(M2)),
            "product": float(np.dot(M1, M2)),
        },
        digits=2,
        verdict=SAME,
    ),
    PaperRow(
        id="orthogonal",
        part="learned measures (3.6, Figure 5)",
        where="Section 3.6",
        what="eigenvectors of E^-1 H are orthogonal, the learned measures therefore independent",
        printed={"orthogonal": True},
        command="tiebreak.stats.multivariate.learned_measures(counts).weights",
        ours=_learned_angle,
        verdict=DIFFERS,
        reason="E^-1 H is not symmetric: w'E v = 0, so learned measures are uncorrelated within algorithms, but their"
        " weights need not be at right angles, and are not on simulated counts.",
    ),
)
