"""Measure one run: claim it, read its screencast, write what was found and its end in one transaction."""

import logging
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from analysis import revision
from analysis.isolation.decoder import UnavailableError, UnexpectedError
from analysis.measure import Measured
from reports.measuring.services import AGAIN, apply_corrections, confidence_in
from reports.measuring.workers import my_name
from reports.media.decoding import measure_screencast
from reports.media.files import intact_file
from reports.media.options import WrongMaskError, measure_options
from reports.media.screencasts import NotNowError, ScreencastMissingError
from reports.models import FrameSeriesRecord, Measurement, Run, RunStatus
from reports.models.measured import MOMENT_OF
from reports.queue.leases import TAKEN, Lease
from reports.queue.patience import patiently
from reports.queue.services import queue_runs, runs_changed
from reports.web.trouble import is_disk_trouble

logger = logging.getLogger(__name__)
MAX_ATTEMPTS = 3
JUDGED = ("ok", "no_response", "never_settles")  # the recording was judged; any other outcome is a failure
SUPERSEDED = "the run was changed or taken over meanwhile: this result is dropped"
_NO_REASON = "no reason was given: see the log of the worker"


def extract_run(*, run_id: int, threads: int = 0) -> str:
    """Measure a run and return what became of it in a word or a sentence; safe to repeat, safe beside others.

    ``threads`` is how many the decoder may use; 0 leaves it the choice.
    """
    run = claim_run(run_id)
    if run is None:
        return TAKEN
    if run.attempts > MAX_ATTEMPTS:
        return fail(run, worker_lost())
    try:
        measured = _measure(run, threads)
        return patiently(partial(finish, run, measured))
    except ScreencastMissingError as error:
        return _without_file(run, str(error))
    except WrongMaskError as error:
        return fail(run, str(error))
    except (NotNowError, UnavailableError) as error:
        return wait(run, str(error))
    except (OperationalError, KeyboardInterrupt):  # that says nothing about the recording
        _release_quietly(run, attempts=run.attempts - 1)
        raise
    except Exception as error:
        if is_disk_trouble(error):  # nor does that: it waits until there is room
            _release_quietly(run, attempts=run.attempts - 1)
            raise
        logger.exception("run %s could not be measured", run_id)
        return fail(run, _unexpected(error))
    except BaseException:  # the queue's time limit ends this process: let another one try
        release(run, attempts=run.attempts)
        queue_runs(run_ids=[run_id])
        raise


def claim_run(run_id: int) -> Run | None:
    """Take a run that waits, or whose worker was lost, for this process; None if it is not there to be taken."""
    attempt = {"claimed_by": my_name(), "attempts": F("attempts") + 1}
    take = partial(Lease.take, Run, run_id, free=Q(status=RunStatus.PENDING), token=uuid4(), **attempt)
    lease = patiently(take)
    if lease is None:
        return None
    claimed = Run.objects.select_related("interaction__app", "device").filter(pk=run_id, claim=lease.token)
    return patiently(claimed.first)


def release(run: Run, *, attempts: int) -> bool:
    """Give a claimed run back, unmeasured, with the attempts it has had; False if it is no longer this claim's."""
    return Lease.of(run).end(**AGAIN | {"attempts": attempts})


def _release_quietly(run: Run, *, attempts: int) -> None:
    """Give a run back where even that may fail; then its claim ends with the process, or with its time."""
    with suppress(DatabaseError):
        patiently(partial(release, run, attempts=attempts))


def wait(run: Run, reason: str) -> str:
    """Give a claimed run back because its file or a decoder cannot be had; it is tried again until it can."""
    again = AGAIN | {"attempts": run.attempts - 1, "error": reason}
    if not Lease.of(run).end(**again):
        return SUPERSEDED
    queue_runs(run_ids=[run.pk], later=True)
    logger.warning("run %s waits: %s", run.pk, reason)
    return reason


def worker_lost() -> str:
    """Say why a run that no worker ever finished is given up, and the cure."""
    return (
        f"the worker was lost {MAX_ATTEMPTS} times while it measured this screencast: it ran out of memory or over "
        f"the limit of {settings.TASK_TIMEOUT_S} s: record shorter or raise UPREG_TASK_TIMEOUT_S, then retry"
    )


def _measure(run: Run, threads: int) -> Measured:
    with intact_file(run.file_name) as path:
        return measure_screencast(path, measure_options(run), threads=threads)


def _without_file(run: Run, reason: str) -> str:
    """End a run whose screencast is gone or damaged: what was measured of the original stands, if anything was."""
    if not Measurement.objects.filter(run=run).exists():
        return fail(run, reason)
    if not Lease.of(run).end(status=RunStatus.DONE, claimed_by="", outcome="ok"):
        return SUPERSEDED
    runs_changed(version_ids=[run.os_version_id])
    return reason


def _unexpected(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "not enough memory to measure this screencast: lower UPREG_WORKERS or record smaller, then retry"
    reason = str(error) if isinstance(error, UnexpectedError) else f"{type(error).__name__}: {error}"[:500]
    return f"{reason}. UPReg did not expect this: the log of the worker has the details; retry after it is mended"


@transaction.atomic
def finish(run: Run, measured: Measured) -> str:
    """Replace everything measured on a run and end it ``done`` or ``failed``; return the outcome."""
    judged = measured.outcome in JUDGED
    if not _end(run, **_columns(measured, judged)):
        return SUPERSEDED
    _replace_measurements(run, measured.metrics if judged else {}, measured.evidence)
    apply_corrections(run=run)
    _replace_series(run, measured)
    runs_changed(version_ids=[run.os_version_id])
    return measured.outcome


@transaction.atomic
def fail(run: Run, error: str) -> str:
    """End a run ``failed`` with a reason; what an earlier version of it measured goes away."""
    if not _end(run, status=RunStatus.FAILED, outcome="", error=error or _NO_REASON, settles=None):
        return SUPERSEDED
    _replace_measurements(run, {}, {})
    FrameSeriesRecord.objects.filter(run=run).delete()
    runs_changed(version_ids=[run.os_version_id])
    return error


def _end(run: Run, **values: Any) -> bool:
    """Close the claim; False if another process or a person has taken the run away since."""
    now = timezone.now()
    values["measuring_s"] = (now - run.claimed_at).total_seconds() if run.claimed_at else None
    return Lease.of(run).end(claimed_by="", measured_at=now, revision=revision.REVISION, **values)


def _columns(measured: Measured, judged: bool) -> dict[str, Any]:
    info = measured.info
    return {
        "status": RunStatus.DONE if judged else RunStatus.FAILED,
        "outcome": measured.outcome,
        "error": measured.message or ("" if judged else _NO_REASON),
        "settles": measured.settles,
        "width_px": info and info.width,
        "height_px": info and info.height,
        "duration_ms": info and info.duration_ms,
        "frame_count": info and info.frames,
        **_found_action(measured),
    }


def _found_action(measured: Measured) -> dict[str, Any]:
    """Return the action that was found where nobody had given it; one that a person confirmed is that already."""
    chosen = (measured.evidence.get("action") or {}).get("chosen")
    return {"action_ms": float(chosen["time_ms"])} if chosen else {}


def _replace_measurements(run: Run, metrics: dict[str, float | None], evidence: dict[str, Any]) -> None:
    Measurement.objects.filter(run=run).delete()
    words = {metric: confidence_in(evidence, moment) for metric, moment in MOMENT_OF.items()}
    found = [
        Measurement(run=run, metric=key, value=value, confidence=words.get(key, ""))
        for key, value in metrics.items()
        if value is not None
    ]
    Measurement.objects.bulk_create(found)


def _replace_series(run: Run, measured: Measured) -> None:
    if measured.series is None:
        FrameSeriesRecord.objects.filter(run=run).delete()
        return
    values = {"data": measured.series.pack(), "evidence": measured.evidence}
    FrameSeriesRecord.objects.update_or_create(run=run, defaults=values)
