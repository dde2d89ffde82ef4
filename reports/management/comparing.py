"""Bring a comparison up to date from a command."""

import time
from contextlib import suppress
from typing import Any

from django.core.management.base import CommandError

from analysis.policy.policy import Policy
from reports.comparing.pinned import pinned_pairs
from reports.comparing.services import (
    NothingToCompareError,
    compute_comparison,
    find_version,
    open_comparison,
)
from reports.models import Comparison, Device
from reports.policies.selectors import policy_for

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


def compute_with_pinned(comparison: Comparison, policy: Policy | None = None) -> Comparison:
    """Do the same; before that with the comparison that the gate asks for drift, by its own policy or this one."""
    if (policy or policy_for(comparison)).gate.drift_budget_pct is not None:
        pair = pinned_pairs([comparison])[comparison.pk]
        if pair.pinned and pair.askable:
            with suppress(NothingToCompareError):  # the gate says so
                compute_or_wait(open_comparison(base=pair.pinned, new=comparison.new, device=comparison.device))
    return compute_or_wait(comparison)


def find_device(name: str) -> Device:
    """Return the device called ``phone`` or ``phone (60 Hz)``; the error lists those that exist."""
    devices = list(Device.objects.all())
    found = [device for device in devices if name in (device.name, str(device))]
    if len(found) == 1:
        return found[0]
    what = "several devices are" if found else "no device is"
    raise CommandError(f"{what} called {name!r}; known are: {', '.join(map(str, devices)) or 'none'}")
