"""The release gate: pass, fail or not enough data, with every reason."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

import pandas as pd

from analysis.gate.waivers import Waiver, waived_by
from analysis.policy.policy import DEFAULT_POLICY, GateRules, Policy
from analysis.verdicts.risk import worst_first
from analysis.verdicts.text import count_text, number_text, share_text
from analysis.verdicts.words import MORE_RUNS_NEEDED, REGRESSION

PASS, FAIL, NOT_ENOUGH_DATA = "pass", "fail", "not_enough_data"
EXIT_CODES = {PASS: 0, FAIL: 3, NOT_ENOUGH_DATA: 4}
INTERACTION = ["app", "interaction"]


@dataclass(frozen=True)
class Reason:
    """Why the gate decided so. ``rule``: budget, critical, coverage, waiver_expired, waiver_exceeded or nothing."""

    rule: str
    decides: str  # the decision that this reason alone would lead to
    text: str
    app: str = ""
    interaction: str = ""


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
    regressed_pct: float | None
    coverage_pct: float | None
    day: date  # against which waivers expired

    @property
    def exit_code(self) -> int:
        """What the command exits with."""
        return EXIT_CODES[self.decision]


def evaluate_gate(
    results: pd.DataFrame,
    policy: Policy = DEFAULT_POLICY,
    *,
    today: date,
    critical: Collection[str] = (),
    missing: Collection[tuple[str, str]] = (),
    waivers: Sequence[Waiver] = (),
) -> GateDecision:
    """Decide whether the new version may be released.

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

    """
    rules = policy.gate
    table = _interactions(results, rules, waivers, today)
    regressed, decided = table[table["open"]], int(table["decided"].sum())
    gone, expected = len(set(missing)), len(table) + len(set(missing))
    reasons = (
        *_budget(len(regressed), decided, rules),
        *_critical(regressed, critical, rules),
        *_coverage(decided, expected, gone, rules),
        *_waiver_notes(results, waivers, today),
    )
    return GateDecision(
        decision=_worst(reasons),
        reasons=reasons,
        regressed=len(regressed),
        waived=int((table["regressed"] & ~table["open"]).sum()),
        decided=decided,
        expected=expected,
        missing=gone,
        regressed_pct=_pct(len(regressed), decided),
        coverage_pct=_pct(decided, expected),
        day=today,
    )


def _interactions(results: pd.DataFrame, rules: GateRules, waivers: Sequence[Waiver], today: date) -> pd.DataFrame:
    """Return one row per interaction: decided (enough runs, or a regression all the same), regressed, open."""
    regressed = results["verdict"] == REGRESSION
    enough = results[["n_base", "n_new"]].min(axis=1) >= rules.min_runs
    rows = results[INTERACTION].assign(
        regressed=regressed,
        open=regressed & (waived_by(results, waivers, today=today) < 0),
        decided=regressed | (enough & (results["verdict"] != MORE_RUNS_NEEDED)),
    )
    return rows.groupby(INTERACTION, sort=True)[["regressed", "open", "decided"]].any().reset_index()


def _budget(regressed: int, decided: int, rules: GateRules) -> list[Reason]:
    if not decided:
        return []
    share = 100.0 * regressed / decided
    over = share > rules.budget_pct
    words = f"{number_text(regressed)} of {count_text(decided, 'interaction')} regressed: {share_text(share)}"
    text = f"{words}, {'over' if over else 'within'} the budget of {share_text(rules.budget_pct)}"
    return [Reason("budget", FAIL if over else PASS, text)]


def _critical(regressed: pd.DataFrame, critical: Collection[str], rules: GateRules) -> list[Reason]:
    hit = regressed[regressed["app"].isin(list(critical))]
    if len(hit) <= rules.critical_budget:
        return []
    return [
        Reason("critical", FAIL, f"{app} · {name} regressed, and the app is critical", app, name)
        for app, name in hit[INTERACTION].itertuples(index=False)
    ]


def _coverage(decided: int, expected: int, missing: int, rules: GateRules) -> list[Reason]:
    if not decided:
        return [Reason("nothing", NOT_ENOUGH_DATA, "No interaction has enough measured runs of both versions")]
    share = 100.0 * decided / expected
    if share >= rules.min_coverage_pct:
        return []
    words = f"{number_text(decided)} of the baseline's {count_text(expected, 'interaction')} could be decided"
    text = f"{words}: {share_text(share)}, {share_text(rules.min_coverage_pct)} are needed"
    if missing:
        text += f"; {number_text(missing)} have no measured run on the updated version"
    return [Reason("coverage", NOT_ENOUGH_DATA, text)]


def _waiver_notes(results: pd.DataFrame, waivers: Sequence[Waiver], today: date) -> list[Reason]:
    """Say of each regression that a waiver speaks about but does not accept why not."""
    rows = worst_first(results[results["verdict"] == REGRESSION])
    notes = []
    for waiver in waivers:
        fits = rows[waiver.about(rows)]
        if len(fits) and not waiver.holds(today):
            notes.append(_note("waiver_expired", waiver, f"expired on {waiver.expires.isoformat()}"))
        elif not waiver.covers(fits).all():
            notes.append(
                _note("waiver_exceeded", waiver, f"accepts +{waiver.ceiling:g} at most; more was measured")
            )
    return notes


def _note(rule: str, waiver: Waiver, why: str) -> Reason:
    place = " · ".join(part for part in (waiver.app, waiver.interaction, waiver.metric) if part)
    return Reason(rule, PASS, f"The waiver for {place} {why}", waiver.app, waiver.interaction or "")


def _worst(reasons: Sequence[Reason]) -> str:
    decides = {reason.decides for reason in reasons}
    return next(word for word in (FAIL, NOT_ENOUGH_DATA, PASS) if word in decides)


def _pct(part: int, whole: int) -> float | None:
    return 100.0 * part / whole if whole else None
