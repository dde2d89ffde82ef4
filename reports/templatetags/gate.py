"""Waivers, records and fixes of a comparison, as several pages show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import template

from analysis.gate.waivers import ceilings_text
from reports.comparing.gate_inputs import kept_waiver
from reports.gate.selectors import recorded_mark, says_otherwise
from reports.models import Comparison, GateRecord
from reports.ranking.summary import NBSP, VerdictSummary

register = template.Library()
register.filter("ceilings", ceilings_text)


@register.filter
def ceiling_lines(ceilings: Mapping[str, float | None]) -> list[str]:
    """Return what a waiver accepts, one metric a line."""
    return [ceilings_text({metric: ceiling}) for metric, ceiling in ceilings.items()] or [ceilings_text({})]


@register.filter
def kept_ceilings(waiver: Mapping[str, Any]) -> str:
    """Say what a waiver accepts that was kept with a decision."""
    return ceilings_text(kept_waiver(waiver).ceilings)


@dataclass(frozen=True)
class RecordedMark:
    """A recorded decision beside how the gate stands."""

    record: GateRecord
    out_of_date: bool


@register.simple_tag
def recorded_decision(comparison: Comparison, scope: str, summary: VerdictSummary) -> RecordedMark | None:
    """Return the last recorded decision, and whether the gate says something else now; one query."""
    record = recorded_mark(comparison, scope)
    sentence = summary.sentence.replace(NBSP, " ")
    return RecordedMark(record, says_otherwise(record, summary.decision, sentence)) if record else None
