"""Work off the queue: `manage.py worker`. It is django-q's cluster with a sign of life and a look for lost runs."""

import logging
import os
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError, connections
from django_q.cluster import Cluster

from analysis.kernels.loading import warm_up
from reports.importing.queued import give_back_lost_imports, go_on_with_lost_imports
from reports.launch.lock import WorkerLock
from reports.measuring import workers
from reports.measuring.recovery import recover_from_dead_workers, recover_lost_runs
from reports.media.screencasts import forget_partial_files
from reports.models import WorkerHeartbeat, WorkerState
from reports.monitoring.tasks import log_tasks
from reports.safety.schedules import ensure_schedules

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Measure queued runs and compute queued comparisons until it is stopped (Ctrl-C, SIGTERM)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--parent", type=int, metavar="PID", help="end when this process is no longer the parent"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verbosity"] < 2:
            logging.getLogger("django-q").setLevel(logging.WARNING)  # not three lines for each run
        if options["parent"]:
            os.nice(15)  # the pages of the same machine go first: at 5 they had to wait for a core
        lock = WorkerLock(Path(settings.VAR_DIR) / "worker.lock")
        if not lock.take():
            raise CommandError(
                f"another worker (process group {lock.holder()}) works on {settings.VAR_DIR}: "
                "stop it first, or leave the work to it; UPREG_WORKERS sets how much it does at once"
            )
        name = workers.my_name()
        try:
            self._work(name, options["parent"])
        finally:
            _quietly(workers.end, name=name)
            lock.release()

    def _work(self, name: str, parent: int | None) -> None:
        _say(name, WorkerState.STARTING)
        warm_up(partial(self._compiling, name))  # before any decoder waits for it, and in words
        some_died = workers.forget_dead() > 0
        others = WorkerHeartbeat.objects.living().filter(processes__gt=0).exclude(name=name)
        nobody_works = not others.exists()
        recover_lost_runs(nobody_works=nobody_works, some_died=some_died)
        go_on_with_lost_imports(nobody_works=nobody_works)
        ensure_schedules()
        forget_partial_files()
        connections.close_all()  # the processes that are forked now open their own
        log_tasks()
        cluster = Cluster()
        cluster.start()
        self._watch(cluster, name, parent)
        if cluster.sentinel.exitcode:
            raise CommandError(f"the worker ended with code {cluster.sentinel.exitcode}: see its log above")

    def _compiling(self, name: str, words: str) -> None:
        self.stdout.write(words)
        _say(name, WorkerState.COMPILING)

    def _watch(self, cluster: Cluster, name: str, parent: int | None) -> None:
        """Every few seconds while the cluster lives: give a sign of life, take up what a killed process left."""
        while cluster.sentinel.is_alive():
            _say(name, WorkerState.WORKING)
            _quietly(recover_from_dead_workers)
            _quietly(give_back_lost_imports)
            connections.close_all()
            cluster.sentinel.join(timeout=workers.BEAT_S)
            if parent and os.getppid() != parent:
                logger.warning("the process that started this worker is gone: the worker ends")
                cluster.stop()


def _say(name: str, state: WorkerState) -> None:
    """Give a sign of life, with what the worker does."""
    _quietly(workers.beat, name=name, processes=settings.WORKERS, state=state)


def _quietly(act: Any, **values: Any) -> None:
    """Act, and only log it if the database is busy: the next beat acts again, and the work goes on meanwhile."""
    try:
        act(**values)
    except (DatabaseError, InterfaceError):
        logger.warning("the database did not take a sign of life", exc_info=True)
