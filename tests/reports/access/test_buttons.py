"""Nobody is shown a button, a form or a link that leads to a refusal; an administrator is shown all of them."""

from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone

from reports.access.services import set_role
from reports.batches.services import open_batch
from reports.gate.services import add_waiver, decide_gate
from reports.measuring.services import correct_run, exclude_runs
from reports.models import Role, Run, RunStatus, TriageState
from reports.policies.services import save_scope
from reports.triage.services import Decision, triage
from tests import factories
from tests.reports.access.expected import NOBODY, ROLES, least

pytestmark = pytest.mark.django_db


class Controls(HTMLParser):
    """Collect (method, address) of every form, button and link."""

    def __init__(self, page):
        super().__init__()
        self.found, self._form = set(), ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form" and given.get("method") != "dialog":
            self.found.add((given.get("method", "get").upper(), given.get("action", "")))
        if "formaction" in given:
            self.found.add((given.get("formmethod", "post").upper(), given["formaction"]))
        if tag == "a":
            self.found.add(("GET", given.get("href", "")))


def opens(control, place):
    """Tell whether the role at that place may do what a (method, name of the address) does."""
    wanted = least(control[1], control[0])
    return wanted == NOBODY or (wanted is not None and ROLES.index(wanted) <= place)


def controls(visitor, address):
    """Return (method, name of the address) of what a page offers."""
    answer = visitor.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    found = set()
    for method, target in Controls(answer.content.decode()).found:
        path = urlsplit(urljoin(address, target)).path
        try:
            found.add((method, resolve(path).view_name))
        except Resolver404:
            assert target.startswith(("https://", "/static/")), target
    return found


@pytest.fixture
def pages(compared, engineer):
    """Return the addresses of pages that offer all there is to do."""
    result = compared.results.get(interaction__name="open inbox", worst=True)
    interaction = result.interaction
    pair = [compared.base.name, compared.new.name]
    runs = list(Run.objects.filter(interaction=interaction, os_version=compared.new).order_by("pk"))
    correct_run(run=runs[0], moment="response", value_ms=120.0, user=engineer)
    exclude_runs(run_ids=[runs[1].pk], reason="a call came in", user=engineer)
    batch, _ = open_batch(name="night-1", os_version=compared.new.name)
    unreadable = {"status": RunStatus.FAILED, "outcome": "unreadable"}
    failed = factories.run(of=interaction, version=compared.new, batch=batch, **unreadable)
    decision = Decision(state=TriageState.INVESTIGATING)
    triage(base=compared.base, new=compared.new, interaction_ids=[interaction.pk], decision=decision, user=engineer)
    values = {"reason": "known", "approver": "engineer", "ceilings": {"response_time_ms": 1.0}}
    add_waiver(app=interaction.app, expires=timezone.localdate(), user=engineer, **values)
    save_scope(name="mail", apps=[interaction.app])
    record = decide_gate(comparison=compared, user=engineer)
    exclude_runs(run_ids=[runs[2].pk], reason="a call came in", user=engineer)  # the record is out of date now
    app = interaction.app
    return [
        *(reverse(name) for name in ("home", "versions", "apps", "devices", "interactions", "people", "runs")),
        *(reverse(name) for name in ("gate", "waivers", "policy", "scopes", "search", "help")),
        *(reverse("version", args=[name]) for name in pair),
        reverse("batches"),
        reverse("batch", args=[batch.name]),
        reverse("app", args=[app.package]),
        reverse("app-edit", args=[app.package]),
        reverse("catalogue-device", args=[result.device_id]),
        reverse("catalogue-interaction", args=[interaction.pk]),
        reverse("ranking", args=pair),
        reverse("ranking", args=pair) + "?tab=apps",
        reverse("ranking-plan", args=pair),
        reverse("gate-pair", args=pair),
        reverse("gate-record", args=[record.pk]),
        *(reverse("run-detail", args=[run.pk]) for run in (*runs[:2], failed)),
        reverse("drilldown", args=[*pair, app.package, interaction.name]),
    ]


@pytest.mark.long
def test_nobody_is_shown_what_leads_to_a_refusal(pages, django_user_model):
    offered, wrong = {}, []
    for place, role in enumerate(ROLES):
        person = django_user_model.objects.create_user(username=f"the {role}")
        set_role(person=person, role=Role(role.replace(" ", "_")), by=None)
        visitor = Client()
        visitor.force_login(django_user_model.objects.get(pk=person.pk))
        offered[role] = set()
        for address in pages:
            found = controls(visitor, address)
            offered[role] |= found
            wrong += [(role, address, *one) for one in found if not opens(one, place)]

    assert wrong == []
    assert offered["viewer"] < offered["triager"] < offered["policy owner"] < offered["administrator"]
    posted = {name for method, name in offered["administrator"] if method == "POST"}
    for wanted in ("waiver-add", "waiver-withdraw", "gate-decide", "scope-save", "scope-delete", "policy-save"):
        assert wanted in posted
