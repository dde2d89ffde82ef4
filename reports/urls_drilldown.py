"""Addresses of the drill-down: its page, its JSON, its pictures."""

from django.urls import URLPattern, path

from reports.drilldown import playback
from reports.drilldown import views as drilldown
from reports.drilldown import views as series
from reports.measuring import views as corrections
from reports.media import views as drilldown_frames
from reports.triage import views as triage
from reports.views import bug_report

drilldown_urls: list[URLPattern] = [
    path(
        "compare/<str:base>/<str:new>/<str:app>/<str:interaction>/",
        drilldown.drilldown,
        name="drilldown",
    ),
    path("compare/<str:base>/<str:new>/triage/", triage.decide, name="triage"),
    path("triage/<uuid:batch>/undo/", triage.undo, name="triage-undo"),
    path("runs/<int:run_id>/correct/", corrections.correct, name="run-correct"),
    path("runs/<int:run_id>/correct/undo/", corrections.undo, name="run-correct-undo"),
    path("labels.csv", corrections.labels, name="labels"),
    path(
        "compare/<str:base>/<str:new>/<str:app>/<str:interaction>/bug-report.zip",
        bug_report.bug_report,
        name="bug-report",
    ),
    path("runs/<int:run_id>/frames/<int:time_us>.webp", drilldown_frames.frame, name="run-frame"),
    path("runs/<int:run_id>/changes.png", drilldown_frames.changes, name="run-changes"),
    path("api/runs/<int:run_id>/series/", series.run_series, name="api-run-series"),
    path("api/runs/<int:run_id>/playback/", playback.run_playback, name="api-run-playback"),
    path("api/runs/<int:run_id>/proxy/", playback.run_proxy, name="api-run-proxy"),
    path("runs/<int:run_id>/proxy.mp4", drilldown_frames.proxy, name="run-proxy"),
    path("api/plots/<int:base_run>/<int:new_run>/", series.pair_plots, name="api-pair-plots"),
]
