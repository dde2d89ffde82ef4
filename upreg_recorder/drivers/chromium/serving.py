"""A little server of apps in a process of its own: `python -m upreg_recorder.drivers.chromium.serving ROOT`.

The first part of the host that is asked for names the folder below ROOT, so that each app has an origin of its own
(http://mail.localhost:PORT/). It says its port, and ends when its standard input does: with the one that began it.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from hashlib import sha256
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from upreg_recorder.failures import DeviceGoneError, SettledTrialError

HOME = "/--home-screen"
_NAME = re.compile(r"[a-z0-9-]+")
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Home screen</title><link rel="icon" href="data:,"><style>
body {{ margin: 0; min-height: 100vh; background: #2c4a5a; font: 14px sans-serif; color: #fff }}
main {{ display: grid; grid-template-columns: repeat(3, 1fr); padding: 120px 24px; text-align: center }}
a {{ color: inherit; text-decoration: none; -webkit-tap-highlight-color: transparent }}
i {{ display: block; width: 64px; height: 64px; margin: 0 auto 8px; border-radius: 16px; background: {colour} }}
</style><main><a id="{id}" href="{address}"><i></i>{name}</a></main></html>
"""


class Sites:
    """The server, from the side of the one that began it: apps get an address each."""

    def __init__(self) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="upreg-sites-"))
        command = [sys.executable, "-m", __name__, str(self._root)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment()
        )
        assert self._process.stdout is not None
        self._port = self._process.stdout.readline().decode().strip()
        if not self._port:
            self.close()
            raise DeviceGoneError("the server of the apps did not start: is a port of 127.0.0.1 free?")

    def add(self, package: str, folder: Path, aliases: Mapping[str, str] | None = None) -> str:
        """Serve a folder as an app; return its address, without a slash at the end.

        `aliases` are names under which folders of it are found as well. Raises SettledTrialError where there is no
        such folder, or the name is taken.
        """
        folder = folder.resolve()
        entries = {entry.name: entry for entry in folder.iterdir()}
        for name, of in (aliases or {}).items():
            if name in entries:
                raise SettledTrialError(f"aliases: the site has {name!r} already: choose another name, or none")
            if not (folder / of).is_dir():
                raise SettledTrialError(f"aliases: the site has no folder {of!r}: name one of {_folders(folder)}")
            entries[name] = folder / of
        found = _host(package)
        links = self._root / found
        shutil.rmtree(links, ignore_errors=True)
        links.mkdir()
        for name, entry in entries.items():
            (links / name).symlink_to(entry)
        return f"http://{found}.localhost:{self._port}"

    def add_home(self, package: str, name: str, address: str) -> str:
        """Make a home screen with the icon of an app, on the app's own host; return its address."""
        tone = int(sha256(package.encode()).hexdigest()[:4], 16) % 360
        page = _PAGE.format(
            id=html.escape(package),
            name=html.escape(name),
            address=html.escape(address),
            colour=f"hsl({tone} 60% 50%)",
        )
        (self._root / f"{_host(package)}.html").write_text(page, encoding="utf-8")
        return f"http://{_host(package)}.localhost:{self._port}{HOME}"

    def close(self) -> None:
        """End the server."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._root, ignore_errors=True)


def _folders(folder: Path) -> str:
    return ", ".join(sorted(entry.name for entry in folder.iterdir() if entry.is_dir())) or "none, there is none"


def _environment() -> dict[str, str]:
    here = str(Path(__file__).parents[3])  # where this package was found, whether installed or not
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))}


def _host(package: str) -> str:
    """Return a name for hosts, another one for each package."""
    plain = re.sub(r"[^a-z0-9]+", "-", package.lower()).strip("-")
    return f"{plain[:40]}-{sha256(package.encode()).hexdigest()[:8]}".strip("-")


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept, as by servers on the web
    disable_nagle_algorithm = True
    root = Path()

    def translate_path(self, path: str) -> str:
        host = self.headers.get("Host", "").partition(".")[0]
        if not _NAME.fullmatch(host):
            return str(self.root / "nothing")
        if path.partition("?")[0] == HOME:
            return str(self.root / f"{host}.html")
        self.directory = str(self.root / host)
        return super().translate_path(path)

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def main() -> None:
    """Serve until standard input ends."""
    _Handler.root = Path(sys.argv[1])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
