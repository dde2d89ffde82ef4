"""All addresses of the app, page by page."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
