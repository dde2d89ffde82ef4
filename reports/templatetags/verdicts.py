"""What a comparison says, in a sentence and a mark."""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from analysis.gate.drift import DRIFT, DRIFT_UNKNOWN
from analysis.gate.reasons import FAIL, NOT_ENOUGH_DATA, PASS
from reports.comparing.selectors import comparison_address
from reports.comparing.standing import rules_now
from reports.gate.formats import WORDS, report_sentence, warns
from reports.models import Comparison
from reports.policies.selectors import EVERYTHING
from reports.ranking.head import Head, load_head
from reports.ranking.summary import Cell, VerdictSummary, unbroken, verdict_summary
from reports.templatetags.icons import icon

register = template.Library()

_KINDS = {PASS: "pass", FAIL: "fail", NOT_ENOUGH_DATA: "unknown"}
_ICONS = {PASS: "check", FAIL: "close", NOT_ENOUGH_DATA: "help"}
register.filter("warns", warns)
register.filter("unbroken", unbroken)


@register.filter("report_sentence")
def sentence_of_report(report: dict[str, Any]) -> str:
    """Return the sentence on top of a report of the gate."""
    return unbroken(report_sentence(report))


@register.simple_tag(takes_context=True)
def summary_of(context: Context, comparison: Comparison) -> VerdictSummary | None:
    """Return how a comparison stands; a page loads the rules once for all its comparisons."""
    request = context["request"]
    if not hasattr(request, "rules_now"):
        request.rules_now = rules_now()
    return verdict_summary(comparison, rules=request.rules_now)


@register.simple_tag(takes_context=True)
def ranking_head(context: Context) -> Head:
    """Return the head of the views of a comparison; a view that has loaded it hands it over."""
    return context.get("head") or load_head(context["pair"], context.get("part") or EVERYTHING)


@register.simple_tag
def ranking_address(comparison: Comparison) -> str:
    """Return the address of the ranking of this comparison, with its device where it has one."""
    return comparison_address("ranking", comparison)


@register.simple_tag
def gate_mark(decision: str) -> SafeString | str:
    """Return the large GO or NO-GO of the release gate; nothing where it was not asked."""
    return _gate(decision, "gate")


@register.simple_tag
def gate_word(decision: str) -> SafeString | str:
    """Return the small GO or NO-GO for lists."""
    return _gate(decision, "gate gate-small")


def _gate(decision: str, css: str) -> SafeString | str:
    if decision not in _KINDS:
        return ""
    mark = '<span class="{} gate-{}">{} {}</span>'
    return format_html(mark, css, _KINDS[decision], icon(_ICONS[decision]), WORDS[decision])


@register.simple_tag
def reason_address(report: dict[str, Any], reason: dict[str, Any]) -> str:
    """Return the address that shows what a reason of the gate speaks of."""
    pair = [report["base"], report["new"]]
    if reason["rule"].startswith("waiver"):
        return reverse("waivers")
    if reason["rule"].startswith(DRIFT):
        pinned = report["drift"]["pinned"]
        if not pinned:
            return reverse("versions")
        if pinned == report["new"]:
            return reverse("version", args=[pinned])
        pair[0] = pinned
    if reason["app"] and reason["interaction"]:
        return reverse("drilldown", args=[*pair, reason["app"], reason["interaction"]])
    ranking = reverse("ranking", args=pair)
    if reason["rule"] == DRIFT_UNKNOWN:
        return ranking
    return f"{ranking}?verdict=regression" if reason["rule"] in ("budget", DRIFT) else f"{ranking}#missing"


@register.simple_tag
def pattern_query(pattern: dict[str, Any]) -> str:
    """Return the ranking's query for the regressions that a pattern tells of."""
    wanted = {"category": pattern["category"], "type": pattern["interaction_type"], "metric": pattern["metric"]}
    return _query(wanted | {"verdict": "regression"})


@register.simple_tag
def cell_query(cell: Cell, metric: str) -> str:
    """Return the ranking's query for what a cell of the matrix counts."""
    return _query(cell.query | {"metric": metric})


def _query(wanted: dict[str, str]) -> str:
    return "?" + urlencode({key: value for key, value in wanted.items() if value})
