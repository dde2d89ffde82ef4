"""Addresses of the history of versions."""

from django.urls import URLPattern, path

from reports.history import views

urlpatterns: list[URLPattern] = [
    path("history/", views.history, name="history"),
    path("history/state.json", views.state, name="history-state"),
    path("history/releases/", views.releases, name="history-releases"),
    path("history/releases/releases.csv", views.releases_csv, name="history-releases-csv"),
    path("history/releases/report/", views.releases_report, name="history-releases-report"),
    path("history/<int:pk>/", views.course, name="history-course"),
    path("history/<int:pk>/notes/", views.note_add, name="history-note-add"),
    path("history/notes/<int:pk>/hide/", views.note_hide, name="history-note-hide"),
    path("history/<int:pk>/levels.csv", views.course_csv, name="history-csv"),
]
