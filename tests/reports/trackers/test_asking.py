"""What trackers may do to us."""

import socket

import pytest

from reports.trackers import asking
from reports.trackers.asking import NoAnswerError, ask
from tests.reports.trackers.exchanges import Exchange, served


def test_local_network_is_refused_for_good_unless_it_is_allowed(settings):
    settings.WEBHOOK_LOCAL = []

    with pytest.raises(NoAnswerError, match="UPREG_WEBHOOK_LOCAL") as refused:
        ask("GET", "http://127.0.0.1:9/", headers={})

    assert not refused.value.again


def test_redirect_is_an_answer_like_any_other_and_what_is_no_json_is_none():
    exchange = Exchange("GET /x", b"moved", 302, query={"q": "a b"}, answered={"Location": "http://127.0.0.1:1/"})
    with served([exchange]) as address:
        answer = ask("GET", address + "/x", headers={}, params={"q": "a b"})

    assert (answer.status, answer.data) == (302, None)


def test_answer_that_is_too_long_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(asking, "MOST_BYTES", 1_000)
    with served([Exchange("GET /", b"x" * 5_000)]) as address, pytest.raises(NoAnswerError, match="more than"):
        ask("GET", address + "/", headers={})


def test_server_that_hangs_is_given_up_for_now(monkeypatch):
    monkeypatch.setattr(asking, "WHOLE_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:  # it takes the connection and says nothing
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        with pytest.raises(NoAnswerError, match="did not answer within") as given_up:
            ask("GET", address, headers={})

    assert given_up.value.again


@pytest.mark.parametrize(
    "address", ["http://nobody.invalid/", "ftp://x.example/", "http://" + "x" * 300 + ".example/"]
)
def test_address_of_nobody_is_named(address):
    with pytest.raises(NoAnswerError):
        ask("GET", address, headers={})
