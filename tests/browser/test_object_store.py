"""Recordings that an object store sends by itself, to a page whose policy lets nobody else in."""

from pathlib import Path

import pytest
from django.conf import settings as project
from django.core.files import File
from django.core.files.storage import default_storage

from tests.browser.drilldown_scene import clip_scene, shown, wait_ready

pytestmark = pytest.mark.browser


def test_players_step_through_recordings_that_the_object_store_sends(visitor, bucket, store_address, settings):
    scene = clip_scene()
    for path in (Path(project.MEDIA_ROOT) / "screencasts").iterdir():
        with path.open("rb") as stream:
            default_storage.save(f"screencasts/{path.name}", File(stream))
        path.unlink()
    settings.MEDIA_DELIVERY = "redirect"
    allowed = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    more = {name: [*allowed[name], store_address] for name in ("media-src", "connect-src")}
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": allowed | more}

    page = wait_ready(visitor.open(scene.path + "?t=0"))
    assert shown(page, scene, 0) == {side: scene.expected(side, 0) for side in scene.times}
    sent = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert [name for name in sent if "/video/" in name], "asked of the server, which leads elsewhere"
