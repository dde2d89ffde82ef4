"""Lines of versions: each has its own order, and a pinned version of its own."""

import pytest
from django.db import IntegrityError, transaction

from reports.batches.selectors import load_batch
from reports.batches.services import compare_batch, complete_batch, open_batch
from reports.catalogue.selectors import version_rows
from reports.catalogue.services import LineIsPinnedError, pin_version, save_version
from reports.catalogue.versions import load_version
from reports.home.selectors import compare_choices, pinned_baseline
from reports.models import AuditEntry, Comparison, OsVersion
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def four():
    """Two releases and two betas, all with runs; in the order of their names the betas lie between."""
    names = ("14.0", "14.1", "14.0.5-beta", "14.1.5-beta")
    versions = [factories.os_version(name, channel="beta" if "beta" in name else "") for name in names]
    for version in versions:
        factories.runs([200.0] * 3, version=version)
    return versions


def test_neighbours_are_those_of_the_same_line(four):
    stable, later, beta, last = four

    detail = load_version(later.name)
    assert (detail.before, detail.after) == (stable, None)
    assert (load_version(last.name).before, load_version(beta.name).before) == (beta, None)
    assert {row.name: row.previous for row in version_rows()} == {
        "14.0": "", "14.1": "14.0", "14.0.5-beta": "", "14.1.5-beta": "14.0.5-beta",
    }  # fmt: skip


def test_each_line_has_a_pinned_version_of_its_own(four, engineer):
    stable, later, beta, _ = four
    assert pin_version(version=stable, reason="it shipped", user=engineer) is None
    assert pin_version(version=beta, reason="the first beta", user=engineer) is None

    assert pin_version(version=later, reason="it shipped, too", user=engineer) == stable

    assert set(OsVersion.objects.pinned()) == {later, beta}
    with pytest.raises(IntegrityError), transaction.atomic():
        OsVersion.objects.filter(pk=stable.pk).update(pinned=True, pinned_reason="by hand")


def test_a_pinned_version_does_not_push_another_off_by_coming_into_its_line(four, engineer, admin_client):
    stable, _, beta, _ = four
    for version in (stable, beta):
        pin_version(version=version, reason="it shipped", user=engineer)

    with pytest.raises(LineIsPinnedError, match=r"14\.0 is pinned there already"):
        save_version(version=beta, sorts_as="", channel="", released_on=None, note="", user=engineer)

    page = admin_client.post(f"/versions/{beta}/save/", {"channel": ""})
    assert page.status_code == 422
    assert "14.0 is pinned there already: unpin one of the two first." in page.content.decode()
    beta.refresh_from_db()
    assert (beta.channel, beta.pinned) == ("beta", True)


def test_a_version_changes_its_line_on_its_page_and_who_did_is_kept(four, admin_client):
    stable = four[0]

    admin_client.post(f"/versions/{stable}/save/", {"channel": " preview "})

    stable.refresh_from_db()
    assert stable.channel == "preview"
    assert "line" in admin_client.get(f"/versions/{stable}/").content.decode()
    assert AuditEntry.objects.filter(field="channel").count() == 1
    assert "preview" in admin_client.get("/versions/").content.decode()


def test_the_first_page_holds_the_newest_against_its_own_line(four, engineer):
    _, later, beta, last = four
    assert compare_choices().proposal == {"base": beta.name, "new": last.name}  # 14.1.5-beta is the newest

    pin_version(version=later, reason="it shipped", user=engineer)
    assert compare_choices().proposal == {"base": beta.name, "new": last.name}
    assert pinned_baseline(compare_choices()) is None

    pin_version(version=beta, reason="the first beta", user=engineer)
    assert pinned_baseline(compare_choices()) == beta


def test_a_batch_is_compared_with_the_baseline_of_its_line(four, engineer):
    stable, _, beta, last = four
    for version in (stable, beta):
        pin_version(version=version, reason="it shipped", user=engineer)
    batch, _ = open_batch(name="night", os_version=last.name)
    factories.runs([200.0] * 3, version=last, batch=batch)
    assert load_batch("night").baseline == beta

    complete_batch(batch=batch)
    compare_batch(batch_id=batch.pk)

    assert (Comparison.objects.get().base, Comparison.objects.get().new) == (beta, last)
