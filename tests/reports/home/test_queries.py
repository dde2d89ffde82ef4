"""The first page asks the database the same number of questions however much there is to show."""

from datetime import timedelta
from itertools import pairwise

from django.utils import timezone

from reports.batches.services import open_batch
from reports.comparing.services import compute_comparison, open_comparison
from reports.models import RunStatus
from reports.triage.services import Decision, triage
from tests import factories
from tests.reports.conftest import FAST

EMPTY_QUERIES = 20
HOME_QUERIES = 38


def _fill(user, names, apps):
    """Compare each version with the one before: all regresses each time, some is assigned, some is waived."""
    versions = [factories.os_version(name) for name in names]
    taps = [factories.interaction("tap", of=factories.app(f"App {number}")) for number in range(apps)]
    for number, version in enumerate(versions):
        for tap in taps:
            factories.runs([value + 300 * number for value in FAST], version=version, of=tap)
        factories.run(version=version, status=RunStatus.FAILED, outcome=f"kind {number}")
        factories.run(version=version, status=RunStatus.PENDING)
        factories.run(version=version, batch=open_batch(name=f"night {version}", os_version=version.name)[0])
    for base, new in pairwise(versions):
        compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)
    decision = Decision(state="investigating", assignee=user.username)
    mine = [tap.pk for tap in taps[: apps // 2]]
    triage(base=versions[0], new=versions[1], interaction_ids=mine, decision=decision, user=user)
    expires = timezone.localdate() + timedelta(days=2)
    factories.accepted_waiver(app=taps[0].app, expires=expires, reason="known", approver="release manager")


def test_home_of_a_fresh_install_asks_little(signed_in, db, django_assert_num_queries):
    with django_assert_num_queries(EMPTY_QUERIES):
        signed_in.get("/")


def test_home_takes_a_constant_number_of_queries(signed_in, engineer, django_assert_num_queries):
    _fill(engineer, ["1.0", "1.1", "1.2", "1.3"], apps=2)
    with django_assert_num_queries(HOME_QUERIES):
        signed_in.get("/")
    _fill(engineer, ["2.0", "2.1", "2.2", "2.3", "2.4"], apps=9)
    with django_assert_num_queries(HOME_QUERIES):
        signed_in.get("/")
