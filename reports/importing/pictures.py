"""Frames of recordings that wait to be imported, so that the action can be set on them as on the page of a run.

What is made of a recording lies beside it and goes with it.
"""

import json
from bisect import bisect_right
from dataclasses import dataclass
from itertools import islice

from django.http import Http404

from analysis.isolation.decoder import DecoderError
from analysis.isolation.picturing import frame_times_apart, still_apart, stills_apart
from analysis.manifest.reader import ManifestError
from reports.importing.staged import without_action
from reports.importing.staging import FOLDER
from reports.media.decoding import decoders
from reports.media.pictures import find_picture, keep_picture, kept_picture
from reports.media.screencasts import local_file
from reports.media.stills import LARGE_PX, looked_into
from reports.models import StagedFile, StagedImport, StagedKind

STEP = 10  # frames that the wide step goes
_AHEAD = STEP + 1  # frames before and after that are made along with one, as the next steps ask for them
_MOST_DECODED = 1_000  # frames from a key frame on, for those: else the one frame alone is made
LONG_US = 70_000  # two frames of 30 a second, and some jitter
_SLACK_US = 500  # an address carries microseconds, a person milliseconds


@dataclass(frozen=True)
class StagedFrame:
    """A frame of a recording: its number from 1, its time in µs after the first, those that the steps lead to.

    ``stands_us`` is how long it stays on the screen, 0 for the last. ``is_action``: it is there when the user acts,
    as far as that is said.
    """

    file: StagedFile
    number: int
    frames: int
    time_us: int
    stands_us: int
    is_action: bool
    steps: dict[str, int | None]

    @property
    def time_ms(self) -> float:
        """The same in ms."""
        return self.time_us / 1000

    @property
    def stands_long_ms(self) -> float:
        """How long it stays, in ms, where that is too long for its time to tell when the touch was; else 0."""
        return self.stands_us / 1000 if self.stands_us > LONG_US else 0.0

    @property
    def action_ms(self) -> str:
        """What is said of the action so far."""
        return str(self.file.cells.get("action_ms", ""))


def action_cell(time_us: int) -> str:
    """Return a time as a manifest says it: in ms, exact to the microsecond."""
    return f"{time_us / 1000:.3f}".rstrip("0").rstrip(".")


def recording_of(staged: StagedImport, file_id: int) -> StagedFile:
    """Return a recording of what was sent and not imported; raises Http404."""
    found = staged.files.filter(pk=file_id, kind=StagedKind.VIDEO).exclude(stored_name="").first()
    if found is None:
        raise Http404("It is not there any more, or is no recording.")
    return found


def look_at_frame(file: StagedFile, at_us: int | None) -> StagedFrame:
    """Return the frame on the screen at a time, that of the action if none is asked for, and make its picture.

    Raises NoSuchFrameError for a recording that cannot be read, NotNowError where it cannot be now.
    """
    times, said = _times(file), _said_us(file)
    at = _shown(times, (said or 0) if at_us is None else at_us)
    frame_picture(file, times[at], times)

    def step(by: int) -> int | None:
        to = min(max(at + by, 0), len(times) - 1)
        return times[to] if to != at else None

    steps = {"previous-ten": step(-STEP), "previous": step(-1), "next": step(1), "next-ten": step(STEP)}
    is_action = said is not None and _shown(times, said) == at
    stands = times[at + 1] - times[at] if at + 1 < len(times) else 0
    return StagedFrame(file, at + 1, len(times), times[at], stands, is_action, steps)


def _said_us(file: StagedFile) -> int | None:
    try:
        return round(float(file.cells["action_ms"]) * 1000)
    except (KeyError, ValueError, OverflowError):  # nothing, not a number, not a finite one
        return None


def _shown(times: list[int], at_us: int) -> int:
    """Return which frame is on the screen at a time."""
    return max(0, bisect_right(times, at_us + _SLACK_US) - 1)


def frame_picture(file: StagedFile, time_us: int, times: list[int] | None = None) -> bytes:
    """Return the frame shown at a time as WebP, and make those around it along with it, for the next steps."""
    found = find_picture(_name(file, time_us))
    if found is not None:
        return found
    times = _times(file) if times is None else times
    at = _shown(times, time_us)
    time_us = times[at]
    wanted = [(time, LARGE_PX) for time in islice(times, max(0, at - _AHEAD), at + _AHEAD + 1)]
    with looked_into(), local_file(file.stored_name) as path:
        try:
            made = stills_apart(decoders(), path, wanted, _MOST_DECODED)
        except DecoderError:  # one of the others may be what cannot be decoded
            made = {}
        picture = made.get((time_us, LARGE_PX)) or still_apart(decoders(), path, time_us / 1000, LARGE_PX)
    for (time, _), data in made.items():
        keep_picture(_name(file, time), data)
    if not made:
        keep_picture(_name(file, time_us), picture)
    return picture


def _times(file: StagedFile) -> list[int]:
    def made() -> bytes:
        with looked_into(), local_file(file.stored_name) as path:
            return json.dumps(frame_times_apart(decoders(), path)).encode()

    found: list[int] = json.loads(kept_picture(f"{FOLDER}/{file.staged_id}/{file.pk}.times", made))
    return found


def _name(file: StagedFile, time_us: int) -> str:
    return f"{FOLDER}/{file.staged_id}/{file.pk}-{time_us}.webp"


def next_without_action(staged: StagedImport, after: StagedFile) -> tuple[int | None, int]:
    """Return the next recording of which nobody says when the action is, from the start again after the last.

    And how many such there are beside this one. None where the manifest cannot be read.
    """
    try:
        ids = [pk for pk in without_action(staged) if pk != after.pk]
    except ManifestError:
        return None, 0
    return next((pk for pk in ids if pk > after.pk), ids[0] if ids else None), len(ids)
