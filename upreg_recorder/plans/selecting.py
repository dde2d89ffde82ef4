"""Choose a part of a plan: by words, by a saved scope, or by the manifest of interactions that need more runs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from upreg_recorder.failures import PlanError, RecorderError
from upreg_recorder.plans.checking import nearest
from upreg_recorder.plans.model import App, Device, Interaction, Plan
from upreg_recorder.plans.trials import Accepts, Trial

KEYS = ("app", "interaction", "type", "category", "device", "version")
_NEEDED = ("os_version", "app", "interaction", "repetition")


@dataclass(frozen=True)
class Scope:
    """A saved scope of the server: packages and types; an empty one does not limit."""

    name: str
    packages: frozenset[str]
    types: frozenset[str]


def chosen(plan: Plan, only: Sequence[str], scope: Scope | None = None) -> Accepts:
    """Return what tells whether a part of the plan is chosen.

    `only` are words such as ``app=mail,maps``: what any of the values of a key names, and that of all keys. Raises
    RecorderError for a word that names nothing in the plan.
    """
    wanted: dict[str, set[str]] = {}
    known = _known(plan)
    for word in only:
        key, _, values = word.partition("=")
        if key not in KEYS or not values:
            raise RecorderError(f"--only {word}: write KEY=VALUE, with one of {', '.join(KEYS)}")
        for value in [values] if values.casefold() in known[key] else values.split(","):
            if value.strip().casefold() not in known[key]:
                cure = nearest(value, set(known[key].values()))
                raise RecorderError(f"--only {word}: the plan has no {key} {value.strip()!r}; {cure}")
            wanted.setdefault(key, set()).add(value.strip().casefold())

    def accepts(device: Device, app: App, interaction: Interaction) -> bool:
        names = _names(device, app, interaction)
        by_words = all(values & {name.casefold() for name in names[key]} for key, values in wanted.items())
        return by_words and (scope is None or _in_scope(scope, app, interaction))

    return accepts


def needed(plan: Plan, file: Path) -> list[Trial]:
    """Return the very runs that a manifest asks for, which the page Plan of a ranking sends.

    Each line is recorded on a device of its OS version and model; where several are, they share the lines. Raises
    PlanError with the line of each that this plan cannot record.
    """
    found: list[Trial] = []
    problems: list[tuple[int, str]] = []
    turns: dict[tuple[str, str], Iterator[Device]] = {}
    for line, row in _rows(file):
        try:
            found.append(_needed(plan, row, turns))
        except ValueError as error:
            problems.append((line, f"of {file.name}: {error}"))
    if problems:
        raise PlanError(problems)
    return list({trial.key: trial for trial in found}.values())


def _needed(plan: Plan, row: Mapping[str, str], turns: dict[tuple[str, str], Iterator[Device]]) -> Trial:
    model, version = row.get("device", ""), row["os_version"]
    devices = [each for each in plan.devices if each.os_version == version and each.model in ("", model)]
    devices = [each for each in devices if each.model] or devices
    if not devices:
        raise ValueError(f"the plan has no device {model!r} with {version!r}: add one, or correct its model")
    by_package = [app for app in plan.apps if app.package == row.get("package")]
    apps = by_package or [app for app in plan.apps if app.name.casefold() == row["app"].casefold()]
    if not apps:
        raise ValueError(f"the plan has no app {row['app']!r}: {nearest(row['app'], [a.name for a in plan.apps])}")
    interactions = [each for each in apps[0].interactions if each.name == row["interaction"]]
    if not interactions:
        cure = nearest(row["interaction"], [each.name for each in apps[0].interactions])
        raise ValueError(f"{apps[0].name} has no interaction {row['interaction']!r} in the plan: {cure}")
    if not row["repetition"].isdecimal():
        raise ValueError(f"repetition is {row['repetition']!r}: give a whole number")
    turn = turns.setdefault((version, model), cycle(devices))
    return Trial(next(turn), apps[0], interactions[0], int(row["repetition"]))


def _rows(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            head = stream.readline()
            stream.seek(0)
            mark = max(",;\t", key=head.count)
            reader = csv.DictReader(stream, delimiter=mark)
            reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or []]
            if lacking := [name for name in _NEEDED if name not in reader.fieldnames]:
                raise RecorderError(f"--needs {file} lacks the column {lacking[0]}: take plan.csv of a ranking")
            for row in reader:
                yield reader.line_num, {key: _plain((cell or "").strip()) for key, cell in row.items() if key}
    except OSError as error:
        raise RecorderError(f"--needs {file} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise RecorderError(f"--needs {file} is no manifest: {error}") from error


def _plain(cell: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheets from running it."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'")[:1] in tuple("=+-@\t\r\n＝＋－＠") else cell


def _in_scope(scope: Scope, app: App, interaction: Interaction) -> bool:
    by_app = not scope.packages or app.package in scope.packages
    return by_app and (not scope.types or interaction.type in scope.types)


def _names(device: Device, app: App, interaction: Interaction) -> dict[str, Iterable[str]]:
    return {
        "app": (app.name, app.package),
        "interaction": (interaction.name,),
        "type": (interaction.type,),
        "category": (app.category,),
        "device": (device.name, device.model),
        "version": (device.os_version,),
    }


def _known(plan: Plan) -> dict[str, dict[str, str]]:
    """Return the words of the plan for each key, in lower case, and as they are written."""
    known: dict[str, dict[str, str]] = {key: {} for key in KEYS}
    for device in plan.devices:
        for app in plan.apps:
            for interaction in app.interactions:
                for key, names in _names(device, app, interaction).items():
                    known[key] |= {name.casefold(): name for name in names if name}
    return known
