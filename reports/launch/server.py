"""The web server: waitress, its port taken before anything else is done."""

import errno
import signal
import socket
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.servers.basehttp import get_internal_wsgi_application

from reports.launch.connections import LimitedServer, Limits


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


def page_server(bound: socket.socket) -> LimitedServer:
    """Return the server of one page process; all of them together keep so many connections as are set."""
    limits = Limits(
        connections=-(-settings.CONNECTIONS // settings.WEB_PROCESSES),
        per_address=settings.CONNECTIONS_PER_ADDRESS,
        body_bytes=settings.REQUEST_MB << 20,
    )
    app, trusted = get_internal_wsgi_application(), settings.TRUSTED_PROXIES
    return LimitedServer(app, bound, threads=settings.THREADS, limits=limits, trusted=trusted)


def serve(server: LimitedServer, *, when_ready: Callable[[], None] | None = None) -> None:
    """Serve until SystemExit or KeyboardInterrupt; ``when_ready`` is called once the first page was answered."""
    address = server.socket.getsockname()
    if when_ready:
        threading.Thread(target=_announce, args=(address, when_ready), daemon=True).start()
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
    host, port = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address[0], address[0]), address[1]
    while not _answers(host, port):
        time.sleep(0.1)
    when_ready()


def _answers(host: str, port: int) -> bool:
    """Tell whether a page is answered, be it that plain HTTP is led to HTTPS."""
    asking = HTTPConnection(host, port, timeout=5)
    try:
        asking.request("GET", "/login/")
        asking.getresponse().read()
    except (OSError, HTTPException):
        return False
    finally:
        asking.close()
    return True
