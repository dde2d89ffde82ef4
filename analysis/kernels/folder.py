"""Where compiled kernels are kept, so that a second process need not compile them.

Beside the source if it can be written, else in the user's cache folder. A service account on a read-only image has
neither: then in a private folder for temporary files.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

CHOICE = "UPREG_KERNEL_CACHE"


def choose_folder(name: str, source: Path = Path(__file__).parent) -> Path:
    """Return the folder `name` for compiled kernels, made if it is missing; `UPREG_KERNEL_CACHE` chooses its place.

    Raises OSError if not even a folder for temporary files can be written.
    """
    choice = os.environ.get(CHOICE)
    places = [Path(choice)] if choice else [source / "__pycache__", *_user_cache()]
    for place in places:
        if _make(place / name):
            return place / name
    folder = _private() / name
    folder.mkdir(exist_ok=True)
    return folder


def _user_cache() -> list[Path]:
    """Return the folder in the user's cache, none for a user without a home."""
    try:
        return [Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "upreg"]
    except RuntimeError:
        return []


def _make(folder: Path) -> bool:
    """Return whether files can be put into the folder, by putting one there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _private() -> Path:
    folder = Path(tempfile.gettempdir()) / f"upreg-kernels-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    facts = folder.stat()
    if facts.st_uid != os.getuid() or facts.st_mode & 0o077:  # compiled code is code: trust no other
        return Path(tempfile.mkdtemp(prefix="upreg-kernels-"))
    return folder
