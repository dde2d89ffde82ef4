"""What a notice says, the same for every way on which it is sent; numbers and words are those of the pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.forms import model_to_dict
from django.urls import reverse

from analysis.gate.reasons import FAIL
from analysis.names import harmless
from analysis.verdicts.sentences import result_sentence
from analysis.verdicts.text import count_text
from analysis.verdicts.words import REGRESSION
from reports.comparing.selectors import comparison_address
from reports.gate.formats import WORDS
from reports.models import Comparison, Event, Interaction, Notice, Result
from reports.models.comparisons import WORST_FIRST
from reports.ranking.rows import RankingRow, load_rows
from reports.ranking.selectors import RankingFilter, filtered_results

TOP = 5
OVERDUE = "overdue"
TEST = "test"  # a kind that nobody wants or not: an administrator asks for it


@dataclass(frozen=True)
class Line:
    """One thing in a list, with its words, a note in a word or two, and where to see it.

    ``bar`` is a length between 0 and 100 that stands beside it.
    """

    title: str
    words: str = ""
    note: str = ""
    address: str = ""
    bar: float | None = None

    @property
    def is_bad(self) -> bool:
        """Tell whether the note is one that asks for haste."""
        return self.note.startswith(("Severe", OVERDUE, WORDS[FAIL]))


@dataclass(frozen=True)
class Section:
    """A heading with lines; ``more`` says in words what is left out."""

    heading: str
    lines: tuple[Line, ...]
    more: str = ""


@dataclass(frozen=True)
class Message:
    """A notice to be sent. ``decision`` is the gate's where it is about a comparison."""

    subject: str
    lead: str
    sections: tuple[Section, ...]
    address: str
    button: str
    decision: str = ""

    @property
    def word(self) -> str:
        """The gate's word: GO, NO-GO."""
        return WORDS.get(self.decision, "")


def absolute(path: str) -> str:
    """Return an address with the site in front, as messages need it."""
    return settings.SITE_URL.rstrip("/") + path


def message_of_comparison(event: Event, to: Any) -> Message:
    """Tell what a comparison has come to: the gate's word and sentence, why, and the worst of it."""
    comparison, facts = event.comparison, event.facts
    assert comparison is not None
    word = WORDS[facts["decision"]]
    about = f"{comparison} on {comparison.device}" if comparison.device else str(comparison)
    hit = f": {', '.join(facts['critical'])} regressed" if Notice.CRITICAL in event.kinds else ""
    rows, left = worst_rows(comparison)
    sections = [
        Section("Why", tuple(Line(text) for text in facts["reasons"]) if facts["decision"] == FAIL else ()),
        Section("Worst regressions", tuple(row_line(comparison, row) for row in rows), more_words(left)),
    ]
    return Message(
        subject=harmless(f"{word} {about}{hit}"),
        lead=facts["sentence"],
        sections=tuple(section for section in sections if section.lines),
        address=absolute(comparison_address("ranking", comparison)),
        button="Open the comparison",
        decision=facts["decision"],
    )


def message_of_assigned(event: Event, to: Any) -> Message:
    """Tell which findings are somebody's now, who said so and with which note."""
    facts = event.facts
    ids, pair = facts["interactions"], [facts["base"], facts["new"]]
    lines = assigned_lines(pair, ids[:TOP])
    whom = "you" if to is not None and event.person_id == to.pk else str(event.person)
    what = lines[0].title if len(ids) == 1 and lines else count_text(len(ids), "finding")
    note = f" {facts['by']} wrote: {facts['note']}" if facts.get("note") else ""
    return Message(
        subject=harmless(f"Assigned to {whom}: {what}, {' → '.join(pair)}"),
        lead=f"{facts['by']} assigned {count_text(len(ids), 'finding')} of {' → '.join(pair)} to {whom}.{note}",
        sections=(Section("Findings", tuple(lines), more_words(len(ids) - len(lines))),) if lines else (),
        address=lines[0].address if len(ids) == 1 and lines else absolute(reverse("ranking", args=pair)),
        button="Open the finding" if len(ids) == 1 else "Open the comparison",
    )


def message_of_test(event: Event, to: Any) -> Message:
    """Tell an administrator that it arrives."""
    return Message(
        subject=harmless(f"A test of {event.facts['name']}"),
        lead="UPReg reaches this place. What you chose to be told of arrives like this.",
        sections=(),
        address=absolute(reverse("home")),
        button="Open UPReg",
    )


def assigned_lines(pair: Sequence[str], interaction_ids: Sequence[int]) -> list[Line]:
    """Return a line for each interaction with the sentence of its worst result; two queries."""
    found = Interaction.objects.select_related("app").in_bulk(list(interaction_ids))
    results = Result.objects.filter(
        comparison__base__name=pair[0], comparison__new__name=pair[1], interaction__in=found, worst=True
    )
    worst: dict[int, Result] = {}
    for row in results.order_by(*WORST_FIRST):
        worst.setdefault(row.interaction_id, row)
    return [_finding(pair, found[key], worst.get(key)) for key in interaction_ids if key in found]


def worst_rows(comparison: Comparison, top: int = TOP) -> tuple[list[RankingRow], int]:
    """Return the worst regressions of a comparison as its ranking shows them, and how many more there are."""
    ids = list(filtered_results(comparison, RankingFilter(verdict=REGRESSION)).values_list("pk", flat=True))
    return load_rows(comparison, ids[:top]), len(ids[top:])


def row_line(comparison: Comparison, row: RankingRow) -> Line:
    """Return a row of a comparison's ranking as a message says it."""
    result, waived = row.result, "waived" if row.waived else ""
    found = _finding([comparison.base.name, comparison.new.name], result.interaction, result)
    return Line(found.title, found.words, ", ".join(filter(None, [found.note, waived])), found.address)


def _finding(pair: Sequence[str], interaction: Interaction, result: Result | None) -> Line:
    address = reverse("drilldown", args=[*pair, interaction.app.package, interaction.name])
    words = result_sentence(model_to_dict(result)) if result else ""
    return Line(
        harmless(f"{interaction.app.name} · {interaction.name}"),
        words,
        result.severity if result else "",
        absolute(address + (f"?device={result.device_id}" if result else "")),
    )


def more_words(count: int) -> str:
    """Say how many are left out; nothing if none is."""
    return f"and {count_text(count, 'more', 'more')}" if count > 0 else ""
