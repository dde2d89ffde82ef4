"""Importing what was sent in the queue: whose it is, and what comes of it when a worker or the storage goes."""

from datetime import timedelta
from functools import partial
from io import BytesIO

import pytest
from django.urls import reverse
from django_q.models import OrmQ

from reports.importing import queued
from reports.importing.queued import ask_for_import, give_back_lost_imports, go_on_with_lost_imports, import_staged
from reports.importing.staging import Sent, stage
from reports.measuring import workers
from reports.media.screencasts import NotNowError
from reports.models import AuditEntry, ImportRecord, Run, StagedImport
from reports.queue.leases import TAKEN, lease_time
from reports.tasks import go_on_with_imports
from tests.intake import MP4_HEAD, ROW

pytestmark = pytest.mark.django_db
NOBODY = "elsewhere:1"


def sent(person, count=1):
    lines = [ROW | {"repetition": str(n), "video": f"{n}.mp4"} for n in range(count)]
    text = "\n".join(",".join(cells) for cells in (ROW, *(line.values() for line in lines)))
    files = [("runs.csv", text.encode()), *((f"{n}.mp4", MP4_HEAD + bytes([n])) for n in range(count))]
    return stage(user=person, files=[Sent(name, partial(BytesIO, content)) for name, content in files])


@pytest.fixture
def asked(engineer):
    staged = sent(engineer)
    ask_for_import(staged=staged)
    return staged


def now(staged):
    return StagedImport.objects.get(pk=staged.pk)


def killed(staged):
    """Leave it as a worker of this host does that was killed."""
    rows = StagedImport.objects.filter(pk=staged.pk)
    name = f"{queued.my_name().rpartition(':')[0]}:{2**22 + 1}"  # no system has so many processes
    rows.update(status="running", claim=staged.pk, claimed_at=staged.created_at, claimed_by=name)


def test_import_is_queued_once_and_is_the_persons_who_pressed(
    signed_in, engineer, django_capture_on_commit_callbacks
):
    staged = sent(engineer)
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(2):
            answer = signed_in.post(reverse("import-staged-start", args=[staged.pk]), REMOTE_ADDR="192.0.2.7")
    assert answer.url == reverse("import-staged", args=[staged.pk])
    assert not Run.objects.exists()
    task = OrmQ.objects.get().task
    assert (task["func"], task["args"]) == ("reports.tasks.import_staged", (str(staged.pk),))

    assert import_staged(staged_id=staged.pk) == "1 run imported, 0 lines refused"

    entry = AuditEntry.objects.get(action="imported")
    assert (entry.user_id, entry.who, entry.address) == (engineer.pk, "engineer", "192.0.2.7")
    assert ImportRecord.objects.get().who == "engineer"


def test_page_tells_how_far_it_is_and_why_it_waits(signed_in, asked):
    address = reverse("import-staged", args=[asked.pk])
    assert "No worker is running" in signed_in.get(address).content.decode()
    workers.beat(name="one", processes=1)
    told = signed_in.get(f"{address}state.json").json()
    assert (told["status"], told["sentence"]) == ("pending", "It waits for a worker.")
    StagedImport.objects.update(status="running", finished=100, total=250)
    told = signed_in.get(f"{address}state.json").json()
    assert told == {"status": "running", "finished": 100, "total": 250, "sentence": "100 of 250 lines imported."}
    StagedImport.objects.update(status="open", error="the disk is full: make room")
    assert signed_in.get(f"{address}state.json").json() == {"status": "done"}
    assert "The import stopped: the disk is full: make room" in signed_in.get(address).content.decode()


def test_a_killed_import_goes_on_where_it_stopped(engineer, monkeypatch):
    monkeypatch.setattr(queued, "ROWS_AT_ONCE", 2)
    staged = sent(engineer, count=5)
    ask_for_import(staged=staged)
    note, seen = queued.Lease.note, []

    def dies(lease, **values):
        seen.append(values)
        if "finished" in values and values["finished"] == 4:
            raise SystemExit(1)  # as the time limit of the queue does
        return note(lease, **values)

    with monkeypatch.context() as patch:
        patch.setattr(queued.Lease, "note", dies)
        with pytest.raises(SystemExit):
            import_staged(staged_id=staged.pk)
    assert Run.objects.count() == 4
    assert (now(staged).status, now(staged).attempts) == ("pending", 0)

    import_staged(staged_id=staged.pk)

    assert Run.objects.count() == 5
    assert (now(staged).status, now(staged).record.new, now(staged).record.unchanged) == ("done", 1, 4)
    assert [str(file.run_id) for file in staged.files.exclude(kind="manifest")] == [
        str(pk) for pk in Run.objects.order_by("repetition").values_list("pk", flat=True)
    ]


def test_what_a_killed_worker_had_is_queued_at_once_and_what_lost_its_task_soon(
    asked, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        assert go_on_with_imports() == "1 imports queued again"  # its task was never queued
    assert go_on_with_lost_imports() == 0
    killed(asked)
    with django_capture_on_commit_callbacks(execute=True):
        assert give_back_lost_imports() == 1
    assert OrmQ.objects.count() == 2
    assert import_staged(staged_id=asked.pk).startswith("1 run imported")
    assert import_staged(staged_id=asked.pk) == TAKEN  # the second task


@pytest.mark.parametrize(("age", "nobody", "back"), [(0, False, 0), (0, True, 1), (1, False, 1)])
def test_what_a_worker_of_another_host_has_is_left_to_it_while_its_claim_holds(asked, age, nobody, back):
    killed(asked)
    begun = asked.created_at - age * 2 * lease_time()
    StagedImport.objects.update(claimed_by=NOBODY, claimed_at=begun)

    assert give_back_lost_imports(nobody_works=nobody) == back


def test_an_import_that_kills_its_worker_again_and_again_is_handed_back(asked):
    StagedImport.objects.update(attempts=queued.MAX_ATTEMPTS)

    assert "was lost 3 times" in import_staged(staged_id=asked.pk)
    assert (now(asked).status, "was lost 3 times" in now(asked).error) == ("open", True)
    assert ask_for_import(staged=asked)
    assert import_staged(staged_id=asked.pk).startswith("1 run imported")


def test_a_storage_that_is_away_is_waited_for(asked, monkeypatch, django_capture_on_commit_callbacks):
    def away(**_):
        raise NotNowError("the storage cannot be reached")

    with monkeypatch.context() as patch, django_capture_on_commit_callbacks(execute=True):
        patch.setattr(queued, "import_manifest", away)
        import_staged(staged_id=asked.pk)
    assert OrmQ.objects.get().lock > now(asked).asked_at + timedelta(seconds=10)
    assert queued.under_way(now(asked)).sentence == (
        "It waits and is tried again by itself: the storage cannot be reached."
    )

    import_staged(staged_id=asked.pk)

    assert now(asked).status == "done"


def test_a_mistake_of_the_program_is_told_and_can_be_asked_for_again(asked, monkeypatch, caplog):
    with monkeypatch.context() as patch:
        patch.setattr(queued, "import_manifest", lambda **_: 1 / 0)
        import_staged(staged_id=asked.pk)
    assert (now(asked).status, "mistake of the program" in now(asked).error) == ("open", True)
    assert "ZeroDivisionError" in caplog.text


def test_a_worker_that_comes_back_late_writes_no_end(asked, monkeypatch):
    import_manifest = queued.import_manifest

    def taken_over(**options):
        summary = import_manifest(**options)
        StagedImport.objects.update(claim=None)
        return summary

    monkeypatch.setattr(queued, "import_manifest", taken_over)

    assert import_staged(staged_id=asked.pk) == TAKEN
    assert now(asked).status == "running"
