"""What a plan says of a device and of an app, with the defaults of settings.schema.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from upreg_recorder.failures import RecorderError, SettledTrialError
from upreg_recorder.plans.model import App, Share

STORE = """try {
  for (const [key, said] of Object.entries(kept))
    if (localStorage.getItem(key) === null) localStorage.setItem(key, said)
} catch {} // a page without an origin has no storage
"""
RANDOM = "Math.random = () => (at = at * 16807 % 2147483647) / 2147483647\n"  # Park and Miller's minimal standard


@dataclass(frozen=True)
class Phone:
    """The phone that is emulated; see settings.schema.json."""

    browser: str = "system"
    size: tuple[int, int] = (412, 892)  # CSS px
    scale: float = 1.0
    mobile: bool = True
    user_agent: str | None = None
    slowdown: float = 1.0
    settle_ms: float = 300.0
    sample_ms: float = 100.0
    crf: float = 12.0
    preset: str = "veryfast"
    flags: tuple[str, ...] = ()
    script: str = ""  # what the file says
    more: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Phone:
        """Return what the settings of a device say.

        Raises RecorderError where no video can have that size, or the script cannot be read.
        """
        said: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()
        }
        if "script" in said:
            said["script"] = _read(Path(said["script"]))
        phone = cls(**said)
        if any(side % 2 for side in phone.pixels):
            shown = "{} × {} px".format(*phone.pixels)
            raise RecorderError(f"size times scale is {shown}, and a video has even sides: choose another size")
        return phone

    @property
    def pixels(self) -> tuple[int, int]:
        """Return width and height of the screen in px, as its films have it."""
        return round(self.size[0] * self.scale), round(self.size[1] * self.scale)

    def place(self, at: Share) -> tuple[float, float]:
        """Return a place of the screen in CSS px, kept on it."""
        x, y = (min(max(share * side, 1), side - 1) for share, side in zip(at, self.size, strict=True))
        return x, y


@dataclass(frozen=True)
class Web:
    """An app as the browser knows it; see settings.schema.json."""

    url: str = ""
    site: str = ""
    path: str = "/index.html"
    aliases: Mapping[str, str] = field(default_factory=dict)
    storage: Mapping[str, Any] = field(default_factory=dict)
    random_seed: int | None = None
    script: str = ""
    page_errors: str = "fail"

    @classmethod
    def of(cls, app: App, file: Path | None = None) -> Web:
        """Return what the settings of an app say; raises SettledTrialError where nothing says what it is."""
        known = {key: said for key, said in app.settings.items() if key in cls.__dataclass_fields__}
        web = cls(**known)
        if sum(map(bool, (web.url, web.site, file))) != 1:
            raise SettledTrialError(
                f"{app.name}: say what Chromium shows, by one of settings: url, settings: site, install"
            )
        return web

    def start_script(self) -> str:
        """Return what each page runs before its own scripts."""
        script = ""
        if self.storage:
            kept = {key: said if isinstance(said, str) else json.dumps(said) for key, said in self.storage.items()}
            script += f"const kept = {json.dumps(kept)}\n{STORE}"
        if self.random_seed is not None:
            script += f"let at = {self.random_seed}\n{RANDOM}"
        return f"{{\n{script}}}\n{self.script}" if script else self.script


def _read(script: Path) -> str:
    try:
        return script.expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecorderError(f"script {script} cannot be read: {error}: name a file of JavaScript, UTF-8") from error
