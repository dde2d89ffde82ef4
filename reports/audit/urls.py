"""Addresses of the audit log."""

from django.urls import URLPattern, path

from reports.audit import views

urlpatterns: list[URLPattern] = [
    path("audit/", views.audit, name="audit"),
    path("audit/csv/", views.audit_csv, name="audit-csv"),
]
