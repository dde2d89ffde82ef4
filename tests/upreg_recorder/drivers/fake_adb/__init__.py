"""A fake adb server with model phones behind it, written from documentation and published dumps."""

from .phone import Clock, Phone
from .server import FakeAdb

__all__ = ["Clock", "FakeAdb", "Phone"]
