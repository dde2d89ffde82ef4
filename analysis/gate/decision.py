"""The release gate: pass, fail or not enough data, with every reason.

What the results say (``gate_facts``) is kept apart from what is decided about it (``decide_on``): the facts are
stored with a comparison, while waivers, critical apps and the day may turn the decision at any time.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import pandas as pd

from analysis.gate.sentences import gate_sentence, regressed_words
from analysis.gate.waivers import Regression, Waiver, is_serious, waived_by
from analysis.policy.policy import DEFAULT_POLICY, GateRules, Policy
from analysis.verdicts.risk import worst_first
from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import count_text, number_text, share_text, signed_text
from analysis.verdicts.words import MORE_RUNS_NEEDED, REGRESSION

PASS, FAIL, NOT_ENOUGH_DATA = "pass", "fail", "not_enough_data"
EXIT_CODES = {PASS: 0, FAIL: 3, NOT_ENOUGH_DATA: 4}
INTERACTION = ["app", "interaction"]
WAIVER_EXPIRED, WAIVER_EXCEEDED, WAIVER_WAITS = "waiver_expired", "waiver_exceeded", "waiver_waits"
WARNINGS = (WAIVER_EXPIRED, WAIVER_EXCEEDED, WAIVER_WAITS)  # rules that decide nothing and are yet not in order


@dataclass(frozen=True)
class Reason:
    """Why the gate decided so. ``rule``: budget, critical, coverage, one of WARNINGS, or nothing."""

    rule: str
    decides: str  # the decision that this reason alone would lead to
    text: str
    app: str = ""
    interaction: str = ""
    waiver: int | None = None  # the key of the waiver that it speaks of


@dataclass(frozen=True)
class GateFacts:
    """What a decision takes from the results. Counts are of interactions; regressions come worst first."""

    regressions: tuple[Regression, ...]
    decided: int
    expected: int  # interactions of the baseline, missing ones included
    missing: int


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

    @property
    def exit_code(self) -> int:
        """What the command exits with."""
        return EXIT_CODES[self.decision]

    @property
    def regressed_pct(self) -> float | None:
        """Percent of the decided interactions that regressed and are not waived."""
        return _pct(self.regressed, self.decided)

    @property
    def coverage_pct(self) -> float | None:
        """Percent of the expected interactions that could be decided."""
        return _pct(self.decided, self.expected)

    @property
    def sentence(self) -> str:
        """The sentence on top of every page about this comparison."""
        return gate_sentence(
            regressed=self.regressed,
            waived=self.waived,
            decided=self.decided,
            expected=self.expected,
            budget_pct=self.budget_pct,
            critical_open=self.critical_open,
            critical_waived=self.critical_waived,
        )


def evaluate_gate(
    results: pd.DataFrame,
    policy: Policy = DEFAULT_POLICY,
    *,
    today: date,
    critical: Collection[str] = (),
    missing: Collection[tuple[str, str]] = (),
    waivers: Sequence[Waiver] = (),
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

    """
    facts = gate_facts(results, policy.gate, missing=missing)
    return decide_on(facts, policy.gate, today=today, critical=critical, waivers=waivers)


def gate_facts(results: pd.DataFrame, rules: GateRules, *, missing: Collection[tuple[str, str]] = ()) -> GateFacts:
    """Count the interactions (decided: enough runs, or a regression all the same) and list the regressions."""
    regressed = results["verdict"] == REGRESSION
    enough = results[["n_base", "n_new"]].min(axis=1) >= rules.min_runs
    decided = regressed | (enough & (results["verdict"] != MORE_RUNS_NEEDED))
    by_interaction = results[INTERACTION].assign(decided=decided).groupby(INTERACTION)["decided"].any()
    gone = len(set(missing))
    return GateFacts(
        regressions=tuple(regression_rows(worst_first(results[regressed]), rules.second_approver_from)),
        decided=int(by_interaction.sum()),
        expected=len(by_interaction) + gone,
        missing=gone,
    )


def regression_rows(rows: pd.DataFrame, second_approver_from: float | None) -> Iterable[Regression]:
    """Return these result rows as waivers look at them; an app without a name goes by its key."""
    names = rows["app_name"] if "app_name" in rows else rows["app"]
    kinds = rows["interaction_type"] if "interaction_type" in rows else [""] * len(rows)
    serious = [is_serious(times, second_approver_from) for times in rows["times_threshold"].astype(float)]
    deltas = rows["delta"].astype(float)
    return map(Regression, rows["app"], names, rows["interaction"], kinds, rows["metric"], deltas, serious)


def decide_on(
    facts: GateFacts,
    rules: GateRules,
    *,
    today: date,
    critical: Collection[str] = (),
    waivers: Sequence[Waiver] = (),
) -> GateDecision:
    """Decide on facts at hand; cheap enough to be asked by every page."""
    still_open = _still_open(facts.regressions, waivers, today)
    regressed, waived = sum(still_open.values()), len(still_open) - sum(still_open.values())
    names = {row.app: row.app_name for row in facts.regressions}
    hit = {app for app, _ in still_open if app in critical}
    hit_open = {app for (app, _), is_open in still_open.items() if is_open and app in critical}
    reasons = (
        *_budget(regressed, waived, facts.decided, rules),
        *_critical([place for place, is_open in still_open.items() if is_open], names, critical, rules),
        *_coverage(facts, rules),
        *_waiver_notes(facts.regressions, waivers, today),
    )
    return GateDecision(
        decision=_worst(reasons),
        reasons=reasons,
        regressed=regressed,
        waived=waived,
        decided=facts.decided,
        expected=facts.expected,
        missing=facts.missing,
        budget_pct=rules.budget_pct,
        critical_open=tuple(sorted(names[app] for app in hit_open)),
        critical_waived=tuple(sorted(names[app] for app in hit - hit_open)),
        day=today,
    )


def _still_open(rows: Sequence[Regression], waivers: Sequence[Waiver], today: date) -> dict[tuple[str, str], bool]:
    """Return for each regressed (app, interaction) whether any of its rows is not waived."""
    found: dict[tuple[str, str], bool] = {}
    for row, excuse in zip(rows, waived_by(rows, waivers, today=today), strict=True):
        place = row.app, row.interaction
        found[place] = found.get(place, False) or excuse < 0
    return found


def _budget(regressed: int, waived: int, decided: int, rules: GateRules) -> list[Reason]:
    if not decided:
        return []
    share = 100.0 * regressed / decided
    over = share > rules.budget_pct
    words = f"{regressed_words(regressed, waived, decided)}: {share_text(share)}"
    text = f"{words}, {'over' if over else 'within'} the budget of {share_text(rules.budget_pct)}"
    return [Reason("budget", FAIL if over else PASS, text)]


def _critical(
    places: Sequence[tuple[str, str]], names: dict[str, str], critical: Collection[str], rules: GateRules
) -> list[Reason]:
    hit = [place for place in places if place[0] in critical]
    if len(hit) <= rules.critical_budget:
        return []
    return [
        Reason("critical", FAIL, f"{names[app]} · {name} regressed, and the app is critical", app, name)
        for app, name in hit
    ]


def _coverage(facts: GateFacts, rules: GateRules) -> list[Reason]:
    if not facts.decided:
        return [Reason("nothing", NOT_ENOUGH_DATA, "No interaction has enough measured runs of both versions")]
    share = 100.0 * facts.decided / facts.expected
    if share >= rules.min_coverage_pct:
        return []
    words = f"{number_text(facts.decided)} of the baseline's {count_text(facts.expected, 'interaction')}"
    text = f"{words} could be decided: {share_text(share)}, {share_text(rules.min_coverage_pct)} are needed"
    if facts.missing:
        text += f"; {number_text(facts.missing)} have no measured run on the updated version"
    return [Reason("coverage", NOT_ENOUGH_DATA, text)]


def _waiver_notes(rows: Sequence[Regression], waivers: Sequence[Waiver], today: date) -> list[Reason]:
    """Say of each waiver that speaks about a regression but does not accept it why not."""
    notes = []
    for waiver in waivers:
        fits = [row for row in rows if waiver.about(row)]
        past = [row for row in fits if not waiver.within(row)]
        waits = [row for row in fits if waiver.waits_for(row)]
        if fits and not waiver.holds(today):
            expired = f"expired on {waiver.expires.isoformat()}; what it accepted counts again"
            notes.append(_note(WAIVER_EXPIRED, waiver, fits[0], expired))
        elif past:
            notes.append(_note(WAIVER_EXCEEDED, waiver, past[0], passed_words(waiver, past[0])))
        elif waits:
            notes.append(_note(WAIVER_WAITS, waiver, waits[0], waits_words(waiver)))
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


def _note(rule: str, waiver: Waiver, row: Regression, why: str) -> Reason:
    place = " · ".join(part for part in (row.app_name, waiver.interaction) if part)
    return Reason(rule, PASS, f"The waiver for {place} {why}", waiver.app, waiver.interaction or "", waiver.key)


def _worst(reasons: Sequence[Reason]) -> str:
    decides = {reason.decides for reason in reasons}
    return next(word for word in (FAIL, NOT_ENOUGH_DATA, PASS) if word in decides)


def _pct(part: int, whole: int) -> float | None:
    return 100.0 * part / whole if whole else None
