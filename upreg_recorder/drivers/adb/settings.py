"""What a plan may say to this driver (settings.schema.json), with what counts where it says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from upreg_recorder.failures import PlanError


@dataclass(frozen=True)
class DeviceSettings:
    """Settings of a device."""

    serial: str = ""
    host: str = "127.0.0.1"
    port: int = 5037
    recorder: str = "screenrecord"
    bit_rate_mbps: float = 20.0
    size: str = ""
    show_touches: bool = False
    accept_ms: float = 0.0  # one frame of the screen if 0
    root: bool = False
    silence: bool = True
    battery_min_pct: float = 20.0
    free_min_mb: float = 500.0
    trace: bool = True
    trace_input: bool = False
    find_ms: float = 5000.0


@dataclass(frozen=True)
class AppSettings:
    """Settings of an app."""

    activity: str = ""
    launch_with: str = "am"
    permissions: tuple[str, ...] = ()
    data: str = "clear"
    snapshot: str = ""
    splits: tuple[str, ...] = ()


Settings = TypeVar("Settings", DeviceSettings, AppSettings)


def settings_of(kind: type[Settings], given: Mapping[str, Any]) -> Settings:
    """Return settings of a device or an app; raises PlanError for one that this driver does not know.

    A plan was held against the schema before; this guards what did not come from a plan.
    """
    unknown = sorted(set(given) - {field.name for field in fields(kind)})
    if unknown:
        known = ", ".join(field.name for field in fields(kind))
        raise PlanError([(0, f"the Android driver has no setting {', '.join(unknown)}; it has {known}")])
    told: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    return kind(**told)
