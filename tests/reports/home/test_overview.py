import pytest
from django.urls import reverse
from django.utils import timezone

from reports.comparing.services import compute_comparison, open_comparison
from reports.home.overview import APPS, EARLIER, WORST, load_overview
from reports.models import Comparison
from reports.ranking.summary import ranked_apps, verdict_summary
from reports.triage.services import Decision, triage
from tests import factories
from tests.reports.conftest import FAST, SLOW

RANKING = "/compare/13.0.9/13.0.13/"


def _page(client):
    return " ".join(client.get("/").content.decode().split())


def _regressed_everywhere(versions, apps):
    base, new = versions
    for number in range(apps):
        tap = factories.interaction("open", of=factories.app(f"App {number}"))
        factories.runs(FAST, version=base, of=tap)
        factories.runs([value + 100 * number for value in SLOW], version=new, of=tap)
    return compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)


def test_overview_of_nothing_computed_has_no_last(versions):
    waiting = open_comparison(base=versions[0], new=versions[1])

    overview = load_overview([waiting])

    assert (overview.last, overview.glance) == (None, None)
    assert [row.comparison for row in overview.earlier] == [waiting]
    assert load_overview([]).earlier == []


def test_overview_says_what_the_ranking_says(compared):
    overview = load_overview([compared])

    assert overview.last.summary == verdict_summary(compared)
    assert overview.glance.apps == ranked_apps(compared)
    assert [row.result.interaction.name for row in overview.glance.worst] == ["open inbox"]
    assert overview.glance.more_apps == 0


def test_overview_of_many_regressions_keeps_the_worst(versions):
    comparison = _regressed_everywhere(versions, apps=APPS + 2)

    glance = load_overview([comparison]).glance

    deltas = [row.result.delta for row in glance.worst]
    assert len(deltas) == WORST
    assert deltas == sorted(deltas, reverse=True)
    assert (len(glance.apps), glance.more_apps) == (APPS, 2)


def test_overview_keeps_a_few_of_many_comparisons(versions):
    many = [Comparison(base=versions[0], new=versions[1]) for _ in range(EARLIER + 3)]

    assert len(load_overview(many).earlier) == EARLIER


def test_home_shows_the_last_comparison_with_verdict_gate_worst_and_apps(signed_in, compared):
    page = _page(signed_in)

    assert "1 of 3 interactions regressed" in page
    assert f'href="{RANKING}gate/"' in page
    assert f'href="{RANKING}org.example.mail/open%20inbox/?metric=response_time_ms&amp;device=' in page
    assert f'href="{RANKING}?app=org.example.mail"' in page
    assert f'href="/apps/org.example.mail/?comparison={compared.pk}"' in page
    assert f'href="{RANKING}?tab=apps"' in page


def test_home_says_of_a_worst_interaction_that_it_is_waived_or_triaged(signed_in, compared, engineer):
    inbox = factories.interaction("open inbox")
    facts = {"expires": timezone.localdate(), "reason": "known", "approver": "release manager"}
    factories.accepted_waiver(app=inbox.app, interaction=inbox, **facts)
    triage(
        base=compared.base,
        new=compared.new,
        interaction_ids=[inbox.pk],
        decision=Decision(state="investigating"),
        user=engineer,
    )

    page = _page(signed_in)

    assert f'<a href="{reverse("waivers")}">waived</a> <span class="soft">investigating</span>' in page


def test_home_of_a_comparison_without_regressions_says_what_would_stand_there(signed_in, versions):
    for version in versions:
        factories.runs(FAST, version=version)
    compute_comparison(comparison_id=open_comparison(base=versions[0], new=versions[1]).pk)

    assert "No interaction regressed." in _page(signed_in)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"stale": True}, "Runs changed since: these results are from before."),
        ({"status": "failed", "error": "disk full"}, "Computing it again failed, these results are from before"),
    ],
)
def test_home_of_a_comparison_that_is_out_of_date_says_so(signed_in, compared, values, words):
    Comparison.objects.update(**values)

    assert words in _page(signed_in)


def test_home_lists_the_other_comparisons_and_not_the_last_again(signed_in, compared):
    compute_comparison(comparison_id=open_comparison(base=compared.new, new=compared.base).pk)

    answer = signed_in.get("/")

    overview = answer.context["overview"]
    assert overview.last.comparison.base == compared.new
    assert [row.comparison for row in overview.earlier] == [compared]
    assert "Earlier comparisons" in answer.content.decode()


def test_home_of_a_first_comparison_on_its_way_says_so(signed_in, versions):
    for version in versions:
        factories.run(version=version)
    open_comparison(base=versions[0], new=versions[1])

    page = _page(signed_in)

    assert "The first one is on its way." in page
    assert RANKING in page
