"""Addresses of a ranking: its page, its state while it is computed, its files, what to record next."""

from django.urls import URLPattern, path

from reports.ranking import views

urlpatterns: list[URLPattern] = [
    path("compare/<str:base>/<str:new>/", views.ranking, name="ranking"),
    path("compare/<str:base>/<str:new>/plan/", views.plan, name="ranking-plan"),
    path("compare/<str:base>/<str:new>/plan.csv", views.plan_csv, name="ranking-plan-csv"),
    path("compare/<str:base>/<str:new>/state.json", views.ranking_state, name="ranking-state"),
    path("compare/<str:base>/<str:new>/results.csv", views.ranking_csv, name="ranking-csv"),
    path("compare/<str:base>/<str:new>/results.json", views.ranking_json, name="ranking-json"),
]
