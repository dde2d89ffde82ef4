"""Bring a comparison up to date from a command."""

import time
from typing import Any

from django.core.management.base import CommandError

from reports.comparing.services import compute_comparison, find_version, open_comparison
from reports.models import Comparison, Device

PATIENCE_S = 120
_PAUSE_S = 0.5


def open_named(options: dict[str, Any]) -> Comparison:
    """Return the comparison that ``base``, ``new`` and ``device`` name; errors list what is known."""
    return open_comparison(
        base=find_version(options["base"]),
        new=find_version(options["new"]),
        device=find_device(options["device"]) if options["device"] else None,
    )


def compute_or_wait(comparison: Comparison) -> Comparison:
    """Compute what changed; where a worker is at it already, wait for its end (two minutes at most)."""
    for _ in range(int(PATIENCE_S / _PAUSE_S)):
        computed = compute_comparison(comparison_id=comparison.pk)
        if computed is not None:
            return computed
        time.sleep(_PAUSE_S)
    raise CommandError("another process is still computing this comparison: look at the queue on the home page")


def find_device(name: str) -> Device:
    """Return the device called ``phone`` or ``phone (60 Hz)``; the error lists those that exist."""
    devices = list(Device.objects.all())
    found = [device for device in devices if name in (device.name, str(device))]
    if len(found) == 1:
        return found[0]
    what = "several devices are" if found else "no device is"
    raise CommandError(f"{what} called {name!r}; known are: {', '.join(map(str, devices)) or 'none'}")
