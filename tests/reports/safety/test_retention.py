from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from analysis import revision
from reports.comparing.inputs import PairIds
from reports.comparing.revisions import revisions_of, runs_to_measure_again
from reports.gate.services import decide_gate
from reports.measuring.services import correct_run
from reports.models import Interaction, Measurement, OsVersion, Run, StoredFile
from reports.safety import doctor
from reports.safety.retention import drop, droppable
from reports.triage.services import Decision, triage
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def old(compared):
    """Two versions compared, 30 weeks ago: "open inbox" has regressed, two others have not."""
    for run in Run.objects.all():
        default_storage.save(run.file_name, ContentFile(b"film"))
    Run.objects.update(created_at=timezone.now() - timedelta(weeks=30))
    return compared


def names(**ages):
    kept = set(Run.objects.values_list("file_name", flat=True)) - {film.name for film in droppable(**ages)}
    return set(Run.objects.filter(file_name__in=kept).values_list("interaction__name", flat=True))


def test_what_regressed_is_kept_longer(old):
    assert names() == {"open inbox"}
    assert names(finding_days=100) == set()
    assert names(days=1000, finding_days=1000) == set(Interaction.objects.values_list("name", flat=True))


def test_what_somebody_may_want_to_see_is_kept_whatever_its_age(old, engineer):
    like = Interaction.objects.get(name="like")
    triage(base=old.base, new=old.new, interaction_ids=[like.pk], decision=Decision(state="infra"), user=engineer)
    assert names() == {"open inbox", "like"}

    fling = Run.objects.filter(interaction__name="fling").first()
    correct_run(run=fling, moment="response", value_ms=1, user=engineer)
    assert fling.file_name not in {film.name for film in droppable()}

    OsVersion.objects.filter(pk=old.new_id).update(pinned=True, pinned_reason="shipped")
    assert not any(film.what.count(f"· {old.new} ·") for film in droppable())
    decide_gate(comparison=old)
    assert droppable() == []


def test_a_file_that_another_run_shares_is_kept_with_it(old):
    film = droppable()[0]
    factories.run(file_name=film.name, sha256=film.sha256)

    assert film.name not in {other.name for other in droppable()}


def test_nothing_is_changed_unless_that_is_asked_for_and_the_numbers_stay(old, capsys, signed_in):
    before = Measurement.objects.count()
    call_command("retention")
    assert "would be dropped: --apply does it" in capsys.readouterr().out
    assert all(default_storage.exists(run.file_name) for run in Run.objects.all())

    call_command("retention", "--apply")

    gone = Run.objects.filter(interaction__name="like")
    assert not any(default_storage.exists(run.file_name) for run in gone)
    assert Measurement.objects.count() == before
    page = signed_in.get(reverse("run-detail", args=[gone[0].pk])).content.decode()
    assert "The screencast was dropped on" in page
    assert "by retention; its measurements stand." in page
    address = ["13.0.9", "13.0.13", "org.example.feed", "like"]
    assert "by retention" in signed_in.get(reverse("drilldown", args=address)).content.decode()
    video = signed_in.get(reverse("run-video", args=[gone[0].pk]))
    assert (video.status_code, b"by retention" in video.content) == (404, True)


def test_what_was_dropped_is_no_rot_and_is_not_measured_again(old, monkeypatch):
    drop(droppable())

    assert "rot" not in [one.key for one in doctor.examine()]
    monkeypatch.setattr(revision, "REVISION", revision.REVISION + 1)
    pair = PairIds(old.base_id, old.new_id, None)
    found = revisions_of(pair)
    assert (
        found.again
        == Run.objects.filter(interaction__name="open inbox").count()
        == len(runs_to_measure_again(pair))
    )
    assert (
        f"{Run.objects.exclude(interaction__name='open inbox').count()} of them are left as measured" in found.note
    )


def test_a_drop_that_was_interrupted_is_finished_the_next_time(old):
    film = droppable()[0]
    drop([film])
    default_storage.save(film.name, ContentFile(b"as if the crash had come before this"))

    drop([])

    assert not default_storage.exists(film.name)
    assert StoredFile.objects.get(name=film.name).state == "dropped"
