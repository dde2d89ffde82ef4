"""Write how the extraction of a run ended. Only the process that holds the claim may."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from analysis.measure import Measured
from reports.models import FrameSeriesRecord, Measurement, Run, RunStatus
from reports.queue.services import runs_changed
from reports.services.corrections import apply_corrections

JUDGED = ("ok", "no_response", "never_settles")  # the recording was judged; any other outcome is a failure
SUPERSEDED = "the run was changed or taken over meanwhile: this result is dropped"
_NO_REASON = "no reason was given: see the log of the worker"


@transaction.atomic
def finish(run: Run, measured: Measured) -> str:
    """Replace everything measured on a run and end it ``done`` or ``failed``; return the outcome."""
    judged = measured.outcome in JUDGED
    if not _end(run, **_columns(measured, judged)):
        return SUPERSEDED
    _replace_measurements(run, measured.metrics if judged else {})
    apply_corrections(run=run)
    _replace_series(run, measured)
    runs_changed(version_ids=[run.os_version_id])
    return measured.outcome


@transaction.atomic
def fail(run: Run, error: str) -> str:
    """End a run ``failed`` with a reason; what an earlier version of it measured goes away."""
    if not _end(run, status=RunStatus.FAILED, outcome="", error=error or _NO_REASON, settles=None):
        return SUPERSEDED
    _replace_measurements(run, {})
    FrameSeriesRecord.objects.filter(run=run).delete()
    runs_changed(version_ids=[run.os_version_id])
    return error


def _end(run: Run, **values: Any) -> bool:
    """Close the claim; False if another process or a person has taken the run away since."""
    held = Run.objects.filter(pk=run.pk, status=RunStatus.RUNNING, claimed_at=run.claimed_at)
    return bool(held.update(claimed_at=None, claimed_by="", measured_at=timezone.now(), **values))


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
    }


def _replace_measurements(run: Run, metrics: dict[str, float | None]) -> None:
    Measurement.objects.filter(run=run).delete()
    found = [Measurement(run=run, metric=key, value=value) for key, value in metrics.items() if value is not None]
    Measurement.objects.bulk_create(found)


def _replace_series(run: Run, measured: Measured) -> None:
    if measured.series is None:
        FrameSeriesRecord.objects.filter(run=run).delete()
        return
    values = {"data": measured.series.pack(), "evidence": measured.evidence}
    FrameSeriesRecord.objects.update_or_create(run=run, defaults=values)
