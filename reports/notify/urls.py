"""Addresses of notices."""

from django.urls import URLPattern, path

from reports.notify import deliveries, views, webhooks

urlpatterns: list[URLPattern] = [
    path("account/notices/", views.own_notices, name="account-notices"),
    path("account/notices/<slug:kind>/", views.own_notice, name="account-notice"),
    path("notices/off/<str:token>/", views.notices_off, name="notices-off"),
    path("webhooks/", webhooks.webhooks, name="webhooks"),
    path("webhooks/add/", webhooks.webhook_add, name="webhook-add"),
    path("webhooks/<int:pk>/", webhooks.webhook, name="webhook"),
    path("webhooks/<int:pk>/test/", webhooks.webhook_test, name="webhook-test"),
    path("webhooks/<int:pk>/secret/", webhooks.webhook_secret, name="webhook-secret"),
    path("webhooks/<int:pk>/delete/", webhooks.webhook_delete, name="webhook-delete"),
    path("deliveries/", deliveries.deliveries, name="deliveries"),
    path("deliveries/<int:pk>/again/", deliveries.delivery_again, name="delivery-again"),
]
