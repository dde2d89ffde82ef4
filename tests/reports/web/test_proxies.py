from ipaddress import ip_network

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse

from reports.web.proxies import FORWARDED, TrustedProxyMiddleware, client_address
from upreg_site import env


@pytest.fixture
def ask(rf, settings):
    """Return how to pass a request of a peer through the middleware; it returns what a view would see."""
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/8"), ip_network("fd00::/64")]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

    def _ask(peer, **headers):
        seen = []
        middleware = TrustedProxyMiddleware(lambda request: seen.append(request) or HttpResponse())
        middleware(rf.get("/", REMOTE_ADDR=peer, headers=headers))
        return seen[0]

    return _ask


def test_a_trusted_proxy_tells_the_client_and_its_scheme(ask):
    request = ask("10.0.0.5", host="testserver", x_forwarded_for="203.0.113.9", x_forwarded_proto="https")
    assert (client_address(request), request.is_secure()) == ("203.0.113.9", True)
    assert request.build_absolute_uri("/") == "https://testserver/"


def test_nothing_that_a_stranger_says_of_proxies_is_left(ask):
    told = {header.removeprefix("HTTP_").lower(): "https" for header in FORWARDED}
    request = ask("203.0.113.66", **told)
    assert (client_address(request), request.is_secure()) == ("203.0.113.66", False)
    assert not [header for header in FORWARDED if header in request.META]


@pytest.mark.parametrize(
    ("peer", "hops", "client"),
    [
        ("10.0.0.5", "198.51.100.1, 203.0.113.9", "203.0.113.9"),  # what the client made up stands further left
        ("10.0.0.5", "198.51.100.1, 203.0.113.9, 10.0.0.7", "203.0.113.9"),  # two proxies of ours
        ("10.0.0.5", "nonsense", "10.0.0.5"),
        ("10.0.0.5", "203.0.113.9, nonsense", "10.0.0.5"),
        ("10.0.0.5", "", "10.0.0.5"),
        ("10.0.0.5", "10.0.0.8", "10.0.0.8"),
        ("fd00::5", "[2001:db8::1]", "2001:db8::1"),
        ("::ffff:10.0.0.5", "203.0.113.9", "203.0.113.9"),  # a server that listens on both families
        ("10.0.0.5", ",".join(["10.0.0.7"] * 5000), "10.0.0.7"),
    ],
)
def test_the_client_is_the_first_address_from_the_right_that_is_no_proxy_of_ours(ask, peer, hops, client):
    assert client_address(ask(peer, x_forwarded_for=hops)) == client


def test_a_peer_without_an_address_is_nobody(ask):
    assert client_address(ask("", x_forwarded_for="203.0.113.9")) == ""


def test_networks_that_are_none_are_refused_by_name(monkeypatch):
    monkeypatch.setenv("UPREG_TRUSTED_PROXIES", "10.0.0.0/8, proxy.example")
    with pytest.raises(ImproperlyConfigured, match=r"UPREG_TRUSTED_PROXIES: 'proxy\.example'"):
        env.networks("TRUSTED_PROXIES", [])
