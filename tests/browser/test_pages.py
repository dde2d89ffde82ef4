"""Every page: no accessibility violation at all, nothing wider than the screen, no error, no CSP violation."""

from functools import partial
from io import BytesIO

import numpy as np
import pytest

from analysis.series import FrameSeries
from reports.bisecting.services import Search, look_again, skip_build, start_bisection
from reports.importing.queued import ask_for_import, import_staged
from reports.importing.staging import Sent, stage
from reports.models import (
    Delivery,
    Event,
    FrameSeriesRecord,
    GateRecord,
    ImportRecord,
    RefusedLine,
    Run,
    RunStatus,
    Webhook,
)
from tests import factories
from tests.browser.axe import faults, violations
from tests.browser.scenes import BASE, GATE, NEW, NIGHT, RANKING, decided_comparison, two_nights
from tests.intake import MP4_HEAD, ROW
from tests.reports.history.lines import bring_up_to_date

pytestmark = pytest.mark.browser
LONG_VERSION = "QP1A.191005.007-userdebug-nightly-2026112112"
LONG_APP = "Kitchen Sink with an exceedingly long name that goes on and on"
LONG_PACKAGE = "org.example." + LONG_APP.lower().replace(" ", "")
PAGES = [
    "/",
    "/assigned/",
    f"/?base={BASE}&new={BASE}",
    RANKING,
    RANKING + "?tab=apps",
    RANKING + "?tab=patterns",
    RANKING + "plan/",
    f"/compare/{NEW}/{BASE}/",
    f"/compare/{NEW}/{LONG_VERSION}/",
    GATE,
    GATE + "?scope=taps",
    f"/compare/{NEW}/{LONG_VERSION}/gate/",
    "/gate/",
    "/gate/waivers/?app=org.example.mail",
    "/gate/policy/",
    "/gate/scopes/",
    "/runs/",
    f"/runs/?status=failed&version={LONG_VERSION}&app={LONG_PACKAGE}",
    "/runs/?q=nothing",
    "/runs/doubtful/",
    "/runs/doubtful/?app=org.example.nothing",
    "/runs/actions/",
    "/import/",
    "/import/log/",
    "/batches/",
    "/history/",
    "/history/?by=apps",
    "/history/?q=nothing",
    "/history/releases/",
    "/history/bisections/",
    "/history/bisections/?app=org.example.mail&interaction=open+inbox&good=13.0.9&bad=13.0.13",
    "/batches/?q=nothing",
    f"/batches/{NIGHT}/",
    "/batches/night-41/",
    "/versions/",
    f"/versions/{NEW}/",
    f"/versions/{LONG_VERSION}/",
    "/apps/",
    "/apps/org.example.mail/",
    "/apps/org.example.mail/edit/",
    f"/apps/{LONG_PACKAGE}/",
    f"/apps/{LONG_PACKAGE}/edit/",
    "/devices/",
    "/interactions/",
    "/people/",
    "/account/notices/",
    "/account/notices/gate_failed/",
    "/account/notices/digest/",
    "/account/tokens/",
    "/api/v1/docs/",
    f"{RANKING}org.example.mail/open%20inbox/issue/",
]  # help and search: test_help.py


def _without_videos(visitor):
    """Answer for the screencasts of made-up runs, which have none, and for pictures of them."""
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="540" height="1170"></svg>'
    visitor.answer("*/frames/*.webp", content_type="image/svg+xml", content=picture)
    visitor.answer("*/video/", content_type="video/mp4")


def _refusing_import():
    cause = {"field": "video", "message": "No such file: check the path", "line": 2, "count": 1}
    record = ImportRecord.objects.create(
        source=f"{LONG_VERSION}.csv", who="lab", state="done", refused=1, kept=1, causes=[cause], notes=["a note"]
    )
    cells = {"video": f"{LONG_VERSION}/{LONG_PACKAGE}/{'long' * 40}.mp4"}
    RefusedLine.objects.create(record=record, number=2, cells=cells, problems=[["video", "No such file"]])
    return record


def _numbered():
    """Make what has long names, and return the addresses that carry a number."""
    app = factories.app(LONG_APP)
    interaction = factories.interaction("open the side panel from the left edge of the screen", of=app)
    run = factories.run(version=factories.os_version(LONG_VERSION), of=interaction, status=RunStatus.FAILED)
    measured = Run.objects.filter(status=RunStatus.DONE).first()
    return [
        f"/runs/{run.pk}/",
        f"/runs/{measured.pk}/",
        f"/runs/{_unmarked(interaction)}/",
        f"/runs/doubtful/?run={_doubted(measured)}",
        f"/history/{measured.interaction_id}/",
        f"/history/apps/{measured.interaction.app_id}/",
        f"/history/bisections/{_searched(measured)}/",
        f"/devices/{run.device_id}/",
        f"/interactions/{interaction.pk}/",
        f"/gate/decisions/{GateRecord.objects.first().pk}/",
        f"/import/log/{_refusing_import().pk}/",
    ]


def _unmarked(interaction):
    """Make a run that needs an action, with touches that may be it, and return its number."""
    values = {"outcome": "no_action", "error": "nobody said when the user acts", "action_from": "ask"}
    run = factories.run(of=interaction, status=RunStatus.FAILED, width_px=540, height_px=1170, **values)
    dot = {"kind": "dot", "time_ms": 700.0, "uncertain_ms": 16.7, "certain": True, "why": "a round patch"}
    told = {"mode": "ask", "chosen": None, "proposals": [dot | {"rect": [9, 9, 60, 60]}] * 2}
    evidence = {"video": {"width": 540, "height": 1170}, "action": told}
    ones = np.ones(3, np.float32)
    data = FrameSeries(np.arange(3) * 350.0, ones, ones, ones * 0).pack()
    FrameSeriesRecord.objects.create(run=run, data=data, evidence=evidence)
    return run.pk


def _doubted(run):
    """Let measuring doubt every value of a run, and return its number."""
    run.measurements.update(confidence="doubtful")
    return run.pk


def _searched(run):
    """Start a bisection between the two versions of the scene, and return its number."""
    of = {"app": run.interaction.app.package, "interaction": run.interaction.name, "metric": "response_time_ms"}
    builds = [f"{BASE}.1", f"{LONG_VERSION}-2={BASE}.2"]
    row, _ = start_bisection(Search(good=BASE, bad=NEW, device=run.device, builds=builds, **of))
    skip_build(row, version=builds[0], reason="does not boot " * 12)
    look_again(bisection_id=row.pk)
    return row.pk


def _staged(person):
    """Send recordings with and without a manifest, import one, let one wait; return their pages."""
    manifest = ",".join(ROW) + "\n" + ",".join((ROW | {"video": f"{LONG_VERSION}.mp4"}).values())
    alone = [(f"{LONG_VERSION}/{LONG_APP}/{number}.mp4", MP4_HEAD) for number in range(2)]
    listed = [("runs.csv", manifest.encode()), (f"{LONG_VERSION}.mp4", MP4_HEAD)]
    found = []
    for files in (alone, listed, listed, listed):
        found.append(stage(user=person, files=[Sent(name, partial(BytesIO, content)) for name, content in files]))
    for each in found[-2:]:
        ask_for_import(staged=each)
    import_staged(staged_id=found[-1].pk)
    film = found[0].files.first()
    return [f"/import/{staged.pk}/" for staged in found] + [f"/import/{found[0].pk}/files/{film.pk}/action/"]


@pytest.mark.parametrize("part", range(3))  # two processes share them out
def test_pages_can_be_used_by_everybody_in_light_and_dark_wide_and_narrow(visitor, engineer, part):
    two_nights(decided_comparison())
    bring_up_to_date()
    _without_videos(visitor)
    paths = [*PAGES, *_numbered(), *_staged(engineer)][part::3]

    assert faults(visitor, paths) == {}


def test_pages_of_staff_can_be_used_by_everybody(new_visitor, django_user_model):
    decided_comparison()
    boss = new_visitor(django_user_model.objects.create_superuser(username="boss", password="only-for-tests"))
    interaction = factories.interaction("open inbox").pk
    hook = Webhook.objects.create(name="Chat", form="slack", url="https://chat.example/x", kinds=["complete"])
    event = Event.objects.create(key="test:1", kinds=["test"], facts={"name": "Chat"})
    gone = {"status": "failed", "tries": 1, "answer": "410 gone: the address is gone", "due_at": event.made_at}
    Delivery.objects.create(event=event, webhook=hook, **gone)
    paths = [
        "/webhooks/",
        "/webhooks/add/",
        f"/webhooks/{hook.pk}/",
        "/deliveries/",
        "/people/",
        "/people/add/",
        "/trackers/",
        "/trackers/add/",
        "/apps/",
        "/apps/org.example.mail/edit/",
        f"/versions/{NEW}/",
        f"/interactions/{interaction}/",
        f"/people/{django_user_model.objects.get(username='boss').pk}/password/",
    ]

    assert faults(boss, paths) == {}


def test_what_opens_over_a_page_can_be_used_by_everybody(visitor):  # palette: test_help.py
    decided_comparison()
    found = {}
    page = visitor.open("/runs/")
    page.click(".filter-menu > summary")
    found["filters"] = violations(page, context=".filter-menu")
    page.keyboard.press("Escape")
    page.click(".page-head .term")
    found["note"] = violations(page, context=".term-place:has(:popover-open)")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog.keys[open]")
    found["keys"] = violations(page, context="dialog.keys")

    assert found == {what: [] for what in found}


def test_runs_row_opens_wherever_it_is_clicked_and_filters_fold(visitor):
    decided_comparison()
    _without_videos(visitor)
    page = visitor.open("/runs/")
    assert page.is_hidden("#f-status")

    page.click(".filter-menu > summary")
    page.select_option("#f-status", "failed")
    page.wait_for_url("**/runs/?status=failed")
    page.wait_for_selector("#f-status:focus")
    page.keyboard.press("Escape")
    page.click(".filter-chip")
    page.wait_for_url("**/runs/")
    page.keyboard.press("j")
    first = page.evaluate("document.activeElement.href")
    page.locator("tbody tr").first.locator(".run-state").click()

    page.wait_for_url(first)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_login_can_be_used_by_everybody(new_visitor, theme):
    page = new_visitor().open("/login/", theme=theme)

    assert violations(page) == []
    assert page.evaluate("document.activeElement.id") == "id_username"
