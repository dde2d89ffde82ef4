"""Addresses of the history of versions."""

from django.urls import URLPattern, path

from reports.history import views

urlpatterns: list[URLPattern] = [
    path("history/", views.history, name="history"),
    path("history/<int:pk>/", views.course, name="history-course"),
    path("history/<int:pk>/levels.csv", views.course_csv, name="history-csv"),
]
