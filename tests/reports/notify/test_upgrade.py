"""Whoever was there before notices came gets none until they choose; whoever comes later has the usual ones."""

import importlib
from datetime import timedelta
from functools import partial
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.core import mail
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from reports.comparing.services import compute_comparison
from reports.models import Comparison, Preference
from reports.notify.preferences import set_wanted, switches

upgrade = importlib.import_module("reports.migrations.0034_notices_of_before")
pytestmark = pytest.mark.django_db


@pytest.fixture
def came(db):
    """Let notices have come a week ago."""
    at = timezone.now() - timedelta(days=7)
    MigrationRecorder(connection).migration_qs.filter(app="reports", name="0026_notices").update(applied=at)
    return at


def migrate():
    upgrade.leave_in_peace(apps, SimpleNamespace(connection=connection))


def on(person):
    return [switch.kind for switch in switches(person) if switch.wanted]


def test_only_who_was_there_before_and_said_nothing_is_left_in_peace(came, ann, ben, django_user_model):
    carl = django_user_model.objects.create_user(username="carl", email="carl@lab.example")
    for person in (ann, ben):
        person.date_joined = came - timedelta(days=1)
        person.save()
    set_wanted(person=ben, wanted=["complete", "gate_failed", "critical", "assigned", "digest"], by=ben)

    migrate()
    migrate()  # once more changes nothing

    assert on(ann) == []
    assert on(ben) == ["complete", "gate_failed", "critical", "assigned", "digest"]
    assert on(carl) == ["gate_failed", "critical", "assigned", "digest"]
    set_wanted(person=ann, wanted=["digest"], by=ann)
    assert on(ann) == ["digest"]


def test_everybody_was_there_before_where_notices_come_with_this_very_update(ann):
    MigrationRecorder(connection).migration_qs.filter(app="reports", name="0026_notices").update(
        applied=timezone.now()
    )
    migrate()

    assert on(ann) == []


def test_nobody_is_told_after_the_upgrade_and_the_new_ones_are(came, compared, ann, ben, tell):
    ann.date_joined = came - timedelta(days=1)
    ann.save()
    migrate()
    compared.events.all().delete()
    Comparison.objects.update(fingerprint="", stale=True)

    tell(partial(compute_comparison, comparison_id=compared.pk))

    assert [letter.to for letter in mail.outbox] == [["ben@lab.example"]]
    assert Preference.objects.count() == 5
