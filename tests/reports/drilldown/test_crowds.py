"""Pages of an interaction with more runs than can be listed or drawn one by one."""

import re

import numpy as np
import pytest
from django.urls import reverse

from reports.drilldown.runs import MOST_RUNS
from reports.models import Run
from tests import factories
from tests.reports.drilldown.rows import compared
from tests.reports.drilldown.test_views import address, state

MANY = 600
ODD = 5000.0  # a run far from all others


@pytest.fixture
def crowd(db):
    rng = np.random.default_rng(11)
    base, new = (np.round(rng.normal(middle, 20.0, MANY), 1).tolist() for middle in (200.0, 400.0))
    new[123] = ODD
    return compared(values=(base, new))


def test_page_of_a_crowd_stays_small_in_bytes_and_queries(crowd, signed_in, django_assert_num_queries):
    with django_assert_num_queries(28):
        text = signed_in.get(address()).content.decode()

    assert len(text) < 300_000
    assert text.count('class="strip-shape') == 2
    assert text.count("data-run-id=") < 80
    assert text.count('<tr class="is-') <= 2 * 40


def test_ends_and_chosen_runs_of_a_crowd_are_dots_and_rows(crowd, signed_in):
    _, base, new = crowd
    chosen = base[77]

    text = signed_in.get(address(base_run=chosen.pk)).content.decode()

    assert f'data-run-id="{new[123].pk}"><title>Updated run {new[123].repetition}: 5\u202f000\xa0ms' in text
    assert re.search(rf'class="dot base is-chosen"[^>]*data-run-id="{chosen.pk}"', text)
    listed = re.findall(r'<tr class="is-[^"]*">\s*<th scope="row"><a href="\?([^"]*)"', text)
    assert {f"base_run={chosen.pk}&amp;new_run={new[123].pk}", f"base_run={chosen.pk}"} <= set(listed)


def test_every_run_of_a_crowd_can_be_chosen_and_stepped_through(crowd, signed_in):
    _, base, _ = crowd

    response = signed_in.get(address(base_run=base[300].pk))

    assert state(response)["base"]["run"] == base[300].pk
    text = response.content.decode()
    assert "301 of 600" in text
    assert f"base_run={base[299].pk}" in text
    assert f"base_run={base[301].pk}" in text


def test_list_of_a_crowd_leads_to_all_its_runs_and_names_those_that_do_not_count(crowd, signed_in):
    Run.objects.filter(pk=crowd[2][5].pk).update(excluded=True, excluded_reason="a call came in")

    text = signed_in.get(address()).content.decode()

    assert "excluded: a call came in" in text
    link = re.search(rf'<a href="({reverse("runs")}\?version=13.0.13&[^"]*)">All runs of updated', text)
    listed = signed_in.get(link[1].replace("&amp;", "&")).context["page"].paginator
    assert listed.count == MANY


def test_as_runs_as_fit_are_all_drawn_and_listed(db, signed_in):
    values = tuple(range(100, 100 + MOST_RUNS))
    compared(values=(values, values))

    text = signed_in.get(address()).content.decode()

    assert text.count("data-run-id=") == 2 * MOST_RUNS
    assert text.count('<tr class="is-') == 2 * MOST_RUNS
    assert 'class="strip-shape' not in text
    assert "All runs of" not in text


def test_crowd_without_a_comparison_lists_its_first_repetitions(db, signed_in):
    factories.os_version("13.0.13")
    factories.runs([100.0] * (MOST_RUNS + 1), version=factories.os_version("13.0.12"))

    text = signed_in.get(address()).content.decode()

    assert "First repetitions" in text
    assert text.count('<tr class="is-') == 11
