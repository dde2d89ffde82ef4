"""Why the gate decides so: reasons, each with the decision that it alone would lead to, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from analysis.gate.facts import Place
from analysis.gate.waivers import Regression, Waiver
from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import number_text, share_text, signed_text

PASS, FAIL, NOT_ENOUGH_DATA = "pass", "fail", "not_enough_data"
EXIT_CODES = {PASS: 0, FAIL: 3, NOT_ENOUGH_DATA: 4}
WAIVER_EXPIRED, WAIVER_EXCEEDED, WAIVER_WAITS = "waiver_expired", "waiver_exceeded", "waiver_waits"
WARNINGS = (WAIVER_EXPIRED, WAIVER_EXCEEDED, WAIVER_WAITS)  # rules that decide nothing and are yet not in order


@dataclass(frozen=True)
class Reason:
    """Why the gate decided so. ``rule``: budget, critical, coverage, one of drift or of WARNINGS, or nothing."""

    rule: str
    decides: str  # the decision that this reason alone would lead to
    text: str
    app: str = ""
    interaction: str = ""
    waiver: int | None = None  # the key of the waiver that it speaks of


def share_reason(rule: str, words: str, share: float, budget_pct: float, budget: str) -> Reason:
    """Hold a share in percent against a budget."""
    over = share > budget_pct
    side = "over" if over else "within"
    text = f"{words}: {share_text(share)}, {side} the {budget} of {share_text(budget_pct)}"
    return Reason(rule, FAIL if over else PASS, text)


def critical_reasons(rule: str, places: Sequence[Place], names: Mapping[str, str], did: str) -> list[Reason]:
    """Name each interaction of a critical app that fails the gate."""
    return [
        Reason(rule, FAIL, f"{names[app]} · {name} {did}, and the app is critical", app, name)
        for app, name in places
    ]


def coverage_reasons(rule: str, words: str, share: float, needed_pct: float, missing: int) -> list[Reason]:
    """Say that too few interactions could be decided; nothing where they are enough."""
    if share >= needed_pct:
        return []
    text = f"{words}: {share_text(share)}, {share_text(needed_pct)} are needed"
    if missing:
        text += f"; {number_text(missing)} have no measured run on the updated version"
    return [Reason(rule, NOT_ENOUGH_DATA, text)]


def waiver_notes(
    rows: Sequence[Regression], waivers: Sequence[Waiver], today: date, *, pinned: str = ""
) -> list[Reason]:
    """Say of each waiver that speaks about a regression but does not accept it why not.

    ``pinned`` names the version that they are regressions against, where that is not the baseline.
    """
    notes = []
    for waiver in waivers:
        fits = [row for row in rows if waiver.about(row)]
        past = [row for row in fits if not waiver.within(row)]
        waits = [row for row in fits if waiver.waits_for(row)]
        if fits and not waiver.holds(today):
            expired = f"expired on {waiver.expires.isoformat()}; what it accepted counts again"
            notes.append(_note(WAIVER_EXPIRED, waiver, fits[0], expired, pinned))
        elif past:
            notes.append(_note(WAIVER_EXCEEDED, waiver, past[0], passed_words(waiver, past[0]), pinned))
        elif waits:
            notes.append(_note(WAIVER_WAITS, waiver, waits[0], waits_words(waiver), pinned))
    return notes


def passed_words(waiver: Waiver, row: Regression) -> str:
    """Say by how much a regression is past what a waiver accepts."""
    unit, decimals = metric_unit(row.metric)
    limit = f"{signed_text(waiver.ceilings[row.metric], max(decimals, 1))} {unit}".strip()
    measured = f"{signed_text(row.delta, max(decimals, 1))} {unit}".strip()
    return f"accepts {metric_label(row.metric).lower()} up to {limit}; {measured} was measured, and counts"


def waits_words(waiver: Waiver) -> str:
    """Say that a second person has to approve a waiver, and who proposed it."""
    takes = "so large a regression takes two people, and counts until then"
    return f"waits for a second approval (proposed by {waiver.approver}): {takes}"


def _note(rule: str, waiver: Waiver, row: Regression, why: str, pinned: str) -> Reason:
    place = " · ".join(part for part in (row.app_name, waiver.interaction) if part)
    whose = f"Against the pinned {pinned}, the waiver" if pinned else "The waiver"
    return Reason(rule, PASS, f"{whose} for {place} {why}", waiver.app, waiver.interaction or "", waiver.key)


def worst(reasons: Sequence[Reason]) -> str:
    """Return the decision that all of these reasons lead to."""
    decides = {reason.decides for reason in reasons}
    return next(word for word in (FAIL, NOT_ENOUGH_DATA, PASS) if word in decides)
