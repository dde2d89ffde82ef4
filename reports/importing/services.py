"""Import a manifest: one screencast a line, a wrong line never stops the good ones, repeating changes nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from analysis.manifest.columns import COLUMNS, TO_IMPORT
from analysis.manifest.reader import Line, ManifestError, open_manifest
from analysis.manifest.rows import ManifestRow, Problem, parse_row
from analysis.verdicts.text import count_text
from reports.importing.catalogue import Catalogue
from reports.importing.files import Candidate, find_files
from reports.importing.log import logged
from reports.importing.plan import Plan, identity_of, make_plan
from reports.importing.summary import ImportSummary
from reports.importing.write import write_batch

BATCH_ROWS = 500
_SHOWN = 5
NEW, UPDATED, UNCHANGED, REFUSED = "new", "updated", "unchanged", "refused"
_RENAMED = 20  # apps and versions of which is said that they keep what is stored of them


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """What became of one line, or would: its run, if it has one, or why it is refused."""

    line: Line
    state: str
    run_id: int | None = None
    problems: tuple[Problem, ...] = ()


Find = Callable[[ManifestRow], Candidate | Problem]


def import_manifest(
    *,
    path: Path,
    find: Find | None = None,
    amend: Callable[[Line], Line] | None = None,
    dry_run: bool = False,
    queue: bool = True,
    on_line: Callable[[], None] = lambda: None,
    on_outcome: Callable[[LineOutcome], None] = lambda _: None,
    source: str = "",
    batch: str = "",
    batch_rows: int = 0,
    unless_nothing: bool = False,
) -> ImportSummary:
    """Import every line of a manifest that can be, and write that down in the import log.

    ``find`` gives the files that a row names, which lie beside the manifest otherwise. ``on_line`` is called after
    each line, ``on_outcome`` with what became of it, once the ``batch_rows`` lines (or 500) around it are stored.
    ``source`` is what it is called in the logs, if not as its file; ``unless_nothing`` leaves an import out of the
    import log that changes nothing.

    ``batch`` is that of the lines that name none. ``amend`` may fill cells of a line before it is read.

    Raises ManifestError if the file as a whole, or the name of the batch, cannot be read, StorageError if the
    storage refuses; the lines before are kept then, and repeating the import goes on from there.
    """
    importer = _Importer(
        find or partial(find_files, path.parent), source or path.name, dry_run, queue, read_batch(batch)
    )
    with (
        open_manifest(path, TO_IMPORT) as reader,
        logged(
            importer.total, source=source or path.name, columns=reader.columns, unless_nothing=unless_nothing
        ) as note,
    ):
        for lines in _batches(map(amend, reader) if amend else reader, batch_rows or BATCH_ROWS):
            for outcome in importer.take(lines, on_line):
                on_outcome(outcome)
            note()
        importer.finish()
    return importer.total


def read_batch(name: str) -> str:
    """Return the name of a batch as a manifest takes it, or nothing for none; raises ManifestError."""
    try:
        return COLUMNS["batch"].parse(name.strip())
    except ValueError as error:
        raise ManifestError(f"batch: {error}") from error


class _Importer:
    """Carries what must be remembered from batch to batch: identities, contents, the catalogue."""

    def __init__(self, find: Find, source: str, dry_run: bool, queue: bool, batch: str) -> None:
        self._find, self._source, self._batch = find, source, batch
        self._dry_run, self._queue = dry_run, queue
        self._catalogue = Catalogue()
        self._batches: set[str] = set()
        self._seen: dict[int, int] = {}  # hash of an identity → its line
        self._notes = Notes()
        self._healed = 0
        self.total = ImportSummary(dry_run)

    def take(self, lines: list[Line], on_line: Callable[[], None]) -> list[LineOutcome]:
        parsed = [self._parsed(line) for line in lines]
        self._look_at_batches(lines)
        self._catalogue.load([row for row, _ in parsed if row])
        candidates, refused = [], {}
        for line, (row, problems) in zip(lines, parsed, strict=True):
            candidate = self._candidate(row) if row else None
            if isinstance(candidate, Candidate):
                candidates.append(candidate)
            elif problems := [candidate] if isinstance(candidate, Problem) else problems:
                refused[line.number] = tuple(problems)
            on_line()
        plan = self._decide(candidates)
        refused |= {problem.line: (problem,) for problem in plan.problems}
        self._count(plan)
        for line in lines:
            if line.number in refused:
                self.total.refusals.add(line, refused[line.number])
        became = _became(plan)
        return [
            LineOutcome(line, *became.get(line.number, (REFUSED, None)), refused.get(line.number, ()))
            for line in lines
        ]

    def finish(self) -> None:
        """Tell what can only be told at the end."""
        self.total.notes = self._notes.texts()
        if self._healed:
            files = count_text(self._healed, "stored file")
            self.total.notes.append(f"{files} had been damaged, lost or dropped, and came back whole")

    def _look_at_batches(self, lines: list[Line]) -> None:
        """Keep the name of the one batch that all lines are of, as long as they are."""
        if len(self._batches) < 2:
            self._batches |= {line.cells.get("batch", "").strip() or self._batch for line in lines if line.cells}
        try:
            self.total.batch = read_batch(next(iter(self._batches))) if len(self._batches) == 1 else ""
        except ManifestError:  # the lines are refused for it
            self.total.batch = ""

    def _parsed(self, line: Line) -> tuple[ManifestRow | None, list[Problem]]:
        row, problems = parse_row(line, TO_IMPORT)
        return (replace(row, batch=row.batch or self._batch) if row else None), problems

    def _candidate(self, row: ManifestRow) -> Candidate | Problem:
        identity = hash(identity_of(row))
        first = self._seen.get(identity)
        if first is not None:
            message = (
                f"is the same recording as line {first}: give it another repetition or recorded_at, or drop it"
            )
            return Problem(row.line, "repetition", message)
        conflict = self._catalogue.conflict(row)
        found = conflict or self._find(row)
        if isinstance(found, Candidate):
            self._seen[identity] = row.line
            self._catalogue.add(row)
            self._notes.look_at(found, self._catalogue)
        return found

    def _decide(self, candidates: list[Candidate]) -> Plan:
        if self._dry_run:
            return make_plan(candidates, self._catalogue)
        return write_batch(candidates, self._catalogue, queue=self._queue, source=self._source)

    def _count(self, plan: Plan) -> None:
        self.total.new += len(plan.new)
        self.total.updated += len(plan.updated)
        self.total.unchanged += len(plan.unchanged)
        self._healed += plan.healed


def _became(plan: Plan) -> dict[int, tuple[str, int | None]]:
    """Return what a plan makes of each line that it takes, and the id of its run; a dry run makes none."""
    ids: Sequence[int | None] = [run.pk for run in plan.made] or [None] * len(plan.new)
    found: dict[int, tuple[str, int | None]] = {
        each.row.line: (NEW, pk) for each, pk in zip(plan.new, ids, strict=True)
    }
    found |= {each.row.line: (UPDATED, run.pk) for run, each in plan.updated}
    return found | {each.row.line: (UNCHANGED, run.pk) for run, each in plan.unchanged}


def _batches(reader: Iterable[Line], size: int) -> Iterator[list[Line]]:
    batch: list[Line] = []
    for line in reader:
        batch.append(line)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


class Notes:
    """Collects notes over the lines of a manifest; keeps 40 bytes a line."""

    def __init__(self) -> None:
        self._first_line: dict[bytes, int] = {}
        self._pairs: list[tuple[int, int]] = []
        self._identical = 0
        self._unmarked = 0
        self._renamed: dict[str, str] = {}
        self._told: dict[tuple[str, str], str] = {}

    def look_at(self, candidate: Candidate, catalogue: Catalogue) -> None:
        """Compare a row with what came before it."""
        row = candidate.row
        self._unmarked += not row.given & {"action_ms", "action_from"}
        stored = catalogue.app_names[row.package]
        if stored != row.app:
            self._renamed.setdefault(
                row.package, f"app {row.package} keeps its stored name {stored!r}, not {row.app!r}"
            )
        for name, stored in catalogue.told[row.os_version].items():
            if name in row.given and stored != getattr(row, name):
                kept = f"keeps its stored {name} {str(stored or '')!r}, not {str(getattr(row, name))!r}"
                self._told.setdefault((row.os_version, name), f"version {row.os_version} {kept}")
        first = self._first_line.setdefault(bytes.fromhex(candidate.video.print.sha256), row.line)
        if first != row.line:
            self._identical += 1
            if len(self._pairs) < _SHOWN:
                self._pairs.append((first, row.line))

    def texts(self) -> list[str]:
        """Return the notes, ready to be read."""
        notes = list(self._renamed.values())[:_RENAMED]
        if len(self._renamed) > _RENAMED:
            notes.append(f"{len(self._renamed) - _RENAMED:,} more apps keep their stored names")
        notes += list(self._told.values())[:_RENAMED]
        if self._unmarked:
            give = "recording gives" if self._unmarked == 1 else "recordings give"
            notes.append(
                f"{self._unmarked:,} {give} no action: where none is stored yet it is looked for in the recording, "
                "and a person confirms it (Actions to confirm, on the page Runs)"
            )
        if self._identical:
            pairs = ", ".join(f"{line} like {first}" for first, line in self._pairs)
            more = " …" if self._identical > len(self._pairs) else ""
            notes.append(
                f"identical screencasts, {self._identical} in all: lines {pairs}{more}: "
                "a recorder on a fixed grid makes them; check that no file was copied twice"
            )
        return notes
