"""An interaction that a benchmark measured goes through every room, and each says that nobody filmed it."""

import io
import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import pytest
from django.core.management import call_command
from django.urls import reverse

from reports.bisecting.looking import metrics_of
from reports.comparing.inputs import PairIds
from reports.comparing.revisions import revisions_of
from reports.comparing.services import compute_comparison, open_comparison
from reports.history.services import compute_history
from reports.importing.benchmarks import Said, import_benchmark_file
from reports.measuring.areas import WrongTypeError, set_type
from reports.measuring.services import (
    BadActionError,
    BadCorrectionError,
    correct_run,
    measure_runs_anew,
    retry_runs,
    set_action,
)
from reports.models import Bisection, Comparison, Interaction, Level, OsVersion, Result, Run
from reports.policies.selectors import current_policy
from reports.policies.services import save_policy
from reports.policyeditor.forms import fields_of, rules_of
from tests.benchmarked import benchmark, written
from tests.repeated import made_once

pytestmark = pytest.mark.django_db
FAST = [[10.0, 10.2, 10.4], [10.1, 10.3, 10.5], [10.2, 10.4, 10.6], [10.0, 10.3, 10.6], [10.1, 10.2, 10.3]]
SLOW = [[value + 5 for value in frames] for frames in FAST]
WORDS = "No screencast"
NAME = "ScrollBenchmark.scroll"
APP = "org.example.mail.benchmark"


@pytest.fixture
def benchmarked(db):
    """Compare two versions on one benchmark: its frames got slower by half, and more of them were drawn."""
    made_once(_compare)
    return Comparison.objects.get()


def _compare():
    for version, frames, counts in (("15.1", FAST, [300] * 5), ("15.2", SLOW, [900, 910, 920, 930, 940])):
        row = benchmark("scroll", metrics={"frameCount": counts}, sampled={"frameDurationCpuMs": frames})
        with TemporaryDirectory() as folder:
            path = written(Path(folder), row, name=f"{version}.json")
            import_benchmark_file(path=path, said=Said(version))
    base, new = (OsVersion.objects.get(name=name) for name in ("15.1", "15.2"))
    compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)


def page(client, name, *args, **query):
    answer = client.get(reverse(name, args=args) + (f"?{urlencode(query)}" if query else ""))
    assert answer.status_code == 200
    return answer.content.decode()


def drilldown(client, **query):
    return page(client, "drilldown", "15.1", "15.2", APP, NAME, **query)


def test_it_is_compared_by_the_rule_of_all_others(benchmarked):
    rows = {row.metric: row for row in Result.objects.all()}
    assert sorted(rows) == [f"frameDurationCpuMs_P{at}" for at in (50, 90, 95, 99)]  # a count has no direction
    middle = rows["frameDurationCpuMs_P50"]
    assert (middle.n_base, middle.n_new, middle.verdict) == (5, 5, "regression")
    assert (middle.median_base, middle.median_new) == pytest.approx((10.3, 15.3))
    assert middle.threshold == pytest.approx(1.03)  # a tenth of the baseline's median
    assert middle.p_value == pytest.approx(1 / 252)  # of 252 splits of ten values one is as extreme
    assert benchmarked.summary["regressed"] == 1


def test_the_drill_down_says_that_there_is_no_screencast_and_shows_every_iteration(benchmarked, admin_client):
    text = drilldown(admin_client)
    assert WORDS in text
    assert "CPU frame time, P50 is 5 ms higher" in text
    assert "Where the numbers came from" in text
    assert "15.1.json" in text
    assert "acme/anvil/anvil:13/TQ1A.1/100:user/release-keys" in text
    assert "a percentile of the frames of one iteration" in text
    assert "Frame count" in text
    assert "not judged" in text
    for value in ("10.3", "15.3", "910"):
        assert f">{value}</td>" in text
    for film in (
        "<video",
        "<canvas",
        "<drill-down",
        "drilldown/main.js",
        "Film strip",
        "Not right?",
        "order of recording",
    ):
        assert film not in text


def test_the_drill_down_asks_the_database_no_more_than_for_recordings(
    benchmarked, admin_client, django_assert_max_num_queries
):
    drilldown(admin_client)
    with django_assert_max_num_queries(40):
        drilldown(admin_client)


def test_a_run_that_nobody_filmed_offers_nothing_that_needs_a_film(benchmarked, admin_client):
    run = Run.objects.order_by("pk").first()
    text = page(admin_client, "run-detail", run.pk)
    assert WORDS in text
    assert "15.1.json" in text
    for film in (
        "Measure again",
        "Check and correct",
        "<video",
        "Judged",
        "measuring code",
        "after the first frame",
    ):
        assert film not in text
    assert "Measure again" not in page(admin_client, "runs")


def test_nothing_measures_it_again(benchmarked, admin_user):
    ids = list(Run.objects.values_list("pk", flat=True))
    assert retry_runs(run_ids=ids, queue=False) == 0
    assert measure_runs_anew(runs=Run.objects.all()) == 0
    run = Run.objects.first()
    with pytest.raises(BadActionError, match=WORDS):
        set_action(run=run, action_ms=5.0, user=admin_user)
    with pytest.raises(BadCorrectionError, match="no screencast"):
        correct_run(run=run, moment="response", value_ms=5.0, user=admin_user)
    with pytest.raises(WrongTypeError):
        set_type(interaction=Interaction.objects.get(), type="tap", again=True, user=admin_user)
    assert set(Run.objects.values_list("status", flat=True)) == {"done"}


def test_no_revision_of_the_measuring_code_leaves_it_behind(benchmarked, monkeypatch):
    monkeypatch.setattr("analysis.revision.REVISION", 999)
    found = revisions_of(PairIds.of(benchmarked))
    assert (found.total, found.again, found.note) == (0, 0, "")


@pytest.mark.parametrize(
    ("name", "args"), [("run-video", ()), ("run-frame", (0,)), ("run-changes", ()), ("run-proxy", ())]
)
def test_pictures_of_it_are_not_there_and_that_is_said(benchmarked, admin_client, name, args):
    answer = admin_client.get(reverse(name, args=[Run.objects.first().pk, *args]))
    assert answer.status_code == 404


def test_players_are_told_that_there_is_none(benchmarked, admin_client):
    run = Run.objects.first()
    for answer in (
        admin_client.get(reverse("api-run-playback", args=[run.pk])),
        admin_client.post(reverse("api-run-proxy", args=[run.pk])),
    ):
        assert answer.json()["state"] == "missing"
        assert WORDS in answer.json()["message"]
    assert WORDS in admin_client.get(reverse("api-run-series", args=[run.pk])).json()["error"]


def test_the_bug_report_says_so(benchmarked, admin_client):
    answer = admin_client.get(reverse("bug-report", args=["15.1", "15.2", APP, NAME]))
    with zipfile.ZipFile(io.BytesIO(b"".join(answer))) as report:
        assert sorted(report.namelist()) == ["data.json", "report.html", "report.md"]
        text, html = report.read("report.md").decode(), report.read("report.html").decode()
        data = json.loads(report.read("data.json"))
    assert WORDS in text
    assert "plots.svg" not in text
    assert "none: a benchmark measured it" in text
    assert "first frame" not in text
    assert "60 Hz" not in text.split("## Environment")[1]
    assert WORDS in html
    assert 'id="transport"' not in html
    assert data["runs"]["new"]["measurements"]["frameCount"] >= 900


def test_a_difference_has_the_decimals_of_its_metric_wherever_it_is_told(benchmarked, admin_client):
    Result.objects.filter(metric="frameDurationCpuMs_P50").update(delta=4.78, ci_low=4.61, ci_high=4.97)
    asked = reverse("bug-report", args=["15.1", "15.2", APP, NAME])
    with zipfile.ZipFile(io.BytesIO(b"".join(admin_client.get(asked)))) as report:
        told = [report.read(name).decode() for name in ("report.html", "report.md")]
    told.append(page(admin_client, "drilldown", "15.1", "15.2", APP, NAME))
    assert ["+4.78" in text for text in told] == [True] * 3
    assert "95 % interval +4.61 … +4.97" in told[-1]


def test_the_api_says_what_is_not_filmed(benchmarked, admin_client):
    row = admin_client.get(reverse("api:runs-detail", args=[Run.objects.first().pk])).json()
    assert (row["filmed"], row["revision"], row["action_ms"], row["status"]) == (False, 0, None, "done")
    assert row["interaction_type"] == "benchmark"
    assert row["metadata"]["Iteration"].endswith("of 5 in this file")


def test_ranking_filters_by_its_metric_and_csv_has_it(benchmarked, admin_client):
    text = page(admin_client, "ranking", "15.1", "15.2", metric="frameDurationCpuMs_P99")
    assert "CPU frame time, P99" in text
    assert '<option value="frameDurationCpuMs_P99" selected>' in text
    csv = b"".join(admin_client.get(reverse("ranking-csv", args=["15.1", "15.2"]) + "?metric=all")).decode()
    assert csv.count("frameDurationCpuMs_P") == 4


def test_a_metric_that_cannot_be_is_passed_over(benchmarked, admin_client):
    assert NAME in page(admin_client, "ranking", "15.1", "15.2", metric="nonsense")


def test_the_gate_and_the_release_report_count_it(benchmarked, admin_client, capsys):
    assert "CPU frame time" in page(admin_client, "gate-pair", "15.1", "15.2")
    with pytest.raises(SystemExit) as caught:
        call_command("gate", "15.1", "15.2")
    assert caught.value.code == 3
    assert "1 of 1 interaction regressed" in capsys.readouterr().out
    report = b"".join(admin_client.get(reverse("release-report", args=["15.1", "15.2"]))).decode()
    assert "CPU frame time" in report
    assert "<dt>Runs behind it</dt><dd>10</dd>" in report
    assert "10\u00a0runs of benchmarks were not filmed" in report


def test_a_waiver_takes_ceilings_of_its_metrics(benchmarked, admin_client):
    given = {"app": APP, "interaction": NAME, "ceiling_frameDurationCpuMs_P50": "6"}
    assert "CPU frame time, P50, ms" in page(admin_client, "waivers", **given)
    sent = {**given, "reason": "known", "expires": "2999-01-01"}
    assert admin_client.post(reverse("waiver-add"), sent).status_code == 302
    assert "CPU frame time, P50 up to +6" in page(admin_client, "waivers")


def test_the_policy_has_a_threshold_for_it_once_somebody_gives_one(benchmarked, admin_client, admin_user):
    text = page(admin_client, "policy")
    assert 'name="thresholds.frameDurationCpuMs_P50.absolute" value=""' in text
    assert "thresholds.frameCount" not in text
    untouched = {**fields_of(current_policy()), "thresholds.frameDurationCpuMs_P50.absolute": ""}
    assert rules_of(untouched)["thresholds"].keys() == current_policy().thresholds.keys()
    typed = {
        **untouched,
        "thresholds.frameDurationCpuMs_P50.absolute": "6",
        "thresholds.frameDurationCpuMs_P50.reason": "x",
    }
    save_policy(name="default", rules=rules_of(typed), based_on=0, user=admin_user, note="")
    compute_comparison(comparison_id=benchmarked.pk)
    row = Result.objects.get(metric="frameDurationCpuMs_P50")
    assert (row.threshold, row.verdict) == (6.0, "imperceptible")
    assert 'name="thresholds.frameDurationCpuMs_P50.absolute" value="6"' in page(admin_client, "policy")


def test_the_history_has_its_course_and_filters_by_it(benchmarked, admin_client):
    text = page(admin_client, "history", metric="frameDurationCpuMs_P50")
    assert '<option value="frameDurationCpuMs_P50" selected>' in text


def test_its_type_is_its_own(benchmarked, admin_client):
    row = Interaction.objects.get()
    sent = {"scenario": "scrolls", "type": "tap", "seen": "0"}
    answer = admin_client.post(reverse("interaction-save", args=[row.pk]), sent)
    assert answer.status_code == 422
    assert "has no other type" in answer.content.decode()
    sent["type"] = "benchmark"
    assert admin_client.post(reverse("interaction-save", args=[row.pk]), sent).status_code == 302
    row.refresh_from_db()
    assert row.scenario == "scrolls"


def test_a_plan_has_no_line_of_a_manifest_for_it(benchmarked, admin_client):
    Result.objects.filter(metric="frameDurationCpuMs_P50").update(runs_needed=3, verdict="more_runs_needed")
    text = page(admin_client, "ranking-plan", "15.1", "15.2")
    assert "run it again" in text
    assert "0 screencasts" in text.replace("\xa0", " ")
    csv = b"".join(admin_client.get(reverse("ranking-plan-csv", args=["15.1", "15.2"]))).decode()
    assert NAME not in csv


def test_the_catalogue_offers_nothing_that_needs_a_film(benchmarked, admin_client):
    text = page(admin_client, "catalogue-interaction", Interaction.objects.get().pk)
    for film in ("Measure all again", "Areas that are not judged", "measure 10"):
        assert film not in text
    assert "its type is its own" in text


def test_a_bisection_takes_its_metrics_alone(benchmarked, admin_client):
    given = {"app": APP, "interaction": NAME, "good": "15.1", "bad": "15.2", "metric": "frameDurationCpuMs_P90"}
    given["builds"] = "15.1.5"
    assert '<option value="frameDurationCpuMs_P90" selected>' in page(admin_client, "bisections", **given)
    assert metrics_of(Interaction.objects.get()) == [f"frameDurationCpuMs_P{at}" for at in (50, 90, 95, 99)]
    assert admin_client.post(reverse("bisections"), given).status_code == 302
    row = Bisection.objects.get()
    assert row.metric == "frameDurationCpuMs_P90"


def test_the_history_counts_the_step(benchmarked, admin_client):
    for version in OsVersion.objects.all():
        compute_history(version_id=version.pk)
    level = Level.objects.get(version__name="15.2", metric="frameDurationCpuMs_P50")
    assert level.p50 == pytest.approx(15.3)
    assert not Level.objects.filter(metric="frameCount").exists()
    assert "CPU frame time, P50" in page(admin_client, "history")
