"""The stored summary of a comparison, as pages read it."""

from dataclasses import dataclass, fields
from typing import Any

from analysis.decide.sentences import chance_sentence, verdict_sentence
from analysis.decide.summary import Summary
from reports.models import Comparison


@dataclass(frozen=True)
class VerdictSummary:
    """What stands on top of a ranking. Nothing here is computed from runs or results."""

    counts: Summary
    sentence: str
    chance: str
    decision: str  # of the release gate: pass, fail, not_enough_data, or empty where it was not asked


def verdict_summary(comparison: Comparison) -> VerdictSummary | None:
    """Return the summary that was stored with the results, None before the first computation."""
    stored = comparison.summary
    if not stored:
        return None
    counts = _counts(stored)
    return VerdictSummary(counts, verdict_sentence(counts), chance_sentence(counts), stored.get("gate", ""))


def _counts(stored: dict[str, Any]) -> Summary:
    known = {field.name for field in fields(Summary)}
    return Summary(**{key: value for key, value in stored.items() if key in known})
