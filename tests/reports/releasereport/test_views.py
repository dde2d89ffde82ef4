import pytest
from django.urls import reverse

from reports.gate.services import decide_gate
from reports.policies.services import save_scope
from reports.releasereport import views
from tests import factories
from tests.reports.releasereport.scene import BASE, NAMES, NEW, compute, release_scene, text_of

pytestmark = pytest.mark.django_db
ADDRESS = reverse("release-report", args=NAMES)


def test_ranking_leads_to_the_file(signed_in):
    release_scene()

    assert f'href="{ADDRESS}' in signed_in.get(reverse("ranking", args=NAMES)).content.decode()
    response = signed_in.get(ADDRESS)

    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="release-report-13.0.9-13.0.13.html"'
    assert "no-store" in response["Cache-Control"]
    assert b'href="http://testserver/compare/13.0.9/13.0.13/"' in response.content


def test_record_of_the_gate_leads_to_its_file(signed_in):
    record = decide_gate(comparison=release_scene())
    address = reverse("recorded-report", args=[record.pk])

    assert f'href="{address}"' in signed_in.get(reverse("gate-record", args=[record.pk])).content.decode()
    response = signed_in.get(address)

    assert f"-decision-{record.pk}.html" in response["Content-Disposition"]
    assert f"Decision {record.pk} of" in text_of(response.content.decode())


def test_scope_of_the_ranking_is_that_of_the_report(signed_in):
    save_scope(name="feed", apps=[factories.app("Feed")])
    release_scene()

    response = signed_in.get(ADDRESS, {"scope": "feed", "verdict": "regression", "page": "2"})

    assert "-feed.html" in response["Content-Disposition"]


def test_request_waits_only_so_long_for_pictures(signed_in, monkeypatch):
    release_scene()
    monkeypatch.setattr(views, "PATIENCE_S", 0.0)

    assert "download this report again" in text_of(signed_in.get(ADDRESS).content.decode())


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (reverse("release-report", args=[BASE, "99"]), "No OS version is called 99"),
        (reverse("release-report", args=[NEW, BASE]), "have not been compared yet"),
        (f"{ADDRESS}?scope=nothing", "no scope is called"),
        (reverse("recorded-report", args=[12345]), "There is no decision 12345"),
    ],
)
def test_what_is_unknown_is_not_found_and_named(signed_in, address, said):
    release_scene()

    response = signed_in.get(address)

    assert response.status_code == 404
    assert said in text_of(response.content.decode())


def test_nobody_reads_it_without_a_login(client):
    assert client.get(ADDRESS).status_code == 302


def test_only_reading_is_allowed(signed_in):
    assert signed_in.post(ADDRESS).status_code == 405


def test_query_count_does_not_grow_with_interactions(signed_in, django_assert_num_queries):
    release_scene()
    signed_in.get(ADDRESS)
    with django_assert_num_queries(18):
        signed_in.get(ADDRESS)
    for name in ("search", "archive", "write"):
        for version, start in ((BASE, 100.0), (NEW, 400.0)):
            values = [start + step for step in range(8)]
            factories.runs(values, version=factories.os_version(version), of=factories.interaction(name))
    compute()

    with django_assert_num_queries(18):
        signed_in.get(ADDRESS)
