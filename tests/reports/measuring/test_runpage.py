import pytest
from django.urls import reverse

from reports.models import RunStatus
from tests import factories
from tests.reports.drilldown.rows import add_series

pytestmark = pytest.mark.django_db


@pytest.fixture
def run():
    """Return a measured run of five frames that changes at 610 and 700 ms; the action is at 500."""
    found = factories.run(metrics={"response_time_ms": 110.0}, duration_ms=900.0, width_px=80, height_px=100)
    add_series(found, [0, 500, 610, 700, 900], changed=[2, 3])
    record = found.frame_series
    record.evidence |= {
        "video": {"width": 80, "height": 100, "codec": "h264"},
        "masks": [{"name": "status bar", "x0": 0, "y0": 0, "x1": 1, "y1": 0.04, "unit": "fraction"}],
        "ignored": [{"rect": [0, 0, 8, 24], "reason": "a blinking caret"}],
        "events": [
            {
                "start_ms": 110.0, "end_ms": 110.0, "rect": [0, 0, 80, 60], "changed_pct": 60.0,
                "decides": ["response"], "left_out": {},
            },
            {
                "start_ms": 200.0, "end_ms": 200.0, "rect": [0, 0, 8, 24], "changed_pct": 0.1,
                "decides": [], "left_out": {"response": "a blinking caret", "finish": "a blinking caret"},
            },
        ],
    }  # fmt: skip
    record.save()
    return found


def _page(client, run, **query):
    return client.get(reverse("run-detail", args=[run.pk]), query).content.decode()


def test_page_tells_each_change_in_a_sentence_with_its_picture(signed_in, run):
    page = _page(signed_in, run)

    assert "Decides response" in page
    assert "Left out: a blinking caret" in page
    assert "Upper left, about 10 × 24 % of the screen." in page
    assert "200 ms after the action" in page
    assert f"/runs/{run.pk}/frames/700000.webp?h=360" in page
    assert "Not judged: status bar (masked)" in page
    assert "likeness to the frame before" in page


def test_page_says_how_sure_a_moment_is_and_leads_to_the_other_frame(signed_in, run):
    record = run.frame_series
    other = {"frame": 3, "after_action_ms": 200.0, "reason": "what decided is as narrow as a caret"}
    found = {"frame": 2, "time_ms": 610.0, "after_action_ms": 110.0, "confidence": "doubtful", "other": other}
    record.evidence |= {"response": found}
    record.save()

    page = _page(signed_in, run)

    assert "what decided is as narrow as a caret. It may be" in page
    assert f'href="{reverse("run-detail", args=[run.pk])}?t=700000#check">+200' in page


def test_frame_that_is_looked_at_is_the_one_of_the_action_until_another_is_asked_for(signed_in, run):
    assert "on the screen at the action, stays 110 ms, frame 2 of 5" in _page(signed_in, run)
    page = _page(signed_in, run, t="650000")

    assert "stays 90 ms, frame 3 of 5" in page
    assert "+110 ms from the action" in page
    for t in (500_000, 700_000):
        assert f'href="?t={t}#check"' in page


@pytest.mark.parametrize("asked", ["x", "-5", "9" * 30, "", "99999999999999"])
def test_a_wrong_time_in_the_address_is_no_error(signed_in, run, asked):
    assert signed_in.get(reverse("run-detail", args=[run.pk]), {"t": asked}).status_code == 200


def test_first_and_last_frame_end_the_steps(signed_in, run):
    view = signed_in.get(reverse("run-detail", args=[run.pk]), {"t": "0"}).context["detail"].viewer
    assert (view.previous, view.next, view.previous_change, view.next_change) == (None, 500_000, None, 610_000)
    view = signed_in.get(reverse("run-detail", args=[run.pk]), {"t": "5000000"}).context["detail"].viewer
    assert (view.previous, view.next, view.previous_change, view.next_change) == (700_000, None, 700_000, None)


def test_a_script_that_steps_gets_the_frame_alone(signed_in, run):
    address = reverse("run-detail", args=[run.pk])

    part = signed_in.get(address, {"t": "610000"}, headers={"X-Requested-With": "fetch"}).content.decode()

    assert "frame 3 of 5" in part
    assert f"/runs/{run.pk}/frames/610000.webp?h=720" in part
    assert "<html" not in part


def test_a_frame_can_be_named_as_action_response_or_finish(signed_in, run):
    page = _page(signed_in, run, t="700000")

    assert f'action="{reverse("run-action", args=[run.pk])}"' in page
    assert 'name="action_ms" value="700.000"' in page
    assert 'name="value_ms" value="200.000"' in page


def test_a_run_without_a_series_is_stepped_by_slots_of_its_screen(signed_in):
    run = factories.run(status=RunStatus.FAILED, width_px=80, height_px=100, duration_ms=900.0)

    view = signed_in.get(reverse("run-detail", args=[run.pk])).context["detail"].viewer

    assert (view.number, view.previous, view.next) == (None, 483_333, 516_667)


def test_a_run_that_was_never_read_says_that_there_is_nothing_to_step_through(signed_in):
    failed, waiting = factories.run(status=RunStatus.FAILED), factories.run(status=RunStatus.PENDING)

    assert "No frame of this recording could be read" in _page(signed_in, failed)
    assert "can be stepped through once the recording was read" in _page(signed_in, waiting)
    assert 'name="action_ms"' in _page(signed_in, failed)


def test_what_is_shown_of_a_run_that_waits_is_from_before(signed_in, run):
    run.status = RunStatus.PENDING
    run.action_ms = 560.0
    run.save()

    page = _page(signed_in, run)

    assert "The frames and changes below are from before" in page
    assert f"/runs/{run.pk}/frames/610000.webp?h=360" in page


def test_storage_paths_and_hashes_stay_inside(signed_in, run):
    page = _page(signed_in, run)

    assert run.sha256 not in page
    assert "sha256" not in page
    assert run.file_name not in page
