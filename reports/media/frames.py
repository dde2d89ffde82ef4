"""Pictures of many frames of one recording in one pass over it; they are kept as those of single frames are."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.isolation.decoder import UnavailableError
from analysis.isolation.picturing import stills_apart
from analysis.pictures.frames import Wanted
from reports.media.decoding import decoders
from reports.media.pictures import find_picture, keep_picture, picture_name
from reports.media.screencasts import local_file
from reports.media.stills import NoSuchFrameError, find_proxy, looked_into
from reports.models import Run

MAX_DECODED = 1200  # frames of one recording that a report looks at: 10 s at 120 Hz


def frame_pictures(run: Run, wanted: Iterable[Wanted], *, make: bool = True) -> dict[Wanted, bytes]:
    """Return the pictures that there are or that could be made, as WebP.

    Without ``make`` only those that were kept before. Raises NoSuchFrameError if pictures must be made and the
    recording cannot be read.
    """
    names = {want: picture_name(run, f"{want[0]}-{want[1]}.webp") for want in wanted}
    found = {want: kept for want, name in names.items() if (kept := find_picture(name)) is not None}
    missing = sorted(set(names) - set(found))
    if missing and make:
        for want, picture in _made(run, missing).items():
            keep_picture(names[want], picture)
            found[want] = picture
    return found


def _made(run: Run, wanted: list[Wanted]) -> dict[Wanted, bytes]:
    """Have pictures made from the proxy, which is smaller and steps quickly, else from the recording."""
    with looked_into(), local_file(find_proxy(run) or run.file_name) as path:
        try:
            return stills_apart(decoders(), path, wanted, MAX_DECODED)
        except UnavailableError as error:  # a report goes without
            raise NoSuchFrameError(str(error)) from error
