"""Addresses of API tokens."""

from django.urls import URLPattern, path

from reports.tokens import views

urlpatterns: list[URLPattern] = [
    path("account/tokens/", views.tokens, name="tokens"),
    path("account/tokens/<int:pk>/revoke/", views.token_revoke, name="token-revoke"),
]
