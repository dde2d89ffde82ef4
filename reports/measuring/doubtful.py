"""What measuring doubts: the list of doubtful responses and finishes, and the one that a person settles next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Q, QuerySet

from reports.measuring.evidence import ChosenFrame, OtherFrame, chosen_frames
from reports.measuring.frameview import FrameView, view_frame
from reports.measuring.series import series_of, with_series
from reports.media.files import Film, film_of, with_file_state
from reports.models import App, Confidence, Correction, Device, Measurement, OsVersion, Run, RunStatus
from reports.models.measured import MOMENT_OF
from reports.web.filters import ActiveFilter, in_use

_LAST = 3  # answers of whoever looks, which may be taken back


@dataclass(frozen=True)
class DoubtsFilter:
    """One view of the list. An empty value does not filter; two versions are those of a comparison."""

    base: str = ""
    new: str = ""
    app: str = ""  # package
    device: int | None = None
    run: int | None = None

    @property
    def narrowed(self) -> bool:
        """Tell whether anything is left out by a filter."""
        return self != DoubtsFilter()

    def query(self) -> dict[str, str]:
        """Return the filter as an address carries it."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {key: str(value) for key, value in values.items() if value}


@dataclass(frozen=True)
class Doubt:
    """A doubtful response or finish: the frame that was chosen, the other one, and the frame that is looked at.

    ``chosen`` is None where nothing is left of what was measured but its value.
    """

    measurement: Measurement
    run: Run
    moment: str
    chosen: ChosenFrame | None
    viewer: FrameView | None

    @property
    def other(self) -> OtherFrame | None:
        """The other candidate."""
        return self.chosen.other if self.chosen else None

    @property
    def film(self) -> Film:
        """What became of the screencast."""
        return film_of(self.run)


def doubtful(wanted: DoubtsFilter) -> QuerySet[Measurement]:
    """Return the doubtful values of the runs that may enter comparisons, the last measured first."""
    conditions = {
        "run__interaction__app__package": wanted.app,
        "run__device": wanted.device,
        "run": wanted.run,
        "run__os_version__name__in": [name for name in (wanted.base, wanted.new) if name],
    }
    rows = Measurement.objects.filter(
        confidence=Confidence.DOUBTFUL, run__status=RunStatus.DONE, run__excluded=False
    )
    return rows.filter(**{key: value for key, value in conditions.items() if value}).order_by("-pk")


def load_doubts(ids: Iterable[int]) -> list[Measurement]:
    """Load these values with all that a row of the list shows, in one query."""
    joined = ("run__interaction__app", "run__os_version", "run__device")
    return list(Measurement.objects.filter(pk__in=list(ids)).select_related(*joined).order_by("-pk"))


def next_doubt(rows: QuerySet[Measurement], at: int | None, at_us: int | None = None) -> Doubt | None:
    """Load the doubt of this id; the next in the list if it is settled by now, the first if none is asked for.

    ``at_us`` is the frame to look at. Five queries at most.
    """
    further = rows.filter(pk__lte=at).first() if at else None
    measurement = further or rows.first()
    if measurement is None:
        return None
    run = with_file_state(with_series(Run.objects.for_list())).get(pk=measurement.run_id)
    series, moment = series_of(run), MOMENT_OF[measurement.metric]
    frames = chosen_frames(series) if series else ()
    chosen = next((frame for frame in frames if frame.moment == moment), None)
    start_us = at_us if at_us is not None or chosen is None else chosen.time_us
    return Doubt(measurement, run, moment, chosen, view_frame(run, series, start_us))


def last_answers(user: AbstractBaseUser) -> list[Correction]:
    """Return the last corrections and confirmations of a person that are in force, newest first."""
    rows = Correction.objects.filter(made_by=user.pk, withdrawn_at=None)
    return list(rows.select_related("run__interaction__app", "run__os_version")[:_LAST])


@dataclass(frozen=True)
class DoubtsOptions:
    """What the list can be filtered by: apps and devices that have a doubtful value, and versions."""

    apps: list[App]
    devices: list[Device]
    versions: list[str]


def doubts_options() -> DoubtsOptions:
    """List apps, devices and versions with something doubtful: three queries."""
    known = Q(pk__in=doubtful(DoubtsFilter()).order_by().values("run__interaction__app"))
    devices = Q(pk__in=doubtful(DoubtsFilter()).order_by().values("run__device"))
    versions = Q(pk__in=doubtful(DoubtsFilter()).order_by().values("run__os_version"))
    return DoubtsOptions(
        apps=list(App.objects.filter(known).only("name", "package")),
        devices=list(Device.objects.filter(devices)),
        versions=list(OsVersion.objects.filter(versions).order_by("-sort_key").values_list("name", flat=True)),
    )


def doubts_filters(wanted: DoubtsFilter, options: DoubtsOptions) -> list[ActiveFilter]:
    """Name the filters in use, in the page's order."""
    apps = {app.package: app.name for app in options.apps}
    devices = {device.pk: str(device) for device in options.devices}
    return in_use(
        (
            ("base", "Baseline", wanted.base),
            ("new", "Updated", wanted.new),
            ("app", "App", apps.get(wanted.app, wanted.app)),
            ("device", "Device", devices.get(wanted.device, str(wanted.device)) if wanted.device else ""),
            ("run", "Run", str(wanted.run) if wanted.run else ""),
        )
    )
