"""The folder that is delivered: films and what lies beside them, the manifest, and the journal of what was done.

Nothing half-written has its name: files are made in ``.part`` and moved when they are whole and on disk; then the
journal tells of them; the manifest, made of the journal, comes last. A cut at any point loses one trial at most.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from upreg_recorder.delivering.journal import Journal, alone, on_disk
from upreg_recorder.delivering.rows import Recording, file_name, manifest_of, row_of, slug
from upreg_recorder.failures import RecorderError
from upreg_recorder.plans.trials import Trial

MANIFEST, JOURNAL, PART, STARTS, LOCK = "runs.csv", "journal.jsonl", ".part", "starts", ".lock"
FILES = ("log", "trace", "video")  # in the order in which they get their names
Row = dict[str, str]


@contextmanager
def opened(path: Path, *, new: bool = True) -> Iterator[Folder]:
    """Open a folder for this process alone; raises RecorderError if it cannot be."""
    if not new and not (path / JOURNAL).is_file():
        raise RecorderError(f"{path} is no folder of recordings: it has no {JOURNAL}")
    try:
        path.mkdir(parents=True, exist_ok=True)
        (path / LOCK).touch()
    except OSError as error:
        raise RecorderError(f"{path} cannot be written: {error.strerror}: name another folder") from error
    with alone(path / LOCK):
        yield Folder(path)
        shutil.rmtree(path / PART, ignore_errors=True)


class Folder:
    """An open folder. Used by several lanes at once."""

    def __init__(self, path: Path) -> None:
        self.path, self._lock = path, threading.Lock()
        self.journal = Journal(path / JOURNAL)
        self.rows: dict[str, Row] = {}  # of each recorded trial by its key
        self.pushed: dict[str, dict[str, str]] = {}  # server → key → what became of it there
        self.lost: list[str] = []  # recorded once, and their files are gone
        for entry in self.journal.entries:
            self._take(entry)
        shutil.rmtree(path / PART, ignore_errors=True)
        if self.rows:
            self._write_manifest()

    @property
    def manifest(self) -> Path:
        """The manifest of all that is recorded here."""
        return self.path / MANIFEST

    def begun(self) -> dict[str, Any]:
        """Return what the plan was like when it was recorded here last; nothing if it was not."""
        found = [entry for entry in self.journal.entries if entry["what"] == "begun"]
        return found[-1] if found else {}

    def part(self, lane: str) -> Path:
        """Return the empty folder in which a lane makes its next recording."""
        path = self.path / PART / slug(lane)
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def deliver(self, recording: Recording, batch: str = "") -> Row:
        """Give a recording its place and its line; raises OSError if the disk does not take it."""
        trial = recording.trial
        row, name = row_of(recording, batch), file_name(trial)
        files = {"log": recording.beside.log, "trace": recording.beside.trace, "video": recording.take.video}
        with self._lock:
            for kind in FILES:
                if path := files[kind]:
                    row[kind] = self._place(path, name)
            self._keep_start(trial, recording.picture)
            self.note("recorded", trial=trial.key, row=row)
            self.rows[trial.key] = row
            for server in self.pushed.values():
                server.pop(trial.key, None)
            self._write_manifest()
        return row

    def start(self, trial: Trial) -> bytes | None:
        """Return the screen from which the first good trial of its kind began, as PNG."""
        file = self._start_file(trial)
        return file.read_bytes() if file.is_file() else None

    def note(self, what: str, **said: Any) -> None:
        """Write a line into the journal."""
        self.journal.add(what=what, **said)

    def note_pushed(self, key: str, server: str, became: str) -> None:
        """Write down that a run is on a server, or was refused there."""
        with self._lock:
            self.note("pushed", trial=key, server=server, became=became)
            self.pushed.setdefault(server, {})[key] = became

    def mean_bytes(self) -> float:
        """Return the mean size of what belongs to one recording; 0 while there is none."""
        with self._lock:
            rows = list(self.rows.values())[-200:]
        sizes = [_bytes(self.path / row[kind]) for row in rows for kind in FILES if kind in row]
        return sum(sizes) / len(rows) if rows else 0.0

    def _take(self, entry: dict[str, Any]) -> None:
        key, what = entry.get("trial", ""), entry["what"]
        if what == "recorded":
            self.rows.pop(key, None)
            for server in self.pushed.values():
                server.pop(key, None)
            if all((self.path / entry["row"][kind]).is_file() for kind in FILES if kind in entry["row"]):
                self.rows[key] = entry["row"]
            else:
                self.lost.append(key)
        elif what == "pushed":
            self.pushed.setdefault(entry["server"], {})[key] = entry["became"]

    def _place(self, path: Path, name: str) -> str:
        """Move a whole file to its name; return it relative to the manifest."""
        there = self.path / f"{name}{''.join(path.suffixes[-2:]) if path.suffix == '.gz' else path.suffix}"
        there.parent.mkdir(parents=True, exist_ok=True)
        on_disk(path)
        path.replace(there)
        on_disk(there.parent)
        return there.relative_to(self.path).as_posix()

    def _keep_start(self, trial: Trial, picture: bytes) -> None:
        file = self._start_file(trial)
        if not file.is_file():
            file.parent.mkdir(parents=True, exist_ok=True)
            _write(file, picture)

    def _start_file(self, trial: Trial) -> Path:
        device, app, interaction = trial.device.name, trial.app.name, trial.interaction.name
        return self.path / STARTS / slug(device) / slug(app) / f"{slug(interaction)}.png"

    def _write_manifest(self) -> None:
        _write(self.manifest, manifest_of(self.rows.values()).encode())


def _write(file: Path, content: bytes) -> None:
    """Put a whole file in the place of one; a cut leaves the old one or the new one."""
    draft = file.with_name(f"{file.name}.part")
    try:
        with draft.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(file)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    on_disk(file.parent)


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
