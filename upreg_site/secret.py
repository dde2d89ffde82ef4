"""Keep one random signing key per installation, so that no default key is ever in use."""

import os
import secrets
from pathlib import Path


def local_secret_key(file: Path) -> str:
    """Return the key in ``file``; make it, readable by its owner alone, when there is none.

    Two processes that start at once agree: the file is created exclusively, the loser reads the winner's.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text().strip()
    key = secrets.token_urlsafe(50)
    with os.fdopen(handle, "w") as stream:
        stream.write(key)
    return key
