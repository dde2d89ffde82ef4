"""Addresses of the search."""

from django.urls import URLPattern, path

from reports.search import views

urlpatterns: list[URLPattern] = [
    path("search/", views.search, name="search"),
    path("search/live/", views.live, name="search-live"),
]
