"""The client's server: a made-up one, and pauses that take no time."""

from functools import partial

import pytest
import respx

from tests.upreg_client.fake import SITE, TOKEN, FakeServer
from upreg_client import commandline
from upreg_client.server import Patience, Server


@pytest.fixture
def router():
    """Catch all that httpx asks; nothing reaches a network."""
    with respx.mock(assert_all_called=False) as router:
        yield router


@pytest.fixture
def fake(router):
    """Return the made-up server."""
    return FakeServer(router)


@pytest.fixture
def pauses():
    """Return the seconds that the client would have waited."""
    return []


@pytest.fixture
def server(router, pauses):
    """Return a client of the made-up server that waits no time and draws no lots."""
    with Server(SITE, TOKEN, patience=Patience(tries=4), wait=pauses.append, chance=lambda: 1.0) as server:
        yield server


@pytest.fixture
def command(router, monkeypatch, tmp_path):
    """Return what runs ``upreg`` with its server and token from the environment; no pause takes time."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(commandline, "Server", partial(Server, wait=lambda seconds: None))
    environment = {"UPREG_SERVER": SITE, "UPREG_TOKEN": TOKEN}

    def run(*arguments, **more):
        return commandline.main([str(each) for each in arguments], environment | more)

    return run
