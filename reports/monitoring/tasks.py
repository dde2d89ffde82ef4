"""Every log line of a worker says on which task it works, and so on which run, comparison or proxy."""

import logging
import time
from typing import Any

from django_q.signals import post_execute_in_worker, pre_execute

from reports.web.logs import set_about

logger = logging.getLogger("upreg.tasks")
SUBJECTS = {"extract_run": "run", "compute_comparison": "comparison", "make_proxy": "proxy"}  # of reports/tasks.py
_began = {"at": 0.0}  # a worker process has one task at a time


def log_tasks() -> None:
    """Have django-q tell when a task begins and ends; the processes that it forks inherit this."""
    pre_execute.connect(_begin, dispatch_uid="upreg")
    post_execute_in_worker.connect(_end, dispatch_uid="upreg")


def _begin(task: dict[str, Any], **_: Any) -> None:
    subject = SUBJECTS.get(str(task["func"]).rpartition(".")[2])
    ids = {subject: str(task["args"][0])} if subject and task["args"] else {}
    set_about(task=str(task["id"]), **ids)
    _began["at"] = time.monotonic()


def _end(task: dict[str, Any], **_: Any) -> None:
    values = {"took_s": round(time.monotonic() - _began["at"], 3), "result": str(task.get("result", ""))[:200]}
    words = "task done: %s" if task.get("success") else "task failed: %s"
    logger.log(logging.INFO if task.get("success") else logging.ERROR, words, task["name"], extra=values)
    set_about()
