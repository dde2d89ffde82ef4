"""What the triage box says about one interaction: its state, whether it still counts, and the ways out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.http import urlencode

from analysis.gate.decision import GateDecision
from analysis.gate.waivers import Regression, Waiver, is_serious
from analysis.verdicts.words import REGRESSION
from reports.comparing.drifted import DriftMark, drift_marks
from reports.comparing.selectors import comparison_address
from reports.comparing.standing import RulesNow, rules_now, standing
from reports.models import Comparison, Device, Interaction, OsVersion, Run, RunStatus, TriageEntry, TriageState
from reports.policies.selectors import waive_address
from reports.triage.selectors import FixCheck, fix_checks, issue_links, state_of, triage_history

# States in which a person says that the finding is nothing. It counts all the same: by a word alone no gate turns.
DISOWNED = (TriageState.INVALID, TriageState.INFRA)


@dataclass(frozen=True)
class Exclusion:
    """Runs of the updated version that were excluded together."""

    run_ids: tuple[int, ...]
    reason: str
    by: str
    at: datetime | None


@dataclass(frozen=True)
class TriageBox:
    """The box of one interaction of a pair of versions."""

    history: tuple[TriageEntry, ...]
    regressed: int  # results of it that regressed
    waivers: tuple[Waiver, ...]  # in force, that accept some of them
    waiting: tuple[Waiver, ...]  # in force, that accept some of them once a second person has approved
    stands: GateDecision | None  # the gate of the whole comparison; None before the first computation
    gate: str  # address
    counts: bool  # it regressed, and not all of that is waived
    waive: str  # address
    exclude: str  # address
    excludable: int  # runs on the updated version that still take part
    exclusions: tuple[Exclusion, ...]
    fixes: tuple[FixCheck, ...]
    drift: DriftMark | None = None  # it regressed against the pinned version, though this step was not felt
    issue: str = ""  # address of the first issue that was made of it and is still there
    states: tuple[str, ...] = tuple(TriageState.values)

    @property
    def state(self) -> str:
        """The state that the history ends in."""
        return state_of(list(self.history))

    @property
    def seen(self) -> int:
        """The id of the newest decision that the box shows."""
        return self.history[0].pk if self.history else 0

    @property
    def entry(self) -> TriageEntry | None:
        """The newest decision."""
        return self.history[0] if self.history else None

    @property
    def bug_url(self) -> str:
        """Where the finding leads: the link of the newest decision, else the issue that was made of it."""
        return (self.entry.bug_url if self.entry else "") or self.issue

    @property
    def gate_words(self) -> str:
        """Say whether a regression counts in the gate, or who waives it; nothing where nothing regressed."""
        if self.counts:
            return "It counts in the release gate."
        return " ".join(
            f"Waived by {waiver.approvers} until {waiver.expires.isoformat()}: {waiver.reason.rstrip('.')}."
            for waiver in self.waivers
        )

    @property
    def failed_fix(self) -> bool:
        """Tell whether it was marked fixed in this version and still regressed."""
        return any(fix.regressed for fix in self.fixes)

    @property
    def disowned(self) -> bool:
        """Tell whether somebody said that this is no finding, while it still counts."""
        return self.counts and self.state in DISOWNED


def triage_box(
    *,
    comparison: Comparison | None,
    base: OsVersion,
    new: OsVersion,
    interaction: Interaction,
    device: Device | None,
) -> TriageBox:
    """Load the box: eleven queries at most; eight of them only where the versions have been compared."""
    history = tuple(triage_history(base_id=base.pk, new_id=new.pk, interaction_id=interaction.pk))
    rules = rules_now() if comparison else None
    found = _regressions(comparison, interaction, rules) if comparison and rules else []
    waivers = [waiver for waiver in rules.waivers if waiver.holds(rules.today)] if rules else []
    pair = comparison or Comparison(base=base, new=new)  # two versions that were not compared have a page, too
    gate = comparison_address("gate-pair", pair)
    runs = _judged_runs(interaction, new)
    entry = history[0] if history else None
    links = issue_links(base_id=base.pk, new_id=new.pk, interaction_ids=[interaction.pk])
    issue = links.get(interaction.pk, "")
    return TriageBox(
        history=history,
        regressed=len(found),
        waivers=tuple(waiver for waiver in waivers if any(waiver.covers(row) for row in found)),
        waiting=tuple(waiver for waiver in waivers if any(waiver.waits_for(row) for row in found)),
        stands=standing(comparison, rules=rules) if comparison and comparison.summary else None,
        gate=gate,
        counts=any(not any(waiver.covers(row) for waiver in waivers) for row in found),
        waive=waive_address(
            interaction.app.package,
            interaction.name,
            [(row.metric, row.delta) for row in found],
            back=gate,
            reason=offered_reason(entry),
            issue_url=(entry.bug_url if entry else "") or issue,
        ),
        exclude=exclude_address(base, new, interaction, device),
        excludable=sum(not run.excluded and (device is None or run.device_id == device.pk) for run in runs),
        exclusions=tuple(_exclusions([run for run in runs if run.excluded])),
        fixes=tuple(fix_checks(comparison, interaction_id=interaction.pk)) if comparison else (),
        drift=_drift(comparison, interaction, device) if comparison and not found else None,
        issue=issue,
    )


def _drift(comparison: Comparison, interaction: Interaction, device: Device | None) -> DriftMark | None:
    marks = drift_marks(comparison, [interaction.pk])
    return next((mark for (_, on), mark in marks.items() if device is None or on == device.pk), None)


def offered_reason(entry: TriageEntry | None) -> str:
    """Return what a waiver or an exclusion may give as its reason: the state and the note of the last decision."""
    if entry is None or entry.state == TriageState.UNTRIAGED:
        return ""
    return f"{entry.state}: {entry.note}" if entry.note else f"triaged as {entry.state}"


def exclude_address(base: OsVersion, new: OsVersion, interaction: Interaction, device: Device | None) -> str:
    """Return the address of the page that excludes the runs of an interaction on the updated version."""
    chosen = {"interaction": interaction.pk, **({"device": device.pk} if device else {})}
    return f"{reverse('triage-exclude', args=[base.name, new.name])}?{urlencode(chosen)}"


def _regressions(comparison: Comparison, interaction: Interaction, rules: RulesNow) -> list[Regression]:
    second_from = rules.policy_for(comparison).gate.second_approver_from
    rows = comparison.results.filter(interaction=interaction, verdict=REGRESSION).order_by("-times_threshold")
    app = interaction.app
    return [
        Regression(
            app.package,
            app.name,
            interaction.name,
            interaction.type,
            metric,
            delta or 0.0,
            is_serious(times, second_from),
        )
        for metric, delta, times in rows.values_list("metric", "delta", "times_threshold")
    ]


class _Judged(NamedTuple):
    """What the box needs of a run; there may be thousands."""

    id: int
    excluded: bool
    device_id: int
    reason: str
    by: str | None
    at: datetime | None
    created_at: datetime


def _judged_runs(interaction: Interaction, version: OsVersion) -> list[_Judged]:
    """Return the runs that take part in comparisons or were kept out of them."""
    why = ("excluded_reason", "excluded_by__username", "excluded_at")
    runs = Run.objects.filter(interaction=interaction, os_version=version).order_by("-id")
    judged = runs.filter(Q(excluded=True) | Q(status=RunStatus.DONE))
    return [_Judged(*row) for row in judged.values_list("id", "excluded", "device_id", *why, "created_at")]


def _exclusions(runs: Sequence[_Judged]) -> list[Exclusion]:
    """Group the excluded runs by who excluded them when and why, the last first."""
    groups: dict[tuple[str, str, datetime | None], list[int]] = {}
    for run in sorted(runs, key=lambda run: run.at or run.created_at, reverse=True):
        groups.setdefault((run.reason, run.by or "", run.at), []).append(run.id)
    return [Exclusion(tuple(ids), reason, by, at) for (reason, by, at), ids in groups.items()]
