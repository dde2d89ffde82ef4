"""Pictures, indexes and proxies from a child: each with the question on this side and the job on the other."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from itertools import pairwise
from pathlib import Path
from typing import Any

from analysis.isolation.child import Task
from analysis.isolation.decoder import Answer, BrokenError, Decoders
from analysis.isolation.measuring import options_as_dict, options_from
from analysis.isolation.messages import Message
from analysis.options import MeasureOptions
from analysis.pictures import changemap, frames
from analysis.pictures.frames import Wanted
from analysis.pictures.playindex import PlayIndex, plays_everywhere, read_index
from analysis.pictures.proxy import CannotEncodeError, encode_proxy

PICTURE_S = 60.0  # that a page may wait for a picture at most
PROXY = "proxy.mp4"
_KINDS = {"webp": re.compile(rb"RIFF.{4}WEBP", re.DOTALL), "png": re.compile(rb"\x89PNG\r\n\x1a\n")}
_CODEC = re.compile(r"avc1\.[0-9a-f]{6}", re.ASCII)
_MOST_BYTES = 1 << 50  # where in a file something may lie
_NONSENSE = "the decoder gave {} that makes no sense: copy the recording again"


def still_apart(decoders: Decoders, path: Path, time_ms: float, height_px: int) -> bytes:
    """Return the frame shown at ``time_ms`` as WebP; see `frames.still`. Raises DecoderError."""
    values = {"time_ms": time_ms, "height_px": height_px}
    with decoders.ask("still", path, values, seconds=PICTURE_S) as answer:
        return _picture(answer.data, "webp")


def still(task: Task) -> Message:
    """Do it: in the child."""
    return {}, frames.still(task.source, task.values["time_ms"], task.values["height_px"])


def stills_apart(decoders: Decoders, path: Path, wanted: Sequence[Wanted], most: int) -> dict[Wanted, bytes]:
    """Return frames as WebP, as `frames.stills` yields them. Raises DecoderError."""
    values = {"wanted": sorted(wanted), "most": most}
    with decoders.ask("stills", path, values, seconds=PICTURE_S) as answer:
        found = {want: _picture(part, "webp") for want, part in _parts(answer)}
    if not set(found) <= set(wanted):
        raise BrokenError(_NONSENSE.format("pictures"))
    return found


def stills(task: Task) -> Message:
    """Do it: in the child."""
    wanted = [(time_us, height) for time_us, height in task.values["wanted"]]
    found = list(frames.stills(task.source, wanted, task.values["most"]))
    return {"parts": [[*want, len(data)] for want, data in found]}, b"".join(data for _, data in found)


def frame_times_apart(decoders: Decoders, path: Path) -> list[int]:
    """Return when each frame comes, in µs after the first one; see `frames.frame_times_us`. Raises DecoderError."""
    with decoders.ask("times", path, seconds=PICTURE_S) as answer:
        found: Any = answer.values.get("times_us")
    if not isinstance(found, list) or not found or not all(type(time) is int for time in found):
        raise BrokenError(_NONSENSE.format("times"))
    if found[0] != 0 or found[-1] >= _MOST_BYTES or any(later <= sooner for sooner, later in pairwise(found)):
        raise BrokenError(_NONSENSE.format("times"))
    return found


def times(task: Task) -> Message:
    """Do it: in the child."""
    return {"times_us": frames.frame_times_us(task.source)}, b""


def change_map_apart(decoders: Decoders, path: Path, options: MeasureOptions) -> bytes:
    """Return the change map as PNG; see `changemap.change_map`. Raises DecoderError."""
    with decoders.ask("changes", path, {"options": options_as_dict(options)}, seconds=PICTURE_S) as answer:
        return _picture(answer.data, "png")


def changes(task: Task) -> Message:
    """Do it: in the child."""
    return {}, changemap.change_map(task.source, options_from(task.values["options"]))


def read_index_apart(decoders: Decoders, path: Path) -> PlayIndex | None:
    """Return what `read_index` returns: None if a page cannot use the file. Raises DecoderError."""
    with decoders.ask("index", path, seconds=PICTURE_S) as answer:
        return _index(answer.values)


def index(task: Task) -> Message:
    """Do it: in the child."""
    found = read_index(task.source)
    return {"index": found and found.as_dict()}, b""


def plays_apart(decoders: Decoders, path: Path) -> bool:
    """Tell whether every browser plays a file; see `plays_everywhere`. Raises DecoderError."""
    with decoders.ask("plays", path, seconds=PICTURE_S) as answer:
        return answer.values.get("plays") is True


def plays(task: Task) -> Message:
    """Do it: in the child."""
    return {"plays": plays_everywhere(task.source)}, b""


@contextmanager
def encode_apart(
    decoders: Decoders, path: Path, *, report: Callable[[int], None] | None = None
) -> Iterator[tuple[BufferedReader, PlayIndex]]:
    """Give the proxy of a recording, open for reading in the block, and its index; see `encode_proxy`.

    ``report`` is told how many frames are done, and ends the job by raising. Raises DecoderError.
    """
    with decoders.ask("proxy", path, report=report) as answer, answer.open(PROXY) as stream:
        found = _index(answer.values)
        if found is None:
            raise BrokenError(_NONSENSE.format("a proxy"))
        yield stream, found


def proxy(task: Task) -> Message:
    """Do it: in the child."""
    encode_proxy(task.source, task.folder / PROXY, report=task.report)
    found = read_index(task.folder / PROXY)
    if found is None:
        raise CannotEncodeError("the proxy that was made of this file cannot be read back")
    return {"index": found.as_dict()}, b""


def _picture(data: bytes, kind: str) -> bytes:
    if not _KINDS[kind].match(data):
        raise BrokenError(_NONSENSE.format("a picture"))
    return data


def _parts(answer: Answer) -> Iterator[tuple[Wanted, bytes]]:
    at = 0
    try:
        for time_us, height, size in answer.values["parts"]:
            yield (time_us, height), answer.data[at : at + size]
            at += size
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenError(_NONSENSE.format("pictures")) from error


def _index(values: dict[str, Any]) -> PlayIndex | None:
    """Return the index of an answer; BrokenError for one that no file can have."""
    found = values.get("index")
    if found is None:
        return None
    try:
        base64.b64decode(found["description"], validate=True)
        columns = {name: tuple(found[name]) for name in ("offset", "size", "keys", "time_ms")}
        whole = (found["width_px"], found["height_px"], *columns["offset"], *columns["size"], *columns["keys"])
        frames_ = len(columns["time_ms"])
        fits = (
            _CODEC.fullmatch(found["codec"])
            and all(type(number) is int and 0 <= number < _MOST_BYTES for number in whole)
            and len(columns["offset"]) == len(columns["size"]) == frames_
            and all(type(time) in (int, float) for time in columns["time_ms"])
            and all(sooner < later for sooner, later in pairwise(columns["time_ms"]))
            and all(key < frames_ for key in columns["keys"])
        )
        if fits:
            return PlayIndex(found["codec"], found["description"], found["width_px"], found["height_px"], **columns)
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenError(_NONSENSE.format("an index")) from error
    raise BrokenError(_NONSENSE.format("an index"))
