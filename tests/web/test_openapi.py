"""The description of the API is sound, whole, and made from the same table as the routes."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest

from tiebreak.web.openapi import SCHEMAS, description
from tiebreak.web.options import OFFERS, verb_of
from tiebreak.web.routes import ROUTES

from .conftest import Web

FOUND = description()


def test_every_route_is_described_once() -> None:
    options = {(method.upper(), path) for path, item in FOUND["paths"].items() for method in item}
    routes = {(route.method, route.path) for route in ROUTES}
    assert routes | {("GET", "/health"), ("GET", "/api/openapi.json")} == options
    names = [item["operationId"] for path in FOUND["paths"].values() for item in path.values()]
    assert len(names) == len(set(names))


def test_every_reference_leads_somewhere_and_every_schema_is_one() -> None:
    for name in set(re.findall(r"#/components/schemas/(\w+)", str(FOUND))):
        assert name in SCHEMAS
    for path in FOUND["paths"].values():
        for item in path.values():
            for content in item.get("requestBody", {}).get("content", {}).values():
                jsonschema.Draft202012Validator.check_schema(content["schema"])


def test_the_options_are_those_of_the_verbs() -> None:
    body = FOUND["paths"]["/api/order"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    options = verb_of("order").options
    assert set(options) <= set(body["properties"]) and body["additionalProperties"] is False
    assert body["properties"]["alpha"] == {
        "type": "number",
        "default": 0.05,
        "description": "significance level (default 0.05)",
        "x-group": "how to test",
        "x-flag": "--alpha",
    }
    assert "multitest" in body["properties"]["rule"]["examples"]


@pytest.mark.parametrize(
    ("path", "told", "schema"),
    [
        ("/api/compare", {"file": "published:demsar2006", "score": "auc"}, "Answer"),
        ("/api/compare", {"file": "published:demsar2006", "score": "auc", "figure": "svg"}, "Answer"),
        ("/api/compare", {"file": "nonsense"}, "Problem"),
        ("/api/uploads", {"text": "a,b\n1,2\n"}, "Upload"),
        *((f"/api/{verb}", dict(offer.example), "Answer") for verb, offer in OFFERS.items() if offer.example),
    ],
)
def test_answers_are_as_described(server: Web, path: str, told: dict[str, Any], schema: str) -> None:
    reply = server.post(path, told).json
    whole = SCHEMAS[schema] | {"components": {"schemas": SCHEMAS}}
    jsonschema.Draft202012Validator(whole).validate(reply)


def test_the_description_is_given_out(server: Web) -> None:
    assert server.get("/api/openapi.json").json == FOUND


@pytest.mark.parametrize("verb", [verb for verb, offer in OFFERS.items() if offer.example])
def test_an_example_is_a_body_of_its_schema(verb: str) -> None:
    body = FOUND["paths"][f"/api/{verb}"]["post"]["requestBody"]["content"]["application/json"]
    jsonschema.Draft202012Validator(body["schema"]).validate(body["example"])
    assert body["schema"].get("required", []) == list(OFFERS[verb].needs)
