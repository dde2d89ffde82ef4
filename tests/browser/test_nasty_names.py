"""Names and texts that were stored before they were refused: no page is wider than the screen, nothing is moved."""

import pytest
from django.utils import timezone

from reports.audit.services import record
from reports.comparing.services import compute_comparison, open_comparison
from reports.gate.services import decide_gate
from reports.models import Action, App, Device, Interaction, OsVersion, Run, Scope, TriageEntry, Waiver
from tests import factories
from tests.browser.conftest import SIZES

pytestmark = pytest.mark.browser
FLOOD = "a" + "\u0301\u0488" * 30
OVERRIDE, ISOLATE = "\u202egnp.exe", "\u2067x"
LONG = {
    "version": ["W" * 60 + OVERRIDE, "13" + "M" * 60 + ISOLATE],
    "app": "W" * 180 + OVERRIDE,
    "package": "org." + "W" * 190 + "\u200b",
    "interaction": "M" * 90 + FLOOD,
    "device": "W" * 100 + "\ufeff",
    "person": "W" * 140,
    "text": "W" * 1900 + OVERRIDE,
}
HIDING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\ufeff"
SHOWN = "(signs) => [...signs].filter((sign) => document.body.innerText.includes(sign)).length"
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def scene(django_user_model):
    """Store the worst of every name directly, with a comparison, a decision, and a person's word on each."""
    boss = django_user_model.objects.create_superuser(username=LONG["person"], first_name="W" * 140)
    base, new = (OsVersion.objects.create(name=name, sort_key=name, note=LONG["text"]) for name in LONG["version"])
    app = App.objects.create(name=LONG["app"], package=LONG["package"], category="W" * 80, critical=True)
    device = Device.objects.create(name=LONG["device"], refresh_hz=60)
    hebrew = App.objects.create(name="דואר אלקטרוני", package="he", category="תקשורת")
    worst = Interaction.objects.create(app=app, name=LONG["interaction"], type="tap", scenario=LONG["text"])
    names = ("פתיחת תיבה", "👩\u200d👧 open")
    others = [Interaction.objects.create(app=hebrew, name=name, type="tap") for name in names]
    for interaction in (worst, *others):
        for version, shift in ((base, 0), (new, 400)):
            factories.runs([300.0 + shift + step for step in range(8)], version=version, of=interaction, on=device)
    comparison = compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)
    scope = Scope.objects.create(name="W" * 70 + OVERRIDE)
    scope.apps.add(app)
    Waiver.objects.create(
        app=app,
        interaction=worst,
        expires=timezone.localdate(),
        reason=LONG["text"],
        approver="W" * 150,
        issue_url="https://example.org/" + "W" * 470,
        created_by=boss,
    )
    TriageEntry.objects.create(
        base=base,
        new=new,
        interaction=worst,
        state="acknowledged",
        assignee=LONG["person"],
        note=LONG["text"],
        bug_url="https://example.org/" + "W" * 470,
        fixed_in="W" * 80,
        batch="00000000-0000-0000-0000-000000000001",
        made_by=boss,
    )
    decision = decide_gate(comparison=comparison, user=boss)
    what = {"version": new, "of": worst, "on": device, "original_name": "W" * 490, "app_version": "W" * 80}
    failed = factories.run(status="failed", error=LONG["text"], **what)
    out = factories.run(excluded=True, excluded_reason="W" * 300, excluded_by=boss, **what)
    change = {"field": "scenario", "before": LONG["text"], "after": "W" * 900, "note": LONG["text"]}
    record(Action.CHANGED, of=worst, user=boss, **change)
    pair = f"/compare/{base.name}/{new.name}/"
    return boss, [
        "/",
        f"/?base={base.name}&new={new.name}",
        pair,
        pair + "?tab=apps",
        pair + "?tab=patterns",
        pair + "plan/",
        f"{pair}{app.package}/{worst.name}/",
        f"{pair}{hebrew.package}/{others[0].name}/",
        pair + "gate/",
        "/gate/",
        f"/gate/decisions/{decision.pk}/",
        f"/gate/waivers/?app={app.package}",
        "/gate/scopes/",
        "/gate/policy/",
        f"/triage/{base.name}/{new.name}/exclude/?interaction={worst.pk}",
        "/runs/",
        f"/runs/?app={app.package}&version={new.name}",
        f"/runs/{failed.pk}/",
        f"/runs/{out.pk}/",
        f"/runs/{Run.objects.filter(status='done').first().pk}/",
        "/versions/",
        f"/versions/{new.name}/",
        "/apps/",
        f"/apps/{app.package}/",
        f"/apps/{app.package}/edit/",
        "/devices/",
        f"/devices/{device.pk}/",
        "/interactions/",
        f"/interactions/{worst.pk}/",
        "/people/",
        f"/people/{boss.pk}/role/",
        "/account/",
        "/audit/",
        "/search/?q=" + "W" * 20,
        "/search/?q=" + "W" * 190,
        f"/no-such-page/{'W' * 300}/",
    ]


@pytest.mark.parametrize("part", range(2))  # two processes share them out
def test_no_page_is_wider_than_the_screen_or_moves_its_text(new_visitor, scene, part):
    boss, paths = scene
    visitor = new_visitor(boss)
    visitor.context.route("**/video/", lambda route: route.fulfill(content_type="video/mp4", body=""))
    wrong = {}
    page = visitor.open("/help/")
    for path in paths[part::2]:
        page.goto(visitor.address + path)
        for size in ("wide", "narrow"):
            page.set_viewport_size(SIZES[size])
            found = page.evaluate(WIDER), page.evaluate(SHOWN, HIDING)
            if found != (0, 0):
                wrong[size, path[:50] + "…" + path[-30:]] = found
    visitor.expected += [""]  # pictures of made-up runs are missing

    assert wrong == {}
