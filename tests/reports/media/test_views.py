from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse
from django.utils import timezone

from reports.models import AuditEntry
from tests import factories

pytestmark = pytest.mark.django_db
CONTENT = bytes(range(256)) * 4096  # 1 MiB: more than one piece of the stream


@pytest.fixture
def run():
    run = factories.run(
        original_name="videos/Mail öffnen 01.mp4", sha256="ab" * 32, file_name="screencasts/ab/x.mp4"
    )
    default_storage.save(run.file_name, ContentFile(CONTENT))
    return run


@pytest.fixture
def get(signed_in, run):
    """Return how to ask for the screencast; every answer is closed in the end, as a server does."""
    with ExitStack() as answers:

        def _get(method="get", query=None, **headers):
            send = getattr(signed_in, method)
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            response = send(reverse("run-video", args=[run.pk]), query, headers=names)
            answers.callback(response.close)
            return response

        yield _get


def body(response):
    return b"".join(response.streaming_content) if response.streaming else response.content


def test_nobody_sees_a_screencast_without_logging_in(client, run):
    response = client.get(reverse("run-video", args=[run.pk]))
    assert response.status_code == 302
    assert response.url.startswith(reverse("login"))


def test_the_whole_file_is_streamed(get):
    response = get()
    assert (response.status_code, response.streaming, body(response) == CONTENT) == (200, True, True)
    assert response.headers["Content-Length"] == str(len(CONTENT))
    assert response.headers["Content-Type"] == "video/mp4"
    assert response.headers["Accept-Ranges"] == "bytes"
    assert response.headers["ETag"] == f'"{"ab" * 32}"'
    assert "Content-Disposition" not in response.headers


@pytest.mark.parametrize(
    ("wanted", "first", "last"),
    [
        ("bytes=0-0", 0, 0),
        ("bytes=0-99", 0, 99),
        ("bytes=300000-900000", 300_000, 900_000),
        ("bytes=1048575-", 1048575, 1048575),
        ("bytes=0-", 0, 1048575),
        ("bytes=-1", 1048575, 1048575),
        ("bytes=-99999999", 0, 1048575),
        ("bytes=1048000-99999999", 1048000, 1048575),
        ("Bytes= 5-6", 5, 6),
    ],
)
def test_a_range_is_answered_with_exactly_those_bytes(get, wanted, first, last):
    response = get(range=wanted)
    assert response.status_code == 206
    assert response.headers["Content-Range"] == f"bytes {first}-{last}/1048576"
    assert response.headers["Content-Length"] == str(last - first + 1)
    assert body(response) == CONTENT[first : last + 1]


@pytest.mark.parametrize("wanted", ["bytes=1048576-", "bytes=1048576-1048580", "bytes=-0", "bytes=99999999999-"])
def test_a_range_past_the_end_is_refused_with_the_size(get, wanted):
    response = get(range=wanted)
    assert (response.status_code, response.headers["Content-Range"]) == (416, "bytes */1048576")


@pytest.mark.parametrize(
    "wanted", ["bytes=5-2", "bytes=-", "bytes=0-1,5-6", "frames=0-1", "bytes=a-b", "bytes=" + "9" * 50 + "-"]
)
def test_a_range_that_is_none_is_answered_with_the_whole_file(get, wanted):
    response = get(range=wanted)
    assert (response.status_code, body(response) == CONTENT) == (200, True)


def test_head_tells_the_size_without_a_body(get):
    for headers in ({}, {"range": "bytes=0-1"}):
        response = get("head", **headers)
        assert (response.status_code, body(response)) == (200, b"")
        assert response.headers["Content-Length"] == str(len(CONTENT))
        assert response.headers["Accept-Ranges"] == "bytes"


@pytest.mark.parametrize("known", ['"{}"', 'W/"{}"', '"x", "{}"', "*"])
def test_a_known_content_is_not_sent_again(get, known):
    response = get(if_none_match=known.format("ab" * 32), range="bytes=0-1")
    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["ETag"]


def test_another_content_is_sent(get):
    assert get(if_none_match='"other"').status_code == 200


@pytest.mark.parametrize(
    ("known", "status"), [('"' + "ab" * 32 + '"', 206), ('"other"', 200), ("Fri, 20 Nov 2026", 200)]
)
def test_if_range_gives_the_range_of_the_same_content_only(get, known, status):
    assert get(range="bytes=0-1", if_range=known).status_code == status


def test_download_keeps_the_original_name(get):
    response = get(query={"download": "1"})
    assert response.headers["Content-Disposition"] == "attachment; filename*=utf-8''Mail%20%C3%B6ffnen%2001.mp4"


def test_only_reading_is_allowed(get):
    assert get("post").status_code == 405


def test_an_unknown_run_is_not_found(signed_in):
    assert signed_in.get(reverse("run-video", args=[404404])).status_code == 404


@pytest.mark.parametrize("method", ["get", "head"])
def test_a_file_that_the_storage_lost_is_not_found_with_the_cure(get, run, method):
    default_storage.delete(run.file_name)
    response = get(method)
    assert (response.status_code, response.headers["Content-Type"]) == (404, "text/plain; charset=utf-8")
    if method == "get":
        assert f"run {run.pk} is no longer in the storage" in response.content.decode()


def test_a_screencast_costs_one_query_of_its_own(get, django_assert_num_queries):
    with django_assert_num_queries(3):  # session, user, run
        body(get(range="bytes=0-1"))


def test_download_is_written_down_once_however_many_parts_it_takes(get, run, signed_in):
    get(query={"download": "1"}, range="bytes=0-99")  # a browser that shares a download out begins like this
    for part in ("bytes=100-199", "bytes=200-"):
        get(query={"download": "1"}, range=part)
    get("head", {"download": "1"})
    get(query={"download": "1"}, if_none_match=f'"{run.sha256}"')  # nothing is sent
    get(range="bytes=0-")  # a player
    get()

    entry = AuditEntry.objects.get(action="exported")
    assert (entry.who, entry.kind, entry.object_id, entry.subject) == (
        "engineer",
        "run",
        run.pk,
        "Mail öffnen 01.mp4",
    )
    get(query={"download": "1"})
    assert AuditEntry.objects.filter(action="exported").count() == 2


def test_download_that_only_resumes_is_written_down_if_it_is_of_somebody_else_or_long_ago(get, run, admin_user):
    engineer = get_user_model().objects.get(username="engineer")
    facts = {"action": "exported", "kind": "run", "object_id": run.pk, "subject": "x"}
    for user, ago in ((engineer, timedelta(hours=2)), (admin_user, timedelta())):
        AuditEntry.objects.create(made_at=timezone.now() - ago, user_id=user.pk, who=user.get_username(), **facts)

    get(query={"download": "1"}, range="bytes=100-")

    exported = AuditEntry.objects.filter(action="exported")
    assert list(exported.values_list("who", flat=True)) == ["engineer", "admin", "engineer"]
