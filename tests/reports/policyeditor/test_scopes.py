from django.urls import reverse

from reports.models import Scope
from tests import factories

SCOPES = "/gate/scopes/"


def test_scope_save_and_change_and_delete(signed_in, db):
    mail = factories.app("Mail")
    signed_in.post(reverse("scope-save"), {"name": "launches", "interaction_types": ["launch"]})
    signed_in.post(
        reverse("scope-save"), {"name": "launches", "interaction_types": ["launch"], "apps": [mail.package]}
    )

    scope = Scope.objects.get()
    assert (scope.interaction_types, list(scope.apps.all())) == (["launch"], [mail])
    assert "1\u00a0app" in signed_in.get(SCOPES).content.decode()
    signed_in.post(reverse("scope-delete"), {"name": "launches"})
    assert not Scope.objects.exists()


def test_scope_that_limits_nothing_is_refused_with_a_reason(signed_in, db):
    answer = signed_in.post(reverse("scope-save"), {"name": "all"})

    assert answer.status_code == 422
    assert "choose some of either" in answer.content.decode()
    assert signed_in.post(reverse("scope-save"), {"name": ""}).status_code == 422


def test_scope_opened_by_the_address_is_ready_to_change(signed_in, db):
    signed_in.post(reverse("scope-save"), {"name": "launches", "interaction_types": ["launch"]})

    form = signed_in.get(SCOPES, {"name": "launches"}).context["form"]

    assert form["name"].value() == "launches"
    assert set(form["interaction_types"].value()) == {"launch"}


def test_scope_actions_need_a_post(signed_in):
    assert signed_in.get(reverse("scope-save")).status_code == 405
    assert signed_in.get(reverse("scope-delete")).status_code == 405
