"""Addresses that take decisions about findings."""

from django.urls import URLPattern, path

from reports.triage import views

urlpatterns: list[URLPattern] = [
    path("compare/<str:base>/<str:new>/triage/", views.decide, name="triage"),
    path("triage/<str:base>/<str:new>/exclude/", views.exclude, name="triage-exclude"),
    path("triage/include/", views.include, name="triage-include"),
    path("triage/<uuid:batch>/undo/", views.undo, name="triage-undo"),
]
