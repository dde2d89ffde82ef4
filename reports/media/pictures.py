"""Pictures that are made when first asked for and then kept; shown all the same where the storage takes nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from io import BytesIO

from django.core.files.storage import default_storage

from reports.media.screencasts import StorageError, keep_made
from reports.models import Run

logger = logging.getLogger(__name__)
FOLDER = "stills"


def picture_name(run: Run, what: str) -> str:
    """Return the name in the storage of a picture of a run's screencast; those of one screencast share a folder."""
    return f"{pictures_of(run.sha256)}/{what}"


def pictures_of(sha256: str) -> str:
    """Return the folder of all pictures of one screencast."""
    return f"{FOLDER}/{sha256[:2]}/{sha256}"


def find_picture(name: str) -> bytes | None:
    """Return a picture that was kept; None if there is none that can be read."""
    try:
        with default_storage.open(name) as stream:
            return stream.read() or None
    except OSError:
        return None


def keep_picture(name: str, data: bytes) -> None:
    """Keep a picture for the next time; a storage that is full or read-only has it made anew then."""
    try:
        keep_made(BytesIO(data), name)
    except StorageError as error:
        logger.warning("a picture is shown and not kept: %s", error)


def kept_picture(name: str, make: Callable[[], bytes]) -> bytes:
    """Return a picture, made unless it was kept."""
    found = find_picture(name)
    if found is None:
        found = make()
        keep_picture(name, found)
    return found
