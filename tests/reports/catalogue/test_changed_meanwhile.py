"""Two people with the same form open: the later one is told of the earlier one, and asked."""

import pytest
from django.urls import reverse

from reports.catalogue.services import save_app, save_interaction, save_version
from reports.measuring.services import correct_run, set_action
from reports.models import App, AuditEntry, Correction, Run, Scope
from reports.policies.services import save_scope
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(django_user_model):
    return django_user_model.objects.create_user(username="bob")


@pytest.fixture
def page(admin_client):
    """Return how to send a form twice: as it was loaded, then as the answer offers it."""

    def _twice(address, sent):
        first = admin_client.post(address, {**sent, "seen": "0"})
        assert first.status_code == 409
        newest = AuditEntry.objects.first().pk
        assert f'name="seen" value="{newest}"' in first.content.decode()
        second = admin_client.post(address, {**sent, "seen": str(newest)})
        assert second.status_code == 302
        return first.content.decode()

    return _twice


def test_an_app_that_somebody_else_changed_is_not_overwritten_unasked(page, bob):
    row = factories.app("Mail")
    save_app(app=row, user=bob, category="social")

    shown = page(reverse("app-save", args=[row.pk]), {"name": "Mail", "category": "communication"})

    assert "bob: Category changed from “communication” to “social”" in shown
    assert 'value="communication"' in shown  # what was typed
    assert App.objects.get().category == "communication"


def test_a_version_and_an_interaction_likewise(page, bob):
    version, mail = factories.os_version("13.0.12"), factories.interaction("open inbox")
    save_version(version=version, user=bob, channel="", sorts_as="", released_on=None, note="from the lab")
    assert "from the lab" in page(reverse("version-save", args=["13.0.12"]), {"note": "mine"})

    save_interaction(interaction=mail, user=bob, scenario="tap", type="tap", again=False)
    sent = {"scenario": "swipe", "type": "tap"}
    assert "bob: Scenario changed" in page(reverse("interaction-save", args=[mail.pk]), sent)


def test_an_action_that_somebody_else_moved_is_asked_about(page, bob):
    run = factories.run(action_ms=500.0, duration_ms=2000.0)
    set_action(run=run, action_ms=600.0, user=bob)

    shown = page(reverse("run-action", args=[run.pk]), {"action_ms": "700"})

    assert "bob: Action moved from 500" in shown
    assert Run.objects.get().action_ms == 700.0


def test_a_correction_that_somebody_else_made_is_told(admin_client, bob):
    run = factories.run(metrics={"response_time_ms": 100.0}, duration_ms=2000.0)
    theirs = correct_run(run=run, moment="response", value_ms=150, user=bob)
    address, sent = reverse("run-correct", args=[run.pk]), {"moment": "response", "value_ms": "180"}

    shown = admin_client.post(address, {**sent, "seen": "0"}, follow=True).content.decode()

    assert "bob corrected the response to 150 ms since you loaded the page; yours was 180 ms" in shown
    assert Correction.objects.get() == theirs
    admin_client.post(address, {**sent, "seen": str(theirs.pk)})
    assert Correction.objects.get(withdrawn_at=None).value_ms == 180


def test_a_scope_that_is_there_with_another_choice_is_not_overwritten_unasked(admin_client):
    save_scope(name="launches", interaction_types=["launch"])
    sent = {"name": "launches", "interaction_types": ["tap"]}

    answer = admin_client.post(reverse("scope-save"), {**sent, "seen": ""})

    assert answer.status_code == 409
    assert "with all apps and launch" in answer.content.decode()
    assert Scope.objects.get().interaction_types == ["launch"]
    admin_client.post(reverse("scope-save"), {**sent, "seen": answer.context["seen"]})
    assert Scope.objects.get().interaction_types == ["tap"]
