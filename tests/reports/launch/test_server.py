import os
import signal
import socket
import threading
import urllib.request

import pytest

from reports.launch.connections import LimitedServer
from reports.launch.server import PortTakenError, listen, serve


def hello(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"hello"]


def test_a_port_that_is_taken_is_told_as_such():
    with listen("127.0.0.1", 0) as first, pytest.raises(PortTakenError):
        listen("127.0.0.1", first.getsockname()[1])


def test_a_host_that_is_not_ours_is_another_error():
    with pytest.raises(OSError) as caught:
        listen("192.0.2.1", 0)
    assert not isinstance(caught.value, PortTakenError)


@pytest.fixture
def _interruptible():
    """Be interrupted as a program in the foreground is: a shell has those in the background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_readiness_is_told_once_pages_answer_and_an_interrupt_ends_the_server(host):
    bound = listen(host, 0)
    port = bound.getsockname()[1]
    answers = []

    def ready():
        answers.append(urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).read())
        os.kill(os.getpid(), signal.SIGINT)

    serve(LimitedServer(hello, bound, threads=2), when_ready=ready)
    assert answers == [b"hello"]
    with socket.socket() as again, pytest.raises(ConnectionRefusedError):
        again.connect(("127.0.0.1", port))
    assert threading.main_thread().is_alive()
