"""The release gate: pass, fail or not enough data, with every reason.

What the results say (``gate_facts``) is kept apart from what is decided about it (``decide_on``): the facts are
stored with a comparison, while waivers, critical apps and the day may turn the decision at any time.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

import pandas as pd

from analysis.gate.drift import Drift, DriftCounts, against_pinned, drift_notes
from analysis.gate.facts import GateFacts, Place, Tally, gate_facts, percent, tally
from analysis.gate.reasons import (
    EXIT_CODES,
    NOT_ENOUGH_DATA,
    Reason,
    coverage_reasons,
    critical_reasons,
    share_reason,
    waiver_notes,
    worst,
)
from analysis.gate.sentences import gate_sentence, regressed_words
from analysis.gate.waivers import Waiver
from analysis.policy.policy import DEFAULT_POLICY, GateRules, Policy
from analysis.verdicts.text import count_text, number_text


@dataclass(frozen=True)
class GateDecision:
    """The decision and its counts of interactions."""

    decision: str
    reasons: tuple[Reason, ...]
    regressed: int  # not waived
    waived: int
    decided: int
    expected: int  # interactions of the baseline, missing ones included
    missing: int
    budget_pct: float
    critical_open: tuple[str, ...]  # names of critical apps with a regression that is not waived
    critical_waived: tuple[str, ...]  # those whose regressions are all waived
    day: date  # against which waivers expired
    drift: DriftCounts | None = None  # against the pinned version; None: the policy does not ask for it

    @property
    def exit_code(self) -> int:
        """What the command exits with."""
        return EXIT_CODES[self.decision]

    @property
    def regressed_pct(self) -> float | None:
        """Percent of the decided interactions that regressed and are not waived."""
        return percent(self.regressed, self.decided)

    @property
    def coverage_pct(self) -> float | None:
        """Percent of the expected interactions that could be decided."""
        return percent(self.decided, self.expected)

    @property
    def sentence(self) -> str:
        """The sentence on top of every page about this comparison."""
        step = gate_sentence(
            regressed=self.regressed,
            waived=self.waived,
            decided=self.decided,
            expected=self.expected,
            budget_pct=self.budget_pct,
            critical_open=self.critical_open,
            critical_waived=self.critical_waived,
        )
        return " ".join(filter(None, [step, self.drift.sentence if self.drift else ""]))


def evaluate_gate(
    results: pd.DataFrame,
    policy: Policy = DEFAULT_POLICY,
    *,
    today: date,
    critical: Collection[str] = (),
    missing: Collection[Place] = (),
    waivers: Sequence[Waiver] = (),
    drift: Drift | None = None,
) -> GateDecision:
    """Decide whether the new version may be released, from the results themselves.

    Parameters
    ----------
    results
        Rows of ``decide`` (app, interaction, metric, n_base, n_new, delta, times_threshold, verdict …).
    policy
        Its ``gate`` rules.
    today
        The day against which waivers expire.
    critical
        Apps without tolerance.
    missing
        (app, interaction) of the baseline that the new version has no runs of.
    waivers
        Accepted regressions; an interaction is waived when each of its regressed rows is.
    drift
        What is known against the pinned version; looked at only where the policy has a budget for it.

    """
    facts = gate_facts(results, policy.gate, missing=missing)
    return decide_on(facts, policy.gate, today=today, critical=critical, waivers=waivers, drift=drift)


def decide_on(
    facts: GateFacts,
    rules: GateRules,
    *,
    today: date,
    critical: Collection[str] = (),
    waivers: Sequence[Waiver] = (),
    drift: Drift | None = None,
) -> GateDecision:
    """Decide on facts at hand; cheap enough to be asked by every page.

    Where the rules have a budget for drift, a ``drift`` that nobody gives is not known, and nothing passes.
    """
    found = tally(facts, waivers, today)
    reasons = [*_budget(found, facts.decided, rules), *_critical(found, critical, rules), *_coverage(facts, rules)]
    notes = waiver_notes(facts.regressions, waivers, today)
    counted = None
    if rules.drift_budget_pct is not None:
        drift = drift or Drift()
        counted, more = against_pinned(
            drift, own=facts, rules=rules, today=today, critical=critical, waivers=waivers
        )
        reasons += more
        notes += drift_notes(drift, waivers, today, notes)
    return GateDecision(
        decision=worst([*reasons, *notes]),
        reasons=(*reasons, *notes),
        regressed=found.regressed,
        waived=found.waived,
        decided=facts.decided,
        expected=facts.expected,
        missing=facts.missing,
        budget_pct=rules.budget_pct,
        critical_open=found.open_apps(critical),
        critical_waived=found.waived_apps(critical),
        day=today,
        drift=counted,
    )


def _budget(found: Tally, decided: int, rules: GateRules) -> list[Reason]:
    if not decided:
        return []
    words = regressed_words(found.regressed, found.waived, decided)
    return [share_reason("budget", words, 100.0 * found.regressed / decided, rules.budget_pct, "budget")]


def _critical(found: Tally, critical: Collection[str], rules: GateRules) -> list[Reason]:
    hit = found.open_places(critical)
    return critical_reasons("critical", hit, found.names, "regressed") if len(hit) > rules.critical_budget else []


def _coverage(facts: GateFacts, rules: GateRules) -> list[Reason]:
    if not facts.decided:
        return [Reason("nothing", NOT_ENOUGH_DATA, "No interaction has enough measured runs of both versions")]
    words = f"{number_text(facts.decided)} of the baseline's {count_text(facts.expected, 'interaction')}"
    share = 100.0 * facts.decided / facts.expected
    return coverage_reasons("coverage", f"{words} could be decided", share, rules.min_coverage_pct, facts.missing)
