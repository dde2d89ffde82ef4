"""A plan as it was read: what is recorded, in which steps, on which devices.

Places are shares of the screen's width and height, 0 to 1 from the left and from the top; times are ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Kind = Literal["launch", "tap", "swipe", "scroll", "type", "draw", "wait", "back", "home"]
Share = tuple[float, float]  # of width and height


@dataclass(frozen=True)
class Target:
    """What a step is aimed at: by exactly one of a text, an id, a description, or a place on the screen."""

    text: str = ""
    id: str = ""
    description: str = ""
    at: Share | None = None

    def __str__(self) -> str:
        """Say what is looked for, as messages do."""
        named = {"text": self.text, "id": self.id, "description": self.description}
        words = [f"{key} {value!r}" for key, value in named.items() if value]
        return words[0] if words else f"the place {self.at}"


@dataclass(frozen=True)
class Step:
    """One thing that is done; which fields count depends on its kind.

    `target`: tap, type (the field to type into, tapped first), scroll (where), wait (until it is seen).
    `path`: swipe (two places) and draw (two or more), in the time `ms`. `by`: scroll, shares of the screen that the
    content moves. `text`: type. `ms`: wait (so long, or at most so long for `target`), swipe, scroll, draw.
    """

    kind: Kind
    target: Target | None = None
    path: tuple[Share, ...] = ()
    by: Share = (0.0, 0.0)
    text: str = ""
    ms: float = 0.0
    line: int = 0  # of the plan, for messages


@dataclass(frozen=True)
class Interaction:
    """One scripted interaction: steps that are not filmed, then the one action that is."""

    name: str
    type: str  # of the manifest: launch, tap, swipe, scroll, type or draw
    action: Step
    prepare: tuple[Step, ...] = ()
    scenario: str = ""
    lead_ms: float = 500.0  # filmed before the action
    watch_ms: float = 3000.0  # filmed after it


@dataclass(frozen=True)
class App:
    """An app and what is done with it. `install` is the file for each OS version, empty where it is there already.

    `settings` are a driver's own (such as `url` for Chromium, `permissions` and `snapshot` for Android).
    """

    name: str
    package: str
    interactions: tuple[Interaction, ...]
    category: str = ""
    version: str = ""
    install: Mapping[str, Path] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Device:
    """Something to record on. Devices of one lane take turns; lanes go on side by side.

    `settings` are the driver's own (such as `serial` for Android, `browser` and `slowdown` for Chromium).
    """

    name: str
    driver: str
    os_version: str
    model: str = ""  # as the manifest calls it; what the device says of itself if empty
    lane: str = ""
    refresh_hz: float = 0.0  # what the device says of itself if 0
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """A whole plan; `folder` is where it lies: its files are named from there."""

    name: str
    repetitions: int
    apps: tuple[App, ...]
    devices: tuple[Device, ...]
    folder: Path
    tries: int = 3  # of one trial, before it is given up and reported
