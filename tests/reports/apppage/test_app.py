from datetime import timedelta

from django.utils import timezone

from reports.comparing.services import compute_comparison, open_comparison
from reports.models import App, RunStatus
from tests import factories
from tests.reports.conftest import FAST, SLOW

QUERIES = 24
MAIL = "/apps/org.example.mail/"


def test_app_shows_its_interactions_risk_and_triage_of_the_comparison(signed_in, compared):
    answer = signed_in.get(MAIL)

    page, found = answer.content.decode(), answer.context["found"]
    assert found.comparison == compared
    assert [row.result.interaction.name for row in found.rows] == ["open inbox"]
    assert (found.risk.regressed, found.risk.decided, found.states) == (1, 1, (("untriaged", 1),))
    assert "Severe" in page
    assert "+250\u00a0ms" in page
    assert "critical" in page
    assert "/compare/13.0.9/13.0.13/org.example.mail/open%20inbox/" in page


def test_app_shows_the_newest_comparison_unless_another_is_chosen(signed_in, compared):
    newest = factories.os_version("13.0.14")
    interaction = App.objects.get(package="org.example.mail").interactions.get()
    factories.runs(SLOW, version=newest, of=interaction)
    later = compute_comparison(comparison_id=open_comparison(base=compared.new, new=newest).pk)

    def shown(query=""):
        return signed_in.get(MAIL + query).context["found"].comparison

    assert shown() == later
    assert shown(f"?comparison={compared.pk}") == compared
    assert shown("?comparison=999") == shown("?comparison=x") == later


def test_app_names_interactions_without_a_result(signed_in, compared):
    factories.interaction("archive", of=App.objects.get(package="org.example.mail"))

    page = signed_in.get(MAIL).content.decode()

    assert "1\u00a0interaction without a result in this comparison" in page
    assert "archive" in page


def test_app_counts_runs_and_failures_with_links(signed_in, compared):
    interaction = App.objects.get(package="org.example.mail").interactions.get()
    factories.run(version=compared.new, of=interaction, status=RunStatus.FAILED, outcome="unreadable")
    factories.run(version=compared.new, of=interaction, outcome="no_response")

    page = signed_in.get(MAIL).content.decode()

    query = "?app=org.example.mail&amp;version=13.0.13"
    assert f"{query}&amp;status=failed&amp;outcome=unreadable" in page
    assert "1 unreadable" in page
    assert "1 no response" in page


def test_app_shows_waivers_in_force_alone(signed_in, compared):
    app = App.objects.get(package="org.example.mail")
    day = timezone.localdate() + timedelta(days=3)
    factories.accepted_waiver(
        app=app,
        expires=day,
        reason="known since spring",
        approver="release manager",
        ceilings={"response_time_ms": 300.0},
    )
    feed = App.objects.get(package="org.example.feed")
    factories.accepted_waiver(app=feed, expires=day, reason="of another app", approver="release manager")

    page = signed_in.get(MAIL).content.decode()

    assert "up to +300" in page
    assert "known since spring" in page
    assert "of another app" not in page


def test_app_keeps_the_place_of_its_history(signed_in, compared):
    assert "at least 3 versions with runs of Mail; there are 2" in signed_in.get(MAIL).content.decode()


def test_app_that_was_never_compared_says_how_to_compare(signed_in):
    factories.run()

    page = signed_in.get(MAIL).content.decode()

    assert "Not compared yet" in page
    assert "there is 1." in page


def test_app_that_is_unknown_is_not_found(signed_in, db):
    assert signed_in.get("/apps/no.such/").status_code == 404


def test_app_takes_a_constant_number_of_queries(signed_in, compared, django_assert_num_queries):
    with django_assert_num_queries(QUERIES):
        signed_in.get(MAIL)
    mail = App.objects.get(package="org.example.mail")
    for name in ("search", "write"):
        for version, values in ((compared.base, FAST), (compared.new, SLOW)):
            factories.runs(values, version=version, of=factories.interaction(name, of=mail))
    compute_comparison(comparison_id=compared.pk)
    with django_assert_num_queries(QUERIES):
        signed_in.get(MAIL)
