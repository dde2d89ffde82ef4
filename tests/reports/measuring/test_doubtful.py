"""The page of doubtful responses and finishes: what it lists, what an answer does, what comes next."""

import pytest
from django.urls import reverse

from reports.models import Action, AuditEntry, Correction, Measurement
from tests import factories
from tests.reports.drilldown.rows import add_series

pytestmark = pytest.mark.django_db
OTHER = {"frame": 3, "after_action_ms": 200.0, "reason": "what decided is as narrow as a caret"}


def doubted(**values):
    """Return a measured run of five frames whose response, 110 ms after the action, may as well be at 200 ms."""
    values = {"duration_ms": 900.0, "width_px": 80, "height_px": 100} | values
    run = factories.run(metrics={"response_time_ms": 110.0, "finish_time_ms": 200.0}, **values)
    record = add_series(run, [0, 500, 610, 700, 900], changed=[2, 3])
    record.evidence["response"] |= {"confidence": "doubtful", "other": OTHER}
    record.evidence["finish"] |= {"confidence": "certain", "other": None}
    record.save()
    response = Measurement.objects.filter(run=run, metric="response_time_ms")
    response.update(confidence="doubtful")
    return run, response.get()


def shown(client, **query):
    return client.get(reverse("doubtful"), query).context["doubt"]


def answer(client, doubt, value_ms, here=""):
    data = {"moment": doubt.moment, "value_ms": value_ms, "seen": 0, "back": here or reverse("doubtful")}
    return client.post(reverse("run-correct", args=[doubt.run.pk]), data)


def test_both_candidates_are_shown_with_their_frames_and_the_reason(signed_in):
    run, _ = doubted()
    page = signed_in.get(reverse("doubtful")).content.decode()
    assert "Doubtful: what decided is as narrow as a caret." in page
    for time_us in (610_000, 500_000, 700_000):
        assert f"/runs/{run.pk}/frames/{time_us}.webp" in page
    for value in ("110.000", "200.000"):
        assert f'name="value_ms" value="{value}"' in page


def test_the_last_measured_comes_first_and_an_answer_brings_the_next(signed_in):
    (old, _), (new, _) = doubted(), doubted()
    doubt = shown(signed_in)
    assert doubt.run == new
    sent = answer(signed_in, doubt, 110, signed_in.get(reverse("doubtful")).context["here"])
    assert signed_in.get(sent.url).context["doubt"].run == old


def test_from_the_middle_of_the_list_the_next_older_one_comes(signed_in):
    runs = [doubted() for _ in range(3)]
    middle = runs[1][1].pk
    answer(signed_in, shown(signed_in, at=middle), 110)
    assert shown(signed_in, at=middle).run == runs[0][0]
    answer(signed_in, shown(signed_in, at=middle), 110)
    assert shown(signed_in, at=middle).run == runs[2][0], "after the last comes the first again"


@pytest.mark.parametrize(("value_ms", "word"), [(110.0, "confirmed"), (200.0, "corrected"), (0.0, "corrected")])
def test_an_answer_counts_settles_and_becomes_a_label(signed_in, value_ms, word):
    run, response = doubted()
    answer(signed_in, shown(signed_in), value_ms)
    response.refresh_from_db()
    assert (response.value, response.confidence) == (value_ms, "settled")
    assert Correction.objects.get(run=run).word == word
    labels = b"".join(signed_in.get(reverse("labels")).streaming_content).decode()
    assert f"{run.original_name},{value_ms:g}" in labels.replace(".0,", ",")
    assert AuditEntry.objects.filter(action=Action.CORRECTED).count() == 1
    assert shown(signed_in) is None


def test_an_undone_answer_is_doubtful_again(signed_in):
    run, response = doubted()
    answer(signed_in, shown(signed_in), 200)
    page = signed_in.get(reverse("doubtful"))
    assert [said.run for said in page.context["answers"]] == [run]
    signed_in.post(reverse("run-correct-undo", args=[run.pk]), {"moment": "response"})
    response.refresh_from_db()
    assert (response.value, response.confidence) == (110, "doubtful")
    assert shown(signed_in).run == run


def test_a_frame_can_be_stepped_to_and_taken(signed_in):
    run, response = doubted()
    assert shown(signed_in).viewer.after_action_ms == 110
    assert shown(signed_in, t=700_000).viewer.after_action_ms == 200
    query = {"at": response.pk, "t": 500_000}
    part = signed_in.get(reverse("doubtful"), query, headers={"X-Requested-With": "fetch"}).content.decode()
    assert part.strip().startswith("<div")
    assert f"/runs/{run.pk}/frames/500000.webp" in part
    assert "Take this frame" in part


def test_runs_that_do_not_count_are_not_listed_and_filters_narrow(signed_in):
    doubted(excluded=True, excluded_reason="dropped")
    doubted(status="pending")
    run, _ = doubted(of=factories.interaction(of=factories.app("Maps")), version=factories.os_version("9"))
    assert shown(signed_in).run == run
    kept = [{"app": "org.example.maps"}, {"base": "9"}, {"base": "8", "new": "9"}, {"run": run.pk}]
    assert [shown(signed_in, **query).run for query in kept] == [run] * 4
    others = [{"app": "org.example.mail"}, {"new": "8"}, {"run": run.pk + 1}, {"device": run.device_id + 1}]
    assert [shown(signed_in, **query) for query in others] == [None] * 4


def test_a_doubt_without_evidence_is_listed_all_the_same(signed_in):
    run, _ = doubted()
    run.frame_series.delete()
    doubt = shown(signed_in)
    assert (doubt.run, doubt.chosen, doubt.other) == (run, None, None)


def test_queries_do_not_grow_with_the_list(signed_in, django_assert_max_num_queries):
    for _ in range(6):
        doubted()
    with django_assert_max_num_queries(19):
        signed_in.get(reverse("doubtful"))
