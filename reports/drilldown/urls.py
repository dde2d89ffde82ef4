"""Addresses of the drill-down: its page, and the JSON that its script asks for."""

from django.urls import URLPattern, path

from reports.drilldown import playback, views

urlpatterns: list[URLPattern] = [
    path("compare/<str:base>/<str:new>/<str:app>/<str:interaction>/", views.drilldown, name="drilldown"),
    path("api/runs/<int:run_id>/series/", views.run_series, name="api-run-series"),
    path("api/runs/<int:run_id>/playback/", playback.run_playback, name="api-run-playback"),
    path("api/runs/<int:run_id>/proxy/", playback.run_proxy, name="api-run-proxy"),
    path("api/plots/<int:base_run>/<int:new_run>/", views.pair_plots, name="api-pair-plots"),
]
