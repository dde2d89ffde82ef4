"""Address of an app's page."""

from django.urls import URLPattern, path

from reports.apppage import views

urlpatterns: list[URLPattern] = [path("apps/<str:package>/", views.app, name="app")]
