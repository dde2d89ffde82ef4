"""What the web server grants a connection: time for each step, and a place as long as others need none.

waitress reads requests and sends answers in one loop beside the threads that make pages, so that a slow client
costs a connection and no thread. It lets whoever says a letter now and then stay for ever, though, and stops
answering everybody at its limit of connections. Here each step has an end, and at a limit the connection that has
been of no use for longest gives way to the newcomer.
"""

import resource
import socket
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from ipaddress import IPv4Network, IPv6Network
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, Task, WSGITask
from waitress.utilities import RequestEntityTooLarge

from reports.web.bounds import UNREAD
from reports.web.proxies import is_trusted, parsed_address

TURN_BYTES = (
    1 << 20
)  # sent to one client before it is the next one's turn: a fast reader of a video holds up nobody
PIECE_BYTES = 1 << 16  # read of a file at once: a client that takes a little is not read megabytes for
_SPARE_FILES = 128  # database, logs, static files and what libraries open
_FILES_EACH = 2  # a connection and the file that it sends


@dataclass(frozen=True)
class Limits:
    """How much a client may ask for, and how long each step may take (seconds)."""

    connections: int = 1000  # in all
    # A browser opens six to a host: 50 people behind one address of a lab hold 300.
    per_address: int = 400
    head_s: float = 20.0  # from the first letter of a request to the end of its head
    body_s: float = 30.0  # for the body, and besides a second for each slowest_bytes of it
    slowest_bytes: int = 16_384
    idle_s: float = 60.0  # without a request; browsers open connections in advance
    stalled_s: float = 60.0  # a client that takes nothing of an answer; a paused player asks again
    head_bytes: int = 65_536  # a page of filters has long addresses; nothing else comes near
    body_bytes: int = 16 << 20  # the largest form, thousands of rows triaged at once, has a tenth


LIMITS = Limits()


class UnreadTask(WSGITask):
    """A request whose body is too large to be read: the application is told so, and answers in its own words."""

    def execute(self) -> None:
        """Answer, and close: the rest of the body would be taken for the next request."""
        self.set_close_on_finish()
        super().execute()

    def get_environment(self) -> dict[str, Any]:
        """Return the environment without the body."""
        found: dict[str, Any] = super().get_environment()
        return {**found, UNREAD: True, "CONTENT_LENGTH": "0", "wsgi.input": BytesIO()}


def _refusal(channel: HTTPChannel, request: HTTPRequestParser) -> Task:
    """Return what answers a request that waitress refuses."""
    return (UnreadTask if isinstance(request.error, RequestEntityTooLarge) else ErrorTask)(channel, request)


class LimitedChannel(HTTPChannel):
    """One connection that knows what it waits for and since when."""

    error_task_class = staticmethod(_refusal)
    begun = 0.0  # when the request that is being read began
    _turn_left = TURN_BYTES

    def __init__(self, server: Any, sock: socket.socket, *rest: Any, **more: Any) -> None:
        super().__init__(server, sock, *rest, **more)
        self.sendbuf_len: int = min(sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF), PIECE_BYTES)

    @cached_property
    def origin(self) -> str:
        """Return whose connection it is: an IPv4 address, or the IPv6 network that one host has to itself."""
        address = parsed_address(self.addr[0])
        return str(IPv6Network((address, 64), strict=False)) if address and address.version == 6 else str(address)

    def received(self, data: bytes) -> bool:
        """Note when a request begins."""
        before = self.request
        taken: bool = super().received(data)
        if self.request is not before:
            self.begun = time.time()
        return taken

    def is_overdue(self, now: float, limits: Limits) -> bool:
        """Tell whether this client has had the time that its step may take."""
        if self.requests:
            return False  # a thread makes its page
        if self.total_outbufs_len:
            return now - self.last_activity > limits.stalled_s
        request = self.request
        if request is None:
            return now - self.last_activity > limits.idle_s
        if not request.headers_finished:
            return now - self.begun > limits.head_s
        granted = limits.head_s + limits.body_s + request.body_bytes_received / limits.slowest_bytes
        return now - self.begun > granted

    def since(self) -> float:
        """Return since when it has been of no use: its last answer, or the request that is still not done with."""
        return self.begun if self.request or self.total_outbufs_len else self.last_activity

    def _flush_some(self, do_close: bool = True) -> bool:
        self._turn_left = TURN_BYTES
        return bool(super()._flush_some(do_close=do_close))

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what the client takes, up to the end of its turn."""
        if self._turn_left <= 0:
            return 0
        sent: int = super().send(data, do_close=do_close)
        self._turn_left -= sent
        return sent


class LimitedServer(TcpWSGIServer):
    """waitress with limits for each address and each step. ``trusted`` proxies count for all their clients."""

    channel_class = LimitedChannel
    active_channels: dict[int, LimitedChannel]

    def __init__(
        self,
        app: Any,
        bound: socket.socket,
        *,
        threads: int,
        limits: Limits = LIMITS,
        trusted: Sequence[IPv4Network | IPv6Network] = (),
    ) -> None:
        self._limits, self._trusted = limits, trusted
        self._most = min(limits.connections, _room_for(limits.connections))
        adjustments = Adjustments(
            sockets=[bound],
            threads=threads,
            ident="UPReg",
            clear_untrusted_proxy_headers=False,  # TrustedProxyMiddleware does, and knows networks
            asyncore_use_poll=True,  # select() knows no file beyond the 1024th
            cleanup_interval=1,
            connection_limit=self._most + _SPARE_FILES,  # never reached: at ours somebody gives way
            max_request_header_size=limits.head_bytes,
            max_request_body_size=limits.body_bytes,
            outbuf_high_watermark=1 << 32,  # an export goes to a temporary file, never waits for its reader
            log_socket_errors=False,  # a client that went away is no error of ours
        )
        place = (bound.family, bound.type, bound.proto, bound.getsockname())
        super().__init__(app, {}, True, bound, adj=adjustments, bind_socket=False, sockinfo=place)

    def maintenance(self, now: float) -> None:
        """Close what is overdue; at once, for a client that takes nothing never becomes writable."""
        for channel in list(self.active_channels.values()):
            if channel.is_overdue(now, self._limits):
                channel.handle_close()

    def handle_accept(self) -> None:
        """Take a newcomer in; beyond a limit the longest useless connection makes room."""
        before = set(self.active_channels)
        super().handle_accept()
        for number in set(self.active_channels) - before:
            self._make_room(self.active_channels[number])

    def _make_room(self, newcomer: LimitedChannel) -> None:
        channels = self.active_channels.values()
        if not is_trusted(newcomer.addr[0], self._trusted):
            own = [channel for channel in channels if channel.origin == newcomer.origin]
            if len(own) > self._limits.per_address:
                _close_one(own, newcomer)
                return
        if len(channels) > self._most:
            crowd = Counter(channel.origin for channel in channels).most_common(1)[0][0]
            _close_one([channel for channel in channels if channel.origin == crowd], newcomer)


def _close_one(channels: Sequence[LimitedChannel], newcomer: LimitedChannel) -> None:
    """Close the one that has been of no use for longest and has no page in the making; else the newcomer."""
    waiting = [channel for channel in channels if channel is not newcomer and not channel.requests]
    min(waiting, key=LimitedChannel.since, default=newcomer).handle_close()


def _room_for(connections: int) -> int:
    """Ask the system for as many open files as connections need; return for how many it has room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections * _FILES_EACH + _SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            soft_now = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft_now, hard))
            soft = soft_now
    return connections if soft == resource.RLIM_INFINITY else max(16, (soft - _SPARE_FILES) // _FILES_EACH)
