"""A comparison as JSON and as a table of text."""

from typing import Any

from analysis.statistics.effects import effect_word
from analysis.statistics.exact import smallest_p
from analysis.verdicts.cells import BASE, NEW
from analysis.verdicts.sentences import (
    chance_sentence,
    confidence_words,
    metric_label,
    metric_unit,
)
from analysis.verdicts.summary import Summary
from analysis.verdicts.text import number_text, p_text, signed_text
from analysis.verdicts.words import VERDICT_WORDS
from reports.comparing.doubts import doubts_note
from reports.comparing.inputs import PairIds
from reports.comparing.revisions import revisions_of
from reports.comparing.standing import standing
from reports.models import Comparison, Result
from reports.models.comparisons import WORST_FIRST
from reports.policies.selectors import EVERYTHING, Part

NUMBERS = (
    *("n_base", "n_new", "median_base", "median_new", "delta", "delta_pct", "p_value", "cliffs_delta", "threshold"),
)
MORE_NUMBERS = ("ci_low", "ci_high", "q_value", "times_threshold", "runs_needed")
_HEAD = ("Interaction", "Type", "Metric", "Runs", "Baseline → Updated", "Δ", "p", "δ", "Verdict")


def comparison_json(comparison: Comparison, part: Part = EVERYTHING) -> dict[str, Any]:
    """Return {"base", "new", "revisions", "doubtful", "results": […]}, worst first, of a part.

    Numbers are not rounded.
    """
    return {
        **comparison_head(comparison),
        "results": [_result_json(row) for row in ranked_results(comparison, part)],
    }


def comparison_head(comparison: Comparison) -> dict[str, Any]:
    """Return what stands before the results: the two versions, what measured their runs, what is doubtful."""
    revisions = revisions_of(PairIds.of(comparison))
    doubtful = comparison.summary.get("doubtful", {})
    return {
        "base": comparison.base.name,
        "new": comparison.new.name,
        "revisions": revisions.as_json(),
        "doubtful": {"values": doubtful, "note": doubts_note(comparison, doubtful)},
    }


def ranked_results(comparison: Comparison, part: Part = EVERYTHING) -> list[Result]:
    """Return the results of a part with their interaction, app and device, worst first, in one query."""
    rows = comparison.results.filter(**part.result_filter())
    rows = rows.select_related("interaction__app", "device").defer("points")
    return list(rows.order_by(*WORST_FIRST))


def comparison_text(comparison: Comparison, part: Part = EVERYTHING) -> str:
    """Return a table for a terminal with the verdict sentence on top, of a part."""
    rows = [_HEAD, *(_cells(row) for row in ranked_results(comparison, part))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    counts = comparison.summary["scopes"][part.name] if part.name else comparison.summary
    summary = Summary.from_json(counts)
    title = f"{comparison.base} → {comparison.new}" + (f", only {part.name}" if part.name else "")
    notes = (doubts_note(comparison, counts.get("doubtful", {})), revisions_of(PairIds.of(comparison)).note)
    head = [title, standing(comparison, part).sentence, chance_sentence(summary), *filter(None, notes)]
    return "\n".join([*head, "", *table])


def _result_json(row: Result) -> dict[str, Any]:
    return {
        "app": row.interaction.app.name,
        "interaction": row.interaction.name,
        "interaction_type": row.interaction.type,
        "metric": row.metric,
        **{name: getattr(row, name) for name in NUMBERS},
        "verdict": row.verdict,
        "severity": row.severity or None,
        **{name: getattr(row, name) for name in MORE_NUMBERS},
        "smallest_p": smallest_p(row.n_base, row.n_new),
        "effect": None if row.cliffs_delta is None else effect_word(row.cliffs_delta),
        "confidence": confidence_words({"verdict": row.verdict, "cliffs_delta": row.cliffs_delta}),
        "package": row.interaction.app.package,
        "device": row.device.name,
        "refresh_hz": row.device.refresh_hz,
        "app_version": row.app_version,
        "capture": row.capture,
        "left_out": row.left_out,
        "doubtful": {BASE: row.doubtful_base, NEW: row.doubtful_new},
    }


def _cells(row: Result) -> tuple[str, ...]:
    unit, decimals = metric_unit(row.metric)
    medians = f"{number_text(row.median_base, decimals)} → {number_text(row.median_new, decimals)} {unit}"
    return (
        str(row.interaction),
        row.interaction.type,
        metric_label(row.metric),
        f"{row.n_base}/{row.n_new}",
        medians,
        signed_text(row.delta, decimals),
        p_text(row.p_value).removeprefix("p ").removeprefix("= "),
        number_text(row.cliffs_delta, 2),
        " ".join(part for part in (VERDICT_WORDS[row.verdict], row.severity) if part),
    )
