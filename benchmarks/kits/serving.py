"""Serves the apps and the packages they are made of, on a port that is free."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit


@contextmanager
def served(folders: Mapping[str, Path]) -> Iterator[str]:
    """Serve folders, each under a name that begins a path, and return the address."""

    class Handler(SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            asked = unquote(urlsplit(path).path).lstrip("/")
            for name, folder in folders.items():
                if asked.startswith(f"{name}/"):
                    found = (folder / asked.removeprefix(f"{name}/")).resolve()
                    return str(found if found.is_relative_to(folder.resolve()) else folder / "nothing")
            return str(Path("/nothing"))

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
