from datetime import UTC, datetime

import pytest
from django.urls import reverse

from reports.models import Comparison, ComparisonStatus, OsVersion
from tests import factories

HOME = "/"


def _page(client, **query):
    return client.get(HOME, query).content.decode()


def test_home_without_runs_says_how_to_import(signed_in):
    page = _page(signed_in)

    assert "No screencasts yet" in page
    assert "manage.py import_runs" in page
    assert "<select" not in page


def test_home_offers_only_versions_that_have_runs_newest_first(signed_in):
    factories.run(version=factories.os_version("13.0.9"))
    factories.run(version=factories.os_version("13.0.13"))
    factories.os_version("14.0")

    form = signed_in.get(HOME).context["form"]

    assert [name for name, _ in form.fields["base"].choices] == ["13.0.13", "13.0.9"]
    assert (form.cleaned_data["base"].name, form.cleaned_data["new"].name) == ("13.0.9", "13.0.13")


def test_home_says_what_two_versions_share(signed_in, versions):
    base, new = versions
    shared, only_base = factories.interaction("shared"), factories.interaction("only old")
    for _ in range(3):
        factories.run(version=base, of=shared)
    factories.run(version=new, of=shared)
    factories.run(version=base, of=only_base)

    page = _page(signed_in)

    assert "<b>1\u00a0app</b>, <b>1\u00a0interaction</b> in both" in page
    assert "3 runs" in page
    assert "1\u00a0interaction only in the baseline" in page
    assert "only in the updated" not in page


def test_home_counts_on_the_chosen_device_only(signed_in, versions):
    tablet = factories.device("tablet")
    for version in versions:
        factories.run(version=version)
    factories.run(version=versions[0], of=factories.interaction("on tablet"), on=tablet)

    page = _page(signed_in, base="13.0.9", new="13.0.13", device=tablet.pk)

    assert "share no interaction on this device" in page


def test_home_refuses_a_version_against_itself_and_keeps_the_form(signed_in, versions):
    factories.run(version=versions[0])

    answer = signed_in.get(HOME, {"base": "13.0.9", "new": "13.0.9"})

    assert "cannot be compared with itself" in answer.content.decode()
    assert not answer.context["comparable"]


@pytest.mark.parametrize("query", [{"base": "1", "new": "2"}, {"base": "13.0.9", "new": "x"}, {"device": "abc"}])
def test_home_with_a_query_that_makes_no_sense_still_shows_the_form(signed_in, versions, query):
    for version in versions:
        factories.run(version=version)

    answer = signed_in.get(HOME, query)

    assert answer.status_code == 200
    assert "<select" in answer.content.decode()


def test_home_shortens_long_names_in_their_middle_as_a_field_would_cut_their_end(signed_in):
    names = ("Oversea-7.1.0-userdebug-20261112", "Oversea-7.1.0-userdebug-20261119")
    for name in names:
        factories.run(version=factories.os_version(name))

    choices = signed_in.get(HOME).context["form"].fields["base"].choices

    assert choices == [(names[1], "Oversea-7.1.0-use…bug-20261119"), (names[0], "Oversea-7.1.0-use…bug-20261112")]


def test_home_keeps_long_names_whole_where_short_ones_would_be_the_same(signed_in):
    names = ("Oversea-7.1.0-user-a-debug-20261112", "Oversea-7.1.0-user-b-debug-20261112")
    for name in names:
        factories.run(version=factories.os_version(name))

    choices = signed_in.get(HOME).context["form"].fields["base"].choices

    assert choices == [(name, name) for name in reversed(names)]


def test_home_swap_turns_the_choice_round(signed_in):
    answer = signed_in.get(HOME, {"base": "13.0.9", "new": "13.0.13", "device": "3", "swap": "1"})

    assert answer.url == "/?base=13.0.13&new=13.0.9&device=3"


def test_home_with_one_version_says_what_is_missing(signed_in, versions):
    factories.run(version=versions[0])

    page = _page(signed_in)

    assert "has runs so far" in page
    assert "Import recordings" in page
    assert "Import those of another version" in page
    assert "<select" not in page


def test_home_proposes_the_pinned_version_as_the_baseline(signed_in, engineer):
    for name in ("13.0.8", "13.0.9", "13.0.13"):
        factories.run(version=factories.os_version(name))
    _pin("13.0.8", by=engineer)

    answer = signed_in.get(HOME)

    form = answer.context["form"]
    assert (form.cleaned_data["base"].name, form.cleaned_data["new"].name) == ("13.0.8", "13.0.13")
    assert "Since 3 Nov 2026 by engineer: shipped to everybody" in answer.content.decode()


def test_home_with_a_pinned_version_without_runs_says_so_and_proposes_another(signed_in, versions):
    for version in versions:
        factories.run(version=version)
    factories.os_version("12.0")
    _pin("12.0")

    answer = signed_in.get(HOME)

    assert answer.context["form"].cleaned_data["base"].name == "13.0.9"
    assert "It has no runs" in answer.content.decode()


def test_home_with_the_newest_version_pinned_holds_it_against_the_one_before(signed_in, versions):
    for version in versions:
        factories.run(version=version)
    _pin("13.0.13")

    assert signed_in.get(HOME).context["form"].cleaned_data["base"].name == "13.0.9"


def test_home_without_a_pinned_version_says_how_to_pin_one(signed_in):
    page = _page(signed_in)

    assert "No baseline is pinned" in page
    assert f'href="{reverse("versions")}">Pin a version' in page


def _pin(name, by=None):
    reason, when = "shipped to everybody", datetime(2026, 11, 3, 9, tzinfo=UTC)
    OsVersion.objects.filter(name=name).update(pinned=True, pinned_reason=reason, pinned_at=when, pinned_by=by)


def test_compare_start_queues_the_comparison_and_leads_to_its_ranking(signed_in, engineer, versions):
    for version in versions:
        factories.run(version=version)

    answer = signed_in.post(reverse("compare-start"), {"base": "13.0.9", "new": "13.0.13"})

    assert answer.url == reverse("ranking", args=["13.0.9", "13.0.13"])
    comparison = Comparison.objects.get()
    assert (comparison.status, comparison.requested_by) == (ComparisonStatus.PENDING, engineer)


def test_compare_start_with_one_version_twice_leads_back_to_the_choice(signed_in, versions):
    factories.run(version=versions[0])

    answer = signed_in.post(reverse("compare-start"), {"base": "13.0.9", "new": "13.0.9"})

    assert answer.url == "/?base=13.0.9&new=13.0.9"
    assert not Comparison.objects.exists()


def test_compare_start_needs_a_post(signed_in):
    assert signed_in.get(reverse("compare-start")).status_code == 405
