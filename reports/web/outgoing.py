"""Send a request out of the house: to public addresses alone, without being led elsewhere, for some seconds.

Whoever adds a webhook chooses where the server connects to, from inside the network. So the addresses that a name
leads to are looked at when the connection is made, and it is made to the very address that was looked at: a name
that leads elsewhere a moment later changes nothing. The certificate is still that of the name. No redirect is
followed, and no proxy of the environment asked.
"""

import socket
import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

import httpcore
from django.conf import settings

TIMEOUT_S = 10.0  # from connecting to the end of the answer
MOST_READ = 2_000  # bytes of the answer
_NAT64 = 0x64FF9B << 96  # 64:ff9b::/96 carries an IPv4 address in its last four bytes


class RefusedTargetError(Exception):
    """The target lies where webhooks may not go; the message says why and who can allow it."""


@dataclass(frozen=True)
class Answer:
    """What the other side answered: its status and the beginning of its text."""

    status: int
    text: str


def post(url: str, body: bytes, headers: dict[str, str], *, timeout_s: float = TIMEOUT_S) -> Answer:
    """Send a body to an address and return the answer, whatever its status.

    Raises
    ------
    RefusedTargetError
        The name leads into the local network, which nobody has allowed.
    OSError, httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError
        The other side is away, hangs or speaks no HTTP.

    """
    with (
        checked_pool(timeout_s) as pool,
        pool.stream("POST", url, headers=list(headers.items()), content=body) as response,
    ):
        return Answer(response.status, _beginning(response.iter_stream()))


def checked_pool(timeout_s: float) -> httpcore.ConnectionPool:
    """Return what connects to checked addresses alone; all that it is asked lasts so many seconds together."""
    network = _CheckedNetwork(time.monotonic() + timeout_s)
    return httpcore.ConnectionPool(ssl_context=trusted(), network_backend=network, max_connections=1)


@cache
def trusted() -> ssl.SSLContext:
    """Return whose certificates are believed: read once by a process, as that takes a seventh of a second."""
    context = httpcore.default_ssl_context()
    context.load_default_certs()  # and whom this machine trusts besides, such as a company's own
    return context


def trouble(error: Exception) -> str:
    """Say in words what went wrong on the way."""
    if isinstance(error, httpcore.TimeoutException):
        return "no whole answer in time"
    if isinstance(error, socket.gaierror):
        return "the name of its host leads nowhere"
    kind = "no connection" if isinstance(error, httpcore.NetworkError) else type(error).__name__
    return f"{kind}: {error}"


def _beginning(chunks: Iterable[bytes]) -> str:
    read = b""
    for chunk in chunks:
        read += chunk
        if len(read) >= MOST_READ:
            break
    return read[:MOST_READ].decode(errors="replace")


def checked_addresses(host: str, port: int) -> list[str]:
    """Return the addresses that a name leads to. Raises RefusedTargetError if any of them is not to be reached."""
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for text in found:
        if not may_reach(text):
            raise RefusedTargetError(
                f"{host} leads to {text}, which lies in the local network. "
                "Name that network in UPREG_WEBHOOK_LOCAL to allow it."
            )
    return list(dict.fromkeys(found))


def may_reach(text: str) -> bool:
    """Tell whether a webhook may connect to an IP address: a public one, or one of ``WEBHOOK_LOCAL``."""
    address = _meant(ip_address(text.partition("%")[0]))
    if any(address.version == network.version and address in network for network in settings.WEBHOOK_LOCAL):
        return True
    return address.is_global and not address.is_multicast


def _meant(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 one only wraps, else the address itself."""
    if isinstance(address, IPv4Address):
        return address
    wrapped = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
    if wrapped is None and int(address) >> 32 == _NAT64 >> 32:
        wrapped = IPv4Address(int(address) & 0xFFFFFFFF)
    return wrapped or address


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("no whole answer in time")
    return left


class _CheckedNetwork(httpcore.SyncBackend):
    """Connects to checked addresses, and lets all that follows last until ``end`` together."""

    def __init__(self, end: float) -> None:
        self._end = end

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        failed: Exception | None = None
        for address in checked_addresses(host, port):
            try:
                stream = super().connect_tcp(address, port, _left(self._end), local_address, socket_options)
                return _BoundedStream(stream, self._end)
            except httpcore.ConnectError as error:
                failed = error
        raise failed or httpcore.ConnectError(f"{host} leads nowhere")


class _BoundedStream(httpcore.NetworkStream):
    """A connection that is cut at ``end``, also from one who sends a byte now and then."""

    def __init__(self, stream: httpcore.NetworkStream, end: float) -> None:
        self._stream, self._end = stream, end

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(self._end))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(self._end))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _BoundedStream(self._stream.start_tls(ssl_context, server_hostname, _left(self._end)), self._end)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
