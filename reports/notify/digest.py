"""The weekly digest: what regressed, what was fixed, how the share of regressions goes, what is due and open."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import date, datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone

from analysis.gate.decision import GateDecision
from analysis.names import harmless
from analysis.verdicts.text import count_text, share_text
from reports.comparing.selectors import comparison_address, recent_comparisons
from reports.comparing.standing import rules_now, standing
from reports.gate.formats import WORDS
from reports.models import Comparison, Event, TriageEntry, TriageState
from reports.notify.messages import OVERDUE, Line, Message, Section, absolute, more_words, row_line, worst_rows
from reports.outbox.services import week_is_over
from reports.triage.selectors import OpenFinding, fix_checks, open_findings, triage_counts

MONDAY, FROM_HOUR = 0, 7  # in the time of the installation
WEEK = timedelta(days=7)
LATEST = 3  # so many comparisons are asked for regressions that nobody looked at, as on the first page
MOST_FIXED = MOST_DUE = 10
AGES = ((7, "under a week"), (14, "one to two weeks"), (28, "two to four weeks"), (None, "over four weeks"))

Stand = tuple[Comparison, GateDecision]


def write_weekly(now: datetime | None = None) -> str:
    """Write the digest of the week that is over, on Mondays and once; say in words what became of it."""
    here = timezone.localtime(now)
    if here.weekday() != MONDAY or here.hour < FROM_HOUR:
        return "not due"
    message = digest(here)
    if message is None:
        return "nothing to tell"
    week = (here - WEEK).strftime("%G-W%V")
    return "written" if week_is_over(week=week, facts=asdict(message)) else "written before"


def message_of_digest(event: Event, to: Any) -> Message:
    """Return the digest as it was written."""
    facts = event.facts
    sections = [
        Section(each["heading"], tuple(Line(**line) for line in each["lines"]), each["more"])
        for each in facts["sections"]
    ]
    return Message(**{**facts, "sections": tuple(sections)})


def digest(now: datetime) -> Message | None:
    """Return the digest of the seven days before ``now``; None if there is nothing to tell of at all."""
    computed = [row for row in recent_comparisons() if row.summary]
    rules = rules_now(computed)
    stands = [(row, standing(row, rules=rules)) for row in computed]
    if not stands:
        return None
    fresh = [stand for stand in stands if stand[0].computed_at and stand[0].computed_at >= now - WEEK]
    last, decision = stands[0]
    rows, left = worst_rows(last)
    found = open_findings()
    due = _due(found, now)
    sections = [
        Section("Compared this week", tuple(map(_stand_line, fresh))),
        Section(f"Top regressions of {last}", tuple(row_line(last, row) for row in rows), more_words(left)),
        Section("Fixed?", tuple(_fixes(last))),
        Section("Share of interactions that regressed", tuple(_shares(stands))),
        Section("Due", tuple(due[:MOST_DUE]), more_words(len(due[MOST_DUE:]))),
        Section("Open triage by age", (*_untriaged(stands, now), *_ages(found, now))),
    ]
    count = f"{count_text(len(fresh), 'comparison')} this week" if fresh else "No comparison this week"
    return Message(
        subject=harmless(f"Week of {_day(now - WEEK)}: {WORDS[decision.decision]} {last}"),
        lead=f"{count}. {'The last' if fresh else 'As before'}, {last}: {decision.sentence}",
        sections=tuple(section for section in sections if section.lines),
        address=absolute(reverse("home")),
        button="Open UPReg",
        decision=decision.decision,
    )


def _stand_line(stand: Stand) -> Line:
    comparison, decision = stand
    address = absolute(comparison_address("ranking", comparison))
    return Line(_name(comparison), decision.sentence, WORDS[decision.decision], address)


def _name(comparison: Comparison) -> str:
    return harmless(f"{comparison} on {comparison.device}" if comparison.device else str(comparison))


def _fixes(comparison: Comparison) -> Iterable[Line]:
    """Say of what was marked fixed in the last updated version whether it is."""
    pair = [comparison.base.name, comparison.new.name]
    for check in fix_checks(comparison)[:MOST_FIXED]:
        place = [*pair, check.interaction.app.package, check.interaction.name]
        marked = f"marked fixed in {check.entry.fixed_in} by {check.entry.made_by.get_username()}"
        yield Line(harmless(str(check.interaction)), marked, check.word, absolute(reverse("drilldown", args=place)))


def _shares(stands: Sequence[Stand]) -> Iterable[Line]:
    """Return the share of each comparison, oldest first; of several, bars show it beside the largest."""
    most = max((decision.regressed_pct or 0.0 for _, decision in stands), default=0.0)
    for comparison, decision in reversed(stands):
        share = decision.regressed_pct
        words = "nothing could be decided" if share is None else share_text(share)
        bar = 100.0 * (share or 0.0) / most if most and len(stands) > 1 else None
        yield Line(_name(comparison), words, WORDS[decision.decision], bar=bar)


def _untriaged(stands: Sequence[Stand], now: datetime) -> Iterable[Line]:
    for comparison, _ in stands[:LATEST]:
        count = dict(triage_counts(comparison)).get(TriageState.UNTRIAGED.value, 0)
        if count and comparison.computed_at:
            days = (now - comparison.computed_at).days
            address = absolute(comparison_address("ranking", comparison))
            ago = f"computed {count_text(days, 'day')} ago" if days else "computed today"
            title = f"{count_text(count, 'regression')} of {_name(comparison)} that nobody looked at"
            yield Line(title, ago, "", address)


def _due(findings: Sequence[OpenFinding], now: datetime) -> list[Line]:
    """Name the open findings that are overdue, or due within a week: the first due first."""
    today = timezone.localdate(now)
    dated = [(row.entry.due, row.entry) for row in findings if row.entry.due and row.entry.due <= today + WEEK]
    return [_due_line(entry, due, today) for due, entry in sorted(dated, key=lambda each: (each[0], each[1].pk))]


def _due_line(entry: TriageEntry, due: date, today: date) -> Line:
    note = f"{OVERDUE} since {_date(due)}" if due < today else "due today" if due == today else f"due {_date(due)}"
    whose = entry.assignee or "nobody's"
    words = f"{entry.base} → {entry.new}, {entry.state}, {whose}"
    return Line(harmless(str(entry.interaction)), harmless(words), note, _place(entry))


def _place(entry: TriageEntry) -> str:
    place = [entry.base.name, entry.new.name, entry.interaction.app.package, entry.interaction.name]
    return absolute(reverse("drilldown", args=place))


def _ages(findings: Sequence[OpenFinding], now: datetime) -> Iterable[Line]:
    """Count open findings by how long ago somebody first decided about them, and name the oldest of each age."""
    left = list(findings)  # the oldest first
    for days, words in reversed(AGES):
        younger = [limit for limit, _ in AGES if limit is not None and (days is None or limit < days)]
        least = timedelta(days=max(younger, default=0))
        group = [row for row in left if now - row.since >= least]
        left = [row for row in left if now - row.since < least]
        if group:
            oldest, since = group[0]
            whose = oldest.assignee or "nobody's"
            told = f"the oldest: {oldest.interaction}, {oldest.state}, since {_day(since)}, {whose}"
            yield Line(f"{count_text(len(group), 'finding')}, {words}", harmless(told), "", _place(oldest))


def _day(at: datetime) -> str:
    return _date(timezone.localdate(at))


def _date(day: date) -> str:
    return f"{day.day} {day:%B}"
