"""Runs of which nobody said when the user acts: brought in, looked at, confirmed, measured."""

import pytest
from django.urls import reverse

from reports.importing.services import import_manifest
from reports.measuring.extraction import extract_run
from reports.measuring.services import confirm_actions, set_action, undo_action
from reports.models import AuditEntry, FrameSeriesRecord, Run, RunStatus
from tests import factories
from tests.analysis.acting import ACTED, DOWN_MS, Acted, two_taps
from tests.intake import write_manifest

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """Return a recording with one dot, one with two and one with nothing."""
    folder = tmp_path_factory.mktemp("acted")
    scenes = {"dot": ACTED["tap"], "two": Acted(two_taps, "dot"), "none": ACTED["nothing"]}
    return {name: scene.film(folder, "cfr60").rename(folder / f"{name}.mp4") for name, scene in scenes.items()}


def bring_in(folder, films, *rows):
    lines = []
    for number, row in enumerate(rows, 1):
        name = row.pop("film", "dot")
        (folder / f"{name}.mp4").write_bytes(films[name].read_bytes())
        lines.append({"video": f"{name}.mp4", "repetition": str(number), "action_ms": "", **row})
    summary = import_manifest(path=write_manifest(folder, lines))
    for run in Run.objects.filter(status=RunStatus.PENDING).order_by("pk"):
        extract_run(run_id=run.pk, threads=1)
    return summary


def values(run):
    return dict(run.measurements.values_list("metric", "value"))


def test_an_empty_action_is_taken_in_and_waits_for_a_person_who_confirms_it(
    signed_in, engineer, films, tmp_path, django_assert_max_num_queries
):
    summary = bring_in(tmp_path, films, {}, {"film": "two"}, {"film": "none"})
    assert (summary.new, summary.refused) == (3, 0)
    assert summary.notes[0].startswith("3 recordings give no action")
    assert set(Run.objects.values_list("status", "outcome")) == {("failed", "no_action")}
    one, two, none = Run.objects.order_by("pk")
    assert "a touch dot at 700 ms" in one.error
    assert "2 touch dots at 700, 1600 ms" in two.error

    with django_assert_max_num_queries(20):
        listed = signed_in.get(reverse("runs-actions"), {"per_page": "20"})
    text = listed.content.decode()
    assert [each.run for each in listed.context["waiting"]] == [one, two, none]
    assert f'value="{one.pk}-700000" checked' in text
    assert f'value="{two.pk}-700000">' in text
    assert "Nothing was found" in text
    page = signed_in.get(reverse("run-detail", args=[one.pk])).content.decode()
    assert "When does the user act?" in page
    assert "not known yet: nobody gave it" in page
    assert "autofocus" in page

    answer = signed_in.post(reverse("runs-actions-confirm"), {"action": [f"{one.pk}-700000"]}, follow=True)
    assert "1 run: its action counts and it is measured" in answer.content.decode()
    one.refresh_from_db()
    assert (one.status, one.action_ms, one.action_confirmed) == (RunStatus.PENDING, DOWN_MS, True)
    assert AuditEntry.objects.filter(field="action_ms", after=700.0).exists()
    extract_run(run_id=one.pk, threads=1)
    one.refresh_from_db()
    assert one.outcome == "ok"
    assert values(one)["response_time_ms"] == pytest.approx(200, abs=17)  # and not the dot, which goes before
    again = bring_in(tmp_path, films, {}, {"film": "two"}, {"film": "none"})
    assert again.unchanged == 3


def test_the_manifest_may_let_the_recording_decide_and_pages_say_so(signed_in, films, tmp_path):
    bring_in(tmp_path, films, {"action_from": "dot"}, {"action_from": "flash", "film": "two"})
    found, not_found = Run.objects.order_by("pk")
    assert (found.outcome, found.action_ms) == ("ok", DOWN_MS)
    assert values(found)["response_time_ms"] == pytest.approx(200, abs=17)
    assert (not_found.outcome, not_found.action_known) == ("no_action", False)
    assert "no marker flash was found" in not_found.error
    page = signed_in.get(reverse("run-detail", args=[found.pk])).content.decode()
    assert "found and not given: a touch dot, which may have begun up to 16.7 ms earlier" in page
    assert bring_in(tmp_path, films, {"action_from": "dot"}, {"action_from": "flash", "film": "two"}).unchanged == 2


def test_a_persons_action_stands_and_can_be_taken_back(films, engineer, tmp_path):
    bring_in(tmp_path, films, {"action_from": "any"})
    run = Run.objects.get()
    assert set_action(run=run, action_ms=650.0, user=engineer)
    assert not set_action(run=run, action_ms=650.0, user=engineer)
    bring_in(tmp_path, films, {"action_from": "any"})
    run.refresh_from_db()
    assert (run.action_ms, run.action_confirmed) == (650.0, True)
    assert undo_action(run=run, user=engineer)
    run.refresh_from_db()
    assert (run.status, run.action_confirmed) == (RunStatus.PENDING, False)
    extract_run(run_id=run.pk, threads=1)
    run.refresh_from_db()
    assert run.action_ms == DOWN_MS


def test_a_manifest_that_gives_the_action_later_corrects_the_run_but_no_person(films, engineer, tmp_path):
    bring_in(tmp_path, films, {}, {"film": "two"})
    asked, settled = Run.objects.order_by("pk")
    set_action(run=settled, action_ms=690.0, user=engineer)
    summary = bring_in(tmp_path, films, {"action_ms": "705"}, {"film": "two", "action_ms": "705"})
    assert summary.updated == 2
    asked.refresh_from_db()
    settled.refresh_from_db()
    assert (asked.action_ms, asked.action_from, asked.outcome) == (705.0, "", "ok")
    assert (settled.action_ms, settled.manifest_action_ms, settled.action_from) == (690.0, 705.0, "")
    assert bring_in(tmp_path, films, {}, {"film": "two"}).unchanged == 2  # an empty cell takes nothing away


def test_confirming_leaves_alone_what_is_settled_or_gone(engineer):
    run = factories.run(status=RunStatus.DONE, outcome="ok")
    assert confirm_actions(proposals=[(run.pk, 100.0), (run.pk + 99, 100.0)], user=engineer) == (0, [])


@pytest.mark.parametrize("sent", [[], ["nonsense"], ["1-"], ["1-2-3"], ["9" * 40 + "-1"]])
def test_what_is_no_confirmation_is_refused_with_words(signed_in, sent):
    answer = signed_in.post(reverse("runs-actions-confirm"), {"action": sent}, follow=True)
    text = answer.content.decode()
    assert "Tick the recordings" in text or "not known, or too many" in text


def test_the_list_says_what_would_be_there(signed_in):
    assert "No recording needs an action" in signed_in.get(reverse("runs-actions")).content.decode()


def test_the_interface_says_what_was_found_and_takes_a_word(signed_in, films, tmp_path):
    bring_in(tmp_path, films, {})
    run = Run.objects.get()
    told = signed_in.get(reverse("api:runs-detail", args=[run.pk])).json()
    assert (told["action_ms"], told["action_from"], told["outcome"]) == (None, "ask", "no_action")
    [found] = signed_in.get(reverse("api:runs-actions", args=[run.pk])).json()
    assert (found["kind"], found["time_ms"], found["certain"]) == ("dot", 700.0, True)
    said = {"moment": "action", "value_ms": found["time_ms"]}
    answer = signed_in.post(reverse("api:runs-correct", args=[run.pk]), said, content_type="application/json")
    assert answer.json()["action_ms"] == 700.0
    assert FrameSeriesRecord.objects.filter(run=run).exists()
