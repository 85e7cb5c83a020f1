"""The rank diagrams of Multi2Test: the groups that Tables 4.4b, 4.5b, 7b and 8b draw, and who has such a diagram."""

from __future__ import annotations

from pathlib import Path

import pytest

import tiebreak as tb
from tiebreak.cli import main
from tiebreak.errors import OptionError
from tiebreak.studies.papers.ledger import printed
from tiebreak.studies.papers.ulas import groups_of

REPORT = {"train_time": printed("ulas2008/table-4.4c"), "space": printed("ulas2008/table-4.5c")}


@pytest.mark.parametrize("cost", REPORT)
def test_the_diagrams_of_the_report(cost: str) -> None:
    order = tb.order("published:ulas2012", cost=cost, variant="2008")
    figure = order.figure()
    printed = {frozenset(group.split()) for group in groups_of(REPORT[cost]).split("; ")}
    drawn = {frozenset(figure.algorithms[i] for i in group) for group in figure.groups}
    assert drawn == {group for group in printed if len(group) > 1}
    assert list(figure.positions) == sorted(order.mean_ranks)
    assert figure.critical_difference == pytest.approx(1.703, abs=5e-4)
    for i, others in enumerate(figure.alike):
        for j in others:
            a, b = (order.algorithms.index(figure.algorithms[k]) for k in (i, j))
            assert not order.better[a, b] and not order.better[b, a]


def test_the_journal_has_no_critical_difference() -> None:
    figure = tb.order("published:ulas2012", cost="space", rule="multi2test").figure("cd")
    assert figure.critical_difference is None
    assert "Bergmann" in figure.reading()


def test_it_is_drawn_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["published:ulas2012", "--cost", "train_time", "--rule", "multi2test"]
    assert main(["order", *call, "--figure", str(tmp_path / "a.svg")]) == 0
    assert "mean place by MultiTest" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert main(["report", *call, "-o", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "mean place by MultiTest" in page
    assert "train_time, s" not in page  # the printed costs are normalised


@pytest.mark.parametrize("rule", ["worth", "multitest"])
def test_other_rules_have_no_places(rule: str) -> None:
    order = tb.order("published:ulas2012", cost="train_time", rule=rule)
    with pytest.raises(OptionError, match="no mean places"):
        order.figure("cd")
