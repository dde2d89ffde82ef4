"""Make catalogue rows and runs for tests, each call a fresh one unless told otherwise."""

from itertools import count

from django.utils import timezone

from analysis.revision import REVISION
from reports.gate.services import add_waiver
from reports.models import App, Device, Interaction, Measurement, OsVersion, Run, RunStatus, Waiver
from reports.models.catalogue import version_sort_key

_numbers = count(1)


def os_version(name="13.0.12", *, channel=""):
    values = {"sort_key": version_sort_key(name), "channel": channel}
    return OsVersion.objects.get_or_create(name=name, defaults=values)[0]


def device(name="phone", refresh_hz=60.0):
    return Device.objects.get_or_create(name=name, refresh_hz=refresh_hz)[0]


def app(name="Mail", *, critical=False, category="communication"):
    package = "org.example." + name.lower().replace(" ", "")
    values = {"name": name, "critical": critical, "category": category}
    return App.objects.get_or_create(package=package, defaults=values)[0]


def interaction(name="open inbox", *, type="tap", of=None):
    return Interaction.objects.get_or_create(app=of or app(), name=name, defaults={"type": type})[0]


def run(*, version=None, of=None, on=None, metrics=None, status=RunStatus.DONE, **values):
    """Make a run; ``metrics`` is {metric key: value} of a measured one."""
    row = _run(version, of, on, status, values)
    row.save()
    Measurement.objects.bulk_create(
        Measurement(run=row, metric=key, value=value) for key, value in (metrics or {}).items()
    )
    return row


def runs(values, *, metric="response_time_ms", version=None, of=None, on=None, status=RunStatus.DONE, **kwargs):
    """Make one run for each value of one metric, all at once."""
    version, of, on = version or os_version(), of or interaction(), on or device()
    made = Run.objects.bulk_create(_run(version, of, on, status, kwargs) for _ in values)
    pairs = zip(made, values, strict=True)
    Measurement.objects.bulk_create(Measurement(run=row, metric=metric, value=value) for row, value in pairs)
    return made


def _run(version, of, on, status, values):
    number = next(_numbers)
    defaults = {
        "repetition": number,
        "sha256": f"{number:064x}",
        "file_name": f"screencasts/{number}.mp4",
        "original_name": f"{number}.mp4",
        "file_bytes": 1,
        "action_ms": 500.0,
        "outcome": "ok" if status == RunStatus.DONE else "",
        "error": "unreadable: no video stream" if status == RunStatus.FAILED else "",
        "revision": REVISION if status in (RunStatus.DONE, RunStatus.FAILED) else 0,
    }
    return Run(
        os_version=version or os_version(),
        interaction=of or interaction(),
        device=on or device(),
        status=status,
        **{**defaults, **values},
    )


def accepted_waiver(**values):
    """Save a waiver and let a second person approve it, whoever that is: it takes out what is serious as well."""
    waiver = add_waiver(**values)
    Waiver.objects.filter(pk=waiver.pk).update(seconded_at=timezone.now())
    return waiver
