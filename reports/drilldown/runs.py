"""The runs of one interaction on both sides of a comparison: which is shown first, which are listed and drawn.

There may be thousands of them. Of every run only its :class:`Entry` is loaded; pictures, lists and charts get a
bounded number of runs with all that pages tell of them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Prefetch

from analysis.verdicts.sentences import metric_label
from reports.charts.dotstrip import MOST_DOTS, evenly
from reports.media.files import Film, film_of, with_file_state
from reports.models import Correction, Device, Interaction, Measurement, OsVersion, Result, Run, RunStatus

CENSORED = {
    "no_response": "nothing changed after the action",
    "never_settles": "the screen never came to rest",
}
LABELS = {"base": "Baseline", "new": "Updated"}
WORDS = {"censored": "no answer", "left_out": "left out", "waiting": "in the queue"}
MOST_RUNS = (
    MOST_DOTS  # of a side that are listed and drawn one by one: more is a page of megabytes that nobody reads
)
MOST_ALIKE = 10  # of each kind in a shortened list


class Entry(NamedTuple):
    """What is loaded of every run, however many there are."""

    id: int
    number: int
    version_id: int
    device_id: int
    recorded: datetime | None
    excluded: bool
    status: str
    outcome: str

    @property
    def recorded_at(self) -> float:
        """When it was recorded, in seconds; 0 where nobody said."""
        return self.recorded.timestamp() if self.recorded else 0.0

    def state(self, used: Collection[int]) -> str:
        """Return used, censored, excluded, left_out, failed or waiting; ``used``: the runs behind the results."""
        if self.excluded:
            return "excluded"
        if self.status == RunStatus.FAILED:
            return "failed"
        if self.status != RunStatus.DONE:
            return "waiting"
        if self.outcome in CENSORED:
            return "censored"
        return "left_out" if used and self.id not in used else "used"


@dataclass(frozen=True)
class RunRow:
    """One run as the page lists it; ``state`` is that of its entry."""

    run: Run
    state: str
    reason: str
    values: Mapping[str, float]
    corrected: bool

    @property
    def id(self) -> int:
        """The run's primary key."""
        return self.run.pk

    @property
    def state_words(self) -> str:
        """The state as a person reads it."""
        return WORDS.get(self.state, self.state)

    @property
    def film(self) -> Film:
        """What became of the screencast."""
        return film_of(self.run)

    @property
    def number(self) -> int:
        """The repetition, as the manifest numbers it."""
        return self.run.repetition


@dataclass(frozen=True)
class RunGroup:
    """Runs that are listed under one title; ``total`` counts those of its kind, also those that are not listed."""

    title: str
    rows: tuple[RunRow, ...]
    total: int


@dataclass(frozen=True)
class Drawn:
    """A run in the charts of the order of recording, with its values by metric."""

    id: int
    number: int
    recorded_at: float
    used: bool
    values: Mapping[str, float]


@dataclass(frozen=True)
class Side:
    """One of the two versions: the numbers of all its runs by id, in order, and the chosen one (None: no run).

    ``groups`` are the runs that are listed, ``drawn`` those in the charts of the order of recording: all of them up
    to MOST_RUNS, else those that tell the most.
    """

    key: str
    version: OsVersion
    numbers: Mapping[int, int]
    chosen: RunRow | None
    groups: tuple[RunGroup, ...]
    drawn: tuple[Drawn, ...]

    @property
    def label(self) -> str:
        """How pages call this side."""
        return LABELS[self.key]

    @property
    def ids(self) -> tuple[int, ...]:
        """All runs in order of repetition."""
        return tuple(self.numbers)

    @property
    def shortened(self) -> bool:
        """Whether there are more runs than are listed."""
        return len(self.numbers) > MOST_RUNS

    @property
    def listed(self) -> int:
        """How many runs are listed."""
        return sum(len(group.rows) for group in self.groups)


def load_entries(interaction: Interaction, version_ids: Iterable[int]) -> list[Entry]:
    """Return all runs of the interaction on these versions in order of repetition: one query."""
    fields = ("id", "repetition", "os_version_id", "device_id", "recorded_at", "excluded", "status", "outcome")
    rows = Run.objects.filter(interaction=interaction, os_version__in=list(version_ids))
    return [Entry(*row) for row in rows.order_by("repetition", "id").values_list(*fields)]


def load_devices(entries: Iterable[Entry]) -> dict[int, Device]:
    """Return the devices of these runs by id, in the runs' order: one query."""
    ids = list(dict.fromkeys(entry.device_id for entry in entries))
    found = Device.objects.in_bulk(ids)
    return {id_: found[id_] for id_ in ids}


@dataclass(frozen=True)
class _Plan:
    """Which runs of a side are shown how, by id, before any is loaded in full."""

    key: str
    version: OsVersion
    entries: Sequence[Entry]
    used: Collection[int]
    chosen: int | None
    groups: tuple[tuple[str, tuple[int, ...], int], ...]
    drawn: tuple[int, ...]


def build_sides(
    versions: tuple[OsVersion, OsVersion],
    entries: Sequence[Entry],
    results: Sequence[Result],
    wanted: tuple[int | None, int | None],
) -> tuple[Side, Side]:
    """Describe baseline and updated; ``wanted`` are the runs asked for, else those nearest the medians are chosen.

    Three queries, whatever the number of runs.
    """
    base, new = (
        _plan(key, version, [entry for entry in entries if entry.version_id == version.pk], results, asked)
        for key, version, asked in zip(LABELS, versions, wanted, strict=True)
    )
    plans = (base, new)
    listed = {id_ for plan in plans for _, ids, _ in plan.groups for id_ in ids}
    values = _values(listed.union(*(plan.drawn for plan in plans)))
    runs = {run.pk: run for run in _runs(listed)}
    return _side(base, runs, values), _side(new, runs, values)


def _plan(
    key: str, version: OsVersion, entries: list[Entry], results: Sequence[Result], wanted: int | None
) -> _Plan:
    used = {run_id for result in results for run_id, _ in result.points.get(key, [])}
    known = {entry.id for entry in entries}
    asked = (wanted, typical_run(key, results))
    chosen = next((id_ for id_ in asked if id_ in known), None) or _first(entries, used)
    return _Plan(
        key=key,
        version=version,
        entries=entries,
        used=used,
        chosen=chosen,
        groups=tuple(_groups(key, entries, results, used, chosen)),
        drawn=tuple(_drawn(key, entries, results, chosen)),
    )


def typical_run(key: str, results: Iterable[Result]) -> int | None:
    """Return the id of the run nearest its side's median on the worst metric (the first result that has one)."""
    for result in results:
        nearest = _nearest(key, result)
        if nearest:
            return nearest[0]
    return None


def _nearest(key: str, result: Result) -> list[int]:
    """Return the runs of a side, those nearest its median first; none where there is no median."""
    median = result.median_base if key == "base" else result.median_new
    if median is None:
        return []
    points = sorted(result.points.get(key) or [], key=lambda point: (abs(point[1] - median), point[0]))
    return [run_id for run_id, _ in points]


def _worst(key: str, result: Result) -> list[int]:
    """Return the runs of a side, those with the largest value first."""
    return [id_ for id_, _ in sorted(result.points.get(key) or [], key=lambda point: (-point[1], point[0]))]


def _first(entries: list[Entry], used: Collection[int]) -> int | None:
    order = {"used": 0, "left_out": 1, "censored": 2, "excluded": 3, "failed": 4, "waiting": 5}
    found = min(entries, key=lambda entry: order[entry.state(used)], default=None)
    return found.id if found else None


def _groups(
    key: str, entries: list[Entry], results: Sequence[Result], used: Collection[int], chosen: int | None
) -> Iterator[tuple[str, tuple[int, ...], int]]:
    """Yield title, runs and how many there are of their kind; a run is listed once."""
    if len(entries) <= MOST_RUNS:
        if entries:
            yield "", tuple(entry.id for entry in entries), len(entries)
        return
    known = {entry.id for entry in entries}
    lead = next((result for result in results if _nearest(key, result)), None)
    apart = [entry.id for entry in entries if entry.state(used) != "used"]
    kinds = [("Shown now", [chosen] if chosen else [], 1)]
    if lead:
        kinds += [
            ("Nearest the median", _nearest(key, lead), len(lead.points[key])),
            (f"Largest {metric_label(lead.metric).lower()}", _worst(key, lead), len(lead.points[key])),
        ]
    else:
        kinds.append(("First repetitions", [entry.id for entry in entries], len(entries)))
    kinds.append(("Not in the numbers", apart, len(apart)))
    taken: set[int] = set()
    for title, ids, total in kinds:
        rows = [id_ for id_ in ids if id_ in known and id_ not in taken][:MOST_ALIKE]
        taken.update(rows)
        if rows:
            yield title, tuple(rows), total


def _drawn(key: str, entries: list[Entry], results: Sequence[Result], chosen: int | None) -> list[int]:
    """Return the runs for the charts: evenly over the time of recording, with the ends of each metric."""
    if len(entries) <= MOST_RUNS:
        return [entry.id for entry in entries]
    in_time = sorted(entries, key=lambda entry: (entry.recorded_at, entry.id))
    kept = {in_time[place].id for place in evenly(len(in_time), MOST_RUNS)}
    for result in results:
        worst = _worst(key, result)
        kept.update(worst[:1] + worst[-1:])
    kept.update([chosen] if chosen else [])
    return [entry.id for entry in in_time if entry.id in kept]


def _runs(ids: Iterable[int]) -> list[Run]:
    in_force = Prefetch("corrections", Correction.objects.filter(withdrawn_at=None))
    runs = with_file_state(Run.objects.filter(pk__in=list(ids)))
    return list(runs.select_related("device").prefetch_related(in_force))


def _values(ids: Iterable[int]) -> dict[int, dict[str, float]]:
    found: dict[int, dict[str, float]] = {}
    rows = Measurement.objects.filter(run__in=list(ids)).values_list("run_id", "metric", "value")
    for run_id, metric, value in rows:
        found.setdefault(run_id, {})[metric] = value
    return found


def _side(plan: _Plan, runs: Mapping[int, Run], values: Mapping[int, Mapping[str, float]]) -> Side:
    entries = {entry.id: entry for entry in plan.entries}

    def row(id_: int) -> RunRow:
        run, state = runs[id_], entries[id_].state(plan.used)
        return RunRow(run, state, _reason(run, state), values.get(id_, {}), bool(run.corrections.all()))

    def dot(id_: int) -> Drawn:
        entry = entries[id_]
        used = entry.state(plan.used) == "used"
        return Drawn(id_, entry.number, entry.recorded_at, used, values.get(id_, {}))

    groups = tuple(RunGroup(title, tuple(row(id_) for id_ in ids), total) for title, ids, total in plan.groups)
    listed = {found.id: found for group in groups for found in group.rows}
    return Side(
        key=plan.key,
        version=plan.version,
        numbers={entry.id: entry.number for entry in plan.entries},
        chosen=listed[plan.chosen] if plan.chosen else None,
        groups=groups,
        drawn=tuple(dot(id_) for id_ in plan.drawn if id_ in entries),
    )


def _reason(run: Run, state: str) -> str:
    return {
        "excluded": run.excluded_reason,
        "failed": run.error,
        "waiting": "not measured yet",
        "censored": CENSORED.get(run.outcome, ""),
        "left_out": "differs in device, capture or app version from the runs compared, or is doubtful and left out",
    }.get(state, "")
