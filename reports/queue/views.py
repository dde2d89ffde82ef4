"""The state of the queue as JSON, for the pages that follow it and for scripts."""

import threading
import time
from dataclasses import asdict
from typing import Any

from django.conf import settings
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from reports.models import WorkerState
from reports.queue.selectors import Counts, QueueState, queue_state


@api_view(["GET"])
def queue(request: Request) -> Response:
    """Tell how far the queue is (docs/operations.md names the keys), as it stood within the last second."""
    return Response(_SHARED.answer(), headers={"Cache-Control": "no-store"})


class _SharedAnswer:
    """One answer a second for everybody: every open page asks every other second while the queue is busy."""

    def __init__(self) -> None:
        self._lock, self._answer, self._until = threading.Lock(), dict[str, Any](), float("-inf")

    def answer(self) -> dict[str, Any]:
        """Return it, made anew when it is too old."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._answer = queue_json(queue_state())
                self._until = time.monotonic() + settings.QUEUE_ANSWER_KEPT_S
            return self._answer


_SHARED = _SharedAnswer()


def queue_json(state: QueueState) -> dict[str, Any]:
    """Return the state ready for JSON; unknown numbers are null."""
    summary = state.summary
    return {
        **_counts_json(state.counts),
        "busy": summary.busy,
        "line": summary.line,
        "why": summary.why,
        "sentence": summary.sentence,
        "failures": state.failures,
        "versions": [{"os_version": row.os_version, **_counts_json(row.counts)} for row in state.versions],
        "rate_per_min": _rounded(state.pace.per_min),
        "eta_s": _rounded(state.eta_s),
        "workers": state.pace.alive,
        "worker_alive": state.worker_alive,
        "compiling": WorkerState.COMPILING in state.pace.processes,
        "last_import_at": state.last_import_at,
    }


def _counts_json(counts: Counts) -> dict[str, int]:
    return {**asdict(counts), "finished": counts.done + counts.failed, "total": counts.total}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
