from reports.models import RunStatus
from tests import factories

VERSIONS_QUERIES = 5


def test_versions_are_in_their_own_order_with_a_link_to_the_one_before(signed_in):
    for name in ("13.0.13", "13.0.9"):
        factories.run(version=factories.os_version(name))
    factories.os_version("13.0.10")

    answer = signed_in.get("/versions/")

    rows = answer.context["rows"]
    assert [row.name for row in rows] == ["13.0.13", "13.0.10", "13.0.9"]
    assert rows[0].previous == "13.0.9"
    assert "/?base=13.0.9&amp;new=13.0.13" in answer.content.decode()


def test_versions_count_runs_by_their_state(signed_in):
    factories.run()
    factories.run(status=RunStatus.FAILED)
    factories.run(status=RunStatus.PENDING)

    row = signed_in.get("/versions/").context["rows"][0]

    assert (row.runs, row.done, row.failed, row.waiting, row.apps, row.interactions) == (3, 1, 1, 1, 1, 1)


def test_versions_without_any_says_how_to_import(signed_in):
    assert "manage.py import_runs" in signed_in.get("/versions/").content.decode()


def test_versions_take_a_constant_number_of_queries(signed_in, django_assert_num_queries):
    for name in ("1", "2", "3"):
        factories.run(version=factories.os_version(name))
    with django_assert_num_queries(VERSIONS_QUERIES):
        signed_in.get("/versions/")


def test_versions_are_found_by_name_and_note(signed_in):
    factories.os_version("13.0.12")
    version = factories.os_version("13.0.13")
    version.note = "Autumn release"
    version.save()

    assert [row.name for row in signed_in.get("/versions/", {"q": "autumn 13"}).context["rows"]] == ["13.0.13"]
    assert "No version fits" in signed_in.get("/versions/", {"q": "winter"}).content.decode()
