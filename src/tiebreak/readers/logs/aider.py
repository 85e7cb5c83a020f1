"""Aider's leaderboards: a flat list of YAML with a row per model, cases, passes, dollars and seconds."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from tiebreak.caveats import Caveat
from tiebreak.errors import quoted
from tiebreak.readers.logs.common import MISSING, Log, Total, amount_of, bytes_of, number_of, unreadable

TOOL = "Aider"
METRICS = ("pass_rate_2", "pass_rate_1")
"""Passed in two tries, which the board is sorted by, and in the first."""
_LINE = re.compile(r"(?P<new>- )?\s*(?P<key>[\w.-]+):(?:\s+(?P<value>.*))?$")
_SETTINGS = ("edit_format", "reasoning_effort", "thinking_tokens", "editor_model")


def read(path: Path, source: str) -> list[Log]:
    """Read a leaderboard; passes that are not counted are made from the rate, which has one decimal."""
    rows = flat_rows(bytes_of(path), source)
    benchmark = re.sub(r"[_-]?leaderboard$", "", path.name.partition(".")[0]) or "leaderboard"
    logs: list[Log] = []
    unpriced: list[str] = []
    tries = METRICS if any("pass_rate_2" in row for row in rows) else METRICS[1:]  # refactoring has one try
    for row in rows:
        log = _total(row, source, f"aider {benchmark}", tries)
        if log is not None:
            logs.append(log)
            if "price" not in log.usage:
                unpriced.append(log.model)
    if not logs:
        raise unreadable(source, f"no row of it has a model, test_cases and {tries[0]}")
    if unpriced:
        text = (
            f"{source}: total_cost is 0 or missing for {len(unpriced)} of {len(logs)} rows, which are not free but of"
        )
        text += f" unknown price: {quoted(unpriced, limit=3)}."
        logs[0] = replace(logs[0], notes=(Caveat("costs-missing", text),))
    return logs


def _total(row: dict[str, str], source: str, benchmark: str, tries: tuple[str, ...]) -> Total | None:
    rates = {name: number_of(row.get(name)) for name in tries}
    n = _amount(row.get("test_cases"))
    model = row.get("model", "")
    if not model or not n >= 1 or not 0 <= rates[tries[0]] <= 100:
        return None
    scores = {name: rate / 100 for name, rate in rates.items() if rate == rate}
    counted = {name: _amount(row.get(name.replace("rate", "num"))) for name in scores}
    passed = {name: round(count if (count := counted[name]) == count else scores[name] * n) for name in scores}
    columns = {"price": "total_cost", "seconds": "seconds_per_case"}
    columns |= {"tokens_in": "prompt_tokens", "tokens_out": "completion_tokens"}
    usage = {name: _amount(row.get(column)) for name, column in columns.items()}
    return Total(
        tool=TOOL, source=source, model=model, benchmark=benchmark, when=row.get("date", ""), n=int(n), passed=passed,
        scores={name: passed[name] / n for name in scores}, higher=dict.fromkeys(METRICS, True),
        settings={name: row[name] for name in _SETTINGS if row.get(name)},
        usage={name: value for name, value in usage.items() if value > 0},
    )  # fmt: skip


def _amount(text: str | None) -> float:
    return amount_of(number_of(text)) if text else MISSING


def flat_rows(data: bytes, source: str) -> list[dict[str, str]]:
    r"""Read a list of flat mappings, all that the boards are made of; other YAML is refused with its line.

    Examples
    --------
    >>> flat_rows(b"- model: a  # the first\n  total_cost: 0.5\n\n- model: 'b: c'\n", "x.yml")
    [{'model': 'a', 'total_cost': '0.5'}, {'model': 'b: c'}]
    """
    try:
        text = data.decode("utf-8-sig")
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
    text = text.strip()
    quoted_text = re.match(r"""(?P<mark>['"])(?P<inner>.*?)(?P=mark)\s*(?:#.*)?$""", text)
    if quoted_text:
        return quoted_text["inner"]
    return re.sub(r"(?:^|\s)#.*$", "", text).strip()
