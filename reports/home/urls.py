"""Addresses of the first page, and of the whole list of what waits for a person."""

from django.urls import URLPattern, path

from reports.home import views

urlpatterns: list[URLPattern] = [
    path("", views.home, name="home"),
    path("assigned/", views.assigned, name="assigned"),
    path("compare/", views.compare_start, name="compare-start"),
]
