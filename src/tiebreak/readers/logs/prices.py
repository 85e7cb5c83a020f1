"""Prices of tokens: a csv in dollars per million, or the lists of LiteLLM and OpenRouter; none is shipped as truth."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from tiebreak.errors import InputError, quoted
from tiebreak.readers.logs.common import MISSING, number_of
from tiebreak.results.text import UnsoundFile, file_bytes, text_columns
from tiebreak.wording import Brief, option

MILLION = 1e6
KINDS = ("input", "output", "cached", "reasoning")


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
        names = ("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning")
        sent, given, cached, thought = (np.asarray(usage.get(name, MISSING), dtype=np.float64) for name in names)
        cached, thought = np.nan_to_num(cached), np.minimum(np.nan_to_num(thought), given)
        total = sent * self.input + cached * self.cached + (given - thought) * self.output + thought * self.reasoning
        return total / MILLION


def read_prices(path: str | Path) -> tuple[Price, ...]:
    r"""Read a table of prices: columns model (or pattern), input, output and, if you like, cached and reasoning.

    JSON is read as LiteLLM's `model_prices_and_context_window.json` or the answer of OpenRouter's `/api/v1/models`,
    whose dollars per token become dollars per million.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "prices.csv"
    >>> _ = file.write_text("model,pattern,input,output\nsmall,,0.15,0.6\n,large-*,2.5,10\n")
    >>> [(item.model, item.pattern, item.output) for item in read_prices(file)]
    [('small', '', 0.6), ('', 'large-*', 10.0)]
    """
    name = Path(path).name
    try:
        data = file_bytes(Path(path))
    except (OSError, UnsoundFile) as error:
        raise _error(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if data.lstrip()[:1] in (b"{", b"["):
        return _listed(data, name)
    columns, line_of = text_columns(data, separator=",", source=name, large=False)
    cells = {_column(header): column.coded() for header, column in columns.items()}
    if "input" not in cells or "output" not in cells or not {"model", "pattern"} & set(cells):
        raise _error(f"{name} has no columns model, input and output.")
    count = len(next(iter(columns.values())))
    rows = [{header: names.at(row).strip() for header, names in cells.items()} for row in range(count)]
    prices = tuple(_price(row, f"{name}, line {line_of(place)}") for place, row in enumerate(rows))
    if not prices:
        raise _error(f"{name} has no row.")
    names = Counter(price.model for price in prices if price.model)
    if twice := [model for model, number in names.items() if number > 1]:
        raise _error(f"{name} has two prices for {quoted(twice, limit=3)}.", mend="Delete one of them.")
    return prices


def _error(what: str, *, mend: str = "") -> InputError:
    """Make the error for a table that holds no prices."""
    example = r"model,input,output\nmy-model,2.5,10"
    return InputError(what, mend=mend or f"Name a csv file, {option(prices='prices.csv')}: '{example}'.")


_LITELLM = ("input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost",
            "output_cost_per_reasoning_token")  # fmt: skip
_OPENROUTER = ("prompt", "completion", "input_cache_read", "internal_reasoning")
"""What the two lists call input, output, cached and reasoning."""


def _listed(data: bytes, source: str) -> tuple[Price, ...]:
    """Read a public list of prices; models without prices of input and output are left out."""
    try:
        held = json.loads(data)
    except (ValueError, RecursionError):
        held = None
    models = held.get("data", held) if isinstance(held, dict) else held
    entries: dict[str, tuple[Any, tuple[str, ...]]] = {}
    if isinstance(models, list):
        entries = {str(item.get("id")): (item.get("pricing"), _OPENROUTER) for item in models if isinstance(item, dict)}
    elif isinstance(models, dict):
        entries = {name: (model, _LITELLM) for name, model in models.items() if name != "sample_spec"}
    prices = [price for name, (cells, keys) in entries.items() if (price := _per_token(name, cells, keys)) is not None]
    if not prices:
        known = "LiteLLM's model_prices_and_context_window.json, or OpenRouter's /api/v1/models"
        raise _error(f"{source} holds no prices of tokens.", mend=f"Give {known}.")
    return tuple(prices)


def _per_token(name: str, cells: Any, keys: tuple[str, ...]) -> Price | None:
    """Return a price in dollars per million; None where input or output have none (-1 is that of a router)."""
    amounts = [number_of(cells.get(key)) if isinstance(cells, dict) else MISSING for key in keys]
    sent, given, cached, reasoning = (MILLION * value if 0 <= value < 1e3 else None for value in amounts)
    if sent is None or given is None:
        return None
    reasoning = reasoning or given  # OpenRouter writes 0 where reasoning is billed as output
    cached = sent if cached is None else cached
    return Price(model=name, pattern="", input=sent, output=given, cached=cached, reasoning=reasoning)


def _fitting(model: str, prices: tuple[Price, ...], source: str) -> Price | None:
    """Find the price of a model: by its exact name, by the first pattern that fits, or with or without its provider.

    Logs and lists write the provider in front, or not, or another one: then the rest of the name must be the same, and
    where providers ask different prices, none is guessed.
    """
    for row in sorted(prices, key=lambda price: price.model != model):  # exact names first
        if row.model == model or (row.pattern and fnmatchcase(model, row.pattern)):
            return row
    known = {price.model.lower(): price for price in prices if price.model}
    parts = model.lower().split("/")
    for at in range(len(parts)):
        if (price := known.get("/".join(parts[at:]))) is not None:
            return price
    fits = [price for name, price in known.items() if name.rpartition("/")[2] == parts[-1]]
    if len({(fit.input, fit.output) for fit in fits}) > 1:
        raise InputError(
            f"{source} has different prices for {model!r}: {quoted([fit.model for fit in fits], limit=4)}.",
            mend=f"Write its price into a csv: 'model,input,output\\n{model},{fits[0].input:g},{fits[0].output:g}'.",
        )
    return fits[0] if fits else None


def _column(text: str) -> str:
    """Return what a header means: "Input ($ per million)" is the input."""
    word = text.strip().lower().replace("-", "_")
    return next((kind for kind in (*KINDS, "model", "pattern") if word.startswith(kind)), word)


def _price(cells: Mapping[str, str], place: str) -> Price:
    model, pattern = cells.get("model", ""), cells.get("pattern", "")
    if not model and not pattern:
        raise _error(f"{place}: neither model nor pattern is given.", mend="Fill one in.")
    values: dict[str, Any] = {}
    for kind, other in (("input", ""), ("output", ""), ("cached", "input"), ("reasoning", "output")):
        text = cells.get(kind, "").lstrip("$")
        values[kind] = values[other] if not text and other else number_of(text)
        if not 0 <= values[kind] < 1e9:
            raise _error(f"{place}: the price of {kind} is {text!r}.", mend="Write dollars per million tokens.")
    return Price(model=model, pattern=pattern, **values)


def prices_of(models: Iterable[str], prices: tuple[Price, ...], source: str) -> dict[str, Price]:
    """Find the price of every model; none is guessed.

    Examples
    --------
    >>> table = (Price(model="", pattern="*/large*", input=2.0, output=8.0, cached=2.0, reasoning=8.0),)
    >>> prices_of(["openai/large-2"], table, "prices.csv")["openai/large-2"].input
    2.0
    """
    fits = {model: _fitting(model, prices, source) for model in models}
    if lacking := [model for model, price in fits.items() if price is None]:
        raise InputError(
            f"{source} has no price for {quoted(lacking)}.",
            mend="Add a row for each, or one with a pattern, such as *mini*, in a column 'pattern'.",
        )
    return {model: price for model, price in fits.items() if price is not None}
