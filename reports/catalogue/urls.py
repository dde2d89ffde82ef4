"""Addresses of the catalogue."""

from django.urls import URLPattern, path

from reports.catalogue import views

urlpatterns: list[URLPattern] = [
    path("search/", views.search, name="search"),
    path("versions/", views.versions, name="versions"),
]
