"""The stored summary of a comparison, as pages read it."""

from dataclasses import dataclass, fields
from typing import Any

from analysis.policy.policy import DEFAULT_LADDER
from analysis.verdicts.sentences import chance_sentence, verdict_sentence
from analysis.verdicts.summary import Summary
from analysis.verdicts.text import count_text
from reports.models import Comparison

NBSP = "\u00a0"
MOST_MISSING = 200
# Kinds of interactions that could not be compared, of analysis.verdicts.strata and the comparison service.
_GAPS = {
    "only_base": "only in the baseline",
    "only_new": "only in the updated",
    "not_alike": "never recorded alike on both",
    "unmeasured": "not measured yet",
    "no_answer": "without an answer",
}
# Kinds of runs that were not pooled.
LEFT_OUT_WORDS = {
    "failed": "failed",
    "waiting": "waiting",
    "excluded": "excluded",
    "censored": "without an answer",
    "other": "of another app version or capture",
}


@dataclass(frozen=True)
class VerdictSummary:
    """What stands on top of a ranking. Nothing here is computed from runs or results."""

    counts: Summary
    sentence: str
    chance: str
    decision: str  # of the release gate: pass, fail or not_enough_data
    by_verdict: tuple[tuple[str, int], ...]  # interactions, worst first
    gaps: tuple[str, ...]  # "3 interactions only in the baseline"
    left_out: tuple[str, ...]  # "12 runs failed"
    missing: tuple[tuple[str, str, str], ...]  # package, interaction, why it is not compared; the first of them


def verdict_summary(comparison: Comparison, scope: str = "") -> VerdictSummary | None:
    """Return the summary that was stored with the results, of a saved scope if it was counted.

    None before the first computation.
    """
    if not comparison.summary:
        return None
    stored = comparison.summary.get("scopes", {}).get(scope) or comparison.summary
    counts = _counts(stored)
    return VerdictSummary(
        counts=counts,
        sentence=_unbroken(verdict_sentence(counts)),
        chance=_unbroken(chance_sentence(counts)),
        decision=stored.get("gate", ""),
        by_verdict=_by_verdict(counts),
        gaps=_gaps(stored),
        left_out=_left_out(stored),
        missing=_missing(stored),
    )


def ladder_words(comparison: Comparison) -> list[str]:
    """Return the severities of the policy that the comparison was decided by, the worst first."""
    return [word for word, _ in comparison.policy.get("ladder", DEFAULT_LADDER)][::-1]


def _counts(stored: dict[str, Any]) -> Summary:
    known = {field.name for field in fields(Summary)}
    return Summary(**{key: value for key, value in stored.items() if key in known})


def _by_verdict(counts: Summary) -> tuple[tuple[str, int], ...]:
    return (
        ("regression", counts.regressed),
        ("imperceptible", counts.imperceptible),
        ("improvement", counts.improved),
        ("no_change", counts.no_change),
        ("more_runs_needed", counts.more_runs_needed),
    )


def _gaps(stored: dict[str, Any]) -> tuple[str, ...]:
    counts = stored.get("gaps", {}).get("counts", {})
    return tuple(
        f"{count_text(counts[kind], 'interaction')} {words}" for kind, words in _GAPS.items() if kind in counts
    )


def _missing(stored: dict[str, Any]) -> tuple[tuple[str, str, str], ...]:
    listed = stored.get("gaps", {}).get("interactions", [])[:MOST_MISSING]
    return tuple((app, name, _GAPS.get(kind, kind)) for app, name, kind, *_ in listed)


def _left_out(stored: dict[str, Any]) -> tuple[str, ...]:
    sides = stored.get("left_out", {})
    return tuple(
        f"{count_text(sum(sides[kind].values()), 'run')} {words}"
        for kind, words in LEFT_OUT_WORDS.items()
        if kind in sides
    )


def _unbroken(sentence: str) -> str:
    return sentence.replace(" %", NBSP + "%")
