"""Push the lines of a manifest, several at once: each is asked for, brought if need be, and made a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import httpx

from upreg_client.failures import ALL_IN, SOME_REFUSED, Fault, RefusedError
from upreg_client.manifest import BadLine, Row, fingerprint
from upreg_client.server import Server, part
from upreg_client.uploading import Begun, Content, Uploader

NEW, UPDATED, UNCHANGED, REFUSED = "new", "updated", "unchanged", "refused"
NOT_STORED = "sha256"  # the field that the server refuses when it has no such file yet
VIDEO = "video"
CREATED = 201


@dataclass(frozen=True)
class Outcome:
    """What became of one line; ``faults`` say why it was refused."""

    line: int
    kind: str
    faults: tuple[Fault, ...] = ()


@dataclass
class Tally:
    """What a push came to."""

    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """How many lines came to what."""
        return Counter(outcome.kind for outcome in self.outcomes)

    @property
    def refused(self) -> list[Outcome]:
        """The refused lines, in the order of the manifest."""
        return sorted((each for each in self.outcomes if each.kind == REFUSED), key=lambda each: each.line)

    @property
    def exit_code(self) -> int:
        """What the command exits with."""
        return SOME_REFUSED if self.refused else ALL_IN


@dataclass(frozen=True)
class Watch:
    """Who is told how far a push has come: bytes that the server has, and lines that are done."""

    on_bytes: Callable[[int], None] = lambda count: None
    on_line: Callable[[Outcome], None] = lambda outcome: None


def push(
    server: Server, rows: Iterable[Row | BadLine], *, begun: Begun, batch: str = "", parallel: int = 4, watch: Watch
) -> Tally:
    """Bring all lines in; a refused one never stops the others.

    Whatever stops them all (network, token) is raised as soon as the lines under way have ended.
    """
    tally, pusher = Tally(), _Pusher(server, Uploader(server, begun, watch.on_bytes), begun, batch, watch)

    def done(outcome: Outcome) -> None:
        tally.outcomes.append(outcome)
        watch.on_line(outcome)

    good: list[Row] = []
    for row in rows:
        if isinstance(row, BadLine):
            done(Outcome(row.line, REFUSED, (row.fault,)))
        else:
            good.append(row)
    ends: list[Exception] = []  # what stops them all, before those whom it stopped

    def bring(row: Row) -> None:
        try:
            done(pusher.line(row))
        except Exception as error:
            ends.append(error)
            server.stopped.set()  # here, not where it is waited for: no other line is begun meanwhile
            raise

    with ThreadPoolExecutor(parallel, thread_name_prefix="push") as threads:
        futures = [threads.submit(bring, row) for row in good]
        try:
            _all_done(futures)
        except BaseException as error:
            server.stopped.set()
            threads.shutdown(cancel_futures=True)
            raise (ends[0] if ends and isinstance(error, Exception) else error) from None
    return tally


def _all_done(futures: Sequence[Future[None]]) -> None:
    finished, _ = wait(futures, return_when=FIRST_EXCEPTION)
    for future in finished:
        future.result()


class _Pusher:
    """Brings one line at a time in; it is called by several threads."""

    def __init__(self, server: Server, uploader: Uploader, begun: Begun, batch: str, watch: Watch) -> None:
        self._server, self._uploader, self._begun = server, uploader, begun
        self._batch, self._watch = batch, watch

    def line(self, row: Row) -> Outcome:
        try:
            return self._bring(row)
        except RefusedError as refused:
            return Outcome(row.line, REFUSED, refused.faults)
        except OSError as error:
            fault = Fault("video", f"{row.cells['video']} cannot be read: {error.strerror}: check its permissions")
            return Outcome(row.line, REFUSED, (fault,))

    def _bring(self, row: Row) -> Outcome:
        """Ask first whether the server has the recording, by its sha256; bring it only if it has not.

        A log and a trace are always brought: they are small, and the server keeps what it has once.
        """
        contents = {column: _content(row, column) for column in row.files}
        video = contents[VIDEO]
        beside = {
            f"{column}_upload": self._brought(column, contents[column]) for column in contents if column != VIDEO
        }
        try:
            outcome = self._run(row, {**beside, NOT_STORED: video.sha256})
            self._watch.on_bytes(video.size)
        except RefusedError as refused:
            if {fault.field for fault in refused.faults} != {NOT_STORED}:
                raise
            outcome = self._run(row, {**beside, "upload": self._brought(VIDEO, video)})
        for content in contents.values():
            self._begun.keep(content.sha256, "")
        return outcome

    def _brought(self, column: str, content: Content) -> str:
        """Return the id of the finished upload; what the server says of it is said of the column."""
        try:
            return self._uploader.bring(content)
        except RefusedError as refused:
            self._begun.keep(content.sha256, "")
            faults = tuple(Fault(column, fault.message, fault.cure) for fault in refused.faults)
            raise RefusedError(refused.status, faults) from refused

    def _run(self, row: Row, files: dict[str, str]) -> Outcome:
        values: dict[str, Any] = {**row.cells, **files}
        if self._batch:
            values["batch"] = self._batch
        answer = self._server.ask("POST", "runs/", json=values)
        return Outcome(row.line, _kind(answer))


def _content(row: Row, column: str) -> Content:
    size, sha256 = fingerprint(row.files[column])
    return Content(row.files[column], row.cells[column], size, sha256)


def _kind(answer: httpx.Response) -> str:
    """Return what the server says that became of a run: 201 is new, 200 may be updated or unchanged."""
    taken = answer.json().get("taken")
    if taken in (NEW, UPDATED, UNCHANGED):
        return str(taken)
    return NEW if answer.status_code == CREATED else UNCHANGED


def open_batch(server: Server, name: str, os_version: str) -> None:
    """Open a batch about an OS version, or find it open; raises RefusedError."""
    server.ask("POST", "batches/", json={"name": name, "os_version": os_version})


def complete_batch(server: Server, name: str) -> None:
    """Say that all of a batch is in, so that it is compared when it is measured."""
    server.ask("POST", f"batches/{part(name)}/complete/")
