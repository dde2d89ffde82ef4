"""The web server: waitress, its port taken before anything else is done."""

import errno
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from types import FrameType
from typing import Any

import waitress

THREADS = 16  # a page with two players asks for several ranges at once, and each holds a thread while it streams


class PortTakenError(OSError):
    """Somebody else listens there."""


def listen(host: str, port: int) -> socket.socket:
    """Take the port; raises PortTakenError, or OSError or OverflowError if there is no such address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(1024)
    except (OSError, OverflowError) as error:
        bound.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise PortTakenError(*error.args) from error
        raise
    return bound


def serve(app: Any, bound: socket.socket, *, when_ready: Callable[[], None]) -> None:
    """Serve until SystemExit or KeyboardInterrupt; ``when_ready`` is called once the first page was answered."""
    server = waitress.create_server(
        app, sockets=[bound], threads=THREADS, ident="UPReg", clear_untrusted_proxy_headers=False
    )
    threading.Thread(target=_announce, args=(bound.getsockname(), when_ready), daemon=True).start()
    try:
        server.run()
    finally:
        for channel in list(server.active_channels.values()):  # browsers keep their connections open
            channel.handle_close()
        server.close()


def stop_on_sigterm() -> None:
    """Make SIGTERM end this process as Ctrl-C does, with all that has to be tidied up."""
    signal.signal(signal.SIGTERM, _stop)


def _stop(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def _announce(address: tuple[Any, ...], when_ready: Callable[[], None]) -> None:
    host, port = address[:2]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    while not _answers(f"http://{name}:{port}/login/"):
        time.sleep(0.1)
    when_ready()


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=5).close()
    except urllib.error.HTTPError:  # an answer all the same
        return True
    except OSError:
        return False
    return True
