"""The database itself refuses what must never be."""

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from reports.models import Comparison, Device, Interaction, Measurement, Run
from tests import factories

pytestmark = pytest.mark.django_db


def refused():
    return pytest.raises(IntegrityError)


def test_run_recorded_twice_is_refused():
    first = factories.run(repetition=1)

    with refused():
        factories.run(repetition=first.repetition)


def test_run_recorded_on_another_day_is_another_run():
    factories.run(repetition=1, recorded_at=datetime(2026, 1, 1, tzinfo=UTC))
    factories.run(repetition=1, recorded_at=datetime(2026, 1, 2, tzinfo=UTC))

    assert Run.objects.count() == 2


@pytest.mark.parametrize(
    "values",
    [
        {"action_ms": -1.0},
        {"status": "lost"},
        {"status": "failed", "error": ""},
        {"excluded": True},
    ],
)
def test_run_that_contradicts_itself_is_refused(values):
    with refused():
        factories.run(**values)


@pytest.mark.parametrize("value", [-1.0, float("inf")])
def test_measurement_negative_or_infinite_is_refused(value):
    with refused():
        factories.run(metrics={"response_time_ms": value})


def test_measurement_of_a_metric_twice_is_refused():
    run = factories.run(metrics={"response_time_ms": 1.0})

    with refused():
        Measurement.objects.create(run=run, metric="response_time_ms", value=2.0)


def test_comparison_with_itself_is_refused():
    version = factories.os_version()

    with refused():
        Comparison.objects.create(base=version, new=version)


def test_comparison_of_the_same_pair_is_unique_with_and_without_a_device():
    base, new, device = factories.os_version("1"), factories.os_version("2"), factories.device()
    Comparison.objects.create(base=base, new=new)
    Comparison.objects.create(base=base, new=new, device=device)

    for extra in ({}, {"device": device}):
        with refused(), transaction.atomic():
            Comparison.objects.create(base=base, new=new, **extra)


def test_interaction_of_unknown_type_is_refused():
    with refused():
        Interaction.objects.create(app=factories.app(), name="shake", type="shake")


@pytest.mark.parametrize("refresh_hz", [0.0, -60.0, 5000.0])
def test_device_with_an_impossible_refresh_rate_is_refused(refresh_hz):
    with refused():
        Device.objects.create(name="phone", refresh_hz=refresh_hz)
