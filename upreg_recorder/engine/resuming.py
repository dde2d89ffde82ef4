"""Go on where a folder stopped, if the plan is still the same where it counts."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from upreg_recorder.delivering.folder import Folder
from upreg_recorder.failures import RecorderError
from upreg_recorder.plans.model import Plan
from upreg_recorder.plans.trials import Trial

_NOT_OF_A_RUN = frozenset({"line", "interactions", "lane"})
MOST_SHOWN = 10


def resume(folder: Folder, plan: Plan, trials: Iterable[Trial]) -> list[Trial]:
    """Return the trials that are still to be done, and note with which plan it goes on.

    What was added to the plan is done, too. Raises RecorderError with all that has changed of what it had before:
    its runs would not be runs of the same.
    """
    parts = described(plan)
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    before = folder.begun()
    if before and before.get("plan") != digest:
        changes = _changes(before.get("parts", {}), parts)
        if changes:
            more = f"\n  and {len(changes) - MOST_SHOWN} more" if len(changes) > MOST_SHOWN else ""
            said = "".join(f"\n  {change}" for change in changes[:MOST_SHOWN])
            cure = "Take that back, or record into another folder."
            raise RecorderError(f"the plan is another one than {folder.path} was recorded by:{said}{more}\n{cure}")
    if before.get("plan") != digest:
        folder.note("begun", plan=digest, name=plan.name, parts=parts)
    return [trial for trial in trials if trial.key not in folder.rows]


def described(plan: Plan) -> dict[str, dict[str, Any]]:
    """Return what makes runs of a plan what they are: its devices, apps and interactions by name."""
    parts: dict[str, Any] = {}
    for device in plan.devices:
        parts[f"device {device.name}"] = device
    for app in plan.apps:
        parts[f"app {app.package}"] = app
        for interaction in app.interactions:
            parts[f"interaction {interaction.name} of {app.package}"] = interaction
    return {name: _fields(part, plan.folder) for name, part in parts.items()}


def _fields(value: Any, folder: Path) -> dict[str, Any]:
    found = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    kept = {name: _plain(each, folder) for name, each in found.items() if name not in _NOT_OF_A_RUN}
    shaped: dict[str, Any] = json.loads(json.dumps(kept, default=str, sort_keys=True))
    return shaped


def _plain(value: Any, folder: Path) -> Any:
    """Return steps without the lines on which they stand, files as seen from the plan: its folder may move."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _fields(value, folder)
    if isinstance(value, tuple | list):
        return [_plain(each, folder) for each in value]
    if isinstance(value, dict):
        return {str(key): _plain(each, folder) for key, each in value.items()}
    if isinstance(value, Path | str) and Path(value).is_absolute() and Path(value).is_relative_to(folder):
        return Path(value).relative_to(folder).as_posix()
    return value


def _changes(before: dict[str, dict[str, Any]], now: dict[str, dict[str, Any]]) -> list[str]:
    return [
        f"{part}: {name} was {_short(before[part].get(name))}, is {_short(now[part].get(name))}"
        for part in before
        if part in now
        for name in sorted({*before[part], *now[part]})
        if before[part].get(name) != now[part].get(name)
    ]


def _short(value: Any) -> str:
    said = json.dumps(value, ensure_ascii=False)
    return said if len(said) <= 100 else f"{said[:97]}…"
