"""A storage that takes nothing: pages show what there is and make the rest anew."""

import errno
import io
import zipfile
from contextlib import ExitStack

import cv2
import numpy as np
import pytest
from django.conf import settings
from django.urls import reverse

from reports.media.proxies import make_proxy
from reports.models import Proxy, ProxyStatus
from tests.disks import takes_nothing
from tests.numbered import read_number
from tests.reports.bugreport.scene import NAMES, bug_scene

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[errno.EROFS, errno.ENOSPC], ids=["read-only", "full"])
def sides(request, monkeypatch):
    """Return a run of either side whose screencasts lie in a storage that takes nothing."""
    found = bug_scene()
    takes_nothing(monkeypatch, settings.MEDIA_ROOT, request.param)
    return found


def test_every_page_and_picture_of_a_pair_works(signed_in, sides):
    run = sides[1]
    pages = [
        reverse("drilldown", args=NAMES),
        reverse("run-detail", args=[run.pk]),
        reverse("run-video", args=[run.pk]),
        reverse("run-changes", args=[run.pk]),
        reverse("api-run-playback", args=[run.pk]),
        reverse("runs"),
    ]

    picture = signed_in.get(reverse("run-frame", args=[run.pk, 600_000]))
    assert read_number(cv2.imdecode(np.frombuffer(picture.content, np.uint8), cv2.IMREAD_COLOR)) == 2
    with ExitStack() as answers:
        for page in pages:
            answer = signed_in.get(page)
            answers.callback(answer.close)
            assert answer.status_code == 200, page


def test_a_bug_report_has_everything_in_it(signed_in, sides):
    answer = signed_in.get(reverse("bug-report", args=NAMES))

    names = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))).namelist()
    assert {"base.mp4", "new.mp4", "report.html"} <= set(names)
    assert any(name.startswith("frames/new-") for name in names)


def test_a_copy_for_the_players_that_cannot_be_kept_says_why(sides):
    proxy = Proxy.objects.create(sha256=sides[1].sha256, source_name=sides[1].file_name)

    make_proxy(proxy_id=proxy.pk)

    proxy.refresh_from_db()
    assert proxy.status == ProxyStatus.FAILED
    assert proxy.error.startswith("the storage did not take")
    assert proxy.error.endswith("make room or make it writable")
