"""Files through the API: those of the pages, whatever form a request would like best."""

import io
from zipfile import ZipFile

import pytest

from reports.models import Action, AuditEntry

pytestmark = pytest.mark.django_db
PAIR = "/api/v1/comparisons/13.0.9/13.0.13/"
BUG = f"{PAIR}org.example.mail/open%20inbox/bug-report/"


@pytest.mark.parametrize("accept", ["*/*", "text/html", "application/json"])
def test_the_release_report_is_the_file_of_the_page(signed_in, compared, accept):
    answer = signed_in.get(f"{PAIR}report/", headers={"accept": accept})

    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert "attachment" in answer["Content-Disposition"]
    assert "open inbox" in answer.content.decode()
    assert AuditEntry.objects.filter(action=Action.EXPORTED, who="engineer").count() == 1


def test_the_bug_report_is_the_file_of_the_page(signed_in, compared):
    answer = signed_in.get(BUG, headers={"accept": "application/zip"})

    assert answer["Content-Type"] == "application/zip"
    assert "report.md" in ZipFile(io.BytesIO(answer.getvalue())).namelist()


@pytest.mark.parametrize(
    ("address", "status"),
    [
        (f"{PAIR}report/?scope=nowhere", 422),
        (f"{PAIR}report/?device=x", 422),
        (f"{PAIR}org.example.mail/none/bug-report/", 404),
        (f"{PAIR}org.example.none/open%20inbox/bug-report/", 404),
        (f"{BUG}?t=soon", 422),
        (f"{BUG}?run=1", 422),
    ],
)
def test_what_is_not_there_is_told_as_a_problem(signed_in, compared, address, status):
    answer = signed_in.get(address, headers={"accept": "application/zip"})

    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["cure"]
