"""The address that tells how far the queue is."""

from django.urls import URLPattern, path

from reports.queue import views

urlpatterns: list[URLPattern] = [
    path("api/queue/", views.queue, name="queue"),
]
