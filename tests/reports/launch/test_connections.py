import threading
from contextlib import ExitStack, closing
from ipaddress import ip_network

import pytest

from reports.web.bounds import UNREAD
from tests.serving import PATIENCE_S, ask, plug, serving, told

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


def hello(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"hello"]


@pytest.fixture
def many():
    """Return how to connect and speak; all are closed in the end."""
    with ExitStack() as opened:

        def _many(port, count, words=b"", *, answered=False):
            found = []
            for _ in range(count):
                found.append(opened.enter_context(closing(plug(port))))
                found[-1].sendall(words)
                assert not answered or found[-1].recv(65536)
            return found

        yield _many


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"idle_s": 0.1}, b""),
        ({"idle_s": 0.1}, REQUEST),  # a page, then silence
        ({"head_s": 0.1}, b"GET / HTTP/1.1\r\nX-Slow: "),
        ({"head_s": 0.1, "body_s": 0.1}, b"POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\nx"),
    ],
    ids=["silent", "half-open keep-alive", "slow head", "slow body"],
)
def test_whoever_keeps_a_step_waiting_is_let_go(limits, words, many):
    with serving(hello, **limits) as (_, port):
        (slow,) = many(port, 1, words)
        told(slow)  # returns when the server closes
        assert ask(port)[0] == 200


def test_a_letter_now_and_then_is_no_reason_to_stay(many):
    with serving(hello, head_s=0.3) as (_, port):
        (slow,) = many(port, 1, b"GET / HTTP/1.1\r\nX-Slow: ")
        slow.settimeout(0.05)
        for _ in range(PATIENCE_S * 20):
            try:
                slow.sendall(b"x")
                assert slow.recv(1) == b""
                return
            except TimeoutError:
                continue
            except OSError:
                return
        pytest.fail("it could stay for ever")


@pytest.mark.parametrize("limits", [{"per_address": 4}, {"connections": 4}], ids=["of one address", "in all"])
@pytest.mark.parametrize("words", [b"", REQUEST, REQUEST[:-2]], ids=["silent", "half-open", "slow head"])
def test_beyond_a_limit_the_oldest_idler_makes_room_for_the_newcomer(limits, words, many):
    with serving(hello, **limits) as (server, port):
        crowd = many(port, 12, words, answered=words == REQUEST)
        assert ask(port)[0] == 200
        told(crowd[0])  # returns: it was closed
        assert len(server.active_channels) <= 4


def test_a_page_in_the_making_is_never_given_up_for_a_newcomer(many):
    begun, go_on = threading.Event(), threading.Event()

    def slow_page(environ, start_response):
        begun.set()
        assert go_on.wait(PATIENCE_S)
        return hello(environ, start_response)

    with serving(slow_page, threads=1, per_address=1) as (_, port):
        (patient,) = many(port, 1, REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert begun.wait(PATIENCE_S)
        (newcomer,) = many(port, 1)
        assert told(newcomer) == b""
        go_on.set()
        assert told(patient).endswith(b"hello")


def test_a_trusted_proxy_may_hold_more_than_one_address_may(many):
    with serving(hello, per_address=2, trusted=[ip_network("127.0.0.0/8")]) as (_, port):
        crowd = many(port, 6)
        for each in crowd:
            each.sendall(REQUEST)
            assert each.recv(65536).startswith(b"HTTP/1.1 200")


def test_a_request_that_is_too_large_is_refused_unread():
    def app(environ, start_response):
        read = environ["wsgi.input"].read()
        start_response("413 Too large" if environ.get(UNREAD) else "200 OK", [])
        return [read]

    with serving(app, body_bytes=1000, head_bytes=2000) as (_, port):
        assert ask(port, method="POST", **{"Content-Length": "1001"})[0] == 413
        assert ask(port, X="y" * 3000)[0] == 431


def test_readers_who_take_nothing_hold_no_thread(many, tmp_path):
    film = tmp_path / "film"
    film.write_bytes(bytes(40 << 20))  # more than waitress keeps of an answer before a thread has to wait

    def app(environ, start_response):
        if environ["PATH_INFO"] == "/":
            return hello(environ, start_response)
        start_response("200 OK", [("Content-Length", str(40 << 20))])
        if environ["PATH_INFO"] == "/file":
            return environ["wsgi.file_wrapper"](film.open("rb"), 4096)
        return (bytes(1 << 20) for _ in range(40))  # an export that is made while it is sent

    with serving(app, threads=1) as (_, port):
        for path in (b"/file", b"/made"):
            many(port, 1, REQUEST.replace(b"/ ", path + b" "))
        assert ask(port)[0] == 200


def test_a_reader_who_takes_nothing_is_let_go_in_the_end(many, tmp_path):
    film = tmp_path / "film"
    film.write_bytes(bytes(16 << 20))

    def app(environ, start_response):
        start_response("200 OK", [("Content-Length", str(16 << 20))])
        return environ["wsgi.file_wrapper"](film.open("rb"), 4096)

    with serving(app, stalled_s=0.1) as (server, port):
        (reader,) = many(port, 1, REQUEST)
        assert reader.recv(1)
        for _ in range(PATIENCE_S * 20):
            if not server.active_channels:
                break
            threading.Event().wait(0.05)
        assert not server.active_channels
        assert len(told(reader)) < 16 << 20
