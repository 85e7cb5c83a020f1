"""How results look in JupyterLab: pages that nbconvert writes with JupyterLab's own style sheets, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tiebreak import compare, multivariate, order, published

WIDTHS = {"desk": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 780}}
BROKEN = """cells => cells.filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const height = range.getBoundingClientRect().height / parseFloat(getComputedStyle(cell).fontSize);
  return cell.offsetParent && height / 1.9 > cell.innerText.trim().split(/\\s+/).length;
}).map((cell) => cell.innerText)"""
"""Labels that are higher than one line for each of their words: broken inside a word."""


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    table = published.ulas2012()
    return {
        "order": order(table, score="accuracy", cost="train_time"),
        "compare": compare(published.demsar2006(), score="auc"),
        "multivariate": multivariate("examples/breast_cancer.csv", scores=["tpr", "fpr"]),
        "omnibus": compare(table, score="accuracy").omnibus,
    }


def page_of(results: dict[str, Any], theme: str) -> str:
    """Return what nbconvert makes of a notebook whose cells show the results, without anything from a network."""
    nbconvert, nbformat = pytest.importorskip("nbconvert"), pytest.importorskip("nbformat")
    notebook = nbformat.v4.new_notebook()
    for name, result in results.items():
        data = {"text/plain": str(result), "text/html": result._repr_html_()}
        shown = nbformat.v4.new_output("execute_result", data=data, execution_count=1)
        notebook.cells.append(nbformat.v4.new_code_cell(name, outputs=[shown], execution_count=1))
    exporter = nbconvert.HTMLExporter(template_name="lab", theme=theme, embed_images=True)
    exporter.require_js_url = exporter.jquery_url = exporter.mathjax_url = exporter.mermaid_js_url = ""
    return str(exporter.from_notebook_node(notebook)[0])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore:IPython3 lexer unavailable"
)  # no colours of code here
def test_jupyters_own_style_sheets_leave_cards_and_tables_whole(
    opened: Any, tmp_path: Path, results: dict[str, Any], theme: str
) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(page_of(results, theme), encoding="utf-8")
    for viewport in WIDTHS.values():
        page, _ = opened(path, color_scheme=theme, viewport=viewport)
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
        card = page.locator(".tb-card").first
        assert card.locator("dt").evaluate_all(BROKEN) == []
        assert card.locator("svg").first.is_visible()
        assert page.locator(".jp-OutputArea-output th").evaluate_all(BROKEN) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        colours = card.locator("dd").first.evaluate(
            "cell => [getComputedStyle(cell).color, getComputedStyle(document.body).backgroundColor]"
        )
        ink, paper = (sum(map(int, colour.strip("rgba()").split(",")[:3])) for colour in colours)
        assert abs(ink - paper) > 400
