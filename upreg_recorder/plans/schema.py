"""The JSON Schema of plans (draft 2020-12), with what each driver wants to know of devices and apps put into it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

Schema = dict[str, Any]
Settings = Mapping[str, Schema]
"""Of each driver by name: {"device": schema of its devices' settings, "app": schema of its apps' settings}."""


def plan_schema(settings: Settings) -> Schema:
    """Return the schema of a plan that may use these drivers."""
    schema: Schema = json.loads(files("upreg_recorder.plans").joinpath("schema.json").read_text(encoding="utf-8"))
    device, app = schema["$defs"]["device"], schema["$defs"]["app"]
    device["properties"]["driver"]["enum"] = sorted(settings)
    known: Schema = {}
    for name in sorted(settings):
        place = f"driver-{name}"
        own = _placed(settings[name], f"#/$defs/{place}")
        schema["$defs"][place] = own
        device.setdefault("allOf", []).append(_if_driver(name, own.get("device", {}), f"#/$defs/{place}/device"))
        of_app = own.get("app", {})
        known |= dict.fromkeys(of_app.get("properties", {}), True)
        of_app.pop("additionalProperties", None)  # an app may have settings for several drivers
        schema.setdefault("allOf", []).append(_if_used(name, of_app, f"#/$defs/{place}/app"))
    app["properties"]["settings"] |= {"properties": known, "additionalProperties": False}
    return schema


def subschemas(schema: Any, root: Schema) -> Iterator[Schema]:
    """Yield a schema and all that it applies to the same value: references, branches, parts."""
    if not isinstance(schema, dict):
        return
    yield schema
    if isinstance(reference := schema.get("$ref"), str):
        yield from subschemas(_found(reference, root), root)
    for key in ("if", "then", "else"):
        yield from subschemas(schema.get(key), root)
    for key in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(key, ()):
            yield from subschemas(part, root)


def _found(reference: str, root: Schema) -> Any:
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found[part.replace("~1", "/").replace("~0", "~")]
    return found


def _placed(schema: Schema, place: str) -> Schema:
    """Return a copy of a schema whose references into itself are right where it is put."""

    def moved(value: Any) -> Any:
        if isinstance(value, list):
            return [moved(each) for each in value]
        if not isinstance(value, dict):
            return value
        found = {key: moved(each) for key, each in value.items() if key not in ("$schema", "$id")}
        if isinstance(reference := value.get("$ref"), str):
            found["$ref"] = place + reference.removeprefix("#")
        return found

    return dict(moved(copy.deepcopy(schema)))


def _if_driver(name: str, settings: Schema, place: str) -> Schema:
    condition = {"properties": {"driver": {"const": name}}, "required": ["driver"]}
    return {"if": condition, "then": _with_settings(settings, place)}


def _if_used(name: str, settings: Schema, place: str) -> Schema:
    device = {"type": "object", "properties": {"driver": {"const": name}}, "required": ["driver"]}
    devices = {"type": "array", "contains": device}
    app = _with_settings(settings, place)
    return {
        "if": {"properties": {"devices": devices}, "required": ["devices"]},
        "then": {"properties": {"apps": {"items": app}}},
    }


def _with_settings(settings: Schema, place: str) -> Schema:
    found: Schema = {"properties": {"settings": {"$ref": place}}}
    return found | ({"required": ["settings"]} if settings.get("required") else {})
