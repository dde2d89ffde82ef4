import pytest
from django_q.models import Schedule

from reports import tasks
from reports.safety.schedules import ensure_schedules, missing_schedules

pytestmark = pytest.mark.django_db


def test_each_regular_task_is_scheduled_once_and_one_that_is_no_longer_wanted_is_taken_away(settings):
    assert "look at stored files" in ensure_schedules()
    assert (ensure_schedules(), missing_schedules()) == ([], [])
    functions = [name.removeprefix("reports.tasks.") for name in Schedule.objects.values_list("func", flat=True)]
    assert all(callable(getattr(tasks, name)) for name in functions)

    settings.VERIFY_MB_S = 0
    ensure_schedules()
    names = set(Schedule.objects.values_list("name", flat=True))
    assert "recover lost runs" in names
    assert "look at stored files" not in names


def test_the_task_looks_at_files():
    assert tasks.look_at_files() == "0 files looked at, 0 in another state than before"
