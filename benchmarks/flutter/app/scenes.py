"""What a scene is, and what is done in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

Gesture = tuple[Any, ...]  # ("tap", x, y), ("key", letter) or ("swipe", x, y, x there, y there, ms); CSS px
Build = Callable[[Any, Callable[[float], Awaitable[None]]], None]  # given the page, and how to wait for so many ms


@dataclass(frozen=True)
class Interaction:
    """One thing that a user does, `before` it what led there; `caret` says that one blinks meanwhile."""

    name: str
    gesture: Gesture
    before: tuple[Gesture, ...] = ()
    seconds: float = 2.6
    caret: bool = False


SCENES: dict[str, tuple[Build, tuple[Interaction, ...]]] = {}


def scene(*interactions: Interaction) -> Callable[[Build], Build]:
    """Take a function that lays out a page as a scene of its name."""

    def keep(build: Build) -> Build:
        SCENES[build.__name__] = build, interactions
        return build

    return keep


def tap(x: float, y: float) -> Gesture:
    """Return a tap at a place."""
    return "tap", x, y


def swipe(x: float, y: float, to_x: float, to_y: float, ms: float = 120) -> Gesture:
    """Return a finger's way in so many ms, at an even pace."""
    return "swipe", x, y, to_x, to_y, ms
