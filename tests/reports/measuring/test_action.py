import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from reports.audit.words import changes_of
from reports.measuring.extraction import SUPERSEDED, fail
from reports.measuring.services import BadActionError, correct_run, set_action, undo_action
from reports.models import Comparison, Correction, Run, RunStatus
from reports.queue.services import queued_run_ids
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def run():
    """Return a measured run whose action its manifest put at 500 ms."""
    return factories.run(metrics={"response_time_ms": 100.0}, duration_ms=2000.0)


def test_an_action_that_is_moved_is_measured_again_and_kept_with_who(
    run, engineer, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        assert set_action(run=run, action_ms=540.0, user=engineer)

    run.refresh_from_db()
    assert (run.action_ms, run.manifest_action_ms, run.status) == (540.0, 500.0, RunStatus.PENDING)
    assert queued_run_ids() == {run.pk}
    [told] = changes_of(run)
    assert told.words == "Action moved from 500 to 540 ms after the first frame"
    assert told.who == "engineer"


def test_undo_brings_the_manifests_action_back_however_often_it_was_moved(run, engineer):
    set_action(run=run, action_ms=540.0, user=engineer)
    set_action(run=run, action_ms=560.0, user=engineer)

    assert undo_action(run=run, user=engineer)

    run.refresh_from_db()
    assert (run.action_ms, run.manifest_action_ms) == (500.0, None)
    assert not undo_action(run=run, user=engineer)
    assert len(changes_of(run)) == 3


def test_an_action_at_its_place_changes_nothing(run, engineer):
    assert not set_action(run=run, action_ms=500.0, user=engineer)

    run.refresh_from_db()
    assert (run.status, run.manifest_action_ms, changes_of(run)) == (RunStatus.DONE, None, [])


@pytest.mark.parametrize("action_ms", [-1.0, 2000.5, float("nan"), float("inf")])
def test_an_action_outside_of_the_recording_is_refused_with_what_would_do(run, engineer, action_ms):
    with pytest.raises(BadActionError, match="give 0 to 2000 ms after the first frame"):
        set_action(run=run, action_ms=action_ms, user=engineer)


def test_a_corrected_moment_stays_on_its_frame_when_the_action_moves(run, engineer):
    correct_run(run=run, moment="response", value_ms=120.0, user=engineer, note="the button")

    set_action(run=run, action_ms=550.0, user=engineer)

    in_force = Correction.objects.get(run=run, withdrawn_at=None)
    assert (in_force.value_ms, in_force.note) == (70.0, "the button")
    set_action(run=run, action_ms=700.0, user=engineer)
    assert not Correction.objects.filter(run=run, withdrawn_at=None).exists()


def test_a_run_that_is_being_measured_starts_again_from_the_new_action(run, engineer):
    claim = {"status": RunStatus.RUNNING, "claim": uuid.uuid4(), "claimed_at": timezone.now()}
    Run.objects.update(**claim)
    measured = Run.objects.get()

    set_action(run=run, action_ms=540.0, user=engineer)

    assert fail(measured, "too late") == SUPERSEDED
    assert Run.objects.get().status == RunStatus.PENDING


def test_comparisons_of_the_run_are_out_of_date(engineer, compared):
    run = Run.objects.first()

    set_action(run=run, action_ms=540.0, user=engineer)

    assert Comparison.objects.get().stale


def test_page_sets_and_takes_back_the_action(signed_in, run):
    signed_in.post(reverse("run-action", args=[run.pk]), {"action_ms": "540"})
    page = signed_in.get(reverse("run-detail", args=[run.pk])).content.decode()

    assert "set by hand: the manifest said 500 ms" in page
    assert "Action moved from 500 to 540 ms" in page
    signed_in.post(reverse("run-action-undo", args=[run.pk]))
    run.refresh_from_db()
    assert run.action_ms == 500.0


@pytest.mark.parametrize(
    ("typed", "words"), [("", "Say when the user acted"), ("soon", "Enter a number"), ("9999", "outside of the")]
)
def test_page_says_beside_the_field_what_is_wrong_and_keeps_what_was_typed(signed_in, run, typed, words):
    Run.objects.update(width_px=540, height_px=1170)

    answer = signed_in.post(reverse("run-action", args=[run.pk]), {"action_ms": typed})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in page
    assert f'name="action_ms" value="{typed}"' in page or not typed
    run.refresh_from_db()
    assert run.action_ms == 500.0
