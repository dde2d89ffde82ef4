"""Bisections: start one, leave a version out, keep where it stands, end it. All that stands follows from runs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from analysis.history.bisection import FOUND, RANGE
from reports.audit.origin import current_origin
from reports.audit.services import record
from reports.bisecting.blame import blame
from reports.bisecting.faults import (
    LISTED,
    BisectionError,
    ComputingError,
    line_between,
    listed,
    refuse_finished,
)
from reports.bisecting.looking import Seen, basis_of, look, metrics_of, worst_metric
from reports.bisecting.reports import report_on
from reports.comparing.services import WrongVersionsError, find_version
from reports.models import Action, App, Bisection, Device, Interaction, OsVersion
from reports.policies.selectors import policy_number
from reports.queue.services import queue_bisections

WHO_LENGTH: int = Bisection._meta.get_field("started_as").max_length or 0
SUBJECT = ("good", "bad", "interaction__app", "device")
MOST_BUILDS = 1_000  # named at once


@dataclass(frozen=True)
class Search:
    """What to look for, as it was typed; ``builds`` are not known yet.

    A build is ``NAME``, or ``NAME=PLACE`` where its name does not tell its place among the versions.
    """

    good: str
    bad: str
    app: str
    interaction: str
    metric: str = ""
    device: Device | None = None
    builds: Sequence[str] = ()


@transaction.atomic
def start_bisection(search: Search) -> tuple[Bisection, bool]:
    """Start a bisection, or return the one that searches for the same; and whether it is new.

    Where it stands is computed in the queue. Without a metric it is the one that got worst, which takes statistics:
    requests name one.

    Raises
    ------
    BisectionError
        Something of the search is not known, or is no line; or nothing lies between the two.

    """
    good, bad = _version("good", search.good), _version("bad", search.bad)
    of = _interaction(search)
    line_between(good, bad)  # before builds are added to it
    if len(search.builds) > MOST_BUILDS:
        raise BisectionError("builds", f"name {MOST_BUILDS:,} at most; bisect again between two of them")
    for build in search.builds:
        _add_build(build, good, bad)
    line = line_between(good, bad, begins=True)
    device = search.device or _device(of, good, bad)
    if search.metric and search.metric not in metrics_of(of):
        words = f"{of} has no {search.metric!r}; name one of: {listed(metrics_of(of))}"
        raise BisectionError("metric", words)
    metric = search.metric or worst_metric(of, device, good, bad)
    same = {"good": good, "bad": bad, "interaction": of, "device": device, "metric": metric}
    if running := _running(same):
        return running, False
    origin = current_origin()
    try:
        with transaction.atomic():  # of two that start at once one comes second: the constraint tells
            row = Bisection.objects.create(
                **same,
                started_by_id=origin.user_id,
                started_as=origin.asker[:WHO_LENGTH],
                began_with=[version.name for version in line],
                policy_number=policy_number(),
            )
    except IntegrityError:
        if running := _running(same):
            return running, False
        raise
    record(Action.ADDED, of=row)
    queue_bisections(ids=[row.pk])
    return row, True


def _running(same: dict[str, object]) -> Bisection | None:
    return Bisection.objects.select_related(*SUBJECT).filter(finished_at=None, **same).first()


@transaction.atomic
def start_and_look(search: Search) -> tuple[Seen, bool]:
    """Do the same and look at once; raises BisectionError as well where the good version is as bad."""
    row, made = start_bisection(search)
    seen = look(row)
    if seen.refusal:
        raise BisectionError("good", seen.refusal)
    return seen, made


def find_bisection(number: int | None) -> Bisection:
    """Return the bisection of this number; without one, the only one under way."""
    rows = Bisection.objects.select_related(*SUBJECT)
    if number is not None:
        row = rows.filter(pk=number).first()
        if row is None:
            known = _numbers(rows[: LISTED + 1])
            words = f"there is no bisection {number}; known are: {known}"
            raise BisectionError("id", words)
        return row
    running = list(rows.filter(finished_at=None)[: LISTED + 1])
    if len(running) == 1:
        return running[0]
    if not running:
        raise BisectionError("id", "no bisection is under way; start one, or name the number of a finished one")
    raise BisectionError("id", f"several are under way; name one of them: {_numbers(running)}")


@transaction.atomic
def skip_build(row: Bisection, *, version: str, reason: str = "") -> bool:
    """Leave a build out that cannot be tested; False if it is left out already."""
    refuse_finished(_locked(row))
    build = _version("version", version)
    if build in (row.good, row.bad):
        raise BisectionError("version", f"{build} is an end of the bisection; finish it and start one with another")
    if build not in line_between(row.good, row.bad):
        raise BisectionError(
            "version", f"{build} does not lie between {row.good} and {row.bad}; name one that does"
        )
    if row.skipped.filter(pk=build.pk).exists():
        return False
    row.skipped.add(build)
    record(Action.CHANGED, of=row, field="skipped", after=build.name, note=reason)
    queue_bisections(ids=[row.pk])
    return True


def look_again(*, bisection_id: int) -> str:
    """Keep where a bisection stands, if anything has changed since; say how it ended. It may be repeated."""
    row = Bisection.objects.select_related(*SUBJECT).filter(pk=bisection_id, finished_at=None).first()
    if row is None:
        return "finished"
    basis = basis_of(row)  # before the look: what comes in meanwhile makes it stale
    if row.basis == basis:
        return "up to date"
    told = report_on(row)
    values = {"told": told, "basis": basis, "computed_at": timezone.now()}
    Bisection.objects.filter(pk=row.pk, finished_at=None).update(**values)
    return str(told["state"])


@transaction.atomic
def finish_bisection(row: Bisection) -> Bisection:
    """End a bisection with the answer that is kept of it, if there is one; a finished one is left as it is.

    The one version that is found to blame has its author noted, who gets the finding (reports/bisecting/blame.py).
    Raises ComputingError where its answer is not computed yet: a worker does that, or ``look_again``.
    """
    locked = _locked(row)
    if locked.finished_at:
        return locked
    if locked.basis != basis_of(locked):
        words = f"where bisection {row.pk} stands is being computed, as runs or rules have changed; finish it then"
        raise ComputingError("id", words)
    if locked.told["state"] in (FOUND, RANGE):
        locked.suspects = list(locked.told["suspects"])
    locked.finished_at, locked.finished_as = timezone.now(), current_origin().asker[:WHO_LENGTH]
    if len(locked.suspects) == 1:
        locked.author, locked.triaged = blame(locked, OsVersion.objects.get(name=locked.suspects[0]))
    locked.save(update_fields=["suspects", "finished_at", "finished_as", "author", "triaged"])
    answer = ", ".join(locked.suspects) or "none"
    record(Action.CHANGED, of=locked, field="answer", after=answer, note=locked.triaged)
    return locked


def queue_what_is_open() -> int:
    """Queue a look at every bisection under way, for what nobody told: an order, thresholds; return how many."""
    ids = list(Bisection.objects.filter(finished_at=None).values_list("pk", flat=True))
    queue_bisections(ids=ids)
    return len(ids)


def _locked(row: Bisection) -> Bisection:
    return Bisection.objects.select_for_update(of=("self",)).select_related(*SUBJECT).get(pk=row.pk)


def _version(field: str, name: str) -> OsVersion:
    try:
        return find_version(name)
    except WrongVersionsError as error:
        raise BisectionError(field, str(error)) from error


def _interaction(search: Search) -> Interaction:
    app = App.objects.filter(package=search.app).first()
    if app is None:
        packages = listed(App.objects.order_by("package").values_list("package", flat=True))
        raise BisectionError("app", f"no app has the package {search.app!r}; known are: {packages}")
    found = Interaction.objects.select_related("app").filter(app=app, name=search.interaction).first()
    if found is None:
        names = listed(app.interactions.order_by("name").values_list("name", flat=True))
        words = f"{app} has no interaction {search.interaction!r}; known are: {names}"
        raise BisectionError("interaction", words)
    return found


def _add_build(text: str, good: OsVersion, bad: OsVersion) -> None:
    """Make a build known to the catalogue that was not measured yet."""
    name, _, place = text.partition("=")
    version = OsVersion.objects.filter(name=name).first() or _new_build(name, place, good)
    if version not in line_between(good, bad):
        words = f"{name} does not lie between {good} and {bad}; give its place, as in {name}={good}.1"
        raise BisectionError("builds", words)


def _new_build(name: str, place: str, good: OsVersion) -> OsVersion:
    version = OsVersion(name=name, sorts_as=place, channel=good.channel)
    version.sort_key = version.own_sort_key()
    try:
        with transaction.atomic():
            version.full_clean()
            version.save()
    except ValidationError as error:
        raise BisectionError("builds", f"{name!r}: {' '.join(error.messages)}") from error
    except IntegrityError:  # somebody else was faster by a moment
        return OsVersion.objects.get(name=name)
    record(Action.ADDED, of=version)
    return version


def _device(of: Interaction, good: OsVersion, bad: OsVersion) -> Device:
    """Return the device of the runs of the two versions, or the only one that there is."""
    measured = Device.objects.filter(runs__interaction=of, runs__os_version__in=[good, bad]).distinct()
    found = list(measured) or list(Device.objects.all())
    if len(found) != 1:
        raise BisectionError("device", f"name the device, one of: {listed(found)}")
    return found[0]


def _numbers(rows: Iterable[Bisection]) -> str:
    return listed([f"{row.pk} ({row})" for row in rows])
