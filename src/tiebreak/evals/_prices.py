"""Prices of tokens: a csv of the user's own, in dollars per million; none is shipped as truth."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak._brief import Brief
from tiebreak._checks import FloatArray
from tiebreak.errors import InputError, quoted
from tiebreak.tables.text import UnsoundFile, file_bytes
from tiebreak.wording import option

MILLION = 1e6
KINDS = ("input", "output", "cached", "reasoning")
_EXAMPLE = "model,input,output\\nmy-model,2.5,10"
_WHY = "Tokens are turned into dollars by it."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Price(Brief):
    """What a million tokens of one model cost, in dollars; `pattern` may stand for several names.

    Tokens read from a cache cost as much as others, and reasoning as much as output, where nothing else is said.
    """

    model: str
    pattern: str
    input: float
    output: float
    cached: float
    reasoning: float

    def dollars(self, usage: Mapping[str, Any]) -> Any:
        """Turn tokens into dollars: of one answer, or of many at once. NaN where input or output are not known."""
        sent, given = usage["tokens_in"], usage["tokens_out"]
        cached, thought = (np.nan_to_num(usage[name]) for name in ("tokens_cached", "tokens_reasoning"))
        thought = np.minimum(thought, given)
        total = sent * self.input + cached * self.cached + (given - thought) * self.output + thought * self.reasoning
        return total / MILLION


def read_prices(path: str | Path) -> tuple[Price, ...]:
    r"""Read a table of prices: columns model (or pattern), input, output and, if you like, cached and reasoning.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "prices.csv"
    >>> _ = file.write_text("model,pattern,input,output\nsmall,,0.15,0.6\n,large-*,2.5,10\n")
    >>> [(each.model, each.pattern, each.output) for each in read_prices(file)]
    [('small', '', 0.6), ('', 'large-*', 10.0)]
    """
    name = Path(path).name
    try:
        text = file_bytes(Path(path)).decode("utf-8-sig")
    except (OSError, UnsoundFile, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not written in UTF-8"
        raise InputError(
            f"{path} cannot be read: {why}.", why=_WHY, mend=f"Name a csv file: {option(prices='prices.csv')}."
        ) from None
    separator = ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
    rows = list(csv.reader(io.StringIO(text), delimiter=separator))
    header = [_column(cell) for cell in rows[0]] if rows else []
    if "input" not in header or "output" not in header or not {"model", "pattern"} & set(header):
        raise InputError(
            f"{name} has no columns model, input and output.",
            why=_WHY,
            mend=f"Write it as {_EXAMPLE!r}.".replace("\\\\", "\\"),
        )
    found = [
        _price(dict(zip(header, row, strict=False)), name, line)
        for line, row in enumerate(rows[1:], start=2)
        if any(row)
    ]
    if not found:
        raise InputError(f"{name} has no row.", why=_WHY, mend=f"Write it as {_EXAMPLE!r}.".replace("\\\\", "\\"))
    names = [each.model for each in found if each.model]
    if twice := [each for each in dict.fromkeys(names) if names.count(each) > 1]:
        raise InputError(
            f"{name} has two prices for {quoted(twice, limit=3)}.", why="One of them is wrong.", mend="Delete one."
        )
    return tuple(found)


def _column(text: str) -> str:
    """Return what a header means: "Input ($ per million)" is the input."""
    word = text.strip().lower().replace("-", "_")
    return next((kind for kind in (*KINDS, "model", "pattern") if word.startswith(kind)), word)


def _price(cells: Mapping[str, str], source: str, line: int) -> Price:
    told = {kind: cells.get(kind, "").strip().lstrip("$") for kind in KINDS}
    model, pattern = (cells.get(name, "").strip() for name in ("model", "pattern"))
    if not model and not pattern:
        raise InputError(f"{source}, line {line}: neither model nor pattern is given.", why=_WHY, mend="Fill one in.")
    values: dict[str, float] = {}
    for kind, other in (("input", ""), ("output", ""), ("cached", "input"), ("reasoning", "output")):
        text = told[kind]
        try:
            value = values[other] if not text and other else float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value < 1e9:
            raise InputError(f"{source}, line {line}: the price of {kind} is {text!r}.",
                             why="It is a number of dollars per million tokens.", mend="Correct it.")  # fmt: skip
        values[kind] = value
    return Price(model=model, pattern=pattern, **values)


def prices_of(models: Iterable[str], prices: tuple[Price, ...], source: str) -> dict[str, Price]:
    """Find the price of every model: by its exact name, else by the first pattern that fits; none is guessed.

    Examples
    --------
    >>> table = (Price(model="", pattern="*/large*", input=2.0, output=8.0, cached=2.0, reasoning=8.0),)
    >>> prices_of(["openai/large-2"], table, "prices.csv")["openai/large-2"].input
    2.0
    """
    found, lacking = {}, []
    for model in models:
        exact = next((each for each in prices if each.model == model), None)
        fits = exact or next((each for each in prices if each.pattern and fnmatchcase(model, each.pattern)), None)
        if fits is None:
            lacking.append(model)
        else:
            found[model] = fits
    if lacking:
        raise InputError(
            f"{source} has no price for {quoted(lacking)}.",
            why="Without it their answers cannot be put in dollars, and no price is guessed.",
            mend="Add a row for each, or one with a pattern, such as *mini*, in a column 'pattern'.",
        )
    return found


def priced(usage: Mapping[str, FloatArray], price: Price) -> FloatArray:
    """Return the dollars of every answer."""
    dollars: FloatArray = np.asarray(price.dollars(usage), dtype=np.float64)
    return dollars
