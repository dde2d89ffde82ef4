"""A state alone changes no count; the box says so and offers what does."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.gate.reasons import FAIL
from reports.bugreport.selectors import load_finding
from reports.comparing.services import compute_comparison, open_comparison
from reports.comparing.standing import standing
from reports.drilldown.selectors import Wanted
from reports.models import Run, Waiver
from reports.triage.selectors import fix_checks
from reports.triage.services import Decision, triage
from tests import factories

BASE, NEW = "13.0.9", "13.0.13"
PAGE = f"/compare/{BASE}/{NEW}/org.example.mail/open%20inbox/"
RANKING, GATE = f"/compare/{BASE}/{NEW}/", f"/compare/{BASE}/{NEW}/gate/"
SLOW, FAST = [350.0 + step for step in range(8)], [100.0 + step for step in range(8)]


@pytest.fixture
def inbox(compared):
    return factories.interaction("open inbox", of=factories.app("Mail"))


@pytest.fixture
def mark(versions, engineer, inbox):
    def decide(state, **more):
        ids = [inbox.pk]
        triage(
            base=versions[0],
            new=versions[1],
            interaction_ids=ids,
            decision=Decision(state=state, **more),
            user=engineer,
        )

    return decide


@pytest.mark.parametrize("state", ["invalid", "infra"])
def test_what_a_person_disowned_still_counts_and_the_box_says_so(signed_in, compared, mark, state):
    mark(state, note="the stand was loose", bug_url="https://bugs.example.org/7")

    page = signed_in.get(PAGE)

    assert standing(compared).decision == FAIL
    box = page.context["triage"]
    assert (box.counts, box.disowned, box.excludable) == (True, True, 8)
    assert f"Marked {state}, and it still counts" in page.content.decode()


def test_waive_it_is_filled_in_and_leads_back_to_the_gate(signed_in, compared, mark):
    mark("infra", note="the stand was loose", bug_url="https://bugs.example.org/7")

    form = signed_in.get(signed_in.get(PAGE).context["triage"].waive)

    shown = {name: form.context["form"][name].value() for name in ("app", "interaction", "reason", "issue_url")}
    assert shown == {
        "app": "org.example.mail",
        "interaction": "open inbox",
        "reason": "infra: the stand was loose",
        "issue_url": "https://bugs.example.org/7",
    }
    assert form.context["form"]["ceiling_response_time_ms"].value() == "250"
    assert form.context["form"]["expires"].value() == (timezone.localdate() + timedelta(days=14)).isoformat()
    sent = {field.name: field.value() or "" for field in form.context["form"]} | {"back": form.context["back"]}
    assert signed_in.post(reverse("waiver-add"), sent).url == GATE
    assert Waiver.objects.get().ceilings == {"response_time_ms": 250.0}


def test_a_waived_regression_is_told_with_its_waiver(signed_in, compared, inbox):
    factories.accepted_waiver(app=inbox.app, expires=timezone.localdate(), reason="known", approver="QA lead")

    page = signed_in.get(PAGE)

    assert page.context["triage"].counts is False
    assert "Waived by QA lead" in page.content.decode()


def test_runs_are_excluded_after_a_question_and_counted_again(signed_in, compared, mark):
    mark("infra", note="the stand was loose")
    address = signed_in.get(PAGE).context["triage"].exclude

    asked = signed_in.get(address)
    chosen = [run.pk for run, _ in asked.context["runs"]]
    assert asked.context["form"]["reason"].value() == "infra: the stand was loose"
    assert "<b>8\u00a0runs</b>" in asked.content.decode()
    refused = signed_in.post(address, {"run": chosen, "reason": ""})
    assert (refused.status_code, "Say why these runs" in refused.content.decode()) == (422, True)
    done = signed_in.post(address, {"run": chosen[:7], "reason": "bench"})
    assert done.url == PAGE
    assert Run.objects.filter(excluded=True, excluded_reason="bench").count() == 7

    (group,) = signed_in.get(PAGE).context["triage"].exclusions
    assert (set(group.run_ids), group.reason, group.by) == (set(chosen[:7]), "bench", "engineer")
    signed_in.post(reverse("triage-include"), {"run": group.run_ids, "back": PAGE})
    assert not Run.objects.filter(excluded=True).exists()


def test_exclude_takes_no_run_of_another_interaction(signed_in, compared):
    other = Run.objects.filter(interaction__name="like", os_version__name=NEW).first()
    address = signed_in.get(PAGE).context["triage"].exclude

    assert signed_in.post(address, {"run": [other.pk], "reason": "bench"}).status_code == 422
    assert signed_in.get(reverse("triage-exclude", args=[BASE, NEW])).status_code == 404
    assert signed_in.get(reverse("triage-include")).status_code == 405


def test_fixed_asks_for_the_version_and_keeps_what_was_typed(signed_in, inbox):
    sent = {"interaction": inbox.pk, "state": "fixed", "note": "the scheduler was to blame", "back": PAGE}

    refused = signed_in.post(reverse("triage", args=[BASE, NEW]), sent)

    page = refused.content.decode()
    assert refused.status_code == 422
    assert "name the version that brings the fix" in page
    assert "the scheduler was to blame" in page
    done = signed_in.post(reverse("triage", args=[BASE, NEW]), {**sent, "fixed_in": "13.0.14"})
    assert done.url == PAGE
    assert "<b>fixed</b> in 13.0.14" in signed_in.get(PAGE).content.decode()


def _comes_in(name, values, *, base):
    version = factories.os_version(name)
    factories.runs(values, version=version, of=factories.interaction("open inbox"))
    opened = open_comparison(base=base, new=version)
    return compute_comparison(comparison_id=opened.pk)


@pytest.mark.parametrize(
    ("values", "word"), [(FAST, "confirmed"), (SLOW, "still regressed"), ([1.0], "not yet known")]
)
def test_a_fix_is_checked_when_its_version_comes_in(signed_in, versions, mark, values, word):
    mark("fixed", fixed_in="13.0.14")

    newer = _comes_in("13.0.14", values, base=versions[0])

    assert [check.word for check in fix_checks(newer)] == [word]
    base, new = newer.base.name, newer.new.name
    ranking = signed_in.get(reverse("ranking", args=[base, new])).content.decode()
    assert "Marked fixed in 13.0.14" in ranking
    assert word in ranking
    inbox = reverse("drilldown", args=[base, new, "org.example.mail", "open inbox"])
    assert f"<b>{word}</b>" in signed_in.get(inbox).content.decode()
    warned = (
        "was marked fixed in 13.0.14, and still regressed"
        in signed_in.get(reverse("gate-pair", args=[base, new])).content.decode()
    )
    assert warned == (word == "still regressed")


def test_a_fix_that_was_taken_back_is_not_checked(versions, mark):
    mark("fixed", fixed_in="13.0.14")
    mark("investigating")

    assert fix_checks(_comes_in("13.0.14", SLOW, base=versions[0])) == []


def test_fixes_are_checked_in_one_query(versions, mark, django_assert_num_queries):
    mark("fixed", fixed_in="13.0.14")
    newer = _comes_in("13.0.14", SLOW, base=versions[0])

    with django_assert_num_queries(1):
        assert [str(check.interaction) for check in fix_checks(newer)] == ["Mail · open inbox"]


def test_the_ranking_says_the_rule_where_many_are_triaged(signed_in, compared):
    assert "A state alone changes no count" in signed_in.get(RANKING).content.decode()


def test_the_bug_report_says_whether_the_finding_counts_or_who_waives_it(compared, inbox):
    names = (BASE, NEW, "org.example.mail", "open inbox")
    assert load_finding(*names, Wanted()).gate == "It counts in the release gate."

    factories.accepted_waiver(app=inbox.app, expires=timezone.localdate(), reason="known.", approver="QA lead")

    said = load_finding(*names, Wanted()).gate
    assert said == f"Waived by QA lead until {timezone.localdate().isoformat()}: known."
