"""Addresses of runs and of what a person says about them."""

from django.urls import URLPattern, path

from reports.measuring import actions, doubtpage, runpage, views

urlpatterns: list[URLPattern] = [
    path("runs/", views.runs, name="runs"),
    path("runs/doubtful/", doubtpage.doubts, name="doubtful"),
    path("runs/actions/", actions.actions, name="runs-actions"),
    path("runs/actions/confirm/", actions.actions_confirm, name="runs-actions-confirm"),
    path("runs/retry/", views.runs_retry, name="runs-retry"),
    path("runs/retry/revisions/", views.runs_retry_revisions, name="runs-retry-revisions"),
    path("runs/<int:pk>/", runpage.run_detail, name="run-detail"),
    path("runs/<int:pk>/action/", runpage.run_action, name="run-action"),
    path("runs/<int:pk>/action/undo/", runpage.run_action_undo, name="run-action-undo"),
    path("runs/<int:pk>/type/", runpage.run_type, name="run-type"),
    path("runs/<int:pk>/areas/", runpage.run_area_add, name="run-area-add"),
    path("runs/<int:pk>/areas/remove/", runpage.run_area_remove, name="run-area-remove"),
    path("runs/<int:pk>/retry/", views.run_retry, name="run-retry"),
    path("runs/<int:pk>/exclude/", views.run_exclude, name="run-exclude"),
    path("runs/<int:pk>/include/", views.run_include, name="run-include"),
    path("runs/<int:run_id>/correct/", views.correct, name="run-correct"),
    path("runs/<int:run_id>/correct/undo/", views.undo, name="run-correct-undo"),
    path("labels.csv", views.labels, name="labels"),
]
