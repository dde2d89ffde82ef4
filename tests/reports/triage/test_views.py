from django.urls import reverse

from reports.models import TriageEntry
from tests import factories
from tests.reports.drilldown.rows import compared

PAIR = ["13.0.12", "13.0.13"]


def page(name="open inbox"):
    return reverse("drilldown", args=[*PAIR, "org.example.mail", name])


def test_decision_is_shown_on_the_page_and_can_be_taken_back(db, signed_in):
    compared()
    sent = {
        "interaction": factories.interaction().pk, "state": "investigating", "assignee": "core team",
        "note": "since the new scheduler", "bug_url": "https://bugs.example.org/1", "back": page(),
    }  # fmt: skip

    shown = signed_in.post(reverse("triage", args=PAIR), sent, follow=True).content.decode()

    assert "<b>investigating</b> · core team" in shown
    assert "since the new scheduler" in shown
    undo = reverse("triage-undo", args=[TriageEntry.objects.get().batch])
    assert "<b>untriaged</b>" in signed_in.post(undo, {"back": page()}, follow=True).content.decode()


def test_many_at_once_answer_with_the_batch_for_scripts(db, signed_in):
    compared()
    compared(of=factories.interaction("send mail"))
    ids = [factories.interaction(name).pk for name in ("open inbox", "send mail")]

    answer = signed_in.post(
        reverse("triage", args=PAIR),
        {"interaction": ids, "state": "acknowledged"},
        headers={"Accept": "application/json"},
    )

    assert answer.json()["count"] == 2
    undone = signed_in.post(
        reverse("triage-undo", args=[answer.json()["batch"]]), headers={"Accept": "application/json"}
    )
    assert undone.json()["count"] == 2


def test_wrong_decisions_are_refused_with_words(db, signed_in):
    compared()

    answer = signed_in.post(
        reverse("triage", args=PAIR), {"state": "fixed"}, headers={"Accept": "application/json"}
    )

    assert answer.status_code == 400
    assert "Choose at least one interaction" in answer.json()["message"]


def test_addresses_elsewhere_are_no_way_back(db, signed_in):
    sent = {"interaction": factories.interaction().pk, "state": "wontfix", "back": "https://evil.example/"}
    compared()

    assert signed_in.post(reverse("triage", args=PAIR), sent).url == reverse("home")
