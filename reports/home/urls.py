"""Addresses of the first page."""

from django.urls import URLPattern, path

from reports.home import views

urlpatterns: list[URLPattern] = [
    path("", views.home, name="home"),
    path("compare/", views.compare_start, name="compare-start"),
]
