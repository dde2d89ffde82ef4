"""Whose change it was: the author of the version that is found gets the finding, unless somebody has it."""

import pytest
from django.urls import reverse

from reports.audit.origin import Origin, on_behalf_of
from reports.bisecting.services import Search, finish_bisection, look_again, start_bisection
from reports.models import AuditEntry, Bisection, Event, OsVersion, TriageEntry
from reports.triage.people import NoSuchPersonError, author_called
from reports.triage.services import Decision, triage
from tests import factories
from tests.reports.history.lines import film, line

pytestmark = pytest.mark.django_db


@pytest.fixture
def found():
    """A bisection over three versions that has found the second, as its change made it slower."""
    versions = line(200.0, None, 300.0)
    for version, middle in zip(versions, (200.0, 300.0, 300.0), strict=True):
        film(version, middle, runs=20)
    of = {"app": "org.example.mail", "interaction": "open inbox", "metric": "response_time_ms"}
    row, _ = start_bisection(Search(good="14.0.0", bad="14.0.2", **of))
    look_again(bisection_id=row.pk)
    row.refresh_from_db()
    assert row.told["suspects"] == ["14.0.1"]
    return row


@pytest.fixture
def anna(django_user_model):
    return django_user_model.objects.create_user(
        "anna", email="anna@lab.example", first_name="Anna", last_name="Berg"
    )


def by(author, change=""):
    OsVersion.objects.filter(name="14.0.1").update(author=author, change=change)


def finished(row, user):
    with on_behalf_of(Origin(user.pk, user.username)):
        return finish_bisection(row)


@pytest.mark.parametrize(
    "author",
    ["anna", "Anna Berg", "ANNA@lab.example", "A. Berg <anna@lab.example>", "Anna Berg <a@elsewhere.example>"],
)
def test_an_author_with_an_account_is_given_the_finding(found, anna, engineer, author):
    by(author, "https://review.example/c/77")

    row = finished(found, engineer)

    entry = TriageEntry.objects.get()
    assert (entry.base.name, entry.new.name, entry.assigned_to, entry.state) == (
        "14.0.0", "14.0.2", anna, "investigating",
    )  # fmt: skip
    assert entry.note == (
        f"Bisection {row.pk}: 14.0.1 is the first bad version, its change is by {author}, https://review.example/c/77"
    )
    assert (row.author, row.triaged) == (
        author, f"The change of 14.0.1 is by {author}; the finding is assigned to anna.",
    )  # fmt: skip
    assert AuditEntry.objects.filter(action="triaged", who="engineer").count() == 1
    assert Event.objects.filter(person=anna, kinds=["assigned"]).count() == 1


def test_it_is_done_once(found, anna, engineer):
    by("anna")

    finished(found, engineer)
    finished(found, engineer)

    assert TriageEntry.objects.count() == 1


def test_an_author_without_an_account_is_named_in_the_note(found, engineer):
    by("Somebody Else <else@far.example>")

    row = finished(found, engineer)

    entry = TriageEntry.objects.get()
    assert (entry.assignee, "Somebody Else <else@far.example>" in entry.note) == ("", True)
    assert "named in the finding's note" in row.triaged


def test_whoever_has_the_finding_keeps_it(found, anna, engineer):
    decision = Decision(state="acknowledged", assignee="engineer")
    mail = factories.interaction().pk
    triage(base=found.good, new=found.bad, interaction_ids=[mail], decision=decision, user=engineer)
    by("anna")

    row = finished(found, engineer)

    assert TriageEntry.objects.get().assigned_to == engineer
    assert row.triaged.endswith("the finding stays with engineer, to whom somebody assigned it.")


@pytest.mark.parametrize(
    ("state", "kept", "told"),
    [("acknowledged", "acknowledged", "is assigned to anna"), ("wontfix", "wontfix", "as it was marked wontfix")],
)
def test_a_state_that_somebody_set_stays(found, anna, engineer, state, kept, told):
    mail = factories.interaction().pk
    decision = Decision(state=state)
    triage(base=found.good, new=found.bad, interaction_ids=[mail], decision=decision, user=engineer)
    by("anna")

    row = finished(found, engineer)

    assert (TriageEntry.objects.first().state, told in row.triaged) == (kept, True)


def test_a_version_without_an_author_is_said_to_have_none(found, engineer):
    row = finished(found, engineer)

    assert (row.author, TriageEntry.objects.count()) == ("", 0)
    assert row.triaged == "14.0.1 does not say whose change it brings, so nobody was assigned."


def test_on_the_command_line_whoever_started_it_decides_or_nobody(found, anna, engineer):
    by("anna")
    assert "so nobody was assigned" in finish_bisection(found).triaged

    Bisection.objects.update(finished_at=None, started_by=engineer, suspects=[])
    assert "is assigned to anna" in finish_bisection(found).triaged
    assert TriageEntry.objects.get().made_by == engineer


def test_a_mail_address_of_two_people_names_nobody(django_user_model, anna):
    django_user_model.objects.create_user("bert", email="anna@lab.example")

    with pytest.raises(NoSuchPersonError, match="several people have the mail address"):
        author_called("anna@lab.example")


def test_the_page_says_whose_change_it_is_before_and_after(signed_in, found, anna):
    by("anna", "https://review.example/c/77")
    address = reverse("bisection", args=[found.pk])

    before = signed_in.get(address).content.decode()
    assert "The change of 14.0.1 is by anna" in before
    assert 'href="https://review.example/c/77"' in before

    signed_in.post(reverse("bisection-finish", args=[found.pk]))
    assert "the finding is assigned to anna." in signed_in.get(address).content.decode()


def test_author_and_change_are_set_on_the_page_of_a_version_and_by_the_api(admin_client):
    version = factories.os_version("14.0.1")
    page = reverse("version", args=["14.0.1"])

    admin_client.post(
        reverse("version-save", args=["14.0.1"]), {"author": "Anna Berg", "change": "javascript:alert(1)"}
    )
    version.refresh_from_db()
    assert (version.author, version.change_link) == ("Anna Berg", "")
    assert "Its change is by Anna Berg" in admin_client.get(page).content.decode()

    api = reverse("api:versions-detail", args=["14.0.1"])
    told = admin_client.patch(api, {"change": "https://review.example/77"}, content_type="application/json").json()
    assert (told["author"], told["change"]) == ("Anna Berg", "https://review.example/77")
    assert 'href="https://review.example/77"' in admin_client.get(page).content.decode()
