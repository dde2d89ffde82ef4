"""The description of the API, and the page on which it is read and tried: neither asks anything of the internet."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from reports.api.base import METHODS, with_etag

_KINDS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


@require_GET
def docs(request: HttpRequest) -> HttpResponse:
    """Show it; without scripts as a list of all addresses."""
    return render(request, "api/docs.html", {"groups": groups()})


class Schema(APIView):
    """The description as OpenAPI 3, from which clients can be made."""

    http_method_names = METHODS

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """Answer with it."""
        found, digest = description()
        return with_etag(request, [digest], lambda: found)


@lru_cache(maxsize=1)
def description() -> tuple[dict[str, Any], str]:
    """Return the whole description and what tells it from another: made once, as it never changes in a process."""
    found: Any = SchemaGenerator().get_schema(public=True)
    return found, hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Operation:
    """A method of an address; ``takes`` holds each parameter and field with what it may be."""

    method: str
    path: str
    words: str
    takes: list[tuple[str, str]]


@dataclass(frozen=True)
class Group:
    """What the API says and does about one thing."""

    name: str
    operations: list[Operation]


@lru_cache(maxsize=1)
def groups() -> list[Group]:
    """Return every address, in groups."""
    document, _ = description()
    found: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        for method, each in methods.items():
            if method in METHODS:
                words = each.get("summary") or each.get("description", "")
                takes = [*map(_parameter, each.get("parameters", [])), *_fields(document, each)]
                found.setdefault(each["tags"][0], []).append(Operation(method.upper(), path, words, takes))
    return [Group(name, rows) for name, rows in found.items()]


def _parameter(given: dict[str, Any]) -> tuple[str, str]:
    return given["name"], _told(given["schema"], given.get("description", ""), given.get("required", False))


def _fields(document: dict[str, Any], operation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    bodies = operation.get("requestBody", {}).get("content", {}).values()
    for body in islice(bodies, 1):  # other kinds of content carry the same fields
        schema = _resolved(document, body["schema"])
        for name, field in schema.get("properties", {}).items():
            told = _resolved(document, field)
            yield name, _told(told, field.get("description", ""), name in schema.get("required", ()))


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    for part in schema.get("allOf", [])[:1]:
        return _resolved(document, part)
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = document["components"]["schemas"][name] if name else schema
    return found


def _told(schema: dict[str, Any], description: str, required: bool) -> str:
    """Say what a value may be: ``a whole number from 1 to 200. Rows of a page.``."""
    kind = (
        " or ".join(map(str, schema["enum"]))
        if "enum" in schema
        else _KINDS.get(schema.get("type", ""), "anything")
    )
    least, most = schema.get("minimum"), schema.get("maximum")
    bounds = f" from {least:g} to {most:g}" if least is not None and most is not None else ""
    bounds += f" of at most {schema['maxLength']} characters" if "maxLength" in schema else ""
    return f"{kind}{bounds}{', needed' if required else ''}. {description}".strip()
