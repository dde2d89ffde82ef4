"""A downloaded release report, opened from disk: no server, no network, no script."""

import shutil

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from reports.gate.services import decide_gate
from tests import factories
from tests.browser.axe import faults_of
from tests.browser.conftest import SIZES
from tests.reports.releasereport.scene import BASE, NAMES, release_scene

pytestmark = pytest.mark.browser
STANDING = reverse("release-report", args=NAMES)
LONG = "a name without any space " + "x" * 120


@pytest.fixture
def scene(transactional_db):
    """Return a comparison with a regression in frames, a waiver, an interaction that is missing, and long names."""
    factories.runs([100.0] * 3, version=factories.os_version(BASE), of=factories.interaction(LONG))
    comparison = release_scene()
    waiver = {"app": factories.app("Feed"), "expires": timezone.localdate(), "reason": LONG, "approver": "Ada"}
    factories.accepted_waiver(**waiver)
    return comparison


@pytest.fixture
def opened(browser, signed_in, scene, tmp_path):
    """Return a function that opens the saved file; what it asks for or complains of fails the test."""
    problems, contexts = [], []

    def note(request):
        if not request.url.startswith(("file:", "data:")):
            problems.append(request.url)

    def open_report(address=STANDING, *, size="wide", **options):
        file = tmp_path / "report.html"
        file.write_bytes(signed_in.get(address).content)
        shutil.rmtree(settings.MEDIA_ROOT, ignore_errors=True)  # nothing of the server is needed any more
        context = browser.new_context(viewport=SIZES[size], **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", note)
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield open_report
    for context in contexts:
        context.close()
    assert problems == []


def test_report_opens_from_disk_and_shows_its_frames(opened):
    page = opened(java_script_enabled=False)

    assert page.get_by_text("1 of 2 interactions regressed").first.is_visible()
    assert page.get_by_text("has not responded yet after 100 ms").is_visible()
    assert len(page.locator(".shot img").all()) == 3
    assert all(box["width"] > 20 for box in (image.bounding_box() for image in page.locator(".shot img").all()))


def test_frame_is_outlined_where_it_changed(opened):
    page = opened()

    picture = page.locator(".shot.new img").last.bounding_box()
    outline = page.locator(".shot.new .framed i").bounding_box()

    assert outline["width"] / picture["width"] == pytest.approx(80 / 160, abs=0.03)
    assert outline["height"] / picture["height"] == pytest.approx(60 / 240, abs=0.03)


def test_font_comes_with_the_file(opened):
    page = opened()

    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px Inter'))")
    assert page.evaluate("[...document.fonts].find((font) => font.family === 'Inter').status") == "loaded"


def test_report_can_be_used_by_everybody(opened):
    assert faults_of(opened(bypass_csp=True)) == []


def test_recorded_report_fits_on_a_phone(opened, scene):
    page = opened(reverse("recorded-report", args=[decide_gate(comparison=scene).pk]), size="narrow")

    assert page.get_by_text("as it was made").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_report_prints(opened):
    page = opened()

    page.emulate_media(media="print")

    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["wide"]["width"]
    assert page.pdf(format="A4").startswith(b"%PDF")
