"""Whatever happens, all pages and the command say the same word about a comparison, at once."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from analysis.policy.policy import DEFAULT_POLICY
from analysis.policy.policyjson import policy_to_json
from reports.comparing.services import compute_comparison
from reports.comparing.standing import rules_now, standing
from reports.gate.selectors import standing_report
from reports.gate.services import decide_gate, withdraw_waiver
from reports.measuring.services import exclude_runs
from reports.models import App, Comparison, Interaction, Run, Waiver
from reports.policies.selectors import current_policy, find_part
from reports.policies.services import delete_scope, save_policy, save_scope
from tests import factories

BASE, NEW = "13.0.9", "13.0.13"
RANKING, GATE = f"/compare/{BASE}/{NEW}/", f"/compare/{BASE}/{NEW}/gate/"
GO, NO_GO, UNKNOWN = "pass", "fail", "unknown"
LARGE = re.compile(r'class="gate gate-(pass|fail|unknown)"')
SMALL = re.compile(r'class="gate gate-small gate-(pass|fail|unknown)"')
CODES = {0: GO, 3: NO_GO, 4: UNKNOWN}


def rules(**gate):
    json = policy_to_json(DEFAULT_POLICY)
    return {**json, "gate": {**json["gate"], **gate}}


def command(*options):
    try:
        call_command("gate", BASE, NEW, *options, stdout=StringIO())
    except SystemExit as stop:
        return CODES[stop.code]
    return GO


def words(client, scope=""):
    """Return what every face says, by face."""
    query = {"scope": scope} if scope else {}
    inbox = reverse("drilldown", args=[BASE, NEW, "org.example.mail", "open inbox"])
    said = {
        "ranking": LARGE.findall(client.get(RANKING, query).content.decode()),
        "apps": LARGE.findall(client.get(RANKING, {**query, "tab": "apps"}).content.decode()),
        "gate": LARGE.findall(client.get(GATE, query).content.decode()),
    }
    if not scope:
        said["home"] = LARGE.findall(client.get("/").content.decode())
        said["list"] = SMALL.findall(client.get("/gate/").content.decode())[:1]
        said["drill-down"] = SMALL.findall(client.get(inbox).content.decode())[:1]
    return {face: found[0] if len(found) == 1 else found for face, found in said.items()}


@pytest.fixture
def everywhere(signed_in, compared):
    def check(expected, *, scope="", ask_command=True):
        said = words(signed_in, scope)
        if ask_command:  # last: it computes what is stale, and records
            said["command"] = command(*(["--scope", scope] if scope else []))
        assert said == dict.fromkeys(said, expected)

    return check


@pytest.fixture
def mail(compared):
    App.objects.update(critical=False)
    return App.objects.get(package="org.example.mail")


def waive(app, **changes):
    given = {"expires": timezone.localdate() + timedelta(days=7), "reason": "known", "approver": "QA"}
    return factories.accepted_waiver(app=app, **{**given, **changes})


def test_all_say_the_same_after_a_waiver_was_added_and_withdrawn(everywhere, mail):
    everywhere(NO_GO)
    waiver = waive(mail)
    everywhere(GO)
    withdraw_waiver(waiver_id=waiver.pk)
    everywhere(NO_GO)


def test_all_say_the_same_on_the_day_after_the_last_of_a_waiver(everywhere, mail, monkeypatch):
    waive(mail, expires=timezone.localdate())
    everywhere(GO)
    tomorrow = timezone.localdate() + timedelta(days=1)
    monkeypatch.setattr(timezone, "localdate", lambda value=None, tz=None: value.date() if value else tomorrow)
    everywhere(NO_GO)


def test_all_say_the_same_when_an_app_becomes_critical(everywhere, mail):
    save_policy(name="default", rules=rules(budget_pct=50), based_on=0, user=None)
    everywhere(GO)
    App.objects.filter(pk=mail.pk).update(critical=True)
    everywhere(NO_GO)
    waive(mail)
    everywhere(GO)


def test_all_say_the_same_when_a_policy_is_saved_before_anything_is_computed_again(everywhere, mail):
    everywhere(NO_GO)
    save_policy(name="default", rules=rules(budget_pct=50), based_on=0, user=None)
    everywhere(GO, ask_command=False)
    looser = {**rules(budget_pct=2), "thresholds": {"response_time_ms": {"absolute": 5000, "relative_pct": 0}}}
    save_policy(name="default", rules=looser, based_on=1, user=None)
    everywhere(GO)
    save_policy(name="default", rules=rules(min_runs=9, budget_pct=100), based_on=2, user=None)
    everywhere(UNKNOWN)


def test_all_say_the_same_about_a_scope_that_was_saved_changed_and_deleted(everywhere, mail):
    save_scope(name="part", interaction_types=["scroll"])
    everywhere(GO, scope="part")
    save_scope(name="part", interaction_types=["tap"])
    everywhere(NO_GO, scope="part")
    delete_scope(name="part")
    everywhere(NO_GO)


def test_all_say_the_same_when_runs_are_excluded_and_when_the_comparison_is_computed_again(
    everywhere, mail, compared
):
    slow = Run.objects.filter(os_version__name=NEW, interaction__app=mail)
    exclude_runs(run_ids=list(slow.values_list("pk", flat=True)), reason="bench", user=None)
    everywhere(NO_GO, ask_command=False)
    compute_comparison(comparison_id=compared.pk)
    everywhere(UNKNOWN)  # one of three interactions is missing now


def test_stored_facts_say_what_the_results_say(compared, mail):
    waive(mail, interaction=Interaction.objects.get(name="open inbox"), ceilings={"response_time_ms": 300.0})
    save_scope(name="taps", interaction_types=["tap"])
    compute_comparison(comparison_id=compared.pk)
    fresh = Comparison.objects.get(pk=compared.pk)

    for part in (find_part(""), find_part("taps")):
        report, stands = standing_report(fresh, current_policy(), part), standing(fresh, part)
        assert stands.sentence == report["sentence"]
        assert [reason.text for reason in stands.reasons] == [reason["text"] for reason in report["reasons"]]
        assert (stands.decided, stands.expected, stands.missing) == tuple(
            report[name] for name in ("decided", "expected", "missing")
        )


def test_ten_comparisons_stand_in_three_queries(compared, django_assert_num_queries):
    fresh = list(Comparison.objects.select_related("base", "new"))

    with django_assert_num_queries(3):
        now = rules_now()
        for comparison in fresh * 10:
            standing(comparison, rules=now)


def test_results_counted_by_other_rules_are_counted_again_once(compared, django_assert_num_queries):
    save_policy(name="default", rules=rules(min_runs=2), based_on=0, user=None)
    fresh = Comparison.objects.select_related("base", "new").get(pk=compared.pk)

    with django_assert_num_queries(4):
        assert [standing(fresh, rules=now).decision for now in [rules_now()] * 2] == ["fail", "fail"]


def test_a_record_that_is_out_of_date_says_what_changed_since(signed_in, engineer, compared, mail):
    decide_gate(comparison=compared, user=engineer)
    assert "Up to date" in signed_in.get(GATE).content.decode()

    waiver = waive(mail)
    save_policy(name="default", rules=rules(budget_pct=1), based_on=0, user=engineer)
    App.objects.filter(pk=mail.pk).update(critical=True)

    page = signed_in.get(GATE)
    assert page.context["recorded"].changes == (
        f"waiver #{waiver.pk} was added (Mail)",
        "Mail became critical",
        "policy default v0 → v1 (interactions that may regress: 2 → 1 %)",
    )
    assert "Out of date" in page.content.decode()


def test_a_record_says_which_waiver_expired_or_was_withdrawn_since(signed_in, compared, mail, monkeypatch):
    expired, withdrawn = waive(mail, expires=timezone.localdate()), waive(mail)
    decide_gate(comparison=compared)
    withdraw_waiver(waiver_id=withdrawn.pk)
    tomorrow = timezone.localdate() + timedelta(days=1)
    monkeypatch.setattr(timezone, "localdate", lambda value=None, tz=None: value.date() if value else tomorrow)

    changes = signed_in.get(GATE).context["recorded"].changes

    assert changes == (
        f"waiver #{expired.pk} expired on {expired.expires.isoformat()} (Mail)",
        f"waiver #{withdrawn.pk} was withdrawn or refused (Mail)",
    )


def test_a_record_says_what_the_runs_since_changed(signed_in, compared, mail):
    decide_gate(comparison=compared)
    slow = Run.objects.filter(os_version__name=NEW, interaction__app=mail)
    exclude_runs(run_ids=list(slow.values_list("pk", flat=True)), reason="bench", user=None)

    waiting = signed_in.get(GATE).context["recorded"].changes
    compute_comparison(comparison_id=compared.pk)
    computed = signed_in.get(GATE).context["recorded"].changes

    assert waiting == ("8 runs were excluded since", "these results are being computed again")
    assert computed == (
        "8 runs were excluded since",
        "1 interaction has no measured run on the updated version now",
        "Mail · open inbox no longer regresses",
        "decided interactions 3 → 2",
    )


def test_recording_anew_is_one_click_and_the_record_is_up_to_date(signed_in, compared, mail):
    decide_gate(comparison=compared)
    waive(mail)

    signed_in.post(reverse("gate-decide"), {"base": BASE, "new": NEW})

    page = signed_in.get(GATE)
    assert (page.context["recorded"].record.decision, page.context["recorded"].changes) == ("pass", ())
    assert Waiver.objects.count() == 1


def test_a_row_of_the_ranking_is_waived_only_if_the_gate_does_not_count_its_interaction(signed_in, mail, versions):
    inbox = Interaction.objects.get(name="open inbox")
    for version, values in zip(versions, ([1000.0] * 8, [2000.0 + step for step in range(8)]), strict=True):
        for run, value in zip(Run.objects.filter(os_version=version, interaction=inbox), values, strict=True):
            run.measurements.create(metric="finish_time_ms", value=value)
    compute_comparison(comparison_id=Comparison.objects.get().pk)

    def waived():
        return [row.waived for row in signed_in.get(RANKING, {"app": mail.package}).context["rows"]]

    waive(mail, interaction=inbox, ceilings={"response_time_ms": 300.0})
    assert waived() == [False]
    waive(mail, interaction=inbox, ceilings={"finish_time_ms": 1100.0})
    assert waived() == [True]


def test_lists_tell_a_record_that_says_something_else_by_now(signed_in, compared, mail):
    decide_gate(comparison=compared)
    assert "out of date" not in signed_in.get("/gate/").content.decode()
    waive(mail)

    for address in ("/gate/", RANKING):
        assert "out of date" in signed_in.get(address).content.decode()
