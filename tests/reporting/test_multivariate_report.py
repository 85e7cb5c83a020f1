"""The report of a comparison by several measures: its parts, figures and every format."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

from tiebreak import Results, multivariate
from tiebreak.multivariate_tests import MultivariateComparison
from tiebreak.reporting.html import SCRIPTS

NASTY = r"<script>alert(1)</script> & 100%_\input{x}"


def compared(
    names: tuple[str, ...] = ("a", "b", "c"),
    *,
    sets: int = 1,
    folds: int = 10,
    effect: float = 0.1,
    measures: tuple[str, ...] = ("tpr", "fpr"),
    **options: object,
) -> MultivariateComparison:
    rng = np.random.default_rng(4)
    shape = (sets, folds, len(names), len(measures))
    values = 0.5 + rng.normal(0, 0.02, shape) + effect * np.arange(len(names))[:, None]
    rows = [(f"d{s}", name, k) for s in range(sets) for k in range(folds) for name in names]
    keys = dict(zip(("dataset", "algorithm", "fold"), map(list, zip(*rows, strict=True)), strict=True))
    keys["train_time"] = [1.0 + names.index(name) for _, name, _ in rows]
    columns = {m: values[..., j].ravel().tolist() for j, m in enumerate(measures)}
    return multivariate(Results.from_dict(keys | columns), scores=measures, **options)


def test_the_part_has_figures_tables_and_papers() -> None:
    part = compared().report().parts[0]
    assert part.heading == "Comparison by tpr, fpr together"
    assert [picture.name for picture in part.pictures] == [
        "Measure contours",
        "Learned measures",
    ]
    assert [table.caption.partition(";")[0] for table in part.tables] == [
        "Algorithms by mean rank over the measures",
        "Pairs",
        "Learned measures, with the standardised weight of every measure",
        "Orders by each measure alone, and the sets without a significant difference",
        "Mardia's tests of normality",
    ]
    papers = {"yildiz2014", "hotelling1931", "wilks1932", "holm1979", "mardia1970", "fisher1936"}
    assert papers < set(part.document.papers) and part.data["alpha"] == 0.05
    assert part.decided[-1] == "A pair differs where its adjusted p and the p of the test of all are at most alpha."
    assert "need not have a winner" in part.limits[0]


def test_all_formats_are_written(tmp_path: Path) -> None:
    report = compared(sets=3).report(name="Several measures")
    for ending in ("html", "md", "json"):
        report.save(tmp_path / f"r.{ending}")
    page = (tmp_path / "r.html").read_text()
    assert page.count('<div class="broad"><svg') == 2 and page.count("<script>") == len(SCRIPTS)
    assert "![Learned measures](<r-2.svg>)" in (tmp_path / "r.md").read_text() and (tmp_path / "r-2.svg").exists()
    data = json.loads((tmp_path / "r.json").read_text())
    assert set(data["parts"][0]["result"]["datasets"]) == {"d0", "d1", "d2"}
    captions = [table["caption"] for table in data["parts"][0]["tables"]]
    assert "Data sets one by one" in captions
    rows = next(table["rows"] for table in data["parts"][0]["tables"] if table["caption"] == "Data sets one by one")
    assert [row[0] for row in rows] == ["d0", "d1", "d2"]


def test_the_order_of_a_cost_is_a_part_of_its_own() -> None:
    report = compared(cost="train_time").report()
    assert len(report.parts) == 2 and report.parts[1].heading.startswith("Order by place in tpr and fpr and train_time")
    assert report.to_html().count('<div class="broad"><svg') == 3


def test_two_algorithms_have_one_learned_measure() -> None:
    part = compared(("a", "b")).report().parts[0]
    learned = next(table for table in part.tables if table.caption.startswith("Learned"))
    assert len(learned.body) == 1
    assert len(part.decided) == 3  # one pair: no correction to speak of


def test_names_are_harmless_in_every_format() -> None:
    report = compared((NASTY, "b", "[c] *d")).report()
    page = report.to_html()
    assert page.count("<script>") == len(SCRIPTS) and "&lt;script&gt;alert(1)&lt;/script&gt; &amp; 100%" in page
    ElementTree.fromstring(f"{page[page.index('<body>') : page.index('<script')]}</body>")
    latex = "\n".join(line for line in report.to_latex().splitlines() if not line.startswith("%"))
    assert r"\input" not in latex.replace(r"\textbackslash{}input", "")
    assert "<script>" not in report.to_markdown()


def test_constant_measures_are_reported_without_learned_measures() -> None:
    rows = {"dataset": ["d"] * 30, "algorithm": ["a", "b", "c"] * 10, "fold": [k for k in range(10) for _ in range(3)]}
    rows |= {"tpr": [0.5] * 30, "fpr": [0.1] * 30}
    result = multivariate(Results.from_dict(rows), scores=["tpr", "fpr"])
    part = result.report().parts[0]
    assert [picture.name for picture in part.pictures] == ["Measure contours"]
    assert not any(table.caption.startswith("Learned") for table in part.tables)
    json.dumps(result.report().to_dict(), allow_nan=False)
