"""The drill-down: one interaction, baseline beside updated."""

from dataclasses import asdict, dataclass
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from reports.charts.dotstrip import DotStrip, dot_strip
from reports.comparing.inputs import PairIds
from reports.comparing.revisions import Revisions, revisions_of
from reports.drilldown.benchmarks import benchmarked
from reports.drilldown.film import INTERVALS, film_strip
from reports.drilldown.moments import asked_for, moment_words, opening, pair_of
from reports.drilldown.orders import build_orders
from reports.drilldown.picture import draw_pair
from reports.drilldown.players import page_state, pick, screen_shape
from reports.drilldown.plots import pair_figure
from reports.drilldown.selectors import Drilldown, Wanted, known_names, load_drilldown, threshold_origin
from reports.drilldown.why import why
from reports.history.sparks import CourseKey, Spark, load_sparks
from reports.measuring.series import load_series, series_json
from reports.media.files import NO_SCREENCAST
from reports.models import Result, Run
from reports.triage.box import TriageBox, triage_box
from reports.triage.people import people_to_choose
from reports.web.requests import number_of

SPEEDS = ("0.1", "0.25", "0.5", "1", "2")


@dataclass(frozen=True)
class MetricRow:
    """A row of the metrics table: the stored result, and its dots."""

    result: Result
    strip: DotStrip


@require_GET
def drilldown(request: HttpRequest, base: str, new: str, app: str, interaction: str) -> HttpResponse:
    """Show one interaction of a comparison; runs, time, view and the film's interval are in the query."""
    try:
        found = load_drilldown(base, new, app, interaction, wanted_runs(request))
    except ObjectDoesNotExist as error:
        raise Http404(f"{error} {known_names(app)}") from error
    return render(request, "drilldown/page.html", _context(found, request))


def _context(found: Drilldown, request: HttpRequest) -> dict[str, Any]:
    chosen = [side.chosen.id if side.chosen else 0 for side in found.sides]
    series = load_series(*chosen)
    shown = [series.get(run_id) for run_id in chosen]
    pair = pair_of(dict(zip(("base", "new"), shown, strict=True)))
    shape = screen_shape(*found.sides)
    words = moment_words(found.interaction)
    story = opening(found.lead, pair, words)
    asked = asked_for(request.GET.get("t"))
    at_ms = story.at_ms if asked is None else asked
    unfilmed = benchmarked(found)
    return {
        "page": found,
        "benchmark": unfilmed,
        "headline": found.headline,
        "detail": found.detail,
        "shape": shape,
        "landscape": shape[0] > shape[1],
        "picks": [pick(side, at_ms) for side in found.sides],
        "words": words,
        "story": story,
        "at_ms": at_ms,
        "film": film_strip(pair, words, request.GET.get("film", "")),
        "intervals": INTERVALS,
        "speeds": SPEEDS,
        "rows": _rows(found, chosen),
        "picture": draw_pair(pair, words),
        "orders": build_orders(found.results, found.base, found.new),
        "why": why(found, shown, words),
        "triage": _triage(found),
        "people": people_to_choose(),
        "origin": threshold_origin(found.comparison, found.interaction, found.lead.metric) if found.lead else "",
        "revisions": _revisions(found),
        "spark": _spark(found),
        "state": asdict(page_state(found, story, words, request.GET)),
        "keys_template": "" if unfilmed else "drilldown/keys.html",
    }


def _rows(found: Drilldown, chosen: list[int]) -> list[MetricRow]:
    numbers = {**found.base.numbers, **found.new.numbers}
    return [MetricRow(result, dot_strip(result, numbers=numbers, chosen=chosen)) for result in found.results]


def _revisions(found: Drilldown) -> Revisions | None:
    """Count by revision the runs behind the page's numbers; without a comparison there are none."""
    if found.comparison is None or found.device is None:
        return None
    pair = PairIds(found.base_version.pk, found.new_version.pk, found.device.pk)
    return revisions_of(pair, found.interaction.pk)


def _spark(found: Drilldown) -> Spark | None:
    """Return the course of what speaks for the interaction, in the line of the updated version; one query."""
    if found.lead is None:
        return None
    key = CourseKey(found.interaction.pk, found.lead.device_id, found.lead.metric)
    return load_sparks(found.new_version.pk, [key]).get(key)


def _triage(found: Drilldown) -> TriageBox:
    return triage_box(
        comparison=found.comparison,
        base=found.base_version,
        new=found.new_version,
        interaction=found.interaction,
        device=found.device,
    )


def wanted_runs(request: HttpRequest) -> Wanted:
    """Return the runs and the device that the address asks for."""
    return Wanted(**{name: number_of(request.GET.get(name)) for name in ("base_run", "new_run", "device")})


@api_view(["GET"])
def run_series(request: Request, run_id: int) -> Response:
    """Answer with one run's frame series; times in ms after the first frame, ``action_ms`` on the same clock.

    A run without one is answered with ``error``: that is a state of the run, not of the request.
    """
    found = load_series(run_id).get(run_id)
    if found is None:
        run = get_object_or_404(Run, pk=run_id)
        reason = run.error or ("this run has not been measured yet" if run.filmed else NO_SCREENCAST)
        return Response({"run": run_id, "error": reason})
    return Response(series_json(found))


@api_view(["GET"])
def pair_plots(request: Request, base_run: int, new_run: int) -> Response:
    """Answer with the Plotly figure of two runs; a run without a series leaves its curves out."""
    found = load_series(base_run, new_run)
    return Response(pair_figure(found.get(base_run), found.get(new_run)))
