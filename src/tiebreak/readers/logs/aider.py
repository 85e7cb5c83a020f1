"""Aider's leaderboards: a flat list of YAML with a row per model, cases, passes, dollars and seconds."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from tiebreak.caveats import Caveat
from tiebreak.errors import quoted
from tiebreak.readers.logs.common import MISSING, Reader, Run, amount_of, bytes_of, number_of, sum_of, unreadable

TOOL = "Aider"
METRICS = ("pass_rate_2", "pass_rate_1")
"""Passed in two tries, which the board is sorted by, and in the first."""
_LINE = re.compile(r"(?P<new>- )?\s*(?P<key>[\w.-]+):(?:\s+(?P<value>.*))?$")
_SETTINGS = ("edit_format", "reasoning_effort", "thinking_tokens", "editor_model")
_TOTALS = {"price": "total_cost", "tokens_in": "prompt_tokens", "tokens_out": "completion_tokens"}


def reader_of(name: str, head: bytes) -> Reader | None:
    """Return the reader of a board."""
    board = name.endswith((".yml", ".yaml")) and re.search(rb"(?m)^- ?\s*\w+:", head) and b"pass_rate_1:" in head
    return read if board else None


def read(path: Path, source: str) -> list[Run]:
    """Read a leaderboard; passes that are not counted are made from the rate, which has one decimal."""
    rows = flat_rows(bytes_of(path), source)
    benchmark = re.sub(r"[_-]?leaderboard$", "", path.name.partition(".")[0]) or "leaderboard"
    tries = METRICS if any("pass_rate_2" in row for row in rows) else METRICS[1:]  # refactoring has one try
    sums = [_sum(row, source, f"aider {benchmark}", tries) for row in rows]
    runs = [run for run in sums if run is not None]
    if not runs:
        raise unreadable(source, f"no row of it has a model, test_cases and {tries[0]}")
    unpriced = [run.model for run in runs if not run.usage["price"][0] > 0]
    if unpriced:
        text = f"{source}: total_cost is 0 or missing for {len(unpriced)} of {len(runs)} rows, which are not free but"
        text += f" of unknown price: {quoted(unpriced, limit=3)}."
        runs[0] = replace(runs[0], notes=(Caveat("costs-missing", text),))
    return runs


def _sum(row: dict[str, str], source: str, benchmark: str, tries: tuple[str, ...]) -> Run | None:
    rates = {name: number_of(row.get(name)) for name in tries}
    n, model = _amount(row, "test_cases"), row.get("model", "")
    if not model or not n >= 1 or not 0 <= rates[tries[0]] <= 100:
        return None
    counts = {name: _amount(row, name.replace("rate", "num")) for name in tries}
    usage = {name: _amount(row, column) / n for name, column in _TOTALS.items()}
    usage["seconds"] = _amount(row, "seconds_per_case")
    return sum_of(
        {name: counts[name] / n if counts[name] >= 0 else _passes(rate, n) / n for name, rate in rates.items()},
        n=n, usage={name: value if value > 0 else MISSING for name, value in usage.items()},
        tool=TOOL, source=source, model=model, benchmark=benchmark, when=row.get("date", ""),
        higher=dict.fromkeys(METRICS, True), settings={name: row[name] for name in _SETTINGS if row.get(name)},
    )  # fmt: skip


def _passes(rate: float, n: float) -> float:
    return round(rate * n / 100) if rate == rate else MISSING


def _amount(row: dict[str, str], column: str) -> float:
    return amount_of(number_of(row.get(column)))


def flat_rows(data: bytes, source: str) -> list[dict[str, str]]:
    r"""Read a list of flat mappings, all that the boards are made of; other YAML is refused with its line.

    Examples
    --------
    >>> flat_rows(b"- model: a  # the first\n  total_cost: 0.5\n\n- model: 'b: c'\n", "x.yml")
    [{'model': 'a', 'total_cost': '0.5'}, {'model': 'b: c'}]
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise unreadable(source, "it is not written in UTF-8") from None
    rows: list[dict[str, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#") or line.strip() == "---":
            continue
        match = _LINE.match(line)
        if match is None or (not rows and not match["new"]):
            raise unreadable(source, f"line {number} is no part of a flat list of rows")
        if match["new"]:
            rows.append({})
        rows[-1][match["key"]] = _scalar(match["value"] or "")
    return rows


def _scalar(text: str) -> str:
    """Take quotes and comments off a value."""
    quotes = re.match(r"""\s*(?P<mark>['"])(?P<inner>.*?)(?P=mark)\s*(?:#.*)?$""", text)
    return quotes["inner"] if quotes else re.sub(r"(?:^|\s)#.*$", "", text).strip()
