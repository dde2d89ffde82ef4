"""What changed since a decision was recorded, in plain words: an old record is shown with why it is out of date."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from analysis.policy.checks import PolicyError
from analysis.policy.policyjson import stored_policy
from analysis.verdicts.policywords import policy_changes
from analysis.verdicts.text import count_text, number_text
from reports.comparing.inputs import PairIds
from reports.gate.formats import drift_rows
from reports.gate.selectors import Stand
from reports.models import Comparison, GateRecord

LISTED = 3


@dataclass(frozen=True)
class Recorded:
    """The last decision that somebody recorded. ``changes`` is empty while it says what the gate says now."""

    record: GateRecord
    changes: tuple[str, ...]


def recorded_beside(record: GateRecord, now: Stand, comparison: Comparison) -> Recorded:
    """Compare what a record was made from with how things stand; one query."""
    then = Stand(record.report, record.inputs)
    results = [*_missing(then, now), *_results(then, now), *_drift(then, now)]
    runs = _runs_since(record, comparison) if results or comparison.stale else []
    changes = (
        *_waivers(then, now, timezone.localdate(record.created_at)),
        *_critical(then, now),
        *_policy(then, now),
    )
    found = (*changes, *_scope(then, now), *runs, *results)
    turned = record.decision != now.report["decision"]
    return Recorded(record, found or (("its numbers were counted anew",) if turned else ()))


def _waivers(then: Stand, now: Stand, day: date) -> Iterator[str]:
    """Name the waivers that came, went or expired; those of apps without a regression decide nothing."""
    names = _app_names(then, now)
    before, after = (
        {row["key"]: row for row in stand.inputs.get("waivers", []) if row["app"] in names} for stand in (then, now)
    )
    for key, row in sorted(after.items()):
        if key not in before:
            yield f"waiver #{key} was added ({_place(row, names)})"
        elif day <= date.fromisoformat(row["expires"]) < timezone.localdate():
            yield f"waiver #{key} expired on {row['expires']} ({_place(row, names)})"
        elif row["seconded"] and not before[key].get("seconded", True):
            yield f"waiver #{key} was approved by a second person ({_place(row, names)})"
    for key, row in sorted(before.items()):
        if key not in after:
            yield f"waiver #{key} was withdrawn or refused ({_place(row, names)})"


def _place(waiver: Mapping[str, Any], names: Mapping[str, str]) -> str:
    return " · ".join(part for part in (names.get(waiver["app"], waiver["app"]), waiver["interaction"]) if part)


def _critical(then: Stand, now: Stand) -> Iterator[str]:
    names = _app_names(then, now)
    before, after = (set(stand.inputs.get("critical", [])) & names.keys() for stand in (then, now))
    yield from (f"{names[app]} became critical" for app in sorted(after - before))
    yield from (f"{names[app]} is no longer critical" for app in sorted(before - after))


def _policy(then: Stand, now: Stand) -> Iterator[str]:
    old, new = then.report, now.report
    names = [f"{report.get('policy')} v{report.get('policy_version') or 0}" for report in (old, new)]
    if names[0] == names[1]:
        return
    same_name = old.get("policy") == new.get("policy")
    words = f"policy {names[0]} → {'v' + str(new['policy_version']) if same_name else names[1]}"
    changes = _policy_changes(then, now)
    yield f"{words} ({'; '.join(changes)})" if changes else words


def _policy_changes(then: Stand, now: Stand) -> list[str]:
    try:
        changes = policy_changes(*(stored_policy(stand.inputs["policy"]) for stand in (then, now)))
    except (KeyError, PolicyError):
        return []
    rest = len(changes) - LISTED
    return [*changes[:LISTED], *([f"{rest} more"] if rest > 0 else [])]


def _scope(then: Stand, now: Stand) -> Iterator[str]:
    if then.inputs.get("scope") != now.inputs.get("scope"):
        yield "the scope was changed"


def _runs_since(record: GateRecord, comparison: Comparison) -> list[str]:
    since = record.created_at
    found = (
        PairIds.of(comparison)
        .runs()
        .aggregate(
            measured=Count("pk", filter=Q(measured_at__gt=since)),
            excluded=Count("pk", filter=Q(excluded=True, excluded_at__gt=since)),
        )
    )
    said = [f"{count_text(count, 'run was', 'runs were')} {how} since" for how, count in found.items() if count]
    if comparison.stale and said:
        said.append("these results are being computed again")
    return said


def _missing(then: Stand, now: Stand) -> Iterator[str]:
    before, after = ({tuple(place) for place in stand.inputs.get("missing", [])} for stand in (then, now))
    gone, back = len(after - before), len(before - after)
    if gone:
        have = count_text(gone, "interaction has", "interactions have")
        yield f"{have} no measured run on the updated version now"
    if back:
        yield f"{count_text(back, 'interaction', 'interactions')} that had none can be compared now"


def _results(then: Stand, now: Stand, of: str = "") -> Iterator[str]:
    """Say what regressed since, and what no longer does; ``of`` names the version that a drift is against."""
    rows = [drift_rows(stand.report) if of else stand.report.get("regressions", []) for stand in (then, now)]
    counts = [(stand.report.get("drift") or {}) if of else stand.report for stand in (then, now)]
    before, after = map(_regressed, rows)
    names, against = _app_names(then, now), f" against the pinned {of}" if of else ""
    yield from _listed("{} regressed" + against, [place for place in after if place not in before], names)
    yield from _listed("{} no longer regresses" + against, [place for place in before if place not in after], names)
    other = [place for place in after if place in before and before[place] != after[place]]
    yield from _listed("{} was measured anew" + against, other, names)
    decided = [count.get("decided", 0) for count in counts]
    if decided[0] != decided[1]:
        yield f"decided interactions{against} {number_text(decided[0])} → {number_text(decided[1])}"


def _drift(then: Stand, now: Stand) -> Iterator[str]:
    """Say what is other against the pinned version; that it is asked or no longer is a change of the policy."""
    before, after = then.report.get("drift"), now.report.get("drift")
    if not before or not after:
        return
    if before["pinned"] != after["pinned"]:
        yield f"pinned is {after['pinned'] or 'no version'}, and not {before['pinned'] or 'none'}"
    elif before["state"] != after["state"]:
        yield f"drift is not known now: {after['why']}" if after["why"] else "drift is known now"
    else:
        yield from _results(then, now, of=after["pinned"])


def _regressed(rows: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], list[tuple[str, str, float]]]:
    """Return (app, interaction) → its regressed results, each with its delta as far as anybody reads it."""
    found: dict[tuple[str, str], list[tuple[str, str, float]]] = {}
    for row in rows:
        cell = (row["metric"], row["device"], round(row["delta"], 1))
        found.setdefault((row["app"], row["interaction"]), []).append(cell)
    return {place: sorted(cells) for place, cells in found.items()}


def _listed(words: str, places: list[tuple[str, str]], names: Mapping[str, str]) -> Iterator[str]:
    for app, interaction in places[:LISTED]:
        yield words.format(f"{names.get(app, app)} · {interaction}")
    if len(places) > LISTED:
        yield words.format(f"and {number_text(len(places) - LISTED)} more")


def _app_names(*stands: Stand) -> dict[str, str]:
    """Return package → name of the apps with a regression: what else there is does not decide."""
    rows = (row for stand in stands for row in (*stand.report.get("regressions", []), *drift_rows(stand.report)))
    return {row["app"]: row["app_name"] for row in rows}
