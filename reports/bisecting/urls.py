"""Addresses of bisections."""

from django.urls import URLPattern, path

from reports.bisecting import views

_ONE = "history/bisections/<int:pk>/"
urlpatterns: list[URLPattern] = [
    path("history/bisections/", views.bisections, name="bisections"),
    path(_ONE, views.bisection, name="bisection"),
    path(f"{_ONE}state.json", views.bisection_state, name="bisection-state"),
    path(f"{_ONE}plan.csv", views.bisection_manifest, name="bisection-manifest"),
    path(f"{_ONE}skip/", views.bisection_skip, name="bisection-skip"),
    path(f"{_ONE}finish/", views.bisection_finish, name="bisection-finish"),
]
