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
    device = Device.objects.create(name=LONG["device"], refresh_hz=60)
    worst, right_to_left = _interactions()
    for interaction in (worst, *right_to_left):
        for version, shift in ((base, 0), (new, 400)):
            factories.runs([300.0 + shift + step for step in range(8)], version=version, of=interaction, on=device)
    comparison = compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)
    _said_of(worst, base, new, boss)
    decision = decide_gate(comparison=comparison, user=boss)
    runs = _failed_and_excluded(boss, {"version": new, "of": worst, "on": device})
    pair = f"/compare/{base.name}/{new.name}/"
    return boss, [
        *_pages_of_the_pair(pair, base, new, worst, right_to_left[0]),
        f"/gate/decisions/{decision.pk}/",
        *(f"/runs/{run.pk}/" for run in (*runs, Run.objects.filter(status="done").first())),
        f"/runs/?app={worst.app.package}&version={new.name}",
        *_pages_of_the_catalogue(worst, new, device),
        f"/people/{boss.pk}/role/",
        *("/", "/gate/", "/gate/scopes/", "/gate/policy/", "/runs/", "/versions/", "/apps/", "/devices/"),
        *("/interactions/", "/people/", "/account/", "/audit/"),
        *("/search/?q=" + "W" * 20, "/search/?q=" + "W" * 190, f"/no-such-page/{'W' * 300}/"),
    ]


def _interactions():
    """Store the interaction with the worst names, and two whose names are written from right to left."""
    app = App.objects.create(name=LONG["app"], package=LONG["package"], category="W" * 80, critical=True)
    hebrew = App.objects.create(name="דואר אלקטרוני", package="he", category="תקשורת")
    worst = Interaction.objects.create(app=app, name=LONG["interaction"], type="tap", scenario=LONG["text"])
    names = ("פתיחת תיבה", "👩\u200d👧 open")
    return worst, [Interaction.objects.create(app=hebrew, name=name, type="tap") for name in names]


def _said_of(worst, base, new, boss):
    """Store what people say of a finding: a scope, a waiver, a word of triage, a change."""
    scope = Scope.objects.create(name="W" * 70 + OVERRIDE)
    scope.apps.add(worst.app)
    Waiver.objects.create(
        app=worst.app,
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
    change = {"field": "scenario", "before": LONG["text"], "after": "W" * 900, "note": LONG["text"]}
    record(Action.CHANGED, of=worst, user=boss, **change)


def _failed_and_excluded(boss, what):
    what |= {"original_name": "W" * 490, "app_version": "W" * 80}
    return [
        factories.run(status="failed", error=LONG["text"], **what),
        factories.run(excluded=True, excluded_reason="W" * 300, excluded_by=boss, **what),
    ]


def _pages_of_the_pair(pair, base, new, worst, other):
    return [
        f"/?base={base.name}&new={new.name}",
        pair,
        pair + "?tab=apps",
        pair + "?tab=patterns",
        pair + "plan/",
        f"{pair}{worst.app.package}/{worst.name}/",
        f"{pair}{other.app.package}/{other.name}/",
        pair + "gate/",
        f"/triage/{base.name}/{new.name}/exclude/?interaction={worst.pk}",
    ]


def _pages_of_the_catalogue(worst, new, device):
    return [
        f"/versions/{new.name}/",
        f"/apps/{worst.app.package}/",
        f"/apps/{worst.app.package}/edit/",
        f"/gate/waivers/?app={worst.app.package}",
        f"/devices/{device.pk}/",
        f"/interactions/{worst.pk}/",
    ]


@pytest.mark.parametrize("part", range(2))  # two processes share them out
def test_no_page_is_wider_than_the_screen_or_moves_its_text(new_visitor, scene, part):
    boss, paths = scene
    visitor = new_visitor(boss)
    visitor.answer("*/video/", content_type="video/mp4")
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
