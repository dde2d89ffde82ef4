"""Addresses of batches."""

from django.urls import URLPattern, path

from reports.batches import views

urlpatterns: list[URLPattern] = [
    path("batches/", views.batches, name="batches"),
    path("batches/<str:name>/", views.batch, name="batch"),
    path("batches/<str:name>/state.json", views.batch_state, name="batch-state"),
    path("batches/<str:name>/complete/", views.batch_complete, name="batch-complete"),
    path("batches/<str:name>/reopen/", views.batch_reopen, name="batch-reopen"),
    path("batches/<str:name>/note/", views.batch_note, name="batch-note"),
    path("batches/<str:name>/retry/", views.batch_retry, name="batch-retry"),
]
