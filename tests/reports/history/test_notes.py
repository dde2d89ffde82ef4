"""What was said about versions: numbered under the chart, listed below it, added and hidden by triagers."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from reports.catalogue.services import pin_version
from reports.models import Annotation, AuditEntry, OsVersion, Waiver
from reports.triage.services import Decision, triage
from tests import factories
from tests.repeated import made_once
from tests.reports.history.lines import bring_up_to_date, line

pytestmark = pytest.mark.django_db


@pytest.fixture
def versions():
    """Three versions, released ten days one after the other, the last ten days ago."""
    made_once(_three_versions)
    return list(OsVersion.objects.order_by("name"))


def _three_versions():
    for number, version in enumerate(line(200.0, 200.0, 300.0)):
        day = timezone.localdate() - timedelta(days=30 - 10 * number)
        OsVersion.objects.filter(pk=version.pk).update(released_on=day)
    bring_up_to_date()


def address():
    return reverse("history-course", args=[factories.interaction().pk])


def say(client, text, version="14.0.1", of=None, **more):
    add = reverse("history-note-add", args=[(of or factories.interaction()).pk])
    return client.post(add, {"version": version, "text": text, "back": address(), **more}, follow=True)


def numbered(client, **query):
    """Return the numbers under the chart, and the words of each entry below it."""
    html = client.get(address(), query).content.decode().replace("\N{NO-BREAK SPACE}", " ")
    under = re.findall(r"<rect [^>]*/><text [^>]*>([^<]+)</text></a>", html)
    return under, re.findall(r"<bdi>([^<]*)</bdi>", html)


def test_a_note_gets_a_number_under_the_chart_and_its_words_below(signed_in, engineer, versions):
    say(signed_in, "a new charger", "14.0.2")
    say(signed_in, "the scene was filmed anew", "14.0.1")

    assert numbered(signed_in) == (["1", "2"], ["the scene was filmed anew", "a new charger"])
    entry = AuditEntry.objects.latest("pk")
    assert (entry.who, entry.subject, entry.note) == (
        engineer.username, "note on 14.0.1", "the scene was filmed anew"
    )  # fmt: skip


def test_decisions_and_waivers_are_numbered_as_well(signed_in, engineer, versions):
    mail = factories.interaction()
    decision = Decision(state="investigating", note="looks like the new renderer")
    triage(base=versions[1], new=versions[2], interaction_ids=[mail.pk], decision=decision, user=engineer)
    expires = timezone.localdate() + timedelta(days=5)
    waiver = factories.accepted_waiver(app=mail.app, expires=expires, reason="known", approver="release manager")
    Waiver.objects.filter(pk=waiver.pk).update(created_at=timezone.now() - timedelta(days=15))  # 14.0.1 was newest

    under, words = numbered(signed_in)

    assert under == ["1", "2"]
    assert words[0].startswith("waived until")
    assert words[1] == "investigating since 14.0.1: looks like the new renderer"


def test_release_notes_and_the_pin_are_numbered_as_well(signed_in, engineer, versions):
    OsVersion.objects.filter(name="14.0.2").update(note="a new renderer")
    pin_version(version=versions[0], reason="it shipped", user=engineer)

    assert numbered(signed_in) == (["1", "2"], ["pinned: it shipped", "a new renderer"])


def test_what_is_said_about_one_version_shares_a_mark(signed_in, versions):
    for number in range(3):
        say(signed_in, f"note {number}")

    assert numbered(signed_in)[0] == ["1–3"]


def test_notes_are_for_one_interaction_or_for_all(signed_in, versions):
    line(200.0, 200.0, 200.0, of=factories.interaction("search"))
    bring_up_to_date()
    other = factories.interaction("search")

    say(signed_in, "only there", of=other)
    say(signed_in, "everywhere", of=other, everywhere="on")

    assert numbered(signed_in)[1] == ["everywhere"]


def test_notes_are_left_out_where_the_address_says_so(signed_in, versions):
    say(signed_in, "a new charger")

    assert numbered(signed_in, notes="off") == ([], [])


def test_a_hidden_note_is_gone_from_the_page_and_stays_in_the_log(signed_in, versions):
    say(signed_in, "a new charger")
    hide = reverse("history-note-hide", args=[Annotation.objects.get().pk])

    assert signed_in.post(hide, {"back": address()}).url == address()
    signed_in.post(hide)

    assert numbered(signed_in) == ([], [])
    assert AuditEntry.objects.filter(subject="note on 14.0.1", note="a new charger").count() == 2
    assert signed_in.post(reverse("history-note-hide", args=[10**6])).status_code == 404


@pytest.mark.parametrize(
    ("text", "version", "words"),
    [
        ("", "14.0.1", "Write what is to be known"),
        ("x" * 201, "14.0.1", "at most 200"),
        ("charger", "9.9", "There is no such version"),
    ],
)
def test_what_makes_no_note_is_refused_in_words(signed_in, versions, text, version, words):
    answer = say(signed_in, text, version)

    assert words in answer.content.decode()
    assert not Annotation.objects.exists()


def test_words_with_markup_stay_words(signed_in, versions):
    say(signed_in, "<script>alert(1)</script>")

    assert "<script>alert" not in signed_in.get(address()).content.decode()
