"""JSON of the drill-down: one chosen run's series, and the figure of a pair."""

from django.shortcuts import get_object_or_404
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from reports.charts import pair_figure
from reports.measuring.series import RunSeries, load_series
from reports.models import Run


@api_view(["GET"])
def run_series(request: Request, run_id: int) -> Response:
    """Answer with one run's frame series; times in ms after the first frame, ``action_ms`` on the same clock.

    A run without one is answered with ``error``: that is a state of the run, not of the request.
    """
    found = load_series(run_id).get(run_id)
    if found is None:
        run = get_object_or_404(Run, pk=run_id)
        reason = run.error or "this run has not been measured yet"
        return Response({"run": run_id, "error": reason})
    return Response(_series_json(found))


@api_view(["GET"])
def pair_plots(request: Request, base_run: int, new_run: int) -> Response:
    """Answer with the Plotly figure of two runs; a run without a series leaves its curves out."""
    found = load_series(base_run, new_run)
    return Response(pair_figure(found.get(base_run), found.get(new_run)))


def _series_json(found: RunSeries) -> dict:
    series = found.series
    return {
        "run": found.run.pk,
        "action_ms": found.run.action_ms,
        "refresh_hz": found.refresh_hz,
        "time_ms": series.time_ms.round(3).tolist(),
        "ssim_mean": series.ssim_mean.round(5).tolist(),
        "ssim_worst": series.ssim_worst.round(5).tolist(),
        "changed_pct": series.changed_pct.round(3).tolist(),
        "response_ms": found.response_ms,
        "finish_ms": found.finish_ms,
        "outcome": found.run.outcome,
        "dropped": found.dropped,
        "masks": found.evidence.get("masks", []),
        "ignored": found.evidence.get("ignored", []),
    }
