"""All addresses of the app, capability by capability."""

from django.urls import URLResolver, include, path

CAPABILITIES = (
    "home",
    "catalogue",
    "apppage",
    "ranking",
    "gate",
    "history",
    "bisecting",
    "policyeditor",
    "measuring",
    "importing",
    "batches",
    "media",
    "drilldown",
    "triage",
    "bugreport",
    "trackers",
    "releasereport",
    "queue",
    "search",
    "accounts",
    "tokens",
    "audit",
    "notify",
    "help",
    "api",
)

urlpatterns: list[URLResolver] = [path("", include(f"reports.{name}.urls")) for name in CAPABILITIES]
