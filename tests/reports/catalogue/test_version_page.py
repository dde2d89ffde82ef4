from datetime import date

import pytest
from django.urls import reverse

from reports.access.services import set_role
from reports.audit.words import changes_of
from reports.catalogue.services import pin_version, save_version, unpin_version
from reports.models import OsVersion, Role, RunStatus
from tests import factories

pytestmark = pytest.mark.django_db
QUERIES = 17


def _save(version, user, **values):
    as_it_is = {"sorts_as": "", "channel": "", "released_on": None, "note": ""}
    return save_version(version=version, user=user, **as_it_is | values)


def test_version_sorts_as_it_is_told_and_by_its_name_again(engineer):
    nightly, release = factories.os_version("nightly"), factories.os_version("13.0.13")

    assert _save(nightly, engineer, sorts_as="13.0.12.5")
    assert list(OsVersion.objects.all()) == [nightly, release]
    assert _save(nightly, engineer)
    assert list(OsVersion.objects.all()) == [release, nightly]


def test_version_that_stays_as_it_is_keeps_no_change(engineer):
    version = factories.os_version()
    _save(version, engineer, note="shipped", released_on=date(2026, 11, 1))

    assert not _save(version, engineer, note=" shipped ", released_on=date(2026, 11, 1))
    words = {told.words for told in changes_of(version)}
    assert words == {"Note changed from nothing to “shipped”", "Date changed from nothing to “2026-11-01”"}


def test_one_version_is_pinned_at_a_time_with_who_when_and_why(engineer):
    old, new = factories.os_version("13.0.12"), factories.os_version("13.0.13")
    pin_version(version=old, reason="last that shipped", user=engineer)

    assert pin_version(version=new, reason=" this one ships ", user=engineer) == old

    pinned = OsVersion.objects.pinned().get()
    assert (pinned, pinned.pinned_reason, pinned.pinned_by) == (new, "this one ships", engineer)
    assert pinned.pinned_at
    assert [told.words for told in changes_of(old)] == [
        "No longer pinned",
        "Pinned as the baseline: last that shipped",
    ]
    assert unpin_version(version=new, user=engineer)
    assert not unpin_version(version=new, user=engineer)
    assert not OsVersion.objects.pinned().exists()


def test_pin_without_a_reason_is_refused(engineer):
    with pytest.raises(ValueError, match="needs a reason"):
        pin_version(version=factories.os_version(), reason="  ", user=engineer)


def test_page_shows_place_runs_failures_and_comparisons(signed_in, compared):
    new = OsVersion.objects.get(name="13.0.13")
    factories.run(version=new, status=RunStatus.FAILED, outcome="unreadable")
    factories.run(version=new, outcome="no_response")
    factories.os_version("13.0.10")

    page = signed_in.get(reverse("version", args=["13.0.13"])).content.decode()

    assert "after <a" in page
    assert "13.0.10" in page
    assert "the newest" in page
    assert "Unreadable" in page
    assert "No response" in page
    assert "unreadable: no video stream" in page
    assert "?version=13.0.13&amp;status=failed&amp;outcome=unreadable" in page
    assert "1 of 3 regressed" in page
    assert reverse("app", args=["org.example.mail"]) in page


def test_page_of_an_unknown_version_names_some_that_are_known(signed_in):
    factories.os_version("13.0.12")

    answer = signed_in.get(reverse("version", args=["99"]))

    assert (answer.status_code, "Known are: 13.0.12" in answer.content.decode()) == (404, True)


def test_page_of_a_version_without_runs_says_how_to_import(signed_in):
    factories.os_version("13.0.12")

    assert "import_runs" in signed_in.get(reverse("version", args=["13.0.12"])).content.decode()


def test_page_takes_a_constant_number_of_queries(signed_in, compared, django_assert_num_queries):
    with django_assert_num_queries(QUERIES):
        signed_in.get(reverse("version", args=["13.0.13"]))
    for number in range(3):
        app = factories.app(f"App {number}")
        factories.run(version=OsVersion.objects.get(name="13.0.13"), of=factories.interaction(of=app))
    with django_assert_num_queries(QUERIES):
        signed_in.get(reverse("version", args=["13.0.13"]))


def test_page_saves_pins_and_unpins(keeper):
    factories.os_version("13.0.12")
    values = {"sorts_as": "13.0.12.1", "released_on": "2026-11-01", "note": "first of the autumn"}

    keeper.post(reverse("version-save", args=["13.0.12"]), values)
    keeper.post(reverse("version-pin", args=["13.0.12"]), {"reason": "shipped"})

    page = keeper.get(reverse("version", args=["13.0.12"])).content.decode()
    assert "first of the autumn" in page
    assert "released 1 Nov 2026" in page
    assert "by keeper: shipped" in page
    assert "pinned" in keeper.get(reverse("versions")).content.decode()
    keeper.post(reverse("version-unpin", args=["13.0.12"]))
    assert not OsVersion.objects.pinned().exists()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"released_on": "1st of May"}, "Give a day as year-month-day"),
        ({"sorts_as": "---"}, "Give numbers or words"),
        ({"sorts_as": "1a" * 40}, "too many parts"),
    ],
)
def test_page_says_beside_the_field_what_is_wrong_and_keeps_what_was_typed(keeper, values, words):
    factories.os_version("13.0.12")

    answer = keeper.post(reverse("version-save", args=["13.0.12"]), {"note": "typed already"} | values)

    page = answer.content.decode()
    assert (answer.status_code, words in page, "typed already" in page) == (422, True, True)
    assert next(iter(values.values())) in page


def test_pin_without_a_reason_says_so_beside_the_field(keeper):
    factories.os_version("13.0.12")

    answer = keeper.post(reverse("version-pin", args=["13.0.12"]), {"reason": " "})

    assert (answer.status_code, "Say why this version" in answer.content.decode()) == (422, True)


def test_who_may_not_change_the_catalogue_reads_and_is_refused(signed_in, engineer):
    set_role(person=engineer, role=Role.VIEWER, by=None)
    factories.os_version("13.0.12")

    page = signed_in.get(reverse("version", args=["13.0.12"])).content.decode()

    assert "Policy owners can pin one as the baseline." in page
    assert "<textarea" not in page
    for name, who in (("version-save", "Administrators"), ("version-pin", "Policy owners and administrators")):
        answer = signed_in.post(reverse(name, args=["13.0.12"]), {"reason": "x"})
        assert (answer.status_code, f"{who} may" in answer.content.decode()) == (403, True)
