"""Addresses of what is brought in."""

from django.urls import path

from reports.importing import views

urlpatterns = [
    path("import/log/", views.import_log, name="import-log"),
    path("import/log/<int:pk>/", views.import_record, name="import-record"),
    path("import/log/<int:pk>/refused.csv", views.import_refused, name="import-refused"),
]
