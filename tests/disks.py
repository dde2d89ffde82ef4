"""A disk that takes nothing more, at the lowest level that also binds a test that runs as root."""

import builtins
import os
from pathlib import Path


def takes_nothing(monkeypatch, folder, error):
    """Let every system call that would write below ``folder`` fail with this errno."""
    root = str(Path(folder).resolve())

    def refuse(path, *_):
        if str(path).startswith(root):
            raise OSError(error, os.strerror(error), str(path))

    def guarded(name, writes):
        call = getattr(os, name)

        def _call(path, *args, **options):
            if writes(*args):
                refuse(path)
            return call(path, *args, **options)

        monkeypatch.setattr(os, name, _call)

    def guarded_open(path, mode="r", *args, **options):
        if set(mode) & set("wax+") and isinstance(path, str | Path):
            refuse(path)
        return plain_open(path, mode, *args, **options)

    plain_open = builtins.open
    monkeypatch.setattr(builtins, "open", guarded_open)
    guarded("open", lambda flags, *_: flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    for name in ("mkdir", "unlink", "remove", "rmdir", "rename", "replace"):
        guarded(name, lambda *_: True)
