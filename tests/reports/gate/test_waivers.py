from datetime import timedelta

import pytest
from django.utils import timezone

from reports.gate.services import WaiverError, add_waiver, withdraw_waiver
from reports.models import Waiver
from reports.policies.selectors import standing_waivers, waiver_rows
from tests import factories

pytestmark = pytest.mark.django_db


def today(days=0):
    return timezone.localdate() + timedelta(days=days)


def add(**changes):
    given = {"app": factories.app(), "expires": today(7), "reason": "known", "approver": "QA lead"}
    return add_waiver(**{**given, **changes})


def test_a_waiver_reaches_the_gate_by_package_and_name():
    add(interaction=factories.interaction("open inbox"), ceilings={"response_time_ms": 80.0})

    (found,) = standing_waivers()

    assert (found.app, found.interaction) == ("org.example.mail", "open inbox")
    assert (found.ceilings, found.expires) == ({"response_time_ms": 80.0}, today(7))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reason": "  "}, "reason: is empty"),
        ({"approver": ""}, "approver: is empty"),
        ({"ceilings": {"speed": 1.0}}, "ceilings: there is no metric 'speed'"),
        ({"ceilings": {"outcome": -1.0}}, "ceilings: .* give a number above 0"),
        ({"ceilings": {"outcome": float("inf")}}, "ceilings"),
    ],
)
def test_a_waiver_that_says_too_little_is_refused(changes, message):
    with pytest.raises(WaiverError, match=message):
        add(**changes)
    assert not Waiver.objects.exists()


def test_a_waiver_that_is_over_is_refused():
    with pytest.raises(WaiverError, match=r"expires: .* is over"):
        add(expires=today(-1))


def test_a_waiver_for_an_interaction_of_another_app_is_refused():
    with pytest.raises(WaiverError, match="belongs to another app; choose one of Mail"):
        add(interaction=factories.interaction("pan", of=factories.app("Maps")))


def test_a_withdrawn_waiver_stays_on_record_but_no_longer_counts(engineer):
    waiver = add()

    assert withdraw_waiver(waiver_id=waiver.pk, user=engineer)
    assert not withdraw_waiver(waiver_id=waiver.pk, user=None)

    waiver.refresh_from_db()
    assert waiver.withdrawn_by == engineer
    assert standing_waivers() == []


def test_the_list_shows_those_in_force_first():
    late, soon, gone = add(expires=today(30)), add(expires=today()), add()
    withdraw_waiver(waiver_id=gone.pk)
    old = add()
    Waiver.objects.filter(pk=old.pk).update(expires=today(-1))

    rows = waiver_rows(today=today())

    assert [(row.waiver.pk, row.state) for row in rows] == [
        (soon.pk, "in_force"),
        (late.pk, "in_force"),
        (old.pk, "expired"),
        (gone.pk, "withdrawn"),
    ]
    assert rows[0].days_left == 0
