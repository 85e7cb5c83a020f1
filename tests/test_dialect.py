"""Prose and names come closer to plain English: nothing that `tools/dialect.py` finds occurs more often than it did."""

from __future__ import annotations

from collections import Counter

import pytest

from .test_surface import tool


def test_no_new_dialect(capsys: pytest.CaptureFixture[str]) -> None:
    assert tool("dialect").main() == 0, capsys.readouterr().out


def test_phrases_and_names_are_seen() -> None:
    dialect = tool("dialect")
    text = (
        '"""It Is\n    refused."""\n\ndef f(told):\n    # so many\n    return told.found("unfound", said=f"{kept}")\n'
    )
    places = [("is refused", 1), ("so many", 5), ("told", 4), ("said", 6), ("told", 6), ("found", 6), ("kept", 6)]
    assert sorted(dialect.in_module(text)) == sorted(places)
    assert list(dialect.in_prose("# Title\n\nNothing was\nsaid.")) == [("was said", 3)]
    [line] = dialect.new({"docs": Counter({"told apart": 10**6})})
    assert line.startswith("docs: 'told apart' 1000000 times")
