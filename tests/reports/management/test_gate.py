import json
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from reports.policies.services import save_policy
from tests import factories

pytestmark = pytest.mark.django_db


def fill(shift=0, *, of=None, n=8):
    for version, start in (("13.0.12", 200), ("13.0.13", 200 + shift)):
        values = [float(start + step) for step in range(n)]
        factories.runs(values, version=factories.os_version(version), of=of)


def gate(*args):
    """Return (exit code, output)."""
    out = StringIO()
    try:
        call_command("gate", "13.0.12", "13.0.13", *args, stdout=out)
    except SystemExit as stop:
        return stop.code, out.getvalue()
    return 0, out.getvalue()


def test_pass_exits_0_and_markdown_is_one_line():
    fill()

    assert gate()[0] == 0
    code, markdown = gate("--format", "markdown", "--site", "https://upreg.example.org/")
    assert code == 0
    assert markdown.strip() == (
        "**✓ GO** 13.0.12 → 13.0.13: none of 1 interaction regressed "
        "([all results](https://upreg.example.org/compare/13.0.12/13.0.13/))"
    )


def test_fail_exits_3_and_names_reason_and_regression():
    fill(120)

    code, text = gate()

    assert code == 3
    assert "NO-GO" in text
    assert "1 of 1 interaction regressed: 100 %, over the budget of 2 %" in text
    assert "Mail · open inbox: Response time 204 → 324 ms (+120, +59 %) (Noticeable)" in text


def test_markdown_of_a_failure_has_the_five_worst_and_the_rest_counted():
    for number in range(7):
        fill(60 + 50 * number, of=factories.interaction(f"step | {number}"))

    _, markdown = gate("--format", "markdown")

    rows = [line for line in markdown.splitlines() if line.startswith("| [Mail")]
    assert len(rows) == 5
    assert "step \\| 6](/compare/13.0.12/13.0.13/org.example.mail/step%20%7C%206/)" in rows[0]
    assert "2 more, [all results](/compare/13.0.12/13.0.13/)" in markdown


def test_too_few_runs_exit_4():
    fill(n=3)

    code, text = gate()

    assert code == 4
    assert "NOT ENOUGH DATA" in text


@pytest.mark.parametrize("form", ["text", "markdown", "junit", "json"])
def test_nothing_measured_yet_exits_4_in_every_format(form):
    for version in ("13.0.12", "13.0.13"):
        factories.run(version=factories.os_version(version), status="pending")

    code, text = gate("--format", form)

    assert code == 4
    assert "2 runs wait" in text


def test_json_is_the_kept_report():
    fill(120)

    code, text = gate("--format", "json")

    report = json.loads(text)
    assert (code, report["exit_code"], report["decision"]) == (3, 3, "fail")
    assert report["regressions"][0]["severity"] == "Noticeable"


def test_junit_has_one_case_per_rule_and_the_failing_one_fails():
    fill(120, of=factories.interaction("start", type="launch", of=factories.app("Phone", critical=True)))

    _, text = gate("--format", "junit")

    suite = ElementTree.fromstring(text)
    cases = {case.get("name"): [part.tag for part in case] for case in suite.iter("testcase")}
    assert cases == {"budget": ["failure"], "critical": ["failure"], "coverage": []}
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "2", "0")


def test_the_policy_of_that_name_decides():
    fill(120)
    save_policy(name="nightly", rules={"gate": {"budget_pct": 100}}, based_on=0, user=None)

    assert gate("--policy", "nightly")[0] == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--policy", "x"), "no policy is called 'x'; known are: default"),
        (("--scope", "x"), "no scope is called 'x'"),
        (("--device", "x"), "no device is called 'x'"),
    ],
)
def test_unknown_names_are_refused(args, message):
    fill()

    with pytest.raises(CommandError, match=message):
        gate(*args)


def test_unknown_versions_are_refused_not_taken_for_missing_data():
    with pytest.raises(CommandError, match="no OS version is called"):
        gate()
