"""The settings of a device that OBS films, read from the plan and the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from upreg_recorder.plans.model import Device

Marker = Literal["obs", "flash", "dot"]


@dataclass(frozen=True)
class Settings:
    """What `settings.schema.json` describes; the password is read from the environment and is in no message."""

    scene: str
    source: str
    phone: Mapping[str, Any]
    host: str = "localhost"
    port: int = 4455
    password_env: str = "OBS_PASSWORD"
    folder: Path | None = None
    marker: Marker = "obs"
    capture_delay_ms: float = 0.0
    accept_ms: float = 0.0  # one picture of OBS if 0
    skipped_frames: int = 0
    least_free_mb: float = 1000.0

    @classmethod
    def of(cls, device: Device) -> Settings:
        """Read them from a device of a plan that was checked."""
        given = dict(device.settings)
        if given.get("folder"):
            given["folder"] = Path(given["folder"])
        return cls(**given)

    def password(self, environment: Mapping[str, str] = os.environ) -> str:
        """Return OBS's password; empty where the variable is not set."""
        return environment.get(self.password_env, "")
