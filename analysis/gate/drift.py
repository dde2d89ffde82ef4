"""The rule against the pinned version: many steps that nobody feels may together be one that everybody does.

What has regressed against the pinned version of the new version's line is counted like what has regressed against
the baseline, by a budget of its own.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from analysis.gate.facts import GateFacts, Tally, percent, tally
from analysis.gate.reasons import (
    NOT_ENOUGH_DATA,
    PASS,
    Reason,
    coverage_reasons,
    critical_reasons,
    share_reason,
    waiver_notes,
)
from analysis.gate.sentences import drift_sentence, regressed_words
from analysis.gate.waivers import Waiver
from analysis.policy.policy import GateRules
from analysis.verdicts.text import count_text, number_text

# What there is to ask: both versions, the baseline is the pinned one, the new one is it; not yet, or nobody knows.
STATES = COUNTED, SAME, ITSELF, WAITS, UNKNOWN = "counted", "same", "itself", "waits", "unknown"
DRIFT, DRIFT_CRITICAL, DRIFT_COVERAGE, DRIFT_UNKNOWN = "drift", "drift_critical", "drift_coverage", "drift_unknown"


@dataclass(frozen=True)
class Drift:
    """What is known of the new version against the ``pinned`` one of its line.

    ``facts`` are those of the two where the state is COUNTED; ``why`` ends a sentence that says nothing is known.
    """

    state: str = UNKNOWN
    pinned: str = ""
    facts: GateFacts | None = None
    why: str = "nobody has looked"


@dataclass(frozen=True)
class DriftCounts:
    """How the rule stands. Counts are of interactions, 0 where nothing is known or there is nothing to ask."""

    state: str
    pinned: str
    why: str
    regressed: int  # not waived
    waived: int
    decided: int
    expected: int  # interactions of the pinned version, missing ones included
    missing: int
    budget_pct: float
    critical_open: tuple[str, ...]  # names of critical apps with a regression against it that is not waived

    @property
    def regressed_pct(self) -> float | None:
        """Percent of the interactions decided against the pinned version that regressed and are not waived."""
        return percent(self.regressed, self.decided)

    @property
    def sentence(self) -> str:
        """What the sentence of the gate says of it; empty where that is said already."""
        if self.state in (SAME, ITSELF):
            return ""
        return drift_sentence(
            pinned=self.pinned,
            why=self.why,
            regressed=self.regressed,
            waived=self.waived,
            decided=self.decided,
            budget_pct=self.budget_pct,
            critical_open=self.critical_open,
        )


def against_pinned(
    drift: Drift,
    *,
    own: GateFacts,
    rules: GateRules,
    today: date,
    critical: Collection[str],
    waivers: Sequence[Waiver],
) -> tuple[DriftCounts, list[Reason]]:
    """Ask the rule. ``own`` are the facts against the baseline: the very same where that is the pinned version."""
    facts = own if drift.state == SAME else drift.facts if drift.state == COUNTED else None
    found = tally(facts or GateFacts(), waivers, today)
    counts = _counts(drift, facts or GateFacts(), found, rules, critical)
    if drift.state == ITSELF:
        return counts, [Reason(DRIFT, PASS, f"{drift.pinned} is the pinned version: nothing can have drifted")]
    if facts is None:
        return counts, [Reason(DRIFT_UNKNOWN, NOT_ENOUGH_DATA, f"Drift is not known: {drift.why}")]
    hit = found.open_places(critical)
    if drift.state == SAME:
        reasons = _same_reasons(counts)
        told = len(hit) > rules.critical_budget  # by the rule of critical apps
    else:
        reasons = _reasons(counts, rules)
        told = False
    if len(hit) > rules.drift_critical_budget and not told:
        did = f"regressed against the pinned {drift.pinned}"
        reasons += critical_reasons(DRIFT_CRITICAL, hit, found.names, did)
    return counts, reasons


def drift_notes(drift: Drift, waivers: Sequence[Waiver], today: date, said: Sequence[Reason]) -> list[Reason]:
    """Say of each waiver why it does not accept what regressed against the pinned version, unless that is said."""
    if drift.state != COUNTED or drift.facts is None:
        return []
    known = {note.waiver for note in said}
    notes = waiver_notes(drift.facts.regressions, waivers, today, pinned=drift.pinned)
    return [note for note in notes if note.waiver not in known]


def _counts(
    drift: Drift, facts: GateFacts, found: Tally, rules: GateRules, critical: Collection[str]
) -> DriftCounts:
    return DriftCounts(
        state=drift.state,
        pinned=drift.pinned,
        why=drift.why if drift.state in (WAITS, UNKNOWN) else "",
        regressed=found.regressed,
        waived=found.waived,
        decided=facts.decided,
        expected=facts.expected,
        missing=facts.missing,
        budget_pct=rules.drift_budget_pct or 0.0,
        critical_open=found.open_apps(critical),
    )


def _same_reasons(counts: DriftCounts) -> list[Reason]:
    """Hold what is counted already against this budget as well; that too little is known is said already, too."""
    if counts.regressed_pct is None:
        return []
    words = f"The baseline {counts.pinned} is the pinned version, and the same counts as drift"
    return [share_reason(DRIFT, words, counts.regressed_pct, counts.budget_pct, "drift budget")]


def _reasons(counts: DriftCounts, rules: GateRules) -> list[Reason]:
    if counts.regressed_pct is None:
        text = f"No interaction has enough measured runs of the pinned {counts.pinned} and the updated version"
        return [Reason(DRIFT_COVERAGE, NOT_ENOUGH_DATA, text)]
    regressed = regressed_words(counts.regressed, counts.waived, counts.decided)
    words = f"Against the pinned {counts.pinned}, {regressed}"
    whose = f"the {count_text(counts.expected, 'interaction')} of the pinned {counts.pinned}"
    covered = f"{number_text(counts.decided)} of {whose} could be decided against it"
    share = 100.0 * counts.decided / counts.expected
    return [
        share_reason(DRIFT, words, counts.regressed_pct, counts.budget_pct, "drift budget"),
        *coverage_reasons(DRIFT_COVERAGE, covered, share, rules.min_coverage_pct, counts.missing),
    ]
