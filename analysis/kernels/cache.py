"""Where compiled kernels are kept, so that a second process need not compile them.

Numba keeps them beside the source, else in the user's cache folder. A service account on a read-only image has
neither: then they go to a private folder for temporary files.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numba


def choose_folder(source: Path = Path(__file__).parent, home: Path | None = None) -> str:
    """Return the folder that numba was told to use, empty if its own choice can be written or a user chose one."""
    if os.environ.get("NUMBA_CACHE_DIR") or _writable(source) or _writable(home or _user_cache()):
        return ""
    folder = Path(tempfile.gettempdir()) / f"upreg-kernels-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if (
        folder.stat().st_uid != os.getuid() or folder.stat().st_mode & 0o077
    ):  # compiled code is code: trust no other
        folder = Path(tempfile.mkdtemp(prefix="upreg-kernels-"))
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    return str(folder)


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())


def _writable(folder: Path) -> bool:
    """Return whether a file could be put there, now or after making the missing folders."""
    nearest = next(parent for parent in (folder, *folder.parents) if parent.exists())
    return os.access(nearest, os.W_OK | os.X_OK)
