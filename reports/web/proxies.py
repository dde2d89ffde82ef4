"""Whom a request comes from: what a proxy says of it is believed only if the proxy is one of ours."""

from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

Address = IPv4Address | IPv6Address
Networks = Sequence[IPv4Network | IPv6Network]
# Every header by which a proxy speaks of a client: nothing behind the middleware may see one of a stranger.
FORWARDED = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_BY",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
    "HTTP_X_REQUEST_ID",
)
_MOST_HOPS = 20
_BY_PROXY = "upreg.by_proxy"


class TrustedProxyMiddleware:
    """Put the client in the place of a trusted proxy; take away what anybody else says of proxies.

    It comes first: whoever reads ``REMOTE_ADDR``, ``is_secure()`` or a forwarded header later reads the truth.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request whose sender is known."""
        trusted: Networks = settings.TRUSTED_PROXIES
        request.META[_BY_PROXY] = any(header in request.META for header in FORWARDED)
        peer = parsed_address(request.META.get("REMOTE_ADDR", ""))
        if peer is None or not _is_in(peer, trusted):
            for header in FORWARDED:
                request.META.pop(header, None)
        else:
            hops = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
            request.META["REMOTE_ADDR"] = str(_client(peer, hops, trusted))
        return self._get_response(request)


def client_address(request: HttpRequest) -> str:
    """Return the address of whoever asks: the peer's, or what a trusted proxy says of its own; empty if unknown."""
    address = parsed_address(request.META.get("REMOTE_ADDR", ""))
    return str(address) if address else ""


def came_by_proxy(request: HttpRequest) -> bool:
    """Tell whether a request says that a proxy passed it on, one of ours or not."""
    return bool(request.META.get(_BY_PROXY, True))


def is_loopback(address: str) -> bool:
    """Tell whether an address is this machine's own."""
    parsed = parsed_address(address)
    return parsed is not None and parsed.is_loopback


def is_trusted(address: str, trusted: Networks) -> bool:
    """Tell whether an address is one of our proxies."""
    parsed = parsed_address(address)
    return parsed is not None and _is_in(parsed, trusted)


def _client(peer: Address, hops: Sequence[str], trusted: Networks) -> Address:
    """Walk from the nearest proxy outwards, as far as each is trusted; what does not parse ends the way."""
    found = peer
    for hop in hops[: -_MOST_HOPS - 1 : -1]:
        address = parsed_address(hop)
        if address is None:
            break
        found = address
        if not _is_in(address, trusted):
            break
    return found


def _is_in(address: Address, networks: Networks) -> bool:
    return any(address in network for network in networks)


def parsed_address(text: str) -> Address | None:
    """Read an address that may stand in brackets; an IPv4 one that came through an IPv6 socket as what it is."""
    try:
        address = ip_address(text.strip().removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
