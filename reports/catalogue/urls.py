"""Addresses of the catalogue."""

from django.urls import URLPattern, path

from reports.catalogue import views

urlpatterns: list[URLPattern] = [
    path("versions/", views.versions, name="versions"),
]
