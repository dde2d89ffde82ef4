"""Two policies compared: what a person changed, in words."""

from typing import Any

from analysis.decide.policy import Policy
from analysis.decide.policyjson import policy_to_json

_IDENTITY = ("name", "version")


def policy_changes(old: Policy, new: Policy) -> list[str]:
    """Return one line per changed value: ``thresholds.response_time_ms.absolute: 50 → 60``."""
    before, after = (_flat(policy_to_json(policy)) for policy in (old, new))
    return [
        f"{key}: {before.get(key, '–')} → {after.get(key, '–')}"
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key)
    ]


def _flat(value: Any, path: str = "") -> dict[str, Any]:
    if isinstance(value, dict):
        parts = [(key, part) for key, part in value.items() if path or key not in _IDENTITY]
    elif isinstance(value, list):
        parts = [(_name(place, part), part) for place, part in enumerate(value)]
    else:
        return {path: value}
    found: dict[str, Any] = {}
    for key, part in parts:
        found |= _flat(part, f"{path}.{key}" if path else str(key))
    return found


def _name(place: int, part: Any) -> str:
    """Name an override by where it applies and a step by its word, so that order does not matter."""
    if isinstance(part, dict):
        return " ".join(str(part[key]) for key in ("app", "interaction_type", "metric") if part.get(key))
    return str(part[0]) if isinstance(part, list) else str(place)
