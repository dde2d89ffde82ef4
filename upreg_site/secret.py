"""Keep one random signing key per installation, so that no default key is ever in use."""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path


def local_secret_key(file: Path) -> str:
    """Return the key in ``file``; make it, readable by its owner alone, when there is none.

    Two processes that start at once agree: only one of them can give its file the name, the other reads that. A
    full disk leaves no half of a key behind.
    """
    if file.exists():
        return file.read_text().strip()
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, written = tempfile.mkstemp(dir=file.parent)  # readable by its owner alone
    try:
        with os.fdopen(handle, "w") as stream:
            stream.write(secrets.token_urlsafe(50))
        with suppress(FileExistsError):
            os.link(written, file)
    finally:
        os.unlink(written)
    return file.read_text().strip()
