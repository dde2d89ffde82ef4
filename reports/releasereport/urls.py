"""Addresses of release reports: as things stand, and as the gate decided."""

from django.urls import URLPattern, path

from reports.releasereport import views

urlpatterns: list[URLPattern] = [
    path("compare/<str:base>/<str:new>/release-report.html", views.release_report, name="release-report"),
    path("gate/decisions/<int:pk>/release-report.html", views.recorded_report, name="recorded-report"),
]
