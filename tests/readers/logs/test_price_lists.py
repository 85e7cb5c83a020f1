"""Public lists of prices: dollars per token, names as logs write them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tiebreak.errors import InputError
from tiebreak.readers.logs.prices import prices_of, read_prices

from ...every import every

LITELLM = {
    "sample_spec": {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0, "mode": "one of chat, embedding, ..."},
    "gpt-4o": {
        "input_cost_per_token": 2.5e-06, "output_cost_per_token": 1e-05, "cache_read_input_token_cost": 1.25e-06,
        "litellm_provider": "openai", "mode": "chat",
    },
    "azure/gpt-4o": {"input_cost_per_token": 2.5e-06, "output_cost_per_token": 1e-05},
    "o1": {"input_cost_per_token": 1.5e-05, "output_cost_per_token": 6e-05, "output_cost_per_reasoning_token": 7e-05},
    "groq/llama-3.1-8b": {"input_cost_per_token": 5e-08, "output_cost_per_token": 8e-08},
    "deepinfra/llama-3.1-8b": {"input_cost_per_token": 6e-08, "output_cost_per_token": 6e-08},
    "dall-e-3": {"input_cost_per_pixel": 4e-08, "mode": "image_generation"},
    "text-embedding-3": {"input_cost_per_token": 2e-08, "mode": "embedding"},
}  # fmt: skip
OPENROUTER = {
    "data": [
        {"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "-1"}},
        {
            "id": "openai/gpt-4o",
            "pricing": {"prompt": "0.0000025", "completion": "0.00001", "image": "0.0036", "internal_reasoning": "0",
                        "input_cache_read": "0.00000125"},
        },
        {"id": "anthropic/claude-3.5-sonnet", "pricing": {"prompt": "0.000003", "completion": "0.000015"}},
    ]
}  # fmt: skip


def written(folder: Path, held: object) -> Path:
    file = folder / "prices.json"
    file.write_text(json.dumps(held), encoding="utf-8")
    return file


@every("held", [LITELLM, OPENROUTER, OPENROUTER["data"]])
@every("model", ["gpt-4o", "openai/gpt-4o", "openrouter/openai/gpt-4o", "OpenAI/GPT-4o"])
def test_a_model_is_found_as_logs_write_it(held: object, model: str, tmp_path: Path) -> None:
    price = prices_of([model], read_prices(written(tmp_path, held)), "prices.json")[model]
    assert (price.input, price.output, price.cached, price.reasoning) == pytest.approx((2.5, 10.0, 1.25, 10.0))


def test_tokens_become_dollars(tmp_path: Path) -> None:
    price = prices_of(["o1"], read_prices(written(tmp_path, LITELLM)), "prices.json")["o1"]
    usage = {"tokens_in": 1000.0, "tokens_out": 500.0, "tokens_cached": np.nan, "tokens_reasoning": 200.0}
    assert price.dollars(usage) == pytest.approx(1000 * 1.5e-5 + 300 * 6e-5 + 200 * 7e-5)


def test_different_prices_of_providers_are_not_guessed(tmp_path: Path) -> None:
    prices = read_prices(written(tmp_path, LITELLM))
    with pytest.raises(InputError, match=r"different prices for 'meta/llama-3.1-8b': 'groq/llama-3.1-8b'"):
        prices_of(["meta/llama-3.1-8b"], prices, "prices.json")
    assert prices_of(["groq/llama-3.1-8b"], prices, "p")["groq/llama-3.1-8b"].input == pytest.approx(0.05)


@pytest.mark.parametrize("model", ["dall-e-3", "text-embedding-3", "sample_spec", "gpt-4", "4o"])
def test_a_model_without_a_price_of_tokens_is_an_error(model: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no price for"):
        prices_of([model], read_prices(written(tmp_path, LITELLM)), "prices.json")


@pytest.mark.parametrize("held", [{}, [], {"data": []}, {"a": 1}, {"data": [{"id": "x", "pricing": {}}]}])
def test_other_json_is_an_error(held: object, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no prices of tokens"):
        read_prices(written(tmp_path, held))
    (tmp_path / "prices.json").write_text("{not json")
    with pytest.raises(InputError, match="holds no prices of tokens"):
        read_prices(tmp_path / "prices.json")
