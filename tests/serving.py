"""The real server on a port of its own in this process, and plain sockets to speak with it."""

import socket
import threading
from contextlib import contextmanager, suppress

from waitress import wasyncore

from reports.launch.connections import LimitedServer, Limits
from reports.launch.server import listen

PATIENCE_S = 30  # ends a test that hangs; nothing is measured against it


@contextmanager
def serving(app, *, threads=2, trusted=(), **limits):
    """Serve a WSGI app; yields the server and its port."""
    with listen("127.0.0.1", 0) as bound:
        server = LimitedServer(app, bound, threads=threads, limits=Limits(**limits), trusted=trusted)
        server.adj.asyncore_loop_timeout, server.adj.cleanup_interval = 0.05, 0  # no test waits a second
        loop = threading.Thread(target=server.run)
        loop.start()
        try:
            yield server, bound.getsockname()[1]
        finally:
            with suppress(
                OSError
            ):  # an answer that was sent just now may have woken the loop, which has ended by it
                server.trigger.pull_trigger(lambda: _close_all(server))
            loop.join(PATIENCE_S)
            server.task_dispatcher.shutdown()


def _close_all(server):
    for channel in list(server.active_channels.values()):
        channel.handle_close()
    wasyncore.close_all(server._map)


def plug(port):
    """Connect and say nothing."""
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)


def told(sock):
    """Return all that comes until the other side closes."""
    pieces = []
    try:
        while piece := sock.recv(65536):
            pieces.append(piece)
    except ConnectionResetError:
        pass
    return b"".join(pieces)


def ask(port, path="/", *, method="GET", **headers):
    """Ask for a page on a connection of its own; returns the status and all that was told."""
    lines = [f"{method} {path} HTTP/1.1", "Connection: close", *(f"{key}: {v}" for key, v in headers.items())]
    with plug(port) as sock:
        sock.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = told(sock)
    return int(answer[9:12] or 0), answer.decode("latin-1")
