import pytest

from reports.measuring.services import BadCorrectionError, apply_corrections, correct_run, withdraw_correction
from reports.models import Comparison, Correction, FrameSeriesRecord, Measurement
from tests import factories


@pytest.fixture
def run(db):
    return factories.run(metrics={"response_time_ms": 140.0, "finish_time_ms": 640.0}, duration_ms=3000.0)


def value(run, metric="response_time_ms"):
    return Measurement.objects.filter(run=run, metric=metric).values_list("value", flat=True).first()


def test_correction_replaces_the_measured_value_and_says_who(run, engineer):
    made = correct_run(run=run, moment="response", value_ms=180, user=engineer, note="the ripple is no response")

    assert value(run) == 180
    assert (made.automatic_ms, made.made_by, made.note) == (140, engineer, "the ripple is no response")


def test_withdrawing_brings_the_measured_value_back_also_after_two_corrections(run, engineer):
    correct_run(run=run, moment="response", value_ms=180, user=engineer)
    correct_run(run=run, moment="response", value_ms=200, user=engineer)

    assert withdraw_correction(run=run, moment="response", user=engineer)
    assert value(run) == 140
    assert Correction.objects.filter(withdrawn_at=None).count() == 0
    assert Correction.objects.count() == 2, "history is kept"
    assert not withdraw_correction(run=run, moment="response", user=engineer)


def test_what_was_never_measured_is_gone_again_after_withdrawing(db, engineer):
    run = factories.run(outcome="no_response", duration_ms=3000.0)
    correct_run(run=run, moment="response", value_ms=90, user=engineer)
    assert value(run) == 90

    withdraw_correction(run=run, moment="response", user=engineer)

    assert value(run) is None


def test_finish_of_a_launch_is_its_launch_time(db, engineer):
    run = factories.run(of=factories.interaction("start", type="launch"), duration_ms=3000.0)

    correct_run(run=run, moment="finish", value_ms=900, user=engineer)

    assert value(run, "launch_time_ms") == 900


def confidence(run, metric="response_time_ms"):
    return Measurement.objects.values_list("confidence", flat=True).get(run=run, metric=metric)


def test_what_a_person_says_settles_a_doubt_until_it_is_withdrawn(run, engineer):
    evidence = {"response": {"confidence": "doubtful"}}
    FrameSeriesRecord.objects.create(run=run, data=b"", evidence=evidence)
    Measurement.objects.filter(run=run, metric="response_time_ms").update(confidence="doubtful")

    made = correct_run(run=run, moment="response", value_ms=140, user=engineer)
    assert (made.word, value(run), confidence(run)) == ("confirmed", 140, "settled")
    assert correct_run(run=run, moment="response", value_ms=180, user=engineer).word == "corrected"

    withdraw_correction(run=run, moment="response", user=engineer)
    assert (value(run), confidence(run)) == (140, "doubtful")


def test_correction_survives_measuring_anew(run, engineer):
    correct_run(run=run, moment="response", value_ms=180, user=engineer)
    Measurement.objects.filter(run=run, metric="response_time_ms").update(value=150)

    apply_corrections(run=run)

    assert (value(run), confidence(run)) == (180, "settled")
    withdraw_correction(run=run, moment="response", user=engineer)
    assert value(run) == 150


def test_comparisons_of_the_version_become_stale(run, engineer):
    comparison = Comparison.objects.create(base=run.os_version, new=factories.os_version("99"), status="done")

    correct_run(run=run, moment="response", value_ms=180, user=engineer)

    comparison.refresh_from_db()
    assert comparison.stale


@pytest.mark.parametrize(
    ("moment", "value_ms", "words"),
    [
        ("response", -1, "outside"),
        ("response", float("nan"), "outside"),
        ("finish", 99999, "outside"),
        ("response", 700, "before the response"),
        ("finish", 100, "before the response"),
        ("middle", 100, "choose"),
    ],
)
def test_impossible_corrections_are_refused(run, engineer, moment, value_ms, words):
    with pytest.raises(BadCorrectionError, match=words):
        correct_run(run=run, moment=moment, value_ms=value_ms, user=engineer)

    assert value(run) == 140
