import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from reports.gate.services import second_waiver
from reports.models import Waiver
from tests import factories

WAIVERS = "/gate/waivers/"


def _form(**changes):
    values = {
        "app": factories.app("Mail").package,
        "interaction": factories.interaction("open inbox").name,
        "ceiling_response_time_ms": "300",
        "expires": (timezone.localdate() + timedelta(days=7)).isoformat(),
        "reason": "known and fixed in the next build",
        "issue_url": "https://tracker.example.org/1",
    }
    return values | changes


def test_waiver_add_saves_who_and_why(signed_in, engineer):
    answer = signed_in.post(reverse("waiver-add"), _form(), follow=True)

    waiver = Waiver.objects.get()
    assert (waiver.interaction.name, waiver.created_by) == ("open inbox", engineer)
    assert waiver.ceilings == {"response_time_ms": 300.0}
    page = answer.content.decode()
    assert "Waived: Mail · open inbox, Response time up to +300 ms, until" in page
    assert "7\u00a0days left" in page


def test_waiver_without_an_interaction_is_for_the_whole_app(signed_in):
    signed_in.post(reverse("waiver-add"), _form(interaction="", ceiling_response_time_ms=""))

    waiver = Waiver.objects.get()
    assert (waiver.interaction, waiver.ceilings) == (None, {})


@pytest.mark.django_db
def test_waiver_add_refuses_with_a_reason_and_keeps_what_was_typed(signed_in):
    wrong = {
        "expires": ("2020-01-01", "is over"),
        "interaction": ("no such", "has no interaction called no such"),
        "reason": ("", "Say why it is accepted."),
        "ceiling_response_time_ms": ("-5", "Give a number above 0"),
        "app": ("org.example.none", "Select a valid choice"),
        "issue_url": ("javascript:alert(1)", "Enter a valid URL"),
    }
    for field, (value, said) in wrong.items():
        answer = signed_in.post(reverse("waiver-add"), _form(**{field: value}))
        assert (answer.status_code, said in answer.content.decode()) == (422, True), field
        assert "known and fixed" in answer.content.decode() or field == "reason"
    assert not Waiver.objects.exists()


def test_waiver_withdraw_keeps_it_in_the_list(signed_in, engineer):
    signed_in.post(reverse("waiver-add"), _form())
    waiver = Waiver.objects.get()

    signed_in.post(reverse("waiver-withdraw", args=[waiver.pk]))

    waiver.refresh_from_db()
    assert waiver.withdrawn_by == engineer
    assert "withdrawn" in signed_in.get(WAIVERS).content.decode()
    assert signed_in.post(reverse("waiver-withdraw", args=[999])).status_code == 404


def test_waivers_are_preset_by_the_address(signed_in):
    app = factories.app("Mail").package
    factories.interaction("open inbox")

    answer = signed_in.get(WAIVERS, {"app": app, "interaction": "open inbox", "ceiling_response_time_ms": "300"})

    assert answer.context["form"]["ceiling_response_time_ms"].value() == "300"
    assert answer.context["names"] == ["open inbox"]


def test_waiver_actions_need_a_post(signed_in):
    assert signed_in.get(reverse("waiver-add")).status_code == 405
    assert signed_in.get(reverse("waiver-withdraw", args=[1])).status_code == 405


def test_the_waiver_that_the_gate_offers_holds_and_leads_back_to_the_gate(signed_in, compared, django_user_model):
    gate = signed_in.get("/compare/13.0.9/13.0.13/gate/")
    (line,) = gate.context["lines"]

    form = signed_in.get(line["waive"]).context
    sent = {field.name: field.value() or "" for field in form["form"]} | {"reason": "known", "back": form["back"]}
    saved = signed_in.post(reverse("waiver-add"), sent)
    second = django_user_model.objects.create_superuser(username="second")
    second_waiver(waiver_id=Waiver.objects.get().pk, user=second)

    assert saved.url == "/compare/13.0.9/13.0.13/gate/"
    assert "waived" in signed_in.get(saved.url).content.decode()
    assert signed_in.get(saved.url).context["report"]["decision"] == "pass"


def test_a_waiver_whose_ceiling_is_passed_is_a_warning_everywhere(signed_in, compared):
    signed_in.post(reverse("waiver-add"), _form(ceiling_response_time_ms="249"))
    said = "accepts response time up to +249 ms; +250 ms was measured, and counts"

    gate = signed_in.get("/compare/13.0.9/13.0.13/gate/").content.decode()
    waivers = signed_in.get(WAIVERS).content.decode()

    assert 'class="reason reason-warning"' in gate
    assert said in gate
    assert re.search(rf'aria-label="Warning">.*</svg> {re.escape(said)}', waivers)


def test_the_list_says_what_each_waiver_takes_out(signed_in, compared):
    signed_in.post(reverse("waiver-add"), _form())
    Waiver.objects.update(seconded_at=timezone.now())

    assert "takes out 1\u00a0result" in signed_in.get(WAIVERS).content.decode()


def test_the_waivers_page_takes_the_same_queries_however_many_there_are(
    signed_in, compared, django_assert_num_queries
):
    for expected in (WAIVERS_QUERIES, WAIVERS_QUERIES):
        signed_in.post(reverse("waiver-add"), _form())
        with django_assert_num_queries(expected):
            signed_in.get(WAIVERS)


def test_addresses_elsewhere_are_no_way_back_from_a_waiver(signed_in):
    assert signed_in.post(reverse("waiver-add"), _form(back="https://evil.example/")).url == WAIVERS


WAIVERS_QUERIES = 10
