"""The page of a run and the catalogue in a real browser: stepping, drawing, and everybody can use them."""

import pytest
from django.core.files.storage import default_storage

from reports.catalogue.services import pin_version
from reports.measuring.extraction import extract_run
from reports.models import App, Measurement, OsVersion, Run, RunStatus
from tests import factories
from tests.browser.axe import faults
from tests.browser.conftest import until
from tests.browser.scenes import BASE, NEW, small_comparison
from tests.intake import render_tap

pytestmark = pytest.mark.browser


@pytest.fixture
def boss(django_user_model):
    """Return an administrator."""
    return django_user_model.objects.create_superuser(username="boss", password="only-for-tests")


@pytest.fixture
def run(db, tmp_path):
    """Return a measured run of 60 frames whose action is at 500 ms and whose 41st frame shows a square."""
    video = render_tap(tmp_path / "tap.mp4", response_frame=40)
    with video.open("rb") as stream:
        name = default_storage.save("screencasts/tap.mp4", stream)
    made = factories.run(status=RunStatus.PENDING, file_name=name, version=factories.os_version(NEW))
    extract_run(run_id=made.pk)
    return Run.objects.get(pk=made.pk)


def test_frames_are_stepped_by_links_and_arrows_without_leaving_the_page(visitor, run):
    page = visitor.open(f"/runs/{run.pk}/")
    page.evaluate("window.same = true")
    page.click("[data-step=next]")
    until(page, "document.querySelector('.frames-at').textContent.includes('frame 32 of 60')")
    assert page.evaluate("document.activeElement.dataset.step") == "next"
    page.keyboard.press("ArrowLeft")
    until(page, "document.querySelector('.frames-at').textContent.includes('frame 31 of 60')")
    page.keyboard.press("Shift+ArrowRight")
    until(page, "document.querySelector('.frames-at').textContent.includes('frame 41 of 60')")
    until(page, "document.querySelector('[data-picture]').naturalWidth > 0")

    assert "t=666667" in page.url
    assert page.evaluate("window.same")
    page.click("text=the response")
    page.wait_for_url(f"**/runs/{run.pk}/#check")
    assert "confirmed by engineer" in page.content()


def doubt(run, moment, **other):
    """Let measuring doubt a moment of a run."""
    record = run.frame_series
    record.evidence[moment] |= {"confidence": "doubtful", "other": {"reason": "what decided is small"} | other}
    record.save()
    Measurement.objects.filter(run=run, metric=f"{moment}_time_ms").update(confidence="doubtful")


def test_doubts_are_settled_with_one_key_each(visitor, run):
    doubt(run, "response", frame=35, after_action_ms=83.333)
    doubt(run, "finish", frame=45, after_action_ms=250.0)
    page = visitor.open("/runs/doubtful/")
    assert "Finish time of" in page.text_content("#doubt-title")
    page.keyboard.press("2")
    until(page, "document.querySelector('#doubt-title')?.textContent.includes('Response time of')")
    until(page, "document.querySelector('[data-picture]').naturalWidth > 0")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    until(page, "document.querySelector('.frames-at').textContent.includes('frame 40 of 60')")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.empty')?.textContent.includes('Nothing is doubtful')")

    values = dict(Measurement.objects.filter(run=run).values_list("metric", "value"))
    assert (values["response_time_ms"], values["finish_time_ms"]) == (pytest.approx(150, abs=0.1), 250)


def test_an_area_is_drawn_with_the_mouse_or_by_numbers_and_kept(new_visitor, boss, run):
    page = new_visitor(boss).open(f"/runs/{run.pk}/")
    page.click("[data-draw]")
    board = page.locator("[data-board]")
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 0.1 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 0.3 * box["height"], steps=4)
    page.mouse.up()

    values = [float(page.input_value(f"[data-edge={edge}]")) for edge in ("left", "top", "width", "height")]
    assert values == pytest.approx([25, 10, 50, 20], abs=1.5)
    assert page.evaluate("document.activeElement.name") == "name"
    page.fill("[data-edge=width]", "40")
    assert page.evaluate("document.querySelector('[data-drawn]').style.width") == "40%"
    page.fill("#area-name", "the square")
    page.click("text=all of Mail")
    page.click("text=Do not judge this area")
    page.wait_for_selector(".note-success")
    [mask] = App.objects.get(name="Mail").masks
    assert (mask["name"], round(mask["x1"] - mask["x0"], 2)) == ("the square", 0.4)
    assert page.locator(".mask[title='the square']").count() == 1


def test_runs_and_the_catalogue_can_be_used_by_everybody(new_visitor, boss, run):
    small_comparison()
    pin_version(version=OsVersion.objects.get(name=BASE), reason="shipped", user=boss)
    pages = [  # those that test_pages.py does not open for an administrator
        f"/runs/{run.pk}/", "/apps/org.example.mail/", f"/versions/{BASE}/", "/versions/", "/devices/",
        f"/devices/{run.device_id}/", "/interactions/",
    ]  # fmt: skip

    visitor = new_visitor(boss)
    assert faults(visitor, pages) == {}
