"""The address of a bug report."""

from django.urls import URLPattern, path

from reports.bugreport import views

urlpatterns: list[URLPattern] = [
    path(
        "compare/<str:base>/<str:new>/<str:app>/<str:interaction>/bug-report.zip",
        views.bug_report,
        name="bug-report",
    ),
]
