"""Measuring in a child: the whole measurement, so that no picture crosses between processes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from analysis.isolation.child import Task
from analysis.isolation.decoder import BrokenError, Decoders, RefusedError
from analysis.isolation.messages import Message
from analysis.measure import OUTCOMES, Measured, measure_screencast
from analysis.metrics import METRICS
from analysis.options import MeasureOptions
from analysis.series import FIELDS, FrameSeries
from analysis.video.decode import VideoInfo
from analysis.video.masks import Mask

_MOST_LETTERS = 2_000
_COUNTS, _WORDS = ("width", "height", "rotation", "frames"), ("codec", "pixel_format", "container")
_NONSENSE = (
    "the decoder gave a measurement that makes no sense ({}): copy it from the device again, or record again"
)


def measure_apart(decoders: Decoders, path: str | Path, options: MeasureOptions, *, threads: int = 0) -> Measured:
    """Measure a video in a child as `analysis.measure.measure_screencast` does here, to the last bit.

    A file that breaks its decoder, or takes too much of anything, is `unreadable` as well, with the reason. Raises
    UnavailableError if no child can be had, UnexpectedError if measuring itself is at fault.
    """
    values = {"options": options_as_dict(options), "threads": threads}
    try:
        with decoders.ask("measure", Path(path), values) as answer:
            return measured_from(answer.values, answer.data)
    except (BrokenError, RefusedError) as error:
        return Measured("unreadable", str(error), dict.fromkeys(METRICS))


def measure(task: Task) -> Message:
    """Do it: in the child."""
    options = options_from(task.values["options"])
    return measured_as_message(measure_screencast(task.source, options, threads=task.values["threads"]))


def options_as_dict(options: MeasureOptions) -> dict[str, Any]:
    """Return the options, ready for JSON."""
    return asdict(options)


def options_from(values: Mapping[str, Any]) -> MeasureOptions:
    """Return the options that `options_as_dict` wrote."""
    touch = values["touch_xy"]
    masks = tuple(Mask(**mask) for mask in values["masks"])
    return MeasureOptions(**{**values, "touch_xy": touch and tuple(touch), "masks": masks})


def measured_as_message(measured: Measured) -> Message:
    """Return a measurement for the way to the parent: the series as bytes, column by column."""
    values = {
        "outcome": measured.outcome,
        "message": measured.message,
        "metrics": measured.metrics,
        "settles": measured.settles,
        "evidence": measured.evidence,
        "info": measured.info and measured.info.as_dict(),
        "series": measured.series is not None,
    }
    series = measured.series
    if series is None:
        return values, b""
    columns = [series.time_ms.astype("<f8"), *(getattr(series, name).astype("<f4") for name, _ in FIELDS)]
    return values, b"".join(column.tobytes() for column in columns)


def measured_from(values: Mapping[str, Any], data: bytes) -> Measured:
    """Return the measurement of a message, or raise BrokenError: who captures a child can write anything here."""
    try:
        return Measured(
            outcome=_one_of(values["outcome"], OUTCOMES),
            message=_text(values["message"]),
            metrics=_metrics(values["metrics"]),
            settles=_checked(values["settles"], values["settles"] in (True, False, None), "settles"),
            evidence=_checked(values["evidence"], isinstance(values["evidence"], dict), "evidence"),
            series=_series(data) if values["series"] else None,
            info=_info(values["info"]),
        )
    except (KeyError, TypeError, OverflowError) as error:
        raise BrokenError(_NONSENSE.format(error)) from error


def _series(data: bytes) -> FrameSeries:
    frames, rest = divmod(len(data), 20)
    _checked(data, not rest and frames > 0, "length of the series")
    times = np.frombuffer(data, "<f8", frames)
    others = np.frombuffer(data, "<f4", 3 * frames, offset=8 * frames).reshape(3, frames)
    _checked(data, bool(np.isfinite(times).all() and np.isfinite(others).all()), "series")
    _checked(data, bool((np.diff(times) > 0).all()), "times of the series")
    return FrameSeries(times, others[0], others[1], others[2])


def _metrics(values: Any) -> dict[str, float | None]:
    _checked(values, isinstance(values, dict) and set(values) <= set(METRICS), "metrics")
    return {key: None if value is None else _number(value, key) for key, value in values.items()}


def _info(values: Any) -> VideoInfo | None:
    if values is None:
        return None
    checked: dict[str, Any] = {"duration_ms": _number(values["duration_ms"], "duration_ms")}
    checked |= {name: _whole(values[name], name) for name in _COUNTS}
    checked |= {name: _text(values[name]) for name in _WORDS}
    checked["full_range"] = _checked(values["full_range"], isinstance(values["full_range"], bool), "full_range")
    return VideoInfo(**checked)


def _one_of(value: Any, known: tuple[str, ...]) -> str:
    _checked(value, value in known, "outcome")
    return str(value)


def _text(value: Any) -> str:
    _checked(value, isinstance(value, str) and "\0" not in value, "words")
    return str(value)[:_MOST_LETTERS]


def _number(value: Any, what: str) -> Any:
    """Return it as it is, whole or not: both go to the database alike."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return _checked(value, fits and abs(value) < 1e12, what)


def _whole(value: Any, what: str) -> int:
    return int(_checked(value, isinstance(value, int) and 0 <= value < 2**31, what))


def _checked(value: Any, fits: bool, what: str) -> Any:
    if not fits:
        raise BrokenError(_NONSENSE.format(what))
    return value
