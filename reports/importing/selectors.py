"""What the pages show of what was sent and is not imported yet."""

from collections import Counter
from dataclasses import dataclass
from itertools import islice

from reports.importing.services import NEW, REFUSED, UNCHANGED, UPDATED, LineOutcome
from reports.importing.staged import ASKED, LABELS, LONGEST, Look, interaction_of, path_reader
from reports.models import App, Batch, Device, Interaction, OsVersion, StagedFile, StagedImport, StagedKind

STATES = {NEW: "new", UPDATED: "updates a run", UNCHANGED: "unchanged", REFUSED: "refused"}
_OFFERED = 200  # names that a field offers
_MOST_UNTYPED = 24  # interactions whose type is asked for at once


@dataclass(frozen=True)
class Asked:
    """A field of the form: its column, label, how much it takes, and the list of names that it offers."""

    name: str
    label: str
    longest: int
    offers: str = ""


@dataclass(frozen=True)
class Cell:
    """One field of one file; ``stands`` is what stands for an empty one."""

    asked: Asked
    value: str
    stands: str = ""


@dataclass(frozen=True)
class FileLine:
    """A recording without a manifest: what is said of it, and what would become of it."""

    file: StagedFile
    number: int
    cells: list[Cell]
    outcome: LineOutcome | None

    @property
    def state(self) -> str:
        """What would become of it, in words."""
        return STATES[self.outcome.state] if self.outcome else ""

    @property
    def problems(self) -> list[tuple[str, str]]:
        """What is missing or wrong, by the label of its field."""
        found = self.outcome.problems if self.outcome else ()
        return [(LABELS.get(problem.field, problem.field), problem.message) for problem in found]


@dataclass(frozen=True)
class Untyped:
    """An interaction without a type: one of its recordings by its id, its names, how many recordings lack it."""

    file_id: int
    app: str
    interaction: str
    recordings: int


@dataclass(frozen=True)
class Line:
    """A line of a manifest and what would become of it, in words.

    ``picture`` is the recording on which its action can be set, as the manifest does not say it.
    """

    outcome: LineOutcome
    picture: int | None = None

    @property
    def state(self) -> str:
        """What would become of it, in words."""
        return STATES[self.outcome.state]


@dataclass(frozen=True)
class Lines:
    """The lines of a manifest that are shown, and how many there are of each state."""

    shown: list[Line]
    show: str
    counts: list[tuple[str, str, int]]


def asked_of() -> list[Asked]:
    """Return the fields of the form, in their order."""
    return [Asked(name, LABELS[name], LONGEST[name], _OFFERS.get(name, "")) for name in ASKED]


_OFFERS = {"os_version": "versions", "app": "apps", "interaction": "interactions", "device": "devices"}


def names_known() -> dict[str, list[str]]:
    """Return the names that the fields offer, by list; four queries."""
    return {
        "versions": list(OsVersion.objects.order_by("-sort_key").values_list("name", flat=True)[:_OFFERED]),
        "apps": list(App.objects.order_by("name").values_list("name", flat=True)[:_OFFERED]),
        "interactions": list(
            Interaction.objects.order_by("name").values_list("name", flat=True).distinct()[:_OFFERED]
        ),
        "devices": list(Device.objects.order_by("name").values_list("name", flat=True).distinct()[:_OFFERED]),
    }


def open_batch_names() -> list[str]:
    """Return the names of the batches that take more runs, the newest first; one query."""
    return list(Batch.objects.filter(completed_at=None).values_list("name", flat=True)[:_OFFERED])


def load_files(staged: StagedImport, look: Look) -> list[FileLine]:
    """Return the recordings in the order of the lines that stand for them; one query."""
    files = staged.files.filter(kind=StagedKind.VIDEO)
    by_path = {outcome.line.cells.get("video", ""): outcome for outcome in look.outcomes}
    return [_file_line(file, number, by_path.get(file.path)) for number, file in enumerate(files, 2)]


def _file_line(file: StagedFile, number: int, outcome: LineOutcome | None) -> FileLine:
    read = outcome.line.cells if outcome else {}
    cells = [
        Cell(each, file.cells.get(each.name, ""), read.get(each.name, "") if each.name == "repetition" else "")
        for each in asked_of()
    ]
    return FileLine(file, number, cells, outcome)


def without_type(lines: list[FileLine]) -> list[Untyped]:
    """Return the first interactions that lack their type, in the order of their recordings."""
    found: dict[tuple[str, str], list[int]] = {}
    for line in lines:
        if line.file.cells.get("interaction") and not line.file.cells.get("interaction_type"):
            found.setdefault(interaction_of(line.file), []).append(line.file.pk)
    return [Untyped(ids[0], *names, len(ids)) for names, ids in islice(found.items(), _MOST_UNTYPED)]


def load_lines(staged: StagedImport, outcomes: list[LineOutcome], show: str) -> Lines:
    """Return the lines of one state, or all; two queries."""
    read = path_reader(staged)
    rows = staged.files.filter(kind=StagedKind.VIDEO).values_list("pk", "path", "cells")
    films: dict[str, tuple[int, str]] = {path: (pk, cells.get("action_ms", "")) for pk, path, cells in rows}

    def picture(outcome: LineOutcome) -> int | None:
        film, told = films.get(read(outcome.line.cells.get("video", ""))), outcome.line.cells.get("action_ms", "")
        return film[0] if film and told in ("", film[1]) else None

    counted = Counter(outcome.state for outcome in outcomes)
    wanted = show if show in STATES else ""
    shown = [Line(outcome, picture(outcome)) for outcome in outcomes if wanted in ("", outcome.state)]
    return Lines(
        shown, wanted, [(state, words, counted[state]) for state, words in STATES.items() if counted[state]]
    )
