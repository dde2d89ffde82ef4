from django.urls import reverse

from analysis.gate.reasons import FAIL, NOT_ENOUGH_DATA, PASS
from reports.gate.selectors import what_if
from reports.models import GateRecord
from reports.policies.services import save_scope

PAIR = "/compare/13.0.9/13.0.13/gate/"
GATE_QUERIES, PAIR_QUERIES = 9, 19


def _decide(client, **more):
    return client.post(reverse("gate-decide"), {"base": "13.0.9", "new": "13.0.13", **more})


def test_gate_without_decisions_says_how_to_decide(signed_in, db):
    assert "manage.py gate BASE NEW" in signed_in.get("/gate/").content.decode()


def test_gate_before_a_decision_says_how_things_stand_and_keeps_nothing(signed_in, compared):
    answer = signed_in.get(PAIR, {"budget": "5"})

    page = answer.content.decode()
    assert "as things stand" in page
    assert "the app is critical" in page
    assert answer.context["what_if"].budget_pct == 5.0
    assert not GateRecord.objects.exists()


def test_gate_decide_keeps_the_decision_and_shows_its_reasons(signed_in, engineer, compared):
    answer = _decide(signed_in)

    assert answer.url == PAIR
    record = GateRecord.objects.get()
    assert (record.decision, record.decided_by) == (FAIL, engineer)
    page = signed_in.get(PAIR).content.decode()
    assert "NO-GO" in page
    assert "over the budget of 2" in page
    assert "the app is critical" in page


def test_gate_decide_twice_keeps_one_decision_while_nothing_changed(signed_in, compared):
    _decide(signed_in)
    _decide(signed_in)

    assert GateRecord.objects.count() == 1


def test_gate_of_a_scope_counts_only_its_own_findings_as_untriaged(signed_in, compared):
    save_scope(name="taps", interaction_types=["tap"])
    save_scope(name="scrolling", interaction_types=["scroll"])

    said = {scope: signed_in.get(PAIR, {"scope": scope}).content.decode() for scope in ("taps", "scrolling")}

    assert "1 untriaged" in signed_in.get(PAIR).content.decode()
    assert {scope: "1 untriaged" in page for scope, page in said.items()} == {"taps": True, "scrolling": False}
    assert "state=untriaged&amp;scope=taps" in said["taps"]


def test_gate_decide_for_a_scope_leads_back_to_it(signed_in, compared):
    save_scope(name="scrolling", interaction_types=["scroll"])

    answer = _decide(signed_in, scope="scrolling")

    assert answer.url == f"{PAIR}?scope=scrolling"
    assert GateRecord.objects.get().decision == PASS
    assert "Nobody has recorded a decision yet" in signed_in.get(PAIR).content.decode()


def test_gate_decide_refuses_what_it_does_not_know(signed_in, compared):
    assert _decide(signed_in, scope="nothing").status_code == 404
    assert signed_in.post(reverse("gate-decide"), {"base": "13.0.9", "new": "99"}).status_code == 404
    assert signed_in.post(reverse("gate-decide")).url == "/gate/"
    assert signed_in.get(reverse("gate-decide")).status_code == 405


def test_gate_pair_before_the_comparison_points_to_it(signed_in, versions):
    assert "have not been compared" in signed_in.get(PAIR).content.decode()


def test_gate_pair_shows_another_budget_without_deciding(signed_in, compared):
    _decide(signed_in)

    shown = signed_in.get(PAIR, {"budget": "50"}).context["what_if"]

    assert (shown.budget_pct, shown.decision) == (50.0, FAIL)  # the critical app stands on its own
    assert signed_in.get(PAIR, {"budget": "a lot"}).context["what_if"].budget_pct == 2.0
    assert GateRecord.objects.count() == 1


def test_gate_record_shows_what_it_was_made_from(signed_in, compared):
    _decide(signed_in)

    page = signed_in.get(reverse("gate-record", args=[GateRecord.objects.get().pk])).content.decode()

    assert "org.example.mail" in page
    assert "of response time</dt><dd>50 ms or 20 % of the baseline, the larger</dd>" in page
    assert signed_in.get(reverse("gate-record", args=[999])).status_code == 404


def test_gate_file_is_what_the_command_writes(signed_in, compared):
    _decide(signed_in)
    pk = GateRecord.objects.get().pk

    markdown = signed_in.get(reverse("gate-file", args=[pk, "markdown"]))
    junit = signed_in.get(reverse("gate-file", args=[pk, "junit"]))

    assert "**✕ NO-GO** 13.0.9 → 13.0.13" in markdown.content.decode()
    assert "http://testserver/compare/13.0.9/13.0.13/" in markdown.content.decode()
    assert b"<testsuite" in junit.content
    assert signed_in.get(reverse("gate-file", args=[pk, "exe"])).status_code == 404


def test_gate_pages_take_a_constant_number_of_queries(signed_in, compared, django_assert_num_queries):
    _decide(signed_in)
    with django_assert_num_queries(GATE_QUERIES):
        signed_in.get("/gate/")
    with django_assert_num_queries(PAIR_QUERIES):
        signed_in.get(PAIR)


def test_what_if_answers_by_the_share_and_by_the_other_reasons():
    def report(*others):
        reasons = [{"rule": "budget", "decides": FAIL}, *({"rule": "x", "decides": word} for word in others)]
        return {"reasons": reasons, "regressed_pct": 3.0, "budget_pct": 2.0}

    said = {
        (others, budget): what_if(report(*others), budget).decision
        for others in ((), (NOT_ENOUGH_DATA,), (FAIL,))
        for budget in (None, 3.0, 4.0)
    }

    assert said == {
        ((), None): FAIL,
        ((), 3.0): PASS,
        ((), 4.0): PASS,
        ((NOT_ENOUGH_DATA,), None): FAIL,
        ((NOT_ENOUGH_DATA,), 3.0): NOT_ENOUGH_DATA,
        ((NOT_ENOUGH_DATA,), 4.0): NOT_ENOUGH_DATA,
        ((FAIL,), None): FAIL,
        ((FAIL,), 3.0): FAIL,
        ((FAIL,), 4.0): FAIL,
    }


def test_the_slider_of_the_budget_goes_past_the_share_and_no_further_than_all_interactions():
    reached = {
        share: what_if({"reasons": [], "regressed_pct": share, "budget_pct": 2.0}, None)
        for share in (None, 3.0, 40.0, 100.0)
    }

    assert {share: shown.scale_pct for share, shown in reached.items()} == {None: 10, 3.0: 10, 40.0: 80, 100.0: 100}
    assert [shown.share_at for shown in reached.values()] == [0, 30, 50, 100]
