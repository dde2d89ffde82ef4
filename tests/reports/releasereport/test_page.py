import re
from datetime import timedelta

import pytest
from django.utils import timezone

from analysis.gate.reasons import FAIL, PASS
from reports.gate.services import decide_gate, withdraw_waiver
from reports.help.library import term_called
from reports.models import App, Comparison, GateRecord, Interaction, Run, RunStatus
from reports.policies.selectors import find_part
from reports.policies.services import save_scope
from reports.ranking.summary import ranked_apps, verdict_summary
from reports.releasereport.page import render_report, report_name
from reports.releasereport.selectors import load_recorded, load_standing
from tests import factories
from tests.reports.releasereport.scene import BASE, NEW, compute, release_scene, text_of

pytestmark = pytest.mark.django_db
EVIL = "<script>alert(1)</script>"


def standing(comparison, scope=""):
    report = load_standing(comparison, find_part(scope))
    return report, text_of(render_report(report))


def recorded(record):
    report = load_recorded(
        GateRecord.objects.select_related("comparison__base", "comparison__new").get(pk=record.pk)
    )
    return report, text_of(render_report(report))


def waive(**values):
    given = {"app": factories.app("Mail"), "interaction": factories.interaction("open inbox"), "approver": "Ada"}
    until = timezone.localdate() + timedelta(days=9)
    return factories.accepted_waiver(**{**given, "expires": until, "reason": "fixed in the next build", **values})


def test_report_says_what_ranking_and_gate_say():
    comparison = release_scene()

    report, text = standing(comparison)

    assert report.report["decision"] == FAIL
    assert report.sentence.split() == verdict_summary(comparison).sentence.split()
    assert "NO-GO" in text
    assert all(reason["text"] in text for reason in report.report["reasons"])
    assert report.apps == tuple(ranked_apps(comparison))
    assert "Runs behind it 32" in text
    assert "policy default" in text.lower()
    assert f"{timezone.localtime(comparison.computed_at):%b %Y, %H:%M}" in text
    assert "The larger of 50 ms and 20 % of the baseline's median" in text
    assert "at most 2 % of the decided interactions" in text.replace("\u202f", " ").replace("\u00a0", " ")


def test_report_names_a_waiver_with_who_until_when_and_how_much():
    comparison = release_scene()
    waive(ceilings={"response_time_ms": 300.0})
    waive(app=factories.app("Feed"), interaction=None, reason="a new feed")
    waive(expires=timezone.localdate(), reason="for today only", ceilings={"finish_time_ms": None})

    report, text = standing(comparison)

    lines = {line.waiver.reason: line.accepted for line in report.waivers}
    assert lines == {
        "fixed in the next build": ("Mail · open inbox, Response time",),
        "a new feed": (),
        "for today only": (),
    }
    assert report.report["decision"] == PASS
    assert "Response time up to +300 ms" in text
    assert "Ada" in text
    assert f"{timezone.localdate() + timedelta(days=9):%b %Y}" in text


def test_report_leaves_out_waivers_that_are_over_or_withdrawn():
    comparison = release_scene()
    withdraw_waiver(waiver_id=waive().pk)

    assert standing(comparison)[0].waivers == ()
    assert "no regression of these apps is accepted" in standing(comparison)[1]


def test_report_names_what_was_not_compared_and_why():
    factories.runs([100.0] * 3, version=factories.os_version(BASE), of=factories.interaction("gone"))
    run = factories.run(version=factories.os_version(NEW), status=RunStatus.FAILED)

    report, text = standing(release_scene())

    assert ("Mail", "gone", "only in the baseline") in report.missing
    assert "Mail · gone only in the baseline" in text
    assert run.status == RunStatus.FAILED
    assert "1 run failed" in text


def test_report_of_a_scope_speaks_of_that_part_alone():
    release_scene()
    factories.runs([100.0] * 3, version=factories.os_version(BASE), of=factories.interaction("gone"))
    save_scope(name="feed", apps=[factories.app("Feed")])
    comparison = compute()

    report, text = standing(comparison, "feed")

    assert report.report["decision"] == PASS
    assert [app.name for app in report.apps] == ["Feed"]
    assert (report.missing, report.stories) == ((), ())
    assert "only feed" in text
    assert "No interaction regressed" in text
    assert report_name(report) == "release-report-13.0.9-13.0.13-feed.html"


def test_report_of_a_scope_speaks_with_the_words_of_the_gate():
    comparison = release_scene()
    save_scope(name="feed", apps=[factories.app("Feed")])

    report, _ = standing(comparison, "feed")

    assert report.sentence.startswith("0 of 1 interaction regressed: 0 %")


def test_recorded_report_shows_the_decision_as_it_was_made(engineer):
    comparison = release_scene()
    record = decide_gate(comparison=comparison, user=engineer)
    waive()

    report, text = recorded(record)

    assert report.report["decision"] == FAIL
    assert report.waivers == ()
    assert report.current
    assert len(report.stories[0].shots) == 3
    assert f"Decision {record.pk} of" in text
    assert "by engineer, as it was made" in text
    assert standing(comparison)[0].report["decision"] == PASS


def test_recorded_report_keeps_its_numbers_when_the_results_are_computed_again():
    comparison = release_scene()
    waive(ceilings={"response_time_ms": 300.0})
    record = decide_gate(comparison=comparison)
    factories.runs([900.0] * 6, version=factories.os_version(NEW), of=factories.interaction("open inbox"))
    compute()

    report, text = recorded(record)

    assert not report.current
    assert report.report["decision"] == PASS
    assert [line.waiver.approver for line in report.waivers] == ["Ada"]
    assert report.stories[0].note.startswith("The results were computed again since")
    assert (report.apps, report.revisions, report.summary) == ((), None, None)
    assert "The results were computed again after this decision" in text
    assert "Not kept with this decision" in text
    assert report_name(report) == f"release-report-13.0.9-13.0.13-decision-{record.pk}.html"


def test_recorded_report_of_a_comparison_that_lost_its_results_still_opens():
    record = decide_gate(comparison=release_scene())
    Comparison.objects.update(summary={}, computed_at=None)

    report, text = recorded(record)

    assert not report.current
    assert "NO-GO" in text


def test_names_are_text_and_never_markup():
    factories.app("Mail", critical=True)
    comparison = release_scene(name=f"open {EVIL}")
    App.objects.update(name=f"Mail {EVIL}")
    waive(
        interaction=Interaction.objects.get(name__startswith="open"),
        reason=EVIL,
        approver=EVIL,
        issue_url="https://x.example/",
    )

    html = render_report(load_standing(compute() if comparison.stale else comparison), address="https://u.example/")

    assert EVIL not in html
    assert html.count("&lt;script&gt;") > 3
    assert "<script" not in html


def test_report_explains_its_words_as_the_glossary_does():
    _, text = standing(release_scene())

    assert term_called("waiver").text in text
    assert "Cliff's delta (δ) " + term_called("δ").text in text


def test_page_loads_nothing_and_runs_nothing():
    html = render_report(load_standing(release_scene()))

    assert re.findall(r'(?:src|href)="(?!data:|#)[^"]*"|url\((?!"?data:)[^)]*\)|@import', html) == []
    assert "default-src 'none'" in html
    assert re.findall(r"<script|\son\w+=", html) == []


def test_file_name_is_made_of_plain_letters():
    report, _ = standing(release_scene())

    assert report_name(report) == "release-report-13.0.9-13.0.13.html"


def test_file_of_many_regressions_stays_small():
    comparison = release_scene()
    record = decide_gate(comparison=comparison)
    [row] = record.report["regressions"]
    record.report["regressions"] = [row] + [row | {"interaction": f"step {number}"} for number in range(400)]
    record.inputs["missing"] = [["org.example.mail", f"gone {number}"] for number in range(400)]
    record.save()
    Comparison.objects.update(computed_at=timezone.now())

    report, text = recorded(record)
    html = render_report(report)

    assert len(html) < 400_000
    assert "And 291 more, none of them worse" in text
    assert "And 300 more interactions" in text
    assert Run.objects.count() == 32
