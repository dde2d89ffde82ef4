"""Every address that changes something leaves a trace in the audit log: who, from where, what."""

import json
from io import BytesIO

import pytest
from axes.models import AccessAttempt
from django.urls import reverse
from django.utils import timezone

from analysis.policy.policy import DEFAULT_POLICY
from reports.access.addresses import all_addresses
from reports.access.table import methods_of
from reports.batches.services import open_batch
from reports.bisecting.services import look_again
from reports.gate.services import decide_gate
from reports.importing.services import import_manifest
from reports.models import (
    Action,
    Annotation,
    ApiToken,
    AuditEntry,
    Batch,
    Bisection,
    Comparison,
    Course,
    Delivery,
    DeliveryStatus,
    GateRecord,
    Interaction,
    Issue,
    IssueStatus,
    LoginSession,
    Run,
    RunStatus,
    Tracker,
    TriageEntry,
    Waiver,
    Webhook,
)
from reports.policyeditor.forms import fields_of
from reports.uploads.services import Owner, add_part, begin
from tests.intake import MP4_HEAD, ROW, fake_video, write_manifest

pytestmark = pytest.mark.django_db
BASE, NEW = "13.0.9", "13.0.13"
CHANGES_NOTHING = {
    "api:policies-preview": "shows what would change and stores nothing",
    "api:uploads-detail": "adds to a file, or forgets it, that nobody uses before a run is made of it",
    "api:uploads-list": "begins to keep a file that nobody uses before a run is made of it, which is written down",
    "policy-preview": "shows what would change and stores nothing",
    "api-run-proxy": "asks for a copy that a browser can play: nobody decides anything",
    "imports": "keeps files that only who sent them sees; importing them is written down",
    "imports-sent": "takes over files that only who sent them sees",
    "import-staged-say": "fills in a form that only who sent the files sees",
    "import-staged-action": "fills in a form that only who sent the files sees",
    "import-staged-start": "asks for an import, which is written down as this person's once it is done",
    "import-staged-drop": "drops files that only who sent them saw",
    "login": "tested by itself: a failure leaves a trace as well",
    "account-reset": "tested by itself: it takes the link",
    "account-sign-on": "tested by itself: only where there is a provider",
    "account-sign-on-end": "tested by itself: only where there is a provider",
    "notices-off": "tested by itself: it takes the link in a mail",
    "forgotten": "tested by itself: only where there is a mail server",
    "logout": "tested by itself: it ends what the others need",
}
WRITING = {"POST", "PUT", "PATCH", "DELETE"}
SHOWN_ONCE = (
    "person-link",
    "webhook-add",
    "webhook-secret",
    "tokens",
)  # what they made is on the page that answers
AREA = {"name": "clock", "left": "0", "top": "0", "width": "10", "height": "5", "owner": "interaction"}
MASK = {"name": "clock", "unit": "fraction", "x0": 0.0, "y0": 0.0, "x1": 0.1, "y1": 0.05}
SECOND = {"new_password1": "a-long-secret-2", "new_password2": "a-long-secret-2"}
SECRET = {"password1": "a-long-secret-1", "password2": "a-long-secret-1"}


def _session(person, key):
    now = timezone.now()
    return LoginSession.objects.create(user=person, session_key=key, began_at=now, seen_at=now)


def _uploaded(person):
    upload = begin(owner=Owner(person.pk), length=len(MP4_HEAD), file_name="a.mp4")
    return str(add_part(upload=upload, offset=0, read=BytesIO(MP4_HEAD).read).pk)


def _posts(compared, engineer, me):
    """Yield address, what is sent and what is written down, in an order in which each is possible.

    Another method than POST stands before the address.
    """
    run = Run.objects.filter(os_version=compared.base).first()
    interaction, device = run.interaction, run.device
    yield from _posts_of_the_api(interaction, engineer)
    yield from _posts_of_findings(compared, interaction)
    yield from _posts_of_bisections(interaction)
    yield from _posts_of_the_gate(interaction.app, engineer)
    yield from _posts_of_a_run(compared, run, me)
    yield from _posts_of_batches(run)
    yield from _changes_of_a_run(run)
    yield from _changes_of_the_catalogue(interaction, device)
    yield from _posts_of_people(engineer, me)
    yield from _posts_of_webhooks()
    yield from _last_posts_of_people(engineer)


def _posts_of_findings(compared, interaction):
    """Yield what is done with what a comparison found."""
    app, scripted = interaction.app, {"interaction": interaction.pk}
    Comparison.objects.update(stale=True)
    yield "compare-start", [], lambda: {"base": BASE, "new": NEW}, Action.COMPARED
    yield "triage", [BASE, NEW], lambda: scripted | {"state": "acknowledged"}, Action.TRIAGED
    finding = [BASE, NEW, app.package, interaction.name]
    bugs = {"name": "Bugs", "kind": "gitlab", "address": "https://gitlab.example", "project": "lab/bugs"}
    yield "tracker-add", [], lambda: bugs | {"token": "token-1"}, Action.ADDED
    bug = Tracker.objects.get().pk
    yield "tracker-edit", [bug], lambda: bugs | {"project": "lab/phones"}, Action.CHANGED
    yield "issue-new", finding, lambda: {"tracker": bug, "title": "slower", "body": "x"}, Action.ISSUE_ASKED
    Issue.objects.update(status=IssueStatus.FAILED)
    yield "issue-again", [Issue.objects.get().pk], dict, Action.ISSUE_ASKED
    Issue.objects.update(status=IssueStatus.FAILED)
    yield "api:issues-again", [Issue.objects.get().pk], dict, Action.ISSUE_ASKED
    Issue.objects.all().delete()
    place = {"package": app.package, "interaction": interaction.name, "tracker": "Bugs"}
    yield "api:issues-list", [], lambda: {"base": BASE, "new": NEW} | place, Action.ISSUE_ASKED
    yield "tracker-remove", [bug], dict, Action.DELETED
    yield "triage-undo", [TriageEntry.objects.latest("pk").batch], dict, Action.TRIAGE_UNDONE
    of_new = Run.objects.filter(os_version=compared.new, interaction=interaction).first().pk
    yield "triage-exclude", [BASE, NEW], lambda: {"run": [of_new], "reason": "bench"}, Action.EXCLUDED
    yield "triage-include", [], lambda: {"run": [of_new]}, Action.INCLUDED


def _posts_of_bisections(interaction):
    """Yield what is done to find the build between the two versions."""
    between = {"good": BASE, "bad": NEW, "metric": "response_time_ms", "builds": "13.0.10\n13.0.11"}
    of = {"app": interaction.app.package, "interaction": interaction.name}
    yield "bisections", [], lambda: of | between, Action.ADDED
    mine = Bisection.objects.get().pk
    yield "bisection-skip", [mine], lambda: {"version": "13.0.10", "reason": "does not boot"}, Action.CHANGED
    look_again(bisection_id=mine)
    yield "bisection-finish", [mine], dict, Action.CHANGED
    between["builds"] = ["13.0.12"]
    yield "api:bisections-list", [], lambda: of | between, Action.ADDED
    mine = Bisection.objects.latest("pk").pk
    yield "api:bisections-skip", [mine], lambda: {"version": "13.0.12", "reason": "does not boot"}, Action.CHANGED
    look_again(bisection_id=mine)
    yield "api:bisections-finish", [mine], dict, Action.CHANGED


def _posts_of_the_gate(app, engineer):
    """Yield what is decided, and by which rules."""
    policy = fields_of(DEFAULT_POLICY) | {"name": "default", "based_on": "0"}
    waiver = {"app": app.package, "expires": "2999-01-01", "reason": "known"}
    yield "gate-decide", [], lambda: {"base": BASE, "new": NEW}, Action.GATE_DECIDED
    yield "waiver-add", [], lambda: waiver, Action.WAIVER_ADDED
    Waiver.objects.update(created_by=engineer)
    yield "waiver-second", [Waiver.objects.latest("pk").pk], dict, Action.WAIVER_SECONDED
    yield "waiver-withdraw", [Waiver.objects.latest("pk").pk], dict, Action.WAIVER_WITHDRAWN
    yield "waiver-add", [], lambda: waiver, Action.WAIVER_ADDED
    Waiver.objects.update(created_by=engineer)
    yield "waiver-refuse", [Waiver.objects.order_by("-pk")[0].pk], dict, Action.WAIVER_REFUSED
    typed = policy | {"thresholds.response_time_ms.absolute": "80"}
    yield "policy-save", [], lambda: typed, Action.POLICY_SAVED
    yield "scope-save", [], lambda: {"name": "taps", "interaction_types": ["tap"]}, Action.SCOPE_SAVED
    yield "scope-delete", [], lambda: {"name": "taps"}, Action.SCOPE_DELETED
    yield "PUT api:scopes-detail", ["drags"], lambda: {"interaction_types": ["scroll"]}, Action.SCOPE_SAVED
    yield "DELETE api:scopes-detail", ["drags"], dict, Action.SCOPE_DELETED


def _posts_of_a_run(compared, run, me):
    yield "run-correct", [run.pk], lambda: {"moment": "response", "value_ms": "150"}, Action.CORRECTED
    yield "run-correct-undo", [run.pk], lambda: {"moment": "response"}, Action.CORRECTION_WITHDRAWN
    yield "api:runs-list", [], lambda: ROW | {"repetition": 77, "upload": _uploaded(me)}, Action.IMPORTED
    yield "api:runs-correct", [run.pk], lambda: {"moment": "response", "value_ms": 150}, Action.CORRECTED
    yield "api:runs-exclude", [run.pk], lambda: {"reason": "a call"}, Action.EXCLUDED
    yield "api:runs-include", [run.pk], dict, Action.INCLUDED
    yield "run-exclude", [run.pk], lambda: {"reason": "a call"}, Action.EXCLUDED
    yield "run-include", [run.pk], dict, Action.INCLUDED
    yield "run-retry", [run.pk], dict, Action.MEASURED_AGAIN
    Run.objects.filter(pk=run.pk).update(status=RunStatus.FAILED, error="unreadable")
    yield "runs-retry", [], dict, Action.MEASURED_AGAIN
    Run.objects.filter(pk=run.pk).update(status=RunStatus.DONE, error="", revision=0)
    pair = {"base": compared.base_id, "new": compared.new_id}
    yield "runs-retry-revisions", [], lambda: pair, Action.MEASURED_AGAIN


def _posts_of_batches(run):
    yield "batch-complete", [open_batch(name="night-1", os_version=NEW)[0].name], dict, Action.BATCH_COMPLETED
    yield "batch-reopen", ["night-1"], dict, Action.BATCH_REOPENED
    yield "batch-note", ["night-1"], lambda: {"note": "cold room"}, Action.CHANGED
    yield "batches", [], lambda: {"name": "night-0", "os_version": NEW}, Action.ADDED
    yield "PATCH api:batches-detail", ["night-1"], lambda: {"note": "warm"}, Action.CHANGED
    night = Batch.objects.get(name="night-1")
    Run.objects.filter(pk=run.pk).update(status=RunStatus.FAILED, error="unreadable", batch=night)
    yield "batch-retry", ["night-1"], dict, Action.MEASURED_AGAIN
    Run.objects.filter(pk=run.pk).update(status=RunStatus.FAILED, error="unreadable")
    yield "api:batches-retry", ["night-1"], dict, Action.MEASURED_AGAIN
    yield "api:batches-list", [], lambda: {"name": "night-2", "os_version": NEW}, Action.ADDED
    yield "api:batches-complete", ["night-2"], dict, Action.BATCH_COMPLETED
    yield "api:batches-reopen", ["night-2"], dict, Action.BATCH_REOPENED
    Run.objects.filter(pk=run.pk).update(status=RunStatus.DONE, error="")


def _changes_of_a_run(run):
    """Yield what is changed of a run, and on pages of what it is a run of."""
    interaction, app, device = run.interaction, run.interaction.app, run.device

    def mask(row):
        row.refresh_from_db()
        return {"owner": "interaction", "mask": json.dumps(row.masks[0])}

    Run.objects.filter(pk=run.pk).update(status=RunStatus.DONE)
    yield "api:runs-retry", [run.pk], dict, Action.MEASURED_AGAIN
    yield "run-action", [run.pk], lambda: {"action_ms": "540"}, Action.CHANGED
    yield "run-action-undo", [run.pk], dict, Action.CHANGED
    waiting = {"status": RunStatus.FAILED, "outcome": "no_action", "error": "nobody said it", "action_from": "ask"}
    Run.objects.filter(pk=run.pk).update(**waiting)
    yield "runs-actions-confirm", [], lambda: {"action": [f"{run.pk}-540000"]}, Action.CHANGED
    Run.objects.filter(pk=run.pk).update(status=RunStatus.DONE, outcome="ok", error="", action_from="")
    yield "run-type", [run.pk], lambda: {"type": "launch"}, Action.CHANGED
    yield "run-area-add", [run.pk], lambda: AREA, Action.CHANGED
    yield "run-area-remove", [run.pk], lambda: mask(interaction), Action.CHANGED
    yield "catalogue-area-add", ["app", app.pk], lambda: AREA, Action.CHANGED
    yield "catalogue-area-remove", ["app", app.pk], lambda: mask(app), Action.CHANGED
    yield "catalogue-again", ["device", device.pk], dict, Action.MEASURED_AGAIN
    scenario = {"scenario": "tap the first mail", "type": "tap"}
    yield "interaction-save", [interaction.pk], lambda: scenario, Action.CHANGED
    yield "app-critical", [app.pk], lambda: {"critical": "1"}, Action.CHANGED
    yield "app-save", [app.pk], lambda: {"name": "Post", "category": "x"}, Action.CHANGED
    yield "version-save", [NEW], lambda: {"note": "beta"}, Action.CHANGED
    noted = Interaction.objects.first().pk
    yield "history-note-add", [noted], lambda: {"version": BASE, "text": "another charger"}, Action.ADDED
    yield "history-note-hide", [Annotation.objects.get().pk], dict, Action.CHANGED
    course = Course.objects.create(interaction_id=noted, device=device, metric="response_time_ms").pk
    yield "api:history-notes", [course], lambda: {"version": BASE, "text": "a new scene"}, Action.ADDED
    yield "DELETE api:history-note", [Annotation.objects.latest("pk").pk], dict, Action.CHANGED
    yield "version-pin", [BASE], lambda: {"reason": "shipped"}, Action.CHANGED
    yield "version-unpin", [BASE], dict, Action.CHANGED


def _posts_of_people(engineer, me):
    yield "person-add", [], lambda: SECRET | {"username": "new", "role": "viewer"}, Action.ADDED
    yield "person-role", [engineer.pk], lambda: {"role": "triager"}, Action.CHANGED
    yield "person-password", [engineer.pk], lambda: SECOND, Action.CHANGED
    AccessAttempt.objects.create(username="eve", failures_since_start=9, attempt_time=timezone.now())
    yield "lockout-lift", [], lambda: {"username": "eve"}, Action.LOCKOUT_LIFTED
    yield "person-link", [engineer.pk], dict, Action.LINK_MADE
    yield "person-sessions-end", [_session(engineer, "a").user_id], dict, Action.SESSIONS_ENDED
    yield "account-session-end", [_session(me, "b").pk], dict, Action.SESSIONS_ENDED
    _session(me, "c")
    yield "account-sessions-end", [], dict, Action.SESSIONS_ENDED
    yield "tokens", [], lambda: {"name": "farm", "scopes": ["read"], "days": "30"}, Action.TOKEN_MADE
    yield "token-revoke", [ApiToken.objects.get().pk], dict, Action.TOKEN_REVOKED
    yield "account-mail", [], lambda: {"email": "me@lab.example", "password": "password"}, Action.CHANGED
    yield "account-notices", [], lambda: {"wanted": ["complete"]}, Action.CHANGED


def _posts_of_webhooks():
    hook = {"name": "Chat", "form": "slack", "url": "https://chat.example/x", "kinds": ["complete"]}
    yield "webhook-add", [], lambda: hook, Action.ADDED
    number = Webhook.objects.get().pk
    talk = {"name": "Talk", "form": "slack", "kinds": ["assigned"], "active": "on"}
    yield "webhook", [number], lambda: talk, Action.CHANGED
    yield "webhook-test", [number], dict, Action.CHANGED
    Delivery.objects.update(status=DeliveryStatus.FAILED)
    yield "delivery-again", [Delivery.objects.get(webhook=number).pk], dict, Action.CHANGED
    yield "webhook-secret", [number], dict, Action.CHANGED
    yield "webhook-delete", [number], dict, Action.DELETED


def _last_posts_of_people(engineer):
    """Yield what ends sessions that the others need."""
    yield "person-mail", [engineer.pk], lambda: {"email": "e@lab.example"}, Action.CHANGED
    mine = {"old_password": "password"} | SECOND
    yield "account-password", [], lambda: mine, Action.CHANGED
    yield "person-active", [engineer.pk], lambda: {"active": "0"}, Action.CHANGED


def _changes_of_the_catalogue(interaction, device):
    """Yield what scripts change of versions, apps, devices and interactions."""
    area = {"name": "clock", "left": 0, "top": 0, "width": 10, "height": 5, "again": False}
    gone = {key: value for key, value in MASK.items() if key != "unit"}
    yield "PATCH api:versions-detail", [NEW], lambda: {"note": "gamma"}, Action.CHANGED
    yield "api:versions-pin", [NEW], lambda: {"reason": "shipped"}, Action.CHANGED
    yield "api:versions-unpin", [NEW], dict, Action.CHANGED
    yield "PATCH api:apps-detail", [interaction.app.package], lambda: {"category": "mail"}, Action.CHANGED
    yield "PATCH api:interactions-detail", [interaction.pk], lambda: {"scenario": "swipe"}, Action.CHANGED
    for kind, row in (("apps", interaction.app.package), ("devices", device.pk), ("interactions", interaction.pk)):
        yield f"api:{kind}-areas", [row], lambda: area, Action.CHANGED
        yield f"api:{kind}-areas-remove", [row], lambda: gone, Action.CHANGED
        yield f"api:{kind}-again", [row], dict, Action.MEASURED_AGAIN


def _posts_of_the_api(interaction, engineer):
    """Yield the same for scripts, and leave policy and scopes as they were."""
    pair, waiver = (
        {"base": BASE, "new": NEW},
        {"app": interaction.app.package, "expires": "2999-01-01", "reason": "x"},
    )
    place = {"package": interaction.app.package, "interaction": interaction.name}
    Comparison.objects.update(stale=True)
    yield "api:comparisons-list", [], lambda: pair, Action.COMPARED
    yield "api:triage-list", [], lambda: pair | {"interactions": [place], "state": "invalid"}, Action.TRIAGED
    yield "api:triage-undo", [TriageEntry.objects.get().batch], dict, Action.TRIAGE_UNDONE
    yield "api:comparisons-gate", [BASE, NEW], dict, Action.GATE_DECIDED
    for answers in (
        (("approve", Action.WAIVER_SECONDED), ("withdraw", Action.WAIVER_WITHDRAWN)),
        (("refuse", Action.WAIVER_REFUSED),),
    ):
        yield "api:waivers-list", [], lambda: waiver, Action.WAIVER_ADDED
        Waiver.objects.update(created_by=engineer)
        for name, action in answers:
            yield f"api:waivers-{name}", [Waiver.objects.latest("pk").pk], dict, action
    yield "api:policies-detail", ["lab"], lambda: {"rules": {}, "based_on": 0}, Action.POLICY_SAVED
    GateRecord.objects.all().delete()  # else the page would find its own decision there


def test_every_post_that_succeeds_is_written_down(admin_client, admin_user, compared, engineer):
    done = set()
    for what, arguments, sent, action in _posts(compared, engineer, admin_user):
        method, _, name = what.rpartition(" ")
        done.add((method or "POST", name))
        last = AuditEntry.objects.values_list("pk", flat=True).first() or 0
        query = "?interaction=" + str(sent_interaction()) if name == "triage-exclude" else ""

        of_api = name.startswith("api:")
        kind = {"content_type": "application/json"} if of_api else {}
        ask = getattr(admin_client, (method or "POST").lower())
        answer = ask(reverse(name, args=arguments) + query, sent(), **kind)

        added = AuditEntry.objects.filter(pk__gt=last)
        wanted = (200, 201, 204) if of_api or name in SHOWN_ONCE else (302,)
        assert answer.status_code in wanted, (name, answer.status_code)
        assert added, f"{name} left no entry in the audit log"
        said = {(entry.action, entry.who, entry.user_id, entry.address) for entry in added}
        assert said == {(action, "admin", admin_user.pk, "127.0.0.1")}, name

    there = {
        (method, name)
        for name in all_addresses()
        for method in WRITING & methods_of(name).keys()
        if not name.startswith("admin:")
    }
    assert done | {(method, name) for method, name in there if name in CHANGES_NOTHING} == there


def sent_interaction():
    return Run.objects.filter(os_version__name=BASE).first().interaction_id


def test_every_file_that_leaves_is_written_down(admin_client, compared):
    record = decide_gate(comparison=compared)
    pair = [BASE, NEW]
    files = {
        "labels": [], "ranking-csv": pair, "ranking-json": pair, "ranking-plan-csv": pair, "release-report": pair,
        "recorded-report": [record.pk], "gate-file": [record.pk, "text"], "audit-csv": [],
        "history-releases-report": [], "history-releases-csv": [],
        "bug-report": [*pair, "org.example.mail", "open inbox"],
    }  # fmt: skip
    for name, arguments in files.items():
        last = AuditEntry.objects.values_list("pk", flat=True).first() or 0

        answer = admin_client.get(reverse(name, args=arguments))

        assert answer.status_code == 200, name
        [entry] = AuditEntry.objects.filter(pk__gt=last)
        assert (entry.action, entry.who) == (Action.EXPORTED, "admin"), name
        b"".join(answer)


def test_import_is_written_down_as_the_command_of_a_user_of_the_system(db, tmp_path, monkeypatch):
    monkeypatch.setattr("getpass.getuser", lambda: "lab")
    fake_video(tmp_path)
    manifest = write_manifest(tmp_path, [{}])

    for _ in range(2):  # the second time nothing is new, and nothing is written down
        import_manifest(path=manifest, queue=False)

    [entry] = AuditEntry.objects.all()
    assert (entry.action, entry.who, entry.user_id, entry.address) == ("imported", "command line, lab", None, "")
    assert (entry.subject, entry.note, entry.runs) == ("runs.csv", "1 new, 0 updated", 1)
