"""What a log line is about: the request, run, comparison or task that is being worked on, on every line of it."""

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.json import JsonFormatter

_about: ContextVar[Mapping[str, str]] = ContextVar("about", default=MappingProxyType({}))
FORMATS = ("text", "json")


def is_about(name: str) -> str:
    """Return what log lines are about now, such as the ``request_id``; empty if nothing named it."""
    return _about.get().get(name, "")


@contextmanager
def about(**names: str) -> Iterator[None]:
    """Name on all log lines of the block what they are about, such as ``run="5"``."""
    token = _about.set({**_about.get(), **names})
    try:
        yield
    finally:
        _about.reset(token)


def set_about(**names: str) -> None:
    """Name it from now on, in place of what was named before: for a worker between two tasks."""
    _about.set(names)


class AboutFilter(logging.Filter):
    """Put onto each record what it is about: as attributes for JSON, as ``about`` for text."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass."""
        names = _about.get()
        for name, value in names.items():
            setattr(record, name, value)
        return True


class _InUtc(logging.Formatter):
    """Times that lines of several hosts can be put in order by: 2026-11-22T04:32:52.549Z."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"


class JsonLines(_InUtc, JsonFormatter):
    """One JSON object a line."""


class TextFormatter(_InUtc):
    """One line for people, with what it is about at its end."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line."""
        line = super().formatMessage(record)
        names = " ".join(f"{name}={getattr(record, name)}" for name in _about.get() if hasattr(record, name))
        return f"{line} [{names}]" if names else line


def logging_config(*, style: str, level: str) -> dict[str, object]:
    """Return the settings of logging for ``text`` or ``json`` lines on the error output."""
    renamed = {"asctime": "time", "levelname": "level", "name": "logger"}
    json = {
        "()": JsonLines,
        "fmt": "%(asctime)s %(levelname)s %(name)s %(message)s",
        "rename_fields": renamed,
        "reserved_attrs": [*RESERVED_ATTRS, "request"],  # Django's whole request, with its cookies
    }
    text = {"()": TextFormatter, "format": "{asctime} {levelname} {name}: {message}", "style": "{"}
    quiet = {"level": "ERROR"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"about": {"()": AboutFilter}},
        "formatters": {"line": json if style == "json" else text},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["about"]}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "waitress.queue": quiet,  # says of each page that has to wait for a thread that it does
            "authlib": {"level": "INFO"},  # below that it tells the secrets of a log-in
            "axes": quiet,  # failures to log in are told by upreg.security
            # A line for each request is for machines; people see errors alone.
            "upreg.requests": {"level": "INFO" if style == "json" else "WARNING"},
            "upreg.tasks": {"level": "INFO" if style == "json" else "WARNING"},
        },
    }
