"""Addresses of the help."""

from django.urls import URLPattern, path

from reports.help import views

urlpatterns: list[URLPattern] = [
    path("help/", views.help_index, name="help"),
    path("help/images/<str:name>", views.image, name="help-image"),
    path("help/<path:slug>/", views.page, name="help-page"),
]
