import ssl
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from tests.upreg_client.fake import SITE, TOKEN, problem
from upreg_client.failures import NotAllowedError, PassingError, RefusedError, ServerError, StoppedError, UsageError
from upreg_client.server import Patience, checked_address, checked_token

PLACE = f"{SITE}/api/v1/versions/"
GOOD = httpx.Response(200, json={"results": [], "next": None})


def test_request_is_tried_again_with_growing_pauses(router, server, pauses):
    router.get(PLACE).side_effect = [
        httpx.ConnectError("refused"),
        httpx.ReadTimeout(""),
        httpx.Response(503),
        GOOD,
    ]

    assert server.ask("GET", "versions/").status_code == 200
    assert pauses == [0.5, 1.0, 2.0]


def test_request_is_given_up_after_all_tries(router, server, pauses):
    route = router.get(PLACE)
    route.side_effect = httpx.ConnectError("refused")

    with pytest.raises(PassingError, match="cannot be reached"):
        server.ask("GET", "versions/")
    assert (route.call_count, len(pauses)) == (4, 3)


def test_pause_that_the_server_asks_for_is_kept_and_hosts_are_spread_over_a_while(router, server, pauses):
    router.get(PLACE).side_effect = [problem(429, ("", "Too many."), **{"Retry-After": "7"}), GOOD]

    server.ask("GET", "versions/")

    assert pauses == [7.5]


def test_pause_may_be_asked_for_as_a_date(router, server, pauses):
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=300), usegmt=True)
    past = format_datetime(datetime(2020, 1, 1, tzinfo=UTC), usegmt=True)
    router.get(PLACE).side_effect = [
        httpx.Response(503, headers={"Retry-After": then}),
        httpx.Response(503, headers={"Retry-After": past}),
        httpx.Response(503, headers={"Retry-After": "soon"}),
        GOOD,
    ]

    server.ask("GET", "versions/")

    assert 1.0 < pauses[0] <= 300.5
    assert pauses[1:] == [1.0, 2.0]


def test_server_that_asks_for_more_than_is_sensible_is_not_waited_for(router, server, pauses):
    router.get(PLACE).mock(return_value=httpx.Response(503, headers={"Retry-After": "86400"}))

    with pytest.raises(PassingError, match="503"):
        server.ask("GET", "versions/")
    assert pauses == []


@pytest.mark.parametrize("chance", [0.0, 0.3, 1.0])
def test_pauses_double_up_to_the_longest_and_never_lose_more_than_half(chance):
    patience = Patience(tries=12, first_s=0.5, longest_s=30.0)

    pauses = [patience.pause_s(tried, None, chance) for tried in range(1, 12)]

    full = [min(30.0, 0.5 * 2**n) for n in range(11)]
    assert all(0.5 * most <= pause <= most for pause, most in zip(pauses, full, strict=True))
    assert patience.pause_s(12, None, chance) is None


@pytest.mark.parametrize("status", [401, 403])
def test_token_that_may_not_is_told_at_once(router, server, pauses, status):
    router.get(PLACE).mock(return_value=problem(status, title="This token may read.", cure="take one that uploads"))

    with pytest.raises(NotAllowedError, match=r"This token may read\. \(take one that uploads\)"):
        server.ask("GET", "versions/")
    assert pauses == []


def test_refusal_names_its_fields(router, server):
    router.get(PLACE).mock(return_value=problem(422, ("action_ms", "is empty: fill it"), ("x", "is no number")))

    with pytest.raises(RefusedError) as caught:
        server.ask("GET", "versions/")
    assert [fault.field for fault in caught.value.faults] == ["action_ms", "x"]


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(404, html="<h1>nginx</h1>"), httpx.Response(404, json=[]), httpx.Response(405, text="{")],
)
def test_address_that_is_no_upreg_is_told_as_such(router, server, answer):
    router.get(PLACE).mock(return_value=answer)

    with pytest.raises(UsageError, match="check --server"):
        server.ask("GET", "versions/")


def test_proxy_that_takes_no_parts_is_told_with_the_cure(router, server):
    router.get(PLACE).mock(return_value=httpx.Response(413, html="<h1>nginx</h1>"))

    with pytest.raises(UsageError, match="client_max_body_size"):
        server.ask("GET", "versions/")


def test_token_is_never_sent_after_a_redirection(router, server):
    there = "http://elsewhere.invalid/"
    router.get(PLACE).mock(return_value=httpx.Response(301, headers={"Location": there}))

    with pytest.raises(UsageError, match=there):
        server.ask("GET", "versions/")


def test_certificate_that_is_not_trusted_is_told_at_once_with_the_cure(server, pauses):
    distrust = ssl.SSLCertVerificationError()
    distrust.verify_message = "self-signed certificate"

    def refuse(request):
        raise httpx.ConnectError("failed") from distrust

    # respx would put a cause of its own into the error
    server._http = httpx.Client(transport=httpx.MockTransport(refuse), base_url=SITE)

    with pytest.raises(ServerError, match="SSL_CERT_FILE"):
        server.ask("GET", "versions/")
    server._http.close()
    assert pauses == []


def test_full_disk_of_the_server_is_told_at_once(router, server, pauses):
    router.get(PLACE).mock(return_value=problem(507, ("", "The disk is full.")))

    with pytest.raises(ServerError, match="The disk is full"):
        server.ask("GET", "versions/")
    assert pauses == []


def test_nothing_more_is_asked_once_the_client_was_stopped(router, server):
    server.stopped.set()

    with pytest.raises(StoppedError):
        server.ask("GET", "versions/")
    assert not router.calls


@pytest.mark.parametrize(
    "address", ["", "upreg.example.org", "ftp://upreg.example.org", "https://", "http://[::1", "http://me:pw@a"]
)
def test_address_that_is_none_is_refused(address):
    with pytest.raises(UsageError, match="write it like"):
        checked_address(address)


@pytest.mark.parametrize("token", ["", "  \n", "ghp_1234", "upreg_a b", "upreg_ä", "upreg_a\nupreg_b"])
def test_token_that_is_none_is_refused_and_never_shown(token):
    with pytest.raises(NotAllowedError) as caught:
        checked_token(token)
    assert not token.strip() or token not in str(caught.value)


def test_token_from_a_file_may_end_with_a_line():
    assert checked_token(TOKEN + "\n") == TOKEN
