"""The bars of a device: what its recordings show of them, and leaving them out."""

import re

import numpy as np
import pytest
from django.urls import reverse

from analysis.events.rules import REASONS
from analysis.series import FrameSeries
from reports.catalogue.bars import MOST_RECORDINGS, bars_of
from reports.measuring.areas import areas_of
from reports.media.options import measure_options
from reports.models import AuditEntry, FrameSeriesRecord, Run
from tests import factories

pytestmark = pytest.mark.django_db
SIZE = {"width": 540, "height": 1000}
EDGE = REASONS["edge"]


def event(rect, reason=EDGE, start_ms=120.0):
    left_out = {"response": reason, "finish": reason} if reason else {}
    return {"start_ms": start_ms, "end_ms": start_ms, "rect": rect, "changed_pct": 0.1, "decides": [],
            "left_out": left_out}  # fmt: skip


def recorded(*events, device=None, **values):
    run = factories.run(on=device or factories.device(), width_px=540, height_px=1000, duration_ms=2000, **values)
    ones = np.ones(3, np.float32)
    series = FrameSeries(np.arange(3) * 16.7, ones, ones, ones * 0)
    evidence = {"video": SIZE, "events": list(events)}
    FrameSeriesRecord.objects.create(run=run, data=series.pack(), evidence=evidence)
    return run


def test_bars_reach_as_far_in_as_what_changed_in_any_recording():
    first = recorded(event([400, 8, 430, 24]), event([0, 960, 540, 992]))
    newest = recorded(event([20, 0, 60, 33], start_ms=40.0), device=first.device)
    upper, lower = bars_of(first.device, ()).bars
    assert (upper.name, upper.top, upper.height, upper.from_px, upper.until_px) == ("status bar", 0.0, 3.3, 0, 33)
    assert (upper.recordings, upper.run_id, upper.time_us) == (2, newest.pk, 540_000)  # the action is at 500 ms
    assert (lower.name, lower.top, lower.height) == ("navigation bar", 96.0, 4.0)
    assert (lower.from_px, lower.until_px, lower.recordings) == (960, 1000, 1)


def test_nothing_is_offered_where_nothing_little_changed_alone_in_a_bar():
    run = recorded(event([400, 8, 430, 24], reason=""), event([0, 0, 540, 30], reason=REASONS["caret"]))
    assert bars_of(run.device, ()) is None
    assert bars_of(factories.device("another"), ()) is None


def test_the_newest_recordings_of_a_device_count_and_no_others(django_assert_num_queries):
    device = factories.device("phone 2")
    recorded(event([0, 0, 540, 50]), device=device, repetition=500)
    for number in range(MOST_RECORDINGS):
        recorded(event([0, 0, 540, 20]), device=device, repetition=number)
    recorded(event([0, 0, 540, 60]), device=factories.device("other"))
    with django_assert_num_queries(1):
        offer = bars_of(device, ())
    assert (offer.looked_at, offer.shown.until_px) == (MOST_RECORDINGS, 20)


def test_the_page_offers_a_bar_until_it_is_left_out_and_runs_are_measured_without_it(keeper):
    run = recorded(event([400, 8, 430, 24]))
    address = reverse("catalogue-device", args=[run.device_id])
    page = keeper.get(address).content.decode()
    assert "Leave out the status bar" in page
    assert re.search(r"0 to 24 of 1\W?000 px", page)
    assert "Leave out the navigation bar" not in page

    said = {"name": "status bar", "left": "0", "width": "100", "top": "0", "height": "3.5", "again": "on"}
    keeper.post(reverse("catalogue-area-add", args=["device", run.device_id]), said)

    run.refresh_from_db()
    assert run.status == "pending"
    [mask] = measure_options(Run.objects.select_related("interaction__app", "device").get()).masks
    assert (mask.name, mask.x0, mask.y0, mask.x1, mask.y1) == ("status bar", 0.0, 0.0, 1.0, 0.035)
    assert AuditEntry.objects.filter(field="masks").exists()
    run.device.refresh_from_db()
    assert bars_of(run.device, areas_of(run.device)) is None
    assert "Leave out the status bar" not in keeper.get(address).content.decode()


def test_who_may_not_change_the_catalogue_sees_the_offer_without_a_button(signed_in):
    run = recorded(event([400, 8, 430, 24]))
    page = signed_in.get(reverse("catalogue-device", args=[run.device_id])).content.decode()
    assert "Leave out the status bar" in page
    assert "Do not judge the status bar" not in page
