import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from reports.management import comparing
from reports.models import Comparison, ComparisonStatus, Run
from reports.policies.services import save_scope
from tests import factories

pytestmark = pytest.mark.django_db

KEYS = [
    *("app", "interaction", "interaction_type", "metric", "n_base", "n_new", "median_base", "median_new"),
    *("delta", "delta_pct", "p_value", "cliffs_delta", "threshold", "verdict", "severity"),
]
PAPER = ([112, 124, 125, 113, 113, 111], [120, 126, 129, 130, 121, 120])


def fill(base, new, **kwargs):
    for version, values in (("13.0.12", base), ("13.0.13", new)):
        factories.runs([float(value) for value in values], version=factories.os_version(version), **kwargs)


def run(*args):
    out = StringIO()
    call_command("compare", *args, stdout=out)
    return out.getvalue()


def test_json_has_the_agreed_keys_and_the_paper_example_its_values():
    fill(*PAPER)

    answer = json.loads(run("13.0.12", "13.0.13", "--json"))

    assert (answer["base"], answer["new"]) == ("13.0.12", "13.0.13")
    (result,) = answer["results"]
    assert list(result)[: len(KEYS)] == KEYS
    assert result["p_value"] == pytest.approx(0.0325, abs=5e-5)
    assert result["cliffs_delta"] == pytest.approx(0.667, abs=5e-4)
    assert (result["delta"], result["threshold"]) == (10.5, 50.0)
    assert (result["verdict"], result["severity"]) == ("imperceptible", None)
    assert (result["confidence"], result["effect"]) == ("Imperceptible, large", "large")
    assert result["smallest_p"] == pytest.approx(1 / 924)


def test_worst_come_first_and_unknown_last():
    fill(range(100, 108), range(400, 408), of=factories.interaction("severe"))
    fill(range(100, 108), range(160, 168), of=factories.interaction("minor"))
    fill(range(100, 108), range(100, 108), of=factories.interaction("same"))
    fill([100], [900], of=factories.interaction("unknown"))

    results = json.loads(run("13.0.12", "13.0.13", "--json"))["results"]

    assert [row["interaction"] for row in results] == ["severe", "minor", "same", "unknown"]


def test_delta_pct_of_a_zero_baseline_is_null():
    fill([0] * 8, [9] * 8, metric="dropped_frames")

    assert json.loads(run("13.0.12", "13.0.13", "--json"))["results"][0]["delta_pct"] is None


def test_text_says_the_verdict_and_lists_the_results():
    fill(range(100, 108), range(400, 408))

    text = run("13.0.12", "13.0.13")

    assert "1 of 1 interaction regressed: 100 % against a budget of 2 %." in text
    assert "Mail · open inbox" in text
    assert "Regression Severe" in text


def test_device_limits_the_comparison():
    fill(*PAPER, on=factories.device("phone"))
    fill(*PAPER, on=factories.device("tablet"))

    results = json.loads(run("13.0.12", "13.0.13", "--device", "tablet", "--json"))["results"]

    assert [row["device"] for row in results] == ["tablet"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("13.0.12", "13.0.12"), "cannot be compared with itself"),
        (("13.0.12", "14"), r"no OS version is called '14'; known are: 13\.0\.12, 13\.0\.13"),
        (("13.0.12", "13.0.13", "--device", "fridge"), r"no device is called 'fridge'; known are: phone \(60 Hz\)"),
    ],
)
def test_wrong_names_are_refused_with_the_known_ones(args, message):
    fill(*PAPER)

    with pytest.raises(CommandError, match=message):
        run(*args)


def test_a_device_name_that_fits_two_refresh_rates_asks_which():
    fill(*PAPER, on=factories.device("phone", 60))
    fill(*PAPER, on=factories.device("phone", 120))

    with pytest.raises(CommandError, match="several devices are called 'phone'"):
        run("13.0.12", "13.0.13", "--device", "phone")
    assert "Mail" in run("13.0.12", "13.0.13", "--device", "phone (120 Hz)")


def test_nothing_measured_yet_says_how_to_start_the_queue():
    for version in ("13.0.12", "13.0.13"):
        factories.run(version=factories.os_version(version), status="pending")

    with pytest.raises(CommandError, match=r"2 runs wait in the queue\. Start a worker: manage\.py worker"):
        run("13.0.12", "13.0.13")


def test_scope_prints_its_part_and_its_own_sentence():
    fill(range(100, 108), range(400, 408), of=factories.interaction("severe"))
    fill(range(100, 108), range(100, 108), of=factories.interaction("same", type="scroll"))
    save_scope(name="scrolling", interaction_types=["scroll"])

    text = run("13.0.12", "13.0.13", "--scope", "scrolling")
    rows = json.loads(run("13.0.12", "13.0.13", "--scope", "scrolling", "--json"))["results"]

    assert text.startswith("13.0.12 → 13.0.13, only scrolling\n0 of 1 interaction regressed")
    assert [row["interaction"] for row in rows] == ["same"]


def test_unknown_scope_is_refused():
    with pytest.raises(CommandError, match="no scope is called 'x'; known are: none yet"):
        run("13.0.12", "13.0.13", "--scope", "x")


def test_comparison_that_a_worker_computes_is_waited_for(monkeypatch):
    fill(*PAPER)
    run("13.0.12", "13.0.13")
    Comparison.objects.update(status=ComparisonStatus.RUNNING, claimed_at=timezone.now())
    ended = {"status": ComparisonStatus.DONE, "claimed_at": None}
    monkeypatch.setattr(comparing.time, "sleep", lambda seconds: Comparison.objects.update(**ended))

    assert "13.0.12 → 13.0.13" in run("13.0.12", "13.0.13")


def test_comparison_that_a_worker_never_ends_is_given_up_with_a_cure(monkeypatch):
    fill(*PAPER)
    run("13.0.12", "13.0.13")
    Comparison.objects.update(status=ComparisonStatus.RUNNING, claimed_at=timezone.now())
    monkeypatch.setattr(comparing.time, "sleep", lambda seconds: None)

    with pytest.raises(CommandError, match="still computing this comparison: look at the queue"):
        run("13.0.12", "13.0.13")


def test_what_an_earlier_revision_measured_is_said_in_text_and_json():
    fill(*PAPER)
    assert "measuring code" not in run("13.0.12", "13.0.13")
    Run.objects.filter(os_version__name="13.0.12").update(revision=0)

    words = "6 of 12 runs were measured by an earlier revision of the measuring code"
    answer = json.loads(run("13.0.12", "13.0.13", "--json"))

    assert words in run("13.0.12", "13.0.13")
    assert words in answer["revisions"]["note"]
    assert answer["revisions"]["measured_by_another"] == 6
