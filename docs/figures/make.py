"""Write the gallery of docs/figures.md from the published results: python docs/figures/make.py"""

from __future__ import annotations

from pathlib import Path

import tiebreak as tb
from tiebreak import figures

FOLDER = Path(__file__).parent


def gallery() -> dict[str, figures.Figure]:
    ulas, demsar = tb.published.ulas2012(), tb.published.demsar2006()
    compared = tb.compare(ulas, score="accuracy", posthoc="nemenyi")
    against = tb.compare(ulas, score="accuracy", control="mlp", posthoc="bonferroni-dunn")
    ordered = tb.order(ulas, score="accuracy", cost="train_time")
    by_score = tb.order(ulas, score="accuracy", cost="train_time", pairwise="score")
    bayes = tb.compare(demsar, score="auc").bayes(rope=0.01)
    return {
        "critical-difference": figures.critical_difference(compared),
        "control": figures.control_diagram(against),
        "matrix": figures.pairwise_matrix(compared),
        "order": figures.order_graph(by_score),
        "costs": figures.cost_plane(ordered),
        "places": figures.place_stability(ordered.stability(datasets=1000)),
        "posterior": figures.posterior(bayes),
    }


if __name__ == "__main__":
    for name, figure in gallery().items():
        figure.save(FOLDER / f"{name}.svg")
