from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiebreak
from tiebreak import Results, compare, order, published, report, with_costs
from tiebreak.cli import main
from tiebreak.errors import InputError, OptionError
from tiebreak.papers import bibtex
from tiebreak.reporting import Report
from tiebreak.reporting.html import SCRIPTS

NASTY = r"<script>alert(1)</script> & 100%_\input{x}"


@pytest.fixture(scope="module")
def full() -> Report:
    results = published.ulas2012()
    return report(
        compare(results, score="accuracy"),
        order(results, score="accuracy", cost="train_time"),
        order(results, score="accuracy", cost="space"),
        name="Eight algorithms",
    )


def nasty() -> Report:
    rng = np.random.default_rng(0)
    names = [NASTY, "b", "[c] *d"]
    errors = 0.3 + 0.1 * np.arange(3)[:, None, None] + rng.normal(0, 0.01, (12, 3, 5, 2))
    table = Results.from_array(errors, score="error", algorithms=names)
    table = with_costs(table, Results.from_array(rng.random((12, 3)), score="train_time", algorithms=names))
    return report(compare(table), order(table))


def test_every_section_is_there(full: Report) -> None:
    page = full.to_html()
    for words in (
        "How it was decided",
        "What cannot be concluded, and caveats",
        "The answer",
        "What to use",
        "What it saves",
        "How sure",
        "In plain words",
        "For reviewers: the method",
        "Papers to cite",
        "BibTeX",
        f"Made with tiebreak {tiebreak.__version__}",
        "Comparison by accuracy",
        "Order by accuracy and train_time",
        "Order by accuracy and space",
    ):
        assert words in page
    assert (
        page.count('<div class="broad"><svg') == page.count('<div class="narrow"><svg') == 5
    )  # diagram, differences and matrix; score against cost for each cost


def test_words_are_said_once(full: Report) -> None:
    page = full.to_html()
    assert page.count("No significant difference: the results do not show which") == 1
    assert page.count("<dt>What to use</dt>") == 2 and page.count("<dt>First by score</dt>") == 1  # two orders
    assert "costs were not looked at" not in page and "<dt>By how much</dt>" not in page


def test_the_page_is_self_contained(full: Report) -> None:
    page = full.to_html()
    for load in (
        "src=",
        'href="http',
        "url(",
        "@import",
        "<link",
        "fetch(",
        "XMLHttpRequest",
        "innerHTML",
        " onclick=",
    ):
        assert load not in page


def test_one_context_for_all_formats(full: Report, tmp_path: Path) -> None:
    for ending in ("html", "md", "json"):
        full.save(tmp_path / f"r.{ending}")
    data = json.loads((tmp_path / "r.json").read_text())
    assert [part["heading"] for part in data["parts"]] == [part.heading for part in full.parts]
    for part in full.parts:
        for ending in ("html", "md"):
            text = (tmp_path / f"r.{ending}").read_text()
            assert part.heading.replace("_", r"\_") in text or part.heading in text
    assert "![Score against cost](<r-5.svg>)" in (tmp_path / "r.md").read_text() and (tmp_path / "r-5.svg").exists()
    assert data["parts"][0]["tables"][0]["rows"][0][0] == "svr" and data["bibtex"].startswith("@")


def test_a_control_has_its_own_figure() -> None:
    result = compare(published.ulas2012(), score="accuracy", control="mlp", posthoc="bonferroni-dunn").report()
    assert result.to_html().count('<div class="broad"><svg') == 2


def test_nasty_names_are_harmless_and_readable() -> None:
    result = nasty()
    page = result.to_html()
    assert page.count("<script>") == len(SCRIPTS) and "&lt;script&gt;alert(1)&lt;/script&gt; &amp; 100%" in page
    ElementTree.fromstring(f"{page[page.index('<body>') : page.index('<script')]}</body>")  # well formed
    latex = "\n".join(line for line in result.to_latex().splitlines() if not line.startswith("%"))
    assert r"\input" not in latex.replace(r"\textbackslash{}input", "")
    assert "100%" not in latex.replace(r"100\%", "")
    assert "<script>" not in result.to_markdown()
    assert NASTY in result.to_dict()["parts"][0]["result"]["algorithms"]


def test_what_cannot_be_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is nothing to report"):
        report()
    assert compare(published.demsar2006()).effects().report().parts[0].tables[0].header[:2] == ("a", "b")
    with pytest.raises(InputError, match="report was given a int"):
        report(7)
    with pytest.raises(InputError, match="A Report cannot be reported"):
        report(compare(published.demsar2006()).report())
    result = compare(published.demsar2006()).report(name="four")
    assert result.title() == "four"
    with pytest.raises(OptionError, match=r"A report cannot be saved as 'r\.doc'"):
        result.save(tmp_path / "r.doc")
    with pytest.raises(InputError, match="cannot be written"):
        result.save("/proc/nowhere/r.html")


def test_bibtex_has_an_entry_per_paper(full: Report) -> None:
    text = bibtex(full.papers())
    assert text.count("\n@") + 1 == len(full.papers()) == len(full.references())
    assert "@article{friedman1937" in text


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "r.csv"
    published.ulas2012().to_frame("polars").write_csv(results)
    page = tmp_path / "out" / "report.html"
    call = ["report", str(results), "--score", "accuracy", "--cost", "train_time", "-o", str(page)]
    assert main(call) == 0
    assert f"written to {page}" in capsys.readouterr().out
    assert "Order by accuracy and train_time" in page.read_text()
    assert main([*call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parts"][0]["heading"] == "Comparison by accuracy"
    for verb, kind in (("compare", "matrix"), ("order", "frontier")):
        figure = tmp_path / f"{verb}.svg"
        extra = ["--cost", "space"] if verb == "order" else []
        draw = ["figure", str(results), kind, "-o", str(figure)]
        assert main([*draw, "--score", "accuracy", *extra]) == 0
        ElementTree.fromstring(figure.read_text())
        capsys.readouterr()
    assert main(["figure", str(results), "pie", "--score", "accuracy"]) == 2
    assert "'pie' is no kind of figure." in capsys.readouterr().err
    assert main(["compare", str(results), "--score", "accuracy", "--figure", "x.gif"]) == 2
    assert "A figure cannot be saved as 'x.gif'." in capsys.readouterr().err


# ---- words that somebody acts on


def of_items(rows: dict[str, list[object]]) -> Report:
    table = Results.from_dict(rows)
    return report(compare(table, score="accuracy"), order(table, score="accuracy", cost="price"))


def test_a_report_on_items_speaks_of_items_and_says_nothing_twice() -> None:
    rng = np.random.default_rng(1)
    rows: dict[str, list[object]] = {
        "dataset": ["bench"] * 120,
        "algorithm": ["a", "b", "c"] * 40,
        "item": [str(i) for i in range(40) for _ in range(3)],
        "accuracy": [float(rng.random() < share) + 0.01 for _ in range(40) for share in (0.4, 0.5, 0.9)],
        "price": [1.0, 2.0, 3.0] * 40,
    }
    result = of_items(rows)
    for part in result.parts:
        assert len(set(part.answer)) == len(part.answer)
        assert not {point.text for point in part.points} & set(part.answer[len(part.points) :])
    assert "Every model answered the same items" in result.to_html()


def test_totals_are_not_called_answers_to_the_same_items() -> None:
    result = compare({"model": ["a", "b", "c"], "passed": [100, 120, 180], "n": [200, 200, 200]})
    text = " ".join(result.document().lay)
    assert "it is known how many of" in text and "answered the same items" not in text


def test_an_interval_at_a_small_level_is_not_called_100_per_cent() -> None:
    result = order(published.ulas2012(), score="accuracy", cost="train_time", alpha=0.001)
    page = report(result).to_html()
    assert "99.9% CI" in page and "100% CI" not in page and "100% confidence" not in page


def test_a_report_takes_the_trade_and_the_rule(tmp_path: Path) -> None:
    call = ["report", "published:ulas2012", "--score", "accuracy", "--cost", "train_time"]
    for more, first in ((["--trade", "10%"], "5nn"), (["--rule", "multitest"], "svl")):
        assert main([*call, *more, "-o", str(tmp_path / "r.json")]) == 0
        assert next(iter(find(json.loads((tmp_path / "r.json").read_text()), "order")))[0] == first


def find(options: object, key: str) -> Iterator[Any]:
    """All values of a key, wherever it stands."""
    if isinstance(options, dict):
        yield from ([options[key]] if key in options else [])
    for item in options.values() if isinstance(options, dict) else options if isinstance(options, list) else ():
        yield from find(item, key)


# ---- in a notebook


def test_in_a_notebook_a_report_is_the_card_of_its_answer(full: Report) -> None:
    assert full._repr_html_() == full.lead.result._repr_html_() and "What to use" in full._repr_html_()


def test_tables_that_are_wider_than_a_cell_of_a_notebook_scroll_by_themselves() -> None:
    for result in (published.ulas2012(), compare(published.demsar2006(), score="auc").tests):
        assert result._repr_html_().startswith('<div style="max-width:100%;overflow-x:auto">')


def test_a_card_on_items_tells_its_sentence_once() -> None:
    result = compare({"model": ["a", "b", "c"], "passed": [100, 120, 180], "n": [200, 200, 200]})
    card = result._repr_html_().partition("Tables and tests")[0]
    assert card.count(result.headline.replace("'", "&#x27;")) == 1
