"""Marks that carry meaning: severity, verdict, status, shade. Word and sign always, colour besides."""

import math

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from analysis.statistics.effects import effect_word
from analysis.verdicts.words import VERDICT_WORDS, severity_kind
from reports.measuring.evidence import outcome_words
from reports.models import RunStatus

register = template.Library()
register.filter("outcome_words", outcome_words)

_LEVELS = {"Minor": 1, "Noticeable": 2, "Severe": 3}
_SIGNS = {"regression": "▲", "improvement": "▼", "imperceptible": "≈", "no_change": "=", "more_runs_needed": "?"}
# Up to which p a person is how sure.
_SURENESS = ((0.001, "very sure"), (0.01, "sure"), (0.05, "fairly sure"))


@register.simple_tag
def severity_chip(severity: str) -> SafeString:
    """Return ``Severe ▲▲▲``; a severity of a custom ladder has one sign."""
    return format_html(
        '<span class="chip severity-{}">{} <span class="sign" aria-hidden="true">{}</span></span>',
        severity_kind(severity),
        severity,
        "▲" * _LEVELS.get(severity, 1),
    )


@register.simple_tag
def verdict_chip(verdict: str, severity: str = "") -> SafeString:
    """Return the severity of a regression, else the verdict in words."""
    if severity:
        return severity_chip(severity)
    return format_html(
        '<span class="chip verdict-{}"><span class="sign" aria-hidden="true">{}</span> {}</span>',
        verdict,
        _SIGNS.get(verdict, "?"),
        VERDICT_WORDS.get(verdict, verdict),
    )


@register.filter
def verdict_word(verdict: str) -> str:
    """Return the verdict as a person reads it."""
    return VERDICT_WORDS.get(verdict, verdict)


@register.filter
def effect(cliffs_delta: float | None) -> str:
    """Return the word for a Cliff's delta: negligible, small, medium or large."""
    return "" if cliffs_delta is None else effect_word(cliffs_delta)


@register.filter
def sureness(p_value: float | None) -> str:
    """Return in plain words how sure a p-value makes us that anything changed."""
    if p_value is None:
        return ""
    return next((word for least, word in _SURENESS if p_value < least), "not sure")


@register.simple_tag
def status_mark(status: str, outcome: str = "", excluded: bool = False) -> SafeString:
    """Return where a run is on its way, in words: the outcome once it was judged."""
    words = outcome_words(outcome) if status == RunStatus.DONE and outcome else RunStatus(status).label.lower()
    mark = format_html('<span class="status-{}">{}</span>', status, words)
    return format_html('{} <span class="soft">(excluded)</span>', mark) if excluded else mark


@register.filter
def heat(share_pct: float) -> int:
    """Return how strongly to shade a share in percent, 0 … 100: by its root, so that 2 % and 8 % look different."""
    return round(100.0 * math.sqrt(min(max(share_pct, 0.0), 100.0) / 100.0))
