"""All addresses of the app, page by page."""

from django.urls import URLPattern, URLResolver, path

from reports.gate import views as gate
from reports.gate import views as waivers
from reports.measuring import views as runs
from reports.media import views as media
from reports.policyeditor import views as policy
from reports.policyeditor import views as scopes
from reports.queue import views as queue
from reports.ranking import views as ranking
from reports.ranking import views as ranking_export
from reports.urls_drilldown import drilldown_urls
from reports.views import home, search, versions

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("compare/", home.compare_start, name="compare-start"),
    path("compare/<str:base>/<str:new>/", ranking.ranking, name="ranking"),
    path("compare/<str:base>/<str:new>/state.json", ranking.ranking_state, name="ranking-state"),
    path("compare/<str:base>/<str:new>/results.csv", ranking_export.ranking_csv, name="ranking-csv"),
    path("compare/<str:base>/<str:new>/results.json", ranking_export.ranking_json, name="ranking-json"),
    path("compare/<str:base>/<str:new>/gate/", gate.gate_pair, name="gate-pair"),
    path("gate/", gate.gate, name="gate"),
    path("gate/decide/", gate.gate_decide, name="gate-decide"),
    path("gate/decisions/<int:pk>/", gate.gate_record, name="gate-record"),
    path("gate/decisions/<int:pk>/<str:kind>/", gate.gate_file, name="gate-file"),
    path("gate/waivers/", waivers.waivers, name="waivers"),
    path("gate/waivers/add/", waivers.waiver_add, name="waiver-add"),
    path("gate/waivers/<int:pk>/withdraw/", waivers.waiver_withdraw, name="waiver-withdraw"),
    path("gate/policy/", policy.policy, name="policy"),
    path("gate/policy/preview/", policy.policy_preview, name="policy-preview"),
    path("gate/policy/save/", policy.policy_save, name="policy-save"),
    path("gate/scopes/", scopes.scopes, name="scopes"),
    path("gate/scopes/save/", scopes.scope_save, name="scope-save"),
    path("gate/scopes/delete/", scopes.scope_delete, name="scope-delete"),
    path("search/", search.search, name="search"),
    path("versions/", versions.versions, name="versions"),
    path("runs/", runs.runs, name="runs"),
    path("runs/retry/", runs.runs_retry, name="runs-retry"),
    path("runs/<int:pk>/", runs.run_detail, name="run-detail"),
    path("runs/<int:pk>/retry/", runs.run_retry, name="run-retry"),
    path("runs/<int:pk>/exclude/", runs.run_exclude, name="run-exclude"),
    path("runs/<int:pk>/include/", runs.run_include, name="run-include"),
    path("api/queue/", queue.queue, name="queue"),
    path("runs/<int:run_id>/video/", media.run_video, name="run-video"),
    *drilldown_urls,
]
