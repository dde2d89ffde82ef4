"""The file that OBS wrote: where it lies seen from here, whether it is whole, and when the marker shows in it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

import av

from upreg_recorder.failures import SettledTrialError, TrialError
from upreg_recorder.films import opened

WRITTEN_S = 30.0  # until a file has its last byte: a share of another computer shows it later
STILL_S = 0.1
MARKED = 160  # of both colour planes; 128 is grey, magenta has 200 and more in any range and standard
CHROMA = ("yuv420p", "yuvj420p")


@dataclass(frozen=True)
class Spot:
    """Where in the film the marker lies: a square, px."""

    left: float
    top: float
    side: float

    def points(self) -> Iterator[tuple[int, int]]:
        """Yield places well within it."""
        for across in (0.3, 0.5, 0.7):
            for down in (0.3, 0.7):
                yield int(self.left + across * self.side), int(self.top + down * self.side)


@dataclass(frozen=True)
class Seen:
    """What a film holds: when its pictures are shown, and which of them first show the marker, or it no more.

    All in ms after the first picture.
    """

    times_ms: tuple[float, ...]
    changes_ms: tuple[float, ...]

    @property
    def length_ms(self) -> float:
        """From the first picture to the last."""
        return self.times_ms[-1]


def find_file(path: str, folder: Path | None) -> Path:
    """Return a file of OBS as it is reached from here; SettledTrialError if it is not."""
    here = Path(path)
    if here.is_file():
        return here
    pure = PureWindowsPath(path) if "\\" in path else PurePosixPath(path)
    shared = folder / pure.name if folder is not None else None
    if shared is not None and shared.is_file():
        return shared
    where = f", nor {shared}" if shared is not None else ""
    raise SettledTrialError(
        f"OBS wrote {path}, and there is no such file here{where}: if OBS runs on another computer, let this "
        "one see its folder of recordings and name that as the device's `folder`"
    )


def drop(path: str, folder: Path | None) -> None:
    """Delete a file of OBS that came to nothing, where it can be reached."""
    with suppress(SettledTrialError, OSError):
        find_file(path, folder).unlink()


def wait_until_written(file: Path) -> None:
    """Wait until a file grows no more; TrialError if it stays empty or goes on growing."""
    until, size = time.monotonic() + WRITTEN_S, -1
    while time.monotonic() < until:
        now = file.stat().st_size
        if now == size and now:
            return
        size = now
        time.sleep(STILL_S)
    raise TrialError(f"the recording {file} {'still grows' if size else 'is empty'} after {WRITTEN_S:.0f} s")


def look(file: Path, spot: Spot | None) -> Seen:
    """Decode a film from end to end; TrialError if it cannot be."""
    times: list[float] = []
    changes: list[float] = []
    marked = False
    try:
        with opened(file) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            for frame in container.decode(stream):
                if frame.pts is None or frame.time_base is None:
                    raise TrialError(f"the recording {file.name} has a picture without a time: choose mkv in OBS")
                times.append(float(frame.pts * frame.time_base * 1000))
                if spot is not None and _shows(frame, spot) != marked:
                    marked = not marked
                    changes.append(times[-1] - times[0])
    except (av.FFmpegError, IndexError, OSError) as error:
        raise TrialError(f"the recording {file.name} cannot be read ({error})") from error
    if not times:
        raise TrialError(f"the recording {file.name} has no picture")
    return Seen(tuple(time_ms - times[0] for time_ms in times), tuple(changes))


def take_away(file: Path, into: Path) -> Path:
    """Move a film beside `into`, a name without ending; returns where it is now."""
    there = into.with_name(into.name + file.suffix.lower())
    shutil.move(file, there)
    return there


def _shows(frame: av.VideoFrame, spot: Spot) -> bool:
    if frame.format.name not in CHROMA:
        frame = frame.reformat(format="yuv420p")
    planes = [(memoryview(plane), plane.line_size) for plane in frame.planes[1:3]]
    return all(plane[y // 2 * line + x // 2] >= MARKED for plane, line in planes for x, y in spot.points())
