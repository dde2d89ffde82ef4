"""The button that measures again what another revision of the measuring code measured, and the run's own page."""

import pytest
from django.urls import reverse

from analysis.revision import REVISION
from reports.models import Comparison, Run, RunStatus
from tests import factories
from tests.reports.drilldown.rows import add_series

ADDRESS = "/compare/13.0.9/13.0.13/"


@pytest.fixture
def old(compared):
    """Return the comparison's runs of which three were measured by an earlier revision, one of them failed."""
    runs = [*Run.objects.filter(os_version__name="13.0.9", interaction__name="open inbox")[:2]]
    runs.append(factories.run(version=compared.new, status=RunStatus.FAILED))
    Run.objects.filter(pk__in=[run.pk for run in runs]).update(revision=REVISION - 1)
    return {run.pk for run in runs}


def wanted(comparison, **more):
    return {"base": comparison.base_id, "new": comparison.new_id, "back": ADDRESS, **more}


def waiting():
    return set(Run.objects.filter(status=RunStatus.PENDING).values_list("pk", flat=True))


def test_the_button_queues_exactly_the_old_runs_and_leads_back(signed_in, compared, old):
    answer = signed_in.post(reverse("runs-retry-revisions"), wanted(compared), follow=True)

    assert answer.redirect_chain == [(ADDRESS, 302)]
    assert "3 runs will be measured again." in answer.content.decode()
    assert waiting() == old
    assert Comparison.objects.get().stale


def test_pressing_twice_does_no_harm(signed_in, compared, old):
    for _ in range(2):
        signed_in.post(reverse("runs-retry-revisions"), wanted(compared))

    assert waiting() == old


def test_the_button_of_an_interaction_leaves_the_others_alone(signed_in, compared, old):
    other = factories.interaction("like", of=factories.app("Feed"))

    signed_in.post(reverse("runs-retry-revisions"), wanted(compared, interaction=other.pk))

    assert waiting() == set()


def test_a_form_that_names_no_versions_changes_nothing(signed_in, compared, old):
    answer = signed_in.post(reverse("runs-retry-revisions"), {"base": "x"}, follow=True)

    assert "base:" in answer.content.decode()
    assert waiting() == set()


@pytest.mark.parametrize("name", ["runs-retry", "runs-retry-revisions"])
def test_whoever_is_not_logged_in_is_refused_like_for_any_retry(client, compared, old, name):
    answer = client.post(reverse(name), wanted(compared))

    assert answer.status_code == 302
    assert answer.url.startswith(reverse("login"))
    assert waiting() == set()


def test_it_needs_a_post(signed_in):
    assert signed_in.get(reverse("runs-retry-revisions")).status_code == 405


@pytest.mark.parametrize(
    ("revision", "words"),
    [
        (REVISION, f"by revision {REVISION} of the measuring code."),
        (REVISION - 1, f"by revision {REVISION - 1} of the measuring code; the running one is {REVISION}."),
        (0, f"by a revision of the measuring code from before they were numbered; the running one is {REVISION}."),
    ],
)
@pytest.mark.parametrize("status", [RunStatus.DONE, RunStatus.FAILED])
def test_the_page_of_a_run_names_the_revision_that_judged_it(signed_in, db, status, revision, words):
    run = factories.run(status=status, revision=revision)

    assert words in signed_in.get(reverse("run-detail", args=[run.pk])).content.decode()


def test_the_page_of_a_waiting_run_names_no_revision(signed_in, db):
    run = factories.run(status=RunStatus.PENDING)

    assert "measuring code" not in signed_in.get(reverse("run-detail", args=[run.pk])).content.decode()


def test_the_evidence_does_not_say_the_revision_a_second_time(signed_in, db):
    run = factories.run()
    record = add_series(run, [0, 500, 600], changed=[1, 2])
    record.evidence["revision"] = REVISION
    record.save()

    page = signed_in.get(reverse("run-detail", args=[run.pk])).content.decode()

    assert page.lower().count("revision") == 1
