"""Steps below the threshold, and the gate against the pinned version. Medians are built; a tap has a θ of 50."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone
from django.utils.html import escape
from django_q.models import OrmQ

from analysis.policy.policy import DEFAULT_POLICY
from analysis.policy.policyjson import policy_to_json
from reports.catalogue.services import pin_version
from reports.comparing.pinned import pinned_pairs
from reports.comparing.services import (
    NothingToCompareError,
    ask_for_comparison,
    compute_comparison,
    notice_turned_gates,
    open_comparison,
)
from reports.comparing.standing import rules_now, standing
from reports.gate.formats import FORMATS
from reports.gate.selectors import standing_report
from reports.gate.services import decide_gate
from reports.models import Comparison, Event, OsVersion, Result, Run
from reports.policies.selectors import current_policy, find_part
from reports.policies.services import save_policy, save_scope
from reports.releasereport.page import render_report
from reports.releasereport.selectors import load_standing
from tests import factories
from tests.repeated import made_once
from tests.reports.history.lines import bring_up_to_date, film

pytestmark = pytest.mark.django_db
MIDDLES = (200.0, 230.0, 260.0)  # each step below θ, both together past it
PAGE = "/compare/14.0.1/14.0.2/"


def ask_for_drift(budget_pct=5.0, **gate):
    rules = policy_to_json(DEFAULT_POLICY)
    gate = {**rules["gate"], "drift_budget_pct": budget_pct, **gate}
    save_policy(name="default", rules={**rules, "gate": gate}, based_on=0, user=None)


def compute(base, new):
    return compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)


def _line():
    versions = [factories.os_version(f"14.0.{number}") for number in range(3)]
    inbox = factories.interaction("open inbox")
    maps = factories.app("Maps")
    others = [factories.interaction(f"pan {number}", of=maps) for number in range(9)]
    for version, middle in zip(versions, MIDDLES, strict=True):
        film(version, middle, of=inbox)
        for other in others:
            film(version, 200.0, of=other)
    OsVersion.objects.filter(pk=versions[0].pk).update(pinned=True, pinned_reason="shipped")


def _step():
    _line()
    first, second, third = OsVersion.objects.order_by("name")
    ask_for_drift()
    compute(first, third)
    compute(second, third)


@pytest.fixture
def step(engineer):
    """The last step of the line, computed by a policy that asks for drift, with what the pinned version says."""
    made_once(_step)
    return Comparison.objects.select_related("base", "new").get(base__name="14.0.1")


@pytest.fixture
def line(engineer):
    """Three versions of a pinned line: the inbox drifts by 30 ms a version, nine other interactions stay."""
    if not OsVersion.objects.exists():  # `step` has it already
        made_once(_line)
    return list(OsVersion.objects.order_by("name"))


def test_steps_that_nobody_feels_fail_the_gate_together(step):
    found = standing(step)

    assert (found.regressed, found.drift.regressed, found.drift.decided) == (0, 1, 10)
    assert found.decision == "fail"
    assert found.sentence == (
        "0 of 10 interactions regressed: 0 % against a budget of 2 %. "
        "Against the pinned 14.0.0, 1 of 10 interactions regressed: 10 % against a drift budget of 5 %."
    )


def test_a_step_within_the_threshold_of_the_pinned_version_passes(line):
    ask_for_drift()
    OsVersion.objects.filter(pk=line[0].pk).update(pinned=False, pinned_reason="")
    OsVersion.objects.filter(pk=line[1].pk).update(pinned=True, pinned_reason="accepted")
    compute(line[1], line[2])

    found = standing(compute(line[0], line[2]))

    assert (found.regressed, found.drift.regressed, found.drift.decided) == (1, 0, 10)
    assert [reason.decides for reason in found.reasons if reason.rule == "drift"] == ["pass"]


def test_a_policy_that_does_not_ask_costs_no_query(line, django_assert_num_queries):
    compute(line[0], line[2])
    compute(line[1], line[2])
    comparison = Comparison.objects.select_related("base", "new").get(base=line[1])

    with django_assert_num_queries(3):
        found = standing(comparison)

    assert (found.decision, found.drift) == ("pass", None)


def test_ten_comparisons_know_their_drift_in_five_queries(step, django_assert_num_queries):
    fresh = list(Comparison.objects.select_related("base", "new"))

    with django_assert_num_queries(5):
        rules = rules_now(fresh)
        assert [standing(row, rules=rules).decision for row in fresh * 5] == ["fail"] * 10


def test_a_baseline_that_is_pinned_counts_once(step, line):
    found = standing(Comparison.objects.select_related("base", "new").get(base=line[0]))

    assert (found.drift.state, found.regressed, found.drift.regressed) == ("same", 1, 1)
    assert "Against the pinned" not in found.sentence


def unknown(comparison):
    found = standing(Comparison.objects.select_related("base", "new").get(pk=comparison.pk))
    assert found.decision == "not_enough_data"
    (why,) = [reason.text for reason in found.reasons if reason.rule == "drift_unknown"]
    return why


def test_a_line_without_a_pinned_version_is_no_go(step):
    OsVersion.objects.update(pinned=False, pinned_reason="")

    assert unknown(step) == "Drift is not known: no version of the main line is pinned; pin one on its page"


def test_the_line_is_that_of_the_updated_version(step):
    OsVersion.objects.filter(name="14.0.2").update(channel="beta")

    assert unknown(step) == "Drift is not known: no version of the line beta is pinned; pin one on its page"


def test_a_version_that_comes_before_the_pinned_one_is_no_go(line):
    ask_for_drift()
    OsVersion.objects.update(pinned=False, pinned_reason="")
    OsVersion.objects.filter(pk=line[2].pk).update(pinned=True, pinned_reason="shipped")

    assert unknown(compute(line[0], line[1])).startswith(
        "Drift is not known: the pinned 14.0.2 comes after 14.0.1 in its line"
    )


def test_the_pinned_version_itself_has_nothing_to_drift_from(line):
    ask_for_drift()
    OsVersion.objects.update(pinned=False, pinned_reason="")
    OsVersion.objects.filter(pk=line[1].pk).update(pinned=True, pinned_reason="shipped")

    assert standing(compute(line[0], line[1])).decision == "pass"


def test_the_gate_waits_for_the_pinned_version_and_has_it_compared(line):
    ask_for_drift()
    comparison = compute(line[1], line[2])

    asked = Comparison.objects.get(base=line[0])
    assert unknown(comparison) == "Drift is not known: 14.0.0 → 14.0.2 is being computed"
    compute_comparison(comparison_id=asked.pk)
    assert standing(comparison).decision == "fail"


def test_asking_for_a_comparison_asks_for_the_pinned_one_first(line, django_capture_on_commit_callbacks):
    ask_for_drift()
    OrmQ.objects.all().delete()
    with django_capture_on_commit_callbacks(execute=True):
        comparison, _ = ask_for_comparison(base=line[1], new=line[2])

    queued = [entry.task["args"][0] for entry in OrmQ.objects.order_by("pk")]
    assert queued == [Comparison.objects.get(base=line[0]).pk, comparison.pk]


def test_results_that_runs_have_changed_since_are_not_known(step, line):
    Comparison.objects.filter(base=line[0]).update(stale=True)

    assert "waits for runs" in unknown(step)


def test_nothing_alike_with_the_pinned_version_says_why(line):
    ask_for_drift()
    Run.objects.filter(os_version=line[0]).update(app_version="9")
    comparison = compute(line[1], line[2])
    with pytest.raises(NothingToCompareError):
        compute_comparison(comparison_id=Comparison.objects.get(base=line[0]).pk)

    assert unknown(comparison).startswith("Drift is not known: 14.0.0 and 14.0.2 were never recorded alike")


def test_a_pin_that_moves_has_the_last_versions_compared_with_it(
    step, line, engineer, django_capture_on_commit_callbacks
):
    Comparison.objects.filter(base=line[1]).delete()
    with django_capture_on_commit_callbacks(execute=True):
        pin_version(version=line[1], reason="accepted", user=engineer)

    found = standing(Comparison.objects.select_related("base", "new").get(base=line[0]))
    assert (found.drift.state, found.drift.why) == ("waits", "14.0.1 → 14.0.2 is being computed")


def test_a_waiver_takes_a_drift_out_up_to_its_ceiling(step):
    def waive(ceiling):
        factories.accepted_waiver(
            app=factories.app(),
            expires=timezone.localdate() + timedelta(days=7),
            reason="known",
            approver="QA",
            ceilings={"response_time_ms": ceiling},
        )

    waive(50.0)
    assert standing(step).decision == "fail"
    waive(60.0)
    found = standing(step)
    assert (found.decision, found.drift.waived) == ("pass", 1)


def test_a_scope_asks_about_its_part_alone(step):
    save_scope(name="maps", apps=[factories.app("Maps")])

    assert standing(step, find_part("maps")).decision == "pass"
    report = standing_report(step, current_policy(), find_part("maps"))
    assert (report["drift"]["decided"], report["drift"]["regressions"]) == (9, [])


def test_every_face_says_the_same(step, signed_in):
    report = standing_report(step, current_policy(), find_part(""))
    answer = signed_in.get("/api/v1/comparisons/14.0.1/14.0.2/gate/").json()
    page = signed_in.get(f"{PAGE}gate/")

    assert report["sentence"] == answer["sentence"] == standing(step).sentence
    assert answer["drift"] == json.loads(json.dumps(report["drift"]))
    assert [row["interaction"] for row in answer["drift"]["regressions"]] == ["open inbox"]
    assert page.context["drift_lines"][0]["delta"] == pytest.approx(60.0)
    assert "/compare/14.0.0/14.0.2/org.example.mail/open%20inbox/" in page.content.decode()
    for name, write in FORMATS.items():
        assert "gainst the pinned 14.0.0" in write(report, ""), name
    listed = signed_in.get(f"/versions/{step.new.name}/").content.decode()
    assert "regressed, 1 drifted" in listed


def test_the_command_compares_with_the_pinned_version_itself(line):
    ask_for_drift()
    out = StringIO()
    with pytest.raises(SystemExit) as stop:
        call_command("gate", "14.0.1", "14.0.2", stdout=out)

    assert stop.value.code == 3
    assert "1 of 10 interactions regressed: 10 %, over the drift budget of 5 %" in out.getvalue()


def test_junit_has_a_case_for_the_rule(step):
    xml = FORMATS["junit"](standing_report(step, current_policy(), find_part("")), "")

    assert 'name="drift"' in xml
    assert 'failures="1"' in xml


def test_a_record_says_what_became_of_the_drift_since(step, signed_in, line):
    decide_gate(comparison=step)

    def changes():
        return signed_in.get(f"{PAGE}gate/").context["recorded"].changes

    assert changes() == ()
    regressed = Result.objects.filter(comparison__base=line[0], verdict="regression")
    regressed.update(verdict="imperceptible")
    assert changes() == ("Mail · open inbox no longer regresses against the pinned 14.0.0",)
    Comparison.objects.filter(base=line[0]).update(stale=True)
    assert changes() == ("drift is not known now: 14.0.0 → 14.0.2 waits for runs, and is computed again with them",)
    OsVersion.objects.update(pinned=False, pinned_reason="")
    assert changes() == ("pinned is no version, and not 14.0.0",)


def test_what_a_comparison_came_to_is_told_once_its_drift_is_known(line):
    ask_for_drift()
    comparison = compute(line[1], line[2])
    assert not Event.objects.filter(comparison=comparison).exists()

    compute_comparison(comparison_id=Comparison.objects.get(base=line[0]).pk)

    (event,) = Event.objects.filter(comparison=comparison)
    assert "gate_failed" in event.kinds
    assert event.facts["reasons"] == [
        "Against the pinned 14.0.0, 1 of 10 interactions regressed: 10 %, over the drift budget of 5 %"
    ]
    assert notice_turned_gates() == 0


def test_a_pair_that_is_computed_again_and_comes_to_the_same_ends_the_waiting_too(step, line):
    Event.objects.all().delete()
    Comparison.objects.filter(base=line[0]).update(status="pending")
    Comparison.objects.filter(pk=step.pk).update(fingerprint="")
    compute_comparison(comparison_id=step.pk)
    assert not Event.objects.exists()

    compute_comparison(comparison_id=Comparison.objects.get(base=line[0]).pk)

    assert [event.comparison_id for event in Event.objects.all()] == [step.pk]


def test_the_ranking_marks_and_finds_what_drifted(step, signed_in):
    bring_up_to_date()
    page = signed_in.get(PAGE)
    marks = {row.result.interaction.name: row.drift for row in page.context["rows"] if row.drift}
    found = signed_in.get(PAGE, {"drift": "1"})

    assert {name: (mark.moved, mark.pinned) for name, mark in marks.items()} == {"open inbox": ("+60 ms", "14.0.0")}
    assert [row.result.interaction.name for row in found.context["rows"]] == ["open inbox"]
    assert escape(marks["open inbox"].address) in found.content.decode()
    lines = b"".join(signed_in.get(f"{PAGE}results.csv", {"drift": "1"}).streaming_content).decode().splitlines()
    assert len(lines) == 2
    answer = signed_in.get("/api/v1/comparisons/14.0.1/14.0.2/results/", {"drift": "1"}).json()
    assert [row["interaction"] for row in answer["results"]] == ["open inbox"]


def test_what_was_felt_now_is_no_drift_of_the_ranking(step, line, signed_in):
    assert not [row for row in signed_in.get("/compare/14.0.0/14.0.2/").context["rows"] if row.drift]
    empty = signed_in.get("/compare/14.0.0/14.0.2/", {"drift": "1"})

    assert "14.0.0 is the pinned version itself" in empty.content.decode()


def test_the_drill_down_says_that_it_counts(step, signed_in):
    text = signed_in.get(f"{PAGE}org.example.mail/open%20inbox/").content.decode()

    assert "Response time +60 ms since the pinned 14.0.0, though this step was not felt" in text


def test_pairs_of_many_comparisons_take_two_queries(step, django_assert_num_queries):
    rows = list(Comparison.objects.select_related("new"))

    with django_assert_num_queries(2):
        assert {pair.state for pair in pinned_pairs(rows).values()} == {"same", "counted"}


def test_the_release_report_lists_it_and_says_how_it_was_decided(step):
    html = render_report(load_standing(step), address="https://upreg.example/")

    assert "Drift since the pinned 14.0.0" in html
    assert "Of the interactions decided against the pinned version of the line at most" in html
    assert "Mail · open inbox" in html


def test_the_page_of_the_app_marks_it_too(step, signed_in):
    rows = signed_in.get("/apps/org.example.mail/").content.decode()

    assert "since the pinned 14.0.0, though this step was not felt" in rows
