"""Hold a plan against its schema; say each error once, with its line, in words that tell the cure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path as FilePath
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from upreg_recorder.plans.schema import Schema, subschemas
from upreg_recorder.plans.yaml_text import Path, Text

Problem = tuple[int, str]
_TYPES = {
    "object": "a mapping (key: value)",
    "array": "a list (- …, or [a, b])",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "nothing",
}
_ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:")
_PLAIN = {"number", "integer", "boolean", "null"}


def against_schema(text: Text, schema: Schema) -> list[Problem]:
    """Return every error; values become text, as they were written, where the schema wants a text."""
    text.value = _worded(text.value, [schema], (), schema, text)
    errors = Draft202012Validator(schema).iter_errors(text.value)
    return list(dict.fromkeys(problem for error in errors for problem in _problems(error, text)))


def files_named(text: Text, schema: Schema, folder: FilePath) -> list[Problem]:
    """Find the files and folders that settings name (`"format": "path"`) from the plan's folder.

    Returns which are not there; the others are given in full. What begins with a word and a colon (npm:…) is none.
    """
    problems: list[Problem] = []

    def placed(value: Any, schemas: list[Any], path: Path) -> Any:
        applied = [each for one in schemas for each in subschemas(one, schema)]
        if isinstance(value, dict):
            return {key: placed(each, list(_of_key(key, applied)), (*path, key)) for key, each in value.items()}
        if isinstance(value, list):
            items = [one["items"] for one in applied if "items" in one]
            return [placed(each, items, (*path, number)) for number, each in enumerate(value)]
        is_path = isinstance(value, str) and any(one.get("format") == "path" for one in applied)
        if not is_path or _ELSEWHERE.match(value):
            return value
        file = folder / FilePath(value).expanduser()
        if not file.exists():
            problems.append(
                (text.line(path), f"{_called(path)}: {value} is not there: it is looked for in {folder}")
            )
        return str(file)

    text.value = placed(text.value, [schema], ())
    return problems


def nearest(word: str, known: Iterable[str]) -> str:
    """Return what tells the nearest known word, or all of them."""
    all_known = sorted(set(known))
    close = difflib.get_close_matches(word.lower(), {each.lower() for each in all_known}, 1, 0.55)
    for each in all_known:
        if close and each.lower() == close[0]:
            return f"do you mean {each!r}?"
    few = ", ".join(all_known[:12]) + (", …" if len(all_known) > 12 else "")
    return f"known are {few}" if all_known else "none is known here"


def _worded(value: Any, schemas: list[Any], path: Path, root: Schema, text: Text) -> Any:
    applied = [each for schema in schemas for each in subschemas(schema, root)]
    if isinstance(value, dict):
        return {
            key: _worded(each, list(_of_key(key, applied)), (*path, key), root, text) for key, each in value.items()
        }
    if isinstance(value, list):
        items = [schema["items"] for schema in applied if "items" in schema]
        return [_worded(each, items, (*path, number), root, text) for number, each in enumerate(value)]
    written = text.written.get(path)
    if value is None or isinstance(value, str) or written is None:
        return value
    types = {schema["type"] for schema in applied if isinstance(schema.get("type"), str)}
    words = [word for schema in applied for word in schema.get("enum", ())]
    wants_text = "string" in types or (words and all(isinstance(word, str) for word in words))
    return written if wants_text and not types & _PLAIN else value


def _of_key(key: str, applied: list[Schema]) -> Iterator[Any]:
    for schema in applied:
        if key in schema.get("properties", {}):
            yield schema["properties"][key]
        elif isinstance(schema.get("additionalProperties"), dict):
            yield schema["additionalProperties"]


def _problems(error: ValidationError, text: Text) -> Iterator[Problem]:
    path: Path = tuple(error.absolute_path)
    value: Any = error.instance
    wanted: Any = error.validator_value
    schema: Any = error.schema
    line, what, known = text.line(path), _called(path), list(schema.get("properties", {}))
    match error.validator:
        case "additionalProperties":
            for key in [key for key in value if key not in known]:
                yield text.line((*path, key)), f"{key!r} is not known in {what}: {nearest(key, known)}"
        case "required":
            for key in [key for key in wanted if key not in value and f"{key!r} is" in error.message]:
                yield line, f"{what} lacks {key!r}"
        case "minProperties" | "maxProperties" if known and schema.get("maxProperties") == 1:
            yield line, f"{what} takes exactly one of {', '.join(known)}; here are {_listed(value)}"
        case "minProperties" if known:
            yield line, f"{what} takes at least one of {', '.join(known)}"
        case "contains":
            yield line, f"{what} lacks what must be in it"
        case _:
            yield line, f"{what} {_said(error, value, wanted, schema)}"


def _said(error: ValidationError, value: Any, wanted: Any, schema: Any) -> str:
    shown = _short(value)
    match error.validator:
        case "type":
            types = [wanted] if isinstance(wanted, str) else wanted
            if value is None:
                return f"is empty: give {' or '.join(_TYPES[each] for each in types)}"
            return f"is {shown}: give {' or '.join(_TYPES[each] for each in types)}"
        case "enum":
            return f"is {shown}: {nearest(str(value), map(str, wanted))}"
        case "const":
            return f"is {shown}: it must be {wanted!r}"
        case "minimum" | "exclusiveMinimum":
            return f"is {shown}: give {wanted:g} or more"
        case "maximum" | "exclusiveMaximum":
            return f"is {shown}: give {wanted:g} or less"
        case "minItems" | "maxItems" if schema.get("minItems") == schema.get("maxItems"):
            return f"has {len(value)} values: give {wanted}"
        case "minItems":
            return f"has {len(value)} entries: give {wanted} or more"
        case "maxItems":
            return f"has {len(value)} entries: give {wanted} at most"
        case "minLength":
            return f"is {shown}: give {wanted} characters or more" if value else "is empty: fill it"
        case "maxLength":
            return f"has {len(value)} characters: shorten it to {wanted}"
        case "pattern":
            return f"is {shown}: give {_lower(schema.get('description', f'what fits {wanted}'))}"
        case "maxProperties" if wanted == 0:
            return "takes nothing more: leave out what is indented below it"
        case _:
            return f"cannot be: {error.message}"


def _called(path: Path) -> str:
    """Return what a person calls a place: the key, or the entry of a list by its number."""
    if not path:
        return "the plan"
    if isinstance(path[-1], str):
        return path[-1]
    return f"{_called(path[:-1]).removesuffix('s')} {path[-1] + 1}" if path[:-1] else f"entry {path[-1] + 1}"


def _listed(value: dict[str, Any]) -> str:
    return ", ".join(value) if value else "none"


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    said = repr(value)
    return said if len(said) <= 60 else f"{said[:57]}…"


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]
