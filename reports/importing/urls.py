"""Addresses of what is brought in."""

from django.urls import path

from reports.importing import views

urlpatterns = [
    path("import/", views.imports, name="imports"),
    path("import/sent/", views.imports_sent, name="imports-sent"),
    path("import/<uuid:pk>/", views.staged, name="import-staged"),
    path("import/<uuid:pk>/state.json", views.staged_state, name="import-staged-state"),
    path("import/<uuid:pk>/files/", views.staged_say, name="import-staged-say"),
    path("import/<uuid:pk>/files/<int:file_id>/action/", views.staged_action, name="import-staged-action"),
    path("import/<uuid:pk>/files/<int:file_id>/<int:time_us>.webp", views.staged_frame, name="import-staged-frame"),
    path("import/<uuid:pk>/start/", views.staged_import, name="import-staged-start"),
    path("import/<uuid:pk>/drop/", views.staged_discard, name="import-staged-drop"),
    path("import/log/", views.import_log, name="import-log"),
    path("import/log/<int:pk>/", views.import_record, name="import-record"),
    path("import/log/<int:pk>/refused.csv", views.import_refused, name="import-refused"),
]
