"""A push as a person sees it: a bar while it goes on, then the counts and a table of what was refused."""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from upreg_client.failures import ClientError, UsageError
from upreg_client.manifest import BadLine, Row, read_manifest
from upreg_client.pushing import (
    NEW,
    REFUSED,
    UNCHANGED,
    UPDATED,
    Outcome,
    Tally,
    Watch,
    complete_batch,
    open_batch,
    push,
)
from upreg_client.server import Server
from upreg_client.uploading import Begun, state_file
from upreg_client.words import harmless

SHOWN = 20  # refused lines in the table; --refused writes them all
LOG_WIDTH = 300  # the log of a job is searched by lines
HEAD = ("line", "field", "problem")
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")


def push_and_show(
    server: Server,
    manifest: Path,
    *,
    batch: str,
    batch_version: str,
    keep_open: bool,
    parallel: int,
    refused_file: Path | None,
) -> int:
    """Push a manifest and show how far it has come; returns the exit code."""
    errors = Console(stderr=True, highlight=False, markup=False)
    rows, start = list(read_manifest(manifest)), time.monotonic()
    if not rows:
        raise UsageError(f"{manifest} has no lines below its first: add one for each recording")
    if batch:
        open_batch(server, batch, batch_version or _one_version(rows))
    tally = _pushed(server, rows, batch, parallel, Begun(state_file(server.address, manifest)), errors)
    if refused_file:
        _write_refused(refused_file, tally.refused)
    print(_summary(tally, time.monotonic() - start), flush=True)
    if tally.refused:
        _show_refused(tally.refused, refused_file)
    if batch and not keep_open:
        complete_batch(server, batch)
        print(f"batch {harmless(batch)} is complete: it is compared when all its runs are measured")
    return tally.exit_code


def _pushed(
    server: Server, rows: Sequence[Row | BadLine], batch: str, parallel: int, begun: Begun, errors: Console
) -> Tally:
    """Push with a bar on a terminal, and without one into a log."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[lines]}"),
    )
    progress = Progress(*columns, console=errors, disable=not errors.is_terminal)
    total = sum(row.size for row in rows if isinstance(row, Row))
    done: list[Outcome] = []
    task = progress.add_task("pushing", total=total, lines=f"0 of {len(rows)} lines")

    def on_line(outcome: Outcome) -> None:
        done.append(outcome)
        progress.update(task, lines=f"{len(done)} of {len(rows)} lines")

    watch = Watch(on_bytes=lambda count: progress.advance(task, count), on_line=on_line)
    with progress:
        try:
            tally = push(server, rows, begun=begun, batch=batch, parallel=parallel, watch=watch)
        except (ClientError, KeyboardInterrupt):
            errors.print(f"{len(done)} of {len(rows)} lines are done; pushing again goes on from here")
            raise
        progress.update(task, completed=total)  # what was refused is done as well
    return tally


def _one_version(rows: Sequence[Row | BadLine]) -> str:
    """Return the OS version that all lines are of; raises UsageError if there are several."""
    versions = sorted({row.cells.get("os_version", "") for row in rows if isinstance(row, Row)} - {""})
    if len(versions) == 1:
        return versions[0]
    found = f"the manifest has {len(versions)} OS versions" if versions else "no line names an OS version"
    raise UsageError(f"{found}: say with --batch-version which one the batch is about")


def _summary(tally: Tally, seconds: float) -> str:
    counts = tally.counts
    parts = [f"{counts[kind]} {kind}" for kind in (NEW, UPDATED, UNCHANGED, REFUSED)]
    lines = len(tally.outcomes)
    return f"{', '.join(parts)} of {lines} line{'' if lines == 1 else 's'} in {seconds:.0f} s"


def _show_refused(refused: Sequence[Outcome], file: Path | None) -> None:
    table = Table(*HEAD, box=None, header_style="bold", pad_edge=False)
    for line, field, problem in list(_cells(refused))[:SHOWN]:
        table.add_row(str(line), Text(harmless(field)), Text(harmless(problem)))
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = LOG_WIDTH
    console.print(table)
    if len(refused) > SHOWN:
        where = f"all of them are in {file}" if file else "--refused FILE writes them all"
        console.print(f"and more, {len(refused)} lines in all: {where}")


def _cells(refused: Sequence[Outcome]) -> Iterator[tuple[int, str, str]]:
    for outcome in refused:
        for fault in outcome.faults:
            yield outcome.line, fault.field, f"{fault.message}: {fault.cure}" if fault.cure else fault.message


def _write_refused(file: Path, refused: Sequence[Outcome]) -> None:
    try:
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(HEAD)
            writer.writerows((line, *map(_no_formula, words)) for line, *words in _cells(refused))
    except OSError as error:
        raise UsageError(f"--refused {file} cannot be written: {error.strerror}") from error


def _no_formula(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell
