"""Addresses of the release gate and its waivers."""

from django.urls import URLPattern, path

from reports.gate import views

urlpatterns: list[URLPattern] = [
    path("compare/<str:base>/<str:new>/gate/", views.gate_pair, name="gate-pair"),
    path("gate/", views.gate, name="gate"),
    path("gate/decide/", views.gate_decide, name="gate-decide"),
    path("gate/decisions/<int:pk>/", views.gate_record, name="gate-record"),
    path("gate/decisions/<int:pk>/<str:kind>/", views.gate_file, name="gate-file"),
    path("gate/waivers/", views.waivers, name="waivers"),
    path("gate/waivers/add/", views.waiver_add, name="waiver-add"),
    path("gate/waivers/<int:pk>/approve/", views.waiver_second, name="waiver-second"),
    path("gate/waivers/<int:pk>/refuse/", views.waiver_refuse, name="waiver-refuse"),
    path("gate/waivers/<int:pk>/withdraw/", views.waiver_withdraw, name="waiver-withdraw"),
]
