import json

import httpx
import pytest

from tests.upreg_client.fake import SITE, problem
from upreg_client import comparing, words

API = f"{SITE}/api/v1"
PAIR = f"{API}/comparisons/13.0.12/13.0.13/"
REASON = {"rule": "budget", "decides": "fail", "text": "4 of 7 interactions regressed: 57 %", "app": "",
          "interaction": "", "waiver": None}  # fmt: skip
WORST = {
    "app": "mail",
    "app_name": "Mail",
    "interaction": "open",
    "severity": "Severe",
    "critical": True,
    "waiver": 3,
}
REPORT = {
    "base": "13.0.12", "new": "13.0.13", "device": None, "scope": None, "decision": "fail",
    "sentence": "4 of 7 interactions regressed.", "reasons": [REASON],
    "regressions": [WORST, WORST | {"severity": "Minor"}],
    "markdown": "**✕ NO-GO** 13.0.12 → 13.0.13", "page": f"{SITE}/gate/13.0.12/13.0.13/",
}  # fmt: skip


def runs(*statuses):
    return httpx.Response(200, json={"results": [{"status": each} for each in statuses], "next": None})


def standing(status, *, stale=False, **more):
    page, gate = f"{SITE}/compare/13.0.12/13.0.13/", {"sentence": "4 of 7 interactions regressed."}
    row = {"status": status, "stale": stale, "error": "", "page": page, "gate": gate if status == "done" else None}
    return httpx.Response(200, json=row | more)


@pytest.fixture
def measured(router):
    """Let no run wait to be measured."""
    return router.get(f"{API}/runs/").mock(return_value=runs())


def test_comparison_is_asked_for(router, command, capsys):
    route = router.post(f"{API}/comparisons/").mock(return_value=standing("pending"))

    assert command("compare", "13.0.12", "13.0.13") == 0
    assert json.loads(route.calls[0].request.read()) == {"base": "13.0.12", "new": "13.0.13"}
    assert "13.0.12 → 13.0.13: pending" in capsys.readouterr().out


def test_waiting_lasts_until_the_runs_are_measured_and_the_comparison_is_computed(router, command, capsys):
    waits = [runs("pending"), runs(), runs("running")]
    router.get(f"{API}/runs/").mock(side_effect=lambda request: waits.pop(0) if waits else runs())
    looks = [httpx.Response(404), standing("pending"), standing("running"), standing("done", stale=True),
             standing("pending"), standing("done")]  # fmt: skip
    read = router.get(PAIR).mock(side_effect=looks)
    asked = router.post(f"{API}/comparisons/").mock(return_value=standing("pending"))

    assert command("compare", "13.0.12", "13.0.13", "--wait") == 0

    assert read.call_count == 6
    assert asked.call_count == 2  # when nobody had asked, and when runs had changed
    told = capsys.readouterr()
    assert "4 of 7 interactions regressed." in told.out
    assert told.err.count("still being compared") == 1  # each thing that is waited for is told once


def test_a_token_that_only_reads_may_wait_for_what_others_asked_for(router, command, measured):
    router.get(PAIR).mock(side_effect=[standing("running"), standing("done")])
    asked = router.post(f"{API}/comparisons/")

    assert command("compare", "13.0.12", "13.0.13", "--wait") == 0
    assert not asked.called


def test_earlier_failure_is_computed_once_more_and_then_told(router, command, measured, capsys):
    failed = standing("failed", error="13.0.12 and 13.0.13 share no interaction")
    router.get(PAIR).mock(return_value=failed)
    asked = router.post(f"{API}/comparisons/").mock(return_value=standing("pending"))

    assert command("compare", "13.0.12", "13.0.13", "--wait") == 11
    assert asked.call_count == 1
    assert "share no interaction" in capsys.readouterr().out


def test_waiting_ends_after_the_timeout(router, command, monkeypatch, capsys):
    router.get(f"{API}/runs/").mock(return_value=runs("running"))
    clock = iter(range(0, 10_000, 40))
    monkeypatch.setattr("upreg_client.commandline.Waiting", lambda timeout, tell: comparing.Waiting(
        timeout, tell, lambda: next(clock)))  # fmt: skip

    assert command("gate", "13.0.12", "13.0.13", "--wait", "--timeout", "100") == 3
    assert "runs of 13.0.12 are still being measured after 100 s" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("decision", "code"), [("pass", 0), ("fail", 10), ("not_enough_data", 11), ("new word", 11)]
)
def test_gate_exits_by_its_decision(router, command, decision, code):
    router.get(f"{PAIR}gate/").mock(return_value=httpx.Response(200, json=REPORT | {"decision": decision}))

    assert command("gate", "13.0.12", "13.0.13") == code


def test_gate_tells_every_reason_and_regression(router, command, capsys):
    router.get(f"{PAIR}gate/").mock(return_value=httpx.Response(200, json=REPORT))

    command("gate", "13.0.12", "13.0.13")

    assert capsys.readouterr().out.splitlines() == [
        "13.0.12 → 13.0.13: NO-GO",
        "  4 of 7 interactions regressed.",
        "  ✕ 4 of 7 interactions regressed: 57 %",
        "",
        "  Mail · open: Severe, critical app, waived",
        f"  {SITE}/gate/13.0.12/13.0.13/",
    ]


DRIFT = {"state": "counted", "pinned": "13.0.9", "regressions": [WORST | {"critical": False, "waiver": None}] * 2}


def test_gate_tells_what_regressed_against_the_pinned_version(router, command, capsys):
    report = REPORT | {"regressions": [], "drift": DRIFT}
    router.get(f"{PAIR}gate/").mock(return_value=httpx.Response(200, json=report))

    command("gate", "13.0.12", "13.0.13")

    assert capsys.readouterr().out.splitlines()[3:6] == [
        "",
        "  against the pinned 13.0.9:",
        "  Mail · open: Severe",
    ]


def test_a_comment_on_a_drift_within_its_budget_is_not_quiet():
    report = REPORT | {"decision": "pass", "regressions": []}

    assert words.is_quiet(report)
    assert words.is_quiet(report | {"drift": None})
    assert not words.is_quiet(report | {"drift": DRIFT})


def test_waiting_for_the_gate_waits_for_the_pinned_version_too(router, command, measured):
    waits = REPORT | {"decision": "not_enough_data", "drift": {"state": "waits", "pinned": "13.0.9"}}
    answers = [httpx.Response(200, json=report) for report in (waits, REPORT | {"drift": DRIFT})]
    router.get(f"{PAIR}gate/").mock(side_effect=answers)
    router.get(PAIR).mock(return_value=standing("done"))
    pinned = router.get(f"{API}/comparisons/13.0.9/13.0.13/").mock(return_value=standing("done"))

    assert command("gate", "13.0.12", "13.0.13", "--wait") == 10
    assert pinned.called


def test_gate_judges_a_scope_and_prints_what_the_server_says_as_json(router, command, capsys):
    report = REPORT | {"scope": "Messaging & mail"}
    route = router.get(f"{PAIR}gate/").mock(return_value=httpx.Response(200, json=report))

    command("gate", "13.0.12", "13.0.13", "--scope", "Messaging & mail", "--json")

    assert json.loads(capsys.readouterr().out) == report
    assert dict(route.calls[0].request.url.params) == {"scope": "Messaging & mail"}


def test_version_that_the_server_does_not_know_is_told_in_its_words(router, command, capsys):
    router.get(f"{PAIR}gate/").mock(return_value=problem(404, title="There is no version 13.0.13.", cure="push it"))

    assert command("gate", "13.0.12", "13.0.13") == 2
    assert "There is no version 13.0.13. (push it)" in capsys.readouterr().err


def test_names_stay_whole_in_addresses(router, command):
    route = router.get(f"{API}/comparisons/a%20b/c%25d%C3%A9/gate/").mock(
        return_value=httpx.Response(200, json=REPORT | {"decision": "pass"})
    )

    assert command("gate", "a b", "c%dé") == 0
    assert route.called
