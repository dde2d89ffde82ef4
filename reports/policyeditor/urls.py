"""Addresses where the rules are changed: policies and scopes."""

from django.urls import URLPattern, path

from reports.policyeditor import views

urlpatterns: list[URLPattern] = [
    path("gate/policy/", views.policy, name="policy"),
    path("gate/policy/preview/", views.policy_preview, name="policy-preview"),
    path("gate/policy/save/", views.policy_save, name="policy-save"),
    path("gate/scopes/", views.scopes, name="scopes"),
    path("gate/scopes/save/", views.scope_save, name="scope-save"),
    path("gate/scopes/delete/", views.scope_delete, name="scope-delete"),
]
