"""Addresses of the API for scripts, under /api/v1/. What pages ask for themselves (/api/queue/ …) is no part of it.

To add a resource:

1. Write a viewset in a module of its own here: a subclass of ``ApiViewSet`` (reports/api/base.py) with ``queryset``
   and ``serializer_class``; for lists ``ordering`` (unique, or nearly), ``filterset_class`` (``PageFilters`` over
   the page's form, reports/api/filters.py) and ``loaded`` (the page's selector). It calls selectors and services
   and decides nothing. Other methods and ``@action`` take ``self.sent(request, ThatSerializer)``, refuse by
   ``raise wrong("field", "words")`` or ``raise Problem(409, "words")`` (reports/api/problems.py), and say by
   ``@extend_schema(request=…, responses=…)`` what they answer. What costs much goes through ``with_etag``.
2. Register it below: one line. Its names are ``api:<basename>-list``, ``-detail`` and ``-<action>``.
3. Give each name and method its capability in reports/access/table.py (``manage.py check`` names what is missing),
   run ``manage.py access_table``, and add the names to ``EXPECTED`` and ``BY_TOKEN`` in
   tests/reports/access/expected.py; what changes something also to test_every_post.py of the audit log.
4. Tell it in docs/api.md.
"""

from typing import Any

from django.urls import URLPattern, URLResolver, include, path
from rest_framework.routers import SimpleRouter

from reports.api import (
    batches,
    bisections,
    catalogue,
    comparisons,
    decisions,
    gates,
    handed,
    history,
    issues,
    policies,
    runs,
    scopes,
    triage,
    uploads,
    versions,
    waivers,
)
from reports.api.docs import Schema, docs

router = SimpleRouter(use_regex_path=False)
router.register("versions", versions.Versions, basename="versions")
router.register("apps", catalogue.Apps, basename="apps")
router.register("devices", catalogue.Devices, basename="devices")
router.register("interactions", catalogue.Interactions, basename="interactions")
router.register("runs", runs.Runs, basename="runs")
router.register("waivers", waivers.Waivers, basename="waivers")
router.register("scopes", scopes.Scopes, basename="scopes")
router.register("decisions", decisions.Decisions, basename="decisions")
router.register("trackers", issues.Trackers, basename="trackers")
router.register("issues", issues.Issues, basename="issues")
router.register("batches", batches.Batches, basename="batches")
router.register("bisections", bisections.Bisections, basename="bisections")
router.register("uploads", uploads.Uploads, basename="uploads")

_LIST: dict[str, Any] = {"get": "list", "post": "create"}
_ONE: dict[str, Any] = {"get": "retrieve"}
_PAIR = "comparisons/<str:base>/<str:new>/"
_addresses: list[URLPattern | URLResolver] = [
    path("docs/", docs, name="docs"),
    path("schema/", Schema.as_view(), name="schema"),
    *router.urls,
    path("comparisons/", comparisons.Comparisons.as_view(_LIST), name="comparisons-list"),
    path(_PAIR, comparisons.Comparisons.as_view(_ONE), name="comparisons-detail"),
    path(f"{_PAIR}results/", comparisons.Results.as_view({"get": "list"}), name="comparisons-results"),
    path(f"{_PAIR}gate/", gates.Gate.as_view(_ONE | {"post": "create"}), name="comparisons-gate"),
    path(f"{_PAIR}report/", handed.ReleaseReports.as_view(_ONE), name="comparisons-report"),
    path(
        f"{_PAIR}<str:package>/<str:interaction>/bug-report/",
        handed.BugReports.as_view(_ONE),
        name="comparisons-bug-report",
    ),
    path("history/", history.Courses.as_view({"get": "list"}), name="history-list"),
    path("history/<int:pk>/", history.Courses.as_view(_ONE), name="history-detail"),
    path("history/<int:pk>/notes/", history.Courses.as_view({"post": "notes"}), name="history-notes"),
    path("history/notes/<int:pk>/", history.Notes.as_view({"delete": "destroy"}), name="history-note"),
    path("history/releases/", history.Releases.as_view({"get": "list"}), name="history-releases"),
    path("policies/", policies.Policies.as_view({"get": "list"}), name="policies-list"),
    path("policies/<str:name>/", policies.Policies.as_view(_ONE | {"post": "create"}), name="policies-detail"),
    path("policies/<str:name>/preview/", policies.Policies.as_view({"post": "preview"}), name="policies-preview"),
    path("triage/", triage.Triage.as_view(_LIST), name="triage-list"),
    path("triage/<uuid:batch>/undo/", triage.Triage.as_view({"post": "undo"}), name="triage-undo"),
]
urlpatterns: list[URLResolver] = [path("api/v1/", include((_addresses, "api")))]
