"""Write the gallery of docs/figures.md from published results and invented folds: python docs/figures/make.py"""

from __future__ import annotations

from pathlib import Path
from random import Random

import tiebreak as tb
from tiebreak import figures
from tiebreak.studies import replicability

FOLDER = Path(__file__).parent


RATES = {
    "bayes": (0.80, 0.20),
    "forest": (0.90, 0.14),
    "knn": (0.70, 0.10),
    "mlp": (0.83, 0.17),
    "svm": (0.90, 0.30),
    "tree": (0.80, 0.20),
}
"""True and false positive rates from which folds are drawn; knn, svm and tree err equally often, in opposite ways."""


def invented() -> tb.Results:
    """Draw the counts of 20 folds with 60 positives and 60 negatives each."""
    rng, rows = Random(11), []
    for fold in range(20):
        for name, (tpr, fpr) in RATES.items():
            tp, fp = (sum(rng.random() < rate for _ in range(60)) for rate in (tpr, fpr))
            rows.append(("invented", name, fold, tp, 60 - tp, fp, 60 - fp))
    names = ("dataset", "algorithm", "fold", "tp", "fn", "fp", "tn")
    return tb.Results.from_dict(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def gallery() -> dict[str, figures.Figure]:
    ulas, demsar = tb.published.ulas2012(), tb.published.demsar2006()
    compared = tb.compare(ulas, score="accuracy")
    against = tb.compare(ulas, score="accuracy", control="mlp", posthoc="bonferroni-dunn")
    ordered = tb.order(ulas, score="accuracy", cost="train_time")
    by_tests = tb.order(ulas, score="accuracy", cost="train_time", rule="multitest")
    bayes = tb.compare(demsar, score="auc").bayes(rope=0.01)
    counts = invented()
    several = tb.multivariate(counts, scores=["tpr", "fpr"])
    return {
        "critical-difference": figures.critical_difference(compared),
        "control": figures.control_diagram(against),
        "matrix": figures.pairwise_matrix(compared),
        "order": figures.order_graph(by_tests),
        "column-cd": figures.critical_difference(compared).sized(width="84mm"),
        "column-matrix": figures.pairwise_matrix(compared).sized(width="84mm"),
        "forest": figures.forest_plot(compared, margin=1.0),
        "frontier": figures.frontier_plane(ordered),
        "column-frontier": figures.frontier_plane(ordered).sized(width="84mm"),
        "scores": figures.score_distributions(ordered),
        "replicability": replicability(pair=("svl", "c45"), repeats=300).figure(),
        "posterior": figures.posterior(bayes),
        "contours": figures.measure_contours(several, single="error", results=counts),
        "learned": figures.learned_plane(several),
    }


if __name__ == "__main__":
    for name, figure in gallery().items():
        figure.save(FOLDER / f"{name}.svg")
