import csv
import io
import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from reports.comparing.services import compute_comparison
from reports.measuring.workers import beat
from reports.models import Comparison, ComparisonStatus, Interaction, Run, RunStatus, TriageEntry, TriageState
from reports.policies.services import save_scope
from reports.triage.services import Decision, triage
from tests import factories

ADDRESS = "/compare/13.0.9/13.0.13/"
RANKING_QUERIES = 26  # one counts the runs by the revision that measured them, one asks for the pinned version
ALL = ["open inbox", "fling", "like"]


def _names(answer):
    return [row.result.interaction.name for row in answer.context["rows"]]


def test_ranking_has_the_verdict_on_top_and_the_worst_first(signed_in, compared):
    answer = signed_in.get(ADDRESS)

    page = answer.content.decode()
    assert "1 of 3 interactions regressed" in page
    assert "NO-GO" in page
    assert _names(answer)[0] == "open inbox"
    assert "Severe" in page
    assert "+250\u00a0ms" in page


def test_ranking_row_leads_to_the_drilldown_and_names_every_run_of_the_strip(signed_in, compared):
    page = signed_in.get(ADDRESS).content.decode()

    assert "/compare/13.0.9/13.0.13/org.example.mail/open%20inbox/" in page
    assert "8 baseline runs from 100 to 107 ms; 8 updated runs from 350 to 357 ms; threshold at 154 ms" in page


def test_ranking_filters_and_sorts_by_the_address(signed_in, compared):
    expected = {
        "q=INBOX": ["open inbox"],
        "q=feed+lik": ["like"],
        "q=nothing+like+this": [],
        "app=org.example.feed": ["fling", "like"],
        "category=social": ["fling", "like"],
        "type=scroll": ["fling"],
        "metric=response_time_ms": ALL,
        "metric=dropped_frames": [],
        "metric=all": ALL,
        "verdict=improvement": ["fling"],
        "severity=Severe": ["open inbox"],
        "critical=1": ["open inbox"],
        "min_runs=8": ALL,
        "min_runs=9": [],
        "sort=interaction": ["fling", "like", "open inbox"],
        "sort=-delta": ["open inbox", "like", "fling"],
    }

    assert {query: _names(signed_in.get(f"{ADDRESS}?{query}")) for query in expected} == expected


def test_ranking_passes_over_what_makes_no_sense(signed_in, compared):
    senseless = [
        *({"page": page} for page in ("abc", "-3", "999")),
        *({"sort": sort} for sort in ("evil", "comparison__policy", "-")),
        *({"device": device} for device in ("9" * 40, "x")),
        {"min_runs": "many"},
        {"metric": "'; --"},
        {"per_page": "1000000"},
        {"type": "fly"},
        {"verdict": "bad"},
        {"tab": "none"},
    ]

    answers = [signed_in.get(ADDRESS, query) for query in senseless]

    assert [(answer.status_code, _names(answer)) for answer in answers] == [(200, ALL)] * len(senseless)


def test_ranking_names_the_filter_that_holds_what_nobody_types(signed_in, compared):
    answer = signed_in.get(ADDRESS, {"q": "\x00"})

    assert answer.status_code == 400
    assert "q: holds a character" in answer.content.decode()


def test_ranking_of_an_unknown_version_names_the_known_ones(signed_in, compared):
    answer = signed_in.get("/compare/13.0.9/99/")

    assert answer.status_code == 404
    assert "No OS version is called 99" in answer.content.decode()
    assert "13.0.13" in answer.content.decode()


def test_ranking_of_a_pair_never_compared_offers_to_compare_it(signed_in, versions):
    factories.run(version=versions[0])

    page = signed_in.get(ADDRESS).content.decode()

    assert "have not been compared yet" in page
    assert reverse("compare-start") in page


def test_ranking_shows_that_results_are_out_of_date(signed_in, compared):
    Comparison.objects.update(stale=True)

    page = signed_in.get(ADDRESS).content.decode()

    assert "Compute again" in page
    assert "1 of 3 interactions regressed" in page


def test_ranking_that_waits_for_its_runs_says_how_far_they_are(signed_in, compared):
    factories.run(version=compared.new, status=RunStatus.PENDING)
    Comparison.objects.update(stale=True)

    page = signed_in.get(ADDRESS).content.decode()

    assert "Runs are still being measured: 48 of 49 runs judged. No worker is running: start one with" in page
    assert 'data-for="runs"' in page
    assert "Compute again" not in page


def test_ranking_shows_why_a_computation_failed(signed_in, compared):
    Comparison.objects.update(status=ComparisonStatus.FAILED, error="out of memory: give the worker more")

    page = signed_in.get(ADDRESS).content.decode()

    assert "out of memory" in page
    assert "Try again" in page


def test_ranking_waits_for_a_comparison_that_is_being_computed(signed_in, versions):
    factories.run(version=versions[0])
    Comparison.objects.create(base=versions[0], new=versions[1], status=ComparisonStatus.RUNNING)
    beat(name="host:1", processes=2)

    page = signed_in.get(ADDRESS).content.decode()
    state = signed_in.get(reverse("ranking-state", args=["13.0.9", "13.0.13"])).json()

    assert "<wait-for-result" in page
    assert state.pop("sentence") == "Being computed: a few seconds."
    assert state == {"status": "running", "stale": False, "computed_at": None, "finished": 1, "total": 1}


@pytest.mark.parametrize(
    ("states", "says"),
    [
        ([], "Waits to be computed. No worker is running: start one with manage.py start"),
        (["compiling"], "Waits to be computed. The worker compiles"),
        (["working"], "Next to be computed, after what is being measured now."),
    ],
)
def test_ranking_that_waits_to_be_computed_says_for_what(signed_in, versions, states, says):
    Comparison.objects.create(base=versions[0], new=versions[1])
    for state in states:
        beat(name=state, processes=1, state=state)

    assert says in signed_in.get(ADDRESS).content.decode()


def test_ranking_lists_apps_by_risk(signed_in, compared):
    answer = signed_in.get(ADDRESS, {"tab": "apps"})

    assert [(app.name, app.regressed, app.critical) for app in answer.context["apps"]] == [
        ("Mail", 1, True),
        ("Feed", 0, False),
    ]
    assert 'aria-label="1 Severe"' in answer.content.decode()


def test_ranking_takes_as_few_queries_whatever_is_filtered(signed_in, compared, django_assert_max_num_queries):
    for query in ({}, {"q": "open"}, {"app": "org.example.feed"}, {"metric": "all", "sort": "p", "critical": "1"}):
        with django_assert_max_num_queries(RANKING_QUERIES):
            signed_in.get(ADDRESS, query)


def test_ranking_csv_has_the_filtered_rows_in_the_order_of_the_page(signed_in, compared):
    answer = signed_in.get(ADDRESS + "results.csv", {"sort": "interaction", "verdict": "no_change"})

    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert [row["interaction"] for row in rows] == ["like"]
    assert rows[0]["median_base"] == "103.5"
    assert "attachment" in answer["Content-Disposition"]


def test_ranking_carries_the_newest_decision_that_its_rows_show(signed_in, engineer, compared):
    chosen = {"base": compared.base, "new": compared.new, "user": engineer}
    mail = Interaction.objects.get(name="open inbox")
    assert 'name="seen" value="0"' in signed_in.get(ADDRESS).content.decode()

    triage(**chosen, interaction_ids=[mail.pk], decision=Decision(state="infra"))

    entry = TriageEntry.objects.get()
    assert f'name="seen" value="{entry.pk}"' in signed_in.get(ADDRESS).content.decode()


def test_ranking_csv_keeps_a_name_from_becoming_a_formula(signed_in, compared):
    Interaction.objects.filter(name="like").update(name="=2+5")

    assert "'=2+5" in signed_in.get(ADDRESS + "results.csv").getvalue().decode()


def test_ranking_json_has_the_filtered_rows(signed_in, compared):
    answer = json.loads(signed_in.get(ADDRESS + "results.json", {"app": "org.example.mail"}).getvalue())

    assert (answer["base"], answer["new"]) == ("13.0.9", "13.0.13")
    assert [(row["interaction"], row["verdict"], row["delta"]) for row in answer["results"]] == [
        ("open inbox", "regression", 250.0)
    ]


def test_ranking_export_tells_what_people_decided(signed_in, compared, engineer):
    before = json.loads(signed_in.get(ADDRESS + "results.json").getvalue())["results"]
    pair = {"base": factories.os_version("13.0.9"), "new": factories.os_version("13.0.13")}
    chosen = [Interaction.objects.get(name="open inbox").pk]
    triage(**pair, interaction_ids=chosen, decision=Decision(state="investigating"), user=engineer)

    after = json.loads(signed_in.get(ADDRESS + "results.json").getvalue())["results"]

    assert {row["triage_state"] for row in before} == {"untriaged"}
    states = {row["interaction"]: row["triage_state"] for row in after}
    assert states.pop("open inbox") == "investigating"
    assert set(states.values()) == {"untriaged"}


def test_ranking_export_of_a_pair_never_compared_is_not_found(signed_in, versions):
    assert signed_in.get(ADDRESS + "results.json").status_code == 404


def test_ranking_of_a_scope_shows_its_rows_and_its_own_verdict(
    signed_in, compared, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        save_scope(name="scrolling", interaction_types=["scroll"])
    compute_comparison(comparison_id=compared.pk)

    answer = signed_in.get(ADDRESS, {"scope": "scrolling"})

    assert _names(answer) == ["fling"]
    assert "0 of 1 interaction regressed" in answer.content.decode()
    assert _names(signed_in.get(ADDRESS, {"scope": "no such scope"})) == ALL


def test_ranking_patterns_lead_from_each_cell_to_its_rows(signed_in, compared):
    page = signed_in.get(ADDRESS, {"tab": "patterns"}).content.decode()

    assert "No pattern stands out" in page
    assert "?category=social&amp;type=scroll" in page
    assert 'aria-label="communication, tap: 1 of 1 regressed"' in page


def test_ranking_patterns_of_a_metric_without_results_says_so(signed_in, compared):
    page = signed_in.get(ADDRESS, {"tab": "patterns", "metric": "dropped_frames"}).content.decode()

    assert "No result has this metric" in page


def test_ranking_shows_and_filters_by_triage_state(signed_in, engineer, compared):
    inbox = compared.results.get(verdict="regression").interaction_id
    decision = Decision(state=TriageState.INVESTIGATING)
    triage(base=compared.base, new=compared.new, interaction_ids=[inbox], decision=decision, user=engineer)

    assert _names(signed_in.get(ADDRESS, {"state": "investigating"})) == ["open inbox"]
    assert _names(signed_in.get(ADDRESS, {"state": "untriaged"})) == ["fling", "like"]
    assert _names(signed_in.get(ADDRESS, {"state": "fixed"})) == []
    page = signed_in.get(ADDRESS).content.decode()
    assert '<small class="row-state">investigating</small>' in page
    assert '?verdict=regression&amp;state=investigating">1 investigating</a></p>' in page


def test_ranking_shows_who_has_what_and_filters_by_mine(signed_in, engineer, compared, django_user_model):
    other = django_user_model.objects.create_user(username="bob")
    names = {"open inbox": "engineer", "like": "bob"}
    late = timezone.localdate() - timedelta(days=1)
    pair = {"base": compared.base, "new": compared.new, "user": other}
    for name, person in names.items():
        decision = Decision(state=TriageState.ACKNOWLEDGED, assignee=person, due=late)
        triage(**pair, interaction_ids=[Interaction.objects.get(name=name).pk], decision=decision)

    answer = signed_in.get(ADDRESS, {"mine": "1"})

    page = answer.content.decode()
    assert _names(answer) == ["open inbox"]
    assert 'aria-label="Take away the filter Assigned to: me"' in page
    assert '<b class="worse">overdue</b>' in page
    exported = json.loads(signed_in.get(ADDRESS + "results.json", {"mine": "1"}).getvalue())["results"]
    assert [(row["interaction"], row["assignee"], row["due"]) for row in exported] == [
        ("open inbox", "engineer", late.isoformat())
    ]
    lines = signed_in.get(ADDRESS + "results.csv").getvalue().decode().splitlines()
    assert lines[0].endswith("triage_state,assignee,due,doubtful_base,doubtful_new")
    assert {line.partition("acknowledged")[2] for line in lines[1:]} == {
        f",engineer,{late},0,0",
        f",bob,{late},0,0",
        "",
    }


def test_ranking_triages_the_selected_rows_and_leads_back(signed_in, compared):
    ids = list(compared.results.values_list("interaction_id", flat=True))
    form = {"interaction": ids, "state": "wontfix", "note": "by design", "back": ADDRESS + "?q=i"}

    answer = signed_in.post(reverse("triage", args=["13.0.9", "13.0.13"]), form)

    assert answer.url == ADDRESS + "?q=i"
    assert {row.state for row in signed_in.get(ADDRESS).context["rows"]} == {"wontfix"}


def test_ranking_counts_the_runs_that_are_left_out_and_says_why(signed_in, compared):
    inbox = compared.results.get(verdict="regression").interaction
    factories.run(version=compared.new, of=inbox, status=RunStatus.FAILED)
    factories.run(version=compared.new, of=inbox, excluded=True, excluded_reason="a call came in")
    compute_comparison(comparison_id=compared.pk)

    page = signed_in.get(ADDRESS, {"q": "inbox"}).content.decode()

    assert "8 / 8 runs, 2 left out" in page
    assert 'title="Left out: 1 failed, 1 excluded"' in page or 'title="Left out: 1 excluded, 1 failed"' in page


def test_ranking_marks_what_a_waiver_accepts(signed_in, compared):
    inbox = compared.results.get(verdict="regression").interaction
    factories.accepted_waiver(
        app=inbox.app, expires=timezone.localdate(), reason="known", approver="release manager"
    )

    assert [row.waived for row in signed_in.get(ADDRESS).context["rows"]] == [True, False, False]


def test_ranking_lists_the_interactions_that_one_version_lacks(signed_in, compared):
    factories.runs([1.0] * 3, version=compared.base, of=factories.interaction("archive"))
    compute_comparison(comparison_id=compared.pk)

    page = signed_in.get(ADDRESS).content.decode()

    assert "1 interaction only in the baseline" in page
    assert "org.example.mail · archive</a>" in page


@pytest.mark.parametrize("view", ["", "?tab=apps", "?tab=patterns", "gate/", "plan/"])
def test_every_view_notes_that_runs_were_measured_by_an_earlier_revision(signed_in, compared, view):
    assert "measuring code" not in signed_in.get(ADDRESS + view).content.decode()
    Run.objects.filter(os_version=compared.base, interaction__name="like").update(revision=0)

    page = signed_in.get(ADDRESS + view).content.decode()

    assert "<summary>1\u00a0note</summary>" in page
    assert "8 of 48 runs were measured by an earlier revision of the measuring code" in page
    assert "Measure 8 runs again" in page


@pytest.mark.parametrize("view", ["", "?tab=apps", "?tab=patterns", "gate/"])
def test_every_view_stands_under_the_same_verdict_and_tabs(signed_in, compared, view):
    page = signed_in.get(ADDRESS + view).content.decode()

    assert page.count("1 of 3 interactions regressed: 33.3\u00a0% against a budget of 2\u00a0%.") == 1
    assert page.count('class="tabs-row"') == 1
    assert page.count('<nav class="tabs" aria-label="Views">') == 1
    assert len(re.findall(r'aria-current="page">(Interactions|Apps|Patterns|Gate)<', page)) == 1


def test_ranking_counts_its_filters_and_offers_to_take_each_away(signed_in, compared):
    query = {
        "verdict": "regression",
        "app": "org.example.mail",
        "critical": "1",
        "q": "inbox",
        "sort": "app",
        "page": 1,
    }
    page = signed_in.get(ADDRESS, query).content.decode()

    assert "3\u00a0filters" in page
    without_app = f"{ADDRESS}?verdict=regression&amp;critical=1&amp;q=inbox&amp;sort=app"
    assert f'href="{without_app}" aria-label="Take away the filter App: Mail"' in page
    assert 'aria-label="Take away the filter Critical apps: only"' in page
    assert f'href="{ADDRESS}?sort=app">Clear all' in page


def test_ranking_without_filters_offers_the_apps_at_risk_in_one_line(signed_in, compared):
    page = signed_in.get(ADDRESS).content.decode()

    assert 'title="1 of 1 interactions of Mail regressed"' in page
    assert 'class="filter-chips"' not in page


def test_ranking_json_says_what_the_runs_were_measured_by(signed_in, compared):
    answer = json.loads(signed_in.get(ADDRESS + "results.json").getvalue())

    assert list(answer) == ["base", "new", "revisions", "doubtful", "results"]
    assert (answer["revisions"]["measured_by_another"], answer["revisions"]["note"]) == (0, "")
