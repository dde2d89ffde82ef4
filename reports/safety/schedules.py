"""What the queue does by itself, and how often: the one list that workers set up and the doctor looks at."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django_q.models import Schedule


@dataclass(frozen=True)
class Regular:
    """A task that is done every so many minutes."""

    name: str
    func: str
    minutes: int


def regular_tasks() -> list[Regular]:
    """Return the regular tasks that the settings ask for."""
    tasks = [
        Regular("recover lost runs", "reports.tasks.recover_lost_runs", 5),
        Regular("go on with imports", "reports.tasks.go_on_with_imports", 5),
        Regular("bring history up to date", "reports.tasks.queue_histories", 5),
        Regular("forget old uploads", "reports.tasks.forget_old_uploads", 15),
        Regular("forget old imports", "reports.tasks.forget_old_imports", 60),
        Regular("send what waits", "reports.tasks.send_what_waits", 1),
        Regular("look for gates that turned", "reports.tasks.notice_turned_gates", 60),
        Regular("weekly digest", "reports.tasks.write_digest", 30),
        Regular("look after issues", "reports.tasks.look_after_issues", 5),
    ]
    if settings.VERIFY_MB_S:
        tasks.append(Regular("look at stored files", "reports.tasks.look_at_files", 60))
    if settings.RETENTION_DAYS:
        tasks.append(Regular("drop old screencasts", "reports.tasks.drop_old_screencasts", 24 * 60))
    return tasks


def ensure_schedules() -> list[str]:
    """Set the schedules up and take away those no longer asked for; return the names of what was missing."""
    wanted = {task.name: task for task in regular_tasks()}
    missing = missing_schedules()
    for task in wanted.values():
        values = {"func": task.func, "schedule_type": Schedule.MINUTES, "minutes": task.minutes, "repeats": -1}
        row, _ = Schedule.objects.update_or_create(name=task.name, defaults=values)
        if row.next_run > timezone.now() + timedelta(minutes=task.minutes):  # the clock was set back since
            Schedule.objects.filter(pk=row.pk).update(next_run=timezone.now())
    Schedule.objects.filter(func__startswith="reports.tasks.").exclude(name__in=wanted).delete()
    return missing


def missing_schedules() -> list[str]:
    """Return the names of the regular tasks that nobody has scheduled."""
    there = set(Schedule.objects.exclude(repeats=0).values_list("name", "func"))
    return [task.name for task in regular_tasks() if (task.name, task.func) not in there]
