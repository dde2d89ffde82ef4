"""Read a plan: all its errors at once, sorted by line, or the plan."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from upreg_recorder.failures import PlanError
from upreg_recorder.plans.checking import Problem, against_schema, files_named, nearest
from upreg_recorder.plans.model import App, Device, Interaction, Plan, Step, Target
from upreg_recorder.plans.schema import Settings, plan_schema
from upreg_recorder.plans.yaml_text import Path as Place
from upreg_recorder.plans.yaml_text import Text, read_yaml

ACTION_TYPES = {
    "launch": "launch", "tap": "tap", "swipe": "swipe", "scroll": "scroll", "type": "type", "draw": "draw",
    "back": "tap", "home": "tap",
}  # fmt: skip
UNTIL_MS, GESTURE_MS, DRAW_MS = 5000.0, 300.0, 600.0  # where a plan does not say it
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"


def read_plan(file: Path, settings: Settings) -> Plan:
    """Return the plan in a file; `settings` are the schemas of the drivers that it may use.

    Raises PlanError with every error and its line, sorted.
    """
    try:
        text = read_yaml(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise PlanError([(0, f"{file} cannot be read: {error.strerror}: name a plan, a file of YAML")]) from error
    except UnicodeDecodeError as error:
        raise PlanError([(0, f"{file} is not UTF-8: save it as UTF-8")]) from error
    schema, folder = plan_schema(settings), file.resolve().parent
    problems = [*text.problems, *against_schema(text, schema), *files_named(text, schema, folder)]
    problems += _Meaning(text, folder).problems()
    if problems:
        raise PlanError(sorted(dict.fromkeys(problems)))
    return _plan(text, folder)


class _Meaning:
    """What no schema can say: names that stand twice, files that are not there, versions that no device has.

    It looks at plans that the schema refuses as well, so that all errors are told at once.
    """

    def __init__(self, text: Text, folder: Path) -> None:
        self._text, self._folder = text, folder
        root = text.value if isinstance(text.value, dict) else {}
        self._devices = list(_mappings(root.get("devices"), ("devices",)))
        self._apps = list(_mappings(root.get("apps"), ("apps",)))

    def problems(self) -> list[Problem]:
        versions = {str(device.get("os_version")) for _, device in self._devices}
        found = [*self._twice(self._devices, "name", "device"), *self._twice(self._apps, "name", "app")]
        found += self._twice(self._apps, "package", "app with the package")
        found += self._hidden()
        for place, app in self._apps:
            found += self._installs(place, app, versions)
            interactions = list(_mappings(app.get("interactions"), (*place, "interactions")))
            found += self._twice(interactions, "name", f"interaction of {app.get('name')}")
            for inner, interaction in interactions:
                found += self._action(inner, interaction)
        return found

    def _twice(self, entries: list[tuple[Place, dict[str, Any]]], key: str, what: str) -> Iterator[Problem]:
        first: dict[str, int] = {}
        for place, entry in entries:
            name = entry.get(key)
            if isinstance(name, str):
                line = self._text.line((*place, key))
                if name.casefold() in first:
                    yield line, f"another {what} is called {name!r}, in line {first[name.casefold()]}: rename one"
                first.setdefault(name.casefold(), line)

    def _hidden(self) -> Iterator[Problem]:
        """Find names with characters that show nothing or turn what stands around them: no server takes them."""
        named = [(place, entry) for place, entry in [*self._devices, *self._apps]]
        for place, app in self._apps:
            named += _mappings(app.get("interactions"), (*place, "interactions"))
        for place, entry in named:
            for key in ("name", "package", "category", "version", "os_version", "model"):
                name = entry.get(key)
                signs = [sign for sign in str(name) if unicodedata.category(sign) in _HIDDEN - {"Cc"}]
                if isinstance(name, str) and (signs := [sign for sign in signs if sign not in _JOINERS]):
                    said = f"has a character that cannot be seen (U+{ord(signs[0]):04X}): type it again"
                    yield self._text.line((*place, key)), f"{key} {said}"

    def _installs(self, place: Place, app: dict[str, Any], versions: set[str]) -> Iterator[Problem]:
        install = app.get("install")
        files = {"": install} if isinstance(install, str) else install if isinstance(install, dict) else {}
        for version, name in files.items():
            line = self._text.line((*place, "install", version) if version else (*place, "install"))
            if version and version not in versions:
                yield line, f"no device has the OS version {version!r}: {nearest(version, versions)}"
            if isinstance(name, str) and name and not (self._folder / name).is_file():
                yield line, f"{name} is no file: it is looked for beside the plan, in {self._folder}"

    def _action(self, place: Place, interaction: dict[str, Any]) -> Iterator[Problem]:
        action = interaction.get("action")
        kind = action if isinstance(action, str) else next(iter(action), "") if isinstance(action, dict) else ""
        line = self._text.line((*place, "action"))
        if kind == "wait":
            yield line, "action is 'wait': film what the user does, and let the waiting be its watch_ms"
        for inner, step in _steps(interaction, place):
            if step.get("by") == [0, 0]:
                yield self._text.line((*inner, "by")), "by is [0, 0]: say how far the content moves"


def _mappings(value: Any, place: Place) -> Iterator[tuple[Place, dict[str, Any]]]:
    for number, entry in enumerate(value if isinstance(value, list) else []):
        if isinstance(entry, dict):
            yield (*place, number), entry


def _steps(interaction: dict[str, Any], place: Place) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield what stands below each step that has more to say than its kind."""
    prepare = interaction.get("prepare")
    entries = list(_mappings(prepare, (*place, "prepare")))
    if isinstance(interaction.get("action"), dict):
        entries.append(((*place, "action"), interaction["action"]))
    for inner, entry in entries:
        for kind, said in entry.items():
            if isinstance(said, dict):
                yield (*inner, kind), said


def _plan(text: Text, folder: Path) -> Plan:
    said = text.value
    devices = tuple(_device(each) for each in said["devices"])
    versions = {device.os_version for device in devices}
    apps = tuple(_app(each, ("apps", number), text, folder, versions) for number, each in enumerate(said["apps"]))
    more = {"tries": said["tries"]} if "tries" in said else {}
    return Plan(said["name"].strip(), said["repetitions"], apps, devices, folder, **more)


def _device(said: dict[str, Any]) -> Device:
    return Device(**{key: value for key, value in said.items() if value is not None})


def _app(said: dict[str, Any], place: Place, text: Text, folder: Path, versions: set[str]) -> App:
    install = said.get("install", {})
    named = dict.fromkeys(sorted(versions), install) if isinstance(install, str) else install
    interactions = tuple(
        _interaction(each, (*place, "interactions", number), text)
        for number, each in enumerate(said["interactions"])
    )
    plain = {key: said[key] for key in ("name", "package", "category", "version", "settings") if key in said}
    files = {version: folder / name for version, name in named.items()}
    return App(**plain, interactions=interactions, install=files)


def _interaction(said: dict[str, Any], place: Place, text: Text) -> Interaction:
    action = _step(said["action"], (*place, "action"), text)
    prepare = tuple(
        _step(each, (*place, "prepare", number), text) for number, each in enumerate(said.get("prepare", []))
    )
    times = {key: float(said[key]) for key in ("lead_ms", "watch_ms") if key in said}
    kind = said.get("type") or ACTION_TYPES[action.kind]
    return Interaction(said["name"], kind, action, prepare, said.get("scenario", ""), **times)


def _step(said: Any, place: Place, text: Text) -> Step:
    kind, value = (said, None) if isinstance(said, str) else next(iter(said.items()))
    return STEPS.get(kind, _plain)(kind, value, text.line(place))


def _plain(kind: Any, value: Any, line: int) -> Step:
    return Step(kind, line=line)


def _tap(kind: Any, value: Any, line: int) -> Step:
    return Step(kind, _target(value), line=line)


def _swipe(kind: Any, value: Any, line: int) -> Step:
    path = (_place(value["from"]), _place(value["to"]))
    return Step(kind, path=path, ms=float(value.get("ms", GESTURE_MS)), line=line)


def _scroll(kind: Any, value: Any, line: int) -> Step:
    ms = float(value.get("ms", GESTURE_MS))
    return Step(kind, _target(value.get("in")), by=_place(value["by"]), ms=ms, line=line)


def _type(kind: Any, value: Any, line: int) -> Step:
    said = {"text": value} if isinstance(value, str) else value
    return Step(kind, _target(said.get("into")), text=said["text"], line=line)


def _draw(kind: Any, value: Any, line: int) -> Step:
    path = tuple(_place(each) for each in value["points"])
    return Step(kind, path=path, ms=float(value.get("ms", DRAW_MS)), line=line)


def _wait(kind: Any, value: Any, line: int) -> Step:
    said = value if isinstance(value, dict) else {"ms": value}
    return Step(kind, _target(said.get("until")), ms=float(said.get("ms", UNTIL_MS)), line=line)


STEPS: dict[str, Callable[[Any, Any, int], Step]] = {
    "tap": _tap, "swipe": _swipe, "scroll": _scroll, "type": _type, "draw": _draw, "wait": _wait,
}  # fmt: skip


def _target(said: Any) -> Target | None:
    if said is None:
        return None
    if isinstance(said, str):
        return Target(text=said)
    return Target(at=_place(said["at"])) if "at" in said else Target(**said)


def _place(said: list[float]) -> tuple[float, float]:
    return float(said[0]), float(said[1])
