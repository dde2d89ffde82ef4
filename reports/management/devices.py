"""Find the device that a command names."""

from django.core.management.base import CommandError

from reports.models import Device


def find_device(name: str) -> Device:
    """Return the device called ``phone`` or ``phone (60 Hz)``; the error lists those that exist."""
    devices = list(Device.objects.all())
    found = [device for device in devices if name in (device.name, str(device))]
    if len(found) == 1:
        return found[0]
    what = "several devices are" if found else "no device is"
    raise CommandError(f"{what} called {name!r}; known are: {', '.join(map(str, devices)) or 'none'}")
