"""Addresses of the pictures of a run."""

from django.urls import URLPattern, path

from reports.media import views

urlpatterns: list[URLPattern] = [
    path("runs/<int:run_id>/video/", views.run_video, name="run-video"),
    path("runs/<int:run_id>/frames/<int:time_us>.webp", views.frame, name="run-frame"),
    path("runs/<int:run_id>/changes.png", views.changes, name="run-changes"),
    path("runs/<int:run_id>/proxy.mp4", views.proxy, name="run-proxy"),
]
