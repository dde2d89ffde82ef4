"""Addresses of an app's page and of its history."""

from django.urls import URLPattern, path

from reports.apppage import views

urlpatterns: list[URLPattern] = [
    path("apps/<str:package>/", views.app, name="app"),
    path("history/apps/<int:pk>/", views.app_trend, name="history-app"),
]
