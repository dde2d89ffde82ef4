"""A computed comparison to look at."""

import pytest
from django.utils import timezone

from reports.comparing.services import compute_comparison, open_comparison
from reports.models import Comparison
from tests import factories
from tests.repeated import made_once

SLOW, FAST = [350.0 + step for step in range(8)], [100.0 + step for step in range(8)]


@pytest.fixture
def one_minute(monkeypatch):
    """Stop the clock: a token writes with its first request of each minute, which is one query more."""
    now = timezone.now()
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)


@pytest.fixture
def versions(db):
    """Return the baseline and the updated version of the made-up comparison."""
    return factories.os_version("13.0.9"), factories.os_version("13.0.13")


@pytest.fixture
def compared(db):
    """Compare two versions on three interactions: one regressed in a critical app, one improved, one unchanged."""
    made_once(_compare)
    return Comparison.objects.get()


def _compare():
    base, new = factories.os_version("13.0.9"), factories.os_version("13.0.13")
    mail = factories.app("Mail", critical=True)
    feed = factories.app("Feed", category="social")
    made = [
        (factories.interaction("open inbox", of=mail), FAST, SLOW),
        (factories.interaction("fling", type="scroll", of=feed), SLOW, FAST),
        (factories.interaction("like", of=feed), FAST, FAST),
    ]
    for interaction, before, after in made:
        factories.runs(before, version=base, of=interaction)
        factories.runs(after, version=new, of=interaction)
    compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)
