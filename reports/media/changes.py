"""The change map of a run (`analysis.pictures.changemap`), made when first needed and kept."""

from __future__ import annotations

from analysis.isolation.picturing import change_map_apart
from reports.media.decoding import decoders
from reports.media.options import WrongMaskError, measure_options
from reports.media.pictures import kept_picture, picture_name
from reports.media.screencasts import local_file
from reports.media.stills import NoSuchFrameError, looked_into
from reports.models import Run


def change_map(run: Run) -> bytes:
    """Return the run's change map as PNG; raises NoSuchFrameError if the screencast cannot be read."""
    measured = f"{run.measured_at:%Y%m%d%H%M%S%f}" if run.measured_at else "unmeasured"
    name = picture_name(run, f"changes-{run.pk}-{measured}.png")
    return kept_picture(name, lambda: _made(run))


def _made(run: Run) -> bytes:
    try:
        options = measure_options(run)
    except WrongMaskError as error:
        raise NoSuchFrameError(str(error)) from error
    with looked_into(), local_file(run.file_name) as path:
        return change_map_apart(decoders(), path, options)
