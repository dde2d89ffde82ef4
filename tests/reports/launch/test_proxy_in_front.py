"""A proxy that ends TLS, in small, before the real server over real sockets; and somebody who only says so."""

import re
import socketserver
import threading
from contextlib import contextmanager
from ipaddress import ip_network

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpResponse
from django.urls import path

from reports.web.proxies import client_address
from tests.serving import ask, plug, serving, told


def who(request):
    return HttpResponse(f"{request.build_absolute_uri('/runs/')} for {client_address(request)}")


urlpatterns = [path("who/", who)]


@contextmanager
def proxy_before(port):
    """Pass requests on with what nginx would say of them: whom they come from, and that they came by HTTPS."""

    class Pass(socketserver.StreamRequestHandler):
        def handle(self):
            head = b"".join(iter(self.rfile.readline, b"\r\n"))
            came_for = re.search(rb"X-Forwarded-For: (\S+)\r\n", head)
            hops = (came_for[1] + b", " if came_for else b"") + b"203.0.113.9"
            kept = re.sub(rb"X-Forwarded-\S+: \S+\r\n", b"", head)
            with plug(port) as server:
                server.sendall(kept + b"X-Forwarded-For: " + hops + b"\r\nX-Forwarded-Proto: https\r\n\r\n")
                self.wfile.write(told(server))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Pass) as proxy:
        threading.Thread(target=proxy.serve_forever, args=(0.02,), daemon=True).start()
        yield proxy.server_address[1]
        proxy.shutdown()


@pytest.fixture
def site(settings):
    """Return how to serve the site as UPREG_HTTPS=1 does, with the proxies that are trusted."""
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = settings.MIDDLEWARE[:4]  # who it is and HTTPS: what comes next asks who may
    settings.ALLOWED_HOSTS = ["upreg.example"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_HSTS_SECONDS, settings.SECURE_SSL_REDIRECT = 3600, True

    @contextmanager
    def _site(*trusted):
        settings.TRUSTED_PROXIES = [ip_network(network) for network in trusted]
        handler = WSGIHandler()
        with serving(handler, trusted=settings.TRUSTED_PROXIES) as (_, port), proxy_before(port) as front:
            yield port, front

    return _site


def test_behind_a_trusted_proxy_everything_is_https_and_the_client_is_known(site):
    with site("127.0.0.1") as (_, front):
        status, answer = ask(front, "/who/", Host="upreg.example")
    assert status == 200
    assert "https://upreg.example/runs/ for 203.0.113.9\r\n" in answer
    assert "Strict-Transport-Security: max-age=3600" in answer


def test_what_a_client_makes_up_before_the_proxy_is_not_believed(site):
    with site("127.0.0.1") as (_, front):
        answer = ask(front, "/who/", Host="upreg.example", **{"X-Forwarded-For": "198.51.100.1"})[1]
    assert " for 203.0.113.9\r\n" in answer


def test_an_untrusted_peer_that_speaks_like_a_proxy_is_led_to_https(site):
    with site("10.0.0.0/8") as (port, _):
        claims = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
        status, answer = ask(port, "/who/?a=1", Host="upreg.example", **claims)
    assert status == 301
    assert "Location: https://upreg.example/who/?a=1\r\n" in answer
    assert "Strict-Transport-Security" not in answer


def test_plain_http_that_reaches_a_server_without_https_is_answered_as_such(site, settings):
    settings.SECURE_SSL_REDIRECT = False
    with site() as (port, front):
        assert "http://upreg.example/runs/ for 127.0.0.1\r\n" in ask(front, "/who/", Host="upreg.example")[1]
        assert ask(port, "/who/", Host="upreg.example")[0] == 200
