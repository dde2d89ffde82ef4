"""Compute the levels of a version and its steps, and keep what lists are sorted by. All of it may be repeated.

A version is computed from its own runs and those of the versions before it in its line. What comes after it is
told: the steps that begin at it are computed again with it.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from django.db import connection, transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from analysis.history.deviations import DOWN, UP, deviations
from analysis.history.levels import LEVELS, levels
from analysis.policy.policy import Policy
from analysis.verdicts.risk import app_risk, interaction_summary
from analysis.verdicts.strata import CELL, PREFERRED_CAPTURE, STRATUM, choose_strata
from reports.comparing.inputs import (
    PairIds,
    applying,
    counted,
    interaction_facts,
    run_groups,
    runs_alike,
    samples_of,
)
from reports.history.courses import courses_of, of_interactions, store_courses
from reports.history.line import bases, behind, line_of
from reports.models import AppLevel, Course, HistoryStatus, Level, Measurement, OsVersion, Run, VersionHistory
from reports.policies.selectors import current_policy
from reports.queue.leases import TAKEN, Lease
from reports.queue.services import queue_histories

LEVEL = [*CELL, "metric"]
STEP = ("mark", "delta", "moved_low", "moved_high", "gap", "threshold", "times", "felt", "verdict", "severity")
_NO_STEP: dict[str, Any] = {**dict.fromkeys(STEP), "mark": "", "verdict": "", "severity": "", "felt": False}
_COLUMNS = {"interaction": "interaction_id", "device": "device_id", "metric": "metric"}
_KEYS = ("app", "interaction_type", *LEVEL)
_BATCH = 500


def queue_what_is_behind() -> int:
    """Queue the versions whose history is out of date; return how many."""
    late = behind()
    VersionHistory.objects.bulk_create(
        [VersionHistory(version_id=row.version_id) for row in late], ignore_conflicts=True
    )
    queue_histories(version_ids=[row.version_id for row in late])
    return len(late)


def compute_history(*, version_id: int) -> str:
    """Compute one version's levels and steps, and the steps of later versions that begin at it; say how it ended.

    Runs that change from the claim on make it stale again.
    """
    row, _ = VersionHistory.objects.get_or_create(version_id=version_id)
    if row.status == HistoryStatus.DONE and not row.stale and row.basis == bases().get(version_id, ""):
        return "up to date"
    lease = Lease.take(VersionHistory, version_id, free=~Q(status=HistoryStatus.RUNNING), stale=False)
    if lease is None:
        return TAKEN
    version = OsVersion.objects.get(pk=version_id)
    try:
        told = _compute(version, lease)
    except BaseException:
        lease.end(status=HistoryStatus.PENDING, stale=True)
        raise
    if VersionHistory.objects.filter(pk=version_id, stale=True).exists():  # whoever changed it found it claimed
        queue_histories(version_ids=[version_id], later=True)
    return told


def _compute(version: OsVersion, lease: Lease) -> str:
    """Compute first, then write: nobody waits for a transaction that thinks."""
    policy, basis = current_policy(), bases().get(version.pk, "")
    found = levels(counted(_samples_on(version), policy), (*LEVEL, *STRATUM))
    touched = pd.concat([_cells_on(version), found[CELL]]).drop_duplicates(ignore_index=True)
    if not _write_levels(version, found, touched, policy, lease):
        return TAKEN
    told = _tell_courses(version, touched["interaction"].unique().tolist(), policy, lease)
    if told:
        lease.end(status=HistoryStatus.DONE, basis=basis, computed_at=timezone.now())
    return f"{len(found)} levels" if told else TAKEN


def _write_levels(
    version: OsVersion, found: pd.DataFrame, touched: pd.DataFrame, policy: Policy, lease: Lease
) -> bool:
    """Write the levels of a version and the steps around it; False, and nothing is written, if the claim is lost.

    A step begins at the nearest version with a level: where another worker wrote some of this line meanwhile, that
    may be a nearer one, and the steps are computed again.
    """
    while True:
        seen = _levels_written({version.channel})
        steps = list(_steps_around(version, found[CELL].drop_duplicates(), touched, policy))
        with transaction.atomic():
            now = _levels_written({version.channel}, lock=True)  # all in one order, its own row among them
            if not lease.held():
                return False
            if now == seen:
                _store_levels(version, found)
                for step in steps:
                    _write_steps(step)
                _count_apps({version.pk, *(step.version_id for step in steps)}, policy)
                lease.note(levels_at=timezone.now())
                return True


def _tell_courses(version: OsVersion, interactions: list[int], policy: Policy, lease: Lease) -> bool:
    """Tell anew what became of these interactions; False, and nothing is written, if the claim is lost.

    Told from the levels of a whole line: where another worker wrote some meanwhile, all is read again.
    """
    others = Course.objects.filter(**of_interactions(interactions)).order_by().values_list("channel", flat=True)
    channels = {version.channel, *others.distinct()}
    while True:
        seen = _levels_written(channels)
        courses = courses_of(channels, interactions, policy)
        with transaction.atomic():
            now = _levels_written(channels, lock=True)  # all in one order, its own row among them
            if not lease.held():
                return False
            if now == seen:
                store_courses(courses, interactions)
                return True


def _levels_written(channels: Iterable[str], *, lock: bool = False) -> list[tuple[Any, ...]]:
    """Return when the levels of each version of these lines were written; ``lock`` keeps them so."""
    rows = VersionHistory.objects.filter(version__channel__in=channels).order_by("pk")
    if lock:
        rows = rows.select_for_update(of=("self",))
    return list(rows.values_list("pk", "levels_at"))


def _samples_on(version: OsVersion) -> pd.DataFrame:
    """Return the values of one version, one row per run and metric.

    The columns are run, CELL, STRATUM, app, metric, value, confidence. Runs of one app version and capture for each
    interaction and device: most runs, vfr among equals, then the later app version by name. As a comparison
    chooses, but of one side alone.
    """
    names = (*CELL, *STRATUM)
    found = Measurement.objects.filter(run__in=Run.objects.usable().filter(os_version=version)).order_by()
    fields = ("metric", "value", "confidence")
    rows = found.values_list("run_id", *fields, *(f"run__{name}" for name in names))
    table = pd.DataFrame.from_records(list(rows), columns=["run", *fields, *names])
    table = table.merge(interaction_facts()[["interaction", "app", "interaction_type"]], on="interaction")
    return _one_stratum(applying(table))


def _one_stratum(samples: pd.DataFrame) -> pd.DataFrame:
    best: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for (*cell, app_version, capture), runs in Counter(_strata(samples.drop_duplicates("run"))).items():
        rank = (runs, capture == PREFERRED_CAPTURE, app_version, capture)
        best[tuple(cell)] = max(best.get(tuple(cell), rank), rank)
    chosen = {(*cell, *rank[-2:]) for cell, rank in best.items()}
    return samples[np.array([stratum in chosen for stratum in _strata(samples)], dtype=bool)]


def _strata(samples: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    return zip(*(samples[name].tolist() for name in (*CELL, *STRATUM)), strict=True)


def _cells_on(version: OsVersion) -> pd.DataFrame:
    """Return the interactions and devices that have a level on a version: CELL; one query."""
    rows = Level.objects.filter(version=version).order_by().values_list(*CELL).distinct()
    return pd.DataFrame.from_records(list(rows), columns=CELL)


def _store_levels(version: OsVersion, found: pd.DataFrame) -> None:
    """Write the levels of a version, without steps, and delete those that it has no longer."""
    names = (*STRATUM, *LEVELS)
    rows = [
        Level(
            version=version,
            interaction_id=row["interaction"],
            device_id=row["device"],
            metric=row["metric"],
            **{name: _known(row[name]) for name in names},
        )
        for row in found.to_dict("records")
    ]
    kept = {(row.interaction_id, row.device_id, row.metric) for row in rows}
    known = Level.objects.filter(version=version).values_list("pk", "interaction", "device", "metric")
    Level.objects.filter(pk__in=[pk for pk, *key in known if tuple(key) not in kept]).delete()
    Level.objects.bulk_create(
        rows,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=["interaction", "device", "metric", "version"],
        update_fields=[*names, "before", *STEP],
    )


@dataclass(frozen=True)
class _Steps:
    """Steps to a version from one before it. ``before_id`` is None for ``rows`` that have none before them."""

    version_id: int
    before_id: int | None
    rows: pd.DataFrame


def _steps_around(
    version: OsVersion, here: pd.DataFrame, touched: pd.DataFrame, policy: Policy
) -> Iterator[_Steps]:
    """Yield the steps that end at a version, whose cells are ``here``, and those that begin at it or did."""
    line = line_of(version)
    place = line.index(version)

    def cells(row: OsVersion) -> pd.DataFrame:
        return here if row == version else _cells_on(row)

    yield from _steps_to(version, line[:place], here, cells, policy)
    rest = touched
    for number, later in enumerate(line[place + 1 :], start=place + 1):
        if rest.empty:
            break
        following = _within(rest, _cells_on(later))
        if len(following):
            yield from _steps_to(later, line[:number], following, cells, policy)
        rest = _without(rest, following)


def _steps_to(
    version: OsVersion,
    earlier: Sequence[OsVersion],
    wanted: pd.DataFrame,
    cells: Callable[[OsVersion], pd.DataFrame],
    policy: Policy,
) -> Iterator[_Steps]:
    """Yield the steps to a version, of each wanted cell from the nearest earlier version that has it alike."""
    rest = wanted
    for before in reversed(earlier):
        if rest.empty:
            break
        shared = _within(rest, cells(before))
        if len(shared):
            found = _steps_between(PairIds(before.pk, version.pk), shared, policy)
            yield _Steps(version.pk, before.pk, found)
            rest = _without(rest, found)
    if len(rest):
        yield _Steps(version.pk, None, rest)


def _without(cells: pd.DataFrame, taken: pd.DataFrame) -> pd.DataFrame:
    gone = set(_pairs(taken))
    return cells.loc[np.array([pair not in gone for pair in _pairs(cells)], dtype=bool), CELL]


def _within(cells: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    there = set(_pairs(others))
    return cells.loc[np.array([pair in there for pair in _pairs(cells)], dtype=bool), CELL]


def _pairs(cells: pd.DataFrame) -> Iterator[tuple[int, int]]:
    return zip(cells["interaction"].tolist(), cells["device"].tolist(), strict=True)


def _steps_between(pair: PairIds, cells: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """Return the deviations of these cells, on the runs that a comparison of the pair would take."""
    strata = choose_strata(run_groups(pair)).merge(cells, on=CELL).merge(interaction_facts(), on="interaction")
    samples = counted(samples_of(pair, runs_alike(pair, strata)), policy)
    rows = deviations(samples, policy, keys=_KEYS)
    both = rows[(rows["n_base"] > 0) & (rows["n_new"] > 0)]
    return both.assign(times=both["times_threshold"].where(both["delta"] >= 0, -both["times_threshold"]))


def _write_steps(steps: _Steps) -> None:
    names = CELL if steps.before_id is None else LEVEL  # all metrics of a cell lose their step together
    values = ", ".join(f"{name} = %s" for name in ("before_id", *STEP))
    where = " AND ".join(f"{_COLUMNS[name]} = %s" for name in names)
    rows = [
        (steps.before_id, *_step_values(row), *(row[name] for name in names), steps.version_id)
        for row in steps.rows.to_dict("records")
    ]
    with connection.cursor() as cursor:  # one prepared statement; a CASE over thousands of rows takes seconds
        cursor.executemany(f"UPDATE {Level._meta.db_table} SET {values} WHERE {where} AND version_id = %s", rows)


def _step_values(row: dict[Any, Any]) -> list[Any]:
    """Return the fields of a step, those of no step for a row that is a cell alone."""
    found = {**_NO_STEP, **{name: _known(row[name]) for name in STEP if name in row}}
    return [found[name] or "" if name == "severity" else found[name] for name in STEP]


def _count_apps(version_ids: Iterable[int], policy: Policy) -> None:
    """Count for each app what moved on these versions, and say its risk."""
    ids = list(version_ids)
    stepped = Level.objects.filter(version__in=ids).exclude(mark="").order_by()
    worse, better = Q(mark=UP, felt=True), Q(mark=DOWN, felt=True)
    counts = {
        "interactions": Count("interaction", distinct=True),
        "worse": Count("interaction", distinct=True, filter=worse),
        "better": Count("interaction", distinct=True, filter=better),
        "worst": Max("times", filter=worse, default=0.0),
    }
    risks = _risks(stepped, policy)
    made = [
        AppLevel(version_id=version, app_id=app, risk=risks[version, app], **dict(zip(counts, row, strict=True)))
        for version, app, *row in stepped.values_list("version", "interaction__app").annotate(**counts)
    ]
    AppLevel.objects.filter(version__in=ids).delete()
    AppLevel.objects.bulk_create(made, batch_size=_BATCH)


def _risks(stepped: QuerySet[Level], policy: Policy) -> dict[tuple[int, int], float | None]:
    """Return the risk of each version and app, as a ranking has it, from the steps of that version; one query."""
    columns = ["version", "app", "interaction", "verdict", "severity", "times_threshold"]
    rows = stepped.values_list("version", "interaction__app", "interaction", "verdict", "severity", "times")
    table = pd.DataFrame.from_records(list(rows), columns=columns)
    table["times_threshold"] = table["times_threshold"].astype(float).abs()
    found: dict[tuple[int, int], float | None] = {}
    for version in table["version"].unique().tolist():
        apps = app_risk(interaction_summary(table[table["version"] == version]), policy)
        found |= {(version, app): _known(risk) for app, risk in zip(apps["app"], apps["risk"], strict=True)}
    return found


def _known(value: Any) -> Any:
    return None if value is pd.NA or (isinstance(value, float) and math.isnan(value)) else value
