"""The decoders of this process: all that looks into a recording is done by a child, within the limits set."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings

from analysis.isolation.decoder import Decoders
from analysis.isolation.limits import Limits, words
from analysis.isolation.measuring import measure_apart
from analysis.measure import Measured
from analysis.options import MeasureOptions

# Of one process: a worker asks for one; pages, of all processes, wait for each other rather than fill the memory.
AT_ONCE = max(1, 2 // settings.WEB_PROCESSES)


def limits() -> Limits:
    """Return what one recording may cost here."""
    return Limits(memory_mb=settings.DECODER_MEMORY_MB, seconds=settings.DECODER_TIMEOUT_S)


@cache
def decoders() -> Decoders:
    """Return the decoders of this process; the first job starts the first of them."""
    return Decoders(limits(), AT_ONCE)


def decoders_for(workers: int) -> Decoders:
    """Return decoders for so many threads that measure."""
    return decoders() if workers <= AT_ONCE else Decoders(limits(), workers)


def measure_screencast(path: Path, options: MeasureOptions, *, threads: int) -> Measured:
    """Measure a video apart, within the limits set; see `measure_apart`."""
    return measure_apart(decoders(), path, options, threads=threads)


def decoding_words() -> str:
    """Say in a sentence what decoding is held to on this machine, as a child has found it.

    Raises UnavailableError if none can be had.
    """
    return words(limits(), decoders().in_force())
