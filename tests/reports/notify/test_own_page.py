"""One's own notices: a switch for each kind, and the mails as they would be."""

import pytest
from django.urls import reverse

from reports.models import AuditEntry, Notice, Preference
from reports.notify.preferences import switches
from reports.triage.services import Decision, triage

pytestmark = pytest.mark.django_db


def test_switches_are_saved_and_written_down_once(signed_in, engineer):
    usual = {switch.kind: switch.wanted for switch in switches(engineer)}
    for _ in range(2):
        signed_in.post(reverse("account-notices"), {"wanted": ["complete", "assigned"]})

    assert usual == {"complete": False, "gate_failed": True, "critical": True, "assigned": True, "digest": True}
    assert {switch.kind for switch in switches(engineer) if switch.wanted} == {"complete", "assigned"}
    [entry] = AuditEntry.objects.filter(field="notices")
    assert (entry.who, entry.subject) == ("engineer", "engineer")


def test_unknown_kind_is_refused_in_words(signed_in):
    answer = signed_in.post(reverse("account-notices"), {"wanted": ["everything"]}, follow=True)

    assert "Choose from the list" in answer.content.decode()
    assert not Preference.objects.exists()


def test_page_says_what_is_missing_before_anything_can_come(signed_in, engineer, settings):
    page = signed_in.get(reverse("account-notices")).content.decode()
    assert "UPReg sends no mail here yet" in page

    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.example", "upreg@lab.example"
    assert "no mail address" in signed_in.get(reverse("account-notices")).content.decode()
    engineer.email = "e@lab.example"
    engineer.save()
    assert "Mails go to e@lab.example" in signed_in.get(reverse("account-notices")).content.decode()


def test_preview_of_every_kind_is_the_mail_by_what_was_there_last(
    signed_in, engineer, compared, django_user_model, django_assert_max_num_queries
):
    ben = django_user_model.objects.create_user(username="ben")
    found = list(compared.results.filter(worst=True).values_list("interaction_id", flat=True))
    decision = Decision(state="investigating", assignee="engineer")
    triage(base=compared.base, new=compared.new, interaction_ids=found[:1], decision=decision, user=ben)
    for kind in Notice.values:
        with django_assert_max_num_queries(40):
            page = signed_in.get(reverse("account-notice", args=[kind])).content.decode()
        assert "Mail · open inbox" in page, kind
        assert "No more of these mails" in page


def test_preview_says_that_there_is_none_yet(signed_in):
    for kind in Notice.values:
        page = signed_in.get(reverse("account-notice", args=[kind])).content.decode()
        assert "Nothing of that kind has happened yet" in page
    assert signed_in.get(reverse("account-notice", args=["others"])).status_code == 404


def test_own_notices_cost_the_same_few_queries(signed_in, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):
        signed_in.get(reverse("account-notices"))
