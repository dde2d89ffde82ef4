"""What is known of a recording, and its line in the manifest."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from upreg_recorder.drivers.contract import Beside, Facts, Take, Vitals
from upreg_recorder.plans.trials import Trial

COLUMNS = (
    *("os_version", "device", "app", "app_version", "package", "category", "interaction", "interaction_type"),
    *("scenario", "repetition", "capture", "video", "action_ms", "action_from", "x", "y", "show_touches"),
    *("refresh_hz", "recorded_at", "log", "trace", "batch"),
)
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class Recording:
    """One good trial: its film and what lies beside it, and how the device was.

    `start` says how the screen before the action compares with that of the first good trial: ``first``, ``same``,
    or ``differs`` and how far. `picture` is that screen as PNG.
    """

    trial: Trial
    take: Take
    beside: Beside
    facts: Facts
    before: Vitals
    after: Vitals
    app_version: str
    recorded_at: datetime
    length_ms: float
    start: str
    picture: bytes
    tries: int = 1
    notes: tuple[str, ...] = ()

    @property
    def flagged(self) -> bool:
        """Whether its screen was not in the expected state before the action."""
        return self.start.startswith("differs")


def row_of(recording: Recording, batch: str) -> dict[str, str]:
    """Return the cells of a recording without its files; empty ones are left out."""
    trial, take, facts = recording.trial, recording.take, recording.facts
    device, app, interaction = trial.device, trial.app, trial.interaction
    touched = take.x is not None and take.y is not None
    row = {
        "os_version": device.os_version,
        "device": device.model or facts.model,
        "app": app.name,
        "app_version": app.version or recording.app_version,
        "package": app.package,
        "category": app.category,
        "interaction": interaction.name,
        "interaction_type": interaction.type,
        "scenario": interaction.scenario,
        "repetition": str(trial.repetition),
        "capture": take.capture,
        "action_ms": _number(take.action_ms),
        "action_from": take.action_from if take.action_ms is None else "",
        "x": _number(take.x) if touched else "",
        "y": _number(take.y) if touched else "",
        "show_touches": str(int(take.show_touches)),
        "refresh_hz": _number(device.refresh_hz or facts.refresh_hz),
        "recorded_at": recording.recorded_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "batch": batch,
    }
    more = _about(recording)
    more |= {name if name not in row else f"device_{name}": value for name, value in facts.more.items()}
    return {name: value for name, value in (more | row).items() if value}


def _about(recording: Recording) -> dict[str, str]:
    """Return the cells that no column of the manifest is for: they are kept with the run."""
    take, facts = recording.take, recording.facts
    found = {
        "os_build": facts.os_build,
        "screen": f"{facts.size[0]}×{facts.size[1]}",
        "action_uncertain_ms": _number(take.uncertain_ms),
        "clock": take.clock,
        "start_picture": recording.start,
        "tries": str(recording.tries),
        "notes": "; ".join((*take.notes, *recording.notes)),
    }
    for when, vitals in (("before", recording.before), ("after", recording.after)):
        found[f"temperature_{when}_c"] = _number(vitals.temperature_c)
        found[f"clocks_{when}_mhz"] = " ".join(f"{clock:.0f}" for clock in vitals.clocks_mhz)
        found[f"battery_{when}_pct"] = _number(vitals.battery_pct)
    return found


def manifest_of(rows: Iterable[Mapping[str, str]]) -> str:
    """Return rows as the text of a manifest: first the columns that it knows, then the others by name."""
    rows = list(rows)
    used = {name for row in rows for name in row}
    needed = ("os_version", "app", "interaction", "interaction_type", "repetition", "video", "action_ms")
    columns = [name for name in COLUMNS if name in used or name in needed]
    columns += sorted(used - set(COLUMNS))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(name, "")) for name in columns] for row in rows)
    return text.getvalue()


def file_name(trial: Trial) -> str:
    """Return the name of a recording's files, without ending, below the folder: ``films/13.0.9/mail/open/a_01``."""
    device, app, interaction = trial.device, trial.app, trial.interaction
    parts = (slug(device.os_version), slug(app.name), slug(interaction.name))
    return "/".join(("films", *parts, f"{slug(device.name)}_{trial.repetition:02}"))


def slug(name: str) -> str:
    """Return a name that every file system takes; two different names never become the same."""
    plain = _UNSAFE.sub("_", name).strip("._-")[:60]
    if plain == (name if "_" in name else name.replace(" ", "_")):
        return plain
    return f"{plain or 'x'}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


def _cell(text: str) -> str:
    """Return a cell that no spreadsheet runs; readers of manifests take the apostrophe away again."""
    tidy = text.replace("\0", "")
    return f"'{tidy}" if _FORMULA.match(tidy) and not _NUMBER.fullmatch(tidy) else tidy
