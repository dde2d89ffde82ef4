"""Addresses of issue trackers and of the issues of findings."""

from django.urls import URLPattern, path

from reports.trackers import views

urlpatterns: list[URLPattern] = [
    path("trackers/", views.trackers, name="trackers"),
    path("trackers/add/", views.tracker_add, name="tracker-add"),
    path("trackers/<int:pk>/", views.tracker_edit, name="tracker-edit"),
    path("trackers/<int:pk>/remove/", views.tracker_remove, name="tracker-remove"),
    path("compare/<str:base>/<str:new>/<str:app>/<str:interaction>/issue/", views.issue_new, name="issue-new"),
    path("issues/<int:pk>/again/", views.issue_again, name="issue-again"),
]
