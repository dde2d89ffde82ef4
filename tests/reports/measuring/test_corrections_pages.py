import csv

from django.urls import reverse

from reports.models import Measurement
from tests import factories
from tests.reports.drilldown.rows import add_series, compared


def test_page_shows_a_correction_with_who_and_what_was_measured(db, signed_in):
    _, base, new = compared()
    for run in (base[1], new[1]):
        add_series(run, [0, 500, 610, 700, 900], changed=[2, 3])
    page = reverse("drilldown", args=["13.0.12", "13.0.13", "org.example.mail", "open inbox"])

    signed_in.post(
        reverse("run-correct", args=[base[1].pk]), {"moment": "response", "value_ms": "199.5", "back": page}
    )
    text = signed_in.get(page).content.decode()

    assert "corrected by engineer" in text
    assert "measured +110 ms" in text
    assert "<b>Response</b> +200 ms, frame 2" in text.replace("&nbsp;", " ")
    figure = signed_in.get(reverse("api-pair-plots", args=[base[1].pk, new[1].pk])).json()
    assert figure["marks"][0] == {"side": "base", "kind": "response", "at_ms": 199.5}


def test_page_of_the_run_shows_the_corrected_frame_as_well(db, signed_in):
    run = factories.run(metrics={"response_time_ms": 110.0}, duration_ms=900.0)
    add_series(run, [0, 500, 610, 700, 900], changed=[2, 3])

    signed_in.post(reverse("run-correct", args=[run.pk]), {"moment": "response", "value_ms": "200"})
    text = signed_in.get(reverse("run-detail", args=[run.pk])).content.decode()

    assert "200 ms after the action, frame 3, corrected by engineer" in text


def test_response_and_finish_may_be_one_frame_as_the_page_writes_it(db, signed_in):
    run = factories.run(metrics={"response_time_ms": 100.0, "finish_time_ms": 500 / 3})

    signed_in.post(reverse("run-correct", args=[run.pk]), {"moment": "response", "value_ms": "166.667"})

    assert Measurement.objects.get(run=run, metric="response_time_ms").value == 166.667


def test_undo_brings_the_measured_value_back(db, signed_in):
    run = factories.run(metrics={"response_time_ms": 100.0})
    signed_in.post(reverse("run-correct", args=[run.pk]), {"moment": "response", "value_ms": "150"})

    signed_in.post(reverse("run-correct-undo", args=[run.pk]), {"moment": "response"})

    assert Measurement.objects.get(run=run).value == 100


def test_wrong_values_are_refused_with_words(db, signed_in):
    run = factories.run(metrics={"response_time_ms": 100.0})

    for value in ("", "soon", "-4", "1e99"):
        response = signed_in.post(
            reverse("run-correct", args=[run.pk]), {"moment": "response", "value_ms": value}, follow=True
        )
        assert "note-error" in response.content.decode(), value
    assert Measurement.objects.get(run=run).value == 100


def test_labels_are_a_truth_table(db, signed_in):
    run = factories.run(metrics={"response_time_ms": 100.0}, original_name="videos/a.mp4")
    signed_in.post(reverse("run-correct", args=[run.pk]), {"moment": "response", "value_ms": "150"})

    text = b"".join(signed_in.get(reverse("labels"))).decode()
    [row] = csv.DictReader(text.splitlines())

    assert (row["video"], row["response_ms"], row["finish_ms"]) == ("videos/a.mp4", "150.0", "")


def test_labels_hold_no_formula(db, signed_in):
    run = factories.run(metrics={"response_time_ms": 100.0}, original_name="=cmd|' /C calc'!A0")
    run.interaction.name = "@SUM(1)"
    run.interaction.save()
    signed_in.post(reverse("run-correct", args=[run.pk]), {"moment": "response", "value_ms": "150"})

    [row] = csv.DictReader(b"".join(signed_in.get(reverse("labels"))).decode().splitlines())

    assert (row["video"], row["interaction"]) == ("'=cmd|' /C calc'!A0", "'@SUM(1)")
    assert row["response_ms"] == "150.0"


def test_forms_only_take_posts(db, signed_in):
    run = factories.run()

    assert signed_in.get(reverse("run-correct", args=[run.pk])).status_code == 405
