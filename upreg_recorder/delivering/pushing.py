"""Bring recordings to a server as they are made, through the client of farm hosts if that is installed.

A server that is away stops no recording: what is not in yet is told, and tried again at the end or later.
"""

from __future__ import annotations

import importlib.util
import queue
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from upreg_recorder.delivering.folder import FILES, Folder, Row
from upreg_recorder.failures import AwayError, RecorderError, ServerRefusesError
from upreg_recorder.plans.selecting import Scope

REFUSED = "refused"
LATER_TRIES = 8  # at the end, with growing pauses; while it records a server is asked once or twice
MEANWHILE_TRIES = 2


class NoClientError(RecorderError):
    """The client that brings runs in is not installed."""


@dataclass
class Pushed:
    """What came of pushing: `counts` of new, updated, unchanged and refused; `refused` and `waits` name runs."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[str, str]] = field(default_factory=list)  # key, why
    waits: list[str] = field(default_factory=list)  # keys of what is not in yet
    why: str = ""  # nothing goes in at the moment, or at all
    for_good: bool = False  # the token or the address is at fault
    code: int = 0  # what a command ends with then


def client() -> Any:
    """Return the client; raises NoClientError with the cure where it is not installed."""
    if importlib.util.find_spec("upreg_client") is None:
        raise NoClientError(
            "pushing needs the client, which is not here: pip install ./upreg_client, from the same checkout; "
            "or copy the folder and import its runs.csv on the server"
        )
    from upreg_recorder.delivering import through_client

    return through_client


def scope_of(name: str, address: str, token: str) -> Scope:
    """Return a saved scope of the server; raises RecorderError if it has none of that name."""
    packages, types = client().scope(address, token, name)
    return Scope(name, frozenset(packages), frozenset(types))


class Pusher:
    """Pushes from a thread of its own, so that no recording waits for a network.

    It is asked once before anything is recorded, so that a wrong token is told at the beginning of a night.
    """

    def __init__(self, folder: Folder, address: str, token: str, batch: str, tell: Callable[[str], None]) -> None:
        self.pushed, self.batch = Pushed(), batch
        self._folder, self._tell, self._told = folder, tell, ""
        self._client = client()
        self._address, self._token = self._client.checked(address, token), token
        try:
            self._client.ask_whether_it_answers(self._address, token)
        except AwayError as error:
            self._say(f"{error} It records on, and tries again later.")
        self._queue: queue.Queue[tuple[str, Row] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="push", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._queue.put(None)

    def open_batch(self, os_version: str) -> None:
        """Open the batch on the server; a server that is away gets it with the first run."""
        try:
            self._client.open_batch(self._address, self._token, self.batch, os_version)
        except AwayError as error:
            self._say(str(error))

    def later(self, key: str, row: Row) -> None:
        """Push a run when those before it are in."""
        self._queue.put((key, row))

    def finish(self) -> Pushed:
        """Wait for what is under way, then try whatever is not in yet once more, with patience."""
        self._queue.put(None)
        self._thread.join()
        waits = self.waiting()
        self.pushed.why = "" if not self.pushed.for_good else self.pushed.why
        for key in waits:
            if self.pushed.why:
                break
            self._push(key, self._folder.rows[key], LATER_TRIES)
        self.pushed.waits = self.waiting()
        return self.pushed

    def waiting(self) -> list[str]:
        """Return the keys of the runs in the folder that this server has not taken, nor refused just now."""
        done: Mapping[str, str] = self._folder.pushed.get(self._address, {})
        refused = {key for key, _ in self.pushed.refused}
        return [key for key in self._folder.rows if done.get(key, REFUSED) == REFUSED and key not in refused]

    def complete_batch(self) -> None:
        """Say that nothing more comes in."""
        self._client.complete_batch(self._address, self._token, self.batch)

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            if not self.pushed.for_good:
                self._push(*item, MEANWHILE_TRIES)

    def _push(self, key: str, row: Row, tries: int) -> None:
        files = {kind: self._folder.path / row[kind] for kind in FILES if kind in row}
        try:
            became, faults = self._client.bring(
                self._address,
                self._token,
                row,
                files,
                state=self._folder.manifest,
                batch=self.batch,
                tries=tries,
            )
        except AwayError as error:
            self.pushed.why = str(error)
            self._say(f"{error} It records on, and tries again later.")
            return
        except OSError as error:  # the film was taken away meanwhile
            became, faults = REFUSED, f"{error.filename} cannot be read: {error.strerror}"
        except ServerRefusesError as error:
            self.pushed.why, self.pushed.for_good, self.pushed.code = str(error), True, error.code
            self._say(str(error))
            return
        self._told, self.pushed.why = "", ""
        self.pushed.counts[became] += 1
        if became == REFUSED:
            self.pushed.refused.append((key, faults))
            self._tell(f"{key} is refused by the server: {faults}")
        self._folder.note_pushed(key, self._address, became)

    def _say(self, words: str) -> None:
        """Tell something once, until it is over."""
        if words != self._told:
            self._told = words
            self._tell(words)


def token_of(file: Path | None, environment: Mapping[str, str]) -> str:
    """Return the token, from a file or from the variable by which the client takes it."""
    if file is None:
        return environment.get("UPREG_TOKEN", "")
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecorderError(f"--token-file {file} cannot be read: {error}") from error
