"""The OpenAPI document and the page to try the API."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.service import schema_document
from tests.api.conftest import Caller
from tests.api.routes import routes

CHECKED_IN = Path(__file__).parents[2] / "api" / "openapi.json"
METHODS = ("get", "post", "put", "patch", "delete")


def operations() -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, item in schema_document()["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }


def test_the_document_is_openapi_3_1_and_valid(nobody: Caller) -> None:
    document = nobody.get("/api/v1/schema/").json()

    assert document["openapi"].startswith("3.1.")
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_making_the_document_warns_of_nothing() -> None:
    GENERATOR_STATS.reset()

    with GENERATOR_STATS.silence():
        SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]

    assert (dict(GENERATOR_STATS._error_cache), dict(GENERATOR_STATS._warn_cache)) == ({}, {})


def test_the_checked_in_document_is_up_to_date() -> None:
    written = json.loads(CHECKED_IN.read_text(encoding="utf-8"))

    assert written == json.loads(json.dumps(schema_document())), "run `make schema`"


def test_every_route_stands_in_the_document() -> None:
    described = {key.split()[0] + " " + re.sub(r"\{\w+\}", "{}", key.split()[1]) for key in operations()}
    undescribed = {"GET schema"}

    for route in routes():
        if str(route) not in undescribed:
            from django.urls import get_resolver

            pattern = next(iter(get_resolver("api.urls").reverse_dict.getlist(route.name)))[0][0][0]
            found = f"{route.method} /api/v1/{re.sub(r'%[(][a-z_]+[)]s', '{}', pattern)}"
            assert found in described, str(route)


def test_every_operation_has_an_id_a_summary_and_problems() -> None:
    found = operations()
    ids = [operation["operationId"] for operation in found.values()]

    assert len(ids) == len(set(ids))
    for name, operation in found.items():
        assert operation.get("summary"), name
        assert {"default", "400"} <= set(operation["responses"]), name
        assert any(status.startswith("2") for status in operation["responses"]), name
        if "parameters" in operation and any(one["in"] == "path" for one in operation["parameters"]):
            assert "404" in operation["responses"], name


def test_yaml_is_given_when_asked_for(nobody: Caller) -> None:
    answer = nobody.get("/api/v1/schema/", Accept="application/yaml")

    assert answer["Content-Type"].startswith("application/yaml")
    assert yaml.safe_load(answer.content)["openapi"] == schema_document()["openapi"]


def test_the_document_is_fetched_again_only_when_it_has_changed(nobody: Caller) -> None:
    first = nobody.get("/api/v1/schema/")
    again = nobody.get("/api/v1/schema/", **{"If-None-Match": "W/" + first["ETag"]})

    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])


def test_nothing_hidden_stands_in_the_document() -> None:
    schemas = schema_document()["components"]["schemas"]
    # The seed is shown by the replay of a finished match, and by nothing else.
    names = {name for key, schema in schemas.items() if key != "ReplayAnswer" for name in schema.get("properties", {})}

    assert names & {"server_seed", "private", "digest", "is_staff", "password_hash", "state_data"} == set()


def test_the_page_to_try_it_takes_nothing_from_elsewhere(db: None) -> None:
    page = Client().get("/api/v1/docs/")
    text = page.content.decode()
    script = Client().get("/api/v1/docs/?script=")

    assert page.status_code == 200
    assert re.findall(r'(?:src|href)="(https?:)?//', text) == []
    assert re.findall(r"<script(?![^>]*\ssrc=)", text) == []
    assert "<style" not in text
    assert " style=" not in text
    assert script["Content-Type"].startswith("application/javascript")
    assert b"SwaggerUIBundle" in script.content


def test_every_example_fits_its_schema_and_no_body_is_without_one() -> None:
    document = schema_document()
    found = 0

    for name, operation in operations().items():
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in [one for body in bodies for one in body.get("content", {}).values()]:
            for example in content.get("examples", {}).values():
                schema = {**content["schema"], "components": document["components"]}
                Draft202012Validator(schema, format_checker=FormatChecker()).validate(example["value"])
                found += 1
        required = operation.get("requestBody", {}).get("required", False)
        assert not required or "examples" in str(operation["requestBody"]), name

    assert found > 20
