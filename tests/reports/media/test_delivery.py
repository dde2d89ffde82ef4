import urllib.request
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse

from tests import factories

pytestmark = pytest.mark.django_db
CONTENT = b"0123456789" * 1000


@pytest.fixture
def run():
    run = factories.run(file_name="screencasts/ab/x.mp4", original_name="films/Mail öffnen.mp4", sha256="ab" * 32)
    default_storage.save(run.file_name, ContentFile(CONTENT))
    return run


def fetch(address, **headers):
    request = urllib.request.Request(address, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return answer.status, answer.headers, answer.read()


@pytest.mark.parametrize("way", ["proxy", "redirect"])
def test_nobody_is_told_where_a_recording_lies_without_logging_in(client, run, settings, way):
    settings.MEDIA_DELIVERY = way
    answer = client.get(reverse("run-video", args=[run.pk]))
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("login"))
    assert "X-Accel-Redirect" not in answer.headers


def test_proxy_is_told_the_place_in_the_folder_and_what_the_browser_must_know(signed_in, run, settings):
    settings.MEDIA_DELIVERY = "proxy"
    answer = signed_in.get(reverse("run-video", args=[run.pk]), {"download": "1"})
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["X-Accel-Redirect"] == "/-/media/screencasts/ab/x.mp4"
    assert answer.headers["Content-Type"] == "video/mp4"
    assert answer.headers["Cache-Control"] == "private, max-age=3600"
    assert answer.headers["Content-Disposition"] == "attachment; filename*=utf-8''Mail%20%C3%B6ffnen.mp4"


def test_a_folder_has_no_addresses_to_redirect_to(signed_in, run, settings):
    settings.MEDIA_DELIVERY = "redirect"
    answer = signed_in.get(reverse("run-video", args=[run.pk]))
    assert b"".join(answer.streaming_content) == CONTENT


@pytest.mark.parametrize("way", ["proxy", "redirect"])
def test_what_is_gone_is_said_by_the_server_and_not_by_whoever_sends(bucket, signed_in, settings, way):
    settings.MEDIA_DELIVERY = way
    run = factories.run(file_name="screencasts/ab/gone.mp4")
    answer = signed_in.get(reverse("run-video", args=[run.pk]))
    assert answer.status_code == 404
    assert "import its manifest again" in answer.content.decode()


def test_browser_is_sent_to_the_object_store_for_some_minutes(bucket, signed_in, run, settings):
    settings.MEDIA_DELIVERY = "redirect"
    answer = signed_in.get(reverse("run-video", args=[run.pk]), {"download": "1"})
    assert (answer.status_code, answer.headers["Cache-Control"]) == (302, "private, max-age=60")
    query = parse_qs(urlsplit(answer.url).query)
    assert (query["X-Amz-Expires"], "X-Amz-Signature" in query) == (["900"], True)
    status, headers, content = fetch(answer.url, Range="bytes=10-19")
    assert (status, content) == (206, b"0123456789")
    assert headers["Content-Type"] == "video/mp4"
    assert headers["Content-Disposition"] == "attachment; filename*=utf-8''Mail%20%C3%B6ffnen.mp4"


def test_proxy_is_told_a_signed_address_of_the_object_store(bucket, signed_in, run, settings, store_address):
    settings.MEDIA_DELIVERY = "proxy"
    answer = signed_in.get(reverse("run-video", args=[run.pk]))
    told = answer.headers["X-Accel-Redirect"]
    host = store_address.removeprefix("http://")
    assert told.startswith(f"/-/store/http/{host}/{bucket[1]}/lab/screencasts/ab/x.mp4?")
    assert fetch(told.replace("/-/store/http/", "http://"))[2] == CONTENT
